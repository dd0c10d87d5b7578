"""Functions that release dead objects, one a type: what the runtime does by reading descriptors, as straight code.

For structs, unions, cells and lists without cycles. `@nxd.end.N(object, depth)` is called when the last reference to
an object of type N goes: it drops the counted words and frees the memory. It recurses at most DEPTH deep; what lies
deeper is released by the runtime, which needs no stack for it. (Binary trees: a third of the time.)
"""

from __future__ import annotations

from collections.abc import Callable

from nxdc.codegen import layout
from nxdc.codegen.context import Module
from nxdc.codegen.descriptors import object_words
from nxdc.codegen.writer import Writer
from nxdc.mir.types import CellType, is_counted
from nxdc.types import model
from nxdc.types.model import Type

DEPTH = 32
_MAX_WORDS = 12  # counted words of one variant; larger objects are left to the runtime
_SHAPES = (model.StructType, model.RecordType, model.UnionType, model.ListType, CellType)

Dropper = Callable[[Writer, str, Type, str], None]  # (writer, value, type, depth left)


def is_released_inline(module: Module, type_: Type) -> bool:
    """Whether objects of a type have a release function."""
    if not module.specialise or not isinstance(type_, _SHAPES):
        return False
    return all(len(words) <= _MAX_WORDS for words in _variants(type_))


def end_function(module: Module, type_: Type, drop: Dropper) -> str:
    """The release function of a type; `drop` writes the drop of one word."""
    name = f"@nxd.end.{module.types.number(type_)}"
    if name not in module.helpers:
        module.helpers.add(name)
        _Release(module, type_, drop).write(name)
    return name


def _variants(type_: Type) -> list[list[tuple[int, Type]]]:
    """For each variant (one, where there are none) offset and type of the counted words."""
    if isinstance(type_, model.ListType):
        return [[]]
    if isinstance(type_, model.UnionType):
        payloads = [payload for _, payload in model.union_variants(type_)]
        return [_counted(layout.UNION_PAYLOAD, list(payload)) for payload in payloads]
    return [_counted(layout.STRUCT_FIELDS, [field for _, field in object_words(type_)])]


def _counted(base: int, types: list[Type]) -> list[tuple[int, Type]]:
    return [(base + layout.WORD_SIZE * i, type_) for i, type_ in enumerate(types) if is_counted(type_)]


class _Release:
    def __init__(self, module: Module, type_: Type, drop: Dropper) -> None:
        self._module = module
        self._type = type_
        self._drop = drop
        self._w = Writer(module.aliases)

    def write(self, name: str) -> None:
        w = self._w
        count = w.load("i32", "%object", layout.ALIAS_COUNT)
        last = w.icmp("eq", "i32", count, "1")
        allowed = w.icmp("sgt", "i32", "%depth", "0")
        w.branch(w.binary("and", "i1", last, allowed), "here", "runtime")
        w.label("here")
        depth = w.binary("add nsw", "i32", "%depth", "-1")
        if isinstance(self._type, model.ListType):
            self._release_list(depth)
        elif isinstance(self._type, model.UnionType):
            self._release_union(depth)
        else:
            words = len(object_words(self._type))
            self._release_words(_variants(self._type)[0], layout.STRUCT_FIELDS + layout.WORD_SIZE * words, depth)
        w.label("runtime")
        w.call("void", self._module.declare("nxd_drop", "void", "ptr"), "ptr %object")
        w.ret("void")
        body = "\n".join(["entry:", *w.lines])
        head = f"define internal void {name}(ptr %object, i32 %depth) nounwind"
        self._module.functions.append(f"{head} {{\n{body}\n}}")

    def _release_words(self, words: list[tuple[int, Type]], size: int, depth: str) -> None:
        w = self._w
        values = [
            w.load(layout.value_type(type_), w.offset("%object", offset), layout.alias_word(offset))
            for offset, type_ in words
        ]
        for value, (_, type_) in zip(values, words, strict=True):
            self._drop(w, value, type_, depth)
        free = self._module.declare("nxd_free", "void", "ptr, i64")
        w.call("void", free, f"ptr %object, i64 {size}")
        w.ret("void")

    def _release_union(self, depth: str) -> None:
        w = self._w
        assert isinstance(self._type, model.UnionType)
        variants, words = model.union_variants(self._type), _variants(self._type)
        tag = w.load("i64", w.offset("%object", layout.UNION_TAG), layout.alias_word(layout.UNION_TAG))
        boxed = [i for i, (_, payload) in enumerate(variants) if payload]
        w.switch(tag, "runtime", [(i, f"v{i}") for i in boxed])
        for i in boxed:
            w.label(f"v{i}")
            size = layout.UNION_PAYLOAD + layout.WORD_SIZE * len(variants[i][1])
            self._release_words(words[i], size, depth)

    def _release_list(self, depth: str) -> None:
        w = self._w
        assert isinstance(self._type, model.ListType)
        element = self._type.element
        if is_counted(element):
            length = w.load("i64", w.offset("%object", layout.LIST_LENGTH), layout.ALIAS_LENGTH)
            data = w.load("ptr", w.offset("%object", layout.LIST_DATA), layout.ALIAS_DATA)
            before = w.block
            w.jump("test")
            w.label("test")
            index = w.phi("i64", [("0", before), ("%next", "dropped")])
            w.branch(w.icmp("ult", "i64", index, length), "body", "free")
            w.label("body")
            form = layout.form(element)
            value = w.load(layout.VALUE_TYPE[form], w.element("i64", data, index), layout.ALIAS_ELEMENT[form])
            self._drop(w, value, element, depth)
            w.jump("dropped")
            w.label("dropped")
            w.lines.append(f"  %next = add nuw nsw i64 {index}, 1")
            w.jump("test")
            w.label("free")
        w.call("void", self._module.declare("nxd_free_shell", "void", "ptr"), "ptr %object")
        w.ret("void")


def drop_helper(module: Module, type_: Type, drop: Dropper, *, inside: bool) -> str:
    """The function drops of a type are written as: a plain count is lowered inline, the last reference releases.

    `inside`: for the drops in release functions. There LLVM may inline the release where that comes to an end: of types
    that hold themselves (a quarter of the time of binary trees) or nothing counted. A copy at every drop of the
    program would double its code, for what happens once to an object.
    """
    number = module.types.number(type_)
    name = f"@nxd.drop.in.{number}" if inside else f"@nxd.drop.{number}"
    held = [word for words in _variants(type_) for _, word in words]
    apart = "" if inside and (not held or type_ in held) else " noinline"
    if name in module.helpers:
        return name
    module.helpers.add(name)
    end = end_function(module, type_, drop)
    alias = module.aliases[layout.ALIAS_COUNT]
    slow = module.declare("nxd_drop", "void", "ptr")
    has_units = isinstance(type_, model.UnionType) and any(not p for _, p in model.union_variants(type_))
    zero = (
        """\
  %4 = icmp eq i32 %1, 0
  br i1 %4, label %done, label %shared
"""
        if has_units
        else "  br label %shared\n"
    )
    module.functions.append(f"""\
define internal void {name}(ptr %object, i32 %depth) alwaysinline nounwind {{
entry:
  %1 = load i32, ptr %object, align 8{alias}
  %2 = icmp sgt i32 %1, 1
  br i1 %2, label %plain, label %rest
plain:
  %3 = add nsw i32 %1, -1
  store i32 %3, ptr %object, align 8{alias}
  br label %done
rest:
  %last = icmp eq i32 %1, 1
  br i1 %last, label %end, label %other
end:
  call void {end}(ptr %object, i32 %depth){apart}
  br label %done
other:
{zero}shared:
  call void {slow}(ptr %object)
  br label %done
done:
  ret void
}}""")
    return name
