"""Machine types of forms, object offsets and alias classes: what abi.h says, as constants.

Facts of the layouts live here only; emitters name them. `tests/unit/test_codegen_layout.py` compares them with abi.h.
"""

from __future__ import annotations

from nxdc.mir import types as mtypes
from nxdc.mir.types import Form
from nxdc.types import model
from nxdc.types.model import Type

# Machine type of a value held in a register.
VALUE_TYPE: dict[Form, str] = {
    Form.INT: "i64",
    Form.FLOAT: "double",
    Form.BOOL: "i1",
    Form.PTR: "ptr",
    Form.ANY: "i64",
    Form.ERROR: "ptr",
    Form.VOID: "void",
}

# What stands in a register nobody wrote yet or that a failed call left (never read).
ZERO: dict[str, str] = {"i64": "0", "double": "0.0", "i1": "false", "ptr": "null"}

HEADER_SIZE = 8
WORD_SIZE = 8

COUNT_OFFSET = 0
STRING_BYTES = 8
STRING_CHARS = 16
STRING_DATA = 40
LIST_LENGTH = 8
LIST_CAPACITY = 16
LIST_DATA = 24
MAP_LENGTH = 8
STRUCT_FIELDS = 8
UNION_TAG = 8
UNION_PAYLOAD = 16
CLOSURE_CODE = 8
CLOSURE_CAPTURES = 16
BOX_WORD = 8  # of an int or float boxed in an any
PROCESS_STACK_LIMIT = 0
PROCESS_POLL = 8
PROCESS_SITE = 16

ANY_NONE = 2
ANY_FALSE = 6
ANY_TRUE = 10
ANY_POINTER_MASK = 3  # both bits clear: a pointer

FIELD_BASE = {"struct": STRUCT_FIELDS, "payload": UNION_PAYLOAD, "capture": CLOSURE_CAPTURES}

# Descriptor numbers that abi.h fixes.
TYPE_INT = 0
TYPE_FLOAT = 1
TYPE_BOOL = 2
TYPE_NONE = 3
TYPE_STRING = 4

# Alias classes (LLVM's TBAA): memory of two classes never overlaps. Words of structs, unions and closures are told
# apart by their distance from the header and nothing else, because in-place reuse may write another type over them.
ALIAS_COUNT = "count"
ALIAS_LENGTH = "list.length"
ALIAS_CAPACITY = "list.capacity"
ALIAS_DATA = "list.data"
ALIAS_MAP_LENGTH = "map.length"
ALIAS_MAP_VALUE = "map.value"
ALIAS_STRING = "string"
ALIAS_BOX = "box"
ALIAS_GLOBAL = "global"
ALIAS_ELEMENT: dict[Form, str] = {
    Form.INT: "element.int",
    Form.FLOAT: "element.float",
    Form.BOOL: "element.bool",
    Form.PTR: "element.ptr",
    Form.ANY: "element.any",
}


def alias_word(offset: int) -> str:
    """The alias class of the word at an offset of a struct, union or closure."""
    return f"word.{(offset - HEADER_SIZE) // WORD_SIZE}"


def form(type_: Type) -> Form:
    """The form of values of a type; of a function result, `none` is no value at all (see `result_form`)."""
    return mtypes.form_of(type_)


def result_form(type_: Type) -> Form:
    """The form of a function's result: VOID where it returns nothing."""
    if type_ == model.NONE or isinstance(type_, model.NeverType):
        return Form.VOID
    return mtypes.form_of(type_)


def value_type(type_: Type) -> str:
    """The machine type of registers of a type."""
    return VALUE_TYPE[mtypes.form_of(type_)]


def least_object_size(type_: Type) -> int:
    """How many bytes an object behind a pointer of the type has at least."""
    if isinstance(type_, model.ListType):
        return LIST_DATA + WORD_SIZE
    if type_ == model.STRING:
        return STRING_DATA
    if isinstance(type_, (model.StructType, model.RecordType)):
        return HEADER_SIZE + WORD_SIZE * len(model.struct_fields(type_))
    return UNION_PAYLOAD  # header and one word: unions without payload, maps, closures, cells


def element_size(list_type: Type) -> int:
    """Bytes of one element of a list."""
    assert isinstance(list_type, model.ListType)
    return 1 if mtypes.form_of(list_type.element) is Form.BOOL else WORD_SIZE
