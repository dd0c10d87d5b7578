"""Function values: lambdas, names of functions used as values, and the wrappers that adapt one function type to
another.

Lambdas are lifted: a lambda is a core function whose first parameters are the captured variables.
"""

from __future__ import annotations

from typing import Any

from nxdc.check.coerce import coerce
from nxdc.check.declarations import names
from nxdc.check.declarations.declare import show_params
from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol, VariantSymbol
from nxdc.check.declarations.typeexprs import resolve_type
from nxdc.check.expressions.exprs import check, error_expr, handles, report_mismatch
from nxdc.check.expressions.overloads import arity, instantiate
from nxdc.check.function import Fn
from nxdc.check.instances import Instance, decide, demand, instance_for
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, NEVER, NONE, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import children, has_vars, prune, resolve


@handles(ast.Lambda)
def check_lambda(f: Fn, node: ast.Lambda, expected: Type | None) -> core.Expr:
    """A lambda as a value."""
    inner = lambda_body(f, node, expected, snapshot=False)
    outer = [var.local for var, _ in inner.captures]
    inner.function.captures = len(outer)
    type_ = model.FuncType(tuple(p.type for p in inner.function.params[len(outer) :]), inner.function.result)
    return core.Lambda(type_, node.span, inner.function, outer)


def lambda_body(f: Fn, node: ast.Lambda, expected: Type | None, *, snapshot: bool) -> Fn:
    """Checks a lambda's body as a function of its own. Its captures lead its parameters."""
    want = prune(expected) if expected is not None else None
    if not isinstance(want, model.FuncType) or len(want.params) != len(node.params):
        want = None
    f.root.lambda_count += 1
    name = f"{f.root.function.name}.fn{f.root.lambda_count}"
    function = core.CoreFunction(name, [], NONE, [], node.span, 0, True)
    inner = Fn(f.checker, f.scope, f.env, function, parent=f)
    inner.snapshot = snapshot
    params = [
        inner.declare(p.name, _param_type(inner, p, want.params[i] if want else None), "param")
        for i, p in enumerate(node.params)
    ]
    inner.push()
    if isinstance(node.body, ast.Block):
        _block_body(inner, node, node.body, want)
    else:
        _expr_body(inner, node, node.body, want)
    function.params = [local for _, local in inner.captures] + params
    f.lambdas.append(inner)
    return inner


def _param_type(inner: Fn, param: ast.Param, want: Type | None) -> Type:
    if param.type is not None:
        return resolve_type(inner.checker, inner.scope, inner.env, param.type)
    if want is not None:
        return inner.hinted(param, want) if has_vars(want) else want
    return inner.hinted(param, inner.fresh(origin=param.span))


def _result_type(inner: Fn, node: ast.Lambda, want: model.FuncType | None) -> Type | None:
    if node.result is not None:
        return resolve_type(inner.checker, inner.scope, inner.env, node.result)
    return want.result if want is not None else None


def _block_body(inner: Fn, node: ast.Lambda, body: ast.Block, want: model.FuncType | None) -> None:
    from nxdc.check.statements.stmts import check_function_body

    result = _result_type(inner, node, want)
    inner.result_declared = result is not None and not isinstance(prune(result), TypeVar)
    if result is not None and not inner.result_declared:
        inner.result = result
    else:
        inner.result = result if result is not None else inner.fresh()
    inner.function.body = check_function_body(inner, body, "fn", node.span)
    inner.function.result = inner.result


def _expr_body(inner: Fn, node: ast.Lambda, body: ast.Expr, want: model.FuncType | None) -> None:
    result = _result_type(inner, node, want)
    value = check(inner, body, result)
    have = prune(value.type)
    target = prune(result) if result is not None else None
    function = inner.function
    if have is NONE and (target is None or isinstance(target, TypeVar)) and not isinstance(value, core.NoneLit):
        if target is not None:
            inner.unifier.unify(target, NONE)
        function.result = NONE
        function.body = [core.ExprStmt(body.span, value)]
        return
    if target is NONE or (target is None and have is NEVER):
        function.result = NONE
        function.body = [core.ExprStmt(body.span, value)]
        return
    if target is None:
        if have is NONE:
            value = coerce(inner, value, ANY) or value
        function.result = value.type
    else:
        assert result is not None
        converted = coerce(inner, value, result)
        if converted is None:
            report_mismatch(inner, value, result, body.span, "assign")
            converted = error_expr(body.span)
        value = converted
        function.result = result
    function.body = [core.Return(body.span, value)]


# ---- functions as values
# -----------------------------------------------------------------------------------------------


def function_value(
    f: Fn, functions: list[FuncSymbol | PreludeSymbol], name: str, span: Span, expected: Type | None
) -> core.Expr:
    """A function's name used as a value."""
    want = prune(expected) if expected is not None else None
    if isinstance(want, model.FuncType):
        many = [s for s in functions if isinstance(s, PreludeSymbol) or not _is_plain(s)]
        is_open = many and any(has_vars(p) for p in want.params)
        if is_open and f.root.last_round:  # nothing decides
            for param in want.params:
                decide(f.checker, param)
        elif is_open:
            return _open_function(f, [s for s in functions if arity(s) == len(want.params)] or many, name, span, want)
        for symbol in functions:
            found = _as_function(f, symbol, want, span)
            if found is not None:
                return found
        if len(functions) == 1 and isinstance(functions[0], FuncSymbol) and _is_plain(functions[0]):
            return _plain_ref(f, functions[0], span)
        return _none_fits(f, functions, name, span, want)
    plain = [s for s in functions if isinstance(s, PreludeSymbol) or _is_plain(s)]
    if len(functions) == 1 and plain:
        only = functions[0]
        if isinstance(only, FuncSymbol):
            return _plain_ref(f, only, span)
        if not only.signature.type_params:
            return _prelude_ref(f, only, {}, span)
    return _open_function(f, functions, name, span)


def _open_function(
    f: Fn, functions: list[FuncSymbol | PreludeSymbol], name: str, span: Span, shape: model.FuncType | None = None
) -> core.Expr:
    """A name that stands for many functions (a template, a generic function, overloads) where no type is expected, or
    one that is not known yet: how the value is used later decides. Another round of the check then knows the types.
    """
    if shape is None and len({arity(symbol) for symbol in functions}) > 1:
        called = f.hinted(("call", span), f.fresh())  # the first round sees how many arguments it is called with
        seen = prune(called)
        if isinstance(seen, TypeVar):
            return _undecided(f, functions, name, span, seen)
        if isinstance(seen, model.FuncType):
            functions = [s for s in functions if arity(s) == len(seen.params)] or functions
    count = arity(functions[0])
    shape = shape or model.FuncType(tuple(f.fresh() for _ in range(count)), f.fresh())
    f.hinted(("function", span), shape)
    want = resolve(shape)
    assert isinstance(want, model.FuncType)
    if not any(has_vars(p) for p in want.params):
        for symbol in functions:
            found = _as_function(f, symbol, want, span)
            if found is not None and f.unifier.unify(shape, found.type):
                return found
        return _none_fits(f, functions, name, span, want)
    return _undecided(f, functions, name, span, want)


def _undecided(f: Fn, functions: list[FuncSymbol | PreludeSymbol], name: str, span: Span, shape: Type) -> core.Expr:
    """The value for a round of the check that finds out which function is meant; in the last one it is an error."""
    count = arity(functions[0])
    if not f.root.last_round:
        f.blocked_on.append((_first_var(shape), span))
    elif len(functions) > 1:
        written = f"LET NAME: {_example(functions)} SET {name}"
        f.error(codes.S3013, "call", span, name=name, **_candidates(functions),
                helps=[f"a lambda or a written type says which one is meant: `{written}`"])  # fmt: skip
    else:
        params = ", ".join(f"A{i}: int" if count > 1 else "X: int" for i in range(count))
        args = ", ".join(f"A{i}" if count > 1 else "X" for i in range(count))
        f.error(codes.S3020, "function", span, name=name,
                helps=[f"write a lambda with the types meant, as in `fn({params}) => {name}({args})`"])  # fmt: skip
    return core.LocalRef(shape, span, f.temp(shape, span)) if not f.root.last_round else error_expr(span)


def _none_fits(
    f: Fn, functions: list[FuncSymbol | PreludeSymbol], name: str, span: Span, want: model.FuncType
) -> core.Expr:
    args = ", ".join(f"`{show(p)}`" for p in want.params) or "no arguments"
    f.error(codes.S3002, "no_overload", span, name=name, args=args, **_candidates(functions))
    return error_expr(span)


def _example(functions: list[FuncSymbol | PreludeSymbol]) -> str:
    """The type of one of several functions."""
    for symbol in functions:
        if isinstance(symbol, FuncSymbol) and _is_plain(symbol) and symbol.result is not None:
            return show(model.FuncType(tuple(p for p in symbol.params if p is not None), symbol.result))
        if isinstance(symbol, PreludeSymbol) and not symbol.signature.type_params:
            return show(model.FuncType(tuple(p for _, p in symbol.signature.params), symbol.signature.result))
    return "fn(int): int"


def _candidates(functions: list[FuncSymbol | PreludeSymbol]) -> dict[str, Any]:
    """The functions that a name stands for, as arguments of a report."""
    also = [(place, f"`{show_params(s)}`") for s in functions if (place := names.symbol_span(s)) is not None]
    notes = [f"there is `{show_params(s)}`" for s in functions if names.symbol_span(s) is None]
    return {"also": also, "notes": notes}


def _first_var(type_: Type) -> TypeVar:
    type_ = prune(type_)
    if isinstance(type_, TypeVar):
        return type_
    return _first_var(next(part for part in children(type_) if has_vars(part)))


def _is_plain(symbol: FuncSymbol) -> bool:
    return not (symbol.is_template or symbol.generic)


def _plain_ref(f: Fn, symbol: FuncSymbol, span: Span) -> core.Expr:
    instance = instance_for(f.checker, symbol, {}, [t for t in symbol.params if t is not None], span)
    demand(f, instance)
    return _function_value(f, symbol, instance, span)


def _function_value(f: Fn, symbol: FuncSymbol, instance: Instance, span: Span) -> core.Expr:
    """A function of the program as a value. Of an ASYNC one it is a function that starts the task."""
    params = tuple(instance.params)
    if not symbol.node.is_async:
        return core.FuncRef(model.FuncType(params, instance.result), span, instance.function)
    task = model.TaskType(instance.result)
    own = [core.Local(f"$A{i}", t, span) for i, t in enumerate(params)]
    function = _synthetic(f, span, own, task)
    args: list[core.Expr] = [core.LocalRef(p.type, span, p) for p in own]
    function.body = [core.Return(span, core.Spawn(task, span, instance.function, None, args))]
    return core.FuncRef(model.FuncType(params, task), span, function)


def _as_function(f: Fn, symbol: FuncSymbol | PreludeSymbol, want: model.FuncType, span: Span) -> core.Expr | None:
    """The symbol as a function of the wanted parameter types; None when they do not fit."""
    candidate = instantiate(f, symbol)
    if len(candidate.params) != len(want.params):
        return None
    mark = f.unifier.begin()
    for param, target in zip(candidate.params, want.params, strict=False):
        if param is not None and not f.unifier.unify(param, target):
            f.unifier.rollback(mark)
            return None
    f.unifier.commit(mark)
    if isinstance(symbol, PreludeSymbol):
        return _prelude_ref(f, symbol, candidate.env, span)
    params = [p if p is not None else t for p, t in zip(candidate.params, want.params, strict=False)]
    instance = instance_for(f.checker, symbol, candidate.env, params, span)
    demand(f, instance)
    return _function_value(f, symbol, instance, span)


def _synthetic(f: Fn, span: Span, params: list[core.Local], result: Type, captures: int = 0) -> core.CoreFunction:
    f.root.lambda_count += 1
    name = f"{f.root.function.name}.fn{f.root.lambda_count}"
    function = core.CoreFunction(name, params, result, [], span, captures, True)
    inner = Fn(f.checker, f.scope, f.env, function, parent=f)
    f.lambdas.append(inner)
    return function


def _prelude_ref(f: Fn, symbol: PreludeSymbol, env: dict[str, Type], span: Span) -> core.Expr:
    """A prelude function as a value: a function that calls it."""
    signature = symbol.signature
    params = [core.Local(f"${name}", model.substitute(t, env), span) for name, t in signature.params]
    result = model.substitute(signature.result, env)
    function = _synthetic(f, span, params, result)
    args: list[core.Expr] = [core.LocalRef(p.type, span, p) for p in params]
    call = core.CallPrelude(result, span, symbol.row, [env[p.name] for p in signature.type_params], args)
    function.body = [core.ExprStmt(span, call)] if prune(result) is NONE else [core.Return(span, call)]
    return core.FuncRef(model.FuncType(tuple(p.type for p in params), result), span, function)


def variant_function(f: Fn, variant: VariantSymbol, span: Span, want: model.FuncType) -> core.Expr:
    """A constructor as a value: `MAP(L, SOME)`."""
    from nxdc.check.expressions.constructors import union_instance

    type_ = union_instance(f, variant.decl, want.result)
    payload = model.payload_types(type_, variant.index)
    if len(payload) != len(want.params):
        f.error(codes.S3002, "assign", span, want=show(want), got=show(model.FuncType(payload, type_)))
        return error_expr(span)
    params = [core.Local(f"$V{i}", t, span) for i, t in enumerate(want.params)]
    values = [
        coerce(f, core.LocalRef(p.type, span, p), t) or error_expr(span) for p, t in zip(params, payload, strict=False)
    ]
    function = _synthetic(f, span, params, type_)
    function.body = [core.Return(span, core.MakeUnion(type_, span, variant.index, values))]
    return core.FuncRef(model.FuncType(tuple(want.params), type_), span, function)


def wrap_function(f: Fn, expr: core.Expr, have: model.FuncType, want: model.FuncType) -> core.Expr | None:
    """A function of type `want` that calls `expr` with converted arguments; None when they do not convert."""
    if len(have.params) != len(want.params):
        return None
    span = expr.span
    held = f.temp(have, span)
    inside = core.Local("$F", have, span)
    params = [core.Local(f"$A{i}", t, span) for i, t in enumerate(want.params)]
    args: list[core.Expr] = []
    for param, target in zip(params, have.params, strict=False):
        converted = coerce(f, core.LocalRef(param.type, span, param), target)
        if converted is None:
            return None
        args.append(converted)
    call: core.Expr = core.CallValue(have.result, span, core.LocalRef(have, span, inside), args)
    body: list[core.Stmt]
    if prune(want.result) is NONE:
        body = [core.ExprStmt(span, call)]
    else:
        result = coerce(f, call, want.result)
        if result is None:
            return None
        body = [core.Return(span, result)]
    function = _synthetic(f, span, [inside, *params], want.result, captures=1)
    function.body = body
    return core.BlockExpr(want, span, [core.Let(span, held, expr)], core.Lambda(want, span, function, [held]))


def shown(type_: Type) -> str:
    """A type for a message, with what is known of it by now."""
    return show(resolve(type_))
