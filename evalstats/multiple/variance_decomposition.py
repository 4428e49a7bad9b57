"""How much of the variance within datasets is between the classifiers, and how much is left?"""

from __future__ import annotations

__all__ = ["ALL_TIED", "Decomposition", "decomposed", "means_of_columns"]

from typing import NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._ranks import differences, noise_of
from evalstats._types import ExponentArray, FloatArray

ALL_TIED = "all classifiers are tied on every dataset"


class Decomposition(NamedTuple):
    """Scores without what their dataset adds to all of them, divided by 2 to the power of `exponent`."""

    effect: FloatArray  # mean of each classifier, minus the mean of all
    residual: FloatArray  # what is left of each score
    between: FloatArray  # sum of squares of the effects over the whole table
    within: FloatArray  # sum of squares of the residuals; 0 where the classifiers differ by the same on every dataset
    exponent: ExponentArray


def decomposed(scores: FloatArray, tie_tolerance: float) -> Decomposition:
    """Split scores into the effects of the classifiers and what is left, with no digit lost to large scores.

    The differences from one classifier, and then from one dataset, are exact where scores are close to each other.
    """
    n = scores.shape[-2]
    with np.errstate(over="ignore"):
        from_first = scores - scores[..., :1]
    largest = np.abs(from_first).max(axis=(-2, -1))
    if not np.isfinite(largest).all():
        raise InvalidValueError("the differences between scores must be finite, but one is too large for a float")
    exponent = np.frexp(largest)[1]
    from_first = np.ldexp(from_first, -exponent[..., None, None])
    effect = from_first.sum(axis=-2) / n
    residual = _centred(from_first - from_first[..., :1, :])

    # rounding to the tolerance moves a difference by less than 10 tolerances, noise of its two scores by twice theirs
    largest_noise = max(100 * tie_tolerance, 20 * noise_of(tie_tolerance))
    with np.errstate(over="ignore"):
        moved = largest_noise * np.ldexp(np.abs(scores).max(axis=(-2, -1)), -exponent)
    for at in map(tuple, np.argwhere(np.abs(residual).max(axis=(-2, -1)) <= moved)):
        same = _same_differences(scores[at], tie_tolerance)
        if same is not None:
            residual[at] = 0.0
            effect[at] = np.ldexp(same, -exponent[at])
    effect = effect - effect.mean(axis=-1, keepdims=True)
    return Decomposition(
        effect=effect,
        residual=residual,
        between=n * (effect**2).sum(axis=-1),
        within=(residual**2).reshape(*residual.shape[:-2], -1).sum(axis=-1),
        exponent=exponent,
    )


def means_of_columns(scores: FloatArray) -> FloatArray:
    """Mean score of each classifier; divided by a power of two before the sum, which changes no digit."""
    shift = scores.shape[-2].bit_length()
    return np.asarray(np.ldexp(np.ldexp(scores, -shift).mean(axis=-2), shift))


def _centred(values: FloatArray) -> FloatArray:
    """Subtract the mean of each row, and then of each column."""
    values = values - values.mean(axis=-1, keepdims=True)
    return np.asarray(values - values.mean(axis=-2, keepdims=True))


def _same_differences(scores: FloatArray, tie_tolerance: float) -> FloatArray | None:
    """Return by how much each classifier differs from the first, or None where that depends on the dataset."""
    for tolerance in (tie_tolerance, 0.0):
        difference = differences(scores.T, scores[:, 0], tolerance)
        if (difference == difference[:, :1]).all():
            return difference[:, 0]
    return None
