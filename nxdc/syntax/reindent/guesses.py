"""Which parts of a layout are guesses: those for which another layout would have cost hardly more."""

from __future__ import annotations

from itertools import pairwise

from nxdc.syntax.reindent import prices
from nxdc.syntax.reindent.model import Block, Note, State
from nxdc.syntax.reindent.search import Search

_MISFIT = "no layout of the lines above makes sense of this line"


def guesses(search: Search, path: list[State]) -> list[Note]:
    """A note for each block whose end was a guess, and for each line that fits nowhere, in the order of the file."""
    facts = search.facts
    last = _last_lines(path)
    notes = [Note(facts.number(index), _MISFIT) for index in _misfits(path)]
    for header, difference in _doubts(search, path).items():
        if header in last:
            text = f"the block of this line was taken to reach to line {facts.last_number(last[header])}"
            notes.append(Note(facts.number(header), text if difference < prices.CLOSE else f"{text}, most likely"))
    for index in facts.methods.guessed:
        what = "a method of" if index in facts.methods.inside else "no method of"
        notes.append(Note(facts.number(index), f"this function was taken to be {what} the TRAIT or IMPL above it"))
    return sorted(notes, key=lambda note: note.line)


def _misfits(path: list[State]) -> list[int]:
    """The lines that even the best layout has no place for, by what their places cost."""
    return [state.index for before, state in pairwise(path) if state.cost - before.cost >= prices.MISFIT]


def _doubts(search: Search, path: list[State]) -> dict[int, float]:
    """The headers of the blocks that some line could as well be in, or not be in, and what that would cost more."""
    found: dict[int, float] = {}
    rest = _rest(search)
    best = path[-1].cost + search.end(path[-1])
    made = {states[0].index: states for states in search.made}
    for taken in path[1:]:
        blocks = {block.line for block in taken.stack if _ends_freely(block)}
        for other in made[taken.index]:
            difference = other.cost + rest.get(id(other), prices.IMPOSSIBLE) - best
            if difference < prices.LIKELY:
                for header in blocks ^ {block.line for block in other.stack if _ends_freely(block)}:
                    found[header] = min(difference, found.get(header, difference))
    return found


def _rest(search: Search) -> dict[int, float]:
    """What the lines behind a state cost at least, by the `id` of the state; a state that leads nowhere has none."""
    final = len(search.facts.lines)
    rest: dict[int, float] = {}
    for states in reversed(search.made):
        for state in states:
            if state.following >= final:
                rest[id(state)] = search.end(state)
            if id(state) not in rest:
                continue
            for way in state.ways:
                before = way.before
                through = way.cost - before.cost + rest[id(state)]
                rest[id(before)] = min(through, rest.get(id(before), through))
    return rest


def _ends_freely(block: Block) -> bool:
    return block.kind == "stmts" and block.line >= 0


def _last_lines(path: list[State]) -> dict[int, int]:
    """For each header the index of the last line in its block."""
    last: dict[int, int] = {}
    for state in path:
        for block in state.stack:
            last[block.line] = state.following - 1
    return last
