"""MATCH, and the patterns of MATCH and MATCHES."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nxdc.check.coerce import coerce
from nxdc.check.declarations import names
from nxdc.check.declarations.symbols import VariantSymbol
from nxdc.check.declarations.typeexprs import apply_symbol, find_type, leads_to, report_unknown, variants_named
from nxdc.check.expressions.exprs import check, handles
from nxdc.check.flow.narrowing import Condition, check_condition, join
from nxdc.check.function import BOUND, Facts, Fn, Var
from nxdc.check.statements.stmts import Out, check_block, check_stmts, executes
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.diagnostics.near import nearest
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, FLOAT, INT, NONE, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import prune


class Binds:
    """The names that one pattern binds. Of several patterns of a CASE all bind the variables of the first; those of
    MATCHES (`tested`) are names only where the test holds.
    """

    def __init__(self, shared: dict[str, core.Local] | None = None, *, tested: bool = False) -> None:
        self.locals: dict[str, core.Local] = {}
        self.vars: list[Var] = []  # of MATCHES
        self._shared = shared or {}
        self._tested = tested

    def add(self, f: Fn, name: ast.Name, type_: Type) -> core.Local:
        """Binds a name."""
        local = self._shared.get(name.text)
        if local is None and self._tested:
            self.vars.append(f.declare_tested(name, type_))
            local = self.vars[-1].local
        elif local is None:
            local = f.declare(name, type_, "pattern")
        self.locals[name.text] = local
        return local


Handler = Callable[[Fn, Any, Type, Binds], core.Pattern]
_PATTERNS: dict[type, Handler] = {}


def _pattern_for(kind: type) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        _PATTERNS[kind] = handler
        return handler

    return register


@executes(ast.Match)
def _match(f: Fn, node: ast.Match, out: Out) -> bool:
    subject = check(f, node.subject)
    subject = _known_subject(f, subject, node)
    type_ = subject.type
    before = f.facts
    falls = False
    ends = []
    cases: list[core.Case] = []
    errors = 0
    for case in node.cases:
        f.facts = before
        f.push()
        known = f.checker.sink.error_count
        pattern = _case_pattern(f, case, type_)
        errors += f.checker.sink.error_count - known
        guard = None
        if case.guard is not None:
            condition = check_condition(f, case.guard)
            guard = condition.expr
            f.facts = {**f.facts, **condition.true}
        body: Out = []
        f.push()
        reaches = check_stmts(f, case.body.stmts, body)
        f.pop()
        f.pop()
        if reaches:
            falls = True
            ends.append(f.facts)
        cases.append(core.Case(pattern, guard, body, case.span))
    otherwise: Out | None = None
    f.facts = before
    if node.otherwise is not None:
        otherwise, reaches = check_block(f, node.otherwise)
        if reaches:
            falls = True
            ends.append(f.facts)
    if ends:
        facts = ends[0]
        for other in ends[1:]:
            facts = join(facts, other)
        f.facts = facts
    match = core.Match(node.header, subject, cases, otherwise, False)
    out.append(match)
    if errors or isinstance(prune(type_), model.ErrorType):
        match.exhaustive = True  # a pattern that is wrong itself says nothing about the others
    else:
        f.root.matches.append((match, f))
    return falls


def _known_subject(f: Fn, subject: core.Expr, node: ast.Match) -> core.Expr:
    """The subject with a type that patterns can be held against."""
    type_ = prune(subject.type)
    if isinstance(type_, TypeVar):
        hint = _from_patterns(f, node)
        if hint is not None and not type_.from_none:
            f.unifier.unify(type_, hint)
        elif not f.block(type_, node.subject.span):
            return subject
        else:
            return core.NoneLit(model.ERROR, subject.span)
    if type_ is NONE:
        return coerce(f, subject, ANY) or subject
    return subject


def _from_patterns(f: Fn, node: ast.Match) -> Type | None:
    """OK, ERR, SOME tell that the subject is a RESULT or an OPTION."""
    for case in node.cases:
        for pattern in case.patterns:
            if isinstance(pattern, ast.VariantPat):
                symbols = variants_named(f.scope, pattern.path)
                if len(symbols) == 1:
                    decl = symbols[0].decl
                    args = tuple(f.fresh() for _ in decl.params)
                    return model.EnumType(decl) if decl.kind == "enum" else model.UnionType(decl, args)
    return None


def _case_pattern(f: Fn, case: ast.Case, type_: Type) -> core.Pattern:
    first = Binds()
    patterns = [check_pattern(f, case.patterns[0], type_, first)]
    if len(case.patterns) == 1:
        return patterns[0]
    seen = [first.locals]
    known = f.checker.sink.error_count
    for pattern in case.patterns[1:]:
        binds = Binds(first.locals)
        patterns.append(check_pattern(f, pattern, type_, binds))
        seen.append(binds.locals)
    if f.checker.sink.error_count == known:
        _check_same_names(f, case, seen)
    return core.POr(type_, case.patterns[0].span.to(case.patterns[-1].span), patterns)


def _check_same_names(f: Fn, case: ast.Case, seen: list[dict[str, core.Local]]) -> None:
    """Whether all patterns of a CASE bind the same names: its block may read each of them."""
    every: dict[str, core.Local] = {}
    for names_of in seen:
        every |= {name: local for name, local in names_of.items() if name not in every}
    for pattern, names_of in zip(case.patterns, seen, strict=True):
        lacking = [name for name in every if name not in names_of]
        if lacking:
            also = [(every[name].span, f"`{name}` is bound here") for name in lacking]
            f.error(codes.S3021, "name", pattern.span, name=lacking[0], also=also,
                    helps=["write `_` for what the block does not need, or a CASE of its own"])  # fmt: skip
            return


@handles(ast.Matches)
def _matches(f: Fn, node: ast.Matches, expected: Type | None) -> core.Expr:
    return check_matches(f, node).expr


def check_matches(f: Fn, node: ast.Matches) -> Condition:
    """`X MATCHES pattern`: the names of the pattern are bound where the test holds, and nowhere else."""
    value = check(f, node.expr)
    if isinstance(prune(value.type), TypeVar) and f.block(value.type, node.expr.span):
        value = core.NoneLit(model.ERROR, value.span)
    if prune(value.type) is NONE:
        value = coerce(f, value, ANY) or value
    binds = Binds(tested=True)
    pattern = check_pattern(f, node.pattern, value.type, binds)
    bound: Facts = dict.fromkeys(binds.vars, BOUND)
    return Condition(core.PatternTest(BOOL, node.span, value, pattern), bound, {})


# ---- patterns
# ------------------------------------------------------------------------------------------------------------------


def check_pattern(f: Fn, node: ast.Pattern, type_: Type, binds: Binds) -> core.Pattern:
    """A pattern against values of `type_`. In `MATCH ERR("x"): CASE OK([A, B]): ...` nothing says what OK holds."""
    type_ = prune(type_)
    if isinstance(type_, TypeVar) and not isinstance(node, (ast.WildcardPat, ast.NamePat)):
        type_ = model.ERROR if f.block(type_, node.span) else prune(type_)
    return _PATTERNS[type(node)](f, node, type_, binds)


def _bind(f: Fn, name: ast.Name, type_: Type, binds: Binds) -> core.Pattern:
    if name.text in binds.locals:
        f.error(codes.S3015, "pattern", name.span, name=name.text,
                also=[(binds.locals[name.text].span, "first bound here")])  # fmt: skip
    local = binds.add(f, name, type_)
    if not f.unifier.unify(local.type, type_):
        f.error(codes.S3002, "bound", name.span, name=name.text, got=show(type_), want=show(local.type),
                also=[(local.span, f"this is `{show(local.type)}`")],
                helps=["a name has one type in all patterns of a CASE: write a CASE of its own"])  # fmt: skip
    return core.PBind(type_, name.span, local)


@_pattern_for(ast.WildcardPat)
def _wildcard(f: Fn, node: ast.WildcardPat, type_: Type, binds: Binds) -> core.Pattern:
    return core.PWild(type_, node.span)


@_pattern_for(ast.NamePat)
def _name_pattern(f: Fn, node: ast.NamePat, type_: Type, binds: Binds) -> core.Pattern:
    """A variant or member of that name where one fits, else a new name."""
    name = node.name.text
    inner = type_.inner if isinstance(type_, model.NullableType) else type_
    inner = prune(inner)
    if isinstance(inner, (model.UnionType, model.EnumType)):
        for index, (variant, payload) in enumerate(inner.decl.variants):
            if variant == name:
                return _nullable(type_, inner, _unit_pattern(f, inner, index, len(payload), node.span), node.span)
    if name == "NONE" and (type_ is ANY or isinstance(type_, model.NullableType)):
        return core.PLiteral(type_, node.span, core.NoneLit(type_, node.span))
    if type_ is ANY:
        variants = variants_named(f.scope, (node.name,))
        if variants:
            return _any_unit(f, variants, node.span)
    if isinstance(inner, (model.UnionType, model.EnumType)):
        _warn_look_alike(f, node.name, inner)
    return _bind(f, node.name, type_, binds)


def _warn_look_alike(f: Fn, name: ast.Name, type_: model.UnionType | model.EnumType) -> None:
    near = nearest(name.text, [variant for variant, _ in type_.decl.variants]) if len(name.text) > 2 else None
    if near is not None:
        fix = Fix(f"write `{near}`", (Edit(name.span, near),), LIKELY)  # never SAFE: the program is valid as it is
        f.error(codes.W2005, "pattern", name.span, name=name.text, variant=near,
                helps=[f"did you mean `{near}`?"], fixes=[fix])  # fmt: skip


def _unit_pattern(f: Fn, type_: model.UnionType | model.EnumType, index: int, payload: int, span: Span) -> core.Pattern:
    if isinstance(type_, model.EnumType):
        return core.PLiteral(type_, span, core.EnumLit(type_, span, index))
    payload_types = model.payload_types(type_, index)
    if payload:
        name = type_.decl.variants[index][0]
        f.error(codes.S3002, "payload", span, variant=name, want=_values(len(payload_types)), got="none",
                helps=[f"write `{name}({', '.join('_' for _ in payload_types)})`"])  # fmt: skip
    return core.PVariant(type_, span, index, [core.PWild(t, span) for t in payload_types])


def _values(number: int) -> str:
    return f"{number} value" if number == 1 else f"{number} values" if number else "no value"


def _any_unit(f: Fn, variants: list[VariantSymbol], span: Span) -> core.Pattern:
    variant = variants[0]
    if variant.is_enum:
        target = model.EnumType(variant.decl)
        inner = core.PLiteral(target, span, core.EnumLit(target, span, variant.index))
        return core.PConvert(ANY, span, target, inner)
    payload = min(len(v.decl.variants[v.index][1]) for v in variants)
    if payload:
        helps = [f"write `{variant.name}({', '.join('_' * payload)})`; a name that is no variant binds the value"]
        f.error(codes.S3002, "payload", span, variant=variant.name, want=_values(payload), got="none", helps=helps)
    return core.PAnyVariant(ANY, span, variant.name, [])


def _nullable(type_: Type, inner: Type, pattern: core.Pattern, span: Span) -> core.Pattern:
    """The pattern for the value inside a nullable."""
    return core.PConvert(type_, span, inner, pattern) if isinstance(type_, model.NullableType) else pattern


@_pattern_for(ast.LiteralPat)
def _literal_pattern(f: Fn, node: ast.LiteralPat, type_: Type, binds: Binds) -> core.Pattern:
    value = check(f, node.value, type_)
    have = prune(value.type)
    if isinstance(value, core.NoneLit):
        if type_ is ANY or isinstance(type_, (model.NullableType, model.ErrorType)) or type_ is NONE:
            return core.PLiteral(type_, node.span, core.NoneLit(type_, node.span))
        if isinstance(type_, model.UnionType) and type_.decl is model.OPTION_DECL:
            return core.PVariant(type_, node.span, 1, [])
        _mismatch(f, "none", type_, node.span)
        return core.PWild(type_, node.span)
    if type_ is ANY or isinstance(type_, model.NullableType):
        target = prune(type_.inner) if isinstance(type_, model.NullableType) else have
        converted = coerce(f, value, target)
        if converted is not None:
            return core.PConvert(type_, node.span, target, core.PLiteral(target, node.span, converted))
    elif type_ == have or isinstance(type_, model.ErrorType):
        return core.PLiteral(type_, node.span, value)
    _mismatch(f, show(have), type_, node.span)
    return core.PWild(type_, node.span)


def _mismatch(f: Fn, want: str, got: Type, span: Span) -> None:
    if not isinstance(got, model.ErrorType):
        helps = []
        if isinstance(got, model.UnionType) and got.decl is model.OPTION_DECL:
            helps = ["the cases of an OPTION are `SOME(X)` and `NONE`"]
        elif isinstance(got, model.UnionType) and got.decl is model.RESULT_DECL:
            helps = ["the cases of a RESULT are `OK(X)` and `ERR(E)`"]
        f.error(codes.S3002, "pattern", span, want=want, got=show(got), helps=helps)


@_pattern_for(ast.RangePat)
def _range_pattern(f: Fn, node: ast.RangePat, type_: Type, binds: Binds) -> core.Pattern:
    target = prune(type_.inner) if isinstance(type_, model.NullableType) else type_
    low, high = check(f, node.start.value, target), check(f, node.end.value, target)
    have = prune(low.type)
    if type_ is ANY:
        target = have
    if (
        prune(high.type) != have
        or have not in (INT, FLOAT, STRING)
        or (target != have and not isinstance(target, model.ErrorType))
    ):
        _mismatch(f, show(have), target, node.span)
        return core.PWild(type_, node.span)
    inner = core.PRange(target, node.span, low, high)
    return inner if target is type_ else core.PConvert(type_, node.span, target, inner)


@_pattern_for(ast.VariantPat)
def _variant_pattern(f: Fn, node: ast.VariantPat, type_: Type, binds: Binds) -> core.Pattern:
    name = node.path[-1]
    args = node.args or ()
    inner = prune(type_.inner) if isinstance(type_, model.NullableType) else type_
    if isinstance(inner, (model.UnionType, model.EnumType)):
        return _nullable(type_, inner, _typed_variant(f, node, inner, binds), node.span)
    if inner is ANY:
        return _any_variant(f, node, binds)
    for arg in args:
        check_pattern(f, arg, model.ERROR, binds)
    _mismatch(f, name.text, inner, node.span)
    return core.PWild(type_, node.span)


def _typed_variant(f: Fn, node: ast.VariantPat, type_: model.UnionType | model.EnumType, binds: Binds) -> core.Pattern:
    name = node.path[-1]
    args = node.args or ()
    owner_fits = leads_to(f.scope, node.path, type_.decl)
    for index, (variant, declared) in enumerate(type_.decl.variants):
        if variant != name.text or not owner_fits:
            continue
        if node.args is None or isinstance(type_, model.EnumType):
            if args:
                f.error(codes.S3002, "payload", node.span, variant=variant, want="no value", got=_values(len(args)))
            return _unit_pattern(f, type_, index, len(declared), node.span)
        payload = model.payload_types(type_, index)
        if len(payload) != len(args):
            also = [(type_.decl.field_spans[variant], "declared here")] if variant in type_.decl.field_spans else []
            f.error(codes.S3002, "payload", node.span, variant=variant, want=_values(len(payload)),
                    got=str(len(args)), also=also)  # fmt: skip
            for arg in args:
                check_pattern(f, arg, model.ERROR, binds)
            return core.PWild(type_, node.span)
        inner = [check_pattern(f, arg, t, binds) for arg, t in zip(args, payload, strict=False)]
        return core.PVariant(type_, node.span, index, inner)
    known = [variant for variant, _ in type_.decl.variants]
    for arg in args:
        check_pattern(f, arg, model.ERROR, binds)
    f.error(codes.S3001, "variant", name.span, type=show(type_), name=name.text,
            **names.suggest(name.text, known, name.span))  # fmt: skip
    return core.PWild(type_, node.span)


def _any_variant(f: Fn, node: ast.VariantPat, binds: Binds) -> core.Pattern:
    name = node.path[-1]
    variants = variants_named(f.scope, node.path)
    if node.args is None and variants:
        return _any_unit(f, variants, node.span)
    inner = [check_pattern(f, arg, ANY, binds) for arg in node.args or ()]
    if not variants and not names.report_missing_import(f.checker, f.scope, node.path, name.span):
        f.error(codes.S3001, "name", name.span, name=name.text)
    return core.PAnyVariant(ANY, node.span, name.text, inner)


@_pattern_for(ast.StructPat)
def _struct_pattern(f: Fn, node: ast.StructPat, type_: Type, binds: Binds) -> core.Pattern:
    target: Type = prune(type_.inner) if isinstance(type_, model.NullableType) else type_
    if node.path:
        written = ast.NamedType(node.path[0].span.to(node.path[-1].span), node.path)
        symbol = find_type(f.checker, f.scope, written)
        if symbol is None:
            report_unknown(f.checker, f.scope, f.env, written)
            target = model.ERROR
        elif isinstance(target, model.StructType) and target.decl is symbol.decl:
            pass
        elif type_ is ANY:
            args: tuple[Type, ...] = tuple(ANY for _ in symbol.params)
            target = prune(apply_symbol(f.checker, symbol, args, written))
        elif not isinstance(target, model.ErrorType):
            _mismatch(f, symbol.name, target, node.span)
            target = model.ERROR
    elif type_ is ANY:
        fields = [(p.name.text, check_pattern(f, p.pattern, ANY, binds)) for p in node.fields]
        return core.PAnyStruct(ANY, node.span, fields)
    if not isinstance(target, (model.StructType, model.RecordType)):
        for p in node.fields:
            check_pattern(f, p.pattern, model.ERROR, binds)
        _mismatch(f, "a struct or record", target, node.span)
        return core.PWild(type_, node.span)
    pattern = _field_patterns(f, node, target, binds)
    return pattern if target is type_ else core.PConvert(type_, node.span, target, pattern)


def _field_patterns(
    f: Fn, node: ast.StructPat, target: model.StructType | model.RecordType, binds: Binds
) -> core.Pattern:
    fields = model.struct_fields(target)
    index_of = {name: i for i, (name, _) in enumerate(fields)}
    made: list[tuple[int, core.Pattern]] = []
    for part in node.fields:
        index = index_of.get(part.name.text)
        if index is None:
            check_pattern(f, part.pattern, model.ERROR, binds)
            f.error(codes.S3007, "unknown", part.name.span, name=part.name.text, type=show(target),
                    **names.suggest(part.name.text, index_of, part.name.span))  # fmt: skip
            continue
        made.append((index, check_pattern(f, part.pattern, fields[index][1], binds)))
    return core.PStruct(target, node.span, made)


@_pattern_for(ast.ListPat)
def _list_pattern(f: Fn, node: ast.ListPat, type_: Type, binds: Binds) -> core.Pattern:
    target: Type = prune(type_.inner) if isinstance(type_, model.NullableType) else type_
    if type_ is ANY:
        return _any_list(f, node, binds)
    element: Type = target.element if isinstance(target, model.ListType) else model.ERROR
    if not isinstance(target, model.ListType):
        _mismatch(f, "a list", target, node.span)
        target = model.ListType(model.ERROR)
    items = [check_pattern(f, item, element, binds) for item in node.items]
    rest: core.Pattern | None = None
    if node.rest is not None:
        rest = core.PWild(target, node.rest.span) if node.rest.name is None else _bind(f, node.rest.name, target, binds)
    pattern = core.PList(target, node.span, items, rest)
    return pattern if target is type_ else core.PConvert(type_, node.span, target, pattern)


def _any_list(f: Fn, node: ast.ListPat, binds: Binds) -> core.Pattern:
    """A list inside an any, whatever its elements are."""
    items = [check_pattern(f, item, ANY, binds) for item in node.items]
    rest: core.Pattern | None = None
    if node.rest is not None:
        name = node.rest.name
        rest = core.PWild(ANY, node.rest.span) if name is None else _bind(f, name, ANY, binds)
    return core.PAnyList(ANY, node.span, items, rest)
