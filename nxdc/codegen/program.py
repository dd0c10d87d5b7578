"""The program object: start, teardown, module variables, `nxd_program_main`."""

from __future__ import annotations

import nxdc
from nxdc.codegen import counting, descriptors, layout
from nxdc.codegen.context import Module
from nxdc.codegen.frame import Frame, can_fail, result_type
from nxdc.codegen.thunks import define
from nxdc.codegen.writer import RW
from nxdc.mir import ops
from nxdc.mir.types import Form
from nxdc.types import model

_FLAG_SPAWNS = 1


def emit_program(module: Module) -> None:
    """Write what the runtime's `main` needs. Comes last: the descriptors must be complete."""
    start = _emit_start(module)
    teardown = _emit_teardown(module)
    types, count = descriptors.emit_descriptors(module)
    version = module.constants.c_string(nxdc.__version__)
    flags = _FLAG_SPAWNS if module.program.spawns else 0
    module.definitions.append(
        f"@nxd_program_main = constant {{ ptr, i32, i32, ptr, ptr, ptr }} "
        f"{{ ptr {types}, i32 {count}, i32 {flags}, ptr {start}, ptr {version}, ptr {teardown} }}, align 8"
    )


def _emit_start(module: Module) -> str:
    """The entry the runtime calls: initialisers and MAIN. Its word is the exit status."""
    start = module.program.start
    frame = Frame(module, start)
    frame.open_helper("nxd.start", start.span)
    machine = result_type(start)
    outcome = frame.w.call(machine, module.symbol(start), "ptr swiftself %self")
    form = layout.result_form(start.result)
    status, error = "0", "null"
    if can_fail(start):
        error = outcome if form is Form.VOID else frame.w.extract(machine, outcome, 1)
    if form is Form.INT:
        status = frame.w.extract(machine, outcome, 0) if can_fail(start) else outcome
    pair = frame.w.insert(RW, "{ i64 undef, ptr undef }", "i64", status, 0)
    frame.w.ret(RW, frame.w.insert(RW, pair, "ptr", error, 1))
    define(module, f"internal {RW} @nxd.start(ptr %self, ptr %env)", frame)
    return "@nxd.start"


def _emit_teardown(module: Module) -> str:
    """Drops the module variables, last made first."""
    counted = [g for g in module.program.globals if _is_counted(g)]
    if not counted:
        return "null"
    frame = Frame(module, module.program.start)
    frame.cold = True
    for variable in reversed(counted):
        _drop_variable(frame, variable)
    frame.w.ret("void")
    define(module, "internal void @nxd.teardown()", frame)
    return "@nxd.teardown"


def _drop_variable(frame: Frame, variable: ops.GlobalVar) -> None:
    """Drop a variable unless the program ended before it was set (a zero word)."""
    slot = frame.module.global_slot(variable)
    word = frame.w.load("i64", slot, layout.ALIAS_GLOBAL)
    full, on = frame.fresh_label(), frame.fresh_label()
    frame.w.branch(frame.w.icmp("ne", "i64", word, "0"), full, on)
    frame.w.label(full)
    frame.w.store("i64", "0", slot, layout.ALIAS_GLOBAL)
    counting.drop(frame, frame.from_word(word, layout.form(variable.type)), variable.type)
    frame.w.jump(on)
    frame.w.label(on)


def _is_counted(variable: ops.GlobalVar) -> bool:
    return layout.form(variable.type) in (Form.PTR, Form.ANY) and variable.type != model.NONE
