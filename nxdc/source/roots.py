"""Source files on disk: what a folder given on the command line holds, and where an imported module is looked for."""

from __future__ import annotations

import contextlib
import os
import stat

from nxdc.problem import Problem
from nxdc.source.literate import DOCUMENT_ENDINGS, has_program

SOURCE_ENDING = ".nxd"
ENDINGS = (SOURCE_ENDING, *DOCUMENT_ENDINGS)


def sources_in(folder: str) -> list[str]:
    """All NXD files in a folder and its folders, in a fixed order; a Problem when there is none.

    Hidden folders are left out, and so are documents: those in a folder are mostly manuals, whose blocks are examples
    and no part of the program.
    """
    found = _files_below(folder, (SOURCE_ENDING,))
    if not found:
        where = "the current folder" if folder == os.curdir else f"`{folder}`"
        documents = [path for path in _files_below(folder, DOCUMENT_ENDINGS) if _has_program(path)]
        hint = f"a document is named itself: `{os.path.normpath(documents[0])}`" if documents else None
        raise Problem(f"there is no .nxd file in {where}", hint)
    return found


def _files_below(folder: str, endings: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        paths = [os.path.join(base, name) for name in sorted(names) if name.endswith(endings)]
        found += [path for path in paths if not _is_pipe(path)]
    return found


def _is_pipe(path: str) -> bool:
    """Whether a name is that of a pipe, at which reading would wait for a writer that may never come. (A name that
    leads nowhere is no pipe: it is reported when it is read.)"""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:
        return False


def _has_program(path: str) -> bool:
    with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as handle:
        return has_program(handle.read())
    return False


def module_name_of(path: str, root: str) -> str:
    """The name of a module that has no MODULE line: its file's, with the folders between root and file."""
    relative = os.path.relpath(path, root or os.curdir)
    if relative.startswith(".."):
        relative = os.path.basename(path)
    stem = os.path.splitext(relative)[0]
    return stem.replace(os.sep, ".")


def find_module(name: str, roots: list[str]) -> tuple[str, str] | None:
    """The file of module `a.b` and its root: `a/b.nxd` below the first root that has it, else a document of that name
    with a program in it, `a/b.md`."""
    relative = os.path.join(*name.split("."))
    for ending in ENDINGS:
        for root in roots:
            path = os.path.join(root, relative + ending)
            if os.path.isfile(path) and (ending == SOURCE_ENDING or _has_program(path)):
                return os.path.normpath(path), root
    return None
