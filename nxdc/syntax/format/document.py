"""Formatting the program of a document: each fenced block gets its lines back, all else stays byte for byte."""

from __future__ import annotations

from nxdc.problem import Problem
from nxdc.source.literate import ProgramBlock, program_blocks
from nxdc.source.text import SourceFile
from nxdc.syntax.format.lines import CodeLine, OutLine
from nxdc.syntax.format.printer import print_lines


def print_document(file: SourceFile, lines: list[OutLine], ending: str) -> str:
    """The text of a document with the lines of its program in their blocks. Lines are indented as their fence is."""
    out: list[str] = []
    end = at = 0
    for block in program_blocks(file.text):
        first = at
        while at < len(lines) and _start(lines[at]) < block.end:
            _stay_inside(file, lines[at], block)
            at += 1
        out.append(file.text[end : block.start])
        end = block.end
        if first == at:
            out.append(file.text[block.start : end])  # nothing but blank lines
        for text in print_lines(lines[first:at]):
            out.append((block.margin + text if text else "") + ending)
    return "".join((*out, file.text[end:]))


def _start(line: OutLine) -> int:
    return line.pieces[0].start if isinstance(line, CodeLine) else line.start


def _stay_inside(file: SourceFile, line: OutLine, block: ProgramBlock) -> None:
    """A Problem for a statement that starts in one block and ends in another."""
    if isinstance(line, CodeLine) and line.pieces[-1].start >= block.end:
        number = file.position(line.pieces[0].start)[0]
        raise Problem(
            f"the statement at {file.name}:{number} goes on behind the end of its block: it cannot be formatted",
            "let the statement end before the closing fence",
        )
