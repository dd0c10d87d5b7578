"""What is meant where the grammar stops: helps for syntax errors that a slip in one statement explains.

Input:  the tokens and the index of the one that does not fit. Output: a sentence, or nothing when no slip is known. The
error itself (P1002) is reported by `recovery`; habits that have a wording of their own are in `habits`.
"""

from __future__ import annotations

from nxdc.syntax.foreign.habits import first_of, opener_of
from nxdc.syntax.tokens import Tokens
from nxdc.tables.prelude import BY_NAME

_GENERIC = frozenset(("LIST", "MAP", "OPTION", "RESULT", "CHANNEL", "TASK", "PROCESS"))
_RAISE = '`RAISE E7001 "detail"`'


def slip_help(tokens: Tokens, index: int) -> str:
    """What is meant at token `index`; empty when nothing special is."""
    first = first_of(tokens, index)
    rule = _STATEMENTS.get(tokens.types[first])
    return (rule(tokens, first, index) if rule else "") or _expression(tokens, index)


def _let(tokens: Tokens, first: int, index: int) -> str:
    if tokens.types[index] == "NEWLINE" and "SET" not in tokens.types[first:index]:
        return "a variable starts with a value: `LET X SET 0`, `LET L: LIST<int> SET []`"
    return ""


def _loop(tokens: Tokens, first: int, index: int) -> str:
    kind, value, behind = tokens.types[index], tokens.values[index], index - first
    if behind == 2 and tokens.values[index - 1] == "UNTIL":
        return "write `LOOP WHILE NOT (CONDITION):`, or `LOOP:` and `IF CONDITION: BREAK` in it"
    if kind == "INT" and behind <= 2:  # `LOOP 3:`, `LOOP FROM 1 TO 3:`
        return "count with `LOOP I FROM 1 TO N:`"
    if value == "DOWNTO":
        return "count downwards with `LOOP I FROM 10 TO 0 STEP SUB 1:`"
    if (kind == "LPAREN" and behind == 1) or (kind in ("NAME", "HCOLON") and behind == 2):
        return "write `LOOP X IN L:` or `LOOP KEY, VALUE IN M:`"
    return ""


def _case(tokens: Tokens, first: int, index: int) -> str:
    if index == first:
        return "a `CASE` stands under its `MATCH X:` or `SELECT:`, indented"
    if _heads_select(tokens, first):
        return "the cases of a SELECT: `CASE V FROM CH:`, `CASE SEND V TO CH:`, `CASE TIMEOUT 0.5:`, `OTHERWISE:`"
    return ""


def _raise(tokens: Tokens, first: int, index: int) -> str:
    if tokens.types[index] == "STRING" and index == first + 1:
        return 'an error without a code is thrown: `THROW "message"`'
    return f"write {_RAISE}" if tokens.types[index] in ("STRING", "COMMA", "LPAREN") else ""


def _throw(tokens: Tokens, first: int, index: int) -> str:
    is_second = tokens.types[index] == "STRING" and index == first + 2
    return f"write {_RAISE} for an error with a code" if is_second else ""


def _catch(tokens: Tokens, first: int, index: int) -> str:
    if tokens.values[index] == "AS":
        return "`CATCH E:` names the message of every error; `CATCH E7001:` catches one code and has no name for it"
    return "write `CATCH E:` for every error, `CATCH E7001:` for those with that code"


def _push(tokens: Tokens, first: int, index: int) -> str:
    return "write `PUSH LIST, VALUE`" if tokens.types[index] != "NEWLINE" else ""


def _timeout(tokens: Tokens, first: int, index: int) -> str:
    return "write `TIMEOUT H 500`, in milliseconds; a time that is computed stands in brackets: `(N MUL 1000)`"


def _send(tokens: Tokens, first: int, index: int) -> str:
    return "write `SEND VALUE TO CHANNEL`" if tokens.types[index] != "NEWLINE" else ""


def _func(tokens: Tokens, first: int, index: int) -> str:
    types = tokens.types
    side_by_side = types[index] == types[index - 1] == "NAME" and types[index - 2] != "COLON"
    if side_by_side and opener_of(tokens, index) == first + 2:
        return "a parameter is written `NAME: TYPE`"
    if types[index] == "DOT" and index == first + 2:
        return f"write `FUNC NAME(X: {tokens.values[index - 1]})`: it is called as `X.NAME()`"
    return ""


_STATEMENTS = {
    "LET": _let, "CONST": _let, "LOOP": _loop, "CASE": _case, "RAISE": _raise, "THROW": _throw, "CATCH": _catch,
    "PUSH": _push, "TIMEOUT": _timeout, "SEND": _send, "FUNC": _func,
}  # fmt: skip


def _expression(tokens: Tokens, index: int) -> str:
    types, values = tokens.types, tokens.values
    kind, before, word = types[index], types[index - 1] if index else "", values[index - 1] if index else ""
    is_function = word in ("OK", "ERR", "SOME") or word in BY_NAME
    if before == "NAME" and is_function and kind in ("NAME", "INT", "FLOAT", "STRING"):
        return f"a call has brackets: `{word}(...)`"
    if before == "FN" and kind == "NAME":
        return "write `fn(X) => X ADD 1`"
    if values[index] == "TIMEOUT" and "RECV" in types[first_of(tokens, index) : index]:
        return "a value is waited for by `RECV_TIMEOUT(CH, SECONDS)`, which gives an OPTION"
    if kind == "NEWLINE" and "TRYX" in types[first_of(tokens, index) : index]:
        return "`CATCH E:` goes on, with what to do or the value to take when it fails"
    if kind == before == "STRING":
        return "texts are joined by `ADD`"
    if kind == before == "NAME" and word == "MATCH":
        return "`MATCH` is a statement: set the variable in its cases"
    if kind == "LBRACKET" and before == "NAME" and word in _GENERIC:
        return f"type arguments stand in `<` and `>`: `{word}<...>`"
    if kind in ("IF", "IFX"):
        return "the condition comes first: `IF CONDITION: STATEMENT`"
    opener = opener_of(tokens, index)
    if kind == "COMMA":
        return _comma(tokens, index, opener)
    if kind in ("COLON", "HCOLON") and values[first_of(tokens, index)] == "FOR":
        return "write `LOOP X IN L:` or `LOOP KEY, VALUE IN M:`"
    if kind == "LET" and before == "IF":
        return "a pattern is tested by `IF X MATCHES SOME(V):`, which names V in the block"
    if opener > 0 and types[opener] == "LBRACKET" and values[index] == "FOR":
        return "lists are made from lists by `MAP(L, fn(X) => ...)` and `FILTER(L, fn(X) => ...)`"
    return ""


def _comma(tokens: Tokens, index: int, opener: int) -> str:
    """What is meant by a comma: several values at once."""
    types, first = tokens.types, first_of(tokens, index)
    record = "values are put together in a record: `{ A: 1, B: 2 }`, of the type `{ A: int, B: int }`"
    if opener <= 0:
        if types[first] == "RETURN":
            return record
        is_place = all(kind in ("NAME", "DOT") for kind in types[first:index])
        return "a statement sets one variable: give each its value on a line of its own" if is_place else ""
    if types[opener] == "LPAREN" and types[opener - 1] in ("SET", "RETURN"):
        return record
    if types[opener] == "LPAREN" and opener == first and types[opener - 2 : opener] == ["HCOLON", "INDENT"]:
        return record  # `FUNC F(): (int, string):`
    if types[opener] == "LBRACE" and types[opener - 1] == "NAME" and types[index - 1] == "NAME":
        return f"each field stands with its value: `{tokens.values[index - 1]}: VALUE`"
    return ""


def _heads_select(tokens: Tokens, index: int) -> bool:
    """Whether the CASE at `index` belongs to a SELECT."""
    depth = 0
    while index > 0:
        index -= 1
        kind = tokens.types[index]
        depth += (kind == "DEDENT") - (kind == "INDENT")
        if depth < 0:
            return tokens.types[first_of(tokens, index - 1)] == "SELECT"
    return False
