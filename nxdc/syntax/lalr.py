"""SLY's parser, made fast to start and fast to run.

Start: SLY builds its LALR tables whenever a parser class is made, which takes seconds for a grammar of this size.
`CachedParser` keeps the tables in the user's cache. The file is named by a hash of the grammar and holds the
               grammar's whole text,
so a changed grammar, a damaged file or a hash collision only means that the tables are built again.

Run: `drive` is an LALR driver over the same tables with plain lists as stacks. An action gets the parser and the
list of the values of its right side (`p[0]`, `p[1]` ...), and takes the span of the whole from `self.span()`. At a
syntax error it asks
`on_error` for the place from which to go on.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Callable
from typing import Any, ClassVar

from sly.yacc import Parser

from nxdc.source.cachedir import read_cached, write_cached
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.tokens import Tokens

_FORMAT = 3  # changed whenever the content of the cache file changes its shape

Action = Callable[[Any, list[Any]], Any]


class Conflicts(Exception):
    """The grammar is ambiguous; only a developer can see this."""


class CachedParser(Parser):  # type: ignore[misc]  # sly has no type information
    """Base of a parser class. Its tables are in `actions`, `gotos`, `defaults` and `rules`."""

    actions: ClassVar[list[dict[str, int]]]
    gotos: ClassVar[list[dict[str, int]]]
    defaults: ClassVar[dict[int, int]]
    rules: ClassVar[list[tuple[str, int, Action]]]  # name, length of the right side, action

    file: SourceFile
    begin: int  # offsets of the production being reduced
    end: int
    starts: list[int]  # the driver's stacks of offsets
    ends: list[int]

    def span(self) -> Span:
        """The place of the production being reduced."""
        return Span(self.file, self.begin, self.end)

    def mark(self, i: int, n: int) -> Span:
        """The place of part `i` of the production being reduced, which has `n` parts."""
        return Span(self.file, self.starts[i - n], self.ends[i - n])

    @classmethod
    def _build(cls, definitions: list[tuple[str, Any]]) -> None:
        """Called by SLY's metaclass when a parser class is made."""
        if "tokens" not in dict(definitions):
            return
        functions, grammar = _grammar_text(cls, definitions)
        name = f"lalr-{zlib.crc32(grammar.encode()):08x}.bin"
        tables = _load(read_cached(name), grammar)
        if tables is None:
            tables = _make(cls, super()._build, definitions, grammar)
            write_cached(name, marshal.dumps(tables))
        cls.actions, cls.gotos, cls.defaults = tables["actions"], tables["gotos"], tables["defaults"]
        cls.rules = [(head, length, functions[index]) for head, length, index in tables["rules"]]


def _grammar_text(cls: type, definitions: list[tuple[str, Any]]) -> tuple[list[Action], str]:
    """The action functions in a fixed order, and the text that decides the tables."""
    functions: list[Action] = []
    lines = [str(_FORMAT), repr(sorted(cls.tokens)), repr(cls.precedence)]  # type: ignore[attr-defined]
    for name, value in definitions:
        function = value
        while callable(function) and hasattr(function, "rules"):
            functions.append(function)
            lines.append(f"{name}: {function.rules!r}")
            function = getattr(function, "next_func", None)
    return functions, "\n".join(lines)


def _load(data: bytes | None, grammar: str) -> dict[str, Any] | None:
    if data is None:
        return None
    try:
        tables = marshal.loads(data)
        if tables["grammar"] == grammar and len(tables["actions"]) == tables["states"]:
            return dict(tables)
    except (ValueError, TypeError, EOFError, KeyError):
        pass
    return None


def _make(cls: Any, build: Any, definitions: list[tuple[str, Any]], grammar: str) -> dict[str, Any]:
    """Let SLY build the tables; refuse a grammar with conflicts."""
    build(definitions)
    lr, productions = cls._lrtable, cls._grammar.Productions
    if lr.sr_conflicts or lr.rr_conflicts:
        raise Conflicts(f"{len(lr.sr_conflicts)} shift/reduce, {len(lr.rr_conflicts)} reduce/reduce\n{lr}")
    functions, _ = _grammar_text(cls, definitions)
    index = {id(function): i for i, function in enumerate(functions)}
    rules = [("", 0, 0)] + [(p.name, p.len, index[id(p.func)] if p.func else 0) for p in productions[1:]]
    rules[0] = (productions[0].name, productions[0].len, 0)
    states = len(lr.lr_action)
    return {
        "grammar": grammar,
        "states": states,
        "actions": [dict(lr.lr_action[i]) for i in range(states)],
        "gotos": [dict(lr.lr_goto.get(i, {})) for i in range(states)],
        "defaults": dict(lr.defaulted_states),
        "rules": rules,
    }


class Driver:
    """State of one parse: the tokens, the stacks, and the place of the production being reduced."""

    def __init__(self, parser: type[CachedParser], file: SourceFile, tokens: Tokens) -> None:
        self.parser = parser
        self.file = file
        self.tokens = tokens
        self.states: list[int] = [0]
        self.symbols: list[Any] = [None]
        self.starts: list[int] = [0]
        self.ends: list[int] = [0]

    def would_accept(self, kind: str) -> bool:
        """Whether the parser could read a token of this kind now: reductions are tried on a copy of the state stack."""
        actions, gotos = self.parser.actions, self.parser.gotos
        stack = list(self.states)
        for _ in range(1000):
            action = actions[stack[-1]].get(kind)
            if action is None:
                return False
            if action >= 0:
                return True
            head, length, _function = self.parser.rules[-action]
            if length:
                del stack[-length:]
            stack.append(gotos[stack[-1]][head])
        return False

    def drive(self, target: Any, on_error: Callable[[int], int]) -> Any:
        """Parse. `target` is given to the actions as `self`; its `begin` and `end` are set before each call.

        `on_error(index)` is called with the index of the token that does not fit. It may change the stacks and the
        tokens, and gives the index from which to go on, or -1 to stop (the result is None then).
        """
        actions, gotos = self.parser.actions, self.parser.gotos
        defaults, rules = self.parser.defaults, self.parser.rules
        types, values = self.tokens.types, self.tokens.values
        token_starts, token_ends = self.tokens.starts, self.tokens.ends
        states, symbols, starts, ends = self.states, self.symbols, self.starts, self.ends
        target.starts, target.ends = starts, ends
        index = 0
        state = 0
        while True:
            action = defaults.get(state)
            if action is None:
                kind = types[index]
                action = actions[state].get("$end" if kind == "END" else kind)
            if action is None:
                index = on_error(index)
                if index < 0:
                    return None
                state = states[-1]
            elif action > 0:
                state = action
                states.append(state)
                symbols.append(values[index])
                starts.append(token_starts[index])
                ends.append(token_ends[index])
                index += 1
            elif action < 0:
                head, length, function = rules[-action]
                if length:
                    if length == 1:
                        target.begin = starts[-1]
                        target.end = ends[-1]
                        symbols[-1] = function(target, symbols[-1:])
                        states.pop()
                    else:
                        target.begin = starts[-length]
                        target.end = ends[-1]
                        value = function(target, symbols[-length:])
                        del states[-length:], symbols[1 - length :], starts[1 - length :], ends[-length:]
                        symbols[-1] = value
                        ends.append(target.end)
                else:
                    # An empty production stands behind the token before it.
                    target.begin = target.end = ends[-1]
                    symbols.append(function(target, []))
                    starts.append(target.begin)
                    ends.append(target.end)
                state = gotos[states[-1]][head]
                states.append(state)
            else:
                return symbols[-1]
