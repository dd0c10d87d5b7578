"""Modules below the source roots that nothing imports: what they show is named when a program lacks it.

They are no part of the program, so they are looked through only when something is missing, and only a folder's worth
of them: a program in a home folder must not make the compiler read all of it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator

from nxdc.diagnostics.sink import Sink
from nxdc.modules.imports import collect_declarations
from nxdc.modules.model import DeclEntry, ModuleInfo, Program
from nxdc.source.record import Record
from nxdc.source.roots import SOURCE_ENDING, module_name_of
from nxdc.source.text import SourceFile, read_source
from nxdc.syntax import ast
from nxdc.syntax.parser import parse_file

_MAX_ENTRIES = 1000  # of folders, all together
_MAX_FILES = 200
_MAX_BYTES = 1 << 18  # of one file
_PATH = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*")


class Found(Record):
    """A declaration of a module that nothing imports."""

    module: str
    entry: DeclEntry


class Unread:
    """The files below the roots of a program that are no part of it."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._sources: dict[str, SourceFile] | None = None  # by the name of the module that an IMPORT would look for
        self._words: dict[str, frozenset[str]] = {}  # of a module's source: thousands of names may be missing
        self._modules: dict[str, ModuleInfo | None] = {}
        self._showing: dict[str, list[Found]] = {}  # a name may be missing in many places

    def has(self, module: str) -> bool:
        """Whether there is a file for a module, which an IMPORT would find."""
        return module in self._files()

    def showing(self, name: str) -> list[Found]:
        """What the modules that show a name have under it."""
        if name not in self._showing:
            self._showing[name] = self._find(name)
        return self._showing[name]

    def _find(self, name: str) -> list[Found]:
        found = []
        for module, file in self._files().items():
            info = self._read(module, file) if name in self._words_of(module, file) else None
            if info is not None and info.visible(name) and not _is_program(info):
                found.append(Found(module, info.visible(name)[0]))
        return found

    def _words_of(self, module: str, file: SourceFile) -> frozenset[str]:
        if module not in self._words:
            self._words[module] = frozenset(re.findall(r"\w+", file.code))
        return self._words[module]

    def _files(self) -> dict[str, SourceFile]:
        if self._sources is None:
            known = {os.path.realpath(source.path) for source in self._program.sources}
            self._sources = {}
            for root in self._program.roots:
                for path in _files_below(root or os.curdir):
                    name = module_name_of(path, root)
                    if os.path.realpath(path) in known or not _PATH.fullmatch(name):
                        continue
                    with contextlib.suppress(OSError):
                        file = read_source(path)
                        if not file.problems:
                            self._sources.setdefault(name, file)
        return self._sources

    def _read(self, module: str, file: SourceFile) -> ModuleInfo | None:
        """The declarations of a module; None when its file holds another one (then no IMPORT finds it)."""
        if module not in self._modules:
            nodes = parse_file(file, Sink()).modules
            node = next((n for n in nodes if not n.path or ".".join(p.text for p in n.path) == module), None)
            info = ModuleInfo(module, node, file) if node is not None else None
            if info is not None:
                collect_declarations(info, Sink())
            self._modules[module] = info
        return self._modules[module]


def _is_program(info: ModuleInfo) -> bool:
    """Whether a module is a program of its own rather than a part of this one: folders hold many, all with an X."""
    return "MAIN" in info.declarations or any(not isinstance(stmt, ast.Let) for stmt in info.startup)


def _files_below(root: str) -> Iterator[str]:
    """The first sources below a folder, in a fixed order, the nearest first."""
    folders, entries, files = [root], 0, 0
    while folders and entries < _MAX_ENTRIES:
        folder = folders.pop(0)
        try:
            names = sorted(os.listdir(folder))[:_MAX_ENTRIES]
        except OSError:
            continue
        entries += len(names)
        for name in names:
            path = os.path.join(folder, name) if folder != os.curdir else name
            if name.endswith(SOURCE_ENDING) and os.path.isfile(path) and os.path.getsize(path) <= _MAX_BYTES:
                files += 1
                if files > _MAX_FILES:
                    return
                yield path
            elif not name.startswith(".") and os.path.isdir(path) and not os.path.islink(path):
                folders.append(path)
