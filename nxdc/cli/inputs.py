"""The files of a command line, looked at before any work: a wrong name is the commonest mistake."""

from __future__ import annotations

import os

from nxdc.problem import Problem
from nxdc.source.roots import ENDINGS

HERE = (".",)


def inputs_or_here(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The files and folders of a command line, checked; the current folder where it names none."""
    check_inputs(paths)
    return paths or HERE


def check_inputs(paths: tuple[str, ...]) -> None:
    """A Problem for the first path that is no file or folder that can be read."""
    for path in paths:
        if not path:
            raise Problem("a file name is empty")
        if not os.path.exists(path):
            raise Problem(f"there is no file `{path}`", _near(path))
        if not os.access(path, os.R_OK):
            raise Problem(f"cannot read `{path}`: permission denied")


def _near(path: str) -> str | None:
    """The file that was meant, as far as that can be guessed."""
    if os.path.islink(path):
        return f"it is a link to `{os.readlink(path)}`, which does not lead to a file"
    for ending in ENDINGS:
        if os.path.isfile(path + ending):
            return f"did you mean `{path + ending}`?"
    import difflib

    folder, name = os.path.split(path)
    if folder and not os.path.isdir(folder):
        return f"there is no folder `{folder}` either"
    try:
        names = [entry.name for entry in os.scandir(folder or ".") if entry.name.endswith(ENDINGS) or entry.is_dir()]
    except OSError:
        return None
    near = difflib.get_close_matches(name, sorted(names), 1, 0.7)
    return f"did you mean `{os.path.join(folder, near[0])}`?" if near else None
