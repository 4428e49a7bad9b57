"""List declared tests in docs/index.md that are not listed there: ``python docs/figures/list_of_tests.py``.

A line has the names of the functions and the question of their module. It can be written anew by hand: what is listed
is left alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evalstats._declarations import all_declarations

PAGE = Path(__file__).parents[2] / "docs" / "index.md"
SECTIONS = {
    "paired": "Two classifiers",
    "multiple": "Several classifiers",
    "pairwise": "Several classifiers",
    "agreement": "Do two labellings agree?",
}


def page(written: str) -> str:
    """Return the page with a line for each module whose page has no link, at the end of the section of its package."""
    functions: dict[str, list[str]] = {}
    for one in all_declarations():
        functions.setdefault(one.function.__module__, []).append(one.name)
    for module, names in functions.items():
        _, package, stem = module.split(".")
        link = f"reference/{package}/{stem}.md"
        if f"({link})" in written:
            continue
        question = (sys.modules[module].__doc__ or "").partition("\n")[0]
        line = f"- [{' and '.join(names)}]({link}): {question.partition(': ')[2] or question}\n"
        head, title, rest = written.partition(f"\n## {SECTIONS[package]}\n")
        section, gap, after = rest.partition("\n\n## ")
        written = f"{head}{title}{section.rstrip()}\n{line}{gap[1:]}{after}"
    return written


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
