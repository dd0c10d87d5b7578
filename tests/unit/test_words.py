"""Keywords are contextual: each line of LANGUAGE.md's examples, and the ways in which a word can be taken wrongly."""

from __future__ import annotations

import pytest

from nxdc.syntax import ast
from nxdc.syntax.keywords import RESERVED
from tests.unit.syntax_help import clean, codes_of, items, show

HEAD = "FUNC F(IN: CHANNEL<int>, OUT: CHANNEL<int>, TYPE: string):\n    "


@pytest.mark.parametrize(
    ("line", "node"),
    [
        ("LET J SET RECV IN", ast.Let),
        ("SEND S TO OUT", ast.Send),
        ("IF X.TYPE EQ TYPE: A()", ast.If),
        ("LET NOW SET NOW()", ast.Let),
        ("LET R SET SET(C, K)", ast.Let),
        ("LET PBS SET MATCH(AL)", ast.Let),
        ("LET M SET { IN: IN, OUT: OUT }", ast.Let),
        ("CLOSE IN", ast.Close),
        ("CLOSE SET IN", ast.Assign),
        ("SET SET SET", ast.Assign),
        ("LET SET SET SET", ast.Let),
        ("LET NEW SET LIST", ast.Let),
        ("MAX SET MAX(MIN, INT)", ast.Assign),
        ("X.FROM SET X.TO", ast.Assign),
        ("SEND SET TO TO", ast.Send),
        ("SEND SUB 5 TO OUT", ast.Send),
        ("SEND (A ADD B) TO OUT", ast.Send),
        ("SEND [1, 2] TO OUT", ast.Send),
        ("SEND SET 5", ast.Assign),
        ("PUSH OUT, X", ast.Push),
        ("PUSH(OUT, X)", ast.ExprStmt),
        ("PUSH (A.B), X", ast.Push),
        ("PUSH SET 5", ast.Assign),
        ("PUSH.X SET 5", ast.Assign),
        ("PUSH[0] SET 5", ast.Assign),
        ("REMOVE M[K]", ast.Remove),
        ("REMOVE(M, K)", ast.ExprStmt),
        ("REMOVE L WHERE VALUE EQ CID", ast.RemoveWhere),
        ("THROW IN", ast.Throw),
        ('THROW ("a" ADD E)', ast.Throw),
        ("RAISE E4001", ast.Raise),
        ('RAISE E4001 "detail"', ast.Raise),
        ("RAISE E4001 (A ADD B)", ast.Raise),
        ("TIMEOUT H 500", ast.Timeout),
        ("TIMEOUT H MS", ast.Timeout),
        ("TIMEOUT H (A ADD 3)", ast.Timeout),
        ("TIMEOUT H[0] F(1)", ast.Timeout),
        ("ESC H", ast.Esc),
        ("MOVE A TO B", ast.MoveTo),
        ("CLONE A TO B", ast.CloneTo),
        ("MOVE SET 5", ast.Assign),
        ("AWAIT T", ast.ExprStmt),
        ("LOOP IN IN IN: A()", ast.LoopIn),
        ("LOOP FROM FROM 1 TO TO: A()", ast.LoopFrom),
        ("LOOP K, V IN MAPPING: A()", ast.LoopIn),
        ("LOOP WHILE IN: A()", ast.LoopWhile),
        ("LOOP WHILE IN GT 3: A()", ast.LoopWhile),
        ("LOOP WHILE IN L: A()", ast.LoopIn),
        ("WHILE WHILE: A()", ast.LoopWhile),
        ("WHILE (A): B()", ast.LoopWhile),
        ("WHILE SET 3", ast.Assign),
        ("FOR X IN L: A()", ast.LoopIn),
        ("FOR SET 3", ast.Assign),
        ("MATCH(AL)", ast.ExprStmt),
        ("SELECT(AL)", ast.ExprStmt),
        ("TYPE SET 5", ast.Assign),
        ("MODULE SET 5", ast.Assign),
        ("SPAWN WORK(CH)", ast.ExprStmt),
        ("SPAWN fn(): WORK(CH)", ast.ExprStmt),
        ("NEW SET FREE", ast.Assign),
        ("COMPILE(X)", ast.ExprStmt),
        ("LOG(START, GET)", ast.ExprStmt),
        ("IF A THEN B ELSE C", ast.ExprStmt),
        ("IF A: B()", ast.If),
    ],
)
def test_statement(line: str, node: type[ast.Node]) -> None:
    (func,) = items(HEAD + line + "\n")
    assert isinstance(func, ast.FuncDecl)
    assert func.body is not None
    assert type(func.body.stmts[0]) is node


@pytest.mark.parametrize(
    "text",
    [
        "FUNC SET(K: string):\n    A()",
        "FUNC MATCH(X): int:\n    RETURN 1",
        "FUNC SUB(A, B): int:\n    RETURN SUB(A, B)",
        "TYPE R { TYPE: string, FROM: int, TO: int, IN: fn(int): int }",
        "TYPE R {\n    FROM: int\n    TO: int\n    ADD: int\n}",
        "TYPE C ENUM { IN, SET, TO, FROM }",
        "TYPE C ENUM {\n    IN\n    SET\n    TO\n}",
        "TYPE U UNION { SEND(int), RECV }",
        "TYPE SET STRUCT:\n    K: int",
        "EXPORT FUNC A",
        "EXPORT TYPE T",
        "EXPORT ALL",
        "EXPORT FUNC A(): int:\n    RETURN 1",
        "PRIVATE CONST IN SET 1",
        "IMPORT TEST",
        "IMPORT core.types AS U",
        "IMPORT core.types SET, GET",
        "ASYNC FUNC F(): RETURN 1",
        "LET F: fn(int, string): LIST<int> SET G",
        "LET L SET LIST<MAP<int, string>> []",
        "LET B SET BOX<SERIALIZABLE>(U)",
        "LET C SET MAKE_CHANNEL<int>(CAPACITY 8)",
        "LET C SET MAKE_CHANNEL<int>(UNBOUNDED)",
        "LET P SET core.types.JOB { ID: 1 }",
        "FUNC F<T : A, B, U>(X: T): T WHERE U : C, D, T : E:\n    RETURN X",
        "IMPL<T> SHOW<T> FOR BOX<T>:\n    FUNC SHOW(X): string:\n        RETURN A",
        "TRAIT B IMPLEMENTS A {\n    FUNC F(X): string\n    FUNC G(X, Y: int)\n}",
        "TRAIT MARK { }",
        "INIT:\n    A()",
        "CONST INIT SET 1",
    ],
)
def test_declaration(text: str) -> None:
    clean(text + "\n")


def test_type_arguments_and_comparison() -> None:
    (item,) = items("X SET ID<LIST<int>>(Y)\n")
    assert isinstance(item, ast.Assign)
    assert isinstance(item.value, ast.Call)
    assert show(item.value.type_args[0]) == "LIST<int>"
    assert codes_of("X SET A < B\n") == ["W2004"]
    assert codes_of("X SET A<B AND C>D\n") == ["W2004", "W2004"]


def test_call_of_a_function_named_like_a_prefix_word() -> None:
    first, second = items("FUNC PING(X: int): int:\n    RETURN X\nLET A SET PING(1)\n")
    assert isinstance(first, ast.FuncDecl)
    assert isinstance(second, ast.Let)
    assert isinstance(second.value, ast.Call)
    (alone,) = items("LET A SET PING(H)\n")
    assert isinstance(alone, ast.Let)
    assert isinstance(alone.value, ast.Unary)


@pytest.mark.parametrize(
    "word",
    sorted(RESERVED),
)
def test_reserved_words_are_no_names(word: str) -> None:
    assert "P1017" in codes_of(f"LET {word} SET 1\n")
    assert codes_of(f"PRINTLN(X.{word})\n") == ["P1017"]


def test_select() -> None:
    source = """SELECT:
    CASE V FROM CH: A(V)
    CASE _ FROM CH: A(V)
    CASE SEND X TO CH: B()
    CASE TIMEOUT 0.5: C()
    CASE SEND FROM CH: D()
    OTHERWISE: E()
"""
    (item,) = items(source)
    assert isinstance(item, ast.Select)
    assert [type(case).__name__ for case in item.cases] == [
        "SelectRecv",
        "SelectRecv",
        "SelectSend",
        "SelectTimeout",
        "SelectRecv",
    ]
    assert item.otherwise is not None
