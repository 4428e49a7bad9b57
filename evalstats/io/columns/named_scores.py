"""Checks of the values of rows and columns that are omitted or compared because of their names.

A row called 'average' may be a dataset, and a column called 'time' may belong to a classifier. The name alone never
removes scores. If the values look like scores and are not the summary that the name denotes, an error lists the
alternatives. A column called 'k' or 'prompt tokens' may be a classifier or a setting. If its values are on a different
scale from the scores, an error asks for its meaning.
"""

from __future__ import annotations

__all__ = ["refuse_scores_in", "refuse_scores_in_long", "refuse_settings_in"]

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from evalstats._errors import listed
from evalstats._findings import LeftOut
from evalstats._lexicon import plain_name, simplified
from evalstats._types import FloatArray
from evalstats.io.columns.computed import rounding_of
from evalstats.io.columns.conditions import SETTINGS, are_described
from evalstats.io.columns.kinds import is_beside
from evalstats.io.columns.summaries import OF_ROWS
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import numbers_in
from evalstats.tables.categorical import names_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import texts_of

_OF_SUMMARY = "is a summary of the others"
# reasons that only a name gives, and what the name says
_BY_NAME: Mapping[str, str] = {
    _OF_SUMMARY: "a summary of the others",
    "describes the classifiers": "a time or a size",
    "is a note": "a note",
    "describes the datasets": "a description of the datasets",
    "contains the time of each row": "a time",
    "contains the p-value of each row": "a p-value",
}
# how many times as large as the scores of the others the values of a setting are, or the reverse
_FAR = 3
_SPREADS: Mapping[str, Callable[[FloatArray], Any]] = {
    "minimum": partial(np.min, axis=0),
    "maximum": partial(np.max, axis=0),
    "standard deviation": partial(np.std, axis=0),
    "sample standard deviation": partial(np.std, axis=0, ddof=1),
}


def refuse_scores_in(
    grid: Grid, key: int | None, heads: Sequence[int], decimal: str, left_out: Sequence[LeftOut]
) -> None:
    """Raise an error if a row or column of a wide table was omitted for its name but its values look like scores.

    `heads` contains the columns of scores, including omitted columns.
    """
    if not any(one.reason in _BY_NAME for one in left_out):
        return
    values = [[math.nan if v is None else v for v in numbers_in(grid.columns[j], decimal)] for j in heads]
    rows = [""] * len(grid.numbers) if key is None else list(texts_of(grid.columns[key]))
    if are_described(rows):
        return  # the rule for the output of pandas' describe() refuses the table
    scores, columns = np.array(values, dtype=float).T, [grid.header[j] for j in heads]
    _refuse(grid.name, scores, (rows, columns), ("row", "column"), left_out, {one.name for one in left_out})


def refuse_scores_in_long(grid: Grid, keys: tuple[int, int], score: int, decimal: str, left: Sequence[LeftOut]) -> None:
    """Raise an error if rows of a long table were omitted for a name but their values look like scores."""
    if not any(one.reason in _BY_NAME for one in left):
        return
    (rows, row_of), (columns, column_of) = (names_in(grid.columns[j]) for j in keys)
    values = np.array([math.nan if v is None else v for v in numbers_in(grid.columns[score], decimal)], dtype=float)
    at = np.asarray(row_of) * len(columns) + np.asarray(column_of)
    is_there = np.isfinite(values)
    sums, counts = (
        np.bincount(at[is_there], weights=weights, minlength=len(rows) * len(columns))
        for weights in (values[is_there], None)
    )
    with np.errstate(invalid="ignore"):
        scores = (sums / counts).reshape(len(rows), len(columns))
    _refuse(grid.name, scores, (rows, columns), ("dataset", "classifier"), left, {one.name for one in left})


def refuse_settings_in(grid: Grid, heads: Sequence[int], values: FloatArray, kept: Collection[str]) -> None:
    """Raise an error if columns that may be settings, sizes or times have values on a different scale from the scores.

    These columns have one letter as their name, or the name of a setting, a time or a size. In a table with fractions,
    columns of whole numbers above 1 are also checked. `values` contains the numbers of the columns `heads` in its rows.
    """
    if any(isinstance(first := next(iter(grid.columns[j]), None), str) and "%" in first for j in heads):
        return  # another rule is for numbers without the sign
    are_whole = ~(values[:, 0] > np.floor(values[:, 0]))  # the first row excludes most columns
    are_whole[are_whole] = [not (own > np.floor(own)).any() for own in values[are_whole]]
    may_count = are_whole & (np.fmax.reduce(values, axis=1, initial=0) > 1) & (not are_whole.all())
    is_asked = [may or _may_be_setting(grid.header[j]) for j, may in zip(heads, may_count.tolist(), strict=True)]
    if not any(is_asked):
        return
    known = [(j, own[np.isfinite(own)], may) for j, own, may in zip(heads, values, is_asked, strict=True)]
    asked = {j: own for j, own, may in known if may}
    scores = [own for _, own, may in known if not may and own.size]
    if not scores:
        return
    low, high = (float(of([of(own) for own in scores])) for of in (np.min, np.max))
    names = [grid.header[j] for j, own in asked.items() if _are_of_another_scale(own, low, high)]
    found = [name for name in names if name not in kept]
    if found:
        raise TableError(
            f"{grid.name}: the values of {listed(found)} are on a different scale from the scores of the other columns",
            f"if {'it is not a classifier' if len(found) == 1 else 'they are not classifiers'}, pass {{}}; otherwise, "
            "pass {keep}",
            "drop",
            tuple(found),
        )


def _may_be_setting(name: str) -> bool:
    return simplified(name) in SETTINGS or len(plain_name(name)) == 1 or is_beside(name)


def _are_of_another_scale(own: FloatArray, low: float, high: float) -> bool:
    """Return whether values exceed 1 although the scores are proportions, or are far above or below all scores."""
    if not own.size or min(low, own.min()) < 0:
        return False
    is_beyond = high <= 1 < own.max() and 2 * np.count_nonzero((low <= own) & (own <= high)) < own.size
    return bool(is_beyond or own.min() > _FAR * high or _FAR * own.max() < low)


def _refuse(
    name: str,
    scores: FloatArray,
    names: tuple[Sequence[str], Sequence[str]],
    words: tuple[str, str],
    asked: Sequence[LeftOut],
    gone: Collection[str],
) -> None:
    """Raise an error if a row or column in `asked` looks like the scores outside of `gone`."""
    reasons = {one.name: one.reason for one in asked if one.reason in _BY_NAME}
    sides = zip((scores, scores.T), names, reversed(names), words, ("dataset", "classifier"), strict=True)
    for values, own, others, word, what in sides:
        is_gone = np.array([one in gone for one in own], dtype=bool)
        compared = values[:, [one not in gone for one in others]]
        for i in np.flatnonzero(is_gone).tolist():
            reason = reasons.get(own[i], "")
            if not reason or not _look_like_scores(compared[i], compared[~is_gone]):
                continue
            begin = max(np.flatnonzero(is_gone[:i]).tolist(), default=-1) + 1
            is_score = ~is_gone & [not is_beside(one) for one in own]
            groups = (compared[~is_gone], compared[is_score], compared[:i][~is_gone[:i]], compared[begin:i])
            if reason == _OF_SUMMARY and any(_is_summary(compared[i], group) for group in groups):
                continue
            named = f"the {word} {short(own[i])} has the name of {_BY_NAME[reason]}"
            raise TableError(
                f"{name}: {named}, but its values look like scores",
                f"if it is not a {what}, pass {{}}; if it is one, pass {{keep}}",
                "drop",
                own[i],
            )


def _look_like_scores(own: FloatArray, scores: FloatArray) -> bool:
    """Return whether most values of a row lie between the smallest and the largest score of the other rows."""
    own, present = own[np.isfinite(own)], scores[np.isfinite(scores)]
    if len(own) < max(1, scores.shape[1] / 2) or not len(present):
        return False
    if (own % 1 == 0).all() and (present % 1 != 0).any():  # counts among proportions
        return False
    return bool(((own >= present.min()) & (own <= present.max())).mean() >= 0.5)


def _is_summary(own: FloatArray, scores: FloatArray) -> bool:
    """Return whether a row equals a summary of at least two other rows within rounding.

    The last digit may be rounded or cut off. A row that equals a single other row may be a second dataset.
    """
    is_there = np.isfinite(own) & np.isfinite(scores).any(axis=0)
    if not is_there.any() or len(scores) < 2:
        return False
    own, scores = own[is_there], scores[:, is_there]
    for what, function in (*OF_ROWS.items(), *_SPREADS.items()):
        error = 2 * rounding_of(own) + (len(scores) if what == "sum" else 1) * rounding_of(scores) + 1e-9
        if what.startswith("mean rank"):
            expected = function(scores) if np.isfinite(scores).all() else np.full(len(own), math.nan)
        else:
            columns = [one[np.isfinite(one)][:, np.newaxis] for one in scores.T]
            if what == "sample standard deviation" and min(map(len, columns)) < 2:
                continue
            with np.errstate(all="ignore"):
                of_each = [function(one)[0] for one in columns]
            expected = np.array(of_each)
        if (np.abs(expected - own) <= error).all():
            return True
    return False
