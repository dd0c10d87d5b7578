"""Building nodes where more than a constructor call is needed: the small decisions that the grammar leaves to its
actions.

`at` is the parser: it gives spans, the file and the sink.
"""

from __future__ import annotations

from typing import Any

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.syntax import keywords as kw
from nxdc.syntax.chains import COMPARISONS, report_chain
from nxdc.tables.operators import BY_SYMBOL, CANONICAL

_PREFIX_SYMBOLS = {"-": "SUB", "!": "NOT"}

_DECLARATIONS = (
    ast.FuncDecl, ast.TypeDecl, ast.TypeUse, ast.TraitDecl, ast.ImplDecl, ast.Import, ast.Export, ast.InitBlock,
)  # fmt: skip
_BUILT_IN_GENERICS = frozenset(("CHANNEL", "LIST", "MAP", "TASK", "PROCESS"))


def prefix_word(text: str) -> str:
    """The operator of a prefix token, which may be written as a symbol or in small letters (both told elsewhere)."""
    return _PREFIX_SYMBOLS.get(text) or text.upper()


class ModuleLine(ast.Node):
    """`MODULE a.b`: splits the items of a file into modules; never in the finished tree."""

    path: tuple[ast.Name, ...]


class Otherwise(ast.Node):
    """OTHERWISE of a MATCH or SELECT; never in the finished tree."""

    body: ast.Block


class _Part(Record):
    path: tuple[ast.Name, ...]
    items: list[Any]


def is_error_code(text: str) -> bool:
    """`E` and four digits: always an error code after CATCH."""
    return len(text) == 5 and text[0] == "E" and text[1:].isdigit()


def no_chain(at: Any, left: ast.Expr) -> None:
    """Reports a test with IS or MATCHES that is, without brackets, the left operand of the comparison just read: the
    grammar rejects only what ends in an expression."""
    word = at.mark(1, 3).text
    if (
        isinstance(left, (ast.IsTest, ast.Matches))
        and left.span.start == at.span().start
        and CANONICAL.get(BY_SYMBOL.get(word, word)) in COMPARISONS
    ):
        right = left.pattern if isinstance(left, ast.Matches) else left.target
        first = "IS" if isinstance(left, ast.IsTest) else "MATCHES"
        between = Span(at.file, left.expr.span.end, right.span.start)
        start = between.start + between.text.rindex(first)
        report_chain(at.sink, left.expr.span, Span(at.file, start, start + len(first)), right.span, at.mark(1, 3))


def unit(at: Any, items: list[Any]) -> ast.SourceUnit:
    """A file from its items: split at the MODULE lines; lines before the first make a module of their own."""
    parts = [_Part((), [])]
    for item in sorted([*items, *at.misplaced], key=lambda item: item.span.start) if at.misplaced else items:
        if isinstance(item, ModuleLine):
            parts.append(_Part(item.path, [item]))
        else:
            parts[-1].items.append(item)
    if len(parts) > 1 and not parts[0].items:
        del parts[0]
    modules = [_module(at, part) for part in parts]
    return ast.SourceUnit(Span(at.file, 0, len(at.file.text)), tuple(modules))


def _module(at: Any, part: _Part) -> ast.Module:
    items = [item for item in part.items if not isinstance(item, ModuleLine)]
    has_errors = any(isinstance(item, (ast.ErrorDecl, ast.ErrorStmt)) for item in items)
    if part.items:
        span = part.items[0].span.to(part.items[-1].span)
    else:
        span = Span(at.file, 0, 0)
    return ast.Module(span, part.path, tuple(items), has_errors)


def block(at: Any, stmts: list[Any]) -> ast.Block:
    """A block; declarations do not belong in it."""
    kept = []
    for stmt in stmts:
        if isinstance(stmt, (*_DECLARATIONS, ModuleLine)):
            word = stmt.span.text.split(None, 1)[0].rstrip(":")
            place = Span(at.file, stmt.span.start, stmt.span.start + len(word))
            at.sink.report(codes.P1010, "module_item", place, word=word)
            kept.append(ast.ErrorStmt(stmt.span))
            at.misplaced += [stmt] if isinstance(stmt, ast.Import) else []
        else:
            kept.append(stmt)
    return ast.Block(Span(at.file, stmts[0].span.start, stmts[-1].span.end), tuple(kept))


def broken_header(at: Any, head: str, body: ast.Block) -> Any:
    """A header that could not be read, with its block. The body of a function without its parameters is not checked."""
    if head in ("FUNC", "ASYNC", "VIS", "INIT"):
        return ast.ErrorDecl(at.span())
    return ast.ErrorStmt(at.span(), body)


def visible(at: Any, visibility: ast.Visibility, decl: Any) -> Any:
    """A declaration with a visibility word before it."""
    if isinstance(decl, (ast.FuncDecl, ast.TypeDecl, ast.TraitDecl, ast.Let)):
        return decl.replace(span=at.span(), visibility=visibility)
    if not isinstance(decl, ast.ErrorDecl):
        helps = ["it can stand before FUNC, TYPE, TRAIT, LET and CONST"]
        at.sink.report(codes.P1010, "visibility", visibility.span, helps=helps, word=visibility.word)
    return decl


def missing_body(at: Any, head: ast.FuncDecl) -> Any:
    """A function outside a TRAIT needs a body."""
    helps = ["write the statements of the function under it, indented; one that does nothing is `NONE`"]
    at.sink.report(codes.P1014, "missing", head.header, helps=helps)
    empty = ast.Block(head.span.at_end(), (ast.ErrorStmt(head.span.at_end()),))
    return head.replace(body=empty)


def methods(found: list[Any]) -> tuple[ast.FuncDecl, ...]:
    """The functions of a TRAIT or IMPL, without those that could not be read."""
    return tuple(m for m in found if m is not None)


def bodies(at: Any, found: list[Any]) -> tuple[ast.FuncDecl, ...]:
    """The functions of an IMPL: unlike those of a TRAIT each must have a body."""
    return tuple(m if m.body is not None else missing_body(at, m) for m in methods(found))


# ---------------------------------------------------------------------------------------------------- type parameters


def _bounded(at: Any, items: list[Any]) -> list[tuple[ast.Name, list[Any], Span]]:
    """`T : A, B, U : C` as names with bounds: an item without a colon behind one with a colon is a further bound.

    Between `<` and `>` the items `T, U` without any colon are two names.
    """
    out: list[tuple[ast.Name, list[Any], Span]] = []
    for head, bound in items:
        if bound is None and out and out[-1][1]:
            name, bounds, span = out[-1]
            bounds.append(head)
            out[-1] = (name, bounds, span.to(head.span))
            continue
        if not isinstance(head, ast.NamedType) or len(head.path) != 1 or head.args:
            at.sink.report(codes.P1008, "bind", head.span, "a type parameter is one name")
            continue
        span = head.span if bound is None else head.span.to(bound.span)
        out.append((head.path[0], [] if bound is None else [bound], span))
    return out


def type_params(at: Any, items: list[Any]) -> tuple[ast.TypeParam, ...]:
    """The parameters between `<` and `>` of a declaration: new names, each given once."""
    params: dict[str, ast.TypeParam] = {}
    for name, bounds, span in _bounded(at, items):
        first = params.get(name.text)
        if name.text in kw.LOWER_WORDS:
            fix = Fix(f"write `{name.text.upper()}`", (Edit(name.span, name.text.upper()),), LIKELY)
            helps = ["a type parameter is a new name, not a type"]
            at.sink.report(codes.P1011, "name", name.span, helps=helps, fixes=[fix], name=name.text.upper())
        elif first is not None:
            also = [(first.name.span, "first declared here")]
            at.sink.report(codes.S3015, "param", name.span, also=also, name=name.text)
        params.setdefault(name.text, ast.TypeParam(span, name, tuple(bounds)))
    return tuple(params.values())


def constraints(at: Any, items: list[Any]) -> tuple[ast.Constraint, ...]:
    """What stands after WHERE."""
    return tuple(ast.Constraint(span, name, tuple(bounds)) for name, bounds, span in _bounded(at, items))


def type_decl(at: Any, name: ast.Name, params: list[Any], implements: list[Any], body: Any) -> Any:
    """A TYPE declaration, or `TYPE CHANNEL<JOB> { }`, which only says that such channels are used."""
    span = at.span()
    empty = isinstance(body, ast.StructBody) and not body.fields
    if name.text in _BUILT_IN_GENERICS and params and empty and not implements:
        args = tuple(head for head, _ in params)
        return ast.TypeUse(span, ast.NamedType(name.span.to(args[-1].span), (name,), args))
    return ast.TypeDecl(span, name, type_params(at, params), tuple(implements), body, None)


# ---------------------------------------------------------------------------------------------------- statements


def assign(at: Any, target: Any, word: str, value: Any) -> Any:
    """SET and SETADD, with a target that can be set."""
    span = at.span()
    if not isinstance(target, (ast.NameRef, ast.Field, ast.Index, ast.ErrorExpr)):
        at.sink.report(codes.P1008, "target", target.span, "this is a value")
        return ast.ErrorStmt(span)
    return ast.SetAdd(span, target, value) if word in ("SETADD", "setadd", "+=") else ast.Assign(span, target, value)


def remove(at: Any, target: Any) -> Any:
    """`REMOVE M[K]`."""
    span = at.span()
    if not isinstance(target, (ast.Index, ast.ErrorExpr)):
        helps = ["`REMOVE L WHERE VALUE EQ X` removes the elements that fit"]
        at.sink.report(codes.P1008, "remove", target.span, helps=helps)
        return ast.ErrorStmt(span)
    return ast.Remove(span, target)


def _head(at: Any, span: Span, word: str) -> Span:
    """The word that a part begins with."""
    return Span(at.file, span.start, span.start + len(word))


def _report_second(at: Any, second: Span, first: Span, word: str, what: str, head: str) -> None:
    also = [(_head(at, first, head), "the first one")]
    at.sink.report(codes.P1010, "twice", _head(at, second, head), also=also, word=word, what=what)


def cases(at: Any, found: list[Any], word: str) -> tuple[tuple[Any, ...], ast.Block | None]:
    """The cases of a MATCH or SELECT and its OTHERWISE, which comes last."""
    kept: list[Any] = []
    otherwise: Otherwise | None = None
    timeout: ast.SelectTimeout | None = None
    for part in found:
        if part is None:
            continue
        if isinstance(part, Otherwise) and otherwise is not None:
            _report_second(at, part.span, otherwise.span, word, "OTHERWISE", "OTHERWISE")
        elif isinstance(part, Otherwise):
            otherwise = part
        elif otherwise is not None:
            place = Span(at.file, part.span.start, part.span.start + len("CASE"))
            also = [(_head(at, otherwise.span, "OTHERWISE"), "this comes last")]
            at.sink.report(codes.P1010, "order", place, also=also, first="CASE", second="OTHERWISE")
        elif isinstance(part, ast.SelectTimeout) and timeout is not None:
            _report_second(at, part.span, timeout.span, word, "CASE TIMEOUT", "CASE")
        else:
            timeout = part if isinstance(part, ast.SelectTimeout) else timeout
            kept.append(part)
    return tuple(kept), otherwise.body if otherwise else None


def try_stmt(at: Any, body: ast.Block, catches: list[ast.Catch], final: ast.Block | None) -> Any:
    """TRY needs CATCH or FINALLY."""
    if not catches and final is None:
        helps = ["write `CATCH E:` with what to do when something in the block fails"]
        at.sink.report(codes.P1010, "try_alone", at.mark(0, 4), helps=helps)
    return ast.Try(at.span(), body, tuple(catches), final)


# ---------------------------------------------------------------------------------------------------- expressions


def _path(expr: Any) -> tuple[ast.Name, ...] | None:
    """The names of `a.b.NAME`, None when the expression is not such a path."""
    names: list[ast.Name] = []
    while isinstance(expr, ast.Field):
        names.append(expr.name)
        expr = expr.base
    if not isinstance(expr, ast.NameRef):
        return None
    names.append(ast.Name(expr.span, expr.name))
    return tuple(reversed(names))


def _named_type(at: Any, head: Any, args: list[Any]) -> ast.NamedType | None:
    path = _path(head)
    if path is None:
        at.sink.report(codes.P1002, "found", head.span, "the name of a type is expected here", found="this expression")
        return None
    span = head.span.to(args[-1].span) if args else head.span
    return ast.NamedType(span, path, tuple(args))


def braces(at: Any, head: Any, args: list[Any], entries: list[Any]) -> Any:
    """`MAP<K, V> { ... }`, `MAP { ... }`, `PERSON { ... }`, `m.T { ... }`."""
    named = _named_type(at, head, args)
    if named is None:
        return ast.ErrorExpr(at.span())
    made = ast.MapLit if len(named.path) == 1 and named.name == "MAP" else ast.StructLit
    return made(at.span(), named, tuple(entries))


def typed_list(at: Any, head: Any, args: list[Any], items: list[Any]) -> Any:
    """`LIST<T> [ ... ]`."""
    named = _named_type(at, head, args)
    return ast.ErrorExpr(at.span()) if named is None else ast.ListLit(at.span(), named, tuple(items))


def generic_call(at: Any, head: Any, type_args: list[Any], args: list[Any]) -> Any:
    """A call with type arguments; `CHANNEL<T>()` and `MAKE_CHANNEL<T>(UNBOUNDED)` make channels."""
    if isinstance(head, ast.NameRef) and head.name in ("CHANNEL", "MAKE_CHANNEL"):
        unbounded = len(args) == 1 and isinstance(args[0], ast.NameRef) and args[0].name == "UNBOUNDED"
        if not args or unbounded:
            return channel(at, head, type_args, None, unbounded=unbounded)
    return ast.Call(at.span(), head, tuple(type_args), tuple(args))


def channel(at: Any, head: Any, type_args: list[Any], capacity: Any, *, unbounded: bool) -> Any:
    """A new channel."""
    if not isinstance(head, ast.NameRef) or len(type_args) > 1:
        place = head.span if len(type_args) < 2 else type_args[1].span
        at.sink.report(codes.P1002, "found", place, "a channel is made by `MAKE_CHANNEL<T>(CAPACITY 8)`", found="this")
        return ast.ErrorExpr(at.span())
    elem = type_args[0] if type_args else None
    return ast.ChannelLit(at.span(), ast.Name(head.span, head.name), elem, capacity, unbounded)


def negative_literal(at: Any, literal: Any) -> Any:
    """`SUB 5` as a pattern."""
    span = at.span()
    if isinstance(literal, ast.IntLit):
        return ast.LiteralPat(span, ast.IntLit(span, -literal.value))
    if isinstance(literal, ast.FloatLit):
        return ast.LiteralPat(span, ast.FloatLit(span, -literal.value))
    at.sink.report(codes.P1002, "found", literal.span, "a number is expected after SUB", found="this")
    return ast.WildcardPat(span)
