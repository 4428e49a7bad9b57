"""Distribution of the difference between two proportions with beta or Dirichlet distributions.

Consider a Dirichlet distribution of the probabilities p (only x is correct), q (only y is correct) and the rest. Then p
+ q is a beta variable S, p / S is a beta variable independent of S, and p - q = S (2 p / S - 1). For two independent
beta variables, the integral is over the variable with the smaller variance. In both cases, one integral remains, which
is computed by the tanh-sinh rule up to rounding error.
"""

from __future__ import annotations

__all__ = ["IndependentBetas", "PairedBetas", "central_limits"]

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from evalstats._types import BoolArray, FloatArray

# parameters of the tanh-sinh rule: the step, and the point beyond which the weights vanish
STEP, REACH = 1 / 20, 3.8
NEGLIGIBLE = 1e-18  # the probability beyond the range of integration on each side
VALUES_AT_ONCE = 2**20
MOST_STEPS = 100
SMALLEST_STEP = 1e-14


class Difference(Protocol):
    """The distribution of a difference between -1 and 1. For a batch, the fields are arrays."""

    def above(self, limit: FloatArray) -> FloatArray:
        """Return the probability that the difference is larger than each limit."""

    def density(self, at: FloatArray) -> FloatArray:
        """Return the density of the difference."""

    def swapped(self) -> Difference:
        """Return the distribution of the difference with the opposite sign."""

    @property
    def mean(self) -> FloatArray:
        """Return the expected difference."""

    @property
    def variance(self) -> FloatArray:
        """Return the variance of the difference."""


class PairedBetas(NamedTuple):
    """Distribution of p - q for a Dirichlet distribution with the parameters of p, of q and of the remainder."""

    p: FloatArray
    q: FloatArray
    rest: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Return the expected difference."""
        return (self.p - self.q) / (self.p + self.q + self.rest)

    @property
    def variance(self) -> FloatArray:
        """Return the variance of the difference."""
        total = self.p + self.q + self.rest
        # (p + q) / total - mean^2, computed without a difference of nearly equal numbers
        return (4 * self.p * self.q + (self.p + self.q) * self.rest) / total**2 / (total + 1)

    def above(self, limit: FloatArray) -> FloatArray:
        """Return the probability that p - q is larger than each limit."""
        return _by_side(limit, self, self.swapped(), PairedBetas._beyond)

    def density(self, at: FloatArray) -> FloatArray:
        """Return the density of p - q."""
        is_negative = at < 0
        return _in_parts(PairedBetas._density, PairedBetas(*_where(is_negative, self.swapped(), self)), np.abs(at))

    def swapped(self) -> PairedBetas:
        """Return the distribution of q - p."""
        return PairedBetas(self.q, self.p, self.rest)

    def _beyond(self, limit: FloatArray) -> FloatArray:
        from scipy.special import betainc

        def kernel(s: FloatArray, rest: FloatArray) -> FloatArray:
            share = np.clip((s - limit[..., None]) / (2 * s), 0, 0.5)  # of q in s, at most
            return np.asarray(betainc(self.q[..., None], self.p[..., None], share))

        integral = _expectation(self.p + self.q, self.rest, limit, kernel)
        return np.where(limit == 0, betainc(self.q, self.p, 0.5), integral)

    def _density(self, at: FloatArray) -> FloatArray:
        def kernel(s: FloatArray, rest: FloatArray) -> FloatArray:
            share = np.clip((s - at[..., None]) / (2 * s), 0, 0.5)
            return _beta_density(self.q[..., None], self.p[..., None], share, 1 - share) / (2 * s)

        return _expectation(self.p + self.q, self.rest, at, kernel)


class IndependentBetas(NamedTuple):
    """Distribution of x - y for two independent beta variables, given their parameters."""

    a_x: FloatArray
    b_x: FloatArray
    a_y: FloatArray
    b_y: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Return the expected difference."""
        return self.a_x / (self.a_x + self.b_x) - self.a_y / (self.a_y + self.b_y)

    @property
    def variance(self) -> FloatArray:
        """Return the variance of the difference."""
        return _variance(self.a_x, self.b_x) + _variance(self.a_y, self.b_y)

    def above(self, limit: FloatArray) -> FloatArray:
        """Return the probability that x - y is larger than each limit."""
        return _by_side(limit, self, self.swapped(), IndependentBetas._beyond)

    def density(self, at: FloatArray) -> FloatArray:
        """Return the density of x - y."""
        is_negative = at < 0
        sided = IndependentBetas(*_where(is_negative, self.swapped(), self))
        return _in_parts(IndependentBetas._density, sided, np.abs(at))

    def swapped(self) -> IndependentBetas:
        """Return the distribution of y - x."""
        return IndependentBetas(self.a_y, self.b_y, self.a_x, self.b_x)

    def _narrow_first(self) -> IndependentBetas:
        """Return x - y as (1 - y) - (1 - x) if y has the smaller variance."""
        turned = (self.b_y, self.a_y, self.b_x, self.a_x)
        is_wide = _variance(self.a_x, self.b_x) > _variance(self.a_y, self.b_y)
        return IndependentBetas(*_where(is_wide, turned, self))

    def _beyond(self, limit: FloatArray) -> FloatArray:
        from scipy.special import betainc

        a_x, b_x, a_y, b_y = self._narrow_first()

        def kernel(s: FloatArray, rest: FloatArray) -> FloatArray:
            return np.asarray(betainc(a_y[..., None], b_y[..., None], np.clip(s - limit[..., None], 0, 1)))

        return _expectation(a_x, b_x, limit, kernel)

    def _density(self, at: FloatArray) -> FloatArray:
        a_x, b_x, a_y, b_y = self._narrow_first()

        def kernel(s: FloatArray, rest: FloatArray) -> FloatArray:
            y = np.clip(s - at[..., None], 0, 1)
            return _beta_density(a_y[..., None], b_y[..., None], y, np.clip(rest + at[..., None], 0, 1))

        return _expectation(a_x, b_x, at, kernel)


def central_limits(difference: Difference, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the limits of the central interval with a given probability."""
    tail = (1 - level) / 2
    return -_quantile(difference.swapped(), tail), _quantile(difference, tail)


def _quantile(difference: Difference, tail: float) -> FloatArray:
    """Return the value that the difference exceeds with probability `tail`, by bracketed Newton steps."""
    from scipy.special import ndtri

    low, high = np.full(difference.mean.shape, -1.0), np.full(difference.mean.shape, 1.0)
    at = np.clip(difference.mean - ndtri(tail) * np.sqrt(difference.variance), -0.999, 0.999)
    for _ in range(MOST_STEPS):
        excess = difference.above(at) - tail
        low, high = np.where(excess > 0, at, low), np.where(excess > 0, high, at)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = at + excess / difference.density(at)
        new = np.where((step > low) & (step < high), step, (low + high) / 2)
        is_settled = np.abs(new - at) <= SMALLEST_STEP
        at = new
        if is_settled.all():
            break
    return at


def _by_side(
    limit: FloatArray, here: tuple[FloatArray, ...], there: tuple[FloatArray, ...], beyond: Callable[..., FloatArray]
) -> FloatArray:
    """Return the probability above a limit; for limits below 0, use the swapped difference."""
    is_negative = limit < 0
    tail = _in_parts(beyond, type(here)(*_where(is_negative, there, here)), np.abs(limit))
    return np.where(is_negative, 1 - tail, tail)


def _where(condition: BoolArray, yes: tuple[FloatArray, ...], no: tuple[FloatArray, ...]) -> tuple[FloatArray, ...]:
    return tuple(np.where(condition, a, b) for a, b in zip(yes, no, strict=True))


def _in_parts(function: Callable[..., FloatArray], parameters: tuple[FloatArray, ...], limit: FloatArray) -> FloatArray:
    """Call a function on parts of a batch, to limit the memory use."""
    *flat, limits = (v.reshape(-1) for v in np.broadcast_arrays(*parameters, limit))
    shape = np.broadcast_shapes(*(np.shape(v) for v in (*parameters, limit)))
    size = max(1, VALUES_AT_ONCE // len(_NODES))
    parts = [
        function(type(parameters)(*(v[start : start + size] for v in flat)), limits[start : start + size])
        for start in range(0, limits.size, size)
    ]
    return np.concatenate(parts).reshape(shape) if parts else np.empty(shape)


_T = np.arange(-REACH, REACH + STEP / 2, STEP)
_NODES = np.pi * np.sinh(_T)


def _expectation(
    a: FloatArray, b: FloatArray, lower: FloatArray, kernel: Callable[[FloatArray, FloatArray], FloatArray]
) -> FloatArray:
    """Return the mean of kernel(s, 1 - s) over a beta variable s above `lower`."""
    from scipy.special import betainccinv, betaincinv

    # if the density is infinite or falls to 0 in a corner, the corner is a limit of the integration range
    start = np.where(a <= 2, 0.0, betaincinv(a, b, NEGLIGIBLE))
    end = np.where(b <= 2, 1.0, betainccinv(a, b, NEGLIGIBLE))
    whole = _integral(a, b, start, end, None)
    first = np.clip(lower, start, end)
    return np.clip(_integral(a, b, first, end, kernel) / whole, 0, None)


def _integral(
    a: FloatArray,
    b: FloatArray,
    start: FloatArray,
    end: FloatArray,
    kernel: Callable[[FloatArray, FloatArray], FloatArray] | None,
) -> FloatArray:
    """Integrate the density of a beta variable, relative to the density at its mean, times a kernel."""
    from scipy.special import expit

    a, b, start, end = (v[..., None] for v in (a, b, start, end))
    width = end - start
    s, rest = start + width * expit(_NODES), (1 - end) + width * expit(-_NODES)
    mean = a / (a + b)
    with np.errstate(divide="ignore", invalid="ignore"):
        # relative to the mean, so a billion instances lose no digits
        near = np.abs(s - mean) < 0.5 * np.minimum(mean, 1 - mean)
        log_s = np.where(near, np.log1p((s - mean) / mean), np.log(s) - np.log(mean))
        log_rest = np.where(near, np.log1p((mean - s) / (1 - mean)), np.log(rest) - np.log1p(-mean))
        logs = np.where((s > 0) & (rest > 0), (a - 1) * log_s + (b - 1) * log_rest, -np.inf)
    weights = np.exp(logs) * width * np.pi * np.cosh(_T) * expit(_NODES) * expit(-_NODES) * STEP
    return np.asarray(np.sum(weights if kernel is None else weights * kernel(s, rest), axis=-1))


def _beta_density(a: FloatArray, b: FloatArray, s: FloatArray, rest: FloatArray) -> FloatArray:
    from scipy.special import betaln, xlogy

    with np.errstate(divide="ignore", over="ignore"):
        density = np.exp(xlogy(a - 1, s) + xlogy(b - 1, rest) - betaln(a, b))
    return np.where(np.isfinite(density), density, 0.0)  # a corner with an infinite density has no width


def _variance(a: FloatArray, b: FloatArray) -> FloatArray:
    total = a + b
    return a / total * (b / total) / (total + 1)
