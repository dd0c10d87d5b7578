"""The reference program many times over, without its pauses: whatever the order, what matters comes out the same.

Long, so only with `NXD_STRESS=1`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNS = 500

pytestmark = pytest.mark.skipif(os.environ.get("NXD_STRESS") != "1", reason="long: set NXD_STRESS=1")


def meant_lines(text: str) -> list[str]:
    """The output without the log lines, which may stand anywhere."""
    return [line for line in text.splitlines() if not line.startswith(("[LOG]", "[ERR]"))]


@pytest.mark.parametrize("flags", [[], ["--sanitize"]])
@pytest.mark.parametrize("workers", ["1", "2", "8"])
def test_every_run_agrees(tmp_path: Path, workers: str, flags: list[str]) -> None:
    source = (ROOT / "examples" / "jobs.nxd").read_text()
    assert "SLEEP(1)" in source
    (tmp_path / "jobs.nxd").write_text(source.replace("SLEEP(1)", "SLEEP(0)"))
    program = tmp_path / "jobs"
    command = [sys.executable, "-m", "nxdc", "build", *flags, "-o", str(program), str(tmp_path / "jobs.nxd")]
    built = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    seen = set()
    for _ in range(RUNS if not flags else RUNS // 10):
        done = subprocess.run(
            [str(program)],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, "NXD_WORKERS": workers},
        )
        assert (done.returncode, done.stderr) == (0, "")
        seen.add("\n".join(meant_lines(done.stdout)))
    assert len(seen) == 1
