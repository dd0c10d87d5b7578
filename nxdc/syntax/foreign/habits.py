"""Syntax errors that come from habits of other languages and show only where the grammar stops: `L[1:3]`, `F(A: 1)`,
`LET A, B SET 1, 2`."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.tokens import Tokens

STARTS = frozenset(("NEWLINE", "INDENT", "DEDENT", "HCOLON"))  # a statement starts behind them
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
    head = tokens.types[first_of(tokens, index)]
    if kind == "COMMA" and head in ("LET", "CONST") and tokens.types[index - 1] == "NAME":
        sink.report(codes.P1006, "several", span, helps=["write a line for each"], word=head)
        return True
    if kind in ("ELSE", "IF", "IFX") and head not in ("ELSE", "FUNC"):
        return _report_choice(tokens, index, span, sink)
    if kind == "SET" and head == "FUNC" and opener_of(tokens, index) > 0:
        helps = ["declare a second FUNC of the same name with fewer parameters that calls this one"]
        sink.report(codes.P1006, "default", span, helps=helps)
        return True
    return False


def _report_choice(tokens: Tokens, index: int, span: Span, sink: Sink) -> bool:
    """`IF A: B ELSE: C` and `B IF A ELSE C`."""
    if tokens.types[index] != "ELSE":
        end = index
        while tokens.types[end] not in ("NEWLINE", "ELSE", "END"):
            end += 1
        if tokens.types[index - 1] in STARTS or tokens.types[end] != "ELSE":
            return False
        sink.report(codes.P1006, "choice", span, helps=["write `IF CONDITION THEN A ELSE B`"])
        return True
    start = first_of(tokens, index)
    if start < 2 or tokens.types[start - 1] != "INDENT" or tokens.types[start - 2] != "HCOLON":
        return False
    helps = ["start a new line with it; a choice between two values is written `IF C THEN A ELSE B`"]
    sink.report(codes.P1006, "one_line_else", span, helps=helps)
    return True


def _report_colon(tokens: Tokens, index: int, span: Span, sink: Sink) -> bool:
    """A colon or TO inside brackets: a slice or a named argument."""
    opener = opener_of(tokens, index)
    if opener <= 0 or tokens.types[opener - 1] not in ("NAME", "RPAREN", "RBRACKET", "STRING"):
        return False
    if tokens.types[opener] == "LBRACKET":
        helps = ["write `SLICE(L, 1, 3)` for a list, `SUBSTR(S, 1, 3)` for a string (without the element at the end)"]
        sink.report(codes.P1006, "slice", span, helps=helps, found=span.text)
        return True
    is_call = tokens.types[opener] == "LPAREN" and tokens.types[index - 1 : index + 1] == ["NAME", "COLON"]
    if is_call and tokens.types[index - 2] in ("LPAREN", "COMMA"):
        helps = ["leave the name and the colon out; a struct is written `T { NAME: X }`"]
        sink.report(codes.P1006, "named", span, helps=helps)
        return True
    return False


def _opens_type(tokens: Tokens, index: int) -> bool:
    """Whether the block that starts right before `index` is that of a TYPE."""
    if index < 3 or tokens.types[index - 1] != "INDENT":
        return False
    return tokens.types[first_of(tokens, index - 2)] == "TYPE"


def first_of(tokens: Tokens, index: int) -> int:
    """The first token of the line or statement that `index` stands in."""
    while index > 0 and tokens.types[index - 1] not in STARTS:
        index -= 1
    return index


def opener_of(tokens: Tokens, index: int) -> int:
    """The bracket that is open at `index`; -1 when there is none in the statement."""
    depth = 0
    while index > 0 and tokens.types[index - 1] not in STARTS:
        index -= 1
        kind = tokens.types[index]
        if kind in _OPENERS:
            depth += 1
        elif kind in _OPENERS.values():
            if depth == 0:
                return index
            depth -= 1
    return -1
