"""Giving a source whose indentation was lost its layout back.

Input:  a file whose lines all start at the margin.
Output: the same lines, each indented as the blocks that it is in. Where nothing in the text decides, a note says what was assumed.

What decides, for the blocks that are open at a line, from the innermost outwards:
- words that can only stand elsewhere: CASE belongs to its MATCH, ELSE to its IF, CATCH to its TRY; FUNC, TYPE, MODULE ... to the module;
- a statement that leaves (RETURN, BREAK, CONTINUE, THROW, RAISE) is the last one of its block;
- a block that binds names (the variable of a loop, its LETs) ends behind the last line that uses one of them;
- an endless LOOP, and a TRY before its CATCH, take what follows;
- the last RETURN of a function stands in the function itself, not in a loop or IF before it.
Otherwise a line belongs to the block above it.
"""

from __future__ import annotations

from nxdc.diagnostics.sink import Sink
from nxdc.source.record import MutableRecord, Record
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.layout import split_lines
from nxdc.syntax.parser import parse_file
from nxdc.syntax.tokens import Line, Tokens
from nxdc.syntax.words import Words

STEP = 4

_LEAVES = frozenset(("RETURN", "BREAK", "CONTINUE", "THROW", "RAISE"))
_MODULE_LEVEL = frozenset(("MODULE", "IMPORT", "EXPORT", "FUNC", "TYPE", "TRAIT", "IMPL", "INIT", "VIS", "ASYNC"))
_CLAUSES = {"ELSE": ("IF",), "CATCH": ("TRY", "CATCH"), "FINALLY": ("TRY", "CATCH")}
_NAMES_END = frozenset(("IF", "ELSE", "LOOP", "CASE", "CASE_ELSE", "CATCH", "FINALLY", "TAIL"))


class Note(Record):
    """An assumption, at a line of the file."""

    line: int
    text: str


class _Block(MutableRecord):
    """An open block."""

    head: str  # head of its header line; "TAIL" for the block of a lambda, SPAWN or TRY expression
    kind: str
    line: int  # index of the header
    names: set[str]  # bound by the header or by LETs directly in it
    size: int  # statements directly in it
    left: bool  # its last statement leaves
    endless: bool
    seen: set[str]  # of a MATCH: the first words of its cases
    partner: int  # of an ELSE: the size of the IF block


def reindent(file: SourceFile) -> tuple[str, list[Note]]:
    """The text with its layout, and what had to be assumed. A file that has a layout comes back as it is."""
    scan, lines = split_lines(file, Sink())
    if any(line.indent for line in lines):
        return file.text, [Note(1, "some lines are indented: the file has a layout, and was left as it is")]
    work = _Reindent(file, lines)
    levels = work.levels()
    return _render(file, lines, levels), work.notes


def mistakes_of(name: str, text: str) -> int:
    """How many mistakes of syntax a text has."""
    sink = Sink()
    parse_file(SourceFile(name, text), sink)
    return sink.error_count


class _Reindent:
    """Decides the level of each line."""

    def __init__(self, file: SourceFile, lines: list[Line]) -> None:
        self._file = file
        self._lines = lines
        self._scan, _ = split_lines(file, Sink())
        self._tokens = Tokens([], [], [], [])
        self._words = Words(file, self._scan, self._tokens, Sink(), frozenset())
        self._uses = [self._used(line) for line in lines]
        self._ends = self._function_ends()
        self._stack: list[_Block] = []
        self._closed_if: _Block | None = None
        self.notes: list[Note] = []

    def levels(self) -> list[int]:
        """The level of every logical line."""
        found: list[int] = []
        index = 0
        while index < len(self._lines):
            head = self._head(index)
            self._close_before(index, head)
            level = len(self._stack)
            found.append(level)
            index = self._take(index, head, found, level)
        while self._stack:
            self._pop(len(self._lines), guess=True)
        return found

    # ---- facts about lines -----------------------------------------------------------------------------------------

    def _head(self, index: int) -> str:
        """The first word of a line when it can start a statement of its own, with the words of visibility passed over."""
        line, scan = self._lines[index], self._scan
        word = scan.word(line.first, line.last)
        second = scan.word(line.first + 1, line.last)
        if word in kw.VISIBILITIES or word == "EXPORT" or (word == "ASYNC" and second == "FUNC"):
            return "FUNC" if "FUNC" in (second, scan.word(line.first + 2, line.last)) else "VIS"
        if word == "OTHERWISE":
            return "ELSE"
        if word in kw.DECLARERS:
            return word if second and (second not in kw.AFTER_OPERAND or scan.is_operand(line.first + 1, line.last)) else ""
        return word

    def _used(self, line: Line) -> set[str]:
        """The names that a line uses: all its words but fields behind a dot and keys."""
        scan = self._scan
        found: set[str] = set()
        for i in range(line.first, line.last):
            text = scan.word(i, line.last)
            if text and not (i > line.first and scan.symbol(i - 1, line.last) == "."):
                found.add(text)
        return found

    def _rebound(self, index: int) -> set[str]:
        """The names that a line binds anew: uses in later lines are not those of the block before it."""
        line, scan = self._lines[index], self._scan
        word = scan.word(line.first, line.last)
        if word in ("LET", "CONST"):
            return {scan.word(line.first + 1, line.last)}
        if word == "CASE":
            return self._uses[index]
        if word in ("LOOP", "FOR", "CATCH"):
            return {scan.word(line.first + 1, line.last), scan.word(line.first + 3, line.last)}
        return set()

    def _function_ends(self) -> list[int]:
        """For each line the index of the line at which its function or module part ends."""
        ends = [len(self._lines)] * len(self._lines)
        end = len(self._lines)
        for index in range(len(self._lines) - 1, -1, -1):
            ends[index] = end
            if self._head(index) in _MODULE_LEVEL:
                end = index
        return ends

    def _used_later(self, names: set[str], index: int) -> bool:
        """Whether a line from `index` to the end of the function uses one of the names, before they are bound anew."""
        names = set(names)
        for later in range(index, self._ends[index] if self._head(index) not in _MODULE_LEVEL else index):
            rebound = self._rebound(later)
            used = self._uses[later]
            if self._head(later) in ("LET", "CONST") and rebound & names:
                word = next(iter(rebound))
                line = self._lines[later]
                again = sum(1 for i in range(line.first + 2, line.last) if self._scan.word(i, line.last) == word)
                used = used if again else used - rebound
            elif self._head(later) == "CASE" or rebound:
                used = used - rebound
            if used & names:
                return True
            names -= rebound
            if not names:
                return False
        return False

    # ---- closing ---------------------------------------------------------------------------------------------------

    def _close_before(self, index: int, head: str) -> None:
        """Close the blocks that the line at `index` is not in."""
        self._closed_if = None
        if head in _MODULE_LEVEL:
            methods = head == "FUNC" and next((b for b in self._stack if b.kind == "methods"), None)
            while self._stack and not (methods and self._stack[-1] is methods):
                self._pop(index, guess=False)
            return
        if head == "CASE" and self._close_to_match(index):
            return
        if head in _CLAUSES and self._close_to_clause(index, head):
            return
        while self._stack and self._ends_before(self._stack[-1], index, head):
            self._pop(index, guess=False)

    def _close_to_match(self, index: int) -> bool:
        """Close what is open inside the MATCH or SELECT that a CASE belongs to."""
        matches = [b for b in self._stack if b.kind in ("cases", "select")]
        if not matches:
            return False
        pattern = self._pattern_word(index)
        target = next((b for b in reversed(matches) if pattern not in b.seen and "OTHERWISE" not in b.seen), matches[0])
        while self._stack[-1] is not target:
            self._pop(index, guess=False)
        target.seen.add(pattern)
        return True

    def _pattern_word(self, index: int) -> str:
        line, scan = self._lines[index], self._scan
        end = next((i for i in range(line.first, line.last) if scan.symbol(i, line.last) == ":"), line.last)
        return " ".join(scan.texts[line.first + 1 : end])

    def _close_to_clause(self, index: int, head: str) -> bool:
        """Close down to the IF or TRY that a clause belongs to; OTHERWISE may be that of a MATCH."""
        is_otherwise = self._scan.word(self._lines[index].first, self._lines[index].last) == "OTHERWISE"
        for depth in range(len(self._stack) - 1, -1, -1):
            block = self._stack[depth]
            matches = block.kind in ("cases", "select") and head == "ELSE" and "OTHERWISE" not in block.seen
            if matches and (is_otherwise or not any(b.head == "IF" for b in self._stack[depth:])):
                while len(self._stack) > depth + 1:
                    self._pop(index, guess=False)
                block.seen.add("OTHERWISE")
                return True
            if block.head in _CLAUSES[head] and not (is_otherwise and self._inside_match(depth)):
                while len(self._stack) > depth + 1:
                    self._pop(index, guess=False)
                self._closed_if = self._stack.pop()
                return True
        return False

    def _inside_match(self, depth: int) -> bool:
        return any(b.kind == "cases" and "OTHERWISE" not in b.seen for b in self._stack[:depth])

    def _ends_before(self, block: _Block, index: int, head: str) -> bool:
        """Whether a block has ended before the plain line at `index`."""
        if block.kind in ("cases", "select"):
            return True  # only cases stand directly in it
        if block.kind == "methods":
            return True
        if block.kind in ("fields", "members", "variants"):
            return not self._is_field(index, block.kind)
        if block.size == 0:
            return False
        if block.left:
            return True
        if block.endless or block.head in ("FUNC", "TRY", "INIT"):
            return False
        if block.names and block.head in _NAMES_END:
            return not self._used_later(block.names, index)
        if block.head == "ELSE" and block.partner:
            return block.size >= block.partner
        return self._is_last_return(index, head) and block.head in ("IF", "LOOP")

    def _is_last_return(self, index: int, head: str) -> bool:
        in_function = any(block.head == "FUNC" for block in self._stack)
        return head == "RETURN" and in_function and self._ends[index] == index + 1

    def _is_field(self, index: int, kind: str) -> bool:
        line, scan = self._lines[index], self._scan
        if not scan.word(line.first, line.last):
            return False
        following = scan.symbol(line.first + 1, line.last)
        if kind == "fields":
            return following == ":"
        return line.last == line.first + 1 or following in (",", "(")

    def _pop(self, index: int, *, guess: bool) -> None:
        """Close the innermost block; note when only custom says how far it reaches."""
        block = self._stack.pop()
        unsure = block.kind == "stmts" and block.head in ("IF", "ELSE", "LOOP", "CASE_ELSE", "CATCH") and not block.endless
        if unsure and not block.left and not block.names and block.size > 1:
            first, last = self._line_number(block.line), self._line_number(index - 1)
            self.notes.append(Note(first, f"the block of this line was taken to reach to line {last}"))
        _ = guess

    def _line_number(self, index: int) -> int:
        return self._file.position(self._scan.starts[self._lines[index].first])[0]

    # ---- taking a line ---------------------------------------------------------------------------------------------

    def _take(self, index: int, head: str, found: list[int], level: int) -> int:
        """Put the line at `index` (with those that an operator at its end joins to it) into its block; the next index."""
        kind = self._stack[-1].kind if self._stack else "stmts"
        clause = "CASE_ELSE" if kind in ("cases", "select") and head == "ELSE" else head if head in _CLAUSES else ""
        mark = len(self._tokens.types)
        result = self._words.start(self._lines[index], kind, clause, deeper=True)
        following = index + 1
        while result.continues and following < len(self._lines):
            found.append(level + 2)
            result = self._words.resume(self._lines[following])
            following += 1
        tokens = self._tokens.types[mark:]
        values = self._tokens.values[mark:]
        if self._stack:
            block = self._stack[-1]
            block.size += 1
            block.left = (head in _LEAVES and not result.inline) or (block.left and head in _CLAUSES)
            if head in ("LET", "CONST") and kind == "stmts":
                block.names.add(str(values[1]) if len(values) > 1 else "")
        opens = result.colon or (bool(result.block) and not result.inline and head not in ("TYPE", "TRAIT", "FUNC", "VIS"))
        opens = opens or (result.block != "" and not result.inline and self._opens_without_colon(tokens, following))
        if opens:
            self._push(index, result.head, result.block or "stmts", tokens, values)
        return following

    def _opens_without_colon(self, tokens: list[str], following: int) -> bool:
        """A FUNC, TYPE or TRAIT line without colon has a block when a plain line follows."""
        if following >= len(self._lines) or not tokens:
            return False
        if any(block.kind == "methods" for block in self._stack):
            return False
        head = self._head(following)
        return head not in _MODULE_LEVEL or ("TRAIT" in tokens[:2] and head == "FUNC")

    def _push(self, index: int, head: str, kind: str, tokens: list[str], values: list[object]) -> None:
        tail = tokens[-2] if len(tokens) > 1 else ""
        is_tail = head not in ("FUNC", "TYPE", "TRAIT", "IMPL", "VIS") and kind == "stmts" and head not in kw.HEADERS
        is_tail = is_tail or (head not in kw.HEADERS and (tail == "SPAWN" or "CATCH" in tokens))
        name = "TAIL" if is_tail else head
        if name == "VIS":
            name = "FUNC" if "FUNC" in tokens else "TYPE"
        endless = name == "LOOP" and tokens[:1] == ["LOOP"] and tokens[1:2] in (["HCOLON"], [])
        partner = 0
        if name == "ELSE" or (name == "IF" and tokens[:1] == ["ELSE"]):
            partner = self._closed_if.size if self._closed_if else 0
        bound = self._bound(name, tokens, values)
        self._stack.append(_Block(name, kind, index, bound, 0, False, endless, set(), partner))

    def _bound(self, name: str, tokens: list[str], values: list[object]) -> set[str]:
        """The names that a header binds."""
        if name == "LOOP":
            return {str(values[i]) for i in (1, 3) if tokens[i : i + 1] == ["NAME"] and tokens[1:2] == ["NAME"]} & {
                str(v) for v, k in zip(values[:4], tokens[:4], strict=True) if k == "NAME"
            }
        if name in ("CASE", "CATCH", "TAIL"):
            start = 0 if name != "TAIL" else next((i for i, k in enumerate(tokens) if k in ("CATCH", "FN")), len(tokens))
            return {
                str(values[i])
                for i in range(start, len(tokens))
                if tokens[i] == "NAME" and tokens[i - 1] in ("LPAREN", "COMMA", "LBRACKET", "CATCH", "COLON", "CASE")
                and tokens[i + 1 : i + 2] not in (["LPAREN"], ["DOT"])
                and not (tokens[i - 1] in ("CASE",) and tokens[i + 1 : i + 2] != ["FROM"])
            }
        return set()


# ---- text ----------------------------------------------------------------------------------------------------------


def _render(file: SourceFile, lines: list[Line], levels: list[int]) -> str:
    """The text with each program line at its level; lines inside brackets go one step deeper, comments go with what follows."""
    scan, _ = split_lines(file, Sink())
    level_of: dict[int, int] = {}
    for line, level in zip(lines, levels, strict=True):
        depth = 0
        for i in range(line.first, line.last):
            number = file.position(scan.starts[i])[0]
            text = scan.texts[i] if scan.kinds[i] == "SYMBOL" else ""
            if number not in level_of:
                level_of[number] = level + depth - (1 if depth and text in (")", "]", "}") else 0)
            if text in ("(", "[", "{"):
                depth += 1
            elif text in (")", "]", "}"):
                depth -= 1
    out: list[str] = []
    following = 0
    for number in range(file.line_count, 0, -1):
        text = file.line_text(number)
        start, end = file.line_range(number)
        in_program = bool(file.code[start:end].strip())
        following = level_of.get(number, following)
        margin = " " * file.margins.get(file.line_starts[number - 1], 0)
        out.append(margin + " " * (following * STEP) + text.lstrip() if in_program else text)
    ending = "\r\n" if "\r\n" in file.text else "\n"
    return ending.join(reversed(out)) + (ending if file.text.endswith("\n") else "")
