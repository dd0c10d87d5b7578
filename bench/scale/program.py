"""A large program by a generator: many modules in folders, a realistic mix, every function used from MAIN.

    python bench/scale/program.py --lines 10000 --out DIR [--seed 1]

Input:  how many lines, and a seed that decides everything else.
Output: `DIR/<folder>/<module>.nxd`; `nxdc run DIR` prints a checksum for each module and one for all, the same whatever
        the level, the number of workers and the machine.
"""

from __future__ import annotations

import argparse
import functools
import sys
from pathlib import Path
from random import Random
from string import Template

HERE = Path(__file__).resolve().parent
if __package__ in (None, ""):
    sys.path.insert(0, str(HERE.parent.parent))

from bench.scale.shapes import SHAPES  # noqa: E402

FOLDERS = ("billing", "catalog", "fleet", "ledger", "network", "planning", "reports", "sensors", "storage", "users")
PARTS = ("alpha", "core", "cost", "demo", "edge", "flow", "gate", "hub", "index", "jobs", "keys", "links")
ADJECTIVES = (
    "OPEN", "LATE", "DAILY", "HEAVY", "INNER", "OUTER", "FIRST", "SPARE", "LOCAL", "REMOTE", "QUIET", "RAPID", "GREEN",
    "COLD", "PRIME", "LOOSE", "MAJOR", "MINOR", "DEEP", "PLAIN", "ROUND", "SHARP", "SOLID", "STEEP", "VALID", "WIDE",
)  # fmt: skip
NOUNS = (
    "ORDER", "INVOICE", "SENSOR", "READING", "ROUTE", "PACKET", "SESSION", "ACCOUNT", "BATCH", "REPORT", "METER",
    "PRODUCT", "SHELF", "DEPOT", "TRUCK", "FLIGHT", "PATIENT", "LESSON", "GRADE", "SCORE", "PLAYER", "TEAM", "BRANCH",
    "LEAF", "BRIDGE", "TICKET", "VOUCHER", "WINDOW", "CABLE", "SIGNAL", "CARRIER", "HARBOR",
)  # fmt: skip


@functools.cache
def _template(name: str) -> str:
    return (HERE / "templates" / f"{name}.nxd.in").read_text(encoding="utf-8").rstrip("\n")


class Names:
    """Nouns nobody has used yet."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._round = 0
        self._left: list[str] = []

    def next(self) -> str:
        if not self._left:
            self._left = [f"{a}_{n}" for a in ADJECTIVES for n in NOUNS]
            self._random.shuffle(self._left)
            self._round += 1
        name = self._left.pop()
        return name if self._round == 1 else f"{name}{self._round}"


class ModuleWriter:
    """One module: a `Shelf` for the shapes."""

    def __init__(self, random: Random, names: Names, name: str, imports: list[ModuleWriter]) -> None:
        self.random = random
        self.name = name
        self.exported: list[str] = []  # its functions from int to int
        self._names = names
        self._imports = imports
        self._uses: list[str] = []
        self._body: list[str] = []

    def noun(self) -> str:
        return self._names.next()

    def put(self, template: str, **names: object) -> None:
        self._body += [*Template(_template(template)).substitute(names).split("\n"), ""]

    def use(self, expression: str) -> None:
        self._uses.append(expression)

    def helpers(self) -> list[str]:
        return self.exported + [name for module in self._imports for name in module.exported]

    def helper(self, name: str) -> None:
        self.exported.append(name)

    def lines(self) -> list[str]:
        imports = ["IMPORT base.mix", *(f"IMPORT {module.name}" for module in self._imports)]
        sums = [f"    ACC SET MIX(ACC, {use})" for use in self._uses]
        last = ["FUNC RUN(): int:", f"    LET ACC SET {len(self._uses)}", *sums, "    RETURN ACC"]
        return [f"MODULE {self.name}", *imports, "", *self._body, *last]

    def size(self) -> int:
        return len(self._body) + len(self._uses) + len(self._imports) + 6


def program(lines: int, seed: int = 1) -> dict[str, str]:
    """The files of a program of about so many lines, by path."""
    random = Random(seed)
    names = Names(random)
    modules: list[ModuleWriter] = []
    base = _template("base") + "\n"
    left = lines - base.count("\n") - 10
    while left > 30:
        module = _module(random, names, modules, left)
        modules.append(module)
        left -= module.size() + 2  # two lines of app.main
    files = {"base/mix.nxd": base, "app/main.nxd": _main(modules)}
    for module in modules:
        files[module.name.replace(".", "/") + ".nxd"] = "\n".join(module.lines()) + "\n"
    return files


def _module(random: Random, names: Names, before: list[ModuleWriter], left: int) -> ModuleWriter:
    number = len(before)
    folder, part = FOLDERS[number % len(FOLDERS)], number // len(FOLDERS)
    name = PARTS[part % len(PARTS)] + (str(part // len(PARTS)) if part >= len(PARTS) else "")
    imports = random.sample(before, min(len(before), random.randint(1, 4)))
    module = ModuleWriter(random, names, f"{folder}.{name}", imports)
    size = random.randint(90, 180)
    for shape in random.sample(SHAPES, len(SHAPES)):
        shape(module)
        if module.size() >= min(size, left - 20):
            break
    return module


def _main(modules: list[ModuleWriter]) -> str:
    imports = [f"IMPORT {module.name}" for module in modules]
    out = ["MODULE app.main", "IMPORT base.mix", *imports, "", "LET TOTAL SET 0", ""]
    out += ["FUNC NOTE(NAME: string, SUM_OF: int):", "    TOTAL SET MIX(TOTAL, SUM_OF)"]
    out += ['    PRINTLN(NAME ADD " " ADD SUM_OF)', "", "FUNC MAIN():"]
    out += [f'    NOTE("{module.name}", {module.name}.RUN())' for module in modules]
    out.append('    PRINTLN("total " ADD TOTAL)')
    return "\n".join(out) + "\n"


def write(files: dict[str, str], folder: Path) -> None:
    """The files of a program into a folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def main() -> None:
    """Write a program."""
    parser = argparse.ArgumentParser(description="Write a large generated NXD program.")
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    files = program(options.lines, options.seed)
    write(files, options.out)
    print(f"{sum(text.count(chr(10)) for text in files.values())} lines in {len(files)} modules")


if __name__ == "__main__":
    main()
