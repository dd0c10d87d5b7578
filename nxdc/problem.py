"""What goes wrong outside the user's program and outside the compiler: misuse, files, disks, missing tools.

A `Problem` is one sentence for the user. It is raised anywhere and shown once, in `cli`, which then exits 2.
Mistakes in a program are diagnostics, never a Problem; mistakes of the compiler are any other exception.
"""

from __future__ import annotations

import os


class Problem(Exception):
    """`message` says what is wrong in one line; `hint` what to do about it, where that is known."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def in_one_line(text: str) -> str:
    """A text as a terminal may show it: names of files can have line breaks and control characters in them."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def from_os_error(error: OSError, action: str) -> Problem:
    """A Problem for a failed system call: `action` is "write", "read" ..., the path is taken from the error."""
    name = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else None
    reason = (error.strerror or str(error)).lower()
    return Problem(f"cannot {action} {f'`{name}`' if name else 'the output'}: {reason}")


def not_installed(package: str) -> Problem:
    """A Problem for a Python package that nxdc needs and that is not there."""
    import sys

    hint = f"install it: `{sys.executable} -m pip install {package}`"
    return Problem(f"the Python package `{package}`, which nxdc needs, is not installed", hint)


class CompilerBug(Exception):
    """A mistake of the compiler, found by itself: `stage` noticed it, `where` is the function or file it was at,
    `output` is what only developers want to see."""

    def __init__(self, stage: str, message: str, where: str = "", output: str = "") -> None:
        super().__init__(f"{stage}: {where}: {message}" if where else f"{stage}: {message}")
        self.stage = stage
        self.where = where
        self.output = output
