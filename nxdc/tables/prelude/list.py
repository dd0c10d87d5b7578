"""Prelude rows: lists.  Functions that call a function value are NXD source, so that C never calls compiled code."""

from __future__ import annotations

from nxdc.tables.model import Prelude, prelude

ROWS: tuple[Prelude, ...] = (
    prelude(
        "LEN",
        "<T>(L: LIST<T>): int",
        inline="list_length",
        doc="The number of elements of L.",
        example="PRINTLN(LEN([1, 2, 3]))",
        output="3",
    ),
    prelude(
        "PUSH",
        "<T>(L: LIST<T>, X: T): none",
        c="nxd_list_push",
        takes=("X",),
        changes=("L",),
        doc="Appends X to L.",
        example="LET L SET [1]\nPUSH(L, 2)\nPRINTLN(L)",
        output="[1, 2]",
    ),
    prelude(
        "PUSH",
        "(L: any, X: any): none",
        c="nxd_any_push",
        takes=("X",),
        changes=("L",),
        raises=("E1001", "E5002"),
        doc="Appends X to the list that L holds.",
        example="LET L: any SET [1]\nPUSH(L, 2)\nPRINTLN(L)",
        output="[1, 2]",
    ),
    prelude(
        "POP",
        "<T>(L: LIST<T>): T",
        c="nxd_list_pop",
        changes=("L",),
        raises=("E1002",),
        doc="Removes the last element of L and gives it.",
        example="LET L SET [1, 2]\nPRINTLN(POP(L))\nPRINTLN(L)",
        output="2\n[1]",
    ),
    prelude(
        "INSERT",
        "<T>(L: LIST<T>, I: int, X: T): none",
        c="nxd_list_insert",
        takes=("X",),
        changes=("L",),
        raises=("E1002",),
        doc="Puts X before position I of L; I may be the length.",
        example="LET L SET [1, 3]\nINSERT(L, 1, 2)\nPRINTLN(L)",
        output="[1, 2, 3]",
    ),
    prelude(
        "REMOVE",
        "<T>(L: LIST<T>, I: int): none",
        c="nxd_list_remove_at",
        changes=("L",),
        raises=("E1002",),
        doc="Removes the element at position I of L.",
        example="LET L SET [1, 2, 3]\nREMOVE(L, 0)\nPRINTLN(L)",
        output="[2, 3]",
    ),
    prelude(
        "HEAD",
        "<T>(L: LIST<T>): T",
        c="nxd_list_head",
        raises=("E1002",),
        doc="The first element of L.",
        example="PRINTLN(HEAD([1, 2]))",
        output="1",
    ),
    prelude(
        "TAIL",
        "<T>(L: LIST<T>): LIST<T>",
        c="nxd_list_tail",
        raises=("E1002",),
        doc="A new list of all elements of L but the first.",
        example="PRINTLN(TAIL([1, 2, 3]))",
        output="[2, 3]",
    ),
    prelude(
        "SLICE",
        "<T>(L: LIST<T>, FROM: int, TO: int): LIST<T>",
        c="nxd_list_slice",
        raises=("E1002",),
        doc="A new list of the elements from position FROM up to, not including, TO.",
        example="PRINTLN(SLICE([1, 2, 3, 4], 1, 3))",
        output="[2, 3]",
    ),
    prelude(
        "CONCAT",
        "<T>(A: LIST<T>, B: LIST<T>): LIST<T>",
        c="nxd_list_concat",
        doc="A new list of the elements of A, then those of B.",
        example="PRINTLN(CONCAT([1], [2, 3]))",
        output="[1, 2, 3]",
    ),
    prelude(
        "REVERSE",
        "<T>(L: LIST<T>): LIST<T>",
        c="nxd_list_reverse",
        doc="A new list of the elements of L, last first.",
        example="PRINTLN(REVERSE([1, 2, 3]))",
        output="[3, 2, 1]",
    ),
    prelude(
        "REVERSE",
        "(S: string): string",
        c="nxd_string_reverse",
        pure=True,
        doc="The characters of S, last first.",
        example='PRINTLN(REVERSE("abc"))',
        output="cba",
    ),
    prelude(
        "SORT",
        "<T : ORDERED>(L: LIST<T>): LIST<T>",
        c="nxd_list_sort",
        doc="A new list of the elements of L in ascending order; equal elements keep their order.",
        example="PRINTLN(SORT([3, 1, 2]))",
        output="[1, 2, 3]",
    ),
    prelude(
        "RT_SORT_BY_KEYS",
        "<T, K : ORDERED>(L: LIST<T>, KEYS: LIST<K>): LIST<T>",
        c="nxd_list_sort_by_keys",
        hidden=True,
        doc="L ordered as its KEYS are.",
    ),
    prelude(
        "SORT_BY",
        "<T, K : ORDERED>(L: LIST<T>, KEY: fn(T): K): LIST<T>",
        nxd="""\
FUNC SORT_BY<T, K : ORDERED>(L: LIST<T>, KEY: fn(T): K): LIST<T>:
    LET ITEMS SET LIST<T> []
    LET KEYS SET LIST<K> []
    LOOP X IN L:
        PUSH ITEMS, X
        PUSH KEYS, KEY(X)
    RETURN RT_SORT_BY_KEYS(ITEMS, KEYS)
""",
        doc="A new list of the elements of L ordered by what KEY gives for each; equal ones keep their order.",
        example='PRINTLN(SORT_BY(["ccc", "a", "bb"], fn(S) => LEN(S)))',
        output='["a", "bb", "ccc"]',
    ),
    prelude(
        "MAP",
        "<T, U>(L: LIST<T>, F: fn(T): U): LIST<U>",
        nxd="""\
FUNC MAP<T, U>(L: LIST<T>, F: fn(T): U): LIST<U>:
    LET OUT SET LIST<U> []
    LOOP X IN L:
        PUSH OUT, F(X)
    RETURN OUT
""",
        doc="A new list of what F gives for each element of L.",
        example="PRINTLN(MAP([1, 2], fn(X) => X MUL 10))",
        output="[10, 20]",
    ),
    prelude(
        "FILTER",
        "<T>(L: LIST<T>, F: fn(T): bool): LIST<T>",
        nxd="""\
FUNC FILTER<T>(L: LIST<T>, F: fn(T): bool): LIST<T>:
    LET OUT SET LIST<T> []
    LOOP X IN L:
        IF F(X):
            PUSH OUT, X
    RETURN OUT
""",
        doc="A new list of the elements of L for which F gives true.",
        example="PRINTLN(FILTER([1, 2, 3], fn(X) => X GT 1))",
        output="[2, 3]",
    ),
    prelude(
        "REDUCE",
        "<T, A>(L: LIST<T>, INIT: A, F: fn(A, T): A): A",
        nxd="""\
FUNC REDUCE<T, A>(L: LIST<T>, INIT: A, F: fn(A, T): A): A:
    LET TOTAL SET INIT
    LOOP X IN L:
        TOTAL SET F(TOTAL, X)
    RETURN TOTAL
""",
        doc="F(...F(F(INIT, first), second)..., last).",
        example="PRINTLN(REDUCE([1, 2, 3], 0, fn(A, X) => A ADD X))",
        output="6",
    ),
    prelude(
        "ANY",
        "<T>(L: LIST<T>, F: fn(T): bool): bool",
        nxd="""\
FUNC ANY<T>(L: LIST<T>, F: fn(T): bool): bool:
    LOOP X IN L:
        IF F(X):
            RETURN true
    RETURN false
""",
        doc="Whether F gives true for some element of L.",
        example="PRINTLN(ANY([1, 2], fn(X) => X GT 1))",
        output="true",
    ),
    prelude(
        "ALL",
        "<T>(L: LIST<T>, F: fn(T): bool): bool",
        nxd="""\
FUNC ALL<T>(L: LIST<T>, F: fn(T): bool): bool:
    LOOP X IN L:
        IF NOT F(X):
            RETURN false
    RETURN true
""",
        doc="Whether F gives true for every element of L.",
        example="PRINTLN(ALL([1, 2], fn(X) => X GT 1))",
        output="false",
    ),
    prelude(
        "SUM",
        "(L: LIST<int>): int",
        c="nxd_list_sum_i",
        raises=("E1004",),
        doc="The sum of the elements of L, 0 without any.",
        example="PRINTLN(SUM([1, 2, 3]))",
        output="6",
    ),
    prelude(
        "SUM",
        "(L: LIST<float>): float",
        c="nxd_list_sum_f",
        doc="The sum of the elements of L, 0.0 without any.",
        example="PRINTLN(SUM([0.5, 1.5]))",
        output="2.0",
    ),
    prelude(
        "MIN",
        "<T : ORDERED>(L: LIST<T>): T",
        c="nxd_list_min",
        raises=("E1002",),
        doc="The least element of L.",
        example="PRINTLN(MIN([3, 1, 2]))",
        output="1",
    ),
    prelude(
        "MAX",
        "<T : ORDERED>(L: LIST<T>): T",
        c="nxd_list_max",
        raises=("E1002",),
        doc="The greatest element of L.",
        example="PRINTLN(MAX([3, 1, 2]))",
        output="3",
    ),
    prelude(
        "INDEX_OF",
        "<T>(L: LIST<T>, X: T): int",
        c="nxd_list_index_of",
        doc="The position of the first element of L that equals X, -1 without one.",
        example="PRINTLN(INDEX_OF([5, 6], 6))",
        output="1",
    ),
    prelude(
        "CONTAINS",
        "<T>(L: LIST<T>, X: T): bool",
        c="nxd_list_contains",
        doc="Whether some element of L equals X.",
        example="PRINTLN(CONTAINS([1, 2], 2))",
        output="true",
    ),
    prelude(
        "ZIP",
        "<T, U>(L: LIST<T>, M: LIST<U>): LIST<{ A: T, B: U }>",
        nxd="""\
FUNC ZIP<T, U>(L: LIST<T>, M: LIST<U>): LIST<{ A: T, B: U }>:
    LET OUT SET LIST<{ A: T, B: U }> []
    LET I SET 0
    LOOP X IN L:
        IF I GTE LEN(M):
            BREAK
        PUSH OUT, { A: X, B: M[I] }
        I SETADD 1
    RETURN OUT
""",
        doc="Records { A, B } of the elements of L and M at the same positions, up to the end of the shorter.",
        example='PRINTLN(ZIP([1, 2], ["a", "b"]))',
        output='[{ A: 1, B: "a" }, { A: 2, B: "b" }]',
    ),
    prelude(
        "RANGE",
        "(FROM: int, TO: int): LIST<int>",
        c="nxd_list_range",
        raises=("E1009",),
        pure=False,
        doc="The ints from FROM up to, not including, TO. A loop over it builds no list.",
        example="PRINTLN(RANGE(1, 4))",
        output="[1, 2, 3]",
    ),
)
