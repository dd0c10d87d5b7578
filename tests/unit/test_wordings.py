"""Every wording of every diagnostic is brought about by a case of the tests, so that none is only written down."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from nxdc import driver
from nxdc.diagnostics.codes import REGISTRY
from tests.harness import compiler
from tests.harness.parse import MAIN_FILE, Case, read_cases
from tests.unit.tree import ROOT

# What a data file cannot hold: bytes that are no text.
BYTES = {"encoding": b"\xff\xfeP\x00", "bytes": b'PRINTLN("\xff")\n', "nul": b"PRINTLN(1)\x00\n"}
WORDINGS = {(code.number, wording) for code in REGISTRY.values() if code.number[0] != "E" for wording in code.wordings}


def _found(paths: list[str], flags: list[str]) -> set[tuple[str, str]]:
    unit = compiler.check(paths, flags)
    return {(found.code.number, found.wording) for found in unit.compilation.sink.found()}


def _found_in(case: Case) -> set[tuple[str, str]]:
    """The wordings that the case asks for."""
    for name, text in case.files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    names = list(case.files)
    paths = [MAIN_FILE] if MAIN_FILE in names else names if len(names) == 1 else ["."]
    return _found(paths, case.words_of("flags"))


@cache
def _triggered() -> set[tuple[str, str]]:
    cases = [case for path in sorted((ROOT / "tests").rglob("*.test")) for case in read_cases(path)]
    found: set[tuple[str, str]] = set()
    before = Path.cwd()
    for case in cases:
        if case.section("known-bug") or not (case.annotations() or case.section("diag")):
            continue
        with TemporaryDirectory(prefix="nxd-test-") as folder:
            os.chdir(folder)
            try:
                found |= _found_in(case)
            except driver.StageFailed:
                pass  # the case itself fails then
            finally:
                os.chdir(before)
    return found


@pytest.mark.parametrize("kind", sorted(BYTES))
def test_bytes_that_are_no_text(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "main.nxd"
    path.write_bytes(BYTES[kind])
    assert _found([str(path)], []) == {("P1001", kind)}


def test_every_wording_is_brought_about_by_a_case() -> None:
    """One test for all: the cases are checked once."""
    missing = sorted(WORDINGS - {("P1001", kind) for kind in BYTES} - _triggered())
    assert not missing, f"no case asks for {missing}"
