"""Read and rewrite `*.test` data files.

A file is `-- ` remarks, then cases: `[case name]`, the program, and sections, each under a header in square brackets at
the start of a line. Only the words in `SECTIONS` make a header, so programs may hold lines that start with a bracket; a
line that would be taken for a header is written with a backslash before it.

An annotation `//~ CODE "text"` in a program says that this line gets that diagnostic; `//~^` means the line above, one
more line up for each further `^`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

# Section words, and whether their text is a recording that `--update` may rewrite.
SECTIONS: dict[str, bool] = {
    "case": False,
    "file": False,
    "stdin": False,
    "args": False,
    "env": False,
    "flags": False,
    "out": True,
    "out unordered": True,
    "err": True,
    "exit": False,
    "diag": True,
    "fixed": True,
    "ast": True,
    "core": True,
    "mir": True,
    "llvm has": False,
    "skip": False,
    "known-bug": False,
}
MAIN_FILE = "main.nxd"

_HEADER = re.compile(
    r"\[(?P<word>" + "|".join(sorted(map(re.escape, SECTIONS), key=len, reverse=True)) + r")(?: (?P<rest>[^\]]+))?\]$"
)
_ANNOTATION = re.compile(r'//~(?P<up>\^*) +(?P<code>[A-Z]\d{4}(?:-\d+)?)(?: +"(?P<text>[^"]*)")?')
_MARK = re.compile(r"//~")


class TestFileError(Exception):
    """A data file that does not follow the format."""

    __test__ = False  # not a test class, whatever pytest thinks of the name


@dataclass(frozen=True)
class Section:
    """One section: the text under a header, and the lines it takes in the file."""

    word: str
    argument: str
    text: str
    first_line: int  # of the header, from 0
    end_line: int


@dataclass(frozen=True)
class Expected:
    """One annotated diagnostic."""

    file: str
    line: int  # from 1
    code: str
    text: str


@dataclass
class Case:
    """One case: its files, expectations and options."""

    path: Path
    name: str
    line: int  # from 1
    files: dict[str, str]
    sections: list[Section] = field(default_factory=list)

    def section(self, word: str) -> Section | None:
        """The only section of that word, if there is one."""
        found = [section for section in self.sections if section.word == word]
        if len(found) > 1:
            raise TestFileError(f"{self.path}: case {self.name} has several [{word}] sections")
        return found[0] if found else None

    def all_of(self, word: str) -> list[Section]:
        """Every section of that word (`mir` and `llvm has` may repeat)."""
        return [section for section in self.sections if section.word == word]

    def text_of(self, word: str) -> str | None:
        """The text of the only section of that word."""
        section = self.section(word)
        return None if section is None else section.text

    def words_of(self, word: str) -> list[str]:
        """Header argument and text of a section, split at blanks."""
        section = self.section(word)
        return [] if section is None else f"{section.argument} {section.text}".split()

    @property
    def exit_status(self) -> int | None:
        """The exit status asked for, or None."""
        section = self.section("exit")
        return None if section is None else int(section.argument)

    def annotations(self) -> list[Expected]:
        """The diagnostics that the program's lines announce, in order."""
        found: list[Expected] = []
        for name, text in self.files.items():
            for number, line in enumerate(text.split("\n"), start=1):
                marks = len(_MARK.findall(line))
                here = list(_ANNOTATION.finditer(line))
                if marks != len(here):
                    raise TestFileError(f'{self.path}: case {self.name}: write //~ CODE "text": {line.strip()}')
                for mark in here:
                    target = number - len(mark["up"])
                    found.append(Expected(name, target, mark["code"], mark["text"] or ""))
        return found


def read_cases(path: Path) -> list[Case]:
    """The cases of a data file, in order."""
    return parse_cases(path, path.read_text(encoding="utf-8"))


def parse_cases(path: Path, text: str) -> list[Case]:
    """The cases of the text of a data file."""
    cases: list[Case] = []
    for section in _split_sections(path, text.split("\n")):
        if section.word == "case":
            if not re.fullmatch(r"[a-z0-9_]+", section.argument):
                raise TestFileError(f"{path}:{section.first_line + 1}: a case name is lower case: {section.argument!r}")
            if any(case.name == section.argument for case in cases):
                raise TestFileError(f"{path}: two cases are named {section.argument}")
            files = {MAIN_FILE: section.text} if section.text.strip() else {}
            cases.append(Case(path, section.argument, section.first_line + 1, files, [section]))
        elif not cases:
            raise TestFileError(f"{path}:{section.first_line + 1}: a section before the first [case]")
        elif section.word == "file":
            cases[-1].files[section.argument] = section.text
        else:
            cases[-1].sections.append(section)
    if not cases:
        raise TestFileError(f"{path}: no [case] in it")
    return cases


def _split_sections(path: Path, lines: list[str]) -> list[Section]:
    starts = [(number, match) for number, line in enumerate(lines) if (match := _HEADER.fullmatch(line))]
    for number, line in enumerate(lines[: starts[0][0] if starts else None]):
        if line.strip() and not line.startswith("-- "):
            raise TestFileError(f"{path}:{number + 1}: only `-- ` remarks may stand before the first case")
    sections = []
    for index, (number, match) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
        body = [line[1:] if line.startswith("\\[") else line for line in lines[number + 1 : end]]
        while body and not body[-1].strip():
            body.pop()
        sections.append(Section(match["word"], match["rest"] or "", "".join(line + "\n" for line in body), number, end))
    return sections


def replace_section(path: Path, case_name: str, word: str, argument: str, new_text: str) -> None:
    """Write a recorded section of one case anew; add it at the end of the case where it is missing."""
    if not SECTIONS[word]:
        raise ValueError(f"[{word}] is not a recording")
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    case = next(case for case in parse_cases(path, text) if case.name == case_name)
    header = f"[{word} {argument}]" if argument else f"[{word}]"
    body = ["\\" + line if _HEADER.fullmatch(line) else line for line in new_text.rstrip("\n").split("\n")]
    block = [header, *([] if not new_text.strip() else body), ""]
    old = next((s for s in case.sections if s.word == word and s.argument == argument), None)
    if old is not None:
        lines[old.first_line : old.end_line] = block
    else:
        end = max(section.end_line for section in _sections_of(path, lines, case))
        while end > 0 and not lines[end - 1].strip():
            end -= 1
        lines[end:end] = block[:-1]
    path.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")


def _sections_of(path: Path, lines: list[str], case: Case) -> list[Section]:
    """All sections of a case, `[file ...]` included."""
    mine: list[Section] = []
    current = ""
    for section in _split_sections(path, lines):
        if section.word == "case":
            current = section.argument
        if current == case.name:
            mine.append(section)
    return mine
