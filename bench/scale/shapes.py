"""The shapes a generated program is made of: each writes some declarations with their comment and a use of them.

A shape is a function of a `Shelf` (see program.py). `put` writes a file of templates/, in which `$N` stands for a name
made up for this use and the like; `use` gives an `int` expression that runs everything the shape has declared, always
with the same result. Numbers stay small, so nothing overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol


class Shelf(Protocol):
    """What a shape writes to: a module under way."""

    random: Random

    def noun(self) -> str:
        """A name no other shape of the program has."""

    def put(self, template: str, **names: object) -> None:
        """Adds a template, filled in, to the module."""

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
        "records",
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
        "states",
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
        "formulas",
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
        "texts",
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
        "containers",
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
        "shapes",
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
        "errors",
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
        "workers",
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
        "tasks",
        N=n,
        start=w.random.randint(1, 30),
        word=n.lower(),
    )
    w.use(f"TRY_{n}({w.random.randint(3, 6)})")


def templates(w: Shelf) -> None:
    """Functions without types, called with several."""
    n = w.noun()
    w.put(
        "templates",
        N=n,
        more=w.random.randint(2, 50),
        word=n.lower(),
    )
    w.use(f"TRY_{n}({w.random.randint(2, 20)})")


def pipelines(w: Shelf) -> None:
    """Lambdas, closures with captures, pipelines."""
    n = w.noun()
    w.put(
        "pipelines",
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
        "numbers",
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
        "graphs",
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
        "dynamic",
        N=n,
        more=w.random.randint(1, 99),
        word=n.lower(),
    )
    w.use(f"TRY_{n}({w.random.randint(2, 99)})")


def scanner(w: Shelf) -> None:
    """Text into tokens, tokens into a value by recursive descent."""
    n = w.noun()
    w.put(
        "scanner",
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
        "settings",
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
            "helpers",
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
        lines += ["    CASE 0, 1: B SETADD 1", f"    CASE 2 TO {self._random.randint(3, 5)}:"]
        lines += _indented(self._set(), 2)
        return [*lines, "    OTHERWISE: A SETADD 1"]


# ---- words -----------------------------------------------------------------------------------------------------------

_TEXT = (
    "the quick river carries small boats past seven quiet towns and every evening lamps are lit along the banks "
    "while traders count coins weigh spices write letters and argue about prices of salt copper rope and winter apples"
)
_WORDS = tuple(_TEXT.split())


def _sentence(w: Shelf, length: int) -> str:
    words = [w.random.choice(_WORDS) for _ in range(length)]
    return " ".join(word + w.random.choice(("", "", ".", ",", " 7")) for word in words)


def _ints(w: Shelf, least: int, most: int) -> str:
    return f"[{', '.join(str(w.random.randint(0, 99)) for _ in range(w.random.randint(least, most)))}]"


def _pick(w: Shelf, table: tuple[Any, ...], count: int, *, repeat: bool = False) -> list[Any]:
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
