"""The mean of scores that people would give, where a judge scored every case and people only some of them."""

from __future__ import annotations

__all__ = ["PPIMean", "Rectified", "labelled_cases", "ppi_mean", "rectified", "understand_judge_weight"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._result import ConfidenceInterval, EstimateResult, reasons
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import (
    NOISE,
    Clusters,
    degrees_of_freedom,
    jackknife_factors,
    understand_clusters,
)

OPTIMAL = "optimal"
SINGLE_GROUP = (
    "the labelled cases, or those without a label, are of a single group, so that no standard error can be estimated"
)
FEWEST_GROUPS = 3  # with a label: with fewer no weight can be estimated
# cases that are added, at each corner of the range of labels and judge, for intervals: of two values, of several
AT_CORNERS, AT_CORNERS_OF_SEVERAL = 1.0, 0.25
NO_VARIANCE = "neither the judge nor what it is corrected by varies, so that the standard error is 0 and says nothing"


class Rectified(NamedTuple):
    """The mean of the judge, corrected by labels, of shape (...)."""

    estimate: FloatArray
    standard_error: FloatArray
    center: FloatArray  # of the interval, with its own error and degrees of freedom
    error: FloatArray
    df: FloatArray
    judge_weight: FloatArray
    human_mean: FloatArray
    human_standard_error: FloatArray
    judge_mean: FloatArray
    n_labelled: Any
    n_corrected: Any
    is_single: BoolArray


@dataclass(frozen=True, kw_only=True, eq=False)
class PPIMean(EstimateResult):
    """What `ppi_mean` returns.

    Attributes
    ----------
    estimate : float or ndarray
        Mean score that people would give over all cases of this kind.
    standard_error : float or ndarray
        Its cluster-robust standard error; nan where the labelled cases are of a single group.
    df : float or ndarray
        Degrees of freedom of the interval (Satterthwaite).
    judge_weight : float or ndarray
        How much the judge counts: 0 to 1, the lambda of PPI++.
    human_mean, human_standard_error : float or ndarray
        Mean of the labels alone, and its standard error: what is known without the judge.
    judge_mean : float or ndarray
        Mean score by the judge over all cases, without any correction.
    effective_labels : float or ndarray
        The number of labels that would give the same standard error without the judge; nan where it has none.
    n_instances, n_clusters : int
        Number of cases, and of groups of cases; each case is one where none were given.
    n_labelled : int or ndarray
        Number of cases that people scored.
    n_corrected : int or ndarray
        Number of cases in which the judge and people differ. With few of them the sample hardly shows how often the
        judge is wrong, and the interval is long.
    """

    df: Any
    judge_weight: Any
    human_mean: Any
    human_standard_error: Any
    judge_mean: Any
    effective_labels: Any
    n_instances: int
    n_clusters: int
    n_labelled: Any
    n_corrected: Any
    _center: Any
    _error: Any

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the mean that people would give, which holds for few labels, too.

        Its center is not the estimate: see the notes of `ppi_mean`.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            The interval covers the true value about this often. It may reach beyond 0 or 1.

        Returns
        -------
        ConfidenceInterval
            nan where there is no standard error, or none above 0.

        Examples
        --------
        >>> from evalstats.metrics import ppi_mean
        >>> nan = float("nan")
        >>> result = ppi_mean([1, 1, 0, 1, 0, nan, nan, nan, nan, nan], [1, 1, 0, 1, 1, 1, 1, 0, 1, 1])
        >>> low, high = result.confidence_interval(0.9)
        >>> print(f"{low:.3f} {high:.3f}")
        0.252 0.972
        """
        level = _checks.confidence_level(confidence_level)
        mean, error = np.asarray(self._center), np.asarray(self._error)
        margin = np.where(error > 0, tails.t_quantile(np.asarray(self.df), 0.5 + level / 2) * error, np.nan)
        return ConfidenceInterval(
            low=mean - margin,
            high=mean + margin,
            confidence_level=level,
            attained_level=np.where(np.isnan(margin), np.nan, level),
        )


def ppi_mean(
    human: ArrayLike, judge: ArrayLike, *, clusters: ArrayLike | None = None, judge_weight: float | str = OPTIMAL
) -> PPIMean:
    """Tell the mean score that people would give, from a judge of all cases and labels by people for some of them.

    A judge, such as a language model that grades answers, is wrong in a way of its own; its mean is biased, however
    many cases it grades. Labels by people are right and few. Prediction-powered inference corrects the mean of the
    judge by what it got wrong where people looked: the interval is that of the labels if the judge is useless, and
    shorter the better it is.

    Parameters
    ----------
    human : array_like of shape (..., n)
        Score by people, and nan for each case that nobody labelled. The labelled cases must be a random sample of all
        cases (with groups: their groups must be), and not those that the judge found difficult. Leading axes are a
        batch and broadcast.
    judge : array_like of shape (..., n)
        Score by the judge of every case, labelled or not, such as 1 and 0 or a grade.
    clusters : array_like of shape (n,), optional
        Which group each case belongs to, such as its passage, document or user: names or numbers, in any order. Groups
        are independent of each other, cases of one group need not be. None: each case is a group.
    judge_weight : float or 'optimal', default: 'optimal'
        How much the judge counts. ``'optimal'``: as much as makes the standard error smallest (PPI++, power tuning).
        1 is prediction-powered inference without it, and 0 the mean of the labels alone.

    Returns
    -------
    PPIMean
        `estimate` and `standard_error`; also what the labels alone say, and `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If human and judge are not paired, a score is infinite or one of the judge is nan, no case is labelled,
        `clusters` does not name one group for each case, or `judge_weight` is no number from 0 to 1.

    See Also
    --------
    evalstats.paired.ppi_ttest : the difference of two models under the same judge.

    Notes
    -----
    With labels y and judge f, the mean of f over the N cases without a label and means over the n labelled ones, the
    estimate is ``w mean(f, unlabelled) + mean(y - w f, labelled)``; it is unbiased for any fixed w. The optimal w is
    cov(y, f) / ((1 + n / N) var(f)), within 0 and 1, the variance over all cases. The variance is the sum over groups
    of the squared deviations of both parts; without groups it is var(y - w f) / n + w^2 var(f) / N. Variances have
    n - 1 where the program of the authors has n. With fewer than three labelled groups the optimal w is 0.

    A few labels do not show how often a good judge is wrong: with 20 of them the interval of the authors holds the mean
    in 55% to 95% of samples, not 95%. The interval here is the one of labels to which cases are added, as Agresti &
    Coull add them to a share: one at each corner of the range of labels and judge, a quarter of one where labels have
    more than two values, and none where no label occurs twice. It uses the t distribution, with Satterthwaite's degrees
    of freedom and one less for an optimal w. See the page of `ppi_mean` for how often it covers.

    References
    ----------
    Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. & Zrnic, T. (2023). Prediction-powered inference.
    Science 382, 669-674.

    Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: Efficient prediction-powered inference.
    arXiv:2311.01453, section 6.

    Agresti, A. & Coull, B. A. (1998). Approximate is better than "exact" for interval estimation of binomial
    proportions. The American Statistician 52, 119-126.

    Examples
    --------
    Ten answers; people labelled the first five, and the judge called one of them right that is not.

    >>> from evalstats.metrics import ppi_mean
    >>> nan = float("nan")
    >>> result = ppi_mean([1, 1, 0, 1, 0, nan, nan, nan, nan, nan], [1, 1, 0, 1, 1, 1, 1, 0, 1, 1])
    >>> print(f"{result.estimate:.3f}, standard error {result.standard_error:.3f}")
    0.600, standard error 0.221
    >>> print(f"of the labels alone {result.human_mean}, standard error {result.human_standard_error:.3f}")
    of the labels alone 0.6, standard error 0.245
    """
    labels, judged = labelled_cases(human, judge, ("human", "judge"))
    weight = understand_judge_weight(judge_weight)
    clustering = understand_clusters(clusters, None, "micro", labels.shape[-1], human=human, judge=judge)

    found = rectified(labels, judged, weight, clustering)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = found.n_labelled * (found.human_standard_error / found.standard_error) ** 2

    return PPIMean(
        estimate=found.estimate,
        standard_error=found.standard_error,
        reason=reasons(found.estimate.shape, (found.is_single, SINGLE_GROUP), (found.standard_error == 0, NO_VARIANCE)),
        df=found.df,
        judge_weight=found.judge_weight,
        human_mean=found.human_mean,
        human_standard_error=found.human_standard_error,
        judge_mean=found.judge_mean,
        effective_labels=np.where(np.isfinite(effective), effective, np.nan),
        n_instances=labels.shape[-1],
        n_clusters=clustering.starts.size,
        n_labelled=found.n_labelled,
        n_corrected=found.n_corrected,
        _center=found.center,
        _error=found.error,
    )


def labelled_cases(human: Any, judge: Any, names: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Return labels, nan where there is none, and scores of the judge, of one shape."""
    labels, judged = _checks.numbers(human, names[0]), _checks.numbers(judge, names[1])
    _checks.pairing(human, judge, labels.shape, judged.shape, minimum=2)
    known = np.isfinite(labels) | np.isnan(labels)
    _checks.finite(np.where(known, 0.0, labels), names[0])
    judged = _checks.moderate(_checks.finite(judged, names[1]), names[1])
    _checks.moderate(np.where(np.isnan(labels), 0.0, labels), names[0])
    labels, judged = np.broadcast_arrays(labels, judged)
    if np.isnan(labels).all(axis=-1).any():
        raise InvalidValueError(f"{names[0]} must have a label for some case, and nan for the others, but all are nan")
    return labels, judged


def understand_judge_weight(value: Any) -> float | None:
    """Return the weight of the judge; None is the best one."""
    if isinstance(value, str):
        if value == OPTIMAL:
            return None
        raise InvalidValueError(f"judge_weight must be 'optimal' or a number from 0 to 1, not {short(value)}")
    try:
        weight = _checks.real(value, "judge_weight")
    except InvalidTypeError:
        raise InvalidTypeError(f"judge_weight must be 'optimal' or a number from 0 to 1, not {short(value)}") from None
    if not 0 <= weight <= 1:
        raise InvalidValueError(f"judge_weight must be 'optimal' or a number from 0 to 1, not {weight:g}")
    return weight


def rectified(labels: FloatArray, judged: FloatArray, weight: float | None, clustering: Clusters) -> Rectified:
    """Correct the mean of a judge by labels: Angelopoulos, Duchi & Zrnic (2023), example 6.1."""
    is_labelled = ~np.isnan(labels)
    y = np.where(is_labelled, labels, 0.0)
    human, by_judge = _Part.of(y, is_labelled, clustering), _Part.of(judged, is_labelled, clustering)
    other = _Part.of(judged, ~is_labelled, clustering)
    has_other = other.n > 0

    if weight is None:
        # all cases together know best how much the judge varies
        everywhere = _Part.of(judged, np.ones_like(is_labelled), clustering)
        covariance = human.n * (human.deviations * by_judge.deviations).sum(axis=-1)
        variance = everywhere.n * (everywhere.deviations**2).sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            best = covariance / (variance * (1 + human.n / other.n))
        is_known = has_other & (variance > 0) & (human.n_clusters >= FEWEST_GROUPS)
        w = np.where(is_known, np.clip(np.nan_to_num(best), 0.0, 1.0), 0.0)
    else:
        w = np.where(has_other, weight, 0.0)

    rectifier = _Part.of(np.where(is_labelled, y - w[..., np.newaxis] * judged, 0.0), is_labelled, clustering)
    imputed = w[..., np.newaxis] * other.deviations
    both = rectifier.deviations + imputed
    freedom = human.freedom, other.freedom
    is_single = (human.n_clusters < 2) | ((w > 0) & (other.n_clusters < 2))
    variance_of_both, variance_of_others = (both**2).sum(axis=-1), (imputed**2).sum(axis=-1)
    alone = _Part.of(
        np.where(is_labelled, y - w[..., np.newaxis] * judged, 0.0), is_labelled, clustering.without_groups()
    )
    own = _with_corners(rectifier, alone, labels, judged, w, (w > 0) & (weight is None))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = own.variance / (own.variance + variance_of_others)
        df = 1 / (share**2 / own.df + (1 - share) ** 2 / np.where(freedom[1] > 0, freedom[1], 1))
        df = np.where(np.isnan(share), freedom[0], df)
    variance = variance_of_both + own.variance - (rectifier.deviations**2).sum(axis=-1)
    return Rectified(
        estimate=rectifier.mean + w * other.mean,
        standard_error=np.where(is_single, np.nan, np.sqrt(variance_of_both)),
        center=own.mean + w * other.mean,
        error=np.where(is_single, np.nan, np.sqrt(np.maximum(variance, 0.0))),
        df=np.where(is_single, np.nan, df),
        judge_weight=w,
        human_mean=human.mean,
        human_standard_error=np.where(human.n_clusters < 2, np.nan, np.sqrt((human.deviations**2).sum(axis=-1))),
        judge_mean=judged.mean(axis=-1),
        n_labelled=human.n.astype(np.int64),
        n_corrected=(is_labelled & (y != judged)).sum(axis=-1),
        is_single=is_single,
    )


class _Part(NamedTuple):
    """The mean over some of the cases, and what each group adds to its error, of shape (..., n_clusters)."""

    mean: FloatArray  # 0 of no case
    deviations: FloatArray
    n: FloatArray
    n_clusters: FloatArray
    freedom: FloatArray

    @classmethod
    def of(cls, values: FloatArray, chosen: BoolArray, clustering: Clusters) -> _Part:
        n = chosen.sum(axis=-1).astype(np.float64)
        some = np.maximum(n, 1)
        mean = np.where(chosen, values, 0.0).sum(axis=-1) / some
        sums = clustering.sums(np.where(chosen, values - mean[..., np.newaxis], 0.0))
        sizes = clustering.sums(chosen.astype(np.float64))
        largest = np.abs(np.where(chosen, values, 0.0)).max(axis=-1)
        is_noise = np.abs(sums) <= NOISE * largest[..., np.newaxis] * sizes
        g = (sizes > 0).sum(axis=-1).astype(np.float64)
        scale = np.sqrt(g / np.maximum(g - 1, 1)) / some
        factors = np.where(g[..., np.newaxis] > 1, jackknife_factors(sizes), 1.0)
        deviations = np.where(is_noise, 0.0, sums) * factors * scale[..., np.newaxis]
        return cls(mean, deviations, n, g, np.where(g > 1, degrees_of_freedom(sizes), 0.0))


class _Corrected(NamedTuple):
    """The mean of what corrects the judge, with cases added at the corners, its variance and degrees of freedom."""

    mean: FloatArray
    variance: FloatArray
    df: FloatArray


def _with_corners(
    rectifier: _Part, alone: _Part, labels: FloatArray, judged: FloatArray, w: FloatArray, is_estimated: BoolArray
) -> _Corrected:
    """Add cases at the corners of the range: Agresti & Coull (1998), and Agresti & Min (2005) where the judge counts.

    They stand beside the groups, of which there are g, as a case stands beside cases that are independent: where those
    of a group are alike it counts as a group, as it does where nothing shows whether they are.
    """
    number, corners = np.empty(w.shape), np.empty((*w.shape, 4))
    for at in np.ndindex(w.shape):
        number[at], of_labels, of_judge = _corners(labels[at], judged[at])
        corners[at] = np.subtract.outer(of_labels, w[at] * of_judge).ravel()
    g = rectifier.n_clusters
    mean_size = rectifier.n / g
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = (rectifier.deviations**2).sum(axis=-1) / (alone.deviations**2).sum(axis=-1)
    number *= np.clip(np.where(np.isnan(alike), mean_size, alike), 1, mean_size) / mean_size
    n = g + 4 * number
    mean = (g * rectifier.mean + number * corners.sum(axis=-1)) / n
    spread = (rectifier.deviations**2).sum(axis=-1) * g * (g - 1) + g * (rectifier.mean - mean) ** 2
    spread += number * ((corners - mean[..., np.newaxis]) ** 2).sum(axis=-1)
    divisor = np.maximum(n - 1 - is_estimated, 1)
    df = np.maximum(rectifier.freedom + 4 * number - is_estimated, 1)
    return _Corrected(mean, spread / (n * divisor), df)


def _corners(labels: FloatArray, judged: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return how many cases are added at each corner, and the range of the labels and of the judge."""
    given = labels[~np.isnan(labels)]
    values, of_judge = np.unique(given), np.unique(judged)
    everything = np.union1d(values, of_judge)
    has_own_scale = values.size > 1 and not np.isin(values, of_judge).all()
    scale = values if has_own_scale else everything
    ends = [0, -1]
    number = AT_CORNERS if scale.size <= 2 else AT_CORNERS_OF_SEVERAL if values.size < given.size else 0.0
    return number, scale[ends], of_judge[ends]
