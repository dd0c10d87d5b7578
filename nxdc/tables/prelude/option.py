"""Prelude rows: OPTION and RESULT.  All are NXD source: a union's tag test needs no C."""

from __future__ import annotations

from nxdc.tables.model import Prelude, prelude

ROWS: tuple[Prelude, ...] = (
    prelude(
        "IS_SOME",
        "<T>(O: OPTION<T>): bool",
        nxd="""\
FUNC IS_SOME<T>(O: OPTION<T>): bool:
    MATCH O:
        CASE SOME(_): RETURN true
        CASE NONE: RETURN false
""",
        doc="Whether O has a value.",
        example="PRINTLN(IS_SOME(SOME(1)))",
        output="true",
    ),
    prelude(
        "IS_NONE",
        "<T>(O: OPTION<T>): bool",
        nxd="""\
FUNC IS_NONE<T>(O: OPTION<T>): bool:
    MATCH O:
        CASE SOME(_): RETURN false
        CASE NONE: RETURN true
""",
        doc="Whether O has no value.",
        example="PRINTLN(IS_NONE(SOME(1)))",
        output="false",
    ),
    prelude(
        "IS_OK",
        "<T, E>(R: RESULT<T, E>): bool",
        nxd="""\
FUNC IS_OK<T, E>(R: RESULT<T, E>): bool:
    MATCH R:
        CASE OK(_): RETURN true
        CASE ERR(_): RETURN false
""",
        doc="Whether R is OK.",
        example='PRINTLN(IS_OK(PARSE_INT("1")))',
        output="true",
    ),
    prelude(
        "IS_ERR",
        "<T, E>(R: RESULT<T, E>): bool",
        nxd="""\
FUNC IS_ERR<T, E>(R: RESULT<T, E>): bool:
    MATCH R:
        CASE OK(_): RETURN false
        CASE ERR(_): RETURN true
""",
        doc="Whether R is ERR.",
        example='PRINTLN(IS_ERR(PARSE_INT("x")))',
        output="true",
    ),
    prelude(
        "UNWRAP",
        "<T>(O: OPTION<T>): T",
        raises=("E1006",),
        nxd="""\
FUNC UNWRAP<T>(O: OPTION<T>): T:
    MATCH O:
        CASE SOME(X): RETURN X
        CASE NONE: RAISE E1006
""",
        doc="The value of O; E1006 without one.",
        example="PRINTLN(UNWRAP(SOME(1)))",
        output="1",
    ),
    prelude(
        "UNWRAP",
        "<T, E>(R: RESULT<T, E>): T",
        nxd="""\
FUNC UNWRAP<T, E>(R: RESULT<T, E>): T:
    MATCH R:
        CASE OK(X): RETURN X
        CASE ERR(E): THROW E
""",
        doc="The value of an OK; throws what an ERR holds.",
        example='PRINTLN(UNWRAP(PARSE_INT("7")))',
        output="7",
    ),
    prelude(
        "UNWRAP_OR",
        "<T>(O: OPTION<T>, OTHER: T): T",
        nxd="""\
FUNC UNWRAP_OR<T>(O: OPTION<T>, OTHER: T): T:
    MATCH O:
        CASE SOME(X): RETURN X
        CASE NONE: RETURN OTHER
""",
        doc="The value of O, or OTHER without one.",
        example='PRINTLN(UNWRAP_OR(GET(MAP { "a": 1 }, "b"), 0))',
        output="0",
    ),
    prelude(
        "UNWRAP_OR",
        "<T, E>(R: RESULT<T, E>, OTHER: T): T",
        nxd="""\
FUNC UNWRAP_OR<T, E>(R: RESULT<T, E>, OTHER: T): T:
    MATCH R:
        CASE OK(X): RETURN X
        CASE ERR(_): RETURN OTHER
""",
        doc="The value of an OK, or OTHER.",
        example='PRINTLN(UNWRAP_OR(PARSE_INT("x"), 0))',
        output="0",
    ),
    prelude(
        "MAP_OK",
        "<T, E, U>(R: RESULT<T, E>, F: fn(T): U): RESULT<U, E>",
        nxd="""\
FUNC MAP_OK<T, E, U>(R: RESULT<T, E>, F: fn(T): U): RESULT<U, E>:
    MATCH R:
        CASE OK(X): RETURN OK(F(X))
        CASE ERR(E): RETURN ERR(E)
""",
        doc="R with the value of an OK replaced by what F gives for it.",
        example='PRINTLN(MAP_OK(PARSE_INT("2"), fn(X) => X MUL 2))',
        output="OK(4)",
    ),
    prelude(
        "MAP_ERR",
        "<T, E, U>(R: RESULT<T, E>, F: fn(E): U): RESULT<T, U>",
        nxd="""\
FUNC MAP_ERR<T, E, U>(R: RESULT<T, E>, F: fn(E): U): RESULT<T, U>:
    MATCH R:
        CASE OK(X): RETURN OK(X)
        CASE ERR(E): RETURN ERR(F(E))
""",
        doc="R with the value of an ERR replaced by what F gives for it.",
        example='PRINTLN(IS_ERR(MAP_ERR(PARSE_INT("x"), fn(E) => LEN(E))))',
        output="true",
    ),
    prelude(
        "OK_OR",
        "<T, E>(O: OPTION<T>, ERROR: E): RESULT<T, E>",
        nxd="""\
FUNC OK_OR<T, E>(O: OPTION<T>, ERROR: E): RESULT<T, E>:
    MATCH O:
        CASE SOME(X): RETURN OK(X)
        CASE NONE: RETURN ERR(ERROR)
""",
        doc="OK with the value of O, or ERR(ERROR) without one.",
        example='PRINTLN(OK_OR(SOME(1), "nothing"))',
        output="OK(1)",
    ),
)
