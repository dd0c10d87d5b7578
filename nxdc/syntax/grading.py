"""How far the fixes of a file can be trusted, once all of it has been read.

A fix of a symbol or of a word says what is meant only when its statement is understood. In `IF A <> B` the `<` and the
`>` could be written `LT` and `GT`, but that is not what was meant; the error that says so stands elsewhere in the line.
So in a statement with a syntax error that no fix mends for certain, all fixes are guesses (`Sink.doubt`).
"""

from __future__ import annotations

from bisect import bisect_right

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import ERROR, SAFE, Diagnostic
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile

# Errors about where a line stands or how much there is: they leave no doubt about the words in it.
_HARMLESS = (codes.P1007, codes.P1010, codes.P1013, codes.P1014)
_NUMERIC = frozenset(("SUB", "MUL", "DIV", "MOD"))


def doubt_broken_lines(file: SourceFile, line_starts: list[int], sink: Sink) -> None:
    """Doubt the fixes in the logical lines that have a syntax error which no fix mends; `line_starts` tells where the
    lines start."""
    broken = {
        bisect_right(line_starts, diagnostic.primary.span.start)
        for diagnostic in sink.found()
        if diagnostic.primary.span.file is file and is_unmended(diagnostic)
    }
    ends = [*line_starts, len(file.text) + 1]
    for number in sorted(broken - {0}):
        sink.doubt(Span(file, ends[number - 1], ends[number]))


def is_unmended(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is a syntax error that no safe fix mends."""
    return (
        diagnostic.code.number[0] == "P"
        and diagnostic.severity == ERROR
        and diagnostic.code not in _HARMLESS
        and not any(fix.grade == SAFE for fix in diagnostic.fixes)
    )


def doubt_undefined_operators(sink: Sink) -> None:
    """Doubt the operators that texts and lists do not have: who writes `"-" * 20` does not mean to multiply."""
    for diagnostic in sink.found():
        if diagnostic.code is not codes.S3002 or diagnostic.wording not in ("binary", "unary"):
            continue
        args, place = diagnostic.args, diagnostic.primary.span
        types = [str(args.get(key, "")) for key in ("left", "right", "type")]
        if args.get("op") not in _NUMERIC or not any(name.startswith(("string", "LIST<")) for name in types):
            continue
        sides = [label.span for label in diagnostic.secondary]
        is_unary = diagnostic.wording == "unary"
        sink.doubt(Span(place.file, place.start, place.start + 1) if is_unary else
                   Span(place.file, sides[0].end, sides[1].start))  # fmt: skip
