"""Mean score of a cross-validation, with a confidence interval."""

from __future__ import annotations

__all__ = ["CrossValidatedMean", "FoldedMean", "cross_validated_mean", "folded_mean"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, EstimateResult, interval_of, reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import NOISE, numbered, sums_by_code

VARIANCES = ("within", "all")
# a smaller standard error, relative to the largest score, is rounding error
NO_WITHIN = (
    "the variance within a fold with a single instance (or cluster) is undefined, so the variance over all instances "
    "is used"
)
EQUAL_SCORES = (
    "all scores are equal, so the interval has no width; this does not mean that the mean is known exactly, see "
    "rule_of_three"
)
SINGLE_CLUSTER = "the standard error of the mean cannot be estimated from a single cluster"


class FoldedMean(NamedTuple):
    """The mean of the scores of all folds, its standard error, and the kind of variance that was used."""

    mean: FloatArray
    standard_error: FloatArray
    variance: str
    df: float
    n_folds: int
    n_clusters: int | None
    no_within: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossValidatedMean(EstimateResult):
    """Result of `cross_validated_mean`.

    Attributes
    ----------
    estimate : float or ndarray
        Mean score over all instances, which estimates the mean expected score of the models from the folds.
    standard_error : float or ndarray
        Standard error of the estimate, or nan if there is a single instance or cluster.
    reason : str, None or ndarray of object
        A sentence if all scores are equal, if there is no standard error, or if the variance within folds is
        undefined, otherwise None.
    variance : str
        ``'within'`` or ``'all'``: the variance that was used.
    df : float
        Degrees of freedom of the t distribution: infinite (the normal distribution) without clusters, and the number of
        clusters minus 1 with clusters.
    n_instances, n_folds : int
        Numbers of instances and of folds.
    n_train : int
        Mean number of instances on which a model was trained, rounded.
    n_clusters : int or None
        Number of clusters, or None if each instance is independent.
    rule_of_three : float or ndarray
        If all scores are 0, the largest mean at which this outcome has the probability 0.05 (about 3 / n). If all
        scores are 1, the smallest such mean. It is nan for other scores.
    """

    variance: str
    df: float
    n_instances: int
    n_folds: int
    n_train: int
    n_clusters: int | None
    rule_of_three: Any
    _is_proportion: bool

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean expected score of the models from the folds.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            The estimate plus and minus a quantile times the standard error, limited to [0, 1] if all scores are in [0,
            1]. The limits are nan if the standard error is nan.

        Examples
        --------
        >>> from evalstats.metrics import cross_validated_mean
        >>> errors = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]
        >>> low, high = cross_validated_mean(errors, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]
        ...     ).confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        0.0883 0.5117
        """
        level = _checks.confidence_level(confidence_level)
        mean = np.asarray(self.estimate)
        reach = tails.t_quantile(self.df, 0.5 + level / 2) * np.asarray(self.standard_error)
        low, high = mean - reach, mean + reach
        if self._is_proportion:
            low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
        return interval_of(low, high, level)


def cross_validated_mean(
    scores: ArrayLike, fold: ArrayLike, *, variance: str = "within", clusters: ArrayLike | None = None
) -> CrossValidatedMean:
    """Estimate the mean score of one cross-validation with its standard error.

    The target of the estimate is the mean expected score on new instances of the models from this cross-validation.
    These models are trained on a part of the data, so a model that is trained on all data is often slightly better.

    Parameters
    ----------
    scores : array_like of shape (..., n)
        Score of each instance by the model that was not trained on the instance. The score is 1 or 0 for a correct or
        incorrect prediction, or any other score or loss of individual instances. Leading axes are batch dimensions,
        such as several classifiers with the same folds. If the cross-validation has several repeats, pass the mean
        score of each instance over the repeats, with ``variance='all'``.
    fold : array_like of shape (n,)
        Fold in which each instance was tested: names or numbers, in any order.
    variance : {'within', 'all'}, default: 'within'
        ``'within'``: mean variance within the folds, weighted by their sizes. ``'all'``: variance over all instances,
        which is also used if a fold has a single instance, as in leave-one-out.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, if several instances are correlated: names or numbers, in any order. A cluster may
        have instances in several folds.

    Returns
    -------
    CrossValidatedMean
        The mean and its standard error, with the method `CrossValidatedMean.confidence_interval`.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, there is only one fold, or an option is unknown. If `fold` or `clusters` does
        not have one entry for each instance.

    See Also
    --------
    evalstats.paired.cross_validated_test : comparison of two classifiers in one cross-validation.

    Notes
    -----
    Let h be the scores and R their mean. With ``'within'``, s^2 is the mean of the variances of the folds (divisor:
    size - 1). With ``'all'``, s^2 is the mean of (h - R)^2. The standard error is s / sqrt(n). Bayle et al. prove that
    the interval is valid for stable learning algorithms, for which a change in one training instance hardly changes the
    score. Given the model of a fold, the scores of the instances of the fold are independent. The target of the
    interval is the mean score of these models, so the shared training data of the folds do not affect the interval. The
    standard deviation of the scores of k folds, divided by sqrt(k), is a noisy estimate of the same standard error.

    In simulations with 50 instances, the coverage of the 95% interval is 92.4%.

    References
    ----------
    Bayle, P., Bayle, A., Janson, L. & Mackey, L. (2020). Cross-validation confidence intervals for test error. Advances
    in Neural Information Processing Systems 33, 16339-16350, section 4.

    Examples
    --------
    >>> from evalstats.metrics import cross_validated_mean
    >>> errors = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]
    >>> result = cross_validated_mean(errors, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4])
    >>> result.estimate, round(result.standard_error, 4), result.n_train
    (0.3, 0.108, 16)
    """
    values = _checks.moderate(_checks.finite(_checks.numbers(scores, "scores"), "scores"), "scores")
    if values.ndim == 0 or values.size == 0:
        raise InvalidValueError(f"scores must hold at least one instance, but the shape is {values.shape}")
    found = folded_mean(values, fold, variance, clusters, scores=scores)

    n, shape = values.shape[-1], found.mean.shape
    lowest, highest = values.min(axis=-1), values.max(axis=-1)
    equal = found.standard_error == 0
    limit = 0.05 ** (1 / (n if found.n_clusters is None else found.n_clusters))
    three = np.where(equal & (lowest == 1), limit, np.where(equal & (lowest == 0), 1 - limit, np.nan))
    return CrossValidatedMean(
        estimate=found.mean,
        standard_error=found.standard_error,
        reason=reasons(
            shape, (np.isnan(found.standard_error), SINGLE_CLUSTER), (equal, EQUAL_SCORES), (found.no_within, NO_WITHIN)
        ),
        variance=found.variance,
        df=found.df,
        n_instances=n,
        n_folds=found.n_folds,
        n_train=round(n - n / found.n_folds),
        n_clusters=found.n_clusters,
        rule_of_three=three,
        _is_proportion=bool(lowest.min() >= 0 and highest.max() <= 1),
    )


def folded_mean(
    values: FloatArray,
    fold: Any,
    variance: Any,
    clusters: Any,
    *,
    size: Any = None,
    noise: float = NOISE,
    **beside: Any,
) -> FoldedMean:
    """Return the mean of values of shape (..., n) and its standard error: Bayle et al. (2020), section 4.

    `size` is the largest absolute score from which the values are computed, and `noise` its relative rounding error.
    `beside` names the data to which `fold` and `clusters` belong.
    """
    variance = _checks.choice(variance, "variance", VARIANCES)
    n = values.shape[-1]
    of_fold, folds = numbered(fold, "fold", "fold", n, **beside)
    if len(folds) < 2:
        raise InvalidValueError(f"fold must name at least two folds, but all {n} instances are in fold {folds[0]!r}")
    unit = np.arange(n) if clusters is None else numbered(clusters, "clusters", "cluster", n, **beside)[0]
    n_units = int(unit.max()) + 1
    n_clusters = None if clusters is None else n_units

    # clusters (or instances) in each fold
    pairs = np.unique(of_fold * n_units + unit)
    units_of_fold = np.bincount(pairs // n_units, minlength=len(folds))
    no_within = variance == "within" and bool((units_of_fold < 2).any())
    kind = "all" if no_within else variance
    mean = values.mean(axis=-1)
    if kind == "all":
        deviations = values - mean[..., np.newaxis]
    else:
        sizes = np.bincount(of_fold)
        means = sums_by_code(values, of_fold, len(folds)) / sizes
        factor = np.sqrt(units_of_fold / (units_of_fold - 1))
        deviations = (values - means[..., of_fold]) * factor[of_fold]
    sums = deviations if clusters is None else sums_by_code(deviations, unit, n_units)
    error = np.sqrt((sums**2).sum(axis=-1)) / n
    largest = np.abs(values).max(axis=-1) if size is None else size
    error = np.where(error * np.sqrt(n) <= noise * largest, 0.0, error)
    if n_units == 1:
        error = np.full_like(error, np.nan)
    df = np.inf if clusters is None else float(max(n_units - 1, 1))
    return FoldedMean(mean, error, kind, df, len(folds), n_clusters, no_within)
