"""What `-g` tells debuggers: lines, functions, variables and their types; in gdb itself where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nxdc.codegen.debugscopes import visible_lines
from nxdc.codegen.target import ParsedModule
from nxdc.driver import Compilation, Options, compile_until, emit
from nxdc.source.span import Span
from nxdc.source.text import SourceFile

PROGRAM = """\
TYPE COLOR ENUM { RED, GREEN, BLUE }
TYPE POINT { X: int, Y: float, ON: bool }
TYPE SHAPE UNION { CIRCLE(float), RECT(POINT, POINT), DOT }
TYPE NODE { NAME: string, NEXT: OPTION<NODE> }
LET TOTAL SET 5
LET NAMES SET ["a", "b"]

FUNC TWICE(A: int, B: int): int:
    LET C SET A ADD B
    A SET C MUL 2
    RETURN A

FUNC MAIN():
    LET TEXT SET "h\u00e9llo"
    LET P SET POINT { X: 1, Y: 2.5, ON: true }
    LET HUE SET GREEN
    LET SH SET RECT(P, P)
    LET N SET NODE { NAME: "n", NEXT: NONE }
    LET XS SET [1, 2, 3]
    LET ANYTHING: any SET 7
    LET MAYBE SET NONE
    IF HUE EQ GREEN: MAYBE SET P
    LET COUNT SET 0
    LET F SET fn(Q: int): int:
        COUNT SET COUNT ADD Q
        RETURN COUNT
    LOOP I IN XS:
        TOTAL SET TOTAL ADD I
    LOOP I IN NAMES:
        PRINTLN(I)
    PRINTLN(F(3))
    PRINTLN(TWICE(3, 4))
    PRINTLN(TEXT)
    PRINTLN("" ADD P ADD HUE ADD SH ADD N ADD XS ADD ANYTHING ADD COUNT ADD TOTAL ADD MAYBE)
"""

DOCUMENT = """\
# Words

```nxd
FUNC DOUBLE(A: int): int:
    RETURN A MUL 2
```

More words.

```nxd
FUNC MAIN():
    PRINTLN(DOUBLE(4))
```
"""


def line_of(text: str, source: str = PROGRAM) -> int:
    """The first line that holds a text."""
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def compilation(folder: Path, text: str, name: str, level: int, *, debug: bool = True) -> Compilation:
    """A program in a file of its own."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return Compilation(Options((str(path),), level, None, debug))


def llvm(folder: Path, level: int, *, debug: bool = True) -> str:
    """What LLVM gets at level 0, what it makes of it at others."""
    text = emit(compilation(folder, PROGRAM, "prog.nxd", level, debug=debug), "llvm")
    assert isinstance(text, str)
    return text


# ---- without a debugger ---------------------------------------------------------------------------------------------


def test_names_of_the_source_are_variables(tmp_path: Path) -> None:
    text = llvm(tmp_path, 0)
    found = re.findall(r'!DILocalVariable\(name: "(\w+)", (?:arg: (\d), )?scope: !\d+, file: !\d+, line: (\d+)', text)
    lines = {(name, number): int(line) for name, number, line in found}
    assert lines["A", "1"] == lines["B", "2"] == line_of("FUNC TWICE")
    for name in ("C", "TEXT", "P", "HUE", "SH", "N", "XS", "ANYTHING", "MAYBE", "COUNT", "F"):
        assert lines[name, ""] == line_of(f"    LET {name} ".replace("ANYTHING ", "ANYTHING:")), name
    assert sorted(int(line) for name, _, line in found if name == "I") == [line_of("IN XS"), line_of("IN NAMES")]
    assert {name for name, _, _ in found} == {*"ABCFINPQ", "TEXT", "HUE", "SH", "XS", "ANYTHING", "MAYBE", "COUNT"}
    assert re.findall(r'!DIGlobalVariable\(name: "(\w+)"', text) == ["TOTAL", "NAMES"]


def test_types_of_the_source_are_types(tmp_path: Path) -> None:
    text = llvm(tmp_path, 0)
    for name in ("POINT", "SHAPE", "NODE", "string", "LIST<int>", "OPTION<NODE>", "fn(int): int"):
        assert f'!DICompositeType(tag: DW_TAG_structure_type, name: "{name}"' in text, name
    assert '!DICompositeType(tag: DW_TAG_enumeration_type, name: "COLOR"' in text
    assert '!DIEnumerator(name: "BLUE", value: 2)' in text
    assert re.search(r'DW_TAG_member, name: "ON", baseType: !\d+, size: 8, offset: 192', text)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_llvm_keeps_the_information(tmp_path: Path, level: int) -> None:
    """LLVM throws debug information away, with no more than a word on stderr, where it finds a mistake in it."""
    text = llvm(tmp_path, 0) if level == 0 else llvm(tmp_path, level)
    kept = str(ParsedModule(text, level).module)
    assert "DISubprogram" in kept and "#dbg_" in kept
    assert "distinct !DICompileUnit" in kept


@pytest.mark.parametrize("level", [0, 2])
def test_nothing_of_it_without_the_option(tmp_path: Path, level: int) -> None:
    text = llvm(tmp_path, level, debug=False)
    assert "!dbg" not in text and "#dbg" not in text and "DILo" not in text and "frame-pointer" not in text


@pytest.mark.parametrize("level", [0, 2])
def test_symbols_without_the_option(tmp_path: Path, level: int) -> None:
    """perf and valgrind name functions by the symbol table."""
    text = "FUNC DEEP(N: int): int:\n    IF N LT 2: RETURN N\n    RETURN DEEP(N SUB 1) ADD DEEP(N SUB 2)\n"
    text += "FUNC MAIN():\n    PRINTLN(DEEP(LEN(ARGS()) ADD 20))\n"
    made = emit(compilation(tmp_path, text, "prog.nxd", level, debug=False), "asm")
    assert isinstance(made, str) and re.search(r"^prog\.DEEP:", made, re.MULTILINE)


def test_lines_that_see_a_declaration() -> None:
    source = (
        "FUNC F():\n    LET X SET 1\n    IF A:\n        LET X SET 2\n\n  # note\n        PRINT(X)\n    LOOP X IN L:\n"
        "        PRINT(X)\n    PRINT(X)\nFUNC G():\n    RETURN NONE\n"
    )
    file = SourceFile("f.nxd", source)

    def lines(number: int) -> tuple[int, int]:
        start = file.line_starts[number - 1]
        return visible_lines(Span(file, start, start))

    assert lines(2) == (2, 10)
    assert lines(4) == (4, 7)
    assert lines(8) == (8, 9)
    assert lines(12) == (12, 12)


def test_optimised_clean_up_belongs_to_no_line(tmp_path: Path) -> None:
    """LLVM moves it, even in front of what the line does; gdb stops at the lowest address of a line."""
    text = llvm(tmp_path, 2)
    places = set(re.findall(r"call void @nxd_drop\(.*, !dbg (!\d+)", text))
    lines = dict(re.findall(r"^(!\d+) = !DILocation\(line: (\d+)", text, re.MULTILINE))
    assert places and {lines.get(place, "0") for place in places} == {"0"}


# ---- with gdb -------------------------------------------------------------------------------------------------------

Gdb = Callable[..., str]


def _gdb(*arguments: str) -> str:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "DEBUGINFOD_URLS": ""}
    command = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex", "set width 0", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
    return done.stdout


@pytest.fixture(scope="module")
def usable_gdb() -> None:
    """gdb may be missing, or not be allowed to trace processes."""
    if shutil.which("gdb") is None or "exited normally" not in _gdb("-ex", "run", shutil.which("true") or "true"):
        pytest.skip("no gdb that runs programs")


@pytest.fixture(scope="module")
def gdb(usable_gdb: None, tmp_path_factory: pytest.TempPathFactory) -> Gdb:
    """Build a program and give gdb commands for it."""
    built: dict[tuple[str, int], Path] = {}

    def run(*commands: str, text: str = PROGRAM, name: str = "prog.nxd", level: int = 0) -> str:
        program = built.get((name, level))
        if program is None:
            folder = tmp_path_factory.mktemp("gdb")
            made = compilation(folder, text, name, level)
            assert compile_until(made, "link")
            program = built[name, level] = folder / "prog"
            program.write_bytes(made["link"])
            program.chmod(0o755)
        return _gdb(*(part for command in commands for part in ("-ex", command)), str(program))

    return run


def test_values_of_all_kinds(gdb: Gdb) -> None:
    out = gdb(
        f"break prog.nxd:{line_of('PRINTLN(TEXT)')}", "run", "print TEXT.data", "print *P", "print HUE", "print *SH",
        "print *SH.RECT._0", "print N.NAME.data", "print N.NEXT.tag", "print *XS.data@XS.length",
        "print ANYTHING.number", "print COUNT", "print TOTAL", "print NAMES.data[1].data", "print *MAYBE.value",
        "ptype XS",
    )  # fmt: skip
    assert f"prog.MAIN () at prog.nxd:{line_of('PRINTLN(TEXT)')}" in re.sub(r"/\S*/", "", out)
    shown = [line.partition(" = ")[2] for line in out.splitlines() if line.startswith("$")]
    assert re.fullmatch(r'0x\w+ (<.*> )?"h\u00e9llo"', shown[0])
    assert shown[1:3] == ["{X = 1, Y = 2.5, ON = true}", "GREEN"]
    assert shown[3].startswith("{tag = RECT, {CIRCLE = ")
    assert shown[4] == "{X = 1, Y = 2.5, ON = true}"
    assert shown[5].endswith('"n"') and shown[6:11] == ["NONE", "{1, 2, 3}", "7", "3", "11"]
    assert shown[11].endswith('"b"') and shown[12] == shown[1]
    assert "type = struct LIST<int> {" in out


def test_parameters_stack_and_steps(gdb: Gdb) -> None:
    out = gdb("break prog.TWICE", "run", "backtrace", "next", "next", "info locals", "print A", "finish")
    assert "prog.TWICE (A=3, B=4) at " in out
    assert re.search(r"#1 .* in prog\.MAIN \(\) at .*prog\.nxd:" + str(line_of("TWICE(3, 4)")), out)
    assert f"\n{line_of('A SET C')}\t" in out and f"\n{line_of('RETURN A')}\t" in out
    assert "\nC = 7\n" in out and "$1 = 14" in out


def test_step_goes_into_functions(gdb: Gdb) -> None:
    out = gdb(f"break {line_of('TWICE(3, 4)')}", "run", "step", "info args")
    assert re.search(rf"^prog\.TWICE \(A=3, B=4\) at .*prog\.nxd:{line_of('LET C')}$", out, re.MULTILINE)
    assert "A = 3\nB = 4\n" in out


def test_module_level_code_and_lambdas(gdb: Gdb) -> None:
    out = gdb(f"break {line_of('LET NAMES')}", f"break {line_of('COUNT SET COUNT')}", "run", "print TOTAL", "c", "bt")
    assert f"prog.start-up () at prog.nxd:{line_of('LET NAMES')}" in re.sub(r"/\S*/", "", out).replace("_", "-")
    assert "$1 = 5" in out
    assert re.search(r"prog\.MAIN\.fn1 \(Q=3\) at ", out)


def test_a_name_declared_twice(gdb: Gdb) -> None:
    out = gdb(
        f"break {line_of('TOTAL ADD I')}", f"break {line_of('PRINTLN(I)')}", "run", "print I", "delete 1", "c",
        "print I.data",
    )  # fmt: skip
    assert "$1 = 1\n" in out
    assert re.search(r'\$2 = .*"a"', out)


def test_what_is_gone_is_not_shown(gdb: Gdb) -> None:
    out = gdb(f"break {line_of('ADD HUE')}", "run", "print TEXT", "print P.X")
    assert "$1 = (struct string *) 0x0" in out and "$2 = 1" in out


def test_literate_sources(gdb: Gdb) -> None:
    line = line_of("RETURN A", DOCUMENT)
    out = gdb(f"break doc.md:{line}", "run", "bt", text=DOCUMENT, name="doc.md")
    assert re.search(rf"doc\.DOUBLE \(A=4\) at .*doc\.md:{line}\n{line}\t    RETURN A MUL 2\n", out)
    assert re.search(rf"#1 .* in doc\.MAIN \(\) at .*doc\.md:{line_of('DOUBLE(4)', DOCUMENT)}", out)


def test_optimised_code(gdb: Gdb) -> None:
    out = gdb(f"break {line_of('PRINTLN(I)')}", "run", "bt", "print I.data", "print *P", level=2)
    assert re.search(rf"prog\.MAIN \(\) at .*prog\.nxd:{line_of('PRINTLN(I)')}", out)
    assert re.search(r'\$1 = .*"a"', out)
    assert "$2 = {X = 1, Y = 2.5, ON = true}" in out
