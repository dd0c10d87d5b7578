"""Module variables that only one function uses, which runs once, become registers of it.

A program of top-level statements without MAIN keeps all its state in module variables; as registers they cost what
locals cost. The functions that run once are the start, and what a function that runs once calls outside of loops
while nobody else calls it: the start-up code of modules, MAIN.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Block, Function, GlobalVar, Op, Program, Reg, Value
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
    once = _run_once(program)
    localised: set[GlobalVar] = set()
    for function in program.functions:
        if function in once:
            mine = [variable for variable in program.globals if users.get(variable) == {function}]
            localised |= _localise(function, mine)
    program.globals = [variable for variable in program.globals if variable not in localised]


def _localise(function: Function, variables: list[GlobalVar]) -> set[GlobalVar]:
    if not variables:
        return set()
    unset = _read_before_set(function, variables)
    wanted = {
        variable: Reg(variable.type, variable.name, span=variable.span)
        for variable in variables
        if variable not in unset
    }
    for block in function.blocks:
        if any(_variable(op) in wanted for op in block.ops):
            block.ops = [new for op in block.ops for new in _replaced(op, wanted)]
    return set(wanted)


def _run_once(program: Program) -> set[Function]:
    """The functions that run at most once."""
    calls: dict[Function, list[tuple[Function, Block]]] = {}
    many: set[Function] = set()
    for function in program.functions:
        for block in function.blocks:
            for op in block.ops:
                if isinstance(op, ops.Call):
                    calls.setdefault(op.function, []).append((function, block))
                elif isinstance(op, ops.Spawn) and op.function is not None:
                    many.add(op.function)
    once = set() if program.start in calls else {program.start}
    pending = list(once)
    while pending:
        caller = pending.pop()
        for function, sites in calls.items():
            if function in once or function in many or len(sites) > 1 or sites[0][0] is not caller:
                continue
            if not _repeats(sites[0][1]):
                once.add(function)
                pending.append(function)
    return once


def _repeats(block: Block) -> bool:
    """Whether control can come back to a block."""
    seen: set[Block] = set()
    pending = [block]
    while pending:
        current = pending.pop()
        assert current.terminator is not None
        for target in (*current.terminator.targets(), *(op.error.target for op in current.ops if op.error is not None)):
            if target is block:
                return True
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return False


def _variable(op: Op) -> GlobalVar | None:
    if isinstance(op, (ops.LoadGlobal, ops.StoreGlobal, ops.AddTo)):
        return op.variable
    return None


def _read_before_set(function: Function, wanted: list[GlobalVar]) -> set[GlobalVar]:
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
