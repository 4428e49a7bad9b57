"""Simulate how often a candidate that is worse by the margin passes if one model errs in whole clusters.

``python scripts/simulate_unlike_models_at_margin.py`` writes docs/error-rates/unlike-models-at-margin.csv and two
tables of docs/error-rates-questions.md. With ``--experiments 200``, the script only prints the rates of a short
simulation.

Each rule could supplement or replace the t-test with the margin. The gate and the tests with a margin use
`ClusterLeads` in addition to the t-test and the score test.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from generated_tables import read_rows, simulate_and_write
from scipy import stats
from simulate_unequal_clusters import DOCS, LEVEL, PAGE, ease

from evalstats.distributions.small_sample_limits import ClusterLeads, share_never_seen
from evalstats.metrics.cluster_variance import understand_groups
from evalstats.paired.accuracy_noninferiority import GroupedAccuracyPair
from evalstats.paired.shifted_scores import expecting_another_cluster

DATA, SEED = DOCS / "error-rates" / "unlike-models-at-margin.csv", 20261126
CLUSTERS, MARGIN, EXPERIMENTS = (8, 12, 20, 30, 50, 100, 200), 0.05, 2000
SIZES = {"10 each": 0.0, "log-normal": 1.0}
CORRELATION = 0.3
RULES = ("t", "score", "three", "bernstein", "largest", "t_now", "score_now")
NAMED = {
    "t": "t",
    "score": "score test",
    "three": "t and rule of three",
    "bernstein": "empirical Bernstein",
    "largest": "t and one more of the largest",
    "t_now": "t, now",
    "score_now": "score test, now",
}

Row = dict[str, float | str]


class Models(NamedTuple):
    """Accuracy of the baseline, loss of the candidate, and the model that errs in whole clusters."""

    share: float
    loss: float
    by_clusters: str  # candidate, baseline, neither, or both, in part


MODELS = {
    "candidate errs by clusters, .95": Models(0.95, MARGIN, "candidate"),
    "candidate errs by clusters, .99": Models(0.99, MARGIN, "candidate"),
    "baseline errs by clusters, .95": Models(0.95, MARGIN, "baseline"),
    "like models, .95": Models(0.95, MARGIN, "both"),
    "equal, independent, .95": Models(0.95, 0.0, "neither"),
    "equal, correlated, .95": Models(0.95, 0.0, "both"),
    "equal, independent, .80": Models(0.80, 0.0, "neither"),
}


def settings() -> list[tuple[str, str, int]]:
    """Return all models, sizes and numbers of clusters."""
    return list(itertools.product(MODELS, SIZES, CLUSTERS))


def sizes_of(n_clusters: int, spread: float) -> np.ndarray:
    """Return the size 10 for each cluster, or log-normal quantiles with about this mean."""
    normal = stats.norm.ppf((np.arange(n_clusters) + 0.5) / n_clusters)
    return np.ceil(10 * np.exp(spread * normal - spread**2 / 2) - 1e-9).astype(int)


def answers(rng: np.random.Generator, sizes: np.ndarray, share: float, *, correlation: float) -> np.ndarray:
    """Return the correct and incorrect answers of one model. With correlation 1, the answers of a cluster are equal."""
    shape = 1, sizes.size
    easy = rng.random(shape) < share if correlation == 1 else ease(rng, shape, share, correlation)
    of_case = np.repeat(easy[0].astype(float), sizes)
    return rng.random(of_case.size) < of_case


def passes(x: np.ndarray, y: np.ndarray, sizes: np.ndarray) -> dict[str, bool]:
    """Return which rules show that the candidate x is noninferior to the baseline y."""
    groups = np.repeat(np.arange(sizes.size), sizes)
    t = expecting_another_cluster(x.astype(float), y.astype(float), clusters=groups, strata=None, average="micro")
    score = GroupedAccuracyPair(x, y, understand_groups(groups, groups.size))
    low = float(t.limits(LEVEL)[0])
    weights, leads = sizes / groups.size, np.bincount(groups, x.astype(float) - y) / groups.size
    one = ClusterLeads(weights, leads)
    share = share_never_seen(one.effective, LEVEL)
    pvalues = {"t": float(t.one_sided(-MARGIN, "greater").pvalue)}
    pvalues["score"] = float(score.one_sided(-MARGIN, "greater").pvalue)
    found = {name: pvalue <= LEVEL for name, pvalue in pvalues.items()}
    found["three"] = found["t"] and low - share * (1 + float(t.difference)) > -MARGIN
    found["bernstein"] = _bernstein(weights, leads, one.effective) > -MARGIN
    holds = held_by_largest = False
    if found["t"] or found["score"]:
        holds = one.pvalue(-MARGIN, "greater") <= LEVEL
        one.one_more = float(weights.max())
        held_by_largest = one.pvalue(-MARGIN, "greater") <= LEVEL
    found["largest"] = found["t"] and held_by_largest
    return found | {"t_now": found["t"] and holds, "score_now": found["score"] and holds}


def _bernstein(weights: np.ndarray, leads: np.ndarray, effective: float) -> float:
    """Return the lower limit of Maurer & Pontil (2009) for a mean within [-1, 1]."""
    mean, log = leads.sum(), np.log(2 / LEVEL)
    variance = effective * ((leads - mean * weights) ** 2).sum()
    return float(mean - np.sqrt(2 * variance * log / effective) - 2 * 7 * log / (3 * (effective - 1)))


def rates(number: int, setting: tuple[str, str, int], n: int) -> Row:
    """Return the rate at which each rule passes the candidate in n experiments."""
    models, sizes = MODELS[setting[0]], sizes_of(setting[2], SIZES[setting[1]])
    rng, counts = np.random.default_rng([SEED, number]), dict.fromkeys(RULES, 0)
    apart = {"candidate": (1.0, 0.0), "baseline": (0.0, 1.0), "neither": (0.0, 0.0), "both": (CORRELATION,) * 2}
    of_candidate, of_baseline = apart[models.by_clusters]
    for _ in range(n):
        x = answers(rng, sizes, models.share - models.loss, correlation=of_candidate)
        y = answers(rng, sizes, models.share, correlation=of_baseline)
        for name, found in passes(x, y, sizes).items():
            counts[name] += found
    return {name: count / n for name, count in counts.items()}


def simulated(n: int) -> list[Row]:
    """Return a row for each setting."""
    return [
        dict(zip(("models", "sizes", "clusters"), setting, strict=True))
        | {"experiments": n}
        | rates(number, setting, n)
        for number, setting in enumerate(settings())
    ]


def tables(rows: list[Row]) -> dict[str, str]:
    """Return the tables of the page: the highest pass rate at the margin, and the lowest pass rate of equal models."""
    return {
        "unlike-at-margin": _table(rows, at_the_margin=True),
        "equal-at-margin": _table(rows, at_the_margin=False),
    }


def _table(rows: list[Row], *, at_the_margin: bool) -> str:
    lines = [f"| clusters | sizes | {' | '.join(NAMED.values())} |", f"| ---: | --- |{' ---: |' * len(NAMED)}"]
    for sizes, n_clusters in itertools.product(SIZES, CLUSTERS):
        own = [row for row in rows if row["sizes"] == sizes and int(row["clusters"]) == n_clusters]
        own = [row for row in own if (MODELS[str(row["models"])].loss > 0) == at_the_margin]
        cells = []
        for rule in NAMED:
            of_rule = [float(row[rule]) for row in own]
            cells.append(f"{max(of_rule):.3f}" if at_the_margin else f"{min(of_rule):.2f} to {max(of_rule):.2f}")
        lines.append(f"| {n_clusters} | {sizes} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def read() -> list[Row]:
    """Return the rows of the data."""
    return [dict(row) for row in read_rows(DATA)]


if __name__ == "__main__":
    simulate_and_write(
        __doc__,
        lambda n: simulated(EXPERIMENTS if n is None else n),
        tables,
        data=DATA,
        page=PAGE,
        seed=SEED,
    )
