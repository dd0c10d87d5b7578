"""TRY, THROW, RAISE.

A TRY with handlers has one dispatch block, to which the errors of its body go: it compares the code with those of
the handlers in turn and hands what nobody catches on. FINALLY is copied for each way that leaves the TRY (end,
error, RETURN, each BREAK and CONTINUE): the copies need no selector, and each knows which values are alive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.builder import NOTHING, int_const
from nxdc.mir.lower.dispatch import EXPRS, STMTS, handles
from nxdc.mir.lower.functions import FinallyScope, FunctionLowerer
from nxdc.mir.ops import Block, Reg, Value
from nxdc.source.span import Span
from nxdc.types import model

_AnyCatch = TypeVar("_AnyCatch", core.Catch, core.ExprCatch)


@handles(STMTS, core.Try)
def lower_try(low: FunctionLowerer, node: core.Try) -> None:
    """TRY, CATCH, FINALLY."""
    span = node.span
    end = Block("after_try")
    outer = low.handler
    scope = FinallyScope(node.final, span) if node.final else None
    normal = Block("finally") if scope is not None else end
    failed = low.new_handler("finally_error", span) if scope is not None else outer
    if scope is not None:
        low.scopes.append(scope)
    low.with_handler(low.new_handler("catch", span) if node.catches else failed)
    catch = low.handler
    low.body(node.body)
    low.goto(normal, span)
    low.with_handler(failed)
    if node.catches:
        low.start(catch.target)
        for handler in _dispatch(low, node.catches, catch.register, span):
            low.body(handler.body)
            low.goto(normal, span)
    low.with_handler(outer)
    if scope is not None:
        low.scopes.pop()
        low.start(normal)
        low.body(node.final)
        low.goto(end, span)
        low.start(failed.target)
        low.body(node.final)
        low.throw(failed.register, span)
        for (kind, loop), block in scope.exits.items():
            low.start(block)
            low.body(node.final)
            if not low.dead:
                low.leave(kind, loop, span)
    low.start(end)


def _dispatch(low: FunctionLowerer, catches: Sequence[_AnyCatch], error: Reg, span: Span) -> Iterator[_AnyCatch]:
    """Yields the handlers, each time with the builder where the handler begins; at the end nobody has caught the
    error.
    """
    code: Reg | None = None
    for catch in catches:
        following: Block | None = None
        if catch.code is not None:
            if code is None:
                code = low.temp(model.INT)
                low.emit(ops.ErrorCode(span, [error], dst=code))
            found, following = Block(f"catch_E{catch.code}", cold=True), Block("no_catch", cold=True)
            low.branch(low.prim("eq_int", [code, int_const(catch.code)], model.BOOL, span), found, following, span)
            low.start(found)
        if catch.message is not None:
            message = low.temp(model.STRING)
            low.emit(ops.ErrorMessage(span, [error], dst=message))
            low.bind(catch.message, message, span)
        yield catch
        if following is None:
            return
        low.start(following)
    low.throw(error, span)


@handles(EXPRS, core.TryExpr)
def lower_try_expr(low: FunctionLowerer, node: core.TryExpr) -> Value:
    """TRY E CATCH: the handler's value stands in."""
    span = node.span
    outer = low.with_handler(low.new_handler("catch", span))
    catch, end = low.handler, Block("after_try")
    result = low.temp(node.type)
    value = low.expr(node.body)
    low.assign(result, value, span)
    low.goto(end, span)
    low.with_handler(outer)
    low.start(catch.target)
    for handler in _dispatch(low, node.catches, catch.register, span):
        value = low.expr(handler.value)
        low.assign(result, value, span)
        low.goto(end, span)
    low.start(end)
    return NOTHING if node.type in (model.NONE, model.NEVER) else result


@handles(STMTS, core.Throw)
def lower_throw(low: FunctionLowerer, node: core.Throw) -> None:
    """THROW."""
    low.raise_code(0, node.span, low.expr(node.message))


@handles(STMTS, core.Raise)
def lower_raise(low: FunctionLowerer, node: core.Raise) -> None:
    """RAISE."""
    low.raise_code(node.code, node.span, None if node.detail is None else low.expr(node.detail))
