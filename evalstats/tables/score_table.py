"""Record of a table of scores."""

from __future__ import annotations

__all__ = ["ScoreTable", "complete_scores", "names_of_cells"]

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, listed
from evalstats._findings import Finding, LeftOut
from evalstats._frames import data_frame
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import short, visible
from evalstats.tables.fold_scores import FoldScores, RunScores, run_scores_of_predictions
from evalstats.tables.names import are_faultless, fault_of, positions_of_repeated, text_of, texts_of

if TYPE_CHECKING:
    from evalstats._frames import DataFrame
    from evalstats.tables.items import QuestionScores
    from evalstats.tables.prediction_scores import PredictionScores


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable(Record):
    """Checked scores of classifiers on datasets, with their names.

    Names are text. Surrounding and repeated white space is removed, and control characters are rejected.

    Attributes
    ----------
    scores : ndarray of float64, shape (n_datasets, n_classifiers)
        The read-only scores, in the unit of the metric. They are finite, except nan for the cells in `missing`.
    datasets : tuple of str
        Unique name of each row.
    classifiers : tuple of str
        Unique name of each column.
    metric : str, default: 'score'
        Name of the metric.
    unit : str, default: ''
        The unit of the scores, such as ``'%'``.
    greater_is_better : bool, optional
        The direction of the metric. Default: the direction of the metric with this name, or True if the name is
        unknown.
    dropped : tuple of str, default: ()
        Datasets that were left out because cells were missing.
    missing : tuple of (str, str), default: ()
        Dataset and classifier of each missing score, row by row. Each dataset has at least two scores, and each
        classifier has at least one.
    source : str or None, default: None
        Name of the file, without its folder.
    computation : str, default: ''
        Description of the computation, if the scores were computed from predictions or are means over folds.
    folds : tuple of FoldScores, default: ()
        The fold scores of each dataset, or an empty tuple. `scores` holds the means of the fold scores.
    left_out : tuple of LeftOut, default: ()
        Rows and columns of the source that are not datasets or classifiers, and why.
    findings : tuple of Finding, default: ()
        Findings about the interpretation of the table, and about scores that may be faulty.
    spread : ndarray of float64, shape (n_datasets, n_classifiers), or None, default: None
        The spread that was printed with each score (``93.3 ± 0.5``). It is nan if no spread was printed. It may be a
        standard deviation or a standard error. No test uses it.
    noise : float, default: 0
        Largest relative rounding error of scores in single or half precision. Every test treats scores that differ by
        less than this error as equal.
    format : str, default: ''
        Name of the format of the source, if `read_table` recognized it or the caller gave it.
    answers : QuestionScores or None, default: None
        The scores of individual questions, or None if the source does not contain them. `scores` holds their means.

    Raises
    ------
    InvalidValueError
        If the shape and the names do not match, or if a name is empty or not unique. If a score is not finite and
        `missing` does not name it, or if `missing` names a finite score.

    Examples
    --------
    >>> from evalstats.tables.score_table import ScoreTable
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
    greater_is_better: bool = None  # type: ignore[assignment]  # never None if it is read
    dropped: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    source: str | None = None
    computation: str = ""
    folds: tuple[FoldScores, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    findings: tuple[Finding, ...] = ()
    spread: FloatArray | None = None
    noise: float = 0.0
    format: str = ""
    answers: QuestionScores | None = None
    _scored: PredictionScores | None = None
    _of_benchmarks: bool = False  # the means of answers to questions, of models

    def __post_init__(self) -> None:
        _checks.text(self.metric, "metric")
        datasets, classifiers = _names(self.datasets, "datasets"), _names(self.classifiers, "classifiers")
        _labels.labels_agree(self.scores, "scores", datasets, "datasets")
        _labels.labels_agree(self.scores, "scores", classifiers, "classifiers", axis="columns")
        scores = np.array(_checks.numbers(self.scores, "scores"))
        if scores.shape != (len(datasets), len(classifiers)) or scores.size == 0:
            raise InvalidValueError(
                f"scores must have one row for each of the {len(datasets)} datasets and one column for each of the "
                f"{len(classifiers)} classifiers (at least one), but the shape is {scores.shape}"
            )
        is_missing = _missing_cells(self.missing, datasets, classifiers, scores)
        known = np.where(is_missing, 0.0, scores) if is_missing.any() else scores
        _checks.finite(known, "scores", (datasets, classifiers))
        scores.setflags(write=False)
        for name, value in {
            "scores": scores,
            "datasets": datasets,
            "classifiers": classifiers,
            "metric": _name(self.metric, "metric"),
            "unit": _name(self.unit, "unit") if _checks.text(self.unit, "unit") else "",
            "greater_is_better": self._direction(),
            "dropped": _names(self.dropped, "dropped"),
            "missing": names_of_cells(is_missing, datasets, classifiers),
            "source": None if self.source is None else visible(_checks.text(self.source, "source")),
            "computation": visible(_checks.text(self.computation, "computation")),
            "format": visible(_checks.text(self.format, "format")),
            "folds": _folds(self.folds, datasets, len(classifiers)),
            "spread": _spread(self.spread, scores),
            "noise": max(_noise(self.noise), _checks.noise_in(self.scores)),
        }.items():
            object.__setattr__(self, name, value)
        super().__post_init__()

    def _direction(self) -> bool:
        given: bool | None = self.greater_is_better
        if given is None:
            return direction_of_metric(self.metric) is not False
        return _checks.boolean(given, "greater_is_better")

    def select(self, classifiers: Iterable[str]) -> ScoreTable:
        """Return the table of some classifiers, in the given order.

        If scores are missing, datasets with fewer than two scores (or none, for one classifier) are left out.

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
            spread = None if self.spread is None else self.spread[:, chosen]
            answers = None if self.answers is None else self.answers.select(chosen)
            return replace(
                self,
                scores=self.scores[:, chosen],
                classifiers=names,
                folds=folds,
                spread=spread,
                answers=answers,
                _scored=scored,
            )
        return self._of(chosen, names, min(2, len(names)))

    def _of(self, columns: Sequence[int], classifiers: tuple[str, ...], fewest: int) -> ScoreTable:
        """Return the table of some columns. Datasets with fewer than `fewest` scores are left out."""
        scores = self.scores[:, columns]
        kept = (~np.isnan(scores)).sum(axis=1) >= fewest
        if not kept.any():
            raise InvalidValueError(f"no dataset has {fewest} or more scores of {listed(classifiers)}")
        datasets = tuple(itertools.compress(self.datasets, kept))
        return replace(
            self,
            scores=scores[kept],
            datasets=datasets,
            classifiers=classifiers,
            dropped=(*self.dropped, *itertools.compress(self.datasets, ~kept)),
            missing=names_of_cells(np.isnan(scores[kept]), datasets, classifiers),
            spread=None if self.spread is None else self.spread[:, columns][kept],
        )

    @property
    def _items(self) -> QuestionScores | None:
        """Scores of questions, or None if the answers are compared as predictions."""
        return self.answers if self._scored is None else None

    @property
    def runs(self) -> tuple[RunScores, ...]:
        """Scores of the repeats of each dataset, aggregated over folds like `scores`, or () if there are no folds."""
        if self._scored is not None:
            return run_scores_of_predictions(self._scored)
        return tuple(RunScores(one.dataset, one.repeats, one.scores.mean(axis=1)) for one in self.folds)

    def position(self, classifier: str) -> int:
        """Return the column of a classifier, counted from 0.

        Parameters
        ----------
        classifier : str
            Name of the classifier.

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
            known = listed(self.classifiers)
            raise InvalidValueError(f"classifier must be one of {known}, not {short(classifier)}") from None

    def to_frame(self) -> DataFrame:
        """Return the scores as a pandas DataFrame, with datasets as index and classifiers as columns.

        A missing score is nan.

        Returns
        -------
        pandas.DataFrame
        """
        frame = data_frame(self.scores.copy(), index=self.datasets, columns=self.classifiers)
        return frame.rename_axis(index="dataset", columns="classifier")

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each dataset and classifier, as columns of Python values. Missing scores are nan.

        Returns
        -------
        dict of str to list
        """
        places = list(itertools.product(self.datasets, self.classifiers))
        return {
            "dataset": [dataset for dataset, _ in places],
            "classifier": [classifier for _, classifier in places],
            "score": self.scores.ravel().tolist(),
        }


def complete_scores(table: ScoreTable, what: str) -> FloatArray:
    """Return the scores of a table; if scores are missing, raise an error that names `what`."""
    if not table.missing:
        return table.scores
    n = len(table.missing)
    raise InvalidValueError(
        f"{what} needs a score in every cell, but {n:,} {'is' if n == 1 else 'are'} missing: leave out their datasets "
        "with missing='drop-datasets'"
    )


def _folds(values: Iterable[FoldScores], datasets: tuple[str, ...], k: int) -> tuple[FoldScores, ...]:
    given = _checks.listed(values, "folds", "FoldScores")
    folds = tuple(_checks.instance(one, "each of folds", FoldScores, "FoldScores") for one in given)
    if folds and (tuple(one.dataset for one in folds) != datasets or any(one.scores.shape[-1] != k for one in folds)):
        raise InvalidValueError("folds must have one FoldScores for each dataset, in that order, with all classifiers")
    return folds


def _noise(value: Any) -> float:
    return 0.0 if isinstance(value, float) and value == 0 else _checks.proportion(value, "noise")


def _spread(value: Any, scores: FloatArray) -> FloatArray | None:
    """Return the published spreads of the scores as a read-only array, or None if there are none."""
    if value is None:
        return None
    spread = np.array(_checks.numbers(value, "spread"))
    if spread.shape != scores.shape or (spread < 0).any():
        raise InvalidValueError("spread must have a nonnegative number, or nan, for each score")
    spread.setflags(write=False)
    return spread


def _missing_cells(
    missing: Any, datasets: tuple[str, ...], classifiers: tuple[str, ...], scores: FloatArray
) -> BoolArray:
    """Return which scores are missing. Raise an error if the names in `missing` do not match the scores."""
    is_missing = np.zeros(scores.shape, dtype=bool)
    for cell in _checks.listed(missing, "missing", "cells (dataset, classifier)"):
        dataset, classifier = _cell_name(cell)
        if dataset not in datasets or classifier not in classifiers:
            raise InvalidValueError(f"missing must name cells of the table, not {short(dataset)} / {short(classifier)}")
        at = datasets.index(dataset), classifiers.index(classifier)
        if not math.isnan(scores[at]):
            raise InvalidValueError(
                "missing must name cells without a score, but the score of "
                f"{short(dataset)} / {short(classifier)} is {scores[at]:g}"
            )
        is_missing[at] = True
    if is_missing.any():
        few = (~is_missing).sum(axis=1) < min(2, len(classifiers))
        if few.any():
            first = datasets[int(few.argmax())]
            raise InvalidValueError(f"each dataset must have two or more scores, but {short(first)} has fewer")
        if (none := is_missing.all(axis=0)).any():
            first = classifiers[int(none.argmax())]
            raise InvalidValueError(f"each classifier must have a score, but {short(first)} has none")
    return is_missing


def _cell_name(cell: Any) -> tuple[str, str]:
    if isinstance(cell, str) or not isinstance(cell, Sequence) or len(cell) != 2:
        raise InvalidTypeError(f"missing must hold pairs of a dataset and a classifier, not {short(cell)}")
    return text_of(cell[0]), text_of(cell[1])


def names_of_cells(
    is_missing: BoolArray, datasets: tuple[str, ...], classifiers: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return the dataset and the classifier of each missing cell, row by row."""
    at = np.argwhere(is_missing).tolist() if is_missing.any() else []
    return tuple((datasets[i], classifiers[j]) for i, j in at)


def _name(value: Any, argument: str) -> str:
    if isinstance(value, bytes):
        raise InvalidTypeError(f"{argument} must be text, not bytes")
    name = text_of(value)
    if fault := fault_of(name) if name else "is empty":
        raise InvalidValueError(f"{argument}: the name {short(value)} {fault}")
    return name


def _names(values: Any, argument: str) -> tuple[str, ...]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidTypeError(f"{argument} must be a sequence of names, not {short(values)}")
    given = list(values)
    names = () if any(isinstance(value, bytes) for value in given) else tuple(texts_of(given))
    if len(names) < len(given) or not are_faultless(names):
        names = tuple(_name(value, argument) for value in given)
    if repeated := positions_of_repeated(names):
        raise InvalidValueError(f"{argument} must be unique, but these are repeated: {listed(list(repeated))}")
    return names
