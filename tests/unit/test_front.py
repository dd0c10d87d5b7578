"""Source texts, literals, spans, and rendering: what a user sees of a place in a file."""

from __future__ import annotations

import json

import pytest

from nxdc.diagnostics import codes
from nxdc.diagnostics.fixes import apply_edits, apply_fixes, fixes_of
from nxdc.diagnostics.model import Diagnostic, Edit, Fix, Label
from nxdc.diagnostics.render_json import render as render_json
from nxdc.diagnostics.render_text import render, render_one
from nxdc.diagnostics.sink import Sink
from nxdc.diagnostics.width import clip, expand
from nxdc.source.literate import mask_prose
from nxdc.source.span import Span
from nxdc.source.text import SourceFile, decode
from nxdc.syntax import ast
from nxdc.syntax.layout import layout
from nxdc.syntax.lexer import lex
from nxdc.syntax.literals import Literals
from nxdc.syntax.walk import descend
from tests.unit.syntax_help import codes_of, items, parse

# ---- source ----------------------------------------------------------------------------------------------------------


def test_bom_and_line_endings() -> None:
    file = decode("a.nxd", b"\xef\xbb\xbfLET A SET 1\r\nPRINTLN(A)\r\n")
    assert file.text.startswith("LET")
    assert file.position(file.text.index("PRINTLN")) == (2, 1)
    assert file.line_text(1) == "LET A SET 1"
    assert file.line_count == 2
    sink = Sink()
    from nxdc.syntax.parser import parse_file

    parse_file(file, sink)
    assert not sink.diagnostics()


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"\xff\xfeL\x00", "encoding"), (b'PRINTLN("\xe9")', "bytes"), (b"A\x00B", "nul"), (b"\xfe\xff\x00L", "encoding")],
)
def test_what_is_no_text(data: bytes, kind: str) -> None:
    (problem,) = decode("a.nxd", data).problems
    assert problem.kind == kind
    assert codes.P1001.wordings[kind].format_map(problem.args)


def test_prose_is_blanked_without_moving_anything() -> None:
    text = "# Title\n\n```nxd\nLET A SET 1\n```glued\nprose ```\n~~~ nxd\nPRINTLN(A)\n~~~\n```python\nx = 1\n```\n"
    code = mask_prose(text)
    assert len(code) == len(text)
    assert code.split() == ["LET", "A", "SET", "1", "PRINTLN(A)"]
    assert code.index("PRINTLN") == text.index("PRINTLN")
    assert mask_prose("no block") == " " * 8


# ---- literals and spans ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        ("0xff", 255),
        ("0XFF", 255),
        ("0b1010", 10),
        ("0o17", 15),
        ("3.14", 3.14),
        ("1e10", 1e10),
        ("1.5e-3", 0.0015),
        ("007", 7),
        ("9223372036854775807", 2**63 - 1),
    ],
)
def test_number(text: str, value: float) -> None:
    (item,) = items(f"X SET {text}\n")
    assert isinstance(item, ast.Assign)
    assert isinstance(item.value, (ast.IntLit, ast.FloatLit))
    assert item.value.value == value
    assert type(item.value.value) is type(value)


def test_least_int_only_behind_sub() -> None:
    assert codes_of("X SET SUB 9223372036854775808\n") == []
    assert codes_of("X SET 9223372036854775808\n") == ["P1004"]
    assert codes_of("X SET SUB 9223372036854775809\n") == ["P1004"]
    assert codes_of("X SET 1 SUB 9223372036854775808\n") == ["P1004"]
    assert codes_of("X SET SUB 0x8000000000000000\n") == []


@pytest.mark.parametrize("text", ["1_000", "5L", "0x", "0b12", "0o8", "1.", ".5", "1e999", "1e"])
def test_bad_number(text: str) -> None:
    assert codes_of(f"X SET {text}\n") == ["P1004"]


def test_string_escapes() -> None:
    file = SourceFile("a.nxd", "")
    literals = Literals(file, Sink())
    assert literals.string(r'"\n\t\r\0\"\\\u{1F600}"', 0) == '\n\t\r\0"\\\U0001f600'
    assert codes_of('X SET "# no comment // here"\n') == []


def test_token_places_cover_the_text() -> None:
    source = 'FUNC F(A: int): int:\n    RETURN A ADD "x" # comment\nF(1)\n'
    file = SourceFile("a.nxd", source)
    tokens = layout(file, lex(file.code), Sink())
    for kind, value, start, end in zip(tokens.types, tokens.values, tokens.starts, tokens.ends, strict=True):
        if kind == "NAME":
            assert source[start:end] == value
        if kind in ("NEWLINE", "DEDENT", "END"):
            continue
        assert start <= end <= len(source)
    assert tokens.types.count("INDENT") == tokens.types.count("DEDENT") == 1


def test_spans_nest() -> None:
    with open("examples/jobs.nxd", encoding="utf-8") as handle:
        tree, sink = parse(handle.read())
    assert not sink.diagnostics()
    for node in descend(tree):
        for field in node._fields:
            child = getattr(node, field)
            if isinstance(child, ast.Node) and not isinstance(node, (ast.SourceUnit, ast.FieldPat)):
                assert node.span.start <= child.span.start <= child.span.end <= node.span.end, (node, child)


# ---- rendering -------------------------------------------------------------------------------------------------------


def _diagnostic(text: str, marked: str, **more: object) -> Diagnostic:
    file = SourceFile("main.nxd", text)
    start = text.index(marked)
    span = Span(file, start, start + len(marked))
    return Diagnostic(codes.S3001, "name", {"name": marked}, Label(span, "here"), **more)  # type: ignore[arg-type]


def test_tabs_and_wide_characters_do_not_move_the_mark() -> None:
    lines = render_one(_diagnostic('\tLET A SET "日本é" ADD B', "ADD B")).split("\n")
    assert lines[3] == '1 |     LET A SET "日本é" ADD B'
    assert lines[4] == "  | " + " " * 22 + "^^^^^ here"


def test_combining_characters_take_no_column() -> None:
    shown, columns = expand("e\u0301X")
    assert columns == [0, 1, 1, 2]
    assert clip(shown, 0, 1) == "e\u0301"


def test_long_line_is_cut_around_the_mark() -> None:
    text = "A ADD " * 100 + "WRONG" + " ADD A" * 100
    lines = render_one(_diagnostic(text, "WRONG")).split("\n")
    assert max(len(line) for line in lines) < 140
    column = lines[4].index("^")
    assert lines[3][column : column + 5] == "WRONG"


def test_place_at_the_end_of_the_file() -> None:
    file = SourceFile("main.nxd", "LET A SET")
    found = Diagnostic(codes.P1002, "end", {}, Label(Span(file, 9, 9), ""))
    assert "1 | LET A SET" in render_one(found)
    empty = SourceFile("main.nxd", "")
    assert render_one(Diagnostic(codes.P1002, "end", {}, Label(Span(empty, 0, 0), "")))


def test_several_labels_on_one_line() -> None:
    file = SourceFile("main.nxd", "AAA BBB CCC\n")
    found = Diagnostic(
        codes.S3001,
        "name",
        {"name": "B"},
        Label(Span(file, 4, 7), "middle"),
        (Label(Span(file, 0, 3), "left"), Label(Span(file, 8, 11), "right")),
    )
    assert render_one(found).split("\n")[3:] == [
        "1 | AAA BBB CCC",
        "  | --- ^^^ --- right",
        "  | |   middle",
        "  | left",
    ]


def test_colour_only_when_asked() -> None:
    found = _diagnostic("LET A SET B", "B")
    assert "\x1b" not in render([found])
    assert "\x1b[" in render([found], color=True)
    assert render([]) == ""


def test_json_is_one_object_a_line() -> None:
    file = SourceFile("main.nxd", "X SET -5\n")
    fix = Fix("write `SUB 5`", (Edit(Span(file, 6, 7), "SUB "),))
    found = Diagnostic(codes.P1012, "literal", {"text": "5"}, Label(Span(file, 6, 8), ""), fixes=(fix,))
    lines = render_json([found, found]).splitlines()
    assert len(lines) == 2
    data = json.loads(lines[0])
    assert data["code"] == "NXD-P1012"
    assert (data["primary"]["line"], data["primary"]["column"], data["primary"]["end_column"]) == (1, 7, 9)
    assert data["fixes"][0]["edits"][0]["replacement"] == "SUB "


# ---- sink and fixes --------------------------------------------------------------------------------------------------


def test_sink_sorts_and_drops_repetitions() -> None:
    file = SourceFile("main.nxd", "ABCDEF\n")
    sink = Sink()
    for start in (3, 1, 1, 0):
        sink.report(codes.S3001, "name", Span(file, start, start + 1), name=str(start))
    assert [d.primary.span.start for d in sink.diagnostics()] == [0, 1, 3]


def test_fixes_that_touch_wait_a_round() -> None:
    file = SourceFile("main.nxd", "ABCDEF")
    first = Fix("a", (Edit(Span(file, 0, 2), "x"),))
    clash = Fix("b", (Edit(Span(file, 1, 3), "y"),))
    apart = Fix("c", (Edit(Span(file, 4, 5), "z"),))
    assert apply_fixes([first, clash, apart])[file] == "xCDzF"
    assert apply_edits("ABC", [Edit(Span(file, 1, 1), "-"), Edit(Span(file, 1, 1), "-")]) == "A-BC"


def test_fixing_twice_changes_nothing_more() -> None:
    text = "def f(a):\n    x = -5\n    if a == x && a != 3: print('a');\nF(1)\n"
    for _ in range(5):
        _, sink = parse(text)
        fixed = apply_fixes(fixes_of(sink.diagnostics(), "likely"))
        if not fixed:
            break
        text = next(iter(fixed.values()))
    assert text == 'FUNC F(A):\n    LET X SET SUB 5\n    IF A EQ X AND A NEQ 3: PRINTLN("a")\nF(1)\n'
