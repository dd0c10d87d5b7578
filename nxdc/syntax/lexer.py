"""From text to raw tokens: what each piece of text is made of, without knowing what it means where it stands.

Input:  the `code` of a source file.
Output: `RawTokens`: parallel lists of kinds, texts and offsets. Blanks and comments are gone, line breaks are
        tokens, so that `layout` can do its work. Whether a word is a name or a keyword is decided in `words`;
        whether a number or a string is well formed in `literals`.
The lexer is a SLY lexer whose patterns come from `tables.operators`. Its `tokenize` is replaced by a loop over the same
master pattern, which is four times as fast because it makes no object for a token.
"""

from __future__ import annotations

import re
from typing import Any

from sly.lex import Lexer

from nxdc.source.record import Record
from nxdc.tables.operators import BY_SYMBOL

_PUNCTUATION = (
    "...", "=>", "->", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "::",
    "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=", "!", "?", "&", "|", "^", "~", "@", "$",
)  # fmt: skip


def _symbol_pattern() -> str:
    """All symbols, longest first, so that `>=` is not read as `>` and `=`."""
    symbols = sorted({*BY_SYMBOL, *_PUNCTUATION}, key=lambda s: (-len(s), s))
    return "|".join(re.escape(s) for s in symbols)


class RawTokens(Record):
    """Tokens as parallel lists; the last one is an "END" token at the end of the text."""

    kinds: list[str]
    texts: list[str]
    starts: list[int]


class _FastLexer(Lexer):
    """SLY's lexer without the validation of every single pattern at every start (a unit test does that)."""

    @classmethod
    def _build(cls) -> None:
        if "tokens" not in vars(cls):
            return
        cls._token_names = set(cls.tokens)
        cls._collect_rules()
        cls._master_re = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in cls._rules))


class NxdLexer(_FastLexer):
    """The token patterns. Order matters: the first that matches wins."""

    tokens = {WORD, NEWLINE, COMMENT, SYMBOL, STRING, NUMBER, OPENSTRING, QUOTED, CHAR}  # noqa: F821 (SLY)

    WORD = r"[^\W\d]\w*"
    NEWLINE = r"\n"
    COMMENT = r"(?:\#|//)[^\n]*"
    SYMBOL = _symbol_pattern()
    STRING = r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"'
    NUMBER = r"0[xXbBoO]\w*|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?\w*"
    OPENSTRING = r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*'
    QUOTED = r"'(?:[^'\\\n\r]|\\[^\n\r])*'"
    CHAR = r"[^\s\x00]"

    def tokenize(self, text: str, lineno: int = 1, index: int = 0) -> RawTokens:
        """All tokens of a text."""
        kinds: list[str] = []
        texts: list[str] = []
        starts: list[int] = []
        add_kind, add_text, add_start = kinds.append, texts.append, starts.append
        match: Any
        for match in self._master_re.finditer(text, index):
            kind = match.lastgroup
            if kind != "COMMENT":
                add_kind(kind)
                add_text(match.group())
                add_start(match.start())
        add_kind("END")
        add_text("")
        add_start(len(text))
        return RawTokens(kinds, texts, starts)


def comments(text: str) -> list[tuple[int, int]]:
    """Offsets of all comments, in order; for the formatter, which keeps them."""
    found = NxdLexer._master_re.finditer(text)
    return [(m.start(), m.end()) for m in found if m.lastgroup == "COMMENT"]


def lex(code: str) -> RawTokens:
    """The raw tokens of a source text."""
    return NxdLexer().tokenize(code)
