"""Put the parts of a program together: as one module, as several in one text, or for one file a module.

A part is written as if it saw every name. How a module imports another is chosen, and the names of the other are then
spelled as that import wants it: bare, `U.NAME`, or `lib.types.NAME`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.fuzz.choices import Choices

IN_FILES = "# One file for each module."
_DECLARED = re.compile(r"(?:ASYNC )?(?:TYPE|FUNC|LET|CONST|TRAIT) (\w+)")
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|[.\w]+(?: SET(?:ADD)? )?')


@dataclass
class Part:
    """A module: the other parts it may use stand before it."""

    name: str
    lines: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)  # what its types declare besides their own names


def together(parts: list[Part], layout: str, choose: Choices) -> str:
    """The text of a program."""
    if layout == "one":
        return "".join(f"{line}\n" for part in parts for line in part.lines)
    lines = [IN_FILES] if layout == "files" else []
    for number, part in enumerate(parts):
        lines += [f"MODULE {part.name}", *_with_imports(part, parts[:number], choose)]
    return "".join(f"{line}\n" for line in lines)


def files(text: str) -> dict[str, str]:
    """The files that a text stands for, the one to start with first."""
    if not text.startswith(IN_FILES):
        return {"main.nxd": text}
    modules = [f"MODULE {part}" for part in re.split(r"^MODULE ", text, flags=re.M)[1:]]
    named = {f"{module.split()[1].replace('.', '/')}.nxd": module for module in reversed(modules)}
    return named or {"main.nxd": text}


def _with_imports(part: Part, others: list[Part], choose: Choices) -> list[str]:
    imports, lines = [], part.lines
    for number, other in enumerate(others):
        names = {found[1] for found in map(_DECLARED.match, other.lines) if found} | other.names
        used = sorted({_first_name(word) for line in lines for word in _WORD.findall(line)} & names)
        if not used:
            continue
        style = choose.below(3)
        if style == 0:
            imports.append(f"IMPORT {other.name}")
            lines = _spelled(lines, names, set(names), other.name)
        elif style == 1:
            imports.append(f"IMPORT {other.name} AS M{number}")
            lines = _spelled(lines, names, set(), f"M{number}")
        else:
            listed = choose.shuffled(used)[: choose.between(1, 4)]
            imports.append(f"IMPORT {other.name} {', '.join(listed)}")
            lines = _spelled(lines, names, set(listed), other.name)
    return imports + lines


def _first_name(word: str) -> str:
    """What `ENUM0.E0_A` and `GLOBAL1 SET ` name."""
    return word.partition(".")[0].split(" ")[0]


def _spelled(lines: list[str], names: set[str], bare: set[str], prefix: str) -> list[str]:
    """Lines in which the names of another module are qualified, where they must be: not bare, or set."""

    def spell(found: re.Match[str]) -> str:
        word, dot, rest = found[0].partition(".")
        name = _first_name(word)
        if name not in names or (name in bare and name == word):
            return found[0]
        return f"{prefix}.{word}{dot}{rest}"

    return [_WORD.sub(spell, line) for line in lines]
