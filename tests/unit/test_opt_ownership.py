"""Ownership on small graphs: moves, dups, drops, on all kinds of edges."""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Reg
from nxdc.mir.types import ERROR_PTR
from nxdc.mir.verify import verify_function
from nxdc.opt.ownership import insert_ownership
from nxdc.types import model
from tests.unit.mir_helpers import Graph
from tests.unit.mir_samples import at, const


def owned(g: Graph) -> list[str]:
    """The dump after the pass, verified."""
    insert_ownership(g.function)
    verify_function(g.function)
    return g.lines()


def test_the_last_use_moves() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.call("keep", [a], taken=(True,))
    g.ret()
    assert not any("dup" in line or "drop" in line for line in owned(g))


def test_an_earlier_use_counts() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.call("keep", [a], taken=(True,))
    g.call("keep", [a], taken=(True,))
    g.ret()
    lines = owned(g)
    assert lines.count("dup a:0") == 1
    assert not any(line.startswith("drop") for line in lines)


def test_taken_twice_by_one_op() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.call("keep", [a, a], taken=(True, True))
    g.ret()
    assert owned(g).count("dup a:0") == 1


def test_lent_and_taken_by_one_op() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.call("keep", [a, a], taken=(True, False))
    g.ret()
    lines = owned(g)
    assert lines.count("dup a:0") == 1 and lines.count("drop *a:0") == 1


def test_a_result_nobody_reads_is_dropped_at_once() -> None:
    g = Graph()
    g.block("entry")
    g.make("a")
    g.ret()
    assert "drop *a:0" in owned(g)


def test_a_value_dies_on_the_edge_where_it_is_no_longer_needed() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.branch(const(True, model.BOOL), "yes", "no")
    g.block("yes")
    g.call("keep", [a], taken=(True,))
    g.goto("end")
    g.block("no")
    g.goto("end")
    g.block("end")
    g.ret()
    lines = owned(g)
    assert lines[lines.index("no:") + 1] == "drop *a:0"


def test_a_critical_edge_is_split() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.branch(const(True, model.BOOL), "yes", "end")
    g.block("yes")
    g.call("keep", [a], taken=(True,))
    g.goto("end")
    g.block("end")
    g.ret()
    lines = owned(g)
    assert lines[lines.index("end.drops:") + 1] == "drop *a:0"


def test_error_edges_drop_what_is_alive_and_not_taken() -> None:
    g = Graph()
    error = Reg(ERROR_PTR, "error")
    g.block("entry")
    a, b = g.make("a"), g.make("b")
    g.call("work", [b], taken=(True,), fails_to="fails", error=error)
    g.call("read", [a])
    g.ret()
    g.block("fails")
    g.propagate(error)
    lines = owned(g)
    start = lines.index("fails.drop:  # cold")
    assert lines[start + 1] == "drop *a:0"
    assert sum(line.startswith("drop *b") for line in lines) == 0


def test_error_edges_share_their_drops() -> None:
    g = Graph()
    error = Reg(ERROR_PTR, "error")
    g.block("entry")
    regs = []
    for name in "abcd":
        regs.append(g.make(name))
        for _ in range(3):
            g.call("work", [], fails_to="fails", error=error)
    for reg in regs:
        g.call("read", [reg])
    g.ret()
    g.block("fails")
    g.propagate(error)
    owned(g)
    assert sum(block.label == "fails.drop" for block in g.function.blocks) == 4


def test_an_error_nobody_looks_at_is_ended() -> None:
    g = Graph()
    g.block("entry")
    g.call("work", [], fails_to="handler")
    g.goto("handler")
    g.block("handler")
    g.ret()
    assert any(line.startswith("drop_error") for line in owned(g))


def test_the_old_value_lives_until_its_successor_is_made() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.call("change", [a], dst=a, result="p")
    g.call("keep", [a], taken=(True,))
    g.ret()
    lines = owned(g)
    assert "drop *a:0" in lines
    assert lines.index("drop *a:0") < lines.index(next(line for line in lines if line.startswith("a:0 = %")))


def test_borrowed_parameters_are_counted_where_they_are_kept() -> None:
    p = Reg(model.STRING, "p")
    g = Graph([p])
    g.block("entry")
    g.call("keep", [p], taken=(True,))
    g.ret()
    assert "dup p:0" in owned(g)


def test_owned_parameters_that_nobody_reads_are_dropped() -> None:
    p = Reg(model.STRING, "p")
    g = Graph([p])
    g.function.owned_params = [True]
    g.block("entry")
    g.ret()
    assert "drop *p:0" in owned(g)


def test_a_register_unset_on_some_path_starts_as_an_immortal() -> None:
    g = Graph()
    a = Reg(model.STRING, "a")
    g.block("entry")
    g.branch(const(True, model.BOOL), "yes", "join")
    g.block("yes")
    g.call("make", [], dst=a, result="p")
    g.goto("join")
    g.block("join")
    g.call("read", [a])
    g.ret()
    assert "a:0 = uninit" in owned(g)


def test_a_load_from_a_value_that_dies_is_counted_before() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a", model.ListType(model.STRING))
    item = Reg(model.STRING, "item")
    g.emit(ops.LoadField(at(), [a], kind="struct", index=0, dst=item))
    g.call("read", [item])
    g.ret()
    lines = owned(g)
    assert lines.index("dup item:1") < lines.index("drop *a:0") < lines.index("drop *item:1")
