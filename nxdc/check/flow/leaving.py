"""Functions that never come back: every way through `FUNC DIE(M): EPRINTLN(M) ... EXIT(1)` ends, throws or goes on for
ever.

A call of one leaves like THROW does: nothing has to be returned behind it, and what `IF X IS NONE: DIE("no x")` tests
holds from there on. The answer depends on the text alone and not on the order in which functions are checked: all
functions that give nothing are assumed not to come back, and those in which that assumption leaves a way to the end
are taken out until none is left (the greatest fixpoint, so that functions may call themselves and each other).

Where the text leaves open what is called, the call is taken to come back: overloads of which one does, names that
are variables as well, methods and function values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from nxdc.check.declarations.symbols import FuncSymbol, ModuleScope, PreludeSymbol, Symbol
from nxdc.syntax import ast
from nxdc.syntax.walk import children, dotted
from nxdc.types.model import NONE

if TYPE_CHECKING:
    from nxdc.check.checker import Checker

_RETURNS = (ast.Return, ast.ErrorStmt, ast.ErrorExpr)  # what could not be read may have been one
_LOOPS = (ast.Loop, ast.LoopWhile, ast.LoopFrom, ast.LoopIn)


def never_returns(checker: Checker, symbol: FuncSymbol) -> bool:
    """Whether a call of the function never comes back."""
    if checker.never_return is None:
        checker.never_return = _find(checker)
    return symbol in checker.never_return


def _find(checker: Checker) -> frozenset[FuncSymbol]:
    own = [s for scope in checker.scopes.values() for symbols in scope.own.values() for s in symbols]
    promised = [s for symbols in checker.impl_functions.values() for s in symbols]
    left = dict.fromkeys(s for s in [*own, *promised] if isinstance(s, FuncSymbol) and _gives_nothing(s))
    while True:
        back = [symbol for symbol in left if _Walk(checker, symbol, left).comes_back()]
        if not back:
            return frozenset(left)
        for symbol in back:
            del left[symbol]


def _gives_nothing(symbol: FuncSymbol) -> bool:
    """What has a result type is a value to its callers, and ASYNC functions come back at once."""
    return symbol.result in (None, NONE) and not symbol.node.is_async and symbol.node.body is not None


def _inside(node: ast.Node, *, loops: bool) -> Iterator[ast.Node]:
    """What happens in a statement itself: lambdas are left out, and without `loops` the bodies of loops."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        for child in children(current):
            in_loop = isinstance(current, _LOOPS) and child is current.body
            if not isinstance(child, ast.Lambda) and (loops or not in_loop):
                stack.append(child)


class _Walk:
    """One function, while the functions of `left` are assumed not to come back."""

    def __init__(self, checker: Checker, symbol: FuncSymbol, left: dict[FuncSymbol, None]) -> None:
        self.checker = checker
        self.scope = symbol.scope
        self.node = symbol.node
        self.left = left
        self._locals: set[str] | None = None

    def comes_back(self) -> bool:
        assert self.node.body is not None
        left = self.block(self.node.body)
        return not left or any(isinstance(n, _RETURNS) for n in _inside(self.node.body, loops=True))

    # ---- statements: whether what stands behind them cannot be reached ----

    def block(self, block: ast.Block) -> bool:
        return any(self.statement(stmt) for stmt in block.stmts)

    def blocks(self, blocks: list[ast.Block]) -> bool:
        return bool(blocks) and all(self.block(block) for block in blocks)

    def statement(self, stmt: ast.Stmt) -> bool:
        handler = _HANDLERS.get(type(stmt))
        return handler is not None and handler(self, stmt)

    def expr_stmt(self, stmt: ast.ExprStmt) -> bool:
        return self.leaves(stmt.expr)

    def if_(self, stmt: ast.If) -> bool:
        return stmt.otherwise is not None and self.blocks([*(b.body for b in stmt.branches), stmt.otherwise])

    def loop(self, stmt: ast.Loop) -> bool:
        return not any(isinstance(node, ast.Break) for node in _inside(stmt.body, loops=False))

    def while_(self, stmt: ast.LoopWhile) -> bool:
        return isinstance(stmt.cond, ast.BoolLit) and stmt.cond.value and self.loop(ast.Loop(stmt.span, stmt.body))

    def choice(self, stmt: ast.Match | ast.Select) -> bool:
        """A value that no CASE of a MATCH takes raises an error."""
        rest = [stmt.otherwise] if stmt.otherwise is not None else []
        return self.blocks([*(case.body for case in stmt.cases), *rest])

    def try_(self, stmt: ast.Try) -> bool:
        final = stmt.final is not None and self.block(stmt.final)
        return final or self.blocks([stmt.body, *(catch.body for catch in stmt.catches)])

    # ---- calls ----

    def leaves(self, expr: ast.Expr) -> bool:
        """Whether an expression is a call that does not come back, whatever it means."""
        if not isinstance(expr, ast.Call):
            return False
        meanings = self._meanings(expr.callee)
        functions = [s for s in meanings if isinstance(s, (FuncSymbol, PreludeSymbol))]
        if len(functions) < len(meanings):
            return False  # also the name of a variable or a type
        called = [s for s in functions if _arity(s) == len(expr.args)]
        leaves = all(s.row.diverges if isinstance(s, PreludeSymbol) else s in self.left for s in called)
        words = dotted(expr.callee)
        return bool(called) and leaves and words is not None and words[0] not in self.locals

    def _meanings(self, callee: ast.Expr) -> list[Symbol]:
        if isinstance(callee, ast.NameRef):
            groups = self.scope.tiers(callee.name)
            return [s for group in groups for s in group] + list(self.checker.impl_functions.get(callee.name, ()))
        path = (dotted(callee) or [])[:-1]
        module = self.scope.module(".".join(path)) if path else None
        if module is None or not isinstance(callee, ast.Field):
            return []
        return _seen(self.scope, module, callee.name.text)

    @property
    def locals(self) -> set[str]:
        """The names of the function's variables, and some more: what is bound is not told apart from other names."""
        if self._locals is None:
            self._locals = set()
            work: list[ast.Node] = [self.node]
            while work:
                node = work.pop()
                if isinstance(node, ast.Name) and node is not self.node.name:
                    self._locals.add(node.text)
                below = [node.base] if isinstance(node, ast.Field) else children(node)
                work.extend(below)
        return self._locals


def _arity(symbol: FuncSymbol | PreludeSymbol) -> int:
    return len(symbol.params) if isinstance(symbol, FuncSymbol) else len(symbol.signature.params)


def _seen(scope: ModuleScope, module: ModuleScope, name: str) -> list[Symbol]:
    return module.own.get(name, []) if module is scope else module.sees(name)


def _always(walk: _Walk, stmt: ast.Stmt) -> bool:
    return True


_HANDLERS: dict[type, Callable[[_Walk, Any], bool]] = {
    ast.ExprStmt: _Walk.expr_stmt,
    ast.If: _Walk.if_,
    ast.Loop: _Walk.loop,
    ast.LoopWhile: _Walk.while_,
    ast.Match: _Walk.choice,
    ast.Select: _Walk.choice,
    ast.Try: _Walk.try_,
    ast.Throw: _always,
    ast.Raise: _always,
    ast.Return: _always,  # looked for apart
    ast.Break: _always,
    ast.Continue: _always,
}
