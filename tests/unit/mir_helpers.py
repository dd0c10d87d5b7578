"""Lowering and optimising small programs, and writing graphs by hand, in the tests of mir and opt."""

from __future__ import annotations

from pathlib import Path

from nxdc.mir import ops
from nxdc.mir.lower.entry import lower_program
from nxdc.mir.ops import Block, Function, Reg, Value
from nxdc.mir.printer import print_function
from nxdc.mir.types import ERROR_PTR
from nxdc.mir.verify import verify
from nxdc.opt.entry import optimize
from nxdc.types import model
from nxdc.types.model import Type
from tests.unit.check_helpers import check
from tests.unit.mir_samples import at


def lowered(folder: Path, text: str) -> ops.Program:
    """The verified MIR of a program, before ownership."""
    core_program, sink = check(folder, text)
    assert core_program is not None, [d.message for d in sink.diagnostics()]
    program = lower_program(core_program)
    verify(program)
    return program


def optimized(folder: Path, text: str, level: int = 2) -> ops.Program:
    """The verified MIR of a program, after all passes."""
    program = optimize(lowered(folder, text), level)
    verify(program)
    return program


def function_of(program: ops.Program, name: str) -> Function:
    """The function whose symbol ends with a name."""
    found = [f for f in program.functions if f.symbol == name or f.symbol.endswith(f".{name}")]
    assert len(found) == 1, [f.symbol for f in program.functions]
    return found[0]


def shown(program: ops.Program, name: str) -> list[str]:
    """The lines of a function's dump, without indentation."""
    return [line.strip() for line in print_function(function_of(program, name)).splitlines()]


class Graph:
    """Writes a function by hand: `g.block("b")`, then `g.op(...)`, `g.goto(...)`."""

    def __init__(self, params: list[Reg] | None = None, result: Type = model.NONE) -> None:
        self.function = Function("F", "F", params or [], result, at())
        self.blocks: dict[str, Block] = {}
        self.current: Block | None = None

    def __getitem__(self, label: str) -> Block:
        if label not in self.blocks:
            self.blocks[label] = Block(label)
        return self.blocks[label]

    def block(self, label: str) -> None:
        """Goes on in a block."""
        self.current = self[label]
        self.function.blocks.append(self.current)

    def emit(self, op: ops.Op) -> None:
        """Appends an op."""
        assert self.current is not None
        self.current.ops.append(op)

    def make(self, name: str, type_: Type = model.STRING) -> Reg:
        """A register that gets a new string."""
        reg = Reg(type_, name)
        self.call("make", [], dst=reg, result="p")
        return reg

    def call(
        self,
        symbol: str,
        args: list[Value],
        *,
        dst: Reg | None = None,
        result: str = "",
        taken: tuple[bool, ...] = (),
        fails_to: str = "",
        error: Reg | None = None,
    ) -> None:
        """A runtime call."""
        edge = ops.ErrorEdge(self[fails_to], error or Reg(ERROR_PTR, "error")) if fails_to else None
        self.emit(
            ops.CallRuntime(
                at(), args, symbol=symbol, params="p" * len(args), result="w" if fails_to and dst else result,
                taken=taken, fallible=edge is not None, dst=dst, error=edge,
            )
        )  # fmt: skip

    def goto(self, label: str) -> None:
        """Ends the block."""
        self._end(ops.Goto(at(), self[label]))

    def branch(self, condition: Value, then: str, otherwise: str) -> None:
        """Ends the block."""
        self._end(ops.Branch(at(), condition, self[then], self[otherwise]))

    def ret(self, value: Value | None = None) -> None:
        """Ends the block."""
        self._end(ops.Return(at(), value))

    def propagate(self, error: Reg) -> None:
        """Ends the block."""
        self._end(ops.Propagate(at(), error))

    def _end(self, terminator: ops.Terminator) -> None:
        assert self.current is not None
        self.current.terminator = terminator

    def lines(self) -> list[str]:
        """The dump, without the head and indentation."""
        return [line.strip() for line in print_function(self.function).splitlines()[1:]]
