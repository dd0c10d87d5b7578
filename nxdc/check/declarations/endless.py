"""Types of which no value can ever be made: `TYPE NODE { VALUE: int, NEXT: NODE }`.

A struct or record needs a value of each of its fields before it, a union those of one of its variants; lists, maps,
channels, functions and all the rest can be had without a value of the types in them. So the types that have values are
the least set with that property (the usual least fixpoint), and each other type has a cycle to blame. The cycle is
reported once, at its first declaration, and cut there; types that only hold one of it say nothing.

`check_growing` has gone before: the instances that a type leads to are finitely many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import NominalDecl, Type
from nxdc.types.show import show

if TYPE_CHECKING:
    from nxdc.check.checker import Checker
    from nxdc.check.declarations.symbols import TypeSymbol


class Part(Record):
    """What a value of a type must hold: `index` of the field or variant, `position` of the value in the variant."""

    type: Type
    index: int
    position: int = 0


class Link(Record):
    """A type without values, and a part that it lacks for the same reason."""

    type: Type
    part: Part


def check_endless(checker: Checker, symbols: list[TypeSymbol]) -> None:
    """Reports the declared types that no value can have."""
    nodes = {s.decl: s.node for s in symbols if s.decl is not None and isinstance(s.node, ast.TypeDecl)}
    decls = [decl for decl in nodes if decl.kind in ("struct", "union")]
    while True:
        needs = _Needs([_itself(decl) for decl in decls])
        lacking = [decl for decl in decls if not needs.has_values(_itself(decl))]
        if not lacking:
            return
        cycle = _first_cycle(needs, lacking)
        _report(checker, cycle, nodes)
        _cut(needs, cycle[0].type)


def _first_cycle(needs: _Needs, lacking: list[NominalDecl]) -> list[Link]:
    """A cycle through a type as it is declared, if there is one, beginning with the earliest declaration in it."""
    for decl in lacking:
        cycle = needs.cycle(_itself(decl))
        if any(link.type == _itself(decl) for link in cycle):
            break
    else:
        cycle = needs.cycle(_itself(lacking[0]))
    places = [lacking.index(d) if (d := _decl_of(link.type)) in lacking else len(lacking) for link in cycle]
    first = places.index(min(places))
    return cycle[first:] + cycle[:first]


def _itself(decl: NominalDecl) -> Type:
    """A declared type as its own declaration sees it."""
    params = tuple(model.TypeParam(p) for p in decl.params)
    return model.StructType(decl, params) if decl.kind == "struct" else model.UnionType(decl, params)


def _choices(type_: Type) -> list[list[Part]] | None:
    """The ways to make a value: what each needs first. None when it takes nothing of the program's types."""
    if isinstance(type_, (model.StructType, model.RecordType)):
        return [[Part(t, i) for i, (_, t) in enumerate(model.struct_fields(type_))]]
    if isinstance(type_, model.UnionType):
        variants = model.union_variants(type_)
        return [[Part(t, i, j) for j, t in enumerate(payload)] for i, (_, payload) in enumerate(variants)] or None
    return None


class _Needs:
    """Which types have values. Found from the types outwards: each type is looked at when one that it needs has got
    some.
    """

    def __init__(self, types: list[Type]) -> None:
        self.choices: dict[Type, list[list[Part]]] = {}
        self.users: dict[Type, list[Type]] = {}
        self.made: set[Type] = set()
        work = list(types)
        while work:
            type_ = work.pop()
            choices = _choices(type_)
            if choices is None or type_ in self.choices:
                continue
            self.choices[type_] = choices
            for part in (part for choice in choices for part in choice):
                self.users.setdefault(part.type, []).append(type_)
                work.append(part.type)
        for type_ in self.choices:
            if self._can_be_made(type_):
                self.settle(type_)

    def has_values(self, type_: Type) -> bool:
        return type_ in self.made or type_ not in self.choices

    def _can_be_made(self, type_: Type) -> bool:
        return any(all(self.has_values(part.type) for part in choice) for choice in self.choices[type_])

    def settle(self, type_: Type) -> None:
        """A type has values, and so have those that lacked only these."""
        work = [type_]
        while work:
            type_ = work.pop()
            if type_ not in self.made:
                self.made.add(type_)
                work += [user for user in self.users.get(type_, ()) if self._can_be_made(user)]

    def missing(self, type_: Type) -> list[Part]:
        """What a type without values lacks."""
        return [part for choice in self.choices[type_] for part in choice if not self.has_values(part.type)]

    def cycle(self, type_: Type) -> list[Link]:
        """The cycle to which what a type lacks leads."""
        way: list[Link] = []
        at: dict[Type, int] = {}
        while type_ not in at:
            at[type_] = len(way)
            way.append(Link(type_, self.missing(type_)[0]))
            type_ = way[-1].part.type
        return way[at[type_] :]


def _decl_of(type_: Type) -> NominalDecl | None:
    return type_.decl if isinstance(type_, (model.StructType, model.UnionType)) else None


def _report(checker: Checker, cycle: list[Link], nodes: dict[NominalDecl, ast.TypeDecl]) -> None:
    links = [link for link in cycle if _decl_of(link.type) is not None]  # a record stands in the declaration around it
    names = [show(link.type) for link in links]
    also: list[tuple[Span, str]] = []
    for link, one, other in zip(links, names, names[1:] + names[:1], strict=True):
        also.append((_written(nodes, link.type, link.part).span, f"`{one}` needs `{other}` here"))
    first = _decl_of(links[0].type)
    assert first is not None and first.span is not None
    others = [f"`{name}`" for name in names[1:] + names[:1]]
    chain = ", which needs ".join(others) if len(names) > 1 else f"another {others[0]} first"
    written = _written(nodes, links[0].type, links[0].part)
    helps = [f"`OPTION<{written.span.text}>` and `LIST<{written.span.text}>` can be empty: they need nothing first"]
    if any(isinstance(link.type, model.UnionType) for link in links):
        helps.append(f"or there must be a variant that needs no `{names[0]}`")
    text = f"OPTION<{written.span.text}>"
    fixes = [Fix(f"write `{text}`", (Edit(written.span, text),), LIKELY)]
    checker.report(codes.S3002, "endless", first.span, name=first.name, chain=chain,
                   also=also, helps=helps, fixes=fixes)  # fmt: skip


def _written(nodes: dict[NominalDecl, ast.TypeDecl], type_: Type, part: Part) -> ast.TypeExpr:
    decl = _decl_of(type_)
    assert decl is not None
    body = nodes[decl].body
    if isinstance(body, ast.UnionBody):
        return body.variants[part.index].payload[part.position]
    assert isinstance(body, ast.StructBody)
    name = decl.fields[part.index][0]
    return next(field.type for field in body.fields if field.name.text == name)


def _cut(needs: _Needs, type_: Type) -> None:
    """Takes what can never be had out of a declaration, so that nothing else is said about it."""
    decl = _decl_of(type_)
    assert decl is not None
    for part in needs.missing(type_):
        name, held = (decl.fields if decl.kind == "struct" else decl.variants)[part.index]
        if decl.kind == "struct":
            decl.fields[part.index] = (name, model.ERROR)
        elif isinstance(held, tuple):
            rest = held[: part.position], held[part.position + 1 :]
            decl.variants[part.index] = (name, (*rest[0], model.ERROR, *rest[1]))
