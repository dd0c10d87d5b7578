"""Cuts the IR of a large program into units that are compiled apart: on several processors, and only when they change.

Input:  a complete `Module`.
Output: texts of IR. Each function stands in one unit; what several units name is `hidden` there and declared in the
        others. Nothing else changes: small functions of other units are given along (`available_externally`), so that
        LLVM inlines them as in one module, and constants whose address means nothing are copied.
Holds:  a unit's text depends only on its functions and on what they name: a change in one source file leaves the
        units of the others as they were, unless it changes what those use.

A unit is what one source file holds; small files share units, large ones make several.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable

from nxdc.codegen.context import Module

SPLIT_FROM = 16_000  # lines of IR; a smaller program is one unit
_UNIT = 4_000  # lines of a unit, about
_INLINED = 60  # lines of a function that is given along
_DEPTH = 2  # of functions given along because of functions given along

_NAME = r'@(?:"[^"]*"|[-a-zA-Z$._][-a-zA-Z$._0-9]*)'
_GLOBAL = re.compile(_NAME)
_TEXT = re.compile(r'c"[^"]*"')
_DEFINED = re.compile(rf"define .*?({_NAME})\(")
_MAIN, _START = "@nxd_program_main", "@nxd.start"


class _Piece:
    """A function or variable of the module."""

    __slots__ = ("copied", "home", "is_function", "lines", "name", "refs", "text", "users")

    def __init__(self, name: str, text: str, *, is_function: bool) -> None:
        self.name = name
        self.text = text
        self.is_function = is_function
        head, body = text.split("\n", 1) if is_function else (text, "")
        self.lines = body.count("\n")
        self.copied = " alwaysinline" in head if is_function else " unnamed_addr " in head
        self.refs = tuple(ref for ref in dict.fromkeys(_GLOBAL.findall(_TEXT.sub("", text))) if ref != name)
        self.home = ""
        self.users: set[str] = set()  # units that name it

    @property
    def inlined(self) -> bool:
        """Whether other units get the body too."""
        return self.is_function and self.lines <= _INLINED and " noinline" not in self.text.split("\n", 1)[0]

    def defined(self) -> str:
        """The piece in its home."""
        if self.copied or self.users <= {self.home}:
            return self.text
        if self.is_function:
            return self.text.replace("define internal ", "define hidden ", 1)
        return self.text.replace(" internal ", " hidden ", 1)

    def given_along(self) -> str:
        """A function's body for other units."""
        return self.text.replace("define internal ", "define available_externally hidden ", 1)

    def declared(self) -> str:
        """The piece in other units."""
        if self.is_function:
            return self.text.split("\n", 1)[0].replace("define internal ", "declare hidden ", 1).removesuffix(" {")
        kind, rest = re.split(r" internal (?=global|constant)", self.text, maxsplit=1)[1].split(" ", 1)
        return f"{self.name} = external hidden {kind} {_first_type(rest)}, align 8"


def split(module: Module, header: str, *, inline: bool) -> list[str]:
    """The units of a module, in the order of their first functions; one when it is not large."""
    if sum(text.count("\n") for text in module.functions) < SPLIT_FROM or module.debuginfo is not None:
        return [module.text(header)]
    pieces = _pieces(module)
    _find_homes(module, pieces)
    first = pieces[_MAIN].home = pieces[_START].home
    homes = dict.fromkeys(piece.home for piece in pieces.values() if piece.is_function and not piece.copied)
    contents = {home: _collect(home, pieces, inline=inline) for home in homes}
    _place_variables(pieces, contents, first)
    return [_write(module, header, home, pieces, contents[home]) for home in homes]


def _pieces(module: Module) -> dict[str, _Piece]:
    found: dict[str, _Piece] = {}
    for text in module.definitions:
        name = text[: text.index(" = ")]
        found[name] = _Piece(name, text, is_function=False)
    for text in module.functions:
        match = _DEFINED.match(text)
        assert match is not None, text[:200]
        found[match[1]] = _Piece(match[1], text, is_function=True)
    return found


# ---- where things stand ----------------------------------------------------------------------------------------------


def _find_homes(module: Module, pieces: dict[str, _Piece]) -> None:
    """Functions of the program go by their file, helpers together."""
    places = {symbol: (function.span.file.name, function.span.start) for symbol, function in module.compiled()}
    parts: dict[str, list[_Piece]] = {}
    for piece in pieces.values():
        if piece.is_function and not piece.copied:
            parts.setdefault(places.get(piece.name, ("", 0))[0], []).append(piece)
    small = sum(size for size in map(_size, parts.values()) if size < _UNIT // 3)
    for file, members in parts.items():
        if _size(members) < _UNIT // 3:
            home = f"small {zlib.crc32(os.fsencode(file)) % -(-small // _UNIT)}"
            for piece in members:
                piece.home = home
        else:
            _cut(file, sorted(members, key=lambda piece: places.get(piece.name, ("", 0))))


def _cut(file: str, pieces: list[_Piece]) -> None:
    """Units of neighbours. What begins one is told by its name, so that a change moves no borders but its own."""
    home, size = f"{file} {pieces[0].name}", 0
    for piece in pieces:
        if size > 2 * _UNIT or (size > _UNIT // 2 and zlib.crc32(piece.name.encode()) % 16 == 0):
            home, size = f"{file} {piece.name}", 0
        piece.home = home
        size += piece.lines


def _size(pieces: Iterable[_Piece]) -> int:
    return sum(piece.lines for piece in pieces)


# ---- what a unit holds -----------------------------------------------------------------------------------------------


def _collect(home: str, pieces: dict[str, _Piece], *, inline: bool) -> dict[str, bool]:
    """All names a unit uses, in no order; True where it gets the text. Notes the unit as a user of each."""
    found: dict[str, bool] = {}
    work = [(piece.name, 0) for piece in pieces.values() if piece.home == home]
    while work:
        name, depth = work.pop()
        piece = pieces.get(name)
        if piece is None:  # a function of the runtime
            found[name] = False
            continue
        foreign = piece.is_function and not piece.copied and piece.home != home
        whole = piece.copied or not piece.is_function or not foreign or (inline and depth < _DEPTH and piece.inlined)
        if found.get(name, False) or (name in found and not whole):
            continue
        found[name] = whole
        piece.users.add(home)
        if whole and (piece.is_function or piece.copied or name == _MAIN):
            work += [(ref, depth + foreign) for ref in piece.refs]
    return found


def _place_variables(pieces: dict[str, _Piece], contents: dict[str, dict[str, bool]], first: str) -> None:
    """A variable stands in the only unit that names it, or in the first. It may name functions."""
    for piece in pieces.values():
        if piece.is_function or piece.copied:
            continue
        piece.home = next(iter(piece.users)) if len(piece.users) == 1 else first
        content = contents[piece.home]
        content[piece.name] = True
        for ref in piece.refs:
            content.setdefault(ref, False)
            if ref in pieces:
                pieces[ref].users.add(piece.home)


def _write(module: Module, header: str, home: str, pieces: dict[str, _Piece], content: dict[str, bool]) -> str:
    variables: list[str] = []
    functions: list[str] = []
    for name, piece in pieces.items():
        if name not in content:
            continue
        if not piece.is_function:
            variables.append(piece.defined() if _stands_in(piece, home) else piece.declared())
        elif piece.home == home or piece.copied:
            functions.append(piece.defined())
        else:
            functions.append(piece.given_along() if content[name] else piece.declared())
    declared = [text for name, text in module.declarations() if f"@{name}" in content]
    # In an order of their own: that of their first use would change with every other unit.
    return module.assemble(header, [*sorted(variables), *sorted(declared), *sorted(functions)])


def _stands_in(piece: _Piece, home: str) -> bool:
    return piece.copied or piece.home == home


def _first_type(text: str) -> str:
    """The type at the beginning of a text."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "{[") - (char in "}]")
        if depth == 0 and char in " }]":
            return text[: at + (char != " ")]
    raise ValueError(text)
