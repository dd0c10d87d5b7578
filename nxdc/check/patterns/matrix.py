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
from itertools import accumulate
from typing import Any

from nxdc.core import tree as core
from nxdc.source.record import Record
from nxdc.types import model
from nxdc.types.model import Type

INT_LEAST, INT_MOST = -(1 << 63), (1 << 63) - 1
_WORK_LIMIT = 2_000_000  # cells looked at: matrices can grow exponentially; no program a person writes comes near


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


def split(column: list[Simple], type_: Type, whole: Constructors | None) -> tuple[list[Head], bool]:
    """The constructors of a column, and whether they are all of the type's, which are `whole`."""
    named = _named_keys(column)
    if whole is not None and named:
        present = set(named)
        return [Head(key, types, key in present) for key, types in whole.items()], True
    others = [Head(key, _argument_types(key, column), True) for key in named]
    for kind, split_kind in ((Items, _split_list), (Between, _split_ordered)):
        if any(isinstance(pattern, kind) for pattern in column):
            heads, complete = split_kind(column, type_)
            return heads + others, complete and not others
    return others, False


Constructors = dict[tuple[Any, ...], tuple[Type, ...]]  # each with the types of its arguments


def _signature(type_: Type) -> Constructors | None:
    """All constructors of a type, if it has finitely many."""
    if isinstance(type_, model.UnionType):
        return {("variant", i): payload for i, (_, payload) in enumerate(model.union_variants(type_))}
    if isinstance(type_, model.EnumType):
        return {("variant", i): () for i in range(len(type_.decl.variants))}
    if type_ == model.BOOL:
        return {("bool", True): (), ("bool", False): ()}
    if type_ == model.NONE:
        return {("none",): ()}
    if isinstance(type_, (model.StructType, model.RecordType)):
        return {("struct",): tuple(t for _, t in model.struct_fields(type_))}
    if isinstance(type_, model.NullableType):
        inner = solved(type_.inner)
        return {("as", inner): (inner,), ("none",): ()}
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
    index_of = {atom: index for index, atom in enumerate(atoms)}
    changes = [0] * (len(atoms) + 1)  # how many more ranges take an atom than the one before it
    for span in spans:
        if span.low <= span.high:
            changes[index_of["point", span.low]] += 1
            changes[index_of["point", span.high] + 1] -= 1
    heads = [Head(atom, (), count > 0) for atom, count in zip(atoms, accumulate(changes), strict=False)]
    return heads, type_ in (model.INT, model.FLOAT, model.STRING)


def _gap(low: Any, high: Any, type_: Type) -> list[tuple[Any, ...]]:
    """The values strictly between two points (None: no end on that side), if there are any."""
    if type_ == model.INT:
        first = INT_LEAST if low is None else low + 1
        last = INT_MOST if high is None else high - 1
        return [("gap", low, high)] if first <= last else []
    return [("gap", low, high)]


# ---- the matrix ------------------------------------------------------------------------------------------------------

Row = tuple[Simple, ...]


class Matrix:
    """The search, with a bound on its work."""

    def __init__(self) -> None:
        self._work = 0
        self._known: dict[int, tuple[Type, Constructors | None]] = {}  # by identity; the types are kept alive

    def missing(self, rows: list[Row], types: tuple[Type, ...]) -> Iterator[list[Witness]]:
        """Values that no row takes, as one witness a column."""
        self._step(rows, len(types))
        if not types:
            if not rows:
                yield []
            return
        rows = _all_alternatives(rows)
        type_ = solved(types[0])
        heads, complete = split([row[0] for row in rows], type_, self._constructors(type_))
        for head, narrowed in zip(heads, specialise(rows, heads), strict=True):
            if head.named:
                inner = self.missing(narrowed, (*head.types, *types[1:]))
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
        self._step(rows, len(types))
        if not types:
            return not rows
        if isinstance(row[0], Either):
            before = list(rows)
            for single in _without_alternatives(row):
                if self.useful(before, single, types):
                    return True
                before.append(single)
            return False
        rows = [other for other in _all_alternatives(rows) if _may_meet(other[0], row[0])]
        type_ = solved(types[0])
        whole = self._constructors(type_)
        if whole is not None and isinstance(row[0], Con):
            heads, complete = [Head(row[0].key, whole[row[0].key], True)], False
        else:
            heads, complete = split([*(r[0] for r in rows), row[0]], type_, whole)
        if isinstance(row[0], Wild) and not (complete and all(head.named for head in heads)):
            # Some constructor is named by no row: what only wildcards take stands for it and for all others.
            return self.useful([r[1:] for r in rows if isinstance(r[0], Wild)], row[1:], types[1:])
        for head, own, others in zip(heads, specialise([row], heads), specialise(rows, heads), strict=True):
            if own and self.useful(others, own[0], (*head.types, *types[1:])):
                return True
        return False

    def _constructors(self, type_: Type) -> Constructors | None:
        """What `_signature` says; found once for each type of a match, in which many rows ask for it."""
        known = self._known.get(id(type_))
        if known is None:
            known = self._known[id(type_)] = (type_, _signature(type_))
        return known[1]

    def _step(self, rows: list[Row], width: int) -> None:
        self._work += (len(rows) + 1) * (width + 1)
        if self._work > _WORK_LIMIT:
            raise TooHard


class Witness(Record):
    """A value nobody takes: of `type`, made by the constructor `key` (None: any value) from `args`."""

    type: Type
    key: tuple[Any, ...] | None
    args: tuple[Witness, ...] = ()


def whole_type(type_: Type) -> list[Witness]:
    """Any value of a type, told apart by constructor where the type has few."""
    heads = _signature(solved(type_)) or {}
    return [Witness(type_, key, tuple(Witness(t, None) for t in types)) for key, types in heads.items()]


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


class Seen:
    """Rows, found by the constructor or literal in their first column: a row meets few of the others there."""

    def __init__(self) -> None:
        self._by_key: dict[Any, list[Row]] = {}
        self._others: list[Row] = []

    def add(self, row: Row) -> None:
        """Adds a row."""
        for single in _without_alternatives(row):
            key = _key(single[0])
            (self._others if key is None else self._by_key.setdefault(key, [])).append(single)

    def meeting(self, row: Row) -> list[Row]:
        """All rows that take a value that `row` takes too, and maybe others."""
        if isinstance(row[0], Either) or (key := _key(row[0])) is None:
            return [*self._others, *(other for rows in self._by_key.values() for other in rows)]
        return [*self._others, *self._by_key.get(key, ())]


def _key(pattern: Simple) -> tuple[Any, ...] | None:
    """Tells a pattern from all whose key is another; None: from none."""
    if isinstance(pattern, Con):
        return pattern.key
    return ("point", pattern.low) if isinstance(pattern, Between) and pattern.low == pattern.high else None


def _all_alternatives(rows: list[Row]) -> list[Row]:
    if not any(isinstance(row[0], Either) for row in rows):
        return rows
    return [single for row in rows for single in _without_alternatives(row)]


def _may_meet(first: Simple, second: Simple) -> bool:
    """False: no value is taken by both patterns."""
    if isinstance(first, Con) and isinstance(second, Con):
        return first.key == second.key
    if isinstance(first, Between) and isinstance(second, Between):
        return bool(first.low <= second.high and second.low <= first.high)
    return True


def specialise(rows: list[Row], heads: list[Head]) -> list[list[Row]]:
    """For each constructor the rows that take values of it, with its arguments as columns."""
    result: list[list[Row]] = [[] for _ in heads]
    index_of = {head.key: index for index, head in enumerate(heads)}
    for row in rows:
        first, rest = row[0], row[1:]
        if isinstance(first, Wild):
            for head, narrowed in zip(heads, result, strict=True):
                narrowed.append((WILD,) * len(head.types) + rest)
        elif isinstance(first, Con):
            index = index_of.get(first.key)
            if index is not None:
                result[index].append(first.args + rest)
        elif isinstance(first, Between) and first.low <= first.high:  # its ends are points, with the atoms between them
            for index in range(index_of["point", first.low], index_of["point", first.high] + 1):
                result[index].append(rest)
        elif isinstance(first, Items):
            length = len(first.items)
            for head, narrowed in zip(heads, result, strict=True):
                arity = len(head.types)
                fits = head.key == ("list", length, False) or (first.open and length <= arity)
                if head.key[0] == "list" and fits:
                    narrowed.append(first.items + (WILD,) * (arity - length) + rest)
    return result
