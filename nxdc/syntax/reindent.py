"""Giving a source whose indentation was lost its layout back.

Input:  a file whose lines all start at the margin.
Output: the same lines, each indented as the blocks that it is in. Where nothing in the text decides, a note says
        what was assumed.

What decides, for the blocks that are open at a line, from the innermost outwards:
- words that can only stand elsewhere: CASE belongs to its MATCH, ELSE to its IF, CATCH to its TRY; FUNC, TYPE,
MODULE ... to the module; - a statement that leaves (RETURN, BREAK, CONTINUE, THROW, RAISE) is the last one of its
block; - a block that binds names (the variable of a loop, its LETs) ends behind the last line that uses one of them,
with all blocks in it; - a WHILE loop ends behind the statement that changes a variable of its condition;
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
    used: bool  # a line in it has used one of its names
    condition: set[str]  # of a WHILE: the names in its condition
    turned: bool  # of a WHILE: its last statement changes one of them
    methods: set[str] | None  # of an IMPL: the functions that its trait asks for and that it still lacks


def reindent(file: SourceFile) -> tuple[str, list[Note]]:
    """The text with its layout, and what had to be assumed. A file that has a layout comes back as it is."""
    _, lines = split_lines(file, Sink())
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
        self._traits = self._trait_methods()
        self._families = self._variant_families()
        self._is_script = not any(self._scan.texts[i : i + 2] == ["FUNC", "MAIN"] for i in range(len(self._scan.texts)))
        self._stack: list[_Block] = []
        self._closed_if: _Block | None = None
        self._one_line = ""  # head of the line before, when its block stands on the same line
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
            self._pop(len(self._lines))
        return found

    # ---- facts about lines -----------------------------------------------------------------------------------------

    def _head(self, index: int) -> str:
        """The first word of a line when it can start a statement of its own, with the words of visibility passed
        over."""
        line, scan = self._lines[index], self._scan
        word = scan.word(line.first, line.last)
        second = scan.word(line.first + 1, line.last)
        if word in kw.VISIBILITIES or word == "EXPORT" or (word == "ASYNC" and second == "FUNC"):
            return "FUNC" if "FUNC" in (second, scan.word(line.first + 2, line.last)) else "VIS"
        if word == "OTHERWISE":
            return "ELSE"
        if word in kw.DECLARERS:
            return (
                word
                if second and (second not in kw.AFTER_OPERAND or scan.is_operand(line.first + 1, line.last))
                else ""
            )
        return word

    def _used(self, line: Line) -> set[str]:
        """The names that a line uses: all its words but fields behind a dot and keys."""
        scan = self._scan
        found: set[str] = set()
        for i in range(line.first, line.last):
            text = scan.word(i, line.last)
            if text and not (i > line.first and scan.symbol(i - 1, line.last) == "."):
                found.add(text)
        for i in range(line.first + 1, line.last):  # `TRY F() CATCH E: ...` binds its own E
            if scan.word(i - 1, line.last) == "CATCH":
                found.discard(scan.word(i, line.last))
        return found

    def _trait_methods(self) -> dict[str, set[str]]:
        """The functions of the traits that the file declares: in braces, or the FUNC lines without body behind it."""
        scan = self._scan
        found: dict[str, set[str]] = {}
        for index, line in enumerate(self._lines):
            if self._head(index) != "TRAIT":
                continue
            last = line.last
            if scan.symbol(last - 1, last) != "}":
                following = index + 1
                while following < len(self._lines) and self._is_signature(following):
                    last = self._lines[following].last
                    following += 1
            methods = {scan.texts[i + 1] for i in range(line.first, last) if scan.texts[i] == "FUNC"}
            found[scan.texts[line.first + 1]] = methods
        return found

    def _variant_families(self) -> dict[str, str]:
        """For each variant that is known by name the type it is of: which CASE belongs to which MATCH."""
        scan = self._scan
        found = {"OK": "RESULT", "ERR": "RESULT", "SOME": "OPTION", "NONE": "OPTION", "true": "bool", "false": "bool"}
        for index, line in enumerate(self._lines):
            words = [scan.word(i, line.last) for i in range(line.first, line.last)]
            if self._head(index) != "TYPE" or not {"ENUM", "UNION"} & set(words):
                continue
            name = scan.word(line.first + 1, line.last)
            start = next(i for i in range(line.first, line.last) if scan.texts[i] in ("ENUM", "UNION"))
            places = [*range(start + 1, line.last)]
            following = index + 1
            while line.header and following < len(self._lines) and self._is_field(following, "variants"):
                places += range(self._lines[following].first, self._lines[following].last)
                following += 1
            for i in places:
                if scan.word(i, i + 1) and scan.texts[i - 1] not in ("(", ":", "<") and not scan.texts[i].islower():
                    found[scan.texts[i]] = name
        return found

    def _is_signature(self, index: int) -> bool:
        """Whether a line is a function of a TRAIT without body."""
        line = self._lines[index]
        return self._head(index) == "FUNC" and not line.header and self._head_is_open(index + 1)

    def _head_is_open(self, index: int) -> bool:
        return index >= len(self._lines) or self._head(index) in _MODULE_LEVEL

    def _rebound(self, index: int) -> set[str]:
        """The names that a line binds anew: uses in later lines are not those of the block before it."""
        line, scan = self._lines[index], self._scan
        word = scan.word(line.first, line.last)
        if word in ("LET", "CONST"):
            return {scan.word(line.first + 1, line.last)}
        if word == "CASE":
            return self._uses[index]
        if word in ("LOOP", "FOR", "CATCH"):
            second = scan.word(line.first + 3, line.last) if scan.symbol(line.first + 2, line.last) == "," else ""
            return {scan.word(line.first + 1, line.last), second}
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
            methods = next((b for b in self._stack if b.kind == "methods"), None) if head == "FUNC" else None
            if methods is not None and not self._is_method(methods, index):
                methods = None
            while self._stack and self._stack[-1] is not methods:
                self._pop(index)
            return
        if head == "CASE" and self._close_to_match(index):
            return
        if head in _CLAUSES and (self._goes_on_one_line(index, head) or self._close_to_clause(index, head)):
            return
        while self._stack and self._ends_before(self._stack[-1], index, head):
            self._pop(index)
        if not self._stack or self._stack[-1].size == 0 or self._must_stay(index, head):
            return
        # A loop that has ended takes the blocks in it along.
        inner = max((i for i, b in enumerate(self._stack) if b.kind in ("cases", "select")), default=-1)
        first = inner if inner >= 0 and self._case_ahead(index) else 0
        for depth, block in enumerate(self._stack):
            needed = any(b.names and self._used_later(b.names, index) for b in self._stack[depth + 1 :])
            if depth < first or needed:
                continue
            if block.head == "LOOP" and not block.endless and block.used and self._has_ended(block, index):
                while len(self._stack) > depth:
                    self._pop(index)
                self._close_before(index, head)
                return

    def _is_method(self, block: _Block, index: int) -> bool:
        """Whether a FUNC line belongs to the TRAIT or IMPL above it."""
        line = self._lines[index]
        if block.head == "TRAIT":
            return self._is_signature(index) or any(
                self._is_signature(later) for later in range(index, len(self._lines)) if self._same_run(index, later)
            )
        if block.methods is None:
            return True
        name = self._scan.word(line.first + 1, line.last)
        if name not in block.methods:
            return False
        block.methods.discard(name)
        return True

    def _same_run(self, index: int, later: int) -> bool:
        """Whether only FUNC declarations and their lines stand between two lines."""
        return all(
            self._head(i) in ("FUNC", "ASYNC") or self._head(i) not in _MODULE_LEVEL for i in range(index, later + 1)
        )

    def _has_ended(self, block: _Block, index: int) -> bool:
        """Whether a block binds names and no line from `index` on uses one of them."""
        return bool(block.names) and not self._used_later(block.names, index)

    def _goes_on_one_line(self, index: int, head: str) -> bool:
        """`IF A: B()` and an ELSE right below it, all on one line each."""
        return self._one_line in _CLAUSES[head] and index > 0

    def _must_stay(self, index: int, head: str) -> bool:
        """Whether the line cannot stand further out: BREAK needs its loop, what follows a RETURN could not be
        reached, a CATCH or FINALLY is still to come for the TRY that is open."""
        if head in ("BREAK", "CONTINUE"):
            return True
        if any(block.head in ("TRY", "CATCH") for block in self._stack) and self._clause_ahead(index):
            return True
        following = index + 1
        if head in _LEAVES and following < self._ends[index]:
            return self._head(following) not in (*_CLAUSES, "CASE")
        return False

    def _case_ahead(self, index: int) -> bool:
        """Whether a CASE comes before any other MATCH or SELECT: the one that is open goes on."""
        for later in range(index, self._ends[index]):
            head = self._head(later)
            if head in ("MATCH", "SELECT"):
                return False
            if head == "CASE":
                return True
        return False

    def _clause_ahead(self, index: int) -> bool:
        """Whether a CATCH or FINALLY comes that no TRY from `index` on has opened."""
        open_tries: list[str] = []
        for later in range(index, self._ends[index]):
            head = self._head(later)
            if head == "TRY":
                open_tries.append("TRY")
            elif head in ("CATCH", "FINALLY"):
                while open_tries and open_tries[-1] == "DONE":
                    open_tries.pop()
                if not open_tries:
                    return True
                line = self._lines[later]
                word = self._scan.word(line.first + 1, line.last)
                open_tries[-1] = "TRY" if head == "CATCH" and word[1:].isdigit() else "DONE"
        return False

    def _clauses_left(self, index: int) -> int:
        """How many CATCH and FINALLY lines from `index` on belong to a TRY that is open there."""
        found = opened = 0
        for later in range(index, self._ends[index]):
            head = self._head(later)
            if head == "TRY":
                opened += 1
            elif head in ("CATCH", "FINALLY"):
                if opened:
                    opened -= 1
                else:
                    found += 1
        return found

    def _close_to_match(self, index: int) -> bool:
        """Close what is open inside the MATCH or SELECT that a CASE belongs to."""
        matches = [b for b in self._stack if b.kind in ("cases", "select")]
        if not matches:
            return False
        pattern = self._pattern_word(index)
        family = self._families.get(pattern.split(" ")[0])
        same = [b for b in matches if family and family in (self._family(b), None if b.seen else family)]
        target = (
            same[-1]
            if same
            else next((b for b in reversed(matches) if pattern not in b.seen and "OTHERWISE" not in b.seen), matches[0])
        )
        while self._stack[-1] is not target:
            self._pop(index)
        target.seen.add(pattern)
        return True

    def _family(self, block: _Block) -> str | None:
        """The type of the variants that the cases of a MATCH have named so far."""
        found = (self._families.get(pattern.split(" ")[0]) for pattern in sorted(block.seen))
        return next((name for name in found if name), None)

    def _pattern_word(self, index: int) -> str:
        line, scan = self._lines[index], self._scan
        end = next((i for i in range(line.first, line.last) if scan.symbol(i, line.last) == ":"), line.last)
        return " ".join(scan.texts[line.first + 1 : end])

    def _close_to_clause(self, index: int, head: str) -> bool:
        """Close down to the IF or TRY that a clause belongs to; OTHERWISE may be that of a MATCH."""
        tries = sum(1 for block in self._stack if block.head == "TRY")
        scarce = head != "ELSE" and tries >= self._clauses_left(index)  # every TRY needs one
        is_otherwise = self._scan.word(self._lines[index].first, self._lines[index].last) == "OTHERWISE"
        for depth in range(len(self._stack) - 1, -1, -1):
            block = self._stack[depth]
            matches = block.kind in ("cases", "select") and head == "ELSE" and "OTHERWISE" not in block.seen
            if matches and (is_otherwise or not any(b.head == "IF" for b in self._stack[depth:])):
                while len(self._stack) > depth + 1:
                    self._pop(index)
                block.seen.add("OTHERWISE")
                return True
            if scarce and block.head == "CATCH":
                continue
            if block.head in _CLAUSES[head] and not (is_otherwise and self._inside_match(depth)):
                while len(self._stack) > depth + 1:
                    self._pop(index)
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
        if block.head == "FUNC":
            return self._ends_function(block, index)
        if block.endless or block.head in ("TRY", "INIT"):
            return False
        if self._must_stay(index, head) or (block.head == "TAIL" and self._is_value(index)):
            return False
        if block.head in ("CASE", "CASE_ELSE") and self._case_ahead(index):
            return False
        if block.turned and not self._used_later(block.names, index):
            return True
        if block.head == "LOOP" and block.names and not block.used:
            return True
        if block.names and block.head in _NAMES_END:
            return self._has_ended(block, index)
        if block.head == "ELSE" and block.partner:
            return block.size >= block.partner
        return self._is_last_return(index, head) and block.head in ("IF", "LOOP", "CATCH", "FINALLY")

    def _is_value(self, index: int) -> bool:
        """Whether a line is nothing but a value, as the last line of a TRY expression's block is."""
        first = self._lines[index].first
        return self._scan.kinds[first] in ("NUMBER", "STRING") or self._scan.texts[first] in ("SUB", "NONE", "none")

    def _ends_function(self, block: _Block, index: int) -> bool:
        """In a script, statements of the module may follow a function: those that use none of its names, and no
        RETURN."""
        if not self._is_script or not block.names or not block.used:
            return False
        rest = range(index, self._ends[index])
        return not self._used_later(block.names, index) and not any(self._head(i) == "RETURN" for i in rest)

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

    def _pop(self, index: int) -> None:
        """Close the innermost block; note when only custom says how far it reaches."""
        block = self._stack.pop()
        unsure = (
            block.kind == "stmts" and block.head in ("IF", "ELSE", "LOOP", "CASE_ELSE", "CATCH") and not block.endless
        )
        if unsure and not block.left and not block.names and block.size > 1:
            first, last = self._line_number(block.line), self._line_number(index - 1)
            self.notes.append(Note(first, f"the block of this line was taken to reach to line {last}"))

    def _line_number(self, index: int) -> int:
        return self._file.position(self._scan.starts[self._lines[index].first])[0]

    # ---- taking a line ---------------------------------------------------------------------------------------------

    def _take(self, index: int, head: str, found: list[int], level: int) -> int:
        """Put the line at `index` (with those that an operator at its end joins to it) into its block; the next
        index."""
        kind = self._stack[-1].kind if self._stack else "stmts"
        clause = "CASE_ELSE" if kind in ("cases", "select") and head == "ELSE" else head if head in _CLAUSES else ""
        mark = len(self._tokens.types)
        result = self._words.start(self._lines[index], kind, clause, deeper=True)
        self._one_line = result.head if result.inline and not result.colon else ""
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
            block.turned = head in block.condition and tokens[1:2] in (["SET"], ["SETADD"])
            for outer in self._stack:
                outer.used = outer.used or bool(outer.names & self._uses[index])
            if head in ("LET", "CONST") and kind == "stmts":
                block.names.add(str(values[1]) if len(values) > 1 else "")
                block.used = True
        opens = result.colon or (
            bool(result.block) and not result.inline and head not in ("TYPE", "TRAIT", "FUNC", "VIS")
        )
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
        condition = set()
        if name == "LOOP" and "WHILE" in tokens[:2]:
            condition = {str(v) for k, v in zip(tokens, values, strict=True) if k == "NAME"}
        used = name in ("CASE", "CATCH", "TAIL")
        block = _Block(name, kind, index, bound, 0, False, endless, set(), partner, used, condition, False, None)
        if name == "IMPL":
            line = self._lines[index]
            trait = next((t for t in self._scan.texts[line.first + 1 : line.last] if t in self._traits), None)
            block.methods = set(self._traits[trait]) if trait else None
        self._stack.append(block)

    def _bound(self, name: str, tokens: list[str], values: list[object]) -> set[str]:
        """The names that a header binds."""
        if name == "LOOP":
            places = (1, 3) if tokens[2:3] == ["COMMA"] else (1,)
            return {str(values[i]) for i in places if tokens[i : i + 1] == ["NAME"]}
        if name == "FUNC":
            return {
                str(values[i])
                for i in range(2, len(tokens))
                if tokens[i] == "NAME" and tokens[i - 1] in ("LPAREN", "COMMA") and tokens[i + 1 : i + 2] != ["LPAREN"]
            }
        if name in ("CASE", "CATCH", "TAIL"):
            start = (
                0 if name != "TAIL" else next((i for i, k in enumerate(tokens) if k in ("CATCH", "FN")), len(tokens))
            )
            return {
                str(values[i])
                for i in range(start, len(tokens))
                if tokens[i] == "NAME"
                and tokens[i - 1] in ("LPAREN", "COMMA", "LBRACKET", "CATCH", "COLON", "CASE")
                and tokens[i + 1 : i + 2] not in (["LPAREN"], ["DOT"])
                and not (tokens[i - 1] in ("CASE",) and tokens[i + 1 : i + 2] != ["FROM"])
            }
        return set()


# ---- text ----------------------------------------------------------------------------------------------------------


def _render(file: SourceFile, lines: list[Line], levels: list[int]) -> str:
    """The text with each program line at its level; lines inside brackets go one step deeper, comments go with what
    follows."""
    scan, _ = split_lines(file, Sink())
    level_of: dict[int, int] = {}
    for line, level in zip(lines, levels, strict=True):
        opened: list[int] = []  # for each open bracket the level of the line it stands on
        for i in range(line.first, line.last):
            number = file.position(scan.starts[i])[0]
            text = scan.texts[i] if scan.kinds[i] == "SYMBOL" else ""
            if number not in level_of:
                closes = text in (")", "]", "}")
                level_of[number] = level if not opened else opened[-1] + (0 if closes else 1)
            if text in ("(", "[", "{"):
                opened.append(level_of[number])
            elif text in (")", "]", "}") and opened:
                opened.pop()
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
