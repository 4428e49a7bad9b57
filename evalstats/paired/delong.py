"""DeLong's test: comparison of two AUCs on one test set."""

from __future__ import annotations

__all__ = [
    "DeLongTestResult",
    "DeLongUnpairedTestResult",
    "delong_test",
    "delong_unpaired_test",
    "interval_of_areas",
    "understand_degrees",
]

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import SIDES_AND_LEVELS, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, HypothesisTestResult, interval_of, reasons
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import positive_cases
from evalstats.metrics.delong import (
    FEW_INSTANCES,
    SINGLE_CASE,
    DelongCovariance,
    adjusted_degrees,
    adjusted_parts,
    delong_covariance,
    placements_of,
    satterthwaite,
)

SAME_ORDER = (
    "x and y rank every instance equally among the instances of the other class, so there is no difference to test"
)
NO_DIFFERENCE = "x and y have equal areas, and their difference has no variance"
CONSTANT_DIFFERENCE = (
    "the ranks by x and y differ by the same amount for every instance, so the difference between the areas has no "
    "variance and the normal distribution does not apply; this does not mean that the difference is known exactly"
)

CONSTANT_AREAS = (
    "all instances of a class have the same rank among the instances of the other class in both test sets, so the "
    "difference between the areas has no variance and no distribution applies; this does not mean that the difference "
    "is known exactly"
)
DEGREES = "auto", "infinite", "welch", "adjusted"
DEGREES_OF_TWO_SETS = "welch", "infinite"
FIRST, SECOND = np.array([0]), np.array([1])

# below this fraction of var(x) + var(y), var(x) + var(y) - 2 cov(x, y) has lost three digits or more
CANCELLED = 1e-3


@dataclass(frozen=True, kw_only=True, eq=False)
class DeLongTestResult(HypothesisTestResult):
    """Result of `delong_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        z or t, the difference divided by its standard error. It is positive if x has the larger area.
    pvalue : float or ndarray
        The p-value from the normal or the t distribution. It is nan if the variance cannot be estimated.
    auc_x, auc_y : float or ndarray
        Areas under the ROC curves.
    difference : float or ndarray
        auc_x - auc_y.
    standard_error : float or ndarray
        Standard error of the difference.
    covariance : ndarray of shape (..., 2, 2)
        Estimated covariance matrix of auc_x and auc_y.
    n_positive, n_negative : int or ndarray of int
        Numbers of positive and negative instances.
    df : float or ndarray
        Degrees of freedom. They are infinite for the normal distribution, and nan if the difference has no variance.
    """

    auc_x: Any
    auc_y: Any
    difference: Any
    standard_error: Any
    covariance: FloatArray
    n_positive: Any
    n_negative: Any
    df: Any

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the difference between the areas, truncated at -1 and 1.

        The interval is one-sided if the alternative is one-sided; its limits are nan if the difference has no variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval. With 5 instances of each class, the coverage of the 95% interval is 96.7%.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats import delong_test
        >>> result = delong_test([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        -0.622 0.872
        """
        return interval_of_areas(self, self.df, confidence_level)


@dataclass(frozen=True, kw_only=True, eq=False)
class DeLongUnpairedTestResult(HypothesisTestResult):
    """Result of `delong_unpaired_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        t, the difference divided by its standard error. It is positive if x has the larger area.
    pvalue : float or ndarray
        The p-value from the t distribution or the normal distribution. It is nan if the variance cannot be estimated.
    auc_x, auc_y : float or ndarray
        Areas under the ROC curves.
    difference : float or ndarray
        auc_x - auc_y.
    standard_error : float or ndarray
        Standard error of the difference.
    df : float or ndarray
        Degrees of freedom. They are infinite for the normal distribution, and nan if the difference has no variance.
    """

    auc_x: Any
    auc_y: Any
    difference: Any
    standard_error: Any
    df: Any

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the difference between the areas, truncated at -1 and 1.

        The interval is one-sided if the alternative is one-sided; its limits are nan if the difference has no variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval for large samples of both classes in both sets.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats.paired import delong_unpaired_test
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> result = delong_unpaired_test(y_true, [1, 2, 3, 6, 4, 5, 7, 8], y_true, [1, 6, 5, 2, 4, 3, 7, 8])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        -0.417 0.667
        """
        return interval_of_areas(self, self.df, confidence_level)


def delong_test(
    y_true: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    pos_label: Any = None,
    df: str = "auto",
    alternative: str = "two-sided",
) -> DeLongTestResult:
    """Test whether two classifiers have equal AUC on the same test set.

    The null hypothesis is that the two trained classifiers have equal areas in the population of instances. The
    instances must be independent; several instances of one patient are not independent. The test does not show how much
    the areas would change if the classifiers were trained again.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances, of two classes.
    x, y : array_like of shape (..., n)
        Scores of two classifiers for the n instances. A greater score means that the positive class is more likely.
        Only the order of the scores matters, so the two classifiers do not need a common scale. Leading axes are batch
        dimensions and broadcast.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.
    df : {'auto', 'infinite', 'welch', 'adjusted'}, default: 'auto'
        Degrees of freedom of the t distribution. ``'infinite'``: the normal distribution, as in pROC. ``'welch'``:
        Satterthwaite's degrees of freedom. ``'adjusted'``: a larger standard error and fewer degrees of freedom, for
        few instances of a class. ``'auto'``: ``'adjusted'`` if a class has fewer than 500 instances, otherwise
        ``'infinite'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger area. ``'less'``: x has the smaller area.

    Returns
    -------
    DeLongTestResult
        z or t with its p-value. The result also contains both areas, their covariance, their difference with its
        standard error and degrees of freedom, and `confidence_interval`.

    Raises
    ------
    ValueError
        If the shapes do not match, a score is not finite, there is no positive or no negative instance, or an option is
        unknown.
    TypeError
        If scores are not numbers.

    See Also
    --------
    evalstats.metrics.delong_covariance : the areas of more than two classifiers and their covariance.

    Notes
    -----
    If x and y rank all instances in the same order, z is 0 and p is 1. If the areas differ but the difference has no
    variance, z is infinite and p is nan, except with ``df='adjusted'``. With a single instance of a class, z and p are
    nan. In each of these cases, `reason` states the cause. A p-value that is too small for a float is given as the
    smallest positive float, 5e-324.

    The normal distribution needs large samples of both classes. At the 5% level, the test rejects 6.2% of true null
    hypotheses with 10 positive instances of 100, and 5.0% with 50 of 500. Classifiers with equal areas may have
    different distributions of scores. With 10 positive instances of 500 and areas of 0.98, the rate is then up to
    16.7%, and 15.5% with ``df='welch'``. The greatest simulated rate of ``df='adjusted'`` is 5.0%. With 5 positive
    instances of 100, its rate is at most 0.5%, so only very large differences are significant. One-sided alternatives
    have greater rates, because the difference is skewed: up to 9.2% with ``df='adjusted'`` in these settings.

    The variance of the difference is the sum of the parts v and w from m positive and n negative instances. With
    ``df='welch'``, the degrees of freedom are (v + w)^2 / (v^2 / (m - 1) + w^2 / (n - 1)). If y is constant, the test
    is equivalent to the test of Brunner & Munzel (2000).

    With ``df='adjusted'``, 0.1 L is added to the sums of squares in v and in w. Here, L is the largest absolute
    difference between the placements of an instance by x and y. This term corresponds to a pseudo-instance in each
    class. It prevents a variance near 0 if the few instances of a class happen to have similar placements. In the
    degrees of freedom, g / (2 m) is added to 1 / (m - 1), and correspondingly for w. Here, g is the excess kurtosis of
    the placement differences in the class (the estimate G2, at least 0). O'Neill (2014) derives the corresponding
    degrees of freedom of a sample variance.

    References
    ----------
    Brunner, E. & Munzel, U. (2000). The nonparametric Behrens-Fisher problem: asymptotic theory and a small-sample
    approximation. Biometrical Journal 42, 17-25.

    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.

    O'Neill, B. (2014). Some useful moment results in sampling problems. The American Statistician 68, 282-296.

    Examples
    --------
    >>> from evalstats import delong_test
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = delong_test(y_true, [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8])
    >>> result.auc_x, result.auc_y
    (0.875, 0.75)
    >>> print(f"t({result.df:.1f}) = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    t(3.9) = 0.470, p = 0.664
    """
    _labels.same_labels(y_true=y_true, x=x, y=y)
    x, y = np.broadcast_arrays(*_checks.paired(x, y))
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    degrees = understand_degrees(df, positive)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    if positive.shape[-1] != x.shape[-1]:
        raise InvalidValueError(
            f"y_true and x must be paired: y_true has {positive.shape[-1]} instances, x has {x.shape[-1]}"
        )

    score = np.stack([x, y], axis=-2)
    areas = delong_covariance(positive, score)
    compared = compared_areas(areas, positive, score, (FIRST, SECOND), degrees, alternative)

    return DeLongTestResult(
        statistic=compared.statistic[..., 0],
        pvalue=compared.pvalue[..., 0],
        alternative=alternative,
        method=compared.method,
        reason=compared.reason[..., 0],
        auc_x=areas.auc[..., 0],
        auc_y=areas.auc[..., 1],
        difference=compared.difference[..., 0],
        standard_error=compared.standard_error[..., 0],
        covariance=areas.covariance,
        n_positive=areas.n_positive,
        n_negative=areas.n_negative,
        df=compared.df[..., 0],
    )


def understand_degrees(df: Any, positive: BoolArray) -> AnyArray:
    """Return the method for the degrees of freedom of each problem, which depends on its classes for ``'auto'``."""
    chosen = _checks.choice(df, "df", DEGREES)
    if chosen != "auto":
        return np.full(positive.shape[:-1], chosen)
    n_positive = positive.sum(axis=-1)
    smallest = np.minimum(n_positive, positive.shape[-1] - n_positive)
    return np.where(smallest < FEW_INSTANCES, "adjusted", "infinite")


def delong_unpaired_test(
    y_true_x: ArrayLike,
    x: ArrayLike,
    y_true_y: ArrayLike,
    y: ArrayLike,
    *,
    pos_label: Any = None,
    df: str = "welch",
    alternative: str = "two-sided",
) -> DeLongUnpairedTestResult:
    """Test whether two AUCs on independent test sets are equal.

    The null hypothesis is that the two areas are equal in the two populations of instances. Use the test for two
    classifiers that were tested on different instances, or for one classifier on two groups of instances. No instance
    may be in both sets. If both classifiers scored the same instances, use `delong_test`, which has more power.

    Parameters
    ----------
    y_true_x, x : array_like of shape (..., n)
        True labels of the first test set, of two classes, and the scores of its instances. A greater score means that
        the positive class is more likely.
    y_true_y, y : array_like of shape (..., m)
        True labels and scores of the second test set. Leading axes are batch dimensions. The axes of all four arguments
        broadcast.
    pos_label : label, optional
        The positive class of both sets. All other classes are negative. Default: the greater of two labels.
    df : {'welch', 'infinite'}, default: 'welch'
        Degrees of freedom of the t distribution. ``'welch'``: Welch's degrees of freedom with the numbers of instances
        of both sets, as in pROC. ``'infinite'``: the normal distribution.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger area. ``'less'``: x has the smaller area.

    Returns
    -------
    DeLongUnpairedTestResult
        t and its p-value. The result also contains both areas, their difference with its standard error, the degrees of
        freedom, and `confidence_interval`.

    Raises
    ------
    ValueError
        If the shapes do not match, a score is not finite, a set has no positive or no negative instance, or an option
        is unknown.
    TypeError
        If scores are not numbers.

    See Also
    --------
    delong_test : the test of two classifiers on one test set.

    Notes
    -----
    t is the difference between the areas divided by the square root of the sum of their variances v and w. Welch's
    degrees of freedom are (v + w)^2 / (v^2 / (n - 1) + w^2 / (m - 1)). If neither area has a nonzero variance and the
    areas are equal, t is 0 and p is 1. If neither has a nonzero variance and the areas differ, t is infinite and p is
    nan. With a single instance of a class, t and p are nan. `reason` explains these cases.

    References
    ----------
    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.

    Robin, X. et al. (2011). pROC: an open-source package for R and S+ to analyze and compare ROC curves. BMC
    Bioinformatics 12, 77.

    Examples
    --------
    >>> from evalstats.paired import delong_unpaired_test
    >>> here, there = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1]
    >>> result = delong_unpaired_test(here, [1, 2, 3, 6, 4, 5, 7, 8], there, [1, 4, 2, 3, 5])
    >>> print(f"{result.auc_x:.3f} and {result.auc_y:.3f}: t({result.df:.2f}) = {result.statistic:.3f}")
    0.875 and 0.833: t(7.00) = 0.151
    >>> print(f"p = {result.pvalue:.3f}")
    p = 0.884
    """
    df = _checks.choice(df, "df", DEGREES_OF_TWO_SETS)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    first, second = _areas_of_a_set(y_true_x, x, "x", pos_label), _areas_of_a_set(y_true_y, y, "y", pos_label)
    try:
        shape = np.broadcast_shapes(first.auc.shape[:-1], second.auc.shape[:-1])
    except ValueError as error:
        raise InvalidValueError(
            f"the leading axes of x and y must broadcast, but they are {first.auc.shape[:-1]} and "
            f"{second.auc.shape[:-1]}"
        ) from error

    (auc_x, v, n), (auc_y, w, m) = (_area_variance_and_size(areas, shape) for areas in (first, second))
    difference, variance = auc_x - auc_y, v + w
    statistic = _in_units_of(np.sqrt(variance), difference)
    degrees = satterthwaite((v, w), (n - 1, m - 1)) if df == "welch" else np.where(variance > 0, np.inf, np.nan)

    tail = _t_pvalue(statistic, degrees, alternative)
    pvalue = np.where(variance > 0, tail, np.where(statistic == 0, 1.0, np.nan))
    without = variance == 0
    cases = (without & (difference != 0), CONSTANT_AREAS), (without, NO_DIFFERENCE), (np.isnan(variance), SINGLE_CASE)

    return DeLongUnpairedTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(shape, "t" if df == "welch" else "asymptotic"),
        reason=reasons(shape, *cases),
        auc_x=auc_x,
        auc_y=auc_y,
        difference=difference,
        standard_error=np.sqrt(variance),
        df=degrees,
    )


DECLARATIONS = (
    Declaration(
        function=delong_test,
        data=Data.CLASS_SCORES,
        inputs={"y_true, x, y": Draw("two_rankings", {"shares_of_equal": (0, 0, 0.5, 0.9)}), "df": DEGREES}
        | SIDES_AND_LEVELS,
        sentence="DeLong test: areas under the ROC curves {auc_x:decimal} and {auc_y:decimal}, {z_or_t}, {outcome}",
    ),
    Declaration(
        function=delong_unpaired_test,
        data=Data.TWO_TEST_SETS,
        inputs={"y_true_x, x, y_true_y, y": Draw("two_test_sets"), "df": DEGREES_OF_TWO_SETS} | SIDES_AND_LEVELS,
        sentence=(
            "DeLong test of two test sets: areas under the ROC curves {auc_x:decimal} and {auc_y:decimal}, {z_or_t}, "
            "{outcome}"
        ),
    ),
)


class ComparedAreas(NamedTuple):
    """Pairs of areas along the last axis, tested one by one."""

    difference: FloatArray
    standard_error: FloatArray
    statistic: FloatArray
    df: FloatArray
    pvalue: FloatArray
    reason: AnyArray
    method: AnyArray


def compared_areas(
    areas: DelongCovariance,
    positive: BoolArray,
    score: FloatArray,
    pairs: tuple[IndexArray, IndexArray],
    df: AnyArray,
    alternative: str,
) -> ComparedAreas:
    """Test pairs (i, j) of the classifiers whose areas were estimated from these instances.

    The method has one value for each problem, and the other fields have one value for each pair.
    """
    batch = areas.auc.shape[:-1]
    positive = np.broadcast_to(positive, (*batch, positive.shape[-1]))
    score = np.broadcast_to(score, (*batch, *score.shape[-2:]))
    df = np.broadcast_to(df, batch)[..., None]
    difference, parts, same_order = _difference_and_parts(areas, positive, score, *pairs)
    excess = np.zeros(())
    is_adjusted = df == "adjusted"
    if is_adjusted.any():
        adjusted, kurtosis = adjusted_parts(positive, placements_of(positive, score), *pairs)
        parts, excess = np.where(is_adjusted, adjusted, parts), np.where(is_adjusted, kurtosis, 0.0)
    variance = parts[0] + parts[1]
    statistic = _in_units_of(np.sqrt(variance), difference)
    statistic[same_order] = 0.0
    size = np.stack([areas.n_positive, areas.n_negative])[..., None].astype(np.float64)
    degrees = np.where(df == "infinite", np.where(variance > 0, np.inf, np.nan), adjusted_degrees(size, parts, excess))

    tail = _t_pvalue(statistic, degrees, alternative)
    pvalue = np.where(variance > 0, tail, np.where(statistic == 0, 1.0, np.nan))
    reason = np.repeat(np.array(areas.reason, dtype=object)[..., None], difference.shape[-1], axis=-1)
    reason[(variance == 0) & (difference != 0)] = CONSTANT_DIFFERENCE
    reason[(variance == 0) & (difference == 0)] = NO_DIFFERENCE
    reason[same_order] = SAME_ORDER
    method = np.where(df[..., 0] == "infinite", "asymptotic", "t")
    return ComparedAreas(difference, np.sqrt(variance), statistic, degrees, pvalue, reason, method)


def _difference_and_parts(
    areas: DelongCovariance, positive: BoolArray, score: FloatArray, i: IndexArray, j: IndexArray
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the differences between the areas, the two parts of their variances, and whether both rank identically.

    If two classifiers agree on almost all pairs, the difference of variances and covariance is only rounding error. In
    this case, the variance is computed from the differences of the instances.
    """
    difference = areas.auc[..., i] - areas.auc[..., j]
    own = areas._of_class
    total = own[..., i, i] + own[..., j, j]
    parts = total - 2 * own[..., i, j]
    same_order = np.zeros(difference.shape, dtype=bool)
    for *member, pair in np.argwhere(~(parts > CANCELLED * total).all(axis=0)):  # nan too
        at, problem = (*member, pair), (*member,)
        difference[at], parts[(slice(None), *at)], same_order[at] = _case_by_case(
            positive[problem], score[(*problem, i[pair])], score[(*problem, j[pair])]
        )
    return difference, parts, same_order


def _case_by_case(positive: BoolArray, x: FloatArray, y: FloatArray) -> tuple[float, tuple[float, float], bool]:
    """Return difference, parts and identity from the differences of the doubled placements, which are integers."""
    of_positive = _doubled_placements(x[positive], x[~positive]) - _doubled_placements(y[positive], y[~positive])
    of_negative = _doubled_placements(x[~positive], x[positive]) - _doubled_placements(y[~positive], y[positive])
    m, n = len(of_positive), len(of_negative)
    parts = _variance(of_positive) / (4 * m * n**2), _variance(of_negative) / (4 * n * m**2)
    return float(of_positive.sum()) / (2 * m * n), parts, not (of_positive.any() or of_negative.any())


def _doubled_placements(scores: FloatArray, others: FloatArray) -> FloatArray:
    """Return twice the number of scores of the other class below each score; equal scores count half."""
    others = np.sort(others)
    return (np.searchsorted(others, scores, "left") + np.searchsorted(others, scores, "right")).astype(np.float64)


def _variance(values: FloatArray) -> float:
    return float(np.var(values, ddof=1)) if len(values) > 1 else math.nan


def _in_units_of(error: FloatArray, difference: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((error == 0) & (difference == 0), 0.0, difference / error)


def _areas_of_a_set(y_true: Any, score: Any, name: str, pos_label: Any) -> DelongCovariance:
    """Return the area under the curve of one test set, with its variance."""
    _labels.same_labels(**{f"y_true_{name}": y_true, name: score})
    understood = classes.understand(y_true, f"y_true_{name}")
    positive = positive_cases(understood, pos_label, greater_of_two=True)
    scores = _checks.finite(_checks.numbers(score, name), name)
    if scores.ndim == 0 or scores.shape[-1] != positive.shape[-1]:
        raise InvalidValueError(
            f"y_true_{name} and {name} must be paired: y_true_{name} has {positive.shape[-1]} instances, {name} has "
            f"the shape {scores.shape}"
        )
    n_positive = positive.sum(axis=-1)
    if ((n_positive == 0) | (n_positive == positive.shape[-1])).any():
        raise InvalidValueError(
            f"y_true_{name} must hold positive and negative instances, but all instances belong to one class"
        )
    return delong_covariance(positive, scores[..., None, :])


def _area_variance_and_size(areas: DelongCovariance, shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray, AnyArray]:
    auc, variance = areas.auc[..., 0], areas.covariance[..., 0, 0]
    return (
        np.broadcast_to(auc, shape),
        np.broadcast_to(variance, shape),
        np.broadcast_to(areas.n_positive + areas.n_negative, shape),
    )


def interval_of_areas(result: Any, df: Any, confidence_level: Any) -> ConfidenceInterval:
    """Return the interval for the difference of two areas, truncated at -1 and 1."""
    level = _checks.confidence_level(confidence_level)
    error, difference, df = np.asarray(result.standard_error), np.asarray(result.difference), np.asarray(df)
    share = (1 + level) / 2 if result.alternative == "two-sided" else level
    has_variance = error > 0
    margin = tails.t_quantile(np.where(np.isnan(df), 1.0, df), share) * error
    low = np.full(error.shape, -1.0) if result.alternative == "less" else np.maximum(difference - margin, -1)
    high = np.full(error.shape, 1.0) if result.alternative == "greater" else np.minimum(difference + margin, 1)
    return interval_of(low, high, level, known=has_variance)


def _t_pvalue(t: FloatArray, df: FloatArray, alternative: str) -> FloatArray:
    finite = np.isfinite(df)
    of_t = tails.t_pvalue(t, np.where(finite, df, 1.0), alternative)
    return np.where(finite, of_t, tails.normal_pvalue(t, alternative))
