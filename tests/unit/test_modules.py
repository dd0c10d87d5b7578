"""Which modules make a program, and in which order they start."""

from __future__ import annotations

from pathlib import Path

import pytest

from nxdc.diagnostics.sink import Sink
from nxdc.modules.entry import load_program
from nxdc.modules.model import Program
from nxdc.problem import Problem


def _load(folder: Path, files: dict[str, str], *paths: str, entry: str | None = None) -> tuple[Program, list[str]]:
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    sink = Sink()
    program = load_program([str(folder / path) for path in paths], sink, entry=entry)
    return program, [d.code.number for d in sink.diagnostics()]


def _names(program: Program) -> list[str]:
    return [module.name for module in program.modules if module.on_path]


def test_imports_are_found_below_the_folder(tmp_path: Path) -> None:
    files = {"main.nxd": "IMPORT a.b\nPRINTLN(X)\n", "a/b.nxd": "IMPORT c\nLET X SET Y\n", "c.nxd": "LET Y SET 1\n"}
    program, found = _load(tmp_path, files, "main.nxd")
    assert found == []
    assert _names(program) == ["c", "a.b", "main"]
    assert program.entry is None
    assert program.entry_module is None  # the top-level lines of all modules are the program


def test_folder_and_file_given_twice(tmp_path: Path) -> None:
    files = {
        "app/main.nxd": "MODULE app.main\nIMPORT b\nFUNC MAIN():\n    F()\n",
        "b.nxd": "FUNC F():\n    PRINTLN(1)\n",
    }
    program, found = _load(tmp_path, files, ".", "b.nxd")
    assert found == []
    assert _names(program) == ["b", "app.main"]
    assert program.entry is not None


def test_ties_in_order_of_import_and_unreached_modules_last(tmp_path: Path) -> None:
    text = "MODULE z\nLET A SET 1\nMODULE y\nLET B SET 1\nMODULE x\nLET C SET 1\nMODULE app.main\nIMPORT y\nIMPORT z\n"
    program, found = _load(tmp_path, {"m.nxd": text + "FUNC MAIN():\n    PRINTLN(A ADD B)\n"}, "m.nxd")
    assert found == []
    assert [m.name for m in program.modules] == ["y", "z", "app.main", "x"]
    assert [m.on_path for m in program.modules] == [True, True, True, False]


def test_import_cycle_without_start_up_is_legal(tmp_path: Path) -> None:
    text = "MODULE a\nIMPORT b\nFUNC F():\n    G()\nMODULE b\nIMPORT a\nFUNC G():\n    F()\nMODULE app.main\nIMPORT a\n"
    program, found = _load(tmp_path, {"m.nxd": text + "FUNC MAIN():\n    F()\n"}, "m.nxd")
    assert found == []
    assert _names(program)[-1] == "app.main"


def test_in_a_cycle_the_used_module_starts_first(tmp_path: Path) -> None:
    text = "MODULE a\nIMPORT b\nLET X SET Y\nMODULE b\nIMPORT a\nLET Y SET 1\nFUNC G():\n    PRINTLN(X)\n"
    program, found = _load(tmp_path, {"m.nxd": text + "MODULE app.main\nIMPORT b\nFUNC MAIN():\n    G()\n"}, "m.nxd")
    assert found == []
    assert _names(program) == ["b", "a", "app.main"]


def test_cycle_through_a_function_is_found(tmp_path: Path) -> None:
    text = "MODULE a\nIMPORT b\nLET X SET H()\nFUNC H():\n    RETURN Y\nMODULE b\nIMPORT a\nLET Y SET X\n"
    _, found = _load(tmp_path, {"m.nxd": text + "MODULE app.main\nIMPORT b\nFUNC MAIN():\n    PRINTLN(Y)\n"}, "m.nxd")
    assert found == ["S3016"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("IMPORT nowhere\n", ["S3014"]),
        ("MODULE a\nLET X SET 1\nMODULE a\nLET Y SET 1\n", ["S3015"]),
        ("MODULE a\nPUBLIC LET X SET 1\nLET Y SET 1\nMODULE b\nIMPORT a Y\n", ["S3012"]),
        ("MODULE a\nLET X SET 1\nMODULE b\nIMPORT a Z\n", ["S3001"]),
        ("MODULE a\nEXPORT FUNC NONESUCH\nLET X SET 1\n", ["S3001"]),
        ("MODULE a\nFUNC MAIN():\n    A()\nMODULE b\nFUNC MAIN():\n    A()\n", ["S3013"]),
    ],
)
def test_mistakes(tmp_path: Path, text: str, numbers: list[str]) -> None:
    assert _load(tmp_path, {"main.nxd": text}, "main.nxd")[1] == numbers


def test_entry_option(tmp_path: Path) -> None:
    text = "MODULE a\nFUNC MAIN():\n    A()\nMODULE b\nFUNC MAIN():\n    A()\n"
    program, found = _load(tmp_path, {"main.nxd": text}, "main.nxd", entry="b")
    assert found == []
    assert program.entry is not None
    assert program.entry.module.name == "b"
    with pytest.raises(Problem):
        _load(tmp_path, {"main.nxd": text}, "main.nxd", entry="c")


def test_visibility(tmp_path: Path) -> None:
    text = "MODULE a\nPRIVATE FUNC P():\n    A()\nFUNC Q():\n    A()\n"
    text += "MODULE b\nEXPORT TYPE T { X: int }\nLET Y SET 1\nEXPORT Z\nLET Z SET 2\n"
    program, found = _load(tmp_path, {"main.nxd": text}, "main.nxd")
    assert found == []
    a, b = program.by_name["a"], program.by_name["b"]
    assert not a.visible("P")
    assert a.visible("Q")
    assert b.visible("T")
    assert b.visible("Z")
    assert not b.visible("Y")


def test_folder_without_sources(tmp_path: Path) -> None:
    with pytest.raises(Problem):
        load_program([str(tmp_path)], Sink())


def test_encoding_is_reported_not_raised(tmp_path: Path) -> None:
    (tmp_path / "bad.nxd").write_bytes(b'PRINTLN("\xe9")\n')
    sink = Sink()
    load_program([str(tmp_path / "bad.nxd")], sink)
    assert [d.code.number for d in sink.diagnostics()] == ["P1001"]


def test_document_without_program(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("just prose\n")
    sink = Sink()
    load_program([str(tmp_path / "notes.md")], sink)
    assert [d.code.number for d in sink.diagnostics()] == ["P1001"]


DOCUMENT = """# A document

```nxd
MODULE a.b
FUNC F(): int:
    RETURN 41
```

1. in a list

   ```nxd
   MODULE app.main
   IMPORT a.b
   FUNC MAIN():
       PRINTLN(F() ADD 1)
       PRINTLN(F() 1)
   ```glued
"""


def test_literate_document(tmp_path: Path) -> None:
    (tmp_path / "doc.md").write_text(DOCUMENT)
    sink = Sink()
    program = load_program([str(tmp_path / "doc.md")], sink)
    assert _names(program) == ["a.b", "app.main"]
    (found,) = sink.diagnostics()
    assert (found.code.number, found.primary.span.line, found.primary.span.column) == ("P1002", 16, 20)
