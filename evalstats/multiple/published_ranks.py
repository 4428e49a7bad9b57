"""Check of published mean ranks and of the claims about them."""

from __future__ import annotations

__all__ = ["PublishedRanksCheck", "check_published_ranks"]

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._findings import Finding, gravest_first
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.multiple.published_claims import (
    Claims,
    claims_of_each,
    faults_of_scores,
    place_of,
    understand_claims,
    understand_printed_scores,
)
from evalstats.multiple.published_errors import faults_of
from evalstats.multiple.published_rank_bounds import (
    MOST_DECIMALS,
    PrintedRanks,
    decimals_of,
    named_values,
    printed_table,
    understand_decimals,
)

LARGEST_RANK = 1e9  # no table has this number of classifiers


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedRanksCheck(Record):
    """Result of `check_published_ranks`, which `evalstats.report` renders.

    For one table, the fields are numbers and a tuple of findings. For a batch, the fields are arrays with one element
    for each table, and the array of findings contains tuples.

    Attributes
    ----------
    ok : bool or ndarray of bool
        Whether no finding is an error.
    findings : tuple of Finding, or ndarray of such tuples
        The findings: first the errors, then the warnings, then the notes.
    mean_ranks : ndarray of shape (..., n_classifiers)
        The value of the argument.
    n_datasets : int or ndarray of int
        The value of the argument.
    n_classifiers : int
        Number of mean ranks in a table.
    names : tuple of str
        Names from the argument or from the labels of the mean ranks; otherwise ``'1'``, ``'2'``, ...
    control : int or None
        Position of the control.
    alpha : float
        Significance level of the critical differences and of the findings.
    decimals : int or ndarray of int
        Assumed number of decimals of the mean ranks.
    rank_sum, expected_sum : float
        Sum of the published mean ranks, and k (k + 1) / 2, the sum of exact mean ranks.
    rounding : float
        Largest change in the sum due to rounding: k / 2 units of the last decimal.
    chi2, chi2_pvalue : float or ndarray
        Friedman's statistic from the published mean ranks, without correction for ties, and its p-value.
    chi2_low, chi2_high : float or ndarray
        The smallest and largest `chi2` that the rounding of the mean ranks allows. They are nan if all allowed values
        exceed n (k - 1), the largest possible value.
    chi2_tied : float or ndarray
        Upper bound on the statistic with any correction for ties, or nan in the same case as `chi2_low`.
    f, f_pvalue : float or ndarray
        Iman & Davenport's statistic from `chi2`, and its p-value, or nan for one dataset or impossible mean ranks. If F
        is infinite, the p-value is the probability that all datasets agree without ties, k!^(1 - n).
    nemenyi_difference, bonferroni_dunn_difference : float or ndarray
        Critical differences of the Nemenyi test and of the Bonferroni-Dunn test.
    different : ndarray of bool, of shape (..., k, k) or (..., k)
        Whether each pair differs in the Nemenyi test or, with a control, in the Bonferroni-Dunn test. For undecided
        pairs, the decision treats the published mean ranks as exact.
    undecided : ndarray of bool, of the shape of `different`
        Whether the decision on each pair depends on the rounding.
    """

    ok: Any
    findings: Any
    mean_ranks: FloatArray
    n_datasets: Any
    n_classifiers: int
    names: tuple[str, ...]
    control: int | None
    alpha: float
    decimals: Any
    rank_sum: Any
    expected_sum: float
    rounding: Any
    chi2: Any
    chi2_pvalue: Any
    chi2_low: Any
    chi2_high: Any
    chi2_tied: Any
    f: Any
    f_pvalue: Any
    nemenyi_difference: Any
    bonferroni_dunn_difference: Any
    different: BoolArray
    undecided: BoolArray


def check_published_ranks(
    mean_ranks: Any,
    n_datasets: Any = None,
    *,
    scores: Any = None,
    greater_is_better: bool = True,
    claims: Any = None,
    alpha: float = 0.05,
    control: Any = None,
    names: Sequence[str] | None = None,
    decimals: int | None = None,
) -> PublishedRanksCheck:
    """Check whether published mean ranks are possible and whether the claims follow from them.

    The function needs only the published mean ranks and the number of datasets.

    Parameters
    ----------
    mean_ranks : array_like of shape (..., n_classifiers), or dict
        Mean rank of each of at least two classifiers over the datasets, as published. Strings such as ``'2.90'``
        contain their decimals. A dict or a Series contains the names. Leading axes form a batch of tables.
    n_datasets : int or array_like of int, optional
        Number of datasets. For a batch, pass one number, or one number for each table. None: the number of rows of
        `scores`.
    scores : array_like of shape (n_datasets, n_classifiers), optional
        One row per dataset and one column per classifier: the published scores, which are used to check the mean ranks.
        The columns of a data frame are matched by their names. This argument is accepted only for a single table of
        mean ranks.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    claims : dict or sequence of dict, optional
        Claims of the publication, for all tables or, in a sequence, for each table. ``'cd'``: the critical difference.
        ``'chi2'``, ``'F'`` and ``'pvalue'``: Friedman's statistic, Iman & Davenport's statistic, and a p-value of
        either statistic. ``'rejects'``: whether the Friedman test rejects. ``'best'``: the classifier with the best
        mean rank. ``'different'`` and ``'not_different'``: lists of pairs, by name or by index. ``'test'``: the name of
        the post-hoc test. Mean ranks can contradict only ``'nemenyi'`` and ``'bonferroni-dunn'``. Each number is
        assumed to be rounded to the decimals that it shows.
    alpha : float, default: 0.05
        Significance level of the tests.
    control : str or int, optional
        The classifier that all others are compared with, by its name or index, in the Bonferroni-Dunn test. None: the
        Nemenyi test compares all pairs.
    names : sequence of str, optional
        Names of the classifiers, if `mean_ranks` does not contain them.
    decimals : int, optional
        Number of decimals of the published mean ranks. None: the largest number of decimals in each table. Floats such
        as 3.00 and 2.00 do not contain their number of decimals, so pass strings instead.

    Returns
    -------
    PublishedRanksCheck
        The findings and the computed numbers.

    Raises
    ------
    InvalidValueError
        If there are fewer than two mean ranks, or a mean rank is not finite or has more than `decimals` decimals. If a
        name, a claim or another argument is invalid.
    InvalidTypeError
        If an argument has the wrong type.

    See Also
    --------
    friedman_test, nemenyi_test, bonferroni_dunn_test : the tests to use if the scores are available.
    critical_difference : the critical difference alone.

    Notes
    -----
    Codes of errors:

    - ``'range'``: a mean rank is below 1 or above k.
    - ``'granularity'``: a mean rank over n datasets is a multiple of 1 / (2 n), and no multiple rounds to the published
      value.
    - ``'sum'``: mean ranks that round to these values cannot add up to k (k + 1) / 2.
    - ``'extremes'``: the sum of the j smallest mean ranks is too small, or the sum of the j largest is too large. The
      smallest possible sum is j (j + 1) / 2.
    - ``'cd'``, ``'chi2'``, ``'F'``, ``'rejects'``, ``'different'``, ``'not-different'``: the claim is contradicted.
    - ``'best'``: the claimed classifier does not have the best mean rank.
    - ``'scores'``: the published scores have different mean ranks, for any unpublished digits.

    Codes of warnings:

    - The codes of the errors, if a claim is true only with ties or rounding.
    - ``'different'``, ``'not-different'``: mean ranks cannot contradict the test, or the test is not named. If it is
      not named, the function assumes a critical difference only if one is claimed.
    - ``'pvalue'``: neither form of the Friedman test can give the claimed p-value.
    - ``'not-compared'``: the claim is about a pair without the control.
    - ``'post-hoc'``: a difference is claimed, but the Friedman test does not reject.
    - ``'direction'``: the mean ranks belong to the scores in the opposite direction.
    - ``'n-datasets'``: the scores and the mean ranks have different numbers of datasets.

    Codes of notes:

    - ``'ties'``: a mean rank is possible only if ranks are tied.
    - ``'tests-disagree'``: only one of chi-squared and F rejects.
    - ``'undecided'``: the decision on a pair depends on rounding.
    - ``'scores'``: the mean rank agrees with the scores only for some values of the unpublished digits.

    Numbers are assumed to be rounded to the nearest value, and a half can be rounded in either direction. `chi2` is
    computed from deviations from (k + 1) / 2. If the mean ranks add up to k (k + 1) / 2, Demšar's formula gives the
    same value. Otherwise, Demšar's formula amplifies the rounding error of the sum.

    A correction for ties divides chi2 by a number below 1, and thus increases chi2, but to at most n (k - 1).
    `chi2_tied` is a sharper bound. This bound uses the fact that ranks on a dataset differ from (k + 1) / 2 by
    multiples of 1/2. The sum of the squared differences is smallest if the ranks of a classifier are as equal as
    possible.

    References
    ----------
    .. [1] J. Demšar (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine Learning
       Research 7:1-30, section 3.2.2.
    .. [2] T. Raeder, T. R. Hoens, N. V. Chawla (2010). Consequences of variability in classifier performance estimates.
       IEEE International Conference on Data Mining, 421-430, Table I.

    Examples
    --------
    A column of Table I of Raeder, Hoens & Chawla: 5-nearest-neighbour, the mean ranks of its 2-, 5- and 10-fold
    estimates over 20 datasets.

    >>> from evalstats.multiple import check_published_ranks
    >>> audit = check_published_ranks(
    ...     [2.95, 1.90, 1.05], 20, names=["2-fold", "5-fold", "10-fold"], control="10-fold", claims={"cd": 0.709}
    ... )
    >>> print(audit.findings[0].sentence)
    the mean ranks add up to 5.90, not to 6; rounding to 2 decimals can change the sum by 0.015 at most
    >>> audit.ok, round(audit.bonferroni_dunn_difference, 3)
    (False, 0.709)
    """
    n_datasets = _understand_n(n_datasets, scores)
    if hasattr(mean_ranks, "columns"):
        _labels.same_labels(rows=("mean_ranks",), n_datasets=n_datasets, mean_ranks=mean_ranks)
    values, names = named_values(mean_ranks, names, "mean_ranks")
    ranks, written = _understand_ranks(values)
    shape, k = ranks.shape[:-1], ranks.shape[-1]
    counts = _understand_counts(n_datasets, shape)
    alpha = _checks.proportion(alpha, "alpha")
    names = _understand_names(names, k)
    axis = "columns" if hasattr(mean_ranks, "columns") else "index"
    _labels.labels_agree(mean_ranks, "mean_ranks", names, "names", axis=axis)
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    if scores is not None and shape:
        raise InvalidValueError(f"scores require mean_ranks of the shape (k,), but its shape is {ranks.shape}")
    printed = understand_printed_scores(scores, names)
    at = None if control is None else place_of(control, "control", names)
    all_claims = [understand_claims(one, names, at) for one in claims_of_each(claims, math.prod(shape))]
    tables = ranks.reshape(-1, k)
    if decimals is not None:
        all_decimals = understand_decimals(tables, decimals)
    else:
        all_decimals = [int(row.max()) for row in written.reshape(-1, k)]

    audits = []
    for row, n, d, claim in zip(tables, counts.ravel(), all_decimals, all_claims, strict=True):
        table = PrintedRanks(row, int(n), d, names, at, alpha)
        beside = () if printed is None else faults_of_scores(table, printed, greater_is_better=greater_is_better)
        audits.append(_audit(table, claim, beside))

    return audits[0] if not shape else _stacked(audits, ranks)


def _audit(table: PrintedRanks, claims: Claims, beside: Iterable[Finding]) -> PublishedRanksCheck:
    found = [*faults_of(table, claims), *beside]
    k, others = table.k, range(table.k) if table.control is None else (table.control,)
    verdicts = {(i, j): table.verdict(i, j, table.test) if i != j else False for i in range(k) for j in others}
    possible = table.chi2_low <= table.most  # otherwise no mean ranks have these distances from their mean
    low, high, tied = (table.chi2_low, table.chi2_high, table.chi2_tied) if possible else (math.nan,) * 3
    shape = (k, k) if table.control is None else (k,)
    undecided = [verdict is None for verdict in verdicts.values()]
    different = [
        table.gap(*pair) >= table.cds[table.test] if verdict is None else verdict for pair, verdict in verdicts.items()
    ]
    return PublishedRanksCheck(
        ok=all(one.severity != "error" for one in found),
        findings=gravest_first(found),
        mean_ranks=table.ranks,
        n_datasets=table.n,
        n_classifiers=k,
        names=table.names,
        control=table.control,
        alpha=table.alpha,
        decimals=table.decimals,
        rank_sum=table.sum,
        expected_sum=table.expected_sum,
        rounding=k * table.half,
        chi2=table.chi2,
        chi2_pvalue=table.chi2_pvalue,
        chi2_low=low,
        chi2_high=high,
        chi2_tied=tied,
        f=table.f(table.chi2),
        f_pvalue=table.f_pvalue,
        nemenyi_difference=table.cds["nemenyi"],
        bonferroni_dunn_difference=table.cds["bonferroni-dunn"],
        different=np.array(different).reshape(shape),
        undecided=np.array(undecided).reshape(shape),
    )


def _understand_ranks(mean_ranks: Any) -> tuple[FloatArray, FloatArray]:
    """Return the mean ranks and their numbers of decimals."""
    ranks, decimals = printed_table(mean_ranks, "mean_ranks")
    if ranks.ndim == 0 or ranks.shape[-1] < 2 or ranks.size == 0:
        raise InvalidValueError(f"mean_ranks must hold 2 or more classifiers, but their shape is {ranks.shape}")
    ranks = _checks.finite(ranks, "mean_ranks")
    if np.abs(ranks).max() > LARGEST_RANK:
        largest = ranks.flat[np.abs(ranks).argmax()]
        raise InvalidValueError(f"mean_ranks must be {LARGEST_RANK:g} or less, but one mean rank is {largest}")
    if decimals is None:
        rows = [decimals_of(row) for row in ranks.reshape(-1, ranks.shape[-1])]
        return ranks, np.repeat(rows, ranks.shape[-1]).reshape(ranks.shape).astype(float)
    if decimals.max() > MOST_DECIMALS:
        raise InvalidValueError(
            f"mean_ranks must have at most {MOST_DECIMALS} decimals, but one mean rank has {decimals.max():g} decimals"
        )
    return ranks, decimals


def _understand_n(n_datasets: Any, scores: Any) -> Any:
    if n_datasets is not None:
        return n_datasets
    if scores is None:
        raise InvalidValueError("n_datasets must be passed if there are no scores")
    return max(1, len(_checks.listed(scores.index if hasattr(scores, "columns") else scores, "scores", "rows")))


def _understand_counts(n_datasets: Any, shape: tuple[int, ...]) -> IntArray:
    try:
        counts = np.asarray(n_datasets)
    except ValueError as error:
        raise InvalidValueError(f"n_datasets must be a regular array, not {short(n_datasets)}") from error
    for one in counts.ravel().tolist() if counts.size else (n_datasets,):
        _checks.count(one, "n_datasets")
    try:
        return np.broadcast_to(counts, shape)
    except ValueError as error:
        raise InvalidValueError(
            f"n_datasets must be one number or one number for each table, but its shape is {counts.shape} and the "
            f"shape of the tables is {shape}"
        ) from error


def _understand_names(names: Any, k: int) -> tuple[str, ...]:
    if names is None:
        return tuple(str(i + 1) for i in range(k))
    found = tuple(_checks.listed(names, "names", "str"))
    if not all(isinstance(name, str) for name in found):
        raise InvalidTypeError(f"names must be a sequence of str, not {short(names)}")
    if len(found) != k or len(set(found)) != k:
        raise InvalidValueError(f"names must be {k} different names, one for each mean rank, not {short(found)}")
    return found


def _stacked(audits: list[PublishedRanksCheck], ranks: FloatArray) -> PublishedRanksCheck:
    """Return one result with arrays of the shape of the batch."""
    same = {"n_classifiers", "names", "control", "alpha", "expected_sum"}
    shape = ranks.shape[:-1]
    stacked: dict[str, Any] = {}
    for name in (field.name for field in fields(PublishedRanksCheck)):
        values = [getattr(audit, name) for audit in audits]
        if name == "findings":
            stacked[name] = np.empty(len(values), dtype=object)
            stacked[name][:] = values
            stacked[name] = stacked[name].reshape(shape)
        elif name in same:
            stacked[name] = values[0]
        else:
            stacked[name] = np.array(values).reshape(shape + np.shape(values[0]))
    return PublishedRanksCheck(**stacked)
