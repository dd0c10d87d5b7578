"""Who calls whom. A call of a function value may reach every closure code of the same function type.

`mark_recursive` finds the cycles (Tarjan's strongly connected components) and puts a StackCheck at the entry of each
function in one: a chain of calls without a cycle is short, so that only these can exhaust a stack.
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Block, ErrorEdge, Function, Program, Reg
from nxdc.mir.types import ERROR_PTR
from nxdc.types.model import Type


def callees(program: Program) -> dict[Function, list[Function]]:
    """The functions each function may call, without repetition, in order of appearance."""
    by_type: dict[Type, list[Function]] = {}
    for function in program.functions:
        if function.closure is not None:
            by_type.setdefault(function.closure.type, []).append(function)
    everything = [function for function in program.functions if function.closure is not None]
    return {function: _callees_of(function, by_type, everything) for function in program.functions}


def _callees_of(function: Function, by_type: dict[Type, list[Function]], everything: list[Function]) -> list[Function]:
    found: dict[Function, None] = {}
    for block in function.blocks:
        for op in block.ops:
            kind = type(op)
            if kind is ops.Call:
                found[op.function] = None  # type: ignore[attr-defined]
            elif kind is ops.CallClosure:
                for code in by_type.get(op.args[0].type, everything):  # type: ignore[attr-defined]
                    found[code] = None
    return list(found)


def direct_calls(function: Function) -> list[Function]:
    """The functions that a function calls by name, one for each call."""
    return [op.function for block in function.blocks for op in block.ops if isinstance(op, ops.Call)]


def callers_of(program: Program) -> dict[Function, list[Function]]:
    """The callers of each function by name, one for each call."""
    callers: dict[Function, list[Function]] = {function: [] for function in program.functions}
    for function in program.functions:
        for callee in direct_calls(function):
            callers[callee].append(function)
    return callers


def with_callers(program: Program, found: set[Function]) -> set[Function]:
    """Some functions and all that call them by name, directly or through others."""
    callers = callers_of(program)
    result = set(found)
    pending = list(found)
    while pending:
        for caller in callers[pending.pop()]:
            if caller not in result:
                result.add(caller)
                pending.append(caller)
    return result


def components(graph: dict[Function, list[Function]]) -> list[list[Function]]:
    """The strongly connected components, callees before callers."""
    index: dict[Function, int] = {}
    low: dict[Function, int] = {}
    on_stack: set[Function] = set()
    stack: list[Function] = []
    result: list[list[Function]] = []
    for root in graph:
        if root in index:
            continue
        work: list[tuple[Function, int]] = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            descended = False
            targets = graph[node]
            while position < len(targets):
                target = targets[position]
                position += 1
                if target not in index:
                    work.append((node, position))
                    work.append((target, 0))
                    descended = True
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            if descended:
                continue
            if low[node] == index[node]:
                component: list[Function] = []
                while True:
                    member = stack.pop()
                    on_stack.discard(member)
                    component.append(member)
                    if member is node:
                        break
                result.append(component)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return result


def mark_recursive(program: Program) -> None:
    """Sets `recursive` and adds the stack checks."""
    graph = callees(program)
    for component in components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            for function in component:
                function.recursive = True
                function.blocks[0].ops.insert(0, ops.StackCheck(function.span, error=propagate_edge(function)))


def propagate_edge(function: Function) -> ErrorEdge:
    """An edge to the block that returns errors to the caller, made when there is none."""
    for block in function.blocks:
        if isinstance(block.terminator, ops.Propagate) and not block.ops:
            return ErrorEdge(block, block.terminator.register)
    error = Reg(ERROR_PTR, "error", span=function.span)
    block = Block("propagate", [], ops.Propagate(function.span, error), cold=True)
    function.blocks.append(block)
    return ErrorEdge(block, error)
