"""What MOVE and BORROW forbid: a moved variable is not used again on any path, a borrowed view is not written through.

Input:  a finished `CoreFunction` (`check_moves`), all functions of the program (`check_views`).
Output: S3009, with the place of the move; S3010.

`check_moves` follows the paths through a function with the set of variables that may have been moved. It is a
forward analysis on the structured core: branches join by union, a loop's body is looked at again with what its
first round left, and a handler starts from everything that may have happened in the body, because any step of
it may raise. One silent round of a loop is enough: what a body adds and takes away does not depend on what was
moved before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nxdc.check.flow.views import check_views
from nxdc.core import tree as core
from nxdc.core.walk import never_yields, parts
from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import Record
from nxdc.source.span import Span

__all__ = ["check_moves", "check_views"]


class Moved(Record):
    """Where a variable was moved, and whether that happened on every path that leads here. For a variable that holds a
    function: `shared` is what was moved, which the function uses.
    """

    span: Span
    certain: bool
    shared: core.Local | None = None


State = dict[core.Local, Moved]  # the variables that may have been moved; None stands for "not reached"


def check_moves(function: core.CoreFunction, sink: Sink) -> None:
    """Report every use of a variable that an earlier MOVE has ended."""
    _Moves(sink).body(function.body, {})


def _join(first: State | None, second: State | None) -> State | None:
    if first is None or second is None:
        return dict(second) if first is None and second is not None else first
    joined: State = {}
    for local in [*first, *(local for local in second if local not in first)]:
        here, there = first.get(local), second.get(local)
        found = here or there
        assert found is not None
        certain = here is not None and there is not None and here.certain and there.certain
        joined[local] = found if found.certain == certain else Moved(found.span, certain, found.shared)
    return joined


class _LoopExits:
    """States in which BREAK and CONTINUE leave a loop's body."""

    def __init__(self) -> None:
        self.breaks: State | None = None
        self.continues: State | None = None


class _Moves:
    """One function. Statements take the state before them and give the one after (None: the end is not reached)."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.silent = 0
        self.loops: dict[int, _LoopExits] = {}
        self.happened: list[State] = []  # for every TRY around us: what was moved in its body so far
        self.holders: dict[core.Local, list[core.Local]] = {}  # captured variables: those that hold the functions

    # ---- the state ----

    def use(self, state: State, local: core.Local, span: Span, *, moves: bool) -> None:
        moved = state.get(local)
        if moved is not None and not self.silent:
            self._report(local, span, moved)
        if moves:
            self._end(state, local, Moved(span, True))
            for holder in self.holders.get(local, ()):
                self._end(state, holder, Moved(span, True, local))

    def _end(self, state: State, local: core.Local, moved: Moved) -> None:
        state[local] = moved
        for gathered in self.happened:
            gathered.setdefault(local, Moved(moved.span, False, moved.shared))

    def _revive(self, state: State, local: core.Local) -> None:
        state.pop(local, None)
        for holder in self.holders.get(local, ()):
            if holder in state and state[holder].shared is local:
                del state[holder]

    def _report(self, local: core.Local, span: Span, moved: Moved) -> None:
        if moved.shared is not None:
            name = moved.shared.name
            self.sink.report(
                codes.S3009,
                "shared",
                span,
                also=[(moved.span, "moved here")],
                helps=[f"`CLONE {name}` gives a copy to pass on, and keeps `{name}`"],
                name=local.name,
                moved=name,
            )
            return
        again = moved.span == span
        wording = "loop" if again else "use" if moved.certain else "maybe"
        self.sink.report(
            codes.S3009,
            wording,
            span,
            also=[] if again else [(moved.span, "moved here")],
            helps=[f"`CLONE {local.name}` gives a copy to pass on, and keeps `{local.name}`"],
            name=local.name,
        )

    # ---- expressions: change the state they are given ----

    def expression(self, node: Any, state: State) -> None:
        cls = type(node)
        if cls is core.LocalRef:
            self.use(state, node.local, node.span, moves=node.moves)
        elif cls is core.Lambda:
            for local in node.captures:
                self.use(state, local, node.span, moves=False)
        elif cls is core.PBind:
            self._revive(state, node.local)
        elif cls is core.ShortCircuit:
            self.expression(node.left, state)
            self._branches(state, [node.right, None])
        elif cls is core.IfExpr:
            self.expression(node.condition, state)
            self._branches(state, [node.then, node.otherwise])
        elif cls is core.BlockExpr:
            self._block(node, state)
        elif cls is core.TryExpr:
            self._try_expression(node, state)
        else:
            for part in parts(node):
                self.expression(part, state)

    def _branches(self, state: State, choices: list[core.Expr | None]) -> None:
        result: State | None = None
        for choice in choices:
            branch = dict(state)
            if choice is not None:
                self.expression(choice, branch)
                if never_yields(choice):
                    continue
            result = _join(result, branch)
        if result is not None:
            _replace(state, result)

    def _block(self, node: core.BlockExpr, state: State) -> None:
        after = self.body(node.body, dict(state))
        if after is not None:
            _replace(state, after)
            if node.value is not None:
                self.expression(node.value, state)

    def _try_expression(self, node: core.TryExpr, state: State) -> None:
        gathered = self._gather(lambda: self.expression(node.body, state), dict(state))
        result: State | None = dict(state)
        for catch in node.catches:
            branch = dict(gathered)
            self.expression(catch.value, branch)
            if not never_yields(catch.value):
                result = _join(result, branch)
        _replace(state, result or {})

    def _gather(self, run: Callable[[], Any], before: State) -> State:
        """Run the body of a TRY; the state a handler may start in: before it, or after any part of it."""
        self.happened.append({})
        run()
        gathered = self.happened.pop()
        return {**gathered, **before}

    # ---- statements ----

    def body(self, body: Iterable[core.Stmt], state: State | None) -> State | None:
        for statement in body:
            if state is None:
                return None
            state = self.statement(statement, state)
        return state

    def statement(self, statement: core.Stmt, state: State) -> State | None:
        handler = _HANDLERS.get(type(statement))
        if handler is not None:
            after: State | None = handler(self, statement, state)
            return after
        for part in parts(statement):
            self.expression(part, state)
        if isinstance(statement, core.ExprStmt) and never_yields(statement.value):
            return None
        return state

    def bind(self, node: core.Let | core.SetLocal, state: State) -> State | None:
        """A new value revives the name."""
        self.expression(node.value, state)
        self._revive(state, node.local)
        value = node.value.value if isinstance(node.value, core.Convert) else node.value
        if isinstance(value, core.Lambda):
            for captured in value.captures:
                held = self.holders.setdefault(captured, [])
                if node.local not in held:
                    held.append(node.local)
        return state

    def if_(self, node: core.If, state: State) -> State | None:
        self.expression(node.condition, state)
        return _join(self.body(node.then, dict(state)), self.body(node.otherwise, state))

    def leave(self, node: core.Stmt, state: State) -> None:
        for part in parts(node):
            self.expression(part, state)

    def break_(self, node: core.Break, state: State) -> None:
        exits = self.loops.get(id(node.loop))
        if exits is not None:
            exits.breaks = _join(exits.breaks, state)

    def continue_(self, node: core.Continue, state: State) -> None:
        exits = self.loops.get(id(node.loop))
        if exits is not None:
            exits.continues = _join(exits.continues, state)

    def loop(self, node: core.Loop, state: State) -> State | None:
        return self._rounds(node, state, node.condition, node.body, endless=node.condition is None)

    def loop_range(self, node: core.LoopRange, state: State) -> State | None:
        for bound in (node.start, node.end, node.step):
            if bound is not None:
                self.expression(bound, state)
        return self._rounds(node, state, None, node.body, endless=False, fresh=(node.local,))

    def loop_each(self, node: core.LoopEach, state: State) -> State | None:
        self.expression(node.source, state)
        return self._rounds(node, state, None, node.body, endless=False, fresh=(node.local, node.value))

    def remove_where(self, node: core.RemoveWhere, state: State) -> State | None:
        self.expression(node.list, state)
        return self._rounds(node, state, node.condition, [], endless=False, fresh=(node.element,))

    def _rounds(
        self, node: core.Stmt, state: State, condition: core.Expr | None, body: list[core.Stmt], *,
        endless: bool, fresh: tuple[core.Local | None, ...] = (),
    ) -> State | None:  # fmt: skip
        """The state after a loop: the first round silently, then any round, with what earlier ones may have moved. Each
        round has its own `fresh` variables.
        """
        self.silent += 1
        again, _, _ = self._round(node, dict(state), condition, body)
        self.silent -= 1
        start = _join(state, again) or {}
        for local in fresh:
            if local is not None:
                self._revive(start, local)
        again, tested, exits = self._round(node, dict(start), condition, body)
        after = exits.breaks
        if not endless:
            after = _join(after, tested)
        return after

    def _round(
        self, node: core.Stmt, state: State, condition: core.Expr | None, body: list[core.Stmt]
    ) -> tuple[State | None, State, _LoopExits]:
        """The state at the end of a round, after its test, and where BREAK leaves it."""
        exits = self.loops[id(node)] = _LoopExits()
        if condition is not None:
            self.expression(condition, state)
        tested = dict(state)
        end = _join(self.body(body, state), exits.continues)
        return end, tested, exits

    def match(self, node: core.Match, state: State) -> State | None:
        self.expression(node.subject, state)
        after: State | None = None
        for case in node.cases:
            taken = dict(state)
            self.expression(case.pattern, taken)
            if case.guard is not None:
                self.expression(case.guard, taken)
                state = _join(state, taken) or {}  # the guard may be false, after it has moved something
            after = _join(after, self.body(case.body, taken))
        if node.otherwise is not None:
            after = _join(after, self.body(node.otherwise, state))
        return after

    def try_(self, node: core.Try, state: State) -> State | None:
        before = dict(state)
        ends: list[State | None] = []
        gathered = self._gather(lambda: ends.append(self.body(node.body, state)), before)
        after = ends[0]

        def handlers() -> None:
            nonlocal after
            for catch in node.catches:
                after = _join(after, self.body(catch.body, dict(gathered)))

        failed = self._gather(handlers, gathered)
        if not node.final:
            return after
        self.body(node.final, _join(failed, after))
        if after is None:
            return None
        self.silent += 1
        after = self.body(node.final, after)
        self.silent -= 1
        return after

    def select(self, node: core.Select, state: State) -> State | None:
        for case in node.cases:
            for value in (case.channel, case.value):
                if value is not None:
                    self.expression(value, state)
        if node.timeout is not None:
            self.expression(node.timeout, state)
        after: State | None = None
        for case in node.cases:
            chosen = dict(state)
            if case.bind is not None:
                self._revive(chosen, case.bind)
            after = _join(after, self.body(case.body, chosen))
        for body in (node.timeout_body, node.otherwise):
            if body is not None:
                after = _join(after, self.body(body, dict(state)))
        return after

    def block(self, node: core.Block, state: State) -> State | None:
        return self.body(node.body, state)


_HANDLERS: dict[type, Any] = {
    core.Let: _Moves.bind,
    core.SetLocal: _Moves.bind,
    core.If: _Moves.if_,
    core.Loop: _Moves.loop,
    core.LoopRange: _Moves.loop_range,
    core.LoopEach: _Moves.loop_each,
    core.RemoveWhere: _Moves.remove_where,
    core.Break: _Moves.break_,
    core.Continue: _Moves.continue_,
    core.Return: _Moves.leave,
    core.Throw: _Moves.leave,
    core.Raise: _Moves.leave,
    core.Match: _Moves.match,
    core.Try: _Moves.try_,
    core.Select: _Moves.select,
    core.Block: _Moves.block,
}


def _replace(state: State, other: State) -> None:
    state.clear()
    state.update(other)
