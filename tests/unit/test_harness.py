"""The harness itself: the data format, wildcards, annotations, rewriting."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness import match
from tests.harness.parse import Expected, TestFileError, parse_cases, replace_section

DATA = """\
-- remarks
[case first]
PRINTLN([1,
[2]])  //~ S3002 "text" //~ W2001
    //~^ S3001 "above"
[out]
\\[out]
x

[case second]
[file a/b.nxd]
MODULE a.b
[file c.nxd]
MODULE c
[out unordered]
b
a
[exit 3]
"""


def test_cases_and_sections() -> None:
    first, second = parse_cases(Path("x.test"), DATA)
    assert first.text_of("out") == "[out]\nx\n"
    assert "[2]])" in first.files["main.nxd"]
    assert list(second.files) == ["a/b.nxd", "c.nxd"]
    assert (second.exit_status, second.text_of("out unordered")) == (3, "b\na\n")


def test_annotations() -> None:
    first, _second = parse_cases(Path("x.test"), DATA)
    assert first.annotations() == [
        Expected("main.nxd", 2, "S3002", "text"),
        Expected("main.nxd", 2, "W2001", ""),
        Expected("main.nxd", 2, "S3001", "above"),
    ]


@pytest.mark.parametrize(
    "text", ["", "[out]\nx\n", "text\n[case a]\n", "[case a]\n[case a]\n", "[case Upper]\n"], ids=range(5)
)
def test_wrong_files_are_refused(text: str) -> None:
    with pytest.raises(TestFileError):
        parse_cases(Path("x.test"), text)


def test_a_misspelt_annotation_is_refused() -> None:
    (case,) = parse_cases(Path("x.test"), "[case a]\nPRINTLN(1)  //~S3001\n")
    with pytest.raises(TestFileError):
        case.annotations()


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a\n\n", True),
        ("a\n", "b\n", False),
        ("a...\n", "abc\n", True),
        ("...\nz\n", "a\nb\nz\n", True),
        ("a\n...\n", "a\n", True),
        ("a\n...\n", "b\n", False),
        ("x<...>z\n", "xyyz\n", True),
        ("a.b\n", "axb\n", False),
        ("", "", True),
        ("", "a\n", False),
    ],
)
def test_wildcards(expected: str, actual: str, same: bool) -> None:
    assert match.matches(expected, actual) is same


def test_find_in_order() -> None:
    assert match.find_in_order("a  b\nc", "x a b\n c") is None
    assert match.find_in_order("c\na", "a\nc\n") == "a"


def test_replace_section(tmp_path: Path) -> None:
    path = tmp_path / "x.test"
    path.write_text(DATA, encoding="utf-8")
    replace_section(path, "first", "out", "", "new\n[err]\n")
    replace_section(path, "second", "err", "", "problem\n")
    first, second = parse_cases(path, path.read_text(encoding="utf-8"))
    assert first.text_of("out") == "new\n[err]\n"
    assert (second.text_of("err"), second.exit_status) == ("problem\n", 3)
    with pytest.raises(ValueError, match="recording"):
        replace_section(path, "first", "exit", "1", "")
