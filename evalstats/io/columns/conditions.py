"""Predicates for rules: signs that cells, names or numbers do not form a table of datasets and classifiers."""

from __future__ import annotations

__all__ = [
    "SETTINGS",
    "Names",
    "Numbers",
    "Seen",
    "are_described",
    "are_unnamed",
    "cases",
    "classes",
    "confusion_counts",
    "counted_columns",
    "counted_rows",
    "counter",
    "described",
    "folds_without_names",
    "labels",
    "labels_and_shares",
    "mean_ranks",
    "metric_columns",
    "metric_name",
    "metric_rows",
    "metrics_by_run",
    "names_of",
    "numbered_again",
    "pairs_in_columns",
    "pairs_in_rows",
    "predictions_alone",
    "run_columns",
    "run_rows",
    "same_names",
    "settings",
    "shares",
    "square",
    "training_log",
]

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _lexicon
from evalstats._errors import listed
from evalstats._types import FloatArray
from evalstats.io.columns.grammar import VERSUS, alike, counted, is_classifier_name, is_dataset_name, is_run
from evalstats.io.columns.kinds import is_beside, is_kind, role_of, same_again
from evalstats.io.columns.roles import columns_called, without_role
from evalstats.io.columns.summaries import RANK, is_summary
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import are_plain_numbers, number_in, numbers_in
from evalstats.io.sources.rule import Match
from evalstats.io.sources.table_region import is_number
from evalstats.metrics.directions import direction_of, direction_of_metric
from evalstats.tables.errors import short
from evalstats.tables.names import text_of, texts_of

_SETS = re.compile(rf"{_lexicon.one_of('sets.prefix')}_(?=.)")
# a column with one of these names counts them
_COUNTED = frozenset(_lexicon.word_list("first_columns.counted"))
# a first column with one of these names gives the setting of one dataset, or the time of the measurement
SETTINGS = frozenset(_lexicon.word_list("first_columns.setting"))
# a first column with one of these names identifies instances of one dataset
_CASES = frozenset(_lexicon.word_list("first_columns.case"))
_CLASSES = frozenset(_lexicon.word_list("first_columns.class"))
_TRUE = frozenset(_lexicon.word_list("columns.actual"))
_SIDES = frozenset(_lexicon.word_list("columns.classifier", "columns.side"))
_DESCRIBED = frozenset(_lexicon.word_list("summaries.described"))
FEWEST = 3
FEWEST_LABELS = 10
FEWEST_SHARES = 5
_ROUNDED = 0.0051  # rounding error of a sum of proportions with few digits
_NUMBER_OF_COLUMN = re.compile(r"(?:classifier )?\d+")
# sizes of folds that are tried; a score is a multiple of 1 divided by the size, to this number of digits
_LARGEST_FOLD, _PRECISION, _DIGITS_OF_TABLES, _ENOUGH = 1_000, 5.1e-7, 4, 20
_SINGLE_PRECISION = 1e-7  # largest effect of single precision on a decimal

_NO_LETTER = re.compile(r"[\W_]")
_COUNTS = frozenset(_lexicon.word_list("first_columns.confusion_count"))
_PAIRED = re.compile(r"([^\W\d_]+)[\W_]*([12ab])", re.IGNORECASE)  # model_1 and model_2, clf1 and clf2
_PREDICTED = re.compile(r"(?:pred|predicted|prediction)[\W_]+", re.IGNORECASE)

_COURSE = "a training history"
_REPORT = "a classification report of scikit-learn for one classifier"
# columns that one of these programs writes, and what their rows are; none of them names datasets
_ON_ONE_DATASET = {
    "optuna": "the trials of a search by Optuna",
    "ray_tune": "trials of Ray Tune",
    "transformers": f"{_COURSE} by transformers",
    "transformers_evaluation": f"{_COURSE} by transformers",
    "classification_report": _REPORT,
    "classification_report_turned": _REPORT,
    **dict.fromkeys(("autogluon", "autogluon_of_test_data"), "the leaderboard of AutoGluon"),
    "caret": "the results of caret, with a row for each setting of one classifier",
    "caret_of_classes": "the results of caret, with a row for each setting of one classifier",
    "flaml": "the log of an AutoML search by FLAML",
    "kaggle": "the leaderboard of Kaggle",
    "pycaret": "the leaderboard of PyCaret",
    "tpot": "the individuals of a search by TPOT",
}
_PROGRAMS = {name: f"{what}, on one dataset" for name, what in _ON_ONE_DATASET.items()} | {
    "tabarena": "the leaderboard of TabArena, with values over all datasets and not on each",
}
_COUNTERS = frozenset(("", *_lexicon.word_list("first_columns.counter_in_logs")))
_SET = re.compile(rf"{_lexicon.one_of('sets.prefix', 'sets.prefix_in_logs')}[_/](?=.)")
_OVER_FOLDS = re.compile(r"_(?:mean|stdv?)$")


class Seen(NamedTuple):
    """Cells before their layout is known. If the rows are answers, a label may have the name of a mean rank."""

    grid: Grid
    has_answers: bool = False


class Names(NamedTuple):
    """Names in a wide table: columns, rows, corner cells; `asked` lists the names that may be metrics."""

    columns: Sequence[str]
    rows: Sequence[str]
    corner: Sequence[str]
    asked: Sequence[str]
    is_across: bool
    is_told: bool  # whether the caller declared the rows to be datasets


class Numbers(NamedTuple):
    """Numbers of a wide table whose rows have no names."""

    names: list[str]
    rows: FloatArray
    has_runs: bool


# --- cells ------------------------------------------------------------------------------------------------------------


def mean_ranks(seen: Seen) -> Match | None:
    """Find mean ranks of classifiers in a table that does not contain the scores."""
    grid = seen.grid
    if seen.has_answers or not grid.header or not grid.numbers:
        return None
    of_classifiers = any(_lexicon.is_called(name, _lexicon.CLASSIFIER_COLUMNS) for name in grid.header)
    if any(_lexicon.is_called(name, _lexicon.DATASET_COLUMNS) for name in grid.header[0 if of_classifiers else 1 :]):
        return None
    if of_classifiers:
        named = [
            name
            for name, column in zip(grid.header, grid.columns, strict=True)
            if None not in numbers_in(column, ".") and not _lexicon.is_called(name, _lexicon.CLASSIFIER_COLUMNS)
        ]
    else:
        named = [cell if isinstance(cell, str) else "" for cell in grid.columns[0]]
    ranks = [name for name in named if RANK.search(name)] if all(map(is_summary, named)) else []
    return {"rank": short(ranks[0])} if ranks else None


def confusion_counts(seen: Seen) -> Match | None:
    """Find the counts of one confusion matrix, or of several confusion matrices with one row each."""
    grid = seen.grid
    names = [_lexicon.plain_name(name) for name in grid.header]
    if len(names) > 2 and _lexicon.simplified(grid.header[0]) in _TRUE:
        rows, classes = texts_of(grid.columns[0]), {_PREDICTED.sub("", name) for name in grid.header[1:]}
        if len(set(rows)) == len(rows) > 1 and set(rows) <= classes:
            return {"columns": listed(grid.header[1:])}
    found = [name for name, plain in zip(grid.header, names, strict=True) if plain in _COUNTS]
    return {"columns": listed(found)} if len(_COUNTS.intersection(names)) > 1 else None


def counted_labels(seen: Seen) -> Match | None:
    """Find counts of pairs of a true and a predicted label, as in a melted confusion matrix."""
    grid = seen.grid
    true, predicted = (columns_called(grid, _lexicon.PREDICTION_COLUMNS[name]) for name in ("y_true", "y_pred"))
    if not (true and predicted) or columns_called(grid, (*_lexicon.ITEM_COLUMNS, *_lexicon.RUN_COLUMNS)):
        return None
    counts = [
        name for name in grid.header if _lexicon.plain_name(name) in ("n", "count", "counts", "freq", "frequency")
    ]
    if len(counts) != 1:
        return None
    column = grid.columns[grid.header.index(counts[0])]
    if not are_plain_numbers(column) or any((number_in(cell, ".") or 0.5) % 1 for cell in column):
        return None
    keys = columns_called(grid, (*_lexicon.DATASET_COLUMNS, *_lexicon.CLASSIFIER_COLUMNS))
    rows = list(zip(*(map(text_of, grid.columns[j]) for j in (true[0], predicted[0], *keys)), strict=True))
    return {"column": short(counts[0])} if len(set(rows)) == len(rows) else None


def pairs_in_columns(seen: Seen) -> Match | None:
    """Find two columns with the names of the two classifiers of a pair."""
    stems: dict[str, str] = {}
    for name in seen.grid.header:
        match = _PAIRED.fullmatch(name)
        stem = match[1].casefold() if match else ""
        if stem in _SIDES and stems.setdefault(stem, name) != name and _hold_names(seen.grid, name, stems[stem]):
            return {"first": short(stems[stem]), "second": short(name), "value": name}
    return None


def predictions_alone(seen: Seen) -> Match | None:
    """Find predicted labels in a table whose column of true labels has no such name."""
    grid, j = seen.grid, _predicted_alone(seen)
    if j is None:
        return None
    labels = set(texts_of(grid.columns[j]))
    if not 2 <= len(labels) <= len(grid.numbers) / 2:
        return None
    free = without_role(grid)
    same = [name for i, name in enumerate(grid.header) if name in free and labels == set(texts_of(grid.columns[i]))]
    return {"predicted": short(grid.header[j]), "value": same[0]} if same else None


def labels_and_shares(seen: Seen) -> Match | None:
    """Find predicted labels and class probabilities in a table without a column named as true labels."""
    grid, predicted = seen.grid, _predicted_alone(seen)
    if predicted is None or len(grid.numbers) < FEWEST_SHARES:
        return None
    names = without_role(grid)
    free = [j for j, name in enumerate(grid.header) if name in names and are_plain_numbers(grid.columns[j])]
    values = np.array([numbers_in(grid.columns[j], ".") for j in free], dtype=float)
    if len(free) < 2 or not np.abs(values.sum(axis=0) - 1).max() < _ROUNDED:
        return None
    return {"predicted": short(grid.header[predicted]), "names": listed(grid.header[j] for j in free)}


def _predicted_alone(seen: Seen) -> int | None:
    """Return the only column of predicted labels, or None if a column is named as true labels or scores."""
    grid = seen.grid
    predicted = columns_called(grid, _lexicon.PREDICTION_COLUMNS["y_pred"])
    named = (
        *_lexicon.RIGHT_COLUMNS,
        *_lexicon.SCORE_COLUMNS,
        *_lexicon.PREDICTION_COLUMNS["y_true"],
        *_lexicon.TRUE_AT_LAST,
    )
    if seen.has_answers or grid.is_held or len(predicted) != 1 or columns_called(grid, named):
        return None
    return predicted[0]


def training_log(seen: Seen) -> Match | None:
    """Find columns of a training log or of a hyperparameter search."""
    grid = seen.grid
    names = [_lexicon.simplified(name) for name in grid.header]
    program = _lexicon.program_of(names)
    what, known = (_PROGRAMS[program], _lexicon.word_list(f"programs.{program}")) if program else ("", ())
    others = [name for name in names if name not in known]
    if any(
        _lexicon.is_called(name, _lexicon.DATASET_COLUMNS) or _lexicon.is_called(name, _lexicon.CLASSIFIER_COLUMNS)
        for name in others
    ):
        return None
    if not what and (
        (_is_course(names) and all(map(are_plain_numbers, grid.columns)))
        or (_counts_rounds(names) and _measures_a_set(grid))
    ):
        what = f"{_COURSE}, on one dataset"
    return {"what": what} if what else None


# --- names ------------------------------------------------------------------------------------------------------------


def names_of(
    grid: Grid, key: int | None, heads: Sequence[int], kept: Container[str], *, is_across: bool, has_runs: bool
) -> Names:
    """Return the names of a wide table.

    `key` is the column of row names, `heads` contains the columns of scores, and `kept` contains names that are not
    checked. If `is_across`, the rows were columns in the source. If `has_runs`, the names of the rows may repeat.
    """
    names = [grid.header[j] for j in heads if grid.header[j] not in kept]
    rows = [] if key is None else texts_of(grid.columns[key])
    rows = list(dict.fromkeys(rows)) if has_runs else rows
    counts_rows = _are_whole(grid.columns[0]) and not is_classifier_name(grid.header[0])  # an lr of integers
    has_corner = not has_runs and (key is not None or counts_rows)
    corner = [grid.header[0 if key is None else key]] if has_corner else []
    if _mostly(rows, is_dataset_name) or (corner == ["row"] and not _are_whole(grid.columns[key or 0])):
        corner = []  # the rows have names of their own
    is_told = not is_across and key is not None and _lexicon.is_called(grid.header[key], _lexicon.DATASET_COLUMNS)
    if is_told and counted(rows):
        rows = []  # f1 is not a metric there
    like = alike(rows)
    metrics = {name for name in set(like) if role_of(name) == "metric" or (is_across and _is_score(name))}
    asked = (*names, *(name for name, own in zip(rows, like, strict=True) if own in metrics and name not in kept))
    return Names(names, rows, corner, asked, is_across, is_told)


def _is_score(name: str) -> bool:
    return _lexicon.simplified(name) in _lexicon.GENERIC_SCORE_COLUMNS and role_of(name) == "mean"


def counter(names: Names) -> Match | None:
    """Find a column that has the name of a row counter."""
    found = next((name for name in (*names.corner, *names.columns) if _lexicon.simplified(name) in _COUNTED), None)
    return None if found is None else {"column": short(found)}


def settings(names: Names) -> Match | None:
    """Find rows that have names of settings or times."""
    return _called(names.corner, SETTINGS)


def cases(names: Names) -> Match | None:
    """Find rows that have names of instances."""
    return _called(names.corner, _CASES)


def classes(names: Names) -> Match | None:
    """Find rows that have names of classes."""
    return _called(names.corner, _CLASSES)


def metric_columns(names: Names) -> Match | None:
    """Find columns that have names of metrics."""
    return _listed(names.columns) if _are_others(names.columns) else None


def run_columns(names: Names) -> Match | None:
    """Find columns that have names of folds or runs."""
    return _listed(names.columns) if len(names.columns) > 1 and all(map(is_run, names.columns)) else None


def numbered_again(names: Names) -> Match | None:
    """Find names that are repeated with the same numbers, such as LR_1, LR_2, NB_1, NB_2."""
    several = same_again(names.columns)
    return _listed(several) if several else None


def counted_columns(names: Names) -> Match | None:
    """Find columns of a transposed table whose names only number them."""
    is_so = names.is_across and not names.is_told and counted(names.rows, of_columns=True)
    return _listed(names.rows) if is_so else None


def counted_rows(names: Names) -> Match | None:
    """Find rows whose names only number them."""
    is_so = not names.is_across and not names.is_told and counted(names.rows)
    return _listed(names.rows) if is_so else None


def metric_rows(names: Names) -> Match | None:
    """Find rows that have names of metrics."""
    return _listed(names.rows) if _are_others(names.rows) and not _mostly(names.rows, is_dataset_name) else None


def metrics_by_run(names: Names) -> Match | None:
    """Find rows that have names of metrics in columns that have names of folds or runs."""
    return metric_rows(names) if run_columns(names) else None


def run_rows(names: Names) -> Match | None:
    """Find rows that have names of folds or runs."""
    return _listed(names.rows) if len(names.rows) > 1 and all(map(is_run, names.rows)) else None


def pairs_in_rows(names: Names) -> Match | None:
    """Find rows that have names of pairs of classifiers."""
    return _listed(names.rows) if len(names.rows) > 1 and all(map(VERSUS.fullmatch, names.rows)) else None


def described(names: Names) -> Match | None:
    """Find rows that have the names of the rows of pandas' describe()."""
    return _listed(names.rows) if are_described(names.rows) else None


def are_described(rows: Iterable[str]) -> bool:
    """Return whether rows have the names of the rows of pandas' describe()."""
    return len(_DESCRIBED.intersection(rows)) > 1


def same_names(names: Names) -> Match | None:
    """Find a table whose rows and columns have the same names, such as a matrix of pairs."""
    return _listed(names.rows) if len(names.rows) > 1 and list(names.rows) == list(names.columns) else None


def metric_name(names: Names) -> Match | None:
    """Find the name of a metric among the names in `asked`."""
    for name in names.asked:
        is_other = _is_metric(name) or role_of(name) in ("metric", "mean", "test", "training", "validation")
        if is_other and not is_classifier_name(name):
            return {"metric": short(name), "value": name}
    return None


def _called(corner: Sequence[str], known: frozenset[str]) -> Match | None:
    return {"corner": short(corner[0])} if any(_lexicon.simplified(name) in known for name in corner) else None


def _listed(names: Sequence[str]) -> Match:
    return {"names": listed(names)}


# --- numbers ----------------------------------------------------------------------------------------------------------


def shares(numbers: Numbers) -> Match | None:
    """Find class probabilities: numbers that add up to 1 in each row."""
    rows = numbers.rows
    if len(numbers.names) < 2 or len(rows) < FEWEST_SHARES:
        return None
    are_shares = rows.min() >= 0 and rows.max() < 2 and np.abs(rows.sum(axis=1) - 1).max() < _ROUNDED
    return _listed(numbers.names) if are_shares else None


def labels(numbers: Numbers) -> Match | None:
    """Find predicted labels: few distinct integers, which are mostly equal within a row."""
    rows = numbers.rows
    n, n_found = len(rows), len(np.unique(rows))
    if len(numbers.names) < 2 or n < FEWEST_LABELS or not 2 <= n_found <= n / 3 or not (rows % 1 == 0).all():
        return None
    return _listed(numbers.names) if 2 * (rows == rows[:, :1]).all(axis=1).sum() >= n else None


def square(numbers: Numbers) -> Match | None:
    """Find a square matrix of integers with the largest number of each row on the diagonal, like a confusion matrix."""
    k, rows = len(numbers.names), numbers.rows
    if k < 2 or len(rows) != k or not all(map(_NUMBER_OF_COLUMN.fullmatch, numbers.names)):
        return None
    diagonal = rows.diagonal()
    beside = rows[~np.eye(k, dtype=bool)].reshape(k, k - 1)
    is_so = (rows % 1 == 0).all() and rows.min() >= 0 and diagonal.max() > 1 and (diagonal > beside.max(axis=1)).all()
    return {} if is_so else None


def folds_without_names(numbers: Numbers) -> Match | None:
    """Find scores in unnamed rows that are proportions with the same denominator, like fold scores."""
    scores = numbers.rows
    if numbers.has_runs or are_unnamed(numbers.names):
        return None
    if len(scores) < FEWEST or np.isnan(scores).any() or scores.min() < 0 or scores.max() > 100:
        return None
    scores = scores / 100 if scores.max() > 1 else scores
    are_rounded = np.abs(scores - scores.round(_DIGITS_OF_TABLES)).max(axis=1) < _SINGLE_PRECISION
    if 2 * are_rounded.sum() > len(scores):
        return None
    scores = scores[:, :_ENOUGH]
    cases = np.arange(1, _LARGEST_FOLD + 1)[:, None, None]
    shares = np.abs(scores * cases - np.round(scores * cases)).max(axis=-1) < _PRECISION * cases[..., 0]
    shares = np.vstack([shares, np.zeros(len(scores), dtype=bool)])
    if not shares.any(axis=0).all():
        return None
    at = int(shares.argmax(axis=0).max())  # the largest of the smallest sizes that rows can have
    sizes = next((own for own in ((at,), (at - 1, at), (at, at + 1)) if shares[list(own)].any(axis=0).all()), ())
    return {"shares": " or ".join(f"1/{n + 1}" for n in sizes)} if sizes else None


def _hold_names(grid: Grid, *names: str) -> bool:
    columns = [grid.columns[grid.header.index(name)] for name in names]
    return not any(number_in(cell, ".") is not None or is_number(cell) for column in columns for cell in column)


def are_unnamed(names: list[str]) -> bool:
    """Return whether the columns have the default names of an array, 'classifier 1' to 'classifier k'."""
    return names == [f"classifier {j + 1}" for j in range(len(names))]


def _mostly(names: Sequence[str], is_so: Callable[[str], bool]) -> bool:
    """Return whether at least two names, and at least half of all names, satisfy a predicate."""
    most_others = max(min(len(names) - 2, len(names) // 2), 0)
    counts = Counter(alike(names))
    return len(names) > 1 and sum(n for name, n in counts.items() if not is_so(name)) <= most_others


def _are_whole(column: Any) -> bool:
    if isinstance(column, list):  # the first text that is not a number decides
        return all((value := number_in(cell, ".")) is not None and value % 1 == 0 for cell in column)
    values = numbers_in(column, ".")
    return all(value is not None and value % 1 == 0 for value in values)


def _are_others(names: Sequence[str]) -> bool:
    """Return whether at least half of the names are metrics or times, or all names contain words for them."""
    if _mostly(names, lambda name: is_classifier_name(_NO_LETTER.split(name.strip())[-1])):  # AUC-SVM, F1-boost
        return False
    if _mostly(names, is_kind):
        return True
    own = alike(names)
    return len(names) > 1 and all(_is_other(name) or is_beside(name) for name in own) and any(map(_is_other, own))


def _is_other(name: str) -> bool:
    """Return whether a name denotes a metric or a kind of column, such as a time."""
    plain = _SETS.sub("", _lexicon.simplified(name))
    return is_kind(name) or _is_metric(name) or any(direction_of(own) is not None for own in (plain, name))


def _is_metric(name: str) -> bool:
    plain = _SETS.sub("", _lexicon.simplified(name))
    return plain in _lexicon.word_list("metrics.of_classes")


def _counts_rounds(names: list[str]) -> bool:
    """Return whether the first named column counts training rounds."""
    named = [name for name in names if name]
    return bool(named) and named[0] in _COUNTERS


def _measures_a_set(grid: Grid) -> bool:
    """Return whether a column is a metric on the training or the validation data, as ``val/loss`` is."""
    sets = [
        (_SET.sub("", name), j) for j, own in enumerate(grid.header) if _SET.match(name := _lexicon.simplified(own))
    ]
    return any(direction_of_metric(name) is not None and are_plain_numbers(grid.columns[j]) for name, j in sets)


def _is_course(names: list[str]) -> bool:
    """Return whether all names except a counter are metrics on training data, test data or both."""
    measured = [name for name in names if name not in _COUNTERS]
    metrics = {_OVER_FOLDS.sub("", _SET.sub("", name)) for name in measured}
    of_sets = [name for name in measured if _SET.match(name)]
    is_counted = len(measured) < len(names) - (names[:1] == [""])
    is_course = len(of_sets) == len(measured) or is_counted or {_SET.sub("", name) for name in of_sets} >= metrics
    return (
        len(measured) + is_counted > 1 and bool(of_sets) and is_course and None not in map(direction_of_metric, metrics)
    )
