"""What the layer gives to the checker: the program as modules with their import tables, in start-up order.

Nothing here is resolved by type: an `ImportEntry` says which module is visible under which name, and `exported` of the
imported module says which of its names may be seen. Overloads are the checker's.
"""

from __future__ import annotations

from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import ast


class DeclEntry(Record):
    """One thing a module declares at its own level."""

    name: ast.Name
    kind: str  # "func", "type", "trait", "var", "variant" (variant or enum member of a type of the module)
    node: ast.FuncDecl | ast.TypeDecl | ast.TraitDecl | ast.Let | ast.Variant | ast.Name
    exported: bool  # may other modules see it
    owner: ast.TypeDecl | None = None  # for kind "variant": the enum or union


class ImportEntry(Record):
    """One IMPORT of a module, resolved. Broken ones are reported and left out."""

    module: ModuleInfo
    node: ast.Import
    alias: str | None  # `AS U`: names only through `U.`
    names: tuple[ast.Name, ...]  # selective import: only these, unqualified and through the module's path; empty: all


class ModuleInfo:
    """A module of the program."""

    __slots__ = ("declarations", "file", "has_errors", "imports", "index", "init", "name", "node", "on_path", "startup")

    def __init__(self, name: str, node: ast.Module, file: SourceFile) -> None:
        self.name = name  # "core.types"
        self.node = node
        self.file = file
        self.index = 0  # position in Program.modules
        self.on_path = True  # reached from the entry module through imports (else not initialised)
        self.has_errors = node.has_errors  # something in it could not be read: names may be missing
        self.imports: list[ImportEntry] = []
        self.declarations: dict[str, list[DeclEntry]] = {}  # by name; functions may have several
        self.startup: list[ast.Stmt] = []  # module-level LET, CONST and statements, in order of the text
        self.init: ast.InitBlock | None = None

    def __repr__(self) -> str:
        return f"ModuleInfo({self.name!r})"

    def visible(self, name: str) -> list[DeclEntry]:
        """What another module may see under this name."""
        return [d for d in self.declarations.get(name, ()) if d.exported]


class EntryCandidate(Record):
    """A MAIN function the program could start with."""

    module: ModuleInfo
    func: ast.FuncDecl


class Program(Record):
    """The whole program. `modules` is in start-up order: what a module imports comes before it."""

    modules: tuple[ModuleInfo, ...]
    by_name: dict[str, ModuleInfo]
    entry_module: ModuleInfo | None  # whose MAIN, or whose top-level statements, are the program; None: those of all
    entry: EntryCandidate | None  # None: the top-level statements are the program
    candidates: tuple[EntryCandidate, ...]  # every MAIN found, for messages
    sources: tuple[SourceFile, ...]  # every file read, in the order of the command line, then as found
    roots: tuple[str, ...]  # folders searched for imported modules
    entry_span: Span | None = None
