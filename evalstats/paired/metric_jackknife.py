"""Jackknife of clusters for the difference of two classifiers by any metric."""

from __future__ import annotations

__all__ = ["ClusteredMetricDifference", "difference_in_clusters"]

import math
from typing import Any

import numpy as np

from evalstats.metrics.cluster_variance import degrees_of_freedom, numbered
from evalstats.paired.clustered import SINGLE_GROUP
from evalstats.paired.metric_permutation import ROUNDING
from evalstats.paired.metric_resampling import differences_without_each, understand_scored_pair
from evalstats.paired.shifted_scores import ClusteredDifference

UNDEFINED = "without one of the clusters, the metric is undefined, so the variance between clusters is unknown"


class ClusteredMetricDifference(ClusteredDifference):
    """Difference of two classifiers by any metric with its jackknife standard error, and both scores."""

    def __init__(self, scores: tuple[float, float], standard_error: float, df: Any, n: int, unknown: str) -> None:
        """Store the scores; the standard error is nan for the reason `unknown`."""
        super().__init__(scores[0] - scores[1], standard_error, df, n, unknown=unknown)
        self.scores = scores


def difference_in_clusters(
    y_true: Any,
    x: Any,
    y: Any,
    *,
    metric: Any,
    clusters: Any,
    pos_label: Any = None,
    undefined: str = "nan",
    **choices: Any,
) -> ClusteredMetricDifference:
    """Return the difference of the scores of x and y, with the standard error of the delete-one-cluster jackknife.

    The deviations of the jackknife are from the difference itself. For accuracy, the standard error and the degrees of
    freedom of t are then those of `clustered_ttest` (Bell & McCaffrey 2002): the number of clusters minus one, and
    fewer for clusters of unequal size. The bootstrap of few clusters has intervals that are too short.
    """
    pair = understand_scored_pair(y_true, x, y, metric, pos_label, clusters, undefined, choices)
    score_x, score_y = pair.drawn(pair.n_units[None])[0].tolist()
    scores, difference, g = (score_x, score_y), score_x - score_y, int(pair.n_units.sum())
    if g == 1:
        return ClusteredMetricDifference(scores, math.nan, 0.0, pair.n_instances, SINGLE_GROUP)
    deviations = differences_without_each(pair, np.arange(len(pair.n_units))) - difference
    deviations[np.abs(deviations) <= ROUNDING * max(pair.scale, abs(difference))] = 0.0
    error = math.sqrt((g - 1) / g * float(pair.n_units @ deviations**2))
    sizes = np.bincount(numbered(clusters, "clusters", "cluster", pair.n_instances)[0]).astype(np.float64)
    return ClusteredMetricDifference(scores, error, degrees_of_freedom(sizes), pair.n_instances, UNDEFINED)
