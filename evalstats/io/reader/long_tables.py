"""Readers of long tables other than scores: ratings by readers, learning curves, and answers with covariates."""

from __future__ import annotations

__all__ = [
    "AnswerRows",
    "LearningCurveScores",
    "ReaderRatings",
    "column_of",
    "complete_array",
    "finite_number",
    "read_answer_rows",
    "read_learning_curve_scores",
    "read_reader_ratings",
]

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _lexicon
from evalstats._errors import InvalidValueError, examples, listed
from evalstats._findings import Finding
from evalstats._types import AnyArray, FloatArray
from evalstats.io.columns import roles
from evalstats.io.columns.cleaning import plain_grid
from evalstats.io.columns.other_results import INSTANCES, RATINGS, READERS, TREATMENTS, TRUE_LABELS, TRUTH
from evalstats.io.columns.surroundings import unknown_metric
from evalstats.io.layouts.candidate import is_better_greater, refuse_other_metric
from evalstats.io.options import parsing_of
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import natural_order


def column_of(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int:
    """Return the column that the caller named, or that is recognized. Raise an error if there is none."""
    found = roles.key_column_if_any(grid, given, argument, known)
    if found is None:
        raise TableError(
            f"{grid.name} has no column of the {argument}s; name one of {listed(grid.header)} with {argument}="
        )
    return found


def _refuse_unknown(
    argument: str, given: Collection[str], names: Sequence[Collection[str]], grid: Grid, of: str
) -> None:
    """Reject a name in an argument that occurs in no row."""
    if unknown := sorted(set(given).difference(*names)):
        raise TableError(f"{argument} must name a {of} of {grid.name}, not {short(unknown[0])}")


def finite_number(grid: Grid, column: int, row: int, what: str, decimal: str = ".") -> float | None:
    """Return the number in a cell, or None if it is missing, and reject infinite values."""
    cell = grid.columns[column][row]
    value = number_in(cell, decimal)
    if value is None or math.isinf(value):
        where = f"{grid.name}, {grid.word} {grid.numbers[row]}"
        raise TableError(f"{where}: the {what} {short(cell)} is not a finite number")
    return None if math.isnan(value) else value


def complete_array(
    grid: Grid, cells: Mapping[tuple[Any, ...], float], what: str, rule: str, place: str, hint: str, drop: Sequence[int]
) -> tuple[list[tuple[Any, ...]], FloatArray]:
    """Return the names of each axis in order, and the array of the cells. An error names the cells that are missing.

    `place` is the format of a cell in a message. `hint` proposes names of one axis in `drop` to leave out: the smallest
    set of names without which no cell is missing.
    """
    if not cells:
        raise TableError(f"{grid.name} holds no {what}")
    axes = [tuple(sorted(set(axis), key=_order)) for axis in zip(*cells, strict=True)]
    array = np.full([len(axis) for axis in axes], np.nan)
    places = [{name: i for i, name in enumerate(axis)} for axis in axes]
    for key, value in cells.items():
        array[tuple(place[name] for place, name in zip(places, key, strict=True))] = value
    lacking = np.argwhere(np.isnan(array))
    if len(lacking):
        told = [place.format(*(axis[i] for axis, i in zip(axes, at, strict=True))) for at in lacking.tolist()]
        names = [[str(axes[axis][i]) for i in np.unique(lacking[:, axis])] for axis in drop]
        sizes = [len(axes[axis]) for axis in drop]
        # not all names of an axis; and of as many names, those of the longest axis: the smallest part of the data
        fewest = min(zip(names, sizes, strict=True), key=lambda one: (len(one[0]) == one[1], len(one[0]), -one[1]))[0]
        raise TableError(
            f"{grid.name}: {rule}, but {len(lacking):,} of {array.size:,} {what} are missing ({examples(told)})",
            hint,
            "drop",
            fewest[0] if len(fewest) == 1 else tuple(fewest),
        )
    return axes, array


def _order(name: Any) -> Any:
    return natural_order(name) if isinstance(name, str) else name


class ReaderRatings(NamedTuple):
    """Ratings of shape (n_treatments, n_readers, n), with the names of the axes and the true labels."""

    treatments: tuple[str, ...]
    readers: tuple[str, ...]
    instances: tuple[str, ...]
    y_true: list[str]
    ratings: FloatArray
    source: str | None


def read_reader_ratings(
    source: Any,
    *,
    reader: str | None = None,
    classifier: str | None = None,
    instance: str | None = None,
    y_true: str | None = None,
    score: str | None = None,
    drop: Collection[str] = (),
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> ReaderRatings:
    """Read the ratings of several readers from a long table. A missing or a second rating raises an error.

    Parameters
    ----------
    source : path or data frame
        One row for each reader, treatment (or classifier) and instance, with the true label and the rating, as in
        MRMCaov. Alternatively, rows in the format of iMRMC, in which the true labels are the scores of the reader
        ``truth``.
    reader, classifier, instance, y_true, score : str, optional
        Names of the columns. If you do not pass a name, the column is recognized by its name.
    drop : collection of str
        Names of readers, treatments or instances to leave out.
    delimiter, encoding, sheet : optional
        As in `read_table`.

    Returns
    -------
    ReaderRatings
    """
    grid = open_source(source, delimiter, encoding, sheet).grid
    columns = {
        "reader": column_of(grid, reader, "reader", READERS),
        "treatment": column_of(grid, classifier, "classifier", TREATMENTS),
        "instance": column_of(grid, instance, "instance", INSTANCES),
    }
    s = column_of(grid, score, "score", RATINGS)
    names = [roles.row_names(grid, j, what) for what, j in columns.items()]
    y = roles.key_column_if_any(grid, y_true, "y_true", TRUE_LABELS)
    if y is None and TRUTH not in names[0]:
        raise TableError(
            f"{grid.name} has no column of the true labels; name one of {listed(grid.header)} with y_true="
        )
    _refuse_unknown("drop", drop, names, grid, "reader, treatment or instance")
    label_of: dict[str, str] = {}
    cells: dict[tuple[str, str, str], float] = {}
    for row, (who, how, what) in enumerate(zip(*names, strict=True)):
        if drop and not {who, how, what}.isdisjoint(drop):
            continue
        where = f"{grid.name}, {grid.word} {grid.numbers[row]}"
        is_truth = y is None and who == TRUTH
        if is_truth or y is not None:
            label = str(grid.columns[s if y is None else y][row]).strip()
            if label_of.setdefault(what, label) != label:
                raise TableError(
                    f"{where}: the true label of {short(what)} is {short(label)} here and different elsewhere"
                )
        if is_truth:
            continue
        value = finite_number(grid, s, row, "rating")
        if value is None:
            continue  # missing labels are reported below
        if (how, who, what) in cells:
            raise TableError(f"{where}: {short(who)} rated {short(what)} twice with {short(how)}")
        cells[how, who, what] = value
    return _table(grid, cells, label_of)


def _table(grid: Grid, cells: dict[tuple[str, str, str], float], label_of: dict[str, str]) -> ReaderRatings:
    """Return the complete table of the ratings, or raise an error that names the missing ratings."""
    (treatments, readers, instances), ratings = complete_array(
        grid,
        cells,
        what="ratings",
        rule="each reader must rate each instance with each treatment",
        place="{1} with {0}: {2}",
        hint="leave out a reader, a treatment or these instances with {}",
        drop=(1, 2),
    )
    unknown = [name for name in instances if name not in label_of]
    if unknown:
        raise TableError(f"{grid.name}: the true labels of {examples(unknown)} are missing")
    return ReaderRatings(treatments, readers, instances, [label_of[name] for name in instances], ratings, grid.file)


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
    if (of_metrics := roles.key_column_if_any(grid, None, "metric", _lexicon.METRIC_COLUMNS)) is not None:
        grid, metric = roles.rows_of_one_metric(grid, of_metrics, metric)
    elif score is None and metric in grid.header:
        score = metric
    sizes = column_of(grid, train_size, "train_size", _lexicon.SIZE_COLUMNS["n_train"])
    s = column_of(grid, score, "score", _lexicon.SCORE_COLUMNS)
    refuse_other_metric(grid, grid.header[s] if of_metrics is None else "", metric, greater_is_better)
    metric = metric or grid.header[s]
    classifiers = roles.row_names(
        grid, column_of(grid, classifier, "classifier", _lexicon.CLASSIFIER_COLUMNS), "classifier"
    )
    repeats = _repeats(grid, repeat, fold)
    of_datasets = roles.key_column_if_any(grid, dataset, "dataset", _lexicon.DATASET_COLUMNS)
    datasets = [""] * len(classifiers) if of_datasets is None else roles.row_names(grid, of_datasets, "dataset")
    n_train = [_size(grid, sizes, row, "training-set size", decimal) for row in range(len(classifiers))]
    _refuse_unknown("keep", keep, [classifiers], grid, "classifier")
    texts = [f"{n:.15g}" for n in n_train]
    names = [classifiers, texts, repeats, datasets]
    _refuse_unknown("drop", drop, names, grid, "classifier, size, repeat or dataset")
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
        name: roles.key_column_if_any(grid, given, name, _lexicon.PREDICTION_COLUMNS[name])
        for name, given in (("repeat", repeat), ("fold", fold))
    }
    found = {name: j for name, j in columns.items() if j is not None}
    found = found or {"repeat": column_of(grid, None, "repeat", _lexicon.SEED_COLUMNS)}
    named = [[f"{name} {one}" for one in roles.row_names(grid, j, name)] for name, j in found.items()]
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
    columns = roles.columns_called(grid, _lexicon.SIZE_COLUMNS["n_test"])
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


class AnswerRows(NamedTuple):
    """Columns of answers in the form of the arguments of `adjusted_difference`."""

    score: FloatArray
    model: list[str]
    question: list[str]
    covariates: dict[str, AnyArray]


def read_answer_rows(
    source: Any,
    covariates: Sequence[str],
    *,
    classifier: str | None = None,
    question: str | None = None,
    cluster: str | None = None,
    score: str | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> AnswerRows:
    """Read one row for each answer: the model, the question, the score and the covariates by their names.

    Parameters
    ----------
    source : path or data frame
        A long table of answers.
    covariates : sequence of str
        Columns of the covariates. A covariate is numeric if all cells of its column are numbers. Otherwise, it is text.
    classifier, question, score, cluster : str, optional
        Columns of the models, the questions, the scores and the clusters of questions. With a column of clusters, the
        clusters replace the questions. If you do not pass a name, the column is recognized by its name.
    delimiter, encoding, sheet : optional
        As in `read_table`.

    Returns
    -------
    AnswerRows
    """
    grid = open_source(source, delimiter, encoding, sheet).grid
    c = roles.key_column(grid, classifier, "classifier", _lexicon.CLASSIFIER_COLUMNS)
    clusters = roles.columns_called(grid, _lexicon.CLUSTER_COLUMNS)
    if cluster is not None:
        q = roles.column_named(grid, cluster, "cluster")
    elif question is None and clusters:
        q = clusters[0]
    else:
        q = roles.key_column(grid, question, "question", _lexicon.ITEM_COLUMNS)
    if score is not None:
        s = roles.column_named(grid, score, "score")
    else:
        found = roles.columns_called(
            grid, (*_lexicon.RIGHT_COLUMNS, *_lexicon.ITEM_SCORE_COLUMNS, *_lexicon.GENERIC_SCORE_COLUMNS)
        )
        if not found:
            raise InvalidValueError(f"{grid.name} must have a column of scores; name it with score=")
        s = found[0]
    values = [_score(cell) for cell in grid.columns[s]]
    if None in values:
        row = grid.numbers[values.index(None)]
        raise InvalidValueError(
            f"{grid.name}: the score of {grid.word} {row} is neither a number nor a word for correct or incorrect"
        )
    return AnswerRows(
        score=np.array(values, dtype=np.float64),
        model=roles.row_names(grid, c, "model"),
        question=roles.row_names(grid, q, "question"),
        covariates={
            name: _covariate(grid.columns[roles.column_named(grid, name, "adjust_for")]) for name in covariates
        },
    )


def _score(cell: Any) -> float | None:
    word = str(cell).strip().casefold()
    return float(_lexicon.ANSWER_WORDS[word]) if word in _lexicon.ANSWER_WORDS else number_in(cell, ".")


def _covariate(column: Any) -> AnyArray:
    numbers = [number_in(cell, ".") for cell in column]
    if None in numbers:
        return np.array([str(cell).strip() for cell in column])
    return np.array(numbers, dtype=np.float64)
