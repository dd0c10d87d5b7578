"""What is told about indentation: P1013 and P1014. `layout` decides when."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Line
from nxdc.tables.operators import BY_SYMBOL, CANONICAL

_HEADER_WORDS = frozenset(("WHILE", "FOR", "OTHERWISE", "PUBLIC", "PRIVATE", "INTERNAL", "EXPORT", "ASYNC"))


class Indentation:
    """Reports on the lines of one file."""

    def __init__(self, file: SourceFile, scan: Scanner, sink: Sink) -> None:
        self._file = file
        self._scan = scan
        self._sink = sink

    def is_missing(self, lines: list[Line]) -> bool:
        """Whether no line of the file is indented though some must be: then one diagnostic says all."""
        if any(line.indent for line in lines):
            return False
        bare = (line for line, following in pairwise(lines) if self._lacks_its_block(line, following))
        header = next(bare, None)
        if header is None:
            return False
        from shlex import quote  # only here: every start of the compiler would pay for it

        start = self._scan.starts[header.first]
        self._sink.report(
            codes.P1013, "file", Span(self._file, start, self._end(header)),
            "the lines of this block should be indented",
            notes=["a block is what is indented under its header"],
            helps=[f"`nxdc reindent {quote(self._file.name)}` puts the indentation back"],
        )  # fmt: skip
        return True

    def _lacks_its_block(self, line: Line, following: Line) -> bool:
        """Whether the next line must be the header's block. A function between functions merely is not written yet."""
        word = self._scan.word(line.first, line.last)
        if not line.header or line.broken:
            return False
        if word == "FUNC" == self._scan.word(following.first, following.last):
            return False
        return word in kw.HEADERS or word in _HEADER_WORDS

    def mixed(self, start: int, end: int) -> None:
        """Report blanks [start, end) that do not go with those of the block around."""
        helps = ["indent all lines of a block with blanks, or all with tabs"]
        self._sink.report(codes.P1014, "mixed", Span(self._file, start, max(end, start + 1)), helps=helps)

    def line(self, line: Line, wording: str, helps: Sequence[str], fixes: Sequence[Fix] = ()) -> None:
        """Report a line with a wording of P1014."""
        at = self._scan.starts[line.first]
        end = self._end(line)
        first_line_end = self._file.text.find("\n", at)
        if 0 <= first_line_end < end:
            end = first_line_end
        self._sink.report(codes.P1014, wording, Span(self._file, at, end), helps=helps, fixes=fixes)

    def flat_cases(self, header: Line, cases: Sequence[Line]) -> None:
        """Report the cases of a MATCH or SELECT that stand in its column."""
        step = "\t" if header.indent.startswith("\t") else "    "
        edits = tuple(Edit(Span(self._file, line.start, line.start), step) for line in cases)
        fix = Fix("indent the cases", edits, SAFE)
        word = self._scan.texts[header.first].upper()
        at = self._scan.starts[cases[0].first]
        place = Span(self._file, at, at + len(self._scan.texts[cases[0].first]))
        self._sink.report(codes.P1014, "cases", place, fixes=[fix], word=word)

    def unexpected(self, line: Line, before: Line | None) -> None:
        """Report a line that is deeper than the one before it, which starts no block."""
        word = self._operator(line)
        if before is None or not word:
            self.line(line, "unexpected", ["indent it like the line before it"])
            return
        scan = self._scan
        start, end = scan.starts[line.first], scan.starts[line.first] + len(scan.texts[line.first])
        place = self._end(before)
        blank = len(self._file.text[end:]) - len(self._file.text[end:].lstrip(" "))
        edits = (Edit(Span(self._file, place, place), f" {word}"), Edit(Span(self._file, start, end + blank), ""))
        helps = [f"a line goes on in the next one when it ends in an operator: move the `{word}`"]
        fix = Fix(f"end the line before it with `{word}`", edits, LIKELY)
        self.line(line, "unexpected", helps, [fix])
        line.broken = True  # it is no statement of its own

    def _operator(self, line: Line) -> str:
        """The operator that a line starts with, as other languages let it; "" when it starts with something else."""
        scan, i = self._scan, line.first
        text = scan.texts[i]
        if i + 1 >= line.last or (scan.symbol(i + 1, line.last) == "(" and scan.adjacent(i + 1)):
            return ""
        if scan.kinds[i] == "SYMBOL":
            return BY_SYMBOL.get(text, "") if text != "-" else ""
        if scan.kinds[i + 1] == "WORD" and scan.texts[i + 1] in kw.AFTER_OPERAND:
            return ""  # a variable named like an operator
        return text if text in CANONICAL or text in ("AND", "OR") else ""

    def _end(self, line: Line) -> int:
        last = line.last - 1
        return self._scan.starts[last] + len(self._scan.texts[last])
