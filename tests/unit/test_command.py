"""The command as a process: exit statuses, what is imported, the same output every time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.tree import ROOT

GOOD = 'FUNC MAIN():\n    PRINTLN("hello")\n'
BAD = "FUNC MAIN():\n    PRINTLN(MISSING)\n    LET X SET 1 ADD true\n    PRINTLN(X)\n"
READS = 'FUNC MAIN():\n    TRY:\n        PRINTLN(READ_LINE())\n    CATCH E6001:\n        PRINTLN("E6001")\n'


def _nxdc(*arguments: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", **env}
    command = [sys.executable, "-m", "nxdc", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.nxd"
    path.write_text(GOOD, encoding="utf-8")
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.nxd"
    path.write_text(BAD, encoding="utf-8")
    return path


def test_check(good: Path, bad: Path) -> None:
    assert _nxdc("check", str(good)).returncode == 0
    done = _nxdc("check", str(bad))
    assert done.returncode == 1
    assert "NXD-S3001" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_run_gives_the_program_its_arguments_and_its_status(tmp_path: Path) -> None:
    source = tmp_path / "args.nxd"
    source.write_text("FUNC MAIN(): int:\n    PRINTLN(ARGS())\n    RETURN 5\n", encoding="utf-8")
    done = _nxdc("run", str(source), "--", "a", "b c")
    assert (done.stdout, done.returncode) == ('["a", "b c"]\n', 5)


def test_run_takes_several_sources_and_arguments_also_without_dashes(tmp_path: Path) -> None:
    main = 'IMPORT words HELLO\nFUNC MAIN(): PRINTLN(HELLO() ADD " " ADD ARGS())\n'
    (tmp_path / "main.nxd").write_text(main, encoding="utf-8")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "words.nxd").write_text('FUNC HELLO(): RETURN "hello"\n', encoding="utf-8")
    sources = ("main.nxd", "lib/words.nxd")
    for after, shown in (
        ((), "[]"),
        (("a", "b.txt"), '["a", "b.txt"]'),
        (("--", "x.nxd", "--", "-n"), '["x.nxd", "--", "-n"]'),
        (("a", "--", "b"), '["a", "b"]'),
    ):
        done = _nxdc("run", *sources, *after, cwd=tmp_path)
        assert (done.stdout, done.stderr, done.returncode) == (f"hello {shown}\n", "", 0), after


def test_a_folder_with_documents_only_names_one_that_holds_a_program(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# No program\n", encoding="utf-8")
    (tmp_path / "doc").mkdir()
    (tmp_path / "doc" / "tour.md").write_text("```nxd\nFUNC MAIN(): PRINTLN(1)\n```\n", encoding="utf-8")
    for command in (("check",), ("fmt", "--check", ".")):
        done = _nxdc(*command, cwd=tmp_path)
        where = "there is no .nxd file in the current folder"
        want = f"error: {where}\nhelp: a document is named itself: `doc/tour.md`\n"
        assert (done.stderr, done.returncode) == (want, 2), command


def test_a_pipe_in_a_folder_is_no_source(tmp_path: Path) -> None:
    (tmp_path / "main.nxd").write_text("FUNC MAIN(): PRINTLN(1)\n", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.nxd")
    assert _nxdc("check", cwd=tmp_path).returncode == 0
    assert _nxdc("fmt", "--check", ".", cwd=tmp_path).returncode == 0


def test_the_current_folder_is_the_program_where_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for command in ("build", "check", "run"):
        done = _nxdc(command, cwd=tmp_path / "empty")
        assert (done.stderr, done.returncode) == ("error: there is no .nxd file in the current folder\n", 2)
    sources = {
        "app/main.nxd": "IMPORT core.words\nFUNC MAIN(): PRINTLN(HELLO())\n",
        "core/words.nxd": 'FUNC HELLO(): RETURN "hello"\n',
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert _nxdc("check", cwd=tmp_path).returncode == 0
    assert _nxdc("run", cwd=tmp_path).stdout == "hello\n"
    taken = _nxdc("build", "-o", "app", cwd=tmp_path)
    assert (taken.stderr, taken.returncode) == (
        "error: the output `app` is a folder\nhelp: name the output with -o\n",
        2,
    )
    assert _nxdc("build", "-o", "hello", cwd=tmp_path).returncode == 0
    assert subprocess.run([str(tmp_path / "hello")], capture_output=True, text=True, check=True).stdout == "hello\n"


def test_build_names_the_binary_after_the_source(good: Path) -> None:
    done = _nxdc("build", str(good), cwd=good.parent)
    assert done.returncode == 0, done.stderr
    out = subprocess.run([str(good.parent / "good")], capture_output=True, text=True, check=True)
    assert out.stdout == "hello\n"


def test_build_with_output_name(good: Path) -> None:
    target = good.parent / "app"
    assert _nxdc("build", "-o", str(target), str(good)).returncode == 0
    assert target.exists()


def test_misuse_exits_with_2(tmp_path: Path) -> None:
    for arguments in (["nonsense"], ["check", str(tmp_path / "absent.nxd")], ["build", "--nonsense"], ["check"]):
        done = _nxdc(*arguments, cwd=tmp_path)
        assert done.returncode == 2, (arguments, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr


def test_json_has_one_object_a_line(bad: Path) -> None:
    done = _nxdc("check", "--format", "json", str(bad))
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [entry["code"].removeprefix("NXD-") for entry in objects] == ["S3001", "S3002"]
    assert done.returncode == 1


def test_version_and_help() -> None:
    assert _nxdc("--version").stdout.startswith("nxdc ")
    done = _nxdc("--help")
    assert done.returncode == 0
    for command in ("build", "run", "check", "explain"):
        assert command in done.stdout


def test_explain_known_and_unknown() -> None:
    for name in ("S3002", "NXD-S3002", "E1002", "s3002"):
        done = _nxdc("explain", name)
        assert done.returncode == 0, done.stderr
        assert name.upper().removeprefix("NXD-") in done.stdout
    assert _nxdc("explain", "S9999").returncode == 2


def test_check_loads_no_code_generator(good: Path) -> None:
    probe = (
        "import sys, runpy\n"
        f"sys.argv = ['nxdc', 'check', {str(good)!r}]\n"
        "try:\n    runpy.run_module('nxdc', run_name='__main__')\nexcept SystemExit:\n    pass\n"
        "loaded = [name for name in ('llvmlite', 'nxdc.codegen', 'nxdc.mir.lower') if name in sys.modules]\n"
        "print('loaded', loaded)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", probe], env=env, capture_output=True, text=True, check=False)
    assert "loaded []" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("what", ["ast", "core", "mir", "llvm"])
def test_dumps_do_not_depend_on_hash_order(what: str) -> None:
    program = str(ROOT / "examples" / "jobs.nxd")
    texts = {
        _nxdc("build", "--emit", what, "-o", "-", program, PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "77")
    }
    assert len(texts) == 1
    assert texts != {""}


def test_diagnostics_do_not_depend_on_hash_order(bad: Path) -> None:
    texts = {_nxdc("check", str(bad), PYTHONHASHSEED=seed).stderr for seed in ("0", "1", "77")}
    assert len(texts) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfPRINTLN(1)\r\nIF true:\r\n    PRINTLN(2)\r\n",
        b"PRINTLN(1)\nIF true:\n    PRINTLN(2)",
    ],
    ids=["byte order mark and CRLF", "no newline at the end"],
)
def test_line_ends_and_marks(data: bytes, tmp_path: Path) -> None:
    source = tmp_path / "main.nxd"
    source.write_bytes(data)
    done = _nxdc("run", str(source))
    assert (done.stdout, done.stderr, done.returncode) == ("1\n2\n", "", 0)


@pytest.mark.parametrize("data", [b'PRINTLN("\xff")\n', b"\xff\xfeP\x00", b"PRINTLN(1)\x00\n"])
def test_files_that_are_no_text_get_p1001(data: bytes, tmp_path: Path) -> None:
    source = tmp_path / "main.nxd"
    source.write_bytes(data)
    done = _nxdc("check", str(source))
    assert done.returncode == 1
    assert "P1001" in done.stdout + done.stderr


FLAT = "FUNC MAIN():\nLOOP I FROM 1 TO 3:\nPRINTLN(I)\nRETURN NONE\n"


@pytest.mark.parametrize("command", ["check", "build", "run"])
@pytest.mark.parametrize("name, quoted", [("a.nxd", "a.nxd"), ("a.txt", "a.txt"), ("my notes.md", "'my notes.md'")])
def test_source_without_layout_names_reindent(command: str, name: str, quoted: str, tmp_path: Path) -> None:
    text = FLAT if name.endswith(".nxd") else f"Prose.\n\n```nxd\n{FLAT}```\n"
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = _nxdc(command, name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("error[NXD-") == 1
    assert f"= help: `nxdc reindent {quoted}` puts the indentation back\n" in done.stderr
    assert _nxdc("reindent", "-i", name, cwd=tmp_path).returncode == 0
    assert _nxdc("check", name, cwd=tmp_path).returncode == 0


def test_reading_what_cannot_be_read_is_e6001(tmp_path: Path) -> None:
    source = tmp_path / "main.nxd"
    source.write_text(READS, encoding="utf-8")
    assert _nxdc("build", str(source), cwd=tmp_path).returncode == 0
    folder = os.open(tmp_path, os.O_RDONLY)  # a folder can be opened, but not read
    try:
        done = subprocess.run([str(tmp_path / "main")], stdin=folder, capture_output=True, text=True, check=False)
    finally:
        os.close(folder)
    assert (done.stdout, done.returncode) == ("E6001\n", 0), done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize("end, status", [("", 1), ("EXIT(3)\n", 3)])
def test_lost_output_is_told(end: str, status: int, tmp_path: Path) -> None:
    """A full disk must not look like success."""
    source = tmp_path / "main.nxd"
    source.write_text('PRINTLN("lost")\n' + end, encoding="utf-8")
    assert _nxdc("build", str(source), cwd=tmp_path).returncode == 0
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([str(tmp_path / "main")], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.split(": ")[:4]) == (
        status,
        ["error", "E6001", "i/o error", "standard output"],
    )


def _shell(line: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`$NXDC` in `line` is the command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NXDC": f"{sys.executable} -m nxdc", **env}
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("$NXDC check good.nxd >&- 2>&- <&-", 0, ""),
        ("$NXDC check bad.nxd 2>&-", 1, ""),
        ("$NXDC --version >&- && $NXDC --version", 0, "nxdc "),
        ("$NXDC --version >/dev/full", 2, "cannot write the output"),
        ("$NXDC run good.nxd 2>&-", 0, "hello"),
        ("$NXDC run good.nxd >&-", 1, "E6001: i/o error: standard output"),
        ("mkfifo f.nxd; (cat good.nxd > f.nxd &); $NXDC run f.nxd", 0, "hello"),
        ("ln -s nowhere.nxd l.nxd; $NXDC run l.nxd", 2, "it is a link to `nowhere.nxd`"),
        ("mkdir gone; cd gone; rmdir ../gone; $NXDC run ../good.nxd", 2, "error: "),
        ("cp bad.nxd $(printf 'b\\377.nxd'); $NXDC check --format sarif b*.nxd", 1, "b%FF.nxd"),
        ("cp good.nxd $(printf 'e\\377.nxd'); $NXDC build -g -o e e*.nxd && ./e", 0, "hello"),
        ("cp bad.nxd \"$(printf 'e\\033\\n.nxd')\"; $NXDC check e*.nxd", 1, " --> e\\x1b\\n.nxd:2:13\n"),
        ("$NXDC check /dev/zero", 2, "cannot read `/dev/zero`: it is larger than 64 million bytes"),
        ("mkdir d; ln -s . d/self; cp good.nxd d; $NXDC run d", 0, "hello"),
    ],
)
def test_odd_surroundings(line: str, status: int, said: str, tmp_path: Path) -> None:
    """Closed streams, pipes, links, folders and names: an answer, no traceback."""
    (tmp_path / "good.nxd").write_text('FUNC MAIN():\n    PRINTLN("hello")\n', encoding="utf-8")
    (tmp_path / "bad.nxd").write_text("FUNC MAIN():\n    PRINTLN(MISSING)\n", encoding="utf-8")
    done = _shell(line, tmp_path)
    told = done.stdout + done.stderr
    assert done.returncode == status, told
    assert said in told and "Traceback" not in told and "bug of the compiler" not in told


@pytest.mark.parametrize(("compiler", "said"), [("false", "does not work: status 1"), ("true", "has written nothing")])
def test_c_compiler_that_is_none(compiler: str, said: str, good: Path, tmp_path: Path) -> None:
    """The machine is to blame, not nxdc."""
    done = _nxdc("run", str(good), CC=compiler, NXDC_CACHE=str(tmp_path / "cache"))
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


_WITHOUT = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
from nxdc.__main__ import main
sys.argv = ["nxdc", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("package", ["sly", "llvmlite", "click"])
def test_a_package_that_is_not_installed_is_named(package: str, good: Path, tmp_path: Path) -> None:
    script = f"HIDDEN = {package!r}" + _WITHOUT
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "NXDC_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", script, "build", str(good)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: the Python package `{package}`, which nxdc needs, is not installed\nhelp: ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_build_that_is_told_to_end_leaves_nothing_behind(number: signal.Signals, good: Path, tmp_path: Path) -> None:
    """The C compiler is one that takes long: the signal comes while it works."""
    slow, started, folder = tmp_path / "slowcc", tmp_path / "started", tmp_path / "temporary"
    slow.write_text(f"#!/bin/sh\ntouch {started}\nexec sleep 20\n")
    slow.chmod(0o755)
    folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CC": str(slow), "TMPDIR": str(folder)}
    environment["NXDC_CACHE"] = str(tmp_path / "c")
    process = subprocess.Popen([sys.executable, "-m", "nxdc", "build", str(good)], env=environment, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    assert process.wait(timeout=60) == -number
    assert list(folder.iterdir()) == []
    assert list((tmp_path / "c").rglob(".build-*")) == []
