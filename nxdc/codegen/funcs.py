"""Writes one compiled function: decides where registers live, orders blocks, calls the emitters.

Input:  verified MIR after `opt`.
Output: one `define` in the module. The first parameter is the process (`swiftself`: a pinned register that calls leave
        alone), then the closure object where the function has one, then the arguments in machine form.
"""

from __future__ import annotations

from nxdc.codegen import layout, ops_containers, ops_control, ops_objects, ops_values
from nxdc.codegen.context import Module, bug, symbol_name
from nxdc.codegen.debuginfo import Variable, source_variables
from nxdc.codegen.frame import Frame, propagates_at_once, result_type
from nxdc.codegen.recursion import copies_of
from nxdc.codegen.registry import OP_EMITTERS, TERMINATOR_EMITTERS
from nxdc.codegen.thunks import define
from nxdc.mir import ops

# The emitters register themselves when their modules are imported.
EMITTER_MODULES = (ops_values, ops_objects, ops_containers, ops_control)

# What moves parameters to where they live, at the head of a function.
_ARRIVAL = (ops.Assign, ops.Dup, ops.NewStruct, ops.StackCheck)


def emit_function(module: Module, function: ops.Function, *, unroll: bool = False) -> None:
    """Write a function, and the copies that unroll its recursion."""
    copies = copies_of(function) if unroll else 0
    symbols = [module.symbol(function)]
    symbols += [symbol_name(f"{function.symbol}.{i}") for i in range(1, copies + 1)]
    for i, symbol in enumerate(symbols):
        _emit_copy(module, function, i, symbol, symbols[(i + 1) % len(symbols)])


def _emit_copy(module: Module, function: ops.Function, number: int, symbol: str, next_symbol: str) -> None:
    """Write a function with all its blocks; `next_symbol` is what it calls where it calls itself."""
    frame = Frame(module, function)
    frame.copy, frame.recursion = number, next_symbol
    order = reverse_postorder(function.blocks[0])
    hot = hot_blocks(function.blocks[0])
    in_memory = registers_in_memory(function, order)
    parameters = _parameters(frame, in_memory)
    variables = _open_scope(frame, order)
    for reg in in_memory:
        frame.keep_in_memory(reg)
    _show_variables(frame, variables)
    for i, param in enumerate(function.params):
        frame.write(param, f"%a{i}")
    if function.closure is not None:
        frame.write(function.closure, "%closure")
    frame.set_place(function.span)
    frame.w.jump(frame.label_of(order[0]))
    for block in order:
        frame.cold = block not in hot
        _emit_block(frame, block)
    frame.finish()
    attributes = " nounwind"
    if number:
        attributes += " alwaysinline"
    elif function in module.kept_apart:
        attributes += " noinline"
    head = f"internal {result_type(function)} {symbol}({', '.join(parameters)})"
    define(module, head, frame, attributes)


def _open_scope(frame: Frame, order: list[ops.Block]) -> list[Variable]:
    """With debug information: make the function's scope; the variables to show."""
    debug = frame.module.debuginfo
    if debug is None:
        return []
    variables = source_variables(frame.function, order, debug.level)
    frame.scope = debug.function(frame.function, variables)
    return variables


def _show_variables(frame: Frame, variables: list[Variable]) -> None:
    """Give variables memory, where debuggers find them; LLVM takes them out of it and tells where they went. What
    is not set yet reads as zero in code that is not optimised."""
    debug = frame.module.debuginfo
    for variable in variables:
        assert debug is not None and frame.scope is not None
        reg = variable.reg
        slot = frame.keep_in_memory(reg)
        if debug.level == 0 and reg not in frame.function.params:
            frame.clear(reg)
        frame.w.record(debug.declare(variable, slot, frame.scope))


def _parameters(frame: Frame, in_memory: list[ops.Reg]) -> list[str]:
    function = frame.function
    parameters = ["ptr swiftself %self"]
    if function.closure is not None:
        parameters.append("ptr %closure")
    for i, param in enumerate(function.params):
        parameters.append(f"{_parameter_type(param, owned=function.owned_params[i])} %a{i}")
    return parameters


def _parameter_type(param: ops.Reg, *, owned: bool) -> str:
    """Machine type and attributes. A borrowed object lives as long as the call."""
    machine = layout.value_type(param.type)
    if machine != "ptr" or owned:
        return machine
    return f"ptr align 8 dereferenceable({layout.least_object_size(param.type)})"


def _emit_block(frame: Frame, block: ops.Block) -> None:
    frame.w.label(frame.label_of(block))
    debug = frame.module.debuginfo
    function = frame.function
    # With debug information: what moves the parameters to where they live belongs to no line, so that breakpoints at
    # the function come after it.
    entering = debug is not None and block is function.blocks[0]
    arrival = {function.span, *(reg.span for reg in function.params)} if entering else ()
    for op in block.ops:
        emitter = OP_EMITTERS.get(type(op))
        if emitter is None:
            bug(f"no emitter for {type(op).__name__}", op.span)
        if debug is not None:
            entering = entering and isinstance(op, _ARRIVAL) and op.span in arrival
            # What cleans up belongs to no line in optimised code: blocks are moved there, and a breakpoint at a line
            # goes to the lowest address with that line, which must not be one behind what the line does.
            cleaning = debug.level > 0 and type(op) is ops.Drop
            frame.set_place(None if cleaning else op.span, hidden=entering)
        emitter(frame, op)
        if debug is not None and type(op) is ops.Drop:
            _forget(frame, op)
    end = block.terminator
    if end is None:
        bug(f"a block of {frame.function.symbol} does not end", frame.function.span)
    if debug is not None:
        frame.set_place(end.span)
    TERMINATOR_EMITTERS[type(end)](frame, end)


def _forget(frame: Frame, op: ops.Drop) -> None:
    """A variable whose object is gone must not show what is at that address now."""
    (value,) = op.operands()
    debug = frame.module.debuginfo
    if debug is not None and debug.level == 0 and isinstance(value, ops.Reg) and value.name:
        frame.clear(value)


def reverse_postorder(entry: ops.Block) -> list[ops.Block]:
    """All reachable blocks, each after those that dominate it."""
    order: list[ops.Block] = []
    seen = {entry}
    stack = [(entry, iter(successors(entry)))]
    while stack:
        block, rest = stack[-1]
        following = next(rest, None)
        if following is None:
            order.append(block)
            stack.pop()
        elif following not in seen:
            seen.add(following)
            stack.append((following, iter(successors(following))))
    order.reverse()
    return order


def successors(block: ops.Block) -> list[ops.Block]:
    """Where control may go from a block; error edges first, so that the normal way comes early in the order."""
    found: list[ops.Block] = []
    for op in block.ops:
        edge = op.error
        if edge is not None and edge.target not in found and not propagates_at_once(edge.target, edge.register):
            found.append(edge.target)
    if block.terminator is not None:
        found += block.terminator.targets()
    return found


def hot_blocks(entry: ops.Block) -> set[ops.Block]:
    """The blocks control reaches when nothing fails."""
    hot = {entry}
    work = [entry]
    while work:
        end = work.pop().terminator
        for target in end.targets() if end is not None else ():
            if target not in hot and not target.cold:
                hot.add(target)
                work.append(target)
    return hot


def registers_in_memory(function: ops.Function, order: list[ops.Block]) -> list[ops.Reg]:
    """Registers that are not written exactly once before all their reads, in order of appearance."""
    written: set[ops.Reg] = set(function.params)
    if function.closure is not None:
        written.add(function.closure)
    found: dict[ops.Reg, None] = {}
    for block in order:
        for op in block.ops:
            _note_reads(op.operands(), written, found)
            edge = op.error
            if edge is not None and not propagates_at_once(edge.target, edge.register):
                found[edge.register] = None
            for reg in op.writes():
                if reg in written:
                    found[reg] = None
                written.add(reg)
        if block.terminator is not None:
            _note_reads(block.terminator.operands(), written, found)
    return list(found)


def _note_reads(operands: list[ops.Value], written: set[ops.Reg], found: dict[ops.Reg, None]) -> None:
    for operand in operands:
        if isinstance(operand, ops.Reg) and operand not in written:
            found[operand] = None
