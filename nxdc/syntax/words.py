"""Deciding what each word and symbol of a line is: keyword, operator or name.

Keywords are contextual (LANGUAGE.md part 1). The rule: right after a complete operand a word is an operator or goes
on with the statement (`SET`, `TO`, `FROM` ...); where an operand is expected it is a name, unless it is one of the
few words that can start an operand or a statement and what follows it can only follow a keyword.

Input:  the raw tokens of one logical line (no line breaks inside), the kind of block it stands in.
Output: finished tokens, appended to `out`; header colons are told from type colons, `<` of type arguments from the
        operator, prefix `SUB` (NEG) from infix `SUB`, tight `NOT` (TNOT) from the one that takes a whole comparison
        (NOT); a one-line block is wrapped in INDENT and DEDENT like any other.
The parser therefore needs no alternatives for words, and its grammar stays free of conflicts.
"""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import SAFE, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import keywords as kw
from nxdc.syntax.line_state import BINDERS, DECLARATIONS, TYPE_HEADS
from nxdc.syntax.symbols import Symbols
from nxdc.syntax.tokens import Line, LineResult
from nxdc.tables.operators import BY_WORD, CANONICAL

_TIGHT = frozenset(op.word for op in BY_WORD.values() if op.level <= 6) | {"NEG"}


class Words(Symbols):
    """Classifies the lines of one file, one after the other."""

    def start(self, line: Line, block: str, clause: str, deeper: bool) -> LineResult:
        """Classify a line. `clause`: what ELSE, CATCH ... at its start is ("CASE_ELSE" in a MATCH); `deeper`: the
        next line is indented more than this one."""
        self._begin(block, clause, deeper)
        return self.resume(line)

    def resume(self, line: Line) -> LineResult:
        """Go on with a further physical line of the same logical line."""
        out, last = self._out, line.last
        self._colon = False
        self._classify(line.first, last)
        continues = bool(out.types) and not self._at_start and not self._operand and out.types[-1] in BY_WORD
        block = self._tail or self._kind
        if block and out.types[-1] == "RBRACE" and self._kind in ("fields", "members", "variants", "methods"):
            block = ""
        head = "TRYX" if self._open_tries else "IFX" if self._open_ifs else self._head
        return LineResult(head, block, self._colon, self._top.inline, continues, self._dropped)

    def _classify(self, i: int, last: int) -> None:
        """Classify the raw tokens [i, last)."""
        kinds = self._scan.kinds
        while i < last and not self._dropped:
            kind = kinds[i]
            if kind == "WORD":
                i = self._word(i, last)
            elif kind == "SYMBOL":
                i = self._symbol(i, last)
            else:
                i = self._other(i, kind)

    # ------------------------------------------------------------------------------------------------ words

    def _word(self, i: int, last: int) -> int:
        text = self._scan.texts[i]
        cls = self._classes.get(text)
        if cls is None:
            special = text in kw.SPECIAL or text in kw.FOREIGN_CALLS
            cls = 2 if not (text.isascii() and text.isupper()) or text[0] == "_" else int(special)
            self._classes[text] = cls
        if cls == 0:
            return self._name(i)
        if cls == 1:
            return self._special(i, last, text)
        return self._lower(i, last, text)

    def _special(self, i: int, last: int, text: str) -> int:
        """A word that can be more than a name."""
        before = "" if self._at_start else self._out.types[-1]
        top = self._top
        if before == "LOOP" and text == "WHILE" and not self._is_name(i, last):
            self._condition = True
            return self._emit("WHILE", text, i, False)
        if before == "CASE" and self._block == "select" and text in ("SEND", "TIMEOUT") and not self._receives(i, last):
            return self._emit(text, text, i, False)
        if before in ("LET", "CONST") and text == "MUT" and self._is_mut(i, last):
            return self._leave_out(i, "mut")
        if before == "CASE" and text == "ELSE" and self._scan.symbol(i + 1, last) == ":":
            return self._case_else(i)
        if text == "SET" and self._operand and (top.names_only or self._head == "FUNC"):
            done = self._default(i, last)
            if done >= 0:
                return done
        if before in BINDERS or (self._head in ("MODULE", "IMPORT") and not self._at_start):
            if text == "AS" and self._head == "IMPORT" and self._operand and self._scan.word(i + 1, last):
                return self._emit("AS", text, i, False)
            if before == "CASE" and text == "SUB" and self._is_prefix(i, last, text):
                return self._prefix("NEG", i)
            return self._reserved_name(i) if text in kw.RESERVED else self._name(i)
        if (top.opener == "{" and self._scan.symbol(i + 1, last) == ":") or (top.names_only and text != "FUNC"):
            return self._reserved_name(i) if text in kw.RESERVED else self._name(i)
        if text in kw.RESERVED:
            return self._reserved(i, last, text)
        if self._operand:
            return self._after_operand(i, last, text)
        if self._at_start:
            done = self._statement_word(i, last, text)
            if done >= 0:
                return done
        return self._operand_word(i, last, text, before)

    def _after_operand(self, i: int, last: int, text: str) -> int:
        """A word right after a complete operand."""
        word = CANONICAL.get(text)
        if word is not None:
            return self._infix(word, i)
        kind = kw.CONTINUATION.get(text)
        if kind is not None:
            if kind == "SET" and self._in_condition() and self._first_colon(i, last) < last:
                return self._compared_with_set(i)
            if kind == "THEN" and self._in_condition() and (i + 1 >= last or self._scan.symbol(i + 1, last) == ":"):
                return self._leave_out(i, "then")
            if kind == "SET" and self._gives_field():
                return self._field_colon(i)
            if kind in ("SET", "SETADD"):
                self._set_seen = True
            return self._go_on(kind, i)
        if self._head in ("TYPE", "TRAIT") and text in TYPE_HEADS and not self._stack:
            if text in ("ENUM", "UNION"):
                self._kind = kw.HEADERS[text]
            return self._emit(text, text, i, False)
        if text == "FOR" and self._head == "IMPL":
            return self._emit("FOR", text, i, False)
        if text in kw.PREFIXES and self._gaps and self._is_prefix(i, last, text):
            self._gap(i)
            return self._prefix("NEG" if text == "SUB" else text, i)
        return self._name(i)

    def _operand_word(self, i: int, last: int, text: str, before: str) -> int:
        """A word where an operand is expected: a name, or one of the words that start an operand."""
        scan = self._scan
        if text == "SPAWN" and self._opens_block(i, last):
            self._tail = "stmts"
            return self._prefix("SPAWN", i)
        if text in kw.PREFIXES and self._is_prefix(i, last, text):
            return self._prefix("NEG" if text == "SUB" else text, i)
        if text == "MAKE" and self._is_make(i, last):
            return self._make(i, last)
        if text == "MATCH" and self._is_match_as_value(i, last):
            return self._match_as_value(i)
        if text == "CAPACITY" and before == "LPAREN" and not self._is_name(i, last):
            return self._emit("CAPACITY", text, i, False)
        if before == "EXPORT":
            if text == "ALL" and i + 1 >= last:
                return self._emit("ALL", text, i, True)
            if text in ("TYPE", "TRAIT") and scan.word(i + 1, last):
                return self._emit(text, text, i, False)
        if text == "NEW" and scan.word(i + 1, last) and scan.is_operand(i + 1, last):
            self._sink.report(codes.S3019, "feature", self._span(i), feature="`NEW`",
                              helps=["values are freed by themselves: leave `NEW` out"])  # fmt: skip
            return i + 1
        return self._name(i)

    def _reserved(self, i: int, last: int, text: str) -> int:
        listed = not self._at_start and self._out.types[-1] in ("LPAREN", "COMMA")
        if listed and self._scan.symbol(i + 1, last) in (":", ",", ")"):
            return self._reserved_name(i)  # a parameter
        if text in ("AND", "OR"):
            if text == "OR" and self._in_pattern():
                return self._comma_for(i)
            return self._infix(text, i)
        if text == "NOT":
            return self._not(i)
        if text in ("ELSE", "OTHERWISE"):
            return self._else(i, text)
        if text == "IF":
            return self._if(i)
        if text == "TRY":
            if self._at_start and (self._opens_block(i, last) or i + 1 >= last):
                return self._head_word("TRY", "TRY", i)
            self._open_tries += 1
            return self._prefix("TRYX", i)
        if text == "CATCH" and not self._at_start:
            self._top.catch = True
            self._open_tries -= 1
            if not self._stack:
                self._tail = "stmts"
            return self._go_on("CATCH", i)
        if text == "EXPORT":
            return self._export(i, last)
        if self._at_start:
            if text == "CASE" and self._block == "select":
                return self._choice(i, last)
            return self._head_word(text, text, i)
        if text == "FUNC":
            return self._emit("FUNC", text, i, False)
        if self._out.types[-1] in ("COMMA", "LPAREN", "AS", "FOR", "TLT", "SET", "TO"):
            return self._reserved_name(i)
        return self._emit(text, text, i, False)

    def _head_word(self, head: str, kind: str, i: int) -> int:
        """The first word of a statement, clause or declaration. The head of a line is that of its first statement."""
        if not self._head or self._head == "VIS":
            self._head = head
        self._kind = kw.HEADERS.get(head, "")
        self._gaps = head in ("RAISE", "TIMEOUT")
        if head == "FUNC":
            self._result_seen = False
        return self._emit(kind, self._scan.texts[i], i, head in ("BREAK", "CONTINUE"))

    def _not(self, i: int) -> int:
        tight = not self._at_start and self._out.types[-1] in _TIGHT
        if not tight:
            self._top.nots.append(len(self._out.types))
        return self._prefix("TNOT", i)

    def _else(self, i: int, text: str) -> int:
        if not self._at_start:
            return self._go_on("ELSE", i)
        head = "CASE_ELSE" if self._clause == "CASE_ELSE" else "ELSE"
        self._after_else = head == "ELSE"
        return self._head_word(head, head, i)

    def _if(self, i: int) -> int:
        if self._in_pattern():
            self._written(i, "WHEN")
            return self._go_on("WHEN", i)
        if self._at_start:
            self._if_at = len(self._out.types)
            self._condition = not self._top.inline
            return self._head_word("IF", "IF", i)
        if self._after_else and self._out.types[-1] == "ELSE":
            self._after_else = False
            self._condition = True
            self._head = "IF"
            return self._head_word("IF", "IF", i)
        self._open_ifs += 1
        return self._prefix("IFX", i)

    def _export(self, i: int, last: int) -> int:
        """EXPORT before a declaration is a visibility word; before a name it is a statement."""
        scan = self._scan
        following = scan.word(i + 1, last)
        named = scan.word(i + 2, last) and (i + 3 >= last or scan.symbol(i + 3, last) == ",") and not self._deeper
        if following in DECLARATIONS and not (following in ("FUNC", "TYPE", "TRAIT") and named):
            return self._visibility(i)
        return self._head_word("EXPORT", "EXPORT", i)

    def _visibility(self, i: int) -> int:
        self._emit("VIS", self._scan.texts[i], i, False)
        self._head = "VIS"
        self._at_start = True
        return i + 1

    # ------------------------------------------------------------------------------------------------ starts of
    # statements

    def _statement_word(self, i: int, last: int, text: str) -> int:
        """A special word at the start of a statement; -1 when it plays no special part."""
        scan = self._scan
        if text in kw.COMMANDS:
            return self._head_word(text, text, i) if self._is_command(i, last, text) else -1
        if text in ("MATCH", "WHILE"):
            bracket = scan.symbol(i + 1, last) in ("(", "[", "{", "-")
            if (bracket and not self._heads_block(i, last)) or (not bracket and self._is_name(i, last)):
                return -1
            self._condition = text == "WHILE"
            return self._head_word("LOOP" if text == "WHILE" else "MATCH", text, i)
        if text in ("SELECT", "INIT"):
            return self._head_word(text, text, i) if self._opens_block(i, last) else -1
        if text == "FOR":
            after = self._foreign_loop(i, last)
            if after >= 0:
                return after
            if not scan.word(i + 1, last) or not (
                scan.word(i + 2, last).upper() in ("IN", "FROM") or scan.symbol(i + 2, last) == ","
            ):
                return -1
            return self._head_word("LOOP", "LOOP", i)
        if text in kw.DECLARERS:
            return self._head_word(text, text, i) if self._declares(i, last, text) else -1
        if text == "ASYNC" and scan.word(i + 1, last) == "FUNC":
            self._emit("ASYNC", text, i, False)
            self._at_start = True
            return i + 1
        if text in kw.VISIBILITIES and scan.word(i + 1, last) in DECLARATIONS:
            return self._visibility(i)
        if text in kw.VISIBILITIES and scan.word(i + 1, last) and scan.word(i + 1, last) not in kw.AFTER_OPERAND:
            helps = ["it can stand before FUNC, TYPE, TRAIT, LET and CONST"]
            self._sink.report(codes.P1010, "visibility", self._span(i), helps=helps, word=text)
            return i + 1
        if text in kw.PLANNED and self._is_planned(i, last):
            self._sink.report(codes.S3019, "feature", self._span(i), feature=kw.PLANNED[text])
            self._dropped = True
            return i + 1
        if text == "FROM" and self._is_from_import(i, last):
            return self._from_import(i, last)
        if text == "DEFER":
            return self._defer(i) if self._is_defer(i, last) else -1
        if text in ("ELIF", "ELSEIF") and self._clause:
            return self._else_if(i)
        return self._foreign_capitals(i, last, text) if text in kw.FOREIGN_CAPITALS else -1

    def _match_as_value(self, i: int) -> int:
        """`LET R SET MATCH X:`: the line is left out, with its cases."""
        helps = {
            "RETURN": "each case returns: `CASE 1: RETURN ...`",
            "LET": "a function with the `MATCH` gives it, by `CASE 1: RETURN ...`; or the cases set a variable, by "
                   "`CASE 1: X SET ...`",
            "": "each case sets it: `CASE 1: X SET ...`",
        }  # fmt: skip
        self._sink.report(codes.P1010, "match_value", self._span(i), helps=[helps.get(self._head, helps["LET"])])
        self._dropped = True
        return i + 1

    def _case_else(self, i: int) -> int:
        """`CASE ELSE:`."""
        start = self._scan.starts[i - 1]
        span = Span(self._file, start, self._scan.starts[i] + len("ELSE"))
        fix = Fix("write `OTHERWISE`", (Edit(span, "OTHERWISE"),), SAFE)
        self._sink.report(codes.P1006, "word", span, fixes=[fix], found="CASE ELSE", want="OTHERWISE")
        self._out.types.pop(), self._out.values.pop(), self._out.starts.pop(), self._out.ends.pop()
        self._clause = "CASE_ELSE"
        return self._head_word("CASE_ELSE", "CASE_ELSE", i)

    def _else_if(self, i: int) -> int:
        self._written(i, "ELSE IF")
        self._else(i, "ELSE")
        return self._if(i)
