"""The dataflow solver and liveness."""

from __future__ import annotations

from nxdc.mir.ops import Reg
from nxdc.mir.types import ERROR_PTR
from nxdc.opt.cfg import Cfg, bits, number_registers
from nxdc.opt.liveness import live_in
from nxdc.opt.solver import solve
from nxdc.types import model
from tests.unit.mir_helpers import Graph
from tests.unit.mir_samples import const


def test_reaches_the_least_solution_of_a_cycle() -> None:
    # 0 -> 1 -> 2 -> 1, 2 -> 3; what a block "uses" flows backwards.
    succs = [[1], [2], [1, 3], []]
    preds = [[], [0, 2], [1], [2]]
    uses = [0, 0b001, 0b010, 0b100]

    def transfer(block: int, solution: list[int]) -> int:
        found = uses[block]
        for succ in succs[block]:
            found |= solution[succ]
        return found

    assert solve([3, 2, 1, 0], preds, transfer) == [0b111, 0b111, 0b111, 0b100]


def test_bits_are_listed_upwards() -> None:
    assert list(bits(0b101001)) == [0, 3, 5]


def _live(g: Graph) -> dict[str, set[str]]:
    regs = number_registers(g.function)
    cfg = Cfg(g.function)
    return {
        block.label: {regs[n].name for n in bits(mask)}
        for block, mask in zip(g.function.blocks, live_in(cfg), strict=True)
    }


def test_live_around_a_loop() -> None:
    g = Graph()
    g.block("entry")
    a = g.make("a")
    g.goto("head")
    g.block("head")
    g.branch(const(True, model.BOOL), "body", "end")
    g.block("body")
    g.call("read", [a])
    g.goto("head")
    g.block("end")
    g.ret()
    assert _live(g) == {"entry": set(), "head": {"a"}, "body": {"a"}, "end": set()}


def test_an_error_edge_keeps_alive_what_its_handler_reads() -> None:
    g = Graph()
    error = Reg(ERROR_PTR, "error")
    g.block("entry")
    a = g.make("a")
    b = g.make("b")
    g.goto("work")
    g.block("work")
    g.call("work", [], fails_to="handler", error=error)
    g.call("read", [b])
    g.ret()
    g.block("handler")
    g.call("read", [a])
    g.propagate(error)
    live = _live(g)
    assert live["work"] == {"a", "b"}
    assert live["handler"] == {"a", "error"}


def test_what_is_set_before_the_op_is_not_live_before_the_block() -> None:
    g = Graph()
    error = Reg(ERROR_PTR, "error")
    a = Reg(model.STRING, "a")
    g.block("entry")
    g.call("make", [], dst=a, result="p")
    g.call("work", [], fails_to="handler", error=error)
    g.ret()
    g.block("handler")
    g.call("read", [a])
    g.propagate(error)
    assert _live(g)["entry"] == set()
