"""Whether statements may change a map while a loop walks it, found on the core: only then must the loop copy the
keys first.

What a lambda or another process does is not followed: a call of a function value may change everything, and a map
that other processes may see is never walked in place.
"""

from __future__ import annotations

from collections.abc import Iterable

from nxdc.core import tree as core
from nxdc.core.walk import parts
from nxdc.mir.types import components
from nxdc.source.record import Record
from nxdc.types import model
from nxdc.types.model import Type


class _Facts:
    """What some nodes do themselves: the map types whose entries they add or remove, whom they call."""

    __slots__ = ("anything", "callees", "changed")

    def __init__(self, nodes: Iterable[Record]) -> None:
        self.changed: set[Type] = set()
        self.callees: list[core.CoreFunction] = []
        self.anything = False
        pending = list(nodes)
        while pending:
            node = pending.pop()
            self._note(node)
            pending.extend(parts(node))

    def _note(self, node: Record) -> None:
        kind = type(node)
        if kind is core.Call:
            self.callees.append(node.function)  # type: ignore[attr-defined]
        elif kind is core.CallValue:
            self.anything = True
        elif kind is core.SetIndex or kind is core.RemoveKey:
            self._container(node.object.type)  # type: ignore[attr-defined]
        elif kind is core.CallPrelude and node.row.changes:  # type: ignore[attr-defined]
            for argument in node.args:  # type: ignore[attr-defined]
                self._container(argument.type)

    def _container(self, type_: Type) -> None:
        if isinstance(type_, model.MapType):
            self.changed.add(type_)
        elif type_ == model.ANY:
            self.anything = True


class MapChanges:
    """Answers for one program; remembers what it found about functions."""

    def __init__(self, program: core.CoreProgram) -> None:
        self._functions: dict[core.CoreFunction, _Facts] = {}
        self._shared = _reachable([variable.type for variable in program.globals]) if program.spawns else set()

    def may_change(self, body: list[core.Stmt], type_: Type) -> bool:
        """Whether running `body` may add or remove entries of a map of the type."""
        if type_ in self._shared or model.ANY in self._shared:
            return True
        facts = _Facts(body)
        seen: set[core.CoreFunction] = set()
        pending = [facts]
        while pending:
            facts = pending.pop()
            if facts.anything or type_ in facts.changed:
                return True
            for callee in facts.callees:
                if callee not in seen:
                    seen.add(callee)
                    pending.append(self._of(callee))
        return False

    def _of(self, function: core.CoreFunction) -> _Facts:
        found = self._functions.get(function)
        if found is None:
            found = self._functions[function] = _Facts(function.body)
        return found


def _reachable(roots: list[Type]) -> set[Type]:
    """The types inside some types. A function value or trait object may hold anything, as an any does."""
    seen: set[Type] = set()
    pending = roots
    while pending:
        type_ = pending.pop()
        if type_ not in seen:
            seen.add(type_)
            pending.extend(components(type_))
            if isinstance(type_, (model.FuncType, model.BoxType)):
                pending.append(model.ANY)
    return seen
