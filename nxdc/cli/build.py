"""Building, for the commands `build` and `run`: the cache, then the stages, then the program and its warnings.

Input:  options and a console.
Output: a `Built`; a `Failed` exception when the program has errors, which have been printed then.
"""

from __future__ import annotations

import os
import time
from typing import Any

from nxdc.cli.console import FORMS, Console, Progress, render
from nxdc.driver import Compilation, Options
from nxdc.link.cache import Cached, hash_source, look_up, question_key, remember
from nxdc.source.record import Record


class Failed(Exception):
    """The program has errors, or warnings under --werror. Everything has been said."""


class Built(Record):
    """A finished program: the bytes, or where the cache has them; the files it came from; the times of the stages."""

    program: bytes | None
    path: str | None
    sources: tuple[str, ...]
    times: list[tuple[str, float]]

    def read(self) -> bytes:
        """The program."""
        if self.program is not None:
            return self.program
        assert self.path is not None
        with open(self.path, "rb") as handle:
            return handle.read()


def build(options: Options, console: Console, werror: bool) -> Built:
    """Compile, or take the program of an earlier compile."""
    begin = time.perf_counter()
    key = question_key(options.facts())
    cached = look_up(key)
    if cached is not None:
        console.show(cached.warnings.get(console.form, ""))
        if werror and cached.warning_count:
            raise Failed
        return Built(None, cached.program, options.paths, [("cache", (time.perf_counter() - begin) * 1e3)])
    return _compile(options, console, werror, key)


def _compile(options: Options, console: Console, werror: bool, key: str) -> Built:
    from nxdc.cli.work import run_deep
    from nxdc.driver import compile_until

    progress = Progress()
    compilation = Compilation(options, progress.enter)
    ready = run_deep(lambda: compile_until(compilation, "link"), progress)
    warnings = {form: render(compilation.sink, form) for form in FORMS} if ready else {}
    console.show(warnings[console.form] if ready else render(compilation.sink, console.form))
    count = len(compilation.sink.diagnostics()) if ready else 0
    if not ready or (werror and count):
        raise Failed
    program: bytes = compilation["link"]
    loaded = compilation["load"]
    path = _keep(key, options, loaded, program, Cached("", warnings, count))
    sources = tuple(source.path for source in loaded.sources)
    return Built(program, path, sources, compilation.times)


def _keep(key: str, options: Options, loaded: Any, program: bytes, shown: Cached) -> str | None:
    """Put the program into the cache, unless a source has changed since it was read."""
    sources: dict[str, str] = {}
    for source in loaded.sources:
        digest = hash_source(source.path, source.text)
        if digest is None:
            return None
        sources[source.path] = digest
    deep = {path for path in options.paths if os.path.isdir(path)}
    flat = {os.path.dirname(path) or "." for path in sources} | set(loaded.roots)
    folders = [(path, True) for path in sorted(deep)] + [(path, False) for path in sorted(flat - deep)]
    return remember(key, sources, folders, program, shown)
