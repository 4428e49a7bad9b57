"""Write the table of environments in docs/versions.md: ``python docs/figures/environments.py [COMMIT RESULT ...]``.

A RESULT is what ``tox run -e NAME --result-json RESULT`` wrote on the commit COMMIT. Their extract replaces the rows of
the same environments in docs/environments.csv. Without results, only the table is made.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE, DATA = ROOT / "docs" / "versions.md", ROOT / "docs" / "environments.csv"
TABLES = runpy.run_path(str(ROOT / "scripts" / "generated_tables.py"))
SHOWN = ("numpy", "scipy", "pandas")
COUNTS = ("passed", "skipped", "failed")


def rows(results: list[Path]) -> Iterator[dict[str, Any]]:
    """Yield what each environment of these results did."""
    for path in results:
        for name, found in json.loads(path.read_text(encoding="utf-8"))["testenvs"].items():
            if "result" not in found:
                continue  # an environment that was not asked for, or that builds the package
            runs = found["test"]
            said = "".join(run["output"] for run in runs)
            installed = dict(one.split("==") for one in found.get("installed_packages", ()) if one.count("==") == 1)
            yield {
                "environment": name,
                "python": found["python"]["version"].split()[0],
                **{package: installed.get(package, "") for package in SHOWN},
                # pytest's last line, as "3 failed, 20 passed in 1.00s"; a check without tests has none
                **{count: sum(map(int, re.findall(rf"(\d+) {count}\b.* in [\d.]+s", said))) or "" for count in COUNTS},
                "minutes": f"{found['result']['duration'] / 60:.1f}",
                "outcome": "passed" if found["result"]["success"] else "failed",
            }


def page() -> str:
    """Return the page with the table of DATA."""
    counted = "tests passed", "skipped", "failed"
    shown = ["environment", "Python", *SHOWN, *counted, "minutes", "outcome", "commit", "day"]
    lines = [f"| {' | '.join(shown)} |", f"| {' | '.join('---' for _ in shown)} |"]
    lines += [f"| {' | '.join(row.values())} |" for row in TABLES["read_rows"](DATA)]
    about = "The last run of each environment of `tox.ini`, to its end:"
    return TABLES["filled"](PAGE.read_text(encoding="utf-8"), {"environments": "\n".join([about, "", *lines])})


def main(arguments: list[str]) -> None:
    """Write the data of new results, which replace the rows of their environments, and the page."""
    if arguments:
        commit, *results = arguments
        made = {"commit": commit, "day": datetime.now(UTC).date().isoformat()}
        every = {row["environment"]: row for row in TABLES["read_rows"](DATA)}
        every |= {row["environment"]: row | made for row in rows([Path(result) for result in results])}
        TABLES["write_rows"](DATA, list(every.values()))
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
