"""The text with each line at its level."""

from __future__ import annotations

from nxdc.syntax.reindent.facts import Facts

_STEP = 4
_BLANKS = " \t\r\f\v"


def render(facts: Facts, levels: list[int]) -> str:
    """The text of a file with each logical line at its level. Lines inside brackets go one step deeper, comments go
    with what follows; prose, blank lines and line ends stay as they are."""
    file = facts.file
    level_of = _physical_levels(facts, levels)
    out: list[str] = []
    following = 0
    for number in range(file.line_count, 0, -1):
        start, end = file.line_range(number)
        following = level_of.get(number, following)
        text = file.text[start:end]
        if file.code[start:end].strip():
            margin = file.margins.get(start, 0)
            text = text[:margin] + " " * (following * _STEP) + text.lstrip(_BLANKS)
        next_start = file.line_starts[number] if number < len(file.line_starts) else len(file.text)
        out.append(text + file.text[end:next_start])
    return "".join(reversed(out))


def _physical_levels(facts: Facts, levels: list[int]) -> dict[int, int]:
    """The level of each line of the file on which a token starts."""
    file, scan = facts.file, facts.scan
    level_of: dict[int, int] = {}
    for line, level in zip(facts.lines, levels, strict=True):
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
    return level_of
