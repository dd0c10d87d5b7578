"""Is every value handled, and can every case be reached? Asks the pattern matrix and reports in the user's terms.

Input:  a `core.Match` whose types are solved. Output: `match.exhaustive`; S3008 at the header of a MATCH on a
union, enum, OPTION, RESULT or bool that leaves values out, naming them in NXD's own spelling; W2002 at cases
and alternatives that no value can reach.

A guard may be false, so a case with one takes nothing for certain: it never makes a later case unreachable or a
MATCH exhaustive. On types with unboundedly many values (int, string, list, any) a value that no case takes
raises E5001 at run time, and nothing is reported.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from nxdc.check.patterns.matrix import (
    WILD,
    Matrix,
    Row,
    Seen,
    TooHard,
    Witness,
    constant,
    simplify,
    solved,
    whole_type,
)  # fmt: skip
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type

_SHOWN = 4  # missing cases named; more become "and others"


def check_match(match: core.Match, sink: Sink, *, instance: bool = False) -> None:
    """Check one MATCH. In an `instance` of a template no case is called unreachable: another instance may need it."""
    type_ = solved(match.subject.type)
    if isinstance(type_, model.ErrorType) or any(_has_error(case.pattern) for case in match.cases):
        match.exhaustive = True  # it was reported where the type went wrong
        return
    if not instance:
        with suppress(TooHard):
            _report_unreachable(match, type_, sink)
    match.exhaustive = False
    with suppress(TooHard):
        _check_missing(match, type_, sink)


def must_be_exhaustive(type_: Type) -> bool:
    """Whether the language asks that a MATCH on this type handles every value."""
    return isinstance(type_, (model.UnionType, model.EnumType)) or type_ == model.BOOL


def _has_error(pattern: core.Pattern) -> bool:
    if isinstance(solved(pattern.type), model.ErrorType):
        return True
    return any(_has_error(inner) for inner in children(pattern))


def children(pattern: core.Pattern) -> list[core.Pattern]:
    """The patterns directly inside a pattern."""
    if isinstance(pattern, core.PConvert):
        return [pattern.inner]
    if isinstance(pattern, (core.PVariant, core.PAnyVariant)):
        return list(pattern.payload)
    if isinstance(pattern, (core.PStruct, core.PAnyStruct)):
        return [inner for _, inner in pattern.fields]
    if isinstance(pattern, (core.PList, core.PAnyList)):
        return [*pattern.items, *([pattern.rest] if pattern.rest is not None else [])]
    if isinstance(pattern, core.POr):
        return list(pattern.alternatives)
    return []


def _check_missing(match: core.Match, type_: Type, sink: Sink) -> None:
    rows: list[Row] = [(simplify(case.pattern),) for case in match.cases if case.guard is None]
    if match.otherwise is not None or not must_be_exhaustive(type_):
        match.exhaustive = not Matrix().useful(rows, (WILD,), (type_,))
        return
    found = [row[0] for row in islice(Matrix().missing(rows, (type_,)), _SHOWN + 1)]
    match.exhaustive = not found
    if not found or not match.cases:  # none could be read: what is missing has been said
        return
    if found[0].key is None:  # no case counts at all
        found = whole_type(type_)
    names = list(dict.fromkeys(spell(witness) for witness in found))
    helps = [f"add a case for {'it' if len(names) == 1 else 'them'}, or `OTHERWISE:` for all that is left"]
    notes = ["a case with WHEN does not count: its condition may be false"] if _only_guarded(match, names) else []
    header = Span(match.span.file, match.span.start, match.subject.span.end)
    also = _declared(type_)
    sink.report(codes.S3008, "missing", header, helps=helps, notes=notes, also=also, cases=_enumerate(names))


def _declared(type_: Type) -> list[tuple[Span, str]]:
    """Where the program declares the type that is matched."""
    decl = type_.decl if isinstance(type_, (model.UnionType, model.EnumType)) else None
    return [(decl.span, f"`{decl.name}` is declared here")] if decl is not None and decl.span is not None else []


def _only_guarded(match: core.Match, names: list[str]) -> bool:
    """Whether a missing value is one that a case with a guard takes."""
    guarded: list[Row] = [(simplify(case.pattern),) for case in match.cases]
    every = {spell(row[0]) for row in islice(Matrix().missing(guarded, (solved(match.subject.type),)), _SHOWN + 1)}
    return any(name not in every for name in names)


def _enumerate(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names[:_SHOWN]]
    if len(names) > _SHOWN:
        return ", ".join(quoted) + " and others"
    if len(quoted) == 1:
        return quoted[0]
    return ", ".join(quoted[:-1]) + " and " + quoted[-1]


def _report_unreachable(match: core.Match, type_: Type, sink: Sink) -> None:
    matrix = Matrix()
    seen = Seen()
    for case in match.cases:
        alternatives = case.pattern.alternatives if isinstance(case.pattern, core.POr) else [case.pattern]
        dead = []
        added: list[Row] = []
        for alternative in alternatives:
            row: Row = (simplify(alternative),)
            if not matrix.useful([*seen.meeting(row), *added], row, (type_,)):
                dead.append(alternative)
            if case.guard is None:
                added.append(row)
        if len(dead) == len(alternatives):
            why = "the cases before it take every value it would take"
            sink.report(codes.W2002, "case", case.pattern.span, _why_empty(case.pattern) or why)
        else:
            for alternative in dead:
                why = "an earlier case or alternative takes this value"
                sink.report(codes.W2002, "case", alternative.span, _why_empty(alternative) or why)
        for row in added:
            seen.add(row)
    if match.otherwise and not matrix.useful(seen.meeting((WILD,)), (WILD,), (type_,)):
        sink.report(codes.W2002, "case", match.otherwise[0].span, "the cases of this MATCH take every value")


def _why_empty(pattern: core.Pattern) -> str:
    """Why a range takes nothing at all; empty for one that does, and for other patterns."""
    if not isinstance(pattern, core.PRange):
        return ""
    low, high = constant(pattern.low), constant(pattern.high)
    return "its first value is above its last" if low is not None and high is not None and low > high else ""


# ---- spelling --------------------------------------------------------------------------------------------------------


def spell(witness: Witness) -> str:
    """A missing value as a pattern in NXD: `SOME(ERR(_))`, `RED`, `POINT { X: 0, Y: _ }`, `[_, _]`."""
    key, type_ = witness.key, solved(witness.type)
    if key is None or key[0] in ("point", "gap", "unknown"):
        return "_"
    inner = [spell(arg) for arg in witness.args]
    if key[0] == "variant":
        return _spell_variant(type_, key[1], inner)
    if key[0] == "bool":
        return "true" if key[1] else "false"
    if key[0] == "none":
        return "NONE"
    if key[0] == "as":
        return inner[0]
    if key[0] == "list":
        return "[" + ", ".join(inner + (["REST..."] if key[2] else [])) + "]"
    if key[0] == "struct" and isinstance(type_, (model.StructType, model.RecordType)):
        return _spell_struct(type_, inner)
    return "_"


def _spell_variant(type_: Type, index: int, inner: list[str]) -> str:
    if isinstance(type_, model.EnumType):
        return type_.decl.variants[index][0]
    assert isinstance(type_, model.UnionType)
    name = type_.decl.variants[index][0]
    return f"{name}({', '.join(inner)})" if inner else name


def _spell_struct(type_: model.StructType | model.RecordType, inner: list[str]) -> str:
    if all(text == "_" for text in inner):
        return "_"
    fields = zip(model.struct_fields(type_), inner, strict=True)
    body = ", ".join(f"{name}: {text}" for (name, _), text in fields)
    return f"{type_.decl.name} {{ {body} }}" if isinstance(type_, model.StructType) else f"{{ {body} }}"
