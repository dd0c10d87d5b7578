"""Conversions: one handler for each `Convert.kind` of the core."""

from __future__ import annotations

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.lower.dispatch import CONVERSIONS, EXPRS, handles
from nxdc.mir.lower.exprs import tag_of
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.ops import Block, Const, Value
from nxdc.mir.types import form_of
from nxdc.problem import CompilerBug
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type


@handles(EXPRS, core.Convert)
def lower_convert(low: FunctionLowerer, node: core.Convert) -> Value:
    """`value` as `type`."""
    return CONVERSIONS[node.kind](low, node)


@handles(CONVERSIONS, "view")
def lower_view(low: FunctionLowerer, node: core.Convert) -> Value:
    """BORROW: only the checker cares."""
    return low.expr(node.value)


@handles(CONVERSIONS, "to_any")
def lower_to_any(low: FunctionLowerer, node: core.Convert) -> Value:
    """Anything to any."""
    return to_any(low, low.expr(node.value), node.value.type, node.span)


def to_any(low: FunctionLowerer, value: Value, type_: Type, span: Span, target: Type = model.ANY) -> Value:
    """A value of a type as an any (or nullable)."""
    if type_ == target:
        return value
    if type_ == model.NONE:
        return Const(target, None)
    low.types.descriptor(type_)
    dst = low.temp(target)
    if isinstance(type_, (model.NullableType, model.BoxType)) or type_ == model.ANY:
        low.emit(ops.Assign(span, [value], dst=dst))  # an any word already
    else:
        low.emit(ops.Box(span, [value], dst=dst))
    return dst


@handles(CONVERSIONS, "elements")
def lower_elements(low: FunctionLowerer, node: core.Convert) -> Value:
    """The elements of the list an any holds, as a list of its own."""
    value = low.expr(node.value)
    low.types.descriptor(node.type)
    return low.runtime("nxd_any_elements", [value], "a", node.span, result=node.type, fallible=True)


@handles(CONVERSIONS, "from_any")
def lower_from_any(low: FunctionLowerer, node: core.Convert) -> Value:
    """any to a concrete type, checked."""
    value = low.expr(node.value)
    inner = node.value
    if node.type == model.BOOL and isinstance(inner, core.Intrinsic) and inner.name == "any_binary":
        # Comparisons and membership tests give a bool whatever the operands are.
        dst = low.temp(model.BOOL)
        low.emit(ops.Unbox(node.span, [value], borrow=True, dst=dst))
        return dst
    return from_any(low, value, node.type, node.span)


def from_any(low: FunctionLowerer, value: Value, target: Type, span: Span) -> Value:
    """An any as a `target`; E5002 when it holds something else."""
    if target == model.ANY:
        return value
    if isinstance(target, model.NullableType):
        return _nullable_from_any(low, value, target, span)
    return low.runtime("nxd_any_cast", [value], "a", span, result=target, fallible=True, taken=(True,), extra=(target,))


def _nullable_from_any(low: FunctionLowerer, value: Value, target: model.NullableType, span: Span) -> Value:
    result = low.temp(target)
    none, some, end = Block("none"), Block("some"), Block("nullable")
    low.branch(low.prim("is_none_any", [value], model.BOOL, span), none, some, span)
    low.start(none)
    low.emit(ops.Assign(span, [Const(target, None)], dst=result))
    low.goto(end, span)
    low.start(some)
    inner = from_any(low, value, target.inner, span)
    low.emit(ops.Assign(span, [to_any(low, inner, target.inner, span, target)], dst=result))
    low.goto(end, span)
    low.start(end)
    return result


@handles(CONVERSIONS, "narrowed")
def lower_narrowed(low: FunctionLowerer, node: core.Convert) -> Value:
    """An any or nullable that flow has proven to hold the type."""
    value = low.expr(node.value)
    return unbox(low, value, node.type, node.span)


def unbox(low: FunctionLowerer, value: Value, target: Type, span: Span) -> Value:
    """An any proven to hold a `target`."""
    if target == model.NONE:
        return Const(model.NONE, None)
    dst = low.temp(target)
    same = target == model.ANY or isinstance(target, (model.NullableType, model.BoxType))
    low.emit(ops.Assign(span, [value], dst=dst) if same else ops.Unbox(span, [value], borrow=not dst.counted, dst=dst))
    return dst


@handles(CONVERSIONS, "nullable")
def lower_nullable(low: FunctionLowerer, node: core.Convert) -> Value:
    """T or none to nullable T."""
    return to_any(low, low.expr(node.value), node.value.type, node.span, node.type)


@handles(CONVERSIONS, "not_none")
def lower_not_none(low: FunctionLowerer, node: core.Convert) -> Value:
    """Nullable T to T; E1006 when it is none."""
    value = low.expr(node.value)
    none, some = Block("is_none", cold=True), Block("some")
    low.branch(low.prim("is_none_any", [value], model.BOOL, node.span), none, some, node.span)
    low.start(none)
    low.raise_code(1006, node.span)
    low.start(some)
    return unbox(low, value, node.type, node.span)


@handles(CONVERSIONS, "int_to_float")
def lower_int_to_float(low: FunctionLowerer, node: core.Convert) -> Value:
    """An int as a float."""
    value = low.expr(node.value)
    if isinstance(value, Const):
        assert isinstance(value.value, int)
        return Const(model.FLOAT, float(value.value))
    return low.prim("int_to_float", [value], model.FLOAT, node.span)


@handles(CONVERSIONS, "cast")
def lower_cast(low: FunctionLowerer, node: core.Convert) -> Value:
    """AS."""
    source, target, span = node.value.type, node.type, node.span
    if source == model.INT and target == model.FLOAT:
        return lower_int_to_float(low, node)
    value = low.expr(node.value)
    if source == target:
        return value
    if target == model.STRING and source != model.ANY:
        return low.runtime("nxd_format", [value], "w", span, result=target, letter="p", extra=(source,))
    symbol = _CASTS.get((source, target))
    if symbol is not None:
        return low.runtime(symbol[0], [value], symbol[1], span, result=target, fallible=True, pure=True)
    if isinstance(target, model.UnionType) and source == model.NONE:
        return Const(target, ("unit", 1))
    if target == model.ANY or isinstance(target, (model.NullableType, model.BoxType)):
        return to_any(low, value, source, span, target)
    if source == model.ANY and target in _NUMBERS_AND_TEXT:
        return low.runtime(
            "nxd_any_as", [value], "a", span, result=target, fallible=True, taken=(True,), extra=(target,)
        )
    if source == model.ANY or isinstance(source, (model.NullableType, model.BoxType)):
        return from_any(low, value, target, span)
    if form_of(source) is form_of(target):
        dst = low.temp(target)
        low.emit(ops.Assign(span, [value], dst=dst))
        return dst
    raise CompilerBug("mir", f"no cast from {source} to {target}", low.source.name)


_NUMBERS_AND_TEXT = (model.INT, model.FLOAT, model.STRING)  # what AS makes of values of other types

_CASTS: dict[tuple[Type, Type], tuple[str, str]] = {
    (model.FLOAT, model.INT): ("nxd_float_to_int", "f"),
    (model.STRING, model.INT): ("nxd_string_to_int", "p"),
    (model.STRING, model.FLOAT): ("nxd_string_to_float", "p"),
}


@handles(CONVERSIONS, "payload")
def lower_payload_conversion(low: FunctionLowerer, node: core.Convert) -> Value:
    """OPTION and RESULT to another instance: a new union with the payload converted."""
    value = low.expr(node.value)
    return convert_payloads(low, value, node.value.type, node.type, node.span)


def convert_payloads(low: FunctionLowerer, value: Value, source: Type, target: Type, span: Span) -> Value:
    """See `lower_payload_conversion`; payloads may be unions to convert as well."""
    assert isinstance(source, model.UnionType) and isinstance(target, model.UnionType)
    if isinstance(value, Const):
        return Const(target, value.value)
    low.types.descriptor(target)
    result = low.temp(target)
    end = Block("converted")
    cases: list[tuple[int, Block]] = []
    variants = list(zip(model.union_variants(source), model.union_variants(target), strict=True))
    for tag, ((name, _), _) in enumerate(variants):
        cases.append((tag, Block(name.lower())))
    low.terminate(ops.Switch(span, tag_of(low, value, span), cases[:-1], cases[-1][1]))
    for (tag, block), ((_, have), (_, want)) in zip(cases, variants, strict=True):
        low.start(block)
        if have:
            words: list[Value] = []
            for index, (a, b) in enumerate(zip(have, want, strict=True)):
                word = low.temp(a)
                low.emit(ops.LoadField(span, [value], kind="payload", index=index, dst=word))
                words.append(convert(low, word, a, b, span))
            low.emit(ops.NewUnion(span, words, type=target, variant=tag, dst=result))
        else:
            low.emit(ops.Assign(span, [Const(target, ("unit", tag))], dst=result))
        low.goto(end, span)
    low.start(end)
    return result


def convert(low: FunctionLowerer, value: Value, source: Type, target: Type, span: Span) -> Value:
    """A word of a payload converted from one instance to another."""
    if source == target:
        return value
    if target == model.ANY or isinstance(target, model.NullableType):
        return to_any(low, value, source, span, target)
    if source == model.ANY or isinstance(source, model.NullableType):
        return from_any(low, value, target, span)
    if isinstance(source, model.UnionType):
        return convert_payloads(low, value, source, target, span)
    dst = low.temp(target)
    low.emit(ops.Assign(span, [value], dst=dst))
    return dst


@handles(CONVERSIONS, "record")
def lower_record_conversion(low: FunctionLowerer, node: core.Convert) -> Value:
    """A struct or record to a record type: a new record with the wanted fields."""
    value = low.expr(node.value)
    source, target, span = node.value.type, low.types.canonical(node.type), node.span
    assert isinstance(source, (model.StructType, model.RecordType)) and isinstance(target, model.RecordType)
    places = {name: index for index, (name, _) in enumerate(model.struct_fields(source))}
    types = dict(model.struct_fields(source))
    words: list[Value] = []
    for name, want in target.fields:
        word = low.temp(types[name])
        slot = low.types.field_slot(source, places[name])
        low.emit(ops.LoadField(span, [value], kind="struct", index=slot, dst=word))
        words.append(convert(low, word, types[name], want, span))
    dst = low.temp(target)
    low.emit(ops.NewStruct(span, words, type=target, dst=dst))
    return dst


@handles(CONVERSIONS, "channel")
def lower_channel_conversion(low: FunctionLowerer, node: core.Convert) -> Value:
    """CHANNEL<T> to or from CHANNEL<any>: the same object; from now on all sends and receives ask it for its element
    type.
    """
    value = low.expr(node.value)
    low.instances.converts_channels = True
    dst = low.temp(node.type)
    low.emit(ops.Assign(node.span, [value], dst=dst))
    return dst


@handles(CONVERSIONS, "any_channel")
def lower_any_channel(low: FunctionLowerer, node: core.Convert) -> Value:
    """The channel that an any holds; what goes through it is checked."""
    low.instances.converts_channels = True
    return _held(low, node, "nxd_any_channel")


@handles(CONVERSIONS, "any_handle")
def lower_any_handle(low: FunctionLowerer, node: core.Convert) -> Value:
    """The task or process that an any holds, for what does not look at its result."""
    return _held(low, node, "nxd_any_handle")


def _held(low: FunctionLowerer, node: core.Convert, symbol: str) -> Value:
    return low.runtime(symbol, [low.expr(node.value)], "a", node.span, result=node.type, fallible=True)
