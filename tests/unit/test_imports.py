"""What a command may import: start-up is a feature."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def imported(*arguments: str) -> set[str]:
    """The modules that a command imports."""
    code = "import sys; from nxdc.__main__ import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "NXDC_VERIFY": ""},
    )
    return set(done.stderr.splitlines()[-1].split())


def test_version_imports_nothing() -> None:
    modules = imported("--version")
    assert not {"click", "json", "nxdc.driver"} & modules


@pytest.mark.parametrize("arguments", [("check",), ("--help",), ("explain", "E1003")])
def test_light_commands_stay_light(arguments: tuple[str, ...], tmp_path: Path) -> None:
    if arguments == ("check",):
        (tmp_path / "main.nxd").write_text('PRINTLN("a")\n')
        arguments = ("check", str(tmp_path / "main.nxd"))
    heavy = ("llvmlite", "nxdc.mir", "nxdc.opt", "nxdc.codegen", "nxdc.link", "subprocess", "tempfile", "dataclasses")
    assert [name for name in imported(*arguments) if name.startswith(heavy)] == []
