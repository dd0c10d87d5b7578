"""The types of generated programs, and the declarations they come from.

A type is its own spelling in NXD, so that it can be written down and compared; what it is made of is looked up here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.fuzz.choices import Choices

SCALARS = ("int", "string", "bool", "float")
ORDERED = ("int", "string", "float")


def list_of(element: str) -> str:
    return f"LIST<{element}>"


def map_of(key: str, value: str) -> str:
    return f"MAP<{key}, {value}>"


def option_of(payload: str) -> str:
    return f"OPTION<{payload}>"


def result_of(payload: str) -> str:
    return f"RESULT<{payload}, string>"


def record_of(fields: dict[str, str]) -> str:
    return f"{{ {_fields(fields)} }}"


def function_to(result: str) -> str:
    """All function values take an int."""
    return f"fn(int): {result}"


def _fields(fields: dict[str, str]) -> str:
    return ", ".join(f"{name}: {kind}" for name, kind in fields.items())


def split(text: str) -> list[str]:
    """The parts between the commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<{(") - (letter in ">})")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def arguments(type_: str) -> list[str]:
    """What stands between the outer angle brackets: `MAP<int, LIST<int>>` gives int and LIST<int>."""
    return split(type_[type_.index("<") + 1 : -1])


def _filled(parameters: list[str], type_: str, text: str) -> str:
    """A member's type in an instance of a generic type: `LIST<A>` in `PAIR<int, string>` is `LIST<int>`."""
    values = dict(zip(parameters, arguments(type_), strict=True))
    return re.sub(r"\b[A-Z]\b", lambda found: values.get(found[0], found[0]), text)


@dataclass
class Declaration:
    """A struct (members are fields) or a union (members are variants with payloads)."""

    parameters: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    variants: dict[str, list[str]] = field(default_factory=dict)
    recursive: bool = False
    traits: list[str] = field(default_factory=list)


@dataclass
class World:
    """The types a program declares."""

    declared: dict[str, Declaration] = field(default_factory=dict)
    enums: dict[str, list[str]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)  # a type: another name for it

    def kind(self, type_: str) -> str:
        """`int`, `LIST`, `struct` ...: what decides how values of the type are made and used."""
        name = type_.split("<")[0]
        if name in self.declared:
            return "struct" if self.declared[name].fields else "union"
        if type_ in self.enums:
            return "enum"
        if type_.startswith("{"):
            return "record"
        return "function" if type_.startswith("fn(") else name

    def is_recursive(self, type_: str) -> bool:
        return type_ in self.declared and self.declared[type_].recursive

    def fields(self, type_: str) -> dict[str, str]:
        """The fields of a struct or a record; none of another type."""
        if type_.startswith("{"):
            pairs = [part.partition(": ") for part in split(type_[1:-1].strip())]
            return {name: kind for name, _, kind in pairs}
        found = self.declared.get(type_.split("<")[0])
        if found is None or not found.parameters:
            return found.fields if found else {}
        return {name: _filled(found.parameters, type_, kind) for name, kind in found.fields.items()}

    def variants(self, type_: str) -> dict[str, list[str]]:
        found = self.declared[type_.split("<")[0]]
        if not found.parameters:
            return found.variants
        return {
            name: [_filled(found.parameters, type_, kind) for kind in payload]
            for name, payload in found.variants.items()
        }

    def named(self, kind: str = "") -> list[str]:
        """Declared types that are neither generic nor recursive."""
        names = [name for name, made in self.declared.items() if not made.parameters and not made.recursive]
        names += self.enums
        return [name for name in names if kind in ("", self.kind(name))]

    def recursive(self) -> list[str]:
        return [name for name, made in self.declared.items() if made.recursive]

    def with_trait(self, trait: str) -> list[str]:
        return [name for name, made in self.declared.items() if trait in made.traits]

    def lines(self, traits_in_header: set[str]) -> list[str]:
        lines = [f"TYPE {name} ENUM {{ {', '.join(members)} }}" for name, members in self.enums.items()]
        for name, made in self.declared.items():
            traits = f" IMPLEMENTS {', '.join(made.traits)}" if name in traits_in_header and made.traits else ""
            parameters = f"<{', '.join(made.parameters)}>" if made.parameters else ""
            head = f"TYPE {name}{parameters}"
            if made.fields:
                lines.append(f"{head}{traits} {{ {_fields(made.fields)} }}")
            else:
                parts = [f"{key}({', '.join(payload)})" if payload else key for key, payload in made.variants.items()]
                lines.append(f"{head} UNION {{ {', '.join(parts)} }}")
        return lines + [f"TYPE {name} {type_}" for type_, name in self.aliases.items()]

    def names(self) -> list[str]:
        """Every name that the declarations make visible: types and variants."""
        names = [*self.enums, *self.declared, *self.aliases.values()]
        for members in self.enums.values():
            names += members
        for made in self.declared.values():
            names += made.variants
        return names


class TypeChoices:
    """Makes the declarations of a program and chooses types."""

    def __init__(self, choose: Choices) -> None:
        self.choose = choose
        self.world = World()
        self._declare()

    # ---- declarations -----------------------------------------------------------------------------------------------

    def _declare(self) -> None:
        """A few declarations, later ones built on earlier ones."""
        choose, world = self.choose, self.world
        for number in range(choose.between(1, 2)):
            world.enums[f"ENUM{number}"] = [f"E{number}_{letter}" for letter in "ABCD"[: choose.between(2, 4)]]
        for number in range(choose.between(1, 3)):
            fields = {f"F{n}": self.member() for n in range(choose.between(1, 4))}
            world.declared[f"STRUCT{number}"] = Declaration(fields=fields)
        for number in range(choose.between(1, 2)):
            self._union(number)
        self._generic()
        self._recursive()
        for name in world.named():
            if name in world.declared and choose.chance(60):
                world.declared[name].traits = ["DESCRIBED", *choose.of(((), ("SIZED",), ("RANKED",)))]
        if choose.chance(50):
            world.aliases[choose.of(["int", list_of(self.scalar()), map_of("string", self.scalar())])] = "ALIAS0"

    def _union(self, number: int) -> None:
        variants = {
            f"U{number}_{letter}": [self.member() for _ in range(self.choose.of((0, 1, 1, 2)))]
            for letter in "ABCD"[: self.choose.between(2, 4)]
        }
        self.world.declared[f"UNION{number}"] = Declaration(variants=variants)

    def _generic(self) -> None:
        choose, declared = self.choose, self.world.declared
        inner = ("A", "B", "LIST<A>", "OPTION<B>", "int")
        declared["PAIR0"] = Declaration(["A", "B"], fields={"FST": choose.of(inner), "SND": "B", "THD": "A"})
        left = [choose.of(inner) for _ in range(choose.between(1, 2))]
        declared["EITHER0"] = Declaration(["A", "B"], variants={"LEFT0": left, "RIGHT0": ["B"], "BOTH0": ["A", "B"]})

    def _recursive(self) -> None:
        choose, declared = self.choose, self.world.declared
        declared["TREE0"] = Declaration(
            variants={"LEAF0": [], "NODE0": ["TREE0", self.member(), "TREE0"], "MANY0": ["LIST<TREE0>"]}, recursive=True
        )
        if choose.chance(60):
            declared["LINK0"] = Declaration(
                fields={"VALUE": self.member(), "NEXT": "OPTION<LINK0>", "EXTRA": "int"}, recursive=True
            )

    # ---- choice of types --------------------------------------------------------------------------------------------

    def scalar(self) -> str:
        return self.choose.of(SCALARS)

    def key(self) -> str:
        """A type for keys of a map."""
        choose, world = self.choose, self.world
        if choose.chance(65):
            return choose.of(("int", "string", "string", "bool"))
        plain = [name for name in world.declared if name in world.named() and self._is_key(name)]
        return choose.of(["int", *world.enums, *plain, "{ A: int, B: string }"])

    def _is_key(self, name: str) -> bool:
        made = self.world.declared[name]
        kinds = [*made.fields.values(), *(kind for payload in made.variants.values() for kind in payload)]
        return all(kind in ("int", "string", "bool") or kind in self.world.enums for kind in kinds)

    def member(self) -> str:
        """A type for a field, a payload or an element: never recursive, so values are finite and can be printed."""
        choose, named = self.choose, self.world.named()
        kind = choose.below(20)
        if kind < 11 or (kind > 16 and not named):
            return self.scalar()
        if kind < 13:
            return list_of(self.scalar())
        if kind == 13:
            return map_of(self.key(), self.scalar())
        if kind < 16:
            return option_of(self.scalar())
        if kind == 16:
            return record_of({name: self.scalar() for name in "AB"[: choose.between(1, 2)]})
        return choose.of(named)

    def any_type(self) -> str:
        """A type for a variable."""
        choose = self.choose
        kind = choose.below(40)
        if kind < 14:
            return self.scalar()
        if kind < 20:
            return self.member()
        if kind < 25:
            return list_of(self.member())
        if kind < 29:
            return map_of(self.key(), self.member())
        if kind < 31:
            return option_of(self.member())
        if kind < 33:
            return choose.of(("any", "any", result_of(self.member())))
        if kind < 35:
            return f"{choose.of(('PAIR0', 'EITHER0'))}<{self.scalar()}, {self.member()}>"
        if kind < 38:
            name = choose.of(self.world.recursive())
            return choose.of((name, name, name, list_of(name), option_of(name), map_of("int", name)))
        if kind == 38 and self.world.with_trait("DESCRIBED"):
            return choose.of(("BOX<DESCRIBED>", "LIST<BOX<DESCRIBED>>"))
        return choose.of((function_to(self.scalar()), function_to(self.member()), list_of(function_to("int"))))
