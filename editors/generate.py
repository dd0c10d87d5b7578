"""Write the files of `editors/` that hold words of the language, from the compiler's tables. `make gen` runs it; a test
fails when a file is not current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from nxdc.syntax import keywords as kw  # noqa: E402 (behind the change of the path)
from nxdc.tables.operators import CANONICAL, CHARACTER_CLASSES, PREFIX_BY_WORD  # noqa: E402
from nxdc.tables.prelude import BY_NAME, UNIONS  # noqa: E402

BUILT_IN_TYPES = ("LIST", "MAP", "CHANNEL", "TASK", "PROCESS", "BOX")


def words() -> dict[str, list[str]]:
    """The words of the language by the way they are shown; each stands in one list."""
    operators = {*CANONICAL, *PREFIX_BY_WORD, "AND", "OR", "NOT"}
    variants = {name for union in UNIONS for name, _ in union.variants}
    groups = {
        "keyword": (kw.SPECIAL | set(kw.CONTINUATION)) - operators - set(kw.PLANNED),
        "planned": set(kw.PLANNED),
        "operator": operators,
        "type": {*kw.TYPE_WORDS, *BUILT_IN_TYPES, *(union.name for union in UNIONS)},
        "constant": {*kw.VALUE_WORDS, *variants, *CHARACTER_CLASSES, *(f"NON_{name}" for name in CHARACTER_CLASSES)},
        "function": set(BY_NAME) | {"MAKE_CHANNEL"},
    }
    seen: set[str] = set()
    found: dict[str, list[str]] = {}
    for kind, group in groups.items():
        found[kind] = sorted(group - seen)
        seen |= group
    return found


def _any_of(names: list[str]) -> str:
    return r"(?<![.\w])(?:" + "|".join(names) + r")\b"


def textmate() -> str:
    """The grammar of VS Code. Words before a bracket are calls, whatever else they can be."""
    group = words()
    escapes = {"name": "constant.character.escape.nxd", "match": r"\\(?:[ntr0\"\\]|u\{[0-9A-Fa-f]+\})"}
    patterns = [
        {"name": "comment.line.nxd", "match": r"(?:#|//).*$"},
        {"name": "string.quoted.double.nxd", "begin": '"', "end": '"|$', "patterns": [escapes]},
        {
            "match": r"\b(FUNC)\s+([A-Z][A-Z0-9_]*)",
            "captures": {"1": {"name": "keyword.nxd"}, "2": {"name": "entity.name.function.nxd"}},
        },
        {
            "match": r"\b(TYPE|TRAIT)\s+([A-Z][A-Z0-9_]*)",
            "captures": {"1": {"name": "keyword.nxd"}, "2": {"name": "entity.name.type.nxd"}},
        },
        {
            "match": r"\b(MODULE|IMPORT)\s+([A-Za-z][\w.]*)",
            "captures": {"1": {"name": "keyword.nxd"}, "2": {"name": "entity.name.namespace.nxd"}},
        },
        {
            "name": "constant.numeric.nxd",
            "match": r"\b(?:0x[0-9A-Fa-f]+|0b[01]+|0o[0-7]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b",
        },
        {"name": "constant.other.error-code.nxd", "match": r"\bE\d{4}\b"},
        {"name": "support.function.nxd", "match": _any_of(group["function"]) + r"(?=\()"},
        {"name": "entity.name.function.call.nxd", "match": r"\b(?!(?:AND|OR|NOT|IN|RETURN|IF)\b)[A-Z][A-Z0-9_]*(?=\()"},
        {"name": "variable.other.property.nxd", "match": r"(?<=\.)[A-Za-z]\w*"},
        {"name": "storage.type.function.nxd", "match": r"\bfn\b|=>"},
        {"name": "keyword.control.nxd", "match": _any_of(group["keyword"])},
        {"name": "keyword.operator.word.nxd", "match": _any_of(group["operator"])},
        {"name": "support.type.nxd", "match": _any_of(group["type"])},
        {"name": "constant.language.nxd", "match": _any_of(group["constant"])},
        {"name": "invalid.deprecated.nxd", "match": _any_of(group["planned"]) + r"(?=\s+[A-Z])"},
    ]
    grammar = {"name": "NXD", "scopeName": "source.nxd", "fileTypes": ["nxd"], "patterns": patterns}
    return json.dumps(grammar, indent=2) + "\n"


def vim() -> str:
    """The syntax file of Vim."""
    group = words()
    lines = [
        '" Vim syntax file of NXD. Written by editors/generate.py: do not edit.',
        'if exists("b:current_syntax")',
        "  finish",
        "endif",
        "syn case match",
        "syn iskeyword @,48-57,_",
    ]
    names = {"keyword": "nxdKeyword", "operator": "nxdOperator", "type": "nxdType", "constant": "nxdConstant",
             "function": "nxdFunction"}  # fmt: skip
    for kind, name in names.items():
        for start in range(0, len(group[kind]), 12):
            lines.append(f"syn keyword {name} " + " ".join(group[kind][start : start + 12]))
    lines += [
        "syn keyword nxdKeyword fn",
        r"syn match nxdField /\.\@<=\h\w*/",
        r"syn match nxdErrorCode /\<E\d\{4}\>/",
        r"syn match nxdNumber /\<\(0x\x\+\|0b[01]\+\|0o\o\+\|\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?\)\>/",
        r"syn match nxdEscape /\\\([ntr0\"\\]\|u{\x\+}\)/ contained",
        r'syn region nxdString start=/"/ skip=/\\./ end=/"/ oneline contains=nxdEscape',
        "syn keyword nxdTodo TODO FIXME contained",
        r"syn match nxdComment /\(#\|\/\/\).*$/ contains=nxdTodo",
    ]
    links = {"Keyword": "Statement", "Operator": "Operator", "Type": "Type", "Constant": "Constant",
             "Function": "Function", "ErrorCode": "Constant", "Number": "Number", "Escape": "SpecialChar",
             "String": "String", "Todo": "Todo", "Comment": "Comment"}  # fmt: skip
    lines += [f"hi def link nxd{name} {target}" for name, target in links.items()]
    lines.append('let b:current_syntax = "nxd"')
    return "\n".join(lines) + "\n"


def files() -> dict[Path, str]:
    """The generated files and what stands in them."""
    return {
        FOLDER / "vscode" / "syntaxes" / "nxd.tmLanguage.json": textmate(),
        FOLDER / "vim" / "syntax" / "nxd.vim": vim(),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
