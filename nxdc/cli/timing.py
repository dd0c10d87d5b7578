"""The table of `--time`."""

from __future__ import annotations

import sys
import time


def show_times(times: list[tuple[str, float]], total_since: float) -> None:
    """Print milliseconds by stage. "start" is Python and the command line: what the CPU clock had when we began."""
    rows = [("start", _start_cost()), *times]
    total = (time.perf_counter() - total_since) * 1e3 + rows[0][1]
    rows.append(("total", total))
    width = max(len(name) for name, _ in rows)
    for name, spent in rows:
        share = spent / total * 100
        print(f"{name:<{width}}  {spent:9.1f} ms  {share:5.1f} %", file=sys.stderr)


_cpu_at_import = time.process_time()


def _start_cost() -> float:
    """Milliseconds of CPU from the start of the process until this command began."""
    return _cpu_at_import * 1e3
