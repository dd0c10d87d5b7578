"""The scheduler's own tests: hand-made C programs that play the part of compiled code.

`tests/runtime/sched/` is one program of many cases, built in several ways (plain, debug with small limits, sanitizers, ucontext) and run
with several numbers of workers. With `NXD_STRESS=1` every build runs every case with more workers and seeds (`make stress`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

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
    "spawn_and_await await_string await_failed await_list channel_order channel_leftovers timed_receive close_wakes esc "
    "timeout select_cases select_both_ways sleep_order preemption stack_overflow blocking_calls"
).split()
STORMS = (
    "many_to_many close_race select_storm cancel_storm spawn_tree await_storm drop_early blocking_storm waves"
).split()
TSAN_SKIPS = {"stack_overflow"}  # its shadow stack is smaller than ours
TSAN_SIZES = {"spawn_tree": "6", "drop_early": "500", "many_to_many": "300", "close_race": "60", "cancel_storm": "40"}


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


class Programs:
    """Builds each variant once a session."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, build: str) -> Path:
        program = self.folder / f"sched_{build}"
        if program.exists():
            return program
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler")
        files = [
            *sorted((RUNTIME / "src/sched").glob("*.c")),
            *sorted((RUNTIME / "src/sched").glob("*.S")),
            RUNTIME / "src/sys/start.c",
            RUNTIME / "src/sys/futex.c",
            *sorted(SOURCES.glob("*.c")),
        ]
        command = [compiler, *COMMON, *BUILDS[build], *map(str, files), "-o", str(program), "-lm", "-lpthread"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return program


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    return Programs(tmp_path_factory.mktemp("sched"))


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
    return [("release", "4"), ("debug", "1"), ("debug", "4"), ("asan", "4"), ("tsan", "4"), ("ucontext", "2")]


def check_clean(program: Path, build: str, workers: str, case: str, seed: str | None = None) -> None:
    sizes = (TSAN_SIZES[case],) if build == "tsan" and case in TSAN_SIZES else ()
    env = {"NXD_WORKERS": workers} if seed is None else {"NXD_WORKERS": workers, "NXD_SCHED_SEED": seed}
    done = run(program, case, *sizes, **env)
    assert (done.returncode, done.stderr) == (0, ""), f"{case} ({build}, {workers} workers, seed {seed})\n{done.stderr}"


@pytest.mark.skipif(sys.platform != "linux", reason="the sanitizers and the futex are Linux's")
@pytest.mark.parametrize(("build", "workers"), variants())
def test_operations(programs: Programs, build: str, workers: str) -> None:
    program = programs.get(build)
    for case in BASIC:
        if build != "tsan" or case not in TSAN_SKIPS:
            check_clean(program, build, workers, case)


@pytest.mark.parametrize(("build", "workers"), variants())
def test_storms(programs: Programs, build: str, workers: str) -> None:
    program = programs.get(build)
    for case in STORMS:
        check_clean(program, build, workers, case)
        for seed in range(10 if STRESS else 1):
            check_clean(program, build, workers, case, str(seed))


@pytest.mark.parametrize("case", ENDS)
@pytest.mark.parametrize("workers", ["1", "4"])
def test_ends(programs: Programs, case: str, workers: str) -> None:
    end = ENDS[case]
    done = run(programs.get("release"), case, NXD_WORKERS=workers, **dict(end.env))
    assert done.returncode == end.status, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(end.out.splitlines())
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("every process", "in a process"))]
    assert lines == list(end.err)


def test_seed_replays(programs: Programs) -> None:
    """With one worker the same seed makes the same choices."""
    program = programs.get("debug")
    for seed in ("1", "2"):
        outputs = {run(program, "order", NXD_WORKERS="1", NXD_SCHED_SEED=seed).stdout for _ in range(3)}
        assert len(outputs) == 1
    different = {run(program, "order", NXD_WORKERS="1", NXD_SCHED_SEED=str(seed)).stdout for seed in range(8)}
    assert len(different) > 1


def test_all_cases_are_run(programs: Programs) -> None:
    listed = set(subprocess.run([str(programs.get("debug"))], capture_output=True, text=True, check=True).stdout.split())
    benches = set("pingpong chan_throughput fan_in ring prime_pipeline spawn_await spawn_window sleepers parallel".split())
    assert listed == {*BASIC, *STORMS, *ENDS, *benches, "order"}
