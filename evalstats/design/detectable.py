"""Minimum detectable difference between two accuracies on a test set of n rows."""

from __future__ import annotations

__all__ = ["DetectableDifference", "minimum_detectable_difference"]

import math
from collections.abc import Callable
from dataclasses import dataclass

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats.design.discordant import Discordant, WinsTest
from evalstats.design.power_analysis import LARGEST, METHODS, MOST, mcnemar_cases

# bisection steps of the interval: the result is accurate to nine decimals
HALVINGS = 30


@dataclass(frozen=True, kw_only=True, eq=False)
class DetectableDifference(Record):
    """Result of `minimum_detectable_difference`.

    Attributes
    ----------
    n : int
        Number of rows of the test set.
    difference : float or None
        Smallest difference between two accuracies that the test detects with the probability `power`. None, with a
        `reason`, if the power is below `power` even for the largest possible difference.
    n_more_right : float or None
        The minimum detectable difference in rows: n times `difference`.
    discordance : float
        Proportion of the rows that exactly one classifier predicts correctly, at the minimum detectable difference.
    accuracy : float or None
        Accuracy of the less accurate classifier, as passed to the function.
    correlation : float or None
        Correlation of correctness, as passed to the function.
    half_width : float or None
        Half of the width of Wilson's interval for an observed accuracy of `accuracy`, or None if `accuracy` is not
        given.
    power, alpha, confidence_level : float
        The values passed to the function.
    alternative, method : str
        The values passed to the function.
    reason : str or None
        A sentence if no difference is found, or None.
    """

    n: int
    difference: float | None
    n_more_right: float | None
    discordance: float
    accuracy: float | None
    correlation: float | None
    half_width: float | None
    power: float
    alpha: float
    confidence_level: float
    alternative: str
    method: str
    reason: str | None


def minimum_detectable_difference(
    n: int,
    *,
    discordance: float | None = None,
    accuracy: float | None = None,
    correlation: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    method: str = "exact",
    correction: bool = True,
    confidence_level: float = 0.95,
) -> DetectableDifference:
    """Compute the minimum detectable difference between two accuracies for McNemar's test on n rows.

    Parameters
    ----------
    n : int
        Number of rows of the test set. The rows must be independent of each other.
    discordance : float, optional
        Proportion of the rows that exactly one classifier predicts correctly. Among the arguments, the discordance has
        the largest effect on the result, and it is rarely known in advance. Two versions of one classifier may differ
        on 1% or 2% of the rows, and two different types of classifiers on 10%.
    accuracy : float, optional
        Accuracy of the less accurate classifier, as an alternative to `discordance`. `accuracy` and `correlation`
        determine the discordance.
    correlation : float, optional
        Correlation of correctness. Default: 0, which is conservative because the correlation is nearly always positive.
    power : float, default: 0.8
        Target power.
    alpha : float, default: 0.05
        Significance level.
    alternative : {'two-sided', 'greater'}, default: 'two-sided'
        ``'greater'``: a one-sided test, for which you specify in advance which classifier may be better.
    method : {'exact', 'midp', 'asymptotic'}, default: 'exact'
        The p-values of `mcnemar_test`.
    correction : bool, default: True
        Continuity correction of ``'asymptotic'``.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The interval is for a single accuracy.

    Returns
    -------
    DetectableDifference
        The minimum detectable `difference`. If `accuracy` is given, the result also contains the `half_width` of the
        interval for one accuracy on a test set of n rows.

    Raises
    ------
    ValueError, TypeError
        If a number is out of range. If both `discordance` and `accuracy` are given, or neither is given. If no pair of
        classifiers can have the given accuracy and correlation.

    Notes
    -----
    The function finds the difference at which the exact power of the test (see `statistical_power`) equals the target.
    If the correlation is given, it limits the possible accuracies and therefore the difference.

    References
    ----------
    Duffy, S. W. (1984). Asymptotic and exact power for the McNemar test and its analogue with R controls per case.
    Biometrics 40, 1005-1015.

    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22, 209-212.

    Examples
    --------
    >>> from evalstats.design import minimum_detectable_difference
    >>> result = minimum_detectable_difference(1000, accuracy=0.9, correlation=0.5)
    >>> print(f"{result.difference:.3f}, while one accuracy is known to within {result.half_width:.3f}")
    0.026, while one accuracy is known to within 0.019
    """
    n = _checks.count(n, "n")
    if n > MOST["mcnemar"] * LARGEST:
        raise InvalidValueError(f"n must be at most {MOST['mcnemar'] * LARGEST}, not {n}")
    power, alpha = _checks.proportion(power, "power"), _checks.proportion(alpha, "alpha")
    alternative = _checks.choice(alternative, "alternative", ("two-sided", "greater"))
    method = _checks.choice(method, "method", METHODS["mcnemar"])
    correction = _checks.boolean(correction, "correction")
    level = _checks.confidence_level(confidence_level)
    test = WinsTest(alpha, alternative, method, correction)

    def cases(difference: float) -> Discordant:
        return mcnemar_cases(difference=difference, discordance=discordance, accuracy=accuracy, correlation=correlation)

    cases(0.0)  # raises an error for invalid arguments
    largest = _largest_difference(cases)
    found = _smallest(lambda difference: cases(difference).power(n, test) >= power, largest)

    return DetectableDifference(
        n=n,
        difference=found,
        n_more_right=None if found is None else n * found,
        discordance=cases(largest if found is None else found).proportion,
        accuracy=None if accuracy is None else float(accuracy),
        correlation=None if accuracy is None else float(correlation or 0.0),
        half_width=None if accuracy is None else _half_width(float(accuracy), n, level),
        power=power,
        alpha=alpha,
        confidence_level=level,
        alternative=alternative,
        method=method,
        reason=None if found is not None else f"the power for a difference of {largest:.3g} is below {power:g}",
    )


def _largest_difference(cases: Callable[[float], Discordant]) -> float:
    """Return the largest possible difference between the accuracies of two classifiers."""

    def is_impossible(difference: float) -> bool:
        try:
            cases(difference)
        except InvalidValueError:
            return True
        return False

    first_impossible = _smallest(is_impossible, 1.0)
    return 1.0 if first_impossible is None else first_impossible - 2.0**-HALVINGS


def _smallest(holds: Callable[[float], bool], high: float) -> float | None:
    """Find the smallest difference for which a condition is true; return None if there is none."""
    if not holds(high):
        return None
    low = 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _half_width(accuracy: float, n: int, confidence_level: float) -> float:
    """Return half of the width of Wilson's interval for a proportion, whose count need not be an integer."""
    from scipy.special import ndtri

    z = -float(ndtri((1 - confidence_level) / 2))
    return z / (1 + z * z / n) * math.sqrt(accuracy * (1 - accuracy) / n + z * z / (4 * n * n))
