"""The arguments of a call whose function is chosen: the order in which they are checked, and their conversions.

An argument may need what the others decide: lambdas and names of functions come last, literals of ints before them. An
int literal that only a lambda can tell from a float is tried as both.
"""

from __future__ import annotations

from nxdc.check.coerce import coerce
from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol
from nxdc.check.declarations.traits import bound_with, implements
from nxdc.check.expressions.constructors import any_if_none
from nxdc.check.expressions.exprs import check, error_expr, report_mismatch
from nxdc.check.expressions.overloads import Arg, CallSite, Candidate
from nxdc.check.function import Attempt, Fn
from nxdc.check.literals import is_int_literal, literals_last, names_function
from nxdc.core import tree as core
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import ANY, FLOAT, INT, NONE, Type, TypeVar
from nxdc.types.unify import contains, prune, resolve

MAX_ATTEMPTS = 4  # inside each other: every one may check its part three times


def use_expected(f: Fn, candidate: Candidate, site: CallSite) -> None:
    """The expected type helps to find the type arguments where the arguments do not: where there are none
    (`LET S: STACK<int> SET NEW_STACK()`), and where int literals may be floats (`LET X: float SET MAX(1, 2)`).
    """
    if not candidate.env or site.expected is None:
        return
    symbol = candidate.symbol
    result = symbol.signature.result if isinstance(symbol, PreludeSymbol) else symbol.result
    want = resolve(site.expected)
    if result is None or isinstance(result, model.PrimType) or isinstance(want, TypeVar) or want is ANY:
        return
    floats = contains(want, lambda part: part is FLOAT) and all(is_int_literal(arg.node) for arg in site.args)
    if site.args and not floats:
        return
    mark = f.unifier.begin()
    if f.unifier.unify(model.substitute(result, candidate.env), want):
        f.unifier.commit(mark)
    else:
        f.unifier.rollback(mark)


def converted_arguments(f: Fn, candidate: Candidate, site: CallSite) -> list[core.Expr]:
    """The converted arguments. Lambdas come after the others, which decide the types of their parameters."""
    args: list[core.Expr | None] = [None] * len(site.args)
    literal = [is_int_literal(arg.node) for arg in site.args]
    for i in literals_last(literal):
        arg = site.args[i]
        if literal[i] and _lambda_decides(f, site, candidate, i):
            return _guessed(f, candidate, site, args)
        if arg.expr is not None or not (arg.waits or names_function(f, arg.node)):
            args[i] = _argument(f, candidate, site, i, arg, candidate.params[i])
    for name, bounds in candidate.bounds:  # `<T, C : CONTAINER<T>>`: C decides T, before a lambda wants to know it
        for bound in bounds:
            if bound.args:
                implements(f.checker, candidate.env[name], bound_with(bound, candidate.env))
    return _remaining(f, candidate, site, args)


def _remaining(f: Fn, candidate: Candidate, site: CallSite, args: list[core.Expr | None]) -> list[core.Expr]:
    order = sorted(range(len(args)), key=lambda i: site.args[i].waits)
    made = list(args)
    for i in order:
        if made[i] is None:
            made[i] = _argument(f, candidate, site, i, site.args[i], candidate.params[i])
    return [a for a in made if a is not None]


def _lambda_decides(f: Fn, site: CallSite, candidate: Candidate, i: int) -> bool:
    """Whether argument `i` alone gives the type of a parameter of a lambda: `REDUCE(L, 0, fn(A, X) => ...)`."""
    param = candidate.params[i]
    var = prune(param) if param is not None else None
    if not isinstance(var, TypeVar):
        return False
    functions = [
        p for arg, p in zip(site.args, candidate.params, strict=True)
        if p is not None and (arg.waits or names_function(f, arg.node))
    ]  # fmt: skip
    return any(contains(p, lambda part: part is var) for p in functions)


def _guessed(f: Fn, candidate: Candidate, site: CallSite, args: list[core.Expr | None]) -> list[core.Expr]:
    """The arguments, of which an int literal is an int, or a float where only that makes the lambda right."""
    open_ = [i for i, made in enumerate(args) if made is None]
    for guess in (INT, FLOAT) if f.root.attempts < MAX_ATTEMPTS else ():
        attempt = Attempt(f)
        for i in open_:
            param = candidate.params[i]
            if param is not None and is_int_literal(site.args[i].node) and isinstance(prune(param), TypeVar):
                f.unifier.unify(param, guess)
        made = _remaining(f, candidate, site, args)
        if not attempt.failed:
            attempt.keep()
            return made
        attempt.undo()
        for i in open_:
            site.args[i].expr = None
    return _remaining(f, candidate, site, args)


def _argument(f: Fn, candidate: Candidate, site: CallSite, i: int, arg: Arg, param: Type | None) -> core.Expr:
    if arg.expr is None:
        assert arg.node is not None
        arg.expr = check(f, arg.node, param)
    expr = arg.expr
    if param is None:
        return any_if_none(f, expr) if not isinstance(expr, core.NoneLit) else core.NoneLit(ANY, expr.span)
    if prune(expr.type) is NONE and isinstance(prune(param), TypeVar) and not isinstance(expr, core.NoneLit):
        return coerce(f, expr, ANY) or expr
    converted = coerce(f, expr, param)
    if converted is not None:
        return converted
    place = _param_place(candidate.symbol, i)
    report_mismatch(f, expr, param, expr.span if arg.node is None else arg.node.span, "argument", index=i + 1,
                    name=site.name, also=place)  # fmt: skip
    return error_expr(expr.span)


def _param_place(symbol: FuncSymbol | PreludeSymbol, i: int) -> list[tuple[Span, str]]:
    if isinstance(symbol, FuncSymbol) and symbol.row is None:
        return [(symbol.node.params[i].span, "the parameter is declared here")]
    return []
