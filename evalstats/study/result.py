"""Results of a study: a row for each fold of each repeat of a classifier on a dataset."""

from __future__ import annotations

__all__ = ["NEED_APPARENT", "StudyResult", "result_of"]

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats._frames import data_frame
from evalstats._result import Record
from evalstats._types import AnyArray, FloatArray
from evalstats.study.store import Columns, DirectoryStore, Key, MemoryStore, have_same_cases, scores_of_cases

if TYPE_CHECKING:
    from evalstats._frames import DataFrame


Store = MemoryStore | DirectoryStore
NEED_APPARENT = (".632", ".632+")
COLUMNS: dict[str, Any] = {
    "dataset": object,
    "classifier": object,
    "repeat": np.int64,
    "fold": np.int64,
    "metric": object,
    "score": np.float64,
    "n_train": np.int64,
    "n_test": np.int64,
    "fit_time": np.float64,
    "score_time": np.float64,
    "seed": np.int64,
    "failure": object,
}
PREDICTIONS = ("dataset", "classifier", "repeat", "fold", "row", "y_true", "y_pred", "y_score")
# the probability that an instance is in a bootstrap sample, 1 - 1/e, rounded as in the paper
WEIGHT = 0.632


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyResult(Record):
    """Result of `run_study` and `read_study`: the scores of every run of a study.

    Attributes
    ----------
    datasets, classifiers : tuple of str
        Names of the datasets and classifiers, in the given order.
    metric : str
        Name of the metric.
    scheme : str
        Scheme of the splits.
    seed : int
        Seed of the study. With this seed, `run_study` returns the same numbers again.
    columns : dict of str to ndarray
        One row for each fold of each repeat, sorted. The columns are ``dataset``, ``classifier``, ``repeat``, ``fold``,
        ``metric``, ``score``, ``n_train``, ``n_test``, ``fit_time``, ``score_time``, ``seed`` and ``failure``. Repeats
        and folds are counted from 1. The score is nan if the run failed, and ``failure`` is the reason or, for other
        runs, None. The times are in seconds. The seed is the seed of the classifier in the run.
    n_failed : int
        Number of rows without a score.
    complete : bool
        False if the study was interrupted before its end.
    directory : str or None
        Directory of the runs.
    stop : str or None
        The stopping rule, as text.
    """

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    metric: str
    scheme: str
    seed: int
    columns: dict[str, AnyArray]
    n_failed: int
    complete: bool
    directory: str | None
    stop: str | None = None
    _store: Store | None = None
    _has_predictions: bool = False

    def to_frame(self) -> DataFrame:
        """Return the runs as a pandas DataFrame, for `evalstats.read_table` and `evalstats.compare`.

        Returns
        -------
        pandas.DataFrame
            A column for each of `columns`.
        """
        return data_frame(self.columns)

    def to_columns(self) -> dict[str, list[Any]]:
        """Return `columns` as lists of plain Python values.

        Returns
        -------
        dict of str to list
        """
        return {name: values.tolist() for name, values in self.columns.items()}

    def predictions_to_frame(self) -> DataFrame:
        """Return the predictions for each instance in each run, for `evalstats.read_predictions`.

        Returns
        -------
        pandas.DataFrame
            The columns are ``dataset``, ``classifier``, ``repeat``, ``fold``, ``row`` (the index of the instance, from
            0), and ``y_true`` and ``y_pred`` as text. ``y_score`` is the probability of the positive label, or the
            value of the decision function. The column is missing unless all runs have it.

        Raises
        ------
        InvalidValueError
            If predictions were not saved.
        """
        return data_frame(self.prediction_columns())

    def prediction_columns(self) -> dict[str, AnyArray]:
        """Return the columns of `predictions_to_frame` as arrays.

        Returns
        -------
        dict of str to ndarray
        """
        if self._store is None or not self._has_predictions:
            raise InvalidValueError("the study kept no predictions; pass predictions=True to run_study")
        parts: dict[str, list[Any]] = {name: [] for name in PREDICTIONS}
        for key in _sorted(self._store.runs(), self.datasets, self.classifiers):
            own = self._store.predictions_of(key)
            n = len(own.get("row", ()))
            constant = dict(zip(("dataset", "classifier", "repeat"), key, strict=True))
            for name, arrays in parts.items():
                kind = np.int64 if name == "repeat" else object
                arrays.append(
                    np.full(n, constant[name], dtype=kind) if name in constant else np.asarray(own.get(name, ()))
                )
        columns = {name: np.concatenate([part for part in own if len(part)] or [[]]) for name, own in parts.items()}
        if np.isnan(columns["y_score"].astype(np.float64)).any():
            del columns["y_score"]
        return columns

    def _scores_of_cases(self) -> dict[tuple[str, str], FloatArray]:
        """Return the outputs of a classifier for the instances of each dataset in all runs.

        The shape is (n_runs, n_instances) for two classes and (n_runs, n_instances, n_classes) for more classes.
        """
        if self._store is None or not self._has_predictions:
            return {}
        runs: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for key in _sorted(self._store.runs(), self.datasets, self.classifiers):
            runs.setdefault(key[:2], []).append(self._store.predictions_of(key))
        found = {}
        for subject, own in runs.items():
            rows = [np.sort(np.asarray(one.get("row", ()), dtype=np.int64)) for one in own]
            if have_same_cases(rows):
                scores = np.stack([scores_of_cases(one) for one in own])
                if not np.isnan(scores).any():
                    found[subject] = scores
        return found

    def to_csv(self) -> str:
        """Return the runs as CSV, with a line for each row of `columns`.

        Returns
        -------
        str
        """
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*(values.tolist() for values in self.columns.values()), strict=True))
        return text.getvalue()


def _sorted(runs: Iterable[Key], datasets: Iterable[str], classifiers: Iterable[str]) -> list[Key]:
    at = {name: i for i, name in enumerate(datasets)}, {name: i for i, name in enumerate(classifiers)}
    return sorted((key for key in runs if key[2] > 0), key=lambda key: (at[0][key[0]], at[1][key[1]], key[2]))


def result_of(description: Mapping[str, Any], store: Store, *, complete: bool) -> StudyResult:
    """Return the finished runs, sorted."""
    datasets, classifiers = tuple(description["datasets"]), tuple(description["classifiers"])
    runs = store.runs()
    keys = _sorted(runs, datasets, classifiers)
    corrected = (
        _corrected(runs, keys, description["metric"] == "accuracy") if description["scheme"] in NEED_APPARENT else {}
    )
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for key in keys:
        own = runs[key] | corrected.get(key, {})
        n = len(own["fold"])
        constant = dict(zip(("dataset", "classifier", "repeat", "metric"), (*key, description["metric"]), strict=True))
        for name in COLUMNS:
            columns[name] += [constant[name]] * n if name in constant else own[name]
    arrays = {name: np.array(values, dtype=COLUMNS[name]) for name, values in columns.items()}
    for array in arrays.values():
        array.setflags(write=False)
    return StudyResult(
        datasets=datasets,
        classifiers=classifiers,
        metric=description["metric"],
        scheme=description["scheme"],
        seed=description["seed"],
        columns=arrays,
        n_failed=int(np.isnan(arrays["score"]).sum()),
        complete=complete,
        directory=store.directory,
        stop=description.get("stop"),
        _store=store,
        _has_predictions=description["predictions"],
    )


def _corrected(runs: Mapping[Key, Columns], keys: list[Key], greater_is_better: bool) -> dict[Key, Columns]:
    """Return the .632 bootstrap scores of each repeat, and a reason if a score is undefined."""
    result: dict[Key, Columns] = {}
    for pair in dict.fromkeys(key[:2] for key in keys):
        own = [key for key in keys if key[:2] == pair]
        apparent = runs.get((*pair, 0))
        reason = "the score on the training data is not available yet" if apparent is None else apparent["failure"][0]
        if apparent is None or reason is not None:
            lost: Columns = {"score": [np.nan], "failure": [f"trained on all instances: {reason}"]}
            result |= dict.fromkeys(own, lost)
            continue
        out_of_bag = np.array([runs[key]["score"][0] for key in own])
        scores = weighted_scores(
            out_of_bag, apparent["score"][0], apparent["no_information"][0], greater_is_better=greater_is_better
        )
        result |= {key: {"score": [score]} for key, score in zip(own, scores.tolist(), strict=True)}
    return result


def weighted_scores(
    out_of_bag: FloatArray, apparent: float, no_information: float = math.nan, *, greater_is_better: bool = True
) -> FloatArray:
    """Return a score for each bootstrap sample, whose mean is the .632 estimate, or .632+ with `no_information`.

    Parameters
    ----------
    out_of_bag : ndarray of shape (n_repeats,)
        Score on the instances that are not in the sample. It is nan if the run failed.
    apparent : float
        Score on the training data of the classifier that was trained on all instances.
    no_information : float, optional
        Expected score if predictions and labels were independent. Without it, the result is the .632 estimate.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.

    References
    ----------
    Efron, B. & Tibshirani, R. (1997). Improvements on cross-validation: the .632+ bootstrap method. Journal of the
    American Statistical Association 92, 548-560.
    """
    done = ~np.isnan(out_of_bag)
    if math.isnan(no_information) or not done.any():
        return (1 - WEIGHT) * apparent + WEIGHT * out_of_bag
    mean = float(out_of_bag[done].mean())
    sign = 1 if greater_is_better else -1
    lost, most = sign * (apparent - mean), sign * (apparent - no_information)
    # the relative overfitting rate, within 0 and 1
    rate = min(lost / most, 1.0) if lost > 0 and most > 0 else 0.0
    more = (1 - WEIGHT) * WEIGHT * rate / (1 - (1 - WEIGHT) * rate)
    # in the correction, a score below the no-information value counts as this value: Efron & Tibshirani (1997), eq. 32
    limited = no_information if rate == 1 else mean
    return (1 - WEIGHT) * apparent + WEIGHT * out_of_bag + more * (out_of_bag - mean + limited - apparent)
