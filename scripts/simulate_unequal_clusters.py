"""Simulate tests and intervals of models on questions in clusters of unequal sizes.

``python scripts/simulate_unequal_clusters.py`` writes docs/error-rates/unequal-clusters.csv and three tables of
docs/error-rates-questions.md. With ``--experiments 200``, the script only prints the rates of a short simulation.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from generated_tables import read_rows, simulate_and_write
from scipy import stats

from evalstats import clustered_ttest
from evalstats.comparison.validity import FEW_CLUSTERS
from evalstats.metrics import clustered_mean
from evalstats.metrics.cluster_variance import understand_clusters
from evalstats.metrics.proportions import score_limits
from evalstats.paired import clustered_permutation_test, noninferiority_test

DOCS = Path(__file__).parents[1] / "docs"
DATA, PAGE = DOCS / "error-rates" / "unequal-clusters.csv", DOCS / "error-rates-questions.md"
CORRELATIONS, SHARES = (0.0, 0.1, 0.5, 0.9), (0.5, 0.9, 0.99)
SCORES = ("real", "right or wrong", "nearly all right")
SHARE_OF = {"right or wrong": 0.6, "nearly all right": 0.95}
EXPERIMENTS, AT_ONCE, SEED, LEVEL = 10_000, 1000, 20261123, 0.05
OF_SIGNS = 5  # one of this number of experiments also has the slower sign-flip test of clusters
OF_INTERVALS = 4  # one of this number is an experiment of an interval, or at a margin
FARTHER = 3.0  # difference of two different models, in standard errors of the mean
MARGIN, BASELINE = 0.05, 0.8

Row = dict[str, float | str]


class Design(NamedTuple):
    """Sizes of clusters, and the stratum of each cluster. The mean over the strata is ``average``."""

    sizes: np.ndarray
    strata: np.ndarray
    average: str = "micro"

    @property
    def groups(self) -> np.ndarray:
        """Cluster of each question."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @property
    def of_questions(self) -> dict[str, object]:
        """Arguments of the functions: clusters, strata and average."""
        strata = self.strata[self.groups] if self.strata.any() else None
        return {"clusters": self.groups, "strata": strata, "average": self.average}


def _one(sizes: Sequence[int] | np.ndarray) -> Design:
    return Design(np.asarray(sizes), np.zeros(len(sizes), dtype=int))


def _strata(parts: Sequence[Sequence[int]], average: str) -> Design:
    return Design(np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(part) for part in parts]), average)


def _log_normal(n: int, sigma: float) -> Design:
    """Return sizes whose logarithms are quantiles of a normal distribution, so they depend on no seed."""
    return _one(np.ceil(np.exp(0.5 + sigma * stats.norm.ppf((np.arange(n) + 0.5) / n))).astype(int))


def _pareto(n: int) -> Design:
    return _one(np.minimum(np.ceil(1 / (1 - (np.arange(n) + 0.5) / n)), 200).astype(int))


DESIGNS: dict[str, Design] = {
    **{f"{n} of 4": _one([4] * n) for n in (5, 10, 20, 50, 200)},
    **{f"{n}, log-normal, sigma 1.2": _log_normal(n, 1.2) for n in (10, 20, 50, 200)},
    **{f"{n}, log-normal, sigma 2": _log_normal(n, 2.0) for n in (10, 50)},
    **{f"{n}, Pareto": _pareto(n) for n in (10, 30, 100)},
    "29 of 3 and 1 of 57": _one([3] * 29 + [57]),
    "199 of 1 and 1 of 200": _one([1] * 199 + [200]),
    "18 of 2 and 2 of 40": _one([2] * 18 + [40] * 2),
    "198 of 1 and 2 of 100": _one([1] * 198 + [100] * 2),
    "50 of 1 and 5 of 30": _one([1] * 50 + [30] * 5),
    "8, geometric": _one(2 ** np.arange(8)),
    "20, geometric by 1.3": _one(np.ceil(1.3 ** np.arange(20)).astype(int)),
    "20 of 1 and 20 of 3": _one([1] * 20 + [3] * 20),
    "10 benchmarks of 2 clusters": _strata([[4, 4]] * 10, "macro"),
    "2 benchmarks, 40 of 2 and 5 of 10": _strata([[2] * 40, [10] * 5], "macro"),
    "3 benchmarks, 20, 20 and 2 of 5": _strata([[5] * 20, [5] * 20, [5] * 2], "macro"),
    "the same, each question alike": _strata([[5] * 20, [5] * 20, [5] * 2], "micro"),
    "2 benchmarks of single questions, 20 and 300": _strata([[1] * 20, [1] * 300], "macro"),
    "30 benchmarks of 1 cluster of 5": _strata([[5]] * 30, "macro"),
}


def ease(rng: np.random.Generator, shape: tuple[int, int], share: float, correlation: float) -> np.ndarray:
    """Return the probability of a correct answer in each cluster. Two answers of a cluster have the correlation."""
    if correlation == 0:
        return np.full(shape, share)
    strength = 1 / correlation - 1
    return rng.beta(strength * share, strength * (1 - share), shape)


def scores(rng: np.random.Generator, n: int, design: Design, kind: str, correlation: float) -> np.ndarray:
    """Return the scores of one model on the questions of n experiments."""
    shape = n, design.sizes.size
    if kind == "real":
        own = rng.standard_normal((n, design.groups.size)) * np.sqrt(1 - correlation)
        return own + rng.standard_normal(shape)[:, design.groups] * np.sqrt(correlation)
    right = ease(rng, shape, SHARE_OF[kind], correlation)[:, design.groups]
    return (rng.random(right.shape) < right).astype(float)


def of_equal_clusters(values: np.ndarray, design: Design) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean, and the standard error and degrees of freedom that are correct for clusters of one size.

    The variance of a stratum is G / (G - 1) times the sum of the squared sums of deviations (CV1), with G - 1 degrees
    of freedom. For several strata, the degrees of freedom are those of Satterthwaite.
    """
    clusters = understand_clusters(**design.of_questions, n=design.groups.size)
    sums, means, variances = clusters.sums(values), [], []
    for stratum, n in zip(clusters.of_stratum(), clusters.n_instances, strict=True):
        own, size, g = sums[:, stratum], clusters.sizes[stratum], stratum.stop - stratum.start
        means.append(own.sum(axis=1) / n)
        squares = ((own - np.outer(means[-1], size)) ** 2).sum(axis=1)
        variances.append(squares * g / (g - 1) / n**2 if g > 1 else np.full(len(own), np.nan))
    parts = clusters.weights**2 * np.stack(variances, axis=1)
    total = parts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = total**2 / (parts**2 / (clusters.n_clusters - 1)).sum(axis=1)
    return np.stack(means, axis=1) @ clusters.weights, np.sqrt(total), df


def rejected_before(values: np.ndarray, design: Design) -> np.ndarray:
    """Return the rejections of the t-test with the variance of equal clusters."""
    mean, error, df = of_equal_clusters(values, design)
    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * stats.t.sf(np.abs(mean / error), df) <= LEVEL


def levels(rng: np.random.Generator, n: int, design: Design, kind: str, correlation: float) -> Row:
    """Return the rejection rates of tests of two equal models and, for real scores, of two different models."""
    asked = design.of_questions
    counts = dict.fromkeys(("before", "t", "signs", "t_power", "signs_power"), 0.0)
    effective = understand_clusters(**asked, n=design.groups.size).effective
    few = effective < FEW_CLUSTERS - 1e-9 or bool((np.bincount(design.strata) == 1).any())
    done = done_by_signs = 0
    for size in [AT_ONCE] * (n // AT_ONCE) + [n % AT_ONCE] * (n % AT_ONCE > 0):
        x, y = (scores(rng, size, design, kind, correlation) for _ in "xy")
        some = slice(0, max(1, size // OF_SIGNS))
        pairs = [("", x)]
        if kind == "real":
            true_error = np.std(clustered_mean(x - y, **asked).estimate)
            pairs.append(("_power", x + FARTHER * true_error))
        for suffix, moved in pairs:
            counts[f"t{suffix}"] += np.sum(clustered_ttest(moved, y, **asked).pvalue <= LEVEL)
            signs = clustered_permutation_test(moved[some], y[some], n_resamples=499, rng=rng, **asked)
            counts[f"signs{suffix}"] += np.sum(signs.pvalue <= LEVEL)
        counts["before"] += rejected_before(x - y, design).sum()
        done, done_by_signs = done + size, done_by_signs + some.stop
    rates = {name: float(value / (done_by_signs if "signs" in name else done)) for name, value in counts.items()}
    if kind != "real":
        rates = {name: rate for name, rate in rates.items() if "power" not in name}
    return {"effective": effective, "chosen": "signs" if few else "t", **rates}


def coverages(rng: np.random.Generator, n: int, design: Design, share: float, correlation: float) -> Row:
    """Return the coverage of intervals of the proportion of correct answers of one model."""
    right = ease(rng, (n, design.sizes.size), share, correlation)[:, design.groups]
    answers = (rng.random(right.shape) < right).astype(float)
    found = clustered_mean(answers, **design.of_questions)
    auto, wilson = found.confidence_interval(1 - LEVEL), found.confidence_interval(1 - LEVEL, method="wilson")
    mean, error, df = of_equal_clusters(answers, design)
    clusters = understand_clusters(**design.of_questions, n=design.groups.size)
    alone = 1 / (clusters.weights**2 / clusters.n_clusters).sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(error > 0, mean * (1 - mean) / error**2, alone)
        quantile = stats.t.ppf(1 - LEVEL / 2, np.where(error > 0, df, (clusters.n_clusters - 1).sum()))
    low, high = score_limits(mean * size, (1 - mean) * size, quantile**2)
    return {
        "covers_before": float(np.mean((low <= share) & (share <= high))),
        "covers_wilson": float(np.mean((wilson.low <= share) & (share <= wilson.high))),
        "covers": float(np.mean((auto.low <= share) & (share <= auto.high))),
        "length": float(np.mean(auto.high - auto.low) / np.mean(high - low)),
    }


def at_the_margin(rng: np.random.Generator, n: int, design: Design, correlation: float) -> Row:
    """Return the rate at which a model that is worse by the margin is shown to be noninferior."""
    shape, groups = (n, design.sizes.size), design.groups
    old, new = (
        rng.random((n, groups.size)) < ease(rng, shape, share, correlation)[:, groups]
        for share in (BASELINE, BASELINE - MARGIN)
    )
    d = new.astype(float) - old
    found, (mean, error, df) = clustered_ttest(new, old, clusters=groups), of_equal_clusters(d, design)
    # add a question that differs with its whole cluster, as in the gate and in compare
    never_seen = (design.sizes**2).sum() / groups.size**3
    before = stats.t.sf((mean + MARGIN) / np.sqrt(error**2 + never_seen), df)
    now = stats.t.sf((found.mean_difference + MARGIN) / np.sqrt(found.standard_error**2 + never_seen), found.df)
    accuracy = noninferiority_test(new, old, margin=MARGIN, clusters=groups, test="accuracy").pvalue
    return {
        "passes_before": float(np.mean(before <= LEVEL)),
        "passes": float(np.mean(now <= LEVEL)),
        "accuracy_passes": float(np.mean(accuracy <= LEVEL)),
    }


def settings() -> Iterator[tuple[str, str, str, float, float]]:
    """Yield the simulated quantity, the design, the type of scores, the correlation and the accuracy."""
    for name, kind, correlation in itertools.product(DESIGNS, SCORES, CORRELATIONS):
        yield "level", name, kind, correlation, SHARE_OF.get(kind, np.nan)
    for name, share, correlation in itertools.product(DESIGNS, SHARES, CORRELATIONS):
        if np.bincount(DESIGNS[name].strata).min() > 1:
            yield "coverage", name, "right or wrong", correlation, share
    for name, correlation in itertools.product(DESIGNS, CORRELATIONS):
        if not DESIGNS[name].strata.any():
            yield "margin", name, "right or wrong", correlation, BASELINE


def rates(number: int, setting: tuple[str, str, str, float, float], n: int) -> Row:
    """Return the rates of one setting. Each setting has its own random numbers."""
    asked, name, kind, correlation, share = setting
    rng, design = np.random.default_rng([SEED, number]), DESIGNS[name]
    if asked == "level":
        return {"experiments": n, **levels(rng, n, design, kind, correlation)}
    n = max(1, n // OF_INTERVALS)
    if asked == "coverage":
        return {"experiments": n, **coverages(rng, n, design, share, correlation)}
    return {"experiments": n, **at_the_margin(rng, n, design, correlation)}


COLUMNS = ("experiments", "effective", "chosen", "before", "t", "signs", "t_power", "signs_power")
COLUMNS += ("covers_before", "covers_wilson", "covers", "length", "passes_before", "passes", "accuracy_passes")


def simulated(n: int) -> list[Row]:
    """Return a row for each setting."""
    rows = []
    for number, setting in enumerate(settings()):
        row: Row = dict(zip(("asked", "design", "scores", "correlation", "share"), setting, strict=True))
        found = rates(number, setting, n)
        rows.append(row | {name: found.get(name, "") for name in COLUMNS})
    return rows


def tables(rows: list[Row]) -> dict[str, str]:
    """Return the tables of the page: a row for each design, over all scores, proportions and correlations."""
    return {
        "levels": _table(rows, "level", _level_cells, LEVEL_COLUMNS),
        "coverages": _table(rows, "coverage", _coverage_cells, COVERAGE_COLUMNS),
        "margins": _table(rows, "margin", _margin_cells, MARGIN_COLUMNS),
    }


LEVEL_COLUMNS = ("effective", "t-test before rejects", "t-test rejects", "signs reject", "compare takes")
LEVEL_COLUMNS += ("t-test finds", "signs find")
COVERAGE_COLUMNS = ("before covers", "Wilson covers", "covers", "length relative to before")
MARGIN_COLUMNS = ("t before passes", "t passes", "score test of accuracies passes")


def _table(rows: list[Row], asked: str, cells: Callable[[list[Row]], Iterable[str]], columns: tuple[str, ...]) -> str:
    lines = [f"| clusters | {' | '.join(columns)} |", f"|{' --- |' * (1 + len(columns))}"]
    for name in DESIGNS:
        own = [row for row in rows if row["asked"] == asked and row["design"] == name]
        if own:
            lines.append(f"| {name} | {' | '.join(cells(own))} |")
    return "\n".join(lines) + "\n"


def _range(rows: list[Row], name: str, digits: int = 3) -> str:
    values = [float(row[name]) for row in rows if row[name] != ""]
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def _level_cells(rows: list[Row]) -> list[str]:
    names = ("before", "t", "signs")
    return [
        f"{float(rows[0]['effective']):.1f}".removesuffix(".0"),
        *(_range(rows, name) for name in names),
        str(rows[0]["chosen"]),
        *(_range(rows, name, 2) for name in ("t_power", "signs_power")),
    ]


def _coverage_cells(rows: list[Row]) -> list[str]:
    return [*(_range(rows, name) for name in ("covers_before", "covers_wilson", "covers")), _range(rows, "length", 2)]


def _margin_cells(rows: list[Row]) -> list[str]:
    return [_range(rows, name) for name in ("passes_before", "passes", "accuracy_passes")]


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
