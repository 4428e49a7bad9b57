"""Columns of scores that are the probabilities of the classes, and not of several classifiers."""

from __future__ import annotations

__all__ = ["refuse_classes", "refuse_complements", "refuse_shares"]

import itertools
import math
import re
from collections.abc import Sequence

import numpy as np

from evalstats._errors import listed
from evalstats._lexicon import ANSWER_WORDS
from evalstats._types import FloatArray
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in, numbers_in
from evalstats.tables.errors import TableError

FEWEST = 5  # rows in which two columns must add up to 1
MOST = 100  # columns of which all pairs are compared
_ROUNDED = 0.0021  # both may be rounded to three decimals


def refuse_complements(grid: Grid, scores: Sequence[int], decimal: str) -> None:
    """Raise an error if two columns of scores add up to 1 in each row, like p_no and p_yes of one classifier.

    The areas under their ROC curves would be compared, although one area follows from the other.
    """
    pairs = _complements(grid, scores, decimal)
    if not pairs:
        return
    hint = (
        "leave out the probabilities of the negative label, for example with {}; if both are classifiers, pass {keep}"
    )
    one = tuple(dict.fromkeys(_negative(grid.header[first], grid.header[second]) for first, second in pairs))
    raise TableError(_of_one_classifier(grid, pairs[0]), hint, "drop", one if len(one) > 1 else one[0])


def refuse_classes(grid: Grid, scores: Sequence[int], decimal: str) -> None:
    """Raise an error if three or more columns of scores together add up to 1 in each row, as in files of mljar."""
    if not 3 <= len(scores) <= MOST or len(grid.numbers) < FEWEST:
        return
    rounded = _ROUNDED / 2 * len(scores)
    first = [number_in(grid.columns[j][0], decimal) for j in scores]  # shows most tables without a long look
    # a missing value makes the comparisons false
    if not abs(sum(math.nan if value is None else value for value in first) - 1) < rounded:
        return
    values = _values(grid, scores, decimal)
    if not (values.min() >= 0 and np.abs(values.sum(axis=0) - 1).max() < rounded):
        return
    raise TableError(
        _of_one_classifier(grid, scores),
        "give the predicted labels in a column y_pred, or compare the probabilities of one class, for example with {}; "
        "if they are classifiers, pass {keep}",
        "y_score",
        grid.header[scores[0]],
    )


def refuse_shares(grid: Grid, scores: Sequence[int], decimal: str) -> None:
    """Raise an error if two columns, of which one may hold the scores of answers, are probabilities of classes."""
    for first, second in _complements(grid, scores, decimal):
        names = listed([grid.header[first], grid.header[second]])
        negative = _negative(grid.header[first], grid.header[second])
        raise TableError(
            f"{grid.name}: {names} add up to 1 in each row, as the probabilities of classes do, and cannot be compared "
            "without the true labels",
            "add the true labels in a column y_true, and pass {}",
            "y_score",
            grid.header[first if grid.header[second] == negative else second],
        )


def _complements(grid: Grid, scores: Sequence[int], decimal: str) -> list[tuple[int, int]]:
    """Return the pairs of columns that add up to 1 in each row."""
    if not 2 <= len(scores) <= MOST or len(grid.numbers) < FEWEST:
        return []
    values = _values(grid, scores, decimal)
    return [
        (scores[i], scores[j])
        for i, j in itertools.combinations(range(len(scores)), 2)
        if np.ptp(values[i]) > 0 and np.abs(values[i] + values[j] - 1).max() < _ROUNDED
    ]


def _values(grid: Grid, scores: Sequence[int], decimal: str) -> FloatArray:
    return np.array([numbers_in(grid.columns[j], decimal) for j in scores], dtype=float)


def _of_one_classifier(grid: Grid, scores: Sequence[int]) -> str:
    names = listed(grid.header[j] for j in scores)
    return f"{grid.name}: {names} add up to 1 in each row, as the probabilities of the classes of one classifier do"


def _negative(first: str, second: str) -> str:
    """Return the name that ends in no, false or 0; if there is no such name, return the first name."""
    return second if ANSWER_WORDS.get(re.split(r"[\W_]+", second.casefold())[-1]) is False else first
