"""pytest glue: every case of a `*.test` file is an item, `--update` records, failures say how to repeat them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness import compiler
from tests.harness.parse import Case, TestFileError, read_cases
from tests.harness.runner import CaseFailure, run_case


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update`."""
    parser.addoption("--update", action="store_true", help="write recorded sections of *.test files anew, for review")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to record where nobody reads the difference."""
    if config.getoption("--update") and os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise pytest.UsageError("--update rewrites expectations for review: not in CI")
    compiler.prepare_environment()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take the data files."""
    if file_path.suffix == ".test":
        return DataFile.from_parent(parent, path=file_path)
    return None


class DataFile(pytest.File):
    """One `*.test` file."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its cases."""
        try:
            cases = read_cases(self.path)
        except TestFileError as error:
            raise self.CollectError(str(error)) from error
        for case in cases:
            yield CaseItem.from_parent(self, name=case.name, case=case)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case

    def runtest(self) -> None:
        """Run it, or explain why not."""
        skip = self.case.section("skip")
        if skip is not None:
            pytest.skip(skip.argument)
        known_bug = self.case.section("known-bug")
        factory: pytest.TempPathFactory = self.config._tmp_path_factory  # type: ignore[attr-defined]
        folder = factory.getbasetemp() / self.path.stem / self.case.name
        try:
            run_case(self.case, folder, update=bool(self.config.getoption("--update")) and known_bug is None)
        except CaseFailure as failure:
            if known_bug is not None:
                pytest.xfail(known_bug.argument)
            raise CaseFailure(f"{failure}\nfiles: {folder}\nrepeat: {self._command()}") from None
        if known_bug is not None:
            raise CaseFailure(f"passes now: take the [known-bug] section out of {self.nodeid}")

    def _command(self) -> str:
        return f"make test ONLY={self.nodeid}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A failed case is its text; anything else is a bug of compiler or harness and shows its traceback."""
        if isinstance(excinfo.value, CaseFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the case stands."""
        return self.path, self.case.line - 1, f"{self.path.stem}: {self.case.name}"
