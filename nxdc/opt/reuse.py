"""Uses the memory of a struct that has just died for the next one of the same type: `P SET POINT { X: P.X ADD 1, Y:
P.Y }`.

Input:  MIR before ownership, with `Function.borrowed` decided. A parameter that is used like this becomes an owned
one (borrows.own_params).
Output: `NewStruct.reuse` names a register whose value is read for the last time a little earlier in the same block.
As an operand that is taken it
        lives up to there, so that ownership needs to know nothing. At run time the memory is used when nobody else
        holds the object.

Calls between the death and the new object rule it out: a value should not be kept over a call for the sake of its
memory.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Block, Function, Op, Reg
from nxdc.opt.cfg import BorrowedLoads, Cfg, bits, mask_of
from nxdc.opt.liveness import live_in
from nxdc.types import model

_CALLS = (ops.Call, ops.CallClosure, ops.Spawn, ops.Select, ops.Poll)


def reuse_memory(function: Function, loads: BorrowedLoads) -> None:
    """Sets `reuse` where it can be done."""
    blocks = [block for block in function.blocks if any(_wants(op) for op in block.ops)]
    if not blocks:
        return
    regs = loads.regs
    cfg = Cfg(function)
    live = live_in(cfg)
    for block in blocks:
        out = 0
        for succ in cfg.succs[block.index]:
            out |= live[succ]
        _reuse_in(block, _dying(function, block, out, live, regs))


def _wants(op: Op) -> bool:
    return isinstance(op, ops.NewStruct) and isinstance(op.type, (model.StructType, model.RecordType)) and bool(op.args)


def _dying(function: Function, block: Block, live: int, live_at: list[int], regs: list[Reg]) -> list[list[Reg]]:
    """For each op the owned structs whose life it ends without taking them. At a NewStruct that may be one whose
    fields it holds.
    """
    assert block.terminator is not None
    for value in block.terminator.operands():
        if type(value) is Reg:
            live |= value.keeps
    candidates = 0
    for reg in regs:
        if isinstance(reg.type, (model.StructType, model.RecordType)) and reg not in function.borrowed:
            candidates |= reg.mask
    if function.address_taken:
        candidates &= ~mask_of(function.params)
    result: list[list[Reg]] = [[] for _ in block.ops]
    for index in range(len(block.ops) - 1, -1, -1):
        op = block.ops[index]
        if op.error is not None:
            live |= live_at[op.error.target.index] & ~op.error.register.mask
        for reg in op.writes():
            live &= ~reg.mask
        takes = op.takes()
        used = taken = 0
        for position, value in enumerate(op.operands()):
            if type(value) is Reg:
                used |= value.keeps
                if takes is not None and takes[position]:
                    taken |= value.mask
        result[index] = [regs[number] for number in bits(used & candidates & ~live & ~taken)]
        live |= used
    return result


def _reuse_in(block: Block, dying: list[list[Reg]]) -> None:
    dead: list[Reg] = []  # the youngest last
    for op, here in zip(block.ops, dying, strict=True):
        if isinstance(op, _CALLS) or (isinstance(op, ops.CallRuntime) and op.parks):
            dead = []
        dead += here
        if isinstance(op, ops.NewStruct) and _wants(op):
            op.reuse = next((reg for reg in reversed(dead) if reg.type == op.type), None)
        gone = [op.reuse, *op.writes()] if isinstance(op, ops.NewStruct) else op.writes()
        dead = [reg for reg in dead if reg not in gone]
