"""Processes, tasks and channels. What crosses a process boundary is transferred here (see transfer.py)."""

from __future__ import annotations

import math

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.builder import int_const
from nxdc.mir.lower.dispatch import EXPRS, STMTS, handles
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.lower.transfer import transfer
from nxdc.mir.ops import Block, Reg, Value
from nxdc.mir.types import CellType, EnvType, is_counted
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type

# ---- processes and tasks ---------------------------------------------------------------------------------------------


@handles(EXPRS, core.Spawn)
def lower_spawn(low: FunctionLowerer, node: core.Spawn) -> Value:
    """SPAWN, TASK. Each argument is transferred; where the function captures a variable, it gets a cell of its own."""
    span = node.span
    sources = node.args if node.callee is None else [node.callee, *node.args]
    values = low.operands(sources)
    words: list[Value] = []
    types: list[Type] = []
    for index, (value, source) in enumerate(zip(values, sources, strict=True)):
        word = transfer(low, value, source.type, span)
        type_ = source.type
        if node.function is not None and index < node.function.captures and node.function.params[index].cell:
            cell = low.temp(CellType(type_))
            low.emit(ops.NewStruct(span, [word], type=cell.type, dst=cell))
            word, type_ = cell, cell.type
        words.append(word)
        types.append(type_)
    env = low.temp(EnvType(tuple(types)))
    low.types.descriptor(env.type)
    low.types.descriptor(node.type)
    low.emit(ops.NewStruct(span, words, type=env.type, dst=env))
    function = None if node.function is None else low.instances.function(node.function)
    assert isinstance(node.type, (model.ProcessType, model.TaskType))
    dst = low.temp(node.type)
    low.emit(ops.Spawn(span, [env], function=function, result_type=node.type.result, dst=dst))
    return dst


@handles(EXPRS, core.Await)
def lower_await(low: FunctionLowerer, node: core.Await) -> Value:
    """AWAIT of a handle, or of a list of handles (completion order)."""
    handle = low.expr(node.handle)
    if node.handle.type == model.ANY:
        return low.runtime(
            "nxd_any_await", [handle], "a", node.span, result=node.type, fallible=True, needs_self=True, parks=True
        )
    if isinstance(node.handle.type, model.ListType):
        return low.runtime(
            "nxd_await_all",
            [handle],
            "p",
            node.span,
            result=node.type,
            fallible=True,
            needs_self=True,
            parks=True,
            extra=(node.type,),
        )
    value = low.runtime(
        "nxd_await", [handle], "p", node.span, result=node.type, fallible=True, needs_self=True, parks=True
    )
    call = low.block.ops[-1]
    assert isinstance(call, ops.CallRuntime)
    call.last_use = "nxd_await_take"  # the result need not be kept for another AWAIT
    return value


@handles(EXPRS, core.Ping)
def lower_ping(low: FunctionLowerer, node: core.Ping) -> Value:
    """PING."""
    return low.runtime("nxd_ping", [low.expr(node.handle)], "p", node.span, result=model.BOOL, letter="i")


@handles(STMTS, core.Cancel)
def lower_cancel(low: FunctionLowerer, node: core.Cancel) -> None:
    """ESC."""
    low.runtime("nxd_cancel", [low.expr(node.handle)], "p", node.span, needs_self=True)


@handles(STMTS, core.Timeout)
def lower_timeout(low: FunctionLowerer, node: core.Timeout) -> None:
    """TIMEOUT H MS."""
    handle, limit = low.pair(node.handle, node.milliseconds)
    low.runtime("nxd_timeout", [handle, limit], "pi", node.span, needs_self=True)


# ---- channels --------------------------------------------------------------------------------------------------------


@handles(EXPRS, core.MakeChannel)
def lower_make_channel(low: FunctionLowerer, node: core.MakeChannel) -> Value:
    """A channel; without a capacity it is unbounded. One that is computed may be negative (E2001)."""
    type_ = int_const(low.types.number(node.type))
    capacity = int_const(-1) if node.capacity is None else low.expr(node.capacity)
    if node.capacity is None or _is_natural(capacity):
        return low.runtime("nxd_channel_new", [type_, capacity], "ii", node.span, result=node.type, letter="p")
    return low.runtime("nxd_channel_make", [type_, capacity], "ii", node.span, result=node.type, fallible=True)


def _is_natural(value: Value) -> bool:
    return isinstance(value, ops.Const) and isinstance(value.value, int) and value.value >= 0


@handles(STMTS, core.Send)
def lower_send(low: FunctionLowerer, node: core.Send) -> None:
    """SEND V TO CH."""
    channel, value = _channel_and_value(low, node)
    element = node.value.type
    word = transfer(low, value, element, node.span)
    low.runtime(
        "nxd_channel_send",
        [channel, word],
        "pw",
        node.span,
        fallible=True,
        needs_self=True,
        parks=True,
        taken=(False, True),
    )
    _note_channel_op(low, element)


def _channel_and_value(low: FunctionLowerer, node: core.Send) -> tuple[Value, Value]:
    """The value stands first in the source."""
    value, channel = low.pair(node.value, node.channel)
    return channel, value


def _note_channel_op(low: FunctionLowerer, element: Type) -> None:
    """In a program that looks at channels through CHANNEL<any>, `entry` makes this call ask the channel for its
    element type.
    """
    op = low.block.ops[-1]
    if isinstance(op, ops.CallRuntime):
        low.instances.channel_ops.append((op, element))


@handles(EXPRS, core.Recv)
def lower_recv(low: FunctionLowerer, node: core.Recv) -> Value:
    """RECV CH."""
    channel = low.expr(node.channel)
    value = low.runtime(
        "nxd_channel_recv", [channel], "p", node.span, result=node.type, fallible=True, needs_self=True, parks=True
    )
    _note_channel_op(low, node.type)
    return value


@handles(STMTS, core.Close)
def lower_close(low: FunctionLowerer, node: core.Close) -> None:
    """CLOSE CH."""
    low.runtime("nxd_channel_close", [low.expr(node.channel)], "p", node.span, needs_self=True)


# ---- SELECT ----------------------------------------------------------------------------------------------------------


@handles(STMTS, core.Select)
def lower_select(low: FunctionLowerer, node: core.Select) -> None:
    """SELECT. What was to be sent and was not stays ours: as raw words on the way in, as owned values again in the
    cases not chosen.
    """
    span = node.span
    channels: list[Value] = []
    words: list[tuple[Reg | None, Type]] = []  # per case: the raw word to send
    elements = tuple(_element_of(case) for case in node.cases)
    flat: list[core.Expr] = []
    for case in node.cases:
        flat += [case.channel] if case.value is None else [case.value, case.channel]
    if node.timeout is not None and node.otherwise is None:
        flat.append(node.timeout)
    values = iter(low.operands(flat))
    for case in node.cases:
        value = None if case.value is None else next(values)
        channels.append(next(values))
        words.append(
            (None, model.NONE) if value is None or case.value is None else _raw(low, value, case.value.type, span)
        )
    wait: Value = ops.Const(model.FLOAT, 0.0 if node.otherwise is not None else math.inf)
    if node.timeout is not None and node.otherwise is None:
        wait = next(values)
    received = tuple(low.temp(model.INT) if case.value is None else None for case in node.cases)
    chosen = low.temp(model.INT)
    failed = low.new_handler("select_failed", span)
    args = [*channels, *(word for word, _ in words if word is not None), wait]
    sends = tuple(word is not None for word, _ in words)
    op = ops.Select(span, args, sends=sends, received=received, types=(), dst=chosen, error=failed)
    low.emit(op)
    low.instances.selects.append((op, elements))
    _lower_outcomes(low, node, chosen, received, words, failed)


def _element_of(case: core.SelectCase) -> Type:
    """The type of what the case sends or receives."""
    assert isinstance(case.channel.type, model.ChannelType)
    return case.channel.type.element


def _raw(low: FunctionLowerer, value: Value, type_: Type, span: Span) -> tuple[Reg, Type]:
    word = low.temp(model.INT)
    low.emit(ops.ToWord(span, [transfer(low, value, type_, span)], dst=word))
    return word, type_


def _give_back(low: FunctionLowerer, words: list[tuple[Reg | None, Type]], chosen: int | None, span: Span) -> None:
    """The values of sends that were not chosen have an owner again, and end at once."""
    for index, (word, type_) in enumerate(words):
        if word is not None and index != chosen and is_counted(type_):
            low.from_word(word, type_, span)


def _lower_outcomes(
    low: FunctionLowerer,
    node: core.Select,
    chosen: Reg,
    received: tuple[Reg | None, ...],
    words: list[tuple[Reg | None, Type]],
    failed: ops.ErrorEdge,
) -> None:
    span = node.span
    end = Block("endselect")
    none = Block("select_none")
    blocks = [Block(f"select_{index}") for index in range(len(node.cases))]
    low.terminate(ops.Switch(span, chosen, list(enumerate(blocks)), none))
    low.start(failed.target)
    _give_back(low, words, None, span)
    low.throw(failed.register, span)
    for index, (case, block) in enumerate(zip(node.cases, blocks, strict=True)):
        low.start(block)
        _give_back(low, words, index, span)
        word = received[index]
        if word is not None:
            value = low.from_word(word, _element_of(case), case.span)
            if case.bind is not None:
                low.bind(case.bind, value, case.span)
        low.body(case.body)
        low.goto(end, case.span)
    low.start(none)
    _give_back(low, words, None, span)
    if node.timeout is None and node.otherwise is None:
        low.terminate(ops.Unreachable(span))
    else:
        low.body((node.timeout_body if node.otherwise is None else node.otherwise) or [])
        low.goto(end, span)
    low.start(end)
