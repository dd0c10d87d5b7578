"""Module variables that only the start-up function uses become registers of it.

A program of top-level statements without MAIN keeps all its state in module variables; as registers they cost what
locals cost. Only where start-up code is one function that is never called can this be seen at once, and there it
matters most.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Function, GlobalVar, Op, Program, Reg, Value
from nxdc.opt.cfg import Cfg
from nxdc.types import model


def localise_globals(program: Program) -> None:
    """Replaces such variables."""
    users: dict[GlobalVar, set[Function]] = {}
    for function in program.functions:
        for block in function.blocks:
            for op in block.ops:
                variable = _variable(op)
                if variable is not None:
                    users.setdefault(variable, set()).add(function)
    start = program.start
    wanted = {
        variable: Reg(variable.type, variable.name, span=variable.span)
        for variable in program.globals
        if users.get(variable) == {start}
    }
    if not wanted or any(type(op) is ops.Call and op.function is start for f in program.functions for op in _ops(f)):
        return
    unset = _read_before_set(start, wanted)
    wanted = {variable: reg for variable, reg in wanted.items() if variable not in unset}
    for block in start.blocks:
        if any(_variable(op) in wanted for op in block.ops):
            block.ops = [new for op in block.ops for new in _replaced(op, wanted)]
    program.globals = [variable for variable in program.globals if variable not in wanted]


def _ops(function: Function) -> list[Op]:
    return [op for block in function.blocks for op in block.ops]


def _variable(op: Op) -> GlobalVar | None:
    if isinstance(op, (ops.LoadGlobal, ops.StoreGlobal, ops.AddTo)):
        return op.variable
    return None


def _read_before_set(function: Function, wanted: dict[GlobalVar, Reg]) -> set[GlobalVar]:
    """Variables that some path reads before it sets them: forward, the sets of those that all ways into a block have
    set.
    """
    masks = {variable: 1 << number for number, variable in enumerate(wanted)}
    everything = (1 << len(masks)) - 1
    cfg = Cfg(function)
    known: dict[int, int] = {0: 0}
    early = 0
    pending = [0]
    while pending:
        index = pending.pop()
        state = known[index]
        block = cfg.blocks[index]
        leaving: list[tuple[int, int]] = []
        for op in block.ops:
            mask = masks.get(_variable(op), 0)  # type: ignore[arg-type]
            if op.error is not None:
                leaving.append((op.error.target.index, state))
            if isinstance(op, ops.StoreGlobal):
                state |= mask
            else:
                early |= mask & ~state
        leaving += [(succ, state) for succ in cfg.succs[index]]
        for target, value in leaving:
            before = known.get(target, everything)
            if target not in known or before & value != before:
                known[target] = before & value
                pending.append(target)
    return {variable for variable, mask in masks.items() if early & mask}


def _replaced(op: Op, wanted: dict[GlobalVar, Reg]) -> list[Op]:
    variable = _variable(op)
    if variable not in wanted:
        return [op]
    assert variable is not None
    reg = wanted[variable]
    if isinstance(op, ops.LoadGlobal):
        return [ops.Assign(op.span, [reg], dst=op.dst)]
    if isinstance(op, ops.StoreGlobal):
        return [ops.Assign(op.span, op.args, dst=reg)]
    assert isinstance(op, ops.AddTo)
    return _added(op, reg)


def _added(op: ops.AddTo, reg: Reg) -> list[Op]:
    delta: Value = op.args[0]
    total = Reg(reg.type)
    if op.type == model.INT:
        return [
            ops.Checked(op.span, [reg, delta], name="add_checked", dst=total, error=op.error),
            ops.Assign(op.span, [total], dst=reg),
        ]
    if op.type == model.FLOAT:
        return [ops.Prim(op.span, [reg, delta], name="fadd", dst=reg)]
    return [
        ops.CallRuntime(
            op.span,
            [reg, delta],
            symbol="nxd_append_string",
            params="pp",
            result="p",
            taken=(True, False),
            dst=total,
        ),
        ops.Assign(op.span, [total], dst=reg),
    ]
