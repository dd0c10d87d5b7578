"""Prelude rows: time and random numbers."""

from __future__ import annotations

from nxdc.tables.model import Prelude, prelude

TIMEINFO = "{ YEAR: int, MONTH: int, DAY: int, HOUR: int, MIN: int, SEC: int, WEEKDAY: int }"

ROWS: tuple[Prelude, ...] = (
    prelude(
        "NOW",
        "(): int",
        c="nxd_time_now",
        doc="The time in milliseconds since 1970-01-01 UTC.",
        example="PRINTLN(NOW() GT 0)",
        output="true",
    ),
    prelude(
        "CURRENT_TIME",
        "(): int",
        c="nxd_time_now",
        doc="The same as NOW.",
        example="PRINTLN(CURRENT_TIME() GT 0)",
        output="true",
    ),
    prelude(
        "SLEEP",
        "(SECONDS: float): none",
        c="nxd_sleep",
        needs_self=True,
        raises=("E3005",),
        parks=True,
        doc="Waits; other processes run meanwhile.",
        example='SLEEP(0.001)\nPRINTLN("awake")',
        output="awake",
    ),
    prelude(
        "SLEEP",
        "(SECONDS: int): none",
        c="nxd_sleep_seconds",
        needs_self=True,
        raises=("E3005",),
        parks=True,
        doc="Waits; other processes run meanwhile.",
        example='SLEEP(0)\nPRINTLN("awake")',
        output="awake",
    ),
    prelude(
        "AFTER",
        "<T>(SECONDS: float, F: fn(): T): PROCESS<T>",
        nxd="""\
FUNC AFTER<T>(SECONDS: float, F: fn(): T): PROCESS<T>:
    LET H SET SPAWN fn():
        SLEEP(SECONDS)
        RETURN F()
    RETURN H
""",
        doc="Starts a process that waits and then calls F.",
        example="PRINTLN(AWAIT AFTER(0.001, fn() => 5))",
        output="5",
    ),
    prelude(
        "AFTER",
        "<T>(SECONDS: int, F: fn(): T): PROCESS<T>",
        nxd="""\
FUNC AFTER<T>(SECONDS: int, F: fn(): T): PROCESS<T>:
    LET H SET SPAWN fn():
        SLEEP(SECONDS)
        RETURN F()
    RETURN H
""",
        doc="Starts a process that waits and then calls F.",
        example="PRINTLN(AWAIT AFTER(0, fn() => 5))",
        output="5",
    ),
    prelude(
        "DATE_STRING",
        "(MS: int): string",
        c="nxd_time_date_string",
        pure=True,
        doc="The day of a time, UTC.",
        example="PRINTLN(DATE_STRING(0))",
        output="1970-01-01",
    ),
    prelude(
        "TIMEINFO",
        f"(MS: int): {TIMEINFO}",
        c="nxd_time_info",
        pure=False,
        doc="Year, month, day, hour, minute, second and weekday (Sunday 0) of a time, UTC.",
        example="PRINTLN(TIMEINFO(0).YEAR)",
        output="1970",
    ),
    prelude(
        "RANDOM",
        "(FROM: int, TO: int): int",
        c="nxd_random_int",
        raises=("E2001",),
        doc="A random int from FROM to TO, both included.",
        example="PRINTLN(RANDOM(3, 3))",
        output="3",
    ),
    prelude(
        "RANDOM_INT",
        "(FROM: int, TO: int): int",
        c="nxd_random_int",
        raises=("E2001",),
        doc="A random int from FROM to TO, both included.",
        example="PRINTLN(RANDOM_INT(3, 3))",
        output="3",
    ),
    prelude(
        "RANDOM_FLOAT",
        "(FROM: float, TO: float): float",
        c="nxd_random_float",
        raises=("E2001",),
        doc="A random float from FROM up to, not including, TO.",
        example="PRINTLN(RANDOM_FLOAT(0.0, 1.0) LT 1.0)",
        output="true",
    ),
    prelude(
        "RANDOM_STRING",
        "(N: int): string",
        c="nxd_random_string",
        raises=("E1009", "E2001"),
        doc="N random letters and digits.",
        example="PRINTLN(LEN(RANDOM_STRING(8)))",
        output="8",
    ),
    prelude(
        "SEED",
        "(N: int): none",
        c="nxd_random_seed",
        doc="Starts the random numbers anew, so that a run can be repeated.",
        example="SEED(1)\nLET A SET RANDOM(1, 1000)\nSEED(1)\nPRINTLN(A EQ RANDOM(1, 1000))",
        output="true",
    ),
)
