"""Values of declared and built-in types: variants, struct, record, list and map literals, channels."""

from __future__ import annotations

from typing import Any

from nxdc.check.coerce import coerce, leaving_value
from nxdc.check.declarations import names
from nxdc.check.declarations.symbols import TypeSymbol, VariantSymbol
from nxdc.check.declarations.typeexprs import apply_symbol, check_key, find_type, report_unknown, resolve_type
from nxdc.check.expressions.exprs import check, check_as, error_expr, handles, need
from nxdc.check.expressions.overloads import Arg, conversion_cost
from nxdc.check.function import Fn
from nxdc.check.literals import WrittenList, WrittenMap, is_int_literal, literals_last, may_adapt
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, FLOAT, INT, NONE, NominalDecl, Type
from nxdc.types.show import show
from nxdc.types.unify import prune

DEFAULT_CAPACITY = 64


# ---- variants
# ----------------------------------------------------------------------------------------------------------


def pick_variant(variants: list[VariantSymbol], expected: Type | None) -> list[VariantSymbol]:
    """Of several variants of one name, the one of the expected type; all when that does not help."""
    want = prune(expected) if expected is not None else None
    if isinstance(want, (model.UnionType, model.EnumType)):
        for variant in variants:
            if variant.decl is want.decl:
                return [variant]
    return variants


def unit_variant(f: Fn, variants: list[VariantSymbol], span: Span, expected: Type | None) -> core.Expr | None:
    """A variant or member written without brackets."""
    chosen = pick_variant(variants, expected)
    if len(chosen) > 1:
        f.error(codes.S3013, "name", span, name=chosen[0].name, **names.several(chosen))
        return error_expr(span)
    variant = chosen[0]
    if variant.is_enum:
        return core.EnumLit(model.EnumType(variant.decl), span, variant.index)
    want = prune(expected) if expected is not None else None
    if variant.decl is model.OPTION_DECL and variant.index == 1:
        if isinstance(want, model.UnionType) and want.decl is model.OPTION_DECL:
            return core.MakeUnion(want, span, 1, [])
        return core.NoneLit(NONE, span)
    payload = variant.decl.variants[variant.index][1] if variant.decl.variants else ()
    if payload:
        if isinstance(want, model.FuncType):
            from nxdc.check.expressions.lambdas import variant_function

            return variant_function(f, variant, span, want)
        f.error(codes.S3006, "variant", span, name=variant.name, want=count(len(payload), "value"), got="none was",
                helps=[f"write `{variant.name}(...)`; whether X is one is asked by `X IS {variant.name}`"])  # fmt: skip
        return error_expr(span)
    return core.MakeUnion(union_instance(f, variant.decl, expected), span, variant.index, [])


def union_instance(f: Fn, decl: NominalDecl, expected: Type | None) -> model.UnionType:
    """The instance of a union that a constructor makes: the expected one, or one with open arguments."""
    want = prune(expected) if expected is not None else None
    if isinstance(want, model.NullableType):
        want = prune(want.inner)
    if isinstance(want, model.UnionType) and want.decl is decl:
        return want
    args: list[Type] = []
    for name in decl.params:
        var = f.fresh()
        if decl is model.RESULT_DECL and name == "E":
            var.default = model.STRING
        args.append(var)
    return model.UnionType(decl, tuple(args))


def construct_variant(f: Fn, variant: VariantSymbol, args: list[Arg], span: Span, expected: Type | None) -> core.Expr:
    """`OK(V)`, `RECT(1.0, 2.0)`."""
    if variant.is_enum:
        f.error(codes.S3006, "variant", span, name=variant.name, want="no value", got=f"{len(args)} are")
        return error_expr(span)
    type_ = union_instance(f, variant.decl, expected)
    payload = model.payload_types(type_, variant.index)
    if len(payload) != len(args):
        also = [(variant.span, "declared here")] if variant.span else []
        f.error(codes.S3006, "variant", span, name=variant.name, want=count(len(payload), "value"),
                got=given(len(args)), also=also)  # fmt: skip
        for arg in args:
            _value(f, arg, None)
        return core.MakeUnion(type_, span, variant.index, [error_expr(span) for _ in payload])
    values = [error_expr(span)] * len(args)
    for i in literals_last([is_int_literal(arg.node) for arg in args]):
        values[i] = _argument(f, args[i], payload[i], span)
    return core.MakeUnion(type_, span, variant.index, values)


def _value(f: Fn, arg: Arg, want: Type | None) -> core.Expr:
    if arg.expr is None:
        assert arg.node is not None
        arg.expr = check(f, arg.node, want)
    return arg.expr


def _argument(f: Fn, arg: Arg, want: Type, span: Span, wording: str = "assign", **args: Any) -> core.Expr:
    """An argument of a constructor, as the type of what it fills."""
    expr = _value(f, arg, want)
    return need(f, expr, want, arg.node.span if arg.node is not None else span, wording, **args)


def count(number: int, noun: str) -> str:
    """`no argument`, `1 argument`, `2 arguments`."""
    return f"no {noun}" if number == 0 else f"{number} {noun}{'s' if number > 1 else ''}"


def given(number: int) -> str:
    """`none was`, `1 was`, `2 were` (before "given")."""
    return "none was" if number == 0 else "1 was" if number == 1 else f"{number} were"


# ---- structs and records
# --------------------------------------------------------------------------------------------------


@handles(ast.StructLit)
def check_struct(f: Fn, node: ast.StructLit, expected: Type | None) -> core.Expr:
    """`PERSON { NAME: "a", AGE: 3 }`, and literals of aliases."""
    symbol = find_type(f.checker, f.scope, node.type)
    if symbol is None:
        if len(node.type.path) == 1 and node.type.name in ("OPTION", "RESULT", "int", "string"):
            f.error(codes.S3002, "not_a_value", node.type.span, name=node.type.name, kind="type")
        else:
            report_unknown(f.checker, f.scope, f.env, node.type)
        for entry in node.entries:
            check(f, entry.value)
        return error_expr(node.span)
    type_ = _literal_type(f, symbol, node, expected)
    if isinstance(type_, (model.StructType, model.RecordType)):
        return _make_fields(f, type_, node.entries, node.span, node.type.span)
    if isinstance(type_, model.MapType):
        return _make_map(f, type_, node.entries, node.span)
    if not isinstance(type_, model.ErrorType):
        f.error(codes.S3002, "not_a_value", node.type.span, name=symbol.name, kind="type without fields")
    for entry in node.entries:
        check(f, entry.value)
    return error_expr(node.span)


def _literal_type(f: Fn, symbol: TypeSymbol, node: ast.StructLit, expected: Type | None) -> Type:
    decl = symbol.decl
    if decl is not None and decl.kind == "struct" and decl.params and not node.type.args:
        return struct_instance(f, decl, expected)
    args = tuple(resolve_type(f.checker, f.scope, f.env, a) for a in node.type.args)
    return prune(apply_symbol(f.checker, symbol, args, node.type))


def struct_instance(f: Fn, decl: NominalDecl, expected: Type | None) -> model.StructType:
    """The instance of a struct whose type arguments a literal leaves out."""
    want = prune(expected) if expected is not None else None
    if isinstance(want, model.StructType) and want.decl is decl:
        return want
    return model.StructType(decl, tuple(f.fresh() for _ in decl.params))


def _make_fields(
    f: Fn, type_: model.StructType | model.RecordType, entries: tuple[ast.Entry, ...], span: Span, place: Span
) -> core.Expr:
    fields = model.struct_fields(type_)
    index_of = {name: i for i, (name, _) in enumerate(fields)}
    made: dict[int, tuple[int, core.Expr]] = {}  # by position in the text, the order of evaluation
    given_at: dict[str, Span] = {}
    for position in literals_last([is_int_literal(entry.value) for entry in entries]):
        entry = entries[position]
        key = entry.key
        if isinstance(key, ast.StringLit) and key.value in index_of:
            fix = Fix(f"write `{key.value}`", (Edit(key.span, key.value),), "safe")
            f.error(codes.S3007, "unknown", key.span, name=key.span.text, type=show(type_), fixes=[fix],
                    helps=["the names of fields stand without quotes"])  # fmt: skip
            key = ast.NameRef(key.span, key.value)
        if not isinstance(key, ast.NameRef):
            f.error(codes.S3007, "unknown", key.span, name=key.span.text, type=show(type_))
            check(f, entry.value)
            continue
        index = index_of.get(key.name)
        if key.name in given_at:
            f.error(codes.S3007, "repeated", key.span, name=key.name, also=[(given_at[key.name], "first given here")])
            check(f, entry.value)
            continue
        given_at[key.name] = key.span
        if index is None:
            _unknown_field(f, type_, key, [n for n, _ in fields if n not in given_at])
            check(f, entry.value)
            continue
        made[position] = index, check_as(f, entry.value, fields[index][1], also=_field_place(type_, key.name))
    missing = [name for name in index_of if name not in given_at]
    unknown = [name for name in given_at if name not in index_of]
    if (missing and len(unknown) < len(missing)) or (missing and not unknown):
        _missing_fields(f, type_, missing, span, place)
    slots = [made[position][0] for position in sorted(made)]
    values = [made[position][1] for position in sorted(made)]
    if missing:
        for name in missing:
            slots.append(index_of[name])
            values.append(error_expr(span))
    return core.MakeStruct(type_, span, slots, values)


def _field_place(type_: Type, name: str) -> list[tuple[Span, str]]:
    if isinstance(type_, model.StructType) and name in type_.decl.field_spans:
        return [(type_.decl.field_spans[name], "the field is declared here")]
    return []


def _unknown_field(f: Fn, type_: Type, key: ast.NameRef, free: list[str]) -> None:
    also = [(type_.decl.span, "declared here")] if isinstance(type_, model.StructType) and type_.decl.span else []
    f.error(codes.S3007, "unknown", key.span, name=key.name, type=show(type_), also=also,
            **names.suggest(key.name, free, key.span))  # fmt: skip


def _missing_fields(f: Fn, type_: Type, missing: list[str], span: Span, place: Span) -> None:
    also = [(type_.decl.span, "declared here")] if isinstance(type_, model.StructType) and type_.decl.span else []
    fields = dict(model.struct_fields(type_))  # type: ignore[arg-type]  # a struct or record
    helps = [f"add {', '.join(f'`{name}: {show(fields[name])}`' for name in missing)}"]
    if len(missing) == 1:
        f.error(codes.S3007, "missing", place, name=missing[0], type=show(type_), also=also, helps=helps)
    else:
        listed = ", ".join(f"`{name}`" for name in missing)
        f.error(codes.S3007, "missing_many", place, names=listed, type=show(type_), also=also, helps=helps)


def construct_struct(f: Fn, decl: NominalDecl, type_: model.StructType, args: list[Arg], span: Span) -> core.Expr:
    """`PERSON("a", 3)`: all fields in order of declaration."""
    fields = model.struct_fields(type_)
    if len(fields) != len(args):
        also = [(decl.span, "declared here")] if decl.span else []
        shown = ", ".join(f"{name}: {show(t)}" for name, t in fields)
        f.error(codes.S3006, "call", span, name=decl.name, want=count(len(fields), "field"), got=given(len(args)),
                also=also, notes=[f"the fields are {shown}"])  # fmt: skip
        for arg in args:
            _value(f, arg, None)
        return error_expr(span)
    values = [error_expr(span)] * len(args)
    for i in literals_last([is_int_literal(arg.node) for arg in args]):
        name, want = fields[i]
        values[i] = _argument(f, args[i], want, span, "argument", index=i + 1, name=decl.name,
                              also=_field_place(type_, name))  # fmt: skip
    return core.MakeStruct(type_, span, list(range(len(values))), values)


@handles(ast.BraceLit)
def check_braces(f: Fn, node: ast.BraceLit, expected: Type | None) -> core.Expr:
    """`{ A: 1 }` is a record when its keys are bare words, else a map; `{}` is a map unless a record is expected."""
    want = prune(expected) if expected is not None else None
    if isinstance(want, model.NullableType):
        want = prune(want.inner)
    if not node.entries:
        if isinstance(want, model.RecordType):
            return _make_fields(f, want, (), node.span, node.span)
        return _make_map(f, _map_type(f, want, node.span), (), node.span)
    is_record = all(isinstance(e.key, ast.NameRef) for e in node.entries)
    if not is_record or isinstance(want, model.MapType):
        return _make_map(f, _map_type(f, want, node.span), node.entries, node.span, want)
    if isinstance(want, model.RecordType):
        return _make_fields(f, want, node.entries, node.span, node.span)
    return _open_record(f, node, want)


def _open_record(f: Fn, node: ast.BraceLit, want: Type | None) -> core.Expr:
    hints = dict(model.struct_fields(want)) if isinstance(want, model.StructType) else {}
    fields: dict[str, core.Expr] = {}
    for entry in node.entries:
        assert isinstance(entry.key, ast.NameRef)
        value = check(f, entry.value, hints.get(entry.key.name))
        if entry.key.name in fields:
            f.error(codes.S3007, "repeated", entry.key.span, name=entry.key.name)
            continue
        fields[entry.key.name] = any_if_none(f, value)
    type_ = f.checker.record(tuple((name, value.type) for name, value in fields.items()))
    slots = [[n for n, _ in type_.fields].index(name) for name in fields]
    return core.MakeStruct(type_, node.span, slots, list(fields.values()))


def any_if_none(f: Fn, value: core.Expr) -> core.Expr:
    """A value of type `none` where a variable or field is to hold it: NONE alone gives a nullable, no value an any."""
    if isinstance(prune(value.type), model.NeverType):
        return leaving_value(value)
    if prune(value.type) is NONE:
        if isinstance(value, core.NoneLit):
            return coerce(f, value, f.fresh(from_none=True)) or value
        return coerce(f, value, ANY) or value
    return value


# ---- lists and maps
# ----------------------------------------------------------------------------------------------------------


@handles(ast.ListLit)
def check_list(f: Fn, node: ast.ListLit, expected: Type | None) -> core.Expr:
    """`[1, 2]`, `LIST<T> []`."""
    want = prune(expected) if expected is not None else None
    if isinstance(want, model.NullableType):
        want = prune(want.inner)
    if node.type is not None:
        type_ = prune(resolve_type(f.checker, f.scope, f.env, node.type)) if node.type.args else None
        if isinstance(type_, model.ListType):
            want = type_
        elif type_ is not None:
            if not isinstance(type_, model.ErrorType):
                f.error(codes.S3002, "no_list", node.type.span, type=show(type_))
            for item in node.items:
                check(f, item)
            return error_expr(node.span)
    if isinstance(want, model.ListType):
        items = [check_as(f, item, want.element, "assign") for item in node.items]
        return (core.MakeList if node.type is None else WrittenList)(want, node.span, items)
    hint = ANY if want is ANY else None
    values = [check(f, item, hint) for item in node.items]
    element = f.fresh(origin=node.span)
    return core.MakeList(model.ListType(element), node.span, _same_elements(f, values, element, want))


def _same_elements(
    f: Fn, values: list[core.Expr], element: Type, want: Type | None, mixed: str = "LIST<any> [...]"
) -> list[core.Expr]:
    """Literal elements of one type: the first that has a type decides; int literals among floats are floats. Where an
    any is wanted, elements of different types are any."""
    order: list[int] = list(range(len(values)))
    if any(prune(v.type) is FLOAT for v in values) and all(prune(v.type) in (FLOAT, INT) for v in values):
        f.unifier.unify(element, FLOAT)
    elif any(prune(v.type) is ANY for v in values):
        f.unifier.unify(element, ANY)
    elif len({id(prune(v.type)) for v in values}) > 1:
        # NONE first: it makes the elements nullable, or is the NONE of an OPTION.
        order.sort(key=lambda i: 0 if isinstance(values[i], core.NoneLit) else 1 + may_adapt(values[i]))
        if not _alike(f, [values[i] for i in order]):
            order.sort()
            if want is ANY:
                f.unifier.unify(element, ANY)
    found: list[core.Expr | None] = [None] * len(values)
    first: core.Expr | None = None
    for i in order:
        value = values[i]
        found[i] = coerce(f, value, element)
        if found[i] is None:
            a, b = show(element), show(value.type)
            also = [(first.span, f"this is `{a}`")] if first is not None else []
            f.error(codes.S3002, "elements", value.span, f"this is `{b}`", left=a, right=b, also=also,
                    helps=[f"values of different types need the type `any`: `{mixed}`"])  # fmt: skip
        else:
            first = first or value
    return [value for value in found if value is not None]


def _alike(f: Fn, values: list[core.Expr]) -> bool:
    """Whether elements can have one type without becoming any."""
    element = f.fresh()
    mark = f.unifier.begin()
    fits = all(isinstance(v, core.NoneLit) or conversion_cost(f, v, element) is not None for v in values)
    f.unifier.rollback(mark)
    return fits


@handles(ast.MapLit)
def check_map(f: Fn, node: ast.MapLit, expected: Type | None) -> core.Expr:
    """`MAP<K, V> { ... }`, `MAP { ... }`."""
    want = prune(expected) if expected is not None else None
    if node.type.args:
        written = prune(resolve_type(f.checker, f.scope, f.env, node.type))
        if isinstance(written, model.ErrorType):
            for entry in node.entries:
                check(f, entry.value)
            return error_expr(node.span)
        want = written
        made = _make_map(f, _map_type(f, want, node.span), node.entries, node.span)
        return WrittenMap(made.type, made.span, made.entries)
    return _make_map(f, _map_type(f, want, node.span), node.entries, node.span, want)


def _map_type(f: Fn, want: Type | None, span: Span) -> model.MapType:
    if isinstance(want, model.NullableType):
        want = prune(want.inner)
    return want if isinstance(want, model.MapType) else model.MapType(f.fresh(), f.fresh(origin=span))


def _make_map(
    f: Fn, type_: model.MapType, entries: tuple[ast.Entry, ...], span: Span, want: Type | None = None
) -> core.MakeMap:
    pairs: list[tuple[core.Expr, core.Expr]] = []
    if not entries and not isinstance(prune(type_.key), model.TypeVar):
        return WrittenMap(type_, span, pairs)
    if entries and isinstance(prune(type_.value), model.TypeVar):
        return _open_map(f, type_, entries, span, want)
    for entry in entries:
        key = check_as(f, entry.key, type_.key)
        pairs.append((key, check_as(f, entry.value, type_.value)))
    if entries:
        check_key(f.checker, type_.key, entries[0].key.span, f.error)
    return core.MakeMap(type_, span, pairs)


def _open_map(
    f: Fn, type_: model.MapType, entries: tuple[ast.Entry, ...], span: Span, want: Type | None
) -> core.MakeMap:
    keys: list[core.Expr] = []
    values: list[core.Expr] = []
    hint = ANY if want is ANY else None
    for entry in entries:
        keys.append(check(f, entry.key))
        values.append(check(f, entry.value, hint))
    made_keys = _same_elements(f, keys, type_.key, want, "MAP<any, ...> { ... }")
    made_values = _same_elements(f, values, type_.value, want, "MAP<string, any> { ... }")
    check_key(f.checker, type_.key, entries[0].key.span, f.error)
    return core.MakeMap(type_, span, list(zip(made_keys, made_values, strict=False)))


# ---- channels
# ------------------------------------------------------------------------------------------------------------------


@handles(ast.ChannelLit)
def check_channel(f: Fn, node: ast.ChannelLit, expected: Type | None) -> core.Expr:
    """`CHANNEL<T>()`, `MAKE_CHANNEL<T>(CAPACITY 8)`, `MAKE_CHANNEL<T>(UNBOUNDED)`."""
    want = prune(expected) if expected is not None else None
    if node.elem is not None:
        element = resolve_type(f.checker, f.scope, f.env, node.elem)
    elif isinstance(want, model.ChannelType):
        element = want.element
    else:
        element = f.fresh(origin=node.span)
    capacity: core.Expr | None = core.IntLit(INT, node.span, DEFAULT_CAPACITY)
    if node.unbounded:
        capacity = None
    elif node.capacity is not None:
        capacity = check_as(f, node.capacity, INT)
    return core.MakeChannel(model.ChannelType(element), node.span, capacity)


def made_by_alias(f: Fn, symbol: TypeSymbol, type_: Type, args: list[Arg], span: Span) -> core.Expr:
    """A call of an alias: `EVENTS()` makes a channel, `TIMESTAMP(5)` is the value as that type."""
    type_ = prune(type_)
    if isinstance(type_, model.ChannelType) and not args:
        return core.MakeChannel(type_, span, core.IntLit(INT, span, DEFAULT_CAPACITY))
    if isinstance(type_, model.ListType) and not args:
        return core.MakeList(type_, span, [])
    if isinstance(type_, model.MapType) and not args:
        return WrittenMap(type_, span, [])
    if isinstance(type_, model.StructType):
        return construct_struct(f, type_.decl, type_, args, span)
    if len(args) == 1:
        return _argument(f, args[0], type_, span)
    if not isinstance(type_, model.ErrorType):
        f.error(codes.S3006, "call", span, name=symbol.name, want="1 argument", got=given(len(args)))
    return error_expr(span)
