"""Decides which functions LLVM must not inline.

LLVM inlines a function that has one caller whatever its size, and so makes one huge function of MAIN and all that is
called once, directly or not; then it takes twice as long for the program. A call costs nothing beside a large
body, so a function that is large, or becomes large by what is inlined into it for that reason, stays one.
"""

from __future__ import annotations

from collections import Counter

from nxdc.mir import ops
from nxdc.mir.ops import Function, Program

_LARGE = 50  # ops of MIR, each about three instructions


def kept_apart(program: Program) -> set[Function]:
    """The functions that are not inlined."""
    callees = {function: _callees(function) for function in program.functions}
    callers = Counter(callee for called in callees.values() for callee in called)
    apart: set[Function] = set()
    total: dict[Function, int] = {}
    for function in _callees_first(program, callees):
        size = sum(len(block.ops) + 1 for block in function.blocks)
        size += sum(total.get(callee, 0) for callee in callees[function] if callers[callee] == 1)
        if size > _LARGE:
            apart.add(function)
            size = 0
        total[function] = size
    return apart


def _callees(function: Function) -> list[Function]:
    return [op.function for block in function.blocks for op in block.ops if isinstance(op, ops.Call)]


def _callees_first(program: Program, callees: dict[Function, list[Function]]) -> list[Function]:
    order: list[Function] = []
    seen: set[Function] = set()
    for root in program.functions:
        stack = [(root, iter(callees[root]))] if root not in seen else []
        seen.add(root)
        while stack:
            function, rest = stack[-1]
            callee = next(rest, None)
            if callee is None:
                order.append(function)
                stack.pop()
            elif callee not in seen:
                seen.add(callee)
                stack.append((callee, iter(callees[callee])))
    return order
