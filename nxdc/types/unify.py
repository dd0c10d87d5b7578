"""Solving inference variables.

A `TypeVar` is solved once, by `ref`; solved ones are followed by `prune`. Overload resolution tries candidates and
takes the solutions back, so every solution goes through a `Unifier`, which keeps a trail while a trial is running.
Conversions (int literal to float, anything to any, T to nullable T) are not unification: they belong to
`check/coerce.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from nxdc.types import model
from nxdc.types.model import Type, TypeVar

if TYPE_CHECKING:
    from nxdc.source.span import Span


def prune(type_: Type) -> Type:
    """`type_`, or what it stands for when it is a solved variable. Only the outermost constructor is followed."""
    while type(type_) is TypeVar:
        ref = type_.ref
        if ref is None:
            return type_
        type_ = ref
    return type_


_CHILDREN: dict[type, Callable[[Any], tuple[Type, ...]]] = {
    model.ListType: lambda t: (t.element,),
    model.MapType: lambda t: (t.key, t.value),
    model.ChannelType: lambda t: (t.element,),
    model.TaskType: lambda t: (t.result,),
    model.ProcessType: lambda t: (t.result,),
    model.FuncType: lambda t: (*t.params, t.result),
    model.NullableType: lambda t: (t.inner,),
    model.RecordType: lambda t: tuple([field for _, field in t.fields]),
    model.StructType: lambda t: t.args,
    model.UnionType: lambda t: t.args,
    model.BoxType: lambda t: t.args,
}


def children(type_: Type) -> tuple[Type, ...]:
    """The argument types a type is built from."""
    parts = _CHILDREN.get(type(type_))
    return parts(type_) if parts is not None else ()


def rebuild(type_: Type, parts: tuple[Type, ...]) -> Type:
    """The same constructor as `type_` around other arguments (in the order of `children`)."""
    if isinstance(type_, model.ListType):
        return model.ListType(parts[0])
    if isinstance(type_, model.MapType):
        return model.MapType(parts[0], parts[1])
    if isinstance(type_, model.ChannelType):
        return model.ChannelType(parts[0])
    if isinstance(type_, model.TaskType):
        return model.TaskType(parts[0])
    if isinstance(type_, model.ProcessType):
        return model.ProcessType(parts[0])
    if isinstance(type_, model.FuncType):
        return model.FuncType(parts[:-1], parts[-1])
    if isinstance(type_, model.NullableType):
        return nullable_of(parts[0])
    if isinstance(type_, model.RecordType):
        return model.RecordType(tuple((name, part) for (name, _), part in zip(type_.fields, parts, strict=False)))
    if isinstance(type_, model.StructType):
        return model.StructType(type_.decl, parts)
    if isinstance(type_, model.UnionType):
        return model.UnionType(type_.decl, parts)
    if isinstance(type_, model.BoxType):
        return model.BoxType(type_.trait, parts)
    return type_


def map_type(type_: Type, change: Callable[[Type], Type | None]) -> Type:
    """`type_` with every part replaced for which `change` gives an answer; solved variables are followed."""
    type_ = prune(type_)
    changed = change(type_)
    if changed is not None:
        return changed
    parts = children(type_)
    if not parts:
        return type_
    new_parts = tuple([map_type(part, change) for part in parts])
    if all(new is old for new, old in zip(new_parts, parts, strict=False)):
        return type_
    return rebuild(type_, new_parts)


def contains(type_: Type, test: Callable[[Type], bool]) -> bool:
    """Whether some part of `type_` (itself included) passes `test`."""
    type_ = prune(type_)
    return test(type_) or any(contains(part, test) for part in children(type_))


def has_vars(type_: Type) -> bool:
    """Whether an unsolved variable is left in `type_`."""
    type_ = prune(type_)
    if type(type_) is TypeVar:
        return True
    return any(has_vars(part) for part in children(type_))


def has_errors(type_: Type) -> bool:
    """Whether `type_` contains the type of something that could not be typed."""
    return contains(type_, lambda t: isinstance(t, model.ErrorType))


def resolve(type_: Type) -> Type:
    """`type_` with all solved variables replaced at every depth; unsolved ones stay."""
    type_ = prune(type_)
    parts = children(type_)
    if not parts:
        return type_
    new_parts = tuple([resolve(part) for part in parts])
    if all(new is old for new, old in zip(new_parts, parts, strict=False)):
        return type_
    return rebuild(type_, new_parts)


def zonk(type_: Type) -> Type:
    """`type_` fit for the typed core: solved variables replaced, undecided ones `any`."""
    type_ = prune(type_)
    if type(type_) is TypeVar:
        return type_.default
    parts = children(type_)
    if not parts:
        return type_
    new_parts = tuple([zonk(part) for part in parts])
    if all(new is old for new, old in zip(new_parts, parts, strict=False)):
        return type_
    return rebuild(type_, new_parts)


def nullable_of(inner: Type) -> Type:
    """`inner` or NONE: what already has room for NONE stays as it is."""
    inner = prune(inner)
    if isinstance(inner, (model.NullableType, model.ErrorType)) or inner in (model.ANY, model.NONE):
        return inner
    if isinstance(inner, model.UnionType) and inner.decl is model.OPTION_DECL:
        return inner
    return model.NullableType(inner)


class Unifier:
    """Makes and solves variables; solutions made during a trial can be taken back."""

    def __init__(self) -> None:
        self._trail: list[TypeVar] = []
        self._trials = 0
        self._numbers = count()
        self.place: tuple[Span, bool] | None = None  # the expression that is being converted: see TypeVar

    def fresh(self, *, from_none: bool = False, origin: Span | None = None) -> TypeVar:
        """A new unsolved variable."""
        return TypeVar(None, from_none, origin, next(self._numbers))

    def bind(self, var: TypeVar, type_: Type) -> None:
        """Solves `var`."""
        var.ref = type_
        var.place = self.place
        if self._trials:
            self._trail.append(var)

    def begin(self) -> int:
        """Starts a trial; the answer is for `rollback` or `commit`."""
        self._trials += 1
        return len(self._trail)

    def rollback(self, mark: int) -> None:
        """Ends a trial and takes its solutions back."""
        self._trials -= 1
        while len(self._trail) > mark:
            self._trail.pop().ref = None

    def commit(self, mark: int) -> None:
        """Ends a trial and keeps its solutions (still undoable by an outer trial)."""
        self._trials -= 1
        if not self._trials:
            self._trail.clear()

    def unify(self, a: Type, b: Type) -> bool:
        """Makes the two types equal by solving variables; False when that cannot be (solutions may be half made)."""
        a = prune(a)
        b = prune(b)
        if a is b:
            return True
        kind_a, kind_b = type(a), type(b)
        if kind_a is TypeVar:
            return self._solve(a, b)  # type: ignore[arg-type]  # tested by exact type
        if kind_b is TypeVar:
            return self._solve(b, a)  # type: ignore[arg-type]
        if kind_a is model.ErrorType or kind_b is model.ErrorType:
            return True
        if kind_a is not kind_b:
            return False
        return self._unify_same(a, b)

    def _unify_same(self, a: Type, b: Type) -> bool:
        if isinstance(a, model.PrimType):
            return a == b
        if isinstance(a, model.RecordType):
            return self._unify_records(a, b)  # type: ignore[arg-type]  # same class
        if isinstance(a, (model.StructType, model.UnionType, model.EnumType)):
            if a.decl is not b.decl:  # type: ignore[attr-defined]
                return False
        elif isinstance(a, model.BoxType):
            if a.trait is not b.trait:  # type: ignore[attr-defined]
                return False
        elif isinstance(a, model.TypeParam):
            return a == b
        parts_a, parts_b = children(a), children(b)
        if len(parts_a) != len(parts_b):
            return False
        return all(self.unify(x, y) for x, y in zip(parts_a, parts_b, strict=False))

    def _unify_records(self, a: model.RecordType, b: model.RecordType) -> bool:
        fields = dict(b.fields)
        if len(fields) != len(a.fields):
            return False
        return all(name in fields and self.unify(t, fields[name]) for name, t in a.fields)

    def _solve(self, var: TypeVar, other: Type) -> bool:
        if type(other) is TypeVar:
            # The younger stands for the older: a function's own variables get their defaults when it ends, and must not
            # take those of its caller with them. A variable that began as NONE keeps that property.
            older, younger = (var, other) if var.age < other.age else (other, var)
            if younger.from_none and not older.from_none:
                older, younger = younger, older
            if younger.default is not model.ANY:
                older.default = younger.default
            self.bind(younger, older)
            return True
        if type(other) is model.ErrorType:
            return True  # a mistake decides nothing
        if contains(other, lambda t: t is var):
            return False
        if var.from_none:
            other = nullable_of(other)
        self.bind(var, other)
        return True
