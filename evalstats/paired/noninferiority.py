"""Noninferiority and equivalence tests of two classifiers, for every type of score."""

from __future__ import annotations

__all__ = [
    "ClusteredMetricDifference",
    "MetricMargin",
    "difference_in_clusters",
    "equivalence_test",
    "noninferiority_test",
]

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import CONFIDENCE_LEVELS, OF_SIZES, ONE_PROBLEM, Data, Declaration, Draw
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.metrics.cluster_variance import degrees_of_freedom, numbered
from evalstats.paired.accuracy_noninferiority import accuracies
from evalstats.paired.auc_noninferiority import areas
from evalstats.paired.clustered import SINGLE_GROUP
from evalstats.paired.metric_bootstrap import MetricBootstrapTestResult, metric_bootstrap_test, pvalue_of_shift
from evalstats.paired.metric_permutation import ROUNDING
from evalstats.paired.metric_resampling import differences_without_each, understand_scored_pair
from evalstats.paired.noninferiority_results import (
    AtMargin,
    EquivalenceTestResult,
    NoninferiorityTestResult,
    OneSided,
    equivalence,
    noninferiority,
    understand_margin,
)
from evalstats.paired.shifted_scores import ClusteredDifference, scores

NO_SPREAD = "every replicate has the same difference, so the bootstrap cannot estimate the uncertainty"
UNDEFINED = "if one of the clusters is left out, the metric is undefined, so the variance between clusters is unknown"


class MetricMargin:
    """Two classifiers, a metric, and the bootstrap replicates of their difference."""

    def __init__(self, result: MetricBootstrapTestResult) -> None:
        """Store the bootstrap result, which does not depend on the alternative."""
        self._of_side = {side: replace(result, alternative=side) for side in ("greater", "less")}
        self.test, self.n, self.difference = result.metric, result.n_instances, result.difference
        self.scores = result.score_x, result.score_y

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the null hypothesis that the difference between the scores is the shift, by the replicates beyond it."""
        result = self._of_side[alternative]
        pvalue = pvalue_of_shift(result, shift, alternative)
        reason = NO_SPREAD if math.isnan(pvalue) and result.reason is None else result.reason
        return OneSided(result.difference - shift, pvalue, result.method, reason, result.n_resamples, result.seed)

    def limits(self, alpha: float) -> tuple[float, float]:
        """Return the limits by the method of the bootstrap, or nan if the replicates do not vary."""
        above, below = (self._of_side[side].confidence_interval(1 - alpha) for side in ("greater", "less"))
        return above.low, below.high


class ClusteredMetricDifference(ClusteredDifference):
    """Difference between two classifiers in any metric, with its jackknife standard error, and both scores."""

    def __init__(self, scores: tuple[float, float], standard_error: float, df: Any, n: int, unknown: str) -> None:
        """Store the scores; if there is a reason `unknown`, the standard error is nan."""
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
    """Return the difference between the scores of x and y, with the standard error of the delete-one-cluster jackknife.

    The deviations of the jackknife are computed from the difference itself. For accuracy, the standard error and the
    degrees of freedom of t then equal the values of `clustered_ttest` (Bell & McCaffrey 2002). A bootstrap of few
    clusters would lead to intervals that are too short.
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


def by_metric(
    x: Any,
    y: Any,
    *,
    margin: Any,
    y_true: Any = None,
    metric: Any = "f1",
    greater_is_better: bool | None = None,
    **choices: Any,
) -> AtMargin:
    """Compare two classifiers in any metric, with the options of `metric_bootstrap_test`."""
    from evalstats.metrics import METRICS

    understand_margin(margin, are_shares=False)
    if greater_is_better is not None:
        greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    problem = MetricMargin(metric_bootstrap_test(y_true, x, y, metric=metric, **choices))
    record = METRICS[metric] if isinstance(metric, str) else None
    if record is not None and greater_is_better is not None and greater_is_better != record.greater_is_better:
        raise InvalidValueError(f"greater_is_better must be {record.greater_is_better} for {metric}, or be omitted")
    direction = record.greater_is_better if record is not None else greater_is_better is not False
    margin = understand_margin(margin, are_shares=record is not None and record.range[1] <= 1)
    return AtMargin(problem, margin, direction)


class Problem(NamedTuple):
    """A test that can be shifted by a margin: the function that compares the data, and the options of the test."""

    compares: Callable[..., AtMargin]
    takes: tuple[str, ...]


DRAWS = ("n_resamples", "rng")
OF_SCORES = ("test", "tie_tolerance", "greater_is_better")
OF_CLUSTERS = ("clusters", "strata", "average")
BY_METRIC = ("y_true", "metric", "method", "pos_label", "stratified", "undefined")
PROBLEMS = {
    "wilcoxon": Problem(scores, OF_SCORES),
    "sign": Problem(scores, OF_SCORES),
    "permutation": Problem(scores, (*OF_SCORES, *DRAWS)),
    "paired-t": Problem(scores, OF_SCORES),
    "corrected-t": Problem(scores, (*OF_SCORES, "n_train", "n_test")),
    "clustered-permutation": Problem(scores, (*OF_SCORES, *OF_CLUSTERS, *DRAWS)),
    "clustered-t": Problem(scores, (*OF_SCORES, *OF_CLUSTERS)),
    "accuracy": Problem(accuracies, ("counts", "method", "clusters")),
    "auc": Problem(areas, ("y_true", "method", "pos_label")),
    "metric": Problem(by_metric, (*BY_METRIC, "greater_is_better", "average", "clusters", *DRAWS)),
}
# options that the other tests ignore
COMMON = ("test", "tie_tolerance", *DRAWS)


def noninferiority_test(
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    margin: float,
    test: str = "wilcoxon",
    y_true: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    method: str | None = None,
    metric: str | Callable[..., Any] | None = None,
    greater_is_better: bool | None = None,
    pos_label: Any = None,
    n_train: float | None = None,
    n_test: float | None = None,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    stratified: bool | None = None,
    average: str | None = None,
    undefined: str | None = None,
    n_resamples: int = 9999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    **choices: Any,
) -> NoninferiorityTestResult:
    """Test whether x is noninferior to y.

    The null hypothesis is that x is worse than y by at least the margin. Use the test if a candidate x, such as a
    cheaper classifier, may replace a baseline y. A large p-value of a test of equality does not show noninferiority.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of the candidate and the baseline on the same n datasets, folds or instances. For ``'accuracy'``: whether
        each prediction is correct (True or False, or 1 or 0). For ``'auc'``: scores of the positive class. For
        ``'metric'``: predictions. Leading axes are batch dimensions and broadcast, except with ``'metric'`` and with
        clusters.
    margin : float
        Largest acceptable loss, above 0, in the unit of the scores. Choose the margin before you see the scores. One
        percentage point is the margin 0.01 if the scores are proportions, and 1 if the scores are percentages.
    test : str, default: 'wilcoxon'
        The test that is shifted by the margin. It determines the compared quantity. The following tests compare scores.
        ``'wilcoxon'``: the center of symmetric differences. ``'sign'``: the median of the differences.
        ``'permutation'``: the mean of symmetric differences. ``'paired-t'``: the mean of normal differences.
        ``'corrected-t'``: the mean over the folds of a cross-validation. ``'clustered-t'`` and
        ``'clustered-permutation'``: the mean over correlated instances, such as questions on one passage. The following
        tests compare results on one test set. ``'accuracy'``: the accuracy. ``'auc'``: the area under the ROC curve,
        for independent instances. ``'metric'``: any metric, by the bootstrap.
    y_true : array_like of shape (..., n), optional
        True labels of the instances, for ``'auc'`` (of two classes) and ``'metric'``.
    counts : array_like of int, of shape (..., 2, 2), optional
        For ``'accuracy'``, instead of `x` and `y`: numbers of instances ``[[both correct, only x], [only y,
        neither]]``. Leading axes are batch dimensions.
    method : str, optional
        For ``'accuracy'``: ``'score'`` (default) is Tango's score test with the normal distribution. ``'exact'``
        maximizes the p-value of Tango's statistic over the probability of discordant instances. This method controls
        the type-I error rate, and supports up to 2000 instances. ``'newcombe'`` is the test that corresponds to
        Newcombe's interval. For ``'auc'``: ``'t'`` (default) is also suitable for few instances and rare positive
        instances (see Notes). ``'normal'`` is the test of Liu et al., which needs some hundreds of instances of each
        class. For ``'metric'``: ``'bca'`` (default), ``'percentile'`` or ``'basic'``, as in `metric_bootstrap_test`.
    metric : str or callable, optional
        For ``'metric'``: a name in `evalstats.metrics.METRICS`, or a function of true labels and predictions that
        returns a number. Default: ``'f1'``.
    greater_is_better : bool, optional
        False for losses and error rates, where a smaller score is better. Default: True or, with ``'metric'``, the
        direction in `evalstats.metrics.METRICS`.
    pos_label : label, optional
        The positive class, for ``'auc'`` and ``'metric'``. Default: the greater of two labels.
    n_train, n_test : float, optional
        Numbers of instances in the training set and in the test set of a fold, for ``'corrected-t'``: see
        `corrected_ttest`.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, if several instances are correlated: names or numbers, in any order. The tests
        ``'clustered-t'``, ``'clustered-permutation'``, ``'metric'``, and ``'accuracy'`` with the method ``'score'``
        support clusters. For ``'accuracy'``, z is divided by the square root of the design effect and compared with
        Student's distribution. The degrees of freedom are the number of clusters minus one, and fewer if the sizes of
        the clusters differ.
    strata, average
        As in `clustered_ttest`, for ``'clustered-t'`` and ``'clustered-permutation'``. `average` is also an option of
        some metrics.
    stratified, undefined
        As in `metric_bootstrap_test`, for ``'metric'``.
    n_resamples : int, default: 9999
        Number of bootstrap replicates of ``'metric'``, or of random sign assignments of the permutation tests if there
        are too many assignments to enumerate.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.
    **choices
        Options of the metric, such as ``beta=2``.

    Returns
    -------
    NoninferiorityTestResult
        The statistic and the one-sided p-value. The result also contains the difference, `confidence_interval` and
        `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin is not above 0, or is 1 or more although all scores are between 0 and 1. If x and y are not
        paired, or contain nan or infinity. If an option is unknown, or the test does not support it.

    Notes
    -----
    For scores, the test compares x with y - margin, or with y + margin if smaller is better. A difference x - y at the
    margin is a tie.

    For accuracies, let b be the number of instances that only x classifies correctly, and c the number that only y
    classifies correctly. Then z is (b - c + n margin) divided by its standard deviation. The standard deviation is
    computed at the maximum-likelihood estimate under the constraint that the difference is -margin. This z is also
    defined for two classifiers that are correct on the same instances.

    For areas, the statistic is their difference plus the margin, divided by its standard error. With DeLong's standard
    error and the normal distribution, the type-I error rate at the margin is up to 22% instead of 5%. The highest rate
    occurs with 40 instances and areas near 1. The reason is that a small sample rarely contains rare losses. Therefore,
    ``'t'`` adds a pseudo-instance of weight 0.6 to each class, whose difference between x and y is the largest possible
    difference. The degrees of freedom of t are Satterthwaite's. If the difference is skewed toward losses of x, its
    skewness is removed from t by the transformation of Hall (1992), which makes p larger. In simulations with 20 to
    1000 instances, the type-I error rate of this test at the 5% level is at most 5.3%. With ten or fewer positive
    instances, the rate is far below 5%, and the test has little power. With a single instance of a class, p is nan, and
    `reason` states the cause.

    For other metrics, the p-value is the smallest alpha for which the one-sided interval with confidence level 1 -
    alpha excludes the margin. This test is valid only for large samples. In simulations, the difference in F1 equals
    the margin, and the level is 0.05. The test rejects in 8% to 9% of samples of 20 instances, and in 6% to 7% of
    samples of 40 instances. For samples of 60 or more instances, the rate is 5% to 6%. If x and y have the same
    prediction for every instance, the replicates do not vary, p is nan, and `reason` states the cause.

    References
    ----------
    Wellek, S. (2010). Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd ed. Chapman & Hall/CRC,
    chapters 2, 3 and 5.

    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.

    Hsueh, H.-M., Liu, J.-P. & Chen, J. J. (2001). Unconditional exact tests for equivalence or noninferiority for
    paired binary endpoints. Biometrics 57, 478-483.

    Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial proportions based on
    paired data. Statistics in Medicine 17, 2635-2650, method 10.

    Rao, J. N. K. & Scott, A. J. (1992). A simple method for the analysis of clustered binary data. Biometrics 48,
    577-585.

    Liu, J.-P., Ma, M.-C., Wu, C.-y. & Tai, J.-Y. (2006). Tests of equivalence and non-inferiority for diagnostic
    accuracy based on the paired areas under ROC curves. Statistics in Medicine 25, 1219-1238.

    Hall, P. (1992). On the removal of skewness by transformation. Journal of the Royal Statistical Society B 54,
    221-228.

    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.

    Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82,
    171-185.

    Examples
    --------
    Accuracies of a pruned network and of the full network on ten datasets; a loss of one percentage point is
    acceptable.

    >>> from evalstats import noninferiority_test
    >>> pruned = [0.812, 0.845, 0.790, 0.903, 0.851, 0.772, 0.930, 0.884, 0.660, 0.721]
    >>> full = [0.815, 0.842, 0.795, 0.901, 0.853, 0.777, 0.931, 0.881, 0.664, 0.722]
    >>> result = noninferiority_test(pruned, full, margin=0.01)
    >>> print(f"p = {result.pvalue:.4f}, shown from a margin of {result.smallest_margin():.4f} on")
    p = 0.0010, shown from a margin of 0.0035 on

    Of 400 answers, four are correct only for the baseline, and three are correct only for a smaller model.

    >>> result = noninferiority_test(counts=[[350, 3], [4, 43]], margin=0.02, test="accuracy")
    >>> print(f"{result.difference:.4f}, p = {result.pvalue:.4f}")
    -0.0025, p = 0.0197

    Noninferiority in AUC and in F1:

    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> x, y = [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8]
    >>> result = noninferiority_test(x, y, y_true=y_true, margin=0.3, test="auc")
    >>> print(f"t = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    t = 1.007, p = 0.178
    >>> y_true = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0] * 40
    >>> x = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1] * 40
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 1] * 39 + y_true[:10]
    >>> result = noninferiority_test(x, y, y_true=y_true, margin=0.05, test="metric", metric="f1")
    >>> print(f"{result.difference:.4f}, p = {result.pvalue:.3f}")
    -0.0050, p = 0.040
    """
    return noninferiority(*_at_margin("noninferiority_test", **locals()))


def equivalence_test(
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    margin: float,
    test: str = "wilcoxon",
    y_true: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    method: str | None = None,
    metric: str | Callable[..., Any] | None = None,
    pos_label: Any = None,
    n_train: float | None = None,
    n_test: float | None = None,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    stratified: bool | None = None,
    average: str | None = None,
    undefined: str | None = None,
    n_resamples: int = 9999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    **choices: Any,
) -> EquivalenceTestResult:
    """Test whether two classifiers are equivalent.

    The null hypothesis is that the two classifiers differ by at least the margin. Rejection by both of two one-sided
    tests (TOST) is evidence that x is neither worse nor better than y by the margin or more. A large p-value of a test
    of equality does not show equivalence.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Two classifiers on the same n datasets, folds or instances, as in `noninferiority_test`.
    margin : float
        Smallest relevant difference, above 0, in the unit of the scores. Choose the margin before you see the scores.
    test, y_true, counts, method, metric, pos_label, n_train, n_test, clusters, strata, stratified, average, undefined
        As in `noninferiority_test`.
    n_resamples, tie_tolerance
        As in `noninferiority_test`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    **choices
        Options of the metric, such as ``beta=2``.

    Returns
    -------
    EquivalenceTestResult
        The larger of the two p-values with its statistic. The result also contains both p-values, the difference,
        `confidence_interval` (of level 1 - 2 alpha) and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        As in `noninferiority_test`.

    References
    ----------
    Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    Wellek, S. (2010). Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd ed. Chapman & Hall/CRC,
    chapter 5.

    Liu, J.-P., Hsueh, H.-M., Hsieh, E. & Chen, J. J. (2002). Tests for equivalence or non-inferiority for paired binary
    data. Statistics in Medicine 21, 231-245.

    Hall, P. (1992). On the removal of skewness by transformation. Journal of the Royal Statistical Society B 54,
    221-228.

    Examples
    --------
    >>> from evalstats import equivalence_test
    >>> new = [0.812, 0.845, 0.790, 0.903, 0.851, 0.772, 0.930, 0.884, 0.660, 0.721]
    >>> old = [0.815, 0.842, 0.795, 0.901, 0.853, 0.777, 0.931, 0.881, 0.664, 0.722]
    >>> result = equivalence_test(new, old, margin=0.01, test="paired-t")
    >>> low, high = result.confidence_interval(0.90)
    >>> print(f"p = {result.pvalue:.6f}, from {low:.4f} to {high:.4f}")
    p = 0.000005, from -0.0031 to 0.0005

    Two accuracies on one test set:

    >>> result = equivalence_test(counts=[[350, 3], [4, 43]], margin=0.02, test="accuracy")
    >>> print(f"{result.pvalue_low:.4f} {result.pvalue_high:.4f}")
    0.0197 0.0054
    """
    problem, margin, _ = _at_margin("equivalence_test", **locals())
    return equivalence(problem, margin)


def _at_margin(
    function: str, *, x: Any, y: Any, margin: Any, test: Any, choices: dict[str, Any], **options: Any
) -> AtMargin:
    """Return the problem for a test with its options, or raise an error for an option of a different test."""
    test = _checks.choice(test, "test", tuple(PROBLEMS))
    problem = PROBLEMS[test]
    options["n_resamples"] = _checks.count(options["n_resamples"], "n_resamples")
    _checks.random_source(options["rng"])
    given = {"test": test, **{name: value for name, value in options.items() if value is not None}}
    for name in given:
        if name not in (*problem.takes, *COMMON):
            of = " or ".join(repr(other) for other, one in PROBLEMS.items() if name in one.takes)
            raise InvalidValueError(f"{name} is an option of test={of}, not of test={test!r}")
    if choices and test != "metric":
        raise InvalidTypeError(
            f"{function} has no option {next(iter(choices))!r}; options of a metric need test='metric'"
        )
    return problem.compares(x, y, margin=margin, **{n: v for n, v in given.items() if n in problem.takes}, **choices)


MARGINS = {"margin": 0.1}
OF_INSTANCES = {"margin": 0.2}
DRAWN_SCORES = {"x, y, margin, test": Draw("pairs_on_a_margin"), "confidence_level": CONFIDENCE_LEVELS}
# form, data, further arguments of an example, excused invariants, generated inputs for R, and the module with its cases
FORMS: tuple[tuple[str, Data, dict[str, str], dict[str, str], dict[str, Any], str], ...] = (
    ("accuracy", Data.ANSWERS, {"test": "accuracy"}, ONE_PROBLEM,
     {"x, y, groups": Draw("answers_in_groups"), "margin": (0.02, 0.1, 0.3), "test": ("accuracy",)},
     "accuracy_noninferiority"),
    ("counts", Data.COUNTS, {"test": "accuracy"}, {},
     {"counts, margin, method": Draw("counts_and_margin"), "confidence_level": (0.8, 0.9, 0.95), "test": ("accuracy",)},
     "accuracy_noninferiority"),
    ("auc", Data.CLASS_SCORES, {"test": "auc"}, {},
     {"y_true, x, y": Draw("two_rankings"), "margin": (0.01, 0.1, 0.5), "method": ("normal",), "test": ("auc",),
      "confidence_level": CONFIDENCE_LEVELS}, "auc_noninferiority"),
    ("metric", Data.PREDICTED_LABELS, {"test": "metric"}, ONE_PROBLEM, {}, ""),
)  # fmt: skip
DECLARATIONS = (
    Declaration(
        function=noninferiority_test,
        data=Data.PAIRS,
        example=MARGINS,
        excused=OF_SIZES
        | {"smaller is better": ("greater_is_better reverses its alternative and the sign of its difference")},
        inputs={**DRAWN_SCORES, "greater_is_better": (True, False)},
        sentence="Test of noninferiority, {margin_test}",
    ),
    Declaration(
        function=equivalence_test,
        data=Data.PAIRS,
        example=MARGINS,
        excused=OF_SIZES,
        inputs=DRAWN_SCORES,
        sentence="Test of equivalence (two one-sided tests), {margin_test}",
    ),
    *(
        Declaration(
            function=function,
            form=form,
            data=data,
            example=OF_INSTANCES | example,
            excused=excused,
            inputs=inputs,
            stem=stem,
        )
        for form, data, example, excused, inputs, stem in FORMS
        for function in (noninferiority_test, equivalence_test)
    ),
)
