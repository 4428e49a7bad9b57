"""List declared tests on the landing pages of the reference: ``python docs/figures/list_of_tests.py``.

The page of a subpackage, such as docs/reference/paired/index.md, has a table of its functions. The script adds a row
for each module that has no row yet. You can rewrite a row: the script does not change it again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evalstats._declarations import all_declarations

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def page(package: str, written: str) -> str:
    """Return the landing page of a subpackage with a row for each module of declared tests, after its last row."""
    functions: dict[str, list[str]] = {}
    for one in all_declarations():
        if not one.form:
            functions.setdefault(one.function.__module__, []).append(one.name)
    for module, names in functions.items():
        _, subpackage, stem = module.split(".")
        if subpackage != package or f"({stem}.md)" in written:
            continue
        purpose = (sys.modules[module].__doc__ or "").partition("\n")[0]
        row = f"| [{', '.join(f'`{name}`' for name in names)}]({stem}.md) | {purpose} |\n"
        table, last, after = written.rpartition(" |\n")
        written = f"{table}{last}{row}{after}"
    return written


if __name__ == "__main__":
    for package in sorted({one.function.__module__.split(".")[1] for one in all_declarations()}):
        path = REFERENCE / package / "index.md"
        path.write_text(page(package, path.read_text(encoding="utf-8")), encoding="utf-8")
