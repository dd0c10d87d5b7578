"""`N // 2`, which divides elsewhere: here a comment starts, and what is meant is silently left out."""

from __future__ import annotations

import re

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.lexer import comments

_DIVIDED = re.compile(r"[\w)\]][ \t]*(//)[ \t]*\d[\w.]*[ \t\r]*$", re.MULTILINE)


def report_slashes(file: SourceFile, sink: Sink) -> None:
    """Warn of comments that are nothing but a number behind an operand. Comments that say more are comments."""
    found = [match.start(1) for match in _DIVIDED.finditer(file.code)]
    if not found:
        return
    starts = {start for start, _ in comments(file.code)}
    for start in found:
        if start in starts:
            span = Span(file, start, start + 2)
            fix = Fix("write `DIV`", (Edit(span, "DIV"),), LIKELY)
            sink.report(codes.W2004, "slashes", span, helps=["ints are divided by `DIV`"], fixes=[fix])
