"""Types as a user writes them.

Input is any type, also one with unsolved variables (shown as `_`). Generic nominal types carry their arguments here;
when values are printed at run time they are left out (LANGUAGE.md 11), which is the runtime's business.
"""

from __future__ import annotations

from nxdc.types import model
from nxdc.types.model import Type


def show(type_: Type) -> str:
    """`type_` in NXD's own notation."""
    if isinstance(type_, model.PrimType):
        return type_.name
    if isinstance(type_, model.TypeVar):
        return show(type_.ref) if type_.ref is not None else ("NONE" if type_.from_none else "_")
    if isinstance(type_, model.ListType):
        return f"LIST<{show(type_.element)}>"
    if isinstance(type_, model.MapType):
        return f"MAP<{show(type_.key)}, {show(type_.value)}>"
    if isinstance(type_, model.ChannelType):
        return f"CHANNEL<{show(type_.element)}>"
    if isinstance(type_, model.TaskType):
        return f"TASK<{show(type_.result)}>"
    if isinstance(type_, model.ProcessType):
        return f"PROCESS<{show(type_.result)}>"
    if isinstance(type_, model.FuncType):
        params = ", ".join(show(p) for p in type_.params)
        return f"fn({params}): {show(type_.result)}"
    if isinstance(type_, model.NullableType):
        return f"{show(type_.inner)} or NONE"
    if isinstance(type_, model.RecordType):
        if not type_.fields:
            return "{ }"
        return "{ " + ", ".join(f"{name}: {show(t)}" for name, t in type_.fields) + " }"
    if isinstance(type_, (model.StructType, model.UnionType)):
        return _with_arguments(type_.decl.name, type_.args)
    if isinstance(type_, model.EnumType):
        return type_.decl.name
    if isinstance(type_, model.BoxType):
        return f"BOX<{_with_arguments(type_.trait.name, type_.args)}>"
    if isinstance(type_, model.TypeParam):
        return type_.name
    if isinstance(type_, model.NeverType):
        return "never"
    return "?"


def show_all(types: tuple[Type, ...] | list[Type]) -> str:
    """Several types between commas."""
    return ", ".join(show(t) for t in types)


def show_trait(trait: model.NominalDecl) -> str:
    """A trait with its type arguments."""
    return _with_arguments(trait.name, trait.args)


def _with_arguments(name: str, args: tuple[Type, ...]) -> str:
    return f"{name}<{show_all(args)}>" if args else name
