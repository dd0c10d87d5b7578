"""The graph of a function's blocks, and bit sets of its registers.

Sets of registers are Python ints: `Reg.mask` is the bit of one register, `Reg.keeps` the bits of all that reading it
keeps alive (itself, and the owners of what it borrows). Registers that are seen in several blocks get the low bits,
so that the sets that travel between blocks stay short.
"""

from __future__ import annotations

from collections.abc import Iterator

from nxdc.mir.ops import Block, Function, Reg
from nxdc.mir.types import Form


class Cfg:
    """Blocks by `Block.index`. Error edges count as edges; an edge that is there twice is listed once."""

    __slots__ = ("blocks", "errors", "preds", "succs")

    def __init__(self, function: Function) -> None:
        blocks = function.blocks
        self.blocks = blocks
        for index, block in enumerate(blocks):
            block.index = index
        self.succs: list[list[int]] = []  # by terminators
        self.errors: list[list[int]] = []  # by error edges
        self.preds: list[list[int]] = [[] for _ in blocks]
        for index, block in enumerate(blocks):
            assert block.terminator is not None, block
            targets = list(dict.fromkeys(target.index for target in block.terminator.targets()))
            edges = list(dict.fromkeys(op.error.target.index for op in block.ops if op.error is not None))
            self.succs.append(targets)
            self.errors.append(edges)
            for target in dict.fromkeys((*targets, *edges)):
                self.preds[target].append(index)

    def postorder(self) -> list[int]:
        """Successors before predecessors, as far as there are no cycles."""
        seen = [False] * len(self.blocks)
        order: list[int] = []
        stack: list[tuple[int, int]] = [(0, 0)]
        seen[0] = True
        both = [[*succs, *errors] for succs, errors in zip(self.succs, self.errors, strict=True)]
        while stack:
            node, position = stack.pop()
            targets = both[node]
            while position < len(targets) and seen[targets[position]]:
                position += 1
            if position == len(targets):
                order.append(node)
                continue
            stack.append((node, position + 1))
            seen[targets[position]] = True
            stack.append((targets[position], 0))
        return order


class BorrowedLoads:
    """What borrows.py found out about a function: its registers by number, and for each register that is kept
    borrowed the one whose life it depends on (see `Reg.keeps`).
    """

    __slots__ = ("keeps", "regs")

    def __init__(self, regs: list[Reg], keeps: dict[Reg, Reg]) -> None:
        self.regs = regs
        self.keeps = keeps


def owns(reg: Reg) -> bool:
    """Whether registers of this kind have something to give back."""
    return reg.counted or reg.form is Form.ERROR


def number_registers(function: Function) -> list[Reg]:
    """Gives each register that can own something its bit (others 0); the result finds a register by its bit number."""
    home: dict[Reg, Block | None] = {}
    for reg in (*function.params, *([] if function.closure is None else [function.closure])):
        if owns(reg):
            home[reg] = None
    for block in function.blocks:
        for op in block.ops:
            for value in op.operands():
                if type(value) is Reg:
                    _see(home, value, block)
            for reg in op.writes():
                _see(home, reg, block)
            if op.error is not None:
                home[op.error.register] = None
        assert block.terminator is not None
        for value in block.terminator.operands():
            if type(value) is Reg:
                _see(home, value, block)
    ordered = [reg for reg, block in home.items() if block is None and owns(reg)]
    ordered += [reg for reg, block in home.items() if block is not None and owns(reg)]
    for reg in home:
        reg.mask = reg.keeps = 0
    for number, reg in enumerate(ordered):
        reg.mask = reg.keeps = 1 << number
    return ordered


def reset_keeps(regs: list[Reg], keeps: dict[Reg, Reg]) -> None:
    """Sets `Reg.keeps` for registers numbered before: reading a borrowed register reads its owners too."""
    for reg in regs:
        reg.keeps = reg.mask
    for reg in keeps:
        _set_keeps(reg, keeps)


def _set_keeps(reg: Reg, keeps: dict[Reg, Reg]) -> int:
    if reg.keeps == reg.mask and reg in keeps:
        reg.keeps = reg.mask | _set_keeps(keeps[reg], keeps)
    return reg.keeps


def _see(home: dict[Reg, Block | None], reg: Reg, block: Block) -> None:
    """Remembers the block a register is seen in, None once there are two."""
    first = home.setdefault(reg, block)
    if first is not block and first is not None:
        home[reg] = None


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(regs: list[Reg]) -> int:
    """The set of some registers."""
    mask = 0
    for reg in regs:
        mask |= reg.mask
    return mask
