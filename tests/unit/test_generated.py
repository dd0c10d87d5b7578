"""Generated files are current: what `make gen` would write is what stands in the tree."""

from __future__ import annotations

from tests.unit.tree import ROOT, load_script


def test_prelude_reference_is_current() -> None:
    page = load_script(ROOT / "docs" / "gen_prelude.py").page()
    assert (ROOT / "docs" / "prelude.md").read_text(encoding="utf-8") == page, "run `make gen`"
