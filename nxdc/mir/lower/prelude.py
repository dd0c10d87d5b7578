"""Calls of prelude functions: how a row of tables/prelude becomes an op."""

from __future__ import annotations

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.lower.dispatch import EXPRS, handles
from nxdc.mir.lower.functions import FunctionLowerer
from nxdc.mir.lower.transfer import transfer
from nxdc.mir.ops import Value
from nxdc.mir.types import Form, form_of
from nxdc.source.record import Record
from nxdc.tables import model as tables
from nxdc.types import model
from nxdc.types.model import Type
from nxdc.types.signature import read_signature

_LETTERS = {Form.INT: "i", Form.BOOL: "i", Form.FLOAT: "f", Form.ANY: "a", Form.PTR: "p"}


class _Shape(Record):
    """What a row's text says, read once."""

    type_params: tuple[str, ...]
    names: tuple[str, ...]
    letters: str
    result: str
    type_args: tuple[Type, ...]


_shapes: dict[tables.Prelude, _Shape] = {}


def _letter(type_: Type) -> str:
    return "w" if isinstance(type_, model.TypeParam) else _LETTERS[form_of(type_)]


def _shape(row: tables.Prelude) -> _Shape:
    found = _shapes.get(row)
    if found is None:
        signature = read_signature(row.signature)
        head = row.signature[: row.signature.index(">(") + 1] if row.signature.startswith("<") else ""
        found = _Shape(
            tuple(param.name for param in signature.type_params),
            tuple(name for name, _ in signature.params),
            "".join(_letter(type_) for _, type_ in signature.params),
            "" if signature.result == model.NONE else _letter(signature.result),
            tuple(read_signature(f"{head}(X: {text})").params[0][1] for text in row.type_args),
        )
        _shapes[row] = found
    return found


@handles(EXPRS, core.CallPrelude)
def lower_call_prelude(low: FunctionLowerer, node: core.CallPrelude) -> Value:
    """A C function or an inline emitter."""
    row = node.row
    args = low.operands(node.args)
    if row.inline is not None:
        return low.prim(row.inline, args, node.type, node.span)
    if row.c == "nxd_list_push":  # the same as the statement, with its fast path
        low.emit(ops.ListPush(node.span, args))
        return ops.Const(model.NONE, None)
    shape = _shape(row)
    for index, name in enumerate(shape.names):
        if name in row.transfers:
            args[index] = transfer(low, args[index], node.args[index].type, node.span)
    mapping = dict(zip(shape.type_params, node.type_args, strict=True))
    extra = tuple(model.substitute(type_, mapping) for type_ in shape.type_args)
    changes = tuple(index for index, name in enumerate(shape.names) if name in row.changes)
    assert row.c is not None
    for type_ in extra:
        low.types.descriptor(type_)
    dst = None if shape.result == "" else low.temp(node.type)
    fallible = bool(row.raises)
    op = ops.CallRuntime(
        node.span,
        args,
        symbol=row.c,
        params=shape.letters,
        result="" if dst is None else "w" if fallible else shape.result,
        fallible=fallible,
        needs_self=row.needs_self,
        parks=row.parks,
        taken=tuple(name in row.takes for name in shape.names) if row.takes else (),
        extra=extra,
        extra_ints=row.const_args,
        owned=row.result == tables.OWNED,
        pure=row.pure,
        diverges=row.diverges,
        changes=changes,
        changes_any=any(shape.letters[index] == "a" for index in changes),
        dst=dst,
    )
    if fallible:
        op.error = low.handler
    low.emit(op)
    if row.diverges:
        low.terminate(ops.Unreachable(node.span))
    return ops.Const(model.NONE, None) if dst is None else dst
