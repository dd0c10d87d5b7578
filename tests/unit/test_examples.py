"""Every program of examples/ compiles without a warning and prints what examples/expected/ says, in every mode.

`expected/NAME.out` is the whole output; `expected/NAME.lines` are lines that must come in this order, maybe with
others between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from nxdc.cli import app
from tests.harness import compiler, execute
from tests.unit.tree import ROOT

EXAMPLES = ROOT / "examples"
EXPECTED = EXAMPLES / "expected"
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.nxd"))
OTHER_FORMS = {"jobs_split": "jobs", "jobs_document.md": "jobs"}  # several files, a document; whose output they have


def _contains_in_order(lines: list[str], text: str) -> str | None:
    """The first line that does not come after the ones before it, or None."""
    rest: Iterator[str] = iter(text.split("\n"))
    return next((wanted for wanted in lines if wanted not in rest), None)


def _check_output(name: str, result: execute.Result) -> None:
    whole = EXPECTED / f"{name}.out"
    if whole.exists():
        assert result.out == whole.read_text(encoding="utf-8")
    else:
        wanted = (EXPECTED / f"{name}.lines").read_text(encoding="utf-8").splitlines()
        missing = _contains_in_order(wanted, result.out)
        assert missing is None, f"not in this order: {missing}\n{result.out}"


def _build_and_check(paths: list[str], name: str, folder: Path) -> None:
    unit = compiler.check(paths, [])
    assert not unit.diagnostics, unit.rendered()
    binaries = [("release -O2", compiler.build(unit, folder / "release", level=2, sanitize=False))]
    if compiler.can_sanitize():
        binaries.append(("sanitizers -O0", compiler.build(unit, folder / "sanitized", level=0, sanitize=True)))
    modes = [execute.Mode(f"{kind}, {n} workers", binary, n) for kind, binary in binaries for n in (1, 2, 8)]
    for result in execute.run_all(modes, folder, [], "", {}):
        assert (result.status, result.err, result.timed_out) == (0, "", False), f"{result.mode.name}\n{result}"
        _check_output(name, result)


def test_there_is_an_expectation_for_each() -> None:
    stems = {path.stem for path in EXPECTED.iterdir()}
    assert set(PROGRAMS) == stems


@pytest.mark.parametrize("name", PROGRAMS)
def test_example(name: str, tmp_path: Path) -> None:
    _build_and_check([str(EXAMPLES / f"{name}.nxd")], name, tmp_path)


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_example_in_another_form(form: str, tmp_path: Path) -> None:
    _build_and_check([str(EXAMPLES / form)], OTHER_FORMS[form], tmp_path)


def test_examples_are_formatted(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(EXAMPLES.rglob("*.nxd")) + sorted(EXAMPLES.glob("*.md"))
    status = app.run(["fmt", "--check", *map(str, files)])
    assert (status, capsys.readouterr().err) == (0, "")


def test_the_document_holds_the_program() -> None:
    """The blocks of the document, and the program that it explains, are the same lines."""
    blocks = re.findall(r"^```nxd\n(.*?)^```$", (EXAMPLES / "jobs_document.md").read_text("utf-8"), re.M | re.S)
    program = (EXAMPLES / "jobs.nxd").read_text(encoding="utf-8")
    assert [line for block in blocks for line in block.splitlines() if line] == [s for s in program.splitlines() if s]


def test_jobs_many_times_without_sleep(tmp_path: Path) -> None:
    """The reference program with SLEEP(0) agrees with itself whatever the schedule."""
    text = (EXAMPLES / "jobs.nxd").read_text(encoding="utf-8").replace("SLEEP(1)", "SLEEP(0)")
    source = tmp_path / "jobs.nxd"
    source.write_text(text, encoding="utf-8")
    unit = compiler.check([str(source)], [])
    binary = compiler.build(unit, tmp_path / "jobs", level=2, sanitize=False)
    for _round in range(10):
        modes = [execute.Mode(f"{n} workers", binary, n) for n in (1, 2, 8)]
        for result in execute.run_all(modes, tmp_path, [], "", {}):
            assert result.status == 0, result
            _check_output("jobs", result)
