"""The sign test by the normal approximation: does one classifier win on more datasets than it loses?"""

from __future__ import annotations

__all__ = ["NormalSignTestResult", "normal_sign_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import HypothesisTestResult, reasons
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.sign import NO_DIFFERENCE, wins_and_losses


@dataclass(frozen=True, kw_only=True, eq=False)
class NormalSignTestResult(HypothesisTestResult):
    """What `normal_sign_test` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    statistic : float or ndarray
        Wins minus losses of x in standard deviations; 0 where no pair is decided.
    pvalue : float or ndarray
        Tail probability of the normal distribution.
    n_wins, n_losses : int or ndarray
        Pairs in which x is larger and smaller than y.
    tie_tolerance : float
        Relative difference below which two scores are equal.
    """

    n_wins: Any
    n_losses: Any
    tie_tolerance: float


def normal_sign_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> NormalSignTestResult:
    """Test whether one classifier wins on more datasets than the other.

    The null hypothesis is that each wins a decided pair with probability 1/2.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n datasets. Leading axes are a batch and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x is larger than y.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are equal; 0 requires exact equality.

    Returns
    -------
    NormalSignTestResult
        The statistic, the p-value and the counts.

    Raises
    ------
    ValueError
        If x and y are not paired, are empty, hold nan or infinity, or if an option is unknown.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30, section 3.1.4.

    Examples
    --------
    >>> from evalstats import normal_sign_test
    >>> normal_sign_test([7, 8, 9, 8], [6, 7, 7, 7]).statistic
    2.0
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = _checks.paired(x, y)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    wins, losses = wins_and_losses(x, y, tie_tolerance)
    decided = wins + losses
    statistic = (wins - losses) / np.sqrt(np.maximum(decided, 1))

    return NormalSignTestResult(
        statistic=statistic,
        pvalue=np.where(decided > 0, _pvalue(statistic, alternative), 1.0),
        alternative=alternative,
        method=np.full(wins.shape, "asymptotic"),
        reason=reasons(wins.shape, (decided == 0, NO_DIFFERENCE)),
        n_wins=wins,
        n_losses=losses,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=normal_sign_test,
        data=Data.PAIRS,
        inputs={"x, y": Draw("pairs"), "alternative": _checks.ALTERNATIVES},
        simulations={"": {}},
        sentence="Normal sign test: x is larger in {n_wins:count pair}, smaller in {n_losses}, {outcome}",
    ),
)


def _pvalue(z: Any, alternative: str) -> Any:
    from scipy.special import ndtr

    z = {"two-sided": np.abs(z), "greater": z, "less": -z}[alternative]
    return tails.as_pvalue((2 if alternative == "two-sided" else 1) * ndtr(-z))
