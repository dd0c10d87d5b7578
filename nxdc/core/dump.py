"""The typed core as text, for `--emit core` and the tests: stable, one statement a line, every conversion visible.

    FUNC app.main.MAIN(): none
        LET JOBS: CHANNEL<JOB> = channel CHANNEL<JOB>(64)
        call core.logger.LOG("x" ++ J.0:int)

A variable is shown by its name; a second one of the same name in a function gets a number (`S.2`). Cells are marked
`@`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nxdc.core import tree as core
from nxdc.types import model
from nxdc.types.show import show

_INDENT = "    "


def dump_core(program: core.CoreProgram) -> str:
    """The whole program."""
    parts = [f"GLOBAL {v.module}.{v.name}: {show(v.type)}{' assigned' if v.assigned else ''}" for v in program.globals]
    blocks = ["\n".join(parts)] if parts else []
    blocks += [dump_function(f) for f in (program.start, *program.functions)]
    return "\n\n".join(blocks) + "\n"


def dump_function(function: core.CoreFunction) -> str:
    """One function."""
    return _Dump().function(function)


class _Dump:
    def __init__(self) -> None:
        self.names: dict[core.Local, str] = {}
        self.counts: dict[str, int] = {}
        self.loops: dict[core.Stmt, int] = {}

    def function(self, function: core.CoreFunction) -> str:
        params = ", ".join(f"{self.local(p)}: {show(p.type)}" for p in function.params)
        captures = f" captures {function.captures}" if function.captures else ""
        head = f"FUNC {function.name}({params}): {show(function.result)}{captures}"
        return "\n".join([head, *self.block(function.body, 1)])

    def local(self, local: core.Local) -> str:
        name = self.names.get(local)
        if name is None:
            count = self.counts[local.name] = self.counts.get(local.name, 0) + 1
            name = local.name if count == 1 else f"{local.name}.{count}"
            self.names[local] = name
        return f"@{name}" if local.cell else name

    def block(self, body: list[core.Stmt], depth: int) -> list[str]:
        lines: list[str] = []
        for stmt in body:
            lines += self.stmt(stmt, depth)
        return lines or [_INDENT * depth + "pass"]

    def stmt(self, stmt: core.Stmt, depth: int) -> list[str]:
        pad = _INDENT * depth
        structured = _BLOCKS.get(type(stmt))
        if structured is not None:
            return structured(self, stmt, depth)
        return [pad + _LINES[type(stmt)](self, stmt)]

    def expr(self, expr: core.Expr) -> str:
        return _EXPRS[type(expr)](self, expr)

    def exprs(self, exprs: list[core.Expr]) -> str:
        return ", ".join(self.expr(e) for e in exprs)

    def pattern(self, pattern: core.Pattern) -> str:
        return _PATTERNS[type(pattern)](self, pattern)

    def inline_block(self, body: list[core.Stmt]) -> str:
        return "; ".join(" ".join(line.split()) for line in self.block(body, 0)) if body else ""

    def loop_name(self, loop: core.Stmt) -> str:
        return f"loop{self.loops.setdefault(loop, len(self.loops) + 1)}"


_Show = Callable[[_Dump, Any], str]


def _variant(type_: model.Type, index: int) -> str:
    return type_.decl.variants[index][0] if isinstance(type_, (model.UnionType, model.EnumType)) else f"#{index}"


def _field(type_: model.Type, index: int) -> str:
    if isinstance(type_, (model.StructType, model.RecordType)):
        return model.struct_fields(type_)[index][0]
    return f"#{index}"


def _make_struct(d: _Dump, e: core.MakeStruct) -> str:
    fields = ", ".join(f"{_field(e.type, slot)}: {d.expr(v)}" for slot, v in zip(e.slots, e.fields, strict=False))
    return f"{show(e.type)} {{ {fields} }}"


def _spawn(d: _Dump, e: core.Spawn) -> str:
    callee = e.function.name if e.function is not None else d.expr(e.callee) if e.callee is not None else "?"
    return f"spawn {show(e.type)} {callee}({d.exprs(e.args)})"


def _try_expr(d: _Dump, e: core.TryExpr) -> str:
    catches = " ".join(
        f"catch {'E' + str(c.code) if c.code else ''}{d.local(c.message) if c.message else ''}: {d.expr(c.value)}"
        for c in e.catches
    )
    return f"(try {d.expr(e.body)} {catches})"


def _block_expr(d: _Dump, e: core.BlockExpr) -> str:
    body = d.inline_block(e.body)
    value = d.expr(e.value) if e.value is not None else "leaves"
    return f"{{ {body}{'; ' if body else ''}{value} }}"


def _is_test(d: _Dump, e: core.IsTest) -> str:
    what = {"type": show(e.target) if e.target is not None else "?", "variant": _variant(e.value.type, e.variant),
            "any_variant": e.name}.get(e.kind, e.kind.upper())  # fmt: skip
    return f"({d.expr(e.value)} is {what})"


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


_EXPRS: dict[type, _Show] = {
    core.IntLit: lambda d, e: str(e.value),
    core.FloatLit: lambda d, e: repr(e.value),
    core.BoolLit: lambda d, e: "true" if e.value else "false",
    core.StringLit: lambda d, e: _string(e.value),
    core.NoneLit: lambda d, e: f"NONE:{show(e.type)}",
    core.EnumLit: lambda d, e: f"{show(e.type)}.{_variant(e.type, e.index)}",
    core.LocalRef: lambda d, e: ("move " if e.moves else "") + d.local(e.local),
    core.GlobalRef: lambda d, e: f"{e.variable.module}.{e.variable.name}",
    core.Call: lambda d, e: f"{e.function.name}({d.exprs(e.args)})",
    core.CallValue: lambda d, e: f"call {d.expr(e.callee)}({d.exprs(e.args)})",
    core.CallPrelude: lambda d, e: e.row.name
    + (f"<{', '.join(show(t) for t in e.type_args)}>" if e.type_args else "")
    + f"({d.exprs(e.args)})",
    core.FuncRef: lambda d, e: f"func {e.function.name}",
    core.Lambda: lambda d, e: f"lambda {e.function.name}[{', '.join(d.local(c) for c in e.captures)}]",
    core.Intrinsic: lambda d, e: f"{'any_' + e.op if e.name == 'any_binary' else e.name}({d.exprs(e.args)})",
    core.ShortCircuit: lambda d, e: f"({d.expr(e.left)} {e.op} {d.expr(e.right)})",
    core.IfExpr: lambda d, e: f"(if {d.expr(e.condition)} then {d.expr(e.then)} else {d.expr(e.otherwise)})",
    core.BlockExpr: _block_expr,
    core.TryExpr: _try_expr,
    core.MakeStruct: _make_struct,
    core.MakeUnion: lambda d, e: f"{show(e.type)}.{_variant(e.type, e.variant)}({d.exprs(e.payload)})",
    core.MakeList: lambda d, e: f"{show(e.type)} [{d.exprs(e.elements)}]",
    core.MakeMap: lambda d, e: f"{show(e.type)} {{{', '.join(f'{d.expr(k)}: {d.expr(v)}' for k, v in e.entries)}}}",
    core.MakeChannel: lambda d, e: f"{show(e.type)}({d.expr(e.capacity) if e.capacity is not None else 'unbounded'})",
    core.GetField: lambda d, e: f"{d.expr(e.object)}.{_field(e.object.type, e.index)}",
    core.GetIndex: lambda d, e: f"{d.expr(e.object)}[{d.expr(e.index)}]",
    core.AnyField: lambda d, e: f"{d.expr(e.object)}?.{e.name}",
    core.Payload: lambda d, e: f"{d.expr(e.object)}.{_variant(e.object.type, e.variant)}#{e.index}",
    core.Convert: lambda d, e: f"{e.kind}<{show(e.type)}>({d.expr(e.value)})",
    core.IsTest: _is_test,
    core.PatternTest: lambda d, e: f"({d.expr(e.value)} matches {d.pattern(e.pattern)})",
    core.CloneExpr: lambda d, e: f"clone({d.expr(e.value)})",
    core.Spawn: _spawn,
    core.Await: lambda d, e: f"await {d.expr(e.handle)}",
    core.Recv: lambda d, e: f"recv {d.expr(e.channel)}",
    core.Ping: lambda d, e: f"ping {d.expr(e.handle)}",
}  # fmt: skip


def _list_pattern(d: _Dump, p: core.PList | core.PAnyList) -> str:
    parts = [d.pattern(i) for i in p.items]
    if p.rest is not None:
        parts.append(d.pattern(p.rest) + "...")
    return f"[{', '.join(parts)}]"


_PATTERNS: dict[type, _Show] = {
    core.PWild: lambda d, p: "_",
    core.PBind: lambda d, p: f"{d.local(p.local)}: {show(p.local.type)}",
    core.PConvert: lambda d, p: f"as {show(p.target)} {d.pattern(p.inner)}",
    core.PLiteral: lambda d, p: d.expr(p.value),
    core.PRange: lambda d, p: f"{d.expr(p.low)} to {d.expr(p.high)}",
    core.PVariant: lambda d, p: f"{_variant(p.type, p.variant)}({', '.join(d.pattern(x) for x in p.payload)})",
    core.PAnyVariant: lambda d, p: f"any {p.name}({', '.join(d.pattern(x) for x in p.payload)})",
    core.PStruct: lambda d, p: f"{{ {', '.join(f'{_field(p.type, i)}: {d.pattern(x)}' for i, x in p.fields)} }}",
    core.PAnyStruct: lambda d, p: f"any {{ {', '.join(f'{n}: {d.pattern(x)}' for n, x in p.fields)} }}",
    core.PList: _list_pattern,
    core.PAnyList: lambda d, p: "any " + _list_pattern(d, p),
    core.POr: lambda d, p: " | ".join(d.pattern(x) for x in p.alternatives),
}

_LINES: dict[type, _Show] = {
    core.ExprStmt: lambda d, s: d.expr(s.value),
    core.Let: lambda d, s: f"LET {d.local(s.local)}: {show(s.local.type)} = {d.expr(s.value)}",
    core.SetLocal: lambda d, s: f"{d.local(s.local)} = {d.expr(s.value)}",
    core.SetGlobal: lambda d, s: ("init " if s.initial else "")
    + f"{s.variable.module}.{s.variable.name} = {d.expr(s.value)}",
    core.SetField: lambda d, s: f"{d.expr(s.object)}.{_field(s.object.type, s.index)} = {d.expr(s.value)}",
    core.SetAnyField: lambda d, s: f"{d.expr(s.object)}?.{s.name} = {d.expr(s.value)}",
    core.SetIndex: lambda d, s: f"{d.expr(s.object)}[{d.expr(s.index)}] = {d.expr(s.value)}",
    core.AddTo: lambda d, s: f"{d.expr(s.place)} += {d.expr(s.value)}",
    core.Push: lambda d, s: f"push {d.expr(s.list)}, {d.expr(s.value)}",
    core.RemoveKey: lambda d, s: f"remove {d.expr(s.object)}[{d.expr(s.key)}]",
    core.RemoveWhere: lambda d, s: f"remove {d.expr(s.list)} where {d.local(s.element)}: {d.expr(s.condition)}",
    core.Break: lambda d, s: f"break {d.loop_name(s.loop)}",
    core.Continue: lambda d, s: f"continue {d.loop_name(s.loop)}",
    core.Return: lambda d, s: "return" if s.value is None else f"return {d.expr(s.value)}",
    core.Throw: lambda d, s: f"throw {d.expr(s.message)}",
    core.Raise: lambda d, s: f"raise E{s.code:04}" + (f" {d.expr(s.detail)}" if s.detail is not None else ""),
    core.Send: lambda d, s: f"send {d.expr(s.value)} to {d.expr(s.channel)}",
    core.Close: lambda d, s: f"close {d.expr(s.channel)}",
    core.Cancel: lambda d, s: f"cancel {d.expr(s.handle)}",
    core.Timeout: lambda d, s: f"timeout {d.expr(s.handle)} {d.expr(s.milliseconds)}",
}  # fmt: skip


def _if(d: _Dump, s: core.If, depth: int) -> list[str]:
    pad = _INDENT * depth
    lines = [f"{pad}if {d.expr(s.condition)}:", *d.block(s.then, depth + 1)]
    if s.otherwise:
        lines += [f"{pad}else:", *d.block(s.otherwise, depth + 1)]
    return lines


def _loop(d: _Dump, s: core.Loop, depth: int) -> list[str]:
    while_ = f" while {d.expr(s.condition)}" if s.condition is not None else ""
    return [f"{_INDENT * depth}{d.loop_name(s)}{while_}:", *d.block(s.body, depth + 1)]


def _loop_range(d: _Dump, s: core.LoopRange, depth: int) -> list[str]:
    step = f" step {d.expr(s.step)}" if s.step is not None else ""
    word = "to" if s.inclusive else "below"
    head = f"{d.loop_name(s)} {d.local(s.local)} from {d.expr(s.start)} {word} {d.expr(s.end)}{step}:"
    return [_INDENT * depth + head, *d.block(s.body, depth + 1)]


def _loop_each(d: _Dump, s: core.LoopEach, depth: int) -> list[str]:
    names = d.local(s.local) + (f", {d.local(s.value)}" if s.value is not None else "")
    return [f"{_INDENT * depth}{d.loop_name(s)} {names} in {d.expr(s.source)}:", *d.block(s.body, depth + 1)]


def _match(d: _Dump, s: core.Match, depth: int) -> list[str]:
    pad = _INDENT * depth
    lines = [f"{pad}match {d.expr(s.subject)}:{' exhaustive' if s.exhaustive else ''}"]
    for case in s.cases:
        pattern = d.pattern(case.pattern)
        guard = f" when {d.expr(case.guard)}" if case.guard is not None else ""
        lines += [f"{pad}{_INDENT}case {pattern}{guard}:", *d.block(case.body, depth + 2)]
    if s.otherwise is not None:
        lines += [f"{pad}{_INDENT}otherwise:", *d.block(s.otherwise, depth + 2)]
    return lines


def _try(d: _Dump, s: core.Try, depth: int) -> list[str]:
    pad = _INDENT * depth
    lines = [f"{pad}try:", *d.block(s.body, depth + 1)]
    for catch in s.catches:
        what = f"E{catch.code}" if catch.code is not None else ""
        name = d.local(catch.message) if catch.message is not None else ""
        lines += [f"{pad}catch {what}{name}:", *d.block(catch.body, depth + 1)]
    if s.final:
        lines += [f"{pad}finally:", *d.block(s.final, depth + 1)]
    return lines


def _select(d: _Dump, s: core.Select, depth: int) -> list[str]:
    pad = _INDENT * depth
    lines = [f"{pad}select:"]
    for case in s.cases:
        if case.value is not None:
            head = f"send {d.expr(case.value)} to {d.expr(case.channel)}"
        else:
            head = f"{d.local(case.bind) if case.bind is not None else '_'} from {d.expr(case.channel)}"
        lines += [f"{pad}{_INDENT}case {head}:", *d.block(case.body, depth + 2)]
    if s.timeout is not None:
        lines += [f"{pad}{_INDENT}timeout {d.expr(s.timeout)}:", *d.block(s.timeout_body or [], depth + 2)]
    if s.otherwise is not None:
        lines += [f"{pad}{_INDENT}otherwise:", *d.block(s.otherwise, depth + 2)]
    return lines


def _plain_block(d: _Dump, s: core.Block, depth: int) -> list[str]:
    return d.block(s.body, depth) if s.body else []


_BLOCKS: dict[type, Callable[[_Dump, Any, int], list[str]]] = {
    core.If: _if,
    core.Loop: _loop,
    core.LoopRange: _loop_range,
    core.LoopEach: _loop_each,
    core.Match: _match,
    core.Try: _try,
    core.Select: _select,
    core.Block: _plain_block,
}
