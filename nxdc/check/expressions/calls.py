"""Calls: of functions by name, of constructors, of function values, written as methods, and through pipelines."""

from __future__ import annotations

from nxdc.check.coerce import coerce, unwrap_nullable
from nxdc.check.declarations import habits, names
from nxdc.check.declarations.declare import show_params
from nxdc.check.declarations.symbols import FuncSymbol, PreludeSymbol, Symbol, TypeSymbol, VariantSymbol, VarSymbol
from nxdc.check.declarations.traits import bound_with, implements
from nxdc.check.declarations.typeexprs import UNDECIDED, apply_symbol, resolve_type, type_argument_count
from nxdc.check.expressions.arguments import converted_arguments, use_expected
from nxdc.check.expressions.constructors import (
    construct_struct,
    construct_variant,
    count,
    given,
    made_by_alias,
    pick_variant,
    struct_instance,
    union_instance,
)  # fmt: skip
from nxdc.check.expressions.dispatch import dispatch_call
from nxdc.check.expressions.exprs import (
    check,
    error_expr,
    handles,
    is_error,
    module_of,
    need,
    read_local,
    report_unknown_module,
    type_named,
    undefined,
)  # fmt: skip
from nxdc.check.expressions.fields import field_of, has_field, members_of, variant_symbol
from nxdc.check.expressions.overloads import Arg, CallSite, Candidate, arity, best, conversion_cost, fit, instantiate
from nxdc.check.flow.leaving import never_returns
from nxdc.check.function import Fn
from nxdc.check.instances import demand, instance_for
from nxdc.check.literals import is_container_literal
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import constraints, model
from nxdc.types.model import ANY, NominalDecl, Type, TypeVar
from nxdc.types.show import show, show_trait
from nxdc.types.unify import prune


@handles(ast.Call)
def check_call(f: Fn, node: ast.Call, expected: Type | None) -> core.Expr:
    """A call."""
    callee = node.callee
    args = [Arg(a) for a in node.args]
    if isinstance(callee, ast.NameRef):
        site = CallSite(callee.name, callee.span, node.span, args, node.type_args, expected)
        return call_name(f, site)
    if isinstance(callee, ast.Field):
        site = CallSite(callee.name.text, callee.name.span, node.span, args, node.type_args, expected)
        return _call_field(f, callee, site)
    if isinstance(callee, ast.IsTest):
        return _test_with_parts(f, callee, node)
    return call_value(f, check(f, callee), args, node.span)


def _test_with_parts(f: Fn, test: ast.IsTest, node: ast.Call) -> core.Expr:
    """`R IS OK(V)`: what MATCHES is for."""
    word = Span(node.span.file, test.expr.span.end, test.target.span.start)
    at = word.start + word.text.index("IS")
    word = Span(node.span.file, at, at + 2)
    check(f, test.expr)
    f.root.broken += node.span.text  # the names in it are those of the pattern
    fixes = [Fix("write `MATCHES`", (Edit(word, "MATCHES"),), LIKELY)]
    helps = [f"`{test.expr.span.text} MATCHES {test.target.span.text}(X)` names what the variant holds"]
    f.error(codes.P1006, "is_parts", word, helps=helps, fixes=fixes)
    return error_expr(node.span)


def call_name(f: Fn, site: CallSite) -> core.Expr:
    """`F(A)`."""
    name = site.name
    var = f.lookup(name)
    groups = f.scope.tiers(name)
    if var is not None and (_is_callable(var.local.type) or not groups):
        return call_value(f, read_local(f, var, site.name_span), site.args, site.span)
    if name == "TASK" and not groups:
        from nxdc.check.statements.concurrency import check_task

        return check_task(f, site)
    if name == "BOX" and not f.scope.types("BOX") and site.type_args:
        from nxdc.check.expressions.boxes import check_box

        return check_box(f, site)
    if not groups:
        if f.scope.types(name):
            groups = [[f.scope.types(name)[0]]]
        elif name in f.checker.impl_functions:
            groups = [[]]  # a function that a trait of an argument asks for
        else:
            check_args(f, site)
            if f.checker.names_only and any(m.name == name for ms in f.checker.trait_methods.values() for m in ms):
                return error_expr(site.span)
            return undefined(f, name, site.name_span, wording="function")
    return call_symbols(f, groups, site)


def _is_callable(type_: Type) -> bool:
    type_ = prune(type_)
    if isinstance(type_, model.NullableType):
        type_ = prune(type_.inner)
    return isinstance(type_, (model.FuncType, TypeVar, model.ErrorType)) or type_ is ANY


def _call_field(f: Fn, callee: ast.Field, site: CallSite) -> core.Expr:
    """`m.F(A)`, `SHAPE.RECT(A)`, `X.FIELD(A)`, `X.F(A)` for `F(X, A)`."""
    module = module_of(f, callee.base)
    if module is not None:
        symbols = members_of(f, module, callee.name)
        if not symbols:
            check_args(f, site)
            return error_expr(site.span)
        return call_symbols(f, [symbols], site)
    symbol = type_named(f, callee.base)
    if symbol is not None and symbol.decl is not None and symbol.decl.kind in ("union", "enum"):
        variant = variant_symbol(f, symbol.decl, callee.name)
        if variant is None:
            check_args(f, site)
            return error_expr(site.span)
        return _construct(f, variant, site)
    if symbol is UNDECIDED or report_unknown_module(f, callee.base):
        check_args(f, site)
        return error_expr(site.span)
    return _call_method(f, callee, site)


def _call_method(f: Fn, callee: ast.Field, site: CallSite) -> core.Expr:
    obj = check(f, callee.base)
    if is_error(obj):
        check_args(f, site)
        return obj
    return call_method(f, obj, site, callee.base)


def call_method(f: Fn, obj: core.Expr, site: CallSite, base: ast.Expr | None = None) -> core.Expr:
    """`X.F(A)` on a checked value: a field that is called, or `F(X, A)`."""
    type_ = prune(obj.type)
    bare = prune(type_.inner) if isinstance(type_, model.NullableType) else type_
    if isinstance(bare, model.BoxType):
        from nxdc.check.expressions.boxes import call_box

        return call_box(f, obj, bare, site)
    groups = f.scope.tiers(site.name)
    if not groups and site.name in f.checker.impl_functions:
        groups = [[]]
    functions = any(isinstance(s, (FuncSymbol, PreludeSymbol)) for group in groups for s in group)
    if has_field(bare, site.name) or (bare is ANY and not functions):
        return call_value(f, field_of(f, obj, site.name, site.name_span, site.span), site.args, site.span)
    found = _methods(f, bare, site.name)
    if found:
        groups = [found, *groups]
    if not groups:
        check_args(f, site)
        if names.report_missing_import(f.checker, f.scope, (ast.Name(site.name_span, site.name),), site.name_span):
            return error_expr(site.span)
        known = (
            [n for n, _ in model.struct_fields(bare)] if isinstance(bare, (model.StructType, model.RecordType)) else []
        )
        hint = habits.function_hint(site.name, site.name_span) or names.suggest(
            site.name, [*known, *names.visible_values(f.scope)], site.name_span
        )
        f.error(codes.S3001, "method", site.name_span, type=show(type_), name=site.name, **hint)
        return error_expr(site.span)
    site.args = [Arg(base, obj), *site.args]
    return call_symbols(f, groups, site)


def _methods(f: Fn, type_: Type, name: str) -> list[Symbol]:
    """Functions of the module that declares the type: its methods, also where the module is not imported."""
    if not isinstance(type_, (model.StructType, model.UnionType, model.EnumType)):
        return []
    scope = f.checker.scopes.get(type_.decl.module)
    if scope is None or scope is f.scope:
        return []
    return [s for s in scope.sees(name) if isinstance(s, FuncSymbol)]


def check_args(f: Fn, site: CallSite) -> None:
    """Checks the arguments of a call that is already in error."""
    for arg in site.args:
        if arg.expr is None and arg.node is not None and not arg.waits:
            arg.expr = check(f, arg.node)


# ---- choosing
# ------------------------------------------------------------------------------------------------------------


def call_symbols(f: Fn, groups: list[list[Symbol]], site: CallSite) -> core.Expr:
    """Calls what the name means, by groups: own, imported, prelude."""
    arguments = len(site.args)
    constructor = _sole_constructor(groups)
    if constructor is not None:
        return _construct(f, constructor, site)
    functions: list[FuncSymbol | PreludeSymbol] = []
    for group in groups:
        functions += [s for s in group if isinstance(s, (FuncSymbol, PreludeSymbol)) and arity(s) == arguments]
    sole_kind = not _other_meanings(groups) and site.name not in f.checker.impl_functions
    if len(functions) == 1 and sole_kind:
        return _call_candidate(f, instantiate(f, functions[0]), site)
    for arg in site.args:
        if arg.expr is None and not arg.waits and not is_container_literal(arg.node):
            assert arg.node is not None
            arg.expr = check(f, arg.node)
    only = _sole_fitting(f, functions, site) if sole_kind else None
    if only is not None:
        return _call_candidate(f, instantiate(f, only), site)
    check_args(f, site)
    constructor = _expected_constructor(f, groups, site)
    if constructor is not None:
        return _construct(f, constructor, site)
    promised: list[Symbol] = list(f.checker.impl_functions.get(site.name, ()))
    for group in [*groups, promised]:
        found = _call_group(f, group, site)
        if found is not None:
            return found
    from nxdc.check.expressions.boxes import box_call

    boxed = box_call(f, site)
    if boxed is not None:
        return boxed
    if not any(groups):
        return undefined(f, site.name, site.name_span, wording="function")
    return _no_candidate(f, groups, functions, site)


def _sole_fitting(
    f: Fn, functions: list[FuncSymbol | PreludeSymbol], site: CallSite
) -> FuncSymbol | PreludeSymbol | None:
    """The one function that the other arguments leave, where a list or map literal still waits for the type it is to
    have: `PUSH(L, [1, "two"])`."""
    known = [prune(arg.expr.type) for arg in site.args if arg.expr is not None]
    if len(known) == len(site.args) or ANY in known or any(isinstance(t, TypeVar) for t in known):
        return None
    fitting = [symbol for symbol in functions if fit(f, instantiate(f, symbol), site.args) is not None]
    return fitting[0] if len(fitting) == 1 else None


def _expected_constructor(f: Fn, groups: list[list[Symbol]], site: CallSite) -> VariantSymbol | TypeSymbol | None:
    """A constructor of the expected type, also where functions of the same name stand nearer: `RETURN OK(X)`."""
    for group in groups:
        for symbol in group:
            if isinstance(symbol, (VariantSymbol, TypeSymbol)) and _expects(site.expected, symbol):
                nearer = [s for s in groups[0] if isinstance(s, FuncSymbol) and s.result is not None]
                if any(_gives(f, s, site.expected) for s in nearer) or not _constructor_fits(f, symbol, site):
                    return None
                return symbol
    return None


def _gives(f: Fn, symbol: FuncSymbol, expected: Type | None) -> bool:
    """Whether a function's written result is of the expected type."""
    want = prune(expected) if expected is not None else None
    return isinstance(symbol.result, type(want)) and getattr(symbol.result, "decl", None) is getattr(want, "decl", None)


def _sole_constructor(groups: list[list[Symbol]]) -> VariantSymbol | TypeSymbol | None:
    if len(groups) == 1 and len(groups[0]) == 1 and isinstance(groups[0][0], (VariantSymbol, TypeSymbol)):
        return groups[0][0]
    return None


def _other_meanings(groups: list[list[Symbol]]) -> bool:
    return any(isinstance(s, (VariantSymbol, TypeSymbol)) for group in groups for s in group)


def _call_group(f: Fn, group: list[Symbol], site: CallSite) -> core.Expr | None:
    """The call among the symbols of one group; None when none of them fits."""
    for symbol in group:
        if isinstance(symbol, VarSymbol):
            from nxdc.check.expressions.exprs import global_ref

            value = global_ref(f, symbol, site.name_span)
            if _is_callable(value.type) or len(group) == 1:
                return call_value(f, value, site.args, site.span)
    dispatched = dispatch_call(f, group, site)
    if dispatched is not None:
        return dispatched
    constructors = _fitting_constructors(f, group, site)
    fitting: list[tuple[Candidate, list[int]]] = []
    for symbol in group:
        if isinstance(symbol, (FuncSymbol, PreludeSymbol)) and arity(symbol) == len(site.args):
            candidate = instantiate(f, symbol)
            costs = fit(f, candidate, site.args)
            if costs is not None:
                fitting.append((candidate, costs))
    if constructors and (not fitting or _expects(site.expected, constructors[0])):
        if len(constructors) > 1 and not _expects(site.expected, constructors[0]):
            f.error(codes.S3013, "name", site.name_span, name=site.name, **names.several(constructors))
            return error_expr(site.span)
        return _construct(f, constructors[0], site)
    if not fitting:
        return None
    if len(fitting) > 1 and _has_open_argument(site):
        if _waits_for_argument(f, site):
            return error_expr(site.span)
        return _call_group(f, group, site)  # nothing decides it: it is `any` now, and the run-time type chooses
    chosen = best(f, fitting, site.expected)
    if any(arg.expr is not None and isinstance(prune(arg.expr.type), model.NeverType) for arg in site.args):
        chosen = chosen[:1]  # the call is not reached
    if len(chosen) > 1:
        if any(arg.expr is not None and is_error(arg.expr) for arg in site.args):
            return error_expr(site.span)  # what the argument is has been asked for already
        return _ambiguous(f, chosen, site)
    return _call_candidate(f, chosen[0], site)


def _has_open_argument(site: CallSite) -> bool:
    return any(arg.expr is not None and isinstance(prune(arg.expr.type), TypeVar) for arg in site.args)


def _waits_for_argument(f: Fn, site: CallSite) -> bool:
    """Whether an argument's type is still undecided, so that another round must choose."""
    for arg in site.args:
        if arg.expr is not None and isinstance(prune(arg.expr.type), TypeVar) and f.block(arg.expr.type, site.span):
            return True
    return False


def _fitting_constructors(f: Fn, group: list[Symbol], site: CallSite) -> list[VariantSymbol | TypeSymbol]:
    variants = [s for s in group if isinstance(s, VariantSymbol)]
    found: list[VariantSymbol | TypeSymbol] = list(pick_variant(variants, site.expected))
    found += [s for s in group if isinstance(s, TypeSymbol)]
    return [s for s in found if _constructor_fits(f, s, site)]


def _constructor_fits(f: Fn, symbol: VariantSymbol | TypeSymbol, site: CallSite) -> bool:
    """Whether a constructor takes the arguments of the call."""
    wanted: list[Type]
    if isinstance(symbol, VariantSymbol):
        if symbol.is_enum:
            return False
        wanted = list(model.payload_types(union_instance(f, symbol.decl, site.expected), symbol.index))
    elif symbol.decl is not None and symbol.decl.kind == "struct":
        wanted = [t for _, t in model.struct_fields(struct_instance(f, symbol.decl, site.expected))]
    else:
        return symbol.decl is None
    if len(wanted) != len(site.args):
        return False
    mark = f.unifier.begin()
    try:
        pairs = zip(site.args, wanted, strict=True)
        return all(a.expr is None or conversion_cost(f, a.expr, t) is not None for a, t in pairs)
    finally:
        f.unifier.rollback(mark)


def _expects(expected: Type | None, symbol: VariantSymbol | TypeSymbol) -> bool:
    want = prune(expected) if expected is not None else None
    return isinstance(want, (model.UnionType, model.StructType, model.EnumType)) and want.decl is symbol.decl


def _ambiguous(f: Fn, chosen: list[Candidate], site: CallSite) -> core.Expr:
    also = []
    for candidate in chosen:
        place = names.symbol_span(candidate.symbol)
        if place is not None:
            also.append((place, f"`{show_params(candidate.symbol)}`"))
    modules = [c.symbol.module for c in chosen if isinstance(c.symbol, FuncSymbol) and c.symbol.row is None]
    modules = [m for m in modules if m != f.scope.name]
    helps = [f"write the module before the name: `{modules[0]}.{site.name}(...)`"] if modules else []
    if any(a.expr is not None and prune(a.expr.type) is ANY for a in site.args):
        helps.append("an argument may be anything here: write its type where the variable is made, or use `AS`")
    notes = [f"there is `{show_params(c.symbol)}`" for c in chosen if names.symbol_span(c.symbol) is None]
    f.error(codes.S3013, "call", site.name_span, name=site.name, also=also, notes=notes, helps=helps)
    return error_expr(site.span)


def _no_candidate(
    f: Fn, groups: list[list[Symbol]], functions: list[FuncSymbol | PreludeSymbol], site: CallSite
) -> core.Expr:
    """Reports a call that fits no function of the name."""
    callable_ = [s for group in groups for s in group if isinstance(s, (FuncSymbol, PreludeSymbol))]
    constructors = [s for group in groups for s in group if isinstance(s, (VariantSymbol, TypeSymbol))]
    if constructors and not functions:
        return _construct(f, constructors[0], site)  # says what it takes
    if any(a.expr is not None and is_error(a.expr) for a in site.args):
        return error_expr(site.span)
    if not callable_:
        symbol = groups[0][0]
        f.error(codes.S3002, "not_a_value", site.name_span, name=site.name, kind=names.kind_of(symbol))
        return error_expr(site.span)
    if not functions:
        _wrong_count(f, callable_, site)
        return error_expr(site.span)
    also = [(place, f"`{show_params(s)}`") for s in functions if (place := names.symbol_span(s)) is not None]
    notes = [f"there is `{show_params(s)}`" for s in functions if names.symbol_span(s) is None]
    shown = ", ".join("a lambda" if a.expr is None else f"`{show(a.expr.type)}`" for a in site.args)
    f.error(codes.S3002, "no_overload", site.span, name=site.name, args=shown, also=also, notes=notes)
    return error_expr(site.span)


def _wrong_count(f: Fn, symbols: list[FuncSymbol | PreludeSymbol], site: CallSite) -> None:
    wanted = sorted({arity(s) for s in symbols})
    want = count(wanted[0], "argument") if len(wanted) == 1 else " or ".join(str(n) for n in wanted) + " arguments"
    also = [(place, "declared here") for s in symbols if (place := names.symbol_span(s)) is not None][:3]
    notes = [f"it is `{show_params(s)}`" for s in symbols][:3]
    check_args(f, site)
    args = [arg.node.span for arg in site.args if arg.node is not None]
    hint = {} if also else habits.count_hint(site.name, site.name_span, args)
    f.error(codes.S3006, "call", site.span, name=site.name, want=want, got=given(len(site.args)), also=also,
            notes=notes, **hint)  # fmt: skip


def _construct(f: Fn, symbol: VariantSymbol | TypeSymbol, site: CallSite) -> core.Expr:
    """A call of a variant or a type."""
    if isinstance(symbol, VariantSymbol):
        return construct_variant(f, symbol, site.args, site.span, site.expected)
    if symbol.decl is not None and symbol.decl.kind == "struct":
        if site.type_args or not symbol.decl.params:
            type_ = _written(f, symbol, site)
        else:
            type_ = struct_instance(f, symbol.decl, site.expected)
        if isinstance(type_, model.StructType):
            return construct_struct(f, symbol.decl, type_, site.args, site.span)
        return error_expr(site.span)
    if symbol.decl is None:
        return made_by_alias(f, symbol, _written(f, symbol, site), site.args, site.span)
    check_args(f, site)
    f.error(codes.S3002, "not_a_value", site.name_span, name=site.name, kind=names.kind_of(symbol))
    return error_expr(site.span)


def _written(f: Fn, symbol: TypeSymbol, site: CallSite) -> Type:
    args = tuple(resolve_type(f.checker, f.scope, f.env, a) for a in site.type_args)
    node = ast.NamedType(site.name_span, (ast.Name(site.name_span, site.name),), site.type_args)
    return prune(apply_symbol(f.checker, symbol, args, node))


# ---- calling the chosen one
# ---------------------------------------------------------------------------------------------


def _call_candidate(f: Fn, candidate: Candidate, site: CallSite) -> core.Expr:
    """Converts the arguments and makes the call."""
    symbol = candidate.symbol
    if site.type_args:
        _apply_type_args(f, candidate, site)
    use_expected(f, candidate, site)
    made = converted_arguments(f, candidate, site)
    if not _bounds_hold(f, candidate, site):
        return error_expr(site.span)
    if isinstance(symbol, PreludeSymbol):
        signature = symbol.signature
        result = model.substitute(signature.result, candidate.env)
        if symbol.row.diverges:
            result = model.NEVER
        return core.CallPrelude(
            result, site.span, symbol.row, [candidate.env[p.name] for p in signature.type_params], made
        )
    return call_function(f, symbol, candidate, made, site.span)


def call_function(f: Fn, symbol: FuncSymbol, candidate: Candidate, args: list[core.Expr], span: Span) -> core.Expr:
    """A call of a program's function with converted arguments."""
    params = [p if p is not None else a.type for p, a in zip(candidate.params, args, strict=False)]
    instance = instance_for(f.checker, symbol, candidate.env, params, span)
    final: list[core.Expr] = []
    for arg, param in zip(args, instance.params, strict=False):
        final.append(coerce(f, arg, param) or arg)
    demand(f, instance)
    if symbol.node.is_async:
        return core.Spawn(model.TaskType(instance.result), span, instance.function, None, final)
    result = model.NEVER if never_returns(f.checker, symbol) else instance.result
    return core.Call(result, span, instance.function, final)


def _apply_type_args(f: Fn, candidate: Candidate, site: CallSite) -> None:
    names_ = list(candidate.env)
    if len(names_) != len(site.type_args):
        f.error(
            codes.S3002,
            "type_args",
            site.span,
            name=site.name,
            want=type_argument_count(len(names_)),
            got=len(site.type_args),
        )
        return
    for name, node in zip(names_, site.type_args, strict=False):
        f.unifier.unify(candidate.env[name], resolve_type(f.checker, f.scope, f.env, node))


def _bounds_hold(f: Fn, candidate: Candidate, site: CallSite) -> bool:
    for name, bounds in candidate.bounds:
        for bound in bounds:
            wanted = bound_with(bound, candidate.env)
            if not implements(f.checker, candidate.env[name], wanted):
                place = names.symbol_span(candidate.symbol)
                f.error(codes.S3003, "bound", site.span, type=show(candidate.env[name]), trait=show_trait(wanted),
                        helps=_bound_helps(wanted, candidate.env[name], site.name),
                        also=[(place, f"`{name}` must have `{show_trait(bound)}`")] if place else ())  # fmt: skip
                return False
    return True


def _bound_helps(wanted: NominalDecl, type_: Type, function: str) -> list[str]:
    """What has the trait, or how a type of the program gets it."""
    members = constraints.MEMBERS.get(wanted)
    if members is None:
        declared = isinstance(prune(type_), (model.StructType, model.UnionType, model.EnumType))
        return [f"write `IMPL {show_trait(wanted)} FOR {show(type_)}:` with its functions"] if declared else []
    if function == "SORT_BY":
        several = "sorting by several keys: one `SORT_BY` for each, the least important first (equals stay in order)"
        return [members, several]
    return [members]


def call_value(f: Fn, callee: core.Expr, args: list[Arg], span: Span) -> core.Expr:
    """A call of a function value."""
    callee = unwrap_nullable(callee)
    type_ = prune(callee.type)
    if isinstance(type_, TypeVar):
        values = [_value_argument(f, arg, None) for arg in args]
        result = f.fresh()
        if f.unifier.unify(type_, model.FuncType(tuple(v.type for v in values), result)):
            return core.CallValue(result, span, unwrap_nullable(callee), values)  # it may have begun as NONE
    if type_ is ANY:
        values = [coerce(f, _value_argument(f, arg, ANY), ANY) or error_expr(span) for arg in args]
        general = model.FuncType(tuple(ANY for _ in values), ANY)
        return core.CallValue(ANY, span, core.Convert(general, callee.span, "from_any", callee), values)
    if not isinstance(type_, model.FuncType):
        for arg in args:
            _value_argument(f, arg, None)
        if not is_error(callee):
            f.error(codes.S3002, "not_callable", callee.span, type=show(type_))
        return error_expr(span)
    if len(args) != len(type_.params):
        for arg in args:
            _value_argument(f, arg, None)
        f.error(codes.S3006, "value", span, want=count(len(type_.params), "argument"), got=given(len(args)),
                notes=[f"it is a `{show(type_)}`"])  # fmt: skip
        return error_expr(span)
    values = [
        need(f, _value_argument(f, arg, want), want, _place(arg, span))
        for arg, want in zip(args, type_.params, strict=False)
    ]
    return core.CallValue(type_.result, span, callee, values)


def _place(arg: Arg, span: Span) -> Span:
    return arg.node.span if arg.node is not None else span


def _value_argument(f: Fn, arg: Arg, want: Type | None) -> core.Expr:
    if arg.expr is None:
        assert arg.node is not None
        arg.expr = check(f, arg.node, want)
    return arg.expr
