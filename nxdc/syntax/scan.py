"""Looking ahead in raw tokens: where a bracket closes, where a type ends. No diagnostics, no output."""

from __future__ import annotations

from nxdc.syntax.keywords import AFTER_OPERAND

_CLOSER = {"(": ")", "[": "]", "{": "}"}
_MAX_TYPE_DEPTH = 40


class Scanner:
    """Questions about the raw tokens of one file. Indices are those of the parallel lists."""

    def __init__(self, kinds: list[str], texts: list[str], starts: list[int]) -> None:
        self.kinds = kinds
        self.texts = texts
        self.starts = starts

    def word(self, i: int, last: int) -> str:
        """The word at `i`, or "" when there is none before `last`."""
        return self.texts[i] if i < last and self.kinds[i] == "WORD" else ""

    def symbol(self, i: int, last: int) -> str:
        """The symbol at `i`, or ""."""
        return self.texts[i] if i < last and self.kinds[i] == "SYMBOL" else ""

    def adjacent(self, i: int) -> bool:
        """Whether token `i` follows the token before it without a blank."""
        return i > 0 and self.starts[i] == self.starts[i - 1] + len(self.texts[i - 1])

    def closing(self, i: int, last: int) -> int:
        """Index of the bracket that closes the one at `i`; `last` when there is none."""
        depth = 0
        kinds, texts = self.kinds, self.texts
        while i < last:
            if kinds[i] == "SYMBOL":
                text = texts[i]
                if text in "([{":
                    depth += 1
                elif text in ")]}":
                    depth -= 1
                    if depth == 0:
                        return i
            i += 1
        return last

    def commas(self, i: int, close: int) -> int:
        """How many commas stand directly inside the brackets [i, close]: those of `(MAP<K, V> {})` do not count."""
        depth = found = 0
        j = i
        while j < close:
            if self.kinds[j] == "SYMBOL":
                text = self.texts[j]
                if text in "([{":
                    depth += 1
                elif text in ")]}":
                    depth -= 1
                elif text == "," and depth == 1:
                    found += 1
                elif text == "<" and depth == 1:
                    end = self.generic_end(j, close)
                    if end >= 0 and self.symbol(end + 1, close + 1):
                        j = end
            j += 1
        return found

    def has_word(self, i: int, last: int, wanted: str) -> bool:
        """Whether a word or symbol stands in [i, last) outside brackets."""
        depth = 0
        for j in range(i, last):
            text = self.texts[j]
            if self.kinds[j] == "SYMBOL" and text in "()[]{}":
                depth += 1 if text in "([{" else -1
            elif depth == 0 and text == wanted and self.kinds[j] in ("WORD", "SYMBOL"):
                return True
        return False

    def is_operand(self, i: int, last: int) -> bool:
        """Whether the word at `i`, which could also be an infix or continuation word, is itself an operand.

        `CLOSE IN` ends there: IN is the channel. `SET SET 5` assigns to a variable SET. Decided by what follows it.
        """
        text = self.texts[i]
        if text not in AFTER_OPERAND:
            return True
        j = i + 1
        if j >= last:
            return True
        kind, after = self.kinds[j], self.texts[j]
        if kind == "WORD":
            return after in AFTER_OPERAND
        if kind == "SYMBOL":
            if after in "([":
                return self.adjacent(j)
            return after != "{"
        return False

    def type_end(self, i: int, last: int, depth: int = 0) -> int:
        """Index behind the type that starts at `i`, or -1 when none does."""
        if i >= last or depth > _MAX_TYPE_DEPTH:
            return -1
        if self.kinds[i] != "WORD":
            if self.texts[i] != "{" or self.kinds[i] != "SYMBOL":
                return -1
            close = self.closing(i, last)
            return close + 1 if close < last else -1
        if self.texts[i] == "fn" and self.symbol(i + 1, last) == "(":
            return self._fn_type_end(i, last, depth)
        i += 1
        while self.symbol(i, last) == "." and self.word(i + 1, last):
            i += 2
        if self.symbol(i, last) == "<":
            close = self.generic_end(i, last, depth + 1)
            return close + 1 if close >= 0 else -1
        return i

    def _fn_type_end(self, i: int, last: int, depth: int) -> int:
        close = self.closing(i + 1, last)
        if close >= last:
            return -1
        if self.symbol(close + 1, last) == ":":
            end = self.type_end(close + 2, last, depth + 1)
            if end >= 0:
                return end
        return close + 1

    def generic_end(self, i: int, last: int, depth: int = 0) -> int:
        """Index of the `>` that closes the type arguments or parameters opened by `<` at `i`, or -1."""
        i += 1
        while True:
            i = self.type_end(i, last, depth)
            if i < 0:
                return -1
            after = self.symbol(i, last)
            if after == ">":
                return i
            if after not in (",", ":"):
                return -1
            i += 1

    # ------------------------------------------------------------------------------------------------ the whole file

    def functions(self) -> frozenset[str]:
        """The words after FUNC."""
        texts = self.texts
        return frozenset(texts[i + 1] for i in range(len(texts) - 1) if texts[i] == "FUNC")

    def path_words(self) -> frozenset[str]:
        """The words of the module paths that the file declares and imports: these may be in any case."""
        found: set[str] = set()
        for i, text in enumerate(self.texts):
            if text in ("MODULE", "IMPORT"):
                found.update(self.texts[i + 1 : i + 2])
                dot = i + 2
                while self.texts[dot : dot + 1] == ["."]:
                    found.update(self.texts[dot + 1 : dot + 2])
                    dot += 2
        return frozenset(found)
