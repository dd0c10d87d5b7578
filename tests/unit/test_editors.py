"""The files for editors: their words are those of the compiler, their patterns read what the compiler prints."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from nxdc.diagnostics.render_text import render
from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.parser import parse_file
from nxdc.tables.operators import INFIX, PREFIX
from nxdc.tables.prelude import BY_NAME
from tests.unit.tree import ROOT, load_script

EDITORS = ROOT / "editors"


def test_generated_files_are_current() -> None:
    for path, text in load_script(EDITORS / "generate.py").files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make gen`"


def test_every_word_of_the_language_is_shown() -> None:
    """Read back from the files, so that a word cannot get lost between the tables and them."""
    wanted = {*kw.RESERVED, *kw.COMMANDS, *kw.TYPE_WORDS, *kw.VALUE_WORDS, *BY_NAME}
    wanted |= {op.word for op in (*INFIX, *PREFIX)} | {"MATCH", "SELECT", "SPAWN", "SOME", "NONE", "NON_DIGIT"}
    vim = (EDITORS / "vim" / "syntax" / "nxd.vim").read_text(encoding="utf-8")
    in_vim = {word for line in re.findall(r"^syn keyword \w+ (.*)$", vim, re.MULTILINE) for word in line.split()}
    assert wanted - in_vim == set()
    grammar = json.loads((EDITORS / "vscode" / "syntaxes" / "nxd.tmLanguage.json").read_text(encoding="utf-8"))
    in_code = {word for p in grammar["patterns"] for word in re.findall(r"\w+", p.get("match", ""))}
    assert wanted - in_code == set()


def test_patterns_of_the_grammar_are_patterns() -> None:
    grammar = json.loads((EDITORS / "vscode" / "syntaxes" / "nxd.tmLanguage.json").read_text(encoding="utf-8"))
    for pattern in grammar["patterns"]:
        for key in ("match", "begin", "end"):
            re.compile(pattern.get(key, ""))


def _matched(patterns: list[dict[str, Any]], text: str) -> list[tuple[str, ...]]:
    """What the problem matcher finds: its patterns fit lines that follow each other."""
    first, second = (re.compile(pattern["regexp"]) for pattern in patterns)
    lines = text.split("\n")
    found = []
    for line, following in pairwise(lines):
        head, place = first.match(line), second.match(following)
        if head and place:
            found.append((*head.groups(), *place.groups()))
    return found


def test_problem_matcher_reads_diagnostics() -> None:
    package = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    for path in ("language-configuration.json", "syntaxes/nxd.tmLanguage.json"):
        assert (EDITORS / "vscode" / path).exists()
    sink = Sink()
    parse_file(SourceFile("a b/main.nxd", "LET a SET 1\nPRINTLN(1+1)\n"), sink)
    (matcher,) = package["contributes"]["problemMatchers"]
    found = _matched(matcher["pattern"], render(sink.diagnostics(), color=False))
    assert [(severity, code, file, line, column) for severity, code, _, file, line, column in found] == [
        ("error", "NXD-P1011", "a b/main.nxd", "1", "5"),
        ("warning", "NXD-W2004", "a b/main.nxd", "2", "10"),
    ]
