"""The shape of the prelude tables: one `Prelude` row per overload of a prelude function.

Output: frozen rows that the checker, the MIR lowering, the code generator, the C header generator, the reference page
and the tests read.  Types are text in NXD's own notation (`"<T>(L: LIST<T>, X: T): none"`), read by
`types/signature.py`; this layer knows names and facts only.

How a row is carried out - exactly one of:

`c`       a C function of the runtime.  Its parameters follow from the signature: int, bool and enum are `int64_t`,
          float is `double`, string, LIST, MAP, OPTION ... are pointers, any is `nxd_any`, a type parameter is an
          `nxd_word`.  Before them the process where `needs_self`; after them one descriptor number per entry of
          `type_args`, then `const_args`.  A row with `raises` returns `nxd_rw` (or `nxd_error *` where the result
          is none).
`inline`  the name of an emitter in `codegen/inline.py`.
`nxd`     the NXD source of a function, instantiated as if the user had written it.  Everything that calls a function
          value is written this way, so that C never calls compiled code.
"""

from __future__ import annotations

from collections.abc import Sequence

from nxdc.source.record import Record, ValueRecord

OWNED = "owned"  # the caller drops the result
BORROWED = "borrowed"  # the result lives as long as the first argument


class Prelude(Record):
    """One overload of one prelude function."""

    name: str
    signature: str
    c: str | None = None
    inline: str | None = None
    nxd: str | None = None
    needs_self: bool = False
    type_args: tuple[str, ...] = ()  # types in NXD notation over the row's type parameters
    const_args: tuple[int, ...] = ()
    takes: tuple[str, ...] = ()  # parameters of which the callee consumes one reference
    transfers: tuple[str, ...] = ()  # parameters that leave the process: go through nxd_transfer first
    changes: tuple[str, ...] = ()  # parameters whose object is changed (a list that grows, a map that gets a key)
    result: str = OWNED
    raises: tuple[str, ...] = ()
    parks: bool = False
    pure: bool = False  # no effect but raising, and no mutable state read: a call may be dropped, hoisted or merged
    diverges: bool = False  # never returns
    hidden: bool = False  # only for the NXD source of other rows
    doc: str = ""
    example: str = ""
    output: str = ""


def prelude(
    name: str,
    signature: str,
    *,
    c: str | None = None,
    inline: str | None = None,
    nxd: str | None = None,
    needs_self: bool = False,
    type_args: Sequence[str] = (),
    const_args: Sequence[int] = (),
    takes: Sequence[str] = (),
    transfers: Sequence[str] = (),
    changes: Sequence[str] = (),
    result: str = OWNED,
    raises: Sequence[str] = (),
    parks: bool = False,
    pure: bool = False,
    diverges: bool = False,
    hidden: bool = False,
    doc: str = "",
    example: str = "",
    output: str = "",
) -> Prelude:
    """A checked row; wrong combinations are mistakes of ours and stop the import."""
    if sum(way is not None for way in (c, inline, nxd)) != 1:
        raise ValueError(f"prelude {name}: exactly one of c, inline and nxd")
    if nxd is not None and (takes or type_args or const_args or needs_self):
        raise ValueError(f"prelude {name}: an NXD row needs no calling facts")
    return Prelude(
        name=name,
        signature=signature,
        c=c,
        inline=inline,
        nxd=nxd,
        needs_self=needs_self,
        type_args=tuple(type_args),
        const_args=tuple(const_args),
        takes=tuple(takes),
        transfers=tuple(transfers),
        changes=tuple(changes),
        result=result,
        raises=tuple(raises),
        parks=parks,
        pure=pure,
        diverges=diverges,
        hidden=hidden,
        doc=doc,
        example=example,
        output=output,
    )


class RuntimeCode(ValueRecord):
    """One run-time error code of the language: `E1002`, "index out of bounds"."""

    code: str
    message: str

    @property
    def number(self) -> int:
        """The number the runtime uses: 1002."""
        return int(self.code[1:])


class PreludeUnion(ValueRecord):
    """A union every program knows, with the type arguments its bare name stands for."""

    name: str
    type_params: tuple[str, ...]
    variants: tuple[tuple[str, tuple[str, ...]], ...]
    bare_args: tuple[str, ...]
