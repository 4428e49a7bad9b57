"""Run every benchmark of this folder: ``python -m benchmarks [--out FILE] [stem ...]``.

A package that is not installed is named in the table, and everything else runs. With ``--out docs/benchmarks.csv``, the
rows of each benchmark that ends replace its rows in the file, with the day and the load of the machine. After that,
``python docs/figures/benchmarks.py`` writes the page.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import re
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from benchmarks.timing import COLUMNS, Race, Row, line, not_run, run

HERE = Path(__file__).parent
STEMS = tuple(sorted(p.stem for p in HERE.glob("*.py") if p.stem not in {"__init__", "__main__", "timing"}))
PACKAGES = (
    *("numpy", "scipy", "pandas", "statsmodels", "scikit-learn", "pyarrow", "duckdb", "polars", "joblib", "rpy2"),
    *("aeon", "autorank", "baycomp", "choix", "confidenceinterval", "critdd", "dcurves", "mlxtend", "pingouin"),
    *("ppi-python", "ranx", "river", "rliable", "scikit-posthocs"),
)
R_VERSIONS = """
    packages <- c("coin", "PMCMRplus", "pROC", "scmamp", "vcd")
    found <- Filter(function(name) requireNamespace(name, quietly = TRUE), packages)
    versions <- sapply(found, function(name) paste(name, packageVersion(name)))
    cat(paste(c(paste("R", getRversion()), versions), collapse = ", "))
"""


def measured(stem: str) -> Iterator[Row]:
    """Yield the rows of a benchmark."""
    try:
        for race in importlib.import_module(f"benchmarks.{stem}").races():
            yield from run(race) if isinstance(race, Race) else [race]
    except ImportError as error:
        yield not_run(stem, error)


def origin() -> str:
    """Return the machine and the versions as a comment line."""
    found = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    if shutil.which("Rscript"):
        found.append(subprocess.run(["Rscript", "-e", R_VERSIONS], capture_output=True, text=True, check=True).stdout)
    about = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", about.read_text(encoding="utf-8")) if about.is_file() else None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"# {os.cpu_count()} cores of {processor}; {', '.join(found)}\n"


def write(path: Path, stem: str, rows: list[Row], load: float) -> None:
    """Replace the rows of a benchmark in a file."""
    tables = runpy.run_path(str(HERE.parent / "scripts" / "generated_tables.py"))
    kept = tables["read_rows"](path) if path.is_file() else []
    made = {"day": datetime.now(UTC).date().isoformat(), "load": f"{load:.1f}"}
    new = [{"benchmark": stem, **dict(zip(COLUMNS, row, strict=True)), **made} for row in rows]
    every = sorted([*(row for row in kept if row["benchmark"] != stem), *new], key=lambda row: row["benchmark"])
    tables["write_rows"](path, every, comment=origin())


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmarks that are named, print their rows, and write them to the file of ``--out``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Compare the speed with other packages.")
    parser.add_argument("stems", nargs="*", metavar="stem", help="a module of this folder (default: all)")
    parser.add_argument("--out", type=Path, help="file whose rows are replaced, such as docs/benchmarks.csv")
    options = parser.parse_args(arguments)
    print(line(COLUMNS), line(["---"] * len(COLUMNS)), sep="\n")
    for stem in options.stems or STEMS:
        load, rows = os.getloadavg()[0], []
        for row in measured(stem):
            print(line(row), flush=True)
            rows.append(row)
        if options.out is not None:
            write(options.out, stem, rows, load)


if __name__ == "__main__":
    main()
