"""The compiled runtime: made from `runtime_c/` once a machine and flavour, kept in the user's cache.

The key is a hash of the sources' contents, the C compiler and the flags, so a changed runtime or compiler makes
a new one and nothing is ever stale. The runtime is one unity file (fast to compile, best code) plus the context
switch in assembly where the machine has one. It is compiled for position-independent *executables*: unlike
-fPIC that reads thread-local variables without a call.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import tempfile
import time
from pathlib import Path

from nxdc.link.cc import SANITIZERS, find_compiler, run_tool
from nxdc.link.store import subfolder, touch
from nxdc.problem import Problem
from nxdc.source.scratch import scratch_folder

COMMON_FLAGS = (
    "-std=gnu11",
    "-fPIE",
    "-ffunction-sections",
    "-fdata-sections",
    "-fvisibility=hidden",
    "-fno-strict-aliasing",
)
FLAVOURS: dict[str, tuple[str, ...]] = {
    "release": ("-O2", "-DNDEBUG"),
    "debug": ("-O1", "-g", "-DNXD_DEBUG"),
    "sanitize": ("-O1", "-g", "-fno-omit-frame-pointer", "-DNXD_DEBUG", SANITIZERS),
}
UNITY = "src/nxd_all.c"
_ABANDONED = 86_400  # seconds after which an unfinished build belongs to nobody


def source_folder() -> Path:
    """The runtime's C sources: inside the installed package, else beside it in a source checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_runtime", package.parent / "runtime_c"):
        if (folder / UNITY).is_file():
            return folder
    raise Problem("the C sources of the NXD runtime are missing", "nxdc is not installed completely: install it again")


def source_files() -> list[Path]:
    """Every file that takes part in the runtime, in a fixed order."""
    folder = source_folder()
    found = [
        path
        for top in ("include", "src")
        for path in (folder / top).rglob("*")
        if path.suffix in (".c", ".h", ".S", ".inc")
    ]
    return sorted(found)


def _assembly_files(folder: Path) -> list[Path]:
    """Context switches in files of their own, for this machine (the unity file may hold them instead)."""
    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return sorted(path for path in (folder / "src").rglob("*.S") if machine in path.name)


def _key(flavour: str) -> str:
    digest = hashlib.sha256()
    digest.update(f"{find_compiler().identity}\n{COMMON_FLAGS} {FLAVOURS[flavour]}\n".encode())
    for path in source_files():
        digest.update(f"{path.name}\n".encode())
        digest.update(path.read_bytes())
    return f"{flavour}-{digest.hexdigest()[:24]}"


def _compile(flavour: str, target: Path) -> None:
    """Compile the runtime into the existing folder `target`."""
    sources = source_folder()
    flags = [*COMMON_FLAGS, *FLAVOURS[flavour], f"-I{sources / 'include'}", f"-I{sources / 'src'}"]
    for path in [sources / UNITY, *_assembly_files(sources)]:
        run_tool("runtime", [*flags, "-c", str(path), "-o", str(target / f"{path.stem}.o")])


def _objects(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.o"))


def runtime_objects(flavour: str) -> list[Path]:
    """The object files of the runtime, compiled now if this machine has not done so before."""
    kept = subfolder("runtime")
    if kept is None:
        folder = Path(tempfile.mkdtemp(prefix="nxdc-runtime-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        _compile(flavour, folder)
        return _objects(folder)
    cache = Path(kept)
    finished = cache / _key(flavour)
    if _objects(finished):
        touch(str(finished))
        return _objects(finished)
    with scratch_folder(".build-", str(cache)) as building:
        _compile(flavour, Path(building))
        _publish(Path(building), finished)
    _evict(cache, keep=finished)
    return _objects(finished)


def _publish(building: Path, finished: Path) -> None:
    """Rename into place; another compiler that was faster has made the same thing, and then its result is used."""
    try:
        os.rename(building, finished)
    except OSError:
        if not _objects(finished):
            raise


def _evict(cache: Path, keep: Path, limit: int = 12) -> None:
    """Old runtimes go, the least recently used first: each change of the compiler leaves one behind."""
    aged: list[tuple[float, Path]] = []
    for entry in cache.iterdir():
        try:
            aged.append((entry.stat().st_mtime, entry))
        except OSError:  # another compiler has just thrown it away
            continue
    finished = [entry for _, entry in sorted(aged, reverse=True) if not entry.name.startswith(".") and entry != keep]
    abandoned = [entry for age, entry in aged if entry.name.startswith(".") and age < time.time() - _ABANDONED]
    for entry in finished[limit - 1 :] + abandoned:
        shutil.rmtree(entry, ignore_errors=True)
