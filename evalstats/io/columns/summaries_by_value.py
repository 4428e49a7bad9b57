"""Rows of a table of scores that are summaries of the others, by their values alone.

A row that equals the mean, the median, the geometric mean, the sum or the mean rank of the others for every classifier
is not a dataset, whatever the language of its name. Numbers can also agree by chance: a row is left out only if chance
is as good as excluded, and one for which it is not is noted.
"""

from __future__ import annotations

__all__ = ["OF_ROWS", "Summary", "summaries_in"]

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from evalstats._ranks import midranks
from evalstats._types import FloatArray

FEWEST_OTHERS = 3
FEWEST_COMPARED = 2  # scores in a row
MOST_AT_END = 3  # a table ends in a mean, a rank and a number of wins, hardly in more
MOST_SEARCHED = 60  # rows among which a summary may have any position
MOST_DECIMALS = 10
MOST_LOOKED_AT = 200  # scores
# how probable it may be that a row agrees by chance: at the end of a table, anywhere else, and to be noted
_AT_END, _ANYWHERE, _NOTED = 1e-4, 1e-8, 0.01
_PRECISION = 1e-9  # of numbers that are not rounded
_EQUAL = 1e-12
# the largest test set whose proportions are told from other numbers, and how near to a whole number a multiple is
LARGEST_DENOMINATOR, _WHOLE = 10_000, 1e-7


class Summary(NamedTuple):
    """A row that equals a summary of the others, and whether that cannot be chance."""

    row: int
    what: str
    is_certain: bool


Function = Callable[[FloatArray], FloatArray]


def _mean(scores: FloatArray) -> FloatArray:
    mean: FloatArray = scores.mean(axis=0)
    return mean


def _geometric_mean(scores: FloatArray) -> FloatArray:
    found: FloatArray = np.exp(np.log(scores).mean(axis=0))
    return found


def _mean_rank(scores: FloatArray, sign: int) -> FloatArray:
    mean: FloatArray = midranks(sign * scores).mean(axis=0)
    return mean


_OF_ANY: Mapping[str, Function] = {
    "mean": _mean,
    "median": partial(np.median, axis=0),
    "geometric mean": _geometric_mean,
    "sum": partial(np.sum, axis=0),
}
# of rows of datasets also the mean ranks of the classifiers, of which 1 is the greatest or the smallest
OF_ROWS: Mapping[str, Function] = {
    **_OF_ANY,
    "mean rank": partial(_mean_rank, sign=-1),
    "mean rank, from the smallest": partial(_mean_rank, sign=1),
}


def summaries_in(scores: FloatArray, kept: Collection[int] = (), *, are_datasets: bool = True) -> list[Summary]:
    """Return the rows that equal a summary of the others within rounding.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_columns)
        Scores; nan if one is missing.
    kept : collection of int
        Rows that the caller declares not to be summaries.
    are_datasets : bool, default: True
        Whether rows are datasets, in which the classifiers of the columns have ranks.

    Returns
    -------
    list of Summary
        In the order of the rows.
    """
    functions = OF_ROWS if are_datasets else _OF_ANY
    with np.errstate(all="ignore"):  # scores may be as large as numbers can be
        return _summaries_in(scores, kept, functions)


def _summaries_in(scores: FloatArray, kept: Collection[int], functions: Mapping[str, Function]) -> list[Summary]:
    n = len(scores)
    if n <= FEWEST_OTHERS:
        return []
    doubted: list[Summary] = []
    for n_last in range(min(MOST_AT_END, n - FEWEST_OTHERS), 0, -1):
        others = scores[: n - n_last]
        found = [_summary(scores[i], others, i, functions, _AT_END) for i in range(n - n_last, n) if i not in kept]
        known = [one for one in found if one is not None]
        if len(known) == n_last and all(one.is_certain for one in known):
            return known
        doubted = known
    if n > MOST_SEARCHED:
        return doubted
    rows = (i for i in range(n - 1) if i not in kept)
    anywhere = (_summary(scores[i], np.delete(scores, i, axis=0), i, functions, _ANYWHERE) for i in rows)
    return [*(one for one in anywhere if one is not None and one.is_certain), *doubted][:1]


def _summary(
    row: FloatArray, others: FloatArray, at: int, functions: Mapping[str, Function], most: float
) -> Summary | None:
    """Return what a row is of the others; None if it is nothing, or if chance explains it as well."""
    present = ~np.isnan(row) & ~np.isnan(others.sum(axis=0))  # infinite scores of both signs are no scores either
    if present.sum() < max(FEWEST_COMPARED, len(row) // 2):
        return None
    whole = row, others
    if not present.all():
        row, others = row[present], others[:, present]
    own, of_scores = _rounding(row), _rounding(others)
    agreed = {}
    first, are_ranks = others[:, :1], row.min() >= 1 and row.max() <= len(row)
    for what, function in functions.items():
        times = 0 if what.startswith("mean rank") else len(others) if what == "sum" else 1
        error = own + times * of_scores
        # most rows differ in their first score
        if not are_ranks if what.startswith("mean rank") else abs(function(first)[0] - row[0]) > 2 * error + _PRECISION:
            continue
        expected = function(others)
        if what == "sum" and (np.abs(expected) < 2 * np.abs(others).max(axis=0)).any():
            continue  # not a sum of similar scores: 3 of 0, 1 and 2
        if np.isfinite(expected).all() and (np.abs(expected - row) <= error * 1.001 + _PRECISION).all():
            agreed[what] = _chance(what, row, others, error)
    # a mean that equals the median is in the middle of rows with even spacing, which measured scores do not have
    if not agreed or {"mean", "median"} <= agreed.keys() or (whole[1] == whole[0]).all(axis=1).any():
        return None
    what, chance = min(agreed.items(), key=lambda pair: pair[1])
    if chance > _NOTED:
        return None
    return Summary(at, what.partition(",")[0], chance <= most)


def _chance(what: str, row: FloatArray, others: FloatArray, error: float) -> float:
    """Return how probable it is that a row of scores agrees by chance, if it spreads as the others do."""
    if what.startswith("mean rank"):
        widths = np.full(len(row), float(len(row) - 1))
    elif what == "sum":
        widths = np.abs(row)
    else:
        # as wide as even scores with this median distance from the median: a distant score has no influence
        widths = 4 * np.median(np.abs(others - np.median(others, axis=0)), axis=0)
    # scores are no ranks, whose means are proportions too
    step = (error if what.startswith("mean rank") else max(error, _half_step(row))) + _PRECISION
    own = np.where(widths > 0, np.minimum(1.0, 2 * step / widths), 1.0)
    if what == "median":  # scores that are often tied are often tied with the median
        own = np.maximum(own, (np.diff(np.sort(others, axis=0), axis=0) <= 2 * step).mean(axis=0))
    return float(np.prod(own))


def _half_step(row: FloatArray) -> float:
    """Return half of 1/m for the smallest m of which all scores are multiples, as are proportions of m instances.

    Proportions of the same number of instances agree far more often than their decimals suggest.
    """
    values = row[:MOST_LOOKED_AT]
    multiples = np.arange(1, LARGEST_DENOMINATOR + 1)[:, np.newaxis] * values
    is_whole = (np.abs(multiples - np.round(multiples)) < _WHOLE).all(axis=1)
    return float(0.5 / (1 + is_whole.argmax())) if is_whole.any() else 0.0


def _rounding(scores: FloatArray) -> float:
    """Return how far scores may be from what was measured, by the decimals that they are written with."""
    scores = scores[:MOST_LOOKED_AT, :MOST_LOOKED_AT] if scores.ndim > 1 else scores[:MOST_LOOKED_AT]
    values = scores[np.isfinite(scores)][:MOST_LOOKED_AT]
    steps = (10.0**-decimals for decimals in range(MOST_DECIMALS))
    return next((step / 2 for step in steps if np.abs(values - step * np.round(values / step)).max() < _EQUAL), 0.0)
