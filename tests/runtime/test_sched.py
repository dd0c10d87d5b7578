"""The scheduler's own tests: hand-made C programs that play the part of compiled code.

`tests/runtime/sched/` is one program of many cases, built in several ways (plain, debug with small limits, sanitizers,
ucontext) and run with several numbers of workers. With `NXD_STRESS=1` every build runs every case, for longer, with
more workers and seeds.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from nxdc.source.cachedir import cache_dir

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).resolve().parent / "sched"
RUNTIME = ROOT / "runtime_c"
STRESS = os.environ.get("NXD_STRESS") == "1"
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wstrict-prototypes", "-Wmissing-prototypes")
COMMON = ("-std=gnu11", *WARNINGS, f"-I{RUNTIME}/include", f"-I{RUNTIME}/src", f"-I{SOURCES}")
BUILDS = {
    "release": ("-O2",),
    "debug": ("-O1", "-g", "-DNXD_DEBUG", "-DNXD_TESTING"),
    "ucontext": ("-O1", "-g", "-DNXD_DEBUG", "-DNXD_UCONTEXT"),
    "asan": ("-O1", "-g", "-DNXD_DEBUG", "-DNXD_TESTING", "-fsanitize=address,undefined"),
    "tsan": ("-O1", "-g", "-DNXD_DEBUG", "-DNXD_TESTING", "-fsanitize=thread"),
}

BASIC = (
    "spawn_and_await",
    "await_string",
    "await_failed",
    "await_list",
    "channel_order",
    "channel_leftovers",
    "timed_receive",
    "close_wakes",
    "esc",
    "timeout",
    "select_cases",
    "select_both_ways",
    "sleep_order",
    "preemption",
    "stack_overflow",
    "blocking_calls",
)
TSAN_SKIPS = {"stack_overflow"}  # its shadow stack is smaller than ours
SIZES = {  # of the storms: in every test run; under NXD_STRESS; under TSan, which starts processes slowly
    "many_to_many": (500, 5000, 200),
    "close_race": (60, 500, 40),
    "select_storm": (500, 5000, 300),
    "cancel_storm": (40, 300, 30),
    "spawn_tree": (9, 14, 6),
    "await_storm": (40, 300, 30),
    "drop_early": (3000, 30000, 500),
    "blocking_storm": (30, 200, 20),
    "waves": (4, 30, 3),
}


@dataclass(frozen=True)
class End:
    """How a program of `ends.c` must end."""

    status: int
    out: str = ""
    err: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()


ENDS = {
    "deadlock_recv": End(
        1,
        err=(
            "error: E3003",
            "  MAIN waits in RECV at dead.nxd:12 (MAIN)",
            "  a process started at test.nxd:7 (TEST) waits in RECV at dead.nxd:5 (WORKER)",
        ),
    ),
    "deadlock_caught": End(0, "caught\n"),
    "alone": End(0, "alone\n"),
    "drain_waits": End(3, "drained\n"),
    "failures_reported": End(0, "finally E3005\n", ("error: E1005", "error: E1002", "error: E1004")),
    "main_fails": End(1, "drained\n", ("error: E1005",)),
    "exit_now": End(7, "before exit\n"),
    "await_self": End(0),
    "stale_timers": End(0, "drained\n"),
    "drain_ends": End(4, "finally E3005\nfinally spin\n", env=(("NXD_DRAIN", "0.2"),)),
}


def source_files() -> list[Path]:
    return [
        *sorted((RUNTIME / "src/sched").glob("*.[cS]")),
        RUNTIME / "src/sys/start.c",
        RUNTIME / "src/sys/clock.c",
        RUNTIME / "src/sys/futex.c",
        *sorted(SOURCES.glob("*.c")),
    ]


@cache
def program_of(build: str) -> Path:
    """The test program in this variant, compiled once for each state of the sources."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    digest = hashlib.sha256(repr((compiler, COMMON, BUILDS[build])).encode())
    for path in [*source_files(), *sorted((RUNTIME / "include").rglob("*.h")), *sorted(SOURCES.glob("*.h"))]:
        digest.update(path.read_bytes())
    folder = Path(cache_dir()) / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / f"sched-{build}-{digest.hexdigest()[:16]}"
    if not program.exists():
        for old in folder.glob(f"sched-{build}-*"):
            old.unlink(missing_ok=True)
        made = folder / f".{program.name}-{os.getpid()}"
        command = [compiler, *COMMON, *BUILDS[build], *map(str, source_files()), "-o", str(made), "-lm", "-lpthread"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        made.replace(program)
    return program


def run(program: Path, case: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(program), case, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, **env},
    )


def variants() -> list[tuple[str, str]]:
    if STRESS:
        return [(build, workers) for build in BUILDS for workers in ("1", "2", "4", "8")]
    return [("release", "4"), ("debug", "1"), ("debug", "4"), ("asan", "4"), ("tsan", "4")]


def check_clean(program: Path, build: str, workers: str, case: str, **env: str) -> None:
    quick, long, slow = SIZES.get(case, (0, 0, 0))
    size = slow if build == "tsan" else long if STRESS else quick
    done = run(program, case, *([str(size)] if size else []), NXD_WORKERS=workers, **env)
    assert (done.returncode, done.stderr) == (0, ""), f"{case} ({build}, {workers} workers, {env})\n{done.stderr}"


@pytest.mark.skipif(sys.platform != "linux", reason="the sanitizers and the futex are Linux's")
@pytest.mark.parametrize(("build", "workers"), variants())
def test_operations(build: str, workers: str) -> None:
    program = program_of(build)
    for case in BASIC:
        if build != "tsan" or case not in TSAN_SKIPS:
            check_clean(program, build, workers, case)


@pytest.mark.parametrize(("build", "workers"), variants())
def test_storms(build: str, workers: str) -> None:
    program = program_of(build)
    for case in SIZES:
        check_clean(program, build, workers, case)
        check_clean(program, build, workers, case, NXD_CLOCK="simulated")
        for seed in range(10 if STRESS else 1):
            check_clean(program, build, workers, case, NXD_SCHED_SEED=str(seed))


@pytest.mark.parametrize("case", ENDS)
@pytest.mark.parametrize("workers", ["1", "4"])
def test_ends(case: str, workers: str) -> None:
    end = ENDS[case]
    done = run(program_of("release"), case, NXD_WORKERS=workers, **dict(end.env))
    assert done.returncode == end.status, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(end.out.splitlines())
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("every process", "  in a process"))]
    assert lines == list(end.err)


def test_without_the_hand_written_switch() -> None:
    program = program_of("ucontext")
    for case in ("spawn_and_await", "esc", "select_cases", "close_race"):
        check_clean(program, "ucontext", "2", case)


def test_seed_replays() -> None:
    """With one worker the same seed makes the same choices."""
    program = program_of("debug")
    for seed in ("1", "2"):
        outputs = {run(program, "order", NXD_WORKERS="1", NXD_SCHED_SEED=seed).stdout for _ in range(3)}
        assert len(outputs) == 1
    different = {run(program, "order", NXD_WORKERS="1", NXD_SCHED_SEED=str(seed)).stdout for seed in range(8)}
    assert len(different) > 1


def test_all_cases_are_run() -> None:
    listed = subprocess.run([str(program_of("debug"))], capture_output=True, text=True, check=True).stdout.split()
    source = (SOURCES / "bench.c").read_text()
    benches = re.findall(r'^    \{"(\w+)",', source, re.MULTILINE)
    assert sorted(listed) == sorted([*BASIC, *SIZES, *ENDS, *benches, "order"])


@pytest.mark.parametrize(
    ("case", "size", "out"),
    [("ring", "5000", "ring 474"), ("prime_pipeline", "100", "prime_pipeline 541"), ("crowd", "3000", "crowd 3000")],
)
def test_benchmark_programs(case: str, size: str, out: str) -> None:
    done = run(program_of("debug"), case, size, NXD_WORKERS="4")
    assert done.stdout.strip() == out, done.stderr
