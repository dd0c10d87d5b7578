"""Unreachable code, unused variables, use after MOVE and changes through views, on typed core built by hand."""

from __future__ import annotations

from nxdc.check.flow.moves import check_views
from nxdc.check.flow.paths import check_function, falls_through
from nxdc.core import tree as core
from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.types import model
from nxdc.types.model import BOOL, INT, NEVER, NONE, STRING, ListType

FILE = SourceFile("main.nxd", "STATEMENT\n" * 60)
INTS = ListType(INT)


def at(line: int) -> Span:
    start = FILE.line_starts[line]
    return Span(FILE, start, start + 9)


HERE = at(0)


def local(name: str, type_: model.Type = INTS, *, borrowed: bool = False) -> core.Local:
    return core.Local(name, type_, HERE, False, borrowed)


def ref(variable: core.Local, line: int = 0, *, moves: bool = False) -> core.Expr:
    return core.LocalRef(variable.type, at(line), variable, moves)


def use(variable: core.Local, line: int) -> core.Stmt:
    return core.ExprStmt(at(line), ref(variable, line))


def move(variable: core.Local, line: int) -> core.Stmt:
    return core.ExprStmt(at(line), ref(variable, line, moves=True))


def let(variable: core.Local, line: int = 0, value: core.Expr | None = None) -> core.Stmt:
    variable.span = at(line)
    return core.Let(at(line), variable, value or core.MakeList(variable.type, at(line), []))


def truth(value: bool = True) -> core.Expr:
    return core.BoolLit(BOOL, HERE, value)


def condition() -> core.Expr:
    """A condition whose value is not known."""
    return ref(local("C", BOOL))


def if_(then: list[core.Stmt], otherwise: list[core.Stmt] | None = None) -> core.Stmt:
    return core.If(HERE, condition(), then, otherwise or [])


def returns(line: int = 0) -> core.Stmt:
    return core.Return(at(line), None)


def throws(line: int = 0) -> core.Stmt:
    return core.Throw(at(line), core.StringLit(STRING, HERE, "x"))


def loop(body: list[core.Stmt], test: core.Expr | None = None) -> core.Loop:
    return core.Loop(HERE, test, body)


def function(*body: core.Stmt, params: tuple[core.Local, ...] = ()) -> core.CoreFunction:
    return core.CoreFunction("main.F", list(params), NONE, list(body), HERE)


def said(sink: Sink) -> list[str]:
    return [f"{d.primary.span.line - 1} {d.code.number} {d.wording}" for d in sink.diagnostics()]


def check(*body: core.Stmt, params: tuple[core.Local, ...] = (), instance: bool = False) -> list[str]:
    sink = Sink()
    check_function(function(*body, params=params), sink, instance=instance)
    return said(sink)


# ---- paths -----------------------------------------------------------------------------------------------------------


def test_code_after_return_is_unreachable_once() -> None:
    x = local("X")
    assert check(let(x, 1), returns(2), use(x, 3), use(x, 4)) == ["3 W2002 code"]
    assert check(let(x, 1), returns(2), use(x, 3), instance=True) == []


def test_code_after_if_that_leaves_on_both_sides() -> None:
    x = local("X")
    assert check(if_([returns()], [throws()]), use(x, 3)) == ["3 W2002 code"]
    assert check(if_([returns()]), use(x, 3)) == []


def test_endless_loop_ends_by_break_only() -> None:
    x = local("X")
    forever = loop([use(x, 1)])
    assert check(forever, use(x, 3)) == ["3 W2002 code"]
    left = loop([])
    left.body.append(if_([core.Break(HERE, left)]))
    assert check(left, use(x, 3)) == []
    assert not falls_through([loop([], truth())])
    assert falls_through([loop([], condition())])


def test_break_of_an_outer_loop() -> None:
    outer = loop([])
    inner = loop([core.Break(HERE, outer)])
    outer.body.append(inner)
    assert falls_through([outer])


def test_try_and_match_ends() -> None:
    catch_all = core.Catch(None, None, [returns()], HERE)
    assert not falls_through([core.Try(HERE, [returns()], [catch_all], [])])
    assert falls_through([core.Try(HERE, [returns()], [core.Catch(None, None, [], HERE)], [])])
    assert not falls_through([core.Try(HERE, [], [], [returns()])])
    case = core.Case(core.PWild(INT, HERE), None, [returns()], HERE)
    subject = core.IntLit(INT, HERE, 1)
    assert not falls_through([core.Match(HERE, subject, [case], None, False)])
    assert falls_through([core.Match(HERE, subject, [case], [], False)])


def test_expression_that_never_yields() -> None:
    never = core.BlockExpr(NEVER, HERE, [returns()], None)
    assert not falls_through([core.ExprStmt(HERE, never)])


# ---- unused ----------------------------------------------------------------------------------------------------------


def test_unused_variables() -> None:
    x, hidden, loop_var = local("X"), local("$t"), local("I", INT)
    count = core.LoopRange(HERE, loop_var, core.IntLit(INT, HERE, 1), core.IntLit(INT, HERE, 2), None, True, [])
    assert check(let(x, 1), let(hidden, 2), count, params=(local("P"),)) == ["1 W2001 local"]


def test_assignment_is_no_use() -> None:
    x = local("X", INT)
    one = core.IntLit(INT, HERE, 1)
    assert check(let(x, 1), core.SetLocal(HERE, x, one), core.AddTo(HERE, ref(x), one)) == ["1 W2001 local"]


def test_capture_is_a_use() -> None:
    x = local("X")
    lambda_ = core.Lambda(model.FuncType((), NONE), HERE, function(), [x])
    assert check(let(x, 1), core.ExprStmt(HERE, lambda_)) == []


def test_unused_pattern_name() -> None:
    v = local("V", INT)
    v.span = at(3)
    case = core.Case(core.PBind(INT, at(3), v), None, [], at(3))
    assert check(core.Match(HERE, core.IntLit(INT, HERE, 1), [case], None, True)) == ["3 W2001 pattern"]


# ---- moves -----------------------------------------------------------------------------------------------------------


def test_use_after_move() -> None:
    x = local("X")
    assert check(let(x, 1), move(x, 2), use(x, 3)) == ["3 S3009 use"]
    assert check(let(x, 1), use(x, 2), move(x, 3)) == []
    assert check(let(x, 1), move(x, 2), let(x, 3), use(x, 4)) == []
    assert check(let(x, 1), move(x, 2), core.SetLocal(HERE, x, core.MakeList(INTS, HERE, [])), use(x, 4)) == []


def test_move_on_one_path() -> None:
    x = local("X")
    assert check(let(x, 1), if_([move(x, 2)]), use(x, 3)) == ["3 S3009 maybe"]
    assert check(let(x, 1), if_([move(x, 2)], [move(x, 3)]), use(x, 4)) == ["4 S3009 use"]
    assert check(let(x, 1), if_([move(x, 2), returns()]), use(x, 3)) == []


def test_loop_moves_twice() -> None:
    x = local("X")
    assert check(let(x, 1), loop([move(x, 2)], condition())) == ["2 S3009 loop"]
    inside = loop([let(x, 2), move(x, 3)], condition())
    assert check(inside) == []
    once = loop([move(x, 2)])
    once.body.append(core.Break(HERE, once))
    assert check(let(x, 1), once) == []
    assert check(let(x, 1), loop([use(x, 2), move(x, 3)], condition())) == ["2 S3009 maybe", "3 S3009 loop"]


def test_continue_carries_a_move() -> None:
    x = local("X")
    again = loop([], condition())
    again.body += [if_([move(x, 2), core.Continue(HERE, again)]), use(x, 3), returns()]
    assert check(let(x, 1), again) == ["2 S3009 loop", "3 S3009 maybe"]


def test_try_edges() -> None:
    x = local("X")
    handler = core.Catch(None, None, [use(x, 4)], HERE)
    assert check(let(x, 1), core.Try(HERE, [move(x, 2)], [handler], [])) == ["4 S3009 maybe"]
    leaving = core.Catch(None, None, [returns()], HERE)
    assert check(let(x, 1), core.Try(HERE, [move(x, 2)], [leaving], []), use(x, 5)) == ["5 S3009 use"]
    assert check(let(x, 1), core.Try(HERE, [move(x, 2)], [], [use(x, 3)])) == ["3 S3009 maybe"]


def test_short_circuit_and_if_expression() -> None:
    x = local("X", BOOL)
    maybe = core.ShortCircuit(BOOL, HERE, "AND", condition(), ref(x, 2, moves=True))
    assert check(let(x, 1, truth()), core.ExprStmt(HERE, maybe), use(x, 3)) == ["3 S3009 maybe"]
    both = core.IfExpr(BOOL, HERE, condition(), ref(x, 2, moves=True), ref(x, 3, moves=True))
    assert check(let(x, 1, truth()), core.ExprStmt(HERE, both), use(x, 4)) == ["4 S3009 use"]


def test_guard_that_moves() -> None:
    x = local("X", BOOL)
    first = core.Case(core.PWild(INT, HERE), ref(x, 2, moves=True), [], HERE)
    second = core.Case(core.PWild(INT, HERE), None, [use(x, 4)], HERE)
    subject = core.IntLit(INT, HERE, 1)
    assert check(let(x, 1, truth()), core.Match(HERE, subject, [first, second], None, True)) == ["4 S3009 maybe"]


# ---- views -----------------------------------------------------------------------------------------------------------


def views(*functions: core.CoreFunction) -> list[str]:
    sink = Sink()
    check_views(functions, sink)
    return said(sink)


def push(variable: core.Local, line: int) -> core.Stmt:
    return core.Push(at(line), ref(variable, line), core.IntLit(INT, at(line), 1))


def test_write_through_a_view() -> None:
    a, b, c = local("A"), local("B", borrowed=True), local("C")
    body = (let(a, 1), let(b, 2, ref(a)), push(a, 3), push(b, 4), let(c, 5, ref(b)), push(c, 6))
    assert views(function(*body)) == ["4 S3010 write", "6 S3010 write"]


def test_view_passed_to_a_function_that_changes_it() -> None:
    p, q, a, b = local("P"), local("Q"), local("A"), local("B", borrowed=True)
    writer = function(push(p, 1), params=(p,))
    passer = function(core.ExprStmt(HERE, core.Call(NONE, HERE, writer, [ref(q)])), params=(q,))
    reader = function(use(p, 1), params=(p,))
    calls = [core.ExprStmt(at(i), core.Call(NONE, at(i), f, [ref(b, i)])) for i, f in ((5, passer), (6, reader))]
    assert views(passer, function(let(a, 1), let(b, 2, ref(a)), *calls), writer, reader) == ["5 S3010 passed"]


def test_lambda_that_changes_a_captured_view() -> None:
    a, b, inner = local("A"), local("B", borrowed=True), local("B")
    body = core.CoreFunction("main.F.fn1", [inner], NONE, [push(inner, 7)], HERE, 1, True)
    lambda_ = core.Lambda(model.FuncType((), NONE), HERE, body, [b])
    assert views(body, function(let(a, 1), let(b, 2, ref(a)), core.ExprStmt(HERE, lambda_))) == ["7 S3010 write"]
