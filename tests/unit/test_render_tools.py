"""Diagnostics for tools: SARIF and the workflow commands of GitHub."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nxdc.cli import app
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import SHOW, Diagnostic, Edit, Fix, Label
from nxdc.diagnostics.render_github import render as render_github
from nxdc.diagnostics.render_sarif import to_log
from nxdc.source.span import Span
from nxdc.source.text import SourceFile

BAD = "FUNC MAIN():\n    LET X SET -5\n    PRINTLN(X ADD true)\n"
WARNS = 'FUNC MAIN():\n    LET X SET 1\n    PRINTLN("hello")\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("bad.nxd").write_text(BAD)
    Path("warns.nxd").write_text(WARNS)
    Path("good.nxd").write_text("PRINTLN(1)\n")
    return tmp_path


def log_of(arguments: list[str], status: int, capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert app.run([*arguments, "--format", "sarif"]) == status
    seen = capfd.readouterr()
    assert seen.err == ""
    log: dict[str, Any] = json.loads(seen.out)
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    return log


def test_sarif_of_a_check(capfd: pytest.CaptureFixture[str]) -> None:
    run = log_of(["check", "bad.nxd"], 1, capfd)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    first, second = run["results"]
    assert [rules[r["ruleIndex"]]["id"] for r in (first, second)] == ["NXD-P1012", "NXD-S3002"]
    assert first["ruleId"] == "NXD-P1012" and first["level"] == "error"
    for rule in rules:
        assert rule["help"]["text"] and rule["help"]["markdown"].startswith("# NXD-")
        assert rule["shortDescription"]["text"] and rule["fullDescription"]["text"]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "bad.nxd"}
    assert place["region"] == {"startLine": 2, "startColumn": 15, "endLine": 2, "endColumn": 17}
    (change,) = first["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 2, "startColumn": 15, "endLine": 2, "endColumn": 16}
    assert replacement["insertedContent"] == {"text": "SUB "}
    assert [r["message"]["text"] for r in second["relatedLocations"]] == ["this is `int`", "this is `bool`"]


@pytest.mark.parametrize("command", [["check"], ["build", "-o", "program"]])
def test_sarif_when_nothing_is_found(command: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    run = log_of([*command, "good.nxd"], 0, capfd)["runs"][0]
    assert run["results"] == [] and run["tool"]["driver"]["rules"] == []


def test_sarif_of_a_build_comes_from_the_cache_too(capfd: pytest.CaptureFixture[str]) -> None:
    logs = [log_of(["build", "warns.nxd", "-o", "program"], 0, capfd) for _ in range(2)]
    assert logs[0] == logs[1]
    (result,) = logs[0]["runs"][0]["results"]
    assert result["level"] == "warning" and result["ruleId"] == "NXD-W2001"


def test_sarif_names_files_as_uris_and_leaves_placeholders_out() -> None:
    for name, uri in (("a b/ä#.nxd", "a%20b/%C3%A4%23.nxd"), ("/x/./y.nxd", "file:///x/y.nxd")):
        span = Span(SourceFile(name, "ABC\n"), 0, 3)
        fix = Fix("fill in", (Edit(span, "<value>"),), SHOW)
        found = Diagnostic(codes.S3001, "name", {"name": "ABC"}, Label(span), fixes=(fix,))
        (result,) = to_log([found])["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}
        assert "fixes" not in result


def test_github(capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(["check", "bad.nxd", "--format", "github"]) == 1
    seen = capfd.readouterr()
    first, second = seen.out.splitlines()
    assert seen.err == ""
    assert first == (
        "::error file=bad.nxd,line=2,col=15,endLine=2,endColumn=17,title=NXD-P1012"
        "::a negative number is written `SUB 5`%0Afix: write `SUB 5`"
    )
    assert second.startswith("::error file=bad.nxd,line=3,") and "bad.nxd:3: this is `bool`" in second
    assert app.run(["check", "warns.nxd", "--format", "github"]) == 0
    assert capfd.readouterr().out.startswith("::warning file=warns.nxd,line=2,")
    assert app.run(["check", "good.nxd", "--format", "github"]) == 0
    assert capfd.readouterr().out == ""


def test_github_escapes() -> None:
    span = Span(SourceFile("a,b:c%.nxd", "ABC\nDEF\n"), 1, 6)
    found = Diagnostic(codes.S3001, "name", {"name": "100%"}, Label(span), notes=("one\r\ntwo",))
    assert render_github([found]) == (
        "::error file=a%2Cb%3Ac%25.nxd,line=1,endLine=2,title=NXD-S3001::`100%25` is not defined%0Anote: one%0D%0Atwo\n"
    )


def test_a_dump_does_not_mix_with_diagnostics(capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(["build", "--emit", "mir", "--format", "sarif", "good.nxd"]) == 2
    seen = capfd.readouterr()
    assert seen.out == "" and "-o" in seen.err
