"""Writing through a BORROW view is an error: in the function that has the view, and in one it is passed to. So is
storing it where nobody would know that it is one: in a value, as a result, in a module variable after start-up.

Input:  all functions of the program (a callee decides whether passing a view is allowed).
Output: S3010.

Two questions are asked of a function: which parameters may be changed through it (`_changed`, a fixpoint over
the calls), and which of its variables are views. What a view leads to is a view as well: its fields and
elements, a variable set to one of them, a loop variable over it, a name bound by matching it. This is followed
without regard to order, so a variable that is ever a view is one always. What a function value does to its
arguments is not known and allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Union

from nxdc.core import tree as core
from nxdc.core.walk import all_parts, everything, parts
from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type
from nxdc.types.signature import read_signature


class Write(Record):
    """A place where the object `target` is changed; `callee` when a function it is passed to does it."""

    target: core.Expr
    span: Span
    callee: str | None


Name = Union[core.Local, core.Global]
Changed = dict[core.CoreFunction, set[int]]  # parameters, by position, that a function changes
Given = dict[core.CoreFunction, set[int]]  # parameters of which a function gives back a part

_GIVE_A_PART = frozenset(("GET", "HEAD", "UNWRAP", "UNWRAP_OR", "OK_OR"))  # prelude functions: of their first argument


def check_views(functions: Iterable[core.CoreFunction], sink: Sink) -> None:
    """Report every change through a view. Worth calling only when the program has a BORROW."""
    functions = list(functions)
    given = _given_parameters(functions)
    changed = _changed_parameters(functions, given)
    shown = _global_views(functions, given)
    inherited: dict[core.CoreFunction, set[core.Local]] = {}
    pending = functions
    while pending:  # lambdas that capture a view are looked at again
        found: list[core.CoreFunction] = []
        for function in pending:
            found += _check_function(function, shown, inherited, changed, given, sink)
        pending = found


def _check_function(
    function: core.CoreFunction, shown: set[Name], inherited: dict[core.CoreFunction, set[core.Local]],
    changed: Changed, given: Given, sink: Sink,
) -> list[core.CoreFunction]:  # fmt: skip
    """Report what one function does with views; gives the lambdas in it that have just got one."""
    start = shown | {p for p in function.params if p.borrowed} | inherited.get(function, set())
    views = _spread(function, start, given, views=True)
    for write in _writes(function, changed):
        roots = [local for local in _roots(write.target, given) if local in views]
        if roots or _is_view(write.target):
            name = roots[0].name if roots else write.target.span.text
            sink.report(
                codes.S3010,
                "write" if write.callee is None else "passed",
                write.span,
                also=[(roots[0].span, "a view since here")] if roots else [],
                helps=_copy_help(name),
                name=name,
                function=(write.callee or "").rpartition(".")[2],
            )
    for value in _kept(function):
        roots = [local for local in _roots(value, given) if local in views]
        if roots or _is_view(value):
            name = roots[0].name if roots else value.span.text
            also = [(roots[0].span, "a view since here")] if roots else []
            sink.report(codes.S3010, "kept", value.span, also=also, helps=_copy_help(value.span.text), name=name)
    grown = []
    for node in all_parts(function.body):
        if isinstance(node, core.Lambda):
            got = {inner for outer, inner in zip(node.captures, node.function.params, strict=False) if outer in views}
            known = inherited.setdefault(node.function, set())
            if not got <= known:
                known |= got
                grown.append(node.function)
    return grown


def _kept(function: core.CoreFunction) -> Iterator[core.Expr]:
    """The values that a function stores or gives back, where nobody would know any more that one is a view."""
    for node in all_parts(function.body):
        if not isinstance(node, _KEEPING):
            continue
        is_name = isinstance(node, (core.Let, core.SetLocal)) or (isinstance(node, core.SetGlobal) and node.initial)
        if is_name and not isinstance(node.value, _LITERALS):
            continue  # the name is known to be a view
        for value in _parts_kept(node.value):
            if _may_lead_on(value.type) and not isinstance(value.type, _BY_IDENTITY):
                yield value


_KEEPING = (
    core.Return, core.SetField, core.SetAnyField, core.SetIndex, core.Push, core.Let, core.SetLocal, core.SetGlobal,
)  # fmt: skip
_LITERALS = (core.MakeList, core.MakeMap, core.MakeStruct, core.MakeUnion)
_BY_IDENTITY = (model.FuncType, model.ChannelType, model.TaskType, model.ProcessType)


def _parts_kept(value: core.Expr | None) -> Iterator[core.Expr]:
    """A value, or what a literal is made of."""
    if isinstance(value, core.Convert) and value.kind in ("to_any", "nullable"):
        yield from _parts_kept(value.value)
    elif isinstance(value, _LITERALS):
        for part in parts(value):
            yield from _parts_kept(part)
    elif value is not None:
        yield value


def _global_views(functions: list[core.CoreFunction], given: Given) -> set[Name]:
    """The module variables that BORROW makes views."""
    found: set[Name] = set()
    growing = True
    while growing:
        before = len(found)
        for function in functions:
            for node in all_parts(function.body):
                if not isinstance(node, core.SetGlobal) or not _may_lead_on(node.value.type):
                    continue
                if _is_view(node.value) or any(root in found for root in _roots(node.value, given)):
                    found.add(node.variable)
        growing = len(found) > before
    return found


def _copy_help(name: str) -> list[str]:
    return [f"`CLONE {name}` gives a copy that may be changed"] if name.isidentifier() else []


# ---- variables that lead to an object


def _is_view(value: core.Expr) -> bool:
    """Whether an expression borrows by itself: `F(BORROW A)`."""
    if isinstance(value, core.Convert):
        return value.kind == "view" or _is_view(value.value)
    if isinstance(value, (core.GetField, core.GetIndex, core.AnyField, core.Payload)):
        return _is_view(value.object)
    return False


def _roots(value: core.Expr | None, given: Given) -> Iterator[Name]:
    """The variables through which an expression gets at its object."""
    if isinstance(value, core.LocalRef):
        yield value.local
    elif isinstance(value, core.GlobalRef):
        yield value.variable
    elif isinstance(value, (core.GetField, core.GetIndex, core.AnyField, core.Payload)):
        yield from _roots(value.object, given)
    elif isinstance(value, core.Convert) and value.kind not in ("cast", "record", "int_to_float"):
        yield from _roots(value.value, given)
    elif isinstance(value, core.IfExpr):
        yield from _roots(value.then, given)
        yield from _roots(value.otherwise, given)
    elif isinstance(value, core.BlockExpr):
        yield from _roots(value.value, given)
    elif isinstance(value, core.TryExpr):
        yield from _roots(value.body, given)
    elif isinstance(value, core.Call):
        for position in sorted(given.get(value.function, ())):
            yield from _roots(value.args[position], given)
    elif isinstance(value, core.CallPrelude) and value.row.name in _GIVE_A_PART:
        yield from _roots(value.args[0], given)


def _may_lead_on(type_: Type) -> bool:
    """Whether a value of the type can lead to something that can be changed."""
    return not isinstance(type_, (model.EnumType, model.NeverType)) and (
        type_ == model.ANY or not isinstance(type_, model.PrimType)
    )


def _bindings(node: Any) -> Iterator[tuple[core.Local, core.Expr]]:
    """Variables that a statement or expression sets, with the value they get or get a part of."""
    if isinstance(node, (core.Let, core.SetLocal)):
        yield node.local, node.value
    elif isinstance(node, core.LoopEach):
        yield node.local, node.source
        if node.value is not None:
            yield node.value, node.source
    elif isinstance(node, core.RemoveWhere):
        yield node.element, node.list
    elif isinstance(node, core.Match):
        for case in node.cases:
            yield from ((local, node.subject) for local in _bound(case.pattern))
    elif isinstance(node, core.PatternTest):
        yield from ((local, node.value) for local in _bound(node.pattern))


def _bound(pattern: core.Pattern) -> Iterator[core.Local]:
    return (node.local for node in everything(pattern) if isinstance(node, core.PBind))


def _spread(function: core.CoreFunction, start: Iterable[Name], given: Given, *, views: bool) -> set[Name]:
    """All variables that lead to what `start` leads to; with `views` also those that BORROW makes views here."""
    found: set[Name] = set(start)
    bindings = [pair for node in all_parts(function.body) for pair in _bindings(node) if _may_lead_on(pair[0].type)]
    if views:
        found |= {local for local, value in bindings if local.borrowed or _is_view(value)}
    growing = True
    while growing and found:
        before = len(found)
        found |= {local for local, value in bindings if any(root in found for root in _roots(value, given))}
        growing = len(found) > before
    return found


# ---- changes ---------------------------------------------------------------------------------------------------------


def _writes(function: core.CoreFunction, changed: Changed) -> Iterator[Write]:
    """All places of a function where an object is changed, by itself or by a function it calls."""
    for node in all_parts(function.body):
        if isinstance(node, (core.SetField, core.SetAnyField, core.SetIndex, core.RemoveKey)):
            yield Write(node.object, node.object.span, None)
        elif isinstance(node, (core.Push, core.RemoveWhere)):
            yield Write(node.list, node.list.span, None)
        elif isinstance(node, core.AddTo) and isinstance(node.place, (core.GetField, core.GetIndex, core.AnyField)):
            yield Write(node.place.object, node.place.object.span, None)
        elif isinstance(node, core.Call):
            for position in sorted(changed.get(node.function, ())):
                yield Write(node.args[position], node.args[position].span, node.function.name)
        elif isinstance(node, core.CallPrelude) and node.row.changes:
            for name, arg in zip(_parameter_names(node.row.signature), node.args, strict=False):
                if name in node.row.changes:
                    yield Write(arg, arg.span, node.row.name)


def _parameter_names(signature: str) -> list[str]:
    return [name for name, _ in read_signature(signature).params]


def _given_parameters(functions: list[core.CoreFunction]) -> Given:
    """For every function the parameters of which it may give back a part: a fixpoint, as functions pass them on."""
    given: Given = {function: set() for function in functions}
    returns = {f: [node for node in all_parts(f.body) if isinstance(node, core.Return)] for f in functions}
    growing = True
    while growing:
        growing = False
        for function in functions:
            roots = {root for node in returns[function] for root in _roots(node.value, given)}
            for position, param in enumerate(function.params):
                if position in given[function] or not roots or not _may_lead_on(param.type):
                    continue
                if roots & _spread(function, {param}, given, views=False):
                    given[function].add(position)
                    growing = True
    return given


def _changed_parameters(functions: list[core.CoreFunction], given: Given) -> Changed:
    """For every function the parameters it changes: a fixpoint, because functions pass them on."""
    changed: Changed = {function: set() for function in functions}
    reach = {f: [_spread(f, {param}, given, views=False) for param in f.params] for f in functions}
    growing = True
    while growing:
        growing = False
        for function in functions:
            new = _changes_now(function, reach[function], changed, given) - changed[function]
            if new:
                changed[function] |= new
                growing = True
    return changed


def _changes_now(function: core.CoreFunction, reach: list[set[Name]], changed: Changed, given: Given) -> set[int]:
    found: set[int] = set()
    targets = {root for write in _writes(function, changed) for root in _roots(write.target, given)}
    for node in all_parts(function.body):
        if isinstance(node, core.Lambda):
            inside = changed.get(node.function, set())
            targets |= {local for i, local in enumerate(node.captures) if i in inside}
    for position, locals_ in enumerate(reach):
        if locals_ & targets:
            found.add(position)
    return found
