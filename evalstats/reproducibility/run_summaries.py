"""Summaries of the scores of one classifier over repeated runs."""

from __future__ import annotations

__all__ = [
    "EstimationBiasResult",
    "LongRunMeanResult",
    "RunDistribution",
    "RunHistogram",
    "RunningMeans",
    "estimation_bias",
    "long_run_mean",
    "run_distribution",
    "run_histogram",
    "running_means",
]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, compared, rounded
from evalstats._result import ConfidenceInterval, EstimateResult, Record, reasons
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.small_sample_limits import skewed_mean_limits, skewness_of_mean, unseen_words

SKEWNESS_METHODS = ("jackknife", "normal")
MOST_BINS = 100_000  # more bins cannot be seen or drawn
MOST_FOR_SHAPIRO = 5000  # Royston's (1995) approximation was fitted up to this sample size

ALL_EQUAL = "all runs give the same score, so the variation between runs is unknown"
NO_SKEWNESS = "all runs give the same score: skewness and normality are not defined"
TOO_MANY = (
    f"normality is not tested: the approximation of the Shapiro-Wilk p-value is valid up to {MOST_FOR_SHAPIRO} runs"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LongRunMeanResult(EstimateResult):
    """Result of `long_run_mean`.

    Attributes
    ----------
    estimate : float or ndarray
        Estimate of the long-run mean: the mean over all runs.
    standard_error : float or ndarray
        Monte Carlo standard error of the estimate, relative to the mean over infinitely many runs on the same data.
    reason : str, None or ndarray of object
        A sentence if all runs are equal, otherwise None.
    canonical : float or ndarray
        The canonical estimate: the mean of the first `n_canonical` runs.
    difference : float or ndarray
        `canonical` minus `estimate`.
    proportion_below_canonical : float or ndarray
        Proportion of the runs with a score below the canonical estimate, with ties counted half. It is about 1/2 for
        a typical canonical estimate.
    standard_deviation : float or ndarray
        Standard deviation of the runs, with divisor n - 1.
    n_runs, n_canonical : int
        Number of runs, and number of runs in the canonical estimate.
    tie_tolerance : float
        Relative precision at which two scores are treated as equal.
    """

    canonical: Any
    difference: Any
    proportion_below_canonical: Any
    standard_deviation: Any
    n_runs: int
    n_canonical: int
    tie_tolerance: float
    _skewness: FloatArray  # of the mean

    @property
    def caution(self) -> str | None:
        """Limitation of the interval from fewer than 29 runs: rare failures may not be observed.

        The value is None for 29 or more runs, or if there is no interval. The runs do not show whether rare failures
        occur.
        """
        return unseen_words(self.n_runs) if np.any(self.standard_error) else None

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str = "hall") -> ConfidenceInterval:
        """Compute a confidence interval for the mean over infinitely many runs on the same data.

        The interval shows whether the runs are sufficient for the reported digits. An interval for the performance on
        other data is much wider, and more runs do not make it narrower.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage for the mean, if runs are independent. At the nominal level of 95%, the coverage is 96%
            with 5 normal runs and 93% with 5 exponential runs. For very skewed (log-normal) runs, the coverage is 88%
            with 5 runs and 91% with 10 runs. If one run of ten fails by a large amount, the coverage is 87% with 5 runs
            and 81% with 10 runs. See `caution`.
        method : {'hall', 't'}, default: 'hall'
            ``'hall'``: limits of Student's t interval, adjusted for the skewness of the runs by Hall's transformation.
            For normal runs, this interval is on average twice as wide as ``'t'`` with 3 runs, and 1.1 times as wide
            with 10 runs. ``'t'``: limits of Student's t interval, for normal runs. For 3 to 10 log-normal runs, 95%
            intervals have a coverage of 81% to 84%.

        Returns
        -------
        ConfidenceInterval
            Limits in the unit of the scores. They are nan if all runs are equal.

        Examples
        --------
        >>> from evalstats.reproducibility import long_run_mean
        >>> low, high = long_run_mean([0.81, 0.84, 0.79, 0.90, 0.85]).confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        0.786 0.904
        """
        level = _checks.confidence_level(confidence_level)
        is_student = _checks.choice(method, "method", ("hall", "t")) == "t"
        error = np.where(np.asarray(self.standard_error) > 0, self.standard_error, np.nan)
        skewness = 0.0 if is_student else self._skewness
        low, high = skewed_mean_limits(self.estimate, error, skewness, self.n_runs - 1, level)
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=level)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunDistribution(Record):
    """Result of `run_distribution`.

    Attributes
    ----------
    mean, median, mean_minus_median, standard_deviation : float or ndarray
        Mean, median and standard deviation of the runs. A mean below the median indicates a left skew.
    skewness : float or ndarray
        G1, the third standardized moment with the correction for small samples. It is negative for a left skew, and nan
        if all runs are equal.
    skewness_standard_error : float or ndarray
        Jackknife standard error of `skewness`. It is nan for 3 runs or if all runs are equal.
    normality_statistic, normality_pvalue : float or ndarray
        Shapiro-Wilk W and its p-value. The null hypothesis is that the scores of the runs are normally distributed.
        Both numbers are nan if all runs are equal or there are more than 5000 runs.
    proportion_above_mean : float or ndarray
        Proportion of the runs above the mean, with ties counted half: an estimate of the probability that a run
        overstates the mean.
    maximum : float or ndarray
        Largest score.
    proportion_at_maximum : float or ndarray
        Proportion of the runs with the largest score.
    ceiling_proportion : float or ndarray
        Proportion of the runs at `ceiling`, or nan without a ceiling.
    ceiling : float or None
        The largest possible score, as passed to the function.
    n_runs : int
        Number of runs.
    tie_tolerance : float
        Relative precision at which two scores are treated as equal.
    reason : str, None or ndarray of object
        A sentence if a value is undefined, otherwise None.
    """

    mean: Any
    median: Any
    mean_minus_median: Any
    standard_deviation: Any
    skewness: Any
    skewness_standard_error: Any
    normality_statistic: Any
    normality_pvalue: Any
    proportion_above_mean: Any
    maximum: Any
    proportion_at_maximum: Any
    ceiling_proportion: Any
    ceiling: float | None
    n_runs: int
    tie_tolerance: float
    reason: Any

    def skewness_interval(self, confidence_level: float = 0.95, *, method: str = "jackknife") -> ConfidenceInterval:
        """Compute a normal confidence interval for the skewness, centered at G1.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage for the skewness. The coverage is lower for few runs and long tails. With 20 runs, 95%
            intervals have a coverage of 95.5% for normal runs, 90.7% for beta(8, 2) runs and 68.7% for exponential
            runs.
        method : {'jackknife', 'normal'}, default: 'jackknife'
            ``'jackknife'``: the interval with the jackknife standard error. ``'normal'``: the interval with the
            standard error of G1 for normal runs. Use ``'normal'`` to check whether a skewness is compatible with a
            normal distribution, not to estimate the skewness. For 100 exponential runs, these 95% intervals have a
            coverage of 56.4%.

        Returns
        -------
        ConfidenceInterval
            The limits are nan if the skewness or its standard error is nan.

        Examples
        --------
        >>> from evalstats.reproducibility import run_distribution
        >>> result = run_distribution([0.90, 0.97, 0.98, 0.95, 0.99, 0.98, 0.99, 0.93, 0.98, 0.97])
        >>> low, high = result.skewness_interval()
        >>> print(f"{result.skewness:.2f}, {low:.2f} to {high:.2f}")
        -1.44, -2.85 to -0.03
        """
        from scipy.special import ndtri

        level = _checks.confidence_level(confidence_level)
        method = _checks.choice(method, "method", SKEWNESS_METHODS)
        n = self.n_runs
        of_normal = np.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))  # Fisher (1930)
        half = ndtri((1 + level) / 2) * (self.skewness_standard_error if method == "jackknife" else of_normal)
        low, high = (self.skewness + sign * half for sign in (-1, 1))
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=level)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunningMeans(Record):
    """Result of `running_means`: the curves of Figure 1 of Raeder, Hoens & Chawla (2010).

    Attributes
    ----------
    means : ndarray of shape (n_runs, n_classifiers)
        Mean score of each classifier after 1, 2, ... runs.
    n_crossings : ndarray of int, of shape (n_classifiers, n_classifiers)
        Number of crossings of the two curves of a pair, which is the number of changes of the leading classifier.
    last_crossing : ndarray of int, of shape (n_classifiers, n_classifiers)
        Number of runs after which the order of a pair is final. It is 0 if the order never changed.
    last_change : int
        Largest value of `last_crossing`: after this number of runs, the order of all classifiers is final.
    n_runs, n_classifiers : int
        Numbers of runs and classifiers.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    tie_tolerance : float
        Relative precision at which two means are treated as equal.
    reason : str or None
        A sentence if the order of a pair changed in the last runs, or None.
    """

    means: FloatArray
    n_crossings: IntArray
    last_crossing: IntArray
    last_change: int
    n_runs: int
    n_classifiers: int
    classifiers: tuple[Any, ...] | None
    tie_tolerance: float
    reason: str | None

    def _axes(self) -> tuple[str, ...]:
        return "run", "classifier"


@dataclass(frozen=True, kw_only=True, eq=False)
class RunHistogram(Record):
    """Result of `run_histogram`: the bars of Figure 2 of Raeder, Hoens & Chawla (2010).

    Attributes
    ----------
    edges : ndarray of shape (n_bins + 1,)
        Limits of the bins, which are the same for all classifiers. A bin includes its lower limit, and the last bin
        includes both limits.
    counts : ndarray of int, of shape (n_bins, n_classifiers)
        Number of runs in each bin.
    proportions : ndarray of shape (n_bins, n_classifiers)
        Proportion of the runs in each bin: an estimate of the probability of a score in the bin.
    n_runs, n_classifiers : int
        Numbers of runs and classifiers.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    """

    edges: FloatArray
    counts: IntArray
    proportions: FloatArray
    n_runs: int
    n_classifiers: int
    classifiers: tuple[Any, ...] | None

    def _axes(self) -> tuple[str, ...]:
        return "bin", "classifier"


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimationBiasResult(Record):
    """Result of `estimation_bias`.

    Attributes
    ----------
    bias : float or ndarray
        Mean of `errors`. It is positive if the estimates are too high on average.
    mean_absolute_error, mean_squared_error, root_mean_squared_error : float or ndarray
        Mean of the absolute and of the squared errors, and the square root of the latter.
    n_optimistic, n_pessimistic : int or ndarray of int
        Numbers of estimates above and below the truth.
    errors : ndarray of shape (..., n_datasets)
        Estimates minus truth.
    n_datasets : int
        Number of datasets.
    """

    bias: Any
    mean_absolute_error: Any
    mean_squared_error: Any
    root_mean_squared_error: Any
    n_optimistic: Any
    n_pessimistic: Any
    errors: FloatArray
    n_datasets: int


def long_run_mean(
    scores: ArrayLike, *, n_canonical: int = 1, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> LongRunMeanResult:
    """Estimate the mean score over infinitely many runs and the standard error of the estimate.

    Parameters
    ----------
    scores : array_like of shape (..., n_runs)
        Score of one classifier on one dataset in each of at least 2 runs of a cross-validation. Leading axes are batch
        dimensions.
    n_canonical : int, default: 1
        Number of runs in the canonical estimate, starting with the first run. It is 1 for 1 x 10-fold, 2 for 2 x
        5-fold, and 5 for 5 x 2-fold cross-validation.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    LongRunMeanResult
        The mean over all runs with its Monte Carlo standard error, and the canonical estimate.

    Raises
    ------
    ValueError
        If there are fewer than 2 runs or fewer than `n_canonical`, or a score is nan or infinite.

    Notes
    -----
    Runs that differ only in their random seed are independent given the data. Therefore, the standard error is the
    standard error of the mean of independent values. An unbiased estimate of the variance over datasets does not exist
    (Bengio & Grandvalet, 2004).

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section II.

    Bengio, Y. & Grandvalet, Y. (2004). No unbiased estimator of the variance of k-fold cross-validation. Journal of
    Machine Learning Research 5, 1089-1105.

    Examples
    --------
    >>> from evalstats.reproducibility import long_run_mean
    >>> result = long_run_mean([0.81, 0.84, 0.79, 0.90, 0.85])
    >>> round(result.estimate, 3), round(result.standard_error, 3), result.canonical, round(result.difference, 3)
    (0.838, 0.019, 0.81, -0.028)
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    x = _runs(scores)
    n_canonical = _checks.count(n_canonical, "n_canonical")
    n = x.shape[-1]
    if n_canonical > n:
        raise InvalidValueError(f"n_canonical must be at most the number of runs, {n}, not {n_canonical}")

    mean, sd, is_constant = _mean_and_sd(x, tie_tolerance)
    canonical, _, _ = _mean_and_sd(x[..., :n_canonical], tie_tolerance)
    return LongRunMeanResult(
        estimate=mean,
        standard_error=sd / np.sqrt(n),
        reason=reasons(is_constant.shape, (is_constant, ALL_EQUAL)),
        canonical=canonical,
        difference=canonical - mean,
        proportion_below_canonical=1 - _share_above(x, canonical, tie_tolerance),
        standard_deviation=sd,
        n_runs=n,
        n_canonical=n_canonical,
        tie_tolerance=tie_tolerance,
        _skewness=np.where(is_constant, 0.0, skewness_of_mean(x - mean[..., None])),
    )


def run_distribution(
    scores: ArrayLike, *, ceiling: float | None = None, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> RunDistribution:
    """Compute the skewness, a test of normality and ceiling effects for scores over runs.

    Parameters
    ----------
    scores : array_like of shape (..., n_runs)
        Score of one classifier on one dataset in each of at least 3 runs. Leading axes are batch dimensions.
    ceiling : float, optional
        The largest possible score, such as 1 for accuracy and for the area under the ROC curve.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    RunDistribution
        The result also has the method `skewness_interval`.

    Raises
    ------
    ValueError
        If there are fewer than 3 runs, a score is nan or infinite, or a score is above `ceiling`.

    Notes
    -----
    If the distribution is skewed to the left, most individual runs are above the mean over many runs. The long-run mean
    is then lower than the values that are usually reported, and the median summarizes the runs better. The authors
    conjecture that a left skew indicates a classifier that suits the problem.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section IV-B and Figure 2.

    Joanes, D. N. & Gill, C. A. (1998). Comparing measures of sample skewness and kurtosis. The Statistician 47,
    183-189.

    Royston, P. (1995). Remark AS R94: A remark on algorithm AS 181. Applied Statistics 44, 547-551.

    Examples
    --------
    >>> from evalstats.reproducibility import run_distribution
    >>> result = run_distribution([0.90, 0.97, 0.98, 0.95, 0.99, 0.98, 0.99, 0.93, 0.98, 0.97], ceiling=1)
    >>> round(result.skewness, 2), round(result.mean_minus_median, 3), round(result.normality_pvalue, 3)
    (-1.44, -0.011, 0.03)
    >>> result.proportion_above_mean, result.proportion_at_maximum, result.ceiling_proportion
    (0.7, 0.2, 0.0)
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    x = _runs(scores, minimum=3)
    values = rounded(x, tie_tolerance)
    limit = _ceiling(ceiling, x, tie_tolerance)
    n = x.shape[-1]

    mean, sd, is_constant = _mean_and_sd(x, tie_tolerance)
    median = np.median(x, axis=-1)
    maximum = x.max(axis=-1)
    skewness, error = _skewness(np.where(is_constant[..., None], 0, x - mean[..., None]))
    statistic, pvalue = _shapiro(x, is_constant)
    return RunDistribution(
        mean=mean,
        median=median,
        mean_minus_median=np.where(is_constant, 0, mean - median),
        standard_deviation=sd,
        skewness=skewness,
        skewness_standard_error=error,
        normality_statistic=statistic,
        normality_pvalue=pvalue,
        proportion_above_mean=_share_above(x, mean, tie_tolerance),
        maximum=maximum,
        proportion_at_maximum=np.mean(values == values.max(axis=-1, keepdims=True), axis=-1),
        ceiling_proportion=(
            np.full(mean.shape, np.nan) if ceiling is None else np.mean(compared(x, limit, tie_tolerance) == 0, axis=-1)
        ),
        ceiling=None if ceiling is None else float(ceiling),
        n_runs=n,
        tie_tolerance=tie_tolerance,
        reason=reasons(is_constant.shape, (is_constant, NO_SKEWNESS), (n > MOST_FOR_SHAPIRO, TOO_MANY)),
    )


def running_means(runs: ArrayLike, *, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> RunningMeans:
    """Compute the running means of classifiers and the runs at which their order changes.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_classifiers)
        Score of every classifier (columns) in every run (rows), in the order of the runs.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    RunningMeans
        The curves and their crossings.

    Raises
    ------
    ValueError
        If there are no runs or classifiers, or a score is nan or infinite.

    Notes
    -----
    A tie of two means is not a crossing. If the other classifier leads after the tie, the crossing is the first run in
    which it leads. Whether a crossing is the last one is known only after all runs, so the last crossing is not a
    stopping rule.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section IV-A and Figure 1.

    Examples
    --------
    >>> from evalstats.reproducibility import running_means
    >>> result = running_means([[0.80, 0.82], [0.85, 0.80], [0.79, 0.84], [0.88, 0.81], [0.84, 0.83]])
    >>> result.means.round(3).tolist()
    [[0.8, 0.82], [0.825, 0.81], [0.813, 0.82], [0.83, 0.818], [0.832, 0.82]]
    >>> int(result.n_crossings[0, 1]), int(result.last_crossing[0, 1])
    (3, 4)
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, runs)
    scores = _table_of_runs(runs)
    n, k = scores.shape

    means = np.cumsum(scores, axis=0) / np.arange(1, n + 1)[:, None]
    values = rounded(means, tie_tolerance)
    n_crossings, last_crossing = np.zeros((k, k), dtype=np.int64), np.zeros((k, k), dtype=np.int64)
    for i in range(k):
        ahead = np.sign(values[:, i : i + 1] - values[:, i + 1 :])
        n_crossings[i, i + 1 :], last_crossing[i, i + 1 :] = _crossings(ahead)
    last_crossing += last_crossing.T
    last_change = int(last_crossing.max())
    settled_late = last_change > n / 2
    return RunningMeans(
        means=means,
        n_crossings=n_crossings + n_crossings.T,
        last_crossing=last_crossing,
        last_change=last_change,
        n_runs=n,
        n_classifiers=k,
        classifiers=_labels.column_names(runs, "runs"),
        tie_tolerance=tie_tolerance,
        reason=f"the order of a pair changed at run {last_change} of {n}, and further runs may change the order again"
        if settled_late
        else None,
    )


def run_histogram(runs: ArrayLike, *, bins: int | str | ArrayLike = "fd") -> RunHistogram:
    """Compute the histogram of scores over runs, in common bins for all classifiers.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_classifiers)
        Score of every classifier (columns) in every run (rows).
    bins : int, str or array_like, default: 'fd'
        Number of bins (at most 100,000), the limits of the bins, or a rule of `numpy.histogram_bin_edges`, which is
        applied to all scores together. The rule ``'fd'`` of Freedman and Diaconis gives bins of a width of at most 2
        IQR / n^(1/3). IQR is the interquartile range of all n scores. If the IQR is 0, there is one bin.

    Returns
    -------
    RunHistogram
        Limits, counts and proportions.

    Raises
    ------
    ValueError
        If there are no runs or classifiers, a score is nan or infinite, or the limits exclude a score. If the rule
        gives more than 100,000 bins, as ``'fd'`` does for nearly equal scores with one outlier.

    References
    ----------
    Freedman, D. & Diaconis, P. (1981). On the histogram as a density estimator: L2 theory. Zeitschrift fuer
    Wahrscheinlichkeitstheorie und verwandte Gebiete 57, 453-476.

    Examples
    --------
    >>> from evalstats.reproducibility import run_histogram
    >>> result = run_histogram([[0.80, 0.83], [0.86, 0.80], [0.79, 0.84], [0.88, 0.81]], bins=3)
    >>> result.edges.round(2).tolist(), result.counts.T.tolist()
    ([0.79, 0.82, 0.85, 0.88], [[2, 0, 2], [2, 2, 0]])
    """
    scores = _table_of_runs(runs)
    edges = _edges(scores, bins)
    n, k = scores.shape

    counts = np.stack([np.histogram(scores[:, i], edges)[0] for i in range(k)], axis=-1).astype(np.int64)
    if counts.sum() != scores.size:
        raise InvalidValueError(
            f"bins must cover every score from {scores.min()} to {scores.max()}, but they go from {edges[0]} to "
            f"{edges[-1]}"
        )
    return RunHistogram(
        edges=edges,
        counts=counts,
        proportions=counts / n,
        n_runs=n,
        n_classifiers=k,
        classifiers=_labels.column_names(runs, "runs"),
    )


def estimation_bias(estimates: ArrayLike, truth: ArrayLike) -> EstimationBiasResult:
    """Compute the bias and the errors of estimated scores relative to scores on separate test sets.

    Parameters
    ----------
    estimates, truth : array_like of shape (..., n_datasets)
        The estimated scores, and the scores on a test set that was not used for the estimates. Leading axes are batch
        dimensions and broadcast, for example for several estimation methods and one truth.

    Returns
    -------
    EstimationBiasResult
        Bias, mean absolute error, mean squared error and root mean squared error.

    Raises
    ------
    ValueError
        If there are different numbers of datasets, or a score is nan or infinite.

    Notes
    -----
    Tables IV and V of the paper print the mean absolute error in a row that is called MSE. The mean squared errors
    are about ten times smaller than these values.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section VI, Tables IV and V.

    Examples
    --------
    Ten-fold estimates of naive Bayes, Table V.

    >>> from evalstats.reproducibility import estimation_bias
    >>> estimates = [0.788, 0.909, 0.712, 0.860, 0.848, 0.904, 0.863]
    >>> truth = [0.750, 0.914, 0.862, 0.963, 0.931, 0.908, 0.991]
    >>> result = estimation_bias(estimates, truth)
    >>> print(f"{result.bias:.3f} {result.mean_absolute_error:.3f} {result.mean_squared_error:.4f}")
    -0.062 0.073 0.0083
    """
    tie_tolerance = _checks.tolerance(DEFAULT_TIE_TOLERANCE, estimates, truth)
    _labels.same_labels(estimates=estimates, truth=truth)
    e, t = (
        _checks.moderate(_checks.finite(_checks.numbers(value, name), name), name)
        for value, name in ((estimates, "estimates"), (truth, "truth"))
    )
    if not e.ndim or not t.ndim or e.shape[-1] != t.shape[-1] or e.size * t.size == 0:
        raise InvalidValueError(
            f"estimates and truth must hold the same datasets along their last axis, but their shapes are {e.shape} "
            f"and {t.shape}"
        )
    try:
        errors = e - t
    except ValueError as error:
        raise InvalidValueError(
            f"the leading axes of estimates and truth must broadcast, but their shapes are {e.shape} and {t.shape}"
        ) from error

    squared = np.mean(errors**2, axis=-1)
    ahead = compared(e, t, tie_tolerance)
    return EstimationBiasResult(
        bias=errors.mean(axis=-1),
        mean_absolute_error=np.abs(errors).mean(axis=-1),
        mean_squared_error=squared,
        root_mean_squared_error=np.sqrt(squared),
        n_optimistic=(ahead > 0).sum(axis=-1),
        n_pessimistic=(ahead < 0).sum(axis=-1),
        errors=errors,
        n_datasets=e.shape[-1],
    )


def _runs(scores: ArrayLike, minimum: int = 2) -> FloatArray:
    x = _checks.numbers(scores, "scores")
    if x.ndim == 0 or x.shape[-1] < minimum or x.size == 0:
        raise InvalidValueError(f"scores must hold at least {minimum} runs, but their shape is {x.shape}")
    return _checks.moderate(_checks.finite(x, "scores"), "scores")


def _table_of_runs(runs: ArrayLike) -> FloatArray:
    scores = _checks.numbers(runs, "runs")
    if scores.ndim != 2 or scores.size == 0:
        raise InvalidValueError(f"runs must have the shape (n_runs, n_classifiers), but their shape is {scores.shape}")
    return _checks.moderate(_checks.finite(scores, "runs"), "runs")


def _mean_and_sd(x: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the mean, the standard deviation (exactly 0 if all values are equal), and whether all values are equal."""
    values = rounded(x, tie_tolerance)
    is_constant = np.asarray((values == values[..., :1]).all(axis=-1))
    mean = np.where(is_constant, x[..., 0], x.mean(axis=-1))
    sum_of_squares = ((x - mean[..., None]) ** 2).sum(axis=-1)
    return mean, np.where(is_constant, 0.0, np.sqrt(sum_of_squares / max(x.shape[-1] - 1, 1))), is_constant


def _share_above(x: FloatArray, level: FloatArray, tie_tolerance: float) -> FloatArray:
    """Return the proportion of the values above a level; ties count half."""
    ahead = compared(x, np.asarray(level)[..., None], tie_tolerance)
    return np.asarray(((ahead > 0).mean(axis=-1) + (ahead >= 0).mean(axis=-1)) / 2)


def _ceiling(ceiling: Any, scores: FloatArray, tie_tolerance: float) -> FloatArray:
    if ceiling is None:
        return np.array(np.nan)
    limit = _checks.finite(_checks.numbers(ceiling, "ceiling"), "ceiling")
    if limit.ndim:
        raise InvalidTypeError(f"ceiling must be one number, not {short(ceiling)}")
    if compared(scores.max(), limit, tie_tolerance) > 0:
        raise InvalidValueError(f"scores must not be above the ceiling of {ceiling}, but one is {scores.max()}")
    return limit


def _skewness(deviations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return G1 from deviations from the mean, and its jackknife standard error, or nan if all deviations are zero."""
    n = deviations.shape[-1]
    scale = np.abs(deviations).max(axis=-1, keepdims=True)
    d = deviations / np.where(scale > 0, scale, 1)
    powers = (d, d * d, d * d * d)
    sums = [power.sum(axis=-1, keepdims=True) for power in powers]
    with np.errstate(invalid="ignore", divide="ignore"):
        skewness = _g1(sums, n)[..., 0]
        if n == 3:
            return skewness, np.full(skewness.shape, np.nan)
        without = _g1([total - power for total, power in zip(sums, powers, strict=True)], n - 1)
    spread = ((without - without.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return skewness, np.sqrt((n - 1) / n * spread)


def _g1(sums_of_powers: list[FloatArray], n: int) -> FloatArray:
    """Return G1 of n values from the sums of their first three powers: Joanes & Gill (1998)."""
    sums, squares, cubes = sums_of_powers
    mean = sums / n
    second = squares / n - mean * mean
    third = cubes / n - 3 * mean * squares / n + 2 * mean * mean * mean
    return np.asarray(np.sqrt(n * (n - 1)) / (n - 2) * third / (second * np.sqrt(second)))


def _shapiro(x: FloatArray, is_constant: BoolArray) -> tuple[FloatArray, FloatArray]:
    from scipy.stats import shapiro

    answers = np.full((2, *is_constant.shape), np.nan)
    if x.shape[-1] <= MOST_FOR_SHAPIRO:
        for at in np.argwhere(~is_constant):
            where = tuple(at)
            # W has no unit and a power of two changes no digit; without scaling, SciPy treats tiny differences as 0
            answers[(slice(None), *where)] = shapiro(np.ldexp(x[where], -np.frexp(np.abs(x[where]).max())[1]))
    return answers[0], tails.as_pvalue(answers[1])


def _crossings(ahead: FloatArray) -> tuple[IntArray, IntArray]:
    """Count the changes of sign in each column, ignoring zeros, and return the row of the last change."""
    n, n_pairs = ahead.shape
    # each zero gets the preceding sign
    latest = np.maximum.accumulate(np.where(ahead != 0, np.arange(n)[:, None], -1), axis=0)
    signs = np.where(latest >= 0, ahead[np.maximum(latest, 0), np.arange(n_pairs)], 0)
    changes = signs[1:] * signs[:-1] < 0
    last = np.where(changes.any(axis=0), n - np.argmax(changes[::-1], axis=0), 0) if n > 1 else np.zeros(n_pairs)
    return changes.sum(axis=0), last.astype(np.int64)


def _edges(scores: FloatArray, bins: Any) -> FloatArray:
    if isinstance(bins, str):
        bins = _bins_of_rule(scores, bins)
    elif isinstance(bins, int | np.integer) and not isinstance(bins, bool):
        bins = _checks.count(bins, "bins")
    else:
        bins = _checks.moderate(_checks.finite(_checks.numbers(bins, "bins"), "bins"), "bins")
        if bins.ndim != 1 or len(bins) < 2 or (np.diff(bins) <= 0).any():
            raise InvalidValueError("the limits of bins must be two or more increasing numbers")
        return np.asarray(bins, dtype=np.float64)
    if bins > MOST_BINS:
        raise InvalidValueError(f"bins must be at most {MOST_BINS:,}, not {bins:,}")
    refusal = InvalidValueError(f"{bins} bins do not fit between {scores.min()} and {scores.max()}")
    try:
        edges = np.asarray(np.histogram_bin_edges(scores, bins), dtype=np.float64)
    except ValueError as error:
        raise refusal from error
    if (np.diff(edges) <= 0).any():  # numpy 1 may return equal edges
        raise refusal
    return edges


def _bins_of_rule(scores: FloatArray, rule: str) -> int:
    """Return the number of bins by a rule of numpy, with scores that differ only by rounding error treated as equal."""
    scores = rounded(scores)
    low, high = np.quantile(scores, [0.25, 0.75])
    # numpy would allocate the memory for all bins before it counts
    if rule == "fd" and (n_bins := _ratio(np.ptp(scores), 2 * (high - low) / np.cbrt(scores.size))) > MOST_BINS:
        raise InvalidValueError(
            f"bins='fd' gives {n_bins:,.0f} bins, because half of the scores lie within {high - low:.2g}; "
            f"pass a number of bins, {MOST_BINS:,} at most"
        )
    try:
        return len(np.histogram_bin_edges(scores, rule)) - 1
    except ValueError as error:
        raise InvalidValueError(f"bins must be a number, limits or a rule that numpy supports, not {rule!r}") from error


def _ratio(a: float, b: float) -> float:
    return float(a / b) if b > 0 else 0.0
