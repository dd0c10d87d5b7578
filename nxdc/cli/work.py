"""Runs a compile: on a stack deep enough for any program, with progress on a terminal.

The recursive parts of the compiler go as deep as the program is nested. A thread of its own gets a stack of
half a gigabyte (of address space; only what is touched costs memory) and Python's recursion limit is raised to
fit, so that a program nested ten thousand deep compiles. The main thread waits, so that Control-C works, and
draws the progress line.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from nxdc.cli.console import Progress
from nxdc.problem import Problem

T = TypeVar("T")
_STACKS = (512 << 20, 128 << 20, 32 << 20)
_BYTES_PER_FRAME = 4096  # of C stack for a Python call that goes through C, generously
_PATIENCE = 1.0  # seconds before progress is shown
_FAREWELL = 1.0  # seconds that an interrupted compile gets to take its temporary files away


def run_deep(work: Callable[[], T], progress: Progress) -> T:
    """The result of `work`, or its exception, from a thread with a deep stack."""
    results: list[T] = []
    failures: list[BaseException] = []
    finished = threading.Event()  # not Thread.join: after an interrupt that takes the thread for ended

    def body() -> None:
        try:
            results.append(work())
        except RecursionError:
            failures.append(Problem("the program is nested too deeply for the compiler"))
        except MemoryError:
            failures.append(Problem("the machine has not enough memory to compile this program"))
        except BaseException as error:
            failures.append(error)
        finally:
            finished.set()

    _start(body)
    _wait(finished, progress)
    if failures:
        raise failures[0]
    return results[0]


def _start(body: Callable[[], None]) -> None:
    """Start a thread with the largest stack the machine grants."""
    for size in _STACKS:
        try:
            previous = threading.stack_size(size)
            sys.setrecursionlimit(max(sys.getrecursionlimit(), size // _BYTES_PER_FRAME))
            threading.Thread(target=body, name="nxdc", daemon=True).start()
            threading.stack_size(previous)
            return
        except (RuntimeError, ValueError, MemoryError):
            threading.stack_size(0)
    threading.Thread(target=body, name="nxdc", daemon=True).start()


def _wait(finished: threading.Event, progress: Progress) -> None:
    begin = time.monotonic()
    try:
        finished.wait(_PATIENCE if progress.enabled else None)
        while not finished.wait(0.2):
            progress.draw(time.monotonic() - begin)
    except KeyboardInterrupt:
        finished.wait(_FAREWELL)
        raise
    finally:
        progress.clear()
