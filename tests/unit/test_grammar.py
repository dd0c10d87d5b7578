"""The grammar: no conflicts, tables that survive a broken cache, every operator in its place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sly.yacc import Parser

from nxdc.syntax import lalr
from nxdc.syntax.dump import dump_node
from nxdc.syntax.parser import NxdParser, _token_names
from nxdc.tables.operators import INFIX, PREFIX
from tests.unit.syntax_help import expression

START = "import nxdc.syntax.parser as p; print(len(p.NxdParser.actions))"


def _definitions() -> list[tuple[str, object]]:
    return list(vars(NxdParser).items())


def test_grammar_has_no_conflicts() -> None:
    rules = {name: value for name, value in _definitions() if hasattr(value, "rules")}
    body = {"_": None, "tokens": _token_names(), "precedence": NxdParser.precedence, **rules}
    Probe = type(Parser)("Probe", (Parser,), body)
    assert not Probe._lrtable.sr_conflicts
    assert not Probe._lrtable.rr_conflicts
    assert not Probe._grammar.unused_terminals()
    assert not Probe._grammar.unused_rules()


def test_every_operator_is_in_the_precedence_table_once() -> None:
    listed = [word for _, *words in NxdParser.precedence for word in words]
    assert len(listed) == len(set(listed))
    for op in INFIX:
        assert op.word in listed
    assert len([op for op in PREFIX if op.word not in ("SUB", "NOT")]) == sum(
        1 for op in PREFIX if op.word in listed and op.word not in ("SUB", "NOT")
    )


def _start(cache: Path) -> int:
    env = {**os.environ, "NXDC_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", START], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return int(done.stdout)


def test_tables_are_cached_and_a_damaged_cache_is_made_again(tmp_path: Path) -> None:
    states = _start(tmp_path)
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    for damaged in (b"", good[:100], b"\xff" * 50, good[:-10]):
        file.write_bytes(damaged)
        assert _start(tmp_path) == states
        assert file.read_bytes() == good


def test_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert _start(blocked) > 100


def test_tables_of_another_grammar_are_not_used() -> None:
    functions, grammar = lalr._grammar_text(NxdParser, _definitions())
    assert functions
    assert lalr._load(b"", grammar) is None
    assert lalr._load(None, grammar) is None


@pytest.mark.parametrize(
    ("source", "meaning"),
    [
        ("A ADD B MUL C", "(A ADD (B MUL C))"),
        ("A SUB B SUB C", "((A SUB B) SUB C)"),
        ("A MUL B POW C POW D", "(A MUL (B POW (C POW D)))"),
        ("A ADD B EQ C SUB D", "((A ADD B) EQ (C SUB D))"),
        ("A OR B AND C", "(A OR (B AND C))"),
        ("NOT A EQ B", "(NOT (A EQ B))"),
        ("NOT VALID(T)", "(NOT VALID(T))"),
        ("NOT (M HAS K)", "(NOT (M HAS K))"),
        ("NOT A AND B", "((NOT A) AND B)"),
        ("NOT A ADD B", "((NOT A) ADD B)"),
        ("NOT A ADD B EQ C", "(NOT ((A ADD B) EQ C))"),
        ('"x" ADD NOT B ADD "y"', '(("x" ADD (NOT B)) ADD "y")'),
        ("NOT NOT A", "(NOT (NOT A))"),
        ("A AND NOT B IN C", "(A AND (NOT (B IN C)))"),
        ("SUB A MUL B", "((SUB A) MUL B)"),
        ("SUB A.X", "(SUB A.X)"),
        ("SUB SUB A", "(SUB (SUB A))"),
        ("SUB 5 SUB SUB 3", "((SUB 5) SUB (SUB 3))"),
        ("A AS int ADD B", "((A AS int) ADD B)"),
        ("SUB A AS float", "((SUB A) AS float)"),
        ("AWAIT T ADD 1", "((AWAIT T) ADD 1)"),
        ("A PIPE F(B) PIPE G", "((A PIPE F(B)) PIPE G)"),
        ("A OR B PIPE F", "((A OR B) PIPE F)"),
        ("1 ADD IF A THEN 2 ELSE 3 ADD 4", "(1 ADD (IF A THEN 2 ELSE (3 ADD 4)))"),
        ("fn(X) => X ADD 1", "(fn(X) => (X ADD 1))"),
        ("A LT B", "(A LT B)"),
        ("A.B(C)[D].E", "A.B(C)[D].E"),
    ],
)
def test_precedence(source: str, meaning: str) -> None:
    assert expression(source) == meaning


def test_dump_names_the_place() -> None:
    from nxdc.diagnostics.sink import Sink
    from nxdc.source.text import SourceFile
    from nxdc.syntax.parser import parse_file

    tree = parse_file(SourceFile("t.nxd", "LET A SET 1\n"), Sink())
    assert "Let A" in dump_node(tree)
    assert "@1:11" in dump_node(tree)


def test_token_patterns_are_valid_for_sly() -> None:
    """The lexer skips SLY's checks of every pattern at each start; here they run."""
    import re

    from nxdc.syntax.lexer import NxdLexer

    assert [name for name, _ in NxdLexer._rules] == [
        "WORD", "NEWLINE", "COMMENT", "SYMBOL", "STRING", "NUMBER", "OPENSTRING", "QUOTED", "CHAR",
    ]  # fmt: skip
    for name, pattern in NxdLexer._rules:
        assert re.compile(pattern).match("") is None, name
