"""Places in a source text: a file and two offsets (in characters, end excluded)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.source.record import Record

if TYPE_CHECKING:
    from nxdc.source.text import SourceFile


class Span(Record):
    """`file.text[start:end]`. Empty spans mark a point between two characters."""

    file: SourceFile
    start: int
    end: int

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Span) and self.file is other.file and self.start == other.start and self.end == other.end
        )

    def __hash__(self) -> int:
        return hash((id(self.file), self.start, self.end))

    def __repr__(self) -> str:
        return f"Span({self.file.name}:{self.start}-{self.end})"

    @property
    def text(self) -> str:
        """The characters the span covers."""
        return self.file.text[self.start : self.end]

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.file.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.file.position(self.start)[1]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other` (of the same file)."""
        return Span(self.file, self.start, other.end)

    def at_start(self) -> Span:
        """The empty span before the first character."""
        return Span(self.file, self.start, self.start)

    def at_end(self) -> Span:
        """The empty span behind the last character."""
        return Span(self.file, self.end, self.end)
