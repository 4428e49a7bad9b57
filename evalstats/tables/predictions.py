"""What did each classifier predict for each case?

A long table with one row for each case, classifier and repeat becomes arrays of numbers, checked once. How scores
come out of them is told in `evalstats.tables.prediction_scores`.
"""

from __future__ import annotations

__all__ = ["Predictions", "column_of", "looks_like_predictions", "numbered", "predictions_of", "read_predictions"]

import math
import os
import warnings
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats._result import Record
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.tables.columns import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    column_named,
    headers,
    is_called,
    key_column,
    natural_order,
    not_a_number,
    numbers_in,
    row_names,
    written_number,
)
from evalstats.tables.grid import Grid, TableError, grid_of, listed, short, text_of

# Columns that are understood without being named; case does not matter, spaces and hyphens are underscores.
COLUMNS = {
    "repeat": ("repeat", "repetition", "rep", "run", "replicate"),
    "fold": ("fold", "fold_id", "cv_fold", "split"),
    "row": (
        *("row", "row_id", "case", "case_id", "instance", "instance_id", "sample", "sample_id"),
        *("question", "question_id", "item", "item_id", "example_id", "doc_id", "document_id", "prompt_id", "qid"),
    ),
    "y_true": ("y_true", "true", "truth", "true_label", "true_class", "actual", "target"),
    "y_pred": ("y_pred", "pred", "predicted", "prediction", "predicted_label", "predicted_class"),
    "y_score": ("y_score", "y_prob", "y_proba", "probability", "proba", "prob", "decision_function", "confidence"),
}

MISSING_LABELS = ("", "nan", "#n/a")
TRUTHS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions(Record):
    """Predictions of classifiers on datasets, checked once; made by `read_predictions`.

    Each of n rows is one case that one classifier predicted. Names and labels are text; the arrays hold their numbers.
    The rows are sorted by dataset, classifier, repeat and case, so that the order in which they were read changes
    nothing, and the cases of two classifiers stand in one order.

    Attributes
    ----------
    datasets, classifiers, labels : tuple of str
        Names in natural order (fold 2 before fold 10); after `select`, in the order that was asked for.
    repeats, folds : tuple of str
        Names in natural order; one empty name where the table has no such column.
    positives : tuple of (str or None)
        The positive label of each dataset; None where it has more than two labels and none was given.
    dataset, classifier, repeat, fold : ndarray of int, shape (n,)
        Number of the name in the tuples above.
    y_true : ndarray of int, shape (n,)
        Number of the true label in `labels`.
    y_pred : ndarray of int, shape (n,), or None
        Number of the predicted label in `labels`.
    y_score : ndarray of float64, shape (n,), or None
        Score of the positive label; greater means more likely.
    case : ndarray of int, shape (n,), or None
        Number of the case, if the table names the cases.
    source : str or None
        Name of the file, without its folder.
    """

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    repeats: tuple[str, ...]
    folds: tuple[str, ...]
    labels: tuple[str, ...]
    positives: tuple[str | None, ...]
    dataset: IndexArray
    classifier: IndexArray
    repeat: IndexArray
    fold: IndexArray
    y_true: IndexArray
    y_pred: IndexArray | None
    y_score: FloatArray | None
    case: IndexArray | None
    source: str | None

    def select(self, datasets: Sequence[str], classifiers: Sequence[str]) -> Predictions:
        """Return the predictions of these classifiers on these datasets only, in this order.

        Parameters
        ----------
        datasets, classifiers : sequence of str
            Names that the predictions hold.

        Returns
        -------
        Predictions
        """
        if (tuple(datasets), tuple(classifiers)) == (self.datasets, self.classifiers):
            return self
        dataset_of = _renumbered(self.datasets, datasets, "datasets")[self.dataset]
        classifier_of = _renumbered(self.classifiers, classifiers, "classifiers")[self.classifier]
        kept = np.flatnonzero((dataset_of >= 0) & (classifier_of >= 0))
        # a stable sort keeps the order of repeats and cases
        rows = kept[np.lexsort((classifier_of[kept], dataset_of[kept]))]
        names = ("repeat", "fold", "y_true", "y_pred", "y_score", "case")
        taken: dict[str, Any] = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replace(
            self,
            datasets=tuple(datasets),
            classifiers=tuple(classifiers),
            positives=tuple(self.positives[self.datasets.index(name)] for name in datasets),
            dataset=_fixed(dataset_of[rows]),
            classifier=_fixed(classifier_of[rows]),
            **{name: _fixed(array[rows]) for name, array in taken.items()},
        )

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each prediction, as `read_predictions` reads it, in columns of plain Python values.

        Returns
        -------
        dict of str to list
            Labels are text; a column that the predictions do not have is left out.
        """
        named = {
            "dataset": (self.dataset, self.datasets),
            "classifier": (self.classifier, self.classifiers),
            "repeat": (self.repeat, self.repeats),
            "fold": (self.fold, self.folds),
            "y_true": (self.y_true, self.labels),
            "y_pred": (self.y_pred, self.labels),
        }
        columns = {
            name: [names[i] for i in codes.tolist()]
            for name, (codes, names) in named.items()
            if codes is not None and names != ("",)
        }
        further = {"row": self.case, "y_score": self.y_score}
        return {**columns, **{name: values.tolist() for name, values in further.items() if values is not None}}


def read_predictions(
    source: Any,
    *,
    dataset: str | None = None,
    classifier: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    row: str | None = None,
    y_true: str | None = None,
    y_pred: str | None = None,
    y_score: str | None = None,
    pos_label: Any = None,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> Predictions:
    r"""Read what classifiers predicted, case by case, from a file or a data frame.

    Parameters
    ----------
    source : str, path-like, file object, data frame or dict
        A long table, as `evalstats.read_table` takes it: one row for each case, classifier and repeat. Or the
        directory of a study that kept its predictions (`evalstats.run_study`).
    dataset, classifier, y_true : str, optional
        Columns that hold the names and the true labels, if they are not recognised by their names.
    repeat, fold : str, optional
        Columns that tell repeats of a cross-validation, and its folds. Without them there is one.
    row : str, optional
        Column that names the case within its dataset. With it, all classifiers of a dataset must have predicted the
        same cases with the same true labels; without it, equally many of each true label.
    y_pred, y_score : str, optional
        Columns of the predicted labels, and of scores or probabilities of the positive label; one of them must be
        there. Without them, labels are scored or rankings.
    pos_label : label or dict of str to label, optional
        The positive label, or that of each dataset. By default, of two labels 1 or True, otherwise the greater one in
        natural order. Of more than two there is none by default; with `pos_label` all others are negative.
    delimiter, decimal, encoding, sheet : optional
        As in `evalstats.read_table`.

    Returns
    -------
    Predictions

    Raises
    ------
    TableNotFoundError
        If there is no such file; also a FileNotFoundError.
    TableError
        If the source is not a table of predictions, a label is missing, a score is not finite, a case stands there
        twice, or classifiers were not tested on the same cases. The message names the place.
    InvalidTypeError
        If the type of the source is not understood.

    Warns
    -----
    EvalstatsWarning
        If the classifiers of a dataset were tested on the same cases, but in different folds.

    Notes
    -----
    Labels are compared as text after trimming; a number that is whole is written without its decimal point if it comes
    from a data frame. Two labels of a dataset that are one number, such as ``1`` and ``1.0``, are refused.

    Examples
    --------
    >>> import io
    >>> from evalstats.tables.predictions import read_predictions
    >>> text = "dataset,classifier,fold,y_true,y_pred\niris,NB,1,rose,rose\niris,NB,2,lily,rose\n"
    >>> predictions = read_predictions(io.StringIO(text))
    >>> predictions.labels, predictions.positives
    (('lily', 'rose'), ('rose',))
    >>> predictions.y_true, predictions.y_pred
    (array([1, 0]), array([1, 1]))
    """
    _checks.choice(decimal, "decimal", (".", ","))
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        source = _kept_in(source)
    grid = grid_of(source, delimiter, encoding, sheet)
    columns = {"repeat": repeat, "fold": fold, "row": row, "y_true": y_true, "y_pred": y_pred, "y_score": y_score}
    return predictions_of(grid, decimal, pos_label, dataset=dataset, classifier=classifier, **columns)


def _kept_in(directory: Any) -> Any:
    """Return the predictions of a study; another directory is left to be refused."""
    from evalstats.study.store import is_study

    if not is_study(directory):
        return directory
    from evalstats.study.running import read_study

    return read_study(directory).prediction_columns()


def looks_like_predictions(grid: Grid) -> bool:
    """Return whether a grid has a column of true labels and one of predicted labels or scores."""
    found = {name for name, known in COLUMNS.items() if any(is_called(header, known) for header in grid.header)}
    return "y_true" in found and not found.isdisjoint(("y_pred", "y_score"))


def predictions_of(
    grid: Grid, decimal: str, pos_label: Any, *, dataset: str | None, classifier: str | None, **columns: str | None
) -> Predictions:
    """Return the predictions in a grid of cells."""
    if columns["y_true"] is None and not any(is_called(header, COLUMNS["y_true"]) for header in grid.header):
        _refuse_without(grid, {"y_true": None})  # a table of scores: it lacks more than a column of classifiers
    d = key_column(grid, dataset, "dataset", DATASET_COLUMNS)
    c = key_column(grid, classifier, "classifier", CLASSIFIER_COLUMNS)
    given = {name: column_named(grid, column, name) for name, column in columns.items() if column is not None}
    at = {name: column_of(grid, name, columns[name], {d, c, *given.values()}) for name in COLUMNS}
    _refuse_without(grid, at)
    if not len(grid.numbers):
        raise TableError(f"{grid.name} has no row of predictions")
    datasets, dataset_of = numbered(row_names(grid, d, "dataset"))
    classifiers, classifier_of = numbered(row_names(grid, c, "classifier"))
    repeats, repeat_of = numbered(_names_or_one(grid, at["repeat"], "repeat"))
    folds, fold_of = numbered(_names_or_one(grid, at["fold"], "fold"))
    true = _labels(grid, at["y_true"], "true")
    predicted = _labels(grid, at["y_pred"], "predicted")
    labels, label_of = numbered([*true, *predicted])
    y_true, y_pred = label_of[: len(true)], label_of[len(true) :] if predicted else None
    of_datasets = _labels_of_datasets(len(datasets), dataset_of, y_true, y_pred)
    names_of_datasets = [[labels[i] for i in numbers] for numbers in of_datasets]
    _check_spelling(grid, datasets, names_of_datasets)
    if y_pred is not None:
        _check_kinds(grid, at["y_pred"], predicted, true, dataset_of)
    cases = numbered(_names_or_one(grid, at["row"], "case"))[1]
    keys = {"dataset": dataset_of, "repeat": repeat_of, "fold": fold_of, "case": cases, "label": y_true}
    _check_cases(grid, keys, classifier_of, datasets, classifiers, has_cases=at["row"] is not None)
    y_score = None if at["y_score"] is None else _scores(grid, at["y_score"], decimal)
    rest = [values for values in (y_score, y_pred, y_true) if values is not None]
    order = np.lexsort((*rest, fold_of, cases, repeat_of, classifier_of, dataset_of))
    return Predictions(
        datasets=datasets,
        classifiers=classifiers,
        repeats=repeats,
        folds=folds,
        labels=labels,
        positives=_positives(pos_label, datasets, names_of_datasets),
        dataset=_fixed(dataset_of[order]),
        classifier=_fixed(classifier_of[order]),
        repeat=_fixed(repeat_of[order]),
        fold=_fixed(fold_of[order]),
        y_true=_fixed(y_true[order]),
        y_pred=None if y_pred is None else _fixed(y_pred[order]),
        y_score=None if y_score is None else _fixed(y_score[order]),
        case=None if at["row"] is None else _fixed(cases[order]),
        source=grid.file,
    )


# --- columns ----------------------------------------------------------------------------------------------------------


def column_of(grid: Grid, argument: str, given: str | None, others: Container[int | None]) -> int | None:
    """Return the column that an argument names or, if it names none, that is recognised by its name."""
    if given is not None:
        return column_named(grid, given, argument)
    found = [j for j, name in enumerate(grid.header) if j not in others and is_called(name, COLUMNS[argument])]
    if len(found) > 1:
        problem = f"{grid.name}: any of the columns {headers(grid, found)} may be {argument}"
        raise TableError(problem, "choose one with {}", argument, grid.header[found[0]])
    return found[0] if found else None


def _refuse_without(grid: Grid, at: Mapping[str, int | None]) -> None:
    if at["y_true"] is None:
        problem = f"{grid.name}: none of the columns {headers(grid)} is known to hold the true labels"
        raise TableError(problem, "choose one with {}", "y_true")
    if at["y_pred"] is None and at["y_score"] is None:
        problem = f"{grid.name}: none of the columns {headers(grid)} is known to hold predicted labels or scores"
        raise TableError(problem, "choose one with {}", "y_pred")


def _names_or_one(grid: Grid, j: int | None, what: str) -> list[str]:
    return [""] * len(grid.numbers) if j is None else row_names(grid, j, what)


def _labels(grid: Grid, j: int | None, what: str) -> list[str]:
    """Return the labels in a column as text."""
    if j is None:
        return []
    column = [cell if isinstance(cell, str) else text_of(cell) for cell in grid.columns[j]]
    texts = {cell: text_of(cell) for cell in set(column)}
    if missing := {cell for cell, text in texts.items() if text.casefold() in MISSING_LABELS}:
        i = next(i for i, cell in enumerate(column) if cell in missing)
        raise TableError(f"{grid.place(i, j)}: the {what} label is missing")
    return [texts[cell] for cell in column]


def _scores(grid: Grid, j: int, decimal: str) -> FloatArray:
    values = numbers_in(grid.columns[j], decimal)
    numbers = np.array(values, dtype=np.float64)
    if None not in values and np.isfinite(numbers).all():
        return numbers
    i = next(i for i, value in enumerate(values) if value is None or not math.isfinite(value))
    value = values[i]
    if value is not None and math.isnan(value):
        raise TableError(f"{grid.place(i, j)}: the score is missing")
    raise not_a_number(grid.place(i, j), grid.columns[j][i], decimal, is_text=False)


def numbered(names: Sequence[str]) -> tuple[tuple[str, ...], IndexArray]:
    """Return the distinct names in natural order, and the number of each name."""
    distinct = sorted(set(names), key=natural_order)
    number = {name: i for i, name in enumerate(distinct)}
    return tuple(distinct), np.fromiter((number[name] for name in names), dtype=np.intp, count=len(names))


def _renumbered(names: tuple[str, ...], chosen: Sequence[str], argument: str) -> IndexArray:
    """Return the new number of each name, -1 where it is not chosen."""
    number = np.full(len(names), -1, dtype=np.intp)
    for new, name in enumerate(chosen):
        if name not in names:
            raise InvalidValueError(f"{argument} must be among {listed(names)}, not {short(name)}")
        number[names.index(name)] = new
    return number


def _fixed(array: AnyArray) -> Any:
    array.setflags(write=False)
    return array


# --- labels -----------------------------------------------------------------------------------------------------------


def _labels_of_datasets(n: int, dataset: IndexArray, *labels: IndexArray | None) -> list[list[int]]:
    """Return the numbers of the labels, true or predicted, of each dataset."""
    return [
        sorted(set().union(*(np.unique(y[dataset == d]).tolist() for y in labels if y is not None))) for d in range(n)
    ]


def _check_spelling(grid: Grid, datasets: Sequence[str], labels: Sequence[Sequence[str]]) -> None:
    """Refuse labels that are one number, or one truth value, in two spellings: they would never agree."""
    for dataset, of_dataset in zip(datasets, labels, strict=True):
        spellings: dict[float, str] = {}
        for label in of_dataset:
            value = _value(label)
            if value is not None and (other := spellings.setdefault(value, label)) != label:
                place = f"{grid.name}, dataset {short(dataset)}"
                raise TableError(
                    f"{place}: the labels {short(other)} and {short(label)} are one value in two spellings; labels are "
                    "compared as text, so write it in one way"
                )


def _check_kinds(grid: Grid, j: int | None, predicted: list[str], true: list[str], dataset: IndexArray) -> None:
    """Refuse predictions that can never be right: scores, or numbers where the true labels are words."""
    of_datasets: dict[int, set[str]] = {}
    for d, label in zip(dataset.tolist(), true, strict=True):
        of_datasets.setdefault(d, set()).add(label)
    are_numbers = {d: {_value(label) is not None for label in own} for d, own in of_datasets.items()}
    value_of = {label: _value(label) for label in set(predicted)}
    for i, (d, label) in enumerate(zip(dataset.tolist(), predicted, strict=True)):
        if label in of_datasets[d]:
            continue
        value, place = value_of[label], grid.place(i, j or 0)
        if value is not None and value % 1:
            problem = f"{place}: {short(label)} is a number and no true label"
            raise TableError(problem, "if these are scores, pass {}", "y_score", grid.header[j or 0])
        if are_numbers[d] == {value is None}:
            kinds = ("a word", "numbers") if value is None else ("a number", "words")
            known = listed(sorted(of_datasets[d], key=natural_order))
            raise TableError(
                f"{place}: the predicted label {short(label)} is {kinds[0]}, but the true labels are "
                f"{kinds[1]} ({known})"
            )


def _value(label: str) -> float | None:
    return TRUTHS.get(label.casefold(), None if "%" in label else written_number(label, "."))


def _positives(pos_label: Any, datasets: Sequence[str], labels: Sequence[Sequence[str]]) -> tuple[str | None, ...]:
    if pos_label is None:
        return tuple(map(_usual_positive, labels))
    if isinstance(pos_label, Mapping):
        given = {text_of(dataset): text_of(label) for dataset, label in pos_label.items()}
        if unknown := given.keys() - set(datasets):
            raise TableError(f"pos_label must name datasets among {listed(datasets)}, not {short(min(unknown))}")
        for dataset, of_dataset in zip(datasets, labels, strict=True):
            if dataset in given and given[dataset] not in of_dataset:
                held = f"must be a label of dataset {short(dataset)} ({listed(of_dataset)})"
                raise TableError(f"pos_label {held}, not {short(given[dataset])}")
        return tuple(given.get(name, _usual_positive(own)) for name, own in zip(datasets, labels, strict=True))
    if isinstance(pos_label, Iterable) and not isinstance(pos_label, str):
        raise InvalidTypeError(
            f"pos_label must be one label, or a dict of one for each dataset, not {short(pos_label)}"
        )
    positive = text_of(pos_label)
    if not any(positive in of_dataset for of_dataset in labels):
        known = sorted(set().union(*labels), key=natural_order)
        raise TableError(f"pos_label must be a label of the data ({listed(known)}), not {short(positive)}")
    return (positive,) * len(datasets)


def _usual_positive(labels: Sequence[str]) -> str | None:
    if one := [label for label in labels if _value(label) == 1]:
        return one[0] if len(labels) <= 2 else None
    if len(labels) == 1:
        return "1" if _value(labels[0]) in (0, -1) else None  # no case is positive
    return max(labels, key=natural_order) if len(labels) == 2 else None


# --- cases ------------------------------------------------------------------------------------------------------------


def _check_cases(
    grid: Grid,
    keys: Mapping[str, IndexArray],
    classifier: IndexArray,
    datasets: Sequence[str],
    classifiers: Sequence[str],
    *,
    has_cases: bool,
) -> None:
    """Refuse cases that stand there twice, and classifiers that were not tested on the same cases."""
    if has_cases:
        _check_keys(grid, keys, classifier, datasets, classifiers)
    tested = ("dataset", "repeat", "case", "label")
    if at := _first_difference([keys[name] for name in tested], keys["dataset"], classifier):
        dataset, with_it, without = datasets[keys["dataset"][at[0]]], classifiers[at[1]], classifiers[at[2]]
        problem = f"{grid.name}: the classifiers of dataset {short(dataset)} must be tested on the same cases"
        place = f"the case of {grid.word} {grid.numbers[at[0]]}" if has_cases else "the true labels"
        held = f"but {place} of {short(with_it)} is not among those of {short(without)}"
        if not has_cases:
            held = f"but {short(with_it)} and {short(without)} have different numbers of each true label"
        raise TableError(f"{problem} in each repeat, {held}")
    if at := _first_difference([keys[name] for name in (*tested, "fold")], keys["dataset"], classifier):
        warnings.warn(
            f"{grid.name}: {short(classifiers[at[1]])} and {short(classifiers[at[2]])} were tested in different folds "
            f"of dataset {short(datasets[keys['dataset'][at[0]]])}: their difference is partly that of the folds",
            EvalstatsWarning,
            stacklevel=2,
        )


def _check_keys(
    grid: Grid,
    keys: Mapping[str, IndexArray],
    classifier: IndexArray,
    datasets: Sequence[str],
    classifiers: Sequence[str],
) -> None:
    first, key = _joined([keys["dataset"], classifier, keys["repeat"], keys["fold"], keys["case"]])
    if (again := first[key] != np.arange(len(key))).any():
        i = int(np.flatnonzero(again)[0])
        rows = f"{grid.word}s {grid.numbers[first[key[i]]]} and {grid.numbers[i]}"
        who = f"{short(datasets[keys['dataset'][i]])} / {short(classifiers[classifier[i]])}"
        raise TableError(f"{grid.name}: each case must be predicted once in a fold, but {rows} are the same of {who}")
    first, key = _joined([keys["dataset"], keys["case"]])
    if (different := keys["label"][first][key] != keys["label"]).any():
        i = int(np.flatnonzero(different)[0])
        rows = f"{grid.word}s {grid.numbers[first[key[i]]]} and {grid.numbers[i]}"
        place = f"the case of {rows} of dataset {short(datasets[keys['dataset'][i]])}"
        raise TableError(f"{grid.name}: each case must have one true label, but {place} has two")


def _joined(keys: Sequence[IndexArray]) -> tuple[IndexArray, IndexArray]:
    """Return the first row of each distinct combination of keys, and the number of the combination of each row."""
    joint = first = keys[0]
    for key in keys:
        _, first, joint = np.unique(joint * (key.max() + 1) + key, return_index=True, return_inverse=True)
    return first, joint


def _first_difference(
    keys: Sequence[IndexArray], dataset: IndexArray, classifier: IndexArray
) -> tuple[int, int, int] | None:
    """Return a row whose key one classifier of its dataset has more often than another, and the two classifiers."""
    first, key = _joined(keys)
    n = int(classifier.max()) + 1
    counts = np.bincount(key * n + classifier, minlength=len(first) * n).reshape(-1, n)
    is_tested = np.zeros((int(dataset.max()) + 1, n), dtype=bool)
    is_tested[dataset, classifier] = True
    concerned = is_tested[dataset[first]]
    most = np.where(concerned, counts, -1)
    least = np.where(concerned, counts, np.iinfo(np.intp).max)
    different = np.flatnonzero(most.max(axis=1) != least.min(axis=1))
    if not different.size:
        return None
    i = different[np.argmin(first[different])]
    return int(first[i]), int(most[i].argmax()), int(least[i].argmin())
