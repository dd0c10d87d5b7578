"""Implicit conversions: making an expression one of the type its place wants.

`coerce` covers LANGUAGE.md 3: int literal to float (also inside fresh literals, see `literals`), anything to any, any
to anything with a check, T to nullable T and back with a check, NONE to OPTION, payloads of OPTION and RESULT,
CHANNEL<T> and CHANNEL<any>, struct to record type, functions by wrapping. What depends on a variable that is still
undecided becomes a `Pending` node, which `finalize` replaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.check.literals import adapt
from nxdc.core import tree as core
from nxdc.core.tree import Expr
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import ANY, ERROR, FLOAT, INT, Type, TypeVar
from nxdc.types.unify import nullable_of, prune

if TYPE_CHECKING:
    from nxdc.check.function import Fn


class Pending(core.Expr):
    """`value` as `type`, to be decided when all variables are solved. Only while a function is checked."""

    value: Expr


def coerce(f: Fn, expr: core.Expr, want: Type) -> core.Expr | None:
    """`expr` as a `want`; None when there is no implicit conversion. Nothing is reported."""
    have = prune(expr.type)
    want = prune(want)
    if have is want:
        return expr
    kind, wanted = type(have), type(want)
    if kind is model.ErrorType or kind is model.NeverType or wanted is model.ErrorType:
        return expr
    outer, f.unifier.place = f.unifier.place, (expr.span, kind is TypeVar or wanted is TypeVar)
    made = _convert(f, expr, have, want)
    f.unifier.place = outer
    return made


def _convert(f: Fn, expr: core.Expr, have: Type, want: Type) -> core.Expr | None:
    kind, wanted = type(have), type(want)
    if kind is TypeVar or wanted is TypeVar:
        return _coerce_open(f, expr, have, want)
    if want is ANY:
        return _box(f, expr, have)
    if have is ANY:
        return _unbox(f, expr, want)
    if want is FLOAT and have is INT:
        return adapt_literal(expr)
    if wanted is model.NullableType:
        return _to_nullable(f, expr, have, want)  # type: ignore[arg-type]
    if kind is model.NullableType:
        inner = core.Convert(have.inner, expr.span, "not_none", expr)  # type: ignore[attr-defined]
        return coerce(f, inner, want)
    return _coerce_structural(f, expr, have, want)


def _coerce_structural(f: Fn, expr: core.Expr, have: Type, want: Type) -> core.Expr | None:
    if isinstance(want, model.UnionType):
        return _to_union(f, expr, have, want)
    if isinstance(want, model.RecordType) and isinstance(have, (model.StructType, model.RecordType)):
        if isinstance(have, model.RecordType) and _try_unify(f, have, want):
            return expr
        return _to_record(f, expr, have, want) or adapt(f, expr, want)
    if isinstance(want, model.FuncType) and isinstance(have, model.FuncType):
        if _try_unify(f, have, want):
            return expr
        from nxdc.check.expressions.lambdas import wrap_function

        return wrap_function(f, expr, have, want)
    if isinstance(want, model.ChannelType) and isinstance(have, model.ChannelType):
        carried, wanted = prune(have.element), prune(want.element)
        if carried is not wanted and ANY in (carried, wanted) and TypeVar not in (type(carried), type(wanted)):
            return core.Convert(want, expr.span, "channel", expr)
    return expr if _try_unify(f, have, want) else adapt(f, expr, want)


def _try_unify(f: Fn, have: Type, want: Type) -> bool:
    mark = f.unifier.begin()
    if f.unifier.unify(have, want):
        f.unifier.commit(mark)
        return True
    f.unifier.rollback(mark)
    return False


def _coerce_open(f: Fn, expr: core.Expr, have: Type, want: Type) -> core.Expr | None:
    """One side is an undecided variable."""
    if isinstance(have, TypeVar):
        if isinstance(want, TypeVar):
            f.unifier.unify(have, want)
            return expr
        if want is ANY:
            return Pending(ANY, expr.span, expr)
        if have.from_none:
            f.unifier.bind(have, nullable_of(want))
            return coerce(f, expr, want)
        if isinstance(want, model.NullableType):
            f.unifier.unify(have, want)
            return expr
        return expr if f.unifier.unify(have, want) else None
    assert isinstance(want, TypeVar)
    if have is model.NONE and isinstance(expr, core.NoneLit):
        want.from_none = True
        return Pending(want, expr.span, expr)
    if want.from_none:
        f.unifier.bind(want, nullable_of(have))
        return coerce(f, expr, want)
    return expr if f.unifier.unify(want, have) else None


def adapt_literal(expr: core.Expr) -> core.Expr | None:
    """An int literal (or its opposite) as a float; None for what is no literal."""
    if isinstance(expr, core.IntLit):
        return core.FloatLit(FLOAT, expr.span, float(expr.value))
    return None


def _box(f: Fn, expr: core.Expr, have: Type) -> core.Expr | None:
    if isinstance(expr, core.NoneLit):
        return core.NoneLit(ANY, expr.span)
    if isinstance(have, model.FuncType) and not is_any_function(have):
        # A function held by an `any` takes and gives any, so that it can be called without knowing its type.
        from nxdc.check.expressions.lambdas import wrap_function

        general = model.FuncType(tuple(ANY for _ in have.params), ANY)
        wrapped = wrap_function(f, expr, have, general)
        return core.Convert(ANY, expr.span, "to_any", wrapped) if wrapped is not None else None
    return core.Convert(ANY, expr.span, "to_any", expr)


def is_any_function(type_: model.FuncType) -> bool:
    """Whether a function type is the one that functions have inside an `any`."""
    return all(prune(p) is ANY for p in type_.params) and prune(type_.result) is ANY


def _unbox(f: Fn, expr: core.Expr, want: Type) -> core.Expr | None:
    if isinstance(want, model.NullableType):
        return core.Convert(want, expr.span, "from_any", expr)
    if isinstance(want, model.FuncType) and not is_any_function(want):
        from nxdc.check.expressions.lambdas import wrap_function

        general = model.FuncType(tuple(ANY for _ in want.params), ANY)
        return wrap_function(f, core.Convert(general, expr.span, "from_any", expr), general, want)
    return core.Convert(want, expr.span, "from_any", expr)


def _to_nullable(f: Fn, expr: core.Expr, have: Type, want: model.NullableType) -> core.Expr | None:
    if have is model.NONE:
        if isinstance(expr, core.NoneLit):
            return core.NoneLit(want, expr.span)
        return core.Convert(want, expr.span, "nullable", expr)
    if isinstance(have, model.NullableType):
        return expr if _try_unify(f, have.inner, want.inner) else None
    inner = coerce(f, expr, want.inner)
    return core.Convert(want, expr.span, "nullable", inner) if inner is not None else None


def none_option(want: model.UnionType, span: Span) -> core.Expr:
    """The NONE of an OPTION type."""
    return core.MakeUnion(want, span, 1, [])


def _to_union(f: Fn, expr: core.Expr, have: Type, want: model.UnionType) -> core.Expr | None:
    if have is model.NONE and isinstance(expr, core.NoneLit):
        return none_option(want, expr.span) if want.decl is model.OPTION_DECL else None
    if not isinstance(have, model.UnionType) or have.decl is not want.decl:
        return None
    if have.args == want.args or _try_unify(f, have, want):
        return expr
    adapted = adapt(f, expr, want)
    if adapted is not None:
        return adapted
    if want.decl not in (model.OPTION_DECL, model.RESULT_DECL):
        return None
    if all(_payload_converts(f, a, b) for a, b in zip(have.args, want.args, strict=False)):
        return core.Convert(want, expr.span, "payload", expr)
    return None


def _payload_converts(f: Fn, have: Type, want: Type) -> bool:
    have, want = prune(have), prune(want)
    if isinstance(have, TypeVar) or isinstance(want, TypeVar):
        return f.unifier.unify(have, want)
    if have is ANY or want is ANY or have == want:
        return True
    if isinstance(have, model.UnionType) and isinstance(want, model.UnionType) and have.decl is want.decl:
        return all(_payload_converts(f, a, b) for a, b in zip(have.args, want.args, strict=False))
    return _try_unify(f, have, want)


def _to_record(
    f: Fn, expr: core.Expr, have: model.StructType | model.RecordType, want: model.RecordType
) -> core.Expr | None:
    fields = dict(model.struct_fields(have))
    for name, type_ in want.fields:
        if name not in fields or not _try_unify(f, fields[name], type_):
            return None
    return core.Convert(want, expr.span, "record", expr)


def has_type(f: Fn, expr: core.Expr, type_: Type) -> bool:
    """Whether `expr` already has exactly this type (variables unify)."""
    return _try_unify(f, expr.type, type_)


def leaving_value(expr: core.Expr) -> core.Expr:
    """An expression that does not yield (`EXIT(1)`) where a value is needed: an any that never comes to be."""
    nothing = core.NoneLit(ANY, expr.span)
    return core.BlockExpr(ANY, expr.span, [core.ExprStmt(expr.span, expr)], nothing)


def unwrap_nullable(expr: core.Expr) -> core.Expr:
    """The value of a nullable where an operation needs one: checked at run time (E1006)."""
    have = prune(expr.type)
    if isinstance(have, model.NeverType):
        return leaving_value(expr)
    if isinstance(have, model.NullableType):
        return core.Convert(have.inner, expr.span, "not_none", expr)
    return expr


def failed(expr: core.Expr) -> core.Expr:
    """`expr` after a reported mistake: fits everything."""
    expr.type = ERROR
    return expr
