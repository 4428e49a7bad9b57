"""Spiegelhalter's test of the calibration of probabilities."""

from __future__ import annotations

__all__ = ["SpiegelhalterTestResult", "spiegelhalter_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._result import HypothesisTestResult, reasons
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.score_input import understand_forecast

NO_VARIANCE = "every probability is 0, 1/2 or 1, so the Brier score of calibrated probabilities has no variance"


@dataclass(frozen=True, kw_only=True, eq=False)
class SpiegelhalterTestResult(HypothesisTestResult):
    """Result of `spiegelhalter_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        z: the Brier score minus its expected value for calibrated probabilities, divided by its standard error. The
        statistic is nan if the Brier score has no variance.
    pvalue : float or ndarray
        The p-value, which is nan if the statistic is nan.
    method : str or ndarray of str
        ``'asymptotic'``: the normal distribution.
    brier : float or ndarray
        Brier score, between 0 and 1.
    expected_brier : float or ndarray
        Expected Brier score if the probabilities are calibrated: the mean of p (1 - p).
    standard_error : float or ndarray
        Standard error of the Brier score if the probabilities are calibrated.
    n_instances : int
        Number of instances.
    """

    brier: Any
    expected_brier: Any
    standard_error: Any
    n_instances: int


def spiegelhalter_test(
    y_true: ArrayLike, y_prob: ArrayLike, *, pos_label: Any = None, alternative: str = "two-sided"
) -> SpiegelhalterTestResult:
    """Test whether predicted probabilities are calibrated (Spiegelhalter's z).

    The null hypothesis is that each instance is positive with its predicted probability, independently of the other
    instances. A large p-value does not show that the probabilities are calibrated: the test detects only errors that
    change the expected Brier score. `recalibration_test` detects errors in the intercept and the slope of the logits.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True classes, at most two. Leading axes are batch dimensions and broadcast.
    y_prob : array_like of shape (..., n)
        Probability of the positive class.
    pos_label : label, optional
        As in `brier_score_loss`.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the Brier score is larger than for calibrated probabilities, because the probabilities are too
        extreme. ``'less'``: the Brier score is smaller, because the probabilities are too close to 1/2.

    Returns
    -------
    SpiegelhalterTestResult
        z and its p-value. The result also contains the Brier score and its expected value.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`, or if the alternative is unknown.

    See Also
    --------
    recalibration_test : likelihood-ratio tests of the intercept and the slope of the logits.
    reliability_curve : the frequency of the positive class at each probability.

    Notes
    -----
    z = sum (y - p) (1 - 2 p) / sqrt(sum (1 - 2 p)^2 p (1 - p)), where y is 1 for a positive instance and 0 otherwise.

    References
    ----------
    Spiegelhalter, D. J. (1986). Probabilistic prediction in patient management and clinical trials. Statistics in
    Medicine 5, 421-433.

    Examples
    --------
    >>> from evalstats.metrics import spiegelhalter_test
    >>> y_true = [0, 0, 0, 0, 1, 0, 1, 1, 0, 1]
    >>> y_prob = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95]
    >>> result = spiegelhalter_test(y_true, y_prob)
    >>> print(f"z = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    z = 0.383, p = 0.702
    """
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    forecast = understand_forecast(y_true, y_prob, None, pos_label, None, name="y_prob", columns=False)
    y, p = np.broadcast_arrays(forecast.true.astype(np.float64), forecast.proba[..., 1])

    n = p.shape[-1]
    excess = ((y - p) * (1 - 2 * p)).sum(axis=-1)
    variance = ((1 - 2 * p) ** 2 * p * (1 - p)).sum(axis=-1)
    is_known = variance > 0
    statistic = np.where(is_known, excess / np.sqrt(np.where(is_known, variance, 1.0)), np.nan)
    pvalue = tails.normal_pvalue(np.where(is_known, statistic, 0.0), alternative)

    return SpiegelhalterTestResult(
        statistic=statistic,
        pvalue=np.where(is_known, pvalue, np.nan),
        alternative=alternative,
        method=np.full(variance.shape, "asymptotic"),
        reason=reasons(variance.shape, (~is_known, NO_VARIANCE)),
        brier=((y - p) ** 2).mean(axis=-1),
        expected_brier=(p * (1 - p)).mean(axis=-1),
        standard_error=np.sqrt(variance) / n,
        n_instances=n,
    )
