"""Durbin's test of several classifiers in a balanced incomplete design."""

from __future__ import annotations

__all__ = ["DurbinTestResult", "durbin_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._canonical_order import unsigned_form
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ClassifiersTestResult
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.row_permutations import chance_of_agreement
from evalstats.multiple import incomplete_blocks
from evalstats.multiple.mean_ranks import ALL_TIED

METHODS = (*incomplete_blocks.METHODS_BESIDE, "f")
ONE_DATASET = "with one dataset, all orders of the classifiers are equally extreme"
NO_RESIDUAL = "the classifiers explain all ranks, so F is infinite; its p-value is the exact probability of such ranks"
NOT_COUNTED = (
    "the classifiers explain all ranks, so F is infinite, and the computation of the exact probability "
    "of such ranks takes too long"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class DurbinTestResult(ClassifiersTestResult):
    """Result of `durbin_test`.

    Attributes
    ----------
    statistic : float or ndarray
        `chi2`, or `f` for ``method='f'``.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        The null distribution that was used: ``'exact'``, ``'chi2'``, ``'f'`` or ``'monte-carlo'``.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    df : int or tuple of int
        Degrees of freedom: t - 1 for t classifiers. For ``method='f'`` and b datasets of k scores, the pair (t - 1, b
        (k - 1) - t + 1).
    chi2, chi2_pvalue : float or ndarray
        Durbin's statistic corrected for ties (Conover's T1), and its p-value from the chi-squared distribution.
    f, f_pvalue : float or ndarray
        Conover's T2 and its p-value from the F distribution. If the residual is 0, T2 is infinite (nan for one
        dataset), and the p-value is the exact probability of a residual of 0. The p-value is nan if the enumeration
        takes too long.
    mean_ranks : ndarray of shape (..., n_classifiers)
        Mean rank of each classifier among the scores of its datasets. Rank 1 is the best, and the mean is (k + 1) / 2.
    n_datasets, n_classifiers : int
        b and t, the shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    n_per_dataset, n_per_classifier, n_per_pair : int
        The numbers of the design: k scores on each dataset, r scores of each classifier, and lambda datasets shared by
        any two classifiers.
    min_attainable_pvalue : float or ndarray
        The p-value of `method` for a table in which every dataset orders its classifiers by their rank sums. If
        `pvalue` is smaller, this field is equal to `pvalue`.
    n_resamples : int, None or ndarray of object
        Number of random arrangements, or None if `method` is not ``'monte-carlo'``.
    seed : int, None or ndarray of object
        Seed of the random arrangements, or None without random arrangements or if `rng` was a Generator.
    tie_tolerance : float
        The relative precision to which scores were rounded before the comparison.
    """

    df: int | tuple[int, int]
    chi2: Any
    chi2_pvalue: Any
    f: Any
    f_pvalue: Any
    mean_ranks: FloatArray
    n_datasets: int
    n_classifiers: int
    n_per_dataset: int
    n_per_classifier: int
    n_per_pair: int
    min_attainable_pvalue: Any
    n_resamples: Any
    seed: Any
    tie_tolerance: float


def durbin_test(
    scores: Any,
    *,
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> DurbinTestResult:
    """Test whether several classifiers differ in a balanced incomplete design (Durbin's test).

    The null hypothesis is that all orders of the classifiers of a dataset are equally likely. The design must be
    balanced: all datasets have k scores, all classifiers have r scores, and any two classifiers share lambda datasets.
    A complete table is also balanced. For a complete table, the test is the Friedman test.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns. The value nan marks a
        pair without a score in the design. Leading axes form a batch of tables with the same number of scores per
        dataset.
    method : {'auto', 'exact', 'chi2', 'f', 'monte-carlo'}, default: 'auto'
        The null distribution.

        ``'exact'``: all permutations of the observed ranks within every dataset, including ties. This method is valid
        for every table. It raises an error if the computation would take minutes.

        ``'monte-carlo'``: random permutations of the ranks. This method is valid for every table, but the p-value has a
        random error.

        ``'chi2'``: Durbin's approximation, with t - 1 degrees of freedom. This method is conservative if there are few
        datasets.

        ``'f'``: Conover's form, an analysis of variance of the ranks. The error rate of this method is closer to the
        nominal level, but slightly above it.

        ``'auto'``: exact if the computation takes about 0.3 s or less. Otherwise, chi2 if there are 20 or more datasets
        with at least two different scores, and Monte Carlo if there are fewer such datasets.
    n_resamples : int, default: 9999
        Number of random permutations for the Monte Carlo method. The p-value is never below 1 / (n_resamples + 1).
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Each table of a batch uses the same seed.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    DurbinTestResult
        The statistics `chi2` and `f`, for any `method`, and the numbers of the design.

    Raises
    ------
    InvalidValueError
        If the design is not balanced (for other designs, see `skillings_mack_test`), scores are infinite or not a
        table, or an option is unknown. If ``'exact'`` takes too long.

    See Also
    --------
    skillings_mack_test : test for any pattern of missing scores.

    References
    ----------
    .. [1] J. Durbin (1951). Incomplete blocks in ranking experiments. British Journal of Psychology (Statistical
       Section) 4, 85-90.
    .. [2] W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition, Wiley, section 5.9.

    Examples
    --------
    Seven kinds of ice cream, of which each of seven people tasted three; rank 1 is the best (Conover 1999):

    >>> from evalstats.multiple import durbin_test
    >>> nan = float("nan")
    >>> ranks = [
    ...     [2, 3, nan, 1, nan, nan, nan], [nan, 3, 1, nan, 2, nan, nan], [nan, nan, 2, 1, nan, 3, nan],
    ...     [nan, nan, nan, 1, 2, nan, 3], [3, nan, nan, nan, 1, 2, nan], [nan, 3, nan, nan, nan, 1, 2],
    ...     [3, nan, 1, nan, nan, nan, 2],
    ... ]
    >>> result = durbin_test(ranks, method="f", greater_is_better=False)
    >>> print(f"chi2 = {result.chi2:.2f}, F{result.df} = {result.f:.2f}, p = {result.pvalue:.4f}")
    chi2 = 12.00, F(6, 8) = 8.00, p = 0.0049
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = incomplete_blocks.incomplete_scores(scores)
    k, r, pairs = _design(matrix)
    method = _checks.choice(method, "method", METHODS)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    ranks = incomplete_blocks.observed_ranks(
        matrix, _checks.boolean(greater_is_better, "greater_is_better"), tie_tolerance
    )
    shape, (b, t) = ranks.shape[:-2], ranks.shape[-2:]
    df_residual = b * (k - 1) - (t - 1)

    doubled = 2 * ranks - (k + 1)  # whole numbers
    canonical = np.stack([_canonical(table) for table in doubled.reshape(-1, b, t)]).reshape(ranks.shape)
    there = ~np.isnan(canonical)
    values = np.where(there, canonical, 0.0)
    within = (values**2).sum(axis=(-2, -1))
    spread = np.stack([(values.sum(axis=-2) ** 2).sum(axis=-1), _most_spread(values, there)])
    between, residual = (t - 1) * spread, b * (k - 1) * within - (t - 1) * spread
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = np.where(within > 0, between / within, 0.0)  # Conover (1999), section 5.9, T1
        f = np.where(within > 0, between / residual * (df_residual / (t - 1)), 0.0)  # T2

    chi2_pvalue, f_pvalue = tails.chi2_pvalue(chi2, t - 1), _f_pvalue(values, there, spread, residual, df_residual)
    pvalue = np.array(f_pvalue if method == "f" else chi2_pvalue)
    null = np.full(shape, "f" if method == "f" else "chi2", dtype="<U11")
    resamples = np.full(shape, None, dtype=object)
    for at in np.ndindex(shape if method != "f" else (0,)):
        whole = incomplete_blocks.CentredRanks(values[at], np.ones(b), there[at])
        null[at], tail = incomplete_blocks.null_tail(
            whole, np.eye(t), spread[:, *at], method, "chi2", n_resamples, source
        )
        if tail is not None:
            pvalue[:, *at] = tails.as_pvalue(tail)
            resamples[at] = n_resamples if null[at] == "monte-carlo" else None

    return DurbinTestResult(
        classifiers=column_names(scores),
        statistic=(f if method == "f" else chi2)[0],
        pvalue=pvalue[0],
        alternative="two-sided",
        method=null,
        reason=_reason(values, residual[0], f_pvalue[0], method),
        df=(t - 1, df_residual) if method == "f" else t - 1,
        chi2=chi2[0],
        chi2_pvalue=chi2_pvalue[0],
        f=f[0],
        f_pvalue=f_pvalue[0],
        mean_ranks=np.where(np.isnan(ranks), 0.0, ranks).sum(axis=-2) / r,
        n_datasets=b,
        n_classifiers=t,
        n_per_dataset=k,
        n_per_classifier=r,
        n_per_pair=pairs,
        min_attainable_pvalue=pvalue[1],
        n_resamples=resamples,
        seed=source.seed_of(resamples),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=durbin_test,
        data=Data.TABLE,
        excused={"nan and infinity": "nan means a missing score"},
        sentence="Durbin test: {f_or_chi2}, {outcome}",
    ),
)


def _design(scores: FloatArray) -> tuple[int, int, int]:
    """Return k, r and lambda of a balanced design, or raise an error that names the imbalance."""
    there = ~np.isnan(scores.reshape(-1, *scores.shape[-2:]))
    per_dataset, per_classifier = there.sum(axis=2), there.sum(axis=1)
    per_pair = np.einsum("...ni,...nj->...ij", there.astype(np.int64), there.astype(np.int64))
    pairs = per_pair[:, ~np.eye(there.shape[2], dtype=bool)]
    for counts, what in (
        (per_dataset, "scores of each dataset"),
        (per_classifier, "scores of each classifier"),
        (pairs, "datasets for each pair of classifiers"),
    ):
        least, most = int(counts.min()), int(counts.max())
        if least != most or most == 0:
            found = f"there are {least} to {most} {what}" if least != most else f"there are no {what}"
            raise InvalidValueError(
                f"scores must form a balanced design, but {found}; for any pattern of missing scores, see "
                "skillings_mack_test"
            )
    return int(per_dataset.flat[0]), int(per_classifier.flat[0]), int(pairs.flat[0])


def _most_spread(values: FloatArray, there: BoolArray) -> FloatArray:
    """Return the larger of the observed sum of squared rank sums and its value if all datasets have the same order."""
    sums = values.sum(axis=-2)
    order = np.broadcast_to(np.argsort(sums, axis=-1, kind="stable")[..., None, :], values.shape)
    t = np.take_along_axis(there, order, axis=-1)
    ordered = np.sort(np.where(there, values, np.inf), axis=-1)
    place = np.maximum(t.cumsum(axis=-1) - 1, 0)
    given = np.where(t, np.take_along_axis(ordered, place, axis=-1), 0.0)
    return np.asarray(np.maximum((given.sum(axis=-2) ** 2).sum(axis=-1), (sums**2).sum(axis=-1)))


def _canonical(ranks: FloatArray) -> FloatArray:
    """Return centered ranks in a canonical order and with a canonical sign."""
    rows, columns, sign = unsigned_form(ranks)
    return np.asarray(sign * ranks[np.ix_(rows, columns)])


def _f_pvalue(
    values: FloatArray, there: BoolArray, spread: FloatArray, residual: FloatArray, df_residual: int
) -> FloatArray:
    """Compute the p-value of F; if the residual is 0, return the exact probability of a residual of 0."""
    t = values.shape[-1]
    left = residual > 0
    pvalue = tails.f_pvalue((t - 1) * spread, np.where(left, residual, 1.0), t - 1, max(df_residual, 1))
    for i, *at in np.argwhere(~left).tolist():
        here = tuple(at)
        pvalue[(i, *here)] = _chance_of_no_residual(values[here], there[here], spread[(i, *here)])
    return pvalue


def _chance_of_no_residual(values: FloatArray, there: BoolArray, spread: float) -> float:
    """Return the probability that random permutations have a residual of 0, or nan if there are too many of them."""
    informative = values.any(axis=1)
    if not informative.any():
        return 1.0
    if there.all():
        return float(tails.as_pvalue(chance_of_agreement(values)))
    ranks = incomplete_blocks.CentredRanks(values[informative], np.ones(informative.sum()), there[informative])
    tail = incomplete_blocks.affordable_tail(
        ranks, np.eye(values.shape[1]), np.array([spread]), incomplete_blocks.AUTO_ADDITIONS
    )
    return np.nan if tail is None else float(tails.as_pvalue(tail[0]))


def _reason(values: FloatArray, residual: FloatArray, f_pvalue: FloatArray, method: str) -> Any:
    """Return a sentence if all scores are tied, there is only one dataset, or F is undefined; otherwise None."""
    n_informative = values.any(axis=-1).sum(axis=-1)
    none = np.array(None, dtype=object)
    infinite = np.where(np.isnan(f_pvalue), NOT_COUNTED, NO_RESIDUAL)
    no_residual = np.where((residual <= 0) & (method == "f"), infinite, none)
    reasons = np.where(n_informative == 1, ONE_DATASET, no_residual)
    return np.where(n_informative == 0, ALL_TIED, reasons)
