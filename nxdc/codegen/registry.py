"""Which emitter writes which MIR op: the `ops_*` modules fill the tables; a test finds op classes without emitter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from nxdc.codegen.frame import Frame
from nxdc.mir import ops

OP_EMITTERS: dict[type[ops.Op], Callable[[Frame, Any], None]] = {}
TERMINATOR_EMITTERS: dict[type[ops.Terminator], Callable[[Frame, Any], None]] = {}

_OpEmitter = TypeVar("_OpEmitter", bound=Callable[[Frame, Any], None])


def emits(op_class: type[ops.Op]) -> Callable[[_OpEmitter], _OpEmitter]:
    """Decorator: the emitter of an op class."""

    def register(emitter: _OpEmitter) -> _OpEmitter:
        OP_EMITTERS[op_class] = emitter
        return emitter

    return register


def ends(terminator_class: type[ops.Terminator]) -> Callable[[_OpEmitter], _OpEmitter]:
    """Decorator: the emitter of a terminator class."""

    def register(emitter: _OpEmitter) -> _OpEmitter:
        TERMINATOR_EMITTERS[terminator_class] = emitter
        return emitter

    return register
