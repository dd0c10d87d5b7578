"""Lowers one core function.

`FunctionLowerer` is the builder plus what the handlers share: where locals live, which scopes statements can leave
(loops, FINALLY), and short forms of common ops. Evaluation is strictly left to right: a named register among the
operands is copied when a later operand assigns it (`operands`).
"""

from __future__ import annotations

from collections.abc import Sequence

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.builder import NOTHING, Builder
from nxdc.mir.lower import dispatch
from nxdc.mir.lower.instances import Instances
from nxdc.mir.ops import Block, ErrorEdge, Function, Reg, Value
from nxdc.mir.types import CellType
from nxdc.problem import CompilerBug
from nxdc.source.record import MutableRecord
from nxdc.source.span import Span
from nxdc.types import model
from nxdc.types.model import Type


class LoopScope(MutableRecord):
    """A loop whose body is being lowered."""

    loop: core.Stmt
    breaks: Block
    continues: Block


class FinallyScope:
    """A TRY with FINALLY whose body or handlers are being lowered. Each way out of it runs its own copy of the
    FINALLY block, made once a way.
    """

    def __init__(self, body: list[core.Stmt], span: Span) -> None:
        self.body = body
        self.span = span
        self.exits: dict[tuple[str, core.Stmt | None], Block] = {}


class FunctionLowerer(Builder):
    """See the module."""

    def __init__(self, instances: Instances, function: Function, source: core.CoreFunction) -> None:
        super().__init__(source.span)
        self.instances = instances
        self.types = instances.types
        self.function = function
        self.source = source
        self.locals: dict[core.Local, Reg] = {}
        self.scopes: list[LoopScope | FinallyScope] = []
        self._return_reg: Reg | None = None

    # ---- the whole function -----------------------------------------------------------------------------------------

    def lower(self) -> None:
        """Fills `function.blocks`."""
        self._bind_params()
        self.body(self.source.body)
        if not self.dead:
            if self.function.result == model.NONE:
                self.terminate(ops.Return(self.source.span, None))
            else:
                self.raise_code(5001, self.source.span)
        self.function.blocks = self.finish()
        self._copy_assigned_params()

    def _bind_params(self) -> None:
        source, function = self.source, self.function
        visible = source.params
        if function.closure is not None:
            visible = source.params[source.captures :]
            for index, local in enumerate(source.params[: source.captures]):
                type_ = CellType(local.type) if local.cell else local.type
                reg = self.local(type_, local.name, local.span)
                self.emit(ops.LoadField(local.span, [function.closure], kind="capture", index=index, dst=reg))
                self.locals[local] = reg
        captured = 0 if function.closure is not None else source.captures
        for index, (local, reg) in enumerate(zip(visible, function.params, strict=True)):
            if local.cell and index >= captured:
                self.bind(local, reg, local.span)
            else:
                self.locals[local] = reg

    def _copy_assigned_params(self) -> None:
        """A parameter the body assigns gets a register of its own: the argument may be borrowed, what is assigned is
        not.
        """
        entry = self.function.blocks[0]
        copies: list[ops.Op] = []
        for index, reg in enumerate(self.function.params):
            if self.written.get(reg):
                argument = Reg(reg.type, reg.name, span=reg.span)
                self.function.params[index] = argument
                copies.append(ops.Assign(self.source.span, [argument], dst=reg))
        entry.ops[:0] = copies

    # ---- locals -----------------------------------------------------------------------------------------------------

    def bind(self, local: core.Local, value: Value, span: Span) -> None:
        """Starts the life of a local with its first value."""
        if local.cell:
            known = self.locals.get(local)
            if known is not None and isinstance(known.type, CellType):  # bound by several patterns of one CASE
                cell = known
            else:
                cell = self.local(CellType(local.type), local.name, local.span)
            self.emit(ops.NewStruct(span, [value], type=cell.type, dst=cell))
            self.locals[local] = cell
            return
        reg = self.locals.get(local)
        if reg is None or reg in self.function.params:
            reg = self.local(local.type, local.name, local.span)
            self.locals[local] = reg
        if not self.retarget_last(value, reg):
            self.assign(reg, value, span)

    def read_local(self, local: core.Local, span: Span) -> Value:
        """The value of a local now."""
        reg = self.locals.get(local)
        if reg is None:
            raise CompilerBug("mir", f"local {local.name} is read before it is bound", self.source.name)
        if not local.cell:
            return reg
        dst = self.temp(local.type)
        self.emit(ops.LoadField(span, [reg], kind="struct", index=0, dst=dst))
        return dst

    def set_local(self, local: core.Local, value: Value, span: Span) -> None:
        """Assigns a local that has begun."""
        reg = self.locals[local]
        if local.cell:
            self.emit(ops.StoreField(span, [reg, value], kind="struct", index=0))
            return
        last = self.block.ops[-1] if self.block.ops else None
        # An op that can fail must not write a register its handler may read.
        if last is None or last.error is not None or not self.retarget_last(value, reg):
            self.assign(reg, value, span)

    # ---- nodes ------------------------------------------------------------------------------------------------------

    def expr(self, node: core.Expr) -> Value:
        """The value of an expression."""
        return dispatch.EXPRS[type(node)](self, node)

    def stmt(self, node: core.Stmt) -> None:
        """Runs a statement."""
        dispatch.STMTS[type(node)](self, node)

    def body(self, statements: list[core.Stmt]) -> None:
        """Runs statements up to the first that leaves."""
        for statement in statements:
            if self.dead:
                return
            dispatch.STMTS[type(statement)](self, statement)

    def operands(self, nodes: Sequence[core.Expr]) -> list[Value]:
        """The values of expressions, evaluated from left to right."""
        if len(nodes) == 1:
            return [self.expr(nodes[0])]
        values: list[Value] = []
        marks: list[tuple[int, Reg, int, Block, int]] = []
        for node in nodes:
            value = self.expr(node)
            if isinstance(value, Reg) and value.name:
                marks.append((len(values), value, self.written.get(value, 0), self.block, len(self.block.ops)))
            values.append(value)
        for index, reg, count, block, place in reversed(marks):
            if self.written.get(reg, 0) != count:
                copy = self.temp(reg.type)
                block.ops.insert(place, ops.Assign(nodes[index].span, [reg], dst=copy))
                values[index] = copy
        return values

    def pair(self, left: core.Expr, right: core.Expr) -> tuple[Value, Value]:
        """Two operands."""
        first, second = self.operands((left, right))
        return first, second

    # ---- runtime calls ----------------------------------------------------------------------------------------------

    def runtime(
        self,
        symbol: str,
        args: list[Value],
        params: str,
        span: Span,
        *,
        result: Type | None = None,
        letter: str = "w",
        fallible: bool = False,
        needs_self: bool = False,
        parks: bool = False,
        taken: tuple[bool, ...] = (),
        extra: tuple[Type, ...] = (),
        extra_ints: tuple[int, ...] = (),
        pure: bool = False,
        changes: tuple[int, ...] = (),
        changes_any: bool = False,
    ) -> Value:
        """Calls a C function; `letter` is the form of its result where it cannot fail."""
        for type_ in extra:
            self.types.descriptor(type_)
        dst = None if result is None else self.temp(result)
        op = ops.CallRuntime(
            span,
            args,
            symbol=symbol,
            params=params,
            result="" if dst is None else "w" if fallible else letter,
            fallible=fallible,
            needs_self=needs_self,
            parks=parks,
            taken=taken,
            extra=extra,
            extra_ints=extra_ints,
            pure=pure,
            changes=changes,
            changes_any=changes_any,
            dst=dst,
        )
        if fallible:
            op.error = self.handler
        self.emit(op)
        return NOTHING if dst is None else dst

    def from_word(self, word: Reg, type_: Type, span: Span) -> Reg:
        """A raw word becomes an owned value."""
        dst = self.temp(type_)
        self.emit(ops.FromWord(span, [word], dst=dst))
        return dst

    # ---- conditions -------------------------------------------------------------------------------------------------

    def condition(self, node: core.Expr, then: Block, otherwise: Block) -> None:
        """Jumps by a bool expression; AND, OR, NOT become jumps, and a pattern's locals are bound only where it
        fits.
        """
        kind = type(node)
        if kind is core.ShortCircuit:
            middle = Block(node.op.lower())  # type: ignore[attr-defined]
            if node.op == "AND":  # type: ignore[attr-defined]
                self.condition(node.left, middle, otherwise)  # type: ignore[attr-defined]
            else:
                self.condition(node.left, then, middle)  # type: ignore[attr-defined]
            self.start(middle)
            self.condition(node.right, then, otherwise)  # type: ignore[attr-defined]
        elif kind is core.Intrinsic and node.name == "not":  # type: ignore[attr-defined]
            self.condition(node.args[0], otherwise, then)  # type: ignore[attr-defined]
        elif kind is core.PatternTest:
            self.pattern_test(node, then, otherwise)  # type: ignore[arg-type]
        else:
            self.branch(self.expr(node), then, otherwise, node.span)

    def pattern_test(self, node: core.PatternTest, then: Block, otherwise: Block) -> None:
        """Jumps by MATCHES."""
        value = self.expr(node.value)
        if isinstance(value, Reg) and not value.name:
            value.name = "subject"  # so that no binding renames it
        self.match(value, node.pattern, otherwise)
        self.goto(then, node.span)

    def match(self, value: Value, pattern: core.Pattern, otherwise: Block) -> None:
        """Goes on where the value fits the pattern, with its locals bound; else jumps."""
        dispatch.PATTERNS[type(pattern)](self, pattern, value, otherwise)

    def materialize(self, node: core.Expr) -> Value:
        """A condition as a bool value."""
        then, otherwise, end = Block("true"), Block("false"), Block("bool")
        result = self.temp(model.BOOL)
        self.condition(node, then, otherwise)
        for block, value in ((then, True), (otherwise, False)):
            self.start(block)
            self.emit(ops.Assign(node.span, [ops.Const(model.BOOL, value)], dst=result))
            self.goto(end, node.span)
        self.start(end)
        return result

    # ---- leaving ----------------------------------------------------------------------------------------------------

    def leave(self, kind: str, loop: core.Stmt | None, span: Span) -> None:
        """BREAK or CONTINUE a loop, or RETURN (the value is in place), through the FINALLY blocks between."""
        for scope in reversed(self.scopes):
            if isinstance(scope, FinallyScope):
                way = scope.exits.setdefault((kind, loop), Block(f"finally_{kind}"))
                self.goto(way, span)
                return
            if scope.loop is loop:
                self.goto(scope.breaks if kind == "break" else scope.continues, span)
                return
        self.terminate(ops.Return(span, self._return_reg))

    def leave_with(self, value: Value | None, span: Span) -> None:
        """RETURN."""
        if self.function.result == model.NONE:
            value = None
        if not any(isinstance(scope, FinallyScope) for scope in self.scopes):
            self.terminate(ops.Return(span, value))
            return
        if value is not None:
            if self._return_reg is None:
                self._return_reg = self.local(self.function.result, "result", span)
            self.assign(self._return_reg, value, span)
        self.leave("return", None, span)

    def poll(self, span: Span) -> None:
        """A loop's back edge: other processes may run, and E1009 is raised (see mir/polls.py)."""
        self.emit_fallible(ops.Poll(span))

    def with_handler(self, handler: ErrorEdge) -> ErrorEdge:
        """Sets the innermost handler; the caller puts back what this returns."""
        before = self.handler
        self.handler = handler
        return before
