"""Module variables and the start-up of modules: initialisers, module-level statements, INIT, and the program's start.

Initialisers are checked when something first needs the variable's type, so functions and modules may stand in any
order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nxdc.check.declarations.symbols import FuncSymbol, VarSymbol
from nxdc.check.function import Fn, check_body
from nxdc.check.instances import Instance, sole_instance
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.diagnostics.near import nearest
from nxdc.modules.model import ModuleInfo, Program
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import INT, NONE
from nxdc.types.unify import prune, zonk

if TYPE_CHECKING:
    from nxdc.check.checker import Checker


def current_variable(f: Fn, symbol: VarSymbol) -> VarSymbol:
    """The variable that a name of this module means here: start-up sees the LETs it has passed, functions the last."""
    root = f.root
    if root.initializing is symbol and symbol.previous is not None:
        return symbol.previous
    if root.is_start and symbol.scope is f.scope:
        found: VarSymbol | None = root.start_vars.get(symbol.name)
        if found is not None:
            return found
        while symbol.previous is not None:
            symbol = symbol.previous
    return symbol


def ensure_variable(checker: Checker, symbol: VarSymbol) -> None:
    """Makes sure that the variable has a type, checking its initialiser if need be."""
    if symbol.state != "new":
        return
    from nxdc.check.declarations.typeexprs import resolve_type
    from nxdc.check.statements.assigns import initial_value

    symbol.state = "checking"
    node, variable = symbol.node, symbol.variable
    written = resolve_type(checker, symbol.scope, {}, node.type) if node.type is not None else None
    variable.type = written if written is not None else checker.unifier.fresh()
    outer = checker.current
    checker.current = None

    def run(hints: dict[Any, model.Type], mode: int) -> Fn:
        function = core.CoreFunction(f"{symbol.module}.{symbol.name}", [], NONE, [], node.span)
        fn = Fn(checker, symbol.scope, {}, function)
        fn.begin_round(hints, mode)
        fn.allows_return = False
        fn.initializing = symbol
        symbol.value = initial_value(fn, node, node)
        return fn

    fn = check_body(run, checker, hints={}, postpone=False)
    checker.current = outer
    assert fn is not None and symbol.value is not None
    symbol.owner = fn
    if written is None:
        checker.unifier.unify(variable.type, symbol.value.type)
        if not isinstance(prune(symbol.value.type), model.ErrorType):
            variable.type = symbol.value.type
        else:
            variable.type = model.ERROR
    symbol.state = "done"
    checker.globals.append(variable)


def start_let(f: Fn, node: ast.Let, out: list[core.Stmt]) -> bool:
    """A LET of the module's own level."""
    symbol = f.scope.variables[node]
    ensure_variable(f.checker, symbol)
    f.start_vars[symbol.name] = symbol
    if symbol.value is not None:
        out.append(core.SetGlobal(node.span, symbol.variable, symbol.value, True))
    owner = symbol.owner
    if owner is not None:
        f.lambdas.extend(owner.lambdas)
        f.matches.extend(owner.matches)
    return True


class Startup:
    """The start-up function of one module, and how far its check is."""

    __slots__ = ("fn", "function", "hints", "info")

    def __init__(self, info: ModuleInfo) -> None:
        self.info = info
        span = info.startup[0].span if info.startup else Span(info.file, 0, 0)
        self.function = core.CoreFunction(f"{info.name}.start-up", [], NONE, [], span)
        self.fn: Fn | None = None
        self.hints: dict[Any, model.Type] = {}


def check_startup(checker: Checker, startup: Startup) -> bool:
    """Checks a module's own statements; False when they wait for types that functions decide."""
    info = startup.info

    def run(hints: dict[Any, model.Type], mode: int) -> Fn:
        from nxdc.check.statements.stmts import check_block, check_stmt

        fn = Fn(checker, checker.scope_of[info], {}, startup.function)
        fn.begin_round(hints, mode)
        fn.is_start = True
        fn.allows_return = False
        body: list[core.Stmt] = []
        for stmt in info.startup:
            check_stmt(fn, stmt, body)
        if info.init is not None:
            block, _ = check_block(fn, info.init.body)
            body.append(core.Block(info.init.span, block))
        startup.function.body = body
        return fn

    fn = check_body(run, checker, hints=startup.hints, postpone=not checker.final_round)
    if fn is None:
        return False
    startup.fn = fn
    checker.finished.append(fn)
    return True


# ---- the start of the program
# --------------------------------------------------------------------------------------------


def main_instance(checker: Checker, symbol: FuncSymbol) -> Instance | None:
    """MAIN as the program's start can call it."""
    if symbol.is_template or symbol.generic or symbol.params:
        helps = ["the arguments of the command line are `ARGS()`"]
        checker.report(codes.S3006, "main", symbol.span, helps=helps)
        return None
    return sole_instance(checker, symbol)


def warn_nothing_runs(checker: Checker, program: Program) -> None:
    """Warns of a misspelt MAIN in a program that has no other start. One that has none at all is a library."""
    if any(module.startup or module.init is not None for module in program.modules):
        return
    for module in program.modules:
        for name, entries in module.declarations.items():
            if nearest(name, ("MAIN",)) and isinstance(entries[0].node, ast.FuncDecl) and not entries[0].node.params:
                place = entries[0].node.name.span
                fix = Fix("write `MAIN`", (Edit(place, "MAIN"),), LIKELY)
                checker.report(codes.W2008, "main", place, helps=["did you mean `MAIN`?"], fixes=[fix])
                return


def warn_called_main(checker: Checker, info: ModuleInfo) -> None:
    """Warns of `MAIN()` on the own level of the module whose MAIN starts the program, a habit from other languages."""
    for stmt in info.startup:
        call = stmt.expr if isinstance(stmt, ast.ExprStmt) else None
        if isinstance(call, ast.Call) and isinstance(call.callee, ast.NameRef) and call.callee.name == "MAIN":
            if call.args:
                continue
            fix = Fix("leave it out", (Edit(stmt.span, ""),), LIKELY)
            checker.report(codes.W2007, "call", stmt.span, fixes=[fix])


def make_start(startups: list[Startup], main: Instance | None, span: Span) -> core.CoreFunction:
    """The function that the runtime calls: start-up of all modules in order, then MAIN."""
    body: list[core.Stmt] = []
    for startup in startups:
        if startup.function.body and startup.info.on_path:
            place = startup.function.span
            body.append(core.ExprStmt(place, core.Call(NONE, place, startup.function, [])))
    if main is not None:
        body += _call_main(main)
    if not body or not isinstance(body[-1], core.Return):
        body.append(core.Return(span, core.IntLit(INT, span, 0)))
    return core.CoreFunction("start", [], INT, body, span)


def _call_main(main: Instance) -> list[core.Stmt]:
    span = main.symbol.span
    result = zonk(main.result)
    call = core.Call(result, span, main.function, [])
    if main.symbol.node.is_async:
        task = model.TaskType(result)
        call_async = core.Spawn(task, span, main.function, None, [])
        return [core.ExprStmt(span, core.Await(result, span, call_async))]
    if result is INT:
        return [core.Return(span, call)]
    if isinstance(result, model.UnionType) and result.decl is model.RESULT_DECL:
        error = core.Local("$E", result.args[1], span)
        read: core.Expr = core.LocalRef(error.type, span, error)
        if prune(error.type) is not model.STRING:
            read = core.Intrinsic(model.STRING, span, "concat", "ADD", [core.StringLit(model.STRING, span, ""), read])
        pattern = core.PVariant(result, span, 1, [core.PBind(error.type, span, error)])
        case = core.Case(pattern, None, [core.ExprStmt(span, _fail_in(main, read))], span)
        return [core.Match(span, call, [case], [], False)]
    return [core.ExprStmt(span, call)]


def _fail_in(main: Instance, message: core.Expr) -> core.Expr:
    """Fails with a message as if MAIN had: the start is no function of the program, so its traces name no place."""
    span = main.symbol.span
    text = core.Local("$E", model.STRING, span)
    body: list[core.Stmt] = [core.Throw(span, core.LocalRef(model.STRING, span, text))]
    function = core.CoreFunction(main.function.name, [text], NONE, body, span)
    return core.Call(NONE, span, function, [message])
