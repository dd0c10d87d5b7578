"""The type language: what a value's static type can be.

Types are immutable and compared structurally; nominal ones by their declaration object (`StructType.decl`), because
they may be recursive. Inference variables (`TypeVar`) exist only while a function is being checked; the typed core
that leaves the checker has none. `ErrorType` silences follow-up diagnostics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.source.record import ValueRecord

if TYPE_CHECKING:
    from nxdc.source.span import Span


class Type(ValueRecord):
    """Base of all types."""


class PrimType(Type):
    """int, float, bool, none, string, any."""

    name: str


INT = PrimType("int")
FLOAT = PrimType("float")
BOOL = PrimType("bool")
NONE = PrimType("none")
STRING = PrimType("string")
ANY = PrimType("any")


class NeverType(Type):
    """Of an expression or block that does not yield: it leaves by RETURN, BREAK, THROW ..."""


class ErrorType(Type):
    """Of what could not be typed; fits everything, so that one mistake gives one diagnostic."""


NEVER = NeverType()
ERROR = ErrorType()


class ListType(Type):
    element: Type


class MapType(Type):
    key: Type
    value: Type


class ChannelType(Type):
    element: Type


class TaskType(Type):
    result: Type


class ProcessType(Type):
    result: Type


class FuncType(Type):
    params: tuple[Type, ...]
    result: Type


class NullableType(Type):
    """A variable that starts as NONE and is assigned a T later. At run time an `any` word."""

    inner: Type


class RecordType(Type):
    """`{ NAME: T }`: fields in written order; two records are one type when names and types agree in any order."""

    fields: tuple[tuple[str, Type], ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordType) and sorted_fields(self) == sorted_fields(other)

    def __hash__(self) -> int:
        return hash(sorted_fields(self))


def sorted_fields(record: RecordType) -> tuple[tuple[str, Type], ...]:
    """The fields of a record in name order, the identity of the type."""
    return tuple(sorted(record.fields, key=lambda item: item[0]))


class NominalDecl:
    """One declared struct, enum, union or trait. Identity is the object. `fields`/`variants` are filled after
    creation.
    """

    __slots__ = (
        "args", "field_spans", "fields", "kind", "module", "name", "origin", "params", "span", "traits", "variants",
    )  # fmt: skip

    def __init__(self, kind: str, name: str, module: str, params: tuple[str, ...], span: Span | None) -> None:
        self.kind = kind  # "struct" | "enum" | "union" | "trait" | "box" (the struct that a trait object is)
        self.name = name
        self.module = module
        self.params = params
        self.span = span
        # struct: (name, type) with TypeParam inside generic ones; union: variant -> payload types; enum: variant names
        self.fields: list[tuple[str, Type]] = []
        self.variants: list[tuple[str, tuple[Type, ...]]] = []
        self.traits: list[NominalDecl] = []  # implemented (of a trait: extended)
        self.field_spans: dict[str, Span] = {}
        # A trait with type arguments (`CONTAINER<int>`) is an object of its own that names the declared one.
        self.origin: NominalDecl = self
        self.args: tuple[Type, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.kind} {self.module}.{self.name}>"


class StructType(Type):
    decl: NominalDecl
    args: tuple[Type, ...] = ()


class EnumType(Type):
    decl: NominalDecl


class UnionType(Type):
    """Also OPTION and RESULT, whose declarations are `OPTION_DECL` and `RESULT_DECL` (see types/prelude.py)."""

    decl: NominalDecl
    args: tuple[Type, ...] = ()


class BoxType(Type):
    """`BOX<TRAIT>`: a dynamic trait object. The type arguments of the trait stand here, `trait` is the declared one."""

    trait: NominalDecl
    args: tuple[Type, ...] = ()


class TypeParam(Type):
    """`T` inside a generic declaration."""

    name: str
    bounds: tuple[NominalDecl, ...] = ()


class TypeVar(Type):
    """An inference variable; `ref` is its solution once it has one. Identity is the object."""

    if not TYPE_CHECKING:  # slots; type checkers take the attributes from __init__, so that they may be assigned
        ref: Type | None
        from_none: bool
        origin: Span | None
        place: tuple[Span, bool] | None
        age: int
        default: Type

    def __init__(
        self, ref: Type | None = None, from_none: bool = False, origin: Span | None = None, age: int = 0
    ) -> None:
        self.ref = ref
        self.default: Type = ANY  # what it becomes when nothing decides it: string for the error of a RESULT
        # Set when the variable stands for "a name that began as NONE": solved by the first other value it gets.
        self.from_none = from_none
        self.origin = origin
        # For messages: the expression that it was solved with, and whether with its whole type or a part of that.
        self.place: tuple[Span, bool] | None = None
        self.age = age

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


OPTION_DECL = NominalDecl("union", "OPTION", "", ("T",), None)
OPTION_DECL.variants = [("SOME", (TypeParam("T"),)), ("NONE", ())]
RESULT_DECL = NominalDecl("union", "RESULT", "", ("T", "E"), None)
RESULT_DECL.variants = [("OK", (TypeParam("T"),)), ("ERR", (TypeParam("E"),))]


def option_of(inner: Type) -> UnionType:
    """OPTION<inner>."""
    return UnionType(OPTION_DECL, (inner,))


def result_of(value: Type, error: Type = STRING) -> UnionType:
    """RESULT<value, error>."""
    return UnionType(RESULT_DECL, (value, error))


def substitute(type_: Type, mapping: dict[str, Type]) -> Type:
    """`type_` with its type parameters replaced; unknown ones stay."""
    if not mapping:
        return type_
    if isinstance(type_, TypeParam):
        return mapping.get(type_.name, type_)
    if isinstance(type_, ListType):
        return ListType(substitute(type_.element, mapping))
    if isinstance(type_, MapType):
        return MapType(substitute(type_.key, mapping), substitute(type_.value, mapping))
    if isinstance(type_, ChannelType):
        return ChannelType(substitute(type_.element, mapping))
    if isinstance(type_, TaskType):
        return TaskType(substitute(type_.result, mapping))
    if isinstance(type_, ProcessType):
        return ProcessType(substitute(type_.result, mapping))
    if isinstance(type_, NullableType):
        return NullableType(substitute(type_.inner, mapping))
    if isinstance(type_, FuncType):
        return FuncType(tuple(substitute(p, mapping) for p in type_.params), substitute(type_.result, mapping))
    if isinstance(type_, RecordType):
        return RecordType(tuple((name, substitute(t, mapping)) for name, t in type_.fields))
    if isinstance(type_, StructType) and type_.args:
        return StructType(type_.decl, tuple(substitute(a, mapping) for a in type_.args))
    if isinstance(type_, UnionType) and type_.args:
        return UnionType(type_.decl, tuple(substitute(a, mapping) for a in type_.args))
    if isinstance(type_, BoxType) and type_.args:
        return BoxType(type_.trait, tuple(substitute(a, mapping) for a in type_.args))
    return type_


def struct_fields(type_: StructType | RecordType) -> list[tuple[str, Type]]:
    """Field names and types of a struct or record instance, in declaration (written) order: the order of the words."""
    if isinstance(type_, RecordType):
        return list(type_.fields)
    mapping = dict(zip(type_.decl.params, type_.args, strict=False))
    return [(name, substitute(t, mapping)) for name, t in type_.decl.fields]


def union_variants(type_: UnionType) -> list[tuple[str, tuple[Type, ...]]]:
    """Variants of a union instance with their payload types, in declaration order: the tag is the index."""
    mapping = dict(zip(type_.decl.params, type_.args, strict=False))
    return [(name, tuple(substitute(t, mapping) for t in payload)) for name, payload in type_.decl.variants]


def payload_types(type_: UnionType, index: int) -> tuple[Type, ...]:
    """The payload types of one variant of a union instance."""
    payload = type_.decl.variants[index][1]
    if not type_.args:
        return payload
    mapping = dict(zip(type_.decl.params, type_.args, strict=False))
    return tuple(substitute(t, mapping) for t in payload)
