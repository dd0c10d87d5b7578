"""Layout: from raw tokens to the finished token list, with blocks marked by INDENT and DEDENT.

1. Brackets are matched and physical lines joined inside them (`_split`); a bracket that nothing closes ends with its
line, so
   that one slip does not swallow the rest of the file.
2. Each logical line is classified by `words`, with what layout knows: the block it stands in, whether the next line
is deeper.
3. Indentation becomes tokens. Every statement ends in NEWLINE, also behind a block; only before ELSE, CATCH and
FINALLY that go
   on with the statement above them there is none. So `HCOLON INDENT statement NEWLINE ... DEDENT` is the one shape
   of a block, and an ELSE belongs to the IF of its own column whatever stood on the line between.
What cannot be read (reported) becomes ERRSTMT, or ERRHEAD with its block.
"""

from __future__ import annotations

import re

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import MutableRecord
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.blanks import report_odd_blanks
from nxdc.syntax.indentation import Indentation
from nxdc.syntax.lexer import RawTokens, lex
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Line, LineResult, Tokens
from nxdc.syntax.words import Words

MAX_BRACKETS = 200
MAX_BLOCKS = 100
_MAX_UNCLOSED = 20
_MAX_STRING_TOKENS = 500  # how far a string over several lines is looked for

# A line that starts with one of these cannot be inside brackets: the bracket above it was never closed.
_NEVER_IN_BRACKETS = frozenset(
    ("LET", "CONST", "RETURN", "LOOP", "BREAK", "CONTINUE", "CASE", "IMPORT", "EXPORT", "FUNC")
)
_TOP_LEVEL = frozenset(("MODULE", "IMPORT", "EXPORT", "FUNC", "TYPE", "TRAIT", "IMPL", "PUBLIC", "PRIVATE", "INTERNAL"))
_BRACE_HEADS = frozenset(
    ("IF", "ELSE", "OTHERWISE", "LOOP", "WHILE", "FOR", "FUNC", "MATCH", "TRY", "CATCH", "FINALLY", "SELECT", "CASE")
)
_JOINING = frozenset((",", "(", "[", "{"))
_BEFORE_VALUE = _JOINING | {":", "SET", "=>"}
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ODD_BLANK = re.compile(r"[^\S \t]")  # reported by `blanks`
_MIXED = -1

# Which line may stand before a clause, by the head of that line.
_CLAUSES = {
    "ELSE": ("IF", "IFX"), "OTHERWISE": ("IF", "IFX"), "CATCH": ("TRY", "CATCH", "TRYX"), "FINALLY": ("TRY", "CATCH"),
    "ELIF": ("IF",), "ELSEIF": ("IF",),
}  # fmt: skip
_CLAUSE_OPENERS = {"ELSE": "IF", "OTHERWISE": "IF", "CATCH": "TRY", "FINALLY": "TRY", "ELIF": "IF", "ELSEIF": "IF"}


class _Open(MutableRecord):
    """An open block."""

    indent: int
    text: str  # the indentation itself
    kind: str
    inline: int  # one-line blocks to be closed behind it
    head: str  # head of the last line in it
    broken: bool  # the last line in it could not be read: its clauses are not blamed
    mixed: str  # another indentation that stood for its own once, and was reported


def layout(file: SourceFile, raw: RawTokens, sink: Sink) -> Tokens:
    """The finished tokens of a file."""
    return _Layout(file, raw, sink).run()


def split_lines(file: SourceFile, sink: Sink) -> tuple[Scanner, list[Line]]:
    """The logical lines of a file, without regard to its indentation."""
    made = _Layout(file, lex(file.code), sink)
    made._split()
    return made._scan, made._lines


class _Layout:
    def __init__(self, file: SourceFile, raw: RawTokens, sink: Sink) -> None:
        self._file = file
        self._raw = raw
        self._sink = sink
        self._scan = Scanner([], [], [])
        self._reports = Indentation(file, self._scan, sink)
        self._out = Tokens([], [], [], [])
        self._lines: list[Line] = []
        self._block_braces = 0  # blocks in braces that wait for their closing brace

    def run(self) -> Tokens:
        lines_are_lost = report_odd_blanks(self._file, self._raw, self._sink)
        self._split()
        if lines_are_lost or self._reports.is_missing(self._lines):
            end = len(self._file.text)
            self._out.emit("END", "", end, end)
            return self._out
        scan = self._scan
        self._words = Words(self._file, scan, self._out, self._sink, scan.functions() & kw.SPECIAL)
        self._words.path_words = scan.path_words()
        self._arrange()
        return self._out

    # ------------------------------------------------------------------------------------------------ brackets and
    # lines

    def _split(self) -> None:
        """Make logical lines: match brackets, drop line breaks inside them."""
        raw, scan = self._raw, self._scan
        kinds, starts = raw.kinds, raw.starts
        unclosed = i = 0
        count = len(kinds) - 1
        while i < count:
            if kinds[i] == "NEWLINE":
                i += 1
                continue
            line = Line(len(scan.kinds), 0, self._line_start(starts[i]), "", False, False)
            i = self._split_line(i, count, line, unclosed >= _MAX_UNCLOSED)
            unclosed += line.broken
            line.last = len(scan.kinds)
            if line.last == line.first:  # nothing but the closing brace of a block
                continue
            line.start = self._line_start(scan.starts[line.first])
            # `} ELSE {` is indented as its brace is.
            line.indent = self._file.text[line.start : scan.starts[line.first]].partition("}")[0]
            if self._file.margins:
                line.indent = line.indent[self._file.margins.get(line.start, 0) :]
            line.indent = _ODD_BLANK.sub(" ", line.indent.replace("\f", "").replace("\v", ""))
            line.header = scan.symbol(line.last - 1, line.last) == ":"
            self._lines.append(line)

    def _line_start(self, offset: int) -> int:
        return self._file.text.rfind("\n", 0, offset) + 1

    def _split_line(self, i: int, count: int, line: Line, single: bool) -> int:
        """Take the raw tokens of one logical line; index of the raw token behind it. `single`: never join lines."""
        kinds, texts = self._raw.kinds, self._raw.texts
        first = i
        stack: list[int] = []
        in_block = False
        while i < count:
            kind = kinds[i]
            if kind == "SYMBOL":
                text = texts[i]
                if text in _PAIRS:
                    stack.append(i)
                    if len(stack) == MAX_BRACKETS + 1 and not line.broken:
                        self._too_deep(i, line)
                elif text in (")", "]", "}"):
                    if text == "}" and not stack and self._block_braces:
                        self._drop_block_brace(first, i)
                        first = i + 1
                        if kinds[first] in ("NEWLINE", "END"):
                            return first
                    else:
                        self._match(i, stack, line)
            elif kind == "NEWLINE":
                if not stack:
                    break
                if len(stack) == 1 and stack[0] == i - 1 and self._opens_block_brace(first, i - 1):
                    i -= 1
                    break
                if not in_block and texts[i - 1] == ":" and not single:
                    in_block = self._block_in_brackets(stack[-1], i - 1, line)
                if single or (not in_block and self._starts_statement(i + 1, stack[0])):
                    return self._unclosed(first, i, stack, line)
            elif kind == "OPENSTRING":
                end = self._string_end(i)
                if stack or end > i:
                    self._open_string(i, end, stack, line)
                    i = end
                    if not stack:
                        self._keep(first, i + 1)
                        return i + 1
            i += 1
        if stack and i >= count:
            return self._unclosed(first, i, stack, line)
        self._keep(first, i)
        if stack:  # `IF C {`: the brace has been read as the header's colon
            self._scan.kinds.append("SYMBOL")
            self._scan.texts.append(":")
            self._scan.starts.append(self._raw.starts[i])
            i += 1
        return i

    def _string_end(self, i: int) -> int:
        """The token with the quote that closes the string opened at `i`, some lines further on; `i` when there is none
        that certainly does."""
        kinds, texts = self._raw.kinds, self._raw.texts
        for j in range(i + 1, min(i + _MAX_STRING_TOKENS, len(kinds))):
            if kinds[j] == "STRING":
                return i
            if kinds[j] == "OPENSTRING":
                behind = texts[j][1:].strip()
                return j if not behind or behind[0] in ",)]}" else i
        return i

    def _open_string(self, i: int, end: int, stack: list[int], line: Line) -> None:
        """A string that does not end on its line, inside brackets or written over several lines (up to token `end`):
        what closes the brackets is part of the text."""
        if not line.broken:
            helps = ["a line break in a string is written `\\n`"] if end > i else []
            self._sink.report(codes.P1016, "string", self._raw_span(i), helps=helps)
        line.broken = True
        closers = sum(self._raw.texts[end].count(closer) for closer in ")]}")
        del stack[max(0, len(stack) - closers) :]

    def _block_in_brackets(self, opener: int, i: int, line: Line) -> bool:
        """A lambda with a block of several lines or a MATCH stands inside brackets: what follows the colon at `i`
        belongs to it."""
        texts = self._raw.texts
        head = self._match_before(opener, i)
        if head >= 0:
            helps = ["give the value a name first: the cases set it, or they return it from a function"]
            self._sink.report(codes.P1010, "match_value", self._raw_span(head), helps=helps)
        elif texts[i - 1] == ")":
            helps = ["give it a name first, with `LET F SET fn(): ...`, and pass the name"]
            self._sink.report(codes.P1010, "lambda_block", self._raw_span(i), helps=helps)
        else:
            return False
        line.broken = True
        return True

    def _match_before(self, opener: int, colon: int) -> int:
        """The MATCH as a value whose header the colon would end; -1 when there is none."""
        texts = self._raw.texts
        depth = 0
        for i in range(colon - 1, opener, -1):
            text = texts[i]
            depth += (text in _PAIRS.values()) - (text in _PAIRS)
            if depth == 0 and text == ",":
                return -1
            if depth == 0 and text == "MATCH" and texts[i - 1] in _BEFORE_VALUE and i < colon - 1:
                is_key = texts[opener] == "{" and texts[i - 1] != ":"
                return -1 if is_key else i
        return -1

    def _opens_block_brace(self, first: int, brace: int) -> bool:
        """Whether a line such as `IF C {` puts its block in braces; if so, it is reported."""
        raw = self._raw
        word = raw.texts[first]
        word = "FUNC" if word == "fn" else kw.FOREIGN_KEYWORDS.get(word, word).split(" ")[0]
        if raw.texts[brace] != "{" or raw.kinds[first] != "WORD" or word not in _BRACE_HEADS:
            return False
        if self._starts_literal(brace):
            return False
        close = Scanner(raw.kinds, raw.texts, raw.starts).closing(brace, len(raw.kinds) - 1)
        edits = [Edit(Span(self._file, self._trimmed(raw.starts[brace]), raw.starts[brace] + 1), ":")]
        if close < len(raw.kinds) - 1:
            edits.append(Edit(self._brace_line(close), ""))
            self._block_braces += 1
        helps = ["end the header with `:` and indent the block"]
        fix = Fix("write `:` and leave the closing brace out", tuple(edits), LIKELY)
        self._sink.report(codes.P1006, "braces", self._raw_span(brace), helps=helps, fixes=[fix])
        return True

    def _starts_literal(self, brace: int) -> bool:
        """Whether a brace at the end of a line can be that of a value: `LOOP X IN {`; `IF P EQ POINT {` and fields."""
        raw = self._raw
        before = raw.texts[brace - 1]
        complete = before in (")", "]", "}") or (
            raw.kinds[brace - 1] in ("WORD", "NUMBER", "STRING") and before not in kw.AFTER_OPERAND | kw.RESERVED
        )
        if before in ("ELSE", "OTHERWISE", "LOOP", "TRY", "FINALLY", "else", "try", "loop", "finally"):
            return False
        i = brace + 1
        while raw.kinds[i] == "NEWLINE":
            i += 1
        is_entry = raw.kinds[i] in ("WORD", "STRING", "NUMBER") and raw.texts[i + 1 : i + 2] == [":"]
        return not complete or is_entry

    def _trimmed(self, offset: int) -> int:
        """The offset without the blanks before it."""
        text = self._file.text
        while offset > 0 and text[offset - 1] in " \t":
            offset -= 1
        return offset

    def _brace_line(self, close: int) -> Span:
        """A closing brace, with its whole line when it stands there alone."""
        raw, text = self._raw, self._file.text
        start = raw.starts[close]
        begin = self._trimmed(start)
        alone = (begin == 0 or text[begin - 1] == "\n") and raw.kinds[close + 1] in ("NEWLINE", "END")
        if not alone:
            following = start + 1
            while following < len(text) and text[following] == " ":
                following += 1
            return Span(self._file, start, following)
        end = raw.starts[close + 1] + (raw.kinds[close + 1] == "NEWLINE")
        return Span(self._file, begin, end)

    def _drop_block_brace(self, first: int, i: int) -> None:
        """The brace that closes a block in braces (reported with the one that opens it) is passed over."""
        self._block_braces -= 1
        self._keep(first, i)

    def _keep(self, first: int, last: int) -> None:
        """Move raw tokens to the scanner's lists, without line breaks."""
        raw, scan = self._raw, self._scan
        kinds = raw.kinds[first:last]
        if "NEWLINE" not in kinds:
            scan.kinds += kinds
            scan.texts += raw.texts[first:last]
            scan.starts += raw.starts[first:last]
            return
        for i in range(first, last):
            if raw.kinds[i] != "NEWLINE":
                scan.kinds.append(raw.kinds[i])
                scan.texts.append(raw.texts[i])
                scan.starts.append(raw.starts[i])

    def _starts_statement(self, i: int, opener: int) -> bool:
        """Whether a new statement certainly starts at raw token `i`, though a bracket is open."""
        kinds, texts = self._raw.kinds, self._raw.texts
        if kinds[i] != "WORD":
            return False
        text = texts[i]
        if text == "MODULE":
            return kinds[i + 1] == "WORD"
        if text not in _NEVER_IN_BRACKETS or texts[i + 1] in (":", ","):
            return False
        if text == "FUNC":  # the functions of a TRAIT may stand in its braces
            start = self._line_start(self._raw.starts[opener])
            return "TRAIT" not in self._file.text[start : self._raw.starts[opener]]
        return True

    def _unclosed(self, first: int, i: int, stack: list[int], line: Line) -> int:
        """A bracket is never closed: report it, end the line with its physical line, or with the last one that a comma
        or bracket at its end joins to it."""
        if not line.broken:
            at = stack[-1]
            comment = self._file.text[self._raw.starts[at] :].partition("\n")[0].partition("//")[2]
            cut = _PAIRS[self._raw.texts[at]] in comment  # `F(7 // 2)`
            helps = ["`//` starts a comment; ints are divided by `DIV`"] if cut else []
            self._sink.report(codes.P1015, "bracket", self._raw_span(at), "opened here", helps=helps,
                              open=self._raw.texts[at])  # fmt: skip
        line.broken = True
        kinds, texts = self._raw.kinds, self._raw.texts
        end = stack[-1]
        while kinds[end] not in ("NEWLINE", "END") or (kinds[end] == "NEWLINE" and texts[end - 1] in _JOINING):
            end += 1
        end = min(end, i) if i > stack[-1] else end
        self._keep(first, end)
        return end

    def _match(self, i: int, stack: list[int], line: Line) -> None:
        text = self._raw.texts[i]
        if not stack:
            if not line.broken:
                self._sink.report(codes.P1018, "unopened", self._raw_span(i), close=text)
            line.broken = True
            return
        opener = self._raw.texts[stack[-1]]
        if _PAIRS[opener] == text:
            stack.pop()
            return
        if not line.broken:
            also = [(self._raw_span(stack[-1]), "opened here")]
            helps = [f"close it with `{_PAIRS[opener]}`"]
            self._sink.report(
                codes.P1018, "mismatch", self._raw_span(i), also=also, helps=helps, close=text, open=opener
            )
        line.broken = True
        stack.pop()
        if stack and _PAIRS[self._raw.texts[stack[-1]]] == text:
            stack.pop()

    def _too_deep(self, i: int, line: Line) -> None:
        line.broken = True
        helps = ["split the expression: give its parts names with LET"]
        self._sink.report(codes.P1007, "brackets", self._raw_span(i), helps=helps, limit=MAX_BRACKETS)

    def _raw_span(self, i: int) -> Span:
        start = self._raw.starts[i]
        return Span(self._file, start, start + len(self._raw.texts[i].rstrip()))

    # ------------------------------------------------------------------------------------------------ indentation

    def _arrange(self) -> None:
        scan, out, lines = self._scan, self._out, self._lines
        self._blocks = [_Open(0, "", "stmts", 0, "", False, "")]
        self._started = False  # a statement stands before, in the innermost block
        index = 0
        self._skip_deeper: int | None = None  # lines indented more than this are left out
        while index < len(lines):
            line = lines[index]
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
            block.head, block.broken = result.head, result.dropped
            self._started = True
            deeper = index < len(lines) and self._indent_of(lines[index]) > self._blocks[-1].indent
            if result.dropped:
                self._drop(mark, line, lines[index - 1], lines[index] if deeper else None)
                if deeper and self._blocks[-1] is block:
                    self._skip_deeper = self._blocks[-1].indent
                continue
            self._after_line(lines[index - 1], lines[index] if index < len(lines) else None, result, deeper)
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
        if indent < blocks[-1].indent:
            # A line between two indentations stays in the inner block: the names of that block are known there.
            while len(blocks) > 1 and indent <= blocks[-2].indent:
                self._close_block(at)
            stray = indent != blocks[-1].indent
            if stray and len(blocks) == 2 and self._scan.word(line.first, line.last) in _TOP_LEVEL:
                self._close_block(at)
            if indent != blocks[-1].indent:
                self._reports.line(line, "dedent", ["indent it like one of the lines above that it belongs to"])
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

    def _may_go_on(self, line: Line) -> bool:
        """Whether a line can be the rest of one that ends in an operator: not when it certainly is a statement."""
        return self._scan.word(line.first, line.last) not in _NEVER_IN_BRACKETS

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
            self._open_block(line, following, result.block or "stmts", result.inline, colon=result.colon)
            return
        if result.colon:
            self._reports.line(line, "missing", ["indent the lines of the block under it"])
            self._out.cut(len(self._out.types) - 1)
            self._cut_statement(end)
            self._blocks[-1].broken = True
        for _ in range(result.inline):
            self._out.emit("NEWLINE", "", end, end)
            self._out.emit("DEDENT", "", end, end)

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

    def _open_block(self, line: Line, following: Line, kind: str, inline: int, *, colon: bool) -> None:
        end = self._scan.starts[line.last - 1] + len(self._scan.texts[line.last - 1])
        at = self._scan.starts[following.first]
        if not colon:
            self._out.emit("HCOLON", ":", end, end)
        self._out.emit("INDENT", "", at, at)
        text = following.indent
        outer = self._blocks[-1].text
        if self._is_mixed(text, outer) or (" " in text and "\t" in text and not (" " in outer and "\t" in outer)):
            self._reports.mixed(following.start, at)
        self._blocks.append(_Open(self._indent_of(following), text, kind, inline, "", False, ""))
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
