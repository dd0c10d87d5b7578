"""What is printed where: diagnostics, problems, bugs, and progress.

Diagnostics for people go to stderr; those for tools go to stdout, but for `run`, whose stdout is the program's:
`--format json` (one object a line), `sarif` (one document, also when nothing was found), `github`. Colour is for
terminals: `--color always|never` decides, else NO_COLOR, else whether stderr is one.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from nxdc.problem import CompilerBug, Problem, in_one_line
from nxdc.source.record import Record

if TYPE_CHECKING:
    from nxdc.diagnostics.model import Diagnostic
    from nxdc.diagnostics.sink import Sink

FORMS = ("text", "colour", "json", "sarif", "github")
_RED, _CYAN, _RESET = "\x1b[1;31m", "\x1b[1;36m", "\x1b[0m"


def use_color(choice: str, stream: TextIO) -> bool:
    """Whether to colour what goes to `stream`."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


class Console(Record):
    """How this run talks: `format` "text", "json", "sarif" or "github", `color` "auto", "always" or "never"."""

    format: str = "text"
    color: str = "auto"
    tools_to_stdout: bool = True  # where diagnostics for tools go; else to stderr

    @property
    def form(self) -> str:
        """The rendering wanted: one of FORMS."""
        if self.format != "text":
            return self.format
        return "colour" if use_color(self.color, sys.stderr) else "text"

    def show(self, rendered: str) -> None:
        """Print rendered diagnostics."""
        if not rendered and self.format == "sarif":
            rendered = _render((), "sarif")
        if not rendered:
            return
        stream = sys.stdout if self.format != "text" and self.tools_to_stdout else sys.stderr
        stream.write(rendered if rendered.endswith("\n") else rendered + "\n")
        stream.flush()

    def show_sink(self, sink: Sink) -> None:
        """Print what the stages found."""
        self.show(render(sink, self.form))


def render(sink: Sink, form: str) -> str:
    """The diagnostics of a sink in one of the FORMS; empty when there are none."""
    found = sink.diagnostics()
    return _render(found, form) if found else ""


def _render(found: Sequence[Diagnostic], form: str) -> str:
    if form in ("json", "sarif", "github"):
        render_for_tools: Callable[[Sequence[Diagnostic]], str]
        render_for_tools = importlib.import_module(f"nxdc.diagnostics.render_{form}").render
        return render_for_tools(found)
    from nxdc.diagnostics.render_text import render as render_text

    return render_text(found, color=form == "colour")


def _prefix(word: str, code: str) -> str:
    return f"{code}{word}{_RESET}" if use_color("auto", sys.stderr) else word


def report_problem(problem: Problem) -> None:
    """One line, and a second one when there is something to be done about it."""
    print(f"{_prefix('error:', _RED)} {in_one_line(problem.message)}", file=sys.stderr)
    if problem.hint:
        print(f"{_prefix('help:', _CYAN)} {in_one_line(problem.hint)}", file=sys.stderr)


def report_bug(error: BaseException) -> None:
    """An internal error, without its traceback."""
    stage = getattr(error, "stage", None)
    cause = getattr(error, "cause", error)
    span = getattr(cause, "span", None)
    where = f" in the stage `{stage}`" if stage else ""
    place = f", at {span.file.name}:{span.line}:{span.column}" if span is not None else ""
    print(f"{_prefix('error:', _RED)} this is a bug of the compiler{where}{place}", file=sys.stderr)
    text = "" if stage == "codegen" and not isinstance(cause, CompilerBug) else f": {cause}"  # LLVM's own words
    summary = " ".join(f"{type(cause).__name__}{text}".split())
    print(f"{_prefix('note:', _CYAN)} {summary[:300]}", file=sys.stderr)
    print(
        f"{_prefix('help:', _CYAN)} please report it with the program; NXDC_DEBUG=1 in the environment shows more",
        file=sys.stderr,
    )
    output = getattr(cause, "output", None)
    if output and os.environ.get("NXDC_DEBUG"):
        print(output, file=sys.stderr)


class Progress:
    """One line on a terminal that says what is being done, once it takes long. Silent everywhere else."""

    _WORDS = {
        "load": "reading",
        "check": "checking",
        "lower": "compiling",
        "opt": "compiling",
        "codegen": "generating code",
        "runtime": "compiling the runtime, once for this machine",
        "link": "linking",
    }

    def __init__(self) -> None:
        self.enabled = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.stage = ""
        self._shown = False

    def enter(self, stage: str) -> None:
        """A stage begins (called from the working thread)."""
        self.stage = stage

    def draw(self, seconds: float) -> None:
        """Show the present stage."""
        if self.enabled:
            self._shown = True
            sys.stderr.write(f"\r\x1b[2K  {self._WORDS.get(self.stage, self.stage)} ... {seconds:.0f} s")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away before anything else is printed."""
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._shown = False
