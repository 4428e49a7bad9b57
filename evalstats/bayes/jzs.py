"""The JZS Bayes factor of the t-test for paired scores."""

from __future__ import annotations

__all__ = ["JZSBayesFactorResult", "jzs_bayes_factor"]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import Record, reasons, unbatch
from evalstats._types import FloatArray
from evalstats.paired.ttest import CONSTANT_DIFFERENCE, NO_DIFFERENCE, checked_mean_and_sd, in_units_of

MEDIUM = math.sqrt(2) / 2
SMALLEST_SCALE, LARGEST_SCALE = 1e-3, 1e3
# The integrand of log g is analytic for arguments up to pi / 2, so that steps of 1/4 leave an error of exp(-4 pi^2).
STEP = 0.25
LOWEST = -7.0  # below this value, exp(-1 / (2 g)) underflows to 0
TAIL = 80.0  # the integrand falls at least as exp(-log(g) / 2)
VALUES_AT_ONCE = 2**20


@dataclass(frozen=True, kw_only=True, eq=False)
class JZSBayesFactorResult(Record):
    """Result of `jzs_bayes_factor`.

    Attributes
    ----------
    bayes_factor : float or ndarray
        Probability density of the differences under the alternative, divided by their density under the null hypothesis
        (BF10). A value above 1 is evidence for an effect, and a value below 1 is evidence against an effect. The Bayes
        factor is infinite if it exceeds the largest float, and nan if it is undefined.
    log_bayes_factor : float or ndarray
        Natural logarithm of the Bayes factor, which is finite whenever the Bayes factor is defined.
    statistic : float or ndarray
        The t statistic of the differences.
    df : int
        Degrees of freedom: the number of pairs minus one.
    mean_difference : float or ndarray
        Mean of x - y.
    n_pairs : int
        Number of pairs.
    scale : float
        Scale r of the Cauchy prior of the effect.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    bayes_factor: Any
    log_bayes_factor: Any
    statistic: Any
    df: int
    mean_difference: Any
    n_pairs: int
    scale: float
    reason: Any
    tie_tolerance: float

    def posterior_probability(self, prior_probability: float = 0.5) -> Any:
        """Compute the posterior probability that there is an effect.

        Parameters
        ----------
        prior_probability : float, default: 0.5
            Prior probability that there is an effect.

        Returns
        -------
        float or ndarray
            The posterior probability of the alternative. One minus this value is the posterior probability of the null
            hypothesis.

        Examples
        --------
        >>> from evalstats.bayes import jzs_bayes_factor
        >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
        >>> round(jzs_bayes_factor(x, y).posterior_probability(), 3)
        0.578
        """
        from scipy.special import expit, logit

        prior = _checks.proportion(prior_probability, "prior_probability")
        return unbatch(expit(logit(prior) + np.asarray(self.log_bayes_factor)))


def jzs_bayes_factor(
    x: ArrayLike, y: ArrayLike, *, scale: float = MEDIUM, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> JZSBayesFactorResult:
    """Compute the JZS Bayes factor of the t-test for paired scores.

    The null hypothesis is that the mean difference is 0. The alternative is that the effect (mean divided by standard
    deviation) has a Cauchy distribution around 0 with the given scale. In contrast to a large p-value, a small Bayes
    factor is evidence for the null hypothesis. A Bayes factor is not the probability of a hypothesis.
    `posterior_probability` computes this probability from a prior probability.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 datasets. Leading axes are batch dimensions and broadcast.
    scale : float, default: 0.7071
        Scale r of the Cauchy prior of the effect, from 0.001 to 1000. Half of the prior probability lies between -r and
        r. The default, the square root of 1/2, is also the default of R's BayesFactor. The default of Rouder et al.
        (2009) is 1.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    JZSBayesFactorResult
        The Bayes factor BF10 with its logarithm, t, and `posterior_probability`. BF01 is the reciprocal of BF10.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, or contain nan or infinity, or if scale is out of range.
    TypeError
        If scale is not a number.

    See Also
    --------
    paired_ttest : the test of the same hypothesis.
    bayes_correlated_ttest : the posterior probability of a relevant difference on the folds of a cross-validation.

    Notes
    -----
    The differences must be independent. Differences on separate datasets are independent. Differences on the folds of a
    cross-validation are not, so the Bayes factor would be too extreme. If x and y are equal in every pair, the Bayes
    factor is computed with t = 0. If x and y differ by the same amount in every pair, the Bayes factor is undefined. In
    both cases, `reason` states the cause.

    References
    ----------
    Rouder, J. N., Speckman, P. L., Sun, D., Morey, R. D. & Iverson, G. (2009). Bayesian t tests for accepting and
    rejecting the null hypothesis. Psychonomic Bulletin & Review 16, 225-237, eq. 1.

    Examples
    --------
    >>> from evalstats.bayes import jzs_bayes_factor
    >>> x = [0.91, 0.85, 0.73, 0.66, 0.95, 0.88, 0.70, 0.59]
    >>> y = [0.80, 0.71, 0.70, 0.66, 0.80, 0.79, 0.72, 0.51]
    >>> result = jzs_bayes_factor(x, y)
    >>> print(f"{result.bayes_factor:.2f}, t({result.df}) = {result.statistic:.3f}")
    4.98, t(7) = 3.245
    """
    n, mean, sd, tie_tolerance = checked_mean_and_sd(x, y, tie_tolerance)
    scale = _scale(scale)

    effect = in_units_of(sd, mean)
    is_constant = np.isinf(effect)

    log_factor = _log_bayes_factor(np.where(is_constant, 0.0, effect), n, scale)
    log_factor = np.where(is_constant, np.nan, log_factor)
    with np.errstate(over="ignore"):
        factor = np.exp(log_factor)

    return JZSBayesFactorResult(
        bayes_factor=factor,
        log_bayes_factor=log_factor,
        statistic=math.sqrt(n) * effect,
        df=n - 1,
        mean_difference=mean,
        n_pairs=n,
        scale=scale,
        reason=reasons(effect.shape, (is_constant, CONSTANT_DIFFERENCE), (sd == 0, NO_DIFFERENCE)),
        tie_tolerance=tie_tolerance,
    )


def _scale(value: Any) -> float:
    number = _checks.real(value, "scale")
    if SMALLEST_SCALE <= number <= LARGEST_SCALE:
        return number
    raise InvalidValueError(f"scale must lie between {SMALLEST_SCALE:g} and {LARGEST_SCALE:g}, not {short(value)}")


def _log_bayes_factor(effect: FloatArray, n: int, scale: float) -> FloatArray:
    """Compute the logarithm of BF10 by the trapezoid rule over log g: Rouder et al. (2009), eq. 1."""
    # t^2 / df, from the effect d = t / sqrt(n); overflow of the square changes no digit of the result
    ratio = np.minimum(np.abs(effect), 1e150) ** 2 * (n / (n - 1))
    highest = TAIL + math.log1p(float(ratio.max(initial=0)) / scale**2) + 2 * abs(math.log(scale))
    log_g = np.arange(LOWEST, highest, STEP)
    # density of t given g, relative to the density under the null hypothesis
    variance = 1 + n * scale**2 * np.exp(log_g)
    # (2 pi)^(-1/2) g^(-3/2) exp(-1 / (2 g)) dg, and the factors that do not depend on the data
    weight = -0.5 * math.log(2 * math.pi) - 0.5 * log_g - 0.5 * np.exp(-log_g) - 0.5 * np.log(variance)
    result = np.empty(ratio.size)
    size = max(1, VALUES_AT_ONCE // log_g.size)
    for start in range(0, ratio.size, size):
        here = ratio.reshape(-1)[start : start + size, None]
        logs = weight + n / 2 * (np.log1p(here) - np.log1p(here / variance))
        largest = logs.max(axis=-1, keepdims=True)
        result[start : start + size] = np.log(STEP * np.sum(np.exp(logs - largest), axis=-1)) + largest[:, 0]
    return result.reshape(effect.shape)
