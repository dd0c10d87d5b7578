"""In which order modules start: what a module imports starts before it; ties in order of import.

Import cycles are legal. Inside one, only what the start-up code of a module really uses counts: module A must start
after B when A's LET, CONST, statements or INIT (or a function of A that these call) use a name of B. A cycle of such
uses is an error.
"""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.modules.model import ModuleInfo
from nxdc.syntax import ast
from nxdc.syntax.walk import descend

_Uses = dict[ModuleInfo, ast.Node]  # module -> the place where the start-up code uses a name of it


def start_order(modules: list[ModuleInfo], entry: ModuleInfo | None, sink: Sink) -> list[ModuleInfo]:
    """All modules in start-up order; those that the entry does not reach come last, with `on_path` False. Without an
    entry the top-level statements of all modules are the program."""
    reached: list[ModuleInfo] = []
    seen: set[ModuleInfo] = set()
    if entry is not None:
        _postorder(entry, seen, reached)
    on_path = set(reached)
    for module in modules:
        module.on_path = module in on_path or entry is None
        _postorder(module, seen, reached)
    order: list[ModuleInfo] = []
    for group in _cycles(reached):
        order += group if len(group) == 1 else _order_cycle(group, modules, sink)
    for index, module in enumerate(order):
        module.index = index
    return order


def _postorder(root: ModuleInfo, seen: set[ModuleInfo], out: list[ModuleInfo]) -> None:
    """Append the modules that `root` imports, then `root`; without recursion, since chains of imports can be long."""
    if root in seen:
        return
    seen.add(root)
    stack = [(root, iter(root.imports))]
    while stack:
        module, rest = stack[-1]
        for entry in rest:
            if entry.module not in seen:
                seen.add(entry.module)
                stack.append((entry.module, iter(entry.module.imports)))
                break
        else:
            out.append(module)
            stack.pop()


def _cycles(order: list[ModuleInfo]) -> list[list[ModuleInfo]]:
    """The modules grouped by import cycle (strongly connected components), groups and members in the given order."""
    importers: dict[ModuleInfo, list[ModuleInfo]] = {module: [] for module in order}
    for module in order:
        for entry in module.imports:
            importers[entry.module].append(module)
    group_of: dict[ModuleInfo, int] = {}
    count = 0
    for root in reversed(order):  # Kosaraju: reverse post-order, along the reversed edges
        if root in group_of:
            continue
        stack = [root]
        group_of[root] = count
        while stack:
            for importer in importers[stack.pop()]:
                if importer not in group_of:
                    group_of[importer] = count
                    stack.append(importer)
        count += 1
    groups: dict[int, list[ModuleInfo]] = {}
    for module in order:
        groups.setdefault(group_of[module], []).append(module)
    return list(groups.values())


def _order_cycle(group: list[ModuleInfo], written: list[ModuleInfo], sink: Sink) -> list[ModuleInfo]:
    """Order the modules of an import cycle by what their start-up uses; report when that is itself cyclic."""
    members = set(group)
    uses = {module: _startup_uses(module, members) for module in group}
    order: list[ModuleInfo] = []
    waiting = list(group)
    while waiting:
        ready = next((m for m in waiting if all(used in order for used in uses[m])), None)
        if ready is None:
            _report_cycle(waiting, uses, [*order], written, sink)
            return order + waiting
        order.append(ready)
        waiting.remove(ready)
    return order


def _report_cycle(
    waiting: list[ModuleInfo],
    uses: dict[ModuleInfo, _Uses],
    done: list[ModuleInfo],
    written: list[ModuleInfo],
    sink: Sink,
) -> None:
    """Follow unmet uses until a module comes again, and name that round, starting with the module written first."""
    path = [waiting[0]]
    while True:
        following = next(used for used in uses[path[-1]] if used not in done)
        if following in path:
            path = path[path.index(following) :]
            break
        path.append(following)
    first = min(range(len(path)), key=lambda i: written.index(path[i]))
    path = path[first:] + path[:first]
    shown = " -> ".join(f"`{module.name}`" for module in (*path, path[0]))
    rounds = [(module, path[(i + 1) % len(path)]) for i, module in enumerate(path)]
    places = [
        (uses[module][used].span, f"the start-up of `{module.name}` uses `{used.name}`") for module, used in rounds
    ]
    (span, label), *others = places
    also = [(place, text) for place, text in others if place.file is span.file]
    notes = [f"{text}, in {place.file.name}" for place, text in others if place.file is not span.file]
    helps = ["move what both need at start-up into a module of its own"]
    sink.report(codes.S3016, "cycle", span, label, also=also, notes=notes, helps=helps, cycle=shown)


def _startup_uses(module: ModuleInfo, members: set[ModuleInfo]) -> _Uses:
    """Which other modules of the cycle the start-up code uses, directly or through functions of its own module."""
    functions: dict[str, list[ast.FuncDecl]] = {}
    for name, entries in module.declarations.items():
        functions[name] = [e.node for e in entries if isinstance(e.node, ast.FuncDecl)]
    work: list[ast.Node] = list(module.startup)
    if module.init is not None:
        work.append(module.init)
    uses: _Uses = {}
    called: set[str] = set()
    while work:
        for node in descend(work.pop(0)):
            used = _used_module(node, module, members)
            if used is not None:
                uses.setdefault(used, node)
            if isinstance(node, ast.NameRef) and node.name not in called:
                called.add(node.name)
                work += [f.body for f in functions.get(node.name, ()) if f.body is not None]
    return uses


def _used_module(node: ast.Node, module: ModuleInfo, members: set[ModuleInfo]) -> ModuleInfo | None:
    """The module of the cycle whose function or variable a node names; types and variants need no start-up."""
    if isinstance(node, ast.NameRef):
        if node.name in module.declarations:
            return None
        for entry in module.imports:
            unqualified = entry.alias is None and (not entry.names or any(n.text == node.name for n in entry.names))
            if (
                unqualified
                and entry.module in members
                and entry.module is not module
                and _runs(entry.module, node.name)
            ):
                return entry.module
    elif isinstance(node, ast.Field):
        path = _dotted(node.base)
        for entry in module.imports:
            if path and path in (entry.alias, entry.module.name) and entry.module in members:
                return entry.module if entry.module is not module and _runs(entry.module, node.name.text) else None
    return None


def _runs(module: ModuleInfo, name: str) -> bool:
    """Whether a name of a module stands for something that start-up must have made: a variable that is no plain
    constant, or a function (which may use such variables)."""
    for entry in module.visible(name):
        if entry.kind == "func":
            return bool(module.startup or module.init)
        if entry.kind == "var" and isinstance(entry.node, ast.Let):
            plain = (ast.IntLit, ast.FloatLit, ast.StringLit, ast.BoolLit, ast.NoneLit)
            return not (entry.node.is_const and isinstance(entry.node.value, plain))
    return False


def _dotted(expr: ast.Node) -> str:
    parts: list[str] = []
    while isinstance(expr, ast.Field):
        parts.append(expr.name.text)
        expr = expr.base
    if not isinstance(expr, ast.NameRef):
        return ""
    parts.append(expr.name)
    return ".".join(reversed(parts))
