"""`nxdc fmt`: the canonical layout, in place."""

from __future__ import annotations

import os
import sys

import click

from nxdc.cli.console import Console, Progress
from nxdc.cli.inputs import check_inputs
from nxdc.cli.output import rewrite_sources
from nxdc.cli.work import run_deep
from nxdc.diagnostics.sink import Sink
from nxdc.problem import Problem, from_os_error
from nxdc.source.roots import sources_in
from nxdc.source.text import SourceFile, decode, read_source
from nxdc.syntax.format.entry import format_source

STDIN = "-"


@click.command(short_help="lay programs out in the canonical way")
@click.argument("files", nargs=-1, required=True, metavar="FILES|DIR|-")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit 1 when a file is not formatted.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour of diagnostics.")
def command(files: tuple[str, ...], only_check: bool, color: str) -> int:
    """Lay programs out in the canonical way.

    Files are changed in place; DIR stands for all .nxd files in it; `-` reads the standard input and writes to the
    standard output. In a document (.md, .txt) only the blocks of the program change. The meaning never changes, and
    comments stay. A file with mistakes is left as it is.
    Exit status: 0 fine, 1 a file has mistakes (with --check: or is not formatted).
    """
    console = Console("text", color)
    if files == (STDIN,):
        return _format_stdin(only_check, console)
    check_inputs(files)
    sink = Sink()
    changed = [path for path in _paths(files) if _format_file(path, only_check, sink)]
    for path in changed:
        print(f"{path} is not formatted" if only_check else f"formatted {path}", file=sys.stderr)
    console.show_sink(sink)
    return 1 if sink.has_errors or (only_check and changed) else 0


def _paths(files: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for path in files:
        if not os.path.isdir(path):
            found.append(path)
            continue
        found += sources_in(path)
    return found


def _format(file: SourceFile, sink: Sink) -> str | None:
    if file.problems:
        raise Problem(f"`{file.name}` is not UTF-8 text, or has NUL characters in it", "`nxdc check` tells more")
    return run_deep(lambda: format_source(file, sink), Progress())


def _format_file(path: str, only_check: bool, sink: Sink) -> bool:
    """Format one file; whether it was not formatted before."""
    try:
        file = read_source(path)
        with open(path, "rb") as handle:
            original = handle.read()
    except OSError as error:
        raise from_os_error(error, "read") from None
    text = _format(file, sink)
    if text is None:
        return False
    mark = original[: len(original) - len(file.text.encode())]  # the byte order mark stays
    formatted = mark + text.encode()
    if formatted != original and not only_check:
        rewrite_sources([(path, original, formatted)])
    return formatted != original


def _format_stdin(only_check: bool, console: Console) -> int:
    data = sys.stdin.buffer.read()
    sink = Sink()
    text = _format(decode("<stdin>", data), sink)
    console.show_sink(sink)
    if text is None:
        return 1
    if only_check:
        return int(text.encode() != data)
    sys.stdout.write(text)
    return 0
