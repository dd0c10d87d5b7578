"""Walks the typed core without naming every class: the parts of a node, in order of evaluation.

Which fields of a class hold parts is read from its annotations once. Names (`Local`, `Global`), callees
(`CoreFunction`), types, spans and the loops that BREAK and CONTINUE leave are not parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nxdc.core import tree as core
from nxdc.source.record import Record
from nxdc.types.model import NeverType

_ONE = ("Expr", "Expr | None", "Pattern", "Pattern | None")
_MANY = ("Expr", "Stmt", "Pattern", "Case", "Catch", "ExprCatch", "SelectCase")
_tables: dict[type, tuple[tuple[str, str], ...]] = {}


def _table(cls: type) -> tuple[tuple[str, str], ...]:
    """Field names with how they hold parts: "one", "many", "second" (of pairs) or "pairs"."""
    fields: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        fields.update(vars(base).get("__annotations__", {}))
    found: list[tuple[str, str]] = []
    for name, kind in fields.items():
        if kind in _ONE:
            found.append((name, "one"))
        elif kind in tuple(f"list[{part}]" for part in _MANY) or kind == "list[Stmt] | None":
            found.append((name, "many"))
        elif kind in ("list[tuple[int, Pattern]]", "list[tuple[str, Pattern]]"):
            found.append((name, "second"))
        elif kind == "list[tuple[Expr, Expr]]":
            found.append((name, "pairs"))
    return tuple(found)


def parts(node: Record) -> Iterator[Any]:
    """The nodes directly inside a node."""
    cls = type(node)
    table = _tables.get(cls)
    if table is None:
        table = _tables[cls] = _table(cls)
    for name, kind in table:
        value = getattr(node, name)
        if kind == "one":
            if value is not None:
                yield value
        elif kind == "many":
            yield from value or ()
        elif kind == "second":
            for _, part in value:
                yield part
        else:
            for first, second in value:
                yield first
                yield second


def everything(node: Record) -> Iterator[Any]:
    """A node and all nodes below it."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(parts(current))


def all_parts(body: list[core.Stmt]) -> Iterator[Any]:
    """All nodes of a body."""
    for statement in body:
        yield from everything(statement)


def never_yields(value: core.Expr) -> bool:
    """Whether evaluating an expression leaves for certain."""
    return isinstance(value.type, NeverType) or (isinstance(value, core.CallPrelude) and value.row.diverges)
