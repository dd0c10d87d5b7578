"""E1009: each allocation of a program fails in turn; it is raised, caught, and the program goes on without a leak."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from pathlib import Path

import pytest

from tests.harness import compiler
from tests.harness.compiler import prepare_environment

MOST = 400  # allocations of a program
MAIN = """
FUNC MAIN():
    TRY:
        LOOP I FROM 1 TO 2: PRINTLN(WORK(I))
    CATCH E1009:
        PRINTLN("E1009")
    TRY: PRINTLN(WORK(3))
    CATCH E: PRINTLN(E)
    PRINTLN("end")
"""
PROGRAMS = {
    "lists": """
FUNC WORK(N: int): string:
    LET L SET []
    LOOP I FROM 1 TO 4: PUSH L, "text " ADD I
    LET M SET { "k": L }
    LOOP X IN L: M[X ADD N] SET [X, X]
    LET S SET ""
    LOOP K, V IN M: S SETADD K ADD LEN(V)
    RETURN "" ADD LEN(S ADD JOIN(SORT(L), REPEAT("-", 3)))
""",
    "trees": """
TYPE TREE { L: OPTION<TREE>, R: OPTION<TREE>, TAG: any }
FUNC GROW(N: int): OPTION<TREE>:
    IF N EQ 0: RETURN NONE
    RETURN SOME(TREE { L: GROW(N SUB 1), R: GROW(N SUB 1), TAG: 1.5 })
FUNC WORK(N: int): string:
    LET T SET GROW(3)
    LET F SET fn(X: int) => X ADD N
    RETURN "" ADD (CLONE T EQ T) ADD SUM(MAP([1, 2], F)) ADD LEN("" ADD T)
""",
    "processes": """
TYPE P { N: int, L: LIST<string> }
FUNC FEED(CH: CHANNEL<P>, N: int): int:
    LOOP I FROM 1 TO 3: SEND P { N: I, L: ["a" ADD I] } TO CH
    CLOSE CH
    RETURN N
FUNC WORK(N: int): string:
    LET CH SET CHANNEL<P>()
    LET H SET SPAWN FEED(CH, N)
    LET T SET 0
    LOOP X IN CH: T SETADD X.N ADD LEN(X.L)
    LET TS SET [TASK(fn() => "t" ADD N), TASK(fn() => "u" ADD N)]
    SELECT:
        CASE TIMEOUT 0: T SETADD AWAIT H
    RETURN "" ADD T ADD LEN(AWAIT TS)
""",
}


@pytest.fixture(scope="module", params=list(PROGRAMS))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, linked with the runtime that counts objects and lets an allocation fail."""
    prepare_environment()
    folder = tmp_path_factory.mktemp("memory")
    source = folder / "main.nxd"
    source.write_text(PROGRAMS[request.param] + MAIN)
    unit = compiler.check([str(source)], [])
    assert not unit.found
    return compiler.build_release(unit, folder / "release", folder / "checked")[1]


def _run(program: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program],
        env={**os.environ, "NXD_WORKERS": "1", **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_each_allocation_fails_in_turn(program: Path) -> None:
    """No crash, no leak (status 99), no other error, and what comes afterwards is right."""
    good = _run(program).stdout.splitlines()
    raised = 0
    for number in range(1, MOST):
        done = _run(program, NXD_FAIL_ALLOC=str(number))
        lines = done.stdout.splitlines()
        assert done.returncode == 0, (number, done)
        assert lines[-1] == "end", (number, done)
        wrong = [line for line in lines if line not in good and "E1009" not in line]
        assert not wrong and len(lines) >= 3, (number, done)
        raised += any("E1009" in line for line in lines)
        if "no allocation was left to fail" in done.stderr:
            break
        assert not done.stderr or "E1009: out of memory" in done.stderr, (number, done)
    else:
        pytest.fail("the program makes too many allocations for this test")
    assert raised > number // 4, (raised, number)


GROWING = """
FUNC NUMBERS(): int:
    LET L SET []
    LOOP: PUSH L, LEN(L)
FUNC TEXT(): int:
    LET S SET ""
    LOOP: S SET S ADD "0123456789 0123456789 0123456789"
TYPE NODE { N: int, NEXT: OPTION<NODE> }
FUNC PIECES(): int:
    LET CHAIN: OPTION<NODE> SET NONE
    LET N SET 0
    LOOP:
        CHAIN SET SOME(NODE { N: N, NEXT: CHAIN })
        N SETADD 1
FUNC MAIN():
    TRY: PRINTLN(NUMBERS())
    CATCH E1009: PRINTLN("numbers")
    TRY: PRINTLN(TEXT())
    CATCH E1009: PRINTLN("text")
    TRY: PRINTLN(PIECES())
    CATCH E1009: PRINTLN("pieces")
    TRY: PRINTLN(LEN(RANGE(0, 1000000000)))
    CATCH E1009: PRINTLN("range")
    PRINTLN(LEN(RANGE(0, 1000)))
"""


def test_memory_that_is_really_used_up(tmp_path: Path) -> None:
    """With a limit for the address space: what grows without end gets E1009, and its memory can be used again."""
    prepare_environment()
    source = tmp_path / "main.nxd"
    source.write_text(GROWING)
    unit = compiler.check([str(source)], [])
    release, _ = compiler.build_release(unit, tmp_path / "release", tmp_path / "checked")
    limit = 500 << 20  # 256 MiB of it are the stack
    done = subprocess.run(
        [release],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["numbers", "text", "pieces", "range", "1000"]


CROWD = """
FUNC MAIN():
    LET GO SET CHANNEL<none>()
    LET PS SET []
    LOOP I FROM 1 TO 50000:
        PUSH PS, SPAWN fn():
            LOOP X IN GO: PRINTLN(X)
    SLEEP(0)
    PRINTLN("there")
    CLOSE GO
    LOOP P IN PS: AWAIT P
    PRINTLN("gone")
    READ_LINE()
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory in use from /proc")
def test_stacks_of_ended_processes_are_given_back(tmp_path: Path) -> None:
    """50,000 processes take 200 MB at once; the pool keeps a third, the rest goes back while the program rests."""
    prepare_environment()
    source = tmp_path / "main.nxd"
    source.write_text(CROWD)
    unit = compiler.check([str(source)], [])
    assert not unit.found
    release, _ = compiler.build_release(unit, tmp_path / "release", tmp_path / "checked")
    with subprocess.Popen([release], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        assert [process.stdout.readline(), process.stdout.readline()] == ["there\n", "gone\n"]
        assert _kilobytes(process.pid, "VmHWM") > 200_000
        end = time.monotonic() + 60
        while _kilobytes(process.pid, "VmRSS") > 130_000:
            assert time.monotonic() < end, "the memory of the stacks is still held"
            time.sleep(0.02)
        process.stdin.close()
    assert process.returncode == 0


def _kilobytes(pid: int, word: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(f"{word}:"))
