"""`X IS target`: type, trait, variant, NONE, EMPTY; with what each outcome proves about X."""

from __future__ import annotations

from nxdc.check.declarations import names
from nxdc.check.declarations.typeexprs import (
    BUILTIN_ARITY,
    PRIMITIVES,
    apply_symbol,
    find_type,
    leads_to,
    report_unknown,
    resolve_trait,
    resolve_type,
    variants_named,
)
from nxdc.check.expressions.exprs import check, handles, is_error
from nxdc.check.flow.narrowing import Condition, local_of
from nxdc.check.function import Facts, Fn, VariantFact
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, NONE, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import prune, zonk


@handles(ast.IsTest)
def _is(f: Fn, node: ast.IsTest, expected: Type | None) -> core.Expr:
    return check_is(f, node).expr


def check_is(f: Fn, node: ast.IsTest) -> Condition:
    """Checks `X IS target`."""
    value = check(f, node.expr)
    if is_error(value):
        return _constant(f, value, node.span, None)
    target = node.target
    if isinstance(target, ast.NamedType) and not target.args:
        special = _special_target(f, value, target, node)
        if special is not None:
            return special
        variant = _variant_condition(f, value, target, node.span)
        if variant is not None:
            return variant
    if isinstance(target, ast.NamedType):
        symbol = find_type(f.checker, f.scope, target)
        if symbol is not None and symbol.decl is not None and symbol.decl.kind == "trait":
            trait = resolve_trait(f.checker, f.scope, target, f.env)
            return _trait_condition(f, value, trait, node.span) if trait else _constant(f, value, node.span, None)
        if symbol is not None and symbol.params and symbol.decl is not None and not target.args:
            anys: tuple[Type, ...] = tuple(ANY for _ in symbol.params)
            return _type_condition(f, value, apply_symbol(f.checker, symbol, anys, target), node.span, loose=True)
        known = target.args or target.name in PRIMITIVES or target.name in BUILTIN_ARITY | f.env
        if symbol is None and not known:
            found = _any_variant(f, value, target, node.span)
            if found is not None:
                return found
            if not names.report_missing_import(f.checker, f.scope, target.path, target.span):
                report_unknown(f.checker, f.scope, f.env, target)
            return _constant(f, value, node.span, None)
    type_ = resolve_type(f.checker, f.scope, f.env, target)
    loose = isinstance(target, ast.NamedType) and target.name in BUILTIN_ARITY and not target.args
    return _type_condition(f, value, type_, node.span, loose=loose)


def _constant(f: Fn, value: core.Expr, span: Span, outcome: bool | None, true: Facts | None = None) -> Condition:
    """The types alone decide. What the operand does still happens."""
    literal = core.BoolLit(BOOL, span, bool(outcome))
    if isinstance(value, core.LocalRef) or local_of(value) is not None or is_error(value):
        return Condition(literal, true or {}, {}, outcome)
    temp = f.temp(value.type, span)
    return Condition(core.BlockExpr(BOOL, span, [core.Let(span, temp, value)], literal), true or {}, {}, outcome)


def _special_target(f: Fn, value: core.Expr, target: ast.NamedType, node: ast.IsTest) -> Condition | None:
    if len(target.path) != 1:
        return None
    if target.name in ("NONE", "none"):
        return none_condition(f, value, node.span)
    if target.name == "EMPTY" and not f.scope.types("EMPTY"):
        return _empty_condition(f, value, node.span)
    return None


def none_test(f: Fn, value: core.Expr, span: Span) -> core.Expr:
    """`value IS NONE` as an expression."""
    return none_condition(f, value, span).expr


def none_condition(f: Fn, value: core.Expr, span: Span) -> Condition:
    """`value IS NONE`."""
    type_ = prune(value.type)
    local = local_of(value)
    if isinstance(type_, model.NullableType):
        return Condition(core.IsTest(BOOL, span, "none", value), {}, {local: type_.inner} if local else {})
    if type_ is ANY or isinstance(type_, TypeVar):
        return Condition(core.IsTest(BOOL, span, "none", value), {}, {})
    if isinstance(type_, model.UnionType) and type_.decl is model.OPTION_DECL:
        return _union_test(value, 1, local, span)
    if isinstance(type_, model.UnionType):
        for index, (name, _) in enumerate(type_.decl.variants):
            if name == "NONE":
                return _union_test(value, index, local, span)
    return _constant(f, value, span, type_ is NONE)


def _union_test(value: core.Expr, index: int, local: core.Local | None, span: Span) -> Condition:
    type_ = prune(value.type)
    assert isinstance(type_, model.UnionType)
    test = core.IsTest(BOOL, span, "variant", value, None, index)
    true: Facts = {local: VariantFact(index)} if local else {}
    false: Facts = {}
    if local and len(type_.decl.variants) == 2:
        false = {local: VariantFact(1 - index)}
    return Condition(test, true, false)


def _empty_condition(f: Fn, value: core.Expr, span: Span) -> Condition:
    type_ = prune(value.type)
    if isinstance(type_, model.NullableType):
        value = core.Convert(type_.inner, span, "not_none", value)
        type_ = prune(type_.inner)
    type_ = f.decided(type_, span)
    if isinstance(type_, (model.ListType, model.MapType, TypeVar)) or type_ in (STRING, ANY):
        return Condition(core.IsTest(BOOL, span, "empty", value), {}, {})
    f.error(codes.S3002, "unary", span, op="IS EMPTY", type=show(type_))
    return _constant(f, value, span, None)


def _variant_condition(f: Fn, value: core.Expr, target: ast.NamedType, span: Span) -> Condition | None:
    """`R IS OK`, `C IS RED` on a value whose type has that variant."""
    type_ = prune(value.type)
    if isinstance(type_, TypeVar):
        if f.block(type_, span):
            return _constant(f, core.NoneLit(model.ERROR, span), span, None)
        type_ = prune(value.type)
    if not isinstance(type_, (model.UnionType, model.EnumType)):
        return None
    if not leads_to(f.scope, target.path, type_.decl):
        return None
    for index, (name, _) in enumerate(type_.decl.variants):
        if name == target.name:
            if isinstance(type_, model.UnionType):
                return _union_test(value, index, local_of(value), span)
            member = core.EnumLit(type_, span, index)
            return Condition(core.Intrinsic(BOOL, span, "eq_int", "EQ", [value, member]), {}, {})
    if find_type(f.checker, f.scope, target) is None and target.name not in PRIMITIVES:
        known = [name for name, _ in type_.decl.variants]
        f.error(codes.S3001, "variant", target.span, type=show(type_), name=target.name,
                **names.suggest(target.name, known, target.path[-1].span))  # fmt: skip
        return _constant(f, value, span, None)
    return None


def _any_variant(f: Fn, value: core.Expr, target: ast.NamedType, span: Span) -> Condition | None:
    """`X IS OK` where X is an any."""
    if not variants_named(f.scope, target.path):
        return None
    if prune(value.type) is not ANY:
        return _constant(f, value, span, False)
    return Condition(core.IsTest(BOOL, span, "any_variant", value, None, 0, target.name), {}, {})


def _type_condition(f: Fn, value: core.Expr, target: Type, span: Span, *, loose: bool) -> Condition:
    """`X IS int`. `loose`: the target was written without its type arguments."""
    type_ = prune(value.type)
    local = local_of(value)
    if isinstance(target, model.ErrorType):
        return _constant(f, value, span, None)
    if isinstance(type_, TypeVar):
        if f.block(type_, span):
            return _constant(f, value, span, None)
        type_ = prune(value.type)
    if type_ is ANY and target is not ANY:
        kind = "alike" if loose else any_test_kind(target)
        fact: Facts = {local: target} if local and not loose else {}
        return Condition(core.IsTest(BOOL, span, kind, value, target), fact, {})
    if isinstance(type_, model.NullableType):
        if _matches(type_.inner, target, loose):
            inner = none_condition(f, value, span)
            return Condition(core.Intrinsic(BOOL, span, "not", "NOT", [inner.expr]), inner.false, {})
        return _constant(f, value, span, False)
    return _constant(f, value, span, target is ANY or _matches(type_, target, loose))


def any_test_kind(target: Type) -> str:
    """How an any is asked for a type: exactly, but the `any` forms of OPTION and RESULT take all their instances."""
    target = prune(target)
    open_union = isinstance(target, model.UnionType) and target.decl in (model.OPTION_DECL, model.RESULT_DECL)
    return "alike" if open_union and any(prune(a) is ANY for a in target.args) else "type"  # type: ignore[attr-defined]


def _matches(have: Type, target: Type, loose: bool) -> bool:
    have = prune(have)
    if not loose:
        return have == target
    if isinstance(have, (model.StructType, model.UnionType)):
        return isinstance(target, type(have)) and have.decl is target.decl
    return type(have) is type(target)


def _trait_condition(f: Fn, value: core.Expr, trait: model.NominalDecl, span: Span) -> Condition:
    from nxdc.check.declarations.traits import implements

    type_ = prune(value.type)
    if type_ is not ANY:
        if isinstance(type_, model.NullableType):
            return _constant(f, value, span, False)
        return _constant(f, value, span, implements(f.checker, type_, trait))
    temp = f.temp(ANY, span)
    result: core.Expr | None = None
    for target in _types_with(f, trait):
        kind = "alike" if ANY in getattr(target, "args", ()) else "type"
        test: core.Expr = core.IsTest(BOOL, span, kind, core.LocalRef(ANY, span, temp), target)
        result = test if result is None else core.ShortCircuit(BOOL, span, "OR", result, test)
    if result is None:
        return _constant(f, value, span, False)
    return Condition(core.BlockExpr(BOOL, span, [core.Let(span, temp, value)], result), {}, {})


def _types_with(f: Fn, trait: model.NominalDecl) -> list[Type]:
    """The types that have a trait, or one that extends it; generic ones with what the trait's own arguments make of
    their arguments, else with `any`."""
    from nxdc.check.declarations.traits import implements

    found: list[Type] = []
    for decl in f.checker.declared_types():
        args: tuple[Type, ...] = tuple(f.fresh() for _ in decl.params)
        if decl.kind == "enum":
            found.append(model.EnumType(decl))
        elif decl.kind == "union":
            found.append(model.UnionType(decl, args))
        else:
            found.append(model.StructType(decl, args))
    having = [t for t in (*found, *f.checker.builtin_traits) if implements(f.checker, t, trait)]
    return [zonk(t) for t in having]
