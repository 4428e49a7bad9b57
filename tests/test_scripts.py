"""The demo of the README shows what it promises; only making .venv is left out here. What scripts share works."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import evalstats

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_demo_compares_published_tables(tmp_path: Path) -> None:
    setup = (". scripts/venv", "make_venv", "pip_install", "cd ", "evalstats=")
    lines = (ROOT / "scripts" / "demo").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(setup)]
    begin = [f"evalstats='{Path(sys.executable).parent / 'evalstats'}'", "say() { printf '%s\\n' \"$*\"; }"]
    script = "\n".join([*begin, *kept])

    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "C4.5+m+cf and C4.5+m are better than the control, C4.5" in " ".join(done.stdout.split())
    assert "no mismatch" in done.stdout
    made = {path.name for path in (tmp_path / "demo-output").iterdir()}
    assert made == {"scores.csv", "report.html", "diagram.png", "seed-216.csv", "seed-459.csv"}


def test_scripts_are_valid_shell() -> None:
    for name in ("demo", "test", "venv"):
        subprocess.run(["sh", "-n", ROOT / "scripts" / name], check=True)


def test_rows_come_back_and_words_before_them_do_not(tmp_path: Path) -> None:
    tables, file = runpy.run_path(str(ROOT / "scripts" / "generated_tables.py")), tmp_path / "rows.csv"
    tables["write_rows"](file, [{"a": 1, "b": "x, y"}, {"a": 2}], 3)

    assert file.read_text(encoding="utf-8").startswith(f"# seed 3; evalstats {evalstats.__version__}, python 3.")
    assert tables["read_rows"](file) == [{"a": "1", "b": "x, y"}, {"a": "2", "b": ""}]


def test_every_table_of_rates_says_its_seed_its_versions_and_its_day() -> None:
    """Before its rows, or in each of them."""
    tables = sorted((ROOT / "docs" / "error-rates").glob("*.csv"))

    assert len(tables) > 10
    for table in tables:
        words = table.read_text(encoding="utf-8").partition("\n")[0]
        if words.startswith("# "):
            assert re.fullmatch(r"# seed \d+; evalstats [\d.]+, python [\d.]+, numpy [\d.]+.*; 20\d\d-\d\d-\d\d", words)
        else:
            assert {"seed", "evalstats", "numpy", "scipy", "python", "date"} <= set(words.split(","))


def test_tables_go_between_their_marks_only() -> None:
    filled = runpy.run_path(str(ROOT / "scripts" / "generated_tables.py"))["filled"]
    page = "a\n<!-- one: begin -->\nold\n<!-- one: end -->\nb\n<!-- two: begin -->\n<!-- two: end -->\nc\n"

    once = filled(page, {"one": "| x |\n", "two": "| y |"})

    assert once == page.replace("old", "\n| x |\n").replace("<!-- two: begin -->\n", "<!-- two: begin -->\n\n| y |\n\n")
    assert filled(once, {"one": "| x |", "two": "| y |"}) == once
    with pytest.raises(ValueError, match="no marks of 'three'"):
        filled(page, {"three": ""})
