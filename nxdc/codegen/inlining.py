"""Decides which functions LLVM must not inline.

LLVM inlines a function that has one caller whatever its size, and so makes one huge function of MAIN and all that is
called once, directly or not; then it takes twice as long for the program. A call costs nothing beside a large
body, so a function that is large, or becomes large by what is inlined into it for that reason, stays one.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from nxdc.mir.callgraph import components, direct_calls
from nxdc.mir.ops import Function, Program

_LARGE = 50  # ops of MIR, each about three instructions


def kept_apart(program: Program) -> set[Function]:
    """The functions that are not inlined."""
    calls = {function: direct_calls(function) for function in program.functions}
    callers = Counter(callee for called in calls.values() for callee in called)
    apart: set[Function] = set()
    total: dict[Function, int] = {}
    for function in chain.from_iterable(components(calls)):  # callees first
        size = sum(len(block.ops) + 1 for block in function.blocks)
        size += sum(total.get(callee, 0) for callee in calls[function] if callers[callee] == 1)
        if size > _LARGE:
            apart.add(function)
            size = 0
        total[function] = size
    return apart
