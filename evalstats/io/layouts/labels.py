"""Labels and class probabilities of each dataset: checks, and the choice of the positive label."""

from __future__ import annotations

__all__ = [
    "checked_labels",
    "is_one",
    "labels_in",
    "positive_labels",
    "refuse_classes",
    "refuse_complements",
    "refuse_many_targets",
    "refuse_shares",
    "unconfirmed_labels",
    "usual_positive",
    "words_for_missing",
]

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from evalstats._errors import InvalidTypeError, listed
from evalstats._findings import Finding
from evalstats._lexicon import ANSWER_WORDS, MISSING_WORDS, TRUTHS, simplified, word_list
from evalstats._types import FloatArray, IndexArray
from evalstats.io.columns.computed import refuse_spelled_twice
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in, numbers_in, written_number
from evalstats.tables.categorical import Names, distinct_keys, names_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import natural_order, text_of

# classes may be a few numbers with fractions, such as half stars
MOST_FRACTIONS = 20
FEW_RIGHT = 0.4  # a share
_EXACT, _MOST_DIGITS = 2**53, 4000  # numbers that a float has exactly; digits that Python turns into one
_TARGETS = "targets of a regression, but evalstats compares class labels"
_ERRORS = "give the error of each model on each dataset, or in each fold, in the columns dataset, classifier and score"
MISSING_LABELS = ("", *word_list("values.missing_label"))
_IS_CLASS = "is read as a class, although it may mean a missing value"
_ARE_CLASSES = "are read as classes, although they may mean a missing value"


def labels_in(grid: Grid, j: int, what: str) -> Names:
    """Return the labels in a column, or raise an error if a label is missing."""
    labels = names_in(grid.columns[j])
    missing = [label.casefold() in MISSING_LABELS for label in labels.names]
    if any(missing):
        raise _missing(grid, labels.first_of(missing), j, what)
    if what == "true" and len(labels.names) > MOST_FRACTIONS:
        _refuse_targets(grid, j, labels.names)
    return labels


def _missing(grid: Grid, i: int, j: int, what: str) -> TableError:
    label = "no answer" if what == "predicted" else "unknown"
    hint = f"write a label there, such as {label!r}, or leave out the rows of this instance for all classifiers"
    return TableError(f"{grid.place(i, j)}: the {what} label is missing", hint)


def words_for_missing(labels: Sequence[str], y_true: IndexArray) -> tuple[Finding, ...]:
    """Return a finding about labels such as 'none' that are read as classes, although they may mean a missing value."""
    found = [i for i, label in enumerate(labels) if label.casefold() in MISSING_WORDS]
    if not found:
        return ()
    is_true = np.isin(found, y_true)
    classes = [labels[i] for i, own in zip(found, is_true, strict=True) if own]
    wrong = [labels[i] for i, own in zip(found, is_true, strict=True) if not own]
    words = [f"{listed(classes)} {_IS_CLASS if len(classes) == 1 else _ARE_CLASSES}"] if classes else []
    words += [f"{listed(wrong)} is predicted but never true, and counts as an incorrect answer"] if wrong else []
    sentence = f"{'; '.join(words)}. No instance is left out."
    return (Finding(code="words-for-missing", severity="note", sentence=sentence),)


def _refuse_targets(grid: Grid, j: int, labels: Sequence[str]) -> None:
    """Reject true labels that are targets of a regression: numbers of which some have fractions."""
    values = []
    for label in labels:  # the first word of millions is enough
        if (value := number_in(label, ".")) is None:
            return
        values.append(value)
    if not all(value.is_integer() for value in values):
        raise TableError(
            f"{grid.name}: the column {short(grid.header[j])} of true labels holds {len(labels):,} numbers with "
            f"fractions, such as {listed(list(labels[:3]))}: {_TARGETS}",
            _ERRORS,
        )


def refuse_many_targets(grid: Grid, j: int, labels: Sequence[str]) -> None:
    """Reject many numeric true labels, which are regression targets, if predictions contain other numbers."""
    if len(labels) > MOST_FRACTIONS and all(number_in(label, ".") is not None for label in labels):
        column = f"the column {short(grid.header[j])} of true labels"
        problem = f"{grid.name}: {column} holds {len(labels):,} numbers, and other numbers are predicted: {_TARGETS}"
        raise TableError(problem, _ERRORS)


def _refuse_whole_targets(grid: Grid, labels: Sequence[str], y_true: IndexArray, y_pred: IndexArray | None) -> None:
    """Reject integer targets of a regression: predictions are close to the true values, but rarely equal.

    If numbers are labels, incorrect predictions are not closer to the true labels than other labels are.
    """
    values = [number_in(label, ".") for label in labels]
    if len(labels) <= MOST_FRACTIONS or None in values or len(np.unique(y_true)) <= 2:  # scores of two classes
        return
    if y_pred is not None:
        number = np.array(values, dtype=np.float64)
        true, predicted = number[y_true], number[y_pred]
        n_same = int((y_true == y_pred).sum())
        spread = true.std() * predicted.std()
        agreement = ((true - true.mean()) * (predicted - predicted.mean())).mean() / spread if spread > 0 else 0.0
        share = n_same / len(y_true)
        if share >= FEW_RIGHT or agreement < share + FEW_RIGHT:
            return
        how = f"of which {n_same:,} of {len(y_true):,} are predicted exactly and the others approximately"
    else:
        how = "which scores of one label cannot predict"
    raise TableError(
        f"{grid.name}: the true labels are {len(np.unique(y_true)):,} whole numbers, {how}: {_TARGETS}", _ERRORS
    )


def checked_labels(
    grid: Grid,
    j: int | None,
    datasets: Sequence[str],
    dataset: IndexArray,
    labels: Sequence[str],
    y_true: IndexArray,
    y_pred: IndexArray | None,
) -> list[list[str]]:
    """Return the labels of each dataset. Reject predictions that can never equal a true label.

    `j` is the column of the predicted labels.
    """
    if not grid.is_held:  # each row of a held table may represent many predictions
        _refuse_whole_targets(grid, labels, y_true, y_pred)
    n = len(labels)
    true, predicted = (
        set() if y is None else set(distinct_keys(dataset * n + y, len(datasets) * n).tolist())
        for y in (y_true, y_pred)
    )
    of_datasets: list[list[str]] = [[] for _ in datasets]
    for key in sorted(true | predicted):
        of_datasets[key // n].append(labels[key % n])
    has_others = y_pred is not None and not predicted <= true
    if y_pred is not None and has_others:
        _check_kinds(grid, j or 0, labels, true, predicted, dataset * n + y_pred)
    _check_spelling(grid, datasets, of_datasets)
    if has_others and (grid.is_held or 2 * n <= max(4, len(y_true))):  # free-text answers may differ in anything
        _check_words(grid, labels, true, predicted)
    return of_datasets


def _check_spelling(grid: Grid, datasets: Sequence[str], labels: Sequence[Sequence[str]]) -> None:
    """Reject two spellings of one number or truth value in a dataset."""
    for dataset, of_dataset in zip(datasets, labels, strict=True):
        refuse_spelled_twice(f"{grid.name}, dataset {short(dataset)}", of_dataset, _exact_value)


def _check_words(grid: Grid, labels: Sequence[str], true: set[int], predicted: set[int]) -> None:
    """Reject predicted labels that are never true, but differ from a true label only in case, spaces or a final period.

    A key is the number of a dataset times the number of labels, plus the number of a label.
    """
    n = len(labels)
    known = {(key // n, simplified(labels[key % n]).rstrip(".")): labels[key % n] for key in true}
    for key in sorted(predicted - true):
        label = labels[key % n]
        if (other := known.get((key // n, simplified(label).rstrip(".")))) is not None:
            raise TableError(
                f"{grid.name}: the predicted label {short(label)} and the true label {short(other)} are one label in "
                "two spellings; labels are compared as text, so use one spelling"
            )


def _check_kinds(
    grid: Grid, j: int, labels: Sequence[str], true: set[int], predicted: set[int], key: IndexArray
) -> None:
    """Reject predictions that can never be correct: scores, or numbers if the true labels are words.

    A key is the number of a dataset times the number of labels, plus the number of a label.
    """
    n = len(labels)
    of_datasets: dict[int, set[str]] = {}
    for one in true:
        of_datasets.setdefault(one // n, set()).add(labels[one % n])
    values = {d: set(map(_value, own)) for d, own in of_datasets.items()}
    are_numbers = {d: {v is not None for v in own} for d, own in values.items()}
    value_of = {
        one: v for one in predicted - true if (v := _value(labels[one % n])) is None or v not in values[one // n]
    }
    never = [one for one, v in value_of.items() if (v is not None and v % 1) or are_numbers[one // n] == {v is None}]
    if not never:
        return
    i = int(np.isin(key, never).argmax())
    d, label, value = int(key[i]) // n, labels[int(key[i]) % n], value_of[int(key[i])]
    if value is not None and value % 1:
        problem = f"{grid.place(i, j)}: {short(label)} is a number, but not a true label"
        raise TableError(problem, "if these are scores, pass {}", "y_score", grid.header[j])
    if label.casefold() in MISSING_WORDS:  # among numbers
        raise _missing(grid, i, j, "predicted")
    kinds = ("a word", "numbers") if value is None else ("a number", "words")
    known = listed(sorted(of_datasets[d], key=natural_order))
    raise TableError(
        f"{grid.place(i, j)}: the predicted label {short(label)} is {kinds[0]}, but the true labels are "
        f"{kinds[1]} ({known})"
    )


@lru_cache(maxsize=1_000)
def _value(label: str) -> float | None:
    """Return the number that a label represents, or None for words and missing values."""
    value = TRUTHS.get(label.casefold(), None if "%" in label else written_number(label, "."))
    return None if value is None or math.isnan(value) else value


def _exact_value(label: str) -> float | None:
    """Return the value of a label. Large integers are converted exactly."""
    value = _value(label)
    return value if value is None or abs(value) < _EXACT or not label.isdecimal() else int(label[:_MOST_DIGITS])


def positive_labels(pos_label: Any, datasets: Sequence[str], labels: Sequence[Sequence[str]]) -> tuple[str | None, ...]:
    """Return the positive label of each dataset, or None if there is no conventional one and none is given."""
    if pos_label is None:
        return tuple(map(usual_positive, labels))
    if isinstance(pos_label, Mapping):
        given = {text_of(dataset): text_of(label) for dataset, label in pos_label.items()}
        if unknown := given.keys() - set(datasets):
            raise TableError(f"pos_label must name datasets among {listed(datasets)}, not {short(min(unknown))}")
        for dataset, of_dataset in zip(datasets, labels, strict=True):
            if dataset in given and given[dataset] not in of_dataset:
                held = f"must be a label of dataset {short(dataset)} ({listed(of_dataset)})"
                raise TableError(f"pos_label {held}, not {short(given[dataset])}")
        return tuple(given.get(name, usual_positive(own)) for name, own in zip(datasets, labels, strict=True))
    if isinstance(pos_label, Iterable) and not isinstance(pos_label, str):
        raise InvalidTypeError(
            f"pos_label must be one label, or a dict with one label for each dataset, not {short(pos_label)}"
        )
    positive = text_of(pos_label)
    if not any(positive in of_dataset for of_dataset in labels):
        known = sorted(set().union(*labels), key=natural_order)
        raise TableError(f"pos_label must be a label of the data ({listed(known)}), not {short(positive)}")
    return (positive,) * len(datasets)


def unconfirmed_labels(pos_label: Any, datasets: Sequence[str], labels: Sequence[Sequence[str]]) -> dict[str, bool]:
    """Return whether the positive label is a guess, for datasets whose usual label was not given."""
    given = pos_label if isinstance(pos_label, Mapping) else dict.fromkeys(datasets, pos_label)
    told = {text_of(dataset): text_of(label) for dataset, label in given.items() if label is not None}
    usual = zip(datasets, map(usual_positive, labels), strict=True)
    return {dataset: dataset not in told for dataset, label in usual if dataset not in told or told[dataset] != label}


def is_one(label: str) -> bool:
    """Return whether a label is 1 or True, in any spelling."""
    return _value(label) == 1


def usual_positive(labels: Sequence[str]) -> str | None:
    """Return the conventional positive label, or None if there is none, as for the labels 1 and 2."""
    if one := [label for label in labels if _value(label) == 1]:
        others = {_value(label) for label in labels if label not in one}
        return one[0] if others <= {0, -1} and len(labels) <= 2 else None
    if len(labels) == 1:
        return "1" if _value(labels[0]) in (0, -1) else None  # no instance is positive
    return max(labels, key=natural_order) if len(labels) == 2 else None


FEWEST = 5  # rows in which two columns must add up to 1
MOST = 100  # columns of which all pairs are compared
_ROUNDED = 0.0021  # both may be rounded to three decimals


def refuse_complements(grid: Grid, scores: Sequence[int], decimal: str) -> None:
    """Raise an error if two columns of scores add up to 1 in each row, like p_no and p_yes of one classifier.

    The areas under their ROC curves would be compared, although one area follows from the other.
    """
    pairs = _complements(grid, scores, decimal)
    if not pairs:
        return
    hint = (
        "leave out the probabilities of the negative label, for example with {}; if both are classifiers, pass {keep}"
    )
    one = tuple(dict.fromkeys(_negative(grid.header[first], grid.header[second]) for first, second in pairs))
    raise TableError(_of_one_classifier(grid, pairs[0]), hint, "drop", one if len(one) > 1 else one[0])


def refuse_classes(grid: Grid, scores: Sequence[int], decimal: str) -> None:
    """Raise an error if three or more columns of scores together add up to 1 in each row, as in files of mljar."""
    if not 3 <= len(scores) <= MOST or len(grid.numbers) < FEWEST:
        return
    rounded = _ROUNDED / 2 * len(scores)
    first = [number_in(grid.columns[j][0], decimal) for j in scores]  # shows most tables without a long look
    # a missing value makes the comparisons false
    if not abs(sum(math.nan if value is None else value for value in first) - 1) < rounded:
        return
    values = _values(grid, scores, decimal)
    if not (values.min() >= 0 and np.abs(values.sum(axis=0) - 1).max() < rounded):
        return
    raise TableError(
        _of_one_classifier(grid, scores),
        "give the predicted labels in a column y_pred, or compare the probabilities of one class, for example with {}; "
        "if they are classifiers, pass {keep}",
        "y_score",
        grid.header[scores[0]],
    )


def refuse_shares(grid: Grid, scores: Sequence[int], decimal: str) -> None:
    """Raise an error if two columns, of which one may hold the scores of answers, are probabilities of classes."""
    for first, second in _complements(grid, scores, decimal):
        names = listed([grid.header[first], grid.header[second]])
        negative = _negative(grid.header[first], grid.header[second])
        raise TableError(
            f"{grid.name}: {names} add up to 1 in each row, as the probabilities of classes do, and cannot be compared "
            "without the true labels",
            "add the true labels in a column y_true, and pass {}",
            "y_score",
            grid.header[first if grid.header[second] == negative else second],
        )


def _complements(grid: Grid, scores: Sequence[int], decimal: str) -> list[tuple[int, int]]:
    """Return the pairs of columns that add up to 1 in each row."""
    if not 2 <= len(scores) <= MOST or len(grid.numbers) < FEWEST:
        return []
    values = _values(grid, scores, decimal)
    return [
        (scores[i], scores[j])
        for i, j in itertools.combinations(range(len(scores)), 2)
        if np.ptp(values[i]) > 0 and np.abs(values[i] + values[j] - 1).max() < _ROUNDED
    ]


def _values(grid: Grid, scores: Sequence[int], decimal: str) -> FloatArray:
    return np.array([numbers_in(grid.columns[j], decimal) for j in scores], dtype=float)


def _of_one_classifier(grid: Grid, scores: Sequence[int]) -> str:
    names = listed(grid.header[j] for j in scores)
    return f"{grid.name}: {names} add up to 1 in each row, as the probabilities of the classes of one classifier do"


def _negative(first: str, second: str) -> str:
    """Return the name that ends in no, false or 0; if there is no such name, return the first name."""
    return second if ANSWER_WORDS.get(re.split(r"[\W_]+", second.casefold())[-1]) is False else first
