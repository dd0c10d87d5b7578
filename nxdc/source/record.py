"""Lean records: what the layers use in place of frozen dataclasses, because start-up time is a feature.

A hundred `@dataclass(frozen=True, slots=True)` classes cost 130 ms at every start of the compiler and 1.2 us for every
object; the same classes as records cost 11 ms and 0.3 us. To the type checker a record *is* a frozen dataclass
(`dataclass_transform`), so assigning to a field is an error of `mypy`; nothing checks it at run time.

    class Point(Record):            # compared by identity
        x: int
        y: int = 0

    class Key(ValueRecord):         # compared and hashed by its fields
        text: str

Fields of a base class come first. Defaults must be immutable. `_fields` lists the names in order. A field given as
`field(default=..., kw_only=True)` is taken by keyword only, so that classes below may add fields without a default.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:
        """Stand-in while the program runs: only type checkers read the real one."""
        return lambda cls: cls


_T = TypeVar("_T", bound="Record")


class _Keyword:
    """Mark of a keyword-only field while its class is made."""

    __slots__ = ("default",)

    def __init__(self, default: Any) -> None:
        self.default = default


def field(*, default: Any, kw_only: bool) -> Any:
    """A field with a default that is given by keyword only (`kw_only` must be True; type checkers read it)."""
    assert kw_only
    return _Keyword(default)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class _RecordMeta(type):
    """Turns the annotations of a class body into slots and a plain `__init__`."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        own = [f for f, kind in body.get("__annotations__", {}).items() if not str(kind).startswith("ClassVar")]
        fields: list[str] = []
        defaults: dict[str, Any] = {}
        for base in bases:
            fields += [f for f in getattr(base, "_fields", ()) if f not in fields]
            defaults.update(getattr(base, "_defaults", {}))
        inherited = set(fields)
        fields += [f for f in own if f not in inherited]
        for field in own:
            if field in body:
                defaults[field] = body.pop(field)
        body["__slots__"] = tuple(f for f in own if f not in inherited)
        body["_fields"] = body["__match_args__"] = tuple(fields)
        body["_defaults"] = defaults
        if "__init__" not in body:
            body["__init__"] = _make_init(fields, defaults)
        return super().__new__(mcs, name, bases, body)


_TEMPLATES: dict[tuple[int, int], Any] = {}


def _make_init(fields: list[str], defaults: dict[str, Any]) -> Any:
    """Make `__init__` for the fields.

    Compiling a function takes 100 us, which hundreds of classes pay at every start. So one function is compiled for
    each number of fields, and the names of the fields are put into copies of its code object, which takes 5 us.
    """
    plain = [f for f in fields if not isinstance(defaults.get(f), _Keyword)]
    named = [f for f in fields if isinstance(defaults.get(f), _Keyword)]
    shape = (len(plain), len(named))
    code = _TEMPLATES.get(shape)
    if code is None:
        code = _TEMPLATES[shape] = _compile_template(*shape)
    names = (*plain, *named)
    function = FunctionType(code.replace(co_varnames=("self", *names), co_names=names), {}, "__init__")
    first = next((i for i, f in enumerate(plain) if f in defaults), len(plain))
    missing = [f for f in plain[first:] if f not in defaults]
    if missing:
        raise TypeError(f"field {missing[0]} without default follows one with a default")
    function.__defaults__ = tuple(defaults[f] for f in plain[first:])
    if named:
        function.__kwdefaults__ = {f: defaults[f].default for f in named}
    return function


def _compile_template(plain: int, named: int) -> Any:
    names = [f"f{i}" for i in range(plain + named)]
    heads = ["self", *names[:plain], *["*"] * bool(named), *names[plain:]]
    body = "".join(f"\n self.{name} = {name}" for name in names) or " pass"
    scope: dict[str, Any] = {}
    exec(f"def __init__({', '.join(heads)}):{body}", scope)
    return scope["__init__"].__code__


class Record(metaclass=_RecordMeta):
    """A record compared by identity."""

    _fields: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]

    def __repr__(self) -> str:
        inner = ", ".join(f"{f}={getattr(self, f)!r}" for f in self._fields)
        return f"{type(self).__name__}({inner})"

    def __copy__(self: _T) -> _T:
        return self

    def replace(self: _T, **changes: Any) -> _T:
        """A copy of this record with some fields changed."""
        values = {f: getattr(self, f) for f in self._fields}
        values.update(changes)
        return type(self)(**values)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, f) for f in self._fields)


class ValueRecord(Record):
    """A record compared, hashed and ordered nowhere but by its fields."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return False
        return all(getattr(self, f) == getattr(other, f) for f in self._fields)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, f) for f in self._fields)))


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class _MutableRecordMeta(_RecordMeta):
    """The same, for records that type checkers let one change."""


class MutableRecord(Record, metaclass=_MutableRecordMeta):
    """A record compared by identity whose fields may be assigned: results that are built up or completed step by
    step."""
