"""The syntax tree of the whole language.

Every node has a `span`; names that diagnostics point at are `Name` nodes with spans of their own. Nodes are records
(`nxdc.source.record`): immutable to the type checker, compared by identity. Sequences are tuples. Operators carry the
canonical operator word of `nxdc.tables.operators` ("ADD", also when `+` was written).

The tree says what was written, not what it means: `X.F(A)` is `Call(Field(X, F), ...)`, `M.X` is `Field(NameRef(M), X)`
also where `M` is a module (`a.b.X` nests likewise), `RED` is a `NameRef` also where it is a variant, `{ A: 1 }` is a
`BraceLit` whose keys tell whether it can be a record. The checker decides. An `ErrorStmt`, `ErrorExpr` or
           `ErrorDecl` stands where the parser has
already reported an error: the checker must be silent about it.
"""

from __future__ import annotations

from typing import Union

from nxdc.source.record import Record
from nxdc.source.span import Span


class Node(Record):
    """Base of all nodes."""

    span: Span


class Name(Node):
    """A word that names something, with its place."""

    text: str


# ------------------------------------------------------------------------------------------------ types


class NamedType(Node):
    """`int`, `JOB`, `LIST<T>`, `core.types.JOB`. The last part of the path is the type's name."""

    path: tuple[Name, ...]
    args: tuple[TypeExpr, ...] = ()

    @property
    def name(self) -> str:
        """The type's own name, without module."""
        return self.path[-1].text


class FnType(Node):
    """`fn(A, B): R`; no result means that the function gives nothing."""

    params: tuple[TypeExpr, ...]
    result: TypeExpr | None


class RecordType(Node):
    """`{ NAME: T, ... }`."""

    fields: tuple[FieldDecl, ...]


class ErrorType(Node):
    """A type that could not be read; already reported."""


TypeExpr = Union[NamedType, FnType, RecordType, ErrorType]


# ------------------------------------------------------------------------------------------------ program and
# declarations


class Visibility(Node):
    """`EXPORT`, `PUBLIC`, `PRIVATE` or `INTERNAL` before a declaration."""

    word: str


class FieldDecl(Node):
    """`NAME: T` of a struct or record type."""

    name: Name
    type: TypeExpr


class TypeParam(Node):
    """`T` or `T : A, B` between the angle brackets of a declaration."""

    name: Name
    bounds: tuple[TypeExpr, ...] = ()


class Constraint(Node):
    """`T : A, B` after WHERE."""

    name: Name
    bounds: tuple[TypeExpr, ...]


class Param(Node):
    """A parameter of a function or lambda; without a type it makes a function a template."""

    name: Name
    type: TypeExpr | None


class FuncDecl(Node):
    """A function. `body` is None for a signature in a TRAIT. `result` is None when it is not written."""

    name: Name
    type_params: tuple[TypeParam, ...]
    params: tuple[Param, ...]
    result: TypeExpr | None
    where: tuple[Constraint, ...]
    body: Block | None
    is_async: bool
    visibility: Visibility | None
    header: Span  # from FUNC to the end of its header line


class StructBody(Node):
    """The fields of a struct, from braces or an indented block."""

    fields: tuple[FieldDecl, ...]


class EnumBody(Node):
    """The members of an enum."""

    members: tuple[Name, ...]


class Variant(Node):
    """`RECT(float, float)` or `POINT` of a union."""

    name: Name
    payload: tuple[TypeExpr, ...]


class UnionBody(Node):
    """The variants of a union."""

    variants: tuple[Variant, ...]


class AliasBody(Node):
    """`TYPE TIMESTAMP int`."""

    type: TypeExpr


TypeBody = Union[StructBody, EnumBody, UnionBody, AliasBody]


class TypeDecl(Node):
    """`TYPE NAME<T> IMPLEMENTS A, B body`."""

    name: Name
    type_params: tuple[TypeParam, ...]
    implements: tuple[NamedType, ...]
    body: TypeBody
    visibility: Visibility | None


class TypeUse(Node):
    """`TYPE CHANNEL<JOB> { }`: states that the program uses such channels; declares nothing."""

    type: NamedType


class TraitDecl(Node):
    """`TRAIT B<T> IMPLEMENTS A { FUNC F(X): string }`; methods without body are required, with body are defaults."""

    name: Name
    type_params: tuple[TypeParam, ...]
    extends: tuple[NamedType, ...]
    methods: tuple[FuncDecl, ...]
    visibility: Visibility | None


class ImplDecl(Node):
    """`IMPL TRAIT FOR TYPE:` with methods."""

    trait: NamedType
    target: TypeExpr
    methods: tuple[FuncDecl, ...]
    type_params: tuple[TypeParam, ...] = ()


class Import(Node):
    """`IMPORT a.b`, `IMPORT a.b AS U`, `IMPORT a.b N1, N2`."""

    path: tuple[Name, ...]
    alias: Name | None = None
    names: tuple[Name, ...] = ()

    @property
    def module(self) -> str:
        """The dotted path."""
        return ".".join(part.text for part in self.path)


class Export(Node):
    """`EXPORT ALL` (no names), or `EXPORT FUNC A`, `EXPORT TYPE T`, `EXPORT A, B` naming what stands elsewhere."""

    kind: str  # "ALL", "FUNC", "TYPE", "TRAIT", "NAME"
    names: tuple[Name, ...] = ()


class InitBlock(Node):
    """`INIT:` of a module."""

    body: Block


class ErrorDecl(Node):
    """A declaration that could not be read; already reported. `name` when at least that was clear."""

    name: Name | None = None


class Module(Node):
    """One module: `MODULE a.b` and what follows, or a whole file without such a line."""

    path: tuple[Name, ...]  # empty when the file has no MODULE line
    items: tuple[Item, ...]
    has_errors: bool = False  # some item could not be read


class SourceUnit(Node):
    """A file: its modules in order."""

    modules: tuple[Module, ...]


# ------------------------------------------------------------------------------------------------ statements


class Block(Node):
    """Statements of one indentation (or the one statement behind a header's colon)."""

    stmts: tuple[Stmt, ...]


class Let(Node):
    """`LET X: T SET value` and `CONST X SET value`, local or of a module."""

    name: Name
    type: TypeExpr | None
    value: Expr
    is_const: bool
    visibility: Visibility | None = None


class Assign(Node):
    """`target SET value`; the target is a NameRef, Field or Index (the parser has checked that)."""

    target: Expr
    value: Expr


class SetAdd(Node):
    """`target SETADD value`."""

    target: Expr
    value: Expr


class ExprStmt(Node):
    """An expression as a statement; the last one of a TRY expression's block is its value."""

    expr: Expr


class Push(Node):
    """`PUSH L, X` (the form without brackets)."""

    list: Expr
    value: Expr


class Remove(Node):
    """`REMOVE M[K]`; the target is an Index."""

    target: Expr


class RemoveWhere(Node):
    """`REMOVE L WHERE cond`; `VALUE` names the element in the condition."""

    list: Expr
    cond: Expr


class Branch(Node):
    """A condition with its block."""

    cond: Expr
    body: Block


class If(Node):
    """`IF`, any number of `ELSE IF`, `ELSE`/`OTHERWISE`."""

    branches: tuple[Branch, ...]
    otherwise: Block | None


class Loop(Node):
    """`LOOP:` without end."""

    body: Block


class LoopWhile(Node):
    """`LOOP WHILE cond:` and `WHILE cond:`."""

    cond: Expr
    body: Block


class LoopFrom(Node):
    """`LOOP I FROM start TO end STEP step:`."""

    var: Name
    start: Expr
    end: Expr
    step: Expr | None
    body: Block


class LoopIn(Node):
    """`LOOP X IN source:` (one name) and `LOOP K, V IN source:` (two names)."""

    names: tuple[Name, ...]
    source: Expr
    body: Block


class Break(Node):
    """`BREAK`."""


class Continue(Node):
    """`CONTINUE`."""


class Case(Node):
    """`CASE p1, p2 WHEN guard: block`."""

    patterns: tuple[Pattern, ...]
    guard: Expr | None
    body: Block


class Match(Node):
    """`MATCH subject:` with its cases; `header` is the span of the line that starts it."""

    subject: Expr
    cases: tuple[Case, ...]
    otherwise: Block | None
    header: Span


class Catch(Node):
    """`CATCH E4001:` (`code`), `CATCH E:` (`name`), or `CATCH:` (neither)."""

    name: Name | None
    code: Name | None
    body: Block


class Try(Node):
    """The TRY statement; `catches` may be empty when there is a FINALLY."""

    body: Block
    catches: tuple[Catch, ...]
    final: Block | None


class Throw(Node):
    """`THROW value`."""

    value: Expr


class Raise(Node):
    """`RAISE E4001` or `RAISE E4001 "detail"`."""

    code: Name
    detail: Expr | None


class Return(Node):
    """`RETURN` or `RETURN value`."""

    value: Expr | None


class Send(Node):
    """`SEND value TO channel`."""

    value: Expr
    channel: Expr


class Close(Node):
    """`CLOSE channel`."""

    channel: Expr


class Esc(Node):
    """`ESC handle`: cancels it."""

    handle: Expr


class Timeout(Node):
    """`TIMEOUT handle milliseconds`."""

    handle: Expr
    millis: Expr


class MoveTo(Node):
    """`MOVE source TO name`."""

    source: Expr
    name: Name


class CloneTo(Node):
    """`CLONE source TO name`."""

    source: Expr
    name: Name


class SelectRecv(Node):
    """`CASE V FROM channel: block`; `name` is None for `_`."""

    name: Name | None
    channel: Expr
    body: Block


class SelectSend(Node):
    """`CASE SEND value TO channel: block`."""

    value: Expr
    channel: Expr
    body: Block


class SelectTimeout(Node):
    """`CASE TIMEOUT seconds: block`."""

    seconds: Expr
    body: Block


SelectCase = Union[SelectRecv, SelectSend, SelectTimeout]


class Select(Node):
    """`SELECT:`; `header` is the span of the word."""

    cases: tuple[SelectCase, ...]
    otherwise: Block | None
    header: Span


class ErrorStmt(Node):
    """A statement that could not be read; already reported. `body` is the block behind a broken header, if any."""

    body: Block | None = None


# ------------------------------------------------------------------------------------------------ expressions


class IntLit(Node):
    """An int literal, 0 to 9223372036854775807; 9223372036854775808 only as the operand of `SUB`."""

    value: int


class FloatLit(Node):
    """A float literal."""

    value: float


class StringLit(Node):
    """A string literal, escapes resolved."""

    value: str


class BoolLit(Node):
    """`true` or `false`."""

    value: bool


class NoneLit(Node):
    """`none` (the word `NONE` is a NameRef: it may also be a variant)."""


class NameRef(Node):
    """A name used as a value: variable, function, variant, module, type. `NameRef.name` is the text."""

    name: str


class Field(Node):
    """`base.NAME`."""

    base: Expr
    name: Name


class Index(Node):
    """`base[index]`."""

    base: Expr
    index: Expr


class Call(Node):
    """`callee<T>(args)`; type_args are empty when not written."""

    callee: Expr
    type_args: tuple[TypeExpr, ...]
    args: tuple[Expr, ...]


class ChannelLit(Node):
    """`CHANNEL<T>()`, `MAKE_CHANNEL<T>(CAPACITY n)`, `MAKE_CHANNEL<T>(UNBOUNDED)`; `word` is the first word."""

    word: Name
    elem: TypeExpr | None
    capacity: Expr | None
    unbounded: bool


class Unary(Node):
    """`op operand` for SUB, NOT, MOVE, CLONE, BORROW, AWAIT, RECV, PING."""

    op: str
    operand: Expr
    op_span: Span


class Spawn(Node):
    """`SPAWN F(A)`, `SPAWN fn(): block`, `SPAWN: block` (the last as a Lambda without parameters)."""

    operand: Expr


class Binary(Node):
    """`left op right` for arithmetic, comparison, IN, HAS, CONTAINS, STARTSWITH, ENDSWITH, POW, AND, OR."""

    op: str
    left: Expr
    right: Expr
    op_span: Span


class Pipe(Node):
    """`value PIPE target`; op is PIPE, PIPEMAP or PIPEFILTER."""

    op: str
    value: Expr
    target: Expr
    op_span: Span


class Cast(Node):
    """`expr AS type`."""

    expr: Expr
    type: TypeExpr


class IsTest(Node):
    """`expr IS target`: a type, trait, variant, NONE or EMPTY, all written as a NamedType (or FnType, RecordType)."""

    expr: Expr
    target: TypeExpr


class Matches(Node):
    """`expr MATCHES pattern`."""

    expr: Expr
    pattern: Pattern


class IfExpr(Node):
    """`IF cond THEN then ELSE otherwise`."""

    cond: Expr
    then: Expr
    otherwise: Expr


class Lambda(Node):
    """`fn(X) => expr` or `fn(X): block`."""

    params: tuple[Param, ...]
    result: TypeExpr | None
    body: Expr | Block


class TryExpr(Node):
    """`TRY expr CATCH N: block`; `name` and `code` as in Catch."""

    expr: Expr
    name: Name | None
    code: Name | None
    body: Block


class ListLit(Node):
    """`[a, b]` or `LIST<T> [a, b]` (then `type` is the NamedType LIST<T>)."""

    type: NamedType | None
    items: tuple[Expr, ...]


class Entry(Node):
    """`key: value` in braces; a bare word as key is a NameRef."""

    key: Expr
    value: Expr


class BraceLit(Node):
    """`{ ... }` alone: a record when every key is a NameRef, else a map; `{}` an empty map unless a record is
    expected."""

    entries: tuple[Entry, ...]


class MapLit(Node):
    """`MAP<K, V> { ... }` or `MAP { ... }`; every key is an expression."""

    type: NamedType
    entries: tuple[Entry, ...]


class StructLit(Node):
    """`PERSON { NAME: "a" }`, `m.T { ... }`, `BOX<int> { ... }`; keys are NameRefs unless the type is an alias of a
    MAP."""

    type: NamedType
    entries: tuple[Entry, ...]


class ErrorExpr(Node):
    """An expression that could not be read; already reported."""


# ------------------------------------------------------------------------------------------------ patterns


class WildcardPat(Node):
    """`_`."""


class NamePat(Node):
    """A bare name: a variant or member when one of that name fits, else a binding."""

    name: Name


class LiteralPat(Node):
    """An int (also `SUB 5`, as a negative IntLit), float, string, bool or none literal."""

    value: IntLit | FloatLit | StringLit | BoolLit | NoneLit


class RangePat(Node):
    """`2 TO 9`, both ends included."""

    start: LiteralPat
    end: LiteralPat


class VariantPat(Node):
    """`OK(V)`, `SHAPE.RECT(W, H)`, or a qualified `COLOR.RED` without brackets (then `args` is None)."""

    path: tuple[Name, ...]
    args: tuple[Pattern, ...] | None


class FieldPat(Node):
    """`X: pattern` in a struct pattern; a bare `X` binds the field to its own name (pattern is a NamePat)."""

    name: Name
    pattern: Pattern


class StructPat(Node):
    """`POINT { X: 0, Y: YY }`; an empty path for a bare `{ X: 0 }` (record)."""

    path: tuple[Name, ...]
    fields: tuple[FieldPat, ...]


class RestPat(Node):
    """`REST...` at the end of a list pattern; `name` is None for `_...` or `...`."""

    name: Name | None


class ListPat(Node):
    """`[A, B]`, `[HEAD, REST...]`."""

    items: tuple[Pattern, ...]
    rest: RestPat | None


Pattern = Union[WildcardPat, NamePat, LiteralPat, RangePat, VariantPat, StructPat, ListPat]

Expr = Union[
    IntLit, FloatLit, StringLit, BoolLit, NoneLit, NameRef, Field, Index, Call, ChannelLit, Unary, Spawn, Binary, Pipe,
    Cast, IsTest, Matches, IfExpr, Lambda, TryExpr, ListLit, BraceLit, MapLit, StructLit, ErrorExpr,
]  # fmt: skip

Stmt = Union[
    Let, Assign, SetAdd, ExprStmt, Push, Remove, RemoveWhere, If, Loop, LoopWhile, LoopFrom, LoopIn, Break, Continue,
    Match, Try, Throw, Raise, Return, Send, Close, Esc, Timeout, MoveTo, CloneTo, Select, ErrorStmt,
]  # fmt: skip

Decl = Union[FuncDecl, TypeDecl, TypeUse, TraitDecl, ImplDecl, Import, Export, InitBlock, ErrorDecl]

Item = Union[Decl, Stmt]
