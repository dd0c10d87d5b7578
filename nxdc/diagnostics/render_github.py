"""Diagnostics as workflow commands of GitHub Actions, which shows them beside the lines of a change.

::error file=main.nxd,line=3,col=9,endLine=3,endColumn=12,title=NXD-S3002::expected `int`, found `string`
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from nxdc.diagnostics.model import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One command a line; "" when there are none."""
    return "".join(_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.primary.span
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    place: dict[str, object] = {"file": os.path.normpath(span.file.name), "line": line}
    if end_line == line:  # columns are for places within one line only
        place["col"] = column
        place["endLine"] = line
        place["endColumn"] = end_column
    else:
        place["endLine"] = end_line if end_column > 1 else end_line - 1
    place["title"] = diagnostic.number
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items())
    return f"::{diagnostic.severity} {properties}::{_data(_message(diagnostic))}"


def _message(diagnostic: Diagnostic) -> str:
    """The headline, and below it what the text form shows beside and below the source."""
    lines = [diagnostic.message]
    lines += [diagnostic.primary.text] if diagnostic.primary.text else []
    for label in diagnostic.secondary:
        if label.text:
            lines.append(f"{label.span.file.name}:{label.span.line}: {label.text}")
    lines += [f"note: {text}" for text in diagnostic.notes]
    lines += [f"help: {text}" for text in diagnostic.helps]
    lines += [f"fix: {fix.title}" for fix in diagnostic.fixes]
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
