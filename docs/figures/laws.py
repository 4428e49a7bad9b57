"""Write docs/laws.md from the table in tests/laws.py: ``python docs/figures/laws.py``."""

from __future__ import annotations

import runpy
import sys
from itertools import product
from pathlib import Path
from string import ascii_lowercase
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "laws.md"
HEAD = """# Laws

*What holds for every function, and what not?* Each public function is held to each law by a test, or excused with a
reason. `tests/laws.py` is the table; what is not excused there is tried, a new function too. This page is written from
it by `python docs/figures/laws.py`. The numbers of functions are in brackets.

"""


def laws() -> dict[str, Any]:
    """Return the table of the laws."""
    sys.path.insert(0, str(ROOT / "tests" / "lib"))
    found: dict[str, Any] = runpy.run_path(str(ROOT / "tests" / "laws.py"))
    return found


def page(table: dict[str, Any]) -> str:
    """Return the page: the laws with their tests, the reasons, and a mark for each function and law."""
    reasons = list(
        dict.fromkeys(reason for law in table["LAWS"].values() for reason in law.excused if law.excused[reason])
    )
    letters = dict(zip(reasons, marks(), strict=False))
    lines = ["| | law | what holds | tests | excused |", "| --- | --- | --- | --- | --- |"]
    for number, (name, law) in enumerate(table["LAWS"].items(), start=1):
        tests = "<br>".join(f"`{test}` ({len(names)})" for test, names in law.held.items() if names)
        excused = ", ".join(f"{letters[reason]} ({len(names)})" for reason, names in law.excused.items() if names)
        lines.append(f"| {number} | {name} | {law.says} | {tests} | {excused} |")
    lines += ["", "## Reasons", ""]
    lines += [f"- **{letters[reason]}**: {reason}" for reason in reasons]
    n = len(table["LAWS"])
    cells = sum(len(names) for law in table["LAWS"].values() for names in law.held.values())
    lines += ["", "## Functions", "", f"{len(table['FUNCTIONS'])} functions and {n} laws: {cells} are tried (✓).", ""]
    lines += [f"| | {' | '.join(str(i + 1) for i in range(n))} |", f"| --- |{' --- |' * n}"]
    for name in sorted(table["FUNCTIONS"]):
        lines.append(f"| `{name}` | {' | '.join(mark(law, name, letters) for law in table['LAWS'].values())} |")
    return HEAD + "\n".join(lines) + "\n"


def marks() -> list[str]:
    """Return a, b, ... z, aa, ab, ..."""
    return [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]


def mark(law: Any, name: str, letters: dict[str, str]) -> str:
    """Return what stands for a function under a law."""
    return next((letters[reason] for reason, names in law.excused.items() if name in names), "✓")


if __name__ == "__main__":
    PAGE.write_text(page(laws()), encoding="utf-8")
