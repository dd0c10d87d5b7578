"""The source of all choices of the generator: hypothesis draws them, so that it can also make them simpler.

Of several options the first is the simplest, a chance fails in the simplest case, and a repetition has as few rounds as
it may. A round of a repetition is a group for hypothesis, which can leave it out as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def _numbers(count: int) -> st.SearchStrategy[int]:
    """Making a strategy costs more than drawing from it."""
    return st.integers(0, count - 1)


@st.composite
def _round(draw: st.DrawFn, stop_at_zero_of: int, work: Callable[[], object]) -> bool:
    if stop_at_zero_of > 1 and draw(_numbers(stop_at_zero_of)) == 0:
        return False
    work()
    return True


class Choices:
    """Choices by a `draw` function of hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        return self._draw(_numbers(count)) if count > 1 else 0

    def between(self, low: int, high: int) -> int:
        """A number, both ends included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        return self.below(100) >= 100 - percent

    def of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest, result = list(items), []
        while rest:
            result.append(rest.pop(self.below(len(rest))))
        return result

    def repeat(self, least: int, most: int, work: Callable[[], object]) -> None:
        """Do something a number of times; each further round is decided by a draw of its own, within its group."""
        rounds = 0
        while rounds < most and self._draw(_round(most - least + 1 if rounds >= least else 0, work)):
            rounds += 1
