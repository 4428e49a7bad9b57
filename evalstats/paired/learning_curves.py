"""Differences between two classifiers at several training-set sizes: learning curves with a simultaneous band."""

from __future__ import annotations

__all__ = ["LearningCurveTestResult", "learning_curve_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import OF_SIZES, SIDES_AND_LEVELS, Data, Declaration, Draw
from evalstats._errors import InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import ConfidenceInterval, HypothesisTestResult, interval_of
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.adjustment.pair_indexing import reason_of_pairs
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.multivariate_t import LargestT
from evalstats.paired.ttest import in_units_of, limits_of_the_mean, mean_and_sd_of_differences, pvalue_and_reason

ADJUSTMENTS = ("sidak", "max-t")
LEARNERS = ("x", "y")
EQUAL = "at {of} sizes, x and y are equal in every repeat"
CONSTANT = (
    "at {of} sizes, x and y differ by the same amount in every repeat, so the differences have no variance and the t "
    "distribution does not apply; use a test of the predictions, such as McNemar's test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LearningCurveTestResult(HypothesisTestResult):
    """Result of `learning_curve_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., n_sizes)
        Mean difference divided by its corrected standard error at each size. It is positive if x has the higher mean.
    pvalue : ndarray of shape (..., n_sizes)
        p-values adjusted for all sizes. They are nan if x and y differ by the same amount in every repeat.
    unadjusted_pvalue : ndarray of shape (..., n_sizes)
        p-value of each size without adjustment, as in `corrected_ttest`.
    adjustment : str
        ``'sidak'`` or ``'max-t'``.
    sizes : tuple
        Names of the sizes: the columns of the data frame, or `n_train` for arrays.
    n_train, n_test : ndarray of shape (n_sizes,)
        Numbers of instances in a training set and in a test set at each size.
    n_instances : int, float or None
        The value of the argument.
    correlation : ndarray of shape (n_sizes,)
        Assumed correlation between the differences in two repeats.
    df : int
        Degrees of freedom: the number of repeats minus one.
    n_repeats : int
        Number of repeats.
    greater_is_better : bool
        Whether greater scores are better, for `winners`.
    mean_x, mean_y : ndarray of shape (..., n_sizes)
        The learning curves: the mean score of each classifier at each size.
    mean_difference : ndarray of shape (..., n_sizes)
        Mean of x - y over the repeats, in the unit of the scores.
    standard_error_x, standard_error_y, standard_error : ndarray of shape (..., n_sizes)
        Corrected standard errors of `mean_x`, `mean_y` and `mean_difference`, in the unit of the scores.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    unadjusted_pvalue: FloatArray
    adjustment: str
    sizes: tuple[Any, ...]
    n_train: FloatArray
    n_test: FloatArray
    n_instances: float | None
    correlation: FloatArray
    df: int
    n_repeats: int
    greater_is_better: bool
    mean_x: FloatArray
    mean_y: FloatArray
    mean_difference: FloatArray
    standard_error_x: FloatArray
    standard_error_y: FloatArray
    standard_error: FloatArray
    tie_tolerance: float
    _dependence: FloatArray | None = None

    def _axes(self) -> tuple[str, ...]:
        return ("size",)

    def __str__(self) -> str:
        head = f"LearningCurveTestResult ({self.adjustment}, {self.alternative}):"
        if self.pvalue.ndim > 1:
            return f"{head} {self.pvalue.size} p-values of {self.pvalue.shape[:-1]} problems{self._reason()}"
        rows = zip(self.sizes, self.mean_difference.tolist(), self.pvalue.tolist(), strict=True)
        lines = [f"\n{size}: mean difference {d:.4g}, p = {p:.4g}" for size, d, p in rows]
        return f"{head}{''.join(lines)}{self._reason()}"

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a simultaneous confidence band for the mean differences at all sizes.

        The band excludes 0 at the sizes at which the adjusted p-value is at most 1 - `confidence_level`. The band is
        one-sided if the alternative is one-sided; its limits are nan at sizes at which the differences have no
        variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal simultaneous coverage of the band at all sizes, if the correction is adequate.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats.paired import learning_curve_test
        >>> x, y = [[0.70, 0.81], [0.74, 0.84], [0.69, 0.82]], [[0.66, 0.80], [0.72, 0.85], [0.64, 0.81]]
        >>> low, high = learning_curve_test(x, y, n_train=[50, 100], n_test=20).confidence_interval(0.75)
        >>> low.round(3), high.round(3)
        (array([ 0.005, -0.017]), array([0.069, 0.024]))
        """
        level = _checks.confidence_level(confidence_level)
        quantile: Any = tails.t_quantile(self.df, _level_of_one(level, len(self.n_train), self._n_sides()))
        if self._dependence is not None:
            quantile = np.full((*self.statistic.shape[:-1], 1), np.nan)
            for at in np.ndindex(quantile.shape[:-1]):
                known = self.standard_error[at] > 0
                if known.any():
                    correlation = self._dependence[at][np.ix_(known, known)]
                    quantile[at] = LargestT(correlation, self.df, self._n_sides()).isf(1 - level)
        return limits_of_the_mean(self, level, quantile)

    def score_band(self, learner: str, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a simultaneous confidence band for the learning curve of one classifier.

        The limits are the mean scores plus and minus a multiple of their corrected standard errors, by Šidák's method.
        The bands of two classifiers may overlap even if the difference is significant.

        Parameters
        ----------
        learner : {'x', 'y'}
            The classifier.
        confidence_level : float, default: 0.95
            Nominal simultaneous coverage of the band at all sizes, if the correction is adequate.

        Returns
        -------
        ConfidenceInterval
            The limits are nan at a size at which the scores have no variance.

        Examples
        --------
        >>> from evalstats.paired import learning_curve_test
        >>> x, y = [[0.70, 0.81], [0.74, 0.84], [0.69, 0.82]], [[0.66, 0.80], [0.72, 0.85], [0.64, 0.81]]
        >>> low, high = learning_curve_test(x, y, n_train=[50, 100], n_test=20).score_band("x", 0.8)
        >>> low.round(3), high.round(3)
        (array([0.646, 0.792]), array([0.774, 0.855]))
        """
        level = _checks.confidence_level(confidence_level)
        learner = _checks.choice(learner, "learner", LEARNERS)
        mean, error = getattr(self, f"mean_{learner}"), getattr(self, f"standard_error_{learner}")
        error = np.where(error > 0, error, np.nan)
        reach = tails.t_quantile(self.df, _level_of_one(level, len(self.n_train), 2)) * error
        return interval_of(mean - reach, mean + reach, level)

    def winners(self, alpha: float = 0.05) -> IntArray:
        """Return 1 at the sizes at which x is significantly better, -1 if y is significantly better, and 0 otherwise.

        Parameters
        ----------
        alpha : float, default: 0.05
            Significance level for all sizes together.

        Returns
        -------
        ndarray of int, of shape (..., n_sizes)

        Examples
        --------
        >>> from evalstats.paired import learning_curve_test
        >>> x, y = [[0.70, 0.81], [0.74, 0.84], [0.69, 0.82]], [[0.66, 0.80], [0.72, 0.85], [0.64, 0.81]]
        >>> learning_curve_test(x, y, n_train=[50, 100], n_test=20).winners(0.25)
        array([1, 0])
        """
        alpha = _checks.proportion(alpha, "alpha")
        sign = np.sign(self.mean_difference) * (1 if self.greater_is_better else -1)
        return np.where(self.pvalue <= alpha, sign, 0).astype(np.int64)

    def _n_sides(self) -> int:
        return 2 if self.alternative == "two-sided" else 1


def learning_curve_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    n_train: ArrayLike,
    n_test: ArrayLike,
    n_instances: float | None = None,
    greater_is_better: bool = True,
    adjust: str = "sidak",
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> LearningCurveTestResult:
    """Test whether two classifiers differ at each of several training-set sizes (learning curves).

    The null hypothesis for a size is that the two classifiers, trained on training sets of this size, have the same
    expected score. The p-values and the confidence band are simultaneous for all sizes. The result does not apply to
    other sizes.

    Parameters
    ----------
    x, y : array_like of shape (..., n_repeats, n_sizes)
        Scores of two classifiers: one row for each of at least two random splits, one column for each size. Both
        classifiers are trained and tested on the same instances. Leading axes are batch dimensions and broadcast.
    n_train : array_like of shape (n_sizes,)
        Numbers of training instances for the columns, in increasing order.
    n_test : int, float or array_like of shape (n_sizes,)
        Number of test instances: one number for all sizes, or one number for each size.
    n_instances : int or float, optional
        Number of instances from which the training sets and the test sets are drawn. Pass this number if smaller
        training sets are subsets of the largest training set. At a smaller size, some instances are then in neither the
        training set nor the test set. The assumed correlation between two repeats is therefore n_test / n_instances.
        None: each split uses n_train + n_test instances, as in `corrected_ttest`.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. This argument affects only `winners` and the
        marks of the plot.
    adjust : {'sidak', 'max-t'}, default: 'sidak'
        ``'sidak'``: Šidák's adjustment of the p-values of the sizes. ``'max-t'``: the distribution of the largest t
        over all sizes, with the correlation between sizes estimated from the repeats. Use ``'max-t'`` only for 30
        repeats or more (see Notes).
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger mean. ``'less'``: x has the smaller mean.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    LearningCurveTestResult
        t, the adjusted p-value, the mean difference and the corrected standard error at each size. The result also
        contains the mean scores, and the bands `confidence_interval` and `score_band`.

    Raises
    ------
    ValueError
        If x and y are not paired and finite, have the wrong shape, or have fewer than two repeats, or if an option is
        unknown. If `n_train` does not increase or has the wrong length, a size is below 1, or `n_instances` is smaller
        than the largest n_train + n_test.
    TypeError
        If x, y or a size are not numbers, or `greater_is_better` is not True or False.

    See Also
    --------
    corrected_ttest : the test for one size.

    Notes
    -----
    At each size, s^2 is the variance of the J differences. The statistic is t = mean / sqrt((1/J + r) s^2), with J - 1
    degrees of freedom. The ratio r is n_test / n_train, or n_test / (n_instances - n_test) with `n_instances`. The
    correction is a heuristic. Without `n_instances`, the test is conservative at small sizes, because the correlation
    between two repeats is smaller than the correction assumes.

    Šidák's adjusted p-value is 1 - (1 - p)^m for m sizes. If the t-test of each size is valid, the family-wise error
    rate at the 5% level is at most 5.13% under any dependence between sizes. The rate is at most 5% for independent
    sizes, and for two-sided tests of two normal variables with any correlation.

    ``'max-t'`` uses the multivariate t distribution with the estimated correlation. In simulations, the null hypotheses
    at eight sizes were true. The family-wise error rate at the 5% level was 10.6% with 5 repeats, 6.6% with 10 repeats
    and 5.0% with 30 repeats.

    If all differences at a size are 0, t is 0 and p is 1. If all differences have the same nonzero value, t is infinite
    and p is nan. In both cases, `reason` states the number of such sizes. Šidák's adjustment also counts sizes without
    a variance.

    References
    ----------
    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Šidák, Z. (1967). Rectangular confidence regions for the means of multivariate normal distributions. Journal of the
    American Statistical Association 62, 626-633.

    Hothorn, T., Bretz, F. & Westfall, P. (2008). Simultaneous inference in general parametric models. Biometrical
    Journal 50, 346-363, section 3.

    Viering, T. & Loog, M. (2023). The shape of learning curves: a review. IEEE Transactions on Pattern Analysis and
    Machine Intelligence 45, 7799-7819.

    Examples
    --------
    Five random splits of 250 instances: 50 test instances, and 50, 100 or 200 training instances.

    >>> from evalstats.paired import learning_curve_test
    >>> x = [[0.62, 0.70, 0.80], [0.60, 0.74, 0.82], [0.64, 0.70, 0.78], [0.58, 0.72, 0.84], [0.62, 0.68, 0.80]]
    >>> y = [[0.72, 0.74, 0.76], [0.70, 0.74, 0.80], [0.76, 0.72, 0.76], [0.66, 0.74, 0.80], [0.72, 0.72, 0.76]]
    >>> result = learning_curve_test(x, y, n_train=[50, 100, 200], n_test=50, n_instances=250)
    >>> for size, d, p in zip(result.sizes, result.mean_difference, result.pvalue):
    ...     print(f"{size}: mean difference {d:+.3f}, p = {p:.3f}")
    50: mean difference -0.100, p = 0.001
    100: mean difference -0.024, p = 0.269
    200: mean difference +0.032, p = 0.036
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    names = next((found for found in map(_labels.column_names, (x, y)) if found is not None), None)
    x, y = _curves(x, y)
    n_repeats, n_sizes = x.shape[-2:]
    train, test, total = _sizes(n_train, n_test, n_instances, n_sizes)
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    adjust = _checks.choice(adjust, "adjust", ADJUSTMENTS)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    x, y = (np.ascontiguousarray(scores.swapaxes(-1, -2)) for scores in (x, y))
    correlation = test / (train + test if total is None else total)
    ratio = test / (train if total is None else np.maximum(total - test, train))  # Nadeau & Bengio (2003)
    errors_in_sd = np.sqrt(1 / n_repeats + ratio)
    d, rounded = differences(x, y, 0), differences(x, y, tie_tolerance)
    mean, sd = mean_and_sd_of_differences(d, rounded)
    (mean_x, sd_x), (mean_y, sd_y) = (mean_and_sd_of_differences(scores, scores) for scores in (x, y))
    statistic = in_units_of(sd, mean) / errors_in_sd

    unadjusted, _ = pvalue_and_reason(statistic, sd, n_repeats - 1, alternative, CONSTANT)
    dependence = _correlation_of_sizes(d, mean, sd) if adjust == "max-t" else None
    if dependence is None:
        pvalue = adjust_pvalues(unadjusted, "sidak", nan_policy="count")
    else:
        pvalue = _of_the_largest(statistic, sd > 0, dependence, n_repeats - 1, alternative, unadjusted)

    return LearningCurveTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method="t",
        reason=reason_of_pairs({EQUAL: (sd == 0) & (mean == 0), CONSTANT: np.isinf(statistic)}),
        unadjusted_pvalue=unadjusted,
        adjustment=adjust,
        sizes=tuple(int(n) if n.is_integer() else n for n in train.tolist()) if names is None else names,
        n_train=train,
        n_test=test,
        n_instances=total,
        correlation=correlation,
        df=n_repeats - 1,
        n_repeats=n_repeats,
        greater_is_better=greater_is_better,
        mean_x=mean_x,
        mean_y=mean_y,
        mean_difference=mean,
        standard_error_x=errors_in_sd * sd_x,
        standard_error_y=errors_in_sd * sd_y,
        standard_error=errors_in_sd * sd,
        tie_tolerance=tie_tolerance,
        _dependence=dependence,
    )


DECLARATIONS = (
    Declaration(
        function=learning_curve_test,
        data=Data.LEARNING_CURVES,
        example={"n_train": [10, 20, 40], "n_test": 10},
        variants={"max-t": {"adjust": "max-t"}, "n_instances": {"n_instances": 50}},
        excused=OF_SIZES,
        inputs={"x, y, n_train, n_test, n_instances": Draw("learning_curves")} | SIDES_AND_LEVELS,
        sentence="Corrected resampled t-tests of learning curves over {n_repeats:count repeat}: {smallest}",
    ),
)


def _level_of_one(level: float, n_sizes: int, n_sides: int) -> float:
    """Return the confidence level at each size that makes the limits at all sizes simultaneous (Šidák 1967)."""
    return float(1 - (1 - level ** (1 / n_sizes)) / n_sides)


def _curves(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Validate the scores of two classifiers in the same repeats at the same sizes."""
    a, b = _checks.paired(x, y)
    for values, name in ((a, "x"), (b, "y")):
        if values.ndim < 2 or values.shape[-2] < 2:
            raise InvalidValueError(
                f"{name} must have the shape (n_repeats, n_sizes), with 2 repeats or more, but its shape is "
                f"{values.shape}"
            )
    a, b = np.broadcast_arrays(a, b)
    return a, b


def _sizes(
    n_train: ArrayLike, n_test: ArrayLike, n_instances: float | None, n_sizes: int
) -> tuple[FloatArray, FloatArray, float | None]:
    """Validate the sizes of the training sets and of the test sets, and the number of all instances."""
    train = _numbers_of_instances(n_train, "n_train")
    test = _numbers_of_instances(n_test, "n_test")
    if train.shape != (n_sizes,):
        raise InvalidValueError(
            f"n_train must have a size for each of the {n_sizes} columns, but its shape is {train.shape}"
        )
    if (np.diff(train) <= 0).any():
        raise InvalidValueError(f"n_train must be in increasing order, but it is {short(train.tolist())}")
    if test.shape not in ((), (n_sizes,)):
        raise InvalidValueError(f"n_test must be one size, or one size for each column, but its shape is {test.shape}")
    test = np.broadcast_to(test, train.shape).copy()
    if n_instances is None:
        return train, test, None
    total = _checks.finite_real(n_instances, "n_instances")
    if total < (largest := float((train + test).max())):
        raise InvalidValueError(f"n_instances must be at least {largest:g} (n_train + n_test), not {total:g}")
    return train, test, int(total) if total.is_integer() else total


def _numbers_of_instances(value: Any, name: str) -> FloatArray:
    sizes = _checks.finite(_checks.numbers(value, name), name)
    if (sizes < 1).any():
        raise InvalidValueError(f"{name} must be at least 1, not {sizes.min():g}")
    return sizes


def _correlation_of_sizes(d: FloatArray, mean: FloatArray, sd: FloatArray) -> FloatArray:
    """Return the correlation over the repeats of the differences at each pair of sizes; 0 without a variance."""
    unit = np.where(sd > 0, sd, 1.0)[..., None]
    z = np.where(sd[..., None] > 0, (d - mean[..., None]) / unit, 0.0)
    correlation = z @ z.swapaxes(-1, -2) / (d.shape[-1] - 1)
    np.einsum("...ii->...i", correlation)[...] = 1.0
    return np.asarray(correlation)


def _of_the_largest(
    statistic: FloatArray,
    has_variance: BoolArray,
    dependence: FloatArray,
    df: int,
    alternative: str,
    unadjusted: FloatArray,
) -> FloatArray:
    """Return, for each t, the probability that the largest t over the sizes with a variance is at least this t."""
    pvalue = unadjusted.copy()
    oriented = np.abs(statistic) if alternative == "two-sided" else statistic * (1 if alternative == "greater" else -1)
    for at in np.ndindex(statistic.shape[:-1]):
        known = has_variance[at]
        if known.any():
            largest = LargestT(dependence[at][np.ix_(known, known)], df, 2 if alternative == "two-sided" else 1)
            pvalue[at][known] = largest.sf(oriented[at][known])
    return pvalue
