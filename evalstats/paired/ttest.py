"""The t-tests for paired scores on datasets or folds."""

from __future__ import annotations

__all__ = [
    "CorrectedTTestResult",
    "NaiveResampledTTestResult",
    "PairedTTestResult",
    "SplitSizes",
    "corrected_ttest",
    "naive_resampled_ttest",
    "paired_ttest",
    "split_sizes",
]

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats import _checks
from evalstats._declarations import OF_SIZES, SIDES, SIDES_AND_LEVELS, Data, Declaration, Draw
from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import ConfidenceInterval, HypothesisTestResult, interval_of
from evalstats._types import BoolArray, ExponentArray, FloatArray
from evalstats.distributions import tail_probabilities as tails

NO_DIFFERENCE = "x and y are equal in every pair"
CONSTANT_DIFFERENCE = (
    "x and y differ by the same amount in every pair, so the differences have no variance and the t distribution "
    "does not apply; use a rank test, such as wilcoxon_test"
)
CONSTANT_OVER_FOLDS = (
    "x and y differ by the same amount in every fold, so the differences have no variance and the t distribution "
    "does not apply; use a test of the predictions, such as McNemar's test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTTestResult(HypothesisTestResult):
    """Result of `paired_ttest`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean difference divided by its standard error. It is positive if x has the higher mean.
    pvalue : float or ndarray
        The p-value from the t distribution. It is nan if x and y differ by the same amount in every pair.
    df : int
        Degrees of freedom, the number of pairs minus one.
    n_pairs : int
        Number of pairs.
    mean_difference : float or ndarray
        Mean of x - y, in the unit of the scores.
    standard_error : float or ndarray
        Standard error of the mean difference, in the unit of the scores.
    cohen_dz : float or ndarray
        Effect size: the mean difference divided by the standard deviation of the differences.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    df: int
    n_pairs: int
    mean_difference: Any
    standard_error: Any
    cohen_dz: Any
    tie_tolerance: float

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference, in the unit of the scores.

        The interval is one-sided if the alternative is one-sided; its limits are nan if the differences have no
        variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval, which is exact if the differences are independent and normally
            distributed.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats import paired_ttest
        >>> result = paired_ttest([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.0072 0.0552
        """
        return interval_of_the_mean(self, confidence_level)


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrectedTTestResult(HypothesisTestResult):
    """Result of `corrected_ttest`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean difference divided by its corrected standard error. It is positive if x has the higher mean.
    pvalue : float or ndarray
        The p-value from the t distribution. It is nan if x and y differ by the same amount in every fold.
    df : int
        Degrees of freedom, the number of scores minus one.
    n_scores : int
        Number of fold scores of each classifier: number of folds times number of repeats.
    n_train, n_test : int or float
        Size of a training set and of a test set, as passed to the function.
    mean_difference : float or ndarray
        Mean of x - y over the folds, in the unit of the scores.
    standard_error : float or ndarray
        Standard error of the mean difference, corrected for the overlap of the training sets, in the unit of the
        scores.
    correlation : float
        Assumed correlation between the differences in two folds: n_test / (n_train + n_test).
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    df: int
    n_scores: int
    n_train: float
    n_test: float
    mean_difference: Any
    standard_error: Any
    correlation: float
    tie_tolerance: float

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference, in the unit of the scores.

        The interval is one-sided if the alternative is one-sided; its limits are nan if the differences have no
        variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval, if the correction assumes the correct correlation between folds.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats import corrected_ttest
        >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
        >>> low, high = corrected_ttest(x, y, n_train=80, n_test=20).confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.0227 0.0707
        """
        return interval_of_the_mean(self, confidence_level)


class SplitSizes(NamedTuple):
    """Result of `split_sizes`. You can unpack it: ``n_train, n_test = sizes``.

    Attributes
    ----------
    n_train, n_test : int or float
        Numbers of instances in the training set and in the test set, or their means over splits of different sizes.
    """

    n_train: float
    n_test: float


def paired_ttest(
    x: ArrayLike, y: ArrayLike, *, alternative: str = "two-sided", tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> PairedTTestResult:
    """Test whether the mean difference of paired scores is zero.

    The null hypothesis is that the differences x - y are a sample from a normal distribution with mean 0. For scores on
    datasets, this assumption is strong. Scores on different datasets are rarely on the same scale, and a single outlier
    can determine the result. For such scores, use `wilcoxon_test`. The scores of the folds of a cross-validation are
    not independent, because the folds share training data, so the p-value would be too small. Use `corrected_ttest` for
    folds.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 datasets. Leading axes are batch dimensions and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger mean. ``'less'``: x has the smaller mean.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    PairedTTestResult
        t and its p-value. The result also contains the mean difference with its standard error, `confidence_interval`,
        and Cohen's d_z.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, or contain nan or infinity, or if an option is unknown.

    Notes
    -----
    If all differences are 0, t is 0 and p is 1. If all differences have the same nonzero value, t is infinite and p is
    nan. In both cases, `reason` states the cause.

    References
    ----------
    Student (1908). The probable error of a mean. Biometrika 6, 1-25.

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30, section 3.1.2.

    Examples
    --------
    >>> from evalstats import paired_ttest
    >>> result = paired_ttest([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
    >>> print(f"t = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.3f}")
    t = 2.138, df = 4, p = 0.099
    """
    n, mean, sd, tie_tolerance = checked_mean_and_sd(x, y, tie_tolerance)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    dz = in_units_of(sd, mean)
    statistic = np.sqrt(n) * dz

    pvalue, reason = pvalue_and_reason(statistic, sd, n - 1, alternative, CONSTANT_DIFFERENCE)

    return PairedTTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(mean.shape, "t"),
        reason=reason,
        df=n - 1,
        n_pairs=n,
        mean_difference=mean,
        standard_error=sd / np.sqrt(n),
        cohen_dz=dz,
        tie_tolerance=tie_tolerance,
    )


def corrected_ttest(
    x: ArrayLike,
    y: ArrayLike,
    *,
    n_train: float,
    n_test: float,
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> CorrectedTTestResult:
    """Test whether two classifiers differ in cross-validation (corrected resampled t-test).

    The null hypothesis is that the two classifiers, trained on training sets of this size, have the same expected
    score. The training sets of the folds overlap, so the scores vary less between folds than between independent
    training sets. Therefore, `paired_ttest` rejects too often. This test increases the standard error by a factor that
    depends on the sizes of the training and the test sets.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 folds: all folds of a cross-validation or of all repeats, or all
        repeated random splits. Leading axes are batch dimensions and broadcast.
    n_train, n_test : int or float
        Numbers of instances in the training set and in the test set of one fold, or their means. `split_sizes` computes
        these numbers from the splits of a scikit-learn splitter. Only the ratio of the two numbers matters. For k
        folds, ``n_train=k - 1, n_test=1`` is equivalent, even if the number of instances is not divisible by k.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger mean. ``'less'``: x has the smaller mean.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    CorrectedTTestResult
        t and its p-value. The result also contains the mean difference with its corrected standard error, and
        `confidence_interval`.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, or contain nan or infinity. If a size is below 1, or an
        option is unknown.
    TypeError
        If a size is not a number.

    Warns
    -----
    EvalstatsWarning
        If n_test is larger than n_train, because the two arguments may have been swapped.

    See Also
    --------
    split_sizes : the sizes of the splits of a cross-validation.
    pairwise_corrected_ttest : the test of all pairs of several classifiers, with adjusted p-values.
    ttest_10x10 : Bouckaert's calibrated test for the same scores.

    Notes
    -----
    t = mean / sqrt((1/n + n_test/n_train) s^2) with the variance s^2 of the n differences, and n - 1 degrees of
    freedom. The correction is a heuristic, because an unbiased estimate of the variance of the mean does not exist.
    Nadeau & Bengio derived the correction for random splits. Bouckaert & Frank recommend the correction for 10 times
    10-fold cross-validation.

    If all differences are 0, t is 0 and p is 1. If all differences have the same nonzero value, t is infinite and p is
    nan. In both cases, `reason` states the cause.

    References
    ----------
    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Bouckaert, R. R. & Frank, E. (2004). Evaluating the replicability of significance tests for comparing learning
    algorithms. PAKDD, LNAI 3056, 3-12.

    Examples
    --------
    Five folds of 100 instances. The p-value of the uncorrected test is 0.099.

    >>> from evalstats import corrected_ttest
    >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
    >>> result = corrected_ttest(x, y, n_train=80, n_test=20)
    >>> print(f"t = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.3f}")
    t = 1.425, df = 4, p = 0.227
    """
    n, mean, sd, tie_tolerance = checked_mean_and_sd(x, y, tie_tolerance)
    n_train, n_test = sizes(n_train, n_test)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    errors_in_sd = np.sqrt(1 / n + n_test / n_train)
    standard_error = errors_in_sd * sd
    statistic = in_units_of(sd, mean) / errors_in_sd

    pvalue, reason = pvalue_and_reason(statistic, sd, n - 1, alternative, CONSTANT_OVER_FOLDS)

    return CorrectedTTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(mean.shape, "t"),
        reason=reason,
        df=n - 1,
        n_scores=n,
        n_train=n_train,
        n_test=n_test,
        mean_difference=mean,
        standard_error=standard_error,
        correlation=n_test / (n_train + n_test),
        tie_tolerance=tie_tolerance,
    )


def split_sizes(splits: Iterable[tuple[ArrayLike, ArrayLike]]) -> SplitSizes:
    """Count the training and test instances of a cross-validation, for `corrected_ttest`.

    If the splits differ in size, the result contains mean sizes. Their ratio is the total size of the test sets divided
    by the total size of the training sets. For k folds, this ratio is exactly 1 / (k - 1), even if the number of
    instances is not divisible by k.

    Parameters
    ----------
    splits : iterable of (train, test)
        The indexes, or boolean masks, of the instances in each training set and each test set: ``cv.split(X, y)`` of a
        scikit-learn splitter.

    Returns
    -------
    SplitSizes
        The sizes n_train and n_test, which are integers if the means are integers.

    Raises
    ------
    InvalidValueError
        If there is no split, a training or a test set is empty, or the two sets of a split share an instance.
    InvalidTypeError
        If the splits are not pairs of indexes.

    Examples
    --------
    Three folds of 10 instances. With scikit-learn, call ``split_sizes(KFold(3).split(X))``.

    >>> from evalstats import corrected_ttest
    >>> from evalstats.paired import split_sizes
    >>> folds = [[0, 1, 2, 3], [4, 5, 6], [7, 8, 9]]
    >>> n_train, n_test = split_sizes((sorted({*range(10)} - {*test}), test) for test in folds)
    >>> print(f"{n_train:.2f} {n_test:.2f}")
    6.67 3.33
    >>> result = corrected_ttest([0.8, 0.7, 0.9], [0.6, 0.6, 0.8], n_train=n_train, n_test=n_test)
    >>> print(f"t = {result.statistic:.3f}, correlation {result.correlation:.3f}")
    t = 2.530, correlation 0.333
    """
    if not hasattr(splits, "__iter__") or (isinstance(splits, np.ndarray) and not splits.ndim):
        hint = ": pass its cv.split(X, y)" if hasattr(splits, "split") else ""
        raise InvalidTypeError(f"splits must be pairs (train, test) of indexes, not {short(splits)}{hint}")
    sizes_of_each = [_sizes_of_one(split, f"splits[{i}]") for i, split in enumerate(splits)]
    if not sizes_of_each:
        raise InvalidValueError("splits must hold at least one pair (train, test), but there is none")
    n_train, n_test = (_size(sum(of_all) / len(of_all), "size") for of_all in zip(*sizes_of_each, strict=True))
    return SplitSizes(n_train, n_test)


def pvalue_and_reason(
    t: FloatArray, sd: FloatArray, df: float, alternative: str, constant: str
) -> tuple[FloatArray, Any]:
    """Return the p-value of t (or its replacement if the differences have no variance) and the reason."""
    pvalue = np.where(sd > 0, tails.t_pvalue(t, df, alternative), np.where(t == 0, 1.0, np.nan))
    reason = np.where(sd > 0, np.full(t.shape, None), np.where(t == 0, NO_DIFFERENCE, constant))
    return pvalue, reason


def sizes(n_train: float | None, n_test: float | None) -> tuple[float, float]:
    """Validate the sizes of a training and a test set, and warn if they may be swapped."""
    n_train, n_test = _size(n_train, "n_train"), _size(n_test, "n_test")
    if n_test > n_train:
        warnings.warn(
            f"n_test = {n_test} is larger than n_train = {n_train}: the test sets are larger than the training sets, "
            "or the two arguments are swapped",
            EvalstatsWarning,
            stacklevel=3,
        )
    return n_train, n_test


def _size(value: object, name: str) -> float:
    """Return a number of instances, or a mean of such numbers, as an int if it is an integer."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InvalidTypeError(f"{name} must be a number of instances, not {short(value)}")
    if not value >= 1:
        raise InvalidValueError(f"{name} must be at least 1, not {short(value)}")
    if value > sys.float_info.max:
        raise InvalidValueError(f"{name} must be finite, not {short(value)}")
    return int(value) if value == int(value) else float(value)


def _sizes_of_one(split: Any, name: str) -> tuple[int, int]:
    """Return the sizes of the training and the test set of one split."""
    try:
        train, test = split
    except (TypeError, ValueError) as error:
        raise InvalidTypeError(f"{name} must be a pair (train, test) of indexes, not {short(split)}") from error
    train, test = _cases(train, f"the training set of {name}"), _cases(test, f"the test set of {name}")
    shared = np.intersect1d(train, test)
    if shared.size:
        raise InvalidValueError(
            f"the training and the test set of {name} must have no instance in common, but both hold {shared[0]}"
        )
    return train.size, test.size


def _cases(indexes: Any, name: str) -> NDArray[np.integer[Any]]:
    """Return the indexes of the instances of one set."""
    try:
        array = np.asarray(indexes)
    except ValueError as error:
        raise InvalidTypeError(f"{name} must be indexes or a mask of instances, not {short(indexes)}") from error
    cases = np.flatnonzero(array) if array.dtype.kind == "b" else array
    if cases.size == 0:
        raise InvalidValueError(f"{name} must hold at least 1 instance, but it is empty")
    if cases.ndim != 1 or cases.dtype.kind not in "iu":
        raise InvalidTypeError(
            f"{name} must be indexes or a mask of instances, not {array.dtype} of the shape {array.shape}"
        )
    return cases


def checked_mean_and_sd(x: Any, y: Any, tie_tolerance: Any) -> tuple[int, FloatArray, FloatArray, _checks.Tolerance]:
    """Check two samples. Return the number of pairs, the mean and the SD of the differences, and the tolerance."""
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance, minimum=2)
    return x.shape[-1], *mean_and_sd(x, y, tie_tolerance), tie_tolerance


def mean_and_sd(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the standard deviation of the differences; the latter is exactly 0 if all are equal."""
    rounded = differences(x, y, tie_tolerance)
    # in C order, so a batch sums each member in the order of a single problem
    return mean_and_sd_of_differences(np.subtract(x, y, order="C"), rounded)


def mean_and_sd_of_differences(d: FloatArray, rounded: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the SD of d. The SD is exactly 0 if all d, or all rounded d, are equal."""
    is_constant = _all_same(rounded) | _all_same(d)
    constant = np.where(_all_same(rounded), rounded[..., 0], d[..., 0])
    # division by a power of two is exact, and prevents underflow of the squares of scores such as 1e-200
    exponent = np.frexp(np.max(np.abs(d), axis=-1))[1]
    d = np.ldexp(d, -exponent[..., np.newaxis])
    # differences may nearly cancel: extended precision, if the machine has it, keeps the remaining digits
    mean = np.mean(d, axis=-1, dtype=np.longdouble).astype(np.float64)
    sd = np.std(d, axis=-1, ddof=1)
    sd = sd_in_the_unit_of_the_scores(np.where(is_constant, 0.0, sd), exponent)
    return np.where(is_constant, constant, np.ldexp(mean, exponent)), sd


def sd_in_the_unit_of_the_scores(sd: FloatArray, exponent: ExponentArray) -> FloatArray:
    """Return sd times a power of two. Raise an error if the standard deviation is too large for a float."""
    with np.errstate(over="ignore"):
        result: FloatArray = np.ldexp(sd, exponent)
    if np.isinf(result).any():
        raise InvalidValueError("the standard deviation of x - y must be finite, but it is too large for a float")
    return result


def _all_same(values: FloatArray) -> BoolArray:
    same: BoolArray = np.all(values == values[..., :1], axis=-1)
    return same


def in_units_of(sd: FloatArray, mean: FloatArray) -> FloatArray:
    """Return mean / sd; if the SD is 0, return infinity for a nonzero mean, and 0 for a mean of 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mean == 0, 0.0, mean / sd)


def interval_of_the_mean(result: Any, confidence_level: float) -> ConfidenceInterval:
    """Return the interval for the mean difference of any t-test of this module, from df and the standard error."""
    level = _checks.confidence_level(confidence_level)
    quantile = tails.t_quantile(result.df, (1 + level) / 2 if result.alternative == "two-sided" else level)
    return limits_of_the_mean(result, level, quantile)


def limits_of_the_mean(result: Any, level: float, quantile: Any) -> ConfidenceInterval:
    """Return the interval for the mean difference, with the given quantile of the standardized mean."""
    mean, standard_error = np.asarray(result.mean_difference), np.asarray(result.standard_error)
    has_variance = standard_error > 0
    with np.errstate(over="ignore"):  # a limit beyond the largest float is infinite
        margin = quantile * standard_error
        low = np.full(mean.shape, -np.inf) if result.alternative == "less" else mean - margin
        high = np.full(mean.shape, np.inf) if result.alternative == "greater" else mean + margin
    return interval_of(low, high, level, known=has_variance)


@dataclass(frozen=True, kw_only=True, eq=False)
class NaiveResampledTTestResult(HypothesisTestResult):
    """Result of `naive_resampled_ttest`. You can unpack it: ``statistic, pvalue = result``.

    The result has no interval, because the interval would be too narrow, by the same factor by which the standard error
    is too small.

    Attributes
    ----------
    statistic : float or ndarray
        Mean difference divided by a standard error that is too small. It is positive if x has the higher mean.
    pvalue : float or ndarray
        The p-value, which is too small. It is nan if x and y differ by the same amount in every fold.
    df : int
        Degrees of freedom, the number of scores minus one.
    n_scores : int
        Number of fold scores of each classifier.
    mean_difference : float or ndarray
        Mean of x - y over the folds, in the unit of the scores.
    standard_error : float or ndarray
        Standard error of the mean difference that would be correct if the folds were independent.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    df: int
    n_scores: int
    mean_difference: Any
    standard_error: Any
    tie_tolerance: float


def naive_resampled_ttest(
    x: ArrayLike, y: ArrayLike, *, alternative: str = "two-sided", tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> NaiveResampledTTestResult:
    """Test as if the scores of resampled folds were independent; for comparison only.

    The scores are not independent, because their training sets overlap, and the p-value is too small. Do not report the
    p-value. Use the test to recompute published numbers, and to compare them with the results of `corrected_ttest`. The
    function supports random splits, the folds of a cross-validation, and the folds of repeated cross-validations. For
    these designs, the naive test has the same formula but different error rates.

    If the null hypothesis is true and the correction assumes the correct correlation between folds, the probability of
    a rejection at the 0.05 level is

    ===================================  =====
    30 random splits, 2/3 to train on      .61
    10-fold cross-validation               .15
    10 times 10-fold cross-validation      .57
    ===================================  =====

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 2 folds. Leading axes are batch dimensions and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger mean. ``'less'``: x has the smaller mean.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    NaiveResampledTTestResult
        t and the p-value, which is too small.

    Raises
    ------
    ValueError
        If x and y are not paired, have fewer than two pairs, or contain nan or infinity, or if an option is unknown.

    See Also
    --------
    corrected_ttest : the same test with the corrected standard error.
    paired_ttest : the same formula for scores on different datasets.

    Notes
    -----
    Suppose that any two of the n differences have the correlation rho. The variance of the mean is then 1 + n rho / (1
    - rho) times the variance in the formula. The correction of Nadeau & Bengio assumes rho = n_test / (n_train +
    n_test). Dietterich advises against the test for random splits, and finds a somewhat elevated type-I error rate for
    10-fold cross-validation.

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification learning algorithms.
    Neural Computation 10, 1895-1923.

    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Examples
    --------
    Five folds of 100 instances. The p-value of the corrected test is 0.227.

    >>> from evalstats.paired import naive_resampled_ttest
    >>> result = naive_resampled_ttest([0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83])
    >>> print(f"t = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.3f}")
    t = 2.138, df = 4, p = 0.099
    """
    n, mean, sd, tie_tolerance = checked_mean_and_sd(x, y, tie_tolerance)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    standard_error = sd / np.sqrt(n)
    statistic = np.sqrt(n) * in_units_of(sd, mean)

    pvalue, reason = pvalue_and_reason(statistic, sd, n - 1, alternative, CONSTANT_OVER_FOLDS)

    return NaiveResampledTTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(mean.shape, "t"),
        reason=reason,
        df=n - 1,
        n_scores=n,
        mean_difference=mean,
        standard_error=standard_error,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=paired_ttest,
        data=Data.PAIRS,
        excused=OF_SIZES,
        inputs={"x, y": Draw("pairs", {"smallest": 2})} | SIDES_AND_LEVELS,
        simulations={"": {}},
        sentence="Paired t-test: mean difference {mean_difference:short}, {t}, {outcome}",
    ),
    Declaration(
        function=corrected_ttest,
        data=Data.PAIRS,
        example={"n_train": 9, "n_test": 1},
        excused=OF_SIZES,
        inputs={"x, y": Draw("pairs", {"smallest": 2}), "n_train": (1, 9, 90, 10_000), "n_test": (1, 10, 5000)}
        | SIDES_AND_LEVELS,
        sentence="Corrected resampled t-test: mean difference {mean_difference:short}, {t}, {outcome}",
    ),
    Declaration(
        function=naive_resampled_ttest,
        data=Data.PAIRS,
        excused=OF_SIZES,
        inputs={"x, y": Draw("pairs", {"smallest": 2})} | SIDES,
        simulations={"independent scores": {}},
        sentence=(
            "Naive resampled t-test, for comparison only since its p-value is too small: mean difference "
            "{mean_difference:short}, {t}, {outcome}"
        ),
    ),
)
