"""The typed core: what `check` gives to `mir`.

The core is monomorphic (every template and generic instance is a function of its own) and explicit: every conversion,
callee, capture and run-time check that the language implies is a node. No type variable, no name to resolve, no
overload is left. Evaluation order is the order of the operands as they stand in a node (left to right).

Invariants
- `Expr.type` is the type of the node's value; operands already have the type the node needs (a `Convert` stands
  between).
- An expression of type `none` has no interesting value; one of NEVER leaves.
- `Local`s are identities: two variables of one name are two Locals. A local whose `cell` is set is captured by a
  lambda and assigned after the capture (or assigned inside it): it lives in a heap cell.
- Lambdas are lifted: `Lambda.function` is a CoreFunction whose first `len(captures)` params are the captured values
  (for cell locals: the cell itself, shared by both sides).
- Isolation is explicit in the node kind: `Spawn` args, `Send` values, task results are transferred by `mir`
  (ops.Transfer).
- Nodes are records compared by identity (`nxdc.source.record`); once the checker has finished nobody changes them.
- Names in `Intrinsic.name` and `CallPrelude.row` come from nxdc/tables; nothing else is a string to interpret.
"""

from __future__ import annotations

from nxdc.source.record import MutableRecord
from nxdc.source.span import Span
from nxdc.tables.model import Prelude
from nxdc.types.model import Type


class Local(MutableRecord):
    """A variable of one function: parameter, LET, loop or pattern variable, or a temporary of the checker."""

    name: str
    type: Type
    span: Span
    cell: bool = False
    borrowed: bool = False  # a read-only view: LET B SET BORROW A


class Global(MutableRecord):
    """A module variable. `assigned` says whether anything but its own initialiser ever sets it."""

    name: str
    module: str
    type: Type
    span: Span
    assigned: bool = False


class CoreFunction(MutableRecord):
    """One monomorphic function. `captures` lead the parameters of a lifted lambda (as `params[:captures]`)."""

    name: str  # as the user writes it, qualified: core.registry.REGISTER, or REGISTER<int> for an instance, or MAIN.fn1
    params: list[Local]
    result: Type
    body: list[Stmt]
    span: Span
    captures: int = 0
    is_lambda: bool = False


class CoreProgram(MutableRecord):
    functions: list[CoreFunction]
    globals: list[Global]
    start: (
        CoreFunction  # runs initialisers in order, then MAIN; result int: the exit status (raises for uncaught errors)
    )
    spawns: bool  # whether any process or task can be started


# ---- expressions -----------------------------------------------------------------------------------------------------


class Expr(MutableRecord):
    type: Type
    span: Span


class IntLit(Expr):
    value: int


class FloatLit(Expr):
    value: float


class BoolLit(Expr):
    value: bool


class StringLit(Expr):
    value: str


class NoneLit(Expr):
    """The value NONE of type none, any or nullable."""


class EnumLit(Expr):
    index: int


class LocalRef(Expr):
    """Reads a variable. `moves` marks MOVE X: the variable ends here."""

    local: Local
    moves: bool = False


class GlobalRef(Expr):
    variable: Global


class Call(Expr):
    function: CoreFunction
    args: list[Expr]


class CallValue(Expr):
    """Calls a function value; `callee.type` is a FuncType."""

    callee: Expr
    args: list[Expr]


class CallPrelude(Expr):
    """Calls a prelude function with a C symbol or an inline emitter. `type_args`: for the row's type parameters."""

    row: Prelude
    type_args: list[Type]
    args: list[Expr]


class FuncRef(Expr):
    """A named function as a value (a closure without captures)."""

    function: CoreFunction


class Lambda(Expr):
    """A function value; captured locals in the order of the function's leading parameters."""

    function: CoreFunction
    captures: list[Local]


class Intrinsic(Expr):
    """An operator on operands of known types. `name` is the `inline`/`lower` word of a row in tables/operators.py, e.g.
    add_checked, fadd, eq_int, eq_value, lt_string, neg_checked, not, in_list, has_key ... `op` is the operator word for
    messages and any_binary. In a membership test the operands stand in source order. Besides the rows:
    concat       two or more operands of any type, formatted and joined from left to right
    any_binary   an operator (`op`) on two anys, result an any
    any_negate   SUB of an any
    """

    name: str
    op: str
    args: list[Expr]


class ShortCircuit(Expr):
    op: str  # "AND" | "OR"
    left: Expr
    right: Expr


class IfExpr(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


class BlockExpr(Expr):
    """Statements, then a value; `value` None when the block leaves (type NEVER)."""

    body: list[Stmt]
    value: Expr | None


class TryExpr(Expr):
    """TRY body CATCH ...: the handler's value (a BlockExpr; it may leave) stands in when body fails."""

    body: Expr
    catches: list[ExprCatch]


class ExprCatch(MutableRecord):
    code: int | None  # 4001 for E4001; None catches everything
    message: Local | None  # bound to the message, a string
    value: Expr


class MakeStruct(Expr):
    """A struct or record. `fields[i]` is evaluated in order of `fields`; `slots[i]` is the field number it fills."""

    slots: list[int]
    fields: list[Expr]


class MakeUnion(Expr):
    variant: int
    payload: list[Expr]


class MakeList(Expr):
    elements: list[Expr]


class MakeMap(Expr):
    entries: list[tuple[Expr, Expr]]


class MakeChannel(Expr):
    capacity: Expr | None  # None: unbounded


class GetField(Expr):
    """Field number `index` of a struct or record."""

    object: Expr
    index: int


class GetIndex(Expr):
    """List element, map value or character, told by `object.type`; on an `any`, found at run time (index an any)."""

    object: Expr
    index: Expr


class AnyField(Expr):
    """Field `name` of what an `any` holds; result any."""

    object: Expr
    name: str


class Payload(Expr):
    """Payload word `index` of a union value known to be of `variant` (narrowed: no check)."""

    object: Expr
    variant: int
    index: int


class Convert(Expr):
    """`value` as `type`. kinds:
    to_any        anything to any (boxing)
    elements      any to a LIST<any> of the elements of the list it holds (E1001)
    from_any      any to a concrete type, checked (E5002)
    any_channel   any to CHANNEL<any>, where SEND, RECV and the like need a channel (E1001)
    any_handle    any to TASK<any>, where PING, ESC and TIMEOUT need a task or process (E1001)
    int_to_float  literals and AS
    cast          the other explicit AS conversions (float->int, string->int ..., to string), checked where they can
    fail nullable      T or none to nullable T not_none      nullable T to T, checked (E1006) narrowed      nullable
    T or any to T, proven by flow: no check payload       OPTION/RESULT to or from another instance by converting
    payloads; checked record        struct or record to a record type that has its fields (makes a new record)
    channel       CHANNEL<T> to or from CHANNEL<any> (same object, checks at SEND and RECV)
    view          BORROW: the same value, of the same type
    """

    kind: str
    value: Expr


class IsTest(Expr):
    """`value IS ...`. kinds: type (target set; value any or nullable), alike (value any: some instance of
    the target's generic type), none, empty, variant (union; index), any_variant (name).
    """

    kind: str
    value: Expr
    target: Type | None = None
    variant: int = 0
    name: str = ""


class PatternTest(Expr):
    """`value MATCHES pattern`: bool; binds the pattern's locals when true."""

    value: Expr
    pattern: Pattern


class CloneExpr(Expr):
    value: Expr


class Spawn(Expr):
    """SPAWN or TASK of a call. `type` is the PROCESS<T> or TASK<T>. For a lambda, `function` is the lifted one: it has
    `captures` 0, takes what it captures as plain leading parameters, and `args` reads these. Every argument is
    transferred. Cell captures are snapshot: `args` reads their value, the function gets a new cell. When `callee` is
    set the process calls a function value with `args` instead, and `function` is None.
    """

    function: CoreFunction | None
    callee: Expr | None
    args: list[Expr]


class Await(Expr):
    """AWAIT of a task or process, or of a list of tasks (completion order)."""

    handle: Expr


class Recv(Expr):
    channel: Expr


class Ping(Expr):
    handle: Expr


# ---- patterns --------------------------------------------------------------------------------------------------------


class Pattern(MutableRecord):
    """`type` is the type of the value the pattern is held against."""

    type: Type
    span: Span


class PWild(Pattern):
    pass


class PBind(Pattern):
    local: Local


class PConvert(Pattern):
    """The value is an any (or nullable) that must hold a `target`; then `inner` is matched against it. No error when
    it does not.
    """

    target: Type
    inner: Pattern


class PLiteral(Pattern):
    """Equal to a constant of the same type (int, float, string, bool, enum, none)."""

    value: Expr


class PRange(Pattern):
    """Both ends included; int, float or string (code points)."""

    low: Expr
    high: Expr


class PVariant(Pattern):
    variant: int
    payload: list[Pattern]


class PAnyVariant(Pattern):
    """A variant looked for by name in an any; payload patterns are against `any`."""

    name: str
    payload: list[Pattern]


class PStruct(Pattern):
    fields: list[tuple[int, Pattern]]


class PAnyStruct(Pattern):
    """A struct looked for by field names in an any (record patterns on any)."""

    fields: list[tuple[str, Pattern]]


class PAnyList(Pattern):
    """A list of any element type looked for in an any: `items` are against `any`; `rest` (an any holding the list of
    what is left, of the same list type; PWild for `...` alone), None: exact length."""

    items: list[Pattern]
    rest: Pattern | None


class PList(Pattern):
    """`[A, B]` or `[A, REST...]`; `rest`: the local for what remains (PWild for `...` alone); None: exact length."""

    items: list[Pattern]
    rest: Pattern | None


class POr(Pattern):
    """`CASE A(X), B(X):`: alternatives, only as the whole pattern of a Case. All bind the same locals."""

    alternatives: list[Pattern]


# ---- statements ------------------------------------------------------------------------------------------------------


class Stmt(MutableRecord):
    span: Span


class ExprStmt(Stmt):
    value: Expr


class Let(Stmt):
    local: Local
    value: Expr


class SetLocal(Stmt):
    local: Local
    value: Expr


class SetGlobal(Stmt):
    variable: Global
    value: Expr
    initial: bool = False  # the initialiser itself


class SetField(Stmt):
    object: Expr
    index: int
    value: Expr


class SetAnyField(Stmt):
    object: Expr
    name: str
    value: Expr


class SetIndex(Stmt):
    """List or map element; `object.type` ANY: found at run time."""

    object: Expr
    index: Expr
    value: Expr


class AddTo(Stmt):
    """SETADD. `place` is a LocalRef, GlobalRef, GetField, GetIndex (or AnyField); int and float add, string appends.
    Atomic on what is shared."""

    place: Expr
    value: Expr


class Push(Stmt):
    """PUSH L, X on a list (or an any)."""

    list: Expr
    value: Expr


class RemoveKey(Stmt):
    """REMOVE M[K], or of a list element by index (E1002)."""

    object: Expr
    key: Expr


class RemoveWhere(Stmt):
    """REMOVE L WHERE cond; `element` is VALUE."""

    list: Expr
    element: Local
    condition: Expr


class If(Stmt):
    condition: Expr
    then: list[Stmt]
    otherwise: list[Stmt]


class Loop(Stmt):
    """Endless, or while `condition` holds. BREAK and CONTINUE name their loop by identity."""

    condition: Expr | None
    body: list[Stmt]


class LoopRange(Stmt):
    """FROM start TO end STEP step; `inclusive` False for LOOP X IN RANGE(A, B)."""

    local: Local
    start: Expr
    end: Expr
    step: Expr | None
    inclusive: bool
    body: list[Stmt]


class LoopEach(Stmt):
    """LOOP X IN source: list elements, map keys (with `value`: LOOP K, V IN), string characters, channel, any."""

    local: Local
    value: Local | None
    source: Expr
    body: list[Stmt]


class Break(Stmt):
    loop: Stmt


class Continue(Stmt):
    loop: Stmt


class Return(Stmt):
    value: Expr | None


class Case(MutableRecord):
    pattern: Pattern
    guard: Expr | None
    body: list[Stmt]
    span: Span


class Match(Stmt):
    """Cases in order. `otherwise` None and not `exhaustive`: a value no case takes raises E5001."""

    subject: Expr
    cases: list[Case]
    otherwise: list[Stmt] | None
    exhaustive: bool


class Catch(MutableRecord):
    code: int | None
    message: Local | None
    body: list[Stmt]
    span: Span


class Try(Stmt):
    body: list[Stmt]
    catches: list[Catch]
    final: list[Stmt]


class Throw(Stmt):
    """THROW: `message` is a string (formatted by the checker's Convert/Intrinsic where it was not one)."""

    message: Expr


class Raise(Stmt):
    code: int
    detail: Expr | None  # a string


class Send(Stmt):
    channel: Expr
    value: Expr


class Close(Stmt):
    channel: Expr


class Cancel(Stmt):
    """ESC H."""

    handle: Expr


class Timeout(Stmt):
    """TIMEOUT H ms."""

    handle: Expr
    milliseconds: Expr


class SelectCase(MutableRecord):
    """Receive (`bind` may be None) or send (`value` set)."""

    channel: Expr
    bind: Local | None
    value: Expr | None
    body: list[Stmt]
    span: Span


class Select(Stmt):
    cases: list[SelectCase]
    timeout: Expr | None  # seconds, float
    timeout_body: list[Stmt] | None
    otherwise: list[Stmt] | None


class Block(Stmt):
    body: list[Stmt]
