"""docs/checklist: each sentence of the language names tests that exist and run."""

from __future__ import annotations

import pytest

from tests.unit.tree import ROOT, load_script

checklist = load_script(ROOT / "docs" / "checklist.py")


def test_every_sentence_names_tests_that_run() -> None:
    rows = checklist.read_rows()
    assert rows, "no page has a row"
    assert list(checklist.problems_of_tests(rows)) == []


def test_what_is_wrong_is_told() -> None:
    """A test that is not there, one that is skipped, none at all, and a number given twice."""
    path = "unit/test_checklist.py"
    rows = [
        checklist.Row("p.md", 1, "1.1", "A.", (f"{path}::test_what_is_wrong_is_told",)),
        checklist.Row("p.md", 2, "1.1", "B.", (f"{path}::test_missing",)),
        checklist.Row("p.md", 3, "1.2", "C.", ()),
        checklist.Row("p.md", 4, "1.3", "D.", (f"{path}::test_skipped_on_purpose",)),
    ]
    assert list(checklist.problems_of_tests(rows)) == [
        "docs/checklist/p.md:2: 1.1: the number is given twice",
        f"docs/checklist/p.md:2: 1.1: there is no test `{path}::test_missing`",
        "docs/checklist/p.md:3: 1.2: names no test",
        f"docs/checklist/p.md:4: 1.3: `{path}::test_skipped_on_purpose` is skipped or known to fail",
    ]


@pytest.mark.skip(reason="shows the script a skipped test")
def test_skipped_on_purpose() -> None:
    """Never runs."""


def test_left_out_and_invented_text_is_told() -> None:
    reference = "# R\nintro\n\n## 1. First\n\n- One `A`, or\n  two. Three.\n| a | b |\n"
    rows = [checklist.Row("p.md", i, f"1.{i}", says, ()) for i, says in enumerate(["One `A`,", "two.", "Four.", "b"])]
    assert list(checklist.problems_of_text(rows, reference)) == [
        "docs/checklist/p.md:1: 1.1: left out before it: or",
        "docs/checklist/p.md:2: 1.2: the reference does not say this here",
        "docs/checklist/p.md:3: 1.3: left out before it: Three. a",
    ]
