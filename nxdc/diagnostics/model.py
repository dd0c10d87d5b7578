"""What a diagnostic is: facts about the user's program. Only renderers make the final text of them.

A code (`diagnostics/codes/`) owns its number, severity and wordings; a `Diagnostic` picks a wording by key and gives
its arguments. Notes, helps and label texts are short finished sentences in the user's terms.
"""

from __future__ import annotations

from typing import Any, Literal

from nxdc.source.record import Record
from nxdc.source.span import Span

Severity = Literal["error", "warning"]
ERROR: Severity = "error"
WARNING: Severity = "warning"

Grade = Literal["safe", "likely", "show"]
SAFE: Grade = "safe"  # clearly what was meant: `nxdc fix` applies it
LIKELY: Grade = "likely"  # gives a valid program, but the intent is a guess: `nxdc fix --likely`
SHOW: Grade = "show"  # for the eye only: has a placeholder to fill in


class Code(Record):
    """One registered diagnostic or run-time error code."""

    number: str  # "S3002"; shown as NXD-S3002 when it is a compile-time code
    name: str  # "type-mismatch": the pattern found, not advice
    severity: Severity
    wordings: dict[str, str]  # key -> template with {placeholders}
    parts: tuple[str, ...] = ()  # wordings that have a number of their own, in that order: S3005-01, S3005-02 ...

    @property
    def shown(self) -> str:
        """The number as users see it."""
        return self.number if self.number[0] == "E" else f"NXD-{self.number}"


class Label(Record):
    """A place with what it is: "expected `int`, found `string`", "declared here". The text may be empty."""

    span: Span
    text: str = ""


class Edit(Record):
    """Replace the characters of a span with a text."""

    span: Span
    text: str


class Fix(Record):
    """A change the compiler can make."""

    title: str  # "write `SUB 5`"
    edits: tuple[Edit, ...]
    grade: Grade = SAFE


class Diagnostic(Record):
    """One finding."""

    code: Code
    wording: str
    args: dict[str, Any]
    primary: Label
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()

    @property
    def severity(self) -> Severity:
        """Error or warning, as the code says."""
        return self.code.severity

    @property
    def number(self) -> str:
        """The number as users see it, with the part where the code has parts: `NXD-S3005-02`."""
        parts = self.code.parts
        return f"{self.code.shown}-{parts.index(self.wording) + 1:02d}" if self.wording in parts else self.code.shown

    @property
    def message(self) -> str:
        """The headline: one sentence without a full stop."""
        return self.code.wordings[self.wording].format_map(self.args)

    def key(self) -> tuple[Any, ...]:
        """What makes two findings the same one, and (by file, start) the order in which they are shown."""
        span = self.primary.span
        return (span.file.name, span.start, span.end, self.code.number, self.message)
