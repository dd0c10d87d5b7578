"""Debug information: compile unit, files, one subprogram a function, one location an op (lines and columns)."""

from __future__ import annotations

import os

import nxdc
from nxdc.codegen.context import Metadata
from nxdc.mir import ops
from nxdc.source.span import Span
from nxdc.source.text import SourceFile

_LANGUAGE = "DW_LANG_C11"  # debuggers have no NXD; C shows our values best


class DebugInfo:
    """The debug metadata of one module."""

    def __init__(self, metadata: Metadata, main: SourceFile, level: int) -> None:
        self._metadata = metadata
        self._files: dict[str, str] = {}
        flags = [
            metadata.add(f'!{{i32 {behavior}, !"{name}", i32 {value}}}')
            for behavior, name, value in ((2, "Debug Info Version", 3), (7, "Dwarf Version", 4))
        ]
        self.module_flags = flags
        self._unit = metadata.add_distinct(
            f"distinct !DICompileUnit(language: {_LANGUAGE}, file: {self._file(main)}, "
            f'producer: "nxdc {nxdc.__version__}", '
            f"isOptimized: {'true' if level else 'false'}, runtimeVersion: 0, emissionKind: FullDebug)"
        )
        metadata.named.append(f"!llvm.dbg.cu = !{{{self._unit}}}")
        self._no_types = metadata.add("!DISubroutineType(types: !{null})")

    def subprogram(self, function: ops.Function) -> str:
        """The scope of a function."""
        span = function.span
        line = span.line if span is not None else 0
        file = self._file(span.file) if span is not None else "null"
        return self._metadata.add_distinct(
            f"distinct !DISubprogram(name: {_text(function.name)}, linkageName: {_text(function.symbol)}, "
            f"scope: {file}, file: {file}, line: {line}, type: {self._no_types}, scopeLine: {line}, "
            f"spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: {self._unit})"
        )

    def location(self, span: Span | None, scope: str) -> str:
        """The suffix of an instruction at a place; what has no place belongs to line 0 of its function."""
        line, column = span.file.position(span.start) if span is not None else (0, 0)
        return ", !dbg " + self._metadata.add(f"!DILocation(line: {line}, column: {column}, scope: {scope})")

    def _file(self, source: SourceFile) -> str:
        path = os.path.abspath(source.path)
        found = self._files.get(path)
        if found is None:
            folder, name = os.path.split(path)
            found = self._files[path] = self._metadata.add(
                f"!DIFile(filename: {_text(name)}, directory: {_text(folder)})"
            )
        return found


def _text(text: str) -> str:
    data = text.encode("utf-8")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02x}" for b in data) + '"'
