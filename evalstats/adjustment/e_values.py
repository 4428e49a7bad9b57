"""Multiple testing with e-values: e-Holm and e-BH."""

from __future__ import annotations

__all__ = ["EValueAdjustment", "adjust_e_values"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray

METHODS = ("e-holm", "e-bh")
CURRENT = "of the current e-values only: with more data, e-BH may no longer reject a hypothesis that it rejects now"


@dataclass(frozen=True, kw_only=True, eq=False)
class EValueAdjustment(Record):
    """Result of `adjust_e_values`.

    Attributes
    ----------
    e_value : ndarray of shape (m,)
        The e-values.
    adjusted : ndarray of shape (m,)
        Adjusted e-values: e-Holm rejects hypotheses with values of 1 / alpha or more. For e-BH, the value is 1 / alpha
        for the smallest alpha at which the hypothesis is rejected.
    rejected : ndarray of bool, of shape (m,)
        Whether the hypothesis is rejected.
    alpha : float
        Family-wise error rate (e-Holm) or false discovery rate (e-BH).
    method : str
        ``'e-holm'`` or ``'e-bh'``.
    caution : str or None
        For e-BH, a sentence stating that the false discovery rate refers to the current e-values; otherwise None.
    """

    e_value: FloatArray
    adjusted: FloatArray
    rejected: BoolArray
    alpha: float
    method: str
    caution: str | None


def adjust_e_values(e_values: ArrayLike, *, method: str = "e-holm", alpha: float = 0.05) -> EValueAdjustment:
    """Adjust e-values for multiple testing, under any dependence.

    An e-value is a nonnegative statistic with an expected value of at most 1 under the null hypothesis, such as the
    `e_value` of `betting_test`. Large e-values are evidence against the null hypothesis. e-Holm controls the
    family-wise error rate at any stopping time. Therefore, you can test after every batch of data. e-BH controls the
    false discovery rate of the current e-values. The maximum of an e-process over time is not an e-value, and e-BH does
    not control this rate for such maxima.

    Parameters
    ----------
    e_values : array_like of shape (m,)
        Current e-values of m hypotheses, such as all pairs of models. They are 0 or more, and may be infinite.
    method : {'e-holm', 'e-bh'}, default: 'e-holm'
        ``'e-holm'``: closed testing with means. ``'e-bh'``: the base e-BH procedure of Wang & Ramdas.
    alpha : float, default: 0.05
        Significance level of all hypotheses together.

    Returns
    -------
    EValueAdjustment
        Adjusted e-values and the rejected hypotheses.

    Raises
    ------
    ValueError, TypeError
        If an e-value is negative or nan, or if an option is unknown.

    See Also
    --------
    adjust_pvalues : the adjustment of p-values.
    betting_test, sequential_sign_test : tests of one pair with e-values, for repeated testing.

    References
    ----------
    Vovk, V. & Wang, R. (2021). E-values: calibration, combination and applications. Annals of Statistics 49, 1736-1754.

    Wang, R. & Ramdas, A. (2022). False discovery rate control with e-values. Journal of the Royal Statistical Society
    B 84, 822-852.

    Hartog, W. & Lei, L. (2025). Family-wise error rate control with e-values. arXiv 2501.09015.

    Tavyrikov, Y., Goeman, J. J. & de Heide, R. (2025). Carefree multiple testing with e-processes. arXiv 2501.19360.

    Examples
    --------
    >>> from evalstats.adjustment import adjust_e_values
    >>> result = adjust_e_values([200, 90, 30, 4])
    >>> result.adjusted.round(2), result.rejected
    (array([78.  , 41.33, 17.  ,  4.  ]), array([ True,  True, False, False]))
    >>> adjust_e_values([200, 90, 30, 4], method="e-bh").rejected
    array([ True,  True,  True, False])
    """
    method = _checks.choice(method, "method", METHODS)
    alpha = _checks.proportion(alpha, "alpha")
    values = _understood(e_values)
    with np.errstate(over="ignore"):  # values above 1e308 become infinite
        adjusted = _holm(values) if method == "e-holm" else _benjamini_hochberg(values)
    # 1 / alpha is rounded, and an e-value of exactly 20 must reject at 0.05
    return EValueAdjustment(
        e_value=values,
        adjusted=adjusted,
        rejected=adjusted * alpha >= 1 - 1e-12,
        alpha=alpha,
        method=method,
        caution=CURRENT if method == "e-bh" else None,
    )


def _understood(e_values: Any) -> FloatArray:
    values = _checks.numbers(e_values, "e_values")
    if values.ndim != 1 or not values.size:
        raise InvalidValueError(
            f"e_values must have the shape (m,), with m of 1 or more, but its shape is {values.shape}"
        )
    if (wrong := np.flatnonzero(~(values >= 0))).size:
        at = int(wrong[0])
        raise InvalidValueError(f"e_values must be nonnegative, but e_values[{at}] is {values[at]:g}")
    return values


def _holm(values: FloatArray) -> FloatArray:
    """Return, for each hypothesis, the smallest mean over all sets that contain it (Hartog & Lei 2025, section 2).

    The set with the smallest mean contains the hypothesis and the j smallest other values. Adding the values in
    ascending order decreases the mean as long as each added value is below it.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    sizes = np.arange(len(values))
    adjusted = np.empty(len(values))
    for place, value in enumerate(ordered):
        # the j smallest other values: only values before this position can decrease the mean
        adjusted[order[place]] = ((value + sums[: place + 1]) / (sizes[: place + 1] + 1)).min()
    return adjusted


def _benjamini_hochberg(values: FloatArray) -> FloatArray:
    """Return 1 / alpha for the smallest alpha at which e-BH rejects (Wang & Ramdas 2022, section 3)."""
    m = len(values)
    order = np.argsort(-values, kind="stable")
    scaled = values[order] * np.arange(1, m + 1) / m
    adjusted = np.empty(m)
    # rejected if some later position reaches 1 / alpha
    adjusted[order] = np.maximum.accumulate(scaled[::-1])[::-1]
    return adjusted
