"""Joint test of the sensitivities and specificities of two classifiers on the same instances."""

from __future__ import annotations

__all__ = ["SensitivitySpecificityTestResult", "sensitivity_specificity_test", "tables_of_results"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._result import HypothesisTestResult, reasons
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import class_encoding as classes
from evalstats.paired.mcnemar import McNemarTestResult, counts_of_right, mcnemar_test

SAME_RESULTS = "x and y predict the same class for every instance, so there is no difference to test"
ONE_PART = "in one of the two classes, x and y predict the same class for every instance, so df is 1 instead of 2"


@dataclass(frozen=True, kw_only=True, eq=False)
class SensitivitySpecificityTestResult(HypothesisTestResult):
    """Result of `sensitivity_specificity_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Chi-squared: the sum of the two McNemar statistics, without continuity correction.
    pvalue : float or ndarray
        The p-value of the joint null hypothesis.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        The value ``'asymptotic'``: a chi-squared approximation.
    reason : str, None or ndarray of object
        A sentence if there are no discordant instances in one or both classes, otherwise None.
    df : int or ndarray of int
        Degrees of freedom: the number of classes with discordant instances, 0 to 2.
    sensitivity, specificity : McNemarTestResult
        McNemar's test on the positive instances and on the negative instances, respectively. The method
        `confidence_interval` of each test returns Tango's interval for the difference, x minus y.
    sensitivity_x, sensitivity_y : float or ndarray
        Proportion of the positive instances that each classifier predicts to be positive.
    specificity_x, specificity_y : float or ndarray
        Proportion of the negative instances that each classifier predicts to be negative.
    n_positive, n_negative : int or ndarray of int
        Numbers of positive and negative instances.
    """

    df: Any
    sensitivity: McNemarTestResult
    specificity: McNemarTestResult
    sensitivity_x: Any
    sensitivity_y: Any
    specificity_x: Any
    specificity_y: Any
    n_positive: Any
    n_negative: Any


def sensitivity_specificity_test(
    y_true: ArrayLike | None = None,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    positives: ArrayLike | None = None,
    negatives: ArrayLike | None = None,
    pos_label: Any = None,
) -> SensitivitySpecificityTestResult:
    """Test whether two classifiers have equal sensitivity and equal specificity on the same instances.

    The null hypothesis is that the two sensitivities are equal and the two specificities are equal. A classifier with a
    higher sensitivity but a lower specificity can have the same accuracy as the other classifier. Therefore,
    `mcnemar_test`, which compares accuracies, may not detect this difference.

    Parameters
    ----------
    y_true, x, y : array_like of shape (..., n)
        True labels of n instances, and the labels that x and y predict. Each label is positive or negative. The
        instances must be independent. Leading axes are batch dimensions and broadcast.
    positives, negatives : array_like of int, of shape (..., 2, 2), optional
        Instead of the labels: numbers of positive and of negative instances by their predicted class,
        ``[[both predict positive, only x], [only y, neither]]``. Leading axes are batch dimensions and broadcast.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.

    Returns
    -------
    SensitivitySpecificityTestResult
        Chi-squared with 2 degrees of freedom and its p-value. The result also contains both McNemar tests with their
        intervals.

    Raises
    ------
    ValueError, TypeError
        If the arguments are not paired or are not labels of two classes, or if there is no positive or no negative
        instance. If a table is not 2 x 2 integers of at least 0, or tables are given together with labels.

    See Also
    --------
    predictive_value_test : test of the predictive values of both classifiers.

    Notes
    -----
    The McNemar statistics (b - c)^2 / (b + c) for the positive and for the negative instances are independent. Their
    sum has approximately a chi-squared distribution with 2 degrees of freedom. A class without discordant instances
    contributes no degree of freedom.

    References
    ----------
    Lachenbruch, P. A. & Lynch, C. J. (1998). Assessing screening tests: extensions of McNemar's test. Statistics in
    Medicine 17, 2207-2217.

    Examples
    --------
    >>> from evalstats.paired import sensitivity_specificity_test
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> x = [1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0]
    >>> y = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    >>> result = sensitivity_specificity_test(y_true, x, y)
    >>> result.sensitivity.difference, result.specificity.difference
    (0.5, -0.5)
    >>> print(f"chi-squared({result.df}) = {result.statistic:.1f}, p = {result.pvalue:.4f}")
    chi-squared(2) = 6.0, p = 0.0498

    The counts of a published study:

    >>> result = sensitivity_specificity_test(positives=[[319, 78], [22, 32]], negatives=[[31, 53], [22, 155]])
    >>> print(f"{result.sensitivity.statistic:.4f} + {result.specificity.statistic:.4f} = {result.statistic:.4f}")
    31.3600 + 12.8133 = 44.1733
    """
    return _result(*tables_of_results(y_true, x, y, pos_label, positives, negatives))


DECLARATIONS = (
    Declaration(
        function=sensitivity_specificity_test,
        data=Data.CLASSIFIED,
        inputs={"y_true, x, y": Draw("two_classifications")},
        sentence=(
            "Joint test of sensitivity and specificity in {n_positive:count positive instance|positive instances} and "
            "{n_negative:count negative instance|negative instances}: {sensitivity_and_specificity}, {f_or_chi2}, "
            "{outcome}"
        ),
    ),
    Declaration(
        function=sensitivity_specificity_test,
        form="counts",
        data=Data.CLASS_COUNTS,
        inputs={"positives, negatives": Draw("two_tables")},
    ),
)


def tables_of_results(
    y_true: Any, x: Any, y: Any, pos_label: Any, positives: Any, negatives: Any
) -> tuple[IntArray, IntArray]:
    """Count the positive and the negative instances by the classes that x and y predict, or return given counts.

    Each table is ``[[both predict positive, only x], [only y, neither]]``.
    """
    if positives is not None or negatives is not None:
        _checks.instead("positives and negatives", y_true=y_true, x=x, y=y, pos_label=pos_label)
        return _given_tables(positives, negatives)
    _labels.same_labels(y_true=y_true, x=x, y=y)
    true, of_x, of_y = (classes.understand(own, name) for own, name in ((y_true, "y_true"), (x, "x"), (y, "y")))
    is_positive = classes.positive_cases(true, pos_label, greater_of_two=True)
    if pos_label is None:
        pos_label = next(iter(true.array[is_positive].tolist()), None)
    for name, own in (("x", of_x), ("y", of_y)):
        classes.same_kind(true, own)
        if own.array.shape[-1] != true.array.shape[-1]:
            raise InvalidValueError(
                f"y_true and {name} must be paired: y_true has {true.array.shape[-1]} instances, {name} has "
                f"{own.array.shape[-1]}"
            )
    return _tables(is_positive, *_predicted(true, of_x, of_y, pos_label))


def _predicted(true: Any, of_x: Any, of_y: Any, pos_label: Any) -> tuple[BoolArray, BoolArray]:
    """Return which instances x and y predict as positive, or raise an error for a third class."""
    known = classes.distinct(true)
    for own in (of_x, of_y):
        third = classes.distinct(own) - known
        if len(known) == 2 and third:
            raise InvalidValueError(
                f"{own.name} must hold the classes of y_true, {classes.shown(sorted(known, key=repr))}, but it holds "
                f"{classes.shown(sorted(third, key=repr))}"
            )
    return classes.cases_of(of_x.array, pos_label), classes.cases_of(of_y.array, pos_label)


def _tables(is_positive: BoolArray, x: BoolArray, y: BoolArray) -> tuple[IntArray, IntArray]:
    try:
        is_positive, x, y = np.broadcast_arrays(is_positive, x, y)
    except ValueError as error:
        shapes = f"{is_positive.shape}, {x.shape} and {y.shape}"
        raise InvalidValueError(f"the leading axes must broadcast, but the shapes are {shapes}") from error
    tables = []
    for own, name in ((is_positive, "positive"), (~is_positive, "negative")):
        n = np.count_nonzero(own, axis=-1)
        if (n == 0).any():
            raise InvalidValueError(
                f"y_true must hold positive and negative instances, but it holds no {name} instance"
            )
        of_x, of_y = own & x, own & y
        both = np.count_nonzero(of_x & of_y, axis=-1)
        n_x, n_y = np.count_nonzero(of_x, axis=-1), np.count_nonzero(of_y, axis=-1)
        cells = np.stack([both, n_x - both, n_y - both, n - n_x - n_y + both], axis=-1)
        tables.append(cells.reshape(*np.shape(n), 2, 2).astype(np.int64))
    return tables[0], tables[1]


def _given_tables(positives: Any, negatives: Any) -> tuple[IntArray, IntArray]:
    """Return validated tables of the positive and the negative instances, broadcast against each other."""
    counts = [
        counts_of_right(value, name, "a positive prediction")
        for value, name in ((positives, "positives"), (negatives, "negatives"))
    ]
    try:
        first, second = np.broadcast_arrays(*counts)
    except ValueError as error:
        raise InvalidValueError(
            f"positives and negatives must broadcast, but their shapes are {counts[0].shape} and {counts[1].shape}"
        ) from error
    return first, second


def _result(positives: IntArray, negatives: IntArray) -> SensitivitySpecificityTestResult:
    # a negative prediction is correct for a negative instance
    parts = [
        mcnemar_test(counts=table, method="asymptotic", correction=False)
        for table in (positives, negatives[..., ::-1, ::-1])
    ]
    statistic = np.sum([np.asarray(part.statistic) for part in parts], axis=0)
    df = np.sum([np.asarray(part.n_discordant) > 0 for part in parts], axis=0)

    pvalue: FloatArray = np.ones(np.shape(statistic))
    for degrees in (1, 2):
        here = df == degrees
        pvalue[here] = tails.chi2_pvalue(statistic[here], degrees)

    rates = [_rates(part.table) for part in parts]
    return SensitivitySpecificityTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method=np.full(np.shape(statistic), "asymptotic"),
        reason=reasons(np.shape(statistic), (df == 0, SAME_RESULTS), (df == 1, ONE_PART)),
        df=df,
        sensitivity=parts[0],
        specificity=parts[1],
        sensitivity_x=rates[0][0],
        sensitivity_y=rates[0][1],
        specificity_x=rates[1][0],
        specificity_y=rates[1][1],
        n_positive=positives.sum(axis=(-2, -1)),
        n_negative=negatives.sum(axis=(-2, -1)),
    )


def _rates(table: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the proportions of correct results of x and of y."""
    n = table.sum(axis=(-2, -1))
    return table[..., 0, :].sum(axis=-1) / n, table[..., :, 0].sum(axis=-1) / n
