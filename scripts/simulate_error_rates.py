"""Simulate the error rates of every public test and adjustment, and the coverage of every interval.

python scripts/simulate_error_rates.py --out run.jsonl --minutes 60 --table docs/error-rates/all-methods.csv

A setting is a test or an interval, a type of random data, and a size. Each setting is simulated in chunks of
experiments until the 99.9% interval of each of its rates is narrower than .01, or than .03 if an experiment takes more
than a millisecond. Each setting first gets one chunk. The settings with the least remaining work are then finished
first. The work of the default choices of `compare` counts a tenth.

Each chunk is a line of the file, so an interrupted run can be resumed. Each chunk has its own seed, so interruptions do
not change the numbers. ``--table FILE`` writes the rates as CSV. Known rates, and rates with more experiments than in
FILE, replace the rates of FILE. Each row has its seed, versions and date. exact_error_rates.py computes the rates that
can be enumerated.
"""

from __future__ import annotations

import inspect
import json
import math
import platform
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import scipy
from experiments import (
    ADJUSTED,
    ALPHA,
    DEFAULTS,
    DISTRIBUTIONS,
    LARGE_TABLES,
    NORMAL_999,
    PAIRED_SIZES,
    RATED,
    TABLE_SIZES,
    Found,
    Setting,
    covered,
    discoveries,
    family,
    one_by_one,
    rated,
    rejected,
    right,
    scores,
    smallest_excess,
)
from generated_tables import read_rows, write_rows
from more_settings import MORE
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri
from scipy.stats import nct, t

import evalstats as ev
from evalstats._declarations import Data, all_declarations
from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.adjustment.pvalues import ADJUSTMENTS
from evalstats.metrics import (
    accuracy_interval,
    bootstrap_auc_interval,
    bootstrap_interval,
    clustered_mean,
    ppi_mean,
    proportion_interval,
)
from evalstats.metrics.delong import auc_estimate
from evalstats.metrics.proportions import NORMAL_95, mean_share_limits
from evalstats.multiple.mean_ranks import mean_ranks
from evalstats.paired.noninferiority import difference_in_clusters

SEED = 2006
LEAD = 1.0  # advantage of one classifier for power, in standard deviations of its scores within a dataset
FAST = 1e-3  # seconds of one experiment
WIDTHS = (0.01, 0.03)  # width of the interval of an error rate or a coverage, for fast and for slow experiments
WIDTHS_OF_POWER = (0.03, 0.1)  # the same widths for rates without a nominal level
FEW = 199  # random draws of a simulated p-value or interval: 200 times .05 is an integer

# --- subjects ---------------------------------------------------------------------------------------------------------


def declared(*data: Data) -> Iterator[tuple[str, str, Callable[..., Any], int]]:
    """Yield the declared tests of some types of data: name, variant, test, and number of experiments in a chunk."""
    for one in all_declarations():
        for variant, choices in one.simulations.items():
            if one.data in data:
                yield one.name, variant, partial(one.function, **choices), one.n_experiments


def paired_tests() -> Iterator[Setting]:
    """Yield tests of two classifiers with scores paired by dataset."""
    for name, variant, test, size in declared(Data.PAIRS, Data.CLUSTERED_PAIRS):
        is_bounded = "bounds" in inspect.signature(test).parameters
        for data in ("normal", "skewed", "discrete", "tied"):
            for n in PAIRED_SIZES:
                for lead in (0.0, LEAD) if data == "normal" else (0.0,):

                    def run(
                        rng: np.random.Generator, many: int, test=test, data=data, n=n, lead=lead, is_bounded=is_bounded
                    ) -> Found:
                        drawn = scores(rng, data, (many, n, 2), lead)
                        drawn = ndtr(drawn) if is_bounded else drawn
                        return rejected(test(drawn[..., 1], drawn[..., 0]).pvalue, lead)

                    yield Setting(name, variant, data, n, 2, lead, run, size if n < 200 else max(20, size // 4))


def sides(drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the two classifiers."""
    return drawn[..., 0], drawn[..., 1]


MARGIN_TESTS = {"noninferiority_test": ev.noninferiority_test, "equivalence_test": ev.equivalence_test}


def margin_tests() -> Iterator[Setting]:
    """Yield tests at the margin, where the null hypothesis is just true."""
    for n in (10, 30, 200):
        for name, test in MARGIN_TESTS.items():
            for of in ("wilcoxon", "paired-t"):

                def run(rng: np.random.Generator, many: int, test=test, of=of, n=n) -> Found:
                    drawn = scores(rng, "normal", (many, n, 2), 0.5)
                    return rejected(test(drawn[..., 0], drawn[..., 1], margin=0.5, test=of).pvalue, 0)

                yield Setting(name, of, "at the margin", n, 2, 0, run, 100)
    for n in (50, 200, 1000):
        for name, test in MARGIN_TESTS.items():
            for method in ("score", "exact"):
                if method == "exact" and n > 200:
                    continue

                def run(rng: np.random.Generator, many: int, test=test, n=n, method=method) -> Found:
                    drawn = right(rng, (many, n, 2), [0.75, 0.8])
                    return rejected(test(*sides(drawn), margin=0.05, test="accuracy", method=method).pvalue, 0)

                yield Setting(
                    f"{name}, accuracy", method, "at the margin", n, 2, 0, run, 200 if method == "score" else 20
                )
    for n in (40, 200):
        for name, test in MARGIN_TESTS.items():

            def run(rng: np.random.Generator, many: int, test=test, n=n) -> Found:
                y_true, drawn = ranked(rng, many, n, [0.75, 0.85])
                return rejected(test(*sides(drawn), y_true=y_true, margin=0.1, test="auc").pvalue, 0)

            yield Setting(f"{name}, auc", "", "at the margin", n, 2, 0, run)
        for name, test in MARGIN_TESTS.items():

            def run(rng: np.random.Generator, many: int, test=test, n=n) -> Found:
                drawn = right(rng, (many, n, 2), [0.7, 0.8])
                y_true = np.tile([0, 1], (many, n // 2))
                predicted = np.where(drawn, y_true[..., None], 1 - y_true[..., None])
                asked = {"test": "metric", "metric": "accuracy", "margin": 0.1, "n_resamples": 999}
                return rejected(one_by_one(lambda t, p: test(*sides(p), y_true=t, **asked), y_true, predicted), 0)

            yield Setting(f"{name}, metric", "accuracy", "at the margin", n, 2, 0, run, 20)


def ranked(rng: np.random.Generator, many: int, n: int, areas: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Draw normal scores of n instances, half of them positive, with the given areas under the ROC curve."""
    y_true = np.tile([0, 1], n // 2)
    hard = rng.standard_normal((many, n, 1))
    noise = math.sqrt(0.5) * (hard + rng.standard_normal((many, n, len(areas))))
    return y_true, noise + y_true[:, None] * math.sqrt(2) * ndtri(np.array(areas))


def tests_of_cases() -> Iterator[Setting]:
    """Yield tests of one test set."""
    tests = {
        "exact": {"method": "exact"}, "midp": {"method": "midp"}, "asymptotic": {"method": "asymptotic"},
        "asymptotic, not corrected": {"method": "asymptotic", "correction": False},
    }  # fmt: skip
    for n in (20, 100, 1000):
        for variant, choices in tests.items():
            for lead in (0.0, 0.1):

                def run(rng: np.random.Generator, many: int, n=n, choices=choices, lead=lead) -> Found:
                    drawn = right(rng, (many, n, 2), [0.8, 0.8 + lead])
                    return rejected(ev.mcnemar_test(drawn[..., 1], drawn[..., 0], **choices).pvalue, lead)

                yield Setting("mcnemar_test", variant, "answers", n, 2, lead, run)
        for method in ("bowker", "stuart-maxwell", "bhapkar"):

            def run(rng: np.random.Generator, many: int, n=n, method=method) -> Found:
                # labels of three classes, one of them rare, by two classifiers with accuracy .7
                y = rng.choice(3, size=(many, n, 1), p=[0.6, 0.3, 0.1])
                labels = np.where(rng.random((many, n, 2)) < 0.7, y, rng.integers(0, 3, (many, n, 2)))
                table = ev.metrics.confusion_counts(labels[..., 0], labels[..., 1], n_classes=3)
                return rejected(ev.paired.square_table_test(table, method=method).pvalue, 0)

            yield Setting("square_table_test", method, "three labels", n, 2, 0, run)
        for k in (3, 10):
            for name, test in (("cochran_q_test", ev.cochran_q_test), ("looney_f_test", ev.multiple.looney_f_test)):

                def run(rng: np.random.Generator, many: int, n=n, k=k, test=test) -> Found:
                    return rejected(test(right(rng, (many, n, k), 0.8)).pvalue, 0)

                yield Setting(name, "", "answers", n, k, 0, run, 100 if n < 1000 else 20)
            for lead in (0.0, 0.1):

                def run(rng: np.random.Generator, many: int, n=n, k=k, lead=lead) -> Found:
                    drawn = right(rng, (many, n, k), [*[0.8] * (k - 1), 0.8 + lead])
                    return family(ev.pairwise_mcnemar_test(drawn).pvalue, lead, None)

                yield Setting("pairwise_mcnemar_test", "holm", "answers", n, k, lead, run, 100 if n < 1000 else 20)
    for n in (20, 100, 500):
        for lead in (0.0, 0.1):

            def run(rng: np.random.Generator, many: int, n=n, lead=lead) -> Found:
                y_true, drawn = ranked(rng, many, n, [0.8, 0.8 + lead])
                return rejected(ev.delong_test(y_true, drawn[..., 1], drawn[..., 0]).pvalue, lead)

            yield Setting("delong_test", "", "ranked cases", n, 2, lead, run)

            def run(rng: np.random.Generator, many: int, n=n, lead=lead) -> Found:
                y_true, x = ranked(rng, many, n, [0.8])
                other, y = ranked(rng, many, n, [0.8 + lead])
                return rejected(ev.paired.delong_unpaired_test(y_true, x[..., 0], other, y[..., 0]).pvalue, lead)

            yield Setting("delong_unpaired_test", "", "ranked cases", n, 2, lead, run)

            def run(rng: np.random.Generator, many: int, n=n, lead=lead) -> Found:
                y_true, drawn = ranked(rng, many, n, [*[0.8] * 4, 0.8 + lead])
                return family(ev.pairwise.pairwise_delong_test(y_true, drawn).pvalue, lead, None)

            yield Setting("pairwise_delong_test", "holm", "ranked cases", n, 5, lead, run, 100)
    for n in (20, 100):
        for metric in ("f1", "balanced_accuracy"):
            for name, test in (
                ("metric_permutation_test", ev.paired.metric_permutation_test),
                ("metric_bootstrap_test", ev.paired.metric_bootstrap_test),
            ):

                def run(rng: np.random.Generator, many: int, n=n, metric=metric, test=test) -> Found:
                    drawn, y_true = right(rng, (many, n, 2), 0.8), np.tile([0, 1], (many, n // 2))
                    predicted = np.where(drawn, y_true[..., None], 1 - y_true[..., None])
                    asked = {"metric": metric, "n_resamples": 999}
                    return rejected(one_by_one(lambda t, p: test(t, p[:, 0], p[:, 1], **asked), y_true, predicted), 0)

                yield Setting(name, metric, "answers", n, 2, 0, run, 20)


def diagnostic() -> Iterator[Setting]:
    """Yield tests of two classes by labels and probabilities: sensitivity, predictive values and net benefit."""
    tests: dict[tuple[str, str], Callable[..., Any]] = {
        ("sensitivity_specificity_test", ""): ev.paired.sensitivity_specificity_test,
        **{
            ("predictive_value_test", method): partial(ev.paired.predictive_value_test, method=method)
            for method in ("weighted", "score", "ratio")
        },
    }

    def labels(rng: np.random.Generator, many: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw labels, three in ten positive, and predictions of two classifiers that are correct in eight of ten."""
        y_true = (rng.random((many, n)) < 0.3).astype(int)
        drawn = right(rng, (many, n, 2), 0.8)
        return y_true, np.where(drawn, y_true[..., None], 1 - y_true[..., None])

    for n in (50, 200, 1000):
        for (name, variant), test in tests.items():

            def run(rng: np.random.Generator, many: int, n=n, test=test) -> Found:
                y_true, predicted = labels(rng, many, n)
                return rejected(test(y_true, predicted[..., 0], predicted[..., 1]).pvalue, 0)

            yield Setting(name, variant, "three in ten positive", n, 2, 0, run)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y_true, predicted = labels(rng, many, n)
            test = ev.paired.predictive_value_test(y_true, predicted[..., 0], predicted[..., 1])
            return covered(test.ratio_interval(), 1)

        yield Setting("PredictiveValueTestResult.ratio_interval", "", "three in ten positive", n, 2, 0, run)
    for n in (100, 400):
        at = np.arange(1, 7) / 10

        def run(rng: np.random.Generator, many: int, n=n, at=at) -> Found:
            held = [covered(curve.confidence_interval(), NET_BENEFIT) for curve in decision_curves(rng, many, n, at)]
            return {"coverage": np.mean([one["coverage"] for one in held], axis=1)}

        yield Setting("DecisionCurve.confidence_interval", "", "thresholds to .6", n, 1, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n, at=at) -> Found:
            bands = [curve.band(n_resamples=2000, rng=rng) for curve in decision_curves(rng, many, n, at)]
            return {"coverage": np.array([covered(band, NET_BENEFIT)["coverage"].all() for band in bands])}

        yield Setting("DecisionCurve.band", "six thresholds at once", "thresholds to .6", n, 1, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n, at=at) -> Found:
            shown = []
            for _ in range(many):
                z = rng.standard_normal(n)
                y_true = rng.random(n) < expit(z)
                x, y = expit(z + rng.standard_normal((2, n)))
                found = ev.paired.net_benefit_difference(y_true, x, y, thresholds=at, n_resamples=2000, rng=rng)
                shown.append(not found.shown.any())
            return {"coverage": np.array(shown)}

        yield Setting("net_benefit_difference", "six thresholds at once", "thresholds to .6", n, 2, 0, run, 50)


# of the probability expit(z) of a standard normal z, at the thresholds .1 to .6: by quadrature
Z = np.linspace(-9, 9, 200_001)
NET_BENEFIT = np.array([
    np.sum(np.exp(-Z * Z / 2) * (expit(Z) >= t - 1e-15) * (expit(Z) - expit(-Z) * t / (1 - t)))
    / np.sum(np.exp(-Z * Z / 2))
    for t in np.arange(1, 7) / 10
])  # fmt: skip


def decision_curves(rng: np.random.Generator, many: int, n: int, at: np.ndarray) -> Iterator[Any]:
    """Yield decision curves of calibrated probabilities."""
    for _ in range(many):
        p = expit(rng.standard_normal(n))
        yield ev.metrics.decision_curve(rng.random(n) < p, p, thresholds=at)


def readers() -> Iterator[Setting]:
    """Yield areas under the ROC curve of clustered instances, and of several readers of the same instances."""
    for n in (40, 200):
        cluster = np.repeat(range(n // 4), 4)

        def run(rng: np.random.Generator, many: int, n=n, cluster=cluster) -> Found:
            found = [one.pvalue for one in areas_in_clusters(rng, many, n, cluster)]
            return rejected(np.array(found), 0)

        yield Setting("clustered_delong_test", "", "clusters of four", n, 2, 0, run, 100)

        def run(rng: np.random.Generator, many: int, n=n, cluster=cluster) -> Found:
            found = [
                covered(one.confidence_interval(), 0)["coverage"] for one in areas_in_clusters(rng, many, n, cluster)
            ]
            return {"coverage": np.array(found)}

        yield Setting("ClusteredDeLongTestResult.confidence_interval", "", "clusters of four", n, 2, 0, run, 100)
    for data, truth, k in RATED:
        for sampled, method in (*((of, "f") for of in ("both", "cases", "readers")), *ADJUSTED):

            def run(rng: np.random.Generator, many: int, truth=truth, k=k, sampled=sampled, method=method) -> Found:
                test = partial(ev.multiple.obuchowski_rockette_test, truth, sampled=sampled, method=method)
                return rejected(np.array([test(one).pvalue for one in rated(rng, many, truth, k, sampled)]), 0)

            variant = sampled if method == "f" else f"{sampled}, {method}"
            yield Setting("obuchowski_rockette_test", variant, data, len(truth), k, 0, run, 100)

    for (data, truth, k), method in ((RATED[0], "adjusted"), (RATED[1], "f")):

        def run(rng: np.random.Generator, many: int, truth=truth, k=k, method=method) -> Found:
            test = partial(ev.multiple.obuchowski_rockette_test, truth, method=method)
            found = [
                covered(test(one).confidence_interval(), 0)["coverage"][0, 1]
                for one in rated(rng, many, truth, k, "both")
            ]
            return {"coverage": np.array(found)}

        yield Setting("obuchowski_rockette_test.confidence_interval", method, data, len(truth), k, 0, run, 100)


def areas_in_clusters(rng: np.random.Generator, many: int, n: int, cluster: np.ndarray) -> Iterator[Any]:
    """Yield tests of two equal classifiers. Two thirds of the variance of their scores are between clusters."""
    shared = rng.standard_normal((many, n // 4, 2))[:, cluster] + rng.standard_normal((many, n // 4, 1))[:, cluster]
    drawn = shared + rng.standard_normal((many, n, 2)) + np.tile([0, 2], n // 2)[:, None]
    for one in drawn:
        yield ev.paired.clustered_delong_test(np.tile([0, 1], n // 2), *one.T, cluster)


def clustered() -> Iterator[Setting]:
    """Yield tests of correlated instances, with four instances in each cluster."""
    for n in (5, 20, 50):
        for name, test in (
            ("clustered_ttest", ev.clustered_ttest),
            ("clustered_permutation_test", partial(ev.paired.clustered_permutation_test, n_resamples=FEW)),
        ):  # fmt: skip

            def run(rng: np.random.Generator, many: int, n=n, test=test) -> Found:
                drawn = clusters(rng, many, n, 2)
                return rejected(test(drawn[..., 0], drawn[..., 1], clusters=np.repeat(range(n), 4)).pvalue, 0)

            yield Setting(name, "", "clusters of four", n, 2, 0, run, 100 if "permutation" not in name else 50)
        for lead in (0.0, LEAD):

            def run(rng: np.random.Generator, many: int, n=n, lead=lead) -> Found:
                drawn = clusters(rng, many, n, 4)
                drawn[..., -1] += lead
                return family(
                    ev.pairwise.pairwise_clustered_ttest(drawn, clusters=np.repeat(range(n), 4)).pvalue, lead, None
                )

            yield Setting("pairwise_clustered_ttest", "holm", "clusters of four", n, 4, lead, run, 100)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            truth = rng.standard_normal((many, 10 * n, 2))
            judged = truth + rng.standard_normal(truth.shape) + [0.3, 0]  # a judge who favors one of them
            truth[:, 2 * n :] = np.nan
            test = ev.paired.ppi_ttest(*np.moveaxis(truth, -1, 0), *np.moveaxis(judged, -1, 0))
            return rejected(test.pvalue, 0)

        yield Setting("ppi_ttest", "one case in five labelled", "normal", 10 * n, 2, 0, run, 100)


def instances_in_clusters() -> Iterator[Setting]:
    """Yield two equal classifiers on instances of one class in each cluster, such as the images of a patient.

    Five sixths of the variance of a score are between clusters. The test is the default of `compare` for clusters, and
    the interval is the jackknife of the clusters.
    """
    for data, sizes in (("clusters of four", [4]), ("clusters of 1, 2, 3 and 10", [1, 2, 3, 10])):
        for n in (10, 20, 50):
            for metric in ("accuracy", "f1", "roc_auc"):

                def run(rng: np.random.Generator, many: int, n=n, sizes=sizes, metric=metric) -> Found:
                    cluster = np.repeat(range(n), np.resize(sizes, n))
                    y_true = (cluster // len(sizes) % 2).astype(int)
                    asked = {"metric": metric, "clusters": cluster}
                    pvalues, covers = np.empty(many), np.empty(many)
                    for i in range(many):
                        shared = 2 * rng.standard_normal((n, 2)) + rng.standard_normal((n, 1))
                        drawn = shared[cluster] + rng.standard_normal((cluster.size, 2)) + 3 * y_true[:, None]
                        x, y = (drawn if metric == "roc_auc" else (drawn > 1.5).astype(int)).T
                        draws = {"n_resamples": FEW, "rng": int(rng.integers(2**32))}
                        pvalues[i] = ev.paired.metric_permutation_test(y_true, x, y, **asked, **draws).pvalue
                        low, high = difference_in_clusters(y_true, x, y, **asked).limits(ALPHA / 2)
                        covers[i] = low <= 0 <= high
                    return rejected(pvalues, 0) | {"coverage": covers}

                yield Setting("compare", f"{metric} in clusters", data, n, 2, 0, run, 50)


def clusters(rng: np.random.Generator, many: int, n: int, k: int) -> np.ndarray:
    """Draw scores of n clusters of four instances. Half of the variance is between clusters."""
    shared = np.repeat(rng.standard_normal((many, n, k)), 4, axis=1)
    return shared + rng.standard_normal((many, 4 * n, k))


def folds() -> Iterator[Setting]:
    """Yield scores of folds with the correlation that each test assumes. Another page has real classifiers."""
    for n, n_train, n_test in ((10, 9, 1), (30, 2, 1), (100, 9, 1)):
        rho = n_test / (n_train + n_test)

        def drawn_folds(rng: np.random.Generator, many: int, k: int, n=n, rho=rho) -> np.ndarray:
            shared = rng.standard_normal((many, 1, k))
            return math.sqrt(rho) * shared + math.sqrt(1 - rho) * rng.standard_normal((many, n, k))

        def run(rng: np.random.Generator, many: int, n_train=n_train, n_test=n_test, drawn=drawn_folds) -> Found:
            d = drawn(rng, many, 2)
            return rejected(ev.corrected_ttest(d[..., 0], d[..., 1], n_train=n_train, n_test=n_test).pvalue, 0)

        yield Setting("corrected_ttest", "", "correlated folds", n, 2, 0, run)

        def run(rng: np.random.Generator, many: int, n_train=n_train, n_test=n_test, drawn=drawn_folds) -> Found:
            test = ev.pairwise.pairwise_corrected_ttest(drawn(rng, many, 5), n_train=n_train, n_test=n_test)
            return family(test.pvalue, 0, None)

        yield Setting("pairwise_corrected_ttest", "holm", "correlated folds", n, 5, 0, run)

        def run(rng: np.random.Generator, many: int, n_train=n_train, n_test=n_test, drawn=drawn_folds) -> Found:
            d = drawn(rng, many, 2)
            test = ev.corrected_ttest(d[..., 0], d[..., 1], n_train=n_train, n_test=n_test)
            return covered(test.confidence_interval(), 0)

        yield Setting("CorrectedTTestResult.confidence_interval", "", "correlated folds", n, 2, 0, run)
    for name, variant, test, _ in declared(Data.FIVE_BY_TWO):

        def run(rng: np.random.Generator, many: int, test=test) -> Found:
            return rejected(test(*rng.standard_normal((2, many, 5, 2))).pvalue, 0)

        yield Setting(name, variant, "independent folds", 10, 2, 0, run)

    def run(rng: np.random.Generator, many: int) -> Found:
        d = math.sqrt(0.1) * rng.standard_normal((2, many, 1, 1)) + math.sqrt(0.9) * rng.standard_normal(
            (2, many, 10, 10)
        )
        return rejected(ev.paired.ttest_10x10(*d).pvalue, 0)

    yield Setting("ttest_10x10", "", "correlated folds", 100, 2, 0, run)


def cross_validated() -> Iterator[Setting]:
    """Yield scores of instances in five folds. The true value is the mean expected score of the fold models."""
    for n in (50, 200):
        fold = np.tile(range(5), n // 5)

        def run(rng: np.random.Generator, many: int, n=n, fold=fold) -> Found:
            drawn = right(rng, (many, n, 2), 0.8)
            return rejected(ev.paired.cross_validated_test(drawn[..., 0] * 1, drawn[..., 1] * 1, fold).pvalue, 0)

        yield Setting("cross_validated_test", "", "models that need no training", n, 2, 0, run)
        for variance in ("within", "all"):

            def run(rng: np.random.Generator, many: int, n=n, fold=fold, variance=variance) -> Found:
                found = [nearest_means(rng, n, fold) for _ in range(many)]
                correct, truth = (np.array(one) for one in zip(*found, strict=True))
                mean = ev.metrics.cross_validated_mean(correct[:, 0], fold, variance=variance)
                return covered(mean.confidence_interval(), truth[:, 0])

            yield Setting("cross_validated_mean.confidence_interval", variance, "nearest means", n, 1, 0, run, 50)

            def run(rng: np.random.Generator, many: int, n=n, fold=fold, variance=variance) -> Found:
                found = [nearest_means(rng, n, fold) for _ in range(many)]
                correct, truth = (np.array(one) for one in zip(*found, strict=True))
                test = ev.paired.cross_validated_test(correct[:, 0], correct[:, 1], fold, variance=variance)
                return covered(test.confidence_interval(), truth[:, 0] - truth[:, 1])

            yield Setting("cross_validated_test.confidence_interval", variance, "nearest means", n, 2, 0, run, 50)


def nearest_means(rng: np.random.Generator, n: int, fold: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Classify by the nearest class mean, with two of four or all features, and return the expected accuracies."""
    y, lead = rng.permutation(np.arange(n) % 2), np.array([0.8, 0.8, 0.0, 0.0])
    x = rng.standard_normal((n, 4)) + np.outer(y - 0.5, lead)
    correct, expected = np.empty((2, n)), np.zeros(2)
    for i, features in enumerate(([0, 1], [0, 1, 2, 3])):
        own = x[:, features]
        for j in range(fold.max() + 1):
            train = fold != j
            means = [own[train & (y == c)].mean(axis=0) for c in (0, 1)]
            w, middle = means[1] - means[0], (means[0] + means[1]) / 2
            tested = ~train
            correct[i, tested] = ((own[tested] - middle) @ w > 0) == (y[tested] == 1)
            size, ends = np.linalg.norm(w), [(sign * lead[features] / 2 - middle) @ w for sign in (-1, 1)]
            expected[i] += (ndtr(-ends[0] / size) + ndtr(ends[1] / size)) / 2 / (fold.max() + 1)
    return correct, expected


def omnibus_tests() -> Iterator[Setting]:
    """Yield omnibus tests of several classifiers."""
    draws = {"n_resamples": FEW}
    tests: dict[tuple[str, str], Callable[..., Any]] = {
        ("friedman_test", "auto"): lambda s: ev.friedman_test(s, **draws),
        ("friedman_test", "chi2"): lambda s: ev.friedman_test(s, method="chi2"),
        ("friedman_test", "f"): lambda s: ev.friedman_test(s, method="f"),
        ("friedman_aligned_test", "auto"): lambda s: ev.friedman_aligned_test(s, **draws),
        ("friedman_aligned_test", "chi2"): lambda s: ev.friedman_aligned_test(s, method="chi2"),
        ("quade_test", "auto"): lambda s: ev.quade_test(s, **draws),
        ("quade_test", "f"): lambda s: ev.quade_test(s, method="f"),
        ("rm_anova_test", "none"): ev.rm_anova_test,
        ("rm_anova_test", "greenhouse-geisser"): lambda s: ev.rm_anova_test(s, correction="greenhouse-geisser"),
        ("rm_anova_test", "huynh-feldt"): lambda s: ev.rm_anova_test(s, correction="huynh-feldt"),
        ("page_test", "auto"): ev.multiple.page_test,
        ("jonckheere_block_test", "auto"): ev.multiple.jonckheere_block_test,
        ("jonckheere_test", "auto"): lambda s: ev.multiple.jonckheere_test(list(np.moveaxis(s, -1, 0))),
    }
    for (name, variant), test in tests.items():
        large = {"jonckheere_test": (), "rm_anova_test": ((200, 5),)}.get(name, LARGE_TABLES)
        for data in DISTRIBUTIONS:
            for n, k in (*TABLE_SIZES, *(large if data in ("normal", "tied") else ())):
                for lead in (0.0, LEAD) if data == "normal" and k <= 5 else (0.0,):

                    def run(rng: np.random.Generator, many: int, test=test, n=n, k=k, data=data, lead=lead) -> Found:
                        return rejected(test(scores(rng, data, (many, n, k), lead)).pvalue, lead)

                    slow = variant == "auto" and (n, k) in {(10, 5), (30, 10)}
                    yield Setting(name, variant, data, n, k, lead, run, 50 if slow or n * k > 500 else 200)
    for n, k in ((10, 4), (30, 6)):
        for method in ("chi2", "monte-carlo"):

            def run(rng: np.random.Generator, many: int, n=n, k=k, method=method) -> Found:
                drawn = scores(rng, "discrete", (many, n, k), 0)
                drawn[:, :, 0][:, ::3] = np.nan  # every third score of one of them
                choices = {"n_resamples": FEW} if method == "monte-carlo" else {}
                return rejected(ev.multiple.skillings_mack_test(drawn, method=method, **choices).pvalue, 0)

            yield Setting("skillings_mack_test", method, "discrete", n, k, 0, run, 50)
    for copies in (2, 5):
        for method in ("auto",):

            def run(rng: np.random.Generator, many: int, copies=copies, method=method) -> Found:
                pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)] * copies
                drawn = rng.standard_normal((many, len(pairs), 4))
                for row, pair in enumerate(pairs):
                    drawn[:, row, [i for i in range(4) if i not in pair]] = np.nan
                return rejected(ev.multiple.durbin_test(drawn, method=method, n_resamples=FEW).pvalue, 0)

            yield Setting("durbin_test", method, "normal", 6 * copies, 4, 0, run, 50)


def posthoc_tests() -> Iterator[Setting]:
    """Yield post-hoc tests of all pairs, or of all classifiers against the first as control."""
    tests: dict[tuple[str, str, int | None], Callable[..., Any]] = {
        ("nemenyi_test", "all pairs", None): ev.nemenyi_test,
        ("bonferroni_dunn_test", "control", 0): lambda s: ev.bonferroni_dunn_test(s, control=0),
        ("friedman_dunnett_test", "control", 0): lambda s: ev.multiple.friedman_dunnett_test(s, control=0),
        ("siegel_castellan_test", "holm", None): ev.multiple.siegel_castellan_test,
        ("miller_test", "all pairs", None): ev.multiple.miller_test,
        ("miller_test", "control", 0): lambda s: ev.multiple.miller_test(s, control=0),
        ("conover_test", "holm", None): ev.conover_test,
        ("friedman_exact_posthoc_test", "holm", None): ev.multiple.friedman_exact_posthoc_test,
        ("friedman_aligned_posthoc_test", "holm", None): ev.multiple.friedman_aligned_posthoc_test,
        ("quade_posthoc_test", "holm", None): ev.multiple.quade_posthoc_test,
        ("tukey_test", "all pairs", None): ev.tukey_test,
        ("dunnett_test", "control", 0): lambda s: ev.multiple.dunnett_test(s, control=0),
        ("steel_sign_test", "control", 0): lambda s: ev.multiple.steel_sign_test(s, control=0, n_resamples=FEW),
        ("pairwise_wilcoxon_test", "holm", None): ev.pairwise_wilcoxon_test,
        ("pairwise_sign_test", "holm", None): ev.pairwise.pairwise_sign_test,
        ("pairwise_paired_ttest", "holm", None): ev.pairwise.pairwise_paired_ttest,
        ("pairwise_max_t_test", "step-down", None): lambda s: ev.pairwise.pairwise_max_t_test(s, n_resamples=FEW),
        ("pairwise_max_t_test", "bootstrap", None): lambda s: ev.pairwise.pairwise_max_t_test(
            s, method="bootstrap", n_resamples=FEW
        ),
        ("pairwise_max_t_test", "range", None): lambda s: ev.pairwise.pairwise_max_t_test(
            s, method="range", n_resamples=FEW
        ),
    }
    for (name, variant, control), test in tests.items():
        heavy = name in ("pairwise_wilcoxon_test", "pairwise_max_t_test", "steel_sign_test")
        for data in DISTRIBUTIONS:
            large = () if heavy or data not in ("normal", "tied") else LARGE_TABLES
            for n, k in (*TABLE_SIZES, *large):
                for lead in (0.0, LEAD) if data == "normal" else (0.0,):

                    def run(
                        rng: np.random.Generator, many: int, test=test, n=n, k=k, data=data, lead=lead, control=control
                    ) -> Found:
                        return family(test(scores(rng, data, (many, n, k), lead)).pvalue, lead, control)

                    yield Setting(name, variant, data, n, k, lead, run, 20 if heavy or k == 50 else 100)


def compared() -> Iterator[Setting]:
    """Yield `compare` as a whole: the omnibus test together with the post-hoc test."""
    whole = {"friedman, nemenyi": (ev.friedman_test, ev.nemenyi_test), "friedman, wilcoxon": (
        ev.friedman_test, ev.pairwise_wilcoxon_test)}  # fmt: skip
    for variant, (leading, posthoc) in whole.items():
        for data in DISTRIBUTIONS:
            for n, k in TABLE_SIZES:
                for lead in (0.0, LEAD) if data == "normal" else (0.0,):

                    def run(
                        rng: np.random.Generator, many: int, n=n, k=k, data=data, lead=lead, a=leading, b=posthoc
                    ) -> Found:
                        drawn = scores(rng, data, (many, n, k), lead)
                        first = np.asarray(a(drawn, n_resamples=FEW).pvalue)
                        return family(np.maximum(b(drawn).pvalue, first[:, None, None]), lead, None)

                    yield Setting("compare", variant, data, n, k, lead, run, 20)


def adjustments() -> Iterator[Setting]:
    """Yield adjustments of the p-values of ten z tests, with no or five false null hypotheses."""
    for method in ADJUSTMENTS:
        for data, rho in (("independent", 0.0), ("equicorrelated .5", 0.5)):
            for lead in (0.0, 3.0):

                def run(rng: np.random.Generator, many: int, method=method, rho=rho, lead=lead) -> Found:
                    z = math.sqrt(rho) * rng.standard_normal((many, 1))
                    z = z + math.sqrt(1 - rho) * rng.standard_normal((many, 10))
                    truly = (np.arange(10) < 5) & bool(lead)
                    p = 2 * ndtr(-np.abs(z + lead * truly))
                    return discoveries(np.asarray(ev.adjust_pvalues(p, method)) <= ALPHA, truly)

                yield Setting("adjust_pvalues", method, data, 10, 10, lead, run, 400)
    for method in (*ADJUSTMENTS, *PAIRWISE_ONLY):
        for lead in (0.0, LEAD):

            def run(rng: np.random.Generator, many: int, method=method, lead=lead) -> Found:
                drawn = scores(rng, "normal", (many, 20, 5), lead)
                p = ev.pairwise.pairwise_paired_ttest(drawn, adjust="none").pvalue
                adjusted = np.stack([ev.adjust_pairwise(one, method) for one in p])
                return family(adjusted, lead, None)

            yield Setting("adjust_pairwise", method, "t-tests of pairs", 20, 5, lead, run, 50)


def intervals() -> Iterator[Setting]:
    """Yield 95% intervals."""
    over = float(ndtr(0.5 / math.sqrt(2)))  # how often x wins, in pairs and in independent samples
    of_pairs: dict[str, Callable[..., Any]] = {
        "SignTestResult.confidence_interval": ev.sign_test,
        "WilcoxonTestResult.confidence_interval": ev.wilcoxon_test,
        "PairedTTestResult.confidence_interval": ev.paired_ttest,
        "PermutationTestResult.confidence_interval": lambda x, y: ev.permutation_test(x, y, n_resamples=FEW),
        "ClusteredTTestResult.confidence_interval": ev.clustered_ttest,
    }
    of_effects: dict[str, tuple[Callable[..., Any], float]] = {
        "cohen_d": (ev.effects.cohen_d, 0.5), "hedges_g": (ev.effects.hedges_g, 0.5),
        "cohen_dz": (ev.effects.cohen_dz, 0.5 / math.sqrt(2)),
        "cliffs_delta": (ev.effects.cliffs_delta, 2 * over - 1),
        "vargha_delaney_a": (ev.effects.vargha_delaney_a, over),
    }  # fmt: skip
    for n in (5, 10, 30, 200):
        for name, test in of_pairs.items():
            truth = over if "Sign" in name else 0.5

            def run(rng: np.random.Generator, many: int, n=n, test=test, truth=truth) -> Found:
                drawn = scores(rng, "normal", (many, n, 2), 0.5)
                return covered(test(drawn[..., 1], drawn[..., 0]).confidence_interval(), truth)

            if n < 200 or "Permutation" not in name:
                yield Setting(name, "", "normal", n, 2, 0, run, 50)
        for name, (effect, truth) in of_effects.items():

            def run(rng: np.random.Generator, many: int, n=n, effect=effect, truth=truth) -> Found:
                drawn = scores(rng, "normal", (many, n, 2), 0.5)
                return covered(effect(drawn[..., 1], drawn[..., 0]).confidence_interval(), truth)

            yield Setting(f"{name}.confidence_interval", "", "normal", n, 2, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            found = ev.tukey_test(scores(rng, "normal", (many, n, 5), 0)).confidence_interval()
            return {"coverage": covered(found, 0)["coverage"].all(axis=(1, 2))}

        yield Setting("TukeyTestResult.confidence_interval", "all pairs at once", "normal", n, 5, 0, run, 100)
    for n in (10, 50, 500):
        for share in (0.5, 0.95):
            for method in ("wilson", "clopper-pearson"):

                def run(rng: np.random.Generator, many: int, n=n, share=share, method=method) -> Found:
                    return covered(proportion_interval(rng.binomial(n, share, many), n, method=method), share)

                yield Setting("proportion_interval", method, f"share {share:g}", n, 1, 0, run, 400)

            def run(rng: np.random.Generator, many: int, n=n, share=share) -> Found:
                good = rng.binomial(n, share, many)
                counts = np.stack([good, n - good, np.zeros_like(good), np.zeros_like(good)], axis=-1)
                return covered(accuracy_interval(counts.reshape(many, 2, 2)), share)

            yield Setting("accuracy_interval", "wilson", f"share {share:g}", n, 1, 0, run, 400)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            drawn = right(rng, (many, n, 2), [0.7, 0.8])
            return covered(ev.mcnemar_test(drawn[..., 1], drawn[..., 0]).confidence_interval(), 0.1)

        yield Setting("McNemarTestResult.confidence_interval", "", "answers", n, 2, 0, run)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y_true, drawn = ranked(rng, many, n, [0.75, 0.85])
            return covered(ev.delong_test(y_true, drawn[..., 1], drawn[..., 0]).confidence_interval(), 0.1)

        yield Setting("DeLongTestResult.confidence_interval", "", "ranked cases", n, 2, 0, run)
        agree = {
            "cohen_kappa": lambda r: ev.cohen_kappa(r[..., 0], r[..., 1]),
            "scott_pi": lambda r: ev.agreement.scott_pi(r[..., 0], r[..., 1]),
            "fleiss_kappa": ev.agreement.fleiss_kappa, "gwet_ac1": ev.agreement.gwet_ac1,
            "krippendorff_alpha": ev.agreement.krippendorff_alpha,
            "light_kappa": ev.agreement.light_kappa,
        }  # fmt: skip
        for name, statistic in agree.items():

            def run(rng: np.random.Generator, many: int, n=n, statistic=statistic) -> Found:
                truth = rng.integers(0, 3, (many, n, 1))
                # a rater knows the class of seven in ten instances: kappa is .49 by any definition
                ratings = np.where(rng.random((many, n, 4)) < 0.7, truth, rng.integers(0, 3, (many, n, 4)))
                return covered(statistic(ratings).confidence_interval(), 0.49)

            yield Setting(f"{name}.confidence_interval", "", "three classes", n, 4, 0, run, 50 if n < 500 else 10)
    for n in (30, 100):
        for method in ("percentile", "bca"):

            def run(rng: np.random.Generator, many: int, n=n, method=method) -> Found:
                y_true, drawn = ranked(rng, many, n, [0.8])
                found = [bootstrap_auc_interval(y_true, one[:, 0], method=method, n_resamples=399) for one in drawn]
                low, high = (np.array([getattr(one, side) for one in found]) for side in ("low", "high"))
                return {"coverage": (low <= 0.8) & (high >= 0.8)}

            yield Setting("bootstrap_auc_interval", method, "ranked cases", n, 1, 0, run, 10)

            def run(rng: np.random.Generator, many: int, n=n, method=method) -> Found:
                counts = rng.multinomial(n, [0.4, 0.1, 0.1, 0.4], many).reshape(many, 2, 2)
                return covered(bootstrap_interval("f1", counts, method=method, n_resamples=399), 0.8)

            yield Setting("bootstrap_interval", f"f1, {method}", "answers", n, 1, 0, run, 20)
    for n in (5, 20):

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            found = [ev.pairwise.pairwise_mean_differences(one, n_resamples=399).confidence_interval() for one in
                     scores(rng, "normal", (many, n, 4), 0)]  # fmt: skip
            off = ~np.eye(4, dtype=bool)
            return {"coverage": np.array([((c.low <= 0) & (c.high >= 0))[off].mean() for c in found])}

        yield Setting("MeanDifferencesResult.confidence_interval", "each pair", "normal", n, 4, 0, run, 10)
    for n in (5, 10, 30):

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            found = [ev.effects.pairwise_vargha_delaney_a(one).confidence_interval() for one in
                     scores(rng, "normal", (many, n, 4), 0)]  # fmt: skip
            return {"coverage": np.array([((c.low <= 0.5) & (c.high >= 0.5)).all() for c in found])}

        yield Setting("pairwise_vargha_delaney_a.confidence_interval", "all pairs at once", "normal", n, 4, 0, run, 10)


def more_intervals() -> Iterator[Setting]:
    """Yield intervals of margin tests, of folds, of clusters, of sequential tests, and of whole families."""
    half = {"margin": 0.5}
    of_pairs: dict[str, tuple[Callable[..., Any], float]] = {
        "noninferiority_test": (lambda x, y: ev.noninferiority_test(x, y, **half), 0.5),
        "equivalence_test": (lambda x, y: ev.equivalence_test(x, y, **half), 0.5),
        "rank_biserial": (ev.effects.rank_biserial, 2 * float(ndtr(0.5)) - 1),
        "sequential_sign_test": (ev.paired.sequential_sign_test, float(ndtr(0.5 / math.sqrt(2)))),
        "clustered_permutation_test": (
            lambda x, y: ev.paired.clustered_permutation_test(x, y, n_resamples=FEW), 0.5,
        ),
    }  # fmt: skip
    for n in (10, 30):
        for name, (test, truth) in of_pairs.items():

            def run(rng: np.random.Generator, many: int, n=n, test=test, truth=truth) -> Found:
                drawn = scores(rng, "normal", (many, n, 2), 0.5)
                found = test(drawn[..., 1], drawn[..., 0])
                return covered(found.confidence_interval(0.95), truth)

            yield Setting(f"{name}.confidence_interval", "", "normal", n, 2, 0, run, 20)
        families: dict[str, Callable[..., Any]] = {
            "dunnett_test": lambda s: ev.multiple.dunnett_test(s, control=0),
            "pairwise_paired_ttest": ev.pairwise.pairwise_paired_ttest,
            "pairwise_corrected_ttest": lambda s: ev.pairwise.pairwise_corrected_ttest(s, n_train=1e9, n_test=1),
            "pairwise_clustered_ttest": ev.pairwise.pairwise_clustered_ttest,
        }
        for name, test in families.items():
            at_once = name == "dunnett_test"

            def run(rng: np.random.Generator, many: int, n=n, test=test, at_once=at_once) -> Found:
                found = test(scores(rng, "normal", (many, n, 4), 0)).confidence_interval()
                holds = covered(found, 0)["coverage"]
                if at_once:
                    return {"coverage": (holds | np.isnan(found.low)).reshape(many, -1).all(axis=1)}
                return {"coverage": holds[:, ~np.eye(4, dtype=bool)].mean(axis=1)}

            yield Setting(
                f"{name}.confidence_interval",
                "all pairs at once" if at_once else "each pair",
                "normal",
                n,
                4,
                0,
                run,
                50,
            )
        for name, aggregate, truth in (
            ("interquartile_mean", ev.reproducibility.interquartile_mean, 0.0),
            (
                "optimality_gap",
                lambda runs, **choices: ev.reproducibility.optimality_gap(runs, target=9, **choices),
                9.0,
            ),
        ):

            def run(rng: np.random.Generator, many: int, n=n, aggregate=aggregate, truth=truth) -> Found:
                found = [aggregate(one, n_resamples=399).confidence_interval() for one in
                         scores(rng, "normal", (many, n, 4), 0)]  # fmt: skip
                low, high = (np.array([float(getattr(one, side)) for one in found]) for side in ("low", "high"))
                return {"coverage": (low <= truth) & (high >= truth)}

            yield Setting(f"{name}.confidence_interval", "", "normal", n, 4, 0, run, 10)
    for n in (40, 200):

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y_true, x = ranked(rng, many, n, [0.85])
            other, y = ranked(rng, many, n, [0.75])
            found = ev.paired.delong_unpaired_test(y_true, x[..., 0], other, y[..., 0])
            return covered(found.confidence_interval(), 0.1)

        yield Setting("delong_unpaired_test.confidence_interval", "", "ranked cases", n, 2, 0, run)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y_true, x = ranked(rng, many, n, [0.8])
            return covered(auc_estimate(y_true, x[..., 0]).confidence_interval(), 0.8)

        yield Setting("auc_estimate.confidence_interval", "", "ranked cases", n, 1, 0, run)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            drawn, y_true = right(rng, (many, n, 2), [0.7, 0.8]), np.tile([0, 1], n // 2)
            p = np.where(drawn, y_true[:, None], 1 - y_true[:, None])
            asked = {"metric": "accuracy", "n_resamples": 399}
            found = [
                ev.paired.metric_bootstrap_test(y_true, one[:, 1], one[:, 0], **asked).confidence_interval()
                for one in p
            ]
            low, high = (np.array([float(getattr(one, side)) for one in found]) for side in ("low", "high"))
            return {"coverage": (low <= 0.1 + 1e-12) & (high >= 0.1 - 1e-12)}

        yield Setting("metric_bootstrap_test.confidence_interval", "accuracy", "answers", n, 2, 0, run, 20)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            drawn = clusters(rng, many, n // 4, 1)[..., 0]
            return covered(clustered_mean(drawn, clusters=np.repeat(range(n // 4), 4)).confidence_interval(), 0)

        yield Setting("clustered_mean.confidence_interval", "", "clusters of four", n // 4, 1, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            drawn = right(rng, (many, n, 2), [0.7, 0.8])
            found = ev.paired.betting_test(drawn[..., 1] * 1.0, drawn[..., 0] * 1.0)
            return covered(found.confidence_interval(), 0.1)

        yield Setting("betting_test.confidence_interval", "one look", "answers", n, 2, 0, run, 10)

    def run(rng: np.random.Generator, many: int) -> Found:
        d = math.sqrt(0.1) * rng.standard_normal((2, many, 1, 1)) + math.sqrt(0.9) * rng.standard_normal(
            (2, many, 10, 10)
        )
        return covered(ev.paired.ttest_10x10(*d).confidence_interval(), 0)

    yield Setting("ttest_10x10.confidence_interval", "", "correlated folds", 100, 2, 0, run)


def each(found: list[Any], truth: Any) -> Found:
    """Count the proportion of covering intervals in each experiment. `found` has the intervals of each experiment."""
    low, high = (np.stack([np.asarray(getattr(one, side)) for one in found]) for side in ("low", "high"))
    holds = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return {"coverage": holds.reshape(len(found), -1).mean(axis=1)}


def strengths(k: int) -> np.ndarray:
    """Return log-strengths with mean 0. The best classifier beats the worst in 88% of their comparisons."""
    return np.linspace(1, -1, k)


def ranked_with_ties(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Draw scores by the Plackett-Luce model. Two equal classifiers tie half as often as one of them wins."""
    drawn = np.empty((n, k))
    for row in drawn:
        left = list(range(k))
        while left:
            groups = [(i,) for i in left] + [(i, j) for i in left for j in left if i < j]
            worth = np.array([math.exp(strengths(k)[list(g)].mean()) * (1 if len(g) == 1 else 0.5) for g in groups])
            group = groups[rng.choice(len(groups), p=worth / worth.sum())]
            row[list(group)] = len(left)
            left = [i for i in left if i not in group]
    return drawn


def battles_of(rng: np.random.Generator, n_clusters: int, k: int) -> dict[str, object]:
    """Draw battles on prompts. Each prompt has six battles and an effect on each model."""
    worth = strengths(k)
    a = rng.integers(0, k, 6 * n_clusters)
    b = (a + rng.integers(1, k, a.size)) % k
    prompt = np.repeat(np.arange(n_clusters), 6)
    shift = rng.choice([-0.8, 0.8], size=(n_clusters, k))
    d = worth[a] - worth[b] + shift[prompt, a] - shift[prompt, b]
    return {"model_a": a, "model_b": b, "winner": (rng.random(a.size) < 1 / (1 + np.exp(-d))) + 0.0, "clusters": prompt}


def average_strengths(k: int) -> np.ndarray:
    """Estimate the strengths of the model without the effects of the prompts from many battles."""
    drawn = battles_of(np.random.default_rng(1), 200_000, k)
    drawn.pop("clusters")
    return ev.multiple.bradley_terry_from_battles(**drawn, models=range(k)).estimate


def of_battles() -> Iterator[Setting]:
    """Yield intervals of the strengths of models, and simultaneous sets of their ranks."""
    for n in (20, 50, 200):
        for k in (3, 10):
            truth = average_strengths(k)
            true_rank = 1 + (truth[None] > truth[:, None] + 1e-9).sum(axis=1)

            def run(rng: np.random.Generator, many: int, n=n, k=k, truth=truth) -> Found:
                fits = [
                    ev.multiple.bradley_terry_from_battles(**battles_of(rng, n, k), models=range(k))
                    for _ in range(many)
                ]
                return each([fit.confidence_interval() for fit in fits], truth)

            def ranks(rng: np.random.Generator, many: int, n=n, k=k, true_rank=true_rank) -> Found:
                found = []
                for _ in range(many):
                    fit = ev.multiple.bradley_terry_from_battles(**battles_of(rng, n, k), models=range(k))
                    if not np.isfinite(fit.estimate).all():
                        found.append(False)
                        continue
                    sets = ev.multiple.rank_confidence_sets(fit.estimate, fit.covariance, df=fit.df, n_resamples=2000)
                    found.append(((sets.lower <= true_rank) & (true_rank <= sets.upper)).all())
                return {"coverage": np.array(found, dtype=float)}

            yield Setting(
                "bradley_terry_from_battles.confidence_interval", "each strength", "prompts", n, k, 0, run, 20
            )
            yield Setting("rank_confidence_sets", "all ranks together", "prompts", n, k, 0, ranks, 20)


def of_strengths() -> Iterator[Setting]:
    """Yield intervals of the strengths of classifiers. An interval without finite limits covers nothing."""
    for n in (10, 50, 200):
        for k in (3, 10):
            for name, model in (
                ("bradley_terry_model", ev.multiple.bradley_terry_model),
                ("plackett_luce_model", ev.multiple.plackett_luce_model),
            ):

                def run(rng: np.random.Generator, many: int, n=n, k=k, model=model) -> Found:
                    # the largest of scores with Gumbel noise has the probabilities of both models
                    drawn = strengths(k) + rng.gumbel(size=(many, n, k))
                    return each([model(one).confidence_interval() for one in drawn], strengths(k))

                yield Setting(f"{name}.confidence_interval", "each strength", "Gumbel", n, k, 0, run, 20)
            for ties in ("none", "davidson", "rao-kupper"):

                def run(rng: np.random.Generator, many: int, n=n, k=k, ties=ties) -> Found:
                    worth = np.exp(strengths(k))
                    own, other = worth[:, None], worth[None]
                    # of equal classifiers, no comparison, one in three, and one in five is a tie
                    lost = {"none": other, "davidson": other + np.sqrt(own * other), "rao-kupper": 1.5 * other}[ties]
                    wins = own / (own + lost)
                    found = []
                    for _ in range(many):
                        counts = np.zeros((3, k, k), dtype=np.int64)
                        for i, j in zip(*np.triu_indices(k, 1), strict=True):
                            shares = [wins[i, j], wins[j, i], max(0.0, 1 - wins[i, j] - wins[j, i])]
                            counts[0, i, j], counts[0, j, i], tied = rng.multinomial(n, shares)
                            counts[1, i, j] = counts[1, j, i] = tied
                        model = "davidson" if ties == "none" else ties
                        fit = ev.multiple.bradley_terry_from_counts(counts[0], n_ties=counts[1], ties=model)
                        found.append(fit.confidence_interval())
                    return each(found, strengths(k))

                data = "comparisons" if ties == "none" else "comparisons, some tied"
                variant = "each strength" + ("" if ties == "none" else f", {ties}")
                yield Setting("bradley_terry_from_counts.confidence_interval", variant, data, n, k, 0, run, 20)
        for k in (3, 5):

            def run(rng: np.random.Generator, many: int, n=n, k=k) -> Found:
                fits = [ev.multiple.plackett_luce_model(ranked_with_ties(rng, n, k)) for _ in range(many)]
                return each([fit.confidence_interval() for fit in fits], strengths(k))

            yield Setting("plackett_luce_model.confidence_interval", "each strength", "tied", n, k, 0, run, 10)


def apart(rng: np.random.Generator, data: str, shape: tuple[int, ...]) -> np.ndarray:
    """Draw scores of classifiers: equal, with these strengths, far apart, or with one far better classifier."""
    kind, _, rounding = data.partition(", ")
    k = shape[-1]
    leads = {
        "alike": np.zeros(k),
        "spread": strengths(k),
        "far apart": 2 * strengths(k),
        "one far ahead": np.where(np.arange(k) == 0, 3.0, 0.0),
    }[kind]
    return DISTRIBUTIONS[rounding or "normal"](leads + rng.standard_normal(shape))


@cache
def mean_w(data: str, n: int, k: int) -> float:
    """Return the mean W of 20,000 tables."""
    rng = np.random.default_rng(SEED)
    drawn = (apart(rng, data, (1000, n, k)) for _ in range(20))
    return float(np.mean([ev.friedman_test(tables, method="chi2").kendall_w for tables in drawn]))


@cache
def ranks_over_all(data: str, k: int) -> np.ndarray:
    """Return the mean ranks over 400,000 datasets."""
    return mean_ranks(apart(np.random.default_rng(SEED), data, (400_000, k)), True, 0.0)


def of_ranks() -> Iterator[Setting]:
    """Yield intervals of the concordance of datasets, and of the mean ranks over the population of datasets."""
    for n in (10, 50, 200):
        for k in (3, 10):
            for data in ("alike", "spread", "spread, tied", "far apart", "one far ahead"):
                if data != "one far ahead" and n < 200:

                    def run(rng: np.random.Generator, many: int, n=n, k=k, data=data) -> Found:
                        drawn = apart(rng, data, (many, n, k))
                        found = [
                            ev.multiple.kendall_w(one, n_resamples=399, rng=rng).confidence_interval() for one in drawn
                        ]
                        return each(found, mean_w(data, n, k))

                    yield Setting("kendall_w.confidence_interval", "", data, n, k, 0, run, 20)

                def run(rng: np.random.Generator, many: int, n=n, k=k, data=data) -> Found:
                    asked = {"n_resamples": 399, "rng": rng}
                    drawn = apart(rng, data, (many, n, k))
                    found = [ev.multiple.rank_distribution(one, **asked).confidence_interval() for one in drawn]
                    return each(found, ranks_over_all(data, k))

                yield Setting("rank_distribution.confidence_interval", "each mean rank", data, n, k, 0, run, 20)


def forecasts(rng: np.random.Generator, many: int, n: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw classes, their probabilities, and k equally noisy forecasts of the probabilities."""
    p = rng.random((many, n))
    noisy = np.clip(p[..., None] + 0.3 * (rng.random((many, n, k)) - 0.5), 0.01, 0.99)
    return (rng.random((many, n)) < p).astype(int), p, noisy


def of_probabilities() -> Iterator[Setting]:
    """Yield tests of calibration, and comparisons of the losses of probabilities."""
    for n in (20, 100, 500):

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y, p, _ = forecasts(rng, many, n, 1)
            return rejected(ev.metrics.spiegelhalter_test(y, p).pvalue, 0)

        yield Setting("spiegelhalter_test", "", "probabilities", n, 1, 0, run)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y, p, _ = forecasts(rng, many, n, 1)
            return rejected([ev.metrics.recalibration_test(*one).pvalue for one in zip(y, p, strict=True)], 0)

        yield Setting("recalibration_test", "", "probabilities", n, 1, 0, run, 100)
        for method in ("profile", "wald"):

            def run(rng: np.random.Generator, many: int, n=n, method=method) -> Found:
                y, p, _ = forecasts(rng, many, n, 1)
                tests = [ev.metrics.recalibration_test(*one) for one in zip(y, p, strict=True)]
                return each([test.slope_interval(method=method) for test in tests], 1)

            yield Setting("RecalibrationTestResult.slope_interval", method, "probabilities", n, 1, 0, run, 50)
        for method in ("permutation", "t", "asymptotic", "redelmeier"):

            def run(rng: np.random.Generator, many: int, n=n, method=method) -> Found:
                y, _, noisy = forecasts(rng, many, n, 2)
                asked = {"method": method, "n_resamples": 399}
                test = ev.paired.proper_score_test
                return rejected([test(a, *b.T, **asked).pvalue for a, b in zip(y, noisy, strict=True)], 0)

            yield Setting("proper_score_test", method, "probabilities", n, 2, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y, p, _ = forecasts(rng, many, n, 1)  # the Brier score of one half is larger by the variance of p
            test = partial(ev.paired.proper_score_test, method="t")
            found = [test(a, b, np.full(n, 0.5)).confidence_interval() for a, b in zip(y, p, strict=True)]
            return each(found, -1 / 12)

        yield Setting("ProperScoreTestResult.confidence_interval", "t", "probabilities", n, 2, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y, _, noisy = forecasts(rng, many, n, 5)
            test = ev.pairwise.pairwise_proper_score_test
            return family(np.array([test(a, b).pvalue for a, b in zip(y, noisy, strict=True)]), 0, None)

        yield Setting("pairwise_proper_score_test", "holm", "probabilities", n, 5, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            y, _, noisy = forecasts(rng, many, n, 2)
            test = ev.pairwise.pairwise_proper_score_test
            found = [test(a, b).confidence_interval() for a, b in zip(y, noisy, strict=True)]
            low, high = (np.array([getattr(one, side)[0, 1] for one in found]) for side in ("low", "high"))
            return {"coverage": (low <= 0) & (high >= 0)}

        yield Setting("PairwiseProperScoreTestResult.confidence_interval", "", "probabilities", n, 2, 0, run, 50)


def of_subgroups() -> Iterator[Setting]:
    """Yield tests of equal differences in all subgroups, and intervals of the gaps of rates."""
    for n in (30, 120, 600):
        groups = np.repeat([0, 1, 2], n // 3)
        for method in ("asymptotic", "permutation", "auto"):

            def run(rng: np.random.Generator, many: int, n=n, groups=groups, method=method) -> Found:
                drawn = right(rng, (many, n, 2), [0.7, 0.8])
                asked = {"method": method, "n_resamples": 399}
                return rejected([ev.paired.subgroup_test(*one.T, groups, **asked).pvalue for one in drawn], 0)

            yield Setting("subgroup_test", method, "answers", n, 2, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n, groups=groups) -> Found:
            # one subgroup with a large positive difference, and two without
            drawn = rng.standard_normal((many, n)) + 2 * (groups == 0)
            tests = [ev.paired.subgroup_test(one, np.zeros(n), groups, method="asymptotic") for one in drawn]
            return rejected([test.crossover_pvalue for test in tests], 0)

        yield Setting("subgroup_test", "change of sign", "normal", n, 2, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n, groups=groups) -> Found:
            drawn = right(rng, (many, n, 2), [0.7, 0.8])
            tests = [ev.paired.subgroup_test(*one.T, groups, method="asymptotic") for one in drawn]
            # a subgroup without limits excludes nothing
            return {"coverage": np.array([not ((t.lower > -0.1) | (t.upper < -0.1)).any() for t in tests])}

        yield Setting("subgroup_test.limits", "all subgroups at once", "answers", n, 2, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n, groups=groups) -> Found:
            d = rng.standard_normal((many, 3)) * [0.1, 0.2, 0.3]
            test = ev.paired.subgroup_test_from_estimates
            return rejected([test(one, [0.1, 0.2, 0.3]).pvalue for one in d], 0)

        yield Setting("subgroup_test_from_estimates", "", "normal", n, 2, 0, run)

        def run(rng: np.random.Generator, many: int, n=n, groups=groups) -> Found:
            drawn, y = right(rng, (many, n, 2), 0.7), np.ones(n, dtype=int)
            y[0] = 0
            test = partial(ev.paired.gap_change_test, n_resamples=399)
            return rejected([test(y, *one.T.astype(int), groups).pvalue for one in drawn], 0)

        yield Setting("gap_change_test", "tpr", "answers", n, 2, 0, run, 50)

        def run(rng: np.random.Generator, many: int, n=n, groups=groups) -> Found:
            test = partial(ev.pairwise.pairwise_subgroup_test, n_resamples=399)
            return family(np.array([test(one, groups).pvalue for one in right(rng, (many, n, 3), 0.7)]), 0, None)

        yield Setting("pairwise_subgroup_test", "holm", "answers", n, 3, 0, run, 20)

        def run(rng: np.random.Generator, many: int, n=n, groups=groups) -> Found:
            y = np.tile([0, 1], n // 2)
            positive = np.where(y == 1, 0.8, 0.3) - 0.2 * (groups == 2) * y  # the largest gap is .2
            found = [ev.metrics.group_gaps(y, one < positive, groups, pos_label=1) for one in rng.random((many, n))]
            holds = [one.equalized_odds_lower <= 0.2 <= one.equalized_odds_upper for one in found]
            return {"coverage": np.array(holds)}

        yield Setting("group_gaps.limits", "equalized odds", "answers", n, 1, 0, run, 50)


def of_gamma() -> Iterator[Setting]:
    """Yield intervals of the difference in median absolute deviations."""
    # half of the log-normal distribution is within this distance of its median
    half = brentq(lambda m: ndtr(math.log1p(m)) - ndtr(math.log1p(-m)) - 0.5, 0.1, 0.9)
    deviations = {"normal": 1.0, "skewed": half / float(ndtri(0.75))}
    for n in (5, 10, 30, 200):
        for data, deviation in deviations.items():

            def run(rng: np.random.Generator, many: int, n=n, data=data, deviation=deviation) -> Found:
                drawn = scores(rng, data, (many, n, 2), 0.5)
                found = ev.effects.akinshin_gamma(drawn[..., 1], drawn[..., 0], n_resamples=399, rng=rng)
                return covered(found.confidence_interval(), 0.5 / deviation)

            yield Setting("akinshin_gamma.confidence_interval", "", data, n, 2, 0, run, 20)


def of_judges() -> Iterator[Setting]:
    """Yield instances with scores of a judge, and with human labels for one in five."""
    variant = "one case in five labelled"
    for n in (100, 250, 1000):
        for good in (0.7, 0.9):

            def run(rng: np.random.Generator, many: int, n=n, good=good) -> Found:
                truth = (rng.random((many, n)) < 0.8) * 1.0
                judged = np.where(rng.random((many, n)) < good, truth, 1 - truth)
                truth[:, n // 5 :] = np.nan
                return covered(ppi_mean(truth, judged).confidence_interval(), 0.8)

            yield Setting("ppi_mean.confidence_interval", variant, f"judge right in {good:g}", n, 1, 0, run, 100)

            def run(rng: np.random.Generator, many: int, n=n, good=good) -> Found:
                truth = right(rng, (many, n, 2), [0.7, 0.8]) * 1.0
                judged = np.where(rng.random(truth.shape) < good, truth, 1 - truth)
                truth[:, n // 5 :] = np.nan
                found = ev.paired.ppi_ttest(*np.moveaxis(truth, -1, 0), *np.moveaxis(judged, -1, 0))
                return covered(found.confidence_interval(), -0.1)

            yield Setting("ppi_ttest.confidence_interval", variant, f"judge right in {good:g}", n, 2, 0, run, 100)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            truth = 0.5 + rng.standard_normal((many, n))
            judged = truth + 0.3 + rng.standard_normal(truth.shape)
            truth[:, n // 5 :] = np.nan
            return covered(ppi_mean(truth, judged).confidence_interval(), 0.5)

        yield Setting("ppi_mean.confidence_interval", variant, "normal", n, 1, 0, run, 100)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            truth = rng.standard_normal((many, n, 2)) + np.array([0.5, 0])
            judged = truth + rng.standard_normal(truth.shape) + [0.3, 0]  # a judge who favors one of them
            truth[:, n // 5 :] = np.nan
            found = ev.paired.ppi_ttest(*np.moveaxis(truth, -1, 0), *np.moveaxis(judged, -1, 0))
            return covered(found.confidence_interval(), 0.5)

        yield Setting("ppi_ttest.confidence_interval", variant, "normal", n, 2, 0, run, 100)


def of_runs() -> Iterator[Setting]:
    """Yield intervals for further runs, from the scores and decisions of runs."""
    steps = np.arange(-9, 10)
    share = np.diff(ndtr(np.append(steps - 0.5, 9.5)))  # for normal scores rounded to integers
    above = {lead: np.diff(ndtr(np.append(steps - 0.5, 9.5) - lead)) for lead in (0.0, 0.5)}
    order = np.sign(steps[:, None] - steps)  # for a score of x compared with a score of y
    for n in (5, 10, 30, 200):
        for lead, ahead in ((0.0, "alike"), (0.5, "one is ahead")):
            exact = {"": 2 * float(ndtr(lead / math.sqrt(2))) - 1, "tied": float(above[lead] @ order @ share)}
            for rounding, truth in exact.items():
                for pairing in ("index", "all"):

                    def run(
                        rng: np.random.Generator, many: int, n=n, lead=lead, rounding=rounding, truth=truth, how=pairing
                    ) -> Found:
                        drawn = rng.standard_normal((many, n, 2)) + np.array([lead, 0])
                        drawn = np.round(drawn) if rounding else drawn
                        found = ev.overlap(drawn[..., 0], drawn[..., 1], pairing=how)
                        return covered(found.confidence_interval(), truth)

                    data = ahead + (f", {rounding}" if rounding else "")
                    yield Setting("overlap.confidence_interval", pairing, data, n, 2, 0, run, 100)
        means = {"normal": 0.0, "skewed": math.exp(0.5), "discrete": 0.0, "tied": 0.0}
        for data, mean in means.items():

            def run(rng: np.random.Generator, many: int, n=n, data=data, mean=mean) -> Found:
                drawn = DISTRIBUTIONS[data](rng.standard_normal((many, n)))
                return covered(ev.reproducibility.long_run_mean(drawn).confidence_interval(), mean)

            yield Setting("long_run_mean.confidence_interval", "", data, n, 1, 0, run)
        for lead, data in ((0.0, "ten datasets, alike"), (1.0, "ten datasets, one is ahead")):
            # the power of the t-test with nine degrees of freedom
            limit, shift = float(t.isf(ALPHA / 2, 9)), lead * math.sqrt(10 / 2)
            power = float(nct.sf(limit, 9, shift) + nct.cdf(-limit, 9, shift)) if lead else ALPHA

            def run(rng: np.random.Generator, many: int, n=n, lead=lead, power=power) -> Found:
                drawn = scores(rng, "normal", (many, n, 10, 2), lead)
                found = [
                    ev.reproducibility.pvalues_over_runs(one, test="paired-t").confidence_interval() for one in drawn
                ]
                return each(found, power)

            if n < 200:
                yield Setting("pvalues_over_runs.confidence_interval", "paired-t", data, n, 2, 0, run, 20)


def of_samples() -> Iterator[Setting]:
    """Yield two samples of instances, and a classifier on permuted labels."""
    for n in (20, 100):

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            x, y = rng.standard_normal((2, many, n, 3))
            return rejected(one_by_one(lambda a, b: ev.shift.mmd_test(a, b, n_resamples=FEW, rng=rng), x, y), 0)

        yield Setting("mmd_test", "", "normal, other permutations each time", n, 1, 0, run, 20)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            x, y = rng.standard_normal((2, many, n, 3))
            return rejected(
                one_by_one(lambda a, b: ev.shift.classifier_two_sample_test(a, b, n_resamples=FEW, rng=rng), x, y), 0
            )

        yield Setting("classifier_two_sample_test", "", "normal, other permutations each time", n, 1, 0, run, 10)


SUBJECTS = (
    paired_tests, margin_tests, tests_of_cases, diagnostic, readers, clustered, instances_in_clusters, folds,
    cross_validated, omnibus_tests, posthoc_tests, compared, adjustments,
    intervals, more_intervals, of_samples, of_strengths, of_battles, of_ranks, of_gamma, of_probabilities,
    of_subgroups, of_judges, of_runs, *MORE,
)  # fmt: skip

# --- the run ----------------------------------------------------------------------------------------------------------


@cache
def settings() -> list[Setting]:
    """Return all settings."""
    return [setting for subject in SUBJECTS for setting in subject()]


def chunk(setting: Setting, number: int, seed: int) -> dict[str, Any]:
    """Simulate the given number of experiments, and return sums and sums of squares of the counts."""
    rng = np.random.default_rng([seed, zlib.crc32(setting.key.encode()), number])
    found = {name: np.asarray(v, dtype=float) for name, v in setting.run(rng, setting.size).items()}
    sums = {name: [float(v.sum()), float((v**2).sum())] for name, v in found.items()}
    return {"setting": setting.key, "chunk": number, "n": setting.size, "sums": sums}


class Counted:
    """Counts of a setting."""

    def __init__(self) -> None:
        self.n_chunks = self.n = 0
        self.seconds = math.inf  # seconds of one experiment in the fastest chunk
        self.sums: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(2))

    def add(self, one: dict[str, Any]) -> None:
        """Add the counts of a chunk."""
        self.n_chunks = max(self.n_chunks, one["chunk"] + 1)
        self.n += one["n"]
        self.seconds = min(self.seconds, one["seconds"] / one["n"])
        for what, values in one["sums"].items():
            self.sums[what] += values

    def limits(self, what: str, z: float) -> tuple[float, float]:
        """Return Wilson's limits for a rate. Means of proportions count as a rate of more experiments."""
        rate, squares = self.sums[what] / self.n
        return mean_share_limits(rate, squares - rate**2, self.n, z=z)

    def width(self, what: str) -> float:
        """Return the width of the interval that determines whether a rate is known."""
        low, high = self.limits(what, NORMAL_999)
        return high - low

    def wanted(self, what: str) -> float:
        """Return the required width for a known rate."""
        return (WIDTHS_OF_POWER if what == "power" else WIDTHS)[self.seconds > FAST]

    @property
    def work(self) -> float:
        """Estimate the missing seconds, or 0 if every rate is known."""
        times = max((self.width(what) / self.wanted(what)) ** 2 for what in self.sums)
        return self.seconds * self.n * (times - 1) if times > 1 else 0.0


def conditions(seed: int) -> dict[str, Any]:
    """Return the conditions that all chunks of one file must have in common."""
    return {
        "seed": seed, "evalstats": ev.__version__, "numpy": np.__version__, "scipy": scipy.__version__,
        "python": platform.python_version(),
    }  # fmt: skip


def read_run(out: Path, seed: int) -> list[dict[str, Any]]:
    """Return the chunks of a file without an incomplete last line. Create the file if it does not exist."""
    wanted = conditions(seed)
    text = out.read_text(encoding="utf-8") if out.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        out.write_text(json.dumps(wanted) + "\n", encoding="utf-8")
        return []
    begun, *chunks = (json.loads(line) for line in whole.splitlines())
    if begun != wanted:
        raise click.ClickException(f"{out} was begun with {begun}, not {wanted}; give another file to --out")
    out.write_text(whole, encoding="utf-8")
    return chunks


def run(out: Path, minutes: float, seed: int, only: str) -> dict[str, Counted]:
    """Simulate the settings until the time is over, with the least remaining work first."""
    counted: dict[str, Counted] = defaultdict(Counted)
    for one in read_run(out, seed):
        counted[one["setting"]].add(one)
    wanted = {one.key: one for one in settings() if only in one.key}
    urgency = {key: 10 if (one.subject, one.variant) in DEFAULTS else 1 for key, one in wanted.items()}
    work = {key: counted[key].work if key in counted else -1.0 for key in wanted}
    end = time.monotonic() + 60 * minutes
    with out.open("a", encoding="utf-8") as file:
        while time.monotonic() < end and any(work.values()):
            key = min((key for key in work if work[key]), key=lambda key: work[key] / urgency[key])
            began = time.process_time()
            found = chunk(wanted[key], counted[key].n_chunks, seed)
            found["seconds"] = round(time.process_time() - began, 6)
            file.write(json.dumps(found) + "\n")
            file.flush()
            counted[key].add(found)
            work[key] = counted[key].work
            if sys.stderr.isatty():
                click.echo(f"\r\033[K{sum(map(bool, work.values()))} settings left, {key}", nl=False, err=True)
    return counted


FIELDS = (
    *("subject", "variant", "data", "n", "k", "lead", "what", "n_experiments", "rate", "low", "high"),
    *("width", "wanted", "smallest_excess"),
)


def row_key(row: dict[str, Any]) -> str:
    """Return the name of the setting of a row, as in the file of a run."""
    return "|".join(str(row[name]) for name in FIELDS[:6])


def completed(row: dict[str, str]) -> dict[str, Any]:
    """Return a row of an older table with the missing columns."""
    n, rate = int(row["n_experiments"]), float(row["rate"])
    low, high = mean_share_limits(rate, rate * (1 - rate), n, z=NORMAL_999)
    lacking = {"width": round(high - low, 5), "wanted": WIDTHS[1], "smallest_excess": round(smallest_excess(n), 5)}
    whole = lacking | row
    return {name: whole[name] for name in (*FIELDS, *(name for name in row if name not in FIELDS))}


def table(counted: dict[str, Counted], seed: int, before: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return each rate with the 95% interval of its simulation error (Wilson), and the width of the 99.9% interval.

    Rates of settings with more experiments in the earlier table are not changed.
    """
    made = datetime.now(UTC).date().isoformat()
    old: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in before:
        old[row_key(row)].append(row)
    rows: list[dict[str, Any]] = []
    for one in settings():
        known, kept = counted.get(one.key), old[one.key]
        is_better = known is not None and (not known.work or not kept or known.n > int(kept[0]["n_experiments"]))
        if known is None or not is_better:
            rows += map(completed, kept)
            continue
        for what, (total, _) in known.sums.items():
            low, high = known.limits(what, NORMAL_95)
            values = (one.subject, one.variant, one.data, one.n, one.k, f"{one.lead:g}", what, known.n)
            found = (total / known.n, low, high, known.width(what), known.wanted(what), smallest_excess(known.n))
            rates = (round(x, 5) for x in found)
            rows.append(dict(zip(FIELDS, (*values, *rates), strict=True)) | conditions(seed) | {"date": made})
    return rows


@click.command(help=__doc__)
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The run, to go on with.")
@click.option("--minutes", default=10.0, show_default=True, help="Time to spend; 0 writes the table of what is there.")
@click.option("--table", "table_file", type=click.Path(path_type=Path, dir_okay=False), help="CSV of the rates.")
@click.option("--only", default="", help="Settings whose name holds this.")
@click.option("--seed", default=SEED, show_default=True, type=click.IntRange(min=0))
def main(out: Path, minutes: float, table_file: Path | None, only: str, seed: int) -> None:
    """Simulate for the given time, and write the table."""
    try:
        counted = run(out, minutes, seed, only)
    except KeyboardInterrupt:
        counted = run(out, 0, seed, only)
    before = read_rows(table_file) if table_file is not None and table_file.exists() else []
    rows = table(counted, seed, before)
    if table_file is not None:
        write_rows(table_file, rows)
    click.echo(f"{len(rows)} rates of {sum(one.n for one in counted.values()):,} experiments")


if __name__ == "__main__":
    main()
