"""A logical line as a tree: its tokens, with everything between two brackets as one group of items."""

from __future__ import annotations

from nxdc.source.record import MutableRecord
from nxdc.syntax.format.lines import Comment, Piece

_CLOSERS = {"LPAREN": "RPAREN", "LBRACKET": "RBRACKET", "LBRACE": "RBRACE", "TLT": "TGT"}
_COMPLETE = frozenset(
    ("NAME", "NONEW", "RPAREN", "RBRACKET", "RBRACE", "TGT", "INT", "FLOAT", "STRING", "TRUE", "FALSE")
)


class Item(MutableRecord):
    """What stands between two commas (or, in the braces of a declaration, between two line breaks)."""

    nodes: list[Node]
    comments: list[Comment]  # on lines of their own before it
    behind: str  # a comment behind it


class Group(MutableRecord):
    """Brackets with their items."""

    open: Piece
    items: list[Item]
    close: Piece
    forced: bool  # it stays on several lines
    last_comments: list[Comment]  # on lines of their own before the closing bracket
    behind_open: str  # a comment behind the opening bracket


Node = Piece | Group


def build_tree(pieces: list[Piece]) -> list[Node]:
    """The nodes of a logical line."""
    nodes: list[Node] = []
    stack: list[tuple[list[Node], Group]] = []
    for piece in pieces:
        if piece.kind in _CLOSERS:
            behind = piece.behind.text if piece.behind else ""
            group = Group(piece, [], piece, bool(behind), [], behind)
            nodes.append(group)
            stack.append((nodes, group))
            nodes = []
        elif stack and piece.kind == _CLOSERS[stack[-1][1].open.kind]:
            outer, group = stack.pop()
            group.close = piece
            _finish(group, nodes)
            nodes = outer
        else:
            nodes.append(piece)
    return nodes


def _finish(group: Group, nodes: list[Node]) -> None:
    """Cut the content of a group into items and decide whether it stays on several lines."""
    item: list[Node] = []
    pending: list[Comment] = []
    for node in nodes:
        first = node if isinstance(node, Piece) else node.open
        if group.open.kind == "LBRACE" and item and _starts_item(item[-1], first):
            _close_item(group, item, pending, None)
            item = []
        pending = [*pending, *first.before] if item else first.before
        if first.kind == "COMMA":
            _close_item(group, item, pending, first)
            item = []
        else:
            item.append(node)
    if item:
        _close_item(group, item, pending, None)
    group.last_comments = group.close.before
    first_inner = nodes[0] if nodes else None
    opened = first_inner if isinstance(first_inner, Piece) else first_inner.open if first_inner else None
    if group.open.kind == "TLT":
        return
    broken = opened is not None and opened.broken
    commented = any(i.comments or i.behind for i in group.items) or bool(group.last_comments)
    group.forced = group.forced or broken or commented


def _starts_item(before: Node, piece: Piece) -> bool:
    """Whether a new field, variant or function starts though no comma stands before it."""
    kind = before.kind if isinstance(before, Piece) else before.close.kind
    return piece.kind in ("NAME", "FUNC") and kind in _COMPLETE


def _close_item(group: Group, nodes: list[Node], comments: list[Comment], comma: Piece | None) -> None:
    behind = comma.behind if comma is not None else None
    if nodes:
        last = nodes[-1] if isinstance(nodes[-1], Piece) else nodes[-1].close
        behind = behind or last.behind
    group.items.append(Item(nodes, comments, behind.text if behind else ""))
