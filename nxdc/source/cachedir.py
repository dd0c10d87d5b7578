"""Where things that are slow to make are kept between runs: parser tables, the runtime archive, finished programs.

Nothing that is found there is trusted. A disk that was full, a machine that lost power and people leave files that
are cut, empty or something else; what is kept has a checksum, by which such a file counts as none and is made anew.
"""

from __future__ import annotations

import contextlib
import os
import stat
import zlib

_SEAL = 4  # bytes of the checksum in front of what is kept


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


def read_regular(path: str) -> bytes | None:
    """The content of a file; None when there is none that can be read, or something that may never end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as handle:
            return handle.read() if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    except OSError:
        return None


def read_sealed(path: str) -> bytes | None:
    """What `write_sealed` has put there, or None when that is not what is there now."""
    data = read_regular(path)
    if data is None or data[:_SEAL] != _seal(data[_SEAL:]):
        return None
    return data[_SEAL:]


def write_sealed(path: str, data: bytes) -> bool:
    """Keep `data` with its checksum. False when that failed."""
    return write_atomically(path, _seal(data) + data)


def _seal(data: bytes) -> bytes:
    return (zlib.crc32(data) ^ 0xFFFFFFFF).to_bytes(_SEAL, "big")  # nothing at all, or only zeros, is not sealed


def read_cached(name: str) -> bytes | None:
    """The content of a cache file, or None when there is none that is whole."""
    return read_sealed(os.path.join(cache_dir(), name))


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
    return write_sealed(path, data)
