"""Result classes of Bayesian comparisons of two classifiers."""

from __future__ import annotations

__all__ = [
    "PLACES",
    "BayesPair",
    "CredibleInterval",
    "PosteriorRegions",
    "PosteriorResult",
    "correlation_of_folds",
    "half_width",
    "matrix_of_pairs",
    "prior_strength_of",
    "reason_of",
    "regions_of",
]

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._result import PairsByName, Record, reasons
from evalstats._types import FloatArray, IndexArray
from evalstats.paired.ttest import NO_DIFFERENCE

IntPair = tuple[IndexArray, IndexArray]

LEAST_THRESHOLD = 0.5
LARGEST_ROPE = 1e307  # sums of differences and ropes remain finite
SMALLEST_PRIOR_STRENGTH = 1e-100
LARGEST_PRIOR_STRENGTH = 1e9
PLACES = ("less", "rope", "greater")


@dataclass(frozen=True, kw_only=True, eq=False)
class PosteriorRegions(Record):
    """One number for each of three regions: below, within and above the rope.

    Attributes
    ----------
    less : float or ndarray
        Value for x below y by more than the rope.
    rope : float or ndarray
        Value for a difference within the rope.
    greater : float or ndarray
        Value for x above y by more than the rope.
    """

    less: Any
    rope: Any
    greater: Any


@dataclass(frozen=True, kw_only=True, eq=False)
class CredibleInterval(Record):
    """Central credible interval of a posterior distribution. You can unpack it: ``low, high = interval``.

    Attributes
    ----------
    low, high : float or ndarray
        Limits, in the unit of the scores.
    level : float
        The posterior probability of the interval. Half of the remaining probability is below the interval, and half is
        above it.
    """

    low: Any
    high: Any
    level: float

    def __iter__(self) -> Iterator[Any]:
        yield self.low
        yield self.high


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesPair(Record):
    """One pair of a Bayesian comparison of several classifiers.

    Attributes
    ----------
    first, second : int or column name
        The two classifiers: their names, or their positions if the scores have no names.
    p_less, p_rope, p_greater : float
        As in `PosteriorResult`, with the first classifier as x and the second as y.
    """

    first: Any
    second: Any
    p_less: float
    p_rope: float
    p_greater: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PosteriorResult(PairsByName[BayesPair]):
    """Result of a Bayesian comparison of two classifiers.

    The rope, the region of practical equivalence, is the closed interval from -rope to rope. There is no p-value. The
    three numbers are posterior probabilities and add up to 1.

    Attributes
    ----------
    p_less : float or ndarray
        Probability that y is better, if larger scores are better. On one dataset, `p_less` is the probability of x - y
        < -rope. Over datasets (signs, signed ranks or the hierarchical model), `p_less` is the posterior probability
        that x - y < -rope is the most probable of the three outcomes.
    p_rope : float or ndarray
        Probability that the two classifiers are practically equivalent, defined in the same way as `p_less`.
    p_greater : float or ndarray
        Probability that x is better, if larger scores are better, defined in the same way as `p_less`, for x - y >
        rope.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the scores.
    method : str or ndarray of str
        Method of the computation.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array and for two classifiers.
    """

    _of_pair: ClassVar[Any] = BayesPair

    p_less: Any
    p_rope: Any
    p_greater: Any
    rope: float
    method: Any
    reason: Any
    classifiers: tuple[Any, ...] | None = None
    _of_pairs: bool = False

    def _axes(self) -> tuple[str, ...]:
        return ("first", "second") if self._of_pairs else ()

    def decision(self, threshold: float = 0.95) -> Any:
        """Return the outcome whose probability exceeds the threshold.

        Parameters
        ----------
        threshold : float, default: 0.95
            A probability of at least 0.5, so at most one outcome exceeds it.

        Returns
        -------
        str, None or ndarray of object
            The classifier with the larger scores (``'x'`` or ``'y'``), ``'rope'`` if both are practically equivalent,
            or None if no probability exceeds the threshold.

        Examples
        --------
        >>> from evalstats.bayes import bayes_sign_test
        >>> x, y = [0.91, 0.85, 0.73, 0.66, 0.95, 0.88], [0.80, 0.71, 0.70, 0.60, 0.80, 0.79]
        >>> bayes_sign_test(x, y, rope=0.01).decision(0.9)
        'x'
        """
        threshold = _checks.proportion(threshold, "threshold")
        if threshold < LEAST_THRESHOLD:
            raise InvalidValueError(f"threshold must be at least {LEAST_THRESHOLD}, not {short(threshold)}")
        answer = np.full(np.shape(self.p_rope), None, dtype=object)
        for name, p in (("x", self.p_greater), ("y", self.p_less), ("rope", self.p_rope)):
            answer[np.asarray(p) > threshold] = name
        return answer.item() if answer.ndim == 0 else answer


def half_width(rope: Any) -> float:
    """Check half the width of the region of practical equivalence."""
    number = _checks.finite(_checks.numbers(rope, "rope"), "rope")
    if number.ndim:
        raise InvalidTypeError(f"rope must be one number, not {short(rope)}")
    if number < 0:
        raise InvalidValueError(f"rope must be nonnegative, not {short(rope)}")
    if number > LARGEST_ROPE:
        raise InvalidValueError(f"rope must be at most {LARGEST_ROPE:g}, not {short(rope)}")
    return float(number)


def prior_strength_of(value: Any) -> float:
    """Check the number of datasets to which the prior is equivalent."""
    number = _checks.finite(_checks.numbers(value, "prior_strength"), "prior_strength")
    if number.ndim or number < 0:
        raise InvalidValueError(f"prior_strength must be one nonnegative number, not {short(value)}")
    if 0 < number < SMALLEST_PRIOR_STRENGTH:
        raise InvalidValueError(f"prior_strength must be 0 or at least {SMALLEST_PRIOR_STRENGTH:g}, not {short(value)}")
    if number > LARGEST_PRIOR_STRENGTH:
        raise InvalidValueError(f"prior_strength must be at most {LARGEST_PRIOR_STRENGTH:g}, not {short(value)}")
    return float(abs(number))  # -0.0 equals 0, but it is not a valid parameter of a distribution


def correlation_of_folds(n_train: float | None, n_test: float | None, correlation: Any) -> tuple[float, float]:
    """Return the correlation between the differences in two folds, from the sizes or as given, and its odds."""
    if correlation is None:
        assert n_train is not None
        assert n_test is not None
        found = n_test / (n_train + n_test)
        if found == 1:
            raise InvalidValueError(f"n_test = {n_test:g} is too large for n_train = {n_train:g}")
        return found, n_test / n_train
    if n_train is not None or n_test is not None:
        raise InvalidValueError(
            "correlation cannot be combined with n_train and n_test; pass the correlation or the two sizes, not both"
        )
    number = _checks.finite(_checks.numbers(correlation, "correlation"), "correlation")
    if number.ndim or not 0 <= number < 1:
        raise InvalidValueError(f"correlation must be at least 0 and below 1, not {short(correlation)}")
    return float(number), float(number / (1 - number))


def reason_of(is_equal: Any) -> Any:
    """Return a reason if x and y are equal in members of the batch."""
    return reasons(np.shape(is_equal), (is_equal, NO_DIFFERENCE))


def regions_of(values: FloatArray) -> PosteriorRegions:
    """Convert a last axis of less, rope and greater into a record."""
    less, rope, greater = (values[..., place] for place in range(3))
    return PosteriorRegions(less=less, rope=rope, greater=greater)


def matrix_of_pairs(values: Any, pairs: IntPair, k: int, *, diagonal: Any, mirrored: Any = None) -> Any:
    """Put the value of each pair i < j into (..., k, k), and its mirror image on the other side of the diagonal."""
    values = np.asarray(values)
    matrix = np.full((*values.shape[:-1], k, k), diagonal, dtype=values.dtype)
    i, j = pairs
    matrix[..., i, j] = values
    matrix[..., j, i] = values if mirrored is None else mirrored
    return matrix
