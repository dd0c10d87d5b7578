"""From IR text to machine code: the machine, the passes.

The host's triple with a baseline processor, so that a binary runs on the neighbours' machines too. Code is position
independent, because systems link programs that way by default; inside the program everything is reached directly
(PIE level 2).
"""

from __future__ import annotations

import functools
import platform

import llvmlite
import llvmlite.binding as llvm

_BASELINE = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
_STACK_REGISTERS = {"x86_64": "rsp", "AMD64": "rsp", "aarch64": "sp", "arm64": "sp"}


def stack_register() -> str:
    """The stack pointer's name on this machine."""
    return _STACK_REGISTERS.get(platform.machine(), "sp")


@functools.cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def machine(level: int) -> llvm.TargetMachine:
    """A target machine for an optimisation level."""
    _initialize()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=_BASELINE.get(platform.machine(), ""),
        opt=level,
        reloc="pic",
        codemodel="small",
    )


def triple() -> str:
    """The triple of this machine."""
    return str(llvm.get_default_triple())


def identity() -> str:
    """Changes when equal IR may give other code."""
    return f"{triple()} {llvmlite.__version__} {'.'.join(map(str, llvm.llvm_version_info))}"


class ParsedModule:
    """IR that LLVM has accepted."""

    def __init__(self, text: str, level: int) -> None:
        self._machine = machine(level)
        self._level = level
        self.module = llvm.parse_assembly(text)
        self.module.verify()

    def optimize(self) -> None:
        """Run LLVM's pipeline of the level."""
        options = llvm.create_pipeline_tuning_options(self._level)
        options.loop_vectorization = self._level >= 2
        options.slp_vectorization = self._level >= 2
        builder = llvm.create_pass_builder(self._machine, options)
        passes = builder.getModulePassManager()
        passes.run(self.module, builder)

    def object_code(self) -> bytes:
        """Machine code as an object file."""
        return bytes(self._machine.emit_object(self.module))

    def assembly(self) -> str:
        """Machine code as text."""
        self._machine.set_asm_verbosity(True)
        return str(self._machine.emit_assembly(self.module))


def llvm_error() -> type[Exception]:
    """What LLVM raises when it refuses a module."""
    return RuntimeError
