"""Every code has its page for `nxdc explain`, and the page keeps its promise: the bad program gets the code, the good
one is clean. Every code is used, and some test expects it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from nxdc.diagnostics import codes
from nxdc.diagnostics.codes.registry import REGISTRY
from tests.harness import compiler, execute
from tests.unit.tree import PACKAGE, ROOT, c_files, python_files

PAGES = PACKAGE / "diagnostics" / "explain"
HEADINGS = ["Meaning", "Example", "Why", "How to fix", "Related"]
COMPILE_TIME = sorted(number for number in REGISTRY if number[0] in "PSW")
RUN_TIME = sorted(number for number in REGISTRY if number[0] == "E")
assert codes  # importing the package registers the codes


def _page(number: str) -> str:
    path = PAGES / f"{number}.md"
    assert path.exists(), f"{path.relative_to(ROOT)} is missing"
    return path.read_text(encoding="utf-8")


def _section(page: str, heading: str) -> str:
    match = re.search(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", page, re.MULTILINE | re.DOTALL)
    return match[1] if match else ""


def _program(page: str, heading: str) -> str | None:
    match = re.search(r"^```nxd\n(.*?)^```", _section(page, heading), re.MULTILINE | re.DOTALL)
    return match[1] if match else None


def _check(text: str, folder: Path) -> compiler.Unit:
    source = folder / "main.nxd"
    source.write_text(text, encoding="utf-8")
    return compiler.check([str(source)], [])


@pytest.mark.parametrize("number", sorted(REGISTRY))
def test_page_has_its_parts(number: str) -> None:
    page = _page(number)
    assert page.startswith(f"# {REGISTRY[number].shown}"), "the title is the code"
    found = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert found == HEADINGS


@pytest.mark.parametrize("number", COMPILE_TIME)
def test_bad_program_gets_the_code(number: str, tmp_path: Path) -> None:
    program = _program(_page(number), "Example")
    if program is None:
        pytest.skip("this one cannot be shown as a program text")
    unit = _check(program, tmp_path)
    assert {found.code for found in unit.found} == {number}, unit.rendered()


@pytest.mark.parametrize("number", sorted(REGISTRY))
def test_good_program_is_clean(number: str, tmp_path: Path) -> None:
    program = _program(_page(number), "How to fix")
    if program is None:
        pytest.skip("no program needed")
    unit = _check(program, tmp_path)
    assert not unit.found, unit.rendered()


@pytest.mark.parametrize("number", RUN_TIME)
def test_bad_program_raises_the_code(number: str, tmp_path: Path) -> None:
    program = _program(_page(number), "Example")
    if program is None:
        pytest.skip("this one cannot be shown as a program text")
    unit = _check(program, tmp_path)
    assert not unit.has_errors, unit.rendered()
    binary = compiler.build(unit, tmp_path / "program", level=0, sanitize=False)
    (result,) = execute.run_all([execute.Mode("example", binary, 2)], tmp_path, [], "", {})
    assert result.err.startswith(f"error: {number}: "), result.err
    assert result.status == 1


@cache
def _all_tests() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("*.test")))


# Codes that a data file cannot bring about (bytes that are not UTF-8, planned features); a Python test names them.
ELSEWHERE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))


@pytest.mark.parametrize("number", sorted(REGISTRY))
def test_code_is_used_and_tested(number: str) -> None:
    pattern = re.compile(rf"\b(?:codes\.|{number[0]}\.)?{number}\b|NXD_ERROR_{number}\b|NXD_{number}\b")
    sources = [path for path in python_files() if "codes" not in path.parts] + c_files()
    used = any(pattern.search(path.read_text(encoding="utf-8")) for path in sources)
    assert used, "nothing reports it"
    expected = number in _all_tests() or number in ELSEWHERE
    assert expected, "no test expects it"


def test_no_page_without_a_code() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} <= set(REGISTRY)
