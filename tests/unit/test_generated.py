"""Generated files are current: what `make gen` would write is what stands in the tree."""

from __future__ import annotations

import importlib.util

from tests.unit.tree import ROOT


def test_prelude_reference_is_current() -> None:
    spec = importlib.util.spec_from_file_location("gen_prelude", ROOT / "docs" / "gen_prelude.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "prelude.md").read_text(encoding="utf-8") == module.page(), "run `make gen`"
