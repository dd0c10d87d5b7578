"""The formatter on documents: the blocks of the program come into form, all else stays byte for byte."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from nxdc.cli import app
from nxdc.diagnostics.sink import Sink
from nxdc.problem import Problem
from nxdc.source.literate import program_blocks
from nxdc.source.text import SourceFile
from nxdc.syntax.format.entry import format_source
from tests.harness.parse import read_cases
from tests.unit.tree import ROOT

EXAMPLES = sorted((ROOT / "examples").rglob("*.nxd"))

UGLY = """# Title
1. First:

   ```nxd title=one
   FUNC   F( X:int )
         IF X EQ 1

           PRINTLN( X )
   # about nothing


   ```glued   text
   ```python
   x  =  1
   ```

~~~~ NXD
FUNC MAIN():

  LET L SET [1,
    2]
  F(1)   # call
```
~~~~
```nxd


```
end"""

NEAT = """# Title
1. First:

   ```nxd title=one
   FUNC F(X: int):
       IF X EQ 1:
           PRINTLN(X)
   # about nothing
   ```glued   text
   ```python
   x  =  1
   ```

~~~~ NXD
FUNC MAIN():
    LET L SET [1, 2]
    F(1)  # call
~~~~
```nxd


```
end"""


def _formatted(text: str, name: str = "doc.md") -> str | None:
    return format_source(SourceFile(name, text), Sink())  # raises when the meaning changes


def _prose(text: str) -> list[str]:
    blocks = program_blocks(text)
    ends = [0, *(block.end for block in blocks)]
    return [text[a:b] for a, b in zip(ends, [*(block.start for block in blocks), len(text)], strict=True)]


def _program(text: str) -> list[str]:
    """The lines of the program without the indentation of their fences, without blank lines."""
    found = []
    for block in program_blocks(text):
        lines = text[block.start : block.end].replace("\r\n", "\n").split("\n")
        found += [line.removeprefix(block.margin) for line in lines if line.strip()]
    return found


def test_blocks_are_formatted_and_nothing_else() -> None:
    ugly = UGLY.replace("```\n~~~~\n", "~~~~\n")
    assert _formatted(ugly) == NEAT
    assert _formatted(NEAT) == NEAT
    assert _formatted(ugly.replace("\n", "\r\n")) == NEAT.replace("\n", "\r\n")


@pytest.mark.parametrize("seed", range(12))
def test_programs_cut_into_blocks(seed: int) -> None:
    """A program in a document is formatted as it is alone, wherever the fences cut it."""
    rng = random.Random(seed)
    text = rng.choice(EXAMPLES).read_text(encoding="utf-8")
    alone = _formatted(text, "main.nxd")
    assert alone is not None
    lines = text.split("\n")
    indented = {i for i, line in enumerate(lines) if line.startswith(" ") or line[:1] in (")", "]", "}", "")}
    document, margin, at = "prose\n", "", 0
    while at < len(lines):
        cuts = [i for i in range(at + 1, len(lines)) if i not in indented] or [len(lines)]
        end = rng.choice(cuts[:4])
        margin = rng.choice(("", "   ", "\t"))
        fence = rng.choice(("```", "~~~", "`````"))
        body = [margin + line if line else line for line in lines[at:end]]
        document += "\n".join((margin + fence + "nxd", *body, margin + fence + rng.choice(("", "glued")), "prose  \n"))
        at = end
    once = _formatted(document)
    assert once is not None
    assert _prose(once) == _prose(document)
    assert _program(once) == [line for line in alone.split("\n") if line]
    assert _formatted(once) == once


def _documents() -> list[tuple[str, str]]:
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [(str(path), path.read_text(encoding="utf-8")) for path in paths]
    for path in sorted((ROOT / "tests").rglob("*.test")):
        for case in read_cases(path):
            found += [(f"{case.name}/{name}", text) for name, text in case.files.items() if not name.endswith(".nxd")]
    return found


def test_every_document() -> None:
    done = 0
    for name, text in _documents():
        once = _formatted(text, name if name.endswith((".md", ".txt")) else name + ".md")
        if once is not None:
            done += 1
            assert _prose(once) == _prose(text)
            assert _formatted(once) == once
    assert done > 5


def test_a_statement_that_ends_in_another_block_is_told() -> None:
    text = "```nxd\nLET A SET [1,\n```\nprose\n```nxd\n2]\n```\n"
    with pytest.raises(Problem) as found:
        _formatted(text)
    assert "doc.md:2" in found.value.message


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    mark = b"\xef\xbb\xbf"
    Path("a.md").write_bytes(mark + UGLY.replace("```\n~~~~\n", "~~~~\n").encode())
    assert app.run(["fmt", "--check", "a.md"]) == 1
    assert app.run(["fmt", "a.md"]) == 0
    assert Path("a.md").read_bytes() == mark + NEAT.encode()
    assert app.run(["fmt", "--check", "a.md"]) == 0
    assert capfd.readouterr().err == "a.md is not formatted\nformatted a.md\n"
    Path("plain.md").write_text("# no program\n")
    assert app.run(["fmt", "plain.md"]) == 0
    Path("bad.md").write_text("text\n```nxd\nLET A SET\n```\n")
    assert app.run(["fmt", "bad.md"]) == 1
    assert "bad.md:3:" in capfd.readouterr().err
