"""Run built programs in every mode at once and collect what they did.

A mode is a binary with a number of workers. The runs of one case start together: most programs of the tests are short
or sleep, so the processor is shared well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = float(os.environ.get("NXD_TEST_SECONDS", "30"))
# What the sanitizers need: our own leak count replaces LeakSanitizer, which cannot see process stacks.
SANITIZER_ENV = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=98:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=98",
}
PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Mode:
    """How to run: the name for reports, the binary, the number of workers."""

    name: str
    binary: Path
    workers: int


@dataclass(frozen=True)
class Result:
    """What one run did. A status below 0 is a signal's number; `timed_out` says that it had to be killed."""

    mode: Mode
    status: int
    out: str
    err: str
    seconds: float
    timed_out: bool = False


def run_all(
    modes: Sequence[Mode], folder: Path, arguments: Sequence[str], stdin: str, extra_env: Mapping[str, str]
) -> list[Result]:
    """Run a program in all modes, in its folder."""
    started = [_start(mode, folder, arguments, stdin, extra_env) for mode in modes]
    return [_finish(mode, *run) for mode, run in zip(modes, started, strict=True)]


def _start(
    mode: Mode, folder: Path, arguments: Sequence[str], stdin: str, extra_env: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], float, list[object]]:
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    env |= {"NXD_WORKERS": str(mode.workers), **SANITIZER_ENV, **extra_env}
    # Output goes to files: a pipe that nobody reads while another mode is awaited would stop a program that prints much.
    source, out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile(), tempfile.TemporaryFile()
    source.write(stdin.encode())
    source.seek(0)
    process = subprocess.Popen(
        [str(mode.binary), *arguments], cwd=folder, env=env, stdin=source, stdout=out, stderr=err, start_new_session=True
    )
    return process, time.monotonic(), [source, out, err]


def _finish(mode: Mode, process: subprocess.Popen[bytes], start: float, files: list[object]) -> Result:
    timed_out = False
    try:
        process.wait(timeout=max(0.1, start + SECONDS - time.monotonic()))
    except subprocess.TimeoutExpired:
        timed_out = True
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    seconds = time.monotonic() - start
    texts = []
    for file in files[1:]:
        file.seek(0)  # type: ignore[attr-defined]  # binary temporary files, whose class is private
        texts.append(file.read().decode("utf-8", errors="backslashreplace"))  # type: ignore[attr-defined]
    for file in files:
        file.close()  # type: ignore[attr-defined]
    return Result(mode, process.returncode, texts[0], texts[1], seconds, timed_out)
