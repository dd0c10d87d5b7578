"""Emitters: structs, unions, closures, module variables, boxing in `any`."""

from __future__ import annotations

from nxdc.codegen import counting, layout, thunks
from nxdc.codegen.context import bug
from nxdc.codegen.descriptors import object_words
from nxdc.codegen.frame import Frame
from nxdc.codegen.registry import emits
from nxdc.mir import ops
from nxdc.mir.types import ClosureType, Form
from nxdc.types import model
from nxdc.types.model import Type

# ---- making ---------------------------------------------------------------------------------------------------------


@emits(ops.NewStruct)
def emit_new_struct(frame: Frame, op: ops.NewStruct) -> None:
    """A struct-like object with all its words."""
    values = [(frame.read(arg), layout.form(arg.type)) for arg in op.args]
    address = _memory(frame, layout.STRUCT_FIELDS, len(values), op.type, op.reuse)
    _fill(frame, address, layout.STRUCT_FIELDS, values)
    frame.write(op.dst, address)


@emits(ops.NewUnion)
def emit_new_union(frame: Frame, op: ops.NewUnion) -> None:
    """A union object with payload."""
    values = [(frame.read(arg), layout.form(arg.type)) for arg in op.args]
    address = _memory(frame, layout.UNION_PAYLOAD, len(values), op.type, None)
    tag = frame.w.offset(address, layout.UNION_TAG)
    frame.w.store("i64", str(op.variant), tag, layout.alias_word(layout.UNION_TAG))
    _fill(frame, address, layout.UNION_PAYLOAD, values)
    frame.write(op.dst, address)


@emits(ops.NewClosure)
def emit_new_closure(frame: Frame, op: ops.NewClosure) -> None:
    """A function value. Without captures it is a constant."""
    if op.function is None:
        bug("closure without function", op.span)
    assert op.dst is not None
    type_ = ClosureType(tuple(arg.type for arg in op.args), op.dst.type)
    if not op.args:
        frame.write(op.dst, thunks.constant_closure(frame.module, op.function, type_))
        return
    values = [(frame.read(arg), layout.form(arg.type)) for arg in op.args]
    address = _memory(frame, layout.CLOSURE_CAPTURES, len(values), type_, None)
    code = frame.w.offset(address, layout.CLOSURE_CODE)
    frame.w.store("ptr", thunks.closure_code(frame.module, op.function), code, layout.alias_word(layout.CLOSURE_CODE))
    _fill(frame, address, layout.CLOSURE_CAPTURES, values)
    frame.write(op.dst, address)


def _memory(frame: Frame, base: int, words: int, type_: Type, reuse: ops.Reg | None) -> str:
    """Memory with a header for an object of `words` words behind `base`."""
    size = base + layout.WORD_SIZE * words
    if reuse is None:
        return frame.runtime("nxd_new", "ptr", ("i64", str(size)), ("i64", frame.descriptor(type_)))
    return _reused(frame, frame.read(reuse), size, base, type_)


def _reused(frame: Frame, dead: str, size: int, base: int, type_: Type) -> str:
    """The memory of an object of the same type nobody else holds, whose words are dropped; else new memory."""
    again, fresh, on = frame.fresh_label(), frame.fresh_label(), frame.fresh_label()
    count = frame.w.load("i32", dead, layout.ALIAS_COUNT)
    frame.w.branch(frame.w.icmp("eq", "i32", count, "1"), again, fresh)
    frame.w.label(again)
    for i, (_, word_type) in enumerate(object_words(type_)):
        offset = base + layout.WORD_SIZE * i
        form = layout.form(word_type)
        if form in (Form.PTR, Form.ANY) and word_type != model.NONE:
            old = frame.load_word(frame.w.offset(dead, offset), word_type, layout.alias_word(offset))
            counting.drop(frame, old, word_type)
    kept = frame.w.block
    frame.w.jump(on)
    frame.w.label(fresh)
    frame.runtime("nxd_drop", "void", ("ptr", dead))
    new = frame.runtime("nxd_new", "ptr", ("i64", str(size)), ("i64", frame.descriptor(type_)))
    frame.w.jump(on)
    frame.w.label(on)
    return frame.w.phi("ptr", [(dead, kept), (new, fresh)])


def _fill(frame: Frame, address: str, base: int, values: list[tuple[str, Form]]) -> None:
    for i, (value, form) in enumerate(values):
        offset = base + layout.WORD_SIZE * i
        frame.store_word(value, form, frame.w.offset(address, offset), layout.alias_word(offset))


# ---- fields ---------------------------------------------------------------------------------------------------------


@emits(ops.LoadField)
def emit_load_field(frame: Frame, op: ops.LoadField) -> None:
    """One word of an object."""
    assert op.dst is not None
    form = layout.form(op.dst.type)
    if op.shared or (frame.module.sanitize and op.kind == "struct"):
        word = frame.runtime("nxd_struct_get", "i64", ("ptr", frame.read(op.args[0])), ("i64", str(op.index)))
        value = frame.from_word(word, form)
        if not op.shared:  # the sanitizer build's detour: the load borrows, the call gave a reference
            counting.drop(frame, value, op.dst.type)
        frame.write(op.dst, value)
        return
    address, alias = _field(frame, op.args[0], op.kind, op.index)
    frame.write(op.dst, frame.load_word(address, op.dst.type, alias))


@emits(ops.StoreField)
def emit_store_field(frame: Frame, op: ops.StoreField) -> None:
    """Set one word and drop what was there."""
    type_ = op.args[1].type
    if op.shared or (frame.module.sanitize and op.kind == "struct"):
        frame.runtime(
            "nxd_struct_set",
            "void",
            ("ptr", frame.read(op.args[0])),
            ("i64", str(op.index)),
            ("i64", frame.word(op.args[1])),
        )
        return
    address, alias = _field(frame, op.args[0], op.kind, op.index)
    value = frame.read(op.args[1])
    replace_word(frame, address, alias, value, type_)


def replace_word(frame: Frame, address: str, alias: str, value: str, type_: Type) -> None:
    """Store a word; the reference that was there is dropped afterwards."""
    form = layout.form(type_)
    counted = form in (Form.PTR, Form.ANY) and type_ != model.NONE
    old = frame.load_word(address, type_, alias) if counted else ""
    frame.store_word(value, form, address, alias)
    if counted:
        counting.drop(frame, old, type_)


def _field(frame: Frame, target: ops.Value, kind: str, index: int) -> tuple[str, str]:
    offset = layout.FIELD_BASE[kind] + layout.WORD_SIZE * index
    return frame.w.offset(frame.read(target), offset), layout.alias_word(offset)


# ---- module variables -----------------------------------------------------------------------------------------------


def global_slot(frame: Frame, variable: ops.GlobalVar | None) -> str:
    """The address of a module variable."""
    if variable is None:
        return bug("module variable missing", frame.function.span)
    return frame.module.global_slot(variable)


@emits(ops.LoadGlobal)
def emit_load_global(frame: Frame, op: ops.LoadGlobal) -> None:
    """A module variable; one that changes while processes exist is read by the runtime."""
    assert op.dst is not None
    slot = global_slot(frame, op.variable)
    form = layout.form(op.variable.type)
    if op.shared:
        word = frame.runtime("nxd_global_get", "i64", ("ptr", slot), ("i64", frame.descriptor(op.variable.type)))
        frame.write(op.dst, frame.from_word(word, form))
    else:
        frame.write(op.dst, frame.load_word(slot, op.variable.type, layout.ALIAS_GLOBAL))


@emits(ops.StoreGlobal)
def emit_store_global(frame: Frame, op: ops.StoreGlobal) -> None:
    """Set a module variable."""
    type_ = op.variable.type
    slot = global_slot(frame, op.variable)
    form = layout.form(type_)
    if op.shared and not op.initial:
        number = frame.descriptor(type_)
        frame.runtime("nxd_global_set", "void", ("ptr", slot), ("i64", frame.word(op.args[0])), ("i64", number))
        return
    value = frame.read(op.args[0])
    if frame.module.program.spawns and form in (Form.PTR, Form.ANY) and not isinstance(op.args[0], ops.Const):
        frame.runtime("nxd_share", "void", ("i64", frame.to_word(value, form)), ("i64", frame.descriptor(type_)))
    if op.initial:
        frame.store_word(value, form, slot, layout.ALIAS_GLOBAL)
    else:
        replace_word(frame, slot, layout.ALIAS_GLOBAL, value, type_)


# ---- any ------------------------------------------------------------------------------------------------------------


@emits(ops.Box)
def emit_box(frame: Frame, op: ops.Box) -> None:
    """A value of a known type as an any."""
    frame.write(op.dst, box(frame, frame.read(op.args[0]), op.args[0].type))


def box(frame: Frame, value: str, type_: Type) -> str:
    """The any word of a value (its reference moves)."""
    form = layout.form(type_)
    if form is Form.ANY:
        return value
    if form is Form.PTR:
        return frame.to_word(value, form)
    if form is Form.BOOL:
        return frame.w.select(value, "i64", str(layout.ANY_TRUE), str(layout.ANY_FALSE))
    if isinstance(type_, model.EnumType):
        table = frame.module.constants.unit_table(type_)
        return frame.to_word(frame.w.load("ptr", frame.w.element("ptr", table, value)), Form.PTR)
    if form is Form.FLOAT:
        word = frame.to_word(value, form)
        return frame.runtime("nxd_any_box", "i64", ("i64", word), ("i64", str(layout.TYPE_FLOAT)))
    return _box_int(frame, value)


def _box_int(frame: Frame, value: str) -> str:
    """An int of 63 bits is tagged, a wider one boxed."""
    shifted = frame.w.binary("shl", "i64", value, "1")
    back = frame.w.binary("ashr", "i64", shifted, "1")
    small, wide, on = frame.fresh_label(), frame.fresh_label(), frame.fresh_label()
    frame.w.branch(frame.w.icmp("eq", "i64", back, value), small, wide, ", !prof !0")
    frame.w.label(small)
    tagged = frame.w.binary("or", "i64", shifted, "1")
    frame.w.jump(on)
    frame.w.label(wide)
    boxed = frame.runtime("nxd_any_box", "i64", ("i64", value), ("i64", str(layout.TYPE_INT)))
    frame.w.jump(on)
    frame.w.label(on)
    return frame.w.phi("i64", [(tagged, small), (boxed, wide)])


@emits(ops.Unbox)
def emit_unbox(frame: Frame, op: ops.Unbox) -> None:
    """An any that is known to hold dst's type, as that type."""
    assert op.dst is not None
    frame.write(op.dst, _unbox(frame, frame.read(op.args[0]), op.dst.type, taken=not op.borrow))


def _unbox(frame: Frame, word: str, type_: Type, taken: bool) -> str:
    form = layout.form(type_)
    if form is Form.ANY:
        return word
    if form is Form.PTR:
        return frame.from_word(word, form)
    if form is Form.BOOL:
        return frame.w.icmp("eq", "i64", word, str(layout.ANY_TRUE))
    if isinstance(type_, model.EnumType):
        unit = frame.from_word(word, Form.PTR)
        return frame.w.load("i64", frame.w.offset(unit, layout.UNION_TAG), layout.alias_word(layout.UNION_TAG))
    if form is Form.FLOAT:
        return _open_box(frame, word, type_, taken)
    return _unbox_int(frame, word, taken)


def _open_box(frame: Frame, word: str, type_: Type, taken: bool) -> str:
    address = frame.w.offset(frame.from_word(word, Form.PTR), layout.BOX_WORD)
    value = frame.load_word(address, type_, layout.ALIAS_BOX)
    if taken:
        counting.drop(frame, frame.from_word(word, Form.PTR), model.STRING)  # any type without cycles: a box is a leaf
    return value


def _unbox_int(frame: Frame, word: str, taken: bool) -> str:
    small, wide, on = frame.fresh_label(), frame.fresh_label(), frame.fresh_label()
    frame.w.branch(frame.w.cast("trunc", "i64", word, "i1"), small, wide, ", !prof !0")
    frame.w.label(small)
    number = frame.w.binary("ashr", "i64", word, "1")
    frame.w.jump(on)
    frame.w.label(wide)
    opened = _open_box(frame, word, model.INT, taken)
    end = frame.w.block
    frame.w.jump(on)
    frame.w.label(on)
    return frame.w.phi("i64", [(number, small), (opened, end)])
