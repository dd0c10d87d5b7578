"""SPAWN, TASK, AWAIT, RECV, SEND, CLOSE, ESC, TIMEOUT, PING, SELECT."""

from __future__ import annotations

from nxdc.check.coerce import coerce, unwrap_nullable
from nxdc.check.expressions.exprs import check, check_as, error_expr, handles, is_error, report_mismatch
from nxdc.check.expressions.lambdas import lambda_body
from nxdc.check.expressions.overloads import CallSite
from nxdc.check.flow.narrowing import join
from nxdc.check.function import Fn
from nxdc.check.statements.stmts import Out, check_block, check_stmts, executes
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, FLOAT, INT, NONE, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import prune

# ---- starting
# ---------------------------------------------------------------------------------------------------------------


@handles(ast.Spawn)
def check_spawn(f: Fn, node: ast.Spawn, expected: Type | None) -> core.Expr:
    """`SPAWN F(A)`, `SPAWN fn(): ...`, `SPAWN: ...`."""
    operand = node.operand
    if isinstance(operand, ast.Lambda):
        return _start_lambda(f, operand, node.span, is_task=False)
    if isinstance(operand, ast.Call):
        return start_call(f, check(f, operand), node.span, is_task=False)
    value = check(f, operand)
    if isinstance(prune(value.type), model.FuncType) and not prune(value.type).params:  # type: ignore[attr-defined]
        return _start_value(f, value, [], node.span, is_task=False)
    if not is_error(value):
        f.error(codes.S3005, "spawn", operand.span)
    return error_expr(node.span)


def _handle_type(result: Type, *, is_task: bool) -> Type:
    return model.TaskType(result) if is_task else model.ProcessType(result)


def _start_lambda(f: Fn, node: ast.Lambda, span: Span, *, is_task: bool, result: Type | None = None) -> core.Expr:
    """A process whose captures are copies: its function takes them as plain parameters."""
    if node.params:
        f.error(codes.S3006, "value", node.params[0].span, want="no argument", got="it has parameters",
                helps=["what a process needs is captured, or given to the function that it calls"])  # fmt: skip
    expected = model.FuncType((), result) if result is not None and not node.params else None
    inner = lambda_body(f, node, expected, snapshot=True)
    args: list[core.Expr] = [core.LocalRef(var.local.type, node.span, var.local) for var, _ in inner.captures]
    return core.Spawn(_handle_type(inner.function.result, is_task=is_task), span, inner.function, None, args)


def start_call(f: Fn, call: core.Expr, span: Span, *, is_task: bool) -> core.Expr:
    """A process that makes a checked call. Its arguments are evaluated by the starting process."""
    if is_error(call):
        return error_expr(span)
    if isinstance(call, core.Call):
        return core.Spawn(_handle_type(call.type, is_task=is_task), span, call.function, None, call.args)
    if isinstance(call, core.CallValue):
        return _start_value(f, call.callee, call.args, span, is_task=is_task)
    if isinstance(call, core.CallPrelude):
        return _start_prelude(f, call, span, is_task=is_task)
    if isinstance(call, core.Spawn) and isinstance(call.type, model.TaskType):  # of an ASYNC function
        return core.Spawn(_handle_type(call.type.result, is_task=is_task), span, call.function, call.callee, call.args)
    f.error(codes.S3005, "spawn", span)
    return error_expr(span)


def _start_value(f: Fn, callee: core.Expr, args: list[core.Expr], span: Span, *, is_task: bool) -> core.Expr:
    type_ = prune(callee.type)
    assert isinstance(type_, model.FuncType)
    if isinstance(callee, core.FuncRef):
        return core.Spawn(_handle_type(type_.result, is_task=is_task), span, callee.function, None, args)
    return core.Spawn(_handle_type(type_.result, is_task=is_task), span, None, callee, args)


def _start_prelude(f: Fn, call: core.CallPrelude, span: Span, *, is_task: bool) -> core.Expr:
    """A prelude function as a process: a function of its own makes the call."""
    from nxdc.check.expressions.lambdas import _synthetic

    params = [core.Local(f"$A{i}", arg.type, arg.span) for i, arg in enumerate(call.args)]
    result = NONE if isinstance(prune(call.type), model.NeverType) else call.type
    function = _synthetic(f, span, params, result)
    args: list[core.Expr] = [core.LocalRef(p.type, span, p) for p in params]
    inner = core.CallPrelude(call.type, span, call.row, call.type_args, args)
    if prune(result) is NONE:
        function.body = [core.ExprStmt(span, inner)]
    else:
        function.body = [core.Return(span, inner)]
    return core.Spawn(_handle_type(result, is_task=is_task), span, function, None, call.args)


def check_task(f: Fn, site: CallSite) -> core.Expr:
    """`TASK(fn() => E)`, `TASK(F, A, B)`."""
    from nxdc.check.expressions.calls import call_name, call_value, check_args

    if not site.args:
        f.error(codes.S3006, "call", site.span, name="TASK", want="1 or more arguments", got="none was")
        return error_expr(site.span)
    first = site.args[0].node
    rest = site.args[1:]
    if isinstance(first, ast.Lambda) and not rest and not first.params:
        want = prune(site.expected) if site.expected is not None else None
        result = want.result if isinstance(want, model.TaskType) else None
        return _start_lambda(f, first, site.span, is_task=True, result=result)
    if isinstance(first, ast.NameRef) and f.lookup(first.name) is None and f.scope.tiers(first.name):
        inner = CallSite(first.name, first.span, site.span, rest, (), None)
        return start_call(f, call_name(f, inner), site.span, is_task=True)
    if isinstance(first, ast.Field):
        call = ast.Call(site.span, first, (), tuple(a.node for a in rest if a.node is not None))
        return start_call(f, check(f, call), site.span, is_task=True)
    if first is None:
        return error_expr(site.span)
    callee = unwrap_nullable(check(f, first))
    type_ = f.decided(callee.type, first.span)
    if isinstance(type_, model.FuncType) or type_ is ANY:
        return start_call(f, call_value(f, callee, rest, site.span), site.span, is_task=True)
    check_args(f, site)
    if not isinstance(type_, (model.ErrorType, TypeVar)):
        f.error(codes.S3005, "task", first.span, got=show(callee.type), helps=["write `TASK(fn() => ...)`"])
    return error_expr(site.span)


# ---- waiting
# --------------------------------------------------------------------------------------------------------------------


def await_(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    """`AWAIT H`."""
    handle = unwrap_nullable(check(f, node.operand))
    type_ = f.decided(handle.type, node.operand.span)
    if isinstance(type_, (model.TaskType, model.ProcessType)):
        return core.Await(type_.result, node.span, handle)
    if isinstance(type_, model.ListType):
        element = f.decided(type_.element, node.span)
        if isinstance(element, (model.TaskType, model.ProcessType)):
            return core.Await(model.ListType(element.result), node.span, handle)
        if element is ANY:  # what each element holds is looked at when the program runs
            waits = core.Await(ANY, node.span, core.Convert(ANY, handle.span, "to_any", handle))
            return core.Convert(type_, node.span, "from_any", waits)
        if isinstance(element, TypeVar):
            return error_expr(node.span)
    if type_ is ANY:
        return core.Await(ANY, node.span, handle)
    if not isinstance(type_, (model.ErrorType, TypeVar)):
        f.error(codes.S3005, "await_", node.operand.span, got=show(type_))
    return error_expr(node.span)


def recv(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    """`RECV CH`."""
    channel = _channel(f, node.operand, "recv")
    return core.Recv(_element(channel), node.span, channel)


def ping(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    """`PING H`."""
    return core.Ping(BOOL, node.span, _handle(f, node.operand, "ping"))


def _element(channel: core.Expr) -> Type:
    type_ = prune(channel.type)
    return type_.element if isinstance(type_, model.ChannelType) else model.ERROR


def _channel(f: Fn, node: ast.Expr, wording: str) -> core.Expr:
    """An operand that must be a channel. An undecided one becomes a channel of something."""
    channel = unwrap_nullable(check(f, node))
    type_ = prune(channel.type)
    if isinstance(type_, TypeVar):
        f.unifier.unify(type_, model.ChannelType(f.fresh()))
        channel = unwrap_nullable(channel)
        type_ = prune(channel.type)
    if isinstance(type_, (model.ChannelType, model.ErrorType)):
        return channel
    if type_ is ANY:
        return core.Convert(model.ChannelType(ANY), node.span, "any_channel", channel)
    f.error(codes.S3005, wording, node.span, got=show(type_))
    return error_expr(node.span)


def _handle(f: Fn, node: ast.Expr, wording: str) -> core.Expr:
    handle = unwrap_nullable(check(f, node))
    type_ = f.decided(handle.type, node.span)
    if isinstance(type_, (model.TaskType, model.ProcessType, model.ErrorType, TypeVar)):
        return handle
    if type_ is ANY:
        return core.Convert(model.TaskType(ANY), node.span, "any_handle", handle)
    f.error(codes.S3005, wording, node.span, got=show(type_))
    return error_expr(node.span)


@executes(ast.Send)
def _send(f: Fn, node: ast.Send, out: Out) -> bool:
    # The value is evaluated first, as it is written; the channel's type still helps to check it.
    channel = _channel(f, node.channel, "send")
    value = _sent(f, node.value, channel)
    temp: core.Local | None = None
    if not isinstance(
        value, (core.LocalRef, core.IntLit, core.StringLit, core.BoolLit, core.FloatLit)
    ) and not isinstance(channel, (core.LocalRef, core.GlobalRef)):
        temp = f.temp(value.type, value.span)
        out.append(core.Let(value.span, temp, value))
        value = core.LocalRef(temp.type, value.span, temp, True)
    out.append(core.Send(node.span, channel, value))
    return True


def _sent(f: Fn, node: ast.Expr, channel: core.Expr) -> core.Expr:
    want = _element(channel)
    value = check(f, node, want)
    converted = coerce(f, value, want)
    if converted is None:
        report_mismatch(f, value, want, node.span, "send", also=[(channel.span, f"this is a `{show(channel.type)}`")])
        return error_expr(node.span)
    return converted


@executes(ast.Close)
def _close(f: Fn, node: ast.Close, out: Out) -> bool:
    out.append(core.Close(node.span, _channel(f, node.channel, "close")))
    return True


@executes(ast.Esc)
def _esc(f: Fn, node: ast.Esc, out: Out) -> bool:
    out.append(core.Cancel(node.span, _handle(f, node.handle, "esc")))
    return True


_MILLISECONDS = ["the time is in milliseconds, an int: `TIMEOUT H 500` is half a second"]


@executes(ast.Timeout)
def _timeout(f: Fn, node: ast.Timeout, out: Out) -> bool:
    handle = _handle(f, node.handle, "timeout")
    out.append(core.Timeout(node.span, handle, check_as(f, node.millis, INT, helps=_MILLISECONDS)))
    return True


# ---- SELECT --------------------------------------------------------------------------------------------------------
# -----------------


@executes(ast.Select)
def _select(f: Fn, node: ast.Select, out: Out) -> bool:
    before = f.facts
    ends = []
    cases: list[core.SelectCase] = []
    timeout: core.Expr | None = None
    timeout_body: Out | None = None
    for case in node.cases:
        f.facts = before
        if isinstance(case, ast.SelectTimeout):
            seconds = check(f, case.seconds, FLOAT)
            timeout = _as_seconds(f, seconds, case.seconds.span)
            timeout_body, reaches = check_block(f, case.body)
        else:
            made, reaches = _select_case(f, case)
            cases.append(made)
        if reaches:
            ends.append(f.facts)
    otherwise: Out | None = None
    if node.otherwise is not None:
        f.facts = before
        otherwise, reaches = check_block(f, node.otherwise)
        if reaches:
            ends.append(f.facts)
    f.facts = ends[0] if ends else before
    for facts in ends[1:]:
        f.facts = join(f.facts, facts)
    out.append(core.Select(node.span, cases, timeout, timeout_body, otherwise))
    empty = not cases and timeout is None and otherwise is None  # none of its cases could be read
    return bool(ends) or empty


def _as_seconds(f: Fn, seconds: core.Expr, span: Span) -> core.Expr:
    if prune(seconds.type) is INT:
        return core.Convert(FLOAT, span, "int_to_float", seconds)
    converted = coerce(f, seconds, FLOAT)
    if converted is None:
        report_mismatch(f, seconds, FLOAT, span, "assign")
        return error_expr(span)
    return converted


def _select_case(f: Fn, case: ast.SelectRecv | ast.SelectSend) -> tuple[core.SelectCase, bool]:
    channel = _channel(f, case.channel, "select")
    if isinstance(case, ast.SelectSend):
        value = _sent(f, case.value, channel)
        body, reaches = check_block(f, case.body)
        return core.SelectCase(channel, None, value, body, case.span), reaches
    f.push()
    bind = f.declare(case.name, _element(channel), "pattern") if case.name is not None else None
    made: Out = []
    reaches = check_stmts(f, case.body.stmts, made)
    f.pop()
    return core.SelectCase(channel, bind, None, made, case.span), reaches
