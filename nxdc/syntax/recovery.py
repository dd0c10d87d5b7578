"""Syntax errors: saying what was found and what would fit, and finding the place from which to go on.

Going on: the stacks are cut back to the innermost list that the wrong statement is an element of, its tokens are
passed over, and ERRSTMT (or ERRHEAD, when a block follows that can be read) takes its place. So each wrong statement
gives one diagnostic, and the statements in the block of a wrong header are still read.
"""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.chains import COMPARISONS, report_chain
from nxdc.syntax.foreign.habits import report_habit
from nxdc.syntax.foreign.misspelt import declared_names, find_misspelt, header_before
from nxdc.syntax.foreign.slips import slip_help
from nxdc.syntax.lalr import Driver
from nxdc.tables.prelude import BY_NAME

_OPERANDS = frozenset(("INT", "FLOAT", "STRING", "TRUE", "FALSE", "NONEW", "LBRACKET", "LBRACE", "FN", "LPAREN"))
_STATEMENTS = frozenset(
    ("RETURN", "BREAK", "CONTINUE", "LET", "CONST", "THROW", "RAISE", "SEND", "CLOSE", "SPAWN", "ESC", "PUSH", "REMOVE")
)
_BLOCK_HEADS = frozenset(
    ("IF", "ELSE", "LOOP", "WHILE", "FUNC", "TRY", "CATCH", "FINALLY", "ASYNC", "VIS", "INIT", "LET", "CASE")
)

_OPENERS = frozenset(("LPAREN", "LBRACKET", "LBRACE"))
_CLOSERS = frozenset(("RPAREN", "RBRACKET", "RBRACE"))
_BEFORE_CONDITION = frozenset(
    ("IF", "IFX", "WHILE", "WHEN", "AND", "OR", "SET", "RETURN", "COMMA", "THEN", "ELSE", "ARROW", "COLON", "NEWLINE",
     "INDENT", *_OPENERS)
)  # fmt: skip

# What a token kind is to a user, in the order in which the expected ones are named. Kinds not listed are not named.
_EXPECTED = (
    ("INT", "a value"), ("NAME", "a name"), ("HCOLON", "`:`"), ("COLON", "`:`"), ("SET", "`SET`"), ("LPAREN", "`(`"),
    ("RPAREN", "`)`"), ("RBRACKET", "`]`"), ("RBRACE", "`}`"), ("COMMA", "`,`"), ("TO", "`TO`"), ("FROM", "`FROM`"),
    ("IN", "`IN`"), ("THEN", "`THEN`"), ("ELSE", "`ELSE`"), ("CATCH", "`CATCH`"), ("CASE", "`CASE`"), ("ARROW", "`=>`"),
    ("FOR", "`FOR`"), ("LBRACE", "`{`"), ("ADD", "an operator"), ("NEWLINE", "the end of the line"),
)  # fmt: skip
_WORDS_OF = {
    "NAME": "the name", "INT": "the number", "FLOAT": "the number", "STRING": "the text",
    "NEWLINE": "the end of the line", "END": "the end of the file", "GAP": "the value",
}  # fmt: skip

# Words that another order of the line is meant with; @ is the name behind them.
_WORDS_FIRST = {
    "SET": "the name comes first: `@ SET ...`", "ENUM": "write `TYPE @ ENUM { ... }`",
    "FOR": "write `LOOP X IN L:`", "UNION": "write `TYPE @ UNION { ... }`", "FROM": "write `IMPORT @ NAME, NAME`",
    "DELETE": "write `REMOVE @[KEY]`", "DEL": "write `REMOVE @[KEY]`",
}  # fmt: skip


class Recovery:
    """Error handling of one parse."""

    def __init__(self, driver: Driver, file: SourceFile, sink: Sink) -> None:
        self._driver = driver
        self._tokens = driver.tokens
        self._file = file
        self._sink = sink
        self._handled = -1  # index of the last error token put in: going on must always lead behind it
        self._foreign: set[int] = set()  # where foreign words were told ...
        self._read = 0  # ... among so many findings
        self._functions: set[str] | None = None
        self._declared: frozenset[str] | None = None  # names of the file, found when the first error is told

    def on_error(self, index: int) -> int:
        """Report the token at `index` and prepare the stacks; the index from which the parser goes on."""
        if index <= self._handled:
            return -1
        self._report(index)
        self._handled = self._resume(index)
        return self._handled

    # ------------------------------------------------------------------------------------------------ going on

    def _resume(self, index: int) -> int:
        start = self._cut_stacks()
        if start < 0:
            return -1
        types = self._tokens.types
        first = self._token_at(start, index)
        readable = types[first] in _BLOCK_HEADS and self._driver.would_accept("ERRHEAD")
        end, depth = index, 0
        while types[end] != "END":
            kind = types[end]
            if kind == "HCOLON" and depth == 0 and readable and types[end + 1] == "INDENT":
                return self._replace("ERRHEAD", first, end)
            if kind == "INDENT":
                depth += 1
            elif kind == "DEDENT":
                depth -= 1
                if depth < 0:
                    return -1
            elif kind == "NEWLINE" and depth == 0:
                return self._replace("ERRSTMT", first, end)
            end += 1
        return -1

    def _cut_stacks(self) -> int:
        """Cut the stacks back to the innermost list of statements (cases, fields); offset where the wrong element
        starts."""
        driver = self._driver
        actions = driver.parser.actions
        start = driver.ends[-1]
        while driver.states:
            action = actions[driver.states[-1]].get("ERRSTMT")
            if action is not None and action > 0:
                return start
            if len(driver.states) == 1:
                return -1
            start = driver.starts[-1]
            driver.states.pop()
            driver.symbols.pop()
            driver.starts.pop()
            driver.ends.pop()
        return -1

    def _token_at(self, offset: int, index: int) -> int:
        """Index of the first token of the wrong element, at or before `index`."""
        starts, types = self._tokens.starts, self._tokens.types
        while index > 0 and starts[index - 1] >= offset and types[index - 1] not in ("NEWLINE", "INDENT", "DEDENT"):
            index -= 1
        return index

    def _replace(self, kind: str, first: int, end: int) -> int:
        """Let the parser read an error token in place of the tokens [first, end)."""
        tokens = self._tokens
        at = max(first, end - 1)
        head = tokens.types[first] if first < end else ""
        if at == end:  # nothing to overwrite: the error is the line's end itself, or an empty line
            tokens.types.insert(end, kind)
            tokens.values.insert(end, head)
            tokens.starts.insert(end, tokens.starts[end])
            tokens.ends.insert(end, tokens.starts[end])
            return end
        tokens.types[at] = kind
        tokens.values[at] = head
        tokens.starts[at] = tokens.starts[first]
        return at

    # ------------------------------------------------------------------------------------------------ saying what is
    # wrong

    def _span(self, index: int) -> Span:
        return Span(self._file, self._tokens.starts[index], self._tokens.ends[index])

    def _report(self, index: int) -> None:
        tokens = self._tokens
        kind = tokens.types[index]
        before = tokens.types[index - 1] if index else ""
        if self._is_reported(index) or self._misspelt(index) or self._special(index, kind, before):
            return
        expected = self._expected()
        slip = slip_help(tokens, index)
        helps = [slip] if slip else [f"expected {_listed(expected)}"] if expected else []
        if kind in ("NEWLINE", "DEDENT", "END", "INDENT"):
            if "`:`" in expected and self._driver.would_accept("HCOLON"):
                self._missing_block(index)
                return
            at = tokens.ends[index - 1] if index else 0
            place = Span(self._file, at, at) if at == 0 else Span(self._file, at - 1, at)
            self._sink.report(codes.P1002, "end", place, helps=helps)
            return
        self._sink.report(codes.P1002, "found", self._span(index), helps=helps, found=self._shown(index))

    def _is_reported(self, index: int) -> bool:
        """Whether the classifier has reported the token at `index` as foreign already."""
        found = self._sink.found()
        for diagnostic in found[self._read :]:
            span = diagnostic.primary.span
            if diagnostic.code is codes.P1006 and span.file is self._file:
                self._foreign.add(span.start)
        self._read = len(found)
        place = self._span(index)
        return place.start < place.end and place.start in self._foreign

    def _shown(self, index: int) -> str:
        text = self._span(index).text
        word = _WORDS_OF.get(self._tokens.types[index])
        if len(text) > 30:
            return word or "this"
        if word and text:
            return f"{word} `{text}`" if text[0] != '"' else f"{word} {text}"
        return f"`{text}`" if text else word or "this"

    def _expected(self) -> list[str]:
        """What would fit here, in the user's words."""
        named: list[str] = []
        for kind, word in _EXPECTED:
            if word in named or (kind in ("NAME", "LPAREN") and "a value" in named):
                continue
            if self._driver.would_accept(kind) and not (kind in ("LBRACE", "LPAREN") and "an operator" in named):
                named.append(word)
        if "an operator" in named:  # after a complete operand brackets fit too, but they are not what is missing
            named = [word for word in named if word not in ("`(`", "`{`", "`IN`")]
        return named

    def _special(self, index: int, kind: str, before: str) -> bool:
        """The slips that deserve a message of their own; True when one was reported."""
        tokens, span = self._tokens, self._span(index)
        if report_habit(self._tokens, index, self._file, self._sink):
            return True
        if kind in COMPARISONS and self._is_chained(index):
            self._report_chain(span)
            return True
        starts_operand = kind in _OPERANDS or kind == "NAME"
        if (starts_operand or kind in _STATEMENTS) and self._lacks_colon(index):
            at = tokens.ends[index - 1]
            grade = SAFE if self._is_statement(index) else LIKELY
            fix = Fix("put in the colon", (Edit(Span(self._file, at, at), ":"),), grade)
            self._sink.report(codes.P1019, "header", Span(self._file, at - 1, at), fixes=[fix])
            return True
        if starts_operand and before == "NAME" and self._driver.would_accept("LPAREN") and kind != "LPAREN":
            return self._call_without_brackets(index, span)
        if kind == "NOT" or kind == "TNOT":
            following = tokens.types[index + 1]
            comparison = following if following != "NAME" else tokens.values[index + 1]
            if comparison in ("IN", "HAS", "CONTAINS", "IS", "MATCHES") or before == "IS":
                helps = ["put NOT before the whole comparison: `NOT X IN L`"]
                self._sink.report(codes.P1002, "found", span, helps=helps, fixes=self._not_first(index), found="`NOT`")
                return True
        return False

    def _misspelt(self, index: int) -> bool:
        """Whether a misspelt keyword explains the error at `index`; reported then, at that word."""
        found = find_misspelt(self._tokens, index, self._file, self._driver.would_accept, self._declared_names())
        if found is None or str(self._tokens.values[found.index]) in _WORDS_FIRST:
            return False
        shown = self._shown(found.index)
        place = self._span(found.index)
        if found.meant in ("CATCH", "FINALLY"):
            self._withdraw_lone_try(found.index)
        self._sink.report(codes.P1002, "found", place, helps=[found.help], fixes=found.fixes, found=shown)
        if found.index < index:  # the words behind it were read without knowing what the statement is
            self._sink.doubt(Span(self._file, place.end, self._line_end(index)))
        return True

    def _withdraw_lone_try(self, first: int) -> None:
        """The TRY right before the misspelt clause at `first` does not lack a clause."""
        told = [d for d in self._sink.found()[-1:] if d.code is codes.P1010 and d.wording == "try_alone"]
        start = header_before(self._tokens, first)
        if told and start >= 0 and told[0].primary.span.start == self._tokens.starts[start]:
            self._sink.withdraw(told[0])

    def _line_end(self, index: int) -> int:
        """The offset where the line of the token at `index` ends."""
        types = self._tokens.types
        while types[index] not in ("NEWLINE", "INDENT", "DEDENT", "END"):
            index += 1
        return self._tokens.starts[index]

    def _declared_names(self) -> frozenset[str]:
        if self._declared is None:
            self._declared = declared_names(self._tokens)
        return self._declared

    def _not_first(self, index: int) -> list[Fix]:
        """The fix that moves the NOT of `X NOT IN L` or `X IS NOT NONE` before the X."""
        tokens, start = self._tokens, index
        while start > 0 and tokens.types[start - 1] not in _BEFORE_CONDITION:
            start -= 1
        if start == index or any(kind in _OPENERS or kind in _CLOSERS for kind in tokens.types[start:index]):
            return []
        place, behind = tokens.starts[start], tokens.starts[index + 1]
        edits = (Edit(Span(self._file, place, place), "NOT "), Edit(Span(self._file, tokens.starts[index], behind), ""))
        return [Fix("put `NOT` first", edits, SAFE)]

    def _lacks_colon(self, index: int) -> bool:
        """Whether a header ends before the token at `index`, and no colon stands further on in the line."""
        if not self._driver.would_accept("HCOLON"):
            return False
        if self._driver.would_accept("NEWLINE") and not self._is_statement(index):  # `FUNC F()` needs no colon
            return False
        types = self._tokens.types
        while types[index] not in ("NEWLINE", "END", "HCOLON", "INDENT"):
            index += 1
        return types[index] in ("NEWLINE", "END")

    def _is_statement(self, index: int) -> bool:
        """Whether what starts at `index` can only be a statement: it has its keyword, calls or sets something."""
        types = self._tokens.types
        return types[index] in _STATEMENTS or (
            types[index] == "NAME" and types[index + 1] in ("LPAREN", "SET", "SETADD", "DOT")
        )

    def _is_chained(self, index: int) -> bool:
        """Whether the operand before the comparison at `index` is itself the right side of a comparison."""
        symbols = self._driver.symbols
        return (
            len(symbols) > 3
            and isinstance(symbols[-2], str)
            and symbols[-2] in COMPARISONS
            and self._tokens.types[index - 1] not in COMPARISONS
        )

    def _report_chain(self, span: Span) -> None:
        """A comparison whose left operand, on top of the stack, is the right operand of another."""
        starts, ends = self._driver.starts, self._driver.ends
        left, first, middle = (Span(self._file, starts[i], ends[i]) for i in (-3, -2, -1))
        report_chain(self._sink, left, first, middle, span)

    def _call_without_brackets(self, index: int, span: Span) -> bool:
        """`PRINTLN "x"`: the statement starts with the name and the value ends the line."""
        tokens = self._tokens
        first = index - 1
        if first > 0 and tokens.types[first - 1] not in ("NEWLINE", "INDENT", "HCOLON"):
            return False
        end = index
        while tokens.types[end] not in ("NEWLINE", "END", "HCOLON", "INDENT"):
            end += 1
        name = str(tokens.values[first])
        if name in _WORDS_FIRST:
            help_ = _WORDS_FIRST[name].replace("@", str(tokens.values[index]))
            self._sink.report(codes.P1002, "found", span, helps=[help_], found=self._shown(index))
            return True
        is_function = self._is_function(name)
        if name in self._declared_names() and not is_function:  # a variable: it is not called
            return False
        gap = Span(self._file, tokens.ends[first], tokens.starts[index])
        close = tokens.ends[end - 1]
        edits = (Edit(gap, "("), Edit(Span(self._file, close, close), ")"))
        fixes = [Fix("put the brackets in", edits, SAFE)] if is_function else []
        helps = [f"a call has brackets: `{name}(...)`"]
        self._sink.report(codes.P1002, "found", span, helps=helps, fixes=fixes, found=self._shown(index))
        return True

    def _is_function(self, name: str) -> bool:
        """Whether the prelude or this file has a function of that name."""
        if self._functions is None:
            types, values = self._tokens.types, self._tokens.values
            self._functions = {str(values[i + 1]) for i, kind in enumerate(types[:-1]) if kind == "FUNC"}
        return name in BY_NAME or name in self._functions

    def _missing_block(self, index: int) -> None:
        """A header that neither has a colon nor is followed by a block."""
        tokens = self._tokens
        first = index
        while first > 0 and tokens.types[first - 1] not in ("NEWLINE", "INDENT", "DEDENT"):
            first -= 1
        start = tokens.starts[first]
        end = tokens.ends[index - 1] if index else start
        helps = ["end the header with a colon and indent the block under it; a statement that does nothing is `NONE`"]
        self._sink.report(codes.P1014, "missing", Span(self._file, start, max(start, end)), helps=helps)


def _listed(words: list[str]) -> str:
    if len(words) > 5:
        words = words[:5]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
