"""LOOP in its five forms. Facts about names that a body sets are forgotten before it is checked: the body may run
again.
"""

from __future__ import annotations

from nxdc.check.coerce import unwrap_nullable
from nxdc.check.declarations.symbols import PreludeSymbol
from nxdc.check.expressions.exprs import check, check_as, is_error
from nxdc.check.flow.narrowing import check_condition, forget_assigned
from nxdc.check.function import Fn, LoopState
from nxdc.check.statements.stmts import Out, check_stmts, executes
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, INT, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import prune


def _body(f: Fn, loop: core.Stmt, body: ast.Block) -> tuple[Out, LoopState]:
    """The body in the scope that the caller has opened for the loop's variables."""
    state = LoopState(loop)
    f.loops.append(state)
    before = f.facts
    out: Out = []
    f.push()
    check_stmts(f, body.stmts, out)
    f.pop()
    f.facts = before
    f.loops.pop()
    return out, state


@executes(ast.Loop)
def _endless(f: Fn, node: ast.Loop, out: Out) -> bool:
    forget_assigned(f, node.body)
    loop = core.Loop(node.span, None, [])
    loop.body, state = _body(f, loop, node.body)
    out.append(loop)
    return state.has_break


@executes(ast.LoopWhile)
def _while(f: Fn, node: ast.LoopWhile, out: Out) -> bool:
    forget_assigned(f, node.body)
    condition = check_condition(f, node.cond)
    before = f.facts
    f.facts = {**before, **condition.true}
    loop = core.Loop(node.span, condition.expr, [])
    loop.body, state = _body(f, loop, node.body)
    f.facts = before if state.has_break else {**before, **condition.false}
    out.append(loop)
    return state.has_break or not (isinstance(node.cond, ast.BoolLit) and node.cond.value)


@executes(ast.LoopFrom)
def _range(f: Fn, node: ast.LoopFrom, out: Out) -> bool:
    start = check_as(f, node.start, INT, "range")
    end = check_as(f, node.end, INT, "range")
    step = check_as(f, node.step, INT, "range") if node.step is not None else None
    if isinstance(start, core.IntLit) and isinstance(end, core.IntLit) and step is None and start.value > end.value:
        helps = [f"count downwards with `STEP`: `FROM {start.value} TO {end.value} STEP SUB 1`"]
        f.error(codes.W2002, "range", node.start.span.to(node.end.span), helps=helps, start=start.value, end=end.value)
    forget_assigned(f, node.body)
    f.push()
    local = f.declare(node.var, INT, "range")
    loop = core.LoopRange(node.span, local, start, end, step, True, [])
    loop.body, _ = _body(f, loop, node.body)
    f.pop()
    out.append(loop)
    return True


@executes(ast.LoopIn)
def _each(f: Fn, node: ast.LoopIn, out: Out) -> bool:
    if len(node.names) == 1 and _is_range_call(f, node.source):
        return _range_call(f, node, out)
    source = unwrap_nullable(check(f, node.source))
    item, value = _element_types(f, source, node)
    forget_assigned(f, node.body)
    f.push()
    local = f.declare(node.names[0], item, "loop")
    if len(node.names) > 1 and node.names[0].text == node.names[1].text != "_":
        f.error(codes.S3015, "name", node.names[1].span, name=node.names[1].text,
                also=[(node.names[0].span, "the key has this name")])  # fmt: skip
    second = f.declare(node.names[1], value, "loop") if len(node.names) > 1 else None
    loop = core.LoopEach(node.span, local, second, source, [])
    loop.body, _ = _body(f, loop, node.body)
    f.pop()
    out.append(loop)
    return True


def _is_range_call(f: Fn, node: ast.Expr) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.callee, ast.NameRef) and node.callee.name == "RANGE"):
        return False
    if len(node.args) != 2 or f.lookup("RANGE") is not None:
        return False
    groups = f.scope.tiers("RANGE")
    return len(groups) == 1 and all(isinstance(s, PreludeSymbol) for s in groups[0])


def _range_call(f: Fn, node: ast.LoopIn, out: Out) -> bool:
    """`LOOP X IN RANGE(A, B)` builds no list."""
    assert isinstance(node.source, ast.Call)
    start = check_as(f, node.source.args[0], INT, "argument", index=1, name="RANGE")
    end = check_as(f, node.source.args[1], INT, "argument", index=2, name="RANGE")
    forget_assigned(f, node.body)
    f.push()
    local = f.declare(node.names[0], INT, "range")
    loop = core.LoopRange(node.span, local, start, end, None, False, [])
    loop.body, _ = _body(f, loop, node.body)
    f.pop()
    out.append(loop)
    return True


def _element_types(f: Fn, source: core.Expr, node: ast.LoopIn) -> tuple[Type, Type]:
    """The types of the loop's one or two variables."""
    type_ = prune(source.type)
    if isinstance(type_, TypeVar):
        if f.block(type_, node.source.span):
            return model.ERROR, model.ERROR
        type_ = prune(source.type)
    if isinstance(type_, model.MapType):
        return type_.key, type_.value
    if type_ is ANY:
        return ANY, ANY
    if is_error(source):
        return model.ERROR, model.ERROR
    one: Type | None = None
    if isinstance(type_, (model.ListType, model.ChannelType)):
        one = type_.element
    elif type_ is STRING:
        one = STRING
    if one is None:
        helps = []
        if isinstance(type_, model.UnionType) and type_.decl in (model.OPTION_DECL, model.RESULT_DECL):
            helps = ["take the value out first: `UNWRAP(...)` or a `MATCH`"]
        elif type_ is INT:
            helps = ["count with `LOOP I FROM 1 TO ...:`"]
        f.error(codes.S3002, "not_iterable", node.source.span, type=show(type_), helps=helps)
        return model.ERROR, model.ERROR
    if len(node.names) > 1:
        helps = ["only a MAP has a key and a value to loop over"]
        if not isinstance(type_, model.ChannelType):
            helps.append("for places count: `LOOP I FROM 0 TO LEN(...) SUB 1:`")
        f.error(codes.S3002, "not_iterable_pairs", node.names[1].span, type=show(type_), helps=helps)
        return model.ERROR, model.ERROR
    return one, one
