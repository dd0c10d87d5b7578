"""The dataflow solver: the least solution of equations over bit sets, one a block.

`transfer(block, solution)` gives a block's new set out of the sets of the blocks it depends on; it must be monotone.
`dependents[b]` are the blocks to look at again when the set of `b` has grown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence


def solve(
    order: Sequence[int], dependents: Sequence[Sequence[int]], transfer: Callable[[int, list[int]], int]
) -> list[int]:
    """The solution by block number. `order` lists all blocks to visit; a good one is that in which sets travel."""
    solution = [0] * len(dependents)
    queue = deque(order)
    waiting = [False] * len(dependents)
    for block in order:
        waiting[block] = True
    while queue:
        block = queue.popleft()
        waiting[block] = False
        new = transfer(block, solution)
        if new != solution[block]:
            solution[block] = new
            for dependent in dependents[block]:
                if not waiting[dependent]:
                    waiting[dependent] = True
                    queue.append(dependent)
    return solution
