"""The prelude tables agree with the C runtime and with themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nxdc.tables.errors import BY_CODE
from nxdc.tables.gen_header import HEADER, header_text, split_signature
from nxdc.tables.model import Prelude
from nxdc.tables.prelude import ROWS

RUNTIME = Path(__file__).resolve().parents[2] / "runtime_c"
C_SOURCE = "\n".join(path.read_text() for path in sorted((RUNTIME / "src").rglob("*.c")))
PUBLIC = [row for row in ROWS if not row.hidden]


def _ids(row: Prelude) -> str:
    return f"{row.name}{row.signature}"


def test_generated_header_is_up_to_date() -> None:
    """`make gen` leaves the committed header as it is."""
    assert HEADER.read_text() == header_text()


def test_overloads_are_distinct() -> None:
    """No two rows of one name take the same parameter types."""
    seen = [(row.name, tuple(kind for _, kind in split_signature(row.signature)[1])) for row in ROWS]
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("row", ROWS, ids=_ids)
def test_row_is_consistent(row: Prelude) -> None:
    """Parameters that a row names exist, its codes are known, and its C function or NXD source is there."""
    _, parameters, _ = split_signature(row.signature)
    names = {name for name, _ in parameters}
    assert {*row.takes, *row.transfers, *row.changes} <= names
    assert set(row.raises) <= set(BY_CODE)
    if row.c is not None:
        assert re.search(rf"\b{row.c}\([^;{{]*\)\s*\{{", C_SOURCE), f"{row.c} is not defined"
    if row.nxd is not None:
        assert row.nxd.startswith(f"FUNC {row.name}")


@pytest.mark.parametrize("row", PUBLIC, ids=_ids)
def test_row_is_documented(row: Prelude) -> None:
    """One sentence and an example that names the function."""
    assert row.doc.endswith(".")
    assert re.search(rf"\b{row.name}\(", row.example)
