"""Borrow inference, reuse, sharing and the other passes, on programs."""

from __future__ import annotations

from pathlib import Path

from nxdc.mir import ops
from nxdc.types import model
from tests.unit.mir_helpers import function_of, optimized, shown


def counting(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith(("dup", "drop "))]


PERSON = "TYPE PERSON { NAME: string, AGE: int }\n"


def test_reading_fields_counts_nothing(tmp_path: Path) -> None:
    text = PERSON + 'FUNC SHOW(P: PERSON):\n    PRINTLN(P.NAME ADD P.AGE)\nFUNC MAIN():\n    SHOW(PERSON("a", 1))\n'
    lines = shown(optimized(tmp_path, text), "SHOW")
    assert not [line for line in lines if line.startswith("dup") and "NAME" in line]


def test_a_field_that_is_overwritten_meanwhile_is_counted(tmp_path: Path) -> None:
    text = (
        PERSON
        + """\
FUNC SWAP(P: PERSON): int:
    LET OLD SET P.NAME
    P.NAME SET "other"
    PRINTLN(OLD)
    RETURN LEN(OLD)
FUNC MAIN():
    PRINTLN(SWAP(PERSON("a" ADD 1, 1)))
"""
    )
    lines = counting(shown(optimized(tmp_path, text), "SWAP"))
    assert any(line.startswith("dup OLD") for line in lines)
    assert any(line.startswith("drop *OLD") for line in lines)


def test_a_callee_that_overwrites_the_field_is_seen(tmp_path: Path) -> None:
    text = (
        PERSON
        + """\
FUNC RENAME(P: PERSON):
    P.NAME SET "other" ADD P.AGE
FUNC KEEP(P: PERSON): int:
    LET OLD SET P.NAME
    RENAME(P)
    RETURN LEN(OLD)
FUNC READ(P: PERSON): int:
    LET OLD SET P.NAME
    PRINTLN(P.AGE)
    RETURN LEN(OLD)
FUNC MAIN():
    LET P SET PERSON("a" ADD 1, 1)
    PRINTLN(KEEP(P) ADD READ(P))
"""
    )
    program = optimized(tmp_path, text)
    assert counting(shown(program, "KEEP"))
    assert not counting(shown(program, "READ"))


def test_list_loops_borrow_their_elements(tmp_path: Path) -> None:
    text = (
        PERSON
        + """\
FUNC TOTAL(L: LIST<PERSON>): int:
    LET SUM SET 0
    LOOP P IN L:
        SUM SETADD P.AGE
    RETURN SUM
FUNC MAIN():
    PRINTLN(TOTAL([PERSON("a", 1)]))
"""
    )
    lines = shown(optimized(tmp_path, text), "TOTAL")
    assert not counting(lines)
    assert any("list_get unchecked" in line for line in lines)


def test_parameters_are_owned_where_they_are_kept(tmp_path: Path) -> None:
    text = (
        PERSON
        + """\
FUNC ADD_TO(L: LIST<PERSON>, P: PERSON):
    PUSH L, P
FUNC PASS_ON(L: LIST<PERSON>, P: PERSON):
    ADD_TO(L, P)
FUNC MAIN():
    LET L SET LIST<PERSON> []
    PASS_ON(L, PERSON("a", 1))
    PRINTLN(L)
"""
    )
    program = optimized(tmp_path, text)
    assert function_of(program, "ADD_TO").owned_params == [False, True]
    assert function_of(program, "PASS_ON").owned_params == [False, True]
    assert not any(line.startswith("dup") for line in shown(program, "MAIN"))


def test_appending_to_a_string_keeps_it_unique(tmp_path: Path) -> None:
    text = """\
FUNC BUILD(N: int): string:
    LET S SET ""
    LOOP I FROM 1 TO N:
        S SET S ADD "x"
    RETURN S
FUNC MAIN():
    PRINTLN(BUILD(3))
"""
    assert not any(line.startswith("dup") for line in shown(optimized(tmp_path, text), "BUILD"))


def test_functional_updates_reuse_memory(tmp_path: Path) -> None:
    text = (
        PERSON
        + """\
FUNC OLDER(P: PERSON): PERSON:
    RETURN PERSON { NAME: P.NAME, AGE: P.AGE ADD 1 }
FUNC MAIN():
    LET P SET PERSON("a" ADD 1, 1)
    LOOP I FROM 1 TO 3:
        P SET OLDER(P)
    PRINTLN(P)
"""
    )
    program = optimized(tmp_path, text)
    assert function_of(program, "OLDER").owned_params == [True]
    assert any("(reused)" in line for line in shown(program, "OLDER"))
    assert not any(line.startswith("dup") for line in shown(program, "MAIN"))


def test_variables_of_a_program_without_main_are_registers(tmp_path: Path) -> None:
    text = "LET TOTAL SET 0\nLOOP I FROM 1 TO 3:\n    TOTAL SETADD I\nPRINTLN(TOTAL)\n"
    program = optimized(tmp_path, text)
    assert not program.globals


def test_a_variable_that_functions_use_stays(tmp_path: Path) -> None:
    text = "LET N SET 1\nFUNC F():\n    N SETADD 1\nFUNC MAIN():\n    F()\n    PRINTLN(N)\n"
    assert [variable.name for variable in optimized(tmp_path, text).globals] == ["N"]


SHARED = """\
TYPE BOX2 { N: int, L: LIST<string> }
TYPE FROZEN { N: int, S: string }
LET STATE SET BOX2 { N: 1, L: [] }
LET FIXED SET FROZEN { N: 1, S: "a" }
FUNC WORK():
    STATE.N SET STATE.N ADD FIXED.N
    PUSH STATE.L, FIXED.S
FUNC MAIN():
    %s
    WORK()
"""


def _flags(program: ops.Program, name: str) -> tuple[bool, bool, bool]:
    found = next(d for d in program.types.ordered if isinstance(d.type, model.StructType) and d.type.decl.name == name)
    return found.mutable, found.deep_immutable, found.shareable


def test_state_that_processes_share_is_locked(tmp_path: Path) -> None:
    program = optimized(tmp_path, SHARED % "SPAWN WORK()")
    assert _flags(program, "BOX2") == (True, False, True)
    assert _flags(program, "FROZEN") == (False, True, True)
    lines = shown(program, "WORK")
    assert any(line.startswith("store_field struct 0 shared") for line in lines)
    assert any(line.startswith("list_push shared") for line in lines)
    assert sum("load_field struct 1 shared" in line for line in lines) == 1  # of STATE, not of FIXED


def test_without_processes_nothing_is_locked(tmp_path: Path) -> None:
    program = optimized(tmp_path, SHARED % 'PRINTLN("alone")')
    assert not any("shared" in line for line in shown(program, "WORK"))


def test_only_mutable_types_make_cycles(tmp_path: Path) -> None:
    text = """\
TYPE TREE UNION { NODE(TREE, TREE), LEAF }
TYPE ITEM { NEXT: OPTION<ITEM> }
FUNC MAIN():
    LET T SET NODE(LEAF, LEAF)
    LET A SET ITEM { NEXT: NONE }
    A.NEXT SET SOME(A)
    PRINTLN(T)
"""
    program = optimized(tmp_path, text)
    cyclic = {
        d.type.decl.name
        for d in program.types.ordered
        if d.cyclic and isinstance(d.type, (model.StructType, model.UnionType))
    }
    assert cyclic == {"ITEM", "OPTION"}


def test_level_0_still_owns_everything(tmp_path: Path) -> None:
    text = PERSON + 'FUNC SHOW(P: PERSON):\n    PRINTLN(P.NAME)\nFUNC MAIN():\n    SHOW(PERSON("a", 1))\n'
    lines = shown(optimized(tmp_path, text, level=0), "SHOW")
    assert any(line.startswith("dup") for line in lines) and any(line.startswith("drop") for line in lines)


def test_constants_stand_where_they_are_read(tmp_path: Path) -> None:
    text = """\
CONST LIMIT SET 100
LET NAME SET "n"
FUNC BELOW(N: int): bool:
    LET WORD SET "word"
    PRINTLN(WORD ADD NAME)
    RETURN N LT LIMIT
FUNC MAIN():
    PRINTLN(BELOW(3))
"""
    program = optimized(tmp_path, text)
    lines = shown(program, "BELOW")
    assert not program.globals
    assert any("lt_int N:0, 100" in line for line in lines)
    assert any('nxd_append_string "word", "n"' in line for line in lines)
