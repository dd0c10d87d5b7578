"""Syntax errors that come from habits of other languages and show only where the grammar stops: `L[1:3]`, `F(A: 1)`,
`LET A, B SET 1, 2`."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.tokens import Tokens

_STARTS = frozenset(("NEWLINE", "INDENT", "DEDENT", "HCOLON"))
_OPENERS = {"RPAREN": "LPAREN", "RBRACKET": "LBRACKET", "RBRACE": "LBRACE"}


def report_habit(tokens: Tokens, index: int, file: SourceFile, sink: Sink) -> bool:
    """Report the error at token `index` if it is such a habit; False when it is not."""
    kind = tokens.types[index]
    span = Span(file, tokens.starts[index], tokens.ends[index])
    if kind in ("COLON", "TO") and _report_colon(tokens, index, span, sink):
        return True
    if kind == "FUNC" and _opens_type(tokens, index):
        helps = ["functions stand beside the type: `FUNC F(X: T):` is called as `X.F()`"]
        sink.report(codes.P1006, "method", span, helps=helps)
        return True
    head = tokens.types[_first(tokens, index)]
    if kind == "COMMA" and head in ("LET", "CONST") and tokens.types[index - 1] == "NAME":
        sink.report(codes.P1006, "several", span, helps=["write a line for each"], word=head)
        return True
    if kind in ("ELSE", "IF", "IFX") and head not in ("ELSE", "FUNC"):
        return _report_choice(tokens, index, span, sink)
    if kind == "SET" and head == "FUNC" and _opener(tokens, index) > 0:
        helps = ["declare a second FUNC of the same name with fewer parameters that calls this one"]
        sink.report(codes.P1006, "default", span, helps=helps)
        return True
    return False


def _report_choice(tokens: Tokens, index: int, span: Span, sink: Sink) -> bool:
    """`IF A: B ELSE: C` and `B IF A ELSE C`."""
    if tokens.types[index] != "ELSE":
        if tokens.types[index - 1] in _STARTS:
            return False
        sink.report(codes.P1006, "choice", span, helps=["write `IF CONDITION THEN A ELSE B`"])
        return True
    start = _first(tokens, index)
    if start < 2 or tokens.types[start - 1] != "INDENT" or tokens.types[start - 2] != "HCOLON":
        return False
    helps = ["start a new line with it; a choice between two values is written `IF C THEN A ELSE B`"]
    sink.report(codes.P1006, "one_line_else", span, helps=helps)
    return True


def slip_help(tokens: Tokens, index: int) -> str:
    """What is meant at token `index`, where the grammar stops; empty when nothing special is."""
    types = tokens.types
    first = _first(tokens, index)
    head, kind, before = types[first], types[index], types[index - 1] if index else ""
    if head in ("LET", "CONST") and kind == "NEWLINE" and "SET" not in types[first:index]:
        return "a variable starts with a value: `LET X SET 0`, `LET L: LIST<int> SET []`"
    if before == "RAISE" and kind == "STRING":
        return "an error without a code is thrown: `THROW \"message\"`"
    if before == "RAISE" or (index > 1 and types[index - 2] == "RAISE" and kind in ("COMMA", "LPAREN")):
        return "write `RAISE E7001 \"detail\"`"
    if head == "THROW" and index == first + 2 and kind == "STRING":
        return "write `RAISE E7001 \"detail\"` for an error with a code"
    if before == "NAME" and tokens.values[index - 1] in ("OK", "ERR", "SOME") and kind in ("NAME", "INT", "STRING"):
        return f"a call has brackets: `{tokens.values[index - 1]}(...)`"
    if head == "CATCH" and kind != "NEWLINE":
        return "write `CATCH E:` for every error, `CATCH E7001:` for those with that code"
    if head == "PUSH" and kind != "NEWLINE":
        return "write `PUSH LIST, VALUE`"
    if kind == "STRING" and before == "STRING":
        return "texts are joined by `ADD`"
    if head == "LOOP" and index == first + 2 and tokens.values[index - 1] == "UNTIL":
        return "write `LOOP WHILE NOT (CONDITION):`, or `LOOP:` and `IF CONDITION: BREAK` in it"
    if head == "LOOP" and (kind == "INT" and types[first + 1] in ("LOOP", "NAME", "INT") and index <= first + 2):
        return "count with `LOOP I FROM 1 TO N:`"
    if head == "LOOP" and kind == "NAME" and tokens.values[index] == "DOWNTO":
        return "count downwards with `LOOP I FROM 10 TO 0 STEP SUB 1:`"
    if head == "LOOP" and ((kind == "LPAREN" and index == first + 1) or (kind == "NAME" and index == first + 2)):
        return "write `LOOP X IN L:` or `LOOP KEY, VALUE IN M:`"
    if head == "CASE" and _heads_select(tokens, first):
        return "the cases of a SELECT: `CASE V FROM CH:`, `CASE SEND V TO CH:`, `CASE TIMEOUT 0.5:`, `OTHERWISE:`"
    if head == "SEND" and kind not in ("NEWLINE", "HCOLON"):
        return "write `SEND VALUE TO CHANNEL`"
    if head == "FUNC" and kind == "NAME" and before == "NAME" and _opener(tokens, index) == first + 2:
        return "a parameter is written `NAME: TYPE`"
    if kind == "NAME" and before == "NAME" and tokens.values[index - 1] == "MATCH":
        return "`MATCH` is a statement: set the variable in its cases"
    opener = _opener(tokens, index)
    if kind == "COMMA" and opener > 0 and types[opener] == "LPAREN" and types[opener - 1] in ("SET", "RETURN"):
        return "values are put together in a record: `{ A: 1, B: 2 }`, of the type `{ A: int, B: int }`"
    if kind == "LBRACKET" and before == "NAME" and tokens.values[index - 1] in ("LIST", "MAP", "OPTION", "CHANNEL"):
        return f"type arguments stand in `<` and `>`: `{tokens.values[index - 1]}<...>`"
    if opener > 0 and types[opener] == "LBRACKET" and tokens.values[index] == "FOR":
        return "lists are made from lists by `MAP(L, fn(X) => ...)` and `FILTER(L, fn(X) => ...)`"
    return ""


def _heads_select(tokens: Tokens, index: int) -> bool:
    """Whether the CASE at `index` belongs to a SELECT."""
    depth = 0
    while index > 0:
        index -= 1
        kind = tokens.types[index]
        depth += (kind == "DEDENT") - (kind == "INDENT")
        if depth < 0:
            return tokens.types[_first(tokens, index - 1)] == "SELECT"
    return False


def _report_colon(tokens: Tokens, index: int, span: Span, sink: Sink) -> bool:
    """A colon or TO inside brackets: a slice or a named argument."""
    opener = _opener(tokens, index)
    if opener <= 0 or tokens.types[opener - 1] not in ("NAME", "RPAREN", "RBRACKET", "STRING"):
        return False
    if tokens.types[opener] == "LBRACKET":
        helps = ["write `SLICE(L, 1, 3)` for a list, `SUBSTR(S, 1, 3)` for a string (without the element at the end)"]
        sink.report(codes.P1006, "slice", span, helps=helps, found=span.text)
        return True
    is_call = tokens.types[opener] == "LPAREN" and tokens.types[index - 1] == "NAME"
    if is_call and tokens.types[index - 2] in ("LPAREN", "COMMA"):
        sink.report(codes.P1006, "named", span, helps=["leave the name and the colon out"])
        return True
    return False


def _opens_type(tokens: Tokens, index: int) -> bool:
    """Whether the block that starts right before `index` is that of a TYPE."""
    if index < 3 or tokens.types[index - 1] != "INDENT":
        return False
    return tokens.types[_first(tokens, index - 2)] == "TYPE"


def _first(tokens: Tokens, index: int) -> int:
    """The first token of the line or statement that `index` stands in."""
    while index > 0 and tokens.types[index - 1] not in _STARTS:
        index -= 1
    return index


def _opener(tokens: Tokens, index: int) -> int:
    """The bracket that is open at `index`; -1 when there is none in the statement."""
    depth = 0
    while index > 0 and tokens.types[index - 1] not in _STARTS:
        index -= 1
        kind = tokens.types[index]
        if kind in _OPENERS:
            depth += 1
        elif kind in _OPENERS.values():
            if depth == 0:
                return index
            depth -= 1
    return -1
