"""Short runs of the fuzzers with fixed seeds; the long ones are commands (docs/contributing.md)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fuzz import differential, mutate
from tests.fuzz.programs import program
from tests.harness import compiler


@pytest.fixture(autouse=True)
def _environment() -> None:
    compiler.prepare_environment()


@pytest.mark.parametrize("seed", [3, 11])
def test_builds_agree(seed: int, tmp_path: Path) -> None:
    report = differential.finding(program(seed), tmp_path)
    assert report is None, f"python -m tests.fuzz.programs {seed}\n{report}"


def test_generated_programs_are_well_typed(tmp_path: Path) -> None:
    for seed in range(500, 512):
        source = tmp_path / "main.nxd"
        source.write_text(program(seed), encoding="utf-8")
        unit = compiler.check([str(source)], [])
        assert not unit.has_errors, f"python -m tests.fuzz.programs {seed}\n{unit.rendered()}"


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


def test_shrink_leaves_what_matters() -> None:
    text = "A\nB:\n    C\n    D\nE\n"
    assert differential.shrink(text, lambda candidate: "D" in candidate, 5) == "B:\n    D\n"
