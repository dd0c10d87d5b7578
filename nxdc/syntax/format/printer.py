"""Lines as text: blanks between tokens, and where a line is broken.

A group stays on one line unless the source breaks the line behind its opening bracket, a comment stands in it, or
the line would be longer than `WIDTH`; then each item gets a line. Outside brackets a line is broken only where the
source breaks it behind an operator.
"""

from __future__ import annotations

from nxdc.syntax.format.groups import Group, Item, Node, build_tree
from nxdc.syntax.format.lines import CodeLine, CommentLine, OutLine, Piece
from nxdc.tables.operators import BY_WORD

WIDTH = 100
STEP = 4

_CALLABLE = frozenset(("NAME", "RPAREN", "RBRACKET", "TGT", "FN", "RBRACE"))
_TIGHT_BEFORE = frozenset(("COMMA", "COLON", "HCOLON", "DOT", "RPAREN", "RBRACKET", "TLT", "TGT", "ELLIPSIS"))
_TIGHT_AFTER = frozenset(("LPAREN", "LBRACKET", "TLT", "DOT"))


def print_lines(lines: list[OutLine]) -> list[str]:
    """The text of some lines, without line breaks. No blank line stands before the first."""
    out: list[str] = []
    before: OutLine | None = None
    for line in lines:
        if line.blank_before and before is not None and not (isinstance(before, CodeLine) and before.opens_block):
            out.append("")
        if isinstance(line, CommentLine):
            out.append(" " * (line.level * STEP) + line.text)
        else:
            out += Printer(line).lines()
        before = line
    return out


class Printer:
    """Prints one logical line."""

    def __init__(self, line: CodeLine) -> None:
        self._declares = line.pieces[0].kind in ("TYPE", "TRAIT", "VIS")
        self._in_where = False
        self._line = line

    def lines(self) -> list[str]:
        """The text of the line, as one or more lines without line breaks."""
        base = self._line.level * STEP
        out = self._lay(build_tree(self._line.pieces), base, base + 2 * STEP)
        if self._line.comment:
            out[-1] += "  " + self._line.comment
        return [(" " * base + out[0]).rstrip(), *(text.rstrip() for text in out[1:])]

    # ---- one line or
    # several

    def _lay(self, nodes: list[Node], indent: int, hang: int) -> list[str]:
        """The nodes as text. The first line comes without its indentation, the others with; `hang` is that of a line
        that goes on behind an operator."""
        exploded = {id(node) for node in nodes if isinstance(node, Group) and _must_explode(node)}
        while True:
            out = self._assemble(nodes, exploded, indent, hang)
            if max(len(text) for text in (" " * indent + out[0], *out[1:])) <= WIDTH:
                return out
            widest = self._widest(nodes, exploded)
            if widest is None:
                return out
            exploded.add(id(widest))

    def _widest(self, nodes: list[Node], exploded: set[int]) -> Group | None:
        groups = [
            node
            for node in nodes
            if isinstance(node, Group) and id(node) not in exploded and node.items and node.open.kind != "TLT"
        ]
        return max(groups, key=lambda g: len(self._flat([g])), default=None)

    def _assemble(self, nodes: list[Node], exploded: set[int], indent: int, hang: int) -> list[str]:
        out = [""]
        before: Node | None = None
        self._in_where = False
        for node in nodes:
            first = node if isinstance(node, Piece) else node.open
            if before is not None:
                behind = _last(before).behind
                if first.broken and (_is_infix(before) or behind is not None or first.before):
                    if behind is not None:
                        out[-1] += "  " + behind.text
                    out += [" " * hang + comment.text for comment in first.before]
                    out.append(" " * hang)
                elif self._blank(before, node):
                    out[-1] += " "
            if isinstance(node, Piece):
                out[-1] += node.text
                self._in_where = self._in_where or node.kind == "WHERE"
            elif id(node) in exploded:
                self._explode(node, out, indent)
            else:
                out[-1] += self._group(node)
            before = node
        return out

    def _explode(self, group: Group, out: list[str], indent: int) -> None:
        """A group with a line for each item."""
        inner = indent + STEP
        out[-1] += group.open.text
        if group.behind_open:
            out[-1] += "  " + group.behind_open
        commas = not (group.open.kind == "LBRACE" and self._declares)
        for index, item in enumerate(group.items):
            out += [" " * inner + comment.text for comment in item.comments]
            text = self._lay(item.nodes, inner, inner + STEP)
            if commas and index + 1 < len(group.items):
                text[-1] += ","
            if item.behind:
                text[-1] += "  " + item.behind
            out += [" " * inner + text[0], *text[1:]]
        out += [" " * inner + comment.text for comment in group.last_comments]
        out.append(" " * indent + group.close.text)

    # ---- on one line

    def _flat(self, nodes: list[Node]) -> str:
        out = ""
        before: Node | None = None
        for node in nodes:
            if before is not None and self._blank(before, node):
                out += " "
            out += node.text if isinstance(node, Piece) else self._group(node)
            before = node
        return out

    def _group(self, group: Group) -> str:
        if not group.items:
            inner = " " if group.open.kind == "LBRACE" and self._declares else ""
            return group.open.text + inner + group.close.text
        content = self._items(group.items, group.open.kind == "TLT")
        pad = " " if group.open.kind == "LBRACE" else ""
        return group.open.text + pad + content + pad + group.close.text

    def _items(self, items: list[Item], bounds: bool) -> str:
        text = ", ".join(self._flat(item.nodes) for item in items)
        if bounds:  # `<T : ORDERED>`
            text = ", ".join(_spaced_colon(self._flat(item.nodes), item.nodes) for item in items)
        return text

    # ---- blanks

    def _blank(self, before: Node, after: Node) -> bool:
        """Whether a blank stands between two neighbours."""
        left = _last(before)
        right = after if isinstance(after, Piece) else after.open
        if right.gap:
            return True
        if right.kind == "COLON" and self._in_where:
            return True
        if left.kind in _TIGHT_AFTER or right.kind in ("COMMA", "COLON", "HCOLON", "DOT", "TLT", "TGT"):
            return False
        if right.kind == "ELLIPSIS":
            return left.kind not in ("NAME", "WILD")
        if right.kind == "LPAREN":
            return left.kind not in _CALLABLE
        if right.kind == "LBRACKET":
            return left.kind not in ("NAME", "RPAREN", "RBRACKET")
        return right.kind not in _TIGHT_BEFORE


def _must_explode(group: Group) -> bool:
    """Whether a group stays on several lines, for its own sake or for that of a group in it."""
    stack: list[Node] = [group]
    while stack:
        node = stack.pop()
        if isinstance(node, Group):
            if node.forced and (node.items or node.last_comments or node.behind_open):
                return True
            for item in node.items:
                stack += item.nodes
    return False


def _last(node: Node) -> Piece:
    return node if isinstance(node, Piece) else node.close


def _is_infix(node: Node) -> bool:
    return isinstance(node, Piece) and node.kind in BY_WORD


def _spaced_colon(text: str, nodes: list[Node]) -> str:
    """`T: A` as `T : A`, when the colon is that of a bound and not of a function type."""
    has_bound = any(isinstance(node, Piece) and node.kind == "COLON" for node in nodes)
    starts_fn = isinstance(nodes[0], Piece) and nodes[0].kind == "FN"
    return text.replace(": ", " : ", 1) if has_bound and not starts_fn else text
