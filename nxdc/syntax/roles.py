"""Which role a word plays, decided by what follows it. Questions only: nothing is emitted or changed.

The pattern behind all of them: a word that can start something is a keyword when an operand follows, and a name when
an operator, `SET`, a closing bracket or nothing follows. Where a bracket follows, its content and what comes after
it decide.
"""

from __future__ import annotations

from nxdc.syntax import keywords as kw
from nxdc.syntax.line_state import DECLARATIONS, TYPE_HEADS, LineState
from nxdc.tables.operators import CANONICAL


class Roles(LineState):
    """Look-ahead questions of the classifier."""

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

    def _receives(self, i: int, last: int) -> bool:
        """Whether SEND or TIMEOUT in a CASE of SELECT is the name for what is received: `CASE TIMEOUT FROM IN:`."""
        scan = self._scan
        if self._is_name(i, last):
            return True
        if scan.word(i + 1, last) != "FROM" or not scan.word(i + 2, last):
            return False
        sends = scan.texts[i] == "SEND" and scan.word(i + 2, last) == "TO" and scan.symbol(i + 3, last) != ":"
        return scan.is_operand(i + 2, last) and not sends

    def _is_match_as_value(self, i: int, last: int) -> bool:
        """Whether MATCH, where an operand is expected, heads cases as it does in other languages: `LET R SET MATCH
        X:`."""
        scan = self._scan
        goes_on = scan.word(last - 1, last) in CANONICAL  # in the deeper line behind it
        if self._kind or self._stack or not (scan.symbol(last - 1, last) == ":" or (self._deeper and not goes_on)):
            return False
        if scan.symbol(i + 1, last) in ("(", "[", "{"):
            return scan.symbol(scan.closing(i + 1, last) + 1, last) == ":"
        return not self._is_name(i, last)

    def _is_command(self, i: int, last: int, text: str) -> bool:
        """Whether a statement starts with the command, as `CLOSE IN` does, and not with a name, as `CLOSE SET X`
        does."""
        scan = self._scan
        if self._is_name(i, last):
            return False
        if scan.symbol(i + 1, last) in ("(", "["):
            return self._is_command_before_bracket(i, last, text)
        following = scan.word(i + 1, last)
        if following in ("SET", "SETADD") and i + 2 < last:
            return (scan.word(i + 2, last) == "TO" and i + 3 < last) or scan.symbol(i + 2, last) == ","
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
        """Whether a word in operand position is the prefix operator: `RECV IN`, `SUB 5`, `AWAIT (T)`; not `SUB(3,
        4)`."""
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
            return after in TYPE_HEADS or (text == "MODULE" and i + 2 >= last)
        return True

    def _is_planned(self, i: int, last: int) -> bool:
        following = self._scan.word(i + 1, last)
        if following:
            return following in DECLARATIONS or self._scan.is_operand(i + 1, last)
        return self._opens_block(i, last) or (i + 1 < last and self._scan.kinds[i + 1] == "STRING")
