"""Emitters: values, calls, errors, counting."""

from __future__ import annotations

from nxdc.codegen import counting, inline, layout
from nxdc.codegen.context import bug
from nxdc.codegen.frame import Frame, can_fail, result_type, result_type_of
from nxdc.codegen.registry import CALL_EMITTERS, emits
from nxdc.mir import ops
from nxdc.mir.types import Form
from nxdc.types import model
from nxdc.types.model import Type


@emits(ops.Assign)
def emit_assign(frame: Frame, op: ops.Assign) -> None:
    """dst = value, of the same form."""
    assert op.dst is not None
    source = op.args[0]
    if layout.form(source.type) is not layout.form(op.dst.type):
        bug(f"assignment of {source.type!r} to {op.dst.type!r} in {frame.function.symbol}", op.span)
    frame.write(op.dst, frame.read(source))


@emits(ops.Prim)
def emit_prim(frame: Frame, op: ops.Prim) -> None:
    """An inline operation that cannot fail."""
    if op.name not in inline.EMITTERS:
        bug(f"no inline emitter {op.name!r}", op.span)
    frame.write(op.dst, inline.emit_prim(frame, op))


@emits(ops.Checked)
def emit_checked(frame: Frame, op: ops.Checked) -> None:
    """An inline operation that can fail."""
    emitter = inline.CHECKED.get(op.name)
    if emitter is None:
        bug(f"no checked inline emitter {op.name!r}", op.span)
    frame.write(op.dst, emitter(frame, op, [frame.read(arg) for arg in op.args]))


@emits(ops.Call)
def emit_call(frame: Frame, op: ops.Call) -> None:
    """A call of a compiled function. A closure's code is only called through its object (CallClosure)."""
    function = op.function
    arguments = ["ptr swiftself %self"]
    if len(op.args) != len(function.params):
        bug(f"{len(op.args)} arguments for {function.symbol}, which has {len(function.params)} parameters", op.span)
    for arg, param in zip(op.args, function.params, strict=True):
        arguments.append(f"{layout.value_type(param.type)} {frame.read(arg)}")
    type_ = result_type(function)
    symbol = frame.recursion if function is frame.function and frame.recursion else frame.module.symbol(function)
    result = frame.w.call(type_, symbol, ", ".join(arguments))
    _take_result(frame, op, function.result, can_fail(function), type_, result)


@emits(ops.CallClosure)
def emit_call_closure(frame: Frame, op: ops.CallClosure) -> None:
    """A call of a function value: self, the closure object, the arguments."""
    type_ = op.args[0].type
    if not isinstance(type_, model.FuncType):
        bug(f"call of a value of type {type_!r}", op.span)
    closure = frame.read(op.args[0])
    code_address = frame.w.offset(closure, layout.CLOSURE_CODE)
    code = frame.w.load("ptr", code_address, layout.alias_word(layout.CLOSURE_CODE))
    arguments = ["ptr swiftself %self", f"ptr {closure}"]
    arguments += [f"{layout.value_type(arg.type)} {frame.read(arg)}" for arg in op.args[1:]]
    machine = result_type_of(type_.result, True)
    result = frame.w.call(machine, code, ", ".join(arguments))
    _take_result(frame, op, type_.result, True, machine, result)


def _take_result(frame: Frame, op: ops.Op, type_: Type, fallible: bool, machine: str, result: str) -> None:
    """Follow the error edge or set dst."""
    form = layout.result_form(type_)
    if form is Form.VOID:
        if fallible:
            frame.fail_on(op, result)
        if op.dst is not None:
            frame.write(op.dst, str(layout.ANY_NONE))
        return
    if fallible:
        frame.fail_on(op, frame.w.extract(machine, result, 1))
        if op.dst is not None:
            frame.write(op.dst, frame.w.extract(machine, result, 0))
    else:
        frame.write(op.dst, result)


# ---- calls of the runtime -------------------------------------------------------------------------------------------

_LETTER_TYPES = {"i": "i64", "a": "i64", "w": "i64", "f": "double", "p": "ptr"}


@emits(ops.CallRuntime)
def emit_call_runtime(frame: Frame, op: ops.CallRuntime) -> None:
    """A call of a C function, see CallRuntime."""
    better = CALL_EMITTERS.get(op.symbol)
    if better is not None and better(frame, op):
        return
    if len(op.params) != len(op.args):
        bug(f"{op.symbol}: {len(op.args)} arguments for the parameters {op.params!r}", op.span)
    arguments = [("ptr", "%self")] if op.needs_self else []
    arguments += [_argument(frame, letter, arg) for letter, arg in zip(op.params, op.args, strict=True)]
    arguments += [("i64", frame.descriptor(type_)) for type_ in op.extra]
    arguments += [("i64", str(number)) for number in op.extra_ints]
    out = ""
    if op.out is not None:
        out = frame.w.alloca(f"o{len(frame.w.allocas)}", "i64")
        arguments.append(("ptr", out))
    if op.parks:
        frame.note_site(op)
    _runtime_result(frame, op, arguments, out)


def _argument(frame: Frame, letter: str, arg: ops.Value) -> tuple[str, str]:
    type_ = _LETTER_TYPES[letter]
    value = frame.read(arg)
    form = layout.form(arg.type)
    if type_ == layout.VALUE_TYPE[form]:
        return type_, value
    if type_ == "i64":
        return type_, frame.to_word(value, form)
    if type_ == "ptr" and form is Form.ANY:
        return type_, frame.w.cast("inttoptr", "i64", value, "ptr")
    if type_ == "double" and form is Form.INT:
        return bug(f"an int is passed as a float in {frame.function.symbol}", frame.function.span)
    return bug(f"a value of form {form.name} is passed as {letter!r} in {frame.function.symbol}", frame.function.span)


def _runtime_result(frame: Frame, op: ops.CallRuntime, arguments: list[tuple[str, str]], out: str) -> None:
    if op.fallible:
        if op.result:
            word = frame.runtime_rw(op, op.symbol, *arguments)
            _write_out(frame, op, out)
            if op.dst is not None:
                frame.write(op.dst, frame.from_word(word, layout.form(op.dst.type)))
        else:
            frame.runtime_error(op, op.symbol, *arguments)
            _write_out(frame, op, out)
            _write_none(frame, op)
        return
    type_ = _LETTER_TYPES[op.result] if op.result else "void"
    result = frame.runtime(op.symbol, type_, *arguments)
    _write_out(frame, op, out)
    if not op.result:
        _write_none(frame, op)
    elif op.dst is not None:
        frame.write(op.dst, _convert(frame, result, type_, layout.form(op.dst.type)))


def _convert(frame: Frame, value: str, type_: str, form: Form) -> str:
    if type_ == layout.VALUE_TYPE[form]:
        return value
    if type_ == "i64":
        return frame.from_word(value, form)
    if type_ == "ptr" and form is Form.ANY:
        return frame.w.cast("ptrtoint", "ptr", value, "i64")
    return bug(f"a C result of type {type_} for a register of form {form.name}", frame.function.span)


def _write_out(frame: Frame, op: ops.CallRuntime, out: str) -> None:
    if op.out is not None:
        frame.write(op.out, frame.load_word(out, op.out.type, ""))


def _write_none(frame: Frame, op: ops.Op) -> None:
    if op.dst is not None:
        frame.write(op.dst, str(layout.ANY_NONE))


@emits(ops.FromWord)
def emit_from_word(frame: Frame, op: ops.FromWord) -> None:
    """A raw word as the value it stands for."""
    assert op.dst is not None
    frame.write(op.dst, frame.from_word(frame.read(op.args[0]), layout.form(op.dst.type)))


@emits(ops.ToWord)
def emit_to_word(frame: Frame, op: ops.ToWord) -> None:
    """A value as its raw word."""
    frame.write(op.dst, frame.word(op.args[0]))


# ---- errors ---------------------------------------------------------------------------------------------------------


@emits(ops.MakeError)
def emit_make_error(frame: Frame, op: ops.MakeError) -> None:
    """A new error; where it is made is the first line of its trace."""
    detail = frame.read(op.args[0]) if op.args else "null"
    if op.shows_value:
        error = frame.runtime("nxd_error_no_case", "ptr", ("i64", detail))
    else:
        error = frame.runtime("nxd_error_new", "ptr", ("i64", str(op.code)), ("ptr", detail))
    frame.runtime("nxd_error_trace", "void", ("ptr", error), ("ptr", frame.site(op.span)))
    frame.write(op.dst, error)


@emits(ops.ErrorMessage)
def emit_error_message(frame: Frame, op: ops.ErrorMessage) -> None:
    """What CATCH binds."""
    frame.write(op.dst, frame.runtime("nxd_error_message", "ptr", ("ptr", frame.read(op.args[0]))))


@emits(ops.ErrorCode)
def emit_error_code(frame: Frame, op: ops.ErrorCode) -> None:
    """The number CATCH compares."""
    frame.write(op.dst, frame.runtime("nxd_error_code", "i64", ("ptr", frame.read(op.args[0]))))


@emits(ops.DropError)
def emit_drop_error(frame: Frame, op: ops.DropError) -> None:
    """A handled error ends."""
    frame.runtime("nxd_error_drop", "void", ("ptr", frame.read(op.args[0])))


# ---- counting -------------------------------------------------------------------------------------------------------


@emits(ops.Dup)
def emit_dup(frame: Frame, op: ops.Dup) -> None:
    """One more reference."""
    if isinstance(op.args[0], ops.Reg):
        counting.dup(frame, frame.read(op.args[0]), op.args[0].type)


@emits(ops.Drop)
def emit_drop(frame: Frame, op: ops.Drop) -> None:
    """One reference less."""
    if isinstance(op.args[0], ops.Reg):
        counting.drop(frame, frame.read(op.args[0]), op.args[0].type)
