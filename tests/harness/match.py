"""Compare what a program printed with what a data file expects.

In an expected text `...` at the end of a line matches the rest of that line, a line that is only `...` matches any
number of lines, and `<...>` inside a line matches any text.
"""

from __future__ import annotations

import difflib
import re

_ADDRESS = re.compile(r"0x[0-9a-f]{6,16}\b")
_PROCESS = re.compile(r"==\d+==")


def normalise(text: str, folder: str) -> str:
    """Take out of a text what differs from run to run: the case's folder, addresses, process ids, CRLF."""
    text = text.replace("\r\n", "\n").replace(folder.rstrip("/") + "/", "")
    return _PROCESS.sub("==PID==", _ADDRESS.sub("0xADDRESS", text))


def matches(expected: str, actual: str) -> bool:
    """Whether a text is as expected, wildcards considered. Trailing newlines do not count."""
    return re.fullmatch(_pattern(expected), actual.rstrip("\n") + "\n") is not None


def matches_unordered(expected: str, actual: str) -> bool:
    """Whether both texts have the same lines in any order."""
    return sorted(expected.rstrip("\n").split("\n")) == sorted(actual.rstrip("\n").split("\n"))


def _pattern(expected: str) -> re.Pattern[str]:
    parts: list[str] = []
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            open_end = line.endswith("...")
            pieces = (line[:-3] if open_end else line).split("<...>")
            parts.append("[^\n]*?".join(map(re.escape, pieces)) + ("[^\n]*" if open_end else "") + "\n")
    return re.compile("".join(parts))


def find_in_order(patterns: str, text: str) -> str | None:
    """The first of the patterns that does not follow the ones before, or None. Blanks count as one; `<...>` is free."""
    position = 0
    flat = re.sub(r"[ \t]+", " ", text)
    for line in patterns.split("\n"):
        wanted = re.sub(r"[ \t]+", " ", line.strip())
        if not wanted:
            continue
        found = re.compile("[^\n]*?".join(map(re.escape, wanted.split("<...>")))).search(flat, position)
        if found is None:
            return line.strip()
        position = found.end()
    return None


def difference(expected: str, actual: str, label: str) -> str:
    """A readable difference for a failure report."""
    lines = difflib.unified_diff(
        expected.rstrip("\n").split("\n"),
        actual.rstrip("\n").split("\n"),
        f"expected {label}",
        f"actual {label}",
        lineterm="",
        n=2,
    )
    return "\n".join(lines)
