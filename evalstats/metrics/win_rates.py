"""Win rates of one model against a baseline, for answers of equal length."""

from __future__ import annotations

__all__ = ["LengthAdjustedWinRate", "length_adjusted_win_rate"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, EstimateResult, interval_of
from evalstats._types import FloatArray
from evalstats.distributions.tail_probabilities import t_quantile
from evalstats.metrics.cluster_variance import numbered

SEPARATED = "the difference in length explains every preference completely, so no finite estimate exists"
ALIKE = "the differences in length vary too little compared with their mean, so their effect cannot be estimated"
EXACT_FIT = "the model fits every preference exactly, so the win rate has no standard error"
ONE_CLUSTER = "all comparisons belong to one cluster, so the standard error of the win rate cannot be estimated"
MOST_STEPS, LARGEST_LOGIT = 100, 40.0
# residuals of an exact fit; range of tanh from which the effect of the length is estimated with half of the digits
ROUNDING, SMALLEST_RANGE = 1e-9, 1e-8


@dataclass(frozen=True, kw_only=True, eq=False)
class LengthAdjustedWinRate(EstimateResult):
    """Result of `length_adjusted_win_rate`.

    Attributes
    ----------
    estimate : float
        Win rate of the model, from 0 to 1, for answers of equal length. It is nan if no finite estimate exists;
        `reason` then states the cause.
    standard_error : float
        Standard error by the delta method.
    reason : str or None
        A sentence if the estimate or its standard error is undefined, otherwise None.
    win_rate : float
        Mean preference, without adjustment.
    intercept, intercept_standard_error : float
        Log-odds at equal length, and their standard error.
    slope, slope_standard_error : float
        Coefficient of tanh(d / s) for the log-odds, and its standard error. Here, d is the difference in length, and s
        is the standard deviation of d.
    df : float
        Degrees of freedom of the t distribution: the number of clusters minus one, or infinite without clusters.
    n_comparisons : int
        Number of comparisons.
    n_clusters : int or None
        Number of clusters, or None without clusters.
    """

    win_rate: float
    intercept: float
    intercept_standard_error: float
    slope: float
    slope_standard_error: float
    df: float
    n_comparisons: int
    n_clusters: int | None

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the win rate at equal length, from an interval for the log-odds.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            The limits are nan if the win rate has no standard error.
        """
        from scipy.special import expit

        level = _checks.confidence_level(confidence_level)
        margin = t_quantile(max(self.df, 1.0), (1 + level) / 2) * self.intercept_standard_error
        return interval_of(expit(self.intercept - margin), expit(self.intercept + margin), level)


def length_adjusted_win_rate(
    preference: ArrayLike, length_difference: ArrayLike, *, clusters: ArrayLike | None = None
) -> LengthAdjustedWinRate:
    """Estimate how often a model would win against a baseline if their answers had the same length.

    Judges tend to prefer longer answers. The log-odds of the preference are modeled as an intercept plus a slope times
    tanh(d / s). Here, d is the difference in length, and s is the standard deviation of d. The result is the win rate
    for d = 0. The length-controlled win rate of AlpacaEval is a different estimate, which also uses the difficulty of
    each question.

    Parameters
    ----------
    preference : array_like of shape (n,)
        Preference for the model in each comparison, from 0 to 1: 1 for a win, 0.5 for a tie, and 0 for a loss.
    length_difference : array_like of shape (n,)
        Length of the answer of the model minus the length of the answer of the baseline, in any unit.
    clusters : array_like of shape (n,), optional
        The cluster of each comparison, such as its question or its annotator, if comparisons are correlated.

    Returns
    -------
    LengthAdjustedWinRate
        The win rate at equal length, with a robust standard error: HC0, or cluster-robust with the factor G / (G - 1).

    Raises
    ------
    ValueError, TypeError
        If the arrays are not paired, a preference is not between 0 and 1, or all differences are equal.

    See Also
    --------
    evalstats.multiple.bradley_terry_from_battles : the strengths of several models, with covariates such as length.

    References
    ----------
    Dubois, Y., Galambosi, B., Liang, P. & Hashimoto, T. B. (2024). Length-controlled AlpacaEval: a simple way to debias
    automatic evaluators. arXiv 2404.04475, section 3.

    Examples
    --------
    >>> from evalstats.metrics import length_adjusted_win_rate
    >>> preference = [0.9, 0.2, 0.6, 0.75, 0.1, 0.55, 0.8, 0.3, 0.95, 0.45]
    >>> result = length_adjusted_win_rate(preference, [300, -50, 120, 200, -100, 20, 150, -80, 400, 10])
    >>> round(result.win_rate, 4), round(result.estimate, 4), round(result.standard_error, 4)
    (0.56, 0.4048, 0.0365)
    """
    from scipy.special import expit

    y = _checks.finite(_checks.numbers(preference, "preference"), "preference")
    d = _checks.finite(_checks.numbers(length_difference, "length_difference"), "length_difference")
    _checks.pairing(preference, length_difference, y.shape, d.shape, minimum=2)
    _labels.same_labels(preference=preference, length_difference=length_difference)
    if y.ndim != 1:
        raise InvalidValueError(f"preference must have one value for each comparison, but its shape is {y.shape}")
    if (beyond := np.flatnonzero((y < 0) | (y > 1))).size:
        at = int(beyond[0])
        raise InvalidValueError(f"preference must be between 0 and 1, but preference[{at}] is {y[at]:g}")
    if np.ptp(d) == 0:
        raise InvalidValueError("length_difference must have different values, but all are equal")
    codes = None
    if clusters is not None:
        codes, _ = numbered(clusters, "clusters", "cluster", len(y), preference=preference)
    n_clusters = None if codes is None else int(codes.max()) + 1

    shape = np.tanh(d / d.std(ddof=1))
    is_alike = bool(np.ptp(shape) < SMALLEST_RANGE)
    # both columns have one size; `back` turns their coefficients into those of 1 and of the shape
    center, scale = shape.mean(), shape.std() or 1.0
    design = np.column_stack([np.ones(len(y)), (shape - center) / scale])
    back = np.array([[1, -center / scale], [0, 1 / scale]])
    theta, reason = None if is_alike else _maximum(design, y), None
    covariance = np.full((2, 2), np.nan)
    if theta is None:
        theta, reason = np.full(2, np.nan), ALIKE if is_alike else SEPARATED
    elif n_clusters == 1:
        reason = ONE_CLUSTER
    elif np.abs(y - expit(design @ theta)).max() < ROUNDING:
        reason = EXACT_FIT
    else:
        covariance = back @ _sandwich(design, y, theta, codes) @ back.T
    theta, error = back @ theta, np.sqrt(np.diag(covariance))
    rate = expit(theta[0])
    return LengthAdjustedWinRate(
        estimate=float(rate),
        standard_error=float(rate * (1 - rate) * error[0]),
        reason=reason,
        win_rate=float(y.mean()),
        intercept=float(theta[0]),
        intercept_standard_error=float(error[0]),
        slope=float(theta[1]),
        slope_standard_error=float(error[1]),
        df=np.inf if n_clusters is None else float(n_clusters - 1),
        n_comparisons=len(y),
        n_clusters=n_clusters,
    )


def _maximum(design: FloatArray, y: FloatArray) -> FloatArray | None:
    """Maximize the likelihood of the logistic model by Newton's method; None if there is no finite maximum."""
    from scipy.special import expit

    theta: FloatArray = np.zeros(2)
    for _ in range(MOST_STEPS):
        p = expit(design @ theta)
        information = design.T @ (design * (p * (1 - p))[:, None])
        if not np.linalg.cond(information) < 1e14:
            return None
        step = np.linalg.solve(information, design.T @ (y - p))
        theta = np.asarray(theta + step * min(1.0, 4 / max(np.abs(design @ step).max(), 1e-300)))
        if np.abs(design @ theta).max() > LARGEST_LOGIT:
            return None
        if np.abs(step).max() < 1e-13 * max(1.0, np.abs(theta).max()):
            return theta
    return None


def _sandwich(design: FloatArray, y: FloatArray, theta: FloatArray, codes: Any) -> FloatArray:
    """Return the covariance from the squared score contributions of comparisons, or of clusters, with G / (G - 1)."""
    from scipy.special import expit

    p = expit(design @ theta)
    inverse = np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))
    scores = design * (y - p)[:, None]
    factor = 1.0
    if codes is not None:
        scores = np.column_stack([np.bincount(codes, column) for column in scores.T])
        factor = len(scores) / (len(scores) - 1)
    return np.asarray(factor * inverse @ (scores.T @ scores) @ inverse)
