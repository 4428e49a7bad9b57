"""How likely is so large a value as the largest of several normal variables, any two of which correlate equally?"""

from __future__ import annotations

__all__ = ["largest_sf"]

import math

import numpy as np

from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails

STEP = 1 / 16  # halving it changes nothing but rounding, for correlations up to 1/2
BEYOND = 9.0  # the normal density is 1e-18 of its largest value


def largest_sf(t: FloatArray, m: int, correlation: float, *, two_sided: bool) -> FloatArray:
    """P(max Z_i >= t), or P(max |Z_i| >= t), for m standard normal variables of this correlation, from 0 to 1/2.

    Z_i = sqrt(correlation) Y + sqrt(1 - correlation) Y_i: given Y they are independent. The integrand over Y is
    positive and entire, so that nothing cancels and the trapezoid rule converges geometrically.
    """
    t = np.asarray(t, dtype=np.float64)
    return np.array([_sf(one, m, correlation, two_sided) for one in t.ravel().tolist()]).reshape(t.shape)


def _sf(t: float, m: int, correlation: float, two_sided: bool) -> float:
    if two_sided and t <= 0:
        return 1.0
    common, own = math.sqrt(correlation), math.sqrt(1 - correlation)
    reach = abs(t) * common + BEYOND
    y = STEP * np.arange(-math.ceil(reach / STEP), math.ceil(reach / STEP) + 1, dtype=np.float64)
    outside = tails.normal_right_tail(np.asarray((t - common * y) / own))
    if two_sided:
        outside = np.minimum(outside + tails.normal_right_tail(np.asarray((t + common * y) / own)), 1.0)
    with np.errstate(divide="ignore"):  # the logarithm of 0, where every variable is outside
        some_outside = -np.expm1(m * np.log1p(-outside))
    weight = STEP / math.sqrt(2 * math.pi) * np.exp(-(y**2) / 2)
    return min(float((weight * some_outside).sum()), 1.0)
