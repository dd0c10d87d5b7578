"""The door of this package, and the order of the passes."""

from __future__ import annotations

from nxdc.mir.ops import Program
from nxdc.opt.borrows import Keeps, infer_borrows
from nxdc.opt.globals import localise_globals
from nxdc.opt.ownership import insert_ownership
from nxdc.opt.sharing import analyse_sharing
from nxdc.opt.simplify import simplify


def optimize(program: Program, level: int = 2) -> Program:
    """Optimises in place. Level 0 does what correctness needs only: sharing flags and ownership."""
    if level > 0:
        localise_globals(program)
    analyse_sharing(program)
    keeps: dict[object, Keeps] = {}
    if level > 0:
        for function in program.functions:
            simplify(function)
        keeps.update(infer_borrows(program))
    for function in program.functions:
        insert_ownership(function, keeps.get(function))
        simplify(function)
    return program
