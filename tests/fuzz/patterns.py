"""Random patterns, and MATCHES.

A pattern comes with the names it binds and their types.
"""

from __future__ import annotations

import re

from tests.fuzz.scalars import TEXTS
from tests.fuzz.types import arguments, list_of, option_of, result_of
from tests.fuzz.values import Values

Bound = list[tuple[str, str]]


class Patterns(Values):
    """Patterns by type."""

    def pattern(self, type_: str, depth: int = 2) -> tuple[str, Bound]:
        """A pattern for a value of the type, which may fit or not."""
        kind = self.world.kind(type_)
        maker = getattr(self, f"pattern_{kind}", None)
        if maker is None or depth <= 0 or self.choose.chance(25):
            return self.whole(type_)
        text, bound = maker(type_, depth - 1)
        return text, bound

    def whole(self, type_: str) -> tuple[str, Bound]:
        """A name for the value, or none."""
        if self.choose.chance(25):
            return "_", []
        name = self.fresh("P")
        return name, [(name, type_)]

    def several(self, types: list[str], depth: int) -> tuple[list[str], Bound]:
        made = [self.pattern(type_, depth) for type_ in types]
        return [text for text, _ in made], [one for _, bound in made for one in bound]

    def pattern_int(self, _type: str, _depth: int) -> tuple[str, Bound]:
        low = self.choose.of((0, 1, 2, 5))
        return self.choose.of((str(low), f"{low} TO {low + self.choose.of((1, 9, 4000))}", f"SUB {low} TO {low}")), []

    def pattern_string(self, _type: str, _depth: int) -> tuple[str, Bound]:
        return self.choose.of(TEXTS), []

    def pattern_bool(self, _type: str, _depth: int) -> tuple[str, Bound]:
        return self.choose.of(("true", "false")), []

    def pattern_enum(self, type_: str, _depth: int) -> tuple[str, Bound]:
        return self.choose.of(self.world.enums[type_]), []

    def pattern_union(self, type_: str, depth: int) -> tuple[str, Bound]:
        name, payload = self.choose.of(list(self.world.variants(type_).items()))
        return self.applied(name, payload, depth)

    def applied(self, variant: str, payload: list[str], depth: int) -> tuple[str, Bound]:
        texts, bound = self.several(payload, depth)
        return f"{variant}({', '.join(texts)})" if texts else variant, bound

    def pattern_struct(self, type_: str, depth: int) -> tuple[str, Bound]:
        fields = self.world.fields(type_)
        wanted = self.choose.shuffled(list(fields))[: self.choose.between(1, len(fields))]
        texts, bound = self.several([fields[name] for name in wanted], depth)
        inner = ", ".join(f"{name}: {text}" for name, text in zip(wanted, texts, strict=True))
        return f"{type_.split('<')[0]} {{ {inner} }}", bound

    def pattern_OPTION(self, type_: str, depth: int) -> tuple[str, Bound]:
        return ("NONE", []) if self.choose.chance(30) else self.applied("SOME", arguments(type_), depth)

    def pattern_RESULT(self, type_: str, depth: int) -> tuple[str, Bound]:
        good, bad = arguments(type_)
        name, payload = self.choose.of((("OK", good), ("ERR", bad)))
        return self.applied(name, [payload], depth)

    def pattern_LIST(self, type_: str, depth: int) -> tuple[str, Bound]:
        element = arguments(type_)[0]
        texts, bound = self.several([element] * self.choose.between(0, 2), depth)
        if texts and self.choose.chance(50):
            rest = self.fresh("P")
            texts.append(f"{rest}...")
            bound.append((rest, type_))
        return f"[{', '.join(texts)}]", bound

    def pattern_any(self, _type: str, depth: int) -> tuple[str, Bound]:
        """The names in a variant or a list that an any holds are of type any, those of a struct have their types."""
        choose, world = self.choose, self.world
        kind = choose.below(6)
        if kind < 2:
            return self.pattern(choose.of(("int", "string", "bool")), 1)
        if kind == 2 and world.named("struct"):
            return self.pattern_struct(choose.of(world.named("struct")), depth)
        if kind == 3 and world.named("union"):
            name, payload = choose.of(list(world.variants(choose.of(world.named("union"))).items()))
            return self.applied(name, ["any"] * len(payload), depth)
        if kind == 4:
            return self.pattern_enum(choose.of(world.named("enum")), depth)
        texts, bound = self.several(["any"] * choose.between(0, 2), 0)
        return f"[{', '.join(texts)}]", bound

    def matches(self, depth: int) -> str:
        """A test by a pattern, in which names would be of no use."""
        choose = self.choose
        type_ = choose.of(("int", "string", "LIST<int>", option_of(self.scalar()), result_of("int"), self.any_type()))
        if self.world.kind(type_) in ("function", "BOX"):
            type_ = list_of("int")
        text, bound = self.pattern(type_)
        for name, _ in bound:
            text = re.sub(rf"\b{name}\b", "_", text)
        return f"({self.make(type_, depth)} MATCHES {text})"
