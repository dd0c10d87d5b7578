"""Statements without loops, matching, errors and processes."""

from __future__ import annotations

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.lower.dispatch import STMTS, handles
from nxdc.mir.lower.exprs import append_value, concat_parts
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.ops import Block, Value
from nxdc.problem import CompilerBug
from nxdc.source.span import Span
from nxdc.tables.operators import ANY_OPERATORS
from nxdc.types import model
from nxdc.types.model import Type

_ANY_ADD = ops.Const(model.INT, ANY_OPERATORS.index("ADD"))


@handles(STMTS, core.ExprStmt)
def lower_expr_stmt(low: FunctionLowerer, node: core.ExprStmt) -> None:
    """The value is dropped."""
    low.expr(node.value)


@handles(STMTS, core.Let)
def lower_let(low: FunctionLowerer, node: core.Let) -> None:
    """LET: the variable begins here, also on each round of a loop."""
    value = low.expr(node.value)
    low.bind(node.local, value, node.span)


@handles(STMTS, core.SetLocal)
def lower_set_local(low: FunctionLowerer, node: core.SetLocal) -> None:
    """X SET V."""
    value = low.expr(node.value)
    if node.local not in low.locals:  # a variable declared without a value
        low.bind(node.local, value, node.span)
    else:
        low.set_local(node.local, value, node.span)


@handles(STMTS, core.SetGlobal)
def lower_set_global(low: FunctionLowerer, node: core.SetGlobal) -> None:
    """A module variable."""
    value = low.expr(node.value)
    variable = low.instances.variable(node.variable)
    low.emit(ops.StoreGlobal(node.span, [value], variable=variable, shared=low.instances.spawns, initial=node.initial))


@handles(STMTS, core.SetField)
def lower_set_field(low: FunctionLowerer, node: core.SetField) -> None:
    """P.F SET V."""
    target, value = low.pair(node.object, node.value)
    slot = low.types.field_slot(node.object.type, node.index)
    low.emit(ops.StoreField(node.span, [target, value], kind="struct", index=slot))


@handles(STMTS, core.SetAnyField)
def lower_set_any_field(low: FunctionLowerer, node: core.SetAnyField) -> None:
    """The same on an any."""
    target, value = low.pair(node.object, node.value)
    _set_any_field(low, target, node.name, value, node.span)


def _set_any_field(low: FunctionLowerer, target: Value, name: str, value: Value, span: Span) -> None:
    args: list[Value] = [target, ops.Const(model.STRING, name), value]
    low.runtime(
        "nxd_any_set_field",
        args,
        "apa",
        span,
        fallible=True,
        taken=(False, False, True),
        changes_any=True,
        changes=(0,),
    )


@handles(STMTS, core.SetIndex)
def lower_set_index(low: FunctionLowerer, node: core.SetIndex) -> None:
    """L[I] SET V, M[K] SET V."""
    target, index, value = low.operands((node.object, node.index, node.value))
    _set_index(low, node.object.type, target, index, value, node.span)


def _set_index(low: FunctionLowerer, type_: Type, target: Value, index: Value, value: Value, span: Span) -> None:
    if isinstance(type_, model.ListType):
        low.emit_fallible(ops.ListSet(span, [target, index, value]))
    elif isinstance(type_, model.MapType):
        low.runtime("nxd_map_set", [target, index, value], "pww", span, taken=(False, True, True), changes=(0,))
    else:
        taken = (False, False, True)
        low.runtime(
            "nxd_any_set_index",
            [target, index, value],
            "aaa",
            span,
            fallible=True,
            taken=taken,
            changes_any=True,
            changes=(0,),
        )


@handles(STMTS, core.AddTo)
def lower_add_to(low: FunctionLowerer, node: core.AddTo) -> None:
    """SETADD: read, add and write as one step on what other processes may see."""
    place = node.place
    if isinstance(place, core.LocalRef):
        _add_to_local(low, node, place)
    elif isinstance(place, core.GlobalRef):
        _add_to_global(low, node, place)
    elif isinstance(place, core.GetField):
        target, delta = low.pair(place.object, node.value)
        slot = low.types.field_slot(place.object.type, place.index)
        if place.type == model.ANY:
            before = low.temp(model.ANY)
            low.emit(ops.LoadField(node.span, [target], kind="struct", index=slot, dst=before))
            low.emit(ops.StoreField(node.span, [target, _any_sum(low, before, delta, node)], kind="struct", index=slot))
        else:
            _add(low, node, [target, _delta(low, node, delta)], "field", place.type, index=slot)
    elif isinstance(place, core.GetIndex):
        target, index, delta = low.operands((place.object, place.index, node.value))
        _add_to_element(low, node, place, target, index, delta)
    elif isinstance(place, core.AnyField):
        target, delta = low.pair(place.object, node.value)
        before_ = low.runtime(
            "nxd_any_field",
            [target, ops.Const(model.STRING, place.name)],
            "ap",
            node.span,
            result=model.ANY,
            fallible=True,
        )
        _set_any_field(low, target, place.name, _any_sum(low, before_, delta, node), node.span)
    else:
        raise CompilerBug("mir", f"SETADD on {type(place).__name__}", low.source.name)


def _add_to_element(
    low: FunctionLowerer, node: core.AddTo, place: core.GetIndex, target: Value, index: Value, delta: Value
) -> None:
    container = place.object.type
    if place.type != model.ANY:
        kind = "list" if isinstance(container, model.ListType) else "map"
        _add(low, node, [target, index, _delta(low, node, delta)], kind, place.type)
        return
    span = node.span
    if isinstance(container, model.ListType):
        before = low.temp(model.ANY)
        low.emit_fallible(ops.ListGet(span, [target, index], dst=before))
    elif isinstance(container, model.MapType):
        before = low.temp(model.ANY)
        low.emit_fallible(ops.MapGet(span, [target, index], dst=before))
    else:
        found = low.runtime("nxd_any_index", [target, index], "aa", span, result=model.ANY, fallible=True)
        assert isinstance(found, ops.Reg)
        before = found
    _set_index(low, container, target, index, _any_sum(low, before, delta, node), span)


def _add_to_local(low: FunctionLowerer, node: core.AddTo, place: core.LocalRef) -> None:
    span = node.span
    local = place.local
    if local.cell and place.type != model.ANY:
        delta = _delta(low, node, low.expr(node.value))
        _add(low, node, [low.locals[local], delta], "field", place.type)
        return
    if place.type == model.STRING:
        _append_to_local(low, node, local)
        return
    delta = low.expr(node.value)
    if place.type == model.INT:
        total = low.temp(model.INT)
        args = [low.read_local(local, span), delta]
        low.emit_fallible(ops.Checked(span, args, name="add_checked", dst=total))
        low.set_local(local, total, span)
    elif place.type == model.FLOAT:
        low.set_local(local, low.prim("fadd", [low.read_local(local, span), delta], model.FLOAT, span), span)
    else:
        low.set_local(local, _any_sum(low, low.read_local(local, span), delta, node), span)


def _append_to_local(low: FunctionLowerer, node: core.AddTo, local: core.Local) -> None:
    """`S SETADD A ADD B` appends A, then B: the sum needs no string of its own. All parts are evaluated first, and
    none may be changed by the evaluation of a later one.
    """
    parts = concat_parts(node.value)
    if any(part.type not in _FROZEN for part in parts):
        parts = [node.value]
    values = low.operands(parts)
    text = low.read_local(local, node.span)
    for part, value in zip(parts, values, strict=True):
        text = append_value(low, text, value, part.type, node.span)
    low.set_local(local, text, node.span)


_FROZEN = (model.STRING, model.INT, model.FLOAT, model.BOOL)


def _add_to_global(low: FunctionLowerer, node: core.AddTo, place: core.GlobalRef) -> None:
    variable = low.instances.variable(place.variable)
    delta = low.expr(node.value)
    if place.type != model.ANY:
        _add(low, node, [_delta(low, node, delta)], "global", place.type, variable=variable)
        return
    before = low.temp(model.ANY)
    low.emit(ops.LoadGlobal(node.span, variable=variable, dst=before))
    total = _any_sum(low, before, delta, node)
    low.emit(ops.StoreGlobal(node.span, [total], variable=variable, shared=low.instances.spawns))


def _add(
    low: FunctionLowerer,
    node: core.AddTo,
    args: list[Value],
    place: str,
    type_: Type,
    index: int = 0,
    variable: ops.GlobalVar | None = None,
) -> None:
    low.emit_fallible(ops.AddTo(node.span, args, place=place, index=index, variable=variable, type=type_))


def _delta(low: FunctionLowerer, node: core.AddTo, delta: Value) -> Value:
    """What is appended to a string is formatted first."""
    if node.place.type != model.STRING or node.value.type == model.STRING:
        return delta
    return low.runtime("nxd_format", [delta], "w", node.span, result=model.STRING, letter="p", extra=(node.value.type,))


def _any_sum(low: FunctionLowerer, before: Value, delta: Value, node: core.AddTo) -> Value:
    if node.value.type != model.ANY:
        boxed = low.temp(model.ANY)
        low.emit(ops.Box(node.span, [delta], dst=boxed))
        delta = boxed
    return low.runtime("nxd_any_binary", [_ANY_ADD, before, delta], "iaa", node.span, result=model.ANY, fallible=True)


@handles(STMTS, core.Push)
def lower_push(low: FunctionLowerer, node: core.Push) -> None:
    """PUSH L, X."""
    target, value = low.pair(node.list, node.value)
    if isinstance(node.list.type, model.ListType):
        low.emit(ops.ListPush(node.span, [target, value]))
    else:
        low.runtime(
            "nxd_any_push",
            [target, value],
            "aa",
            node.span,
            fallible=True,
            taken=(False, True),
            changes_any=True,
            changes=(0,),
        )


@handles(STMTS, core.RemoveKey)
def lower_remove_key(low: FunctionLowerer, node: core.RemoveKey) -> None:
    """REMOVE M[K], REMOVE L[I]."""
    target, key = low.pair(node.object, node.key)
    if isinstance(node.object.type, model.ListType):
        low.runtime("nxd_list_remove_at", [target, key], "pi", node.span, fallible=True, changes=(0,))
    elif isinstance(node.object.type, model.MapType):
        low.runtime("nxd_map_remove", [target, key], "pw", node.span, changes=(0,))
    else:
        low.runtime("nxd_any_remove", [target, key], "aa", node.span, fallible=True, changes_any=True, changes=(0,))


@handles(STMTS, core.If)
def lower_if(low: FunctionLowerer, node: core.If) -> None:
    """IF."""
    then, end = Block("then"), Block("endif")
    otherwise = Block("else") if node.otherwise else end
    low.condition(node.condition, then, otherwise)
    low.start(then)
    low.body(node.then)
    low.goto(end, node.span)
    if node.otherwise:
        low.start(otherwise)
        low.body(node.otherwise)
        low.goto(end, node.span)
    low.start(end)


@handles(STMTS, core.Block)
def lower_block(low: FunctionLowerer, node: core.Block) -> None:
    """A block of its own."""
    low.body(node.body)


@handles(STMTS, core.Return)
def lower_return(low: FunctionLowerer, node: core.Return) -> None:
    """RETURN."""
    value = None if node.value is None else low.expr(node.value)
    low.leave_with(value, node.span)


@handles(STMTS, core.Break)
def lower_break(low: FunctionLowerer, node: core.Break) -> None:
    """BREAK."""
    low.leave("break", node.loop, node.span)


@handles(STMTS, core.Continue)
def lower_continue(low: FunctionLowerer, node: core.Continue) -> None:
    """CONTINUE."""
    low.leave("continue", node.loop, node.span)
