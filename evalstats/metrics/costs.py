"""Expected cost of the errors of a classifier for each instance."""

from __future__ import annotations

__all__ = ["expected_cost"]

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._result import unbatch
from evalstats._types import FloatArray
from evalstats.metrics.undefined import fill_value, policy, report

# shares that are rounded to six digits are still shares of a whole
SHARES_TOLERANCE = 1e-6


def expected_cost(
    counts: ArrayLike,
    costs: ArrayLike,
    *,
    class_priors: ArrayLike | None = None,
    normalize: bool = False,
    undefined: str = "raise",
) -> Any:
    """Compute the expected cost of an instance under a matrix of costs.

    Parameters
    ----------
    counts : array_like of shape (..., k, k)
        Counts or sums of weights, at least 0; rows are the true class, columns the predicted class. See
        `confusion_counts`.
    costs : array_like of shape (k, k)
        Cost of an instance of the row's class that is predicted as the column's class, at least 0, in any unit. At
        least one cost must be positive.
    class_priors : array_like of shape (k,), optional
        Proportion of each class among future instances; they sum to 1. Default: the proportions in `counts`.
    normalize : bool, default: False
        Divide by the cost of the most expensive error in every instance, so the value is between 0 and 1: the
        normalized expected cost of Drummond & Holte.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if there are no instances, or none of a class with a positive proportion. ``'raise'``: an error that
        names the place; ``'nan'``: nan; ``'warn'``: the same with one warning for the whole batch; ``'zero'``: 0.

    Returns
    -------
    float or ndarray of the leading shape

    Raises
    ------
    ValueError
        If `counts` or `costs` are not square or not at least 0, their shapes differ, all costs are 0, or the
        proportions do not sum to 1.
    TypeError
        If they are not numbers.

    References
    ----------
    Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing classifier performance. Machine
    Learning 65, 95-130. Section 2.

    Examples
    --------
    A false negative costs 10, a false positive 1. Of 100 instances, 4 are false negatives and 6 are false positives:

    >>> from evalstats.metrics import expected_cost
    >>> print(f"{expected_cost([[84, 6], [4, 6]], [[0, 1], [10, 0]]):.2f}")
    0.46

    If only 1 of 100 future instances is positive:

    >>> print(f"{expected_cost([[84, 6], [4, 6]], [[0, 1], [10, 0]], class_priors=[0.99, 0.01]):.3f}")
    0.106
    """
    undefined = policy(undefined)
    normalize = _checks.boolean(normalize, "normalize")
    table, cost = _square(counts, "counts"), _square(costs, "costs")
    names = _labels.square_labels(counts, "counts")
    if names is not None:
        _labels.square_labels(costs, "costs")
        _labels.labels_agree(costs, "costs", names, "the classes of counts")
    k = table.shape[-1]
    if cost.shape != (k, k):
        raise InvalidValueError(f"costs must have the shape ({k}, {k}), as counts has {k} classes, not {cost.shape}")
    if not cost.any():
        raise InvalidValueError("costs must have a number above 0: with costs of 0 alone nothing is to be compared")
    shares = None if class_priors is None else _shares(class_priors, k, names)

    largest = cost.max()
    of_class = table.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if shares is None:
            weight = of_class / of_class.sum(axis=-1, keepdims=True)
            value = (table * (cost / largest)).sum(axis=(-2, -1)) / of_class.sum(axis=-1)
        else:
            weight = np.where(shares > 0, shares, 0.0)
            rates = np.where(shares[:, None] > 0, table / of_class[..., None], 0.0)
            value = (weight[:, None] * rates * (cost / largest)).sum(axis=(-2, -1))
        worst = (weight * (cost.max(axis=-1) / largest)).sum(axis=-1)
        value = value / worst if normalize else value * largest
    when = "there is no instance" if shares is None else "there is no instance of a class with a positive prior"
    if normalize:
        when += ", or mistakes in the classes that are there cost nothing"
    missing = np.isnan(value)
    report(missing, undefined, function="expected_cost", when=when, usual=math.nan)
    return unbatch(np.where(missing, fill_value(undefined, math.nan), value))


def _square(value: Any, name: str) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, name), name)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.size == 0:
        kind = "(..., k, k)" if name == "counts" else "(k, k)"
        raise InvalidValueError(
            f"{name} must have the shape {kind}, a row and a column for each class, not {array.shape}"
        )
    if array.min() < 0:
        at = tuple(int(i) for i in np.argwhere(array < 0)[0])
        raise InvalidValueError(f"{name} must be 0 or more, but {name}{list(at)} is {array[at]:g}")
    return _checks.moderate(array, name)


def _shares(value: Any, k: int, names: tuple[Any, ...] | None) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, "class_priors"), "class_priors")
    if names is not None:
        _labels.labels_agree(value, "class_priors", names, "the classes of counts")
    if array.shape != (k,):
        raise InvalidValueError(f"class_priors must hold one prior for each of {k} classes, not {array.shape}")
    if array.min() < 0:
        raise InvalidValueError(f"class_priors must be 0 or more and sum to 1, but one is {array.min():g}")
    if abs(array.sum() - 1) > SHARES_TOLERANCE:
        raise InvalidValueError(f"class_priors must be 0 or more and sum to 1, but they sum to {array.sum():g}")
    return array
