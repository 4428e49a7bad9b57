"""Mean score from an LLM judge on all instances, corrected with human labels of some instances."""

from __future__ import annotations

__all__ = [
    "PPIMean",
    "PPIScore",
    "Rectified",
    "labeled_cases",
    "ppi_mean",
    "ppi_score",
    "rectified",
    "understand_judge_weight",
]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._result import ConfidenceInterval, EstimateResult, interval_of, reasons
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import (
    NOISE,
    Clusters,
    degrees_of_freedom,
    jackknife_factors,
    understand_clusters,
)

OPTIMAL = "optimal"
PPI_METRICS = ("f1", "roc_auc")
SINGLE_GROUP = (
    "the labeled or the unlabeled instances are in a single cluster, so the standard error cannot be estimated"
)
FEWEST_GROUPS = 3  # labeled clusters: with fewer, the optimal weight cannot be estimated
# labels that differ by less, relative to the largest one, are equal, and a smaller weight of the judge is 0
SAME = 1e-10
# pseudo-instances at each corner of the ranges of labels and judge, for intervals: for two values, for several
AT_CORNERS, AT_CORNERS_OF_SEVERAL = 1.0, 0.25
NO_VARIANCE = "neither the scores of the judge nor the corrections vary, so the standard error is 0 and not informative"


class Rectified(NamedTuple):
    """Mean score by the judge, corrected with human labels, of shape (...)."""

    estimate: FloatArray
    standard_error: FloatArray
    center: FloatArray  # center of the interval, with its own standard error and degrees of freedom
    error: FloatArray
    df: FloatArray
    judge_weight: FloatArray
    human_mean: FloatArray
    human_standard_error: FloatArray
    judge_mean: FloatArray
    n_labeled: Any
    n_corrected: Any
    is_single: BoolArray


@dataclass(frozen=True, kw_only=True, eq=False)
class PPIMean(EstimateResult):
    """Result of `ppi_mean`.

    Attributes
    ----------
    estimate : float or ndarray
        Estimated mean human score in the population of instances.
    standard_error : float or ndarray
        Cluster-robust standard error of the estimate. It is nan if the labeled or the unlabeled instances are in a
        single cluster.
    df : float or ndarray
        Satterthwaite's degrees of freedom of the t distribution.
    judge_weight : float or ndarray
        Weight of the judge, from 0 to 1: the lambda of PPI++.
    human_mean, human_standard_error : float or ndarray
        Mean of the human labels, without the judge, and its standard error.
    judge_mean : float or ndarray
        Mean score by the judge over all instances, without a correction.
    effective_labels : float or ndarray
        Number of human labels whose mean would have the standard error of the estimate, or nan without a standard
        error.
    n_instances, n_clusters : int
        Numbers of instances and of clusters. Without `clusters`, each instance is a cluster.
    n_labeled : int or ndarray
        Number of instances with human labels.
    n_corrected : int or ndarray
        Number of labeled instances on which the judge and the humans differ. If this number is small, the data contain
        little information on the error rate of the judge, and the interval is long.
    """

    df: Any
    judge_weight: Any
    human_mean: Any
    human_standard_error: Any
    judge_mean: Any
    effective_labels: Any
    n_instances: int
    n_clusters: int
    n_labeled: Any
    n_corrected: Any
    _center: Any
    _error: Any

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean human score, with an adjustment for few labels.

        The center of the interval is not the estimate: see the notes of `ppi_mean`.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval. The interval may extend beyond 0 or 1.

        Returns
        -------
        ConfidenceInterval
            The limits are nan if the standard error is undefined or 0.

        Examples
        --------
        >>> from evalstats.metrics import ppi_mean
        >>> nan = float("nan")
        >>> result = ppi_mean([1, 1, 0, 1, 0, nan, nan, nan, nan, nan], [1, 1, 0, 1, 1, 1, 1, 0, 1, 1])
        >>> low, high = result.confidence_interval(0.9)
        >>> print(f"{low:.3f} {high:.3f}")
        0.252 0.972
        """
        level = _checks.confidence_level(confidence_level)
        mean, error = np.asarray(self._center), np.asarray(self._error)
        margin = np.where(error > 0, tails.t_quantile(np.asarray(self.df), 0.5 + level / 2) * error, np.nan)
        return interval_of(mean - margin, mean + margin, level)


def ppi_mean(
    human: ArrayLike, judge: ArrayLike, *, clusters: ArrayLike | None = None, judge_weight: float | str = OPTIMAL
) -> PPIMean:
    """Estimate the mean human score from the scores of an LLM judge and some human labels.

    An LLM judge has a systematic error, so its mean score is biased for any number of instances. Human labels are
    unbiased but few. Prediction-powered inference corrects the mean score of the judge by the mean error of the judge
    on the labeled instances. If the scores of the judge are not informative, the interval is about as long as the
    interval from the labels alone. If they are informative, it is shorter.

    Parameters
    ----------
    human : array_like of shape (..., n)
        Human score, and nan for each instance without a label. The labeled instances (or their clusters) must be a
        random sample of all instances, not the instances that are difficult for the judge. Leading axes are batch
        dimensions and broadcast.
    judge : array_like of shape (..., n)
        Score of the judge for every instance, labeled or not, such as 1 and 0 or a grade.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, such as its passage, document or user: names or numbers, in any order. Clusters must
        be independent of each other. Instances of one cluster may be correlated. None: each instance is a cluster.
    judge_weight : float or 'optimal', default: 'optimal'
        Weight of the judge. ``'optimal'``: the weight with the smallest standard error (PPI++, power tuning). The
        weight 1 gives prediction-powered inference without power tuning, and 0 gives the mean of the labels alone.

    Returns
    -------
    PPIMean
        `estimate` and `standard_error`. The result also contains the estimate from the labels alone, and
        `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If human and judge are not paired, a score is infinite, or a score of the judge is nan. If no instance is
        labeled. If `clusters` does not have one cluster label for each instance. If `judge_weight` is neither
        ``'optimal'`` nor a number from 0 to 1.

    See Also
    --------
    evalstats.paired.ppi_ttest : test of the difference between two models with the same judge.

    Notes
    -----
    Let y be the labels and f the scores of the judge. Let n and N be the numbers of instances with and without a label,
    respectively. The estimate is ``w mean(f, unlabeled) + mean(y - w f, labeled)``. The estimate is unbiased for any
    fixed w. The optimal w is cov(y, f) / ((1 + n / N) var(f)), limited to [0, 1], with the variance over all instances.
    Without clusters, the variance is var(y - w f) / n + w^2 var(f) / N. With clusters, the sums of the deviations in
    each cluster replace the deviations. The divisor of the variances is n - 1, whereas the program of the authors uses
    n. With fewer than three labeled clusters, the optimal w is 0.

    Few labels contain little information on a rare error of the judge. With 20 labels, the 95% interval of the authors
    has a coverage of 55% to 95% in simulations. Therefore, pseudo-instances are added to the labels, as Agresti & Coull
    do for a proportion. One pseudo-instance is added at each of the four corners that the ranges of the labels and the
    judge's scores form. If the labels have more than two values, a quarter of a pseudo-instance is added at each
    corner. No pseudo-instance is added if no label occurs twice. The interval uses the t distribution, with
    Satterthwaite's degrees of freedom, minus one for an optimal w. The reference page of `ppi_mean` reports the
    coverage of the interval.

    References
    ----------
    Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. & Zrnic, T. (2023). Prediction-powered inference.
    Science 382, 669-674.

    Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: Efficient prediction-powered inference.
    arXiv:2311.01453, section 6.

    Agresti, A. & Coull, B. A. (1998). Approximate is better than "exact" for interval estimation of binomial
    proportions. The American Statistician 52, 119-126.

    Examples
    --------
    Ten answers; humans labeled the first five. The judge called one of these five answers correct, although it is
    incorrect.

    >>> from evalstats.metrics import ppi_mean
    >>> nan = float("nan")
    >>> result = ppi_mean([1, 1, 0, 1, 0, nan, nan, nan, nan, nan], [1, 1, 0, 1, 1, 1, 1, 0, 1, 1])
    >>> print(f"{result.estimate:.3f}, standard error {result.standard_error:.3f}")
    0.600, standard error 0.221
    >>> print(f"of the labels alone {result.human_mean}, standard error {result.human_standard_error:.3f}")
    of the labels alone 0.6, standard error 0.245
    """
    labels, judged = labeled_cases(human, judge, ("human", "judge"))
    weight = understand_judge_weight(judge_weight)
    clustering = understand_clusters(clusters, None, "micro", labels.shape[-1], human=human, judge=judge)

    found = rectified(labels, judged, weight, clustering)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = found.n_labeled * (found.human_standard_error / found.standard_error) ** 2

    return PPIMean(
        estimate=found.estimate,
        standard_error=found.standard_error,
        reason=reasons(found.estimate.shape, (found.is_single, SINGLE_GROUP), (found.standard_error == 0, NO_VARIANCE)),
        df=found.df,
        judge_weight=found.judge_weight,
        human_mean=found.human_mean,
        human_standard_error=found.human_standard_error,
        judge_mean=found.judge_mean,
        effective_labels=np.where(np.isfinite(effective), effective, np.nan),
        n_instances=labels.shape[-1],
        n_clusters=clustering.starts.size,
        n_labeled=found.n_labeled,
        n_corrected=found.n_corrected,
        _center=found.center,
        _error=found.error,
    )


def labeled_cases(human: Any, judge: Any, names: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Return labels (nan for an instance without a label) and scores of the judge, both of the same shape."""
    labels, judged = _checks.numbers(human, names[0]), _checks.numbers(judge, names[1])
    _checks.pairing(human, judge, labels.shape, judged.shape, minimum=2)
    known = np.isfinite(labels) | np.isnan(labels)
    _checks.finite(np.where(known, 0.0, labels), names[0])
    judged = _checks.moderate(_checks.finite(judged, names[1]), names[1])
    _checks.moderate(np.where(np.isnan(labels), 0.0, labels), names[0])
    labels, judged = np.broadcast_arrays(labels, judged)
    if np.isnan(labels).all(axis=-1).any():
        raise InvalidValueError(
            f"{names[0]} must have a label for at least one instance, and nan for the others, but all are nan"
        )
    return labels, judged


def understand_judge_weight(value: Any) -> float | None:
    """Return the weight of the judge; None is the optimal weight."""
    if isinstance(value, str):
        if value == OPTIMAL:
            return None
        raise InvalidValueError(f"judge_weight must be 'optimal' or a number from 0 to 1, not {short(value)}")
    try:
        weight = _checks.real(value, "judge_weight")
    except InvalidTypeError:
        raise InvalidTypeError(f"judge_weight must be 'optimal' or a number from 0 to 1, not {short(value)}") from None
    if not 0 <= weight <= 1:
        raise InvalidValueError(f"judge_weight must be 'optimal' or a number from 0 to 1, not {weight:g}")
    return weight


def rectified(labels: FloatArray, judged: FloatArray, weight: float | None, clustering: Clusters) -> Rectified:
    """Correct the mean score of a judge with labels: Angelopoulos, Duchi & Zrnic (2023), example 6.1."""
    is_labeled = ~np.isnan(labels)
    y = np.where(is_labeled, labels, 0.0)
    human, by_judge = _Part.of(y, is_labeled, clustering), _Part.of(judged, is_labeled, clustering)
    other = _Part.of(judged, ~is_labeled, clustering)
    has_other = other.n > 0

    if weight is None:
        # all instances together give the best estimate of the variance of the judge
        everywhere = _Part.of(judged, np.ones_like(is_labeled), clustering)
        covariance = human.n * (human.deviations * by_judge.deviations).sum(axis=-1)
        variance = everywhere.n * (everywhere.deviations**2).sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            best = covariance / (variance * (1 + human.n / other.n))
        is_known = has_other & (variance > 0) & (human.n_clusters >= FEWEST_GROUPS)
        w = np.where(is_known & (best > SAME), np.minimum(best, 1.0), 0.0)
    else:
        w = np.where(has_other, weight, 0.0)

    rectifier = _Part.of(np.where(is_labeled, y - w[..., np.newaxis] * judged, 0.0), is_labeled, clustering)
    imputed = w[..., np.newaxis] * other.deviations
    both = rectifier.deviations + imputed
    freedom = human.freedom, other.freedom
    is_single = (human.n_clusters < 2) | ((w > 0) & (other.n_clusters < 2))
    variance_of_both, variance_of_others = (both**2).sum(axis=-1), (imputed**2).sum(axis=-1)
    alone = _Part.of(
        np.where(is_labeled, y - w[..., np.newaxis] * judged, 0.0), is_labeled, clustering.without_groups()
    )
    own = _with_corners(rectifier, alone, labels, judged, w, (w > 0) & (weight is None))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = own.variance / (own.variance + variance_of_others)
        df = 1 / (share**2 / own.df + (1 - share) ** 2 / np.where(freedom[1] > 0, freedom[1], 1))
        df = np.where(np.isnan(share), freedom[0], df)
    variance = variance_of_both + own.variance - (rectifier.deviations**2).sum(axis=-1)
    return Rectified(
        estimate=rectifier.mean + w * other.mean,
        standard_error=np.where(is_single, np.nan, np.sqrt(variance_of_both)),
        center=own.mean + w * other.mean,
        error=np.where(is_single, np.nan, np.sqrt(np.maximum(variance, 0.0))),
        df=np.where(is_single, np.nan, df),
        judge_weight=w,
        human_mean=human.mean,
        human_standard_error=np.where(human.n_clusters < 2, np.nan, np.sqrt((human.deviations**2).sum(axis=-1))),
        judge_mean=judged.mean(axis=-1),
        n_labeled=human.n.astype(np.int64),
        n_corrected=(is_labeled & (y != judged)).sum(axis=-1),
        is_single=is_single,
    )


class _Part(NamedTuple):
    """Mean over a part of the instances, and the contribution of each cluster to its error, (..., n_clusters)."""

    mean: FloatArray  # 0 for an empty part
    deviations: FloatArray
    n: FloatArray
    n_clusters: FloatArray
    freedom: FloatArray

    @classmethod
    def of(cls, values: FloatArray, chosen: BoolArray, clustering: Clusters) -> _Part:
        n = chosen.sum(axis=-1).astype(np.float64)
        some = np.maximum(n, 1)
        mean = np.where(chosen, values, 0.0).sum(axis=-1) / some
        sums = clustering.sums(np.where(chosen, values - mean[..., np.newaxis], 0.0))
        sizes = clustering.sums(chosen.astype(np.float64))
        largest = np.abs(np.where(chosen, values, 0.0)).max(axis=-1)
        is_noise = np.abs(sums) <= NOISE * largest[..., np.newaxis] * sizes
        g = (sizes > 0).sum(axis=-1).astype(np.float64)
        scale = np.sqrt(g / np.maximum(g - 1, 1)) / some
        factors = np.where(g[..., np.newaxis] > 1, jackknife_factors(sizes), 1.0)
        deviations = np.where(is_noise, 0.0, sums) * factors * scale[..., np.newaxis]
        return cls(mean, deviations, n, g, np.where(g > 1, degrees_of_freedom(sizes), 0.0))


class _Corrected(NamedTuple):
    """Mean of the correction with pseudo-instances, its variance and its degrees of freedom."""

    mean: FloatArray
    variance: FloatArray
    df: FloatArray


def _with_corners(
    rectifier: _Part, alone: _Part, labels: FloatArray, judged: FloatArray, w: FloatArray, is_estimated: BoolArray
) -> _Corrected:
    """Add pseudo-instances at the corners of the range: Agresti & Coull (1998), Agresti & Min (2005).

    If the instances of a cluster are independent, a pseudo-instance has the weight of one instance. If the instances of
    a cluster are equal, or if the data do not show whether they are equal, a pseudo-instance counts as a cluster.
    """
    number, corners = np.empty(w.shape), np.empty((*w.shape, 4))
    for at in np.ndindex(w.shape):
        number[at], of_labels, of_judge = _corners(labels[at], judged[at])
        corners[at] = np.subtract.outer(of_labels, w[at] * of_judge).ravel()
    g = rectifier.n_clusters
    mean_size = rectifier.n / g
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = (rectifier.deviations**2).sum(axis=-1) / (alone.deviations**2).sum(axis=-1)
    number *= np.clip(np.where(np.isnan(alike), mean_size, alike), 1, mean_size) / mean_size
    n = g + 4 * number
    mean = (g * rectifier.mean + number * corners.sum(axis=-1)) / n
    spread = (rectifier.deviations**2).sum(axis=-1) * g * (g - 1) + g * (rectifier.mean - mean) ** 2
    spread += number * ((corners - mean[..., np.newaxis]) ** 2).sum(axis=-1)
    divisor = np.maximum(n - 1 - is_estimated, 1)
    df = np.maximum(rectifier.freedom + 4 * number - is_estimated, 1)
    return _Corrected(mean, spread / (n * divisor), df)


def _corners(labels: FloatArray, judged: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return the number of pseudo-instances at each corner, and the ranges of the labels and of the judge."""
    given = labels[~np.isnan(labels)]
    noise = SAME * max(np.abs(given).max(), np.abs(judged).max())
    values, of_judge = _distinct(given, noise), _distinct(judged, noise)
    everything = _distinct(np.concatenate([values, of_judge]), noise)
    has_own_scale = values.size > 1 and everything.size > of_judge.size
    scale = values if has_own_scale else everything
    ends = [0, -1]
    number = AT_CORNERS if scale.size <= 2 else AT_CORNERS_OF_SEVERAL if values.size < given.size else 0.0
    return number, scale[ends], of_judge[ends]


def _distinct(values: FloatArray, noise: float) -> FloatArray:
    """Return the different values in order, without values that exceed the previous one only by rounding errors."""
    ordered = np.sort(values)
    return np.asarray(ordered[np.append(True, np.diff(ordered) > noise)])


# --- F1 and AUC from few labels ---------------------------------------------------------------------------------------

OUTSIDE = "the corrected estimate is outside [0, 1], so it is set to the nearest limit"
NO_CLASS = "the labeled instances do not have enough positive and negative labels, so the standard error is undefined"


@dataclass(frozen=True, kw_only=True, eq=False)
class PPIScore(EstimateResult):
    """Result of `ppi_score`.

    Attributes
    ----------
    estimate : float
        F1 or AUC with respect to human labels, estimated from the labels of the judge and the human labels.
    standard_error : float
        Standard error of the estimate, or nan if it is undefined.
    reason : str or None
        A sentence if the data are degenerate, otherwise None.
    metric : str
        Name of the metric that was passed to the function.
    judge_weight : float
        Weight of the judge, from 0 to 1.
    df : float
        Degrees of freedom of the t distribution.
    human_score : float
        The metric computed only from the human labels.
    judge_score : float
        The metric computed from the labels of the judge for all instances.
    n_labeled, n_unlabeled : int
        Numbers of instances with and without a human label, respectively.
    """

    metric: str
    judge_weight: float
    df: float
    human_score: float
    judge_score: float
    n_labeled: int
    n_unlabeled: int

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the metric, on the logit scale with the t distribution.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval if there are many labels.

        Returns
        -------
        ConfidenceInterval
            Both limits are nan if the estimate is 0 or 1, or if the standard error is undefined.

        Examples
        --------
        >>> from evalstats.metrics import ppi_score
        >>> nan = float("nan")
        >>> human = [1, 1, 0, 1, 0, 0, nan, nan, nan, nan, nan, nan]
        >>> judge = [1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0]
        >>> low, high = ppi_score(human, judge, [1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1]).confidence_interval()
        >>> print(f"{low:.2f} to {high:.2f}")
        0.07 to 0.97
        """
        level = _checks.confidence_level(confidence_level)
        low = high = np.nan
        if self.df >= 1 and 0 < self.estimate < 1 and np.isfinite(self.standard_error):
            spread = self.estimate * (1 - self.estimate)
            half = -float(tails.t_quantile(self.df, (1 - level) / 2)) * self.standard_error / spread
            middle = np.log(self.estimate / (1 - self.estimate))
            low, high = (float(1 / (1 + np.exp(-(middle + sign * half)))) for sign in (-1, 1))
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=level)


def ppi_score(
    human: ArrayLike,
    judge: ArrayLike,
    prediction: ArrayLike,
    *,
    metric: str = "f1",
    judge_weight: float | str = OPTIMAL,
) -> PPIScore:
    """Estimate the F1 score or the AUC for human labels, from an LLM judge and some human labels.

    A classifier predicts all instances, an LLM judge labels all instances, and humans label a random sample. The metric
    that is computed from the labels of the judge is biased, and the human labels correct this bias.

    Parameters
    ----------
    human : array_like of shape (n,)
        Human label, 1 for positive and 0 for negative, and nan for each instance without a label. The labeled instances
        must be a random sample of all instances.
    judge : array_like of shape (n,)
        Label of the judge for every instance, 1 or 0.
    prediction : array_like of shape (n,)
        For ``'f1'``: predicted label of the classifier, 1 or 0. For ``'roc_auc'``: score of the classifier. A greater
        score means that the positive class is more likely.
    metric : {'f1', 'roc_auc'}, default: 'f1'
        The metric.
    judge_weight : float or 'optimal', default: 'optimal'
        As in `ppi_mean`. With the weight 0, only the human labels are used.

    Returns
    -------
    PPIScore

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If the arrays differ in length, a label is neither 0 nor 1, or no instance has a human label. If a class that
        the metric needs does not occur among the labeled instances.

    See Also
    --------
    ppi_mean : estimate of a mean score, which supports clusters.

    Notes
    -----
    F1 is computed from the corrected rates of true positives, false positives and false negatives, so it stays between
    0 and 1. The AUC A is corrected directly: ``w A(judge, unlabeled) + A(human, labeled) - w A(judge, labeled)``. The
    standard error and the optimal w are computed as for a mean, from the influence values of the instances (for the
    AUC, their placements). The interval is symmetric on the logit scale, with the t distribution. For AUC, the degrees
    of freedom are the number of labeled instances of the rarer class minus one. For F1, they are the number of labeled
    instances with a positive label or prediction minus one.

    References
    ----------
    Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. & Zrnic, T. (2023). Prediction-powered inference.
    Science 382, 669-674.

    Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: Efficient prediction-powered inference.
    arXiv:2311.01453.

    Examples
    --------
    >>> from evalstats.metrics import ppi_score
    >>> nan = float("nan")
    >>> human = [1, 1, 0, 1, 0, 0, nan, nan, nan, nan, nan, nan]
    >>> judge = [1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0]
    >>> result = ppi_score(human, judge, [1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1])
    >>> print(f"{result.estimate:.3f}; humans alone {result.human_score:.3f}, judge alone {result.judge_score:.3f}")
    0.600; humans alone 0.667, judge alone 0.769
    """
    metric = _checks.choice(metric, "metric", PPI_METRICS)
    weight = understand_judge_weight(judge_weight)
    labels, judged, predicted = _understand_score(human, judge, prediction, metric)
    is_labeled = ~np.isnan(labels)
    y, f, s = labels[is_labeled], judged[is_labeled], predicted[is_labeled]
    other_f, other_s = judged[~is_labeled], predicted[~is_labeled]
    score_of = _f1_of_rates if metric == "f1" else _area
    influence = _f1_influence if metric == "f1" else _area_influence
    n, m = len(y), len(other_f)

    human_psi, judge_psi, other_psi = influence(y, s), influence(f, s), influence(other_f, other_s)
    w = _score_weight(weight, human_psi, judge_psi, other_psi)
    if metric == "f1":
        rates = _rates(y, s) + (w * (_rates(other_f, other_s) - _rates(f, s)) if w else 0.0)
        raw = _f1(np.maximum(rates, 0.0))
    else:
        raw = _area(y, s) + (w * (_area(other_f, other_s) - _area(f, s)) if w else 0.0)
    variance = np.var(human_psi - w * judge_psi, ddof=1) / n if n > 1 else np.nan
    if w:
        variance += w**2 * np.var(other_psi, ddof=1) / m
    rarer = min(y.sum(), n - y.sum()) if metric == "roc_auc" else np.count_nonzero((y > 0) | (s > 0))
    has_error = rarer >= 2 and np.isfinite(variance)
    return PPIScore(
        estimate=float(np.clip(raw, 0.0, 1.0)),
        standard_error=float(np.sqrt(variance)) if has_error else float("nan"),
        reason=None if has_error and 0 <= raw <= 1 else NO_CLASS if not has_error else OUTSIDE,
        metric=metric,
        judge_weight=float(w),
        df=float(rarer - 1),
        human_score=float(score_of(y, s)),
        judge_score=float(score_of(judged, predicted)),
        n_labeled=n,
        n_unlabeled=m,
    )


def _understand_score(
    human: Any, judge: Any, prediction: Any, metric: str
) -> tuple[FloatArray, FloatArray, FloatArray]:
    labels, judged = labeled_cases(human, judge, ("human", "judge"))
    _labels.same_labels(human=human, judge=judge, prediction=prediction)
    predicted = _checks.moderate(_checks.finite(_checks.numbers(prediction, "prediction"), "prediction"), "prediction")
    if labels.ndim != 1 or predicted.shape != labels.shape:
        raise InvalidValueError(
            f"prediction and human must have the same shape (n,), but their shapes are {predicted.shape} and "
            f"{labels.shape}"
        )
    binary = {"human": labels[~np.isnan(labels)], "judge": judged}
    if metric == "f1":
        binary["prediction"] = predicted
    for name, values in binary.items():
        if not np.isin(values, (0, 1)).all():
            scores = "; for scores, use metric='roc_auc'" if name == "prediction" else ""
            wrong = values[~np.isin(values, (0, 1))][0]
            raise InvalidValueError(f"{name} must hold 1 for positive and 0 for negative, not {wrong:g}{scores}")
    if metric == "roc_auc" and np.ptp(binary["human"]) == 0:
        raise InvalidValueError("human must have both classes among the labeled instances for the AUC")
    if metric == "f1" and not (binary["human"].any() or predicted[~np.isnan(labels)].any()):
        raise InvalidValueError("human or prediction must be positive for at least one labeled instance for F1")
    return labels, judged, predicted


def _score_weight(weight: float | None, human: FloatArray, judge: FloatArray, other: FloatArray) -> float:
    """Return the judge weight with the smallest variance, or 0 without variance or unlabeled instances."""
    if len(other) < 2 or not np.isfinite(judge).all() or not np.isfinite(other).all():
        return 0.0
    if weight is not None:
        return weight
    both = np.concatenate([judge, other])
    variance = np.var(both, ddof=1)
    if len(human) < FEWEST_GROUPS or not variance > 0:
        return 0.0
    best = np.cov(human, judge)[0, 1] / (variance * (1 + len(human) / len(other)))
    return float(np.clip(best, 0.0, 1.0))


def _rates(y: FloatArray, predicted: FloatArray) -> FloatArray:
    """Return the rates of true positives, false positives and false negatives."""
    return np.array([np.mean(y * predicted), np.mean((1 - y) * predicted), np.mean(y * (1 - predicted))])


def _f1(rates: FloatArray) -> float:
    total = 2 * rates[0] + rates[1] + rates[2]
    return float(2 * rates[0] / total) if total > 0 else float("nan")


def _f1_of_rates(y: FloatArray, predicted: FloatArray) -> float:
    return _f1(_rates(y, predicted))


def _f1_influence(y: FloatArray, predicted: FloatArray) -> FloatArray:
    """Return the influence of each instance on F1: the derivative with respect to its weight, times n."""
    total = np.mean(y + predicted) if len(y) else 0.0
    if not total > 0:
        return np.full(len(y), np.nan)
    return np.asarray((2 * y * predicted - _f1_of_rates(y, predicted) * (y + predicted)) / total)


def _area_of_placements(y: FloatArray, score: FloatArray) -> FloatArray:
    """Return the proportion of correctly ordered pairs of each instance with the other class; ties count half."""
    from scipy.stats import rankdata

    positive = y > 0
    n_positive, n_negative = int(positive.sum()), int((~positive).sum())
    ranks, own = rankdata(score), np.empty(len(y))
    own[positive], own[~positive] = rankdata(score[positive]), rankdata(score[~positive])
    beaten = ranks - own  # number of smaller instances of the other class
    return np.asarray(np.where(positive, beaten / max(n_negative, 1), 1 - beaten / max(n_positive, 1)))


def _area(y: FloatArray, score: FloatArray) -> float:
    positive = y > 0
    if not positive.any() or positive.all():
        return float("nan")
    return float(_area_of_placements(y, score)[positive].mean())


def _area_influence(y: FloatArray, score: FloatArray) -> FloatArray:
    area = _area(y, score)
    if np.isnan(area):
        return np.full(len(y), np.nan)
    share = np.mean(y)
    return np.asarray((_area_of_placements(y, score) - area) / np.where(y > 0, share, 1 - share))
