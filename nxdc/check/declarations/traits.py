"""Traits: which types have them, and whether they keep what they promise.

Implementing is nominal: `IMPLEMENTS` at the type plus functions of its module, or an `IMPL` block. In the signature
of a trait, a parameter without a type (or of type `SELF`) stands for the implementing type. The methods of an IMPL
block become functions of the block's module, and of those of the trait and of the type, so that they are visible
wherever one of these is. A trait with type parameters (`TRAIT CONTAINER<T>`) is implemented, asked for and boxed with
type arguments; one with arguments is a `NominalDecl` of its own that knows its `origin`. A method with a body in the
trait is a generic function over all types of the trait; a function for one type is more specific.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nxdc.check.declarations import names
from nxdc.check.declarations.symbols import FuncSymbol, ModuleScope
from nxdc.check.declarations.typeexprs import Env, resolve_trait, resolve_type
from nxdc.diagnostics import codes
from nxdc.modules.model import ModuleInfo
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.constraints import CONSTRAINTS, has_constraint
from nxdc.types.model import NominalDecl, Type
from nxdc.types.show import show, show_trait
from nxdc.types.unify import prune

if TYPE_CHECKING:
    from nxdc.check.checker import Checker

SELF = "SELF"


class TraitMethod(Record):
    """One function that a trait asks for. `None` in `params` is the implementing type."""

    name: str
    node: ast.FuncDecl
    params: tuple[Type | None, ...]
    result: Type


# ---- having a trait
# ------------------------------------------------------------------------------------------------------


def implements(checker: Checker, type_: Type, trait: NominalDecl) -> bool:
    """Whether values of `type_` have the trait (built-in constraints included)."""
    type_ = prune(type_)
    if isinstance(type_, (model.ErrorType, model.NeverType, model.TypeVar)):
        return True
    if CONSTRAINTS.get(trait.name) is trait:
        return has_constraint(type_, trait)
    return any(extends(checker, own, trait) for own in own_traits(checker, type_))


def own_traits(checker: Checker, type_: Type) -> list[NominalDecl]:
    """The traits that a type says it has, with the type arguments that it gives them."""
    if isinstance(type_, model.BoxType):
        return [with_args(type_.trait, type_.args)]
    if isinstance(type_, model.EnumType):
        return type_.decl.traits
    if isinstance(type_, (model.StructType, model.UnionType)):
        return [_substituted(t, dict(zip(type_.decl.params, type_.args, strict=False))) for t in type_.decl.traits]
    if isinstance(type_, model.TypeParam):
        return list(type_.bounds)
    return checker.builtin_traits.get(type_, [])


def extends(checker: Checker, trait: NominalDecl, other: NominalDecl) -> bool:
    """Whether `trait` is `other` or extends it. Open type arguments of either become those of the other."""
    if trait.origin is other.origin:
        mark = checker.unifier.begin()
        if all(checker.unifier.unify(a, b) for a, b in zip(trait.args, other.args, strict=True)):
            checker.unifier.commit(mark)
            return True
        checker.unifier.rollback(mark)
    return any(extends(checker, parent, other) for parent in _parents(trait))


def with_args(trait: NominalDecl, args: tuple[Type, ...]) -> NominalDecl:
    """A trait with its type arguments."""
    if not args:
        return trait
    made = NominalDecl("trait", trait.origin.name, trait.module, (), trait.span)
    made.origin, made.args = trait.origin, args
    return made


def bound_with(trait: NominalDecl, env: dict[str, Type]) -> NominalDecl:
    """A bound of a generic function for the type arguments of one call: `<T, C : CONTAINER<T>>`."""
    return _substituted(trait, env)


def _substituted(trait: NominalDecl, mapping: dict[str, Type]) -> NominalDecl:
    return with_args(trait, tuple(model.substitute(a, mapping) for a in trait.args)) if trait.args else trait


def _mapping(trait: NominalDecl) -> dict[str, Type]:
    return dict(zip(trait.origin.params, trait.args, strict=False))


def _parents(trait: NominalDecl) -> list[NominalDecl]:
    mapping = _mapping(trait)
    return [_substituted(parent, mapping) for parent in trait.origin.traits]


def methods_of(checker: Checker, trait: NominalDecl) -> list[TraitMethod]:
    """The methods of a trait and of those it extends, its own first."""
    mapping = _mapping(trait)
    found = {m.name: _with_arguments(m, mapping) for m in checker.trait_methods.get(trait.origin, ())}
    for parent in _parents(trait):
        for method in methods_of(checker, parent):
            found.setdefault(method.name, method)
    return list(found.values())


def _with_arguments(method: TraitMethod, mapping: dict[str, Type]) -> TraitMethod:
    if not mapping:
        return method
    params = tuple(None if p is None else model.substitute(p, mapping) for p in method.params)
    return TraitMethod(method.name, method.node, params, model.substitute(method.result, mapping))


# ---- declaring
# ---------------------------------------------------------------------------------------------------------------


def declare_trait_methods(checker: Checker, scope: ModuleScope, info: ModuleInfo) -> None:
    """Reads the signatures of a module's traits; methods with a body become functions."""
    for item in info.node.items:
        if not isinstance(item, ast.TraitDecl):
            continue
        symbol = scope.own_types.get(item.name.text)
        if symbol is None or symbol.node is not item or symbol.decl is None:
            continue
        trait = symbol.decl
        checker.trait_methods[trait] = [_read_method(checker, scope, m, trait.params) for m in item.methods]
        for method in checker.trait_methods[trait]:
            if method.node.body is not None:
                scope.add(_default_method(scope, trait, method))


def _read_method(checker: Checker, scope: ModuleScope, node: ast.FuncDecl, type_params: tuple[str, ...]) -> TraitMethod:
    params: list[Type | None] = []
    env: Env = {name: model.TypeParam(name) for name in (*type_params, SELF)}
    for param in node.params:
        type_ = resolve_type(checker, scope, env, param.type) if param.type is not None else None
        params.append(None if isinstance(type_, model.TypeParam) and type_.name == SELF else type_)
    result = resolve_type(checker, scope, env, node.result) if node.result is not None else model.NONE
    return TraitMethod(node.name.text, node, tuple(params), result)


def _default_method(scope: ModuleScope, trait: NominalDecl, method: TraitMethod) -> FuncSymbol:
    symbol = FuncSymbol(method.name, scope, method.node)
    symbol.generic = True
    symbol.type_params = (*trait.params, SELF)
    asked = with_args(trait, tuple(model.TypeParam(name) for name in trait.params))
    symbol.bounds = {SELF: (asked,)}
    own = model.TypeParam(SELF, (asked,))
    symbol.params = [own if p is None else p for p in method.params]
    symbol.result = method.result if method.node.result is not None else None
    symbol.is_read = True
    return symbol


def declare_impls(checker: Checker, scope: ModuleScope, info: ModuleInfo) -> None:
    """The IMPL blocks of a module."""
    for item in info.node.items:
        if isinstance(item, ast.ImplDecl):
            _declare_impl(checker, scope, item)


def _declare_impl(checker: Checker, scope: ModuleScope, item: ast.ImplDecl) -> None:
    env: Env = {p.name.text: model.TypeParam(p.name.text) for p in item.type_params}
    trait = resolve_trait(checker, scope, item.trait, env)
    target = resolve_type(checker, scope, env, item.target)
    if trait is None or isinstance(target, model.ErrorType):
        return
    if CONSTRAINTS.get(trait.name) is trait:
        checker.report(codes.S3003, "builtin", item.trait.span, trait=trait.name)
        return
    nominal = isinstance(target, (model.StructType, model.UnionType, model.EnumType))
    have = target.decl.traits if nominal else checker.builtin_traits.setdefault(target, [])  # type: ignore[attr-defined]
    add_trait(have, _in_terms_of(trait, target) if nominal else trait)
    wanted = {m.name: m for m in methods_of(checker, trait)}
    places = [scope, checker.scopes.get(trait.module), checker.scopes.get(target.decl.module) if nominal else None]  # type: ignore[attr-defined]
    for node in item.methods:
        asked = wanted.get(node.name.text)
        if asked is None:
            checker.report(codes.S3003, "extra", node.name.span, trait=show_trait(trait), name=node.name.text,
                           **names.suggest(node.name.text, wanted, node.name.span))  # fmt: skip
            continue
        symbol = _impl_method(checker, scope, item, env, target, asked, node)
        for place in dict.fromkeys(p for p in places if p is not None):
            place.add(symbol)
        checker.impl_functions.setdefault(symbol.name, []).append(symbol)
    given = {m.name.text for m in item.methods}
    checker.promises.append((target, trait, item.trait.span, scope, given))


def add_trait(traits: list[NominalDecl], trait: NominalDecl) -> None:
    """Adds a trait to those of a type, once."""
    if all(t.origin is not trait.origin or t.args != trait.args for t in traits):
        traits.append(trait)


def _in_terms_of(trait: NominalDecl, target: Type) -> NominalDecl:
    """The trait of `IMPL<A> CONTAINER<A> FOR PAIR<A>` in the type parameters that the declaration of PAIR has."""
    if not isinstance(target, (model.StructType, model.UnionType)):
        return trait
    mapping: dict[str, Type] = {
        arg.name: model.TypeParam(name)
        for name, arg in zip(target.decl.params, target.args, strict=False)
        if isinstance(arg, model.TypeParam)
    }
    return _substituted(trait, mapping)


def _impl_method(
    checker: Checker,
    scope: ModuleScope,
    item: ast.ImplDecl,
    env: Env,
    target: Type,
    asked: TraitMethod,
    node: ast.FuncDecl,
) -> FuncSymbol:
    symbol = FuncSymbol(node.name.text, scope, node)
    symbol.is_read = True
    symbol.type_params = tuple(p.name.text for p in item.type_params)
    symbol.generic = bool(symbol.type_params)
    inner: Env = {**env, SELF: target}
    for i, param in enumerate(node.params):
        promised = asked.params[i] if i < len(asked.params) else None
        own = target if promised is None else promised
        symbol.params.append(resolve_type(checker, scope, inner, param.type) if param.type is not None else own)
    promised_result = _with_self(asked.result, target)
    symbol.result = promised_result
    if node.result is not None or (node.is_async and not isinstance(promised_result, model.TaskType)):
        result = promised_result if node.result is None else resolve_type(checker, scope, inner, node.result)
        symbol.result = model.TaskType(result) if node.is_async else result
    if not _fits(symbol, asked, target):
        _report_signature(checker, node.name.span, node.name.text, target, item.trait.span.text, asked)
    return symbol


def _with_self(type_: Type, target: Type) -> Type:
    return model.substitute(type_, {SELF: target})


# ---- keeping promises
# --------------------------------------------------------------------------------------------------------


def promise_implements(checker: Checker, scope: ModuleScope, info: ModuleInfo) -> None:
    """Notes what the IMPLEMENTS of a module's types promise."""
    for item in info.node.items:
        if not isinstance(item, ast.TypeDecl) or not item.implements:
            continue
        symbol = scope.own_types.get(item.name.text)
        if symbol is None or symbol.node is not item or symbol.decl is None:
            continue
        args: tuple[Type, ...] = tuple(model.TypeParam(p) for p in symbol.params)
        kinds = {"struct": model.StructType(symbol.decl, args), "union": model.UnionType(symbol.decl, args)}
        target = kinds.get(symbol.decl.kind, model.EnumType(symbol.decl))
        for node, trait in zip(item.implements, symbol.decl.traits, strict=False):
            checker.promises.append((target, trait, node.span, scope, set()))


def check_promises(checker: Checker) -> None:
    """Checks that each type has the functions of its traits."""
    for target, trait, span, scope, given in checker.promises:
        for asked in methods_of(checker, trait):
            if asked.name in given or asked.node.body is not None:
                continue
            candidates = [s for s in scope.own.get(asked.name, []) if isinstance(s, FuncSymbol)]
            candidates += [s for s in checker.impl_functions.get(asked.name, []) if s not in candidates]
            fitting = [s for s in candidates if _fits(s, asked, target)]
            for symbol in fitting:
                checker.impl_functions.setdefault(symbol.name, [])
                if symbol not in checker.impl_functions[symbol.name]:
                    checker.impl_functions[symbol.name].append(symbol)
            if fitting:
                continue
            near = [s for s in candidates if _takes(s, target)]
            checker.unkept.add((getattr(target, "decl", target), trait.origin))
            if near:
                _report_signature(checker, near[0].span, asked.name, target, show_trait(trait), asked)
            else:
                checker.report(codes.S3003, "method", span, type=show(target), trait=show_trait(trait), name=asked.name,
                               also=[(asked.node.name.span, "asked for here")],
                               helps=[f"add `{signature(asked, target)}`"])  # fmt: skip


def _takes(symbol: FuncSymbol, target: Type) -> bool:
    return any(t is not None and t == target for t in symbol.params)


def _fits(symbol: FuncSymbol, asked: TraitMethod, target: Type) -> bool:
    """Whether a function has the signature that the trait asks of the type."""
    if len(symbol.params) != len(asked.params):
        return False
    for have, want in zip(symbol.params, asked.params, strict=True):
        wanted = target if want is None else _with_self(want, target)
        if have is not None and have != wanted and not _same_shape(have, wanted):
            return False
    return symbol.result is None or symbol.result == _with_self(asked.result, target) or symbol.generic


def _same_shape(have: Type, want: Type) -> bool:
    """Generic functions over a generic type: `FUNC F<T>(B: BOX<T>)`."""
    if isinstance(have, (model.StructType, model.UnionType)) and type(have) is type(want):
        return have.decl is want.decl
    return False


def _report_signature(checker: Checker, span: Span, name: str, target: Type, trait: str, asked: TraitMethod) -> None:
    checker.report(codes.S3003, "signature", span, name=name, type=show(target), trait=trait,
                   also=[(asked.node.name.span, "asked for here")],
                   helps=[f"the trait asks for `{signature(asked, target)}`"])  # fmt: skip


def signature(method: TraitMethod, target: Type) -> str:
    """A method as it must be written for a type."""
    params = ", ".join(
        f"{p.name.text}: {show(target if t is None else _with_self(t, target))}"
        for p, t in zip(method.node.params, method.params, strict=True)
    )
    result = _with_self(method.result, target)
    tail = "" if result is model.NONE else f": {show(result)}"
    return f"FUNC {method.name}({params}){tail}"
