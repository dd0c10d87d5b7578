"""Functions without a name as other languages write them: `(X) => E`, `X => E`, `|X| E`, `fn(X) => { E }` ...
Each is told and read as `fn(X) => E`."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import SAFE, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax.foreign.declared import Declared

_STATEMENTS = frozenset(
    (";", "=", ":", "++", "--", "+=", "-=", "SET", "SETADD", "LET", "RETURN", "return", "let", "var")
)

_BEFORE_LAMBDA = frozenset(("SET", "RETURN", "LPAREN", "COMMA", "LBRACKET", "FN", "ARROW", "THEN", "ELSE", "SPAWN"))


class Functions(Declared):
    """The part of the classifier that understands such functions."""

    def _lacks_fn(self, i: int, last: int) -> bool:
        """Whether the parameters of a function without `fn` stand in the bracket at `i`; reported then."""
        scan = self._scan
        if self._operand or (not self._at_start and self._out.types[-1] == "FN"):
            return False
        if scan.symbol(scan.closing(i, last) + 1, last) != "=>" or self._head == "CASE":
            return False
        at = scan.starts[i]
        self._report_fn(self._span(i).to(self._span(scan.closing(i, last))), [Edit(Span(self._file, at, at), "fn")])
        self._out.emit("FN", "fn", at, at)
        return True

    def _report_fn(self, span: Span, edits: list[Edit]) -> None:
        self._sink.report(codes.P1006, "lambda_fn", span, fixes=[Fix("write `fn(...) =>`", tuple(edits), SAFE)])

    def _lone_parameter(self, i: int) -> None:
        """`X => E`, whose arrow stands at `i`: if so, it is reported and read as `fn(X) => E`."""
        out = self._out
        if not self._operand or out.types[-1] != "NAME" or self._head == "CASE":
            return
        if len(out.types) - self._statement_at() < 2 or out.types[-2] not in _BEFORE_LAMBDA:
            return
        start, end = out.starts[-1], out.ends[-1]
        has_fn = out.types[-2] == "FN"
        before = Span(self._file, out.ends[-2] if has_fn else start, start)
        behind = Span(self._file, end, end)
        self._report_fn(Span(self._file, start, end), [Edit(before, "(" if has_fn else "fn("), Edit(behind, ")")])
        value = out.values[-1]
        out.cut(len(out.types) - 1 - has_fn)
        for kind, word in (("FN", "fn"), ("LPAREN", "("), ("NAME", value), ("RPAREN", ")")):
            out.emit(kind, word, start, end)

    def _bars(self, i: int, last: int) -> int:
        """`|X, Y| E`; -1 when no parameters stand there."""
        scan = self._scan
        if self._operand or self._at_start:
            return -1
        close = next((j for j in range(i + 1, last) if scan.symbol(j, last) == "|"), last)
        names = [j for j in range(i + 1, close) if scan.symbol(j, last) != ","]
        if close >= last or not all(scan.word(j, last) for j in names):
            return -1
        listed = ", ".join(scan.texts[j].upper() for j in names)
        span = self._span(i).to(self._span(close))
        self._report_fn(span, [Edit(span, f"fn({listed}) =>")])
        self._emit("FN", "fn", i, False)
        self._emit("LPAREN", "(", i, False)
        self._emit_names(names)
        self._emit("RPAREN", ")", close, False)
        return self._emit("ARROW", "=>", close, False)

    def _braced_body(self, i: int, last: int) -> int:
        """`fn(X) => { E }` and `fn(X) { return E }`, at the brace; -1 when a value starts there."""
        scan, types = self._scan, self._out.types
        bare = len(types) == self._lambda_end
        if not bare and (types[-1:] != ["ARROW"] or "FN" not in types[self._statement_at() :]):
            return -1
        close = scan.closing(i, last)
        is_entry = scan.symbol(i + 2, last) == ":"
        if close >= last or close == i + 1 or (is_entry and not bare):
            return -1
        start = i + 1 + (scan.word(i + 1, last).upper() == "RETURN")
        single = start < close and not any(
            scan.texts[j] in _STATEMENTS or self._is_arrow(j, close) for j in range(start, close)
        )
        helps = ["a function of several lines has a colon and an indented block: `LET F SET fn(X):`"]
        fixes = []
        if single:
            arrow = " => " if bare else " "
            edits = (
                Edit(Span(self._file, self._end_of(i - 1), scan.starts[start]), arrow),
                Edit(Span(self._file, self._end_of(close - 1), self._end_of(close)), ""),
            )
            fixes.append(Fix("write the value behind `=>`", edits, SAFE))
        self._sink.report(codes.P1006, "lambda_braces", self._span(i), helps=[] if single else helps, fixes=fixes)
        if not single:
            self._dropped = True
            return last
        if bare:
            self._emit("ARROW", "=>", i, False)
        self._classify(start, close)
        return close + 1
