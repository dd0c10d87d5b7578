"""`nxdc build`."""

from __future__ import annotations

import sys
import time

import click

from nxdc.cli.build import Failed, build
from nxdc.cli.console import Console, Progress
from nxdc.cli.inputs import inputs_or_here
from nxdc.cli.options import code_options, output_options
from nxdc.cli.output import check_target, default_name, write_result
from nxdc.cli.timing import show_times
from nxdc.driver import EMITS, Compilation, Options, emit
from nxdc.problem import Problem

_ENDINGS = {"obj": ".o"}  # what has no place on a terminal; the others are text and go to stdout


@click.command(short_help="compile a program to a native executable")
@click.argument("files", nargs=-1, metavar="[FILES|DIR]")
@click.option("-o", "output", metavar="OUT", help="Name of the program (default: after the source).")
@click.option("--emit", "what", type=click.Choice(list(EMITS)), help="Show a stage of the compile instead of building.")
@click.option("-s", "--strip", is_flag=True, help="Leave out the symbol table: smaller.")
@click.option("--static", is_flag=True, help="Link the C library in: one file that runs anywhere, but larger.")
@code_options
@output_options
def command(
    files: tuple[str, ...],
    output: str | None,
    what: str | None,
    strip: bool,
    static: bool,
    level: int,
    debug: bool,
    sanitize: bool,
    entry: str | None,
    show_time: bool,
    format_: str,
    color: str,
    werror: bool,
) -> int:
    """Compile a program to a native executable.

    Several FILES are one program; DIR stands for all .nxd files in it, and is the current folder where nothing
    is named. The program is named after the first source or the folder.
    """
    begin = time.perf_counter()
    files = inputs_or_here(files)
    options = Options(files, level, entry, debug, sanitize, strip, static)
    console = Console(format_, color)
    if what is not None:
        return _emit(options, console, what, output, show_time, begin)
    target = output if output is not None else default_name(files)
    check_target(target, files, named=output is not None)
    try:
        built = build(options, console, werror)
    except Failed:
        return 1
    check_target(target, built.sources, named=output is not None)
    program = built.read()
    write_result(target, program, executable=True)
    if show_time:
        show_times(built.times, begin)
    elif output is None and sys.stderr.isatty():
        print(f"built {target} ({len(program) / 1000:.0f} KB)", file=sys.stderr)
    return 0


def _emit(options: Options, console: Console, what: str, output: str | None, show_time: bool, begin: float) -> int:
    from nxdc.cli.work import run_deep

    ending = _ENDINGS.get(what)
    target = output if output is not None else (default_name(options.paths, ending) if ending else None)
    if console.format in ("sarif", "github") and target in (None, "-"):
        raise Problem(
            f"`--emit {what}` and `--format {console.format}` both write to the standard output",
            "name a file for the one with -o",
        )
    if target is not None and target != "-":
        check_target(target, options.paths, named=True)
    progress = Progress()
    compilation = Compilation(options, progress.enter)
    result = run_deep(lambda: emit(compilation, what), progress)
    console.show_sink(compilation.sink)
    if result is not None:
        data = result if isinstance(result, bytes) else _ended(result).encode("utf-8", "surrogateescape")
        if target is None or target == "-":
            sys.stdout.buffer.write(data)
        else:
            write_result(target, data, executable=False)
    if show_time:
        show_times(compilation.times, begin)
    return 1 if result is None or compilation.sink.has_errors else 0


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
