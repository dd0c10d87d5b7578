"""The operators of the language, as data: one row an operator, one row below it for each pair of types it is defined
for.

Read by the lexer (symbols), `syntax/words.py` (operator words), the parser (precedence and alternatives), the
checker (type rows), the lowering (`inline`, `lower`), the formatter (symbol to word) and the manual.

`level`   binding strength as in LANGUAGE.md part 4: 1 binds tightest. POW stands between AS (3) and MUL (4).
`assoc`   "left", "right", or "none" for operators that cannot be chained.
`rows`    types as text: a type of the language, a type variable (`T`, `K`, `V`), or one of the kinds below. `any`
          operands of any operator are handled at run time (`any_binary`) and have no rows.
`inline`  an emitter of codegen; `lower` a lowering of its own in the checker or in mir. Exactly one of them.
`fold`    the constant folder may compute it (always true for what cannot fail and has no effect).
"""

from __future__ import annotations

from nxdc.source.record import Record

FORMATTABLE = "<formattable>"  # any type at all: it is formatted as PRINT does
SAME = "<same>"  # left and right of one type with equality
CLASS = "<class>"  # a character class: DIGIT, NON_DIGIT ...

CHARACTER_CLASSES = ("DIGIT", "ALPHA", "SPACE", "UPPER", "LOWER")  # each also with NON_ before it


class OpRow(Record):
    """One typing of an operator. `right` is "" for a prefix operator."""

    left: str
    right: str
    result: str
    inline: str | None = None
    lower: str | None = None
    raises: tuple[str, ...] = ()
    fold: bool = False


class Operator(Record):
    """One operator."""

    word: str
    kind: str  # "infix" or "prefix"
    level: float
    assoc: str
    symbol: str | None
    aliases: tuple[str, ...]
    rows: tuple[OpRow, ...]
    right: str  # what stands on the right: "expr", "type" (AS, IS) or "pattern" (MATCHES)
    lower: str | None  # the whole operator has a lowering of its own (short circuit, blocking, binding)
    doc: str


def row(
    left: str,
    right: str,
    result: str,
    *,
    inline: str | None = None,
    lower: str | None = None,
    raises: tuple[str, ...] = (),
    fold: bool = False,
) -> OpRow:
    """One typing of an operator."""
    return OpRow(left, right, result, inline, lower, raises, fold)


def infix(
    word: str,
    *,
    level: float,
    assoc: str,
    doc: str,
    symbol: str | None = None,
    aliases: tuple[str, ...] = (),
    rows: tuple[OpRow, ...] = (),
    right: str = "expr",
    lower: str | None = None,
) -> Operator:
    """An operator between two operands."""
    return Operator(word, "infix", level, assoc, symbol, aliases, rows, right, lower, doc)


def prefix(
    word: str, *, doc: str, level: float = 2, rows: tuple[OpRow, ...] = (), lower: str | None = None
) -> Operator:
    """An operator before its operand."""
    return Operator(word, "prefix", level, "right", None, (), rows, "expr", lower, doc)


def _ordered(name: str) -> tuple[OpRow, ...]:
    return (
        row("int", "int", "bool", inline=f"{name}_int", fold=True),
        row("float", "float", "bool", inline=f"{name}_float", fold=True),
        row("string", "string", "bool", lower=f"{name}_string", fold=True),
    )


def _equality(name: str) -> tuple[OpRow, ...]:
    return (
        row("int", "int", "bool", inline=f"{name}_int", fold=True),
        row("float", "float", "bool", inline=f"{name}_float", fold=True),
        row("bool", "bool", "bool", inline=f"{name}_bool", fold=True),
        row("string", "string", "bool", lower=f"{name}_string", fold=True),
        row(SAME, SAME, "bool", lower=f"{name}_value"),
    )


_OVERFLOW = ("E1004",)

INFIX: tuple[Operator, ...] = (
    infix("AS", level=3, assoc="left", right="type", lower="cast", doc="Converts to a type."),
    infix("POW", level=3.5, assoc="right", doc="Power.", rows=(
        row("int", "int", "int", lower="pow_int", raises=("E1004", "E2001")),
        row("float", "float", "float", lower="pow_float"))),
    infix("MUL", symbol="*", level=4, assoc="left", doc="Product.", rows=(
        row("int", "int", "int", inline="mul_checked", raises=_OVERFLOW, fold=True),
        row("float", "float", "float", inline="fmul", fold=True))),
    infix("DIV", symbol="/", level=4, assoc="left", doc="Quotient; of ints, truncated towards zero.", rows=(
        row("int", "int", "int", inline="div_checked", raises=("E1004", "E1005"), fold=True),
        row("float", "float", "float", inline="fdiv", fold=True))),
    infix("MOD", symbol="%", level=4, assoc="left", doc="Remainder; has the sign of the left operand.", rows=(
        row("int", "int", "int", inline="mod_checked", raises=("E1005",), fold=True),
        row("float", "float", "float", inline="fmod", fold=True))),
    infix("ADD", symbol="+", level=5, assoc="left", doc="Sum; with a string on either side, concatenation.", rows=(
        row("int", "int", "int", inline="add_checked", raises=_OVERFLOW, fold=True),
        row("float", "float", "float", inline="fadd", fold=True),
        row("string", FORMATTABLE, "string", lower="concat"),
        row(FORMATTABLE, "string", "string", lower="concat"))),
    infix("SUB", symbol="-", level=5, assoc="left", doc="Difference.", rows=(
        row("int", "int", "int", inline="sub_checked", raises=_OVERFLOW, fold=True),
        row("float", "float", "float", inline="fsub", fold=True))),
    infix("EQ", symbol="==", level=6, assoc="none", doc="Equal, by value.", rows=_equality("eq")),
    infix("NEQ", symbol="!=", aliases=("NE",), level=6, assoc="none", doc="Not equal.", rows=_equality("neq")),
    infix("GT", symbol=">", level=6, assoc="none", doc="Greater than.", rows=_ordered("gt")),
    infix("LT", symbol="<", level=6, assoc="none", doc="Less than.", rows=_ordered("lt")),
    infix("GTE", symbol=">=", aliases=("GE",), level=6, assoc="none", doc="Greater or equal.", rows=_ordered("gte")),
    infix("LTE", symbol="<=", aliases=("LE",), level=6, assoc="none", doc="Less or equal.", rows=_ordered("lte")),
    infix("IN", level=6, assoc="none", doc="Element of a list, key of a map, part of a string.", rows=(
        row("T", "LIST<T>", "bool", lower="in_list"),
        row("K", "MAP<K, V>", "bool", lower="has_key"),
        row("string", "string", "bool", lower="in_string"))),
    infix("HAS", level=6, assoc="none", doc="The map has the key.", rows=(
        row("MAP<K, V>", "K", "bool", lower="has_key"),)),
    infix("CONTAINS", level=6, assoc="none", doc="The reverse of IN; or has a character of the class.", rows=(
        row("string", CLASS, "bool", lower="contains_class"),
        row("string", "string", "bool", lower="in_string"),
        row("LIST<T>", "T", "bool", lower="in_list"),
        row("MAP<K, V>", "K", "bool", lower="has_key"))),
    infix("STARTSWITH", level=6, assoc="none", doc="The string begins with the other.", rows=(
        row("string", "string", "bool", lower="starts_with"),)),
    infix("ENDSWITH", level=6, assoc="none", doc="The string ends with the other.", rows=(
        row("string", "string", "bool", lower="ends_with"),)),
    infix("MATCHES", level=6, assoc="none", right="pattern", lower="matches", doc="The value fits the pattern."),
    infix("IS", level=6, assoc="none", right="type", lower="is", doc="Is of the type, trait or variant; NONE; EMPTY."),
    infix("AND", level=8, assoc="left", lower="short_circuit", doc="Both; the right side only when the left is true.",
          rows=(row("bool", "bool", "bool", lower="and"),)),
    infix("OR", level=9, assoc="left", lower="short_circuit", doc="Either; the right side only when the left is false.",
          rows=(row("bool", "bool", "bool", lower="or"),)),
    infix("PIPE", level=10, assoc="left", lower="pipe", doc="`X PIPE F(A)` is `F(X, A)`."),
    infix("PIPEMAP", level=10, assoc="left", lower="pipe", doc="`L PIPEMAP F(A)`: the list of `F(X, A)` for each X."),
    infix("PIPEFILTER", level=10, assoc="left", lower="pipe", doc="The elements X of the list with `F(X, A)`."),
)  # fmt: skip

PREFIX: tuple[Operator, ...] = (
    prefix("SUB", doc="The opposite of a number.", rows=(
        row("int", "", "int", inline="neg_checked", raises=_OVERFLOW, fold=True),
        row("float", "", "float", inline="fneg", fold=True))),
    # NOT binds as tightly as SUB; where a comparison follows its operand it takes the whole comparison (level 7).
    prefix("NOT", doc="Not.", rows=(row("bool", "", "bool", inline="not", fold=True),)),
    prefix("MOVE", lower="move", doc="Gives the value away: the name ends."),
    prefix("CLONE", lower="clone", doc="A deep copy."),
    prefix("BORROW", lower="borrow", doc="A read-only view."),
    prefix("AWAIT", lower="await", doc="Waits for a task, a process or a list of tasks."),
    prefix("RECV", lower="recv", doc="Receives from a channel."),
    prefix("SPAWN", lower="spawn", doc="Starts a process."),
    prefix("PING", lower="ping", doc="Whether a task or process still runs."),
)  # fmt: skip

LOOSE_NOT_LEVEL = 7

BY_WORD: dict[str, Operator] = {op.word: op for op in INFIX}
CANONICAL: dict[str, str] = {spelling: op.word for op in INFIX for spelling in (op.word, *op.aliases)}
BY_SYMBOL: dict[str, str] = {op.symbol: op.word for op in INFIX if op.symbol is not None}
PREFIX_BY_WORD: dict[str, Operator] = {op.word: op for op in PREFIX}

# Operators that are found at run time on operands of type any, numbered for the runtime: only append to this list.
ANY_OPERATORS: tuple[str, ...] = (
    "ADD", "SUB", "MUL", "DIV", "MOD", "POW", "EQ", "NEQ", "GT", "LT", "GTE", "LTE", "IN", "HAS", "CONTAINS",
    "STARTSWITH", "ENDSWITH",
)  # fmt: skip
