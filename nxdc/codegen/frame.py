"""What the emitters of one function share: registers, words, failure paths.

Registers. A register with one write is an SSA value (in valid MIR its write dominates its reads, and blocks are
written in an order in which that is so in the text, too); one with several writes lives in memory of the entry
block, which LLVM turns into SSA.

Failures. An op that fails leaves for a *landing* of its error edge: one block per target and error register, which
adds the op's site to the trace and goes on to the target (or returns at once, where the target does nothing but
propagate). Errors of inline checks are made in one block per kind and landing. So the code of a check is one branch,
everything else is shared and out of the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nxdc.codegen import layout
from nxdc.codegen.context import Module, bug
from nxdc.codegen.debuginfo import Scope
from nxdc.codegen.writer import RW, UNLIKELY, Writer
from nxdc.mir import ops
from nxdc.mir.types import Form
from nxdc.source.span import Span
from nxdc.types.model import Type


@dataclass(slots=True, eq=False)
class Landing:
    """Arrivals (from block, error, site) at one error edge."""

    label: str
    edge: ops.ErrorEdge
    arrivals: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Check:
    """Failed inline checks of one kind at one landing: arrivals (from block, site, arguments of the error)."""

    label: str
    maker: str
    landing: Landing
    arrivals: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)


class Frame:
    """One function being written."""

    def __init__(self, module: Module, function: ops.Function) -> None:
        self.module = module
        self.function = function
        self.w = Writer(module.aliases)
        self.copy = 0  # number of the copy that is written (see recursion.py); 0: the function itself
        self.recursion = ""  # what calls of the function by itself call; "": itself
        self.cold = False  # the block being written is not worth inline code
        self.scope: Scope | None = None  # with debug information
        self._values: dict[ops.Reg, str] = {}
        self._slots: dict[ops.Reg, str] = {}
        self._labels: dict[ops.Block, str] = {}
        self._landings: dict[tuple[str, int], Landing] = {}
        self._checks: dict[tuple[str, str], Check] = {}
        self._returns: list[tuple[str, str, str]] = []  # from block, value, error
        self._fresh_labels = 0

    # ---- debug information ----------------------------------------------------------------------------------------

    def open_helper(self, symbol: str, span: Span | None) -> None:
        """With debug information: a scope for a function of the compiler. Without one, what LLVM inlines into it would
        lose its lines."""
        debug = self.module.debuginfo
        if debug is not None:
            name = symbol.lstrip("@").strip('"')
            self.scope = debug.scope(name, name, span)
            self.set_place(None)

    def set_place(self, span: Span | None, *, hidden: bool = False) -> None:
        """What is written from here on belongs to a place of the source; `hidden`: to the way into the function."""
        debug = self.module.debuginfo
        if debug is not None and self.scope is not None:
            self.w.debug = "" if hidden else debug.location(span, self.scope)

    # ---- registers ------------------------------------------------------------------------------------------------

    def keep_in_memory(self, reg: ops.Reg) -> str:
        """Give a register memory; its address."""
        slot = self._slots.get(reg)
        if slot is None:
            type_ = layout.value_type(reg.type)
            slot = self._slots[reg] = self.w.alloca(f"r{len(self._slots)}", type_)
        return slot

    def read(self, value: ops.Value) -> str:
        """A register or constant as an operand of its form's machine type."""
        if isinstance(value, ops.Const):
            return self.module.constants.operand(value)
        slot = self._slots.get(value)
        if slot is not None:
            return self.w.load(layout.value_type(value.type), slot)
        found = self._values.get(value)
        if found is None:
            return bug(f"register {value.name!r} is read before it is written in {self.function.symbol}", value.span)
        return found

    def write(self, reg: ops.Reg | None, value: str) -> None:
        """Set a register; None: the value is not wanted."""
        if reg is None:
            return
        slot = self._slots.get(reg)
        if slot is not None:
            self.w.store(layout.value_type(reg.type), value, slot)
        else:
            self._values[reg] = value

    def clear(self, reg: ops.Reg) -> None:
        """Zero the memory of a register that has some."""
        slot = self._slots.get(reg)
        if slot is not None:
            machine = layout.value_type(reg.type)
            self.w.store(machine, layout.ZERO[machine], slot)

    # ---- words ----------------------------------------------------------------------------------------------------

    def to_word(self, value: str, form: Form) -> str:
        """A value as an i64 word."""
        if form is Form.INT or form is Form.ANY:
            return value
        if form is Form.BOOL:
            return {"true": "1", "false": "0"}.get(value) or self.w.cast("zext", "i1", value, "i64")
        if form is Form.FLOAT:
            return str(int(value, 16)) if value.startswith("0x") else self.w.cast("bitcast", "double", value, "i64")
        if value == "null":
            return "0"
        if value.startswith("@"):
            return f"ptrtoint (ptr {value} to i64)"
        return self.w.cast("ptrtoint", "ptr", value, "i64")

    def from_word(self, word: str, form: Form) -> str:
        """An i64 word as a value of a form."""
        if form is Form.INT or form is Form.ANY:
            return word
        if form is Form.BOOL:
            return self.w.cast("trunc", "i64", word, "i1")
        if form is Form.FLOAT:
            return self.w.cast("bitcast", "i64", word, "double")
        return self.w.cast("inttoptr", "i64", word, "ptr")

    def load_word(self, address: str, type_: Type, alias: str) -> str:
        """Read a word as a value of a type."""
        form = layout.form(type_)
        if form is Form.BOOL:
            return self.w.cast("trunc", "i64", self.w.load("i64", address, alias), "i1")
        if form is Form.PTR:
            return self.w.load("ptr", address, alias, self.module.object_facts(type_))
        return self.w.load(layout.VALUE_TYPE[form], address, alias)

    def store_word(self, value: str, form: Form, address: str, alias: str) -> None:
        """Write a value as a word."""
        if form is Form.BOOL:
            self.w.store("i64", self.to_word(value, form), address, alias)
        else:
            self.w.store(layout.VALUE_TYPE[form], value, address, alias)

    def word(self, value: ops.Value) -> str:
        """An operand as a word."""
        return self.to_word(self.read(value), layout.form(value.type))

    def descriptor(self, type_: Type) -> str:
        """The number of a type's descriptor, as an operand."""
        return str(self.module.types.number(type_))

    # ---- calls of C -----------------------------------------------------------------------------------------------

    def runtime(self, symbol: str, result: str, *arguments: tuple[str, str]) -> str:
        """Call a C function with (type, value) arguments."""
        callee = self.module.declare(symbol, result, ", ".join(type_ for type_, _ in arguments))
        return self.w.call(result, callee, ", ".join(f"{type_} {value}" for type_, value in arguments))

    def runtime_rw(self, op: ops.Op, symbol: str, *arguments: tuple[str, str]) -> str:
        """Call a C function that returns nxd_rw; goes on with the word where it did not fail."""
        pair = self.runtime(symbol, RW, *arguments)
        error = self.w.extract(RW, pair, 1)
        self.fail_on(op, error)
        return self.w.extract(RW, pair, 0)

    def runtime_error(self, op: ops.Op, symbol: str, *arguments: tuple[str, str]) -> None:
        """Call a C function that returns an error or NULL."""
        self.fail_on(op, self.runtime(symbol, "ptr", *arguments))

    # ---- blocks ---------------------------------------------------------------------------------------------------

    def label_of(self, block: ops.Block) -> str:
        """The label of a MIR block."""
        label = self._labels.get(block)
        if label is None:
            label = self._labels[block] = f"b{len(self._labels)}"
        return label

    def fresh_label(self) -> str:
        """A label for a block inside an op."""
        self._fresh_labels += 1
        return f"i{self._fresh_labels}"

    def site(self, span: Span | None) -> str:
        """The site constant of a place in this function; null in the start, which is no function of the program."""
        if self.function is self.module.program.start:
            return "null"
        return self.module.constants.site(span, self.function.name)

    def note_site(self, op: ops.Op) -> None:
        """Before a call that may park: where, for the report of a deadlock."""
        self.w.store("ptr", self.site(op.span), self.w.offset("%self", layout.PROCESS_SITE))

    # ---- failures -------------------------------------------------------------------------------------------------

    def landing(self, op: ops.Op) -> Landing:
        """The landing of an op's error edge."""
        edge = op.error
        if edge is None:
            return bug(f"{type(op).__name__} without error edge in {self.function.symbol}", op.span)
        key = (self.label_of(edge.target), id(edge.register))
        found = self._landings.get(key)
        if found is None:
            found = self._landings[key] = Landing(f"e{len(self._landings)}", edge)
        return found

    def fail_on(self, op: ops.Op, error: str) -> None:
        """Leave for the error edge when `error` is not NULL."""
        landing = self.landing(op)
        failed = self.w.icmp("ne", "ptr", error, "null")
        landing.arrivals.append((self.w.block, error, self.site(op.span)))
        on = self.fresh_label()
        self.w.branch(failed, landing.label, on, UNLIKELY)
        self.w.label(on)

    def fail_if(self, op: ops.Op, condition: str, maker: str, *arguments: str) -> None:
        """Leave for the error edge, with an error made by C function `maker` of int arguments, if `condition` holds."""
        on = self.fresh_label()
        check = self._check(op, maker)
        check.arrivals.append((self.w.block, self.site(op.span), arguments))
        self.w.branch(condition, check.label, on, UNLIKELY)
        self.w.label(on)

    def fail(self, op: ops.Op, maker: str, *arguments: str) -> None:
        """Leave for the error edge at once."""
        check = self._check(op, maker)
        check.arrivals.append((self.w.block, self.site(op.span), arguments))
        self.w.jump(check.label)

    def _check(self, op: ops.Op, maker: str) -> Check:
        landing = self.landing(op)
        key = (landing.label, maker)
        found = self._checks.get(key)
        if found is None:
            found = self._checks[key] = Check(f"k{len(self._checks)}", maker, landing)
        return found

    def finish(self) -> None:
        """Write the shared failure blocks and the exit."""
        for check in self._checks.values():
            self._write_check(check)
        for landing in self._landings.values():
            self._write_landing(landing)
        self._write_exit()

    def _write_check(self, check: Check) -> None:
        self.w.label(check.label)
        site = self._merge("ptr", [(site, block) for block, site, _ in check.arrivals])
        arguments = []
        for i in range(len(check.arrivals[0][2])):
            arguments.append(("i64", self._merge("i64", [(values[i], block) for block, _, values in check.arrivals])))
        error = self.runtime(check.maker, "ptr", *arguments)
        check.landing.arrivals.append((self.w.block, error, site))
        self.w.jump(check.landing.label)

    def _write_landing(self, landing: Landing) -> None:
        self.w.label(landing.label)
        error = self._merge("ptr", [(error, block) for block, error, _ in landing.arrivals])
        site = self._merge("ptr", [(site, block) for block, _, site in landing.arrivals])
        if site != "null":
            self.runtime("nxd_error_trace", "void", ("ptr", error), ("ptr", site))
        target = landing.edge.target
        if propagates_at_once(target, landing.edge.register):
            self.return_error(error)
        else:
            self.write(landing.edge.register, error)
            self.w.jump(self.label_of(target))

    def _merge(self, type_: str, incoming: list[tuple[str, str]]) -> str:
        if len(incoming) == 1:
            return incoming[0][0]
        return self.w.phi(type_, incoming)

    # ---- results --------------------------------------------------------------------------------------------------

    def return_value(self, value: str) -> None:
        """Return a value (ignored by functions that return nothing)."""
        self._return(value, "null")

    def return_error(self, error: str) -> None:
        """Return an error."""
        if not can_fail(self.function):
            bug(f"{self.function.symbol} propagates an error but is not fallible", self.function.span)
        self._return("", error)

    def _return(self, value: str, error: str) -> None:
        self._returns.append((self.w.block, value, error))
        self.w.jump("exit")

    def _write_exit(self) -> None:
        """The one place a function returns from. Value and error are merged apart and then put together: LLVM takes
        such a pair to pieces again where it inlines the function, which it does not do with a merge of pairs."""
        if not self._returns:
            return
        self.w.label("exit")
        type_ = result_type(self.function)
        machine = layout.VALUE_TYPE[layout.result_form(self.function.result)]
        value = error = ""
        if machine != "void":
            value = self._merge(machine, [(value or "undef", block) for block, value, _ in self._returns])
        if can_fail(self.function):
            error = self._merge("ptr", [(error, block) for block, _, error in self._returns])
        if value and error:
            pair = self.w.insert(type_, "undef", machine, value, 0)
            self.w.ret(type_, self.w.insert(type_, pair, "ptr", error, 1))
        else:
            self.w.ret(type_, value or error)


def propagates_at_once(target: ops.Block, register: ops.Reg) -> bool:
    """Whether a block does nothing but return the error in `register`."""
    end = target.terminator
    return not target.ops and isinstance(end, ops.Propagate) and end.register is register


def can_fail(function: ops.Function) -> bool:
    """Whether a compiled function returns an error word. Code of function values always does."""
    return function.fallible or function.address_taken


def result_type(function: ops.Function) -> str:
    """The machine type a compiled function returns."""
    return result_type_of(function.result, can_fail(function))


def result_type_of(result: Type, fallible: bool) -> str:
    """The machine type of a result: value, value and error, or error alone."""
    machine = layout.VALUE_TYPE[layout.result_form(result)]
    if not fallible:
        return machine
    return "ptr" if machine == "void" else f"{{ {machine}, ptr }}"
