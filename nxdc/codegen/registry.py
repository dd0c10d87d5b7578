"""Which emitter writes which MIR op: the `ops_*` modules fill the tables; a test finds op classes without emitter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from nxdc.codegen.frame import Frame
from nxdc.mir import ops

OP_EMITTERS: dict[type[ops.Op], Callable[[Frame, Any], None]] = {}
TERMINATOR_EMITTERS: dict[type[ops.Terminator], Callable[[Frame, Any], None]] = {}

_CallEmitter = TypeVar("_CallEmitter", bound=Callable[[Frame, ops.CallRuntime], bool])
_OpEmitter = TypeVar("_OpEmitter", bound=Callable[[Frame, Any], None])

# C functions that are written in another way where that is better; False: they are called after all.
CALL_EMITTERS: dict[str, Callable[[Frame, ops.CallRuntime], bool]] = {}


def calls(symbol: str) -> Callable[[_CallEmitter], _CallEmitter]:
    """Decorator: a better way to write calls of a C function."""

    def register(emitter: _CallEmitter) -> _CallEmitter:
        CALL_EMITTERS[symbol] = emitter
        return emitter

    return register


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
