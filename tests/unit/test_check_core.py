"""What the checker makes of small programs: the core says every conversion, callee and capture."""

from __future__ import annotations

from pathlib import Path

from tests.unit.check_helpers import check, core_of


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def test_literals_adapt_and_values_are_boxed(tmp_path: Path) -> None:
    found = lines(
        core_of(
            tmp_path,
            "FUNC MAIN():\n    LET X: float SET 1\n    LET A: any SET X\n    LET N: float SET A\n    PRINTLN(N)\n",
        )
    )
    assert "LET X: float = 1.0" in found
    assert "LET A: any = to_any<any>(X)" in found
    assert "LET N: float = from_any<float>(A)" in found


def test_empty_list_gets_its_type_later(tmp_path: Path) -> None:
    text = "FUNC F():\n    LET OUT SET []\n    PUSH OUT, 1.5\n    RETURN OUT\nFUNC MAIN():\n    PRINTLN(F())\n"
    found = lines(core_of(tmp_path, text))
    assert "FUNC main.F(): LIST<float>" in found
    assert "LET OUT: LIST<float> = LIST<float> []" in found


def test_none_then_value_is_nullable_and_narrowed(tmp_path: Path) -> None:
    text = """\
TYPE W { LOAD: int }
FUNC BEST(L: LIST<W>):
    LET B SET NONE
    LOOP X IN L:
        IF B IS NONE OR X.LOAD LT B.LOAD:
            B SET X
    RETURN B
FUNC MAIN():
    PRINTLN(BEST([]))
"""
    found = core_of(tmp_path, text)
    assert "LET B: W or NONE = NONE:W or NONE" in found
    assert "lt_int(X.LOAD, narrowed<W>(B).LOAD)" in found


def test_none_then_some_is_option(tmp_path: Path) -> None:
    text = """\
TYPE W { LOAD: int }
FUNC BEST(L: LIST<W>):
    LET B SET NONE
    LOOP X IN L:
        IF B IS NONE OR X.LOAD LT B.LOAD:
            B SET SOME(X)
    RETURN B
FUNC MAIN():
    PRINTLN(BEST([]))
"""
    found = core_of(tmp_path, text)
    assert "LET B: OPTION<W> = OPTION<W>.NONE()" in found
    assert "((B is NONE) OR lt_int(X.LOAD, B.SOME#0.LOAD))" in found


def test_templates_are_instances_by_argument_type(tmp_path: Path) -> None:
    found = core_of(
        tmp_path,
        'FUNC T(X):\n    RETURN X ADD X\nFUNC MAIN():\n    PRINTLN(T(1))\n    PRINTLN(T("a"))\n    PRINTLN(T(2))\n',
    )
    assert found.count("FUNC main.T<int>(X: int): int") == 1
    assert found.count("FUNC main.T<string>(X: string): string") == 1


def test_dead_branch_of_an_instance_is_not_checked(tmp_path: Path) -> None:
    text = """\
FUNC F(X):
    IF X IS int:
        RETURN X ADD 1
    RETURN LEN(X)
FUNC MAIN():
    PRINTLN(F(1))
    PRINTLN(F("ab"))
"""
    assert "FUNC main.F<string>(X: string): int" in core_of(tmp_path, text)


def test_recursion_finds_its_result_in_a_second_round(tmp_path: Path) -> None:
    text = """\
FUNC F(N: int):
    IF N GT 0:
        RETURN F(N SUB 1) ADD F(N SUB 2)
    RETURN 1.5
FUNC MAIN():
    PRINTLN(F(3))
"""
    found = core_of(tmp_path, text)
    assert "FUNC main.F(N: int): float" in found
    assert "fadd(main.F(sub_checked(N, 1)), main.F(sub_checked(N, 2)))" in found


def test_module_variable_gets_its_type_from_a_function_below(tmp_path: Path) -> None:
    text = """\
LET ITEMS SET []
FUNC SHOW():
    LOOP X IN ITEMS:
        PRINTLN(X.NAME)
TYPE P { NAME: string }
FUNC FILL():
    PUSH ITEMS, P { NAME: "a" }
FUNC MAIN():
    FILL()
    SHOW()
"""
    found = core_of(tmp_path, text)
    assert "GLOBAL main.ITEMS: LIST<P>" in found
    assert "PRINTLN<string>(X.NAME)" in found


def test_captured_and_set_is_a_cell(tmp_path: Path) -> None:
    text = "FUNC MAIN():\n    LET N SET 0\n    LET F SET fn():\n        N SETADD 1\n    F()\n    PRINTLN(N)\n"
    found = core_of(tmp_path, text)
    assert "LET @N: int = 0" in found
    assert "FUNC main.MAIN.fn1(@N: int): none captures 1" in found


def test_spawn_snapshots_its_captures(tmp_path: Path) -> None:
    text = "FUNC MAIN():\n    LET N SET 0\n    SPAWN fn():\n        PRINTLN(N)\n    N SET 1\n    PRINTLN(N)\n"
    found = core_of(tmp_path, text)
    assert "LET N: int = 0" in found
    assert "spawn PROCESS<none> main.MAIN.fn1(N)" in found


def test_concatenation_is_one_node(tmp_path: Path) -> None:
    found = core_of(tmp_path, 'FUNC MAIN():\n    LET X SET 1\n    PRINTLN("a" ADD X ADD "b" ADD 2.5)\n')
    assert 'PRINTLN<string>(concat("a", X, "b", 2.5))' in found


def test_result_payload_is_converted_at_construction(tmp_path: Path) -> None:
    found = core_of(tmp_path, "FUNC F(): RESULT:\n    RETURN OK(1)\nFUNC MAIN():\n    PRINTLN(F())\n")
    assert "return RESULT<any, string>.OK(to_any<any>(1))" in found


def test_overloads_on_an_any_are_chosen_at_run_time(tmp_path: Path) -> None:
    text = """\
FUNC D(X: int): int: RETURN 1
FUNC D(X: string): int: RETURN 2
FUNC MAIN():
    LET A: any SET 5
    PRINTLN(D(A))
"""
    found = core_of(tmp_path, text)
    assert "(if ($t is int) then main.D(from_any<int>($t)) else main.D(from_any<string>($t)))" in found


def test_only_what_is_reached_is_given(tmp_path: Path) -> None:
    found = core_of(tmp_path, "FUNC DEAD(): int: RETURN 1\nFUNC MAIN():\n    PRINTLN(1)\n")
    assert "DEAD" not in found


def test_int_literal_beside_a_float_result(tmp_path: Path) -> None:
    text = "FUNC F(X: float):\n    IF X GT 1: RETURN 0\n    RETURN X\nFUNC MAIN():\n    PRINTLN(F(1))\n"
    assert "return 0.0" in core_of(tmp_path, text)


def test_dumps_are_the_same_every_time(tmp_path: Path) -> None:
    text = """\
LET M SET MAP { "a": 1 }
FUNC F(X):
    RETURN [X]
FUNC MAIN():
    PRINTLN(F(M["a"]))
    PRINTLN(F({ B: 1, A: 2 }))
"""
    assert core_of(tmp_path, text) == core_of(tmp_path, text)


def test_a_long_chain_does_not_exhaust_the_stack(tmp_path: Path) -> None:
    chain = " ADD ".join(["1"] * 900)
    program, _ = check(tmp_path, f"FUNC MAIN():\n    PRINTLN({chain})\n")
    assert program is not None
