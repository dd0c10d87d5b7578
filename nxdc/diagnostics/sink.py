"""The sink: where every stage reports, so that one run shows all independent errors in source order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nxdc.diagnostics.model import ERROR, LIKELY, SAFE, Code, Diagnostic, Fix, Label
from nxdc.source.span import Span

_Ranges = tuple[list[int], list[int]]  # starts and ends of parts of a file, in order and apart


class Sink:
    """Collects diagnostics. `diagnostics()` gives them sorted and without repetitions."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []
        self._file_order: dict[str, int] = {}
        self._doubted: list[Span] = []
        self._merged: tuple[int, dict[int, _Ranges]] = (0, {})  # the same by file, made of the first so many
        self.error_count = 0

    def add(self, diagnostic: Diagnostic) -> None:
        """Take one finding."""
        self._found.append(diagnostic)
        if diagnostic.code.severity == ERROR:
            self.error_count += 1

    def found(self) -> list[Diagnostic]:
        """Everything taken so far, as it came."""
        return self._found

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take several findings."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def report(
        self,
        code: Code,
        wording: str,
        span: Span,
        label: str = "",
        /,
        *,
        also: Sequence[tuple[Span, str]] = (),
        notes: Sequence[str] = (),
        helps: Sequence[str] = (),
        fixes: Sequence[Fix] = (),
        **args: Any,
    ) -> None:
        """Report a finding: `sink.report(codes.S3002, "assign", span, want="int", got="string")`."""
        secondary = tuple(Label(place, text) for place, text in also)
        self.add(
            Diagnostic(code, wording, args, Label(span, label), secondary, tuple(notes), tuple(helps), tuple(fixes))
        )

    def withdraw(self, diagnostic: Diagnostic) -> None:
        """Take a finding back that another one explains."""
        self._found.remove(diagnostic)
        self.error_count -= diagnostic.code.severity == ERROR

    def amend(self, change: Callable[[Diagnostic], Diagnostic]) -> None:
        """Put in the place of every finding so far what `change` makes of it: the same code, with other notes or
        fixes."""
        self._found = [change(diagnostic) for diagnostic in self._found]

    def doubt(self, span: Span) -> None:
        """Say that a part of the text is not understood as a whole: the fixes in it, those reported later too, are
        guesses."""
        self._doubted.append(span)

    def order_files(self, names: Iterable[str]) -> None:
        """Say in which order files are shown (that of the program); files not named come last, by name."""
        self._file_order = {name: i for i, name in enumerate(names)}

    @property
    def has_errors(self) -> bool:
        """Whether anything found is an error."""
        return self.error_count > 0

    def diagnostics(self) -> list[Diagnostic]:
        """All findings in source order, each once."""
        order = self._file_order
        last = len(order)
        ranked = sorted(
            self._found,
            key=lambda d: (order.get(d.primary.span.file.name, last), d.key()[:3], d.severity != ERROR, d.key()[3:]),
        )
        shown: list[Diagnostic] = []
        seen: set[tuple[Any, ...]] = set()
        for diagnostic in ranked:
            key = diagnostic.key()
            if key not in seen:
                seen.add(key)
                shown.append(self._graded(diagnostic) if self._doubted else diagnostic)
        return shown

    def _graded(self, diagnostic: Diagnostic) -> Diagnostic:
        """The finding with LIKELY for SAFE in those of its fixes that change a doubted part of the text."""
        fixes = tuple(f.replace(grade=LIKELY) if self._is_doubted(f) else f for f in diagnostic.fixes)
        return diagnostic.replace(fixes=fixes)

    @property
    def doubted(self) -> Sequence[Span]:
        """The parts of the text of which `doubt` was told."""
        return self._doubted

    def _is_doubted(self, fix: Fix) -> bool:
        inside = (e.span for e in fix.edits if e.span.start < e.span.end or "\n" not in e.text)  # no lines put in
        return fix.grade == SAFE and any(self._is_in_doubt(place) for place in inside)

    def _is_in_doubt(self, place: Span) -> bool:
        if self._merged[0] != len(self._doubted):
            self._merged = (len(self._doubted), _merged(self._doubted))
        starts, ends = self._merged[1].get(id(place.file), ([], []))
        at = bisect_right(starts, place.start) - 1
        return at >= 0 and place.start < ends[at]

    def sorted(self) -> list[Diagnostic]:
        """The same as `diagnostics()`."""
        return self.diagnostics()


def _merged(spans: Iterable[Span]) -> dict[int, _Ranges]:
    """The parts of the text that the spans cover, by the identity of their file."""
    files: dict[int, _Ranges] = {}
    for span in sorted(spans, key=lambda span: span.start):
        starts, ends = files.setdefault(id(span.file), ([], []))
        if ends and span.start <= ends[-1]:
            ends[-1] = max(ends[-1], span.end)
        else:
            starts.append(span.start)
            ends.append(span.end)
    return files
