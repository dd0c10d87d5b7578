"""Diagnostics as text for people.

    error[NXD-S3002]: expected `int`, found `string`
     --> main.nxd:3:9
      |
    3 |     RETURN "x"
      |            ^^^ this is `string`
      |
    1 | FUNC F(): int:
      |           --- declared here
      |
      = help: ...
      = fix: write `SUB 5`

Returns strings; `cli` prints them. Colour is the caller's decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from nxdc.diagnostics.model import ERROR, Diagnostic, Fix, Label
from nxdc.diagnostics.width import clip, expand
from nxdc.problem import in_one_line
from nxdc.source.record import Record
from nxdc.source.text import SourceFile

MAX_WIDTH = 120  # columns of source shown of a line; longer lines are cut around what is marked
_MAX_LINES = 6  # lines shown of a place that runs over several

_CODES = {"red": "1;31", "yellow": "1;33", "blue": "1;34", "green": "1;32", "cyan": "1;36", "bold": "1"}


class _Mark(Record):
    """One underlining of one line, in columns of the shown line."""

    start: int
    end: int
    text: str
    primary: bool


class _Paint:
    """Adds colour, or nothing."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, text: str, color: str) -> str:
        return f"\x1b[{_CODES[color]}m{text}\x1b[0m" if self._color and text else text


def render(diagnostics: Sequence[Diagnostic], color: bool = False) -> str:
    """All diagnostics, a count of errors and warnings, and how to learn more; "" when there are none."""
    if not diagnostics:
        return ""
    paint = _Paint(color)
    parts = [render_one(diagnostic, color) for diagnostic in diagnostics]
    parts.append(_summary(diagnostics, paint))
    return "\n\n".join(parts) + "\n"


def render_one(diagnostic: Diagnostic, color: bool = False) -> str:
    """One diagnostic without a line break at its end."""
    paint = _Paint(color)
    tone = "red" if diagnostic.severity == ERROR else "yellow"
    head = paint(f"{diagnostic.severity}[{diagnostic.number}]", tone) + paint(f": {diagnostic.message}", "bold")
    labels = (diagnostic.primary, *diagnostic.secondary)
    width = max(len(str(_last_line(label))) for label in labels)
    lines = [head]
    files: list[SourceFile] = []
    for label in labels:
        if label.span.file not in files:
            files.append(label.span.file)
    for file in files:
        of_file = [label for label in labels if label.span.file is file]
        lines += _render_file(file, of_file, diagnostic.primary, width, tone, paint)
    tail = _tail(diagnostic, width, paint)
    if tail:
        lines.append(paint(f"{' ' * width} |", "blue"))
        lines += tail
    return "\n".join(lines)


def _last_line(label: Label) -> int:
    span = label.span
    return span.file.position(max(span.start, span.end - 1))[0]


def _render_file(
    file: SourceFile, labels: list[Label], primary: Label, width: int, tone: str, paint: _Paint
) -> list[str]:
    """The places in one file, in the order of its lines."""
    anchor = labels[0].span
    line, column = file.position(anchor.start)
    arrow = "-->" if labels[0] is primary else ":::"
    out = [f"{' ' * width}{paint(arrow, 'blue')} {in_one_line(file.name)}:{line}:{column}"]
    if not file.text:
        return out
    marks: dict[int, list[_Mark]] = {}
    for label in labels:
        _mark(file, label, label is primary, marks)
    gutter = paint(f"{' ' * width} |", "blue")
    out.append(gutter)
    previous = 0
    for number in sorted(marks):
        if previous and number > previous + 1:
            if number == previous + 2:
                text = _plain_line(file, previous + 1)
                out.append(f"{paint(f'{previous + 1:>{width}} |', 'blue')} {text}".rstrip())
            else:
                out.append(paint("...", "blue"))
        out += _render_line(file, number, marks[number], width, tone, paint)
        previous = number
    return out


def _plain_line(file: SourceFile, number: int) -> str:
    shown, _ = expand(file.line_text(number))
    return clip(shown, 0, MAX_WIDTH)


def _mark(file: SourceFile, label: Label, is_primary: bool, marks: dict[int, list[_Mark]]) -> None:
    """Add the underlinings of a label, one for each line that it covers."""
    span = label.span
    first = file.position(span.start)[0]
    last = file.position(max(span.start, span.end - 1))[0]
    numbers = list(range(first, last + 1))
    if len(numbers) > _MAX_LINES:
        numbers = [first, first + 1, last]
    for number in numbers:
        low, high = file.line_range(number)
        text = file.text[low:high]
        start = max(span.start - low, 0)
        end = min(span.end - low, len(text))
        if number > first:
            start = len(text) - len(text.lstrip())
        _, columns = expand(text)
        left = columns[min(start, len(text))]
        right = columns[min(end, len(text))]
        if right <= left:
            if number not in (first, last):
                continue
            right = left + 1
        shown = label.text if number == last else ""
        marks.setdefault(number, []).append(_Mark(left, right, shown, is_primary))


def _render_line(file: SourceFile, number: int, marks: list[_Mark], width: int, tone: str, paint: _Paint) -> list[str]:
    """A source line with what is marked in it below."""
    shown, columns = expand(file.line_text(number))
    offset, end = _window(columns[-1], marks)
    text = clip(shown, offset, end)
    shift = -offset
    if offset:
        text, shift = "..." + text, 3 - offset
    if end < columns[-1]:
        text += "..."
    gutter = paint(f"{' ' * width} |", "blue")
    out = [f"{paint(f'{number:>{width}} |', 'blue')} {text}".rstrip()]
    moved = [_Mark(max(m.start + shift, 0), min(m.end + shift, end + shift + 3), m.text, m.primary) for m in marks]
    underline = _underline(moved)
    ordered = sorted(moved, key=lambda m: (m.start, m.end))
    texts = [mark for mark in ordered if mark.text]
    tail = ""
    if texts and all(mark.end <= texts[-1].end for mark in ordered):
        last = texts.pop()  # the rightmost label stands behind the underlining
        tail = " " + paint(last.text, _tone(last, tone))
    out.append(f"{gutter} {_paint_cells(underline, tone, paint)}{tail}")
    for index in range(len(texts) - 1, -1, -1):
        mark = texts[index]
        cells = {other.start: "|" if not other.primary else "!" for other in texts[:index] if other.start < mark.start}
        row = [cells.get(column, " ") for column in range(mark.start)]
        out.append(f"{gutter} {_paint_cells(row, tone, paint)}{paint(mark.text, _tone(mark, tone))}")
    return out


def _tone(mark: _Mark, tone: str) -> str:
    return tone if mark.primary else "blue"


def _underline(marks: list[_Mark]) -> list[str]:
    """Carets and dashes, a cell a column; of marks that overlap the shorter lies on top."""
    cells: list[str] = []
    for mark in sorted(marks, key=lambda m: (m.start - m.end, m.primary)):
        cells += " " * (mark.end - len(cells))
        cells[mark.start : mark.end] = ("^" if mark.primary else "-") * (mark.end - mark.start)
    return cells


def _paint_cells(cells: list[str], tone: str, paint: _Paint) -> str:
    """Join cells, with colour for each run of equal ones; `!` stands for the primary label's `|`."""
    out: list[str] = []
    start = 0
    for at in range(1, len(cells) + 1):
        if at == len(cells) or cells[at] != cells[start]:
            run = "".join(cells[start:at])
            color = tone if run[0] in "^!" else "blue"
            out.append(run if run[0] == " " else paint(run.replace("!", "|"), color))
            start = at
    return "".join(out)


def _window(width: int, marks: list[_Mark]) -> tuple[int, int]:
    """Which columns of a long line are shown."""
    if width <= MAX_WIDTH:
        return 0, width
    primary = next((m for m in marks if m.primary), marks[0])
    if primary.start < MAX_WIDTH - 20:
        return 0, MAX_WIDTH
    start = max(0, primary.start - MAX_WIDTH // 3)
    return start, min(width, start + MAX_WIDTH)


def _tail(diagnostic: Diagnostic, width: int, paint: _Paint) -> list[str]:
    """Notes, helps and fixes."""
    out: list[str] = []
    for kind, color, texts in (("note", "bold", diagnostic.notes), ("help", "cyan", diagnostic.helps)):
        for text in texts:
            out += _tail_line(kind, color, text, width, paint)
    for fix in diagnostic.fixes:
        out += _tail_line("fix", "green", _fix_text(fix), width, paint)
    return out


def _tail_line(kind: str, color: str, text: str, width: int, paint: _Paint) -> list[str]:
    first, *more = text.split("\n")
    pad = " " * (width + 5 + len(kind))
    return [f"{' ' * width} {paint('=', 'blue')} {paint(kind, color)}: {first}", *(pad + line for line in more)]


def _fix_text(fix: Fix) -> str:
    return fix.title if fix.grade == "safe" else f"{fix.title} (if that is what you mean)"


def _summary(diagnostics: Sequence[Diagnostic], paint: _Paint) -> str:
    """`2 errors, 1 warning`, and the command that explains one of the codes."""
    errors = sum(1 for d in diagnostics if d.severity == ERROR)
    warnings = len(diagnostics) - errors
    counts = []
    if errors:
        counts.append(paint(f"{errors} error{'s' if errors > 1 else ''}", "red"))
    if warnings:
        counts.append(paint(f"{warnings} warning{'s' if warnings > 1 else ''}", "yellow"))
    number = next((d.code.number for d in diagnostics if d.severity == ERROR), diagnostics[0].code.number)
    return f"{', '.join(counts)}; `nxdc explain {number}` tells more"
