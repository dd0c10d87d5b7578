"""Prelude rows: channels.  SPAWN, AWAIT, SEND and RECV are syntax."""

from __future__ import annotations

from nxdc.tables.model import Prelude, prelude

ROWS: tuple[Prelude, ...] = (
    prelude(
        "TRY_SEND",
        "<T>(CH: CHANNEL<T>, VALUE: T): bool",
        c="nxd_channel_try_send_as",
        needs_self=True,
        takes=("VALUE",),
        transfers=("VALUE",),
        type_args=("T",),
        raises=("E3001", "E5002"),
        doc="Sends VALUE if that needs no waiting; gives whether it did.",
        example="LET CH SET CHANNEL<int>()\nPRINTLN(TRY_SEND(CH, 1))",
        output="true",
    ),
    prelude(
        "TRY_RECV",
        "<T>(CH: CHANNEL<T>): OPTION<T>",
        c="nxd_channel_try_recv_option",
        needs_self=True,
        type_args=("OPTION<T>",),
        raises=("E5002",),
        doc="SOME of the next value if there is one now, else NONE.",
        example="LET CH SET CHANNEL<int>()\nPRINTLN(TRY_RECV(CH))",
        output="NONE",
    ),
    prelude(
        "RECV_TIMEOUT",
        "<T>(CH: CHANNEL<T>, SECONDS: float): OPTION<T>",
        c="nxd_channel_recv_timeout_option",
        needs_self=True,
        type_args=("OPTION<T>",),
        raises=("E3003", "E3005", "E5002"),
        parks=True,
        doc="SOME of the next value if one comes in time, else NONE.",
        example="LET CH SET CHANNEL<int>()\nPRINTLN(RECV_TIMEOUT(CH, 0.001))",
        output="NONE",
    ),
    prelude(
        "RECV_TIMEOUT",
        "<T>(CH: CHANNEL<T>, SECONDS: int): OPTION<T>",
        c="nxd_channel_recv_timeout_seconds",
        needs_self=True,
        type_args=("OPTION<T>",),
        raises=("E3003", "E3005", "E5002"),
        parks=True,
        doc="SOME of the next value if one comes in time, else NONE.",
        example="LET CH SET CHANNEL<int>()\nPRINTLN(RECV_TIMEOUT(CH, 0))",
        output="NONE",
    ),
)
