"""Object code of the units of large programs, kept from build to build: after a change only what changed is compiled.

A unit is named by the hash of all that decides its code, so there is nothing to check when it is found but that the
file is whole. What was used least recently goes when there is more than the cache's limit.
"""

from __future__ import annotations

import functools
import hashlib
import os

from nxdc.link.cache import compiler_fingerprint, evict
from nxdc.link.store import subfolder, touch
from nxdc.source.cachedir import read_sealed, write_sealed


class UnitStore:
    """The kept units. Touches nothing before the first question: small programs ask none."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    @functools.cached_property
    def _folder(self) -> str | None:
        return subfolder("units")

    @functools.cached_property
    def _compiler(self) -> str:
        return compiler_fingerprint()

    def _name(self, key: str) -> str:
        name = hashlib.sha256(f"{self._compiler}\n{key}".encode()).hexdigest()[:40]
        self._used.add(name)
        return name

    def get(self, key: str) -> bytes | None:
        """The object code kept under a key."""
        if self._folder is None:
            return None
        path = os.path.join(self._folder, self._name(key))
        code = read_sealed(path)
        if code is not None:
            touch(path)
        return code

    def put(self, key: str, code: bytes) -> None:
        """Keep object code."""
        if self._folder is not None:
            write_sealed(os.path.join(self._folder, self._name(key)), code)

    def close(self) -> None:
        """Throw away what is too much, but nothing this build used."""
        if self._used and self._folder is not None:
            evict(self._folder, keep=self._used)
