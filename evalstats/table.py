"""A table of scores: what was measured for which classifier on which dataset?

Every source (text, Excel, Parquet, a data frame, an array) becomes a grid of cells first; what the cells mean is then
decided in one place for all of them.
"""

from __future__ import annotations

__all__ = ["ScoreTable", "TableError", "TableNotFoundError", "read_table"]

import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._grid import (
    MISSING_TYPES,
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
from evalstats._result import Record

if TYPE_CHECKING:
    import pandas as pd

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

# Columns that are understood without being named; case does not matter, spaces and hyphens are underscores.
DATASET_COLUMNS = ("dataset", "data", "data_set", "dataset_name", "dataset_id", "problem", "task", "task_id", "domain")
CLASSIFIER_COLUMNS = ("classifier", "model", "algorithm", "method", "learner", "estimator")
METRIC_COLUMNS = ("metric", "measure")
GENERIC_SCORE_COLUMNS = ("score", "value", "result")
LOSSES = ("error", "error_rate", "loss", "log_loss", "logloss", "brier", "brier_score", "mae", "mse", "rmse")
SCORE_COLUMNS = (
    *GENERIC_SCORE_COLUMNS,
    *("accuracy", "acc", "balanced_accuracy", "auc", "auroc", "roc_auc", "f1", "f1_score", "f_measure"),
    *("precision", "recall", "kappa", "mcc"),
    *LOSSES,
)

MISSING_WORDS = frozenset(("", "na", "n/a", "#n/a", "nan", "-", "?", "null", "none"))
MAX_NAME_LENGTH = 1000

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d*)?", re.ASCII)
_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # reorder what a reader sees


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable(Record):
    """Scores of classifiers on datasets, with their names, checked once.

    Names are text: surrounding and repeated white space is removed, and control characters are refused.

    Attributes
    ----------
    scores : ndarray of float64, shape (n_datasets, n_classifiers)
        The scores, finite and read-only, in the unit of the metric.
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
    source : str or None, default: None
        Name of the file, without its folder.

    Raises
    ------
    InvalidValueError
        If the shape and the names do not fit, a score is not finite, or a name is empty or not unique.

    Examples
    --------
    >>> from evalstats.table import ScoreTable
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
    source: str | None = None

    def __post_init__(self) -> None:
        datasets, classifiers = _names(self.datasets, "datasets"), _names(self.classifiers, "classifiers")
        scores = np.array(_checks.numbers(self.scores, "scores"))
        if scores.shape != (len(datasets), len(classifiers)) or scores.size == 0:
            raise InvalidValueError(
                f"scores must have one row for each of the {len(datasets)} datasets and one column for each of the "
                f"{len(classifiers)} classifiers (at least one), but its shape is {scores.shape}"
            )
        _checks.finite(scores, "scores", (datasets, classifiers))
        scores.setflags(write=False)
        for field, value in {
            "scores": scores,
            "datasets": datasets,
            "classifiers": classifiers,
            "metric": _name(self.metric, "metric"),
            "unit": _name(self.unit, "unit") if self.unit else "",
            "greater_is_better": _checks.boolean(self.greater_is_better, "greater_is_better"),
            "dropped": _names(self.dropped, "dropped"),
            "source": None if self.source is None else visible(str(self.source)),
        }.items():
            object.__setattr__(self, field, value)

    def select(self, classifiers: Iterable[str]) -> ScoreTable:
        """Return the table of these classifiers only, in this order.

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
        return replace(self, scores=self.scores[:, [self.classifiers.index(name) for name in names]], classifiers=names)

    def to_frame(self) -> pd.DataFrame:
        """Return the scores as a pandas DataFrame, datasets as its index and classifiers as its columns.

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
) -> ScoreTable:
    r"""Read scores of classifiers on datasets from a file, a data frame or an array.

    Parameters
    ----------
    source : str, path-like, file object, data frame, dict, array_like or ScoreTable
        - A path or an open file: Parquet and Excel (.xlsx) are recognised by their first bytes, everything else is text
          with a header line. Excel needs openpyxl, Parquet needs pyarrow.
        - A data frame: pandas, or anything with ``columns`` and ``to_numpy()``; an Arrow table; a dict of columns.
        - An array of shape (n_datasets, n_classifiers): the names are ``'dataset 1'``, ``'classifier 1'`` and so on.
        - A ScoreTable: returned as it is, with `metric`, `unit` and `greater_is_better` replaced where they are given.
    layout : {'auto', 'wide', 'long'}, default: 'auto'
        ``'wide'``: one row per dataset; the first column names the datasets, each other column is a classifier. In a
        pandas frame the index names the datasets, unless it only counts the rows; then the first column does if it is
        text.
        ``'long'``: one row per dataset and classifier. Rows are paired by their names, never by their order;
        datasets and classifiers are sorted by name, so that shuffling the rows changes nothing.
        ``'auto'``: long if `classifier` or `score` is given or columns of both datasets and classifiers are
        recognised by their names, otherwise wide.
    dataset, classifier, score : str, optional
        Columns that hold the names of datasets, the names of classifiers and the scores, if their names are not
        recognised (`dataset` in both layouts, the others in long tables).
    metric : str, optional
        What was measured. In a long table with several score columns, or with a column of metrics, it chooses.
    unit : str, default: ''
        The unit of the scores. Cells such as ``93.1%`` give ``'%'`` by themselves if all cells are written so.
    greater_is_better : bool, optional
        The direction of the metric. By default False if the metric is called a loss (``'error'``, ``'error rate'``,
        ``'loss'``, ``'log loss'``, ``'brier'``, ``'brier score'``, ``'mae'``, ``'mse'``, ``'rmse'``), otherwise True.
    missing : {'raise', 'drop-datasets'}, default: 'raise'
        What to do about empty cells, ``NA``, ``N/A``, ``NaN``, ``null``, ``None``, ``-`` and ``?``, and about pairs
        that a long table lacks: ``'raise'`` lists them, ``'drop-datasets'`` leaves out their datasets and records them.
    delimiter : str, optional
        The character between the fields of a text file. By default that one of tab, semicolon, comma and ``|`` which
        stands most often in the header line outside quotes (the first of them where they are equal).
    decimal : {'.', ','}, default: '.'
        The decimal mark of numbers in text. Thousands separators are refused.
    encoding : str, default: 'utf-8'
        The encoding of a text file; a byte order mark is skipped.
    sheet : str, optional
        The sheet of an Excel file; by default the first.

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
    >>> from evalstats.table import read_table
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
    """
    _checks.choice(layout, "layout", ("auto", "wide", "long"))
    _checks.choice(missing, "missing", ("raise", "drop-datasets"))
    _checks.choice(decimal, "decimal", (".", ","))
    if isinstance(source, ScoreTable):
        return _overridden(source, metric, unit, greater_is_better)
    named = [name for name, value in (("classifier", classifier), ("score", score)) if value is not None]
    if layout == "wide" and named:
        raise InvalidValueError(f"{named[0]} names a column of a long table, but layout is 'wide'")
    grid = grid_of(source, delimiter, encoding, sheet)
    if layout == "long" or (layout == "auto" and (named or _looks_long(grid))):
        cells = _long_cells(grid, decimal, dataset=dataset, classifier=classifier, score=score, metric=metric)
    else:
        cells = _wide_cells(grid, decimal, dataset, metric)
    complete, dropped = _complete(cells, missing)
    return ScoreTable(
        scores=cells.scores[complete],
        datasets=tuple(itertools.compress(cells.datasets, complete)),
        classifiers=cells.classifiers,
        metric=cells.metric,
        unit=unit or _written_unit(cells),
        greater_is_better=_simplified(cells.metric) not in LOSSES if greater_is_better is None else greater_is_better,
        dropped=dropped,
        source=grid.file,
    )


def _overridden(table: ScoreTable, metric: str | None, unit: str, greater_is_better: bool | None) -> ScoreTable:
    given: dict[str, Any] = {"metric": metric, "unit": unit or None, "greater_is_better": greater_is_better}
    given = {name: value for name, value in given.items() if value is not None}
    return replace(table, **given) if given else table


# --- from a grid to named scores --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Cells:
    """Scores by dataset and classifier, nan where one is missing."""

    grid: Grid
    metric: str
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    scores: FloatArray
    is_percent: BoolArray
    numbers: NDArray[np.intp]  # of the line or row of each score; 0 where a long table has none

    def place(self, at: Sequence[Any]) -> str:
        i, j = at
        where = f" ({self.grid.word} {self.numbers[i, j]})" if self.numbers[i, j] else ""
        return f"{short(self.datasets[i])} / {short(self.classifiers[j])}{where}"


def _wide_cells(grid: Grid, decimal: str, dataset: str | None, metric: str | None) -> _Cells:
    key = _dataset_column(grid, decimal, dataset)
    # an unnamed first column beside a column of names is an index that was written with the table
    columns = [j for j, name in enumerate(grid.header) if j != key and (name or j > 0)]
    n = len(grid.numbers)
    if not columns or not n:
        raise TableError(f"{grid.name} has no {'row' if columns else 'column'} of scores")
    classifiers = [_header_name(grid, j) for j in columns]
    for name, at in _repeated(classifiers).items():
        places = " and ".join(str(columns[j] + 1) for j in at)
        raise TableError(f"{grid.name}: classifier names must be unique, but {short(name)} heads the columns {places}")
    datasets = [f"dataset {i + 1}" for i in range(n)] if key is None else _row_names(grid, key, "dataset")
    scores, is_percent = zip(*(_scores(grid, j, decimal, "wide") for j in columns), strict=True)
    if repeated := _repeated(datasets):
        places = examples([f"{short(name)} ({_rows(grid, at)})" for name, at in repeated.items()])
        problem = f"{grid.name}: dataset names must be unique, but these are repeated: {places}"
        raise TableError(problem, "average repeated runs or folds first")
    return _Cells(
        grid=grid,
        metric="score" if metric is None else metric,
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=np.column_stack(scores),
        is_percent=np.column_stack(is_percent),
        numbers=np.broadcast_to(np.array(grid.numbers)[:, np.newaxis], (n, len(columns))),
    )


def _dataset_column(grid: Grid, decimal: str, dataset: str | None) -> int | None:
    """Return the column that names the datasets of a wide table, None if they have no names."""
    if dataset is not None:
        return _column(grid, dataset, "dataset")
    first, second, *_ = *grid.header, "", ""
    if not first and _is_called(second, DATASET_COLUMNS):
        return 1
    values = _values(grid.columns[0], decimal) if grid.columns else []
    if not first or _is_called(first, DATASET_COLUMNS) or None in values:
        return 0
    if not grid.must_name_datasets:
        return None
    if any(value is not None and not math.isnan(value) and value % 1 for value in values):
        problem = f"{grid.name}: the first column must name the datasets, but column {short(first)} holds numbers"
        raise TableError(problem, "if they are names, pass {}", "dataset", first)
    return 0


def _looks_long(grid: Grid) -> bool:
    has_datasets = any(_is_called(name, DATASET_COLUMNS) for name in grid.header)
    classifiers = (j for j, name in enumerate(grid.header) if _is_called(name, CLASSIFIER_COLUMNS))
    # "model" may be a classifier of a wide table too, but then its column holds numbers
    return has_datasets and any(_value(cell, ".") is None for j in classifiers for cell in grid.columns[j])


def _long_cells(
    grid: Grid, decimal: str, *, dataset: str | None, classifier: str | None, score: str | None, metric: str | None
) -> _Cells:
    d = _key_column(grid, dataset, "dataset", DATASET_COLUMNS)
    c = _key_column(grid, classifier, "classifier", CLASSIFIER_COLUMNS)
    m = next((j for j, name in enumerate(grid.header) if j not in (d, c) and _is_called(name, METRIC_COLUMNS)), None)
    if m is not None:
        grid, metric = _rows_of_one_metric(grid, m, metric)
    s = _score_column(grid, score, metric, {d, c, m})
    if metric is None:
        metric = "score" if _is_called(grid.header[s], GENERIC_SCORE_COLUMNS) else grid.header[s]
    pairs = list(zip(_row_names(grid, d, "dataset"), _row_names(grid, c, "classifier"), strict=True))
    datasets, classifiers = (
        (sorted(set(names), key=_natural) for names in zip(*pairs, strict=True)) if pairs else ([], [])
    )
    _check_pairs(grid, pairs, len(datasets), len(classifiers))
    row, column = ({name: i for i, name in enumerate(names)} for names in (datasets, classifiers))
    at = np.array([row[name] for name, _ in pairs]), np.array([column[name] for _, name in pairs])
    shape = len(datasets), len(classifiers)
    scores, is_percent, numbers = np.full(shape, math.nan), np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.intp)
    scores[at], is_percent[at] = _scores(grid, s, decimal, "long")
    numbers[at] = grid.numbers
    return _Cells(
        grid=grid,
        metric=metric,
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        scores=scores,
        is_percent=is_percent,
        numbers=numbers,
    )


def _check_pairs(grid: Grid, pairs: list[tuple[str, str]], n: int, k: int) -> None:
    if not pairs:
        raise TableError(f"{grid.name} has no row of scores")
    if repeated := _repeated(pairs):
        places = examples([f"{short(d)} / {short(c)} ({_rows(grid, at)})" for (d, c), at in repeated.items()])
        problem = f"{grid.name}: each dataset and classifier must have one score, but these have several: {places}"
        raise TableError(problem, "average repeated runs or folds first")
    if n * k > max(1_000_000, 100 * len(pairs)):  # a column of other things would fill the memory
        problem = f"{grid.name} has {n:,} datasets and {k:,} classifiers, but only {len(pairs):,} scores"
        raise TableError(problem, "check which columns name them")


def _key_column(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int:
    if given is not None:
        return _column(grid, given, argument)
    found = [j for j, name in enumerate(grid.header) if _is_called(name, known)]
    if len(found) == 1:
        return found[0]
    if found:
        problem = f"{grid.name}: any of the columns {_headers(grid, found)} may name the {argument}s"
    else:
        problem = f"{grid.name}: none of the columns {_headers(grid)} is known to name the {argument}s"
    raise TableError(problem, "choose one with {}", argument)


def _rows_of_one_metric(grid: Grid, column: int, metric: str | None) -> tuple[Grid, str]:
    names = _row_names(grid, column, "metric")
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
        return _column(grid, score, "score")
    rest = [j for j, name in enumerate(grid.header) if name and j not in others]
    named = [j for j in rest if metric is not None and _is_called(grid.header[j], [_simplified(metric)])]
    known = [j for j in rest if _is_called(grid.header[j], SCORE_COLUMNS)]
    for found in (named, known, rest):
        if len(found) == 1:
            return found[0]
        if found:
            problem = f"{grid.name}: any of the columns {_headers(grid, found)} may hold the scores"
            raise TableError(problem, "choose one, for example {}", "score", grid.header[found[0]])
    raise TableError(f"{grid.name}: none of the columns {_headers(grid)} holds scores")


def _complete(cells: _Cells, missing: str) -> tuple[BoolArray, tuple[str, ...]]:
    """Return which datasets have all scores, and the names of those that have not."""
    is_missing = np.isnan(cells.scores)
    complete: BoolArray = np.logical_not(is_missing.any(axis=1))
    if complete.all():
        return complete, ()
    if missing == "raise":
        n_missing = int(is_missing.sum())
        places = examples([cells.place(at) for at in np.argwhere(is_missing).tolist()])
        problem = f"{cells.grid.name}: {n_missing:,} score{' is' if n_missing == 1 else 's are'} missing: {places}"
        raise TableError(problem, "fill them, or leave out their datasets with {}", "missing", "drop-datasets")
    if not complete.any():
        raise TableError(f"{cells.grid.name}: every dataset lacks a score, so that none is left")
    return complete, tuple(itertools.compress(cells.datasets, ~complete))


def _written_unit(cells: _Cells) -> str:
    """Return the percent sign if all scores were written with it."""
    present = ~np.isnan(cells.scores)
    with_sign, without = np.argwhere(present & cells.is_percent), np.argwhere(present & ~cells.is_percent)
    if with_sign.size and without.size:
        rule = f"{cells.grid.name}: all scores must be written with % or none"
        raise TableError(
            f"{rule}, but {cells.place(with_sign[0].tolist())} is and {cells.place(without[0].tolist())} is not"
        )
    return "%" if with_sign.size else ""


# --- columns and cells ------------------------------------------------------------------------------------------------


def _column(grid: Grid, given: str, argument: str) -> int:
    """Return the column that an argument names."""
    found = [j for j, name in enumerate(grid.header) if name == text_of(given)]
    if len(found) == 1:
        return found[0]
    rule = f"{argument} must name a column of {grid.name}"
    if found:
        raise TableError(f"{rule}, but {len(found)} columns are called {short(given)}")
    raise TableError(f"{rule} ({_headers(grid)}), not {short(given)}")


def _headers(grid: Grid, columns: Iterable[int] | None = None) -> str:
    return listed([grid.header[j] for j in (range(len(grid.header)) if columns is None else columns)])


def _is_called(name: str, known: Sequence[str]) -> bool:
    return _simplified(name) in known


def _simplified(name: str) -> str:
    return name.casefold().replace(" ", "_").replace("-", "_")


def _header_name(grid: Grid, j: int) -> str:
    name = grid.header[j]
    if not name:
        raise TableError(f"{grid.name}: column {j + 1} has no name")
    if fault := _fault(name):
        raise TableError(f"{grid.name}: the name of column {j + 1} {fault}")
    return name


def _row_names(grid: Grid, j: int, what: str) -> list[str]:
    """Return the names in a column."""
    column = [cell if isinstance(cell, str) else text_of(cell) for cell in grid.columns[j]]
    names = {cell: text_of(cell) for cell in set(column)}
    faults = {cell: _fault(name) if name else "is empty" for cell, name in names.items()}
    if any(faults.values()):
        i = next(i for i, cell in enumerate(column) if faults[cell])
        raise TableError(f"{grid.place(i, j)}: the name of a {what} {faults[column[i]]}")
    return [names[cell] for cell in column]


def _scores(grid: Grid, j: int, decimal: str, layout: str) -> tuple[FloatArray, BoolArray]:
    """Return the numbers of a column, nan where one is missing, and where they were written with a percent sign."""
    column = grid.columns[j]
    values = _values(column, decimal)
    numbers = np.array(values, dtype=np.float64)
    if None in values or np.isinf(numbers).any():
        i = next(i for i, value in enumerate(values) if value is None or math.isinf(value))
        is_text = layout == "wide" and len(values) > 1 and all(value is None or math.isnan(value) for value in values)
        raise _not_a_score(grid.place(i, j), column[i], decimal, is_text=is_text)
    return numbers, np.array([isinstance(cell, str) and "%" in cell for cell in column], dtype=bool)


def _values(column: Any, decimal: str) -> list[float | None]:
    """Return the numbers in a column: nan where one is missing, None where there is something else."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return [float(value) for value in column.tolist()]
    if decimal == "." and set(map(type, column)) == {str} and all(map(_NUMBER.fullmatch, column)):
        return list(map(float, column))
    return [_value(cell, decimal) for cell in column]


def _value(cell: Any, decimal: str) -> float | None:
    return _written_number(cell, decimal) if isinstance(cell, str) else _number(cell)


def _number(cell: Any) -> float | None:
    if cell is None or type(cell).__name__ in MISSING_TYPES:
        return math.nan
    if isinstance(cell, bool | np.bool_ | complex | np.complexfloating) or not isinstance(cell, Number):
        return None
    try:
        return float(cell)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf


def _written_number(cell: str, decimal: str) -> float | None:
    text = text_of(cell)
    if text.casefold() in MISSING_WORDS:
        return math.nan
    number = text.removesuffix("%").rstrip().replace("\N{MINUS SIGN}", "-")
    if decimal == ",":
        number = number.translate({ord(","): ".", ord("."): ","})
    return float(number) if _NUMBER.fullmatch(number) else None


def _not_a_score(place: str, cell: Any, decimal: str, *, is_text: bool) -> TableError:
    problem = f"{place}: {short(cell)}"
    text = text_of(cell)
    if _value(cell, decimal) is not None or text.casefold().lstrip("+-") in ("inf", "infinity"):
        return TableError(f"{problem} is not finite")
    other = "," if decimal == "." else "."
    if _written_number(text, other) is not None:
        hint = f"if {other!r} is the decimal mark, pass {{}}"
        return TableError(f"{problem} is not a number with the decimal mark {decimal!r}", hint, "decimal", other)
    if _THOUSANDS.fullmatch(text):
        return TableError(f"{problem} has a thousands separator, which is not read")
    if is_text:
        hint = "if each row holds one score of one classifier, pass {}"
        return TableError(f"{problem} is not a number", hint, "layout", "long")
    return TableError(f"{problem} is not a number")


# --- names and messages -----------------------------------------------------------------------------------------------


def _fault(name: str) -> str | None:
    """Return what keeps a text from being a name."""
    if len(name) > MAX_NAME_LENGTH:
        return f"has {len(name):,} characters, and at most {MAX_NAME_LENGTH:,} are allowed"
    for character in "" if name.isprintable() else name:
        if character in _BIDIRECTIONAL or unicodedata.category(character) in ("Cc", "Cs"):
            return f"holds the control character {character!r}"
    return None


def _name(value: Any, argument: str) -> str:
    name = text_of(value)
    if fault := _fault(name) if name else "is empty":
        raise InvalidValueError(f"{argument}: the name {short(value)} {fault}")
    return name


def _names(values: Any, argument: str) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidTypeError(f"{argument} must be a sequence of names, not {short(values)}")
    names = tuple(_name(value, argument) for value in values)
    if repeated := _repeated(names):
        raise InvalidValueError(f"{argument} must be unique, but these are repeated: {listed(list(repeated))}")
    return names


def _repeated(names: Sequence[Any]) -> dict[Any, list[int]]:
    """Return the positions of each name that occurs more than once."""
    if len(set(names)) == len(names):
        return {}
    positions: dict[Any, list[int]] = {}
    for i, name in enumerate(names):
        positions.setdefault(name, []).append(i)
    return {name: at for name, at in positions.items() if len(at) > 1}


def _natural(name: str) -> tuple[list[Any], str]:
    """Sort by text and by numbers in it: fold 2 before fold 10."""
    parts = re.split(r"(\d+)", name.casefold())
    return [int(part) if part.isdecimal() else part for part in parts], name


def _rows(grid: Grid, at: Sequence[int]) -> str:
    return f"{grid.word}s {examples([str(grid.numbers[i]) for i in at])}"
