"""Choosing among functions of one name.

A candidate fits when its parameter count is right and every argument converts to its parameter. Of those that fit,
the one whose conversions are smaller wins: an exact type before a generic one, that before a literal that adapts,
before a check at run time, before `any` and untyped parameters. Own functions come first, then imported ones, then
the prelude's.
"""

from __future__ import annotations

from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol
from nxdc.check.declarations.traits import bound_with, implements
from nxdc.check.function import Fn
from nxdc.check.literals import parts_for
from nxdc.core import tree as core
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, FLOAT, INT, NONE, Type, TypeVar
from nxdc.types.unify import has_vars, prune, resolve

EXACT, OPEN, GENERIC, WRAPPED, LITERAL, CONVERTED, CHECKED, BOXED, UNTYPED = 0, 1, 4, 8, 8, 10, 14, 20, 18


class Candidate(Record):
    """A function with variables in place of its type parameters."""

    symbol: FuncSymbol | PreludeSymbol
    env: dict[str, Type]
    params: list[Type | None]
    bounds: tuple[tuple[str, tuple[model.NominalDecl, ...]], ...]


class Arg:
    """An argument: its syntax, and its core once it is checked (lambdas wait for the parameter's type)."""

    __slots__ = ("expr", "node")

    def __init__(self, node: ast.Expr | None, expr: core.Expr | None = None) -> None:
        self.node = node
        self.expr = expr

    @property
    def waits(self) -> bool:
        """Whether the argument is a lambda that is checked when its place is known."""
        return isinstance(self.node, ast.Lambda)


class CallSite:
    """What the steps of resolving one call need."""

    __slots__ = ("args", "expected", "name", "name_span", "span", "type_args")

    def __init__(
        self, name: str, name_span: Span, span: Span, args: list[Arg], type_args: tuple[ast.TypeExpr, ...],
        expected: Type | None,
    ) -> None:  # fmt: skip
        self.name = name
        self.name_span = name_span
        self.span = span
        self.args = args
        self.type_args = type_args
        self.expected = expected


def arity(symbol: FuncSymbol | PreludeSymbol) -> int:
    """Number of parameters."""
    return len(symbol.signature.params) if isinstance(symbol, PreludeSymbol) else len(symbol.params)


def instantiate(f: Fn, symbol: FuncSymbol | PreludeSymbol) -> Candidate:
    """A candidate with fresh variables for its type parameters."""
    if isinstance(symbol, PreludeSymbol):
        signature = symbol.signature
        env: dict[str, Type] = {p.name: f.fresh() for p in signature.type_params}
        params: list[Type | None] = [model.substitute(t, env) for _, t in signature.params]
        bounds = tuple((p.name, p.bounds) for p in signature.type_params if p.bounds)
        return Candidate(symbol, env, params, bounds)
    if not symbol.generic:
        return Candidate(symbol, {}, symbol.params, ())
    env = {name: f.fresh() for name in symbol.type_params}
    params = [model.substitute(t, env) if t is not None else None for t in symbol.params]
    return Candidate(symbol, env, params, tuple((n, b) for n, b in symbol.bounds.items() if b))


def fit(f: Fn, candidate: Candidate, args: list[Arg]) -> list[int] | None:
    """The cost of each argument's conversion, None when one does not convert. Binds nothing."""
    mark = f.unifier.begin()
    costs: list[int] = []
    try:
        is_prelude = isinstance(candidate.symbol, PreludeSymbol)
        for i, (arg, param) in enumerate(zip(args, candidate.params, strict=True)):
            cost = _cost(f, arg, param)
            if is_prelude and cost == BOXED:
                if i == 0:
                    return None  # rows over `any` are for values that are an any already
                cost = EXACT  # and then they are the ones that are meant
            if cost is None:
                return None
            costs.append(cost)
        for name, bounds in candidate.bounds:
            wanted = [bound_with(bound, candidate.env) for bound in bounds]
            if not all(implements(f.checker, candidate.env[name], bound) for bound in wanted):
                return None
        return costs
    finally:
        f.unifier.rollback(mark)


def _cost(f: Fn, arg: Arg, param: Type | None) -> int | None:
    if param is None:
        return UNTYPED
    want = prune(param)
    if arg.waits:
        assert isinstance(arg.node, ast.Lambda)
        if isinstance(want, model.FuncType):
            return OPEN if len(want.params) == len(arg.node.params) else None
        return BOXED if want is ANY or isinstance(want, TypeVar) else None
    if arg.expr is None:  # a literal that takes the type of the parameter
        return OPEN
    return conversion_cost(f, arg.expr, want)


def conversion_cost(f: Fn, expr: core.Expr, want: Type) -> int | None:
    """How far `expr` is from being a `want`; None when it does not convert. May bind variables."""
    have, want = prune(expr.type), prune(want)
    if have is want or isinstance(have, (model.ErrorType, model.NeverType)) or isinstance(want, model.ErrorType):
        return EXACT
    if isinstance(want, TypeVar):
        return GENERIC + 1 if f.unifier.unify(want, ANY if have is NONE else have) else None
    if isinstance(have, TypeVar):
        if want is ANY:
            return BOXED
        return OPEN if f.unifier.unify(have, want) else None
    if want is ANY:
        return BOXED
    if have is ANY:
        return CHECKED
    if want is FLOAT and have is INT:
        return LITERAL if isinstance(expr, core.IntLit) else None
    if type(want) is model.StructType and type(have) is model.StructType and want.decl is not have.decl:
        return None  # what an overloaded function meets most
    generic = has_vars(want)
    mark = f.unifier.begin()
    if f.unifier.unify(have, want):
        f.unifier.commit(mark)
        return GENERIC if generic else EXACT
    f.unifier.rollback(mark)
    return _structural_cost(f, expr, have, want)


def _structural_cost(f: Fn, expr: core.Expr, have: Type, want: Type) -> int | None:
    if have is NONE:
        option = isinstance(want, model.UnionType) and want.decl is model.OPTION_DECL
        return CONVERTED if option or isinstance(want, model.NullableType) else None
    if isinstance(want, model.NullableType):
        inner = conversion_cost(f, expr, want.inner)
        return None if inner is None else inner + CONVERTED
    if isinstance(have, model.NullableType):
        inner = conversion_cost(f, core.Expr(have.inner, expr.span), want)
        return None if inner is None else inner + CHECKED
    literal = _literal_cost(f, expr, want)
    if literal is not None:
        return literal
    if isinstance(want, model.UnionType) and isinstance(have, model.UnionType) and want.decl is have.decl:
        if want.decl in (model.OPTION_DECL, model.RESULT_DECL):
            return (
                CONVERTED if all(_payload_fits(f, a, b) for a, b in zip(have.args, want.args, strict=False)) else None
            )
        return None
    if isinstance(want, model.RecordType) and isinstance(have, (model.StructType, model.RecordType)):
        fields = dict(model.struct_fields(have))
        fits = all(name in fields and f.unifier.unify(fields[name], t) for name, t in want.fields)
        return CONVERTED if fits else None
    if isinstance(want, model.ChannelType) and isinstance(have, model.ChannelType):
        return CONVERTED if ANY in (prune(want.element), prune(have.element)) else None
    if isinstance(want, model.FuncType) and isinstance(have, model.FuncType):
        return WRAPPED if _function_fits(f, have, want) else None
    return None


def _literal_cost(f: Fn, expr: core.Expr, want: Type) -> int | None:
    """Of a fresh literal whose parts convert."""
    parts = parts_for(expr, want)
    if parts is None:
        return None
    costs = [conversion_cost(f, part, type_) for part, type_ in parts]
    return None if None in costs else max([LITERAL, *(cost for cost in costs if cost is not None)])


def _payload_fits(f: Fn, have: Type, want: Type) -> bool:
    have, want = prune(have), prune(want)
    return have is ANY or want is ANY or f.unifier.unify(have, want)


def _function_fits(f: Fn, have: model.FuncType, want: model.FuncType) -> bool:
    if len(have.params) != len(want.params):
        return False
    pairs = [*zip(have.params, want.params, strict=False), (have.result, want.result)]
    return all(_payload_fits(f, a, b) or prune(b) is NONE for a, b in pairs)


def best(f: Fn, fitting: list[tuple[Candidate, list[int]]], expected: Type | None) -> list[Candidate]:
    """The candidates that no other one beats."""
    if len(fitting) == 1:
        return [fitting[0][0]]
    least = min(sum(costs) for _, costs in fitting)
    chosen = [candidate for candidate, costs in fitting if sum(costs) == least]
    if len(chosen) > 1:
        chosen = _most_specific(f, chosen)
        if _declared_twice(chosen):
            return chosen[:1]  # reported there
    if len(chosen) > 1 and expected is not None:
        want = resolve(expected)
        by_result = [c for c in chosen if _result_fits(f, c, want)]
        return by_result or chosen
    return chosen


def _declared_twice(chosen: list[Candidate]) -> bool:
    symbols = [c.symbol for c in chosen if isinstance(c.symbol, FuncSymbol) and c.params == chosen[0].params]
    return len(symbols) == len(chosen) and len({s.module for s in symbols}) == 1


def _most_specific(f: Fn, chosen: list[Candidate]) -> list[Candidate]:
    """Of generic candidates, the one with more bounds."""
    most = max(sum(len(b) for _, b in c.bounds) for c in chosen)
    return [c for c in chosen if sum(len(b) for _, b in c.bounds) == most]


def _result_fits(f: Fn, candidate: Candidate, want: Type) -> bool:
    result = result_of(candidate)
    if result is None or isinstance(want, TypeVar):
        return False
    mark = f.unifier.begin()
    try:
        return f.unifier.unify(model.substitute(result, candidate.env), want)
    finally:
        f.unifier.rollback(mark)


def result_of(candidate: Candidate) -> Type | None:
    """The written result type of a candidate; None when it is inferred."""
    symbol = candidate.symbol
    return symbol.signature.result if isinstance(symbol, PreludeSymbol) else symbol.result
