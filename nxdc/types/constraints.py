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


def is_key(type_: Type, seen: tuple[NominalDecl, ...] = ()) -> bool:
    """Whether values of `type_` can be keys: int, string, bool, enum, and structs, records, unions of those."""
    type_ = prune(type_)
    if isinstance(type_, (model.TypeVar, model.ErrorType, model.TypeParam, model.EnumType)):
        return True
    if isinstance(type_, model.PrimType):
        return type_.name in _KEY_PRIMITIVES
    if isinstance(type_, model.RecordType):
        return all(is_key(t, seen) for _, t in type_.fields)
    if isinstance(type_, (model.StructType, model.UnionType)):
        if type_.decl in seen:
            return True
        seen = (*seen, type_.decl)
        if isinstance(type_, model.StructType):
            return all(is_key(t, seen) for _, t in model.struct_fields(type_))
        return all(is_key(t, seen) for _, payload in model.union_variants(type_) for t in payload)
    return False
