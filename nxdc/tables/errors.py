"""The run-time error codes of LANGUAGE.md section 7.  `gen_header.py` writes them into nxd_abi.gen.h."""

from __future__ import annotations

from nxdc.tables.model import RuntimeCode

RUNTIME_ERRORS: tuple[RuntimeCode, ...] = (
    RuntimeCode("E1001", "type mismatch"),
    RuntimeCode("E1002", "index out of bounds"),
    RuntimeCode("E1003", "key not found"),
    RuntimeCode("E1004", "integer overflow"),
    RuntimeCode("E1005", "division by zero"),
    RuntimeCode("E1006", "none has no value"),
    RuntimeCode("E1007", "stack overflow"),
    RuntimeCode("E1008", "assertion failed"),
    RuntimeCode("E1009", "out of memory"),
    RuntimeCode("E2001", "constraint violation"),
    RuntimeCode("E3001", "channel closed"),
    RuntimeCode("E3002", "channel full"),
    RuntimeCode("E3003", "deadlock"),
    RuntimeCode("E3004", "timeout"),
    RuntimeCode("E3005", "cancelled"),
    RuntimeCode("E4001", "capability revoked"),
    RuntimeCode("E4002", "capability not delegable"),
    RuntimeCode("E5001", "no case matches"),
    RuntimeCode("E5002", "invalid cast"),
    RuntimeCode("E6001", "i/o error"),
)

BY_CODE = {error.code: error for error in RUNTIME_ERRORS}

# Codes a program may RAISE as its own, without an entry here; their message is the detail.
FIRST_USER_CODE = 7000
LAST_USER_CODE = 9999
