"""What names stand for: the symbols of modules, and the tables in which a module looks names up.

A module sees its own declarations, then the names that it imports by name, then what whole modules show, then the
prelude; `ModuleScope.tiers` gives the meanings of a name in that order, for overload resolution to choose from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from nxdc.core import tree as core
from nxdc.modules.model import ModuleInfo
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.tables.model import Prelude
from nxdc.types.model import NominalDecl, Type

if TYPE_CHECKING:
    from nxdc.check.instances import Instance
    from nxdc.types.signature import Signature


class FuncSymbol:
    """A function of the program, or an NXD row of the prelude. Types are None where the text has none."""

    __slots__ = (
        "bounds", "generic", "instances", "is_read", "is_template", "module", "name", "node", "params", "result", "row",
        "scope", "type_params",
    )  # fmt: skip

    def __init__(self, name: str, scope: ModuleScope, node: ast.FuncDecl) -> None:
        self.name = name
        self.scope = scope
        self.module = scope.name
        self.node = node
        self.type_params: tuple[str, ...] = ()
        self.bounds: dict[str, tuple[NominalDecl, ...]] = {}
        self.params: list[Type | None] = []
        self.result: Type | None = None
        self.is_template = False  # some parameter has no type
        self.generic = False  # has type parameters
        self.row: Prelude | None = None
        self.is_read = False  # its written types have been read
        self.instances: dict[tuple[Type, ...], Instance] = {}

    @property
    def span(self) -> Span:
        """Where the function's name stands."""
        return self.node.name.span


class PreludeSymbol:
    """A prelude row with a C function or an inline emitter."""

    __slots__ = ("name", "row", "signature")

    def __init__(self, row: Prelude, signature: Signature) -> None:
        self.name = row.name
        self.row = row
        self.signature = signature


class VariantSymbol:
    """A union variant or an enum member, as a name of its own."""

    __slots__ = ("decl", "index", "is_enum", "name", "span")

    def __init__(self, name: str, decl: NominalDecl, index: int, span: Span | None) -> None:
        self.name = name
        self.decl = decl
        self.index = index
        self.is_enum = decl.kind == "enum"
        self.span = span


class TypeSymbol:
    """A declared type or trait. `decl` for nominal ones; `target` for aliases, resolved when first needed."""

    __slots__ = ("decl", "name", "node", "params", "resolving", "scope", "span", "target")

    def __init__(self, name: str, scope: ModuleScope | None, node: ast.TypeDecl | ast.TraitDecl | None) -> None:
        self.name = name
        self.scope = scope
        self.node = node
        self.span: Span | None = node.name.span if node is not None else None
        self.decl: NominalDecl | None = None
        self.params: tuple[str, ...] = ()
        self.target: Type | None = None
        self.resolving = False


class VarSymbol:
    """A module variable or constant."""

    __slots__ = ("is_const", "module", "name", "node", "owner", "previous", "scope", "state", "value", "variable")

    def __init__(self, name: str, scope: ModuleScope, node: ast.Let, variable: core.Global) -> None:
        self.name = name
        self.scope = scope
        self.module = scope.name
        self.node = node
        self.variable = variable
        self.is_const = node.is_const
        self.state = "new"  # "new", "checking", "done"
        self.value: core.Expr | None = None  # the initialiser
        self.owner: Any = None  # the Fn that checked the initialiser
        self.previous: VarSymbol | None = None  # an earlier LET of the same name


Symbol = Union[FuncSymbol, PreludeSymbol, VariantSymbol, TypeSymbol, VarSymbol]


class ModuleScope:
    """The names of one module: its own, and through its imports those of others."""

    def __init__(self, info: ModuleInfo | None, name: str) -> None:
        self.info = info
        self.name = name
        self.own: dict[str, list[Symbol]] = {}
        self.own_types: dict[str, TypeSymbol] = {}
        self.hidden: set[str] = set()  # own names other modules may not see
        self.private: set[ast.Node] = set()  # own functions of a name that has others which may be seen
        self.imports: list[tuple[ModuleScope, str | None, frozenset[str]]] = []  # scope, alias, selected names
        self.prelude: PreludeScope | None = None
        self.variables: dict[ast.Let, VarSymbol] = {}
        self._tiers: dict[str, list[list[Symbol]]] = {}
        self._types: dict[str, list[TypeSymbol]] = {}

    def add(self, symbol: Symbol) -> None:
        """Declares a symbol of this module."""
        self.own.setdefault(symbol.name, []).append(symbol)
        if isinstance(symbol, TypeSymbol):
            self.own_types.setdefault(symbol.name, symbol)

    def sees(self, name: str) -> list[Symbol]:
        """What another module may see under `name`."""
        if name in self.hidden:
            return []
        found = self.own.get(name, [])
        return [s for s in found if getattr(s, "node", None) not in self.private] if self.private else found

    def tiers(self, name: str) -> list[list[Symbol]]:
        """The meanings of a bare name: own, selected imports, imported modules, prelude; without empty groups."""
        found = self._tiers.get(name)
        if found is None:
            imported = (self._imported(name, by_name=True), self._imported(name, by_name=False))
            found = [group for group in (self.own.get(name), *imported) if group]
            if self.prelude is not None:
                rows = self.prelude.symbols(name)
                if rows:
                    found.append(rows)
            self._tiers[name] = found
        return found

    def _imported(self, name: str, *, by_name: bool) -> list[Symbol]:
        """What imports give for a bare name: those that select it, or those of whole modules."""
        group: list[Symbol] = []
        for scope, alias, selected in self.imports:
            if alias is None and (name in selected if by_name else not selected):
                group += [s for s in scope.sees(name) if s not in group]
        return group

    def types(self, name: str) -> list[TypeSymbol]:
        """The declared types a bare name can mean: the own one, else the selected, else all imported ones."""
        found = self._types.get(name)
        if found is None:
            own = self.own_types.get(name)
            found = [own] if own is not None else []
            for by_name in (True, False):
                found = found or [s for s in self._imported(name, by_name=by_name) if isinstance(s, TypeSymbol)]
            self._types[name] = found
        return found

    def module(self, path: str) -> ModuleScope | None:
        """The imported (or own) module that `path`, a dotted path or an alias, stands for here."""
        for scope, alias, _ in self.imports:
            if path in (alias, scope.name):
                return scope
        return self if path == self.name else None


class PreludeScope(ModuleScope):
    """The prelude: rows become symbols when their name is first looked up."""

    def __init__(self) -> None:
        super().__init__(None, "")
        self.loader: Any = None  # declare.load_prelude_name

    def symbols(self, name: str, *, hidden: bool = False) -> list[Symbol]:
        """The prelude's meanings of a name. Rows marked hidden are for the prelude's own source."""
        if name not in self.own:
            self.own[name] = self.loader(self, name)
        return [s for s in self.own[name] if hidden or not is_hidden(s)]

    def tiers(self, name: str) -> list[list[Symbol]]:
        group = self.symbols(name, hidden=True)
        return [group] if group else []


def is_hidden(symbol: Symbol) -> bool:
    """Whether a symbol is only for the prelude's own source."""
    row = getattr(symbol, "row", None)
    return row is not None and row.hidden
