"""Prefix operators that are words, and `AS`."""

from __future__ import annotations

from nxdc.check.coerce import coerce, unwrap_nullable
from nxdc.check.declarations.typeexprs import resolve_type
from nxdc.check.expressions.exprs import check, error_expr, handles, is_error
from nxdc.check.expressions.operators import invert, negate
from nxdc.check.flow.narrowing import local_of
from nxdc.check.function import Fn
from nxdc.check.statements.concurrency import await_, ping, recv
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, FLOAT, INT, NONE, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import prune


@handles(ast.Unary)
def _unary(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    return _PREFIX[node.op](f, node, expected)


def _move(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    return moved(f, node.operand, expected, node.span)


def moved(f: Fn, operand: ast.Expr, expected: Type | None, span: Span) -> core.Expr:
    """`MOVE X`: X ends here. Of what is no variable, the value itself."""
    value = check(f, operand, expected)
    local = local_of(value)
    if local is not None:
        ref = value.value if isinstance(value, core.Convert) else value
        assert isinstance(ref, core.LocalRef)
        ref.moves = True
        if not f.snapshot and any(inner is local for _, inner in f.captures):
            f.error(codes.S3009, "captured", operand.span, name=local.name, also=[(local.span, "declared here")],
                    helps=[f"`CLONE {local.name}` makes a copy of it"])  # fmt: skip
        return value
    if isinstance(value, (core.GlobalRef, core.GetField, core.GetIndex, core.AnyField)):
        f.error(codes.S3009, "not_movable", operand.span, helps=["`CLONE` makes a copy of it"])
    return value


def _clone(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    value = check(f, node.operand, expected)
    return core.CloneExpr(value.type, node.span, value)


def _borrow(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    value = check(f, node.operand, expected)
    f.checker.has_views = True
    return core.Convert(value.type, node.span, "view", value)


_PREFIX = {
    "SUB": negate, "NOT": invert, "MOVE": _move, "CLONE": _clone, "BORROW": _borrow, "AWAIT": await_, "RECV": recv,
    "PING": ping,
}  # fmt: skip


@handles(ast.Cast)
def _cast(f: Fn, node: ast.Cast, expected: Type | None) -> core.Expr:
    """`X AS type`."""
    want = prune(resolve_type(f.checker, f.scope, f.env, node.type))
    value = check(f, node.expr, want if isinstance(want, model.UnionType) else None)
    if isinstance(want, model.ErrorType) or is_error(value):
        return error_expr(node.span)
    have = prune(value.type)
    if isinstance(have, TypeVar):
        if f.block(have, node.expr.span):
            return error_expr(node.span)
        have = prune(value.type)
    if have is ANY and want in (INT, FLOAT, STRING) and not isinstance(value, core.NoneLit):
        return core.Convert(want, node.span, "cast", value)
    if isinstance(value, core.NoneLit) or have is want or want is ANY or have is ANY or have == want:
        converted = coerce(f, value, want)
        if converted is not None:
            return converted
    if have is not NONE:
        value = unwrap_nullable(value)
        have = prune(value.type)
    if have == want:
        return value
    kind = _cast_kind(have, want)
    if kind is not None:
        return core.Convert(want, node.span, kind, value)
    _report(f, have, want, node.span)
    return error_expr(node.span)


def _cast_kind(have: Type, want: Type) -> str | None:
    if have is INT and want is FLOAT:
        return "int_to_float"
    if have is FLOAT and want is INT:
        return "cast"
    if want is STRING and (have in (INT, FLOAT, BOOL) or isinstance(have, model.EnumType)):
        return "cast"
    if have is STRING and want in (INT, FLOAT):
        return "cast"
    return None


def _report(f: Fn, have: Type, want: Type, span: Span) -> None:
    helps = []
    if want is STRING:
        helps.append("`TO_STRING(X)` gives any value as text")
    elif (have, want) == (BOOL, INT):
        helps.append("write what the number should be: `IF X THEN 1 ELSE 0`")
    elif want is BOOL and have in (INT, FLOAT, STRING):
        helps.append('compare it: `X EQ "true"`' if have is STRING else "compare it: `X NEQ 0`")
    elif isinstance(want, model.UnionType) and want.decl is model.OPTION_DECL and want.args[0] in (have, ANY):
        helps.append("write `SOME(X)`")
    elif isinstance(have, model.UnionType) and have.decl in (model.OPTION_DECL, model.RESULT_DECL):
        helps.append("take the value out with `UNWRAP(...)` or a `MATCH`")
    f.error(codes.S3004, "cast", span, got=show(have), want=show(want), helps=helps)
