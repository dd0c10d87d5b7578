"""The checklist of the language: docs/checklist/*.md names, for each sentence of the language reference, its tests.

    python docs/checklist.py                     every named test exists, none is skipped or known to fail
    python docs/checklist.py --run               ... and passes (builds and runs all of them: minutes)
    python docs/checklist.py --against FILE      ... and the pages leave out no text of the reference, in its order

A page is a table with the columns number, sentence, tests. A sentence is quoted as it stands in the reference, but
for line ends and backticks. A test is `path::name` below tests/. Exit status: 0 all is well, 1 something is wrong
(each on a line of its own), 2 misuse.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # a script of docs/ that reads what tests/ holds

from tests.harness.parse import read_cases  # noqa: E402

PAGES = ROOT / "docs" / "checklist"
ROW = re.compile(r"^\| (?P<number>\d+[a-z]?\.\d+) \| (?P<says>.+?) \| (?P<tests>.*?) \|$")
COLUMN = re.compile(r"(?<!\\)\|")  # a bar that ends a cell
NO_RUN = ("skip", "known-bug")


@dataclass(frozen=True)
class Row:
    """A sentence and the tests that show it."""

    page: str
    line: int
    number: str
    says: str
    tests: tuple[str, ...]

    @property
    def place(self) -> str:
        """Where the row stands, for messages."""
        return f"docs/checklist/{self.page}:{self.line}: {self.number}"


def read_rows() -> list[Row]:
    """All rows of all pages, in order; raises ValueError for a line of a table that is no row."""
    rows = []
    for page in sorted(PAGES.glob("[0-9]*.md")):
        for i, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("|") and not line.startswith(("| # |", "| --- |")):
                rows.append(_row(page.name, i, line))
    return rows


def _row(page: str, line: int, text: str) -> Row:
    match = ROW.match(text)
    if not match or len(COLUMN.findall(text)) != 4:
        raise ValueError(f"docs/checklist/{page}:{line}: not `| number | sentence | tests |`")
    tests = tuple(re.findall(r"`([^`]+)`", match["tests"]))
    return Row(page, line, match["number"], match["says"].replace("\\|", "|"), tests)


@cache
def tests_of(path: Path) -> dict[str, bool]:
    """The tests of a file below tests/, by name: does it run? Empty for a file that is not there."""
    if not path.is_file():
        return {}
    if path.suffix == ".test":
        return {case.name: not any(map(case.section, NO_RUN)) for case in read_cases(path)}
    return {
        node.name: not any("skip" in ast.unparse(d) or "xfail" in ast.unparse(d) for d in node.decorator_list)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def problems_of_tests(rows: list[Row]) -> Iterator[str]:
    """What is wrong with the tests that the rows name."""
    seen: set[str] = set()
    for row in rows:
        if row.number in seen:
            yield f"{row.place}: the number is given twice"
        seen.add(row.number)
        if not row.tests:
            yield f"{row.place}: names no test"
        for test in row.tests:
            path, _, name = test.partition("::")
            runs = tests_of(ROOT / "tests" / path).get(name.partition("[")[0])
            if runs is None:
                yield f"{row.place}: there is no test `{test}`"
            elif not runs:
                yield f"{row.place}: `{test}` is skipped or known to fail"


def problems_of_text(rows: list[Row], reference: str) -> Iterator[str]:
    """What the rows leave out of the reference, and what they say that it does not."""
    body = reference[max(reference.find("\n## "), 0) :]  # what stands before the first heading is an introduction
    text = _plain(re.sub(r"^(#.*|```.*|\|[ |-]*\|)$", "", body, flags=re.MULTILINE))
    at = text.find(_plain(rows[0].says)) if rows else 0
    for row in rows:
        says = _plain(row.says)
        found = text.find(says, at)
        if found < 0:
            yield f"{row.place}: the reference does not say this here"
            continue
        if re.search(r"\w", text[at:found]):
            yield f"{row.place}: left out before it: {text[at:found].strip()}"
        at = found + len(says)
    if re.search(r"\w", text[at:]):
        yield f"left out at the end: {text[at:].strip()}"


def _plain(text: str) -> str:
    """Text without what Markdown adds to it."""
    return " ".join(re.sub(r"^ *- |[`|]", " ", text, flags=re.MULTILINE).split())


def run_tests(rows: list[Row]) -> int:
    """Run every named test once; the exit status of pytest."""
    tests = dict.fromkeys(f"tests/{test}" for row in rows for test in row.tests)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", *tests]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Check docs/checklist: every sentence of the language has its tests.")
    parser.add_argument("--run", action="store_true", help="run the named tests as well")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with the language reference FILE")
    options = parser.parse_args()
    try:
        rows = read_rows()
        reference = options.against.read_text(encoding="utf-8") if options.against else None
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    problems = list(problems_of_tests(rows))
    if reference is not None:
        problems += problems_of_text(rows, reference)
    for problem in problems:
        print(problem)
    if problems:
        return 1
    tests = len({test for row in rows for test in row.tests})
    print(f"{len(rows)} sentences, {tests} tests")
    return min(run_tests(rows), 1) if options.run else 0


if __name__ == "__main__":
    sys.exit(main())
