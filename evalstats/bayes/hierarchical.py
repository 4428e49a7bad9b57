"""The Bayesian hierarchical test for the folds of several datasets."""

from __future__ import annotations

__all__ = ["BayesHierarchicalTestResult", "bayes_hierarchical_test"]

import math
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._canonical_order import content_order
from evalstats._checks import RandomSource
from evalstats._errors import EvalstatsWarning, InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray, Progress
from evalstats.bayes.hierarchical_model import (
    FoldMoments,
    HierarchicalDraws,
    bulk_effective_sample_size,
    draw_posterior,
    mean_effective_sample_size,
    split_rhat,
)
from evalstats.bayes.posterior import (
    CredibleInterval,
    PosteriorRegions,
    PosteriorResult,
    correlation_of_folds,
    half_width,
    regions_of,
)
from evalstats.paired.ttest import NO_DIFFERENCE, mean_and_sd, sizes

LARGEST_RHAT, LEAST_ESS = 1.01, 400.0  # Vehtari et al. (2021), section 4
LEAST_DRAWS = 8  # minimum length of a chain: two halves with one autocovariance each
DF_SHAPE, DF_RATE = (0.5, 5.0), (0.05, 0.15)  # Corani et al. (2017), section 3
PARAMETERS = ("delta_0", "sigma_0", "nu")


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesHierarchicalTestResult(PosteriorResult):
    """Result of `bayes_hierarchical_test`.

    The mean differences of the datasets have a Student distribution with center delta_0, scale sigma_0 and nu degrees
    of freedom. The probabilities of this distribution below, within and above the rope are the outcome probabilities of
    a new dataset. `p_less`, `p_rope` and `p_greater` are the posterior probabilities that the respective outcome is the
    most probable one.

    Attributes
    ----------
    expected : PosteriorRegions
        Posterior mean of the probability of each outcome on a new dataset.
    standard_error : PosteriorRegions
        Monte Carlo standard errors of p_less, p_rope and p_greater, from the effective sample size.
    delta_0, sigma_0, nu : ndarray of shape (n_simulations,)
        Posterior draws of the three parameters, one chain after the other. The first two have the unit of the scores.
    samples : ndarray of shape (n_simulations, 3)
        Posterior draws of the probabilities of the outcomes less, rope and greater.
    dataset_mean : ndarray of shape (n_datasets,)
        Posterior mean of the mean difference of each dataset, which is shrunk toward the means of the other datasets.
    dataset : PosteriorRegions
        For each dataset, the probabilities that its mean difference is below, within and above the rope.
    rhat, effective_sample_size : dict of str to float
        Split R-hat (at most 1.01 if the chains converged) and effective sample size (400 or more is sufficient) of
        delta_0, sigma_0 and nu. The key ``'datasets'`` contains the worst values over the datasets.
    correlation : float
        Assumed correlation between the differences in two folds.
    n_datasets, n_scores : int
        Numbers of datasets and of fold scores for each dataset.
    n_simulations, n_chains : int
        Total number of draws in all chains, and number of chains.
    seed : int or None
        Seed of the draws, or None if `rng` was a Generator.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    expected: PosteriorRegions
    standard_error: PosteriorRegions
    delta_0: FloatArray
    sigma_0: FloatArray
    nu: FloatArray
    samples: FloatArray
    dataset_mean: FloatArray
    dataset: PosteriorRegions
    rhat: dict[str, float]
    effective_sample_size: dict[str, float]
    correlation: float
    n_datasets: int
    n_scores: int
    n_simulations: int
    n_chains: int
    seed: int | None
    tie_tolerance: float

    def credible_interval(self, level: float = 0.95) -> CredibleInterval:
        """Compute the central credible interval for the typical difference delta_0, in the unit of the scores.

        Parameters
        ----------
        level : float, default: 0.95
            The posterior probability of the interval.

        Returns
        -------
        CredibleInterval
        """
        level = _checks.proportion(level, "level")
        low, high = np.quantile(self.delta_0, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return CredibleInterval(low=low, high=high, level=level)


def bayes_hierarchical_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rope: float = 0.0,
    n_train: float | None = None,
    n_test: float | None = None,
    correlation: float | None = None,
    df_shape: tuple[float, float] = DF_SHAPE,
    df_rate: tuple[float, float] = DF_RATE,
    n_simulations: int = 8000,
    n_warmup: int = 500,
    n_chains: int = 4,
    rng: Any = None,
    progress: Progress | None = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BayesHierarchicalTestResult:
    """Compute posterior probabilities that x beats, is equivalent to or loses to y on a new dataset.

    There is no null hypothesis. The folds of each dataset determine the precision of its mean difference. All datasets
    together determine the distribution of the mean differences. Imprecise mean differences are shrunk toward the other
    mean differences. The distribution of the mean differences determines the probabilities that the difference on a new
    dataset is below the rope, within it, or above it.

    Parameters
    ----------
    x, y : array_like of shape (n_datasets, n_folds)
        Scores of two classifiers on the same folds: all k folds of a cross-validation, or all r k folds of r repeats.
        At least two datasets with equal numbers of folds (at least two) are required.
    rope : float, default: 0
        Half the width of the region of practical equivalence, in the unit of the scores.
    n_train, n_test : int or float, optional
        Numbers of instances in the training set and the test set of one fold. Only the ratio of the two numbers
        matters: for k folds, ``n_train=k - 1, n_test=1``.
    correlation : float, optional
        The correlation between the differences in two folds, instead of `n_train` and `n_test`. The usual choice is 1/k
        for k folds.
    df_shape, df_rate : pair of float, default: (0.5, 5) and (0.05, 0.15)
        Ranges of the uniform priors of the shape and the rate, respectively, of the gamma distribution of nu - 1.
    n_simulations : int, default: 8000
        Number of posterior draws in all chains together. It must be a multiple of n_chains.
    n_warmup : int, default: 500
        Number of warm-up draws of each chain.
    n_chains : int, default: 4
        Number of chains, at least two.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        Function that is called as ``progress(done, total, "sweeps")`` after each sweep. An exception that the function
        raises stops the computation.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether a dataset has a nonzero variance.

    Returns
    -------
    BayesHierarchicalTestResult
        `p_less`, `p_rope` and `p_greater` with their standard errors. The result also contains the draws, the
        probabilities of each dataset, the convergence diagnostics, and `decision`.

    Raises
    ------
    ValueError
        If x and y are not matrices of the same shape, or contain nan or infinity. If rope is negative, or if the sizes
        and the correlation are both given or both missing. If rope is 0 and no dataset has a nonzero variance, unless x
        and y are equal in all folds.
    TypeError
        If an argument is not a number.

    Warns
    -----
    EvalstatsWarning
        If R-hat is above 1.01 or an effective sample size is below 400. In this case, increase `n_simulations`.

    Notes
    -----
    If x and y are equal in all folds of all datasets, p_rope is 1. If all differences of a dataset are equal, its
    variance is set to rope^2 / 3, the variance of uniform noise between -rope and rope. With rope 0, the variance is
    set to the smallest nonzero variance of the other datasets. In each of these cases, `reason` states the cause.

    References
    ----------
    Corani, G., Benavoli, A., Demšar, J., Mangili, F. & Zaffalon, M. (2017). Statistical comparison of classifiers
    through Bayesian hierarchical modelling. Machine Learning 106, 1817-1837.

    Vehtari, A., Gelman, A., Simpson, D., Carpenter, B. & Bürkner, P.-C. (2021). Rank-normalization, folding, and
    localization: an improved R-hat for assessing convergence of MCMC. Bayesian Analysis 16, 667-718.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.bayes import bayes_hierarchical_test
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(0.8, 0.03, (12, 10))
    >>> x = y + 0.02 + rng.normal(0, 0.01, (12, 1)) + rng.normal(0, 0.02, (12, 10))
    >>> result = bayes_hierarchical_test(x, y, rope=0.005, n_train=9, n_test=1, rng=1)
    >>> print(f"{result.p_less:.2f} {result.p_rope:.2f} {result.p_greater:.2f} {result.decision()}")
    0.00 0.00 1.00 x
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = _fold_matrices(x, y)
    rope = half_width(rope)
    n_train, n_test = sizes(n_train, n_test) if correlation is None else (n_train, n_test)
    correlation, _ = correlation_of_folds(n_train, n_test, correlation)
    sampling = _Sampling.understand(df_shape, df_rate, n_simulations, n_warmup, n_chains, rng, progress)

    mean, sd = mean_and_sd(x, y, tie_tolerance)
    sd, reason = _with_variance(mean, sd, rope)
    if reason == NO_DIFFERENCE:
        draws = _draws_of_no_difference(len(mean), sampling.n_draws, sampling.n_chains)
    else:
        moments = FoldMoments(mean, sd, x.shape[1], correlation, float(np.abs(x - y).max()))
        draws = _posterior_draws(moments, sampling)
    rhat, ess = _diagnostics(draws)
    if max(rhat.values()) > LARGEST_RHAT or min(ess.values()) < LEAST_ESS:
        warnings.warn(_words_of_warning(rhat, ess), EvalstatsWarning, stacklevel=2)

    return BayesHierarchicalTestResult(
        **_regions(draws, rope),
        rope=rope,
        method="gibbs",
        reason=reason,
        delta_0=draws.delta_0.ravel(),
        sigma_0=draws.sigma_0.ravel(),
        nu=draws.nu.ravel(),
        dataset_mean=draws.delta.mean(axis=(0, 1)),
        rhat=rhat,
        effective_sample_size=ess,
        correlation=correlation,
        n_datasets=len(mean),
        n_scores=x.shape[1],
        n_simulations=sampling.n_draws * sampling.n_chains,
        n_chains=sampling.n_chains,
        seed=sampling.source.seed,
        tie_tolerance=tie_tolerance,
    )


class _Sampling(NamedTuple):
    """Settings of the sampler."""

    df_shape: tuple[float, float]
    df_rate: tuple[float, float]
    n_draws: int  # of each chain
    n_warmup: int
    n_chains: int
    source: RandomSource
    progress: Progress | None

    @classmethod
    def understand(
        cls, df_shape: Any, df_rate: Any, n_simulations: Any, n_warmup: Any, n_chains: Any, rng: Any, progress: Any
    ) -> _Sampling:
        df_shape, df_rate = _range(df_shape, "df_shape"), _range(df_rate, "df_rate")
        n_chains = _checks.count(n_chains, "n_chains", minimum=2)
        n_simulations = _checks.count(n_simulations, "n_simulations", minimum=LEAST_DRAWS * n_chains)
        if n_simulations % n_chains:
            raise InvalidValueError(f"n_simulations must be a multiple of n_chains = {n_chains}, not {n_simulations}")
        return cls(
            df_shape,
            df_rate,
            n_simulations // n_chains,
            _checks.count(n_warmup, "n_warmup", minimum=0),
            n_chains,
            _checks.random_source(rng),
            _checks.progress(progress),
        )


def _fold_matrices(x: Any, y: Any) -> tuple[FloatArray, FloatArray]:
    """Check two matrices of shape (n_datasets, n_folds)."""
    x, y = _checks.paired(x, y, minimum=2)
    for matrix, name in ((x, "x"), (y, "y")):
        if matrix.ndim != 2 or len(matrix) < 2:
            raise InvalidValueError(
                f"{name} must have the shape (n_datasets, n_folds), with two or more of each, but its shape is "
                f"{matrix.shape}; for one dataset, see bayes_correlated_ttest"
            )
    if x.shape != y.shape:
        raise InvalidValueError(f"x and y must have the same shape, but their shapes are {x.shape} and {y.shape}")
    order = np.lexsort((y, x))  # order of the folds of each dataset, independent of their input order
    return np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1)


def _range(value: Any, name: str) -> tuple[float, float]:
    """Check the limits of the range of a positive parameter."""
    ends = _checks.finite(_checks.numbers(value, name), name)
    if ends.shape != (2,) or not 0 < ends[0] < ends[1]:
        raise InvalidValueError(f"{name} must be two positive numbers, the smaller number first, not {short(value)}")
    return float(ends[0]), float(ends[1])


def _with_variance(mean: FloatArray, sd: FloatArray, rope: float) -> tuple[FloatArray, str | None]:
    """Assign a small variance to datasets whose differences are all equal, and return a reason."""
    is_constant = sd == 0
    if not is_constant.any():
        return sd, None
    if is_constant.all() and not mean.any():
        return sd, NO_DIFFERENCE
    if is_constant.all() and rope == 0:
        raise InvalidValueError(
            "rope must be above 0 if x - y is the same in every fold of each dataset, because the precision of "
            "the differences is unknown; for one score per dataset, use bayes_signed_rank_test"
        )
    noise = rope / math.sqrt(3) if rope > 0 else float(sd[~is_constant].min())
    source = "noise between -rope and rope" if rope > 0 else "the differences of the least variable dataset"
    return np.where(is_constant, noise, sd), (
        f"x - y is the same in every fold of {is_constant.sum()} of {len(sd)} datasets, whose differences are assumed "
        f"to have the variance of {source}"
    )


def _posterior_draws(moments: FoldMoments, sampling: _Sampling) -> HierarchicalDraws:
    """Draw from the posterior. The draws do not depend on the order of the datasets or the unit of the scores."""
    order = content_order(np.column_stack([moments.mean, moments.sd]))
    # scaling by a power of two changes no digit, and prevents underflow and overflow of squares
    exponent = int(np.frexp(max(moments.largest, moments.sd.max()))[1])
    draws = draw_posterior(
        moments._replace(
            mean=np.ldexp(moments.mean[order], -exponent),
            sd=np.ldexp(moments.sd[order], -exponent),
            largest=math.ldexp(moments.largest, -exponent),
        ),
        n_draws=sampling.n_draws,
        n_warmup=sampling.n_warmup,
        n_chains=sampling.n_chains,
        df_shape=sampling.df_shape,
        df_rate=sampling.df_rate,
        rng=sampling.source.generator(),
        progress=sampling.progress,
    ).scaled(exponent)
    place = np.argsort(order)
    return draws._replace(delta=draws.delta[..., place], sigma=draws.sigma[..., place])


def _draws_of_no_difference(q: int, n_draws: int, n_chains: int) -> HierarchicalDraws:
    """Return posterior draws for data in which every difference is 0."""
    zero, zeros = np.zeros((n_chains, n_draws)), np.zeros((n_chains, n_draws, q))
    return HierarchicalDraws(delta_0=zero, sigma_0=zero, nu=zero + 1, delta=zeros, sigma=zeros)


def _regions(draws: HierarchicalDraws, rope: float) -> dict[str, Any]:
    """Return the fields of the probability of each region, for a new dataset and for the given datasets."""
    shares = _shares_of_next_dataset(draws, rope)
    is_largest = (shares == shares.max(axis=-1, keepdims=True)).astype(np.float64)
    is_largest /= is_largest.sum(axis=-1, keepdims=True)  # equal ones divide the draw
    p_less, p_rope, p_greater = is_largest.mean(axis=(0, 1)).tolist()
    return {
        "p_less": p_less,
        "p_rope": p_rope,
        "p_greater": p_greater,
        "expected": regions_of(shares.mean(axis=(0, 1))),
        "standard_error": regions_of(np.array([_standard_error(is_largest[..., place]) for place in range(3)])),
        "samples": shares.reshape(-1, 3),
        "dataset": PosteriorRegions(
            less=(draws.delta < -rope).mean(axis=(0, 1)),
            rope=(np.abs(draws.delta) <= rope).mean(axis=(0, 1)),
            greater=(draws.delta > rope).mean(axis=(0, 1)),
        ),
    }


def _shares_of_next_dataset(draws: HierarchicalDraws, rope: float) -> FloatArray:
    """Return the probability of each region for each drawn t distribution, of shape (n_chains, n_draws, 3)."""
    from scipy.special import stdtr

    if not draws.sigma_0.any():
        return np.tile([0.0, 1.0, 0.0], (*draws.sigma_0.shape, 1))
    with np.errstate(over="ignore"):  # the distance is infinitely many standard deviations
        less = stdtr(draws.nu, (-rope - draws.delta_0) / draws.sigma_0)
        greater = stdtr(draws.nu, (draws.delta_0 - rope) / draws.sigma_0)
    within = np.maximum(1 - less - greater, 0.0) if rope > 0 else np.zeros_like(less)
    return np.stack([less, within, greater], axis=-1)


def _diagnostics(draws: HierarchicalDraws) -> tuple[dict[str, float], dict[str, float]]:
    """Compute R-hat and the effective sample size for the three parameters, and the worst values over the datasets."""
    of_datasets = [values[..., i] for values in (draws.delta, draws.sigma) for i in range(values.shape[-1])]
    rhat = {name: split_rhat(getattr(draws, name)) for name in PARAMETERS}
    ess = {name: bulk_effective_sample_size(getattr(draws, name)) for name in PARAMETERS}
    rhat["datasets"] = max(map(split_rhat, of_datasets))
    ess["datasets"] = min(map(bulk_effective_sample_size, of_datasets))
    return rhat, ess


def _standard_error(is_largest: FloatArray) -> float:
    """Return the standard error of a proportion that is computed from dependent draws."""
    p = is_largest.mean()
    return math.sqrt(p * (1 - p) / mean_effective_sample_size(is_largest))


def _words_of_warning(rhat: dict[str, float], ess: dict[str, float]) -> str:
    disagreeing, few = max(rhat, key=rhat.__getitem__), min(ess, key=ess.__getitem__)
    return (
        f"the chains have not converged: R-hat of {disagreeing} is {rhat[disagreeing]:.3f} (required: at most "
        f"{LARGEST_RHAT}), and {few} has {ess[few]:.0f} effective samples (required: at least {LEAST_ESS:.0f}); "
        "increase n_simulations"
    )
