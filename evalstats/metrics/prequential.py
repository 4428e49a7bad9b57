"""Errors of classifiers on a stream."""

from __future__ import annotations

__all__ = ["PrequentialError", "holdout_errors", "prequential_errors", "q_statistic"]

import math
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import FloatArray


class PrequentialError:
    """Prequential error of a classifier that is tested on each instance of a stream before training on it.

    Parameters
    ----------
    window, fading_factor
        As in `prequential_errors`.

    Attributes
    ----------
    n : int
        Number of instances so far.
    error : float
        Prequential error, or nan before the first instance.

    Raises
    ------
    ValueError
        If `window` or `fading_factor` is out of range, or both are passed.

    Examples
    --------
    >>> from evalstats.metrics import PrequentialError
    >>> error = PrequentialError(fading_factor=0.5)
    >>> [round(error.update(loss), 3) for loss in [1, 0, 0, 1]]
    [1.0, 0.333, 0.143, 0.6]
    """

    def __init__(self, *, window: int | None = None, fading_factor: float | None = None) -> None:
        self.window, self.fading_factor = _understood(window, fading_factor)
        self.n = 0
        self._last: deque[float] = deque()
        self._sum = self._weight = 0.0

    @property
    def error(self) -> float:
        """The error so far, or nan before the first instance."""
        return self._sum / self._weight if self.n else math.nan

    def update(self, loss: float) -> float:
        """Add the loss of the next instance, and return the error that includes it.

        Parameters
        ----------
        loss : float
            Loss of the instance: 0 for a correct and 1 for an incorrect prediction, or any number.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If the loss is not finite.
        TypeError
            If the value is not a number.
        """
        value = float(loss) if isinstance(loss, bool | np.bool_) else _checks.real(loss, "loss")
        if not math.isfinite(value):
            raise InvalidValueError(f"loss must be finite, not {short(loss)}")
        self.n += 1
        if self.window is None:
            self._sum = value + self.fading_factor * self._sum
            self._weight = 1.0 + self.fading_factor * self._weight
            return self.error
        self._last.append(value)
        self._sum += value
        if self.n > self.window:
            self._sum -= self._last.popleft()
            if self.n % self.window == 0:  # rounding errors do not accumulate, in constant time per instance
                self._sum = math.fsum(self._last)
        self._weight = float(len(self._last))
        return self.error


def prequential_errors(
    losses: ArrayLike, *, window: int | None = None, fading_factor: float | None = None
) -> FloatArray:
    """Compute the prequential error after each instance of a stream.

    Parameters
    ----------
    losses : array_like of shape (..., n)
        Loss of each instance, in the order of the stream: 0 for a correct and 1 for an incorrect prediction, or any
        number.
    window : int, optional
        Number of the most recent instances over which the mean loss is computed.
    fading_factor : float, optional
        Factor by which each new instance multiplies the weights of earlier losses, above 0 and at most 1. The factor 1
        means no fading. A fading factor cannot be combined with `window`.

    Returns
    -------
    ndarray of shape (..., n)
        The error after each instance.

    Raises
    ------
    ValueError
        If a loss is not finite, there is no loss, `window` or `fading_factor` is out of range, or both are passed.
    TypeError
        If losses are not numbers.

    References
    ----------
    Gama, J., Sebastião, R. & Rodrigues, P. P. (2013). On evaluating stream learning algorithms. Machine Learning 90,
    317-346. Section 3.

    Examples
    --------
    >>> from evalstats.metrics import prequential_errors
    >>> prequential_errors([1, 0, 0, 1]).round(3)
    array([1.   , 0.5  , 0.333, 0.5  ])
    >>> prequential_errors([1, 0, 0, 1], window=2)
    array([1. , 0.5, 0. , 0.5])
    """
    window, kept = _understood(window, fading_factor)
    values = _losses(losses, "losses")
    n = values.shape[-1]
    if window is not None:
        start = np.zeros((*values.shape[:-1], 1))
        totals = np.concatenate([start, np.cumsum(values, axis=-1)], axis=-1)
        first = np.maximum(np.arange(n) + 1 - window, 0)
        errors: FloatArray = (totals[..., 1:] - totals[..., first]) / (np.arange(n) + 1 - first)
        return errors
    faded: FloatArray = _faded(values, kept) / _faded(np.ones(n), kept)
    return faded


def holdout_errors(losses: ArrayLike, *, n_instances: int) -> FloatArray:
    """Compute the error on consecutive test sets of a stream.

    Parameters
    ----------
    losses : array_like of shape (..., n)
        As in `prequential_errors`.
    n_instances : int
        Number of instances of each test set. An incomplete test set at the end is ignored.

    Returns
    -------
    ndarray of shape (..., n // n_instances)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `prequential_errors`, or if there are fewer than `n_instances` losses.

    Examples
    --------
    >>> from evalstats.metrics import holdout_errors
    >>> holdout_errors([1, 0, 0, 1, 0, 0, 1], n_instances=3).round(3)
    array([0.333, 0.333])
    """
    size = _checks.count(n_instances, "n_instances")
    values = _losses(losses, "losses")
    n_sets = values.shape[-1] // size
    if not n_sets:
        raise InvalidValueError(f"n_instances must be at most {values.shape[-1]}, the number of losses, not {size}")
    means: FloatArray = values[..., : n_sets * size].reshape(*values.shape[:-1], n_sets, size).mean(axis=-1)
    return means


def q_statistic(x: ArrayLike, y: ArrayLike, *, fading_factor: float = 1.0) -> FloatArray:
    """Compute the Q statistic of two classifiers on a stream: the log ratio of their losses.

    Q is the logarithm of the ratio of the total losses so far. Q is negative if the first classifier is better. With
    fading, Q reacts faster to changes.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Losses of two classifiers on the same stream, 0 or more. Leading axes are batch dimensions and broadcast.
    fading_factor : float, default: 1.0
        Factor by which each new instance multiplies the weights of earlier losses, above 0 and at most 1. The factor 1
        means no fading.

    Returns
    -------
    ndarray of shape (..., n)
        The logarithm after each instance. It is 0 as long as neither classifier has a loss above 0, and infinite as
        long as only one classifier has such a loss.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `prequential_errors`, or if a loss is negative or the losses are not paired.

    References
    ----------
    Gama, J., Sebastião, R. & Rodrigues, P. P. (2013). On evaluating stream learning algorithms. Machine Learning 90,
    317-346. Section 4.

    Examples
    --------
    >>> from evalstats.metrics import q_statistic
    >>> q_statistic([1, 0, 0, 1], [1, 1, 0, 1]).round(3)
    array([ 0.   , -0.693, -0.693, -0.405])
    """
    _, kept = _understood(None, fading_factor)
    a, b = _checks.paired(x, y)
    for losses, name in ((a, "x"), (b, "y")):
        if losses.min() < 0:
            raise InvalidValueError(f"{name} must hold nonnegative losses, but one loss is {losses.min():g}")
        _checks.moderate(losses, name)
    one, other = np.broadcast_arrays(_faded(a, kept), _faded(b, kept))
    with np.errstate(divide="ignore", invalid="ignore"):
        q: FloatArray = np.where(one == other, 0.0, np.log(one) - np.log(other))
    return q


def _understood(window: Any, fading_factor: Any) -> tuple[int | None, float]:
    if window is not None:
        if fading_factor is not None:
            raise InvalidValueError("fading_factor cannot be combined with window; pass only one of them")
        return _checks.count(window, "window"), 1.0
    if fading_factor is None:
        return None, 1.0
    kept = _checks.real(fading_factor, "fading_factor")
    if not 0 < kept <= 1:
        raise InvalidValueError(f"fading_factor must be greater than 0 and at most 1, not {short(fading_factor)}")
    return None, kept


def _losses(value: Any, name: str) -> FloatArray:
    _labels.same_labels_in_list(value, name)
    losses = _checks.finite(_checks.numbers(value, name), name)
    if losses.ndim == 0:
        raise InvalidTypeError(f"{name} must hold a loss for each instance, but it is a single number")
    if losses.size == 0:
        raise InvalidValueError(f"{name} must hold at least one loss, but its shape is {losses.shape}")
    return _checks.moderate(losses, name)


def _faded(values: FloatArray, kept: float) -> FloatArray:
    """Return S_i = L_i + a S_(i-1): Gama et al. (2013), eq. 3."""
    if kept == 1:
        return np.cumsum(values, axis=-1)
    from scipy.signal import lfilter

    faded: FloatArray = lfilter([1.0], [1.0, -kept], values, axis=-1)
    return faded
