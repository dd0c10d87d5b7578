"""The syntax tree as text, for `--emit ast`: one node a line, children indented, fields named where they are not
obvious.

    Module core.types
      TypeDecl JOB                                @2:1
        StructBody                                @2:10
          FieldDecl ID                            @3:5

Stable: the same source gives the same text. Places are line and column of the node's first character.
"""

from __future__ import annotations

from nxdc.syntax import ast
from nxdc.syntax.ast import Node

_PLACE_COLUMN = 60
_SKIPPED = frozenset(("span", "op_span", "header"))


def dump_module(module: ast.Module) -> str:
    """The text of one module, with a line break at its end."""
    name = ".".join(part.text for part in module.path) or "(named after the file)"
    out = [f"Module {name}"]
    for item in module.items:
        _dump(item, 1, "", out)
    return "\n".join(out) + "\n"


def dump_node(node: Node) -> str:
    """The text of any node."""
    out: list[str] = []
    _dump(node, 0, "", out)
    return "\n".join(out) + "\n"


def _dump(node: Node, depth: int, role: str, out: list[str]) -> None:
    words, nested = _parts(node)
    head = "  " * depth + (f"{role}: " if role else "") + " ".join([type(node).__name__, *words])
    line, column = node.span.file.position(node.span.start)
    out.append(f"{head:<{_PLACE_COLUMN}} @{line}:{column}")
    roles = len(nested) > 1 or (nested and not isinstance(nested[0][1], tuple))
    for field, value in nested:
        if isinstance(value, Node):
            _dump(value, depth + 1, field if roles else "", out)
            continue
        for part in value:
            _dump(part, depth + 1, field if roles else "", out)


def _parts(node: Node) -> tuple[list[str], list[tuple[str, Node | tuple[Node, ...]]]]:
    """What stands on the node's own line, and what stands below it."""
    words: list[str] = []
    nested: list[tuple[str, Node | tuple[Node, ...]]] = []
    for field in node._fields:
        value = getattr(node, field)
        if field in _SKIPPED or value is None:
            continue
        if isinstance(value, ast.Name):
            words.append(value.text)
        elif isinstance(value, ast.Visibility):
            words.append(value.word)
        elif field == "path" or (field in ("names", "members") and value):
            words.append(_joined(field, value))
        elif isinstance(value, (Node, tuple)):
            if value != ():
                nested.append((field, value))
        elif isinstance(value, bool) and not isinstance(node, ast.BoolLit):
            words += [field] if value else []
        else:
            words.append(_literal(node, value))
    return words, nested


def _joined(field: str, names: tuple[ast.Name, ...]) -> str:
    return ("." if field == "path" else ", ").join(name.text for name in names)


def _literal(node: Node, value: object) -> str:
    if isinstance(node, (ast.StringLit, ast.FloatLit, ast.IntLit)):
        return repr(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
