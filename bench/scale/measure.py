"""How the compiler fares with a large program: time and memory of check, build and rebuild, by stage.

    python bench/scale/measure.py [--lines 10000] [--seed 1]

The generated program (program.py) is checked, built at -O0 and at -O2, and built again after a change in one module;
each command alone, with an empty cache of programs but with parser tables, byte code and the runtime there. CPU
seconds and the peak of memory are those of the command with all its children, as the kernel counts them; the stages
are those of `--time`. The programs of both levels must print the same. Ends with status 1 when `check` takes more
than its limit.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
if __package__ in (None, ""):
    sys.path.insert(0, str(ROOT))

from bench.scale.program import program, write  # noqa: E402

CHECK_LIMIT = 3.0  # s of CPU for 10,000 lines
_STAGES = ("load", "check", "lower", "opt", "codegen", "runtime", "link")


def run(arguments: list[str], cache: Path) -> float:
    """Run a command of nxdc and print what it took; its CPU seconds. A failure ends the benchmark."""
    wall, cpu, memory, errors = _timed(arguments, cache)
    stages = {name: float(spent) for name, spent in re.findall(r"^(\w+) +([\d.]+) ms", errors, re.MULTILINE)}
    shown = ", ".join(f"{name} {stages[name] / 1000:.2f}" for name in _STAGES if name in stages)
    level = next((word for word in arguments if word.startswith("-O")), "")
    print(f"{arguments[0]:<6} {level:<4} {wall:7.2f} {cpu:7.2f} {memory:8.0f}   {shown}", flush=True)
    return cpu


def _timed(arguments: list[str], cache: Path) -> tuple[float, float, float, str]:
    environment = {**os.environ, "NXDC_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "nxdc", *arguments]
    begin = time.perf_counter()
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if process.returncode != 0:
        sys.exit(f"`nxdc {' '.join(arguments)}` failed with status {process.returncode}:\n{errors}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, errors


def change(folder: Path) -> None:
    """Change a number in one module, and move its lines."""
    module = max(path for path in folder.glob("*/*.nxd") if path.parent.name not in ("app", "base"))
    text = module.read_text(encoding="utf-8")
    module.write_text(text.replace("LET ACC SET ", "\n    LET ACC SET 1 ADD ", 1), encoding="utf-8")


def main() -> int:
    """Generate, measure, compare."""
    parser = argparse.ArgumentParser(description="Time and memory of the compiler for a large generated program.")
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nxd-scale-") as scratch:
        folder, cache = Path(scratch, "program"), Path(scratch, "cache")
        files = program(options.lines, options.seed)
        write(files, folder)
        print(f"{sum(text.count(chr(10)) for text in files.values())} lines in {len(files)} modules")
        hello = Path(scratch, "hello.nxd")
        hello.write_text('PRINTLN("hello")\n', encoding="utf-8")
        _timed(["build", str(hello), "-o", f"{scratch}/hello"], cache)  # parser tables, byte code, the runtime
        shutil.rmtree(cache / "programs")
        print(f"{'':<11} {'wall s':>7} {'CPU s':>7} {'peak MB':>8}   stages, wall s")
        check = run(["check", "--time", str(folder)], cache)
        outputs = []
        for level in ("-O0", "-O2"):
            run(["build", level, "--time", str(folder), "-o", f"{scratch}/built{level}"], cache)
            outputs.append(subprocess.run([f"{scratch}/built{level}"], capture_output=True, check=True).stdout)
        change(folder)
        print("after a change in one module:")
        run(["build", "-O2", "--time", str(folder), "-o", f"{scratch}/again"], cache)
    if outputs[0] != outputs[1]:
        print("the programs of -O0 and -O2 print different things")
        return 1
    limit = CHECK_LIMIT * max(1.0, options.lines / 10_000)
    print(f"check took {check:.2f} s of CPU; the limit is {limit:.1f} s: {'ok' if check <= limit else 'too slow'}")
    return 0 if check <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
