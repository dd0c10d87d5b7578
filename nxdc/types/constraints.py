"""The built-in constraints that generics and prelude rows can put on a type parameter.

They are traits nobody needs to implement: which types have them is decided here, by structure.
"""

from __future__ import annotations

from nxdc.types import model
from nxdc.types.model import NominalDecl, Type
from nxdc.types.unify import prune

ORDERED = NominalDecl("trait", "ORDERED", "", (), None)  # has GT, LT, GTE, LTE; can be sorted
NUMERIC = NominalDecl("trait", "NUMERIC", "", (), None)  # has arithmetic
EQUATABLE = NominalDecl("trait", "EQUATABLE", "", (), None)  # EQ is defined: every type
HASHABLE = NominalDecl("trait", "HASHABLE", "", (), None)  # can be the key of a MAP
FORMATTABLE = NominalDecl("trait", "FORMATTABLE", "", (), None)  # can be printed: every type

CONSTRAINTS = {decl.name: decl for decl in (ORDERED, NUMERIC, EQUATABLE, HASHABLE, FORMATTABLE)}

# Which types have them, for messages.
MEMBERS = {
    ORDERED: "int, float, string, bool and enums are ordered",
    NUMERIC: "int and float have arithmetic",
    HASHABLE: "keys are int, string, bool, enums, and structs, records and unions of these",
}

_ORDERED_PRIMITIVES = frozenset({"int", "float", "string", "bool", "any"})
_NUMERIC_PRIMITIVES = frozenset({"int", "float", "any"})
_KEY_PRIMITIVES = frozenset({"int", "string", "bool", "any"})


def has_constraint(type_: Type, constraint: NominalDecl) -> bool:
    """Whether `type_` meets one of `CONSTRAINTS`. An undecided type does: the operation itself decides later."""
    type_ = prune(type_)
    if isinstance(type_, (model.TypeVar, model.ErrorType, model.NeverType)):
        return True
    if constraint is EQUATABLE or constraint is FORMATTABLE:
        return True
    if constraint is HASHABLE:
        return is_key(type_)
    if isinstance(type_, model.EnumType):
        return constraint is ORDERED
    if not isinstance(type_, model.PrimType):
        return False
    return type_.name in (_ORDERED_PRIMITIVES if constraint is ORDERED else _NUMERIC_PRIMITIVES)


def is_key(type_: Type) -> bool:
    """Whether values of `type_` can be keys: int, string, bool, enum, and structs, records, unions of those."""
    return not_a_key(type_) is None


def not_a_key(type_: Type, place: str = "", seen: tuple[NominalDecl, ...] = ()) -> tuple[str, Type] | None:
    """Why values of `type_` cannot be keys: the field or variant (empty for the type itself) and its type."""
    type_ = prune(type_)
    if isinstance(type_, (model.TypeVar, model.ErrorType, model.TypeParam, model.EnumType)):
        return None
    if isinstance(type_, model.PrimType) and type_.name in _KEY_PRIMITIVES:
        return None
    parts: list[tuple[str, Type]]
    if isinstance(type_, model.RecordType):
        parts = list(type_.fields)
    elif isinstance(type_, model.StructType):
        parts = [(f"{type_.decl.name}.{name}", t) for name, t in model.struct_fields(type_)]
    elif isinstance(type_, model.UnionType):
        parts = [(name, t) for name, payload in model.union_variants(type_) for t in payload]
    else:
        return place, type_
    if isinstance(type_, (model.StructType, model.UnionType)):
        if type_.decl in seen:
            return None
        seen = (*seen, type_.decl)
    return next((found for name, t in parts if (found := not_a_key(t, name, seen)) is not None), None)
