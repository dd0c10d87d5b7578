"""Module variables that start-up would use before they are set: `PRINTLN(F())` above `LET LIMIT SET 5`, where F
reads LIMIT.

Input: finalized start-up functions. Reported is a use in the module's own lines, or in a function that such a line may
call, of a variable whose LET comes later. A call that would not reach the use is reported too: better than a program
that reads what is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nxdc.check.finalize import needs, node_classes
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.span import Span

if TYPE_CHECKING:
    from nxdc.check.checker import Checker
    from nxdc.check.startup import Startup


def check_early_use(checker: Checker, startups: list[Startup]) -> None:
    """Reports the first early use of each variable."""
    waiting: set[core.Global] = set()
    for startup in startups:
        if startup.info.on_path:
            waiting |= {s.variable for s in startup.function.body if isinstance(s, core.SetGlobal) and s.initial}
    reported: set[core.Global] = set()
    reach = _Reach()
    for startup in startups:
        if not startup.info.on_path:
            continue
        for stmt in startup.function.body:
            if not waiting:
                return
            for variable, place in reach.used(stmt):
                if variable in waiting and variable not in reported:
                    reported.add(variable)
                    checker.report(codes.S3016, "early", place, name=variable.name,
                                   also=[(variable.span, "it is set here")],
                                   helps=["move the LET above this line"])  # fmt: skip
            if isinstance(stmt, core.SetGlobal) and stmt.initial:
                waiting.discard(stmt.variable)


class _Reach:
    """The module variables that a function may use, directly or through what it calls."""

    def __init__(self) -> None:
        self._known: dict[core.CoreFunction, set[core.Global]] = {}

    def used(self, stmt: core.Stmt) -> list[tuple[core.Global, Span]]:
        """What a statement may use, each with the place in the statement."""
        found: list[tuple[core.Global, Span]] = []
        work: list[Any] = [stmt]
        while work:
            node = work.pop()
            if isinstance(node, (list, tuple)):
                work.extend(reversed(node))
                continue
            parts = node_classes().get(type(node))
            if parts is None:
                continue
            if isinstance(node, core.GlobalRef):
                found.append((node.variable, node.span))
            elif isinstance(node, (core.Call, core.FuncRef, core.Lambda, core.Spawn)) and node.function is not None:
                found += [(variable, node.span) for variable in self._of(node.function)]
            work.extend(getattr(node, name) for name in reversed(parts[0]) if getattr(node, name) is not None)
        return found

    def _of(self, function: core.CoreFunction) -> list[core.Global]:
        known = self._known.get(function)
        if known is None:
            known = set()
            seen = {function}
            work = [function]
            while work:
                found = needs(work.pop())
                known.update(found.variables)
                new = [c for c in found.functions if c not in seen]
                seen.update(new)
                work += new
            self._known[function] = known
        return sorted(known, key=lambda v: (v.module, v.name))
