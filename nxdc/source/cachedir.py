"""Where things that are slow to make are kept between runs: parser tables, the runtime archive, finished programs."""

from __future__ import annotations

import contextlib
import os


def cache_dir() -> str:
    """The user's cache folder for nxdc: `NXDC_CACHE`, else below `XDG_CACHE_HOME`, else `~/.cache`. Not created
    here."""
    own = os.environ.get("NXDC_CACHE")
    if own:
        return own
    base = os.environ.get("XDG_CACHE_HOME")
    if not base or not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "nxdc")


def read_cached(name: str) -> bytes | None:
    """The content of a cache file, or None when there is none that can be read."""
    try:
        with open(os.path.join(cache_dir(), name), "rb") as handle:
            return handle.read()
    except OSError:
        return None


def write_atomically(path: str, data: bytes, mode: int = 0o666) -> bool:
    """Put `data` at `path` whole or not at all. False when that failed: a cache that is full or gone is no error.

    Written under a temporary name and renamed, so that concurrent compilers never see half a file and need no lock.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(descriptor, "wb") as handle:
            handle.write(data)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        return False
    return True


def write_cached(name: str, data: bytes) -> bool:
    """Write a cache file, making its folder. False when it cannot be kept."""
    path = os.path.join(cache_dir(), name)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError:
        return False
    return write_atomically(path, data)
