"""Which registers are read later: a backward problem.

An error edge leaves a block in its middle: what is live where it goes is live before the op, unless the block has
set it before. Of several edges to one block the first one decides, because fewer registers have been set there.
"""

from __future__ import annotations

from nxdc.mir.ops import Block, Reg
from nxdc.opt.cfg import Cfg
from nxdc.opt.solver import solve


def live_in(cfg: Cfg) -> list[int]:
    """The sets of registers alive at the start of each block (see `Reg.mask` and `Reg.keeps`)."""
    facts = [_block_facts(block) for block in cfg.blocks]
    succs = cfg.succs

    def transfer(block: int, solution: list[int]) -> int:
        used, defined, errors = facts[block]
        live = 0
        for succ in succs[block]:
            live |= solution[succ]
        live = used | (live & ~defined)
        for (target, register), before in errors.items():
            live |= solution[target] & ~(before | register)
        return live

    return solve(cfg.postorder(), cfg.preds, transfer)


def _block_facts(block: Block) -> tuple[int, int, dict[tuple[int, int], int]]:
    """What a block reads before setting it, what it sets, and for each error edge (target, register) what was set
    before.
    """
    used = defined = 0
    errors: dict[tuple[int, int], int] = {}
    for op in block.ops:
        for value in op.operands():
            if type(value) is Reg:
                used |= value.keeps & ~defined
        edge = op.error
        if edge is not None:
            errors.setdefault((edge.target.index, edge.register.mask), defined)
        for reg in op.writes():
            defined |= reg.mask
    assert block.terminator is not None
    for value in block.terminator.operands():
        if type(value) is Reg:
            used |= value.keeps & ~defined
    return used, defined, errors
