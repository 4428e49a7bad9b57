"""What does every test of many pairs return, and how do the p-values of its pairs become those of one family?"""

from __future__ import annotations

__all__ = ["PairwiseTestResult", "adjusted_family"]

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalstats._result import HypothesisTestResult
from evalstats.adjustment.pairwise import adjust_pairwise
from evalstats.adjustment.pvalues import adjust_pvalues

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseTestResult(HypothesisTestResult):
    """What every test of many pairs returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        ``statistic[i, j]`` compares classifier i with j; with a control, ``statistic[i]`` compares i with it and is nan
        at the control.
    pvalue : ndarray of the same shape
        Adjusted for all pairs that are compared; symmetric and 1 on the diagonal, or nan at the control. Elsewhere nan
        where the test does not apply to a pair.
    unadjusted_pvalue : ndarray of the same shape
        The p-value of each pair as if it were the only one.
    adjustment : str
        How the p-values were adjusted: a method of `adjust_pairwise`, with a control of `adjust_pvalues`, or
        ``'none'``, or ``'single-step'`` where the null distribution is that of the whole family.
    control : int or None
        Column of the control; None: all pairs.
    n_classifiers : int
        Number k of classifiers.
    """

    unadjusted_pvalue: FloatArray
    adjustment: str
    control: int | None
    n_classifiers: int


def adjusted_family(unadjusted: FloatArray, adjustment: str, control: int | None) -> FloatArray:
    """Adjust the p-values of all pairs, (..., k, k), or of all against a control, (..., k).

    A pair whose p-value is nan stays nan; it counts as a member of the family that is not rejected.
    """
    if adjustment == "none":
        return unadjusted
    if control is None:
        return adjust_pairwise(unadjusted, adjustment, nan_policy="count")
    others = np.arange(unadjusted.shape[-1]) != control
    adjusted = np.full(unadjusted.shape, np.nan)
    adjusted[..., others] = adjust_pvalues(unadjusted[..., others], adjustment, nan_policy="count")
    return adjusted
