"""Dynamic trait objects: `BOX<TRAIT>(X)` and calls of their methods.

A box is a struct of function values, one for each method of the trait, which hold X. It is equal only to itself,
because functions are. `finalize` replaces `BoxType` by that struct, so nothing behind the checker knows boxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.check.declarations import names
from nxdc.check.declarations.traits import SELF, TraitMethod, implements, methods_of, with_args
from nxdc.check.declarations.typeexprs import resolve_trait
from nxdc.check.expressions.exprs import error_expr, is_error
from nxdc.check.expressions.overloads import Arg, CallSite
from nxdc.check.function import Fn
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import NONE, NominalDecl, Type
from nxdc.types.show import show, show_trait
from nxdc.types.unify import contains, prune

if TYPE_CHECKING:
    from nxdc.check.checker import Checker


def box_methods(checker: Checker, trait: NominalDecl) -> list[TraitMethod]:
    """The methods that can be called on a box: those that name the type once, as their first parameter."""

    def names_self(type_: Type) -> bool:
        return contains(type_, lambda t: isinstance(t, model.TypeParam) and t.name == SELF)

    return [
        m for m in methods_of(checker, trait)
        if m.params and m.params[0] is None and all(p is not None and not names_self(p) for p in m.params[1:])
        and not names_self(m.result)
    ]  # fmt: skip


def _method_type(method: TraitMethod) -> model.FuncType:
    return model.FuncType(tuple(p for p in method.params[1:] if p is not None), method.result)


def _trait(type_: model.BoxType) -> NominalDecl:
    return with_args(type_.trait, type_.args)


def box_struct(checker: Checker, type_: model.BoxType) -> model.StructType:
    """The struct that a box is."""
    trait = _trait(type_)
    decl = checker.box_decls.get(type_)
    if decl is None:
        decl = NominalDecl("box", show(type_), trait.module, (), trait.span)
        checker.box_decls[type_] = decl
        decl.fields = [(m.name, _method_type(m)) for m in box_methods(checker, trait)]
    return model.StructType(decl)


def check_box(f: Fn, site: CallSite) -> core.Expr:
    """`BOX<SERIALIZABLE>(U)`."""
    from nxdc.check.expressions.calls import check_args

    trait = resolve_trait(f.checker, f.scope, site.type_args[0], f.env)
    check_args(f, site)
    values = [arg.expr for arg in site.args if arg.expr is not None]
    if trait is None or any(is_error(v) for v in values):
        return error_expr(site.span)
    if len(values) != 1:
        f.error(codes.S3006, "call", site.span, name="BOX", want="1 argument", got=f"{len(values)} were")
        return error_expr(site.span)
    value = values[0]
    if isinstance(prune(value.type), model.BoxType) and prune(value.type) == model.BoxType(trait.origin, trait.args):
        return value
    if not implements(f.checker, value.type, trait):
        place = trait.span
        f.error(codes.S3003, "bound", value.span, type=show(value.type), trait=show_trait(trait),
                also=[(place, "the trait is declared here")] if place else ())  # fmt: skip
        return error_expr(site.span)
    held = prune(value.type)
    if (getattr(held, "decl", held), trait.origin) in f.checker.unkept:
        return error_expr(site.span)
    return _make_box(f, trait, value, site.span)


def _make_box(f: Fn, trait: NominalDecl, value: core.Expr, span: Span) -> core.Expr:
    held = f.temp(value.type, span)
    fields = [_bound_method(f, method, held, span) for method in box_methods(f.checker, trait)]
    type_ = model.BoxType(trait.origin, trait.args)
    make = core.MakeStruct(type_, span, list(range(len(fields))), fields)
    return core.BlockExpr(type_, span, [core.Let(span, held, value)], make)


def _bound_method(f: Fn, method: TraitMethod, held: core.Local, span: Span) -> core.Expr:
    """A function that calls the method with the value that it holds."""
    from nxdc.check.expressions.calls import call_method
    from nxdc.check.expressions.lambdas import _synthetic

    type_ = _method_type(method)
    inside = core.Local("$F", held.type, span)
    params = [core.Local(f"$A{i}", t, span) for i, t in enumerate(type_.params)]
    args = [Arg(None, core.LocalRef(p.type, span, p)) for p in params]
    site = CallSite(method.name, span, span, args, (), type_.result)
    call = call_method(f, core.LocalRef(inside.type, span, inside), site)
    function = _synthetic(f, span, [inside, *params], type_.result, captures=1)
    if prune(type_.result) is NONE:
        function.body = [core.ExprStmt(span, call)]
    else:
        from nxdc.check.expressions.exprs import need

        function.body = [core.Return(span, need(f, call, type_.result, span))]
    return core.Lambda(type_, span, function, [held])


def call_box(f: Fn, obj: core.Expr, type_: model.BoxType, site: CallSite) -> core.Expr:
    """`B.TO_STRING()`."""
    from nxdc.check.expressions.calls import call_value, check_args

    methods = box_methods(f.checker, _trait(type_))
    for index, method in enumerate(methods):
        if method.name == site.name:
            callee = core.GetField(_method_type(method), site.name_span, obj, index)
            return call_value(f, callee, site.args, site.span)
    check_args(f, site)
    for method in methods_of(f.checker, _trait(type_)):
        if method.name == site.name:
            _report_unboxable(f, type_, method, site.name_span)
            return error_expr(site.span)
    known = [m.name for m in methods]
    f.error(codes.S3001, "method", site.name_span, type=show(type_), name=site.name,
            **names.suggest(site.name, known, site.name_span))  # fmt: skip
    return error_expr(site.span)


def _report_unboxable(f: Fn, type_: model.BoxType, method: TraitMethod, span: Span) -> None:
    """A method that names the implementing type elsewhere than once, in front: two boxes may hold different types."""
    trait = show_trait(_trait(type_))
    f.error(codes.S3002, "boxed", span, name=method.name, type=show(type_),
            also=[(method.node.name.span, "only a method whose first parameter alone is of the implementing type "
                                          "can be called on a box")],
            helps=[f"a function can ask for one type with the trait: `FUNC F<T : {trait}>(...)`"])  # fmt: skip


def box_call(f: Fn, site: CallSite) -> core.Expr | None:
    """`SHOW(B)` for `B.SHOW()`; None when the first argument is no box whose trait has that method."""
    first = site.args[0].expr if site.args else None
    type_ = prune(first.type) if first is not None else None
    if first is None or not isinstance(type_, model.BoxType):
        return None
    if all(m.name != site.name for m in methods_of(f.checker, _trait(type_))):
        return None
    rest = CallSite(site.name, site.name_span, site.span, site.args[1:], site.type_args, site.expected)
    return call_box(f, first, type_, rest)
