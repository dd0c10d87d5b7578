"""The prelude of LANGUAGE.md section 9: every row, in the order of the reference page.

`ROWS` holds all of them; `by_name` gives the overloads of one name.  Nothing here parses the signatures, so that a
command that needs only names pays for no parsing.
"""

from __future__ import annotations

from nxdc.tables.model import Prelude, PreludeUnion
from nxdc.tables.prelude import io, list, map, number, option, process, text, time

GROUPS: tuple[tuple[str, tuple[Prelude, ...]], ...] = (
    ("Text", text.ROWS),
    ("Lists", list.ROWS),
    ("Maps", map.ROWS),
    ("Options and results", option.ROWS),
    ("Numbers", number.ROWS),
    ("Time and random", time.ROWS),
    ("Input, output and system", io.ROWS),
    ("Processes", process.ROWS),
)

ROWS: tuple[Prelude, ...] = tuple(row for _, rows in GROUPS for row in rows)

UNIONS: tuple[PreludeUnion, ...] = (
    PreludeUnion("OPTION", ("T",), (("SOME", ("T",)), ("NONE", ())), ("any",)),
    PreludeUnion("RESULT", ("T", "E"), (("OK", ("T",)), ("ERR", ("E",))), ("any", "string")),
)

# Names a `<T : NAME>` constraint may use without a TRAIT declaration, and what satisfies them.
CONSTRAINTS: dict[str, tuple[str, ...]] = {
    "ORDERED": ("int", "float", "string", "bool", "enum"),
    "NUMBER": ("int", "float"),
}


def _index() -> dict[str, tuple[Prelude, ...]]:
    table: dict[str, tuple[Prelude, ...]] = {}
    for row in ROWS:
        table[row.name] = (*table.get(row.name, ()), row)
    return table


BY_NAME: dict[str, tuple[Prelude, ...]] = _index()


def by_name(name: str) -> tuple[Prelude, ...]:
    """The overloads of a prelude function, empty where there is none."""
    return BY_NAME.get(name, ())
