"""Operators on values: arithmetic, comparison, membership, AND, OR, NOT, SUB. Their typings are rows in
tables/operators.py.
"""

from __future__ import annotations

from nxdc.check.coerce import Pending, adapt_literal, coerce, unwrap_nullable
from nxdc.check.expressions.exprs import check, check_as, error_expr, handles, is_error, need
from nxdc.check.flow.narrowing import check_condition
from nxdc.check.function import Fn
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.tables.operators import BY_WORD, CHARACTER_CLASSES, OpRow
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, FLOAT, INT, NONE, STRING, Type, TypeVar
from nxdc.types.show import show
from nxdc.types.unify import nullable_of, prune

_PRIMITIVES: dict[str, Type] = {"int": INT, "float": FLOAT, "bool": BOOL, "string": STRING}
_ARITHMETIC = frozenset({"ADD", "SUB", "MUL", "DIV", "MOD", "POW"})
_ORDER = frozenset({"GT", "LT", "GTE", "LTE"})
_CLASSES = frozenset(CHARACTER_CLASSES) | frozenset(f"NON_{word}" for word in CHARACTER_CLASSES)


def _typed_rows() -> dict[tuple[str, Type, Type], OpRow]:
    """Rows whose operands are primitive types, for quick finding."""
    found: dict[tuple[str, Type, Type], OpRow] = {}
    for operator in BY_WORD.values():
        for row in operator.rows:
            if row.left in _PRIMITIVES and row.right in _PRIMITIVES:
                found[operator.word, _PRIMITIVES[row.left], _PRIMITIVES[row.right]] = row
    return found


ROWS = _typed_rows()


@handles(ast.Binary)
def check_binary(f: Fn, node: ast.Binary, expected: Type | None) -> core.Expr:
    """`left op right`. The left spine of a long chain is walked, not recursed into."""
    if node.op in ("AND", "OR"):
        return _value_or(f, node) or check_condition(f, node).expr
    chain: list[ast.Binary] = []
    first: ast.Expr = node
    while isinstance(first, ast.Binary) and first.op not in ("AND", "OR"):
        chain.append(first)
        first = first.left
    hint = expected if node.op in _ARITHMETIC and expected is not None and prune(expected) is FLOAT else None
    left = check(f, first, hint if _is_number(first) else None)
    for binary in reversed(chain):
        left = _apply(f, binary, left, hint)
    return left


def _value_or(f: Fn, node: ast.Binary) -> core.Expr | None:
    """`M[K] OR 0`, as other languages give a value for what is missing; None when it is no such thing."""
    if node.op != "OR" or not isinstance(node.right, (ast.IntLit, ast.FloatLit, ast.StringLit, ast.ListLit)):
        return None
    other, missing = node.right.span.text, "X"
    if isinstance(node.left, ast.Index):
        missing = f"GET({node.left.base.span.text}, {node.left.index.span.text})"
    helps = [f"a value for what may be missing is given by `UNWRAP_OR({missing}, {other})`"]
    left = check(f, node.left)
    if not is_error(left):
        f.error(codes.S3002, "condition", node.right.span, got=show(check(f, node.right).type), helps=helps)
    return error_expr(node.span)


def _is_number(node: ast.Expr) -> bool:
    return isinstance(node, ast.IntLit) or (isinstance(node, ast.Unary) and isinstance(node.operand, ast.IntLit))


def _apply(f: Fn, node: ast.Binary, left: core.Expr, hint: Type | None) -> core.Expr:
    op = node.op
    if op == "CONTAINS":
        found = _character_class(f, node, left)
        if found is not None:
            return found
    if op in ("IN", "HAS", "CONTAINS"):
        return _membership(f, node, left)
    right_hint = hint
    if op in ("EQ", "NEQ"):
        right_hint = left.type
    elif (prune(left.type) is FLOAT and op != "ADD") or (prune(left.type) is FLOAT and _is_number(node.right)):
        right_hint = FLOAT
    right = check(f, node.right, right_hint if _is_number(node.right) or op in ("EQ", "NEQ") else None)
    if op in ("EQ", "NEQ"):
        return _equality(f, op, left, right, node)
    return binary(f, op, left, right, node.span, node.op_span)


def binary(f: Fn, op: str, left: core.Expr, right: core.Expr, span: Span, op_span: Span) -> core.Expr:
    """Arithmetic, order, STARTSWITH, ENDSWITH on checked operands."""
    row = ROWS.get((op, prune(left.type), prune(right.type)))
    if row is not None and row.lower != "concat":
        return _row_node(op, row, [left, right], span)
    if op == "ADD":
        text = _concat(f, left, right, span)
        if text is not None:
            return text
    left, right = unwrap_nullable(left), unwrap_nullable(right)
    left, right = _adapt(f, left, right)
    a, b = prune(left.type), prune(right.type)
    row = ROWS.get((op, a, b))
    if row is not None:
        return _row_node(op, row, [left, right], span)
    if isinstance(a, (model.ErrorType, model.NeverType)) or isinstance(b, (model.ErrorType, model.NeverType)):
        return _unknown_result(op, span)
    if isinstance(a, TypeVar) or isinstance(b, TypeVar):
        return _open_operands(f, op, left, right, span, op_span)
    if a is ANY or b is ANY:
        return _any_binary(f, op, left, right, span)
    if op in _ORDER and isinstance(a, model.EnumType) and a == b:
        return core.Intrinsic(BOOL, span, f"{op.lower()}_int", op, [left, right])
    _report(f, op, left, right, span, op_span)
    return _unknown_result(op, span)


def _unknown_result(op: str, span: Span) -> core.Expr:
    expr = error_expr(span)
    if op not in _ARITHMETIC:
        expr.type = BOOL
        return core.BoolLit(BOOL, span, False)
    return expr


def _row_node(op: str, row: OpRow, args: list[core.Expr], span: Span) -> core.Expr:
    name = row.inline or row.lower
    assert name is not None
    return core.Intrinsic(_PRIMITIVES[row.result], span, name, op, args)


def _adapt(f: Fn, left: core.Expr, right: core.Expr) -> tuple[core.Expr, core.Expr]:
    """An int literal beside a float is a float."""
    if prune(left.type) is INT and prune(right.type) is FLOAT:
        return adapt_literal(left) or left, right
    if prune(left.type) is FLOAT and prune(right.type) is INT:
        return left, adapt_literal(right) or right
    return left, right


def _concat(f: Fn, left: core.Expr, right: core.Expr, span: Span) -> core.Expr | None:
    """`ADD` with a string on either side; chains become one node with all their parts."""
    a, b = prune(left.type), prune(right.type)
    if a is not STRING and b is not STRING:
        return None
    if isinstance(a, model.ErrorType) or isinstance(b, model.ErrorType):
        return core.StringLit(STRING, span, "")
    if isinstance(left, core.Intrinsic) and left.name == "concat":
        left.args.append(_part(f, right))  # the chain so far belongs to nobody else
        left.span = span
        return left
    return core.Intrinsic(STRING, span, "concat", "ADD", [_part(f, left), _part(f, right)])


def _part(f: Fn, expr: core.Expr) -> core.Expr:
    """An operand of a concatenation. What has no type yet is formatted as an any, should nothing decide it."""
    if isinstance(prune(expr.type), (TypeVar, model.NullableType)):
        return coerce(f, expr, ANY) or expr
    if prune(expr.type) is NONE:
        return coerce(f, expr, ANY) or expr
    return expr


def _open_operands(f: Fn, op: str, left: core.Expr, right: core.Expr, span: Span, op_span: Span) -> core.Expr:
    """One operand's type is undecided: it is that of the other one where that makes sense. `ADD` also takes a string
    beside anything, so that it is only a guess there, and no good one beside what has no `ADD` of its own.
    """
    a, b = prune(left.type), prune(right.type)
    known = b if isinstance(a, TypeVar) else a
    unknown = a if isinstance(a, TypeVar) else b
    tells = known in (INT, FLOAT) and isinstance(unknown, TypeVar) and unknown.default is ANY
    if isinstance(known, TypeVar) or known is ANY or known is STRING or (op == "ADD" and not tells):
        if f.block(unknown, span):
            return _unknown_result(op, span)
        return binary(f, op, left, right, span, op_span)
    if op == "ADD" and f.wait(unknown, span):
        return _unknown_result(op, span)
    left2, right2 = coerce(f, left, known), coerce(f, right, known)
    if left2 is None or right2 is None or isinstance(prune(left2.type), TypeVar):
        _report(f, op, left, right, span, op_span)
        return _unknown_result(op, span)
    return binary(f, op, left2, right2, span, op_span)


def _any_binary(f: Fn, op: str, left: core.Expr, right: core.Expr, span: Span) -> core.Expr:
    """An operator found at run time. Comparisons and tests give a bool, the others an any."""
    a, b = coerce(f, left, ANY), coerce(f, right, ANY)
    assert a is not None and b is not None
    if op in _ARITHMETIC:
        return core.Intrinsic(ANY, span, "any_binary", op, [a, b])
    node = core.Intrinsic(ANY, span, "any_binary", op, [a, b])
    return core.Convert(BOOL, span, "from_any", node)


def _report(f: Fn, op: str, left: core.Expr, right: core.Expr, span: Span, op_span: Span) -> None:
    a, b = show(left.type), show(right.type)
    helps: list[str] = []
    fixes: list[Fix] = []
    if {prune(left.type), prune(right.type)} == {INT, FLOAT}:
        side = left if prune(left.type) is INT else right
        text = side.span.text
        shown = text if text.replace(".", "").replace("_", "").isalnum() else f"({text})"
        helps.append("an int becomes a float by `AS float`")
        fixes.append(Fix(f"write `{shown} AS float`", (Edit(side.span, f"{shown} AS float"),), "likely"))
    elif any(isinstance(prune(side.type), model.TaskType) for side in (left, right)):
        helps.append("the result of a task is waited for: `AWAIT TASK`")
    elif _is_option(left.type) or _is_option(right.type):
        helps.append("take the value out of the OPTION or RESULT first: `UNWRAP(...)` or a `MATCH`")
    elif op == "ADD" and isinstance(prune(left.type), model.ListType):
        helps.append("`CONCAT(A, B)` joins two lists, `PUSH L, X` puts a value at the end of a list")
    elif op == "HAS" and isinstance(prune(left.type), model.ListType):
        helps.append("`HAS` is for the keys of a MAP: write `X IN L`, or `L CONTAINS X`")
    elif op == "MUL" and STRING in (prune(left.type), prune(right.type)):
        helps.append('`REPEAT("-", 20)` gives a text several times')
    elif op == "MOD" and prune(left.type) is STRING:
        helps.append('values are joined to a text with `ADD`: `"X is " ADD X`')
    f.error(codes.S3002, "binary", span, f"`{a}` {op} `{b}`", op=op, left=a, right=b, helps=helps, fixes=fixes,
            also=[(left.span, f"this is `{a}`"), (right.span, f"this is `{b}`")])  # fmt: skip


def _is_option(type_: Type) -> bool:
    type_ = prune(type_)
    return isinstance(type_, model.UnionType) and type_.decl in (model.OPTION_DECL, model.RESULT_DECL)


# ---- equality
# ----------------------------------------------------------------------------------------------------------


def _equality(f: Fn, op: str, left: core.Expr, right: core.Expr, node: ast.Binary) -> core.Expr:
    """`EQ` and `NEQ`: both operands of one type."""
    span = node.span
    row = ROWS.get((op, prune(left.type), prune(right.type)))
    if row is not None:
        return _row_node(op, row, [left, right], span)
    if is_error(left) or is_error(right):
        return core.BoolLit(BOOL, span, False)
    from nxdc.check.expressions.tests import none_test

    if isinstance(right, core.NoneLit) or isinstance(left, core.NoneLit):
        value = left if isinstance(right, core.NoneLit) else right
        test = none_test(f, value, span)
        return test if op == "EQ" else core.Intrinsic(BOOL, span, "not", "NOT", [test])
    left, right = _adapt(f, left, right)
    pair = _same_type(f, left, right)
    if pair is None:
        a, b = show(left.type), show(right.type)
        helps = []
        if _is_option(left.type) != _is_option(right.type):
            helps = ["compare with `SOME(...)` or `OK(...)`, or take the value out first"]
        f.error(codes.S3002, "equality", span, left=a, right=b, helps=helps,
                also=[(left.span, f"this is `{a}`"), (right.span, f"this is `{b}`")])  # fmt: skip
        return core.BoolLit(BOOL, span, False)
    left, right = pair
    type_ = prune(left.type)
    row = ROWS.get((op, type_, type_))
    if row is not None:
        return _row_node(op, row, [left, right], span)
    if type_ is ANY:
        return _any_binary(f, op, left, right, span)
    if isinstance(type_, model.EnumType):
        return core.Intrinsic(BOOL, span, "eq_int" if op == "EQ" else "neq_int", op, [left, right])
    # Also where the type is still undecided: `eq_value` works for every type, `finalize` picks the better one.
    return core.Intrinsic(BOOL, span, "eq_value" if op == "EQ" else "neq_value", op, [left, right])


def _same_type(f: Fn, left: core.Expr, right: core.Expr) -> tuple[core.Expr, core.Expr] | None:
    a, b = prune(left.type), prune(right.type)
    if a is ANY or b is ANY:
        x, y = coerce(f, left, ANY), coerce(f, right, ANY)
        return (x, y) if x is not None and y is not None else None
    if isinstance(a, model.NullableType) or isinstance(b, model.NullableType):
        want = a if isinstance(a, model.NullableType) else nullable_of(b)
        if isinstance(b, model.NullableType) and not isinstance(a, model.NullableType):
            want = b
        x, y = coerce(f, left, want), coerce(f, right, want)
        return (x, y) if x is not None and y is not None else None
    converted = coerce(f, right, a)
    if converted is not None and not isinstance(converted, core.Convert):
        return left, converted
    if converted is not None and converted.kind in ("payload", "channel"):
        return left, converted
    back = coerce(f, left, b)
    if back is not None and not isinstance(back, Pending):
        return back, right
    return None


# ---- membership
# --------------------------------------------------------------------------------------------------------


def _membership(f: Fn, node: ast.Binary, left: core.Expr) -> core.Expr:
    """`X IN C`, `C HAS X`, `C CONTAINS X`. Arguments stay in source order."""
    op, span = node.op, node.span
    if op == "IN":
        container = unwrap_nullable(check(f, node.right))
        item = left
    else:
        container = unwrap_nullable(left)
        item = check(f, node.right, _item_type(prune(container.type)))
    type_ = prune(container.type)
    if isinstance(type_, TypeVar):
        if f.block(type_, container.span):
            return core.BoolLit(BOOL, span, False)
        type_ = prune(container.type)
    want = _item_type(type_)
    if isinstance(type_, model.MapType):
        name = "has_key"
    elif isinstance(type_, model.ListType) and op != "HAS":
        name = "in_list"
    elif type_ is STRING and op != "HAS":
        name = "in_string"
    elif type_ is ANY:
        return _any_binary(f, op, left if op == "IN" else container, container if op == "IN" else item, span)
    else:
        if not is_error(container) and not is_error(item):
            a, b = (item, container) if op == "IN" else (container, item)
            _report(f, op, a, b, span, node.op_span)
        return core.BoolLit(BOOL, span, False)
    assert want is not None
    item = need(f, item, want, item.span)
    args = [item, container] if op == "IN" else [container, item]
    return core.Intrinsic(BOOL, span, name, op, args)


def _item_type(container: Type) -> Type | None:
    if isinstance(container, model.MapType):
        return container.key
    if isinstance(container, model.ListType):
        return container.element
    return STRING if container is STRING else None


def _character_class(f: Fn, node: ast.Binary, left: core.Expr) -> core.Expr | None:
    """`S CONTAINS DIGIT`, when DIGIT is no name of the program."""
    right = node.right
    if not isinstance(right, ast.NameRef) or right.name not in _CLASSES or f.lookup(right.name) is not None:
        return None
    if any(group for group in f.scope.tiers(right.name) if right.name not in ("UPPER", "LOWER")):
        return None
    text = unwrap_nullable(left)
    if prune(text.type) is not STRING:
        text = need(f, text, STRING, node.left.span)
    word = core.StringLit(STRING, right.span, right.name)
    return core.Intrinsic(BOOL, node.span, "contains_class", "CONTAINS", [text, word])


# ---- prefix operators
# ----------------------------------------------------------------------------------------------------


def negate(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    """`SUB X`; of a literal, a literal."""
    operand = node.operand
    if isinstance(operand, ast.IntLit):
        if expected is not None and prune(expected) is FLOAT:
            return core.FloatLit(FLOAT, node.span, -float(operand.value))
        return core.IntLit(INT, node.span, -operand.value)
    value = unwrap_nullable(check(f, operand, expected))
    type_ = prune(value.type)
    if isinstance(value, core.FloatLit):
        return core.FloatLit(FLOAT, node.span, -value.value)
    if isinstance(type_, TypeVar):
        if f.block(type_, node.span):
            return error_expr(node.span)
        type_ = prune(value.type)
    if type_ is INT:
        return core.Intrinsic(INT, node.span, "neg_checked", "SUB", [value])
    if type_ is FLOAT:
        return core.Intrinsic(FLOAT, node.span, "fneg", "SUB", [value])
    if type_ is ANY:
        return core.Intrinsic(ANY, node.span, "any_negate", "SUB", [value])
    if not is_error(value):
        f.error(codes.S3002, "unary", node.span, op="SUB", type=show(type_))
    return error_expr(node.span)


def invert(f: Fn, node: ast.Unary, expected: Type | None) -> core.Expr:
    """`NOT X`."""
    return check_condition(f, node).expr


def check_bool(f: Fn, node: ast.Expr) -> core.Expr:
    """An operand of AND, OR, NOT or a condition."""
    return check_as(f, node, BOOL, "condition")
