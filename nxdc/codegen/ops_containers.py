"""Emitters: lists, maps, SETADD.

Inline code is for types that no other process can reach; `shared` ops, and the sanitizer build, call the runtime's
complete operations.
"""

from __future__ import annotations

from nxdc.codegen import counting, layout
from nxdc.codegen.context import bug
from nxdc.codegen.frame import Frame
from nxdc.codegen.inline import add_checked
from nxdc.codegen.ops_objects import global_slot, replace_word
from nxdc.codegen.registry import calls, emits
from nxdc.codegen.writer import UNLIKELY
from nxdc.mir import ops
from nxdc.mir.types import Form
from nxdc.tables.operators import ANY_OPERATORS
from nxdc.types import model
from nxdc.types.model import Type

_INDEX_ERROR = "nxd_error_index"
_TABLE = 32  # constants in a list literal that are worth a table


# ---- lists ----------------------------------------------------------------------------------------------------------


@emits(ops.NewList)
def emit_new_list(frame: Frame, op: ops.NewList) -> None:
    """A list of the given elements."""
    new = frame.runtime("nxd_list_new", "ptr", ("i64", frame.descriptor(op.type)), ("i64", str(len(op.args))))
    if len(op.args) >= _TABLE and all(isinstance(arg, ops.Const) for arg in op.args):
        _copy_constants(frame, op, _data(frame, new))
        _set_length(frame, new, str(len(op.args)))
    elif op.args:
        data = _data(frame, new)
        for i, arg in enumerate(op.args):
            _store_element(frame, frame.read(arg), op.type, _element(frame, op.type, data, str(i)))
        _set_length(frame, new, str(len(op.args)))
    frame.write(op.dst, new)


def _copy_constants(frame: Frame, op: ops.NewList, data: str) -> None:
    """A long list of constants is a table that is copied: LLVM takes minutes for ten thousand stores in a row."""
    assert isinstance(op.type, model.ListType)
    machine = layout.VALUE_TYPE[layout.form(op.type.element)]
    kind, size = ("i8", 1) if machine == "i1" else (machine, layout.WORD_SIZE)
    values = [{"true": "1", "false": "0"}.get(value, value) for value in map(frame.read, op.args)]
    table = frame.module.constants.table(kind, values)
    copy = frame.module.intrinsic(
        "llvm.memcpy.p0.p0.i64", "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)"
    )
    frame.w.call("void", copy, f"ptr align 8 {data}, ptr align 8 {table}, i64 {size * len(values)}, i1 false")


@emits(ops.ListGet)
def emit_list_get(frame: Frame, op: ops.ListGet) -> None:
    """An element, or E1002."""
    list_, index = frame.read(op.args[0]), frame.read(op.args[1])
    element = _element_type(op.args[0].type, op)
    form = layout.form(element)
    if op.shared or frame.module.sanitize:
        if op.unchecked and op.error is None:  # proven in bounds when nobody else can change the list
            frame.write(op.dst, _load_element(frame, list_, index, op.args[0].type))
            return
        word = frame.runtime_rw(op, "nxd_list_get", ("ptr", list_), ("i64", index))
        value = frame.from_word(word, form)
        if not op.shared:
            counting.drop(frame, value, element)
        frame.write(op.dst, value)
        return
    if not op.unchecked:
        _check_index(frame, op, list_, index)
    frame.write(op.dst, _load_element(frame, list_, index, op.args[0].type))


@emits(ops.ListSet)
def emit_list_set(frame: Frame, op: ops.ListSet) -> None:
    """Set an element, or E1002 (then the value is dropped)."""
    list_, index = frame.read(op.args[0]), frame.read(op.args[1])
    type_ = op.args[0].type
    element = _element_type(type_, op)
    if op.shared or frame.module.sanitize:
        word = frame.word(op.args[2])
        frame.runtime_error(op, "nxd_list_set", ("ptr", list_), ("i64", index), ("i64", word))
        return
    value = frame.read(op.args[2])
    if op.unchecked:
        pass
    elif _is_counted(element) and isinstance(op.args[2], ops.Reg):
        _check_index_dropping(frame, op, list_, index, value, element)
    else:
        _check_index(frame, op, list_, index)
    address = _element(frame, type_, _data(frame, list_), index)
    if layout.form(element) is Form.BOOL:
        _store_element(frame, value, type_, address)
    else:
        replace_word(frame, address, layout.ALIAS_ELEMENT[layout.form(element)], value, element)


@emits(ops.ListPush)
def emit_list_push(frame: Frame, op: ops.ListPush) -> None:
    """Append an element; the list grows in the runtime."""
    list_ = frame.read(op.args[0])
    type_ = op.args[0].type
    if op.shared or frame.module.sanitize:
        frame.runtime("nxd_list_push", "void", ("ptr", list_), ("i64", frame.word(op.args[1])))
        return
    value = frame.read(op.args[1])
    length = _length(frame, list_)
    capacity = frame.w.load("i64", frame.w.offset(list_, layout.LIST_CAPACITY), layout.ALIAS_CAPACITY)
    grow, on = frame.fresh_label(), frame.fresh_label()
    frame.w.branch(frame.w.icmp("eq", "i64", length, capacity), grow, on, UNLIKELY)
    frame.w.label(grow)
    frame.runtime("nxd_list_grow", "void", ("ptr", list_))
    frame.w.jump(on)
    frame.w.label(on)
    _store_element(frame, value, type_, _element(frame, type_, _data(frame, list_), length))
    _set_length(frame, list_, frame.w.binary("add nuw nsw", "i64", length, "1"))


def _check_index(frame: Frame, op: ops.Op, list_: str, index: str) -> None:
    length = _length(frame, list_)
    frame.fail_if(op, frame.w.icmp("uge", "i64", index, length), _INDEX_ERROR, index, length)


def _check_index_dropping(frame: Frame, op: ops.Op, list_: str, index: str, value: str, type_: Type) -> None:
    length = _length(frame, list_)
    bad, on = frame.fresh_label(), frame.fresh_label()
    frame.w.branch(frame.w.icmp("uge", "i64", index, length), bad, on, UNLIKELY)
    frame.w.label(bad)
    was_cold, frame.cold = frame.cold, True
    counting.drop(frame, value, type_)
    frame.cold = was_cold
    frame.fail(op, _INDEX_ERROR, index, length)
    frame.w.label(on)


def _load_element(frame: Frame, list_: str, index: str, type_: Type) -> str:
    assert isinstance(type_, model.ListType)
    form = layout.form(type_.element)
    address = _element(frame, type_, _data(frame, list_), index)
    alias = layout.ALIAS_ELEMENT[form]
    if form is Form.BOOL:
        return frame.w.cast("trunc", "i8", frame.w.load("i8", address, alias), "i1")
    return frame.load_word(address, type_.element, alias)


def _store_element(frame: Frame, value: str, type_: Type, address: str) -> None:
    assert isinstance(type_, model.ListType)
    form = layout.form(type_.element)
    alias = layout.ALIAS_ELEMENT[form]
    if form is Form.BOOL:
        byte = {"true": "1", "false": "0"}.get(value) or frame.w.cast("zext", "i1", value, "i8")
        frame.w.store("i8", byte, address, alias)
    else:
        frame.w.store(layout.VALUE_TYPE[form], value, address, alias)


def _element(frame: Frame, type_: Type, data: str, index: str) -> str:
    return frame.w.element("i8" if layout.element_size(type_) == 1 else "i64", data, index)


def _data(frame: Frame, list_: str) -> str:
    return frame.w.load("ptr", frame.w.offset(list_, layout.LIST_DATA), layout.ALIAS_DATA)


def _length(frame: Frame, list_: str) -> str:
    return frame.w.load("i64", frame.w.offset(list_, layout.LIST_LENGTH), layout.ALIAS_LENGTH)


def _set_length(frame: Frame, list_: str, length: str) -> None:
    frame.w.store("i64", length, frame.w.offset(list_, layout.LIST_LENGTH), layout.ALIAS_LENGTH)


def _element_type(type_: Type, op: ops.Op) -> Type:
    if not isinstance(type_, model.ListType):
        return bug(f"{type(op).__name__} on {type_!r}", op.span)
    return type_.element


def _is_counted(type_: Type) -> bool:
    return layout.form(type_) in (Form.PTR, Form.ANY) and type_ != model.NONE


# ---- maps -----------------------------------------------------------------------------------------------------------


@emits(ops.MapGet)
def emit_map_get(frame: Frame, op: ops.MapGet) -> None:
    """The value of a key, or E1003."""
    assert op.dst is not None
    map_ = frame.read(op.args[0])
    if op.shared or frame.module.sanitize:
        value = frame.from_word(_complete_get(frame, op, map_), layout.form(op.dst.type))
        if not op.shared:
            counting.drop(frame, value, op.dst.type)
        frame.write(op.dst, value)
        return
    address = _find(frame, op, map_, op.args[1])
    frame.write(op.dst, frame.load_word(address, op.dst.type, layout.ALIAS_MAP_VALUE))


def _complete_get(frame: Frame, op: ops.Op, map_: str) -> str:
    key = frame.word(op.operands()[1])
    return frame.runtime_rw(op, "nxd_map_get", ("ptr", map_), ("i64", key))


def _find(frame: Frame, op: ops.Op, map_: str, key: ops.Value) -> str:
    """The address of a value in a map that is not shared; E1003 (made by the complete operation) if missing."""
    address = _look_up(frame, map_, key)
    missing, on = frame.fresh_label(), frame.fresh_label()
    frame.w.branch(frame.w.icmp("eq", "ptr", address, "null"), missing, on, UNLIKELY)
    frame.w.label(missing)
    _complete_get(frame, op, map_)
    frame.w.unreachable()
    frame.w.label(on)
    return address


def _look_up(frame: Frame, map_: str, key: ops.Value) -> str:
    """The address of a value in a map that is not shared, or NULL."""
    if layout.form(key.type) is Form.INT:
        return frame.runtime("nxd_map_find_int", "ptr", ("ptr", map_), ("i64", frame.read(key)))
    if key.type == model.STRING:
        return frame.runtime("nxd_map_find_string", "ptr", ("ptr", map_), ("ptr", frame.read(key)))
    return frame.runtime("nxd_map_find", "ptr", ("ptr", map_), ("i64", frame.word(key)))


@calls("nxd_map_has")
def emit_map_has(frame: Frame, op: ops.CallRuntime) -> bool:
    """M HAS K, written as the look-up that `M[K]` makes: LLVM does it once where both follow each other."""
    map_, key = op.args
    known = frame.module.types.by_type.get(map_.type)
    if known is None or known.shareable or frame.module.sanitize or op.dst is None or key.type == model.ANY:
        return False
    address = _look_up(frame, frame.read(map_), key)
    found = frame.w.icmp("ne", "ptr", address, "null")
    frame.write(op.dst, found if op.dst.form is Form.BOOL else frame.w.cast("zext", "i1", found, "i64"))
    return True


# ---- SETADD ---------------------------------------------------------------------------------------------------------


@emits(ops.AddTo)
def emit_add_to(frame: Frame, op: ops.AddTo) -> None:
    """place = place ADD delta."""
    if op.shared or (frame.module.sanitize and op.place in ("list", "map") and op.type != model.ANY):
        _add_complete(frame, op)
        return
    address, alias = _place(frame, op)
    form = layout.form(op.type)
    old = frame.load_word(address, op.type, alias)
    frame.store_word(_sum(frame, op, old), form, address, alias)
    if form is Form.ANY:
        counting.drop(frame, old, op.type)


def _place(frame: Frame, op: ops.AddTo) -> tuple[str, str]:
    """Address and alias class of the place."""
    form = layout.form(op.type)
    if op.place == "field":
        offset = layout.STRUCT_FIELDS + layout.WORD_SIZE * op.index
        return frame.w.offset(frame.read(op.args[0]), offset), layout.alias_word(offset)
    if op.place == "global":
        return global_slot(frame, op.variable), layout.ALIAS_GLOBAL
    target = frame.read(op.args[0])
    if op.place == "map":
        return _find(frame, op, target, op.args[1]), layout.ALIAS_MAP_VALUE
    index = frame.read(op.args[1])
    if not op.unchecked:
        _check_index(frame, op, target, index)
    return _element(frame, op.args[0].type, _data(frame, target), index), layout.ALIAS_ELEMENT[form]


def _sum(frame: Frame, op: ops.AddTo, old: str) -> str:
    delta = op.args[-1]
    if op.type == model.INT:
        return add_checked(frame, op, [old, frame.read(delta)])
    if op.type == model.FLOAT:
        return frame.w.binary("fadd", "double", old, frame.read(delta))
    if op.type == model.STRING:
        return append(frame, old, delta)
    if layout.form(op.type) is Form.ANY:
        operator = str(ANY_OPERATORS.index("ADD"))
        return frame.runtime_rw(op, "nxd_any_binary", ("i64", operator), ("i64", old), ("i64", frame.read(delta)))
    return bug(f"SETADD on a place of type {op.type!r}", op.span)


def append(frame: Frame, text: str, more: ops.Value) -> str:
    """text (taken) ADD more, in place where it can be."""
    if more.type == model.STRING:
        return frame.runtime("nxd_append_string", "ptr", ("ptr", text), ("ptr", frame.read(more)))
    if more.type == model.INT:
        return frame.runtime("nxd_append_int", "ptr", ("ptr", text), ("i64", frame.read(more)))
    return frame.runtime(
        "nxd_append", "ptr", ("ptr", text), ("i64", frame.word(more)), ("i64", frame.descriptor(more.type))
    )


_COMPLETE = {"field": "nxd_struct_add", "list": "nxd_list_add", "map": "nxd_map_add", "global": "nxd_global_add"}


def _add_complete(frame: Frame, op: ops.AddTo) -> None:
    """The atomic operation of the runtime."""
    delta = op.args[-1]
    is_int = op.type == model.INT
    word, formatted = frame.word(delta), ""
    if op.type == model.STRING and delta.type != model.STRING:
        formatted = frame.runtime("nxd_format", "ptr", ("i64", word), ("i64", frame.descriptor(delta.type)))
        word = frame.to_word(formatted, Form.PTR)
    arguments = _complete_place(frame, op)
    arguments.append(("i64", word))
    if op.place == "global" and not is_int:
        arguments.append(("i64", frame.descriptor(op.type)))
    error = frame.runtime(_COMPLETE[op.place] + ("_int" if is_int else ""), "ptr", *arguments)
    if formatted:
        counting.drop(frame, formatted, model.STRING)
    frame.fail_on(op, error)


def _complete_place(frame: Frame, op: ops.AddTo) -> list[tuple[str, str]]:
    if op.place == "global":
        return [("ptr", global_slot(frame, op.variable))]
    target = ("ptr", frame.read(op.args[0]))
    if op.place == "field":
        return [target, ("i64", str(op.index))]
    return [target, ("i64", frame.word(op.args[1]))]
