"""From tokens to the lines of the canonical layout: which tokens stand together, how deep, with which comments.

Input:  the finished tokens of a file without mistakes, and the places of its comments.
Output: a list of `CodeLine` and `CommentLine` in order. Every real token and every comment is in exactly one of them.

A comment on a line of its own belongs to the block that its column shows, among the blocks that are open there; a
comment behind code belongs to that code. Of several blank lines one is kept.
"""

from __future__ import annotations

from nxdc.source.record import MutableRecord, Record
from nxdc.syntax.tokens import Tokens
from nxdc.tables.operators import BY_WORD

_PREFIX_TEXT = {"NEG": "SUB", "NOT": "NOT", "TNOT": "NOT"}
_CLAUSES = frozenset(("ELSE", "CATCH", "FINALLY"))
_MARKS = frozenset(("NEWLINE", "INDENT", "DEDENT", "GAP", "END"))


class Comment(Record):
    """A comment; `own_line` when nothing but blanks stands before it."""

    text: str
    start: int
    own_line: bool


class Piece(MutableRecord):
    """One token as the formatter sees it."""

    kind: str
    text: str
    start: int
    end: int
    broken: bool  # a line break stands before it in the source
    gap: bool  # the second operand of RAISE or TIMEOUT starts here
    before: list[Comment]  # comments between the token before it and this one, on lines of their own
    behind: Comment | None  # a comment behind it, before the next line


class CodeLine(MutableRecord):
    """A logical line: a simple statement, or a header with what follows it on its line."""

    level: int
    pieces: list[Piece]
    blank_before: bool
    comment: str  # behind the line
    opens_block: bool  # lines of a block follow


class CommentLine(MutableRecord):
    """A comment on a line of its own."""

    level: int
    text: str
    blank_before: bool
    start: int


OutLine = CodeLine | CommentLine


class Lines:
    """Arranges the tokens of one file."""

    def __init__(
        self, text: str, tokens: Tokens, comments: list[tuple[int, int]], margins: dict[int, int] | None = None
    ) -> None:
        """`margins`: the width of the blanks at the start of a line that do not count, by the line's offset."""
        self._text = text
        self._margins = margins or {}
        self._tokens = tokens
        self._comments = [self._comment(start, end) for start, end in comments]
        self._next_comment = 0
        self._out: list[OutLine] = []
        self._pieces: list[Piece] = []
        self._level = 0
        self._columns = [0]  # column of the lines of each open block in the source
        self._last_end = 0  # end of the last token or comment that was placed

    def arrange(self) -> list[OutLine]:
        """The lines of the file."""
        types = self._tokens.types
        blocks: list[bool] = []  # for each INDENT whether it starts lines of its own
        gap = False
        for index, kind in enumerate(types):
            if kind == "GAP":
                gap = True
            elif kind == "INDENT":
                real = self._starts_lines(index)
                blocks.append(real)
                if real:
                    self._flush(opens_block=True)
                    self._level += 1
            elif kind == "NEWLINE":
                if not (blocks and not blocks[-1]):
                    self._flush(opens_block=False)
            elif kind == "DEDENT":
                if blocks.pop():
                    self._level -= 1
            elif kind != "END":
                if kind in _CLAUSES and types[index - 1] == "DEDENT":
                    self._flush(opens_block=False)  # `IF A: B()` and then an ELSE: no NEWLINE stands between
                self._add(index, kind, gap)
                gap = False
        self._flush(opens_block=False)
        self._place_comments(len(self._text), 0)
        return self._out

    def _comment(self, start: int, end: int) -> Comment:
        line_start = self._text.rfind("\n", 0, start) + 1
        own_line = not self._text[line_start:start].strip()
        return Comment(self._text[start:end].rstrip(), start, own_line)

    def _starts_lines(self, index: int) -> bool:
        """Whether the block that starts with the INDENT at `index` stands on lines of its own."""
        tokens = self._tokens
        following = index + 1
        while tokens.types[following] in _MARKS and tokens.types[following] != "END":
            following += 1
        return "\n" in self._text[tokens.ends[index - 1] : tokens.starts[following]]

    # ---- tokens

    def _add(self, index: int, kind: str, gap: bool) -> None:
        tokens = self._tokens
        start, end = tokens.starts[index], tokens.ends[index]
        if not self._pieces:
            self._place_comments(start, self._level)
            del self._columns[self._level + 1 :]
            column = self._column(start)
            self._columns += [column] * (self._level + 1 - len(self._columns))
        if kind in BY_WORD:
            text = kind
        elif kind == "HCOLON":
            text = ":"
        else:
            text = _PREFIX_TEXT.get(kind) or self._text[start:end]
        before = self._inner_comments(start)
        broken = bool(self._pieces) and "\n" in self._text[self._pieces[-1].end : start]
        self._pieces.append(Piece(kind, text, start, end, broken, gap, before, None))

    def _inner_comments(self, start: int) -> list[Comment]:
        """The comments between the last token of this line and offset `start`; one behind that token goes to it."""
        found: list[Comment] = []
        while self._pieces and self._next_comment < len(self._comments):
            comment = self._comments[self._next_comment]
            if comment.start >= start:
                break
            self._next_comment += 1
            if comment.own_line:
                found.append(comment)
            else:
                self._pieces[-1].behind = comment
        return found

    def _flush(self, *, opens_block: bool) -> None:
        """End the line under way."""
        if not self._pieces:
            return
        first, last = self._pieces[0], self._pieces[-1]
        comment = ""
        if self._next_comment < len(self._comments):
            candidate = self._comments[self._next_comment]
            if not candidate.own_line and "\n" not in self._text[last.end : candidate.start]:
                comment = candidate.text
                self._next_comment += 1
        blank = self._blank_before(first.start)
        for lifted in _lift_comments(self._pieces):
            self._out.append(CommentLine(self._level, lifted.text, blank, first.start))
            blank = False
        self._out.append(CodeLine(self._level, self._pieces, blank, comment, opens_block))
        self._last_end = last.end
        self._pieces = []

    # ---- comments

    def _place_comments(self, limit: int, level: int) -> None:
        """Put the comments before offset `limit`, where a line of `level` (or the end of the file) follows."""
        while self._next_comment < len(self._comments):
            comment = self._comments[self._next_comment]
            if comment.start >= limit:
                return
            self._next_comment += 1
            column = self._column(comment.start)
            deepest = len(self._columns) - 1
            fitting = [k for k in range(level, deepest + 1) if self._columns[k] <= column]
            blank = self._blank_before(comment.start)
            self._out.append(CommentLine(max(fitting, default=level), comment.text, blank, comment.start))
            self._last_end = comment.start + len(comment.text)

    def _column(self, offset: int) -> int:
        line_start = self._text.rfind("\n", 0, offset) + 1
        return offset - line_start - self._margins.get(line_start, 0)

    def _blank_before(self, start: int) -> bool:
        between = self._text[self._last_end : start]
        return between.count("\n") > 1


def _lift_comments(pieces: list[Piece]) -> list[Comment]:
    """Take the comments out of type arguments, which stay on one line: they go before the line."""
    lifted: list[Comment] = []
    depth = 0
    for piece in pieces:
        if depth:
            lifted += piece.before
            piece.before = []
        depth += (piece.kind == "TLT") - (piece.kind == "TGT")
        if depth and piece.behind is not None:
            lifted.append(piece.behind)
            piece.behind = None
    return lifted
