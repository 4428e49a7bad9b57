"""McNemar's test for two classifiers on the same test set."""

from __future__ import annotations

__all__ = [
    "McNemarMethod",
    "McNemarMethods",
    "McNemarTestResult",
    "correctness",
    "mcnemar_test",
    "table_of_right",
    "understand_answers",
]

import math
from dataclasses import dataclass
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import CONFIDENCE_LEVELS, ONE_PROBLEM, Data, Declaration, Draw
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._result import ConfidenceInterval, HypothesisTestResult, Record, reasons
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import discordant_groups
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.discordant_groups import Leads
from evalstats.paired.accuracy_difference_interval import (
    LARGEST,
    discordant,
    newcombe_limit,
    swapped,
    tango_limit,
    unconditional_pvalue,
)

METHODS = (*discordant_groups.METHODS, "unconditional")
INTERVALS = ("tango", "newcombe")
NO_DISCORDANT_CASE = "x and y are correct on the same instances, so there are no discordant instances to test"
NO_GROUP_LEADS = "x and y are correct equally often in every cluster, so there is no difference to test"

# up to this number, the squares of sums of counts are exact enough for every formula
LARGEST_COUNT = 2**50
# a sum of this number of zeros and ones is exact in single precision, and blocks of this length fit into the cache
BLOCK = 2**14


@dataclass(frozen=True, kw_only=True, eq=False)
class McNemarTestResult(HypothesisTestResult):
    """Result of `mcnemar_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        For ``'exact'`` and ``'midp'``: the number of instances that only x classifies correctly or, with clusters, the
        sum of the positive cluster differences. For ``'asymptotic'`` and ``'unconditional'``: chi-squared with one
        degree of freedom. The statistic does not depend on the alternative.
    pvalue : float or ndarray
        The p-value.
    table : ndarray of int, of shape (..., 2, 2)
        ``[[both correct, only x], [only y, neither]]``.
    n_instances, n_discordant : int or ndarray
        Number of instances and number of discordant instances.
    difference : float or ndarray
        Accuracy of x minus accuracy of y.
    odds_ratio : float or ndarray
        Number of instances that only x classifies correctly, divided by the number that only y classifies correctly.
        The ratio is infinite if only the second number is 0, and nan if both numbers are 0.
    min_attainable_pvalue : float or ndarray
        Minimum attainable p-value for the observed number of discordant instances: the p-value if x (or y) is correct
        on all of them. With clusters, it is the p-value if x (or y) leads in all clusters.
    correction : bool
        Value that was passed to the function. Only ``'asymptotic'`` uses the correction.
    n_clusters : int or None
        Number of clusters, or None if each instance is independent.
    """

    table: IntArray
    n_instances: Any
    n_discordant: Any
    difference: Any
    odds_ratio: Any
    min_attainable_pvalue: Any
    correction: bool
    n_clusters: int | None

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str = "tango") -> ConfidenceInterval:
        """Compute a confidence interval for the accuracy of x minus the accuracy of y.

        The interval is in [-1, 1] and has a positive width even without discordant instances. The interval is one-sided
        if the alternative is one-sided. With clusters, the interval would be too narrow, so an error is raised.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Approximate coverage of the interval.
        method : {'tango', 'newcombe'}, default: 'tango'
            ``'tango'``: the differences that a score test does not reject. The two-sided interval excludes 0 exactly if
            the asymptotic test without correction rejects. ``'newcombe'``: Newcombe's method 10, which combines
            Wilson's intervals for the two accuracies. This interval is narrow if almost no instance is discordant.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, differences of accuracies.

        References
        ----------
        Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the
        paired-sample design. Statistics in Medicine 17, 891-908, section 4.

        Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial proportions based on
        paired data. Statistics in Medicine 17, 2635-2650, method 10.

        Examples
        --------
        >>> from evalstats.paired import mcnemar_test
        >>> low, high = mcnemar_test(counts=[[59, 6], [16, 80]]).confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.1240 -0.0054
        """
        level = _checks.confidence_level(confidence_level)
        method = _checks.choice(method, "method", INTERVALS)
        self._refuse_groups("confidence_interval")
        lower_limit = {"tango": tango_limit, "newcombe": newcombe_limit}[method]
        z = _quantile(self._tail(level))
        # if only x is correct, only y is incorrect: the upper limit is minus the lower limit of y against x
        return self._interval(level, lower_limit(self.table, z), -lower_limit(swapped(self.table), z), (-1.0, 1.0))

    def odds_ratio_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the exact confidence interval for the odds that x is the correct classifier on a discordant instance.

        The interval is the Clopper-Pearson (1934) interval for the proportion of discordant instances on which x is
        correct, converted to odds. The interval excludes 1 exactly if the exact test rejects. It is one-sided if the
        alternative is one-sided. Without discordant instances, its limits are 0 and infinity. With clusters, the
        interval would be too narrow, so an error is raised.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, which are odds from 0 to infinity.

        Examples
        --------
        >>> from evalstats.paired import mcnemar_test
        >>> low, high = mcnemar_test(counts=[[59, 6], [16, 80]]).odds_ratio_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        0.1202 1.0089
        """
        level = _checks.confidence_level(confidence_level)
        self._refuse_groups("odds_ratio_interval")
        only_x, only_y = discordant(self.table)
        tail = self._tail(level)
        with np.errstate(divide="ignore"):
            high = 1 / _odds_limit(only_y, only_x, tail)
        return self._interval(level, _odds_limit(only_x, only_y, tail), high, (0.0, math.inf))

    def all_methods(
        self, *, difference: float | None = None, alpha: float = 0.05, confidence_level: float = 0.95
    ) -> McNemarMethods:
        """Return the p-values of all methods, the intervals, and the power of each method.

        Choose the method before you see the p-values. If you choose the method with the smallest p-value, the type-I
        error rate is not controlled.

        Parameters
        ----------
        difference : float, optional
            Accuracy of x minus accuracy of y for which the power is computed, with the observed proportion of
            discordant instances. Choose a difference that is relevant in practice, because the power for the observed
            difference contains no more information than the p-value.
        alpha : float, default: 0.05
            Significance level for which the power is computed: the test rejects if p <= alpha.
        confidence_level : float, default: 0.95
            Nominal coverage of each interval.

        Returns
        -------
        McNemarMethods

        Raises
        ------
        InvalidValueError
            If the instances are in clusters, the result is a batch, or `difference` exceeds the proportion of
            discordant instances.

        Examples
        --------
        >>> from evalstats.paired import mcnemar_test
        >>> found = mcnemar_test(counts=[[59, 6], [16, 80]]).all_methods(difference=-0.08)
        >>> for one in found.methods:
        ...     print(f"{one.method:13} p = {one.pvalue:.4f}, power {one.power:.2f}")
        exact         p = 0.0525, power 0.75
        midp          p = 0.0347, power 0.81
        asymptotic    p = 0.0330, power 0.83
        asymptotic    p = 0.0550, power 0.74
        unconditional p = 0.0342, power nan
        """
        self._refuse_groups("all_methods")
        if self.table.ndim > 2:
            raise InvalidValueError(f"all_methods is for one table, but the shape is {self.table.shape}")
        alpha = _checks.proportion(alpha, "alpha")
        discordance = self.n_discordant / self.n_instances
        if difference is not None and abs(difference := _checks.real(difference, "difference")) > discordance:
            raise InvalidValueError(
                f"the absolute value of difference must be at most {discordance:.4g}, the proportion of discordant "
                "instances, not "
                f"{difference:g}"
            )
        return McNemarMethods(
            table=self.table,
            n_instances=self.n_instances,
            n_discordant=self.n_discordant,
            alternative=self.alternative,
            difference=self.difference,
            tango=self.confidence_interval(confidence_level),
            newcombe=self.confidence_interval(confidence_level, method="newcombe"),
            odds_ratio=self.odds_ratio,
            clopper_pearson=self.odds_ratio_interval(confidence_level),
            methods=tuple(
                self._by_method(method, correction, difference, alpha)
                for method, correction in _CHOICES
                if method != "unconditional" or self.n_instances <= LARGEST
            ),
            power_for=difference,
            alpha=alpha,
            reason=self.reason,
        )

    def _by_method(self, method: str, correction: bool, difference: float | None, alpha: float) -> McNemarMethod:
        found = mcnemar_test(counts=self.table, alternative=self.alternative, method=method, correction=correction)
        power = math.nan
        if difference is not None and method != "unconditional":
            p_x, p_y = ((self.n_discordant / self.n_instances + d) / 2 for d in (difference, -difference))
            power = discordant_groups.power(self.n_instances, p_x, p_y, alpha, self.alternative, method, correction)
        return McNemarMethod(
            method=method,
            correction=correction if method == "asymptotic" else None,
            statistic=found.statistic,
            pvalue=found.pvalue,
            min_attainable_pvalue=found.min_attainable_pvalue,
            controls_level=method in ("exact", "unconditional"),
            power=power,
        )

    def _refuse_groups(self, interval: str) -> None:
        if self.n_clusters is not None:
            raise InvalidValueError(
                f"{interval} assumes independent instances, but they are in {self.n_clusters} clusters; "
                "resample whole clusters instead"
            )

    def _tail(self, level: float) -> float:
        return (1 - level) / 2 if self.alternative == "two-sided" else 1 - level

    def _interval(
        self, level: float, low: FloatArray, high: FloatArray, ends: tuple[float, float]
    ) -> ConfidenceInterval:
        if self.alternative == "less":
            low = np.full_like(low, ends[0])
        if self.alternative == "greater":
            high = np.full_like(high, ends[1])
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=np.full(low.shape, level))


# every method, with and without the continuity correction
_CHOICES = (("exact", True), ("midp", True), ("asymptotic", False), ("asymptotic", True), ("unconditional", True))


@dataclass(frozen=True, kw_only=True, eq=False)
class McNemarMethod(Record):
    """One method of McNemar's test.

    Attributes
    ----------
    method : str
        ``'exact'`` (conditional on the number of discordant instances), ``'midp'``, ``'asymptotic'`` or
        ``'unconditional'``.
    correction : bool or None
        Continuity correction of ``'asymptotic'``, or None for the other methods.
    statistic, pvalue, min_attainable_pvalue : float
        As in `McNemarTestResult`.
    controls_level : bool
        Whether the type-I error rate is at most alpha for every number of instances.
    power : float
        Power for the given difference. The power is nan if no difference was passed, and for ``'unconditional'``.
    """

    method: str
    correction: bool | None
    statistic: float
    pvalue: float
    min_attainable_pvalue: float
    controls_level: bool
    power: float


@dataclass(frozen=True, kw_only=True, eq=False)
class McNemarMethods(Record):
    """Result of `McNemarTestResult.all_methods`. `to_frame` returns a table with one row for each method.

    Attributes
    ----------
    table, n_instances, n_discordant, alternative, difference, odds_ratio, reason
        As in `McNemarTestResult`.
    tango, newcombe : ConfidenceInterval
        Confidence intervals for the difference between the accuracies.
    clopper_pearson : ConfidenceInterval
        Exact confidence interval for the odds ratio.
    methods : tuple of McNemarMethod
        One entry for each method. ``'unconditional'`` is included for up to 2000 instances.
    power_for : float or None
        The difference between the accuracies for which the power was computed.
    alpha : float
        Significance level for which the power was computed.
    """

    table: IntArray
    n_instances: int
    n_discordant: int
    alternative: str
    difference: float
    tango: ConfidenceInterval
    newcombe: ConfidenceInterval
    odds_ratio: float
    clopper_pearson: ConfidenceInterval
    methods: tuple[McNemarMethod, ...]
    power_for: float | None
    alpha: float
    reason: str | None

    def _rows(self) -> tuple[McNemarMethod, ...]:
        return self.methods


def mcnemar_test(
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *labels: Never,
    counts: ArrayLike | None = None,
    alternative: str = "two-sided",
    method: str = "exact",
    correction: bool = True,
    clusters: ArrayLike | None = None,
) -> McNemarTestResult:
    """Test whether two classifiers have equal accuracy on the same instances.

    The test uses only the discordant instances, on which exactly one classifier is correct. The null hypothesis is that
    both classifiers have the same accuracy, so either classifier is equally likely to be correct on a discordant
    instance.

    Parameters
    ----------
    x, y : array_like of bool, of shape (..., n)
        Whether each classifier is correct on each of n instances, such as ``prediction == y_true``: True and False, or
        1 and 0. The instances must be independent, or `clusters` must contain their clusters. Leading axes are batch
        dimensions and broadcast; for all pairs of k classifiers, see `pairwise_mcnemar_test`.
    *labels
        Additional arguments raise an error, because the test accepts the correctness of each prediction, not the true
        labels and two predictions.
    counts : array_like of int, of shape (..., 2, 2), optional
        Instead of `x` and `y`: numbers of instances ``[[both correct, only x], [only y, neither]]``. Leading axes are
        batch dimensions. The row and column labels of a data frame must be True, then False (or 1, then 0), whereas
        `pandas.crosstab` puts False first.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x is correct more often than y. ``'less'``: x is correct less often than y.
    method : {'exact', 'midp', 'asymptotic', 'unconditional'}, default: 'exact'
        ``'exact'``: the binomial distribution of the discordant instances, which controls the type-I error rate.
        ``'midp'``: the same distribution, but the observed outcome has the weight 1/2. The type-I error rate is close
        to the significance level and rarely above it. ``'asymptotic'``: chi-squared with one degree of freedom, or its
        signed square root if the alternative is one-sided. ``'unconditional'``: the p-value of the square root of
        chi-squared, maximized over the probability of discordant instances, for up to 2000 instances. This method
        controls the type-I error rate and rejects more often than ``'exact'``.
    correction : bool, default: True
        Continuity correction of ``'asymptotic'``, as in R: the difference between the two counts is reduced by 1, but
        not below 0.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, if several instances are correlated (sentences of a document, images of a patient):
        names or numbers, in any order. With clusters, only the clusters must be independent of each other. The null
        hypothesis is that swapping x and y in all instances of a cluster does not change the distribution of their
        values. ``'exact'`` and ``'midp'`` use the permutation distribution over all such swaps, and ``'asymptotic'``
        uses chi-squared with the variance between clusters. If all clusters have size one, the result equals the result
        without clusters.

    Returns
    -------
    McNemarTestResult
        The statistic and the p-value. The result also contains the table of counts, the difference between the
        accuracies, the odds ratio, the minimum attainable p-value, `confidence_interval` and `odds_ratio_interval`.

    Raises
    ------
    ValueError, TypeError
        If x and y are not paired, are empty, or contain values other than True and False (or 1 and 0). If an option is
        unknown, or if `clusters` does not have one cluster label for each instance. If the counts are not 2 x 2
        integers of at least 0, are all 0, or are given together with other data.

    Notes
    -----
    Let b be the number of instances that only x classifies correctly, and c the number that only y classifies
    correctly. The exact p-value of ``'greater'`` is P(B >= b) for B binomial (b + c, 1/2). The mid-p value is P(B > b)
    + P(B = b) / 2. The p-value of ``'two-sided'`` is twice the smaller tail, at most 1. Chi-squared is (b - c)^2 / (b +
    c), or max(abs(b - c) - 1, 0)^2 / (b + c) with the correction. If b + c = 0, p is 1 and `reason` states the cause.

    With clusters, let d_g be the number of instances of cluster g that x classifies correctly minus the number for y.
    Chi-squared is (sum of d_g)^2 / (sum of d_g^2). For clusters of equal size, this value is the statistic of Durkalski
    et al. For K clusters, it is K / (K - 1) times Obuchowski's statistic.

    References
    ----------
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or percentages.
    Psychometrika 12, 153-157.

    Edwards, A. L. (1948). Note on the "correction for continuity" in testing the significance of the difference between
    correlated proportions. Psychometrika 13, 185-187.

    Fagerland, M. W., Lydersen, S. & Laake, P. (2013). The McNemar test for binary matched-pairs data: mid-p and
    asymptotic are better than exact conditional. BMC Medical Research Methodology 13, 91.

    Suissa, S. & Shuster, J. J. (1991). The 2 x 2 matched-pairs trial: exact unconditional design and analysis.
    Biometrics 47, 361-372.

    Obuchowski, N. A. (1998). On the comparison of correlated proportions for clustered data. Statistics in Medicine 17,
    1495-1507.

    Durkalski, V. L., Palesch, Y. Y., Lipsitz, S. R. & Rust, P. F. (2003). Analysis of clustered matched-pair data.
    Statistics in Medicine 22, 2417-2428.

    Examples
    --------
    Ten instances. Only x is correct on five of them, and there is no instance on which only y is correct.

    >>> from evalstats import mcnemar_test
    >>> x = [True, True, True, True, True, True, True, True, False, False]
    >>> y = [True, True, True, False, False, False, False, False, False, False]
    >>> result = mcnemar_test(x, y)
    >>> print(result.table)
    [[3 5]
     [0 2]]
    >>> result.difference, result.pvalue
    (0.5, 0.0625)
    >>> mcnemar_test(x, y, method="midp").pvalue
    0.03125

    The same instances, two from each of five documents. Only in three documents is x correct more often than y:

    >>> mcnemar_test(x, y, clusters=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5]).pvalue
    0.25

    The counts of a published table:

    >>> result = mcnemar_test(counts=[[59, 6], [16, 80]])
    >>> result.n_discordant, result.odds_ratio
    (22, 0.375)
    >>> print(f"{result.pvalue:.4f}")
    0.0525
    """
    if labels:
        raise InvalidTypeError(
            "mcnemar_test needs the correctness (True, False) of each prediction; for true labels y and predictions "
            "a and b, call mcnemar_test(a == y, b == y)"
        )
    table, right_x, right_y = understand_answers(x, y, counts, clusters)
    choices = _understand(alternative, method, correction)
    if clusters is None:
        return _result(table, discordant_groups.leads_of_cases(*discordant(table)), *choices, n_clusters=None)
    if method == "unconditional":
        raise InvalidValueError(
            "method='unconditional' assumes independent instances; with clusters, use 'exact', 'midp' or 'asymptotic'"
        )
    leads, n_clusters = _leads_of_groups(right_x, right_y, clusters, x=x, y=y)
    return _result(table, leads, *choices, n_clusters=n_clusters)


DECLARATIONS = (
    Declaration(
        function=mcnemar_test,
        data=Data.ANSWERS,
        excused=ONE_PROBLEM,
        inputs={
            "x, y, groups": Draw("answers"),
            "alternative": _checks.ALTERNATIVES,
            "method": ("exact", "midp", "asymptotic"),
            "correction": (True, False),
        },
        sentence=(
            "McNemar's test: only x is correct in {table[0, 1]:count instance} and only y in {table[1, 0]} of "
            "{n_instances}"
            "{in_groups}, {chi2_if_asymptotic}{p} ({law_of_answers})"
        ),
    ),
    Declaration(
        function=mcnemar_test,
        form="counts",
        data=Data.COUNTS,
        inputs={
            "counts": Draw("counts_of_answers"),
            "alternative": _checks.ALTERNATIVES,
            "method": ("exact", "midp", "asymptotic"),
            "correction": (True, False),
            "confidence_level": CONFIDENCE_LEVELS,
        },
    ),
)


def _understand(alternative: Any, method: Any, correction: Any) -> tuple[str, str, bool]:
    return (
        _checks.choice(alternative, "alternative", _checks.ALTERNATIVES),
        _checks.choice(method, "method", METHODS),
        _checks.boolean(correction, "correction"),
    )


def correctness(x: Any, y: Any) -> tuple[BoolArray, BoolArray]:
    """Return two samples of True and False, paired along their last axis, with leading axes that broadcast."""
    a, b = _checks.right_or_wrong(x, "x"), _checks.right_or_wrong(y, "y")
    _checks.pairing(x, y, a.shape, b.shape)
    return a, b


def understand_answers(x: Any, y: Any, counts: Any, clusters: Any = None) -> tuple[IntArray, BoolArray, BoolArray]:
    """Return the table of two classifiers, and, unless counts are given, which instances each classifies correctly."""
    if counts is None:
        right_x, right_y = correctness(x, y)
        return table_of_right(right_x, right_y), right_x, right_y
    _checks.instead("counts", x=x, y=y, clusters=clusters)
    none = np.empty(0, dtype=np.bool_)
    return counts_of_right(counts), none, none


def _leads_of_groups(right_x: BoolArray, right_y: BoolArray, clusters: Any, **beside: Any) -> tuple[Leads, int]:
    """Return the difference in the number of correct predictions in each cluster, and the number of clusters."""
    from evalstats.metrics.cluster_variance import sums_by_group, understand_groups

    by_group = understand_groups(clusters, right_x.shape[-1], **beside)
    leads = discordant_groups.leads_of_groups(sums_by_group(right_x, by_group), sums_by_group(right_y, by_group))
    return leads, len(by_group.starts)


def counts_of_right(value: Any, name: str = "counts", first: str = "a correct prediction") -> IntArray:
    """Return 2 x 2 tables of counts. The outcome True, which `first` names, comes first."""
    labels = _labels.square_labels(value, name, missing=0)
    table = whole_counts(value, name)
    if table.shape[-2:] != (2, 2):
        raise InvalidValueError(f"{name} must have the shape (..., 2, 2), but the shape is {table.shape}")
    if labels is not None and labels != (True, False) and not _labels.only_counts(value.index):
        raise InvalidValueError(
            f"the rows and columns of {name} must have the labels True and False (or 1 and 0) in this order, because "
            f"{first} comes first, but the labels are {_labels.shown(labels)}; reorder a cross table with "
            f"{name}.reindex(index=[True, False], columns=[True, False]), or pass {name}.to_numpy() if the order is "
            "correct"
        )
    return table


def whole_counts(value: Any, name: str = "table") -> IntArray:
    """Return tables of counts, or raise an error that names the value that is not a count."""
    table = _checks.finite(_checks.numbers(value, name), name)
    _checks.batch(table, name)
    if table.ndim < 2 or table.size == 0:
        raise InvalidValueError(f"{name} must have rows and columns, but the shape is {table.shape}")
    wrong = (table < 0) | (table != np.floor(table)) | (table > LARGEST_COUNT)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise InvalidValueError(
            f"{name} must hold whole numbers from 0 to 2^50, but {name}[{', '.join(map(str, at))}] is {table[at]}"
        )
    if (empty := table.sum(axis=(-2, -1)) == 0).any():
        which = f"{name}[{', '.join(map(str, np.argwhere(empty)[0]))}]" if empty.ndim else "the table"
        raise InvalidValueError(f"{name} must hold at least one instance, but {which} is all 0")
    return table.astype(np.int64)


def table_of_right(x: BoolArray, y: BoolArray) -> IntArray:
    """Return ``[[both correct, only x], [only y, neither]]``."""
    both = both_right(x, y)
    right_x, right_y = np.count_nonzero(x, axis=-1), np.count_nonzero(y, axis=-1)
    neither = x.shape[-1] - right_x - right_y + both
    cells = np.stack([both, right_x - both, right_y - both, neither], axis=-1)
    return cells.reshape(*both.shape, 2, 2).astype(np.int64)


def both_right(x: BoolArray, y: BoolArray) -> IntArray:
    """Count the instances on which both classifiers are correct, by matrix products.

    Leading axes of only x or only y become rows and columns of one product. The other leading axes form a stack of
    products.
    """
    n, n_axes = x.shape[-1], max(x.ndim, y.ndim) - 1
    of_x, of_y = ((1,) * (n_axes + 1 - a.ndim) + a.shape[:-1] for a in (x, y))
    stacked = [i for i in range(n_axes) if of_x[i] > 1 and of_y[i] > 1]
    rows = [i for i in range(n_axes) if of_x[i] > 1 and of_y[i] == 1]
    order = stacked + rows + [i for i in range(n_axes) if of_x[i] == 1]
    depth = math.prod(of_x[i] for i in stacked)
    a = x.reshape(*of_x, n).transpose(*order, n_axes).reshape(depth, -1, n)
    b = y.reshape(*of_y, n).transpose(*order, n_axes).reshape(depth, -1, n)
    is_same = a.ctypes.data == b.ctypes.data and a.shape == b.shape and a.strides == b.strides

    both = np.zeros((depth, a.shape[1], b.shape[1]), dtype=np.int64)
    for start in range(0, n, BLOCK):
        block = slice(start, start + BLOCK)
        left = a[..., block].astype(np.float32)
        # a product of one array and itself takes half the time
        right = left if is_same else b[..., block].astype(np.float32)
        both += np.matmul(left, right.swapaxes(-1, -2)).astype(np.int64)
    sizes = [max(of_x[i], of_y[i]) for i in order]
    return both.reshape(sizes).transpose(np.argsort(order).tolist())


def _result(
    table: IntArray, leads: Leads, alternative: str, method: str, correction: bool, *, n_clusters: int | None
) -> McNemarTestResult:
    only_x, only_y = discordant(table)
    n_instances, n_discordant = table.sum(axis=(-2, -1)), only_x + only_y

    if method == "unconditional":
        statistic = discordant_groups.chi2(leads, False)
        pvalue, smallest = _unconditional(only_x, only_y, n_instances, alternative)
    else:
        is_count = method != "asymptotic"
        statistic = leads.of_x.astype(np.float64) if is_count else discordant_groups.chi2(leads, correction)
        pvalue = discordant_groups.pvalue(leads, alternative, method, correction)
        smallest = discordant_groups.min_attainable_pvalue(leads, alternative, method, correction)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds_ratio = np.asarray(only_x / only_y)
    none = NO_DISCORDANT_CASE if n_clusters is None else NO_GROUP_LEADS

    return McNemarTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(only_x.shape, method),
        reason=reasons(only_x.shape, (leads.squares == 0, none)),
        table=table,
        n_instances=n_instances,
        n_discordant=n_discordant,
        difference=(only_x - only_y) / n_instances,
        odds_ratio=odds_ratio,
        min_attainable_pvalue=smallest,
        correction=correction,
        n_clusters=n_clusters,
    )


def _unconditional(only_x: IntArray, only_y: IntArray, n: IntArray, alternative: str) -> tuple[FloatArray, FloatArray]:
    """Return the largest p-value over all proportions of discordant instances, and the minimum attainable p-value."""
    if (most := int(np.max(n))) > LARGEST:
        raise InvalidValueError(
            f"method='unconditional' would take too long for {most} instances (the limit is {LARGEST}); use "
            "method='midp'"
        )
    pvalues = np.ones((2, *np.shape(n)))
    for at in np.ndindex(np.shape(n)):
        b, c = int(only_x[at]), int(only_y[at])
        more, fewer = {"greater": (b, c), "less": (c, b), "two-sided": (max(b, c), min(b, c))}[alternative]
        # under the null hypothesis, both classifiers are exchangeable, so the other tail has the same probability
        n_sides = 2 if alternative == "two-sided" else 1
        for i, (wins, losses) in enumerate([(more, fewer), (b + c, 0)]):
            if wins + losses and (n_sides == 1 or wins > losses):
                pvalues[i, *at] = n_sides * unconditional_pvalue(wins, losses, int(n[at]), 0.0)
    return tails.as_pvalue(pvalues[0]), tails.as_pvalue(pvalues[1])


def _quantile(tail: float) -> float:
    from scipy.special import ndtri

    return -float(ndtri(tail))


def _odds_limit(only_x: IntArray, only_y: IntArray, tail: float) -> FloatArray:
    """Return the odds for which a count of at least the observed count has the probability `tail`."""
    from scipy.special import betainccinv, betaincinv

    b, c = np.maximum(only_x, 1.0), only_y + 1.0
    return np.where(only_x > 0, betaincinv(b, c, tail) / betainccinv(c, b, tail), 0.0)
