"""Characters that look like blanks or line ends but are none: told once a kind, and read as what they look like."""

from __future__ import annotations

import re
from bisect import bisect_right

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import SAFE, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.lexer import RawTokens, comments

_ODD = re.compile(r"[^\S \t\r\n]|\r(?!\n)")  # white space but for spaces, tabs, LF and CRLF
_CONTROLS = {"\r": "carriage return", "\f": "form feed", "\v": "vertical tab", "\x85": "next line"}


def report_odd_blanks(file: SourceFile, raw: RawTokens, sink: Sink) -> bool:
    """Report them where they stand outside strings and comments; whether lines end in a way that nobody reads."""
    if _ODD.search(file.code) is None:
        return False
    found: dict[str, list[int]] = {}
    for match in _ODD.finditer(file.code):
        if not _is_text(file, raw, match.start()):
            found.setdefault(match.group(), []).append(match.start())
    for char, places in found.items():
        spans = [Span(file, place, place + 1) for place in places]
        fix = Fix(_title(char), tuple(Edit(span, _meant(char)) for span in spans), SAFE)
        help_ = "lines end in LF or CRLF" if char == "\r" else "blanks are spaces, and tabs for indentation"
        sink.report(codes.P1003, "blank", spans[0], helps=[help_], fixes=[fix], char=_name(char))
    return "\r" in found


def _is_text(file: SourceFile, raw: RawTokens, place: int) -> bool:
    """Whether a character stands in a string or a comment."""
    i = bisect_right(raw.starts, place) - 1
    if i >= 0 and place < raw.starts[i] + len(raw.texts[i]):
        return True
    return any(start <= place < end for start, end in comments(file.code))


def _meant(char: str) -> str:
    return {"\r": "\n", "\f": "", "\v": ""}.get(char, " ")


def _title(char: str) -> str:
    return {"": "leave it out", "\n": "end the line with LF", " ": "write a space"}[_meant(char)]


def _name(char: str) -> str:
    import unicodedata

    name = _CONTROLS.get(char) or unicodedata.name(char, "blank").lower()
    return f"{name} (U+{ord(char):04X})"
