"""Every example of the prelude tables prints what its row says: all of them in one program, one function each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from nxdc.tables.prelude import ROWS

EXAMPLES = [row for row in ROWS if row.example and not row.diverges]
ENDING = [row for row in ROWS if row.example and row.diverges]
MARK = "==== "


def _run(source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = folder / "examples.nxd"
    program.write_text(source)
    command = [sys.executable, "-m", "nxdc", "run", str(program)]
    return subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_examples(tmp_path: Path) -> None:
    """One compilation for all."""
    lines = []
    for number, row in enumerate(EXAMPLES):
        lines += [f"FUNC EXAMPLE_{number}():", *(f"    {line}" for line in row.example.splitlines()), ""]
    lines.append("FUNC MAIN():")
    for number in range(len(EXAMPLES)):
        lines += [f'    PRINTLN("{MARK}{number}")', f"    EXAMPLE_{number}()"]
    done = _run("\n".join(lines) + "\n", tmp_path)
    assert done.returncode == 0, done.stderr
    outputs = {}
    for part in done.stdout.split(MARK)[1:]:
        head, _, text = part.partition("\n")
        outputs[int(head)] = text.rstrip("\n")
    wrong = [
        f"{row.name}{row.signature}: printed {outputs.get(number)!r}, the row says {row.output!r}"
        for number, row in enumerate(EXAMPLES)
        if outputs.get(number) != row.output
    ]
    assert not wrong, "\n".join(wrong)


def test_examples_that_end_the_program(tmp_path: Path) -> None:
    """EXIT and the like run alone."""
    for row in ENDING:
        done = _run(row.example + "\n", tmp_path)
        assert done.stdout.rstrip("\n") == row.output, done.stderr
