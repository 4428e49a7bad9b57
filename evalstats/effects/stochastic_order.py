"""Almost stochastic order: violation ratio of stochastic dominance between two classifiers."""

from __future__ import annotations

__all__ = ["AlmostStochasticOrderResult", "almost_stochastic_order"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import EstimateResult, reasons, unbatch
from evalstats._types import BoolArray, FloatArray
from evalstats.effects.effect_size import two_samples

SAME_VALUES = (
    "x and y have the same distribution of values, so neither dominates the other: the ratio is 0.5 by convention"
)
NO_OVERLAP = (
    "no bootstrap sample changes the order of x and y, so the bootstrap standard error is 0 even for very few values"
)
VALUES_AT_ONCE = 2**20  # number of values in the resamples that are processed together


@dataclass(frozen=True, kw_only=True, eq=False)
class AlmostStochasticOrderResult(EstimateResult):
    """Result of `almost_stochastic_order`.

    Attributes
    ----------
    estimate : float or ndarray
        The violation ratio. It is 0 if x is at least as large as y at every quantile. It is 1 if y is at least as large
        as x at every quantile. It is 0.5 if neither x nor y is closer to dominance.
    standard_error : float or ndarray
        Bootstrap standard error of the ratio.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    n_x, n_y : int
        Number of values of x and of y.
    n_resamples : int
        Number of bootstrap samples for the standard error.
    seed : int or None
        Seed of the bootstrap samples, or None if `rng` was a Generator.
    tie_tolerance : float
        Relative precision at which two values are treated as equal.
    """

    n_x: int
    n_y: int
    n_resamples: int
    seed: int | None
    tie_tolerance: float

    def upper_bound(self, confidence_level: float = 0.95) -> Any:
        """Compute the upper confidence bound for the violation ratio (eps_min in the literature).

        A bound below 0.5 means that x is almost stochastically larger. Ulmer, Hardmeier & Frellsen (2022) recommend the
        threshold 0.2 for few values. For one of m comparisons, the level is ``1 - 0.05 / m``.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal probability that the bound is above the true ratio, in large samples.

        Returns
        -------
        float or ndarray
            The bound, between 0 and 1. The lower bound for (x, y) is one minus the upper bound for (y, x).

        Examples
        --------
        >>> from evalstats.effects import almost_stochastic_order
        >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85, 0.86], [0.78, 0.82, 0.80, 0.84, 0.79, 0.81]
        >>> print(f"{almost_stochastic_order(x, y).upper_bound():.3f}")
        0.182
        """
        return self._bound(_checks.confidence_level(confidence_level), 1)

    def lower_bound(self, confidence_level: float = 0.95) -> Any:
        """Compute the lower confidence bound for the violation ratio.

        A bound above 0.5 means that y is almost stochastically larger.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal probability that the bound is below the true ratio, in large samples.

        Returns
        -------
        float or ndarray
            The bound, between 0 and 1.
        """
        return self._bound(_checks.confidence_level(confidence_level), -1)

    def _bound(self, level: float, sign: int) -> Any:
        from scipy.special import ndtri

        return unbatch(np.clip(self.estimate + sign * ndtri(level) * np.asarray(self.standard_error), 0, 1))


def almost_stochastic_order(
    x: ArrayLike,
    y: ArrayLike,
    *,
    n_resamples: int = 1999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> AlmostStochasticOrderResult:
    """Estimate the violation ratio of almost stochastic order for independent runs of two classifiers.

    The squared distance between the two quantile functions is an integral over all quantiles. The violation ratio is
    the proportion that comes from the quantiles at which x is below y. The ratio is 0 if x dominates y, 1 if y
    dominates x, and 0.5 for two normal distributions with equal means. The ratio depends on the whole distribution: the
    worst runs have the same weight as the best runs.

    Parameters
    ----------
    x : array_like of shape (..., n_x)
        Scores of the runs of one classifier, n_x >= 2. Larger scores are better.
    y : array_like of shape (..., n_y)
        Scores of the runs of another classifier, n_y >= 2. Leading axes are batch dimensions and broadcast: with scores
        of shape (k, n_runs), ``almost_stochastic_order(scores[:, None], scores[None])`` compares all pairs.
    n_resamples : int, default: 1999
        Number of bootstrap samples for the standard error and the bounds.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. All members of a batch share the draws.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    AlmostStochasticOrderResult
        The violation ratio and its standard error, with `upper_bound` (eps_min) and `lower_bound`.

    Raises
    ------
    ValueError
        If x or y has fewer than two values or contains nan or infinity.

    See Also
    --------
    vargha_delaney_a : the probability that a run of x is above a run of y.
    akinshin_gamma : the differences between individual quantiles.

    Notes
    -----
    Comparing the bound with the threshold 0.5 is not a test at the 0.05 level. In simulations, two samples of 5 runs
    came from the same normal distribution. The upper 95% bound was below 0.5 in 19.6% of simulations, and below 0.2 in
    5.5%.

    The quantile functions are step functions, so the integrals are sums over the merged steps, without a grid. Swapping
    x and y gives one minus the ratio, up to rounding, with the same standard error. For samples of five runs, the
    bound, which uses the normal distribution, is too low.

    References
    ----------
    del Barrio, E., Cuesta-Albertos, J. A. & Matrán, C. (2018). An optimal transportation approach for assessing almost
    stochastic order. In: The Mathematics of the Uncertain, Springer, 33-44.

    Dror, R., Shlomov, S. & Reichart, R. (2019). Deep dominance: how to properly compare deep neural models. ACL,
    2773-2785, eq. 4 to 6.

    Examples
    --------
    >>> from evalstats.effects import almost_stochastic_order
    >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85, 0.86], [0.78, 0.82, 0.80, 0.84, 0.79, 0.81]
    >>> result = almost_stochastic_order(x, y)
    >>> print(f"{result.estimate:.4f} {result.standard_error:.4f}")
    0.0000 0.1105
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = two_samples(x, y)
    n, m = x.shape[-1], y.shape[-1]
    if min(n, m) < 2:
        raise InvalidValueError(
            f"x and y must have at least 2 values each, but they have {n} and {m}; a single value is not "
            "sufficient to estimate a distribution"
        )
    n_resamples, source = _checks.resampling(n_resamples, rng, minimum=19)

    x, y = _sorted_in_one_unit(x, y, tie_tolerance)
    first, second, is_swapped = _in_order(x, y)
    estimate = _ratio(first, second, is_swapped)
    replicates = _resampled(first, second, is_swapped, n_resamples, source.generator())

    standard_error = np.std(replicates, axis=-1, ddof=1)
    same = np.all(_differences(x, y)[0] == 0, axis=-1)
    return AlmostStochasticOrderResult(
        estimate=estimate,
        standard_error=standard_error,
        reason=reasons(estimate.shape, (same, SAME_VALUES), (np.ptp(replicates, axis=-1) == 0, NO_OVERLAP)),
        n_x=n,
        n_y=m,
        n_resamples=n_resamples,
        seed=source.seed,
        tie_tolerance=tie_tolerance,
    )


def _sorted_in_one_unit(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Sort both samples, merge ties, and scale by a power of two that prevents overflow of squares."""
    both = rounded(np.concatenate([x, y], axis=-1), tie_tolerance)
    exponent = np.frexp(np.abs(both).max(axis=-1, keepdims=True))[1]
    both = np.ldexp(both, -exponent)
    n = x.shape[-1]
    return np.sort(both[..., :n]), np.sort(both[..., n:])


def _in_order(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the two samples in an order that depends only on their values, and whether they were swapped.

    The random draws are then the same if x and y are swapped.
    """
    shape = x.shape[:-1]
    if x.shape[-1] != y.shape[-1]:
        is_swapped = np.full(shape, x.shape[-1] > y.shape[-1])
        return (y, x, is_swapped) if x.shape[-1] > y.shape[-1] else (x, y, is_swapped)
    sign = np.sign(x - y)
    first_that_differs = np.argmax(sign != 0, axis=-1)
    is_swapped = np.take_along_axis(sign, first_that_differs[..., None], axis=-1)[..., 0] > 0
    where = is_swapped[..., None]
    return np.where(where, y, x), np.where(where, x, y), is_swapped


def _ratio(first: FloatArray, second: FloatArray, is_swapped: BoolArray) -> FloatArray:
    """Compute the violation ratio of sorted samples along their last axis: del Barrio et al. (2018), eq. 4."""
    d, width = _differences(first, second)
    largest = np.abs(d).max(axis=-1, keepdims=True)
    d /= np.where(largest > 0, largest, 1.0)  # so that no square vanishes
    below = np.sum(width * np.minimum(d, 0) ** 2, axis=-1)
    above = np.sum(width * np.maximum(d, 0) ** 2, axis=-1)
    total = below + above
    violated = np.where(is_swapped, above, below)
    return np.where(total > 0, violated / np.where(total > 0, total, 1.0), 0.5)


def _differences(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the differences of two quantile functions between their steps, and the length of each interval."""
    n, m = x.shape[-1], y.shape[-1]
    jumps = np.union1d(np.arange(1, n + 1) * m, np.arange(1, m + 1) * n)  # in units of 1 / (n m)
    starts = np.append(0, jumps[:-1])
    return x[..., starts // m] - y[..., starts // n], (jumps - starts) / (n * m)


def _resampled(
    first: FloatArray, second: FloatArray, is_swapped: BoolArray, n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Return the violation ratios of bootstrap samples, of shape (..., n_resamples)."""
    n, m = first.shape[-1], second.shape[-1]
    replicates = np.empty((*is_swapped.shape, n_resamples))
    # one random stream for each sample, so the draws do not depend on the number of draws at a time
    of_x, of_y = (np.random.default_rng(seed) for seed in generator.integers(2**63, size=2))
    size = max(1, VALUES_AT_ONCE // ((n + m) * max(1, is_swapped.size)))
    for start in range(0, n_resamples, size):
        count = min(size, n_resamples - start)
        # sorted positions of sorted values, so no resample needs to be sorted
        of_first = np.sort(of_x.integers(n, size=(count, n)))
        of_second = np.sort(of_y.integers(m, size=(count, m)))
        here = _ratio(first[..., of_first], second[..., of_second], is_swapped[..., None])
        replicates[..., start : start + count] = here
    return replicates
