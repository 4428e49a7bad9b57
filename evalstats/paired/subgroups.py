"""Differences between two classifiers in subgroups: interaction, change of sign, and the worst subgroup."""

from __future__ import annotations

__all__ = ["SubgroupTestResult", "gap_change_test", "subgroup_test", "subgroup_test_from_estimates"]

import math
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import OF_SIZES, ONE_PROBLEM, Data, Declaration, Draw
from evalstats._errors import EvalstatsWarning, InvalidValueError, listed
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, summands
from evalstats._result import HypothesisTestResult
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray, IntArray
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.subgroup_permutations import exact_two_column_pvalue, permuted_interactions
from evalstats.metrics.class_encoding import positive_cases, understand
from evalstats.metrics.cluster_variance import numbered

METHODS = ("auto", "asymptotic", "permutation")
RATES = ("tpr", "fpr", "selection_rate", "accuracy")
# sizes of a subgroup: below the first, 'auto' permutes labels; below the second, t is used; below the third, no test
PERMUTED_BELOW, FEW_INSTANCES, FEWEST_INSTANCES = 50, 20, 5
MANY_SUBGROUPS = 50


@dataclass(frozen=True, kw_only=True, eq=False)
class SubgroupTestResult(HypothesisTestResult):
    """Result of `subgroup_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float
        Q: the sum of the squared deviations of the differences from their weighted mean, each divided by the variance
        of the difference.
    pvalue : float
        p-value of the test of interaction. The null hypothesis is that the difference is the same in all subgroups.
    method : str
        ``'chi2'``, or ``'monte-carlo'`` for random permutations of the subgroup labels.
    df : int
        Degrees of freedom of Q: the number of subgroups that are included in Q, minus one.
    n_subgroups : int
        Number of subgroups that are tested.
    subgroups : tuple
        Names of the subgroups, in sorted order.
    n_instances : ndarray of int, of shape (n_subgroups,)
        Number of instances of each subgroup. An unknown number is 0.
    difference, standard_error : ndarray of shape (n_subgroups,)
        Difference x - y in each subgroup, and its standard error.
    lower, upper : ndarray of shape (n_subgroups,)
        Simultaneous limits: all limits together have the coverage `confidence_level`. The limits are nan for a subgroup
        that is not tested.
    subgroup_pvalue, adjusted_pvalue : ndarray of shape (n_subgroups,)
        p-value of the difference in each subgroup, and the p-value adjusted by Holm's method.
    mean_difference, mean_standard_error : float
        Mean of the differences, weighted by their inverse variances, and the standard error of this mean.
    worst_subgroup : name or None
        The subgroup with the smallest lower limit.
    worst_lower : float
        The smallest simultaneous lower limit for the difference over all tested subgroups.
    crossover_statistic, crossover_pvalue : float
        Results of Gail and Simon's test, whose null hypothesis is that the difference has the same sign in all
        subgroups.
    exact_pvalue : float
        For correct and incorrect predictions, the p-value of the exact test of the discordant instances, which exactly
        one classifier predicts correctly. The null hypothesis is that the proportion of discordant instances that x
        predicts correctly is the same in all subgroups. The p-value is nan for other scores.
    margin : float or None
        The noninferiority margin.
    noninferiority_pvalue : float
        The largest p-value, over the tested subgroups, of the null hypothesis that x is worse by the margin or more. It
        is nan without a margin. An adjustment is not necessary, because the null hypotheses of all subgroups must be
        rejected.
    confidence_level : float
        Level of the simultaneous limits.
    n_clusters : int or None
        Number of clusters, or None if the instances are independent.
    n_resamples, seed : int or None
        Number of permutations and their seed, or None without permutations.
    """

    df: int
    n_subgroups: int
    subgroups: tuple[Any, ...]
    n_instances: IntArray
    difference: FloatArray
    standard_error: FloatArray
    lower: FloatArray
    upper: FloatArray
    subgroup_pvalue: FloatArray
    adjusted_pvalue: FloatArray
    mean_difference: float
    mean_standard_error: float
    worst_subgroup: Any
    worst_lower: float
    crossover_statistic: float
    crossover_pvalue: float
    exact_pvalue: float
    margin: float | None
    noninferiority_pvalue: float
    confidence_level: float
    n_clusters: int | None
    n_resamples: int | None
    seed: int | None

    def _axes(self) -> tuple[str, ...]:
        return ("subgroup",)

    def __str__(self) -> str:
        rows = zip(self.subgroups, self.difference.tolist(), self.lower.tolist(), self.upper.tolist(), strict=True)
        lines = [f"\n{name}: {d:.4g} ({low:.4g} to {high:.4g})" for name, d, low, high in rows]
        return f"SubgroupTestResult: Q = {self.statistic:.4g}, p = {self.pvalue:.4g}{''.join(lines)}{self._reason()}"


def subgroup_test(
    x: ArrayLike,
    y: ArrayLike,
    subgroup: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    margin: float | None = None,
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = None,
) -> SubgroupTestResult:
    """Test whether the difference between two classifiers is the same in all subgroups.

    The null hypothesis is that the mean difference x - y is the same in all subgroups. The result also contains the
    difference in each subgroup with simultaneous limits, the test of a change of sign, and the worst subgroup.

    Parameters
    ----------
    x, y : array_like of shape (n,)
        Scores of two classifiers on the same n instances. Scores are 1 and 0 for correct and incorrect, or any other
        numbers for which a greater value is better.
    subgroup : array_like of shape (n,)
        Subgroup of each instance, such as the sex or the language: names or numbers. Instances with an empty name or
        None form the subgroup ``'not given'``.
    clusters : array_like of shape (n,), optional
        Cluster (patient, document, ...) of each instance. Each cluster must be in one subgroup.
    margin : float, optional
        Noninferiority margin. If it is passed, the function also tests whether x is noninferior to y in every subgroup.
    method : {'auto', 'asymptotic', 'permutation'}, default: 'auto'
        Null distribution of the interaction. ``'asymptotic'``: the chi-squared distribution; subgroups whose
        differences have no variance are left out. ``'permutation'``: the distribution of the statistic under random
        permutations of the subgroup labels. The null hypothesis is then that the differences have the same distribution
        in all subgroups. ``'auto'``: ``'permutation'`` if a subgroup has fewer than 50 instances (or clusters) or no
        variance. In simulations with three subgroups of 40 instances, ``'asymptotic'`` rejects 6.0% of true null
        hypotheses at the 5% level.
    confidence_level : float, default: 0.95
        Level of the simultaneous limits.
    n_resamples : int, default: 9999
        Number of permutations.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    SubgroupTestResult

    Raises
    ------
    ValueError, TypeError
        If x, y and `subgroup` are not paired, or contain nan or infinity. If there are fewer than two subgroups, a
        cluster is in two subgroups, or an option is unknown.

    Warns
    -----
    EvalstatsWarning
        If there are more than 50 subgroups.

    See Also
    --------
    subgroup_test_from_estimates : the same test for differences in any metric, such as the AUC.
    gap_change_test : test whether two classifiers have equal gaps between subgroups.

    Notes
    -----
    In subgroup g with n_g instances, d_g is the mean difference. Its estimated variance v_g is the mean squared
    deviation divided by n_g. With c clusters, v_g is the sum of the squared sums of the deviations in each cluster,
    times c / (c - 1), divided by n_g^2. Q is the sum of (d_g - d)^2 / v_g, where d is the mean of d_g with the weights
    1 / v_g. The limits are d_g +- q sqrt(v_g), where q is the quantile of the largest absolute value of independent
    standard normal variables. The crossover statistic is the smaller of two sums of d_g^2 / v_g: over the positive and
    over the negative differences. If a subgroup has fewer than 20 instances (or clusters), limits, p-values and the
    crossover statistic use the t distribution. The mean squared deviation then has the divisor n_g - 1.

    The result also contains subgroups of fewer than 5 instances (or clusters), but without tests and limits. The limits
    are approximations that need many instances. In simulations with three subgroups of 40 instances, the simultaneous
    coverage of the 95% limits is 93%.

    In simulations with three subgroups of 10 instances, ``'asymptotic'`` rejects 8.4% of true null hypotheses at the 5%
    level.

    References
    ----------
    Cochran, W. G. (1954). The combination of estimates from different experiments. Biometrics 10, 101-129.

    Gail, M. & Simon, R. (1985). Testing for qualitative interactions between treatment effects and patient subsets.
    Biometrics 41, 361-372.

    Hothorn, T., Bretz, F. & Westfall, P. (2008). Simultaneous inference in general parametric models. Biometrical
    Journal 50, 346-363.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.paired import subgroup_test
    >>> x = np.repeat([1, 0, 1, 1, 0, 1, 1, 0, 1], [10, 2, 28, 6, 5, 19, 1, 6, 13])
    >>> y = np.repeat([0, 1, 1, 0, 1, 1, 0, 1, 1], [10, 2, 28, 6, 5, 19, 1, 6, 13])
    >>> result = subgroup_test(x, y, np.repeat(["women", "men", "not given"], [40, 30, 20]))
    >>> for name, d, low, high in zip(
    ...     result.subgroups, result.difference, result.lower, result.upper, strict=True
    ... ):
    ...     print(f"{name}: {d:.2f} ({low:.2f} to {high:.2f})")
    men: 0.03 (-0.23 to 0.30)
    not given: -0.25 (-0.54 to 0.04)
    women: 0.20 (0.01 to 0.39)
    >>> print(f"p = {result.pvalue:.4f}")
    p = 0.0128
    """
    _labels.same_labels(x=x, y=y, subgroup=subgroup, clusters=clusters)
    tolerance = _checks.tolerance(DEFAULT_TIE_TOLERANCE, x, y)
    x, y = _checks.paired(x, y)
    if x.ndim > 1 or y.ndim > 1:
        raise InvalidValueError(f"x and y must have the shape (n,), but their shapes are {x.shape} and {y.shape}")
    for name, values in (("x", x), ("y", y)):
        _checks.moderate(values, name)
    level, method = _checks.confidence_level(confidence_level), _checks.choice(method, "method", METHODS)
    margin = None if margin is None else _margin(margin)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    code, names = _subgroups(subgroup, x.size)
    is_double = tolerance.noise < tolerance  # here, sums of rounded differences are less precise
    d = summands(x, y, tolerance)[0] if is_double else differences(x, y, tolerance)
    units = _units(d, code, clusters, x.size)

    order = np.lexsort((units.sizes, units.sums, units.group))  # sums do not depend on the order of the instances
    units = _Units(units.sums[order], units.sizes[order], units.group[order], units.are_clusters)
    n = np.bincount(code, minlength=len(names))
    found = _moments(units, len(names), max(1e-12, 4 * tolerance.noise))
    n_units = np.bincount(units.group, minlength=len(names))
    is_large = n_units >= FEWEST_INSTANCES
    with_variance = is_large & (found.variance > 0)
    if method == "auto":
        is_small = (is_large & ((n_units < PERMUTED_BELOW) | (found.variance == 0))).any()
        method = "permutation" if is_small else "asymptotic"
    known = _Known(names, n, found.difference, np.sqrt(found.variance), with_variance, level, margin, n_units)
    told = [_too_small(names, ~is_large), _without_variance(names, is_large & (found.variance == 0), method)]
    extra: dict[str, Any] = {"n_clusters": None if clusters is None else units.sums.size}
    if _is_correctness(x) and _is_correctness(y) and clusters is None:
        wins = np.bincount(code[(x > y)], minlength=len(names))
        losses = np.bincount(code[(x < y)], minlength=len(names))
        extra["exact_pvalue"] = exact_two_column_pvalue(
            wins[is_large], losses[is_large], n_resamples, source.generator()
        )
    if method == "permutation" and is_large.sum() > 1:
        kept = is_large[units.group]
        place = np.cumsum(is_large) - 1
        statistic, pvalue = permuted_interactions(
            units.sums[kept], units.sizes[kept], place[units.group[kept]], n_resamples, source.generator()
        )
        extra |= {"statistic": statistic, "pvalue": pvalue, "method": "monte-carlo", "df": int(is_large.sum()) - 1}
        extra |= {"n_resamples": n_resamples, "seed": source.seed}
    return _result(known, [one for one in told if one], extra)


def subgroup_test_from_estimates(
    difference: ArrayLike,
    standard_error: ArrayLike,
    *,
    subgroups: Any = None,
    margin: float | None = None,
    confidence_level: float = 0.95,
) -> SubgroupTestResult:
    """Test whether the difference between two classifiers is the same in all subgroups, from estimates.

    The null hypothesis is that the difference is the same in all subgroups. The estimates must be independent of each
    other and approximately normal, such as the differences in AUC that `delong_test` estimates in disjoint subgroups.

    Parameters
    ----------
    difference, standard_error : array_like of shape (n_subgroups,)
        Difference x - y in each subgroup and its standard error, which must be positive.
    subgroups : sequence, optional
        Names of the subgroups. Default: their positions.
    margin, confidence_level
        As in `subgroup_test`.

    Returns
    -------
    SubgroupTestResult
        `method` is ``'chi2'``, and the numbers of instances are 0.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two subgroups, a value is not finite, or a standard error is not positive.

    References
    ----------
    Cochran, W. G. (1954). The combination of estimates from different experiments. Biometrics 10, 101-129.

    Gail, M. & Simon, R. (1985). Testing for qualitative interactions between treatment effects and patient subsets.
    Biometrics 41, 361-372.

    Examples
    --------
    >>> from evalstats.paired import subgroup_test_from_estimates
    >>> result = subgroup_test_from_estimates([0.2, 0.03, -0.25], [0.08, 0.11, 0.12], subgroups=["a", "b", "c"])
    >>> print(f"p = {result.pvalue:.4f}, change of sign p = {result.crossover_pvalue:.4f}")
    p = 0.0075, change of sign p = 0.0472
    """
    d = _checks.finite(_checks.numbers(difference, "difference"), "difference")
    error = _checks.finite(_checks.numbers(standard_error, "standard_error"), "standard_error")
    _labels.same_labels(difference=difference, standard_error=standard_error)
    if d.ndim != 1 or d.shape != error.shape or d.size < 2:
        raise InvalidValueError(
            f"difference and standard_error must hold one value for each of two subgroups or more, but their shapes "
            f"are {d.shape} and {error.shape}"
        )
    if error.min() <= 0:
        raise InvalidValueError(
            f"standard_error must be positive, but standard_error[{error.argmin()}] is {error.min():g}"
        )
    names = list(range(d.size)) if subgroups is None else list(_checks.listed(subgroups, "subgroups", "names"))
    if len(names) != d.size or len(set(map(_checks.label_text, names))) != d.size:
        raise InvalidValueError(f"subgroups must hold {d.size} different names, not {listed(names)}")
    level = _checks.confidence_level(confidence_level)
    every = np.ones(d.size, dtype=np.bool_)
    known = _Known(
        names, np.zeros(d.size, dtype=np.int64), d, error, every, level, None if margin is None else _margin(margin)
    )
    return _result(known, [], {})


def gap_change_test(
    y_true: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    subgroup: ArrayLike,
    *,
    rate: str = "tpr",
    pos_label: Any = None,
    clusters: ArrayLike | None = None,
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = None,
) -> SubgroupTestResult:
    """Test whether two classifiers have equal gaps in a rate between subgroups.

    The null hypothesis is that the difference between the rates of x and y is the same in all subgroups. Under this
    null hypothesis, the gaps of the two classifiers are equal. For two subgroups, the gap of x minus the gap of y is
    the difference in the first subgroup minus the difference in the second.

    Parameters
    ----------
    y_true, x, y : array_like of shape (n,)
        True labels, and the labels that two classifiers predict.
    subgroup : array_like of shape (n,)
        As in `subgroup_test`.
    rate : {'tpr', 'fpr', 'selection_rate', 'accuracy'}, default: 'tpr'
        ``'tpr'``, ``'fpr'`` and ``'selection_rate'``: rate of positive predictions among the positive, the negative, or
        all instances. ``'accuracy'``: rate of correct predictions.
    pos_label : label, optional
        The positive class. Default: the greater of two labels.
    clusters, method, confidence_level, n_resamples
        As in `subgroup_test`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    SubgroupTestResult
        Differences between the rates in each subgroup, and their interaction.

    Raises
    ------
    ValueError, TypeError
        As in `subgroup_test`, or if there are no instances of the class that `rate` uses.

    See Also
    --------
    evalstats.metrics.group_gaps : the gaps of one classifier, with intervals.

    References
    ----------
    Hardt, M., Price, E. & Srebro, N. (2016). Equality of opportunity in supervised learning. NeurIPS 29.

    Examples
    --------
    >>> from evalstats.paired import gap_change_test
    >>> y_true, groups = [1] * 60, ["a"] * 30 + ["b"] * 30
    >>> x, y = [1] * 24 + [0] * 6 + [1] * 12 + [0] * 18, [1] * 23 + [0] * 7 + [1] * 22 + [0] * 8
    >>> result = gap_change_test(y_true, x, y, groups)
    >>> print(f"{result.difference[0] - result.difference[1]:.2f}, p = {result.pvalue:.4f}")
    0.37, p = 0.0003
    """
    rate = _checks.choice(rate, "rate", RATES)
    _labels.same_labels(y_true=y_true, x=x, y=y, subgroup=subgroup, clusters=clusters)
    positive = [positive_cases(understand(v, n), pos_label, greater_of_two=True) for v, n in _named(y_true, x, y)]
    true, first, second = positive
    if not true.shape == first.shape == second.shape or true.ndim != 1:
        raise InvalidValueError(f"y_true, x and y must be paired, but their shapes are {[v.shape for v in positive]}")
    if rate == "accuracy":
        first, second = first == true, second == true
    kept = {"tpr": true, "fpr": ~true}.get(rate, np.ones(true.shape, dtype=np.bool_))
    if not kept.any():
        raise InvalidValueError(f"rate={rate!r} needs instances of its class, but y_true has no such instance")
    return subgroup_test(
        first[kept].astype(np.float64),
        second[kept].astype(np.float64),
        _kept(subgroup, "subgroup", kept),
        clusters=None if clusters is None else _kept(clusters, "clusters", kept),
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
    )


def _kept(value: Any, name: str, kept: BoolArray) -> AnyArray:
    """Select the subgroups or clusters of the instances that are kept."""
    array = _checks.mixed(value, name)
    if array.shape != kept.shape:
        raise InvalidValueError(
            f"{name} must have one value for each of {kept.size} instances, but its shape is {array.shape}"
        )
    return array[kept]


DECLARATIONS = (
    Declaration(
        function=subgroup_test,
        data=Data.SUBGROUPS,
        excused=ONE_PROBLEM | OF_SIZES,
        inputs={"x, y, subgroup": Draw("pairs_in_subgroups"), "method": ("asymptotic",)},
        sentence=(
            "Test of equal differences in {n_subgroups:count subgroup}: {f_or_chi2}, {outcome}; change of sign "
            "{crossover_pvalue:p}"
        ),
    ),
)


class _Units(NamedTuple):
    """Sums of the differences of the units, their numbers of instances, and their subgroups."""

    sums: FloatArray
    sizes: FloatArray
    group: IndexArray
    are_clusters: bool


class _Moments(NamedTuple):
    difference: FloatArray
    variance: FloatArray


class _Known(NamedTuple):
    """Counts and estimates of each subgroup, and whether the subgroup is tested."""

    names: list[Any]
    n: IntArray
    difference: FloatArray
    error: FloatArray
    tested: BoolArray
    level: float
    margin: float | None
    n_units: IntArray | None = None  # numbers of units for the standard errors; None for the normal distribution


def _named(*values: Any) -> list[tuple[Any, str]]:
    return list(zip(values, ("y_true", "x", "y"), strict=True))


def _margin(value: Any) -> float:
    margin = _checks.finite_real(value, "margin")
    if margin <= 0:
        raise InvalidValueError(f"margin must be above 0, not {margin}")
    return margin


def _subgroups(subgroup: Any, n: int) -> tuple[IndexArray, list[Any]]:
    """Return the index of the subgroup of each instance, and the names in sorted order."""
    given = np.asarray(subgroup, dtype=object)
    is_missing = np.array(
        [_checks.is_no_label(one) or (isinstance(one, str) and not one) for one in given.ravel()], dtype=np.bool_
    )
    if is_missing.any():
        given = np.where(is_missing, "not given", np.array([str(v) for v in given.ravel()], dtype=object))
    code, names = numbered(given.tolist() if given.ndim == 1 else subgroup, "subgroup", "subgroup", n)
    if len(names) < 2:
        raise InvalidValueError(f"subgroup must hold two subgroups or more, but it holds {listed(names)} only")
    if len(names) > MANY_SUBGROUPS:
        warnings.warn(
            f"there are {len(names)} subgroups, so each may have few instances", EvalstatsWarning, stacklevel=3
        )
    order = sorted(range(len(names)), key=lambda i: names[i])
    rank = np.empty(len(names), dtype=np.intp)
    rank[order] = np.arange(len(names))
    return rank[code], [names[i] for i in order]


def _units(d: FloatArray, code: IndexArray, clusters: Any, n: int) -> _Units:
    if clusters is None:
        return _Units(d, np.ones(n), code, are_clusters=False)
    unit, names = numbered(clusters, "clusters", "cluster", n)
    group = np.empty(len(names), dtype=np.intp)
    group[unit] = code
    sums = np.bincount(unit, d).astype(np.float64)
    crossing = np.flatnonzero(group[unit] != code)
    if crossing.size:
        raise InvalidValueError(f"clusters must not cross subgroups, but cluster {names[unit[crossing[0]]]!r} does")
    return _Units(sums, np.bincount(unit).astype(np.float64), group, are_clusters=True)


def _moments(units: _Units, k: int, precision: float) -> _Moments:
    n = np.bincount(units.group, units.sizes, k)
    difference = np.bincount(units.group, units.sums, k) / n
    noise = precision * max(float(np.abs(units.sums).max()), 1e-300)
    difference[np.abs(difference) <= noise] = 0
    residual = units.sums - difference[units.group] * units.sizes
    residual[np.abs(residual) <= noise * units.sizes] = 0
    variance = np.bincount(units.group, residual**2, k) / n**2
    if units.are_clusters:
        c = np.bincount(units.group, minlength=k)
        variance *= c / np.maximum(c - 1, 1)
    return _Moments(difference, variance)


def _is_correctness(values: FloatArray) -> bool:
    return bool(((values == 0) | (values == 1)).all())


def _too_small(names: list[Any], small: BoolArray) -> str:
    if not small.any():
        return ""
    return f"subgroups of fewer than {FEWEST_INSTANCES} instances or clusters are not tested: {_names(names, small)}"


def _without_variance(names: list[Any], constant: BoolArray, method: str) -> str:
    if not constant.any():
        return ""
    where = "have no limits" if method == "permutation" else "have no limits and are not part of the interaction"
    return f"subgroups whose differences do not vary {where}: {_names(names, constant)}"


def _names(names: list[Any], chosen: BoolArray) -> str:
    return listed([name for name, one in zip(names, chosen.tolist(), strict=True) if one])


def _result(known: _Known, told: list[str], extra: dict[str, Any]) -> SubgroupTestResult:
    """Return the result for estimates with standard errors; `extra` replaces the chi-squared test."""
    from scipy.special import ndtri

    tested, d = known.tested, known.difference
    k = int(tested.sum())
    error = np.where(tested, known.error, np.nan)
    scale, df = _small_samples(known)
    with np.errstate(over="ignore"):
        z = d / error / scale
    each = np.full(d.size, np.nan)
    each[tested] = tails.t_pvalue(z[tested], df[tested])
    adjusted = adjust_pvalues(each, "holm", nan_policy="omit")
    level = (1 + known.level ** (1 / max(k, 1))) / 2
    reach = scale * tails.t_quantile(df, level)
    lower, upper = d - reach * error, d + reach * error
    mean, mean_error, q = _interaction(d[tested], error[tested])
    # normal values that have the p-values of the subgroups
    least, crossing = _crossover(np.where(np.isinf(df), z, -np.sign(d) * ndtri(each / 2))[tested])
    if k < 2:
        told = [*told, "fewer than two subgroups can be tested"]
    noninferior = math.nan
    if known.margin is not None and k:
        with np.errstate(over="ignore"):
            lead = (d + known.margin) / error / scale
        noninferior = float(tails.t_pvalue(lead[tested], df[tested], "greater").max())
    fields: dict[str, Any] = {
        "statistic": q,
        "pvalue": float(tails.chi2_pvalue(np.array(q), k - 1)) if k > 1 else math.nan,
        "method": "chi2",
        "df": max(k - 1, 0),
        "exact_pvalue": math.nan,
        "n_clusters": None,
        "n_resamples": None,
        "seed": None,
    }
    return SubgroupTestResult(
        alternative="two-sided",
        reason="; ".join(told) or None,
        n_subgroups=k,
        subgroups=tuple(known.names),
        n_instances=known.n,
        difference=d,
        standard_error=known.error,
        lower=lower,
        upper=upper,
        subgroup_pvalue=each,
        adjusted_pvalue=adjusted,
        mean_difference=mean,
        mean_standard_error=mean_error,
        worst_subgroup=known.names[int(np.nanargmin(lower))] if k else None,
        worst_lower=float(np.nanmin(lower)) if k else math.nan,
        crossover_statistic=least,
        crossover_pvalue=crossing,
        margin=known.margin,
        noninferiority_pvalue=noninferior,
        confidence_level=known.level,
        **(fields | extra),
    )


def _interaction(d: FloatArray, error: FloatArray) -> tuple[float, float, float]:
    """Return the weighted mean, its standard error, and Cochran's (1954) Q."""
    if not d.size:
        return math.nan, math.nan, math.nan
    least = float(error.min())
    weight = (least / error) ** 2  # relative to the largest, which prevents overflow and underflow
    mean = float((weight * d).sum() / weight.sum())
    with np.errstate(over="ignore"):
        q = float((((d - mean) / error) ** 2).sum()) if d.size > 1 else math.nan
    return mean, least / math.sqrt(weight.sum()), q


def _small_samples(known: _Known) -> tuple[FloatArray, FloatArray]:
    """Return the factors of the standard errors and the degrees of freedom of t for small subgroups."""
    if known.n_units is None:
        return np.ones(known.difference.size), np.full(known.difference.size, np.inf)
    n = np.maximum(known.n_units, 2)
    is_small = n < FEW_INSTANCES
    return np.where(is_small, np.sqrt(n / (n - 1)), 1.0), np.where(is_small, n - 1.0, np.inf)


def _crossover(z: FloatArray) -> tuple[float, float]:
    """Return Gail and Simon's (1985) statistic and p-value."""
    from scipy.stats import binom

    k = z.size
    if k < 2:
        return math.nan, math.nan
    with np.errstate(over="ignore"):
        least = float(min((z[z > 0] ** 2).sum(), (z[z < 0] ** 2).sum()))
    if least == 0:
        return 0.0, 1.0
    h = np.arange(1, k)
    tail = np.array([float(tails.chi2_pvalue(np.array(least), int(df))) for df in h])
    return least, float(tails.as_pvalue((binom.pmf(h, k - 1, 0.5) * tail).sum()))
