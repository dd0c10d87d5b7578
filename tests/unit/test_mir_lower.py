"""The lowering: every node has a handler, and the shapes that later passes rely on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nxdc.mir.lower.entry  # noqa: F401 (registers the handlers)
from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.lower import dispatch
from nxdc.mir.lower.exprs import INLINE
from nxdc.mir.printer import print_program
from nxdc.mir.types import FIXED_TYPES, TypeTable, UnusedType
from nxdc.tables.operators import INFIX, PREFIX
from nxdc.types import model
from tests.unit.mir_helpers import function_of, lowered, shown


def _classes(base: type) -> Iterator[type]:
    for cls in base.__subclasses__():
        yield cls
        yield from _classes(cls)


def test_every_node_of_the_core_has_a_handler() -> None:
    for base, table in ((core.Expr, dispatch.EXPRS), (core.Stmt, dispatch.STMTS), (core.Pattern, dispatch.PATTERNS)):
        own = [cls for cls in _classes(base) if cls.__module__ == core.__name__]
        assert [cls.__name__ for cls in own if cls not in table] == []


def test_every_operator_of_the_table_has_a_lowering() -> None:
    # These have core nodes of their own.
    own = {
        "cast",
        "matches",
        "is",
        "short_circuit",
        "pipe",
        "move",
        "clone",
        "borrow",
        "await",
        "recv",
        "spawn",
        "ping",
    }
    for operator in (*INFIX, *PREFIX):
        if operator.lower in own:
            continue
        for row in operator.rows:
            assert row.inline in INLINE or row.lower in dispatch.INTRINSICS, (operator.word, row.lower)


def test_fixed_types_stand_where_the_abi_says() -> None:
    table = TypeTable()
    assert [d.type for d in table.ordered[: len(FIXED_TYPES)]] == list(FIXED_TYPES)
    assert all(isinstance(d.type, UnusedType) for d in table.ordered[len(FIXED_TYPES) :])
    assert table.number(model.ListType(model.ListType(model.INT))) == 20
    assert table.number(model.ListType(model.INT)) == 8


def test_components_of_a_type_get_numbers_with_it() -> None:
    decl = model.NominalDecl("struct", "NODE", "main", (), None)
    node = model.StructType(decl)
    decl.fields = [("NEXT", model.option_of(node)), ("NAME", model.STRING)]
    table = TypeTable()
    table.descriptor(node)
    assert model.option_of(node) in table.by_type


def test_equal_record_types_share_one_layout() -> None:
    table = TypeTable()
    first = model.RecordType((("A", model.INT), ("B", model.STRING)))
    second = model.RecordType((("B", model.STRING), ("A", model.INT)))
    assert table.canonical(first) is first
    assert table.field_slot(second, 0) == 1


def test_functions_that_cannot_fail_are_found_through_calls(tmp_path: Path) -> None:
    text = """\
FUNC ODD(N: int): bool:
    RETURN BAND(N, 1) EQ 1
FUNC SHOW(N: int):
    IF ODD(N):
        PRINTLN(N)
FUNC SUM(N: int): int:
    RETURN N ADD 1
FUNC MAIN():
    SHOW(1)
    PRINTLN(SUM(1))
"""
    program = lowered(tmp_path, text)
    assert not function_of(program, "ODD").fallible
    assert not function_of(program, "SHOW").fallible
    assert function_of(program, "SUM").fallible
    assert not any("propagate" in line for line in shown(program, "SHOW"))


def test_only_cycles_of_calls_check_the_stack(tmp_path: Path) -> None:
    text = """\
FUNC EVEN(N: int): bool:
    RETURN N EQ 0 OR ODD(N SUB 1)
FUNC ODD(N: int): bool:
    RETURN N NEQ 0 AND EVEN(N SUB 1)
FUNC ONCE(N: int): bool:
    RETURN EVEN(N)
FUNC MAIN():
    PRINTLN(ONCE(4))
"""
    program = lowered(tmp_path, text)
    checked = {
        f.symbol.rpartition(".")[2]
        for f in program.functions
        for block in f.blocks
        for op in block.ops
        if isinstance(op, ops.StackCheck)
    }
    assert checked == {"EVEN", "ODD"}


def test_recursion_through_a_function_value_is_a_cycle(tmp_path: Path) -> None:
    text = """\
FUNC APPLY(F: fn(int): int, N: int): int:
    RETURN F(N)
FUNC DOWN(N: int): int:
    IF N EQ 0:
        RETURN 0
    RETURN APPLY(DOWN, N SUB 1)
FUNC MAIN():
    PRINTLN(APPLY(DOWN, 3))
"""
    program = lowered(tmp_path, text)
    assert function_of(program, "APPLY").recursive
    assert function_of(program, "DOWN").recursive


def test_an_operand_is_copied_when_a_later_one_assigns_it(tmp_path: Path) -> None:
    text = """\
FUNC MAIN():
    LET X SET 1
    LET Y SET X SUB TRY TO_INT("no") CATCH E:
        X SET 5
        7
    PRINTLN(X ADD Y)
"""
    lines = shown(lowered(tmp_path, text), "MAIN")
    difference = next(line for line in lines if "sub_checked" in line)
    assert not difference.split("sub_checked ")[1].startswith("X:")


def test_a_parameter_that_is_assigned_gets_a_register_of_its_own(tmp_path: Path) -> None:
    text = 'FUNC F(S: string): string:\n    S SETADD "x"\n    RETURN S\nFUNC MAIN():\n    PRINTLN(F("a"))\n'
    function = function_of(lowered(tmp_path, text), "F")
    written = {reg for block in function.blocks for op in block.ops for reg in op.writes()}
    assert not written & set(function.params)


def test_a_map_loop_copies_the_keys_only_when_the_body_changes_the_map(tmp_path: Path) -> None:
    text = """\
FUNC GROW(M: MAP<string, int>):
    M["new"] SET 1
FUNC MAIN():
    LET M SET { "a": 1 }
    LOOP K, V IN M:
        PRINTLN(K ADD V)
    LOOP K IN M:
        GROW(M)
"""
    lines = shown(lowered(tmp_path, text), "MAIN")
    assert sum("nxd_map_next" in line for line in lines) == 1
    assert sum("nxd_map_keys" in line for line in lines) == 1


def test_a_program_without_processes_never_polls(tmp_path: Path) -> None:
    loop = "    LET I SET 0\n    LOOP:\n        I SETADD 1\n        IF I GT 5:\n            BREAK\n"
    alone = lowered(tmp_path, f"FUNC MAIN():\n{loop}")
    assert "poll" not in print_program(alone)
    spawning = lowered(tmp_path, f"FUNC WORK():\n{loop}FUNC MAIN():\n    SPAWN WORK()\n")
    assert any(line.startswith("poll") for line in shown(spawning, "WORK"))


def test_dumps_do_not_depend_on_the_run(tmp_path: Path) -> None:
    text = "FUNC MAIN():\n    LET L SET [1, 2]\n    LOOP X IN L:\n        PRINTLN(X)\n"
    assert print_program(lowered(tmp_path, text)) == print_program(lowered(tmp_path, text))
