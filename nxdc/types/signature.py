"""Reads the types that tables hold as text: `<T : ORDERED>(L: LIST<T>, X: T): none`.

The notation is NXD's own, on one line; a result left out means `none`. Bounds are names of built-in constraints
(`prelude.CONSTRAINTS`). A mistake in a table is a mistake of ours, so it raises `ValueError`.
"""

from __future__ import annotations

import re

from nxdc.source.record import Record
from nxdc.types import model
from nxdc.types.constraints import CONSTRAINTS
from nxdc.types.model import Type

_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[<>(){},:])")
_PRIMITIVES = {t.name: t for t in (model.INT, model.FLOAT, model.BOOL, model.NONE, model.STRING, model.ANY)}


class Signature(Record):
    """The type of a prelude function. `type_params` occur as `TypeParam`s in the other parts."""

    type_params: tuple[model.TypeParam, ...]
    params: tuple[tuple[str, Type], ...]
    result: Type


def read_signature(text: str) -> Signature:
    """The signature that `text` spells."""
    reader = _Reader(text)
    signature = reader.signature()
    reader.finish()
    return signature


def read_type(text: str) -> Type:
    """The type that `text` spells (no type parameters)."""
    reader = _Reader(text)
    type_ = reader.type()
    reader.finish()
    return type_


class _Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _TOKEN.findall(text)
        if "".join(self.tokens) != re.sub(r"\s+", "", text):
            raise ValueError(f"not a signature: {text}")
        self.at = 0
        self.params: dict[str, model.TypeParam] = {}

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        token = self.peek()
        if not token or (wanted is not None and token != wanted):
            raise ValueError(f"expected {wanted or 'more'} at token {self.at} of: {self.text}")
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def finish(self) -> None:
        if self.peek():
            raise ValueError(f"left over `{self.peek()}` in: {self.text}")

    def signature(self) -> Signature:
        if self.accept("<"):
            while True:
                self.type_param()
                if not self.accept(","):
                    break
            self.take(">")
        self.take("(")
        params: list[tuple[str, Type]] = []
        while not self.accept(")"):
            name = self.take()
            self.take(":")
            params.append((name, self.type()))
            self.accept(",")
        result = self.type() if self.accept(":") else model.NONE
        return Signature(tuple(self.params.values()), tuple(params), result)

    def type_param(self) -> None:
        name = self.take()
        bounds: list[model.NominalDecl] = []
        if self.accept(":"):
            bounds.append(CONSTRAINTS[self.take()])
        self.params[name] = model.TypeParam(name, tuple(bounds))

    def type(self) -> Type:
        if self.accept("{"):
            return self.record()
        name = self.take()
        if name == "fn":
            return self.function()
        if name in _PRIMITIVES:
            return _PRIMITIVES[name]
        if name in self.params:
            return self.params[name]
        return self.applied(name)

    def record(self) -> Type:
        fields: list[tuple[str, Type]] = []
        while not self.accept("}"):
            name = self.take()
            self.take(":")
            fields.append((name, self.type()))
            self.accept(",")
        return model.RecordType(tuple(fields))

    def function(self) -> Type:
        self.take("(")
        params: list[Type] = []
        while not self.accept(")"):
            params.append(self.type())
            self.accept(",")
        result = self.type() if self.accept(":") else model.NONE
        return model.FuncType(tuple(params), result)

    def applied(self, name: str) -> Type:
        args: list[Type] = []
        if self.accept("<"):
            args.append(self.type())
            while self.accept(","):
                args.append(self.type())
            self.take(">")
        return _apply(name, args, self.text)


def _apply(name: str, args: list[Type], text: str) -> Type:
    if name == "LIST" and len(args) == 1:
        return model.ListType(args[0])
    if name == "MAP" and len(args) == 2:
        return model.MapType(args[0], args[1])
    if name == "CHANNEL" and len(args) == 1:
        return model.ChannelType(args[0])
    if name == "TASK" and len(args) == 1:
        return model.TaskType(args[0])
    if name == "PROCESS" and len(args) == 1:
        return model.ProcessType(args[0])
    if name == "OPTION" and len(args) <= 1:
        return model.option_of(args[0] if args else model.ANY)
    if name == "RESULT" and len(args) <= 2:
        return model.result_of(args[0] if args else model.ANY, args[1] if len(args) > 1 else model.STRING)
    raise ValueError(f"unknown type {name} in: {text}")
