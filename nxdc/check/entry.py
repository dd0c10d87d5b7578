"""The layer in one call: from the modules of a program to its typed core."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from nxdc.check.checker import Checker
from nxdc.check.declarations.declare import declare_modules
from nxdc.check.declarations.symbols import FuncSymbol
from nxdc.check.finalize import finalize_all, needs
from nxdc.check.flow.early_use import check_early_use
from nxdc.check.flow.paths import check_function
from nxdc.check.flow.views import check_views
from nxdc.check.function import Fn
from nxdc.check.instances import Instance, check_instance, instance_for, sole_instance
from nxdc.check.patterns.exhaustive import check_match
from nxdc.check.startup import (
    Startup,
    check_startup,
    ensure_variable,
    main_instance,
    make_start,
    warn_called_main,
    warn_nothing_runs,
)  # fmt: skip
from nxdc.check.statements.stmts import load_handlers
from nxdc.core import tree as core
from nxdc.diagnostics.sink import Sink
from nxdc.modules.model import Program
from nxdc.source.span import Span
from nxdc.syntax.grading import doubt_undefined_operators
from nxdc.types.model import ANY, Type, substitute

_Result = TypeVar("_Result")
_STACK_BYTES = 512 * 1024 * 1024  # reserved, not touched: expressions may be nested thousands deep
_RECURSION_LIMIT = 400_000
# What can be wrong in a template that nobody calls: names, and words out of place.
_NAME_CODES = frozenset({"S3001", "S3012", "S3014", "S3018", "S3019"})


def check_program(program: Program, sink: Sink, *, entry: str | None = None) -> core.CoreProgram | None:
    """Checks the whole program. None when it has errors. (`entry` has been applied when the program was loaded.)"""
    checked = _with_deep_stack(lambda: _check(program, sink))
    if sink.has_errors:
        doubt_undefined_operators(sink)
    return checked


def _with_deep_stack(work: Callable[[], _Result]) -> _Result:
    """Runs `work` on a thread with a large stack; its exceptions are raised here."""
    result: list[_Result] = []
    problems: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as problem:  # handed on, not swallowed
            problems.append(problem)

    old_limit, old_size = sys.getrecursionlimit(), threading.stack_size()
    sys.setrecursionlimit(max(old_limit, _RECURSION_LIMIT))
    threading.stack_size(_STACK_BYTES)
    try:
        thread = threading.Thread(target=run, name="check")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old_size)
        sys.setrecursionlimit(old_limit)
    if problems:
        raise problems[0]
    return result[0]


def _check(program: Program, sink: Sink) -> core.CoreProgram | None:
    load_handlers()
    checker = Checker(program, sink)
    declare_modules(checker, program.modules)
    startups = _check_startups(checker)
    _check_functions(checker)
    _finish_blocked(checker, startups)
    _check_uncalled(checker)
    main = _main(checker, program)
    finalize_all(checker)
    _check_flow(checker)
    if not sink.has_errors:
        check_early_use(checker, startups)
    if sink.has_errors:
        return None
    return _assemble(checker, startups, main)


def _check_startups(checker: Checker) -> list[Startup]:
    startups = [Startup(info) for info in checker.program.modules]
    for scope in checker.scopes.values():
        for symbol in list(scope.variables.values()):
            ensure_variable(checker, symbol)
    for startup in startups:
        if not check_startup(checker, startup):
            checker.blocked_startups.append(startup)
    return startups


def _functions(checker: Checker) -> list[FuncSymbol]:
    found: list[FuncSymbol] = []
    for scope in checker.scopes.values():
        for symbols in scope.own.values():
            found += [s for s in symbols if isinstance(s, FuncSymbol)]
    return found


def _check_functions(checker: Checker) -> None:
    for symbol in _functions(checker):
        if not (symbol.is_template or symbol.generic) and symbol.node.body is not None:
            check_instance(checker, sole_instance(checker, symbol))
            _drain(checker)
    _drain(checker)


def _drain(checker: Checker) -> None:
    """Checks queued instances until none is left."""
    while checker.queue:
        instance = checker.queue.pop()
        if instance.state == "queued":
            instance.state = "new"
            check_instance(checker, instance)


def _finish_blocked(checker: Checker, startups: list[Startup]) -> None:
    """Functions that waited for the types of module variables: again while that helps, then for good."""
    while checker.blocked or checker.blocked_startups:
        instances, waiting = checker.blocked, checker.blocked_startups
        checker.blocked, checker.blocked_startups = [], []
        for startup in waiting:
            if not check_startup(checker, startup):
                checker.blocked_startups.append(startup)
        _drain(checker)
        for instance in instances:
            check_instance(checker, instance)
            _drain(checker)
        if len(checker.blocked) + len(checker.blocked_startups) >= len(instances) + len(waiting):
            checker.final_round = True
    checker.final_round = True


def _check_uncalled(checker: Checker) -> None:
    """Templates without a call: only their names are checked, with `any` in place of the types."""
    uncalled = [s for s in _functions(checker) if (s.is_template or s.generic) and not s.instances and s.node.body]
    outer, finished = checker.final_sink, checker.finished
    checker.names_only = True
    for symbol in uncalled:
        checker.sink = checker.final_sink = sink = Sink()
        checker.finished = []
        env: dict[str, Type] = dict.fromkeys(symbol.type_params, ANY)
        params: list[Type] = [t if t is not None else ANY for t in symbol.params]
        instance = instance_for(checker, symbol, env, [substitute(t, env) for t in params], symbol.span)
        instance.called_from = None
        check_instance(checker, instance)
        checker.sink = checker.final_sink = outer
        outer.extend(d for d in sink.found() if d.code.number in _NAME_CODES)
    checker.names_only = False
    checker.finished = finished


def _main(checker: Checker, program: Program) -> Instance | None:
    """The MAIN that starts the program; None when it has none, or one that cannot be called."""
    if program.entry is None:
        warn_nothing_runs(checker, program)
        return None
    scope = checker.scope_of[program.entry.module]
    for symbol in scope.own.get("MAIN", []):
        if isinstance(symbol, FuncSymbol) and symbol.node is program.entry.func:
            warn_called_main(checker, program.entry.module)
            return main_instance(checker, symbol)
    return None


def _check_flow(checker: Checker) -> None:
    """What is checked on finished core: exhaustiveness, moves, views, unused and unreachable."""
    functions: list[core.CoreFunction] = []
    has_errors = checker.sink.has_errors
    for fn in checker.finished:
        derived = fn.instance is not None and fn.instance.is_derived
        own = Sink()
        for match, _ in fn.matches:
            check_match(match, own, instance=derived)
        for function in _with_lambdas(fn):
            functions.append(function)
            if fn.instance is None or fn.instance.symbol.row is None:
                if has_errors and not own.has_errors:
                    own.error_count += 1  # so that unused variables stay quiet
                    check_function(function, own, instance=derived)
                    own.error_count -= 1
                else:
                    check_function(function, own, instance=derived, unchecked=fn.unchecked)
        checker.sink.extend(own.found())
    if checker.has_views:
        check_views(functions, checker.sink)


def _with_lambdas(fn: Fn) -> list[core.CoreFunction]:
    found = [fn.function]
    for inner in fn.lambdas:
        found += _with_lambdas(inner)
    return found


def _assemble(checker: Checker, startups: list[Startup], main: Instance | None) -> core.CoreProgram:
    """The reachable functions, in the order in which they are first called."""
    program = checker.program
    span = _start_span(program)
    start = make_start(startups, main, span)
    order: dict[core.CoreFunction, None] = {}
    variables: dict[core.Global, None] = {}
    work = [start]
    spawns = False
    while work:
        function = work.pop()
        found = needs(function)
        spawns = spawns or found.spawns
        for variable in found.variables:
            variables[variable] = None
        new = [c for c in found.functions if c not in order and c is not start]
        for callee in new:
            order[callee] = None
        work.extend(reversed(new))
    return core.CoreProgram(list(order), list(variables), start, spawns)


def _start_span(program: Program) -> Span:
    if program.entry is not None:
        return program.entry.func.name.span
    module = program.entry_module or program.modules[-1]
    return module.node.span
