"""Comparison by several metrics: one comparison for each metric, and the correlations of the ranks."""

from __future__ import annotations

__all__ = ["ComparisonByMetric", "MetricRank", "compared_by_metric"]

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats._ranks import rounded
from evalstats._result import Record, plain, report_module
from evalstats._types import FloatArray, IntArray
from evalstats.comparison.record import Comparison
from evalstats.io.reader.tables import read_table
from evalstats.tables.score_table import ScoreTable


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricRank(Record):
    """Rank of a classifier by one metric.

    Attributes
    ----------
    classifier, metric : str
        Names of the classifier and of the metric.
    rank : int
        Rank among all classifiers. The best classifier has rank 1, and tied classifiers have the smallest of their
        ranks.
    mean_rank : float
        Mean rank of the classifier over the datasets, on each of which tied classifiers have the mean of their ranks.
    mean_score : float
        Mean score of the classifier over the datasets, in the unit of the metric.
    """

    classifier: str
    metric: str
    rank: int
    mean_rank: float
    mean_score: float


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonByMetric(Record):
    """Result of `compare` for several metrics: ``found['accuracy']`` is the comparison by accuracy.

    Attributes
    ----------
    metrics : tuple of str
        Names of the metrics, in the order of the argument.
    classifiers : tuple of str
        The compared classifiers, the same for each metric.
    alpha : float
        Significance level for each metric separately.
    ranks : ndarray of int, shape (n_classifiers, n_metrics)
        Rank of each classifier by each metric, 1 for the best mean rank. Tied classifiers have the smallest of their
        ranks.
    mean_ranks : ndarray of float64, shape (n_classifiers, n_metrics)
        Mean rank over the datasets. If the folds or instances of one dataset are compared, it is the rank of the score.
    mean_scores : ndarray of float64, shape (n_classifiers, n_metrics)
        Mean score over the datasets, in the unit of each metric.
    kendall, spearman : ndarray of float64, shape (n_metrics, n_metrics)
        Kendall's tau-b and Spearman's correlation between the mean ranks by two metrics. The correlations are 1 if both
        metrics give the same order, -1 for opposite orders, and nan if all classifiers are tied by a metric.
    comparisons : tuple of Comparison
        The comparison by each metric.
    options : dict
        The arguments of `compare` that differ from the defaults, as in `Comparison.options`.
    data_checksum : str or None
        SHA-256 of the file of the data, such as ``'sha256:86db...'``, or None if the data are not from a file.
    """

    metrics: tuple[str, ...]
    classifiers: tuple[str, ...]
    alpha: float
    ranks: IntArray
    mean_ranks: FloatArray
    mean_scores: FloatArray
    kendall: FloatArray
    spearman: FloatArray
    comparisons: tuple[Comparison, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    data_checksum: str | None = None
    _asked: tuple[str, ...]

    def __getitem__(self, metric: Any) -> Comparison:
        for names in (self.metrics, self._asked):
            if _checks.is_among(metric, names):
                return self.comparisons[names.index(metric)]
        raise KeyError(f"metric must be one of {', '.join(map(repr, self.metrics))}, not {short(metric)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def keys(self) -> tuple[str, ...]:
        """Return the metrics, so ``dict(found)`` is a dict of comparisons."""
        return self.metrics

    @property
    def verdict(self) -> str:
        """Conclusions, as in the sentences at the beginning of every report."""
        return str(report_module("documents").verdict(self))

    def __str__(self) -> str:
        return self.verdict

    def _brief(self) -> dict[str, Any]:
        told = {name: plain(value) for name, value in self._told() if name != "comparisons"}
        return told | {"comparisons": [comparison._brief() for comparison in self.comparisons]}

    def _left_out_of_brief(self) -> str:
        return next((told for one in self.comparisons if (told := one._left_out_of_brief())), "")

    def _rows(self) -> Sequence[Record]:
        return [
            MetricRank(
                classifier=classifier,
                metric=metric,
                rank=int(self.ranks[i, j]),
                mean_rank=float(self.mean_ranks[i, j]),
                mean_score=float(self.mean_scores[i, j]),
            )
            for j, metric in enumerate(self.metrics)
            for i, classifier in enumerate(self.classifiers)
        ]


def compared_by_metric(
    source: Any, metrics: Any, compare: Callable[..., Any], reading: dict[str, Any]
) -> ComparisonByMetric:
    """Compare classifiers by each of several metrics."""
    if not isinstance(metrics, Sequence):
        _checks.text(metrics, "metric")
    asked = tuple(_checks.text(name, "metric") for name in metrics)
    if len(asked) < 2:
        raise InvalidValueError(f"metric must be one name, or a sequence of two or more names, not {short(metrics)}")
    if len(set(asked)) < len(asked):
        raise InvalidValueError(f"metric must name different metrics, not {short(list(asked))}")
    tables = _tables(source, asked, reading)
    if any(table._items is not None for table in tables):
        raise InvalidValueError(
            "metric must be one name for answers to questions, which are compared by one metric at a time"
        )
    names = tuple(table.metric for table in tables)
    if len(set(names)) < len(names):
        raise InvalidValueError(f"metric must name different metrics, but {listed(asked)} are {listed(names)}")
    classifiers = tables[0].classifiers
    for name, table in zip(names, tables, strict=True):
        if odd := set(classifiers) ^ set(table.classifiers):
            raise InvalidValueError(
                f"the classifiers must be the same for each metric, but only one of {names[0]!r} and {name!r} has "
                f"scores of {min(odd)!r}; leave it out with drop="
            )
    same = [table if table.classifiers == classifiers else table.select(classifiers) for table in tables]
    comparisons = tuple(compare(table, metric=table.metric) for table in same)
    mean_ranks = np.stack([_mean_ranks(one) for one in comparisons], axis=1)
    kendall, spearman = _correlations(mean_ranks)
    return ComparisonByMetric(
        metrics=names,
        classifiers=classifiers,
        alpha=comparisons[0].alpha,
        ranks=_smallest_ranks(mean_ranks),
        mean_ranks=mean_ranks,
        mean_scores=np.stack([np.nanmean(one.table.scores, axis=0) for one in comparisons], axis=1),
        kendall=kendall,
        spearman=spearman,
        comparisons=comparisons,
        _asked=asked,
    )


def _tables(source: Any, metrics: tuple[str, ...], reading: dict[str, Any]) -> list[ScoreTable]:
    """Return the table of each metric. Predictions are read only once."""
    if _is_by_metric(source, metrics):
        return [read_table(source[metric], metric=metric, **reading) for metric in metrics]
    if isinstance(source, ScoreTable) and source._scored is None:
        raise InvalidTypeError(
            "a comparison by several metrics requires a source with these metrics, but a ScoreTable holds one metric"
        )
    again = _again(source)
    tables = [read_table(again(), metric=metrics[0], **reading)]
    scored = tables[0]._scored
    for metric in metrics[1:]:
        if scored is not None:
            of_scores = {name: value for name, value in reading.items() if name in _OF_SCORES}
            tables.append(read_table(scored._predictions, metric=metric, **of_scores))
        else:
            tables.append(read_table(again(), metric=metric, **reading))
    if scored is None:
        _refuse_one_metric(tables, metrics)
    return tables


_OF_SCORES = ("aggregate", "undefined", "missing", "greater_is_better", "unit")


def _is_by_metric(source: Any, metrics: tuple[str, ...]) -> bool:
    """Return whether a source is a dict with a table for each metric."""
    if not isinstance(source, Mapping) or not all(metric in source for metric in metrics):
        return False
    tables = [source[metric] for metric in metrics]
    return all(isinstance(one, ScoreTable) or hasattr(one, "columns") or np.ndim(one) == 2 for one in tables)


def _again(source: Any) -> Callable[[], Any]:
    """Return a function that returns the source from its beginning, also if the source is a stream."""
    if not hasattr(source, "read"):
        return lambda: source
    content = source.read()
    return lambda: StringIO(content) if isinstance(content, str) else BytesIO(content)


def _refuse_one_metric(tables: list[ScoreTable], metrics: tuple[str, ...]) -> None:
    """Raise an error if all metrics have the same scores, because the source then holds one metric."""
    first = tables[0].scores
    if all(np.array_equal(first, table.scores, equal_nan=True) for table in tables[1:]):
        raise InvalidValueError(
            f"the source has one score for each dataset and classifier, so the metrics {listed(metrics)} would be "
            "names for the same scores; to compare by several metrics, pass a table with a column or a header row of "
            "metrics, predictions, or a dict of tables"
        )


def _mean_ranks(comparison: Comparison) -> FloatArray:
    if comparison.mean_ranks is not None:
        return np.array(comparison.mean_ranks)
    from evalstats._ranks import midranks

    scores = rounded(comparison.table.scores[0])
    return midranks(-scores if comparison.table.greater_is_better else scores)


def _smallest_ranks(mean_ranks: FloatArray) -> IntArray:
    """Return the ranks from 1 in each column; equal mean ranks share the smallest rank."""
    columns = rounded(mean_ranks.T)
    return np.asarray(1 + (columns[:, :, None] > columns[:, None, :]).sum(axis=2)).T


def _correlations(mean_ranks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return Kendall's tau-b and Spearman's correlation of each pair of columns, or nan for constant columns."""
    from scipy.stats import kendalltau, spearmanr

    columns = rounded(mean_ranks.T)
    m = len(columns)
    kendall, spearman = np.full((2, m, m), np.nan)
    tells = [i for i in range(m) if np.ptp(columns[i])]
    for i in tells:
        for j in tells:
            kendall[i, j] = 1.0 if i == j else kendalltau(columns[i], columns[j]).statistic
            spearman[i, j] = 1.0 if i == j else spearmanr(columns[i], columns[j]).statistic
    return kendall, spearman
