"""Two classifiers on datasets, folds or correlated instances, and the tests of a shifted difference."""

from __future__ import annotations

__all__ = ["ClusteredDifference", "ShiftedScores", "expecting_another_cluster", "expects_another_cluster", "scores"]

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, rounded
from evalstats._result import HypothesisTestResult, reasons
from evalstats._types import AnyArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.signed_rank import SORTED_UP_TO
from evalstats.distributions.small_sample_limits import ClusterLeads
from evalstats.distributions.tail_probabilities import binomial_left_tail
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.paired.clustered import CONSTANT_DIFFERENCE, SINGLE_GROUP, clustered_permutation_test, clustered_ttest
from evalstats.paired.noninferiority_results import AtMargin, OneSided, understand_margin
from evalstats.paired.permutation import permutation_test
from evalstats.paired.sign import sign_test
from evalstats.paired.ttest import corrected_ttest, in_units_of, paired_ttest
from evalstats.paired.wilcoxon import wilcoxon_test

AT_THE_MARGIN = "the mean difference is exactly equal to the margin in every cluster, so there is nothing to test"
# for fewer instances without clusters, the estimated variance is as uncertain as for clusters
FEW_CASES = 20
SHIFTED: dict[str, Callable[..., Any]] = {
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "permutation": permutation_test,
    "paired-t": paired_ttest,
    "corrected-t": corrected_ttest,
    "clustered-permutation": clustered_permutation_test,
}
# bisections of the range of many differences: the remaining width is below their rounding
HALVINGS = 50
ALL_AT_THE_MARGIN = "every difference is exactly equal to the margin, so there is nothing to test"
CONSTANT_IN_EVERY_PAIR = (
    "x and y differ by the same amount in every pair, so the differences have no variance and the t distribution "
    "does not apply; use a rank test, such as test='wilcoxon'"
)


def scores(
    x: Any, y: Any, *, margin: Any, test: str, tie_tolerance: Any = None, greater_is_better: bool = True, **choices: Any
) -> AtMargin:
    """Compare scores by a paired test, with its own options."""
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    a, b, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance, minimum=2 if test.endswith("-t") else 1)
    are_shares = min(a.min(), b.min()) >= 0 and max(a.max(), b.max()) <= 1
    margin = understand_margin(margin, are_shares=bool(are_shares))
    _checks.moderate(abs(b) + margin, "y and margin")
    if test == "corrected-t" and choices.keys() != {"n_train", "n_test"}:
        raise InvalidValueError("test='corrected-t' needs n_train and n_test, the sizes of a training and a test set")
    if test.startswith("clustered"):
        # its labels are the labels of the original x and y
        of_clusters = {name: value for name, value in choices.items() if name in ("clusters", "strata", "average")}
        found = clustered_ttest(x, y, tie_tolerance=tie_tolerance, **of_clusters)
    if test == "clustered-t":
        problem = ClusteredDifference(found.mean_difference, found.standard_error, found.df, found.n_instances)
        return AtMargin(problem, margin, greater_is_better)
    return AtMargin(ShiftedScores(a, b, test, tie_tolerance, **choices), margin, greater_is_better)


class ClusteredDifference:
    """Mean difference with its cluster-robust standard error, as in `clustered_ttest`, for any shift."""

    test = "clustered-t"

    def __init__(
        self,
        difference: Any,
        standard_error: Any,
        df: Any,
        n: int,
        leads: ClusterLeads | None = None,
        unknown: str = SINGLE_GROUP,
    ) -> None:
        """Store one difference or a batch; if there is a reason `unknown`, the standard error is nan."""
        self.difference, self.n, self.leads, self._unknown = difference, n, leads, unknown
        self.standard_error, self._df = np.asarray(standard_error), np.asarray(df)

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the null hypothesis that the difference is the shift: t is their distance in standard errors."""
        difference, error = np.asarray(self.difference), self.standard_error
        distance = difference - shift
        distance = np.where(np.abs(distance) <= DEFAULT_TIE_TOLERANCE * np.abs(difference), 0.0, distance)
        t = np.where(np.isnan(error), np.nan, in_units_of(error, distance))
        at_the_margin = (error == 0) & (distance == 0)
        pvalue = np.where(error > 0, tails.t_pvalue(t, self._df, alternative), np.where(at_the_margin, 1.0, np.nan))
        why = reasons(
            error.shape,
            (np.isnan(error), self._unknown),
            (at_the_margin, AT_THE_MARGIN),
            (error == 0, CONSTANT_DIFFERENCE),
        )
        return OneSided(t, pvalue, np.full(error.shape, "t"), why)

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits for the difference: at alpha, t does not reject the shifts between the limits."""
        margin = np.where(self.standard_error > 0, tails.t_quantile(self._df, 1 - alpha) * self.standard_error, np.nan)
        return np.asarray(self.difference - margin), np.asarray(self.difference + margin)


def expecting_another_cluster(
    x: FloatArray,
    y: FloatArray,
    *,
    clusters: AnyArray | list[str] | None,
    strata: AnyArray | list[str] | None,
    average: str,
) -> ClusteredDifference:
    """Compare two vectors of scores by t, with a pseudo-cluster for types of clusters that were not observed.

    If x and y are equal on almost all instances, or if a few clusters are large, the variance includes a
    pseudo-instance. All instances of its cluster are assumed to have the same difference, as in the score test of
    accuracies in clusters. The difference of the pseudo-instance is 1 if the scores are proportions, and otherwise the
    largest observed difference.
    """
    found = clustered_ttest(x, y, clusters=clusters, strata=strata, average=average)
    error, clustering = found.standard_error, understand_clusters(clusters, strata, average, len(x))
    are_shares = min(x.min(), y.min()) >= 0 and max(x.max(), y.max()) <= 1
    largest = 1.0 if are_shares else float(np.abs(x - y).max())
    if expects_another_cluster(len(x), is_grouped=clusters is not None):
        error = math.hypot(error, largest * _error_never_seen(clustering))
    leads = _leads_in_clusters(x - y, clustering, largest)
    return ClusteredDifference(found.mean_difference, error, found.df, found.n_instances, leads)


def _leads_in_clusters(differences: FloatArray, clustering: Clusters, largest: float) -> ClusterLeads:
    """Sum the differences of the instances (at most `largest`) within each cluster and stratum."""
    of_case = np.repeat(clustering.weights / clustering.n_instances, clustering.n_clusters)
    return ClusterLeads(of_case * clustering.sizes, of_case * clustering.sums(differences), largest)


def expects_another_cluster(n: int, *, is_grouped: bool) -> bool:
    """Return whether a pseudo-cluster is necessary for these numbers of instances."""
    return is_grouped or n < FEW_CASES


def _error_never_seen(clustering: Clusters) -> float:
    """Return the contribution of a pseudo-instance and its cluster to the standard error over all strata."""
    n = clustering.n_instances.astype(np.float64)
    squares = np.array([(clustering.sizes[stratum] ** 2).sum() for stratum in clustering.of_stratum()])
    return math.sqrt(float((clustering.weights**2 * squares / n**3).mean()))


class ShiftedScores:
    """Scores of two classifiers on the same datasets or folds, and the test that compares these scores."""

    def __init__(self, x: FloatArray, y: FloatArray, test: str, tie_tolerance: float, **choices: Any) -> None:
        """Store the scores, and validate the options of the corrected t-test and of the permutation test."""
        self.test, self.n = test, x.shape[-1]
        self._x, self._y, self._tie_tolerance, self._choices = x, y, tie_tolerance, choices
        self.difference = self._estimate()

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the scores of x against the shifted scores of y."""
        result = self._tested(shift, alternative)
        all_equal = np.asarray(result.statistic) == 0
        if self.test in ("paired-t", "corrected-t"):
            constant = np.asarray(result.standard_error) == 0
            reason = reasons(
                constant.shape, (constant & all_equal, ALL_AT_THE_MARGIN), (constant, CONSTANT_IN_EVERY_PAIR)
            )
        else:
            none_left = np.array([text is not None for text in np.ravel(np.asarray(result.reason, dtype=object))])
            reason = reasons(all_equal.shape, (none_left.reshape(all_equal.shape), ALL_AT_THE_MARGIN))
        drawn = getattr(result, "n_resamples", None), getattr(result, "seed", None)
        return OneSided(result.statistic, result.pvalue, result.method, reason, *drawn)

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits for the difference: at alpha, the test does not reject the shifts between the limits."""
        if self.test == "sign":
            return self._of_each(_sign_limit, alpha)
        if self.test == "wilcoxon":
            return self._of_each(self._signed_rank_limit, alpha)
        above, below = (self._tested(0.0, side).confidence_interval(1 - alpha) for side in ("greater", "less"))
        return above.low, below.high

    def _tested(self, shift: float, alternative: str) -> Any:
        options = {"alternative": alternative, "tie_tolerance": self._tie_tolerance, **self._choices}
        result: HypothesisTestResult = SHIFTED[self.test](self._x, self._y + shift, **options)
        return result

    def _estimate(self) -> Any:
        if self.test == "wilcoxon":
            return wilcoxon_test(
                self._x, self._y, zero_method="pratt", method="asymptotic", tie_tolerance=self._tie_tolerance
            ).hodges_lehmann
        if self.test == "sign":
            return np.median(differences(self._x, self._y, self._tie_tolerance), axis=-1)
        result = self._tested(0.0, "greater")
        return result.statistic if self.test.endswith("permutation") else result.mean_difference

    def _of_each(
        self, lower_limit: Callable[[FloatArray, float], float], alpha: float
    ) -> tuple[FloatArray, FloatArray]:
        d = np.sort(differences(self._x, self._y, self._tie_tolerance), axis=-1)
        low, high = np.empty(d.shape[:-1]), np.empty(d.shape[:-1])
        for at in np.ndindex(low.shape):
            # an upper limit of x - y is a lower limit of y - x
            low[at], high[at] = lower_limit(d[at], alpha), -lower_limit(-d[at][::-1], alpha)
        return low, high

    def _signed_rank_limit(self, d: FloatArray, alpha: float) -> float:
        """Return the Walsh average up to which all shifts of the sorted differences are rejected.

        As a function of the shift, the p-value is constant between two adjacent averages, and increases at each
        average.
        """

        def rejects(shift: float) -> bool:
            test = wilcoxon_test(d, np.full(d.shape, shift), alternative="greater", tie_tolerance=self._tie_tolerance)
            return bool(test.pvalue <= alpha)

        if not rejects(d[0] - 1 - abs(d[0])):
            return -np.inf
        if d.size > SORTED_UP_TO:
            low, high = float(d[0]), float(d[-1])
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                low, high = (middle, high) if rejects(middle) else (low, middle)
            return low
        averages = np.unique(rounded(np.add.outer(d / 2, d / 2)[np.triu_indices(d.size)], self._tie_tolerance))
        first, last = 0, averages.size - 1  # the limit is one of these averages
        while first < last:
            middle = (first + last) // 2
            if rejects(averages[middle] / 2 + averages[middle + 1] / 2):
                first = middle + 1
            else:
                last = middle
        return float(averages[first])


def _sign_limit(d: FloatArray, alpha: float) -> float:
    """Return the limit of the sign test: shifts below this sorted difference are rejected."""
    n_below = np.arange(d.size)
    n_rejected = int(np.count_nonzero(binomial_left_tail(n_below, np.full(d.size, d.size)) <= alpha))
    return float(d[n_rejected - 1]) if n_rejected else -np.inf
