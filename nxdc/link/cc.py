"""The system's C compiler, used for two things: compiling the runtime once a machine, and linking.

Binaries hold the runtime and use the system's C library dynamically. Measured on Debian 12 (glibc 2.36,
x86-64), hello world, stripped: with glibc linked statically 680-770 KB and 0.5 ms of start-up, dynamically 14
KB plus our runtime and 0.8 ms; "static as far as libc allows, under 200 KB" leaves only the second. `--static`
gives the first to who wants one file for containers without a libc.

gold (or mold, lld) links in a bit more than half the time of GNU ld (19 ms against 32 ms for hello), so the
fastest that is present and works is used; which one that is is found out once and remembered beside the
compiled runtime.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from nxdc.link.store import subfolder
from nxdc.problem import Problem
from nxdc.source.cachedir import read_sealed, write_sealed
from nxdc.source.record import Record
from nxdc.source.scratch import scratch_folder

FAST_LINKERS = ("mold", "lld", "gold")
_ENDED = re.compile(r"terminated with signal \d+ \[([^\]]*)|error: (.*) signal terminated program")  # what cc starts
SANITIZERS = "-fsanitize=address,undefined"


class ToolFailed(Exception):
    """The C compiler or linker refused our input: a bug of the compiler. `output` is what the tool said."""

    def __init__(self, tool: str, output: str) -> None:
        super().__init__(f"{tool} failed")
        self.tool = tool
        self.output = output
        self.stage = tool


class CCompiler(Record):
    """`command` is what to run, `identity` changes when the compiler does (found without starting it)."""

    command: tuple[str, ...]
    identity: str


@functools.cache
def find_compiler() -> CCompiler:
    """The compiler named by CC, else `cc`, `gcc` or `clang`; a Problem when there is none."""
    named = os.environ.get("CC", "").strip()
    try:
        candidates = [shlex.split(named)] if named else [["cc"], ["gcc"], ["clang"]]
    except ValueError:
        raise Problem(f"the environment variable CC is not a command: `{named}`") from None
    for words in candidates:
        path = shutil.which(words[0])
        if path is not None:
            status = os.stat(path)
            identity = f"{' '.join(words)} {os.path.realpath(path)} {status.st_size} {status.st_mtime_ns}"
            return CCompiler((path, *words[1:]), identity)
    if named:
        raise Problem(f"the C compiler `{named}` named by CC is not on the PATH")
    raise Problem(
        "no C compiler found (tried cc, gcc, clang)", "install gcc or clang, or set CC; it is needed to link programs"
    )


def run_tool(tool: str, arguments: list[str], folder: Path | None = None) -> None:
    """Run the C compiler. What the machine is to blame for becomes a Problem, all else ToolFailed."""
    command = [*find_compiler().command, *arguments]
    environment = {**os.environ, "LC_ALL": "C", "TMPDIR": tempfile.gettempdir()}  # one that can be written
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        raise Problem(f"cannot start the C compiler `{command[0]}`: {(error.strerror or str(error)).lower()}") from None
    if done.returncode == 0:
        result = os.path.join(folder or "", arguments[arguments.index("-o") + 1])
        if not os.path.exists(result) or not os.path.getsize(result):
            raise Problem(f"the C compiler `{shlex.join(find_compiler().command)}` has written nothing")
        return
    output = (done.stderr + done.stdout).decode("utf-8", "replace")
    if "No space left on device" in output or "file truncated" in output:
        raise Problem("the disk is full: the C compiler could not write its output")
    if "Read-only file system" in output or "Permission denied" in output:
        raise Problem("the C compiler could not write its output: permission denied")
    if "cannot execute" in output and "No such file" in output:
        raise Problem(
            f"the C compiler `{command[0]}` is not complete on this machine: {output.strip().splitlines()[-1]}"
        )
    if any(words in output for words in ("Cannot allocate memory", "memory exhausted", "out of memory")):
        raise Problem("the C compiler has not enough memory")
    ended = _ENDED.search(output)
    if done.returncode < 0 or ended is not None:
        which = "".join(f" ({name.lower()})" for name in (ended.groups() if ended is not None else ()) if name)
        raise Problem(f"the C compiler was ended by a signal{which} while it did: {tool}")
    for file in ("stdlib.h", "stdio.h", "crt1.o", "Scrt1.o"):
        if file in output and ("No such file" in output or "cannot find" in output):
            raise Problem(
                "the C library's development files are missing", "install them (Debian: apt-get install libc6-dev)"
            )
    if tool != "probe" and "undefined" not in output and not _probe([]):  # our input is not to blame
        reason = next((line.strip() for line in output.splitlines() if line.strip()), f"status {done.returncode}")
        raise Problem(f"the C compiler `{shlex.join(find_compiler().command)}` does not work: {reason}")
    raise ToolFailed(tool, output)


def _probe(arguments: list[str]) -> bool:
    """Whether a small program with threads and mathematics links with these arguments and starts."""
    source = (
        "#include <pthread.h>\n#include <math.h>\nstatic void *f(void *a) { return a; }\n"
        "int main(int c, char **v) { pthread_t t; (void)v; pthread_create(&t, 0, f, 0); pthread_join(t, 0); "
        "return pow(c, 2.0) > 1e9; }\n"
    )
    with scratch_folder() as folder:
        Path(folder, "probe.c").write_text(source)
        try:
            run_tool("probe", [*arguments, "probe.c", "-o", "probe", "-lm", "-lpthread"], Path(folder))
            return subprocess.run([os.path.join(folder, "probe")], timeout=20, check=False).returncode == 0
        except (ToolFailed, Problem, OSError, subprocess.TimeoutExpired):
            return False


def _remembered(question: str, find: Callable[[], str]) -> str:
    """The answer to a question about this machine: found out once, then kept."""
    folder = subfolder("probes")
    if folder is None:
        return find()
    key = hashlib.sha256(f"{find_compiler().identity}\n{question}".encode()).hexdigest()[:32]
    path = os.path.join(folder, key)
    kept = read_sealed(path)
    if kept is not None:
        return kept.decode("ascii")
    answer = find()
    write_sealed(path, answer.encode("ascii"))
    return answer


@functools.cache
def fast_linker() -> tuple[str, ...]:
    """`-fuse-ld=...` for the fastest linker that works here, or nothing."""
    present = [name for name in FAST_LINKERS if shutil.which(f"ld.{name}")]
    if not present or "-fuse-ld" in os.environ.get("CC", ""):
        return ()
    flags = [f"-fuse-ld={name}" for name in present]
    answer = _remembered(" ".join(["linker", *present]), lambda: next((flag for flag in flags if _probe([flag])), ""))
    return (answer,) if answer else ()


def check_static() -> None:
    """A Problem when the machine cannot link the C library statically."""
    if _remembered("static", lambda: "yes" if _probe(["-static"]) else "no") != "yes":
        raise Problem(
            "this machine cannot link static programs", "install the C library's static archive, or leave out --static"
        )


def _section_flags() -> list[str]:
    if sys.platform == "darwin":
        return ["-Wl,-dead_strip"]
    return ["-Wl,--gc-sections", "-Wl,--as-needed", "-Wl,-z,relro", "-Wl,-z,noexecstack", "-Wl,--build-id=none"]


def link(
    objects: list[Path], output: Path, *, sanitize: bool = False, strip: bool = False, static: bool = False
) -> None:
    """Link object files to the program `output`. Equal input in equal order gives equal bytes."""
    arguments = [*fast_linker(), *_section_flags()]
    if sanitize:
        arguments.append(SANITIZERS)
    elif static:
        check_static()
        arguments.append("-static")
    if strip:
        arguments.append("-s")
    arguments += [*(str(path) for path in objects), "-o", str(output), "-lpthread"]
    if not sanitize:
        # Few programs need libm once unused functions are gone, and loading it is an eighth of the start-up. The
        # linker cannot tell by itself: --as-needed looks at unused functions too.
        try:
            run_tool("link", arguments)
            return
        except ToolFailed as failed:
            if "undefined" not in failed.output:
                raise
    run_tool("link", [*arguments, "-lm"])
