"""Simulate the type-I error rate of t-tests with several variances of a mean over clusters.

``python scripts/cluster_variance_candidates.py`` writes docs/error-rates/cluster-variances.csv and a table of
docs/error-rates-questions.md. With ``--experiments 200``, the script only prints the rates of a short simulation.

A t-test of a mean needs only the totals of the clusters. The script draws these totals without their questions.
"""

from __future__ import annotations

import itertools

import numpy as np
from generated_tables import read_rows, simulate_and_write
from scipy import stats
from simulate_unequal_clusters import CORRELATIONS, DESIGNS, DOCS, EXPERIMENTS, FARTHER, LEVEL, PAGE, SHARE_OF, ease

DATA, SEED = DOCS / "error-rates" / "cluster-variances.csv", 20261124
UNLIKE = "one errs by clusters"  # both are correct in 8 of 10 answers; the answers of one model are independent
SCORES, SHARE = ("real", *SHARE_OF, UNLIKE), 0.8
CANDIDATES = {
    "cv1": "CV1, G - 1",
    "cr2": "CR2, Bell & McCaffrey",
    "cv3_g": "CV3, G - 1",
    "cv3": "CV3, Bell & McCaffrey",
    "cv3_whole": "CV3, clusters that vary as a whole",
}
SIZES = {name: design.sizes for name, design in DESIGNS.items() if not design.strata.any()}

Row = dict[str, float | str]


def totals(rng: np.random.Generator, n: int, sizes: np.ndarray, kind: str, correlation: float) -> np.ndarray:
    """Return the sum of the differences of two equal models in each cluster, for n experiments."""
    shape = n, sizes.size
    if kind == "real":
        own, shared = (rng.standard_normal(shape) for _ in range(2))
        return np.sqrt(2 * sizes * (1 - correlation)) * own + np.sqrt(2 * correlation) * sizes * shared
    share = SHARE_OF.get(kind, SHARE)
    x, y = (
        rng.binomial(sizes, ease(rng, shape, share, own)) for own in (correlation, 0 if kind == UNLIKE else correlation)
    )
    return (x - y).astype(float)


def satterthwaite(factors: np.ndarray, sizes: np.ndarray, correlation: float) -> float:
    """Return tr(P)^2 / tr(P^2) for correlated answers in clusters whose deviations have these factors."""
    share = sizes / sizes.sum()
    own = sizes * (1 - correlation) + sizes**2 * correlation
    covariance = np.diag(own) - np.outer(share, own) - np.outer(own, share) + own.sum() * np.outer(share, share)
    p = factors[:, np.newaxis] * covariance * factors
    return float(np.trace(p) ** 2 / (p**2).sum())


def rejections(d: np.ndarray, sizes: np.ndarray) -> Row:
    """Return the rate at which each candidate rejects that the mean is 0."""
    n, g, share = sizes.sum(), sizes.size, sizes / sizes.sum()
    mean = d.sum(axis=1) / n
    squares = ((d - np.outer(mean, sizes)) / n) ** 2
    variances = {
        "cv1": (squares.sum(axis=1) * g / (g - 1), g - 1.0),
        "cr2": ((squares / (1 - share)).sum(axis=1), satterthwaite((1 - share) ** -0.5, sizes, 0.0)),
    }
    jackknife = (squares / (1 - share) ** 2).sum(axis=1) * (g - 1) / g
    for name, df in (
        ("cv3_g", g - 1.0),
        ("cv3", satterthwaite(1 / (1 - share), sizes, 0.0)),
        ("cv3_whole", satterthwaite(1 / (1 - share), sizes, 1.0)),
    ):
        variances[name] = jackknife, df
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            name: float(np.mean(2 * stats.t.sf(np.abs(mean / np.sqrt(variance)), df) <= LEVEL))
            for name, (variance, df) in variances.items()
        }


def settings() -> list[tuple[str, str, float]]:
    """Return all sizes of clusters, types of scores and correlations."""
    return list(itertools.product(SIZES, SCORES, CORRELATIONS))


def rates(number: int, setting: tuple[str, str, float], n: int) -> Row:
    """Return the rates of one setting and, for real scores, the power."""
    name, kind, correlation = setting
    sizes = SIZES[name]
    d = totals(np.random.default_rng([SEED, number]), n, sizes, kind, correlation)
    found = rejections(d, sizes)
    if kind == "real":
        farther = rejections(d + FARTHER * np.std(d.sum(axis=1) / sizes.sum()) * sizes, sizes)
        found |= {f"{name}_power": rate for name, rate in farther.items()}
    return found


def simulated(n: int) -> list[Row]:
    """Return a row for each setting."""
    columns = [*CANDIDATES, *(f"{name}_power" for name in CANDIDATES)]
    rows = []
    for number, setting in enumerate(settings()):
        found = rates(number, setting, n)
        row: Row = dict(zip(("design", "scores", "correlation"), setting, strict=True))
        rows.append(row | {"experiments": n} | {name: found.get(name, "") for name in columns})
    return rows


def table(rows: list[Row]) -> str:
    """Return the table of the page: the highest rate of each candidate over all designs, and its power."""
    named = {"real": "normal", "right or wrong": "accuracy 0.6", "nearly all right": "accuracy 0.95"}
    kinds = [(f"{named.get(kind, kind)}: rejects at most", [kind], "") for kind in SCORES]
    columns = [*kinds, ("finds, effective number below 20", ["real"], "_power"), ("finds, above", ["real"], "_power")]
    lines = [f"| variance, degrees of freedom | {' | '.join(name for name, *_ in columns)} |"]
    lines.append(f"|{' --- |' * (1 + len(columns))}")
    for name, written in CANDIDATES.items():
        cells = []
        for title, wanted, suffix in columns:
            own = [row for row in rows if row["scores"] in wanted]
            if suffix:
                own = [row for row in own if (_effective(str(row["design"])) < 20) == ("below" in title)]
            values = [float(row[name + suffix]) for row in own]
            cells.append(f"{np.mean(values):.2f}" if suffix else f"{max(values):.3f}")
        lines.append(f"| {written} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _effective(name: str) -> float:
    sizes = SIZES[name]
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def read() -> list[Row]:
    """Return the rows of the data."""
    return [dict(row) for row in read_rows(DATA)]


if __name__ == "__main__":
    simulate_and_write(
        __doc__,
        lambda n: simulated(EXPERIMENTS if n is None else n),
        lambda rows: {"candidates": table(rows)},
        data=DATA,
        page=PAGE,
        seed=SEED,
    )
