"""Names that other languages have, and what NXD has for them: hints for names that are not known."""

from __future__ import annotations

from typing import Any

from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
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

_VALUES = {"TRUE": "true", "FALSE": "false", "NULL": "NONE", "NIL": "NONE"}

# Words that begin a statement or an expression of their own, with the way they are written.
_WORDS = {
    "SEND": "SEND VALUE TO CHANNEL", "THROW": "THROW VALUE", "RAISE": "RAISE E7001 \"detail\"",
    "SPAWN": "SPAWN F(X)", "AWAIT": "AWAIT TASK", "RECV": "RECV CHANNEL", "CLOSE": "CLOSE CHANNEL",
}  # fmt: skip


def function_hint(name: str, span: Span) -> dict[str, Any]:
    """Help and fix for the name of a function that another language has; empty for any other name."""
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


def value_hint(name: str, span: Span) -> dict[str, Any]:
    """Help and fix for `TRUE`, `NULL`, a bare `THROW` and the like; empty for any other name."""
    if name == "PASS":
        helps = ["a statement that does nothing is `NONE`"]
        return {"helps": helps, "fixes": [Fix("write `NONE`", (Edit(span, "NONE"),), LIKELY)]}
    if name in _WORDS:
        return {"helps": [f"write `{_WORDS[name]}`"]}
    want = _VALUES.get(name)
    if want is None:
        return {}
    return {"helps": [f"in NXD it is `{want}`"], "fixes": [Fix(f"write `{want}`", (Edit(span, want),), SAFE)]}


def field_hint(name: str) -> str | None:
    """What to write for a field that lists, maps and strings have elsewhere: `L.LENGTH`."""
    want = _FUNCTIONS.get(name)
    return f"in NXD it is a function: `{want}(...)`" if want else None
