"""Functions around functions: entries of processes (plain C calling convention) and the code of function values.

Code of a function value is called with self, its closure object and the arguments, and always returns an error word:
MIR makes a function of that convention for every function value.
"""

from __future__ import annotations

from nxdc.codegen import counting, layout
from nxdc.codegen.context import Module, bug
from nxdc.codegen.frame import Frame, can_fail, result_type, result_type_of
from nxdc.codegen.writer import RW
from nxdc.mir import ops
from nxdc.mir.types import ClosureType, EnvType, Form
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type


def closure_code(module: Module, function: ops.Function) -> str:
    """The code pointer of function values made of `function`."""
    if function.closure is None or not function.address_taken:
        bug(f"{function.symbol} is no code of a function value", function.span)
    return module.symbol(function)


def constant_closure(module: Module, function: ops.Function, type_: ClosureType) -> str:
    """The immortal function value of a function without captures."""
    code = closure_code(module, function)
    name = code[:-1] + '.object"' if code.endswith('"') else f"{code}.object"
    if name not in module.helpers:
        module.helpers.add(name)
        module.definitions.append(
            f"{name} = internal constant {{ i32, i32, ptr }} "
            f"{{ i32 0, i32 {module.types.number(type_)}, ptr {code} }}, align 8"
        )
    return name


def process_entry(
    module: Module, function: ops.Function | None, env_type: Type, result: Type, span: Span | None
) -> str:
    """The nxd_entry that calls a function with the words of an environment; one per function or function type."""
    if not isinstance(env_type, EnvType):
        return bug(f"the environment of a spawned call has type {env_type!r}", span)
    number = module.types.number(env_type)
    if function is not None:
        base = module.symbol(function)
        name = base[:-1] + '.entry"' if base.endswith('"') else f"{base}.entry"
    else:
        name = f"@entry.{number}"
    if name not in module.helpers:
        module.helpers.add(name)
        _write_entry(module, function, env_type, result, name, span)
    return name


def _write_entry(
    module: Module, function: ops.Function | None, env_type: EnvType, result: Type, name: str, span: Span | None
) -> None:
    frame = Frame(module, function if function is not None else module.program.start)
    frame.cold = True
    frame.open_helper(name, span)
    words = []
    for i, type_ in enumerate(env_type.fields):
        offset = layout.STRUCT_FIELDS + layout.WORD_SIZE * i
        address = frame.w.offset("%env", offset)
        words.append(frame.load_word(address, type_, layout.alias_word(offset)))
    types = list(env_type.fields)
    if function is not None:
        value, error = _call_direct(frame, function, words, types)
        result_form = layout.result_form(function.result)
    else:
        value, error = _call_value(frame, words, types)
        assert isinstance(types[0], model.FuncType)
        result_form = layout.result_form(types[0].result)
    word = str(layout.ANY_NONE) if result_form is Form.VOID else frame.to_word(value, result_form)
    pair = frame.w.insert(RW, "{ i64 undef, ptr undef }", "i64", word, 0)
    frame.w.ret(RW, frame.w.insert(RW, pair, "ptr", error, 1))
    define(module, f"internal {RW} {name}(ptr %self, ptr %env)", frame)


def _call_direct(frame: Frame, function: ops.Function, words: list[str], types: list[Type]) -> tuple[str, str]:
    if len(words) != len(function.params):
        bug(f"{len(words)} words in the environment of {function.symbol}", function.span)
    arguments = ["ptr swiftself %self"]
    for i, (word, type_) in enumerate(zip(words, types, strict=True)):
        if function.owned_params and function.owned_params[i]:
            counting.dup(frame, word, type_)
        arguments.append(f"{layout.value_type(type_)} {word}")
    machine = result_type(function)
    outcome = frame.w.call(machine, frame.module.symbol(function), ", ".join(arguments))
    return _split(frame, machine, outcome, can_fail(function), function.result)


def _call_value(frame: Frame, words: list[str], types: list[Type]) -> tuple[str, str]:
    closure = words[0]
    callee = types[0]
    if not isinstance(callee, model.FuncType):
        bug(f"a process calls a value of type {callee!r}", frame.function.span)
    address = frame.w.offset(closure, layout.CLOSURE_CODE)
    code = frame.w.load("ptr", address, layout.alias_word(layout.CLOSURE_CODE))
    arguments = ["ptr swiftself %self", f"ptr {closure}"]
    arguments += [f"{layout.value_type(type_)} {word}" for word, type_ in zip(words[1:], types[1:], strict=True)]
    machine = result_type_of(callee.result, True)
    outcome = frame.w.call(machine, code, ", ".join(arguments))
    return _split(frame, machine, outcome, True, callee.result)


def _split(frame: Frame, machine: str, outcome: str, fallible: bool, result: Type) -> tuple[str, str]:
    """Value and error of a call."""
    void = layout.result_form(result) is Form.VOID
    if not fallible:
        return ("" if void else outcome), "null"
    if void:
        return "", outcome
    return frame.w.extract(machine, outcome, 0), frame.w.extract(machine, outcome, 1)


def define(module: Module, head: str, frame: Frame, attributes: str = " nounwind") -> None:
    """Write a finished function into the module."""
    body = "\n".join(["entry:", *frame.w.allocas, *frame.w.lines])
    if module.debuginfo is not None:
        attributes += module.debuginfo.attributes
    scope = f" !dbg {frame.scope.node}" if frame.scope is not None else ""
    module.functions.append(f"define {head}{attributes}{scope} {{\n{body}\n}}")
