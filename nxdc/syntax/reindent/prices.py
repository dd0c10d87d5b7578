"""What a layout costs. Prices from `WRONG` on are for what the language does not allow, those below for what authors do
not do; a difference of less than `CLOSE` between two layouts decides nothing, one of less than `LIKELY` is told as
well. A line that costs `MISFIT` even where it costs least fits nowhere.

The rules behind them: a block ends where the next line cannot belong to it: behind a statement that leaves, and before
words that close it; a block that binds names ends behind the last line that uses one of them; an endless LOOP takes
what follows; a line belongs to the block above it when nothing else decides.
"""

from __future__ import annotations

from nxdc.syntax.layout import MAX_BLOCKS
from nxdc.syntax.reindent.facts import Facts
from nxdc.syntax.reindent.model import CASE_KINDS, FUNCTIONS, Block, Reading

CLOSE = 2.1
LIKELY = 12.0
MISFIT = 12.0
IMPOSSIBLE = 1000.0
WRONG = 40.0
UNREACHABLE = 100.0
NO_OPENER = 100.0  # CASE, ELSE, CATCH, BREAK without the block they need; TRY without CATCH
NO_VALUE = 25.0  # a function that ends without its value
_OTHER_TYPE = 30.0  # a CASE whose variant is of another type than those before it
_SAME_PATTERN = 20.0
_MISSING_CASE = 6.0
_SHARED = 8.0  # a module variable inside a function
_MODULE_LINE = 15.0  # a statement behind a function, in a program that has a MAIN
_SCRIPT_LINE = 1.2  # and in one that has none
_ENDLESS = 8.0
_ENDLESS_WITH_BREAK = 1.8
_NO_TURN = 5.0  # a WHILE in which nothing changes its condition
_TRAIL, _TRAIL_MORE = 2.5, 0.4  # lines at the end of a block that use none of its names: the first, each further one
_NEAR = 0.6  # when they use other names of its header
_BODY_TRAIL, _BODY_TRAIL_MORE = 1.0, 0.3  # the same for a function of a script
_ONCE = 6.0  # a loop that always leaves in its first round
_POINTLESS = 8.0  # CONTINUE at the end of a loop
_OWNER = {"LAMBDA": 2.5, "SPAWN": 10.0, "RESCUE": WRONG}  # `LET X SET ...:` with X in its block
_SHADOWS = {"LOOP": 4.0, "CASE": 0.5, "CATCH": 0.5, "RESCUE": 0.5}
_SHADOWING_PARAMETER, _SHADOWING_LET, _SECOND_LET = 3.0, 1.5, 0.7
_BARE_VALUE = 6.0
_RETURN_IN_FINALLY = 2.0
_LAST_RETURN = {"IF": 3.0, "ELSE": 3.0, "LOOP": 3.0, "CATCH": 3.0, "FINALLY": 3.0, "CASE": 1.2, "CASE_ELSE": 1.2}
_SHORT = {  # a block that ends without a reason, by the number of its statements
    "IF": (0.8, 0.5, 0.3), "ELSE": (0.8, 0.5, 0.3), "LOOP": (0.8, 0.5, 0.3), "CASE": (0.8, 0.5, 0.3),
    "CASE_ELSE": (0.8, 0.5, 0.3), "CATCH": (0.3, 0.2, 0.1), "RESCUE": (0.3, 0.2, 0.1), "FINALLY": (0.5, 0.3, 0.2),
    "LAMBDA": (0.8, 0.5, 0.3), "SPAWN": (0.3, 0.2, 0.1), "INIT": (1.5, 1.2, 1.0),
}  # fmt: skip
_FULL = 1.0  # a line more than its partner (IF and ELSE, one CASE and the next) has
_LONG_SPAWN = 0.9
_ONLY_SLEEP = 1.5  # a process that does nothing but wait
_RESULT = 1.2  # a line that reads what the block has set
_ENDLESS_RECURSION = 6.0
_BLANK_LINE, _COMMENT_LINE = 1.2, 0.5
_LIKE_THE_LAST = 0.5  # a block that ends between two lines that start alike
_RESET = 1.5  # an IF that ends before a constant is given to a name of its test
_SAME_TEST = 1.5  # IF X ... inside IF X ...
_LONE_CASE = 1.0  # the only CASE of a MATCH that does not leave
_INNER_MATCH = 0.5  # a MATCH that ends before a CASE
_OTHER_CLAUSE = 1.5  # ELSE for a MATCH, OTHERWISE for an IF inside one
_DEPTH, _DEEP = 7, 0.5  # blocks inside each other that are nothing special, and the price of each further one
_AGAINST_INDENT = 6.0


def trail(count: int) -> float:
    """The price of so many lines at the end of a block that do not use its names."""
    return _TRAIL + _TRAIL_MORE * (count - 1) if count > 0 else 0.0


def _trail_of(block: Block, count: int) -> float:
    """The same for a block: less when they use other names of its header."""
    return trail(count) * (_NEAR if block.last_near > block.last_use else 1.0)


def owed(stack: tuple[Block, ...], reading: Reading, index: int) -> float:
    """What ending the open blocks behind the line at `index` would cost for lines that use none of their names: a
    layout that lets a block run on pays for that only at its end, and must not crowd out one that has paid."""
    total = 0.0
    for block in stack:
        if block.used and not block.endless and block.head != "FUNC" and block.linked.isdisjoint(reading.uses):
            total += _trail_of(block, index - block.last_use)
    return total


def ending(block: Block, parent: Block, index: int, facts: Facts, *, goes_on: bool, free: bool) -> float:
    """The price of ending a block before the line at `index`. `goes_on`: a clause follows; `free`: the line could
    stand in it."""
    if block.size == 0 and block.kind != "methods":
        return IMPOSSIBLE
    if block.kind in CASE_KINDS:
        return _ending_match(block, facts, free=free)
    if block.head == "TRY" and not goes_on:
        return NO_OPENER
    price = 0.0
    if block.head in ("FUNC", "LAMBDA") and block.valued and not block.left:
        price += NO_VALUE
    if block.head == "CASE" and not block.left and parent.all_leave and len(parent.seen) > 1:
        price += _LONE_CASE
    trailing = max(0, index - 1 - block.last_use - block.left)
    if block.head == "FUNC":
        if block.used and not facts.has_main and trailing > 0:
            price += _BODY_TRAIL + _BODY_TRAIL_MORE * (trailing - 1)
        return price
    if block.endless:
        return price + (0 if block.left or not free else _ENDLESS_WITH_BREAK if block.has_break else _ENDLESS)
    if block.condition:
        return price + (_NO_TURN if not block.turned and not block.left else 0.6 * trail(trailing))
    if block.used:
        return price + _trail_of(block, trailing)
    if free and not block.left and block.head in _SHORT:
        price += _SHORT[block.head][min(block.size, 3) - 1]
    if block.head == "SPAWN" and block.size == 1 and block.last_word == "SLEEP":
        price += _ONLY_SLEEP
    return price


def _ending_match(block: Block, facts: Facts, *, free: bool) -> float:
    if block.kind == "select" or block.total or not block.family:
        return 0.0
    named = {pattern.split(" ")[0] for pattern in block.seen}
    missing = facts.variants.get(block.family, set()) - named
    if block.family == "OPTION":
        missing = missing - {"NONE"} if "none" in named else missing
    return _MISSING_CASE if missing else 0.0


def staying(block: Block, reading: Reading, index: int, facts: Facts) -> float:
    """The price of going on with the innermost block."""
    if block.head in ("FUNC", "INIT") or block.line < 0:
        return 0.0
    price = 0.0
    if block.size:
        gap = facts.gaps[index]
        price += _BLANK_LINE if gap == "blank" else _COMMENT_LINE if gap == "comment" else 0.0
    if block.partner and block.size >= block.partner and not block.used:
        price += _FULL
    reads_result = reading.uses & block.changed and reading.sets not in block.changed and block.head in _SHORT
    if reads_result and (block.head != "LOOP" or block.condition or not reading.sets):
        price += _RESULT
    if block.head == "SPAWN" and block.size and not block.used:
        price += _LONG_SPAWN
    if reading.head == "IF" and reading.test and block.head == "IF" and reading.test == block.last_test and block.size:
        price += _SAME_TEST
    return price


def leaving_behind(closed: Block, reading: Reading) -> float:
    """The price of a block that ends between two lines that start with the same word, or before one that makes the test
    of the block false again."""
    alike = closed.last_word and closed.last_word == reading.first and not reading.opens and not closed.left
    price = _LIKE_THE_LAST if alike else 0.0
    if reading.resets in closed.source and closed.head == "IF" and not closed.left:
        price += _RESET
    return price


def placing(stack: tuple[Block, ...], hidden: frozenset[str], reading: Reading, facts: Facts) -> float:
    """The price of a line in the innermost block of `stack`, whatever has been closed before."""
    block = stack[-1]
    price = UNREACHABLE if block.left else 0.0
    lost = reading.uses & hidden
    if lost and not all(any(name in b.names for b in stack) or name in facts.declared for name in lost):
        price += WRONG
    if reading.jumps or reading.leaves:
        price += _leaving(stack, reading)
    if block.head == "FUNC" and block.owner in reading.uses and not reading.inline and not reading.opens:
        price += _ENDLESS_RECURSION
    if reading.bare and block.head != "RESCUE" and not any(b.head == "RESCUE" for b in stack):
        price += _BARE_VALUE
    for outer in stack:
        if outer.owner and outer.owner in reading.uses:
            price += _OWNER.get(outer.head, 0.0)
    if reading.opens and len(stack) > _DEPTH:
        price += _DEEP * (len(stack) - _DEPTH) if len(stack) <= MAX_BLOCKS else IMPOSSIBLE
    return price + _binding(stack, reading, facts)


def _binding(stack: tuple[Block, ...], reading: Reading, facts: Facts) -> float:
    """The price of the names that a line binds."""
    price = 0.0
    if reading.let:
        if reading.let in facts.shared and any(b.head in ("FUNC", "INIT") for b in stack):
            price += _SHARED
        if any(reading.let in b.params for b in stack):
            price += _SHADOWING_PARAMETER
        elif any(reading.let in b.names for b in stack[1:-1]):
            price += _SHADOWING_LET
        elif len(stack) > 1 and reading.let in stack[-1].names:
            price += _SECOND_LET
    if reading.binds and reading.name in _SHADOWS and any(reading.binds & b.names for b in stack[1:]):
        price += _SHADOWS[reading.name]
    return price


def _leaving(stack: tuple[Block, ...], reading: Reading) -> float:
    """The price of a statement that leaves."""
    head = stack[-1].head
    if reading.jumps and not any(b.head == "LOOP" for b in inside_function(stack)):
        return NO_OPENER
    if head == "LOOP" and reading.head in ("BREAK", "CONTINUE"):
        return _ONCE if reading.head == "BREAK" else _POINTLESS
    if head == "LOOP" and reading.leaves:
        return _ONCE
    return _RETURN_IN_FINALLY if head == "FINALLY" and reading.head == "RETURN" else 0.0


def last_return(stack: tuple[Block, ...], reading: Reading) -> float:
    """The price of a RETURN without value, the last line of its function, in an inner block."""
    if reading.head != "RETURN" or reading.gives:
        return 0.0
    return max((_LAST_RETURN.get(b.head, 0.0) for b in inside_function(stack) if not b.endless), default=0.0)


def inside_function(stack: tuple[Block, ...]) -> list[Block]:
    """The blocks of the innermost function, from the inside outwards, without its own."""
    found = []
    for block in reversed(stack):
        if block.head in FUNCTIONS or block.line < 0:
            break
        found.append(block)
    return found


def module_line(facts: Facts, reading: Reading, head: str) -> float:
    """The price of a statement of the module behind a function or INIT."""
    if reading.let and reading.let in facts.shared:
        return 0.5
    if head == "INIT":
        return _SCRIPT_LINE
    return _MODULE_LINE if facts.has_main or facts.has_modules else _SCRIPT_LINE


def case(match: Block, reading: Reading, facts: Facts) -> float:
    """The price of a CASE in a MATCH or SELECT."""
    pattern = reading.pattern
    price = WRONG if reading.choice is not None and reading.choice != (match.kind == "select") else 0.0
    family = facts.families.get(pattern.split(" ")[0], "")
    if match.kind == "cases" and family and match.family and family != match.family:
        price += _OTHER_TYPE
    if pattern in match.seen:
        price += _SAME_PATTERN
    return price + (WRONG if match.total else 0.0)


def closed_before_case(block: Block) -> float:
    """The price of a MATCH that ends because a CASE belongs to one further out."""
    return _INNER_MATCH if block.kind in CASE_KINDS else 0.0


def clause(word: str, block: Block, *, in_match: bool) -> float:
    """The price of an ELSE or OTHERWISE for an IF or MATCH, of a CATCH behind one that takes everything."""
    if block.kind in CASE_KINDS:
        return (_OTHER_CLAUSE if word == "ELSE" else 0.0) + (WRONG if block.total else 0.0)
    if word == "OTHERWISE" and in_match:
        return _OTHER_CLAUSE
    return WRONG if block.head == "CATCH" and block.catch_all and word == "CATCH" else 0.0


def indentation(facts: Facts, before: int, index: int, level_before: int, level: int, *, opened: bool) -> float:
    """The price of a level that contradicts what is left of the indentation."""
    if before < 0 or not facts.indented[index] or facts.ends[before] == index:
        return 0.0
    left, right = facts.widths[before], facts.widths[index]
    if left == right and not opened:
        return _AGAINST_INDENT if level != level_before else 0.0
    if right < left:
        return _AGAINST_INDENT if level >= level_before + opened else 0.0
    return 0.0
