"""Noninferiority and equivalence tests of two classifiers over datasets or folds."""

from __future__ import annotations

__all__ = [
    "ClusteredDifference",
    "ShiftedScores",
    "equivalence_test",
    "expecting_another_cluster",
    "expects_another_cluster",
    "noninferiority_test",
]

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._declarations import CONFIDENCE_LEVELS, OF_SIZES, Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, rounded
from evalstats._result import HypothesisTestResult, reasons
from evalstats._types import AnyArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.binomial import binomial_left_tail
from evalstats.distributions.signed_rank import SORTED_UP_TO
from evalstats.distributions.unseen_clusters import ClusterLeads
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.paired.clustered import CONSTANT_DIFFERENCE, SINGLE_GROUP, clustered_permutation_test, clustered_ttest
from evalstats.paired.noninferiority_results import (
    EquivalenceTestResult,
    MarginProblem,
    NoninferiorityTestResult,
    OneSided,
    equivalence,
    noninferiority,
    understand_margin,
)
from evalstats.paired.permutation import permutation_test
from evalstats.paired.sign import sign_test
from evalstats.paired.ttest import corrected_ttest, in_units_of, paired_ttest
from evalstats.paired.wilcoxon import wilcoxon_test

CLUSTERED = ("clustered-t", "clustered-permutation")
AT_THE_MARGIN = "the mean difference equals the margin exactly in every cluster, so there is nothing to test"
# of fewer cases without clusters the variance is as uncertain as that of clusters
FEW_CASES = 20
SHIFTED: dict[str, Callable[..., Any]] = {
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "permutation": permutation_test,
    "paired-t": paired_ttest,
    "corrected-t": corrected_ttest,
    "clustered-permutation": clustered_permutation_test,
}
TESTS = (*SHIFTED, "clustered-t")
# halvings of the range of many differences: what is left is less than they are rounded to
HALVINGS = 50
ALL_AT_THE_MARGIN = "every difference equals the margin exactly, so there is nothing to test"
CONSTANT_IN_EVERY_PAIR = (
    "x and y differ by the same amount in every pair, so the differences have no variance and the t distribution "
    "does not apply; use a rank test, for example test='wilcoxon'"
)


def noninferiority_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    margin: float,
    test: str = "wilcoxon",
    greater_is_better: bool = True,
    n_train: float | None = None,
    n_test: float | None = None,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    average: str = "micro",
    n_resamples: int = 9999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> NoninferiorityTestResult:
    """Test whether x is noninferior to y.

    The null hypothesis is that x is worse than y by the margin or more. Use the test if a candidate x, such as a
    cheaper classifier, may replace a baseline y. A large p-value of a test of equality does not show noninferiority.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of the candidate and of the baseline on the same n datasets or folds. Leading axes are a batch and
        broadcast.
    margin : float
        Largest acceptable loss, above 0, in the unit of the scores, and chosen before they are seen. 0.01 is one
        percentage point if the scores are proportions, and 1 is one percentage point if they are percentages.
    test : str, default: 'wilcoxon'
        The test that is shifted by the margin. ``'wilcoxon'``: test of the center of symmetric differences; ``'sign'``:
        of their median; ``'permutation'``: of the mean of symmetric differences; ``'paired-t'``: of the mean of normal
        differences; ``'corrected-t'``: over the folds of a cross-validation; ``'clustered-t'`` and
        ``'clustered-permutation'``: of the mean over correlated instances, such as questions on one passage.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    n_train, n_test : float, optional
        Numbers of instances in the training set and in the test set of a fold, for ``'corrected-t'``: see
        `corrected_ttest`.
    clusters, strata, average
        As in `clustered_ttest`, for ``'clustered-t'`` and ``'clustered-permutation'``.
    n_resamples : int, default: 9999
        Number of random sign assignments of the permutation tests, if there are too many to enumerate.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so the same call gives the same result; an integer is the
        seed; a Generator is used directly.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are the same; 0 compares bits.

    Returns
    -------
    NoninferiorityTestResult
        The statistic and the one-sided p-value; also the difference, `confidence_interval` and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin is not above 0, or is 1 or more while all scores are between 0 and 1; if x and y are not paired or
        contain nan or infinity; or if an option is unknown or not supported by this test.

    See Also
    --------
    accuracy_noninferiority_test, auc_noninferiority_test, metric_noninferiority_test : on the cases of one test set.

    Notes
    -----
    The test compares x with y - margin, or with y + margin if smaller is better. Differences that equal the margin
    exactly are ties.

    References
    ----------
    Wellek, S. (2010). Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd ed. Chapman & Hall/CRC,
    chapters 2 and 5.

    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Examples
    --------
    Accuracies of a pruned network and of the full network on ten datasets; a loss of one point is acceptable.

    >>> from evalstats import noninferiority_test
    >>> pruned = [0.812, 0.845, 0.790, 0.903, 0.851, 0.772, 0.930, 0.884, 0.660, 0.721]
    >>> full = [0.815, 0.842, 0.795, 0.901, 0.853, 0.777, 0.931, 0.881, 0.664, 0.722]
    >>> result = noninferiority_test(pruned, full, margin=0.01)
    >>> print(f"p = {result.pvalue:.4f}, shown from a margin of {result.smallest_margin():.4f} on")
    p = 0.0010, shown from a margin of 0.0035 on
    """
    clustering = {"clusters": clusters, "strata": strata, "average": average}
    problem, margin = _understand(x, y, margin, test, tie_tolerance, n_train, n_test, clustering, n_resamples, rng)
    return noninferiority(problem, margin, _checks.boolean(greater_is_better, "greater_is_better"))


def equivalence_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    margin: float,
    test: str = "wilcoxon",
    n_train: float | None = None,
    n_test: float | None = None,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    average: str = "micro",
    n_resamples: int = 9999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> EquivalenceTestResult:
    """Test whether two classifiers are equivalent.

    The null hypothesis is that the two classifiers differ by the margin or more. Two one-sided tests (TOST) test that x
    is not worse than y by the margin or more, and not better by the margin or more. A large p-value of a test of
    equality does not show equivalence.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n datasets or folds. Leading axes are a batch and broadcast.
    margin : float
        Smallest relevant difference, above 0, in the unit of the scores, and chosen before they are seen.
    test, n_train, n_test, clusters, strata, average, n_resamples, tie_tolerance
        As in `noninferiority_test`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so the same call gives the same result; an integer is the
        seed; a Generator is used directly.

    Returns
    -------
    EquivalenceTestResult
        The larger of the two p-values with its statistic; also both p-values, the difference, `confidence_interval` (of
        level 1 - 2 alpha) and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        For the same reasons as `noninferiority_test`.

    See Also
    --------
    accuracy_equivalence_test, auc_equivalence_test, metric_equivalence_test : on the cases of one test set.

    References
    ----------
    Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    Wellek, S. (2010). Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd ed. Chapman & Hall/CRC,
    chapter 5.

    Examples
    --------
    >>> from evalstats import equivalence_test
    >>> new = [0.812, 0.845, 0.790, 0.903, 0.851, 0.772, 0.930, 0.884, 0.660, 0.721]
    >>> old = [0.815, 0.842, 0.795, 0.901, 0.853, 0.777, 0.931, 0.881, 0.664, 0.722]
    >>> result = equivalence_test(new, old, margin=0.01, test="paired-t")
    >>> low, high = result.confidence_interval(0.90)
    >>> print(f"p = {result.pvalue:.6f}, from {low:.4f} to {high:.4f}")
    p = 0.000005, from -0.0031 to 0.0005
    """
    clustering = {"clusters": clusters, "strata": strata, "average": average}
    problem, margin = _understand(x, y, margin, test, tie_tolerance, n_train, n_test, clustering, n_resamples, rng)
    return equivalence(problem, margin)


DECLARATIONS = (
    Declaration(
        function=noninferiority_test,
        data=Data.PAIRS,
        example={"margin": 0.1},
        excused=OF_SIZES
        | {"smaller is better": ("greater_is_better reverses its alternative and the sign of its difference")},
        inputs={
            "x, y, margin, test": Draw("pairs_on_a_margin"),
            "confidence_level": CONFIDENCE_LEVELS,
            "greater_is_better": (True, False),
        },
        sentence="Test of noninferiority, {margin_test}",
    ),
    Declaration(
        function=equivalence_test,
        data=Data.PAIRS,
        example={"margin": 0.1},
        excused=OF_SIZES,
        inputs={"x, y, margin, test": Draw("pairs_on_a_margin"), "confidence_level": CONFIDENCE_LEVELS},
        sentence="Test of equivalence (two one-sided tests), {margin_test}",
    ),
)


def _understand(
    x: Any,
    y: Any,
    margin: Any,
    test: Any,
    tie_tolerance: Any,
    n_train: Any,
    n_test: Any,
    clustering: dict[str, Any],
    n_resamples: Any,
    rng: Any,
) -> tuple[MarginProblem, float]:
    test = _checks.choice(test, "test", TESTS)
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    a, b = _checks.paired(x, y, minimum=2 if test.endswith("-t") else 1)
    are_shares = min(a.min(), b.min()) >= 0 and max(a.max(), b.max()) <= 1
    margin = understand_margin(margin, are_shares=bool(are_shares))
    _checks.moderate(abs(b) + margin, "y and margin")
    n_resamples = _checks.count(n_resamples, "n_resamples")
    _checks.random_source(rng)
    choices: dict[str, Any] = {}
    if test == "permutation":
        choices = {"n_resamples": n_resamples, "rng": rng}
    elif test == "corrected-t":
        if n_train is None or n_test is None:
            raise InvalidValueError(
                "test='corrected-t' needs n_train and n_test, the sizes of a training and a test set"
            )
        choices = {"n_train": n_train, "n_test": n_test}
    if test != "corrected-t" and (n_train is not None or n_test is not None):
        raise InvalidValueError(f"n_train and n_test are of test='corrected-t', not of test={test!r}")
    if test not in CLUSTERED:
        if given := [name for name in ("clusters", "strata") if clustering[name] is not None]:
            raise InvalidValueError(
                f"{given[0]} is of test='clustered-t' or 'clustered-permutation', not of test={test!r}"
            )
        return ShiftedScores(a, b, test, tie_tolerance, **choices), margin
    # its labels are those of x and y as they were given
    found = clustered_ttest(x, y, tie_tolerance=tie_tolerance, **clustering)
    if test == "clustered-t":
        return ClusteredDifference(found.mean_difference, found.standard_error, found.df, found.n_instances), margin
    return ShiftedScores(a, b, test, tie_tolerance, **clustering, n_resamples=n_resamples, rng=rng), margin


class ClusteredDifference:
    """Mean difference with its cluster-robust standard error, as in `clustered_ttest`, for any shift."""

    test = "clustered-t"

    def __init__(
        self, difference: Any, standard_error: Any, df: Any, n: int, leads: ClusterLeads | None = None
    ) -> None:
        """Store one difference or a batch; the standard error is nan if a stratum has a single cluster."""
        self.difference, self.n, self.leads = difference, n, leads
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
        """Return the limits of the difference: t does not reject the shifts between them at alpha."""
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

    If almost no instance differs, or if a few clusters are large, a pseudo-instance whose whole cluster agrees with it
    is added to the variance, as in the score test of accuracies in clusters. It differs by 1 if the scores are
    proportions, and otherwise by the largest observed difference.
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
    """Sum the differences of instances, which are at most `largest`, by clusters, also of several strata."""
    of_case = np.repeat(clustering.weights / clustering.n_instances, clustering.n_clusters)
    return ClusterLeads(of_case * clustering.sizes, of_case * clustering.sums(differences), largest)


def expects_another_cluster(n: int, *, is_grouped: bool) -> bool:
    """Return whether a pseudo-cluster is necessary for these numbers of instances."""
    return is_grouped or n < FEW_CASES


def _error_never_seen(clustering: Clusters) -> float:
    """Return the contribution of a pseudo-instance with its whole cluster to the standard error, over all strata."""
    n = clustering.n_instances.astype(np.float64)
    squares = np.array([(clustering.sizes[stratum] ** 2).sum() for stratum in clustering.of_stratum()])
    return math.sqrt(float((clustering.weights**2 * squares / n**3).mean()))


class ShiftedScores:
    """Scores of two classifiers on the same datasets or folds, and the test that compares them."""

    def __init__(self, x: FloatArray, y: FloatArray, test: str, tie_tolerance: float, **choices: Any) -> None:
        """Validate the options too: sizes of a corrected t-test, resamples and clusters of a permutation test."""
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
        """Return the limits of the difference: the test does not reject the shifts between them at alpha."""
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
            # what is above x - y is below y - x
            low[at], high[at] = lower_limit(d[at], alpha), -lower_limit(-d[at][::-1], alpha)
        return low, high

    def _signed_rank_limit(self, d: FloatArray, alpha: float) -> float:
        """Return the Walsh average up to which all shifts of the sorted differences are rejected.

        Between two adjacent averages, p is constant, and it increases from one to the next.
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
        first, last = 0, averages.size - 1  # the limit is one of these
        while first < last:
            middle = (first + last) // 2
            if rejects(averages[middle] / 2 + averages[middle + 1] / 2):
                first = middle + 1
            else:
                last = middle
        return float(averages[first])


def _sign_limit(d: FloatArray, alpha: float) -> float:
    """Return the limit below which all shifts are rejected, by the number of sorted differences below it."""
    n_below = np.arange(d.size)
    n_rejected = int(np.count_nonzero(binomial_left_tail(n_below, np.full(d.size, d.size)) <= alpha))
    return float(d[n_rejected - 1]) if n_rejected else -np.inf
