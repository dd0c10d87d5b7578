"""`nxdc reindent`: programs whose indentation was taken away come back with the layout in which they mean the same."""

from __future__ import annotations

import pytest

from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax.layout import split_lines
from nxdc.syntax.lexer import comments, lex
from nxdc.syntax.parser import parse_file
from nxdc.syntax.reindent.entry import reindent
from nxdc.syntax.reindent.model import Note
from nxdc.syntax.walk import same_tree
from tests.harness.parse import MAIN_FILE, Case, read_cases
from tests.unit.tree import ROOT

DATA = ROOT / "tests" / "unit" / "data"

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


def _plain(notes: list[Note]) -> list[Note]:
    """The notes of guesses that no habit decides."""
    return [note for note in notes if not note.text.endswith("most likely")]


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
    assert not _plain(notes)


def test_reference_program_as_it_was_given() -> None:
    """The customer's text, a document whose program has lost its indentation and its blank lines."""
    given = (DATA / "XE001.txt").read_text(encoding="utf-8")
    again, notes = reindent(SourceFile("XE001.txt", given))
    program = (ROOT / "examples" / "jobs.nxd").read_text(encoding="utf-8")
    block = again[again.index("```nxd\n") + len("```nxd\n") : again.rindex("```")]
    assert block.splitlines() == [line for line in program.splitlines() if line]
    likely = "the block of this line was taken to reach to line {}, most likely"
    assert [(note.line, note.text) for note in notes] == [(49, likely.format(51)), (132, likely.format(134))]


def test_document_keeps_its_prose() -> None:
    text = "# Title\n  prose\n```nxd\nFUNC F():\nPRINTLN(1)\n```glued\n  more\n"
    again, _ = reindent(SourceFile("doc.md", text))
    assert again == "# Title\n  prose\n```nxd\nFUNC F():\n    PRINTLN(1)\n```glued\n  more\n"


def test_document_under_another_name() -> None:
    text = "prose\n```nxd\nPRINTLN(1)\n```\n"
    sink = Sink()
    parse_file(SourceFile("doc.nxd", text), sink)
    assert not sink.diagnostics()


def _cases() -> list[Case]:
    return [case for path in sorted((DATA / "reindent").glob("*.cases")) for case in read_cases(path)]


@pytest.mark.parametrize("case", _cases(), ids=lambda case: f"{case.path.stem}::{case.name}")
def test_cases(case: Case) -> None:
    """The layout and the notes of `data/reindent`."""
    text = case.files[MAIN_FILE]
    again, notes = reindent(SourceFile(MAIN_FILE, _flat(text)))
    assert again == text
    assert "".join(f"{note.line}: {note.text}\n" for note in notes) == (case.text_of("err") or "")


def test_layout_that_is_there_is_left_alone() -> None:
    text = "FUNC F():\n  PRINTLN(1)\n"
    again, notes = reindent(SourceFile("main.nxd", text))
    assert again == text
    assert notes


PARTS = """FUNC SUMS(L: LIST<int>): int:
    LET T SET 0
    LOOP X IN L:
        IF X LT 0:
            PRINTLN("less")
        T SETADD X
    RETURN T
FUNC SHOW(L: LIST<int>): int:
    LOOP X IN L:
        IF X GT 9:
            RETURN X
        PRINTLN(X)
    RETURN 0
"""


def test_what_is_left_of_a_layout_counts() -> None:
    """The second function was pasted without its indentation, the first one keeps the places of its lines."""
    first, mark, second = PARTS.partition("FUNC SHOW")
    again, _ = reindent(SourceFile("main.nxd", first + mark + _flat(second)))
    assert again == PARTS
    between = first.replace("        T SETADD", "          T SETADD")  # a column that no block has
    assert reindent(SourceFile("main.nxd", between))[0] == first


def test_line_ends_and_blank_lines_stay() -> None:
    text = "FUNC F():\r\nPRINTLN(1)\n  \n\tPRINTLN(2)\r\n# end"
    again, _ = reindent(SourceFile("main.nxd", text.replace("\t", "")))
    assert again == "FUNC F():\r\n    PRINTLN(1)\n  \n    PRINTLN(2)\r\n# end"


UNIQUE = [
    # A function that gives a value does not end without one: RETURN stands behind the loop.
    'FUNC F(N: int): string:\n    LET S SET ""\n    LOOP I IN RANGE(0, N):\n        S SETADD "*"\n    RETURN S\n',
    # A name is not used outside its block.
    'FUNC F(M: MAP<string, LIST<int>>):\n    LOOP X IN M["k"]:\n        REMOVE M["k"]\n        PRINTLN(X)\n',
    # Nothing stands behind a statement that leaves; the cases of one MATCH belong to one type.
    "FUNC F(R: RESULT<int, string>, O: OPTION<int>): int:\n    MATCH R:\n        CASE OK(X):\n            MATCH O:\n"
    "                CASE SOME(Y): RETURN Y\n                CASE NONE: PRINTLN(X)\n            RETURN 1\n"
    "        CASE ERR(_):\n            RETURN 2\n",
    # BREAK ends the loop around it, not one that would run only once.
    "FUNC F(C: CHANNEL<int>, L: LIST<int>):\n    LOOP:\n        LET X SET RECV C\n        IF X EQ 0:\n"
    "            LOOP Y IN L:\n                PRINTLN(Y)\n            BREAK\n        PRINTLN(X)\n",
    # A module variable is not bound in a function.
    "FUNC ADD_ONE():\n    COUNT SETADD 1\nLET COUNT SET 0\nADD_ONE()\n",
    # The last line of a TRY expression's block is its value.
    "FUNC F(S: string): int:\n    LET N SET TRY TO_INT(S) CATCH E:\n        PRINTLN(E)\n        SUB 1\n    RETURN N\n",
]


@pytest.mark.parametrize("text", UNIQUE, ids=range(len(UNIQUE)))
def test_rules(text: str) -> None:
    again, notes = reindent(SourceFile("main.nxd", _flat(text)))
    assert again == text
    assert not _plain(notes)


def _programs() -> list[tuple[str, bool]]:
    """All programs, and whether each is right: no diagnostic is expected of its case."""
    texts = [(path.read_text(encoding="utf-8"), True) for path in sorted((ROOT / "examples").rglob("*.nxd"))]
    for path in sorted((ROOT / "tests").rglob("*.test")):
        for case in read_cases(path):
            right = not case.annotations() and case.section("diag") is None
            texts += [(text, right) for name, text in case.files.items() if name.endswith(".nxd")]
    return texts


def _lines(text: str) -> list[tuple[int, int]]:
    """Number and width of the indentation of each logical line."""
    file = SourceFile("main.nxd", text)
    scan, lines = split_lines(file, Sink())
    return [(file.position(scan.starts[line.first])[0], len(line.indent)) for line in lines]


def _joined(again: str) -> set[int]:
    """The lines that an operator joins to the one above: reindent puts them two steps deeper."""
    found = set()
    statement = 0
    for number, width in _lines(again):
        if width == statement + 8:
            found.add(number)
        else:
            statement = width
    return found


def _blocks(text: str, joined: set[int]) -> dict[int, frozenset[int]]:
    """For each statement of a program the lines of the headers that it stands under."""
    found = {}
    stack: list[tuple[int, int]] = []
    for number, width in _lines(text):
        if number not in joined:
            while stack and stack[-1][1] >= width:
                stack.pop()
            found[number] = frozenset(header for header, _ in stack)
            stack.append((number, width))
    return found


def _untold(text: str, again: str, notes: list[Note]) -> list[int]:
    """The lines that stand in other blocks than they did, though no note is about any of these blocks, nor about a line
    of the part that is different."""
    told = {note.line for note in notes}
    parts: list[list[int]] = [[]]
    moved: dict[int, frozenset[int]] = {}
    joined = _joined(again)
    before, after = _blocks(text, joined), _blocks(again, joined)
    for number in after:
        if before[number] == after[number]:
            parts.append([number])  # a note at the line before or behind the part tells of it
            parts[-2].append(number)
        else:
            parts[-1].append(number)
            moved[number] = before[number] ^ after[number]
    silent = {number for part in parts if not told & {*part} for number in part}
    return [number for number, blocks in moved.items() if number in silent and not blocks & told]


def _tokens(text: str) -> list[str]:
    return [text for text in lex(text).texts if text.strip()] + [text[a:b].rstrip() for a, b in comments(text)]


def test_every_program() -> None:
    """All tokens and comments stay, a second run changes nothing, nine of ten programs mean what they meant, and where
    a right program does not, notes tell of every block that is another one.
    """
    same = other = 0
    silent = []
    for text, right in _programs():
        sink = Sink()
        tree = parse_file(SourceFile("main.nxd", text), sink)
        flat = _flat(text)
        again, notes = reindent(SourceFile("main.nxd", flat))
        assert _tokens(again) == _tokens(text)
        file = SourceFile("main.nxd", again)
        assert again == reindent(file)[0]
        if sink.has_errors or flat == text:
            continue
        if same_tree(tree, parse_file(file, Sink())):
            same += 1
            continue
        other += 1
        if right and _untold(text, again, notes):
            silent.append(text)
    assert same > 9 * other
    assert not silent


@pytest.mark.parametrize(
    "line", ["IF A:", "LOOP X IN L:", "TRY:", "MATCH X:\nCASE OK(A):", "IF A:\nB()\nELSE:", "(", "CASE 1:"]
)
def test_deep_nesting(line: str) -> None:
    text = "FUNC MAIN():\n" + (line + "\n") * 60 + "PRINTLN(1)\nPRINTLN(2)\n"
    assert _tokens(reindent(SourceFile("main.nxd", text))[0]) == _tokens(text)
