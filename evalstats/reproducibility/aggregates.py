"""Aggregates of scores over all runs and datasets, with intervals for few runs."""

from __future__ import annotations

__all__ = ["RunAggregateResult", "interquartile_mean", "optimality_gap", "probability_of_improvement"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._canonical_order import sorted_rows
from evalstats._checks import RandomSource
from evalstats._errors import InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import ConfidenceInterval, EstimateResult, interval_of, reasons
from evalstats._types import FloatArray
from evalstats.distributions import small_sample_limits

NO_SPREAD = "every resample gives the same value, so the bootstrap cannot estimate the uncertainty of the aggregate"
ONE_DATASET = "one dataset does not show the variation between datasets"
INTERVALS = ("small-sample", "percentile")
VALUES_AT_ONCE = 2**20  # number of values in the resamples that are processed together
LARGEST_TARGET = 1e150

GAP, IMPROVEMENT = "optimality gap", "probability of improvement"

Aggregate = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, kw_only=True, eq=False)
class RunAggregateResult(EstimateResult):
    """Result of `interquartile_mean`, `optimality_gap` and `probability_of_improvement`.

    Attributes
    ----------
    estimate : float or ndarray of shape (n_classifiers,)
        The aggregate of each classifier.
    standard_error : float or ndarray
        Standard deviation of the bootstrap replicates times sqrt(n / (n - 1)), which corrects the bias of the bootstrap
        variance. Here, n is the number of runs or, with `resample_datasets`, the number of datasets. If
        `resample_datasets` is True and there is one dataset, the standard error is nan.
    reason : str, None or ndarray of object
        A sentence if the input is degenerate, or None.
    aggregate : str
        Name of the aggregate.
    n_runs : int or tuple of int
        Number of runs on each dataset, or, for the comparison of two classifiers, the numbers of runs of x and of y.
    n_datasets : int
        Number of datasets.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frames (one data frame for each run), or None for an array and
        for one classifier.
    resample_datasets : bool
        Whether the bootstrap also resamples the datasets.
    n_resamples : int
        Number of bootstrap replicates.
    seed : int or None
        Seed of the bootstrap, or None if `rng` was a Generator.
    """

    aggregate: str
    n_runs: Any
    n_datasets: int
    resample_datasets: bool
    n_resamples: int
    seed: int | None
    classifiers: tuple[Any, ...] | None = None
    _replicates: FloatArray  # along the last axis
    _df: Any = np.nan
    _skewness: Any = 0.0
    _variance: Any = 0.0  # variance of a probability of improvement
    _bounded: FloatArray | None = None  # draws of its limits for other datasets

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",) if np.ndim(self.estimate) else ()

    @property
    def caution(self) -> str | None:
        """Limitation of the interval for an optimality gap from fewer than 29 scores, or None.

        The limitation is that rare failures may not be observed. Such a failure has little effect on an interquartile
        mean or a probability.
        """
        has_tail = self.aggregate == GAP and bool(np.any(self.standard_error))
        return small_sample_limits.unseen_words(self.n_runs * self.n_datasets) if has_tail else None

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "small-sample"
    ) -> ConfidenceInterval:
        """Compute a confidence interval for the aggregate, by default adjusted for few runs.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval. For an optimality gap on one dataset with log-normal scores, the coverage
            of 95% intervals is 88% to 91% for 3 to 10 runs. If one run of ten fails by a large amount, the coverage is
            87% with 5 runs and 81% with 10 runs. With such failures on five datasets, the coverage is 83% with 3 runs
            and 92% with 5 runs. See `caution`.
        method : {'small-sample', 'percentile'}, default: 'small-sample'
            ``'small-sample'``: limits of Student's t interval from the standard error. The degrees of freedom depend on
            the variance of the runs on each dataset, and the limits for an optimality gap are adjusted for skewness.
            For a probability, the method is Newcombe's or, with `resample_datasets`, Gaffke's. ``'percentile'``:
            quantiles of the replicates, as in rliable. The coverage of these limits is 58% to 92% with 3 to 5 runs, and
            11% if one of two classifiers nearly always wins.

        Returns
        -------
        ConfidenceInterval
            The interval applies to further runs on the same datasets and, with `resample_datasets`, to other datasets.
            If all runs are equal, the limits are nan and `reason` states the cause, except for a probability.

        Examples
        --------
        >>> from evalstats.reproducibility import interquartile_mean
        >>> runs = [[0.81, 0.64, 0.93], [0.84, 0.60, 0.91], [0.79, 0.66, 0.95]]
        >>> low, high = interquartile_mean(runs).confidence_interval(0.9)
        >>> print(f"{low:.3f} {high:.3f}")
        0.774 0.835
        """
        level = _checks.confidence_level(confidence_level)
        tails = (1 - level) / 2, (1 + level) / 2
        if _checks.choice(method, "method", INTERVALS) == "percentile":
            low, high = np.quantile(self._replicates, tails, axis=-1)
        elif self._bounded is not None:
            low, high = (np.quantile(draws[0], tail) for draws, tail in zip(self._bounded, tails, strict=True))
        elif self.aggregate == IMPROVEMENT:
            low, high = small_sample_limits.win_probability_limits(
                self.estimate, self.n_runs, self.n_datasets, level, self._variance
            )
        else:
            error = np.where(np.asarray(self.standard_error) > 0, self.standard_error, np.nan)
            low, high = small_sample_limits.skewed_mean_limits(self.estimate, error, self._skewness, self._df, level)
        return interval_of(low, high, level, seed=self.seed)


def interquartile_mean(
    runs: ArrayLike, *, resample_datasets: bool = False, n_resamples: int = 1999, rng: Any = None
) -> RunAggregateResult:
    """Estimate the interquartile mean of scores over runs and datasets.

    The interquartile mean is less sensitive than the mean to a few failed runs or very easy datasets. It uses more
    scores than the median.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_datasets) or (n_runs, n_datasets, n_classifiers)
        Scores of one or more classifiers in at least 2 runs. The scores on different datasets must be on the same
        scale.
    resample_datasets : bool, default: False
        False: the interval applies to further runs on these datasets. True: it also applies to other datasets of the
        same kind.
    n_resamples : int, default: 1999
        Number of bootstrap replicates.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. The same resamples are used for all classifiers.

    Returns
    -------
    RunAggregateResult
        The interquartile mean, its standard error, and the method `confidence_interval`.

    Raises
    ------
    ValueError
        If there are fewer than 2 runs, or a score is nan or infinite.

    Notes
    -----
    The lowest N // 4 and the highest N // 4 of N scores are left out, as in ``mean(trim = 0.25)`` of R. The bootstrap
    is stratified: it resamples the runs within each dataset. In simulations with normal, skewed and heavy-tailed
    scores, 95% intervals have a coverage of at least 94% (3 to 20 runs, 1 or 5 datasets).

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. & Bellemare, M. G. (2021). Deep reinforcement learning at
    the edge of the statistical precipice. NeurIPS 34, section 4.

    Examples
    --------
    >>> from evalstats.reproducibility import interquartile_mean
    >>> runs = [[0.81, 0.64, 0.93], [0.84, 0.60, 0.91], [0.79, 0.66, 0.95]]
    >>> print(f"{interquartile_mean(runs).estimate:.3f}")
    0.802
    """
    return _aggregated(runs, _middle_half, _winsorized, "interquartile mean", resample_datasets, n_resamples, rng)


def optimality_gap(
    runs: ArrayLike, *, target: float = 1.0, resample_datasets: bool = False, n_resamples: int = 1999, rng: Any = None
) -> RunAggregateResult:
    """Estimate the mean shortfall of scores from a target; smaller is better.

    Scores above the target count as equal to the target, so they do not compensate for low scores.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_datasets) or (n_runs, n_datasets, n_classifiers)
        As in `interquartile_mean`. Larger scores must be better.
    target : float, default: 1
        The score that is sufficient, such as 1 for an accuracy, or for scores divided by the score of a reference
        classifier.
    resample_datasets : bool, default: False
        As in `interquartile_mean`.
    n_resamples : int, default: 1999
        Number of bootstrap replicates.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. The same resamples are used for all classifiers.

    Returns
    -------
    RunAggregateResult
        The gap, its standard error, and the method `confidence_interval`.

    Raises
    ------
    ValueError
        If there are fewer than 2 runs, or a score or the target is nan or infinite.
    TypeError
        If the target is not a number.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. & Bellemare, M. G. (2021). Deep reinforcement learning at
    the edge of the statistical precipice. NeurIPS 34, section 4.

    Examples
    --------
    >>> from evalstats.reproducibility import optimality_gap
    >>> runs = [[0.81, 0.64, 0.93], [0.84, 0.60, 0.91], [0.79, 0.66, 0.95]]
    >>> print(f"{optimality_gap(runs, target=0.9).estimate:.3f}")
    0.118
    """
    goal = _checks.real(target, "target")
    if not abs(goal) <= LARGEST_TARGET:
        raise InvalidValueError(f"target must lie between -1e150 and 1e150, not {short(target)}")

    def short_by(values: FloatArray) -> FloatArray:
        return np.asarray(np.maximum(goal - values, 0))

    def gap(values: FloatArray) -> FloatArray:
        return np.asarray(np.mean(short_by(values), axis=(-2, -1)))

    return _aggregated(runs, gap, short_by, GAP, resample_datasets, n_resamples, rng)


def probability_of_improvement(
    x: ArrayLike,
    y: ArrayLike,
    *,
    resample_datasets: bool = False,
    n_resamples: int = 1999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> RunAggregateResult:
    """Estimate the probability that a run of x scores higher than a run of y on a random dataset.

    Parameters
    ----------
    x : array_like of shape (n_runs_x, n_datasets)
        Scores of at least 2 runs of one classifier.
    y : array_like of shape (n_runs_y, n_datasets)
        Scores of at least 2 runs of a second classifier on the same datasets, independent of x.
    resample_datasets : bool, default: False
        As in `interquartile_mean`.
    n_resamples : int, default: 1999
        Number of bootstrap replicates.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    RunAggregateResult
        The probability: the mean of `vargha_delaney_a` over the datasets, with ties counted as one half. The result
        also contains the standard error of the probability and the method `confidence_interval`.

    Raises
    ------
    ValueError
        If x or y has fewer than 2 runs, the datasets differ, or a score is nan or infinite.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. & Bellemare, M. G. (2021). Deep reinforcement learning at
    the edge of the statistical precipice. NeurIPS 34, section 4.

    Examples
    --------
    >>> from evalstats.reproducibility import probability_of_improvement
    >>> x = [[0.81, 0.64, 0.93], [0.84, 0.60, 0.91], [0.79, 0.66, 0.95]]
    >>> y = [[0.80, 0.62, 0.93], [0.82, 0.61, 0.90]]
    >>> print(f"{probability_of_improvement(x, y).estimate:.3f}")
    0.639
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    frames = {n: value.T for n, value in (("x", x), ("y", y)) if hasattr(value, "columns") and hasattr(value, "T")}
    _labels.same_labels(rows=tuple(frames), **frames)
    a, b = _runs(x, "x", (2,)), _runs(y, "y", (2,))
    if a.shape[1] != b.shape[1]:
        raise InvalidValueError(f"x and y must have the same datasets: x has {a.shape[1]} columns, y has {b.shape[1]}")
    resample_datasets = _checks.boolean(resample_datasets, "resample_datasets")
    n_resamples, source = _checks.resampling(n_resamples, rng, minimum=19)

    n = len(a)
    both = rounded(np.concatenate([a, b]).T, tie_tolerance)
    wins = np.sign(both[:, :n, None] - both[:, None, n:])  # (n_datasets, n_runs_x, n_runs_y)
    # in an order that depends only on the content; exchanging x and y changes the sign of the same draws
    wins, sign = _in_order(wins)
    generator = source.generator()
    replicates = sign * _resampled_wins(wins, resample_datasets, n_resamples, generator)
    bounded = None
    if resample_datasets:
        draws = small_sample_limits.bounded_mean_draws(
            wins.mean(axis=(1, 2))[:, None], (-1.0, 1.0), n_resamples, generator
        )[:, 0]
        bounded = (1 + (draws if sign > 0 else -draws[::-1])) / 2

    return _result(
        np.asarray((1 + sign * wins.mean()) / 2),
        (1 + replicates) / 2,
        source,
        aggregate=IMPROVEMENT,
        n_runs=(n, len(b)),
        n_datasets=both.shape[0],
        resample_datasets=resample_datasets,
        n_resamples=n_resamples,
        _variance=_variance_of_wins((1 + wins) / 2),
        _bounded=bounded,
    )


def _aggregated(
    runs: Any, aggregate: Aggregate, parts: Aggregate, name: str, resample_datasets: Any, n_resamples: Any, rng: Any
) -> RunAggregateResult:
    """Return an aggregate of the runs of each classifier, and the bootstrap replicates of the aggregate.

    `parts` is the contribution of each score to the aggregate, up to a constant and a factor.
    """
    array = _runs(runs, "runs", (2, 3))
    resample_datasets = _checks.boolean(resample_datasets, "resample_datasets")
    n_resamples, source = _checks.resampling(n_resamples, rng, minimum=19)

    n_runs, n_datasets = array.shape[:2]
    # in an order that depends only on the scores of each classifier; rows are datasets
    tables = np.stack([sorted_rows(of_one.T) for of_one in np.moveaxis(array.reshape(n_runs, n_datasets, -1), -1, 0)])
    replicates = np.empty((len(tables), n_resamples))
    generator, size = source.generator(), max(1, VALUES_AT_ONCE // (n_runs * n_datasets))
    for start in range(0, n_resamples, size):
        count = min(size, n_resamples - start)
        places = generator.integers(n_runs, size=(count, n_datasets, n_runs))
        rows = np.arange(n_datasets)
        if resample_datasets:
            rows = generator.integers(n_datasets, size=(count, n_datasets))
        for own, table in zip(replicates, tables, strict=True):
            own[start : start + count] = aggregate(table[rows[..., None], places])

    shape = array.shape[2:]
    of_each = [_degrees_and_skewness(parts(table), resample_datasets) for table in tables]
    df, skewness = (np.reshape(values, shape) for values in zip(*of_each, strict=True))
    return _result(
        np.reshape([aggregate(table) for table in tables], shape),
        replicates.reshape(*shape, n_resamples),
        source,
        aggregate=name,
        n_runs=n_runs,
        n_datasets=n_datasets,
        resample_datasets=resample_datasets,
        n_resamples=n_resamples,
        classifiers=_labels.column_names(runs) if shape else None,
        _df=df,
        _skewness=skewness,
    )


def _degrees_and_skewness(parts: FloatArray, resample_datasets: bool) -> tuple[float, float]:
    """Return the degrees of freedom and the skewness of the mean contribution of the runs over the datasets.

    The degrees of freedom are Satterthwaite's, with a separate variance for each dataset.
    """
    n_datasets, n_runs = parts.shape
    if resample_datasets:
        means = parts.mean(axis=1)
        return max(n_datasets - 1, 1), float(small_sample_limits.skewness_of_mean(means - means.mean()))
    d = parts - parts.mean(axis=1, keepdims=True)
    d = d / (np.abs(d).max() or 1.0)  # so that no cube vanishes
    variance = d.var(axis=1, ddof=1) / n_runs
    total = float(variance.sum())
    if total == 0:
        return n_runs - 1, 0.0
    third = small_sample_limits.skewness_of_mean(d) * variance**1.5
    return (n_runs - 1) * total**2 / float((variance**2).sum()), float(third.sum()) / total**1.5


def _result(estimate: FloatArray, replicates: FloatArray, source: RandomSource, **fields: Any) -> RunAggregateResult:
    of_datasets, n_runs = fields["resample_datasets"], np.mean(fields["n_runs"])
    n = fields["n_datasets"] if of_datasets else n_runs
    factor = np.sqrt(n / (n - 1)) if n > 1 else np.nan
    spread = np.std(replicates, axis=-1, ddof=1) * factor
    is_constant = np.ptp(replicates, axis=-1) == 0
    return RunAggregateResult(
        estimate=estimate,
        standard_error=np.where(is_constant, 0.0, spread),
        reason=reasons(estimate.shape, (np.full(is_constant.shape, n == 1), ONE_DATASET), (is_constant, NO_SPREAD)),
        seed=source.seed,
        _replicates=replicates,
        **fields,
    )


def _runs(runs: Any, name: str, axes: tuple[int, ...]) -> FloatArray:
    array = _checks.numbers(runs, name)
    if array.ndim not in axes:
        ways = " or ".join(["(n_runs, n_datasets)", "(n_runs, n_datasets, n_classifiers)"][: len(axes)])
        raise InvalidValueError(f"{name} must have the shape {ways}, but it has the shape {array.shape}")
    if array.shape[0] < 2 or array.size == 0:
        raise InvalidValueError(
            f"{name} must hold at least 2 runs (rows) on 1 dataset (columns), but its shape is {array.shape}"
        )
    _labels.column_names(runs, name)
    return _checks.moderate(_checks.finite(array, name), name)


def _middle_half(values: FloatArray) -> FloatArray:
    """Return the interquartile mean over the last two axes together."""
    together = np.sort(values.reshape(*values.shape[:-2], -1))
    cut = together.shape[-1] // 4
    return np.asarray(together[..., cut : together.shape[-1] - cut].mean(axis=-1))


def _winsorized(values: FloatArray) -> FloatArray:
    """Return the values, winsorized to the middle half (Tukey & McLaughlin, 1963)."""
    ordered = np.sort(values, axis=None)
    cut = ordered.size // 4
    return np.asarray(np.clip(values, ordered[cut], ordered[ordered.size - 1 - cut]))


def _variance_of_wins(wins: FloatArray) -> float:
    """Return DeLong's variance of the mean number of wins (0, 1/2 or 1) over datasets, from the wins of each run."""
    n_datasets, n, m = wins.shape
    of_x, of_y = wins.mean(axis=2).var(axis=1, ddof=1) / n, wins.mean(axis=1).var(axis=1, ddof=1) / m
    return float((of_x + of_y).sum() / n_datasets**2)


def _in_order(wins: FloatArray) -> tuple[FloatArray, int]:
    """Return the wins of x (1) or y (-1) with the runs and datasets in an order that depends only on the content.

    The runs are sorted by their numbers of wins. The bootstrap draws a count for each run, and the distribution of the
    counts does not depend on the order.
    """
    ways = []
    for sign, table in ((1, wins), (-1, -wins.swapaxes(-1, -2))):
        ordered = np.stack([_sorted_by_wins(of_one) for of_one in table])
        flat = ordered.reshape(len(ordered), -1)
        ordered = ordered[np.lexsort(flat.T[::-1])]
        ways.append((ordered.shape, ordered.ravel().tolist(), sign, ordered))
    _, _, sign, first = min(ways, key=lambda way: way[:3])
    return first, sign


def _sorted_by_wins(wins: FloatArray) -> FloatArray:
    """Sort the runs of x and of y by their scores, and therefore by their wins."""
    return wins[np.argsort(wins.sum(axis=1), kind="stable")][:, np.argsort(-wins.sum(axis=0), kind="stable")]


def _resampled_wins(
    wins: FloatArray, resample_datasets: bool, n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Return the mean of wins minus losses in resamples of the runs of both classifiers within each dataset."""
    n_datasets, n, m = wins.shape
    replicates = np.empty(n_resamples)
    size = max(1, VALUES_AT_ONCE // (n_datasets * (n * m if resample_datasets else n + m)))
    for start in range(0, n_resamples, size):
        count = min(size, n_resamples - start)
        of_x, of_y = (generator.multinomial(k, np.full(k, 1 / k), size=(count, n_datasets)) for k in (n, m))
        rows = np.arange(n_datasets)
        if resample_datasets:
            rows = generator.integers(n_datasets, size=(count, n_datasets))
        drawn = np.matmul(of_x[..., None, :], wins[rows])[..., 0, :]  # (count, n_datasets, n_runs_y)
        replicates[start : start + count] = np.sum(drawn * of_y, axis=(-2, -1)) / (n_datasets * n * m)
    return replicates
