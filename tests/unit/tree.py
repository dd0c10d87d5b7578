"""Where things are in the source tree, for the tests that read it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "nxdc"
RUNTIME = ROOT / "runtime_c"


def load_script(path: Path) -> ModuleType:
    """A script that belongs to no package, as a module."""
    spec = importlib.util.spec_from_file_location(f"script_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def python_files(folder: Path = PACKAGE) -> list[Path]:
    """Every Python file below a folder, in a stable order."""
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def c_files() -> list[Path]:
    """Every C file and header of the runtime."""
    return sorted(path for pattern in ("*.c", "*.h", "*.S") for path in RUNTIME.rglob(pattern))


def shown(path: Path) -> str:
    """A path as reports name it."""
    return path.relative_to(ROOT).as_posix()
