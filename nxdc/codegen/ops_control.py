"""Emitters: processes, polling, and the terminators."""

from __future__ import annotations

from nxdc.codegen import layout, target, thunks
from nxdc.codegen.frame import Frame
from nxdc.codegen.registry import emits, ends
from nxdc.codegen.writer import LIKELY, RW, UNLIKELY
from nxdc.mir import ops
from nxdc.mir.types import Form

_CASE_WORDS = 3  # nxd_select_case: channel, is_send, value
_CASE_SIZE = 8 * _CASE_WORDS


@emits(ops.Poll)
def emit_poll(frame: Frame, op: ops.Poll) -> None:
    """A loop's back edge: give way when asked to."""
    flag = frame.w.load_relaxed("i32", frame.w.offset("%self", layout.PROCESS_POLL), 4)
    _when(frame, op, frame.w.icmp("ne", "i32", flag, "0"), "nxd_poll")


@emits(ops.StackCheck)
def emit_stack_check(frame: Frame, op: ops.StackCheck) -> None:
    """A function's entry: room on the stack, else E1007 (the limit is also raised to make a process give way)."""
    if frame.copy:
        return  # inlined into a function that has checked
    reader = frame.module.intrinsic("llvm.read_register.i64", "declare i64 @llvm.read_register.i64(metadata)")
    register = frame.module.metadata.add(f'!{{!"{target.stack_register()}"}}')
    here = frame.w.call("i64", reader, f"metadata {register}")
    limit = frame.w.load_relaxed("i64", frame.w.offset("%self", layout.PROCESS_STACK_LIMIT), 8)
    _when(frame, op, frame.w.icmp("ult", "i64", here, limit), "nxd_stack_check")


def _when(frame: Frame, op: ops.Op, condition: str, symbol: str) -> None:
    """Call a C function of the process, which may fail, when the condition (seldom) holds."""
    ask, on = frame.fresh_label(), frame.fresh_label()
    frame.w.branch(condition, ask, on, UNLIKELY)
    frame.w.label(ask)
    error = frame.runtime(symbol, "ptr", ("ptr", "%self"))
    landing = frame.landing(op)
    landing.arrivals.append((frame.w.block, error, frame.site(op.span)))
    frame.w.branch(frame.w.icmp("eq", "ptr", error, "null"), on, landing.label, LIKELY)
    frame.w.label(on)


@emits(ops.Spawn)
def emit_spawn(frame: Frame, op: ops.Spawn) -> None:
    """Start a process that runs a compiled function or a function value with the words of an environment."""
    assert op.dst is not None
    entry = thunks.process_entry(frame.module, op.function, op.args[0].type, op.result_type, op.span)
    handle = frame.runtime(
        "nxd_spawn",
        "ptr",
        ("ptr", "%self"),
        ("ptr", entry),
        ("ptr", frame.read(op.args[0])),
        ("i64", frame.descriptor(op.dst.type)),
        ("ptr", frame.site(op.span)),
    )
    frame.write(op.dst, handle)


@emits(ops.Select)
def emit_select(frame: Frame, op: ops.Select) -> None:
    """SELECT: an array of cases on the stack, the runtime's choice, the words received."""
    count = len(op.sends)
    cases = frame.w.alloca(f"s{len(frame.w.allocas)}", "i64", max(1, count * _CASE_WORDS))
    words = iter(op.args[count:-1])
    for i, sends in enumerate(op.sends):
        frame.w.store("ptr", frame.read(op.args[i]), frame.w.offset(cases, i * _CASE_SIZE))
        frame.w.store("i64", "1" if sends else "0", frame.w.offset(cases, i * _CASE_SIZE + 8))
        frame.w.store("i64", frame.read(next(words)) if sends else "0", frame.w.offset(cases, i * _CASE_SIZE + 16))
    arguments = [("ptr", "%self"), ("ptr", cases), ("i64", str(count)), ("double", frame.read(op.args[-1]))]
    if op.types:
        arguments.append(("ptr", _case_types(frame, op)))
    frame.note_site(op)
    chosen = frame.runtime("nxd_select_as" if op.types else "nxd_select", RW, *arguments)
    for i, register in enumerate(op.received):
        if register is not None:
            frame.write(register, frame.w.load("i64", frame.w.offset(cases, i * _CASE_SIZE + 16)))
    frame.fail_on(op, frame.w.extract(RW, chosen, 1))
    frame.write(op.dst, frame.w.extract(RW, chosen, 0))


def _case_types(frame: Frame, op: ops.Select) -> str:
    """An array of the numbers of the words' types."""
    numbers = frame.w.alloca(f"s{len(frame.w.allocas)}", "i64", len(op.types))
    for i, type_ in enumerate(op.types):
        frame.w.store("i64", frame.descriptor(type_), frame.w.offset(numbers, 8 * i))
    return numbers


# ---- terminators ----------------------------------------------------------------------------------------------------


@ends(ops.Goto)
def end_goto(frame: Frame, end: ops.Goto) -> None:
    """Go on elsewhere."""
    frame.w.jump(frame.label_of(end.target))


@ends(ops.Branch)
def end_branch(frame: Frame, end: ops.Branch) -> None:
    """Two ways; a cold one is unlikely."""
    weights = ""
    if end.then.cold != end.otherwise.cold:
        weights = UNLIKELY if end.then.cold else LIKELY
    condition = frame.read(end.condition)
    frame.w.branch(condition, frame.label_of(end.then), frame.label_of(end.otherwise), weights)


@ends(ops.Switch)
def end_switch(frame: Frame, end: ops.Switch) -> None:
    """Many ways on an int."""
    cases = [(number, frame.label_of(block)) for number, block in end.cases]
    frame.w.switch(frame.word(end.value), frame.label_of(end.default), cases)


@ends(ops.Return)
def end_return(frame: Frame, end: ops.Return) -> None:
    """Return a value or nothing."""
    if end.value is None or layout.result_form(frame.function.result) is Form.VOID:
        frame.return_value("")
    else:
        frame.return_value(frame.read(end.value))


@ends(ops.Propagate)
def end_propagate(frame: Frame, end: ops.Propagate) -> None:
    """Return an error."""
    frame.return_error(frame.read(end.register))


@ends(ops.Unreachable)
def end_unreachable(frame: Frame, end: ops.Unreachable) -> None:
    """Control never comes here."""
    frame.w.unreachable()
