"""Writes LLVM IR text: one method an instruction, nothing else knows the syntax.

Why not llvmlite.ir: its instruction objects cost 20 us each to make and print, this writer 2 us, and parsing (which
both need, since llvmlite has no builder in C) 3 us. For a program of 10,000 lines that is 6 s against 0.6 s. It also
accepts every attribute and every piece of metadata LLVM knows. The text is verified by LLVM in all tests.

Values are operands as text ("%7", "-1", "@nxd_drop"), types are text as well ("i64", "ptr"). Results are numbered,
so instructions must be written in the order of the text; labels and registers that live in memory have names.
"""

from __future__ import annotations

# Branch weights: metadata numbers fixed in `context.py`.
LIKELY = ", !prof !0"
UNLIKELY = ", !prof !1"

RW = "{ i64, ptr }"


class Writer:
    """The body of one function."""

    __slots__ = ("_count", "aliases", "allocas", "block", "debug", "lines", "terminated")

    def __init__(self, aliases: dict[str, str]) -> None:
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.aliases = aliases  # alias class -> metadata suffix, filled on demand by the module
        self.block = "entry"
        self.terminated = False
        self.debug = ""  # suffix with the debug location of what is being written
        self._count = 0

    # ---- structure ------------------------------------------------------------------------------------------------

    def fresh(self) -> str:
        """The next value number; the caller writes the instruction at once."""
        number = self._count
        self._count = number + 1
        return f"%{number}"

    def label(self, name: str) -> None:
        """Starts a block."""
        self.lines.append(f"{name}:")
        self.block = name
        self.terminated = False

    def alloca(self, name: str, type_: str, count: int = 1) -> str:
        """Memory for a register or an array, made in the entry block."""
        size = f", i64 {count}" if count != 1 else ""
        self.allocas.append(f"  %{name} = alloca {type_}{size}, align 8")
        return f"%{name}"

    def record(self, text: str) -> None:
        """A debug record: no instruction."""
        self.lines.append(f"    {text}")

    def _value(self, text: str) -> str:
        number = self._count
        self._count = number + 1
        self.lines.append(f"  %{number} = {text}{self.debug}")
        return f"%{number}"

    def _do(self, text: str) -> None:
        self.lines.append(f"  {text}{self.debug}")

    def _end(self, text: str) -> None:
        self.lines.append(f"  {text}{self.debug}")
        self.terminated = True

    # ---- memory ---------------------------------------------------------------------------------------------------

    def load(self, type_: str, pointer: str, alias: str = "", facts: str = "") -> str:
        """Read memory; `alias` is an alias class of layout.py, "" for any memory; `facts` is metadata."""
        return self._value(f"load {type_}, ptr {pointer}{self.aliases[alias] if alias else ''}{facts}")

    def store(self, type_: str, value: str, pointer: str, alias: str = "") -> None:
        """Write memory."""
        self._do(f"store {type_} {value}, ptr {pointer}{self.aliases[alias] if alias else ''}")

    def load_relaxed(self, type_: str, pointer: str, align: int) -> str:
        """A relaxed atomic load."""
        return self._value(f"load atomic {type_}, ptr {pointer} monotonic, align {align}")

    def offset(self, pointer: str, bytes_: int) -> str:
        """The address `bytes_` behind a pointer."""
        if bytes_ == 0:
            return pointer
        return self._value(f"getelementptr inbounds i8, ptr {pointer}, i64 {bytes_}")

    def element(self, type_: str, pointer: str, index: str) -> str:
        """The address of an array element."""
        return self._value(f"getelementptr inbounds {type_}, ptr {pointer}, i64 {index}")

    # ---- calculation ----------------------------------------------------------------------------------------------

    def binary(self, name: str, type_: str, left: str, right: str) -> str:
        """add, sub, and, or, xor, shl, ashr, sdiv, fadd ..."""
        return self._value(f"{name} {type_} {left}, {right}")

    def unary(self, name: str, type_: str, value: str) -> str:
        """fneg."""
        return self._value(f"{name} {type_} {value}")

    def icmp(self, condition: str, type_: str, left: str, right: str) -> str:
        """Compare integers or pointers."""
        return self._value(f"icmp {condition} {type_} {left}, {right}")

    def fcmp(self, condition: str, left: str, right: str) -> str:
        """Compare doubles."""
        return self._value(f"fcmp {condition} double {left}, {right}")

    def cast(self, name: str, from_: str, value: str, to: str) -> str:
        """zext, trunc, bitcast, ptrtoint, inttoptr, sitofp ..."""
        return self._value(f"{name} {from_} {value} to {to}")

    def select(self, condition: str, type_: str, yes: str, no: str) -> str:
        """condition ? yes : no."""
        return self._value(f"select i1 {condition}, {type_} {yes}, {type_} {no}")

    def extract(self, aggregate: str, value: str, index: int) -> str:
        """A member of a structure value."""
        return self._value(f"extractvalue {aggregate} {value}, {index}")

    def insert(self, aggregate: str, value: str, type_: str, member: str, index: int) -> str:
        """A structure value with one member set."""
        return self._value(f"insertvalue {aggregate} {value}, {type_} {member}, {index}")

    def phi(self, type_: str, incoming: list[tuple[str, str]]) -> str:
        """One value per predecessor (value, label)."""
        pairs = ", ".join(f"[ {value}, %{label} ]" for value, label in incoming)
        return self._value(f"phi {type_} {pairs}")

    def call(self, type_: str, callee: str, arguments: str, attributes: str = "") -> str:
        """Call; "" for void. `arguments` is the typed list as text."""
        text = f"call {type_} {callee}({arguments}){attributes}"
        if type_ == "void":
            self._do(text)
            return ""
        return self._value(text)

    # ---- control --------------------------------------------------------------------------------------------------

    def jump(self, label: str) -> None:
        """Go to a block."""
        self._end(f"br label %{label}")

    def branch(self, condition: str, yes: str, no: str, weights: str = "") -> None:
        """Two ways; weights LIKELY (the first) or UNLIKELY."""
        self._end(f"br i1 {condition}, label %{yes}, label %{no}{weights}")

    def switch(self, value: str, default: str, cases: list[tuple[int, str]]) -> None:
        """Many ways on an i64."""
        arms = " ".join(f"i64 {number}, label %{label}" for number, label in cases)
        self._end(f"switch i64 {value}, label %{default} [ {arms} ]")

    def ret(self, type_: str, value: str = "") -> None:
        """Return."""
        self._end("ret void" if type_ == "void" else f"ret {type_} {value}")

    def unreachable(self) -> None:
        """Control never comes here."""
        self._end("unreachable")
