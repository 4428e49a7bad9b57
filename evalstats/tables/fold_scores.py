"""Scores of the folds and repeats of a cross-validation: what did each classifier reach in each fold?"""

from __future__ import annotations

__all__ = [
    "FoldScores",
    "Pairs",
    "RunScores",
    "fold_scores_of",
    "fold_scores_of_predictions",
    "run_columns",
    "run_scores_of_predictions",
    "runs_of",
]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._result import Record
from evalstats._types import FloatArray, IndexArray
from evalstats.tables.codes import Names, checked_names, joined
from evalstats.tables.columns import columns_called, not_a_number, numbers_in, rows_at
from evalstats.tables.grid import Grid, TableError, examples, listed, short
from evalstats.tables.predictions import column_of

if TYPE_CHECKING:
    from evalstats.tables.prediction_scores import GroupScore, PredictionScores


# Columns that are understood without being named; case does not matter, spaces and hyphens are underscores.
SIZE_COLUMNS = {
    "n_train": ("n_train", "train_size", "n_training"),
    "n_test": ("n_test", "test_size", "n_testing"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class FoldScores(Record):
    """Scores of the folds of one dataset, all classifiers on the same folds.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    scores : ndarray of float64, shape (n_repeats, n_folds, n_classifiers)
        The score of each fold; the classifiers stand in the order of the table. The models of two folds were trained on
        mostly the same cases: these scores are not independent.
    repeats, folds : tuple of str
        Names of the repeats and of the folds, in natural order; one empty name where the table does not tell any.
    n_train, n_test : float or None
        Mean size of a training set and of a test set, if the table tells them.
    """

    dataset: str
    scores: FloatArray
    repeats: tuple[str, ...]
    folds: tuple[str, ...]
    n_train: float | None
    n_test: float | None

    def _axes(self) -> tuple[str, ...]:
        return "repeat", "fold", "classifier"


class Pairs(NamedTuple):
    """Of which dataset and which classifier each score is: names in natural order, and the number of each row."""

    datasets: Sequence[str]
    classifiers: Sequence[str]
    dataset_of: IndexArray
    classifier_of: IndexArray

    def repeated(self, runs: Sequence[Names] = ()) -> dict[tuple[str, ...], list[int]]:
        """Return the rows of each pair, in each of the `runs`, that has several."""
        first, key = joined([self.dataset_of, self.classifier_of, *(names.codes for names in runs)])
        if len(first) == len(key):
            return {}
        columns = [Names(self.datasets, self.dataset_of), Names(self.classifiers, self.classifier_of), *runs]
        is_repeated = np.bincount(key)[key] > 1
        rows: dict[int, list[int]] = {}
        for i in np.flatnonzero(is_repeated).tolist():
            rows.setdefault(int(key[i]), []).append(i)
        return {tuple(one.names[one.codes[at[0]]] for one in columns): at for at in rows.values()}


class RunScores(NamedTuple):
    """The scores of all classifiers on one dataset in each repeat, summed up over its folds as in the table."""

    dataset: str
    repeats: tuple[str, ...]
    scores: FloatArray  # (n_repeats, n_classifiers)


def run_columns(grid: Grid, repeat: str | None, fold: str | None, others: set[int | None]) -> dict[str, int]:
    """Return the columns of a long table that tell repeats, folds and the sizes of their sets."""
    found: dict[str, int] = {}
    for name, given in (("repeat", repeat), ("fold", fold)):
        j = column_of(grid, name, given, {*others, *found.values()})
        if j is not None:
            found[name] = j
    if not found:
        return {}
    for name, known in SIZE_COLUMNS.items():
        at = [j for j in columns_called(grid, known) if j not in others]
        if len(at) == 1:
            found[name] = at[0]
    return found


def fold_scores_of(
    grid: Grid,
    columns: dict[str, int],
    pairs: Pairs,
    scores: FloatArray,
    decimal: str,
) -> tuple[FoldScores, ...]:
    """Put the scores of a long table into their places; nan where one is missing.

    Each row of the grid holds the score of one dataset and classifier, which `pairs` names, in one fold of one repeat.
    """
    datasets, classifiers, dataset_of, classifier_of = pairs
    runs = [
        checked_names(grid, columns[name], name) if name in columns else Names([""], np.zeros_like(dataset_of))
        for name in ("repeat", "fold")
    ]
    _refuse_repeated(grid, pairs, runs)
    sizes = {name: _sizes(grid, columns[name], decimal) for name in SIZE_COLUMNS if name in columns}
    order = np.argsort(dataset_of, kind="stable")
    rows_of = np.split(order, np.searchsorted(dataset_of[order], np.arange(1, len(datasets))))
    result = []
    for dataset, rows in zip(datasets, rows_of, strict=True):
        (repeats, repeat_of), (folds, fold_of) = (_names_at(names, rows) for names in runs)
        _refuse_uneven(grid, dataset, (repeats, repeat_of), (folds, fold_of), len(classifiers))
        own = np.full((len(repeats), len(folds), len(classifiers)), np.nan)
        own[repeat_of, fold_of, classifier_of[rows]] = scores[rows]
        own.setflags(write=False)
        mean_sizes = {name: float(sizes[name][rows].mean()) if name in sizes else None for name in SIZE_COLUMNS}
        result.append(FoldScores(dataset=dataset, scores=own, repeats=repeats, folds=folds, **mean_sizes))
    return tuple(result)


def fold_scores_of_predictions(scored: PredictionScores) -> tuple[FoldScores, ...]:
    """Put the scores of folds of predictions into their places; nothing where a fold has no score, or there is one."""
    counts_as_zero = scored.aggregate == "mean" and scored.undefined == "zero"
    result = []
    for dataset, groups in _groups_of_datasets(scored):
        first = groups[0]
        repeats, folds = (tuple(dict.fromkeys(names)) for names in (first.repeats, first.folds))
        shape = len(repeats), len(folds)
        if (
            len(groups) != len(scored.classifiers)
            or len(first.fold_scores) < 2
            or any((group.repeats, group.folds) != (first.repeats, first.folds) for group in groups)
            or len(first.fold_scores) != shape[0] * shape[1]
        ):
            return ()
        scores = np.stack([group.fold_scores for group in groups], axis=-1).reshape(*shape, -1)
        if counts_as_zero:
            scores = np.where(np.isnan(scores), 0.0, scores)
        if not np.isfinite(scores).all():
            return ()
        scores.setflags(write=False)
        # in each repeat every case is tested once, and trained on in the other folds
        n_test = first.n_cases / len(folds)
        n_train = first.n_cases - n_test if len(folds) > 1 else None
        result.append(
            FoldScores(
                dataset=dataset,
                scores=scores,
                repeats=repeats,
                folds=folds,
                n_train=n_train,
                n_test=n_test if n_train else None,
            )
        )
    return tuple(result)


def run_scores_of_predictions(scored: PredictionScores) -> tuple[RunScores, ...]:
    """Return the scores of the repeats of each dataset on which all classifiers were tested."""
    return tuple(
        RunScores(
            dataset,
            tuple(dict.fromkeys(groups[0].repeats)),
            np.stack([group.repeat_scores for group in groups], axis=-1),
        )
        for dataset, groups in _groups_of_datasets(scored)
        if len(groups) == len(scored.classifiers)
    )


def _groups_of_datasets(scored: PredictionScores) -> list[tuple[str, list[GroupScore]]]:
    found: dict[str, list[GroupScore]] = {dataset: [] for dataset in scored.datasets}
    for group in scored.groups:
        found[group.dataset].append(group)
    return list(found.items())


def runs_of(runs: Sequence[RunScores]) -> FloatArray | None:
    """Return one table for each repeat, shape (n_repeats, n_datasets, n_classifiers).

    None where the datasets have no repeats, or different ones.
    """
    if not runs or len(runs[0].repeats) < 2 or any(one.repeats != runs[0].repeats for one in runs):
        return None
    return np.stack([one.scores for one in runs], axis=1)


def _names_at(names: Names, rows: IndexArray) -> tuple[tuple[str, ...], IndexArray]:
    """Return the names of some rows in natural order, and the number of the name of each."""
    found, codes = np.unique(names.codes[rows], return_inverse=True)
    return tuple(names.names[i] for i in found.tolist()), codes


def _refuse_repeated(grid: Grid, pairs: Pairs, runs: Sequence[Names]) -> None:
    if repeated := pairs.repeated(runs):
        places = examples(
            [f"{listed([part for part in key if part])} ({rows_at(grid, at)})" for key, at in repeated.items()]
        )
        raise TableError(
            f"{grid.name}: each dataset, classifier, repeat and fold must have one score, but several are there of "
            f"{places}"
        )


def _refuse_uneven(
    grid: Grid, dataset: str, repeats: tuple[tuple[str, ...], Any], folds: tuple[tuple[str, ...], Any], k: int
) -> None:
    """Refuse repeats with different folds, and far fewer scores than there are places, before the places are made."""
    (names, repeat_of), (own_folds, fold_of) = repeats, folds
    n = len(own_folds)
    there = np.unique(repeat_of * n + fold_of)
    if len(there) < len(names) * n:
        at = int(np.flatnonzero(np.append(there, -1) != np.arange(len(there) + 1))[0])
        raise TableError(
            f"{grid.name}: each repeat of dataset {short(dataset)} must have the same folds, but repeat "
            f"{short(names[at // n])} lacks fold {short(own_folds[at % n])}"
        )
    if len(there) * k > max(1_000_000, 100 * len(fold_of)):
        raise TableError(
            f"{grid.name}: dataset {short(dataset)} has {len(there):,} folds and {k:,} classifiers, but only "
            f"{len(fold_of):,} scores; check which columns name them"
        )


def _sizes(grid: Grid, j: int, decimal: str) -> FloatArray:
    """Return the sizes of sets, numbers above 0."""
    values = numbers_in(grid.columns[j], decimal)
    for i, value in enumerate(values):
        if value is None:
            raise not_a_number(grid.place(i, j), grid.columns[j][i], decimal, is_text=False)
        if not value > 0:
            raise TableError(f"{grid.place(i, j)}: the size of a set must be above 0, not {value:g}")
    return np.array(values, dtype=np.float64)
