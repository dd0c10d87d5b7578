"""Diagnostics about a type that an earlier use has decided: `LET L SET []`, `PUSH L, 1`, `PUSH L, 2.5`.

A solved variable knows the expression it was solved with (`TypeVar.place`) and what it was made for (`origin`: the
literal, the parameter). A mismatch with such a type names both.
"""

from __future__ import annotations

from collections.abc import Iterator

from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import ANY, FLOAT, INT, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import children, prune


def _variables(type_: Type) -> Iterator[TypeVar]:
    """The variables that a type has been, up to what it is."""
    while isinstance(type_, TypeVar):
        yield type_
        if type_.ref is None:
            return
        type_ = type_.ref


def decided_at(type_: Type) -> tuple[Span, bool] | None:
    """The expression that an inferred type was taken from, and whether it is the type of all of it."""
    places = [var.place for var in _variables(type_)]
    return places[-1] if places else None  # the others only made one undecided type another


def _made_for(type_: Type) -> Span | None:
    return next((var.origin for var in _variables(type_) if var.origin is not None), None)


def way_out(want: Type, have: Type, container: Type | None) -> tuple[str, list[Fix]]:
    """What to write so that a value of `have` fits where `want` was inferred, for the elements of `container` or a
    parameter; "" when nothing is known about it.
    """
    target, origin = prune(want), _made_for(want)
    wider = show(FLOAT if {target, have} == {INT, FLOAT} else ANY)
    literal = origin.text if origin is not None and origin.text[0] in "[{" and "\n" not in origin.text else ""
    if isinstance(container, model.ListType):
        kind, type_, literal = "list", f"LIST<{wider}>", literal or "[]"
    elif isinstance(container, model.MapType) and want is container.value:
        kind, type_, literal = "map", f"MAP<{show(container.key)}, {wider}>", literal or "{}"
    elif origin is not None and origin.text.isidentifier():
        return f"the parameter has one type: write it, `{origin.text}: {wider}`", []
    else:
        return "", []
    text = f"{type_} {literal}"
    fixes = []
    if origin is not None and origin.text == literal:
        fixes.append(Fix(f"write `{text}`", (Edit(origin.at_start(), f"{type_} "),), LIKELY))
    return f"write the type where the {kind} is made: `{text}`", fixes


def carry_places(old: Type, new: Type) -> None:
    """Gives the variables of a further round of a check the places of those that stood for the same before."""
    while isinstance(old, TypeVar) and old.ref is not None:
        if old.place is not None and isinstance(new, TypeVar) and new.ref is not None and new.place is None:
            new.place = old.place
        old = old.ref
    old_parts, new_parts = children(prune(old)), children(prune(new))
    for one, other in zip(old_parts, new_parts, strict=False):
        carry_places(one, other)
