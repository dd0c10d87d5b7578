"""Write docs/prelude.md, the reference of the prelude, from nxdc/tables. `make gen` runs it; a test compares."""

from __future__ import annotations

from pathlib import Path

from nxdc.tables import prelude
from nxdc.tables.errors import RUNTIME_ERRORS
from nxdc.tables.model import Prelude

TARGET = Path(__file__).with_name("prelude.md")
INTRODUCTION = """\
# The prelude

Functions that every program has without an import. A declaration of your own with the same name hides them. This page
is made from `nxdc/tables/prelude` by `make gen`.

`raises` names the errors a call can bring about; see the [list at the end](#run-time-errors). A function that
*waits* lets other processes run until it can go on.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for title, rows in prelude.GROUPS:
        parts.append(f"## {title}\n")
        shown = [row for row in rows if not row.hidden]
        for name in dict.fromkeys(row.name for row in shown):
            parts.append(_function(name, [row for row in shown if row.name == name]))
    parts.append(_errors())
    return "\n".join(parts)


def _function(name: str, rows: list[Prelude]) -> str:
    lines = [f"### {name}", ""]
    for row in rows:
        lines += [f"`{row.name}{row.signature}`", ""]
        facts = [f"raises {', '.join(row.raises)}"] if row.raises else []
        facts += ["waits"] if row.parks else []
        lines += [row.doc + (f" *({'; '.join(facts)})*" if facts else ""), ""]
        if row.example:
            lines += ["```nxd", row.example, "```", ""]
        if row.output:
            lines += ["prints", "", "```text", row.output, "```", ""]
    return "\n".join(lines)


def _errors() -> str:
    lines = ["## Run-time errors", "", "| code | message |", "| --- | --- |"]
    lines += [f"| `{error.code}` | {error.message} |" for error in RUNTIME_ERRORS]
    return "\n".join([*lines, "", "A program may `RAISE` codes of its own, `E7000` to `E9999`.", ""])


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
