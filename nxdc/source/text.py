"""Source files: reading, decoding, and finding the line and column of an offset.

Input:  a path, or a text given by a test.
Output: a `SourceFile` whose `text` is what the user sees in an editor (without BOM, CRLF kept as written) and whose
        `code` has the same length and the same lines but, in a literate document, only the program's characters.
        All offsets of the compiler index both alike.
Problems of encoding are returned as facts (`TextProblem`); the caller turns them into diagnostics.
"""

from __future__ import annotations

import errno
from bisect import bisect_right

from nxdc.source.literate import is_literate, mask_prose, unclosed_block
from nxdc.source.record import Record

_LARGEST = 64_000_000  # bytes of a source: devices have no end, and what is larger was not written as one
_BOM_UTF8 = b"\xef\xbb\xbf"
_OTHER_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class TextProblem(Record):
    """Something wrong with the text of a file: `kind` is a wording of P1001, `start`/`end` are offsets in the text."""

    kind: str
    start: int
    end: int
    args: dict[str, object]


class SourceFile:
    """One source text with its line table."""

    __slots__ = ("_line_starts", "code", "margins", "name", "path", "problems", "text")

    def __init__(self, name: str, text: str, path: str | None = None, problems: tuple[TextProblem, ...] = ()) -> None:
        self.name = name
        self.path = path if path is not None else name  # "": part of the compiler, no file of the user's
        self.text = text
        self.margins: dict[int, int] = {}  # indentation of the fences, by offset of a line of a literate document
        literate = is_literate(name, text)
        self.code = mask_prose(text, self.margins) if literate else text
        unclosed = unclosed_block(text) if literate else None
        if unclosed is not None:
            line = text.count("\n", 0, unclosed[0]) + 1
            problems = (*problems, TextProblem("fence", *unclosed, {"line": line}))
        self.problems = problems
        self._line_starts: list[int] | None = None

    def __repr__(self) -> str:
        return f"SourceFile({self.name!r})"

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first character of every line."""
        starts = self._line_starts
        if starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._line_starts = starts
        return starts

    @property
    def line_count(self) -> int:
        """Number of lines; a text that ends in a line break has no further line."""
        starts = self.line_starts
        return len(starts) - 1 if len(starts) > 1 and starts[-1] == len(self.text) else len(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, columns in characters."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_range(self, line: int) -> tuple[int, int]:
        """Offsets of the first character of line `line` and of its line break."""
        starts = self.line_starts
        start = starts[line - 1]
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def line_text(self, line: int) -> str:
        """The text of a line without its line break."""
        start, end = self.line_range(line)
        return self.text[start:end]


def decode(name: str, data: bytes, path: str | None = None) -> SourceFile:
    """Decode the bytes of a file. What is not UTF-8 becomes a problem of the file, never an exception."""
    problems: list[TextProblem] = []
    for bom, encoding in _OTHER_BOMS:
        if data.startswith(bom):
            problem = TextProblem("encoding", 0, 0, {"encoding": encoding})
            return SourceFile(name, "", path, (problem,))
    if data.startswith(_BOM_UTF8):
        data = data[3:]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", "replace")
        start = len(data[: error.start].decode("utf-8", "replace"))
        problems.append(TextProblem("bytes", start, start + 1, {"byte": f"0x{data[error.start]:02x}"}))
    nul = text.find("\0")
    if nul >= 0:
        problems.append(TextProblem("nul", nul, nul + 1, {}))
    return SourceFile(name, text, path, tuple(problems))


def read_source(path: str, name: str | None = None) -> SourceFile:
    """Read and decode a file. `OSError` is the caller's to report: it knows how the file came to be asked for."""
    with open(path, "rb") as handle:
        data = handle.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(errno.EFBIG, f"it is larger than {_LARGEST // 1_000_000} million bytes", path)
    return decode(name if name is not None else path, data, path)
