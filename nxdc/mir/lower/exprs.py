"""Expressions without conversions, matching, errors and processes."""

from __future__ import annotations

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.builder import FALSE, NOTHING, TRUE, ZERO, int_const, string_const
from nxdc.mir.lower.dispatch import EXPRS, INTRINSICS, handles
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.ops import Block, Const, Reg, Value
from nxdc.mir.types import Form, form_of, is_counted
from nxdc.source.span import Span
from nxdc.tables.operators import ANY_OPERATORS, CHARACTER_CLASSES, INFIX, PREFIX
from nxdc.types import model
from nxdc.types.model import Type

# ---- literals and variables ------------------------------------------------------------------------------------------


@handles(EXPRS, core.IntLit, core.FloatLit, core.BoolLit, core.StringLit)
def lower_literal(low: FunctionLowerer, node: core.IntLit) -> Value:
    """A constant."""
    return Const(node.type, node.value)


@handles(EXPRS, core.NoneLit)
def lower_none(low: FunctionLowerer, node: core.NoneLit) -> Value:
    """NONE of type none, any or nullable."""
    return Const(node.type, None)


@handles(EXPRS, core.EnumLit)
def lower_enum(low: FunctionLowerer, node: core.EnumLit) -> Value:
    """An ordinal."""
    return Const(node.type, node.index)


@handles(EXPRS, core.LocalRef)
def lower_local(low: FunctionLowerer, node: core.LocalRef) -> Value:
    """A variable; that MOVE ends it is found by liveness."""
    return low.read_local(node.local, node.span)


@handles(EXPRS, core.GlobalRef)
def lower_global(low: FunctionLowerer, node: core.GlobalRef) -> Value:
    """A module variable."""
    dst = low.temp(node.type)
    low.emit(ops.LoadGlobal(node.span, variable=low.instances.variable(node.variable), dst=dst))
    return dst


# ---- calls -----------------------------------------------------------------------------------------------------------


@handles(EXPRS, core.Call)
def lower_call(low: FunctionLowerer, node: core.Call) -> Value:
    """A call by name."""
    args = low.operands(node.args)
    function = low.instances.function(node.function)
    dst = None if function.result == model.NONE else low.temp(node.type)
    low.emit_fallible(ops.Call(node.span, args, function=function, dst=dst))
    return _result(low, node.type, dst, node.span)


@handles(EXPRS, core.CallValue)
def lower_call_value(low: FunctionLowerer, node: core.CallValue) -> Value:
    """A call of a function value."""
    args = low.operands((node.callee, *node.args))
    dst = None if node.type in (model.NONE, model.NEVER) else low.temp(node.type)
    low.emit_fallible(ops.CallClosure(node.span, args, dst=dst))
    return _result(low, node.type, dst, node.span)


def _result(low: FunctionLowerer, type_: Type, dst: Reg | None, span: Span) -> Value:
    if type_ == model.NEVER:
        low.terminate(ops.Unreachable(span))
    return NOTHING if dst is None else dst


@handles(EXPRS, core.FuncRef)
def lower_func_ref(low: FunctionLowerer, node: core.FuncRef) -> Value:
    """A named function as a value."""
    assert isinstance(node.type, model.FuncType)
    code = low.instances.wrapper(node.function, node.type)
    return _closure(low, node, code, [])


@handles(EXPRS, core.Lambda)
def lower_lambda(low: FunctionLowerer, node: core.Lambda) -> Value:
    """A function value with its captures: cells are shared, other variables never change after the capture."""
    code = low.instances.closure_code(node.function, node.type)
    return _closure(low, node, code, [low.locals[local] for local in node.captures])


def _closure(low: FunctionLowerer, node: core.Expr, code: ops.Function, captures: list[Value]) -> Value:
    dst = low.temp(node.type)
    low.emit(ops.NewClosure(node.span, captures, function=code, dst=dst))
    return dst


# ---- control ---------------------------------------------------------------------------------------------------------


@handles(EXPRS, core.ShortCircuit, core.PatternTest)
def lower_condition(low: FunctionLowerer, node: core.Expr) -> Value:
    """AND, OR, MATCHES as a value."""
    return low.materialize(node)


@handles(EXPRS, core.IfExpr)
def lower_if_expr(low: FunctionLowerer, node: core.IfExpr) -> Value:
    """IF THEN ELSE."""
    then, otherwise, end = Block("then"), Block("else"), Block("endif")
    result = low.temp(node.type)
    low.condition(node.condition, then, otherwise)
    for block, branch in ((then, node.then), (otherwise, node.otherwise)):
        low.start(block)
        value = low.expr(branch)
        low.assign(result, value, branch.span)
        low.goto(end, branch.span)
    low.start(end)
    return NOTHING if node.type == model.NEVER else result


@handles(EXPRS, core.BlockExpr)
def lower_block_expr(low: FunctionLowerer, node: core.BlockExpr) -> Value:
    """Statements, then a value."""
    low.body(node.body)
    if node.value is None:
        return NOTHING
    if low.dead:  # then the locals of the body have no registers: `LET A SET TRY 3 CATCH E:` with LET B under it
        return NOTHING if node.type in (model.NONE, model.NEVER) else Const(node.type, ops.UNINIT)
    return low.expr(node.value)


# ---- construction ----------------------------------------------------------------------------------------------------


@handles(EXPRS, core.MakeStruct)
def lower_make_struct(low: FunctionLowerer, node: core.MakeStruct) -> Value:
    """Fields are evaluated as written and stand in the order of the words."""
    values = low.operands(node.fields)
    type_ = low.types.canonical(node.type)
    words: list[Value] = [NOTHING] * len(values)
    for slot, value in zip(node.slots, values, strict=True):
        words[low.types.field_slot(node.type, slot)] = value
    dst = low.temp(type_)
    low.emit(ops.NewStruct(node.span, words, type=type_, dst=dst))
    return dst


@handles(EXPRS, core.MakeUnion)
def lower_make_union(low: FunctionLowerer, node: core.MakeUnion) -> Value:
    """Variants without payload are constants."""
    low.types.descriptor(node.type)
    if not node.payload:
        return Const(node.type, ("unit", node.variant))
    words = low.operands(node.payload)
    dst = low.temp(node.type)
    low.emit(ops.NewUnion(node.span, words, type=node.type, variant=node.variant, dst=dst))
    return dst


@handles(EXPRS, core.MakeList)
def lower_make_list(low: FunctionLowerer, node: core.MakeList) -> Value:
    """A list literal."""
    elements = low.operands(node.elements)
    low.types.descriptor(node.type)
    dst = low.temp(node.type)
    low.emit(ops.NewList(node.span, elements, type=node.type, dst=dst))
    return dst


@handles(EXPRS, core.MakeMap)
def lower_make_map(low: FunctionLowerer, node: core.MakeMap) -> Value:
    """A map literal: entries are set in order. Nobody has seen the map yet, so this changes nothing in the sense of
    opt/sharing.
    """
    flat = low.operands([part for entry in node.entries for part in entry])
    made = low.runtime(
        "nxd_map_new", [int_const(low.types.number(node.type))], "i", node.span, result=node.type, letter="p"
    )
    for key, value in zip(flat[::2], flat[1::2], strict=True):
        low.runtime("nxd_map_set", [made, key, value], "pww", node.span, taken=(False, True, True))
    return made


@handles(EXPRS, core.CloneExpr)
def lower_clone(low: FunctionLowerer, node: core.CloneExpr) -> Value:
    """CLONE: values that cannot change are their own copies."""
    value = low.expr(node.value)
    if not is_counted(node.type) or node.type == model.STRING:
        return value
    return low.runtime("nxd_clone", [value], "w", node.span, result=node.type, extra=(node.type,))


# ---- reading parts ---------------------------------------------------------------------------------------------------


@handles(EXPRS, core.GetField)
def lower_get_field(low: FunctionLowerer, node: core.GetField) -> Value:
    """A field of a struct or record."""
    target = low.expr(node.object)
    dst = low.temp(node.type)
    slot = low.types.field_slot(node.object.type, node.index)
    low.emit(ops.LoadField(node.span, [target], kind="struct", index=slot, dst=dst))
    return dst


@handles(EXPRS, core.Payload)
def lower_payload(low: FunctionLowerer, node: core.Payload) -> Value:
    """A payload word of a union value whose variant is known."""
    target = low.expr(node.object)
    dst = low.temp(node.type)
    low.emit(ops.LoadField(node.span, [target], kind="payload", index=node.index, dst=dst))
    return dst


@handles(EXPRS, core.GetIndex)
def lower_get_index(low: FunctionLowerer, node: core.GetIndex) -> Value:
    """L[I], M[K], S[I]."""
    target, index = low.pair(node.object, node.index)
    container = node.object.type
    if isinstance(container, model.ListType):
        dst = low.temp(node.type)
        low.emit_fallible(ops.ListGet(node.span, [target, index], dst=dst))
        return dst
    if isinstance(container, model.MapType):
        dst = low.temp(node.type)
        low.emit_fallible(ops.MapGet(node.span, [target, index], dst=dst))
        return dst
    if container == model.STRING:
        return low.runtime(
            "nxd_string_at", [target, index], "pi", node.span, result=node.type, fallible=True, pure=True
        )
    return low.runtime("nxd_any_index", [target, index], "aa", node.span, result=node.type, fallible=True)


@handles(EXPRS, core.AnyField)
def lower_any_field(low: FunctionLowerer, node: core.AnyField) -> Value:
    """A field found at run time."""
    target = low.expr(node.object)
    return low.runtime(
        "nxd_any_field", [target, string_const(node.name)], "ap", node.span, result=node.type, fallible=True
    )


# ---- tests -----------------------------------------------------------------------------------------------------------


@handles(EXPRS, core.IsTest)
def lower_is(low: FunctionLowerer, node: core.IsTest) -> Value:
    """IS."""
    value = low.expr(node.value)
    span = node.span
    if node.kind == "none":
        return low.prim("is_none_any", [value], model.BOOL, span)
    if node.kind == "variant":
        return low.prim("eq_int", [tag_of(low, value, span), int_const(node.variant)], model.BOOL, span)
    if node.kind == "any_variant":
        return low.runtime(
            "nxd_any_is_variant", [value, string_const(node.name)], "ap", span, result=model.BOOL, letter="i"
        )
    if node.kind == "empty":
        return low.prim("eq_int", [length_of(low, value, node.value.type, span), ZERO], model.BOOL, span)
    assert node.target is not None
    if node.kind == "alike":
        return low.runtime("nxd_any_is_alike", [value], "a", span, result=model.BOOL, letter="i", extra=(node.target,))
    return is_type(low, value, node.target, span)


def is_type(low: FunctionLowerer, value: Value, target: Type, span: Span) -> Value:
    """Whether an any (or nullable) holds a `target`."""
    if target == model.NONE:
        return low.prim("is_none_any", [value], model.BOOL, span)
    return low.runtime("nxd_any_is", [value], "a", span, result=model.BOOL, letter="i", extra=(target,))


def tag_of(low: FunctionLowerer, value: Value, span: Span) -> Value:
    """The variant number of a union value."""
    if isinstance(value, Const):
        assert isinstance(value.value, tuple)
        return int_const(value.value[1])
    return low.prim("tag", [value], model.INT, span)


def length_of(low: FunctionLowerer, value: Value, type_: Type, span: Span) -> Value:
    """LEN."""
    if type_ == model.STRING:
        return low.prim("string_length", [value], model.INT, span)
    if isinstance(type_, model.ListType):
        return low.prim("list_length", [value], model.INT, span)
    if isinstance(type_, model.MapType):
        return low.prim("map_length", [value], model.INT, span)
    return low.runtime("nxd_any_length", [value], "a", span, result=model.INT, fallible=True)


# ---- operators -------------------------------------------------------------------------------------------------------

# Inline operators by name: whether they can fail.
INLINE: dict[str, bool] = {row.inline: bool(row.raises) for op in (*INFIX, *PREFIX) for row in op.rows if row.inline}


@handles(EXPRS, core.Intrinsic)
def lower_intrinsic(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """An operator on operands of known types."""
    fails = INLINE.get(node.name)
    if fails is None:
        return INTRINSICS[node.name](low, node)
    args = low.operands(node.args)
    if not fails:
        return low.prim(node.name, args, node.type, node.span)
    dst = low.temp(node.type)
    low.emit_fallible(ops.Checked(node.span, args, name=node.name, dst=dst))
    return dst


def negated(low: FunctionLowerer, value: Value, span: Span) -> Value:
    """NOT."""
    if isinstance(value, Const):
        return FALSE if value.value else TRUE
    return low.prim("not", [value], model.BOOL, span)


_FORM_EQUAL = {Form.INT: "eq_int", Form.FLOAT: "eq_float", Form.BOOL: "eq_bool"}


def equal(low: FunctionLowerer, left: Value, right: Value, type_: Type, span: Span) -> Value:
    """Whether two values of a type are equal."""
    if type_ == model.NONE:
        return TRUE
    name = _FORM_EQUAL.get(form_of(type_))
    if name is not None:
        return low.prim(name, [left, right], model.BOOL, span)
    if type_ == model.STRING:
        return low.runtime("nxd_string_equal", [left, right], "pp", span, result=model.BOOL, letter="i", pure=True)
    if isinstance(type_, model.UnionType) and (unit := _unit_variant(left) or _unit_variant(right)) is not None:
        # A variant without payload is equal to nothing but itself.
        value = right if _unit_variant(left) is not None else left
        return low.prim("eq_int", [tag_of(low, value, span), int_const(unit[0])], model.BOOL, span)
    return low.runtime("nxd_equal", [left, right], "ww", span, result=model.BOOL, letter="i", extra=(type_,))


def _unit_variant(value: Value) -> tuple[int] | None:
    if isinstance(value, Const) and isinstance(value.value, tuple) and value.value[0] == "unit":
        return (value.value[1],)
    return None


@handles(INTRINSICS, "eq_string", "neq_string", "eq_value", "neq_value")
def lower_equality(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """EQ, NEQ."""
    left, right = low.pair(node.args[0], node.args[1])
    result = equal(low, left, right, node.args[0].type, node.span)
    return negated(low, result, node.span) if node.name.startswith("neq") else result


@handles(INTRINSICS, "gt_string", "lt_string", "gte_string", "lte_string")
def lower_string_order(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """Order by code point."""
    left, right = low.pair(node.args[0], node.args[1])
    order = compare(low, left, right, model.STRING, node.span)
    return low.prim(node.name.replace("_string", "_int"), [order, ZERO], model.BOOL, node.span)


def compare(low: FunctionLowerer, left: Value, right: Value, type_: Type, span: Span) -> Value:
    """-1, 0 or 1."""
    return low.runtime(
        "nxd_compare",
        [left, right],
        "ww",
        span,
        result=model.INT,
        letter="i",
        extra=(type_,),
        pure=type_ == model.STRING,
    )


@handles(INTRINSICS, "in_list", "in_string", "has_key")
def lower_membership(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """IN, HAS, CONTAINS; the operands come in source order."""
    left, right = low.pair(node.args[0], node.args[1])
    container, item = (right, left) if node.op == "IN" else (left, right)
    symbol, params, pure = _MEMBERSHIP[node.name]
    return low.runtime(symbol, [container, item], params, node.span, result=model.BOOL, letter="i", pure=pure)


_MEMBERSHIP = {
    "in_list": ("nxd_list_contains", "pw", False),
    "in_string": ("nxd_string_contains", "pp", True),
    "has_key": ("nxd_map_has", "pw", False),
}


@handles(INTRINSICS, "contains_class")
def lower_contains_class(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """S CONTAINS NON_DIGIT; the class is numbered as in tables/operators.py."""
    text = low.expr(node.args[0])
    word = node.args[1]
    assert isinstance(word, core.StringLit)
    name = word.value.removeprefix("NON_")
    args = [text, int_const(CHARACTER_CLASSES.index(name)), int_const(int(name != word.value))]
    return low.runtime("nxd_string_has_class", args, "pii", node.span, result=model.BOOL, letter="i", pure=True)


@handles(INTRINSICS, "starts_with", "ends_with")
def lower_affix(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """STARTSWITH, ENDSWITH."""
    args = low.operands(node.args)
    return low.runtime(f"nxd_string_{node.name}", args, "pp", node.span, result=model.BOOL, letter="i", pure=True)


@handles(INTRINSICS, "pow_int")
def lower_pow_int(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """Checked power."""
    args = low.operands(node.args)
    return low.runtime("nxd_int_pow", args, "ii", node.span, result=model.INT, fallible=True, pure=True)


@handles(INTRINSICS, "pow_float")
def lower_pow_float(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """Power."""
    args = low.operands(node.args)
    return low.runtime("nxd_float_pow", args, "ff", node.span, result=model.FLOAT, letter="f", pure=True)


@handles(INTRINSICS, "any_binary")
def lower_any_binary(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """An operator found at run time."""
    args = [int_const(ANY_OPERATORS.index(node.op)), *low.operands(node.args)]
    return low.runtime("nxd_any_binary", args, "iaa", node.span, result=node.type, fallible=True)


@handles(INTRINSICS, "any_negate")
def lower_any_negate(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """SUB X on an any."""
    return low.runtime("nxd_any_negate", low.operands(node.args), "a", node.span, result=node.type, fallible=True)


@handles(INTRINSICS, "any_truth")
def lower_any_truth(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """An any as a condition."""
    return low.runtime("nxd_any_truth", low.operands(node.args), "a", node.span, result=model.BOOL, fallible=True)


# ---- text ------------------------------------------------------------------------------------------------------------


@handles(INTRINSICS, "concat")
def lower_concat(low: FunctionLowerer, node: core.Intrinsic) -> Value:
    """`A ADD B ADD C`: one accumulator to which the parts are appended; when it is unique, in place."""
    parts = concat_parts(node)
    if len(parts) == 1:
        return _as_string(low, low.expr(parts[0]), parts[0].type, node.span)
    first, second = low.pair(parts[0], parts[1])
    text = _as_string(low, first, parts[0].type, node.span)
    if len(parts) > 2:  # one piece of memory for the whole chain, most times
        args = [text, int_const(sum(_expected_bytes(part) for part in parts[1:]))]
        text = low.runtime(
            "nxd_string_reserve", args, "pi", node.span, result=model.STRING, letter="p", taken=(True, False)
        )
    text = append_value(low, text, second, parts[1].type, node.span)
    for part in parts[2:]:
        text = append_value(low, text, low.expr(part), part.type, node.span)
    return text


def _expected_bytes(part: core.Expr) -> int:
    if isinstance(part, core.StringLit):
        return len(part.value.encode())
    return 8 if part.type == model.INT else 16


def concat_parts(node: core.Expr) -> list[core.Expr]:
    """The operands of a chain of ADDs, that of nested ones on the left included; literals side by side become one,
    and an empty one that stands only for "as text" goes away.
    """
    if not isinstance(node, core.Intrinsic) or node.name != "concat":
        return [node]
    parts: list[core.Expr] = []
    for index, arg in enumerate(node.args):
        for part in concat_parts(arg) if index == 0 else [arg]:
            last = parts[-1] if parts else None
            if isinstance(last, core.StringLit) and isinstance(part, core.StringLit):
                parts[-1] = core.StringLit(model.STRING, last.span, last.value + part.value)
            else:
                parts.append(part)
    if len(parts) > 1 and isinstance(parts[0], core.StringLit) and not parts[0].value:
        del parts[0]
    return parts


def _as_string(low: FunctionLowerer, value: Value, type_: Type, span: Span) -> Value:
    if type_ == model.STRING:
        return value
    return low.runtime("nxd_format", [value], "w", span, result=model.STRING, letter="p", extra=(type_,))


def append_value(low: FunctionLowerer, text: Value, value: Value, type_: Type, span: Span) -> Value:
    """`text` (taken) with a value of any type behind it."""
    if type_ == model.STRING:
        symbol, params, extra = "nxd_append_string", "pp", ()
    elif type_ == model.INT:
        symbol, params, extra = "nxd_append_int", "pi", ()
    else:
        return low.runtime(
            "nxd_append",
            [text, value],
            "pw",
            span,
            result=model.STRING,
            letter="p",
            taken=(True, False),
            extra=(type_,),
        )
    return low.runtime(
        symbol, [text, value], params, span, result=model.STRING, letter="p", taken=(True, False), extra=extra
    )
