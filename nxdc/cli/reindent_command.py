"""`nxdc reindent`: the layout of a source whose indentation was lost."""

from __future__ import annotations

import os
import sys

import click

from nxdc.cli.inputs import check_inputs
from nxdc.cli.output import write_result
from nxdc.problem import Problem, from_os_error
from nxdc.source.text import read_source
from nxdc.syntax.reindent.entry import mistakes_of, reindent


@click.command(short_help="give a source its lost indentation back")
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", metavar="OUT", help="Write the text to OUT.")
@click.option("-i", "--in-place", is_flag=True, help="Change the file itself.")
def command(file: str, output: str | None, in_place: bool) -> int:
    """Give a source its lost indentation back.

    The text goes to the standard output, to OUT, or back into FILE. In a document (.md, .txt) only the blocks of the
    program change. What nothing in the text decides is told in notes on the standard error.
    """
    if output is not None and in_place:
        raise Problem("-o and --in-place exclude each other")
    check_inputs((file,))
    try:
        source = read_source(file)
        with open(file, "rb") as handle:
            data = handle.read()
    except OSError as error:
        raise from_os_error(error, "read") from None
    if source.problems:
        raise Problem(f"`{file}` is not UTF-8 text, or has NUL characters in it", "`nxdc check` tells more")
    text, notes = reindent(source)
    for note in notes:
        print(f"note: {file}:{note.line}: {note.text}", file=sys.stderr)
    if mistakes_of(source.name, text):
        print(f"note: {file}: the result still has mistakes; `nxdc check` shows them", file=sys.stderr)
    if in_place:
        output = file
    if output is None:
        sys.stdout.write(text)
    else:
        mark = data[: len(data) - len(source.text.encode())]  # the byte order mark stays
        write_result(output, mark + text.encode(), executable=os.path.exists(output) and os.access(output, os.X_OK))
    return 0
