"""Conversion of a grid of cells to scores with names, with one reader for each layout."""

from __future__ import annotations

__all__ = ["READERS", "cells_of", "holds_answers", "layout_of", "prediction_cells", "with_answers"]

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from evalstats._errors import InvalidValueError, examples, listed
from evalstats._findings import Finding, LeftOut
from evalstats._lexicon import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    GENERIC_SCORE_COLUMNS,
    ITEM_COLUMNS,
    METRIC_COLUMNS,
    PREDICTION_COLUMNS,
    SCORE_COLUMNS,
    SEED_COLUMNS,
    TRUE_AT_LAST,
    UNNAMED,
    is_called,
    simplified,
    word_list,
)
from evalstats._types import FloatArray, IndexArray
from evalstats.io.columns.cleaning import filled_down, spread_of
from evalstats.io.columns.grammar import counted
from evalstats.io.columns.kinds import BESIDE, TOLD, is_beside, role_of
from evalstats.io.columns.named_scores import refuse_scores_in_long
from evalstats.io.columns.roles import (
    checked_names,
    column_named,
    columns_called,
    columns_of,
    headers,
    key_column,
    looks_like_predictions,
    possible_clusters,
    refuse_true_labels,
    rows_at,
    rows_of_one_metric,
)
from evalstats.io.columns.summaries import names_in, rows_of_long, truths_in
from evalstats.io.layouts.candidate import (
    Candidate,
    Cells,
    Strength,
    all_with_sign,
    choose,
    is_better_greater,
    refuse_choices,
    refuse_other_metric,
    run_words,
    scores_in,
)
from evalstats.io.layouts.evidence import OF_ITEMS, are_runs_of_one_dataset, looks_long, recognized
from evalstats.io.layouts.folds import Pairs, fold_scores_of, run_columns, with_rows_of_folds
from evalstats.io.layouts.orientation import nested_order
from evalstats.io.layouts.predictions import case_numbers, predictions_of
from evalstats.io.layouts.questions import (
    DROP_CASES,
    ONE_STRATUM,
    item_cells,
    long_items,
    looks_like_items,
    questions_dropped,
)
from evalstats.io.layouts.told_rows import (
    in_same_order,
    is_of_runs,
    long_answers,
    numbered_runs,
    with_numbers_for_words,
)
from evalstats.io.layouts.wide import wide_cells
from evalstats.io.layouts.wide_predictions import FEWEST_CASES, answers_of_wide, gaps_in_answers
from evalstats.io.sources.grid import Grid, only_rows
from evalstats.io.sources.numbers import number_in
from evalstats.metrics.directions import direction_of
from evalstats.tables.categorical import GROUPINGS, coded, distinct_cells
from evalstats.tables.correct_answers import (
    METRICS_OF_RIGHT,
    answers_of_predictions,
    are_single_answers,
    is_right_or_wrong,
    predictions_of_answers,
)
from evalstats.tables.errors import TableError, short
from evalstats.tables.fold_scores import fold_scores_of_predictions
from evalstats.tables.names import text_of, texts_of
from evalstats.tables.predictions import Predictions

_Columns = dict[str, str | None]
_LABELS = (*PREDICTION_COLUMNS["y_true"], *PREDICTION_COLUMNS["y_pred"])
_RUN_IDS = word_list("columns.seed", "columns.run_id")
# maximum number of answers that are stored in addition to the predictions
MOST_ANSWERS = 1_000_000


def layout_of(grid: Grid, choices: dict[str, Any], columns: _Columns, metric: str | None = None) -> str:
    """Return the layout of a grid; the given type of its rows takes precedence."""
    if is_of_runs(choices.get("rows_are")) and choices["layout"] == "auto":
        return "long" if _has_rows_of_runs(grid, columns) else "wide"
    if choices.get("rows_are") == "datasets" and looks_long(grid):
        return "long"
    return recognized(grid, choices["layout"], columns, metric)


def cells_of(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> Cells:
    """Convert a grid to scores with the reader of its layout."""
    rows_are, same_order = choices.get("rows_are"), bool(choices.get("same_order"))
    if rows_are in ("instances", "questions"):
        grid = with_numbers_for_words(grid, columns)
        may_be_labels = rows_are == "instances" or columns["y_true"] is not None
        cells = _cells_of_instances(grid, decimal, metric, columns, choices) if may_be_labels else None
        if cells is not None:
            return cells
        told = choices.get("greater_is_better") if metric is None else True  # a metric has a direction
        own = {name: names_in(choices[name], name) for name in ("drop", "keep")}
        if (long := long_answers(grid, rows_are, decimal, columns, told, **own)) is not None:
            rest = {name: sorted(names.difference(grid.header)) or None for name, names in own.items()}
            cells = _item_grid_cells(long[0], decimal, metric, long[1], choices | rest)
            unused = [grid.header.index(one.name) for one in long[2] if columns["cluster"] is None]
            findings = (*cells.findings, *possible_clusters(grid, unused, partial(len, grid.numbers), rows_are))
            return replace(cells, left_out=(*long[2], *cells.left_out), findings=findings)
    if rows_are == "datasets":
        _refuse_labels(grid)
    layout = layout_of(grid, choices, columns, metric)
    if same_order and layout == "long" and rows_are is None and columns_called(grid, SEED_COLUMNS):
        rows_are, choices = "runs", choices | {"rows_are": "runs"}
    if same_order and layout in ("predictions", "answers"):
        grid, columns = in_same_order(grid, layout, columns)
    elif same_order and not (layout == "long" and is_of_runs(rows_are)):
        raise InvalidValueError(f"same_order is for rows of answers, folds or runs, not for {layout!r}")
    return READERS[layout](grid, decimal, metric, columns, choices)


def _refuse_labels(grid: Grid) -> None:
    """Raise an error if the rows contain true labels and predictions, so they are not datasets."""
    for j in () if grid.is_held else columns_of(grid, "y_true"):
        labels = set(map(text_of, grid.columns[j]))
        n_rows = len(grid.numbers)
        others = [i for i in range(len(grid.header)) if i != j and labels.issuperset(map(text_of, grid.columns[i]))]
        if 1 < len(labels) < n_rows and others:
            problem = (
                f"{grid.name} holds true labels in {short(grid.header[j])} and predictions in {headers(grid, others)}"
            )
            raise TableError(f"{problem}, so its rows are not datasets", "pass {}", "rows_are", "instances")


def _cells_of_instances(
    grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]
) -> Cells | None:
    """Read a wide table of labels or of correct answers. Return None for other tables, such as losses."""
    return None if looks_like_predictions(grid) else _wide_answer_cells(grid, decimal, metric, columns, choices)


def holds_answers(grid: Grid, layout: str, columns: _Columns) -> bool:
    """Return whether rows are predictions or answers to questions, so no other layout is possible."""
    if layout != "auto":
        return layout in ("predictions", "answers")
    if any(
        columns[name] is not None for name in {*PREDICTION_COLUMNS, *OF_ITEMS} - {"repeat", "fold"}
    ) or looks_like_items(grid, columns["score"]):
        return True
    if columns_called(grid, PREDICTION_COLUMNS["y_true"]):
        return True
    # "class" or "label" also names what each row of a table of scores is about
    return any(len(set(map(text_of, grid.columns[j]))) < len(grid.numbers) for j in columns_called(grid, TRUE_AT_LAST))


def _wide_grid_cells(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> Cells:
    """Read a wide table of scores or predictions. Missing cells are treated as the caller requested."""
    asked = choices.get("missing", "raise")
    if choices["layout"] != "wide" and (gaps := gaps_in_answers(grid)):
        gone = {i for i, _ in gaps}
        complete = only_rows(grid, [i for i in range(len(grid.numbers)) if i not in gone])
        cells = _cells_of_answers(complete, decimal, metric, columns, choices)
        if cells is not None and asked != DROP_CASES:
            raise _missing_answers(grid, gaps)
        if cells is not None:
            return replace(cells, findings=(*cells.findings, questions_dropped(len(gone))))
    is_told = choices["layout"] == "wide" or is_of_runs(choices.get("rows_are"))
    cells = None if is_told else _cells_of_answers(grid, decimal, metric, columns, choices)
    if cells is not None:
        return cells
    for name in GROUPINGS:
        if columns.get(name) is not None:
            raise InvalidValueError(f"{name} is for predictions and answers to questions, but {grid.name} holds scores")
    return wide_cells(grid, decimal, metric, columns, choices)


def _missing_answers(grid: Grid, gaps: list[tuple[int, int]]) -> TableError:
    are = "answer is" if len(gaps) == 1 else "answers are"
    places = examples([f"{grid.word} {grid.numbers[i]} / {grid.header[j]}" for i, j in gaps])
    problem = f"{grid.name}: {len(gaps):,} {are} missing: {places}"
    hint = "record a failed answer as incorrect, or leave out the questions with {}"
    return TableError(problem, hint, "missing", DROP_CASES)


def _cells_of_answers(
    grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]
) -> Cells | None:
    """Read a wide table of predictions. Return None if it holds scores."""
    cells = _wide_item_cells(grid, decimal, metric, columns, choices) if choices["layout"] == "auto" else None
    return cells or _wide_answer_cells(grid, decimal, metric, columns, choices)


def _wide_item_cells(
    grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]
) -> Cells | None:
    """Read a wide table of answers in benchmarks or clusters. Return None for other tables."""
    dropped = names_in(choices["drop"], "drop")
    answers = long_items(grid, dropped, columns, choices.get("greater_is_better"))
    if answers is None:
        return None
    gone = [name for name in grid.header if name in dropped]
    rest = choices | {"drop": sorted(dropped.difference(gone))}
    cells = _item_grid_cells(answers, decimal, metric, columns | {"score": answers.header[-1]}, rest)
    told = (LeftOut(what="column", name=name, reason="was excluded on request") for name in gone)
    return replace(cells, left_out=(*told, *cells.left_out))


def _wide_answer_cells(
    grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]
) -> Cells | None:
    """Read a wide table of predictions. Return None for other tables."""
    own = {name: choices[name] for name in ("drop", "keep")}
    told = choices.get("greater_is_better")
    answers = answers_of_wide(grid, decimal, columns, **own, layout=choices["layout"], greater_is_better=told)
    if answers is None:
        return None
    if not answers.has_true and told is False:
        metric, own = metric or "error_rate", {**own, "greater_is_better": None}
    named = {name: name if name in answers.grid.header else None for name in columns}
    named |= {name: columns.get(name) for name in GROUPINGS}
    cells = _long_prediction_cells(answers.grid, decimal, metric, named, choices | dict.fromkeys(own))
    cells = replace(cells, findings=(*answers.findings, *cells.findings), left_out=answers.left_out)
    return with_answers(cells, answers.grid)


def with_answers(cells: Cells, grid: Grid) -> Cells:
    """Store the correctness of each instance of column ``row``, if the table has one dataset."""
    predictions = None if cells.scored is None else cells.scored._predictions
    if predictions is None or predictions.instance is None or grid.is_held or "instance" not in grid.header:
        return cells
    size = len(predictions.y_true)
    if size > MOST_ANSWERS or len(predictions.datasets) > 1 or not is_right_or_wrong(predictions):
        return cells
    at = grid.header.index("instance")
    name_of = dict(zip(case_numbers(grid, at).tolist(), map(text_of, grid.columns[at]), strict=True))
    if size != len(name_of) * len(predictions.classifiers):  # the table contains several runs
        return cells
    return replace(cells, items=answers_of_predictions(predictions, [name_of[i] for i in range(len(name_of))]))


def _prediction_grid_cells(
    grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]
) -> Cells:
    """Read predictions in the long or the wide layout."""
    cells = None if grid.is_held else _wide_answer_cells(grid, decimal, metric, columns, choices)
    return _long_prediction_cells(grid, decimal, metric, columns, choices) if cells is None else cells


def _long_prediction_cells(
    grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]
) -> Cells:
    of_predictions = {name: column for name, column in columns.items() if name != "score"}
    predictions = predictions_of(grid, decimal, choices["pos_label"], of_predictions)
    return prediction_cells(predictions, metric, choices | {"pos_label": None}, grid.name)


def prediction_cells(
    predictions: Predictions, metric: str | None, choices: dict[str, Any], name: str = "the predictions"
) -> Cells:
    """Convert predictions to scores. Reject options that apply only to tables."""
    if choices["pos_label"] is not None:
        raise InvalidValueError("pos_label must be given to read_predictions, not together with its result")
    refuse_choices(choices, "predictions")
    if choices["undefined"] == "nan":
        raise InvalidValueError("undefined must be 'raise' or 'zero' or 'skip' for a table of scores, not 'nan'")
    # all metrics, a quarter of the time of the import
    from evalstats.tables.prediction_scores import score_predictions, usual_name

    if metric is not None and usual_name(metric) not in METRICS_OF_RIGHT and is_right_or_wrong(predictions):
        raise InvalidValueError(
            f"metric must be {' or '.join(METRICS_OF_RIGHT)} for answers that are correct or incorrect, not "
            f"{short(metric)}: "
            "it needs the true and the predicted labels"
        )
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
        findings=predictions.findings,
        format=predictions.format,
    )


def _has_rows_of_runs(grid: Grid, columns: _Columns) -> bool:
    """Return whether a column of classifiers repeats its names, so each fold or run has its own row."""
    given = columns["classifier"]
    at = columns_called(grid, CLASSIFIER_COLUMNS) if given is None else [column_named(grid, given, "classifier")]
    names = [texts_of(grid.columns[j]) for j in at]
    return given is not None or any(
        len(set(own)) < len(own) and any(number_in(name, ".") is None for name in own) for own in names
    )


def _is_of_one_dataset(grid: Grid, dataset: str | None, rows_are: str | None) -> bool:
    """Return whether a long table holds folds or runs of one dataset, without a column of datasets."""
    if dataset is not None or columns_called(grid, DATASET_COLUMNS):
        return False
    return is_of_runs(rows_are) or are_runs_of_one_dataset(grid)


def _long_cells(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> Cells:
    refuse_choices(choices, "long")
    if _is_of_one_dataset(grid, columns["dataset"], choices.get("rows_are")):
        grid = replace(grid, header=[*grid.header, "dataset"], columns=[*grid.columns, ["dataset"] * len(grid.numbers)])
    d = key_column(grid, columns["dataset"], "dataset", DATASET_COLUMNS)
    c = key_column(grid, columns["classifier"], "classifier", CLASSIFIER_COLUMNS)
    grid, columns = numbered_runs(grid, (d, c), columns, choices)
    m = next((j for j, name in enumerate(grid.header) if j not in (d, c) and is_called(name, METRIC_COLUMNS)), None)
    if m is not None:
        grid, metric = rows_of_one_metric(grid, m, metric)
    by_fold: tuple[LeftOut, ...] = ()
    told: tuple[Finding, ...] = ()
    if all(columns[name] is None for name in ("score", "repeat", "fold")):
        grid, by_fold, told = with_rows_of_folds(grid, [j for j in (d, c, m) if j is not None], metric)
        d, c, m = (0, 1, None if m is None else 2) if told else (d, c, m)
    columns_of_names = {j: coded(grid.columns[j]) for j in (d, c)}
    grid = replace(grid, columns=[columns_of_names.get(j, column) for j, column in enumerate(grid.columns)])
    grid, told = filled_down(grid, (d, c), told)
    runs = _runs_in(grid, columns, {d, c, m}, choices.get("rows_are"))
    whole, (grid, left_out) = grid, rows_of_long(grid, (d, c), choices["drop"], choices["keep"], runs.values())
    if not len(grid.numbers):
        raise TableError(f"{grid.name} has no row of scores")
    s = _score_column(grid, columns["score"], metric, {d, c, m, *runs.values()}, has_metrics=m is not None)
    refuse_scores_in_long(whole, (d, c), s, decimal, left_out)
    left_out += tuple(_beside(grid, s, {d, c, m, *runs.values()}, is_told=columns["score"] is not None))
    metric = _metric_of_column(grid, s, metric, choices, has_metrics=m is not None)
    if not runs and columns["dataset"] is None and choices["layout"] == "auto":
        _choose_meaning(grid, d, s)
    (datasets, dataset_of), (classifiers, classifier_of) = (
        checked_names(grid, j, what) for j, what in ((d, "dataset"), (c, "classifier"))
    )
    if columns["dataset"] is None and columns["classifier"] is None and nested_order(classifiers, datasets):
        raise _exchanged(grid, d, c)
    _check_pairs(grid, pairs := Pairs(datasets, classifiers, dataset_of, classifier_of), once=not runs)
    at, shape = (dataset_of, classifier_of), (len(datasets), len(classifiers))
    scores, is_percent, numbers = np.full(shape, math.nan), np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.intp)
    scores[at], is_percent[at] = values, with_sign = scores_in(grid, s, decimal, "long")
    lines = grid.numbers
    numbers[at] = np.arange(lines.start, lines.stop, lines.step) if isinstance(lines, range) else lines
    folds = fold_scores_of(grid, runs, pairs, values, decimal) if runs else ()
    if runs:
        is_percent[:] = all_with_sign(grid, values, with_sign)
        scores = np.stack([one.scores.mean(axis=(0, 1)) for one in folds])
    return Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=is_better_greater(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=scores,
        is_percent=is_percent,
        word=grid.word,
        noise=grid.noise_at([s]),
        numbers=numbers,
        computation=f"{metric}, mean over the {run_words(runs, folds)}" if runs else "",
        folds=folds,
        left_out=(*by_fold, *left_out),
        findings=told,
        spread=None if runs else _spread_beside(grid.columns[s], at, shape),
    )


def _runs_in(grid: Grid, columns: _Columns, others: set[int | None], rows_are: str | None) -> dict[str, int]:
    """Return the columns of repeats and folds."""
    runs = run_columns(grid, columns["repeat"], columns["fold"], others)
    if rows_are == "datasets" and runs:
        names = listed([grid.header[j] for j in runs.values()])
        raise InvalidValueError(f"rows_are='datasets' contradicts {names}, which names folds or runs")
    return runs


def _spread_beside(column: Any, at: tuple[IndexArray, IndexArray], shape: tuple[int, int]) -> FloatArray | None:
    """Return the spreads in the cells of a score column, by dataset and classifier, or None if there are none."""
    beside = spread_of([column])
    if beside is None:
        return None
    spread = np.full(shape, math.nan)
    spread[at] = beside[:, 0]
    return spread


def _choose_meaning(grid: Grid, dataset: int, score: int) -> None:
    """Raise an error if correct and incorrect answers may belong to questions or to datasets."""
    column = grid.columns[score]
    said = truths_in(column) if len(distinct_cells(grid.columns[dataset]).values) >= FEWEST_CASES else None
    if said != {True, False}:
        return
    right = (Strength.STRONG, f"all cells of {short(grid.header[score])} are correct or incorrect")
    named = (Strength.STRONG, f"{short(grid.header[dataset])} is a typical name of a column of datasets")
    choose(
        grid.name,
        [
            Candidate("rows_are", "questions", "answers to questions", (right,)),
            Candidate("rows_are", "datasets", "scores of datasets", (named,)),
        ],
    )


def _item_grid_cells(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> Cells:
    """Read answers to questions; if all answers are correct or incorrect, read them as predictions."""
    if (of_wide := _wide_item_cells(grid, decimal, metric, columns, choices)) is not None:
        return of_wide
    if columns["question"] is None and not columns_called(grid, ITEM_COLUMNS):
        item = next((grid.header[j] for j in columns_called(grid, DATASET_COLUMNS)), None)
        columns = columns | {"question": item}  # a task, or a problem, that is said to be a question
    cells = item_cells(grid, decimal, metric, columns, choices)
    items, told = cells.items, choices.get("greater_is_better")
    if items is None or not are_single_answers(items):
        return cells
    is_right = cells.greater_is_better if told is None else bool(told)
    (name,) = cells.datasets
    predictions = predictions_of_answers(
        items,
        UNNAMED["dataset"] if name == ONE_STRATUM else name,
        cells.classifiers,
        greater_is_better=is_right,
        source=cells.file,
    )
    found = prediction_cells(predictions, None if is_right else "error_rate", dict.fromkeys(choices), cells.name)
    score, item = (short(items.columns[name]) for name in ("score", "question"))
    words = (
        f"Each row is the answer of a classifier to an instance: 1 in {score} means "
        f"{'correct' if is_right else 'incorrect'}"
    )
    finding = Finding(code="cases", severity="note", sentence=f"{words}; {item} names the instance.")
    return replace(
        found,
        findings=(finding, *cells.findings),
        left_out=cells.left_out,
        items=answers_of_predictions(predictions, items.questions),
    )


READERS = {
    "answers": _item_grid_cells,
    "wide": _wide_grid_cells,
    "long": _long_cells,
    "predictions": _prediction_grid_cells,
}


def _exchanged(grid: Grid, d: int, c: int) -> TableError:
    return TableError(
        f"{grid.name}: column {short(grid.header[d])} holds names of classifiers and column "
        f"{short(grid.header[c])} holds names of datasets",
        "name the columns, for example with {} and {classifier}",
        "dataset",
        grid.header[c],
    )


def _metric_of_column(
    grid: Grid, column: int, metric: str | None, choices: dict[str, Any], *, has_metrics: bool
) -> str:
    """Return the metric of a column of scores: from its own name, or from the column of metrics.

    If a column of metrics says roc_auc and the column of scores is named metric_error, the scores are errors.
    """
    header = grid.header[column]
    if metric is None:
        return "score" if is_called(header, GENERIC_SCORE_COLUMNS) or role_of(header) == "mean" else header
    if not has_metrics:
        refuse_other_metric(grid, header, metric, choices.get("greater_is_better"))
    if not has_metrics or direction_of(header) in (None, direction_of(metric)):
        return metric
    return header


def _check_pairs(grid: Grid, pairs: Pairs, *, once: bool) -> None:
    n, k = len(pairs.datasets), len(pairs.classifiers)
    if once and (repeated := pairs.repeated()):
        places = examples([f"{short(d)} / {short(c)} ({rows_at(grid, at)})" for (d, c), at in repeated.items()])
        problem = f"{grid.name}: each classifier must have one score on each dataset, but these have several: {places}"
        if seeds := [name for name in grid.header if simplified(name) in _RUN_IDS]:
            raise TableError(problem, "if each score belongs to a different run, pass {}", "repeat", seeds[0])
        hint = "if they belong to folds or runs, name their column with {fold} or {repeat}, or pass {} or {runs}"
        raise TableError(problem, hint, "rows_are", "folds")
    n_scores = len(pairs.dataset_of)
    if n * k > max(1_000_000, 100 * n_scores):  # a column of other things would fill the memory
        problem = f"{grid.name} has {n:,} datasets and {k:,} classifiers, but only {n_scores:,} scores"
        raise TableError(problem, "check which columns name them")


def _with_numbers(grid: Grid, columns: list[int]) -> list[int]:
    """Return the columns that contain a number, or [] if these columns only number the instances."""
    found = [j for j in columns if _has_a_number(grid.columns[j])]
    return [] if all(is_called(grid.header[j], PREDICTION_COLUMNS["instance"]) for j in found) else found


def _beside(grid: Grid, score: int, others: set[int | None], *, is_told: bool) -> Iterator[LeftOut]:
    """Yield omitted columns with other numbers, such as times, spreads and metrics that were not requested."""
    for j, name in enumerate(grid.header):
        if j == score or j in others or not name or not _has_a_number(grid.columns[j]):
            continue
        role = role_of(name)
        if role in BESIDE:
            yield LeftOut(what="column", name=name, reason=f"contains the {TOLD.get(role, role)} of the scores")
        elif not is_told and direction_of(name) is not None:
            yield LeftOut(what="column", name=name, reason=f"is a different metric from {grid.header[score]}")


def _has_a_number(column: Any) -> bool:
    """Return whether a column contains a number that is not nan."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return bool(np.isfinite(column).any())
    values = (number_in(cell, mark) for cell in distinct_cells(column).values for mark in ".,")
    return any(value is not None and not math.isnan(value) for value in values)


def _score_column(
    grid: Grid, score: str | None, metric: str | None, others: set[int | None], *, has_metrics: bool
) -> int:
    if score is not None:
        return column_named(grid, score, "score")
    rest = [j for j, name in enumerate(grid.header) if name and j not in others]
    rest = [j for j in rest if not is_called(grid.header[j], ITEM_COLUMNS)] or rest
    named = [j for j in rest if metric is not None and is_called(grid.header[j], [simplified(metric)])]
    if not named and counted([grid.header[j] for j in rest], of_columns=True):
        problem = (
            f"{grid.name}: the names {headers(grid, rest)} only number the columns, which may hold folds or repeats"
        )
        hint = "rename them to fold_1 ... or repeat_1 ... if they do, or choose one, for example {}"
        raise TableError(problem, hint, "score", grid.header[rest[0]])
    known = [j for j in rest if is_called(grid.header[j], SCORE_COLUMNS)]
    means = [j for j in rest if role_of(grid.header[j]) == "mean"]
    described = word_list("summaries.described", "summaries.described_ends")  # in addition to the mean
    is_beside_spreads = all(
        role_of(grid.header[j]) in ("spread", "number") or grid.header[j] in described for j in rest if j not in means
    )
    for called in (named, known, means if is_beside_spreads else [], rest):
        found = called if len(called) < 2 else _with_numbers(grid, called) or called
        if len(found) > 1:
            found = [j for j in found if role_of(name := grid.header[j]) not in BESIDE and not is_beside(name)] or found
        if len(found) == 1 and is_called(grid.header[found[0]], _LABELS):
            problem = f"{grid.name}: {headers(grid, found)} has the name of labels, but there are no scores"
            raise TableError(problem, "give the true and the predicted labels of each instance, in y_true and y_pred")
        if len(found) == 1:
            return found[0]
        if found:
            refuse_true_labels(grid, others)
            metrics = [j for j in found if direction_of(grid.header[j]) is not None]
            # --metric chooses rows if a column holds the metrics
            asked, option = (metrics, "metric") if metrics and not has_metrics else (found, "score")
            told = headers(grid, asked if len(asked) > 1 else found)
            problem = f"{grid.name}: any of the columns {told} may hold the scores"
            raise TableError(problem, "choose one, for example {}", option, grid.header[asked[0]])
    raise TableError(f"{grid.name}: none of the columns {headers(grid)} holds scores")
