"""Finds counted loops: innermost loops whose counter goes from a start to an end by equal steps.

The shapes are those `mir/lower/loops` makes:

    end test   body ... X: if counter == end: exit;  T: counter += step; to body          (FROM a TO b, constant step)
    rounds     body ... X: if left == 0: exit;  T: left -= 1; counter += step; to body    (FROM a TO b STEP c)
    below      H: if not counter < end: exit; body ... T: counter += 1; to H              (LOOP X IN a list or RANGE)

A loop is found only if it is entered at its head, has one back edge, and nothing but T changes the counter. For what
`loops.py` writes before and behind a copy, each shape knows its own arithmetic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from nxdc.mir import ops
from nxdc.mir.ops import Block, Const, Function, Reg, Value
from nxdc.source.span import Span
from nxdc.types import model

NewTemp = Callable[[], Reg]


@dataclass(eq=False)
class Counted:
    """One counted loop. `counters`: registers that equal the counter wherever they are read in the loop."""

    head: Block
    tail: Block
    blocks: list[Block]
    exit: Block
    test_block: Block  # whose terminator leaves the loop when it is through
    counter: Reg
    step: Value
    end: Value
    end_uses: set[ops.Op]  # in the loop: the ops of the test
    span: Span
    poll: ops.Poll | None = None
    counters: set[Reg] = field(default_factory=set)
    written: set[Reg] = field(default_factory=set)
    private: list[Reg] = field(default_factory=list)  # temporaries one block writes and only it reads
    entries: list[Block] = field(default_factory=list)  # blocks outside that go to the head
    test_first = False

    def write_end(self, block: Block, temp: NewTemp) -> Value:
        """The value the counter does not reach or, where it does, its last one."""
        return self.end

    def write_last(self, block: Block, temp: NewTemp) -> Value:
        """The counter of the last round; it lies between this and the first."""
        return self.end

    def write_room(self, block: Block, temp: NewTemp) -> tuple[Value, Value, int]:
        """The end, how much is left to it, and how much of that a round uses."""
        raise NotImplementedError

    def write_rest(self, block: Block, limit: Reg, end: Value) -> None:
        """limit: all rounds that are left."""
        self._assign(block, limit, end)

    def write_limit(self, block: Block, limit: Reg, rounds: int) -> None:
        """limit: the next `rounds` rounds."""
        raise NotImplementedError

    def write_finished(self, block: Block, temp: NewTemp) -> Reg:
        """After a chunk: whether the loop is through."""
        raise NotImplementedError

    def write_step(self, block: Block) -> None:
        """From the last round of a chunk to the first of the next."""
        self._prim(block, "add_int", self.counter, self.step, self.counter)

    def _prim(self, block: Block, name: str, left: Value, right: Value, dst: Reg) -> Reg:
        block.ops.append(ops.Prim(self.span, [left, right], name=name, dst=dst))
        return dst

    def _assign(self, block: Block, dst: Reg, value: Value) -> None:
        block.ops.append(ops.Assign(self.span, [value], dst=dst))


class EndTest(Counted):
    """The counter is compared with the end behind the body."""

    def _size(self) -> int:
        assert isinstance(self.step, Const) and isinstance(self.step.value, int)
        return self.step.value

    def write_room(self, block: Block, temp: NewTemp) -> tuple[Value, Value, int]:
        size = self._size()
        high, low = (self.end, self.counter) if size > 0 else (self.counter, self.end)
        return self.end, self._prim(block, "sub_int", high, low, temp()), abs(size)

    def write_limit(self, block: Block, limit: Reg, rounds: int) -> None:
        self._prim(block, "add_int", self.counter, Const(model.INT, (rounds - 1) * self._size()), limit)

    def write_finished(self, block: Block, temp: NewTemp) -> Reg:
        size = abs(self._size())
        if size == 1:
            return self._prim(block, "eq_int", self.counter, self.end, Reg(model.BOOL))
        _, room, _ = self.write_room(block, temp)
        return self._prim(block, "lt_uint", room, Const(model.INT, size), Reg(model.BOOL))


class Rounds(Counted):
    """The rounds that are left after this one are counted in `end`."""

    def _left(self) -> Reg:
        assert isinstance(self.end, Reg)
        return self.end

    def write_last(self, block: Block, temp: NewTemp) -> Value:
        way = self._prim(block, "mul_int", self.end, self.step, temp())
        return self._prim(block, "add_int", self.counter, way, temp())

    def write_room(self, block: Block, temp: NewTemp) -> tuple[Value, Value, int]:
        return self.end, self.end, 1

    def write_rest(self, block: Block, limit: Reg, end: Value) -> None:
        self._assign(block, limit, self.end)
        self._assign(block, self._left(), Const(model.INT, 0))

    def write_limit(self, block: Block, limit: Reg, rounds: int) -> None:
        self._assign(block, limit, Const(model.INT, rounds - 1))
        self._prim(block, "sub_int", self.end, limit, self._left())

    def write_finished(self, block: Block, temp: NewTemp) -> Reg:
        return self._prim(block, "eq_int", self.end, Const(model.INT, 0), Reg(model.BOOL))

    def write_step(self, block: Block) -> None:
        self._prim(block, "sub_int", self.end, Const(model.INT, 1), self._left())
        super().write_step(block)


class Below(Counted):
    """The counter is compared with the end before the body. `length_of`: the end is the length of this list."""

    length_of: Value | None = None
    test_first = True

    def write_end(self, block: Block, temp: NewTemp) -> Value:
        if self.length_of is None:
            return self.end
        end = temp()
        block.ops.append(ops.Prim(self.span, [self.length_of], name="list_length", dst=end))
        return end

    def write_last(self, block: Block, temp: NewTemp) -> Value:
        return self._prim(block, "sub_int", self.write_end(block, temp), Const(model.INT, 1), temp())

    def write_room(self, block: Block, temp: NewTemp) -> tuple[Value, Value, int]:
        end = self.write_end(block, temp)
        return end, self._prim(block, "sub_int", end, self.counter, temp()), 1

    def write_limit(self, block: Block, limit: Reg, rounds: int) -> None:
        self._prim(block, "add_int", self.counter, Const(model.INT, rounds), limit)

    def write_finished(self, block: Block, temp: NewTemp) -> Reg:
        return self._prim(block, "gte_int", self.counter, self.write_end(block, temp), Reg(model.BOOL))

    def write_step(self, block: Block) -> None:
        """The counter has been stepped already."""


# ---- finding them ----------------------------------------------------------------------------------------------------


def find_counted_loops(function: Function) -> list[Counted]:
    """The innermost counted loops of a function."""
    edges = _back_edges(function.blocks[0])
    if not edges:
        return []
    preds = _predecessors(function)
    heads = Counter(head for _, head in edges)
    found = []
    local: set[Reg] | None = None
    for tail, head in edges:
        if heads[head] > 1:
            continue
        blocks = _natural_loop(tail, head, preds)
        if blocks is None or any(block in heads and block is not head for block in blocks):
            continue
        loop = _recognise(tail, head, blocks)
        if loop is None:
            continue
        if local is None:
            local = _local_registers(function)
        if _fill(loop, local):
            inside = set(blocks)
            loop.entries = [block for block in preds[head] if block not in inside]
            found.append(loop)
    return found


def _successors(block: Block) -> list[Block]:
    found = [op.error.target for op in block.ops if op.error is not None]
    if block.terminator is not None:
        found += block.terminator.targets()
    return found


def _back_edges(entry: Block) -> list[tuple[Block, Block]]:
    """Edges to a block that is being visited, in depth-first order."""
    found: dict[tuple[Block, Block], None] = {}
    state: dict[Block, bool] = {entry: True}  # True: being visited
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, rest = stack[-1]
        target = next(rest, None)
        if target is None:
            state[block] = False
            stack.pop()
        elif target not in state:
            state[target] = True
            stack.append((target, iter(_successors(target))))
        elif state[target]:
            found[block, target] = None
    return list(found)


def _predecessors(function: Function) -> dict[Block, list[Block]]:
    preds: dict[Block, list[Block]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for target in _successors(block):
            preds[target].append(block)
    return preds


def _natural_loop(tail: Block, head: Block, preds: dict[Block, list[Block]]) -> list[Block] | None:
    """The blocks of a loop, the head first; None when it has another entry or an error edge leads to its head."""
    blocks = {head: None}
    work = [tail]
    while work:
        block = work.pop()
        if block in blocks:
            continue
        if not preds[block]:
            return None  # the function's entry: the head does not dominate the tail
        blocks[block] = None
        work += preds[block]
    for pred in preds[head]:
        if any(op.error is not None and op.error.target is head for op in pred.ops):
            return None
    return list(blocks)


def _recognise(tail: Block, head: Block, blocks: list[Block]) -> Counted | None:
    """The shape of a loop by its test and its step."""
    if not isinstance(tail.terminator, ops.Goto):
        return None
    within = set(blocks)
    below = _test(head, within)
    if below is not None:
        condition, inside, leave = below
        if condition.name == "lt_int" and isinstance(head.terminator, ops.Branch) and head.terminator.then is inside:
            return _below(tail, head, blocks, condition, leave)
    tests = [
        block for block in blocks if isinstance(block.terminator, ops.Branch) and tail in block.terminator.targets()
    ]
    if len(tests) != 1:
        return None
    found = _test(tests[0], within)
    if found is None or found[1] is not tail or not isinstance(tests[0].terminator, ops.Branch):
        return None
    if tests[0].terminator.otherwise is not tail:
        return None
    return _behind(tail, head, blocks, tests[0], found[0], found[2])


def _test(block: Block, within: set[Block]) -> tuple[ops.Prim, Block, Block] | None:
    """The comparison that ends a block, where it goes on in the loop, and where it leaves it."""
    end = block.terminator
    if not isinstance(end, ops.Branch):
        return None
    inside = [target for target in end.targets() if target in within]
    outside = [target for target in end.targets() if target not in within]
    condition = _definition(block, end.condition)
    if len(inside) != 1 or len(outside) != 1 or condition is None:
        return None
    return condition, inside[0], outside[0]


def _definition(block: Block, value: Value) -> ops.Prim | None:
    """The inline op that makes a register in a block, if the last write there is one."""
    for op in reversed(block.ops):
        if isinstance(value, Reg) and value in op.writes():
            return op if isinstance(op, ops.Prim) else None
    return None


def _steps(tail: Block) -> dict[Reg, tuple[str, Value]]:
    """What the tail adds to or subtracts from which register."""
    found = {}
    for op in tail.ops:
        if (
            isinstance(op, ops.Prim)
            and op.name in ("add_int", "sub_int")
            and op.dst is not None
            and op.args[0] is op.dst
        ):
            found[op.dst] = (op.name, op.args[1])
    return found


def _below(tail: Block, head: Block, blocks: list[Block], test: ops.Prim, leave: Block) -> Counted | None:
    counter, end = test.args
    steps = _steps(tail)
    if not isinstance(counter, Reg) or steps.get(counter) != ("add_int", Const(model.INT, 1)):
        return None
    loop = Below(head, tail, blocks, leave, head, counter, Const(model.INT, 1), end, {test}, test.span)
    made = _definition(head, end)
    if made is not None:
        if made.name != "list_length":
            return None
        loop.length_of = made.args[0]
    return loop


def _behind(
    tail: Block, head: Block, blocks: list[Block], block: Block, test: ops.Prim, leave: Block
) -> Counted | None:
    if len(test.args) != 2:  # no comparison: a test for none, a NOT
        return None
    steps = _steps(tail)
    left, right = test.args
    if test.name == "eq_int" and isinstance(left, Reg) and left in steps:
        if right == Const(model.INT, 0) and steps[left] == ("sub_int", Const(model.INT, 1)):
            others = [(reg, by) for reg, (name, by) in steps.items() if reg is not left and name == "add_int"]
            if len(others) != 1:
                return None
            counter, by = others[0]
            uses: set[ops.Op] = {test, *(op for op in tail.ops if op.dst is left)}
            return Rounds(head, tail, blocks, leave, block, counter, by, left, uses, test.span)
        name, step = steps[left]
        if name == "add_int" and isinstance(step, Const) and step.value in (1, -1):
            return EndTest(head, tail, blocks, leave, block, left, step, right, {test}, test.span)
    if test.name == "lt_uint" and isinstance(right, Const):
        return _strided(tail, head, blocks, block, test, leave)
    return None


def _strided(
    tail: Block, head: Block, blocks: list[Block], block: Block, test: ops.Prim, leave: Block
) -> Counted | None:
    """end - counter < step, for constant steps."""
    room = _definition(block, test.args[0])
    size = test.args[1]
    if room is None or room.name != "sub_int" or not isinstance(size, Const) or not isinstance(size.value, int):
        return None
    for counter, end, step in ((room.args[1], room.args[0], size.value), (room.args[0], room.args[1], -size.value)):
        if isinstance(counter, Reg) and _steps(tail).get(counter) == ("add_int", Const(model.INT, step)):
            return EndTest(head, tail, blocks, leave, block, counter, Const(model.INT, step), end, {room}, test.span)
    return None


# ---- facts about one -------------------------------------------------------------------------------------------------


def _fill(loop: Counted, local: set[Reg]) -> bool:
    """Find the poll, the counter's other names and the private temporaries; False where something disturbs."""
    writers: dict[Reg, list[tuple[Block, ops.Op]]] = {}
    for block in loop.blocks:
        for op in block.ops:
            for reg in op.writes():
                writers.setdefault(reg, []).append((block, op))
            if op.error is not None:
                loop.written.add(op.error.register)
            if isinstance(op, ops.Poll):
                if loop.poll is not None or block not in (loop.test_block, loop.tail):
                    return False
                loop.poll = op
    loop.written |= writers.keys()
    if len(writers.get(loop.counter, ())) != 1 or _changes(loop, loop.step) or _end_changes(loop, writers):
        return False
    loop.counters = {loop.counter, *_aliases(loop, writers)}
    loop.private = [
        reg for reg, writes in writers.items() if len(writes) == 1 and writes[0][1].dst is reg and reg in local
    ]
    return True


def _changes(loop: Counted, value: Value) -> bool:
    return isinstance(value, Reg) and value in loop.written


def _end_changes(loop: Counted, writers: dict[Reg, list[tuple[Block, ops.Op]]]) -> bool:
    if isinstance(loop, Rounds):
        return len(writers.get(loop._left(), ())) != 1
    if isinstance(loop, Below) and loop.length_of is not None:
        return _changes(loop, loop.length_of) or len(writers[loop.end]) != 1  # type: ignore[index]
    return _changes(loop, loop.end)


def _aliases(loop: Counted, writers: dict[Reg, list[tuple[Block, ops.Op]]]) -> list[Reg]:
    """Registers that get the counter once at the beginning of each round and are read only behind that."""
    first = loop.head
    if loop.test_first:
        end = loop.head.terminator
        assert isinstance(end, ops.Branch)
        first = end.then
    found = []
    for reg, writes in writers.items():
        if len(writes) != 1 or writes[0][0] is not first:
            continue
        op = writes[0][1]
        if isinstance(op, ops.Assign) and op.args[0] is loop.counter and not _read_before(loop, reg, first, op):
            found.append(reg)
    return found


def _read_before(loop: Counted, reg: Reg, first: Block, write: ops.Op) -> bool:
    """Whether a round may read a register before it sets it."""
    if first is not loop.head:
        end = loop.head.terminator
        assert end is not None
        if any(reg in op.operands() for op in loop.head.ops) or reg in end.operands():
            return True
    for op in first.ops:
        if op is write:
            return False
        if reg in op.operands():
            return True
    return True


def _local_registers(function: Function) -> set[Reg]:
    """Registers that are written once in the function, and read only in the block of that write."""
    home: dict[Reg, Block] = {}
    spread: set[Reg] = set(function.params)  # in two blocks, or written twice
    written: set[Reg] = set()

    def see(reg: Reg, block: Block) -> None:
        if home.setdefault(reg, block) is not block:
            spread.add(reg)

    for block in function.blocks:
        for op in block.ops:
            for value in op.operands():
                if type(value) is Reg:
                    see(value, block)
            for reg in (*op.writes(), *(() if op.error is None else (op.error.register,))):
                see(reg, block)
                if reg in written:
                    spread.add(reg)
                written.add(reg)
        if block.terminator is not None:
            for value in block.terminator.operands():
                if type(value) is Reg:
                    see(value, block)
    return written - spread
