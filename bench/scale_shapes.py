"""The shapes a generated program is made of: each writes some declarations with their comment and a use of them.

A shape is a function of a `Shelf` (see scale_program.py). `put` writes lines of NXD in which `$NAME` stands for a
name made up for this use; `use` gives an `int` expression that runs everything the shape has declared, always with
the same result. Numbers stay small, so nothing overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol


class Shelf(Protocol):
    """What a shape writes to: a module under way."""

    random: Random

    def noun(self) -> str:
        """A name no other shape of the program has."""

    def put(self, text: str, **names: object) -> None:
        """Lines of the module."""

    def use(self, expression: str) -> None:
        """An int expression the module adds to its sum."""

    def helpers(self) -> list[str]:
        """Functions from int to int of this module and those it imports."""

    def helper(self, name: str) -> None:
        """Declares a function from int to int that others may call."""


def records(w: Shelf) -> None:
    """A struct, a map of them, and what programs do with such a store."""
    n = w.noun()
    fields = [(name, *kind) for name, kind in zip(_pick(w, _FIELDS, 4), _pick(w, _KINDS, 4, repeat=True), strict=True)]
    declared = "\n".join(f"    {name}: {type_}" for name, type_, _, _ in fields)
    made = ", ".join(f"{name}: {value}" for name, _, value, _ in fields)
    shown = "\n".join(f"    {line.replace('@', 'X.' + name)}" for name, _, _, line in fields)
    w.put(
        """
        # The $N store: by number, in order of arrival.
        TYPE $N {
            ID: int
            NAME: string
        $declared
        }

        LET STORE_$N SET MAP<int, $N> {}

        FUNC MAKE_$N(ID: int, NAME: string): $N:
            RETURN $N { ID: ID, NAME: NAME, $made }

        FUNC ADD_$N(X: $N): bool:
            IF STORE_$N HAS X.ID:
                RETURN false
            STORE_$N[X.ID] SET X
            RETURN true

        FUNC FIND_$N(ID: int): OPTION<$N>:
            IF NOT (STORE_$N HAS ID):
                RETURN NONE
            RETURN SOME(STORE_$N[ID])

        FUNC SHOW_$N(X: $N): string:
            LET TEXT SET "#" ADD X.ID ADD " " ADD PAD_RIGHT(X.NAME, $width, ".")
        $shown
            RETURN TEXT

        FUNC TRY_$N(COUNT: int): int:
            LOOP I FROM 1 TO COUNT:
                IF NOT ADD_$N(MAKE_$N(I MOD $wrap, "$word" ADD I)):
                    STORE_$N[I MOD $wrap].NAME SET "again"
            LET FOUND SET 0
            LOOP I FROM 0 TO COUNT STEP 2:
                MATCH FIND_$N(I):
                    CASE SOME(X): FOUND SETADD LEN(SHOW_$N(X))
                    CASE NONE: FOUND SETADD 1
            LOOP K, X IN STORE_$N:
                FOUND SET (FOUND MUL 3 ADD K ADD HASH_TEXT(SHOW_$N(X))) MOD 1000003
            RETURN FOUND
        """,
        N=n,
        declared=declared,
        made=made,
        shown=shown,
        width=w.random.randint(6, 12),
        wrap=w.random.randint(5, 9),
        word=n.lower(),
    )
    w.use(f"TRY_{n}({w.random.randint(8, 15)})")


_FIELDS = ("AMOUNT", "COUNT", "OWNER", "RATE", "OPEN", "TAGS", "LEVEL", "NOTE", "WEIGHT", "DONE", "PARTS", "CODE")
# Type of a field, its value from ID and NAME, and a line that shows it.
_KINDS = (
    ("int", "ID MUL 7", 'TEXT SETADD " " ADD @'),
    ("int", "LEN(NAME) ADD ID", 'IF @ GT 9: TEXT SETADD " many"'),
    ("float", "(ID AS float) DIV 4.0", 'TEXT SETADD " x" ADD @'),
    ("bool", "ID MOD 2 EQ 0", 'IF @: TEXT SETADD " !"'),
    ("string", 'UPPER(NAME) ADD "-" ADD ID', 'TEXT SETADD " (" ADD @ ADD ")"'),
    ("LIST<string>", 'SPLIT(NAME ADD ",a," ADD ID, ",")', 'TEXT SETADD " " ADD JOIN(@, "+")'),
    ("OPTION<int>", "IF ID GT 3 THEN SOME(ID) ELSE NONE", 'TEXT SETADD " " ADD UNWRAP_OR(@, SUB 1)'),
    ("MAP<string, int>", '{ "id": ID, "size": LEN(NAME) }', 'TEXT SETADD " " ADD @["size"]'),
)


def states(w: Shelf) -> None:
    """An enum and the machine that walks through it."""
    n = w.noun()
    names = _pick(w, _STATES, w.random.randint(4, 7))
    steps = []
    for i, name in enumerate(names):
        following, other = names[(i + 1) % len(names)], w.random.choice(names)
        condition = f"INPUT MOD {w.random.randint(2, 5)} EQ {w.random.randint(0, 1)}"
        steps += [f"        CASE {n}.{name}:", f"            IF {condition}:", f"                RETURN {n}.{other}"]
        steps.append(f"            RETURN {n}.{following}")
    costs = [f"        CASE {n}.{name}: RETURN {w.random.randint(1, 40)}" for name in names]
    w.put(
        """
        TYPE $N ENUM { $names }

        # What follows a state on an input.
        FUNC NEXT_$N(S: $N, INPUT: int): $N:
            MATCH S:
        $steps

        FUNC COST_$N(S: $N): int:
            MATCH S:
        $costs

        FUNC WALK_$N(INPUTS: LIST<int>): int:
            LET AT SET $N.$first
            LET VISITS SET MAP<string, int> {}
            LET COST SET 0
            LOOP INPUT IN INPUTS:
                AT SET NEXT_$N(AT, INPUT)
                COST SETADD COST_$N(AT)
                LET KEY SET AT AS string
                VISITS[KEY] SET UNWRAP_OR(GET(VISITS, KEY), 0) ADD 1
            RETURN COST ADD HASH_TEXT("" ADD VISITS)
        """,
        N=n,
        names=", ".join(names),
        steps="\n".join(steps),
        costs="\n".join(costs),
        first=names[0],
    )
    w.use(f"WALK_{n}({_ints(w, 8, 14)})")


_STATES = (
    "IDLE", "WAITING", "READY", "ACTIVE", "PAUSED", "BLOCKED", "FAILED", "CLOSED", "RETIRED", "QUEUED", "SENT", "LOST",
)  # fmt: skip


def formulas(w: Shelf) -> None:
    """A recursive union, evaluated, simplified and shown."""
    n = w.noun()
    w.put(
        """
        # Formulas over one variable.
        TYPE $N UNION {
            ${N}_NUM(int)
            ${N}_VAR
            ${N}_SUM($N, $N)
            ${N}_TIMES($N, $N)
            ${N}_LESS($N, $N, $N, $N)
        }

        FUNC EVAL_$N(F: $N, X: int): int:
            MATCH F:
                CASE ${N}_NUM(V): RETURN V
                CASE ${N}_VAR: RETURN X
                CASE ${N}_SUM(A, B): RETURN (EVAL_$N(A, X) ADD EVAL_$N(B, X)) MOD $modulus
                CASE ${N}_TIMES(A, B): RETURN (EVAL_$N(A, X) MUL EVAL_$N(B, X)) MOD $modulus
                CASE ${N}_LESS(A, B, C, D):
                    IF EVAL_$N(A, X) LT EVAL_$N(B, X):
                        RETURN EVAL_$N(C, X)
                    RETURN EVAL_$N(D, X)

        FUNC FOLD_$N(F: $N): $N:
            MATCH F:
                CASE ${N}_SUM(${N}_NUM(A), ${N}_NUM(B)): RETURN ${N}_NUM(A ADD B)
                CASE ${N}_SUM(A, ${N}_NUM(0)): RETURN FOLD_$N(A)
                CASE ${N}_TIMES(_, ${N}_NUM(0)): RETURN ${N}_NUM(0)
                CASE ${N}_TIMES(A, B): RETURN ${N}_TIMES(FOLD_$N(A), FOLD_$N(B))
                CASE ${N}_SUM(A, B): RETURN ${N}_SUM(FOLD_$N(A), FOLD_$N(B))
                OTHERWISE: RETURN F

        FUNC TEXT_$N(F: $N): string:
            MATCH F:
                CASE ${N}_NUM(V): RETURN "" ADD V
                CASE ${N}_VAR: RETURN "x"
                CASE ${N}_SUM(A, B): RETURN "(" ADD TEXT_$N(A) ADD " + " ADD TEXT_$N(B) ADD ")"
                CASE ${N}_TIMES(A, B): RETURN TEXT_$N(A) ADD "*" ADD TEXT_$N(B)
                CASE ${N}_LESS(A, B, C, D):
                    LET TEST SET TEXT_$N(A) ADD "<" ADD TEXT_$N(B)
                    RETURN "if " ADD TEST ADD " then " ADD TEXT_$N(C) ADD " else " ADD TEXT_$N(D)

        FUNC TRY_$N(): int:
            LET F SET $formula
            LET G SET FOLD_$N(F)
            LET ACC SET HASH_TEXT(TEXT_$N(F) ADD TEXT_$N(G))
            LOOP X FROM SUB 3 TO 3:
                ACC SET MIX(ACC, ABS(EVAL_$N(F, X)) ADD ABS(EVAL_$N(G, X)))
            RETURN ACC
        """,
        N=n,
        modulus=w.random.choice((997, 10007, 65537)),
        formula=_formula(w, n, 3),
    )
    w.use(f"TRY_{n}()")


def _formula(w: Shelf, n: str, depth: int) -> str:
    if depth == 0 or w.random.random() < 0.15:
        return f"{n}_VAR" if w.random.random() < 0.5 else f"{n}_NUM({w.random.randint(0, 9)})"
    kind, arity = w.random.choice(((f"{n}_SUM", 2), (f"{n}_TIMES", 2), (f"{n}_LESS", 4)))
    return f"{kind}({', '.join(_formula(w, n, depth - 1) for _ in range(arity))})"


def texts(w: Shelf) -> None:
    """Words counted, text cut up and put together again."""
    n = w.noun()
    w.put(
        """
        FUNC WORDS_$N(TEXT: string): LIST<string>:
            LET OUT SET []
            LOOP WORD IN SPLIT(REPLACE(LOWER(TEXT), "$stop", " "), " "):
                LET CLEAN SET TRIM(WORD)
                IF CLEAN EQ "": CONTINUE
                PUSH OUT, CLEAN
            RETURN OUT

        FUNC COUNTS_$N(WORDS: LIST<string>): MAP<string, int>:
            LET COUNTS SET MAP<string, int> {}
            LOOP WORD IN WORDS:
                IF COUNTS HAS WORD:
                    COUNTS[WORD] SETADD 1
                ELSE:
                    COUNTS[WORD] SET 1
            RETURN COUNTS

        # Upper and lower case turn by turn; digits become $mark.
        FUNC DRESS_$N(TEXT: string): string:
            LET OUT SET ""
            LET UP SET true
            LOOP C IN TEXT:
                IF C CONTAINS DIGIT:
                    OUT SETADD "$mark"
                ELSE IF UP:
                    OUT SETADD UPPER(C)
                ELSE:
                    OUT SETADD C
                UP SET NOT UP
            RETURN OUT

        FUNC REPORT_$N(TEXT: string): string:
            LET LINES_OUT SET LIST<string> []
            LET COUNTS SET COUNTS_$N(WORDS_$N(TEXT))
            LOOP WORD IN SORT(KEYS(COUNTS)):
                LET BAR SET REPEAT("$bar", COUNTS[WORD])
                PUSH LINES_OUT, PAD_RIGHT(WORD, $width, " ") ADD BAR
            IF LEN(LINES_OUT) GT $most:
                LINES_OUT SET SLICE(LINES_OUT, 0, $most)
            RETURN DRESS_$N(JOIN(LINES_OUT, "\\n"))
        """,
        N=n,
        stop=w.random.choice((".", ",", ";")),
        mark=w.random.choice(("#", "?", "~")),
        bar=w.random.choice(("*", "=", "+")),
        width=w.random.randint(8, 12),
        most=w.random.randint(4, 7),
    )
    w.use(f'HASH_TEXT(REPORT_{n}("{_sentence(w, 14)}"))')


def containers(w: Shelf) -> None:
    """A generic container with its functions, used with two types."""
    n = w.noun()
    w.put(
        """
        # A ring of the last $size values.
        TYPE ${N}_RING<T> { ITEMS: LIST<T>, AT: int, SEEN: int }

        FUNC NEW_$N<T>(): ${N}_RING<T>:
            RETURN ${N}_RING { ITEMS: [], AT: 0, SEEN: 0 }

        FUNC KEEP_$N<T>(R: ${N}_RING<T>, X: T):
            R.SEEN SETADD 1
            IF LEN(R.ITEMS) LT $size:
                PUSH R.ITEMS, X
                RETURN
            R.ITEMS[R.AT] SET X
            R.AT SET (R.AT ADD 1) MOD $size

        FUNC OLDEST_$N<T>(R: ${N}_RING<T>): OPTION<T>:
            IF LEN(R.ITEMS) EQ 0:
                RETURN NONE
            RETURN SOME(R.ITEMS[R.AT])

        FUNC BEST_$N<T : ORDERED>(R: ${N}_RING<T>, FALLBACK: T): T:
            LET BEST SET FALLBACK
            LOOP X IN R.ITEMS:
                IF X GT BEST: BEST SET X
            RETURN BEST

        FUNC TRY_$N(COUNT: int): int:
            LET A SET NEW_$N<int>()
            LET B SET NEW_$N<string>()
            LOOP I FROM 1 TO COUNT:
                KEEP_$N(A, (I MUL $factor) MOD 101)
                KEEP_$N(B, "$word" ADD (I MOD 7))
            LET TEXT SET BEST_$N(B, "a") ADD OLDEST_$N(A) ADD OLDEST_$N(B)
            RETURN MIX(HASH_TEXT(TEXT), BEST_$N(A, 0) ADD A.SEEN)
        """,
        N=n,
        size=w.random.randint(3, 6),
        factor=w.random.randint(11, 97),
        word=n.lower()[:4],
    )
    w.use(f"TRY_{n}({w.random.randint(5, 12)})")


def shapes(w: Shelf) -> None:
    """A trait with two implementations, overloads and boxes."""
    n, first, second = w.noun(), w.noun(), w.noun()
    w.put(
        """
        TRAIT ${N}_LIKE {
            FUNC SIZE_$N(X): int
            FUNC LABEL_$N(X): string
        }

        TYPE $A IMPLEMENTS ${N}_LIKE { WIDTH: int, HEIGHT: int }
        TYPE $B { NAME: string, PARTS: LIST<int> }

        FUNC SIZE_$N(X: $A): int:
            RETURN X.WIDTH MUL X.HEIGHT

        FUNC LABEL_$N(X: $A): string:
            RETURN "$a " ADD X.WIDTH ADD "x" ADD X.HEIGHT

        IMPL ${N}_LIKE FOR $B:
            FUNC SIZE_$N(X: $B): int:
                LET TOTAL SET 0
                LOOP PART IN X.PARTS:
                    TOTAL SETADD PART
                RETURN TOTAL
            FUNC LABEL_$N(X: $B): string:
                RETURN X.NAME ADD X.PARTS

        FUNC DESCRIBE_$N<T : ${N}_LIKE>(X: T): string:
            RETURN LABEL_$N(X) ADD " = " ADD SIZE_$N(X)

        FUNC TRY_$N(K: int): int:
            LET ONE SET $A { WIDTH: K, HEIGHT: K ADD $more }
            LET TWO SET $B("$b", [K, K MUL 2, $more])
            LET ALL_OF SET [BOX<${N}_LIKE>(ONE), BOX<${N}_LIKE>(TWO)]
            LET ACC SET 0
            LOOP X IN ALL_OF:
                ACC SET MIX(ACC, X.SIZE_$N() ADD LEN(X.LABEL_$N()))
            ONE.WIDTH SETADD 1
            RETURN MIX(ACC, HASH_TEXT(DESCRIBE_$N(ONE) ADD DESCRIBE_$N(TWO)))
        """,
        N=n,
        A=first,
        B=second,
        a=first.lower(),
        b=second.lower(),
        more=w.random.randint(2, 30),
    )
    w.use(f"TRY_{n}({w.random.randint(2, 20)})")


def errors(w: Shelf) -> None:
    """Results, codes raised and caught, a FINALLY."""
    n = w.noun()
    w.put(
        """
        # Reads `key=value;key=value`.
        FUNC READ_$N(TEXT: string): RESULT<MAP<string, int>, string>:
            LET OUT SET MAP<string, int> {}
            LOOP PART IN SPLIT(TEXT, ";"):
                LET SIDES SET SPLIT(PART, "=")
                IF LEN(SIDES) NEQ 2:
                    RETURN ERR("no value in " ADD PART)
                MATCH PARSE_INT(TRIM(SIDES[1])):
                    CASE OK(V) WHEN V GT $limit: RETURN ERR("too large: " ADD V)
                    CASE OK(V): OUT[TRIM(SIDES[0])] SET V
                    CASE ERR(WHY): RETURN ERR(SIDES[0] ADD ": " ADD WHY)
            RETURN OK(OUT)

        FUNC CHARGE_$N(BALANCES: MAP<string, int>, NAME: string, AMOUNT: int): int:
            IF AMOUNT LTE 0:
                THROW "bad amount " ADD AMOUNT
            IF BALANCES[NAME] LT AMOUNT:
                RAISE $code "only " ADD BALANCES[NAME]
            BALANCES[NAME] SET BALANCES[NAME] SUB AMOUNT
            RETURN BALANCES[NAME]

        FUNC SAFE_$N(BALANCES: MAP<string, int>, NAME: string, AMOUNT: int, LOG_TO: LIST<string>): int:
            TRY:
                RETURN CHARGE_$N(BALANCES, NAME, AMOUNT)
            CATCH E1003:
                PUSH LOG_TO, "nobody is called " ADD NAME
            CATCH $code:
                PUSH LOG_TO, NAME ADD " is short"
            CATCH E:
                PUSH LOG_TO, E
            FINALLY:
                PUSH LOG_TO, "done"
            RETURN 0

        FUNC TRY_$N(TEXT: string): int:
            LET READ SET READ_$N(TEXT)
            IF READ IS ERR:
                RETURN HASH_TEXT("" ADD READ)
            LET BALANCES SET UNWRAP(READ)
            LET NOTES SET LIST<string> []
            LET ACC SET 0
            LOOP NAME IN ["a", "b", "nobody"]:
                LOOP AMOUNT IN [5, 0, $much]:
                    ACC SETADD SAFE_$N(BALANCES, NAME, AMOUNT, NOTES)
            LET LAST SET TRY TO_INT(NOTES[0]) CATCH E: LEN(E)
            RETURN MIX(ACC ADD LAST, HASH_TEXT(JOIN(NOTES, "|")))
        """,
        N=n,
        limit=w.random.randint(50, 99) * 10,
        code=f"E7{w.random.randint(100, 999)}",
        much=w.random.randint(20, 60),
    )
    w.use(f'MIX(TRY_{n}("a={w.random.randint(5, 90)}; b = {w.random.randint(5, 90)}"), TRY_{n}("a=1;b=x"))')


def workers(w: Shelf) -> None:
    """Processes that take jobs from a channel and send what they made of them."""
    n = w.noun()
    w.put(
        """
        TYPE ${N}_JOB { ID: int, LOAD: LIST<int> }
        TYPE ${N}_NEWS UNION { ${N}_DONE(int, int), ${N}_FAILED(int, string) }

        FUNC WORK_$N(J: ${N}_JOB): int:
            LET OUT SET 1
            LOOP X IN J.LOAD:
                IF X EQ 0:
                    THROW "job " ADD J.ID ADD " holds a zero"
                OUT SET (OUT MUL X ADD $more) MOD 10007
            RETURN OUT

        FUNC SERVE_$N(JOBS: CHANNEL<${N}_JOB>, NEWS: CHANNEL<${N}_NEWS>):
            LOOP J IN JOBS:
                TRY:
                    SEND ${N}_DONE(J.ID, WORK_$N(J)) TO NEWS
                CATCH E:
                    SEND ${N}_FAILED(J.ID, E) TO NEWS

        FUNC TRY_$N(COUNT: int): int:
            LET JOBS SET MAKE_CHANNEL<${N}_JOB>(CAPACITY $room)
            LET NEWS SET MAKE_CHANNEL<${N}_NEWS>(UNBOUNDED)
            LOOP I FROM 1 TO $servers:
                SPAWN SERVE_$N(JOBS, NEWS)
            LET TOTAL SET 0
            LOOP I FROM 1 TO COUNT:
                SEND ${N}_JOB { ID: I, LOAD: [I, I MOD 3, $more] } TO JOBS
            CLOSE JOBS
            LOOP I FROM 1 TO COUNT:
                MATCH RECV NEWS:
                    CASE ${N}_DONE(ID, V): TOTAL SETADD ID MUL V
                    CASE ${N}_FAILED(ID, WHY): TOTAL SETADD ID ADD LEN(WHY)
            RETURN TOTAL MOD 1000003
        """,
        N=n,
        more=w.random.randint(2, 60),
        room=w.random.choice((0, 1, 4)),
        servers=w.random.randint(1, 3),
    )
    w.use(f"TRY_{n}({w.random.randint(4, 9)})")


def tasks(w: Shelf) -> None:
    """Tasks awaited one by one and all together, a SELECT, an ASYNC function."""
    n = w.noun()
    w.put(
        """
        FUNC STEPS_$N(START: int): int:
            LET X SET START ADD $start
            LET STEPS SET 0
            LOOP WHILE X NEQ 1 AND STEPS LT 200:
                IF X MOD 2 EQ 0:
                    X SET X DIV 2
                ELSE:
                    X SET X MUL 3 ADD 1
                STEPS SETADD 1
            RETURN STEPS

        ASYNC FUNC LATER_$N(NAME: string, TIMES: int): string:
            RETURN REPEAT(NAME, TIMES)

        FUNC TELL_$N(CH: CHANNEL<int>, N: int):
            LOOP I FROM 1 TO N:
                SEND I MUL I TO CH
            CLOSE CH

        FUNC BOTH_$N(A: CHANNEL<int>, B: CHANNEL<int>, COUNT: int): int:
            LET ACC SET 0
            LOOP I FROM 1 TO COUNT:
                SELECT:
                    CASE X FROM A: ACC SETADD X
                    CASE Y FROM B: ACC SETADD 2 MUL Y
            RETURN ACC

        FUNC TRY_$N(COUNT: int): int:
            LET LIST_OF SET []
            LOOP I FROM 1 TO COUNT:
                PUSH LIST_OF, TASK(STEPS_$N, I)
            LET ACC SET SUM(AWAIT LIST_OF)
            LET NAME SET LATER_$N("$word", 2)
            LET OTHER SET TASK(fn() => STEPS_$N(COUNT) ADD 1)
            LET A SET CHANNEL<int>()
            LET B SET CHANNEL<int>()
            SPAWN TELL_$N(A, COUNT)
            SPAWN TELL_$N(B, COUNT)
            LET LEFT SET BOTH_$N(A, B, COUNT) ADD SUM_OF_$N(A) ADD 2 MUL SUM_OF_$N(B)
            RETURN MIX(ACC ADD AWAIT OTHER ADD LEFT, LEN(AWAIT NAME))

        FUNC SUM_OF_$N(CH: CHANNEL<int>): int:
            LET ACC SET 0
            LOOP X IN CH:
                ACC SETADD X
            RETURN ACC
        """,
        N=n,
        start=w.random.randint(1, 30),
        word=n.lower(),
    )
    w.use(f"TRY_{n}({w.random.randint(3, 6)})")


def templates(w: Shelf) -> None:
    """Functions without types, called with several."""
    n = w.noun()
    w.put(
        """
        # Works on whatever can be compared and added.
        FUNC PICK_$N(A, B):
            IF A LT B:
                RETURN B
            RETURN A

        FUNC TWICE_$N(X):
            RETURN X ADD X

        FUNC INDEX_$N(ITEMS, KEY):
            LET OUT SET MAP {}
            LOOP X IN ITEMS:
                LET K SET KEY(X)
                IF OUT HAS K:
                    OUT[K] SETADD 1
                ELSE:
                    OUT[K] SET 1
            RETURN OUT

        FUNC LONGEST_$N(ITEMS):
            LET BEST SET ITEMS[0]
            LOOP X IN ITEMS:
                IF LEN(X) GT LEN(BEST): BEST SET X
            RETURN BEST

        FUNC TRY_$N(K: int): int:
            LET A SET PICK_$N(K, $more) ADD TWICE_$N(K)
            LET B SET PICK_$N("a" ADD K, "b") ADD TWICE_$N("$word")
            LET C SET PICK_$N(1.5, TWICE_$N(0.25))
            LET D SET INDEX_$N([K, K ADD 1, $more], fn(X) => X MOD 2)
            LET E SET INDEX_$N(["x", "yy", "zz"], fn(S) => LEN(S))
            LET F SET LONGEST_$N(["x", "$word", B]) ADD LONGEST_$N([[1], [2, K]])
            RETURN MIX(A, HASH_TEXT(B ADD C ADD D ADD E ADD F))
        """,
        N=n,
        more=w.random.randint(2, 50),
        word=n.lower(),
    )
    w.use(f"TRY_{n}({w.random.randint(2, 20)})")


def pipelines(w: Shelf) -> None:
    """Lambdas, closures with captures, pipelines."""
    n = w.noun()
    w.put(
        """
        FUNC SCALE_$N(X: int, BY: int): int:
            RETURN (X MUL BY) MOD 1009

        FUNC ODD_$N(X: int): bool:
            RETURN X MOD 2 EQ 1

        FUNC COUNTER_$N(STEP_BY: int): fn(): int:
            LET AT SET 0
            LET GO SET fn():
                AT SETADD STEP_BY
                RETURN AT
            RETURN GO

        FUNC APPLY_$N(F: fn(int): int, TIMES: int, X: int): int:
            LET OUT SET X
            LOOP I FROM 1 TO TIMES:
                OUT SET F(OUT)
            RETURN OUT

        FUNC TRY_$N(VALUES: LIST<int>): int:
            LET BIAS SET LEN(VALUES)
            LET SCALED SET VALUES PIPEMAP SCALE_$N($by) PIPEFILTER ODD_$N
            LET SUMMED SET REDUCE(SCALED, BIAS, fn(A, B) => (A ADD B MUL $by) MOD 9973)
            LET NAMES SET MAP(VALUES, fn(V) => "v" ADD (V ADD BIAS))
            LET LONG SET FILTER(NAMES, fn(S) => LEN(S) GT 2)
            LET SORTED SET SORT_BY(LONG, fn(S) => SUB LEN(S))
            LET NEXT SET COUNTER_$N($by)
            NEXT()
            LET LAST SET APPLY_$N(fn(X) => (X MUL 5 ADD BIAS) MOD 313, $times, NEXT())
            IF ANY(VALUES, fn(X) => X GT $high) OR NOT ALL(VALUES, fn(X) => X GTE 0):
                LAST SETADD 1
            RETURN MIX(SUMMED ADD LAST, HASH_TEXT(JOIN(SORTED, ",") PIPE UPPER()))
        """,
        N=n,
        by=w.random.randint(3, 40),
        times=w.random.randint(2, 9),
        high=w.random.randint(30, 90),
    )
    w.use(f"TRY_{n}({_ints(w, 6, 12)})")


def numbers(w: Shelf) -> None:
    """A sieve, a matrix, bits: loops over lists by index."""
    n = w.noun()
    w.put(
        """
        FUNC PRIMES_$N(LIMIT: int): int:
            LET MARKED SET LIST<bool> []
            LOOP I FROM 0 TO LIMIT:
                PUSH MARKED, false
            LET COUNT SET 0
            LOOP I FROM 2 TO LIMIT:
                IF MARKED[I]: CONTINUE
                COUNT SETADD 1
                LOOP J FROM I MUL I TO LIMIT STEP I:
                    MARKED[J] SET true
            RETURN COUNT

        FUNC GRID_$N(SIZE: int, SEED_OF: int): LIST<LIST<int>>:
            LET OUT SET []
            LOOP I FROM 1 TO SIZE:
                LET ROW SET []
                LOOP J FROM 1 TO SIZE:
                    PUSH ROW, (I MUL SEED_OF ADD J) MOD $modulus
                PUSH OUT, ROW
            RETURN OUT

        FUNC TIMES_$N(A: LIST<LIST<int>>, B: LIST<LIST<int>>): LIST<LIST<int>>:
            LET OUT SET []
            LOOP ROW IN A:
                LET LINE SET []
                LOOP J FROM 0 TO LEN(B) SUB 1:
                    LET CELL SET 0
                    LOOP K FROM 0 TO LEN(ROW) SUB 1:
                        CELL SETADD ROW[K] MUL B[K][J]
                    PUSH LINE, CELL MOD $modulus
                PUSH OUT, LINE
            RETURN OUT

        FUNC BITS_$N(X: int): int:
            LET LEFT SET BXOR(X, $mask)
            LET COUNT SET 0
            LOOP WHILE LEFT NEQ 0:
                COUNT SETADD BAND(LEFT, 1)
                LEFT SET SHR(LEFT, 1)
            RETURN COUNT

        FUNC TRY_$N(SIZE: int): int:
            LET C SET TIMES_$N(GRID_$N(SIZE, 3), GRID_$N(SIZE, $other))
            LET ACC SET PRIMES_$N(SIZE MUL 10)
            LOOP ROW IN C:
                ACC SET MIX(ACC, SUM(ROW) ADD BITS_$N(MAX(ROW)))
            RETURN ACC ADD FLOOR(SQRT(SIZE AS float) MUL 10.0)
        """,
        N=n,
        modulus=w.random.choice((97, 251, 499)),
        mask=w.random.randint(1, 4095),
        other=w.random.randint(5, 20),
    )
    w.use(f"TRY_{n}({w.random.randint(3, 6)})")


def graphs(w: Shelf) -> None:
    """Lists in maps: a breadth-first search, list and struct patterns."""
    n = w.noun()
    w.put(
        """
        TYPE ${N}_EDGE { FROM: int, TO: int, COST: int }

        FUNC LINKS_$N(EDGES: LIST<${N}_EDGE>): MAP<int, LIST<int>>:
            LET OUT SET MAP<int, LIST<int>> {}
            LOOP E IN EDGES:
                IF NOT (OUT HAS E.FROM): OUT[E.FROM] SET []
                IF NOT (OUT HAS E.TO): OUT[E.TO] SET []
                PUSH OUT[E.FROM], E.TO
                PUSH OUT[E.TO], E.FROM
            RETURN OUT

        FUNC REACH_$N(LINKS: MAP<int, LIST<int>>, START: int): LIST<int>:
            LET SEEN SET MAP<int, bool> {}
            LET QUEUE SET [START]
            LET AT SET 0
            LOOP WHILE AT LT LEN(QUEUE):
                LET NODE SET QUEUE[AT]
                AT SETADD 1
                IF SEEN HAS NODE: CONTINUE
                SEEN[NODE] SET true
                LOOP OTHER IN UNWRAP_OR(GET(LINKS, NODE), []):
                    IF NOT (SEEN HAS OTHER): PUSH QUEUE, OTHER
            RETURN KEYS(SEEN)

        FUNC SHAPE_$N(PATH: LIST<int>): string:
            MATCH PATH:
                CASE []: RETURN "empty"
                CASE [ONLY]: RETURN "one " ADD ONLY
                CASE [A, B]: RETURN "from " ADD A ADD " to " ADD B
                CASE [A, REST...]: RETURN A ADD " and " ADD LEN(REST)

        FUNC PRICE_$N(E: ${N}_EDGE): int:
            MATCH E:
                CASE ${N}_EDGE { FROM: 0, TO: T }: RETURN T
                CASE ${N}_EDGE { COST: C } WHEN C GT $high: RETURN C SUB $high
                CASE ${N}_EDGE { FROM: F, TO: T, COST: C }: RETURN F ADD T ADD C

        FUNC TRY_$N(COUNT: int): int:
            LET EDGES SET LIST<${N}_EDGE> []
            LOOP I FROM 0 TO COUNT:
                PUSH EDGES, ${N}_EDGE(I, (I MUL $factor) MOD $wrap, I MUL I)
            LET LINKS SET LINKS_$N(EDGES)
            LET ACC SET 0
            LOOP START IN [0, 1, 99]:
                LET PATH SET REACH_$N(LINKS, START)
                ACC SET MIX(ACC, SUM(PATH) ADD HASH_TEXT(SHAPE_$N(PATH)))
            LOOP E IN EDGES:
                ACC SETADD PRICE_$N(E)
            RETURN ACC
        """,
        N=n,
        high=w.random.randint(10, 40),
        factor=w.random.randint(3, 9),
        wrap=w.random.randint(5, 11),
    )
    w.use(f"TRY_{n}({w.random.randint(4, 9)})")


def dynamic(w: Shelf) -> None:
    """Values of any type, told apart at run time."""
    n = w.noun()
    w.put(
        """
        FUNC KIND_$N(X: any): string:
            IF X IS NONE: RETURN "nothing"
            IF X IS int: RETURN "int"
            IF X IS string: RETURN "text"
            IF X IS LIST: RETURN "list of " ADD LEN(X)
            RETURN "other"

        FUNC DEPTH_$N(X: any): int:
            IF NOT (X IS LIST): RETURN 0
            LET DEEPEST SET 0
            LOOP Y IN X:
                DEEPEST SET MAX(DEEPEST, DEPTH_$N(Y))
            RETURN DEEPEST ADD 1

        FUNC TRY_$N(K: int): int:
            LET VALUES SET LIST<any> [K, "$word", NONE, $more.5, LIST<any> [K, LIST<any> [1]], true]
            LET TEXT SET ""
            LOOP V IN VALUES:
                TEXT SETADD KIND_$N(V) ADD ":" ADD V ADD " "
            LET FIRST: int SET VALUES[0]
            RETURN MIX(FIRST ADD DEPTH_$N(VALUES), HASH_TEXT(TEXT))
        """,
        N=n,
        more=w.random.randint(1, 99),
        word=n.lower(),
    )
    w.use(f"TRY_{n}({w.random.randint(2, 99)})")


def scanner(w: Shelf) -> None:
    """Text into tokens, tokens into a value by recursive descent."""
    n = w.noun()
    w.put(
        """
        TYPE ${N}_TOKEN UNION { ${N}_INT(int), ${N}_SIGN(string), ${N}_END }
        TYPE ${N}_SOURCE { TOKENS: LIST<${N}_TOKEN>, AT: int }

        FUNC SCAN_$N(TEXT: string): LIST<${N}_TOKEN>:
            LET OUT SET LIST<${N}_TOKEN> []
            LET DIGITS SET ""
            LOOP C IN TEXT ADD " ":
                IF C CONTAINS DIGIT:
                    DIGITS SETADD C
                    CONTINUE
                IF DIGITS NEQ "":
                    PUSH OUT, ${N}_INT(TO_INT(DIGITS))
                    DIGITS SET ""
                IF C NEQ " ": PUSH OUT, ${N}_SIGN(C)
            PUSH OUT, ${N}_END
            RETURN OUT

        FUNC TAKE_$N(S: ${N}_SOURCE): ${N}_TOKEN:
            LET TOKEN SET S.TOKENS[S.AT]
            IF S.AT LT LEN(S.TOKENS) SUB 1: S.AT SETADD 1
            RETURN TOKEN

        FUNC ATOM_$N(S: ${N}_SOURCE): int:
            MATCH TAKE_$N(S):
                CASE ${N}_INT(V): RETURN V
                CASE ${N}_SIGN("("):
                    LET V SET SUM_$N(S)
                    TAKE_$N(S)
                    RETURN V
                CASE ${N}_SIGN(C): THROW "unexpected " ADD C
                CASE ${N}_END: THROW "unexpected end"

        FUNC PRODUCT_$N(S: ${N}_SOURCE): int:
            LET V SET ATOM_$N(S)
            LOOP WHILE S.TOKENS[S.AT] EQ ${N}_SIGN("*"):
                TAKE_$N(S)
                V SET (V MUL ATOM_$N(S)) MOD $modulus
            RETURN V

        FUNC SUM_$N(S: ${N}_SOURCE): int:
            LET V SET PRODUCT_$N(S)
            LOOP:
                MATCH S.TOKENS[S.AT]:
                    CASE ${N}_SIGN("+"):
                        TAKE_$N(S)
                        V SETADD PRODUCT_$N(S)
                    CASE ${N}_SIGN("-"):
                        TAKE_$N(S)
                        V SET V SUB PRODUCT_$N(S)
                    OTHERWISE: BREAK
            RETURN V

        FUNC TRY_$N(TEXT: string): int:
            RETURN TRY SUM_$N(${N}_SOURCE(SCAN_$N(TEXT), 0)) CATCH E: LEN(E)
        """,
        N=n,
        modulus=w.random.choice((1009, 4099)),
    )
    a, b, c = (w.random.randint(2, 99) for _ in range(3))
    w.use(f'ABS(TRY_{n}("{a}*({b} + {c}) - {b}")) ADD TRY_{n}("({a}*")')


def settings(w: Shelf) -> None:
    """Constants and module variables, changed by functions."""
    n = w.noun()
    keys = _pick(w, _STATES, 4)
    table = ", ".join(f'"{key.lower()}": {w.random.randint(1, 90)}' for key in keys)
    w.put(
        """
        CONST LIMIT_$N SET $limit
        CONST NAMES_$N SET [$names]
        LET TABLE_$N SET { $table }
        LET CALLS_$N SET 0
        LET HISTORY_$N SET LIST<string> []

        FUNC SETTING_$N(NAME: string, FALLBACK: int): int:
            CALLS_$N SETADD 1
            IF NOT (TABLE_$N HAS NAME):
                PUSH HISTORY_$N, "no " ADD NAME
                RETURN FALLBACK
            RETURN MIN(TABLE_$N[NAME], LIMIT_$N)

        FUNC CHANGE_$N(NAME: string, BY: int):
            TABLE_$N[NAME] SET SETTING_$N(NAME, 0) ADD BY
            PUSH HISTORY_$N, NAME ADD " " ADD BY
            IF LEN(HISTORY_$N) GT 3:
                REMOVE HISTORY_$N WHERE STARTS_WITH(VALUE, "no")

        FUNC TRY_$N(): int:
            LOOP NAME IN NAMES_$N:
                CHANGE_$N(NAME, LEN(NAME))
            CHANGE_$N("missing", 1)
            LET ACC SET CALLS_$N
            LOOP KEY, VALUE_OF IN TABLE_$N:
                ACC SET MIX(ACC, VALUE_OF ADD LEN(KEY))
            RETURN MIX(ACC, HASH_TEXT("" ADD HISTORY_$N))
        """,
        N=n,
        limit=w.random.randint(40, 80),
        names=", ".join(f'"{key.lower()}"' for key in keys[:3]),
        table=table,
    )
    w.use(f"TRY_{n}()")


def helpers(w: Shelf) -> None:
    """Functions from int to int with bodies of random statements; they call those of other modules."""
    for _ in range(w.random.randint(1, 3)):
        n = w.noun()
        body = _Body(w).lines(w.random.randint(4, 9))
        w.put(
            """
            FUNC WEIGH_$N(N: int): int:
                LET A SET N MOD $modulus
                LET B SET $start
            $body
                RETURN ABS(A ADD B) MOD 9973
            """,
            N=n,
            modulus=w.random.randint(50, 500),
            start=w.random.randint(0, 50),
            body="\n".join(f"    {line}" for line in body),
        )
        w.use(f"WEIGH_{n}({w.random.randint(1, 500)})")
        w.helper(f"WEIGH_{n}")


class _Body:
    """Statements over the int variables A and B."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._random = shelf.random

    def lines(self, count: int) -> list[str]:
        """About as many statements, nested ones counted once."""
        out: list[str] = []
        for _ in range(count):
            out += self._random.choice((self._set, self._set, self._if, self._loop, self._text, self._chain))()
        return out

    def _value(self, depth: int = 2) -> str:
        pick = self._random.random()
        if depth == 0 or pick < 0.2:
            return self._random.choice(("A", "B", "N", str(self._random.randint(1, 99))))
        left, right = self._value(depth - 1), self._value(depth - 1)
        if pick < 0.5:
            return f"({left} {self._random.choice(('ADD', 'SUB'))} {right})"
        if pick < 0.7:
            return f"({left} MUL {self._random.randint(2, 20)}) MOD {self._random.randint(11, 999)}"
        if pick < 0.85:
            return f"{self._random.choice(('MIN', 'MAX', 'BAND', 'BXOR'))}({left}, {right})"
        known = self._shelf.helpers()
        return f"{self._random.choice(known)}(ABS({left}) MOD 100)" if known and depth == 2 else f"ABS({left})"

    def _test(self) -> str:
        left, right = self._value(1), self._value(1)
        test = f"{left} {self._random.choice(('LT', 'GT', 'EQ', 'NEQ', 'GTE'))} {right}"
        if self._random.random() < 0.3:
            return f"{test} {self._random.choice(('AND', 'OR'))} A MOD {self._random.randint(2, 5)} EQ 0"
        return test

    def _set(self) -> list[str]:
        name = self._random.choice("AB")
        return [f"{name} SET ({self._value()}) MOD {self._random.randint(100, 9999)}"]

    def _if(self) -> list[str]:
        out = [f"IF {self._test()}:", *_indented(self._set())]
        if self._random.random() < 0.4:
            out += [f"ELSE IF {self._test()}:", *_indented(self._set())]
        if self._random.random() < 0.6:
            out += ["ELSE:", *_indented(self._set())]
        return out

    def _loop(self) -> list[str]:
        body = self._set() + (self._if() if self._random.random() < 0.4 else [])
        header = self._random.choice(
            (
                f"LOOP I FROM 1 TO {self._random.randint(2, 12)}:",
                f"LOOP I FROM {self._random.randint(5, 20)} TO 1 STEP SUB {self._random.randint(1, 3)}:",
                f"LOOP I IN RANGE(0, {self._random.randint(2, 9)}):",
                f"LOOP I IN {_ints(self._shelf, 3, 5)}:",
            )
        )
        return [header, *_indented([*body, "A SET (A ADD I) MOD 1000"])]

    def _text(self) -> list[str]:
        word = self._random.choice(_WORDS)
        return [f'B SETADD LEN("{word} " ADD {self._value(1)} ADD "/" ADD B MOD 7)']

    def _chain(self) -> list[str]:
        lines = [f"MATCH ABS(A) MOD {self._random.randint(6, 12)}:"]
        lines += ["    CASE 0, 1: B SETADD 1", f"    CASE 2 TO {self._random.randint(3, 5)}:", *_indented(self._set(), 2)]
        return [*lines, "    OTHERWISE: A SETADD 1"]


# ---- words -----------------------------------------------------------------------------------------------------------

_WORDS = (
    "the quick river carries small boats past seven quiet towns and every evening lamps are lit along the banks "
    "while traders count coins weigh spices write letters and argue about prices of salt copper rope and winter apples"
).split()


def _sentence(w: Shelf, length: int) -> str:
    words = [w.random.choice(_WORDS) for _ in range(length)]
    return " ".join(word + w.random.choice(("", "", ".", ",", " 7")) for word in words)


def _ints(w: Shelf, least: int, most: int) -> str:
    return f"[{', '.join(str(w.random.randint(0, 99)) for _ in range(w.random.randint(least, most)))}]"


def _pick(w: Shelf, table: tuple, count: int, *, repeat: bool = False) -> list:
    return w.random.choices(table, k=count) if repeat else w.random.sample(table, count)


def _indented(lines: list[str], levels: int = 1) -> list[str]:
    return ["    " * levels + line for line in lines]


SHAPES: tuple[Callable[[Shelf], None], ...] = (
    records,
    records,
    states,
    formulas,
    texts,
    containers,
    shapes,
    errors,
    workers,
    tasks,
    templates,
    pipelines,
    numbers,
    graphs,
    dynamic,
    scanner,
    settings,
    helpers,
    helpers,
    helpers,
)
