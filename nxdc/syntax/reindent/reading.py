"""Reading a line as the classifier of words does, for each kind of block that it could stand in."""

from __future__ import annotations

from nxdc.diagnostics.sink import Sink
from nxdc.syntax import keywords as kw
from nxdc.syntax.reindent.facts import Facts
from nxdc.syntax.reindent.model import LEAVES, MODULE_LEVEL, Reading
from nxdc.syntax.tokens import Tokens
from nxdc.syntax.words import Words
from nxdc.tables import prelude

_NO_NAMES: frozenset[str] = frozenset()
_DOES_SOMETHING = frozenset(("SET", "SETADD", "LPAREN", "HCOLON"))
_VALUES = frozenset(("NAME", "INT", "FLOAT", "STRING", "TRUE", "FALSE", "NONEW", "NEG"))
_CONSTANT = (_VALUES - {"NAME"}) | {"LBRACKET", "RBRACKET", "LBRACE", "RBRACE"}
_OPENERS = frozenset(("LPAREN", "LBRACKET", "LBRACE", "TLT"))
_CLOSERS = frozenset(("RPAREN", "RBRACKET", "RBRACE", "TGT"))
_NEVER_RETURN = frozenset(row.name for row in prelude.ROWS if row.diverges)
_CHANGE_THE_FIRST = frozenset(row.name for row in prelude.ROWS if row.changes)  # no function changes another argument
_OTHER_WAYS_TO_WAIT = frozenset(("SET", "RECV", "IN", "AFTER", "<"))  # what other languages write in a SELECT


class Reader:
    """Reads the lines of one file."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[tuple[int, str, str], Reading] = {}
        self._tokens = Tokens([], [], [], [])
        self._words = Words(facts.file, facts.scan, self._tokens, Sink(), frozenset())

    def read(self, index: int, kind: str, clause: str) -> Reading:
        """The line at `index` in a block of a kind; `clause` as for `Words.start`."""
        key = (index, kind, clause)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._read(index, kind, clause)
        return found

    def forget(self, index: int) -> None:
        """Drop what is known of the lines before `index`: they have their place."""
        if len(self._known) > 1000:
            self._known = {key: value for key, value in self._known.items() if key[0] >= index}

    def _read(self, index: int, kind: str, clause: str) -> Reading:
        lines = self._facts.lines
        clause_word = clause if clause in ("ELSE", "CATCH", "FINALLY", "CASE_ELSE") else ""
        result = self._words.start(lines[index], kind, clause_word, deeper=True)
        following = index + 1
        while result.continues and following < len(lines):
            result = self._words.resume(lines[following])
            following += 1
        types, values = self._tokens.types[:], [str(value) for value in self._tokens.values]
        self._tokens.cut(0)
        head = result.head
        has_block = result.colon or (bool(result.block) and not result.inline)
        if has_block and not result.colon and head in ("TYPE", "TRAIT", "FUNC", "VIS"):
            has_block = self._has_body(index, following, types, kind)
        return _Line(types, values, self._facts, kind).reading(
            head, following, (result.block or "stmts") if has_block else "", result.inline > 0
        )

    def _has_body(self, index: int, following: int, types: list[str], kind: str) -> bool:
        """Whether a FUNC, TYPE or TRAIT line without colon has a block: when a plain line follows."""
        facts = self._facts
        if following >= len(facts.lines) or not types:
            return False
        if kind == "methods":
            return not facts.methods.is_signature(index)
        head = facts.heads[following]
        return head not in MODULE_LEVEL or ("TRAIT" in types[:2] and head == "FUNC")


class _Line:
    """The finished tokens of a line."""

    def __init__(self, types: list[str], values: list[str], facts: Facts, kind: str) -> None:
        self._types = types
        self._values = values
        self._facts = facts
        self._kind = kind

    def reading(self, head: str, following: int, opens: str, inline: bool) -> Reading:
        types = self._types
        name = self._block_name(head, opens)
        first = types[0] if types else ""
        binds = self._binds(name) if opens else _NO_NAMES
        own = binds if opens else self._own_names()
        let = self._values[1] if first in ("LET", "CONST") and len(types) > 1 else ""
        is_while = name == "LOOP" and "WHILE" in types[:2]
        last_inline = max((i for i, kind in enumerate(types) if kind == "INDENT"), default=-1)
        is_case = first == "CASE"
        return Reading(
            head=head,
            first=self._values[0] if types else "",
            following=following,
            opens=opens,
            name=name,
            uses=self._names(0, len(types)) - own - ({let} - self._names(2, len(types)) if let else set()),
            changes=self._changes(),
            sets=self._target(),
            removes=types[:1] == ["REMOVE"] or (first == "NAME" and self._function() == "REMOVE"),
            resets=self._values[0] if types[:2] == ["NAME", "SET"] and _CONSTANT.issuperset(types[2:]) else "",
            binds=binds,
            let=let if self._kind == "stmts" else "",
            condition=self._names(1, len(types)) if is_while else _NO_NAMES,
            test=next((v for t, v in zip(types, self._values, strict=True) if t == "NAME"), "") if head == "IF" else "",
            endless=name == "LOOP" and first == "LOOP" and types[1:2] in (["HCOLON"], []),
            leaves=self._leaves(0) and not opens,
            inline=inline,
            inline_leaves=inline and self._leaves(last_inline + 1),
            jumps=self._jump(),
            gives=self._gives(),
            valued=name == "FUNC" and self._has_result(),
            pattern=self._pattern() if is_case else "",
            choice=self._choice() if is_case else None,
            family=self._facts.families.get(self._values[1], "") if is_case and len(types) > 1 else "",
            catch_all=self._takes_all(first),
            bare=self._is_bare(),
            method=next((v for t, v in zip(types[1:], self._values[1:], strict=True) if t == "NAME"), "")
            if name == "FUNC" or "FUNC" in types[:3]
            else "",
        )

    def _leaves(self, start: int) -> bool:
        """Whether the statement that starts with a token leaves: RETURN, BREAK ... or a call that never returns."""
        types = self._types[start:]
        if types[:2] == ["NAME", "LPAREN"]:
            name = self._values[start]
            return name in _NEVER_RETURN and name not in self._facts.declared
        return types[:1] != [] and types[0] in LEAVES

    def _jump(self) -> str:
        """BREAK or CONTINUE of a loop that does not stand on the line itself."""
        found = next((kind for kind in self._types if kind in ("BREAK", "CONTINUE")), "")
        return "" if found and "LOOP" in self._types[: self._types.index(found)] else found

    def _gives(self) -> bool:
        """Whether the line is or holds a RETURN with a value."""
        types = self._types
        if "RETURN" not in types:
            return False
        rest = self._values[types.index("RETURN") + 1 :]
        return rest[:1] != [] and rest[0] != "" and not (rest[0] in ("NONE", "none") and rest[1:2] in ([], [""]))

    def _target(self) -> str:
        """The name that a statement sets, or adds to."""
        types = self._types
        if types[:2] in (["PUSH", "NAME"], ["REMOVE", "NAME"]):
            return self._values[1]
        if types[:1] != ["NAME"]:
            return ""
        if "SET" in types or "SETADD" in types:
            return self._values[0]
        return self._changed_by_call()

    def _changed_by_call(self) -> str:
        """The name of what a statement `X.PUSH(...)` or `PUSH(X, ...)` changes; "" when it is no such call."""
        types, values = self._types, self._values
        function = self._function()
        if function not in _CHANGE_THE_FIRST or function in self._facts.declared:
            return ""
        start = self._last_call()
        if start == 1:
            return values[2] if types[2:3] == ["NAME"] else ""
        return values[0] if types[start - 2] == "DOT" else ""

    def _function(self) -> str:
        """The function or method of the call that a line ends with."""
        start = self._last_call()
        return self._values[start - 1] if start > 0 else ""

    def _last_call(self) -> int:
        """The token at which the parenthesis opens that ends a line, -1 when the line does not end with one."""
        depth = 0
        for i in range(len(self._types) - 1, -1, -1):
            kind = self._types[i]
            depth += (kind in _CLOSERS) - (kind in _OPENERS)
            if depth == 0:
                return i if kind == "LPAREN" else -1
        return -1

    def _is_bare(self) -> bool:
        """Whether the line is nothing but a value, as the last line of a TRY expression's block is."""
        types = self._types
        return types[:1] != [] and types[0] in _VALUES and not _DOES_SOMETHING & set(types)

    def _block_name(self, head: str, opens: str) -> str:
        """The head of the block that the line opens."""
        types = self._types
        if not opens:
            return ""
        if head == "VIS":
            return "FUNC" if "FUNC" in types else "TYPE"
        if head in kw.HEADERS and head != "FUNC" and (types[0] in (head, "ELSE") or head in ("LOOP", "CASE_ELSE")):
            tail = types[-2] if len(types) > 1 else ""
            if tail != "SPAWN":
                return head
        if "FUNC" in types[:3]:
            return "FUNC"
        if opens != "stmts":
            return head
        for kind in reversed(types):
            if kind in ("CATCH", "FN", "SPAWN"):
                if kind == "FN":
                    return "SPAWN" if "SPAWN" in types else "LAMBDA"
                return {"CATCH": "RESCUE", "SPAWN": "SPAWN"}[kind]
        return head

    # ---- names

    def _names(self, start: int, end: int) -> frozenset[str]:
        """The names between two tokens, but for fields behind a dot and the keys of braces."""
        types, values = self._types, self._values
        found = set()
        for i in range(start, end):
            if types[i] != "NAME" or (i and types[i - 1] == "DOT"):
                continue
            is_key = types[i + 1 : i + 2] == ["COLON"] and types[i - 1 : i] in (["LBRACE"], ["COMMA"])
            if not is_key or "FUNC" in types[:3]:
                found.add(values[i])
        return frozenset(found)

    def _own_names(self) -> frozenset[str]:
        """The names that only a line itself knows: of lambdas, of CATCH, of the pattern of a CASE with its block."""
        types = self._types
        found: set[str] = set()
        for i, kind in enumerate(types):
            if kind == "FN":
                found |= self._params(i + 1)
            elif kind == "CATCH" and types[i + 1 : i + 2] == ["NAME"]:
                found.add(self._values[i + 1])
        if types[:1] == ["CASE"]:
            found |= self._pattern_names()
        if types[:1] == ["LOOP"]:
            found |= self._loop_names()
        return frozenset(found)

    def _params(self, start: int) -> set[str]:
        """The parameters in the parentheses that start at token `start`."""
        found: set[str] = set()
        depth = 0
        for i in range(start, len(self._types)):
            kind = self._types[i]
            depth += (kind in _OPENERS) - (kind in _CLOSERS)
            if depth == 0:
                break
            if depth == 1 and kind == "NAME" and self._types[i - 1] in ("LPAREN", "COMMA"):
                found.add(self._values[i])
        return found

    def _loop_names(self) -> set[str]:
        types = self._types
        places = (1, 3) if types[2:3] == ["COMMA"] else (1,)
        return {self._values[i] for i in places if types[i : i + 1] == ["NAME"]}

    def _pattern_end(self) -> int:
        ends = (i for i, kind in enumerate(self._types) if kind in ("HCOLON", "WHEN", "INDENT"))
        return next(ends, len(self._types))

    def _pattern(self) -> str:
        """The pattern of a CASE as text; with its guard, which makes it another pattern."""
        end = next((i for i, kind in enumerate(self._types) if kind in ("HCOLON", "INDENT")), len(self._types))
        return " ".join(self._values[1:end])

    def _choice(self) -> bool | None:
        """Whether a CASE is one of a SELECT, by its words; None for one that can be of a MATCH as well."""
        head = [value.upper() for value in self._values[1 : self._pattern_end()]]
        if head[1:2] == ["FROM"] or (head[:1] == ["SEND"] and "TO" in head[2:]):
            return True
        if head[:1] == ["TIMEOUT"] and len(head) > 1:
            is_variant = head[0] in self._facts.families
            return (False if is_variant else None) if head[1] in ("(", "{", ",") else True
        return None if _OTHER_WAYS_TO_WAIT & set(head) else False

    def _pattern_names(self) -> set[str]:
        types, values = self._types, self._values
        if self._kind == "select":
            return {values[1]} if types[1:3] == ["NAME", "FROM"] else set()
        return {
            values[i]
            for i in range(1, self._pattern_end())
            if types[i] == "NAME"
            and types[i - 1] != "DOT"
            and types[i + 1 : i + 2] not in (["LPAREN"], ["DOT"], ["LBRACE"], ["COLON"])
            and values[i] not in self._facts.families
        }

    def _takes_all(self, first: str) -> bool:
        types, values = self._types, self._values
        if first == "CATCH":
            return types[1:2] == ["NAME"] and not (len(values[1]) == 5 and values[1][1:].isdigit())
        if first != "CASE" or self._kind == "select" or self._pattern_end() != 2 or "WHEN" in types:
            return False
        return types[1] == "WILD" or (types[1] == "NAME" and values[1] not in self._facts.families)

    def _binds(self, name: str) -> frozenset[str]:
        """The names that a header binds in its block."""
        types = self._types
        if name == "LOOP":
            return frozenset(self._loop_names()) if "WHILE" not in types[:2] else _NO_NAMES
        if name == "FUNC":
            start = types.index("LPAREN") if "LPAREN" in types else len(types)
            return frozenset(self._params(start))
        if name == "CASE":
            return frozenset(self._pattern_names())
        if name in ("CATCH", "RESCUE"):
            at = len(types) - 1 - types[::-1].index("CATCH")
            return frozenset(self._values[at + 1 : at + 2]) if types[at + 1 : at + 2] == ["NAME"] else _NO_NAMES
        if name in ("LAMBDA", "SPAWN") and "FN" in types:
            at = len(types) - 1 - types[::-1].index("FN")
            return frozenset(self._params(at + 1))
        return _NO_NAMES

    def _changes(self) -> frozenset[str]:
        """The names that a statement can change: it sets them, or what they hold, or passes them on."""
        types = self._types
        if not types:
            return _NO_NAMES
        if types[0] in ("PUSH", "REMOVE"):
            return self._names(1, 2)
        if types[0] != "NAME":
            return self._names(1, len(types)) if "LPAREN" in types or types[0] in ("LET", "CONST") else _NO_NAMES
        return self._names(0, len(types)) if {"SET", "SETADD", "LPAREN"} & set(types) else _NO_NAMES

    def _has_result(self) -> bool:
        """Whether the header of a function says that it gives a value."""
        types, depth = self._types, 0
        for i, kind in enumerate(types):
            depth += (kind in _OPENERS) - (kind in _CLOSERS)
            if kind == "WHERE":
                break
            if depth == 0 and kind == "COLON":
                return self._values[i + 1 : i + 2] not in (["none"], ["NONE"])
        return False
