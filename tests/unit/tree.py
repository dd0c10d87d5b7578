"""Where things are in the source tree, for the tests that read it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "nxdc"
RUNTIME = ROOT / "runtime_c"


def python_files(folder: Path = PACKAGE) -> list[Path]:
    """Every Python file below a folder, in a stable order."""
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def c_files() -> list[Path]:
    """Every C file and header of the runtime."""
    return sorted(path for pattern in ("*.c", "*.h", "*.S") for path in RUNTIME.rglob(pattern))


def shown(path: Path) -> str:
    """A path as reports name it."""
    return path.relative_to(ROOT).as_posix()
