"""Expressions: dispatch, literals and names. The other kinds register their handlers from files of their own.

`check(f, node, expected)` gives a core expression of whatever type the node has; `expected` is a hint that literals,
constructors and lambdas use. `check_as` also converts to the type that the place wants, and reports when that cannot
be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nxdc.check.coerce import coerce, failed
from nxdc.check.declarations import habits, names
from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol, Symbol, TypeSymbol, VariantSymbol, VarSymbol
from nxdc.check.declarations.typeexprs import PRIMITIVES, find_type
from nxdc.check.expressions.decided import decided_at, way_out
from nxdc.check.function import BoundFact, Fn, Var, VariantFact
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.syntax.walk import dotted
from nxdc.types import model
from nxdc.types.model import Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import prune, resolve

Handler = Callable[[Fn, Any, "Type | None"], core.Expr]
_HANDLERS: dict[type, Handler] = {}


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Registers the handler of some node classes."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            _HANDLERS[kind] = handler
        return handler

    return register


def check(f: Fn, node: ast.Expr, expected: Type | None = None) -> core.Expr:
    """The core of an expression; `expected` is a hint."""
    return _HANDLERS[type(node)](f, node, expected)


def check_as(f: Fn, node: ast.Expr, want: Type, wording: str = "assign", **args: Any) -> core.Expr:
    """The core of an expression, as a `want`."""
    return need(f, check(f, node, want), want, node.span, wording, **args)


def need(f: Fn, expr: core.Expr, want: Type, span: Span, wording: str = "assign", **args: Any) -> core.Expr:
    """`expr` converted to `want`; a mismatch is reported with a wording of S3002."""
    converted = coerce(f, expr, want)
    if converted is not None:
        return converted
    report_mismatch(f, expr, want, span, wording, **args)
    return failed(expr)


def report_mismatch(
    f: Fn, expr: core.Expr, want: Type, span: Span, wording: str, *, container: Type | None = None, **args: Any
) -> None:
    """S3002 with expected and found type, and what helps. `container`: it would become an element of this."""
    have = prune(expr.type)
    shown_want, shown_have = show(want), show(have)
    helps = list(args.pop("helps", ()))
    fixes = list(args.pop("fixes", ()))
    target = prune(want)
    decided = ""
    place = decided_at(want)
    if place is not None and place[0] != span:
        also = list(args.get("also", ()))
        if all(other != place[0] for other, _ in also):
            args["also"] = [*also, (place[0], f"this made it `{shown_want}`")]
        if place[1]:
            decided, offered = way_out(want, have, container)
            fixes += offered
    if isinstance(target, TypeVar):  # the type of the value is made of the one that it should be
        f.error(codes.S3002, "recursive", span, name=span.text, helps=["write the type, as in `LIST<any> []`"])
        return
    if have is model.NONE and not isinstance(expr, core.NoneLit):
        f.error(codes.S3002, "nothing", span, f"`{shown_want}` is expected here", **args)
        return
    held = prune(have.args[0]) if isinstance(have, model.UnionType) and have.args else None
    if decided:
        helps.append(decided)
    elif isinstance(have, model.UnionType) and have.decl is model.OPTION_DECL and held == target:
        helps.append("take the value out: `UNWRAP(...)`, `UNWRAP_OR(..., default)` or a `MATCH`")
    elif isinstance(have, model.UnionType) and have.decl is model.RESULT_DECL and held == target:
        helps.append("take the value out: `UNWRAP(...)` or a `MATCH` on `OK` and `ERR`")
    elif isinstance(target, model.UnionType) and target.decl is model.OPTION_DECL and target.args[0] == have:
        text = span.text
        fixes.append(Fix(f"write `SOME({text})`", (Edit(span, f"SOME({text})"),), "likely"))
    elif (
        isinstance(target, model.UnionType)
        and target.decl is model.OPTION_DECL
        and isinstance(have, model.NullableType)
        and prune(have.inner) == prune(target.args[0])
    ):
        helps.append(f"`{shown_have}` is no OPTION: make the variable one with `LET X: {shown_want} SET NONE`, "
                     "and set it to `SOME(...)`")  # fmt: skip
    elif isinstance(target, model.UnionType) and target.decl is model.RESULT_DECL:
        _help_result(target, have, span, helps, fixes)
    elif isinstance(target, model.BoxType) and _can_box(f, have, target):
        fixes.append(Fix(f"write `{shown_want}({span.text})`", (Edit(span, f"{shown_want}({span.text})"),), "likely"))
    elif isinstance(have, (model.TaskType, model.ProcessType)) and prune(have.result) == target:
        helps.append(f"its result is waited for: `AWAIT {span.text}`")
    elif isinstance(target, model.ListType) and have is model.STRING:
        helps.append('the characters of a string are `SPLIT(S, "")`, its words `SPLIT(S)`')
    elif target is model.FLOAT and have is model.INT:
        _help_float(span, helps, fixes)
    elif isinstance(target, model.StructType) and isinstance(have, model.RecordType) and span.text.startswith("{"):
        name = target.decl.name
        fixes.append(Fix(f"write `{name}` before it", (Edit(span.at_start(), f"{name} "),), "safe"))
        helps.append(f"a value of a struct is written with its name: `{name} {{ ... }}`")
    elif isinstance(target, model.TaskType) and prune(target.result) == have:
        helps.append("a task is made by `TASK(fn() => ...)`; an ASYNC function is declared with its body's type")
    elif target is model.STRING and have in (model.INT, model.FLOAT, model.BOOL):
        helps.append("a value becomes text by `AS string`")
    elif target is model.INT and have is model.STRING:
        helps.append("text becomes an int by `AS int`, or by `PARSE_INT`, which gives a RESULT")
    elif target is model.INT and have is model.FLOAT:
        helps.append("`ROUND`, `FLOOR` and `CEIL` give an int; `AS int` only takes a float without a fraction")
    elif isinstance(target, model.ListType) and isinstance(have, model.ListType):
        helps.append("a list keeps the type of its elements; `MAP(L, fn(X) => ...)` makes a new list of others")
    elif isinstance(target, model.MapType) and isinstance(have, model.MapType):
        helps.append("a map keeps the types of its keys and values; fill a new map with the others")
    elif target is model.BOOL and wording == "condition":
        helps += _test_of(have, _operand(span.text))
    f.error(codes.S3002, wording, span, f"expected `{shown_want}`, found `{shown_have}`", want=shown_want,
            got=shown_have, helps=helps, fixes=fixes, **args)  # fmt: skip


_DIVISION = re.compile(r"\bDIV\b|/")
_SIMPLE = re.compile(r"[\w.]+(\([^()]*\))?")


def _help_float(span: Span, helps: list[str], fixes: list[Fix]) -> None:
    """What helps where a float is wanted and an int stands."""
    if _DIVISION.search(span.text):  # AS float behind it would only come when the fraction has been cut off
        helps.append("ints are divided without a fraction: make floats of them first, `A AS float DIV B AS float`")
        return
    text = f"{_operand(span.text)} AS float"
    fixes.append(Fix(f"write `{text}`", (Edit(span, text),), "likely"))
    helps.append("an int becomes a float by `AS float`")


def _help_result(target: model.UnionType, have: Type, span: Span, helps: list[str], fixes: list[Fix]) -> None:
    """What helps where a RESULT is wanted: the plain value or error stands there, or a RESULT of another type."""
    ok, err = (prune(t) for t in target.args)
    if isinstance(have, model.UnionType) and have.decl is model.RESULT_DECL:
        if prune(have.args[1]) == err:
            helps.append("give only the error on: `CASE ERR(E): RETURN ERR(E)` in a `MATCH`")
    elif have in (ok, err) and ok != err:
        text = f"{'OK' if have == ok else 'ERR'}({span.text})"
        fixes.append(Fix(f"write `{text}`", (Edit(span, text),), "likely"))


def _can_box(f: Fn, have: Type, target: model.BoxType) -> bool:
    """Whether a value of the type can be put in the box that is wanted."""
    from nxdc.check.declarations.traits import implements, with_args

    return not isinstance(have, model.BoxType) and implements(f.checker, have, with_args(target.trait, target.args))


def _test_of(have: Type, text: str) -> list[str]:
    """The test that is meant where another language takes the value itself as a condition."""
    if isinstance(have, model.UnionType) and have.decl in (model.OPTION_DECL, model.RESULT_DECL):
        return [f"ask for the variant: `{text} IS {'SOME' if have.decl is model.OPTION_DECL else 'OK'}`"]
    if have in (model.INT, model.FLOAT):
        return [f"compare it: `{text} NEQ 0`"]
    if have is model.STRING or isinstance(have, (model.ListType, model.MapType)):
        return [f"ask for its length: `LEN({text}) GT 0`"]
    return []


def _operand(text: str) -> str:
    """The text of an expression with the brackets that an operator behind it needs: none for names, numbers, fields and
    calls."""
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def error_expr(span: Span) -> core.Expr:
    """What stands for an expression after a reported mistake."""
    return core.NoneLit(model.ERROR, span)


def is_error(expr: core.Expr) -> bool:
    """Whether a mistake in the expression has been reported."""
    return isinstance(prune(expr.type), model.ErrorType)


# ---- literals --------------------------------------------------------------------------------------------------------


@handles(ast.IntLit)
def _int(f: Fn, node: ast.IntLit, expected: Type | None) -> core.Expr:
    if expected is not None and prune(expected) is model.FLOAT:
        return core.FloatLit(model.FLOAT, node.span, float(node.value))
    return core.IntLit(model.INT, node.span, node.value)


@handles(ast.FloatLit)
def _float(f: Fn, node: ast.FloatLit, expected: Type | None) -> core.Expr:
    return core.FloatLit(model.FLOAT, node.span, node.value)


@handles(ast.StringLit)
def _string(f: Fn, node: ast.StringLit, expected: Type | None) -> core.Expr:
    return core.StringLit(model.STRING, node.span, node.value)


@handles(ast.BoolLit)
def _bool(f: Fn, node: ast.BoolLit, expected: Type | None) -> core.Expr:
    return core.BoolLit(model.BOOL, node.span, node.value)


@handles(ast.NoneLit)
def _none(f: Fn, node: ast.NoneLit, expected: Type | None) -> core.Expr:
    return core.NoneLit(model.NONE, node.span)


@handles(ast.ErrorExpr)
def _error(f: Fn, node: ast.ErrorExpr, expected: Type | None) -> core.Expr:
    return error_expr(node.span)


# ---- names
# -------------------------------------------------------------------------------------------------------------


@handles(ast.NameRef)
def _name(f: Fn, node: ast.NameRef, expected: Type | None) -> core.Expr:
    var = f.lookup(node.name)
    if var is not None:
        return read_local(f, var, node.span)
    for group in f.scope.tiers(node.name):
        found = value_of(f, group, node.name, node.span, expected)
        if found is not None:
            return found
    if node.name == "EMPTY" and expected is not None:
        return core.NoneLit(model.NONE, node.span)
    return undefined(f, node.name, node.span)


def read_local(f: Fn, var: Var, span: Span) -> core.Expr:
    """Reads a variable, as the narrowest type that flow proves."""
    local = var.local
    ref = core.LocalRef(local.type, span, local)
    fact = f.facts.get(local)
    if fact is None or isinstance(fact, (VariantFact, BoundFact)):
        return ref
    return core.Convert(fact, span, "narrowed", ref)


def undefined(f: Fn, name: str, span: Span, *, wording: str = "name") -> core.Expr:
    """Reports a name that stands for nothing."""
    reporter = _reporter(f)
    if names.report_missing_import(reporter, f.scope, (ast.Name(span, name),), span):
        return error_expr(span)
    if name in f.root.broken or f.checker.may_be_broken(f.scope, name):
        return error_expr(span)
    if f.scope.types(name) or name in PRIMITIVES:
        helps = [f"a value becomes one by `X AS {name}`"] if name in ("int", "float", "string") else []
        f.error(codes.S3002, "not_a_value", span, name=name, kind="type", helps=helps)
        return error_expr(span)
    tested = f.tested_elsewhere(name)
    if tested is not None:
        f.error(codes.S3001, "untested", span, "the test may have failed here", name=name,
                also=[(tested.span, "bound by this test")],
                helps=["use it where the test holds: behind AND, or in the branch of an IF"])  # fmt: skip
        return error_expr(span)
    known = [*f.names_in_scope(), *names.visible_values(f.scope)]
    hint = habits.function_hint(name, span) if wording == "function" else habits.value_hint(name, span)
    hint = hint or names.suggest(name, known, span)
    if hint or not f.checker.may_be_imported(f.scope):
        f.error(codes.S3001, wording, span, "not known here", name=name, **hint)
    return error_expr(span)


class _Reporter:
    """Lets `names` report through a function, so that instances name the call that made them."""

    def __init__(self, f: Fn) -> None:
        self.scopes = f.checker.scopes
        self.unread = f.checker.unread
        self.report = f.error


def _reporter(f: Fn) -> Any:
    return _Reporter(f)


def value_of(f: Fn, group: list[Symbol], name: str, span: Span, expected: Type | None) -> core.Expr | None:
    """The value that a name means among the symbols of one group; None when none of them is a value that fits."""
    variables = [s for s in group if isinstance(s, VarSymbol)]
    if len(variables) > 1:
        f.error(codes.S3013, "name", span, name=name, **names.several(variables))
        return error_expr(span)
    if variables:
        return global_ref(f, variables[0], span)
    variants = [s for s in group if isinstance(s, VariantSymbol)]
    if variants:
        from nxdc.check.expressions.constructors import unit_variant

        found = unit_variant(f, variants, span, expected)
        if found is not None:
            return found
    functions = [s for s in group if isinstance(s, (FuncSymbol, PreludeSymbol))]
    if functions:
        from nxdc.check.expressions.lambdas import function_value

        return function_value(f, functions, name, span, expected)
    for symbol in group:
        if isinstance(symbol, TypeSymbol):
            f.error(codes.S3002, "not_a_value", span, name=name, kind=names.kind_of(symbol))
            return error_expr(span)
    return None


def global_ref(f: Fn, symbol: VarSymbol, span: Span) -> core.Expr:
    """Reads a module variable."""
    from nxdc.check.startup import current_variable, ensure_variable

    symbol = current_variable(f, symbol)
    ensure_variable(f.checker, symbol)
    variable = symbol.variable
    return core.GlobalRef(variable.type, span, variable)


# ---- dotted names
# -----------------------------------------------------------------------------------------------------


def module_of(f: Fn, base: ast.Expr) -> Any:
    """The module that `base` names (a `ModuleScope`), None when it is a value."""
    words = dotted(base)
    if words is None or f.lookup(words[0]) is not None:
        return None
    module = f.scope.module(".".join(words))
    if module is not None and len(words) == 1 and any(
        isinstance(s, VarSymbol) for group in f.scope.tiers(words[0]) for s in group
    ):  # fmt: skip
        return None
    return module


def report_unknown_module(f: Fn, base: ast.Expr) -> bool:
    """Reports `a.b.X` where the module `a.b` is not imported; False when it is no module's name."""
    words = dotted(base)
    if words is None or f.lookup(words[0]) is not None or f.scope.tiers(words[0]) or f.scope.types(words[0]):
        return False
    path = ".".join(words)
    if path in f.checker.scopes or f.checker.unread.has(path):
        f.error(codes.S3014, "not_imported", base.span, module=path, fixes=names.import_fix(f.scope, path))
        return True
    if path.upper() != path and all(word.upper() != word for word in words):
        known = [module.name for module, _, _ in f.scope.imports]
        f.error(codes.S3001, "module", base.span, name=path, **names.suggest(path, known, base.span))
        return True
    return False


def type_named(f: Fn, node: ast.Expr) -> TypeSymbol | None:
    """The declared type that an expression names (`COLOR`, `m.COLOR`), None when it is something else."""
    words = dotted(node)
    if words is None or f.lookup(words[0]) is not None:
        return None
    path = tuple(ast.Name(node.span, word) for word in words)
    return find_type(f.checker, f.scope, ast.NamedType(node.span, path))


def resolved(expr: core.Expr) -> Type:
    """The type of an expression with its solved variables replaced."""
    return resolve(expr.type)
