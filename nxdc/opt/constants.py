"""Puts constants where they are read: module variables that are set once, to a constant, and registers likewise.

`CONST LIMIT SET 100` then costs nothing where it is read, and a name for a string needs no counting. LLVM would find
numbers held in registers by itself; module variables and counted values it does not.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Const, Function, GlobalVar, Op, Program, Reg, Value


def propagate_constants(program: Program) -> None:
    """Replaces the reads; the variables and writes nobody needs any more go away."""
    known = _constant_globals(program)
    if known:
        for function in program.functions:
            for block in function.blocks:
                block.ops = [new for op in block.ops if (new := _without_global(op, known)) is not None]
        program.globals = [variable for variable in program.globals if variable not in known]
    for function in program.functions:
        _propagate_registers(function)


def _constant_globals(program: Program) -> dict[GlobalVar, Const]:
    """Variables with one initialiser, a constant, and nothing else that sets them."""
    found: dict[GlobalVar, Const] = {}
    others: set[GlobalVar] = set()
    for function in program.functions:
        for block in function.blocks:
            for op in block.ops:
                if isinstance(op, ops.StoreGlobal):
                    value = op.args[0]
                    if op.initial and isinstance(value, Const) and op.variable not in found:
                        found[op.variable] = value
                    else:
                        others.add(op.variable)
                elif isinstance(op, ops.AddTo) and op.variable is not None:
                    others.add(op.variable)
    return {variable: value for variable, value in found.items() if variable not in others}


def _without_global(op: Op, known: dict[GlobalVar, Const]) -> Op | None:
    if isinstance(op, ops.StoreGlobal) and op.variable in known:
        return None
    if isinstance(op, ops.LoadGlobal) and op.variable in known:
        return ops.Assign(op.span, [known[op.variable]], dst=op.dst)
    return op


def _propagate_registers(function: Function) -> None:
    constants = _constant_registers(function)
    if not constants:
        return

    def replaced(values: list[Value]) -> list[Value] | None:
        if any(type(value) is Reg and value in constants for value in values):
            return [constants[value] if type(value) is Reg and value in constants else value for value in values]
        return None

    for block in function.blocks:
        block.ops = [op for op in block.ops if not (type(op) is ops.Assign and op.dst in constants)]
        for op in block.ops:
            new = replaced(op.operands())
            if new is not None:
                op.replace_operands(new)
        assert block.terminator is not None
        new = replaced(block.terminator.operands())
        if new is not None:
            block.terminator.replace_operands(new)


def _constant_registers(function: Function) -> dict[Reg, Const]:
    """Registers that are written once, by a copy of a constant of the same type."""
    found: dict[Reg, Const] = {}
    writes: dict[Reg, int] = dict.fromkeys(function.params, 1)
    for block in function.blocks:
        for op in block.ops:
            for reg in op.writes():
                writes[reg] = writes.get(reg, 0) + 1
            if type(op) is ops.Assign and op.dst is not None:
                value = op.args[0]
                if isinstance(value, Const) and value.type == op.dst.type and value.value != ops.UNINIT:
                    found[op.dst] = value
    return {reg: value for reg, value in found.items() if writes[reg] == 1}
