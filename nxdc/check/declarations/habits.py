"""Names that other languages have, and what NXD has for them: hints for names that are not known."""

from __future__ import annotations

import re
from typing import Any

from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.diagnostics.near import ranked, spelling_fix
from nxdc.source.span import Span

# Functions and methods, with the function of the prelude that does the same.
_FUNCTIONS = {
    "APPEND": "PUSH", "PUSH_BACK": "PUSH", "LENGTH": "LEN", "SIZE": "LEN", "COUNT": "LEN", "STR": "TO_STRING",
    "TOSTRING": "TO_STRING", "TO_STR": "TO_STRING", "PARSEINT": "PARSE_INT", "PARSEFLOAT": "PARSE_FLOAT",
    "ATOI": "TO_INT", "INT": "TO_INT", "FLOAT": "TO_FLOAT", "INPUT": "READ_LINE", "READLINE": "READ_LINE",
    "GETS": "READ_LINE", "GETENV": "ENV", "PRINTF": "PRINT", "PUTS": "PRINTLN", "ECHO": "PRINTLN",
    "TOUPPER": "UPPER", "TO_UPPER": "UPPER", "UPPERCASE": "UPPER", "TOLOWER": "LOWER", "TO_LOWER": "LOWER",
    "LOWERCASE": "LOWER", "STRIP": "TRIM", "SUBSTRING": "SUBSTR", "INDEXOF": "INDEX_OF", "FIND": "INDEX_OF",
    "CHARAT": "CHAR_AT", "STARTSWITH": "STARTS_WITH", "ENDSWITH": "ENDS_WITH", "INCLUDES": "CONTAINS",
    "CONTAINS_KEY": "HAS", "HAS_KEY": "HAS", "CONTAINSKEY": "HAS", "DELETE": "REMOVE", "ERASE": "REMOVE",
    "DEL": "REMOVE", "FOLD": "REDUCE", "FOREACH": "MAP", "SORTED": "SORT", "REVERSED": "REVERSE", "FIRST": "HEAD",
    "FLATTEN": "CONCAT", "UNWRAP_OR_ELSE": "UNWRAP_OR", "SLICEOF": "SLICE", "RAND": "RANDOM", "RANDINT": "RANDOM",
    "TIME": "NOW",
}  # fmt: skip

# Calls with type arguments, from their name on.
_EMPTY = re.compile(r"(?:LIST|MAP)<[^()\n]*>(\s*\(\))")
_CAPACITY = re.compile(r"(?:MAKE_)?CHANNEL<[^()\n]*>\(\s*()(?!CAPACITY|UNBOUNDED|\))")
_LOOPS = {
    "ENUMERATE": "places are counted: `LOOP I FROM 0 TO LEN(L) SUB 1:`, with `L[I]` for the element",
    "ITEMS": "keys and values are looped over by `LOOP K, V IN M:`",
    "ENTRIES": "keys and values are looped over by `LOOP K, V IN M:`",
}

# Statements of one word, and what may stand before and behind them in their line.
_LONE_WORDS = ("BREAK", "CONTINUE", "RETURN")
_LONE_BEFORE = re.compile(r"(?:.*:)?\s*")
_LONE_BEHIND = re.compile(r"\s*(?:#|//|$)")

_VALUES = {"TRUE": "true", "FALSE": "false", "NULL": "NONE", "NIL": "NONE"}

# Words that begin a statement or an expression of their own, with the way they are written.
_WORDS = {
    "SEND": "SEND VALUE TO CHANNEL", "THROW": "THROW VALUE", "RAISE": "RAISE E7001 \"detail\"",
    "SPAWN": "SPAWN F(X)", "AWAIT": "AWAIT TASK", "RECV": "RECV CHANNEL", "CLOSE": "CLOSE CHANNEL",
}  # fmt: skip


def function_hint(name: str, span: Span) -> dict[str, Any]:
    """Help and fix for the name of a function that another language has; empty for any other name."""
    if name in _LOOPS:
        return {"helps": [_LOOPS[name]]}
    if name in ("LIST", "CHANNEL", "MAKE_CHANNEL"):
        hint = generic_hint(span)
        if hint or name == "LIST":
            return hint or {"helps": ["a list is written `[1, 2]`, an empty one `LIST<int> []`"]}
    if name in ("CHANNEL", "MAKE_CHANNEL"):
        return {"helps": [f"say what the channel carries: `{name}<int>()`"]}
    if name == "BOX":
        return {"helps": ["say for which trait: `BOX<TRAIT>(X)`"]}
    if name in _WORDS:
        return {"helps": [f"`{name}` is no function: write `{_WORDS[name]}`"]}
    want = _FUNCTIONS.get(name)
    if want is None:
        return {}
    return {"helps": [f"in NXD it is `{want}`"], "fixes": [Fix(f"write `{want}`", (Edit(span, want),), LIKELY)]}


def generic_hint(span: Span) -> dict[str, Any]:
    """Help and fix for `MAP<K, V>()`, `LIST<T>()` and `CHANNEL<T>(4)`, with the name at `span`; empty for others."""
    text = span.file.text
    empty, capacity = _EMPTY.match(text, span.start), _CAPACITY.match(text, span.start)
    if empty is not None:
        brackets = "{}" if span.text == "MAP" else "[]"
        place = Span(span.file, empty.start(1), empty.end(1))
        fix = Fix(f"write `{brackets}`", (Edit(place, " " + brackets),), SAFE)
        want = text[span.start : empty.start(1)]
        return {"helps": [f"an empty one is written `{want} {brackets}`"], "fixes": [fix]}
    if capacity is not None:
        place = Span(span.file, capacity.start(1), capacity.start(1))
        fix = Fix("write `CAPACITY` before it", (Edit(place, "CAPACITY "),), SAFE)
        return {"helps": ["how much a channel holds is written `CHANNEL<int>(CAPACITY 4)`"], "fixes": [fix]}
    return {}


def count_hint(name: str, name_span: Span, args: list[Span]) -> dict[str, Any]:
    """Help and fix for a function of the prelude that takes other arguments elsewhere; empty for any other."""
    if name in ("PRINT", "PRINTLN", "EPRINTLN") and len(args) > 1:
        return {"helps": ['join the values with `ADD`: `"X is " ADD X`']}
    if name == "RANGE" and len(args) == 1:
        fix = Fix("start at 0", (Edit(args[0].at_start(), "0, "),), SAFE if args[0].start > name_span.end else LIKELY)
        return {"helps": ["a range has both ends: `RANGE(0, N)`"], "fixes": [fix] if fix.grade == SAFE else []}
    if name == "RANGE" and len(args) == 3:
        return {"helps": ["steps are made by `LOOP I FROM 0 TO 9 STEP 2:` (both ends are included)"]}
    if name == "ROUND" and len(args) == 2:
        return {"helps": ["two digits are kept by `ROUND(X MUL 100.0) AS float DIV 100.0`"]}
    return generic_hint(name_span) if name == "MAP" and not args else {}


def value_hint(name: str, span: Span) -> dict[str, Any]:
    """Help and fix for `TRUE`, `NULL`, a bare `THROW` and the like; empty for any other name."""
    if name == "PASS":
        helps = ["a statement that does nothing is `NONE`"]
        return {"helps": helps, "fixes": [Fix("write `NONE`", (Edit(span, "NONE"),), LIKELY)]}
    if name in _WORDS:
        return {"helps": [f"write `{_WORDS[name]}`"]}
    want = _VALUES.get(name)
    if want is None:
        return _lone_hint(name, span)
    return {"helps": [f"in NXD it is `{want}`"], "fixes": [Fix(f"write `{want}`", (Edit(span, want),), SAFE)]}


def _lone_hint(name: str, span: Span) -> dict[str, Any]:
    """Help and fix for a misspelt `BREAK` or `CONTINUE`, which stands alone in its line; empty for any other name."""
    text = span.file.text
    line_start = text.rfind("\n", 0, span.start) + 1
    line_end = text.find("\n", span.end)
    behind = text[span.end : line_end if line_end >= 0 else len(text)]
    if not _LONE_BEFORE.fullmatch(text[line_start : span.start]) or not _LONE_BEHIND.match(behind):
        return {}
    scored = ranked(name, _LONE_WORDS)
    fix = spelling_fix(name, scored, span) if scored else None
    return {"helps": [f"did you mean `{scored[0][1]}`?"], "fixes": [fix]} if fix else {}


def field_hint(name: str) -> str | None:
    """What to write for a field that lists, maps and strings have elsewhere: `L.LENGTH`."""
    want = _FUNCTIONS.get(name)
    return f"in NXD it is a function: `{want}(...)`" if want else None
