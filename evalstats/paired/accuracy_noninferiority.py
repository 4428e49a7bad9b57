"""Noninferiority and equivalence of two accuracies on one test set."""

from __future__ import annotations

__all__ = ["AccuracyPair", "GroupedAccuracyPair", "accuracies"]

from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import reasons
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.small_sample_limits import ClusterLeads
from evalstats.metrics.cluster_variance import (
    Groups,
    degrees_of_freedom,
    jackknife_factors,
    sums_by_group,
    understand_groups,
)
from evalstats.paired.accuracy_difference_interval import (
    LARGEST,
    discordant,
    newcombe_limit,
    swapped,
    tango_limit,
    tango_statistic,
    unconditional_limit,
    unconditional_pvalue,
)
from evalstats.paired.mcnemar import table_of_right, understand_answers
from evalstats.paired.noninferiority_results import AtMargin, OneSided, understand_margin

METHODS = ("score", "exact", "newcombe")
SINGLE_GROUP = (
    "all instances are in one cluster, so the variance between clusters cannot be estimated; at least two clusters "
    "are necessary"
)
# range of normal quantiles for the search of Newcombe's limit
FARTHEST, HALVINGS = 40.0, 60


class AccuracyPair:
    """Two classifiers on independent instances, as the table ``[[both correct, only x], [only y, neither]]``."""

    test = "accuracy"

    def __init__(self, table: IntArray, method: str) -> None:
        """Store tables of shape (..., 2, 2)."""
        only_x, only_y = discordant(table)
        self._table, self._method = table, method
        self.n = table.sum(axis=(-2, -1))
        self.difference = (only_x - only_y) / self.n
        if method == "exact" and np.max(self.n) > LARGEST:
            raise InvalidValueError(
                f"method='exact' would take too long for {np.max(self.n)} instances (the limit is {LARGEST}); use "
                "method='score'"
            )

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the null hypothesis that accuracy x - accuracy y is the shift."""
        only_x, only_y = discordant(self._table)
        if self._method == "newcombe":
            z = _newcombe_statistic(self._table, shift)
        else:
            z = tango_statistic(only_x, only_y, self.n, shift)
        pvalue = tails.normal_pvalue(z, alternative)
        if self._method == "exact":
            counts, at = ((only_x, only_y), shift) if alternative == "greater" else ((only_y, only_x), -shift)
            pvalue = tails.as_pvalue(_of_each(unconditional_pvalue, *counts, self.n, at))
        return OneSided(z, pvalue, np.full(np.shape(self.n), self._method), reasons(np.shape(self.n)))

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits of the interval that corresponds to the test of `method`."""
        if self._method == "exact":
            only_x, only_y = discordant(self._table)
            low = _of_each(unconditional_limit, only_x, only_y, self.n, alpha)
            return low, -_of_each(unconditional_limit, only_y, only_x, self.n, alpha)
        from scipy.special import ndtri

        limit = tango_limit if self._method == "score" else newcombe_limit
        z = -float(ndtri(alpha))
        return limit(self._table, z), -limit(swapped(self._table), z)


class GroupedAccuracyPair:
    """Two classifiers on independent clusters of instances.

    Tango's z is divided by the square root of the design effect (Rao & Scott 1992). The design effect is the variance
    of the difference divided by its variance for independent instances. If almost no instance is discordant, the data
    do not determine the design effect. Therefore, one pseudo-instance is added, and all instances of its cluster are
    assumed to have the same outcome. Copies of an instance then give no additional evidence. For clusters of unequal
    size, the deviations and the degrees of freedom are computed as in `clustered_mean`.
    """

    test = "accuracy"

    def __init__(self, right_x: BoolArray, right_y: BoolArray, clusters: Groups) -> None:
        """Store the correctness of each instance and the clusters of the instances."""
        table = table_of_right(right_x, right_y)
        only_x, only_y = discordant(table)
        n = right_x.shape[-1]
        self._table, self.n = table, table.sum(axis=(-2, -1))
        self.difference = (only_x - only_y) / n
        sizes = np.diff(np.append(clusters.starts, n)).astype(np.float64)
        leads = sums_by_group(right_x, clusters) - sums_by_group(right_y, clusters)
        self.leads = ClusterLeads(sizes / n, leads / n) if leads.ndim == 1 else None
        deviations = (leads - self.difference[..., None] * sizes) * (jackknife_factors(sizes) if len(sizes) > 1 else 1)
        between = (deviations**2).sum(axis=-1)
        of_cases = only_x + only_y - n * self.difference**2
        self._design_effect = np.maximum((between + (sizes**2).sum() / n) / (of_cases + 1), 1.0)
        # clusters of one instance are independent instances
        self._df = np.inf if sizes.max() == 1 else float(degrees_of_freedom(sizes))

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the null hypothesis that accuracy x - accuracy y is the shift."""
        z = tango_statistic(*discordant(self._table), self.n, shift) / np.sqrt(self._design_effect)
        if self._df == 0:
            nothing = np.full(z.shape, np.nan)
            return OneSided(nothing, nothing, np.full(z.shape, "score"), reasons(z.shape, (True, SINGLE_GROUP)))
        of_t = np.isfinite(self._df)
        pvalue = tails.t_pvalue(z, self._df, alternative) if of_t else tails.normal_pvalue(z, alternative)
        return OneSided(z, pvalue, np.full(z.shape, "score"), reasons(z.shape))

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits by Tango's z with the quantile times the root of the design effect; infinite if df is 0."""
        from scipy.special import ndtri

        quantile = -float(tails.t_quantile(self._df, alpha) if np.isfinite(self._df) else ndtri(alpha))
        low, high = np.full(self.n.shape, -np.inf), np.full(self.n.shape, np.inf)
        for at in np.ndindex(low.shape) if self._df else ():
            z = quantile * float(np.sqrt(self._design_effect[at]))
            low[at], high[at] = tango_limit(self._table[at], z), -tango_limit(swapped(self._table[at]), z)
        return low, high


def accuracies(
    x: Any, y: Any, *, margin: Any, counts: Any = None, method: str = "score", clusters: Any = None
) -> AtMargin:
    """Compare two accuracies, from the correctness of each instance or from a table of counts."""
    method, margin = _checks.choice(method, "method", METHODS), understand_margin(margin, are_shares=True)
    table, right_x, right_y = understand_answers(x, y, counts, clusters)
    if clusters is None:
        return AtMargin(AccuracyPair(table, method), margin)
    if method != "score":
        raise InvalidValueError(f"method={method!r} assumes independent instances; with clusters, use 'score'")
    groups = understand_groups(clusters, right_x.shape[-1], x=x, y=y)
    return AtMargin(GroupedAccuracyPair(right_x, right_y, groups), margin)


def _newcombe_statistic(table: IntArray, shift: float) -> FloatArray:
    """Return the normal quantile at which Newcombe's limit is the shift."""
    low = np.full(table.shape[:-2], -FARTHEST)
    high = -low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_above = _of_each_limit(table, middle) > shift
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return low


def _of_each_limit(table: IntArray, z: FloatArray) -> FloatArray:
    limits = np.empty(z.shape)
    for at in np.ndindex(z.shape):
        limits[at] = newcombe_limit(table[at], float(z[at]))
    return limits


def _of_each(function: Any, only_x: Any, only_y: Any, n: Any, number: float) -> FloatArray:
    """Call a function of three counts and a number for each problem of a batch."""
    values = np.empty(np.shape(n))
    for at in np.ndindex(values.shape):
        values[at] = function(int(only_x[at]), int(only_y[at]), int(n[at]), number)
    return values
