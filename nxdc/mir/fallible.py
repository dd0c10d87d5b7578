"""Finds the functions no error leaves; calls of them lose their error edge, and what only those edges reached goes
away.

Starts from "nobody fails" and grows: a function fails when its Propagate can be reached, counting the error edges of
calls only where the callee is known to fail. Code of function values always has the fallible convention, so that
callers need not know which code they call.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.builder import reachable
from nxdc.mir.callgraph import callers_of
from nxdc.mir.ops import Block, Function, Program


def infer_fallible(program: Program) -> None:
    """Sets `Function.fallible` and removes the edges that nothing takes."""
    callers = callers_of(program)
    for function in program.functions:
        function.fallible = False
    pending = list(reversed(program.functions))
    while pending:
        function = pending.pop()
        if not function.fallible and _fails(function):
            function.fallible = True
            pending.extend(callers[function])
    for function in program.functions:
        _strip(function)
    for function in program.functions:
        if function.address_taken:
            function.fallible = True


def _fails(function: Function) -> bool:
    """Whether the function's Propagate can be reached."""
    seen: set[Block] = {function.blocks[0]}
    pending = [function.blocks[0]]
    while pending:
        block = pending.pop()
        terminator = block.terminator
        if type(terminator) is ops.Propagate:
            return True
        assert terminator is not None
        targets = terminator.targets()
        for op in block.ops:
            edge = op.error
            if edge is not None and not (type(op) is ops.Call and not op.function.fallible):
                targets.append(edge.target)
        for target in targets:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return False


def _strip(function: Function) -> None:
    changed = False
    for block in function.blocks:
        for op in block.ops:
            if type(op) is ops.Call and op.error is not None and not op.function.fallible:
                op.error = None
                changed = True
    if changed:
        function.blocks = reachable(function.blocks)
