"""Which counted words a function may overwrite or take away, callees included: what a borrowed load must fear.

Places are numbered: field i of a struct type, the elements of a list type, the values of a map type, a module
variable. Only places that some load borrows from get a number. Payloads of unions and captures of closures never
change. Pushing to a list takes nothing away. What another process does cannot be seen here: where it could, loads
are not borrowed (`shared`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nxdc.mir import ops
from nxdc.mir.callgraph import callees, components
from nxdc.mir.ops import Function, GlobalVar, Op, Program
from nxdc.types import model
from nxdc.types.model import Type

Place = tuple[Type, int] | GlobalVar

_WHOLE = -1  # all elements of a list, all values of a map


def borrowed_place(op: Op) -> Place | None:
    """The place a borrowing load reads; None: one that never changes."""
    if isinstance(op, ops.LoadField):
        return (op.args[0].type, op.index) if op.kind == "struct" else None
    if isinstance(op, (ops.ListGet, ops.MapGet)):
        return (op.args[0].type, _WHOLE)
    if isinstance(op, ops.CallRuntime):  # key and value of a map's entry
        return (op.args[0].type, _WHOLE)
    if isinstance(op, ops.LoadGlobal):
        return op.variable if op.variable.assigned else None
    return None


class Effects:
    """The places of a program, and what ops and functions do to them, as bit sets."""

    def __init__(self, program: Program) -> None:
        self.bits: dict[Place, int] = {}
        self._collect(program)
        self.everything = (1 << len(self.bits)) - 1
        self.of_function: dict[Function, int] = {}
        self.of_closures: dict[Type, int] = {}
        self._solve(program)

    def _collect(self, program: Program) -> None:
        for function in program.functions:
            for block in function.blocks:
                for op in block.ops:
                    if op.gives_borrowed and op.dst is not None and op.dst.counted:
                        place = borrowed_place(op)
                        if place is not None and place not in self.bits:
                            self.bits[place] = 1 << len(self.bits)

    def _solve(self, program: Program) -> None:
        graph = callees(program)
        own = {function: self._own(function) for function in program.functions}
        for component in components(graph):
            mask = 0
            for function in component:
                mask |= own[function]
                for callee in graph[function]:
                    mask |= self.of_function.get(callee, 0)
            for function in component:
                self.of_function[function] = mask
        for function in program.functions:
            if function.closure is not None:
                type_ = function.closure.type
                self.of_closures[type_] = self.of_closures.get(type_, 0) | self.of_function[function]

    def _own(self, function: Function) -> int:
        mask = 0
        for block in function.blocks:
            for op in block.ops:
                handler = _OWN.get(type(op))
                if handler is not None:
                    mask |= handler(self, op)
        return mask

    def of_op(self, op: Op) -> int:
        """What one op may overwrite."""
        kind = type(op)
        if kind is ops.Call:
            return self.of_function[op.function]  # type: ignore[attr-defined]
        if kind is ops.CallClosure:
            return self.of_closures.get(op.args[0].type, self.everything)  # type: ignore[attr-defined]
        handler = _OWN.get(kind)
        return 0 if handler is None else handler(self, op)

    # ---- single ops
    # -----------------------------------------------------------------------------------------------------

    def _store_field(self, op: ops.StoreField) -> int:
        return self.bits.get((op.args[0].type, op.index), 0)

    def _list_set(self, op: ops.ListSet) -> int:
        return self.bits.get((op.args[0].type, _WHOLE), 0)

    def _add_to(self, op: ops.AddTo) -> int:
        if op.type != model.STRING:
            return 0
        if op.place == "global":
            assert op.variable is not None
            return self.bits.get(op.variable, 0)
        return self.bits.get((op.args[0].type, op.index if op.place == "field" else _WHOLE), 0)

    def _store_global(self, op: ops.StoreGlobal) -> int:
        return self.bits.get(op.variable, 0)

    def _runtime(self, op: ops.CallRuntime) -> int:
        if op.changes_any:
            return self.everything
        mask = 0
        for index in op.changes:
            mask |= self.bits.get((op.args[index].type, _WHOLE), 0)
        return mask


_OWN: dict[type, Callable[[Effects, Any], int]] = {
    ops.StoreField: Effects._store_field,
    ops.ListSet: Effects._list_set,
    ops.AddTo: Effects._add_to,
    ops.StoreGlobal: Effects._store_global,
    ops.CallRuntime: Effects._runtime,
}
