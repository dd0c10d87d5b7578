"""Checks MIR. `verify` raises CompilerBug at the first thing that is wrong.

Structure: blocks end with a terminator, all targets belong to the function, operands have forms their op can hold,
error edges only in ops that may have one, Propagate only in fallible functions.
Ownership, once a Dup or Drop has been inserted: an abstract interpretation counts the references each register owns
along all paths. At the start of a block all ways into it must agree; what is taken must be there; at Return and
Propagate nothing may be left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nxdc.mir import ops
from nxdc.mir.ops import Block, Const, Function, Op, Program, Reg, Value
from nxdc.mir.types import Form
from nxdc.problem import CompilerBug
from nxdc.types import model

_CAN_FAIL = (
    ops.Checked, ops.Call, ops.CallClosure, ops.CallRuntime, ops.ListGet, ops.ListSet, ops.MapGet, ops.AddTo,
    ops.Poll, ops.StackCheck,
    ops.Select,
)  # fmt: skip
_MUST_FAIL = (ops.Checked, ops.CallClosure, ops.MapGet, ops.ListSet, ops.AddTo, ops.Poll, ops.StackCheck, ops.Select)


def verify(program: Program) -> None:
    """Checks a whole program."""
    known = set(program.functions)
    for function in program.functions:
        verify_function(function, known)


def verify_function(function: Function, known: set[Function] | None = None) -> None:
    """Checks one function; with `known`, also that its callees are functions of the program."""
    _Structure(function, known).check()
    counted = any(type(op) in (ops.Dup, ops.Drop, ops.DropError) for block in function.blocks for op in block.ops)
    if counted or function.borrowed or _has_been_counted(function):
        _Ownership(function).check()


def _has_been_counted(function: Function) -> bool:
    return any(function.owned_params)


class _Structure:
    def __init__(self, function: Function, known: set[Function] | None) -> None:
        self.function = function
        self.known = known
        self.blocks = set(function.blocks)

    def fail(self, message: str, block: Block | None = None) -> None:
        where = self.function.symbol if block is None else f"{self.function.symbol}, block {block.label}"
        raise CompilerBug("mir", message, where)

    def check(self) -> None:
        function = self.function
        if not function.blocks:
            self.fail("no blocks")
        if len(self.blocks) != len(function.blocks):
            self.fail("a block is listed twice")
        if len(function.owned_params) != len(function.params):
            self.fail("owned_params and params differ in length")
        if function.address_taken and (function.closure is None or any(function.owned_params)):
            self.fail("code of a function value has a closure and borrows its parameters")
        for block in function.blocks:
            for op in block.ops:
                self.op(op, block)
            self.terminator(block)

    def op(self, op: Op, block: Block) -> None:
        takes = op.takes()
        operands = op.operands()
        if takes is not None and len(takes) != len(operands):
            self.fail(f"{type(op).__name__}: {len(operands)} operands, {len(takes)} facts about them", block)
        for value in operands:
            self.value(value, block)
        if op.error is not None:
            if not isinstance(op, _CAN_FAIL):
                self.fail(f"{type(op).__name__} cannot fail", block)
            if op.error.target not in self.blocks:
                self.fail(f"{type(op).__name__}: error edge to a block of another function", block)
            if op.error.register.form is not Form.ERROR:
                self.fail("an error edge writes a register of another form", block)
        elif isinstance(op, _MUST_FAIL):
            self.fail(f"{type(op).__name__} has no error edge", block)
        check = _CHECKS.get(type(op))
        message = None if check is None else check(self, op)
        if message:
            self.fail(f"{type(op).__name__}: {message}", block)

    def value(self, value: Value, block: Block) -> None:
        if not isinstance(value, (Reg, Const)):
            self.fail(f"an operand is {value!r}", block)

    def terminator(self, block: Block) -> None:
        terminator = block.terminator
        if terminator is None:
            self.fail("no terminator", block)
            return
        for target in terminator.targets():
            if target not in self.blocks:
                self.fail(f"jump to {target.label}, which is not in the function", block)
        if isinstance(terminator, ops.Propagate) and not self.function.fallible:
            self.fail("an error leaves a function that cannot fail", block)
        if isinstance(terminator, ops.Branch) and terminator.condition.type != model.BOOL:
            self.fail("a branch on what is no bool", block)
        if isinstance(terminator, ops.Return):
            wants = self.function.result != model.NONE and self.function.result != model.NEVER
            if wants != (terminator.value is not None):
                self.fail("a result where there is none, or none where there is one", block)


def _form(value: Value) -> Form:
    from nxdc.mir.types import form_of

    return value.form if isinstance(value, Reg) else form_of(value.type)


def _check_assign(at: _Structure, op: ops.Assign) -> str | None:
    if op.dst is None or len(op.args) != 1:
        return "one operand, one result"
    return None if _form(op.args[0]) is op.dst.form else f"{_form(op.args[0]).name} to {op.dst.form.name}"


def _check_call(at: _Structure, op: ops.Call) -> str | None:
    callee = op.function
    if at.known is not None and callee not in at.known:
        return f"{callee.symbol} is not in the program"
    if callee.address_taken:
        return "code of a function value is called by name"
    if len(op.args) != len(callee.params):
        return f"{len(op.args)} arguments for {callee.symbol}"
    for arg, param in zip(op.args, callee.params, strict=True):
        if _form(arg) is not param.form:
            return f"argument {_form(arg).name} for {callee.symbol}, which wants {param.form.name}"
    if (op.error is not None) != callee.fallible:
        return f"the error edge does not fit {callee.symbol}"
    return None


def _check_runtime(at: _Structure, op: ops.CallRuntime) -> str | None:
    if len(op.params) != len(op.args):
        return f"{op.symbol}: {len(op.args)} arguments for `{op.params}`"
    for letter, arg in zip(op.params, op.args, strict=True):
        if _form(arg) not in _LETTER_FORMS[letter]:
            return f"{op.symbol}: {_form(arg).name} for `{letter}`"
    if (op.error is not None) != op.fallible:
        return f"{op.symbol}: the error edge does not fit"
    if bool(op.result) != (op.dst is not None):
        return f"{op.symbol}: the result does not fit"
    return None


_LETTER_FORMS = {
    "i": (Form.INT, Form.BOOL),
    "f": (Form.FLOAT,),
    "p": (Form.PTR,),
    "a": (Form.ANY,),
    "w": (Form.INT, Form.FLOAT, Form.BOOL, Form.PTR, Form.ANY),
}


def _check_struct(at: _Structure, op: ops.NewStruct) -> str | None:
    from nxdc.mir.types import components

    wanted = components(op.type)
    if len(wanted) != len(op.args):
        return f"{len(op.args)} words for {len(wanted)} fields"
    return None


_CHECKS: dict[type, Callable[[_Structure, Any], str | None]] = {
    ops.Assign: _check_assign,
    ops.Call: _check_call,
    ops.CallRuntime: _check_runtime,
    ops.NewStruct: _check_struct,
}


class _Ownership:
    """Counts references. A state maps registers to what they own; a register that owns nothing is not in it."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.states: dict[Block, dict[Reg, int]] = {}

    def fail(self, message: str, block: Block) -> None:
        raise CompilerBug("ownership", message, f"{self.function.symbol}, block {block.label}")

    def tracked(self, reg: Reg) -> bool:
        return (reg.counted or reg.form is Form.ERROR) and reg not in self.function.borrowed

    def check(self) -> None:
        function = self.function
        state = {
            reg: 1
            for reg, owned in zip(function.params, function.owned_params, strict=True)
            if owned and self.tracked(reg)
        }
        pending = [function.blocks[0]]
        self.states[function.blocks[0]] = state
        while pending:
            block = pending.pop()
            state = dict(self.states[block])
            for op in block.ops:
                self.op(op, state, block, pending)
            self.terminator(block, state, pending)

    def enter(self, target: Block, state: dict[Reg, int], source: Block, pending: list[Block]) -> None:
        known = self.states.get(target)
        if known is None:
            self.states[target] = dict(state)
            pending.append(target)
        elif known != state:
            regs = {reg for reg in (*known, *state) if known.get(reg, 0) != state.get(reg, 0)}
            names = ", ".join(sorted(repr(reg) for reg in regs))
            self.fail(f"ways into {target.label} disagree about {names}", source)

    def op(self, op: Op, state: dict[Reg, int], block: Block, pending: list[Block]) -> None:
        takes = op.takes() or [False] * len(op.operands())
        for value in op.operands():
            if isinstance(value, Reg) and self.tracked(value) and value not in state:
                self.fail(f"{type(op).__name__} reads {value!r}, which is not alive", block)
        for value, taken in zip(op.operands(), takes, strict=True):
            if isinstance(value, Reg) and taken:
                self.take(value, state, op, block)
        if isinstance(op, ops.Dup):
            (reg,) = op.args
            assert isinstance(reg, Reg)
            if reg.form is Form.ERROR:
                self.fail("Dup of an error", block)
            state[reg] = state.get(reg, 0) + 1
        if op.error is not None:
            failed = dict(state)
            if op.error.register in failed:
                self.fail(f"an error overwrites {op.error.register!r}", block)
            failed[op.error.register] = 1
            self.enter(op.error.target, failed, block, pending)
        for reg in op.writes():
            if not (reg.counted or reg.form is Form.ERROR):
                continue
            if state.get(reg):
                self.fail(f"{type(op).__name__} overwrites {reg!r}, which owns something", block)
            if self.tracked(reg):
                # A borrowed result owns nothing until the Dup that must follow in the same block.
                state[reg] = 0 if op.gives_borrowed else 1

    def take(self, reg: Reg, state: dict[Reg, int], op: Op | ops.Terminator, block: Block) -> None:
        if not (reg.counted or reg.form is Form.ERROR):
            return
        left = state.get(reg, 0) - 1
        if left < 0:
            self.fail(f"{type(op).__name__} takes {reg!r}, which owns nothing", block)
        if left:
            state[reg] = left
        else:
            del state[reg]

    def terminator(self, block: Block, state: dict[Reg, int], pending: list[Block]) -> None:
        terminator = block.terminator
        assert terminator is not None
        for reg in [reg for reg, count in state.items() if count == 0]:
            self.fail(f"{reg!r} is neither counted nor listed as borrowed", block)
        if isinstance(terminator, (ops.Return, ops.Propagate)):
            for value in terminator.operands():
                if isinstance(value, Reg):
                    self.take(value, state, terminator, block)
            left = [repr(reg) for reg, count in state.items() if count]
            if left:
                self.fail(f"nobody drops {', '.join(sorted(left))}", block)
        for target in terminator.targets():
            self.enter(target, state, block, pending)
