"""dup and drop: the fast path inline (a plain count that stays plain), the rest in the runtime.

Inline code comes from four small `alwaysinline` helpers, written into the module when first used. Cold blocks,
sanitizer builds and types that can form cycles (the collector must see their drops) call the runtime instead.
"""

from __future__ import annotations

import functools

from nxdc.codegen import layout, release
from nxdc.codegen.context import Module
from nxdc.codegen.frame import Frame
from nxdc.codegen.writer import Writer
from nxdc.mir.types import Form
from nxdc.types import model
from nxdc.types.model import Type

_HELPER = "alwaysinline nounwind"


def dup(frame: Frame, value: str, type_: Type) -> None:
    """One more reference to a value."""
    form = layout.form(type_)
    if form is Form.PTR:
        if frame.cold or frame.module.sanitize:
            frame.runtime("nxd_dup", "void", ("ptr", value))
        else:
            frame.w.call("void", _dup_helper(frame.module), f"ptr {value}")
    elif form is Form.ANY and type_ != model.NONE:
        if frame.cold or frame.module.sanitize:
            frame.runtime("nxd_dup_any", "void", ("i64", value))
        else:
            frame.w.call("void", _dup_any_helper(frame.module), f"i64 {value}")


def drop(frame: Frame, value: str, type_: Type) -> None:
    """One reference less to a value."""
    form = layout.form(type_)
    if form is Form.PTR and (frame.cold or frame.module.sanitize):
        frame.runtime("nxd_drop", "void", ("ptr", value))
    elif form is Form.ANY and type_ != model.NONE and (frame.cold or frame.module.sanitize):
        frame.runtime("nxd_drop_any", "void", ("i64", value))
    elif form is Form.ERROR:
        frame.runtime("nxd_error_drop", "void", ("ptr", value))
    else:
        _drop_inline(frame.module, frame.w, value, type_, str(release.DEPTH))


def _drop_inline(module: Module, w: Writer, value: str, type_: Type, depth: str) -> None:
    form = layout.form(type_)
    if form is Form.ANY and type_ != model.NONE:
        if module.has_cyclic_types():
            w.call("void", module.declare("nxd_drop_any", "void", "i64"), f"i64 {value}")
        else:
            w.call("void", _drop_any_helper(module), f"i64 {value}")
    elif form is Form.PTR:
        if may_be_cyclic(module, type_):
            w.call("void", module.declare("nxd_drop", "void", "ptr"), f"ptr {value}")
        elif release.is_released_inline(module, type_):
            inside = depth != str(release.DEPTH)
            helper = release.drop_helper(module, type_, functools.partial(_drop_inline, module), inside=inside)
            w.call("void", helper, f"ptr {value}, i32 {depth}")
        else:
            w.call("void", _drop_helper(module), f"ptr {value}")


def may_be_cyclic(module: Module, type_: Type) -> bool:
    """Whether the cycle collector must see that an object of the type was dropped."""
    if isinstance(type_, model.FuncType):
        return module.has_cyclic_types()
    found = module.types.by_type.get(type_)
    return found is not None and found.cyclic


def _dup_helper(module: Module) -> str:
    alias = module.aliases[layout.ALIAS_COUNT]
    slow = module.declare("nxd_dup", "void", "ptr")
    # The new count is above 1 exactly when the old one was above 0 and did not overflow: shared, immortal and stuck
    # counts are the runtime's.
    return _define(
        module,
        "nxd.dup",
        "ptr %0",
        f"""\
  %1 = load i32, ptr %0, align 8{alias}
  %2 = add i32 %1, 1
  %3 = icmp sgt i32 %2, 1
  br i1 %3, label %plain, label %slow, !prof !0
plain:
  store i32 %2, ptr %0, align 8{alias}
  ret void
slow:
  call void {slow}(ptr %0)
  ret void""",
    )


def _drop_helper(module: Module) -> str:
    alias = module.aliases[layout.ALIAS_COUNT]
    slow = module.declare("nxd_drop", "void", "ptr")
    return _define(
        module,
        "nxd.drop",
        "ptr %0",
        f"""\
  %1 = load i32, ptr %0, align 8{alias}
  %2 = icmp sgt i32 %1, 1
  br i1 %2, label %plain, label %slow
plain:
  %3 = add nsw i32 %1, -1
  store i32 %3, ptr %0, align 8{alias}
  ret void
slow:
  call void {slow}(ptr %0)
  ret void""",
    )


def _dup_any_helper(module: Module) -> str:
    return _any_helper(module, "nxd.dup_any", _dup_helper(module))


def _drop_any_helper(module: Module) -> str:
    return _any_helper(module, "nxd.drop_any", _drop_helper(module))


def _any_helper(module: Module, name: str, pointer_helper: str) -> str:
    return _define(
        module,
        name,
        "i64 %0",
        f"""\
  %1 = and i64 %0, {layout.ANY_POINTER_MASK}
  %2 = icmp eq i64 %1, 0
  br i1 %2, label %pointer, label %done
pointer:
  %3 = inttoptr i64 %0 to ptr
  call void {pointer_helper}(ptr %3)
  ret void
done:
  ret void""",
    )


def _define(module: Module, name: str, parameters: str, body: str) -> str:
    if name not in module.helpers:
        module.helpers.add(name)
        module.functions.append(f"define internal void @{name}({parameters}) {_HELPER} {{\nentry:\n{body}\n}}")
    return f"@{name}"
