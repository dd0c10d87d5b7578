"""Dynamic trait objects: `BOX<TRAIT>(X)` and calls of their methods."""

from __future__ import annotations

from nxdc.check import core
from nxdc.check.exprs import error_expr
from nxdc.check.function import Fn
from nxdc.check.overloads import CallSite
from nxdc.diagnostics import codes
from nxdc.types import model


def check_box(f: Fn, site: CallSite) -> core.Expr:
    """`BOX<SERIALIZABLE>(U)`."""
    f.error(codes.S3019, "feature", site.span, feature="a trait object (`BOX`)")
    return error_expr(site.span)


def call_box(f: Fn, obj: core.Expr, type_: model.BoxType, site: CallSite) -> core.Expr:
    """`B.TO_STRING()`."""
    f.error(codes.S3019, "feature", site.span, feature="a call of a trait object (`BOX`)")
    return error_expr(site.span)
