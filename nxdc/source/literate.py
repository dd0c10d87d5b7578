"""Literate sources: the program in the fenced `nxd` blocks of a document.

The prose is not cut out but overwritten with blanks. So the program keeps the document's offsets, lines and columns,
and nothing behind the lexer has to know that it came from a document.
"""

from __future__ import annotations

import re

from nxdc.source.record import Record

DOCUMENT_ENDINGS = (".md", ".txt", ".markdown")
_FENCES = ("```", "~~~")
_NO_LINE_END = re.compile(r"\r(?!\n)|[^\r\n]")


def is_literate(name: str, text: str = "") -> bool:
    """Whether a file is a document with a program in it: by its name, or because a line opens a block marked `nxd`
    (which no program has), as in a document that was saved under another name.
    """
    return name.lower().endswith(DOCUMENT_ENDINGS) or text.startswith("```nxd") or "\n```nxd" in text


class ProgramBlock(Record):
    """The lines between two fences, as offsets in the document; `margin` is the indentation of the opening fence, as
    in a list.
    """

    start: int
    end: int
    margin: str
    closed: bool = True


def program_blocks(text: str) -> list[ProgramBlock]:
    """The fenced blocks marked `nxd` of a document. One that is never closed reaches to its end, or to the fence that
    opens another one."""
    found: list[ProgramBlock] = []
    offset = start = 0
    fence = margin = ""  # of the open block: the marker that closes it ("" outside blocks), its indentation
    in_program = False
    for line in _split_lines(text):
        bare = line.strip()
        if fence:
            if in_program and _opens_program(bare):
                found.append(ProgramBlock(start, offset, margin, closed=False))
                start = offset + len(line)
            elif bare.startswith(fence):  # text may be glued to a closing fence
                if in_program:
                    found.append(ProgramBlock(start, offset, margin))
                fence, in_program = "", False
        else:
            marker = next((f for f in _FENCES if bare.startswith(f)), "")
            if marker:
                fence = bare[: len(bare) - len(bare.lstrip(marker[0]))]  # a longer fence may hold shorter ones
                in_program = _opens_program(bare)
                margin = line[: len(line) - len(line.lstrip(" \t"))]
                start = offset + len(line)
        offset += len(line)
    if in_program:
        found.append(ProgramBlock(start, offset, margin, closed=False))
    return found


def unclosed_block(text: str) -> tuple[int, int] | None:
    """The opening fence, from its first to behind its last character, of the first block that is never closed."""
    block = next((block for block in program_blocks(text) if not block.closed), None)
    if block is None:
        return None
    line_end = block.start - text[: block.start].endswith("\n")
    start = text.rfind("\n", 0, line_end) + 1
    return start + len(block.margin), start + len(text[start:line_end].rstrip())


def _opens_program(bare: str) -> bool:
    """Whether a line, without the blanks around it, is a fence marked `nxd`."""
    info = bare.lstrip(bare[0]).split() if bare.startswith(_FENCES) else []
    return bool(info) and info[0].lower() == "nxd"


def mask_prose(text: str, margins: dict[int, int] | None = None) -> str:
    """The text with everything outside fenced `nxd` blocks replaced by blanks; same length, same lines.

    A block inside a list is indented as its fence is; `margins` receives that width for the offset of each such line.
    """
    out: list[str] = []
    end = 0
    for block in program_blocks(text):
        body = text[block.start : block.end]
        out += [_blank(text[end : block.start]), body]
        end = block.end
        if block.margin and margins is not None:
            offset = block.start
            for line in _split_lines(body):
                margins[offset] = min(len(block.margin), len(line) - len(line.lstrip(" \t")))
                offset += len(line)
    return "".join((*out, _blank(text[end:])))


def has_program(text: str) -> bool:
    """Whether the document holds at least one fenced `nxd` block."""
    return bool(mask_prose(text).strip())


def _split_lines(text: str) -> list[str]:
    """Lines that end in LF only: `str.splitlines` would also cut at form feeds and other separators."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _blank(text: str) -> str:
    return _NO_LINE_END.sub(" ", text)
