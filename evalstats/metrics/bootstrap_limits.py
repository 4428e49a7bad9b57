"""Which limits do the replicates of a score give?"""

from __future__ import annotations

__all__ = ["Asked", "BootstrapInterval", "LeftOut", "ProblemInterval", "chunks", "interval_of", "joined_intervals"]

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import RandomSource
from evalstats._result import ConfidenceInterval
from evalstats._types import AnyArray, FloatArray, IntArray

BOOTSTRAP_METHODS = ("bca", "percentile")
# numbers drawn at a time
CHUNK = 2**17
# scores that differ by less differ by rounding
ROUNDING = 1e-15
NO_SPREAD = "every replicate has the same score, so that the bootstrap cannot tell how uncertain it is"
NOT_DEFINED = "the score is undefined in every replicate"
NOT_BCA = "the acceleration or the bias cannot be estimated from these counts, so that the limits are plain percentiles"


@dataclass(frozen=True, kw_only=True, eq=False)
class BootstrapInterval(ConfidenceInterval):
    """A bootstrap interval of a score; ``low, high = interval`` works.

    Both limits are quantiles of scores that were really computed, so that they never leave the range of the metric.
    They bracket the estimate unless it lies in one of the tails of its own replicates, as a strongly biased score can.

    Attributes
    ----------
    estimate : float or ndarray
        The score itself.
    standard_error : float or ndarray
        Standard deviation of the replicates.
    method : str or ndarray of str
        ``'bca'`` or ``'percentile'``, as really used.
    n_resamples : int
        Number of replicates.
    n_undefined : int or ndarray of int
        How many of them were left out, because the score is undefined there.
    reason : str, None or ndarray of object
        None, or a sentence when the input was degenerate.
    """

    estimate: Any
    standard_error: Any
    method: Any
    n_resamples: int
    n_undefined: Any
    reason: Any


class Asked(NamedTuple):
    """What the user asked of the bootstrap."""

    method: str
    level: float
    n_resamples: int

    @classmethod
    def understand(cls, method: Any, confidence_level: Any, n_resamples: Any) -> Asked:
        """Return the choices, or say which one is none."""
        return cls(
            _checks.choice(method, "method", BOOTSTRAP_METHODS),
            _checks.confidence_level(confidence_level),
            _checks.count(n_resamples, "n_resamples", minimum=2),
        )


class LeftOut(NamedTuple):
    """The score when one case is left out, for each kind of case, and how many cases of the kind there are."""

    scores: FloatArray
    counts: IntArray


class ProblemInterval(NamedTuple):
    """The interval of one problem, or one for each label: arrays of the shape of the score."""

    low: FloatArray
    high: FloatArray
    estimate: FloatArray
    standard_error: FloatArray
    method: AnyArray
    n_undefined: AnyArray
    reason: AnyArray


def interval_of(
    estimate: FloatArray, replicates: FloatArray, left_out: LeftOut | None, asked: Asked
) -> ProblemInterval:
    """Return the interval of one problem; replicates lie along the first axis."""
    result = ProblemInterval(
        low=np.full(estimate.shape, np.nan),
        high=np.full(estimate.shape, np.nan),
        estimate=estimate,
        standard_error=np.full(estimate.shape, np.nan),
        method=np.full(estimate.shape, "percentile", dtype=object),
        n_undefined=np.isnan(replicates).sum(axis=0),
        reason=np.full(estimate.shape, None, dtype=object),
    )
    for at in np.ndindex(estimate.shape):
        here = replicates[:, *at]
        defined = here[~np.isnan(here)]
        if not defined.size:
            result.reason[at] = NOT_DEFINED
            continue
        levels = np.array([(1 - asked.level) / 2, (1 + asked.level) / 2])
        if defined.min() == defined.max():
            result.reason[at] = NO_SPREAD
        elif left_out is not None:
            corrected = _bca_levels(levels, estimate[at], defined, left_out.scores[:, *at], left_out.counts)
            if corrected is None:
                result.reason[at] = NOT_BCA
            else:
                levels = corrected
                result.method[at] = "bca"
        result.low[at], result.high[at] = np.quantile(defined, levels)
        result.standard_error[at] = defined.std(ddof=1) if defined.size > 1 else np.nan
    return result


def _bca_levels(
    levels: FloatArray, estimate: Any, replicates: FloatArray, scores: FloatArray, counts: IntArray
) -> FloatArray | None:
    """Return the levels corrected for bias and acceleration, or None where they do not exist: Efron (1987), eq. 2.3."""
    from scipy.special import ndtr, ndtri

    below, equal = np.mean(replicates < estimate), np.mean(replicates == estimate)
    bias = ndtri(below + equal / 2)
    acceleration = _acceleration(scores, counts)
    if not (math.isfinite(bias) and math.isfinite(acceleration)):
        return None
    shifted = bias + ndtri(levels)
    if (acceleration * shifted >= 1).any():
        return None
    corrected: FloatArray = ndtr(bias + shifted / (1 - acceleration * shifted))
    return corrected


def _acceleration(scores: FloatArray, counts: IntArray) -> float:
    """Return a sixth of the skewness of the scores that leave out one case: Efron (1987), eq. 6.6."""
    weight = counts / counts.sum()
    # divided by the largest difference: its cube is too small a number where there are many cases
    difference = np.sum(weight * scores) - scores
    largest = np.abs(difference).max()
    if not largest > ROUNDING * np.abs(scores).max():
        return math.nan
    difference = difference / largest
    cubes, squares = np.sum(counts * difference**3), np.sum(counts * difference**2)
    return float(cubes / (6 * squares**1.5))


def joined_intervals(
    intervals: list[ProblemInterval], batch: tuple[int, ...], asked: Asked, source: RandomSource
) -> BootstrapInterval:
    """Put the intervals of all problems of a batch into one record."""

    def joined(name: str) -> Any:
        parts = np.stack([getattr(interval, name) for interval in intervals])
        return parts.reshape((*batch, *parts.shape[1:]))

    low = joined("low")
    return BootstrapInterval(
        low=low,
        high=joined("high"),
        confidence_level=asked.level,
        attained_level=np.full(np.shape(low), asked.level),
        estimate=joined("estimate"),
        standard_error=joined("standard_error"),
        method=np.asarray(joined("method")).astype(str),
        n_resamples=asked.n_resamples,
        seed=source.seed,
        n_undefined=joined("n_undefined"),
        reason=joined("reason"),
    )


def chunks(n_resamples: int, cells: int) -> Iterator[int]:
    """Cut the replicates into chunks that need little memory."""
    step = max(1, CHUNK // cells)
    for start in range(0, n_resamples, step):
        yield min(step, n_resamples - start)
