"""Statements that stand on several pages are the same everywhere, and statements that were false do not come back."""

from __future__ import annotations

import csv
import inspect
import re
from pathlib import Path

import click
import pytest
from public_names import public_functions

from evalstats.cli.command_group import cli
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS

ROOT = Path(__file__).parents[1]
PAGES = {
    str(path.relative_to(ROOT)): " ".join(path.read_text(encoding="utf-8").split())
    for path in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "paper/paper.md")),
        *(ROOT / name for name in ("pyproject.toml", "CITATION.cff", "conda/recipe.yaml")),
        *(ROOT / "docs").rglob("*.md"),
    )
}
DOCSTRINGS = {name: " ".join((inspect.getdoc(one) or "").split()) for name, one in public_functions().items()}

# a fact, and how pages state it; each group is the value
FACTS = {
    "oldest Python": [
        r"Python (3\.\d+) or newer",
        r'requires-python = ">=([\d.]+)"',
        r'python_min: "([\d.]+)"',
        r"`oldest` \| Python (3\.\d+)",
    ],
    "oldest NumPy": [r'"numpy>=([\d.]+)"', r"- numpy >=([\d.]+)", r"`oldest` \| Python [\d.]+, numpy ([\d.]+)"],
    "version": [
        r'(?<!cff-)version: "?(\d+\.\d+\.\d+)',
        r"\$ evalstats --version evalstats ([\d.]+)",
        r"evalstats-([\d.]+)-py3",
    ],
    "errata of the source papers": [
        r"errata-source-papers\.md\): (\d+) errors",
        r"lists the (\d+) exceptions with their recomputation",
        r"documents (\d+) places where a printed number",
        r"lists (?:<!-- n: errata -->)(\d+)<!-- / --> of them",
    ],
    "functions that R implements": [
        r"(\d+) functions against implementations in R",
        r"<!-- n: r\.implementation -->(\d+)<!-- / -->",
        r"The package compares (\d+) functions with implementations in R",
    ],
    "formulas with R's distributions": [
        r"(\d+) functions against R's distributions",
        r"<!-- n: r\.formula -->(\d+)<!-- / -->",
        r"and (\d+) functions with our formula and",
    ],
    "largest upload": [r"bodies of up to (\d+ MB)", r"A request can contain at most (\d+ MB)"],
}
FALSE = (
    r"[Pp]osterior probabilities need no adjustment",
    r"No (?:other )?test of scores (?:was found|exceeds)",
    r"\d+ functions that R has",
    r"proven against R",
    r"every statistic (?:of evalstats )?is compared with R",
)


@pytest.mark.parametrize("fact", FACTS)
def test_fact_has_one_value(fact: str) -> None:
    found = {
        (page, value) for page, text in PAGES.items() for pattern in FACTS[fact] for value in re.findall(pattern, text)
    }

    assert len({page for page, _ in found}) > 1
    assert len({value for _, value in found}) == 1, found


@pytest.mark.parametrize("statement", FALSE)
def test_false_statement_is_gone(statement: str) -> None:
    found = [name for name, text in (PAGES | DOCSTRINGS).items() if re.search(statement, text, re.IGNORECASE)]

    assert found == []


def told(pattern: str) -> set[tuple[str, str]]:
    """Return what pages and docstrings write, with their names."""
    return {(name, found) for name, text in (PAGES | DOCSTRINGS).items() for found in re.findall(pattern, text)}


# of comparisons of questions, and an option of autorank
OF_OTHERS = ("betting", "tukeyhsd")


def test_posthoc_tests_of_the_pages_are_accepted() -> None:
    names = told(r"""posthoc=["']([\w-]+)|--posthoc ([a-z][\w-]*)""")

    assert len(names) > 10
    assert {
        (page, one or other)
        for page, (one, other) in names
        if (one or other) not in {*POSTHOC_TESTS, *OF_OTHERS, "auto"}
    } == set()


def test_table_of_posthoc_tests_is_complete() -> None:
    page = (ROOT / "docs" / "reference" / "comparison" / "analysis.md").read_text(encoding="utf-8")
    table = page.partition("| `posthoc` |")[2].partition("\n\n")[0]

    assert set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)) == set(POSTHOC_TESTS)


def test_omnibus_tests_of_the_command_line_are_accepted() -> None:
    row = re.search(r"`--omnibus NAME` \| Omnibus test: (.*?)\.", PAGES["docs/cli.md"])[1]

    assert set(re.findall(r"`([\w-]+)`", row)) <= set(OMNIBUS_TESTS)


def test_commands_of_the_pages_exist() -> None:
    commands = set(cli.list_commands(click.Context(cli)))
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^## evalstats ([a-z-]+)", page, re.MULTILINE)) == commands
    assert {one for _, one in told(r"(?:\$ |`)evalstats ([a-z][a-z-]+)\b(?!\.)")} <= commands


def exact_rates() -> dict[tuple[str, str, str, str], float]:
    with (ROOT / "docs" / "error-rates" / "exact.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["subject"], row["variant"], row["n"], row["k"]): 100 * float(row["rate"]) for row in rows}


@pytest.mark.parametrize(
    ("function", "variant"), [("friedman_dunnett_test", "control"), ("conover_test", "control, holm")]
)
def test_rates_of_three_classifiers_and_a_control_are_exact(function: str, variant: str) -> None:
    """The docstring of the function gives the enumerated rates; a page includes them by markers."""
    pattern = r"([\d.]+)% of tables of 5 datasets, in ([\d.]+)% for 10 and in ([\d.]+)% for 30"
    exact = exact_rates()

    found = [float(value) for value in re.search(pattern, DOCSTRINGS[function]).groups()]

    assert found == [round(exact[function, variant, n, "3"], 1) for n in ("5", "10", "30")]


def test_rates_of_approximations_of_friedmans_distribution_are_exact() -> None:
    exact = exact_rates()
    text = DOCSTRINGS["friedman_test"]

    chi2 = float(re.search(r"[Ff]or 4 datasets and 3 classifiers, it rejects ([\d.]+)%", text)[1])
    f = float(re.search(r"for 5 datasets and 4 classifiers, it rejects ([\d.]+)%", text)[1])

    assert chi2 == round(exact["friedman_test", "chi2", "4", "3"], 1)
    assert f == round(exact["friedman_test", "f", "5", "4"], 1)


def test_the_project_has_the_environment_that_contributing_names() -> None:
    named = set(re.findall(r"`tox -e (\w+)`", PAGES["CONTRIBUTING.md"]))
    tox = (ROOT / "tox.ini").read_text(encoding="utf-8")

    assert named
    for name in named:
        assert f"[testenv:{name}]" in tox or re.fullmatch(r"py3\d+", name)
