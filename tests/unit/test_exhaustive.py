"""Exhaustiveness and unreachable cases, on typed core built by hand."""

from __future__ import annotations

from nxdc.check.patterns.exhaustive import check_match
from nxdc.core import tree as core
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, INT, STRING, ListType, Type, option_of, result_of

FILE = SourceFile("main.nxd", "MATCH X:\n" + "    CASE A\n" * 40)


def at(line: int) -> Span:
    start = FILE.line_starts[line]
    return Span(FILE, start, start + 6)


HERE = at(0)


def wild(type_: Type) -> core.Pattern:
    return core.PWild(type_, HERE)


def bind(type_: Type) -> core.Pattern:
    return core.PBind(type_, HERE, core.Local("V", type_, HERE))


def number(value: int) -> core.Pattern:
    return core.PLiteral(INT, HERE, core.IntLit(INT, HERE, value))


def text(value: str) -> core.Pattern:
    return core.PLiteral(STRING, HERE, core.StringLit(STRING, HERE, value))


def span(low: int, high: int) -> core.Pattern:
    return core.PRange(INT, HERE, core.IntLit(INT, HERE, low), core.IntLit(INT, HERE, high))


def truth(value: bool) -> core.Pattern:
    return core.PLiteral(BOOL, HERE, core.BoolLit(BOOL, HERE, value))


def variant(type_: Type, index: int, *payload: core.Pattern) -> core.Pattern:
    return core.PVariant(type_, HERE, index, list(payload))


def check(
    type_: Type, *patterns: core.Pattern, guards: tuple[int, ...] = (), otherwise: bool = False
) -> tuple[bool, list[str]]:
    """Whether the MATCH is exhaustive, and what is said about it ("2: ..." for the pattern number 2)."""
    cases = []
    for i, pattern in enumerate(patterns):
        pattern.span = at(i + 1)  # type: ignore[misc]
        guard = core.BoolLit(BOOL, HERE, True) if i in guards else None
        cases.append(core.Case(pattern, guard, [], at(i + 1)))
    rest: list[core.Stmt] | None = [core.Return(at(30), None)] if otherwise else None
    match = core.Match(HERE, core.LocalRef(type_, HERE, core.Local("X", type_, HERE)), cases, rest, False)
    sink = Sink()
    check_match(match, sink)
    return match.exhaustive, [
        f"{d.primary.span.line - 1} {d.code.number} {d.args.get('cases', '')}".strip() for d in sink.diagnostics()
    ]


def test_option_names_the_missing_variant() -> None:
    option = option_of(INT)
    assert check(option, variant(option, 0, bind(INT))) == (False, ["0 S3008 `NONE`"])
    assert check(option, variant(option, 1), variant(option, 0, wild(INT))) == (True, [])


def test_nested_missing_case_is_spelled_as_a_pattern() -> None:
    result = result_of(BOOL, STRING)
    option = option_of(result)
    ok_true = variant(option, 0, variant(result, 0, truth(True)))
    assert check(option, ok_true, variant(option, 1)) == (False, ["0 S3008 `SOME(OK(false))` and `SOME(ERR(_))`"])


def test_literal_inside_a_variant_leaves_the_others() -> None:
    option = option_of(INT)
    assert check(option, variant(option, 0, number(1)), variant(option, 1)) == (False, ["0 S3008 `SOME(_)`"])


def test_guard_does_not_count() -> None:
    option = option_of(INT)
    patterns = (variant(option, 0, bind(INT)), variant(option, 1))
    assert check(option, *patterns, guards=(0,)) == (False, ["0 S3008 `SOME(_)`"])
    assert check(option, variant(option, 0, bind(INT)), *patterns, guards=(0,)) == (True, [])
    assert check(option, wild(option), guards=(0,)) == (False, ["0 S3008 `SOME(_)` and `NONE`"])


def test_enum_lists_the_missing_members() -> None:
    decl = model.NominalDecl("enum", "COLOR", "main", (), None)
    decl.variants = [(name, ()) for name in ("RED", "GREEN", "BLUE", "CYAN", "PINK", "GOLD", "GREY")]
    color = model.EnumType(decl)
    red = core.PLiteral(color, HERE, core.EnumLit(color, HERE, 0))
    assert check(color, red) == (False, ["0 S3008 `GREEN`, `BLUE`, `CYAN`, `PINK` and others"])
    assert check(color, red, otherwise=True) == (False, [])


def test_bool() -> None:
    assert check(BOOL, truth(True)) == (False, ["0 S3008 `false`"])
    assert check(BOOL, truth(True), truth(False)) == (True, [])
    assert check(BOOL, truth(True), truth(False), otherwise=True) == (True, ["30 W2002"])


def test_int_is_never_an_error_but_may_be_exhaustive() -> None:
    least, most = -(1 << 63), (1 << 63) - 1
    assert check(INT, number(1), number(2)) == (False, [])
    assert check(INT, span(least, -1), number(0), span(1, most)) == (True, [])
    assert check(INT, span(least, -1), span(1, most)) == (False, [])


def test_unreachable_ranges() -> None:
    assert check(INT, span(0, 9), number(5), wild(INT)) == (True, ["2 W2002"])
    assert check(INT, span(0, 4), span(5, 9), span(2, 7), wild(INT)) == (True, ["3 W2002"])
    assert check(INT, span(0, 4), span(6, 9), span(2, 7), wild(INT)) == (True, [])
    assert check(INT, wild(INT), number(5)) == (True, ["2 W2002"])


def test_alternatives() -> None:
    both = core.POr(INT, HERE, [number(0), number(1)])
    assert check(INT, number(0), number(1), both, wild(INT)) == (True, ["3 W2002"])
    again = core.POr(INT, HERE, [number(3), number(3)])
    exhaustive, said = check(INT, again, wild(INT))
    assert exhaustive and said == ["0 W2002"]  # placed at the second 3
    assert check(BOOL, core.POr(BOOL, HERE, [truth(True), truth(False)])) == (True, [])


def test_strings() -> None:
    assert check(STRING, text("a"), text("b"), text("a"), wild(STRING)) == (True, ["3 W2002"])


def test_lists_by_length() -> None:
    ints = ListType(INT)
    empty = core.PList(ints, HERE, [], None)
    one = core.PList(ints, HERE, [wild(INT)], None)
    more = core.PList(ints, HERE, [wild(INT)], wild(ints))
    assert check(ints, empty, more) == (True, [])
    assert check(ints, empty, one) == (False, [])
    assert check(ints, more, one, empty) == (True, ["2 W2002"])
    option = option_of(ints)
    assert check(option, variant(option, 0, empty), variant(option, 1)) == (False, ["0 S3008 `SOME([_, REST...])`"])


def test_structs_by_field() -> None:
    decl = model.NominalDecl("struct", "POINT", "main", (), None)
    decl.fields = [("X", BOOL), ("Y", BOOL)]
    point = model.StructType(decl)
    option = option_of(point)
    x_true = core.PStruct(point, HERE, [(0, truth(True))])
    assert check(point, x_true, core.PStruct(point, HERE, [(0, truth(False)), (1, wild(BOOL))])) == (True, [])
    assert check(option, variant(option, 0, x_true), variant(option, 1)) == (
        False,
        ["0 S3008 `SOME(POINT { X: false, Y: _ })`"],
    )


def test_any_holds_anything() -> None:
    as_int = core.PConvert(ANY, HERE, INT, bind(INT))
    as_text = core.PConvert(ANY, HERE, STRING, text("a"))
    assert check(ANY, as_int, as_text) == (False, [])
    assert check(ANY, as_int, core.PConvert(ANY, HERE, INT, number(3)), wild(ANY)) == (True, ["2 W2002"])


def test_lists_in_an_any() -> None:
    empty = core.PAnyList(ANY, HERE, [], None)
    more = core.PAnyList(ANY, HERE, [wild(ANY)], wild(ANY))
    assert check(ANY, empty, more) == (False, [])
    assert check(ANY, more, core.PAnyList(ANY, HERE, [wild(ANY), wild(ANY)], None), wild(ANY)) == (True, ["2 W2002"])
    assert check(ANY, empty, core.PConvert(ANY, HERE, INT, bind(INT)), wild(ANY)) == (True, [])


def test_nullable() -> None:
    nullable = model.NullableType(INT)
    none = core.PLiteral(nullable, HERE, core.NoneLit(nullable, HERE))
    assert check(nullable, none, core.PConvert(nullable, HERE, INT, bind(INT))) == (True, [])


def test_huge_matrix_ends() -> None:
    decl = model.NominalDecl("struct", "WIDE", "main", (), None)
    decl.fields = [(f"F{i}", BOOL) for i in range(24)]
    wide = model.StructType(decl)
    patterns = [core.PStruct(wide, HERE, [(i, truth(True)), ((i * 7 + 3) % 24, truth(False))]) for i in range(24)]
    exhaustive, _ = check(wide, *patterns)
    assert not exhaustive


def test_matches_of_thousands_of_cases_are_still_decided() -> None:
    """Every one of these once grew with the square or the cube of its cases and was given up."""
    decl = model.NominalDecl("union", "U", "main", (), None)
    decl.variants = [(f"V{i}", (INT, BOOL)) for i in range(1000)]
    union = model.UnionType(decl, ())
    pairs = [variant(union, i, bind(INT), truth(b)) for i in range(1000) for b in (True, False)]
    assert check_places(union, pairs) == (True, [])
    assert check_places(union, pairs[:-1]) == (False, ["S3008 `V999(_, false)`"])
    option = option_of(INT)
    ranges = [variant(option, 0, span(3 * i, 3 * i + 1)) for i in range(400)]
    assert check_places(option, [*ranges, variant(option, 0, number(301))]) == (
        False, ["S3008 `SOME(_)` and `NONE`", "W2002"],
    )  # fmt: skip
    words = [text(f"k{i}") for i in range(2000)]
    assert check_places(STRING, [*words, text("k7"), wild(STRING)]) == (True, ["W2002"])


def check_places(type_: Type, patterns: list[core.Pattern]) -> tuple[bool, list[str]]:
    """As `check`, without the places."""
    cases = [core.Case(pattern, None, [], HERE) for pattern in patterns]
    match = core.Match(HERE, core.LocalRef(type_, HERE, core.Local("X", type_, HERE)), cases, None, False)
    sink = Sink()
    check_match(match, sink)
    said = [f"{d.code.number} {d.args.get('cases', '')}".strip() for d in sink.diagnostics()]
    return match.exhaustive, sorted(said)
