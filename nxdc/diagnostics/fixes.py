"""Applying fixes: which ones can go in together, and the text that results.

A fix goes in as a whole or not at all. Of two fixes that touch the same characters the first in the file goes in;
the other waits for the next round, when the file is checked again. Whole lines put in at the same point, such as
IMPORT lines, do not touch each other.
"""

from __future__ import annotations

from collections.abc import Iterable

from nxdc.diagnostics.model import LIKELY, SAFE, Diagnostic, Edit, Fix, Grade
from nxdc.source.text import SourceFile


def fixes_of(diagnostics: Iterable[Diagnostic], grade: Grade = SAFE) -> list[Fix]:
    """The fixes to apply: of each diagnostic the first that is SAFE, or with `grade` LIKELY the first that is
    either."""
    wanted = (SAFE,) if grade == SAFE else (SAFE, LIKELY)
    chosen = []
    for diagnostic in diagnostics:
        fix = next((f for f in diagnostic.fixes if f.grade in wanted), None)
        if fix is not None:
            chosen.append(fix)
    return chosen


def compatible(fixes: Iterable[Fix]) -> list[Fix]:
    """The fixes that can go in together, in the order of the text."""
    taken: dict[SourceFile, list[Edit]] = {}
    chosen = []
    for fix in sorted(fixes, key=lambda f: (f.edits[0].span.file.name, f.edits[0].span.start)):
        if all(not _clashes(edit, taken.get(edit.span.file, [])) for edit in fix.edits):
            chosen.append(fix)
            for edit in fix.edits:
                taken.setdefault(edit.span.file, []).append(edit)
    return chosen


def apply_fixes(fixes: Iterable[Fix]) -> dict[SourceFile, str]:
    """The new text of every file that changes."""
    edits: dict[SourceFile, list[Edit]] = {}
    for fix in compatible(fixes):
        for edit in fix.edits:
            edits.setdefault(edit.span.file, []).append(edit)
    return {file: apply_edits(file.text, changes) for file, changes in edits.items()}


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made; they must not overlap. The same edit asked for twice is made once.

    Lines put in end as those of the text do.
    """
    crlf = text[max(text.find("\n") - 1, 0) :].startswith("\r\n")
    out: list[str] = []
    at = 0
    seen: set[tuple[int, int, str]] = set()
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        key = (edit.span.start, edit.span.end, edit.text)
        if key in seen:
            continue
        seen.add(key)
        out += [text[at : edit.span.start], edit.text.replace("\n", "\r\n") if crlf else edit.text]
        at = edit.span.end
    out.append(text[at:])
    return "".join(out)


def _clashes(edit: Edit, taken: list[Edit]) -> bool:
    """Whether an edit touches characters that another one changes; the very same edit does not clash."""
    for other in taken:
        same = (edit.span.start, edit.span.end, edit.text) == (other.span.start, other.span.end, other.text)
        if same:
            continue
        if edit.span.start < other.span.end and other.span.start < edit.span.end:
            return True
        if edit.span.start == other.span.start and edit.span.end == other.span.end:
            return not (edit.span.start == edit.span.end and "\n" in edit.text and "\n" in other.text)
    return False
