"""Types as debuggers see them: what abi.h says of objects, in terms of C.

int, float, bool and enums are what they are. Everything counted is a pointer to a structure with the fields of the
object, so `print P.X`, `print S.data` and `print *XS.data@XS.length` work in gdb. The members of a union that carry
something are an unnamed C union behind the tag. An `any` is a union of the ways to read its word.
"""

from __future__ import annotations

from nxdc.codegen import layout
from nxdc.codegen.context import Metadata, quoted
from nxdc.mir.types import CellType, Form, TypeTable, form_of
from nxdc.types import model
from nxdc.types.model import Type
from nxdc.types.show import show

_WORD_BITS = 64
_BOOL_BITS = 8


class DebugTypes:
    """The type nodes of one module, made on demand."""

    def __init__(self, metadata: Metadata, table: TypeTable) -> None:
        self._metadata = metadata
        self._table = table
        self._known: dict[Type, str] = {}
        self._int = self._basic("int", _WORD_BITS, "signed")
        self._byte = self._basic("char", 8, "signed_char")
        self._code = self._pointer("null")
        self._any = ""

    def of(self, type_: Type) -> str:
        """The node of a type's values."""
        found = self._known.get(type_)
        if found is None:
            found = self._make(type_)
            self._known[type_] = found
        return found

    def _make(self, type_: Type) -> str:
        form = form_of(type_)
        if isinstance(type_, model.EnumType):
            return self._enumeration(type_.decl.name, [name for name, _ in type_.decl.variants])
        if form is Form.INT:
            return self._int
        if form is Form.FLOAT:
            return self._basic("float", _WORD_BITS, "float")
        if form is Form.BOOL:
            return self._basic("bool", _BOOL_BITS, "boolean")
        if form is Form.PTR:
            return self._object(type_)
        if isinstance(type_, model.NullableType) and form_of(type_.inner) is Form.PTR:
            return self._word([self._member("value", self.of(type_.inner), 0)])
        return self._any_word()

    def _object(self, type_: Type) -> str:
        """A pointer to an object. It is known before its fields are made: types may be recursive."""
        structure, number = self._metadata.reserve()
        pointer = self._known[type_] = self._pointer(structure)
        members, size = self._members(type_)
        self._metadata.fill(number, self._structure(_name(type_), members, size))
        return pointer

    def _members(self, type_: Type) -> tuple[list[str], int]:
        """The fields of an object and the bytes it has at least."""
        if type_ == model.STRING:
            text = self._composite("array", "", [self._metadata.add("!DISubrange(count: -1)")], 0, self._byte)
            members = [
                self._member("bytes", self._int, layout.STRING_BYTES),
                self._member("chars", self._int, layout.STRING_CHARS),
                self._member("data", text, layout.STRING_DATA, 0),
            ]
            return members, layout.STRING_DATA
        if isinstance(type_, model.ListType):
            data = self._pointer(self.of(type_.element))
            members = [
                self._member("length", self._int, layout.LIST_LENGTH),
                self._member("data", data, layout.LIST_DATA),
            ]
            return members, layout.LIST_DATA + layout.WORD_SIZE
        if isinstance(type_, model.MapType):
            return [self._member("length", self._int, layout.MAP_LENGTH)], layout.MAP_LENGTH + layout.WORD_SIZE
        if isinstance(type_, (model.StructType, model.RecordType)):
            return self._fields(type_)
        if isinstance(type_, model.UnionType):
            return self._variants(type_)
        if isinstance(type_, CellType):
            return self._words([("VALUE", type_.content)], layout.STRUCT_FIELDS)
        if isinstance(type_, model.FuncType):
            return [self._member("code", self._code, layout.CLOSURE_CODE)], layout.CLOSURE_CAPTURES
        return [], layout.HEADER_SIZE

    def _fields(self, type_: model.StructType | model.RecordType) -> tuple[list[str], int]:
        descriptor = self._table.by_type.get(type_)
        stored = descriptor.type if descriptor is not None else type_
        assert isinstance(stored, (model.StructType, model.RecordType))
        return self._words(model.struct_fields(stored), layout.STRUCT_FIELDS)

    def _words(self, fields: list[tuple[str, Type]], base: int) -> tuple[list[str], int]:
        members = [
            self._member(name, self.of(type_), base + layout.WORD_SIZE * i, _bits(type_))
            for i, (name, type_) in enumerate(fields)
        ]
        return members, base + layout.WORD_SIZE * len(fields)

    def _variants(self, type_: model.UnionType) -> tuple[list[str], int]:
        """The tag, and the payloads on top of each other: one value as itself, several as a structure."""
        variants = model.union_variants(type_)
        tag = self._enumeration(f"{type_.decl.name}.tag", [name for name, _ in variants])
        members = [self._member("tag", tag, layout.UNION_TAG)]
        payloads, most = [], 0
        for name, payload in variants:
            if not payload:
                continue
            size = layout.WORD_SIZE * len(payload)
            most = max(most, size)
            if len(payload) == 1:
                payloads.append(self._member(name, self.of(payload[0]), 0, _bits(payload[0])))
            else:
                words, _ = self._words([(f"_{i}", part) for i, part in enumerate(payload)], 0)
                payloads.append(self._member(name, self._new_structure(name, words, size), 0, size * 8))
        if payloads:
            together = self._composite("union", "", payloads, most * 8)
            members.append(self._member("", together, layout.UNION_PAYLOAD, most * 8))
        return members, layout.UNION_PAYLOAD + most

    def _any_word(self) -> str:
        """A small int is in the upper 63 bits, text and everything else are addresses."""
        if not self._any:
            self._any = self._word([])
        return self._any

    def _word(self, more: list[str]) -> str:
        """The ways to read an any; `more` are those of a type that is known, when it is not none."""
        word = self._basic("word", _WORD_BITS, "unsigned")
        number = self._metadata.add(
            f'!DIDerivedType(tag: DW_TAG_member, name: "number", baseType: {self._int}, '
            f"size: {_WORD_BITS - 1}, offset: 1, flags: DIFlagBitField, extraData: i64 0)"
        )
        members = [number, self._member("text", self.of(model.STRING), 0), self._member("word", word, 0), *more]
        return self._composite("union", "any", members, _WORD_BITS)

    # ---- nodes ----------------------------------------------------------------------------------------------------

    def _basic(self, name: str, bits: int, encoding: str) -> str:
        return self._metadata.add(f'!DIBasicType(name: "{name}", size: {bits}, encoding: DW_ATE_{encoding})')

    def _pointer(self, target: str) -> str:
        return self._metadata.add(f"!DIDerivedType(tag: DW_TAG_pointer_type, baseType: {target}, size: {_WORD_BITS})")

    def _member(self, name: str, type_: str, offset: int, bits: int = _WORD_BITS) -> str:
        named = f"name: {_text(name)}, " if name else ""
        return self._metadata.add(
            f"!DIDerivedType(tag: DW_TAG_member, {named}baseType: {type_}, size: {bits}, offset: {offset * 8})"
        )

    def _enumeration(self, name: str, members: list[str]) -> str:
        nodes = [self._metadata.add(f"!DIEnumerator(name: {_text(m)}, value: {i})") for i, m in enumerate(members)]
        return self._composite("enumeration", name, nodes, _WORD_BITS, self._int)

    def _structure(self, name: str, members: list[str], size: int) -> str:
        elements = self._metadata.add(f"!{{{', '.join(members)}}}")
        return (
            f"!DICompositeType(tag: DW_TAG_structure_type, name: {_text(name)}, size: {size * 8}, elements: {elements})"
        )

    def _new_structure(self, name: str, members: list[str], size: int) -> str:
        return self._metadata.add(self._structure(name, members, size))

    def _composite(self, tag: str, name: str, elements: list[str], bits: int, base: str = "") -> str:
        named = f"name: {_text(name)}, " if name else ""
        based = f"baseType: {base}, " if base else ""
        list_ = self._metadata.add(f"!{{{', '.join(elements)}}}")
        return self._metadata.add(
            f"!DICompositeType(tag: DW_TAG_{tag}_type, {named}{based}size: {bits}, elements: {list_})"
        )


def _bits(type_: Type) -> int:
    return _BOOL_BITS if form_of(type_) is Form.BOOL else _WORD_BITS


def _name(type_: Type) -> str:
    return "cell" if isinstance(type_, CellType) else show(type_)


def _text(text: str) -> str:
    return quoted(text.encode("utf-8"))
