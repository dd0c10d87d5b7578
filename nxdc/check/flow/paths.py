"""What the paths through a function tell: code that cannot run, variables nobody reads, bodies that do not yield.

Input:  a finished `CoreFunction`. Output: W2002 at the first statement of a stretch that cannot run, W2001 at
variables that are never read; S3009 from `moves`, which is asked only when the function moves something.

Decisions. A parameter, a loop variable and the message of a CATCH may be unused, because one cannot leave them
out; a variable of LET and a name in a pattern may not (`_` says in a pattern that the value is not wanted).
Being assigned or added to is no use. Once the program has errors W2001 is silent: the part that was not
understood may hold the use. In an instance of a template W2002 is silent: another instance may run the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from nxdc.check.flow.moves import check_moves
from nxdc.core import tree as core
from nxdc.core.walk import never_yields, parts
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span

_WORD = re.compile(r"[A-Z][A-Z0-9_]*")
_USER_NAME = re.compile(r"[A-Z][A-Z0-9_]*\Z")  # the checker's own variables are called otherwise


def check_function(function: core.CoreFunction, sink: Sink, *, instance: bool = False, unchecked: str = "") -> None:
    """All flow checks of one function. Names in `unchecked`, the text of what is dead in an instance, are used."""
    walk = _Walk(None if instance else sink)
    walk.body(function.body)
    if not sink.has_errors:
        _report_unused(walk, sink, frozenset(_WORD.findall(unchecked)))
    if walk.moves:
        check_moves(function, sink)


def falls_through(body: list[core.Stmt]) -> bool:
    """Whether the end of a body can be reached: some path neither returns, leaves a loop around it, nor raises."""
    return _Walk(None).body(body)


class _Walk:
    """One pass: finds where paths end (each visit says whether the end is reached), declarations and uses."""

    def __init__(self, sink: Sink | None) -> None:
        self.sink = sink
        self.declared: dict[core.Local, core.Let | core.PBind] = {}
        self.bound: dict[core.Local, list[Span]] = {}  # names in patterns: one place in each pattern of a CASE
        self.used: set[core.Local] = set()
        self.left: set[int] = set()  # loops that a reachable BREAK leaves
        self.moves = False

    def body(self, body: Iterable[core.Stmt]) -> bool:
        reached = True
        for statement in body:
            if not reached:
                self._report_dead(statement)
                self._collect_dead(body, statement)
                return False
            reached = self.statement(statement)
        return reached

    def _report_dead(self, statement: core.Stmt) -> None:
        if self.sink is not None and statement.span.end > statement.span.start:
            self.sink.report(codes.W2002, "code", statement.span, "everything before it leaves")

    def _collect_dead(self, body: Iterable[core.Stmt], first: core.Stmt) -> None:
        """Uses in code that cannot run count, so that one mistake gives one warning."""
        silent = _Walk(None)
        silent.declared, silent.used, silent.left = {}, self.used, set()
        seen = False
        for statement in body:
            seen = seen or statement is first
            if seen:
                silent.statement(statement)

    # ---- statements: whether the end is reached ----

    def statement(self, statement: core.Stmt) -> bool:
        handler = _HANDLERS.get(type(statement))
        if handler is not None:
            reached: bool = handler(self, statement)
            return reached
        reached = True
        for part in parts(statement):
            reached = self.expression(part) and reached
        return reached

    def let(self, node: core.Let) -> bool:
        self.declared[node.local] = node
        return self.expression(node.value)

    def add_to(self, node: core.AddTo) -> bool:
        if not isinstance(node.place, core.LocalRef):
            self.expression(node.place)
        return self.expression(node.value)

    def if_(self, node: core.If) -> bool:
        reached = self.expression(node.condition)
        then, otherwise = self.body(node.then), self.body(node.otherwise)
        return reached and (then or otherwise)

    def loop(self, node: core.Loop) -> bool:
        condition = node.condition
        endless = condition is None or (isinstance(condition, core.BoolLit) and condition.value)
        reached = condition is None or self.expression(condition)
        self.body(node.body)
        return reached and (not endless or id(node) in self.left)

    def loop_range(self, node: core.LoopRange) -> bool:
        reached = True
        for bound in (node.start, node.end, node.step):
            reached = (bound is None or self.expression(bound)) and reached
        self.body(node.body)
        return reached

    def loop_each(self, node: core.LoopEach) -> bool:
        reached = self.expression(node.source)
        self.body(node.body)
        return reached

    def break_(self, node: core.Break) -> bool:
        self.left.add(id(node.loop))
        return False

    def leave(self, node: core.Stmt) -> bool:
        for part in parts(node):
            self.expression(part)
        return False

    def match(self, node: core.Match) -> bool:
        """Without OTHERWISE a value that no case takes raises, so that only the ends of the cases count."""
        reached = self.expression(node.subject)
        ends = False
        for case in node.cases:
            self.expression(case.pattern)
            if case.guard is not None:
                self.expression(case.guard)
            ends = self.body(case.body) or ends
        if node.otherwise is not None:
            ends = self.body(node.otherwise) or ends
        return reached and ends

    def try_(self, node: core.Try) -> bool:
        ends = self.body(node.body)
        self._report_dead_catches(node)
        for catch in node.catches:
            ends = self.body(catch.body) or ends
        return self.body(node.final) and ends

    def _report_dead_catches(self, node: core.Try) -> None:
        """A CATCH behind one that takes its errors already: every error, or those of the same code."""
        earlier: dict[int | None, Span] = {}
        for catch in node.catches:
            taken = earlier.get(None) or earlier.get(catch.code)
            if taken is None:
                earlier[catch.code] = _catch_header(catch)
            elif self.sink is not None:
                also = [(taken, "takes these errors already")]
                self.sink.report(codes.W2002, "catch", _catch_header(catch), also=also)

    def select(self, node: core.Select) -> bool:
        ends = False
        for case in node.cases:
            for value in (case.channel, case.value):
                if value is not None:
                    self.expression(value)
            ends = self.body(case.body) or ends
        if node.timeout is not None:
            self.expression(node.timeout)
            if node.otherwise is not None and self.sink is not None:
                self.sink.report(codes.W2002, "case", node.timeout.span, "with `OTHERWISE` nothing is waited for")
        for rest in (node.timeout_body, node.otherwise):
            if rest is not None:
                ends = self.body(rest) or ends
        return ends or not (node.cases or node.timeout_body is not None or node.otherwise is not None)

    def block(self, node: core.Block) -> bool:
        return self.body(node.body)

    # ---- expressions and patterns ----

    def expression(self, node: Any) -> bool:
        """Collect uses in an expression or pattern; whether it yields."""
        cls = type(node)
        if cls is core.LocalRef:
            self.used.add(node.local)
            self.moves = self.moves or node.moves
            return True
        if cls is core.Lambda:
            self.used.update(node.captures)
            return True
        if cls is core.PBind:
            self.declared[node.local] = node
            self.bound.setdefault(node.local, []).append(node.span)
            return True
        if cls is core.BlockExpr:
            reached = self.body(node.body)
            if node.value is not None:
                reached = self.expression(node.value) and reached
            return reached
        if cls is core.IfExpr:
            reached = self.expression(node.condition)
            then, otherwise = self.expression(node.then), self.expression(node.otherwise)
            return reached and (then or otherwise)
        for part in parts(node):
            self.expression(part)
        if cls is core.Call:
            return True  # what only throws may be a sketch: nobody has to take out what stands behind its calls
        return not (isinstance(node, core.Expr) and never_yields(node))


_HANDLERS: dict[type, Any] = {
    core.Let: _Walk.let,
    core.AddTo: _Walk.add_to,
    core.If: _Walk.if_,
    core.Loop: _Walk.loop,
    core.LoopRange: _Walk.loop_range,
    core.LoopEach: _Walk.loop_each,
    core.Break: _Walk.break_,
    core.Continue: _Walk.leave,
    core.Return: _Walk.leave,
    core.Throw: _Walk.leave,
    core.Raise: _Walk.leave,
    core.Match: _Walk.match,
    core.Try: _Walk.try_,
    core.Select: _Walk.select,
    core.Block: _Walk.block,
}


def _catch_header(catch: core.Catch) -> Span:
    span = catch.span
    return Span(span.file, span.start, span.start + len(span.text.split(":")[0].rstrip()))


def _report_unused(walk: _Walk, sink: Sink, mentioned: frozenset[str]) -> None:
    for local, node in walk.declared.items():
        if local in walk.used or local.name in mentioned or not _USER_NAME.match(local.name):
            continue
        if isinstance(node, core.Let):
            helps = []
            if isinstance(node.value, (core.Call, core.CallValue, core.CallPrelude, core.Spawn)):
                helps.append("if only the effect of the call is wanted, write the call alone")
            if "{" + local.name + "}" in local.span.file.text:
                helps.append(f'a string takes no `{{{local.name}}}`: values are joined to it, `"..." ADD {local.name}`')
            sink.report(codes.W2001, "local", local.span, helps=helps, name=local.name)
        else:
            sink.report(
                codes.W2001,
                "pattern",
                local.span,
                helps=["write `_` for a value that is not wanted"],
                fixes=_underscore(walk.bound[local], local.name),
                name=local.name,
            )


def _underscore(places: list[Span], name: str) -> list[Fix]:
    if any(span.text != name for span in places):
        return []
    return [Fix("write `_`", tuple(Edit(span, "_") for span in places), LIKELY)]
