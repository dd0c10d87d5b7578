"""Unrolls recursion: a small function that calls itself is written several times, each copy calling the next.

LLVM does not inline a function into itself, but it does inline copies: FIB calls FIB.1, that calls FIB.2, that calls
FIB, and the copies are always inlined. So most of the calls, of the error tests behind them and of the stack checks
(one a round is enough) disappear: fib takes a third of the time.
"""

from __future__ import annotations

from nxdc.mir import ops

_MAX_OPS = 40  # of one copy
_MAX_TOTAL = 260  # of the function with all copies inlined
_MAX_COPIES = 3


def copies_of(function: ops.Function) -> int:
    """How many copies behind the first a function gets; 0 for those that do not call themselves or are too large."""
    if not function.recursive or function.address_taken:
        return 0
    size = calls = 0
    for block in function.blocks:
        if block.cold:
            continue
        size += len(block.ops) + 1
        calls += sum(isinstance(op, ops.Call) and op.function is function for op in block.ops)
    if not calls or size > _MAX_OPS:
        return 0
    copies, bodies, total = 0, 1, size
    while copies < _MAX_COPIES:
        bodies *= calls
        total += bodies * size
        if total > _MAX_TOTAL:
            break
        copies += 1
    return copies
