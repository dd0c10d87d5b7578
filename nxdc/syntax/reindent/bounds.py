"""What keeps the search small: which moves need no look, and which names no longer tell two states apart."""

from __future__ import annotations

from heapq import heappush, heapreplace

from nxdc.syntax.reindent import prices
from nxdc.syntax.reindent.facts import Facts
from nxdc.syntax.reindent.model import Block

_HOPELESS = 60.0  # more than the best one costs: dropped


class Limit:
    """The rank beyond which a move is not worth a look: hopelessly more than the best, or more than `room` others.

    All prices are positive, and a rank is at least the cost: nothing that is made out of a state ranks below its cost.
    """

    def __init__(self, room: int) -> None:
        self.rank = float("inf")
        self._room = room
        self._least = float("inf")
        self._kept: list[float] = []  # the `room` lowest ranks with their signs turned: a heap with the highest first

    def add(self, rank: float) -> None:
        """Take note of a move."""
        kept = self._kept
        if len(kept) < self._room:
            heappush(kept, -rank)
        elif rank < -kept[0]:
            heapreplace(kept, -rank)
        self._least = min(self._least, rank)
        self.rank = self._least + _HOPELESS
        if len(kept) == self._room:
            self.rank = min(self.rank, max(-kept[0], self._least + prices.LIKELY))


class Variety:
    """Which blocks are open in all of the states that are kept, and which in none of them: a state that differs in that
    is the last one with another answer, however many cheaper ones there are."""

    def __init__(self) -> None:
        self._in_all: set[int] = set()
        self._in_some: set[int] = set()

    def add(self, stack: tuple[Block, ...]) -> None:
        """A state is kept."""
        blocks = {block.line for block in stack}
        self._in_all = self._in_all & blocks if self._in_some else blocks
        self._in_some |= blocks

    def is_new(self, stack: tuple[Block, ...]) -> bool:
        """Whether a state has a block that no other has, or has not one that all others have."""
        blocks = {block.line for block in stack}
        return not (blocks <= self._in_some and self._in_all <= blocks)


class Live:
    """The names that the rest of a function still has. The others make no difference any more: states that differ in
    nothing else are one."""

    def __init__(self, facts: Facts) -> None:
        self.names: set[str] = set()
        self._facts = facts
        self._last: dict[int, list[str]] = {}  # for each line the names that no later line of its part has
        self._parts: dict[int, set[str]] = {}  # for the first line of each part all of its names
        start = 0
        while start < len(facts.lines):
            end = facts.ends[start]
            last: dict[str, int] = {}
            for index in range(start, end):
                line = facts.lines[index]
                last.update(dict.fromkeys(facts.scan.texts[line.first : line.last], index))
            for name, index in last.items():
                self._last.setdefault(index, []).append(name)
            self._parts[start] = set(last)
            start = end

    def reach(self, index: int) -> None:
        """The line at `index` is being placed: `names` become those of the lines behind it."""
        self.names = self._parts.pop(index, self.names)
        self.names.difference_update(self._last.pop(index, ()))
