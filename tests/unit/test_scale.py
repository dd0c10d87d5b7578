"""A generated program of many modules: it prints what it should at all levels, in one unit and cut into many."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.scale.program import program, write
from nxdc.codegen import parallel, units
from nxdc.link import units as kept
from tests.harness import compiler, execute

LINES, SEED = 600, 7
EXPECTED = """\
billing.alpha 187899490
catalog.alpha 93436526
fleet.alpha 1038159
ledger.alpha 757026672
total 295377861
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("scale")
    write(program(LINES, SEED), place)
    return place


def _run(kind: str, binary: Path, folder: Path) -> None:
    modes = [execute.Mode(f"{kind}, {n} workers", binary, n) for n in (1, 4)]
    for result in execute.run_all(modes, folder, [], "", {}):
        assert (result.status, result.err, result.timed_out) == (0, "", False), f"{result.mode.name}\n{result}"
        assert result.out == EXPECTED, result.mode.name


def test_the_seed_decides_the_program() -> None:
    assert program(LINES, SEED) == program(LINES, SEED)
    assert program(LINES, SEED) != program(LINES, SEED + 1)


def test_it_compiles_without_a_warning_and_prints_its_sums(folder: Path, tmp_path: Path) -> None:
    unit = compiler.check([str(folder)], [])
    assert not unit.diagnostics, unit.rendered()
    _run("release -O2", compiler.build(unit, tmp_path / "release", level=2, sanitize=False), folder)
    if compiler.can_sanitize():
        _run("sanitizers -O0", compiler.build(unit, tmp_path / "sanitized", level=0, sanitize=True), folder)


class _Memory:
    """A store that counts."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.found = 0

    def get(self, key: str) -> bytes | None:
        self.found += key in self.kept
        return self.kept.get(key)

    def put(self, key: str, code: bytes) -> None:
        self.kept[key] = code

    def close(self) -> None:
        pass


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> _Memory:
    """Cuts any program into small units, which two processes compile; the store the units are kept in."""
    memory = _Memory()
    monkeypatch.setattr(units, "SPLIT_FROM", 0)
    monkeypatch.setattr(units, "_UNIT", 600)
    monkeypatch.setattr(parallel, "_ALONE", 1)
    monkeypatch.setattr(parallel, "_processors", lambda: 2)
    monkeypatch.setattr(kept, "UnitStore", lambda: memory)
    return memory


def test_cut_into_units_it_prints_the_same(folder: Path, tmp_path: Path, store: _Memory) -> None:
    unit = compiler.check([str(folder)], [])
    _run("units -O2", compiler.build(unit, tmp_path / "two", level=2, sanitize=False), folder)
    assert len(store.kept) > 5
    assert store.found == 0
    _run("units -O0", compiler.build(unit, tmp_path / "zero", level=0, sanitize=False), folder)
    assert store.found == 0


def test_only_what_changed_is_compiled(folder: Path, tmp_path: Path, store: _Memory) -> None:
    compiler.build(compiler.check([str(folder)], []), tmp_path / "first", level=0, sanitize=False)
    before = len(store.kept)
    module = folder / "fleet" / "alpha.nxd"
    text = module.read_text(encoding="utf-8")
    try:
        module.write_text(text.replace("    LET ACC SET ", "\n    LET ACC SET 1 ADD ", 1), encoding="utf-8")
        binary = compiler.build(compiler.check([str(folder)], []), tmp_path / "second", level=0, sanitize=False)
    finally:
        module.write_text(text, encoding="utf-8")
    assert len(store.kept) - before <= 2
    assert store.found >= before - 2
    (result,) = execute.run_all([execute.Mode("changed", binary, 1)], folder, [], "", {})
    assert result.status == 0, result
