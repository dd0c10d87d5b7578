"""Run-time error codes, `E1xxx` to `E6xxx`. Numbers and messages are those of runtime_c (`nxd_abi.gen.h`)."""

from __future__ import annotations

from nxdc.diagnostics.codes.registry import code
from nxdc.diagnostics.model import ERROR

E1001 = code("E1001", "type-mismatch-at-run-time", ERROR, message="type mismatch")
E1002 = code("E1002", "index-out-of-bounds", ERROR, message="index out of bounds")
E1003 = code("E1003", "key-not-found", ERROR, message="key not found")
E1004 = code("E1004", "integer-overflow", ERROR, message="integer overflow")
E1005 = code("E1005", "division-by-zero", ERROR, message="division by zero")
E1006 = code("E1006", "none-has-no-value", ERROR, message="none has no value")
E1007 = code("E1007", "stack-overflow", ERROR, message="stack overflow")
E1008 = code("E1008", "assertion-failed", ERROR, message="assertion failed")
E1009 = code("E1009", "out-of-memory", ERROR, message="out of memory")
E2001 = code("E2001", "constraint-violation", ERROR, message="constraint violation")
E3001 = code("E3001", "channel-closed", ERROR, message="channel closed")
E3002 = code("E3002", "channel-full", ERROR, message="channel full")
E3003 = code("E3003", "deadlock", ERROR, message="deadlock")
E3004 = code("E3004", "timeout", ERROR, message="timeout")
E3005 = code("E3005", "cancelled", ERROR, message="cancelled")
E4001 = code("E4001", "capability-revoked", ERROR, message="capability revoked")
E4002 = code("E4002", "capability-not-delegable", ERROR, message="capability not delegable")
E5001 = code("E5001", "no-case-matches", ERROR, message="no case matches")
E5002 = code("E5002", "invalid-cast-at-run-time", ERROR, message="invalid cast")
E6001 = code("E6001", "io-error", ERROR, message="i/o error")
