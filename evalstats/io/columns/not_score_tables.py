"""Is a wide table one of datasets and classifiers at all? Many others look so, and their ranks would mean nothing."""

from __future__ import annotations

__all__ = [
    "are_unnamed",
    "refuse_counts",
    "refuse_counts_and_pairs",
    "refuse_other_numbers",
    "refuse_other_tables",
]

import math
import re
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

import numpy as np

from evalstats._errors import listed
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called, one_of, plain_name, simplified, word_list
from evalstats._types import FloatArray
from evalstats.io.columns.grammar import VERSUS, counted, is_classifier_name, is_dataset_name, is_run
from evalstats.io.columns.kinds import is_kind, role_of, same_again
from evalstats.io.columns.summaries import is_summary
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in, numbers_in
from evalstats.metrics.directions import direction_of
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of

_SETS = re.compile(rf"{one_of('sets.prefix')}_(?=.)")
# a column that is called so counts them
_COUNTED = frozenset(word_list("first_columns.counted"))
# a first column that is called so says under which setting of one dataset they were measured, or when
_SETTINGS = frozenset(word_list("first_columns.setting"))
# a first column that is called so names cases of one dataset
_CASES = frozenset(word_list("first_columns.case"))
_CLASSES = frozenset(word_list("first_columns.class"))
_TRUE = frozenset(word_list("columns.actual"))
_SIDES = frozenset(word_list("columns.classifier", "columns.side"))
_DESCRIBED = frozenset(word_list("summaries.described"))
FEWEST = 3
FEWEST_LABELS = 10
FEWEST_SHARES = 5
_ROUNDED = 0.0051  # of sums of shares with few digits
_NUMBER_OF_COLUMN = re.compile(r"(?:classifier )?\d+")
_AS_WIDE = "; if they are datasets and classifiers all the same, pass {}"
# folds of so many cases are looked for; a score is a whole number of them to so many digits
_LARGEST_FOLD, _PRECISION, _DIGITS_OF_TABLES, _ENOUGH = 1_000, 5.1e-7, 4, 20
_SINGLE_PRECISION = 1e-7  # what it adds to a decimal, at most

_NO_LETTER = re.compile(r"[\W_]")
_MEAN_RANK = re.compile(rf"(?<![^\W\d_]){one_of('summaries.rank')}(?![^\W\d_])", re.IGNORECASE)
_COUNTS = frozenset(word_list("first_columns.confusion_count"))
_PAIRED = re.compile(r"([^\W\d_]+)[\W_]*([12ab])", re.IGNORECASE)  # model_1 and model_2, clf1 and clf2
_PREDICTED = re.compile(r"(?:pred|predicted|prediction)[\W_]+", re.IGNORECASE)


def refuse_counts_and_pairs(grid: Grid, *, has_answers: bool = False) -> None:
    """Refuse counts of confusion matrices, and tables with two columns of classifiers: the results of their pairs.

    Where rows are answers, a label may be called like a mean rank.
    """
    if not has_answers:
        _refuse_mean_ranks(grid)
    refuse_counts(
        grid,
        "give the predictions, or one score for each dataset and classifier; if they are datasets and classifiers all "
        "the same, pass {}",
        ("layout", "wide"),
    )
    _refuse_pairs(grid)


def refuse_counts(grid: Grid, hint: str, option: tuple[str, str] = ("", "")) -> None:
    """Refuse the counts of a confusion matrix, or of several in a row each, and say what is needed."""
    names = [plain_name(name) for name in grid.header]
    is_matrix = len(names) > 2 and simplified(grid.header[0]) in _TRUE
    if is_matrix and (rows := list(map(text_of, grid.columns[0]))) and len(set(rows)) == len(rows) > 1:
        classes = {_PREDICTED.sub("", name) for name in grid.header[1:]}
        is_matrix = set(rows) <= classes
    else:
        is_matrix = False
    if is_matrix or len(_COUNTS.intersection(names)) > 1:
        what = listed(
            grid.header[1:] if is_matrix else [n for n, x in zip(grid.header, names, strict=True) if x in _COUNTS]
        )
        problem = f"{grid.name}: the columns {what} are counts of a confusion matrix, not classifiers"
        raise TableError(problem, hint, *option)


def _refuse_mean_ranks(grid: Grid) -> None:
    """Refuse mean ranks of classifiers, with other means or alone: nothing is left of what they are computed from."""
    if not grid.header or not grid.numbers:
        return
    of_classifiers = any(is_called(name, CLASSIFIER_COLUMNS) for name in grid.header)
    if any(is_called(name, DATASET_COLUMNS) for name in grid.header[0 if of_classifiers else 1 :]):
        return
    if of_classifiers:
        named = [
            name
            for name, column in zip(grid.header, grid.columns, strict=True)
            if None not in numbers_in(column, ".") and not is_called(name, CLASSIFIER_COLUMNS)
        ]
    else:
        named = [cell if isinstance(cell, str) else "" for cell in grid.columns[0]]
    ranks = [name for name in named if _MEAN_RANK.search(name) and is_summary(name)]
    if ranks and all(map(is_summary, named)):
        raise TableError(
            f"{grid.name}: {short(ranks[0])} holds mean ranks, and not the scores that they were computed from; "
            "'evalstats audit', or check_published_ranks() in Python, tells whether they can be right and what follows"
        )


def _refuse_pairs(grid: Grid) -> None:
    stems: dict[str, str] = {}
    for name in grid.header:
        match = _PAIRED.fullmatch(name)
        stem = match[1].casefold() if match else ""
        if stem in _SIDES and stems.setdefault(stem, name) != name and _hold_names(grid, name, stems[stem]):
            raise TableError(
                f"{grid.name}: the columns {short(stems[stem])} and {short(name)} name pairs of classifiers",
                "give one score for each dataset and classifier; if one of them is a note, pass {}",
                "drop",
                name,
            )


def _hold_names(grid: Grid, *names: str) -> bool:
    columns = [grid.columns[grid.header.index(name)] for name in names]
    return all(number_in(cell, ".") is None for column in columns for cell in column)


def refuse_other_tables(
    grid: Grid,
    key: int | None,
    heads: Sequence[int],
    kept: Container[str] = (),
    *,
    is_across: bool = False,
    has_runs: bool = False,
) -> None:
    """Refuse a table whose names say that its rows are no datasets, or its columns no classifiers.

    `key` is the column of the names of rows, `heads` are those of scores, `kept` are names that may be anything;
    the rows of a table that is turned, `is_across`, were columns; those of one that `has_runs` have no other names.
    """
    names = [grid.header[j] for j in heads if grid.header[j] not in kept]
    rows = [] if key is None or has_runs else [text_of(cell) for cell in grid.columns[key]]
    counts_rows = _are_whole(grid.columns[0]) and not is_classifier_name(grid.header[0])  # an lr of whole numbers
    has_corner = not has_runs and (key is not None or counts_rows)
    corner = [grid.header[0 if key is None else key]] if has_corner else []
    if _mostly(rows, is_dataset_name) or (corner == ["row"] and not _are_whole(grid.columns[key or 0])):
        corner = []  # the rows have names of their own
    is_told = not is_across and key is not None and is_called(grid.header[key], DATASET_COLUMNS)
    if is_told and counted(rows):
        rows = []  # f1 is no metric there
    found = _of_corner(corner, names) or _of_columns(names)
    found = found or (None if is_told else _of_counted(rows, is_across=is_across)) or _of_rows(rows, names)
    if found is not None:
        problem, what = found
        raise TableError(f"{grid.name}: {problem}", what + _AS_WIDE, "layout", "wide")
    _refuse_metrics(grid, (*names, *(name for name in rows if role_of(name) == "metric" and name not in kept)))


def refuse_other_numbers(grid: Grid, heads: Sequence[int], decimal: str, *, has_runs: bool) -> None:
    """Refuse rows without names of datasets whose numbers are no scores of datasets: probabilities, labels, counts."""
    rows = np.array([[math.nan if x is None else x for x in numbers_in(grid.columns[j], decimal)] for j in heads]).T
    _refuse_shares(grid, heads, rows)
    _refuse_labels(grid, heads, rows)
    _refuse_counts_of_classes(grid, heads, rows)
    if not has_runs and not are_unnamed([grid.header[j] for j in heads]):
        _refuse_folds(grid, rows)


def are_unnamed(names: list[str]) -> bool:
    """Tell whether the columns of an array were numbered: who gives one knows its axes."""
    return names == [f"classifier {j + 1}" for j in range(len(names))]


def _refuse_shares(grid: Grid, heads: Sequence[int], rows: FloatArray) -> None:
    """Refuse the probabilities of classes, which add up to 1 in each row."""
    if len(heads) < 2 or len(rows) < FEWEST_SHARES:
        return
    if rows.min() >= 0 and rows.max() < 2 and np.abs(rows.sum(axis=1) - 1).max() < _ROUNDED:
        raise TableError(
            f"{grid.name}: the columns {listed([grid.header[j] for j in heads])} add up to 1 in each row, as the "
            "probabilities of classes do",
            "give true labels beside them, and the probability of the positive label of each classifier; if they are "
            "scores, pass {}",
            "layout",
            "wide",
        )


def _refuse_labels(grid: Grid, heads: Sequence[int], rows: FloatArray) -> None:
    """Refuse few whole numbers in rows without names, mostly the same in each row: labels that were predicted."""
    n, n_found = len(rows), len(np.unique(rows))
    if len(heads) < 2 or n < FEWEST_LABELS or not 2 <= n_found <= n / 3 or not (rows % 1 == 0).all():
        return
    if 2 * (rows == rows[:, :1]).all(axis=1).sum() >= n:
        raise TableError(
            f"{grid.name}: the columns {listed([grid.header[j] for j in heads])} hold whole numbers, most of them the "
            "same in each row, as labels that were predicted for cases are",
            "give the true labels beside them, in a column y_true; if they are scores, pass {}",
            "layout",
            "wide",
        )


def _refuse_counts_of_classes(grid: Grid, heads: Sequence[int], rows: FloatArray) -> None:
    """Refuse a square of whole numbers without names, largest on its diagonal."""
    k = len(heads)
    if k < 2 or len(rows) != k or not all(_NUMBER_OF_COLUMN.fullmatch(grid.header[j]) for j in heads):
        return
    diagonal = rows.diagonal()
    beside = rows[~np.eye(k, dtype=bool)].reshape(k, k - 1)
    if (rows % 1 == 0).all() and rows.min() >= 0 and diagonal.max() > 1 and (diagonal > beside.max(axis=1)).all():
        raise TableError(
            f"{grid.name} is a square of whole numbers, with the largest of each row on its diagonal, as a confusion "
            "matrix is",
            "give the predictions, or one score for each dataset and classifier; if its rows are datasets, pass {}",
            "layout",
            "wide",
        )


def _refuse_folds(grid: Grid, scores: FloatArray) -> None:
    """Refuse scores of rows without names of datasets that are shares of equally many cases: folds of one dataset."""
    if len(scores) < FEWEST or np.isnan(scores).any() or scores.min() < 0 or scores.max() > 100:
        return
    scores = scores / 100 if scores.max() > 1 else scores
    are_rounded = np.abs(scores - scores.round(_DIGITS_OF_TABLES)).max(axis=1) < _SINGLE_PRECISION
    if 2 * are_rounded.sum() > len(scores):
        return
    scores = scores[:, :_ENOUGH]
    cases = np.arange(1, _LARGEST_FOLD + 1)[:, None, None]
    shares = np.abs(scores * cases - np.round(scores * cases)).max(axis=-1) < _PRECISION * cases[..., 0]
    shares = np.vstack([shares, np.zeros(len(scores), dtype=bool)])
    if not shares.any(axis=0).all():
        return
    at = int(shares.argmax(axis=0).max())  # the largest of the smallest sizes that rows can have
    sizes = next((own for own in ((at,), (at - 1, at), (at, at + 1)) if shares[list(own)].any(axis=0).all()), ())
    if sizes:
        fractions = " or ".join(f"1/{n + 1}" for n in sizes)
        raise TableError(
            f"{grid.name}: the rows have no names of datasets, and all scores are multiples of {fractions}, as those "
            "of folds of one dataset are",
            "add a column fold, or repeat; if the rows are datasets, pass {}",
            "layout",
            "wide",
        )


def _refuse_metrics(grid: Grid, names: Iterable[str]) -> None:
    for name in names:
        is_other = _is_metric(name) or role_of(name) in ("metric", "mean", "test", "training", "validation")
        if is_other and not is_classifier_name(name):
            raise TableError(
                f"{grid.name}: {short(name)} is called like a metric, not like a dataset or a classifier",
                "if it is none, pass {}; if it is one, pass {keep}",
                "drop",
                name,
            )


def _of_corner(corner: Sequence[str], names: Sequence[str]) -> tuple[str, str] | None:
    """Return what the name above the rows says that they are, if not datasets, and what to do."""
    if counter := next((name for name in (*corner, *names) if simplified(name) in _COUNTED), None):
        return (
            f"the column {short(counter)} counts rows of one dataset, and does not name datasets",
            "call it fold or repeat if it does so",
        )
    for known, what, hint in (
        (
            _SETTINGS,
            "settings or times of one dataset",
            "compare under one of them, on several datasets",
        ),
        (_CASES, "cases of one dataset", "give one row for each answer, with columns model, question_id and score"),
        (_CLASSES, "classes of one dataset", "give the predictions, or one row for each dataset"),
    ):
        if any(simplified(name) in known for name in corner):
            return f"the rows are called {short(corner[0])}: they are {what}, not datasets", hint
    return None


def _of_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return what the names of columns say that they are, if not classifiers, and what to do."""
    if _are_others(names):
        return (
            f"the columns {listed(names)} are called like metrics, not like classifiers",
            "choose one with {metric} or {score} in a table with a column of datasets and one of classifiers",
        )
    if len(names) > 1 and all(map(is_run, names)):
        return (
            f"the columns {listed(names)} are called like folds or runs, not like classifiers",
            "if the rows are classifiers, call the column of their names classifier",
        )
    if several := same_again(names):
        return (
            f"each of {listed(several)} heads several numbered columns, which may be runs of one classifier",
            "give one row for each run, with a column repeat",
        )
    return None


def _of_rows(rows: Sequence[str], names: Sequence[str]) -> tuple[str, str] | None:
    """Return what the names of rows say that they are, if not datasets, and what to do."""
    if _are_others(rows) and not _mostly(rows, is_dataset_name):
        return (
            f"the rows {listed(rows)} are called like metrics, not like datasets",
            "keep the scores of one metric on several datasets",
        )
    if len(rows) > 1 and all(map(is_run, rows)):
        what = f"the rows {listed(rows)} are called like folds or runs, not like datasets"
        return what, "call their column fold or repeat"
    if len(rows) > 1 and all(map(VERSUS.fullmatch, rows)):
        return (
            f"the rows {listed(rows)} are pairs of classifiers, not datasets",
            "give one row for each dataset and one column for each classifier",
        )
    if len(_DESCRIBED.intersection(rows)) > 1:
        return (
            f"the rows {listed(rows)} describe the columns of another table, as pandas' describe() does",
            "give that table",
        )
    if len(rows) > 1 and list(rows) == list(names):
        return (
            f"rows and columns have the same names, {listed(rows)}, as in a matrix of pairs, or of classes",
            "give one row for each dataset and one column for each classifier",
        )
    return None


def _of_counted(rows: Sequence[str], *, is_across: bool) -> tuple[str, str] | None:
    """Return what rows that are only counted may be, and what to do; columns of classifiers may be numbers alone."""
    if not counted(rows, of_columns=is_across):
        return None
    axis = "columns" if is_across else "rows"
    return (
        f"the {axis} {listed(rows)} are only numbered, and may be folds or runs of one dataset",
        "call them fold 1 ... or repeat 1 ... if they are"
        if is_across
        else "call their column fold or repeat if they are",
    )


def _mostly(names: Sequence[str], is_so: Callable[[str], bool]) -> bool:
    """Tell whether at least two of some names, and half of them, are so."""
    n = sum(map(is_so, names))
    return n > 1 and 2 * n >= len(names)


def _are_whole(column: Any) -> bool:
    values = numbers_in(column, ".")
    return all(value is not None and value % 1 == 0 for value in values)


def _are_others(names: Sequence[str]) -> bool:
    """Tell whether half of some names are those of metrics, times or the like, or all have words of metrics."""
    if _mostly(names, lambda name: is_classifier_name(_NO_LETTER.split(name.strip())[-1])):  # AUC-SVM, F1-boost
        return False
    return _mostly(names, is_kind) or (len(names) > 1 and all(map(_is_other, names)))


def _is_other(name: str) -> bool:
    """Tell whether a name is that of a metric, a time or the like."""
    return is_kind(name) or _is_metric(name) or direction_of(_SETS.sub("", simplified(name))) is not None


def _is_metric(name: str) -> bool:
    plain = _SETS.sub("", simplified(name))
    return plain in word_list("metrics.of_classes")
