"""The Bayesian correlated t-test for the folds of a cross-validation."""

from __future__ import annotations

__all__ = ["BayesCorrelatedTTestResult", "bayes_correlated_ttest", "bayes_pairwise_correlated_ttest"]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, noise_of
from evalstats._result import reasons
from evalstats._types import FloatArray
from evalstats.bayes.posterior import (
    CredibleInterval,
    IntPair,
    PosteriorResult,
    correlation_of_folds,
    half_width,
    matrix_of_pairs,
)
from evalstats.distributions.tail_probabilities import t_between
from evalstats.paired.ttest import CONSTANT_OVER_FOLDS, NO_DIFFERENCE, checked_mean_and_sd, mean_and_sd, sizes

# If the differences of a pair vary by less than this fraction of its scores, the pair may be a tie. If a mean is
# smaller than this fraction of the standard deviation, it is mostly rounding error.
SMALLEST_PART_OF_SCORES = 1e-9
SMALLEST_MEAN_IN_SD = 1e-3


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesCorrelatedTTestResult(PosteriorResult):
    """Result of `bayes_correlated_ttest` and `bayes_pairwise_correlated_ttest`.

    The posterior distribution of the mean of x - y is a Student distribution: ``mean`` plus ``scale`` times t with
    ``df`` degrees of freedom.

    Attributes
    ----------
    mean : float or ndarray
        Center of the posterior, which is the mean difference, in the unit of the scores.
    scale : float or ndarray
        Scale of the posterior, which is the corrected standard error, in the unit of the scores. It is 0 if the
        differences have no variance.
    df : int
        Degrees of freedom: the number of scores minus one.
    correlation : float
        Assumed correlation between the differences in two folds.
    n_scores : int
        Number of fold scores of each classifier.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    mean: Any
    scale: Any
    df: int
    correlation: float
    n_scores: int
    tie_tolerance: float

    def credible_interval(self, level: float = 0.95) -> CredibleInterval:
        """Compute the central credible interval for the mean difference. The limits are nan if there is no posterior.

        With the same level, the interval equals the confidence interval of `corrected_ttest`.

        Parameters
        ----------
        level : float, default: 0.95
            The posterior probability of the interval.

        Returns
        -------
        CredibleInterval

        Examples
        --------
        >>> from evalstats import bayes_correlated_ttest
        >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
        >>> low, high = bayes_correlated_ttest(x, y, n_train=80, n_test=20).credible_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.0227 0.0707
        """
        from scipy.special import stdtrit

        level = _checks.proportion(level, "level")
        quantile = -stdtrit(self.df, (1 - level) / 2)  # (1 + level) / 2 may round to 1
        margin = np.where(np.isnan(self.p_rope), np.nan, quantile * np.asarray(self.scale))
        return CredibleInterval(low=self.mean - margin, high=self.mean + margin, level=level)

    def density(self, grid: ArrayLike) -> FloatArray:
        """Compute the posterior density of the mean difference at each point of a grid.

        Parameters
        ----------
        grid : array_like of shape (m,)
            Differences, in the unit of the scores.

        Returns
        -------
        ndarray of shape (..., m)
            Density per unit of the scores. If all pairs are equal, the density is infinite at 0 and 0 elsewhere. The
            density is nan if there is no posterior.

        Examples
        --------
        >>> from evalstats import bayes_correlated_ttest
        >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
        >>> bayes_correlated_ttest(x, y, n_train=80, n_test=20).density([0, 0.02, 0.04]).round(2)
        array([ 7.98, 21.51, 13.39])
        """
        from scipy.special import gammaln

        points = _checks.finite(_checks.numbers(grid, "grid"), "grid")
        if points.ndim > 1:
            raise InvalidValueError(f"grid must have the shape (m,), but its shape is {points.shape}")
        mean, scale = np.asarray(self.mean)[..., None], np.asarray(self.scale)[..., None]
        df = self.df
        log_peak = gammaln((df + 1) / 2) - gammaln(df / 2) - math.log(df * math.pi) / 2
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            t = (points - mean) / scale
            density = np.exp(log_peak - (df + 1) / 2 * np.log1p(t * t / df)) / scale
        at_a_point = np.where(points == mean, np.inf, 0.0)
        has_none = np.isnan(np.asarray(self.p_rope))[..., None]
        return np.asarray(np.where(has_none, np.nan, np.where(scale > 0, density, at_a_point)))


def bayes_correlated_ttest(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rope: float = 0.0,
    n_train: float | None = None,
    n_test: float | None = None,
    correlation: float | None = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BayesCorrelatedTTestResult:
    """Compute posterior probabilities that x is better than, equivalent to or worse than y on one dataset.

    There is no null hypothesis. The model assumes that the differences of the folds are normal and that any two
    differences have the same correlation, because the training sets overlap. With the prior 1/sigma, the posterior of
    the mean difference is a Student distribution with the mean, standard error and degrees of freedom of
    `corrected_ttest`.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 folds: all k folds of a cross-validation, or all r k folds of r
        repeats. Leading axes are batch dimensions and broadcast.
    rope : float, default: 0
        Half the width of the region of practical equivalence, in the unit of the scores. One percentage point of
        accuracy is 0.01, or 1 if accuracy is in percent. With a rope of 0, only equal scores are equivalent.
    n_train, n_test : int or float, optional
        Numbers of instances in the training set and the test set of one fold, or their means (`split_sizes`). Only the
        ratio of the two numbers matters: for k folds, ``n_train=k - 1, n_test=1``.
    correlation : float, optional
        The correlation between the differences in two folds, instead of `n_train` and `n_test`. The usual choice is
        n_test / (n_train + n_test), which is 1/k for k folds. With a correlation of 0, the posterior corresponds to the
        ordinary t-test.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    BayesCorrelatedTTestResult
        `p_less`, `p_rope` and `p_greater`. The result also contains `mean`, `scale` and `df` of the posterior, its
        `density` and `credible_interval`, and `decision`.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, or contain nan or infinity. If rope is negative, or if the
        sizes and the correlation are both given or both missing.
    TypeError
        If a size or rope is not a number.

    Warns
    -----
    EvalstatsWarning
        If n_test is larger than n_train. Such sizes are rare, so the two arguments may have been swapped by mistake.

    See Also
    --------
    corrected_ttest : the frequentist test, whose one-sided p-value equals p_less or p_greater if rope = 0.
    bayes_hierarchical_test : the test for several datasets.

    Notes
    -----
    If x and y are equal in every fold, p_rope is 1 for any rope. If x and y differ by the same amount in every fold,
    the variance cannot be estimated, and the three probabilities are nan. In both cases, `reason` states the cause.

    References
    ----------
    Corani, G. & Benavoli, A. (2015). A Bayesian approach for comparing cross-validated algorithms on multiple data
    sets. Machine Learning 100, 285-304.

    Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1-36, section 3.1.

    Examples
    --------
    >>> from evalstats import bayes_correlated_ttest
    >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
    >>> result = bayes_correlated_ttest(x, y, rope=0.01, n_train=80, n_test=20)
    >>> print(f"{result.p_less:.3f} {result.p_rope:.3f} {result.p_greater:.3f}")
    0.057 0.169 0.774
    >>> result.decision() is None
    True
    """
    n, mean, sd, tie_tolerance = checked_mean_and_sd(x, y, tie_tolerance)
    rope = half_width(rope)
    n_train, n_test = sizes(n_train, n_test) if correlation is None else (n_train, n_test)
    correlation, odds = correlation_of_folds(n_train, n_test, correlation)

    scale = np.sqrt(1 / n + odds) * sd  # Corani & Benavoli (2015), eq. 9

    less, within, greater, reason = _regions(mean, scale, n - 1, rope)

    return BayesCorrelatedTTestResult(
        p_less=less,
        p_rope=within,
        p_greater=greater,
        rope=rope,
        method=np.full(mean.shape, "t"),
        reason=reason,
        mean=mean,
        scale=scale,
        df=n - 1,
        correlation=correlation,
        n_scores=n,
        tie_tolerance=tie_tolerance,
    )


def bayes_pairwise_correlated_ttest(
    scores: ArrayLike,
    *,
    rope: float = 0.0,
    n_train: float | None = None,
    n_test: float | None = None,
    correlation: float | None = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BayesCorrelatedTTestResult:
    """Compute posterior probabilities for all pairs of classifiers on one dataset.

    Each pair has the same values as in `bayes_correlated_ttest`. The posterior probabilities are not adjusted for the
    number of pairs. Among many classifiers with equal performance, at least one pair often has a high probability. The
    best of many classifiers appears better than it is.

    Parameters
    ----------
    scores : array_like of shape (..., n_folds, n_classifiers)
        One row per fold, one column per classifier. Leading axes are batch dimensions, for example datasets.
    rope : float, default: 0
        Half the width of the region of practical equivalence, in the unit of the scores.
    n_train, n_test : int or float, optional
        Numbers of instances in the training set and the test set of one fold. Only the ratio of the two numbers
        matters.
    correlation : float, optional
        The correlation between the differences in two folds, instead of `n_train` and `n_test`.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    BayesCorrelatedTTestResult
        A batch of shape (..., n_classifiers, n_classifiers): x is the classifier of the row, and y is the classifier of
        the column. On the diagonal, p_rope is 1.

    Raises
    ------
    ValueError
        If scores have the wrong shape, or contain nan or infinity. If rope is negative, or if the sizes and the
        correlation are both given or both missing.
    TypeError
        If a size or rope is not a number.

    References
    ----------
    Corani, G. & Benavoli, A. (2015). A Bayesian approach for comparing cross-validated algorithms on multiple data
    sets. Machine Learning 100, 285-304.

    Examples
    --------
    >>> from evalstats.bayes import bayes_pairwise_correlated_ttest
    >>> folds = [[0.81, 0.78, 0.70], [0.84, 0.82, 0.74], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.70]]
    >>> bayes_pairwise_correlated_ttest(folds, rope=0.01, n_train=80, n_test=20).p_greater.round(3)
    array([[0.   , 0.774, 0.997],
           [0.057, 0.   , 0.998],
           [0.002, 0.001, 0.   ]])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    array = _checks.fold_scores(scores)
    rope = half_width(rope)
    n_train, n_test = sizes(n_train, n_test) if correlation is None else (n_train, n_test)
    correlation, odds = correlation_of_folds(n_train, n_test, correlation)

    n, k = array.shape[-2:]
    pairs = np.triu_indices(k, 1)
    mean, sd = _mean_and_sd_of_pairs(array, pairs, tie_tolerance)
    scale = np.sqrt(1 / n + odds) * sd

    less, within, greater, reason = _regions(mean, scale, n - 1, rope)

    return BayesCorrelatedTTestResult(
        p_less=matrix_of_pairs(less, pairs, k, diagonal=0.0, mirrored=greater),
        p_rope=matrix_of_pairs(within, pairs, k, diagonal=1.0),
        p_greater=matrix_of_pairs(greater, pairs, k, diagonal=0.0, mirrored=less),
        rope=rope,
        method=np.full((*array.shape[:-2], k, k), "t"),
        reason=matrix_of_pairs(reason, pairs, k, diagonal=NO_DIFFERENCE),
        mean=matrix_of_pairs(mean, pairs, k, diagonal=0.0, mirrored=-mean),
        scale=matrix_of_pairs(scale, pairs, k, diagonal=0.0),
        df=n - 1,
        correlation=correlation,
        n_scores=n,
        tie_tolerance=tie_tolerance,
        classifiers=column_names(scores),
        _of_pairs=True,
    )


def _regions(
    mean: FloatArray, scale: FloatArray, df: int, rope: float
) -> tuple[FloatArray, FloatArray, FloatArray, Any]:
    """Return the posterior probabilities below, within and above the rope, and a reason if the input is degenerate."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        far = stdtr(df, (-rope - np.abs(mean)) / scale)  # probability on the other side of the rope
        beyond = stdtr(df, (np.abs(mean) - rope) / scale)
        within = t_between((-rope - np.abs(mean)) / scale, (rope - np.abs(mean)) / scale, df)
    no_variance = scale == 0
    is_equal = no_variance & (mean == 0)
    far, beyond = np.where(is_equal, 0.0, far), np.where(is_equal, 0.0, beyond)
    within = np.where(is_equal, 1.0, within)
    is_constant = no_variance & ~is_equal
    far, beyond, within = (np.where(is_constant, np.nan, p) for p in (far, beyond, within))
    reason = reasons(mean.shape, (is_equal, NO_DIFFERENCE), (is_constant, CONSTANT_OVER_FOLDS))
    return np.where(mean < 0, beyond, far), within, np.where(mean < 0, far, beyond), reason


def _mean_and_sd_of_pairs(scores: FloatArray, pairs: IntPair, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the mean and standard deviation of the differences of each pair i < j, of shape (..., n_pairs)."""
    # raises an error for a difference beyond the largest float
    differences(scores.max(axis=-1), scores.min(axis=-1), 0)
    columns = np.ascontiguousarray(scores.swapaxes(-1, -2))
    # scaling by a power of two changes no digit, and prevents underflow and overflow of squares
    exponent = np.frexp(np.abs(columns).max(axis=(-2, -1), keepdims=True))[1]
    unit = np.ldexp(columns, -exponent)
    n, k = scores.shape[-2:]
    mean = np.empty((*scores.shape[:-2], len(pairs[0])))
    squares = np.empty_like(mean)
    start = 0
    for i in range(k - 1):
        d = unit[..., i, None, :] - unit[..., i + 1 :, :]
        here = slice(start, start := start + k - 1 - i)
        mean[..., here] = d.mean(axis=-1)
        d -= mean[..., here, None]
        squares[..., here] = np.einsum("...i,...i->...", d, d)
    sd = np.sqrt(squares / (n - 1))
    smallest_sd = max(SMALLEST_PART_OF_SCORES, 10 * tie_tolerance, 10 * noise_of(tie_tolerance))
    is_doubtful = (sd < smallest_sd) | (np.abs(mean) < SMALLEST_MEAN_IN_SD * sd)
    mean, sd = np.ldexp(mean, exponent[..., 0]), np.ldexp(sd, exponent[..., 0])
    *batch, pair = np.nonzero(is_doubtful)
    if pair.size:
        first, second = (columns[(*batch, side[pair])] for side in pairs)
        mean[is_doubtful], sd[is_doubtful] = mean_and_sd(first, second, tie_tolerance)
    return mean, sd
