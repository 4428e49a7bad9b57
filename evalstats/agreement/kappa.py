"""Cohen's kappa: agreement of two raters beyond chance."""

from __future__ import annotations

__all__ = ["CohenKappaResult", "cohen_kappa", "cohen_kappa_matrix", "cohen_kappa_table"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats import _checks, _labels
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._result import reasons
from evalstats._types import AnyArray, FloatArray, IntArray
from evalstats.agreement import agreement_result
from evalstats.agreement import ratings as tables
from evalstats.metrics.class_encoding import Codes, class_codes, distinct, given_classes, in_order, understand
from evalstats.metrics.counts import present_classes, tally, understand_pairs

CHANCE_IS_COMPLETE = "all labels belong to one class, so the expected chance agreement is 1 and kappa is undefined"
NO_OTHER_VALUE = (
    "kappa is 0 for any pairing of the labels, because one rater uses a single label or the two raters share no label"
)
Words = NDArray[np.uint64]
# number of words of one plane, and of products of codes, that are processed at a time
WORDS_AT_A_TIME = 2**17
CODES_AT_A_TIME = 2**21
N_BITS = np.array([n.bit_count() for n in range(256)], dtype=np.uint8)


@dataclass(frozen=True, kw_only=True, eq=False)
class CohenKappaResult(agreement_result.AgreementResult):
    """Result of `cohen_kappa`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    estimate : float or ndarray
        Kappa. It is 1 for agreement on every instance, 0 for agreement by chance, and nan if chance agreement is 1.
    standard_error : float or ndarray
        Large-sample standard error of kappa, which is valid for every true kappa and used for the interval.
    standard_error_null : float or ndarray
        Large-sample standard error of kappa for independent labelings; the test uses it.
    statistic : float or ndarray
        z: kappa divided by `standard_error_null`.
    pvalue : float or ndarray
        p-value from the normal distribution.
    observed_agreement : float or ndarray
        Proportion of the instances on which the raters agree or, with weights, the mean weight.
    chance_agreement : float or ndarray
        Expected value of `observed_agreement` for independent labelings with the same label proportions.
    maximum : float or ndarray
        The largest possible kappa for the label proportions of the two raters.
    n_instances : int or ndarray
        Number of instances.
    labels : tuple
        The labels, in the order of the table.
    table : ndarray of shape (..., k, k)
        Number of instances for each pair of labels. Rows are y1, columns are y2.
    weights : str
        ``'unweighted'``, ``'linear'``, ``'quadratic'`` or ``'matrix'``.
    """

    standard_error_null: Any
    observed_agreement: Any
    chance_agreement: Any
    maximum: Any
    labels: tuple[Any, ...]
    table: IntArray
    weights: str


def cohen_kappa(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    weights: str | ArrayLike | None = None,
    alternative: str = "two-sided",
) -> CohenKappaResult:
    """Estimate the agreement of two raters beyond chance (Cohen's kappa).

    The raters may be two annotators, two classifiers, or a classifier and the truth. Kappa does not measure which rater
    is correct. The null hypothesis of the test is that the two labelings are independent. Independence is rarely
    plausible, so the interval is more informative than the test.

    Parameters
    ----------
    y1, y2 : array_like of shape (..., n)
        The labels of the two raters for the same n instances: integers, Booleans, text or other hashable objects, all
        of one kind. Leading axes are batch dimensions and broadcast.
    labels : sequence, optional
        All labels in their order. A label that is not listed raises an error. None: all labels that occur in `y1` or
        `y2`, sorted. With weights, pass all labels of the scale, because an unused label in the middle of the scale
        would otherwise be omitted.
    weights : {None, 'linear', 'quadratic'} or array_like of shape (k, k), default: None
        Agreement of a pair of labels. ``None``: 1 if equal, otherwise 0. For ordered labels, ``'linear'`` decreases
        linearly with the number of steps between the labels, and ``'quadratic'`` (Fleiss & Cohen) decreases with its
        square. A matrix contains the agreement of each pair of labels, from 0 to 1, with 1 on the diagonal.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: more agreement than by chance. ``'less'``: less agreement than by chance.

    Returns
    -------
    CohenKappaResult
        Kappa with its standard errors, test and `confidence_interval`.

    Raises
    ------
    ValueError
        If the lengths differ, there are no instances, a label is missing or not listed, or an option is unknown.
    TypeError
        If labels have different types, such as text and numbers.

    Notes
    -----
    Kappa is (po - pe) / (1 - pe), with observed agreement po and chance agreement pe. Both standard errors are from
    Fleiss, Cohen & Everitt (1969): `standard_error` under the alternative, `standard_error_null` under independence.
    For independent labelings of 10 to 200 instances, the two-sided test at the 0.05 level rejects in at most 5.6% of
    simulated tables. With ``alternative='greater'``, it rejects in 8.8% of tables with 5 instances and in 6.9% with 10.
    With 50 instances and a label with a proportion of 10%, it rejects in 8.7% of tables. The permutation test of
    `light_kappa` uses the same estimate and controls the type-I error rate.

    `reason` states four special cases. If chance agreement is 1 (all labels are the same), kappa and all derived values
    are nan. If one rater uses a single label or the raters share no label, kappa is 0 for any pairing of the labels. In
    this case, p is 1 and there is no interval. If the raters agree on every instance, the standard error is 0 and the
    interval is exact. If the variance is 0 for a different reason, the interval is undefined.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20,
    37-46.

    Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit.
    Psychological Bulletin 70, 213-220.

    Fleiss, J. L., Cohen, J. & Everitt, B. S. (1969). Large sample standard errors of kappa and weighted kappa.
    Psychological Bulletin 72, 323-327.

    Examples
    --------
    >>> from evalstats.agreement import cohen_kappa
    >>> first = ["spam", "spam", "ham", "ham", "ham", "spam", "ham", "ham", "spam", "ham"]
    >>> second = ["spam", "ham", "ham", "ham", "ham", "spam", "ham", "spam", "spam", "ham"]
    >>> result = cohen_kappa(first, second)
    >>> print(f"kappa = {result.estimate:.3f}, z = {result.statistic:.2f}, p = {result.pvalue:.3f}")
    kappa = 0.583, z = 1.84, p = 0.065
    >>> low, high = result.confidence_interval(method="fisher")
    >>> print(f"{low:.3f} {high:.3f}")
    -0.112 0.895
    >>> result.observed_agreement, result.chance_agreement
    (0.8, 0.52)
    >>> result.table
    array([[5, 1],
           [1, 3]])
    """
    pairs = understand_pairs(y1, y2, names=("y1", "y2"))
    names = present_classes(pairs) if labels is None else given_classes(labels, pairs.kind)
    table = tally([class_codes(pairs.true, names), class_codes(pairs.predicted, names)])

    return _from_table(table.astype(np.float64), tuple(names), weights, alternative)


DECLARATIONS = (
    Declaration(function=cohen_kappa, data=Data.LABELLINGS, sentence=f"Cohen's kappa: {agreement_result.WORDS}"),
)


def cohen_kappa_table(
    table: ArrayLike, *, weights: str | ArrayLike | None = None, alternative: str = "two-sided"
) -> CohenKappaResult:
    """Estimate Cohen's kappa from the table of two labelings.

    Parameters
    ----------
    table : array_like of shape (..., k, k)
        Number of instances for each pair of labels: a confusion matrix. Leading axes are batch dimensions. Swapping
        rows and columns does not change the result, unless a matrix of weights is asymmetric. A data frame must have
        the same labels in the same order as rows and columns.
    weights, alternative
        As in `cohen_kappa`.

    Returns
    -------
    CohenKappaResult
        The result of `cohen_kappa`. If the table is a data frame, `labels` contains its labels. Otherwise, `labels`
        contains 0 to k - 1.

    Raises
    ------
    ValueError
        If the table is not square, is all 0, or contains values other than nonnegative integers, or if an option is
        unknown.

    Examples
    --------
    400 instances, three classes:

    >>> from evalstats.agreement import cohen_kappa_table
    >>> result = cohen_kappa_table([[60, 50, 10], [10, 100, 40], [30, 10, 90]])
    >>> print(f"{result.estimate:.5f} +- {result.standard_error:.6f}")
    0.43289 +- 0.036335
    >>> low, high = result.confidence_interval()
    >>> print(f"{low:.4f} {high:.4f}")
    0.3617 0.5041
    >>> print(f"{cohen_kappa_table(result.table, weights='quadratic').estimate:.4f}")
    0.4467
    """
    counts, labels = tables.square_table(table)
    return _from_table(counts, labels, weights, alternative)


class _Sums(NamedTuple):
    """Components of kappa; for integer counts and integer costs, every sum is exact."""

    n: FloatArray  # (...), cases
    rows: FloatArray  # shape (..., k): number of instances with each label of y1
    columns: FloatArray  # (..., k), how often y2 does
    cost_of_row: FloatArray  # shape (..., k): cost of a row label with all labels of y2
    cost_of_column: FloatArray  # shape (..., k): cost of a column label with all labels of y1
    observed: FloatArray  # shape (...): n times the observed mean cost
    by_chance: FloatArray  # shape (...): n^2 times the expected mean cost by chance


def _from_table(table: FloatArray, labels: tuple[Any, ...], weights: Any, alternative: str) -> CohenKappaResult:
    name, cost, unit = _costs(weights, labels)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    s = _sums(table, cost)
    is_defined = s.by_chance > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa = np.where(is_defined, 1 - s.n * s.observed / s.by_chance, np.nan)
        maximum = np.where(is_defined, 1 - s.n * _smallest_cost(s, cost) / s.by_chance, np.nan)
        chance = 1 - s.by_chance / (s.n**2 * unit)
        largest = np.where(is_defined, 1 / (1 - chance), np.nan)
        se, se_null = _standard_error(table, cost, s), _standard_error_null(cost, s)
        statistic = np.where(se_null == 0, 0.0, kappa / se_null)
    reason = reasons(
        kappa.shape,
        (~is_defined, CHANCE_IS_COMPLETE),
        (se_null == 0, NO_OTHER_VALUE),
        (s.observed == 0, agreement_result.FULL_AGREEMENT),
        (se == 0, agreement_result.NO_VARIANCE),
    )

    return CohenKappaResult(
        estimate=kappa,
        standard_error=se,
        standard_error_null=se_null,
        statistic=statistic,
        pvalue=agreement_result.pvalues(statistic, alternative),
        alternative=alternative,
        method=np.full(kappa.shape, "normal"),
        reason=reason,
        observed_agreement=1 - s.observed / (s.n * unit),
        chance_agreement=chance,
        maximum=maximum,
        n_instances=s.n.astype(np.int64),
        labels=labels,
        table=table.astype(np.int64),
        weights=name,
        _df=np.inf,
        _largest_disagreement=largest,
        _smallest_value=-np.inf if name == "matrix" else -1.0,
    )


def _costs(weights: Any, labels: tuple[Any, ...]) -> tuple[str, FloatArray, float]:
    """Return the name of the weights, the cost of each pair of labels, and the cost of complete disagreement."""
    k = len(labels)
    steps = np.abs(np.subtract.outer(np.arange(float(k)), np.arange(float(k))))
    furthest = float(max(k - 1, 1))
    if weights is None:
        return "unweighted", np.minimum(steps, 1), 1.0
    if isinstance(weights, str):
        name = _checks.choice(weights, "weights", ("linear", "quadratic"))
        return (name, steps, furthest) if name == "linear" else (name, steps**2, furthest**2)
    for axis in ("index", "columns"):
        _labels.labels_agree(weights, "weights", labels, "the labels", axis=axis)
    agreement = _checks.finite(_checks.numbers(weights, "weights"), "weights")
    if agreement.shape != (k, k):
        raise InvalidValueError(
            f"weights must be None, 'linear', 'quadratic' or a matrix of shape ({k}, {k}) for the {k} labels, but the "
            f"shape is {agreement.shape}"
        )
    if not (np.diagonal(agreement) == 1).all() or not ((agreement >= 0) & (agreement <= 1)).all():
        raise InvalidValueError(
            "a matrix of weights must hold agreements from 0 to 1, with 1 on the diagonal; for costs of disagreement, "
            "pass 1 - costs / costs.max()"
        )
    return "matrix", 1 - agreement, 1.0


def _sums(table: FloatArray, cost: FloatArray) -> _Sums:
    rows, columns = table.sum(axis=-1), table.sum(axis=-2)
    cost_of_row = (cost * columns[..., np.newaxis, :]).sum(axis=-1)
    cost_of_column = (cost * rows[..., :, np.newaxis]).sum(axis=-2)
    return _Sums(
        n=rows.sum(axis=-1),
        rows=rows,
        columns=columns,
        cost_of_row=cost_of_row,
        cost_of_column=cost_of_column,
        observed=_total(cost * table),
        by_chance=(rows * cost_of_row).sum(axis=-1),
    )


def _standard_error(table: FloatArray, cost: FloatArray, s: _Sums) -> FloatArray:
    """Return the standard error under the alternative: Fleiss, Cohen & Everitt (1969)."""
    n, observed, by_chance = (a[..., np.newaxis, np.newaxis] for a in (s.n, s.observed, s.by_chance))
    either = s.cost_of_row[..., :, np.newaxis] + s.cost_of_column[..., np.newaxis, :]
    deviation = n * observed * either - n * by_chance * cost - observed * by_chance
    deviation = agreement_result.without_noise(deviation, n * by_chance * np.max(cost))
    return np.asarray(np.sqrt(_total(table * (deviation / by_chance**2) ** 2)))


def _standard_error_null(cost: FloatArray, s: _Sums) -> FloatArray:
    """Return the standard error under independence: Fleiss, Cohen & Everitt (1969)."""
    n, by_chance = (a[..., np.newaxis, np.newaxis] for a in (s.n, s.by_chance))
    either = s.cost_of_row[..., :, np.newaxis] + s.cost_of_column[..., np.newaxis, :]
    deviation = agreement_result.without_noise(n * either - n**2 * cost - by_chance, n**2 * np.max(cost))
    expected = s.rows[..., :, np.newaxis] * s.columns[..., np.newaxis, :]
    return np.asarray(np.sqrt(_total(expected * (deviation / by_chance) ** 2) / s.n**3))


def _smallest_cost(s: _Sums, cost: FloatArray) -> FloatArray:
    """Return the smallest total cost of all tables with the same row and column sums."""
    k = len(cost)
    off_diagonal = cost[~np.eye(k, dtype=bool)]
    if k == 1 or (off_diagonal == off_diagonal[0]).all():
        return np.asarray(np.max(cost) * np.maximum(s.rows - s.columns, 0).sum(axis=-1))
    if (cost[:-1, :-1] + cost[1:, 1:] <= cost[:-1, 1:] + cost[1:, :-1]).all():
        # Hoffman (1963): for such costs, pairing the labels in their order is optimal
        return _total(cost * _paired_in_order(s.rows, s.columns))
    result = np.empty(s.n.shape)
    for at in np.ndindex(s.n.shape):
        result[at] = _cheapest_transport(s.rows[at], s.columns[at], cost)
    return result


def _paired_in_order(rows: FloatArray, columns: FloatArray) -> FloatArray:
    """Return the table of the two labelings after sorting each of them."""
    end_of_row, end_of_column = (np.cumsum(a, axis=-1) for a in (rows, columns))
    end = np.minimum(end_of_row[..., :, np.newaxis], end_of_column[..., np.newaxis, :])
    start = np.maximum((end_of_row - rows)[..., :, np.newaxis], (end_of_column - columns)[..., np.newaxis, :])
    return np.asarray(np.maximum(end - start, 0))


def _cheapest_transport(rows: FloatArray, columns: FloatArray, cost: FloatArray) -> float:
    """Return the minimum cost of the transportation problem with these row and column sums."""
    from scipy.optimize import linprog

    k = len(cost)
    equations = np.concatenate([np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))])
    solution = linprog(cost.ravel(), A_eq=equations, b_eq=np.concatenate([rows, columns]), method="highs-ds")
    return float(np.sum(cost.ravel() * np.rint(np.asarray(solution.x, dtype=np.float64))))


def _total(cells: FloatArray) -> FloatArray:
    total: FloatArray = cells.reshape(*cells.shape[:-2], -1).sum(axis=-1)
    return total


def cohen_kappa_matrix(y: ArrayLike, *, labels: Sequence[Any] | None = None, weights: str | None = None) -> FloatArray:
    """Estimate Cohen's kappa for all pairs of many labelings.

    The labelings may be the predictions of many classifiers for one test set. The function computes only the estimates,
    in a fraction of the time that separate calls of `cohen_kappa` take. For a standard error, call `cohen_kappa` for
    individual pairs or, for a moderate number of labelings, once with ``y[:, None]`` and ``y[None]``.

    Parameters
    ----------
    y : array_like of shape (n_classifiers, n)
        The labels of each classifier (row) for the same n instances (columns): integers, Booleans, text or other
        hashable objects, all of one kind.
    labels : sequence, optional
        All labels in their order. A label that is not listed raises an error. None: all labels that occur in `y`,
        sorted. The order matters only for weights.
    weights : {None, 'linear', 'quadratic'}, default: None
        As in `cohen_kappa`. For a matrix of weights, use `cohen_kappa`.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        Kappa of each pair. The matrix is symmetric, with 1 on the diagonal. Kappa is nan if all labels of both
        labelings are the same.

    Raises
    ------
    ValueError
        If `y` does not have two axes or has no labels, a label is missing or not listed, or an option is unknown.
    TypeError
        If labels have different types, such as text and numbers.

    Notes
    -----
    For each binary digit of the label numbers, the digits of 64 instances are packed into one word. A few operations on
    words then compare 64 instances. In addition to `y` and the result, the function needs n_classifiers x n x log2(k) /
    8 bytes. Linear weights need k - 1 binary digits for each label instead of log2(k). For quadratic weights, kappa
    follows from a matrix product.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20,
    37-46.

    Examples
    --------
    >>> from evalstats.agreement import cohen_kappa_matrix
    >>> cohen_kappa_matrix([["a", "a", "b", "b"], ["a", "a", "b", "c"], ["b", "b", "b", "b"]]).round(3)
    array([[1. , 0.6, 0. ],
           [0.6, 1. , 0. ],
           [0. , 0. , nan]])
    """
    understood = understand(y, "y")
    if understood.array.ndim != 2:
        raise InvalidValueError(
            f"y must have the shape (n_classifiers, n), with a row for each labeling, but its shape is "
            f"{understood.array.shape}"
        )
    names = in_order(distinct(understood)) if labels is None else given_classes(labels, understood.kind)
    name = "unweighted" if weights is None else _checks.choice(weights, "weights", ("linear", "quadratic"))
    codes = class_codes(understood, names)

    n, k = understood.array.shape[1], len(names)
    observed = {"unweighted": _n_unequal, "linear": _n_steps, "quadratic": _squared_steps}[name](codes)
    steps = np.abs(np.subtract.outer(np.arange(float(k)), np.arange(float(k))))
    cost = {"unweighted": np.minimum(steps, 1), "linear": steps, "quadratic": steps**2}[name]
    totals = tally([codes]).astype(np.float64)
    by_chance = totals @ cost @ totals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(by_chance > 0, 1 - n * observed / by_chance, np.nan)


def _n_unequal(codes: Codes) -> FloatArray:
    """Count the instances that each pair of raters labels differently, by the binary digits of the label numbers."""
    n_digits = max((codes.size - 1).bit_length(), 1)
    return _n_different([_packed(codes, partial(np.bitwise_and, 1 << digit)) for digit in range(n_digits)])


def _n_steps(codes: Codes) -> FloatArray:
    """Sum the steps between the two labels of each instance by counting the thresholds between them."""
    total = np.zeros((codes.shape[0],) * 2)
    for threshold in range(1, codes.size):
        total += _n_different([_packed(codes, partial(np.less_equal, threshold))])
    return total


def _squared_steps(codes: Codes) -> FloatArray:
    """Sum the squared steps between the two labels of each instance, from products of label numbers."""
    n_classifiers, n = codes.shape
    products = np.zeros((n_classifiers, n_classifiers))
    step = max(CODES_AT_A_TIME // n_classifiers, 1)
    for start in range(0, n, step):
        part = codes.of((slice(None), slice(start, start + step))).astype(np.float64)
        products += part @ part.T
    squares = np.diagonal(products)
    return squares[:, np.newaxis] + squares - 2 * products


def _packed(codes: Codes, bit: Callable[[AnyArray], AnyArray]) -> Words:
    """Pack one bit of each instance, 64 instances per word."""
    n_classifiers, n = codes.shape
    result = np.zeros((n_classifiers, -(-n // 64) * 8), dtype=np.uint8)
    for i in range(n_classifiers):
        bits = np.packbits(bit(codes.of((slice(i, i + 1), slice(None)))[0]))
        result[i, : len(bits)] = bits
    return result.view(np.uint64)


def _n_different(planes: Sequence[Words]) -> FloatArray:
    """Count, for each pair of rows, the bits that differ in any of the planes."""
    n_rows, n_words = planes[0].shape
    counts = np.zeros((n_rows, n_rows), dtype=np.int64)
    step = max(WORDS_AT_A_TIME // n_rows, 8)
    different, here = np.empty((2, n_rows, step), dtype=np.uint64)
    for start in range(0, n_words, step):
        parts = [np.ascontiguousarray(plane[:, start : start + step]) for plane in planes]
        width = parts[0].shape[1]
        for i in range(n_rows - 1):
            later = slice(0, n_rows - 1 - i), slice(0, width)
            any_plane = np.bitwise_xor(parts[0][i + 1 :], parts[0][i], out=different[later])
            for part in parts[1:]:
                any_plane |= np.bitwise_xor(part[i + 1 :], part[i], out=here[later])
            counts[i, i + 1 :] += _n_bits(any_plane)
    return (counts + counts.T).astype(np.float64)


def _n_bits(words: Words) -> IntArray:
    """Count the bits that are set in each row."""
    if hasattr(np, "bitwise_count"):
        return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))
    bytes_of_words = np.ascontiguousarray(words).view(np.uint8)  # numpy 1
    return np.asarray(N_BITS[bytes_of_words].sum(axis=-1, dtype=np.int64))
