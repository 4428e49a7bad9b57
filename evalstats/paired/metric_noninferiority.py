"""Noninferiority and equivalence of two classifiers by any metric on one test set."""

from __future__ import annotations

__all__ = ["MetricMargin", "metric_equivalence_test", "metric_noninferiority_test"]

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._declarations import ONE_PROBLEM, Data, Declaration
from evalstats.paired.metric_bootstrap import MetricBootstrapTestResult, metric_bootstrap_test, pvalue_of_shift
from evalstats.paired.noninferiority_results import (
    EquivalenceTestResult,
    NoninferiorityTestResult,
    OneSided,
    equivalence,
    noninferiority,
    understand_margin,
)

NO_SPREAD = "every replicate has the same difference, so the bootstrap cannot estimate its uncertainty"


class MetricMargin:
    """Two classifiers, a metric, and the bootstrap replicates of their difference."""

    def __init__(self, result: MetricBootstrapTestResult) -> None:
        """Store the result of the bootstrap for any alternative."""
        self._of_side = {side: replace(result, alternative=side) for side in ("greater", "less")}
        self.test, self.n, self.difference = result.metric, result.n_instances, result.difference
        self.scores = result.score_x, result.score_y

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that the difference of the scores is the shift, by the replicates beyond it."""
        result = self._of_side[alternative]
        pvalue = pvalue_of_shift(result, shift, alternative)
        reason = NO_SPREAD if math.isnan(pvalue) and result.reason is None else result.reason
        return OneSided(result.difference - shift, pvalue, result.method, reason, result.n_resamples, result.seed)

    def limits(self, alpha: float) -> tuple[float, float]:
        """Return the limits by the method of the bootstrap; nan if the replicates do not vary."""
        above, below = (self._of_side[side].confidence_interval(1 - alpha) for side in ("greater", "less"))
        return above.low, below.high


def metric_noninferiority_test(
    y_true: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    margin: float,
    metric: str | Callable[..., Any] = "f1",
    greater_is_better: bool | None = None,
    pos_label: Any = None,
    clusters: ArrayLike | None = None,
    stratified: bool = False,
    method: str = "bca",
    n_resamples: int = 9999,
    rng: Any = None,
    undefined: str = "nan",
    **choices: Any,
) -> NoninferiorityTestResult:
    """Test whether x is noninferior to y by any metric.

    The bootstrap resamples the instances as in `metric_bootstrap_test`. The null hypothesis is that x is worse than y
    by the margin or more in the population of instances. The p-value is valid only for large samples: for F1 at its
    margin, the test rejects at the 0.05 level in 8% to 9% of samples of 20 instances, in 6% to 7% of samples of 40, and
    in 5% to 6% of samples of 60 and more.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels.
    x, y : array_like of shape (n,)
        Predictions of the candidate and of the baseline: labels, scores or probabilities of the positive class,
        depending on the metric.
    margin : float
        Largest acceptable loss, above 0, in the unit of the metric, and chosen before the scores are seen.
    metric : str or callable, default: 'f1'
        A name in `evalstats.metrics.METRICS`, or a function of true labels and predictions that returns a number.
    greater_is_better : bool, optional
        The direction of the metric. Default: the declaration in `evalstats.metrics.METRICS`; for a function, greater is
        better.
    pos_label, clusters, stratified, undefined
        As in `metric_bootstrap_test`.
    method : {'bca', 'percentile', 'basic'}, default: 'bca'
        As in `metric_bootstrap_test`.
    n_resamples : int, default: 9999
        Number of replicates.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so the same call gives the same result; an integer is the
        seed; a Generator is used directly.
    **choices
        Options of the metric, such as ``average='macro'`` or ``beta=2``.

    Returns
    -------
    NoninferiorityTestResult
        The difference plus the margin as the statistic, and the one-sided p-value; also the difference,
        `confidence_interval` and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        If the margin is not above 0, or not below 1 for a metric between -1 and 1, or for the same reasons as
        `metric_bootstrap_test`.

    See Also
    --------
    accuracy_noninferiority_test, auc_noninferiority_test : for these two scores, faster, and right for fewer cases.

    Notes
    -----
    The p-value is the smallest alpha for which the one-sided interval of level 1 - alpha excludes the margin. If x and
    y predict the same for every instance, the replicates do not vary, p is nan, and `reason` explains why.

    References
    ----------
    Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82,
    171-185.

    Wellek, S. (2010). Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd ed. Chapman & Hall/CRC,
    section 3.2.

    Examples
    --------
    >>> from evalstats.paired import metric_noninferiority_test
    >>> y_true = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0] * 40
    >>> x = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1] * 40
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 1] * 39 + y_true[:10]
    >>> result = metric_noninferiority_test(y_true, x, y, margin=0.05, metric="f1")
    >>> print(f"{result.difference:.4f}, p = {result.pvalue:.3f}")
    -0.0050, p = 0.040
    """
    problem, margin, direction = _understand(
        y_true, x, y, margin, metric, greater_is_better,
        {"pos_label": pos_label, "clusters": clusters, "stratified": stratified, "method": method, "rng": rng,
         "n_resamples": n_resamples, "undefined": undefined, **choices},
    )  # fmt: skip
    return noninferiority(problem, margin, direction)


def metric_equivalence_test(
    y_true: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    margin: float,
    metric: str | Callable[..., Any] = "f1",
    pos_label: Any = None,
    clusters: ArrayLike | None = None,
    stratified: bool = False,
    method: str = "bca",
    n_resamples: int = 9999,
    rng: Any = None,
    undefined: str = "nan",
    **choices: Any,
) -> EquivalenceTestResult:
    """Test whether two classifiers are equivalent by any metric.

    The function computes two one-sided tests. The null hypothesis is that the scores differ by the margin or more in
    the population of instances.

    Parameters
    ----------
    y_true, x, y
        As in `metric_noninferiority_test`.
    margin : float
        Smallest relevant difference of the scores, above 0, in the unit of the metric.
    metric : str or callable, default: 'f1'
        A name in `evalstats.metrics.METRICS`, or a function of true labels and predictions that returns a number.
    pos_label, clusters, stratified, method, undefined
        As in `metric_bootstrap_test`.
    n_resamples : int, default: 9999
        Number of replicates.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so the same call gives the same result; an integer is the
        seed; a Generator is used directly.
    **choices
        Options of the metric, such as ``average='macro'`` or ``beta=2``.

    Returns
    -------
    EquivalenceTestResult
        The larger of the two p-values; also both p-values, the difference, `confidence_interval` (of level 1 - 2 alpha)
        and `smallest_margin`.

    Raises
    ------
    ValueError, TypeError
        For the same reasons as `metric_noninferiority_test`.

    References
    ----------
    Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82,
    171-185.

    Examples
    --------
    >>> from evalstats.paired import metric_equivalence_test
    >>> y_true = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0] * 40
    >>> x = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1] * 40
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 1] * 39 + y_true[:10]
    >>> low, high = metric_equivalence_test(y_true, x, y, margin=0.05, metric="f1").confidence_interval(0.90)
    >>> print(f"{low:.3f} to {high:.3f}")
    -0.047 to 0.040
    """
    problem, margin, _ = _understand(
        y_true, x, y, margin, metric, None,
        {"pos_label": pos_label, "clusters": clusters, "stratified": stratified, "method": method, "rng": rng,
         "n_resamples": n_resamples, "undefined": undefined, **choices},
    )  # fmt: skip
    return equivalence(problem, margin)


DECLARATIONS = tuple(
    Declaration(function=function, data=Data.PREDICTED_LABELS, example={"margin": 0.2}, excused=ONE_PROBLEM)
    for function in (metric_noninferiority_test, metric_equivalence_test)
)


def _understand(
    y_true: Any, x: Any, y: Any, margin: Any, metric: Any, greater_is_better: Any, choices: dict[str, Any]
) -> tuple[MetricMargin, float, bool]:
    from evalstats.metrics import METRICS

    understand_margin(margin, are_shares=False)
    if greater_is_better is not None:
        greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    problem = MetricMargin(metric_bootstrap_test(y_true, x, y, metric=metric, **choices))
    record = METRICS[metric] if isinstance(metric, str) else None
    if record is not None and greater_is_better is not None and greater_is_better != record.greater_is_better:
        raise InvalidValueError(f"greater_is_better must be {record.greater_is_better} for {metric}, or not given")
    direction = record.greater_is_better if record is not None else greater_is_better is not False
    margin = understand_margin(margin, are_shares=record is not None and record.range[1] <= 1)
    return problem, margin, direction
