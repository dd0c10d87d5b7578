"""MIR: a control-flow graph of registers per function.

A `Function` has `blocks`; the first is the entry. A block holds ops and ends with one terminator. Registers are
mutable variables, not SSA: LLVM makes SSA of them. Operands are registers or constants. Constants own nothing
(strings and unit variants are immortal objects).

Errors: an op that can fail has `error`, an `ErrorEdge`: when it fails, control leaves the block in the middle, to
`edge.target`, with the error in `edge.register` (form ERROR, owned). A site (file, line, function) travels with the
op and is added to the trace when the edge is taken.
Ownership on error edges: what the op takes is consumed; its `dst` was not written.

Ownership: before `opt/ownership` no op is a Dup or Drop, and a register read is just a read. After it, every
register of a counted type owns one reference from its write to its last read (moved) or its Drop, unless listed in
`Function.borrowed`. Each op declares which operands it *takes*; what it does not take it borrows. `gives_borrowed`
says that `dst` is not owned by itself (field loads): then the pass adds a Dup after the op, or keeps `dst` borrowed
when it can prove the owner (`borrows_from`) alive and unchanged.

An op class declares: operands in order (`operands`), the registers it writes (`writes`), `takes()`, `error`, and
what it changes. Passes ask these and do not list classes, except where a class is the point of the pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from nxdc.mir.types import form_of, is_counted
from nxdc.source.record import MutableRecord, ValueRecord, field
from nxdc.source.span import Span
from nxdc.types.model import Type

if TYPE_CHECKING:
    from nxdc.mir.types import TypeTable


class Reg:
    """A register: a local, a parameter or a temporary. `name` is the source name, or "" for a temporary. `mask` and
    `keeps` are bit sets of the pass that runs (see opt/cfg.py).
    """

    __slots__ = ("counted", "form", "keeps", "mask", "name", "number", "span", "type")

    def __init__(self, type: Type, name: str = "", number: int = -1, span: Span | None = None) -> None:
        self.type = type
        self.name = name
        self.number = number  # by order of appearance, set by the printer
        self.span = span
        self.form = form_of(type)
        self.counted = is_counted(type)
        self.mask = 0
        self.keeps = 0

    def __repr__(self) -> str:
        return f"<{self.name or 'reg'}:{self.type!r}>"


class Const(ValueRecord):
    """A constant of a type: int, float, bool; str for a string; None for none/any NONE; ("unit", index) for a unit
    variant of a union; an int for an enum; UNINIT.
    """

    type: Type
    value: object


UNINIT = (
    "uninit",
)  # value of a Const: any immortal object, or 0; what a register holds that is read on no path it is unset on

Value = Union[Reg, Const]


class Block:
    """A basic block. `cold`: rarely runs."""

    __slots__ = ("cold", "index", "label", "ops", "terminator")

    def __init__(
        self, label: str = "", ops: list[Op] | None = None, terminator: Terminator | None = None, cold: bool = False
    ) -> None:
        self.label = label
        self.ops: list[Op] = [] if ops is None else ops
        self.terminator = terminator
        self.cold = cold
        self.index = -1  # scratch number of the pass that runs

    def __repr__(self) -> str:
        return f"<block {self.label}>"


class ErrorEdge(MutableRecord):
    """Where control goes when an op fails. `register` receives the error."""

    target: Block
    register: Reg


class Op(MutableRecord):
    """Base. `span` gives the debug location and the site of the trace."""

    span: Span

    dst: Reg | None = field(default=None, kw_only=True)
    error: ErrorEdge | None = field(default=None, kw_only=True)

    def operands(self) -> list[Value]:
        """What the op reads, in order."""
        return []

    def takes(self) -> list[bool] | None:
        """For each operand whether its reference is consumed; None: none is."""
        return None

    def replace_operands(self, operands: list[Value]) -> None:
        """Sets the operands (same order)."""
        assert not operands

    def writes(self) -> list[Reg]:
        """The registers the op sets when it succeeds."""
        return [] if self.dst is None else [self.dst]

    @property
    def gives_borrowed(self) -> bool:
        """Whether `dst` comes without a reference of its own."""
        return False

    @property
    def borrows_from(self) -> Value | None:
        """The operand that keeps a borrowed result alive; None: a module variable."""
        return None


class _Args(Op):
    args: list[Value]

    def operands(self) -> list[Value]:
        return self.args

    def replace_operands(self, operands: list[Value]) -> None:
        self.args = operands


class _TakesAll(_Args):
    def takes(self) -> list[bool] | None:
        return [True] * len(self.args)


# ---- values
# ------------------------------------------------------------------------------------------------------------


class _Copy(_Args):
    """Gives its operand under another name. `borrow` (set by opt/borrows): the operand is not taken, dst lives as
    long as it does.
    """

    borrow: bool = False

    def takes(self) -> list[bool] | None:
        return None if self.borrow else [True]

    @property
    def gives_borrowed(self) -> bool:
        return self.borrow

    @property
    def borrows_from(self) -> Value | None:
        return self.args[0] if self.borrow else None


class Assign(_Copy):
    """dst = args[0]. The types may differ where the forms are the same (a nullable is an any)."""


class Prim(_Args):
    """An inline operation that cannot fail and gives an uncounted value: `name` is a registered emitter
    (codegen/inline.py), e.g. fadd, eq_int, lt_float, not, and_int, int_to_float, eq_bool, list_length,
    string_length, string_bytes, tag (of a union), is_none_any.
    """

    name: str


class Checked(_Args):
    """An inline operation that can fail: add_checked, sub_checked, mul_checked, div_checked, mod_checked,
    neg_checked.
    """

    name: str


class Call(_Args):
    """A compiled function. Takes where `function.owned_params` says so."""

    function: Function

    def takes(self) -> list[bool] | None:
        return self.function.owned_params or None


class CallClosure(_Args):
    """args[0] is the function value; the others its arguments, all borrowed. Always fallible."""


class CallRuntime(_Args):
    """A C function of abi.h or of the prelude table. The signature says how arguments travel.

    `symbol`: C name. `params`: "i" int64 (int, bool, enum, descriptor numbers), "f" double, "p" pointer, "a" any,
    "w" word of whatever form the operand has. `result`: the same letters, or "" for none; of a fallible function
    always "w", the word of the nxd_rw. `fallible`: the C function returns nxd_rw / nxd_error *. `needs_self`: the
    process is passed first. `taken`: per argument. `extra`: descriptor types whose numbers are appended as int64
    arguments, then `extra_ints`. `owned`: dst is owned (else it is borrowed from args[0]). `changes`: arguments
    whose object is changed.
    """

    symbol: str
    params: str = ""
    result: str = ""
    fallible: bool = False
    needs_self: bool = False
    parks: bool = False
    taken: tuple[bool, ...] = ()
    extra: tuple[Type, ...] = ()
    extra_ints: tuple[int, ...] = ()
    owned: bool = True
    pure: bool = False
    diverges: bool = False
    last_use: str = ""  # what to call instead where args[0] is read for the last time: it takes args[0]
    changes: tuple[int, ...] = ()
    changes_any: bool = False  # may change any object its arguments reach (an `any` of unknown type)
    out: Reg | None = None  # an int64 * out parameter, last (channel_next's *more); a bool or int register

    def takes(self) -> list[bool] | None:
        return list(self.taken) if self.taken else None

    def writes(self) -> list[Reg]:
        if self.out is None:
            return [] if self.dst is None else [self.dst]
        return [self.out] if self.dst is None else [self.dst, self.out]

    @property
    def gives_borrowed(self) -> bool:
        return not self.owned

    @property
    def borrows_from(self) -> Value | None:
        return None if self.owned or not self.args else self.args[0]


class FromWord(_Args):
    """dst (of any type, owned) = the raw word in args[0], an INT register. How a value gets its owner where C gives
    it only under a condition.
    """


class ToWord(_TakesAll):
    """dst (INT) = the raw word of args[0] (taken): the value is out of the compiler's hands."""


# ---- objects
# -----------------------------------------------------------------------------------------------------------


class NewStruct(_TakesAll):
    """A struct, record, cell or environment of type `type`; args are all its words in layout order, all taken.
    `reuse`: a dead object of the same type, taken as well, whose memory is used again when it is unique (opt/reuse).
    """

    type: Type
    reuse: Reg | None = None

    def operands(self) -> list[Value]:
        return self.args if self.reuse is None else [*self.args, self.reuse]

    def replace_operands(self, operands: list[Value]) -> None:
        self.args = operands[: len(self.args)]

    def takes(self) -> list[bool] | None:
        return [True] * (len(self.args) + (self.reuse is not None))


class NewUnion(_TakesAll):
    """A union value with payload (unit variants are Const)."""

    type: Type
    variant: int
    reuse: Reg | None = None  # reserved


class NewClosure(_TakesAll):
    """A function value; args are the captures (taken). dst.type is the FuncType; the object's type is ClosureType of
    the captures.
    """

    function: Function


class LoadField(_Args):
    """Word `index` of args[0]. `kind`: struct (structs, records, cells, environments), payload (unions), capture
    (closures). `shared`: the object may be shared and mutable: the load locks and gives an owned word.
    """

    kind: str
    index: int
    shared: bool = False

    @property
    def gives_borrowed(self) -> bool:
        return not self.shared

    @property
    def borrows_from(self) -> Value | None:
        return None if self.shared else self.args[0]


class StoreField(_Args):
    """Sets word `index` of args[0] to args[1] (taken) and drops what was there."""

    kind: str
    index: int
    shared: bool = False

    def takes(self) -> list[bool] | None:
        return [False, True]


class LoadGlobal(Op):
    """A module variable. `shared`: assigned after start-up in a program with processes: the load locks, dst is
    owned. Else it is borrowed from the variable.
    """

    variable: GlobalVar
    shared: bool = False

    @property
    def gives_borrowed(self) -> bool:
        return not self.shared


class StoreGlobal(_TakesAll):
    """Sets a module variable to args[0] (taken); drops the old value unless `initial`. `shared`: the program has
    processes, so the value is shared first.
    """

    variable: GlobalVar
    shared: bool = False
    initial: bool = False


# ---- lists, maps: inline fast paths for types that cannot be shared; `shared` ones go through the complete C
# operations --------


class NewList(_TakesAll):
    """A list of args (taken), of list type `type`."""

    type: Type


class ListGet(_Args):
    """args: list, index. Fails with E1002 unless `unchecked` (the index was proven in bounds: iteration)."""

    shared: bool = False
    unchecked: bool = False

    @property
    def gives_borrowed(self) -> bool:
        return not self.shared

    @property
    def borrows_from(self) -> Value | None:
        return None if self.shared else self.args[0]


class ListSet(_Args):
    """args: list, index, value (taken). Fails with E1002 unless `unchecked`."""

    shared: bool = False
    unchecked: bool = False

    def takes(self) -> list[bool] | None:
        return [False, False, True]


class ListPush(_Args):
    """args: list, value (taken)."""

    shared: bool = False

    def takes(self) -> list[bool] | None:
        return [False, True]


class MapGet(_Args):
    """args: map, key. Fails with E1003."""

    shared: bool = False

    @property
    def gives_borrowed(self) -> bool:
        return not self.shared

    @property
    def borrows_from(self) -> Value | None:
        return None if self.shared else self.args[0]


class AddTo(_Args):
    """SETADD on a place. `place`: field, list, map, global. args: object[, index], delta (borrowed); of a global
    only the delta. int: checked add; float: add; string: append. Fails with E1002, E1003, E1004 as the place
    demands.
    """

    place: str
    index: int  # of the field
    variable: GlobalVar | None
    type: Type  # of the element
    shared: bool = False
    unchecked: bool = False  # of a list: the index is in bounds


# ---- any
# ---------------------------------------------------------------------------------------------------------------


class Box(_Copy):
    """args[0] of a concrete type to an any (taken unless `borrow`, which only pointers can be)."""


class Unbox(_Copy):
    """An any (taken unless `borrow`) proven to hold dst.type to that type: no check. Ints beyond 63 bits and floats
    come out of their boxes.
    """


# ---- control and processes
# -----------------------------------------------------------------------------------------------


class Poll(Op):
    """Loop back edge: gives way to other processes when asked to; fails with E3005 when cancelled."""


class StackCheck(Op):
    """Entry of a function that can recurse: E1007."""


class Spawn(_TakesAll):
    """args[0] is the environment object (taken) of EnvType; `function` is called with its words as arguments and the
    result, as a word, is the handle's result. dst.type is PROCESS<T> or TASK<T>. When `function` is None, word 0 is
    a function value that is called with the rest.
    """

    function: Function | None
    result_type: Type


class Select(_Args):
    """nxd_select. args: for each case its channel, then the raw words to send (INT registers, in order of the send
    cases), then the timeout in seconds (float; infinite: none; not above 0: do not wait). `sends`: per case. dst
    (INT): number of the chosen case, or of cases when the time ran out. `received`: per case the INT register for the
    raw word a receive got (None for sends), set on every outcome. The words of sends that were not chosen still belong
    to the caller, also on the error edge. `types`: per case the type of its word, where a channel may have another
    element type than its static one (nxd_select_as); empty in other programs.
    """

    sends: tuple[bool, ...]
    received: tuple[Reg | None, ...]
    types: tuple[Type, ...]

    def writes(self) -> list[Reg]:
        return [reg for reg in (self.dst, *self.received) if reg is not None]


class MakeError(_TakesAll):
    """dst (form ERROR) = a new error with `code` and args[0] (a string, taken) as detail; no args: no detail.
    `shows_value`: args[0] is the any that no case of a MATCH took.
    """

    code: int
    shows_value: bool = False


class ErrorMessage(_Args):
    """dst = the message of the error in args[0], which stays."""


class ErrorCode(_Args):
    """dst (int) = code of the error in args[0], which stays."""


class DropError(_TakesAll):
    """Ends the error in args[0]."""


# ---- counting: only after opt/ownership
# ------------------------------------------------------------------------------------


class Dup(_Args):
    """One more reference to args[0]."""


class Drop(_TakesAll):
    """One reference less to args[0]."""


# ---- terminators
# -----------------------------------------------------------------------------------------------------------


class Terminator(MutableRecord):
    span: Span

    def operands(self) -> list[Value]:
        """What it reads."""
        return []

    def targets(self) -> list[Block]:
        """Where it may go."""
        return []

    def replace_operands(self, operands: list[Value]) -> None:
        """Sets the operands (same order)."""
        assert not operands

    def retarget(self, old: Block, new: Block) -> None:
        """Makes every edge to `old` one to `new`."""


class Goto(Terminator):
    target: Block

    def targets(self) -> list[Block]:
        return [self.target]

    def retarget(self, old: Block, new: Block) -> None:
        if self.target is old:
            self.target = new


class Branch(Terminator):
    condition: Value
    then: Block
    otherwise: Block

    def operands(self) -> list[Value]:
        return [self.condition]

    def replace_operands(self, operands: list[Value]) -> None:
        (self.condition,) = operands

    def targets(self) -> list[Block]:
        return [self.then, self.otherwise]

    def retarget(self, old: Block, new: Block) -> None:
        if self.then is old:
            self.then = new
        if self.otherwise is old:
            self.otherwise = new


class Switch(Terminator):
    """On an int value."""

    value: Value
    cases: list[tuple[int, Block]]
    default: Block

    def operands(self) -> list[Value]:
        return [self.value]

    def replace_operands(self, operands: list[Value]) -> None:
        (self.value,) = operands

    def targets(self) -> list[Block]:
        return [block for _, block in self.cases] + [self.default]

    def retarget(self, old: Block, new: Block) -> None:
        self.cases = [(number, new if block is old else block) for number, block in self.cases]
        if self.default is old:
            self.default = new


class Return(Terminator):
    """`value` is taken; None for a function that returns nothing."""

    value: Value | None

    def operands(self) -> list[Value]:
        return [] if self.value is None else [self.value]

    def replace_operands(self, operands: list[Value]) -> None:
        self.value = operands[0] if operands else None


class Propagate(Terminator):
    """Returns the error in `register` (taken) to the caller. Only in functions with `fallible`."""

    register: Reg

    def operands(self) -> list[Value]:
        return [self.register]

    def replace_operands(self, operands: list[Value]) -> None:
        (register,) = operands
        assert isinstance(register, Reg)
        self.register = register


class Unreachable(Terminator):
    """Never reached (after a call that does not return)."""


# ---- functions, program
# ------------------------------------------------------------------------------------------------------


class GlobalVar(MutableRecord):
    """A module variable. `assigned`: by anything but its own initialiser."""

    name: str
    module: str
    type: Type
    assigned: bool
    span: Span | None = None


class Function:
    """`params` are the visible parameters. Code of a function value (`address_taken`) has `closure`, the hidden
    parameter, and loads its captures from it in the entry block; it is named by NewClosure only, never by Call or
    Spawn, and always uses the fallible convention.
    """

    __slots__ = (
        "address_taken",
        "blocks",
        "borrowed",
        "closure",
        "fallible",
        "name",
        "owned_params",
        "params",
        "recursive",
        "result",
        "span",
        "symbol",
        "type",
    )

    def __init__(
        self,
        name: str,
        symbol: str,
        params: list[Reg],
        result: Type,
        span: Span,
        *,
        address_taken: bool = False,
        closure: Reg | None = None,
    ) -> None:
        self.name = name  # as in traces: REGISTER, MAIN.fn1
        self.symbol = symbol  # unique
        self.params = params
        self.result = result
        self.span = span
        self.blocks: list[Block] = []
        self.fallible = True  # whether any error leaves it; found by mir/fallible
        self.owned_params: list[bool] = [False] * len(
            params
        )  # until opt/borrows decides; always False when address_taken
        self.address_taken = address_taken
        self.closure = closure  # borrowed
        self.borrowed: set[Reg] = set()  # counted registers that own nothing (opt/ownership)
        self.recursive = False  # in a cycle of the call graph: has a StackCheck

    def __repr__(self) -> str:
        return f"<function {self.symbol}>"


class Program(MutableRecord):
    functions: list[Function]
    globals: list[GlobalVar]
    start: Function
    types: TypeTable
    spawns: bool
