"""What one module of IR shares: declarations, metadata, constants, finished functions.

Everything is deduplicated and kept in order of first use, so equal programs give equal text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from nxdc.codegen import layout, runtime_abi
from nxdc.mir import ops
from nxdc.mir.types import TypeTable
from nxdc.problem import CompilerBug
from nxdc.source.span import Span
from nxdc.types.model import Type

if TYPE_CHECKING:
    from nxdc.codegen.constants import Constants
    from nxdc.codegen.debuginfo import DebugInfo

_PLAIN_SYMBOL = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*\Z")

# Metadata numbers used by `writer`.
_FIXED_METADATA = (
    '!0 = !{!"branch_weights", i32 2000, i32 1}',
    '!1 = !{!"branch_weights", i32 1, i32 2000}',
    '!2 = !{!"alias classes"}',
)


class Metadata:
    """Numbered metadata nodes."""

    def __init__(self) -> None:
        self.lines: list[str] = list(_FIXED_METADATA)
        self.named: list[str] = []
        self._known: dict[str, str] = {}

    def add(self, text: str) -> str:
        """A new or known node with this text; its name."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self.add_distinct(text)
        return found

    def add_distinct(self, text: str) -> str:
        """A new node."""
        name = f"!{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def reserve(self) -> tuple[str, int]:
        """A node whose text comes later (`fill`): for nodes that point at each other."""
        name = f"!{len(self.lines)}"
        self.lines.append("")
        return name, len(self.lines) - 1

    def fill(self, index: int, text: str) -> None:
        """The text of a reserved node."""
        self.lines[index] = f"!{index} = {text}"


class _Aliases(dict[str, str]):
    """Alias class -> `!tbaa` suffix of a load or store."""

    def __init__(self, metadata: Metadata) -> None:
        super().__init__()
        self._metadata = metadata

    def __missing__(self, name: str) -> str:
        kind = self._metadata.add(f'!{{!"{name}", !2, i64 0}}')
        tag = self._metadata.add(f"!{{{kind}, {kind}, i64 0}}")
        suffix = self[name] = f", !tbaa {tag}"
        return suffix


class Module:
    """One module of IR being written."""

    constants: Constants
    debuginfo: DebugInfo | None

    def __init__(self, program: ops.Program, *, sanitize: bool, specialise: bool = False) -> None:
        assert isinstance(program.types, TypeTable)
        self.program = program
        self.types: TypeTable = program.types
        self.sanitize = sanitize
        self.specialise = specialise and not sanitize  # types get release functions of their own
        self.metadata = Metadata()
        self.aliases = _Aliases(self.metadata)
        self.definitions: list[str] = []  # global variables and constants
        self.functions: list[str] = []
        self.helpers: set[str] = set()  # internal helper functions already written (counting, thunks)
        self.kept_apart: set[ops.Function] = set()  # functions LLVM must not inline
        self.debuginfo = None
        self._declared: dict[str, str] = {}
        self._symbols: dict[ops.Function, str] = {}
        self._globals: dict[ops.GlobalVar, str] = {}
        self._any_cyclic: bool | None = None

    def symbol(self, function: ops.Function) -> str:
        """The IR name of a compiled function."""
        found = self._symbols.get(function)
        if found is None:
            found = self._symbols[function] = symbol_name(function.symbol)
        return found

    def declare(self, symbol: str, result: str, parameters: str) -> str:
        """The name of a C function, declared at first use with what `runtime_abi` knows about it."""
        if symbol not in self._declared:
            self._declared[symbol] = runtime_abi.declaration(symbol, result, parameters)
        return f"@{symbol}"

    def intrinsic(self, name: str, declaration: str) -> str:
        """The name of an LLVM intrinsic."""
        self._declared.setdefault(name, declaration)
        return f"@{name}"

    def global_slot(self, variable: ops.GlobalVar) -> str:
        """The address of a module variable's word."""
        found = self._globals.get(variable)
        if found is None:
            name = f"{variable.module}.{variable.name}" if variable.module else variable.name
            found = symbol_name(f"{name}.var")
            if found in self._globals.values():
                found = symbol_name(f"{name}.var{len(self._globals)}")
            self._globals[variable] = found
            debug = self.debuginfo
            shown = debug.global_variable(variable) if debug is not None else ""
            self.definitions.append(f"{found} = internal global i64 0, align 8{shown}")
        return found

    def object_facts(self, type_: Type) -> str:
        """Metadata of a load that gives a counted pointer: the object is there, so LLVM may read it early (a list's
        data pointer before the loop that indexes it)."""
        size = layout.least_object_size(type_)
        length, alignment = self.metadata.add(f"!{{i64 {size}}}"), self.metadata.add("!{i64 8}")
        return f", !align {alignment}, !dereferenceable {length}"

    def has_cyclic_types(self) -> bool:
        """Whether an `any` may hold an object the cycle collector must see when it is dropped."""
        if self._any_cyclic is None:
            self._any_cyclic = any(descriptor.cyclic for descriptor in self.types.ordered)
        return self._any_cyclic

    def compiled(self) -> list[tuple[str, ops.Function]]:
        """The compiled functions with their IR names."""
        return [(symbol, function) for function, symbol in self._symbols.items()]

    def declarations(self) -> list[tuple[str, str]]:
        """What is declared of the runtime and of LLVM: name and text."""
        return list(self._declared.items())

    def text(self, header: str) -> str:
        """The whole module."""
        return self.assemble(header, [*self.definitions, *self._declared.values(), *self.functions])

    def assemble(self, header: str, parts: list[str]) -> str:
        """A module of some of the parts, with all metadata."""
        return "\n".join([header, *parts, *self.metadata.named, *self.metadata.lines]) + "\n"


def symbol_name(name: str) -> str:
    """A global name of the IR; quoted where it has unusual characters."""
    if _PLAIN_SYMBOL.match(name):
        return f"@{name}"
    return "@" + quoted(name.encode("utf-8"))


def quoted(data: bytes) -> str:
    """Bytes as a quoted string of the IR."""
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02x}" for b in data) + '"'


def bug(message: str, span: Span | None = None) -> NoReturn:
    """Stop: the MIR is wrong."""
    raise CompilerBug("codegen", message, f"{span.file.name}:{span.line}" if span is not None else "")
