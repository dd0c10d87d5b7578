"""The prelude tables: every row is complete, and its example prints what the row says.

All examples are one program (a function for each), so that the check costs one compile.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nxdc.tables import prelude
from nxdc.tables.model import Prelude
from tests.harness import compiler, execute

ROWS: tuple[Prelude, ...] = tuple(row for row in prelude.ROWS if not row.hidden)
BETWEEN = "---- example"


def _title(row: Prelude) -> str:
    return f"{row.name}{row.signature}"


@pytest.mark.parametrize("row", ROWS, ids=_title)
def test_row_is_documented(row: Prelude) -> None:
    assert row.doc.endswith("."), "the documentation is one sentence"
    assert len(row.doc) < 200
    assert row.example or row.diverges, "a row shows an example"
    assert row.name in row.example or row.diverges


def test_signatures_are_read_by_the_types_layer() -> None:
    from nxdc.types.signature import read_signature

    for row in prelude.ROWS:
        read_signature(row.signature)


def test_no_two_rows_take_the_same() -> None:
    seen: set[tuple[str, str]] = set()
    for row in prelude.ROWS:
        parameters = row.signature.rsplit("): ", 1)[0]
        types = ",".join(part.split(":", 1)[-1].strip() for part in parameters.split(", "))
        assert (row.name, types) not in seen, _title(row)
        seen.add((row.name, types))


def test_examples_print_what_they_say(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row.example and row.output and not row.diverges]
    parts = []
    for number, row in enumerate(rows):
        parts.append(f"FUNC EXAMPLE{number}():\n{textwrap.indent(row.example, '    ')}\n")
    calls = "".join(f'    PRINTLN("{BETWEEN} {n}")\n    EXAMPLE{n}()\n' for n in range(len(rows)))
    source = tmp_path / "examples.nxd"
    source.write_text("".join(parts) + "FUNC MAIN():\n" + calls, encoding="utf-8")
    unit = compiler.check([str(source)], [])
    assert not unit.has_errors, unit.rendered()
    binary = compiler.build(unit, tmp_path / "examples", level=0, sanitize=compiler.can_sanitize())
    (result,) = execute.run_all([execute.Mode("examples", binary, 2)], tmp_path, [], "", {})
    outputs = result.out.split(BETWEEN)[1:]
    wrong = []
    for number, (row, output) in enumerate(zip(rows, outputs, strict=False)):
        actual = output.split("\n", 1)[1].rstrip("\n")
        if actual != row.output.rstrip("\n"):
            wrong.append(f"{_title(row)}: example {number} prints {actual!r}, not {row.output!r}")
    assert not wrong, "\n".join(wrong)
    assert (result.status, len(outputs)) == (0, len(rows)), result.err
