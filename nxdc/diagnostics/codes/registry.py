"""Making and finding codes; the groups `p`, `s`, `w` and `e` register theirs when they are imported."""

from __future__ import annotations

from nxdc.diagnostics.model import Code, Severity

REGISTRY: dict[str, Code] = {}


def code(number: str, name: str, severity: Severity, /, parts: tuple[str, ...] = (), **wordings: str) -> Code:
    """Register a code. `parts`: wordings with numbers of their own; only append to it."""
    if number in REGISTRY:
        raise AssertionError(f"code {number} is registered twice")
    made = Code(number, name, severity, wordings, parts)
    REGISTRY[number] = made
    return made


def find(text: str) -> Code | None:
    """The code a user names as `S3002`, `NXD-S3002`, `s3002`; None when there is none."""
    bare = text.strip().upper()
    return REGISTRY.get((bare[4:] if bare.startswith("NXD-") else bare).partition("-")[0])
