"""Minimum attainable p-values of a design, and the sample size for a significance level."""

from __future__ import annotations

__all__ = ["AttainablePValue", "minimum_attainable_pvalue", "minimum_sample_size"]

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats.adjustment.pvalues import ADJUSTMENTS, adjust_pvalues
from evalstats.distributions import studentized_range
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.mean_ranks import standardized
from evalstats.paired.mcnemar import mcnemar_test

SIGNS = ("sign", "wilcoxon", "permutation")
OF_RANKS = ("friedman", "nemenyi", "bonferroni-dunn", "steel")
# tests of a continuous statistic: 0 is approached but never reached
UNBOUNDED = ("paired-t", "corrected-t", "5x2cv-t", "5x2cv-f", "clustered-t", "auc", "battles")
TESTS = (*SIGNS, "mcnemar", *OF_RANKS, *UNBOUNDED)
METHODS = {"mcnemar": ("exact", "midp", "asymptotic"), "friedman": ("exact", "chi2")}
NO_BOUND = "the statistic is continuous, so its p-value has no lower limit at any sample size"
# minimum number of pairs of scores of a t-test; the minimum of the other tests is one
FEWEST = {"paired-t": 2, "corrected-t": 2, "5x2cv-t": 10, "5x2cv-f": 10, "clustered-t": 2, "auc": 2}
MOST = 2**40


@dataclass(frozen=True, kw_only=True, eq=False)
class AttainablePValue(Record):
    """Result of `minimum_attainable_pvalue` and `minimum_sample_size`.

    Attributes
    ----------
    test : str
        The value passed to the function.
    n : int
        Number of datasets, folds or discordant rows.
    n_classifiers : int or None
        Number of classifiers, or None for a test of two classifiers.
    pvalue : float
        Smallest p-value that one comparison can have. It is 0 if there is no bound.
    adjusted_pvalue : float
        Adjusted p-value of each comparison if all comparisons have the smallest p-value.
    adjusted_pvalue_alone : float
        Smallest adjusted p-value of one comparison if all other comparisons have p = 1.
    adjust : str
        The adjustment, or ``'none'``.
    n_comparisons : int
        Number of comparisons whose p-values are adjusted together.
    alternative, method : str
        The arguments of the call. `method` is the null distribution of the p-values.
    reason : str or None
        A sentence if the p-value has no lower bound, or None.
    """

    test: str
    n: int
    n_classifiers: int | None
    pvalue: float
    adjusted_pvalue: float
    adjusted_pvalue_alone: float
    adjust: str
    n_comparisons: int
    alternative: str
    method: str
    reason: str | None


def minimum_attainable_pvalue(
    test: str,
    *,
    n: int,
    n_classifiers: int | None = None,
    alternative: str = "two-sided",
    adjust: str = "none",
    n_comparisons: int = 1,
    method: str = "exact",
) -> AttainablePValue:
    """Compute the smallest p-value that a design can produce.

    If this p-value is above the significance level, the experiment cannot reject any null hypothesis.

    Parameters
    ----------
    test : str
        Two classifiers on n datasets without a tie: ``'sign'``, ``'wilcoxon'`` or ``'permutation'``. Two classifiers on
        n discordant rows: ``'mcnemar'``. k classifiers on n datasets: ``'friedman'``, ``'nemenyi'``,
        ``'bonferroni-dunn'`` or ``'steel'``. Tests without a bound: ``'paired-t'``, ``'corrected-t'``, ``'5x2cv-t'``,
        ``'5x2cv-f'``, ``'clustered-t'``, ``'auc'`` or ``'battles'``.
    n : int
        Number of datasets, folds or discordant rows.
    n_classifiers : int, optional
        Number of classifiers, for the tests of several classifiers.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x is larger. For one-sided tests of two classifiers, the smallest p-value is half of the
        two-sided value.
    adjust : str, default: 'none'
        A method of `adjust_pvalues`, such as ``'holm'``, or ``'none'``. The p-values of the tests of several
        classifiers are already adjusted, so these tests accept only ``'none'``.
    n_comparisons : int, default: 1
        Number of comparisons that are adjusted together, such as the k (k - 1) / 2 pairs of k classifiers.
    method : str, default: 'exact'
        Null distribution: ``'exact'``, for ``'mcnemar'`` also ``'midp'`` and ``'asymptotic'`` (with the continuity
        correction), and for ``'friedman'`` also ``'chi2'``.

    Returns
    -------
    AttainablePValue

    Raises
    ------
    ValueError, TypeError
        If a number is out of range or an option is unknown. If `n_classifiers` is missing, or given for a test that
        does not use it.

    See Also
    --------
    minimum_sample_size : the smallest sample size for a p-value.
    statistical_power : the probability that the test rejects.

    Notes
    -----
    For two-sided tests based on the signs or ranks of n differences, the smallest p-value is 2^(1 - n). For one-sided
    tests, it is half of this value. For Friedman's test, it is k!^(1 - n). For the Nemenyi and the Bonferroni-Dunn
    test, it is the p-value for the best and the worst classifier if all datasets give the same ranking. For Steel's
    test, it is the probability that at least one classifier wins, or loses, against the control on all datasets.

    Examples
    --------
    With five datasets, the p-value of a two-sided test based on signs or ranks is always above 0.05:

    >>> from evalstats.design import minimum_attainable_pvalue
    >>> minimum_attainable_pvalue("wilcoxon", n=5).pvalue
    0.0625

    Ten datasets, and the six pairs of four classifiers after Holm's adjustment:

    >>> result = minimum_attainable_pvalue("wilcoxon", n=10, adjust="holm", n_comparisons=6)
    >>> print(f"{result.pvalue:.5f} {result.adjusted_pvalue:.5f}")
    0.00195 0.01172
    """
    test = _checks.choice(test, "test", TESTS)
    n = _checks.count(n, "n", minimum=FEWEST.get(test, 1))
    design = _Design(test, n_classifiers, alternative, adjust, n_comparisons, method)
    return design.at(n)


def minimum_sample_size(
    test: str,
    *,
    alpha: float = 0.05,
    n_classifiers: int | None = None,
    alternative: str = "two-sided",
    adjust: str = "none",
    n_comparisons: int = 1,
    method: str = "exact",
) -> AttainablePValue:
    """Compute the smallest number of datasets or discordant rows for which p <= alpha is possible.

    For high power, a much larger sample is necessary (see `required_sample_size`).

    Parameters
    ----------
    test : str
        As in `minimum_attainable_pvalue`.
    alpha : float, default: 0.05
        Significance level, strictly between 0 and 1.
    n_classifiers, alternative, adjust, n_comparisons, method
        As in `minimum_attainable_pvalue`.

    Returns
    -------
    AttainablePValue
        ``n`` is the sample size. With this sample size, the smallest adjusted p-value is at most alpha.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `minimum_attainable_pvalue`.

    Examples
    --------
    >>> from evalstats.design import minimum_sample_size
    >>> minimum_sample_size("sign").n
    6
    >>> minimum_sample_size("sign", adjust="holm", n_comparisons=45).n
    11
    >>> minimum_sample_size("friedman", n_classifiers=4).n, minimum_sample_size("nemenyi", n_classifiers=4).n
    (2, 3)
    """
    test = _checks.choice(test, "test", TESTS)
    alpha = _checks.proportion(alpha, "alpha")
    design = _Design(test, n_classifiers, alternative, adjust, n_comparisons, method)

    low = FEWEST.get(test, 1) - 1
    high = low + 1
    while design.at(high).adjusted_pvalue > alpha:
        if high > MOST:
            raise InvalidValueError(f"the smallest p-value is above alpha = {alpha:g} for every n up to {MOST:,}")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if design.at(middle).adjusted_pvalue <= alpha else (middle, high)
    return design.at(high)


class _Design:
    """Validated arguments other than the number of datasets."""

    def __init__(
        self, test: str, n_classifiers: Any, alternative: str, adjust: str, n_comparisons: int, method: str
    ) -> None:
        sides = _checks.ALTERNATIVES if test not in (*OF_RANKS, "5x2cv-f") else ("two-sided",)
        self.test = test
        self.alternative = _checks.choice(alternative, "alternative", sides)
        self.n_comparisons = _checks.count(n_comparisons, "n_comparisons")
        self.method = _checks.choice(method, "method", METHODS.get(test, ("exact",)))
        _checks.choice(adjust, "adjust", ("none", *ADJUSTMENTS))
        if adjust != "none" and test in OF_RANKS:
            raise InvalidValueError(f"the p-values of the test {test!r} need no adjustment, but adjust is {adjust!r}")
        self.adjust = adjust
        if (n_classifiers is None) != (test not in OF_RANKS):
            raise InvalidValueError(
                f"the test {test!r} requires n_classifiers, the number of classifiers"
                if n_classifiers is None
                else f"n_classifiers is not an argument of the test {test!r}"
            )
        self.n_classifiers = None if n_classifiers is None else _checks.count(n_classifiers, "n_classifiers", minimum=2)

    def at(self, n: int) -> AttainablePValue:
        p = float(tails.as_pvalue(self._smallest()(n))) if self.test not in UNBOUNDED else 0.0
        m = self.n_comparisons
        at_once, alone = p, p
        if self.adjust in ("bonferroni", "holm"):  # of however many comparisons
            at_once = alone = min(1.0, m * p)
        elif self.adjust != "none":
            at_once = float(adjust_pvalues(np.full(m, p), self.adjust)[0])
            alone = float(adjust_pvalues(np.append(p, np.ones(m - 1)), self.adjust)[0])
        return AttainablePValue(
            test=self.test,
            n=n,
            n_classifiers=self.n_classifiers,
            pvalue=p,
            adjusted_pvalue=at_once,
            adjusted_pvalue_alone=alone,
            adjust=self.adjust,
            n_comparisons=m,
            alternative=self.alternative,
            method=self.method,
            reason=NO_BOUND if self.test in UNBOUNDED else None,
        )

    def _smallest(self) -> Callable[[int], float]:
        """Return the smallest attainable p-value as a function of n."""
        if self.test in SIGNS:
            n_sides = 2 if self.alternative == "two-sided" else 1
            return lambda n: min(1.0, math.ldexp(n_sides, -n))
        k = self.n_classifiers or 2
        return {
            "mcnemar": self._mcnemar,
            "friedman": lambda n: _friedman(n, k, self.method),
            "nemenyi": lambda n: float(studentized_range.sf(math.sqrt(2) * standardized(n * (k - 1), n, k), k)),
            "bonferroni-dunn": lambda n: min(
                1.0, (k - 1) * 2 * float(tails.normal_right_tail(standardized(n * (k - 1), n, k)))
            ),
            "steel": lambda n: _steel(n, k),
        }[self.test]

    def _mcnemar(self, n: int) -> float:
        alternative = "two-sided" if self.alternative == "two-sided" else "greater"
        return float(mcnemar_test(counts=[[0, n], [0, 0]], alternative=alternative, method=self.method).pvalue)


def _steel(n: int, k: int) -> float:
    """Return the p-value of a classifier that beats the control on all n datasets, one of k - 1 such comparisons.

    The p-value is the probability that any classifier wins on all datasets or loses on all datasets, computed by
    inclusion and exclusion. On one dataset, in a proportion of above! below! / (above + below + 1)! of all
    permutations, `above` given classifiers are above the control and `below` given classifiers are below it. The terms
    are much larger than their sum, so they are computed exactly.
    """
    m = k - 1
    total = Fraction(0)
    for above in range(m + 1):
        for below in range(m + 1 - above):
            if above + below:
                sets = math.comb(m, above) * math.comb(m - above, below)
                orders = (above + below + 1) * math.comb(above + below, above)
                total += Fraction((-1) ** (above + below + 1) * sets, orders**n)
    return float(total)


def _friedman(n: int, k: int, method: str) -> float:
    """Return the p-value if the order of k classifiers is the same on all n datasets, without ties."""
    if method == "chi2":
        return float(tails.chi2_right_tail(np.asarray(float(n * (k - 1))), k - 1))
    return math.exp((1 - n) * math.lgamma(k + 1)) if n * math.lgamma(k + 1) > 700 else math.factorial(k) ** (1.0 - n)
