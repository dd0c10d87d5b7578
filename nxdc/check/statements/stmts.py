"""Statements: dispatch, blocks, bodies of functions, IF, RETURN and the small ones.

A handler appends core statements and answers whether control can reach the statement behind it. Blocks restore
scopes; facts that flow proves are kept in `f.facts` and joined where paths meet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nxdc.check.coerce import Pending, coerce
from nxdc.check.declarations.symbols import PreludeSymbol
from nxdc.check.expressions.constructors import any_if_none
from nxdc.check.expressions.exprs import check, handles, need, report_mismatch
from nxdc.check.flow.narrowing import Condition, check_condition, forget_assigned, join
from nxdc.check.function import Facts, Fn
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.tables.errors import BY_CODE, FIRST_USER_CODE, LAST_USER_CODE
from nxdc.types import model
from nxdc.types.model import ANY, FLOAT, INT, NEVER, NONE, RESULT_DECL, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import nullable_of, prune

Out = list[core.Stmt]
Handler = Callable[[Fn, Any, Out], bool]
_HANDLERS: dict[type, Handler] = {}


def executes(*kinds: type) -> Callable[[Handler], Handler]:
    """Registers the handler of some statement classes."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            _HANDLERS[kind] = handler
        return handler

    return register


def check_stmt(f: Fn, node: ast.Stmt, out: Out) -> bool:
    """Checks a statement; whether the next one can be reached."""
    return _HANDLERS[type(node)](f, node, out)


def check_block(f: Fn, block: ast.Block) -> tuple[Out, bool]:
    """A block with a scope of its own."""
    f.push()
    out: Out = []
    falls = check_stmts(f, block.stmts, out)
    f.pop()
    return out, falls


def check_stmts(f: Fn, stmts: tuple[ast.Stmt, ...], out: Out) -> bool:
    """Statements in the current scope. What cannot be reached is checked all the same, but for instances of templates:
    `IF X IS int: RETURN 1` ends the body for an int, and what follows is for other types.
    """
    falls = True
    for i, stmt in enumerate(stmts):
        if not check_stmt(f, stmt, out):
            falls = False
            if f.drops_dead_code:
                f.leave_out(*stmts[i + 1 :])
                break
    return falls


# ---- bodies
# ----------------------------------------------------------------------------------------------------------------


def _return_help(out: Out, result: Type) -> str:
    """What a function lacks at its end; a last line that is the value itself only lacks the word."""
    last = out[-1] if out else None
    if isinstance(last, core.ExprStmt) and prune(last.value.type) == result and "\n" not in last.span.text:
        return f"a value is given by `RETURN {last.span.text}`"
    return "add a RETURN at the end"


def check_function_body(f: Fn, body: ast.Block, name: str, place: Span) -> Out:
    """The statements of a function, and its result type where that is inferred."""
    out, falls = check_block(f, body)
    falls = falls and not f.root.broken  # what could not be read may return
    if f.result_declared:
        result = prune(f.result)
        if falls and result is not NONE and not isinstance(result, (model.ErrorType, TypeVar)):
            f.error(codes.S3017, "falls_off", place, name=name, want=show(result), helps=[_return_help(out, result)])
        return out
    if f.returned_value is None:
        if not f.returned_error:
            f.unifier.unify(f.result, NONE)
        elif not f.root.blocked_on and isinstance(prune(f.result), TypeVar):
            f.unifier.bind(prune(f.result), model.ERROR)  # type: ignore[arg-type]  # a variable
        return out
    result = prune(f.result)
    if falls:
        f.error(
            codes.S3017,
            "mixed",
            place,
            name=name,
            also=[(f.returned_value, "a value is returned here")],
            helps=["add a RETURN with a value at the end, or return `OPTION` values: `SOME(X)` and `NONE`"],
        )
    elif f.returned_none and not _has_none(result):
        text = f.returned_value.text
        f.error(codes.S3002, "some_missing", f.returned_value, got=show(result), text=text,
                also=[(f.returned_none[0], "`NONE` is returned here")],
                fixes=[Fix(f"write `SOME({text})`", (Edit(f.returned_value, f"SOME({text})"),), "likely")])  # fmt: skip
        for waiting in f.none_returns:
            waiting.type = waiting.value.type = model.ERROR
    return out


def _has_none(type_: Type) -> bool:
    if isinstance(type_, (model.NullableType, model.ErrorType, TypeVar)) or type_ in (ANY, NONE):
        return True
    return isinstance(type_, model.UnionType) and type_.decl is model.OPTION_DECL


@executes(ast.Return)
def _return(f: Fn, node: ast.Return, out: Out) -> bool:
    if not f.allows_return:
        f.error(codes.S3018, "returned", node.span)
        return False
    if f.result_declared:
        out.append(_declared_return(f, node))
    else:
        out.append(_inferred_return(f, node))
    return False


def _declared_return(f: Fn, node: ast.Return) -> core.Stmt:
    want = f.result
    if node.value is None:
        if prune(want) not in (NONE, ANY) and not isinstance(prune(want), model.ErrorType):
            f.error(codes.S3002, "returned_nothing", node.span, want=show(want))
        elif prune(want) is ANY:
            return core.Return(node.span, core.NoneLit(ANY, node.span))
        return core.Return(node.span, None)
    value = check(f, node.value, want)
    converted = coerce(f, value, want)
    if converted is None:
        if prune(want) is NONE:
            f.error(codes.S3002, "returned", node.value.span, want="none", got=show(value.type))
            return core.Return(node.span, None)
        report_mismatch(f, value, want, node.value.span, "returned")
        return core.Return(node.span, value)
    return _returning(f, node, converted)


def _returning(f: Fn, node: ast.Return, value: core.Expr) -> core.Stmt:
    if prune(f.result) is NONE:
        if isinstance(value, core.NoneLit):
            return core.Return(node.span, None)
        return core.Block(node.span, [core.ExprStmt(node.span, value), core.Return(node.span, None)])
    return core.Return(node.span, value)


def _float_after_literals(f: Fn, value: core.Expr) -> bool:
    """`RETURN 0` on one path and `RETURN X DIV Y` on another: the literal is a float, as another round will see."""
    instance = f.instance
    if f.parent is not None or instance is None or instance.own_result is None or not f.only_literals:
        return False
    if prune(value.type) is not FLOAT or prune(f.result) is not INT or instance.own_result.ref is not INT:
        return False
    instance.own_result.ref = FLOAT
    f.blocked_on.append((instance.own_result, value.span))
    return True


def _none_result(f: Fn, span: Span) -> core.Expr:
    """NONE as whatever the function turns out to return."""
    waiting = Pending(f.result, span, core.NoneLit(NONE, span))
    f.none_returns.append(waiting)
    return waiting


def _inferred_return(f: Fn, node: ast.Return) -> core.Stmt:
    """The first RETURN of a value decides; `RETURN NONE` alone means nothing, beside `RETURN SOME(X)` an OPTION."""
    if node.value is None:
        f.returned_none.append(node.span)
        return core.Return(node.span, _none_result(f, node.span))
    value = check(f, node.value, f.result if f.returned_value is not None else None)
    have = prune(value.type)
    if isinstance(value, core.NoneLit) and have is NONE:
        f.returned_none.append(node.value.span)
        return core.Return(node.span, _none_result(f, node.span))
    if have is NONE:
        f.returned_none.append(node.value.span)
        return core.Block(
            node.span, [core.ExprStmt(node.span, value), core.Return(node.span, _none_result(f, node.span))]
        )
    if isinstance(have, model.NeverType):
        return core.ExprStmt(node.span, value)
    first = f.returned_value
    if isinstance(have, model.ErrorType):
        f.returned_error = True
    elif first is None:
        f.returned_value = node.value.span
    converted = coerce(f, value, f.result)
    if converted is None and _float_after_literals(f, value):
        return core.Return(node.span, value)
    f.only_literals = f.only_literals and isinstance(value, core.IntLit)
    if converted is None:
        also = [(first, f"`{show(f.result)}` is returned here")] if first is not None else []
        report_mismatch(f, value, f.result, node.value.span, "returned", also=also)
        return core.Return(node.span, value)
    return core.Return(node.span, converted)


# ---- IF ------------------------------------------------------------------------------------------------------------
# ------------


@executes(ast.If)
def _if(f: Fn, node: ast.If, out: Out) -> bool:
    ends: list[Facts] = []
    falls = _branches(f, node, 0, out, ends)
    if ends:
        facts = ends[0]
        for other in ends[1:]:
            facts = join(facts, other)
        f.facts = facts
    return falls


def _branches(f: Fn, node: ast.If, first: int, out: Out, ends: list[Facts]) -> bool:
    """ELSE IFs nest in the core; walked in a loop, for there may be many."""
    falls = False
    target = out
    for i, branch in enumerate(node.branches[first:], first):
        condition = check_condition(f, branch.cond)
        dead = f.drops_dead_code
        before = f.facts
        if dead and condition.static is False:
            then: Out = []
            f.leave_out(branch.body)
        else:
            f.facts = {**before, **condition.true}
            then, reaches = check_block(f, branch.body)
            if reaches:
                falls = True
                ends.append(f.facts)
        if dead and condition.static is True:
            if not isinstance(condition.expr, core.BoolLit):  # what its operand does still happens
                target.append(core.ExprStmt(branch.cond.span, condition.expr))
            target.append(core.Block(branch.span, then))
            f.leave_out(*node.branches[i + 1 :], *([node.otherwise] if node.otherwise is not None else []))
            return falls
        f.facts = {**before, **condition.false} if condition.false else before
        otherwise: Out = []
        target.append(core.If(branch.span, condition.expr, then, otherwise))
        target = otherwise
    if node.otherwise is not None:
        body, reaches = check_block(f, node.otherwise)
        target.extend(body)
        if reaches:
            ends.append(f.facts)
        return falls or reaches
    ends.append(f.facts)
    return True


# ---- small statements
# ------------------------------------------------------------------------------------------------------------


def _warn_unused_value(f: Fn, node: ast.Expr) -> None:
    """A value computed for nothing. Calls and names may stand alone: `CASE NONE: NONE`."""
    if isinstance(node, (ast.Binary, ast.Cast, ast.IsTest, ast.Matches)):
        helps = ["a variable is set by `SET`"] if isinstance(node, ast.Binary) and node.op == "EQ" else []
        f.error(codes.W2006, "value", node.span, helps=helps)


# Functions of the prelude that newcomers take to change what they are given.
_GIVES_NEW = frozenset(
    ("SORT", "SORT_BY", "REVERSE", "CONCAT", "FILTER", "SLICE", "TAIL", "UPPER", "LOWER", "TRIM", "REPLACE")
)


def _warn_unused_result(f: Fn, node: ast.Expr, value: core.Expr) -> None:
    """A function that is named but not called, a RESULT that nobody looks at, and `SORT(L)` for a list to be sorted."""
    if isinstance(node, (ast.NameRef, ast.Field)) and isinstance(prune(value.type), model.FuncType):
        f.error(codes.W2006, "value", node.span, helps=[f"a call has brackets: `{node.span.text}()`"])
    type_ = prune(value.type)
    named = isinstance(node, (ast.NameRef, ast.Field))
    if not named and isinstance(type_, model.UnionType) and type_.decl is RESULT_DECL:
        helps = ["look at it with MATCH, or let UNWRAP raise the error; `LET R SET ...` keeps it for later"]
        f.error(codes.W2006, "result", node.span, helps=helps)
    if not isinstance(node, ast.Call) or not isinstance(node.callee, (ast.NameRef, ast.Field)):
        return
    name = node.callee.name if isinstance(node.callee, ast.NameRef) else node.callee.name.text
    if name not in _GIVES_NEW or f.lookup(name) is not None:
        return
    groups = f.scope.tiers(name)
    if len(groups) == 1 and all(isinstance(s, PreludeSymbol) for s in groups[0]):
        f.error(codes.W2006, "value", node.span, helps=[f"`{name}` changes nothing: it gives a new value"])


@executes(ast.ExprStmt)
def _expr_stmt(f: Fn, node: ast.ExprStmt, out: Out) -> bool:
    if isinstance(node.expr, ast.TryExpr):  # nobody wants the value: the block need not end in one
        tried = node.expr
        body = ast.Block(tried.expr.span, (ast.ExprStmt(tried.expr.span, tried.expr),))
        return _try(f, ast.Try(node.span, body, (ast.Catch(node.span, tried.name, tried.code, tried.body),), None), out)
    _warn_unused_value(f, node.expr)
    value = check(f, node.expr)
    if isinstance(value, core.NoneLit):
        return True
    _warn_unused_result(f, node.expr, value)
    out.append(core.ExprStmt(node.span, value))
    return prune(value.type) is not NEVER


@executes(ast.ErrorStmt, ast.ErrorDecl)
def _error_stmt(f: Fn, node: ast.ErrorStmt | ast.ErrorDecl, out: Out) -> bool:
    f.root.broken += node.span.text + node.span.text.upper()  # names in lower case are reported, and read as capitals
    if isinstance(node, ast.ErrorStmt) and node.body is not None:
        check_block(f, node.body)
    return True


@executes(ast.Break, ast.Continue)
def _leave_loop(f: Fn, node: ast.Break | ast.Continue, out: Out) -> bool:
    is_break = isinstance(node, ast.Break)
    if not f.loops:
        if any(word in f.root.broken for word in ("LOOP", "FOR", "WHILE")):  # one that could not be read
            return False
        word = "BREAK" if is_break else "CONTINUE"
        f.error(codes.S3018, "word", node.span, word=word)
        return False
    loop = f.loops[-1]
    if is_break:
        loop.has_break = True
        out.append(core.Break(node.span, loop.stmt))
    else:
        out.append(core.Continue(node.span, loop.stmt))
    return False


@executes(ast.Throw)
def _throw(f: Fn, node: ast.Throw, out: Out) -> bool:
    out.append(core.Throw(node.span, as_text(f, check(f, node.value))))
    return False


def as_text(f: Fn, value: core.Expr) -> core.Expr:
    """A value as the string that PRINT shows."""
    if prune(value.type) is STRING:
        return value
    if isinstance(prune(value.type), (TypeVar, model.NullableType)) or prune(value.type) is NONE:
        value = coerce(f, value, ANY) or value
    empty = core.StringLit(STRING, value.span, "")
    return core.Intrinsic(STRING, value.span, "concat", "ADD", [empty, value])


@executes(ast.Raise)
def _raise(f: Fn, node: ast.Raise, out: Out) -> bool:
    code = error_code(f, node.code)
    detail = as_text(f, check(f, node.detail, STRING)) if node.detail is not None else None
    out.append(core.Raise(node.span, code or 0, detail))
    return False


def error_code(f: Fn, name: ast.Name) -> int | None:
    """The number of an error code; reported when there is none of that name."""
    text = name.text
    if text in BY_CODE:
        return BY_CODE[text].number
    digits = text[1:]
    if text[:1] == "E" and digits.isdigit() and FIRST_USER_CODE <= int(digits) <= LAST_USER_CODE:
        return int(digits)
    from nxdc.check.declarations.names import suggest

    extra = suggest(text, BY_CODE, name.span)
    extra["helps"] = [*extra.get("helps", ()), f"codes of your own are E{FIRST_USER_CODE} to E{LAST_USER_CODE}"]
    f.error(codes.S3001, "code", name.span, name=text, **extra)
    return None


@executes(ast.Try)
def _try(f: Fn, node: ast.Try, out: Out) -> bool:
    before = f.facts
    body, falls = check_block(f, node.body)
    ends = [f.facts] if falls else []
    f.facts = before
    forget_assigned(f, node.body)
    start = f.facts
    catches: list[core.Catch] = []
    for catch in node.catches:
        f.facts = start
        made, reaches = _catch(f, catch)
        catches.append(made)
        if reaches:
            falls = True
            ends.append(f.facts)
    f.facts = ends[0] if ends else start
    for facts in ends[1:]:
        f.facts = join(f.facts, facts)
    final: Out = []
    if node.final is not None:
        after = f.facts
        f.facts = start  # it also runs when something before it fails half-way
        forget_assigned(f, *(catch.body for catch in node.catches))
        final, reaches = check_block(f, node.final)
        f.facts = after
        forget_assigned(f, node.final)
        falls = falls and reaches
    out.append(core.Try(node.span, body, catches, final))
    return falls


def _catch(f: Fn, node: ast.Catch) -> tuple[core.Catch, bool]:
    code = error_code(f, node.code) if node.code is not None else None
    f.push()
    message = f.declare(node.name, STRING, "catch") if node.name is not None else None
    body: Out = []
    falls = check_stmts(f, node.body.stmts, body)
    f.pop()
    return core.Catch(code, message, body, node.span), falls


# ---- TRY and IF as expressions
# -----------------------------------------------------------------------------------------------


@handles(ast.TryExpr)
def _try_expr(f: Fn, node: ast.TryExpr, expected: Type | None) -> core.Expr:
    value = any_if_none_type(f, check(f, node.expr, expected))
    if expected is not None and prune(expected) is ANY and prune(value.type) is not NONE:
        value = coerce(f, value, ANY) or value
    if expected is not None and prune(value.type) is NONE and not _takes_none(prune(expected)):
        value = need(f, value, expected, node.expr.span)
    code = error_code(f, node.code) if node.code is not None else None
    before = f.facts
    f.push()
    message = f.declare(node.name, STRING, "catch") if node.name is not None else None
    handler, handler_type = _value_block(f, node, value.type)
    f.pop()
    f.facts = before
    if isinstance(prune(value.type), model.NeverType) and handler_type is not None:
        value.type = handler_type
    elif handler_type is not None and (prune(value.type) is NONE or _is_nullable(handler_type)):
        value = need(f, value, handler_type, node.expr.span)
    return core.TryExpr(value.type, node.span, value, [core.ExprCatch(code, message, handler)])


def _is_nullable(type_: Type) -> bool:
    return isinstance(prune(type_), model.NullableType)


def _takes_none(type_: Type) -> bool:
    return isinstance(type_, (TypeVar, model.NullableType)) or type_ in (ANY, NONE)


def any_if_none_type(f: Fn, value: core.Expr) -> core.Expr:
    """NONE as a value that a TRY or IF expression gives; a call that gives nothing stays one."""
    return any_if_none(f, value) if isinstance(value, core.NoneLit) else value


def _value_block(f: Fn, node: ast.TryExpr, want: Type) -> tuple[core.Expr, Type | None]:
    """The handler of a TRY expression: it leaves, or ends in an expression that is the value."""
    stmts = node.body.stmts
    body: Out = []
    last = stmts[-1] if stmts else None
    if isinstance(last, ast.ExprStmt):
        check_stmts(f, stmts[:-1], body)
        value = check(f, last.expr, want)
        if prune(want) is NONE and prune(value.type) is NONE:
            body.append(core.ExprStmt(last.span, value))
            return core.BlockExpr(NONE, node.body.span, body, core.NoneLit(NONE, last.span)), NONE
        if isinstance(prune(value.type), model.NeverType):
            body.append(core.ExprStmt(last.span, value))
            return core.BlockExpr(NEVER, node.body.span, body, None), None
        if prune(want) is NONE:
            want = nullable_of(value.type)  # `TRY SAVE() CATCH E: E`: none where it did not fail
        elif isinstance(value, core.NoneLit) and not (isinstance(prune(want), TypeVar) or _has_none(prune(want))):
            want = model.NullableType(want)  # `TRY F() CATCH E: NONE`
        converted = coerce(f, value, want)
        if converted is None:
            report_mismatch(f, value, want, last.span, "assign", also=[(node.expr.span, f"this is `{show(want)}`")])
            converted = value
        return core.BlockExpr(want, node.body.span, body, converted), converted.type
    falls = check_stmts(f, stmts, body)
    if not falls:
        return core.BlockExpr(NEVER, node.body.span, body, None), None
    if prune(want) is NONE:
        return core.BlockExpr(NONE, node.body.span, body, core.NoneLit(NONE, node.body.span)), NONE
    f.error(
        codes.S3002,
        "nothing",
        last.span if last is not None else node.body.span,
        "the block must leave or end in a value",
        helps=[f"end the block with an expression of type `{show(want)}`, or with RETURN, THROW, BREAK ..."],
    )
    return core.BlockExpr(NEVER, node.body.span, body, None), None


@handles(ast.IfExpr)
def _if_expr(f: Fn, node: ast.IfExpr, expected: Type | None) -> core.Expr:
    condition = check_condition(f, node.cond)
    before = f.facts
    if f.drops_dead_code and condition.static is not None:
        return _live_branch(f, node, condition, expected)
    f.facts = {**before, **condition.true}
    then = check(f, node.then, expected)
    f.facts = {**before, **condition.false}
    otherwise = check(f, node.otherwise, expected)
    f.facts = before
    type_, (then, otherwise) = same_type(f, [then, otherwise], expected)
    if type_ is None:
        a, b = show(then.type), show(otherwise.type)
        f.error(codes.S3002, "branches", node.span, left=a, right=b,
                also=[(node.then.span, f"this is `{a}`"), (node.otherwise.span, f"this is `{b}`")])  # fmt: skip
        type_ = model.ERROR
    return core.IfExpr(type_, node.span, condition.expr, then, otherwise)


def _live_branch(f: Fn, node: ast.IfExpr, condition: Condition, expected: Type | None) -> core.Expr:
    """The branch that the types alone choose in an instance of a template."""
    before = f.facts
    f.facts = {**before, **(condition.true if condition.static else condition.false)}
    f.leave_out(node.otherwise if condition.static else node.then)
    value = check(f, node.then if condition.static else node.otherwise, expected)
    f.facts = before
    if isinstance(condition.expr, core.BoolLit):
        return value
    return core.BlockExpr(value.type, node.span, [core.ExprStmt(node.cond.span, condition.expr)], value)


def same_type(f: Fn, values: list[core.Expr], expected: Type | None) -> tuple[Type | None, list[core.Expr]]:
    """Values of branches as values of one type; None when they have none in common."""
    kinds = {prune(v.type) for v in values if not isinstance(prune(v.type), TypeVar)}
    target: Type = f.fresh()
    if expected is not None and not isinstance(prune(expected), TypeVar):
        if all(_converts(f, v, expected) for v in values):
            target = expected
    elif ANY in kinds:
        target = ANY
    elif kinds == {model.INT, model.FLOAT}:
        target = model.FLOAT
    elif (
        NONE in kinds
        and len(kinds) > 1
        and all(isinstance(v, core.NoneLit) or prune(v.type) is not NONE for v in values)
    ):
        target = f.fresh(from_none=True)
    elif kinds == {NONE} and not all(isinstance(v, core.NoneLit) for v in values):
        return NONE, values
    converted: list[core.Expr] = []
    ordered = sorted(range(len(values)), key=lambda i: isinstance(values[i], core.NoneLit))
    made: dict[int, core.Expr] = {}
    for i in ordered:
        result = coerce(f, values[i], target)
        if result is None:
            return None, values
        made[i] = result
    converted = [made[i] for i in range(len(values))]
    return target, converted


def _converts(f: Fn, value: core.Expr, want: Type) -> bool:
    from nxdc.check.expressions.overloads import conversion_cost

    mark = f.unifier.begin()
    try:
        return conversion_cost(f, value, want) is not None
    finally:
        f.unifier.rollback(mark)


def let_fix(name: str, span: Span) -> list[Fix]:
    """The fix that makes `X SET 1` a `LET X SET 1`."""
    return [Fix(f"write `LET {name} SET`", (Edit(span.at_start(), "LET "),), "likely")]


def load_handlers() -> None:
    """Imports the modules that register the other handlers."""
    from nxdc.check.expressions import (  # noqa: F401
        calls,
        casts,
        constructors,
        fields,
        lambdas,
        operators,
        pipes,
        tests,
    )  # fmt: skip
    from nxdc.check.patterns import matches  # noqa: F401
    from nxdc.check.statements import assigns, concurrency, loops  # noqa: F401
