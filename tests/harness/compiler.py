"""The one place where the tests call the compiler: in this process, since starting Python costs more than a compile.

A program is checked once; what the checker gives is then lowered for each mode.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nxdc import driver
from nxdc.cli.fixing import fix_program
from nxdc.diagnostics.fixes import fixes_of
from nxdc.diagnostics.model import Diagnostic

CHECKED = ("load", "check")


@dataclass(frozen=True)
class Found:
    """A diagnostic as the annotations speak of it: the text holds headline, labels, notes and helps."""

    file: str
    line: int
    code: str
    text: str


class Broken(Exception):
    """The compiler itself failed; `report` is what a developer wants to see of it."""

    def __init__(self, failure: driver.StageFailed) -> None:
        super().__init__(str(failure))
        frames = "".join(traceback.format_exception(failure.cause)[-8:])
        output = getattr(failure.cause, "output", "")
        self.report = f"The compiler failed in the stage {failure.stage}.\n{frames}{output}"


def _run(compilation: driver.Compilation, last: str) -> bool:
    try:
        return driver.compile_until(compilation, last)
    except driver.StageFailed as failure:
        raise Broken(failure) from failure


class Unit:
    """A checked program."""

    def __init__(self, compilation: driver.Compilation) -> None:
        self.compilation = compilation
        self.diagnostics: list[Diagnostic] = compilation.sink.diagnostics()
        self.has_errors: bool = compilation.sink.has_errors
        self.found = [_found(diagnostic) for diagnostic in self.diagnostics]
        self.has_safe_fixes = bool(fixes_of(self.diagnostics))

    def rendered(self) -> str:
        """The diagnostics as a user sees them without colour."""
        if not self.diagnostics:
            return ""
        from nxdc.diagnostics.render_text import render

        return render(self.diagnostics, color=False)


def _found(diagnostic: Diagnostic) -> Found:
    span = diagnostic.primary.span
    texts = [diagnostic.message, diagnostic.primary.text, *diagnostic.notes, *diagnostic.helps]
    texts += [label.text for label in diagnostic.secondary] + [fix.title for fix in diagnostic.fixes]
    line, _column = span.file.position(span.start)
    name = os.path.normpath(span.file.name)
    return Found(name, line, diagnostic.code.number, "\n".join(texts))


def prepare_environment() -> None:
    """Verify the compiler's own data after every stage, as long as tests run."""
    os.environ["NXDC_VERIFY"] = "1"
    os.environ["NO_COLOR"] = "1"


def _options(paths: list[str], flags: list[str], **changes: Any) -> driver.Options:
    """Options of a case: of the flags of a command line only `--entry M` has a meaning here."""
    entry = None
    rest = list(flags)
    if "--entry" in rest:
        at = rest.index("--entry")
        entry = rest[at + 1]
        del rest[at : at + 2]
    if rest:
        raise ValueError(f"flags without a meaning in a case: {' '.join(rest)}")
    return driver.Options(paths=tuple(paths), entry=entry, **changes)


def check(paths: list[str], flags: list[str]) -> Unit:
    """Check a program."""
    compilation = driver.Compilation(_options(paths, flags))
    _run(compilation, CHECKED[-1])
    return Unit(compilation)


@dataclass(frozen=True)
class Fixed:
    """A program after all safe fixes: the files that changed, and the diagnostics that should have gone."""

    texts: dict[str, str]
    left: list[str]


def fix(unit: Unit) -> Fixed:
    """Put in all safe fixes, in memory. What is left would be fixed by a second run, so this also shows that a second
    run changes nothing."""
    try:
        outcome = fix_program(unit.compilation.options, lambda _file: True)
    except driver.StageFailed as failure:
        raise Broken(failure) from failure
    left = [d for d in outcome.compilation.sink.diagnostics() if fixes_of([d])]
    texts = {os.path.normpath(file.name): file.after for file in outcome.files}
    return Fixed(texts, [f"  {f.file}:{f.line}: {f.code} {f.text}" for f in map(_found, left)])


def _again(unit: Unit, **changes: Any) -> driver.Compilation:
    """A compilation with other options that starts from the checked program."""
    options = unit.compilation.options.replace(**changes)
    fresh = driver.Compilation(options)
    fresh.sink = unit.compilation.sink
    for name in CHECKED:
        fresh.results[name] = unit.compilation.results[name]
    return fresh


def build(unit: Unit, target: Path, *, level: int, sanitize: bool) -> Path:
    """Make the program of a checked unit."""
    fresh = _again(unit, level=level, sanitize=sanitize)
    _run(fresh, "link")
    return _write_program(fresh, target)


def build_release(unit: Unit, target: Path, checked: Path) -> tuple[Path, Path]:
    """The program at -O2, and the same object code with the runtime that counts live objects."""
    first = _again(unit, level=2)
    _run(first, "link")
    second = _again(unit, level=2, leak_check=True)
    second.results |= {name: result for name, result in first.results.items() if name not in ("runtime", "link")}
    _run(second, "link")
    return _write_program(first, target), _write_program(second, checked)


def _write_program(compilation: driver.Compilation, target: Path) -> Path:
    target.write_bytes(compilation["link"])
    target.chmod(0o755)
    return target


def dump(unit: Unit, what: str, function: str) -> str:
    """The text of a stage, of one function where it is named."""
    text = driver.emit(_again(unit), what)
    assert isinstance(text, str)
    return _one_function(text, function) if function else text


def _one_function(text: str, function: str) -> str:
    """The part of a dump about one function: from its header line to the first line that is just `}` or empty."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        words = line.replace("(", " ").replace("@", " ").replace('"', " ").split()
        if words[:1] in (["func"], ["define"]) and function in words:
            end = next((n for n in range(number, len(lines)) if lines[n].strip() in ("", "}")), len(lines) - 1)
            return "\n".join(lines[number : end + 1]) + "\n"
    return f"no function {function}\n"


@cache
def can_sanitize() -> bool:
    """Whether the C compiler of this machine has the sanitizers."""
    if os.environ.get("NXD_TEST_SANITIZE") == "0":
        return False
    from nxdc.link import cc

    with tempfile.TemporaryDirectory(prefix="nxd-test-") as folder:
        source = Path(folder, "probe.c")
        source.write_text("int main(void) { return 0; }\n")
        try:
            cc.run_tool("probe", ["-fsanitize=address,undefined", str(source), "-o", str(Path(folder, "probe"))])
        except Exception:  # any reason: then the tests do without
            return False
    return True
