"""What the search keeps: open blocks, states, and what a line turned out to be where it stands."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from nxdc.source.record import Record

LEAVES = frozenset(("RETURN", "BREAK", "CONTINUE", "THROW", "RAISE"))
MODULE_LEVEL = frozenset(("MODULE", "IMPORT", "EXPORT", "FUNC", "TYPE", "TRAIT", "IMPL", "INIT", "VIS"))
CASE_KINDS = frozenset(("cases", "select"))
FIELD_KINDS = frozenset(("fields", "members", "variants"))
FUNCTIONS = frozenset(("FUNC", "INIT", "LAMBDA", "SPAWN"))  # BREAK and RETURN do not reach through them

# Which block a clause goes on with, by the head of its line.
CLAUSES = {"ELSE": ("IF", "IFX"), "CATCH": ("TRY", "CATCH", "TRYX"), "FINALLY": ("TRY", "CATCH")}


class Note(Record):
    """An assumption, at a line of the file."""

    line: int
    text: str


class Reading(Record):
    """A logical line as it reads in a block of some kind, with the lines that an operator at its end joins to it."""

    head: str  # of its statement: "IF", "LET", "" ...; "ELSE" and "IF" for ELSE and ELSE IF
    first: str  # its first word
    following: int  # index of the next logical line
    opens: str  # the kind of block under it, "" when it has none
    name: str  # the head of that block; "LAMBDA", "SPAWN", "RESCUE" (of TRY) for one at the end of another statement
    uses: frozenset[str]  # names it reads or changes, without those that only it knows
    changes: frozenset[str]  # names it sets or passes on
    sets: str  # the name it sets
    removes: bool  # that by taking something out of what the name holds
    resets: str  # the name it sets, when that is to a constant
    binds: frozenset[str]  # names its header binds in the block
    let: str  # the name it binds in the block around it
    condition: frozenset[str]  # of a WHILE: its names
    test: str  # of an IF: the first name of its condition
    endless: bool  # LOOP without condition
    leaves: bool  # it leaves: RETURN, BREAK ...
    inline: bool  # it has a block, on the same line
    inline_leaves: bool  # and the last statement of that leaves
    jumps: str  # "BREAK" or "CONTINUE", also in a block on the same line
    gives: bool  # RETURN with a value
    valued: bool  # a function whose header says what it gives
    pattern: str  # of a CASE: its pattern as text
    choice: bool | None  # of a CASE: whether its words make it one of a SELECT; None when they do not tell
    family: str  # and the type whose variant it names
    catch_all: bool  # of a CASE: a pattern that takes everything; of a CATCH: no code
    bare: bool  # nothing but a value
    method: str  # of a FUNC: its name


class Block(NamedTuple):
    """An open block. Blocks are shared between states: a change makes a new one, and no Record does that as fast."""

    head: str
    kind: str
    line: int  # index of the header; -1 for the file itself
    names: frozenset[str] = frozenset()  # bound by the header, or by LETs directly in it
    linked: frozenset[str] = frozenset()  # those of them that tell how far the block reaches
    owner: str = ""  # of a block at the end of `LET X SET ...`: X; of a function: its name
    changed: frozenset[str] = frozenset()  # names that it sets
    params: frozenset[str] = frozenset()  # of a function
    used: bool = False  # a line in it used one of the linked names
    last_use: int = 0  # that line
    source: frozenset[str] = frozenset()  # the other names of its header
    last_near: int = 0  # the last line that used one of these
    size: int = 0  # statements directly in it
    left: bool = False  # its last statement leaves
    chain: bool = False  # of a clause: all branches before it leave; else: all branches of the last statement do
    last_head: str = ""  # head of the last statement, when that has no block on lines of its own
    last_word: str = ""
    last_test: str = ""
    partner: int = 0  # of an ELSE or CASE: the size of the blocks beside it
    endless: bool = False
    has_break: bool = False
    condition: frozenset[str] = frozenset()
    turned: bool = False  # of a WHILE: its condition can change
    valued: bool = False  # of a function: it gives a value
    seen: frozenset[str] = frozenset()  # of a MATCH: its patterns
    family: str = ""  # and the type of its variants
    all_leave: bool = True  # and whether all cases so far leave
    total: bool = False  # and whether one takes all that is left
    catch_all: bool = False
    leads_out: bool = False  # the statement that it ends leaves: `RETURN fn(X): ...`


_position = {name: at for at, name in enumerate(Block._fields)}


def change(block: Block, changes: dict[str, object]) -> Block:
    """A block with some fields changed; `_replace` takes three times as long."""
    values: list[Any] = list(block)
    for name, value in changes.items():
        values[_position[name]] = value
    return Block._make(values)


class State(Record):
    """A way to lay out the lines up to here."""

    stack: tuple[Block, ...]  # the file itself first
    hidden: frozenset[str]  # names of blocks of this function that have ended
    cost: float
    rank: float  # that of the move that led to it
    level: int  # of the last line
    index: int  # and which that is
    following: int  # index of the next line
    ways: list[Way]  # the ways that lead to it, the cheapest first

    def key(self, live: AbstractSet[str]) -> tuple[object, ...]:
        """States with the same key differ in nothing that later lines could notice (but in what has been paid); `live`
        are the names that these lines have."""
        blocks = [(b.line, b.names and b.names & live, b.left, b.chain, b.all_leave) for b in self.stack]
        return (self.following, self.hidden, *blocks)


class Way(Record):
    """A way from one state to the next: what has been paid behind it."""

    before: State
    cost: float


class Step(Record):
    """Where the next line could stand: in the first `keep` blocks of the stack."""

    keep: int
    clause: str  # "ELSE", "CATCH", "FINALLY", "CASE_ELSE", "CASE", "" for a line that is none
    on_line: bool  # it goes on with a block that stands on the line before
    cost: float
