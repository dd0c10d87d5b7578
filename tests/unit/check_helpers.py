"""Checking small programs in unit tests."""

from __future__ import annotations

from pathlib import Path

from nxdc.check.entry import check_program
from nxdc.core import tree as core
from nxdc.core.dump import dump_core
from nxdc.diagnostics.sink import Sink
from nxdc.modules.entry import load_program


def check(folder: Path, text: str) -> tuple[core.CoreProgram | None, Sink]:
    """The core of a program (None when it has errors) and what was reported."""
    path = folder / "main.nxd"
    path.write_text(text, encoding="utf-8")
    sink = Sink()
    return check_program(load_program([str(path)], sink), sink), sink


def core_of(folder: Path, text: str) -> str:
    """The core of a program without errors, as text."""
    program, sink = check(folder, text)
    assert program is not None, [d.message for d in sink.diagnostics()]
    return dump_core(program)


def codes_of(folder: Path, text: str) -> list[tuple[str, int]]:
    """Code and line of everything reported."""
    _, sink = check(folder, text)
    return [(d.code.number, d.primary.span.line) for d in sink.diagnostics()]
