"""Warnings, `W2xxx`."""

from __future__ import annotations

from nxdc.diagnostics.codes.registry import code
from nxdc.diagnostics.model import WARNING

W2001 = code(
    "W2001",
    "unused-variable",
    WARNING,
    local="the variable `{name}` is never used",
    pattern="`{name}` is bound here but never used",
)
W2002 = code(
    "W2002",
    "unreachable-code",
    WARNING,
    code="this code can never run",
    case="this case can never be reached",
    catch="this `CATCH` can never be reached",
    range="this loop never runs: {start} is above {end}",
)
W2003 = code(
    "W2003",
    "shadowing",
    WARNING,
    retyped="`{name}` is bound again with another type",
)
W2004 = code(
    "W2004",
    "symbol-operator",
    WARNING,
    slashes="`//` starts a comment: nothing is divided here",
    symbol="the operator `{symbol}` is written `{word}` in NXD",
)
W2005 = code(
    "W2005",
    "variant-look-alike",
    WARNING,
    pattern="`{name}` binds a new name; the variant is called `{variant}`",
)
W2006 = code(
    "W2006",
    "result-ignored",
    WARNING,
    value="the value of this expression is not used",
    result="the RESULT of this call is not looked at, so an error in it goes unnoticed",
)
W2007 = code(
    "W2007",
    "main-called",
    WARNING,
    call="MAIN starts by itself after this call has returned: it runs twice",
)
W2008 = code(
    "W2008",
    "nothing-runs",
    WARNING,
    main="the program does nothing: it has no MAIN and no statement outside functions",
)
