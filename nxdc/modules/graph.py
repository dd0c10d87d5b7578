"""Which files and modules make the program.

Input:  the paths of the command line.
Output: every module, in the order found, with its IMPORT lines resolved to modules; imported modules that were not
        given are read from the source roots. Missing and doubled modules are reported.
A path that cannot be read is misuse of the command (`Problem`), unless an IMPORT led to it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Diagnostic, Label
from nxdc.diagnostics.near import nearest
from nxdc.diagnostics.sink import Sink
from nxdc.modules.model import ImportEntry, ModuleInfo
from nxdc.problem import from_os_error
from nxdc.source.literate import is_literate
from nxdc.source.roots import find_module, module_name_of, sources_in
from nxdc.source.span import Span
from nxdc.source.text import SourceFile, read_source
from nxdc.syntax import ast
from nxdc.syntax.parser import parse_file

_SAVE = ["save the file as UTF-8"]
_PROBLEM_HELPS = {"encoding": _SAVE, "bytes": _SAVE, "fence": ["close it with a fence on a line of its own"]}


class Graph:
    """The modules of a program while they are collected."""

    def __init__(self, sink: Sink, texts: Mapping[str, str] | None = None) -> None:
        self.sink = sink
        self.texts = texts or {}  # what stands in for files, by real path
        self.modules: list[ModuleInfo] = []
        self.by_name: dict[str, ModuleInfo] = {}
        self.sources: list[SourceFile] = []
        self.roots: list[str] = []
        self._read: dict[str, SourceFile] = {}  # by real path

    def add_paths(self, paths: list[str]) -> None:
        """Read what the command line names."""
        files: list[tuple[str, str]] = []  # path, root
        for path in paths:
            if os.path.isdir(path):
                files += [(file, path) for file in sources_in(path)]
                root = path
            else:
                root = os.path.dirname(path)
                files.append((path, root))
            if root not in self.roots:
                self.roots.append(root)
        for path, root in files:
            try:
                self._add_file(path, root)
            except OSError as error:
                raise from_os_error(error, "read") from None

    def resolve_imports(self) -> None:
        """Resolve every IMPORT; reads further files as long as there are new ones."""
        index = 0
        while index < len(self.modules):
            module = self.modules[index]
            for item in module.node.items:
                if isinstance(item, ast.Import):
                    self._resolve(module, item)
            index += 1

    # ------------------------------------------------------------------------------------------------ files

    def _add_file(self, path: str, root: str) -> None:
        """Read and parse a file, and add its modules to the program."""
        real = os.path.realpath(path)
        if real in self._read:
            return
        text = self.texts.get(real)
        file = read_source(path) if text is None else SourceFile(path, text, path)
        self._read[real] = file
        self.sources.append(file)
        if self._report_problems(file):
            for node in parse_file(file, self.sink).modules:
                self._add_module(node, file, root)

    def _report_problems(self, file: SourceFile) -> bool:
        """Report what is wrong with the file's text; whether it can be parsed all the same."""
        for problem in file.problems:
            span = Span(file, problem.start, problem.end)
            helps = _PROBLEM_HELPS.get(problem.kind, [])
            self.sink.add(Diagnostic(codes.P1001, problem.kind, problem.args, Label(span, ""), helps=tuple(helps)))
        if is_literate(file.name, file.text) and not file.code.strip():
            helps = ["mark the blocks of the program with ```nxd"]
            self.sink.report(codes.P1001, "program", Span(file, 0, 0), helps=helps, path=file.name)
            return False
        return not file.problems

    def _add_module(self, node: ast.Module, file: SourceFile, root: str) -> None:
        if node.path:
            name = ".".join(part.text for part in node.path)
        else:
            name = module_name_of(file.path, root)
        module = ModuleInfo(name, node, file)
        self.modules.append(module)
        earlier = self.by_name.get(name)
        if earlier is None:
            self.by_name[name] = module
        else:
            place, first = _header(module), _header(earlier)
            also = [(first, "first given here")] if first.file is place.file else []
            notes = [] if also else [f"it is also in {first.file.name}"]
            self.sink.report(codes.S3015, "module", place, also=also, notes=notes, module=name)

    # ------------------------------------------------------------------------------------------------ imports

    def _resolve(self, module: ModuleInfo, node: ast.Import) -> None:
        name = node.module
        target = self.by_name.get(name) or self._load(name)
        if target is None:
            self._report_missing(module, node)
        else:
            module.imports.append(ImportEntry(target, node, node.alias.text if node.alias else None, node.names))

    def _load(self, name: str) -> ModuleInfo | None:
        found = find_module(name, self.roots)
        if found is None:
            return None
        try:
            self._add_file(*found)
        except OSError:
            return None
        return self.by_name.get(name)

    def _report_missing(self, module: ModuleInfo, node: ast.Import) -> None:
        name = node.module
        span = node.path[0].span.to(node.path[-1].span)
        found = find_module(name, self.roots)
        notes, helps = [], []
        if found is not None:
            path = found[0]
            held = sorted(m.name for m in self.modules if m.file.path == path)
            notes.append(f"the file {path} holds " + (_listed(held) if held else "no module that could be read"))
        else:
            near = nearest(name, self.by_name)
            if near:
                helps.append(f"did you mean `{near}`?")
            wanted = os.path.join(*name.split(".")) + ".nxd"
            places = ", ".join(f"`{root or '.'}`" for root in self.roots)
            notes.append(f"no module of that name is given, and there is no file {wanted} in {places}")
        self.sink.report(codes.S3014, "module", span, notes=notes, helps=helps, module=name)
        module.has_errors = True  # names it would have brought are missing


def _header(module: ModuleInfo) -> Span:
    """The place that names a module."""
    path = module.node.path
    return path[0].span.to(path[-1].span) if path else Span(module.file, module.node.span.start, module.node.span.start)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
