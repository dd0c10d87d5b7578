"""The tokens that the parser reads, as parallel lists, and the lines that layout makes of the raw tokens."""

from __future__ import annotations

from nxdc.source.record import MutableRecord


class Tokens(MutableRecord):
    """Finished tokens. `values`: the text of a name, the value of a literal, the canonical word of an operator."""

    types: list[str]
    values: list[object]
    starts: list[int]
    ends: list[int]

    def emit(self, kind: str, value: object, start: int, end: int) -> None:
        """Append one token."""
        self.types.append(kind)
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)

    def cut(self, length: int) -> None:
        """Drop what was emitted after the first `length` tokens."""
        del self.types[length:], self.values[length:], self.starts[length:], self.ends[length:]


class Line(MutableRecord):
    """A logical line: raw tokens [first, last) without line breaks; `start` is the offset where its physical line
    begins, `indent` the blanks before its first token.
    """

    first: int
    last: int
    start: int
    indent: str
    broken: bool  # its brackets do not match (reported): it is not read any further
    header: bool  # its last token is a colon


class LineResult(MutableRecord):
    """What classifying a logical line found out."""

    head: str  # "IF", "CASE", "LET", ...: decides which clause may follow
    block: str  # kind of the block that an indented continuation is: "stmts", "fields", ...; "" when none can follow
    colon: bool  # the line ends with its header colon (already emitted)
    inline: int  # one-line blocks open at the end of the line, to be closed behind it (or behind its block)
    continues: bool  # the line ends in an infix operator: the next one belongs to it
    dropped: bool  # nothing of it may be parsed (reported)
