"""A table of scores: what was measured for which classifier on which dataset?

Every source (text, Excel, Parquet, a data frame, an array) becomes a grid of cells first; what the cells mean is then
decided in one place for all of them.
"""

from __future__ import annotations

__all__ = ["ScoreTable", "TableError", "TableNotFoundError", "complete_scores", "read_table"]

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._result import Record
from evalstats.tables.columns import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    column_named,
    fault_of,
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
from evalstats.tables.fold_scores import (
    FoldScores,
    RunScores,
    fold_scores_of,
    fold_scores_of_predictions,
    run_columns,
    run_scores_of_predictions,
)
from evalstats.tables.grid import (
    Grid,
    TableError,
    TableNotFoundError,
    examples,
    grid_of,
    listed,
    short,
    text_of,
    visible,
)
from evalstats.tables.predictions import Predictions, looks_like_predictions, predictions_of

if TYPE_CHECKING:
    import pandas as pd

    from evalstats.tables.prediction_scores import PredictionScores

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
_Columns = dict[str, str | None]

LAYOUTS = ("auto", "wide", "long", "predictions")
MISSING = ("raise", "drop-datasets", "skillings-mack")

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


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable(Record):
    """Scores of classifiers on datasets, with their names, checked once.

    Names are text: surrounding and repeated white space is removed, and control characters are refused.

    Attributes
    ----------
    scores : ndarray of float64, shape (n_datasets, n_classifiers)
        The scores, read-only, in the unit of the metric: finite, but nan where `missing` says so.
    datasets : tuple of str
        Name of each row; unique.
    classifiers : tuple of str
        Name of each column; unique.
    metric : str, default: 'score'
        What was measured.
    unit : str, default: ''
        The unit of the scores, such as ``'%'``.
    greater_is_better : bool, default: True
        The direction of the metric.
    dropped : tuple of str, default: ()
        Datasets that were left out because cells were missing.
    missing : tuple of (str, str), default: ()
        Dataset and classifier of each score that is missing, row by row. Each dataset has two scores, each classifier
        has one.
    source : str or None, default: None
        Name of the file, without its folder.
    computation : str, default: ''
        How the scores were computed, in words, if they were computed from predictions or are means over folds.
    folds : tuple of FoldScores, default: ()
        The scores of the folds of each dataset whose mean stands in `scores`; empty where there are none.

    Raises
    ------
    InvalidValueError
        If the shape and the names do not fit, a score is not finite that `missing` does not name, or the other way
        round, or a name is empty or not unique.

    Examples
    --------
    >>> from evalstats.tables.reading import ScoreTable
    >>> table = ScoreTable(scores=[[0.93, 0.95], [0.71, 0.70]], datasets=("iris", "glass"), classifiers=("NB", "SVM"))
    >>> table.select(["SVM"]).scores
    array([[0.95],
           [0.7 ]])
    """

    scores: FloatArray
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    metric: str = "score"
    unit: str = ""
    greater_is_better: bool = True
    dropped: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    source: str | None = None
    computation: str = ""
    folds: tuple[FoldScores, ...] = ()
    _scored: PredictionScores | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        datasets, classifiers = _names(self.datasets, "datasets"), _names(self.classifiers, "classifiers")
        scores = np.array(_checks.numbers(self.scores, "scores"))
        if scores.shape != (len(datasets), len(classifiers)) or scores.size == 0:
            raise InvalidValueError(
                f"scores must have one row for each of the {len(datasets)} datasets and one column for each of the "
                f"{len(classifiers)} classifiers (at least one), but its shape is {scores.shape}"
            )
        is_missing = _missing_cells(self.missing, datasets, classifiers, scores)
        _checks.finite(np.where(is_missing, 0.0, scores), "scores", (datasets, classifiers))
        scores.setflags(write=False)
        for name, value in {
            "scores": scores,
            "datasets": datasets,
            "classifiers": classifiers,
            "metric": _name(self.metric, "metric"),
            "unit": _name(self.unit, "unit") if self.unit else "",
            "greater_is_better": _checks.boolean(self.greater_is_better, "greater_is_better"),
            "dropped": _names(self.dropped, "dropped"),
            "missing": _names_of_cells(is_missing, datasets, classifiers),
            "source": None if self.source is None else visible(str(self.source)),
            "computation": visible(str(self.computation)),
            "folds": _folds(self.folds, datasets, len(classifiers)),
        }.items():
            object.__setattr__(self, name, value)

    def select(self, classifiers: Iterable[str]) -> ScoreTable:
        """Return the table of these classifiers only, in this order.

        Where scores are missing, datasets are left out that have fewer than two scores of several classifiers.

        Parameters
        ----------
        classifiers : iterable of str
            Names of columns.

        Returns
        -------
        ScoreTable
        """
        names = tuple(classifiers)
        for name in names:
            if name not in self.classifiers:
                raise InvalidValueError(f"classifiers must be among {listed(self.classifiers)}, not {short(name)}")
        chosen = [self.classifiers.index(name) for name in names]
        folds = tuple(replace(one, scores=one.scores[..., chosen]) for one in self.folds)
        if not self.missing:
            scored = None if self._scored is None else self._scored.select(self.datasets, names)
            return replace(self, scores=self.scores[:, chosen], classifiers=names, folds=folds, _scored=scored)
        return self._of(self.scores[:, chosen], names, min(2, len(names)))

    def _of(self, scores: FloatArray, classifiers: tuple[str, ...], fewest: int) -> ScoreTable:
        """Return the table of these scores without the datasets that have fewer than so many."""
        kept = (~np.isnan(scores)).sum(axis=1) >= fewest
        if not kept.any():
            raise InvalidValueError(f"no dataset has {fewest} scores of {listed(classifiers)}")
        datasets = tuple(itertools.compress(self.datasets, kept))
        return replace(
            self,
            scores=scores[kept],
            datasets=datasets,
            classifiers=classifiers,
            dropped=(*self.dropped, *itertools.compress(self.datasets, ~kept)),
            missing=_names_of_cells(np.isnan(scores[kept]), datasets, classifiers),
        )

    @property
    def runs(self) -> tuple[RunScores, ...]:
        """The scores of the repeats of each dataset, summed up over the folds as `scores` are; empty without folds."""
        if self._scored is not None:
            return run_scores_of_predictions(self._scored)
        return tuple(RunScores(one.dataset, one.repeats, one.scores.mean(axis=1)) for one in self.folds)

    def position(self, classifier: str) -> int:
        """Return the column of a classifier, counted from 0.

        Parameters
        ----------
        classifier : str
            Its name.

        Returns
        -------
        int

        Raises
        ------
        InvalidValueError
            If no column has this name.
        """
        try:
            return self.classifiers.index(classifier)
        except ValueError:
            known = ", ".join(map(repr, self.classifiers))
            raise InvalidValueError(f"classifier must be one of {known}, not {classifier!r}") from None

    def to_frame(self) -> pd.DataFrame:
        """Return the scores as a pandas DataFrame, datasets as its index and classifiers as its columns.

        What is missing is nan.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame(
            self.scores.copy(),
            index=pd.Index(self.datasets, name="dataset"),
            columns=pd.Index(self.classifiers, name="classifier"),
        )


def read_table(
    source: Any,
    *,
    layout: str = "auto",
    dataset: str | None = None,
    classifier: str | None = None,
    score: str | None = None,
    metric: str | None = None,
    unit: str = "",
    greater_is_better: bool | None = None,
    missing: str = "raise",
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
    sheet: str | None = None,
    aggregate: str | None = None,
    undefined: str | None = None,
    pos_label: Any = None,
    repeat: str | None = None,
    fold: str | None = None,
    row: str | None = None,
    y_true: str | None = None,
    y_pred: str | None = None,
    y_score: str | None = None,
) -> ScoreTable:
    r"""Read scores of classifiers on datasets from a file, a data frame or an array, or compute them from predictions.

    Parameters
    ----------
    source : str, path-like, file object, data frame, dict, array_like, ScoreTable or Predictions
        - A path or an open file: Parquet and Excel (.xlsx) are recognised by their first bytes, everything else is text
          with a header line. Excel needs openpyxl, Parquet needs pyarrow.
        - The directory of a study (`evalstats.run_study`).
        - A data frame: pandas, or anything with ``columns`` and ``to_numpy()``; an Arrow table; a dict of columns.
        - An array of shape (n_datasets, n_classifiers): the names are ``'dataset 1'``, ``'classifier 1'`` and so on.
        - A ScoreTable: returned as it is, with `metric`, `unit` and `greater_is_better` replaced where they are given.
        - What `evalstats.read_predictions` returned.
    layout : {'auto', 'wide', 'long', 'predictions'}, default: 'auto'
        ``'wide'``: one row per dataset; the first column names the datasets, each other column is a classifier. In a
        pandas frame the index names the datasets, unless it only counts the rows; then the first column does if it is
        text. Whole numbers in a first column that is called like one of folds or repeats (``'fold'``, ``'run'``) count
        those of one dataset; so they do beside a column of datasets.
        ``'long'``: one row per dataset and classifier. Rows are paired by their names, never by their order;
        datasets and classifiers are sorted by name, so that shuffling the rows changes nothing.
        ``'predictions'``: one row per case, dataset and classifier, with true labels and predicted labels or scores;
        `metric` is computed over the folds. Columns are recognised as by `evalstats.read_predictions`.
        ``'auto'``: predictions if columns of datasets, classifiers, true labels and predicted labels or scores are
        recognised by their names; long if `classifier` or `score` is given or columns of both datasets and
        classifiers are recognised; otherwise wide.
    dataset, classifier, score : str, optional
        Columns that hold the names of datasets, the names of classifiers and the scores, if their names are not
        recognised (`dataset` in all layouts, `classifier` in long tables and predictions, `score` in long tables).
    metric : str, optional
        What was measured. In a long table with several score columns, or with a column of metrics, it chooses. Of
        predictions, what to compute: see `evalstats.score_predictions`.
    unit : str, default: ''
        The unit of the scores. Cells such as ``93.1%`` give ``'%'`` by themselves if all cells are written so.
    greater_is_better : bool, optional
        The direction of the metric. By default False if the metric is called a loss (``'error'``, ``'error rate'``,
        ``'loss'``, ``'log loss'``, ``'brier'``, ``'brier score'``, ``'mae'``, ``'mse'``, ``'rmse'``), otherwise True.
    missing : {'raise', 'drop-datasets', 'skillings-mack'}, default: 'raise'
        What to do about empty cells, ``NA``, ``N/A``, ``NaN``, ``null``, ``None``, ``-`` and ``?``, and about pairs
        that a long table lacks: ``'raise'`` lists them, ``'drop-datasets'`` leaves out their datasets and records them.
        ``'skillings-mack'`` keeps what is there, for the test of Skillings & Mack in `evalstats.compare`: `missing` of
        the table names the cells, and only datasets with fewer than two scores are left out. A score that is the mean
        of folds is missing if that of one fold is; scores of folds are not kept beside missing ones.
    delimiter : str, optional
        The character between the fields of a text file. By default that one of tab, semicolon, comma and ``|`` which
        stands most often in the header line outside quotes (the first of them where they are equal).
    decimal : {'.', ','}, default: '.'
        The decimal mark of numbers in text. Thousands separators are refused.
    encoding : str, default: 'utf-8'
        The encoding of a text file; a byte order mark is skipped.
    sheet : str, optional
        The sheet of an Excel file; by default the first.
    aggregate, undefined : str, optional
        Of predictions: how one score comes out of the folds, and what to do where one is 0/0; see
        `evalstats.score_predictions`. An undefined score cannot stay: ``'nan'`` is not possible here.
    pos_label : label or dict of str to label, optional
        Of predictions: the positive label; see `evalstats.read_predictions`.
    repeat, fold, row, y_true, y_pred, y_score : str, optional
        Of predictions: columns whose names are not recognised; see `evalstats.read_predictions`.

    Returns
    -------
    ScoreTable

    Raises
    ------
    TableNotFoundError
        If there is no such file; also a FileNotFoundError.
    TableError
        If the source is not a table of scores; also a ValueError. The message names the file, the line, the column and
        the value.
    InvalidTypeError
        If the type of the source is not understood.

    Examples
    --------
    >>> import io
    >>> from evalstats.tables.reading import read_table
    >>> table = read_table(io.StringIO("dataset;NB;SVM\niris;93,1;95,0\nglass;70,5;71,2\n"), decimal=",")
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

    One row per case: F1 from the counts summed over the folds.

    >>> rows = {"data": ["x"] * 4, "model": ["a"] * 4, "fold": [1, 1, 2, 2]}
    >>> table = read_table({**rows, "y_true": [1, 0, 1, 0], "y_pred": [1, 0, 0, 0]}, metric="f1")
    >>> table.scores.round(3), table.computation
    (array([[0.667]]), 'F1 of the positive label 1, from TP, FP and FN summed over the folds')
    """
    _checks.choice(layout, "layout", LAYOUTS)
    _checks.choice(missing, "missing", MISSING)
    _checks.choice(decimal, "decimal", (".", ","))
    if isinstance(source, ScoreTable):
        return _overridden(source, metric, unit, greater_is_better, missing)
    choices = {"aggregate": aggregate, "undefined": undefined, "pos_label": pos_label}
    if isinstance(source, Predictions):
        cells = _prediction_cells(source, metric, choices)
    else:
        grid = grid_of(source, delimiter, encoding, sheet)
        columns = {"dataset": dataset, "classifier": classifier, "score": score, "repeat": repeat, "fold": fold}
        columns |= {"row": row, "y_true": y_true, "y_pred": y_pred, "y_score": y_score}
        cells = _READERS[_recognised(grid, layout, columns)](grid, decimal, metric, columns, choices)
    kept, dropped = _kept(cells, missing)
    scores, datasets = cells.scores[kept], tuple(itertools.compress(cells.datasets, kept))
    lacking = _names_of_cells(np.isnan(scores), datasets, cells.classifiers)
    return ScoreTable(
        scores=scores,
        folds=() if lacking else tuple(itertools.compress(cells.folds, kept)),
        _scored=None if lacking or cells.scored is None else cells.scored.select(datasets, cells.classifiers),
        datasets=datasets,
        classifiers=cells.classifiers,
        metric=cells.metric,
        unit=unit or _written_unit(cells),
        greater_is_better=cells.greater_is_better if greater_is_better is None else greater_is_better,
        dropped=dropped,
        missing=lacking,
        source=cells.file,
        computation=cells.computation,
    )


def complete_scores(table: ScoreTable, what: str) -> FloatArray:
    """Return the scores of a table, or refuse in the name of `what` to go on where some are missing."""
    if not table.missing:
        return table.scores
    n = len(table.missing)
    raise InvalidValueError(
        f"{what} needs a score in every cell, but {n:,} {'is' if n == 1 else 'are'} missing: leave out their datasets "
        "with missing='drop-datasets'"
    )


def _overridden(
    table: ScoreTable, metric: str | None, unit: str, greater_is_better: bool | None, missing: str
) -> ScoreTable:
    if table.missing and missing == "drop-datasets":
        table = table._of(table.scores, table.classifiers, len(table.classifiers))
    if metric is not None and metric != table.metric and table._scored is not None:
        # another score of the same predictions, not another name for the same score
        table = read_table(table._scored._predictions, metric=metric)
    given: dict[str, Any] = {"metric": metric, "unit": unit or None, "greater_is_better": greater_is_better}
    if table._scored is not None:
        given["metric"] = None
    given = {name: value for name, value in given.items() if value is not None}
    return replace(table, **given) if given else table


# --- from a grid to named scores --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Cells:
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
    numbers: NDArray[np.intp] | None = None  # of the line or row of each score; 0 where a long table has none
    computation: str = ""
    folds: tuple[FoldScores, ...] = ()
    scored: PredictionScores | None = None

    def place(self, at: Sequence[Any]) -> str:
        i, j = at
        where = "" if self.numbers is None or not self.numbers[i, j] else f" ({self.word} {self.numbers[i, j]})"
        return f"{short(self.datasets[i])} / {short(self.classifiers[j])}{where}"


def _recognised(grid: Grid, layout: str, columns: _Columns) -> str:
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
) -> _Cells:
    predictions = predictions_of(
        grid, decimal, choices["pos_label"], **{name: column for name, column in columns.items() if name != "score"}
    )
    return _prediction_cells(predictions, metric, choices | {"pos_label": None}, grid.name)


def _prediction_cells(
    predictions: Predictions, metric: str | None, choices: dict[str, Any], name: str = "the predictions"
) -> _Cells:
    if choices["pos_label"] is not None:
        raise InvalidValueError("pos_label must be given to read_predictions, not together with its result")
    if choices["undefined"] == "nan":
        raise InvalidValueError("undefined must be 'raise' or 'zero' or 'skip' for a table of scores, not 'nan'")
    from evalstats.tables.prediction_scores import score_predictions  # all metrics, a quarter of the time of the import

    scored = score_predictions(
        predictions, metric=metric, aggregate=choices["aggregate"], undefined=choices["undefined"] or "raise"
    )
    return _Cells(
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


def _wide_cells(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> _Cells:
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
        return _wide_fold_cells(grid, decimal, metric, names, classifiers, runs, values, with_sign)
    datasets = [f"dataset {i + 1}" for i in range(n)] if key is None else row_names(grid, key, "dataset")
    if repeated := positions_of_repeated(datasets):
        places = examples([f"{short(name)} ({rows_at(grid, at)})" for name, at in repeated.items()])
        problem = f"{grid.name}: dataset names must be unique, but these are repeated: {places}"
        raise TableError(problem, "average repeated runs or folds first")
    return _Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=_direction(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=np.column_stack(scores),
        is_percent=np.column_stack(is_percent),
        word=grid.word,
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
) -> _Cells:
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
    return _Cells(
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


def _long_cells(grid: Grid, decimal: str, metric: str | None, columns: _Columns, choices: dict[str, Any]) -> _Cells:
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
    return _Cells(
        name=grid.name,
        file=grid.file,
        metric=metric,
        greater_is_better=_direction(metric),
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=scores,
        is_percent=is_percent,
        word=grid.word,
        numbers=numbers,
        computation=f"{metric}, mean over the {_run_words(runs)}" if runs else "",
        folds=folds,
    )


_READERS = {"wide": _wide_cells, "long": _long_cells, "predictions": _prediction_grid_cells}


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


def _kept(cells: _Cells, missing: str) -> tuple[BoolArray, tuple[str, ...]]:
    """Return which datasets have enough scores, and the names of those that have not."""
    is_missing = np.isnan(cells.scores)
    n_missing, k = int(is_missing.sum()), len(cells.classifiers)
    if not n_missing:
        return np.ones(len(cells.datasets), dtype=bool), ()
    if missing == "raise":
        places = examples([cells.place(at) for at in np.argwhere(is_missing).tolist()])
        problem = f"{cells.name}: {n_missing:,} score{' is' if n_missing == 1 else 's are'} missing: {places}"
        raise TableError(problem, "fill them, or leave out their datasets with {}", "missing", "drop-datasets")
    fewest = k if missing == "drop-datasets" else min(2, k)
    kept: BoolArray = k - is_missing.sum(axis=1) >= fewest
    if not kept.any():
        has = "lacks a score" if fewest == k else "has fewer than two scores"
        raise TableError(f"{cells.name}: every dataset {has}, so that none is left")
    without: BoolArray = np.all(is_missing[kept], axis=0)
    if without.any():
        names = listed(list(itertools.compress(cells.classifiers, without)))
        raise TableError(f"{cells.name}: no dataset that is left has a score of {names}")
    return kept, tuple(itertools.compress(cells.datasets, ~kept))


def _written_unit(cells: _Cells) -> str:
    """Return the percent sign if all scores were written with it."""
    present = ~np.isnan(cells.scores)
    with_sign, without = np.argwhere(present & cells.is_percent), np.argwhere(present & ~cells.is_percent)
    if with_sign.size and without.size:
        rule = f"{cells.name}: all scores must be written with % or none"
        raise TableError(
            f"{rule}, but {cells.place(with_sign[0].tolist())} is and {cells.place(without[0].tolist())} is not"
        )
    return "%" if with_sign.size else ""


# --- columns and cells ------------------------------------------------------------------------------------------------


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


# --- names and messages -----------------------------------------------------------------------------------------------


def _folds(values: Iterable[FoldScores], datasets: tuple[str, ...], k: int) -> tuple[FoldScores, ...]:
    folds = tuple(values)
    if folds and (tuple(one.dataset for one in folds) != datasets or any(one.scores.shape[-1] != k for one in folds)):
        raise InvalidValueError("folds must have one FoldScores for each dataset, in order, with all classifiers")
    return folds


def _missing_cells(
    missing: Any, datasets: tuple[str, ...], classifiers: tuple[str, ...], scores: FloatArray
) -> BoolArray:
    """Return where scores are missing, as the names of their cells say."""
    is_missing = np.zeros(scores.shape, dtype=bool)
    for cell in missing:
        dataset, classifier = _cell_name(cell)
        if dataset not in datasets or classifier not in classifiers:
            raise InvalidValueError(f"missing must name cells of the table, not {short(dataset)} / {short(classifier)}")
        at = datasets.index(dataset), classifiers.index(classifier)
        if not math.isnan(scores[at]):
            raise InvalidValueError(
                f"missing names {short(dataset)} / {short(classifier)}, whose score is {scores[at]:g}"
            )
        is_missing[at] = True
    if is_missing.any():
        few = (~is_missing).sum(axis=1) < min(2, len(classifiers))
        if few.any():
            first = datasets[int(few.argmax())]
            raise InvalidValueError(f"each dataset must have two scores, but {short(first)} has not")
        if (none := is_missing.all(axis=0)).any():
            first = classifiers[int(none.argmax())]
            raise InvalidValueError(f"each classifier must have a score, but {short(first)} has none")
    return is_missing


def _cell_name(cell: Any) -> tuple[str, str]:
    if isinstance(cell, str) or not isinstance(cell, Sequence) or len(cell) != 2:
        raise InvalidTypeError(f"missing must hold pairs of a dataset and a classifier, not {short(cell)}")
    return text_of(cell[0]), text_of(cell[1])


def _names_of_cells(
    is_missing: BoolArray, datasets: tuple[str, ...], classifiers: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    return tuple((datasets[i], classifiers[j]) for i, j in np.argwhere(is_missing).tolist())


def _name(value: Any, argument: str) -> str:
    name = text_of(value)
    if fault := fault_of(name) if name else "is empty":
        raise InvalidValueError(f"{argument}: the name {short(value)} {fault}")
    return name


def _names(values: Any, argument: str) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidTypeError(f"{argument} must be a sequence of names, not {short(values)}")
    names = tuple(_name(value, argument) for value in values)
    if repeated := positions_of_repeated(names):
        raise InvalidValueError(f"{argument} must be unique, but these are repeated: {listed(list(repeated))}")
    return names
