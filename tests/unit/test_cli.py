"""The commands, called in this process: names of results, what is kept and what is not, warnings, colour, bugs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from nxdc import driver
from nxdc.cli import app

GOOD = 'FUNC MAIN():\n    PRINTLN("hello")\n'
WARNS = 'FUNC MAIN():\n    LET X SET 1\n    PRINTLN("hello")\n'
BAD = "FUNC MAIN():\n    PRINTLN(MISSING)\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "good.nxd").write_text(GOOD)
    (tmp_path / "warns.nxd").write_text(WARNS)
    (tmp_path / "bad.nxd").write_text(BAD)
    return tmp_path


def output_of(program: Path) -> str:
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


def test_cached_build_gives_the_same_program_and_warnings(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    texts = []
    for name in ("one", "two"):
        assert app.run(["build", "warns.nxd", "-o", name]) == 0
        texts.append(capfd.readouterr().err)
    assert texts[0] == texts[1] and "W2001" in texts[0]
    assert (here / "one").read_bytes() == (here / "two").read_bytes()
    assert output_of(here / "one") == "hello\n"
    assert app.run(["build", "warns.nxd", "-o", "three", "--format", "json"]) == 0
    assert json.loads(capfd.readouterr().out)["code"].endswith("W2001")


def test_werror_builds_nothing(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(["check", "warns.nxd"]) == 0
    assert app.run(["check", "--werror", "warns.nxd"]) == 1
    for _ in range(2):  # the second time the cache knows the program
        assert app.run(["build", "--werror", "warns.nxd"]) == 1
        assert not (here / "warns").exists()
        assert app.run(["build", "warns.nxd", "-o", "other"]) == 0
    assert "W2001" in capfd.readouterr().err


def test_a_failed_build_leaves_the_old_program(here: Path) -> None:
    assert app.run(["build", "good.nxd", "-o", "app"]) == 0
    before = (here / "app").read_bytes()
    assert app.run(["build", "bad.nxd", "-o", "app"]) == 1
    assert (here / "app").read_bytes() == before
    assert sorted(path.name for path in here.iterdir()) == ["app", "bad.nxd", "good.nxd", "warns.nxd"]


def test_a_folder_is_one_program(here: Path) -> None:
    folder = here / "shop"
    folder.mkdir()
    (folder / "main.nxd").write_text("IMPORT prices\nFUNC MAIN():\n    PRINTLN(prices.TEA())\n")
    (folder / "prices.nxd").write_text("FUNC TEA(): int:\n    RETURN 3\n")
    assert app.run(["build", "shop"]) == 0
    assert output_of(folder / "shop") == "3\n"
    (folder / "prices.nxd").write_text("FUNC TEA(): int:\n    RETURN 4\n")
    assert app.run(["build", "shop", "-o", "shop.out"]) == 0
    assert output_of(here / "shop.out") == "4\n"


def test_colour_only_when_asked(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert app.run(["check", "bad.nxd"]) == 1
    assert "\x1b" not in capfd.readouterr().err
    assert app.run(["check", "bad.nxd", "--color", "always"]) == 1
    assert "\x1b" in capfd.readouterr().err
    monkeypatch.delenv("NO_COLOR")
    assert app.run(["check", "bad.nxd", "--color", "never"]) == 1
    assert "\x1b" not in capfd.readouterr().err


@pytest.mark.parametrize("what", list(driver.EMITS))
def test_every_stage_can_be_shown(what: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert app.run(["build", "--emit", what, "-o", "-", "good.nxd"]) == 0
    assert capfdbinary.readouterr().out


def test_emit_of_a_broken_program(capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(["build", "--emit", "mir", "bad.nxd"]) == 1
    seen = capfd.readouterr()
    assert seen.out == "" and "S3001" in seen.err


def test_times_name_every_stage(capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(["build", "good.nxd", "-o", "x", "--time", "-O1"]) == 0
    rows = [line.split("  ")[0] for line in capfd.readouterr().err.splitlines()]
    assert rows[0] == "start" and rows[-1] == "total"
    assert "cache" in rows or set(rows) >= {stage.name for stage in driver.STAGES}


def test_a_bug_is_said_to_be_one(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_compilation: driver.Compilation) -> None:
        raise KeyError("inner")

    broken = driver.Stage("check", (), fail)
    monkeypatch.setattr(driver, "STAGES", (driver.STAGES[0], broken))
    monkeypatch.delenv("NXDC_DEBUG", raising=False)
    assert app.run(["check", "good.nxd"]) == 3
    seen = capfd.readouterr().err
    assert "bug of the compiler in the stage `check`" in seen and "NXDC_DEBUG=1" in seen and "Traceback" not in seen
    monkeypatch.setenv("NXDC_DEBUG", "1")
    assert app.run(["check", "good.nxd"]) == 3
    assert "Traceback" in capfd.readouterr().err


def test_a_deep_program_is_no_traceback(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    deep = " ADD ".join(["A"] * 900)
    (here / "deep.nxd").write_text(f"FUNC MAIN():\n    LET A SET 1\n    PRINTLN({deep})\n")
    assert app.run(["build", "-O0", "deep.nxd"]) == 0, capfd.readouterr().err
    assert output_of(here / "deep") == "900\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["bild"], "did you mean `build`?"),
        (["good.nxd"], "nxdc run good.nxd"),
        (["check", "goood.nxd"], "did you mean `good.nxd`?"),
        (["check", "good"], "did you mean `good.nxd`?"),
        (["run", "good.nxd", "--verbose"], "stand after `--`"),
        (["build", "good.nxd", "-o", "good.nxd"], "overwrite the source"),
        (["build", "good.nxd", "-O7"], "-O"),
        (["explain", "S3902"], "did you mean"),
    ],
)
def test_misuse_is_answered_with_help(arguments: list[str], text: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(arguments) == 2
    seen = capfd.readouterr()
    assert text in seen.err and seen.out == "" and "Traceback" not in seen.err


@pytest.mark.parametrize("error", [RuntimeError("LLVM ERROR: in SelectionDAG"), None])
def test_a_bug_shows_nothing_of_llvm(
    error: Exception | None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from nxdc.codegen import target

    def fail(*_arguments: object) -> None:
        raise error or target.llvm_error()("LLVM IR parsing error: expected instruction opcode")

    monkeypatch.setattr(target, "ParsedModule", fail)
    monkeypatch.delenv("NXDC_DEBUG", raising=False)
    monkeypatch.setenv("NXDC_CACHE", str(Path.cwd() / "cache"))
    assert app.run(["build", "good.nxd"]) == 3
    seen = capfd.readouterr().err
    assert "this is a bug of the compiler in the stage `codegen`" in seen
    assert "LLVM" not in seen and "instruction" not in seen and "Traceback" not in seen


def test_reindent_keeps_the_byte_order_mark_and_the_line_ends(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flat = here / "flat.nxd"
    flat.write_bytes(b"\xef\xbb\xbfFUNC MAIN():\r\nPRINTLN(1)")
    assert app.run(["reindent", "-i", "flat.nxd"]) == 0
    assert flat.read_bytes() == b"\xef\xbb\xbfFUNC MAIN():\r\n    PRINTLN(1)"
    capfd.readouterr()
    assert app.run(["reindent", "-o", "again.nxd", "flat.nxd"]) == 0
    assert (here / "again.nxd").read_bytes() == flat.read_bytes()
    assert "the file has a layout, and was left as it is" in capfd.readouterr().err


def test_reindent_of_a_file_without_lines(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "empty.nxd").write_bytes(b"")
    assert app.run(["reindent", "empty.nxd"]) == 0
    assert capfd.readouterr() == ("", "")
