"""The fixed parts of generated programs: helpers that keep values small, traits, generic functions, shared state."""

from __future__ import annotations

from tests.fuzz.types import function_to, list_of, option_of

BASE = """
FUNC SHORT(S: string): string:
    RETURN IF LEN(S) GT 24 THEN SUBSTR(S, 0, 24) ELSE S
FUNC CUT<T>(L: LIST<T>): LIST<T>:
    LET R SET LIST<T> []
    LOOP X IN L:
        IF LEN(R) LT 6: PUSH R, X
    RETURN R
FUNC BOXED(X: any): any:
    RETURN X
FUNC QUIET(X):
    LET TEXT SET "" ADD X
    IF LEN(TEXT) LT 0: THROW TEXT
FUNC ATTEMPT(F: fn(int): string): string:
    RETURN TRY F(0) CATCH E:
        E
FUNC PICK(C, A, B):
    IF C:
        RETURN A
    RETURN B
"""

TRAITS = """
TRAIT DESCRIBED { FUNC DESCRIBE(X, N: int): string }
TRAIT SIZED { FUNC SIZE(X): int }
TRAIT RANKED IMPLEMENTS DESCRIBED { FUNC RANK(X): int }
FUNC TELL<T : DESCRIBED>(X: T, N: int): string:
    RETURN SHORT("<" ADD X.DESCRIBE(N)) ADD ">"
FUNC TELL_ALL<T>(L: LIST<T>): string WHERE T : DESCRIBED:
    LET R SET ""
    LOOP X IN L: R SETADD TELL(X, LEN(R))
    RETURN SHORT(R)
"""

LINK = """
FUNC PRUNE_LINK0(X: LINK0, N: int): LINK0:
    LET NEXT: OPTION<LINK0> SET NONE
    MATCH X.NEXT:
        CASE SOME(Y) WHEN N GT 0: NEXT SET SOME(PRUNE_LINK0(Y, N SUB 1))
        OTHERWISE: NEXT SET NONE
    RETURN LINK0 { VALUE: X.VALUE, NEXT: NEXT, EXTRA: X.EXTRA }
FUNC SIZE_LINK0(X: LINK0): int:
    MATCH X.NEXT:
        CASE NONE: RETURN 1
        CASE SOME(LINK0 { NEXT: NONE }): RETURN 2
        CASE SOME(Y): RETURN 1 ADD SIZE_LINK0(Y)
"""

GENERIC = """
FUNC LEAST<T : ORDERED>(L: LIST<T>, D: T): T:
    LET BEST SET D
    LOOP X IN L:
        IF X LT BEST: BEST SET X
    RETURN BEST
FUNC SWAPPED<A, B>(P: PAIR0<A, B>, X: B, Y: A): PAIR0<A, B>:
    P.SND SET X
    P.THD SET Y
    RETURN P
FUNC TWICE<T>(X: T, F: fn(T): T): T:
    RETURN F(F(X))
"""

STATE = """
TYPE TALLY { SUM: int, HITS: float }
LET TOTAL0: int SET 0
LET TALLY0 SET TALLY { SUM: 0, HITS: 0.0 }
LET LOG0: LIST<int> SET []
LET SEEN0: MAP<int, int> SET MAP<int, int> { 0: 0, 1: 0, 2: 0, 3: 0 }
LET WORDS0 SET MAP<bool, LIST<int>> { true: [0], false: [0, 0] }
LET TEXT0 SET ""
FUNC BUMP(N: int, WHO: int): int:
    LOOP I FROM 1 TO N:
        TOTAL0 SETADD I
        TALLY0.SUM SETADD WHO
        TALLY0.HITS SETADD 0.5
        PUSH LOG0, I
        SEEN0[I MOD 4] SETADD 1
        WORDS0[I GT 3][0] SETADD 1
        IF I MOD 5 EQ 0: TEXT0 SETADD "é"
    RETURN N
"""


def tree(payload: str) -> str:
    """The functions of the recursive union."""
    return f"""
FUNC PRUNE_TREE0(X: TREE0, N: int): TREE0:
    IF N LTE 0: RETURN LEAF0
    MATCH X:
        CASE NODE0(A, B, C): RETURN NODE0(PRUNE_TREE0(A, N SUB 1), B, PRUNE_TREE0(C, N SUB 1))
        CASE MANY0(L):
            LET R SET LIST<TREE0> []
            LOOP Y IN L:
                IF LEN(R) LT 3: PUSH R, PRUNE_TREE0(Y, N SUB 1)
            RETURN MANY0(R)
        CASE LEAF0: RETURN X
FUNC SIZE_TREE0(X: TREE0): int:
    MATCH X:
        CASE LEAF0: RETURN 1
        CASE NODE0(LEAF0, _, LEAF0): RETURN 3
        CASE NODE0(A, _, C): RETURN SIZE_TREE0(A) ADD SIZE_TREE0(C) ADD 1
        CASE MANY0([]): RETURN 1
        CASE MANY0(L): RETURN L PIPEMAP SIZE_TREE0 PIPE SUM
FUNC FRUIT_TREE0(X: TREE0, D: {payload}): {payload}:
    RETURN TRY FIRST_TREE0(X) CATCH E:
        D
FUNC FIRST_TREE0(X: TREE0): {payload}:
    MATCH X:
        CASE LEAF0: THROW "leaf"
        CASE NODE0(_, B, _): RETURN B
        CASE MANY0([A, _...]): RETURN FIRST_TREE0(A)
        OTHERWISE: RAISE E7009
"""


def generic_functions(type_: str, other: str) -> list[tuple[str, str, list[str], str]]:
    """Functions with type parameters: header, body, and parameter types and result of an instance."""
    pair = f"PAIR0<{other}, {type_}>"
    made = [
        ("<T>(X: T, L: LIST<T>): LIST<T>", "LET R SET CUT(L)\nPUSH R, X\nRETURN R",
         [type_, list_of(type_)], list_of(type_)),
        ("<T>(L: LIST<T>): OPTION<T>", "IF LEN(L) LT 2: RETURN NONE\nRETURN SOME(L[1])",
         [list_of(type_)], option_of(type_)),
        ("<A, B>(P: PAIR0<A, B>): B", "RETURN SWAPPED(CLONE P, P.SND, P.THD).SND", [pair], type_),
        (
            "<A, B>(X: A, Y: B, C: bool): EITHER0<A, B>",
            "LET R: EITHER0<A, B> SET RIGHT0(Y)\nIF C: R SET BOTH0(X, Y)\nRETURN R",
            [other, type_, "bool"],
            f"EITHER0<{other}, {type_}>",
        ),
        ("<T>(X: T): T", "RETURN TWICE(X, fn(Y) => Y)", [type_], type_),
        ("<K, V>(M: MAP<K, V>, D: V): V", "LET R SET D\nLOOP A, B IN M: R SET B\nRETURN R",
         [f"MAP<string, {type_}>", type_], type_),
        ("(X, F)", "RETURN F(X)", ["int", function_to(type_)], type_),
    ]  # fmt: skip
    if other != "bool":
        made.append(("<T : ORDERED>(X: T, Y: T): T", "RETURN LEAST([X, Y, Y], X)", [other, other], other))
    return made
