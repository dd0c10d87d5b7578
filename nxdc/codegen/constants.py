"""Constant data of a module: strings, unit variants, sites, C strings. One of each kind and content.

Strings and unit objects have count 0: immortal, never counted. String constants stand in writable memory, because
the runtime keeps a string's hash in the string.
"""

from __future__ import annotations

import hashlib
import struct

from nxdc.codegen import layout
from nxdc.codegen.context import Module, bug, quoted
from nxdc.mir import ops
from nxdc.mir.types import Form
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type

_ZERO = {Form.INT: "0", Form.FLOAT: "0.0", Form.BOOL: "false", Form.ERROR: "null"}


class Constants:
    """The constants of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._strings: dict[str, str] = {}
        self._c_strings: dict[str, str] = {}
        self._units: dict[tuple[int, int], str] = {}
        self._unit_tables: dict[Type, str] = {}
        self._sites: dict[tuple[str, str, int, int], str] = {}

    def string(self, text: str) -> str:
        """The address of an immortal string object."""
        name = self._strings.get(text)
        if name is None:
            data = text.encode("utf-8", "surrogatepass")
            name = self._strings[text] = f"@s.{_digest(data)}"
            size = len(data)
            self._module.definitions.append(
                f"{name} = internal unnamed_addr global {{ i32, i32, i64, i64, i64, i64, [{size + 1} x i8] }} "
                f"{{ i32 0, i32 {layout.TYPE_STRING}, i64 {size}, i64 {len(text)}, i64 0, i64 {size}, "
                f"[{size + 1} x i8] c{quoted(data + bytes(1))} }}, align 8"
            )
        return name

    def c_string(self, text: str) -> str:
        """The address of a NUL-terminated text."""
        name = self._c_strings.get(text)
        if name is None:
            data = text.encode("utf-8", "surrogatepass") + bytes(1)
            name = self._c_strings[text] = f"@c.{_digest(data)}"
            self._module.definitions.append(
                f"{name} = private unnamed_addr constant [{len(data)} x i8] c{quoted(data)}, align 1"
            )
        return name

    def unit(self, type_: Type, tag: int) -> str:
        """The immortal object of a variant without payload or of an enum member."""
        number = self._module.types.number(type_)
        key = (number, tag)
        name = self._units.get(key)
        if name is None:
            name = self._units[key] = f"@u.{number}.{tag}"
            self._module.definitions.append(
                f"{name} = internal constant {{ i32, i32, i64 }} {{ i32 0, i32 {number}, i64 {tag} }}, align 8"
            )
        return name

    def unit_table(self, type_: model.EnumType) -> str:
        """An array of the unit objects of all members of an enum: how an enum becomes an `any`."""
        name = self._unit_tables.get(type_)
        if name is None:
            units = [f"ptr {self.unit(type_, tag)}" for tag in range(len(type_.decl.variants))]
            name = self._unit_tables[type_] = f"@units.{self._module.types.number(type_)}"
            self._module.definitions.append(
                f"{name} = private unnamed_addr constant [{len(units)} x ptr] [{', '.join(units)}], align 8"
            )
        return name

    def table(self, kind: str, values: list[str]) -> str:
        """The address of an array of constants."""
        rows = ", ".join(f"{kind} {value}" for value in values)
        name = f"@l.{_digest(rows.encode())}"
        if name not in self._module.helpers:
            self._module.helpers.add(name)
            self._module.definitions.append(
                f"{name} = private unnamed_addr constant [{len(values)} x {kind}] [{rows}], align 8"
            )
        return name

    def site(self, span: Span | None, function: str) -> str:
        """The address of an nxd_site, or null when the place is unknown or inside the prelude."""
        if span is None or not span.file.path:
            return "null"
        line, column = span.file.position(span.start)
        key = (span.file.name, function, line, column)
        name = self._sites.get(key)
        if name is None:
            name = self._sites[key] = f"@at.{_digest(repr(key).encode())}"
            file, caller = self.c_string(span.file.name), self.c_string(function)
            self._module.definitions.append(
                f"{name} = private unnamed_addr constant {{ ptr, ptr, i32, i32 }} "
                f"{{ ptr {file}, ptr {caller}, i32 {line}, i32 {column} }}, align 8"
            )
        return name

    def operand(self, constant: ops.Const) -> str:
        """A MIR constant as an operand of the machine type of its form."""
        value, type_ = constant.value, constant.type
        form = layout.form(type_)
        if value == ops.UNINIT:
            return self._as_form(self.string(""), form) if form in (Form.PTR, Form.ANY) else _ZERO[form]
        if isinstance(value, bool):
            if form is Form.ANY:
                return str(layout.ANY_TRUE if value else layout.ANY_FALSE)
            return "true" if value else "false"
        if form is Form.INT and isinstance(value, int):
            return str(value)
        if form is Form.FLOAT and isinstance(value, (int, float)):
            return float_operand(float(value))
        if form is Form.PTR and isinstance(value, str):
            return self.string(value)
        if isinstance(value, tuple) and len(value) == 2 and value[0] == "unit":
            return self._as_form(self.unit(type_, int(value[1])), form)
        if form is Form.ANY and value is None:
            return str(layout.ANY_NONE)
        if form is Form.ANY and isinstance(value, int) and -(1 << 62) <= value < 1 << 62:
            return str(value * 2 + 1)
        if form is Form.ANY and isinstance(value, str):
            return self._as_form(self.string(value), form)
        return bug(f"constant {value!r} of type {type_!r}")

    @staticmethod
    def _as_form(address: str, form: Form) -> str:
        return f"ptrtoint (ptr {address} to i64)" if form is Form.ANY else address


def _digest(data: bytes) -> str:
    """A name after the content: what is added to a program does not change the names of the rest (see units.py)."""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def float_operand(value: float) -> str:
    """A double as its bits: exact, also for nan and inf."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
