"""Short runs of the fuzzers with fixed seeds; the long ones are commands (docs/contributing.md)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz import differential, modules, mutate, reduce
from tests.fuzz.programs import program, programs
from tests.harness import compiler


@pytest.fixture(autouse=True)
def _environment() -> None:
    compiler.prepare_environment()


@pytest.mark.parametrize("seed", [3, 11])
def test_builds_agree(seed: int, tmp_path: Path) -> None:
    report = differential.finding(program(seed), tmp_path)
    assert report is None, f"python -m tests.fuzz.programs {seed}\n{report}"


@settings(derandomize=True, database=None, deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))
@given(programs())
def test_generated_programs_are_well_typed(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        unit = differential.check(text, Path(folder))
    assert not unit.has_errors, unit.rendered()


def test_the_same_seed_gives_the_same_program() -> None:
    assert program(7) == program(7)
    assert program(7) != program(8)


def test_mutants_get_diagnostics(tmp_path: Path) -> None:
    texts = mutate.corpus()
    assert len(texts) > 100
    for number in range(150):
        text = mutate.mutant(Random(f"unit/{number}"), texts)
        report = mutate.finding(text, tmp_path / "main.nxd")
        assert report is None, f"{text}\n{report}"


def test_statements_that_do_not_matter_are_left_out() -> None:
    text = "A\nB:\n    C\n    D\nE\n"
    assert reduce.without_statements(text, lambda candidate: "D" in candidate, 5) == "B:\n    D\n"


def test_hypothesis_finds_simpler_choices() -> None:
    text = program(5)
    wanted = text.count("SET") // 2
    small = reduce.simpler(5, text, lambda candidate: candidate.count("SET") >= wanted, 4)
    assert small.count("SET") >= wanted
    assert len(small) < len(text)


def test_a_text_stands_for_files() -> None:
    text = f"{modules.IN_FILES}\nMODULE lib.a\nLET X SET 1\nMODULE app.main\nIMPORT lib.a\n"
    assert modules.files(text) == {
        "app/main.nxd": "MODULE app.main\nIMPORT lib.a\n",
        "lib/a.nxd": "MODULE lib.a\nLET X SET 1\n",
    }
