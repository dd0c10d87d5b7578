"""Type names that a declaration uses and nobody declares: told once a declaration, and as a type parameter that is
missing where the name looks like one (`FUNC FIRST(X: T): T`)."""

from __future__ import annotations

from typing import Any

from nxdc.check.declarations.symbols import ModuleScope
from nxdc.diagnostics.model import SAFE, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.syntax.walk import descend


def first_place(scope: ModuleScope, node: ast.NamedType) -> Span:
    """Where the declaration around a type names it first: one slip is told once, however often the name is used."""
    item = _declaration(scope, node.span)
    if item is None or len(node.path) > 1:
        return node.span
    same = (other for other in descend(item) if isinstance(other, ast.NamedType) and len(other.path) == 1)
    return next((other.span for other in same if other.name == node.name), node.span)


def missing_parameter(scope: ModuleScope, node: ast.NamedType) -> dict[str, Any]:
    """Help and fix for a type parameter that the declaration around it does not declare; empty for other names."""
    item = _declaration(scope, node.span)
    if not isinstance(item, (ast.FuncDecl, ast.TypeDecl)) or len(node.path) > 1 or len(node.name) > 1 or node.args:
        return {}
    name = node.name
    if any(param.bounds for param in item.type_params):  # `<C : A, R>`: R was taken for another trait, as is told there
        return {}
    if isinstance(item, ast.FuncDecl) and not _in_signature(item, name):
        return {}
    if item.type_params:
        edit = Edit(item.type_params[-1].span.at_end(), f", {name}")
    else:
        edit = Edit(item.name.span.at_end(), f"<{name}>")
    fix = Fix(f"declare `{name}` at `{item.name.text}`", (edit,), SAFE)
    return {"helps": [f"a type parameter is declared: `{item.name.text}<{name}>`"], "fixes": [fix]}


def _in_signature(item: ast.FuncDecl, name: str) -> bool:
    """Whether the parameters or the result are of a type of that name, and no value is made of it."""
    types = [param.type for param in item.params if param.type is not None]
    types += [item.result] if item.result is not None else []
    named = any(isinstance(n, ast.NamedType) and n.name == name for type_ in types for n in descend(type_))
    return named and not any(isinstance(n, ast.StructLit) and n.type.name == name for n in descend(item))


def _declaration(scope: ModuleScope, span: Span) -> ast.Node | None:
    """The declaration of the module that a place lies in; of an IMPL the method."""
    items: tuple[Any, ...] = scope.info.node.items if scope.info is not None else ()
    for item in items:
        if item.span.file is span.file and item.span.start <= span.start < item.span.end:
            return item if isinstance(item, (ast.FuncDecl, ast.TypeDecl)) else None
    return None
