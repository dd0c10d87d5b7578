"""The types of generated programs, and the declarations they come from.

A type is its own spelling in NXD, so that it can be written down and compared; what it is made of is looked up here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

SCALARS = ("int", "float", "string", "bool")
KEYS = ("int", "string")


def list_of(element: str) -> str:
    return f"LIST<{element}>"


def map_of(key: str, value: str) -> str:
    return f"MAP<{key}, {value}>"


def option_of(payload: str) -> str:
    return f"OPTION<{payload}>"


def result_of(payload: str) -> str:
    return f"RESULT<{payload}, string>"


def arguments(type_: str) -> list[str]:
    """What stands between the outer angle brackets: `MAP<int, LIST<int>>` gives int and LIST<int>."""
    inner = type_[type_.index("<") + 1 : -1]
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(inner):
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            parts.append(inner[start:at].strip())
            start = at + 1
    return [*parts, inner[start:].strip()]


@dataclass
class World:
    """The types a program declares."""

    structs: dict[str, dict[str, str]] = field(default_factory=dict)  # name: field: type
    unions: dict[str, dict[str, list[str]]] = field(default_factory=dict)  # name: variant: payload types
    enums: dict[str, list[str]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        lines = []
        for name, members in self.enums.items():
            lines.append(f"TYPE {name} ENUM {{ {', '.join(members)} }}")
        for name, fields in self.structs.items():
            lines.append(f"TYPE {name} {{ {', '.join(f'{key}: {kind}' for key, kind in fields.items())} }}")
        for name, variants in self.unions.items():
            written = [f"{key}({', '.join(payload)})" if payload else key for key, payload in variants.items()]
            lines.append(f"TYPE {name} UNION {{ {', '.join(written)} }}")
        return lines

    def kind(self, type_: str) -> str:
        """`int`, `LIST`, `struct` ...: what decides how values of the type are made and used."""
        if type_ in self.structs:
            return "struct"
        if type_ in self.unions:
            return "union"
        if type_ in self.enums:
            return "enum"
        return type_.split("<")[0]


def make_world(random: Random) -> World:
    """A few declarations, later ones built on earlier ones."""
    world = World()
    for number in range(random.randint(1, 2)):
        world.enums[f"ENUM{number}"] = [f"E{number}_{letter}" for letter in "ABCD"[: random.randint(2, 4)]]
    for number in range(random.randint(1, 3)):
        fields = {f"F{n}": member_type(random, world) for n in range(random.randint(1, 4))}
        world.structs[f"STRUCT{number}"] = fields
    for number in range(random.randint(1, 2)):
        world.unions[f"UNION{number}"] = {
            f"U{number}_{letter}": [member_type(random, world) for _ in range(random.choice((0, 1, 1, 2)))]
            for letter in "ABCD"[: random.randint(2, 4)]
        }
    return world


def member_type(random: Random, world: World) -> str:
    """A type for a field, a payload or an element: never recursive, so values are finite and can be printed."""
    named = [*world.structs, *world.unions, *world.enums]
    choice = random.random()
    if choice < 0.6 or (choice >= 0.85 and not named):
        return random.choice(SCALARS)
    if choice < 0.7:
        return list_of(random.choice(SCALARS))
    if choice < 0.78:
        return map_of(random.choice(KEYS), random.choice(SCALARS))
    if choice < 0.85:
        return option_of(random.choice(SCALARS))
    return random.choice(named)


def any_type(random: Random, world: World) -> str:
    """A type for a variable."""
    choice = random.random()
    if choice < 0.45:
        return random.choice(SCALARS)
    if choice < 0.6:
        return member_type(random, world)
    if choice < 0.75:
        return list_of(member_type(random, world))
    if choice < 0.85:
        return map_of(random.choice(KEYS), member_type(random, world))
    if choice < 0.91:
        return option_of(member_type(random, world))
    return "any" if choice < 0.96 else result_of(member_type(random, world))
