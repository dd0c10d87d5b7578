"""Appends ops to the blocks of one function.

Knows where it is (`block`), who handles errors there (`handler`) and whether the place can be reached (`dead`):
after a terminator, and at the start of a block nobody jumps to, it cannot. What is emitted while dead goes nowhere,
so lowerings need not ask; they may ask to save work. All jumps must be made through the builder, because that is how
it learns which blocks are reached.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Block, ErrorEdge, Op, Reg, Value
from nxdc.mir.types import ERROR_PTR
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type

NOTHING = ops.Const(model.NONE, None)
ZERO = ops.Const(model.INT, 0)
ONE = ops.Const(model.INT, 1)
TRUE = ops.Const(model.BOOL, True)
FALSE = ops.Const(model.BOOL, False)


def int_const(value: int) -> ops.Const:
    """An int constant."""
    return ops.Const(model.INT, value)


def string_const(value: str) -> ops.Const:
    """A string constant."""
    return ops.Const(model.STRING, value)


class Builder:
    """See the module."""

    def __init__(self, span: Span) -> None:
        self.blocks: list[Block] = []
        self.block = Block("entry")
        self.dead = False
        self.written: dict[Reg, int] = {}  # named registers: how often they were written so far
        self.propagate = self.new_handler("propagate", span)
        self.handler = self.propagate
        self.propagate.target.terminator = ops.Propagate(span, self.propagate.register)
        self._reached: set[Block] = {self.block}
        self.blocks.append(self.block)

    # ---- registers ------------------------------------------------------------------------------------------------

    @staticmethod
    def temp(type_: Type) -> Reg:
        """A new temporary."""
        return Reg(type_)

    def local(self, type_: Type, name: str, span: Span) -> Reg:
        """A new named register."""
        return Reg(type_, name or "it", span=span)

    # ---- ops ------------------------------------------------------------------------------------------------------

    def emit(self, op: Op) -> None:
        """Appends an op."""
        self.block.ops.append(op)
        edge = op.error
        if edge is not None and not self.dead:
            self._reached.add(edge.target)

    def emit_fallible(self, op: Op) -> None:
        """Appends an op that can fail: the innermost handler gets its error."""
        op.error = self.handler
        self.emit(op)

    def assign(self, target: Reg, value: Value, span: Span) -> None:
        """target = value."""
        if target is value:
            return
        self.emit(ops.Assign(span, [value], dst=target))
        self.wrote(target)

    def wrote(self, target: Reg) -> None:
        """Notes that a register was written."""
        self.written[target] = self.written.get(target, 0) + 1

    def prim(self, name: str, args: list[Value], type_: Type, span: Span) -> Reg:
        """An inline operation into a new temporary."""
        dst = Reg(type_)
        self.block.ops.append(ops.Prim(span, args, name=name, dst=dst))
        return dst

    def retarget_last(self, value: Value, target: Reg) -> bool:
        """Lets the op just emitted write `target` where it made `value`, a temporary: spares an Assign. False: not
        possible.
        """
        if not isinstance(value, Reg) or value.name or not self.block.ops:
            return False
        last = self.block.ops[-1]
        if last.dst is not value or value.form is not target.form:
            return False
        last.dst = target
        self.wrote(target)
        return True

    # ---- control --------------------------------------------------------------------------------------------------

    def new_handler(self, label: str, span: Span) -> ErrorEdge:
        """A place errors can go to; its block is not started yet."""
        return ErrorEdge(Block(label, cold=True), Reg(ERROR_PTR, "error", span=span))

    def start(self, block: Block) -> None:
        """Goes on in a block; dead when nobody has jumped to it."""
        self.blocks.append(block)
        self.block = block
        self.dead = block not in self._reached

    def terminate(self, terminator: ops.Terminator) -> None:
        """Ends the block."""
        if not self.dead:
            self.block.terminator = terminator
            self._reached.update(terminator.targets())
        self.block = Block("dead")
        self.dead = True

    def goto(self, target: Block, span: Span) -> None:
        """Jumps."""
        self.terminate(ops.Goto(span, target))

    def branch(self, condition: Value, then: Block, otherwise: Block, span: Span) -> None:
        """Jumps by a bool."""
        if isinstance(condition, ops.Const):
            self.goto(then if condition.value else otherwise, span)
        else:
            self.terminate(ops.Branch(span, condition, then, otherwise))

    def throw(self, error: Reg, span: Span) -> None:
        """Hands an error to the innermost handler."""
        self.emit(ops.Assign(span, [error], dst=self.handler.register))
        self.goto(self.handler.target, span)

    def raise_code(self, code: int, span: Span, detail: Value | None = None) -> None:
        """Makes an error and hands it to the innermost handler."""
        self.emit(ops.MakeError(span, [] if detail is None else [detail], code=code, dst=self.handler.register))
        self.goto(self.handler.target, span)

    def finish(self) -> list[Block]:
        """The blocks that can be reached, entry first, in the order they were started."""
        self.blocks.append(self.propagate.target)
        return reachable(self.blocks)


def reachable(blocks: list[Block]) -> list[Block]:
    """Those of `blocks` that can be reached from the first, in the same order."""
    seen = {blocks[0]}
    pending = [blocks[0]]
    while pending:
        block = pending.pop()
        targets = block.terminator.targets() if block.terminator is not None else []
        for target in [*targets, *(op.error.target for op in block.ops if op.error is not None)]:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return [block for block in blocks if block in seen]
