"""Type descriptors (nxd_type of abi.h) of all types a program's table holds, and of those they mention.

Written last: emitting code and descriptors may add types to the table.
"""

from __future__ import annotations

from nxdc.codegen.context import Module, bug
from nxdc.mir import types as mtypes
from nxdc.mir.types import Descriptor
from nxdc.types import model
from nxdc.types.model import Type
from nxdc.types.show import show

_FLAG_MUTABLE, _FLAG_DEEP_IMMUTABLE, _FLAG_CYCLIC, _FLAG_SHAREABLE, _FLAG_OPAQUE = 1, 2, 4, 8, 16

_KIND_NAMES = (
    "INT", "FLOAT", "BOOL", "NONE", "STRING", "ANY", "LIST", "MAP", "STRUCT", "RECORD", "ENUM", "UNION", "FUNCTION",
    "CHANNEL", "TASK", "PROCESS", "CELL", "NULLABLE", "ENV", "BOX",
)  # fmt: skip
KINDS: dict[str, int] = {name: number for number, name in enumerate(_KIND_NAMES)}

_PRIM_KINDS = {"int": "INT", "float": "FLOAT", "bool": "BOOL", "none": "NONE", "string": "STRING", "any": "ANY"}


def emit_descriptors(module: Module) -> tuple[str, int]:
    """Write all descriptors; the array of their addresses and its length."""
    writer = _DescriptorWriter(module)
    ordered = module.types.ordered
    at = 0
    while at < len(ordered):  # writing one may append others
        writer.write(ordered[at])
        at += 1
    addresses = ", ".join(f"ptr @t.{i}" for i in range(len(ordered)))
    module.definitions.append(f"@types = private unnamed_addr constant [{len(ordered)} x ptr] [{addresses}], align 8")
    return "@types", len(ordered)


class _DescriptorWriter:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._families: dict[model.NominalDecl, int] = {}

    def write(self, descriptor: Descriptor) -> None:
        type_ = descriptor.type
        number = descriptor.number
        fields, field_count = self._fields(number, type_)
        variants, variant_count = self._variants(number, type_)
        name = self._module.constants.c_string(self._name(type_))
        form = int(mtypes.form_of(type_))
        self._module.definitions.append(
            f"@t.{number} = internal unnamed_addr constant "
            f"{{ ptr, i32, i32, i32, i32, i32, i32, i32, i32, ptr, ptr }} "
            f"{{ ptr {name}, i32 {KINDS[kind_name(type_)]}, i32 {form}, i32 {self._flags(descriptor)}, "
            f"i32 {self._family(type_)}, i32 {self._element(type_)}, i32 {self._key(type_)}, "
            f"i32 {field_count}, i32 {variant_count}, ptr {fields}, ptr {variants} }}, align 8"
        )

    @staticmethod
    def _flags(descriptor: Descriptor) -> int:
        return (
            _FLAG_MUTABLE * descriptor.mutable
            + _FLAG_DEEP_IMMUTABLE * descriptor.deep_immutable
            + _FLAG_CYCLIC * descriptor.cyclic
            + _FLAG_SHAREABLE * descriptor.shareable
            + _FLAG_OPAQUE * (isinstance(descriptor.type, model.StructType) and descriptor.type.decl.kind == "box")
        )

    def _family(self, type_: Type) -> int:
        if isinstance(type_, (model.StructType, model.UnionType)):
            return self._families.setdefault(type_.decl, len(self._families) + 1)
        return 0

    def _element(self, type_: Type) -> int:
        inner: Type | None = None
        if isinstance(type_, (model.ListType, model.ChannelType)):
            inner = type_.element
        elif isinstance(type_, (model.TaskType, model.ProcessType)):
            inner = type_.result
        elif isinstance(type_, model.NullableType):
            inner = type_.inner
        elif isinstance(type_, model.MapType):
            inner = type_.value
        return 0 if inner is None else self._module.types.number(inner)

    def _key(self, type_: Type) -> int:
        return self._module.types.number(type_.key) if isinstance(type_, model.MapType) else 0

    @staticmethod
    def _name(type_: Type) -> str:
        if isinstance(type_, mtypes.ClosureType):
            return show(type_.signature)
        if isinstance(type_, mtypes.CellType):
            return "cell"
        if isinstance(type_, mtypes.EnvType):
            return "arguments"
        return "" if isinstance(type_, mtypes.UnusedType) else show(type_)

    def _fields(self, number: int, type_: Type) -> tuple[str, int]:
        members = object_words(type_)
        if not members:
            return "null", 0
        return self._field_array(f"@t.{number}.f", members), len(members)

    def _field_array(self, name: str, members: list[tuple[str, Type]]) -> str:
        rows = [self._field(field, type_) for field, type_ in members]
        self._module.definitions.append(
            f"{name} = private unnamed_addr constant [{len(rows)} x {{ ptr, i32, i32 }}] [{', '.join(rows)}], align 8"
        )
        return name

    def _field(self, name: str, type_: Type) -> str:
        text = self._module.constants.c_string(name)
        number = self._module.types.number(type_)
        return f"{{ ptr, i32, i32 }} {{ ptr {text}, i32 {number}, i32 {int(mtypes.form_of(type_))} }}"

    def _variants(self, number: int, type_: Type) -> tuple[str, int]:
        if isinstance(type_, model.EnumType):
            variants: list[tuple[str, tuple[Type, ...]]] = [(name, ()) for name, _ in type_.decl.variants]
        elif isinstance(type_, model.UnionType):
            variants = model.union_variants(type_)
        else:
            return "null", 0
        rows = [self._variant(number, tag, type_, name, payload) for tag, (name, payload) in enumerate(variants)]
        self._module.definitions.append(
            f"@t.{number}.v = private unnamed_addr constant [{len(rows)} x {{ ptr, i32, i32, ptr, ptr }}] "
            f"[{', '.join(rows)}], align 8"
        )
        return f"@t.{number}.v", len(rows)

    def _variant(self, number: int, tag: int, type_: Type, name: str, payload: tuple[Type, ...]) -> str:
        fields = "null"
        unit = "null"
        if payload:
            fields = self._field_array(f"@t.{number}.v{tag}", [("", p) for p in payload])
        else:
            unit = self._module.constants.unit(type_, tag)
        text = self._module.constants.c_string(name)
        return f"{{ ptr, i32, i32, ptr, ptr }} {{ ptr {text}, i32 {len(payload)}, i32 0, ptr {fields}, ptr {unit} }}"


def kind_name(type_: Type) -> str:
    """The nxd_kind of a type, without its prefix."""
    if isinstance(type_, model.PrimType):
        return _PRIM_KINDS[type_.name]
    kind = _KIND_OF.get(type(type_))
    if kind is None:
        return bug(f"no descriptor for {type_!r}")
    return kind


_KIND_OF: dict[type, str] = {
    model.ListType: "LIST",
    model.MapType: "MAP",
    model.ChannelType: "CHANNEL",
    model.TaskType: "TASK",
    model.ProcessType: "PROCESS",
    model.FuncType: "FUNCTION",
    model.NullableType: "NULLABLE",
    model.RecordType: "RECORD",
    model.StructType: "STRUCT",
    model.EnumType: "ENUM",
    model.UnionType: "UNION",
    model.BoxType: "BOX",
    model.NeverType: "NONE",
    mtypes.CellType: "CELL",
    mtypes.EnvType: "ENV",
    mtypes.ClosureType: "FUNCTION",
    mtypes.UnusedType: "NONE",
}


def object_words(type_: Type) -> list[tuple[str, Type]]:
    """Names and types of the words of a struct-like object, in layout order."""
    if isinstance(type_, (model.StructType, model.RecordType)):
        return model.struct_fields(type_)
    if isinstance(type_, mtypes.CellType):
        return [("", type_.content)]
    if isinstance(type_, mtypes.EnvType):
        return [("", field) for field in type_.fields]
    if isinstance(type_, mtypes.ClosureType):
        return [("", capture) for capture in type_.captures]
    return []
