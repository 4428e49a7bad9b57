"""Is the mean difference of cases that vary together larger than a given shift? By t, and its limits."""

from __future__ import annotations

__all__ = ["ClusteredDifference", "expecting_another_cluster", "expects_another_cluster"]

import math
from typing import Any

import numpy as np

from evalstats._result import reasons
from evalstats._types import AnyArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.paired.clustered import CONSTANT_DIFFERENCE, SINGLE_GROUP, clustered_ttest
from evalstats.paired.noninferiority_results import OneSided
from evalstats.paired.ttest import in_units_of

AT_THE_MARGIN = "the mean difference lies exactly at the margin in every group, so there is nothing to test"
# of fewer cases without clusters the variance is as uncertain as that of clusters
FEW_CASES = 20


class ClusteredDifference:
    """A mean difference with its cluster-robust standard error: what `clustered_ttest` says, moved by any shift."""

    test = "clustered-t"

    def __init__(self, difference: Any, standard_error: Any, df: Any, n: int) -> None:
        """Take one difference, or a batch of them; the standard error is nan where a stratum has a single group."""
        self.difference, self.n = difference, n
        self.standard_error, self._df = np.asarray(standard_error), np.asarray(df)

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that the difference is the shift: t is their distance in standard errors."""
        distance = np.asarray(self.difference) - shift
        error = self.standard_error
        t = np.where(np.isnan(error), np.nan, in_units_of(error, distance))
        at_the_margin = (error == 0) & (distance == 0)
        pvalue = np.where(error > 0, tails.t_pvalue(t, self._df, alternative), np.where(at_the_margin, 1.0, np.nan))
        why = reasons(
            error.shape,
            (np.isnan(error), SINGLE_GROUP),
            (at_the_margin, AT_THE_MARGIN),
            (error == 0, CONSTANT_DIFFERENCE),
        )
        return OneSided(t, pvalue, np.full(error.shape, "t"), why)

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits of the difference: the shifts that t does not reject at alpha lie between them."""
        margin = np.where(self.standard_error > 0, tails.t_quantile(self._df, 1 - alpha) * self.standard_error, np.nan)
        return np.asarray(self.difference - margin), np.asarray(self.difference + margin)


def expecting_another_cluster(
    x: FloatArray,
    y: FloatArray,
    *,
    groups: AnyArray | list[str] | None,
    strata: AnyArray | list[str] | None,
    average: str,
) -> ClusteredDifference:
    """Compare two vectors of scores by t, for clusters of a kind that may not have been seen.

    Where hardly any case differs, or a few clusters are large, a case whose whole cluster goes with it is added to the
    variance, as in the score test of accuracies in groups. It differs by 1 where the scores are shares, and otherwise
    by as much as any case does.
    """
    found = clustered_ttest(x, y, groups=groups, strata=strata, average=average)
    error = found.standard_error
    if expects_another_cluster(len(x), is_grouped=groups is not None):
        are_shares = min(x.min(), y.min()) >= 0 and max(x.max(), y.max()) <= 1
        largest = 1.0 if are_shares else float(np.abs(x - y).max())
        error = math.hypot(error, largest * _error_never_seen(understand_clusters(groups, strata, average, len(x))))
    return ClusteredDifference(found.mean_difference, error, found.df, found.n_cases)


def expects_another_cluster(n: int, *, is_grouped: bool) -> bool:
    """Tell whether clusters of another kind may not have been seen, with so many cases."""
    return is_grouped or n < FEW_CASES


def _error_never_seen(clusters: Clusters) -> float:
    """Return what one more case adds to the standard error, whose whole cluster goes with it, among all strata."""
    n = clusters.n_cases.astype(np.float64)
    squares = np.array([(clusters.sizes[stratum] ** 2).sum() for stratum in clusters.of_stratum()])
    return math.sqrt(float((clusters.weights**2 * squares / n**3).mean()))
