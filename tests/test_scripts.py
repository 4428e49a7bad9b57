"""The demo of the README shows what it promises; only making .venv is left out here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_demo_compares_published_tables(tmp_path: Path) -> None:
    setup = (". scripts/venv", "make_venv", "pip_install", "cd ", "evalstats=")
    lines = (ROOT / "scripts" / "demo").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(setup)]
    begin = [f"evalstats='{Path(sys.executable).parent / 'evalstats'}'", "say() { printf '%s\\n' \"$*\"; }"]
    script = "\n".join([*begin, *kept])

    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "C4.5+m+cf is better than the control, C4.5" in " ".join(done.stdout.split())
    assert "no mismatch" in done.stdout
    made = {path.name for path in (tmp_path / "demo-output").iterdir()}
    assert made == {"scores.csv", "report.html", "diagram.png", "seed-216.csv", "seed-459.csv"}


def test_scripts_are_valid_shell() -> None:
    for name in ("demo", "test", "venv"):
        subprocess.run(["sh", "-n", ROOT / "scripts" / name], check=True)
