"""Make ownership explicit: every owned value is dropped or moved exactly once on every path.

Input:  verified MIR without Dup and Drop; each op says what it takes; error edges are ordinary edges.
Output: verified MIR where a last use moves, an earlier use dups, and dead values are dropped where they die.
Method: at each place a register owns its value exactly if it is live there. So walking each block backwards from
what is
        live at its end tells for each op which operands end with it, and comparing what is live at the end of a block
        with what is live at the start of the next tells what ends on the edge.
Not here: which parameters and loads own nothing (borrows.py, which lists them in `Function.borrowed`), in-place updates
        (reuse.py). Pairs of dup and drop that cancel do not come up: a register gets a Dup only where it is read again,
        and copies that need no reference of their own are borrowed. A parked process keeps its stack, so values that
        live across a park need nothing special.

The drops of an error edge form a chain of blocks, one register each, the youngest first, which ends in the handler:
edges whose sets have a common tail share it. Lifetimes nest like brackets, so that a function has about as many such
blocks as registers, not as many as edges times registers.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Block, Const, ErrorEdge, Function, Op, Reg
from nxdc.mir.types import Form
from nxdc.opt.cfg import BorrowedLoads, Cfg, bits, number_registers
from nxdc.opt.liveness import live_in
from nxdc.problem import CompilerBug
from nxdc.source.span import Span

_LOADS = (ops.LoadField, ops.LoadGlobal, ops.ListGet)


def insert_ownership(function: Function, loads: BorrowedLoads | None = None) -> None:
    """Inserts Dup and Drop."""
    _Inserter(function, loads).run()


def drop_op(reg: Reg, span: Span) -> Op:
    """What ends the value of a register."""
    return ops.DropError(span, [reg]) if reg.form is Form.ERROR else ops.Drop(span, [reg])


class _Inserter:
    def __init__(self, function: Function, loads: BorrowedLoads | None) -> None:
        self.function = function
        for reg, owned in zip(function.params, function.owned_params, strict=True):
            if reg.counted and not owned:
                function.borrowed.add(reg)
        if function.closure is not None:
            function.borrowed.add(function.closure)
        self.regs = number_registers(function) if loads is None else loads.regs
        self.owned = 0
        for reg in self.regs:
            if reg not in function.borrowed:
                self.owned |= reg.mask
        self.cfg = Cfg(function)
        self.live = live_in(self.cfg)
        self.chains: dict[tuple[int, Block, Reg], Block] = {}
        self.edge_blocks: dict[tuple[int, Block], Block] = {}
        self.added: dict[int, list[Block]] = {}  # block number -> blocks to put behind it
        self.cold: list[Block] = []

    # ---- the function
    # -------------------------------------------------------------------------------------------------

    def run(self) -> None:
        function, blocks = self.function, self.cfg.blocks
        entry_errors = [number for number, errors in enumerate(self.cfg.errors) if 0 in errors]
        if self.cfg.preds[0] or entry_errors:
            raise CompilerBug("ownership", "the entry block is a jump target", function.symbol)
        outs = [self._live_out(index) for index in range(len(blocks))]
        for block, out in zip(blocks, outs, strict=True):
            self._block(block, out)
        for index, (block, out) in enumerate(zip(blocks, outs, strict=True)):
            self._edges(index, block, out)
        self._entry(blocks[0])
        ordered: list[Block] = []
        for index, block in enumerate(blocks):
            ordered.append(block)
            ordered += self.added.get(index, ())
        function.blocks = ordered + self.cold

    def _live_out(self, index: int) -> int:
        live = 0
        for succ in self.cfg.succs[index]:
            live |= self.live[succ]
        return live

    def _entry(self, entry: Block) -> None:
        """Registers read on paths that never set them, and owned parameters nobody reads."""
        function, live = self.function, self.live[0]
        span = function.span
        first: list[Op] = []
        params = 0
        for reg, owned in zip(function.params, function.owned_params, strict=True):
            params |= reg.mask
            if owned and reg.counted and not live & reg.mask:
                first.append(drop_op(reg, span))
        for number in bits(live & self.owned & ~params):
            reg = self.regs[number]
            first.append(ops.Assign(span, [Const(reg.type, ops.UNINIT)], dst=reg))
        entry.ops[:0] = first

    # ---- edges
    # ----------------------------------------------------------------------------------------------------------

    def _edges(self, index: int, block: Block, out: int) -> None:
        terminator = block.terminator
        assert terminator is not None
        for succ in self.cfg.succs[index]:
            dead = out & self.owned & ~self.live[succ]
            if not dead:
                continue
            target = self.cfg.blocks[succ]
            if len(self.cfg.preds[succ]) == 1 and succ not in self.cfg.errors[index]:
                target.ops[:0] = [drop_op(self.regs[n], terminator.span) for n in bits(dead)]
                continue
            between = self.edge_blocks.get((dead, target))
            if between is None:
                between = Block(f"{target.label}.drops", cold=target.cold)
                between.ops = [drop_op(self.regs[n], terminator.span) for n in bits(dead)]
                between.terminator = ops.Goto(terminator.span, target)
                self.edge_blocks[dead, target] = between
                self.added.setdefault(index, []).append(between)
            terminator.retarget(target, between)

    def _error_edge(self, edge: ErrorEdge, dead: int, span: Span) -> ErrorEdge:
        """The edge with drops on its way."""
        target = edge.target
        if not self.live[target.index] & edge.register.mask:
            dead |= edge.register.mask  # nobody looks at the error
        if not dead:
            return edge
        return ErrorEdge(self._chain(dead, target, edge.register, span), edge.register)

    def _chain(self, dead: int, target: Block, register: Reg, span: Span) -> Block:
        pending: list[tuple[int, int]] = []
        while dead:
            found = self.chains.get((dead, target, register))
            if found is not None:
                target_block = found
                break
            # The error register's bit is dropped last, so that chains of one target share it.
            top = 1 << (dead & ~register.mask).bit_length() - 1 if dead & ~register.mask else register.mask
            pending.append((dead, top))
            dead ^= top
        else:
            target_block = target
        for mask, top in reversed(pending):
            block = Block(f"{target.label}.drop", [drop_op(self.regs[top.bit_length() - 1], span)], cold=True)
            block.terminator = ops.Goto(span, target_block)
            self.chains[mask, target, register] = block
            self.cold.append(block)
            target_block = block
        return target_block

    # ---- blocks
    # -----------------------------------------------------------------------------------------------------------

    def _block(self, block: Block, live: int) -> None:
        """Walks one block backwards."""
        result: list[Op] = []  # reversed
        live = self._terminator(block, live, result)
        for op in reversed(block.ops):
            live = self._op(op, live, result)
        result.reverse()
        block.ops = result

    def _terminator(self, block: Block, live: int, result: list[Op]) -> int:
        terminator = block.terminator
        assert terminator is not None
        for value in terminator.operands():
            if type(value) is not Reg or not value.mask:
                continue
            if not value.mask & self.owned:  # RETURN of something borrowed: count it before its owner ends
                ending = value.keeps & self.owned & ~live
                result += [drop_op(self.regs[n], terminator.span) for n in bits(ending)]
                result.append(ops.Dup(terminator.span, [value]))
            live |= value.keeps
        return live

    def _op(self, op: Op, live: int, result: list[Op]) -> int:
        """Handles one op; `live` is what is live behind it. Gives what is live before it."""
        span = op.span
        edge = op.error
        on_error = 0 if edge is None else self.live[edge.target.index] & ~edge.register.mask
        defined = 0
        for reg in op.writes():
            defined |= reg.mask
        across = live & ~defined
        dst = op.dst
        if dst is not None and type(op) in _LOADS and dst.counted and not live & dst.mask and edge is None:
            # A load nobody needs goes. Liveness counted it as a read, so what it was from may end here:
            # `MATCH F(): CASE OK(X): A()`.
            read = 0
            for value in op.operands():
                if type(value) is Reg:
                    read |= value.keeps
            result += [drop_op(self.regs[n], span) for n in bits(read & self.owned & ~across)]
            return across | read
        if type(op) is ops.CallRuntime and op.last_use:
            self._take_last(op, across | on_error)
        used, moved, dups = self._operands(op, op.operands(), across | on_error)
        present = (across | on_error | used) & self.owned & ~moved
        borrowed = op.gives_borrowed
        # From here on backwards: what stands behind the op is appended first.
        if present & defined:  # the old value of dst is needed until the op is done
            assert dst is not None
            op.dst = Reg(dst.type)
            if not live & dst.mask:
                result.append(drop_op(dst, span))
            result.append(ops.Assign(span, [op.dst], dst=dst))
            counts = borrowed
        else:
            counts = borrowed and dst is not None and bool(dst.mask & self.owned)
            if dst is not None and dst.mask & self.owned and not live & dst.mask:
                result.append(drop_op(dst, span))  # `LET X SET M["k"]`, X unused: the load may raise and stays
        result += [drop_op(self.regs[n], span) for n in bits(present & ~across)]
        if counts:
            assert op.dst is not None
            result.append(ops.Dup(span, [op.dst]))
        if edge is not None:
            op.error = self._error_edge(edge, present & ~on_error, span)
        result.append(op)
        result += [ops.Dup(span, [reg]) for reg in dups]
        return across | on_error | used

    def _take_last(self, op: ops.CallRuntime, needed: int) -> None:
        """A call that can do better when it may consume its first argument."""
        first = op.args[0]
        if isinstance(first, Reg) and first.mask & self.owned and not first.mask & needed:
            op.symbol, op.last_use = op.last_use, ""
            op.taken = (True,) + (False,) * (len(op.args) - 1)

    def _operands(self, op: Op, operands: list[ops.Value], needed: int) -> tuple[int, int, list[Reg]]:
        """What the op reads, which registers it moves, and which it needs one more reference of. `needed`: read
        afterwards.
        """
        takes = op.takes()
        used = moved = 0
        dups: list[Reg] = []
        if takes is None:
            for value in operands:
                if type(value) is Reg:
                    used |= value.keeps
            return used, 0, dups
        taken: list[Reg] = []
        lent = 0
        for value, take in zip(operands, takes, strict=True):
            if type(value) is not Reg:
                continue
            used |= value.keeps
            if not take:
                lent |= value.keeps
            elif value.counted or value.form is Form.ERROR:
                taken.append(value)
        for reg in reversed(taken):
            if reg.mask & self.owned and not reg.mask & (needed | lent | moved):
                moved |= reg.mask
            elif reg.form is Form.ERROR:
                raise CompilerBug("ownership", "an error has two owners", self.function.symbol)
            else:
                dups.append(reg)
        return used, moved, dups
