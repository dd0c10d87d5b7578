"""What each module declares, what of it others may see, and whether selective imports and EXPORT lines name something.

A module without EXPORT and PUBLIC shows everything that is not PRIVATE. With one of them it shows what is marked.
INTERNAL is visible in the whole program (there are no libraries yet that it could be hidden from).
"""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.near import ranked, spelling_fix
from nxdc.diagnostics.sink import Sink
from nxdc.modules.model import DeclEntry, ModuleInfo
from nxdc.source.span import Span
from nxdc.syntax import ast

_SHOWING = ("EXPORT", "PUBLIC")


def collect_declarations(module: ModuleInfo, sink: Sink) -> None:
    """Fill `declarations`, `startup` and `init` of a module."""
    exports = [item for item in module.node.items if isinstance(item, ast.Export)]
    marked = any(_word(item) in _SHOWING for item in module.node.items) or bool(exports)
    shows_all = any(export.kind == "ALL" for export in exports) or not marked
    listed = {name.text for export in exports for name in export.names}
    for item in module.node.items:
        _collect(module, item, shows_all, listed, sink)
    for export in exports:
        _check_export(module, export, sink)


def _check_export(module: ModuleInfo, export: ast.Export, sink: Sink) -> None:
    """`EXPORT FUNC A` names a function of the module, `EXPORT A` anything."""
    kind = export.kind.lower() if export.kind in ("FUNC", "TYPE", "TRAIT") else ""
    known = [n for n, entries in module.declarations.items() if not kind or any(e.kind == kind for e in entries)]
    for name in export.names:
        if name.text in known or module.has_errors:
            continue
        word = {"": "", "func": "function "}.get(kind, f"{kind} ")
        _report_unknown(sink, "exported", name, known, module.name, word)


def check_aliases(module: ModuleInfo, sink: Sink) -> None:
    """Check that no name stands for two imported modules."""
    seen: dict[str, tuple[ModuleInfo, Span]] = {}
    for entry in module.imports:
        node = entry.node
        place = node.alias.span if node.alias else node.path[0].span.to(node.path[-1].span)
        name = entry.alias or entry.module.name
        other, first = seen.setdefault(name, (entry.module, place))
        if other is not entry.module:
            sink.report(codes.S3015, "alias", place, also=[(first, f"`{other.name}` is called so here")], name=name)


def check_selective(module: ModuleInfo, sink: Sink) -> None:
    """Check that the names of selective imports exist and may be seen."""
    for entry in module.imports:
        target = entry.module
        for name in entry.names:
            if target.visible(name.text) or target.has_errors:
                continue
            hidden = target.declarations.get(name.text)
            if hidden:
                _report_hidden(sink, name, hidden[0], target)
            else:
                shown = [n for n in target.declarations if target.visible(n)]
                _report_unknown(sink, "imported", name, shown, target.name)


def _word(item: ast.Item) -> str:
    if isinstance(item, (ast.FuncDecl, ast.TypeDecl, ast.TraitDecl, ast.Let)) and item.visibility:
        return item.visibility.word
    return ""


def _collect(module: ModuleInfo, item: ast.Item, shows_all: bool, listed: set[str], sink: Sink) -> None:
    if isinstance(item, ast.InitBlock):
        if module.init is not None:
            place = Span(module.file, item.span.start, item.span.start + 4)
            also = [(Span(module.file, module.init.span.start, module.init.span.start + 4), "first declared here")]
            sink.report(codes.S3015, "name", place, also=also, name="INIT")
        else:
            module.init = item
        return
    kind = _kind(item)
    if kind and isinstance(item, (ast.FuncDecl, ast.TypeDecl, ast.TraitDecl, ast.Let)):
        word = _word(item)
        exported = (
            word in _SHOWING or word == "INTERNAL" or (word != "PRIVATE" and (shows_all or item.name.text in listed))
        )
        _declare(module, DeclEntry(item.name, kind, item, exported))
        if isinstance(item, ast.TypeDecl):
            _collect_variants(module, item, exported)
    if not isinstance(item, _NOT_STARTUP):
        module.startup.append(item)


_NOT_STARTUP = (
    ast.FuncDecl, ast.TypeDecl, ast.TypeUse, ast.TraitDecl, ast.ImplDecl, ast.Import, ast.Export,
    ast.InitBlock, ast.ErrorDecl,
)  # fmt: skip


def _kind(item: ast.Item) -> str:
    if isinstance(item, ast.FuncDecl):
        return "func"
    if isinstance(item, ast.TypeDecl):
        return "type"
    if isinstance(item, ast.TraitDecl):
        return "trait"
    return "var" if isinstance(item, ast.Let) else ""


def _collect_variants(module: ModuleInfo, item: ast.TypeDecl, exported: bool) -> None:
    if isinstance(item.body, ast.UnionBody):
        for variant in item.body.variants:
            _declare(module, DeclEntry(variant.name, "variant", variant, exported, item))
    elif isinstance(item.body, ast.EnumBody):
        for member in item.body.members:
            _declare(module, DeclEntry(member, "variant", member, exported, item))


def _declare(module: ModuleInfo, entry: DeclEntry) -> None:
    module.declarations.setdefault(entry.name.text, []).append(entry)


def _report_hidden(sink: Sink, name: ast.Name, entry: DeclEntry, target: ModuleInfo) -> None:
    also = [(entry.name.span, "declared here")] if entry.name.span.file is name.span.file else []
    helps = [f"mark it with EXPORT in the module `{target.name}` to show it to others"]
    sink.report(codes.S3012, "private", name.span, also=also, helps=helps, name=name.text, module=target.name)


def _report_unknown(sink: Sink, wording: str, name: ast.Name, known: list[str], module: str, kind: str = "") -> None:
    fix = spelling_fix(name.text, ranked(name.text, known), name.span)
    helps = [f"did you mean `{fix.edits[0].text}`?"] if fix else []
    fixes = [fix] if fix else []
    sink.report(codes.S3001, wording, name.span, helps=helps, fixes=fixes, name=name.text, module=module, kind=kind)
