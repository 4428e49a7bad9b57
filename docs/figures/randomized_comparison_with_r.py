"""Write the tables of docs/randomized-comparison-with-r.md: ``python docs/figures/randomized_comparison_with_r.py``.

They come from docs/randomized-comparison-with-r.json, which scripts/randomized_comparison_with_r.py makes.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
DATA, PAGE = DOCS / "randomized-comparison-with-r.json", DOCS / "randomized-comparison-with-r.md"
TABLES = runpy.run_path(str(DOCS.parent / "scripts" / "generated_tables.py"))


def read() -> list[dict[str, Any]]:
    """Return the runs."""
    runs: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))
    return runs


def total(run: dict[str, Any], what: str) -> Any:
    """Return the sum over the functions of a run."""
    return sum(one[what] for one in run["functions"].values())


def tables(runs: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the generated part of the page."""
    inputs, answered = (sum(total(run, what) for run in runs) for what in ("inputs", "answered"))
    yield f"{inputs:,} inputs in {len(runs)} runs, of which R answered {answered:,}.\n"
    yield "| run | day | versions | first seed | functions | inputs | hours | functions that differed |"
    yield "| ---: | --- | --- | ---: | ---: | ---: | ---: | --- |"
    for number, run in enumerate(runs, 1):
        versions = ", ".join(f"{name} {version}" for name, version in (("R", run["r"]), *run["versions"].items()))
        asked = [name for name, one in run["functions"].items() if one["inputs"]]
        differ = ", ".join(f"`{name.rpartition('/')[2]}`" for name in asked if run["functions"][name]["differs"])
        yield (
            f"| {number} | {run['day']} | {versions}, {run['machine']} | {run['first']} | {len(asked)} | "
            f"{total(run, 'inputs'):,} | {total(run, 'seconds') / 3600:.1f} | {differ or 'none'} |"
        )
    yield "\nThe next table counts the inputs of all runs. The largest difference is from the last run of a function.\n"
    yield "| function | inputs | answered by R | last run | largest relative difference |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    names = {name for run in runs for name, one in run["functions"].items() if one["inputs"]}
    for name in sorted(names):
        own = {number: run["functions"][name] for number, run in enumerate(runs, 1) if name in run["functions"]}
        inputs, answered = (sum(one[what] for one in own.values()) for what in ("inputs", "answered"))
        last = max(number for number, one in own.items() if one["inputs"])
        stem, _, short = name.rpartition("/")
        where = f" ({stem})" if sum(one.endswith(f"/{short}") for one in names) > 1 else ""
        yield f"| `{short}`{where} | {inputs:,} | {answered:,} | {last} | {own[last]['largest']:.1e} |"


def written(page: str, runs: list[dict[str, Any]]) -> str:
    """Return the page with the tables of the data."""
    return TABLES["filled"](page, {"tables": "\n".join(tables(runs))})


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), read()), encoding="utf-8", newline="\n")
