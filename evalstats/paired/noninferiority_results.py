"""Results of noninferiority and equivalence tests, for every type of score, from one-sided tests of a shift."""

from __future__ import annotations

__all__ = [
    "AtMargin",
    "EquivalenceTestResult",
    "MarginProblem",
    "NoninferiorityTestResult",
    "OneSided",
    "equivalence",
    "noninferiority",
    "understand_margin",
]

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import ConfidenceInterval, HypothesisTestResult, reasons, unbatch
from evalstats._types import AnyArray, FloatArray


class OneSided(NamedTuple):
    """One-sided test of the null hypothesis that the difference x - y equals a shift or is beyond it."""

    statistic: Any
    pvalue: Any
    method: Any
    reason: Any
    n_resamples: Any = None
    seed: Any = None


class MarginProblem(Protocol):
    """Two classifiers on the same data, and the test of their difference.

    Attributes
    ----------
    test : str
        Name of the test in the results.
    n : int or ndarray of int
        Number of pairs or instances.
    difference : float or ndarray
        Estimate of x - y.
    """

    test: str
    n: Any
    difference: Any

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the null hypothesis that the difference is the shift, against ``'greater'`` or ``'less'``."""
        ...

    def limits(self, alpha: float) -> tuple[Any, Any]:
        """Return the lower and the upper limit for the difference, each with confidence level 1 - alpha."""
        ...


class AtMargin(NamedTuple):
    """A problem, its margin in the unit of the scores, and the direction of the scores."""

    problem: MarginProblem
    margin: float
    greater_is_better: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class _MarginTestResult(HypothesisTestResult):
    test: str
    margin: float
    greater_is_better: bool
    n: Any
    difference: Any
    n_resamples: Any
    seed: Any
    _problem: MarginProblem


@dataclass(frozen=True, kw_only=True, eq=False)
class NoninferiorityTestResult(_MarginTestResult):
    """Result of the noninferiority tests. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Statistic of the test of x - y + margin or, if smaller scores are better, of x - y - margin.
    pvalue : float or ndarray
        One-sided p-value. A small value is evidence that x is not worse than y by the margin or more.
    alternative : str
        ``'greater'``: x - y is larger than -margin. ``'less'`` (if smaller scores are better): x - y is below the
        margin.
    test : str
        The test that was shifted by the margin.
    margin : float
        The margin that was passed, in the unit of the scores.
    greater_is_better : bool
        Direction of the scores.
    n : int or ndarray of int
        Number of pairs of scores, or of instances.
    difference : float or ndarray
        Estimate of x - y, in the unit of the scores.
    n_resamples, seed : int, None or ndarray of object
        Number and seed of the random samples for the p-value, or None if the p-value is not random.
    """

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the one-sided confidence interval for x - y that corresponds to the test.

        The interval with confidence level 1 - alpha excludes -margin (margin if smaller scores are better) exactly if
        the test rejects at alpha.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``. The limit in the direction in which x is better is infinite.

        Examples
        --------
        >>> from evalstats import noninferiority_test
        >>> new, old = [0.81, 0.84, 0.79, 0.90, 0.85, 0.77], [0.80, 0.84, 0.80, 0.88, 0.85, 0.78]
        >>> low, high = noninferiority_test(new, old, margin=0.02, test="paired-t").confidence_interval()
        >>> print(f"{low:.4f} {high}")
        -0.0080 inf
        """
        level = _checks.confidence_level(confidence_level)
        low, high = _limits_of(self._problem, 1 - level, self.difference)
        if self.greater_is_better:
            return _interval(low, np.full(np.shape(low), np.inf), level)
        return _interval(np.full(np.shape(high), -np.inf), high, level)

    def smallest_margin(self, alpha: float = 0.05) -> Any:
        """Return the smallest margin at which the test rejects; the test also rejects at every larger margin.

        The margin is 0 if x is significantly better than y, and infinite if the test rejects at no margin. Do not use
        this number to choose a margin after seeing the data.

        Parameters
        ----------
        alpha : float, default: 0.05
            Significance level: the test rejects if p <= alpha.

        Returns
        -------
        float or ndarray
            The margin, in the unit of the scores.
        """
        low, high = _limits_of(self._problem, _checks.proportion(alpha, "alpha"), self.difference)
        return unbatch(np.maximum(-low if self.greater_is_better else high, 0.0))


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalenceTestResult(_MarginTestResult):
    """Result of the equivalence tests. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Statistic of the test that has the larger p-value.
    pvalue : float or ndarray
        The larger of the two p-values. A small value is evidence that x and y differ by less than the margin.
    alternative : str
        ``'two-sided'``: x - y is between -margin and margin.
    pvalue_low, pvalue_high : float or ndarray
        P-values of the two one-sided tests. The alternatives are that x - y is above -margin and that x - y is below
        the margin, respectively.
    test : str
        The test that was shifted by the margin in both directions.
    margin : float
        The margin that was passed, in the unit of the scores.
    greater_is_better : bool
        The value True, because equivalence has no direction.
    n : int or ndarray of int
        Number of pairs of scores, or of instances.
    difference : float or ndarray
        Estimate of x - y, in the unit of the scores.
    n_resamples, seed : int, None or ndarray of object
        Number and seed of the random samples for the p-value, or None if the p-value is not random.
    """

    pvalue_low: Any
    pvalue_high: Any

    def confidence_interval(self, confidence_level: float = 0.9) -> ConfidenceInterval:
        """Compute a confidence interval for x - y that corresponds to both tests; its level is 1 - 2 alpha.

        The interval is between -margin and margin if both tests reject at alpha.

        Parameters
        ----------
        confidence_level : float, default: 0.9
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats import equivalence_test
        >>> new, old = [0.81, 0.84, 0.79, 0.90, 0.85, 0.77], [0.80, 0.84, 0.80, 0.88, 0.85, 0.78]
        >>> low, high = equivalence_test(new, old, margin=0.02, test="paired-t").confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.0080 0.0113
        """
        level = _checks.confidence_level(confidence_level)
        return _interval(*_limits_of(self._problem, (1 - level) / 2, self.difference), level)

    def smallest_margin(self, alpha: float = 0.05) -> Any:
        """Return the smallest margin at which both tests reject; they also reject at every larger margin.

        The result is infinite if the tests reject at no margin. Do not use this number to choose a margin after seeing
        the data.

        Parameters
        ----------
        alpha : float, default: 0.05
            Significance level: both tests must reject with p <= alpha.

        Returns
        -------
        float or ndarray
            The margin, in the unit of the scores.
        """
        alpha = _checks.proportion(alpha, "alpha")
        if alpha > 0.5:
            raise InvalidValueError(f"alpha must be at most 0.5 (the interval has the level 1 - 2 alpha), not {alpha}")
        low, high = _limits_of(self._problem, alpha, self.difference)
        return unbatch(np.maximum(-low, high))


def noninferiority(problem: MarginProblem, margin: float, greater_is_better: bool) -> NoninferiorityTestResult:
    """Test whether x is worse than y by less than the margin, or not worse."""
    alternative = "greater" if greater_is_better else "less"
    found = problem.one_sided(-margin if greater_is_better else margin, alternative)
    return NoninferiorityTestResult(
        statistic=found.statistic,
        pvalue=found.pvalue,
        alternative=alternative,
        method=found.method,
        reason=found.reason,
        test=problem.test,
        margin=margin,
        greater_is_better=greater_is_better,
        n=problem.n,
        difference=problem.difference,
        n_resamples=found.n_resamples,
        seed=found.seed,
        _problem=problem,
    )


def equivalence(problem: MarginProblem, margin: float) -> EquivalenceTestResult:
    """Test whether x and y differ by less than the margin, by two one-sided tests (Schuirmann 1987)."""
    low, high = problem.one_sided(-margin, "greater"), problem.one_sided(margin, "less")
    # nan counts as the larger p-value
    is_low = np.isnan(low.pvalue) | (np.asarray(low.pvalue) >= np.asarray(high.pvalue))
    shape = np.shape(low.pvalue)
    of_low = [(is_low & (_texts(low.reason) == text), text) for text in _different(low.reason)]
    of_high = [(~is_low & (_texts(high.reason) == text), text) for text in _different(high.reason)]
    return EquivalenceTestResult(
        statistic=np.where(is_low, low.statistic, high.statistic),
        pvalue=np.where(is_low, low.pvalue, high.pvalue),
        alternative="two-sided",
        method=np.where(is_low, low.method, high.method),
        reason=reasons(shape, *of_low, *of_high),
        test=problem.test,
        margin=margin,
        greater_is_better=True,
        n=problem.n,
        difference=problem.difference,
        n_resamples=low.n_resamples,
        seed=low.seed,
        pvalue_low=low.pvalue,
        pvalue_high=high.pvalue,
        _problem=problem,
    )


def understand_margin(margin: Any, *, are_shares: bool) -> float:
    """Return a margin above 0, and below 1 if the scores are proportions."""
    value = _checks.real(margin, "margin")
    if not value > 0:
        raise InvalidValueError(
            f"margin must be larger than 0, not {short(margin)}: it is the largest acceptable loss in the unit of "
            "the scores; to show that x is better, use a test without a margin"
        )
    if value >= 1 and are_shares:
        hint = f"; if {value:g} means percentage points, write {value / 100:g}" if value <= 50 else ""
        raise InvalidValueError(f"margin must be below 1 if the scores are between 0 and 1, not {value:g}{hint}")
    if math.isinf(value):
        raise InvalidValueError("margin must be finite, not inf")
    return value


def _limits_of(problem: MarginProblem, alpha: float, difference: Any) -> tuple[FloatArray, FloatArray]:
    shape = np.shape(difference)
    low, high = (np.asarray(limit, dtype=np.float64) for limit in problem.limits(alpha))
    return np.broadcast_to(low, shape), np.broadcast_to(high, shape)


def _interval(low: FloatArray, high: FloatArray, level: float) -> ConfidenceInterval:
    attained = np.where(np.isnan(low) | np.isnan(high), np.nan, level)
    return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=attained)


def _texts(reason: Any) -> AnyArray:
    return np.asarray(reason, dtype=object)


def _different(reason: Any) -> list[str]:
    return [text for text in dict.fromkeys(_texts(reason).ravel().tolist()) if text is not None]
