"""Rows of a CSV file, the tables of a page from these rows, and the script that writes both.

A table is between the marks ``<!-- name: begin -->`` and ``<!-- name: end -->``.
"""

from __future__ import annotations

import argparse
import csv
import platform
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import evalstats


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file. Lines that begin with ``# `` are comments."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("# ")))


def origin(seed: int) -> str:
    """Return a sentence with the seed, the versions and the date of the numbers."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy"))
    made = f"evalstats {evalstats.__version__}, python {platform.python_version()}, {versions}"
    return f"# seed {seed}; {made}; {datetime.now(UTC).date().isoformat()}\n"


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]], seed: int | None = None, comment: str = "") -> None:
    """Write rows with the columns of the first row. Missing values are empty.

    The comment is written before the rows, or their origin if there is a seed.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(comment if seed is None else origin(seed))
        writer = csv.DictWriter(file, list(rows[0]), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def filled(page: str, tables: Mapping[str, str]) -> str:
    """Return a page with these tables between their marks."""
    for name, table in tables.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        before, has_begin, rest = page.partition(begin)
        _, has_end, after = rest.partition(end)
        if not (has_begin and has_end):
            raise ValueError(f"the page has no marks of {name!r}")
        page = before + begin + "\n" + table.strip("\n") + "\n\n" + end + after
    return page


def simulate_and_write(
    description: str | None,
    simulated: Callable[[Any], Iterable[Mapping[str, Any]]],
    tables: Callable[[Any], Mapping[str, str]],
    *,
    data: Path,
    page: Path,
    seed: int,
    experiments: Callable[[str], Any] = int,
) -> None:
    """Simulate, and write the data and the page. With ``--experiments``, only print the tables of a short simulation.

    `simulated` returns the rows for a number of experiments, or for the default number if it is None. `tables` returns
    the tables of rows by the names of their marks.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--experiments", type=experiments, help="print the tables of so many, and write nothing")
    n = parser.parse_args().experiments
    rows = list(simulated(n))
    if n is not None:
        sys.stdout.write("\n".join(tables(rows).values()))
        return
    write_rows(data, rows, seed)
    page.write_text(filled(page.read_text(encoding="utf-8"), tables(rows)), encoding="utf-8")
