"""Short ways to parse in tests: trees as text with every bracket written out."""

from __future__ import annotations

from nxdc.diagnostics.sink import Sink
from nxdc.source.text import SourceFile
from nxdc.syntax import ast
from nxdc.syntax.parser import parse_file


def parse(source: str) -> tuple[ast.SourceUnit, Sink]:
    """The tree of a source text and what was found wrong."""
    sink = Sink()
    return parse_file(SourceFile("main.nxd", source), sink), sink


def clean(source: str) -> ast.SourceUnit:
    """The tree of a text without mistakes."""
    tree, sink = parse(source)
    assert not sink.diagnostics(), [(d.code.number, d.message, d.primary.span) for d in sink.diagnostics()]
    return tree


def items(source: str) -> tuple[ast.Item, ...]:
    """The items of a text that is one module without mistakes."""
    (module,) = clean(source).modules
    return module.items


def codes_of(source: str) -> list[str]:
    """The numbers of what is wrong, in order."""
    return [d.code.number for d in parse(source)[1].diagnostics()]


def expression(source: str) -> str:
    """An expression with all its brackets."""
    (item,) = items(f"PROBE SET {source}\n")
    assert isinstance(item, ast.Assign)
    return show(item.value)


def show(node: object) -> str:
    """An expression or type as text, with brackets around everything that an operator makes."""
    match node:
        case ast.NameRef(_, name):
            return name
        case ast.IntLit(_, value) | ast.FloatLit(_, value):
            return str(value)
        case ast.StringLit(_, value):
            return f'"{value}"'
        case ast.Binary(_, op, left, right):
            return f"({show(left)} {op} {show(right)})"
        case ast.Pipe(_, op, value, target):
            return f"({show(value)} {op} {show(target)})"
        case ast.Unary(_, op, operand):
            return f"({op} {show(operand)})"
        case ast.Cast(_, expr, type_):
            return f"({show(expr)} AS {show(type_)})"
        case ast.Field(_, base, name):
            return f"{show(base)}.{name.text}"
        case ast.Index(_, base, index):
            return f"{show(base)}[{show(index)}]"
        case ast.Call(_, callee, _, args):
            return f"{show(callee)}({', '.join(show(a) for a in args)})"
        case ast.IfExpr(_, cond, then, otherwise):
            return f"(IF {show(cond)} THEN {show(then)} ELSE {show(otherwise)})"
        case ast.Lambda(_, params, _, body):
            return f"(fn({', '.join(p.name.text for p in params)}) => {show(body)})"
        case ast.NamedType(_, path, args):
            inner = f"<{', '.join(show(a) for a in args)}>" if args else ""
            return ".".join(p.text for p in path) + inner
    return type(node).__name__
