"""Generic types that need ever larger instances: `TYPE N<T> UNION { ONE(T), MORE(N<LIST<T>>) }`.

Every instance of a type is compiled on its own, so the instances that a type needs must be finitely many. They are not
exactly when, in the graph of type parameters with an edge from P to the parameter that a written argument containing
P stands for, a cycle has an edge on which P stands inside another type (the criterion of ECMA-335, II.9.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.diagnostics import codes
from nxdc.source.record import Record
from nxdc.types import model
from nxdc.types.model import NominalDecl, Type
from nxdc.types.show import show
from nxdc.types.unify import children, contains

if TYPE_CHECKING:
    from nxdc.check.checker import Checker

Param = tuple[NominalDecl, str]


class Use(Record):
    """A parameter of a declared type as (part of) an argument of a type that the declaration names."""

    source: Param
    target: Param
    grows: bool
    type: Type


def check_growing(checker: Checker, decls: list[NominalDecl]) -> None:
    """Reports the generic types among `decls` that need instances without end."""
    uses = [use for decl in decls if decl.params for use in _uses(decl, _held(checker, decl))]
    onward: dict[Param, list[Use]] = {}
    for use in uses:
        onward.setdefault(use.source, []).append(use)
    reported: set[NominalDecl] = set()
    for use in uses:
        decl = use.source[0]
        if use.grows and decl not in reported and decl.span is not None and _reaches(onward, use.target, use.source):
            reported.add(decl)
            checker.report(codes.S3002, "growing", decl.span, name=decl.name, type=show(use.type))
            _cut(checker, decl)


def _held(checker: Checker, decl: NominalDecl) -> list[Type]:
    """The types that values of a declared type hold; of a trait those of its methods, which a box holds."""
    if decl.kind == "trait":
        methods = checker.trait_methods.get(decl, [])
        return [t for m in methods for t in (*m.params, m.result) if t is not None]
    return [t for _, t in decl.fields] + [t for _, payload in decl.variants for t in payload]


def _uses(decl: NominalDecl, held: list[Type]) -> list[Use]:
    found: list[Use] = []
    work = list(held)
    while work:
        type_ = work.pop()
        work.extend(children(type_))
        if isinstance(type_, (model.StructType, model.UnionType, model.BoxType)):
            named = type_.trait if isinstance(type_, model.BoxType) else type_.decl
            for argument, name in zip(type_.args, named.params, strict=False):
                grows = not isinstance(argument, model.TypeParam)
                found += [Use((decl, own), (named, name), grows, type_) for own in decl.params if _names(argument, own)]
    return found


def _names(type_: Type, param: str) -> bool:
    return contains(type_, lambda t: isinstance(t, model.TypeParam) and t.name == param)


def _reaches(onward: dict[Param, list[Use]], start: Param, goal: Param) -> bool:
    seen: set[Param] = set()
    work = [start]
    while work:
        param = work.pop()
        if param == goal:
            return True
        if param not in seen:
            seen.add(param)
            work += [use.target for use in onward.get(param, ())]
    return False


def _cut(checker: Checker, decl: NominalDecl) -> None:
    """Takes the types away that would be instantiated for ever."""
    methods = checker.trait_methods.get(decl, [])
    for i, m in enumerate(methods):
        params = tuple(None if p is None else model.ERROR for p in m.params)
        methods[i] = type(m)(m.name, m.node, params, model.ERROR)
    decl.fields = [(name, model.ERROR) for name, _ in decl.fields]
    decl.variants = [(name, tuple(model.ERROR for _ in payload)) for name, payload in decl.variants]
