"""`nxdc check`: everything the compiler can say about a program, without compiling it."""

from __future__ import annotations

import sys
import time

import click

from nxdc.cli.console import Console, Progress
from nxdc.cli.inputs import inputs_or_here
from nxdc.cli.options import output_options
from nxdc.cli.timing import show_times
from nxdc.cli.work import run_deep
from nxdc.driver import Compilation, Options, compile_until


@click.command(short_help="look for errors without compiling")
@click.argument("files", nargs=-1, metavar="[FILES|DIR]")
@click.option("--entry", metavar="MODULE", help="The module whose MAIN starts the program, when several have one.")
@click.option("--time", "show_time", is_flag=True, help="Show where the time went.")
@output_options
def command(files: tuple[str, ...], entry: str | None, show_time: bool, format_: str, color: str, werror: bool) -> int:
    """Look for errors without compiling.

    Several FILES are one program; DIR stands for all .nxd files in it, and is the current folder where nothing
    is named. Exit status: 0 no errors, 1 errors (with --werror: or warnings).
    """
    begin = time.perf_counter()
    files = inputs_or_here(files)
    progress = Progress()
    compilation = Compilation(Options(files, entry=entry), progress.enter)
    run_deep(lambda: compile_until(compilation, "check"), progress)
    console = Console(format_, color)
    console.show_sink(compilation.sink)
    if show_time:
        show_times(compilation.times, begin)
    found = compilation.sink.diagnostics()
    if format_ == "text" and not found and sys.stderr.isatty():
        print("no errors", file=sys.stderr)
    return 1 if compilation.sink.has_errors or (werror and found) else 0
