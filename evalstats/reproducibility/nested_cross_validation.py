"""Confidence interval for the mean score of one learner by nested cross-validation."""

from __future__ import annotations

__all__ = ["NestedCrossValidatedMean", "nested_cross_validated_mean"]

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._result import ConfidenceInterval, EstimateResult
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails

EQUAL_SCORES = (
    "all scores of the inner models are equal, so the interval has the width 0, although the mean score is uncertain"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class NestedCrossValidatedMean(EstimateResult):
    """Result of `nested_cross_validated_mean`.

    Attributes
    ----------
    estimate : float
        `nested_mean` minus `bias`: mean score of a model that is trained on all instances.
    standard_error : float
        `inflation` times the naive standard error of the mean of n scores.
    reason : str or None
        A sentence if all scores are equal, otherwise None.
    nested_mean, outer_mean : float
        Mean scores of the inner and of the outer models.
    bias : float
        Estimated change in the mean score due to the smaller training sets of the inner models.
    mean_squared_error : float
        Estimated mean squared error of the mean score of the inner models. It may be negative. The inflation is
        then 1.
    inflation : float
        Factor by which the correlation of the scores increases the standard error, between 1 and the square root of the
        number of folds.
    running_inflation : ndarray of shape (n_repeats,)
        The inflation after each repeat.
    n_instances, n_folds, n_repeats : int
        Numbers of instances, folds and repeats.
    """

    nested_mean: float
    outer_mean: float
    bias: float
    mean_squared_error: float
    inflation: float
    running_inflation: FloatArray
    n_instances: int
    n_folds: int
    n_repeats: int
    _is_proportion: bool

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean score from quantiles of the normal distribution.

        The interval depends on the random splits. If all scores are between 0 and 1, the limits are also between 0 and
        1.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> import numpy as np
        >>> from evalstats.reproducibility import nested_cross_validated_mean
        >>> fold = [0, 0, 1, 1, 2, 2]
        >>> inner = [[np.nan, np.nan, 1, 2, 2, 3], [2, 4, np.nan, np.nan, 1, 3], [1, 5, 3, 3, np.nan, np.nan]]
        >>> low, high = nested_cross_validated_mean([2, 4, 1, 3, 2, 2], inner, fold).confidence_interval()
        >>> print(f"{low:.3f} to {high:.3f}")
        1.283 to 3.272
        """
        level = _checks.confidence_level(confidence_level)
        reach = float(tails.t_quantile(math.inf, 0.5 + level / 2)) * self.standard_error
        low, high = self.estimate - reach, self.estimate + reach
        if self._is_proportion:
            low, high = (min(max(end, 0.0), 1.0) for end in (low, high))
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=level)


def nested_cross_validated_mean(outer: ArrayLike, inner: ArrayLike, fold: ArrayLike) -> NestedCrossValidatedMean:
    """Estimate the mean score of a learner and its standard error by nested cross-validation.

    The models of a cross-validation share training data, so their scores are correlated. A confidence interval from
    the scores of all instances is therefore often too narrow for the expected score of the learner. Nested
    cross-validation estimates the necessary increase of the standard error.

    Parameters
    ----------
    outer : array_like of shape (n_repeats, n) or (n,)
        Loss, or a different score, of each of n instances from the outer model of its fold. This model was trained on
        the other k - 1 folds.
    inner : array_like of shape (n_repeats, k, n) or (k, n)
        For outer fold j: the score of each instance in the other folds from an inner cross-validation within these
        folds. The models of the inner cross-validation are trained on k - 2 folds. The scores are nan for the instances
        of fold j.
    fold : array_like of shape (n_repeats, n) or (n,)
        Outer fold of each instance, a number from 0 to k - 1. Each repeat has different random folds. At least 3 folds
        with at least 2 instances each are required.

    Returns
    -------
    NestedCrossValidatedMean
        The result also has the method `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If the shapes do not match, or a fold is missing or has one instance. If a score is missing or not finite, or
        inner scores are given for instances of the same outer fold.

    See Also
    --------
    evalstats.metrics.cross_validated_mean : a faster interval for the mean score of the models of one cross-validation.

    Notes
    -----
    For each outer fold, let a be the squared difference between the means of the inner and the outer scores. Let b be
    the variance of the outer scores in the fold divided by their number. The mean squared error is the mean of a - b
    over folds and repeats. Let s be the standard deviation of all inner scores. The inflation is sqrt(mean squared
    error) / (s / sqrt(n (k - 1) / k)), limited to the range from 1 to sqrt(k). The standard error is the inflation
    times s / sqrt(n). The bias is (1 + (k - 2) / k) (nested mean - outer mean).

    One repeat requires k + k (k - 1) / 2 model fits. With few repeats, the inflation is noisy. The authors use 200
    repeats or more, and `running_inflation` shows whether the inflation is stable.

    References
    ----------
    Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it estimate and how well does it do it?
    Journal of the American Statistical Association 119, 1434-1445, algorithm 1.

    Examples
    --------
    The losses of one repeat with three folds of two instances: the squared differences a are 1, 1/4 and 1. The
    variances b (the variances of the outer losses divided by 2) are 1, 1 and 0. The mean of a - b is 1/12.

    >>> import numpy as np
    >>> from evalstats.reproducibility import nested_cross_validated_mean
    >>> fold = [0, 0, 1, 1, 2, 2]
    >>> inner = [[np.nan, np.nan, 1, 2, 2, 3], [2, 4, np.nan, np.nan, 1, 3], [1, 5, 3, 3, np.nan, np.nan]]
    >>> result = nested_cross_validated_mean([2, 4, 1, 3, 2, 2], inner, fold)
    >>> result.nested_mean, round(result.bias, 4), round(result.mean_squared_error, 4), result.inflation
    (2.5, 0.2222, 0.0833, 1.0)
    """
    of_outer, of_inner, of_fold = _understand(outer, inner, fold)
    n_repeats, k, n = of_inner.shape
    is_own = of_fold[:, np.newaxis, :] == np.arange(k)[:, np.newaxis]  # (n_repeats, k, n)

    size = is_own.sum(axis=2)
    outer_means = np.where(is_own, of_outer[:, np.newaxis], 0.0).sum(axis=2) / size
    deviation = np.where(is_own, of_outer[:, np.newaxis] - outer_means[..., np.newaxis], 0.0)
    of_others = np.where(is_own, 0.0, of_inner)
    a = (of_others.sum(axis=2) / (n - size) - outer_means) ** 2
    b = (deviation**2).sum(axis=2) / (size - 1) / size
    rounds = np.arange(1, n_repeats + 1)
    errors = np.cumsum((a - b).mean(axis=1)) / rounds

    # sums of the inner scores and of their squares around one center, after each repeat
    center = of_others.sum() / (~is_own).sum()
    centered = np.where(is_own, 0.0, of_inner - center)
    count = n * (k - 1) * rounds
    sums, squares = (np.cumsum((centered**power).sum(axis=(1, 2))) for power in (1, 2))
    sd = np.sqrt(np.maximum(squares - sums**2 / count, 0.0) / (count - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = np.sqrt(np.maximum(errors, 0.0)) / (sd / math.sqrt(n * (k - 1) / k))
    inflation = np.clip(np.where(sd > 0, raw, 1.0), 1.0, math.sqrt(k))
    nested_mean, outer_mean = float(center), float(of_outer.mean())
    bias = (1 + (k - 2) / k) * (nested_mean - outer_mean)
    both = (of_others.min(), of_others.max(), of_outer.min(), of_outer.max())
    return NestedCrossValidatedMean(
        estimate=nested_mean - bias,
        standard_error=float(inflation[-1] * sd[-1] / math.sqrt(n)),
        reason=EQUAL_SCORES if sd[-1] == 0 else None,
        nested_mean=nested_mean,
        outer_mean=outer_mean,
        bias=bias,
        mean_squared_error=float(errors[-1]),
        inflation=float(inflation[-1]),
        running_inflation=inflation,
        n_instances=n,
        n_folds=k,
        n_repeats=n_repeats,
        _is_proportion=bool(min(both) >= 0 and max(both) <= 1),
    )


def _understand(outer: object, inner: object, fold: object) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the scores and folds with an axis for repeats, and 0 for inner scores of instances in the outer fold."""
    of_outer = _checks.moderate(_checks.finite(_checks.numbers(outer, "outer"), "outer"), "outer")
    of_inner = _checks.numbers(inner, "inner")
    given = _checks.finite(_checks.numbers(fold, "fold"), "fold")
    if of_outer.ndim == 1:
        of_outer, of_inner, given = of_outer[np.newaxis], of_inner[np.newaxis], given[np.newaxis]
    shapes = f"{of_outer.shape}, {of_inner.shape} and {given.shape}"
    if of_outer.ndim != 2 or of_inner.ndim != 3 or given.shape != of_outer.shape or 0 in of_inner.shape:
        raise InvalidValueError(f"outer, inner and fold must have shapes (r, n), (r, k, n) and (r, n), not {shapes}")
    if of_inner.shape[::2] != of_outer.shape:
        raise InvalidValueError(f"inner must have as many repeats and instances as outer, but the shapes are {shapes}")
    k = of_inner.shape[1]
    if k < 3:
        raise InvalidValueError(f"inner must have 3 folds or more, not {k}")
    if (given != np.rint(given)).any():
        raise InvalidTypeError(
            f"fold must hold whole numbers from 0 to {k - 1}, not {given[given != np.rint(given)][0]:g}"
        )
    of_fold = given.astype(np.int64)
    if (of_fold < 0).any() or (of_fold >= k).any():
        wrong = of_fold[(of_fold < 0) | (of_fold >= k)][0]
        raise InvalidValueError(f"fold must hold whole numbers from 0 to {k - 1}, not {wrong}")
    is_own = of_fold[:, np.newaxis, :] == np.arange(k)[:, np.newaxis]
    if (is_own.sum(axis=2) < 2).any():
        raise InvalidValueError(f"fold must assign two instances or more to each of the {k} folds, in every repeat")
    if not np.isnan(of_inner[is_own]).all():
        raise InvalidValueError("inner must be nan for the instances of the outer fold, which no inner model may score")
    filled = np.where(is_own, 0.0, of_inner)
    return of_outer, _checks.moderate(_checks.finite(filled, "inner"), "inner"), of_fold
