"""Brackets, dots, colons, operator symbols and literals of a line."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import SAFE, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import keywords as kw
from nxdc.syntax.foreign.words import Foreign
from nxdc.syntax.line_state import Bracket
from nxdc.tables.operators import BY_SYMBOL

_OPENERS = {"(": "LPAREN", "[": "LBRACKET", "{": "LBRACE"}
_CURLY = frozenset("\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb")  # typographic quotes
_CLOSERS = {")": "RPAREN", "]": "RBRACKET", "}": "RBRACE"}


class Symbols(Foreign):
    """The part of the classifier that reads what is no word."""

    def _symbol(self, i: int, last: int) -> int:
        text = self._scan.texts[i]
        if text in _OPENERS:
            done = self._foreign_bracket(i, last, text)
            return done if done >= 0 else self._open(i, last, text)
        if text in _CLOSERS:
            return self._close(i, last, text)
        if text == ",":
            if self._top.inline and self._stack:
                self._close_inline(self._top, self._scan.starts[i])
            self._top.nots.clear()
            self._load = self._top.load
            return self._emit("COMMA", text, i, False)
        if text == ".":
            return self._dot(i, last)
        if text == ":":
            return self._colon_symbol(i, last)
        if text == "<" and (self._operand or self._after_impl()) and self._opens_types(i, last):
            return self._open_types(i, last)
        if text == "<" and self._operand:
            done = self._bad_type_params(i, last)
            if done >= 0:
                return done
        if text == ">" and self._top.opener == "<" and self._top.close == i:
            self._top = self._stack.pop()
            return self._emit("TGT", text, i, True)
        if text == "<" and self._is_arrow(i, last):
            done = self._channel_arrow(i, last)
            if done >= 0:
                return done
        if text == "<" and self._operand and self._scan.symbol(i + 1, last) == ">" and self._scan.adjacent(i + 1):
            return self._two_symbols(i, "NEQ")
        word = BY_SYMBOL.get(text)
        if word is not None:
            return self._operator_symbol(i, last, text, word)
        if text == "=>":
            return self._arrow(i)
        if text == "..." and self._at_start and i + 1 >= last:
            self._written(i, "NONE")
            return self._emit("NAME", "NONE", i, True)
        if text == "...":
            return self._emit("ELLIPSIS", text, i, self._operand)
        return self._foreign_symbol(i, last, text)

    def _foreign_bracket(self, i: int, last: int, text: str) -> int:
        """A bracket that other languages put there; -1 when it is one of NXD."""
        if text == "{":
            done = self._braced_body(i, last)
            return done if done >= 0 else self._payload(i, last)
        if text == "(":
            if self._lacks_fn(i, last):
                self._at_start = False
            return self._payload(i, last)
        return -1

    def _open(self, i: int, last: int, text: str) -> int:
        out = self._out
        before = "" if self._at_start else out.types[-1]
        outer = self._top
        if self._gaps and self._operand and not self._scan.adjacent(i):
            self._gap(i)
        role, types, names_only = "", outer.types, outer.names_only
        if text == "(" and before == "FN":
            role = "fn_type" if outer.types or self._fn_is_type() else "lambda"
            types = role == "fn_type"
        elif (text == "{" and (self._head in ("TYPE", "TRAIT") and not self._stack)) or (
            text == "{" and before == "COLON" and self._colon_of_type()
        ):
            names_only = types = True
        self._count(i)
        self._stack.append(outer)
        self._top = Bracket(text, names_only, types, role, -1, self._load, 0, False, [])
        return self._emit(_OPENERS[text], text, i, False)

    def _fn_is_type(self) -> bool:
        """Whether the `fn` just read starts a type and not a lambda: by what stands before it."""
        types = self._out.types
        before = types[-2] if len(types) > 1 else ""
        if before == "COLON":
            return self._colon_of_type()
        return before in ("TLT", "AS", "IS") or (self._head == "TYPE" and not self._stack)

    def _colon_of_type(self) -> bool:
        """Whether a colon here introduces a type: anywhere but between key and value of a brace literal."""
        return self._top.opener != "{" or self._top.types

    def _close(self, i: int, last: int, text: str) -> int:
        closed = self._top
        if closed.inline:
            self._close_inline(closed, self._scan.starts[i])
        if self._stack:
            self._top = self._stack.pop()
        self._load = closed.load
        self._emit(_CLOSERS[text], text, i, True)
        if closed.role == "lambda":
            self._lambda_end = len(self._out.types)
            if i + 1 >= last and not self._stack:
                self._tail = "stmts"  # its block follows, without a colon
        elif closed.role == "fn_type":
            self._fn_type_end = len(self._out.types)
        return i + 1

    def _dot(self, i: int, last: int) -> int:
        scan = self._scan
        if self._operand and scan.symbol(i + 1, last) == "." and scan.adjacent(i + 1):
            return self._range_dots(i)
        following = scan.kinds[i + 1] if i + 1 < last else ""
        if not self._operand and following == "NUMBER" and scan.adjacent(i + 1):
            span = Span(self._file, scan.starts[i], scan.starts[i + 1] + len(scan.texts[i + 1]))
            text = "0." + scan.texts[i + 1]
            fix = Fix(f"write `{text}`", (Edit(span, text),), SAFE)
            self._sink.report(codes.P1004, "point", span, fixes=[fix])
            return i + 1
        if self._operand and self._out.types[-1] in ("INT", "FLOAT") and following != "WORD" and scan.adjacent(i):
            before = scan.texts[i - 1]
            span = Span(self._file, scan.starts[i - 1], scan.starts[i] + 1)
            fix = Fix(f"write `{before}.0`", (Edit(span, before + ".0"),), SAFE)
            self._sink.report(codes.P1004, "point", span, fixes=[fix])
            return i + 1
        self._count(i)
        return self._emit("DOT", ".", i, False)

    def _range_dots(self, i: int) -> int:
        """`0..9`: a range as other languages write it."""
        start = self._scan.starts[i]
        helps = ["a range is written `LOOP I FROM 0 TO 9`, `LOOP I IN RANGE(0, 10)` or `CASE 0 TO 9`"]
        self._sink.report(codes.P1003, "character", Span(self._file, start, start + 2), helps=helps, char="..")
        self._dropped = True
        return i + 2

    def _after_impl(self) -> bool:
        """`IMPL<T> ...`: the one place where parameters follow a keyword."""
        return not self._at_start and self._out.types[-1] == "IMPL"

    def _opens_types(self, i: int, last: int) -> bool:
        """Whether the `<` at `i` opens type arguments: what it encloses reads as types and what follows fits."""
        if self._out.types[-1] not in ("NAME", "IMPL"):
            return False
        close = self._scan.generic_end(i, last)
        if close < 0:
            return False
        if self._head in ("TYPE", "TRAIT", "IMPL") or self._top.types:
            return True
        j = close + 1
        if j >= last:
            return True
        kind, after = self._scan.kinds[j], self._scan.texts[j]
        if kind == "SYMBOL":
            return after not in ("-", "!")
        return kind == "WORD" and (after in kw.AFTER_OPERAND or after in ("AND", "OR", "WHERE"))

    def _open_types(self, i: int, last: int) -> int:
        close = self._scan.generic_end(i, last)
        self._count(i)
        self._stack.append(self._top)
        self._top = Bracket("<", True, True, "", close, self._load, 0, False, [])
        return self._emit("TLT", "<", i, False)

    def _operator_symbol(self, i: int, last: int, text: str, word: str) -> int:
        """A symbol that is an operator between two operands."""
        span = self._span(i)
        if text == "==" and self._is_declaration():
            return self._sets(i, i + 1)
        twice = text * 2
        is_twice = twice in kw.TWICE and self._scan.symbol(i + 1, last) == text and self._scan.adjacent(i + 1)
        if is_twice and self._operand:
            span = span.to(self._span(i + 1))
            self._sink.report(codes.P1003, "character", span, helps=[kw.FOREIGN_SYMBOL_HELPS[twice]], char=twice)
            self._dropped = True
            return i + 2
        if text == "%" and self._operand and self._out.types[-1] == "STRING":
            return self._formats(i, last, span)
        if self._operand:
            fix = Fix(f"write `{word}`", (Edit(span, self._spaced(i, word)),), SAFE)
            self._sink.report(codes.W2004, "symbol", span, fixes=[fix], symbol=text, word=word)
            return self._infix(word, i)
        if text == "-":
            return self._minus(i, last, span)
        return self._infix(word, i)

    def _formats(self, i: int, last: int, span: Span) -> int:
        """`"X is %d" % X`: read as a text with the values behind it."""
        helps = ['values are joined to a text with `ADD`: `"X is " ADD X`']
        self._sink.report(codes.P1006, "format", span, helps=helps)
        if self._scan.symbol(i + 1, last) != "(":
            return self._infix("ADD", i)
        close = self._scan.closing(i + 1, last)
        at = i + 2
        while at < close:
            end = self._part_end(at, close)
            self._infix("ADD", i)
            self._emit("LPAREN", "(", i, False)
            self._classify(at, end)
            self._emit("RPAREN", ")", end - 1, True)
            at = end + 1
        return close + 1

    def _arrow(self, i: int) -> int:
        if self._head == "CASE" and not self._stack and "FN" not in self._out.types[-12:]:
            span = self._span(i)
            start = span.start - (self._file.text[span.start - 1] == " ")
            fix = Fix("write `:`", (Edit(Span(self._file, start, span.end), ":"),), SAFE)
            self._sink.report(codes.P1006, "word", span, fixes=[fix], found="=>", want=":")
            self._emit("HCOLON", ":", i, False)
            self._open_inline(i)
            return i + 1
        if len(self._out.types) != self._lambda_end:
            if self._in_condition() and self._operand and "ARROW" not in self._out.types[self._statement_at() :]:
                self._written(i, "GTE", self._spaced(i, "GTE"))
                return self._infix("GTE", i)
            self._lone_parameter(i)
        return self._emit("ARROW", "=>", i, False)

    # ------------------------------------------------------------------------------------------------ colons

    def _colon_symbol(self, i: int, last: int) -> int:
        """A colon: of a header, of a type, or between key and value."""
        top = self._top
        if self._colon_before_body(i, last):
            return i + 1
        if self._head == "FUNC":
            self._lacks_params(i)
        if self._scan.symbol(i + 1, last) == "=" and self._may_set():
            return self._makes(i) if self._is_new(i) else self._sets(i, i + 2)
        if self._ends_header(i, last, top):
            return self._header_colon(i, last, top)
        if self._head == "FUNC" and not self._stack:
            self._result_seen = True
        top.nots.clear()
        self._load = top.load
        return self._emit("COLON", ":", i, False)

    def _ends_header(self, i: int, last: int, top: Bracket) -> bool:
        """Whether the colon at `i` ends a header, so that a block follows it."""
        scan, types = self._scan, self._out.types
        if top.catch:
            return True
        here = len(types)
        if here in (self._lambda_end, self._fn_type_end) and not self._at_start:
            end = scan.type_end(i + 1, last)
            after = scan.symbol(end, last) if end >= 0 else ""
            if here == self._lambda_end:
                return end < 0 or after not in ("=>", ":")
            if end >= 0 and (end >= last or after in (":", ",", ")", "]", "}", ">") or scan.word(end, last)):
                return False
        if self._stack or top.names_only:
            return False
        if self._at_start:
            return True
        if types[-1] == "NAME" and types[-2:-1] in (["LET"], ["CONST"]):
            return False
        if self._head == "FUNC" and top.inline == 0:
            return self._ends_func_header(i, last)
        return True

    def _ends_func_header(self, i: int, last: int) -> bool:
        """Colons of a FUNC line: `): int:`, `): int`, `):`, `WHERE T : A:`, `): RETURN 1`."""
        scan = self._scan
        if i + 1 >= last or scan.word(i + 1, last) in kw.RESERVED:
            return True
        bound = self._out.types[-2:-1] in (["WHERE"], ["COMMA"])
        if self._result_seen and not bound:
            return True
        end = scan.type_end(i + 1, last)
        if end < 0:
            return True
        return not (end >= last or scan.symbol(end, last) in (":", ",") or scan.word(end, last) == "WHERE")

    def _header_colon(self, i: int, last: int, top: Bracket) -> int:
        types = self._out.types
        is_tail = top.catch or len(types) == self._lambda_end or (bool(types) and types[-1] == "SPAWN")
        kind = "stmts" if is_tail else self._kind or "stmts"
        top.catch = False
        top.nots.clear()
        if self._sent[1]:
            self._emit_sent(i)
        self._emit("HCOLON", ":", i, False)
        if i + 1 < last:
            self._open_inline(i)
        elif self._stack:
            helps = ["give it a name first, with `LET F SET fn(): ...`, and pass the name"]
            self._sink.report(codes.P1010, "lambda_block", self._span(i), helps=helps)
            self._dropped = True
        else:
            self._colon = True
            self._tail = kind
        return i + 1

    # ------------------------------------------------------------------------------------------------ literals and
    # the rest

    def _other(self, i: int, kind: str) -> int:
        scan = self._scan
        text, start = scan.texts[i], scan.starts[i]
        if self._gaps and self._operand and kind != "CHAR":
            self._gap(i)
        if kind == "NUMBER":
            negated = not self._at_start and self._out.types[-1] == "NEG"
            number, value = self._literals.number(text, start, negated)
            return self._emit(number, value, i, True)
        if kind == "STRING":
            return self._emit("STRING", self._literals.string(text, start), i, True)
        if kind == "OPENSTRING":
            self._sink.report(codes.P1016, "string", Span(self._file, start, start + len(text.rstrip())))
            self._emit("STRING", text[1:], i, True)
            return i + 1
        if kind == "QUOTED":
            inner = text[1:-1].replace('"', '\\"').replace("\\'", "'")
            fix = Fix("use double quotes", (Edit(self._span(i), f'"{inner}"'),), SAFE)
            self._sink.report(codes.P1005, "quotes", self._span(i), fixes=[fix])
            return self._emit("STRING", text[1:-1], i, True)
        if text in _CURLY:
            return self._curly_quote(i)
        shown = text if text.isprintable() else f"U+{ord(text):04X}"
        fixes = [] if text.isprintable() else [Fix("leave it out", (Edit(self._span(i), ""),), SAFE)]
        helps = [kw.FOREIGN_SYMBOL_HELPS[text]] if text in kw.FOREIGN_SYMBOL_HELPS else []
        self._sink.report(codes.P1003, "character", self._span(i), fixes=fixes, helps=helps, char=shown)
        self._dropped = not fixes
        return i + 1

    def _curly_quote(self, i: int) -> int:
        """A string in typographic quotes; read as one where both are there."""
        text, start = self._file.text, self._scan.starts[i]
        line_end = text.find("\n", start) % (len(text) + 1)
        close = next((n for n in range(start + 1, line_end) if text[n] in _CURLY), -1)
        if close < 0:
            self._sink.report(codes.P1005, "quotes", self._span(i))
            self._dropped = True
            return i + 1
        span = Span(self._file, start, close + 1)
        inner = text[start + 1 : close]
        quoted = inner.replace('"', '\\"')
        fix = Fix("use straight double quotes", (Edit(span, f'"{quoted}"'),), SAFE)
        self._sink.report(codes.P1005, "quotes", span, fixes=[fix])
        self._emit("STRING", inner, i, True)
        while i < len(self._scan.starts) and self._scan.starts[i] <= close:
            i += 1
        return i
