"""Fewer blocks: jumps to empty blocks go on to where those go, and a block joins the only one that jumps to it.

Run before ownership (there an edge may get drops of its own) and again after it; it keeps the first block first.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.builder import reachable
from nxdc.mir.ops import Block, ErrorEdge, Function


def simplify(function: Function) -> None:
    """Simplifies in place."""
    _thread_jumps(function)
    function.blocks = reachable(function.blocks)
    _merge(function)


def _thread_jumps(function: Function) -> None:
    final: dict[Block, Block] = {}
    for block in function.blocks[1:]:
        passed: dict[Block, None] = {}  # on the way from this block
        target = block
        while not target.ops and type(target.terminator) is ops.Goto and target not in passed:
            passed[target] = None
            target = final.get(target.terminator.target, target.terminator.target)
        for empty in passed:
            if empty is not target:
                final[empty] = target
    if not final:
        return
    for block in function.blocks:
        assert block.terminator is not None
        for target in block.terminator.targets():
            if target in final:
                block.terminator.retarget(target, final[target])
        _fold_branch(block)
        for op in block.ops:
            if op.error is not None and op.error.target in final:
                op.error = ErrorEdge(final[op.error.target], op.error.register)


def _fold_branch(block: Block) -> None:
    terminator = block.terminator
    if isinstance(terminator, ops.Branch) and terminator.then is terminator.otherwise:
        block.terminator = ops.Goto(terminator.span, terminator.then)


def _merge(function: Function) -> None:
    jumps: dict[Block, int] = {function.blocks[0]: 2}
    for block in function.blocks:
        assert block.terminator is not None
        for target in block.terminator.targets():
            jumps[target] = jumps.get(target, 0) + 1
        for op in block.ops:
            if op.error is not None:
                jumps[op.error.target] = jumps.get(op.error.target, 0) + 2
    gone: set[Block] = set()
    for block in function.blocks:
        if block in gone:
            continue
        while type(block.terminator) is ops.Goto:
            target = block.terminator.target
            if jumps[target] != 1 or target is block:
                break
            block.ops += target.ops
            block.terminator = target.terminator
            gone.add(target)
    function.blocks = [block for block in function.blocks if block not in gone]
