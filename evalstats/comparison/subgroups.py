"""Differences between classifiers in subgroups of instances or questions."""

from __future__ import annotations

__all__ = ["subgroups_of_comparison"]

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._errors import listed, short
from evalstats._types import FloatArray
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.comparison.supplements import SubgroupAnalysis, SubgroupPair
from evalstats.paired.subgroups import FEWEST_INSTANCES, SubgroupTestResult, subgroup_test, subgroup_test_from_estimates
from evalstats.tables.predictions import refuse_clusters
from evalstats.tables.subgroup_names import Subgroups, parts_of

if TYPE_CHECKING:
    from evalstats.comparison.record import Comparison
    from evalstats.tables.aligned_instances import AlignedCases
    from evalstats.tables.prediction_scores import MetricChoice

# number of bootstrap samples for a metric without a formula for its standard error
N_BOOTSTRAP = 1999


def subgroups_of_comparison(comparison: Comparison, column: str, n_resamples: int | None, rng: Any) -> SubgroupAnalysis:
    """Return the differences of every compared pair in the subgroups of a column."""
    data = _data_of(comparison, column)
    pairs = comparison.compared
    level = 1 - comparison.alpha / len(pairs)  # Bonferroni's inequality over the pairs
    found = list(_tested(comparison, data, level, n_resamples, rng))
    interaction, crossover = (
        adjust_pvalues([getattr(one, name) for one in found], nan_policy="omit")
        for name in ("pvalue", "crossover_pvalue")
    )
    within = adjust_pvalues(np.concatenate([one.subgroup_pvalue for one in found]), nan_policy="omit")
    own = [
        SubgroupPair(first=a, second=b, test=one, pvalue=p, crossover_pvalue=q, subgroup_pvalue=each)
        for (a, b), one, p, q, each in zip(
            pairs, found, interaction.tolist(), crossover.tolist(), within.reshape(len(pairs), -1), strict=True
        )
    ]
    counts = np.bincount(data.subgroup.code, minlength=len(data.subgroup.names))
    return SubgroupAnalysis(
        column=data.subgroup.column,
        subgroups=data.subgroup.names,
        n_instances=tuple(counts.tolist()),
        metric=comparison.table.metric,
        alpha=comparison.alpha,
        unit=data.unit,
        pairs=tuple(own),
        left_out=data.left_out,
    )


# --- what is compared in the subgroups --------------------------------------------------------------------------------


class _Data(NamedTuple):
    """Scores of each instance if the metric is the mean of these scores, or the predictions and any other metric."""

    subgroup: Subgroups
    unit: str
    scores: FloatArray | None  # shape (n_classifiers, n); higher is better
    clusters: Any
    cases: AlignedCases | None
    choice: MetricChoice | None
    left_out: dict[str, str]


def _data_of(comparison: Comparison, column: str) -> _Data:
    if comparison.design == "questions":
        items = comparison.table._items
        assert items is not None
        given = _of_column(items.subgroup, column)
        sign = 1 if comparison.table.greater_is_better else -1
        return _Data(given, "question", sign * items.scores.T, items.cluster, None, None, {})
    if comparison.design != "instances":
        raise InvalidValueError(
            f"subgroup is for classifiers that are compared by individual instances or questions, but here "
            f"{comparison.design} are compared"
        )
    from evalstats.tables.aligned_instances import aligned_cases

    scored = comparison.table._scored
    assert scored is not None
    cases, choice = aligned_cases(scored._predictions), scored._choice
    given = _of_column(cases.subgroup, column)
    if choice.base in ("accuracy", "error_rate") and choice.average is None:
        clusters = None if cases.cluster is None else cases.cluster.labels
        return _Data(given, "instance", cases.is_right.astype(np.float64), clusters, None, None, {})
    refuse_clusters(scored._predictions, f"subgroups by {choice.name} (only by accuracy)")
    return _Data(given, "instance", None, None, cases, choice, {})


def _of_column(given: Subgroups | None, column: str) -> Subgroups:
    if given is None or parts_of(given.column) != parts_of(column):
        known = "without subgroups" if given is None else f"with the subgroups of {short(given.column)}"
        raise InvalidValueError(
            f"subgroup must be the column that the source was read with, but the source was read {known}, not with "
            f"{short(column)}; "
            f"read it with columns={{'subgroup': {column!r}}}"
        )
    if len(given.names) < 2:
        raise InvalidValueError(f"subgroup must name a column of two or more subgroups, but {short(column)} holds one")
    return given


# --- the tests --------------------------------------------------------------------------------------------------------


def _tested(
    comparison: Comparison, data: _Data, level: float, n_resamples: int | None, rng: Any
) -> Iterator[SubgroupTestResult]:
    """Yield the subgroup test of each compared pair."""
    at = [tuple(map(comparison.table.position, pair)) for pair in comparison.compared]
    if data.scores is not None:
        labels = np.array(data.subgroup.labels, dtype=object)
        asked: dict[str, Any] = {"clusters": data.clusters, "confidence_level": level, "rng": rng}
        if n_resamples is not None:
            asked["n_resamples"] = n_resamples
        for i, j in at:
            yield subgroup_test(data.scores[i], data.scores[j], labels, **asked)
        return
    groups = _groups_with_metric(data)
    estimate = _estimates(data, n_resamples, rng)
    for i, j in at:
        found = [estimate(rows, i, j) for rows in groups.values()]
        yield _combined(tuple(groups), found, level)


def _groups_with_metric(data: _Data) -> dict[str, Any]:
    """Return the rows of each subgroup with at least two classes, and record why other subgroups are left out."""
    assert data.cases is not None
    assert data.choice is not None
    groups: dict[str, Any] = {}
    for i, name in enumerate(data.subgroup.names):
        rows = np.flatnonzero(data.subgroup.code == i)
        if len(np.unique(data.cases.y_true[rows])) < 2:
            data.left_out[name] = "all of its instances have the same true label"
        else:
            groups[name] = rows
    if len(groups) < 2:
        raise InvalidValueError(
            f"subgroup must have two or more subgroups in which {data.choice.name} is defined, but it has {len(groups)}"
        )
    return groups


def _estimates(data: _Data, n_resamples: int | None, rng: Any) -> Callable[[Any, int, int], tuple[float, float, int]]:
    """Return a function that estimates the difference of two classifiers in a subgroup and its standard error."""
    from evalstats.comparison.designs.instances import as_the_metric_takes
    from evalstats.paired.delong import delong_test
    from evalstats.paired.metric_bootstrap import metric_bootstrap_test

    cases, choice = data.cases, data.choice
    assert cases is not None
    assert choice is not None
    y_true, predicted, choices = as_the_metric_takes(cases, choice)
    sign = 1 if choice.record.greater_is_better else -1
    is_area = choice.base == "roc_auc" and choice.average is None
    n = N_BOOTSTRAP if n_resamples is None else _checks.count(n_resamples, "n_resamples", minimum=1)

    def estimate(rows: Any, i: int, j: int) -> tuple[float, float, int]:
        own = y_true[rows], predicted[i][rows], predicted[j][rows]
        if is_area:
            area = delong_test(*own)
            return float(area.difference), float(area.standard_error), len(rows)
        found = metric_bootstrap_test(*own, **choices, stratified=True, n_resamples=n, rng=rng)
        return sign * float(found.difference), float(found.standard_error), len(rows)

    return estimate


def _combined(names: tuple[str, ...], found: list[tuple[float, float, int]], level: float) -> SubgroupTestResult:
    """Test the differences in the subgroups, except subgroups without a standard error or with few instances."""
    d, error, n = (np.array(column) for column in zip(*found, strict=True))
    is_small = n < FEWEST_INSTANCES
    varies = np.isfinite(d) & (error > 0)
    known = varies & ~is_small
    told = [
        f"{words}: {listed([name for name, one in zip(names, own, strict=True) if one])}"
        for words, own in (
            (f"subgroups of fewer than {FEWEST_INSTANCES} instances or clusters are not tested", is_small),
            ("there are no limits for subgroups whose differences do not vary", ~varies & ~is_small),
        )
        if own.any()
    ]
    if known.sum() < 2:  # a test of zeros returns a result of the required type, whose numbers are undefined
        known = np.zeros(d.shape, dtype=np.bool_)
        tested = subgroup_test_from_estimates(np.zeros(2), np.ones(2), confidence_level=level)
        undefined = (
            *("statistic", "pvalue", "mean_difference", "mean_standard_error"),
            *("worst_lower", "crossover_statistic", "crossover_pvalue"),
        )
        none: dict[str, Any] = {"df": 0, "n_subgroups": 0, "worst_subgroup": None} | dict.fromkeys(undefined, math.nan)
        tested = replace(tested, **none)
        told.append("fewer than two subgroups can be tested")
    else:
        kept = [name for name, is_known in zip(names, known, strict=True) if is_known]
        tested = subgroup_test_from_estimates(d[known], error[known], subgroups=kept, confidence_level=level)
    every: dict[str, Any] = {}
    for name in ("lower", "upper", "subgroup_pvalue", "adjusted_pvalue"):
        every[name] = np.full(d.shape, math.nan)
        if known.any():
            every[name][known] = getattr(tested, name)
    every |= {"subgroups": names, "difference": d, "standard_error": error, "n_instances": n}
    return replace(tested, reason="; ".join(told) or None, **every)
