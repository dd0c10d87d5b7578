"""The linker, the runtime archive, the cache of programs, and where results are written."""

from __future__ import annotations

import errno
import os
import re
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest

from nxdc.cli.output import check_target, default_name, write_result
from nxdc.link import cache, cc, runtime, store, units
from nxdc.problem import Problem
from nxdc.source import cachedir


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for this test alone."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("NXDC_CACHE", str(folder))
    for function in (store.cache_root, cc.find_compiler, cc.fast_linker):
        function.cache_clear()
    return folder


@pytest.fixture
def small_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime of one function, in place of the real one."""
    folder = tmp_path / "runtime"
    (folder / "src").mkdir(parents=True)
    (folder / "include").mkdir()
    (folder / "src" / "nxd_all.c").write_text(
        "#include <unistd.h>\nint nxd_program(void);\nint main(void) { return nxd_program(); }\n"
    )
    monkeypatch.setattr(runtime, "source_folder", lambda: folder)
    return folder


def program_object(folder: Path, status: int) -> Path:
    source = folder / "program.c"
    source.write_text(f"int nxd_program(void) {{ return {status}; }}\n")
    cc.run_tool("test", ["-fPIC", "-c", str(source), "-o", str(folder / "program.o")])
    return folder / "program.o"


@pytest.mark.parametrize("how", [{}, {"strip": True}, {"sanitize": True}])
def test_link_makes_a_program_that_runs(tmp_path: Path, small_runtime: Path, how: dict[str, bool]) -> None:
    flavour = "sanitize" if how.get("sanitize") else "release"
    output = tmp_path / "program"
    cc.link([program_object(tmp_path, 7), *runtime.runtime_objects(flavour)], output, **how)
    assert subprocess.run([str(output)], check=False).returncode == 7


def test_runtime_is_compiled_once(small_runtime: Path) -> None:
    first = runtime.runtime_objects("release")
    time = first[0].stat().st_mtime_ns
    assert runtime.runtime_objects("release") == first
    assert first[0].stat().st_mtime_ns == time
    (small_runtime / "src" / "nxd_all.c").write_text("int main(void) { return 1; }\n")
    assert runtime.runtime_objects("release") != first


def test_runtime_made_by_several_at_once(small_runtime: Path, own_cache: Path) -> None:
    results: list[list[Path]] = []
    threads = [threading.Thread(target=lambda: results.append(runtime.runtime_objects("release"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(result == results[0] for result in results)
    assert [entry.name for entry in (own_cache / "runtime").iterdir()] == [results[0][0].parent.name]


def hurt(path: Path, how: str) -> None:
    """What disks, machines without power and people do to files."""
    content = path.read_bytes()
    path.unlink()
    if how == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif how == "zeros":
        path.write_bytes(bytes(len(content)))
    elif how == "other":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    elif how == "folder":
        path.mkdir()
    elif how == "pipe":
        os.mkfifo(path)  # who reads it waits for ever
    elif how == "loop":
        path.symlink_to(path.name)


HARMS = ("gone", "cut", "zeros", "other", "folder", "pipe", "loop")


def test_a_damaged_runtime_is_compiled_again(small_runtime: Path, own_cache: Path) -> None:
    objects = runtime.runtime_objects("release")
    content = objects[0].read_bytes()
    for file in (objects[0], objects[0].parent / "sums"):
        for how in HARMS:
            hurt(file, how)
            assert runtime.runtime_objects("release") == objects, how
            assert objects[0].read_bytes() == content, how
    assert len(list((own_cache / "runtime").iterdir())) == 1


def test_damaged_answers_about_the_machine_are_found_again(own_cache: Path) -> None:
    linker = cc.fast_linker()
    for how in HARMS:
        for path in (own_cache / "probes").iterdir():
            if path.is_file():
                hurt(path, how)
        cc.fast_linker.cache_clear()
        assert cc.fast_linker() == linker, how


def test_damaged_units_and_tables_are_as_good_as_none(own_cache: Path) -> None:
    kept = units.UnitStore()
    kept.put("key", b"code")
    (path,) = (own_cache / "units").iterdir()
    assert kept.get("key") == b"code" and cachedir.write_cached("tables", b"table")
    for how in HARMS:
        hurt(path, how)
        hurt(own_cache / "tables", how)
        assert kept.get("key") is None and cachedir.read_cached("tables") is None, how
        for left in (path, own_cache / "tables"):
            if left.is_dir():
                left.rmdir()
        kept.put("key", b"code")
        cachedir.write_cached("tables", b"table")
        assert kept.get("key") == b"code" and cachedir.read_cached("tables") == b"table", how


def test_the_compiler_works_without_the_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cc ends with a signal where TMPDIR is a folder in which nothing can be made."""
    monkeypatch.setenv("TMPDIR", "/proc")
    assert program_object(tmp_path, 0).exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]", "(file size limit"),
        ("cc: internal compiler error: Killed signal terminated program cc1", "(killed)"),
        ("cc1: out of memory allocating 65536 bytes", "not enough memory"),
        ("as: virtual memory exhausted: Cannot allocate memory", "not enough memory"),
        ("ld: cannot open output file: No space left on device", "disk is full"),
    ],
)
def test_the_machine_is_to_blame(words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no bug of the compiler must not look like one."""
    fake = tmp_path / "cc"
    fake.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("CC", str(fake))
    with pytest.raises(Problem, match=re.escape(said)):
        program_object(tmp_path, 0)


def test_a_cache_without_room_for_the_runtime(
    small_runtime: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def publish(building: Path, finished: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(runtime, "_publish", publish)
    (found,) = runtime.runtime_objects("release")
    assert found.exists() and not found.is_relative_to(own_cache)


def test_a_compiler_that_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "cc"
    fake.write_text(f"#!/bin/sh\n: > {tmp_path}/program.o\n")
    fake.chmod(0o755)
    monkeypatch.setenv("CC", str(fake))
    with pytest.raises(Problem, match="has written nothing"):
        program_object(tmp_path, 0)


def test_missing_compiler_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(Problem, match="named by CC is not on the PATH"):
        cc.find_compiler()
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Problem, match="no C compiler found"):
        cc.find_compiler()


# ---- the cache of programs -------------------------------------------------------------------------------------------


def keep(folder: Path, program: bytes, key: str = "key") -> str | None:
    source = folder / "main.nxd"
    digest = cache.hash_source(str(source), source.read_text())
    assert digest is not None
    shown = cache.Cached("", {"text": "warning"}, 1)
    return cache.remember(key, {str(source): digest}, [(str(folder), False)], program, shown)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "main.nxd").write_text('PRINTLN("a")\n')
    return folder


def test_unchanged_program_comes_from_the_cache(sources: Path) -> None:
    assert cache.look_up("key") is None
    path = keep(sources, b"program")
    found = cache.look_up("key")
    assert found is not None and found.program == path and found.warnings == {"text": "warning"}
    assert Path(found.program).read_bytes() == b"program"
    assert os.access(found.program, os.X_OK)


def test_a_change_is_noticed(sources: Path) -> None:
    keep(sources, b"program")
    (sources / "main.nxd").write_text('PRINTLN("b")\n')
    assert cache.look_up("key") is None
    keep(sources, b"program")
    assert cache.look_up("key") is not None
    (sources / "other.nxd").write_text("")
    assert cache.look_up("key") is None


def test_a_source_changed_while_it_was_compiled_is_not_kept(sources: Path) -> None:
    assert cache.hash_source(str(sources / "main.nxd"), "what was read earlier") is None


def test_damaged_entries_are_as_good_as_none(sources: Path, own_cache: Path) -> None:
    for how in HARMS:
        for name in ("key.json", ""):
            path = keep(sources, b"program")
            assert path is not None and cache.look_up("key") is not None, how
            file = own_cache / "programs" / (name or path)
            hurt(file, how)
            assert cache.look_up("key") is None, (how, name)
            if file.is_dir():
                assert keep(sources, b"program") is None or name
                file.rmdir()


def test_unfinished_entries_go_when_they_are_old(sources: Path, own_cache: Path) -> None:
    keep(sources, b"program")
    old, new = (own_cache / "programs" / f".{name}.1.tmp" for name in ("old", "new"))
    for file, age in ((old, 2 * store.ABANDONED), (new, 0)):
        file.write_bytes(b"half")
        os.utime(file, (time.time() - age,) * 2)
    keep(sources, b"program")
    assert not old.exists() and new.exists()


def test_the_cache_is_bounded(sources: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NXDC_CACHE_LIMIT", "1")
    for i in range(6):
        keep(sources, bytes([i]) * 300_000, f"key{i}")
    total = sum(entry.stat().st_size for entry in (own_cache / "programs").iterdir())
    assert total <= 1_000_000
    assert cache.look_up("key5") is not None and cache.look_up("key0") is None


def test_the_question_depends_on_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    keys = {cache.question_key({"level": 2}), cache.question_key({"level": 3})}
    monkeypatch.chdir(tmp_path)
    keys.add(cache.question_key({"level": 2}))
    monkeypatch.setattr(cache, "compiler_fingerprint", lambda: "another")
    keys.add(cache.question_key({"level": 2}))
    assert len(keys) == 4


def test_no_cache_is_no_error(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NXDC_CACHE", str(tmp_path / "file"))
    store.cache_root.cache_clear()
    assert keep(sources, b"program") is None
    assert cache.look_up("key") is None


# ---- results ---------------------------------------------------------------------------------------------------------


def test_default_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert default_name(("some/jobs.nxd", "b.nxd")) == "jobs"
    assert default_name(("jobs.nxd",), ".o") == "jobs.o"
    (tmp_path / "app").mkdir()
    assert default_name(("app",)) == os.path.join("app", "app")
    monkeypatch.chdir(tmp_path / "app")
    assert default_name((".",)) == "app"


def test_what_is_not_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "jobs"
    source.write_text("PRINTLN(1)")
    with pytest.raises(Problem, match="is a folder"):
        check_target(str(tmp_path), (), named=True)
    with pytest.raises(Problem, match="overwrite the source"):
        check_target(str(source), (str(source),), named=True)
    with pytest.raises(Problem, match="is no program"):
        check_target(str(source), (), named=False)
    check_target(str(source), (), named=True)
    with pytest.raises(Problem, match="does not exist"):
        check_target(str(tmp_path / "no" / "jobs"), (), named=True)
    with pytest.raises(Problem, match="name of the output is empty"):
        check_target("", (), named=True)
    with pytest.raises(Problem, match="name of the output is empty"):
        write_result("", b"", executable=False)


def test_results_are_written_whole(tmp_path: Path) -> None:
    target = tmp_path / "program"
    write_result(str(target), b"one", executable=True)
    assert target.read_bytes() == b"one" and target.stat().st_mode & stat.S_IXUSR
    link = tmp_path / "link"
    link.symlink_to(target)
    write_result(str(link), b"two", executable=True)
    assert link.is_symlink() and target.read_bytes() == b"two"
    assert sorted(entry.name for entry in tmp_path.iterdir() if entry.name != "cache") == ["link", "program"]


def test_devices_are_written_in_place() -> None:
    write_result("/dev/null", b"text", executable=False)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(Problem, match="no space left"):
        write_result("/dev/full", b"text", executable=False)
