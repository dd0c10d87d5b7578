"""Diagnostics as SARIF 2.1.0, the exchange format of analysis tools: one run, a rule for each code that was found.

Columns count characters (code points) from 1. Files are named as the user named them, relative to where the command
ran. A fix that has a placeholder is left out, since a tool could not put it in.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from nxdc import __version__
from nxdc.diagnostics.model import SHOW, Diagnostic, Fix
from nxdc.diagnostics.pages import load_page
from nxdc.source.span import Span
from nxdc.source.text import SourceFile

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The document; it has a run without results when there are no diagnostics."""
    return json.dumps(to_log(diagnostics), ensure_ascii=False, indent=2) + "\n"


def to_log(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """The document as plain data."""
    by_number = {d.number: d for d in diagnostics}
    numbers = sorted(by_number)
    index = {number: i for i, number in enumerate(numbers)}
    driver = {"name": "nxdc", "version": __version__, "rules": [_rule(by_number[number]) for number in numbers]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [_result(diagnostic, index[diagnostic.number]) for diagnostic in diagnostics],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(diagnostic: Diagnostic) -> dict[str, Any]:
    """What the code means, from its page of `nxdc explain`."""
    code = diagnostic.code
    title = code.name.replace("-", " ")
    page = load_page(code.number) or f"# {code.shown}: {title}\n"
    meaning = page.partition("## Meaning\n")[2].partition("\n## ")[0].strip() or title
    advice = page.partition("## How to fix\n")[2].partition("\n```")[0].strip()
    return {
        "id": diagnostic.number,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": title},
        "fullDescription": {"text": meaning},
        "help": {"text": f"{meaning}\n\n{advice}".strip(), "markdown": page},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    lines = [diagnostic.message, *diagnostic.notes, *diagnostic.helps]
    result: dict[str, Any] = {
        "ruleId": diagnostic.number,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": "\n".join(lines)},
        "locations": [_location(diagnostic.primary.span, diagnostic.primary.text)],
    }
    related = [_location(label.span, label.text) for label in diagnostic.secondary]
    if related:
        result["relatedLocations"] = [{"id": i, **location} for i, location in enumerate(related, 1)]
    fixes = [_fix(fix) for fix in diagnostic.fixes if fix.grade != SHOW]
    if fixes:
        result["fixes"] = fixes
    return result


def _location(span: Span, text: str) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": _artifact(span.file), "region": _region(span)}}
    return {**place, "message": {"text": text}} if text else place


def _artifact(file: SourceFile) -> dict[str, Any]:
    from urllib.parse import quote

    path = os.path.normpath(file.name).replace(os.sep, "/")
    return {"uri": ("file://" if os.path.isabs(path) else "") + quote(os.fsencode(path))}


def _region(span: Span) -> dict[str, int]:
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(fix: Fix) -> dict[str, Any]:
    """A fix, its edits by file."""
    replacements: dict[SourceFile, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacements.setdefault(edit.span.file, []).append(
            {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        )
    changes = [{"artifactLocation": _artifact(file), "replacements": made} for file, made in replacements.items()]
    return {"description": {"text": fix.title}, "artifactChanges": changes, "properties": {"grade": fix.grade}}
