"""Matrices of the differences, the counts and the p-values of all pairs of a comparison."""

from __future__ import annotations

__all__ = ["MOST_SHOWN", "Counts", "PairMatrix", "pair_matrix", "wins_ties_losses"]

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.comparison.record import Comparison
from evalstats.paired.sign import wins_and_losses

# maximum number of classifiers in a matrix that is legible on one page
MOST_SHOWN = 12
_DIGITS = 3


class Counts(NamedTuple):
    """Numbers of wins, ties and losses of the classifier of each row against the classifier of each column."""

    wins: IntArray
    ties: IntArray
    losses: IntArray

    @property
    def n(self) -> IntArray:
        """Number of counted units."""
        return self.wins + self.ties + self.losses


class PairMatrix(NamedTuple):
    """Matrices for the pairs of the classifiers with the best mean scores, best classifier first.

    With a control, `rows` are the other classifiers and the only column is the control. All matrices are of shape
    (n_rows, n_columns): `difference` is row minus column in the unit of the metric. `pvalue` is the adjusted p-value of
    a pair, or nan if the pair is not compared. `counts` is None if the test does not count wins.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    mean_scores: tuple[float, ...]
    difference: FloatArray
    counts: Counts | None
    pvalue: FloatArray
    different: BoolArray
    n_left_out: int

    def differences(self) -> list[list[str]]:
        """Return the differences as signed texts; the largest has three digits, and an undefined difference is ''."""
        largest = np.nanmax(np.abs(self.difference), initial=0.0)
        decimals = 0 if largest == 0 else max(_DIGITS - math.ceil(math.log10(largest)), 0)
        return [[_signed(value, decimals) for value in row] for row in self.difference.tolist()]


def _signed(value: float, decimals: int) -> str:
    if math.isnan(value):
        return ""
    text = f"{value:+.{decimals}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def pair_matrix(comparison: Comparison, most: int) -> PairMatrix:
    """Return the pairs of at most `most` classifiers, in the order of their mean scores."""
    scores = {name: comparison.score(name) for name in comparison.ranking}
    sign = -1 if comparison.table.greater_is_better else 1
    order = sorted(scores, key=lambda name: sign * scores[name])  # equal means are in the order of the ranking
    rows = tuple(name for name in order if name != comparison.control)
    n_left_out = max(len(rows) - most, 0)
    rows = rows[:most]
    columns = rows if comparison.control is None else (comparison.control,)
    at, of = ([comparison.table.position(name) for name in names] for names in (rows, columns))
    cells = np.ix_(at, of)
    return PairMatrix(
        rows=rows,
        columns=columns,
        mean_scores=tuple(scores[name] for name in rows),
        difference=_differences(comparison, rows, columns),
        counts=wins_ties_losses(comparison, rows, columns),
        pvalue=np.where(np.equal.outer(at, of), np.nan, comparison._pvalue[cells]),
        different=comparison.different[cells],
        n_left_out=n_left_out,
    )


def _differences(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> FloatArray:
    """Return the mean difference on the common datasets of each pair, or nan for a pair without a common dataset."""
    if comparison.design != "datasets":
        return np.subtract.outer(*([comparison.score(name) for name in names] for names in (rows, columns)))
    of_rows, of_columns = _scores_of(comparison, rows), _scores_of(comparison, columns)
    found = np.full((len(rows), len(columns)), np.nan)
    for i, own in enumerate(of_rows):
        differences = own - of_columns
        has = ~np.isnan(differences)
        np.divide(np.where(has, differences, 0.0).sum(axis=1), has.sum(axis=1), out=found[i], where=has.any(axis=1))
    return found


def _scores_of(comparison: Comparison, names: Sequence[str]) -> FloatArray:
    table = comparison.table
    return table.scores.T[[table.position(name) for name in names]]


def wins_ties_losses(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> Counts | None:
    """Count the wins, ties and losses of each row against each column, or None if the test does not count wins.

    The counts of a classifier against itself, and of a pair that was not compared, are 0.
    """
    counted = _over_datasets if comparison.design == "datasets" else _on_one_dataset
    return counted(comparison, rows, columns)


def _over_datasets(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> Counts:
    """Count from the scores, because `Comparison.pairs` would also compute the effect sizes."""
    of_rows, of_columns = _scores_of(comparison, rows), _scores_of(comparison, columns)
    has_row, has_column = ~np.isnan(of_rows), ~np.isnan(of_columns)
    n = has_row.astype(np.int64) @ has_column.T
    larger, smaller = np.zeros_like(n), np.zeros_like(n)
    for i, (row, has) in enumerate(zip(of_rows, has_row, strict=True)):
        is_common = has & has_column
        x, y = np.where(is_common, row, 0.0), np.where(is_common, of_columns, 0.0)
        larger[i], smaller[i] = wins_and_losses(x, y, comparison.tie_tolerance)
    n[[[row == column for column in columns] for row in rows]] = 0
    wins, losses = (larger, smaller) if comparison.table.greater_is_better else (smaller, larger)
    return Counts(wins, n - wins - losses, losses)


def _on_one_dataset(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> Counts | None:
    counts = Counts(*np.zeros((3, len(rows), len(columns)), dtype=np.int64))
    row_of, column_of = ({name: place for place, name in enumerate(names)} for names in (rows, columns))
    for pair in comparison.pairs:
        if pair.n_wins is None or pair.n_ties is None or pair.n_losses is None:
            return None
        own = (pair.n_wins, pair.n_ties, pair.n_losses)
        for row, column, numbers in ((pair.first, pair.second, own), (pair.second, pair.first, own[::-1])):
            if row in row_of and column in column_of:
                for matrix, number in zip(counts, numbers, strict=True):
                    matrix[row_of[row], column_of[column]] = number
    return counts
