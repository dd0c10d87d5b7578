"""Functions as the core has them: one `Instance` for each combination of types a function is called with.

A function whose types are all written has one instance. A template (a parameter without a type) has one for each
combination of argument types, a generic function one for each choice of type arguments; they are found again by
their resolved types. Types that are still undecided at the call make an *open* instance: checked at once, so that
its body helps to decide them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nxdc.check.declarations.symbols import FuncSymbol
from nxdc.check.function import Fn, check_body
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type, TypeVar
from nxdc.types.show import show, show_all
from nxdc.types.unify import children, has_vars, prune, resolve, zonk

if TYPE_CHECKING:
    from nxdc.check.checker import Checker

MAX_DEPTH = 100  # of template instances that need each other
MAX_TYPE_DEPTH = 40  # of a type argument
MAX_OPEN = 4  # of one function inside each other


class Instance:
    """One function of the core, and how far its check is."""

    __slots__ = (
        "called_from", "env", "fn", "function", "hints", "is_derived", "is_open", "own_result", "params", "result",
        "state", "symbol",
    )  # fmt: skip

    def __init__(self, symbol: FuncSymbol, env: dict[str, Type], params: list[Type], called_from: Span | None) -> None:
        self.symbol = symbol
        self.env = env
        self.params = params
        self.called_from = called_from
        self.is_derived = symbol.is_template or symbol.generic
        self.is_open = False
        self.state = "new"  # "new", "queued", "checking", "done"
        self.hints: dict[Any, Type] = {}
        self.result: Type = model.NONE
        self.own_result: TypeVar | None = None  # the variable that the first RETURN solves
        self.function = core.CoreFunction(_name(symbol, env, params), [], model.NONE, [], symbol.node.header)
        self.fn: Fn | None = None

    def rename(self) -> None:
        """An open instance knows its types only in the end."""
        env = {name: zonk(type_) for name, type_ in self.env.items()}
        self.function.name = _name(self.symbol, env, [zonk(p) for p in self.params])

    def call_label(self) -> str:
        """How a diagnostic inside names the call that made this instance."""
        if self.symbol.row is not None:
            return f"in this call of `{self.symbol.name}`"
        return f"called here with {show_all(self.params)}"


def _name(symbol: FuncSymbol, env: dict[str, Type], params: list[Type]) -> str:
    base = f"{symbol.module}.{symbol.name}" if symbol.module else symbol.name
    if symbol.generic:
        return f"{base}<{show_all([resolve(env[p]) for p in symbol.type_params])}>"
    if symbol.is_template:
        untyped = [resolve(p) for p, written in zip(params, symbol.params, strict=True) if written is None]
        return f"{base}<{show_all(untyped)}>"
    return base


def sole_instance(checker: Checker, symbol: FuncSymbol) -> Instance:
    """The instance of a function whose types are all written."""
    instance = symbol.instances.get(())
    if instance is None:
        params = [t for t in symbol.params if t is not None]
        instance = symbol.instances[()] = _make(checker, symbol, {}, params, None)
    return instance


def instance_for(
    checker: Checker, symbol: FuncSymbol, env: dict[str, Type], params: list[Type], span: Span
) -> Instance:
    """The instance for type arguments `env` and parameter types `params` (all known, but maybe with open variables)."""
    if not (symbol.is_template or symbol.generic):
        return sole_instance(checker, symbol)
    env = {name: resolve(t) for name, t in env.items()}
    params = [_argument_type(resolve(t)) for t in params]
    key = (*env.values(), *params)
    if any(has_vars(t) for t in key):
        return _open_instance(checker, symbol, env, params, span)
    instance_or_none = symbol.instances.get(key)
    if instance_or_none is None:
        instance_or_none = symbol.instances[key] = _make(checker, symbol, env, params, span)
    return instance_or_none


def _open_instance(
    checker: Checker, symbol: FuncSymbol, env: dict[str, Type], params: list[Type], span: Span
) -> Instance:
    """An instance for types that are still undecided. Its call of itself with the same variables is the same one."""
    around = [i for i in checker.open_instances if i.symbol is symbol]
    key = [*env.values(), *params]
    for instance in around:
        if [resolve(t) for t in (*instance.env.values(), *instance.params)] == key:
            return instance
    if len(around) >= MAX_OPEN:  # each call makes new variables: nothing will decide them
        for type_ in key:
            decide(checker, type_)
        return instance_for(checker, symbol, env, params, span)
    instance = _make(checker, symbol, env, params, span)
    instance.is_open = True
    return instance


def decide(checker: Checker, type_: Type) -> None:
    """Gives what is undecided in a type its default."""
    type_ = prune(type_)
    if isinstance(type_, TypeVar):
        checker.unifier.bind(type_, type_.default)
    for part in children(type_):
        decide(checker, part)


def _argument_type(type_: Type) -> Type:
    """The type of an untyped parameter that gets a value of `type_`: NONE alone says nothing, so it is `any`."""
    return model.ANY if type_ in (model.NONE, model.NEVER) else type_


def _make(
    checker: Checker, symbol: FuncSymbol, env: dict[str, Type], params: list[Type], span: Span | None
) -> Instance:
    instance = Instance(symbol, env, params, span)
    if symbol.result is not None:
        instance.result = model.substitute(symbol.result, env)
        if symbol.node.is_async and isinstance(instance.result, model.TaskType):
            instance.result = instance.result.result
    else:
        instance.result = instance.own_result = checker.unifier.fresh()
    return instance


def demand(f: Fn, instance: Instance) -> None:
    """Makes sure that the result type of an instance that `f` uses is known, as far as that is possible, and that it
    will be checked.
    """
    checker = f.checker
    if instance.state in ("done", "checking"):
        return
    if checker.names_only and instance.is_derived:
        checker.unifier.unify(instance.result, model.ANY)
        return
    if instance.symbol.result is None or instance.is_open:
        check_instance(checker, instance)
        if instance.is_open and instance.state == "new":
            _wait_for(f, instance)
    elif instance.state == "new":
        instance.state = "queued"
        checker.queue.append(instance)


def _wait_for(f: Fn, instance: Instance) -> None:
    """The body of an open instance waits for a type: so does the function that uses it, which will make it anew. When
    nothing more can be found out there, the types get their defaults.
    """
    if not f.root.last_round:
        assert f.checker.waits_for is not None
        f.blocked_on.append(f.checker.waits_for)
        return
    for type_ in (*instance.env.values(), *instance.params):
        decide(f.checker, type_)
    check_instance(f.checker, instance, final=True)


def check_instance(checker: Checker, instance: Instance, *, final: bool = False) -> None:
    """Checks the body for these types. `final`: now, whatever it waits for."""
    if instance.state in ("done", "checking"):
        return
    if instance.is_derived and not _depth_allowed(checker, instance):
        return
    instance.state = "checking"
    checker.depth += instance.is_derived
    outer = checker.current
    checker.current = instance
    if instance.is_open:
        checker.open_instances.append(instance)

    def run(hints: dict[Any, Type], mode: int) -> Fn:
        return _run(checker, instance, hints, mode)

    fn = check_body(run, checker, hints=instance.hints, postpone=not (final or checker.final_round))
    checker.current = outer
    checker.depth -= instance.is_derived
    if instance.is_open:
        checker.open_instances.pop()
    if fn is None:
        instance.state = "new"
        if not instance.is_open:
            checker.blocked.append(instance)
        return
    instance.state = "done"
    instance.fn = fn
    _settle(fn)
    if symbol_result_missing(instance):
        checker.report(codes.S3020, "recursive", instance.symbol.span, name=instance.symbol.name,
                       helps=["write the result type: `FUNC NAME(...): TYPE:`"])  # fmt: skip
        checker.unifier.bind(prune(instance.result), model.ANY)  # type: ignore[arg-type]  # a variable
    instance.function.result = instance.result
    checker.finished.append(fn)


def symbol_result_missing(instance: Instance) -> bool:
    """Whether the result is only what the function's own calls give."""
    return instance.own_result is not None and prune(instance.result) is instance.own_result


def _depth_allowed(checker: Checker, instance: Instance) -> bool:
    deep = any(_depth(t) > MAX_TYPE_DEPTH for t in (*instance.env.values(), *instance.params))
    if checker.depth < MAX_DEPTH and not deep:
        return True
    instance.state = "done"
    symbol = instance.symbol
    checker.report(
        codes.S3020,
        "instances",
        symbol.span,
        name=symbol.name,
        helps=["each call of it makes a call with other types; write the types of its parameters"],
    )
    if isinstance(prune(instance.result), TypeVar):
        checker.unifier.unify(instance.result, model.ANY)
    return False


def _depth(type_: Type) -> int:
    parts = children(prune(type_))
    return 1 + max((_depth(part) for part in parts), default=0)


def _run(checker: Checker, instance: Instance, hints: dict[Any, Type], mode: int) -> Fn:
    from nxdc.check.statements.stmts import check_function_body

    symbol = instance.symbol
    function = instance.function
    fn = Fn(checker, symbol.scope, instance.env, function, instance=instance)
    fn.begin_round(hints, mode)
    fn.result = instance.result
    fn.result_declared = symbol.result is not None
    function.params = [
        fn.declare(param.name, type_, "param")
        for param, type_ in zip(symbol.node.params, instance.params, strict=False)
    ]
    assert symbol.node.body is not None
    function.body = check_function_body(fn, symbol.node.body, symbol.name, symbol.node.name.span)
    return fn


def _settle(fn: Fn) -> None:
    """The function is done: what it left undecided gets its default; callers must not depend on the order of checks."""
    for var in fn.own_vars:
        if var.ref is None:
            fn.unifier.bind(var, var.default)


def signature_text(instance: Instance) -> str:
    """For messages."""
    return f"{instance.symbol.name}({show_all(instance.params)}): {show(instance.result)}"
