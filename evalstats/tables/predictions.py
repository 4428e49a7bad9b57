"""What did each classifier predict for each case?

A long table with one row for each case, classifier and repeat becomes arrays of numbers, checked once. How scores
come out of them is told in `evalstats.tables.prediction_scores`.
"""

from __future__ import annotations

__all__ = [
    "CountedCases",
    "Predictions",
    "check_header_rows",
    "column_of",
    "counted_predictions",
    "looks_like_predictions",
    "predictions_in",
    "predictions_of",
    "read_predictions",
]

import math
import os
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._findings import Finding
from evalstats._result import Record
from evalstats._types import AnyArray, FloatArray, IndexArray, IntArray
from evalstats.tables.codes import Names, checked_names, coded, joined, names_in, naturally_ordered, number_codes
from evalstats.tables.columns import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    ITEM_COLUMNS,
    NUMBER_COLUMNS,
    UNNAMED,
    column_named,
    columns_called,
    headers,
    key_column,
    key_column_if_any,
    not_a_number,
    numbers_in,
)
from evalstats.tables.contradictions import refuse_contradictions
from evalstats.tables.grid import Grid, TableError, listed, short
from evalstats.tables.prediction_cases import CaseKeys, check_cases, sorted_rows
from evalstats.tables.prediction_labels import checked_labels, labels_in, positive_labels, words_for_missing
from evalstats.tables.recognition import found_in
from evalstats.tables.seen import look
from evalstats.tables.source_format import Asked, Found

if TYPE_CHECKING:
    from evalstats.tables.engines.kept_scores import KeptScores
    from evalstats.tables.right_patterns import RightPatterns
    from evalstats.tables.wide_answers import WideAnswers

# Columns that are understood without being named; case does not matter, spaces and hyphens are underscores.
COLUMNS = {
    "repeat": ("repeat", "repetition", "rep", "run", "replicate", "iteration", "trial"),
    "fold": ("fold", "fold_id", "cv_fold", "split"),
    "row": tuple(name for name in ITEM_COLUMNS if name not in NUMBER_COLUMNS),
    "y_true": (
        *("y_true", "true", "truth", "ground_truth", "groundtruth", "true_label", "true_labels", "true_class"),
        *("label_true", "labels_true", "actual", "actual_label", "actual_class", "gold", "gold_label", "target"),
    ),
    "y_pred": (
        *("y_pred", "pred", "predicted", "prediction", "predicted_label", "predicted_class", "y_hat", "yhat"),
        *("pred_label", "pred_class", "label_pred", "predicted_y", "predictions"),
    ),
    "y_score": ("y_score", "y_prob", "y_proba", "probability", "proba", "prob", "decision_function", "confidence"),
}

# so many rows of an engine are fetched to see whether their names differ; of more it is believed
MOST_FETCHED = 2_000_000

# true labels where no column is called more clearly, beside predictions
TRUE_AT_LAST = ("label", "labels", "class", "y", "expected", "reference")


class CountedCases(NamedTuple):
    """Predictions that were counted where they are kept, so that each row stands for many that are alike.

    Rows are alike that agree in all but the case; such predictions have neither cases nor scores.
    """

    n_cases: IntArray  # (n,), for how many predictions each row stands
    patterns: RightPatterns | None  # of one dataset whose cases are named: each was predicted once by each classifier
    load: Any  # a function that reads them row by row
    has_scores: bool  # of the positive label, where they are kept
    kept: KeptScores | None = None  # by the metrics that can be counted

    def select(
        self, whole: Predictions, rows: IndexArray, datasets: Sequence[str], classifiers: Sequence[str]
    ) -> CountedCases:
        """Return what is left where rows of these classifiers on these datasets are chosen."""
        columns = [whole.classifiers.index(name) for name in classifiers]
        patterns = None if self.patterns is None else self.patterns.select(columns)
        chosen = _Chosen(self.load, tuple(datasets), tuple(classifiers))
        return self._replace(n_cases=self.n_cases[rows], patterns=patterns, load=chosen)


class _Chosen(NamedTuple):
    """Reads predictions, and chooses among them."""

    load: Any
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]

    def __call__(self) -> Predictions:
        predictions: Predictions = self.load()
        return predictions.select(self.datasets, self.classifiers)


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
    findings : tuple of Finding, default: ()
        What was chosen in the source and what was left out, and why.
    format : str, default: ''
        Name of the format in which the source was written, if `read_predictions` recognised one or was told.
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
    findings: tuple[Finding, ...] = ()
    format: str = ""
    _counted: CountedCases | None = None

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
            _counted=None if self._counted is None else self._counted.select(self, rows, datasets, classifiers),
            **{name: _fixed(array[rows]) for name, array in taken.items()},
        )

    @property
    def n_instances(self) -> int:
        """Number of test instances in all datasets; all classifiers of a dataset predicted the same ones."""
        size = len(self.datasets) * len(self.classifiers)
        pair = self.dataset * len(self.classifiers) + self.classifier
        n_cases = None if self._counted is None else self._counted.n_cases
        counts = np.bincount(pair, n_cases, minlength=size).reshape(len(self.datasets), -1).astype(np.intp)
        first = (counts > 0).argmax(axis=1)  # the first classifier of each dataset
        predicted = counts[np.arange(len(counts)), first]
        if len(self.repeats) == 1:
            return int(predicted.sum())
        rows = np.flatnonzero(self.classifier == first[self.dataset])
        if self.case is not None:
            return len(np.unique(self.dataset[rows] * (int(self.case.max()) + 1) + self.case[rows]))
        own = np.unique(self.dataset[rows] * len(self.repeats) + self.repeat[rows])
        n_repeats = np.bincount(own // len(self.repeats), minlength=len(counts))
        return int((predicted // n_repeats).sum())

    @property
    def _names_cases(self) -> bool:
        return self.case is not None or (self._counted is not None and self._counted.patterns is not None)

    @property
    def _has_scores(self) -> bool:
        return self.y_score is not None or (self._counted is not None and self._counted.has_scores)

    def one_by_one(self) -> Predictions:
        """Return the same predictions with a row for each; they are read now where they were only counted.

        Returns
        -------
        Predictions
        """
        predictions: Predictions = self if self._counted is None else self._counted.load()
        return predictions

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
    format: str = "auto",
    dataset: str | None = None,
    classifier: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    row: str | None = None,
    y_true: str | None = None,
    y_pred: str | None = None,
    y_score: str | None = None,
    pos_label: Any = None,
    metric: str | None = None,
    greater_is_better: bool | None = None,
    missing: str = "raise",
    delimiter: str | None = None,
    decimal: str = "auto",
    encoding: str = "utf-8",
    sheet: str | None = None,
    rows: str | None = None,
    header_rows: int | None = None,
    drop: Any = None,
    keep: Any = None,
) -> Predictions:
    r"""Read what classifiers predicted, case by case, from a file or a data frame.

    Parameters
    ----------
    source : str, path-like, file object, data frame or dict
        A long table, as `evalstats.read_table` takes it: one row for each case, classifier and repeat. Or the
        directory of a study that kept its predictions (`evalstats.run_study`), or what another program wrote.
    format : str, default: 'auto'
        As in `evalstats.read_table`.
    dataset, classifier, y_true : str, optional
        Columns that hold the names and the true labels, if they are not recognised by their names. Without a column of
        datasets, or of classifiers, there is one; `findings` say so.
    repeat, fold : str, optional
        Columns that tell repeats of a cross-validation, and its folds. Without them there is one.
    row : str, optional
        Column that names the case within its dataset. With it, all classifiers of a dataset must have predicted the
        same cases with the same true labels; without it, equally many of each true label.
    y_pred, y_score : str, optional
        Columns of the predicted labels, and of scores or probabilities of the positive label; one of them must be
        there. Without them, labels are scored or rankings.
    pos_label : label or dict of str to label, optional
        The positive label, or that of each dataset. By default 1 of 0 and 1 or of -1 and 1, True of False and True,
        otherwise the greater one of two in natural order. Of more than two there is none by default; with `pos_label`
        all others are negative.
    metric : str, optional
        Of logs of evaluation programs: which of several metrics says what is right.
    greater_is_better : bool, optional
        The direction of the metric of such logs, where they do not tell it: whether 1 is right and 0 wrong.
    missing : {'raise', 'drop-cases'}, default: 'raise'
        Of such logs: whether items that lack a score of some model are refused, or left out for every model.
    delimiter, decimal, encoding, sheet, rows, header_rows : optional
        As in `evalstats.read_table`.
    drop, keep : str or sequence of str, optional
        Of a table with a column for each classifier: columns to leave out, and those that are classifiers although they
        do not look so.

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
    columns: dict[str, Any] = {"dataset": dataset, "classifier": classifier, "repeat": repeat, "fold": fold, "row": row}
    columns |= {"y_true": y_true, "y_pred": y_pred, "y_score": y_score}
    chosen: dict[str, Any] = {"format": format, "metric": metric, "greater_is_better": greater_is_better}
    chosen |= {"missing": missing, "delimiter": delimiter, "decimal": decimal, "encoding": encoding, "sheet": sheet}
    chosen |= {"rows": rows, "header_rows": header_rows, "drop": drop, "keep": keep}
    return counted_predictions(source, one_by_one=True, pos_label=pos_label, **chosen, **columns)


def counted_predictions(
    source: Any,
    *,
    one_by_one: bool = False,
    format: str = "auto",
    pos_label: Any = None,
    metric: str | None = None,
    greater_is_better: bool | None = None,
    missing: str = "raise",
    delimiter: str | None = None,
    decimal: str = "auto",
    encoding: str = "utf-8",
    sheet: str | None = None,
    rows: str | None = None,
    header_rows: int | None = None,
    drop: Any = None,
    keep: Any = None,
    **columns: str | None,
) -> Predictions:
    """Return what `read_predictions` returns; what an engine holds may be counted only, unless `one_by_one`."""
    _checks.choice(decimal, "decimal", ("auto", ".", ","))
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        source = _kept_in(source)
    elif hasattr(source, "prediction_columns"):  # a study
        source = source.prediction_columns()
    if isinstance(source, Predictions):
        return source
    check_header_rows(header_rows)
    seen = look(source, delimiter, encoding, sheet, rows, header_rows)
    _checks.choice(missing, "missing", ("raise", "drop-cases"))
    if greater_is_better is not None:
        greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    if metric is not None:
        _checks.text(metric, "metric")
    of_logs: dict[str, Any] = {"metric": metric, "greater_is_better": greater_is_better, "missing": missing}
    found = found_in(seen, format, Asked(columns=columns, pos_label=pos_label, **of_logs))
    roles = {name: value for name, value in (("drop", drop), ("keep", keep)) if value is not None}
    if found is not None:
        _refuse_roles(roles, found.grid.name)
        return predictions_in(found, pos_label)
    if named := [name for name, value in of_logs.items() if value not in (None, "raise")]:
        raise InvalidValueError(f"{named[0]} is for logs of answers, but {seen.name} is a table of predictions")
    from evalstats.tables.decimal_mark import decimal_of

    grid, decimal = seen.grid, decimal_of(seen.grid, decimal)
    from evalstats.tables.new_data import held_rows_of_new_data, rows_of_new_data

    if grid.is_held and looks_like_predictions(grid):
        _refuse_roles(roles, grid.name)
        grid = held_rows_of_new_data(grid, columns.values())
        predictions = predictions_of(grid, decimal, pos_label, columns, one_by_one=one_by_one)
        return replace(predictions, findings=(*grid.findings, *predictions.findings))
    grid = (held_rows_of_new_data if grid.is_held else rows_of_new_data)(grid, columns.values())
    answers = _answers_in_columns(grid, decimal, columns, drop, keep)
    if answers is None or not answers.has_true:
        _refuse_roles(roles, grid.name)
        predictions = predictions_of(grid, decimal, pos_label, columns)
        return replace(predictions, findings=(*grid.findings, *predictions.findings))
    predictions = predictions_of(answers.grid, decimal, pos_label, dict.fromkeys(columns))
    left_out = (
        Finding(code="left-out", severity="note", sentence=f"Left out: the {o.what} {short(o.name)}, which {o.reason}.")
        for o in answers.left_out
    )
    return replace(predictions, findings=(*grid.findings, *answers.findings, *left_out))


def _answers_in_columns(
    grid: Grid, decimal: str, columns: Mapping[str, str | None], drop: Any, keep: Any
) -> WideAnswers | None:
    """Return the answers in a table with a column for each classifier; None if it has a row for each answer."""
    from evalstats.tables.other_tables import refuse_counts
    from evalstats.tables.wide_answers import answers_of_wide  # which needs the names of columns above

    if drop is None and all(column is None for column in columns.values()):
        refuse_counts(grid, "give a row for each case, with its true and its predicted label")
    return answers_of_wide(grid, decimal, columns, drop=drop, keep=keep)


def check_header_rows(header_rows: int | None) -> None:
    """Refuse more rows of names than a table has."""
    if header_rows is not None and _checks.count(header_rows, "header_rows", minimum=0) > 2:
        raise InvalidValueError(f"header_rows must be 0 or 1 or 2, not {short(header_rows)}")


def _refuse_roles(roles: Mapping[str, Any], name: str) -> None:
    if roles:
        problem = f"{min(roles)} is for a table with a column for each classifier, but {name} has a row for each answer"
        raise InvalidValueError(problem)


def predictions_in(found: Found, pos_label: Any) -> Predictions:
    """Return the predictions that a format found in a source."""
    if found.layout != "predictions":
        raise TableError(f"{found.grid.name} holds scores ({found.format}), not predictions", "read it by read_table")
    names = ("dataset", "classifier", *COLUMNS)
    columns = {name: name if name in found.grid.header else None for name in names}
    predictions = predictions_of(found.grid, ".", pos_label, columns)
    return replace(predictions, findings=found.findings, format=found.format)


def _kept_in(directory: Any) -> Any:
    """Return the predictions of a study; another directory is left to be refused."""
    from evalstats.study.store import is_study

    if not is_study(directory):
        return directory
    from evalstats.study.running import read_study

    return read_study(directory).prediction_columns()


def looks_like_predictions(grid: Grid) -> bool:
    """Return whether a grid has a column of true labels and one of predicted labels or scores."""
    found = {name for name in COLUMNS if columns_of(grid, name)}
    return "y_true" in found and not found.isdisjoint(("y_pred", "y_score"))


def predictions_of(
    grid: Grid,
    decimal: str,
    pos_label: Any,
    columns: Mapping[str, str | None],
    *,
    one_by_one: bool = False,
) -> Predictions:
    """Return the predictions in a grid of cells; where an engine holds them, they may be counted only.

    `columns` are the names of columns by their roles, None where one is to be recognised.
    """
    at = _places(grid, dict(columns))
    refuse_contradictions(grid, at["y_true"], at["y_pred"])
    understood = partial(_understood, decimal, pos_label, _unnamed(grid, at))
    if not grid.is_held:
        return understood(grid, at, None)
    from evalstats.tables.engines.counts import held_predictions

    return held_predictions(grid, at, understood, one_by_one=one_by_one)


def _places(grid: Grid, columns: dict[str, str | None]) -> dict[str, int | None]:
    """Return where the column of each role stands."""
    dataset, classifier = columns.pop("dataset"), columns.pop("classifier")
    if columns["y_true"] is None and not columns_of(grid, "y_true"):
        _refuse_without(grid, {"y_true": None})  # a table of scores: it lacks more than a column of classifiers
    d = key_column_if_any(grid, dataset, "dataset", DATASET_COLUMNS)
    c = key_column_if_any(grid, classifier, "classifier", CLASSIFIER_COLUMNS)
    given = {name: column_named(grid, column, name) for name, column in columns.items() if column is not None}
    at = {name: column_of(grid, name, columns[name], {d, c, *given.values()}) for name in COLUMNS}
    _refuse_without(grid, at)
    if at["row"] is None:
        at["row"] = _numbers_of_cases(grid, (d, c, at["repeat"]), {d, c, *at.values()})
    if c is None and any(map(partial(_holds_names, grid), _unused(grid, (d, *at.values())))):
        key_column(grid, None, "classifier", CLASSIFIER_COLUMNS)
    return {"dataset": d, "classifier": c, **at}


def _numbers_of_cases(grid: Grid, keys: Iterable[int | None], others: set[int | None]) -> int | None:
    """Return a column ``id`` that tells the cases of each classifier apart, None where there is none."""
    found = [j for j in columns_called(grid, NUMBER_COLUMNS) if j not in others]
    n = len(grid.numbers)
    if len(found) != 1 or not n:
        return None
    told = [j for j in (*keys, found[0]) if j is not None]
    if grid.is_held:
        if len(grid.numbers) > MOST_FETCHED:
            return found[0]
        grid.columns.load(told)  # type: ignore[attr-defined]  # is_held: they are HeldColumns
    names = [names_in(grid.columns[j]) for j in told]
    return found[0] if all(names[-1].names) and len(joined([one.codes for one in names])[0]) == n else None


def _unused(grid: Grid, at: Iterable[int | None]) -> list[int]:
    used = set(at)
    return [j for j, name in enumerate(grid.header) if j not in used and name]


def _holds_names(grid: Grid, j: int) -> bool:
    """Tell whether a column, which nothing is known of, may name the classifiers."""
    from evalstats.tables.engines.held import HeldColumns

    if isinstance(grid.columns, HeldColumns):
        return grid.columns.engine.kind(grid.columns.engine.header[j]) not in ("integer", "float")
    return any(value is None for value in numbers_in(grid.columns[j], "."))


def _unnamed(grid: Grid, at: Mapping[str, int | None]) -> tuple[Finding, ...]:
    """Tell what is one because no column names several, and which columns have no role."""
    missing = [what for what in UNNAMED if at[what] is None]
    if not missing:
        return ()
    unused = [grid.header[j] for j in _unused(grid, at.values())]
    sentence = f"No column names {' or '.join(f'{what}s' for what in missing)}: "
    sentence += f"all predictions are of one {' and one '.join(missing)}."
    sentence += f" Not used: {listed(unused)}." if unused else ""
    return (Finding(code="unnamed", severity="note", sentence=sentence),)


def _understood(
    decimal: str,
    pos_label: Any,
    findings: tuple[Finding, ...],
    grid: Grid,
    at: Mapping[str, int | None],
    n_cases: IntArray | None,
) -> Predictions:
    """Return the predictions in a grid; each row stands for `n_cases` of them where that is given."""
    if not len(grid.numbers):
        raise TableError(f"{grid.name} has no row of predictions")
    datasets, dataset_of = _names(grid, at["dataset"], "dataset")
    classifiers, classifier_of = _names(grid, at["classifier"], "classifier")
    if len(datasets) * len(classifiers) > max(1_000_000, 100 * len(dataset_of)):
        size = f"{len(datasets):,} datasets and {len(classifiers):,} classifiers"
        problem = f"{grid.name} has {size}, but only {len(dataset_of):,} predictions"
        raise TableError(problem, "check which columns name them")
    repeats, repeat_of = _names(grid, at["repeat"], "repeat")
    folds, fold_of = _names(grid, at["fold"], "fold")
    labels, y_true, y_pred = _labels(grid, at["y_true"], at["y_pred"])
    findings = (*findings, *words_for_missing(labels, y_true))
    of_datasets = checked_labels(grid, at["y_pred"], datasets, dataset_of, labels, y_true, y_pred)
    cases = _cases(grid, at["row"])
    keys = CaseKeys(dataset_of, classifier_of, repeat_of, cases, fold_of, y_true, n_cases)
    y_score = None if at["y_score"] is None else _scores(grid, at["y_score"], decimal)
    if grid.is_held:  # millions of rows: each column is kept once from here on
        grid.columns.forget()  # type: ignore[attr-defined]  # is_held: they are HeldColumns
    order = sorted_rows(keys, y_pred, y_score)
    check_cases(grid, keys, order, datasets, classifiers, has_cases=at["row"] is not None)
    columns: dict[str, Any] = {"dataset": dataset_of, "classifier": classifier_of, "repeat": repeat_of, "fold": fold_of}
    columns |= {"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "case": None if at["row"] is None else cases}
    positives = positive_labels(pos_label, datasets, of_datasets)
    del keys, dataset_of, classifier_of, repeat_of, fold_of, y_true, y_pred, y_score, cases
    return Predictions(
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        repeats=tuple(repeats),
        folds=tuple(folds),
        labels=tuple(labels),
        positives=positives,
        **{name: _in_order(columns.pop(name), order) for name in tuple(columns)},
        source=grid.file,
        findings=findings,
        _counted=None if n_cases is None else CountedCases(_in_order(n_cases, order), None, _nothing_else, False),
    )


def _nothing_else() -> Predictions:
    raise AssertionError("the rows are known to the engine only")


# --- columns ----------------------------------------------------------------------------------------------------------


def column_of(grid: Grid, argument: str, given: str | None, others: Container[int | None]) -> int | None:
    """Return the column that an argument names or, if it names none, that is recognised by its name."""
    if given is not None:
        return column_named(grid, given, argument)
    found = columns_of(grid, argument, others)
    if len(found) > 1:
        problem = f"{grid.name}: any of the columns {headers(grid, found)} may be {argument}"
        raise TableError(problem, "choose one with {}", argument, grid.header[found[0]])
    return found[0] if found else None


def columns_of(grid: Grid, role: str, others: Container[int | None] = ()) -> list[int]:
    """Return the columns that are called like those of a role."""
    found = [j for j in columns_called(grid, COLUMNS[role]) if j not in others]
    if found or role != "y_true":
        return found
    return [j for j in columns_called(grid, TRUE_AT_LAST) if j not in others]


def _refuse_without(grid: Grid, at: Mapping[str, int | None]) -> None:
    if at["y_true"] is None:
        problem = f"{grid.name}: none of the columns {headers(grid)} is known to hold the true labels"
        raise TableError(problem, "choose one with {}", "y_true")
    if at["y_pred"] is None and at["y_score"] is None:
        problem = f"{grid.name}: none of the columns {headers(grid)} is known to hold predicted labels or scores"
        raise TableError(problem, "choose one with {}", "y_pred")


def _names(grid: Grid, j: int | None, what: str) -> Names:
    """Return the names in a column in natural order; without a column there is one thing, without a name."""
    if j is None:
        return Names([UNNAMED.get(what, "")], np.broadcast_to(np.intp(0), len(grid.numbers)))
    return checked_names(grid, j, what)


def _cases(grid: Grid, j: int | None) -> IndexArray:
    """Return the number of the case of each row; whole numbers need no names, of which there would be millions."""
    column = None if j is None else grid.columns[j]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        cells = coded(column)
        return number_codes(np.asarray(cells.values), cells.codes)
    return _names(grid, j, "case").codes


def _labels(grid: Grid, true: int | None, predicted: int | None) -> tuple[Sequence[str], IndexArray, IndexArray | None]:
    """Return the names of the labels in natural order, and the numbers of the true and of the predicted ones."""
    assert true is not None
    of_true = labels_in(grid, true, "true")
    if predicted is None:
        return *naturally_ordered(of_true), None
    of_predicted = labels_in(grid, predicted, "predicted")
    distinct = list(dict.fromkeys([*of_true.names, *of_predicted.names]))
    names, number = naturally_ordered(Names(distinct, np.arange(len(distinct))))
    number_of = dict(zip(distinct, number.tolist(), strict=True))
    y_true, y_pred = (
        np.array([number_of[name] for name in own.names], dtype=np.intp)[own.codes] for own in (of_true, of_predicted)
    )
    return names, y_true, y_pred


def _scores(grid: Grid, j: int, decimal: str) -> FloatArray:
    column = grid.columns[j]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf" and np.isfinite(column).all():
        return column.astype(np.float64)
    values = numbers_in(column, decimal)
    numbers = np.array(values, dtype=np.float64)
    if None not in values and np.isfinite(numbers).all():
        return numbers
    i = next(i for i, value in enumerate(values) if value is None or not math.isfinite(value))
    value = values[i]
    if value is not None and math.isnan(value):
        raise TableError(f"{grid.place(i, j)}: the score is missing")
    raise not_a_number(grid.place(i, j), column[i], decimal, is_text=False)


def _in_order(array: AnyArray | None, order: IndexArray | None) -> Any:
    """Return an array in the order of the predictions, for reading only; nothing of a column that is not there."""
    if array is None or array.strides == (0,):  # one value in all rows
        return array
    return _fixed(array.copy() if order is None else array[order])


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
