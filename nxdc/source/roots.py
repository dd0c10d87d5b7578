"""Source files on disk: what a folder given on the command line holds, and where an imported module is looked for."""

from __future__ import annotations

import os

SOURCE_ENDING = ".nxd"


def files_below(folder: str) -> list[str]:
    """All NXD files in a folder and its folders, in a fixed order; hidden folders are left out."""
    found: list[str] = []
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        found += [os.path.join(base, name) for name in sorted(names) if name.endswith(SOURCE_ENDING)]
    return found


def module_name_of(path: str, root: str) -> str:
    """The name of a module that has no MODULE line: its file's, with the folders between root and file."""
    relative = os.path.relpath(path, root or os.curdir)
    if relative.startswith(".."):
        relative = os.path.basename(path)
    stem = os.path.splitext(relative)[0]
    return stem.replace(os.sep, ".")


def find_module(name: str, roots: list[str]) -> str | None:
    """The file of module `a.b`: `a/b.nxd` below the first root that has it."""
    relative = os.path.join(*name.split(".")) + SOURCE_ENDING
    for root in roots:
        path = os.path.join(root, relative)
        if os.path.isfile(path):
            return os.path.normpath(path)
    return None
