"""The source tree: sizes of files, what lies at the top, no traces of one machine."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.unit.tree import ROOT, c_files, python_files, shown

PYTHON_CEILING = 600
# Grammars and lists of node classes may be longer: they are read by looking something up.
PYTHON_EXCEPTIONS = {
    "nxdc/syntax/parser.py": 900,
    "nxdc/syntax/words.py": 900,
    "nxdc/syntax/ast.py": 900,
    "nxdc/mir/ops.py": 700,
}
C_CEILING = 800
GENERATED = {"runtime_c/include/nxd/nxd_abi.gen.h", "runtime_c/include/nxd_abi.gen.h"}
TOP = {
    ".ci",
    ".clang-format",
    ".gitattributes",
    ".github",
    ".gitignore",
    "LICENSE",
    "Makefile",
    "README.md",
    "bench",
    "docs",
    "editors",
    "examples",
    "nxdc",
    "pyproject.toml",
    "runtime_c",
    "tests",
}


def _lines(text: str) -> int:
    return text.count("\n")


def test_python_files_are_of_readable_size() -> None:
    long = []
    for path in python_files(ROOT / "nxdc") + python_files(ROOT / "tests"):
        lines = _lines(path.read_text(encoding="utf-8"))
        if lines > PYTHON_EXCEPTIONS.get(shown(path), PYTHON_CEILING):
            long.append(f"{shown(path)}: {lines} lines")
    assert not long, "\n".join(long)


def test_c_files_are_of_readable_size() -> None:
    long = []
    for path in c_files():
        lines = _lines(path.read_text(encoding="utf-8"))
        if lines > C_CEILING and shown(path) not in GENERATED:
            long.append(f"{shown(path)}: {lines} lines")
    assert not long, "\n".join(long)


def test_modules_say_what_they_are_for() -> None:
    silent = [
        shown(path)
        for path in python_files()
        if path.read_text(encoding="utf-8").strip() and not path.read_text(encoding="utf-8").startswith('"""')
    ]
    assert not silent


def _tracked() -> list[str]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        pytest.skip("git does not list the files")
    return done.stdout.split("\n")[:-1]


def test_nothing_unexpected_at_the_top() -> None:
    assert {name.split("/")[0] for name in _tracked()} <= TOP


def test_no_build_results_are_kept() -> None:
    wrong = [name for name in _tracked() if name.endswith((".o", ".pyc", ".so", ".a")) or "__pycache__" in name]
    assert not wrong
