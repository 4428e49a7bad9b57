"""Comparison of the predictive values of two classifiers on the same instances."""

from __future__ import annotations

__all__ = ["PredictiveValueTestResult", "predictive_value_test"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import CONFIDENCE_LEVELS, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, HypothesisTestResult, interval_of, reasons
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.proportions import proportion_interval
from evalstats.paired.sensitivity_specificity import SAME_RESULTS, tables_of_results

VALUES = ("positive", "negative")
METHODS = ("weighted", "score", "ratio")
NO_RESULT = "x or y predicts no instance as {value}, so its {value} predictive value is undefined"
EQUAL_VALUES = "both predictive values are {bound}, so the variance of their difference is 0"
NO_RATIO = "a predictive value is 0, so the standard error of the ratio is undefined; use method='weighted'"


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictiveValueTestResult(HypothesisTestResult):
    """Result of `predictive_value_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Chi-squared with one degree of freedom.
    pvalue : float or ndarray
        The p-value. It is nan if a predictive value is undefined.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        ``'weighted'``, ``'score'`` or ``'ratio'``. Each method is a chi-squared approximation.
    reason : str, None or ndarray of object
        A sentence if a predictive value or a ratio is undefined, or if there is nothing to test, otherwise None.
    value : str
        ``'positive'`` or ``'negative'``: the predictive value that was compared.
    value_x, value_y : float or ndarray
        The predictive values of x and y.
    difference, ratio : float or ndarray
        The difference value_x - value_y, and the ratio value_x / value_y.
    log_ratio_standard_error : float or ndarray
        Standard error of the logarithm of the ratio. It is nan if a predictive value is 0.
    n_x, n_y : int or ndarray of int
        Numbers of instances that x and y, respectively, predict to be positive (for the negative predictive value, to
        be negative).
    prevalence : float or None
        The prevalence that was passed, or None if it is the proportion of positive instances in the sample.
    positives, negatives : ndarray of int, of shape (..., 2, 2)
        Numbers of positive and of negative instances: ``[[both predict positive, only x], [only y, neither]]``.
    """

    value: str
    value_x: Any
    value_y: Any
    difference: Any
    ratio: Any
    log_ratio_standard_error: Any
    n_x: Any
    n_y: Any
    prevalence: float | None
    positives: IntArray
    negatives: IntArray

    def ratio_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the ratio of the predictive values, x divided by y.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Approximate coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            The interval is symmetric on the logarithmic scale. The limits are nan without a standard error.

        References
        ----------
        Moskowitz, C. S. & Pepe, M. S. (2006). Comparing the predictive values of diagnostic tests: sample size and
        analysis for paired study designs. Clinical Trials 3, 272-279.

        Examples
        --------
        >>> from evalstats.paired import predictive_value_test
        >>> result = predictive_value_test(positives=[[319, 78], [22, 32]], negatives=[[31, 53], [22, 155]])
        >>> low, high = result.ratio_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        0.9171 0.9916
        """
        level = _checks.confidence_level(confidence_level)
        factor = np.exp(_quantile(level) * np.asarray(self.log_ratio_standard_error))
        ratio = np.asarray(self.ratio)
        low = ratio / factor
        return interval_of(low, ratio * factor, level)

    def value_intervals(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute confidence intervals for both predictive values.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Approximate coverage of each of the two intervals.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high`` of shape (..., 2), for x and y. The intervals are Wilson's or, if a prevalence was
            passed, normal on the logit scale (Mercaldo, Lau & Zhou 2007). The limits are nan if a value is undefined.

        References
        ----------
        Mercaldo, N. D., Lau, K. F. & Zhou, X. H. (2007). Confidence intervals for predictive values with an emphasis to
        case-control studies. Statistics in Medicine 26, 2170-2183.

        Examples
        --------
        >>> from evalstats.paired import predictive_value_test
        >>> result = predictive_value_test(positives=[[319, 78], [22, 32]], negatives=[[31, 53], [22, 155]])
        >>> low, high = result.value_intervals()
        >>> low.round(3), high.round(3)
        (array([0.789, 0.828]), array([0.857, 0.896]))
        """
        level = _checks.confidence_level(confidence_level)
        called = _called(self.positives, self.negatives, self.value)
        hits, n = np.stack([called.hits_x, called.hits_y], -1), np.stack([called.n_x, called.n_y], -1)
        if self.prevalence is None:
            low, high = proportion_interval(hits, n, confidence_level=level)
        else:
            values = np.stack([np.asarray(self.value_x), np.asarray(self.value_y)], -1)
            low, high = _logit_limits(values, hits, n - hits, called, _quantile(level))
        undefined = n == 0
        low, high = np.where(undefined, np.nan, low), np.where(undefined, np.nan, high)
        return interval_of(low, high, level)


class Called(NamedTuple):
    """The instances that were called positive (or negative), and whether the calls are correct.

    Hits are the called instances that belong to the class. `both`, `only_x` and `only_y` are the numbers of instances
    that both classifiers, only x or only y call. The instances are of the class (``of_class``) or of the other class
    (``others``).
    """

    of_class: IntArray
    others: IntArray

    @property
    def hits_x(self) -> IntArray:
        """Number of instances that x calls correctly."""
        return np.asarray(self.of_class[..., 0, :].sum(axis=-1))

    @property
    def hits_y(self) -> IntArray:
        """Number of instances that y calls correctly."""
        return np.asarray(self.of_class[..., :, 0].sum(axis=-1))

    @property
    def n_x(self) -> IntArray:
        """Number of instances that x calls."""
        return np.asarray(self.hits_x + self.others[..., 0, :].sum(axis=-1))

    @property
    def n_y(self) -> IntArray:
        """Number of instances that y calls."""
        return np.asarray(self.hits_y + self.others[..., :, 0].sum(axis=-1))


def predictive_value_test(
    y_true: ArrayLike | None = None,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    positives: ArrayLike | None = None,
    negatives: ArrayLike | None = None,
    value: str = "positive",
    method: str | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
) -> PredictiveValueTestResult:
    """Test whether two classifiers have equal predictive values on the same instances.

    The positive predictive value (precision) is the proportion of positive instances among the instances that are
    predicted to be positive. The negative predictive value is the proportion of negative instances among the instances
    that are predicted to be negative. The null hypothesis is that both classifiers have the same predictive value. The
    denominators of the two values differ, so McNemar's test does not apply.

    Parameters
    ----------
    y_true, x, y : array_like of shape (..., n)
        True labels of n instances, and the labels that x and y predict. Each label is positive or negative. The
        instances must be independent. Leading axes are batch dimensions and broadcast.
    positives, negatives : array_like of int, of shape (..., 2, 2), optional
        Instead of the labels: numbers of positive and of negative instances by their predicted class,
        ``[[both predict positive, only x], [only y, neither]]``. Leading axes are batch dimensions and broadcast.
    value : {'positive', 'negative'}, default: 'positive'
        The predictive value to compare.
    method : {'weighted', 'score', 'ratio'}, optional
        ``'weighted'``: the weighted score test of Kosinski, which uses the pooled predictive value in the variance.
        ``'score'``: the generalized score test of Leisenring, Alonzo and Pepe. ``'ratio'``: the logarithm of the ratio
        of the values, divided by its standard error (Moskowitz and Pepe). Default: ``'weighted'``. With a prevalence,
        ``'ratio'`` is the default and the only choice.
    prevalence : float, optional
        Prevalence of the positive class in the population, between 0 and 1. Pass the prevalence if the proportion of
        positive instances in the sample was chosen by design, as in a case-control study. Default: the proportion in
        the sample.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.

    Returns
    -------
    PredictiveValueTestResult
        Chi-squared and its p-value. The result also contains both values, their difference and ratio, `ratio_interval`
        and `value_intervals`.

    Raises
    ------
    ValueError, TypeError
        If the arguments are not paired or are not labels of two classes, or there is no positive or no negative
        instance. If an option is unknown or contradicts another option. If a table is not 2 x 2 integers of at least 0,
        or tables are given together with labels.

    See Also
    --------
    sensitivity_specificity_test : test of sensitivity and specificity, which do not depend on the prevalence.

    Notes
    -----
    A classifier calls an instance if it predicts the class of `value` for the instance. Let v be the predictive values,
    n the numbers of called instances, and p the predictive value of all n_x + n_y calls together. Let d_both and h_both
    be the numbers of instances of the class and of the other class that both classifiers call. The weighted score
    statistic is (v_x - v_y)^2 / [(p (1 - p) - 2 c) (1 / n_x + 1 / n_y)] with c = [d_both (1 - p)^2 + h_both p^2] / (n_x
    + n_y). If x and y predict the same class for every instance, the p-value is 1 and `reason` states the cause.

    References
    ----------
    Leisenring, W., Alonzo, T. & Pepe, M. S. (2000). Comparisons of predictive values of binary medical diagnostic tests
    for paired designs. Biometrics 56, 345-351.

    Moskowitz, C. S. & Pepe, M. S. (2006). Comparing the predictive values of diagnostic tests: sample size and analysis
    for paired study designs. Clinical Trials 3, 272-279.

    Kosinski, A. S. (2013). A weighted generalized score statistic for comparison of predictive values of diagnostic
    tests. Statistics in Medicine 32, 964-977.

    Examples
    --------
    >>> from evalstats.paired import predictive_value_test
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> x = [1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0]
    >>> y = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    >>> result = predictive_value_test(y_true, x, y)
    >>> result.value_x, result.value_y
    (0.625, 1.0)
    >>> print(f"chi-squared(1) = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    chi-squared(1) = 1.945, p = 0.163

    The counts of a published study:

    >>> diseased, healthy = [[319, 78], [22, 32]], [[31, 53], [22, 155]]
    >>> result = predictive_value_test(positives=diseased, negatives=healthy)
    >>> print(f"{result.value_x:.4f} {result.value_y:.4f}, p = {result.pvalue:.4f}")
    0.8254 0.8655, p = 0.0194
    >>> result = predictive_value_test(positives=diseased, negatives=healthy, value="negative")
    >>> print(f"{result.value_x:.4f} {result.value_y:.4f}, p = {result.pvalue:.6f}")
    0.7662 0.6541, p = 0.000048
    """
    choices = _understand(value, method, prevalence)
    return _result(*tables_of_results(y_true, x, y, pos_label, positives, negatives), choices)


_INPUTS = {"value": VALUES, "method": METHODS, "confidence_level": CONFIDENCE_LEVELS}
DECLARATIONS = (
    Declaration(
        function=predictive_value_test,
        data=Data.CLASSIFIED,
        inputs={"y_true, x, y": Draw("two_classifications")} | _INPUTS,
        sentence=(
            "{method} of the {value} predictive values: x {value_x:decimal}, y {value_y:decimal}"
            "{at_prevalence}, χ²(1) = {statistic:decimal}, {p} (χ² approximation)"
        ),
        words={"method": {"weighted": "Weighted score test", "score": "Score test", "ratio": "Test of the ratio"}},
    ),
    Declaration(
        function=predictive_value_test,
        form="counts",
        data=Data.CLASS_COUNTS,
        inputs={"positives, negatives": Draw("two_tables")} | _INPUTS,
    ),
)


def _understand(value: Any, method: Any, prevalence: Any) -> tuple[str, str, float | None]:
    value = _checks.choice(value, "value", VALUES)
    method = method if method is None else _checks.choice(method, "method", METHODS)
    if prevalence is None:
        return value, method or "weighted", None
    prevalence = _checks.proportion(prevalence, "prevalence")
    if method in ("weighted", "score"):
        raise InvalidValueError(
            f"method={method!r} uses the prevalence in the sample; with the argument prevalence, use 'ratio'"
        )
    return value, "ratio", prevalence


def _called(positives: IntArray, negatives: IntArray, value: str) -> Called:
    """Return the tables for the positive predictive value; for the negative predictive value, exchange the classes."""
    if value == "positive":
        return Called(positives, negatives)
    return Called(negatives[..., ::-1, ::-1], positives[..., ::-1, ::-1])


def _result(
    positives: IntArray, negatives: IntArray, choices: tuple[str, str, float | None]
) -> PredictiveValueTestResult:
    value, method, prevalence = choices
    called = _called(positives, negatives, value)
    n_x, n_y = called.n_x, called.n_y
    shape = np.shape(n_x)
    of_class = None if prevalence is None else prevalence if value == "positive" else 1 - prevalence
    with np.errstate(divide="ignore", invalid="ignore"):
        value_x, value_y = _values(called, of_class)
        difference, ratio = value_x - value_y, value_x / value_y
        error = _log_ratio_error(called, value_x, value_y, of_class)
        statistic = {
            "weighted": lambda: _weighted(called, difference),
            "score": lambda: _score(called),
            "ratio": lambda: (np.log(ratio) / error) ** 2,
        }[method]()
    undefined = (n_x == 0) | (n_y == 0)
    n_discordant = _discordant(positives) + _discordant(negatives)
    # equal values without a variance give 0 divided by 0
    equal = ~undefined & ((n_discordant == 0) | (np.isnan(statistic) & (difference == 0)))
    statistic = np.where(equal, 0.0, np.where(undefined, np.nan, statistic))
    no_ratio = ~np.isfinite(statistic) & ~undefined
    statistic = np.where(no_ratio, np.nan, statistic)

    known = ~np.isnan(statistic)
    pvalue = np.where(known, tails.chi2_pvalue(np.where(known, statistic, 0.0), 1), np.nan)
    return PredictiveValueTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method=np.full(shape, method),
        reason=reasons(
            shape,
            (undefined, NO_RESULT.format(value=value)),
            (n_discordant == 0, SAME_RESULTS),
            (no_ratio, NO_RATIO),
            ((value_x == 0) & (value_y == 0), EQUAL_VALUES.format(bound=0)),
            ((value_x == 1) & (value_y == 1), EQUAL_VALUES.format(bound=1)),
        ),
        value=value,
        value_x=value_x,
        value_y=value_y,
        difference=difference,
        ratio=ratio,
        log_ratio_standard_error=np.where(np.isfinite(error), error, np.nan),
        n_x=n_x,
        n_y=n_y,
        prevalence=prevalence,
        positives=positives,
        negatives=negatives,
    )


def _discordant(table: IntArray) -> IntArray:
    return np.asarray(table[..., 0, 1] + table[..., 1, 0])


def _values(called: Called, of_class: float | None) -> tuple[FloatArray, FloatArray]:
    """Return the predictive values of x and y, by Bayes' theorem if the prevalence is given."""
    if of_class is None:
        return called.hits_x / called.n_x, called.hits_y / called.n_y
    n, m = called.of_class.sum(axis=(-2, -1)), called.others.sum(axis=(-2, -1))
    values = []
    for hits, n_called in ((called.hits_x, called.n_x), (called.hits_y, called.n_y)):
        right, wrong = of_class * hits / n, (1 - of_class) * (n_called - hits) / m
        values.append(right / (right + wrong))
    return values[0], values[1]


def _weighted(called: Called, difference: FloatArray) -> FloatArray:
    """Compute the weighted statistic of Kosinski (2013) by a sum over the discordant instances."""
    n = called.n_x + called.n_y
    p = (called.hits_x + called.hits_y) / n
    variance = (_discordant(called.of_class) * (1 - p) ** 2 + _discordant(called.others) * p**2) / n
    return np.asarray(difference**2 / (variance * (1 / called.n_x + 1 / called.n_y)))


def _score(called: Called) -> FloatArray:
    """Compute the score statistic of Leisenring, Alonzo & Pepe (2000)."""
    n_x, n_y = called.n_x, called.n_y
    n = n_x + n_y
    p, z = (called.hits_x + called.hits_y) / n, n_y / n
    total = called.hits_y * (1 - z) - called.hits_x * z
    square = 0.0
    for table, excess in ((called.of_class, 1 - p), (called.others, p)):
        both, only_x, only_y = table[..., 0, 0], table[..., 0, 1], table[..., 1, 0]
        square = square + excess**2 * (both * (1 - 2 * z) ** 2 + only_x * z**2 + only_y * (1 - z) ** 2)
    return np.asarray(total**2 / square)


def _log_ratio_error(called: Called, value_x: FloatArray, value_y: FloatArray, of_class: float | None) -> FloatArray:
    """Return the standard error of the logarithm of the ratio, from the influence of each instance.

    If the prevalence is given, the numbers of instances of both classes are fixed, and the influences are
    centered within each class.
    """
    square = np.zeros(np.shape(value_x))
    parts = (
        (called.of_class, called.hits_x, called.hits_y, 1),
        (called.others, called.n_x - called.hits_x, called.n_y - called.hits_y, -1),
    )
    for table, of_x, of_y, sign in parts:
        # an instance without influence has (1 - v) / 0 if v is 1
        x, y = (
            np.where(count > 0, sign * (1 - v) / np.maximum(count, 1), 0.0)
            for count, v in ((of_x, value_x), (of_y, value_y))
        )
        n = table.sum(axis=(-2, -1))
        mean = 0.0 if of_class is None else (x * of_x - y * of_y) / n
        influences = np.stack([x - y, x, -y, np.zeros_like(x)], axis=-1) - np.asarray(mean)[..., np.newaxis]
        square = square + (table.reshape(*table.shape[:-2], 4) * influences**2).sum(axis=-1)
    return np.where((value_x > 0) & (value_y > 0), np.sqrt(square), np.nan)


def _logit_limits(
    values: FloatArray, hits: IntArray, others: IntArray, called: Called, quantile: float
) -> tuple[FloatArray, FloatArray]:
    """Return the limits on the logit scale (Mercaldo, Lau & Zhou 2007)."""
    n = called.of_class.sum(axis=(-2, -1))[..., np.newaxis]
    m = called.others.sum(axis=(-2, -1))[..., np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = quantile * np.sqrt(1 / hits - 1 / n + 1 / others - 1 / m)
        odds = values / (1 - values)
        low, high = odds / np.exp(reach), odds * np.exp(reach)
        low, high = low / (1 + low), high / (1 + high)
    # at 0 or 1, the logit has no standard error
    known = (hits > 0) & (others > 0)
    return np.where(known, low, 0.0), np.where(known, high, 1.0)


def _quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(0.5 + level / 2))
