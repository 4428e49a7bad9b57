"""Scores of two classifiers at several training-set sizes: one row for each classifier, size and repeat."""

from __future__ import annotations

__all__ = ["LearningCurveScores", "read_learning_curve_scores"]

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._lexicon import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    METRIC_COLUMNS,
    PREDICTION_COLUMNS,
    SCORE_COLUMNS,
    SEED_COLUMNS,
    SIZE_COLUMNS,
)
from evalstats._types import FloatArray
from evalstats.io.columns.cleaning import plain_grid
from evalstats.io.columns.roles import columns_called, key_column_if_any, row_names, rows_of_one_metric
from evalstats.io.columns.surroundings import unknown_metric
from evalstats.io.layouts.candidate import is_better_greater, refuse_other_metric
from evalstats.io.options import parsing_of
from evalstats.io.reader.long_cells import column_of, complete_array, finite_number, refuse_unknown
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.errors import TableError, short


class LearningCurveScores(NamedTuple):
    """Scores of shape (2, n_repeats, n_sizes), with the names of the axes."""

    classifiers: tuple[str, ...]
    repeats: tuple[str, ...]
    n_train: tuple[float, ...]
    n_test: tuple[float, ...] | None
    scores: FloatArray
    metric: str
    greater_is_better: bool
    findings: tuple[Finding, ...]
    source: str | None


def read_learning_curve_scores(
    source: Any,
    *,
    train_size: str | None = None,
    classifier: str | None = None,
    score: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    dataset: str | None = None,
    metric: str | None = None,
    greater_is_better: bool | None = None,
    keep: Collection[str] = (),
    drop: Collection[str] = (),
    delimiter: str | None = None,
    decimal: str = "auto",
    thousands: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> LearningCurveScores:
    """Read the scores of two classifiers at several training-set sizes. A missing or a second score raises an error.

    Parameters
    ----------
    source : path or data frame
        Columns of the training-set sizes, the classifiers, the scores and the repeats.
    train_size, classifier, score, repeat, fold, dataset : str, optional
        Names of the columns. If you do not pass a name, the column is recognized by its name. With repeats and folds,
        each fold of each repeat counts as a repeat. A column of datasets must name only one dataset.
    metric : str, optional
        Metric of the scores: a name in a column of metrics, or the name of the column of the scores.
    greater_is_better : bool, optional
        Direction of the scores. Default: the direction of the metric.
    keep, drop : collection of str
        Names of the two classifiers to compare; names of classifiers, sizes, repeats or datasets to leave out.
    delimiter, decimal, thousands, encoding, sheet : optional
        As in `read_table`.

    Returns
    -------
    LearningCurveScores
    """
    parsing = {"delimiter": delimiter, "decimal": decimal, "thousands": thousands}
    parsing |= {"encoding": encoding, "sheet": sheet}
    opened = parsing_of(parsing, tuple(parsing))
    marks = opened.pop("decimal"), opened.pop("thousands")
    grid, decimal = plain_grid(open_source(source, **opened).grid, *marks)
    if (of_metrics := key_column_if_any(grid, None, "metric", METRIC_COLUMNS)) is not None:
        grid, metric = rows_of_one_metric(grid, of_metrics, metric)
    elif score is None and metric in grid.header:
        score = metric
    sizes = column_of(grid, train_size, "train_size", SIZE_COLUMNS["n_train"])
    s = column_of(grid, score, "score", SCORE_COLUMNS)
    refuse_other_metric(grid, grid.header[s] if of_metrics is None else "", metric, greater_is_better)
    metric = metric or grid.header[s]
    classifiers = row_names(grid, column_of(grid, classifier, "classifier", CLASSIFIER_COLUMNS), "classifier")
    repeats = _repeats(grid, repeat, fold)
    of_datasets = key_column_if_any(grid, dataset, "dataset", DATASET_COLUMNS)
    datasets = [""] * len(classifiers) if of_datasets is None else row_names(grid, of_datasets, "dataset")
    n_train = [_size(grid, sizes, row, "training-set size", decimal) for row in range(len(classifiers))]
    refuse_unknown("keep", keep, [classifiers], grid, "classifier")
    texts = [f"{n:.15g}" for n in n_train]
    names = [classifiers, texts, repeats, datasets]
    refuse_unknown("drop", drop, names, grid, "classifier, size, repeat or dataset")
    rows = [
        row
        for row, named in enumerate(zip(*names, strict=True))
        if set(named).isdisjoint(drop) and (not keep or classifiers[row] in keep)
    ]
    of_rows = sorted({datasets[row] for row in rows})
    if len(of_rows) > 1:
        problem = f"{grid.name}: learning curves are compared on one dataset, but the table holds {listed(of_rows)}"
        raise TableError(problem, "leave out the other datasets with {}", "drop", of_rows[-1])
    cells = _cells(grid, s, {row: (classifiers[row], repeats[row], n_train[row]) for row in rows}, decimal)
    both = sorted({classifiers[row] for row in rows})
    if len(both) != 2 and rows:
        _refuse_number(grid, both)
    (found, of_repeats, of_sizes), scores = complete_array(
        grid,
        cells,
        what="scores",
        rule="each classifier must have a score at each training-set size in each repeat",
        place="{0} at {2:.15g}: {1}",
        hint="leave out a repeat or a size with {}",
        drop=(1,),
    )
    if len(of_repeats) < 2:
        raise TableError(f"{grid.name}: the test needs two repeats or more, but the table has one")
    return LearningCurveScores(
        classifiers=found,
        repeats=of_repeats,
        n_train=of_sizes,
        n_test=_test_sizes(grid, rows, n_train, decimal),
        scores=scores,
        metric=metric,
        greater_is_better=is_better_greater(metric) if greater_is_better is None else greater_is_better,
        findings=unknown_metric(metric) if greater_is_better is None else (),
        source=grid.file,
    )


def _repeats(grid: Grid, repeat: str | None, fold: str | None) -> list[str]:
    """Return the repeat of each row, such as ``repeat 1``, ``fold 2`` or ``repeat 1, fold 2``. Seeds are repeats."""
    columns = {
        name: key_column_if_any(grid, given, name, PREDICTION_COLUMNS[name])
        for name, given in (("repeat", repeat), ("fold", fold))
    }
    found = {name: j for name, j in columns.items() if j is not None}
    found = found or {"repeat": column_of(grid, None, "repeat", SEED_COLUMNS)}
    named = [[f"{name} {one}" for one in row_names(grid, j, name)] for name, j in found.items()]
    return [", ".join(row) for row in zip(*named, strict=True)]


def _cells(
    grid: Grid, column: int, keys: dict[int, tuple[str, str, float]], decimal: str
) -> dict[tuple[str, str, float], float]:
    """Return the scores by classifier, repeat and size. Omit missing scores and reject duplicates."""
    cells: dict[tuple[str, str, float], float] = {}
    for row, key in keys.items():
        value = finite_number(grid, column, row, "score", decimal)
        if value is None:
            continue
        if key in cells:
            raise TableError(
                f"{grid.name}, {grid.word} {grid.numbers[row]}: {short(key[0])} already has a score at {key[2]:.15g} "
                f"in {key[1]}"
            )
        cells[key] = value
    return cells


def _size(grid: Grid, column: int, row: int, what: str, decimal: str) -> float:
    value = number_in(grid.columns[column][row], decimal)
    if value is None or not 1 <= value < np.inf:
        raise TableError(
            f"{grid.name}, {grid.word} {grid.numbers[row]}: the {what} must be a number of at least 1, not "
            f"{short(grid.columns[column][row])}"
        )
    return value


def _test_sizes(grid: Grid, rows: list[int], n_train: list[float], decimal: str) -> tuple[float, ...] | None:
    """Return the mean test-set size for each training-set size, or None if there is no such column."""
    columns = columns_called(grid, SIZE_COLUMNS["n_test"])
    if len(columns) != 1:
        return None
    of_size: dict[float, list[float]] = {}
    for row in rows:
        of_size.setdefault(n_train[row], []).append(_size(grid, columns[0], row, "test-set size", decimal))
    return tuple(float(np.mean(of_size[n])) for n in sorted(of_size))


def _refuse_number(grid: Grid, names: list[str]) -> None:
    problem = f"{grid.name}: learning curves of two classifiers are compared, but the table holds {listed(names)}"
    if len(names) < 2:
        raise TableError(problem)
    raise TableError(problem, "choose two of them, for example with {}", "keep", (names[0], names[1]))
