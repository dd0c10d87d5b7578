"""Diagnostics for machines: one JSON object a line.

Offsets count characters of the decoded file from 0; lines and columns count from 1, columns in characters. Files are
named as the user named them. `version` changes when a field changes its meaning; new fields may come at any time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from nxdc.diagnostics.model import Diagnostic, Fix, Label
from nxdc.source.span import Span

VERSION = 1


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One object a line; "" when there are none."""
    return "".join(json.dumps(to_object(d), ensure_ascii=False) + "\n" for d in diagnostics)


def to_object(diagnostic: Diagnostic) -> dict[str, Any]:
    """The diagnostic as plain data."""
    return {
        "version": VERSION,
        "code": diagnostic.number,
        "name": diagnostic.code.name,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "primary": _label(diagnostic.primary),
        "secondary": [_label(label) for label in diagnostic.secondary],
        "notes": list(diagnostic.notes),
        "helps": list(diagnostic.helps),
        "fixes": [_fix(fix) for fix in diagnostic.fixes],
    }


def _place(span: Span) -> dict[str, Any]:
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    return {
        "file": span.file.name,
        "start": span.start,
        "end": span.end,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _label(label: Label) -> dict[str, Any]:
    return {**_place(label.span), "text": label.text}


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{**_place(edit.span), "replacement": edit.text} for edit in fix.edits]
    return {"title": fix.title, "grade": fix.grade, "edits": edits}
