"""Write the tables of docs/benchmarks.md from docs/benchmarks.csv: ``python docs/figures/benchmarks.py``.

``python -m benchmarks --out docs/benchmarks.csv`` writes the data.
"""

from __future__ import annotations

import itertools
import runpy
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE, DATA = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks.csv"
TABLES = runpy.run_path(str(ROOT / "scripts" / "generated_tables.py"))


def tables() -> Iterator[tuple[str, str]]:
    """Yield the sentence on the machine, and the table of each benchmark."""
    machine, _, versions = DATA.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition("; ")
    rows = TABLES["read_rows"](DATA)
    columns = [name for name in rows[0] if name not in ("benchmark", "day", "load")]
    days = sorted({row["day"] for row in rows})
    dates = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    goals = [row["goal"] for row in rows if ": " in row["goal"] and not row["goal"].startswith("not run")]
    reached = sum(goal.endswith("reached") for goal in goals)
    about = f"The numbers were measured on {dates}, on {machine}, with {versions}."
    yield "benchmarks", f"{about} In this run, {reached} of {len(goals)} goals were reached."
    for stem, found in itertools.groupby(rows, key=lambda row: row["benchmark"]):
        own = list(found)
        command = f"`python -m benchmarks {stem}`, {own[0]['day']}, load before the start: {own[0]['load']}"
        cells = [columns, ["---"] * len(columns), *([row[column] for column in columns] for row in own)]
        yield f"benchmark-{stem}", "\n".join([command, "", *(f"| {' | '.join(one)} |" for one in cells)])


def page() -> str:
    """Return the page with the tables of the data."""
    return TABLES["filled"](PAGE.read_text(encoding="utf-8"), dict(tables()))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
