"""The state of one check of one program: scopes, queues, and where diagnostics go.

Diagnostics of a function go to a sink of its own until its check is final, because a blocked function is checked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nxdc.check.declarations.symbols import FuncSymbol, ModuleScope, PreludeScope
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Code
from nxdc.diagnostics.sink import Sink
from nxdc.modules.model import ModuleInfo, Program
from nxdc.modules.unread import Unread
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import ast
from nxdc.syntax.parser import parse_file
from nxdc.tables.model import Prelude
from nxdc.types import model
from nxdc.types.unify import Unifier

if TYPE_CHECKING:
    from nxdc.check.declarations.traits import TraitMethod
    from nxdc.check.function import Fn
    from nxdc.check.instances import Instance
    from nxdc.check.startup import Startup
    from nxdc.types.model import NominalDecl, Type, TypeVar


class Checker:
    """Everything about the program that outlives the check of one function."""

    def __init__(self, program: Program, sink: Sink) -> None:
        from nxdc.check.declarations.declare import prelude_loader

        self.program = program
        self.unread = Unread(program)
        self.sink = sink
        self.final_sink = sink
        self.unifier = Unifier()
        self.scopes: dict[str, ModuleScope] = {}
        self.scope_of: dict[ModuleInfo, ModuleScope] = {}
        self.prelude: PreludeScope = prelude_loader(self)
        self.finished: list[Fn] = []  # finally checked functions, lambdas included, in order of completion
        self.blocked_startups: list[Startup] = []
        self.names_only = False  # a template nobody calls: its own calls are not followed
        self.blocked: list[Instance] = []  # functions that wait for module variables to get their types
        self.waits_for: tuple[TypeVar, Span] | None = None  # what the function that was blocked last waits for
        self.queue: list[Instance] = []  # to be checked, results known
        self.current: Instance | None = None  # being checked
        self.open_instances: list[Instance] = []  # being checked, innermost last
        self.depth = 0  # of template instances being checked inside each other
        self.final_round = False  # nothing more will be found out: undecided types are any
        self.trait_methods: dict[NominalDecl, list[TraitMethod]] = {}
        self.impl_functions: dict[str, list[FuncSymbol]] = {}  # by name: functions that traits ask for
        # Type, trait, place, module, methods of the IMPL block: what IMPLEMENTS and IMPL say and must keep.
        self.promises: list[tuple[Type, NominalDecl, Span, ModuleScope, set[str]]] = []
        self.box_decls: dict[model.BoxType, NominalDecl] = {}
        self.globals: list[core.Global] = []
        self.has_views = False  # BORROW is used
        self.canonical_types: dict[int, tuple[Type, Type]] = {}  # of finalize
        self.record_types: dict[model.RecordType, model.RecordType] = {}
        self.never_return: frozenset[FuncSymbol] | None = None  # of flow.leaving, found when it is first asked
        self.unkept: set[tuple[object, object]] = set()  # types and traits whose functions are reported as missing
        self.builtin_traits: dict[Type, list[NominalDecl]] = {}  # IMPL blocks for types without a declaration

    def report(self, code: Code, wording: str, span: Span, label: str = "", **kwargs: Any) -> None:
        """Reports to the current sink; see `Sink.report`."""
        self.sink.report(code, wording, span, label, **kwargs)

    def report_repeated(self, wording: str, name: ast.Name, first: Span | None) -> None:
        """Reports a declaration of what `first` declares already (S3015)."""
        also = [(first, "first declared here")] if first is not None else []
        self.report(codes.S3015, wording, name.span, name=name.text, also=also)

    def record(self, fields: tuple[tuple[str, Type], ...]) -> model.RecordType:
        """The record type of some fields: always the same object, whose order is that in which they were first
        written.
        """
        type_ = model.RecordType(fields)
        return self.record_types.setdefault(type_, type_)

    def may_be_broken(self, scope: ModuleScope, name: str) -> bool:
        """Whether the declaration of `name` may be one that could not be read: then its absence is no news."""
        infos = [scope.info, *(module.info for module, _, _ in scope.imports)]
        return any(info is not None and info.has_errors and _may_declare(info, name) for info in infos)

    def may_be_imported(self, scope: ModuleScope) -> bool:
        """Whether a whole module that the scope imports was not found: any name may be one of its names."""
        return any(not node.names and node.alias is None for node in _lost_imports(scope.info))

    def parse_prelude(self, row: Prelude) -> ast.FuncDecl:
        """The syntax tree of an NXD row."""
        assert row.nxd is not None
        sink = Sink()
        unit = parse_file(SourceFile(f"prelude/{row.name}.nxd", row.nxd, path=""), sink)
        item = unit.modules[0].items[0]
        if sink.has_errors or not isinstance(item, ast.FuncDecl):
            raise ValueError(f"the prelude's source of {row.name} has mistakes: {sink.diagnostics()}")
        return item

    def declared_types(self) -> list[NominalDecl]:
        """The structs, enums and unions of the program, in its order."""
        symbols = [symbol for scope in self.scopes.values() for symbol in scope.own_types.values()]
        return [s.decl for s in symbols if s.decl is not None and s.decl.kind != "trait"]


def _may_declare(info: ModuleInfo, name: str) -> bool:
    """Whether something in the module that could not be read names `name`."""
    for node in _lost_imports(info):
        if any(part.text == name for part in (node.alias or node.path[0], *node.names)):
            return True
    return any(isinstance(i, (ast.ErrorStmt, ast.ErrorDecl)) and name in i.span.text.upper() for i in info.node.items)


def _lost_imports(info: ModuleInfo | None) -> list[ast.Import]:
    """The imports of modules that were not found (S3014)."""
    if info is None or not info.has_errors:
        return []
    found = {id(entry.node) for entry in info.imports}
    return [item for item in info.node.items if isinstance(item, ast.Import) and id(item) not in found]
