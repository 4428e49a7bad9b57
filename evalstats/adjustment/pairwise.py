"""Multiple-testing adjustment of the p-values of all pairs of classifiers."""

from __future__ import annotations

__all__ = ["adjust_pairwise"]

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, short
from evalstats._types import FloatArray, IntArray
from evalstats.adjustment import exhaustive_sets
from evalstats.adjustment.interval_hypotheses import along_the_line, order_on_a_line
from evalstats.adjustment.pvalues import ADJUSTMENTS, adjust_pvalues, checked_pvalues

PAIRWISE_ONLY = ("shaffer", "shaffer-dynamic", "bergmann-hommel")

# up to this number, enumerating all partitions is faster than searching for a line
SMALL = 9
# 3^k / 2 steps over sets of classifiers: 4 s at 16 on one core
LARGEST = 16
SECONDS_AT_LARGEST = 4.0
# k^5 steps along the line: 10 s at 127
LARGEST_ON_LINE = 127
SECONDS_AT_LARGEST_ON_LINE = 10.0


def adjust_pairwise(
    pvalues: ArrayLike,
    method: str = "holm",
    *,
    mean_ranks: ArrayLike | None = None,
    enforce_monotonicity: bool = False,
    nan_policy: str = "raise",
) -> FloatArray:
    """Adjust a matrix of pairwise p-values for multiple testing.

    The family consists of the k (k - 1) / 2 pairs of k classifiers. The hypotheses are logically related: if A equals
    B, and B equals C, then A equals C. Therefore, some numbers of true hypotheses are impossible. The methods of
    Shaffer and of Bergmann and Hommel use these relations. Like Holm's method, they control the family-wise error rate
    under any dependence. They reject at least as many hypotheses as Holm's method.

    Parameters
    ----------
    pvalues : array_like of shape (..., k, k)
        Symmetric matrix of the p-values of all pairs. The diagonal is ignored. Leading axes are batch dimensions.
    method : str, default: 'holm'
        A method of `adjust_pvalues`, or

        - ``'shaffer'``: multiplies the i-th smallest p-value by the largest number of hypotheses that can be true if
          any i - 1 hypotheses are false;
        - ``'shaffer-dynamic'``: counts the hypotheses that can be true if exactly the hypotheses with smaller p-values
          are false;
        - ``'bergmann-hommel'``: uses every set of hypotheses that can be true together. This method rejects the most
          hypotheses.

        The last two methods accept up to 16 classifiers with any p-values, and up to 127 classifiers on a line.
        Classifiers are on a line if, in some order, a pair that encloses another pair never has a larger p-value. Tests
        that depend only on mean ranks have this property.
    mean_ranks : array_like of shape (..., k), optional
        The position of each classifier on the line, for ``'shaffer-dynamic'`` and ``'bergmann-hommel'``. None: the
        function searches for the order.
    enforce_monotonicity : bool, default: False
        Whether to raise each adjusted p-value of ``'bergmann-hommel'`` to at least the largest adjusted p-value of the
        pairs with smaller unadjusted p-values, as scmamp does. By the definition of the method, a pair may be rejected
        before a pair with a smaller unadjusted p-value.
    nan_policy : {'raise', 'omit', 'count'}, default: 'raise'
        Treatment of a p-value of nan. ``'omit'``: the hypothesis leaves the family, which becomes smaller. The methods
        that use logical relations do not support this choice. ``'count'``: the hypothesis stays in the family as not
        rejected, as if its p-value were 1. Its adjusted p-value is nan.

    Returns
    -------
    ndarray of shape (..., k, k)
        The adjusted p-values. The matrix is symmetric, with 1 on the diagonal.

    Raises
    ------
    ValueError
        If the matrix is not square or not symmetric, or has fewer than two classifiers. If it has more classifiers than
        the method can process (the message states the required time). If a p-value is outside [0, 1], or nan with
        `nan_policy` ``'raise'``, or if a p-value increases with the difference of the `mean_ranks`. If a choice is
        unknown, or does not apply to the method.

    References
    ----------
    Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. Journal of the American Statistical
    Association 81, 826-831.

    Bergmann, B. & Hommel, G. (1988). Improvements of general multiple test procedures for redundant systems of
    hypotheses. In: Multiple Hypotheses Testing, Springer, 100-115.

    García, S. & Herrera, F. (2008). An extension on "Statistical comparisons of classifiers over multiple data sets"
    for all pairwise comparisons. Journal of Machine Learning Research 9, 2677-2694.

    Examples
    --------
    >>> from evalstats import adjust_pairwise
    >>> adjust_pairwise([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])
    array([[1.  , 0.03, 0.06],
           [0.03, 1.  , 0.06],
           [0.06, 0.06, 1.  ]])

    If A and B differ, at most one of the other two hypotheses is true:

    >>> adjust_pairwise([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]], "shaffer")
    array([[1.  , 0.03, 0.04],
           [0.03, 1.  , 0.03],
           [0.04, 0.03, 1.  ]])
    """
    method = _checks.choice(method, "method", (*ADJUSTMENTS, *PAIRWISE_ONLY))
    if _checks.boolean(enforce_monotonicity, "enforce_monotonicity") and method != "bergmann-hommel":
        raise InvalidValueError(f"enforce_monotonicity is an option of method='bergmann-hommel', not of {method!r}")
    upper, k = _pairs(pvalues, nan_policy)
    _labels.same_labels(pvalues=pvalues, mean_ranks=mean_ranks)
    places = None if mean_ranks is None else _places(mean_ranks, method, (*upper.shape[:-1], k))

    if method in ADJUSTMENTS:
        adjusted = adjust_pvalues(upper, method, nan_policy=nan_policy)
    else:
        if nan_policy == "omit":
            raise InvalidValueError(f"nan_policy must be 'raise' or 'count', not 'omit', if method is {short(method)}")
        raw = np.where(np.isnan(upper), 1.0, upper)
        adjusted = _ADJUSTMENTS[method](raw, k, places)
        if enforce_monotonicity:
            adjusted = exhaustive_sets.enforce_monotonicity(adjusted, raw)
        adjusted = np.where(np.isnan(upper), np.nan, np.clip(adjusted, raw, 1.0))
    return _matrix(adjusted, k)


def _pairs(pvalues: Any, nan_policy: str) -> tuple[FloatArray, int]:
    """Return the p-values of the pairs i < j, of shape (..., k (k - 1) / 2), and k."""
    _labels.square_labels(pvalues, "pvalues")
    matrix = _checks.numbers(pvalues, "pvalues")
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.shape[-1] < 2:
        raise InvalidValueError(
            f"pvalues must have the shape (..., k, k) with k of 2 or more, but its shape is {matrix.shape}"
        )
    off_diagonal = ~np.eye(matrix.shape[-1], dtype=bool)
    checked_pvalues(np.where(off_diagonal, matrix, 1.0), nan_policy)
    i, j = np.triu_indices(matrix.shape[-1], 1)
    upper, lower = matrix[..., i, j], matrix[..., j, i]
    if not np.array_equal(upper, lower, equal_nan=True):
        *batch, pair = map(int, np.argwhere(~((upper == lower) | (np.isnan(upper) & np.isnan(lower))))[0])
        above, below = (", ".join(map(str, [*batch, *at])) for at in ((i[pair], j[pair]), (j[pair], i[pair])))
        values = upper[(*batch, pair)], lower[(*batch, pair)]
        raise InvalidValueError(
            f"pvalues must be symmetric, but pvalues[{above}] is {values[0]} and pvalues[{below}] is {values[1]}"
        )
    return upper, matrix.shape[-1]


def _places(mean_ranks: Any, method: str, shape: tuple[int, ...]) -> FloatArray:
    if method not in ("shaffer-dynamic", "bergmann-hommel"):
        raise InvalidValueError(
            f"mean_ranks is an option of method='shaffer-dynamic' or 'bergmann-hommel', not of {method!r}"
        )
    places = _checks.finite(_checks.numbers(mean_ranks, "mean_ranks"), "mean_ranks")
    if places.shape != shape:
        raise InvalidValueError(f"mean_ranks must have the shape {shape}, but its shape is {places.shape}")
    return places


def _matrix(upper: FloatArray, k: int) -> FloatArray:
    i, j = np.triu_indices(k, 1)
    matrix = np.ones((*upper.shape[:-1], k, k))
    matrix[..., i, j] = matrix[..., j, i] = upper
    return matrix


def _static(upper: FloatArray, k: int, _places: FloatArray | None) -> FloatArray:
    return exhaustive_sets.static(upper, k)


def _dynamic(upper: FloatArray, k: int, places: FloatArray | None) -> FloatArray:
    return _one_by_one(exhaustive_sets.dynamic, "shaffer-dynamic", upper, k, places)


def _bergmann_hommel(upper: FloatArray, k: int, places: FloatArray | None) -> FloatArray:
    return _one_by_one(exhaustive_sets.by_definition, "bergmann-hommel", upper, k, places)


_ADJUSTMENTS: dict[str, Callable[[FloatArray, int, FloatArray | None], FloatArray]] = {
    "shaffer": _static,
    "shaffer-dynamic": _dynamic,
    "bergmann-hommel": _bergmann_hommel,
}


def _one_by_one(
    adjust: Callable[..., FloatArray], method: str, upper: FloatArray, k: int, places: FloatArray | None
) -> FloatArray:
    """Adjust each matrix of the batch over all partitions or, if the classifiers are on a line, over intervals."""
    i, j = np.triu_indices(k, 1)
    adjusted = np.empty_like(upper)
    for at in np.ndindex(upper.shape[:-1]):
        matrix = _matrix(upper[at], k)
        order = _order(matrix, method, None if places is None else places[at])
        line = None if order is None else along_the_line(matrix, order)
        if order is None or line is None:
            adjusted[at] = adjust(matrix, on_line=False)[i, j]
        else:
            back = np.argsort(order)
            adjusted[at] = adjust(line, on_line=True)[np.ix_(back, back)][i, j]
    return adjusted


def _order(matrix: FloatArray, method: str, places: FloatArray | None) -> IntArray | None:
    """Return the order of the classifiers on a line, or None to use all partitions; check the number of classifiers."""
    k = len(matrix)
    if k > LARGEST_ON_LINE:
        seconds = SECONDS_AT_LARGEST_ON_LINE * (k / LARGEST_ON_LINE) ** 5
        raise InvalidValueError(
            f"method {method!r} supports at most {LARGEST_ON_LINE} classifiers; {k} classifiers would take about "
            f"{_duration(seconds)} on a line, and much longer otherwise: use 'shaffer'"
        )
    if places is not None:
        order = np.argsort(places, kind="stable")
        if along_the_line(matrix, order) is None:
            raise InvalidValueError(
                "pvalues must not increase with the difference of mean_ranks, but some p-values do: omit mean_ranks"
            )
        return order
    found = order_on_a_line(matrix) if k > SMALL else None
    if found is None and k > LARGEST:
        seconds = SECONDS_AT_LARGEST * 3.0 ** (k - LARGEST)
        raise InvalidValueError(
            f"method {method!r} supports at most {LARGEST} classifiers that are not on a line, and at most "
            f"{LARGEST_ON_LINE} that are; {k} classifiers would take about {_duration(seconds)}: use 'shaffer'"
        )
    return found


def _duration(seconds: float) -> str:
    for unit, size in (("years", 365.25 * 86400), ("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            number = seconds / size
            return (
                f"{number:.0f} {unit}"
                if number < 10_000
                else f"{number:.0e} {unit}".replace("e+0", "e").replace("e+", "e")
            )
    return f"{seconds:.0f} seconds"
