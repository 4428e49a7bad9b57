"""Long tables with a column for each fold or run, such as ``fold1, ..., fold5``."""

from __future__ import annotations

__all__ = ["Pairs", "fold_scores_of", "run_columns", "with_rows_of_folds"]

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import examples, listed
from evalstats._findings import Finding, LeftOut
from evalstats._lexicon import SEED_COLUMNS, SIZE_COLUMNS, is_called, simplified
from evalstats._types import FloatArray, IndexArray
from evalstats.io.columns.grammar import split_of
from evalstats.io.columns.roles import checked_names, column_of, columns_called, rows_at
from evalstats.io.columns.summaries import is_summary
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import not_a_number, numbers_in
from evalstats.tables.categorical import CodedColumn, Names, coded, distinct_keys, joined
from evalstats.tables.errors import TableError, short
from evalstats.tables.fold_scores import FoldScores


def with_rows_of_folds(
    grid: Grid, keys: Sequence[int], metric: str | None = None
) -> tuple[Grid, tuple[LeftOut, ...], tuple[Finding, ...]]:
    """Convert a column for each fold to a row for each fold. `keys` contains the columns of names."""
    told = {j: found for j, name in enumerate(grid.header) if j not in keys and (found := split_of(name))}
    measured = list(dict.fromkeys(split.metric for split in told.values()))
    if len(measured) > 1:
        if metric is None:
            problem = f"{grid.name} has columns of the metrics {listed(measured)} for each run"
            raise TableError(problem, "choose one, for example {}", "metric", next(filter(None, measured)))
        measured = [own for own in measured if simplified(own) == simplified(metric)]
    at = [j for j, split in told.items() if split.metric in measured]
    stems = {told[j].stem for j in at}
    others = [j for j in range(len(grid.header)) if j not in (*keys, *told)]
    if len(at) < 2 or len(stems) > 1 or not all(is_summary(grid.header[j]) for j in others):
        return grid, (), ()
    runs = {name: [told[j].runs[name] for j in at] for name in told[at[0]].runs}
    n, m = len(grid.numbers), len(at)
    of_keys = {j: coded(grid.columns[j]) for j in keys}
    columns = [CodedColumn(own.values, own.codes.repeat(m)) for own in of_keys.values()]
    scores = [cell for row in zip(*(grid.columns[j] for j in at), strict=True) for cell in row]
    long = replace(
        grid,
        header=[*(grid.header[j] for j in of_keys), *runs, measured[0] or "score"],
        columns=[*columns, *(own * n for own in runs.values()), scores],
        numbers=[number for number in grid.numbers for _ in at],
        noise=(*[0.0] * (len(of_keys) + len(runs)), grid.noise_at(at)),
    )
    run = " of one ".join(reversed(runs))
    sentence = f"The columns {listed([grid.header[j] for j in at])} hold the scores of one {run} each."
    left_out = (LeftOut(what="column", name=grid.header[j], reason="is a summary of the others") for j in others)
    return long, tuple(left_out), (Finding(code="columns-of-folds", severity="note", sentence=sentence),)


OF_CURVES = "for learning curves, use compare_learning_curves, or --train-size on the command line"


class Pairs(NamedTuple):
    """Dataset and classifier of each score: sorted names, and the index of the name in each row."""

    datasets: Sequence[str]
    classifiers: Sequence[str]
    dataset_of: IndexArray
    classifier_of: IndexArray

    def repeated(self, runs: Sequence[Names] = ()) -> dict[tuple[str, ...], list[int]]:
        """Return the rows of each combination of dataset, classifier and run that occurs more than once."""
        first, key = joined([self.dataset_of, self.classifier_of, *(names.codes for names in runs)])
        if len(first) == len(key):
            return {}
        columns = [Names(self.datasets, self.dataset_of), Names(self.classifiers, self.classifier_of), *runs]
        is_repeated = np.bincount(key)[key] > 1
        rows: dict[int, list[int]] = {}
        for i in np.flatnonzero(is_repeated).tolist():
            rows.setdefault(int(key[i]), []).append(i)
        return {tuple(one.names[one.codes[at[0]]] for one in columns): at for at in rows.values()}


def run_columns(grid: Grid, repeat: str | None, fold: str | None, others: set[int | None]) -> dict[str, int]:
    """Return the columns of repeats, folds and set sizes by role."""
    found: dict[str, int] = {}
    for name, given in (("repeat", repeat), ("fold", fold)):
        j = column_of(grid, name, given, {*others, *found.values()})
        if j is not None:
            found[name] = j
    if "repeat" not in found and (j := _seed_column(grid, {*others, *found.values()})) is not None:
        found["repeat"] = j
    if not found:
        return {}
    for name, known in SIZE_COLUMNS.items():
        at = [j for j in columns_called(grid, known) if j not in others]
        if len(at) == 1:
            found[name] = at[0]
    return found


def _seed_column(grid: Grid, keys: set[int | None]) -> int | None:
    """Return the only seed column if the other keys do not identify each row. Otherwise return None."""
    at = [j for j in columns_called(grid, SEED_COLUMNS) if j not in keys]
    told = [coded(grid.columns[j]).codes for j in keys if j is not None]
    if len(at) != 1 or (told and len(joined(told)[0]) == len(grid.numbers)):
        return None
    return at[0]


def fold_scores_of(
    grid: Grid,
    columns: dict[str, int],
    pairs: Pairs,
    scores: FloatArray,
    decimal: str,
) -> tuple[FoldScores, ...]:
    """Return the fold scores of each dataset in a long table. A missing score is nan.

    Each row of the grid holds the score of one dataset and classifier in one fold. `pairs` gives their names.
    """
    datasets, classifiers, dataset_of, classifier_of = pairs
    runs = [
        checked_names(grid, columns[name], name) if name in columns else Names([""], np.zeros_like(dataset_of))
        for name in ("repeat", "fold")
    ]
    _refuse_repeated(grid, pairs, runs)
    are_runs = "repeat" in columns and "fold" not in columns and is_called(grid.header[columns["repeat"]], SEED_COLUMNS)
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
        result.append(
            FoldScores(
                dataset=dataset,
                scores=own,
                repeats=repeats,
                folds=folds,
                same_split=are_runs and len(repeats) > 1 and None in mean_sizes.values(),
                **mean_sizes,
            )
        )
    return tuple(result)


def _names_at(names: Names, rows: IndexArray) -> tuple[tuple[str, ...], IndexArray]:
    """Return the sorted names that occur in some rows, and the index of the name in each row."""
    found = coded(names.codes[rows])
    return tuple(names.names[i] for i in found.values), found.codes


def _refuse_repeated(grid: Grid, pairs: Pairs, runs: Sequence[Names]) -> None:
    if repeated := pairs.repeated(runs):
        places = examples(
            [f"{listed([part for part in key if part])} ({rows_at(grid, at)})" for key, at in repeated.items()]
        )
        raise TableError(
            f"{grid.name}: each classifier must have one score in each fold of a dataset, but several scores belong to "
            f"{places}",
            OF_CURVES if columns_called(grid, SIZE_COLUMNS["n_train"]) else "",
        )


def _refuse_uneven(
    grid: Grid, dataset: str, repeats: tuple[tuple[str, ...], Any], folds: tuple[tuple[str, ...], Any], k: int
) -> None:
    """Reject repeats with different folds, and tables with too few scores, before the array is allocated."""
    (names, repeat_of), (own_folds, fold_of) = repeats, folds
    n = len(own_folds)
    there = distinct_keys(repeat_of * n + fold_of, len(names) * n)
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
    """Return the sizes of sets, or raise an error unless each is a number above 0."""
    values = numbers_in(grid.columns[j], decimal)
    for i, value in enumerate(values):
        if value is None:
            raise not_a_number(grid.place(i, j), grid.columns[j][i], decimal, is_text=False)
        if not value > 0:
            raise TableError(f"{grid.place(i, j)}: the size of a set must be above 0, not {value:g}")
    return np.array(values, dtype=np.float64)
