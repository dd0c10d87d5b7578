"""Statements that bind or change: LET, CONST, SET, SETADD, PUSH, REMOVE, MOVE TO, CLONE TO."""

from __future__ import annotations

from typing import Any

from nxdc.check.coerce import coerce, unwrap_nullable
from nxdc.check.declarations import names
from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol, VarSymbol
from nxdc.check.declarations.typeexprs import resolve_type
from nxdc.check.expressions.constructors import any_if_none
from nxdc.check.expressions.exprs import (
    check,
    check_as,
    error_expr,
    is_error,
    module_of,
    need,
    read_local,
    report_mismatch,
    report_unknown_module,
    undefined,
)  # fmt: skip
from nxdc.check.expressions.fields import check_index_value, field_index, members_of, report_unknown_field
from nxdc.check.expressions.operators import binary
from nxdc.check.flow.narrowing import set_fact
from nxdc.check.function import Fn
from nxdc.check.startup import current_variable, ensure_variable, start_let
from nxdc.check.statements.stmts import Out, as_text, executes, let_fix
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Edit, Fix
from nxdc.diagnostics.near import nearest
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, FLOAT, INT, NONE, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import has_vars, prune, resolve


@executes(ast.Let)
def _let(f: Fn, node: ast.Let, out: Out) -> bool:
    if f.is_start and len(f.scopes) == 1:
        return start_let(f, node, out)
    value = initial_value(f, node, node)
    bind(f, node.name, value, node, out, const=node.is_const, borrowed=is_borrow(node.value))
    return not isinstance(prune(value.type), model.NeverType)


def is_borrow(node: ast.Expr) -> bool:
    """Whether an initialiser makes a read-only view."""
    return isinstance(node, ast.Unary) and node.op == "BORROW"


def initial_value(f: Fn, node: ast.Let, key: object) -> core.Expr:
    """The value of a LET, as its written type, or with what an earlier round found out about it."""
    if node.type is not None:
        want = resolve_type(f.checker, f.scope, f.env, node.type)
        value = check_as(f, node.value, want)
        # A mistake in the value says nothing against the written type: what follows is checked with that.
        return core.NoneLit(want, value.span) if is_error(value) else value
    value = any_if_none(f, check(f, node.value))
    if has_vars(value.type):
        f.hinted(key, value.type)
    return value


def bind(
    f: Fn, name: ast.Name, value: core.Expr, node: ast.Node, out: Out, *, const: bool = False, borrowed: bool = False
) -> None:
    """Makes a new local variable."""
    earlier = f.in_scope(f.scopes[-1], name.text)
    if earlier is not None and not (f.instance is not None and f.instance.is_derived):
        a, b = resolve(earlier.local.type), resolve(value.type)
        if a != b and not has_vars(a) and not has_vars(b) and not is_error(value):
            f.error(codes.W2003, "retyped", name.span, f"now `{show(b)}`", name=name.text,
                    also=[(earlier.span, f"first bound here, as `{show(a)}`")])  # fmt: skip
    local = f.declare(name, value.type, "let", const=const)
    local.borrowed = borrowed
    out.append(core.Let(node.span, local, value))
    set_fact(f, local, value)


@executes(ast.MoveTo)
def _move_to(f: Fn, node: ast.MoveTo, out: Out) -> bool:
    from nxdc.check.expressions.casts import moved

    bind(f, node.name, any_if_none(f, moved(f, node.source, None, node.span)), node, out)
    return True


@executes(ast.CloneTo)
def _clone_to(f: Fn, node: ast.CloneTo, out: Out) -> bool:
    value = any_if_none(f, check(f, node.source))
    bind(f, node.name, core.CloneExpr(value.type, node.span, value), node, out)
    return True


# ---- SET
# -------------------------------------------------------------------------------------------------------------------


@executes(ast.Assign)
def _assign(f: Fn, node: ast.Assign, out: Out) -> bool:
    target = node.target
    if isinstance(target, ast.NameRef):
        return _assign_name(f, node, target, out)
    if isinstance(target, ast.Field):
        return _assign_field(f, node, target, out)
    assert isinstance(target, ast.Index)
    obj = unwrap_nullable(check(f, target.base))
    type_ = f.decided(obj.type, target.base.span)
    if isinstance(type_, model.ListType):
        index, want = check_index_value(f, target.index, type_, INT), type_.element
    elif isinstance(type_, model.MapType):
        index, want = check_index_value(f, target.index, type_, type_.key), type_.value
    elif type_ is ANY:
        index, want = check_as(f, target.index, ANY), ANY
    else:
        check(f, target.index)
        check(f, node.value)
        if not isinstance(type_, (model.ErrorType, TypeVar)):
            helps = ["a string cannot be changed: make a new one with ADD and SUBSTR"] if type_ is STRING else []
            f.error(codes.S3002, "not_indexable", target.base.span, type=show(type_), helps=helps)
        return True
    value = check_as(f, node.value, want, container=type_)
    out.append(core.SetIndex(node.span, obj, index, value))
    return True


def _assign_name(f: Fn, node: ast.Assign, target: ast.NameRef, out: Out) -> bool:
    var = f.lookup(target.name)
    if var is not None:
        if var.const or var.kind == "range":
            _report_constant(f, target.name, target.span, var.span, "const" if var.const else "loop")
            check(f, node.value, var.local.type)
            return True
        value = check_as(f, node.value, var.local.type, also=[(var.span, f"`{target.name}` is declared here")])
        var.mark_assigned()
        out.append(core.SetLocal(node.span, var.local, value))
        set_fact(f, var.local, value)
        return True
    symbol = global_target(f, target)
    if symbol is None:
        value = check(f, node.value)
        known = any(isinstance(s, VarSymbol) for group in f.scope.tiers(target.name) for s in group)
        if target.name not in f.scope.own and not known and _near(f, target.name) is None:
            _take_as_declared(f, target, value)
        return True
    _set_global(f, symbol, node, out)
    return True


def _set_global(f: Fn, symbol: VarSymbol, node: ast.Assign, out: Out) -> None:
    variable = symbol.variable
    also = [(symbol.node.name.span, f"`{symbol.name}` is declared here")]
    value = check_as(f, node.value, variable.type, also=also)
    variable.assigned = True
    out.append(core.SetGlobal(node.span, variable, value))


def _report_constant(f: Fn, name: str, span: Span, declared: Span, wording: str) -> None:
    f.error(codes.S3011, wording, span, name=name, also=[(declared, "declared here")])


def global_target(f: Fn, target: ast.NameRef, *, adds: bool = False) -> VarSymbol | None:
    """The module variable that SET or (`adds`) SETADD changes; reported when the name is something else or cannot be
    set."""
    name = target.name
    own = [s for s in f.scope.own.get(name, []) if isinstance(s, VarSymbol)]
    if own:
        symbol = current_variable(f, own[-1])
        ensure_variable(f.checker, symbol)
        if symbol.is_const:
            _report_constant(f, name, target.span, symbol.node.name.span, "const")
            return None
        return symbol
    for group in f.scope.tiers(name):
        for symbol_ in group:
            if isinstance(symbol_, VarSymbol) and symbol_.is_const:
                _report_constant(f, name, target.span, symbol_.node.name.span, "const")
                return None
            if isinstance(symbol_, VarSymbol):
                qualified = f"{symbol_.module}.{name}"
                f.error(codes.S3011, "imported", target.span, name=name, module=symbol_.module,
                        also=[(symbol_.node.name.span, "declared here")],
                        fixes=[Fix(f"write `{qualified}`", (Edit(target.span, qualified),))])  # fmt: skip
                return None
            if isinstance(symbol_, (FuncSymbol, PreludeSymbol)) and group is f.scope.tiers(name)[0]:
                place = names.symbol_span(symbol_)
                if place is not None:
                    f.error(codes.S3011, "function", target.span, name=name, also=[(place, "declared here")])
                    return None
    others = names.modules_with_variable(f.checker, name)
    if _near(f, name) is not None or (adds and others):  # SETADD needs a variable that is there
        undefined(f, name, target.span)
    else:
        helps = [f"a new variable is made by `LET {name} SET ...`"]
        helps += [f"the `{name}` of the module `{m}` is set by `{m}.{name} SET ...`, with `IMPORT {m}`" for m in others]
        fixes = let_fix(name, target.span)
        if name in f.root.broken.split():  # the LET could not be read
            return None
        f.error(codes.S3001, "name", target.span, "not known here", name=name, helps=helps, fixes=fixes)
    return None


def _near(f: Fn, name: str) -> str | None:
    """The variable that a misspelt name could mean; all names of one letter are near, so that tells nothing."""
    known = [*f.names_in_scope(), *(n for n, s in f.scope.own.items() if isinstance(s[0], VarSymbol))]
    return nearest(name, known) if len(name) > 1 else None


def _take_as_declared(f: Fn, target: ast.NameRef, value: core.Expr) -> None:
    """A forgotten LET has been reported: the lines that use the variable are not blamed for it."""
    f.declare(ast.Name(target.span, target.name), value.type, "let")


def _assign_field(f: Fn, node: ast.Assign, target: ast.Field, out: Out) -> bool:
    symbol = qualified_variable(f, target)
    if isinstance(symbol, VarSymbol):
        _set_global(f, symbol, node, out)
        return True
    if symbol is not None:
        check(f, node.value)
        return True
    obj = unwrap_nullable(check(f, target.base))
    found = _field_place(f, obj, target)
    if found is None:
        check(f, node.value)
        return True
    obj, index, want = found
    value = check_as(f, node.value, want, also=_declared_field(obj.type, target.name.text))
    if index is None:
        out.append(core.SetAnyField(node.span, obj, target.name.text, value))
    else:
        out.append(core.SetField(node.span, obj, index, value))
    return True


def _declared_field(type_: Type, name: str) -> list[tuple[Span, str]]:
    type_ = prune(type_)
    if isinstance(type_, model.StructType) and name in type_.decl.field_spans:
        return [(type_.decl.field_spans[name], "the field is declared here")]
    return []


def _field_place(f: Fn, obj: core.Expr, target: ast.Field) -> tuple[core.Expr, int | None, Type] | None:
    """The object, field number (None: found at run time) and type of a field that is set."""
    from nxdc.check.expressions.fields import field_of

    type_ = f.decided(obj.type, target.span)
    if type_ is ANY:
        return obj, None, ANY
    if isinstance(type_, (model.StructType, model.RecordType)):
        index = field_index(type_, target.name.text)
        if index is not None:
            return obj, index, model.struct_fields(type_)[index][1]
    elif isinstance(type_, model.UnionType):
        read = field_of(f, obj, target.name.text, target.name.span, target.span)
        if isinstance(read, core.GetField):
            return read.object, read.index, read.type
        return None
    if not isinstance(type_, (model.ErrorType, TypeVar)):
        report_unknown_field(f, type_, target.name.text, target.name.span)
    return None


def qualified_variable(f: Fn, target: ast.Field) -> VarSymbol | str | None:
    """The variable of `module.NAME`; None when the base is a value, a word when the mistake has been reported."""
    module = module_of(f, target.base)
    if module is None:
        return "reported" if report_unknown_module(f, target.base) else None
    symbols = members_of(f, module, target.name)
    for symbol in symbols:
        if isinstance(symbol, VarSymbol):
            ensure_variable(f.checker, symbol)
            if symbol.is_const:
                _report_constant(f, symbol.name, target.span, symbol.node.name.span, "const")
                return "reported"
            symbol.variable.assigned = True
            return symbol
    if symbols:
        f.error(codes.S3011, "function", target.span, name=target.name.text)
    return "reported"


# ---- SETADD
# ------------------------------------------------------------------------------------------------------------------


@executes(ast.SetAdd)
def _set_add(f: Fn, node: ast.SetAdd, out: Out) -> bool:
    place = _place(f, node.target)
    if place is None:
        check(f, node.value)
        return True
    type_ = prune(place.type)
    if isinstance(type_, TypeVar):
        value = unwrap_nullable(check(f, node.value))
        if prune(value.type) in (INT, FLOAT, STRING):
            f.unifier.unify(type_, value.type)
            if isinstance(prune(type_), model.NullableType):  # began as NONE, which has no value to add to
                _add_in_steps(f, node, place, out, value)
            else:
                out.append(core.AddTo(node.span, place, value))
        elif not f.block(type_, node.span):
            _add_in_steps(f, node, place, out, value)
        return True
    if type_ in (INT, FLOAT):
        value = unwrap_nullable(check(f, node.value, type_))
        converted = coerce(f, value, type_)
        if converted is None:
            _report_sum(f, node, place, value)
            converted = error_expr(node.value.span)
        out.append(core.AddTo(node.span, place, converted))
    elif type_ is STRING:
        out.append(core.AddTo(node.span, place, as_text(f, check(f, node.value))))
    elif isinstance(type_, model.ErrorType):
        check(f, node.value)
    else:
        _add_in_steps(f, node, place, out)
    return True


def _report_sum(f: Fn, node: ast.SetAdd, place: core.Expr, value: core.Expr) -> None:
    """A value that does not convert to the type of the sum: often a sum of floats that was begun with `0`."""
    args: dict[str, Any] = {}
    if prune(place.type) is INT and prune(value.type) is FLOAT:
        args["helps"] = ["a sum of floats begins with `0.0`, not with `0`"]
        if isinstance(place, core.LocalRef):
            args["also"] = [(place.local.span, "this is an `int`")]
    report_mismatch(f, value, place.type, node.value.span, "assign", **args)


def _place(f: Fn, target: ast.Expr) -> core.Expr | None:
    """The variable, field or element that SETADD changes."""
    if isinstance(target, ast.NameRef):
        var = f.lookup(target.name)
        if var is not None:
            if var.const or var.kind == "range":
                _report_constant(f, target.name, target.span, var.span, "const" if var.const else "loop")
                return None
            var.mark_assigned()
            return core.LocalRef(var.local.type, target.span, var.local)
        symbol = global_target(f, target, adds=True)
        if symbol is None:
            return None
        symbol.variable.assigned = True
        return core.GlobalRef(symbol.variable.type, target.span, symbol.variable)
    if isinstance(target, ast.Field):
        found = qualified_variable(f, target)
        if isinstance(found, VarSymbol):
            return core.GlobalRef(found.variable.type, target.span, found.variable)
        if found is not None:
            return None
    place = check(f, target)
    if isinstance(place, core.GetIndex) and prune(place.object.type) is STRING:
        f.error(codes.S3002, "not_indexable", target.span, type="string",
                helps=["a string cannot be changed: make a new one"])  # fmt: skip
        return None
    if isinstance(place, (core.GetField, core.GetIndex, core.AnyField)) or is_error(place):
        return place
    return None


def _add_in_steps(f: Fn, node: ast.SetAdd, place: core.Expr, out: Out, value: core.Expr | None = None) -> None:
    """SETADD where the operator is only found at run time: read, add, set. The object and index are evaluated once."""
    span = node.span
    target: core.Expr
    if isinstance(place, core.LocalRef):
        target = place
        read = read_local(f, _var_of(f, node.target), place.span)
    else:
        target = read = _hold_operands(f, place, out)
    value = value if value is not None else check(f, node.value)
    total = binary(f, "ADD", read, value, span, span)
    converted = need(f, total, target.type, node.value.span)
    if isinstance(target, core.LocalRef):
        out.append(core.SetLocal(span, target.local, converted))
        set_fact(f, target.local, converted)
    elif isinstance(target, core.GlobalRef):
        out.append(core.SetGlobal(span, target.variable, converted))
    elif isinstance(target, core.GetField):
        out.append(core.SetField(span, target.object, target.index, converted))
    elif isinstance(target, core.AnyField):
        out.append(core.SetAnyField(span, target.object, target.name, converted))
    elif isinstance(target, core.GetIndex):
        out.append(core.SetIndex(span, target.object, target.index, converted))


def _var_of(f: Fn, target: ast.Expr):  # type: ignore[no-untyped-def]  # a Var
    assert isinstance(target, ast.NameRef)
    return f.lookup(target.name)


def _hold_operands(f: Fn, place: core.Expr, out: Out) -> core.Expr:
    def held(expr: core.Expr) -> core.Expr:
        temp = f.temp(expr.type, expr.span)
        out.append(core.Let(expr.span, temp, expr))
        return core.LocalRef(expr.type, expr.span, temp)

    if isinstance(place, core.GetField):
        return core.GetField(place.type, place.span, held(place.object), place.index)
    if isinstance(place, core.AnyField):
        return core.AnyField(place.type, place.span, held(place.object), place.name)
    if isinstance(place, core.GetIndex):
        obj = held(place.object)
        return core.GetIndex(place.type, place.span, obj, held(place.index))
    return place


# ---- PUSH, REMOVE
# --------------------------------------------------------------------------------------------------------------


@executes(ast.Push)
def _push(f: Fn, node: ast.Push, out: Out) -> bool:
    list_ = unwrap_nullable(check(f, node.list))
    type_ = prune(list_.type)
    if isinstance(type_, TypeVar):
        f.unifier.unify(type_, model.ListType(f.fresh()))
        list_ = unwrap_nullable(list_)
        type_ = prune(list_.type)
    if isinstance(type_, model.ListType):
        value = check_as(f, node.value, type_.element, container=type_)
    elif type_ is ANY:
        value = check_as(f, node.value, ANY)
    else:
        check(f, node.value)
        if not is_error(list_):
            f.error(codes.S3002, "assign", node.list.span, want="LIST<...>", got=show(type_))
        return True
    if prune(value.type) is NONE and isinstance(prune(type_), model.ListType):
        value = any_if_none(f, value)
    out.append(core.Push(node.span, list_, value))
    return True


@executes(ast.Remove)
def _remove(f: Fn, node: ast.Remove, out: Out) -> bool:
    target = node.target
    assert isinstance(target, ast.Index)
    obj = unwrap_nullable(check(f, target.base))
    type_ = f.decided(obj.type, target.base.span)
    if isinstance(type_, model.MapType):
        key = check_index_value(f, target.index, type_, type_.key)
    elif isinstance(type_, model.ListType):
        key = check_index_value(f, target.index, type_, INT)
    elif type_ is ANY:
        key = check_as(f, target.index, ANY)
    else:
        check(f, target.index)
        if not isinstance(type_, (model.ErrorType, TypeVar)):
            f.error(codes.S3002, "not_indexable", target.base.span, type=show(type_))
        return True
    out.append(core.RemoveKey(node.span, obj, key))
    return True


@executes(ast.RemoveWhere)
def _remove_where(f: Fn, node: ast.RemoveWhere, out: Out) -> bool:
    from nxdc.check.flow.narrowing import check_condition

    list_ = unwrap_nullable(check(f, node.list))
    type_ = f.decided(list_.type, node.list.span)
    element: Type = model.ERROR
    if type_ is ANY:
        element = ANY
    elif isinstance(type_, model.ListType):
        element = type_.element
    elif not isinstance(type_, (model.ErrorType, TypeVar)):
        f.error(codes.S3002, "assign", node.list.span, want="LIST<...>", got=show(type_))
    f.push()
    local = f.declare(ast.Name(node.cond.span, "VALUE"), element, "pattern")
    condition = check_condition(f, node.cond)
    f.pop()
    out.append(core.RemoveWhere(node.span, list_, local, condition.expr))
    return True
