"""The registry of all codes. Use: `from nxdc.diagnostics import codes`, then `codes.S3002`.

Numbers never change and are never used again for something else. Wordings are templates; their placeholders are the
arguments that the call site gives. A wording is one sentence without a full stop and says what is wrong.
"""

from __future__ import annotations

from nxdc.diagnostics.codes.e import *  # noqa: F403
from nxdc.diagnostics.codes.p import *  # noqa: F403
from nxdc.diagnostics.codes.registry import REGISTRY, find
from nxdc.diagnostics.codes.s import *  # noqa: F403
from nxdc.diagnostics.codes.w import *  # noqa: F403

__all__ = ["REGISTRY", "find"]
