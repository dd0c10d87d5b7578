"""Which functions are methods of the TRAIT or IMPL above them.

A function without body can only stand in a TRAIT, and so do those between it and the TRAIT. A method with a body is
told by its first parameter: it stands for the type that implements the TRAIT, and has no type of its own. What an IMPL
can have its traits say; of a trait that another file declares nothing is known. All methods of an IMPL are about its
type.
"""

from __future__ import annotations

from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax.reindent.model import MODULE_LEVEL
from nxdc.syntax.scan import Scanner
from nxdc.syntax.tokens import Line, Tokens
from nxdc.syntax.words import Words


class Methods:
    """The methods in a file, by the index of their line."""

    def __init__(self, file: SourceFile, scan: Scanner, lines: list[Line], heads: list[str]) -> None:
        self.inside: set[int] = set()
        self.guessed: set[int] = set()  # lines that nothing decided: methods, or the first function that is none
        self._scan = scan
        self._lines = lines
        self._heads = heads
        self._tokens = Tokens([], [], [], [])
        self._words = Words(file, scan, self._tokens, Sink(), frozenset())
        self._inline: dict[int, bool] = {}
        self._own: dict[str, set[str]] = {}  # the methods of each trait that the file declares
        self._above: dict[str, list[str]] = {}  # and the traits that it extends
        owners = [index for index, head in enumerate(heads) if head in ("TRAIT", "IMPL")]
        owners.sort(key=lambda index: heads[index] != "TRAIT")
        for index in owners:
            end = self._end(index)
            if heads[index] == "TRAIT":
                self._read_trait(index, end)
            else:
                self._read_impl(index, end)

    def is_signature(self, index: int) -> bool:
        """Whether a line is a function of a TRAIT without body."""
        following = index + 1
        ends = following >= len(self._lines) or self._heads[following] in MODULE_LEVEL
        if self._heads[index] != "FUNC" or not ends or self._lines[index].header:
            return False
        return not self._has_inline_body(index)

    def _end(self, owner: int) -> int:
        """The index of the line that certainly stands behind a TRAIT or IMPL."""
        if self._scan.symbol(self._lines[owner].last - 1, self._lines[owner].last) == "}":
            return owner + 1
        end = owner + 1
        while end < len(self._lines) and self._heads[end] not in MODULE_LEVEL - {"FUNC"}:
            end += 1
        return end

    def _functions(self, owner: int, end: int) -> list[int]:
        return [index for index in range(owner + 1, end) if self._heads[index] == "FUNC"]

    # ---- traits

    def _read_trait(self, owner: int, end: int) -> None:
        texts = self._texts(owner)
        name = texts[texts.index("TRAIT") + 1 :][:1]
        functions = self._functions(owner, end)
        sure = max((at for at, index in enumerate(functions) if self.is_signature(index)), default=-1) + 1
        if not sure and functions[:1] == [owner + 1] and self._lines[owner].header:
            sure = 1
        count = sure
        while count < len(functions) and self._is_general(functions[count]):
            count += 1
        self.inside.update(functions[:count])
        self.guessed.update(functions[sure:count])
        names = {self._name(index) for index in functions[:count]}
        names.update(texts[at + 1] for at, text in enumerate(texts[:-1]) if text == "FUNC")
        self._own["".join(name)] = names
        above = texts[texts.index("IMPLEMENTS") :] if "IMPLEMENTS" in texts else []
        ends = next((at for at, text in enumerate(above) if text in ("{", "FUNC")), len(above))
        self._above["".join(name)] = [text for text in above[1:ends] if text[:1].isalpha()]

    def _is_general(self, index: int) -> bool:
        """Whether the first parameter of a function has no type: in a TRAIT it stands for the type itself."""
        parameters = self._parameters(index)
        return bool(parameters) and len(parameters[0]) == 1

    # ---- implementations

    def _read_impl(self, owner: int, end: int) -> None:
        texts = self._texts(owner)
        trait, target = self._impl_names(texts)
        known = self._all_methods(trait, set())
        for index in self._functions(owner, end):
            name = self._name(index)
            first = index == owner + 1  # an IMPL has one at least
            unknown = name == "MAIN" or (known is not None and name not in known)
            if not first and (unknown or not self._is_about(index, target)):
                return
            self.inside.add(index)
            if known is not None:
                known.discard(name)
            elif not first:
                self.guessed.add(index)

    def _impl_names(self, texts: list[str]) -> tuple[str, str]:
        """The trait and the type of `IMPL m.T<A> FOR P<B>:`, without modules and arguments."""
        at = texts.index("FOR") if "FOR" in texts else len(texts)
        return self._last_of_path(texts[1:at]), self._last_of_path(texts[at + 1 :])

    @staticmethod
    def _last_of_path(texts: list[str]) -> str:
        found = texts[0] if texts else ""
        for dot, word in zip(texts[1::2], texts[2::2], strict=False):
            if dot != ".":
                break
            found = word
        return found

    def _all_methods(self, trait: str, seen: set[str]) -> set[str] | None:
        """The methods of a trait and of those that it extends; None when one of them is not declared in the file."""
        if trait not in self._own:
            return None
        found = set(self._own[trait])
        seen.add(trait)
        for name in self._above[trait]:
            if name not in seen:
                more = self._all_methods(name, seen)
                if more is None:
                    return None
                found |= more
        return found

    def _is_about(self, index: int, target: str) -> bool:
        """Whether a function has a parameter of a type, or one without a type in the first place."""
        return self._is_general(index) or any(target in parameter[1:] for parameter in self._parameters(index))

    # ---- reading a FUNC line

    def _texts(self, index: int) -> list[str]:
        line = self._lines[index]
        return self._scan.texts[line.first : line.last]

    def _name(self, index: int) -> str:
        texts = self._texts(index)
        return next(iter(texts[texts.index("FUNC") + 1 :]), "")

    def _parameters(self, index: int) -> list[list[str]]:
        """The words and symbols of each parameter."""
        found: list[list[str]] = [[]]
        depth = 0
        texts = self._texts(index)
        start = texts.index("(") if "(" in texts else len(texts)
        for text in texts[start:]:
            depth -= text in (")", "]", "}", ">")
            if depth == 0 and text == ")":
                break
            if depth == 1 and text == ",":
                found.append([])
            elif depth:
                found[-1].append(text)
            depth += text in ("(", "[", "{", "<")
        return found if found[0] else []

    def _has_inline_body(self, index: int) -> bool:
        """Whether a function has its block on its line, as the classifier of words sees it."""
        found = self._inline.get(index)
        if found is None:
            result = self._words.start(self._lines[index], "methods", "", deeper=True)
            self._tokens.cut(0)
            found = self._inline[index] = result.inline > 0
        return found
