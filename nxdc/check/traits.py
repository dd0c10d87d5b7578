"""Which types have which traits. Implementing is nominal: `IMPLEMENTS` at the type, or an `IMPL` block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.types import model
from nxdc.types.constraints import CONSTRAINTS, has_constraint
from nxdc.types.model import NominalDecl, Type
from nxdc.types.unify import prune

if TYPE_CHECKING:
    from nxdc.check.checker import Checker


def implements(checker: Checker, type_: Type, trait: NominalDecl) -> bool:
    """Whether values of `type_` have the trait (built-in constraints included)."""
    type_ = prune(type_)
    if isinstance(type_, (model.ErrorType, model.NeverType, model.TypeVar)):
        return True
    if CONSTRAINTS.get(trait.name) is trait:
        return has_constraint(type_, trait)
    if isinstance(type_, model.BoxType):
        return extends(type_.trait, trait)
    if isinstance(type_, (model.StructType, model.UnionType, model.EnumType)):
        return any(extends(own, trait) for own in type_.decl.traits)
    if isinstance(type_, model.TypeParam):
        return any(extends(own, trait) for own in type_.bounds)
    return any(extends(own, trait) for own in checker.builtin_traits.get(type_, ()))


def extends(trait: NominalDecl, other: NominalDecl) -> bool:
    """Whether `trait` is `other` or extends it."""
    return trait is other or any(extends(parent, other) for parent in trait.traits)
