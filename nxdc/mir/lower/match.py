"""MATCH and patterns.

Cases are tried in order. A run of cases that ask for one variant (enum member, int, bool) each becomes a Switch: a
value with one tag needs to be held against the cases of that tag only, and when none of them takes it, against what
follows the run. Everything else is tested in sequence. A pattern test goes on where the value fits and jumps where
it does not; its locals are bound on the way.
"""

from __future__ import annotations

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.builder import int_const, string_const
from nxdc.mir.lower.conversions import to_any, unbox
from nxdc.mir.lower.dispatch import PATTERNS, STMTS, handles
from nxdc.mir.lower.exprs import compare, equal, is_type, tag_of
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.ops import Block, Reg, Value
from nxdc.mir.types import Form, form_of
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type


@handles(STMTS, core.Match)
def lower_match(low: FunctionLowerer, node: core.Match) -> None:
    """MATCH."""
    span = node.span
    subject = low.expr(node.subject)
    if isinstance(subject, Reg) and subject.name:
        # A case may assign the variable; later cases are still held against the value at the start.
        copy = low.temp(subject.type)
        low.emit(ops.Assign(span, [subject], dst=copy))
        subject = copy
    if isinstance(subject, Reg):
        subject.name = "subject"  # so that no binding renames it: several cases read it
    end = Block("endmatch")
    index = 0
    while index < len(node.cases) and not low.dead:
        run = _run_length(node.cases, index)
        if run > 1:
            _lower_run(low, node.cases[index : index + run], subject, end, last=_is_last(node, index + run))
        else:
            following = Block("next_case")
            _lower_case(low, node.cases[index], subject, following, end)
            low.start(following)
        index += run
    if node.otherwise is not None:
        low.body(node.otherwise)
        low.goto(end, span)
    elif not low.dead:
        if node.exhaustive:
            low.terminate(ops.Unreachable(span))
        else:
            _no_case(low, subject, node.subject.type, span)
    low.start(end)


def _no_case(low: FunctionLowerer, subject: Value, type_: Type, span: Span) -> None:
    """E5001, which shows the value when nobody catches it."""
    value = to_any(low, subject, type_, span)
    low.emit(ops.MakeError(span, [value], code=5001, shows_value=True, dst=low.handler.register))
    low.goto(low.handler.target, span)


def _is_last(node: core.Match, index: int) -> bool:
    """Whether nothing follows the cases before `index`, and one of them takes each value."""
    return index == len(node.cases) and node.otherwise is None and node.exhaustive


def _alternatives(pattern: core.Pattern) -> list[core.Pattern]:
    return pattern.alternatives if isinstance(pattern, core.POr) else [pattern]


def _lower_case(low: FunctionLowerer, case: core.Case, subject: Value, following: Block, end: Block) -> None:
    body = _Body(case)
    alternatives = _alternatives(case.pattern)
    for position, alternative in enumerate(alternatives):
        after = following if position + 1 == len(alternatives) else Block("or")
        low.match(subject, alternative, after)
        body.enter(low, after, end)
        if after is not following:
            low.start(after)


class _Body:
    """The block of a case, lowered once. Its patterns lead to it one after the other, each by way of the guard: where
    that is false, what follows is another for each pattern.
    """

    def __init__(self, case: core.Case) -> None:
        self._case = case
        self._block: Block | None = None

    def enter(self, low: FunctionLowerer, otherwise: Block, end: Block) -> None:
        """Goes on in the block from where one of the patterns fits, or in `otherwise` when the guard is false."""
        block = self._block or Block("case")
        if self._case.guard is not None:
            low.condition(self._case.guard, block, otherwise)
        else:
            low.goto(block, self._case.span)
        if self._block is None:
            self._block = block
            low.start(block)
            low.body(self._case.body)
            low.goto(end, self._case.span)


# ---- runs of cases by tag
# ----------------------------------------------------------------------------------------------


def _tags(pattern: core.Pattern) -> list[int] | None:
    """The tags a pattern asks for at its top; None: it is none of those a Switch can tell apart."""
    if isinstance(pattern, core.PVariant):
        return [pattern.variant]
    if isinstance(pattern, core.PLiteral):
        return _literal_tag(pattern.value)
    if isinstance(pattern, core.POr):
        parts = [_tags(part) for part in pattern.alternatives]
        if any(part is None for part in parts):
            return None
        return [tag for part in parts if part is not None for tag in part]
    return None


def _literal_tag(value: core.Expr) -> list[int] | None:
    if isinstance(value, core.EnumLit):
        return [value.index]
    if isinstance(value, core.IntLit):
        return [value.value]
    return None


def _run_length(cases: list[core.Case], start: int) -> int:
    length = 0
    while start + length < len(cases) and _tags(cases[start + length].pattern) is not None:
        length += 1
    return max(length, 1)


def _lower_run(low: FunctionLowerer, cases: list[core.Case], subject: Value, end: Block, *, last: bool) -> None:
    span = cases[0].span
    is_union = isinstance(cases[0].pattern.type, model.UnionType)
    tag = tag_of(low, subject, span) if is_union else subject
    by_tag: dict[int, list[tuple[core.Case, core.Pattern]]] = {}
    for case in cases:
        for alternative in _alternatives(case.pattern):
            for number in _tags(alternative) or ():
                by_tag.setdefault(number, []).append((case, alternative))
    following = Block("next_case")
    heads = {number: Block(f"case_{number}") for number in by_tag}
    targets = list(heads.items())
    if last and len(targets) > 1 and all(_plain(*chain[-1]) for chain in by_tag.values()):
        low.terminate(ops.Switch(span, tag, targets[:-1], targets[-1][1]))
    else:
        low.terminate(ops.Switch(span, tag, targets, following))
    bodies = {id(case): _Body(case) for case in cases}
    for number, chain in by_tag.items():
        low.start(heads[number])
        for position, (case, alternative) in enumerate(chain):
            if low.dead:  # what stands before takes every value of the tag
                break
            after = following if position + 1 == len(chain) else Block("next_case")
            if isinstance(alternative, core.PVariant):
                _match_payload(low, alternative, subject, after)
            bodies[id(case)].enter(low, after, end)
            if after is not following:
                low.start(after)
    low.start(following)


def _plain(case: core.Case, pattern: core.Pattern) -> bool:
    """Whether a pattern of a case takes every value of its tag."""
    payload = pattern.payload if isinstance(pattern, core.PVariant) else []
    return case.guard is None and all(isinstance(part, (core.PWild, core.PBind)) for part in payload)


# ---- patterns
# ------------------------------------------------------------------------------------------------------------


@handles(PATTERNS, core.PWild)
def match_wild(low: FunctionLowerer, pattern: core.PWild, value: Value, otherwise: Block) -> None:
    """`_`."""


@handles(PATTERNS, core.PBind)
def match_bind(low: FunctionLowerer, pattern: core.PBind, value: Value, otherwise: Block) -> None:
    """A name."""
    low.bind(pattern.local, value, pattern.span)


@handles(PATTERNS, core.PConvert)
def match_convert(low: FunctionLowerer, pattern: core.PConvert, value: Value, otherwise: Block) -> None:
    """An any or nullable that must hold a type."""
    fits = Block("fits")
    low.branch(is_type(low, value, pattern.target, pattern.span), fits, otherwise, pattern.span)
    low.start(fits)
    if not isinstance(pattern.inner, core.PWild):
        low.match(unbox(low, value, pattern.target, pattern.span), pattern.inner, otherwise)


@handles(PATTERNS, core.PLiteral)
def match_literal(low: FunctionLowerer, pattern: core.PLiteral, value: Value, otherwise: Block) -> None:
    """A constant."""
    fits = Block("fits")
    span = pattern.span
    if isinstance(pattern.value, core.NoneLit):
        test: Value = low.prim("is_none_any", [value], model.BOOL, span)
    else:
        test = equal(low, value, low.expr(pattern.value), pattern.type, span)
    low.branch(test, fits, otherwise, span)
    low.start(fits)


@handles(PATTERNS, core.PRange)
def match_range(low: FunctionLowerer, pattern: core.PRange, value: Value, otherwise: Block) -> None:
    """`2 TO 9`, both ends included."""
    span = pattern.span
    for bound, name in ((pattern.low, "gte"), (pattern.high, "lte")):
        fits = Block("fits")
        limit = low.expr(bound)
        low.branch(_ordered(low, name, value, limit, pattern.type, span), fits, otherwise, span)
        low.start(fits)


def _ordered(low: FunctionLowerer, name: str, left: Value, right: Value, type_: Type, span: Span) -> Value:
    form = form_of(type_)
    if form is Form.INT:
        return low.prim(f"{name}_int", [left, right], model.BOOL, span)
    if form is Form.FLOAT:
        return low.prim(f"{name}_float", [left, right], model.BOOL, span)
    return low.prim(f"{name}_int", [compare(low, left, right, type_, span), int_const(0)], model.BOOL, span)


@handles(PATTERNS, core.PVariant)
def match_variant(low: FunctionLowerer, pattern: core.PVariant, value: Value, otherwise: Block) -> None:
    """`OK(V)`."""
    fits = Block("variant")
    test = low.prim("eq_int", [tag_of(low, value, pattern.span), int_const(pattern.variant)], model.BOOL, pattern.span)
    low.branch(test, fits, otherwise, pattern.span)
    low.start(fits)
    _match_payload(low, pattern, value, otherwise)


def _match_payload(low: FunctionLowerer, pattern: core.PVariant, value: Value, otherwise: Block) -> None:
    for index, inner in enumerate(pattern.payload):
        if isinstance(inner, core.PWild):
            continue
        word = low.temp(inner.type)
        low.emit(ops.LoadField(inner.span, [value], kind="payload", index=index, dst=word))
        low.match(word, inner, otherwise)


@handles(PATTERNS, core.PAnyVariant)
def match_any_variant(low: FunctionLowerer, pattern: core.PAnyVariant, value: Value, otherwise: Block) -> None:
    """A variant looked for by name in an any."""
    span = pattern.span
    fits = Block("variant")
    args = [value, string_const(pattern.name)]
    test = low.runtime("nxd_any_is_variant", args, "ap", span, result=model.BOOL, letter="i")
    low.branch(test, fits, otherwise, span)
    low.start(fits)
    for index, inner in enumerate(pattern.payload):
        if not isinstance(inner, core.PWild):
            word = _try_any(low, "nxd_any_payload", [value, int_const(index)], "ai", inner, otherwise)
            low.match(word, inner, otherwise)


def _try_any(
    low: FunctionLowerer, symbol: str, args: list[Value], params: str, inner: core.Pattern, otherwise: Block
) -> Value:
    """A part of an any; where it has none, the pattern does not fit (the error is dropped)."""
    missing = low.new_handler("missing", inner.span)
    outer = low.with_handler(missing)
    word = low.runtime(symbol, args, params, inner.span, result=model.ANY, fallible=True)
    low.with_handler(outer)
    found = Block("found")
    low.goto(found, inner.span)
    low.start(missing.target)
    low.goto(otherwise, inner.span)
    low.start(found)
    return word


@handles(PATTERNS, core.PStruct)
def match_struct(low: FunctionLowerer, pattern: core.PStruct, value: Value, otherwise: Block) -> None:
    """`POINT { X: 0, Y: YY }`."""
    for index, inner in pattern.fields:
        if isinstance(inner, core.PWild):
            continue
        word = low.temp(inner.type)
        slot = low.types.field_slot(pattern.type, index)
        low.emit(ops.LoadField(inner.span, [value], kind="struct", index=slot, dst=word))
        low.match(word, inner, otherwise)


@handles(PATTERNS, core.PAnyStruct)
def match_any_struct(low: FunctionLowerer, pattern: core.PAnyStruct, value: Value, otherwise: Block) -> None:
    """The same by field names in an any."""
    for name, inner in pattern.fields:
        word = _try_any(low, "nxd_any_field", [value, string_const(name)], "ap", inner, otherwise)
        low.match(word, inner, otherwise)


@handles(PATTERNS, core.PList)
def match_list(low: FunctionLowerer, pattern: core.PList, value: Value, otherwise: Block) -> None:
    """`[A, B]`, `[A, REST...]`."""
    span = pattern.span
    assert isinstance(pattern.type, model.ListType)
    fits = Block("length")
    length = low.prim("list_length", [value], model.INT, span)
    count = int_const(len(pattern.items))
    name = "eq_int" if pattern.rest is None else "gte_int"
    low.branch(low.prim(name, [length, count], model.BOOL, span), fits, otherwise, span)
    low.start(fits)
    for index, inner in enumerate(pattern.items):
        if isinstance(inner, core.PWild):
            continue
        word = low.temp(inner.type)
        element_at(low, value, int_const(index), word, otherwise, span)
        low.match(word, inner, otherwise)
    if pattern.rest is not None and not isinstance(pattern.rest, core.PWild):
        missing = low.new_handler("missing", span)
        outer = low.with_handler(missing)
        args = [value, count, length]
        rest = low.runtime("nxd_list_slice", args, "pii", span, result=pattern.type, fallible=True)
        low.with_handler(outer)
        found = Block("rest")
        low.goto(found, span)
        low.start(missing.target)
        low.goto(otherwise, span)
        low.start(found)
        low.match(rest, pattern.rest, otherwise)


@handles(PATTERNS, core.PAnyList)
def match_any_list(low: FunctionLowerer, pattern: core.PAnyList, value: Value, otherwise: Block) -> None:
    """The same in an any, whatever the type of its elements."""
    span = pattern.span
    is_list, fits = Block("list"), Block("length")
    test = low.runtime("nxd_any_is_list", [value], "a", span, result=model.BOOL, letter="i")
    low.branch(test, is_list, otherwise, span)
    low.start(is_list)
    length = low.runtime("nxd_any_length", [value], "a", span, result=model.INT, fallible=True)
    count = int_const(len(pattern.items))
    name = "eq_int" if pattern.rest is None else "gte_int"
    low.branch(low.prim(name, [length, count], model.BOOL, span), fits, otherwise, span)
    low.start(fits)
    for index, inner in enumerate(pattern.items):
        if not isinstance(inner, core.PWild):
            place = to_any(low, int_const(index), model.INT, inner.span)
            word = _try_any(low, "nxd_any_index", [value, place], "aa", inner, otherwise)
            low.match(word, inner, otherwise)
    if pattern.rest is not None and not isinstance(pattern.rest, core.PWild):
        rest = _try_any(low, "nxd_any_slice", [value, count], "ai", pattern.rest, otherwise)
        low.match(rest, pattern.rest, otherwise)


def element_at(low: FunctionLowerer, source: Value, index: Value, dst: Reg, gone: Block, span: Span) -> None:
    """An element whose index is below the length just read. In a list other processes change it may be gone all the
    same: then goes on in `gone`. opt/sharing removes the edge where no other process can see the list.
    """
    missing = low.new_handler("gone", span)
    low.emit(ops.ListGet(span, [source, index], unchecked=True, dst=dst, error=missing))
    got = Block("element")
    low.goto(got, span)
    low.start(missing.target)
    low.goto(gone, span)
    low.start(got)


@handles(PATTERNS, core.POr)
def match_or(low: FunctionLowerer, pattern: core.POr, value: Value, otherwise: Block) -> None:
    """Alternatives without a guard of their own: goes on with the first that fits."""
    fits = Block("fits")
    for position, alternative in enumerate(pattern.alternatives):
        last = position + 1 == len(pattern.alternatives)
        following = otherwise if last else Block("or")
        low.match(value, alternative, following)
        low.goto(fits, pattern.span)
        if not last:
            low.start(following)
    low.start(fits)
