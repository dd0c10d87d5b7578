"""The README keeps its promises: its programs compile, print what it says, and the broken one gets the text shown."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.harness import compiler, execute
from tests.unit.tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
DOCUMENTS = sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def _next_text(program: str) -> str:
    """The text block that follows a program."""
    at = BLOCKS.index(("nxd", program))
    return next(text for language, text in BLOCKS[at:] if language == "text")


PROGRAMS = [text for language, text in BLOCKS if language == "nxd"]


def test_first_program_prints_what_the_readme_says(tmp_path: Path) -> None:
    source = tmp_path / "first.nxd"
    source.write_text(PROGRAMS[0], encoding="utf-8")
    unit = compiler.check([str(source)], [])
    assert not unit.found, unit.rendered()
    binary = compiler.build(unit, tmp_path / "first", level=2, sanitize=False)
    (result,) = execute.run_all([execute.Mode("first", binary, 2)], tmp_path, [], "", {})
    assert result.out == _next_text(PROGRAMS[0])


def test_broken_program_gets_the_diagnostics_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.nxd").write_text(PROGRAMS[1], encoding="utf-8")
    unit = compiler.check(["broken.nxd"], [])
    shown = _next_text(PROGRAMS[1]).rsplit("\n\n", 1)[0]
    assert unit.rendered().strip().startswith(shown.strip())


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", ["README.md", *(os.path.join("docs", name) for name in DOCUMENTS)])
def test_links_lead_somewhere(name: str) -> None:
    path = ROOT / name
    for target in re.findall(r"\]\(([^)#\s]+)?(?:#([^)]+))?\)", path.read_text(encoding="utf-8")):
        file = (path.parent / target[0]) if target[0] else path
        if target[0].startswith(("http:", "https:")):
            continue
        assert file.exists(), f"{name}: {target[0]}"
        if target[1]:
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert target[1] in {_anchor(heading) for heading in headings}, f"{name}: #{target[1]}"


def test_every_example_is_named() -> None:
    for path in (ROOT / "examples").glob("*.nxd"):
        assert f"examples/{path.name}" in README
