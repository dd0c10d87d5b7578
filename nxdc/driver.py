"""The stages of a compile, as data, and the loop that runs them.

Each stage reads what earlier ones left in `Compilation.results` and leaves its own result there under its name.
A stage's modules are imported when it runs: `check` never pays for llvmlite, and a cached build pays for
nothing.

`Compilation.times` are wall milliseconds per stage; the import of a stage's modules is counted apart.
"""

from __future__ import annotations

import gc
import importlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nxdc.problem import Problem, from_os_error
from nxdc.source.record import Record

if TYPE_CHECKING:
    from nxdc.diagnostics.sink import Sink


class Options(Record):
    """What the command line decides. All of it takes part in the cache's key."""

    paths: tuple[str, ...]
    level: int = 2  # -O0 .. -O3
    entry: str | None = None
    debug: bool = False  # debug information
    sanitize: bool = False
    strip: bool = False
    static: bool = False
    leak_check: bool = False  # link the runtime that counts live objects at exit (for the tests; no flag sets it)

    def facts(self) -> dict[str, Any]:
        """The options as plain data."""
        return {name: getattr(self, name) for name in self._fields}


class StageFailed(Exception):
    """An internal error, with the stage in which it happened. Only `cli` catches it."""

    def __init__(self, stage: str, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.stage = stage
        self.cause = cause


class Compilation:
    """One compile under way. `texts`, by real path, stand in for what files hold."""

    def __init__(
        self,
        options: Options,
        on_stage: Callable[[str], None] | None = None,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        from nxdc.diagnostics.sink import Sink

        self.options = options
        self.sink: Sink = Sink()
        self.texts: Mapping[str, str] = texts or {}
        self.results: dict[str, Any] = {}
        self.times: list[tuple[str, float]] = []
        self.on_stage = on_stage or (lambda _name: None)
        self.verify = options.level == 0 or bool(os.environ.get("NXDC_VERIFY"))

    def __getitem__(self, stage: str) -> Any:
        return self.results[stage]


# ---- stages ----------------------------------------------------------------------------------------------------------


def _load(c: Compilation) -> Any:
    from nxdc.modules.entry import load_program

    program = load_program(list(c.options.paths), c.sink, entry=c.options.entry, texts=c.texts)
    c.sink.order_files([source.name for source in program.sources])
    return program


def _dump_ast(c: Compilation) -> str:
    from nxdc.syntax.dump import dump_module

    return "\n".join(dump_module(module.node) for module in c["load"].modules)


def _check(c: Compilation) -> Any:
    from nxdc.check.entry import check_program

    return check_program(c["load"], c.sink, entry=c.options.entry)


def _dump_core(c: Compilation) -> str:
    from nxdc.core.dump import dump_core

    return dump_core(c["check"])


def _lower(c: Compilation) -> Any:
    from nxdc.mir.lower.entry import lower_program

    return lower_program(c["check"])


def _optimize(c: Compilation) -> Any:
    from nxdc.opt.entry import optimize

    return optimize(c["lower"], c.options.level) or c["lower"]


def _dump_mir(stage: str) -> Callable[[Compilation], str]:
    def dump(c: Compilation) -> str:
        from nxdc.mir.printer import print_program

        return print_program(c[stage])

    return dump


def _verify_core(c: Compilation) -> None:
    from nxdc.check.verify import verify_core

    verify_core(c["check"])


def _verify_mir(stage: str) -> Callable[[Compilation], None]:
    def check(c: Compilation) -> None:
        from nxdc.mir.verify import verify

        verify(c[stage])

    return check


def _objects(c: Compilation) -> list[bytes]:
    from nxdc.codegen.entry import generate_objects
    from nxdc.link.units import UnitStore

    options, store = c.options, UnitStore()
    objects = generate_objects(
        c["opt"], level=options.level, debug=options.debug, sanitize=options.sanitize, store=store
    )
    store.close()
    return objects


def _generate(kind: str) -> Callable[[Compilation], Any]:
    def generate(c: Compilation) -> Any:
        from nxdc.codegen.entry import generate as emit

        options = c.options
        return emit(c["opt"], level=options.level, kind=kind, debug=options.debug, sanitize=options.sanitize)

    return generate


def _flavour(options: Options) -> str:
    if options.sanitize:
        return "sanitize"
    return "debug" if options.leak_check else "release"


def _runtime(c: Compilation) -> Any:
    from nxdc.link.runtime import runtime_objects

    return runtime_objects(_flavour(c.options))


def _link(c: Compilation) -> bytes:
    from pathlib import Path

    from nxdc.link.cc import link
    from nxdc.source.scratch import scratch_folder

    options = c.options
    with scratch_folder() as folder:
        objects = [Path(folder, f"program{number or ''}.o") for number in range(len(c["codegen"]))]
        for path, code in zip(objects, c["codegen"], strict=True):
            path.write_bytes(code)
        program = Path(folder, "program")
        link(
            [*objects, *c["runtime"]],
            program,
            sanitize=options.sanitize,
            strip=options.strip,
            static=options.static,
        )
        return program.read_bytes()


class Stage(Record):
    """`recovers`: the next stage runs in spite of errors, because it finds more of them."""

    name: str
    needs: tuple[str, ...]  # modules, imported before the clock of the stage starts
    run: Callable[[Compilation], Any]
    dump: Callable[[Compilation], str] | None = None
    verify: Callable[[Compilation], None] | None = None
    recovers: bool = False


STAGES = (
    Stage("load", ("nxdc.modules.entry",), _load, _dump_ast, recovers=True),
    Stage("check", ("nxdc.check.entry",), _check, _dump_core, _verify_core),
    Stage("lower", ("nxdc.mir.lower.entry",), _lower, _dump_mir("lower"), _verify_mir("lower")),
    Stage("opt", ("nxdc.opt.entry",), _optimize, _dump_mir("opt"), _verify_mir("opt")),
    Stage("codegen", ("nxdc.codegen.entry",), _objects),
    Stage("runtime", ("nxdc.link.runtime",), _runtime),
    Stage("link", ("nxdc.link.cc",), _link),
)

# What --emit shows: the stage to stop after and the kind of code asked from codegen, if any.
EMITS: dict[str, tuple[str, str | None]] = {
    "ast": ("load", None),
    "core": ("check", None),
    "lowered": ("lower", None),
    "mir": ("opt", None),
    "llvm": ("opt", "llvm"),
    "asm": ("opt", "asm"),
    "obj": ("opt", "obj"),
}


def compile_until(c: Compilation, last: str) -> bool:
    """Run the stages up to `last`. False when the program has errors: they are in the sink."""
    with _no_collection():
        return _run_until(c, last)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without Python's cycle collector, which would walk millions of tree nodes again and again to find nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _run_until(c: Compilation, last: str) -> bool:
    for stage in STAGES:
        c.on_stage(stage.name)
        _run_stage(c, stage)
        if c.sink.has_errors and (stage.name == last or not stage.recovers):
            return False
        if stage.name == last:
            break
    return not c.sink.has_errors


def emit(c: Compilation, what: str) -> str | bytes | None:
    """The text (or object code) that --emit asks for; None when the program has errors."""
    last, kind = EMITS[what]
    ready = compile_until(c, last)
    if not ready and what != "ast":  # the tree is shown as far as it could be read: that is when one wants to see it
        return None
    if kind is not None:
        _run_stage(c, Stage("codegen", ("nxdc.codegen.entry",), _generate(kind)))
    else:
        stage = next(stage for stage in STAGES if stage.name == last)
        assert stage.dump is not None
        _run_stage(c, Stage("dump", (), stage.dump))
    result: str | bytes = c["dump" if kind is None else "codegen"]
    return result


def _run_stage(c: Compilation, stage: Stage) -> None:
    try:
        begin = time.perf_counter()
        for module in stage.needs:
            importlib.import_module(module)
        imported = time.perf_counter()
        c.results[stage.name] = stage.run(c)
        done = time.perf_counter()
        c.times += [(f"import {stage.name}", (imported - begin) * 1e3), (stage.name, (done - imported) * 1e3)]
        if c.verify and stage.verify is not None and not c.sink.has_errors:
            stage.verify(c)
            c.times.append((f"verify {stage.name}", (time.perf_counter() - done) * 1e3))
    except (Problem, StageFailed, RecursionError, MemoryError):
        raise
    except OSError as error:
        raise from_os_error(error, "use") from error
    except Exception as error:
        raise StageFailed(getattr(error, "stage", stage.name), error) from error
