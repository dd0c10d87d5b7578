"""Named inline emitters: the `inline=` words of the operator and prelude tables, and a few only MIR uses.

EMITTERS cannot fail (op Prim); CHECKED can (op Checked). An emitter gets its operands as values of their forms and
returns the result. A test compares the names with the tables.
"""

from __future__ import annotations

from collections.abc import Callable

from nxdc.codegen import layout
from nxdc.codegen.frame import Frame
from nxdc.mir import ops

Emitter = Callable[[Frame, ops.Op, list[str]], str]

EMITTERS: dict[str, Emitter] = {}
CHECKED: dict[str, Emitter] = {}

_INT_CONDITIONS = {"eq": "eq", "neq": "ne", "lt": "slt", "lte": "sle", "gt": "sgt", "gte": "sge"}
_FLOAT_CONDITIONS = {"eq": "oeq", "neq": "une", "lt": "olt", "lte": "ole", "gt": "ogt", "gte": "oge"}


def emit_prim(frame: Frame, op: ops.Prim) -> str:
    """The result of an op that cannot fail."""
    return EMITTERS[op.name](frame, op, [frame.read(arg) for arg in op.args])


def _compare(name: str) -> None:
    def int_(frame: Frame, op: ops.Op, args: list[str]) -> str:
        return frame.w.icmp(_INT_CONDITIONS[name], "i64", args[0], args[1])

    def float_(frame: Frame, op: ops.Op, args: list[str]) -> str:
        return frame.w.fcmp(_FLOAT_CONDITIONS[name], args[0], args[1])

    EMITTERS[f"{name}_int"] = int_
    EMITTERS[f"{name}_float"] = float_


def _binary(name: str, instruction: str, type_: str) -> None:
    def emit(frame: Frame, op: ops.Op, args: list[str]) -> str:
        return frame.w.binary(instruction, type_, args[0], args[1])

    EMITTERS[name] = emit


def _field(name: str, offset: int, alias: str) -> None:
    """An i64 field of an object that does not change under our eyes."""

    def emit(frame: Frame, op: ops.Op, args: list[str]) -> str:
        return frame.w.load("i64", frame.w.offset(args[0], offset), alias)

    EMITTERS[name] = emit


for _name in _INT_CONDITIONS:
    _compare(_name)
for _name, _instruction in (("and", "and"), ("or", "or"), ("xor", "xor"), ("shl", "shl"), ("shr", "ashr")):
    _binary(f"int_{_name}", _instruction, "i64")
for _name, _instruction in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("div", "udiv")):  # wrapping
    _binary(f"{_name}_int" if _name != "div" else "div_uint", _instruction, "i64")
for _name, _instruction in (("fadd", "fadd"), ("fsub", "fsub"), ("fmul", "fmul"), ("fdiv", "fdiv"), ("fmod", "frem")):
    _binary(_name, _instruction, "double")
for _name, _instruction in (("and_bool", "and"), ("or_bool", "or"), ("neq_bool", "xor")):
    _binary(_name, _instruction, "i1")
# Without checks: for numbers the compiler itself keeps in range (loop counters behind their test).
for _name, _instruction in (("add_unchecked", "add nsw"), ("sub_unchecked", "sub nsw"), ("mul_unchecked", "mul nsw")):
    _binary(_name, _instruction, "i64")
_field("list_length", layout.LIST_LENGTH, layout.ALIAS_LENGTH)
_field("string_length", layout.STRING_CHARS, layout.ALIAS_STRING)
_field("string_bytes", layout.STRING_BYTES, layout.ALIAS_STRING)
_field("map_length", layout.MAP_LENGTH, layout.ALIAS_MAP_LENGTH)
_field("tag", layout.UNION_TAG, layout.alias_word(layout.UNION_TAG))


def _emits(name: str) -> Callable[[Emitter], Emitter]:
    def register(emitter: Emitter) -> Emitter:
        EMITTERS[name] = emitter
        return emitter

    return register


def _checks(name: str) -> Callable[[Emitter], Emitter]:
    def register(emitter: Emitter) -> Emitter:
        CHECKED[name] = emitter
        return emitter

    return register


@_emits("lt_uint")
def _lt_uint(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.icmp("ult", "i64", args[0], args[1])


@_emits("eq_bool")
def _eq_bool(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.icmp("eq", "i1", args[0], args[1])


@_emits("not")
def _not(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.binary("xor", "i1", args[0], "true")


@_emits("fneg")
def _fneg(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.unary("fneg", "double", args[0])


@_emits("float_abs")
def _float_abs(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return _float_intrinsic(frame, "llvm.fabs.f64", args[0])


@_emits("float_sqrt")
def _float_sqrt(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return _float_intrinsic(frame, "llvm.sqrt.f64", args[0])


def _float_intrinsic(frame: Frame, name: str, value: str) -> str:
    callee = frame.module.intrinsic(name, f"declare double @{name}(double)")
    return frame.w.call("double", callee, f"double {value}")


@_emits("int_to_float")
def _int_to_float(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.cast("sitofp", "i64", args[0], "double")


@_emits("bool_to_int")
def _bool_to_int(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.cast("zext", "i1", args[0], "i64")


@_emits("is_none_any")
def _is_none_any(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.icmp("eq", "i64", args[0], str(layout.ANY_NONE))


@_emits("eq_ptr")
def _eq_ptr(frame: Frame, op: ops.Op, args: list[str]) -> str:
    """Identity of two objects."""
    return frame.w.icmp("eq", "ptr", args[0], args[1])


@_emits("any_is_int")
def _any_is_small_int(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return frame.w.cast("trunc", "i64", args[0], "i1")


# ---- checked arithmetic ---------------------------------------------------------------------------------------------

_OVERFLOW = "nxd_error_overflow"
_MIN_INT = str(-(1 << 63))


def _with_overflow(frame: Frame, op: ops.Op, name: str, left: str, right: str) -> str:
    intrinsic = f"llvm.{name}.with.overflow.i64"
    callee = frame.module.intrinsic(intrinsic, f"declare {{ i64, i1 }} @{intrinsic}(i64, i64)")
    pair = frame.w.call("{ i64, i1 }", callee, f"i64 {left}, i64 {right}")
    result = frame.w.extract("{ i64, i1 }", pair, 0)
    frame.fail_if(op, frame.w.extract("{ i64, i1 }", pair, 1), _OVERFLOW)
    return result


@_checks("add_checked")
def add_checked(frame: Frame, op: ops.Op, args: list[str]) -> str:
    """Sum or E1004."""
    return _with_overflow(frame, op, "sadd", args[0], args[1])


@_checks("sub_checked")
def _sub_checked(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return _with_overflow(frame, op, "ssub", args[0], args[1])


@_checks("mul_checked")
def _mul_checked(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return _with_overflow(frame, op, "smul", args[0], args[1])


@_checks("neg_checked")
def _neg_checked(frame: Frame, op: ops.Op, args: list[str]) -> str:
    return _with_overflow(frame, op, "ssub", "0", args[0])


@_checks("div_checked")
def _div_checked(frame: Frame, op: ops.Op, args: list[str]) -> str:
    left, right = args
    if not _is_constant(right) or right == "0":
        frame.fail_if(op, frame.w.icmp("eq", "i64", right, "0"), "nxd_error_division")
    if not _is_constant(right) or right == "-1":
        least = frame.w.icmp("eq", "i64", left, _MIN_INT)
        minus_one = frame.w.icmp("eq", "i64", right, "-1")
        frame.fail_if(op, frame.w.binary("and", "i1", least, minus_one), _OVERFLOW)
    return frame.w.binary("sdiv", "i64", left, right)


@_checks("mod_checked")
def _mod_checked(frame: Frame, op: ops.Op, args: list[str]) -> str:
    left, right = args
    if right == "-1":
        return "0"
    if not _is_constant(right) or right == "0":
        frame.fail_if(op, frame.w.icmp("eq", "i64", right, "0"), "nxd_error_division")
    if not _is_constant(right):  # the least int MOD -1 is 0, but traps in hardware
        minus_one = frame.w.icmp("eq", "i64", right, "-1")
        right = frame.w.select(minus_one, "i64", "1", right)
    return frame.w.binary("srem", "i64", left, right)


@_checks("unwrap_none")
def _unwrap_none(frame: Frame, op: ops.Op, args: list[str]) -> str:
    """An any that must not be NONE (E1006); the same word."""
    frame.fail_if(op, frame.w.icmp("eq", "i64", args[0], str(layout.ANY_NONE)), "nxd_error_none")
    return args[0]


def _is_constant(operand: str) -> bool:
    return operand[0] in "-0123456789"
