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
from nxdc.source.roots import SOURCE_ENDING

_ARGUMENTS = "nxdc.arguments"  # where the words after `--` are kept: click itself does not tell them apart


class _Runner(click.Command):
    """A command whose words after `--` belong to the program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        cut = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = tuple(args[cut + 1 :])
        return super().parse_args(ctx, args[:cut])


@click.command(cls=_Runner, short_help="compile a program and run it")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FILES|DIR] [-- ARGS]")
@code_options
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
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

    Several FILES are one program; without any it is the program in the current folder. The `--` may be left out
    before ARGS that do not end in .nxd.
    """
    begin = time.perf_counter()
    named, arguments = _split(words)
    files = inputs_or_here(named)
    arguments += ctx.meta[_ARGUMENTS]
    options = Options(files, level, entry, debug, sanitize)
    try:
        built = build(options, Console(format_, color, tools_to_stdout=False), werror)
    except Failed:
        return 1
    if show_time:
        show_times(built.times, begin)
    sys.stdout.flush()
    sys.stderr.flush()
    started_as = [os.path.splitext(os.path.basename(os.path.abspath(files[0])))[0] or "program", *arguments]
    if built.path is not None:
        _become(built.path, started_as)
    return _run_beside(built, started_as)


def _split(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sources among the words before `--`, and the arguments: the first word is a source, and so are those behind
    it that end in .nxd."""
    count = min(len(words), 1)
    while count < len(words) and words[count].endswith(SOURCE_ENDING):
        count += 1
    return words[:count], words[count:]


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
