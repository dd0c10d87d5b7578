"""Facts about the lines of a file that do not depend on their layout."""

from __future__ import annotations

from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax import keywords as kw
from nxdc.syntax.layout import split_lines
from nxdc.syntax.reindent.methods import Methods
from nxdc.syntax.reindent.model import MODULE_LEVEL

_PRELUDE_FAMILIES = {
    "OK": "RESULT", "ERR": "RESULT", "SOME": "OPTION", "NONE": "OPTION", "none": "OPTION", "true": "bool",
    "false": "bool",
}  # fmt: skip


class Facts:
    """The logical lines of a file and what is known of each."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.scan, self.lines = split_lines(file, Sink())
        self.heads = [self._head(index) for index in range(len(self.lines))]
        self.ends = self._part_ends()
        self.words = [self._words(index) for index in range(len(self.lines))]
        self.methods = Methods(file, self.scan, self.lines, self.heads)
        self.families = dict(_PRELUDE_FAMILIES)
        self.variants = {"RESULT": {"OK", "ERR"}, "OPTION": {"SOME", "NONE"}, "bool": {"true", "false"}}
        self._read_families()
        self.declared = self._declared()
        self.shared = self._shared()
        texts = self.scan.texts
        self.has_main = any(texts[i] == "FUNC" and texts[i + 1 : i + 2] == ["MAIN"] for i in range(len(texts)))
        self.has_modules = "MODULE" in self.heads
        self.gaps = [self._gap(index) for index in range(len(self.lines))]
        self.widths = [len(line.indent.expandtabs(8)) for line in self.lines]
        self.indented = self._indented_parts()

    def number(self, index: int) -> int:
        """The line of the file at which a logical line starts."""
        return self.file.position(self.scan.starts[self.lines[index].first])[0]

    def last_number(self, index: int) -> int:
        """The line of the file at which a logical line ends."""
        return self.file.position(self.scan.starts[self.lines[index].last - 1])[0]

    def _head(self, index: int) -> str:
        """The first word of a line when it can start a statement of its own, with words of visibility passed over."""
        line, scan = self.lines[index], self.scan
        word = scan.word(line.first, line.last)
        second = scan.word(line.first + 1, line.last)
        if word in kw.VISIBILITIES or word == "EXPORT" or (word == "ASYNC" and second == "FUNC"):
            return "FUNC" if "FUNC" in (second, scan.word(line.first + 2, line.last)) else self._visible(word, second)
        if word == "OTHERWISE":
            return "ELSE"
        if word in kw.DECLARERS:
            declares = second and (second not in kw.AFTER_OPERAND or scan.is_operand(line.first + 1, line.last))
            return word if declares else ""
        if word == "INIT" and scan.symbol(line.first + 1, line.last) != ":" and line.last > line.first + 1:
            return ""
        return word

    def _visible(self, word: str, second: str) -> str:
        if word == "EXPORT":
            return "EXPORT"
        return "VIS" if second in ("TYPE", "TRAIT", "LET", "CONST") else ""

    def _part_ends(self) -> list[int]:
        """For each line the index of the line at which its function or module part ends."""
        end = len(self.lines)
        ends = [end] * end
        for index in range(len(self.lines) - 1, -1, -1):
            ends[index] = end
            if self.heads[index] in MODULE_LEVEL:
                end = index
        return ends

    def _words(self, index: int) -> frozenset[str]:
        """The words of a line, but for fields behind a dot and keys."""
        line, scan = self.lines[index], self.scan
        found = set()
        for i in range(line.first, line.last):
            is_field = i > line.first and scan.symbol(i - 1, line.last) == "."
            is_key = scan.symbol(i + 1, line.last) == ":" and i + 2 < line.last
            if scan.kinds[i] == "WORD" and not is_field and not is_key:
                found.add(scan.texts[i])
        return frozenset(found)

    def is_field(self, index: int, kind: str) -> bool:
        """Whether a line can be a field, member or variant of a TYPE."""
        line, scan = self.lines[index], self.scan
        if not scan.word(line.first, line.last):
            return False
        following = scan.symbol(line.first + 1, line.last)
        if kind == "fields":
            return following == ":"
        return line.last == line.first + 1 or following in (",", "(")

    def _read_families(self) -> None:
        """For each variant that the file declares the type it is of: which CASE belongs to which MATCH."""
        scan = self.scan
        for index, line in enumerate(self.lines):
            words = scan.texts[line.first : line.last]
            if self.heads[index] not in ("TYPE", "VIS", "EXPORT") or not {"ENUM", "UNION"} & set(words):
                continue
            name = words[words.index("TYPE") + 1] if "TYPE" in words else ""
            start = next(i for i in range(line.first, line.last) if scan.texts[i] in ("ENUM", "UNION"))
            places = [*range(start + 1, line.last)]
            following = index + 1
            while line.header and following < len(self.lines) and self.is_field(following, "variants"):
                places += range(self.lines[following].first, self.lines[following].last)
                following += 1
            self._read_variants(name, places)

    def _read_variants(self, name: str, places: list[int]) -> None:
        scan = self.scan
        depth = 0
        self.variants[name] = set()
        for i in places:
            text = scan.texts[i]
            if scan.kinds[i] == "SYMBOL":
                depth += text in ("(", "<")
                depth -= text in (")", ">")
            elif depth == 0 and scan.word(i, i + 1) and not text.islower():
                self.families[text] = name
                self.variants[name].add(text)

    def _declared(self) -> frozenset[str]:
        """The names of functions, types and variants: they are seen everywhere."""
        scan = self.scan
        found = set(self.families)
        for index, line in enumerate(self.lines):
            if self.heads[index] in MODULE_LEVEL:
                for i in range(line.first, line.last - 1):
                    if scan.texts[i] in ("FUNC", "TYPE", "TRAIT"):
                        found.add(scan.texts[i + 1])
        return frozenset(found)

    def _shared(self) -> frozenset[str]:
        """The names that a function or INIT uses before it binds them, if it does, though a line binds them with LET:
        module variables, most likely."""
        lets: set[str] = set()
        free: set[str] = set()
        sure: set[str] = set()  # bound before the first function: those need no other LET
        start = 0
        while start < len(self.lines):
            bound: set[str] = set()
            used: set[str] = set()
            head = self.heads[start]
            for index in range(start, self.ends[start]):
                let, own = self._bound_words(index)
                used |= self.words[index] - let - own - bound
                bound |= let | own
                lets |= let
            if head in ("FUNC", "INIT"):
                free |= used
            else:
                sure |= bound
            start = self.ends[start]
        return frozenset((lets & free) - sure)

    def _bound_words(self, index: int) -> tuple[set[str], set[str]]:
        """The name that a line binds with LET, and the words among which are those that it binds in other ways."""
        line, head = self.lines[index], self.heads[index]
        texts = self.scan.texts[line.first : line.last]
        let = set(texts[1:2]) if head in ("LET", "CONST") else set()
        binds = head in ("LOOP", "FOR", "CATCH", "CASE", "FUNC") or "fn" in texts or "CATCH" in texts
        return let, set(texts) if binds else set()

    def _gap(self, index: int) -> str:
        """What stands between a line and the one before it: "blank", "comment" or ""."""
        if index == 0:
            return ""
        between = range(self.last_number(index - 1) + 1, self.number(index))
        texts = [self.file.line_text(number).strip() for number in between]
        return "blank" if "" in texts else "comment" if texts else ""

    def _indented_parts(self) -> list[bool]:
        """For each line whether the part of the file that it stands in still has some of its indentation."""
        found: list[bool] = []
        start = 0
        while start < len(self.lines):
            end = self.ends[start]
            some = len(set(self.widths[start + 1 : end])) > 1
            found += [some] * (end - start)
            start = end
        return found
