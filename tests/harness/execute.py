"""Run built programs in every mode at once and collect what they did.

A mode is a binary with a number of workers. The runs of one case start together: most programs of the tests are short
or sleep, so the processor is shared well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = float(os.environ.get("NXD_TEST_SECONDS", "60"))
# What the sanitizers need: our own leak count replaces LeakSanitizer, which cannot see process stacks.
SANITIZER_ENV = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=98:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=98",
}
PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Mode:
    """How to run: a name for reports, the binary, the number of workers, the scheduler's seed (0: its usual order)."""

    name: str
    binary: Path
    workers: int
    seed: int = 0


@dataclass(frozen=True)
class Result:
    """What one run did. A status below 0 is a signal's number; `timed_out` says that it had to be killed."""

    mode: Mode
    status: int
    out: str
    err: str
    seconds: float
    timed_out: bool = False


@dataclass(frozen=True)
class _Started:
    """A run under way. Output goes to files: a pipe that nobody reads yet would stop a program that prints much."""

    mode: Mode
    process: subprocess.Popen[bytes]
    out: Path
    err: Path
    begin: float


def run_all(
    modes: Sequence[Mode], folder: Path, arguments: Sequence[str], stdin: str, extra_env: Mapping[str, str]
) -> list[Result]:
    """Run a program in all modes, in its folder."""
    source = folder / "stdin"
    source.write_bytes(stdin.encode())
    started = [_start(n, mode, folder, source, arguments, extra_env) for n, mode in enumerate(modes)]
    return [_finish(run) for run in started]


def _start(
    number: int, mode: Mode, folder: Path, source: Path, arguments: Sequence[str], extra_env: Mapping[str, str]
) -> _Started:
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    env |= {"NXD_WORKERS": str(mode.workers), **SANITIZER_ENV, **extra_env}
    if mode.seed:
        env["NXD_SCHED_SEED"] = str(mode.seed)
    out, err = folder / f"run{number}.out", folder / f"run{number}.err"
    with source.open("rb") as in_file, out.open("wb") as out_file, err.open("wb") as err_file:
        process = subprocess.Popen(
            [str(mode.binary), *arguments],
            cwd=folder,
            env=env,
            stdin=in_file,
            stdout=out_file,
            stderr=err_file,
            start_new_session=True,
        )
    return _Started(mode, process, out, err, time.monotonic())


def _finish(run: _Started) -> Result:
    timed_out = False
    try:
        run.process.wait(timeout=max(0.1, run.begin + SECONDS - time.monotonic()))
    except subprocess.TimeoutExpired:
        timed_out = True
        os.killpg(run.process.pid, signal.SIGKILL)
        run.process.wait()
    out, err = (path.read_bytes().decode("utf-8", errors="backslashreplace") for path in (run.out, run.err))
    return Result(run.mode, run.process.returncode, out, err, time.monotonic() - run.begin, timed_out)
