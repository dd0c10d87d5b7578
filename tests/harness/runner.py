"""What a case asks for, checked in order: diagnostics, dumps, then the program's behaviour in every mode.

A case that announces errors is only checked. One with `[out]`, `[out unordered]`, `[err]` or `[exit]` is built as a
release at -O2 (linked a second time with the runtime that counts live objects) and for the sanitizers at -O0, and each
binary runs with 1 and with 4 workers: all runs must agree with the expectations, and so with one another. One without
any of these must merely compile without a diagnostic.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.harness import compiler, execute, match
from tests.harness.parse import MAIN_FILE, Case, Section, TestFileError, replace_section

BEHAVIOUR = ("out", "out unordered", "err", "exit")
WORKERS = (1, 4)
# Further orders in which the scheduler takes processes: what a case prints must not depend on them.
SEEDS = range(1, int(os.environ.get("NXD_TEST_SEEDS", "0")) + 1)


class CaseFailure(Exception):
    """A case that is not as expected; the text says how."""


class CaseRun:
    """One case being run in a folder of its own."""

    def __init__(self, case: Case, folder: Path, *, update: bool) -> None:
        self.case = case
        self.folder = folder
        self.update = update
        self.flags = shlex.split(" ".join(case.words_of("flags")))

    def run(self) -> None:
        """Check everything the case states; raise CaseFailure at the first thing that differs."""
        self._write_files()
        with _inside(self.folder):
            unit = compiler.check(self._inputs(), self.flags)
            self._compare_diagnostics(unit)
            self._compare_fixes(unit)
            if unit.has_errors:
                return
            self._compare_dumps(unit)
            if any(self.case.section(word) for word in BEHAVIOUR):
                self._compare_behaviour(unit)

    def _write_files(self) -> None:
        for name, text in self.case.files.items():
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())

    def _inputs(self) -> list[str]:
        """The main program where the case has one, else its only file, else the whole folder."""
        names = list(self.case.files)
        if MAIN_FILE in names:
            return [MAIN_FILE]
        return names if len(names) == 1 else ["."]

    # ---- diagnostics ------------------------------------------------------------------------------------------------

    def _compare_diagnostics(self, unit: compiler.Unit) -> None:
        expected = self.case.annotations()
        rendered = match.normalise(unit.rendered(), str(self.folder))
        recorded = self.case.section("diag")
        if not expected and recorded is not None:
            self._compare_text(recorded, rendered, "diagnostics")
            return
        missing = list(expected)
        surplus: list[str] = []
        for found in unit.found:
            hit = next(
                (
                    e
                    for e in missing
                    if (e.file, e.line, e.code) == (found.file, found.line, found.code) and e.text in found.text
                ),
                None,
            )
            if hit is None:
                surplus.append(f"  {found.file}:{found.line}: {found.code}")
            else:
                missing.remove(hit)
        if missing or surplus:
            lines = [f'  {e.file}:{e.line}: {e.code} "{e.text}"' for e in missing]
            raise CaseFailure(
                "\n".join(
                    [
                        *(["Expected and not reported:", *lines] if lines else []),
                        *(["Reported and not expected:", *surplus] if surplus else []),
                        "All diagnostics:",
                        rendered,
                    ]
                )
            )
        if unit.has_errors and any(self.case.section(word) for word in BEHAVIOUR):
            raise CaseFailure("The program has errors, so it cannot have [out], [err] or [exit].")
        if recorded is not None:
            self._compare_text(recorded, rendered, "diagnostics")

    # ---- fixes ------------------------------------------------------------------------------------------------------

    def _compare_fixes(self, unit: compiler.Unit) -> None:
        """Put in all safe fixes: their diagnostics must go, and the text must be that of `[fixed]`."""
        sections = self.case.all_of("fixed")
        if not sections and not unit.has_safe_fixes:
            return
        fixed = compiler.fix(unit)
        if fixed.left:
            raise CaseFailure("\n".join(["Still there after all safe fixes:", *fixed.left]))
        for section in sections:
            name = section.argument or MAIN_FILE
            self._compare_text(section, fixed.texts.get(name, self.case.files[name]), f"{name}, fixed")

    # ---- dumps ------------------------------------------------------------------------------------------------------

    def _compare_dumps(self, unit: compiler.Unit) -> None:
        for word in ("ast", "core", "mir"):
            for section in self.case.all_of(word):
                actual = compiler.dump(unit, word, section.argument)
                self._compare_text(section, match.normalise(actual, str(self.folder)), word)
        for section in self.case.all_of("llvm has"):
            text = compiler.dump(unit, "llvm", section.argument)
            lacking = match.find_in_order(section.text, text)
            if lacking is not None:
                (self.folder / "main.ll").write_text(text, encoding="utf-8")
                raise CaseFailure(f"The LLVM text (main.ll) does not have, in this order: {lacking}")

    # ---- behaviour --------------------------------------------------------------------------------------------------

    def _compare_behaviour(self, unit: compiler.Unit) -> None:
        modes = [
            execute.Mode(f"{name}, {workers} workers", binary, workers)
            for name, binary in self._binaries(unit)
            for workers in WORKERS
        ]
        env = dict(word.split("=", 1) for word in shlex.split(" ".join(self.case.words_of("env"))))
        arguments = shlex.split(" ".join(self.case.words_of("args")))
        stdin = self.case.text_of("stdin") or ""
        if env.get("NXD_WORKERS"):
            modes = modes[:: len(WORKERS)]
        modes += [replace(mode, name=f"{mode.name}, seed {seed}", seed=seed) for seed in SEEDS for mode in modes]
        results = execute.run_all(modes, self.folder, arguments, stdin, env)
        for result in results:
            self._compare_result(result)

    def _binaries(self, unit: compiler.Unit) -> Iterator[tuple[str, Path]]:
        folder = self.folder
        release, checked = compiler.build_release(unit, folder / "release", folder / "checked")
        yield "release -O2", release
        yield "leak check -O2", checked
        if compiler.can_sanitize():
            yield "sanitizers -O0", compiler.build(unit, folder / "sanitized", level=0, sanitize=True)
        else:
            yield "release -O0", compiler.build(unit, folder / "plain", level=0, sanitize=False)
        if os.environ.get("NXD_TEST_LEVELS"):
            for level in os.environ["NXD_TEST_LEVELS"].split(","):
                yield f"release -O{level}", compiler.build(unit, folder / f"O{level}", level=int(level), sanitize=False)

    def _compare_result(self, result: execute.Result) -> None:
        mode = result.mode.name
        out = match.normalise(result.out, str(self.folder))
        err = match.normalise(result.err, str(self.folder))
        seen = f"--- out ({mode})\n{out[-4000:]}\n--- err ({mode})\n{err[-6000:]}"
        if result.timed_out:
            raise CaseFailure(f"{mode}: still running after {execute.SECONDS:g} s\n{seen}")
        if result.status < 0:
            raise CaseFailure(f"{mode}: killed by signal {-result.status}\n{seen}")
        for word, mark in (
            ("a sanitizer report", "Sanitizer"),
            ("a leak", "leak:"),
            ("a sanitizer report", "runtime error:"),
        ):
            if mark in err:
                raise CaseFailure(f"{mode}: {word}\n{seen}")
        unordered = self.case.section("out unordered")
        if unordered is not None:
            if not match.matches_unordered(unordered.text, out):
                self._differs(unordered, out, f"out ({mode})")
        else:
            self._compare_text(self.case.section("out") or _empty("out"), out, f"out ({mode})", also=seen)
        self._compare_text(self.case.section("err") or _empty("err"), err, f"err ({mode})", also=seen)
        wanted = self.case.exit_status or 0
        if result.status != wanted:
            raise CaseFailure(f"{mode}: exit status {result.status}, expected {wanted}\n{seen}")

    # ---- texts ------------------------------------------------------------------------------------------------------

    def _compare_text(self, section: Section, actual: str, label: str, also: str = "") -> None:
        if not match.matches(section.text, actual):
            self._differs(section, actual, label, also)

    def _differs(self, section: Section, actual: str, label: str, also: str = "") -> None:
        if self.update:
            replace_section(self.case.path, self.case.name, section.word, section.argument, actual)
            # The other modes are compared with what this one just recorded.
            renewed = Section(section.word, section.argument, actual, section.first_line, section.end_line)
            self.case.sections = [s for s in self.case.sections if s is not section] + [renewed]
            return
        raise CaseFailure(f"{match.difference(section.text, actual, label)}\n{also}".rstrip())


def _empty(word: str) -> Section:
    return Section(word, "", "", 0, 0)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Work in a folder, so that programs and diagnostics name files as the case does."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_case(case: Case, folder: Path, *, update: bool) -> None:
    """Run a case; its folder is kept when it fails and removed when it passes."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    try:
        CaseRun(case, folder, update=update).run()
    except TestFileError as error:
        raise CaseFailure(str(error)) from error
    except compiler.Broken as error:
        raise CaseFailure(error.report) from error
    shutil.rmtree(folder, ignore_errors=True)
