"""Prelude rows: numbers and bit operations."""

from __future__ import annotations

from nxdc.tables.model import Prelude, prelude

ROWS: tuple[Prelude, ...] = (
    prelude(
        "ABS",
        "(X: int): int",
        nxd="""\
FUNC ABS(X: int): int:
    IF X LT 0:
        RETURN SUB X
    RETURN X
""",
        raises=("E1004",),
        doc="X without its sign.",
        example="PRINTLN(ABS(SUB 5))",
        output="5",
    ),
    prelude(
        "ABS",
        "(X: float): float",
        inline="float_abs",
        pure=True,
        doc="X without its sign.",
        example="PRINTLN(ABS(SUB 2.5))",
        output="2.5",
    ),
    prelude(
        "MIN",
        "<T : ORDERED>(A: T, B: T): T",
        nxd="""\
FUNC MIN<T : ORDERED>(A: T, B: T): T:
    IF B LT A OR A NEQ A:
        RETURN B
    RETURN A
""",
        doc="The lesser of A and B; nan counts as the greatest float, as in SORT.",
        example="PRINTLN(MIN(2, 1))",
        output="1",
    ),
    prelude(
        "MAX",
        "<T : ORDERED>(A: T, B: T): T",
        nxd="""\
FUNC MAX<T : ORDERED>(A: T, B: T): T:
    IF B GT A OR B NEQ B:
        RETURN B
    RETURN A
""",
        doc="The greater of A and B; nan counts as the greatest float, as in SORT.",
        example="PRINTLN(MAX(2, 1))",
        output="2",
    ),
    prelude(
        "POW",
        "(BASE: int, EXPONENT: int): int",
        c="nxd_int_pow",
        raises=("E1004", "E2001"),
        pure=True,
        doc="BASE to the power EXPONENT; E2001 for a negative exponent.",
        example="PRINTLN(POW(2, 10))",
        output="1024",
    ),
    prelude(
        "POW",
        "(BASE: float, EXPONENT: float): float",
        c="nxd_float_pow",
        pure=True,
        doc="BASE to the power EXPONENT.",
        example="PRINTLN(POW(2.0, 0.5))",
        output="1.4142135623730951",
    ),
    prelude(
        "SQRT",
        "(X: float): float",
        inline="float_sqrt",
        pure=True,
        doc="The square root of X; nan below 0.",
        example="PRINTLN(SQRT(9.0))",
        output="3.0",
    ),
    prelude(
        "FLOOR",
        "(X: float): int",
        c="nxd_float_floor",
        raises=("E5002",),
        pure=True,
        doc="The greatest int not above X.",
        example="PRINTLN(FLOOR(2.7))",
        output="2",
    ),
    prelude(
        "CEIL",
        "(X: float): int",
        c="nxd_float_ceil",
        raises=("E5002",),
        pure=True,
        doc="The least int not below X.",
        example="PRINTLN(CEIL(2.1))",
        output="3",
    ),
    prelude(
        "ROUND",
        "(X: float): int",
        c="nxd_float_round",
        raises=("E5002",),
        pure=True,
        doc="The int next to X; halves go away from 0.",
        example="PRINTLN(ROUND(2.5))",
        output="3",
    ),
    prelude(
        "SIN",
        "(X: float): float",
        c="nxd_float_sin",
        pure=True,
        doc="The sine of X (radians).",
        example="PRINTLN(SIN(0.0))",
        output="0.0",
    ),
    prelude(
        "COS",
        "(X: float): float",
        c="nxd_float_cos",
        pure=True,
        doc="The cosine of X (radians).",
        example="PRINTLN(COS(0.0))",
        output="1.0",
    ),
    prelude(
        "EXP",
        "(X: float): float",
        c="nxd_float_exp",
        pure=True,
        doc="e to the power X.",
        example="PRINTLN(EXP(0.0))",
        output="1.0",
    ),
    prelude(
        "LOG_E",
        "(X: float): float",
        c="nxd_float_log",
        pure=True,
        doc="The natural logarithm of X.",
        example="PRINTLN(LOG_E(1.0))",
        output="0.0",
    ),
    prelude(
        "BAND",
        "(A: int, B: int): int",
        inline="int_and",
        pure=True,
        doc="The bits set in both A and B.",
        example="PRINTLN(BAND(6, 3))",
        output="2",
    ),
    prelude(
        "BOR",
        "(A: int, B: int): int",
        inline="int_or",
        pure=True,
        doc="The bits set in A or B.",
        example="PRINTLN(BOR(6, 3))",
        output="7",
    ),
    prelude(
        "BXOR",
        "(A: int, B: int): int",
        inline="int_xor",
        pure=True,
        doc="The bits set in one of A and B.",
        example="PRINTLN(BXOR(6, 3))",
        output="5",
    ),
    prelude(
        "RT_SHL", "(X: int, N: int): int", inline="int_shl", hidden=True, pure=True, doc="X shifted left; N is 0 to 63."
    ),
    prelude(
        "RT_SHR",
        "(X: int, N: int): int",
        inline="int_shr",
        hidden=True,
        pure=True,
        doc="X shifted right, sign kept; N is 0 to 63.",
    ),
    prelude(
        "SHL",
        "(X: int, N: int): int",
        raises=("E2001",),
        nxd="""\
FUNC SHL(X: int, N: int): int:
    IF N LT 0 OR N GT 63:
        RAISE E2001 "a shift count is 0 to 63"
    RETURN RT_SHL(X, N)
""",
        doc="X shifted N bits to the left (0 to 63; E2001 otherwise); bits that leave are lost.",
        example="PRINTLN(SHL(1, 4))",
        output="16",
    ),
    prelude(
        "SHR",
        "(X: int, N: int): int",
        raises=("E2001",),
        nxd="""\
FUNC SHR(X: int, N: int): int:
    IF N LT 0 OR N GT 63:
        RAISE E2001 "a shift count is 0 to 63"
    RETURN RT_SHR(X, N)
""",
        doc="X shifted N bits to the right (0 to 63; E2001 otherwise), the sign kept.",
        example="PRINTLN(SHR(16, 4))",
        output="1",
    ),
)
