"""Runs the C unit tests of the runtime's core, data and sys layers, plain, with debug checks, and under the sanitizers.

Each tests/runtime/test_<module>.c is a program of its own, linked with the runtime without the scheduler (program.c
holds descriptors and the hooks).  TSan runs only what uses threads.  The scheduler's tests are in tests/runtime/sched.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
RUNTIME = HERE.parents[1] / "runtime_c"
SOURCES = [
    *sorted((RUNTIME / "src" / "core").glob("*.c")),
    *sorted((RUNTIME / "src" / "data").glob("*.c")),
    *(RUNTIME / "src" / "sys" / f"{name}.c" for name in ("clock", "io", "random")),
    HERE / "program.c",
]
TESTS = sorted(path.stem for path in HERE.glob("test_*.c"))
THREADED = ["test_alloc"]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wstrict-prototypes", "-Wmissing-prototypes"]
MODES = {
    "release": ["-O2"],
    "debug": ["-O1", "-g", "-DNXD_DEBUG", "-DNXD_TESTING"],
    "asan": ["-O1", "-g", "-DNXD_DEBUG", "-DNXD_TESTING", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    "tsan": ["-O1", "-g", "-DNXD_PLAIN_MALLOC", "-fsanitize=thread"],
}
CASES = [(test, mode) for mode in ("release", "debug", "asan") for test in TESTS] + [
    (test, "tsan") for test in THREADED
]


def _compiler(mode: str) -> list[str]:
    include = ["-I", str(RUNTIME / "include"), "-I", str(HERE)]
    return [os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE", "-pthread", *WARNINGS, *MODES[mode], *include]


def _run(command: list[str], **options: object) -> None:
    done = subprocess.run(  # type: ignore[call-overload]
        command, check=False, capture_output=True, text=True, errors="replace", **options
    )
    assert done.returncode == 0, f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout}{done.stderr}"


def _has_sanitizer(mode: str, folder: Path) -> bool:
    program = folder / "probe.c"
    program.write_text("int main(void) { return 0; }\n")
    command = [*_compiler(mode), str(program), "-o", str(folder / "probe")]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def _objects(mode: str, folder: Path) -> list[str]:
    """The runtime's objects of one mode, compiled once for all workers of a parallel run."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        objects = []
        for source in SOURCES:
            target = folder / f"{source.parent.name}_{source.stem}.o"
            if not target.exists():
                _run([*_compiler(mode), "-c", str(source), "-o", str(target)])
            objects.append(str(target))
    return objects


@pytest.mark.parametrize(("test", "mode"), CASES, ids=[f"{test}-{mode}" for test, mode in CASES])
def test_c(test: str, mode: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """One C test program in one mode."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = shared / f"runtime-{mode}"
    folder.mkdir(parents=True, exist_ok=True)
    if mode in ("asan", "tsan") and not _has_sanitizer(mode, tmp_path_factory.mktemp("probe")):
        pytest.skip(f"the C compiler has no {mode} runtime")
    objects = _objects(mode, folder)
    program = folder / test
    _run([*_compiler(mode), str(HERE / f"{test}.c"), *objects, "-lm", "-o", str(program)])
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "TSAN_OPTIONS": "halt_on_error=1"}
    _run([str(program)], timeout=120, env=environment)
