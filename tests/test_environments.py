"""The page of versions shows the last run of each environment of tox, and each ran to its end."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "docs" / "figures" / "environments.py"))


def test_page_shows_the_environments_of_the_data() -> None:
    assert SCRIPT["PAGE"].read_text(encoding="utf-8") == SCRIPT["page"]()


def test_every_environment_of_the_data_ran_to_its_end() -> None:
    rows = SCRIPT["TABLES"]["read_rows"](SCRIPT["DATA"])
    declared = set(re.findall(r"^\[testenv:(\w+)\]", (ROOT / "tox.ini").read_text(encoding="utf-8"), re.MULTILINE))

    # `long` is what continuous integration runs, and `bench` is a race
    assert {row["environment"] for row in rows} >= declared - {"long", "bench"}
    assert {(row["outcome"], row["failed"] or "0") for row in rows} == {("passed", "0")}
