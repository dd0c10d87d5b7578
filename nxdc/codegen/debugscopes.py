"""Which lines see which declaration, where a name is declared several times in one function.

MIR has no scopes any more: a register knows the place of its declaration only. What follows from the indentation of
the source is enough, because blocks are made by indentation: a declaration holds to the end of its block, the name a
header declares (LOOP, CASE, CATCH) for the block under it.
"""

from __future__ import annotations

from nxdc.source.span import Span
from nxdc.source.text import SourceFile

_TAB = 4


def visible_lines(span: Span) -> tuple[int, int]:
    """The first and the last line that see what is declared at a place."""
    file, line = span.file, span.line
    own = _code_line(file, line)
    if own is None:
        return line, line
    base, text = own
    header = text.endswith(":") and not text.startswith(("LET ", "CONST "))
    last = line
    for number in range(line + 1, file.line_count + 1):
        other = _code_line(file, number)
        if other is None:
            continue
        if other[0] < base or (header and other[0] == base):
            break
        last = number
    return line, last


def _code_line(file: SourceFile, line: int) -> tuple[int, str] | None:
    """Indentation and text of a line; None where there is no code."""
    start, end = file.line_range(line)
    text = file.code[start:end].expandtabs(_TAB)
    stripped = text.strip()
    if not stripped or stripped.startswith(("#", "//")):
        return None
    return len(text) - len(text.lstrip()), stripped
