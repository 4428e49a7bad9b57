"""The hierarchical model of the differences on folds and datasets, and draws from its posterior.

With x_ij the difference in fold j of dataset i (Corani et al. 2017, section 3):

    x_i    ~ multivariate normal, mean delta_i, standard deviation sigma_i, correlation rho between any two folds
    delta_i ~ Student's t with nu degrees of freedom, center delta_0, scale sigma_0
    sigma_i ~ uniform from 0 to 1000 times the mean standard deviation over the folds
    sigma_0 ~ uniform from 0 to 1000 times the standard deviation of the datasets' means
    delta_0 ~ uniform over the range of plus or minus the largest difference
    nu - 1 ~ gamma with shape alpha and rate beta, both uniform

The t distribution is a mixture of normal distributions: variance sigma_0^2 / lambda_i, lambda_i ~ gamma(nu / 2, nu /
2). Gibbs sampling then draws in turn, for all datasets and all chains at once,

    sigma_i                     given delta_i
    sigma_0, delta_0, delta_i   given sigma_i, lambda_i: sigma_0 with delta_0 and delta_i integrated out
    sigma_0, nu, lambda_i       given delta_i, delta_0: sigma_0, and then nu and sigma_0, with lambda_i integrated out

Because delta_0 and delta_i are integrated out in the second block, the chains also mix if sigma_0 is small.
"""

from __future__ import annotations

__all__ = [
    "FoldMoments",
    "HierarchicalDraws",
    "bulk_effective_sample_size",
    "draw_posterior",
    "mean_effective_sample_size",
    "split_rhat",
]

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from evalstats._types import FloatArray, Progress

LogDensity = Callable[[FloatArray], FloatArray]
LARGEST_SCALE = 1000.0  # factor of the upper limits of the uniform priors, Corani et al. (2017), section 3
LOG_DF_RANGE = (-30.0, 9.0)  # range of log(nu - 1); the prior probability outside of the range is below 1e-8
# range of log(sigma_0) below the largest value; lower values have a probability of about exp(-33)
LOG_SCALE_RANGE = 40.0
GRID_OF_LOG_DF = 4001
NODES_OF_SHAPE = 40


class FoldMoments(NamedTuple):
    """Summary of the data: mean and standard deviation over n folds for each dataset, and values for all datasets.

    Attributes
    ----------
    mean, sd : array of shape (q,)
        Mean and standard deviation of the differences of each dataset; every sd is positive.
    n_folds : int
        Number of differences of each dataset.
    correlation : float
        Correlation of the differences of two folds.
    largest : float
        Largest absolute difference.
    """

    mean: FloatArray
    sd: FloatArray
    n_folds: int
    correlation: float
    largest: float


class HierarchicalDraws(NamedTuple):
    """Draws of the parameters: the first three have shape (n_chains, n_draws), the others (n_chains, n_draws, q)."""

    delta_0: FloatArray
    sigma_0: FloatArray
    nu: FloatArray
    delta: FloatArray
    sigma: FloatArray

    def scaled(self, exponent: int) -> HierarchicalDraws:
        """Return the draws, multiplied by 2 to the power of `exponent`."""
        with np.errstate(over="ignore"):  # a scale beyond the largest float is infinite
            delta_0, sigma_0, delta, sigma = (
                np.ldexp(values, exponent) for values in (self.delta_0, self.sigma_0, self.delta, self.sigma)
            )
        return HierarchicalDraws(delta_0=delta_0, sigma_0=sigma_0, nu=self.nu, delta=delta, sigma=sigma)


def draw_posterior(
    data: FoldMoments,
    *,
    n_draws: int,
    n_warmup: int,
    n_chains: int,
    df_shape: tuple[float, float],
    df_rate: tuple[float, float],
    rng: np.random.Generator,
    progress: Progress | None,
) -> HierarchicalDraws:
    """Draw from the posterior in n_chains chains and discard the draws of the warm-up."""
    n, rho = data.n_folds, data.correlation
    q = len(data.mean)
    largest_sigma = LARGEST_SCALE * data.sd.mean()
    spread = float(data.mean.std()) or float(data.sd.mean())
    scale_range = math.log(LARGEST_SCALE * spread) - LOG_SCALE_RANGE, math.log(LARGEST_SCALE * spread)
    scatter = (n - 1) * data.sd**2 / (1 - rho)
    information = n / (1 + (n - 1) * rho)  # of the mean, in 1 / sigma^2
    log_prior_df = _log_prior_of_log_df(df_shape, df_rate)

    # overdispersed: chains start from the data's own means, from one common mean, and with light and heavy tails
    start = np.linspace(0.1, 1.0, n_chains)[:, None]
    delta = data.mean.mean() + start * (data.mean - data.mean.mean())
    log_sigma_0 = np.log(spread * np.geomspace(0.3, 3, n_chains))
    log_df = rng.uniform(0, 4, n_chains)
    weight = np.ones((n_chains, q))  # lambda

    draws = HierarchicalDraws(
        *(np.empty((n_chains, n_draws)) for _ in range(3)), *(np.empty((n_chains, n_draws, q)) for _ in range(2))
    )
    n_sweeps = n_warmup + n_draws
    for sweep in range(n_sweeps):
        residual = scatter + information * (data.mean - delta) ** 2
        precision = _gamma_above(largest_sigma**-2, (n - 1) / 2, residual / 2, rng)
        own_precision = information * precision

        density = partial(_log_density_of_sigma_0, data=data, own_precision=own_precision, weight=weight)
        log_sigma_0 = _slice(density, log_sigma_0, *scale_range, rng)
        sigma_0 = np.exp(log_sigma_0)
        delta_0 = _truncated_normal(*_common_mean(sigma_0, data.mean, own_precision, weight), data.largest, rng)
        prior_precision = weight / sigma_0[:, None] ** 2
        total = own_precision + prior_precision
        centre = (own_precision * data.mean + prior_precision * delta_0[:, None]) / total
        delta = centre + rng.standard_normal(centre.shape) / np.sqrt(total)

        deviations = (delta - delta_0[:, None]) ** 2
        density = partial(_log_density_of_scale, log_df=log_df, deviations=deviations)
        log_sigma_0 = _slice(density, log_sigma_0, *scale_range, rng)
        core = log_sigma_0 - _log_scale_of_core(log_df)
        density = partial(
            _log_density_of_df, core=core, deviations=deviations, log_prior=log_prior_df, largest=scale_range[1]
        )
        log_df = _slice(density, log_df, *LOG_DF_RANGE, rng)
        log_sigma_0 = core + _log_scale_of_core(log_df)
        sigma_0, nu = np.exp(log_sigma_0), 1 + np.exp(log_df)
        squares = deviations / sigma_0[:, None] ** 2
        weight = rng.standard_gamma(np.broadcast_to((nu[:, None] + 1) / 2, squares.shape)) * 2 / (nu[:, None] + squares)

        if (kept := sweep - n_warmup) >= 0:
            draws.delta_0[:, kept], draws.sigma_0[:, kept], draws.nu[:, kept] = delta_0, sigma_0, nu
            draws.delta[:, kept], draws.sigma[:, kept] = delta, 1 / np.sqrt(precision)
        if progress is not None:
            progress(sweep + 1, n_sweeps, "sweeps")
    return draws


def _log_density_of_sigma_0(
    log_sigma_0: FloatArray, data: FoldMoments, own_precision: FloatArray, weight: FloatArray
) -> FloatArray:
    """Compute the log density of log(sigma_0) for each chain, with delta_0 and all delta_i integrated out."""
    from scipy.special import ndtr

    sigma_0 = np.exp(log_sigma_0)
    variance = 1 / own_precision + sigma_0[:, None] ** 2 / weight
    mean, sd = _common_mean(sigma_0, data.mean, own_precision, weight)
    squares = ((data.mean - mean[:, None]) ** 2 / variance).sum(axis=1)
    within_bounds = ndtr((data.largest - mean) / sd) - ndtr((-data.largest - mean) / sd)
    with np.errstate(divide="ignore"):
        log_mass = np.log(within_bounds)
    return np.asarray(log_sigma_0 - 0.5 * (np.log(variance).sum(axis=1) + squares) + np.log(sd) + log_mass)


def _common_mean(
    sigma_0: FloatArray, mean: FloatArray, own_precision: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Compute mean and standard deviation of delta_0 without its bounds, with all delta_i integrated out."""
    precision = 1 / (1 / own_precision + sigma_0[:, None] ** 2 / weight)
    total = precision.sum(axis=1)
    return (precision * mean).sum(axis=1) / total, 1 / np.sqrt(total)


def _log_density_of_scale(log_sigma_0: FloatArray, log_df: FloatArray, deviations: FloatArray) -> FloatArray:
    """Compute the log density of log(sigma_0) for each chain from (delta_i - delta_0)^2."""
    from scipy.special import gammaln

    nu = 1 + np.exp(log_df)
    q = deviations.shape[1]
    normaliser = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(nu) - log_sigma_0
    squares = deviations * np.exp(-2 * log_sigma_0)[:, None]
    return np.asarray(log_sigma_0 + q * normaliser - (nu + 1) / 2 * np.log1p(squares / nu[:, None]).sum(axis=1))


def _log_density_of_df(
    log_df: FloatArray,
    core: FloatArray,
    deviations: FloatArray,
    log_prior: tuple[FloatArray, FloatArray],
    largest: float,
) -> FloatArray:
    """Compute the log density of log(nu - 1) for each chain; sigma_0 keeps the quartiles of the t constant."""
    log_sigma_0 = core + _log_scale_of_core(log_df)
    density = _log_density_of_scale(log_sigma_0, log_df, deviations) + np.interp(log_df, *log_prior)
    return np.where(log_sigma_0 > largest, -np.inf, density)


def _log_scale_of_core(log_df: FloatArray) -> FloatArray:
    """Return log(sigma_0), up to a constant, that keeps the quartiles of the t distribution nearly constant in nu."""
    return np.asarray(-0.5 * np.log1p(1.2 / (1 + np.exp(log_df))))


def _log_prior_of_log_df(df_shape: tuple[float, float], df_rate: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Tabulate the log density of log(nu - 1) with shape and rate of the gamma integrated out.

    The integral over the rate is an incomplete gamma function. The integral over the shape uses Gauss-Legendre
    quadrature.
    """
    from scipy.special import gammainc

    log_df = np.linspace(*LOG_DF_RANGE, GRID_OF_LOG_DF)
    nodes, weights = np.polynomial.legendre.leggauss(NODES_OF_SHAPE)
    shape = (df_shape[0] + df_shape[1]) / 2 + (df_shape[1] - df_shape[0]) / 2 * nodes[:, None]
    low, high = (rate * np.exp(log_df) for rate in df_rate)
    if df_rate[0] == df_rate[1]:
        density = np.exp(shape * np.log(low) - low - np.vectorize(math.lgamma)(shape))
    else:
        # the integral of beta^a x^a exp(-beta x) / Gamma(a) over beta, with x = nu - 1, is a / x times this difference
        density = shape * (gammainc(shape + 1, high) - gammainc(shape + 1, low)) / np.exp(log_df)
    with np.errstate(divide="ignore"):
        return log_df, np.maximum(np.log(weights @ density), -1e4)


def _slice(density: LogDensity, start: FloatArray, low: float, high: float, rng: np.random.Generator) -> FloatArray:
    """Perform one step of slice sampling for each chain, with shrinkage from the whole range (Neal 2003)."""
    level = density(start) - rng.standard_exponential(start.shape)
    left, right = np.full(start.shape, low), np.full(start.shape, high)
    point = start.copy()
    is_open = np.ones(start.shape, dtype=bool)
    while is_open.any():
        proposal = left + (right - left) * rng.random(start.shape)
        proposal = np.where(is_open, proposal, point)
        point = np.where(is_open, proposal, point)
        is_open &= density(point) < level
        left = np.where(is_open & (point < start), point, left)
        right = np.where(is_open & (point >= start), point, right)
    return point


def _gamma_above(least: float, shape: float, rate: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draw gamma variables above a bound; replace draws below the bound with draws from the tail."""
    values = rng.standard_gamma(shape, rate.shape) / rate
    if (is_low := values < least).any():
        values[is_low] = np.maximum(_tail_of_gamma(least * rate[is_low], shape, rng) / rate[is_low], least)
    return values


def _tail_of_gamma(least: FloatArray, shape: float, rng: np.random.Generator) -> FloatArray:
    """Draw gamma variables above a bound by inversion; approximate the far tail by an exponential distribution."""
    from scipy.special import gammaincc, gammainccinv

    u = rng.random(least.shape)
    tail = gammaincc(shape, least)
    is_far = tail < 1e-200
    # there, the density falls like exp(-x) x^(shape - 1), so only the slope at the bound matters
    far = least - np.log1p(-u) / (1 - (shape - 1) / np.where(is_far, least, np.inf))
    return np.where(is_far, far, gammainccinv(shape, np.where(is_far, 1.0, (1 - u) * tail)))


def _truncated_normal(mean: FloatArray, sd: FloatArray, bound: float, rng: np.random.Generator) -> FloatArray:
    """Draw normal values between -bound and bound by inversion."""
    from scipy.special import ndtr, ndtri

    low, high = ndtr((-bound - mean) / sd), ndtr((bound - mean) / sd)
    return np.clip(mean + sd * ndtri(low + (high - low) * rng.random(mean.shape)), -bound, bound)


def split_rhat(draws: FloatArray) -> float:
    """Compute the rank-normalized split R-hat of draws (n_chains, n_draws): Vehtari et al. (2021), eq. 3-14.

    R-hat of the draws detects chains with different locations. R-hat of the distances to the median detects chains with
    different scales. The result is the larger of the two, or 1 if all draws are equal.
    """
    halves = _split(draws)
    return max(_rhat(_normal_scores(halves)), _rhat(_normal_scores(np.abs(halves - np.median(halves)))))


def bulk_effective_sample_size(draws: FloatArray) -> float:
    """Compute the effective sample size of the rank-normalized draws: Vehtari et al. (2021), section 4.2."""
    return _effective_sample_size(_normal_scores(_split(draws)))


def mean_effective_sample_size(draws: FloatArray) -> float:
    """Compute the effective sample size for the mean of the draws."""
    return _effective_sample_size(_split(draws))


def _split(draws: FloatArray) -> FloatArray:
    """Split each chain into halves, so R-hat also detects a trend within a chain."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws: FloatArray) -> FloatArray:
    """Replace draws with the normal quantiles of their ranks: Vehtari et al. (2021), eq. 14."""
    from scipy.special import ndtri

    from evalstats._ranks import midranks

    return np.asarray(ndtri((midranks(draws.ravel()) - 3 / 8) / (draws.size + 1 / 4))).reshape(draws.shape)


def _rhat(draws: FloatArray) -> float:
    n = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean()
    between = draws.mean(axis=1).var(ddof=1)
    return math.sqrt((n - 1) / n + between / within) if within > 0 else (1.0 if between == 0 else math.inf)


def _effective_sample_size(draws: FloatArray) -> float:
    """Compute the effective sample size from Geyer's (1992) initial monotone sequence."""
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
    # the effective sample size of antithetic chains can exceed the number of draws
    tau = max(2 * pairs.sum() - 1, 1 / math.log10(m * n))
    return float(m * n / tau)


def _autocovariance(draws: FloatArray) -> FloatArray:
    """Compute the autocovariance of each chain at every lag, divided by the length of the chain."""
    n = draws.shape[1]
    centered = draws - draws.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centered, 2 * n)
    return np.asarray(np.fft.irfft(spectrum * spectrum.conj(), 2 * n)[:, :n] / n)
