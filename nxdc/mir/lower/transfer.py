"""Values that cross a process boundary."""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.ops import Value
from nxdc.mir.types import is_counted
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type

_BY_IDENTITY = (model.ChannelType, model.TaskType, model.ProcessType)


def transfer(low: FunctionLowerer, value: Value, type_: Type, span: Span) -> Value:
    """The value made independent of this process. Uncounted values are; channels, tasks and processes pass by
    identity; constants are immortal.
    """
    if isinstance(value, ops.Const) or not is_counted(type_) or isinstance(type_, _BY_IDENTITY):
        return value
    return low.runtime("nxd_transfer", [value], "w", span, result=type_, taken=(True,), extra=(type_,))
