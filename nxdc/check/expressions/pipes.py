"""Pipelines: `X PIPE F(A)` is `F(X, A)`; PIPEMAP and PIPEFILTER do it for each element of a list."""

from __future__ import annotations

from nxdc.check.coerce import unwrap_nullable
from nxdc.check.expressions.calls import call_name, call_symbols, call_value
from nxdc.check.expressions.constructors import any_if_none
from nxdc.check.expressions.exprs import check, error_expr, handles, is_error, module_of, need
from nxdc.check.expressions.fields import members_of
from nxdc.check.expressions.overloads import Arg, CallSite
from nxdc.check.function import Fn
from nxdc.check.literals import is_container_literal
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, Type, TypeVar
from nxdc.types.show import show


@handles(ast.Pipe)
def _pipe(f: Fn, node: ast.Pipe, expected: Type | None) -> core.Expr:
    if isinstance(node.target, (ast.Binary, ast.IsTest, ast.Matches)):
        return _no_call(f, node, node.target)
    if node.op == "PIPE":
        callee = node.target.callee if isinstance(node.target, ast.Call) else node.target
        waits = is_container_literal(node.value) and isinstance(callee, ast.NameRef)  # for the type of the parameter
        return _call_with(f, node.target, Arg(node.value, None if waits else check(f, node.value)), expected)
    source = unwrap_nullable(check(f, node.value))
    type_ = f.decided(source.type, node.value.span)
    if type_ is ANY:
        source = core.Convert(model.ListType(ANY), source.span, "elements", source)
        type_ = source.type
    if not isinstance(type_, model.ListType):
        if not is_error(source) and not isinstance(type_, TypeVar):
            f.error(codes.S3002, "assign", node.value.span, want="LIST<...>", got=show(type_))
        return error_expr(node.span)
    return _each(f, node, source, type_.element)


def _no_call(f: Fn, node: ast.Pipe, target: ast.Binary | ast.IsTest | ast.Matches) -> core.Expr:
    """`X PIPE F(A) ADD 1`: the operator took the call away from the pipeline."""
    word = target.op if isinstance(target, ast.Binary) else "IS" if isinstance(target, ast.IsTest) else "MATCHES"
    helps = [f"`{word}` binds tighter than `{node.op}`: put the pipeline in brackets, `(X {node.op} F(A)) {word} ...`"]
    f.error(codes.S3002, "pipe_target", target.span, op=node.op, helps=helps)
    return error_expr(node.span)


def _each(f: Fn, node: ast.Pipe, source: core.Expr, element: Type) -> core.Expr:
    """A loop that fills a new list."""
    span = node.span
    item = f.temp(element, span)
    read = core.LocalRef(element, node.value.span, item)
    value = _call_with(f, node.target, Arg(None, read), BOOL if node.op == "PIPEFILTER" else None)
    if node.op == "PIPEFILTER":
        condition = need(f, value, BOOL, node.target.span, "condition")
        result = element
        push: core.Expr = core.LocalRef(element, span, item)
    else:
        push = any_if_none(f, value)
        condition = None
        result = push.type
    type_ = model.ListType(result)
    out = f.temp(type_, span)
    add: core.Stmt = core.Push(span, core.LocalRef(type_, span, out), push)
    if condition is not None:
        add = core.If(span, condition, [add], [])
    body: list[core.Stmt] = [core.Let(span, out, core.MakeList(type_, span, []))]
    body.append(core.LoopEach(span, item, None, source, [add]))
    return core.BlockExpr(type_, span, body, core.LocalRef(type_, span, out))


def _call_with(f: Fn, target: ast.Expr, arg: Arg, expected: Type | None) -> core.Expr:
    """The call of a pipe's target with one more argument in front."""
    if isinstance(target, ast.NameRef):
        return call_name(f, CallSite(target.name, target.span, target.span, [arg], (), expected))
    if isinstance(target, ast.Lambda):
        assert arg.expr is not None
        hint = model.FuncType((arg.expr.type,), f.fresh()) if len(target.params) == 1 else None
        return call_value(f, check(f, target, hint), [arg], target.span)
    if isinstance(target, ast.Call):
        args = [arg, *(Arg(a) for a in target.args)]
        callee = target.callee
        if isinstance(callee, ast.NameRef):
            return call_name(f, CallSite(callee.name, callee.span, target.span, args, target.type_args, expected))
        if isinstance(callee, ast.Field):
            module = module_of(f, callee.base)
            if module is not None:
                symbols = members_of(f, module, callee.name)
                site = CallSite(callee.name.text, callee.name.span, target.span, args, target.type_args, expected)
                return call_symbols(f, [symbols], site) if symbols else error_expr(target.span)
        return call_value(f, check(f, callee), args, target.span)
    if isinstance(target, ast.Field) and (module := module_of(f, target.base)) is not None:
        symbols = members_of(f, module, target.name)
        site = CallSite(target.name.text, target.name.span, target.span, [arg], (), expected)
        return call_symbols(f, [symbols], site) if symbols else error_expr(target.span)
    return call_value(f, check(f, target), [arg], target.span)
