"""Mistakes: one each, at its place, without followers."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from nxdc.diagnostics.codes import REGISTRY
from tests.unit.check_helpers import check, codes_of

CHECK = Path(__file__).parents[2] / "nxdc" / "check"


def test_every_wording_used_is_registered() -> None:
    """Wordings are picked by key; a wrong key would only show when a user makes that mistake."""
    for path in sorted(CHECK.glob("*.py")):
        for number, wording in re.findall(r"codes\.([SWP]\d{4}),\s*\"(\w+)\"", path.read_text(encoding="utf-8")):
            assert wording in REGISTRY[number].wordings, f"{path.name}: {number} has no wording {wording}"


def test_every_placeholder_is_given() -> None:
    """The arguments of a report, where they stand in the call itself."""
    call = re.compile(r"codes\.([SWP]\d{4}),\s*\"(\w+)\",(.*?)\)\s*(?:#.*)?\n\s*(?=\S)", re.DOTALL)
    for path in sorted(CHECK.glob("*.py")):
        for number, wording, rest in call.findall(path.read_text(encoding="utf-8")):
            if "**" in rest and "**names.suggest" not in rest and "**extra" not in rest:
                continue
            template = REGISTRY[number].wordings[wording]
            wanted = {name for _, name, _, _ in string.Formatter().parse(template) if name}
            given = set(re.findall(r"\b(\w+)=", rest))
            assert wanted <= given, f"{path.name}: {number} {wording} lacks {wanted - given}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PRINTLN(UNKNOWN ADD 1)\n", [("S3001", 1)]),
        ("LET X SET UNKNOWN\nPRINTLN(X.A.B[1] ADD X)\n", [("S3001", 1)]),
        ("LET X: NOPE SET 1\nPRINTLN(X ADD 1)\n", [("S3001", 1)]),
        ("FUNC F(X: int): int: RETURN X\nPRINTLN(F(1, 2))\n", [("S3006", 2)]),
        ("LET L SET [1]\nPUSH L, \"a\"\nPRINTLN(L)\n", [("S3002", 2)]),
        ("LET M SET MAP<LIST<int>, int> {}\nPRINTLN(M)\n", [("S3002", 1)]),
        ("FUNC F(N: int):\n    RETURN F(N SUB 1)\nPRINTLN(F(1))\n", [("S3020", 1)]),
        ("FUNC F(X):\n    RETURN F([X])\nPRINTLN(F(1))\n", [("S3020", 1)]),
        ("FUNC F(X):\n    RETURN NOPE(X)\n", [("S3001", 2)]),
        ("FUNC F(X):\n    RETURN X.NOPE\n", []),
        ("PRINTLN(F())\nLET A SET 1\nFUNC F(): int: RETURN A\n", [("S3016", 1)]),
        ("TRAIT A { FUNC F(X): int }\nTYPE T IMPLEMENTS A { V: int }\nPRINTLN(T(1))\n", [("S3003", 2)]),
        ("IF 1 EQ 1.5: PRINTLN(1)\n", []),
        ("LET O SET SOME(1)\nPRINTLN(O ADD 1)\n", [("S3002", 2)]),
        ("CONST K SET 1\nK SET 2\n", [("S3011", 2)]),
        ("LET F SET fn(X: int) => X\nPRINTLN(F(\"a\"))\n", [("S3002", 2)]),
        ("LET CH SET CHANNEL<int>()\nSEND \"a\" TO CH\n", [("S3002", 2)]),
        ("SEND 1 TO 5\n", [("S3005", 1)]),
        ("FUNC F(): int:\n    LOOP:\n        PRINTLN(1)\nPRINTLN(F())\n", []),
        ("FUNC F(): int:\n    LOOP:\n        BREAK\nPRINTLN(F())\n", [("S3017", 1)]),
    ],
)  # fmt: skip
def test_one_mistake_gives_one_report(tmp_path: Path, text: str, expected: list[tuple[str, int]]) -> None:
    found = [c for c in codes_of(tmp_path, text) if c[0][0] != "W"]
    assert found == expected


def test_independent_errors_come_in_source_order(tmp_path: Path) -> None:
    text = (
        'FUNC B(): int: RETURN "x"\nFUNC A(X):\n    RETURN X.NOPE\nTYPE P { V: int }\nPRINTLN(A(P(1)))\nPRINTLN(NOPE)\n'
    )
    assert codes_of(tmp_path, text) == [("S3002", 1), ("S3007", 3), ("S3001", 6)]


def test_a_template_error_shows_the_call(tmp_path: Path) -> None:
    _, sink = check(tmp_path, "FUNC A(X):\n    RETURN X.NOPE\nTYPE P { V: int }\nPRINTLN(A(P(1)))\n")
    (found,) = sink.diagnostics()
    assert [label.span.line for label in found.secondary if "called here" in label.text] == [4]


def test_missing_import_has_a_fix(tmp_path: Path) -> None:
    text = "MODULE a.one\nFUNC HELP(): int: RETURN 1\nMODULE app.main\nFUNC MAIN():\n    PRINTLN(HELP())\n"
    _, sink = check(tmp_path, text)
    (found,) = sink.diagnostics()
    assert found.code.number == "S3014"
    assert found.fixes[0].edits[0].text == "\nIMPORT a.one"


def test_all_errors_are_shown_however_many(tmp_path: Path) -> None:
    text = "".join(f"PRINTLN(MISSING_{n})\n" for n in range(300))
    assert codes_of(tmp_path, text) == [("S3001", n + 1) for n in range(300)]
