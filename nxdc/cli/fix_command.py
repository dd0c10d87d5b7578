"""`nxdc fix`: puts in the fixes that the diagnostics propose."""

from __future__ import annotations

import difflib
import os
import sys

import click

from nxdc.cli.console import Console, Progress
from nxdc.cli.fixing import FixedFile, Outcome, fix_program
from nxdc.cli.inputs import check_inputs
from nxdc.cli.output import rewrite_sources
from nxdc.cli.work import run_deep
from nxdc.diagnostics.model import LIKELY, SAFE
from nxdc.driver import Options
from nxdc.problem import from_os_error
from nxdc.source.text import SourceFile, decode


@click.command(short_help="put in the fixes that the diagnostics propose")
@click.argument("files", nargs=-1, required=True, metavar="FILES|DIR")
@click.option("--likely", is_flag=True, help="Put in likely fixes too, whose intent is a guess.")
@click.option("--diff", "show_diff", is_flag=True, help="Change nothing; show what would change.")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit 1 when there is something to fix.")
@click.option("--entry", metavar="MODULE", help="The module whose MAIN starts the program, when several have one.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour of diagnostics.")
def command(
    files: tuple[str, ...], likely: bool, show_diff: bool, only_check: bool, entry: str | None, color: str
) -> int:
    """Put in the fixes that the diagnostics propose.

    Several FILES are one program; DIR stands for all .nxd files in it. Only these files are changed, never one that
    they import. What cannot be fixed is shown as `nxdc check` shows it. Exit status: 0 no errors are left, 1 errors
    are left (with --check: or there is something to fix).
    """
    check_inputs(files)
    progress = Progress()
    named = _Named(files)
    options = Options(files, entry=entry)
    outcome = run_deep(lambda: fix_program(options, named.holds, LIKELY if likely else SAFE, progress.enter), progress)
    left = outcome.compilation.sink
    if show_diff:
        for file in outcome.files:
            sys.stdout.write(_diff(file))
    elif not only_check:
        _write(outcome)
    dry = show_diff or only_check
    for file in outcome.files:
        print(f"{'would fix' if dry else 'fixed'} {_problems(file.fixes)} in {file.name}", file=sys.stderr)
    if not dry:
        Console("text", color).show_sink(left)
    _tell(outcome)
    return 1 if left.has_errors or (only_check and outcome.files) else 0


class _Named:
    """The files that the command line names."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        self._files = {os.path.realpath(path) for path in paths}
        self._folders = tuple(os.path.join(path, "") for path in self._files if os.path.isdir(path))

    def holds(self, file: SourceFile) -> bool:
        """Whether a file is named, or lies in a folder that is."""
        real = os.path.realpath(file.path)
        return real in self._files or real.startswith(self._folders)


def _write(outcome: Outcome) -> None:
    """Write the changed files, each with the byte order mark it had."""
    changes = []
    for file in outcome.files:
        path = file.name
        try:
            with open(path, "rb") as handle:
                data = handle.read()
        except OSError as error:
            raise from_os_error(error, "read") from None
        mark = data[: len(data) - len(decode(path, data).text.encode())]
        changes.append((path, mark + file.before.encode(), mark + file.after.encode()))
    rewrite_sources(changes)


def _diff(file: FixedFile) -> str:
    before, after = file.before.splitlines(keepends=True), file.after.splitlines(keepends=True)
    lines = difflib.unified_diff(before, after, file.name, file.name)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _tell(outcome: Outcome) -> None:
    """What was left out, and why."""
    if outcome.likely:
        print(f"{_problems(outcome.likely)} more would be fixed with --likely", file=sys.stderr)
    for name in outcome.outside:
        print(f"{name} has problems that could be fixed, but was not named", file=sys.stderr)


def _problems(count: int) -> str:
    return f"{count} problem{'' if count == 1 else 's'}"
