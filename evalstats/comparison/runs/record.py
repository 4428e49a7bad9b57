"""The record of an analysis of runs."""

from __future__ import annotations

__all__ = ["RunAnalysis", "RunEstimate", "RunPair", "RunStopping"]

import csv
import io
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalstats._findings import Finding
from evalstats._result import ConfidenceInterval, Record
from evalstats.reproducibility.run_overlap import PValuesOverRuns, VerdictReproducibility


@dataclass(frozen=True, kw_only=True, eq=False)
class RunEstimate(Record):
    """Estimates from the runs of one classifier on one dataset, or nan if there are too few runs.

    Attributes
    ----------
    dataset, classifier : str
        Dataset and classifier of the runs.
    n_runs : int
        Number of runs.
    canonical : float
        The canonical estimate: the mean of the first runs. Publications usually report this mean.
    long_run_mean, standard_error, standard_deviation : float
        The mean over all runs, its Monte Carlo standard error, and the standard deviation of the runs (see
        `long_run_mean`).
    skewness : float
        Skewness of the scores. `run_distribution` defines this field and the next four fields.
    skewness_interval : ConfidenceInterval
        The 95% confidence interval for the skewness.
    mean_minus_median, normality_pvalue : float
        Mean minus median, and p-value of a test of normality. A mean below the median indicates a left skew.
    ceiling_proportion : float
        Proportion of the runs with the best possible score. It is nan if the best possible score is unknown.
    reason : str or None
        A sentence if a value is undefined, otherwise None.
    """

    dataset: str
    classifier: str
    n_runs: int
    canonical: float
    long_run_mean: float
    standard_error: float
    standard_deviation: float
    skewness: float
    skewness_interval: ConfidenceInterval
    mean_minus_median: float
    normality_pvalue: float
    ceiling_proportion: float
    reason: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class RunPair(Record):
    """Consistency with which one classifier of a pair is better in the runs on one dataset (see `overlap`).

    Attributes
    ----------
    dataset, first, second : str
        Dataset and classifiers of the comparison.
    n_wins, n_ties, n_losses : int
        Numbers of runs in which `first` is better, in which both are tied, and in which `second` is better.
    win_share, reproducibility : float
        R' and R of Raeder, Hoens & Chawla (2010), eq. 1 and 2.
    interval : ConfidenceInterval
        The 95% confidence interval for `reproducibility`.
    """

    dataset: str
    first: str
    second: str
    n_wins: int
    n_ties: int
    n_losses: int
    win_share: float
    reproducibility: float
    interval: ConfidenceInterval


@dataclass(frozen=True, kw_only=True, eq=False)
class RunStopping(Record):
    """Number of runs until a stopping rule stops (see `replay_stopping_rule`).

    Attributes
    ----------
    rule : str
        The rule.
    dataset, classifier : str
        Dataset and classifier of the runs.
    mean_runs : float
        Mean number of runs over the orders in which the rule stops. It is nan if the rule stops in no order.
    not_stopped_proportion : float
        Proportion of the orders in which the rule does not stop.
    """

    rule: str
    dataset: str
    classifier: str
    mean_runs: float
    not_stopped_proportion: float


@dataclass(frozen=True, kw_only=True, eq=False)
class RunAnalysis(Record):
    """Result of `analyze_runs`; `evalstats.report` renders it.

    Attributes
    ----------
    metric, unit : str
        Metric of the scores, and the unit of the metric.
    greater_is_better : bool
        Direction of the metric.
    ceiling : float or None
        The best possible score, if it is known.
    datasets, classifiers : tuple of str
        Names of the datasets and of the classifiers.
    n_runs : tuple of int
        Number of runs on each dataset.
    n_canonical : int
        Number of runs, from the first, in the canonical estimate.
    alpha : float
        Significance level of the tests.
    seed : int
        Seed of the random orders of the runs. `replay_stopping_rule` with this seed gives the same numbers.
    n_resamples : int
        Number of random orders.
    estimates : tuple of RunEstimate
        Estimates for each classifier on each dataset.
    pairs : tuple of RunPair
        Results for each pair of classifiers on each dataset with 2 runs or more.
    over_datasets : VerdictReproducibility or None
        Reproducibility of the decisions on pairs and of the ranking by mean rank. It is None unless several datasets
        have the same 2 or more runs.
    pvalues : PValuesOverRuns or None
        The test over datasets in each run: the Wilcoxon test for two classifiers, or the Friedman test for more. It is
        None unless several datasets have the same 2 or more runs.
    stopping : tuple of RunStopping
        Result of each rule for each classifier on each dataset with 2 runs or more.
    findings : tuple of Finding
        Findings on the runs, the most severe first.
    options : dict
        The arguments of `analyze_runs` that differ from the defaults. Stopping rules are written as
        text.
    data_checksum : str or None
        SHA-256 of the file of the data, such as ``'sha256:86db...'``, or None if the data are not from a file.
    """

    metric: str
    unit: str
    greater_is_better: bool
    ceiling: float | None
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    n_runs: tuple[int, ...]
    n_canonical: int
    alpha: float
    seed: int
    n_resamples: int
    estimates: tuple[RunEstimate, ...]
    pairs: tuple[RunPair, ...]
    over_datasets: VerdictReproducibility | None
    pvalues: PValuesOverRuns | None
    stopping: tuple[RunStopping, ...]
    findings: tuple[Finding, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    data_checksum: str | None = None

    def _rows(self) -> Sequence[Record]:
        return self.estimates

    def to_csv(self) -> str:
        """Return every number as CSV, with one number on each line.

        Returns
        -------
        str
            Columns ``dataset``, ``classifier``, ``against``, ``quantity``, ``value``, and ``low`` and ``high`` of 95%
            intervals. Undefined values are empty. For a number that refers to all datasets, the dataset is empty.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["dataset", "classifier", "against", "quantity", "value", "low", "high"])
        for *names, value, low, high in _quantities(self):
            writer.writerow([*names, *map(_exact, (value, low, high))])
        return out.getvalue()


_NO_INTERVAL = (math.nan, math.nan)
_OF_ESTIMATES = (
    *("n_runs", "canonical", "long_run_mean", "standard_error", "standard_deviation", "skewness"),
    *("mean_minus_median", "normality_pvalue", "ceiling_proportion"),
)


def _quantities(report: RunAnalysis) -> Iterator[tuple[Any, ...]]:
    """Yield each number with its dataset, its classifiers, its name and its limits."""
    if report.pvalues is not None and report.over_datasets is not None:
        over = report.over_datasets
        yield "", "", "", "reject_proportion", report.pvalues.reject_proportion, *report.pvalues.confidence_interval()
        yield "", "", "", "median_pvalue", report.pvalues.median_pvalue, *_NO_INTERVAL
        yield "", "", "", "ranking_agreement", over.ranking_agreement, *_NO_INTERVAL
        yield "", "", "", "kendall_tau", over.kendall_tau, *_NO_INTERVAL
        low, high = over.pairs.confidence_interval()
        for i, j in itertools.combinations(range(over.n_classifiers), 2):
            ranked = "", report.classifiers[i], report.classifiers[j]
            yield *ranked, "n_significant", int(over.n_significant[i, j]), *_NO_INTERVAL
            yield *ranked[:1], *ranked[:0:-1], "n_significant", int(over.n_significant[j, i]), *_NO_INTERVAL
            yield *ranked, "win_share", float(over.pairs.win_share[i, j]), *_NO_INTERVAL
            yield (
                *ranked,
                "reproducibility",
                float(over.pairs.reproducibility[i, j]),
                float(low[i, j]),
                float(high[i, j]),
            )
    for pair in report.pairs:
        names = pair.dataset, pair.first, pair.second
        yield *names, "win_share", pair.win_share, *_NO_INTERVAL
        yield *names, "reproducibility", pair.reproducibility, *pair.interval
    for one in report.estimates:
        for name in _OF_ESTIMATES:
            limits = one.skewness_interval if name == "skewness" else _NO_INTERVAL
            yield one.dataset, one.classifier, "", name, getattr(one, name), *limits
    for stopping in report.stopping:
        names = stopping.dataset, stopping.classifier, ""
        yield *names, f"{stopping.rule}: mean_runs", stopping.mean_runs, *_NO_INTERVAL
        yield *names, f"{stopping.rule}: not_stopped_proportion", stopping.not_stopped_proportion, *_NO_INTERVAL


def _exact(value: float) -> str:
    return "" if math.isnan(value) else repr(value)
