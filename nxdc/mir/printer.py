"""MIR as text, stable: registers and blocks are numbered in the order they appear.

func core.registry.REGISTER(J:0: JOB) fallible
  entry:
    %1 = load_field struct 0 J:0        ! -> propagate
"""

from __future__ import annotations

from nxdc.mir import ops
from nxdc.mir.ops import Block, Function, Op, Program, Reg, Terminator, Value
from nxdc.mir.types import CellType, ClosureType, EnvType, ErrorPtrType, UnusedType
from nxdc.types import model
from nxdc.types.model import Type


def print_program(program: Program) -> str:
    """The whole program."""
    parts = [_print_globals(program)] if program.globals else []
    parts += [print_function(function) for function in program.functions]
    return "\n".join(parts)


def _print_globals(program: Program) -> str:
    lines = []
    for variable in program.globals:
        assigned = " assigned" if variable.assigned else ""
        lines.append(f"global {_global(variable)}: {show_type(variable.type)}{assigned}\n")
    return "".join(lines)


def print_function(function: Function) -> str:
    """One function."""
    return _FunctionPrinter(function).text()


def _global(variable: ops.GlobalVar) -> str:
    return f"{variable.module}.{variable.name}" if variable.module else variable.name


class _FunctionPrinter:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks: dict[Block, str] = {}
        self.count = 0
        self.seen: set[Reg] = set()
        used: dict[str, int] = {}
        for block in function.blocks:
            count = used.get(block.label, 0)
            used[block.label] = count + 1
            self.blocks[block] = f"{block.label}.{count}" if count else block.label

    def text(self) -> str:
        function = self.function
        params = []
        owned = function.owned_params or [False] * len(function.params)
        if function.closure is not None:
            params.append(f"closure {self.reg(function.closure)}")
        for reg, own in zip(function.params, owned, strict=True):
            params.append(f"{'own ' if own else ''}{self.reg(reg)}: {show_type(reg.type)}")
        flags = [name for name in ("fallible", "recursive", "address_taken") if getattr(function, name)]
        head = f"func {function.symbol}({', '.join(params)}): {show_type(function.result)} {' '.join(flags)}".rstrip()
        lines = [head]
        for block in function.blocks:
            lines.append(f"  {self.blocks[block]}:{'  # cold' if block.cold else ''}")
            lines += [f"    {self.op(op)}" for op in block.ops]
            lines.append(f"    {self.terminator(block.terminator)}")
        if function.borrowed:
            names = sorted((reg.number, self.reg(reg)) for reg in function.borrowed if reg in self.seen)
            lines.insert(1, f"  borrowed {', '.join(name for _, name in names)}")
        return "\n".join(lines) + "\n"

    def reg(self, reg: Reg) -> str:
        if reg not in self.seen:
            self.seen.add(reg)
            reg.number = self.count
            self.count += 1
        return f"{reg.name}:{reg.number}" if reg.name else f"%{reg.number}"

    def value(self, value: Value) -> str:
        if isinstance(value, Reg):
            return self.reg(value)
        content = value.value
        if content == ops.UNINIT:
            return "uninit"
        if isinstance(content, tuple):
            return f"unit {show_type(value.type)}.{content[1]}"
        if isinstance(content, bool):
            return "true" if content else "false"
        if content is None:
            return "none"
        if isinstance(content, str):
            return '"' + content.encode("unicode_escape").decode().replace('"', '\\"') + '"'
        return repr(content)

    def op(self, op: Op) -> str:
        operands = [self.value(value) for value in op.operands()]
        takes = op.takes()
        if takes is not None and type(op) is not ops.Assign:
            operands = [f"*{text}" if taken and isinstance(value, Reg) and value.counted else text
                        for text, taken, value in zip(operands, takes, op.operands(), strict=True)]  # fmt: skip
        words = [_snake(type(op).__name__), *self._facts(op)]
        text = " ".join(words)
        if operands:
            text += " " + ", ".join(operands)
        if isinstance(op, ops.NewStruct) and op.reuse is not None:
            text += " (reused)"
        results = [self.reg(reg) for reg in op.writes()]
        if results:
            text = f"{', '.join(results)} = {text}"
        if isinstance(op, ops.Assign) and results:
            text = f"{results[0]} = {operands[0]}"
        if op.error is not None:
            text += f"  ! {self.blocks.get(op.error.target, '?')} {self.reg(op.error.register)}"
        return text

    def _facts(self, op: Op) -> list[str]:
        facts: list[str] = []
        for name in op._fields:
            if name in _PLAIN_FIELDS:
                continue
            value = getattr(op, name)
            if value is None or value is False or value == () or value == "":
                continue
            if isinstance(value, Type):
                facts.append(show_type(value))
            elif isinstance(value, Function):
                facts.append(value.symbol)
            elif isinstance(value, ops.GlobalVar):
                facts.append(_global(value))
            elif value is True:
                facts.append(name)
            elif name in ("symbol", "name", "kind", "index", "place", "variant", "code"):
                facts.append(str(value))
            elif name == "extra":
                facts.append(f"<{', '.join(show_type(type_) for type_ in value)}>")
            elif name == "extra_ints":
                facts.append(f"<{', '.join(map(str, value))}>")
            elif name == "sends":
                facts.append("".join("s" if send else "r" for send in value))
        return facts

    def terminator(self, terminator: Terminator | None) -> str:
        if terminator is None:
            return "<no terminator>"
        words = [_snake(type(terminator).__name__)]
        words += [self.value(value) for value in terminator.operands()]
        if isinstance(terminator, ops.Switch):
            words += [f"{number} -> {self.blocks.get(block, '?')}," for number, block in terminator.cases]
            words += ["else ->", self.blocks.get(terminator.default, "?")]
        else:
            words += [self.blocks.get(block, "?") for block in terminator.targets()]
        return " ".join(words)


_PLAIN_FIELDS = {
    "span", "args", "dst", "error", "params", "result", "fallible", "needs_self", "parks", "taken", "owned", "pure",
    "diverges",
    "changes", "changes_any", "out", "received", "reuse", "result_type", "last_use",
}  # fmt: skip


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def show_type(type_: Type) -> str:
    """A type as the user writes it; MIR's own types in words."""
    if isinstance(type_, CellType):
        return f"cell<{show_type(type_.content)}>"
    if isinstance(type_, EnvType):
        return f"env<{', '.join(map(show_type, type_.fields))}>"
    if isinstance(type_, ClosureType):
        return f"closure<{', '.join(map(show_type, type_.captures))}>"
    if isinstance(type_, ErrorPtrType):
        return "error"
    if isinstance(type_, UnusedType):
        return f"unused{type_.number}"
    if isinstance(type_, model.NullableType):
        return f"{show_type(type_.inner)}?"
    from nxdc.types.show import show

    return show(type_)
