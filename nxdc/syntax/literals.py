"""Reading number and string literals: from their text to their value, with a diagnostic for everything ill formed.

A literal that is wrong still gets a value, so that the rest of the line is read as if it were right.
"""

from __future__ import annotations

import re

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import SAFE, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile

MAX_INT = 9223372036854775807
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "\\": "\\"}
_ESCAPE = re.compile(r"\\(u\{[^}\"]*\}?|.)", re.DOTALL)
_BASES = {"x": (16, "hexadecimal"), "b": (2, "binary"), "o": (8, "octal")}
_GOOD_NUMBER = re.compile(r"(?:\d+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\Z", re.ASCII)
_DECIMAL_PREFIX = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)


class Literals:
    """Reads the literals of one file."""

    def __init__(self, file: SourceFile, sink: Sink) -> None:
        self._file = file
        self._sink = sink

    def number(self, text: str, start: int, negated: bool) -> tuple[str, int | float]:
        """Token type (INT or FLOAT) and value. `negated`: the operand of `SUB`, which allows the least int."""
        if text.isdigit() and text.isascii():
            return self._int(text, 10, text, start, negated)
        span = Span(self._file, start, start + len(text))
        if "_" in text:
            plain = text.replace("_", "")
            fix = Fix(f"write `{plain}`", (Edit(span, plain),), SAFE)
            self._sink.report(codes.P1004, "underscore", span, fixes=[fix])
            text = plain
        if len(text) > 1 and text[0] == "0" and text[1] in "xXbBoO":
            return self._based(text, start, span, negated)
        if not _GOOD_NUMBER.match(text):
            good = _DECIMAL_PREFIX.match(text)
            kept = good.group() if good else "0"
            fix = Fix(f"write `{kept}`", (Edit(span, kept),), "likely")
            self._sink.report(codes.P1004, "suffix", span, fixes=[fix], suffix=text[len(kept) :])
            text = kept
        if text.isdigit():
            return self._int(text, 10, text, start, negated)
        value = float(text)
        if value == float("inf"):
            self._sink.report(codes.P1004, "float", span, helps=["the largest float is about 1.8e308"], text=text)
            value = 0.0
        return "FLOAT", value

    def _based(self, text: str, start: int, span: Span, negated: bool) -> tuple[str, int | float]:
        base, name = _BASES[text[1].lower()]
        digits = text[2:]
        if not digits:
            self._sink.report(codes.P1004, "digits", span, text=f"`{text}`")
            return "INT", 0
        bad = next((d for d in digits if not (d.isascii() and d.isalnum() and int(d, 36) < base)), "")
        if bad:
            self._sink.report(codes.P1004, "digit", span, digit=bad, base=name)
            return "INT", 0
        return self._int(digits, base, text, start, negated)

    def _int(self, digits: str, base: int, text: str, start: int, negated: bool) -> tuple[str, int | float]:
        significant = digits.lstrip("0")
        value = int(digits, base) if len(significant) <= 64 else MAX_INT + 2  # huge texts are slow to convert
        if value > MAX_INT + (1 if negated else 0):
            span = Span(self._file, start, start + len(text))
            shown = text if len(text) <= 30 else text[:27] + "..."
            helps = [f"the largest int is {MAX_INT}; a float can be larger: `{digits}.0`"] if base == 10 else []
            if len(text) > 60:
                helps = [f"the largest int is {MAX_INT}"]
            self._sink.report(codes.P1004, "int", span, helps=helps, text=shown)
            value = 0
        return "INT", value

    def string(self, text: str, start: int) -> str:
        """The value of a string literal given with its quotes."""
        body = text[1:-1]
        if "\\" not in body:
            return body
        return _ESCAPE.sub(lambda m: self._escape(m.group(1), start + 1 + m.start()), body)

    def _escape(self, escape: str, start: int) -> str:
        simple = _ESCAPES.get(escape)
        if simple is not None:
            return simple
        span = Span(self._file, start, start + 1 + len(escape))
        if escape[0] != "u":
            helps = ['the escapes are \\n \\t \\r \\0 \\" \\\\ and \\u{1F600}; a backslash itself is written \\\\']
            self._sink.report(codes.P1005, "unknown", span, helps=helps, char=escape)
            return escape
        digits = escape[2:-1] if len(escape) > 3 and escape[1] == "{" and escape.endswith("}") else ""
        good = 0 < len(digits) <= 6 and all(d in "0123456789abcdefABCDEF" for d in digits)
        point = int(digits, 16) if good else -1
        if point < 0 or point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
            helps = ["write the number of the character in hexadecimal digits between braces: \\u{1F600}"]
            self._sink.report(codes.P1005, "unicode", span, helps=helps, text="\\" + escape)
            return "\ufffd"
        return chr(point)
