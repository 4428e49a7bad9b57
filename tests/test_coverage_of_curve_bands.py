"""The rates on the page and in the docstrings are those of the data, and the simulation does what the page says."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from evalstats import plot
from evalstats.paired import curve_difference

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "coverage-of-curve-bands.md").read_text(encoding="utf-8")
MIDDLE, RIGHT, END = (0.05, 0.1, 0.2, 0.3, 0.5), (0.7,), (0.9,)


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(ROOT / "scripts" / "simulate_curve_coverage.py"))


@pytest.fixture(scope="module")
def rows(script: dict) -> list[dict]:
    return script["read"]()


def span(values: list[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}"


def words(function) -> str:
    return " ".join(function.__doc__.split())


@pytest.mark.parametrize("name", ["differences", "curves", "bias", "reliability"])
def test_tables_of_the_page_are_those_of_the_data(script: dict, rows: list[dict], name: str) -> None:
    assert script["TABLES"][name](rows) in PAGE


@pytest.mark.long
@pytest.mark.parametrize("curve", ["cost", "roc", "precision-recall", "gain", "lift"])
def test_true_curves_are_those_of_a_large_sample(script: dict, curve: str) -> None:
    rng, at = np.random.default_rng(1), np.array([0.1, 0.4, 0.8])
    setting = script["Setting"](200_000, 0.2, 1.5, 1.5, 1)
    y_true, x, y = script["sample"](rng, setting)

    found = script["own_heights"](y_true == 1, x, script["HEIGHTS"][curve], at)
    assert found == pytest.approx(script["true_height"](curve, at, 1.5, 0.2), rel=0.01)
    assert np.corrcoef(x[y_true == 0], y[y_true == 0])[0, 1] == pytest.approx(script["CORRELATION"], abs=0.01)
    assert y_true.mean() == pytest.approx(0.2, abs=0.005)


@pytest.mark.long
def test_setting_can_be_simulated_again(script: dict, rows: list[dict]) -> None:
    """The random numbers of a setting depend on nothing else."""
    own = script["SINGLE"][0]
    again = script["of_single_curves"](0, "roc", own, own.experiments)
    wanted = [row for row in rows if (row["what"], row["curve"], row["n"]) == ("curve", "roc", "100")]

    assert [{name: str(value) for name, value in row.items()} for row in again] == wanted


def test_bands_of_differences_keep_their_level(rows: list[dict]) -> None:
    """But for chance: 4 standard errors of as many samples as there were."""
    found = [row for row in rows if row["what"] == "difference"]

    assert len(found) == 25
    for row in found:
        assert float(row["pointwise"]) >= 0.95 - 4 * float(row["pointwise_error"])
        assert float(row["everywhere"]) >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / int(row["counted"]))


def test_only_bands_that_are_named_are_beyond_their_level(rows: list[dict]) -> None:
    """Of ROC, gain and lift at the right end, of precision-recall at small recalls, of cost curves everywhere."""
    for row in (row for row in rows if row["what"] == "curve"):
        named = {"cost": True, "precision-recall": float(row["place"]) <= 0.3}
        if not named.get(row["curve"], float(row["place"]) >= 0.7):
            assert float(row["pointwise"]) >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / int(row["counted"])), row


@pytest.mark.parametrize(
    ("function", "curve", "groups"),
    [
        (plot.roc_curves, "roc", (MIDDLE, RIGHT, END)),
        (plot.gain_curves, "gain", (MIDDLE, RIGHT, END)),
        (plot.lift_curves, "lift", (MIDDLE, RIGHT, END)),
        (plot.precision_recall_curves, "precision-recall", ((0.5, 0.7, 0.9), (0.2, 0.3), (0.05, 0.1))),
        (plot.cost_curves, "cost", ((0.2, 0.3, 0.5, 0.7), (0.05, 0.1, 0.9))),
    ],
)
def test_docstrings_of_the_pictures_tell_the_rates(rows: list[dict], function, curve: str, groups) -> None:
    for places in groups:
        rates = [float(row["pointwise"]) for row in rows if row["curve"] == curve and row["place"] in map(str, places)]
        assert len(rates) == 3 * len(places)
        assert span(rates) in words(function)


def test_docstring_of_the_difference_tells_the_rates(rows: list[dict]) -> None:
    for name in ("pointwise", "everywhere"):
        assert span([float(row[name]) for row in rows if row["what"] == "difference"]) in words(curve_difference)


def test_page_of_the_bands_tells_the_rates(rows: list[dict]) -> None:
    def told(curves: tuple[str, ...], places: tuple[float, ...]) -> str:
        some = [row for row in rows if row["curve"] in curves and row["place"] in map(str, places)]
        return span([float(row["pointwise"]) for row in some])

    assert told(("cost",), (0.2, 0.3, 0.5, 0.7)) in PAGE
    assert told(("roc", "gain", "lift"), END) in PAGE
    assert told(("precision-recall",), (0.05,)) in PAGE


@pytest.mark.long
def test_most_of_the_bias_cancels_in_a_difference(script: dict) -> None:
    """Means of 400 samples at .5; their standard errors are about .002."""
    at, heights = np.array([0.5]), []
    for experiment in range(400):
        y_true, x, y = script["sample"](np.random.default_rng([9, experiment]), script["Setting"](100, 0.5, 1, 2, 1))
        heights.append([script["own_heights"](y_true == 1, one, script["HEIGHTS"]["cost"], at)[0] for one in (x, y)])
    truth = np.array([script["true_height"]("cost", at, apart, 0.5)[0] for apart in (1, 2)])

    bias = np.mean(heights, axis=0) - truth
    assert bias == pytest.approx([-0.033, -0.021], abs=0.002)
    assert truth[0] - truth[1] == pytest.approx(0.150, abs=5e-4)


def test_bands_of_reliability_curves_keep_their_level(rows: list[dict]) -> None:
    found = [row for row in rows if row["what"] == "reliability"]

    assert len(found) == 36
    for row in found:
        assert float(row["pointwise"]) >= 0.95 - 4 * float(row["pointwise_error"]), row
        if row["curve"] == "isotonic, confidence":
            assert float(row["everywhere"]) >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / int(row["counted"])), row
