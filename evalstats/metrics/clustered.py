"""The mean of cases that vary together: how accurate is one model on questions that share passages or documents?"""

from __future__ import annotations

__all__ = ["ClusteredMean", "clustered_mean"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._result import ConfidenceInterval, EstimateResult, reasons
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import (
    Clusters,
    Moments,
    combined,
    effective_clusters,
    moments,
    understand_clusters,
)
from evalstats.metrics.proportions import score_limits

INTERVALS = ("auto", "wilson", "few-clusters", "t")
SINGLE_GROUP = "a stratum has a single group of cases, so that no standard error can be estimated; two are needed"
NO_VARIANCE = (
    "all groups have the same mean in every stratum, so that the standard error is 0; Wilson's interval counts each "
    "group as one case, and groups of unequal size as the equal ones that they are worth"
)
LARGEST_COUNT = 2.0**53
NEVER_SEEN = 0.1  # of a group that is right throughout, and as much of one that is wrong, beside those of the data


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusteredMean(EstimateResult):
    """What `clustered_mean` returns.

    Attributes
    ----------
    estimate : float or ndarray
        Mean score: of the cases, or, with ``average='macro'``, of the means of the strata.
    standard_error : float or ndarray
        Its cluster-robust standard error; nan where a stratum has a single group.
    df : float or ndarray
        Degrees of freedom of the standard error: one less than the groups where all are of one size, and fewer where
        they are not; with strata no more than those of Satterthwaite.
    average : str
        ``'micro'`` or ``'macro'``.
    n_instances, n_clusters, n_strata : int
        Number of cases, of groups of cases (each case is one where none were given), and of strata.
    design_effect : float or ndarray
        The variance, relative to the variance if all cases were independent; 1 without groups. It is nan where there is
        no variance.
    effective_sample_size : float or ndarray
        The number of independent right and wrong answers that would give the same standard error: p (1 - p) / SE^2.
        Where the scores have no variance each group counts as one case, unequal ones as `effective_clusters`; nan where
        a score is not within [0, 1].
    effective_clusters : float
        The number of groups of equal weight that say as much: the squared sum of their weights in the mean over the sum
        of their squares, and `n_clusters` where all weigh the same.
    strata : tuple
        Names of the strata, in the order of their first cases; () without strata.
    stratum_means, stratum_standard_errors : ndarray of shape (..., n_strata)
        The mean of each stratum and its standard error.
    """

    df: Any
    average: str
    n_instances: int
    n_clusters: int
    n_strata: int
    design_effect: Any
    effective_sample_size: Any
    effective_clusters: float
    strata: tuple[Any, ...]
    stratum_means: FloatArray
    stratum_standard_errors: FloatArray
    _weights: FloatArray
    _cautious_sizes: FloatArray

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str = "auto") -> ConfidenceInterval:
        """Return an interval of the mean over all cases of this kind.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            The interval covers the true value about this often.
        method : {'auto', 'wilson', 'few-clusters', 't'}, default: 'auto'
            ``'wilson'``: Wilson's interval of a proportion, with the effective sample size and the t distribution in
            place of the normal one (Korn & Graubard 1998, with Wilson's limits). It stays within [0, 1], and has a
            width even where all answers are right. For groups whose answers hang together, of which most are right
            throughout, it is too short: it covers as little as .61 of the time in place of .95.

            ``'few-clusters'``: Wilson's with a smaller effective sample size: that of the data, or of groups that all
            vary alike if this is smaller, and a tenth of a group that is right throughout and a tenth of one that is
            wrong: groups of which a few would show none. Strata have such an interval each, and the squares of the
            distances of their limits are added (MOVER, Zou & Donner 2008). It covers .91 or more in all settings that
            were simulated, and .95 or more in most; it is the longer the more the groups are in fact alike.

            ``'t'``: the mean plus and minus quantiles of the t distribution; nan where there is no variance.

            ``'auto'``: where all scores lie within [0, 1], ``'few-clusters'`` for groups and for several strata, and
            Wilson's if each case is a group and there is one stratum; else t.

        Returns
        -------
        ConfidenceInterval
            nan where there is no standard error.

        References
        ----------
        Korn, E. L. & Graubard, B. I. (1998). Confidence intervals for proportions with small expected number of
        positive counts estimated from survey data. Survey Methodology 24, 193-201.

        Zou, G. Y. & Donner, A. (2008). Construction of confidence limits about effect measures: a general approach.
        Statistics in Medicine 27, 1693-1702.

        Examples
        --------
        >>> from evalstats.metrics import clustered_mean
        >>> result = clustered_mean([1, 1, 1, 0, 1, 0, 1, 1], clusters=["a", "a", "b", "b", "c", "c", "d", "d"])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        0.242 0.966
        """
        level = _checks.confidence_level(confidence_level)
        method = _checks.choice(method, "method", INTERVALS)
        is_simple = self.n_clusters == self.n_instances and self.n_strata == 1
        is_cautious = method == "few-clusters" or (method == "auto" and not is_simple)
        share, error, n = (np.asarray(v) for v in (self.estimate, self.standard_error, self.effective_sample_size))
        quantile = tails.t_quantile(np.asarray(self.df), 0.5 + level / 2)
        is_share = ~np.isnan(n) | np.isnan(error)
        if method in {"wilson", "few-clusters"} and not is_share.all():
            raise InvalidValueError(
                f"method={method!r} is for scores within [0, 1], but some lie outside; use method='t'"
            )
        with np.errstate(invalid="ignore"):
            low, high = (
                self._limits_of_strata(quantile)
                if is_cautious
                else score_limits(share * n, (1 - share) * n, quantile**2)
            )
            margin = np.where(error > 0, quantile * error, np.nan)
        if method == "t":
            is_share = np.zeros_like(is_share)
        known = np.isfinite(error)
        low = np.where(known, np.where(is_share, low, share - margin), np.nan)
        high = np.where(known, np.where(is_share, high, share + margin), np.nan)
        return ConfidenceInterval(
            low=low, high=high, confidence_level=level, attained_level=np.where(np.isnan(low), np.nan, level)
        )

    def _limits_of_strata(self, quantile: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the limits of Wilson in each stratum, whose distances from the means are added as squares."""
        means, n = self.stratum_means, self._cautious_sizes
        low, high = score_limits(means * n, (1 - means) * n, np.asarray(quantile)[..., np.newaxis] ** 2)
        if means.shape[-1] == 1:
            return low[..., 0], high[..., 0]
        below, above = (np.sqrt(((self._weights * (limit - means)) ** 2).sum(axis=-1)) for limit in (low, high))
        return self.estimate - below, self.estimate + above


def clustered_mean(
    scores: ArrayLike, *, clusters: ArrayLike | None = None, strata: ArrayLike | None = None, average: str = "micro"
) -> ClusteredMean:
    """Tell the mean score of one model on cases that vary together, with an honest standard error and interval.

    Questions on one passage, sentences of one document, the turns of one user and the sampled answers to one question
    are right or wrong together. A standard error that takes them as independent is too small.

    Parameters
    ----------
    scores : array_like of shape (..., n)
        Score of each case: right or wrong as 1 and 0, a share such as `pass_at_k`, or any other number. Leading axes
        are a batch, such as several models on the same cases.
    clusters : array_like of shape (n,), optional
        Which group each case belongs to, such as its passage, document or user: names or numbers, in any order. Groups
        are independent of each other, cases of one group need not be. None: each case is a group. Several sampled
        answers to one question are cases of at least one group, the question.
    strata : array_like of shape (n,), optional
        Which stratum each case belongs to, such as its benchmark. Strata are not sampled: the answer is about these
        benchmarks, and other questions of their kind. A group lies in one stratum.
    average : {'micro', 'macro'}, default: 'micro'
        ``'micro'``: each case counts the same. ``'macro'``: each stratum does. Without strata they are the same.

    Returns
    -------
    ClusteredMean
        `estimate` and `standard_error`; also the design effect, the mean of each stratum, and `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If a score is not a finite number, `clusters` or `strata` do not name one group or stratum for each case, a
        group has cases in two strata, or an option is unknown.

    Notes
    -----
    With the sum r_g of the deviations from the mean of a stratum in its group g, which has n_g of n cases, the variance
    of that mean is (G - 1) / G times the sum of (r_g / (n - n_g))^2: that of the jackknife that leaves out one group
    after the other, the cluster-robust variance CV3 or CR3 of a regression on a constant. Where all groups are of one
    size it is CV1 too, which is too small where they are not. The degrees of freedom are those of Bell & McCaffrey. The
    variances of the strata are added with the squares of their weights; their degrees of freedom are those of
    Satterthwaite, but no more than the sizes alone let expect. With a single group in a stratum the standard error is
    nan, and without variance it is 0; `reason` says so.

    References
    ----------
    Bell, R. M. & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with multi-stage
    samples. Survey Methodology 28, 169-181.

    Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika 73,
    13-22.

    Miller, E. (2024). Adding error bars to evals: a statistical approach to language model evaluations.
    arXiv:2411.00640, section 2.2.

    Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin 2,
    110-114.

    Examples
    --------
    Eight questions on four passages.

    >>> from evalstats.metrics import clustered_mean
    >>> result = clustered_mean([1, 1, 1, 1, 0, 0, 1, 1], clusters=["a", "a", "b", "b", "c", "c", "d", "d"])
    >>> result.estimate, round(result.standard_error, 3), result.n_clusters
    (0.75, 0.25, 4)
    >>> round(result.design_effect, 2)
    2.33
    """
    array = _checks.numbers(scores, "scores")
    if array.ndim == 0 or array.size == 0:
        raise InvalidValueError(f"scores must hold at least 1 case along its last axis, but its shape is {array.shape}")
    array = _checks.moderate(_checks.finite(array, "scores"), "scores")
    clustering = understand_clusters(clusters, strata, average, array.shape[-1], scores=scores)

    of_strata = moments(array, clustering)
    mean, error, df = combined(of_strata, clustering)
    is_share = (array.min(axis=-1) >= 0) & (array.max(axis=-1) <= 1)

    return ClusteredMean(
        estimate=mean,
        standard_error=error,
        reason=reasons(mean.shape, (np.isnan(error), SINGLE_GROUP), (error == 0, NO_VARIANCE)),
        df=df,
        average=average,
        n_instances=array.shape[-1],
        n_clusters=clustering.starts.size,
        n_strata=len(clustering.weights),
        design_effect=_design_effect(array, clustering, error),
        effective_sample_size=_effective_sample_size(mean, error**2, error > 0, clustering.effective, is_share),
        effective_clusters=clustering.effective,
        strata=clustering.strata,
        stratum_means=of_strata.means,
        stratum_standard_errors=of_strata.standard_errors,
        _weights=clustering.weights,
        _cautious_sizes=_cautious_sizes(array, of_strata, clustering, is_share),
    )


def _design_effect(scores: FloatArray, clustering: Clusters, error: FloatArray) -> FloatArray:
    if not clustering.is_grouped:
        return np.where(error > 0, 1.0, np.nan)
    alone = clustering.without_groups()
    independent = combined(moments(scores, alone), alone).standard_error
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(independent > 0, (error / independent) ** 2, np.nan))


def _cautious_sizes(scores: FloatArray, of_strata: Moments, clustering: Clusters, is_share: BoolArray) -> FloatArray:
    """Return an effective sample size of each stratum that expects groups of which the sample may show none.

    To the variance of the mean are added a tenth of a group that is all right, and a tenth of one that is all wrong,
    which the strata share. Their squared size is the mean of those of the groups of a stratum, so that its variance
    grows by G / (G - 1) times the sum of their squared deviations, over G^2 where all are of one size.
    """
    means, effective = of_strata.means, clustering.effective_of_strata
    with np.errstate(divide="ignore"):
        of_tenth = NEVER_SEEN / len(effective) / (effective * (clustering.n_clusters - 1))
    variance = np.maximum(of_strata.standard_errors**2, _variance_of_like_clusters(scores, clustering))
    variance = variance + of_tenth * (means**2 + (1 - means) ** 2)
    has_variance = of_strata.standard_errors > 0
    return _effective_sample_size(means, variance, has_variance, effective, is_share[..., np.newaxis])


def _variance_of_like_clusters(scores: FloatArray, clustering: Clusters) -> FloatArray:
    """Return the variance of each mean if all groups of a stratum vary alike; 0 where all are of one size.

    With the variance b between groups and w within by the analysis of variance (Searle et al. 1992, section 3.6), that
    of a stratum is w / n + b times the sum of the squared sizes over n^2. Where a few groups are large, it depends less
    than the sum of the squared deviations on what these few happen to be; of groups of one size it is the same.
    """
    sizes, strata = clustering.sizes, clustering.of_stratum()
    found = np.zeros((*scores.shape[:-1], len(strata)))
    unequal = [at for at, stratum in enumerate(strata) if sizes[stratum].min() < sizes[stratum].max()]
    if not unequal:
        return found
    sums, squares = clustering.sums(scores), clustering.sums(scores * scores)
    for at in unequal:
        own, size = sums[..., strata[at]], sizes[strata[at]]
        n, g, effective = size.sum(), size.size, effective_clusters(size)
        of_groups = (own * own / size).sum(axis=-1)
        within = (squares[..., strata[at]].sum(axis=-1) - of_groups) / (n - g)
        between = (of_groups - own.sum(axis=-1) ** 2 / n - (g - 1) * within) / (n - n / effective)
        found[..., at] = within / n + between / effective
    return found


def _effective_sample_size(
    mean: FloatArray, variance: FloatArray, has_variance: BoolArray, n_clusters: FloatArray | float, is_share: BoolArray
) -> FloatArray:
    """Return p (1 - p) / variance; without variance, what it is if each group is one case that is right or wrong."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        effective = np.minimum(mean * (1 - mean) / variance, LARGEST_COUNT)
    effective = np.where(has_variance & (effective > 0), effective, n_clusters)
    return np.where(is_share & np.isfinite(variance), effective, np.nan)
