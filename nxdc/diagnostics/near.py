"""Which name may have been meant."""

from __future__ import annotations

from collections.abc import Iterable


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
    limit = max(1, len(name) // 3)
    folded = name.upper()
    scored: list[tuple[int, str]] = []
    for other in sorted(set(known)):
        score = distance(folded, other.upper(), limit)
        if score <= limit and other != name:
            scored.append((score, other))
    scored.sort()
    if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return None
    return scored[0][1]
