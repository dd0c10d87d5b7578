"""The pages in `explain/` of `nxdc explain CODE`, one Markdown file a code, with the headings Meaning, Example, Why,
How to fix, Related."""

from __future__ import annotations

import os

HEADINGS = ("Meaning", "Example", "Why", "How to fix", "Related")


def page_path(number: str) -> str:
    """The file of a code's page."""
    return os.path.join(os.path.dirname(__file__), "explain", f"{number}.md")


def load_page(number: str) -> str | None:
    """The page of a code (`S3002`), None when there is none."""
    try:
        with open(page_path(number), encoding="utf-8") as handle:
            return handle.read()
    except OSError:
        return None


def examples(page: str, heading: str) -> list[str]:
    """The `nxd` blocks below a heading of a page."""
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found: list[str] = []
    block: list[str] | None = None
    for line in section.splitlines():
        if block is None:
            if line.strip() == "```nxd":
                block = []
        elif line.strip() == "```":
            found.append("\n".join(block) + "\n")
            block = None
        else:
            block.append(line)
    return found
