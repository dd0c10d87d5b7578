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
from nxdc.link.store import ABANDONED, subfolder, touch
from nxdc.problem import Problem
from nxdc.source.cachedir import read_regular
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
_SUMS = "sums"  # the file that says what the others must be


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
    (target / _SUMS).write_text(_sums(_objects(target)), encoding="ascii")


def _objects(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.o"))


def _sums(objects: list[Path]) -> str:
    """What tells object files that are whole: names and hashes."""
    contents = [(path.name, read_regular(str(path))) for path in objects]
    return "".join(f"{name} {hashlib.sha256(content or b'').hexdigest()}\n" for name, content in contents)


def _finished_objects(folder: Path) -> list[Path]:
    """The object files of a folder in the cache; none unless all are there and whole."""
    objects = _objects(folder)
    sums = read_regular(str(folder / _SUMS))
    return objects if objects and sums == _sums(objects).encode("ascii") else []


def runtime_objects(flavour: str) -> list[Path]:
    """The object files of the runtime, compiled now if this machine has not done so before."""
    kept = subfolder("runtime")
    if kept is None:
        return _for_once(flavour)
    cache = Path(kept)
    finished = cache / _key(flavour)
    objects = _finished_objects(finished)
    if objects:
        touch(str(finished))
        return objects
    try:
        with scratch_folder(".build-", str(cache)) as building:
            _compile(flavour, Path(building))
            _publish(Path(building), finished)
    except (Problem, OSError):  # the disk of the cache may be full; what else is wrong shows here as well
        return _for_once(flavour)
    _evict(cache, keep=finished)
    return _objects(finished)


def _for_once(flavour: str) -> list[Path]:
    """The object files, compiled for this run alone."""
    folder = Path(tempfile.mkdtemp(prefix="nxdc-runtime-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _compile(flavour, folder)
    return _objects(folder)


def _publish(building: Path, finished: Path) -> None:
    """Rename into place. Another compiler that was faster has made the same thing, and then its result is used; what
    is damaged is moved out of the way."""
    try:
        os.rename(building, finished)
    except OSError:
        if _finished_objects(finished):
            return
        if not os.path.lexists(finished):
            raise
        with scratch_folder(".broken-", str(finished.parent)) as away:
            os.rename(finished, Path(away, "runtime"))
            os.rename(building, finished)


def _evict(cache: Path, keep: Path, limit: int = 12) -> None:
    """Old runtimes go, the least recently used first: each change of the compiler leaves one behind."""
    aged: list[tuple[float, Path]] = []
    for entry in cache.iterdir():
        try:
            aged.append((entry.stat().st_mtime, entry))
        except OSError:  # another compiler has just thrown it away
            continue
    finished = [entry for _, entry in sorted(aged, reverse=True) if not entry.name.startswith(".") and entry != keep]
    abandoned = [entry for age, entry in aged if entry.name.startswith(".") and age < time.time() - ABANDONED]
    for entry in finished[limit - 1 :] + abandoned:
        shutil.rmtree(entry, ignore_errors=True)
