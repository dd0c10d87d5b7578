"""Machine view of source types: forms, layouts, and the table of type descriptors of a program.

A register has a source `Type` (so that its descriptor can be found) and thereby a form. Types that only MIR knows
(cells, environments of spawned calls, closure layouts, errors) are the classes below.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from nxdc.types import model
from nxdc.types.model import Type


class Form(IntEnum):
    """How a word is held and counted; the numbers are nxd_form of abi.h."""

    INT = 0
    FLOAT = 1
    BOOL = 2
    PTR = 3
    ANY = 4
    ERROR = 5  # an nxd_error pointer: owned by one register, never counted
    VOID = 6  # the result of a function that returns nothing


class ErrorPtrType(Type):
    """Of a register that holds an error on its way."""


ERROR_PTR = ErrorPtrType()


class CellType(Type):
    """A heap cell of one captured mutable variable: a struct with one field."""

    content: Type


class EnvType(Type):
    """Arguments of a spawned call, in order."""

    fields: tuple[Type, ...]


class ClosureType(Type):
    """The object behind a function value of type `signature` with these captures."""

    captures: tuple[Type, ...]
    signature: Type


class UnusedType(Type):
    """Holds the place of a descriptor number that abi.h keeps free."""

    number: int


def form_of(type_: Type) -> Form:
    """The form of values of a (solved) type."""
    cls = type(type_)
    if cls is model.PrimType:
        return _PRIM_FORMS[type_.name]  # type: ignore[attr-defined]
    return _CLASS_FORMS.get(cls, Form.PTR)


_PRIM_FORMS = {
    "int": Form.INT,
    "float": Form.FLOAT,
    "bool": Form.BOOL,
    "none": Form.ANY,
    "string": Form.PTR,
    "any": Form.ANY,
}

# Everything else is a pointer. A trait object is the value itself as an `any`: its methods are found by its run-time
# type.
_CLASS_FORMS: dict[type, Form] = {
    model.EnumType: Form.INT,
    model.NullableType: Form.ANY,
    model.BoxType: Form.ANY,
    model.NeverType: Form.ANY,
    UnusedType: Form.ANY,
    ErrorPtrType: Form.ERROR,
}


def is_counted(type_: Type) -> bool:
    """Whether registers of the type own references."""
    form = form_of(type_)
    return (form is Form.PTR or form is Form.ANY) and type_ != model.NONE


def components(type_: Type) -> tuple[Type, ...]:
    """The types of the words directly inside values of a type, in the order of the words (a union's: variant by
    variant).
    """
    return _COMPONENTS[type(type_)](type_) if type(type_) in _COMPONENTS else ()


_COMPONENTS: dict[type, Callable[[Any], tuple[Type, ...]]] = {
    model.ListType: lambda t: (t.element,),
    model.MapType: lambda t: (t.key, t.value),
    model.ChannelType: lambda t: (t.element,),
    model.TaskType: lambda t: (t.result,),
    model.ProcessType: lambda t: (t.result,),
    model.NullableType: lambda t: (t.inner,),
    model.RecordType: lambda t: tuple(field for _, field in t.fields),
    model.StructType: lambda t: tuple(field for _, field in model.struct_fields(t)),
    model.UnionType: lambda t: tuple(word for _, payload in model.union_variants(t) for word in payload),
    CellType: lambda t: (t.content,),
    EnvType: lambda t: t.fields,
    ClosureType: lambda t: t.captures,
}


class Descriptor:
    """One nxd_type to emit. `number` is its index; the first ones are fixed by abi.h (NXD_TYPE_*)."""

    __slots__ = ("cyclic", "deep_immutable", "mutable", "number", "shareable", "type")

    def __init__(self, number: int, type_: Type) -> None:
        self.number = number
        self.type = type_
        self.mutable = False
        self.deep_immutable = False
        self.cyclic = False
        self.shareable = False


_TIMEINFO = model.RecordType(
    tuple((name, model.INT) for name in ("YEAR", "MONTH", "DAY", "HOUR", "MIN", "SEC", "WEEKDAY"))
)

# In the order of NXD_TYPE_* in abi.h.
FIXED_TYPES: tuple[Type, ...] = (
    model.INT,
    model.FLOAT,
    model.BOOL,
    model.NONE,
    model.STRING,
    model.ANY,
    model.ListType(model.ANY),
    model.ListType(model.STRING),
    model.ListType(model.INT),
    model.option_of(model.INT),
    model.option_of(model.STRING),
    model.option_of(model.ANY),
    model.result_of(model.INT),
    model.result_of(model.FLOAT),
    model.ListType(model.FLOAT),
    model.ListType(model.BOOL),
    _TIMEINFO,
)
FIRST_FREE_TYPE = 20  # NXD_TYPE_FIRST


class TypeTable:
    """The descriptors of a program, numbered by first use after the fixed ones; the components of a type follow it.
    Filled by `mir/lower`, flags set by `opt/sharing`.
    """

    def __init__(self) -> None:
        self.by_type: dict[Type, Descriptor] = {}
        self.ordered: list[Descriptor] = []
        for type_ in FIXED_TYPES:
            self._add(type_)
        while len(self.ordered) < FIRST_FREE_TYPE:
            self._add(UnusedType(len(self.ordered)))

    def _add(self, type_: Type) -> Descriptor:
        descriptor = Descriptor(len(self.ordered), type_)
        self.by_type[type_] = descriptor
        self.ordered.append(descriptor)
        return descriptor

    def descriptor(self, type_: Type) -> Descriptor:
        """The descriptor of a type, made when new, and then those of its components too."""
        found = self.by_type.get(type_)
        if found is not None:
            return found
        found = self._add(type_)
        pending = [type_]
        while pending:
            for part in components(pending.pop()):
                if part not in self.by_type:
                    self._add(part)
                    pending.append(part)
        return found

    def number(self, type_: Type) -> int:
        """The descriptor number of a type, made when new."""
        return self.descriptor(type_).number

    def canonical(self, type_: Type) -> Type:
        """The instance whose written order of fields gives the layout: equal record types may be written in several
        orders.
        """
        return self.descriptor(type_).type

    def field_slot(self, type_: Type, index: int) -> int:
        """The word that holds field number `index` of a struct or record."""
        if not isinstance(type_, model.RecordType):
            return index
        layout = self.canonical(type_)
        if layout is type_:
            return index
        assert isinstance(layout, model.RecordType)
        name = type_.fields[index][0]
        return next(slot for slot, (other, _) in enumerate(layout.fields) if other == name)
