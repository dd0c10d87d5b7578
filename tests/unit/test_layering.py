"""The import directions of the compiler and the include directions of the runtime, as docs/design.md gives them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.tree import PACKAGE, RUNTIME, c_files, python_files, shown

# A layer imports only itself and what stands before it.
LAYERS = (
    "source",
    "diagnostics",
    "tables",
    "syntax",
    "modules",
    "types",
    "core",
    "check",
    "mir",
    "opt",
    "codegen",
    "link",
    "driver",
    "cli",
)
# Modules of the package itself that belong to no layer: the entry, the version, and the error that any layer may raise.
FREE = {"__init__", "__main__", "problem"}
# A package outside ours, and the only layer that may import it.
OUTSIDE = {"sly": "syntax", "llvmlite": "codegen", "click": "cli"}

C_LAYERS = ("sys", "core", "data", "sched")  # a folder includes only itself and what stands before it


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything a file imports, at any depth; `if TYPE_CHECKING:` counts too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{shown(path)}:{node.lineno}: relative imports hide the layer"
            for name in node.names:
                yield node.lineno, f"{node.module}.{name.name}"


def _layer(dotted: str) -> str | None:
    words = dotted.split(".")
    return words[1] if words[0] == "nxdc" and len(words) > 1 and words[1] in LAYERS else None


def _layer_of_file(path: Path) -> str | None:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return None if first in FREE else first


def test_every_part_of_the_package_is_a_layer() -> None:
    strangers = {_layer_of_file(path) for path in python_files()} - {None} - set(LAYERS)
    assert not strangers


def test_layers_import_upward_only() -> None:
    wrong = []
    for path in python_files():
        here = _layer_of_file(path)
        if here is None:
            continue
        for line, dotted in _imports(path):
            there = _layer(dotted)
            if there is not None and LAYERS.index(there) > LAYERS.index(here):
                wrong.append(f"{shown(path)}:{line}: {here} imports {there}")
    assert not wrong, "\n".join(wrong)


def test_outside_packages_stay_in_their_layer() -> None:
    wrong = []
    for path in python_files():
        for line, dotted in _imports(path):
            home = OUTSIDE.get(dotted.split(".")[0])
            if home is not None and _layer_of_file(path) != home:
                wrong.append(f"{shown(path)}:{line}: {dotted} belongs to {home}")
    assert not wrong, "\n".join(wrong)


def test_mir_definitions_do_not_import_the_lowering() -> None:
    wrong = []
    for path in (PACKAGE / "mir").glob("*.py"):
        wrong += [shown(path) for _line, dotted in _imports(path) if dotted.startswith("nxdc.mir.lower")]
    assert not wrong


def test_only_the_command_line_prints() -> None:
    wrong = []
    for path in python_files():
        if _layer_of_file(path) in ("cli", None) or path.name.startswith("gen_"):
            continue
        calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        prints = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]
        wrong += [f"{shown(path)}:{call.lineno}" for call in prints]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", C_LAYERS)
def test_c_folders_include_downward_only(folder: str) -> None:
    headers = {path.name: path.parent.name for path in c_files() if path.suffix == ".h"}
    wrong = []
    for path in c_files():
        if path.parent.name != folder or path.parent.parent.name != "src":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
            match = re.match(r'\s*#\s*include\s+"(?:.*/)?([^/"]+)"', line)
            home = headers.get(match[1]) if match else None
            if home in C_LAYERS and C_LAYERS.index(home) > C_LAYERS.index(folder):
                wrong.append(f"{shown(path)}:{number}: {folder} includes {match[1] if match else ''} of {home}")
    assert not wrong, "\n".join(wrong)


def test_runtime_headers_have_guards() -> None:
    wrong = []
    for path in RUNTIME.rglob("*.h"):
        text = path.read_text(encoding="utf-8")
        if "#ifndef" not in text and "#pragma once" not in text:
            wrong.append(shown(path))
    assert not wrong
