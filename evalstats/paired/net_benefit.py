"""Differences between the net benefits of two classifiers at decision thresholds."""

from __future__ import annotations

__all__ = ["NetBenefitDifference", "net_benefit_difference"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import net_benefit

SAME_DECISIONS = "x and y make the same decision for every instance at each threshold"


@dataclass(frozen=True, kw_only=True, eq=False)
class NetBenefitDifference(Record):
    """Difference of two decision curves at each threshold, with two bands.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Smallest probabilities at which an instance is predicted to be positive.
    net_benefit_x, net_benefit_y : ndarray of shape (n_thresholds,)
        Net benefits of both classifiers.
    treat_all : ndarray of shape (n_thresholds,)
        Net benefit of predicting every instance to be positive. Predicting no instance to be positive has a net benefit
        of 0.
    difference, standard_error : ndarray of shape (n_thresholds,)
        net_benefit_x - net_benefit_y, and its standard error. With a single cluster, the standard error is nan.
    low, high : ndarray of shape (n_thresholds,)
        Pointwise limits: at a single threshold that was chosen in advance, they contain the difference with the
        probability `confidence_level`.
    low_everywhere, high_everywhere : ndarray of shape (n_thresholds,)
        Simultaneous limits: they contain the differences at all thresholds with the probability `confidence_level`.
    shown : ndarray of int, shape (n_thresholds,)
        The value is 1 if the simultaneous limits are both above 0, -1 if both are below 0, and 0 otherwise.
    n_deciding : ndarray of int, of shape (n_thresholds,)
        Smallest of the numbers of true positives and false positives of x or y. If this number is below 5, the limits
        are too narrow.
    confidence_level : float
        Confidence level of both bands.
    df : int
        Degrees of freedom of the standard errors: the number of clusters minus 1.
    n_instances, n_positive, n_clusters : int
        Numbers of instances, of positive instances and of clusters. Without clusters, each instance is a cluster.
    n_resamples : int
        Number of draws for the quantile of the simultaneous band.
    seed : int or None
        Seed of the draws, or None if `rng` was a Generator.
    reason : str or None
        A sentence if there are no standard errors, all decisions are equal, or a threshold has too few true or false
        positives. Otherwise, the reason is None.
    """

    thresholds: FloatArray
    net_benefit_x: FloatArray
    net_benefit_y: FloatArray
    treat_all: FloatArray
    difference: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    low_everywhere: FloatArray
    high_everywhere: FloatArray
    shown: IntArray
    n_deciding: IntArray
    confidence_level: float
    df: int
    n_instances: int
    n_positive: int
    n_clusters: int
    n_resamples: int
    seed: int | None
    reason: str | None

    def _axes(self) -> tuple[str, ...]:
        return ("threshold",)


def net_benefit_difference(
    y_true: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence_level: float = 0.95,
    n_resamples: int = net_benefit.N_DRAWS,
    rng: Any = None,
) -> NetBenefitDifference:
    """Compare the net benefits of two classifiers at several thresholds.

    The result has two bands. The pointwise band is for a threshold that was chosen in advance. The wider simultaneous
    band is for a search along the curve for thresholds at which the classifiers differ.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels of n instances, of two classes.
    x, y : array_like of shape (n,)
        Probabilities of the positive class, predicted by two classifiers.
    thresholds : array_like of shape (n_thresholds,), optional
        Increasing numbers above 0 and below 1. Default: 0.01, 0.02, ..., 0.99. With fewer thresholds, the simultaneous
        band is narrower.
    clusters : array_like of shape (n,), optional
        As in `decision_curve`.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. It applies to both bands.
    n_resamples : int, default: 10000
        Number of draws from the multivariate t distribution of the differences, for the simultaneous band.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    NetBenefitDifference

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, a probability is outside of [0, 1], or a threshold is outside of (0, 1). If there is no
        positive or no negative instance.

    See Also
    --------
    evalstats.metrics.decision_curve : the net benefit and its standard error.

    Notes
    -----
    The difference is a mean over instances, so its standard error and the covariance between thresholds are computed as
    for a mean. The pointwise limits use t with G - 1 degrees of freedom for G clusters (or instances). The simultaneous
    limits use the quantile of the largest absolute t over the thresholds. At a threshold at which both classifiers make
    the same decision for every instance, the difference and its limits are 0.

    References
    ----------
    Vickers, A. J. & Elkin, E. B. (2006). Decision curve analysis: a novel method for evaluating prediction models.
    Medical Decision Making 26, 565-574.

    Pfeiffer, R. M. & Gail, M. H. (2020). Estimating the decision curve and its precision from three study designs.
    Biometrical Journal 62, 764-776.

    Examples
    --------
    >>> from evalstats.paired import net_benefit_difference
    >>> y_true = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> x, y = [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8], [0.2, 0.6, 0.3, 0.1, 0.4, 0.7, 0.3, 0.8, 0.6, 0.9]
    >>> result = net_benefit_difference(y_true, x, y, thresholds=[0.25, 0.5])
    >>> result.difference.round(3), result.shown
    (array([0.133, 0.1  ]), array([0, 0]))
    """
    level = _checks.confidence_level(confidence_level)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    for value, name in ((x, "x"), (y, "y")):
        if len(shape := _checks.regular(value, name).shape) != 1:
            raise InvalidValueError(f"{name} must have the shape (n,), but its shape is {shape}")
    decisions = net_benefit.understand_decisions(y_true, {"x": x, "y": y}, thresholds, clusters, pos_label)

    of_x, of_y = (net_benefit.mean_benefits(decisions, {i: 1})[0] for i in (0, 1))
    difference, covariance = net_benefit.mean_benefits(decisions, {0: 1, 1: -1})
    variance = np.diagonal(covariance)
    error = np.where(variance > net_benefit.NOISE * variance.max(), np.sqrt(np.maximum(variance, 0.0)), variance * 0)
    df = decisions.n_clusters - 1
    reach = tails.t_quantile(max(df, 1), 0.5 + level / 2) * error
    wide = net_benefit.largest_deviation(covariance, df, level, n_resamples, source.generator()) * error
    wide = np.maximum(wide, reach)

    prevalence = decisions.positive.mean()
    deciding = np.minimum(net_benefit.fewest_deciding(decisions, 0), net_benefit.fewest_deciding(decisions, 1))
    same = bool((decisions.bins[0] == decisions.bins[1]).all())
    return NetBenefitDifference(
        thresholds=decisions.thresholds,
        net_benefit_x=of_x,
        net_benefit_y=of_y,
        treat_all=prevalence - (1 - prevalence) * decisions.odds,
        difference=difference,
        standard_error=error,
        low=difference - reach,
        high=difference + reach,
        low_everywhere=difference - wide,
        high_everywhere=difference + wide,
        shown=(difference - wide > 0).astype(np.int64) - (difference + wide < 0),
        n_deciding=deciding,
        confidence_level=level,
        df=df,
        n_instances=len(decisions.positive),
        n_positive=int(decisions.positive.sum()),
        n_clusters=decisions.n_clusters,
        n_resamples=n_resamples,
        seed=source.seed,
        reason=net_benefit.SINGLE_CLUSTER if df == 0 else SAME_DECISIONS if same else net_benefit.too_narrow(deciding),
    )
