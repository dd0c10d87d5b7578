"""Mangle valid programs token by token; the compiler must answer each with diagnostics and nothing else.

    python -m tests.fuzz.mutate --count 20000 [--seed 1] [--keep FOLDER]

The programs are those of tests/lang and examples/. Each mutant is checked in this process: an exception, a report of
a bug of the compiler, or more than a few seconds is a finding, which is kept as a file.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

from tests.harness import compiler, parse

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 10
_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[A-Za-z_][A-Za-z0-9_]*|\d[\w.]*|\n[ \t]*|[ \t]+|=>|\.\.\.|[^\w\s]')
_WORDS = r"""
LET SET FUNC RETURN IF ELSE OTHERWISE LOOP BREAK CONTINUE CASE TRY CATCH FINALLY MATCH AND OR NOT ADD SUB MUL
DIV EQ LT IN HAS IS AS TO FROM STEP WHILE WHEN SEND RECV SPAWN AWAIT MOVE CLONE BORROW PIPE PIPEMAP THEN TYPE
STRUCT UNION ENUM MODULE IMPORT EXPORT TRAIT IMPL FOR WHERE SELECT TIMEOUT THROW RAISE CONST NONE SOME OK ERR
true false none int string any fn LIST MAP CHANNEL TASK OPTION X E1004 ( ) [ ] { } < > , . : => ... = + - ""
"a 0 1.5 99999999999999999999 _ x $ \ // # not and if
"""
WORDS = _WORDS.split()


class TooSlow(BaseException):
    """A check that takes longer than anything of that size may. Not an Exception: the compiler must not catch it."""


def corpus() -> list[str]:
    """The text of every valid single-file program, in a fixed order."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.nxd"))]
    for path in sorted((ROOT / "tests" / "lang").rglob("*.test")):
        for case in parse.parse_cases(path, path.read_text(encoding="utf-8")):
            if list(case.files) == [parse.MAIN_FILE] and not case.annotations():
                texts.append(case.files[parse.MAIN_FILE])
    return texts


def mutant(random: Random, texts: Sequence[str]) -> str:
    """One program with a few tokens left out, doubled, exchanged, or put in from a list or from another program."""
    tokens = _TOKEN.findall(random.choice(texts))
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        at = random.randrange(len(tokens) or 1)
        choice = random.randrange(6)
        if choice == 0:
            tokens[at : at + random.choice((1, 1, 1, 4))] = []
        elif choice == 1:
            tokens[at:at] = tokens[at : at + random.randint(1, 6)]
        elif choice == 2 and tokens:
            other = random.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif choice == 3:
            tokens[at : at + 1] = [random.choice(WORDS)]
        elif choice == 4:
            tokens[at:at] = [random.choice(WORDS), " "]
        else:
            donor = _TOKEN.findall(random.choice(texts))
            start = random.randrange(len(donor) or 1)
            tokens[at:at] = donor[start : start + random.randint(1, 8)]
    return "".join(tokens)


@contextmanager
def _limit(seconds: int) -> Iterator[None]:
    """A limit in processor time: the machine may have other work."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def finding(text: str, source: Path) -> str | None:
    """What goes wrong when a text is checked and its diagnostics are written out, or None."""
    source.write_text(text, encoding="utf-8")
    try:
        with _limit(SECONDS):
            unit = compiler.check([str(source)], [])
            unit.rendered()
    except TooSlow:
        return f"more than {SECONDS} s"
    except compiler.Broken as broken:
        return broken.report
    except Exception as failure:  # anything at all is a finding
        return f"{type(failure).__name__}: {failure}"
    return None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.mutate", description="Check mangled programs.")
    parser.add_argument("--count", type=int, default=1000, help="how many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"), help="where findings are written")
    options = parser.parse_args(arguments)
    compiler.prepare_environment()
    texts, found, begin = corpus(), 0, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nxd-fuzz-") as folder:
        for number in range(options.count):
            text = mutant(Random(f"{options.seed}/{number}"), texts)
            report = finding(text, Path(folder, "main.nxd"))
            if report is not None:
                found += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"mutant{options.seed}-{number}.nxd").write_text(text, encoding="utf-8")
                print(f"mutant {number}: {report[-700:]}", flush=True)
    print(f"{options.count} mutants in {time.monotonic() - begin:.0f} s, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
