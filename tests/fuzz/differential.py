"""Build random programs in every way there is and compare what they do.

    python -m tests.fuzz.differential --minutes 30 [--seed 1] [--keep FOLDER]

A program is built at -O0 and at -O2, the -O2 object also with the runtime that counts live objects, and for the
sanitizers, and runs with 1 and 4 workers, some of them in other orders of the processes (NXD_SCHED_SEED). All must
print the same and end alike. A program for which they do not is kept, whole and shrunk.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tests.fuzz import reduce
from tests.fuzz.modules import files
from tests.fuzz.programs import program
from tests.harness import compiler, execute

WORKERS = (1, 4)


def finding(text: str, folder: Path) -> str | None:
    """What is wrong with a program, or None."""
    try:
        unit = check(text, folder)
        if unit.has_errors:
            return "rejected\n" + unit.rendered()
        binaries = _binaries(unit, folder)
    except compiler.Broken as broken:
        return f"compiler\n{broken.report}"
    modes = [execute.Mode(f"{name}, {n} workers", binary, n) for name, binary in binaries for n in WORKERS]
    modes += [replace(mode, name=f"{mode.name}, another order", seed=len(text)) for mode in modes[2:6]]
    return _compare(execute.run_all(modes, folder, [], "", {}))


def check(text: str, folder: Path) -> compiler.Unit:
    """Write the files of a program and check it."""
    sources = folder / "src"
    shutil.rmtree(sources, ignore_errors=True)
    parts = files(text)
    for name, part in parts.items():
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text(part, encoding="utf-8")
    return compiler.check([str(sources if len(parts) > 1 else sources / "main.nxd")], [])


def _binaries(unit: compiler.Unit, folder: Path) -> list[tuple[str, Path]]:
    release, counted = compiler.build_release(unit, folder / "o2", folder / "o2-leaks")
    plain = compiler.build(unit, folder / "o0", level=0, sanitize=False)
    binaries = [("-O0", plain), ("-O2", release), ("leak check -O2", counted)]
    if compiler.can_sanitize():
        binaries.append(("sanitizers", compiler.build(unit, folder / "san", level=0, sanitize=True)))
    return binaries


def _compare(results: list[execute.Result]) -> str | None:
    first = results[0]
    if all(result.timed_out for result in results):
        return f"hang\nno run ends within {execute.SECONDS} s"
    for result in results:
        if result.timed_out:
            return f"hang\n{result.mode.name} does not end"
        for what in ("status", "out", "err"):
            ours, theirs = _told(first, what), _told(result, what)
            if ours != theirs:
                report = (
                    f"{what}\n{first.mode.name}:\n{_ending(ours, theirs)}\n{result.mode.name}:\n{_ending(theirs, ours)}"
                )
                return report + ("" if what == "err" else f"\nits stderr:\n{result.err[:3000]}")
    return None if first.status in (0, 1) else f"status\n{first.status} in every build\n{first.err}"


def _told(result: execute.Result, what: str) -> object:
    """A part of what a run did. The reports of several failed processes come in any order."""
    value = getattr(result, what)
    return "".join(sorted(re.split(r"^(?=error: )", value, flags=re.M))) if what == "err" else value


def _ending(text: object, other: object) -> str:
    """The part from the first line that differs, a few lines of it."""
    mine, theirs = str(text).split("\n"), str(other).split("\n")
    at = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs)))
    return "\n".join(f"    {line}" for line in mine[max(0, at - 1) : at + 12])


def keep(seed: int, text: str, report: str, folder: Path, target: Path, seconds: float) -> None:
    """Write a bad program down, whole and shrunk."""
    kind = report.split("\n")[0]

    def is_bad(candidate: str) -> bool:
        found = finding(candidate, folder)
        return (
            found is not None and found.split("\n")[0] == kind and (kind != "compiler" or _last(found) == _last(report))
        )

    target.mkdir(parents=True, exist_ok=True)
    (target / f"{seed}.nxd").write_text(text, encoding="utf-8")
    (target / f"{seed}.txt").write_text(report, encoding="utf-8")
    small = reduce.simpler(seed, text, is_bad, seconds / 2)
    small = reduce.without_statements(small, is_bad, seconds / 2)
    (target / f"{seed}.small.nxd").write_text(small, encoding="utf-8")
    (target / f"{seed}.small.txt").write_text(finding(small, folder) or report, encoding="utf-8")


def _last(report: str) -> str:
    return report.strip().split("\n")[-1][:60]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.differential", description="Compare all builds.")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=1, help="the first program's seed; the next ones follow")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"), help="where bad programs are written")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="programs at a time")
    parser.add_argument("--shrink-seconds", type=float, default=60.0, help="how long to make one program smaller")
    options = parser.parse_args(arguments)
    compiler.prepare_environment()
    with multiprocessing.Pool(options.jobs) as pool:
        results = pool.starmap(search, [(options, number) for number in range(options.jobs)], chunksize=1)
    programs, found = (sum(column) for column in zip(*results, strict=True))
    print(f"{programs} programs, {found} findings{f' in {options.keep}' if found else ''}")
    return 1 if found else 0


def search(options: argparse.Namespace, first: int) -> tuple[int, int]:
    """Try every so manieth seed until the time is over. How many programs and findings."""
    end, programs, found = time.monotonic() + 60 * options.minutes, 0, 0
    with tempfile.TemporaryDirectory(prefix="nxd-fuzz-") as name:
        folder = Path(name)
        while time.monotonic() < end:
            seed = options.seed + first + programs * options.jobs
            programs += 1
            text = program(seed)
            report = finding(text, folder)
            if report is not None:
                found += 1
                print(f"seed {seed}: {report[:1500]}", flush=True)
                keep(seed, text, report, folder, options.keep.resolve(), options.shrink_seconds)
    return programs, found


if __name__ == "__main__":
    os.environ.setdefault("NXD_TEST_SECONDS", "15")
    sys.exit(main(sys.argv[1:]))
