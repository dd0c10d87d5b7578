"""Prelude rows: input, output and the system around the program."""

from __future__ import annotations

from nxdc.tables.model import Prelude, prelude

NEWLINE = 1  # flags of nxd_print
STDERR = 2

ROWS: tuple[Prelude, ...] = (
    prelude(
        "PRINT",
        "<T>(X: T): none",
        c="nxd_print",
        type_args=("T",),
        const_args=(0,),
        doc="Writes X on standard output.",
        example='PRINT("a")\nPRINT(1)\nPRINTLN("")',
        output="a1",
    ),
    prelude(
        "PRINTLN",
        "<T>(X: T): none",
        c="nxd_print",
        type_args=("T",),
        const_args=(NEWLINE,),
        doc="Writes X and a line end on standard output.",
        example='PRINTLN(["a", "b"])',
        output='["a", "b"]',
    ),
    prelude(
        "PRINTLN",
        "(): none",
        c="nxd_print_newline",
        const_args=(NEWLINE,),
        doc="Writes a line end on standard output.",
        example="PRINTLN()",
        output="",
    ),
    prelude(
        "EPRINTLN",
        "<T>(X: T): none",
        c="nxd_print",
        type_args=("T",),
        const_args=(NEWLINE | STDERR,),
        doc="Writes X and a line end on standard error.",
        example='EPRINTLN("problem")',
        output="",
    ),
    prelude(
        "READ_LINE",
        "(): OPTION<string>",
        c="nxd_read_line",
        needs_self=True,
        raises=("E6001",),
        doc="SOME of the next line of standard input without its line end; NONE at the end.",
        example="PRINTLN(READ_LINE())",
        output="NONE",
    ),
    prelude(
        "ARGS",
        "(): LIST<string>",
        c="nxd_args",
        doc="The arguments the program was started with, without its name.",
        example="PRINTLN(LEN(ARGS()))",
        output="0",
    ),
    prelude(
        "ENV",
        "(NAME: string): OPTION<string>",
        c="nxd_env",
        doc="SOME of an environment variable, or NONE.",
        example='PRINTLN(ENV("NXD_SURELY_NOT_SET"))',
        output="NONE",
    ),
    prelude(
        "EXIT",
        "(CODE: int): none",
        c="nxd_exit",
        needs_self=True,
        diverges=True,
        doc="Ends the program at once with the given exit status.",
        example='PRINTLN("bye")\nEXIT(0)',
        output="bye",
    ),
    prelude(
        "ASSERT",
        "(CONDITION: bool): none",
        nxd="""\
FUNC ASSERT(CONDITION: bool):
    IF NOT CONDITION:
        RAISE E1008
""",
        raises=("E1008",),
        doc="Raises E1008 unless CONDITION holds.",
        example='ASSERT(1 LT 2)\nPRINTLN("fine")',
        output="fine",
    ),
    prelude(
        "ASSERT",
        "(CONDITION: bool, MESSAGE: string): none",
        nxd="""\
FUNC ASSERT(CONDITION: bool, MESSAGE: string):
    IF NOT CONDITION:
        RAISE E1008 MESSAGE
""",
        raises=("E1008",),
        doc="Raises E1008 with MESSAGE unless CONDITION holds.",
        example='ASSERT(1 LT 2, "order")\nPRINTLN("fine")',
        output="fine",
    ),
    prelude(
        "DEBUG",
        "<T>(X: T): none",
        c="nxd_debug",
        type_args=("T",),
        doc="Writes X on standard error as it stands inside other values: strings quoted.",
        example='DEBUG("a")',
        output="",
    ),
)
