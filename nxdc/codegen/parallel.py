"""Compiles the units of a program: on all processors, and only those that are not kept from an earlier build.

Other processes, because LLVM as llvmlite has it works on one thing at a time in a process. They take units from a
folder, the largest first, until none is left; this process does the same. What a helper could not do, for whatever
reason, this process does at the end: then it is here that errors are raised.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Protocol

from nxdc.codegen import target
from nxdc.source.scratch import scratch_folder

_ALONE = 4_000  # lines of IR: less is not worth another process
_HELPER = "from nxdc.codegen.parallel import help_out; help_out()"


class Store(Protocol):
    """Object code of earlier builds."""

    def get(self, key: str) -> bytes | None:
        """What is kept under a key."""

    def put(self, key: str, code: bytes) -> None:
        """Keep it."""


def compile_unit(text: str, level: int) -> bytes:
    """Object code of one unit."""
    parsed = target.ParsedModule(text, level)
    parsed.optimize()
    return parsed.object_code()


def compile_units(texts: list[str], level: int, store: Store | None = None) -> list[bytes]:
    """Object code of each unit. A program of one unit is not looked for: whole programs are kept elsewhere."""
    if len(texts) == 1:
        return [compile_unit(texts[0], level)]
    keys = [hashlib.sha256(f"{level}\n{target.identity()}\n{text}".encode()).hexdigest() for text in texts]
    found = {key: code for key in keys if store is not None and (code := store.get(key)) is not None}
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
    for key, code in zip(missing, _compile_all(list(missing.values()), level), strict=True):
        found[key] = code
        if store is not None:
            store.put(key, code)
    return [found[key] for key in keys]


def _compile_all(texts: list[str], level: int) -> list[bytes]:
    lines = sum(text.count("\n") for text in texts)
    helpers = min(_processors(), len(texts), 1 + lines // _ALONE) - 1
    if helpers < 1 or not sys.executable:
        return [compile_unit(text, level) for text in texts]
    with scratch_folder() as folder:
        sizes = sorted(range(len(texts)), key=lambda number: -len(texts[number]))
        files = [""] * len(texts)
        for rank, number in enumerate(sizes):
            files[number] = os.path.join(folder, f"{rank:05}")
            with open(f"{files[number]}.ll", "w", encoding="utf-8") as handle:
                handle.write(texts[number])
        with _helpers(helpers, folder, level):
            _work(folder, level)
        return [_result(file, text, level) for file, text in zip(files, texts, strict=True)]


def _result(file: str, text: str, level: int) -> bytes:
    try:
        with open(f"{file}.o", "rb") as handle:
            return handle.read()
    except FileNotFoundError:
        return compile_unit(text, level)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def _helpers(count: int, folder: str, level: int) -> Iterator[None]:
    """Run helpers beside the body, and wait for them; when the body fails, end them."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", _HELPER, folder, str(level)]
    running: list[subprocess.Popen[bytes]] = []
    try:
        with contextlib.suppress(OSError):  # then without them
            for _ in range(count):
                quiet = subprocess.DEVNULL
                running.append(subprocess.Popen(command, env=environment, stdin=quiet, stdout=quiet, stderr=quiet))
        yield
    except BaseException:
        for process in running:
            process.kill()
        raise
    finally:
        for process in running:
            process.wait()


def help_out() -> None:
    """The body of a helper: folder and level are its arguments."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _work(sys.argv[1], int(sys.argv[2]))


def _work(folder: str, level: int) -> None:
    """Compile what nobody has taken yet."""
    for name in sorted(os.listdir(folder)):
        stem = os.path.join(folder, name.removesuffix(".ll"))
        if not name.endswith(".ll") or not _take(stem):
            continue
        with open(f"{stem}.ll", encoding="utf-8") as handle:
            code = compile_unit(handle.read(), level)
        with open(f"{stem}.part", "wb") as out:
            out.write(code)
        os.replace(f"{stem}.part", f"{stem}.o")


def _take(stem: str) -> bool:
    try:
        os.close(os.open(f"{stem}.taken", os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
