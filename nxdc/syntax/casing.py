"""Names that only the size of their letters tells apart: `n` and `N` in one function. The capital form of the one is
the other, so that writing it in capitals may make one variable of two: the fix is a guess then, and says why."""

from __future__ import annotations

from collections.abc import Iterable

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Diagnostic, Label
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import ast
from nxdc.syntax.walk import children, descend

_BINDERS = (
    ast.Param, ast.Let, ast.LoopFrom, ast.LoopIn, ast.Catch, ast.TryExpr, ast.MoveTo, ast.CloneTo, ast.SelectRecv,
    ast.NamePat, ast.RestPat,
)  # fmt: skip
_SCOPES = (
    ast.FuncDecl, ast.Lambda, ast.Block, ast.LoopFrom, ast.LoopIn, ast.Catch, ast.TryExpr, ast.SelectRecv, ast.Case,
)  # fmt: skip


class _Binding(Record):
    """A name that is bound, and the part of the file where it is known."""

    text: str
    place: Span
    scope: Span


class _Clash(Record):
    """Two names that would become one."""

    one: _Binding
    other: _Binding


def tell_merged_names(unit: ast.SourceUnit, file: SourceFile, sink: Sink) -> None:
    """Take the certainty out of the fixes that would make one name of two."""
    if not any(d.code is codes.P1011 and d.primary.span.file is file for d in sink.found()):
        return
    clashes = [clash for module in unit.modules for clash in _clashes(module)]
    if clashes:
        sink.amend(lambda diagnostic: _amended(diagnostic, clashes))


def _amended(diagnostic: Diagnostic, clashes: list[_Clash]) -> Diagnostic:
    if diagnostic.code is not codes.P1011:
        return diagnostic
    place = diagnostic.primary.span
    for clash in clashes:
        one, other = (clash.one, clash.other) if clash.one.text == place.text else (clash.other, clash.one)
        scope = clash.one.scope if _encloses(clash.one.scope, clash.other.scope) else clash.other.scope
        if one.text == place.text and scope.start <= place.start < scope.end:
            fixes = tuple(fix.replace(grade=LIKELY) for fix in diagnostic.fixes)
            labels = (*diagnostic.secondary, Label(other.place, f"`{other.text}` is declared here"))
            notes = (*diagnostic.notes, f"`{place.text}` and `{other.text}` would become one name")
            return diagnostic.replace(fixes=fixes, secondary=labels, notes=notes)
    return diagnostic


def _clashes(module: ast.Module) -> list[_Clash]:
    found = _differing(list(_bindings(module)), module)
    functions = [item for item in module.items if isinstance(item, ast.FuncDecl)]
    found += _differing([_Binding(f.name.span.text, f.name.span, module.span) for f in functions], module)
    for item in module.items:
        if isinstance(item, ast.TypeDecl):
            fields = (node.name for node in descend(item) if isinstance(node, (ast.FieldDecl, ast.Variant)))
            found += _differing([_Binding(name.span.text, name.span, module.span) for name in fields], module)
    return found


def _differing(bindings: list[_Binding], module: ast.Module) -> list[_Clash]:
    """The pairs that differ in the size of letters only, where one is used in the scope of the other."""
    by_name: dict[str, list[_Binding]] = {}
    for binding in bindings:
        by_name.setdefault(binding.text.upper(), []).append(binding)
    mixed = {name: group for name, group in by_name.items() if len({binding.text for binding in group}) > 1}
    if not mixed:
        return []
    used: dict[str, list[int]] = {}
    for node in descend(module):
        if isinstance(node, ast.NameRef) and node.span.text.upper() in mixed:
            used.setdefault(node.span.text, []).append(node.span.start)
    return [
        _Clash(outer, inner)
        for group in mixed.values()
        for outer in group
        for inner in group
        if outer.text != inner.text and _meet(outer, inner, used)
    ]


def _meet(outer: _Binding, inner: _Binding, used: dict[str, list[int]]) -> bool:
    """Whether both names are known in one place; a local `n` hides nothing as long as the outer `N` is not used."""
    scope = inner.scope
    if scope.start == outer.scope.start and scope.end == outer.scope.end:
        return True
    uses = used.get(outer.text, [])
    return _encloses(outer.scope, scope) and any(scope.start <= at < scope.end for at in uses)


def _encloses(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _bindings(module: ast.Module) -> Iterable[_Binding]:
    """The variables of a module, with those in its functions."""
    stack: list[tuple[ast.Node, Span]] = [(item, module.span) for item in module.items]
    while stack:
        node, scope = stack.pop()
        scope = node.span if isinstance(node, _SCOPES) else scope
        for name in _names(node):
            yield _Binding(name.span.text, name.span, scope)
        stack.extend((child, scope) for child in children(node))


def _names(node: ast.Node) -> tuple[ast.Name, ...]:
    if isinstance(node, ast.LoopIn):
        return node.names
    name = getattr(node, "name", None) or getattr(node, "var", None) if isinstance(node, _BINDERS) else None
    return (name,) if isinstance(name, ast.Name) else ()
