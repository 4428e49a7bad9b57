"""One repeat of one classifier on one dataset: fit, predict, score, and record failures and crashes.

One run is the unit of work that is sent to other processes and machines. Failures are recorded, never raised.
"""

from __future__ import annotations

__all__ = ["PREDICTION_COLUMNS", "RUN_COLUMNS", "Data", "Notes", "Protocol", "Repeat", "end_with", "run_repeat"]

import json
import math
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple, Self

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, examples, short, words_of
from evalstats._types import AnyArray, IndexArray
from evalstats.study.metric import FoldOutput, StudyMetric
from evalstats.study.splits import Split, Splitting, seeds_of

_MOST_TOLD = 5
_SECONDS = 0.5  # seconds between two checks of the parent process
_watched: set[int] = set()


class Notes(NamedTuple):
    """Notes on current tasks; copies of this object in other processes know the folder."""

    folder: str
    asker: int = 0  # the process that requested the work

    @classmethod
    @contextmanager
    def kept(cls) -> Iterator[Self]:
        """Keep notes while the context is active."""
        with tempfile.TemporaryDirectory(prefix="evalstats-") as folder:
            yield cls(folder, os.getpid())

    @property
    def _own(self) -> Path:
        return Path(self.folder, f"{os.getpid()}-{threading.get_ident()}")

    def begun(self, dataset: str, classifier: str, repeat: int, fold: int) -> None:
        """Write a note on the current task of this process."""
        end_with(self.asker)
        with suppress(OSError):
            self._own.write_text(json.dumps([dataset, classifier, repeat, fold]), encoding="utf-8")

    def finished(self) -> None:
        """Remove the note of this process."""
        with suppress(OSError):
            self._own.unlink()

    def left(self) -> str:
        """Return the remaining notes as a sentence, or '' if there are none."""
        told = []
        for path in sorted(Path(self.folder).iterdir()):
            with suppress(OSError, ValueError):  # a note that was not written completely
                dataset, classifier, repeat, fold = json.loads(path.read_text(encoding="utf-8"))
                where = f"repeat {repeat}, fold {fold}" if repeat else "trained on the whole dataset"
                told.append(f"{short(classifier)} on {short(dataset)} ({where})")
        return examples(told, _MOST_TOLD) if told else ""


def end_with(asker: int) -> None:
    """End this worker soon after its parent process, because a killed parent cannot end its workers.

    A process that is not a child, as with threads and on other machines, is not affected.
    """
    if os.name != "posix" or os.getppid() != asker or asker in _watched:
        return
    _watched.add(asker)
    threading.Thread(target=_outlive_nobody, args=(asker,), daemon=True).start()


def _outlive_nobody(asker: int) -> None:
    while os.getppid() == asker:
        sleep(_SECONDS)
    os._exit(1)


RUN_COLUMNS = {
    "fold": "int64",
    "score": "float64",
    "n_train": "int64",
    "n_test": "int64",
    "fit_time": "float64",
    "score_time": "float64",
    "seed": "int64",
    "failure": "string",
    "no_information": "float64",
}
PREDICTION_COLUMNS = {
    "fold": "int64",
    "row": "int64",
    "y_true": "string",
    "y_pred": "string",
    "y_score": "float64",  # nan for more than two classes
    "y_proba": "probabilities",  # probabilities of more than two classes, if a stopping rule needs them
}
LONGEST_FAILURE = 500


@dataclass(frozen=True, kw_only=True)
class Data:
    """A dataset: instances, labels, and the labels as indexes of sorted classes."""

    name: str
    X: Any
    y: AnyArray
    codes: IndexArray
    classes: AnyArray
    positive: int


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """Settings of every repeat of a dataset."""

    splitting: Splitting
    metric: StudyMetric
    keep_predictions: bool
    needs_probabilities: bool = False  # a stopping rule takes them


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """Columns of the folds of one repeat, and of its predictions."""

    runs: dict[str, list[Any]]
    predictions: dict[str, Any] | None


@dataclass
class _Fold:
    number: int
    seed: int
    n_train: int
    n_test: int
    score: float = math.nan
    fit_time: float = math.nan
    score_time: float = math.nan
    failure: str | None = None
    no_information: float = math.nan
    rows: IndexArray = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    output: FoldOutput | None = None


def run_repeat(
    data: Data, name: str, estimator: Any, protocol: Protocol, repeat: int, notes: Notes | None = None
) -> Repeat:
    """Fit and score a classifier in each fold of a repeat, with a note on the current fold.

    Repeat 0 trains and tests on the whole dataset, for the .632 bootstrap.
    """
    folds = []
    for number, split in _splits(data, protocol, repeat):
        if notes is not None:
            notes.begun(data.name, name, repeat, number)
        folds.append(_run_fold(data, name, estimator, protocol, repeat, number, split))
    if notes is not None:
        notes.finished()
    return Repeat(runs=_run_columns(folds), predictions=_prediction_columns(data, folds, protocol, repeat))


def _splits(data: Data, protocol: Protocol, repeat: int) -> Iterator[tuple[int, Split]]:
    if repeat == 0:
        everything = np.arange(len(data.codes))
        yield 0, (everything, everything)
    else:
        yield from enumerate(protocol.splitting.of_repeat(repeat, data.codes), 1)


def _run_fold(
    data: Data, name: str, estimator: Any, protocol: Protocol, repeat: int, number: int, split: Split
) -> _Fold:
    train, test = split
    seed = int(seeds_of(protocol.splitting.seed, data.name, repeat, number, name).generate_state(1)[0])
    fold = _Fold(number=number, seed=seed, n_train=len(train), n_test=len(test))
    try:
        fitted = _seeded(estimator, seed)
        start = perf_counter()
        fitted.fit(_taken(data.X, train), data.y[train])
        fold.fit_time = perf_counter() - start
        start = perf_counter()
        fold.output, fold.rows = _output(fitted, data, protocol, train, test), test
        fold.score = _value(fitted, data, protocol, test, fold.output)
        fold.score_time = perf_counter() - start
        if repeat == 0 and protocol.splitting.scheme == ".632+":
            fold.no_information = protocol.metric.without_information(fold.output, len(data.classes))
    except (Exception, SystemExit, GeneratorExit) as error:  # an estimator may raise anything
        fold.failure = _told(error)
    return fold


def _told(error: BaseException) -> str:
    text = str(error) if isinstance(error, InvalidValueError) else f"{type(error).__name__}: {words_of(error)}"
    # a file name may contain characters that UTF-8 cannot encode
    return " ".join(text.encode(errors="backslashreplace").decode().split())[:LONGEST_FAILURE]


def _seeded(estimator: Any, seed: int) -> Any:
    """Return a clone whose random states, including the random states of its parts, are derived from the seed."""
    from sklearn.base import clone

    fresh = clone(estimator)
    names = sorted(n for n in fresh.get_params() if n == "random_state" or n.endswith("__random_state"))
    if names:
        states = np.random.SeedSequence(seed).generate_state(len(names)).tolist()
        # a single random state gets the recorded seed itself, so the run can be repeated
        fresh.set_params(**dict(zip(names, [seed] if len(names) == 1 else states, strict=True)))
    return fresh


def _taken(cases: Any, rows: IndexArray) -> Any:
    if hasattr(cases, "iloc"):
        return cases.iloc[rows]
    return cases[rows] if hasattr(cases, "shape") else [cases[i] for i in rows.tolist()]


def _output(fitted: Any, data: Data, protocol: Protocol, train: IndexArray, test: IndexArray) -> FoldOutput:
    """Compute the outputs of the classifier that the metric and the saved predictions need."""
    needs, keep = protocol.metric.needs, protocol.keep_predictions
    cases, predicted, proba, score = _taken(data.X, test), None, None, None
    if needs == "labels" or keep:
        predicted = _codes(_one_for_each(fitted.predict(cases), test, "predict"), data)
    of_two = len(data.classes) == 2
    if needs in ("scores", "probabilities") or keep:
        proba = _probabilities(fitted, cases, data, data.classes[np.unique(data.codes[train])])
        if proba is not None:
            score = _one_for_each(proba, test, "predict_proba")[:, data.positive]
        elif of_two and (score := _decisions(fitted, cases, data)) is not None:
            _one_for_each(score, test, "decision_function")
    if protocol.needs_probabilities and score is None:
        raise InvalidValueError(f"the stopping rule needs predict_proba, which {type(fitted).__name__} does not have")
    return FoldOutput(true=data.codes[test], predicted=predicted, score=score, proba=proba)


def _value(fitted: Any, data: Data, protocol: Protocol, test: IndexArray, output: FoldOutput) -> float:
    metric = protocol.metric
    if metric.needs == "probabilities" and output.proba is None:
        raise InvalidValueError(f"{metric.name} needs predict_proba, which {type(fitted).__name__} does not have")
    if metric.needs == "scores" and output.score is None:
        raise InvalidValueError(
            f"{metric.name} needs predict_proba or decision_function, which {type(fitted).__name__} does not have"
        )
    if metric.function is None:
        return metric.of_fold(output, len(data.classes), data.positive)
    value = float(metric.function(fitted, _taken(data.X, test), data.y[test]))
    if not math.isfinite(value):
        raise InvalidValueError(f"{metric.name} is {value}")
    return value


def _one_for_each(answers: Any, test: IndexArray, method: str) -> Any:
    """Return the outputs of a classifier, or raise an error unless each test instance has one output."""
    if len(answers) != len(test):
        raise InvalidValueError(
            f"{method} must return a value for each of {len(test)} instances, but it returned {len(answers)}"
        )
    return answers


def _codes(labels: Any, data: Data) -> IndexArray:
    labels = np.asarray(labels)
    if labels.shape != (len(labels),):
        raise InvalidValueError(f"predict must return one label for each instance, but its shape is {labels.shape}")
    at: IndexArray = np.minimum(np.searchsorted(data.classes, labels), len(data.classes) - 1)
    if (unknown := data.classes[at] != labels).any():
        raise InvalidValueError(
            f"predict returned {short(labels[unknown][0])}, which is not a label of {short(data.name)}"
        )
    return at


def _probabilities(fitted: Any, cases: Any, data: Data, trained: AnyArray) -> Any:
    """Return a column for each class of the dataset. Classes without training instances have probability 0."""
    if not hasattr(fitted, "predict_proba"):
        return None
    given = np.asarray(fitted.predict_proba(cases), dtype=np.float64)
    classes = np.asarray(getattr(fitted, "classes_", trained))
    if given.shape != (len(given), len(classes)):
        raise InvalidValueError(f"predict_proba must have {len(classes)} columns, but its shape is {given.shape}")
    if not np.isfinite(given).all():
        raise InvalidValueError(f"predict_proba returned {given[~np.isfinite(given)][0]}")
    proba = np.zeros((len(given), len(data.classes)))
    proba[:, _codes(classes, data)] = given
    return proba


def _decisions(fitted: Any, cases: Any, data: Data) -> Any:
    if not hasattr(fitted, "decision_function"):
        return None
    score = np.asarray(fitted.decision_function(cases), dtype=np.float64)
    if score.ndim != 1:
        raise InvalidValueError(
            f"decision_function must return one number for each instance, not the shape {score.shape}"
        )
    if not np.isfinite(score).all():
        raise InvalidValueError(f"decision_function returned {score[~np.isfinite(score)][0]}")
    return score if data.positive == 1 else -score  # the decision function refers to the greater label


def _run_columns(folds: list[_Fold]) -> dict[str, list[Any]]:
    attributes = {name: "number" if name == "fold" else name for name in RUN_COLUMNS}
    return {name: [getattr(fold, attribute) for fold in folds] for name, attribute in attributes.items()}


def _prediction_columns(data: Data, folds: list[_Fold], protocol: Protocol, repeat: int) -> dict[str, Any] | None:
    if not protocol.keep_predictions or repeat == 0:
        return None
    texts = np.array([_checks.label_text(label) for label in data.classes.tolist()], dtype=object)
    done = [(fold, fold.output) for fold in folds if fold.output is not None]
    columns: dict[str, list[Any]] = {name: [] for name in PREDICTION_COLUMNS}
    for fold, output in done:
        n = len(fold.rows)
        columns["fold"].append(np.full(n, fold.number))
        columns["row"].append(fold.rows)
        columns["y_true"].append(texts[output.true])
        columns["y_pred"].append(texts[output.predicted])
        of_two = len(data.classes) == 2 and output.score is not None
        columns["y_score"].append(output.score if of_two else np.full(n, np.nan))
        columns["y_proba"].append(_rows(None if of_two else output.proba, n))
    return {name: np.concatenate(parts) if parts else np.empty(0) for name, parts in columns.items()}


def _rows(proba: Any, n: int) -> AnyArray:
    """Return an array with the probabilities of each instance as a list, or None."""
    rows = np.full(n, None, dtype=object)
    if proba is not None:
        rows[:] = proba.tolist()
    return rows
