"""Literals that take the type of their place after they have been checked.

`F([1, 2])` checks the list before it is known which `F` is meant: what is made of nothing but fresh literals may
still become another type, element by element (int literals as floats, anything as any), because nobody else has seen
the value. A literal whose type is written (`LIST<int> [1]`) has that type and no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol
from nxdc.core import tree as core
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import Type
from nxdc.types.unify import prune

if TYPE_CHECKING:
    from nxdc.check.function import Fn


class WrittenList(core.MakeList):
    """A list literal with its type written. Only while a function is checked."""


class WrittenMap(core.MakeMap):
    """A map literal with its type written. Only while a function is checked."""


Part = tuple[core.Expr, Type]


def parts_for(expr: core.Expr, want: Type) -> list[Part] | None:
    """The parts of a fresh literal, each with the type it must have for the whole to be a `want`; None where the
    value is no such literal or of another kind."""
    kind, want = type(expr), prune(want)
    if kind is core.MakeList and isinstance(want, model.ListType):
        return [(element, want.element) for element in expr.elements]  # type: ignore[attr-defined]
    if kind is core.MakeMap and isinstance(want, model.MapType):
        wanted = (want.key, want.value)
        return [part for entry in expr.entries for part in zip(entry, wanted, strict=True)]  # type: ignore[attr-defined]
    if isinstance(expr, core.MakeUnion) and isinstance(want, model.UnionType):
        have = prune(expr.type)
        if isinstance(have, model.UnionType) and have.decl is want.decl and have.args:
            return list(zip(expr.payload, model.payload_types(want, expr.variant), strict=True))
    if isinstance(expr, core.MakeStruct) and isinstance(want, model.RecordType):
        return _record_parts(expr, want)
    return None


def _record_parts(expr: core.MakeStruct, want: model.RecordType) -> list[Part] | None:
    have = prune(expr.type)
    if not isinstance(have, model.RecordType) or {n for n, _ in have.fields} != {n for n, _ in want.fields}:
        return None
    types = dict(want.fields)
    return [(value, types[have.fields[slot][0]]) for slot, value in zip(expr.slots, expr.fields, strict=True)]


def remade(expr: core.Expr, want: Type, parts: list[core.Expr]) -> core.Expr:
    """The literal as a `want`, of its converted parts (in the order of `parts_for`)."""
    want = prune(want)
    if isinstance(expr, core.MakeList):
        return core.MakeList(want, expr.span, parts)
    if isinstance(expr, core.MakeMap):
        return core.MakeMap(want, expr.span, list(zip(parts[::2], parts[1::2], strict=True)))
    if isinstance(expr, core.MakeUnion):
        return core.MakeUnion(want, expr.span, expr.variant, parts)
    assert isinstance(expr, core.MakeStruct) and isinstance(want, model.RecordType)
    have = prune(expr.type)
    assert isinstance(have, model.RecordType)
    order = [name for name, _ in want.fields]
    return core.MakeStruct(want, expr.span, [order.index(have.fields[slot][0]) for slot in expr.slots], parts)


def adapt(f: Fn, expr: core.Expr, want: Type) -> core.Expr | None:
    """A fresh literal as a `want`; None when it is none or a part does not convert."""
    from nxdc.check.coerce import coerce
    from nxdc.check.expressions.overloads import conversion_cost

    parts = parts_for(expr, want)
    if parts is None:
        return None
    mark = f.unifier.begin()
    fits = all(conversion_cost(f, part, type_) is not None for part, type_ in parts)
    f.unifier.rollback(mark)
    if not fits:
        return None
    made = [coerce(f, part, type_) for part, type_ in parts]
    return remade(expr, want, [part for part in made if part is not None])


# ---- literals that wait for the others
# ------------------------------------------------------------------------------------


def is_int_literal(node: ast.Node | None) -> bool:
    """Whether an argument is made of int literals alone: what is beside it decides whether they are ints or floats."""
    if isinstance(node, ast.IntLit):
        return True
    if isinstance(node, ast.Unary):
        return node.op == "SUB" and isinstance(node.operand, ast.IntLit)
    if not isinstance(node, ast.ListLit) or node.type is not None:
        return False
    return bool(node.items) and all(map(is_int_literal, node.items))


def is_container_literal(node: ast.Node | None) -> bool:
    """Whether an argument is a list, map or record literal whose type is not written."""
    if isinstance(node, ast.ListLit):
        return node.type is None
    return isinstance(node, ast.BraceLit) or (isinstance(node, ast.MapLit) and not node.type.args)


def may_adapt(expr: core.Expr) -> bool:
    """Whether a checked literal has ints in it that may become floats."""
    if isinstance(expr, core.IntLit):
        return True
    if type(expr) is core.MakeList:
        return any(map(may_adapt, expr.elements))
    if type(expr) is core.MakeMap:
        return any(may_adapt(part) for entry in expr.entries for part in entry)
    if isinstance(expr, core.MakeUnion):
        return any(map(may_adapt, expr.payload))
    return isinstance(expr, core.MakeStruct) and any(map(may_adapt, expr.fields))


def literals_last(literal: list[bool]) -> list[int]:
    """The positions of several places in the order in which they are checked: int literals after the others."""
    return sorted(range(len(literal)), key=literal.__getitem__)


def names_function(f: Fn, node: ast.Node | None) -> bool:
    """Whether an argument is a function's name: which one is meant may be decided by the other arguments."""
    if not isinstance(node, ast.NameRef) or f.lookup(node.name) is not None:
        return False
    return any(isinstance(s, (FuncSymbol, PreludeSymbol)) for group in f.scope.tiers(node.name) for s in group)
