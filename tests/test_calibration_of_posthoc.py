"""The page and the docstrings have the rates of the data, and the script makes rows of the data again."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from public_names import public_names

from evalstats.comparison.registry import POSTHOC_TESTS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "error-rates-posthoc.md").read_text(encoding="utf-8")
COIN = "swapped by a coin"
GATED = {name: test for name, test in POSTHOC_TESTS.items() if test.is_gated}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "posthoc_error_rates.py"))


@pytest.fixture(scope="module")
def rows(script: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = script["read"]()
    return found


def largest(rows: list[dict[str, Any]], posthoc: str, control: str, settings: list[str]) -> float | None:
    """Return the largest rate of a test, with Holm's method if it takes an adjustment."""
    adjust = "holm" if POSTHOC_TESTS[posthoc].adjusts else ""
    own = [r for r in rows if (r["posthoc"], r["adjust"], r["control"]) == (posthoc, adjust, control)]
    rates = [float(row["error"]) for row in own if row["setting"] in settings and row["error"]]
    return max(rates) if rates else None


def test_page_has_the_tables_of_the_data(script: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    assert script["filled"](PAGE, script["tables"](rows)) == PAGE


def test_data_have_every_cell(script: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    cells = [(r["setting"], int(r["n"]), int(r["k"]), r["posthoc"], r["adjust"], r["control"]) for r in rows]

    assert cells == [(*cell[:5], "no" if cell[5] is None else "yes") for cell in script["cells"]()]


@pytest.mark.parametrize("name", GATED)
def test_docstring_and_page_have_the_largest_rates(rows: list[dict[str, Any]], name: str) -> None:
    """They are rates of equals that are best and worst by a coin, in per cent."""
    test = GATED[name]
    found = [largest(rows, name, control, [COIN]) for control in ("no", "yes")]
    rates = [f"{100 * rate:.1f}" for rate in found if rate is not None]
    function = public_names()[test.function]
    docstring = " ".join(function.__doc__.split())
    stem = function.__module__.removeprefix("evalstats.").replace(".", "/")
    page = (ROOT / "docs" / "reference" / f"{stem}.md").read_text(encoding="utf-8")

    assert "controls the family-wise error rate only if all classifiers perform equally" in docstring.replace(
        "control the", "controls the"
    )
    in_docstring = re.search(r"rejected in up to (.*?) of simulated tables", docstring)
    assert in_docstring is not None
    assert re.findall(r"([0-9.]+)%", in_docstring[1]) == rates
    in_page = page[page.index("**Family-wise error rate.**") :].partition(f"`{test.function}` rejects")[2]
    assert re.findall(r"([0-9.]+)%", in_page)[: len(rates)] == rates


def test_default_keeps_its_level_in_every_setting(script: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """And tests of mean ranks do not: the reason why they need a leading test, and an if."""
    settings = list(script["SETTINGS"])
    for control in ("no", "yes"):
        default = largest(rows, "wilcoxon", control, settings)
        assert default is not None
        assert default < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)
    for name in ("nemenyi", "conover", "quade"):
        rate = largest(rows, name, "no", [COIN])
        assert rate is not None
        assert rate > 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)


@pytest.mark.long
def test_cell_is_made_again(script: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    made = script["rates"]("all alike", 8, 3, "nemenyi", "", None, 1000)

    assert {name: str(value) for name, value in made.items()} in rows
