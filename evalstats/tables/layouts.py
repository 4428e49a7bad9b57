"""How does a grid of cells become scores with names, one reader for each layout?"""

from __future__ import annotations

__all__ = ["READERS", "Cells", "prediction_cells", "recognised"]

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.tables.columns import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    column_named,
    header_name,
    headers,
    is_called,
    key_column,
    natural_order,
    not_a_number,
    number_in,
    numbers_in,
    positions_of_repeated,
    row_names,
    rows_at,
    simplified,
)
from evalstats.tables.fold_scores import FoldScores, fold_scores_of, fold_scores_of_predictions, run_columns
from evalstats.tables.grid import Grid, TableError, examples, listed, short
from evalstats.tables.predictions import Predictions, looks_like_predictions, predictions_of

if TYPE_CHECKING:
    from evalstats.tables.prediction_scores import PredictionScores

_Columns = dict[str, str | None]


# Columns that are understood without being named; case does not matter, spaces and hyphens are underscores.
METRIC_COLUMNS = ("metric", "measure")
GENERIC_SCORE_COLUMNS = ("score", "value", "result")
LOSSES = (
    *("error", "error_rate", "loss", "log_loss", "logloss", "brier", "brier_score", "mae", "mse", "rmse"),
    *("root_mean_squared_error", "expected_calibration_error", "false_positive_rate"),
    *("false_positive_rate_macro", "false_positive_rate_micro", "false_positive_rate_weighted"),
)
SCORE_COLUMNS = (
    *GENERIC_SCORE_COLUMNS,
    *("accuracy", "acc", "balanced_accuracy", "auc", "auroc", "roc_auc", "f1", "f1_score", "f_measure"),
    *("precision", "recall", "kappa", "mcc"),
    *LOSSES,
)


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Scores by dataset and classifier, nan where one is missing."""

    name: str  # of the source, for messages
    file: str | None
    metric: str
    greater_is_better: bool
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    scores: FloatArray
    is_percent: BoolArray
    word: str = ""
    noise: float = 0.0  # of scores in single or half precision
    numbers: IndexArray | None = None  # of the line or row of each score; 0 where a long table has none
    computation: str = ""
    folds: tuple[FoldScores, ...] = ()
    scored: PredictionScores | None = None

    def place(self, at: Sequence[Any]) -> str:
        """Return where a score stands, for messages."""
        i, j = at
        where = "" if self.numbers is None or not self.numbers[i, j] else f" ({self.word} {self.numbers[i, j]})"
        return f"{short(self.datasets[i])} / {short(self.classifiers[j])}{where}"


def recognised(grid: Grid, layout: str, columns: _Columns) -> str:
    """Return the layout of a grid."""
    named = {name for name, column in columns.items() if column is not None} - {"dataset"}
    of_predictions = sorted(named - {"classifier", "score", "repeat", "fold"})
    if layout == "auto" and "score" not in named and (of_predictions or _has_predictions(grid, columns)):
        layout = "predictions"
    elif layout == "auto":
        layout = "long" if named or _looks_long(grid) else "wide"
    if layout != "predictions" and of_predictions:
        raise InvalidValueError(f"{of_predictions[0]} names a column of predictions, but this is a table of scores")
    if layout == "wide" and named:
        raise InvalidValueError(f"{min(named)} names a column of a long table, but layout is 'wide'")
    if layout == "predictions" and "score" in named:
        raise InvalidValueError("score names a column of a long table, but layout is 'predictions'")
    return layout


def _has_predictions(grid: Grid, columns: _Columns) -> bool:
    known = {"dataset": DATASET_COLUMNS, "classifier": CLASSIFIER_COLUMNS}
    has_names = all(
        columns[key] is not None or any(is_called(name, names) for name in grid.header) for key, names in known.items()
    )
    return has_names and looks_like_predictions(grid)


def _refuse_choices(choices: dict[str, Any], layout: str) -> None:
    for name, value in choices.items():
        if value is not None:
            raise InvalidValueError(f"{name} belongs to predictions, but this is a {layout} table of scores")


def _direction(metric: str) -> bool:
    return simplified(metric) not in LOSSES


def _prediction_grid_cells(
    grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]
) -> Cells:
    predictions = predictions_of(
        grid, decimal, choices["pos_label"], **{name: column for name, column in columns.items() if name != "score"}
    )
    return prediction_cells(predictions, metric, choices | {"pos_label": None}, grid.name)


def prediction_cells(
    predictions: Predictions, metric: str | None, choices: dict[str, Any], name: str = "the predictions"
) -> Cells:
    """Return the scores that are computed from predictions."""
    if choices["pos_label"] is not None:
        raise InvalidValueError("pos_label must be given to read_predictions, not together with its result")
    if choices["undefined"] == "nan":
        raise InvalidValueError("undefined must be 'raise' or 'zero' or 'skip' for a table of scores, not 'nan'")
    from evalstats.tables.prediction_scores import score_predictions  # all metrics, a quarter of the time of the import

    scored = score_predictions(
        predictions, metric=metric, aggregate=choices["aggregate"], undefined=choices["undefined"] or "raise"
    )
    return Cells(
        name=name,
        file=predictions.source,
        metric=scored.metric,
        greater_is_better=scored.greater_is_better,
        datasets=scored.datasets,
        classifiers=scored.classifiers,
        scores=scored.scores,
        is_percent=np.zeros(scored.scores.shape, dtype=bool),
        computation=scored.description,
        folds=fold_scores_of_predictions(scored),
        scored=scored,
    )


def _wide_cells(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> Cells:
    _refuse_choices(choices, "wide")
    metric = "score" if metric is None else metric
    key, runs = _wide_keys(grid, decimal, columns["dataset"])
    # an unnamed first column beside a column of names is an index that was written with the table
    heads = [j for j, name in enumerate(grid.header) if j != key and j not in runs.values() and (name or j > 0)]
    n = len(grid.numbers)
    if not heads or not n:
        raise TableError(f"{grid.name} has no {'row' if heads else 'column'} of scores")
    classifiers = [header_name(grid, j) for j in heads]
    for name, at in positions_of_repeated(classifiers).items():
        places = " and ".join(str(heads[j] + 1) for j in at)
        raise TableError(f"{grid.name}: classifier names must be unique, but {short(name)} heads the columns {places}")
    scores, is_percent = zip(*(_scores(grid, j, decimal, "wide") for j in heads), strict=True)
    if runs:
        names = ["dataset"] * n if key is None else row_names(grid, key, "dataset")
        values, with_sign = np.column_stack(scores), np.column_stack(is_percent)
        cells = _wide_fold_cells(grid, decimal, metric, names, classifiers, runs, values, with_sign)
        return replace(cells, noise=grid.noise_at(heads))
    datasets = [f"dataset {i + 1}" for i in range(n)] if key is None else row_names(grid, key, "dataset")
    if repeated := positions_of_repeated(datasets):
        places = examples([f"{short(name)} ({rows_at(grid, at)})" for name, at in repeated.items()])
        problem = f"{grid.name}: dataset names must be unique, but these are repeated: {places}"
        raise TableError(problem, "average repeated runs or folds first")
    return Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=_direction(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=np.column_stack(scores),
        is_percent=np.column_stack(is_percent),
        word=grid.word,
        noise=grid.noise_at(heads),
        numbers=np.broadcast_to(np.array(grid.numbers)[:, np.newaxis], (n, len(heads))),
    )


def _wide_keys(grid: Grid, decimal: str, dataset: str | None) -> tuple[int | None, dict[str, int]]:
    """Return the column that names the datasets of a wide table, and the columns of folds and repeats.

    They are folds or repeats of one dataset, without a name, if their column is the first.
    """
    if dataset is not None:
        key: int | None = column_named(grid, dataset, "dataset")
    else:
        key = next((j for j, name in enumerate(grid.header[:2]) if is_called(name, DATASET_COLUMNS)), None)
    runs = {name: j for name, j in run_columns(grid, None, None, {key}).items() if _counts(grid.columns[j], decimal)}
    first = min((runs[name] for name in ("repeat", "fold") if name in runs), default=None)
    if first is not None and (key is not None or first == 0):
        return key, runs
    return _dataset_column(grid, decimal, dataset), {}


def _counts(column: Any, decimal: str) -> bool:
    """Tell whether a column holds whole numbers only."""
    return all(value is not None and value % 1 == 0 for value in numbers_in(column, decimal))


def _wide_fold_cells(
    grid: Grid,
    decimal: str,
    metric: str,
    names: list[str],
    classifiers: list[str],
    runs: dict[str, int],
    values: FloatArray,
    with_sign: BoolArray,
) -> Cells:
    """Understand a wide table with one row for each fold or repeat of a dataset, which `names` names."""
    k, datasets = len(classifiers), list(dict.fromkeys(names))
    # one row for each score, as in a long table
    long = replace(
        grid,
        columns=[[cell for cell in column for _ in range(k)] for column in grid.columns],
        numbers=[number for number in grid.numbers for _ in range(k)],
    )
    pairs = [(dataset, classifier) for dataset in names for classifier in classifiers]
    is_percent = _all_with_sign(grid, values, with_sign)
    folds = fold_scores_of(long, runs, pairs, values.ravel(), datasets, classifiers, decimal)
    scores = np.stack([one.scores.mean(axis=(0, 1)) for one in folds])
    return Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=_direction(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=scores,
        is_percent=np.full(scores.shape, is_percent),
        computation=f"{metric}, mean over the {_run_words(runs)}",
        folds=folds,
    )


def _dataset_column(grid: Grid, decimal: str, dataset: str | None) -> int | None:
    """Return the column that names the datasets of a wide table, None if they have no names."""
    if dataset is not None:
        return column_named(grid, dataset, "dataset")
    first, second, *_ = *grid.header, "", ""
    if not first and is_called(second, DATASET_COLUMNS):
        return 1
    values = numbers_in(grid.columns[0], decimal) if grid.columns else []
    if not first or is_called(first, DATASET_COLUMNS) or None in values:
        return 0
    if not grid.must_name_datasets:
        return None
    if any(value is not None and not math.isnan(value) and value % 1 for value in values):
        problem = f"{grid.name}: the first column must name the datasets, but column {short(first)} holds numbers"
        raise TableError(problem, "if they are names, pass {}", "dataset", first)
    return 0


def _looks_long(grid: Grid) -> bool:
    has_datasets = any(is_called(name, DATASET_COLUMNS) for name in grid.header)
    classifiers = (j for j, name in enumerate(grid.header) if is_called(name, CLASSIFIER_COLUMNS))
    # "model" may be a classifier of a wide table too, but then its column holds numbers
    return has_datasets and any(number_in(cell, ".") is None for j in classifiers for cell in grid.columns[j])


def _long_cells(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> Cells:
    _refuse_choices(choices, "long")
    d = key_column(grid, columns["dataset"], "dataset", DATASET_COLUMNS)
    c = key_column(grid, columns["classifier"], "classifier", CLASSIFIER_COLUMNS)
    m = next((j for j, name in enumerate(grid.header) if j not in (d, c) and is_called(name, METRIC_COLUMNS)), None)
    if m is not None:
        grid, metric = _rows_of_one_metric(grid, m, metric)
    runs = run_columns(grid, columns["repeat"], columns["fold"], {d, c, m})
    s = _score_column(grid, columns["score"], metric, {d, c, m, *runs.values()})
    if metric is None:
        metric = "score" if is_called(grid.header[s], GENERIC_SCORE_COLUMNS) else grid.header[s]
    pairs = list(zip(row_names(grid, d, "dataset"), row_names(grid, c, "classifier"), strict=True))
    datasets, classifiers = (
        (sorted(set(names), key=natural_order) for names in zip(*pairs, strict=True)) if pairs else ([], [])
    )
    _check_pairs(grid, pairs, len(datasets), len(classifiers), once=not runs)
    row, column = ({name: i for i, name in enumerate(names)} for names in (datasets, classifiers))
    at = np.array([row[name] for name, _ in pairs]), np.array([column[name] for _, name in pairs])
    shape = len(datasets), len(classifiers)
    scores, is_percent, numbers = np.full(shape, math.nan), np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.intp)
    scores[at], is_percent[at] = values, with_sign = _scores(grid, s, decimal, "long")
    numbers[at] = grid.numbers
    folds: tuple[FoldScores, ...] = ()
    if runs:
        is_percent[:] = _all_with_sign(grid, values, with_sign)
        folds = fold_scores_of(grid, runs, pairs, values, datasets, classifiers, decimal)
        scores = np.stack([one.scores.mean(axis=(0, 1)) for one in folds])
    return Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=_direction(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=scores,
        is_percent=is_percent,
        word=grid.word,
        noise=grid.noise_at([s]),
        numbers=numbers,
        computation=f"{metric}, mean over the {_run_words(runs)}" if runs else "",
        folds=folds,
    )


READERS = {"wide": _wide_cells, "long": _long_cells, "predictions": _prediction_grid_cells}


def _all_with_sign(grid: Grid, values: FloatArray, with_sign: BoolArray) -> bool:
    """Tell whether the scores of folds are written with a percent sign, all of them or none."""
    if with_sign.any() and not with_sign[~np.isnan(values)].all():
        raise TableError(f"{grid.name}: all scores must be written with % or none")
    return bool(with_sign.any())


def _run_words(runs: dict[str, int]) -> str:
    return " of the ".join(f"{name}s" for name in ("fold", "repeat") if name in runs)


def _check_pairs(grid: Grid, pairs: list[tuple[str, str]], n: int, k: int, *, once: bool) -> None:
    if not pairs:
        raise TableError(f"{grid.name} has no row of scores")
    if once and (repeated := positions_of_repeated(pairs)):
        places = examples([f"{short(d)} / {short(c)} ({rows_at(grid, at)})" for (d, c), at in repeated.items()])
        problem = f"{grid.name}: each dataset and classifier must have one score, but these have several: {places}"
        raise TableError(problem, "if they are of folds or repeats, name their column by {}", "fold")
    if n * k > max(1_000_000, 100 * len(pairs)):  # a column of other things would fill the memory
        problem = f"{grid.name} has {n:,} datasets and {k:,} classifiers, but only {len(pairs):,} scores"
        raise TableError(problem, "check which columns name them")


def _rows_of_one_metric(grid: Grid, column: int, metric: str | None) -> tuple[Grid, str]:
    names = row_names(grid, column, "metric")
    found = list(dict.fromkeys(names))
    if metric is None and len(found) > 1:
        problem = f"{grid.name}: column {short(grid.header[column])} holds the metrics {listed(found)}"
        raise TableError(problem, "choose one, for example {}", "metric", found[0])
    chosen = metric if metric is not None else found[0] if found else "score"
    if found and chosen not in found:
        raise TableError(f"{grid.name} has no metric {short(chosen)}; its metrics are {listed(found)}")
    kept = [i for i, name in enumerate(names) if name == chosen]
    columns = [[cells[i] for i in kept] for cells in grid.columns]
    return replace(grid, columns=columns, numbers=[grid.numbers[i] for i in kept]), chosen


def _score_column(grid: Grid, score: str | None, metric: str | None, others: set[int | None]) -> int:
    if score is not None:
        return column_named(grid, score, "score")
    rest = [j for j, name in enumerate(grid.header) if name and j not in others]
    named = [j for j in rest if metric is not None and is_called(grid.header[j], [simplified(metric)])]
    known = [j for j in rest if is_called(grid.header[j], SCORE_COLUMNS)]
    for found in (named, known, rest):
        if len(found) == 1:
            return found[0]
        if found:
            problem = f"{grid.name}: any of the columns {headers(grid, found)} may hold the scores"
            raise TableError(problem, "choose one, for example {}", "score", grid.header[found[0]])
    raise TableError(f"{grid.name}: none of the columns {headers(grid)} holds scores")


def _scores(grid: Grid, j: int, decimal: str, layout: str) -> tuple[FloatArray, BoolArray]:
    """Return the numbers of a column, nan where one is missing, and where they were written with a percent sign."""
    column = grid.columns[j]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf" and not np.isinf(column).any():
        return column.astype(np.float64), np.zeros(column.shape, dtype=bool)
    values = numbers_in(column, decimal)
    numbers = np.array(values, dtype=np.float64)
    if None in values or np.isinf(numbers).any():
        i = next(i for i, value in enumerate(values) if value is None or math.isinf(value))
        is_text = layout == "wide" and len(values) > 1 and all(value is None or math.isnan(value) for value in values)
        raise not_a_number(grid.place(i, j), column[i], decimal, is_text=is_text)
    return numbers, np.array([isinstance(cell, str) and "%" in cell for cell in column], dtype=bool)
