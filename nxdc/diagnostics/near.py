"""Which name may have been meant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.source.span import Span

_TELLING = 3  # letters that a name needs to be recognised by ...
_LONG = 5  # ... when two names are as near
_MANY = 1000  # names among which ...
_FAR_AMONG_MANY = 2  # ... no more letters than these may be wrong

Scored = tuple[int, str]  # a distance and a name


def distance(a: str, b: str, limit: int) -> int:
    """How many letters must be changed, added, left out or swapped with their neighbour; `limit` + 1 when it is
    more.

    The columns of the matrix are held as the bits of integers that say where it rises and falls by one (H. Hyyro, "A
    bit-vector algorithm for computing Levenshtein and Damerau edit distances", Nordic Journal of Computing 10, 2003).
    """
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    if not a:
        return len(b)
    places = _places(a)
    full = (1 << len(a)) - 1
    last = 1 << (len(a) - 1)
    rises, falls, diagonal, here_before = full, 0, 0, 0
    score = len(a)
    for char in b:
        here = places.get(char, 0)
        swapped = ((~diagonal & here) << 1) & here_before
        diagonal = ((((here & rises) + rises) ^ rises) | here | falls | swapped) & full
        across_up = falls | ~(diagonal | rises) & full
        across_down = diagonal & rises
        score += bool(across_up & last) - bool(across_down & last)
        across_up = across_up << 1 | 1
        across_down <<= 1
        rises = (across_down | ~(diagonal | across_up)) & full
        falls = across_up & diagonal
        here_before = here
    return min(score, limit + 1)


@lru_cache(maxsize=64)
def _places(text: str) -> dict[str, int]:
    """Where each character stands, as bits."""
    places: dict[str, int] = {}
    for i, char in enumerate(text):
        places[char] = places.get(char, 0) | 1 << i
    return places


def ranked(name: str, known: Iterable[str]) -> list[Scored]:
    """The names within a third of the length, with their distances, the nearest first.

    Among very many names only one that differs in two letters at most is searched: a program with thousands of unknown
    names compares each with thousands of known ones, and the filter before `distance` must leave few.
    """
    known = set(known)
    limit = min(max(1, len(name) // 3), _FAR_AMONG_MANY if len(known) > _MANY else len(name))
    folded = name.upper()
    shortest, longest, letters = len(name) - limit, len(name) + limit, _letters(folded)
    scored = []
    for other in known:
        if shortest <= len(other) <= longest and (letters ^ _letters_of(other)).bit_count() <= 2 * limit:
            score = distance(folded, other.upper(), limit)
            if score <= limit and other != name:
                scored.append((score, other))
    return sorted(scored)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one name that is clearly nearest: within a third of the length, and nearer than every other."""
    scored = ranked(name, known)
    return scored[0][1] if _leads(scored) else None


def equally_near(name: str, scored: list[Scored]) -> list[str]:
    """The two or three names that one letter tells from a longer name, where none of them is nearer: for `PRINTL` both
    `PRINT` and `PRINTLN`. `scored` is what `ranked` gave for the name."""
    near = [other for score, other in scored if score == 1] if len(name) >= _LONG else []
    return near if 1 < len(near) <= 3 else []


def spelling_fix(name: str, scored: list[Scored], span: Span) -> Fix | None:
    """The fix that puts the nearest name in the place of a misspelt one; None when no name is clearly nearest.
    `scored` is what `ranked` gave for the name.

    It is SAFE when one slip of the fingers explains the difference (a letter missing, too many, or swapped with its
    neighbour) and no other name is as near. Names that differ only in digits or in a final S (`X1` and `X2`, `ITEM` and
    `ITEMS`), in one letter for another (`TO_X` and `TO_Y`, `INTER` and `INNER`) or in a part of two letters at most
    (`POS_X` and `POS_XY`), are more often two names than one misspelt: LIKELY.
    """
    if not _leads(scored):
        return None
    near = scored[0][1]
    grade = SAFE if scored[0][0] <= 1 and _is_slip(name.upper(), near.upper()) else LIKELY
    return Fix(f"write `{near}`", (Edit(span, near),), grade)


@lru_cache(maxsize=1 << 16)
def _letters_of(name: str) -> int:
    return _letters(name.upper())


def _letters(text: str) -> int:
    """The set of characters of a text, as bits (characters far apart may share one). One change takes a character away
    and brings another, so texts whose sets differ in n characters are at least n / 2 changes apart."""
    bits = 0
    for char in text:
        bits |= 1 << (ord(char) & 63)
    return bits


def _leads(scored: list[Scored]) -> bool:
    return bool(scored) and (len(scored) == 1 or scored[0][0] < scored[1][0])


def _is_slip(name: str, near: str) -> bool:
    if min(len(name), len(near)) < _TELLING or _stem(name) == _stem(near):
        return False
    parts, near_parts = name.split("_"), near.split("_")
    if len(parts) == len(near_parts) > 1:
        different = [part for pair in zip(parts, near_parts, strict=True) if pair[0] != pair[1] for part in pair]
        if any(len(part) < _TELLING for part in different):
            return False
    return len(name) != len(near) or sorted(name) == sorted(near)


def _stem(name: str) -> str:
    """A name without its digits and a final S."""
    return "".join(c for c in name if not c.isdigit()).rstrip("_").removesuffix("S")
