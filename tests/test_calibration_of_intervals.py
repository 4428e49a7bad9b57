"""The rates on the page are those of the data, and every default covers but where the page names it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from evalstats.reproducibility import probability_of_improvement

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "coverage-of-intervals.md").read_text(encoding="utf-8")
LEAST = 0.92
# data that are named on the page: so few runs seldom show the tail
NAMED = {
    (name, data) for name in ("long_run_mean", "optimality_gap") for data in ("log-normal", "one run of ten fails")
}


@pytest.fixture(scope="module")
def script() -> dict:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        return runpy.run_path(str(ROOT / "scripts" / "simulate_interval_coverage.py"))
    finally:
        sys.path.remove(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def rows(script: dict) -> list[dict]:
    return script["read"]()


@pytest.mark.parametrize("name", ["summary", "details"])
def test_tables_of_the_page_are_those_of_the_data(script: dict, rows: list[dict], name: str) -> None:
    assert script["TABLES"][name](rows) in PAGE


def test_every_function_has_a_row_before_and_after(script: dict, rows: list[dict]) -> None:
    assert {row["function"] for row in rows} == set(script["BEFORE_AFTER"]) == set(script["SUBJECTS"])
    for old, new in zip(rows[::2], rows[1::2], strict=True):
        assert (old["version"], new["version"]) == ("before", "after")
        assert (old["method"], new["method"]) == script["BEFORE_AFTER"][old["function"]]
        assert int(new["experiments"]) >= 4000


def test_defaults_cover_where_they_are_given(rows: list[dict]) -> None:
    """But for four standard errors."""
    short = [
        row
        for row in rows
        if row["version"] == "after" and row["coverage"] and float(row["coverage"]) < LEAST - 4 * float(row["error"])
    ]

    assert {(row["function"], row["data"]) for row in short} <= NAMED


def test_what_was_below_is_the_reason_for_each_change(script: dict, rows: list[dict]) -> None:
    before = [row for row in rows if row["version"] == "before" and row["coverage"]]

    for name in script["BEFORE_AFTER"]:
        assert min(float(row["coverage"]) for row in before if row["function"] == name) < LEAST


def test_limits_of_improvement_are_those_of_the_function(script: dict) -> None:
    """They are worked out for all experiments at once."""
    x, y = np.round(np.random.default_rng(1).normal([[[0.5]], [[0]]], 1, (2, 20, 4 * 3)), 1).reshape(2, 20, 4, 3)
    low, high = script["improvement_limits"](np.random.default_rng(2), x, y)["small-sample"]

    for i in range(20):
        interval = probability_of_improvement(x[i], y[i], n_resamples=19).confidence_interval()
        assert (low[i], high[i]) == (pytest.approx(interval.low), pytest.approx(interval.high))


@pytest.mark.long
def test_table_of_shapes_is_simulated_again(script: dict) -> None:
    """Where rare failures lower the coverage, the samples that look symmetric are those that miss."""
    table = script["by_shape"]()

    assert table in PAGE
    for line in table.splitlines()[2:]:
        symmetric, *_, skewed = (float(cell.split()[0]) for cell in line.split("|")[3:-1])
        assert skewed > LEAST
        assert symmetric < skewed


@pytest.mark.long
def test_setting_can_be_simulated_again(script: dict, rows: list[dict]) -> None:
    """The random numbers of a setting depend on nothing else."""
    setting = next(iter(script["of_rejections"]()))
    again = script["counted"](setting, script["EXPERIMENTS"])
    wanted = [row for row in rows if row["function"] == setting.function][:2]

    assert [{name: str(value) for name, value in row.items()} for row in again] == wanted
