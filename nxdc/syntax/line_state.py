"""What is known while a line is classified, and the ways in which its tokens are emitted. Base of `Words`."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix, Grade
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import MutableRecord
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.literals import Literals
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Tokens
from nxdc.tables.operators import BY_WORD

MAX_CHAIN = 1000
MAX_INLINE = 20  # one-line blocks inside each other

# After one of these the next word is a name whatever it is.
BINDERS = frozenset(
    ("LET", "CONST", "FUNC", "CATCH", "TYPE", "TRAIT", "MODULE", "IMPORT", "LOOP", "DOT", "RAISE", "CASE")
)
DECLARATIONS = frozenset(("FUNC", "TYPE", "TRAIT", "LET", "CONST", "ASYNC", "IMPL"))
TYPE_HEADS = frozenset(("IMPLEMENTS", "STRUCT", "ENUM", "UNION"))

_COMPARISONS = frozenset(op.word for op in BY_WORD.values() if op.level == 6)
_ENDS_NOT = frozenset(("AND", "OR", "PIPE", "PIPEMAP", "PIPEFILTER"))


class Bracket(MutableRecord):
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


class LineState:
    """State and output of the classifier."""

    def __init__(self, file: SourceFile, scan: Scanner, out: Tokens, sink: Sink, declared: frozenset[str]) -> None:
        self._file = file
        self._scan = scan
        self._out = out
        self._sink = sink
        self._declared = declared  # functions of this file that are named like a prefix or command word
        self.path_words: frozenset[str] = frozenset()  # words of the module paths of this file
        self.new_names: dict[int, bool] = {}  # where `:=` makes a variable (`bindings`)
        self._literals = Literals(file, sink)
        self._classes: dict[str, int] = {}

    def _begin(self, block: str, clause: str, deeper: bool) -> None:
        """Set everything to the start of a line."""
        self._block = block
        self._clause = clause
        self._deeper = deeper
        self._stack: list[Bracket] = []
        fields = block in ("fields", "members", "variants")
        self._top = Bracket("", fields, fields, "", -1, 0, 0, False, [])
        self._at_start = True
        self._operand = False
        self._head = ""
        self._kind = ""
        self._colon = False
        self._tail = ""  # kind of block that the end of the line opens: "stmts" after fn(...), SPAWN, CATCH
        self._gaps = False
        self._set_seen = False
        self._after_else = False
        self._condition = False  # the line is an IF or a LOOP WHILE
        self._dropped = False
        self._load = 0
        self._result_seen = False  # of a FUNC line: the colon before its result type has been read
        self._lambda_end = -1  # length of the output right behind the parameter list of a lambda
        self._fn_type_end = -1  # and behind that of a function type
        self._if_at = -1  # the IF statement of this line, until it proves to be an IF expression
        self._open_ifs = 0  # IF expressions that wait for ELSE
        self._sent = (0, 0)  # raw tokens of the channel in `CASE CH <- X`, until they are emitted
        self._open_tries = 0  # TRY expressions that wait for CATCH

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

    def _close_inline(self, bracket: Bracket, at: int) -> None:
        for _ in range(bracket.inline):
            self._out.emit("NEWLINE", "", at, at)
            self._out.emit("DEDENT", "", at, at)
        bracket.inline = 0

    def _written(self, i: int, want: str, put: str = "", *, wording: str = "word", grade: Grade = SAFE) -> None:
        """Report raw token `i`, which NXD writes as `want`; the fix puts that there, or `put` if blanks go with it."""
        span = self._span(i)
        fix = Fix(f"write `{want}`", (Edit(span, put or want),), grade)
        self._sink.report(codes.P1006, wording, span, fixes=[fix], found=self._scan.texts[i], want=want)

    def _spaced(self, i: int, word: str) -> str:
        """The word with the blanks that a symbol does not need: `A+B` becomes `A ADD B`."""
        start = self._scan.starts[i]
        return self._between(start, start + len(self._scan.texts[i]), word)

    def _between(self, start: int, end: int, word: str) -> str:
        """The word with the blanks that it needs in place of the characters [start, end)."""
        text = self._file.text
        before = "" if start == 0 or text[start - 1] in " \t\n" else " "
        after = "" if end >= len(text) or text[end] in " \t\r\n" else " "
        return before + word + after

    # ------------------------------------------------------------------------------------------------ given by the
    # classes below

    def _special(self, i: int, last: int, text: str) -> int:
        """A word that can be more than a name (`Words`)."""
        raise NotImplementedError

    def _head_word(self, head: str, kind: str, i: int) -> int:
        """The first word of a statement (`Words`)."""
        raise NotImplementedError

    def _not(self, i: int) -> int:
        """NOT, before what it negates (`Words`)."""
        raise NotImplementedError

    def _else(self, i: int, text: str) -> int:
        """ELSE or OTHERWISE (`Words`)."""
        raise NotImplementedError

    def _if(self, i: int) -> int:
        """IF (`Words`)."""
        raise NotImplementedError

    def _else_if(self, i: int) -> int:
        """A word of another language for ELSE IF (`Words`)."""
        raise NotImplementedError
