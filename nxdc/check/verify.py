"""Checks the typed core itself, after tests' builds and under NXDC_VERIFY: what `core/tree.py` promises must hold.

Every mistake found here is one of the checker, so it is a `CompilerBug`: a type that was never decided or stands for a
reported error, an operand of another type than its place, a call with the wrong number of arguments, a variable of
another function, a loop that is not around its BREAK.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nxdc.check.coerce import Pending
from nxdc.check.finalize import node_classes
from nxdc.core import tree as core
from nxdc.problem import CompilerBug
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, INT, NONE, STRING, Type
from nxdc.types.show import show
from nxdc.types.unify import children

_STAGE = "check"


def verify_core(program: core.CoreProgram) -> None:
    """Raises CompilerBug at the first promise that is broken."""
    known = {program.start, *program.functions}
    for function in (program.start, *program.functions):
        _Verifier(function, known).run()


class _Verifier:
    """Walks one function."""

    def __init__(self, function: core.CoreFunction, known: set[core.CoreFunction]) -> None:
        self.function = function
        self.known = known
        self.locals: set[core.Local] = set(function.params)

    def fail(self, message: str, node: Any) -> None:
        place = node.span
        raise CompilerBug(_STAGE, f"{message} (line {place.line}: {place.text[:60]!r})", self.function.name)

    def run(self) -> None:
        for param in self.function.params:
            self.type(param.type, self.function)
        self.type(self.function.result, self.function)
        self.visit(self.function.body, ())

    def type(self, type_: Type, node: Any) -> None:
        if isinstance(type_, (model.TypeVar, model.ErrorType, model.TypeParam, model.BoxType)):
            self.fail(f"the type {show(type_)} ({type(type_).__name__}) is left in {type(node).__name__}", node)
        for part in children(type_):
            self.type(part, node)

    def visit(self, node: Any, loops: tuple[core.Stmt, ...]) -> None:
        if isinstance(node, (list, tuple)):
            for part in node:
                self.visit(part, loops)
            return
        shape = node_classes().get(type(node))
        if shape is None:
            return
        if isinstance(node, Pending):
            self.fail("a conversion was left undecided", node)
        nodes, locals_, types, typed = shape
        if typed:
            self.type(node.type, node)
        for name in types:
            value = getattr(node, name)
            for type_ in value if isinstance(value, list) else [value] if value is not None else []:
                self.type(type_, node)
        self.bindings(node, locals_)
        if isinstance(node, (core.Break, core.Continue)) and node.loop not in loops:
            self.fail("it leaves a loop that is not around it", node)
        rule = _RULES.get(type(node))
        if rule is not None:
            rule(self, node)
        if isinstance(node, (core.Loop, core.LoopRange, core.LoopEach)):
            loops = (*loops, node)
        for name in nodes:
            value = getattr(node, name)
            if value is not None:
                self.visit(value, loops)

    def bindings(self, node: Any, names: Iterable[str]) -> None:
        for name in names:
            value = getattr(node, name)
            for local in value if isinstance(value, list) else [value] if value is not None else []:
                if isinstance(node, (core.LocalRef, core.SetLocal, core.Lambda)):
                    if local not in self.locals:
                        self.fail(f"the variable {local.name} is of another function, or not bound yet", node)
                else:
                    self.type(local.type, node)
                    self.locals.add(local)

    def fits(self, expr: core.Expr, want: Type, node: Any) -> None:
        if isinstance(expr.type, model.NeverType) or expr.type == want:
            return
        self.fail(f"{type(node).__name__}: a {show(want)} is needed, but this is {show(expr.type)}", expr)

    def all_fit(self, exprs: list[core.Expr], types: Iterable[Type], node: Any) -> None:
        wanted = list(types)
        if len(exprs) != len(wanted):
            self.fail(f"{len(exprs)} operands for {len(wanted)}", node)
        for expr, want in zip(exprs, wanted, strict=True):
            self.fits(expr, want, node)

    def called(self, function: core.CoreFunction, node: Any) -> None:
        if function not in self.known:
            self.fail(f"the function {function.name} is not in the program", node)


def _call(v: _Verifier, node: core.Call) -> None:
    v.called(node.function, node)
    v.all_fit(node.args, [p.type for p in node.function.params], node)
    if node.type != node.function.result and not (node.type == model.NEVER and node.function.result == model.NONE):
        v.fail(f"the result {show(node.function.result)} is taken for {show(node.type)}", node)


def _call_value(v: _Verifier, node: core.CallValue) -> None:
    type_ = node.callee.type
    if isinstance(type_, model.FuncType):
        v.all_fit(node.args, type_.params, node)
    elif not isinstance(type_, model.NeverType):
        v.fail(f"a {show(type_)} is called", node)


def _spawn(v: _Verifier, node: core.Spawn) -> None:
    if node.function is not None:
        v.called(node.function, node)
        v.all_fit(node.args, [p.type for p in node.function.params], node)


def _lambda(v: _Verifier, node: core.Lambda) -> None:
    v.called(node.function, node)
    captured = node.function.params[: len(node.captures)]
    if node.function.captures != len(node.captures):
        v.fail("captures do not agree", node)
    for outer, inner in zip(node.captures, captured, strict=True):
        if outer.type != inner.type or outer.cell != inner.cell:
            v.fail(f"the capture {outer.name} differs inside", node)


def _func_ref(v: _Verifier, node: core.FuncRef) -> None:
    v.called(node.function, node)


def _return(v: _Verifier, node: core.Return) -> None:
    if node.value is not None:
        v.fits(node.value, v.function.result, node)
    elif v.function.result is not NONE:
        v.fail(f"nothing is returned for {show(v.function.result)}", node)


def _struct(v: _Verifier, node: core.MakeStruct) -> None:
    if not isinstance(node.type, (model.StructType, model.RecordType)):
        v.fail("no struct", node)
        return
    fields = model.struct_fields(node.type)
    if sorted(node.slots) != list(range(len(fields))):
        v.fail("not every field is filled once", node)
    for slot, value in zip(node.slots, node.fields, strict=True):
        v.fits(value, fields[slot][1], node)


def _union(v: _Verifier, node: core.MakeUnion) -> None:
    assert isinstance(node.type, model.UnionType)
    v.all_fit(node.payload, model.payload_types(node.type, node.variant), node)


def _list(v: _Verifier, node: core.MakeList) -> None:
    assert isinstance(node.type, model.ListType)
    for element in node.elements:
        v.fits(element, node.type.element, node)


def _map(v: _Verifier, node: core.MakeMap) -> None:
    assert isinstance(node.type, model.MapType)
    for key, value in node.entries:
        v.fits(key, node.type.key, node)
        v.fits(value, node.type.value, node)


def _field(v: _Verifier, node: core.GetField | core.SetField) -> None:
    type_ = node.object.type
    if isinstance(type_, model.NeverType):
        return
    if not isinstance(type_, (model.StructType, model.RecordType)):
        v.fail(f"a field of {show(type_)}", node)
        return
    want = model.struct_fields(type_)[node.index][1]
    if isinstance(node, core.SetField):
        v.fits(node.value, want, node)
    elif node.type != want:
        v.fail(f"the field is {show(want)}, not {show(node.type)}", node)


def _let(v: _Verifier, node: core.Let | core.SetLocal) -> None:
    v.fits(node.value, node.local.type, node)


def _set_global(v: _Verifier, node: core.SetGlobal) -> None:
    v.fits(node.value, node.variable.type, node)


def _condition(v: _Verifier, node: core.If | core.IfExpr) -> None:
    v.fits(node.condition, BOOL, node)
    if isinstance(node, core.IfExpr):
        v.fits(node.then, node.type, node)
        v.fits(node.otherwise, node.type, node)


def _short(v: _Verifier, node: core.ShortCircuit) -> None:
    v.all_fit([node.left, node.right], [BOOL, BOOL], node)


def _block(v: _Verifier, node: core.BlockExpr) -> None:
    if node.value is not None:
        v.fits(node.value, node.type, node)


def _send(v: _Verifier, node: core.Send) -> None:
    if isinstance(node.channel.type, model.ChannelType):
        v.fits(node.value, node.channel.type.element, node)


def _push(v: _Verifier, node: core.Push) -> None:
    if isinstance(node.list.type, model.ListType):
        v.fits(node.value, node.list.type.element, node)


def _set_index(v: _Verifier, node: core.SetIndex) -> None:
    type_ = node.object.type
    if isinstance(type_, model.ListType):
        v.all_fit([node.index, node.value], [INT, type_.element], node)
    elif isinstance(type_, model.MapType):
        v.all_fit([node.index, node.value], [type_.key, type_.value], node)
    else:
        v.all_fit([node.index, node.value], [ANY, ANY], node)


def _throw(v: _Verifier, node: core.Throw) -> None:
    v.fits(node.message, STRING, node)


def _intrinsic(v: _Verifier, node: core.Intrinsic) -> None:
    if node.name == "any_binary":
        v.all_fit(node.args, [ANY, ANY], node)


def _prelude(v: _Verifier, node: core.CallPrelude) -> None:
    from nxdc.types.signature import read_signature

    signature = read_signature(node.row.signature)
    names = [p.name for p in signature.type_params]
    env = dict(zip(names, node.type_args, strict=True))
    v.all_fit(node.args, [model.substitute(t, env) for _, t in signature.params], node)


_RULES: dict[type, Any] = {
    core.Call: _call,
    core.CallValue: _call_value,
    core.CallPrelude: _prelude,
    core.Spawn: _spawn,
    core.Lambda: _lambda,
    core.FuncRef: _func_ref,
    core.Return: _return,
    core.MakeStruct: _struct,
    core.MakeUnion: _union,
    core.MakeList: _list,
    core.MakeMap: _map,
    core.GetField: _field,
    core.SetField: _field,
    core.Let: _let,
    core.SetLocal: _let,
    core.SetGlobal: _set_global,
    core.If: _condition,
    core.IfExpr: _condition,
    core.ShortCircuit: _short,
    core.BlockExpr: _block,
    core.Send: _send,
    core.Push: _push,
    core.SetIndex: _set_index,
    core.Throw: _throw,
    core.Intrinsic: _intrinsic,
}
