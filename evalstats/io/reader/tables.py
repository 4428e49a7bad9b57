"""Reader of tables of scores from any source.

Every source, such as text, Excel, Parquet, a data frame or an array, is first converted to a grid of cells. The reader
of its layout then interprets the cells.
"""

from __future__ import annotations

__all__ = ["read_table", "reading_of", "refuse_late"]

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, did_you_mean, examples, listed
from evalstats._findings import Finding
from evalstats._lexicon import PREDICTION_COLUMNS
from evalstats._types import BoolArray, FloatArray
from evalstats.io.columns import cleaning
from evalstats.io.columns.grammar import settings_finding
from evalstats.io.columns.roles import of_melted, with_crossed_subgroups
from evalstats.io.columns.rules import refuse_table
from evalstats.io.columns.summaries import names_in
from evalstats.io.columns.surroundings import Said, said_in, unknown_metric
from evalstats.io.engines.wide import counted_or_read
from evalstats.io.formats.format import Found
from evalstats.io.formats.recognition import ONLY_COUNTED, found_in
from evalstats.io.layouts.candidate import Cells, complete_folds, refuse_words_of_losses, without_summaries
from evalstats.io.layouts.choice import READERS, cells_of, holds_answers, layout_of, prediction_cells, with_answers
from evalstats.io.layouts.held_out_rows import held_rows_of_new_data, rows_of_new_data
from evalstats.io.layouts.orientation import one_level, refuse_unsaid_order, with_resamples, with_runs_behind_names
from evalstats.io.layouts.questions import DROP_CASES, FILLED
from evalstats.io.layouts.told_rows import ROWS, layout_of_rows
from evalstats.io.options import Asked, given_together, group_of, parsing_of
from evalstats.io.reader.opening import open_source
from evalstats.io.reader.predictions import predictions_in
from evalstats.io.reader.saved_records import held_by, of_own_rows, table_of_record
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import NO_NUMBER
from evalstats.metrics.directions import direction_of, direction_of_metric, is_negated_loss, names_no_metric
from evalstats.tables.correct_answers import is_right_or_wrong
from evalstats.tables.errors import GROUPS, TableError, short
from evalstats.tables.names import text_of, two_writings
from evalstats.tables.predictions import Predictions
from evalstats.tables.score_checks import range_findings, small_scores, value_findings
from evalstats.tables.score_table import ScoreTable, names_of_cells

LAYOUTS = ("auto", "wide", "long", "predictions", "answers")
MANY_LOST = 0.25  # maximum proportion of dropped datasets, above which another option is suggested first
FEWEST_COUNTS = 6  # numbers that may be counts; fewer may be whole by chance
MISSING = ("raise", "drop-datasets", "drop-folds", "drop-instances", "skillings-mack", "zero", "worst")
OF_QUESTIONS = ("raise", DROP_CASES, *FILLED)


def read_table(
    source: Any,
    *,
    format: str = "auto",
    layout: str = "auto",
    columns: Mapping[str, str | None] | None = None,
    parsing: Mapping[str, Any] | None = None,
    metric: str | None = None,
    unit: str = "",
    greater_is_better: bool | None = None,
    missing: str = "raise",
    drop: Any = None,
    keep: Any = None,
    rows_are: str | None = None,
    same_order: bool = False,
    pos_label: Any = None,
    aggregate: str | None = None,
    undefined: str | None = None,
) -> ScoreTable:
    r"""Read scores of classifiers on datasets, or compute them from predictions.

    Parameters
    ----------
    source : str, path-like, file object, data frame, dict, array_like, ScoreTable or Predictions
        - A path or an open file: Parquet and Excel (.xlsx) are recognized by their first bytes; other files are read as
          text, such as CSV. Excel needs openpyxl, and Parquet needs pyarrow.
        - The directory of a study (`evalstats.run_study`).
        - A data frame: pandas, polars, Dask, Spark, Ibis or any other that narwhals supports. A relation of DuckDB, an
          Arrow table, a labeled array of xarray and a dict of columns are also accepted. evalstats can count the
          predictions in these sources without loading all rows.
        - A directory of predictions in Parquet, CSV or JSON lines, or a pattern of file names such as ``'runs/*.csv'``.
        - Any other directory: its only table, or several tables with the same columns. The names of several files can
          identify classifiers, datasets, folds or runs.
        - An array of shape (n_datasets, n_classifiers): the names are ``'dataset 1'``, ``'classifier 1'`` and so on.
        - A ScoreTable: returned with `metric`, `unit` and `greater_is_better` replaced if they are given.
        - A result of `evalstats.read_predictions`.
        - Output of another program, in one of the formats that `evalstats.io.known_formats` lists.
    format : str, default: 'auto'
        A program, such as ``'weka'``, or one kind of its results, such as ``'weka-csv'``: `evalstats.io.known_formats`
        lists them. ``'auto'`` recognizes the format, unless `layout` or columns that the format does not accept are
        given. ``'table'`` reads a plain table without recognition.
    layout : {'auto', 'wide', 'long', 'predictions', 'answers'}, default: 'auto'
        ``'wide'``: one row per dataset. The first column names the datasets, and each other column is a classifier. In
        a pandas frame, the index names the datasets. If the index contains only row numbers, the first column names the
        datasets if it is text. Integers in a first column with a name of folds or repeats (``'fold'``, ``'run'``)
        identify folds or repeats. They belong to one dataset, or to each dataset if there is a column of datasets.
        ``'long'``: one row per dataset and classifier. Rows are paired by their names, not by their order. Datasets and
        classifiers are sorted by name, so the order of the rows has no effect. ``'predictions'``: one row per instance,
        dataset and classifier, with true and predicted labels or scores. `metric` is computed over the folds. Columns
        are recognized as in `evalstats.read_predictions`. ``'answers'``: one row per answer of a model to a question of
        a benchmark. The answer is correct or incorrect, or has a score. Examples of the columns are ``model``,
        ``benchmark``, ``question_id``, ``sample`` and ``correct``. The scores are the means over the questions of each
        benchmark, and `evalstats.compare` compares the models question by question.

        ``'auto'`` recognizes columns by their names. It selects ``'answers'`` if there are columns of classifiers,
        questions and answers, but not of true labels. It selects ``'predictions'`` if there are columns of datasets,
        classifiers, true labels, and predicted labels or scores. It selects ``'long'`` if `classifier` or `score` is
        given, or if there are columns of datasets and classifiers. In all other cases, it selects ``'wide'``.
    columns : dict of str to str, optional
        Names of the columns that are not recognized, by their content: ``{'dataset': 'task', 'score': 'acc'}``.

        - ``'dataset'``, ``'classifier'``: the names of the datasets (in all layouts) and of the classifiers (in long
          tables and predictions). ``'score'``: the scores (in long tables).
        - ``'repeat'``, ``'fold'``: the repeats and the folds of a cross-validation, for scores and predictions.
        - ``'instance'``, ``'y_true'``, ``'y_pred'``, ``'y_score'``: for predictions; see `evalstats.read_predictions`.
        - ``'question'``, ``'cluster'``, ``'stratum'``: for answers to questions: the question, the cluster of
          correlated questions (a passage, a document, a user), and the benchmark. For predictions, ``'cluster'`` is the
          cluster of correlated instances, such as the images of a patient.
        - ``'subgroup'``: for predictions and answers: the subgroup of each instance or question, such as its language;
          several columns, separated by commas, give their combinations.
    parsing : dict, optional
        Options for reading a file, such as ``{'decimal': ',', 'sheet': 'results'}``.

        - ``'delimiter'``: the character between the fields of a text file. By default, the most frequent of tab,
          semicolon, comma and ``|`` in the header line outside quotes (for ties, the first of them).
        - ``'decimal'``: ``'.'`` or ``','``, the decimal mark of numbers in text. By default, or with ``'auto'``, the
          decimal mark is recognized. It is the comma if fields have a different separator and no number has a point. In
          addition, some number must have a comma that does not separate thousands. In all other cases, it is the point.
        - ``'thousands'``: ``','``, ``'.'``, ``"'"`` or ``' '`` (any space), the separator of thousands. By default, it
          is recognized if it is certain, as in ``3,009.5``.
        - ``'encoding'``: the encoding of a text file, by default ``'utf-8'``. A byte order mark is skipped.
        - ``'sheet'``: the sheet of an Excel file. Default: the only sheet that holds a table. With ``'*'``, all sheets
          that hold a table are read together. The sheet names then identify classifiers, datasets, folds or repeats.
        - ``'rows'``: the first and the last line or row of the table, such as ``'3-15'``, ``'3-'`` or ``'-15'``. By
          default, titles above the table and notes below it are recognized.
        - ``'header_rows'``: 0, 1 or 2 rows that name the columns. By default, the number is detected automatically.
          With 0, the classifiers are ``'classifier 1'`` and so on.
        - ``'transpose'``: for a wide table: True if its rows are classifiers and its columns datasets. By default, rows
          are classifiers if the corner cell says so (``'classifier'``, ``'model'``, ``'method'``). In all other cases,
          rows are datasets.
        - ``'n_folds'``: number of folds in each repeat of a cross-validation, for formats that only count the splits
          (scikit-learn).
    metric : str, optional
        Name of the metric. In a long table with several score columns, or with a column of metrics, the name selects
        the scores. For predictions, it is the metric to compute (see `evalstats.score_predictions`). If a table names
        no metric, `metric` is the name of its metric. A name that contradicts the table is rejected, unless
        `greater_is_better` is given.
    unit : str, default: ''
        The unit of the scores. If all cells have the form ``93.1%``, the unit is ``'%'`` by default.
    greater_is_better : bool, optional
        The direction of the metric. By default, the words in its name determine it (``'test error (%)'``,
        ``'neg_log_loss'``, ``'AUC'``). If no metric is named (``'score'``, ``'value'``), higher is better. If the
        metric is unknown, higher is assumed to be better, and a note states this assumption. The direction is required
        for answers in columns that have names of losses, such as ``'error_a'``, because 1 may be an incorrect answer.
    missing : str, default: 'raise'
        Treatment of empty cells, ``NA``, ``N/A``, ``NaN``, ``null``, ``None``, ``-`` and ``?``, and of pairs of dataset
        and classifier that a long table lacks. ``'raise'`` raises an error that lists the missing scores.
        ``'drop-datasets'`` excludes their datasets and records the names of these datasets. ``'skillings-mack'`` keeps
        the other scores, for the test of Skillings & Mack in `evalstats.compare`. `missing` of the table lists the
        missing cells, and only datasets with fewer than two scores are excluded. A score that is a mean over folds is
        missing if the score of one fold is missing. In this case, the scores of the folds are not kept.
        ``'drop-folds'`` excludes each fold (or each repeat, if there are several) that lacks a score of a classifier.
        ``'drop-instances'`` excludes the questions that lack a score of a model, for answers to questions and for logs
        of evaluation programs. Other missing scores raise an error. For logs of evaluation programs, ``'zero'`` counts
        a missing score as 0, as in ``trec_eval -c``, and ``'worst'`` counts it as the worst score of its benchmark.
    drop, keep : str or sequence of str, optional
        Rows and columns to leave out, and rows and columns to keep. A row or column to keep may have the name of a
        summary (``'Average'``, ``'Rank'``, ``'W/T/L'``) or of a description of the datasets (``'n_train'``, ``'id'``).
        Names of classifiers or datasets that repeat are numbered if they are kept: ``'LR'``, ``'LR (2)'``.
    rows_are : {'datasets', 'folds', 'runs', 'instances', 'questions'}, optional
        Type of the rows, if neither their names nor the names of the columns show the type. ``'datasets'``: one row per
        dataset. ``'folds'``: the folds of one dataset, or of each dataset. ``'runs'``: runs with different seeds on one
        training and test set. ``'instances'``: the instances of a test set. ``'questions'``: the questions of a
        benchmark. In a transposed table, whose rows are classifiers, this argument is the type of the columns. Rows
        without names are numbered.
    same_order : bool, default: False
        Whether the rows of all classifiers are in the same order, so that rows are paired by position. Use this
        argument for files without a column that names the instances, the questions, the folds or the runs.
    pos_label : label or dict of str to label, optional
        For predictions: the positive label (see `evalstats.read_predictions`).
    aggregate, undefined : str, optional
        For predictions: the aggregation over the folds, and the treatment of an undefined score (0/0), as in
        `evalstats.score_predictions`. A table cannot hold undefined scores, so ``'nan'`` is not allowed for a table.

    Returns
    -------
    ScoreTable

    Raises
    ------
    TableNotFoundError
        If the file does not exist. This error is also a FileNotFoundError.
    TableError
        If the source is not a table of scores. This error is also a ValueError. If a cell is invalid, the
        message names the file, the line, the column and the value.
    InvalidTypeError
        If the type of the source is not supported.

    Examples
    --------
    >>> import io
    >>> from evalstats.io.reader.tables import read_table
    >>> table = read_table(io.StringIO("dataset;NB;SVM\niris;93,1;95,0\nglass;70,5;71,2\n"), parsing={"decimal": ","})
    >>> table.classifiers
    ('NB', 'SVM')
    >>> table.scores
    array([[93.1, 95. ],
           [70.5, 71.2]])

    One row per dataset and classifier, in any order:

    >>> rows = {"model": ["b", "a", "a", "b"], "data": ["x", "y", "x", "y"], "error": [0.2, 0.3, 0.1, 0.4]}
    >>> table = read_table(rows)
    >>> table.classifiers, table.metric, table.greater_is_better
    (('a', 'b'), 'error', False)
    >>> table.scores
    array([[0.1, 0.2],
           [0.3, 0.4]])

    One row per instance: F1 from the counts summed over the folds.

    >>> rows = {"data": ["x"] * 4, "model": ["a"] * 4, "fold": [1, 1, 2, 2]}
    >>> table = read_table({**rows, "y_true": [1, 0, 1, 0], "y_pred": [1, 0, 0, 0]}, metric="f1")
    >>> table.scores.round(3), table.computation
    (array([[0.667]]), 'F1 of the positive label 1, from TP, FP and FN summed over the folds')
    """
    _checks.choice(layout, "layout", LAYOUTS)
    _checks.choice(missing, "missing", MISSING)
    if metric is not None:
        _checks.text(metric, "metric")
    _checks.text(unit, "unit")
    source = held_by(source)
    roles = group_of("columns", columns)
    opened = parsing_of(parsing)
    choices: dict[str, Any] = {"aggregate": aggregate, "undefined": undefined, "pos_label": pos_label}
    choices |= {"layout": layout, "transpose": opened.pop("transpose")}
    choices |= {"drop": drop, "keep": keep, **_told_of_rows(rows_are, same_order, layout)}
    if both := names_in(drop, "drop") & names_in(keep, "keep"):
        raise InvalidValueError(f"drop and keep must name different rows or columns, not both {listed(sorted(both))}")
    late = {**roles, **(parsing or {})}
    late["format"] = None if _checks.text(format, "format") == "auto" else format
    _refuse_after_reading(source, late, choices)
    if isinstance(source, ScoreTable):
        return _overridden(source, metric, unit, greater_is_better, missing)
    if isinstance(source, Predictions):
        return _table_of(prediction_cells(source, metric, choices), missing, unit, greater_is_better)
    decimal, n_folds = opened.pop("decimal"), opened.pop("n_folds")
    choices |= {"thousands": opened.pop("thousands")}
    seen = open_source(source, **opened)
    asked = Asked(
        metric=metric,
        greater_is_better=greater_is_better,
        columns=roles,
        n_folds=n_folds,
        pos_label=pos_label,
        missing=missing,
        transpose=choices["transpose"],
        as_items=aggregate is None and undefined is None and missing in OF_QUESTIONS,
    )
    if found := found_in(seen, format if choices["layout"] == "auto" and rows_are is None else "table", asked):
        choices |= {"greater_is_better": greater_is_better}
        return _table_of(_cells_of(found, choices, decimal), missing, unit or found.unit, greater_is_better)
    if n_folds is not None:
        raise InvalidValueError(
            f"{ONLY_COUNTED}, but {seen.name} is a plain table; name its columns of folds and repeats"
        )
    held = seen.grid if seen.grid.record is None else table_of_record(seen.grid)
    if isinstance(held, ScoreTable):
        return _overridden(held, metric, unit, greater_is_better, missing)
    held, roles["subgroup"] = with_crossed_subgroups(held, roles["subgroup"])
    choices |= {"missing": missing, "greater_is_better": greater_is_better}
    cells = counted_or_read(held, lambda grid: _cells_of_grid(grid, decimal, metric, roles, choices))
    if metric is None and greater_is_better is None:
        cells, told_unit = _with_words_around(held, cells)
        unit = unit or _written_unit(cells) or told_unit
    return _table_of(cells, missing, unit, greater_is_better)


def _told_of_rows(rows_are: str | None, same_order: bool, layout: str) -> dict[str, Any]:
    """Check the given type of the rows, and return it with the layout that follows from it."""
    if rows_are is not None:
        _checks.choice(rows_are, "rows_are", ROWS)
    is_same = _checks.boolean(same_order, "same_order") or None
    return {"rows_are": rows_are, "same_order": is_same, "layout": layout_of_rows(rows_are, layout)}


def _refuse_after_reading(source: Any, reading: dict[str, Any], choices: dict[str, Any]) -> None:
    """Reject parsing arguments for a table or predictions that were already read."""
    of_predictions = ("aggregate", "undefined", "pos_label")
    late = reading | {name: value for name, value in choices.items() if name not in ("layout", *of_predictions)}
    if isinstance(source, ScoreTable):
        late |= {name: choices[name] for name in of_predictions}
    if isinstance(source, ScoreTable | Predictions):
        refuse_late({name: value for name, value in late.items() if value is not None})


def _cells_of_held(
    grid: Grid, decimal: str, metric: str | None, columns: dict[str, str | None], choices: dict[str, Any]
) -> Cells:
    """Read a table that an engine holds, without a search for decoration: no rows are fetched."""
    layout = layout_of(grid, choices, columns, metric)
    if choices["layout"] != "wide":
        grid = (held_rows_of_new_data if layout == "predictions" else rows_of_new_data)(grid, columns.values())
    cells = cells_of(grid, decimal, metric, columns, choices)
    cells = without_summaries(cells, names_in(choices["keep"], "keep"))
    return replace(cells, findings=(*grid.findings, *cells.findings))


def _cells_of_grid(
    grid: Grid, decimal: str, metric: str | None, columns: dict[str, str | None], choices: dict[str, Any]
) -> Cells:
    """Read a plain table; if an engine holds it and its numbers are decorated, read it cell by cell."""
    if grid.is_held:
        try:
            if choices["thousands"] is None:
                return _cells_of_held(grid, "." if decimal == "auto" else decimal, metric, columns, choices)
        except TableError as error:
            if error.code != NO_NUMBER:
                raise
        grid = replace(grid, columns=list(grid.columns))
    return _cells_in_memory(grid, decimal, metric, columns, choices)


def _cells_in_memory(
    grid: Grid, decimal: str, metric: str | None, columns: dict[str, str | None], choices: dict[str, Any]
) -> Cells:
    """Read a plain table after the decoration of its numbers was removed."""
    thousands = choices["thousands"]
    grid = with_resamples(grid)
    if choices["layout"] == "auto" and choices["keep"] is None:
        grid = with_runs_behind_names(grid)
    if choices["layout"] != "wide":
        grid = of_melted(grid, columns.values())
    refuse_unsaid_order(grid, choices["transpose"])
    has_answers = holds_answers(grid, choices["layout"], columns)
    if choices["layout"] == "auto" and choices["drop"] is None and choices["rows_are"] is None:
        refuse_table(grid, has_answers=has_answers)
    if has_answers:  # labels are not decorated, and rows of labels are not headings
        grid, decimal = (
            (grid, decimal) if thousands is None else cleaning.with_plain_thousands(grid, decimal, thousands)
        )
        grid, decimal = (
            (grid, decimal) if decimal != "auto" else cleaning.with_decimal(grid, cleaning.text_of_columns(grid))
        )
    else:
        grid, decimal = cleaning.plain_grid(cleaning.without_headings(grid), decimal, thousands)
    if choices["layout"] != "wide":
        grid = rows_of_new_data(grid, columns.values())
    grid, aggregate = of_own_rows(grid, choices["aggregate"])
    grid, metric = one_level(grid, metric, decimal, choices["rows_are"])
    cells = cells_of(grid, decimal, metric, columns, choices | {"aggregate": aggregate})
    if choices["layout"] != "wide":
        cells = without_summaries(cells, names_in(choices["keep"], "keep"))
    told = (*grid.findings, *cleaning.failed_runs(grid))
    return replace(cells, findings=(*told, *cells.findings)) if told else cells


def _table_of(cells: Cells, missing: str, unit: str, greater_is_better: bool | None) -> ScoreTable:
    """Convert cells to a table; drop the datasets with too few scores."""
    if cells.scored is not None:
        _refuse_direction(cells.metric, greater_is_better, is_computed=cells.greater_is_better)
    if missing == "drop-folds" and cells.folds:
        cells = complete_folds(cells)
    kept, dropped = _kept(cells, missing)
    scores = cells.scores if kept.all() else cells.scores[kept]
    datasets = tuple(itertools.compress(cells.datasets, kept))
    lacking = names_of_cells(np.isnan(scores), datasets, cells.classifiers)
    if greater_is_better is None and cells.scored is None and all(one.code != "words-around" for one in cells.findings):
        _refuse_opposite_sign(cells, scores)
    is_unsaid = greater_is_better is None and cells.scored is None and not cells.format
    told = () if cells.format else settings_finding(cells.classifiers)
    # the direction of losses and ranks is known
    unknown = unknown_metric(cells.metric, cells.classifiers) if is_unsaid and cells.greater_is_better else ()
    doubted = small_scores(scores, cells.metric) if is_unsaid and names_no_metric(cells.metric) else ()
    unit = unit or _written_unit(cells)
    wrong = range_findings(scores, datasets, cells.classifiers, cells.metric, unit)
    return ScoreTable(
        scores=scores,
        folds=() if lacking else tuple(itertools.compress(cells.folds, kept)),
        answers=cells.items,
        _scored=None if lacking or cells.scored is None else cells.scored.select(datasets, cells.classifiers),
        datasets=datasets,
        classifiers=cells.classifiers,
        metric=cells.metric,
        unit=unit,
        greater_is_better=cells.greater_is_better if greater_is_better is None else greater_is_better,
        dropped=dropped,
        missing=lacking,
        source=cells.file,
        computation=cells.computation,
        left_out=cells.left_out,
        spread=None if cells.spread is None else cells.spread[kept],
        findings=(
            *cells.findings,
            *told,
            *(_two_writings(cells) if lacking or dropped else ()),
            *value_findings(scores, datasets, cells.classifiers),
            *wrong,
            *doubted,
            *unknown,
        ),
        noise=cells.noise,
        format=cells.format,
    )


def _refuse_direction(metric: str, greater_is_better: bool | None, *, is_computed: bool) -> None:
    """Reject a direction that contradicts a metric that is computed from predictions."""
    if isinstance(greater_is_better, bool) and greater_is_better != is_computed:
        order = "higher" if is_computed else "lower"
        problem = (
            f"greater_is_better={greater_is_better} is for scores, but {short(metric)} is computed from predictions"
        )
        raise InvalidValueError(f"{problem}, and {order} is better")


def _refuse_opposite_sign(cells: Cells, scores: FloatArray) -> None:
    """Reject negative values of a loss, and positive values of a metric whose name says it is negated."""
    is_loss = direction_of(cells.metric) is False and not cells.greater_is_better
    if not is_loss and not is_negated_loss(cells.metric):
        return
    known = scores[~np.isnan(scores)]
    if not known.any():
        return
    if ((known <= 0) if is_loss else (known >= 0)).all():
        kind = "loss" if is_loss else "negated loss"
        problem = f"{cells.name}: {short(cells.metric)} is the name of a {kind}, but all scores are "
        problem += "negative, as scikit-learn writes losses" if is_loss else "positive"
        raise TableError(problem, "pass {} if higher is better, or {lower}", "greater_is_better", "True")


def _cells_of(found: Found, choices: dict[str, Any], decimal: str) -> Cells:
    """Convert the content that a format found, with its own names and direction."""
    if found.layout == "predictions":
        predictions = predictions_in(found, choices["pos_label"])
        cells = prediction_cells(predictions, found.metric or None, choices | {"pos_label": None}, found.grid.name)
        return with_answers(cells, found.grid)
    grid = found.grid
    if found.layout == "answers":
        return _cells_of_items(found, choices)
    columns = {
        name: name if name in grid.header else None for name in ("dataset", "classifier", "score", *PREDICTION_COLUMNS)
    }
    # a name from a format is a name, even if it is also the name of a summary
    names = {text_of(cell) for name in ("dataset", "classifier") for cell in grid.columns[grid.header.index(name)]}
    choices = choices | {"keep": sorted(names - names_in(choices["drop"], "drop")), "transpose": None}
    if choices["thousands"] is not None:
        grid, decimal = cleaning.with_plain_thousands(grid, decimal, choices["thousands"])
    cells = READERS["long"](grid, "," if decimal == "," else ".", found.metric, columns, choices)
    better = cells.greater_is_better if found.greater_is_better is None else found.greater_is_better
    return replace(cells, greater_is_better=better, findings=(*found.findings, *cells.findings), format=found.format)


def _cells_of_items(found: Found, choices: dict[str, Any]) -> Cells:
    """Read answers to questions that a format found."""
    grid = found.grid
    called = {
        "classifier": "model",
        "stratum": "benchmark",
        "question": "question",
        "repeat": "epoch",
        "cluster": "cluster",
    }
    columns = {name: column if column in grid.header else None for name, column in called.items()}
    columns |= {"dataset": None, "score": "score"}
    told = choices.get("greater_is_better")
    choices |= {"greater_is_better": found.greater_is_better if told is None else told}
    cells = READERS["answers"](grid, ".", found.metric, columns, choices)
    better = cells.greater_is_better if found.greater_is_better is None else found.greater_is_better
    return replace(cells, greater_is_better=better, findings=(*found.findings, *cells.findings), format=found.format)


def reading_of(source: Any, given: Mapping[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """Return the arguments that a function passes to `read_table`. Individual arguments are moved to their groups.

    Reject arguments that neither function accepts, and parsing arguments for a table that was already read.
    """
    if not given:
        return {}
    known = [name for one in (function, read_table) for name in inspect.signature(one).parameters]
    known += [name for names in GROUPS.values() for name in names]
    if unknown := [name for name in given if name not in known]:
        hint = did_you_mean(unknown[0], known)
        raise InvalidTypeError(f"{function.__name__} and read_table have no argument {unknown[0]!r}{hint}")
    if isinstance(source, ScoreTable):
        refuse_late(given)
    return given_together(given)


def refuse_late(reading: Mapping[str, Any], why: str = "this source was already read") -> None:
    """Reject arguments of `read_table` for a source that was already read."""
    if reading:
        names = [name for group, value in reading.items() for name in (value if group in GROUPS else (group,))]
        raise InvalidValueError(f"{min(names)} is for reading a table, but {why}")


def _overridden(
    table: ScoreTable, metric: str | None, unit: str, greater_is_better: bool | None, missing: str
) -> ScoreTable:
    if table.missing and missing == "drop-datasets":
        table = table._of(range(len(table.classifiers)), table.classifiers, len(table.classifiers))
    if metric is not None and metric != table.metric and table._scored is not None:
        # another score of the same predictions, not another name for the same score
        table = replace(read_table(table._scored._predictions, metric=metric), answers=table.answers)
    given: dict[str, Any] = {"metric": metric, "unit": unit or None, "greater_is_better": greater_is_better}
    if table._scored is not None:
        _refuse_direction(table.metric, greater_is_better, is_computed=table.greater_is_better)
        given["metric"] = None
    is_renamed = metric not in (None, table.metric) and table._scored is None
    if is_renamed and greater_is_better is None and all(one.code != "ranks" for one in table.findings):
        given["greater_is_better"] = direction_of_metric(str(metric))  # None keeps the direction of the table
    given = {name: value for name, value in given.items() if value is not None}
    return replace(table, **given) if given else table


def _two_writings(cells: Cells) -> Iterator[Finding]:
    """Yield a warning if a table with missing scores has two writings of a name, which may explain the gaps."""
    if words := two_writings(cells.classifiers, cells.datasets):
        yield Finding(code="two-writings", severity="warning", sentence=f"{words.removeprefix('; ')}.")


def _kept(cells: Cells, missing: str) -> tuple[BoolArray, tuple[str, ...]]:
    """Return a mask of the datasets with enough scores, and the names of the other datasets."""
    is_missing = np.isnan(cells.scores)
    n_missing, k = int(is_missing.sum()), len(cells.classifiers)
    if not n_missing:
        return np.ones(len(cells.datasets), dtype=bool), ()
    if missing in FILLED:
        problem = f"missing={missing!r} is for logs of evaluation programs, but {cells.name} is a plain table"
        raise TableError(
            problem,
            "write the missing scores, or leave out their questions with {} or their datasets with {drop_datasets}",
            "missing",
            DROP_CASES,
        )
    if missing in ("raise", "drop-folds", *OF_QUESTIONS):
        places = examples([cells.place(at) for at in np.argwhere(is_missing).tolist()])
        problem = f"{cells.name}: {n_missing:,} score{' is' if n_missing == 1 else 's are'} missing: {places}"
        problem += two_writings(cells.classifiers, cells.datasets)
        n_lost, n = int(is_missing.any(axis=1).sum()), len(cells.datasets)
        if n > 1 and (empty := _without_scores(cells)) and len(empty) < k:
            words = f"{cells.name}: {listed(empty)} {'has' if len(empty) == 1 else 'have'} no score on any dataset"
            raise TableError(
                words + two_writings(cells.classifiers), "to leave out such classifiers, pass {}", "drop", empty
            )
        hint = "fill in these scores, or leave out their datasets with {}"
        if cells.folds:
            hint = (
                "fill in these scores, or leave out the folds or repeats that lack a score with {}, or the datasets "
                "with {drop_datasets}"
            )
            raise TableError(problem, hint, "missing", "drop-folds")
        if min(k, n) > 2 and n_lost > n * MANY_LOST:
            hint = (
                f"keep the other scores with {{skillings_mack}}, or leave out their datasets, {n_lost} of {n}, with "
                f"{{}}"
            )
        raise TableError(problem, hint, "missing", "drop-datasets")
    fewest = k if missing == "drop-datasets" else min(2, k)
    kept: BoolArray = k - is_missing.sum(axis=1) >= fewest
    if not kept.any():
        has = "lacks a score" if fewest == k else "has fewer than two scores"
        raise TableError(
            f"{cells.name}: every dataset {has}, so no dataset remains{two_writings(cells.classifiers, cells.datasets)}"
        )
    without: BoolArray = np.all(is_missing[kept], axis=0)
    if without.any():
        names_without = tuple(itertools.compress(cells.classifiers, without))
        problem = f"{cells.name}: none of the remaining datasets has a score of {listed(names_without)}"
        problem += two_writings(cells.classifiers)
        raise TableError(problem, "to leave out such classifiers, pass {}", "drop", names_without)
    return kept, tuple(itertools.compress(cells.datasets, ~kept))


def _without_scores(cells: Cells) -> tuple[str, ...]:
    """Return the classifiers without a score of any dataset, or of any fold."""
    k = len(cells.classifiers)
    scores = np.concatenate([one.scores.reshape(-1, k) for one in cells.folds] or [cells.scores])
    return tuple(itertools.compress(cells.classifiers, np.isnan(scores).all(axis=0)))


def _written_unit(cells: Cells) -> str:
    """Return '%' if all scores have a percent sign, or raise an error if only some have one."""
    if not cells.is_percent.any():
        return ""
    present = ~np.isnan(cells.scores)
    with_sign, without = np.argwhere(present & cells.is_percent), np.argwhere(present & ~cells.is_percent)
    if with_sign.size and without.size:
        rule = f"{cells.name}: either all or none of the scores must be written with %"
        raise TableError(
            f"{rule}, but {cells.place(with_sign[0].tolist())} is and {cells.place(without[0].tolist())} is not"
        )
    return "%" if with_sign.size else ""


def _refuse_arrows(grid: Grid, cells: Cells) -> None:
    """Reject a table whose dataset names contain arrows, or whose classifiers or first header have a down arrow."""
    of_datasets, others = (
        {arrow for arrow in "↓↑" for name in names if arrow in name}
        for names in (cells.datasets, (*cells.classifiers, *grid.header[:1]))
    )
    arrows = sorted(of_datasets | (others if "↓" in others else set()))
    if arrows:
        whose = "datasets" if of_datasets else "the columns"
        problem = f"{grid.name}: the names of {whose} have the arrows {listed(arrows)}, which show directions"
        both = "keep the metrics of one direction" if len(arrows) > 1 else "pass the correct direction"
        hint = f"{both}, and pass {{greater_is_better}}; {{}} names the metric"
        raise TableError(problem, hint, "metric", "error rate")


def _with_words_around(grid: Grid, cells: Cells) -> tuple[Cells, str]:
    """Set the metric, the direction and the unit from the texts around the table.

    Texts that contradict each other, or the name of the metric, raise an error.
    """
    if cells.scored is not None or cells.items is not None or any(one.code == "ranks" for one in cells.findings):
        predictions = None if cells.scored is None else cells.scored._predictions
        are_answers = cells.items is not None or (predictions is not None and is_right_or_wrong(predictions))
        if are_answers and cells.greater_is_better:
            refuse_words_of_losses(grid, None)
        return cells, ""
    said, is_unnamed = said_in(grid.around, grid.file), names_no_metric(cells.metric)
    unit = said.unit if said.unit and np.nanmax(cells.scores, initial=0) > 1 else ""
    direction = said.greater_is_better
    if not is_unnamed:
        own = direction_of_metric(cells.metric)
        if own is not None and direction is not None and own != direction:
            problem = (
                f"{grid.name}: for the metric {short(cells.metric)}, {'higher' if own else 'lower'} is better, but "
            )
            problem += f"{said.where} says that {_better(direction)} ({short(said.text)})"
            raise TableError(problem, "pass {} if this is correct", "greater_is_better", str(own))
        return (cells if own is not None or direction is None else _directed(cells, cells.metric, said)), unit
    if cells.greater_is_better:
        _refuse_arrows(grid, cells)
    if said.is_doubtful:
        raise TableError(
            f"{grid.name}: {said.where} may mean losses or errors ({short(said.text)}), and nothing else "
            "identifies the metric",
            "name the metric, for example with {}, or pass {greater_is_better}",
            "metric",
            "error rate",
        )
    if direction is None:
        _refuse_counts(grid, cells)
        return cells, unit
    directed = _directed(cells, said.metric or cells.metric, said)
    if not said.is_stated:
        _refuse_opposite_sign(directed, directed.scores)
    return directed, unit


def _refuse_counts(grid: Grid, cells: Cells) -> None:
    """Reject whole numbers above 100 in a file that does not name the metric, because they may be counts or times.

    Rows of ranks are recognized earlier. The caller knows what the numbers in a data frame or an array are.
    """
    if not grid.must_name_datasets:
        return
    parts = [one.scores for one in cells.folds] or [cells.scores]
    if np.any(np.nan_to_num(parts[0].flat[:100]) % 1):  # fractions, as in nearly every table
        return
    scores = np.concatenate([part.ravel() for part in parts])
    known = scores[np.isfinite(scores)]
    if known.size < FEWEST_COUNTS or known.min() < 0 or known.max() <= 100 or (known % 1).any():
        return
    raise TableError(
        f"{grid.name}: all scores are whole numbers up to {known.max():,.0f}, as counts, sizes and times are, and "
        "nothing names the metric",
        "name the metric, for example with {}; if its direction is not known, pass {greater_is_better} too",
        "metric",
        "errors",
    )


def _directed(cells: Cells, metric: str, said: Said) -> Cells:
    """Set the metric and direction from the texts around the table, with a note."""
    is_greater = bool(said.greater_is_better)
    words = f"{metric}, {_better(is_greater)}" if said.metric else _better(is_greater)
    sentence = f"{said.where.capitalize()} says what was measured: {words} ({short(said.text)})."
    told = Finding(code="words-around", severity="note", sentence=sentence)
    return replace(cells, metric=metric, greater_is_better=is_greater, findings=(*cells.findings, told))


def _better(greater_is_better: bool) -> str:
    return f"{'higher' if greater_is_better else 'lower'} is better"
