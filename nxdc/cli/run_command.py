"""`nxdc run`: build into the cache, then become the program, so that its exit status and signals are its own."""

from __future__ import annotations

import os
import signal
import sys
import time

import click

from nxdc.cli.build import Built, Failed, build
from nxdc.cli.console import Console
from nxdc.cli.inputs import inputs_or_here
from nxdc.cli.options import code_options, output_options
from nxdc.cli.timing import show_times
from nxdc.driver import Options
from nxdc.problem import Problem


@click.command(short_help="compile a program and run it")
@click.argument("file", required=False, metavar="[FILE|DIR]")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS]")
@code_options
@output_options
def command(
    file: str | None,
    arguments: tuple[str, ...],
    level: int,
    debug: bool,
    sanitize: bool,
    entry: str | None,
    show_time: bool,
    format_: str,
    color: str,
    werror: bool,
) -> int:
    """Compile a program and run it with the ARGS after `--`. The exit status is the program's.

    Without FILE and ARGS it is the program in the current folder.
    """
    begin = time.perf_counter()
    files = inputs_or_here((file,) if file is not None else ())
    options = Options(files, level, entry, debug, sanitize)
    try:
        built = build(options, Console(format_, color, tools_to_stdout=False), werror)
    except Failed:
        return 1
    if show_time:
        show_times(built.times, begin)
    sys.stdout.flush()
    sys.stderr.flush()
    words = [os.path.splitext(os.path.basename(os.path.abspath(files[0])))[0] or "program", *arguments]
    if built.path is not None:
        _become(built.path, words)
    return _run_beside(built, words)


def _become(path: str, words: list[str]) -> None:
    """Become the program. Comes back only when the cache is in a place that forbids running programs."""
    ours = {number: signal.getsignal(number) for number in (signal.SIGPIPE, signal.SIGXFSZ)}
    for number in ours:  # Python ignores these, and what is ignored stays ignored in the new program
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execv(path, words)
    except OSError:
        for number, handler in ours.items():
            signal.signal(number, handler)


def _run_beside(built: Built, words: list[str]) -> int:
    """Run the program as a child, from a file that goes afterwards; its exit status, or its signal, becomes ours."""
    import subprocess

    from nxdc.source.scratch import scratch_folder

    with scratch_folder() as folder:
        path = os.path.join(folder, "program")
        with open(path, "wb") as handle:
            handle.write(built.read())
        os.chmod(path, 0o700)
        # The terminal sends Control-C to the child as well. A handler, unlike "ignore", is not inherited by it.
        handlers = {signal.SIGINT: signal.signal(signal.SIGINT, lambda _number, _frame: None)}
        try:
            child = subprocess.Popen(words, executable=path)
            for number in (signal.SIGTERM, signal.SIGHUP):
                handlers[number] = signal.signal(number, lambda given, _frame: child.send_signal(given))
            status = child.wait()
        except OSError as error:
            raise Problem(f"the program cannot be started: {(error.strerror or str(error)).lower()}") from None
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status
