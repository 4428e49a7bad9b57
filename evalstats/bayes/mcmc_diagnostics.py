"""Have Markov chains reached their common distribution, and how many independent draws are they worth?"""

from __future__ import annotations

__all__ = ["bulk_effective_sample_size", "mean_effective_sample_size", "split_rhat"]

import math

import numpy as np

from evalstats._types import FloatArray


def split_rhat(draws: FloatArray) -> float:
    """Return the rank-normalised split R-hat of draws of shape (n_chains, n_draws), Vehtari et al. (2021), eq. 3-14.

    The larger of that of the draws, which sees different locations, and of their distances to the median, which sees
    different scales; 1 where all draws are the same.
    """
    halves = _split(draws)
    return max(_rhat(_normal_scores(halves)), _rhat(_normal_scores(np.abs(halves - np.median(halves)))))


def bulk_effective_sample_size(draws: FloatArray) -> float:
    """Return the effective number of the rank-normalised draws, Vehtari et al. (2021), section 4.2."""
    return _effective_sample_size(_normal_scores(_split(draws)))


def mean_effective_sample_size(draws: FloatArray) -> float:
    """Return the effective number of draws for their mean."""
    return _effective_sample_size(_split(draws))


def _split(draws: FloatArray) -> FloatArray:
    """Cut each chain into two halves, so that a drift within chains looks like a difference between them."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws: FloatArray) -> FloatArray:
    """Replace draws by the normal quantiles of their ranks, Vehtari et al. (2021), eq. 14."""
    from scipy.special import ndtri

    from evalstats._ranks import midranks

    return np.asarray(ndtri((midranks(draws.ravel()) - 3 / 8) / (draws.size + 1 / 4))).reshape(draws.shape)


def _rhat(draws: FloatArray) -> float:
    n = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean()
    between = draws.mean(axis=1).var(ddof=1)
    return math.sqrt((n - 1) / n + between / within) if within > 0 else (1.0 if between == 0 else math.inf)


def _effective_sample_size(draws: FloatArray) -> float:
    """Sum the autocorrelations as long as Geyer's (1992) initial monotone sequence of pairs does."""
    m, n = draws.shape
    covariance = _autocovariance(draws).mean(axis=0)
    within = covariance[0] * n / (n - 1)
    variance = covariance[0] + draws.mean(axis=1).var(ddof=1)
    if variance == 0:
        return float(m * n)
    rho = 1 - (within - covariance) / variance
    rho[0] = 1.0
    pairs = rho[0 : n - n % 2 : 2] + rho[1::2][: n // 2]
    ends = np.flatnonzero(pairs < 0)
    pairs = np.minimum.accumulate(pairs[: ends[0] if ends.size else len(pairs)])
    tau = max(2 * pairs.sum() - 1, 1 / math.log10(m * n))  # antithetic chains can be worth more than their number
    return float(m * n / tau)


def _autocovariance(draws: FloatArray) -> FloatArray:
    """Autocovariance of each chain at every lag, divided by the length of the chain."""
    n = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * n)
    return np.asarray(np.fft.irfft(spectrum * spectrum.conj(), 2 * n)[:, :n] / n)
