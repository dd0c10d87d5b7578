"""Where a result goes: its name when none is given, and writing it whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence

from nxdc.problem import Problem, from_os_error


def default_name(paths: tuple[str, ...], ending: str = "") -> str:
    """The name of the result in the current folder: after the (first) source file, or after the folder."""
    first = paths[0]
    if os.path.isdir(first):
        stem = os.path.basename(os.path.realpath(first))
    else:
        stem = os.path.splitext(os.path.basename(first))[0]
    if not stem or stem.startswith("."):
        stem = "program"
    name = stem + ending
    if os.path.isdir(name) and os.path.isdir(first):  # `nxdc build app` beside the folder `app`: put it inside
        name = os.path.join(name, stem + ending)
    return name


def _check_name(output: str) -> None:
    if not output:
        raise Problem("the name of the output is empty")


def check_target(output: str, sources: tuple[str, ...], *, named: bool) -> None:
    """Refuse what a build must not overwrite: folders, sources, and (for a name nobody gave) what is no program."""
    _check_name(output)
    if os.path.isdir(output):
        raise Problem(f"the output `{output}` is a folder", "name the output with -o")
    if not os.path.exists(output):
        parent = os.path.dirname(output)
        if parent and not os.path.isdir(parent):
            raise Problem(f"the folder of the output `{output}` does not exist")
        return
    for source in sources:
        if os.path.exists(source) and os.path.samefile(source, output):
            raise Problem(f"the output would overwrite the source `{source}`", "name the output with -o")
    if not named and not os.access(output, os.X_OK):
        raise Problem(f"`{output}` exists and is no program: it is not overwritten", "name the output with -o")


def write_result(output: str, data: bytes, *, executable: bool) -> None:
    """Write a file whole or not at all; devices and pipes are written in place."""
    _check_name(output)
    mode = 0o777 if executable else 0o666
    target = os.path.realpath(output)
    try:
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            with open(target, "wb") as handle:
                handle.write(data)
            return
        if os.path.exists(target) and not os.access(target, os.W_OK):
            raise Problem(f"cannot write `{output}`: permission denied")
        _write_and_rename(target, data, mode)
    except OSError as error:
        problem = from_os_error(error, "write")
        reason = problem.message.rpartition(": ")[2]
        raise Problem(f"cannot write `{output}`: {reason}") from None


def rewrite_sources(changes: Sequence[tuple[str, bytes, bytes]]) -> None:
    """Give files (path, bytes before, bytes after) new contents, each whole or not at all; their modes stay.

    Nothing is written when one of them cannot be, or has been changed by somebody else meanwhile.
    """
    for path, before, _ in changes:
        try:
            with open(path, "rb") as handle:
                same = handle.read() == before
        except OSError as error:
            raise from_os_error(error, "read") from None
        if not same:
            raise Problem(f"`{path}` has changed meanwhile; nothing is written")
        if not os.access(path, os.W_OK):
            raise Problem(f"cannot write `{path}`: permission denied")
    for path, _, after in changes:
        target = os.path.realpath(path)
        try:
            _write_and_rename(target, after, 0o600, keep=stat.S_IMODE(os.stat(target).st_mode))
        except OSError as error:
            raise from_os_error(error, "write") from None


def _write_and_rename(target: str, data: bytes, mode: int, keep: int | None = None) -> None:
    """Write beside the target and put it in its place; `keep` is the exact mode that it shall have."""
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name[:100]}.{os.getpid()}.tmp")
    done = False
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)  # the umask applies, as with cc
        with open(descriptor, "wb") as handle:
            handle.write(data)
        if keep is not None:
            os.chmod(temporary, keep)
        os.replace(temporary, target)
        done = True
    finally:
        if not done:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
