"""The search for the layout with the lowest price: line by line, keeping the best few ways to have laid out what is
above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from nxdc.source.record import Record
from nxdc.syntax.layout import MAX_BLOCKS
from nxdc.syntax.reindent import prices
from nxdc.syntax.reindent.bounds import Limit, Live, Variety
from nxdc.syntax.reindent.facts import Facts
from nxdc.syntax.reindent.model import (
    CASE_KINDS,
    CLAUSES,
    FIELD_KINDS,
    MODULE_LEVEL,
    Block,
    Reading,
    State,
    Step,
    Way,
    change,
)
from nxdc.syntax.reindent.reading import Reader

WIDTH = 12  # ways that are kept
_VARIETY = 2  # times as many when they answer other questions
_WORK = 240  # ways times the depth of blocks
_INNER, _OUTER = 20, 3  # places that are looked at in deeply nested blocks: so many from the inside and the outside

_rank = attrgetter("rank")


class _Closing(Record):
    """What ending some blocks comes to."""

    block: Block  # the innermost that stays open
    closed: Block | None  # the outermost that ends
    hidden: frozenset[str]
    price: float


class _Move(Record):
    """A line put into a place: what is known before its effect on the blocks around it is worked out."""

    before: State
    index: int
    step: Step
    stack: tuple[Block, ...]
    hidden: frozenset[str]
    closed: Block | None
    reading: Reading
    cost: float
    rank: float  # the cost with what the open blocks would cost if no line used their names any more


class _Closings:
    """What ending more and more blocks of a state before a line comes to; worked out as far as it is asked for."""

    def __init__(self, facts: Facts, state: State, index: int) -> None:
        self._facts = facts
        self._stack = state.stack
        self._index = index
        head = facts.heads[index] if index < len(facts.lines) else "FUNC"
        self._free = head not in MODULE_LEVEL and head not in CLAUSES and head != "CASE"
        self._found = [_Closing(state.stack[-1], None, state.hidden, 0.0)]

    def before(self, step: Step) -> _Closing:
        """The blocks that end before a line that takes a step."""
        if step.clause in CLAUSES and not step.on_line:
            return self._close(self.down_to(step.keep + 1), step.keep, goes_on=True)
        return self.down_to(step.keep)

    def down_to(self, keep: int) -> _Closing:
        """All blocks but the outermost `keep` end."""
        found, depth = self._found, len(self._stack)
        while depth - len(found) >= keep:
            found.append(self._close(found[-1], depth - len(found), goes_on=False))
        return found[depth - keep]

    def _close(self, inner: _Closing, keep: int, *, goes_on: bool) -> _Closing:
        """End one more block."""
        block, parent = inner.block, self._stack[keep - 1]
        price = prices.ending(block, parent, self._index, self._facts, goes_on=goes_on, free=self._free)
        hidden = inner.hidden | block.names if block.names else inner.hidden
        return _Closing(_end(block, parent), block, hidden, inner.price + price)


class Search:
    """Lays out the lines of one file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.made: list[list[State]] = []  # for each line that starts a statement the ways to go on with it
        self._reader = Reader(facts)
        self._live = Live(facts)

    def path(self) -> list[State]:
        """The states of the best layout: the one before the first line, then one behind each line."""
        start = State((Block("", "stmts", -1),), frozenset(), 0.0, 0.0, 0, -1, 0, [])
        waiting: dict[int, list[State]] = {0: [start]}
        count = len(self.facts.lines)
        for index in range(count):
            self._live.reach(index)
            states = waiting.pop(index, None)
            if states is None:
                continue
            made = self._advance(states, index)
            self.made.append(made)
            for state in made:
                waiting.setdefault(state.following, []).append(state)
            self._reader.forget(index)
        best = min(waiting[count], key=lambda state: state.cost + self.end(state))
        found = [best]
        while best.ways:
            best = best.ways[0].before
            found.append(best)
        return found[::-1]

    def _advance(self, states: list[State], index: int) -> list[State]:
        """The best ways to go on with the line at `index`."""
        room = max(4, min(WIDTH, _WORK // min(len(state.stack) for state in states)))
        limit = Limit(room)
        moves: list[_Move] = []
        for state in sorted(states, key=_rank):
            if state.cost > limit.rank:
                break
            moves += self._moves(state, index, limit)
        made: dict[tuple[object, ...], State] = {}
        variety = Variety()
        for move in sorted(moves, key=_rank):
            if move.rank > limit.rank or len(made) >= _VARIETY * room:
                break
            if len(made) >= room and not variety.is_new(move.stack):
                continue
            after = self._make(move)
            known = made.setdefault(after.key(self._live.names), after)
            if known is after:
                variety.add(move.stack)
            else:
                known.ways.append(after.ways[0])
        return list(made.values())

    def _moves(self, state: State, index: int, limit: Limit) -> Iterator[_Move]:
        """The ways to go on with the line at `index`, with their prices."""
        closings = _Closings(self.facts, state, index)
        for step in self.steps(state, index):
            ended = closings.before(step)
            if state.cost + ended.price > limit.rank:
                break  # the places further out cost more still
            move = self._move(state, index, step, ended)
            limit.add(move.rank)
            yield move

    def end(self, state: State) -> float:
        """The price of ending all blocks at the end of the file."""
        return _Closings(self.facts, state, len(self.facts.lines)).down_to(1).price

    # ---- where a line can stand

    def steps(self, state: State, index: int) -> list[Step]:
        """The places that the words of the line leave open."""
        head, stack = self.facts.heads[index], state.stack
        if head in MODULE_LEVEL:
            inside = index in self.facts.methods.inside
            methods = next((k for k, b in enumerate(stack) if b.kind == "methods"), 0) if inside else 0
            return [Step(methods + 1, "", False, 0.0)]
        found = self._case_steps(stack, index) if head == "CASE" else self._clause_steps(stack, index, head)
        if head == "CASE" or head in CLAUSES:
            return found or [Step(len(stack), "", False, prices.NO_OPENER)]
        top = stack[-1]
        if top.kind in FIELD_KINDS and self.facts.is_field(index, top.kind):
            return [Step(len(stack), "", False, 0.0)]
        lowest = len(stack) - 1 if not top.size and top.line >= 0 else 0
        places = _some(range(len(stack), lowest, -1))
        found = [Step(keep, "", False, 0.0) for keep in places if stack[keep - 1].kind == "stmts"]
        return found or [Step(1, "", False, 0.0)]

    def _case_steps(self, stack: tuple[Block, ...], index: int) -> list[Step]:
        places = [k + 1 for k, b in enumerate(stack) if b.kind in CASE_KINDS]
        return [Step(keep, "CASE", False, 0.0) for keep in _some(places[::-1])]

    def _clause_steps(self, stack: tuple[Block, ...], index: int, head: str) -> list[Step]:
        """The blocks that ELSE, CATCH or FINALLY can go on with."""
        openers = CLAUSES.get(head, ())
        if not openers:
            return []
        word = self.facts.scan.texts[self.facts.lines[index].first]
        found = []
        for keep in _some(range(len(stack), 0, -1)):
            last = stack[keep - 1]
            in_match = any(b.kind == "cases" and not b.total for b in stack[:keep])
            if keep < len(stack) and stack[keep].head in openers:
                found.append(Step(keep, head, False, prices.clause(word, stack[keep], in_match=in_match)))
            if keep == len(stack) and last.last_head in openers:
                found.append(Step(keep, head, True, prices.clause(word, last, in_match=False)))
            if last.kind in CASE_KINDS and head == "ELSE":
                found.append(Step(keep, "CASE_ELSE", False, prices.clause(word, last, in_match=True)))
        return found

    # ---- taking a line

    def _move(self, state: State, index: int, step: Step, ended: _Closing) -> _Move:
        """What it costs to put the line at `index` into a place."""
        facts = self.facts
        free = not step.clause and facts.heads[index] not in MODULE_LEVEL
        block, price = ended.block, ended.price + step.cost
        reading = self._reader.read(index, block.kind, step.clause)
        if step.clause in CLAUSES:
            block = change(block, {"left": False})  # what comes now belongs to the statement above it
        stack: tuple[Block, ...] = (*state.stack[: step.keep - 1], block)
        if step.clause == "CASE":
            price += prices.case(block, reading, facts)
            price += sum(prices.closed_before_case(b) for b in state.stack[step.keep :])
        elif free:
            price += self._free_price(state, stack, ended.closed, reading, index)
        hidden = ended.hidden
        if facts.heads[index] not in MODULE_LEVEL:
            price += prices.placing(stack, hidden, reading, facts)
            if facts.ends[index] == reading.following:
                price += prices.last_return(stack, reading)
        else:
            hidden = frozenset()
        opened = len(state.stack) - 1 > state.level
        price += prices.indentation(facts, state.index, index, state.level, step.keep - 1, opened=opened)
        cost = state.cost + price
        rank = cost + prices.owed(stack, reading, index)
        return _Move(state, index, step, stack, hidden, ended.closed, reading, cost, rank)

    def _make(self, move: _Move) -> State:
        """The state behind a line that has been put into its place."""
        stack = self._add(move.stack, move.closed, move.reading, move.index, move.step)
        level, following = move.step.keep - 1, move.reading.following
        hidden = move.hidden & self._live.names if move.hidden else move.hidden
        return State(stack, hidden, move.cost, move.rank, level, move.index, following, [Way(move.before, move.cost)])

    def _free_price(
        self, state: State, stack: tuple[Block, ...], closed: Block | None, reading: Reading, index: int
    ) -> float:
        """The price of a line that is no clause and could stand in several blocks."""
        facts = self.facts
        if closed is None:
            return prices.staying(stack[-1], reading, index, facts)
        price = prices.leaving_behind(state.stack[-1], reading)
        if len(stack) == 1 and closed.head in ("FUNC", "INIT"):
            price += prices.module_line(facts, reading, closed.head)
        return price

    def _add(
        self, stack: tuple[Block, ...], closed: Block | None, reading: Reading, index: int, step: Step
    ) -> tuple[Block, ...]:
        """Put a line into the innermost block, and open the one under it."""
        last = reading.following - 1
        if reading.uses or reading.changes:
            stack = _note_uses(stack, reading, last)
        if reading.jumps:
            stack = _note_break(stack, reading.jumps)
        if reading.gives:
            stack = _note_value(stack)
        block = _with_line(stack[-1], reading, last, step)
        stack = (*stack[:-1], block)
        if reading.opens and len(stack) <= MAX_BLOCKS:
            stack = (*stack, self._open(block, closed, reading, index, step))
        return stack

    def _open(self, parent: Block, closed: Block | None, reading: Reading, index: int, step: Step) -> Block:
        """The block under a line."""
        chain, partner = True, 0
        if step.clause in CLAUSES:
            chain = parent.chain
            partner = closed.size if closed is not None and not step.on_line else 1
        elif step.clause in ("CASE", "CASE_ELSE"):
            partner = parent.partner
        return Block(
            head=reading.name,
            kind=reading.opens,
            line=index,
            names=reading.binds,
            linked=reading.binds,
            params=reading.binds if reading.name == "FUNC" else frozenset(),
            owner=reading.let if reading.name in ("LAMBDA", "SPAWN", "RESCUE") else reading.method,
            used=reading.name == "FUNC" and bool(reading.binds),
            last_use=reading.following - 1,
            source=reading.uses,
            chain=chain,
            last_test=reading.test,
            partner=partner,
            endless=reading.endless,
            condition=reading.condition,
            valued=reading.valued,
            catch_all=reading.catch_all,
            leads_out=reading.first == "RETURN",
        )


def _some(places: Sequence[int]) -> Sequence[int]:
    """All places, or when these are very many, the inner and outer ones."""
    return places if len(places) <= _INNER + _OUTER else [*places[:_INNER], *places[-_OUTER:]]


# ---- blocks


def _end(block: Block, parent: Block) -> Block:
    """The parent behind a block that has ended."""
    if block.head in ("CASE", "CASE_ELSE"):
        longest = max(parent.partner, 0 if block.left else block.size)
        return change(parent, {"all_leave": parent.all_leave and block.left, "partner": longest})
    leaves = block.left and block.chain
    if block.head in ("IF", "TRY", "CATCH"):
        return change(parent, {"left": leaves and block.head == "CATCH", "chain": leaves})
    if block.kind in CASE_KINDS:
        leaves = block.all_leave and block.size > 0
    elif block.head == "FINALLY":
        leaves = block.left or block.chain
    elif block.head == "LOOP":
        leaves = block.endless and not block.has_break
    elif block.head in ("LAMBDA", "SPAWN", "RESCUE"):
        leaves = block.leads_out
    elif block.head != "ELSE":
        return parent
    return change(parent, {"left": leaves})


def _note_uses(stack: tuple[Block, ...], reading: Reading, last: int) -> tuple[Block, ...]:
    """The blocks around a line that uses or changes names."""
    uses, changes, sets = reading.uses, reading.changes, reading.sets
    found: list[Block] | None = None
    for at, block in enumerate(stack):
        changed: dict[str, object] = {}
        notes = sets and block.line >= 0 and (not reading.removes or block.head == "LOOP")
        if notes and sets not in block.names and sets not in block.changed:
            changed["changed"] = block.changed | {sets}
        if block.linked and not block.linked.isdisjoint(uses):
            changed.update(used=True, last_use=last)
        elif block.source and not block.source.isdisjoint(uses):
            changed["last_near"] = last
        if block.condition and not block.condition.isdisjoint(changes):
            changed.update(turned=True, last_use=last)
        if changed:
            found = found or list(stack)
            found[at] = change(block, changed)
    return tuple(found) if found else stack


def _note_break(stack: tuple[Block, ...], head: str) -> tuple[Block, ...]:
    if head != "BREAK":
        return stack
    for depth in range(len(stack) - 1, 0, -1):
        if stack[depth].head == "LOOP":
            return (*stack[:depth], change(stack[depth], {"has_break": True, "turned": True}), *stack[depth + 1 :])
    return stack


def _note_value(stack: tuple[Block, ...]) -> tuple[Block, ...]:
    """The function around a RETURN gives a value."""
    for depth in range(len(stack) - 1, 0, -1):
        if stack[depth].head in ("FUNC", "LAMBDA", "SPAWN"):
            return (*stack[:depth], change(stack[depth], {"valued": True}), *stack[depth + 1 :])
    return stack


def _with_line(block: Block, reading: Reading, last: int, step: Step) -> Block:
    """A block with one more line directly in it."""
    chain, left = block.chain, reading.leaves
    if reading.inline:
        chain = reading.inline_leaves and (block.chain or step.clause not in CLAUSES)
        left = chain and step.clause in ("ELSE", "CATCH") and reading.head != "IF"
    changes: dict[str, object] = {
        "size": block.size + (step.clause not in CLAUSES),
        "left": left,
        "chain": chain,
        "last_head": "" if reading.opens else reading.head,
        "last_word": reading.first,
    }
    if reading.let:
        changes["names"] = block.names | {reading.let}
        if not block.size or block.last_use == last or block.head == "FUNC":
            changes.update(linked=block.linked | {reading.let}, used=True, last_use=last)
    if step.clause in ("CASE", "CASE_ELSE"):
        changes["left"] = False
        changes["seen"] = block.seen | {reading.pattern or "OTHERWISE"}
        changes["family"] = block.family or reading.family
        changes["total"] = block.total or step.clause == "CASE_ELSE" or reading.catch_all
        if reading.inline:
            changes["all_leave"] = block.all_leave and reading.inline_leaves
            changes["partner"] = max(block.partner, 1)
    return change(block, changes)
