"""The formatter: every program of the tests and examples keeps its meaning and its comments, and a second run changes
nothing.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax.format.entry import format_source
from nxdc.syntax.lexer import comments
from tests.fuzz import modules
from tests.fuzz.programs import program
from tests.harness.parse import read_cases
from tests.unit.tree import ROOT

TEST_FILES = sorted((ROOT / "tests").rglob("*.test"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.nxd"))

UGLY = """# head

LET   A   SET  [1,   # one
   2, # two
   # before three
   3
   # last
]  # end
FUNC F( X:int,Y : string )   # sig

   # first in block
   IF X==1   # cond

      A( )   // call
      # tail in if
   # tail in func
# top


# about G
FUNC G( )
      LET M SET { "a":1,
          "b":2 }
      LET S SET "x" ADD  # why
         "y" ADD
           # own
         "z"
      F(  # behind open
        1 ,2)
      RETURN fn(X):

         RETURN X
TYPE P { A:int, B : fn( int ):string
   C: LIST<int> }
TYPE Q {
   A:int, B: int
}
# eof
"""

NEAT = """# head

LET A SET [
    1,  # one
    2,  # two
    # before three
    3
    # last
]  # end

FUNC F(X: int, Y: string):  # sig
    # first in block
    IF X EQ 1:  # cond
        A()  // call
        # tail in if
    # tail in func
# top

# about G
FUNC G():
    LET M SET { "a": 1, "b": 2 }
    LET S SET "x" ADD  # why
            "y" ADD
            # own
            "z"
    F(  # behind open
        1,
        2
    )
    RETURN fn(X):
        RETURN X

TYPE P { A: int, B: fn(int): string, C: LIST<int> }
TYPE Q {
    A: int
    B: int
}
# eof
"""


def _formatted(text: str) -> str | None:
    return format_source(SourceFile("main.nxd", text), Sink())


def _comments(text: str) -> list[str]:
    return [text[start:end].rstrip() for start, end in comments(text)]


def _assert_formats(text: str) -> None:
    once = _formatted(text)  # raises when the meaning changes
    if once is None:
        return
    assert _formatted(once) == once
    assert sorted(_comments(once)) == sorted(_comments(text))
    assert all(line == line.rstrip() for line in once.split("\n"))


def test_canonical_layout() -> None:
    assert _formatted(UGLY) == NEAT
    assert _formatted(NEAT) == NEAT


@pytest.mark.parametrize("path", TEST_FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_test_program(path: Path) -> None:
    for case in read_cases(path):
        for name, text in case.files.items():
            if name.endswith(".nxd"):
                _assert_formats(text)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_every_example(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert _formatted(text) is not None
    _assert_formats(text)


@pytest.mark.parametrize("seed", range(20))
def test_blanks_and_comments_anywhere(seed: int) -> None:
    """Examples with blanks, line breaks in brackets, comments and empty lines put in at random."""
    rng = random.Random(seed)
    text = rng.choice(EXAMPLES).read_text(encoding="utf-8")
    out: list[str] = []
    for original in text.split("\n"):
        line = original
        if rng.random() < 0.1:
            out.append(" " * rng.randrange(12) + f"# note {len(out)}")
        if rng.random() < 0.1:
            out += [""] * rng.randrange(1, 4)
        if '"' not in line and "#" not in line and "//" not in line:
            line = re.sub(
                r"(?<=[,(])", lambda _: rng.choice(["", " ", "\n", "  # c\n"]) if rng.random() < 0.1 else "", line
            )
            line = line + rng.choice(["", "", "  ", " # behind"])
        out.append(line)
    _assert_formats("\n".join(out))


@pytest.mark.parametrize("seed", range(6))
def test_generated_programs(seed: int) -> None:
    files = modules.files(program(seed))
    for text in files.values():
        assert _formatted(text) is not None
        _assert_formats(text)


@pytest.mark.parametrize("seed", range(20))
def test_other_layouts(seed: int) -> None:
    """Tabs for blanks, other widths, more blanks inside lines, empty lines, lines that end in an operator, CRLF: the
    canonical text stays the same, but for the line ends.
    """
    rng = random.Random(seed)
    canonical = _formatted(rng.choice(EXAMPLES).read_text(encoding="utf-8"))
    assert canonical is not None
    step = rng.choice(("\t", " ", "  ", "       "))
    ending = rng.choice(("\n", "\r\n"))
    out: list[str] = []
    for line in canonical.split("\n"):
        depth = (len(line) - len(line.lstrip(" "))) // 4
        body = line.strip()
        if body and '"' not in body and "#" not in body and "//" not in body:
            body = re.sub(r" ", lambda _: rng.choice((" ", "  ", "\t")), body)
            body += rng.choice(("", " ", "\t "))
        out.append(step * depth + body)
    assert _formatted(ending.join(out)) == canonical.replace("\n", ending)


@pytest.mark.parametrize("seed", range(8))
def test_lines_that_go_on(seed: int) -> None:
    rng = random.Random(seed)
    out: list[str] = []
    for line in rng.choice(EXAMPLES).read_text(encoding="utf-8").split("\n"):
        margin = " " * (len(line) - len(line.lstrip(" ")) + rng.randrange(1, 9))
        broken = re.sub(r" (ADD|AND|OR|EQ) ", rf" \1\n{margin}", line, count=1)
        out.append(broken if '"' not in line and "#" not in line else line)
    _assert_formats("\n".join(out))


def test_mistakes_are_reported_and_nothing_comes_out() -> None:
    sink = Sink()
    assert format_source(SourceFile("main.nxd", "LET A SET\n"), sink) is None
    assert sink.has_errors


def test_line_endings_stay() -> None:
    assert _formatted("LET  A SET 1\r\nPRINTLN(A)") == "LET A SET 1\r\nPRINTLN(A)\r\n"


def test_long_lines_are_broken_at_the_widest_brackets() -> None:
    text = f"LET A SET F({', '.join(['ARGUMENT'] * 12)}) ADD G(1)\n"
    once = _formatted(text)
    assert once is not None
    assert once.startswith("LET A SET F(\n    ARGUMENT,\n")
    assert once.endswith("    ARGUMENT\n) ADD G(1)\n")
    _assert_formats(text)
