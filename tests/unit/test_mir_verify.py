"""The verifier refuses wrong MIR."""

from __future__ import annotations

import pytest

from nxdc.mir import ops
from nxdc.mir.ops import Reg
from nxdc.mir.types import ERROR_PTR
from nxdc.mir.verify import verify_function
from nxdc.problem import CompilerBug
from nxdc.types import model
from tests.unit.mir_helpers import Graph
from tests.unit.mir_samples import at, const, text


def refused(graph: Graph, message: str) -> None:
    with pytest.raises(CompilerBug, match=message):
        verify_function(graph.function)


def test_a_block_needs_a_terminator() -> None:
    g = Graph()
    g.block("entry")
    refused(g, "no terminator")


def test_jumps_stay_inside_the_function() -> None:
    g = Graph()
    g.block("entry")
    g.goto("elsewhere")
    refused(g, "elsewhere")


def test_forms_of_a_copy_agree() -> None:
    g = Graph()
    g.block("entry")
    g.emit(ops.Assign(at(), [text("a")], dst=Reg(model.INT)))
    g.ret()
    refused(g, "PTR to INT")


def test_what_can_fail_has_an_error_edge() -> None:
    g = Graph()
    g.block("entry")
    g.emit(ops.Checked(at(), [const(1), const(2)], name="add_checked", dst=Reg(model.INT)))
    g.ret()
    refused(g, "no error edge")


def test_what_cannot_fail_has_none() -> None:
    g = Graph()
    g.block("entry")
    error = Reg(ERROR_PTR)
    g.emit(ops.Box(at(), [const(1)], dst=Reg(model.ANY), error=ops.ErrorEdge(g["fails"], error)))
    g.ret()
    g.block("fails")
    g.propagate(error)
    refused(g, "cannot fail")


def test_errors_leave_fallible_functions_only() -> None:
    g = Graph()
    error = Reg(ERROR_PTR)
    g.block("entry")
    g.call("work", [], fails_to="fails", error=error)
    g.ret()
    g.block("fails")
    g.propagate(error)
    g.function.fallible = False
    refused(g, "cannot fail")


def test_a_branch_is_on_a_bool() -> None:
    g = Graph()
    g.block("entry")
    g.branch(const(1), "entry", "entry")
    refused(g, "no bool")


def test_arguments_fit_the_letters() -> None:
    g = Graph()
    g.block("entry")
    g.call("work", [const(1)])
    g.ret()
    refused(g, "INT for `p`")


# ---- ownership ----


def test_a_value_nobody_drops() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    b = g.make("b")
    g.emit(ops.Drop(at(), [b]))
    g.ret()
    assert a
    refused(g, "nobody drops")


def test_a_value_dropped_twice() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.emit(ops.Drop(at(), [a]))
    g.emit(ops.Drop(at(), [a]))
    g.ret()
    refused(g, "not alive")


def test_a_value_used_after_it_moved() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.call("keep", [a], taken=(True,))
    g.call("read", [a])
    g.emit(ops.Drop(at(), [g.make("b")]))
    g.ret()
    refused(g, "not alive")


def test_ways_that_disagree() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    c = Reg(model.BOOL)
    g.emit(ops.Prim(at(), [const(1), const(2)], name="lt_int", dst=c))
    g.branch(c, "yes", "end")
    g.block("yes")
    g.emit(ops.Drop(at(), [a]))
    g.goto("end")
    g.block("end")
    g.call("read", [])
    g.ret()
    refused(g, "disagree|nobody drops")


def test_an_overwritten_value() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.call("make", [], dst=a, result="p")
    g.emit(ops.Drop(at(), [a]))
    g.ret()
    refused(g, "overwrites")


def test_a_borrowed_load_that_is_not_counted() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a", model.ListType(model.STRING))
    item = Reg(model.STRING, "item")
    g.emit(ops.LoadField(at(), [a], kind="struct", index=0, dst=item))
    g.emit(ops.Drop(at(), [a]))
    g.ret()
    refused(g, "neither counted nor listed")


def test_an_error_that_is_lost() -> None:
    g = Graph()
    error = Reg(ERROR_PTR, "error")
    g.block("entry")
    g.call("work", [], fails_to="fails", error=error)
    g.emit(ops.Drop(at(), [g.make("a")]))
    g.ret()
    g.block("fails")
    g.ret()
    refused(g, "nobody drops")
