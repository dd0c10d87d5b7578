"""How fast the compiler is: CPU seconds of `check`, `build` and an unchanged rebuild of the reference program.

    python bench/compile_speed.py [--runs N] [--program FILE] [--json]

Each figure is the median of user + system time of the whole command, with all its children (C compiler,
linker), as the kernel counts it. What a machine pays for once is paid before: byte code, parser tables, the
compiled runtime. Before each `build` the cache of finished programs is emptied, so that it really builds. The
limits are those the project has set itself; exit status 1 when one is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = {"check": 0.35, "build": 1.00, "rebuild": 0.30}


def run(arguments: list[str], cache: Path) -> float:
    """CPU seconds of one `nxdc` command and its children. Any failure ends the benchmark."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["NXDC_CACHE"] = str(cache)
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "nxdc", *arguments]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"`nxdc {' '.join(arguments)}` failed with status {process.returncode}:\n{errors}")
    return usage.ru_utime + usage.ru_stime


def measure(program: Path, runs: int) -> dict[str, float]:
    """The median of each figure."""
    with tempfile.TemporaryDirectory(prefix="nxdc-bench-") as folder:
        cache = Path(folder, "cache")
        output = str(Path(folder, "program"))
        check, build = ["check", str(program)], ["build", str(program), "-o", output]
        run(build, cache)  # parser tables, byte code, the runtime
        run(check, cache)
        times: dict[str, list[float]] = {name: [] for name in LIMITS}
        for _ in range(runs):  # the commands take turns, so that a slow moment of the machine hits all alike
            times["check"].append(run(check, cache))
            shutil.rmtree(cache / "programs", ignore_errors=True)
            times["build"].append(run(build, cache))
            times["rebuild"].append(run(build, cache))
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="CPU seconds of check, build and rebuild of the reference program")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--program", type=Path, default=ROOT / "examples" / "jobs.nxd")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = measure(arguments.program, arguments.runs)
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, seconds in figures.items():
            verdict = "ok" if seconds < LIMITS[name] else "too slow"
            print(f"{name:<8} {seconds:6.3f} s CPU   limit {LIMITS[name]:.2f} s   {verdict}")
    return 0 if all(figures[name] < limit for name, limit in LIMITS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
