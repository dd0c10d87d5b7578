"""Literate sources: the program in the fenced `nxd` blocks of a document.

The prose is not cut out but overwritten with blanks. So the program keeps the document's offsets, lines and columns,
and nothing behind the lexer has to know that it came from a document.
"""

from __future__ import annotations

_EXTENSIONS = (".md", ".txt", ".markdown")
_FENCES = ("```", "~~~")


def is_literate(name: str, text: str = "") -> bool:
    """Whether a file is a document with a program in it: by its name, or because a line opens a block marked `nxd`
    (which no program has), as in a document that was saved under another name.
    """
    return name.lower().endswith(_EXTENSIONS) or text.startswith("```nxd") or "\n```nxd" in text


def mask_prose(text: str, margins: dict[int, int] | None = None) -> str:
    """The text with everything outside fenced `nxd` blocks replaced by blanks; same length, same lines.

    A block inside a list is indented as its fence is; `margins` receives that width for the offset of each such line.
    """
    out: list[str] = []
    offset = margin = 0
    fence = ""  # the marker that closes the open block, "" outside blocks
    in_program = False
    for line in _split_lines(text):
        bare = line.strip()
        if in_program and margin and margins is not None:
            margins[offset] = min(margin, len(line) - len(line.lstrip(" \t")))
        offset += len(line)
        if fence:
            if bare.startswith(fence):  # text may be glued to a closing fence
                fence, in_program = "", False
                out.append(_blank(line))
            else:
                out.append(line if in_program else _blank(line))
            continue
        marker = next((f for f in _FENCES if bare.startswith(f)), "")
        if marker:
            fence = bare[: len(bare) - len(bare.lstrip(marker[0]))]  # a longer fence may hold shorter ones
            info = bare.lstrip(marker[0]).strip().split()
            in_program = bool(info) and info[0].lower() == "nxd"
            margin = len(line) - len(line.lstrip(" \t"))
        out.append(_blank(line))
    return "".join(out)


def has_program(text: str) -> bool:
    """Whether the document holds at least one fenced `nxd` block."""
    return bool(mask_prose(text).strip())


def _split_lines(text: str) -> list[str]:
    """Lines that end in LF only: `str.splitlines` would also cut at form feeds and other separators."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _blank(line: str) -> str:
    ending = "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""
    return " " * (len(line) - len(ending)) + ending
