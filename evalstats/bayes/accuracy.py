"""Bayesian comparison of two accuracies, and the posterior distribution of a proportion."""

from __future__ import annotations

__all__ = ["BayesAccuracyTestResult", "BetaPosterior", "bayes_accuracy_test", "proportion_posterior"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, short
from evalstats._result import Record, unbatch
from evalstats._types import FloatArray, IntArray
from evalstats.bayes.posterior import CredibleInterval, PosteriorResult, half_width
from evalstats.distributions.beta_difference import IndependentBetas, PairedBetas, central_limits
from evalstats.metrics.proportions import successes_and_trials
from evalstats.paired.mcnemar import understand_answers

SMALLEST_PRIOR, LARGEST_PRIOR = 1e-3, 1e9


@dataclass(frozen=True, kw_only=True, eq=False)
class BetaPosterior(Record):
    """Result of `proportion_posterior`: the beta distribution of a proportion.

    Attributes
    ----------
    a, b : float or ndarray
        Parameters of the beta distribution: numbers of successes and failures, including the prior.
    mean : float or ndarray
        Posterior mean of the proportion, which is the probability that the next trial is a success.
    standard_deviation : float or ndarray
        Posterior standard deviation of the proportion.
    """

    a: Any
    b: Any
    mean: Any
    standard_deviation: Any

    def credible_interval(self, level: float = 0.95) -> CredibleInterval:
        """Compute the central credible interval for the proportion.

        Parameters
        ----------
        level : float, default: 0.95
            The posterior probability of the interval.

        Returns
        -------
        CredibleInterval
        """
        from scipy.special import betaincinv

        level = _checks.proportion(level, "level")
        tail = (1 - level) / 2
        return CredibleInterval(
            low=betaincinv(self.a, self.b, tail), high=1 - betaincinv(self.b, self.a, tail), level=level
        )

    def probability_above(self, threshold: ArrayLike) -> Any:
        """Compute the posterior probability that the proportion is above a threshold.

        Parameters
        ----------
        threshold : array_like
            Values from 0 to 1, which broadcast with the parameters of the posterior.

        Returns
        -------
        float or ndarray

        Examples
        --------
        >>> from evalstats.bayes import proportion_posterior
        >>> print(f"{proportion_posterior(81, 100).probability_above(0.75):.3f}")
        0.910
        """
        from scipy.special import betainc

        limit = _checks.finite(_checks.numbers(threshold, "threshold"), "threshold")
        if np.any((limit < 0) | (limit > 1)):
            raise InvalidValueError(f"threshold must lie from 0 to 1, not {short(threshold)}")
        return unbatch(betainc(self.b, self.a, 1 - limit))


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesAccuracyTestResult(PosteriorResult):
    """Result of `bayes_accuracy_test`.

    Attributes
    ----------
    mean : float or ndarray
        Posterior mean of the accuracy of x minus the accuracy of y.
    standard_deviation : float or ndarray
        Posterior standard deviation of the difference.
    table : ndarray of int, of shape (..., 2, 2)
        Numbers of instances. For the same instances: ``[[both correct, only x], [only y, neither]]``. For different
        instances: a row with the numbers of correct and incorrect predictions of x, and a row for y.
    paired : bool
        Whether the predictions of x and y are for the same instances.
    prior_count : float
        Number that the prior adds to each count of an outcome.
    """

    mean: Any
    standard_deviation: Any
    table: IntArray
    paired: bool
    prior_count: float
    _difference: Any

    def credible_interval(self, level: float = 0.95) -> CredibleInterval:
        """Compute the central credible interval for the difference between the accuracies.

        Parameters
        ----------
        level : float, default: 0.95
            The posterior probability of the interval.

        Returns
        -------
        CredibleInterval

        Examples
        --------
        >>> from evalstats.bayes import bayes_accuracy_test
        >>> low, high = bayes_accuracy_test(counts=[[59, 6], [16, 80]]).credible_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.1196 -0.0044
        """
        level = _checks.proportion(level, "level")
        low, high = central_limits(self._difference, level)
        return CredibleInterval(low=unbatch(low), high=unbatch(high), level=level)

    def density(self, grid: ArrayLike) -> FloatArray:
        """Compute the posterior density of the difference at each point of a grid.

        Parameters
        ----------
        grid : array_like of shape (m,)
            Differences from -1 to 1.

        Returns
        -------
        ndarray of shape (..., m)
        """
        points = _checks.finite(_checks.numbers(grid, "grid"), "grid")
        if points.ndim > 1:
            raise InvalidValueError(f"grid must have the shape (m,), but its shape is {points.shape}")
        spread = type(self._difference)(*(np.asarray(v)[..., None] for v in self._difference))
        inside = np.clip(points, -1, 1)
        return np.asarray(np.where(np.abs(points) < 1, spread.density(inside), 0.0))


def bayes_accuracy_test(
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    counts: ArrayLike | None = None,
    rope: float = 0.0,
    prior_count: float = 1.0,
    paired: bool = True,
) -> BayesAccuracyTestResult:
    """Compute posterior probabilities that x is more accurate than, equivalent to or less accurate than y.

    There is no null hypothesis. For the same instances, the probabilities of the four outcomes (both correct, only x,
    only y, neither) have a Dirichlet posterior. For different instances, each accuracy has its own beta posterior.

    Parameters
    ----------
    x, y : array_like of bool, of shape (..., n)
        Whether each classifier is correct for each of n instances: True or False, or 1 or 0. The instances must be
        independent of each other. Leading axes are batch dimensions and broadcast. If `paired` is False, the lengths
        may differ.
    counts : array_like of int, of shape (..., 2, 2), optional
        Instead of `x` and `y`: numbers of instances ``[[both correct, only x], [only y, neither]]``, as in
        `mcnemar_test`. Leading axes are batch dimensions.
    rope : float, default: 0
        Half the width of the region of practical equivalence: 0.01 means one percentage point of accuracy.
    prior_count : float, default: 1
        Number of instances that the prior adds to each outcome, at least 0.001. The number 1 gives the uniform prior,
        and 0.5 gives Jeffreys' prior.
    paired : bool, default: True
        Whether the predictions of x and y are for the same instances, in the same order.

    Returns
    -------
    BayesAccuracyTestResult
        `p_less`, `p_rope` and `p_greater`. The result also contains the posterior mean of the difference, its
        `credible_interval` and `density`, and `decision`.

    Raises
    ------
    ValueError
        If x and y are not paired, are empty, or contain values other than True and False (or 1 and 0). If the counts
        are not 2 x 2 nonnegative integers, or are given together with x or y. If rope or prior_count is out of range.
    TypeError
        If rope or prior_count is not a number.

    See Also
    --------
    mcnemar_test : the hypothesis test for the same table.
    proportion_posterior : the posterior of the accuracy of one classifier.

    Notes
    -----
    The probabilities are integrals that are computed up to rounding error, without random draws. With rope = 0 and the
    same instances, they are tail probabilities of a beta distribution. The instances that both classifiers predict
    correctly, or both incorrectly, affect only the estimated rate of discordant instances.

    References
    ----------
    Gelman, A., Carlin, J. B., Stern, H. S., Dunson, D. B., Vehtari, A. & Rubin, D. B. (2013). Bayesian data analysis,
    3rd edition. Chapman & Hall, sections 2.4 and 3.4.

    Examples
    --------
    >>> from evalstats.bayes import bayes_accuracy_test
    >>> x = [True] * 80 + [False] * 20
    >>> y = [True] * 70 + [False] * 10 + [True] * 2 + [False] * 18
    >>> result = bayes_accuracy_test(x, y, rope=0.01)
    >>> print(f"{result.p_less:.3f} {result.p_rope:.3f} {result.p_greater:.3f}")
    0.005 0.018 0.977
    >>> print(f"{bayes_accuracy_test(counts=[[59, 6], [16, 80]]).p_less:.3f}")
    0.983
    """
    rope, prior_count = half_width(rope), _prior_count(prior_count)
    if _checks.boolean(paired, "paired") or counts is not None:
        table, _, _ = understand_answers(x, y, counts)
        both, only_x, only_y, neither = _parameters(table, prior_count)
        return _result(PairedBetas(only_x, only_y, both + neither), table, rope, prior_count, paired=True)
    table = _right_and_wrong(x, y)
    return _result(IndependentBetas(*_parameters(table, prior_count)), table, rope, prior_count, paired=False)


def proportion_posterior(n_successes: ArrayLike, n: ArrayLike, *, prior_count: float = 1.0) -> BetaPosterior:
    """Estimate a proportion, such as the accuracy of a classifier, with a beta posterior.

    Parameters
    ----------
    n_successes, n : array_like of int
        Numbers of successes and of independent trials. The two arguments broadcast.
    prior_count : float, default: 1
        Number of successes, and of failures, that the prior adds, at least 0.001. The number 1 gives the uniform prior,
        and 0.5 gives Jeffreys' prior.

    Returns
    -------
    BetaPosterior
        The mean and the standard deviation, with `credible_interval` and `probability_above`.

    Raises
    ------
    ValueError, TypeError
        If the counts are not nonnegative integers, there are more successes than trials, or prior_count is out of
        range.

    References
    ----------
    Gelman, A., Carlin, J. B., Stern, H. S., Dunson, D. B., Vehtari, A. & Rubin, D. B. (2013). Bayesian data analysis,
    3rd edition. Chapman & Hall, section 2.4.

    Examples
    --------
    >>> from evalstats.bayes import proportion_posterior
    >>> posterior = proportion_posterior(81, 100)
    >>> low, high = posterior.credible_interval()
    >>> print(f"{posterior.mean:.4f} ({low:.4f} to {high:.4f})")
    0.8039 (0.7219 to 0.8746)
    """
    successes, trials = successes_and_trials(n_successes, n)
    prior = _prior_count(prior_count)
    a, b = successes + prior, trials - successes + prior
    return BetaPosterior(
        a=a, b=b, mean=a / (a + b), standard_deviation=np.sqrt(a / (a + b) * (b / (a + b)) / (a + b + 1))
    )


def _prior_count(value: Any) -> float:
    number = _checks.real(value, "prior_count")
    if SMALLEST_PRIOR <= number <= LARGEST_PRIOR:
        return number
    raise InvalidValueError(
        f"prior_count must lie between {SMALLEST_PRIOR:g} and {LARGEST_PRIOR:g}, not {short(value)}"
    )


def _parameters(table: IntArray, prior_count: float) -> list[FloatArray]:
    """Return the four counts of a table, row by row, including the prior."""
    return [np.asarray(table[..., i, j] + prior_count, dtype=np.float64) for i in (0, 1) for j in (0, 1)]


def _right_and_wrong(x: Any, y: Any) -> IntArray:
    """Count correct and incorrect predictions for different instances: a row for x and a row for y."""
    frames = {name: value for name, value in (("x", x), ("y", y)) if hasattr(value, "columns")}
    _labels.same_labels(rows=tuple(frames), **frames)
    rows = []
    for value, name in ((x, "x"), (y, "y")):
        right = _checks.right_or_wrong(value, name)
        if right.ndim == 0 or right.size == 0:
            raise InvalidValueError(f"{name} must hold at least one instance, but its shape is {right.shape}")
        n_right = np.count_nonzero(right, axis=-1)
        rows.append(np.stack([n_right, right.shape[-1] - n_right], axis=-1))
    try:
        return np.stack(np.broadcast_arrays(*rows), axis=-2).astype(np.int64)
    except ValueError as error:
        raise InvalidValueError(
            f"the leading axes of x and y must broadcast, but their shapes are {np.shape(x)} and {np.shape(y)}"
        ) from error


def _result(
    difference: PairedBetas | IndependentBetas, table: IntArray, rope: float, prior_count: float, *, paired: bool
) -> BayesAccuracyTestResult:
    edge = np.full(table.shape[:-2], min(rope, 1.0))
    greater, less = difference.above(edge), difference.swapped().above(edge)
    # without a rope, the two probabilities are complements, and the remainder is a rounding error
    within = np.clip(1 - greater - less, 0, 1) if rope > 0 else np.zeros_like(greater)
    return BayesAccuracyTestResult(
        p_less=less,
        p_rope=within,
        p_greater=greater,
        rope=rope,
        method=np.full(edge.shape, "quadrature"),
        reason=np.full(edge.shape, None) if edge.ndim else None,
        mean=difference.mean,
        standard_deviation=np.sqrt(difference.variance),
        table=table,
        paired=paired,
        prior_count=prior_count,
        _difference=difference,
    )
