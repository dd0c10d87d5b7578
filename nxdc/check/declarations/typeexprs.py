"""Reads written types: syntax of types to the type language.

`env` maps type parameters in scope to types: to `TypeParam`s while a signature is read, to concrete types inside an
instance. What cannot be read is reported once and becomes `ErrorType`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nxdc.check.declarations import names
from nxdc.check.declarations.symbols import ModuleScope, TypeSymbol, VariantSymbol
from nxdc.check.declarations.typeparams import first_place, missing_parameter
from nxdc.diagnostics import codes
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.constraints import not_a_key
from nxdc.types.model import Type
from nxdc.types.show import show

if TYPE_CHECKING:
    from nxdc.check.checker import Checker

Env = dict[str, Type]

PRIMITIVES: dict[str, Type] = {
    "int": model.INT, "float": model.FLOAT, "bool": model.BOOL, "none": model.NONE, "string": model.STRING,
    "any": model.ANY, "NONE": model.NONE,
}  # fmt: skip
# Built-in generic types: how many arguments they take (OPTION and RESULT may leave theirs out).
BUILTIN_ARITY = {"LIST": 1, "MAP": 2, "CHANNEL": 1, "TASK": 1, "PROCESS": 1, "OPTION": 1, "RESULT": 2, "BOX": 1}
# Stands for a name that could mean several types (reported): its type is an error.
UNDECIDED = TypeSymbol("", None, None)
UNDECIDED.target = model.ERROR


def resolve_type(checker: Checker, scope: ModuleScope, env: Env, node: ast.TypeExpr) -> Type:
    """The type that `node` writes."""
    if isinstance(node, ast.NamedType):
        return _named(checker, scope, env, node)
    if isinstance(node, ast.FnType):
        params = tuple(resolve_type(checker, scope, env, p) for p in node.params)
        result = resolve_type(checker, scope, env, node.result) if node.result is not None else model.NONE
        return model.FuncType(params, result)
    if isinstance(node, ast.RecordType):
        return _record(checker, scope, env, node)
    return model.ERROR


def _named(checker: Checker, scope: ModuleScope, env: Env, node: ast.NamedType) -> Type:
    name = node.name
    if len(node.path) == 1:
        plain = env.get(name)
        if plain is None and not scope.types(name):
            plain = PRIMITIVES.get(name)
        if plain is not None:
            return _arity_error(checker, node, 0, len(node.args)) if node.args else plain
    symbol = find_type(checker, scope, node)
    if symbol is not None:
        args = tuple(resolve_type(checker, scope, env, a) for a in node.args)
        return apply_symbol(checker, symbol, args, node)
    if len(node.path) == 1 and name in BUILTIN_ARITY:
        return _builtin(checker, scope, env, node)
    report_unknown(checker, scope, env, node)
    return model.ERROR


def _record(checker: Checker, scope: ModuleScope, env: Env, node: ast.RecordType) -> Type:
    fields: dict[str, Type] = {}
    first: dict[str, Span] = {}
    for field in node.fields:
        name = field.name.text
        if name in fields:
            checker.report_repeated("field", field.name, first[name])
            continue
        fields[name] = resolve_type(checker, scope, env, field.type)
        first[name] = field.name.span
    return model.RecordType(tuple(fields.items()))


def leads_to(scope: ModuleScope, path: Sequence[ast.Name], decl: model.NominalDecl) -> bool:
    """Whether what stands before the name of a variant, `U.` or `SHAPE.` or `geo.shapes.SHAPE.`, means its type."""
    before = [name.text for name in path[:-1]]
    if before and before[-1] == decl.name:
        before.pop()
    if not before:
        return True
    module = scope.module(".".join(before))
    return module is not None and module.name == decl.module


def variants_named(scope: ModuleScope, path: Sequence[ast.Name]) -> list[VariantSymbol]:
    """The variants, of whatever type, that a name in a pattern or after IS can mean."""
    name = path[-1].text
    module = scope.module(".".join(part.text for part in path[:-1])) if len(path) > 1 else None
    if module is None and len(path) > 2:
        module = scope.module(".".join(part.text for part in path[:-2]))
    if module is None:
        groups = scope.tiers(name)
    else:
        groups = [scope.own.get(name, []) if module is scope else module.sees(name)]
    found = [s for group in groups for s in group if isinstance(s, VariantSymbol)]
    return [s for s in found if leads_to(scope, path, s.decl)] or found


def find_type(checker: Checker, scope: ModuleScope, node: ast.NamedType) -> TypeSymbol | None:
    """The declared type (or trait) that a written name means, None when there is none (nothing is reported)."""
    if len(node.path) == 1:
        found = scope.types(node.name)
        if len(found) > 1 and len({id(s.decl) for s in found}) > 1:
            checker.report(codes.S3013, "name", node.span, name=node.name, **names.several(found))
            return UNDECIDED
        return found[0] if found else None
    module = scope.module(".".join(part.text for part in node.path[:-1]))
    if module is None:
        return None
    for symbol in module.sees(node.name) if module is not scope else module.own.get(node.name, []):
        if isinstance(symbol, TypeSymbol):
            return symbol
    return None


def apply_symbol(checker: Checker, symbol: TypeSymbol, args: tuple[Type, ...], node: ast.NamedType) -> Type:
    """A declared type with its arguments."""
    from nxdc.check.declarations.declare import alias_target

    if symbol is UNDECIDED:
        return model.ERROR
    if symbol.decl is None:
        target = alias_target(checker, symbol)
        if len(args) != len(symbol.params) and not (
            isinstance(target, model.UnionType) and target.decl in (model.OPTION_DECL, model.RESULT_DECL)
        ):
            return _arity_error(checker, node, len(symbol.params), len(args))
        if isinstance(target, model.UnionType) and target.decl is model.RESULT_DECL and len(args) == 1:
            args = (args[0], model.STRING)
        return (
            model.substitute(target, dict(zip(symbol.params, args, strict=False)))
            if args
            else _bare(target, symbol.params)
        )
    decl = symbol.decl
    if decl.kind == "trait":
        checker.report(codes.S3002, "not_a_value", node.span, name=symbol.name, kind="trait",
                       helps=[f"a value of any type with this trait is `BOX<{node.span.text}>`; "
                              f"a parameter can be `<T : {node.span.text}>`"])  # fmt: skip
        return model.ERROR
    if len(args) != len(decl.params):
        return _arity_error(checker, node, len(decl.params), len(args))
    if decl.kind == "enum":
        return model.EnumType(decl)
    return model.StructType(decl, args) if decl.kind == "struct" else model.UnionType(decl, args)


def _bare(target: Type, params: tuple[str, ...]) -> Type:
    """OPTION and RESULT without arguments."""
    defaults: dict[str, Type] = dict.fromkeys(params, model.ANY)
    if isinstance(target, model.UnionType) and target.decl is model.RESULT_DECL and len(params) > 1:
        defaults[params[1]] = model.STRING
    return model.substitute(target, defaults)


def _builtin(checker: Checker, scope: ModuleScope, env: Env, node: ast.NamedType) -> Type:
    name = node.name
    if name == "BOX":
        return _box(checker, scope, env, node)
    args = [resolve_type(checker, scope, env, a) for a in node.args]
    if name == "OPTION" and len(args) <= 1:
        return model.option_of(args[0] if args else model.ANY)
    if name == "RESULT" and len(args) <= 2:
        return model.result_of(args[0] if args else model.ANY, args[1] if len(args) > 1 else model.STRING)
    if not args and name in ("TASK", "PROCESS", "CHANNEL", "LIST", "MAP"):
        args = [model.ANY] * BUILTIN_ARITY[name]
    if len(args) != BUILTIN_ARITY[name]:
        return _arity_error(checker, node, BUILTIN_ARITY[name], len(args))
    if name == "LIST":
        return model.ListType(args[0])
    if name == "MAP":
        check_key(checker, args[0], (node.args[0] if node.args else node).span)
        return model.MapType(args[0], args[1])
    if name == "CHANNEL":
        return model.ChannelType(args[0])
    if name == "TASK":
        return model.TaskType(args[0])
    return model.ProcessType(args[0])


def _box(checker: Checker, scope: ModuleScope, env: Env, node: ast.NamedType) -> Type:
    if len(node.args) != 1 or not isinstance(node.args[0], ast.NamedType):
        return _arity_error(checker, node, 1, len(node.args))
    trait = resolve_trait(checker, scope, node.args[0], env)
    return model.BoxType(trait.origin, trait.args) if trait is not None else model.ERROR


def resolve_trait(
    checker: Checker, scope: ModuleScope, node: ast.TypeExpr, env: Env | None = None, hint: str = ""
) -> model.NominalDecl | None:
    """The trait that a bound or an IMPLEMENTS names; reported when there is none, with `hint` if no name is near."""
    from nxdc.check.declarations.traits import with_args
    from nxdc.types.constraints import CONSTRAINTS

    if not isinstance(node, ast.NamedType):
        return None
    symbol = find_type(checker, scope, node)
    if symbol is not None and symbol.decl is not None and symbol.decl.kind == "trait":
        if len(node.args) != len(symbol.decl.params):
            _arity_error(checker, node, len(symbol.decl.params), len(node.args))
            return None
        return with_args(symbol.decl, tuple(resolve_type(checker, scope, env or {}, a) for a in node.args))
    if symbol is None and len(node.path) == 1 and node.name in CONSTRAINTS:
        return CONSTRAINTS[node.name]
    if symbol is None and not names.report_missing_import(checker, scope, node.path, node.span, want_type=True):
        known = [*scope.own_types, *CONSTRAINTS]
        extra = names.suggest(node.name, known, node.path[-1].span) or {"helps": [hint] if hint else []}
        checker.report(codes.S3001, "trait", node.span, name=node.name, **extra)
    elif symbol is not None:
        checker.report(codes.S3001, "trait", node.span, name=node.name,
                       also=[(symbol.span, "this is a type, not a trait")] if symbol.span else ())  # fmt: skip
    return None


def check_key(checker: Checker, key: Type, span: Span, report: Callable[..., None] | None = None) -> bool:
    """Whether a type can be the key of a map; reported when it cannot."""
    found = not_a_key(key)
    if found is None:
        return True
    helps = ["a key is an int, a string, a bool, an enum, or a struct, record or union of those"]
    if found[0]:
        helps.insert(0, f"`{found[0]}` holds `{show(found[1])}`")
    (report or checker.report)(codes.S3002, "map_key", span, type=show(key), helps=helps)
    return False


def _arity_error(checker: Checker, node: ast.NamedType, want: int, got: int) -> Type:
    checker.report(codes.S3002, "type_args", node.span, name=node.name, want=type_argument_count(want), got=got)
    return model.ERROR


def type_argument_count(count: int) -> str:
    """How messages say a number of type arguments."""
    return "no type arguments" if count == 0 else "1 type argument" if count == 1 else f"{count} type arguments"


def report_unknown(checker: Checker, scope: ModuleScope, env: Env, node: ast.NamedType) -> None:
    """Reports a type name that means nothing here, with what may have been meant."""
    if names.report_missing_import(checker, scope, node.path, node.span, want_type=True):
        return
    name = node.name
    if checker.may_be_broken(scope, name):
        return
    known = [*env, *names.visible_types(scope), *PRIMITIVES, *BUILTIN_ARITY]
    lower = PRIMITIVES.get(name.lower())
    known = [lower_name for lower_name in PRIMITIVES if lower is not None and lower_name == name.lower()] or known
    shown = ".".join(part.text for part in node.path)
    hint = names.suggest(name, known, node.path[-1].span)
    if hint:
        checker.report(codes.S3001, "type", node.span, name=shown, **hint)
    elif not checker.may_be_imported(scope):
        place = first_place(scope, node)
        checker.report(codes.S3001, "type", place, name=shown, **missing_parameter(scope, node))
