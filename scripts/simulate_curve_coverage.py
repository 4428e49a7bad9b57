"""Simulate the coverage of the bands of curves.

``python scripts/simulate_curve_coverage.py`` writes docs/error-rates/curves.csv and the tables of
docs/coverage-of-curve-bands.md. With ``--experiments 20``, the script only prints the rates of a short simulation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from generated_tables import read_rows, simulate_and_write
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from evalstats.metrics import reliability_curve
from evalstats.metrics.bootstrap import HEIGHTS, own_heights
from evalstats.paired import curve_difference
from evalstats.plot.curve_drawing import _curve_bands, scored_classifiers

DOCS = Path(__file__).parents[1] / "docs"
DATA, PAGE = DOCS / "error-rates" / "curves.csv", DOCS / "coverage-of-curve-bands.md"
SEED, LEVEL, DRAWS = 20261123, 0.95, 399
CORRELATION = 0.5  # correlation of the scores of two classifiers within a class
PLACES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
CURVES = tuple(HEIGHTS)


class Setting(NamedTuple):
    """Number of instances, prevalence, distance of the classes in score, and number of experiments."""

    n: int
    share: float
    x: float
    y: float
    experiments: int


DIFFERENCES = (
    Setting(100, 0.5, 2, 1, 300),
    Setting(300, 0.5, 2, 1, 200),
    Setting(300, 0.5, 1, 1, 150),
    Setting(300, 0.2, 2, 1, 150),
    Setting(1000, 0.2, 2, 1, 80),
)
SINGLE = (Setting(100, 0.5, 1.5, 1.5, 300), Setting(300, 0.5, 1.5, 1.5, 200), Setting(300, 0.2, 1.5, 1.5, 200))
# number of instances, parameter of the Beta(1, b) distribution of the probabilities, and power of the true frequencies
RELIABILITY = tuple(
    (n, b, power, method, band)
    for n in (100, 500, 2000)
    for b in (1, 4)
    for method in ("isotonic", "quantile")
    # a consistency band assumes calibrated probabilities
    for band, power in (("consistency", 1.0), ("confidence", 1.0), ("confidence", 1.5))
)
RELIABILITY_EXPERIMENTS = 1000
# greatest height of a cost curve, as in its plot
GREATEST = {"cost": lambda x: np.minimum(x, 1 - x)}

Row = dict[str, Any]


def true_height(curve: str, at: np.ndarray, apart: float, share: float) -> np.ndarray:
    """Return the curve of normal scores with variance 1 and means that differ by `apart`."""
    if curve == "cost":
        best = apart / 2 + np.log((1 - at) / at) / apart  # where the ratio of the densities is (1 - x) / x
        return ndtr(-best) * (1 - at) + ndtr(best - apart) * at
    if curve == "roc":
        return ndtr(apart + ndtri(at))
    if curve == "precision-recall":
        found, wrong = share * at, (1 - share) * ndtr(ndtri(at) - apart)
        return found / (found + wrong)

    def passed(t: float) -> float:
        return float(share * ndtr(apart - t) + (1 - share) * ndtr(-t))

    gain = np.array([ndtr(apart - brentq(lambda t, s=s: passed(t) - s, -12, 12 + apart)) for s in at])
    return gain / at if curve == "lift" else gain


def sample(rng: np.random.Generator, own: Setting) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels of both classes, and the scores of two classifiers."""
    while True:
        y_true = (rng.random(own.n) < own.share).astype(int)
        if 0 < y_true.sum() < own.n:
            break
    both = np.sqrt(CORRELATION) * rng.standard_normal(own.n)
    x, y = (d * y_true + both + np.sqrt(1 - CORRELATION) * rng.standard_normal(own.n) for d in (own.x, own.y))
    return y_true, x, y


def of_differences(number: int, curve: str, own: Setting, n: int) -> Row:
    """Count how often the bands of `curve_difference` contain the true difference, at each position and at all."""
    everywhere, shares, places = [], [], []
    for experiment in range(n):
        rng = np.random.default_rng([SEED, number, CURVES.index(curve), experiment])
        found = curve_difference(*sample(rng, own), curve=curve, n_resamples=DRAWS, rng=rng)
        if found.n_deciding.min() < 5:  # no position has enough instances, so all positions are given
            continue
        x, y = (true_height(curve, found.at, apart, own.share) for apart in (own.x, own.y))
        shares.append(np.mean((found.low <= x - y) & (x - y <= found.high)))
        everywhere.append(np.all((found.low_everywhere <= x - y) & (x - y <= found.high_everywhere)))
        places.append(len(x))
    return {
        "what": "difference",
        "curve": curve,
        "n": own.n,
        "share": own.share,
        "d_x": own.x,
        "d_y": own.y,
        "place": "",
        "experiments": n,
        "counted": len(places),
        "places": _rounded(np.mean(places)) if places else "",
        "pointwise": _rounded(np.mean(shares)) if places else "",
        "pointwise_error": _rounded(np.std(shares) / np.sqrt(len(shares))) if places else "",
        "everywhere": _rounded(np.mean(everywhere)) if places else "",
        "bias": "",
    }


def of_single_curves(number: int, curve: str, own: Setting, n: int) -> list[Row]:
    """Count how often the bands of the plots contain the true curve at some positions."""
    at = np.array(PLACES)
    truth, covered, heights = true_height(curve, at, own.x, own.share), [], []
    choices = {"level": LEVEL, "n_resamples": DRAWS, "greatest": GREATEST.get(curve)}
    for experiment in range(n):
        rng = np.random.default_rng([SEED, 100 + number, CURVES.index(curve), experiment])
        y_true, x, _ = sample(rng, own)
        scored = scored_classifiers(y_true, x, None, None, None, None)
        low, high = _curve_bands(scored, HEIGHTS[curve], at, generator=rng, **choices)
        covered.append((low[0] <= truth) & (truth <= high[0]))
        heights.append(own_heights(y_true == 1, x, HEIGHTS[curve], at))
    bias = np.mean(heights, axis=0) / truth - 1
    return [
        {
            "what": "curve",
            "curve": curve,
            "n": own.n,
            "share": own.share,
            "d_x": own.x,
            "d_y": "",
            "place": place,
            "experiments": n,
            "counted": n,
            "places": 1,
            "pointwise": _rounded(rate),
            "pointwise_error": _rounded(np.sqrt(rate * (1 - rate) / n)),
            "everywhere": "",
            "bias": _rounded(off),
        }
        for place, rate, off in zip(PLACES, np.mean(covered, axis=0), bias, strict=True)
    ]


def of_reliability(number: int, n: int) -> Row:
    """Count how often a band of a reliability curve contains the curve (consistency) or the true frequencies."""
    size, b, power, method, band = RELIABILITY[number]
    inside = []
    for experiment in range(n):
        rng = np.random.default_rng([SEED, 200 + number, experiment])
        probability = np.sort(rng.beta(1, b, size))
        true = probability**power
        y_true = (rng.random(size) < true).astype(int)
        found = reliability_curve(y_true, probability, method=method, band=band, n_resamples=DRAWS, rng=rng)
        # points are consecutive runs of the sorted probabilities
        starts = np.cumsum(found.n_instances) - found.n_instances
        truth = np.add.reduceat(true, starts) / found.n_instances if band == "confidence" else found.frequency
        lower, upper = found.limits_at(found.probability)
        holds = (lower - 1e-12 <= truth) & (truth <= upper + 1e-12)
        inside.append((np.average(holds, weights=found.n_instances), holds.all()))
    shares, everywhere = np.transpose(inside)
    return {
        "what": "reliability",
        "curve": f"{method}, {band}",
        "n": size,
        "share": round(1 / (1 + b), 2),
        "d_x": power,
        "experiments": n,
        "counted": n,
        "pointwise": _rounded(np.mean(shares)),
        "pointwise_error": _rounded(np.std(shares) / np.sqrt(n)),
        "everywhere": _rounded(np.mean(everywhere)),
    }


def _rounded(value: Any) -> float:
    return round(float(value), 4)


def simulated(n: int | None = None) -> list[Row]:
    """Return a row for each setting and curve. Each experiment has its own random numbers."""
    rows = [
        of_differences(number, curve, own, n or own.experiments)
        for number, own in enumerate(DIFFERENCES)
        for curve in CURVES
    ]
    for number, own in enumerate(SINGLE):
        for curve in CURVES:
            rows += of_single_curves(number, curve, own, n or own.experiments)
    rows += [of_reliability(number, n or RELIABILITY_EXPERIMENTS) for number in range(len(RELIABILITY))]
    return rows


def _table(names: tuple[str, ...], cells: list[list[str]]) -> str:
    lines = [names, ["---"] * len(names), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def difference_table(rows: list[Row]) -> str:
    """Return the table of differences: the proportions of positions and of experiments with coverage."""
    names = ("cases", "positive", "d' of x and y", "curve", "experiments", "places", "pointwise", "everywhere")
    cells = []
    for row in (row for row in rows if row["what"] == "difference"):
        n = int(row["counted"])
        rates = [f"{float(row[name]):.3f}" if n else "" for name in ("pointwise", "everywhere")]
        where = f"{float(row['places']):.0f}" if n else ""
        apart = f"{float(row['d_x']):g} and {float(row['d_y']):g}"
        of = f"{n} of {row['experiments']}" if n < int(row["experiments"]) else str(n)
        cells.append([str(row["n"]), f"{float(row['share']):.0%}", apart, row["curve"], of, where, *rates])
    return _table(names, cells)


def single_table(rows: list[Row]) -> str:
    """Return the table of the bands in plots, with a column for each position."""
    found = [row for row in rows if row["what"] == "curve"]
    cells = []
    for start in range(0, len(found), len(PLACES)):
        own = found[start : start + len(PLACES)]
        head = [str(own[0]["n"]), f"{float(own[0]['share']):.0%}", own[0]["curve"]]
        cells.append(head + [f"{float(row['pointwise']):.3f}" for row in own])
    return _table(("cases", "positive", "curve", *(f"at {place:g}" for place in PLACES)), cells)


def bias_table(rows: list[Row]) -> str:
    """Return the mean bias of cost curves, relative to the true value."""
    found = [row for row in rows if row["what"] == "curve" and row["curve"] == "cost"]
    cells = []
    for start in range(0, len(found), len(PLACES)):
        own = found[start : start + len(PLACES)]
        off = [f"{float(row['bias']):+.0%}" for row in own]
        cells.append([str(own[0]["n"]), f"{float(own[0]['share']):.0%}", *off])
    return _table(("cases", "positive", *(f"at {place:g}" for place in PLACES)), cells)


def reliability_table(rows: list[Row]) -> str:
    """Return the table of reliability curves: the proportions of instances and of experiments with coverage."""
    names = ("cases", "mean probability", "true frequency", "curve and band", "experiments", "pointwise", "everywhere")
    cells = []
    for row in (row for row in rows if row["what"] == "reliability"):
        frequency = "calibrated" if float(row["d_x"]) == 1 else f"probability^{float(row['d_x']):g}"
        # only this band is simultaneous for all probabilities
        everywhere = f"{float(row['everywhere']):.3f}" if row["curve"] == "isotonic, confidence" else ""
        head = [str(row["n"]), f"{float(row['share']):g}", frequency, row["curve"], str(row["experiments"])]
        cells.append([*head, f"{float(row['pointwise']):.3f}", everywhere])
    return _table(names, cells)


TABLES = {"reliability": reliability_table, "differences": difference_table, "curves": single_table, "bias": bias_table}


def read() -> list[Row]:
    """Return the rows of the data."""
    return read_rows(DATA)


if __name__ == "__main__":
    simulate_and_write(
        __doc__,
        simulated,
        lambda rows: {name: table(rows) for name, table in TABLES.items()},
        data=DATA,
        page=PAGE,
        seed=SEED,
    )
