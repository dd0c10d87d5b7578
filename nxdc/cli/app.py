"""The command `nxdc`: finds the subcommand, and turns whatever goes wrong into one clear message and an exit status.

Exit status: 0 fine, 1 errors in the program, 2 misuse of the command (or a machine that cannot do it), 3 a bug
of the compiler. Subcommands are imported when they are used.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from nxdc import __version__
from nxdc.cli.console import report_bug, report_problem
from nxdc.problem import Problem, from_os_error, not_installed
from nxdc.source.scratch import remove_scratch_folders

COMMANDS = {
    "build": "compile a program to a native executable",
    "run": "compile a program and run it",
    "check": "look for errors without compiling",
    "fmt": "lay programs out in the canonical way",
    "fix": "put in the fixes that the diagnostics propose",
    "reindent": "give a source its lost indentation back",
    "explain": "explain a diagnostic or an error code",
}
PACKAGES = ("sly", "llvmlite")  # what nxdc needs besides Python; click is looked after in `__main__`
INTERRUPTED = 130
BROKEN_PIPE = 141


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own, `nxdc.cli.<name>_command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"nxdc.cli.{cmd_name}_command")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            raise click.UsageError(_unknown_command(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _unknown_command(name: str) -> str:
    import difflib

    if name.lower().endswith((".nxd", ".md", ".txt")):
        return f"`{name}` is no command; to compile it write `nxdc build {name}`, to run it `nxdc run {name}`"
    near = difflib.get_close_matches(name, COMMANDS, 1)
    return f"there is no command `{name}`" + (f"; did you mean `{near[0]}`?" if near else "")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="nxdc %(version)s")
def main() -> None:
    """The native compiler for NXD.

    A first program: `nxdc run FILE.nxd`.
    """


def run(arguments: list[str]) -> int:
    """Run one command line; the exit status."""
    _fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a character shows its number, and no traceback
            stream.reconfigure(errors="backslashreplace")
    try:
        with _ending_tidily():
            status = _invoke(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        return _hush()
    except OSError as error:
        report_problem(from_os_error(error, "write"))
        _hush()
        return 2


def _fill_closed_streams() -> None:
    """Started with a standard stream closed (`nxdc ... >&-`): the next file opened must not get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open as long as we run)


class _Ended(KeyboardInterrupt):
    """SIGTERM or SIGHUP has come. It ends the command as Control-C does."""


_ended_by: list[int] = []


@contextmanager
def _ending_tidily() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind the main thread, so that temporary files go. Only where they would end us."""

    def stop(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one ends us at once
        _ended_by.append(number)
        raise _Ended

    numbers: list[int] = []
    if threading.current_thread() is threading.main_thread():
        numbers = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _leave_at_once() -> NoReturn:
    """End the process though a thread of ours may still be compiling; by the signal that came, if one did."""
    remove_scratch_folders()
    sys.stderr.flush()
    if _ended_by:
        signal.signal(_ended_by[0], signal.SIG_DFL)
        os.kill(os.getpid(), _ended_by[0])
    os._exit(INTERRUPTED)


def _invoke(arguments: list[str]) -> int:
    try:
        result = main.main(arguments, prog_name="nxdc", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as misuse:
        if isinstance(misuse, click.exceptions.NoArgsIsHelpError):
            misuse.show()
        else:
            report_problem(Problem(_as_sentence(misuse.format_message()), _usage_hint(misuse)))
        return 2
    except (KeyboardInterrupt, click.exceptions.Abort):
        _leave_at_once()
    except Problem as problem:
        report_problem(problem)
        return 2
    except OSError:  # our own output: those of the stages have become Problems
        raise
    except Exception as error:
        missing = _missing_package(getattr(error, "cause", error))
        if missing is not None:
            report_problem(missing)
            return 2
        if os.environ.get("NXDC_DEBUG"):
            import traceback

            traceback.print_exc()
        report_bug(error)
        return 3


def _missing_package(error: BaseException) -> Problem | None:
    """The Problem of a package that nxdc needs and that is not there. (A module of nxdc itself would be a bug.)"""
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return not_installed(name) if name in PACKAGES else None


def _as_sentence(message: str) -> str:
    """click's messages in the form of ours: lower case, no full stop."""
    message = message.strip().replace("\n", " ").rstrip(".")
    return message[:1].lower() + message[1:]


def _usage_hint(misuse: click.ClickException) -> str | None:
    context = getattr(misuse, "ctx", None)
    if isinstance(misuse, click.NoSuchOption) and context is not None and context.info_name == "run":
        return "arguments for the program stand after `--`: nxdc run FILE -- ARGS"
    return f"`{context.command_path} --help` shows how it is used" if context is not None else None


def _hush() -> int:
    """The reader of our output has gone: say nothing more, also not when the interpreter closes the streams."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
    return BROKEN_PIPE
