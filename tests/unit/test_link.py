"""The linker, the runtime archive, the cache of programs, and where results are written."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from nxdc.cli.output import check_target, default_name, write_result
from nxdc.link import cache, cc, runtime, store
from nxdc.problem import Problem


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
    path = keep(sources, b"program")
    assert path is not None
    (own_cache / "programs" / "key.json").write_text("{")
    assert cache.look_up("key") is None
    keep(sources, b"program")
    os.unlink(path)
    assert cache.look_up("key") is None


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
