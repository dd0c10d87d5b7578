"""The installed package is complete: every package of the tree is listed, data files travel with it."""

from __future__ import annotations

import re

from tests.unit.tree import PACKAGE, ROOT


def _listed() -> set[str]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^packages = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert block is not None
    return set(re.findall(r'"([^"]+)"', block[1]))


def test_every_package_is_listed() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts}
    found = {".".join(folder.relative_to(ROOT).parts) for folder in folders}
    assert found == _listed() - {"nxdc._runtime"}


def test_packages_have_their_init() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []
