"""Conditions and what they prove: `IF X IS NONE: RETURN`, `R IS OK AND ...`, `NOT ...`.

A condition gives facts about local variables for the case that it holds and for the case that it does not. The right
side of AND is checked with what the left side proves, that of OR with what its failing proves. `static` is the
outcome where the types alone decide it: in a template instance the dead branch is then not checked.
"""

from __future__ import annotations

from nxdc.check.function import Facts, Fn, VariantFact
from nxdc.core import tree as core
from nxdc.source.record import Record
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, BOOL
from nxdc.types.unify import prune


class Condition(Record):
    """A checked condition with what it proves."""

    expr: core.Expr
    true: Facts
    false: Facts
    static: bool | None = None


_NO_FACTS: Facts = {}


def check_condition(f: Fn, node: ast.Expr) -> Condition:
    """Checks a condition (or any bool expression)."""
    if isinstance(node, ast.Binary):
        if node.op == "AND":
            return _both(f, node)
        if node.op == "OR":
            return _either(f, node)
        if node.op in ("EQ", "NEQ") and (_is_none(f, node.left) or _is_none(f, node.right)):
            return _compared_with_none(f, node)
    elif isinstance(node, ast.Unary) and node.op == "NOT":
        inner = check_condition(f, node.operand)
        static = None if inner.static is None else not inner.static
        return Condition(core.Intrinsic(BOOL, node.span, "not", "NOT", [inner.expr]), inner.false, inner.true, static)
    elif isinstance(node, ast.IsTest):
        from nxdc.check.expressions.tests import check_is

        return check_is(f, node)
    elif isinstance(node, ast.Matches):
        from nxdc.check.patterns.matches import check_matches

        return check_matches(f, node)
    from nxdc.check.expressions.operators import check_bool

    return Condition(check_bool(f, node), _NO_FACTS, _NO_FACTS)


def _both(f: Fn, node: ast.Binary) -> Condition:
    left = check_condition(f, node.left)
    if left.static is False and f.drops_dead_code:
        f.leave_out(node.right)
        return left
    before = f.facts
    f.facts = {**before, **left.true}
    right = check_condition(f, node.right)
    f.facts = before
    static = False if left.static is False or right.static is False else (left.static and right.static)
    expr = core.ShortCircuit(BOOL, node.span, "AND", left.expr, right.expr)
    return Condition(expr, {**left.true, **right.true}, _NO_FACTS, static)


def _either(f: Fn, node: ast.Binary) -> Condition:
    left = check_condition(f, node.left)
    if left.static is True and f.drops_dead_code:
        f.leave_out(node.right)
        return left
    before = f.facts
    f.facts = {**before, **left.false}
    right = check_condition(f, node.right)
    f.facts = before
    static: bool | None = True if left.static or right.static else None
    if left.static is False and right.static is False:
        static = False
    expr = core.ShortCircuit(BOOL, node.span, "OR", left.expr, right.expr)
    return Condition(expr, _NO_FACTS, {**left.false, **right.false}, static)


def _is_none(f: Fn, node: ast.Expr) -> bool:
    if isinstance(node, ast.NoneLit):
        return True
    return isinstance(node, ast.NameRef) and node.name == "NONE" and f.lookup("NONE") is None


def _compared_with_none(f: Fn, node: ast.Binary) -> Condition:
    from nxdc.check.expressions.exprs import check
    from nxdc.check.expressions.tests import none_condition

    value = check(f, node.right if _is_none(f, node.left) else node.left)
    condition = none_condition(f, value, node.span)
    if node.op == "EQ":
        return condition
    static = None if condition.static is None else not condition.static
    inverse = core.Intrinsic(BOOL, node.span, "not", "NOT", [condition.expr])
    return Condition(inverse, condition.false, condition.true, static)


# ---- facts
# ---------------------------------------------------------------------------------------------------------------


def local_of(expr: core.Expr) -> core.Local | None:
    """The variable that an expression reads, through what flow already knows about it."""
    if isinstance(expr, core.Convert) and expr.kind == "narrowed":
        expr = expr.value
    return expr.local if isinstance(expr, core.LocalRef) else None


def set_fact(f: Fn, local: core.Local, value: core.Expr) -> None:
    """After `X SET value`: what is known of X now."""
    facts = {k: v for k, v in f.facts.items() if k is not local}
    type_ = prune(local.type)
    if isinstance(type_, model.NullableType):
        if isinstance(value, core.Convert) and value.kind == "nullable" and prune(value.value.type) is not model.NONE:
            facts[local] = type_.inner
    elif isinstance(type_, model.UnionType) and type_.decl is model.OPTION_DECL and isinstance(value, core.MakeUnion):
        facts[local] = VariantFact(value.variant)
    f.facts = facts


def join(first: Facts, second: Facts) -> Facts:
    """What holds after two paths meet."""
    if first is second:
        return first
    return {k: v for k, v in first.items() if _same(v, second.get(k))}


def _same(a: object, b: object) -> bool:
    if isinstance(a, VariantFact):
        return isinstance(b, VariantFact) and a.index == b.index
    return a is b or (b is not None and a == b)


def assigned_names(node: ast.Node | tuple) -> set[str]:  # type: ignore[type-arg]  # of nodes
    """Names that statements inside `node` set, move or bind: what is known of them may not hold in the next round of a
    loop.
    """
    found: set[str] = set()
    work: list[object] = [node]
    while work:
        item = work.pop()
        if isinstance(item, tuple):
            work.extend(item)
            continue
        if isinstance(item, (ast.Assign, ast.SetAdd)) and isinstance(item.target, ast.NameRef):
            found.add(item.target.name)
        if isinstance(item, ast.Node):
            work.extend(
                v for name in item._fields if name != "span" and isinstance(v := getattr(item, name), (tuple, ast.Node))
            )
    return found


def forget_assigned(f: Fn, *nodes: ast.Node | tuple | None) -> None:  # type: ignore[type-arg]  # of nodes
    """Before a loop or TRY: drops the facts about names that its body sets."""
    if not f.facts:
        return
    names: set[str] = set()
    for node in nodes:
        if node is not None:
            names |= assigned_names(node)
    f.facts = {
        about: fact for about, fact in f.facts.items() if not (isinstance(about, core.Local) and about.name in names)
    }


def is_any(expr: core.Expr) -> bool:
    """Whether an expression's value is only known at run time."""
    return prune(expr.type) is ANY
