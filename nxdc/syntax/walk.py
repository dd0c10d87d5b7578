"""Walking a syntax tree without knowing its node classes, and reading dotted names."""

from __future__ import annotations

from collections.abc import Iterator

from nxdc.syntax.ast import Expr, Field, NameRef, Node


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in the order of its fields."""
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            for part in value:
                if isinstance(part, Node):
                    yield part


def descend(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents before children, in order. Does not recurse."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))


_PLACES = frozenset(("span", "op_span", "header"))


def same_tree(left: object, right: object) -> bool:
    """Whether two trees are equal but for the places of their nodes. Does not recurse."""
    stack: list[tuple[object, object]] = [(left, right)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Node):
            if type(a) is not type(b):
                return False
            stack += [(getattr(a, f), getattr(b, f)) for f in a._fields if f not in _PLACES]
        elif isinstance(a, tuple):
            if not isinstance(b, tuple) or len(a) != len(b):
                return False
            stack += zip(a, b, strict=True)
        elif type(a) is not type(b) or (a != b and not (a != a and b != b)):
            return False
    return True


def dotted(node: Expr) -> list[str] | None:
    """The words of `a.b.c`; None for anything else."""
    words: list[str] = []
    while isinstance(node, Field):
        words.append(node.name.text)
        node = node.base
    if not isinstance(node, NameRef):
        return None
    words.append(node.name)
    return words[::-1]
