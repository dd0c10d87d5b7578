"""The registry of codes: every wording that is used exists and gets its arguments, every wording is used."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from nxdc.diagnostics.codes import REGISTRY, find
from nxdc.diagnostics.near import nearest
from tests.unit.tree import PACKAGE, python_files

SOURCES = [path for path in python_files() if PACKAGE in path.parents and "codes" not in path.parts]
NOT_FOR_USERS = frozenset(["unification", "unify", "MIR", "LLVM", "token", "AST", "parser", "None", "str"])


def _reports(path: Path) -> Iterator[tuple[ast.Call, str, ast.expr]]:
    """Calls that give a code and a wording next to each other."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        for code, wording in zip(node.args, node.args[1:], strict=False):
            if isinstance(code, ast.Attribute) and isinstance(code.value, ast.Name) and code.value.id == "codes":
                yield node, code.attr, wording


def _placeholders(template: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(template) if field}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_wordings_exist_and_get_their_arguments(path: Path) -> None:
    for call, number, wording in _reports(path):
        where = f"{path.name}:{call.lineno}: {number}"
        code = REGISTRY[number]
        choices = [wording.body, wording.orelse] if isinstance(wording, ast.IfExp) else [wording]
        for choice in choices:
            if not isinstance(choice, ast.Constant):
                continue
            assert choice.value in code.wordings, f"{where} has no wording {choice.value!r}"
            given = {keyword.arg for keyword in call.keywords}
            if None not in given and not any(isinstance(a, ast.Dict) for a in call.args):
                missing = _placeholders(code.wordings[choice.value]) - given
                assert not missing, f"{where} {choice.value}: {missing} not given"


@pytest.mark.parametrize("number", sorted(REGISTRY))
def test_wordings_are_headlines(number: str) -> None:
    for text in REGISTRY[number].wordings.values():
        assert not text.endswith("."), text
        assert "\n" not in text
        assert not NOT_FOR_USERS & set(text.replace("`", " ").split()), text


def test_codes_are_found_as_users_write_them() -> None:
    assert find("S3002") is find("nxd-s3002") is REGISTRY["S3002"]
    assert find(" E1004 ") is REGISTRY["E1004"]
    assert find("S9999") is None


def test_nearest_name() -> None:
    known = ["COUNT", "TOTAL", "NAME", "LEN"]
    assert nearest("CUONT", known) == "COUNT"
    assert nearest("TOTEL", known) == "TOTAL"
    assert nearest("X", known) is None
    assert nearest("COUNTS", ["COUNTER", "COUNTED"]) is None  # equally near
