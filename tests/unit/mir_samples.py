"""Small hand-built MIR programs for the tests of codegen: `Builder` makes one function, `program` a whole program."""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.types import ERROR_PTR, TypeTable
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.types import model
from nxdc.types.model import Type

FILE = SourceFile("main.nxd", "\n" * 100)


def at(line: int = 1) -> Span:
    """The beginning of a line of the pretended source."""
    start = FILE.line_starts[line - 1]
    return Span(FILE, start, start)


def const(value: object, type_: Type = model.INT) -> ops.Const:
    """A constant."""
    return ops.Const(type_, value)


def text(value: str) -> ops.Const:
    """A string constant."""
    return ops.Const(model.STRING, value)


class Builder:
    """One function; ops are appended to the current block."""

    def __init__(
        self,
        name: str,
        params: list[tuple[str, Type]] | None = None,
        result: Type = model.NONE,
        *,
        fallible: bool = True,
    ) -> None:
        self.params = [ops.Reg(type_, param) for param, type_ in params or []]
        self.function = ops.Function(name, name, self.params, result, at())
        self.function.fallible = fallible
        self.line = 1
        self.block = self.new_block("entry")
        self.error = ops.Reg(ERROR_PTR, "")
        self.failed: ops.Block | None = None

    def new_block(self, label: str = "") -> ops.Block:
        """A block; it becomes part of the function at once."""
        block = ops.Block(label)
        self.function.blocks.append(block)
        return block

    def start(self, block: ops.Block) -> None:
        """Go on writing in another block."""
        self.block = block

    def edge(self) -> ops.ErrorEdge:
        """The error edge to the block that propagates."""
        if self.failed is None:
            self.failed = self.new_block("failed")
            self.failed.cold = True
            self.failed.terminator = ops.Propagate(at(), self.error)
        return ops.ErrorEdge(self.failed, self.error)

    def add(self, op: ops.Op) -> ops.Reg:
        """Append an op; its dst."""
        self.block.ops.append(op)
        return op.dst if op.dst is not None else ops.Reg(model.NONE)

    def reg(self, type_: Type = model.INT, name: str = "") -> ops.Reg:
        """A register."""
        return ops.Reg(type_, name)

    def prim(self, name: str, type_: Type, *args: ops.Value) -> ops.Reg:
        """An inline op."""
        return self.add(ops.Prim(at(self.line), list(args), name=name, dst=self.reg(type_)))

    def checked(self, name: str, *args: ops.Value) -> ops.Reg:
        """A checked inline op on ints."""
        return self.add(ops.Checked(at(self.line), list(args), name=name, dst=self.reg(), error=self.edge()))

    def call(self, function: ops.Function, *args: ops.Value) -> ops.Reg:
        """A call of a compiled function."""
        dst = self.reg(function.result)
        error = self.edge() if function.fallible else None
        return self.add(ops.Call(at(self.line), list(args), function=function, dst=dst, error=error))

    def print_line(self, value: ops.Value) -> None:
        """PRINTLN(value)."""
        self.add(
            ops.CallRuntime(
                at(self.line), [value], symbol="nxd_print", params="w", extra=(value.type,), extra_ints=(1,)
            )
        )

    def drop(self, value: ops.Reg) -> None:
        """Drop."""
        self.add(ops.Drop(at(self.line), [value]))

    def goto(self, target: ops.Block) -> None:
        """End the block."""
        self.block.terminator = ops.Goto(at(self.line), target)

    def branch(self, condition: ops.Value, then: ops.Block, otherwise: ops.Block) -> None:
        """End the block."""
        self.block.terminator = ops.Branch(at(self.line), condition, then, otherwise)

    def ret(self, value: ops.Value | None = None) -> ops.Function:
        """End the block."""
        self.block.terminator = ops.Return(at(self.line), value)
        return self.function


def program(main: ops.Function, *others: ops.Function, globals_: list[ops.GlobalVar] | None = None) -> ops.Program:
    """A program that starts in `main`."""
    return ops.Program([main, *others], list(globals_ or []), main, TypeTable(), spawns=False)


def hello() -> ops.Program:
    """PRINTLN("hello")."""
    main = Builder("MAIN")
    main.print_line(text("hello"))
    return program(main.ret())


def fib(number: int = 30) -> ops.Program:
    """The usual recursion, checked."""
    f = Builder("FIB", [("N", model.INT)], model.INT)
    f.function.recursive = True
    f.add(ops.StackCheck(at(), error=f.edge()))
    small, large = f.new_block("small"), f.new_block("large")
    n = f.params[0]
    f.branch(f.prim("lt_int", model.BOOL, n, const(2)), small, large)
    f.start(small)
    f.ret(n)
    f.start(large)
    one = f.call(f.function, f.checked("sub_checked", n, const(1)))
    two = f.call(f.function, f.checked("sub_checked", n, const(2)))
    f.ret(f.checked("add_checked", one, two))
    main = Builder("MAIN")
    main.print_line(main.call(f.function, const(number)))
    return program(main.ret(), f.function)
