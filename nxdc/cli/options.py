"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

FORMATS = ("text", "json", "sarif", "github")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _all(*decorators: Decorator) -> Decorator:
    def apply(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


output_options = _all(
    click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="Form of diagnostics."),
    click.option(
        "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour (auto: on a terminal)."
    ),
    click.option("--werror", is_flag=True, help="Treat warnings as errors."),
)

code_options = _all(
    click.option(
        "-O", "level", type=click.IntRange(0, 3), default=2, metavar="0..3", help="Optimisation: -O0 to -O3 (-O2)."
    ),
    click.option("-g", "--debug-info", "debug", is_flag=True, help="Debug information for gdb and perf."),
    click.option("--sanitize", is_flag=True, help="Find memory errors and leaks (of the compiler) at run time."),
    click.option("--entry", metavar="MODULE", help="The module whose MAIN starts the program, when several have one."),
    click.option("--time", "show_time", is_flag=True, help="Show where the time went."),
)
