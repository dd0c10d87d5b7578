"""Walking a syntax tree without knowing its node classes."""

from __future__ import annotations

from collections.abc import Iterator

from nxdc.syntax.ast import Node


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
