"""`base.FIELD` and `base[index]`: also qualified names of modules (`core.types.LIMIT`) and of types (`COLOR.RED`)."""

from __future__ import annotations

from nxdc.check.coerce import unwrap_nullable
from nxdc.check.declarations import habits, names
from nxdc.check.declarations.symbols import FuncSymbol, ModuleScope, PreludeSymbol, VariantSymbol
from nxdc.check.declarations.typeexprs import UNDECIDED, check_key
from nxdc.check.expressions.exprs import (
    check,
    check_as,
    error_expr,
    handles,
    is_error,
    module_of,
    need,
    report_unknown_module,
    type_named,
    value_of,
)  # fmt: skip
from nxdc.check.function import Fn, VariantFact
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, ERROR, INT, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import prune


@handles(ast.Field)
def check_field(f: Fn, node: ast.Field, expected: Type | None) -> core.Expr:
    """A field, or a qualified name."""
    qualified = qualified_value(f, node, expected)
    if qualified is not None:
        return qualified
    return field_of(f, check(f, node.base), node.name.text, node.name.span, node.span)


def qualified_value(f: Fn, node: ast.Field, expected: Type | None) -> core.Expr | None:
    """The value of `module.NAME` or `TYPE.VARIANT`; None when the base is a value."""
    module = module_of(f, node.base)
    if module is not None:
        return _module_member(f, module, node, expected)
    symbol = type_named(f, node.base)
    if symbol is UNDECIDED:
        return error_expr(node.span)
    if symbol is not None and symbol.decl is not None and symbol.decl.kind in ("enum", "union"):
        return type_member(f, symbol.decl, node.name, expected)
    if report_unknown_module(f, node.base):
        return error_expr(node.span)
    return None


def type_member(f: Fn, decl: model.NominalDecl, name: ast.Name, expected: Type | None) -> core.Expr:
    """`COLOR.RED`."""
    from nxdc.check.expressions.constructors import unit_variant

    variant = variant_symbol(f, decl, name)
    if variant is None:
        return error_expr(name.span)
    return unit_variant(f, [variant], name.span, expected) or error_expr(name.span)


def variant_symbol(f: Fn, decl: model.NominalDecl, name: ast.Name) -> VariantSymbol | None:
    """The variant or member of a declaration; reported when it has none of that name."""
    for index, (variant, _) in enumerate(decl.variants):
        if variant == name.text:
            return VariantSymbol(variant, decl, index, decl.field_spans.get(variant))
    known = [variant for variant, _ in decl.variants]
    f.error(codes.S3001, "variant", name.span, type=decl.name, name=name.text,
            **names.suggest(name.text, known, name.span))  # fmt: skip
    return None


def _module_member(f: Fn, module: ModuleScope, node: ast.Field, expected: Type | None) -> core.Expr:
    symbols = members_of(f, module, node.name)
    if not symbols:
        return error_expr(node.span)
    return value_of(f, symbols, node.name.text, node.span, expected) or error_expr(node.span)


def members_of(f: Fn, module: ModuleScope, name: ast.Name) -> list:  # type: ignore[type-arg]  # of Symbol
    """What `module.NAME` can mean; reported when it is nothing that may be seen."""
    own = module is f.scope
    symbols = module.own.get(name.text, []) if own else module.sees(name.text)
    if symbols:
        return symbols
    if name.text in module.hidden and not own:
        f.error(codes.S3012, "private", name.span, name=name.text, module=module.name,
                also=names._declared(module.own[name.text][0]) if name.text in module.own else ())  # fmt: skip
    elif module.info is None or not module.info.has_errors:
        known = [n for n in module.own if n not in module.hidden]
        f.error(codes.S3001, "member", name.span, module=module.name, name=name.text,
                **names.suggest(name.text, known, name.span))  # fmt: skip
    return []


# ---- fields of values -----------------------------------------------------------------------------------------------


def field_of(f: Fn, obj: core.Expr, name: str, name_span: Span, span: Span) -> core.Expr:
    """Field `name` of a value."""
    obj = unwrap_nullable(obj)
    type_ = prune(obj.type)
    if isinstance(type_, TypeVar):
        if f.block(type_, span):
            return error_expr(span)
        type_ = prune(obj.type)
    if isinstance(type_, (model.StructType, model.RecordType)):
        index = field_index(type_, name)
        if index is not None:
            return core.GetField(model.struct_fields(type_)[index][1], span, obj, index)
    elif type_ is ANY:
        return core.AnyField(ANY, span, obj, name)
    elif isinstance(type_, (model.ErrorType, model.NeverType)):
        return error_expr(span)
    elif isinstance(type_, model.UnionType):
        inside = _narrowed_payload(f, obj, type_)
        if inside is not None:
            return field_of(f, inside, name, name_span, span)
    report_unknown_field(f, type_, name, name_span)
    return error_expr(span)


def has_field(type_: Type, name: str) -> bool:
    """Whether values of `type_` have a field of that name."""
    type_ = prune(type_)
    return isinstance(type_, (model.StructType, model.RecordType)) and field_index(type_, name) is not None


def field_index(type_: model.StructType | model.RecordType, name: str) -> int | None:
    """Number of a field."""
    fields = type_.fields if isinstance(type_, model.RecordType) else type_.decl.fields
    for index, (field, _) in enumerate(fields):
        if field == name:
            return index
    return None


def _narrowed_payload(f: Fn, obj: core.Expr, type_: model.UnionType) -> core.Expr | None:
    """The payload of an OPTION that flow has proved to be SOME."""
    if type_.decl is not model.OPTION_DECL or not isinstance(obj, core.LocalRef):
        return None
    fact = f.facts.get(obj.local)
    if isinstance(fact, VariantFact) and fact.index == 0:
        return core.Payload(type_.args[0], obj.span, obj, 0, 0)
    return None


def report_unknown_field(f: Fn, type_: Type, name: str, span: Span) -> None:
    """S3007, or S3002 where the field is that of the value inside an OPTION."""
    if isinstance(type_, model.UnionType) and type_.decl in (model.OPTION_DECL, model.RESULT_DECL):
        inner = prune(type_.args[0])
        if inner is ANY or has_field(inner, name):
            f.error(codes.S3002, "option", span, type=show(type_), name=name,
                    helps=["take the value out first: `UNWRAP(...)` or a `MATCH`"])  # fmt: skip
            return
    if not isinstance(type_, (model.StructType, model.RecordType)):
        functions = any(isinstance(s, (FuncSymbol, PreludeSymbol)) for group in f.scope.tiers(name) for s in group)
        hint = habits.field_hint(name)
        helps = [f"`{name}` is a function: write `{name}(...)`"] if functions else [hint] if hint else []
        if isinstance(type_, model.MapType) and not helps:
            helps = ["the value of a key is read with brackets: `M[KEY]`"]
        if isinstance(type_, model.UnionType) and not helps:
            helps = ["what a variant holds is read by `MATCH`, or by `IF X MATCHES VARIANT(NAME):`"]
        f.error(codes.S3007, "unknown", span, name=name, type=show(type_), helps=helps)
        return
    known = [field for field, _ in model.struct_fields(type_)]
    also = [(type_.decl.span, "declared here")] if isinstance(type_, model.StructType) and type_.decl.span else []
    extra = names.suggest(name, known, span)
    if not extra and known:
        extra = {"helps": [f"its fields are {', '.join(f'`{k}`' for k in known)}"]}
    f.error(codes.S3007, "unknown", span, name=name, type=show(type_), also=also, **extra)


# ---- elements
# ------------------------------------------------------------------------------------------------------------


@handles(ast.Index)
def check_index(f: Fn, node: ast.Index, expected: Type | None) -> core.Expr:
    """`base[index]`."""
    obj = unwrap_nullable(check(f, node.base))
    type_ = prune(obj.type)
    if isinstance(type_, TypeVar):
        if f.block(type_, node.base.span):
            check(f, node.index)
            return error_expr(node.span)
        type_ = prune(obj.type)
    if isinstance(type_, model.ListType):
        return core.GetIndex(type_.element, node.span, obj, check_index_value(f, node.index, type_, INT))
    if isinstance(type_, model.MapType):
        return core.GetIndex(type_.value, node.span, obj, check_index_value(f, node.index, type_, type_.key))
    if type_ is STRING:
        return core.GetIndex(STRING, node.span, obj, check_index_value(f, node.index, type_, INT))
    if type_ is ANY:
        return core.GetIndex(ANY, node.span, obj, check_as(f, node.index, ANY))
    check(f, node.index)
    if not is_error(obj):
        helps = []
        if isinstance(type_, model.StructType):
            helps = ["fields are read with a dot: `X.NAME`"]
        elif isinstance(type_, model.FuncType) and not type_.params:
            helps = [f"a function is called with brackets: `{node.base.span.text}()`"]
        f.error(codes.S3002, "not_indexable", node.base.span, type=show(type_), helps=helps)
    return core.GetIndex(ERROR, node.span, obj, error_expr(node.index.span))


def check_index_value(f: Fn, node: ast.Expr, container: Type, want: Type) -> core.Expr:
    """The index or key of an element. A key may be what decides the type of the map's keys."""
    open_key = prune(want)
    if isinstance(container, model.MapType) and isinstance(open_key, TypeVar):
        key = unwrap_nullable(check(f, node))
        have = prune(key.type)
        if isinstance(have, TypeVar) and have.from_none and f.block(have, node.span):
            return error_expr(node.span)  # a nullable, whose value will be the key
        if not check_key(f.checker, key.type, node.span, f.error):
            f.unifier.bind(open_key, ERROR)
        return need(f, key, want, node.span, "index", type=show(container))
    return check_as(f, node, want, "index", type=show(container))
