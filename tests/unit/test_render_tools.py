"""Diagnostics for tools: SARIF and the workflow commands of GitHub."""

from __future__ import annotations

import json
import re
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


def _check_region(region: dict[str, Any]) -> None:
    assert set(region) <= {"startLine", "startColumn", "endLine", "endColumn"}
    assert all(isinstance(value, int) and value >= 1 for value in region.values())
    assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def _check_location(location: dict[str, Any]) -> None:
    place = location["physicalLocation"]
    assert re.fullmatch(r"[A-Za-z0-9._~%/:-]+", place["artifactLocation"]["uri"])
    _check_region(place["region"])
    assert location.get("message", {"text": "-"})["text"]


def test_sarif_has_what_its_definition_requires(capfd: pytest.CaptureFixture[str]) -> None:
    """SARIF 2.1.0, sections 3.13 to 3.57: required properties, enumerations, indexes, nothing unknown."""
    Path("doc.md").write_text(
        "# Ü\n\n- a\n\n  ```nxd\n  FUNC G(X: int): int:\n      RETURN X + tru\n  ```\n", encoding="utf-8"
    )
    Path("two.nxd").write_text('FUNC H():\n    LET Y SET 1\n    PRINTLN(-1 ADD true)\n    G("")\n')
    log = log_of(["check", "doc.md", "two.nxd"], 1, capfd)
    assert set(log) == {"$schema", "version", "runs"} and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert all(isinstance(item["executionSuccessful"], bool) for item in run["invocations"])
    driver = run["tool"]["driver"]
    assert driver["name"] == "nxdc" and driver["version"]
    rules = driver["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        assert rule["shortDescription"]["text"] and rule["fullDescription"]["text"] and rule["help"]["text"]
    files = set()
    for result in run["results"]:
        assert set(result) <= {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "fixes"}
        assert result["message"]["text"] and result["level"] in ("none", "note", "warning", "error")
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            _check_location(location)
        files.add(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        for fix in result.get("fixes", ()):
            assert fix["description"]["text"] and fix["artifactChanges"]
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"]["uri"] and change["replacements"]
                for replacement in change["replacements"]:
                    _check_region(replacement["deletedRegion"])
                    assert isinstance(replacement["insertedContent"]["text"], str)
    assert files == {"doc.md", "two.nxd"}
    lines = {r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in run["results"] if "doc.md" in str(r)}
    assert 7 in lines


def test_json_places_are_those_of_the_document(capfd: pytest.CaptureFixture[str]) -> None:
    Path("doc.md").write_text("text\n\n1. x\n\n   ~~~nxd\n   PRINTLN(1 ADD true)\n   ~~~\n")
    assert app.run(["check", "doc.md", "--format", "json"]) == 1
    (found,) = (json.loads(line) for line in capfd.readouterr().out.splitlines())
    place = found["primary"]
    assert (place["file"], place["line"], place["column"], place["end_column"]) == ("doc.md", 6, 12, 22)
    assert place["start"] == Path("doc.md").read_text().index("1 ADD")
    assert app.run(["check", "doc.md", "--format", "github"]) == 1
    assert capfd.readouterr().out.startswith("::error file=doc.md,line=6,col=12,")


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
