"""What may have been meant: near names, and names in modules that are not imported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from nxdc.check.declarations.symbols import (
    FuncSymbol,
    ModuleScope,
    PreludeSymbol,
    Symbol,
    TypeSymbol,
    VariantSymbol,
    VarSymbol,
)  # fmt: skip
from nxdc.diagnostics import codes
from nxdc.diagnostics.model import Edit, Fix
from nxdc.diagnostics.near import equally_near, ranked, spelling_fix
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import ast

if TYPE_CHECKING:
    from nxdc.check.checker import Checker


def suggest(name: str, known: Iterable[str], span: Span) -> dict[str, Any]:
    """Help and fix for a misspelt name, as keyword arguments of a report; empty without a near name."""
    scored = ranked(name, known)
    fix = spelling_fix(name, scored, span) if len(name) > 1 else None
    if fix is None:
        near = equally_near(name, scored)
        return {"helps": ["did you mean " + " or ".join(f"`{n}`" for n in near) + "?"]} if near else {}
    return {"helps": [f"did you mean `{fix.edits[0].text}`?"], "fixes": [fix]}


def visible_types(scope: ModuleScope) -> list[str]:
    """Names of the declared types that can be written in a module."""
    found = list(scope.own_types)
    for module, alias, selected in scope.imports:
        if alias is None:
            found += [n for n in module.own_types if n not in module.hidden and (not selected or n in selected)]
    return found


def visible_values(scope: ModuleScope) -> list[str]:
    """Names of functions, variables, variants and prelude functions that can be written in a module."""
    from nxdc.tables.prelude import BY_NAME

    found = list(scope.own)
    for module, alias, selected in scope.imports:
        if alias is None:
            found += [n for n in module.own if n not in module.hidden and (not selected or n in selected)]
    found += [n for n, rows in BY_NAME.items() if not rows[0].hidden]
    return [*found, "SOME", "NONE", "OK", "ERR"]


def kind_of(symbol: Symbol) -> str:
    """What a symbol is, in the user's words."""
    if isinstance(symbol, (FuncSymbol, PreludeSymbol)):
        return "function"
    if isinstance(symbol, TypeSymbol):
        return "trait" if symbol.decl is not None and symbol.decl.kind == "trait" else "type"
    if isinstance(symbol, VarSymbol):
        return "constant" if symbol.is_const else "variable"
    return "member" if symbol.is_enum else "variant"


def report_missing_import(
    checker: Checker, scope: ModuleScope, path: Sequence[ast.Name], span: Span, *, want_type: bool = False
) -> bool:
    """Reports a name that a module has which is not imported, or such a module; False when there is none.
    `want_type`: only the name of a type will do."""
    name = path[-1].text
    if len(path) > 1:
        return _report_path(checker, scope, path, span)
    if _report_imported(checker, scope, name, span, want_type):
        return True
    others = [s for s in checker.scopes.values() if s is not scope and _fits(s.sees(name), want_type)]
    if not others:
        return _report_unread(checker, scope, name, span, want_type)
    _report_elsewhere(checker, scope, name, span, [s.name for s in others], _declared(others[0].own[name][0]))
    return True


def _report_path(checker: Checker, scope: ModuleScope, path: Sequence[ast.Name], span: Span) -> bool:
    """Reports `a.b.NAME`, which means nothing here; False when there is no module `a.b`."""
    module = ".".join(part.text for part in path[:-1])
    known = scope.module(module)
    if known is not None:
        _report_member(checker, known, scope, path[-1].text, module, span)
        return True
    if module not in checker.scopes and not checker.unread.has(module):
        return False
    place = path[0].span.to(path[-2].span)
    checker.report(codes.S3014, "not_imported", place, module=module, fixes=import_fix(scope, module))
    return True


def _report_imported(checker: Checker, scope: ModuleScope, name: str, span: Span, want_type: bool) -> bool:
    """Reports a name of an imported module that cannot be written bare here; False when there is none."""
    for imported, alias, _ in scope.imports:
        if imported is not scope and name in imported.hidden and _fits(imported.own[name], want_type):
            where = imported.own[name][0]
            checker.report(codes.S3012, "private", span, name=name, module=imported.name, also=_declared(where))
            return True
        seen = imported.sees(name)
        if not _fits(seen, want_type):
            continue
        if alias is not None:
            fix = Fix(f"write `{alias}.{name}`", (Edit(span, f"{alias}.{name}"),))
            checker.report(codes.S3012, "hidden", span, name=name, module=imported.name, fixes=[fix])
        else:  # it is not among the names of a selective import
            fixes = _selection_fix(scope, imported, name)
            also = _declared(seen[0])
            checker.report(codes.S3014, "selected", span, name=name, module=imported.name, also=also, fixes=fixes)
        return True
    return False


def _report_unread(checker: Checker, scope: ModuleScope, name: str, span: Span, want_type: bool) -> bool:
    """Reports a name that a file below the source roots shows which nothing imports."""
    found = [f for f in checker.unread.showing(name) if not want_type or f.entry.kind in ("type", "trait")]
    if not found:
        return False
    also = [(found[0].entry.name.span, "declared here")]
    _report_elsewhere(checker, scope, name, span, [f.module for f in found], also)
    return True


def _report_elsewhere(
    checker: Checker, scope: ModuleScope, name: str, span: Span, modules: list[str], also: list[tuple[Span, str]]
) -> None:
    """Reports a name that some modules have, none of them imported."""
    fixes = import_fix(scope, modules[0]) if len(modules) == 1 else []
    helps = [f"add `IMPORT {module}`" for module in modules[:3]] if not fixes else []
    checker.report(codes.S3014, "name", span, name=name, module=modules[0], helps=helps, fixes=fixes, also=also)


def modules_with_variable(checker: Checker, name: str) -> list[str]:
    """The modules that show a variable of a name."""
    scopes = checker.scopes.values()
    return [s.name for s in scopes if any(isinstance(v, VarSymbol) and not v.is_const for v in s.sees(name))]


def several(found: Sequence[Symbol]) -> dict[str, Any]:
    """Places and help for a name that several modules or unions give (S3013), as keyword arguments of a report."""
    variants = [s for s in found if isinstance(s, VariantSymbol)]
    if variants:
        also = [(v.span, f"a variant of `{v.decl.name}`") for v in variants if v.span is not None]
        owner = variants[0].decl.name
        return {"also": also, "helps": [f"write the type before the name, as in `{owner}.{variants[0].name}`"]}
    declared = [s for s in found if isinstance(s, (TypeSymbol, VarSymbol)) and s.scope is not None]
    places = [(symbol_span(s), s.scope.name) for s in declared if s.scope is not None]
    also = [(span, f"declared here in `{module}`") for span, module in places if span is not None]
    return {"also": also, "helps": [f"write the module before the name, as in `{places[0][1]}.{found[0].name}`"]}


def _report_member(checker: Checker, module: ModuleScope, scope: ModuleScope, name: str, path: str, span: Span) -> None:
    if name in module.hidden and module is not scope:
        checker.report(codes.S3012, "private", span, name=name, module=module.name, also=_declared(module.own[name][0]))
        return
    if module.info is not None and module.info.has_errors:
        return
    place = Span(span.file, span.end - len(name), span.end)
    known = [n for n in module.own if n not in module.hidden]
    checker.report(codes.S3001, "member", span, module=path, name=name, **suggest(name, known, place))


def _declared(symbol: Symbol) -> list[tuple[Span, str]]:
    span = symbol_span(symbol)
    return [(span, "declared here")] if span is not None else []


def symbol_span(symbol: Symbol) -> Span | None:
    """Where a symbol is declared; None for the prelude's."""
    if isinstance(symbol, FuncSymbol):
        return symbol.span if symbol.row is None else None
    if isinstance(symbol, VarSymbol):
        return symbol.node.name.span
    return getattr(symbol, "span", None)


def _fits(symbols: list[Symbol], want_type: bool) -> bool:
    return any(isinstance(s, TypeSymbol) for s in symbols) if want_type else bool(symbols)


def import_fix(scope: ModuleScope, module: str) -> list[Fix]:
    """The fix that adds an IMPORT line to a module: below its last one, else below MODULE, else on top."""
    info = scope.info
    if info is None:
        return []
    imports = [item for item in info.node.items if isinstance(item, ast.Import)]
    title = f"add `IMPORT {module}`"
    if imports:
        return [Fix(title, (_line_below(imports[-1].span, f"IMPORT {module}"),))]
    if info.node.path:
        return [Fix(title, (_line_below(info.node.path[-1].span, f"IMPORT {module}"),))]
    code = info.file.code  # of a document: without its prose
    start = len(code) - len(code.lstrip()) if code is not info.file.text else 0
    start -= len(_margin(info.file, start))
    return [Fix(title, (Edit(Span(info.file, start, start), f"{_margin(info.file, start)}IMPORT {module}\n"),))]


def _selection_fix(scope: ModuleScope, module: ModuleScope, name: str) -> list[Fix]:
    """The fix that adds a name to a selective import."""
    entries = scope.info.imports if scope.info is not None else []
    node = next(e.node for e in entries if e.module is module.info and e.names)
    end = node.names[-1].span.end
    return [Fix(f"import `{name}` too", (Edit(Span(node.span.file, end, end), f", {name}"),))]


def _line_below(span: Span, line: str) -> Edit:
    """The edit that puts a line below that of a place, as far in as that one."""
    first, _ = span.file.line_range(span.line)
    _, end = span.file.line_range(span.file.position(max(span.start, span.end - 1))[0])
    return Edit(Span(span.file, end, end), f"\n{_margin(span.file, first)}{line}")


def _margin(file: SourceFile, offset: int) -> str:
    """The blanks at the start of the line of an offset."""
    line = file.line_text(file.position(offset)[0])
    return line[: len(line) - len(line.lstrip())]
