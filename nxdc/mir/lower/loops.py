"""Loops, and REMOVE WHERE, which is one inside.

Each loop has a `head` (the test), the body, and a `latch`, where CONTINUE goes: it gives way to other processes and
goes to the head. The user's loop variable is set from a hidden counter on each round, so that assigning it does not
change the loop, and a lambda in the body captures the variable of its round.
"""

from __future__ import annotations

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.builder import ONE, ZERO, int_const
from nxdc.mir.lower.dispatch import STMTS, handles
from nxdc.mir.lower.functions import FunctionLowerer, LoopScope
from nxdc.mir.lower.match import element_at
from nxdc.mir.lower.steps import next_from_channel, next_of_any
from nxdc.mir.ops import Block, Const, Reg, Value
from nxdc.problem import CompilerBug
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type

# Loops of constant bounds with at most so many rounds do not poll: what they call and the loops inside them do.
_SHORT = 100


def _run_body(low: FunctionLowerer, node: core.Stmt, body: list[core.Stmt], latch: Block, end: Block) -> None:
    low.scopes.append(LoopScope(node, end, latch))
    low.body(body)
    low.scopes.pop()
    low.goto(latch, node.span)


@handles(STMTS, core.Loop)
def lower_loop(low: FunctionLowerer, node: core.Loop) -> None:
    """LOOP, LOOP WHILE."""
    head, latch, end = Block("loop"), Block("next"), Block("endloop")
    low.goto(head, node.span)
    low.start(head)
    if node.condition is not None:
        body = Block("body")
        low.condition(node.condition, body, end)
        low.start(body)
    _run_body(low, node, node.body, latch, end)
    low.start(latch)
    low.poll(node.span)
    low.goto(head, node.span)
    low.start(end)


# ---- FROM a TO b STEP c
# ------------------------------------------------------------------------------------------------


@handles(STMTS, core.LoopRange)
def lower_range(low: FunctionLowerer, node: core.LoopRange) -> None:
    """FROM a TO b: the counter never leaves the range, so that it cannot overflow."""
    if node.local.type != model.INT:
        raise CompilerBug("mir", f"range of {node.local.type}", low.source.name)
    parts = [node.start, node.end] + ([] if node.step is None else [node.step])
    values = low.operands(parts)
    # The bounds are evaluated once; the body may assign the variables they came from.
    start, end = _kept(low, values[0], node.span), _kept(low, values[1], node.span)
    step = values[2] if node.step is not None else ONE
    if not node.inclusive and step == ONE:
        _count_below(low, node, start, end)
    elif isinstance(step, Const) and node.inclusive:
        _count_constant(low, node, start, end, step)
    else:
        _count_rounds(low, node, start, end, _kept(low, step, node.span))


def _kept(low: FunctionLowerer, value: Value, span: Span) -> Value:
    if isinstance(value, Const) or not value.name:
        return value
    copy = low.temp(value.type)
    low.emit(ops.Assign(span, [value], dst=copy))
    return copy


def _counter(low: FunctionLowerer, start: Value, span: Span) -> Reg:
    counter = low.temp(model.INT)
    low.emit(ops.Assign(span, [start], dst=counter))
    return counter


def _bind_round(low: FunctionLowerer, local: core.Local, value: Value, span: Span) -> None:
    """The user's variable for this round. (A fresh temporary may not be renamed: it is the counter.)"""
    if local.cell:
        low.bind(local, value, span)
        return
    reg = low.locals.get(local)
    if reg is None:
        reg = low.local(local.type, local.name, local.span)
        low.locals[local] = reg
    low.assign(reg, value, span)


def _short(start: Value, end: Value, step: int) -> bool:
    if not isinstance(start, Const) or not isinstance(end, Const):
        return False
    assert isinstance(start.value, int) and isinstance(end.value, int)
    return abs(end.value - start.value) // max(abs(step), 1) <= _SHORT


def _count_below(low: FunctionLowerer, node: core.LoopRange, start: Value, end: Value) -> None:
    span = node.span
    counter = _counter(low, start, span)
    head, body, latch, done = Block("loop"), Block("body"), Block("next"), Block("endloop")
    low.goto(head, span)
    low.start(head)
    low.branch(low.prim("lt_int", [counter, end], model.BOOL, span), body, done, span)
    low.start(body)
    _bind_round(low, node.local, counter, node.local.span)
    _run_body(low, node, node.body, latch, done)
    low.start(latch)
    if not _short(start, end, 1):
        low.poll(span)
    low.emit(ops.Prim(span, [counter, ONE], name="add_int", dst=counter))
    low.goto(head, span)
    low.start(done)


def _count_constant(low: FunctionLowerer, node: core.LoopRange, start: Value, end: Value, step: Const) -> None:
    """A step known now: after a round, goes on while at least a step is left to the end."""
    span = node.span
    assert isinstance(step.value, int)
    size = step.value
    if size == 0:
        low.raise_code(2001, span, Const(model.STRING, "STEP must not be 0"))
        return
    up = size > 0
    counter = _counter(low, start, span)
    body, latch, again, done = Block("body"), Block("next"), Block("again"), Block("endloop")
    low.branch(low.prim("lte_int" if up else "gte_int", [start, end], model.BOOL, span), body, done, span)
    low.start(body)
    _bind_round(low, node.local, counter, node.local.span)
    _run_body(low, node, node.body, latch, done)
    low.start(latch)
    if not _short(start, end, size):
        low.poll(span)
    if abs(size) == 1:
        finished: Value = low.prim("eq_int", [counter, end], model.BOOL, span)
    else:
        left = low.prim("sub_int", [end, counter] if up else [counter, end], model.INT, span)
        finished = low.prim("lt_uint", [left, int_const(abs(size))], model.BOOL, span)
    low.branch(finished, done, again, span)
    low.start(again)
    low.emit(ops.Prim(span, [counter, step], name="add_int", dst=counter))
    low.goto(body, span)
    low.start(done)


def _count_rounds(low: FunctionLowerer, node: core.LoopRange, start: Value, end: Value, step: Value) -> None:
    """A step known at run time: the rounds are counted beforehand."""
    span = node.span
    zero, down, up, sized = Block("step_0", cold=True), Block("down"), Block("up"), Block("sized")
    nonzero, run, body = Block("step"), Block("run"), Block("body")
    latch, again, done = Block("next"), Block("again"), Block("endloop")
    low.branch(low.prim("eq_int", [step, ZERO], model.BOOL, span), zero, nonzero, span)
    low.start(zero)
    low.raise_code(2001, span, Const(model.STRING, "STEP must not be 0"))
    low.start(nonzero)
    distance, size = low.temp(model.INT), low.temp(model.INT)
    low.branch(low.prim("gt_int", [step, ZERO], model.BOOL, span), up, down, span)
    for block, test, pair in ((up, "lte_int", [end, start]), (down, "gte_int", [start, end])):
        low.start(block)
        some = Block("some")
        low.branch(low.prim(test, [start, end], model.BOOL, span), some, done, span)
        low.start(some)
        low.emit(ops.Prim(span, list(pair), name="sub_int", dst=distance))
        if block is up:
            low.emit(ops.Assign(span, [step], dst=size))
        else:
            low.emit(ops.Prim(span, [ZERO, step], name="sub_int", dst=size))
        low.goto(sized, span)
    low.start(sized)
    left = low.temp(model.INT)
    if node.inclusive:
        low.emit(ops.Prim(span, [distance, size], name="div_uint", dst=left))
    else:
        low.branch(low.prim("eq_int", [distance, ZERO], model.BOOL, span), done, run, span)
        low.start(run)
        less = low.prim("sub_int", [distance, ONE], model.INT, span)
        low.emit(ops.Prim(span, [less, size], name="div_uint", dst=left))
    counter = _counter(low, start, span)
    low.goto(body, span)
    low.start(body)
    _bind_round(low, node.local, counter, node.local.span)
    _run_body(low, node, node.body, latch, done)
    low.start(latch)
    low.poll(span)
    low.branch(low.prim("eq_int", [left, ZERO], model.BOOL, span), done, again, span)
    low.start(again)
    low.emit(ops.Prim(span, [left, ONE], name="sub_int", dst=left))
    low.emit(ops.Prim(span, [counter, step], name="add_int", dst=counter))
    low.goto(body, span)
    low.start(done)


# ---- LOOP X IN
# -------------------------------------------------------------------------------------------------------------


@handles(STMTS, core.LoopEach)
def lower_each(low: FunctionLowerer, node: core.LoopEach) -> None:
    """LOOP X IN source."""
    source = low.expr(node.source)
    type_ = node.source.type
    if isinstance(source, Reg) and source.name:
        source = _kept(low, source, node.span)
    if isinstance(type_, model.ListType):
        _each_element(low, node, source, type_.element, None)
    elif isinstance(type_, model.MapType):
        _each_key(low, node, source, type_)
    elif type_ == model.STRING:
        _each_character(low, node, source)
    elif isinstance(type_, model.ChannelType):
        _each_message(low, node, source, type_.element)
    elif type_ == model.ANY:
        _each_of_any(low, node, source)
    else:
        raise CompilerBug("mir", f"loop over {type_}", low.source.name)


def _each_element(
    low: FunctionLowerer, node: core.LoopEach, source: Value, element: Type, owner: tuple[Value, Type] | None
) -> None:
    """The elements of a list; what the body changes is seen. With `owner`, the list holds the keys of a map (or
    any), and the loop's second variable is the value there.
    """
    span = node.span
    counter = _counter(low, ZERO, span)
    head, body, latch, done = Block("loop"), Block("body"), Block("next"), Block("endloop")
    low.goto(head, span)
    low.start(head)
    length = low.prim("list_length", [source], model.INT, span)
    low.branch(low.prim("lt_int", [counter, length], model.BOOL, span), body, done, span)
    low.start(body)
    item = low.temp(element)
    element_at(low, source, counter, item, done, span)
    _bind_round(low, node.local, item, node.local.span)
    if node.value is not None:
        assert owner is not None, "only maps have keys"
        _bind_value(low, node, owner, item, latch)
    _run_body(low, node, node.body, latch, done)
    _go_round(low, (head, latch, done), span, counter, counter)


def _go_round(
    low: FunctionLowerer, blocks: tuple[Block, Block, Block], span: Span, counter: Reg, current: Value
) -> None:
    """Ends a loop of the blocks head, latch and done: `counter` moves behind `current`."""
    head, latch, done = blocks
    low.start(latch)
    low.poll(span)
    low.emit(ops.Prim(span, [current, ONE], name="add_int", dst=counter))
    low.goto(head, span)
    low.start(done)


def _bind_value(low: FunctionLowerer, node: core.LoopEach, owner: tuple[Value, Type], key: Reg, latch: Block) -> None:
    """LOOP K, V IN: the value now; a key that was removed meanwhile is passed over."""
    assert node.value is not None
    container, type_ = owner
    span = node.value.span
    removed = low.new_handler("removed", span)
    outer = low.with_handler(removed)
    if isinstance(type_, model.MapType):
        value: Value = low.temp(type_.value)
        assert isinstance(value, Reg)
        low.emit_fallible(ops.MapGet(span, [container, key], dst=value))
    else:
        value = low.runtime("nxd_any_index", [container, key], "aa", span, result=model.ANY, fallible=True)
    low.with_handler(outer)
    present = Block("present")
    low.goto(present, span)
    low.start(removed.target)
    low.goto(latch, span)
    low.start(present)
    _bind_round(low, node.value, value, span)


def _each_key(low: FunctionLowerer, node: core.LoopEach, source: Value, type_: model.MapType) -> None:
    """The keys present at the start; they are copied only when the body may add or remove some."""
    if not low.instances.map_changes.may_change(node.body, type_):
        _each_entry(low, node, source, type_)
        return
    keys_type = model.ListType(type_.key)
    keys = low.runtime("nxd_map_keys", [source], "p", node.span, result=keys_type, letter="p", extra=(keys_type,))
    _each_element(low, node, keys, type_.key, (source, type_))


def _each_entry(low: FunctionLowerer, node: core.LoopEach, source: Value, type_: model.MapType) -> None:
    """Walks the entries in place."""
    span = node.span
    place = _counter(low, ZERO, span)
    head, body, latch, done = Block("loop"), Block("body"), Block("next"), Block("endloop")
    low.goto(head, span)
    low.start(head)
    entry = low.runtime("nxd_map_next", [source, place], "pi", span, result=model.INT, letter="i")
    low.branch(low.prim("gte_int", [entry, ZERO], model.BOOL, span), body, done, span)
    low.start(body)
    for local, symbol, part in (
        (node.local, "nxd_map_key_at", type_.key),
        (node.value, "nxd_map_value_at", type_.value),
    ):
        if local is not None:
            word = low.temp(part)
            args = [source, entry]
            low.emit(
                ops.CallRuntime(
                    local.span, args, symbol=symbol, params="pi", result="w", owned=False, pure=True, dst=word
                )
            )
            _bind_round(low, local, word, local.span)
    _run_body(low, node, node.body, latch, done)
    _go_round(low, (head, latch, done), span, place, entry)


def _each_of_any(low: FunctionLowerer, node: core.LoopEach, source: Value) -> None:
    """What LOOP visits in the value an any holds: a list, the keys of a map, characters, what comes from a channel."""
    span = node.span
    symbol = "nxd_any_walk" if node.value is None else "nxd_any_walk_keys"
    walked = low.runtime(symbol, [source], "a", span, result=model.ANY, fallible=True)
    counter = _counter(low, ZERO, span)
    head, latch, done = Block("loop"), Block("next"), Block("endloop")
    low.goto(head, span)
    low.start(head)
    item = next_of_any(low, walked, counter, done, span)
    _bind_round(low, node.local, item, node.local.span)
    if node.value is not None:
        _bind_value(low, node, (source, model.ANY), item, latch)
    _run_body(low, node, node.body, latch, done)
    _go_round(low, (head, latch, done), span, counter, counter)


def _each_character(low: FunctionLowerer, node: core.LoopEach, source: Value) -> None:
    """The characters of a string, by byte offset, so that the whole takes linear time."""
    span = node.span
    offset = _counter(low, ZERO, span)
    head, body, latch, done = Block("loop"), Block("body"), Block("next"), Block("endloop")
    low.goto(head, span)
    low.start(head)
    size = low.prim("string_bytes", [source], model.INT, span)
    low.branch(low.prim("lt_int", [offset, size], model.BOOL, span), body, done, span)
    low.start(body)
    char = low.runtime("nxd_string_character", [source, offset], "pi", span, result=model.STRING, letter="p")
    step = low.prim("string_bytes", [char], model.INT, span)
    low.emit(ops.Prim(span, [offset, step], name="add_int", dst=offset))
    _bind_round(low, node.local, char, node.local.span)
    _run_body(low, node, node.body, latch, done)
    low.start(latch)
    low.poll(span)
    low.goto(head, span)
    low.start(done)


def _each_message(low: FunctionLowerer, node: core.LoopEach, source: Value, element: Type) -> None:
    """The values of a channel until it is closed and drained. Receiving gives way by itself."""
    span = node.span
    head, done = Block("loop"), Block("endloop")
    low.goto(head, span)
    low.start(head)
    value = next_from_channel(low, source, element, done, span)
    _bind_round(low, node.local, value, node.local.span)
    low.scopes.append(LoopScope(node, done, head))
    low.body(node.body)
    low.scopes.pop()
    low.poll(span)
    low.goto(head, span)
    low.start(done)


# ---- REMOVE L WHERE
# --------------------------------------------------------------------------------------------------------


@handles(STMTS, core.RemoveWhere)
def lower_remove_where(low: FunctionLowerer, node: core.RemoveWhere) -> None:
    """What stays is collected, then the list gets it: when the condition raises, nothing has changed."""
    span = node.span
    target = source = low.expr(node.list)
    type_ = node.list.type
    if type_ == model.ANY:
        target = _kept(low, target, span)
        type_ = model.ListType(model.ANY)
        low.types.descriptor(type_)
        source = low.runtime("nxd_any_elements", [target], "a", span, result=type_, fallible=True)
    assert isinstance(type_, model.ListType)
    if isinstance(source, Reg) and source.name:
        source = _kept(low, source, span)
    kept = low.temp(type_)
    low.emit(ops.NewList(span, [], type=type_, dst=kept))
    counter = _counter(low, ZERO, span)
    head, body, keep, latch, done = Block("loop"), Block("body"), Block("keep"), Block("next"), Block("endloop")
    low.goto(head, span)
    low.start(head)
    length = low.prim("list_length", [source], model.INT, span)
    low.branch(low.prim("lt_int", [counter, length], model.BOOL, span), body, done, span)
    low.start(body)
    item = low.temp(type_.element)
    element_at(low, source, counter, item, done, span)
    _bind_round(low, node.element, item, span)
    low.condition(node.condition, latch, keep)
    low.start(keep)
    low.emit(ops.ListPush(span, [kept, item]))
    low.goto(latch, span)
    _go_round(low, (head, latch, done), span, counter, counter)
    if node.list.type == model.ANY:
        low.runtime("nxd_any_replace", [target, kept], "ap", span, changes=(0,))
    else:
        low.runtime("nxd_list_replace", [source, kept], "pp", span, taken=(False, True), changes=(0,))
