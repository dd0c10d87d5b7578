"""Which parts of a layout are guesses: those for which another layout would have cost hardly more."""

from __future__ import annotations

from nxdc.syntax.reindent import prices
from nxdc.syntax.reindent.model import Block, Note, State
from nxdc.syntax.reindent.search import Search

_WIDTH = 4  # ways that are kept when another layout is tried
_SURE = 8.0  # a difference that the lines below will not make up for
_FAR = 30  # lines until the two layouts have to meet


def guesses(search: Search, path: list[State]) -> list[Note]:
    """A note for each block whose end was a guess, in the order of the file."""
    found: set[int] = set()
    for at in range(len(path) - 1):
        if len(path[at].stack) > 1:
            _note_doubts(search, path, at, found)
    facts = search.facts
    notes = []
    for header in sorted(found):
        last = _last_line(path, header)
        first = facts.number(header)
        notes.append(Note(first, f"the block of this line was taken to reach to line {facts.last_number(last)}"))
    return notes


def _note_doubts(search: Search, path: list[State], at: int, found: set[int]) -> None:
    """Add the headers of the blocks that the line behind state `at` could as well be in, or not be in."""
    state, taken = path[at], path[at + 1]
    others = sorted(search.ways(state, taken.index), key=lambda other: abs(other.level - taken.level))
    misses = [0, 0]  # layouts that were clearly worse: further out, further in
    for other in others:
        inner = other.level > taken.level
        if other.level == taken.level or misses[inner] > 1:
            continue
        low, high = sorted((other.level + 1, taken.level + 1))
        between = {block.line for block in state.stack[low:high] if _ends_freely(block)}
        if between <= found:
            continue
        far_off = other.cost - taken.cost > prices.WRONG
        if not far_off and _difference(search, path, at + 1, other) < prices.CLOSE:
            found |= between
        else:
            misses[inner] += 1


def _ends_freely(block: Block) -> bool:
    return block.kind == "stmts" and block.line >= 0


def _difference(search: Search, path: list[State], at: int, other: State) -> float:
    """How much more another way costs, once both stand in the same blocks again."""
    states = [other]
    final = len(search.facts.lines)
    for place in range(at, min(at + _FAR, len(path))):
        mine = path[place]
        states = [state for state in states if state.following == mine.following]
        if not states:
            return prices.IMPOSSIBLE
        same = [s for s in states if _shape(s) == _shape(mine)]
        least = min(state.cost for state in states) - mine.cost
        if same and min(s.cost for s in same) - mine.cost <= least + prices.CLOSE:
            return min(s.cost for s in same) - mine.cost
        if least > _SURE:
            return least
        if mine.following >= final:
            ends = min(state.cost + search.end(state) for state in states)
            return ends - mine.cost - search.end(mine)
        states = search.advance(states, mine.following, _WIDTH)
    return least


def _shape(state: State) -> tuple[int, ...]:
    return tuple(block.line for block in state.stack)


def _last_line(path: list[State], header: int) -> int:
    """Index of the last line in the block of a header."""
    last = header
    for state in path:
        if any(block.line == header for block in state.stack):
            last = max(last, state.following - 1)
    return last
