"""Logical lines: brackets are matched and physical lines joined inside them.

A bracket that nothing closes ends with its line, so that one slip does not swallow the rest of the file. What other
languages put in braces (`IF C {`) is told here, and read as if the brace were a colon.
"""

from __future__ import annotations

import re

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.lexer import RawTokens
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Line

MAX_BRACKETS = 200
_MAX_UNCLOSED = 20
_MAX_STRING_TOKENS = 500  # how far a string over several lines is looked for

# A line that starts with one of these cannot be inside brackets: the bracket above it was never closed.
NEVER_IN_BRACKETS = frozenset(
    ("LET", "CONST", "RETURN", "LOOP", "BREAK", "CONTINUE", "CASE", "IMPORT", "EXPORT", "FUNC")
)
_BRACE_HEADS = frozenset(
    ("IF", "ELSE", "OTHERWISE", "LOOP", "WHILE", "FOR", "FUNC", "MATCH", "TRY", "CATCH", "FINALLY", "SELECT", "CASE")
)
_JOINING = frozenset((",", "(", "[", "{"))
_BEFORE_VALUE = _JOINING | {":", "SET", "=>"}
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ODD_BLANK = re.compile(r"[^\S \t]")  # reported by `blanks`


class Lines:
    """Makes the logical lines of one file: `_lines`, of the raw tokens in `_scan`."""

    def __init__(self, file: SourceFile, raw: RawTokens, sink: Sink) -> None:
        self._file = file
        self._raw = raw
        self._sink = sink
        self._scan = Scanner([], [], [])
        self._lines: list[Line] = []
        self._block_braces = 0  # blocks in braces that wait for their closing brace

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
        head = self._match_before(opener, i)
        if head >= 0:
            helps = ["give the value a name first: the cases set it, or they return it from a function"]
            self._sink.report(codes.P1010, "match_value", self._raw_span(head), helps=helps)
        elif self._ends_parameters(opener, i - 1):
            helps = ["give it a name first, with `LET F SET fn(): ...`, and pass the name"]
            self._sink.report(codes.P1010, "lambda_block", self._raw_span(i), helps=helps)
        else:
            return False
        line.broken = True
        return True

    def _ends_parameters(self, opener: int, close: int) -> bool:
        """Whether the raw token at `close` ends the parameters of a lambda."""
        texts = self._raw.texts
        depth = 0
        for i in range(close, opener, -1):
            depth += (texts[i] == ")") - (texts[i] == "(")
            if depth == 0:
                return texts[close] == ")" and texts[i - 1] == "fn"
        return False

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
        complete = before in (")", "]", "}", "++", "--") or (
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
        if text not in NEVER_IN_BRACKETS or texts[i + 1] in (":", ","):
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
