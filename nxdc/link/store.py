"""The folders of the cache: compiled runtimes, probes of the machine, finished programs.

`source.cachedir` says where the cache is, and writes files whole or not at all. When that place cannot be written (a
read-only home, a container without one), a private folder under the temporary directory serves.

On the path of every build, so `pathlib` and `tempfile`, which take long to import, stay out.
"""

from __future__ import annotations

import contextlib
import functools
import os

from nxdc.source.cachedir import cache_dir

ABANDONED = 86_400  # seconds after which something unfinished belongs to nobody


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _usable(folder: str) -> bool:
    """Made on demand. It must belong to us, or somebody else could plant programs in it that we then run."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        status = os.stat(folder)
    except OSError:
        return False
    return (not hasattr(os, "getuid") or status.st_uid == _user()) and os.access(folder, os.W_OK | os.X_OK)


@functools.cache
def cache_root() -> str | None:
    """The cache folder, existing and writable; None when there is none: work then goes on without a cache."""
    folder = os.path.abspath(cache_dir())
    if _usable(folder):
        return folder
    if os.environ.get("NXDC_CACHE"):
        return None
    import tempfile

    folder = os.path.join(tempfile.gettempdir(), f"nxdc-{_user()}")
    return folder if _usable(folder) else None


def subfolder(name: str) -> str | None:
    """A folder of the cache for one kind of content, made on demand."""
    root = cache_root()
    if root is None:
        return None
    folder = os.path.join(root, name)
    return folder if _usable(folder) else None


def touch(path: str) -> None:
    """Mark an entry as used now: what was used last is thrown away last."""
    with contextlib.suppress(OSError):
        os.utime(path)
