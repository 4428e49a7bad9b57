"""Fill in the numbers that come from result files: ``python docs/figures/measured_numbers.py``.

A page writes ``<!-- n: NAME -->75<!-- / -->``. The script replaces what stands between the two comments with the number
of that name, which is computed from a result file. A test checks that each page holds the numbers of today's files.

A simulated rate needs no name. ``<!-- n: exact rate; subject=conover_test; n=5 -->`` is the rate, in percent, of the
row of docs/error-rates/exact.csv with these values. ``max rate`` and ``min rate`` are the extremes of all rows that
have them, ``*`` stands for any text, and the conditions ``n>=20`` and ``n<=20`` select by size.
"""

from __future__ import annotations

import operator
import re
import runpy
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from evalstats.parity.reference_cases import FORMULA, IMPLEMENTATION, read_stem, read_without_r, stem_names

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MARK = re.compile(r"<!-- n: (.+?)\s-->(.*?)<!-- / -->", re.DOTALL)
TABLES = runpy.run_path(str(ROOT / "scripts" / "generated_tables.py"))
COMPARED = {">=": operator.ge, "<=": operator.le}


def of_r() -> Iterator[tuple[str, str]]:
    """Yield how many functions and cases are compared with R."""
    stems = [read_stem(name) for name in stem_names()]
    references = [one for stem in stems for one in stem.references.values()]
    yield "r.implementation", str(sum(one.source == IMPLEMENTATION for one in references))
    yield "r.formula", str(sum(one.source == FORMULA for one in references))
    yield "r.none", str(len(read_without_r()))
    yield "r.cases", f"{sum(len(stem.cases) for stem in stems):,}"


def of_random_inputs() -> Iterator[tuple[str, str]]:
    """Yield how many generated inputs were compared with R."""
    page = (DOCS / "randomized-comparison-with-r.md").read_text(encoding="utf-8")
    inputs, runs, answered = re.search(r"([\d,]+) inputs in (\d+) runs, of which R answered ([\d,]+)", page).groups()
    yield from (("random.inputs", inputs), ("random.runs", runs), ("random.answered", answered))


def of_error_rates() -> Iterator[tuple[str, str]]:
    """Yield the extent of the simulations, and what they found."""
    figure = runpy.run_path(str(DOCS / "figures" / "error_rates.py"))
    rows = figure["read"]()
    promised = [row for row in rows if figure["promises"](row)]
    settings = {figure["name"](row) + figure["setting"](row): int(row["n_experiments"]) for row in rows}
    far = {figure["name"](row) for row in promised if figure["is_far"](row)}
    yield "rates.settings", f"{len(settings):,}"
    yield "rates.experiments", f"{sum(settings.values()) / 1e6:.0f} million"
    yield "rates.promised", f"{len(promised):,}"
    yield "rates.exact", str(sum(map(figure["is_exact"], rows)))
    yield "rates.unknown", str(sum(not figure["is_known"](row) for row in promised))
    yield "rates.far", str(len(far))


def of_other_packages() -> Iterator[tuple[str, str]]:
    """Yield how many inputs were run in other packages."""
    cases = tomllib.loads((DOCS / "other-packages" / "cases.toml").read_text(encoding="utf-8"))
    page = " ".join((DOCS / "other-packages" / "index.md").read_text(encoding="utf-8").split())
    found = re.search(r"which agree for (\d+) and differ for (\d+)\. For the other (\d+)", page)
    agree, differ, no_number = found.groups()
    yield from (("peers.packages", str(len(cases["peers"]))), ("peers.inputs", str(len(cases["case"]))))
    yield from (("peers.agree", agree), ("peers.differ", differ), ("peers.none", no_number))


def of_other_checks() -> Iterator[tuple[str, str]]:
    """Yield the extent of the other checks."""
    page = (DOCS / "numerical-accuracy.md").read_text(encoding="utf-8")
    yield "accuracy.references", re.search(r"([\d,]+) references, made on", page)[1]
    page = (DOCS / "errata-source-papers.md").read_text(encoding="utf-8")
    yield "errata", re.findall(r"^## (?:\d+ to )?(\d+)\. ", page, re.MULTILINE)[-1]
    figure = runpy.run_path(str(DOCS / "figures" / "mutation_testing.py"))
    sample = figure["rows"](figure["LATER"])
    survived = sum(row["at_first"] == "survived" for row in sample)
    same = sum(row["outcome"] == "survived" for row in sample)
    yield from (("mutants", str(len(sample))), ("mutants.same", str(same)))
    yield "mutants.detected", str(len(sample) - survived)


@cache
def values() -> dict[str, str]:
    """Return every number by its name."""
    sources = (of_r, of_random_inputs, of_error_rates, of_other_packages, of_other_checks)
    return {name: value for source in sources for name, value in source()}


@cache
def rows(file: str) -> list[dict[str, str]]:
    """Return the rows of a file of docs/error-rates."""
    return list(TABLES["read_rows"](DOCS / "error-rates" / f"{file}.csv"))


def has(row: dict[str, str], condition: str) -> bool:
    """Return whether a row has a value, such as ``subject=wilcoxon_test`` or ``n>=20``."""
    name, sign, value = re.fullmatch(r"(\w+)([<>]?=)(.*)", condition).groups()
    return fnmatch(row[name], value) if sign == "=" else COMPARED[sign](float(row[name]), float(value))


def rate(question: str) -> str:
    """Return a simulated rate in percent: `FILE COLUMN; conditions`, or `FILE max COLUMN; conditions`."""
    what, *conditions = " ".join(question.split()).split("; ")
    file, *extreme, column = what.split()
    found = [float(r[column]) for r in rows(file) if r[column] and all(has(r, one) for one in conditions)]
    if not found or not (extreme or len(found) == 1):
        raise KeyError(f"{len(found)} rows of {file}.csv have {conditions}")
    return f"{100 * {'max': max, 'min': min}[extreme[0] if extreme else 'max'](found):.1f}%"


def number(name: str) -> str:
    """Return a number by its name, or a simulated rate by its row."""
    return rate(name) if len(name.split()) > 1 else values()[name]


def filled(text: str) -> str:
    """Return a page with the numbers of today; an unknown name is an error."""
    return MARK.sub(lambda found: f"<!-- n: {found[1]} -->{number(found[1])}<!-- / -->", text)


def pages() -> list[Path]:
    """Return the pages with numbers."""
    every = [ROOT / "README.md", ROOT / "paper" / "paper.md", *sorted(DOCS.rglob("*.md"))]
    return [path for path in every if "<!-- n: " in path.read_text(encoding="utf-8")]


if __name__ == "__main__":
    for path in pages():
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
    print(*(f"{name}: {value}" for name, value in values().items()), sep="\n")
