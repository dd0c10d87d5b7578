"""The door of this package: `lower_program`."""

from __future__ import annotations

from nxdc.core import tree as core
from nxdc.mir.callgraph import mark_recursive
from nxdc.mir.fallible import infer_fallible
from nxdc.mir.lower import concurrency, conversions, errors, exprs, loops, match, prelude, stmts  # noqa: F401 (they register)
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.lower.instances import Instances
from nxdc.mir.ops import Program
from nxdc.mir.polls import remove_needless_polls
from nxdc.types import model

# What each channel operation is called where a channel may be seen through another type than its own.
_ASKING = {
    "nxd_channel_send": "nxd_channel_send_as",
    "nxd_channel_recv": "nxd_channel_recv_as",
    "nxd_channel_next": "nxd_channel_next_as",
}


def _has_views(instances: Instances) -> bool:
    """Whether an `any` may hold a channel that a cast makes a view of."""
    elements = {type_.element for type_ in instances.types.by_type if isinstance(type_, model.ChannelType)}
    return model.ANY in elements and len(elements) > 1


def _ask_channels(instances: Instances) -> None:
    """Makes every channel operation ask the channel for its element type."""
    for op, element in instances.channel_ops:
        op.symbol = _ASKING[op.symbol]
        op.extra = (element,)
        instances.types.descriptor(element)
    for select, elements in instances.selects:
        select.types = elements
        for element in elements:
            instances.types.descriptor(element)


def lower_program(program: core.CoreProgram) -> Program:
    """The MIR of a program: every function that can be reached from the start."""
    instances = Instances(program)
    start = instances.function(program.start)
    done = 0
    while done < len(instances.pending):
        source, function = instances.pending[done]
        done += 1
        FunctionLowerer(instances, function, source).lower()
    if instances.converts_channels or _has_views(instances):
        _ask_channels(instances)
    for variable in instances.global_list:
        instances.types.descriptor(variable.type)
    result = Program(instances.made, instances.global_list, start, instances.types, program.spawns)
    mark_recursive(result)
    if not program.spawns:
        remove_needless_polls(result)
    infer_fallible(result)
    return result
