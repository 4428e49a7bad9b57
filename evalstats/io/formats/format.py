"""Interface of a file format: how it is recognized, how its table is read, and the result.

Each program has one module in `evalstats.io.formats`, which declares its formats as `FORMATS`. A format converts a
source to a grid with fixed column names. The readers of plain tables then apply all checks to this grid.
"""

from __future__ import annotations

__all__ = [
    "Format",
    "Found",
    "Rows",
    "Sign",
    "chosen_metric",
    "column_called",
    "directions",
    "file_stem",
    "items_in",
    "positive_scores",
    "predictions_found",
    "rows_of",
    "scores_found",
]

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._lexicon import is_called
from evalstats.io.options import Asked
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import not_a_number, number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of

if TYPE_CHECKING:
    from evalstats.io.sources.source import Seen


SCORES = ("dataset", "classifier", "repeat", "fold", "score", "n_train", "n_test")
ITEMS = ("model", "benchmark", "question", "epoch", "cluster", "score")
PREDICTIONS = ("dataset", "classifier", "repeat", "fold", "instance", "y_true", "y_pred", "y_score", "cluster")


# the kinds of source that can show each sign
KINDS = {
    "columns": ("text", "frame"),
    "keys": ("json", "document"),
    "lines": ("json-lines",),
    "files": ("directory", "files"),
    "archive": ("zip",),
    "arff": ("text",),
    "text": ("text",),
    "attributes": ("object",),
}


@dataclass(frozen=True)
class Sign:
    """Sign that a source may have a format. A sign is data, so the check of a sign loads no module.

    Attributes
    ----------
    of : str
        Place of the names. ``'columns'``: names of the columns of text or a frame. ``'keys'``: words of a JSON
        document. ``'lines'``: words of JSON lines. ``'text'``: words of any other text. ``'files'``: names of the files
        of a directory or of a list of paths. ``'archive'``: names of the files of a zip. ``'arff'``: attributes of an
        ARFF file. ``'attributes'``: attributes of a Python object.
    names : tuple of str
        Names that must all occur. If a string contains several names separated by ``|``, one of them is sufficient. In
        the name of a column or a file, ``*`` stands for any characters.
    without : tuple of str
        Columns that must not occur.

    Examples
    --------
    >>> Sign("columns", ("run_id", "metrics.*")).of
    'columns'
    """

    of: str
    names: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def is_shown_by(self, seen: Seen) -> bool:
        """Return whether a source has the sign."""
        if seen.kind not in KINDS[self.of]:
            return False
        if self.of == "columns":
            return not _any_of(self.without, seen.header) and all(_column(name, seen.header) for name in self.names)
        if self.of in ("files", "archive"):
            return all(any(map(_file(names).search, seen.members)) for names in self.names)
        if self.of == "attributes":
            return set(self.names) <= set(dir(seen.source))
        if self.of == "arff":
            start = seen.start.casefold()
            return start.lstrip()[:1] in ("@", "%") and all(f"@attribute {n.casefold()} " in start for n in self.names)
        return all(any(word in seen.face for word in words.split("|")) for words in self.names)


def _column(names: str, header: Sequence[str]) -> bool:
    return _any_of(names.split("|"), header)


def _any_of(names: Iterable[str], header: Sequence[str]) -> bool:
    return any(any(map(_pattern(name).match, header)) if "*" in name else name in header for name in names)


@lru_cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(translate(name))


@lru_cache
def _file(names: str) -> re.Pattern[str]:
    """Return a pattern that matches the last parts of a path. ``|`` separates alternatives, ``*`` is a wildcard."""
    either = "|".join(re.escape(name).replace(r"\*", "[^/]*") for name in names.split("|"))
    return re.compile(rf"(?:^|/)(?:{either})$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Found:
    """Content that a format found in a source.

    Attributes
    ----------
    grid : Grid
        Columns with the names of `SCORES`, `PREDICTIONS` or `ITEMS`, without columns that the source does not contain.
        A missing score is nan, None or an empty text, not 0.
    layout : {'long', 'predictions', 'answers'}
        Type of the columns.
    metric : str
        The metric of the scores; for predictions, the requested metric, or ``''``.
    greater_is_better : bool or None
        The direction of `metric`, if the format defines it. If it is None, the reader asks for the direction. The
        direction is not used for predictions.
    unit : str
        The unit of the scores.
    findings : tuple of Finding
        Choices and omissions, with their reasons.
    format : str
        Name of the format. The reader sets it.
    measure : str
        Name of the metric of the answers in the source. `metric` may be the standard name of this metric.
    questions : dict of tuple to tuple
        Content and wording of each question of a log, by the model, the benchmark and the name of the question. They
        show whether another log has the same questions.
    """

    grid: Grid
    layout: str
    metric: str = ""
    greater_is_better: bool | None = None
    unit: str = ""
    findings: tuple[Finding, ...] = ()
    format: str = ""
    measure: str = ""
    questions: Mapping[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Format:
    """File format of the results of one program.

    Attributes
    ----------
    name : str
        Value of `format` in `read_table`: the name of the program, such as ``'weka'``. If the program writes several
        kinds of results, the kind follows, as in ``'weka-csv'``.
    title : str
        The program and the kind of its file, such as ``'WEKA Experimenter, CSV'``.
    description : str
        One line that states the source and the scores.
    example : str
        A short example of such a file, or the call that creates such an object.
    recognises : tuple of Sign
        A source with one of these signs may have this format.
    read : callable
        ``read(seen, asked)`` returns a `Found`, or raises a TableError.
    confirms : callable, optional
        ``confirms(seen)`` returns whether a source that shows a sign has this format, if the signs are not sufficient.
        The function reads only the beginning of the source.
    each_file : bool
        Whether each file of a directory, or of a list of paths, is a source of this format by itself.
    takes : tuple of str
        Columns that the caller may name, and ``'n_folds'`` if the format uses it. If a different column is named, the
        source is read as a plain table.
    """

    name: str
    title: str
    description: str
    example: str
    recognises: tuple[Sign, ...]
    read: Callable[[Seen, Asked], Found] = field(repr=False)
    confirms: Callable[[Seen], bool] | None = field(default=None, repr=False)
    each_file: bool = False
    takes: tuple[str, ...] = ()


def scores_found(
    seen: Seen,
    columns: Mapping[str, Sequence[Any]],
    *,
    metric: str,
    greater_is_better: bool | None,
    numbers: Sequence[int] | None = None,
    unit: str = "",
    findings: Sequence[Finding] = (),
) -> Found:
    """Return the long grid of scores as a `Found`. `numbers` contains the line numbers of the rows."""
    grid = _grid(seen, columns, numbers)
    return Found(
        grid=grid,
        layout="long",
        metric=metric,
        greater_is_better=greater_is_better,
        unit=unit,
        findings=tuple(findings),
    )


def items_in(
    seen: Seen,
    columns: Mapping[str, Sequence[Any]],
    *,
    metric: str,
    greater_is_better: bool | None,
    findings: Sequence[Finding] = (),
) -> Found:
    """Return the long grid of answers as a `Found`, one row for each sampled answer."""
    return Found(
        grid=_grid(seen, columns, None),
        layout="answers",
        metric=metric,
        greater_is_better=greater_is_better,
        findings=tuple(findings),
    )


def predictions_found(
    seen: Seen,
    columns: Mapping[str, Sequence[Any]],
    *,
    metric: str = "",
    numbers: Sequence[int] | None = None,
    findings: Sequence[Finding] = (),
) -> Found:
    """Return the long grid of predictions as a `Found`, one row for each instance."""
    return Found(grid=_grid(seen, columns, numbers), layout="predictions", metric=metric, findings=tuple(findings))


def chosen_metric(seen: Seen, asked: Asked, known: Sequence[str], default: str | None = None) -> str:
    """Return the requested metric, the default or the only metric, or raise an error if several remain."""
    if asked.metric is not None:
        if asked.metric in known:
            return asked.metric
        raise TableError(f"{seen.name} has no metric {short(asked.metric)}; its metrics are {listed(known)}")
    if default is not None and default in known:
        return default
    if len(known) == 1:
        return known[0]
    if not known:
        raise TableError(f"{seen.name} holds no metric")
    raise TableError(f"{seen.name} holds the metrics {listed(known)}", "choose one, for example {}", "metric", known[0])


def directions(gains: str, losses: str) -> dict[str, bool]:
    """Map metric names to whether greater values are better. Names in an argument are separated by spaces."""
    return {**dict.fromkeys(gains.split(), True), **dict.fromkeys(losses.split(), False)}


def _grid(seen: Seen, columns: Mapping[str, Sequence[Any]], numbers: Sequence[int] | None) -> Grid:
    n = len(next(iter(columns.values()), ()))
    return Grid(
        name=seen.name,
        header=list(columns),
        columns=[list(column) for column in columns.values()],
        word="line" if numbers is not None and seen.kind in ("text", "json-lines") else "row",
        numbers=range(1, n + 1) if numbers is None else numbers,
        must_name_datasets=False,
        file=seen.file,
    )


@dataclass(frozen=True)
class Rows:
    """Columns by name, with the line or row numbers."""

    name: str
    columns: Mapping[str, list[Any]]
    numbers: list[int]
    word: str = "line"

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> list[Any]:
        return self.columns[name]

    def texts(self, name: str) -> list[str]:
        """Return the cells of a column as texts."""
        return [cell if isinstance(cell, str) else text_of(cell) for cell in self.columns[name]]

    def where(self, name: str, is_kept: Callable[[Any], bool]) -> Rows:
        """Return the rows for which `is_kept` is true of the cell in a column."""
        return self.at([i for i, cell in enumerate(self.columns[name]) if is_kept(cell)])

    def at(self, kept: Sequence[int]) -> Rows:
        """Return the rows at the given positions."""
        columns = {name: [column[i] for i in kept] for name, column in self.columns.items()}
        return replace(self, columns=columns, numbers=[self.numbers[i] for i in kept])

    def values(self, name: str) -> list[float]:
        """Return a column of numbers. A missing number is nan."""
        return [self._value(name, i, cell) for i, cell in enumerate(self.columns[name])]

    def _value(self, name: str, i: int, cell: Any) -> float:
        value = number_in(cell, ".")
        if value is None or math.isinf(value):
            place = f"{self.name}, {self.word} {self.numbers[i]}, column {short(name)}"
            raise not_a_number(place, cell, ".", is_text=False)
        return value


def rows_of(seen: Seen, required: Sequence[str], title: str) -> Rows:
    """Return the rows of text or a frame, or raise an error if a required column is missing or repeated."""
    grid = seen.grid
    for name in required:
        if name not in grid.header:
            raise TableError(f"{seen.name} lacks the column {short(name)} of {title}")
    if repeated := [name for name in grid.header if name and grid.header.count(name) > 1]:
        raise TableError(f"{seen.name}: {grid.header.count(repeated[0])} columns are called {short(repeated[0])}")
    columns = {
        name: column.tolist() if isinstance(column, np.ndarray) else list(column)
        for name, column in zip(grid.header, grid.columns, strict=True)
    }
    return Rows(seen.name, columns, list(grid.numbers), grid.word)


def column_called(names: Iterable[str], known: Sequence[str]) -> str | None:
    """Return the first column with a known name, or None if there is none."""
    return next((name for name in names if is_called(name, known)), None)


def file_stem(seen: Seen, otherwise: str) -> str:
    """Return the file name without its suffix. Return `otherwise` if the source is not a file."""
    return os.path.splitext(seen.file)[0] if seen.file else otherwise


def positive_scores(
    asked: Asked, datasets: Sequence[str], y_true: Sequence[str], probabilities: Mapping[str, Sequence[Any]]
) -> list[Any] | None:
    """Return the probability of the positive label in each row. Return None if a dataset has no positive label.

    Parameters
    ----------
    asked : Asked
        `pos_label` is the positive label, or a dict of the positive labels of all datasets.
    datasets, y_true : sequence of str
        Name of the dataset and true label in each row.
    probabilities : mapping of str to sequence
        The probability of each label in each row.
    """
    from evalstats.io.layouts.labels import usual_positive

    labels: dict[str, set[str]] = {}
    for dataset, label in zip(datasets, y_true, strict=True):
        labels.setdefault(dataset, set()).add(label)
    positive: dict[str, str | None] = {}
    for dataset, own in labels.items():
        given = asked.pos_label
        if isinstance(given, Mapping):
            given = {text_of(key): value for key, value in given.items()}.get(dataset)
        positive[dataset] = usual_positive(sorted(own)) if given is None else text_of(given)
    if any(label not in probabilities for label in positive.values()):
        return None
    return [probabilities[positive[dataset] or ""][i] for i, dataset in enumerate(datasets)]
