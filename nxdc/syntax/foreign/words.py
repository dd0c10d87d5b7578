"""Slips from other languages: lower-case words, `=`, `&&`, `null`, `-5` ... Each is reported with its fix and read
as what was meant."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix, Grade
from nxdc.diagnostics.near import ranked, spelling_fix
from nxdc.source.span import Span
from nxdc.syntax import keywords as kw
from nxdc.syntax.foreign.loops import Loops
from nxdc.syntax.line_state import BINDERS, TYPE_HEADS


class Foreign(Loops):
    """The part of the classifier that understands what is not NXD."""

    def _lower(self, i: int, last: int, text: str) -> int:
        """A word with lower-case letters, a `_` in front, or letters that are not ASCII."""
        if text in kw.LOWER_WORDS and self._names_new(i, last):
            return self._bad_name(i, text)
        if text in kw.TYPE_WORDS:
            self._colon_before_type(i)
            return self._name(i)
        if text.upper() in TYPE_HEADS and self._is_type_line() and self._operand and not text.isupper():
            self._written(i, text.upper(), wording="keyword")
            return self._special(i, last, text.upper())
        kind = kw.VALUE_WORDS.get(text)
        if kind is not None:
            return self._value_word(kind, i)
        if text == "fn":
            if self._at_start and self._scan.word(i + 1, last):
                return self._foreign_function(i, last)
            return self._prefix("FN", i)
        if text == "_":
            return self._emit("WILD", text, i, True)
        if text == "mut" and not self._at_start and self._out.types[-1] == "LET" and self._is_mut(i, last):
            return self._leave_out(i, "mut")
        if text.isascii() and text[0] != "_":
            if self._head in ("MODULE", "IMPORT") and "AS" not in self._out.types[-2:]:
                return self._name(i)
            dotted = self._scan.symbol(i + 1, last) == "." and (text.islower() or text in self.path_words)
            if dotted:
                return self._name(i)  # a module path
            if self._is_string_prefix(i, last):
                help_ = 'values are joined to it with `ADD`: `"X is " ADD X`'
                self._sink.report(codes.P1006, "prefix", self._span(i), helps=[help_], found=text)
                return i + 1
            done = self._foreign(i, last, text)
            if done >= 0:
                return done
        return self._bad_name(i, text)

    def _is_mut(self, i: int, last: int) -> bool:
        """Whether `MUT` behind LET stands before the name: `LET MUT X SET 1`."""
        following = self._scan.word(i + 1, last)
        return bool(following) and following.upper() not in kw.AFTER_OPERAND

    def _leave_out(self, i: int, wording: str) -> int:
        """A word that says nothing in NXD."""
        start = self._scan.starts[i]
        end = start + len(self._scan.texts[i])
        blank = self._file.text[end : end + 1] == " "
        edit = Span(self._file, start if blank else start - 1, end + blank)
        fix = Fix("leave it out", (Edit(edit, ""),), SAFE)
        self._sink.report(codes.P1006, wording, self._span(i), fixes=[fix], found=self._scan.texts[i])
        return i + 1

    def _names_new(self, i: int, last: int) -> bool:
        """Whether a word gives a name to something: after LET, FUNC ..., or as a parameter, a field, a member."""
        following = self._scan.symbol(i + 1, last)
        if self._at_start:
            return self._block in ("members", "variants") or (self._block == "fields" and following == ":")
        before = self._out.types[-1]
        if before in ("LET", "CONST", "FUNC", "TYPE", "TRAIT", "CATCH", "LOOP"):
            return True
        if before == "DOT":
            return following != "."  # the word of a module's path
        if before not in ("LPAREN", "LBRACE", "COMMA"):
            return False
        if self._top.opener == "{" and self._kind in ("members", "variants"):
            return True
        if self._top.opener == "{" and not self._top.names_only and self._scan.texts[i] in kw.VALUE_WORDS:
            return False  # the key of a map
        return following == ":" and self._top.opener in ("(", "{")

    def _foreign_function(self, i: int, last: int) -> int:
        """`fn` before a name at the start of a statement: a function is declared."""
        self._written(i, "FUNC")
        return self._special(i, last, "FUNC")

    def _is_string_prefix(self, i: int, last: int) -> bool:
        """Whether a letter stands right before a string, as in `f"X is {X}"`."""
        scan = self._scan
        if self._operand or i + 1 >= last or len(scan.texts[i]) > 2:
            return False
        return scan.kinds[i + 1] in ("STRING", "QUOTED") and scan.starts[i] + len(scan.texts[i]) == scan.starts[i + 1]

    def _value_word(self, kind: str, i: int) -> int:
        if self._gaps and self._operand:
            self._gap(i)
        return self._emit(kind, self._scan.texts[i], i, True)

    def _foreign(self, i: int, last: int, text: str) -> int:
        """A word of another language, or a keyword of this one in lower case; -1 when it is just a name."""
        if not self._at_start and self._out.types[-1] in BINDERS:
            return -1
        if text in kw.FOREIGN_NONE and not self._operand:
            self._written(i, "NONE", wording="none")
            return self._emit("NAME", "NONE", i, True)
        if text == "pass" and self._at_start and i + 1 >= last:
            self._written(i, "NONE")
            return self._emit("NAME", "NONE", i, True)
        if text == "from" and self._at_start and self._is_from_import(i, last):
            return self._from_import(i, last)
        if text == "make" and self._is_make(i, last):
            return self._make(i, last)
        if text == "defer" and self._at_start and self._is_defer(i, last):
            return self._defer(i)
        want = kw.FOREIGN_VALUES.get(text)
        if want is None and self._scan.symbol(i + 1, last) == "<":
            want = kw.FOREIGN_GENERICS.get(text)
        if self._scan.symbol(i + 1, last) == "(":
            want = kw.FOREIGN_CONVERSIONS.get(text, want)
        if want is not None:
            grade: Grade = LIKELY if self._scan.symbol(i + 1, last) in ("::", ".") else SAFE  # `String::from`
            self._written(i, want, grade=grade)
            if want == "fn":
                return self._prefix("FN", i)
            kind = kw.VALUE_WORDS.get(want)
            return self._value_word(kind, i) if kind else self._emit("NAME", want, i, True)
        if self._at_start and text in kw.FOREIGN_STATEMENT_NAMES:
            want = kw.FOREIGN_STATEMENT_NAMES[text]
            self._written(i, want)
            return self._emit("NAME", want, i, True)
        want = kw.FOREIGN_KEYWORDS.get(text)
        if want is None or not self._plays_keyword(i, last, want):
            return -1
        if want == "ELSE IF":
            return self._else_if(i)
        self._written(i, want, wording="keyword" if want == text.upper() else "word")
        return self._special(i, last, want) if want in kw.SPECIAL else self._name(i)

    def _foreign_capitals(self, i: int, last: int, text: str) -> int:
        """A word such as VAR or SWITCH at the start of a statement; -1 when it is just a name."""
        following = self._scan.word(i + 1, last)
        if following:
            if following in kw.AFTER_OPERAND or following in ("AND", "OR"):
                return -1
        elif text not in kw.FOREIGN_HEADERS or self._scan.symbol(i + 1, last) != ":":
            return -1
        want = kw.FOREIGN_CAPITALS[text]
        if text == "DO":  # without its condition, which stands below the block, a LOOP would never end
            helps = ["the last line of the block leaves the loop: `IF NOT C: BREAK`"]
            self._sink.report(codes.P1006, "word", self._span(i), helps=helps, found=text, want=want)
        else:
            self._written(i, want)
        return self._special(i, last, want)

    def _plays_keyword(self, i: int, last: int, want: str) -> bool:
        """Whether a lower-case keyword stands where the grammar wants that keyword."""
        if self._operand:
            return want in kw.AFTER_OPERAND or want in ("AND", "OR", "ELSE", "CATCH")
        if self._at_start:
            return want in kw.RESERVED or not self._is_name(i, last)
        if want == "FUNC" and self._out.types[-1] in ("VIS", "ASYNC"):
            return True
        if want in ("NOT", "IF", "TRY"):
            return i + 1 < last and (self._scan.kinds[i + 1] != "SYMBOL" or self._scan.symbol(i + 1, last) == "(")
        return want in kw.PREFIXES and not self._is_name(i, last) and self._scan.symbol(i + 1, last) != "("

    def _bad_name(self, i: int, text: str) -> int:
        """Report a name that is not in capitals and go on with its capital form."""
        span = self._span(i)
        if not text.isascii():
            char = next(c for c in text if not c.isascii())
            at = span.start + text.index(char)
            self._sink.report(codes.P1003, "name", Span(self._file, at, at + 1), char=char)
            name = text
        elif text[0] == "_":
            stripped = text.lstrip("_").upper()
            fixes = [Fix(f"write `{stripped}`", (Edit(span, stripped),), LIKELY)] if stripped[:1].isalpha() else []
            self._sink.report(codes.P1003, "underscore", span, fixes=fixes)
            name = stripped if stripped[:1].isalpha() else text
        elif self._misspelt_type(i, text, span):
            return i + 1
        else:
            name = text.upper()
            fix = Fix(f"write `{name}`", (Edit(span, name),), SAFE)
            self._sink.report(codes.P1011, "name", span, "lower-case letters", fixes=[fix], name=name)
        if self._gaps and self._operand:
            self._gap(i)
        return self._emit("NAME", name, i, True)

    def _misspelt_type(self, i: int, text: str, span: Span) -> bool:
        """Whether a type is wanted and a slip of the fingers makes one of the word: `X: flaot`; reported then."""
        if self._at_start or self._out.types[-1] not in ("COLON", "AS", "IS", "TLT"):
            return False
        fix = spelling_fix(text, ranked(text, kw.TYPE_WORDS), span)
        if fix is None:
            return False
        want = fix.edits[0].text
        self._sink.report(codes.P1006, "word", span, fixes=[fix], found=text, want=want)
        self._emit("NAME", want, i, True)
        return True

    def _thin_arrow(self, i: int, span: Span) -> int:
        """`->`: the colon before the type that a function gives, or the arrow of a lambda."""
        if self._head != "FUNC" or self._stack:
            self._written(i, "=>", grade=LIKELY)
            return self._emit("ARROW", "=>", i, False)
        start = self._end_of(i - 1)
        blank = "" if self._file.text[span.end : span.end + 1].isspace() else " "
        fix = Fix("write `:`", (Edit(Span(self._file, start, span.end), ":" + blank),), SAFE)
        self._sink.report(codes.P1006, "word", span, fixes=[fix], found="->", want=":")
        self._result_seen = True
        return self._emit("COLON", ":", i, False)

    def _foreign_symbol(self, i: int, last: int, text: str) -> int:
        """Symbols of other languages."""
        span = self._span(i)
        if text == "=":
            return self._equals(i, last, span)
        if text == "|":
            done = self._bar_symbol(i, last)
            if done >= 0:
                return done
        word = kw.FOREIGN_SYMBOLS.get(text)
        if word is not None and (text == "!") == (not self._operand):
            self._written(i, word, self._spaced(i, word) if text != "!" else "NOT ")
            return self._not(i) if text == "!" else self._infix(word, i)
        if text == "+=" and self._operand:
            self._written(i, "SETADD", self._spaced(i, "SETADD"))
            return self._go_on("SETADD", i)
        if self._updates(text):
            return self._update(i, last, text)
        if self._is_step_first(i, last, text):
            return self._step_first(i, last, text)
        if text == ";":
            return self._semicolon(i, last, span)
        if text == "->" and self._operand:
            return self._thin_arrow(i, span)
        if text == "::" and self._operand:
            self._written(i, ".")
            return self._emit("DOT", ".", i, False)
        if text == "!" and self._scan.symbol(i + 1, last) == "(":  # `println!(...)`: that `!` joins no operands
            fix = Fix("leave it out", (Edit(span, ""),), SAFE)
            self._sink.report(codes.P1006, "bang", span, fixes=[fix])
            return i + 1
        help_ = kw.FOREIGN_SYMBOL_HELPS.get(text)
        self._sink.report(codes.P1003, "character", span, helps=[help_] if help_ else [], char=text)
        self._dropped = True  # what was meant cannot be guessed
        return i + 1

    def _bar_symbol(self, i: int, last: int) -> int:
        """`|` where its meaning is certain; -1 elsewhere."""
        if self._in_pattern():
            return self._comma_for(i)
        done = self._bar(i, last)
        return done if done >= 0 else self._bars(i, last)

    def _in_pattern(self) -> bool:
        """Whether a pattern of a CASE, outside brackets, has just been read."""
        return (
            self._operand and self._head == "CASE" and self._block == "cases" and not self._stack
            and not self._top.inline and "WHEN" not in self._out.types[self._statement_at() :]
        )  # fmt: skip

    def _equals(self, i: int, last: int, span: Span) -> int:
        """`=`: SET where a statement can be set, EQ elsewhere."""
        done = self._default(i, last)
        if done < 0 and self._is_type_line():
            done = self._variants(i, last)
        if done >= 0:
            return done
        if self._may_set():
            return self._makes(i) if self._is_new(i) else self._sets(i, i + 1)
        if self._gives_field():
            return self._field_colon(i)
        if self._out.types[-2:] == ["LOOP", "NAME"]:
            self._written(i, "FROM", self._spaced(i, "FROM"))
            return self._go_on("FROM", i)
        if len(self._out.types) == self._lambda_end:
            self._written(i, "=>", self._spaced(i, "=>"))
            return self._emit("ARROW", "=>", i, False)
        if self._is_type_line() and self._operand:
            return self._leave_out(i, "type_equal")
        meant = {"!": "NEQ", "<": "LTE"}.get(self._scan.symbol(i + 1, last), "")
        if meant and self._operand and self._scan.adjacent(i + 1):
            return self._two_symbols(i, meant)
        if self._chains():
            helps = ["give each variable its value on a line of its own"]
            self._sink.report(codes.P1006, "chained_set", span, helps=helps, found=span.text)
            return self._infix("EQ", i)
        if self._names_argument():
            helps = ["write the values alone; two values are compared by `EQ`"]
            self._sink.report(codes.P1006, "named", span, helps=helps)
            self._dropped = True  # what was meant cannot be guessed
            return i + 1
        self._written(i, "EQ", self._spaced(i, "EQ"), wording="equal")
        return self._infix("EQ", i)

    def _chains(self) -> bool:
        """Whether `A = B` has been read before an `=`: a second variable would be set."""
        out, at = self._out, self._statement_at()
        types = out.types[at:]
        if self._stack or "SET" not in types:
            return False
        place = types.index("SET")
        by_symbol = out.values[at + place] != "SET"
        return by_symbol and all(kind in ("NAME", "DOT") for kind in types[place + 1 :])

    def _names_argument(self) -> bool:
        """Whether an `=` here may give an argument by its name: `F(A, B=1)`."""
        types = self._out.types[-3:]
        if self._top.opener != "(" or types[-1] != "NAME":
            return False
        return types[-2] == "COMMA" or (types[-2] == "LPAREN" and types[0] in ("NAME", "TGT"))

    def _two_symbols(self, i: int, word: str) -> int:
        """A comparison whose two symbols start at `i` and are those of another language: `<>`, `=<`."""
        span = self._span(i).to(self._span(i + 1))
        fix = Fix(f"write `{word}`", (Edit(span, self._between(span.start, span.end, word)),), SAFE)
        self._sink.report(codes.P1006, "word", span, fixes=[fix], found=span.text, want=word)
        self._infix(word, i)
        return i + 2

    def _in_condition(self) -> bool:
        """Whether the condition of an IF or a LOOP WHILE is being read."""
        return self._condition and not self._stack and not self._top.inline

    def _compared_with_set(self, i: int) -> int:
        """`IF X SET 3:`."""
        self._written(i, "EQ", wording="equal", grade=LIKELY)
        return self._infix("EQ", i)

    def _may_set(self) -> bool:
        """Whether SET can stand here: in a statement that no keyword starts, on its own line or behind a colon."""
        plain = self._head in ("", "LET", "CONST", "VIS", "EXPR") or self._is_inline_place()
        return not self._stack and not self._set_seen and plain

    def _names_place(self) -> bool:
        """Whether a variable, a field or an element has been read, and nothing else of its statement."""
        if self._stack or self._set_seen or not self._operand or not (self._head == "" or self._top.inline):
            return False
        return self._is_place()

    def _is_inline_place(self) -> bool:
        """Whether what has been read of a one-line block is a variable, a field or an element: `IF A: B.C[1] `."""
        return bool(self._top.inline) and not self._stack and self._operand and self._is_place()

    def _is_place(self) -> bool:
        depth = 0
        for kind in self._out.types[self._statement_at() :]:
            depth += (kind == "LBRACKET") - (kind == "RBRACKET")
            if depth == 0 and kind not in ("NAME", "DOT", "RBRACKET"):
                return False
        return True

    def _gives_field(self) -> bool:
        """Whether what has been read is the name of a field in braces, without its colon: `P { NAME`."""
        types = self._out.types
        return self._top.opener == "{" and self._operand and types[-1] == "NAME" and types[-2] in ("LBRACE", "COMMA")

    def _field_colon(self, i: int) -> int:
        """`P { NAME = "a" }` and `P { NAME SET "a" }`."""
        scan, span = self._scan, self._span(i)
        text = scan.texts[i]
        edit = Span(self._file, scan.starts[i - 1] + len(scan.texts[i - 1]), span.end)
        spaced = ":" if self._file.text[span.end : span.end + 1].isspace() else ": "
        fix = Fix("write `:`", (Edit(edit, spaced),), SAFE)
        self._sink.report(codes.P1006, "word", span, fixes=[fix], found=text, want=":")
        self._top.nots.clear()
        return self._emit("COLON", ":", i, False)

    def _is_declaration(self) -> bool:
        """Whether SET must stand here: after `LET X` or `CONST X`, perhaps with a type."""
        return self._may_set() and self._operand and self._head in ("LET", "CONST")

    def _sets(self, i: int, end: int) -> int:
        """`=`, `==` or `:=`, the raw tokens [i, end), where SET must stand."""
        start, stop = self._scan.starts[i], self._scan.starts[end - 1] + len(self._scan.texts[end - 1])
        span = Span(self._file, start, stop)
        # `X := 5` where there is an X may have been meant to make another one, in this block.
        grade: Grade = LIKELY if end - i == 2 and self._head not in ("LET", "CONST") else SAFE
        fix = Fix("write `SET`", (Edit(span, self._between(start, stop, "SET")),), grade)
        self._sink.report(codes.P1006, "assign", span, fixes=[fix], found=span.text)
        self._set_seen = True
        self._go_on("SET", i)
        return end

    def _semicolon(self, i: int, last: int, span: Span) -> int:
        fixes = [Fix("leave it out", (Edit(span, ""),), SAFE)] if i + 1 >= last else []
        helps = [] if fixes else ["write one statement on a line"]
        self._sink.report(codes.P1006, "semicolon", span, fixes=fixes, helps=helps)
        if i + 1 < last and not self._stack:
            self._out.emit("NEWLINE", "", span.start, span.end)
            self._at_start, self._operand, self._set_seen, self._gaps = True, False, False, False
        return i + 1

    def _indexed(self, i: int, last: int) -> str:
        """What is indexed when the `-` at `i` starts the whole index: the XS of `XS[-1]`."""
        scan, types = self._scan, self._out.types
        if types[-1:] != ["LBRACKET"] or types[-2:-1] != ["NAME"] or scan.symbol(i + 2, last) != "]":
            return ""
        start = i - 2
        while scan.symbol(start - 1, last) == "." and scan.word(start - 2, last):
            start -= 2
        return self._file.text[scan.starts[start] : self._end_of(i - 2)]

    def _minus(self, i: int, last: int, span: Span) -> int:
        """`-5` and `-X`: read as `SUB 5`, `SUB X`."""
        scan = self._scan
        shown = scan.texts[i + 1] if i + 1 < last and scan.kinds[i + 1] in ("NUMBER", "WORD") else "X"
        base = self._indexed(i, last)
        is_number = i + 1 < last and scan.kinds[i + 1] == "NUMBER"
        whole = span.to(self._span(i + 1)) if is_number else span
        replacement = self._spaced(i, "SUB").lstrip()
        fix, helps = Fix(f"write `SUB {shown}`", (Edit(span, replacement),), SAFE), []
        if base:  # a list has no such element, a map may have such a key
            helps = [f"`{base}[LEN({base}) SUB {shown}]` is the element counted from the end"]
            fix = Fix(f"write `LEN({base}) SUB {shown}`", (Edit(span, f"LEN({base}) {replacement}"),), LIKELY)
        wording = "literal" if is_number else "operand"
        self._sink.report(codes.P1012, wording, whole, fixes=[fix], helps=helps, text=shown)
        return self._prefix("NEG", i)
