"""Base class of the effect sizes, and the check of two samples."""

from __future__ import annotations

__all__ = ["COHEN", "COHEN_R", "ROMANO", "VARGHA_DELANEY", "EffectSizeResult", "Magnitudes", "two_samples"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import EstimateResult, unbatch
from evalstats._types import FloatArray

WORDS = np.array(["negligible", "small", "medium", "large", "undefined"])


class Magnitudes(NamedTuple):
    """Thresholds for small, medium and large effects, their source, and the value that means no effect."""

    source: str
    thresholds: tuple[float, float, float]
    no_effect: float = 0.0


COHEN = Magnitudes("Cohen (1988)", (0.2, 0.5, 0.8))
COHEN_R = Magnitudes("Cohen (1988), for correlations", (0.1, 0.3, 0.5))
ROMANO = Magnitudes("Romano et al. (2006)", (0.147, 0.33, 0.474))
VARGHA_DELANEY = Magnitudes("Vargha & Delaney (2000)", (0.56, 0.64, 0.71), no_effect=0.5)


@dataclass(frozen=True, kw_only=True, eq=False)
class EffectSizeResult(EstimateResult):
    """An effect size, which is above the value for no effect if x tends to be larger than y.

    Attributes
    ----------
    estimate : float or ndarray
        The effect size. It is infinite if there is a difference but no variance.
    standard_error : float or ndarray
        Large-sample standard error of the effect size. It is nan if it cannot be estimated.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    name : str
        Name of the effect size.
    n_x, n_y : int
        Number of values of x and of y.
    paired : bool
        Whether the values of x and y are paired.
    """

    name: str
    n_x: int
    n_y: int
    paired: bool
    _magnitudes: Magnitudes

    @property
    def magnitude(self) -> Any:
        """Word for the size of the effect by a convention: negligible, small, medium or large (undefined for nan)."""
        estimate, (_, thresholds, no_effect) = np.asarray(self.estimate), self._magnitudes
        size = np.maximum(estimate, 2 * no_effect - estimate)
        place = np.searchsorted(thresholds, size, side="right")
        return unbatch(WORDS[np.where(np.isnan(size), len(WORDS) - 1, place)])

    @property
    def magnitude_source(self) -> str:
        """Source of the convention for `magnitude`."""
        return self._magnitudes.source


def two_samples(x: Any, y: Any, *, minimum: int = 2) -> tuple[FloatArray, FloatArray]:
    """Return two independent samples along the last axis, with at least `minimum` values in total.

    The leading axes are broadcast. The lengths may differ.
    """
    frames = {name: value for name, value in (("x", x), ("y", y)) if hasattr(value, "columns")}
    _labels.same_labels(rows=tuple(frames), **frames)
    samples = []
    for value, name in ((x, "x"), (y, "y")):
        array = _checks.numbers(value, name)
        if array.ndim == 0:
            raise InvalidValueError(f"{name} must have at least one axis, but it is a single number")
        if array.size == 0:
            raise InvalidValueError(f"{name} must have at least 1 value, but its shape is {array.shape}")
        samples.append(_checks.finite(array, name))
    a, b = samples
    n, m = a.shape[-1], b.shape[-1]
    if n + m < minimum:
        raise InvalidValueError(f"x and y must have at least {minimum} values in total, but they have {n} and {m}")
    batch = _checks.leading_axes(a.shape, b.shape)
    return np.broadcast_to(a, (*batch, n)), np.broadcast_to(b, (*batch, m))
