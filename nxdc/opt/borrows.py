"""Decide what owns nothing: parameters that the callee need not keep, loads whose owner stays as it is.

Parameters (after Ullrich and de Moura, "Counting Immutable Beans", IFL 2019): a parameter is owned where some op
takes it for the last time, so that the caller's reference can move on into a structure, a result or another call;
else it is borrowed. The decision for a function needs that for its callees, so that components of the call graph go
bottom up, each until nothing changes.

Loads: `X = P.F` needs no reference of its own while P is alive and P.F is not overwritten. Let every load start as
borrowed, with the life of P stretched to that of X (`Reg.keeps`); walk all blocks backwards, and give up a load when
something in its life may overwrite its place (effects.py), or sets P itself. A load that is given up owns its value
and may keep others alive. The same holds for plain copies of a register that is not set meanwhile.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.callgraph import callees, components
from nxdc.mir.ops import Block, Function, Op, Program, Reg
from nxdc.mir.types import Form
from nxdc.opt.cfg import BorrowedLoads, Cfg, number_registers, reset_keeps
from nxdc.opt.effects import Effects, borrowed_place
from nxdc.opt.liveness import live_in


def borrow_loads(program: Program) -> dict[Function, BorrowedLoads]:
    """Sets `Function.borrowed` and the `borrow` field of copies; the result is for the passes behind this one."""
    effects = Effects(program)
    return {function: _Loads(function, effects).decide() for function in program.functions}


def own_params(program: Program) -> None:
    """Sets `owned_params`."""
    graph = callees(program)
    for component in components(graph):
        pending = [function for function in component if not function.address_taken]
        recursive = len(component) > 1 or component[0] in graph[component[0]]
        again = True
        while again:  # in a cycle: what one of them owns now, the others may pass on
            found = [_own_params(function) for function in pending]
            again = recursive and any(found)


# ---- loads
# -------------------------------------------------------------------------------------------------------------


class _Loads:
    def __init__(self, function: Function, effects: Effects) -> None:
        self.function = function
        self.effects = effects
        self.regs = number_registers(function)
        self.keeps: dict[Reg, Reg] = {}
        self.loads: dict[Reg, Op] = {}
        self.by_place: dict[int, int] = {}  # effect bit -> loads from there
        self.by_owner: dict[int, int] = {}  # mask of the owner -> loads from it

    def decide(self) -> BorrowedLoads:
        """The loads that stay borrowed."""
        self._candidates()
        if not self.loads:
            return BorrowedLoads(self.regs, {})
        reset_keeps(self.regs, self.keeps)
        bad = self._overwritten()
        kept: dict[Reg, Reg] = {}
        for reg, op in self.loads.items():
            if not bad & reg.mask:
                self.function.borrowed.add(reg)
                if reg in self.keeps:
                    kept[reg] = self.keeps[reg]
                if isinstance(op, (ops.Assign, ops.Box, ops.Unbox)):
                    op.borrow = True
        reset_keeps(self.regs, kept)
        return BorrowedLoads(self.regs, kept)

    def _candidates(self) -> None:
        writes: dict[Reg, int] = dict.fromkeys(self.function.params, 1)
        for block in self.function.blocks:
            for op in block.ops:
                for reg in op.writes():
                    writes[reg] = writes.get(reg, 0) + 1
        for block in self.function.blocks:
            for op in block.ops:
                dst = op.dst
                if dst is not None and dst.counted and writes[dst] == 1 and _can_borrow(op):
                    self._candidate(op, dst)

    def _candidate(self, op: Op, dst: Reg) -> None:
        self.loads[dst] = op
        place = borrowed_place(op)
        if place is not None:
            bit = self.effects.bits[place]
            self.by_place[bit] = self.by_place.get(bit, 0) | dst.mask
        owner = op.args[0] if isinstance(op, (ops.Assign, ops.Box, ops.Unbox)) else op.borrows_from
        if isinstance(owner, Reg):
            self.keeps[dst] = owner
            self.by_owner[owner.mask] = self.by_owner.get(owner.mask, 0) | dst.mask

    def _overwritten(self) -> int:
        """The loads that something may hit while they live."""
        cfg = Cfg(self.function)
        live = live_in(cfg)
        places = 0
        for bit in self.by_place:
            places |= bit
        bad = 0
        for index, block in enumerate(cfg.blocks):
            out = 0
            for succ in cfg.succs[index]:
                out |= live[succ]
            bad |= self._walk(block, out, live, places)
        return bad

    def _walk(self, block: Block, live: int, live_at: list[int], places: int) -> int:
        bad = 0
        by_owner = self.by_owner
        assert block.terminator is not None
        for value in block.terminator.operands():
            if type(value) is Reg:
                live |= value.keeps
        for op in reversed(block.ops):
            edge = op.error
            after = live if edge is None else live | (live_at[edge.target.index] & ~edge.register.mask)
            defined = used = 0
            for reg in op.writes():
                hit = by_owner.get(reg.mask) if reg.mask else None
                if hit:
                    bad |= hit & after & ~reg.mask
                defined |= reg.mask
            for value in op.operands():
                if type(value) is Reg:
                    used |= value.keeps
            hits = self.effects.of_op(op) & places
            if hits:
                # A borrowed argument must also outlive what the callee overwrites.
                exposed = (after & ~defined) | (
                    used if isinstance(op, (ops.Call, ops.CallClosure, ops.CallRuntime)) else 0
                )
                for bit, loads in self.by_place.items():
                    if hits & bit:
                        bad |= loads & exposed
            live = (after & ~defined) | used
            if edge is not None:
                live |= live_at[edge.target.index] & ~edge.register.mask
        return bad


def _can_borrow(op: Op) -> bool:
    if isinstance(op, ops.Assign):
        return isinstance(op.args[0], Reg) and op.args[0].counted
    if isinstance(op, (ops.Box, ops.Unbox)):
        source = op.args[0]
        assert op.dst is not None
        return isinstance(source, Reg) and source.counted and Form.PTR in (source.form, op.dst.form)
    return op.gives_borrowed


# ---- parameters
# --------------------------------------------------------------------------------------------------------


def _own_params(function: Function) -> bool:
    """Makes parameters owned that some op takes for the last time. Whether there were new ones."""
    candidates = [
        index for index, reg in enumerate(function.params) if reg.counted and not function.owned_params[index]
    ]
    if not candidates:
        return False
    wanted = 0
    for index in candidates:
        wanted |= function.params[index].mask
    if not _taken_anywhere(function, wanted):
        return False
    cfg = Cfg(function)
    live = live_in(cfg)
    moved = 0
    for index, block in enumerate(cfg.blocks):
        out = 0
        for succ in cfg.succs[index]:
            out |= live[succ]
        moved |= _moves(block, out, live, wanted)
    for index in candidates:
        if moved & function.params[index].mask:
            function.owned_params[index] = True
    return bool(moved)


def _taken_anywhere(function: Function, wanted: int) -> bool:
    """A quick look before computing liveness."""
    for block in function.blocks:
        for op in block.ops:
            takes = op.takes()
            if takes is not None and any(
                take and type(value) is Reg and value.mask & wanted
                for value, take in zip(op.operands(), takes, strict=True)
            ):
                return True
        if isinstance(block.terminator, ops.Return):
            value = block.terminator.value
            if type(value) is Reg and value.mask & wanted:
                return True
    return False


def _moves(block: Block, live: int, live_at: list[int], wanted: int) -> int:
    moved = 0
    terminator = block.terminator
    assert terminator is not None
    for value in terminator.operands():
        if type(value) is Reg:
            if isinstance(terminator, ops.Return):
                moved |= value.mask & wanted
            live |= value.keeps
    for op in reversed(block.ops):
        edge = op.error
        after = live if edge is None else live | (live_at[edge.target.index] & ~edge.register.mask)
        defined = used = 0
        for reg in op.writes():
            defined |= reg.mask
        takes = op.takes()
        for position, value in enumerate(op.operands()):
            if type(value) is Reg:
                used |= value.keeps
                if takes is not None and takes[position] and not value.mask & after:
                    moved |= value.mask & wanted
        live = (after & ~defined) | used
        if edge is not None:
            live |= live_at[edge.target.index] & ~edge.register.mask
    return moved
