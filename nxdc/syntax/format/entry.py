"""Formatting a source file: the one function others call."""

from __future__ import annotations

from nxdc.diagnostics.sink import Sink
from nxdc.problem import CompilerBug
from nxdc.source.literate import is_literate
from nxdc.source.text import SourceFile
from nxdc.syntax.format.document import print_document
from nxdc.syntax.format.lines import CodeLine, CommentLine, Lines, OutLine
from nxdc.syntax.format.printer import print_lines
from nxdc.syntax.layout import layout
from nxdc.syntax.lexer import comments, lex
from nxdc.syntax.parser import parse_file
from nxdc.syntax.walk import same_tree

_SET_APART = frozenset(("FUNC", "TRAIT", "IMPL", "MODULE", "TYPE", "INIT"))


def format_source(file: SourceFile, sink: Sink) -> str | None:
    """The canonical text of a file; None when the file has mistakes, which are then in the sink.

    The result is parsed again: a tree that differs from the file's own would be a bug of the formatter and is never
    given out.
    """
    before = Sink()
    tree = parse_file(file, before)
    if before.has_errors:
        sink.extend(before.diagnostics())
        return None
    text = _print(file)
    after = Sink()
    formatted = SourceFile(file.name, text)
    again = parse_file(formatted, after)
    if after.has_errors or not same_tree(tree, again):
        raise CompilerBug("format", "the formatted text means something else", file.name)
    if sorted(_comments(file.code)) != sorted(_comments(formatted.code)):
        raise CompilerBug("format", "a comment got lost", file.name)
    return text


def _comments(text: str) -> list[str]:
    return [text[start:end].rstrip() for start, end in comments(text)]


def _print(file: SourceFile) -> str:
    tokens = layout(file, lex(file.code), Sink())
    lines = Lines(file.code, tokens, comments(file.code), file.margins).arrange()
    _set_apart(lines)
    ending = "\r\n" if "\r\n" in file.text else "\n"
    if is_literate(file.name, file.text):
        return print_document(file, lines, ending)
    return "".join(text + ending for text in print_lines(lines))


def _set_apart(lines: list[OutLine]) -> None:
    """A blank line before and behind each function and module, with the comments that stand right before it."""
    after_block = False
    for index, line in enumerate(lines):
        if line.level > 0:
            after_block = after_block or isinstance(line, CodeLine)
            continue
        if isinstance(line, CodeLine):
            if index and ((after_block and line.pieces[0].kind not in _CLAUSES) or _head(line) in _SET_APART):
                _blank_before(lines, index)
            after_block = False


_CLAUSES = frozenset(("ELSE", "CATCH", "FINALLY"))


def _head(line: CodeLine) -> str:
    """The word that decides what a line of the module's level is; "" for a function that has no block of its own."""
    kinds = [piece.kind for piece in line.pieces[:3]]
    kind = next((k for k in kinds if k not in ("VIS", "ASYNC")), "")
    if kind != "MODULE" and not line.opens_block:
        return ""
    return kind


def _blank_before(lines: list[OutLine], index: int) -> None:
    """Set the blank line before the comments that belong to the line."""
    while index > 0 and isinstance(lines[index - 1], CommentLine) and not lines[index].blank_before:
        if lines[index - 1].level > 0:
            break
        index -= 1
    if index > 0:
        lines[index].blank_before = True
