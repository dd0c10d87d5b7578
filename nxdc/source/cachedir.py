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


def write_cached(name: str, data: bytes) -> bool:
    """Write a cache file so that a reader sees the old or the new content, never half. False when it cannot be kept."""
    path = os.path.join(cache_dir(), name)
    scratch = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(scratch, "wb") as handle:
            handle.write(data)
        os.replace(scratch, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        return False
    return True
