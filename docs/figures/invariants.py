"""Write docs/invariants.md from the table in tests/invariants.py: ``python docs/figures/invariants.py``."""

from __future__ import annotations

import re
import runpy
import sys
from itertools import product
from pathlib import Path
from string import ascii_lowercase
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "invariants.md"
HEAD = """# Invariants

Each public function is tested with each invariant, or it has an exception with a reason. `tests/invariants.py`
contains the table. A new function is tested automatically, unless it has an exception. `python
docs/figures/invariants.py` writes this page. The numbers of functions are in parentheses.

"""


def invariants() -> dict[str, Any]:
    """Return the table of the invariants."""
    sys.path.insert(0, str(ROOT / "tests" / "lib"))
    found: dict[str, Any] = runpy.run_path(str(ROOT / "tests" / "invariants.py"))
    return found


def sentence(reason: str) -> str:
    """Return a reason as a sentence; the subject of a verb at its beginning is the function."""
    if re.match(r"(?!(?:its|runs|bins)\b)[a-z]+s (?!are )", reason):
        return f"The function {reason}."
    if "_" not in reason.split(maxsplit=1)[0] and not reason.startswith("nan "):
        reason = reason[0].upper() + reason[1:]
    return f"{reason}."


def page(table: dict[str, Any]) -> str:
    """Return the page: the invariants with their tests, the reasons, and a mark for each function and invariant."""
    reasons = list(
        dict.fromkeys(
            reason
            for invariant in table["INVARIANTS"].values()
            for reason in invariant.excused
            if invariant.excused[reason]
        )
    )
    letters = dict(zip(reasons, marks(), strict=False))
    lines = ["| | invariant | statement | tests | exceptions |", "| --- | --- | --- | --- | --- |"]
    for number, (name, invariant) in enumerate(table["INVARIANTS"].items(), start=1):
        tests = "<br>".join(f"`{test}` ({len(names)})" for test, names in invariant.held.items() if names)
        excused = ", ".join(f"{letters[reason]} ({len(names)})" for reason, names in invariant.excused.items() if names)
        lines.append(f"| {number} | {name} | {invariant.says} | {tests} | {excused} |")
    lines += ["", "## Reasons for exceptions", ""]
    lines += [f"- **{letters[reason]}**: {sentence(reason)}" for reason in reasons]
    n = len(table["INVARIANTS"])
    cells = sum(len(names) for invariant in table["INVARIANTS"].values() for names in invariant.held.values())
    lines += [
        "",
        "## Functions",
        "",
        f"{len(table['FUNCTIONS'])} functions and {n} invariants: {cells} combinations are tested (✓).",
        "",
    ]
    lines += [f"| | {' | '.join(str(i + 1) for i in range(n))} |", f"| --- |{' --- |' * n}"]
    for name in sorted(table["FUNCTIONS"]):
        lines.append(
            f"| `{name}` | {' | '.join(mark(invariant, name, letters) for invariant in table['INVARIANTS'].values())} |"
        )
    return HEAD + "\n".join(lines) + "\n"


def marks() -> list[str]:
    """Return a, b, ... z, aa, ab, ..."""
    return [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]


def mark(invariant: Any, name: str, letters: dict[str, str]) -> str:
    """Return the cell of a function and an invariant."""
    return next((letters[reason] for reason, names in invariant.excused.items() if name in names), "✓")


if __name__ == "__main__":
    PAGE.write_text(page(invariants()), encoding="utf-8")
