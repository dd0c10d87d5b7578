"""The steps of loops that the runtime makes: the next value, or the end of the loop."""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.ops import Block, Reg, Value
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type


def next_from_channel(low: FunctionLowerer, channel: Value, element: Type, done: Block, span: Span) -> Reg:
    """The next value of a channel; jumps to `done` when the channel is closed and drained."""
    op = _step(low, "nxd_channel_next", [channel], "p", span)
    low.instances.channel_ops.append((op, element))
    return _value_or(low, op, element, done)


def next_of_any(low: FunctionLowerer, walked: Value, counter: Reg, done: Block, span: Span) -> Reg:
    """The next value of what an `any` holds; jumps to `done` at its end."""
    return _value_or(low, _step(low, "nxd_any_step", [walked, counter], "ai", span), model.ANY, done)


def _step(low: FunctionLowerer, symbol: str, args: list[Value], params: str, span: Span) -> ops.CallRuntime:
    """A call that gives a word and, in `out`, whether there was one."""
    word, more = low.temp(model.INT), low.temp(model.BOOL)
    op = ops.CallRuntime(
        span,
        args,
        symbol=symbol,
        params=params,
        result="w",
        fallible=True,
        needs_self=True,
        parks=True,
        out=more,
        dst=word,
    )
    low.emit_fallible(op)
    return op


def _value_or(low: FunctionLowerer, op: ops.CallRuntime, type_: Type, done: Block) -> Reg:
    """The word that the step gave, as a value; jumps to `done` when there was none, as it has no owner until then."""
    assert op.dst is not None and op.out is not None
    got = Block("got")
    low.branch(op.out, got, done, op.span)
    low.start(got)
    return low.from_word(op.dst, type_, op.span)
