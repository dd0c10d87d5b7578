"""Versioned loops do what the loops did: the same results and errors at -O2 (versioned) and -O0 (not), at all edges."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """\
FUNC FILLED(N: int): LIST<int>:
    LET L SET []
    LOOP I FROM 1 TO N:
        PUSH L, I
    RETURN L

FUNC ALL(L: LIST<int>): int:
    LET S SET 0
    LOOP I FROM 0 TO LEN(L) SUB 1:
        S SETADD L[I]
    RETURN S

FUNC PART(L: LIST<int>, A: int, B: int, C: int): string:
    LET S SET 0
    LET ROUNDS SET 0
    TRY:
        LOOP I FROM A TO B STEP C:
            ROUNDS SETADD 1
            S SETADD L[I]
    CATCH E:
        RETURN E ADD " after " ADD ROUNDS ADD ": " ADD S
    RETURN "" ADD ROUNDS ADD ": " ADD S

FUNC BACKWARDS(L: LIST<int>, A: int): string:
    LET S SET 0
    TRY:
        LOOP I FROM A TO 0 STEP SUB 3:
            S SET S MUL 31 MOD 1000003 ADD L[I]
    CATCH E:
        RETURN E
    RETURN "" ADD S

FUNC SQUARES(L: LIST<int>, N: int): string:
    TRY:
        LOOP I FROM 0 TO N SUB 1:
            L[I] SET I MUL I
    CATCH E:
        RETURN E ADD " " ADD ALL(L)
    RETURN "" ADD ALL(L)

FUNC SKIPPING(L: LIST<int>, N: int): int:
    LET S SET 0
    LOOP I FROM 0 TO N:
        IF I MOD 3 EQ 1:
            CONTINUE
        IF I GT 2000:
            BREAK
        TRY:
            S SETADD L[I]
        CATCH E1002:
            S SETADD 1000000
    RETURN S

FUNC SCALE(A: LIST<float>, B: LIST<float>, X: float):
    LOOP I FROM 0 TO LEN(A) SUB 1:
        A[I] SETADD X MUL B[I]

FUNC EACH(L: LIST<int>, OUT: LIST<bool>): int:
    LET S SET 0
    LET AT SET 0
    LOOP X IN L:
        S SETADD X
        OUT[AT] SET X MOD 2 EQ 0
        AT SETADD 1
    RETURN S

FUNC GROWING(): int:
    LET L SET [1]
    LOOP I FROM 0 TO 2999:
        PUSH L, L[I] ADD 1
    RETURN ALL(L)

FUNC NAMES(N: int): string:
    LET L SET []
    LOOP I FROM 1 TO N:
        PUSH L, "a" ADD I
    LOOP I FROM 0 TO N SUB 1:
        L[I] SET L[I] ADD "!"
    LOOP I FROM 0 TO N SUB 1:
        L[I] SETADD I
    RETURN L[N SUB 1]

FUNC SUMS(L: LIST<int>, N: int): string:
    LET TOTALS SET [0]
    TRY:
        LOOP I FROM 0 TO N:
            TOTALS[0] SETADD 9223372036854775807 DIV 1500 ADD L[I]
    CATCH E:
        RETURN E ADD " " ADD TOTALS[0]
    RETURN "" ADD TOTALS[0]

FUNC MAIN():
    LOOP N IN [0, 1, 2, 1023, 1024, 1025, 2048, 2049, 5000]:
        LET L SET FILLED(N)
        LET FLAGS SET []
        LOOP I FROM 1 TO N:
            PUSH FLAGS, false
        LET A SET []
        LET B SET []
        LOOP I FROM 1 TO N:
            PUSH A, 1.5
            PUSH B, TO_FLOAT(I)
        SCALE(A, B, 0.5)
        LET F SET 0.0
        LOOP X IN A:
            F SETADD X
        PRINTLN("" ADD N ADD ": " ADD ALL(L) ADD " " ADD F ADD " " ADD EACH(L, FLAGS))
        PRINTLN(PART(L, 0, N SUB 1, 1) ADD "; " ADD PART(L, 0, N, 1) ADD "; " ADD PART(L, SUB 2, N SUB 1, 1))
        PRINTLN(PART(L, 0, N SUB 1, 7) ADD "; " ADD PART(L, 3, N ADD 7, 7) ADD "; " ADD PART(L, N SUB 1, 0, SUB 2))
        PRINTLN(BACKWARDS(L, N SUB 1) ADD "; " ADD BACKWARDS(L, N))
        PRINTLN(SUMS(L, N SUB 1))
        PRINTLN(SQUARES(L, N) ADD "; " ADD SQUARES(L, N ADD 1))
        PRINTLN(SKIPPING(L, N ADD 5))
    PRINTLN("" ADD GROWING() ADD " " ADD NAMES(1500))
"""


def _build_and_run(folder: Path, level: str) -> str:
    source = folder / "loops.nxd"
    source.write_text(PROGRAM)
    program = folder / f"loops{level}"
    command = [sys.executable, "-m", "nxdc", "build", level, "-o", str(program), str(source)]
    subprocess.run(command, cwd=ROOT, check=True)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("loops")
    return _build_and_run(folder, "-O0"), _build_and_run(folder, "-O2")


def test_levels_agree(outputs: tuple[str, str]) -> None:
    assert outputs[0] == outputs[1]


def test_results(outputs: tuple[str, str]) -> None:
    lines = outputs[1].splitlines()
    assert lines[0] == "0: 0 0.0 0"
    assert "5000: 12502500 " in outputs[1]
    assert "E1002: index out of bounds: index 1024, length 1024 after 1025: 524800" in outputs[1]
    assert "index -2, length 1024 after 1: 0" in outputs[1]
    assert lines[-1] == "4504501 a1500!1499"
