"""The verifier of the core refuses what the checker must never give."""

from __future__ import annotations

from pathlib import Path

import pytest

from nxdc.check.verify import verify_core
from nxdc.core import tree as core
from nxdc.problem import CompilerBug
from nxdc.types import model
from tests.unit.check_helpers import check

TEXT = """\
FUNC ADD2(X: int): int:
    LET Y SET X ADD 2
    RETURN Y
FUNC MAIN():
    PRINTLN(ADD2(1))
"""


@pytest.fixture
def program(tmp_path: Path) -> core.CoreProgram:
    made, _ = check(tmp_path, TEXT)
    assert made is not None
    verify_core(made)
    return made


def function(program: core.CoreProgram, name: str) -> core.CoreFunction:
    return next(f for f in program.functions if f.name == name)


def refused(program: core.CoreProgram, words: str) -> None:
    with pytest.raises(CompilerBug, match=words):
        verify_core(program)


def test_an_undecided_type(program: core.CoreProgram) -> None:
    let = function(program, "main.ADD2").body[0]
    assert isinstance(let, core.Let)
    let.local.type = model.TypeVar()
    refused(program, "TypeVar")


def test_a_value_of_another_type(program: core.CoreProgram) -> None:
    let = function(program, "main.ADD2").body[0]
    assert isinstance(let, core.Let)
    let.value = core.StringLit(model.STRING, let.span, "x")
    refused(program, "a int is needed, but this is string")


def test_a_call_with_too_few_arguments(program: core.CoreProgram) -> None:
    call = function(program, "main.MAIN").body[0]
    assert isinstance(call, core.ExprStmt)
    assert isinstance(call.value, core.CallPrelude)
    inner = call.value.args[0]
    assert isinstance(inner, core.Call)
    inner.args.clear()
    refused(program, "0 operands for 1")


def test_a_variable_of_another_function(program: core.CoreProgram) -> None:
    stolen = function(program, "main.ADD2").params[0]
    main = function(program, "main.MAIN")
    main.body.insert(0, core.ExprStmt(main.span, core.LocalRef(model.INT, main.span, stolen)))
    refused(program, "of another function")


def test_a_function_that_is_not_there(program: core.CoreProgram) -> None:
    program.functions.remove(function(program, "main.ADD2"))
    refused(program, "is not in the program")


def test_a_break_outside_its_loop(program: core.CoreProgram) -> None:
    main = function(program, "main.MAIN")
    main.body.append(core.Break(main.span, core.Loop(main.span, None, [])))
    refused(program, "leaves a loop")


def test_nothing_returned_for_a_value(program: core.CoreProgram) -> None:
    add = function(program, "main.ADD2")
    add.body[-1] = core.Return(add.span, None)
    refused(program, "nothing is returned")
