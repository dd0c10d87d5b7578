"""The whole layer in one call: from the paths of the command line to a `Program`."""

from __future__ import annotations

from collections.abc import Mapping

from nxdc.diagnostics import codes
from nxdc.diagnostics.sink import Sink
from nxdc.modules.graph import Graph
from nxdc.modules.imports import check_aliases, check_selective, collect_declarations
from nxdc.modules.init_order import start_order
from nxdc.modules.model import EntryCandidate, ModuleInfo, Program
from nxdc.problem import Problem
from nxdc.syntax import ast

MAIN_MODULE = "app.main"


def load_program(
    paths: list[str], sink: Sink, *, entry: str | None = None, texts: Mapping[str, str] | None = None
) -> Program:
    """Read, parse and arrange a program. `entry` names the module whose MAIN starts it (`--entry`); `texts`, by real
    path, stand in for what files hold."""
    graph = Graph(sink, texts)
    graph.add_paths(paths)
    graph.resolve_imports()
    for module in graph.modules:
        collect_declarations(module, sink)
    for module in graph.modules:
        check_selective(module, sink)
        check_aliases(module, sink)
    candidates = _candidates(graph.modules)
    chosen = _choose(candidates, graph, entry, sink)
    start = chosen.module if chosen else graph.by_name.get(_module_of(entry)) if entry is not None else None
    order = start_order(graph.modules, start, sink)
    return Program(
        tuple(order), graph.by_name, start, chosen, tuple(candidates), tuple(graph.sources), tuple(graph.roots)
    )


def _candidates(modules: list[ModuleInfo]) -> list[EntryCandidate]:
    """The MAIN of each module that has one: of several, the one without parameters."""
    found = []
    for module in modules:
        mains = [e.node for e in module.declarations.get("MAIN", ()) if isinstance(e.node, ast.FuncDecl)]
        mains.sort(key=lambda node: bool(node.params))
        if mains:
            found.append(EntryCandidate(module, mains[0]))
    return found


def _module_of(entry: str) -> str:
    """The module that `--entry a.b` or `--entry a.b.MAIN` names."""
    return entry.removesuffix(".MAIN")


def _choose(candidates: list[EntryCandidate], graph: Graph, entry: str | None, sink: Sink) -> EntryCandidate | None:
    """The MAIN that starts the program: that of `--entry`, that of app.main, or the only one."""
    if entry is not None:
        wanted = _module_of(entry)
        named = [c for c in candidates if c.module.name == wanted]
        if not named and wanted not in graph.by_name:
            known = ", ".join(sorted(c.module.name for c in candidates))
            hint = f"there is a MAIN in {known}" if known else None
            raise Problem(f"--entry: there is no module `{wanted}`", hint)
        return named[0] if named else None
    named = [c for c in candidates if c.module.name == MAIN_MODULE]
    if len(named) == 1:
        return named[0]
    if len(candidates) > 1:
        _report_several(candidates, sink)
    return candidates[0] if candidates else None


_SHOWN = 4  # other modules with a MAIN that a message names


def _report_several(candidates: list[EntryCandidate], sink: Sink) -> None:
    first = candidates[0].func.name.span
    also = [(c.func.name.span, "another one") for c in candidates[1:] if c.func.name.span.file is first.file]
    others = [c for c in candidates[1:] if c.func.name.span.file is not first.file]
    notes = [f"there is another one in the module `{c.module.name}`, in {c.module.file.name}" for c in others[:_SHOWN]]
    if len(others) > _SHOWN:
        notes.append(f"and {len(others) - _SHOWN} more")
    names = " or ".join(f"--entry {c.module.name}" for c in candidates[:3])
    sink.report(codes.S3013, "entry", first, also=also, notes=notes, helps=[f"choose one with {names}"])
