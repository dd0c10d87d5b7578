"""Which name may have been meant."""

from __future__ import annotations

from collections.abc import Iterable

from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.source.span import Span

_TELLING = 3  # letters that a name needs to be recognised by ...
_LONG = 5  # ... when one of them may be wrong


def distance(a: str, b: str, limit: int) -> int:
    """How many letters must be changed, added, left out or swapped with their neighbour; `limit` + 1 when it is
    more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    previous = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        current = [i]
        for j, right in enumerate(b, 1):
            cost = min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return min(previous[-1], limit + 1)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one name that is clearly nearest: within a third of the length, and nearer than every other."""
    scored = _scored(name, known)
    return scored[0][1] if _leads(scored) else None


def equally_near(name: str, known: Iterable[str]) -> list[str]:
    """The two or three names that one letter tells from a longer name, where none of them is nearer: for `PRINTL` both
    `PRINT` and `PRINTLN`."""
    near = [other for score, other in _scored(name, known) if score == 1] if len(name) >= _LONG else []
    return near if 1 < len(near) <= 3 else []


def spelling_fix(name: str, known: Iterable[str], span: Span) -> Fix | None:
    """The fix that puts the nearest name in the place of a misspelt one; None when no name is clearly nearest.

    It is SAFE when one slip of the fingers explains the difference (a letter missing, too many, wrong, or swapped with
    its neighbour) and no other name is as near. Names that differ only in digits or in a final S (`X1` and `X2`,
    `ITEM` and `ITEMS`), and short ones that differ in a letter (`NUM` and `SUM`), are more often two names than one
    misspelt: LIKELY.
    """
    scored = _scored(name, known)
    if not _leads(scored):
        return None
    near = scored[0][1]
    grade = SAFE if scored[0][0] <= 1 and _is_slip(name.upper(), near.upper()) else LIKELY
    return Fix(f"write `{near}`", (Edit(span, near),), grade)


def _scored(name: str, known: Iterable[str]) -> list[tuple[int, str]]:
    """The names within a third of the length, the nearest first."""
    limit = max(1, len(name) // 3)
    folded = name.upper()
    scored: list[tuple[int, str]] = []
    for other in sorted(set(known)):
        score = distance(folded, other.upper(), limit)
        if score <= limit and other != name:
            scored.append((score, other))
    scored.sort()
    return scored


def _leads(scored: list[tuple[int, str]]) -> bool:
    return bool(scored) and (len(scored) == 1 or scored[0][0] < scored[1][0])


def _is_slip(name: str, near: str) -> bool:
    if min(len(name), len(near)) < _TELLING or _stem(name) == _stem(near):
        return False
    return len(name) != len(near) or len(name) >= _LONG or sorted(name) == sorted(near)


def _stem(name: str) -> str:
    """A name without its digits and a final S."""
    return "".join(c for c in name if not c.isdigit()).rstrip("_").removesuffix("S")
