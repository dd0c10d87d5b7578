"""Calls with an `any` argument whose overloads differ there: the type at run time chooses."""

from __future__ import annotations

from nxdc.check.coerce import coerce
from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol, Symbol
from nxdc.check.expressions.overloads import CallSite, Candidate, arity, fit, instantiate, result_of
from nxdc.check.expressions.tests import any_test_kind
from nxdc.check.function import Fn
from nxdc.core import tree as core
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, NONE, Type, TypeVar
from nxdc.types.unify import has_vars, prune


def dispatch_call(f: Fn, group: list[Symbol], site: CallSite) -> core.Expr | None:
    """The call that tests its `any` arguments; None where the static types choose."""
    open_args = [i for i, arg in enumerate(site.args) if arg.expr is not None and prune(arg.expr.type) is ANY]
    if not open_args:
        return None
    candidates: list[Candidate] = []
    for symbol in group:
        if isinstance(symbol, (FuncSymbol, PreludeSymbol)) and arity(symbol) == len(site.args):
            candidate = instantiate(f, symbol)
            if fit(f, candidate, site.args) is not None:
                candidates.append(candidate)
    if len(candidates) < 2:
        return None
    given = [_for_given(f, candidate, site) for candidate in candidates]
    candidates = [candidate for candidate in given if candidate is not None]
    if len(candidates) < len(given):
        return None
    if any(isinstance(c.symbol, PreludeSymbol) and all(prune(c.params[i]) is ANY for i in open_args)  # type: ignore[arg-type]
           for c in candidates):  # fmt: skip
        return None  # the prelude's own row for any
    differing = [i for i in open_args if len({prune(c.params[i]) for c in candidates}) > 1]  # type: ignore[arg-type]
    if not differing:
        return None
    # A generic function or a template takes what the others leave.
    candidates.sort(key=lambda c: (sum(prune(c.params[i]) is ANY for i in differing), not _is_plain(c)))  # type: ignore[arg-type]
    return _chain(f, candidates, differing, site)


def _is_plain(candidate: Candidate) -> bool:
    symbol = candidate.symbol
    return isinstance(symbol, PreludeSymbol) or not (symbol.generic or symbol.is_template)


def _for_given(f: Fn, candidate: Candidate, site: CallSite) -> Candidate | None:
    """The candidate for the types of the arguments: `FUNC F<T>(X: T)` and `FUNC F(X)` take an any as it is. None where
    these do not say what the type parameters are (`LIST<T>`).
    """
    params: list[Type | None] = []
    for arg, param in zip(site.args, candidate.params, strict=True):
        if param is None or isinstance(prune(param), TypeVar):
            if arg.expr is None or has_vars(arg.expr.type):
                return None
            if param is not None:
                f.unifier.unify(param, arg.expr.type)
            params.append(arg.expr.type)
        elif has_vars(param):
            return None
        else:
            params.append(param)
    return Candidate(candidate.symbol, candidate.env, params, candidate.bounds)


def _chain(f: Fn, candidates: list[Candidate], differing: list[int], site: CallSite) -> core.Expr:
    span = site.span
    temps: list[core.Local] = []
    body: list[core.Stmt] = []
    for arg in site.args:
        assert arg.expr is not None
        temp = f.temp(arg.expr.type, arg.expr.span)
        temps.append(temp)
        body.append(core.Let(arg.expr.span, temp, arg.expr))
    calls = [_call(f, candidate, temps, site) for candidate in candidates]
    types = {prune(call.type) for call in calls}
    types = types - {model.NEVER} or types
    result: Type = types.pop() if len(types) == 1 else ANY
    value = coerce(f, calls[-1], result) or calls[-1]
    for candidate, call in zip(candidates[-2::-1], calls[-2::-1], strict=False):
        test = _test(candidate, differing, temps, site)
        value = core.IfExpr(result, span, test, coerce(f, call, result) or call, value)
    if prune(result) is NONE:
        body.append(core.ExprStmt(span, value))
        return core.BlockExpr(NONE, span, body, core.NoneLit(NONE, span))
    return core.BlockExpr(result, span, body, value)


def _test(candidate: Candidate, differing: list[int], temps: list[core.Local], site: CallSite) -> core.Expr:
    test: core.Expr | None = None
    for i in differing:
        param = candidate.params[i]
        assert param is not None
        if prune(param) is ANY:
            continue
        read = core.LocalRef(ANY, site.span, temps[i])
        one: core.Expr = core.IsTest(BOOL, site.span, any_test_kind(param), read, param)
        test = one if test is None else core.ShortCircuit(BOOL, site.span, "AND", test, one)
    return test if test is not None else core.BoolLit(BOOL, site.span, True)


def _call(f: Fn, candidate: Candidate, temps: list[core.Local], site: CallSite) -> core.Expr:
    from nxdc.check.expressions.calls import call_function

    args: list[core.Expr] = []
    for temp, param in zip(temps, candidate.params, strict=False):
        assert param is not None
        read = core.LocalRef(temp.type, site.span, temp)
        args.append(coerce(f, read, param) or read)
    if isinstance(candidate.symbol, PreludeSymbol):
        result = result_of(candidate)
        assert result is not None
        return core.CallPrelude(model.substitute(result, {}), site.span, candidate.symbol.row, [], args)
    return call_function(f, candidate.symbol, candidate, args, site.span)
