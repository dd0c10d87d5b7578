"""Pattern matrices: which values a list of patterns leaves out, and whether a pattern takes anything new.

The algorithm is Luc Maranget's ("Warnings for pattern matching", Journal of Functional Programming 17(3),
2007): a matrix has a row per case and a column per value looked at. To test a column, the matrix is
*specialised* to each constructor in it: rows of another constructor go, the arguments of the rest become
columns of their own, and a wildcard row stays with wildcards.

    CASE SOME(true), CASE NONE      specialised to SOME:  [true]    so SOME(false) is missing

Columns of one ordered type (int, float, string) hold ranges, which overlap. Their ends cut the type into points
and the gaps between them, and each point or gap is a constructor: `0 TO 9` and `5` give 0, 1..4, 5, 6..8, 9 and
the two outer gaps. Columns of lists have one constructor a length, up to the longest pattern, and one for all
longer lists.

Input: patterns of the typed core, made `Simple` by `simplify`. This file knows nothing about diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nxdc.core import tree as core
from nxdc.source.record import Record
from nxdc.types import model
from nxdc.types.model import Type

INT_LEAST, INT_MOST = -(1 << 63), (1 << 63) - 1
_STEP_LIMIT = 60_000  # matrices can grow exponentially; no program a person writes comes near


class TooHard(Exception):
    """The matrix grew past all reason: nothing is claimed about this MATCH."""


# ---- simplified patterns ---------------------------------------------------------------------------------------------


class Simple(Record):
    """A pattern without names and places."""


class Wild(Simple):
    """Takes everything."""


class Con(Simple):
    """A constructor with patterns for its arguments. `key` is its identity among those of its type."""

    key: tuple[Any, ...]
    args: tuple[Simple, ...]


class Between(Simple):
    """Values from `low` to `high`, both included; a literal has both ends equal."""

    low: Any
    high: Any


class Items(Simple):
    """A list; `open` when there may be more elements."""

    items: tuple[Simple, ...]
    open: bool


class Either(Simple):
    """Alternatives."""

    options: tuple[Simple, ...]


WILD = Wild()


def solved(type_: Type) -> Type:
    """The type behind a solved inference variable."""
    while isinstance(type_, model.TypeVar) and type_.ref is not None:
        type_ = type_.ref
    return type_


def constant(value: core.Expr) -> Any:
    """The value of a literal, also a negated one; None when it is not known at compile time."""
    if isinstance(value, core.Intrinsic) and len(value.args) == 1:
        inner = constant(value.args[0])
        return -inner if value.name.startswith(("neg", "fneg")) and isinstance(inner, (int, float)) else None
    if isinstance(value, core.Convert) and value.kind == "int_to_float":
        inner = constant(value.value)
        return float(inner) if isinstance(inner, int) else None
    if isinstance(value, (core.IntLit, core.FloatLit, core.StringLit, core.BoolLit)):
        return value.value
    return None


def simplify(pattern: core.Pattern) -> Simple:
    """The matrix form of a pattern."""
    if isinstance(pattern, core.PLiteral):
        return _simplify_literal(pattern.value)
    if isinstance(pattern, core.PRange):
        low, high = constant(pattern.low), constant(pattern.high)
        return Con(("unknown", id(pattern)), ()) if low is None or high is None else Between(low, high)
    if isinstance(pattern, core.PConvert):
        return Con(("as", solved(pattern.target)), (simplify(pattern.inner),))
    if isinstance(pattern, core.PVariant):
        return Con(("variant", pattern.variant), _simplify_all(pattern.payload))
    if isinstance(pattern, core.PAnyVariant):
        return Con(("any variant", pattern.name, len(pattern.payload)), _simplify_all(pattern.payload))
    if isinstance(pattern, core.PStruct):
        return _simplify_struct(pattern)
    if isinstance(pattern, core.PAnyStruct):
        fields = sorted(pattern.fields, key=lambda item: item[0])
        return Con(("any struct", *(name for name, _ in fields)), tuple(simplify(inner) for _, inner in fields))
    if isinstance(pattern, (core.PList, core.PAnyList)):
        return Items(_simplify_all(pattern.items), pattern.rest is not None)
    if isinstance(pattern, core.POr):
        return Either(_simplify_all(pattern.alternatives))
    return WILD


def _simplify_all(patterns: list[core.Pattern]) -> tuple[Simple, ...]:
    return tuple(simplify(pattern) for pattern in patterns)


def _simplify_literal(value: core.Expr) -> Simple:
    if isinstance(value, core.EnumLit):
        return Con(("variant", value.index), ())
    if isinstance(value, core.BoolLit):
        return Con(("bool", value.value), ())
    if isinstance(value, core.NoneLit):
        return Con(("none",), ())
    known = constant(value)
    return Con(("unknown", id(value)), ()) if known is None else Between(known, known)


def _simplify_struct(pattern: core.PStruct) -> Simple:
    type_ = solved(pattern.type)
    assert isinstance(type_, (model.StructType, model.RecordType))
    args: list[Simple] = [WILD] * len(model.struct_fields(type_))
    for index, inner in pattern.fields:
        args[index] = simplify(inner)
    return Con(("struct",), tuple(args))


# ---- constructors of a column --------------------------------------------------------------------------------------


class Head(Record):
    """A constructor a column is split by, with its arguments' types; `named`: a pattern of the column takes it."""

    key: tuple[Any, ...]
    types: tuple[Type, ...]
    named: bool


def _named_keys(column: list[Simple]) -> list[tuple[Any, ...]]:
    """Constructors in a column in order of their first appearance."""
    return list(dict.fromkeys(pattern.key for pattern in column if isinstance(pattern, Con)))


def split(column: list[Simple], type_: Type) -> tuple[list[Head], bool]:
    """The constructors of a column, and whether they are all of the type's."""
    type_ = solved(type_)
    named = _named_keys(column)
    others = [Head(key, _argument_types(key, column), True) for key in named]
    for kind, split_kind in ((Items, _split_list), (Between, _split_ordered)):
        if any(isinstance(pattern, kind) for pattern in column):
            heads, complete = split_kind(column, type_)
            return heads + others, complete and not others
    whole = _signature(type_) if named else None
    if whole is not None:
        return [Head(key, types, key in named) for key, types in whole], True
    return others, False


def _signature(type_: Type) -> list[tuple[tuple[Any, ...], tuple[Type, ...]]] | None:
    """All constructors of a type, if it has finitely many."""
    if isinstance(type_, model.UnionType):
        return [(("variant", i), payload) for i, (_, payload) in enumerate(model.union_variants(type_))]
    if isinstance(type_, model.EnumType):
        return [(("variant", i), ()) for i in range(len(type_.decl.variants))]
    if type_ == model.BOOL:
        return [(("bool", True), ()), (("bool", False), ())]
    if type_ == model.NONE:
        return [(("none",), ())]
    if isinstance(type_, (model.StructType, model.RecordType)):
        return [(("struct",), tuple(t for _, t in model.struct_fields(type_)))]
    if isinstance(type_, model.NullableType):
        inner = solved(type_.inner)
        return [(("as", inner), (inner,)), (("none",), ())]
    return None


def _argument_types(key: tuple[Any, ...], column: list[Simple]) -> tuple[Type, ...]:
    if key[0] == "as":
        return (key[1],)
    arity = next(len(pattern.args) for pattern in column if isinstance(pattern, Con) and pattern.key == key)
    return (model.ANY,) * arity


def _split_list(column: list[Simple], type_: Type) -> tuple[list[Head], bool]:
    element = type_.element if isinstance(type_, model.ListType) else model.ANY
    lists = [pattern for pattern in column if isinstance(pattern, Items)]
    longest = max(len(pattern.items) for pattern in lists)
    heads = []
    for length in range(longest + 1):
        named = any(len(p.items) == length or (p.open and len(p.items) < length) for p in lists)
        heads.append(Head(("list", length, False), (element,) * length, named))
    heads.append(Head(("list", longest + 1, True), (element,) * (longest + 1), any(p.open for p in lists)))
    return heads, isinstance(type_, model.ListType)


def _split_ordered(column: list[Simple], type_: Type) -> tuple[list[Head], bool]:
    """Points and gaps between the ends of all ranges of the column; together they are the whole type."""
    spans = [pattern for pattern in column if isinstance(pattern, Between)]
    points = sorted({end for span in spans for end in (span.low, span.high)})
    atoms: list[tuple[Any, ...]] = []
    before: Any = None
    for point in points:
        atoms += _gap(before, point, type_)
        atoms.append(("point", point))
        before = point
    atoms += _gap(before, None, type_)
    heads = [Head(atom, (), any(_covers(span, atom) for span in spans)) for atom in atoms]
    return heads, type_ in (model.INT, model.FLOAT, model.STRING)


def _gap(low: Any, high: Any, type_: Type) -> list[tuple[Any, ...]]:
    """The values strictly between two points (None: no end on that side), if there are any."""
    if type_ == model.INT:
        first = INT_LEAST if low is None else low + 1
        last = INT_MOST if high is None else high - 1
        return [("gap", low, high)] if first <= last else []
    return [("gap", low, high)]


def _covers(span: Between, atom: tuple[Any, ...]) -> bool:
    """Whether a range takes a point or gap: its ends are points of the same column, so it never takes half a gap."""
    if atom[0] == "point":
        return bool(span.low <= atom[1] <= span.high)
    _, low, high = atom
    return low is not None and high is not None and bool(span.low <= low and high <= span.high)


# ---- the matrix ------------------------------------------------------------------------------------------------------

Row = tuple[Simple, ...]


class Matrix:
    """The search, with a bound on its work."""

    def __init__(self) -> None:
        self._steps = 0

    def missing(self, rows: list[Row], types: tuple[Type, ...]) -> Iterator[list[Witness]]:
        """Values that no row takes, as one witness a column."""
        self._step()
        if not types:
            if not rows:
                yield []
            return
        rows = [row for wide in rows for row in _without_alternatives(wide)]
        heads, complete = split([row[0] for row in rows], types[0])
        for head in heads:
            if head.named:
                inner = self.missing(_specialise(rows, head), (*head.types, *types[1:]))
                count = len(head.types)
                for found in inner:
                    yield [Witness(types[0], head.key, tuple(found[:count])), *found[count:]]
        absent = [head for head in heads if not head.named]
        if complete and not absent:
            return
        for found in self.missing([row[1:] for row in rows if isinstance(row[0], Wild)], types[1:]):
            for witness in _absent_witnesses(types[0], absent, bool(heads)):
                yield [witness, *found]

    def useful(self, rows: list[Row], row: Row, types: tuple[Type, ...]) -> bool:
        """Whether `row` takes a value that no row of `rows` takes."""
        self._step()
        if not types:
            return not rows
        if isinstance(row[0], Either):
            before = list(rows)
            for single in _without_alternatives(row):
                if self.useful(before, single, types):
                    return True
                before.append(single)
            return False
        rows = [single for wide in rows for single in _without_alternatives(wide)]
        heads, complete = split([*(r[0] for r in rows), row[0]], types[0])
        if isinstance(row[0], Wild) and not (complete and all(head.named for head in heads)):
            # Some constructor is named by no row: what only wildcards take stands for it and for all others.
            return self.useful([r[1:] for r in rows if isinstance(r[0], Wild)], row[1:], types[1:])
        for head in heads:
            narrowed = _specialise([row], head)
            if narrowed and self.useful(_specialise(rows, head), narrowed[0], (*head.types, *types[1:])):
                return True
        return False

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _STEP_LIMIT:
            raise TooHard


class Witness(Record):
    """A value nobody takes: of `type`, made by the constructor `key` (None: any value) from `args`."""

    type: Type
    key: tuple[Any, ...] | None
    args: tuple[Witness, ...] = ()


def whole_type(type_: Type) -> list[Witness]:
    """Any value of a type, told apart by constructor where the type has few."""
    heads = _signature(solved(type_)) or []
    return [Witness(type_, key, tuple(Witness(t, None) for t in types)) for key, types in heads]


def _absent_witnesses(type_: Type, absent: list[Head], some_named: bool) -> list[Witness]:
    """What stands for the constructors no row names: each of them, where the type has few; else just "anything"."""
    if not some_named:
        return [Witness(type_, None)]
    listed = [head for head in absent if head.key[0] in ("variant", "bool", "none", "list", "as")]
    if not listed:
        return [Witness(type_, None)]
    return [Witness(type_, head.key, tuple(Witness(t, None) for t in head.types)) for head in listed]


def _without_alternatives(row: Row) -> list[Row]:
    if not isinstance(row[0], Either):
        return [row]
    return [single for option in row[0].options for single in _without_alternatives((option, *row[1:]))]


def _specialise(rows: list[Row], head: Head) -> list[Row]:
    """The rows that take values of a constructor, with its arguments as columns."""
    result: list[Row] = []
    arity = len(head.types)
    for row in rows:
        first = row[0]
        if isinstance(first, Wild):
            result.append((WILD,) * arity + row[1:])
        elif isinstance(first, Con):
            if first.key == head.key:
                result.append(first.args + row[1:])
        elif isinstance(first, Between):
            if head.key[0] in ("point", "gap") and _covers(first, head.key):
                result.append(row[1:])
        elif isinstance(first, Items) and head.key[0] == "list":
            length = len(first.items)
            if (first.open and length <= arity) or (length == arity and not head.key[2]):
                result.append(first.items + (WILD,) * (arity - length) + row[1:])
    return result
