"""Make a program that does something wrong smaller, in two ways one after the other.

Hypothesis makes other choices: simpler types, expressions and statements, with all that hangs on them. Then statements
are left out of the text: this reaches what is in every generated program, and works on any text. Both stop when the
time is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from hypothesis import Phase
from hypothesis.errors import HypothesisException

from tests.fuzz.programs import examples

Test = Callable[[str], bool]


class _Bad(Exception):
    """What hypothesis takes for the failure of a test."""


class _TimeOver(BaseException):
    """Ends hypothesis: it catches every Exception."""


def simpler(number: int, text: str, is_bad: Test, seconds: float) -> str:
    """The simplest bad program that hypothesis finds from the program of a seed (whose text is given)."""
    end = time.monotonic() + seconds
    known = {text: True}
    best = text

    def test(candidate: str) -> None:
        nonlocal best
        if candidate not in known:
            if time.monotonic() > end:
                raise _TimeOver
            known[candidate] = is_bad(candidate)
        if known[candidate]:
            if len(candidate) < len(best):
                best = candidate
            raise _Bad

    # An exception of its own comes when a program behaves in another way the second time.
    with suppress(_Bad, _TimeOver, HypothesisException):
        examples(number, test, (Phase.generate, Phase.shrink))
    return best


def without_statements(text: str, is_bad: Test, seconds: float) -> str:
    """Leave out statements, with what is indented under them, for as long as the program stays bad."""
    end = time.monotonic() + seconds
    lines = text.rstrip("\n").split("\n")
    again = True
    while again:
        again = False
        at = len(lines) - 1
        while at >= 0 and time.monotonic() < end:
            stop = _end_of(lines, at)
            rest = lines[:at] + lines[stop:]
            if is_bad("\n".join(rest) + "\n"):
                lines, again = rest, True
            at -= 1
    return "\n".join(lines) + "\n"


def _end_of(lines: list[str], at: int) -> int:
    """The line after a statement and the block under it."""
    depth = len(lines[at]) - len(lines[at].lstrip())
    stop = at + 1
    while stop < len(lines) and len(lines[stop]) - len(lines[stop].lstrip()) > depth:
        stop += 1
    return stop
