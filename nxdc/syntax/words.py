"""Deciding what each word and symbol of a line is: keyword, operator or name.

Keywords are contextual (LANGUAGE.md part 1). The rule: right after a complete operand a word is an operator or goes on with
the statement (`SET`, `TO`, `FROM` ...); where an operand is expected it is a name, unless it is one of the few words
that can start an operand or a statement and what follows it can only follow a keyword.

Input:  the raw tokens of one logical line (no line breaks inside), the kind of block it stands in.
Output: finished tokens, appended to `out`; header colons are told from type colons, `<` of type arguments from the operator,
        prefix `SUB` (NEG) from infix `SUB`, tight `NOT` (TNOT) from the one that takes a whole comparison (NOT);
        a one-line block is wrapped in INDENT and DEDENT like any other.
The parser therefore needs no alternatives for words, and its grammar stays free of conflicts.
"""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import MutableRecord
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.literals import Literals
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Line, LineResult, Tokens
from nxdc.tables.operators import BY_SYMBOL, BY_WORD, CANONICAL

MAX_CHAIN = 1000
MAX_INLINE = 20  # one-line blocks inside each other

_COMPARISONS = frozenset(op.word for op in BY_WORD.values() if op.level == 6)
_TIGHT = frozenset(op.word for op in BY_WORD.values() if op.level <= 6) | {"NEG"}
_ENDS_NOT = frozenset(("AND", "OR", "PIPE", "PIPEMAP", "PIPEFILTER"))
_BINDERS = frozenset(("LET", "CONST", "FUNC", "CATCH", "TYPE", "TRAIT", "MODULE", "IMPORT", "LOOP", "DOT", "RAISE", "CASE"))
_TYPE_HEADS = {"IMPLEMENTS": "IMPLEMENTS", "STRUCT": "STRUCT", "ENUM": "ENUM", "UNION": "UNION"}
_OPENERS = {"(": "LPAREN", "[": "LBRACKET", "{": "LBRACE"}
_CLOSERS = {")": "RPAREN", "]": "RBRACKET", "}": "RBRACE"}
_DECLARATIONS = frozenset(("FUNC", "TYPE", "TRAIT", "LET", "CONST", "ASYNC", "IMPL"))


class _Bracket(MutableRecord):
    """What is open at a place of a line: a bracket, type arguments, or (outermost) the line itself."""

    opener: str  # "", "(", "[", "{", "<"
    names_only: bool  # all words are names: the braces of a TYPE or TRAIT
    types: bool  # holds types: a colon inside a nested `fn(...)` belongs to the type
    role: str  # "params" (of fn or FUNC), "fn_type", ""
    close: int  # raw index of the closing `>`, for "<"
    load: int  # operators counted before it was opened
    inline: int  # one-line blocks open in it
    catch: bool  # a CATCH of a TRY expression waits for its colon
    nots: list[int]  # NOT tokens that a comparison would loosen


class Words:
    """Classifies the lines of one file, one after the other."""

    def __init__(self, file: SourceFile, scan: Scanner, out: Tokens, sink: Sink, declared: frozenset[str]) -> None:
        self._file = file
        self._scan = scan
        self._out = out
        self._sink = sink
        self._declared = declared  # functions of this file that are named like a prefix or command word
        self._literals = Literals(file, sink)
        self._classes: dict[str, int] = {}

    # ------------------------------------------------------------------------------------------------ lines

    def start(self, line: Line, block: str, clause: str, deeper: bool) -> LineResult:
        """Classify a line. `clause`: what ELSE, CATCH ... at its start is ("CASE_ELSE" in a MATCH); `deeper`: the next line
        is indented more than this one."""
        self._block = block
        self._clause = clause
        self._deeper = deeper
        self._stack: list[_Bracket] = []
        fields = block in ("fields", "members", "variants")
        self._top = _Bracket("", fields, fields, "", -1, 0, 0, False, [])
        self._at_start = True
        self._operand = False
        self._head = ""
        self._kind = ""
        self._colon = False
        self._tail = ""  # kind of block that the end of the line opens: "stmts" after fn(...), SPAWN, CATCH
        self._gaps = False
        self._set_seen = False
        self._after_else = False
        self._dropped = False
        self._load = 0
        self._result_seen = False  # of a FUNC line: the colon before its result type has been read
        self._lambda_end = -1  # length of the output right behind the parameter list of a lambda
        self._fn_type_end = -1  # and behind that of a function type
        self._if_at = -1  # the IF statement of this line, until it proves to be an IF expression
        self._open_ifs = 0  # IF expressions that wait for ELSE
        self._open_tries = 0  # TRY expressions that wait for CATCH
        return self.resume(line)

    def resume(self, line: Line) -> LineResult:
        """Go on with a further physical line of the same logical line."""
        kinds = self._scan.kinds
        out = self._out
        i, last = line.first, line.last
        self._colon = False
        while i < last and not self._dropped:
            kind = kinds[i]
            if kind == "WORD":
                i = self._word(i, last)
            elif kind == "SYMBOL":
                i = self._symbol(i, last)
            else:
                i = self._other(i, kind)
        continues = bool(out.types) and not self._at_start and not self._operand and out.types[-1] in BY_WORD
        block = self._tail or self._kind
        if block and out.types[-1] == "RBRACE" and self._kind in ("fields", "members", "variants", "methods"):
            block = ""
        head = "TRYX" if self._open_tries else "IFX" if self._open_ifs else self._head
        return LineResult(head, block, self._colon, self._top.inline, continues, self._dropped)

    # ------------------------------------------------------------------------------------------------ emitting

    def _span(self, i: int) -> Span:
        start = self._scan.starts[i]
        return Span(self._file, start, start + len(self._scan.texts[i]))

    def _emit(self, kind: str, value: object, i: int, operand: bool) -> int:
        """Emit the token made of raw token `i`."""
        start = self._scan.starts[i]
        self._out.emit(kind, value, start, start + len(self._scan.texts[i]))
        self._operand = operand
        self._at_start = False
        return i + 1

    def _name(self, i: int) -> int:
        """Emit raw token `i` as a name."""
        if self._gaps and self._operand:
            self._gap(i)
        return self._emit("NAME", self._scan.texts[i], i, True)

    def _gap(self, i: int) -> None:
        """RAISE and TIMEOUT have two operands side by side: mark where the second starts."""
        if not self._stack:
            start = self._scan.starts[i]
            self._out.emit("GAP", "", start, start)
            self._gaps = False

    def _reserved_name(self, i: int) -> int:
        """A reserved word stands where only a name can stand."""
        text = self._scan.texts[i]
        fix = Fix(f"call it `{text}_`", (Edit(self._span(i), text + "_"),), LIKELY)
        self._sink.report(codes.P1017, "name", self._span(i), fixes=[fix], word=text)
        return self._name(i)

    def _count(self, i: int) -> None:
        """Count one level of nesting of the tree that the parser will build."""
        self._load += 1
        if self._load == MAX_CHAIN:
            self._sink.report(
                codes.P1007, "chain", self._span(i), limit=MAX_CHAIN, helps=["split it: give the parts names with LET"]
            )
            self._dropped = True

    def _prefix(self, kind: str, i: int) -> int:
        self._count(i)
        return self._emit(kind, self._scan.texts[i], i, False)

    def _infix(self, word: str, i: int) -> int:
        """Emit an infix operator and settle the NOTs that stand before it."""
        nots = self._top.nots
        if nots:
            if word in _COMPARISONS:
                for index in nots:
                    self._out.types[index] = "NOT"
                nots.clear()
            elif word in _ENDS_NOT:
                nots.clear()
        self._count(i)
        return self._emit(word, word, i, False)

    def _go_on(self, kind: str, i: int) -> int:
        """Emit a word that goes on with the statement; a new expression starts behind it."""
        self._top.nots.clear()
        if kind not in ("THEN", "ELSE"):
            self._load = self._top.load
        elif kind == "ELSE":
            self._open_ifs -= 1
        elif self._if_at >= 0 and not self._stack and not self._open_ifs:
            self._out.types[self._if_at] = "IFX"
            self._if_at, self._kind, self._open_ifs = -1, "", 1
        return self._emit(kind, self._scan.texts[i], i, False)

    def _open_inline(self, i: int) -> None:
        """A one-line block starts behind a header colon."""
        end = self._scan.starts[i] + 1
        self._out.emit("INDENT", "", end, end)
        self._top.inline += 1
        if self._top.inline > MAX_INLINE:
            helps = ["put the inner statements on lines of their own"]
            self._sink.report(codes.P1007, "blocks", self._span(i), helps=helps, limit=MAX_INLINE)
            self._dropped = True
        self._at_start = True
        self._operand = False
        self._set_seen = False
        self._gaps = False
        self._after_else = False
        self._kind = self._tail = ""
        self._if_at = -1
        self._load = self._top.load

    def _close_inline(self, bracket: _Bracket, at: int) -> None:
        for _ in range(bracket.inline):
            self._out.emit("NEWLINE", "", at, at)
            self._out.emit("DEDENT", "", at, at)
        bracket.inline = 0

    # ------------------------------------------------------------------------------------------------ words

    def _word(self, i: int, last: int) -> int:
        text = self._scan.texts[i]
        cls = self._classes.get(text)
        if cls is None:
            cls = 2 if not (text.isascii() and text.isupper()) or text[0] == "_" else int(text in kw.SPECIAL)
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
            return self._emit("WHILE", text, i, False)
        if before == "CASE" and self._block == "select" and text in ("SEND", "TIMEOUT") and not self._is_name(i, last):
            return self._emit(text, text, i, False)
        if before in _BINDERS or (self._head in ("MODULE", "IMPORT") and not self._at_start):
            if text == "AS" and self._head == "IMPORT" and self._operand and self._scan.word(i + 1, last):
                return self._emit("AS", text, i, False)
            if before == "CASE" and text == "SUB" and self._is_prefix(i, last, text):
                return self._prefix("NEG", i)
            return self._reserved_name(i) if text in kw.RESERVED else self._name(i)
        if top.opener == "{" and self._scan.symbol(i + 1, last) == ":" or top.names_only and text != "FUNC":
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
            if kind in ("SET", "SETADD"):
                self._set_seen = True
            return self._go_on(kind, i)
        if self._head in ("TYPE", "TRAIT") and text in _TYPE_HEADS and not self._stack:
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
        if text in ("AND", "OR"):
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
        if self._at_start:
            self._if_at = len(self._out.types)
            return self._head_word("IF", "IF", i)
        if self._after_else and self._out.types[-1] == "ELSE":
            self._after_else = False
            self._head = "IF"
            return self._head_word("IF", "IF", i)
        self._open_ifs += 1
        return self._prefix("IFX", i)

    def _export(self, i: int, last: int) -> int:
        """EXPORT before a declaration is a visibility word; before a name it is a statement."""
        scan = self._scan
        following = scan.word(i + 1, last)
        named = scan.word(i + 2, last) and (i + 3 >= last or scan.symbol(i + 3, last) == ",") and not self._deeper
        if following in _DECLARATIONS and not (following in ("FUNC", "TYPE", "TRAIT") and named):
            return self._visibility(i)
        return self._head_word("EXPORT", "EXPORT", i)

    def _visibility(self, i: int) -> int:
        self._emit("VIS", self._scan.texts[i], i, False)
        self._head = "VIS"
        self._at_start = True
        return i + 1

    # ------------------------------------------------------------------------------------------------ starts of statements

    def _statement_word(self, i: int, last: int, text: str) -> int:
        """A special word at the start of a statement; -1 when it plays no special part."""
        scan = self._scan
        if text in kw.COMMANDS:
            return self._head_word(text, text, i) if self._is_command(i, last, text) else -1
        if text in ("MATCH", "WHILE"):
            if self._is_name(i, last) and not self._heads_block(i, last):
                return -1
            return self._head_word("LOOP" if text == "WHILE" else "MATCH", text, i)
        if text in ("SELECT", "INIT"):
            return self._head_word(text, text, i) if self._opens_block(i, last) else -1
        if text == "FOR":
            if not scan.word(i + 1, last) or not (
                scan.word(i + 2, last) == "IN" or scan.word(i + 2, last) == "FROM" or scan.symbol(i + 2, last) == ","
            ):
                return -1
            return self._head_word("LOOP", "LOOP", i)
        if text in kw.DECLARERS:
            return self._head_word(text, text, i) if self._declares(i, last, text) else -1
        if text == "ASYNC" and scan.word(i + 1, last) == "FUNC":
            self._emit("ASYNC", text, i, False)
            self._at_start = True
            return i + 1
        if text in kw.VISIBILITIES and scan.word(i + 1, last) in _DECLARATIONS:
            return self._visibility(i)
        if text in kw.PLANNED and self._is_planned(i, last):
            self._sink.report(codes.S3019, "feature", self._span(i), feature=kw.PLANNED[text])
            self._dropped = True
            return i + 1
        if text in ("ELIF", "ELSEIF") and self._clause:
            return self._else_if(i)
        return -1

    def _else_if(self, i: int) -> int:
        fix = Fix("write `ELSE IF`", (Edit(self._span(i), "ELSE IF"),), SAFE)
        self._sink.report(codes.P1006, "word", self._span(i), fixes=[fix], found=self._scan.texts[i], want="ELSE IF")
        self._emit("ELSE", "ELSE", i, False)
        self._head = ""
        return self._head_word("IF", "IF", i)

    def _is_name(self, i: int, last: int) -> bool:
        """Whether a word that could be followed by an operand is a plain name instead (brackets: see the callers)."""
        j = i + 1
        if j >= last:
            return True
        kind = self._scan.kinds[j]
        if kind == "SYMBOL":
            text = self._scan.texts[j]
            return text not in ("(", "[", "{", "!")
        if kind == "WORD":
            text = self._scan.texts[j]
            if text in ("AND", "OR"):
                return True
            if text == "SUB" and (self._scan.texts[i] == "SUB" or self._scan.texts[i] not in kw.PREFIXES):
                return False  # `SEND SUB 5 TO CH`, `SUB SUB X`: a negative operand, no difference
            return not self._scan.is_operand(j, last)
        return False

    def _is_command(self, i: int, last: int, text: str) -> bool:
        """Whether a statement starts with the command, as `CLOSE IN` does, and not with a name, as `CLOSE SET X` does."""
        scan = self._scan
        if self._is_name(i, last):
            return False
        if scan.symbol(i + 1, last) in ("(", "["):
            return self._is_command_before_bracket(i, last, text)
        following = scan.word(i + 1, last)
        if following in ("SET", "SETADD") and i + 2 < last:
            return scan.word(i + 2, last) == "TO" and i + 3 < last or scan.symbol(i + 2, last) == ","
        return True

    def _is_command_before_bracket(self, i: int, last: int, text: str) -> bool:
        scan = self._scan
        close = scan.closing(i + 1, last)
        after = scan.word(close + 1, last)
        if after in ("SET", "SETADD") or scan.symbol(close + 1, last) == "=":
            return False
        if text == "SEND":
            return scan.has_word(i + 1, last, "TO")
        if text == "PUSH":
            return scan.has_word(i + 1, last, ",")
        if text == "REMOVE":
            return scan.has_word(i + 1, last, "WHERE") or scan.symbol(i + 1, last) == "["
        if text == "TIMEOUT":
            return close + 1 < last
        if text == "RAISE" or text in self._declared:
            return False
        return not (scan.symbol(i + 1, last) == "(" and scan.commas(i + 1, close) and close + 1 >= last)

    def _is_prefix(self, i: int, last: int, text: str) -> bool:
        """Whether a word in operand position is the prefix operator: `RECV IN`, `SUB 5`, `AWAIT (T)`; not `SUB(3, 4)`."""
        scan = self._scan
        if self._is_name(i, last):
            return False
        opener = scan.symbol(i + 1, last)
        if opener == "[":
            return not scan.adjacent(i + 1)
        if opener == "(":
            close = scan.closing(i + 1, last)
            is_call = close == i + 2 or scan.commas(i + 1, close) > 0
            return not is_call and text not in self._declared
        return True

    def _opens_block(self, i: int, last: int) -> bool:
        """Whether the word at `i` is followed by a block: a colon, or nothing and then a deeper line."""
        return self._scan.symbol(i + 1, last) == ":" or (i + 1 >= last and self._deeper)

    def _heads_block(self, i: int, last: int) -> bool:
        """`MATCH (X):` against the call `MATCH(X)`: a header ends in a colon or is followed by a deeper line."""
        scan = self._scan
        if scan.symbol(i + 1, last) not in ("(", "[", "{", "-"):
            return False
        return scan.has_word(i + 1, last, ":") or self._deeper

    def _declares(self, i: int, last: int, text: str) -> bool:
        """Whether TYPE, TRAIT, IMPL or MODULE starts a declaration."""
        scan = self._scan
        following = scan.word(i + 1, last)
        if text == "IMPL" and scan.symbol(i + 1, last) == "<":
            return True
        if not following:
            return False
        if following in kw.AFTER_OPERAND:
            after = scan.word(i + 2, last)
            return after in _TYPE_HEADS or (text == "MODULE" and i + 2 >= last)
        return True

    def _is_planned(self, i: int, last: int) -> bool:
        following = self._scan.word(i + 1, last)
        if following:
            return following in _DECLARATIONS or self._scan.is_operand(i + 1, last)
        return self._opens_block(i, last) or (i + 1 < last and self._scan.kinds[i + 1] == "STRING")

    # ------------------------------------------------------------------------------------------------ lower case

    def _lower(self, i: int, last: int, text: str) -> int:
        """A word with lower-case letters, a `_` in front, or letters that are not ASCII."""
        if text in kw.TYPE_WORDS:
            return self._name(i)
        kind = kw.VALUE_WORDS.get(text)
        if kind is not None:
            return self._value_word(kind, i)
        if text == "fn":
            return self._prefix("FN", i)
        if text == "_":
            return self._emit("WILD", text, i, True)
        if text.isascii() and text[0] != "_":
            if self._head in ("MODULE", "IMPORT") and "AS" not in self._out.types[-2:]:
                return self._name(i)
            if self._scan.symbol(i + 1, last) == "." and text.islower():
                return self._name(i)  # a module path
            done = self._foreign(i, last, text)
            if done >= 0:
                return done
        return self._bad_name(i, text)

    def _value_word(self, kind: str, i: int) -> int:
        if self._gaps and self._operand:
            self._gap(i)
        return self._emit(kind, self._scan.texts[i], i, True)

    def _foreign(self, i: int, last: int, text: str) -> int:
        """A word of another language, or a keyword of this one in lower case; -1 when it is just a name."""
        span = self._span(i)
        bound = not self._at_start and self._out.types[-1] in _BINDERS
        if bound:
            return -1
        if text in kw.FOREIGN_NONE and not self._operand:
            fix = Fix("write `NONE`", (Edit(span, "NONE"),), SAFE)
            self._sink.report(codes.P1006, "none", span, fixes=[fix], found=text)
            return self._emit("NAME", "NONE", i, True)
        want = kw.FOREIGN_VALUES.get(text)
        if want is not None:
            fix = Fix(f"write `{want}`", (Edit(span, want),), SAFE)
            self._sink.report(codes.P1006, "word", span, fixes=[fix], found=text, want=want)
            if want == "fn":
                return self._prefix("FN", i)
            kind = kw.VALUE_WORDS.get(want)
            return self._value_word(kind, i) if kind else self._emit("NAME", want, i, True)
        if self._at_start and text in kw.FOREIGN_STATEMENT_NAMES:
            want = kw.FOREIGN_STATEMENT_NAMES[text]
            fix = Fix(f"write `{want}`", (Edit(span, want),), SAFE)
            self._sink.report(codes.P1006, "word", span, fixes=[fix], found=text, want=want)
            return self._emit("NAME", want, i, True)
        want = kw.FOREIGN_KEYWORDS.get(text)
        if want is None or not self._plays_keyword(i, last, want):
            return -1
        wording = "keyword" if want == text.upper() else "word"
        fix = Fix(f"write `{want}`", (Edit(span, want),), SAFE)
        self._sink.report(codes.P1006, wording, span, fixes=[fix], found=text, want=want)
        if want == "ELSE IF":
            self._else(i, "ELSE")
            return self._if(i)
        return self._special(i, last, want) if want in kw.SPECIAL else self._name(i)

    def _plays_keyword(self, i: int, last: int, want: str) -> bool:
        """Whether a lower-case keyword stands where the grammar wants that keyword."""
        if self._operand:
            return want in kw.AFTER_OPERAND or want in ("AND", "OR", "ELSE", "CATCH")
        if self._at_start:
            return want in kw.RESERVED or not self._is_name(i, last)
        if want == "FUNC" and self._out.types[-1] in ("VIS", "ASYNC"):
            return True
        if want in ("NOT", "IF", "TRY"):
            return i + 1 < last and self._scan.kinds[i + 1] != "SYMBOL"
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
        else:
            name = text.upper()
            fix = Fix(f"write `{name}`", (Edit(span, name),), SAFE)
            self._sink.report(codes.P1011, "name", span, "lower-case letters", fixes=[fix], name=name)
        if self._gaps and self._operand:
            self._gap(i)
        return self._emit("NAME", name, i, True)

    # ------------------------------------------------------------------------------------------------ symbols

    def _symbol(self, i: int, last: int) -> int:
        text = self._scan.texts[i]
        if text in _OPENERS:
            return self._open(i, last, text)
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
        if text == "<" and self._operand and self._opens_types(i, last):
            return self._open_types(i, last)
        if text == ">" and self._top.opener == "<" and self._top.close == i:
            self._top = self._stack.pop()
            return self._emit("TGT", text, i, True)
        word = BY_SYMBOL.get(text)
        if word is not None:
            return self._operator_symbol(i, last, text, word)
        if text == "=>":
            return self._arrow(i)
        if text == "...":
            return self._emit("ELLIPSIS", text, i, self._operand)
        return self._foreign_symbol(i, last, text)

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
        elif text == "{" and (self._head in ("TYPE", "TRAIT") and not self._stack):
            names_only = types = True
        elif text == "{" and before == "COLON" and self._colon_of_type():
            names_only = types = True
        self._count(i)
        self._stack.append(outer)
        self._top = _Bracket(text, names_only, types, role, -1, self._load, 0, False, [])
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

    def _opens_types(self, i: int, last: int) -> bool:
        """Whether the `<` at `i` opens type arguments: what it encloses reads as types and what follows fits."""
        if self._out.types[-1] != "NAME":
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
        self._top = _Bracket("<", True, True, "", close, self._load, 0, False, [])
        return self._emit("TLT", "<", i, False)

    def _operator_symbol(self, i: int, last: int, text: str, word: str) -> int:
        """A symbol that is an operator between two operands."""
        span = self._span(i)
        if self._operand:
            fix = Fix(f"write `{word}`", (Edit(span, self._spaced(i, word)),), SAFE)
            self._sink.report(codes.W2004, "symbol", span, fixes=[fix], symbol=text, word=word)
            return self._infix(word, i)
        if text == "-":
            return self._minus(i, last, span)
        return self._infix(word, i)

    def _spaced(self, i: int, word: str) -> str:
        """The word with the blanks that a symbol does not need: `A+B` becomes `A ADD B`."""
        text, start = self._file.text, self._scan.starts[i]
        end = start + len(self._scan.texts[i])
        before = "" if start == 0 or text[start - 1] in " \t\n" else " "
        after = "" if end >= len(text) or text[end] in " \t\r\n" else " "
        return before + word + after

    def _minus(self, i: int, last: int, span: Span) -> int:
        """`-5` and `-X`: read as `SUB 5`, `SUB X`."""
        scan = self._scan
        shown = scan.texts[i + 1] if i + 1 < last and scan.kinds[i + 1] in ("NUMBER", "WORD") else "X"
        is_number = i + 1 < last and scan.kinds[i + 1] == "NUMBER"
        whole = span.to(self._span(i + 1)) if is_number else span
        replacement = self._spaced(i, "SUB").lstrip()
        fix = Fix(f"write `SUB {shown}`", (Edit(span, replacement),), SAFE)
        self._sink.report(codes.P1012, "literal" if is_number else "operand", whole, fixes=[fix], text=shown)
        return self._prefix("NEG", i)

    def _arrow(self, i: int) -> int:
        if self._head == "CASE" and not self._stack and "FN" not in self._out.types[-12:]:
            span = self._span(i)
            fix = Fix("write `:`", (Edit(span, ":"),), SAFE)
            self._sink.report(codes.P1006, "operator", span, fixes=[fix], found="=>", want=":")
            self._emit("HCOLON", ":", i, False)
            self._open_inline(i)
            return i + 1
        return self._emit("ARROW", "=>", i, False)

    def _foreign_symbol(self, i: int, last: int, text: str) -> int:
        """Symbols of other languages."""
        span = self._span(i)
        if text == "=":
            return self._equals(i, span)
        word = kw.FOREIGN_SYMBOLS.get(text)
        if word is not None and (text == "!") == (not self._operand):
            spaced = self._spaced(i, word) if text != "!" else "NOT "
            fix = Fix(f"write `{word}`", (Edit(span, spaced),), SAFE)
            self._sink.report(codes.P1006, "operator", span, fixes=[fix], found=text, want=word)
            return self._not(i) if text == "!" else self._infix(word, i)
        if text == "+=" and self._operand:
            fix = Fix("write `SETADD`", (Edit(span, self._spaced(i, "SETADD")),), SAFE)
            self._sink.report(codes.P1006, "operator", span, fixes=[fix], found=text, want="SETADD")
            return self._go_on("SETADD", i)
        if text == ";":
            return self._semicolon(i, last, span)
        if text == "->" and self._operand:
            want = ":" if self._head == "FUNC" and not self._stack else "=>"
            fix = Fix(f"write `{want}`", (Edit(span, want if want == "=>" else ":"),), LIKELY)
            self._sink.report(codes.P1006, "operator", span, fixes=[fix], found=text, want=want)
            self._result_seen = True
            return self._emit("COLON" if want == ":" else "ARROW", want, i, False)
        if text == "::" and self._operand:
            fix = Fix("write `.`", (Edit(span, "."),), SAFE)
            self._sink.report(codes.P1006, "operator", span, fixes=[fix], found=text, want=".")
            return self._emit("DOT", ".", i, False)
        helps = ["`X ADD 1`, `X SETADD 1` and `X SET X SUB 1` change a number"] if text in ("++", "--", "-=", "*=", "/=") else []
        self._sink.report(codes.P1003, "character", span, helps=helps, char=text)
        if text in ("++", "--", "-=", "*=", "/="):
            self._dropped = True
        return i + 1

    def _equals(self, i: int, span: Span) -> int:
        """`=`: SET where a statement can be set, EQ elsewhere."""
        assigns = not self._stack and not self._set_seen and self._head in ("", "LET", "CONST", "VIS", "EXPR")
        word = "SET" if assigns else "EQ"
        fix = Fix(f"write `{word}`", (Edit(span, self._spaced(i, word)),), SAFE)
        self._sink.report(codes.P1006, "assign" if assigns else "equal", span, fixes=[fix])
        if assigns:
            self._set_seen = True
            return self._go_on("SET", i)
        return self._infix("EQ", i)

    def _semicolon(self, i: int, last: int, span: Span) -> int:
        fixes = [Fix("leave it out", (Edit(span, ""),), SAFE)] if i + 1 >= last else []
        helps = [] if fixes else ["write one statement on a line"]
        self._sink.report(codes.P1006, "semicolon", span, fixes=fixes, helps=helps)
        if i + 1 < last and not self._stack:
            self._out.emit("NEWLINE", "", span.start, span.end)
            self._at_start, self._operand, self._set_seen, self._gaps = True, False, False, False
        return i + 1

    # ------------------------------------------------------------------------------------------------ colons

    def _colon_symbol(self, i: int, last: int) -> int:
        """A colon: of a header, of a type, or between key and value."""
        top = self._top
        if self._ends_header(i, last, top):
            return self._header_colon(i, last, top)
        if self._head == "FUNC" and not self._stack:
            self._result_seen = True
        top.nots.clear()
        self._load = top.load
        return self._emit("COLON", ":", i, False)

    def _ends_header(self, i: int, last: int, top: _Bracket) -> bool:
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

    def _header_colon(self, i: int, last: int, top: _Bracket) -> int:
        types = self._out.types
        is_tail = top.catch or len(types) == self._lambda_end or (bool(types) and types[-1] == "SPAWN")
        kind = "stmts" if is_tail else self._kind or "stmts"
        top.catch = False
        top.nots.clear()
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

    # ------------------------------------------------------------------------------------------------ literals and the rest

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
        self._sink.report(codes.P1003, "character", self._span(i), char=text)
        return i + 1
