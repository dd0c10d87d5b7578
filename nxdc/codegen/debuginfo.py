"""Debug information: compile unit, files, one subprogram a function, one location an op, and variables.

Every register with a source name is a variable of its function, every module variable one of the unit. A name that is
declared several times in a function gets a block for each declaration (see debugscopes.py).
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field

import nxdc
from nxdc.codegen import layout
from nxdc.codegen.context import Metadata, quoted
from nxdc.codegen.debugscopes import visible_lines
from nxdc.codegen.debugtypes import DebugTypes
from nxdc.mir import ops
from nxdc.mir.types import CellType
from nxdc.source.span import Span
from nxdc.source.text import SourceFile

_LANGUAGE = "DW_LANG_C11"  # debuggers have no NXD; C shows our values best


@dataclass(slots=True, eq=False)
class Scope:
    """A function as debuggers see it. `blocks`: node, first and last line; inner ones after those around them."""

    node: str
    file: SourceFile | None
    blocks: list[tuple[str, int, int]] = field(default_factory=list)
    foreign: dict[SourceFile, str] = field(default_factory=dict)  # the function in other files


@dataclass(slots=True, eq=False)
class Variable:
    """A register to show. `argument`: number of the parameter from 1; 0: a local."""

    reg: ops.Reg
    argument: int


class DebugInfo:
    """The debug metadata of one module."""

    def __init__(self, metadata: Metadata, program: ops.Program, main: SourceFile, level: int) -> None:
        self.level = level
        # Debuggers walk stacks by tables, and find the end of a function's first line by its frame pointer.
        self.attributes = " uwtable" if level else ' uwtable "frame-pointer"="all"'
        names = Counter(variable.name for variable in program.globals)
        self._ambiguous = {name for name, count in names.items() if count > 1}
        self._metadata = metadata
        self._types = DebugTypes(metadata, program.types)
        self._files: dict[str, str] = {}
        self._globals: list[str] = []
        flags = [
            metadata.add(f'!{{i32 {behavior}, !"{name}", i32 {value}}}')
            for behavior, name, value in ((2, "Debug Info Version", 3), (7, "Dwarf Version", 4))
        ]
        self.module_flags = flags
        globals_, self._globals_number = metadata.reserve()
        self._unit = metadata.add_distinct(
            f"distinct !DICompileUnit(language: {_LANGUAGE}, file: {self._file(main)}, "
            f'producer: "nxdc {nxdc.__version__}", '
            f"isOptimized: {'true' if level else 'false'}, runtimeVersion: 0, emissionKind: FullDebug, "
            f"globals: {globals_})"
        )
        metadata.named.append(f"!llvm.dbg.cu = !{{{self._unit}}}")
        self._no_types = metadata.add("!DISubroutineType(types: !{null})")

    def finish(self) -> None:
        """Write what is complete only when everything else is written."""
        self._metadata.fill(self._globals_number, f"!{{{', '.join(self._globals)}}}")

    # ---- functions, lines -----------------------------------------------------------------------------------------

    def function(self, function: ops.Function, variables: list[Variable]) -> Scope:
        """The scope of a function with these variables."""
        scope = self.scope(function.name, function.symbol, function.span)
        self._add_blocks(scope, variables)
        return scope

    def scope(self, name: str, symbol: str, span: Span | None) -> Scope:
        """The scope of code that begins at a place."""
        line = span.line if span is not None else 0
        file = self._file(span.file) if span is not None else "null"
        node = self._metadata.add_distinct(
            f"distinct !DISubprogram(name: {_text(name)}, linkageName: {_text(symbol)}, "
            f"scope: {file}, file: {file}, line: {line}, type: {self._no_types}, scopeLine: {line}, "
            f"spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: {self._unit})"
        )
        return Scope(node, span.file if span is not None else None)

    def _add_blocks(self, scope: Scope, variables: list[Variable]) -> None:
        """A block for each declaration of a name that is declared more than once."""
        places: dict[str, set[Span]] = {}
        for variable in variables:
            span = variable.reg.span
            if span is not None and span.file is scope.file:
                places.setdefault(variable.reg.name, set()).add(span)
        ranges = {visible_lines(span) for spans in places.values() if len(spans) > 1 for span in spans}
        for first, last in sorted(ranges, key=lambda lines: (lines[0], -lines[1])):
            around = self._block_at(scope, first, last)
            node = self._metadata.add_distinct(
                f"distinct !DILexicalBlock(scope: {around}, file: {self._file(scope.file)}, line: {first})"
            )
            scope.blocks.append((node, first, last))

    @staticmethod
    def _block_at(scope: Scope, first: int, last: int) -> str:
        """The innermost block around some lines."""
        for node, start, end in reversed(scope.blocks):
            if start <= first and last <= end:
                return node
        return scope.node

    def location(self, span: Span | None, scope: Scope) -> str:
        """The suffix of an instruction at a place; what has no place belongs to line 0 of its function."""
        return f", !dbg {self._place(span, scope)}"

    def _place(self, span: Span | None, scope: Scope) -> str:
        line, column = span.file.position(span.start) if span is not None else (0, 0)
        return self._metadata.add(
            f"!DILocation(line: {line}, column: {column}, scope: {self._scope_of(span, line, scope)})"
        )

    def _scope_of(self, span: Span | None, line: int, scope: Scope) -> str:
        if span is None or span.file is scope.file:
            return self._block_at(scope, line, line) if scope.blocks else scope.node
        found = scope.foreign.get(span.file)
        if found is None:
            found = scope.foreign[span.file] = self._metadata.add(
                f"!DILexicalBlockFile(scope: {scope.node}, file: {self._file(span.file)}, discriminator: 0)"
            )
        return found

    # ---- variables ------------------------------------------------------------------------------------------------

    def declare(self, variable: Variable, slot: str, scope: Scope) -> str:
        """The record that says that a variable lives at an address. A captured variable is shown as what its cell
        holds."""
        reg = variable.reg
        span = reg.span
        line = span.line if span is not None else 0
        cell = isinstance(reg.type, CellType)
        where = f"DW_OP_deref, DW_OP_plus_uconst, {layout.STRUCT_FIELDS}" if cell else ""
        type_ = reg.type.content if isinstance(reg.type, CellType) else reg.type
        argument = f"arg: {variable.argument}, " if variable.argument else ""
        around = scope.node if variable.argument else self._scope_of(span, line, scope)
        node = self._metadata.add(
            f"!DILocalVariable(name: {_text(reg.name)}, {argument}scope: {around}, file: {self._file_of(span, scope)}, "
            f"line: {line}, type: {self._types.of(type_)})"
        )
        return f"#dbg_declare(ptr {slot}, {node}, !DIExpression({where}), {self._variable_place(line, around)})"

    def _variable_place(self, line: int, around: str) -> str:
        return self._metadata.add(f"!DILocation(line: {line}, scope: {around})")

    def global_variable(self, variable: ops.GlobalVar) -> str:
        """The suffix of the definition of a module variable. Its name is qualified where several modules have it."""
        name = variable.name
        if name in self._ambiguous:
            name = f"{variable.module}.{name}"
        span = variable.span
        place = f"file: {self._file(span.file)}, line: {span.line}, " if span is not None else ""
        node = self._metadata.add_distinct(
            f"distinct !DIGlobalVariable(name: {_text(name)}, "
            f"scope: {self._unit}, {place}type: {self._types.of(variable.type)}, isLocal: true, isDefinition: true)"
        )
        found = self._metadata.add(f"!DIGlobalVariableExpression(var: {node}, expr: !DIExpression())")
        self._globals.append(found)
        return f", !dbg {found}"

    # ---- files ----------------------------------------------------------------------------------------------------

    def _file_of(self, span: Span | None, scope: Scope) -> str:
        return self._file(span.file if span is not None else scope.file)

    def _file(self, source: SourceFile | None) -> str:
        if source is None:
            return "null"
        path = os.path.abspath(source.path or source.name)
        found = self._files.get(path)
        if found is None:
            folder, name = os.path.split(path)
            found = self._files[path] = self._metadata.add(
                f"!DIFile(filename: {_text(name)}, directory: {_text(folder)})"
            )
        return found


def source_variables(function: ops.Function, order: list[ops.Block], level: int) -> list[Variable]:
    """The registers that stand for names of the source, parameters first.

    One declaration may have several registers: a parameter that the body assigns or that is captured is copied first,
    then the copy is shown; above level 0 loops have copies of their own, which LLVM follows.
    """
    found: dict[tuple[str, Span | None], list[ops.Reg]] = {}
    numbers: dict[tuple[str, Span | None], int] = {}
    for number, reg in enumerate(function.params, 1):
        numbers[reg.name, reg.span] = number
        found[reg.name, reg.span] = [reg]
    for block in order:
        for op in block.ops:
            for reg in op.writes():
                known = found.setdefault((reg.name, reg.span), []) if reg.name[:1].isupper() else None
                if known is not None and reg not in known:
                    known.append(reg)
    shown: list[Variable] = []
    for key, regs in found.items():
        if not key[0][:1].isupper():
            continue
        number = numbers.get(key, 0)
        copies = regs[1:] if number and len(regs) > 1 else regs
        same = [reg for reg in copies if reg.type == copies[0].type]
        shown += [Variable(reg, number) for reg in (same[:1] if level == 0 else same)]
    return shown


def _text(text: str) -> str:
    return quoted(text.encode("utf-8", "surrogateescape"))  # names of files need not be UTF-8
