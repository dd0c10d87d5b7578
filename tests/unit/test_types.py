"""The type language: signatures, unification, showing, constraints."""

from __future__ import annotations

import pytest

from nxdc.tables.prelude import ROWS
from nxdc.types import model
from nxdc.types.constraints import HASHABLE, NUMERIC, ORDERED, has_constraint
from nxdc.types.model import ANY, INT, STRING
from nxdc.types.show import show
from nxdc.types.signature import read_signature, read_type
from nxdc.types.unify import Unifier, has_vars, nullable_of, prune, resolve, zonk


def test_every_prelude_signature_reads() -> None:
    for row in ROWS:
        signature = read_signature(row.signature)
        assert all(name == name.upper() for name, _ in signature.params), row.name


@pytest.mark.parametrize(
    "text",
    ["int", "LIST<MAP<string, any>>", "fn(int, LIST<bool>): none", "{ A: int, B: OPTION<string> }", "CHANNEL<any>"],
)
def test_show_gives_back_what_was_read(text: str) -> None:
    assert show(read_type(text)) == text


@pytest.mark.parametrize("text", ["LIST<int", "NOPE<int>", "LIST<int> int", "fn(int"])
def test_wrong_signatures_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_type(text)


def test_records_are_equal_in_any_order() -> None:
    a = model.RecordType((("A", INT), ("B", STRING)))
    b = model.RecordType((("B", STRING), ("A", INT)))
    assert a == b
    assert hash(a) == hash(b)
    assert Unifier().unify(a, b)


def test_unify_solves_both_ways() -> None:
    u = Unifier()
    a, b = u.fresh(), u.fresh()
    assert u.unify(model.MapType(a, INT), model.MapType(STRING, b))
    assert prune(a) is STRING
    assert prune(b) is INT


def test_a_variable_does_not_contain_itself() -> None:
    u = Unifier()
    a = u.fresh()
    assert not u.unify(a, model.ListType(a))


def test_younger_variables_stand_for_older_ones() -> None:
    u = Unifier()
    old, new = u.fresh(), u.fresh()
    assert u.unify(old, new)
    assert prune(new) is old


def test_trials_are_taken_back() -> None:
    u = Unifier()
    a = u.fresh()
    outer = u.begin()
    inner = u.begin()
    u.unify(a, INT)
    u.commit(inner)
    assert prune(a) is INT
    u.rollback(outer)
    assert has_vars(a)


def test_what_begins_as_none_becomes_nullable() -> None:
    u = Unifier()
    a, b, c = (u.fresh(from_none=True) for _ in range(3))
    u.unify(a, INT)
    u.unify(b, ANY)
    u.unify(c, model.option_of(INT))
    assert show(a) == "int or NONE"
    assert prune(b) is ANY
    assert show(c) == "OPTION<int>"
    assert nullable_of(model.NullableType(INT)) == model.NullableType(INT)


def test_errors_decide_nothing() -> None:
    u = Unifier()
    a = u.fresh()
    assert u.unify(a, model.ERROR)
    assert has_vars(a)


def test_undecided_becomes_its_default() -> None:
    u = Unifier()
    a, b = u.fresh(), u.fresh()
    b.default = STRING
    assert show(zonk(model.result_of(a, b))) == "RESULT<any, string>"
    u.unify(a, INT)
    assert show(resolve(model.ListType(a))) == "LIST<int>"


def test_constraints() -> None:
    color = model.EnumType(model.NominalDecl("enum", "COLOR", "m", (), None))
    point = model.NominalDecl("struct", "POINT", "m", (), None)
    point.fields = [("X", INT)]
    assert has_constraint(color, ORDERED)
    assert not has_constraint(model.ListType(INT), ORDERED)
    assert has_constraint(model.FLOAT, NUMERIC)
    assert has_constraint(model.StructType(point), HASHABLE)
    point.fields.append(("L", model.ListType(INT)))
    assert not has_constraint(model.StructType(point), HASHABLE)
