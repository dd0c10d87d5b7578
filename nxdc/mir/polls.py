"""Takes out the polls that a program without processes does not need.

A poll lets others run, and raises what has come from outside: a cancellation, or E1009 after an allocation failed (the
runtime then gives up a reserve, so that the program reaches its next poll). Where there are no processes only E1009 is
left, so only loops that may allocate keep their polls. Recursion needs none: it has stack checks, which do the same.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.builder import reachable
from nxdc.mir.callgraph import with_callers
from nxdc.mir.ops import Block, Function, Op, Program
from nxdc.types import model

# Ops that allocate nothing, or only the error that they raise.
_QUIET = (
    ops.Assign, ops.Prim, ops.Checked, ops.FromWord, ops.ToWord, ops.LoadField, ops.StoreField, ops.LoadGlobal,
    ops.StoreGlobal, ops.ListGet, ops.ListSet, ops.MapGet, ops.Unbox, ops.Poll, ops.StackCheck, ops.MakeError,
)  # fmt: skip


def remove_needless_polls(program: Program) -> None:
    """Leaves polls only in loops that may allocate; for programs that start no process."""
    allocating = _allocating_functions(program)
    for function in program.functions:
        places = {block: index for index, block in enumerate(function.blocks)}
        for index, block in enumerate(function.blocks):
            if any(type(op) is ops.Poll for op in block.ops) and not _loop_allocates(
                function, index, places, allocating
            ):
                block.ops = [op for op in block.ops if type(op) is not ops.Poll]
        function.blocks = reachable(function.blocks)  # the handlers of polls may have no other way to them


def _allocating_functions(program: Program) -> set[Function]:
    """The functions that may allocate, by themselves or by what they call."""
    found = {f for f in program.functions if any(_may_allocate(op, set()) for b in f.blocks for op in b.ops)}
    return with_callers(program, found)  # one that calls a function value may allocate by itself


def _may_allocate(op: Op, allocating: set[Function]) -> bool:
    if isinstance(op, ops.Call):
        return op.function in allocating
    if isinstance(op, ops.CallRuntime):
        return not op.pure
    if isinstance(op, ops.AddTo):
        return op.type == model.STRING
    return not isinstance(op, _QUIET)


def _loop_allocates(function: Function, poll: int, places: dict[Block, int], allocating: set[Function]) -> bool:
    """Whether the loop that the poll in block number `poll` belongs to may allocate; so when it is not found."""
    head = _head(function, poll, places)
    if head is None:
        return True
    return any(_may_allocate(op, allocating) for block in function.blocks[head : poll + 1] for op in block.ops)


def _head(function: Function, poll: int, places: dict[Block, int]) -> int | None:
    """The number of the block where the loop of a poll begins: blocks stand in the order in which they were begun, and
    the jump back is made by the block with the poll, or by one that it leads to.
    """
    terminator = function.blocks[poll].terminator
    assert terminator is not None
    direct = [places[target] for target in terminator.targets()]
    after = [function.blocks[place].terminator for place in direct if place > poll]
    later = [places[target] for end in after if end is not None for target in end.targets()]
    return max((place for place in [*direct, *later] if place <= poll), default=None)
