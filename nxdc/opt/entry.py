"""The door of this package, and the order of the passes."""

from __future__ import annotations

from nxdc.mir.ops import Program
from nxdc.opt.borrows import borrow_loads, own_params
from nxdc.opt.constants import propagate_constants
from nxdc.opt.globals import localise_globals
from nxdc.opt.loops import version_loops
from nxdc.opt.ownership import insert_ownership
from nxdc.opt.reuse import reuse_memory
from nxdc.opt.sharing import analyse_sharing
from nxdc.opt.simplify import simplify


def optimize(program: Program, level: int = 2) -> Program:
    """Optimises in place. Level 0 does what correctness needs only: sharing flags and ownership."""
    if level == 0:
        analyse_sharing(program)
        for function in program.functions:
            insert_ownership(function)
            simplify(function)
        return program
    localise_globals(program)
    propagate_constants(program)
    analyse_sharing(program)
    for function in program.functions:
        simplify(function)
    loads = borrow_loads(program)
    for function in program.functions:
        reuse_memory(function, loads[function])
    own_params(program)
    for function in program.functions:
        insert_ownership(function, loads[function])
        simplify(function)
    if level >= 2:
        version_loops(program)
    return program
