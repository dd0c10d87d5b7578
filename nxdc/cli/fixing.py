"""Putting in fixes, in rounds: check the program, put in the fixes that do not touch each other, check the result.

A round counts only when the program is not worse after it; of one that makes it worse, half of the fixes are tried,
then half of these, down to the single fix, which is left out from then on. Everything happens in memory: the caller
writes the texts that result.

"Worse" means more errors. One exception: when a syntax error has gone, the checker sees statements that it had to
leave out before; what it finds in them was wrong all along and does not count. And a fix must not leave its own
statement with a syntax error that nothing mends: what was understood of the statement was not what it means.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from nxdc import driver
from nxdc.diagnostics.fixes import apply_edits, apply_fixes, compatible, fixes_of
from nxdc.diagnostics.model import ERROR, LIKELY, SAFE, Diagnostic, Fix, Grade
from nxdc.driver import Compilation, Options
from nxdc.source.record import MutableRecord, Record
from nxdc.source.text import SourceFile

MAX_ROUNDS = 20
_MAX_CHECKS = 60  # with those of rounds that were taken back
_NO_LIMIT = 1 << 30  # all fixes of a round at once


class FixedFile(MutableRecord):
    """A file that changes."""

    name: str
    before: str
    after: str
    fixes: int


class Outcome(Record):
    """What fixing came to: the last check, the files that change, and the fixes left out."""

    compilation: Compilation
    files: tuple[FixedFile, ...]
    outside: tuple[str, ...]  # files that may not be written and have fixes
    likely: int  # fixes that --likely would put in


def fix_program(
    options: Options,
    may_write: Callable[[SourceFile], bool],
    grade: Grade = SAFE,
    on_stage: Callable[[str], None] | None = None,
) -> Outcome:
    """Fix a program in memory. `may_write` says which files may change; files that could not be decoded never do."""
    return _Fixer(options, lambda file: may_write(file) and not file.problems, grade, on_stage).run()


class _Fixer:
    """One program being fixed."""

    def __init__(
        self,
        options: Options,
        may_change: Callable[[SourceFile], bool],
        grade: Grade,
        on_stage: Callable[[str], None] | None,
    ) -> None:
        self.options = options
        self.may_change = may_change
        self.grade = grade
        self.on_stage = on_stage
        self.texts: dict[str, str] = {}  # by real path
        self.files: dict[str, FixedFile] = {}
        self.refused: set[tuple[str, ...]] = set()
        self.checks = 0

    def run(self) -> Outcome:
        """Go on until no fix is left that helps."""
        now = self._check(self.texts)
        seen = [dict(self.texts)]
        rounds, limit = 0, _NO_LIMIT
        retried = 0  # the round before which the fixes left out were given another chance
        while rounds < MAX_ROUNDS and self.checks < _MAX_CHECKS:
            fixes = self._candidates(now)[:limit]
            texts = {**self.texts, **{_real(file): text for file, text in apply_fixes(fixes).items()}}
            if not fixes or texts in seen:
                if not self.refused or rounds == retried:
                    break
                self.refused.clear()  # what other fixes have changed may have made room for one of them
                retried, limit = rounds, _NO_LIMIT
                continue
            after = self._check(texts)
            if _is_worse(now, after):
                if len(fixes) == 1:
                    self.refused.add(_key(fixes[0]))
                limit = len(fixes) // 2 or _NO_LIMIT
                continue
            spoiling = [fix for fix in fixes if _spoils(fix, fixes, now, after)]
            if spoiling:
                self.refused.update(map(_key, spoiling))
                limit = _NO_LIMIT
                continue
            self._count(fixes, texts)
            self.texts, now, limit = texts, after, _NO_LIMIT
            seen.append(texts)
            rounds += 1
        return self._outcome(now)

    def _check(self, texts: dict[str, str]) -> Compilation:
        self.checks += 1
        compilation = Compilation(self.options, self.on_stage, texts)
        driver.compile_until(compilation, "check")
        return compilation

    def _candidates(self, compilation: Compilation) -> list[Fix]:
        found = fixes_of(compilation.sink.diagnostics(), self.grade)
        good = [fix for fix in found if self._allowed(fix) and _key(fix) not in self.refused]
        return compatible(good)

    def _allowed(self, fix: Fix) -> bool:
        return all(self.may_change(edit.span.file) for edit in fix.edits)

    def _count(self, fixes: Sequence[Fix], texts: dict[str, str]) -> None:
        for fix in fixes:
            files = {_real(edit.span.file): edit.span.file for edit in fix.edits}
            for number, (real, file) in enumerate(files.items()):
                entry = self.files.setdefault(real, FixedFile(file.name, file.text, file.text, 0))
                entry.fixes += number == 0
        for real, entry in self.files.items():
            entry.after = texts[real]

    def _outcome(self, now: Compilation) -> Outcome:
        left = now.sink.diagnostics()
        unwritable = {
            edit.span.file.name
            for fix in fixes_of(left, self.grade)
            for edit in fix.edits
            if not self.may_change(edit.span.file)
        }
        likely = 0
        if self.grade == SAFE:
            likely = sum(1 for fix in fixes_of(left, LIKELY) if fix.grade == LIKELY and self._allowed(fix))
        changed = tuple(entry for entry in self.files.values() if entry.after != entry.before)
        return Outcome(now, changed, tuple(sorted(unwritable)), likely)


def _real(file: SourceFile) -> str:
    return os.path.realpath(file.path)


def _key(fix: Fix) -> tuple[str, ...]:
    """What a fix is called in later rounds, when its place in the text may be another one."""
    first = fix.edits[0].span
    return (first.file.name, fix.title, first.file.line_text(first.line), str(first.column))


def _spoils(fix: Fix, fixes: Sequence[Fix], before: Compilation, after: Compilation) -> bool:
    """Whether a statement that a fix changes is not understood after all `fixes` have gone in, though it was before."""
    if not after.sink.doubted:
        return False
    for edit in fix.edits:
        file, start = edit.span.file, edit.span.start
        earlier = [e for f in fixes for e in f.edits if e.span.file is file and e.span.start < start]
        moved = start + len(apply_edits(file.text, earlier)) - len(file.text)
        if _is_doubted(after, file, moved) and not _is_doubted(before, file, start):
            return True
    return False


def _is_doubted(compilation: Compilation, file: SourceFile, offset: int) -> bool:
    real = _real(file)
    return any(_real(span.file) == real and span.start <= offset < span.end for span in compilation.sink.doubted)


def _is_worse(before: Compilation, after: Compilation) -> bool:
    syntax_before, rest_before = _errors(before.sink.diagnostics())
    syntax_after, rest_after = _errors(after.sink.diagnostics())
    return (syntax_before, rest_before) < (syntax_after, rest_after)


def _errors(diagnostics: Sequence[Diagnostic]) -> tuple[int, int]:
    """How many syntax errors there are, and how many others."""
    numbers = [d.code.number for d in diagnostics if d.severity == ERROR]
    syntax = sum(1 for number in numbers if number[0] == "P")
    return syntax, len(numbers) - syntax
