"""What the program does with each type, for the whole program: fills the flags of the type table and the `shared`
fields of ops.

mutable         an op changes objects of the type after they are made
deep immutable  nothing reachable from its values is ever changed: crossing to another process needs no copy
cyclic          values can reach themselves. That takes a change after the object was made, so that a cycle of types
counts only with a mutable type on it shareable       reachable from a module variable of a program that starts
processes: other processes may see it

Loads from types that are shareable and mutable lock (`shared`); all others are plain. Channels, tasks and processes
end the search: what they hold belongs to nobody or to one process. An `any` may hold what the program anywhere
converts to any, a function value the captures of any closure of its type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nxdc.mir import ops
from nxdc.mir.builder import reachable
from nxdc.mir.ops import Function, Op, Program
from nxdc.mir.types import ClosureType, components
from nxdc.types import model
from nxdc.types.model import Type

_BY_IDENTITY = (model.ChannelType, model.TaskType, model.ProcessType)


def analyse_sharing(program: Program) -> None:
    """Sets descriptor flags, `GlobalVar.assigned` and the `shared` fields."""
    facts = _Facts(program)
    for type_ in facts.made:
        program.types.descriptor(type_)
    graph = _TypeGraph(program, facts)
    mutable = facts.changed | (graph.reach([model.ANY]) if facts.changes_any else set())
    shareable = graph.reach([variable.type for variable in program.globals]) if program.spawns else set()
    cyclic = graph.cyclic(mutable)
    changing = graph.reaching(mutable)
    for descriptor in list(program.types.ordered):
        type_ = descriptor.type
        descriptor.mutable = type_ in mutable and type_ != model.ANY
        descriptor.deep_immutable = type_ not in changing and not isinstance(type_, _BY_IDENTITY)
        descriptor.cyclic = type_ in cyclic
        descriptor.shareable = type_ in shareable
    for variable in program.globals:
        variable.assigned = variable in facts.assigned
    locked = shareable & mutable
    for function in program.functions:
        _mark_ops(program, function, locked)


class _Facts:
    """What the ops of the program do."""

    def __init__(self, program: Program) -> None:
        self.made: dict[Type, None] = {}  # types of objects the program makes: they need descriptors
        self.changed: set[Type] = set()
        self.changes_any = False
        self.boxed: dict[Type, None] = {}
        self.closures: dict[Type, dict[Type, None]] = {}  # FuncType -> closure layouts
        self.assigned: set[ops.GlobalVar] = set()
        for function in program.functions:
            for block in function.blocks:
                for op in block.ops:
                    handler = _FACTS.get(type(op))
                    if handler is not None:
                        handler(self, op)

    def store(self, op: Op) -> None:
        self.changed.add(op.operands()[0].type)

    def add_to(self, op: ops.AddTo) -> None:
        if op.place == "global":
            assert op.variable is not None
            self.assigned.add(op.variable)
        else:
            self.changed.add(op.args[0].type)

    def make(self, op: ops.NewStruct | ops.NewUnion | ops.NewList) -> None:
        self.made[op.type] = None

    def runtime(self, op: ops.CallRuntime) -> None:
        for index in op.changes:
            self.changed.add(op.args[index].type)
        self.changes_any |= op.changes_any

    def box(self, op: ops.Box) -> None:
        self.boxed[op.args[0].type] = self.made[op.args[0].type] = None

    def closure(self, op: ops.NewClosure) -> None:
        assert op.dst is not None
        layout = ClosureType(tuple(arg.type for arg in op.args), op.dst.type)
        self.made[layout] = None
        self.closures.setdefault(op.dst.type, {})[layout] = None

    def store_global(self, op: ops.StoreGlobal) -> None:
        if not op.initial:
            self.assigned.add(op.variable)


_FACTS: dict[type, Callable[[_Facts, Any], None]] = {
    ops.NewStruct: _Facts.make,
    ops.NewUnion: _Facts.make,
    ops.NewList: _Facts.make,
    ops.StoreField: _Facts.store,
    ops.ListSet: _Facts.store,
    ops.ListPush: _Facts.store,
    ops.AddTo: _Facts.add_to,
    ops.CallRuntime: _Facts.runtime,
    ops.Box: _Facts.box,
    ops.NewClosure: _Facts.closure,
    ops.StoreGlobal: _Facts.store_global,
}


class _TypeGraph:
    """Types and what their values hold directly."""

    def __init__(self, program: Program, facts: _Facts) -> None:
        self.facts = facts
        self.parts: dict[Type, tuple[Type, ...]] = {}
        roots: list[Type] = [descriptor.type for descriptor in program.types.ordered]
        roots += [model.ANY, *facts.changed, *facts.boxed]
        pending = roots
        while pending:
            type_ = pending.pop()
            if type_ not in self.parts:
                self.parts[type_] = parts = self._parts(type_)
                pending.extend(parts)

    def _parts(self, type_: Type) -> tuple[Type, ...]:
        if type_ == model.ANY or isinstance(type_, model.BoxType):
            return tuple(self.facts.boxed)
        if isinstance(type_, model.FuncType):
            return tuple(self.facts.closures.get(type_, ()))
        return () if isinstance(type_, _BY_IDENTITY) else components(type_)

    def reach(self, roots: Iterable[Type]) -> set[Type]:
        """The types whose objects values of the roots can hold, themselves included."""
        seen: set[Type] = set()
        pending = list(roots)
        while pending:
            type_ = pending.pop()
            if type_ not in seen:
                seen.add(type_)
                pending.extend(self.parts.get(type_, ()))
        return seen

    def reaching(self, targets: set[Type]) -> set[Type]:
        """The types from which one of `targets` can be reached."""
        holders: dict[Type, list[Type]] = {}
        for type_, parts in self.parts.items():
            for part in parts:
                holders.setdefault(part, []).append(type_)
        seen: set[Type] = set()
        pending = list(targets)
        while pending:
            type_ = pending.pop()
            if type_ not in seen:
                seen.add(type_)
                pending.extend(holders.get(type_, ()))
        return seen

    def cyclic(self, mutable: set[Type]) -> set[Type]:
        """The types on a cycle that has a mutable type."""
        result: set[Type] = set()
        for component in _components(self.parts):
            loops = len(component) > 1 or component[0] in self.parts[component[0]]
            if loops and any(type_ in mutable for type_ in component):
                result.update(component)
        return result


def _components(graph: dict[Type, tuple[Type, ...]]) -> list[list[Type]]:
    """Strongly connected components (Kosaraju: finishing order, then the reversed graph)."""
    order: list[Type] = []
    seen: set[Type] = set()
    for root in graph:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(graph[root]))]
        while stack:
            node, parts = stack[-1]
            following = next((part for part in parts if part not in seen), None)
            if following is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(graph[following])))
    holders: dict[Type, list[Type]] = {type_: [] for type_ in graph}
    for type_, parts_ in graph.items():
        for part in parts_:
            holders[part].append(type_)
    result: list[list[Type]] = []
    taken: set[Type] = set()
    for root in reversed(order):
        if root in taken:
            continue
        component, pending = [], [root]
        taken.add(root)
        while pending:
            node = pending.pop()
            component.append(node)
            for holder in holders[node]:
                if holder not in taken:
                    taken.add(holder)
                    pending.append(holder)
        result.append(component)
    return result


_BY_FIRST_OPERAND = (ops.LoadField, ops.StoreField, ops.ListSet, ops.ListPush, ops.MapGet)


def _mark_ops(program: Program, function: Function, locked: set[Type]) -> None:
    changed = False
    for block in function.blocks:
        for op in block.ops:
            kind = type(op)
            if kind is ops.ListGet:
                assert isinstance(op, ops.ListGet)
                op.shared = bool(locked) and op.args[0].type in locked
                if op.unchecked and op.shared:
                    op.unchecked = False
                elif op.unchecked and op.error is not None:
                    op.error = None
                    changed = True
            elif kind in _BY_FIRST_OPERAND:
                op.shared = bool(locked) and op.operands()[0].type in locked  # type: ignore[attr-defined]
            elif kind is ops.AddTo:
                assert isinstance(op, ops.AddTo)
                op.shared = program.spawns if op.place == "global" else bool(locked) and op.args[0].type in locked
            elif kind is ops.LoadGlobal:
                assert isinstance(op, ops.LoadGlobal)
                op.shared = program.spawns and op.variable.assigned
            elif kind is ops.StoreGlobal:
                assert isinstance(op, ops.StoreGlobal)
                op.shared = program.spawns
    if changed:
        function.blocks = reachable(function.blocks)
