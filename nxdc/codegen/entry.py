"""The door of the layer: a MIR program to object code, LLVM IR or assembly.

Input:  verified MIR with explicit ownership.
Output: one module with everything of the program, or several for a large one; `nxd_program_main` is the only symbol
        that is visible outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nxdc.codegen import target
from nxdc.codegen.constants import Constants
from nxdc.codegen.context import Module
from nxdc.codegen.debuginfo import DebugInfo
from nxdc.codegen.funcs import emit_function
from nxdc.codegen.inlining import kept_apart
from nxdc.codegen.parallel import Store, compile_units
from nxdc.codegen.program import emit_program
from nxdc.codegen.units import split
from nxdc.mir import ops
from nxdc.problem import CompilerBug

KINDS = ("obj", "llvm", "asm")


def generate(
    program: ops.Program, *, level: int = 2, kind: str = "obj", debug: bool = False, sanitize: bool = False
) -> bytes | str:
    """Compile a program. `kind`: "obj" gives bytes, "llvm" and "asm" text. `sanitize`: counting and containers by
    calls, for a runtime built with sanitizers."""
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r}")
    text = llvm_text(program, level=level, debug=debug, sanitize=sanitize)
    if kind == "llvm" and level == 0:
        return text
    with _valid_code():
        parsed = target.ParsedModule(text, level)
    parsed.optimize()
    if kind == "llvm":
        return str(parsed.module)
    return parsed.assembly() if kind == "asm" else parsed.object_code()


def generate_objects(
    program: ops.Program, *, level: int = 2, debug: bool = False, sanitize: bool = False, store: Store | None = None
) -> list[bytes]:
    """Compile a program to object files: one, or several for a large program. `store` keeps those of earlier builds."""
    texts = llvm_units(program, level=level, debug=debug, sanitize=sanitize)
    with _valid_code():
        return compile_units(texts, level, store)


@contextmanager
def _valid_code() -> Iterator[None]:
    """What LLVM refuses is a bug of the compiler."""
    try:
        yield
    except target.llvm_error() as error:
        raise CompilerBug("codegen", "the code that was made is not valid", output=str(error)) from error


def llvm_text(program: ops.Program, *, level: int = 2, debug: bool = False, sanitize: bool = False) -> str:
    """The whole program as one module, as it is given to LLVM."""
    module = _write_module(program, level=level, debug=debug, sanitize=sanitize)
    return module.text(_header())


def llvm_units(program: ops.Program, *, level: int = 2, debug: bool = False, sanitize: bool = False) -> list[str]:
    """The program in one or several modules (see units.py)."""
    module = _write_module(program, level=level, debug=debug, sanitize=sanitize)
    return split(module, _header(), inline=level > 0)


def _header() -> str:
    return f'target triple = "{target.triple()}"'


def _write_module(program: ops.Program, *, level: int, debug: bool, sanitize: bool) -> Module:
    module = Module(program, sanitize=sanitize, specialise=level > 0)
    module.constants = Constants(module)
    flags = [module.metadata.add(f'!{{i32 8, !"{name}", i32 2}}') for name in ("PIC Level", "PIE Level")]
    if debug and program.start.span is not None:
        module.debuginfo = DebugInfo(module.metadata, program, program.start.span.file, level)
        flags += module.debuginfo.module_flags
    module.metadata.named.append(f"!llvm.module.flags = !{{{', '.join(flags)}}}")
    module.kept_apart = kept_apart(program)
    for function in program.functions:
        emit_function(module, function, unroll=level >= 2)
    emit_program(module)
    if module.debuginfo is not None:
        module.debuginfo.finish()
    return module
