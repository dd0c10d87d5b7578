"""The registry of codes: every wording that is used exists and gets its arguments, every wording is used."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from nxdc.diagnostics.codes import REGISTRY, find
from nxdc.diagnostics.near import distance, nearest
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


# The numbers that users have met: only new ones may be added.
KNOWN = (
    ("E1001", "type-mismatch-at-run-time"), ("E1002", "index-out-of-bounds"), ("E1003", "key-not-found"),
    ("E1004", "integer-overflow"), ("E1005", "division-by-zero"), ("E1006", "none-has-no-value"),
    ("E1007", "stack-overflow"), ("E1008", "assertion-failed"), ("E1009", "out-of-memory"),
    ("E2001", "constraint-violation"), ("E3001", "channel-closed"), ("E3002", "channel-full"), ("E3003", "deadlock"),
    ("E3004", "timeout"), ("E3005", "cancelled"), ("E4001", "capability-revoked"),
    ("E4002", "capability-not-delegable"), ("E5001", "no-case-matches"), ("E5002", "invalid-cast-at-run-time"),
    ("E6001", "io-error"), ("P1001", "source-encoding"), ("P1002", "unexpected-token"),
    ("P1003", "unknown-character"), ("P1004", "number-literal"), ("P1005", "string-escape"),
    ("P1006", "foreign-syntax"), ("P1007", "too-deeply-nested"), ("P1008", "cannot-be-set"),
    ("P1009", "chained-comparison"), ("P1010", "misplaced-part"), ("P1011", "lower-case-name"),
    ("P1012", "negative-literal"), ("P1013", "layout-missing"), ("P1014", "bad-indentation"),
    ("P1015", "unclosed-bracket"), ("P1016", "unclosed-string"), ("P1017", "reserved-word"),
    ("P1018", "mismatched-bracket"), ("P1019", "missing-colon"), ("S3001", "undefined-symbol"),
    ("S3002", "type-mismatch"), ("S3003", "trait-not-implemented"), ("S3004", "invalid-cast"),
    ("S3005", "concurrency-misuse"), ("S3006", "argument-count"), ("S3007", "field-list"),
    ("S3008", "match-not-exhaustive"), ("S3009", "use-after-move"), ("S3010", "change-through-borrow"),
    ("S3011", "constant-set"), ("S3012", "not-visible"), ("S3013", "ambiguous-call"), ("S3014", "missing-import"),
    ("S3015", "duplicate-declaration"), ("S3016", "cyclic-initialisation"), ("S3017", "value-and-nothing-returned"),
    ("S3018", "outside-loop"), ("S3019", "not-supported-yet"), ("S3020", "type-not-inferred"),
    ("S3021", "name-not-in-all-patterns"), ("W2001", "unused-variable"), ("W2002", "unreachable-code"),
    ("W2003", "shadowing"), ("W2004", "symbol-operator"), ("W2005", "variant-look-alike"),
    ("W2006", "result-ignored"),
    ("W2007", "main-called"),
    ("W2008", "nothing-runs"),
)  # fmt: skip


def test_numbers_never_change() -> None:
    assert [(code.number, code.name) for code in sorted(REGISTRY.values(), key=lambda c: c.number)] == list(KNOWN)


def test_distances_are_the_same_whatever_the_limit() -> None:
    """What ends the count early (letters that only one name has, a row that is all too far) never changes a result."""
    names = ["", "A", "AB", "BA", "ABC", "ACB", "BAC", "CAB", "BADC", "AXBC", "X1", "X2", "TOTAL", "TOTLA"]
    for a in names:
        for b in names:
            whole = distance(a, b, 99)
            assert whole == distance(b, a, 99)
            for limit in (1, 2, 3):
                assert distance(a, b, limit) == min(whole, limit + 1), (a, b, limit)
