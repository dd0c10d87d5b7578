"""Temporary folders that go with the process, also when it is told to end while another thread works in them.

A `with` block alone is not enough: the work is done by a thread of its own, and the main thread, which gets signals,
cannot wait until that thread has come out of its blocks.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

_open: set[str] = set()


@contextmanager
def scratch_folder(prefix: str = "nxdc-", parent: str | None = None) -> Iterator[str]:
    """A new folder, in the system's place for temporary files or in `parent`, that is removed behind the block."""
    import tempfile

    folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
    _open.add(folder)
    try:
        yield folder
    finally:
        _remove(folder)


def remove_scratch_folders() -> None:
    """Remove all of them now: the process is about to end."""
    for folder in list(_open):
        _remove(folder)


def _remove(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _open.discard(folder)
