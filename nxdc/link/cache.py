"""Finished programs of earlier builds: an unchanged program is not even parsed again.

Input:  the options of a build, and after a build its sources, its program and its rendered warnings. Output:
the program of an earlier build, when every source file has the same content, no file was added to or removed
from the folders that were searched, and the compiler itself is the same.

An entry is two files: the program, named by the hash of its content, and a manifest, named by the hash of the
question (options, working directory, compiler). Both are written whole by renaming; a reader that finds one
without the other simply builds. Programs used least recently go when the cache grows over its limit
(`NXDC_CACHE_LIMIT`, in megabytes; 256).

This module is on the path of every build and keeps to cheap imports.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from typing import Any

from nxdc import __version__
from nxdc.link.store import ABANDONED, subfolder, touch
from nxdc.problem import Problem
from nxdc.source.cachedir import read_regular, write_atomically
from nxdc.source.record import Record
from nxdc.source.roots import ENDINGS

_FOLDER = "programs"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Cached(Record):
    """A finished program. `warnings` are its diagnostics by form ("text", "colour", "json"), already rendered."""

    program: str
    warnings: dict[str, str]
    warning_count: int


def compiler_fingerprint() -> str:
    """Changes when any file of the compiler or its runtime does (told by size and time: that is cheap)."""
    facts = [__version__]
    for top in (_PACKAGE, os.path.join(os.path.dirname(_PACKAGE), "runtime_c")):
        _collect_facts(top, facts)
    return hashlib.sha256("\n".join(sorted(facts)).encode()).hexdigest()


def _collect_facts(folder: str, facts: list[str]) -> None:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                _collect_facts(entry.path, facts)
        elif entry.name.endswith((".py", ".c", ".h", ".S", ".inc")):
            status = entry.stat()
            facts.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")


def question_key(facts: dict[str, Any]) -> str:
    """The name of the manifest for a build with these options, here, by this compiler."""
    try:
        folder = os.getcwd()
    except OSError:
        raise Problem("the current folder does not exist any more") from None
    question = {
        "options": facts,
        "folder": folder,
        "compiler": compiler_fingerprint(),
        "cc": os.environ.get("CC", ""),
    }
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:40]


def _hash_file(path: str) -> str | None:
    data = read_regular(path)
    return None if data is None else hashlib.sha256(data).hexdigest()


def _is_whole(folder: str, name: str) -> bool:
    """Whether a kept program is what it was: it is named by the hash of its content."""
    return (_hash_file(os.path.join(folder, name)) or "").startswith(name)


def _listing(folder: str, deep: bool) -> str:
    """A hash of the names in a folder that could be modules (`deep`: below it too)."""
    names: list[str] = []
    pending = [folder]
    while pending:
        current = pending.pop()
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError:
            names.append(f"{current} unreadable")
            continue
        for entry in entries:
            if entry.name.lower().endswith(ENDINGS):
                names.append(entry.path)
            elif deep and not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
    return hashlib.sha256("\n".join(names).encode("utf-8", "surrogateescape")).hexdigest()


def _manifest_path(folder: str, key: str) -> str:
    return os.path.join(folder, f"{key}.json")


def _read_manifest(folder: str, key: str) -> Any:
    return json.loads(read_regular(_manifest_path(folder, key)) or b"")


def look_up(key: str) -> Cached | None:
    """The finished program for a question, if it is still true."""
    folder = subfolder(_FOLDER)
    if folder is None:
        return None
    try:
        manifest = _read_manifest(folder, key)
        name = manifest["program"]
        program = os.path.join(folder, name)
        current = all(_hash_file(path) == digest for path, digest in manifest["sources"]) and all(
            _listing(path, deep) == digest for path, deep, digest in manifest["folders"]
        )
        if not current or not os.access(program, os.X_OK) or not _is_whole(folder, name):
            return None
        answer = Cached(program, manifest["warnings"], manifest["warning_count"])
    except (OSError, ValueError, KeyError, TypeError):  # none, or written by another version: as good as none
        return None
    touch(program)
    touch(_manifest_path(folder, key))
    return answer


def remember(
    key: str, sources: dict[str, str], folders: Iterable[tuple[str, bool]], program: bytes, shown: Cached
) -> str | None:
    """Keep a finished program and say where; `sources` are paths and the hashes of what was compiled."""
    folder = subfolder(_FOLDER)
    if folder is None:
        return None
    name = hashlib.sha256(program).hexdigest()[:40]
    target = os.path.join(folder, name)
    if not _is_whole(folder, name) and not write_atomically(target, program, 0o777):
        return None
    touch(target)
    manifest = {
        "program": name,
        "sources": sorted(sources.items()),
        "folders": [[path, deep, _listing(path, deep)] for path, deep in folders],
        "warnings": shown.warnings,
        "warning_count": shown.warning_count,
    }
    write_atomically(_manifest_path(folder, key), json.dumps(manifest).encode())
    evict(folder, keep={name, f"{key}.json"})
    return target


def hash_source(path: str, text: str) -> str | None:
    """The hash of a source file, or None when it no longer holds the text that was compiled."""
    from nxdc.source.text import decode

    data = read_regular(path)  # a pipe gives its text only once, and waits for ever when asked again
    if data is None:
        return None
    return hashlib.sha256(data).hexdigest() if decode(path, data, path).text == text else None


def _limit() -> int:
    try:
        return int(os.environ.get("NXDC_CACHE_LIMIT", "256")) * 1_000_000
    except ValueError:
        return 256_000_000


def evict(folder: str, keep: set[str]) -> None:
    """Throw away what was used least recently until the cache is well below its limit, and what was left unfinished."""
    entries: list[tuple[float, int, str]] = []
    for entry in os.scandir(folder):
        try:
            status = entry.stat()
            if entry.name.endswith(".tmp") and status.st_mtime < time.time() - ABANDONED:
                os.unlink(entry.path)
                continue
        except OSError:
            continue
        entries.append((status.st_mtime, status.st_size, entry.name))
    total = sum(size for _, size, _ in entries)
    if total <= _limit():
        return
    for _, size, name in sorted(entries):
        if name in keep:
            continue
        try:
            os.unlink(os.path.join(folder, name))
        except OSError:
            continue
        total -= size
        if total <= _limit() * 3 // 4:
            return
