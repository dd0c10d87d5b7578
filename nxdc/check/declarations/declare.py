"""Makes symbols of declarations: types first, then signatures of functions, then module variables.

Input:  the modules of a program.
Output: one `ModuleScope` a module, its nominal types filled in, its signatures read. Bodies are not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.check.declarations.endless import check_endless
from nxdc.check.declarations.growing import check_growing
from nxdc.check.declarations.symbols import (
    FuncSymbol,
    ModuleScope,
    PreludeScope,
    PreludeSymbol,
    Symbol,
    TypeSymbol,
    VariantSymbol,
    VarSymbol,
)  # fmt: skip
from nxdc.check.declarations.traits import (
    add_trait,
    check_promises,
    declare_impls,
    declare_trait_methods,
    promise_implements,
)  # fmt: skip
from nxdc.check.declarations.typeexprs import Env, resolve_trait, resolve_type
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.modules.model import ModuleInfo
from nxdc.syntax import ast
from nxdc.tables.prelude import by_name
from nxdc.types import model
from nxdc.types.model import NominalDecl, Type
from nxdc.types.show import show_all
from nxdc.types.signature import read_signature

if TYPE_CHECKING:
    from nxdc.check.checker import Checker


def declare_modules(checker: Checker, modules: tuple[ModuleInfo, ...]) -> None:
    """Declares everything that the modules declare."""
    for info in modules:
        scope = ModuleScope(info, info.name)
        scope.prelude = checker.prelude
        checker.scopes[info.name] = scope
        checker.scope_of[info] = scope
    for info in modules:
        _link_imports(checker, info)
    for info in modules:
        _declare_names(checker, checker.scope_of[info], info)
    for info in modules:
        _fill_types(checker, checker.scope_of[info], info)
    for info in modules:
        declare_trait_methods(checker, checker.scope_of[info], info)
    types = [symbol for scope in checker.scopes.values() for symbol in scope.own_types.values()]
    check_growing(checker, [symbol.decl for symbol in types if symbol.decl])
    check_endless(checker, types)
    for info in modules:
        declare_impls(checker, checker.scope_of[info], info)
        promise_implements(checker, checker.scope_of[info], info)
    for info in modules:
        _read_signatures(checker, checker.scope_of[info], info)
    check_promises(checker)


def _link_imports(checker: Checker, info: ModuleInfo) -> None:
    scope = checker.scope_of[info]
    for entry in info.imports:
        selected = frozenset(name.text for name in entry.names)
        scope.imports.append((checker.scope_of[entry.module], entry.alias, selected))


def _declare_names(checker: Checker, scope: ModuleScope, info: ModuleInfo) -> None:
    for name, entries in info.declarations.items():
        if entries and not any(entry.exported for entry in entries):
            scope.hidden.add(name)
        else:
            scope.private.update(entry.node for entry in entries if not entry.exported)
    taken: dict[str, ast.Name] = {}
    for item in info.node.items:
        if isinstance(item, (ast.FuncDecl, ast.Let)):
            _check_taken(checker, taken, item)
        if isinstance(item, (ast.TypeDecl, ast.TraitDecl)):
            _declare_type(checker, scope, item)
        elif isinstance(item, ast.FuncDecl):
            scope.add(FuncSymbol(item.name.text, scope, item))
        elif isinstance(item, ast.Let):
            _declare_variable(scope, item)


def _check_taken(checker: Checker, taken: dict[str, ast.Name], item: ast.FuncDecl | ast.Let) -> None:
    """A name is a function or a variable of its module, not both."""
    kind = "FUNC " if isinstance(item, ast.FuncDecl) else "LET "
    other = taken.get(("LET " if kind == "FUNC " else "FUNC ") + item.name.text)
    if other is not None:
        checker.report_repeated("name", item.name, other.span)
    taken.setdefault(kind + item.name.text, item.name)


def _declare_variable(scope: ModuleScope, item: ast.Let) -> None:
    name = item.name.text
    variable = core.Global(name, scope.name, model.ANY, item.name.span)
    symbol = VarSymbol(name, scope, item, variable)
    scope.variables[item] = symbol
    earlier = scope.own.get(name, [])
    symbol.previous = next((s for s in earlier if isinstance(s, VarSymbol)), None)
    # A second LET of a name stands for it from then on; functions see the last one.
    scope.own[name] = [s for s in earlier if not isinstance(s, VarSymbol)]
    scope.add(symbol)


# ---- types -----------------------------------------------------------------------------------------------------------


def _declare_type(checker: Checker, scope: ModuleScope, item: ast.TypeDecl | ast.TraitDecl) -> None:
    name = item.name.text
    earlier = scope.own_types.get(name)
    if earlier is not None:
        checker.report_repeated("name", item.name, earlier.span)
        return
    symbol = TypeSymbol(name, scope, item)
    symbol.params = tuple(p.name.text for p in item.type_params)
    if isinstance(item, ast.TraitDecl):
        symbol.decl = NominalDecl("trait", name, scope.name, symbol.params, item.name.span)
        scope.add(symbol)
        return
    prelude = prelude_type(item)
    body = item.body
    if prelude is not None:
        # `TYPE RESULT UNION { OK(any), ERR(string) }` is the prelude's type, in whichever module it stands.
        decl = model.OPTION_DECL if name == "OPTION" else model.RESULT_DECL
        symbol.params = decl.params
        symbol.target = model.UnionType(decl, tuple(model.TypeParam(p) for p in decl.params))
    elif isinstance(body, ast.StructBody):
        symbol.decl = NominalDecl("struct", name, scope.name, symbol.params, item.name.span)
    elif isinstance(body, ast.EnumBody):
        symbol.decl = NominalDecl("enum", name, scope.name, symbol.params, item.name.span)
        symbol.decl.variants = [(member.text, ()) for member in body.members]
        for index, member in enumerate(body.members):
            first = next(m for m in body.members if m.text == member.text)
            if first is not member:
                checker.report_repeated("variant", member, first.span)
                continue
            scope.add(VariantSymbol(member.text, symbol.decl, index, member.span))
    elif isinstance(body, ast.UnionBody):
        symbol.decl = NominalDecl("union", name, scope.name, symbol.params, item.name.span)
        for index, variant in enumerate(body.variants):
            symbol.decl.field_spans[variant.name.text] = variant.name.span
            scope.add(VariantSymbol(variant.name.text, symbol.decl, index, variant.name.span))
    scope.add(symbol)


def prelude_type(item: ast.TypeDecl) -> model.NominalDecl | None:
    """OPTION or RESULT when a declaration writes it as the prelude does."""
    name, body = item.name.text, item.body
    if name not in ("OPTION", "RESULT") or not isinstance(body, ast.UnionBody):
        return None
    found = [(v.name.text, [t.name if isinstance(t, ast.NamedType) else "?" for t in v.payload]) for v in body.variants]
    params = [p.name.text for p in item.type_params]
    if name == "OPTION":
        ok = found == [("SOME", params[:1] or ["any"]), ("NONE", [])]
        return model.OPTION_DECL if ok and len(params) <= 1 else None
    value, error = params[:1] or ["any"], params[1:2] or ["string"]
    ok = found == [("OK", value), ("ERR", error)]
    return model.RESULT_DECL if ok and len(params) <= 2 else None


def _fill_types(checker: Checker, scope: ModuleScope, info: ModuleInfo) -> None:
    for item in info.node.items:
        if isinstance(item, ast.TypeUse):
            resolve_type(checker, scope, {}, item.type)
        if not isinstance(item, (ast.TypeDecl, ast.TraitDecl)):
            continue
        symbol = scope.own_types[item.name.text]
        if symbol.node is not item:
            continue
        if symbol.decl is None:
            if symbol.target is None:
                alias_target(checker, symbol)
        else:
            _fill_decl(checker, scope, item, symbol.decl)


def _fill_decl(checker: Checker, scope: ModuleScope, item: ast.TypeDecl | ast.TraitDecl, decl: NominalDecl) -> None:
    plain: Env = {p.name.text: model.TypeParam(p.name.text) for p in item.type_params}
    env: Env = {}
    for param in item.type_params:
        bounds = [resolve_trait(checker, scope, b, plain) for b in param.bounds]
        env[param.name.text] = model.TypeParam(param.name.text, tuple(b for b in bounds if b is not None))
    parents = item.extends if isinstance(item, ast.TraitDecl) else item.implements
    for parent in parents:
        trait = resolve_trait(checker, scope, parent, plain)
        if trait is not None:
            add_trait(decl.traits, trait)
    if isinstance(item, ast.TraitDecl):
        return
    if isinstance(item.body, ast.StructBody):
        for field in item.body.fields:
            if field.name.text in decl.field_spans:
                checker.report_repeated("field", field.name, decl.field_spans[field.name.text])
                continue
            decl.fields.append((field.name.text, resolve_type(checker, scope, env, field.type)))
            decl.field_spans[field.name.text] = field.name.span
    elif isinstance(item.body, ast.UnionBody):
        seen: dict[str, ast.Variant] = {}
        for variant in item.body.variants:
            payload = tuple(resolve_type(checker, scope, env, t) for t in variant.payload)
            decl.variants.append((variant.name.text, payload))
            if variant.name.text in seen:
                checker.report_repeated("variant", variant.name, seen[variant.name.text].name.span)
            seen.setdefault(variant.name.text, variant)


def alias_target(checker: Checker, symbol: TypeSymbol) -> Type:
    """What an alias stands for, in terms of its parameters."""
    if symbol.target is not None:
        return symbol.target
    node = symbol.node
    assert isinstance(node, ast.TypeDecl) and isinstance(node.body, ast.AliasBody) and symbol.scope is not None
    if symbol.resolving:
        checker.report(codes.S3002, "recursive", node.name.span, name=symbol.name)
        symbol.target = model.ERROR
        return model.ERROR
    symbol.resolving = True
    env: Env = {name: model.TypeParam(name) for name in symbol.params}
    target = resolve_type(checker, symbol.scope, env, node.body.type)
    symbol.resolving = False
    if symbol.target is None:
        symbol.target = target
    return symbol.target


# ---- functions
# ---------------------------------------------------------------------------------------------------------


def _read_signatures(checker: Checker, scope: ModuleScope, info: ModuleInfo) -> None:
    for symbols in scope.own.values():
        functions = [s for s in symbols if isinstance(s, FuncSymbol)]
        for symbol in functions:
            if not symbol.is_read:
                read_function(checker, symbol)
        if len(functions) > 1:
            _check_duplicates(checker, functions)


def read_function(checker: Checker, symbol: FuncSymbol) -> None:
    """Reads the written types of a function."""
    node, scope = symbol.node, symbol.scope
    symbol.is_read = True
    env: Env = {}
    symbol.type_params = tuple(p.name.text for p in node.type_params)
    symbol.generic = bool(symbol.type_params)
    where = {c.name.text: c.bounds for c in node.where}
    plain: Env = {p.name.text: model.TypeParam(p.name.text) for p in node.type_params}
    for param in node.type_params:
        name = param.name.text
        hint = f"behind `{name} :` stand the traits of `{name}`; other type parameters stand before it"
        bounds = (*param.bounds, *where.pop(name, ()))
        found = [resolve_trait(checker, scope, b, plain, hint if i else "") for i, b in enumerate(bounds)]
        symbol.bounds[name] = tuple(b for b in found if b is not None)
        env[name] = model.TypeParam(name, symbol.bounds[name])
    for constraint in node.where:
        if constraint.name.text in where:
            checker.report(codes.S3001, "type_param", constraint.name.span, name=constraint.name.text)
    seen: dict[str, ast.Param] = {}
    for parameter in node.params:
        name = parameter.name.text
        if name in seen:
            checker.report_repeated("param", parameter.name, seen[name].name.span)
        seen[name] = parameter
        type_ = resolve_type(checker, scope, env, parameter.type) if parameter.type is not None else None
        symbol.params.append(type_)
    symbol.is_template = any(t is None for t in symbol.params)
    if node.result is not None:
        result = resolve_type(checker, scope, env, node.result)
        symbol.result = model.TaskType(result) if node.is_async else result


def _check_duplicates(checker: Checker, functions: list[FuncSymbol]) -> None:
    found: dict[tuple[tuple[Type | None, ...], tuple[tuple[NominalDecl, ...], ...]], FuncSymbol] = {}
    for later in functions:
        earlier = found.setdefault(_signature(later), later)
        if earlier is not later:
            checker.report_repeated("function", later.node.name, earlier.span)


def _signature(symbol: FuncSymbol) -> tuple[tuple[Type | None, ...], tuple[tuple[NominalDecl, ...], ...]]:
    """The parameter types of a function and the bounds of its type parameters, whatever these are called."""
    order = {name: model.TypeParam(f"{i}") for i, name in enumerate(symbol.type_params)}
    params = [model.substitute(t, dict(order)) if t is not None else None for t in symbol.params]
    return tuple(params), tuple(symbol.bounds.get(name, ()) for name in symbol.type_params)


# ---- the prelude -----------------------------------------------------------------------------------------------------


_PRELUDE_VARIANTS = {
    "SOME": (model.OPTION_DECL, 0), "NONE": (model.OPTION_DECL, 1),
    "OK": (model.RESULT_DECL, 0), "ERR": (model.RESULT_DECL, 1),
}  # fmt: skip


def prelude_loader(checker: Checker) -> PreludeScope:
    """The prelude's scope, which makes symbols of rows when they are first asked for."""
    scope = PreludeScope()

    def load(scope: PreludeScope, name: str) -> list[Symbol]:
        variant = _PRELUDE_VARIANTS.get(name)
        found: list[Symbol] = [VariantSymbol(name, variant[0], variant[1], None)] if variant else []
        for row in by_name(name):
            if row.nxd is None:
                found.append(PreludeSymbol(row, read_signature(row.signature)))
                continue
            symbol = FuncSymbol(name, scope, checker.parse_prelude(row))
            symbol.row = row
            read_function(checker, symbol)
            found.append(symbol)
        return found

    scope.loader = load
    return scope


def show_params(symbol: FuncSymbol | PreludeSymbol) -> str:
    """The parameter list of a function, for messages."""
    if isinstance(symbol, PreludeSymbol):
        params = [f"{name}: {show_all([t])}" for name, t in symbol.signature.params]
    else:
        params = [
            p.name.text if t is None else f"{p.name.text}: {show_all([t])}"
            for p, t in zip(symbol.node.params, symbol.params, strict=False)
        ]
    return f"{symbol.name}({', '.join(params)})"
