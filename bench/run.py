#!/usr/bin/env python3
"""Build the NXD benchmarks and time them, alone or against other languages.

    python bench/run.py                       every program of bench/nxd: median, least time, CPU time, memory
    python bench/run.py fib sieve --reps 3    some of them
    python bench/run.py --peers DIR cpu       with the programs of a folder of peers and its run.py, which takes
                                              `--extra nxd=FOLDER/{bench}` and gets all options unknown here
    python bench/run.py --build-only          only build

Standard library only. Programs are built with this checkout's compiler at -O2 into --build-dir.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PROGRAMS = HERE / "nxd"


def main() -> int:
    """Build, then run alone or hand over to the peers' runner."""
    options, rest = _options()
    folder = Path(options.build_dir)
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in options.benchmarks if (PROGRAMS / f"{name}.nxd").exists()]
    groups = [name for name in options.benchmarks if name not in names]
    if groups and options.peers is None:
        print(f"unknown benchmarks: {' '.join(groups)}", file=sys.stderr)
        return 2
    wanted = names if names and not groups else sorted(p.stem for p in PROGRAMS.glob("*.nxd"))
    failed = [name for name in wanted if not _build(name, folder, options.level)]
    if options.build_only or (failed and options.peers is None):
        return 1 if failed else 0
    if options.peers is not None:
        return _with_peers(Path(options.peers), folder, [*options.benchmarks, *rest], options.reps)
    return _alone(wanted, folder, options.reps)


def _options() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(description="Build and time the NXD benchmarks.")
    parser.add_argument("benchmarks", nargs="*", help="names of programs (with --peers also groups)")
    parser.add_argument("--peers", metavar="DIR", help="folder with the programs of other languages and their run.py")
    parser.add_argument("--reps", type=int, default=5, help="runs of each program")
    parser.add_argument("--level", default="-O2", help="optimisation level")
    parser.add_argument("--build-dir", default=os.path.join(tempfile.gettempdir(), "nxd-bench"))
    parser.add_argument("--build-only", action="store_true")
    return parser.parse_known_args()


def _build(name: str, folder: Path, level: str) -> bool:
    (folder / name).unlink(missing_ok=True)  # an older one must not be measured in its place
    command = [sys.executable, "-m", "nxdc", "build", level, "-o", str(folder / name), str(PROGRAMS / f"{name}.nxd")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{name}: not built\n{done.stdout}{done.stderr}", file=sys.stderr)
    return done.returncode == 0


def _with_peers(peers: Path, folder: Path, arguments: list[str], reps: int) -> int:
    command = [
        sys.executable,
        str(peers / "run.py"),
        "--extra",
        f"nxd={folder}/{{bench}}",
        "--reps",
        str(reps),
        *arguments,
    ]
    return subprocess.run(command, check=False).returncode


def _alone(names: list[str], folder: Path, reps: int) -> int:
    print(f"{'benchmark':16} {'median s':>9} {'least s':>9} {'cpu s':>9} {'peak MB':>9}  output")
    status = 0
    for name in names:
        runs = [_run(folder / name) for _ in range(reps)]
        walls = [wall for wall, _, _, _ in runs]
        cpu = statistics.median(run[1] for run in runs)
        memory = max(run[2] for run in runs)
        output = runs[0][3]
        status |= any(run[3] != output for run in runs)
        print(
            f"{name:16} {statistics.median(walls):9.3f} {min(walls):9.3f} {cpu:9.3f} {memory:9.1f}  {output}",
            flush=True,
        )
    return int(status)


def _run(program: Path) -> tuple[float, float, float, str]:
    """Wall and CPU seconds, peak MB, the line printed."""
    start = time.perf_counter()
    process = subprocess.Popen([str(program)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    output = process.stdout.read().strip()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode != 0:
        output += f" [exit {process.returncode}]"
    return wall, _cpu(usage), usage.ru_maxrss / 1024, output


def _cpu(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
