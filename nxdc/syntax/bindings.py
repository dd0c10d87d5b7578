"""Where names get their first value: which `NAME := VALUE` and `NAME = VALUE` make a variable."""

from __future__ import annotations

from collections.abc import Iterable

from nxdc.diagnostics.near import nearest
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Line

_BEFORE_NAMES = frozenset(("LET", "CONST", "VAR", "VAL", "MUT", "CATCH"))
_FUNCTIONS = frozenset(("FUNC", "DEF", "FUNCTION", "FUN", "FN"))
_LOOP_ENDS, _CASE_ENDS = frozenset(("IN", "FROM", "=", ":")), frozenset((":", "FROM", "WHEN", "IF"))
_HEADS = {
    **dict.fromkeys(_FUNCTIONS, frozenset((")",))), "LOOP": _LOOP_ENDS, "FOR": _LOOP_ENDS, "CASE": _CASE_ENDS,
}  # fmt: skip


def new_names(scan: Scanner, lines: list[Line]) -> dict[int, bool]:
    """The `:=` and `=` that make a variable, by the raw index of the symbol. True: there is no doubt; False: it stands
    in an inner block, and another one for the same name outside of it, or it is an `=`, which may also be a slip. An
    `=` makes none behind a name much like a known one, and where the name may be that of another module."""
    found: dict[int, bool] = {}
    imports = any(scan.texts[line.first].upper() in ("IMPORT", "FROM") for line in lines)
    outside = _bound(scan, (line for line in lines if not line.indent and not _is_function(scan, line)))
    for region in _regions(scan, lines):
        known = outside | _bound(scan, region)
        made: dict[str, list[tuple[int, int]]] = {}
        for line in region:
            first = line.first
            is_new = scan.symbol(first + 1, line.last) == "=" or scan.texts[first + 1 : first + 3] == [":", "="]
            if is_new and scan.word(first, line.last) and line.last > first + 2:
                made.setdefault(scan.texts[first].upper(), []).append((len(line.indent), first + 1))
        for name, places in made.items():
            width, at = places[0]
            sure = scan.texts[at] != "="
            if name in known or (not sure and (imports or nearest(name, known))):
                continue
            if all(width <= other for other, _ in places):
                found[at] = sure
            else:
                found.update((at, False) for _, at in places)
    return found


def _is_function(scan: Scanner, line: Line) -> bool:
    return any(scan.texts[i].upper() in _FUNCTIONS for i in range(line.first, min(line.first + 3, line.last)))


def _regions(scan: Scanner, lines: list[Line]) -> list[list[Line]]:
    """The lines of each function, and those of the module."""
    regions: list[list[Line]] = [[]]
    current = regions[0]
    for line in lines:
        if not line.indent:
            current = regions[0]
            if _is_function(scan, line):
                current = []
                regions.append(current)
        current.append(line)
    return regions


def _bound(scan: Scanner, lines: Iterable[Line]) -> set[str]:
    """The names, in capitals, that lines bind by other words than `:=`."""
    found: set[str] = set()
    for line in lines:
        ends: frozenset[str] = frozenset()  # of the head being read, whose words are new names
        for i in range(line.first, line.last):
            word = scan.texts[i].upper()
            if word in ends:
                ends = frozenset()
            elif scan.kinds[i] == "WORD" and (ends or (i > line.first and scan.texts[i - 1].upper() in _BEFORE_NAMES)):
                found.add(word)
            ends = _HEADS.get(word, ends)
    return found
