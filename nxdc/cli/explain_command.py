"""`nxdc explain CODE`: the page of a diagnostic or run-time error."""

from __future__ import annotations

import os

import click

from nxdc.problem import Problem


@click.command(short_help="explain a diagnostic or an error code")
@click.argument("code", metavar="CODE")
def command(code: str) -> int:
    """Explain a diagnostic or an error code: `nxdc explain S3002`, `NXD-P1012`, `E1003`."""
    from nxdc.diagnostics import codes

    number = _normal(code)
    known = codes.REGISTRY
    entry = known.get(number) or known.get(number.partition("-")[0])
    if entry is None:
        entry = next((c for c in known.values() if c.name == code.strip().lower()), None)
    if entry is None:
        raise Problem(f"there is no code `{code}`", _nearest(number, list(known)))
    click.echo(_page(entry.number) or _short(entry))
    return 0


def _normal(code: str) -> str:
    number = code.strip().strip("[]`:").upper().replace("_", "-")
    return number[4:] if number.startswith("NXD-") else number


def _nearest(number: str, known: list[str]) -> str | None:
    import difflib

    near = difflib.get_close_matches(number, known, 3, 0.6) or [c for c in known if c[1:] == number[-4:]]
    if not near:
        return "codes look like P1012, S3002, W2001 or E1003; a message shows its code in brackets"
    return "did you mean " + " or ".join(f"`{c}`" for c in sorted(near)) + "?"


def _page(number: str) -> str | None:
    from nxdc import diagnostics

    path = os.path.join(os.path.dirname(diagnostics.__file__), "explain", f"{number}.md")
    try:
        with open(path, encoding="utf-8") as handle:
            return handle.read().rstrip("\n")
    except FileNotFoundError:
        return None


def _short(entry: object) -> str:
    """For a code without a page: its name and what it says."""
    number, name = getattr(entry, "shown", ""), getattr(entry, "name", "")
    wordings = list(getattr(entry, "wordings", {}).values())
    return "\n".join([f"{number}: {name.replace('-', ' ')}", "", *(f"  {text}" for text in wordings)])
