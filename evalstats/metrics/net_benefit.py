"""Net benefit of predicted probabilities at decision thresholds: decision curves."""

from __future__ import annotations

__all__ = [
    "DecisionCurve",
    "Decisions",
    "decision_curve",
    "fewest_deciding",
    "largest_deviation",
    "mean_benefits",
    "too_narrow",
    "understand_decisions",
    "understand_thresholds",
]


from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._canonical_order import content_order
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, Record, interval_of
from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import positive_cases
from evalstats.metrics.cluster_variance import numbered
from evalstats.metrics.score_input import understand_probabilities

THRESHOLDS = np.arange(1, 100) / 100
TREAT_ALL, TREAT_NONE = -1, -2
N_DRAWS = 10_000
SINGLE_CLUSTER = "the standard error of the net benefit cannot be estimated from a single cluster"
# smallest number of true and of false positives: with fewer, the variance of the net benefit is underestimated
FEWEST = 5
NARROW = (
    "at {of} thresholds, there are fewer than {fewest} true or false positives, so the limits are too narrow at "
    "these thresholds"
)
# a smaller variance, relative to the largest variance, is rounding error
NOISE = 1e-12


class Decisions(NamedTuple):
    """Instances and their decisions at each threshold.

    Instance i is predicted to be positive at the first ``bins[i]`` thresholds, which do not exceed its probability.
    `odds` is t / (1 - t), the weight of a false positive.
    """

    positive: BoolArray
    bins: IndexArray  # (k, n)
    thresholds: FloatArray
    clusters: IndexArray | None

    @property
    def odds(self) -> FloatArray:
        """Weight of a false positive at each threshold."""
        return np.asarray(self.thresholds / (1 - self.thresholds))

    @property
    def n_clusters(self) -> int:
        """Number of clusters, or of instances if each instance is a cluster."""
        return len(self.positive) if self.clusters is None else int(self.clusters.max()) + 1


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionCurve(Record):
    """Net benefit of one or several classifiers at each threshold.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Smallest probabilities at which an instance is predicted to be positive.
    net_benefit : ndarray of shape (..., n_thresholds)
        True positives minus weighted false positives, divided by the number of instances. The net benefit is at most
        the prevalence.
    standard_error : ndarray of shape (..., n_thresholds)
        Standard error of the net benefit, or nan with a single cluster.
    treat_all : ndarray of shape (n_thresholds,)
        Net benefit of predicting every instance to be positive. Predicting no instance to be positive has a net benefit
        of 0.
    best : ndarray of int, of shape (n_thresholds,)
        Position of the classifier with the largest net benefit. The value is -1 for predicting every instance to be
        positive, and -2 for predicting no instance to be positive. If net benefits are tied, `best` is the first in
        this order: no instance positive, every instance positive, the first classifier, the second classifier, ...
    n_deciding : ndarray of int, of shape (..., n_thresholds)
        The smaller of the numbers of true and of false positives. If this number is below 5, the limits are too narrow.
    df : int
        Degrees of freedom of the standard errors: the number of clusters minus 1.
    n_instances, n_positive, n_clusters : int
        Numbers of instances, of positive instances and of clusters. Without clusters, each instance is a cluster.
    reason : str or None
        A sentence if there are no standard errors, or if there are too few true or false positives at a threshold,
        otherwise None.
    """

    thresholds: FloatArray
    net_benefit: FloatArray
    standard_error: FloatArray
    treat_all: FloatArray
    best: IntArray
    n_deciding: IntArray
    df: int
    n_instances: int
    n_positive: int
    n_clusters: int
    reason: str | None
    _decisions: Decisions

    def _axes(self) -> tuple[str, ...]:
        return ("threshold",)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute pointwise confidence intervals, which are valid for a single threshold that was chosen in advance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high`` of the shape of the net benefit, or nan without a standard error.

        Examples
        --------
        >>> from evalstats.metrics import decision_curve
        >>> y_true, y_prob = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1], [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8]
        >>> low, high = decision_curve(y_true, y_prob, thresholds=[0.25]).confidence_interval()
        >>> low.round(3), high.round(3)
        (array([-0.061]), array([0.861]))
        """
        level = _checks.confidence_level(confidence_level)
        quantile = tails.t_quantile(max(self.df, 1), 0.5 + level / 2)
        return _limits(self.net_benefit, quantile * self.standard_error, level, None)

    def band(
        self, confidence_level: float = 0.95, *, n_resamples: int = N_DRAWS, rng: Any = None
    ) -> ConfidenceInterval:
        """Compute simultaneous intervals, which contain the whole curve of a classifier with a given confidence.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal simultaneous coverage of the band over all thresholds, for each classifier.
        n_resamples : int, default: 10000
            Number of draws from the multivariate t distribution of the estimates to compute the quantile.
        rng : None, int or numpy.random.Generator, optional
            Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
            used as the seed. A Generator is used directly.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high`` of the shape of the net benefit, or nan without a standard error.

        References
        ----------
        Pfeiffer, R. M. & Gail, M. H. (2020). Estimating the decision curve and its precision from three study designs.
        Biometrical Journal 62, 764-776.

        Examples
        --------
        >>> from evalstats.metrics import decision_curve
        >>> y_true, y_prob = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1], [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8]
        >>> low, high = decision_curve(y_true, y_prob, thresholds=[0.25, 0.5]).band()
        >>> low.round(2), high.round(2)
        (array([-0.1 , -0.41]), array([0.9 , 0.81]))
        """
        level = _checks.confidence_level(confidence_level)
        n_resamples, source = _checks.resampling(n_resamples, rng)
        decisions, shape = self._decisions, self.net_benefit.shape
        widths = []
        for i, error in enumerate(np.atleast_2d(self.standard_error)):
            covariance = mean_benefits(decisions, {i: 1})[1]
            generator = source.generator()
            widths.append(largest_deviation(covariance, self.df, level, n_resamples, generator) * error)
        return _limits(self.net_benefit, np.reshape(widths, shape), level, source.seed)


def decision_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
) -> DecisionCurve:
    """Compute the decision curve: the net benefit of predicted probabilities at each threshold.

    An instance is predicted to be positive if its probability is at least the threshold t. The threshold implies the
    costs: a false positive is t / (1 - t) times as bad as a false negative. The net benefit is the proportion of true
    positives minus t / (1 - t) times the proportion of false positives.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels of n instances, of two classes.
    y_prob : array_like of shape (n,) or (k, n)
        Probability of the positive class, of one classifier or of k classifiers.
    thresholds : array_like of shape (n_thresholds,), optional
        Increasing numbers above 0 and below 1. Default: 0.01, 0.02, ..., 0.99.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, if several instances are correlated, such as several images of a patient: names or
        numbers, in any order. Default: the instances are independent.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.

    Returns
    -------
    DecisionCurve
        The net benefit and its standard error, and the net benefit of predicting all instances as positive. The method
        `confidence_interval` is for a threshold that was chosen in advance, and `band` is for the whole curve.

    Raises
    ------
    ValueError, TypeError
        If lengths differ, or there is no positive or no negative instance. If a probability is outside of [0, 1], or a
        threshold is outside of (0, 1).

    See Also
    --------
    evalstats.paired.net_benefit_difference : comparison of two classifiers.
    evalstats.plot.decision_curves : plot of several classifiers.

    Notes
    -----
    The net benefit is the mean of u = 1(p >= t) (y - (1 - y) t / (1 - t)). Its standard error is the standard deviation
    of u divided by the square root of n. With G clusters, the sums of the deviations in each cluster replace the
    deviations, and the variance is multiplied by G / (G - 1). The limits use the t distribution with G - 1 degrees of
    freedom. At high thresholds, few false positives with large weights determine the net benefit, and the limits are
    too narrow. Choose the classifier with the largest net benefit. The interval shows whether more data are needed
    (Vickers et al. 2023).

    References
    ----------
    Vickers, A. J. & Elkin, E. B. (2006). Decision curve analysis: a novel method for evaluating prediction models.
    Medical Decision Making 26, 565-574.

    Vickers, A. J., Van Calster, B., Wynants, L. & Steyerberg, E. W. (2023). Decision curve analysis: confidence
    intervals and hypothesis testing for net benefit. Diagnostic and Prognostic Research 7, 11.

    Examples
    --------
    >>> from evalstats.metrics import decision_curve
    >>> y_true, y_prob = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1], [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8]
    >>> result = decision_curve(y_true, y_prob, thresholds=[0.25, 0.5])
    >>> result.net_benefit, result.standard_error.round(3), result.treat_all.round(3)
    (array([0.4, 0.2]), array([0.204, 0.249]), array([0.333, 0.   ]))
    """
    decisions = understand_decisions(y_true, {"y_prob": y_prob}, thresholds, clusters, pos_label)
    shape = np.shape(y_prob)[:-1]

    means, errors = [], []
    for i in range(len(decisions.bins)):
        mean, covariance = mean_benefits(decisions, {i: 1})
        means.append(mean)
        errors.append(np.sqrt(np.diagonal(covariance)))
    prevalence = decisions.positive.mean()
    treat_all = prevalence - (1 - prevalence) * decisions.odds

    among = np.vstack([np.zeros_like(treat_all), treat_all, *means])
    best = np.array([TREAT_NONE, TREAT_ALL, *range(len(means))])[np.argmax(among > among.max(axis=0) - NOISE, axis=0)]
    n_thresholds, n_clusters = len(treat_all), decisions.n_clusters
    deciding = np.array([fewest_deciding(decisions, i) for i in range(len(means))])
    return DecisionCurve(
        thresholds=decisions.thresholds,
        net_benefit=np.reshape(means, (*shape, n_thresholds)),
        standard_error=np.reshape(errors, (*shape, n_thresholds)),
        treat_all=treat_all,
        best=best,
        n_deciding=np.reshape(deciding, (*shape, n_thresholds)),
        df=n_clusters - 1,
        n_instances=len(decisions.positive),
        n_positive=int(decisions.positive.sum()),
        n_clusters=n_clusters,
        reason=SINGLE_CLUSTER if n_clusters == 1 else too_narrow(deciding.min(axis=0)),
        _decisions=decisions,
    )


def understand_decisions(
    y_true: Any, probabilities: dict[str, Any], thresholds: Any, clusters: Any, pos_label: Any
) -> Decisions:
    """Return the decisions of the named classifiers at each threshold; one name may stand for several classifiers."""
    _labels.same_labels(y_true=y_true, **probabilities)
    true = classes.understand(y_true, "y_true")
    is_positive = positive_cases(true, pos_label, greater_of_two=True)
    if is_positive.ndim != 1:
        raise InvalidValueError(f"y_true must have the shape (n,), but its shape is {is_positive.shape}")
    if is_positive.all() or not is_positive.any():
        only = "positive" if is_positive.any() else "negative"
        raise InvalidValueError(f"y_true must hold positive and negative instances, but all are {only}")
    n, rows = len(is_positive), []
    for name, value in probabilities.items():
        own = understand_probabilities(value, name)
        if own.ndim not in (1, 2) or own.shape[-1] != n:
            raise InvalidValueError(f"{name} must have the shape ({n},) or (k, {n}), but its shape is {own.shape}")
        rows.append(np.atleast_2d(own))
    at = understand_thresholds(thresholds)
    bins = np.searchsorted(at, np.vstack(rows), side="right")
    given = None if clusters is None else numbered(clusters, "clusters", "cluster", n, y_true=y_true)[0]
    return Decisions(is_positive, bins, at, given)


def understand_thresholds(thresholds: Any) -> FloatArray:
    """Return increasing thresholds between 0 and 1; None means 0.01, 0.02, ..., 0.99."""
    if thresholds is None:
        return THRESHOLDS
    at = _checks.finite(_checks.numbers(thresholds, "thresholds"), "thresholds")
    if at.ndim != 1 or not at.size:
        raise InvalidValueError(f"thresholds must have the shape (n_thresholds,), but its shape is {at.shape}")
    if at.min() <= 0 or at.max() >= 1 or (np.diff(at) <= 0).any():
        raise InvalidValueError("thresholds must hold increasing numbers above 0 and below 1")
    return at


def mean_benefits(decisions: Decisions, signs: dict[int, int]) -> tuple[FloatArray, FloatArray]:
    """Return the mean signed sum of some classifiers' benefits at each threshold, and its covariance.

    An instance may be predicted to be positive at the threshold s of one classifier and at the threshold t of another
    classifier. It then contributes 1 or odds(s) odds(t) to the sum of products. Therefore, the sums of products follow
    from counts.
    """
    n, odds = len(decisions.positive), decisions.odds
    total = np.zeros(len(odds))
    for i, sign in signs.items():
        of_positive, of_negative = _counts_above(decisions, i)
        total += sign * (of_positive - odds * of_negative)
    mean = total / n
    if decisions.n_clusters == 1:
        return mean, np.full((len(odds), len(odds)), np.nan)
    if decisions.clusters is None:
        products = np.zeros((len(odds), len(odds)))
        for i, own in signs.items():
            for j, other in signs.items():
                of_positive, of_negative = _counts_above_both(decisions, i, j)
                products += own * other * (of_positive + np.outer(odds, odds) * of_negative)
        return mean, (products / n - np.outer(mean, mean)) / (n - 1)
    deviations = _cluster_sums(decisions, signs) - np.outer(np.bincount(decisions.clusters), mean)
    # a different order of the clusters would change the last digits, and thus the draws for the bands
    deviations = deviations[content_order(deviations)]
    g = decisions.n_clusters
    return mean, deviations.T @ deviations * (g / (g - 1)) / n**2


def fewest_deciding(decisions: Decisions, i: int) -> IntArray:
    """Return the smaller of the numbers of true and of false positives at each threshold."""
    return np.minimum(*_counts_above(decisions, i)).astype(np.int64)


def too_narrow(n_deciding: IntArray) -> str | None:
    """Return a sentence if there are too few true or false positives at a threshold."""
    few = int(np.count_nonzero(n_deciding < FEWEST))
    return NARROW.format(of=f"{few} of {len(n_deciding)}", fewest=FEWEST) if few else None


def _counts_above(decisions: Decisions, i: int) -> tuple[FloatArray, FloatArray]:
    """Count the positive and the negative instances that a classifier predicts as positive at each threshold."""
    size, both = len(decisions.thresholds), []
    for own in (decisions.positive, ~decisions.positive):
        counted = np.bincount(decisions.bins[i, own], minlength=size + 1)
        both.append(counted[::-1].cumsum()[::-1][1:].astype(np.float64))
    return both[0], both[1]


def _counts_above_both(decisions: Decisions, i: int, j: int) -> tuple[FloatArray, FloatArray]:
    """Count the instances of each class that both i (threshold: row) and j (threshold: column) predict as positive."""
    size, both = len(decisions.thresholds) + 1, []
    for own in (decisions.positive, ~decisions.positive):
        places = decisions.bins[i, own] * size + decisions.bins[j, own]
        counted = np.bincount(places, minlength=size * size).reshape(size, size)
        both.append(counted[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1][1:, 1:].astype(np.float64))
    return both[0], both[1]


def _cluster_sums(decisions: Decisions, signs: dict[int, int]) -> FloatArray:
    """Sum the signed benefits of each cluster at each threshold."""
    size, g = len(decisions.thresholds) + 1, decisions.n_clusters
    assert decisions.clusters is not None
    total = np.zeros((g, size - 1))
    for i, sign in signs.items():
        for own, weight in ((decisions.positive, 1.0), (~decisions.positive, -decisions.odds)):
            places = decisions.clusters[own] * size + decisions.bins[i, own]
            counted = np.bincount(places, minlength=g * size).reshape(g, size)
            total += sign * weight * counted[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    return total


def largest_deviation(
    covariance: FloatArray, df: int, level: float, n_draws: int, generator: np.random.Generator
) -> float:
    """Return the simulated quantile of the largest absolute t over all thresholds, or nan without a covariance."""
    variance = np.diagonal(covariance)
    if np.isnan(variance).any():
        return float("nan")
    varies = variance > NOISE * variance.max()
    if not varies.any():
        return 0.0
    error = np.sqrt(variance[varies])
    values, vectors = np.linalg.eigh(covariance[np.ix_(varies, varies)] / np.outer(error, error))
    factor = vectors * np.sqrt(np.maximum(values, 0.0))
    normal = generator.standard_normal((n_draws, len(error))) @ factor.T
    scale = np.sqrt(generator.chisquare(df, n_draws) / df)
    return float(np.quantile(np.abs(normal).max(axis=1) / scale, level))


def _limits(center: FloatArray, reach: FloatArray, level: float, seed: int | None) -> ConfidenceInterval:
    return interval_of(center - reach, center + reach, level, seed=seed)
