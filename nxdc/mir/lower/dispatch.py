"""The registers of handlers: one function for every class of core node. A unit test fails when a class has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from nxdc.mir.ops import Block, Value

if TYPE_CHECKING:
    from nxdc.mir.lower.functions import FunctionLowerer

_F = TypeVar("_F", bound=Callable[..., Any])

EXPRS: dict[type, Callable[[FunctionLowerer, Any], Value]] = {}  # gives the node's value
STMTS: dict[type, Callable[[FunctionLowerer, Any], None]] = {}
PATTERNS: dict[
    type, Callable[[FunctionLowerer, Any, Value, Block], None]
] = {}  # goes on where the value fits, jumps to the block if not
INTRINSICS: dict[str, Callable[[FunctionLowerer, Any], Value]] = {}  # by `lower` word of tables/operators.py
CONVERSIONS: dict[str, Callable[[FunctionLowerer, Any], Value]] = {}  # by Convert.kind


def handles(table: dict[Any, Any], *keys: Any) -> Callable[[_F], _F]:
    """Registers a handler for some keys."""

    def register(function: _F) -> _F:
        for key in keys:
            assert key not in table, key
            table[key] = function
        return function

    return register
