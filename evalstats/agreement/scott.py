"""Scott's pi: do two labellings agree beyond chance, if both draw from the same shares?"""

from __future__ import annotations

__all__ = ["ScottPiResult", "scott_pi", "scott_pi_table"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import Data, Declaration
from evalstats._types import FloatArray, IntArray
from evalstats.agreement import count_tables as tables
from evalstats.agreement.agreement_result import WORDS, AgreementResult, pvalues, standardised
from evalstats.agreement.fleiss import kappa_of_counts
from evalstats.metrics.class_encoding import class_codes, given_classes
from evalstats.metrics.counts import present_classes, tally, understand_pairs


@dataclass(frozen=True, kw_only=True, eq=False)
class ScottPiResult(AgreementResult):
    """What `scott_pi` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    estimate : float or ndarray
        Pi: 1 for agreement in every case, 0 for as much as chance gives; nan where all labels are the same.
    standard_error : float or ndarray
        Standard error of pi over the cases, whatever its true value; for the interval.
    standard_error_null : float or ndarray
        Large-sample standard error of pi if both draw their labels at random; for the test.
    statistic : float or ndarray
        z, pi in units of `standard_error_null`.
    pvalue : float or ndarray
        From the normal distribution.
    observed_agreement : float or ndarray
        Share of the cases that agree.
    chance_agreement : float or ndarray
        The same if both draw from the shares that the labels have on both sides together.
    n_cases : int or ndarray
        Number of cases.
    labels : tuple
        The labels, in the order of the table.
    table : ndarray of shape (..., k, k)
        How often each pair of labels occurs; rows are y1, columns y2.
    """

    standard_error_null: Any
    observed_agreement: Any
    chance_agreement: Any
    labels: tuple[Any, ...]
    table: IntArray


def scott_pi(
    y1: ArrayLike, y2: ArrayLike, *, labels: Sequence[Any] | None = None, alternative: str = "two-sided"
) -> ScottPiResult:
    """Tell how far two labellings agree beyond chance, where using a label more often than the other is disagreement.

    Pi differs from `cohen_kappa` in what chance is: both draw from one distribution, the shares of the labels on both
    sides together. The null hypothesis of the test: they do so at random.

    Parameters
    ----------
    y1, y2 : array_like of shape (..., n)
        The labels that the two gave to the same n cases; leading axes are a batch and broadcast.
    labels : sequence, optional
        All labels; a label that is not listed is an error. Without it: all that occur, sorted.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: more agreement than by chance; ``'less'``: less.

    Returns
    -------
    ScottPiResult
        Pi with its standard errors, test and `confidence_interval`.

    Raises
    ------
    ValueError
        If the lengths differ, there are no cases, a label is missing or not listed, or an option is unknown.
    TypeError
        If labels are of different kinds, such as text and numbers.

    Notes
    -----
    Pi is Fleiss' kappa of two raters, with the same standard errors (see `fleiss_kappa`), and never above Cohen's
    kappa.

    References
    ----------
    Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion Quarterly 19,
    321-325.

    Examples
    --------
    >>> from evalstats.agreement import cohen_kappa, scott_pi
    >>> y1, y2 = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1]
    >>> print(f"pi {scott_pi(y1, y2).estimate:.3f}, kappa {cohen_kappa(y1, y2).estimate:.3f}")
    pi 0.467, kappa 0.500
    """
    pairs = understand_pairs(y1, y2, names=("y1", "y2"))
    names = present_classes(pairs) if labels is None else given_classes(labels, pairs.kind)
    table = tally([class_codes(pairs.true, names), class_codes(pairs.predicted, names)])

    return _from_table(table.astype(np.float64), tuple(names), alternative)


DECLARATIONS = (Declaration(function=scott_pi, data=Data.LABELLINGS, sentence=f"Scott's pi: {WORDS}"),)


def scott_pi_table(table: ArrayLike, *, alternative: str = "two-sided") -> ScottPiResult:
    """Tell how far two labellings agree beyond chance, by Scott's pi, from the table of their labels.

    Parameters
    ----------
    table : array_like of shape (..., k, k)
        How often each pair of labels occurs. Leading axes are a batch. A data frame must have the same labels in the
        same order as rows and columns.
    alternative
        As in `scott_pi`.

    Returns
    -------
    ScottPiResult
        As from `scott_pi`; `labels` are those of a data frame, else 0 to k - 1.

    Raises
    ------
    ValueError
        If the table is not square, is all 0, holds anything but whole numbers of 0 or more, or an option is unknown.

    Examples
    --------
    >>> from evalstats.agreement import scott_pi_table
    >>> result = scott_pi_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    >>> print(f"{result.estimate:.4f} +- {result.standard_error:.4f}")
    0.7962 +- 0.0594
    """
    counts, labels = tables.square_table(table)
    return _from_table(counts, labels, alternative)


def _from_table(table: FloatArray, labels: tuple[Any, ...], alternative: str) -> ScottPiResult:
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    one_hot = np.eye(len(labels))
    both = (one_hot[:, np.newaxis] + one_hot).reshape(-1, len(labels))  # the two labels of each cell of the table
    pi = kappa_of_counts(both, table.reshape(*table.shape[:-2], -1))
    statistic = standardised(pi.estimate, pi.standard_error_null)

    n = table.sum(axis=(-2, -1))
    with np.errstate(divide="ignore"):
        largest = 1 / pi.by_chance
    return ScottPiResult(
        estimate=pi.estimate,
        standard_error=pi.standard_error,
        standard_error_null=pi.standard_error_null,
        statistic=statistic,
        pvalue=pvalues(statistic, alternative),
        alternative=alternative,
        method=np.full(statistic.shape, "normal"),
        reason=pi.reason,
        observed_agreement=1 - pi.observed,
        chance_agreement=1 - pi.by_chance,
        n_cases=n.astype(np.int64),
        labels=labels,
        table=table.astype(np.int64),
        _df=np.maximum(n - 1, 1),
        _largest_disagreement=largest,
    )
