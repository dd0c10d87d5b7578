"""`nxdc reindent`: programs whose indentation was taken away come back with the layout in which they mean the same."""

from __future__ import annotations

import pytest

from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax.parser import parse_file
from nxdc.syntax.reindent.entry import reindent
from nxdc.syntax.walk import same_tree
from tests.unit.tree import ROOT

FUNCTIONS = """FUNC FIND(L: LIST<int>, X: int): OPTION<int>:
    LOOP I FROM 0 TO LEN(L) SUB 1:
        IF L[I] EQ X:
            RETURN SOME(I)
    RETURN NONE

FUNC SHOW(L: LIST<int>):
    LET TOTAL SET 0
    LOOP X IN L:
        IF X LT 0:
            CONTINUE
        LET Y SET X MUL 2
        PRINTLN(Y)
        TOTAL SETADD Y
    PRINTLN("total " ADD TOTAL)
    RETURN NONE
"""

CLAUSES = """FUNC F(N: int): string:
    TRY:
        IF N GT 0:
            PRINTLN("more")
        ELSE IF N EQ 0:
            PRINTLN("zero")
        OTHERWISE:
            PRINTLN("less")
    CATCH E3001:
        PRINTLN("closed")
    CATCH E:
        PRINTLN(E)
        RETURN "failed"
    FINALLY:
        PRINTLN("done")
    RETURN "fine"
"""

MATCHES = """FUNC F(R: RESULT, O: OPTION<int>):
    MATCH R:
        CASE OK(V):
            MATCH O:
                CASE SOME(X):
                    PRINTLN(X ADD V)
                CASE NONE:
                    PRINTLN(V)
        CASE ERR(E):
            PRINTLN(E)
    PRINTLN("end")
""".replace('    PRINTLN("end")\n', "")

LOOPS = """FUNC MAIN():
    LET CH SET CHANNEL<int>()
    LET N SET 3
    LOOP WHILE N GT 0:
        SEND N TO CH
        N SET N SUB 1
    CLOSE CH
    LOOP I FROM 1 TO 3:
        LOOP J FROM 1 TO I:
            PRINTLN(I MUL J)
    LOOP:
        LET X SET TRY RECV CH CATCH E:
            PRINTLN(E)
            BREAK
        PRINTLN(X)
"""

DECLARATIONS = """MODULE a.b
TYPE P {
    NAME: string
    AGE: int
}
TYPE Q STRUCT:
    X: int
    Y: int
TYPE C ENUM:
    RED
    GREEN
TRAIT SHOWN:
    FUNC SHOW(X): string
    FUNC NAME(X): string
IMPL SHOWN FOR P:
    FUNC SHOW(X: P): string:
        RETURN X.NAME
    FUNC NAME(X: P): string:
        RETURN "p"
FUNC OTHER(): int:
    RETURN 1
MODULE app.main
INIT:
    PRINTLN(1)
FUNC MAIN():
    # a comment goes with the line below it
    PRINTLN(LEN([
        1,
        2
    ]))
"""


def _flat(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))


@pytest.mark.parametrize("text", [FUNCTIONS, CLAUSES, MATCHES, LOOPS, DECLARATIONS], ids=range(5))
def test_layout_comes_back(text: str) -> None:
    assert reindent(SourceFile("main.nxd", _flat(text)))[0] == text


def test_reference_program() -> None:
    text = (ROOT / "examples" / "jobs.nxd").read_text(encoding="utf-8")
    again, notes = reindent(SourceFile("jobs.nxd", _flat(text)))
    tree, back = (parse_file(SourceFile("jobs.nxd", source), Sink()) for source in (text, again))
    assert same_tree(tree, back)
    assert not notes


def test_document_keeps_its_prose() -> None:
    text = "# Title\n  prose\n```nxd\nFUNC F():\nPRINTLN(1)\n```glued\n  more\n"
    again, _ = reindent(SourceFile("doc.md", text))
    assert again == "# Title\n  prose\n```nxd\nFUNC F():\n    PRINTLN(1)\n```glued\n  more\n"


def test_document_under_another_name() -> None:
    text = "prose\n```nxd\nPRINTLN(1)\n```\n"
    sink = Sink()
    parse_file(SourceFile("doc.nxd", text), sink)
    assert not sink.diagnostics()


def test_guesses_are_told() -> None:
    _, notes = reindent(SourceFile("main.nxd", "FUNC F(A: bool):\nIF A:\nPRINTLN(1)\nPRINTLN(2)\n"))
    assert [(note.line, note.text) for note in notes] == [(2, "the block of this line was taken to reach to line 4")]


def test_layout_that_is_there_is_left_alone() -> None:
    text = "FUNC F():\n  PRINTLN(1)\n"
    again, notes = reindent(SourceFile("main.nxd", text))
    assert again == text
    assert notes
