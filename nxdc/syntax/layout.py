"""Layout: from raw tokens to the finished token list, with blocks marked by INDENT and DEDENT.

1. Brackets are matched and physical lines joined inside them (`lines`).
2. Each logical line is classified by `words`, with what layout knows: the block it stands in, and whether the next line
   is deeper.
3. Indentation becomes tokens. Every statement ends in NEWLINE, also behind a block; only before ELSE, CATCH and FINALLY
   that go on with the statement above them there is none. So `HCOLON INDENT statement NEWLINE ... DEDENT` is the one
   shape of a block, and an ELSE belongs to the IF of its own column whatever stood on the line between.
What cannot be read (reported) becomes ERRSTMT, or ERRHEAD with its block.
"""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import MutableRecord
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.bindings import new_names
from nxdc.syntax.blanks import report_odd_blanks
from nxdc.syntax.foreign.slashes import report_slashes
from nxdc.syntax.indentation import Indentation
from nxdc.syntax.lexer import RawTokens, lex
from nxdc.syntax.lines import NEVER_IN_BRACKETS, Lines
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Line, LineResult, Tokens
from nxdc.syntax.words import Words

MAX_BLOCKS = 100

_TOP_LEVEL = frozenset(("MODULE", "IMPORT", "EXPORT", "FUNC", "TYPE", "TRAIT", "IMPL", "PUBLIC", "PRIVATE", "INTERNAL"))
# Which line may stand before a clause, by the head of that line.
_CLAUSES = {
    "ELSE": ("IF", "IFX"), "OTHERWISE": ("IF", "IFX"), "CATCH": ("TRY", "CATCH", "TRYX"), "FINALLY": ("TRY", "CATCH"),
    "ELIF": ("IF",), "ELSEIF": ("IF",),
}  # fmt: skip
_CLAUSE_OPENERS = {"ELSE": "IF", "OTHERWISE": "IF", "CATCH": "TRY", "FINALLY": "TRY", "ELIF": "IF", "ELSEIF": "IF"}
_HEADERS_INSIDE = frozenset(("SET", "SETADD", "SPAWN", "CATCH", "TRYX", "ARROW"))  # `X SET SPAWN:`


class _Open(MutableRecord):
    """An open block."""

    indent: int
    text: str  # the indentation itself
    kind: str
    inline: int  # one-line blocks to be closed behind it
    head: str  # head of the last line in it
    broken: bool  # the last line in it could not be read: its clauses are not blamed
    mixed: str  # another indentation that stood for its own once, and was reported
    flat: bool  # cases in the column of their MATCH (reported)


def layout(file: SourceFile, raw: RawTokens, sink: Sink) -> Tokens:
    """The finished tokens of a file."""
    return layout_with_starts(file, raw, sink)[0]


def layout_with_starts(file: SourceFile, raw: RawTokens, sink: Sink) -> tuple[Tokens, list[int]]:
    """The finished tokens, and the offsets where the logical lines start."""
    made = _Layout(file, raw, sink)
    return made.run(), made.line_starts


def split_lines(file: SourceFile, sink: Sink) -> tuple[Scanner, list[Line]]:
    """The logical lines of a file, without regard to its indentation."""
    made = Lines(file, lex(file.code), sink)
    made._split()
    return made._scan, made._lines


class _Layout(Lines):
    def __init__(self, file: SourceFile, raw: RawTokens, sink: Sink) -> None:
        super().__init__(file, raw, sink)
        self._reports = Indentation(file, self._scan, sink)
        self._out = Tokens([], [], [], [])
        self.line_starts: list[int] = []

    def run(self) -> Tokens:
        lines_are_lost = report_odd_blanks(self._file, self._raw, self._sink)
        report_slashes(self._file, self._sink)
        self._split()
        if lines_are_lost or self._reports.is_missing(self._lines):
            end = len(self._file.text)
            self._out.emit("END", "", end, end)
            return self._out
        scan = self._scan
        self._words = Words(self._file, scan, self._out, self._sink, scan.functions() & kw.SPECIAL)
        self._words.path_words = scan.path_words()
        if "=" in scan.texts:
            self._words.new_names = new_names(scan, self._lines)
        self._arrange()
        return self._out

    # ------------------------------------------------------------------------------------------------ indentation

    def _arrange(self) -> None:
        scan, out, lines = self._scan, self._out, self._lines
        self._blocks = [_Open(0, "", "stmts", 0, "", False, "", False)]
        self._started = False  # a statement stands before, in the innermost block
        index = 0
        self._stray: Line | None = None  # the last line that returns to no enclosing indentation
        self._skip_deeper: int | None = None  # lines indented more than this are left out
        while index < len(lines):
            line = lines[index]
            self.line_starts.append(scan.starts[line.first])
            indent = self._indent_of(line)
            if self._skip_deeper is not None:
                if indent > self._skip_deeper:
                    index += 1
                    continue
                self._skip_deeper = None
            self._place(line, indent)
            block = self._blocks[-1]
            clause = self._clause(line, block)
            if self._started and not (clause and clause != "CASE_ELSE"):
                self._end_statement(scan.starts[line.first])
            mark = len(out.types)
            index, result = self._classify(index, block.kind, clause)
            unknown = block.kind == "stmts" and self._is_unknown_header(mark, result)
            block.head, block.broken = result.head, result.dropped or unknown
            self._started = True
            deeper = index < len(lines) and self._indent_of(lines[index]) > self._blocks[-1].indent
            if result.dropped:
                self._drop(mark, line, lines[index - 1], lines[index] if deeper else None)
                if deeper and self._blocks[-1] is block:
                    self._skip_deeper = self._blocks[-1].indent
                continue
            self._after_line(lines[index - 1], lines[index] if index < len(lines) else None, result, deeper)
            if line is self._stray and result.head in ("LET", "CONST") and not deeper:
                self._end_statement(scan.starts[line.first])
                self._out.emit("ERRSTMT", "", scan.starts[line.first], self._out.ends[-1])  # known further out, too
        self._finish()

    def _indent_of(self, line: Line) -> int:
        """Width of the indentation of a line; a tab counts as 8 (tabs and spaces are not mixed within a block)."""
        text = line.indent
        return len(text) + 7 * text.count("\t") if "\t" in text else len(text)

    def _place(self, line: Line, indent: int) -> None:
        """Close the blocks that a line is not in."""
        at = self._scan.starts[line.first]
        blocks = self._blocks
        text = line.indent
        if text and any(block.mixed == text for block in blocks):
            while blocks[-1].mixed != text:
                self._close_block(at)
            return
        if blocks[-1].flat and indent == blocks[-1].indent and not self._is_case(line, indent):
            self._close_block(at)
            return
        if indent < blocks[-1].indent and len(blocks) == 1:  # the first line was indented and reported
            blocks[0].indent, blocks[0].text = indent, text
        if indent < blocks[-1].indent:
            # A line between two indentations stays in the inner block: the names of that block are known there.
            while len(blocks) > 1 and indent <= blocks[-2].indent:
                if blocks[-1].flat and self._is_case(line, blocks[-1].indent):
                    break
                self._close_block(at)
            stray = indent != blocks[-1].indent
            if stray and len(blocks) == 2 and self._scan.word(line.first, line.last) in _TOP_LEVEL:
                self._close_block(at)
            if indent != blocks[-1].indent:
                self._reports.line(line, "dedent", ["indent it like one of the lines above that it belongs to"])
                if self._goes_on_outside(line):
                    self._close_block(at)
                else:
                    self._stray = line
            return
        if self._is_mixed(text, blocks[-1].text):
            self._reports.mixed(line.start, at)
            blocks[-1].mixed = text  # so that one slip is told once, whichever of the two the following lines use
        elif indent > blocks[-1].indent:
            if len(blocks) == 1 and not self._started:
                helps = ["start the first line at the left margin"]
                self._reports.line(line, "unexpected_first", helps)
                blocks[-1].indent, blocks[-1].text = indent, text
            elif not blocks[-1].broken:
                at = self._lines.index(line)
                self._reports.unexpected(line, self._lines[at - 1] if at else None)

    def _goes_on_outside(self, line: Line) -> bool:
        """Whether a line between two indentations is a clause that the outer block waits for and the inner does not."""
        if len(self._blocks) < 2:
            return False
        word = self._scan.word(line.first, line.last)
        inner, outer = self._blocks[-1], self._blocks[-2]
        if word in ("CASE", "OTHERWISE") and outer.kind in ("cases", "select"):
            return True
        needed = _CLAUSES.get(word, ())
        return outer.head in needed and inner.head not in needed

    def _is_mixed(self, text: str, enclosing: str) -> bool:
        """Whether tabs stand in one of two indentations where blanks stand in the other."""
        return not text.startswith(enclosing) and not enclosing.startswith(text)

    def _clause(self, line: Line, block: _Open) -> str:
        """The clause word that a line starts with, "" when it starts none. Reports one that belongs to nothing."""
        word = self._scan.word(line.first, line.last)
        if word in kw.FOREIGN_KEYWORDS:
            word = kw.FOREIGN_KEYWORDS[word].split(" ")[0]
        elif word in kw.FOREIGN_HEADERS and (
            self._scan.symbol(line.first + 1, line.last) == ":"
            or (self._scan.word(line.first + 1, line.last) not in ("", *kw.AFTER_OPERAND))
        ):
            word = kw.FOREIGN_CAPITALS[word]
        needed = _CLAUSES.get(word)
        if needed is None:
            return ""
        if word in ("ELSE", "OTHERWISE") and block.kind in ("cases", "select"):
            return "CASE_ELSE"
        if word in ("ELIF", "ELSEIF") and block.head not in needed:
            return ""
        if block.head in needed and self._started:
            return word
        if not block.broken:
            at = self._scan.starts[line.first]
            span = Span(self._file, at, at + len(word))
            opener = _CLAUSE_OPENERS[word]
            opener += "` or among the cases of the `MATCH" if word == "OTHERWISE" else ""
            helps = [f"`{word}` stands in the column of the `{opener}` that it belongs to"]
            self._sink.report(codes.P1010, "clause", span, helps=helps, word=word)
        line.broken = True
        return ""

    def _classify(self, index: int, kind: str, clause: str) -> tuple[int, LineResult]:
        """Classify the logical line at `index` with those that an infix operator at the end joins to it."""
        lines = self._lines
        line = lines[index]
        if line.broken:
            return index + 1, LineResult("", "", line.header, 0, False, True)
        indent = self._blocks[-1].indent
        deeper = index + 1 < len(lines) and self._indent_of(lines[index + 1]) > indent
        result = self._words.start(line, kind, clause, deeper)
        index += 1
        while result.continues and index < len(lines) and not lines[index].broken and self._may_go_on(lines[index]):
            result = self._words.resume(lines[index])
            index += 1
        if result.continues and index < len(lines) and lines[index].broken:
            result.dropped = True
            index += 1
        return index, result

    def _is_unknown_header(self, mark: int, result: LineResult) -> bool:
        """Whether a line with a header colon, whose tokens start at `mark`, starts with a name (`TYR:`): an error that
        the parser tells."""
        types = self._out.types[mark:]
        return result.colon and not result.head and types[:1] == ["NAME"] and _HEADERS_INSIDE.isdisjoint(types)

    def _may_go_on(self, line: Line) -> bool:
        """Whether a line can be the rest of one that ends in an operator: not when it certainly is a statement."""
        return self._scan.word(line.first, line.last) not in NEVER_IN_BRACKETS

    def _drop(self, mark: int, line: Line, last: Line, following: Line | None) -> None:
        """A line that cannot be read: ERRSTMT; or ERRHEAD with its block (`following`), where the kind of block is
        certain."""
        self._out.cut(mark)
        start = self._scan.starts[line.first]
        end = self._scan.starts[last.last - 1] + len(self._scan.texts[last.last - 1])
        word = self._scan.word(line.first, line.last)
        plain = word in ("IF", "ELSE", "OTHERWISE", "LOOP", "WHILE", "FOR", "FUNC", "TRY", "CATCH", "FINALLY", "LET")
        if following is None or not plain or not line.broken:
            self._out.emit("ERRSTMT", "", start, end)
            return
        self._out.emit("ERRHEAD", word, start, end)
        self._open_block(last, following, "stmts", 0, colon=False)

    def _after_line(self, line: Line, following: Line | None, result: LineResult, deeper: bool) -> None:
        """Open the block of a header line, or close its one-line blocks."""
        end = self._scan.starts[line.last - 1] + len(self._scan.texts[line.last - 1])
        if deeper and following is not None and (result.colon or result.block):
            if len(self._blocks) >= MAX_BLOCKS:
                self._too_many_blocks(following, end, result)
                return
            kind = result.block or "stmts"
            if self._blocks[-1].broken and self._is_case(following, self._indent_of(following)):
                kind = "cases"
            self._open_block(line, following, kind, result.inline, colon=result.colon)
            return
        if result.colon and following is not None and self._has_flat_cases(line, following, result.block):
            self._open_block(line, following, result.block, result.inline, colon=True, flat=True)
            return
        if result.colon:
            helps = ["indent the lines of the block under it; a statement that does nothing is `NONE`"]
            self._reports.line(line, "missing", helps)
            self._out.cut(len(self._out.types) - 1)
            self._cut_statement(end)
            self._blocks[-1].broken = True
        for _ in range(result.inline):
            self._out.emit("NEWLINE", "", end, end)
            self._out.emit("DEDENT", "", end, end)

    def _has_flat_cases(self, line: Line, following: Line, kind: str) -> bool:
        """Whether the cases of a MATCH or SELECT stand in its own column; reported then."""
        column = self._blocks[-1].indent
        if kind not in ("cases", "select") or not self._is_case(following, column):
            return False
        lines = self._lines
        end = start = lines.index(following)
        while end < len(lines) and (self._indent_of(lines[end]) > column or self._is_case(lines[end], column)):
            end += 1
        self._reports.flat_cases(line, lines[start:end])
        return True

    def _is_case(self, line: Line, column: int) -> bool:
        word = self._scan.word(line.first, line.last).upper()
        return self._indent_of(line) == column and word in ("CASE", "OTHERWISE", "ELSE", "DEFAULT")

    def _too_many_blocks(self, following: Line, end: int, result: LineResult) -> None:
        """Blocks are nested too deep: what is inside this one is left out."""
        at = self._scan.starts[following.first]
        helps = ["move the inner blocks into functions"]
        self._sink.report(codes.P1007, "blocks", Span(self._file, at, at + 1), helps=helps, limit=MAX_BLOCKS)
        self._out.cut(len(self._out.types) - result.colon)
        self._cut_statement(end)
        for _ in range(result.inline):
            self._out.emit("NEWLINE", "", end, end)
            self._out.emit("DEDENT", "", end, end)
        self._skip_deeper = self._blocks[-1].indent

    def _cut_statement(self, end: int) -> None:
        """Give an empty block to a header whose block is missing (reported)."""
        self._out.emit("HCOLON", ":", end, end)
        self._out.emit("INDENT", "", end, end)
        self._out.emit("ERRSTMT", "", end, end)
        self._out.emit("NEWLINE", "", end, end)
        self._out.emit("DEDENT", "", end, end)

    def _open_block(
        self, line: Line, following: Line, kind: str, inline: int, *, colon: bool, flat: bool = False
    ) -> None:
        end = self._scan.starts[line.last - 1] + len(self._scan.texts[line.last - 1])
        at = self._scan.starts[following.first]
        if not colon:
            self._out.emit("HCOLON", ":", end, end)
        self._out.emit("INDENT", "", at, at)
        text = following.indent
        outer = self._blocks[-1].text
        if self._is_mixed(text, outer) or (" " in text and "\t" in text and not (" " in outer and "\t" in outer)):
            self._reports.mixed(following.start, at)
        self._blocks.append(_Open(self._indent_of(following), text, kind, inline, "", False, "", flat))
        self._started = False

    def _end_statement(self, at: int) -> None:
        end = self._out.ends[-1] if self._out.ends else at
        self._out.emit("NEWLINE", "", end, end)

    def _close_block(self, at: int) -> None:
        """End the innermost block and the one-line blocks it stands in."""
        closed = self._blocks.pop()
        end = self._out.ends[-1] if self._out.ends else at
        self._out.emit("NEWLINE", "", end, end)
        self._out.emit("DEDENT", "", end, end)
        for _ in range(closed.inline):
            self._out.emit("NEWLINE", "", end, end)
            self._out.emit("DEDENT", "", end, end)
        self._started = True

    def _finish(self) -> None:
        end = len(self._file.text)
        while len(self._blocks) > 1:
            self._close_block(end)
        if self._started:
            self._end_statement(end)
        self._out.emit("END", "", end, end)
