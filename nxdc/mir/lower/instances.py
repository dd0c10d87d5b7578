"""What the lowering of one program shares: its type table, its MIR functions and module variables, and which are
still to lower.

One core function can give two MIR functions: the plain one, which Call and Spawn name and which gets captures as
ordinary arguments, and the code of a function value, which finds its captures in the closure object. A named
function used as a value gets a small wrapper that calls it, so that calls by name never pay for the convention of
function values.
"""

from __future__ import annotations

import re

from nxdc.core import tree as core
from nxdc.mir import ops
from nxdc.mir.lower.changes import MapChanges
from nxdc.mir.ops import Function, GlobalVar, Reg
from nxdc.mir.types import ERROR_PTR, CellType, TypeTable
from nxdc.types import model
from nxdc.types.model import FuncType, Type


class Instances:
    """See the module."""

    def __init__(self, program: core.CoreProgram) -> None:
        self.types = TypeTable()
        self.spawns = program.spawns
        self.map_changes = MapChanges(program)
        self.globals: dict[core.Global, GlobalVar] = {}
        self.global_list: list[GlobalVar] = []
        self.plain: dict[core.CoreFunction, Function] = {}
        self.closures: dict[core.CoreFunction, Function] = {}
        self.wrappers: dict[core.CoreFunction, Function] = {}
        self.pending: list[tuple[core.CoreFunction, Function]] = []
        self.made: list[Function] = []
        self.converts_channels = False
        self.channel_ops: list[tuple[ops.CallRuntime, Type]] = []
        self.selects: list[tuple[ops.Select, tuple[Type, ...]]] = []
        self._symbols: dict[str, int] = {}
        for variable in program.globals:
            self.variable(variable)

    def variable(self, variable: core.Global) -> GlobalVar:
        """The MIR variable of a module variable."""
        found = self.globals.get(variable)
        if found is None:
            found = GlobalVar(variable.name, variable.module, variable.type, variable.assigned, variable.span)
            self.globals[variable] = found
            self.global_list.append(found)
        return found

    def function(self, function: core.CoreFunction) -> Function:
        """The plain MIR function of a core function."""
        found = self.plain.get(function)
        if found is None:
            params = [param_reg(local, index < function.captures) for index, local in enumerate(function.params)]
            found = self._make(function, params, "")
            self.plain[function] = found
            self.pending.append((function, found))
        return found

    def closure_code(self, function: core.CoreFunction, type_: Type) -> Function:
        """The code of the function values a lambda makes."""
        found = self.closures.get(function)
        if found is None:
            params = [param_reg(local, captured=False) for local in function.params[function.captures :]]
            found = self._make(function, params, "", closure=Reg(type_, "closure", span=function.span))
            self.closures[function] = found
            self.pending.append((function, found))
        return found

    def wrapper(self, function: core.CoreFunction, type_: FuncType) -> Function:
        """The code of a named function as a value: calls it."""
        found = self.wrappers.get(function)
        if found is None:
            target = self.function(function)
            params = [param_reg(local, captured=False) for local in function.params]
            found = self._make(function, params, ".value", closure=Reg(type_, "closure", span=function.span))
            self.wrappers[function] = found
            found.blocks = _wrapper_body(found, target)
        return found

    def _make(
        self, function: core.CoreFunction, params: list[Reg], suffix: str, closure: Reg | None = None
    ) -> Function:
        symbol = self._symbol(function.name + suffix)
        made = Function(
            function.name,
            symbol,
            params,
            function.result,
            function.span,
            address_taken=closure is not None,
            closure=closure,
        )
        self.made.append(made)
        return made

    def _symbol(self, name: str) -> str:
        """A linker name: letters of the source name, unique."""
        base = re.sub(r"[^A-Za-z0-9_.]", "_", name)
        count = self._symbols.get(base, 0)
        self._symbols[base] = count + 1
        return base if count == 0 else f"{base}.{count}"


def param_reg(local: core.Local, captured: bool) -> Reg:
    """The register an argument arrives in; captured cells arrive as cells."""
    type_ = CellType(local.type) if captured and local.cell else local.type
    return Reg(type_, local.name or "it", span=local.span)


def _wrapper_body(wrapper: Function, target: Function) -> list[ops.Block]:
    span = wrapper.span
    result = None if wrapper.result == model.NONE else Reg(wrapper.result)
    error = Reg(ERROR_PTR, "error", span=span)
    fails = ops.Block("propagate", [], ops.Propagate(span, error), cold=True)
    args: list[ops.Value] = list(wrapper.params)
    call = ops.Call(span, args, function=target, dst=result, error=ops.ErrorEdge(fails, error))
    return [ops.Block("entry", [call], ops.Return(span, result)), fails]
