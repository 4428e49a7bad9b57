"""DeLong's method: variances and covariances of AUCs."""

from __future__ import annotations

__all__ = [
    "AucEstimate",
    "DelongCovariance",
    "adjusted_degrees",
    "adjusted_parts",
    "auc_estimate",
    "delong_covariance",
    "doubled_placements",
    "placements_of",
    "satterthwaite",
]

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, EstimateResult, Record, reasons
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import positive_cases
from evalstats.metrics.score_input import understand_scores

NO_VARIANCE = (
    "all instances of each class have the same rank among the other class, so the standard error is 0 and the interval "
    "has no width; this does not mean that the area is known exactly"
)
SINGLE_CASE = "the variance needs at least two positive and two negative instances"

# from this number of instances, a radix sort is faster, and problems are processed one by one; with fewer instances,
# the sums are integers below 2^53 and therefore exact
MANY_CASES = 2**13
# size of the sample that shows whether there are only a few distinct values
SAMPLE = 1000
# with fewer instances of a class, the normal distribution rejects too often (see the published error rates)
FEW_INSTANCES = 500
FEWEST_OF_KURTOSIS = 4
# weight of a pseudo-instance in each class with the largest observed difference of placements, for few instances:
# with 0.05, simulated error rates are up to 6.3%, and with 0.25, the power is much lower
ADDED = 0.1


@dataclass(frozen=True, kw_only=True, eq=False)
class DelongCovariance(Record):
    """Areas under the ROC curves of several classifiers. You can unpack it: ``auc, covariance = result``.

    Attributes
    ----------
    auc : ndarray of shape (..., k)
        Area under the ROC curve of each classifier.
    covariance : ndarray of shape (..., k, k)
        Estimated covariance of the areas over samples of instances, or nan. If it is nan, `reason` states the cause.
    n_positive, n_negative : int or ndarray of int
        Number of instances of each class.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    """

    auc: FloatArray
    covariance: FloatArray
    n_positive: Any
    n_negative: Any
    reason: Any
    _of_class: FloatArray  # parts of the covariance, (2, ..., k, k): positive and negative instances

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.auc
        yield self.covariance


@dataclass(frozen=True, kw_only=True, eq=False)
class AucEstimate(EstimateResult):
    """Area under a ROC curve with its standard error.

    Attributes
    ----------
    n_positive, n_negative : int or ndarray of int
        Number of instances of each class.
    """

    n_positive: Any
    n_negative: Any

    def confidence_interval(self, confidence_level: float = 0.95, *, scale: str = "logit") -> ConfidenceInterval:
        """Compute a confidence interval for the area under the ROC curve, within [0, 1].

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval, for large samples of both classes.
        scale : {'logit', 'plain'}, default: 'logit'
            ``'logit'``: from the normal interval for log(AUC / (1 - AUC)); asymmetric near 1 (Pepe 2003, chapter 5).
            ``'plain'``: AUC plus and minus z standard errors, truncated at 0 and 1, as in pROC.

        Returns
        -------
        ConfidenceInterval
            The width is 0 if all pairs of instances are in the correct order, or no pair is. The limits are nan if the
            standard error is nan.
        """
        from scipy.special import ndtri

        level = _checks.confidence_level(confidence_level)
        scale = _checks.choice(scale, "scale", ("logit", "plain"))
        auc, error = np.asarray(self.estimate), np.asarray(self.standard_error)
        margin = float(ndtri(0.5 + level / 2)) * error
        low, high = _logit_limits(auc, margin) if scale == "logit" else (auc - margin, auc + margin)
        return ConfidenceInterval(
            low=np.clip(low, 0, 1), high=np.clip(high, 0, 1), confidence_level=level, attained_level=level
        )


def delong_covariance(y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None) -> DelongCovariance:
    """Estimate the covariance of the AUCs of several classifiers by DeLong's method.

    The classifiers score the same instances, so their areas are correlated. Use the covariance to compute the variance
    of the difference between two areas. For a test, use `evalstats.paired.delong_test`.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances.
    y_score : array_like of shape (..., k, n)
        Scores of k classifiers. A greater score means that the positive class is more likely. Leading axes are batch
        dimensions and broadcast.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.

    Returns
    -------
    DelongCovariance
        ``auc, covariance``, and the number of instances of each class. With a single instance of a class, the
        covariance is nan, and `reason` states the cause.

    Raises
    ------
    ValueError
        If the shapes do not match, a score is not finite, or there is no positive or no negative instance.
    TypeError
        If scores are not numbers.

    References
    ----------
    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.
    Sun, X. & Xu, W. (2014). Fast implementation of DeLong's algorithm for comparing the areas under correlated receiver
    operating characteristic curves. IEEE Signal Processing Letters 21, 1389-1393.

    Examples
    --------
    >>> from evalstats.metrics import delong_covariance
    >>> y_true = [0, 0, 0, 1, 1, 1]
    >>> auc, covariance = delong_covariance(y_true, [[1, 2, 4, 3, 5, 6], [1, 5, 2, 3, 4, 6]])
    >>> auc.round(4)
    array([0.8889, 0.7778])
    >>> covariance.round(4)
    array([[ 0.0247, -0.0062],
           [-0.0062,  0.0617]])
    """
    _labels.same_labels(y_true=y_true, y_score=y_score)
    score = understand_scores(y_score)
    if score.ndim < 2:
        raise InvalidValueError(f"y_score must have the shape (n_classifiers, n), but its shape is {score.shape}")
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    return _delong(positive, score)


def auc_estimate(y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None) -> AucEstimate:
    """Estimate the AUC with its standard error by DeLong's method.

    Parameters
    ----------
    y_true, y_score : array_like of shape (..., n)
        True labels and scores of n instances. A greater score means that the positive class is more likely. Leading
        axes are batch dimensions and broadcast.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.

    Returns
    -------
    AucEstimate
        The area, its standard error and the method `AucEstimate.confidence_interval`. If all pairs of a positive and a
        negative instance are in the correct order, or none is, the standard error is 0. With a single instance of a
        class, the standard error is nan, and `reason` states the cause.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `delong_covariance`.

    References
    ----------
    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.
    Pepe, M. S. (2003). The Statistical Evaluation of Medical Tests for Classification and Prediction. Oxford University
    Press, chapter 5.

    Examples
    --------
    >>> from evalstats.metrics import auc_estimate
    >>> result = auc_estimate([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8])
    >>> result.estimate, round(result.standard_error, 4)
    (0.875, 0.1443)
    >>> low, high = result.confidence_interval()
    >>> print(f"{low:.3f} to {high:.3f}")
    0.345 to 0.989
    """
    _labels.same_labels(y_true=y_true, y_score=y_score)
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    several = _delong(positive, understand_scores(y_score)[..., None, :])
    variance = several.covariance[..., 0, 0]
    single = np.minimum(several.n_positive, several.n_negative) < 2
    return AucEstimate(
        estimate=several.auc[..., 0],
        standard_error=np.sqrt(variance),
        reason=reasons(variance.shape, (variance == 0, NO_VARIANCE), (single, SINGLE_CASE)),
        n_positive=several.n_positive,
        n_negative=several.n_negative,
    )


def _delong(positive: BoolArray, score: AnyArray) -> DelongCovariance:
    *_, k, n = score.shape
    if positive.shape[-1] != n:
        raise InvalidValueError(
            f"y_true and y_score must be paired: y_true has {positive.shape[-1]} instances, y_score {n}"
        )
    try:
        batch = np.broadcast_shapes(positive.shape[:-1], score.shape[:-2])
    except ValueError as error:
        shapes = f"{positive.shape} and {score.shape}"
        raise InvalidValueError(f"the leading axes must broadcast, but the shapes are {shapes}") from error
    positive, score = np.broadcast_to(positive, (*batch, n)), np.broadcast_to(score, (*batch, k, n))
    n_positive: AnyArray = positive.sum(axis=-1)
    one_class = (n_positive == 0) | (n_positive == n)
    if one_class.any():
        where = f"y_true[{', '.join(map(str, np.argwhere(one_class)[0]))}]" if batch else "y_true"
        raise InvalidValueError(
            f"y_true must hold positive and negative instances, but all instances of {where} belong to one class"
        )
    auc, parts = (_delong_of_few_cases if n < MANY_CASES else _delong_of_many_cases)(
        positive.reshape(-1, n), score.reshape(-1, k, n)
    )
    parts = parts.reshape(2, *batch, k, k)
    single = np.minimum(n_positive, n - n_positive) < 2
    return DelongCovariance(
        auc=auc.reshape(*batch, k),
        covariance=parts[0] + parts[1],
        n_positive=n_positive,
        n_negative=n - n_positive,
        reason=reasons(batch, (single, SINGLE_CASE)),
        _of_class=parts,
    )


def _delong_of_few_cases(positive: BoolArray, score: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return the areas (b, k) and the two parts of the covariances (2, b, k, k) of b problems, in chunks."""
    b, k, n = score.shape
    auc, parts = np.empty((b, k)), np.empty((2, b, k, k))
    step = max(1, classes.BLOCK // (k * n))

    def fill(start: int) -> None:
        some = slice(start, start + step)
        auc[some], parts[:, some] = _delong_of_block(positive[some], score[some])

    if b <= step:
        fill(0)
        return auc, parts
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(fill, range(0, b, step)))
    return auc, parts


def _delong_of_block(positive: BoolArray, score: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return areas and parts of covariances from doubled placements, whose sums and products are integers."""
    m = positive.sum(axis=-1, dtype=np.float64)[:, None]
    n = positive.shape[-1] - m
    below = doubled_placements(positive, score)
    of_positive = np.where(positive[:, None], below, 0.0)
    auc = of_positive.sum(axis=-1) / (2 * m * n)
    m, n = m[..., None], n[..., None]
    part = _covariance_of_whole(of_positive, m) / (4 * m * n**2)
    return auc, np.stack([part, _covariance_of_whole(below - of_positive, n) / (4 * n * m**2)])


def doubled_placements(positive: BoolArray, score: AnyArray) -> FloatArray:
    """Count twice the instances of the other class below each instance, and once the instances with the same score."""
    b, k, n = score.shape
    order = np.argsort(score, axis=-1)
    order += (np.arange(b * k) * n).reshape(b, k, 1)
    ordered = score.reshape(-1).take(order)
    is_positive = np.repeat(positive, k, axis=0).reshape(-1).take(order)
    # one pass over all rows is faster than row by row; entry i counts the positive instances before position i
    counted = np.zeros(score.size + 1, dtype=np.int32)
    np.cumsum(is_positive.reshape(-1), out=counted[1:])
    is_new = np.ones(score.shape, dtype=bool)
    np.not_equal(ordered[..., 1:], ordered[..., :-1], out=is_new[..., 1:])
    if is_new.all():
        below = (counted[:-1].reshape(b * k, n) - counted[:-1:n, None]).reshape(score.shape)
        doubled = 2 * np.where(is_positive, np.arange(n, dtype=np.int32) - below, below)
    else:
        first = np.flatnonzero(is_new).astype(np.int32)
        end = np.append(first[1:], np.int32(score.size))
        row = first // n * n
        of_negative = counted[first] + counted[end] - 2 * counted[row]
        of_positive = first + end - 2 * row - of_negative
        of_both = (np.repeat(values, end - first).reshape(score.shape) for values in (of_positive, of_negative))
        doubled = np.where(is_positive, *of_both)
    placements = np.empty(score.size)
    placements[order] = doubled
    return placements.reshape(score.shape)


def _covariance_of_whole(rows: FloatArray, size: FloatArray) -> FloatArray:
    """Return the covariance of integer rows, which are 0 for instances outside the class, or nan for one instance."""
    sums = rows.sum(axis=-1)
    products = rows @ rows.swapaxes(-1, -2)
    with np.errstate(invalid="ignore", divide="ignore"):
        covariance: FloatArray = (size * products - sums[..., :, None] * sums[..., None, :]) / (size * (size - 1))
    return covariance


def _delong_of_many_cases(positive: BoolArray, score: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return areas and the two parts of the covariances of b problems, one by one."""
    problems = [_delong_of_one(*problem) for problem in zip(positive, score, strict=True)]
    return np.stack([auc for auc, _ in problems]), np.stack([parts for _, parts in problems], axis=1)


def _delong_of_one(positive: BoolArray, score: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return areas and parts of the covariance of k classifiers: DeLong, DeLong & Clarke-Pearson (1988)."""
    m = int(np.count_nonzero(positive))
    n = len(positive) - m
    positive_first = np.concatenate([np.flatnonzero(positive), np.flatnonzero(~positive)])
    below = _placements(score.take(positive_first, axis=1).astype(np.float64, copy=False), m)
    auc = below[:, :m].sum(axis=1) / (m * n)
    return auc, np.stack([_covariance(below[:, :m]) / (m * n**2), _covariance(below[:, m:]) / (n * m**2)])


def _placements(score: AnyArray, m: int) -> FloatArray:
    """Count the instances of the other class below each instance; ties count half. The first m are one class.

    One sort gives the ranks among all instances and among the instances of the same class: Sun & Xu (2014).
    """
    below = np.empty(score.shape)
    for row, values in enumerate(score):
        order = _order(values)
        ordered = values.take(order)
        among_all = _midpositions(ordered)
        for own in (np.flatnonzero(order < m), np.flatnonzero(order >= m)):
            below[row, order[own]] = among_all[own] - _midpositions(ordered[own])
    return below


def _order(values: FloatArray) -> IndexArray:
    """Return the positions of the values in ascending order, as argsort does.

    For speed, the values of long arrays are rounded to a grid of 16 or 48 bits and sorted with NumPy's radix sort. If
    different values are rounded to the same point of the grid, argsort is used.
    """
    n_digits = 1 if len(np.unique(values[:SAMPLE])) < SAMPLE // 2 else 3
    low, span = float(values.min()), float(values.max()) - float(values.min())
    if len(values) >= MANY_CASES and 1e-280 < span < 1e300:
        places = ((values - low) * ((2.0 ** (16 * n_digits) - 1) / span)).astype(np.int64)
        order: IndexArray = np.arange(len(values))
        for digit in range(n_digits):
            digits = (places >> (16 * digit)).astype(np.uint16)
            order = order.take(np.argsort(digits.take(order), kind="stable"))
        ordered = values.take(order)
        if (ordered[1:] >= ordered[:-1]).all():
            return order
    return np.argsort(values, kind="stable")


def _midpositions(ordered: AnyArray) -> FloatArray:
    """Return the position of each value in its row, from 0, and the mean position of equal values."""
    new = ordered[1:] != ordered[:-1]
    if new.all():
        return np.arange(len(ordered), dtype=np.float64)
    edges = np.concatenate([[0], np.flatnonzero(new) + 1, [len(ordered)]])
    return np.repeat((edges[:-1] + edges[1:] - 1) / 2, np.diff(edges))


def _covariance(rows: FloatArray) -> FloatArray:
    """Return the covariance of rows, or nan for a single value."""
    size = rows.shape[1]
    if size < 2:
        return np.full((len(rows), len(rows)), np.nan)
    deviation = rows - rows.mean(axis=1, keepdims=True)
    covariance: FloatArray = deviation @ deviation.T / (size - 1)
    return covariance


def _logit_limits(auc: FloatArray, margin: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return limits that are symmetric on the logit scale, with the standard error se / (AUC (1 - AUC))."""
    from scipy.special import expit, logit

    no_width = margin == 0
    inside = np.where(no_width, 0.5, auc)
    spread = margin / (inside * (1 - inside))
    low, high = expit(logit(inside) - spread), expit(logit(inside) + spread)
    return np.where(no_width, auc, low), np.where(no_width, auc, high)


def placements_of(positive: BoolArray, score: FloatArray) -> FloatArray:
    """Return the doubled placements of problems with any leading axes, with the shape of the scores."""
    n = score.shape[-1]
    return doubled_placements(positive.reshape(-1, n), score.reshape(-1, *score.shape[-2:])).reshape(score.shape)


def adjusted_parts(
    positive: BoolArray, placements: FloatArray, i: IndexArray, j: IndexArray
) -> tuple[FloatArray, FloatArray]:
    """Return, for each class, the adjusted part of the variance of each difference, and the excess kurtosis.

    The sum of squares of each class contains one pseudo-instance. Its square is between the squares of the largest
    observed and the largest possible difference. Both arrays have the shape (2, ..., n_pairs).
    """
    members = np.stack([positive, ~positive])
    size = members.sum(axis=-1)
    others = 2.0 * size[::-1]
    parts, excess = np.empty((2, *members.shape[:-1], len(i)))
    for pair, (x, y) in enumerate(zip(i, j, strict=True)):
        values = np.where(members, placements[..., x, :] - placements[..., y, :], 0.0)
        largest = (np.abs(values).max(axis=-1) / others).max(axis=0)
        mean = values.sum(axis=-1) / size
        squares = np.where(members, (values - mean[..., None]) ** 2, 0.0)
        total = squares.sum(axis=-1)
        parts[..., pair] = (total / others**2 + ADDED * largest) / (size * np.where(size > 1, size - 1, np.nan))
        excess[..., pair] = _excess_kurtosis(size, total, (squares**2).sum(axis=-1))
    return parts, excess


def adjusted_degrees(size: AnyArray, parts: FloatArray, excess: AnyArray) -> FloatArray:
    """Return Satterthwaite's degrees of freedom for the parts of the two classes and their excess kurtosis."""
    with np.errstate(divide="ignore"):  # a class of one instance
        return satterthwaite(parts, 1 / (1 / (size - 1) + excess / (2 * size)))


def _excess_kurtosis(n: AnyArray, squares: FloatArray, fourth_powers: FloatArray) -> FloatArray:
    """Return the excess kurtosis G2 from sums of powers, or 0 if it is negative, undefined or not estimable."""
    with np.errstate(divide="ignore", invalid="ignore"):
        g2 = n * fourth_powers / squares**2 - 3
        unbiased = ((n + 1) * g2 + 6) * (n - 1) / ((n - 2) * (n - 3))
    return np.where((n >= FEWEST_OF_KURTOSIS) & (squares > 0), np.maximum(unbiased, 0.0), 0.0)


def satterthwaite(variances: Any, freedom: Any) -> FloatArray:
    """Return Satterthwaite's degrees of freedom for a sum of two variances, or nan if both are 0."""
    v, w = variances
    with np.errstate(divide="ignore", invalid="ignore"):
        degrees: FloatArray = (v + w) ** 2 / (v**2 / freedom[0] + w**2 / freedom[1])
    return degrees
