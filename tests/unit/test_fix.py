"""`nxdc fix`: which files it writes and how, what it reports, and that it never makes a program worse."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from nxdc import driver
from nxdc.cli import app, fixing
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import SAFE, Edit, Fix
from nxdc.driver import Compilation, Options
from nxdc.source.span import Span
from nxdc.syntax.grading import is_unmended
from tests.unit.tree import ROOT

SLIPS = "FUNC MAIN():\n    let x = -1\n    PRINTLN(x+1)\n"
FIXED = "FUNC MAIN():\n    LET X SET SUB 1\n    PRINTLN(X ADD 1)\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def test_fixes_and_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.nxd").write_text(SLIPS)
    assert app.run(["fix", "a.nxd"]) == 0
    assert Path("a.nxd").read_text() == FIXED
    seen = capfd.readouterr()
    assert seen.out == "" and seen.err == "fixed 6 problems in a.nxd\n"
    before = Path("a.nxd").stat()
    assert app.run(["fix", "a.nxd"]) == 0
    assert Path("a.nxd").stat().st_mtime_ns == before.st_mtime_ns
    assert capfd.readouterr().err == ""


def test_keeps_line_ends_byte_order_mark_mode_and_links() -> None:
    folder = Path("real")
    folder.mkdir()
    real = folder / "a.nxd"
    real.write_bytes(b"\xef\xbb\xbf" + SLIPS.replace("\n", "\r\n").encode())
    real.chmod(0o640)
    Path("link.nxd").symlink_to(real)
    assert app.run(["fix", "link.nxd"]) == 0
    assert real.read_bytes() == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()
    assert real.stat().st_mode & 0o777 == 0o640
    assert Path("link.nxd").is_symlink() and os.listdir(folder) == ["a.nxd"]


def test_an_import_line_ends_as_the_file_does() -> None:
    Path("two.nxd").write_text("FUNC TWO(): int:\n    RETURN 2\n")
    Path("a.nxd").write_bytes(b"FUNC MAIN():\r\n    PRINTLN(TWO())\r\n")
    assert app.run(["fix", "a.nxd", "two.nxd"]) == 0
    assert Path("a.nxd").read_bytes() == b"IMPORT two\r\nFUNC MAIN():\r\n    PRINTLN(TWO())\r\n"


def test_a_document_gets_its_import_inside_the_program() -> None:
    Path("two.nxd").write_text("FUNC TWO(): int:\n    RETURN 2\n")
    Path("a.md").write_text("# Two\n\n1. So:\n\n   ```nxd\n   FUNC MAIN():\n       PRINTLN(TWO())\n   ```\n")
    assert app.run(["fix", "a.md", "two.nxd"]) == 0
    assert "   ```nxd\n   IMPORT two\n   FUNC MAIN():\n" in Path("a.md").read_text()


def test_a_document_is_fixed_where_its_program_stands(capfd: pytest.CaptureFixture[str]) -> None:
    text = "# -1 = x\r\n\r\n- item\r\n\r\n  ~~~nxd\r\n  FUNC ONE(): int:\r\n      return -1\r\n  ~~~\r\n"
    text += "x = -1\r\n```nxd\r\nFUNC MAIN():\r\n    let x = ONE()+1\r\n    PRINTLN(x ADD true)\r\n```x = -1"
    Path("a.md").write_bytes(text.encode())
    assert app.run(["fix", "a.md"]) == 1
    fixed = text.replace("      return -1", "      RETURN SUB 1").replace("let x = ONE()+1", "LET X SET ONE() ADD 1")
    assert Path("a.md").read_bytes() == fixed.replace("x ADD true", "X ADD true").encode()
    assert "a.md:13:13" in capfd.readouterr().err


def test_only_named_files_are_written(capfd: pytest.CaptureFixture[str]) -> None:
    Path("lib").mkdir()
    wrong = "FUNC TWO(): int:\n    RETURN -2\n"
    Path("lib/two.nxd").write_text("MODULE lib.two\n" + wrong)
    Path("a.nxd").write_text("IMPORT lib.two\nFUNC MAIN():\n    PRINTLN(TWO()+1)\n")
    assert app.run(["fix", "a.nxd"]) == 1
    assert Path("a.nxd").read_text().endswith("TWO() ADD 1)\n")
    assert Path("lib/two.nxd").read_text().endswith("-2\n")
    assert "lib/two.nxd has problems that could be fixed, but was not named" in capfd.readouterr().err
    assert app.run(["fix", "."]) == 0
    assert Path("lib/two.nxd").read_text().endswith("SUB 2\n")


def test_what_is_left_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.nxd").write_text("FUNC MAIN():\n    LET X = 1\n    PRINTLN(X ADD true)\n")
    assert app.run(["fix", "a.nxd"]) == 1
    seen = capfd.readouterr().err
    assert seen.startswith("fixed 1 problem in a.nxd\nerror[NXD-S3002]") and "LET X SET 1" in Path("a.nxd").read_text()


def test_likely_fixes_only_when_asked(capfd: pytest.CaptureFixture[str]) -> None:
    text = "FUNC MAIN():\n    X SET 1\n    PRINTLN(X)\n"
    Path("a.nxd").write_text(text)
    assert app.run(["fix", "a.nxd"]) == 1
    assert Path("a.nxd").read_text() == text
    assert "would be fixed with --likely" in capfd.readouterr().err
    assert app.run(["fix", "--likely", "a.nxd"]) == 0
    assert Path("a.nxd").read_text() == text.replace("X SET", "LET X SET", 1)


def test_check_and_diff_write_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.nxd").write_text(SLIPS)
    assert app.run(["fix", "--check", "a.nxd"]) == 1
    assert "would fix 6 problems in a.nxd" in capfd.readouterr().err
    assert app.run(["fix", "--diff", "a.nxd"]) == 0
    out = capfd.readouterr().out
    assert "-    let x = -1\n" in out and "+    LET X SET SUB 1\n" in out
    assert Path("a.nxd").read_text() == SLIPS
    Path("a.nxd").write_text(FIXED)
    assert app.run(["fix", "--check", "a.nxd"]) == 0


def test_files_that_are_no_text_are_left_alone() -> None:
    data = SLIPS.encode() + b"\xff\n"
    Path("a.nxd").write_bytes(data)
    assert app.run(["fix", "a.nxd"]) == 1
    assert Path("a.nxd").read_bytes() == data


def test_a_change_by_somebody_else_is_not_overwritten(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.nxd").write_text(SLIPS)
    inner = driver.compile_until

    def slow(compilation: Compilation, last: str) -> bool:
        ready = inner(compilation, last)
        Path("a.nxd").write_text("# mine\n")
        return ready

    monkeypatch.setattr(driver, "compile_until", slow)
    assert app.run(["fix", "a.nxd"]) == 2
    assert Path("a.nxd").read_text() == "# mine\n"
    assert "has changed meanwhile" in capfd.readouterr().err


def test_a_fix_that_makes_things_worse_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the fixes of a round the good ones go in all the same."""
    Path("a.nxd").write_text("FUNC MAIN():\n    LET A = 1\n    PRINTLN(A+1)\n    PRINTLN(A+2)\n")
    inner = driver.compile_until

    def with_a_bad_fix(compilation: Compilation, last: str) -> bool:
        ready = inner(compilation, last)
        (source,) = compilation["load"].sources
        at = source.text.rindex("PRINTLN(")
        edit = Edit(Span(source, at, at), "1 2\n    3 4\n    5 6\n    7 8\n    ")
        bad = Fix("a bad one", (edit,), SAFE)
        compilation.sink.report(codes.W2001, "local", edit.span, fixes=[bad], name="X")
        return ready

    monkeypatch.setattr(driver, "compile_until", with_a_bad_fix)
    (changed,) = fixing.fix_program(Options(("a.nxd",)), lambda _file: True).files
    assert changed.after == "FUNC MAIN():\n    LET A SET 1\n    PRINTLN(A ADD 1)\n    PRINTLN(A ADD 2)\n"
    assert changed.fixes == 3


@pytest.mark.parametrize("name", ["bank.nxd", "wordstats.nxd", "inventory.nxd"])
def test_damaged_programs_get_no_worse_and_a_second_run_changes_nothing(name: str) -> None:
    """Words of good programs are misspelt, dropped and written in other ways."""
    chance = random.Random(name)
    good = (ROOT / "examples" / name).read_text(encoding="utf-8")
    for _ in range(8):
        lines = good.split("\n")
        for at in chance.sample(range(len(lines)), 6):
            lines[at] = _damage(lines[at], chance)
        Path("a.nxd").write_text("\n".join(lines), encoding="utf-8")
        outcome = fixing.fix_program(Options(("a.nxd",)), lambda _file: True)
        for file in outcome.files:
            Path("a.nxd").write_text(file.after, encoding="utf-8")
        again = fixing.fix_program(Options(("a.nxd",)), lambda _file: True)
        assert again.files == ()


def _damage(line: str, chance: random.Random) -> str:
    words = line.split(" ")
    at = chance.randrange(len(words))
    word = words[at]
    half = len(word) // 2
    words[at] = chance.choice((word.lower(), word[:half] + word[half + 1 :], word + word[-1:], word.rstrip(":"), ""))
    damaged = " ".join(words)
    for right, wrong in ((" SET ", " = "), (" ADD ", "+"), (" EQ ", "=="), ("SUB ", "-")):
        if chance.random() < 0.5:
            damaged = damaged.replace(right, wrong)
    return damaged


@pytest.mark.parametrize("number", range(10))
def test_a_line_of_another_language_is_left_alone_or_has_no_syntax_error_afterwards(number: int) -> None:
    """The snippets of `data/foreign.txt`, which stand between lines of three hyphens."""
    snippets = (ROOT / "tests/unit/data/foreign.txt").read_text(encoding="utf-8").split("\n---\n")
    assert len(snippets) <= 10
    before = snippets[number % len(snippets)]
    Path("a.nxd").write_text(before, encoding="utf-8")
    outcome = fixing.fix_program(Options(("a.nxd",)), lambda _file: True)
    broken = {d.primary.span.line for d in outcome.compilation.sink.diagnostics() if is_unmended(d)}
    for file in outcome.files:
        pairs = zip(before.split("\n"), file.after.split("\n"), strict=True)
        assert not [new for line, (old, new) in enumerate(pairs, 1) if old != new and line in broken]
