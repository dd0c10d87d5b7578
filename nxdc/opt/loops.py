"""Versions counted loops over lists: one test before the loop instead of a bounds check and a poll in every round.

    LOOP J FROM 0 TO N SUB 1:             if 0 <= start, end < length of CI, end < length of BK:
        CI[J] SETADD S MUL BK[J]              the same loop without checks, polling once in 1024 rounds
                                          else: the loop as it was

Input:  MIR after `ownership`; loops as `mir/lower/loops` makes them (counter in a register nobody else writes).
Output: the same meaning, and the same errors: where an index could be out of bounds, the old loop runs and finds it.
Only innermost loops that index a list by the counter while no list changes its length. LLVM can vectorise what is left.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.callgraph import with_callers
from nxdc.mir.ops import Block, Const, Function, Reg, Value
from nxdc.opt.counted import Counted, find_counted_loops
from nxdc.source.span import Span
from nxdc.types import model

_MAX_OPS = 60  # of a loop that is copied
_ROUNDS = 1024  # between two polls


def version_loops(program: ops.Program) -> None:
    """Version all loops of a program that gain by it."""
    resizing = resizing_functions(program)
    for function in program.functions:
        loops = [loop for loop in find_counted_loops(function) if _is_worth_it(loop, resizing)]
        entries = {loop.head: loop.entries for loop in loops}
        for loop in loops:
            for block in _Version(function, loop).build():
                for target in block.terminator.targets() if block.terminator is not None else ():
                    if target in entries:  # of the next loop
                        entries[target].append(block)


def resizing_functions(program: ops.Program) -> set[Function]:
    """Functions that may change the length of a list that existed before the call."""
    found = {f for f in program.functions if any(_resizes(op) for block in f.blocks for op in block.ops)}
    return with_callers(program, found)


def _resizes(op: ops.Op) -> bool:
    """Whether an op itself may change the length of some list."""
    if isinstance(op, ops.CallRuntime):
        return bool(op.changes) or op.changes_any
    return isinstance(op, (ops.ListPush, ops.CallClosure))


def _is_worth_it(loop: Counted, resizing: set[Function]) -> bool:
    size = 0
    gains = False
    for block in loop.blocks:
        size += len(block.ops)
        for op in block.ops:
            if _resizes(op) or (isinstance(op, ops.Call) and op.function in resizing):
                return False
            if isinstance(op, (ops.CallRuntime, ops.Select)) and getattr(op, "parks", True):
                return False
            gains = gains or indexed_list(op, loop) is not None
            gains = gains or (isinstance(op, ops.ListGet) and op.unchecked)
    return gains and size <= _MAX_OPS


def indexed_list(op: ops.Op, loop: Counted) -> Reg | None:
    """The list, constant in the loop, that an op with a bounds check indexes by the counter."""
    if isinstance(op, ops.ListGet):
        if op.unchecked or op.shared:
            return None
    elif isinstance(op, ops.ListSet):
        if op.shared:
            return None
    elif not (isinstance(op, ops.AddTo) and op.place == "list" and not op.shared):
        return None
    list_, index = op.operands()[:2]
    if not isinstance(list_, Reg) or list_ in loop.written:
        return None
    return list_ if index in loop.counters else None


class _Version:
    """Builds the second copy of one loop."""

    def __init__(self, function: Function, loop: Counted) -> None:
        self._function = function
        self._loop = loop
        self._span: Span = loop.span
        self._copies = {block: Block(f"{block.label}.fast", cold=block.cold) for block in loop.blocks}
        self._renamed = {reg: Reg(reg.type, reg.name, span=reg.span) for reg in loop.private}

    def build(self) -> list[Block]:
        """Insert guard, chunks and copy before the loop; the new blocks."""
        loop = self._loop
        guard, chunk, small, large = Block("guard"), Block("chunk"), Block("rest"), Block("full")
        entered = self._copies[loop.head]
        limit = self._temp()  # what stands for the end of the loop in a chunk
        self._write_guard(guard, chunk)
        self._write_chunk(chunk, small, large, entered, limit)
        done = self._write_end_of_chunk(chunk)
        for block, copy in self._copies.items():
            self._copy_block(block, copy, limit, done)
        for block in loop.entries:
            if block.terminator is not None:
                block.terminator.retarget(loop.head, guard)
        borrowed = self._function.borrowed
        borrowed |= {new for old, new in self._renamed.items() if old in borrowed}
        added = [guard, *self._guard_blocks, chunk, small, large, *self._copies.values(), *done]
        self._function.blocks += added
        return added

    # ---- before the loop -------------------------------------------------------------------------------------------

    def _write_guard(self, guard: Block, chunk: Block) -> None:
        """Every list must be longer than the first and the last index; the loop must run at all."""
        loop = self._loop
        lists: dict[Reg, None] = {}
        for block in loop.blocks:
            for op in block.ops:
                list_ = indexed_list(op, loop)
                if list_ is not None:
                    lists[list_] = None
        self._guard_blocks: list[Block] = []
        at = guard
        last = loop.write_last(at, self._temp)
        tests: list[tuple[str, Value, Value]] = []
        if loop.test_first:
            tests.append(("lt_int", loop.counter, loop.write_end(at, self._temp)))
        for list_ in lists:
            length = self._temp()
            at.ops.append(ops.Prim(self._span, [list_], name="list_length", dst=length))
            tests.append(("lt_uint", loop.counter, length))
            tests.append(("lt_uint", last, length))
        for i, (name, left, right) in enumerate(tests):
            holds = Reg(model.BOOL)
            at.ops.append(ops.Prim(self._span, [left, right], name=name, dst=holds))
            following = chunk if i == len(tests) - 1 else Block("guard")
            at.terminator = ops.Branch(self._span, holds, following, loop.head)
            if following is not chunk:
                self._guard_blocks.append(following)
                at = following
        if not tests:
            at.terminator = ops.Goto(self._span, chunk)

    def _write_chunk(self, chunk: Block, small: Block, large: Block, entered: Block, limit: Reg) -> None:
        """limit = the end, or a chunk's length from here if that comes first."""
        loop, span = self._loop, self._span
        end, room, reach = loop.write_room(chunk, self._temp)
        full = Reg(model.BOOL)
        chunk.ops.append(ops.Prim(span, [room, Const(model.INT, reach * _ROUNDS)], name="lt_uint", dst=full))
        chunk.terminator = ops.Branch(span, full, small, large)
        loop.write_rest(small, limit, end)
        small.terminator = ops.Goto(span, entered)
        loop.write_limit(large, limit, _ROUNDS)
        large.terminator = ops.Goto(span, entered)

    def _write_end_of_chunk(self, chunk: Block) -> list[Block]:
        """After a chunk: poll, then the loop's own test decides between the exit and the next chunk."""
        loop, span = self._loop, self._span
        test, step = Block("polled"), Block("step")
        if loop.poll is not None:
            test.ops.append(loop.poll.replace())
        done = loop.write_finished(test, self._temp)
        test.terminator = ops.Branch(span, done, loop.exit, step)
        loop.write_step(step)
        step.terminator = ops.Goto(span, chunk)
        return [test, step]

    # ---- the copy --------------------------------------------------------------------------------------------------

    def _copy_block(self, block: Block, copy: Block, limit: Reg, done: list[Block]) -> None:
        loop = self._loop
        for op in block.ops:
            if op is loop.poll:
                continue
            copy.ops.append(self._copy_op(op, limit))
        end = block.terminator
        assert end is not None
        end = end.replace()
        end.replace_operands([self._value(value) for value in end.operands()])
        if block is loop.test_block:
            end.retarget(loop.exit, done[0])
        for target, its_copy in self._copies.items():
            end.retarget(target, its_copy)
        copy.terminator = end

    def _copy_op(self, op: ops.Op, limit: Reg) -> ops.Op:
        loop = self._loop
        new = op.replace()
        operands = [self._value(value) for value in op.operands()]
        dst = self._renamed.get(op.dst, op.dst) if op.dst is not None else None
        if op in loop.end_uses:
            operands = [limit if value == loop.end else value for value in operands]
            dst = limit if dst is loop.end else dst
        new.replace_operands(operands)
        new.dst = dst
        if isinstance(new, (ops.NewStruct, ops.NewUnion)) and new.reuse is not None:
            new.reuse = self._renamed.get(new.reuse, new.reuse)
        if op.error is not None and op.error.target in self._copies:
            new.error = ops.ErrorEdge(self._copies[op.error.target], op.error.register)
        if indexed_list(op, loop) is not None:
            assert isinstance(new, (ops.ListGet, ops.ListSet, ops.AddTo))
            new.unchecked = True
        return new

    def _value(self, value: Value) -> Value:
        return self._renamed.get(value, value) if isinstance(value, Reg) else value

    @staticmethod
    def _temp() -> Reg:
        return Reg(model.INT)
