"""`reindent`: the one function others call.

Input:  a file whose lines have lost their indentation, all of it or in parts.
Output: the same lines, each indented as the blocks that it is in; nothing but blanks at the start of lines changes.
        Where nothing in the text decides, a note says what was assumed.
"""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax.parser import parse_file
from nxdc.syntax.reindent.facts import Facts
from nxdc.syntax.reindent.guesses import guesses
from nxdc.syntax.reindent.model import Note, State
from nxdc.syntax.reindent.render import render
from nxdc.syntax.reindent.search import Search

_LAYOUT_CODES = frozenset((codes.P1013.number, codes.P1014.number))


def reindent(file: SourceFile) -> tuple[str, list[Note]]:
    """The text with its layout, and what had to be assumed. A file that has a layout comes back as it is."""
    facts = Facts(file)
    if any(line.indent for line in facts.lines) and not _has_layout_mistakes(file):
        return file.text, [Note(1, "some lines are indented: the file has a layout, and was left as it is")]
    search = Search(facts)
    path = search.path()
    return render(facts, _levels(path)), guesses(search, path)


def mistakes_of(name: str, text: str) -> int:
    """How many mistakes of syntax a text has."""
    sink = Sink()
    parse_file(SourceFile(name, text), sink)
    return sink.error_count


def _has_layout_mistakes(file: SourceFile) -> bool:
    sink = Sink()
    parse_file(file, sink)
    return any(diagnostic.code.number in _LAYOUT_CODES for diagnostic in sink.diagnostics())


def _levels(path: list[State]) -> list[int]:
    """The level of every logical line; lines that an operator joins to the one above go two steps deeper."""
    found: list[int] = []
    for state in path[1:]:
        found.append(state.level)
        found += [state.level + 2] * (state.following - state.index - 1)
    return found
