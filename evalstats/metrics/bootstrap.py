"""Which scores could other cases of the same kind have given?

A score of hard labels is bootstrapped: cases are drawn again, with replacement. What matters about a sample of cases is
only how many fall into each cell of a table, and these counts are multinomial, so that a replicate costs a few random
numbers, however many cases there are.
"""

from __future__ import annotations

__all__ = ["bootstrap_interval", "bootstrap_scores"]

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray, IntArray
from evalstats.metrics.bootstrap_limits import (
    CHUNK,
    Asked,
    BootstrapInterval,
    LeftOut,
    chunks,
    interval_of,
    joined_intervals,
)
from evalstats.metrics.integer_counts import place_of, whole_tables
from evalstats.metrics.labels import score_from_counts
from evalstats.metrics.scoring import choices_by_position

UNDEFINED = ("nan", "zero")


def bootstrap_interval(
    metric: str,
    counts: ArrayLike,
    *,
    method: str = "bca",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = None,
    undefined: str = "nan",
    **choices: Any,
) -> BootstrapInterval:
    """Tell how far any score of hard labels may lie from its value on other cases, by resampling the confusion counts.

    Drawing n cases with replacement and counting them gives a table of counts that is multinomial; the table is drawn
    directly, so that the work does not depend on the number of cases.

    Parameters
    ----------
    metric : str
        As in `score_from_counts`.
    counts : array_like of int, of shape (..., k, k)
        Confusion counts of cases that are independent of each other; see `confusion_counts`.
    method : {'bca', 'percentile'}, default: 'bca'
        ``'percentile'``: quantiles of the replicates. ``'bca'``: the same with the levels of the quantiles corrected
        for bias and for a spread that depends on the score.
    confidence_level : float, default: 0.95
        The interval covers the true value about this often.
    n_resamples : int, default: 9999
        Number of bootstrap replicates.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is. The problems of a batch are drawn one after another.
    undefined : {'nan', 'zero'}, default: 'nan'
        What to do about replicates in which the score is undefined. ``'nan'``: leave them out; ``'zero'``: they count
        as 0.
    **choices
        As in `score_from_counts`.

    Returns
    -------
    BootstrapInterval
        Of the leading shape; with ``average=None`` of shape (..., n_labels).

    Raises
    ------
    ValueError
        If the counts are not square tables of whole numbers of 0 or more, a table is empty, or an option is unknown.
    TypeError
        If the metric does not take a choice.

    References
    ----------
    Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82,
    171-185.

    Examples
    --------
    >>> from evalstats.metrics import bootstrap_interval
    >>> interval = bootstrap_interval("f1", [[880, 20], [40, 60]], rng=0)
    >>> print(f"{interval.estimate:.3f}, from {interval.low:.2f} to {interval.high:.2f}")
    0.667, from 0.58 to 0.74
    """
    asked = Asked.understand(method, confidence_level, n_resamples)
    score, tables = _understand_bootstrap(metric, counts, undefined, choices)
    source = _checks.random_source(rng)
    generator = source.generator()

    intervals = []
    for table in tables.reshape(-1, *tables.shape[-2:]):
        replicates = np.concatenate(list(_replicates(score, table, asked.n_resamples, generator)))
        left_out = _leave_one_out(score, table) if asked.method == "bca" else None
        intervals.append(interval_of(score(table), replicates, left_out, asked))

    return joined_intervals(intervals, tables.shape[:-2], asked, source)


def bootstrap_scores(
    metric: str,
    counts: ArrayLike,
    *,
    n_resamples: int = 9999,
    rng: Any = None,
    undefined: str = "nan",
    **choices: Any,
) -> FloatArray:
    """Draw the scores that other cases of the same kind could have given.

    Parameters
    ----------
    metric, counts, n_resamples, undefined, **choices
        As in `bootstrap_interval`; undefined scores are nan or 0.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is. The problems of a batch are drawn one after another.

    Returns
    -------
    ndarray of shape (..., n_resamples)
        With ``average=None`` of shape (..., n_resamples, n_labels).

    Raises
    ------
    ValueError, TypeError
        As `bootstrap_interval`.

    Examples
    --------
    >>> from evalstats.metrics import bootstrap_scores
    >>> scores = bootstrap_scores("f1", [[880, 20], [40, 60]], n_resamples=2000, rng=0)
    >>> scores.shape
    (2000,)
    """
    n_resamples = _checks.count(n_resamples, "n_resamples")
    score, tables = _understand_bootstrap(metric, counts, undefined, choices)
    generator = _checks.generator(rng)

    drawn = [
        np.concatenate(list(_replicates(score, table, n_resamples, generator)))
        for table in tables.reshape(-1, *tables.shape[-2:])
    ]

    return np.stack(drawn).reshape((*tables.shape[:-2], *drawn[0].shape))


Score = Callable[[IntArray], FloatArray]


def _understand_bootstrap(metric: Any, counts: Any, undefined: Any, choices: Any) -> tuple[Score, IntArray]:
    """Return the score as a function of counts, and the counts."""
    policy = _checks.choice(undefined, "undefined", UNDEFINED)
    tables = whole_tables(counts)
    if not (totals := tables.sum(axis=(-2, -1))).all():
        at = tuple(np.argwhere(totals == 0)[0])
        raise InvalidValueError(
            f"counts must hold at least one case{f', but counts{place_of(at)} is empty' if at else ''}"
        )

    choices = choices_by_position(metric, counts, choices)

    def score(table: IntArray) -> FloatArray:
        return np.asarray(score_from_counts(metric, table, undefined=policy, **choices), dtype=np.float64)

    return score, tables


def _replicates(score: Score, table: IntArray, n_resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Draw tables of as many cases, and score them, some at a time."""
    cells = table.ravel()
    filled = np.flatnonzero(cells)
    n = int(cells.sum())
    for size in chunks(n_resamples, cells.size):
        drawn = np.zeros((size, cells.size), dtype=np.int64)
        drawn[:, filled] = rng.multinomial(n, cells[filled] / n, size=size)
        yield score(drawn.reshape(size, *table.shape))


def _leave_one_out(score: Score, table: IntArray) -> LeftOut:
    """Leave out one case of each filled cell: cases of one cell give the same score."""
    cells = table.ravel()
    filled = np.flatnonzero(cells)
    if cells.sum() == 1:
        return LeftOut(np.full(1, np.nan), cells[filled])
    parts = []
    for start in range(0, len(filled), step := max(1, CHUNK // cells.size)):
        some = filled[start : start + step]
        smaller = np.repeat(cells[None], len(some), axis=0)
        smaller[np.arange(len(some)), some] -= 1
        parts.append(score(smaller.reshape(-1, *table.shape)))
    return LeftOut(np.concatenate(parts), cells[filled])
