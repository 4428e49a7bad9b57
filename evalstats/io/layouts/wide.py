"""Wide tables of scores: one row for each dataset or fold, one column for each classifier."""

from __future__ import annotations

__all__ = ["classifier_names", "wide_cells"]

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats._errors import examples
from evalstats._findings import Finding, LeftOut
from evalstats._lexicon import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    METRIC_COLUMNS,
    QUESTION_COLUMNS,
    RUN_COLUMNS,
    is_called,
    plain_name,
    word_list,
)
from evalstats._types import BoolArray, FloatArray
from evalstats.io.columns.cleaning import spread_of
from evalstats.io.columns.conditions import are_unnamed
from evalstats.io.columns.kinds import companions, doubtful, kinds_of, role_of, shared_metric
from evalstats.io.columns.named_scores import refuse_scores_in, refuse_settings_in
from evalstats.io.columns.roles import (
    NUMBERED,
    column_named,
    column_of_one_score,
    columns_called,
    header_name,
    holds_fractions,
    row_names,
    rows_at,
    rows_of_one_metric,
    with_column_of_metrics,
    with_numbered_names,
)
from evalstats.io.columns.rules import refuse_names, refuse_numbers
from evalstats.io.columns.summaries import are_ranks, names_in, sort_out, turned, without_notes
from evalstats.io.columns.surroundings import said_in
from evalstats.io.layouts.candidate import (
    Cells,
    all_with_sign,
    is_better_greater,
    refuse_choices,
    refuse_other_metric,
    run_words,
    scores_in,
)
from evalstats.io.layouts.folds import Pairs, fold_scores_of, run_columns
from evalstats.io.layouts.orientation import (
    is_turned,
    prepared,
    shape_finding,
    with_metrics_apart,
    with_runs,
    with_spread,
)
from evalstats.io.layouts.told_rows import is_of_runs, with_run_names
from evalstats.io.sources.grid import Around, Grid, only_columns
from evalstats.io.sources.numbers import are_plain_numbers, number_in, numbers_in
from evalstats.metrics.directions import direction_of, direction_of_metric, is_effort
from evalstats.tables.categorical import CodedColumn, coded
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import positions_of_repeated, texts_of

# from this number on, unnamed rows may be folds or runs of one dataset
MANY_UNNAMED = 60
# a column with one of these names holds names of folds or repeats; other columns may hold names of datasets
_ALWAYS_RUNS = word_list("runs.always")
_IN_BRACKETS = re.compile(r"[\s_][(\[](.+)[)\]]\s*$")
_NUMBERS_OF_DATASETS = {re.sub("_", "", name) for name in DATASET_COLUMNS} | {*word_list("rows.dataset_number")}


def wide_cells(
    grid: Grid, decimal: str, metric: str | None, columns: dict[str, str | None], choices: dict[str, Any]
) -> Cells:
    """Read a wide table of scores."""
    refuse_choices(choices, "wide")
    of_classifiers: tuple[LeftOut, ...] = ()
    rows_are, kept = choices.get("rows_are"), names_in(choices["keep"], "keep")
    has_runs = is_of_runs(rows_are) or bool(columns["fold"] or columns["repeat"] or columns_called(grid, RUN_COLUMNS))
    grid, metric = _of_one_metric(grid, metric)
    grid = with_numbered_names(grid, kept, of_rows=not has_runs)
    grid, beside_names = prepared(grid, columns["dataset"])
    is_across = is_turned(grid) if choices["transpose"] is None else choices["transpose"]
    corner = _metric_in_corner(grid.header[0], grid.columns[0]) if grid.header else None
    if is_across:
        grid, of_classifiers = _without_notes(grid, decimal, choices)
        grid, metric = _of_one_metric(with_runs(turned(grid)), metric)
    grid, columns, below = with_run_names(grid, rows_are, columns)
    key, runs, counts = _wide_keys(grid, decimal, columns, numbered=rows_are == "datasets")
    of_datasets = None if runs or choices["layout"] == "wide" else key
    grid, metric, of_metrics, told = with_metrics_apart(grid, of_datasets, metric)
    # an unnamed first column beside a column of names is an index that was written with the table
    others = {key, *runs.values(), *counts}
    every = heads = [j for j, name in enumerate(grid.header) if j not in others and (name or j > 0)]
    gone = beside_names + of_classifiers + below + of_metrics
    drop = names_in(choices["drop"], "drop").difference(one.name for one in gone)
    dropped = [j for j in heads if grid.header[j] in drop]
    grid, heads, left_out = _sorted_out(grid, key, heads, decimal, drop, choices["keep"])
    left_out += gone
    left_out += tuple(LeftOut(what="column", name=grid.header[j], reason="distinguishes no folds") for j in counts)
    if not heads or not len(grid.numbers):
        _refuse_nothing(grid, heads, left_out)
    numbered = _are_numbered(grid, key, columns["dataset"], decimal) and not runs
    if choices["layout"] != "wide":
        grid, metric, beside, of_kinds = _without_other_kinds(grid, heads, decimal, metric, kept)
        told += of_kinds
        heads = [j for j in heads if j not in beside]
        left_out += tuple(LeftOut(what="column", name=grid.header[j], reason=why) for j, why in beside.items())
    elif metric is None and (shared := shared_metric([grid.header[j] for j in heads])) is not None:
        metric = shared[0]
    if rows_are != "datasets":
        _refuse_doubtful(
            grid,
            key,
            doubtful(grid, heads, every),
            decimal,
            choices,
            is_across=is_across,
            has_runs=bool(runs),
            numbered=numbered,
        )
        told += () if runs else _doubts(grid, key, heads, is_numbered=numbered)
    names = classifier_names(grid, heads)
    refuse_other_metric(grid, corner or "", metric, choices.get("greater_is_better"))
    of_corner = corner if is_across or runs else None
    found = _cells_of(grid, key, runs, heads, names, decimal, of_corner if metric is None else metric)
    if not are_unnamed(names) and not (rows_are and choices["layout"] == "wide"):
        values = np.array([scores_in(grid, j, decimal, "wide")[0] for j in heads]) if runs else found.scores.T
        refuse_settings_in(grid, heads, values, kept)
    findings = [*found.findings, *told]
    if is_across:
        words = f"The rows were classifiers and the columns {'folds or runs' if runs else 'datasets'}"
        findings.append(_note("transposed", f"{words}: they were exchanged."))
    found = replace(found, noise=grid.noise_at(heads), left_out=left_out, findings=tuple(findings))
    return _with_ranks(found, _numbers(grid, heads + dropped, decimal) if dropped else found.scores, metric)


def _with_ranks(found: Cells, whole: FloatArray, metric: str | None) -> Cells:
    """Set the metric and the direction of ranks, with a note. `whole` includes omitted classifiers."""
    if direction_of(found.metric) is False or not _holds_ranks(found, whole):
        return found
    words = f"Each row holds the ranks 1 to {whole.shape[1]}: the ranks are compared, and lower is better."
    metric = "rank" if metric is None else found.metric
    return replace(found, greater_is_better=False, metric=metric, findings=(*found.findings, _note("ranks", words)))


def _holds_ranks(found: Cells, whole: FloatArray) -> bool:
    """Return whether all scores are ranks: among all columns in `whole`, if the caller left out some columns.

    If there are folds, their scores are examined.
    """
    k = len(found.classifiers)
    if whole.shape[1] > k:
        return are_ranks(whole)
    return are_ranks(
        np.concatenate([one.scores.reshape(-1, k) for one in found.folds]) if found.folds else found.scores
    )


def _numbers(grid: Grid, at: Sequence[int], decimal: str) -> FloatArray:
    """Return the numbers in those columns in `at` that contain only numbers."""
    columns = (numbers_in(grid.columns[j], decimal) for j in at)
    return np.array([column for column in columns if None not in column], dtype=np.float64).T


def _without_notes(grid: Grid, decimal: str, choices: dict[str, Any]) -> tuple[Grid, tuple[LeftOut, ...]]:
    """Omit columns that describe classifiers, or raise an error if one looks like scores."""
    found, left_out = without_notes(grid, choices["drop"], choices["keep"])
    refuse_scores_in(grid, 0, range(1, len(grid.header)), decimal, left_out)
    return found, left_out


def _sorted_out(
    grid: Grid, key: int | None, heads: list[int], decimal: str, drop: Any, keep: Any
) -> tuple[Grid, list[int], tuple[LeftOut, ...]]:
    """Omit summaries and descriptions, or raise an error if one looks like scores."""
    found, kept, left_out = sort_out(grid, key, heads, decimal, drop, keep)
    refuse_scores_in(grid, key, heads, decimal, left_out)
    return found, kept, left_out


def _refuse_nothing(grid: Grid, heads: list[int], left_out: tuple[LeftOut, ...]) -> None:
    """Reject a table without a row or a column of scores, with the reasons for omitted rows or columns."""
    what = "row" if heads else "column"
    gone = [one for one in left_out if one.what == what and one.reason != "was excluded on request"]
    problem = f"{grid.name} has no {what} of scores"
    if not gone:
        raise TableError(problem)
    told = examples([f"{short(one.name)} {one.reason}" for one in gone])
    raise TableError(f"{problem}: {told}", "if they are scores nevertheless, pass {} and so on", "keep", gone[0].name)


def _refuse_doubtful(
    grid: Grid,
    key: int | None,
    heads: list[int],
    decimal: str,
    choices: dict[str, Any],
    *,
    is_across: bool,
    has_runs: bool,
    numbered: bool,
) -> None:
    """Reject a table that may not contain datasets and classifiers, unless an option answers the question."""
    kept = names_in(choices["keep"], "keep")
    answered = [
        *(("layout", "drop") if choices["layout"] == "wide" else ()),
        *(["rows_are"] if choices.get("rows_are") else []),
    ]
    refuse_names(grid, key, heads, kept, is_across=is_across, has_runs=has_runs, answered=answered)
    if not numbered and key is not None:
        return
    if not choices.get("rows_are"):  # a given type of the rows implies that the numbers are scores
        refuse_numbers(grid, heads, decimal, has_runs=has_runs, answered=answered)
    if not has_runs:
        _refuse_unnamed(grid)


def _refuse_unnamed(grid: Grid) -> None:
    """Reject many unnamed rows, or any unnamed rows of a file, because the rows may not be datasets."""
    n = len(grid.numbers)
    if n >= MANY_UNNAMED or grid.must_name_datasets:
        raise TableError(
            f"{grid.name} has {n} row{'s' * (n > 1)} without names, which may be datasets, or folds or runs of "
            "one dataset",
            "pass {}, {folds} or {runs}; if they are instances, pass {instances} or {questions}",
            "rows_are",
            "datasets",
        )


def _are_numbered(grid: Grid, key: int | None, given: str | None, decimal: str) -> bool:
    """Return whether row names are integers in a column that may not identify datasets."""
    if key is None or given is not None or plain_name(grid.header[key]) in _NUMBERS_OF_DATASETS:
        return False
    values = numbers_in(grid.columns[key], decimal)
    return all(value is not None and value % 1 == 0 for value in values)


def _of_one_metric(grid: Grid, metric: str | None) -> tuple[Grid, str | None]:
    """Return the rows of one metric, and the name of the metric, if a column names the metric of each row.

    Without a column of classifiers, folds or runs, the first column names the rows.
    """
    others = columns_called(grid, (*CLASSIFIER_COLUMNS, *RUN_COLUMNS))
    grid = with_column_of_metrics(grid) if others else grid
    found = [j for j in columns_called(grid, METRIC_COLUMNS) if j or others]
    if len(found) != 1 or not _holds_names(grid.columns[found[0]]):
        return grid, metric
    _refuse_one_score_each(grid, found[0])
    grid, metric = rows_of_one_metric(grid, found[0], metric)
    return only_columns(grid, [j for j in range(len(grid.header)) if j != found[0]]), metric


def _refuse_one_score_each(grid: Grid, metric: int) -> None:
    """Reject a table with a column of metrics and one column for their values, such as the leaderboard of mljar.

    Its rows are classifiers on one dataset, or datasets of one classifier.
    """
    score = None if columns_called(grid, CLASSIFIER_COLUMNS) else column_of_one_score(grid, metric)
    if score is not None:
        raise TableError(
            f"{grid.name}: each row has one score, in the column {short(grid.header[score])}, of the metric in "
            f"{short(grid.header[metric])}: these are scores on one dataset, or of one classifier",
            "give the scores of several classifiers on several datasets or folds, in the columns dataset, classifier, "
            "fold and score",
        )


def _doubts(grid: Grid, key: int | None, heads: list[int], *, is_numbered: bool) -> tuple[Finding, ...]:
    """Return notes on unnamed or numbered rows, and on an unusual shape."""
    names = [grid.header[j] for j in heads]
    words = ""
    if is_numbered:
        words = (
            "The rows have numbers for names, and each is treated as a dataset; if they count folds of one "
            "dataset, or runs, "
        )
        words += "call their column fold or repeat."
    elif key is None and not are_unnamed(names):
        words = (
            "The rows have no names, and each is treated as a dataset; if they are folds of one dataset, or "
            "runs, add a "
        )
        words += "column fold or repeat."
    return (*((_note("unnamed", words),) if words else ()), *shape_finding(len(grid.numbers), names))


def _without_other_kinds(
    grid: Grid, heads: list[int], decimal: str, metric: str | None, kept: Iterable[str]
) -> tuple[Grid, str | None, dict[int, str], tuple[Finding, ...]]:
    """Return the grid with the compared kind of columns, the metric, and reasons for other columns."""
    kinds = kinds_of(grid, heads, metric, kept)
    if kinds is None:
        return grid, metric, companions(grid, heads, decimal, kept), ()
    columns = list(grid.columns)
    for j, spread in kinds.spreads.items():
        columns[j] = with_spread(columns[j], columns[spread], decimal)
    header = [kinds.names.get(j, name) for j, name in enumerate(grid.header)]
    told = (_note("kinds-of-columns", kinds.sentence),)
    return replace(grid, header=header, columns=columns), kinds.metric or metric, kinds.beside, told


def _cells_of(
    grid: Grid,
    key: int | None,
    runs: dict[str, int],
    heads: list[int],
    classifiers: list[str],
    decimal: str,
    metric: str | None,
) -> Cells:
    if metric is None and key is not None:
        metric = _metric_in_corner(grid.header[key], grid.columns[key])
    metric, n = "score" if metric is None else metric, len(grid.numbers)
    spread = spread_of([grid.columns[j] for j in heads])
    scores, is_percent = zip(*(scores_in(grid, j, decimal, "wide") for j in heads), strict=True)
    if runs:
        names = ["dataset"] * n if key is None else row_names(grid, key, "dataset")
        values, with_sign = np.column_stack(scores), np.column_stack(is_percent)
        return _wide_fold_cells(grid, decimal, metric, names, classifiers, runs, values, with_sign)
    datasets = [f"dataset {i + 1}" for i in range(n)] if key is None else row_names(grid, key, "dataset")
    if repeated := positions_of_repeated(datasets):
        places = examples([f"{short(name)} ({rows_at(grid, at)})" for name, at in repeated.items()])
        problem = f"{grid.name}: the names of datasets must be unique, but these are repeated: {places}"
        if len(set(map(len, repeated.values()))) > 1 or len(datasets) > sum(map(len, repeated.values())):
            raise TableError(problem, NUMBERED, "keep", tuple(repeated))
        hint = "if they are folds or runs, name their column with {fold} or {repeat}, or pass {} or {runs}"
        hint += "; if the rows are instances, name the column of the true labels with {y_true}, or pass {instances}"
        raise TableError(problem, hint, "rows_are", "folds")
    return Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=is_better_greater(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=np.stack(scores, axis=1),
        is_percent=np.stack(is_percent, axis=1),
        word=grid.word,
        numbers=np.broadcast_to(np.array(grid.numbers)[:, np.newaxis], (n, len(heads))),
        spread=spread,
    )


def _metric_in_corner(corner: str, names: Any) -> str | None:
    """Return the metric in the corner cell, such as ``dataset (error rate)``, or None if there is no metric."""
    if holds_fractions(names):  # its own values, such as fit_time of cross_validate
        return None
    role = role_of(corner)
    if role == "metric" or is_effort(corner) or (role == "time" and not is_called(corner, ("time",))):
        return corner
    if role == "rank":  # above numbers, it is their name
        return None if are_plain_numbers(names) else corner
    if (inside := _IN_BRACKETS.search(corner)) is not None and direction_of_metric(inside[1]) is not None:
        return inside[1]
    said = said_in([Around("title", corner, "")], None)
    # neg_accuracy has two meanings, so a note states that its direction is not known
    return corner if said.is_doubtful and direction_of_metric(corner) is None else said.metric or None


def classifier_names(grid: Grid, heads: list[int]) -> list[str]:
    """Return the classifier names of columns, or raise an error if a name is repeated."""
    classifiers = [header_name(grid, j) for j in heads]
    if repeated := positions_of_repeated(classifiers):
        places = {name: examples([str(heads[j] + 1) for j in at]) for name, at in repeated.items()}
        told = [f"{short(name)} is the name of the columns {columns}" for name, columns in places.items()]
        problem = f"{grid.name}: the names of classifiers must be unique, but {'; '.join(told[:3])}"
        names = tuple(repeated)
        raise TableError(problem, NUMBERED, "keep", names[0] if len(names) == 1 else names)
    return classifiers


def _wide_keys(
    grid: Grid, decimal: str, columns: dict[str, str | None], *, numbered: bool
) -> tuple[int | None, dict[str, int], list[int]]:
    """Return the dataset column, the columns of folds and repeats, and other columns to omit."""
    given = columns["dataset"]
    if given is not None:
        key: int | None = column_named(grid, given, "dataset")
    else:
        named = columns_called(grid, DATASET_COLUMNS)
        key = next((j for j in named if j < 2 or _holds_names(grid.columns[j])), None)
    runs = run_columns(grid, columns["repeat"], columns["fold"], {key})
    told = {name for name in ("repeat", "fold") if columns[name] is not None}
    runs = {
        name: j
        for name, j in runs.items()
        if name in told or is_called(grid.header[j], _ALWAYS_RUNS) or _counts(grid.columns[j], decimal)
    }
    if not any(name in runs for name in ("repeat", "fold")):
        is_known = key is not None and (key > 1 or (key == 1 and _holds_names(grid.columns[1])))
        at = key if is_known else _dataset_column(grid, decimal, given, numbered=numbered)
        return at, {}, []
    if key is None:
        first = next((j for j in range(len(grid.header)) if j not in runs.values()), 0)
        key = first if _holds_names(grid.columns[first]) else None
    if key is not None and not told:
        names = texts_of(grid.columns[key])
        if len(set(names)) == len(names) > 1:  # the column contains a constant number of folds or runs
            return key, {}, sorted(runs.values())
    return key, runs, []


def _are_names(grid: Grid, j: int) -> bool:
    """Return whether a column contains unique texts."""
    if j >= len(grid.columns) or isinstance(grid.columns[j], np.ndarray):
        return False
    names = texts_of(grid.columns[j])
    return len(set(names)) == len(names) and all(number_in(name, ".") is None for name in names)


def _holds_names(column: Any) -> bool:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return False
    return any(number_in(cell, ".") is None and number_in(cell, ",") is None for cell in column)


def _counts(column: Any, decimal: str) -> bool:
    """Return whether all cells of a column are integers."""
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
    """Read a wide table with a row for each fold or repeat. `names` contains the datasets of the rows."""
    k, datasets = len(classifiers), list(dict.fromkeys(names))
    # one row for each score, as in a long table; only the columns of the runs are used
    run_cells = {j: coded(grid.columns[j]) for j in runs.values()}
    long = replace(
        grid,
        columns=[
            CodedColumn(run_cells[j].values, np.repeat(run_cells[j].codes, k)) if j in run_cells else []
            for j in range(len(grid.columns))
        ],
        numbers=np.repeat(grid.numbers, k).tolist(),
    )
    number = {dataset: i for i, dataset in enumerate(datasets)}
    dataset_of = np.repeat([number[name] for name in names], k)
    pairs = Pairs(datasets, classifiers, dataset_of, np.tile(np.arange(k), len(names)))
    is_percent = all_with_sign(grid, values, with_sign)
    folds = fold_scores_of(long, runs, pairs, values.ravel(), decimal)
    scores = np.stack([one.scores.mean(axis=(0, 1)) for one in folds])
    return Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=is_better_greater(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=scores,
        is_percent=np.full(scores.shape, is_percent),
        computation=f"{metric}, mean over the {run_words(runs, folds)}",
        folds=folds,
    )


def _dataset_column(grid: Grid, decimal: str, dataset: str | None, *, numbered: bool) -> int | None:
    """Return the column of dataset names in a wide table, or None if there is none."""
    if dataset is not None:
        return column_named(grid, dataset, "dataset")
    first, second, *_ = *grid.header, "", ""
    if not first and is_called(second, DATASET_COLUMNS):
        return 1
    is_known = is_called(first, (*DATASET_COLUMNS, *QUESTION_COLUMNS))
    values = numbers_in(grid.columns[0], decimal) if grid.columns and not is_known else []
    if not first and values in (list(range(len(values))), list(range(1, len(values) + 1))) and _are_names(grid, 1):
        return 1  # a row number next to the names
    if not first or is_known or None in values:
        return 0
    if not grid.must_name_datasets or numbered:
        return None
    if any(value is not None and not math.isnan(value) and value % 1 for value in values):
        raise TableError(
            f"{grid.name}: no column names the datasets, and the first column, {short(first)}, holds numbers",
            "if the rows are datasets, pass {}; if they are folds or runs of one dataset, pass {folds} or "
            "{runs}; if the "
            "numbers are names, pass {dataset} with that column",
            "rows_are",
            "datasets",
        )
    return 0


def _note(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="note", sentence=sentence)
