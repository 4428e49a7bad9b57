"""Durbin's test: do several classifiers differ, if each dataset was tried by some of them, in a balanced design?"""

from __future__ import annotations

__all__ = ["DurbinTestResult", "durbin_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import HypothesisTestResult, unbatch
from evalstats.distributions import tails
from evalstats.multiple.incomplete_blocks import (
    AUTO_SEED,
    METHODS_BESIDE,
    choose_method,
    incomplete_scores,
    monte_carlo_tail,
    observed_ranks,
)
from evalstats.multiple.rank_sum_pvalues import ALL_TIED, SMALLEST_FLOAT

FloatArray = NDArray[np.float64]

METHODS = (*METHODS_BESIDE, "f")
ONE_DATASET = "with one dataset all orders of the classifiers are equally extreme"
NO_RESIDUAL = "the classifiers explain all ranks: F is infinite, and the F distribution does not apply"


@dataclass(frozen=True, kw_only=True, eq=False)
class DurbinTestResult(HypothesisTestResult):
    """Whether several classifiers differ in a balanced incomplete design; see `durbin_test`.

    Attributes
    ----------
    statistic : float or ndarray
        `chi2`; for ``method='f'`` it is `f`.
    pvalue : float or ndarray
        The p-value by the method that `method` names; nan for ``'f'`` where F is infinite or undefined.
    alternative : str
        Always ``'two-sided'``.
    method : str or ndarray of str
        The null distribution really used: ``'chi2'``, ``'f distribution'`` or ``'monte-carlo'``.
    reason : str, None or ndarray of object
        None, or a sentence when the input was degenerate.
    df : int or tuple of int
        t - 1 with t classifiers; for ``method='f'`` the pair (t - 1, b (k - 1) - t + 1) with b datasets of k scores.
    chi2, chi2_pvalue : float or ndarray
        Durbin's statistic corrected for ties (Conover's T1), and its p-value by the chi-squared distribution.
    f, f_pvalue : float or ndarray
        Conover's T2, and its p-value by the F distribution; nan where it does not apply.
    mean_ranks : ndarray of shape (..., n_classifiers)
        Mean rank of each classifier among the scores of its datasets; 1 is the best, (k + 1) / 2 their mean.
    n_datasets, n_classifiers : int
        b and t, the shape of the table.
    n_per_dataset, n_per_classifier, n_per_pair : int
        The design: k scores of each dataset, r of each classifier, and lambda datasets that have any two classifiers.
    smallest_pvalue : float or ndarray
        The p-value, by the method used, if every dataset had ordered its classifiers by their rank sums; the p-value
        itself where that is smaller.
    n_resamples : int, None or ndarray of object
        Number of random arrangements; None where `method` is not ``'monte-carlo'``.
    tie_tolerance : float
        The relative precision to which scores were rounded before they were compared.
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
    smallest_pvalue: Any
    n_resamples: Any
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
    """Tell whether several classifiers differ when each dataset was planned to be tried by only some of them.

    The null hypothesis: on every dataset all orders of the classifiers that it has are equally likely. The design must
    be balanced: all datasets have k scores, all classifiers r, and any two classifiers meet on lambda datasets. A
    complete table is balanced too, and this is then Friedman's test.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset, one column per classifier, at least two columns and one row; nan where the design has no
        score. Leading axes are a batch of tables with the same number of scores per dataset.
    method : {'auto', 'chi2', 'f', 'monte-carlo'}, default: 'auto'
        The null distribution.

        ``'monte-carlo'``: random orders of the observed ranks within every dataset, ties included; right for every
        table, with a random error.

        ``'chi2'``: Durbin's approximation, with t - 1 degrees of freedom; conservative for few datasets.

        ``'f'``: Conover's form, an analysis of variance of the ranks; nearer to the truth, and somewhat liberal.

        ``'auto'``: chi2 from 20 datasets on that do not tie all classifiers they have, Monte Carlo below.
    n_resamples : int, default: 9999
        Number of random orders for Monte Carlo; the p-value is never below 1 / (n_resamples + 1).
    rng : None, int or numpy.random.Generator, optional
        Source of the random orders; every table of a batch starts from it. Where ``'auto'`` comes to Monte Carlo, None
        means the seed 0.
    greater_is_better : bool, default: True
        False for losses and error rates: then the smallest score gets rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied; 0 compares bits.

    Returns
    -------
    DurbinTestResult
        Both statistics side by side, whatever the method, and the numbers of the design.

    Raises
    ------
    InvalidValueError
        If the design is not balanced (for any other see `skillings_mack_test`), scores hold infinities or are not a
        table, or an option is unknown.

    See Also
    --------
    skillings_mack_test : for any pattern of missing scores.

    References
    ----------
    .. [1] J. Durbin (1951). Incomplete blocks in ranking experiments. British Journal of Psychology (Statistical
       Section) 4, 85-90.
    .. [2] W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition, Wiley, section 5.9.

    Examples
    --------
    Seven kinds of ice cream, three tasted by each of seven people; 1 is the best (Conover 1999):

    >>> from evalstats import durbin_test
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
    matrix = incomplete_scores(scores)
    k, r, pairs = _design(matrix)
    method = _checks.choice(method, "method", METHODS)
    n_resamples = _checks.count(n_resamples, "n_resamples")
    if rng is not None:
        _checks.generator(rng)
    ranks = observed_ranks(matrix, _checks.boolean(greater_is_better, "greater_is_better"), tie_tolerance)
    shape, (b, t) = ranks.shape[:-2], ranks.shape[-2:]
    df_residual = b * (k - 1) - (t - 1)

    there = ~np.isnan(ranks)
    values = np.where(there, 2 * ranks - (k + 1), 0.0)  # whole numbers
    within = (values**2).sum(axis=(-2, -1))
    spread = np.stack([(values.sum(axis=-2) ** 2).sum(axis=-1), _most_spread(values, there)])
    between, residual = (t - 1) * spread, b * (k - 1) * within - (t - 1) * spread
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = np.where(within > 0, between / within, 0.0)  # Conover (1999), section 5.9, T1
        f = np.where(within > 0, between / residual * (df_residual / (t - 1)), 0.0)  # T2

    chi2_pvalue = np.maximum(tails.chi2_right_tail(chi2, t - 1), SMALLEST_FLOAT)
    f_pvalue = _f_pvalue(between, residual, t - 1, df_residual)
    f_pvalue[:, within == 0] = 1.0
    pvalue = np.array(f_pvalue if method == "f" else chi2_pvalue)
    null = np.full(shape, "f distribution" if method == "f" else "chi2", dtype="<U14")
    resamples = np.full(shape, None, dtype=object)
    for at in np.ndindex(shape):
        variance = (values[at] ** 2).sum(axis=-1) / (k - 1)
        if choose_method(method, int((variance > 0).sum())) == "monte-carlo":
            generator = _checks.generator(AUTO_SEED if method == "auto" and rng is None else rng)
            null[at], resamples[at] = "monte-carlo", n_resamples
            pvalue[:, *at] = monte_carlo_tail(values[at], there[at], np.eye(t), spread[:, *at], n_resamples, generator)

    return DurbinTestResult(
        statistic=unbatch((f if method == "f" else chi2)[0]),
        pvalue=unbatch(pvalue[0]),
        alternative="two-sided",
        method=unbatch(null),
        reason=_reason(values, residual[0], method),
        df=(t - 1, df_residual) if method == "f" else t - 1,
        chi2=unbatch(chi2[0]),
        chi2_pvalue=unbatch(chi2_pvalue[0]),
        f=unbatch(f[0]),
        f_pvalue=unbatch(f_pvalue[0]),
        mean_ranks=np.where(there, ranks, 0.0).sum(axis=-2) / r,
        n_datasets=b,
        n_classifiers=t,
        n_per_dataset=k,
        n_per_classifier=r,
        n_per_pair=pairs,
        smallest_pvalue=unbatch(pvalue[1]),
        n_resamples=unbatch(resamples),
        tie_tolerance=tie_tolerance,
    )


def _design(scores: FloatArray) -> tuple[int, int, int]:
    """Return k, r and lambda of a balanced design, or say where the balance is missing."""
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
                f"scores must be a balanced design, but {found}; for any pattern of missing scores see "
                f"skillings_mack_test"
            )
    return int(per_dataset.flat[0]), int(per_classifier.flat[0]), int(pairs.flat[0])


def _most_spread(values: FloatArray, there: NDArray[np.bool_]) -> FloatArray:
    """Return the sum of squared rank sums if all datasets had the order of the rank sums; the observed if larger."""
    sums = values.sum(axis=-2)
    order = np.broadcast_to(np.argsort(sums, axis=-1, kind="stable")[..., None, :], values.shape)
    t = np.take_along_axis(there, order, axis=-1)
    ordered = np.sort(np.where(there, values, np.inf), axis=-1)
    place = np.maximum(t.cumsum(axis=-1) - 1, 0)
    given = np.where(t, np.take_along_axis(ordered, place, axis=-1), 0.0)
    return np.asarray(np.maximum((given.sum(axis=-2) ** 2).sum(axis=-1), (sums**2).sum(axis=-1)))


def _f_pvalue(between: FloatArray, residual: FloatArray, df_between: int, df_residual: int) -> FloatArray:
    """Right tail of the F distribution; nan where nothing is left beside the classifiers."""
    if df_residual == 0:
        return np.full(between.shape, np.nan)
    left = residual > 0
    tail = tails.f_right_tail(between, np.where(left, residual, 1.0), df_between, df_residual)
    return np.where(left, np.maximum(tail, SMALLEST_FLOAT), np.nan)


def _reason(values: FloatArray, residual: FloatArray, method: str) -> Any:
    """Sentence where all is tied, where one dataset decides, or where F does not apply; else None."""
    n_informative = values.any(axis=-1).sum(axis=-1)
    none = np.array(None, dtype=object)
    no_residual = np.where((residual <= 0) & (method == "f"), NO_RESIDUAL, none)
    reasons = np.where(n_informative == 1, ONE_DATASET, no_residual)
    return unbatch(np.where(n_informative == 0, ALL_TIED, reasons))
