"""Comparisons do not chain: telling `A LT B LT C` and `X IS int EQ true` in the user's own text."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.tables.operators import BY_SYMBOL, BY_WORD

_BOTH_MEANT = frozenset(("EQ", "NEQ", "NE", "LT", "LTE", "LE", "GT", "GTE", "GE"))  # `A LT B LT C` is two comparisons
_LONG = 40  # operands longer than this are not repeated in the help

COMPARISONS = frozenset(op.word for op in BY_WORD.values() if op.assoc == "none")


def report_chain(sink: Sink, left: Span, first: Span, middle: Span, second: Span) -> None:
    """P1009 at the operator `second`, whose left operand is the comparison `left first middle`."""
    ops = [BY_SYMBOL.get(span.text, span.text) for span in (first, second)]
    a, b = _short(left, "A"), _short(middle, "B")
    following = second.file.text[second.end :].split(None, 1)[:1]
    if ops[1] == "EQ" and following and following[0].rstrip("):,") == "true":
        helps = [f"the first comparison is a bool already: leave `{ops[1]} true` out"]
    elif b.startswith("NOT "):
        helps = [f"put the right side in brackets: `{a} {ops[0]} ({b} {ops[1]} ...)`"]
    elif all(op in _BOTH_MEANT for op in ops):
        helps = [f"join two comparisons with `AND`: `{a} {ops[0]} {b} AND {b} {ops[1]} ...`"]
    else:
        helps = [f"brackets make the first an operand: `({a} {ops[0]} {b}) {ops[1]} ...`"]
    sink.report(codes.P1009, "chain", second, also=[(first, "the first comparison")], helps=helps)


def _short(span: Span, name: str) -> str:
    text = span.text
    return text if len(text) <= _LONG and "\n" not in text else name
