"""Evidence for the layout of a grid, from the names of its columns."""

from __future__ import annotations

__all__ = ["OF_ITEMS", "are_runs_of_one_dataset", "looks_long", "recognized"]

from collections.abc import Iterator
from typing import Any

from evalstats import _lexicon
from evalstats._errors import InvalidValueError
from evalstats.io.columns.roles import columns_called, looks_like_predictions
from evalstats.io.engines.held import HeldColumns
from evalstats.io.layouts.candidate import Candidate, Strength, choose
from evalstats.io.layouts.questions import are_labels_in_clusters, looks_like_items
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in, numbers_in
from evalstats.tables.categorical import distinct_cells
from evalstats.tables.errors import short

_Columns = dict[str, str | None]
OF_ITEMS = {"question", "cluster", "stratum"}  # arguments that name columns of answers to questions
_OF_RUNS = {"dataset", "repeat", "fold"}
# the arguments that name columns, by layout
TAKES = {
    "answers": OF_ITEMS | {"dataset", "classifier", "score", "repeat", "subgroup"},
    "predictions": _OF_RUNS | {"classifier", "instance", "y_true", "y_pred", "y_score", "subgroup"},
    "long": _OF_RUNS | {"classifier", "score"},
    "wide": _OF_RUNS | {"subgroup"},  # if each column holds the answers of a classifier
}
_RUNS = {name: _lexicon.PREDICTION_COLUMNS[name] for name in ("repeat", "fold")}
ROLES = {
    "answers": {
        "classifier": _lexicon.CLASSIFIER_COLUMNS,
        "question": _lexicon.ITEM_COLUMNS,
        "stratum": _lexicon.STRATUM_COLUMNS,
        "repeat": _lexicon.SAMPLE_COLUMNS,
        "cluster": _lexicon.CLUSTER_COLUMNS,
        "score": (*_lexicon.RIGHT_COLUMNS, *_lexicon.ITEM_SCORE_COLUMNS),
    },
    "predictions": {
        **_lexicon.PREDICTION_COLUMNS,
        "dataset": _lexicon.DATASET_COLUMNS,
        "classifier": _lexicon.CLASSIFIER_COLUMNS,
    },
    "long": {
        **_RUNS,
        "dataset": _lexicon.DATASET_COLUMNS,
        "classifier": _lexicon.CLASSIFIER_COLUMNS,
        "score": _lexicon.SCORE_COLUMNS,
    },
    "wide": {**_RUNS, "dataset": _lexicon.DATASET_COLUMNS},
}
HOLDS = {
    "answers": "answers to questions",
    "predictions": "predictions",
    "long": "a long table of scores",
    "wide": "a wide table of scores",
}


def recognized(grid: Grid, layout: str, columns: _Columns, metric: str | None = None) -> str:
    """Return the layout with clearly the most evidence; reject columns that no layout uses."""
    named = {name for name, column in columns.items() if column is not None}
    if layout == "predictions" or are_labels_in_clusters(grid, metric, columns):  # predictions
        named.discard("cluster")
    # the first takes most of what is named, where none takes all
    may_be = [layout] if layout != "auto" else sorted(TAKES, key=lambda one: -len(named & TAKES[one]))
    if wrong := sorted(named - TAKES[may_be[0]]):
        told = "" if layout == "auto" else f", and layout is {layout!r}"
        raise InvalidValueError(f"{wrong[0]} does not apply to {HOLDS[may_be[0]]}{told}")
    may_be = [one for one in may_be if named <= TAKES[one]]
    if len(may_be) == 1:
        return may_be[0]
    has_columns_of = {
        "answers": looks_like_items(grid, columns["score"]),
        "predictions": looks_like_predictions(grid),
        "long": not named <= _OF_RUNS or looks_long(grid, needs_datasets=named <= {"dataset"}),
        "wide": True,
    }
    return choose(grid.name, [_candidate(grid, one, columns) for one in may_be if has_columns_of[one]]).value


def _candidate(grid: Grid, layout: str, columns: _Columns) -> Candidate:
    """Return a candidate for a layout, with the recognized columns as evidence."""
    given = {column: role for role, column in columns.items() if isinstance(column, str) and role in TAKES[layout]}
    called = [
        next((name for name in grid.header if given.get(name) == role or _lexicon.is_called(name, known)), None)
        for role, known in ROLES[layout].items()
    ]
    names = [name for name in dict.fromkeys(called) if name is not None]
    evidence = tuple((Strength.STRONG, f"{short(name)} is a typical column name of such a table") for name in names)
    return Candidate("layout", layout, HOLDS[layout], evidence or ((Strength.WEAK, "each column may be a classifier"),))


def looks_long(grid: Grid, *, needs_datasets: bool = True) -> bool:
    """Return whether column names show a long table: classifiers, and datasets or runs unless they are not required."""
    has_datasets = not needs_datasets or bool(columns_called(grid, _lexicon.DATASET_COLUMNS))
    has_datasets = has_datasets or are_runs_of_one_dataset(grid)
    classifiers = columns_called(grid, _lexicon.CLASSIFIER_COLUMNS)
    # "model" may be a classifier of a wide table too, but then its column holds numbers
    return has_datasets and any(
        number_in(cell, ".") is None and number_in(cell, ",") is None for j in classifiers for cell in _cells(grid, j)
    )


def _cells(grid: Grid, j: int) -> Iterator[Any]:
    """Yield the cells of a column; load further rows of a held table only after the first row."""
    if isinstance(grid.columns, HeldColumns):
        yield from grid.columns.engine.first_row()[j : j + 1]
    yield from grid.columns[j]


def are_runs_of_one_dataset(grid: Grid) -> bool:
    """Return whether a table has folds or repeats of classifiers, and no column of dataset names.

    A column with only equal texts or only unique texts is not a column of datasets, because several scores share a
    dataset.
    """
    keys = (*_lexicon.CLASSIFIER_COLUMNS, *_lexicon.METRIC_COLUMNS, *_lexicon.RUN_COLUMNS)
    if columns_called(grid, _lexicon.DATASET_COLUMNS):
        return False
    if not columns_called(grid, _lexicon.RUN_COLUMNS):
        return False
    others = (
        column for name, column in zip(grid.header, grid.columns, strict=True) if not _lexicon.is_called(name, keys)
    )
    return all(
        None not in numbers_in(column, ".")
        or None not in numbers_in(column, ",")
        or len(distinct_cells(column).values) in (1, len(grid.numbers))
        for column in others
    )
