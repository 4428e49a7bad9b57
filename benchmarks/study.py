"""What the runner of studies costs beside the fits themselves."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.timing import Race
from evalstats.metrics import accuracy_score
from evalstats.study import label_permutation as permuted_labels
from evalstats.study import label_permutation_test
from evalstats.study.runner import run_study
from evalstats.study.splits import Splitting

N_JOBS, FOLDS, REPEATS, RESAMPLES = 2, 10, 20, 29
SECONDS = 0.01
CASES, Y = make_classification(n_samples=1000, n_features=20, random_state=0)


class TenMilliseconds(ClassifierMixin, BaseEstimator):
    """Works for 10 ms in each fit, and predicts one class."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, cases: Any, y: Any) -> TenMilliseconds:
        end = time.perf_counter() + SECONDS
        while time.perf_counter() < end:
            pass
        self.classes_ = np.unique(y)
        return self

    def predict(self, cases: Any) -> Any:
        return np.full(len(cases), self.classes_[0])


def races() -> Iterator[Race]:
    yield _race("kept in memory", lambda: _study(None))
    yield _race("written to a directory", lambda: _in_directory(predictions=False))
    yield _race("written to a directory with all predictions", lambda: _in_directory(predictions=True))
    for classifier in (GaussianNB(), KNeighborsClassifier(), DecisionTreeClassifier(random_state=0)):
        yield _permutation_race(classifier)


def _permutation_race(classifier: Any) -> Race:
    """Each fit of a test by permuted labels, and its predictions, on the same cases that were chosen beforehand."""
    order = np.random.default_rng(0).permutation(len(Y))
    labels = [Y, *(np.random.default_rng(i).permutation(Y) for i in range(1, RESAMPLES + 1))]
    peer = "the same fits and predictions alone"
    chosen = [(own, permuted_labels._folds(own, FOLDS, order) != j) for own in labels for j in range(FOLDS)]
    sets = [(CASES[trained], own[trained], CASES[~trained]) for own, trained in chosen]

    def fits() -> int:
        return sum(len(clone(classifier).fit(cases, y).predict(tested)) for cases, y, tested in sets)

    def agree(mine: Any, theirs: int, _: str) -> None:
        assert theirs == mine.n_instances * (mine.n_resamples + 1)

    return Race(
        job=f"{RESAMPLES} permutations of the labels of 1,000 cases, {FOLDS} folds, {type(classifier).__name__}",
        ours=lambda: label_permutation_test(classifier, CASES, Y, n_folds=FOLDS, n_resamples=RESAMPLES),
        peers={peer: fits},
        agree=agree,
        goal={peer: 0.95},
    )


def _race(where: str, ours: Callable[[], Any]) -> Race:
    peer = "bare joblib loop of the fits"

    def agree(mine: Any, theirs: list[float], _: str) -> None:
        np.testing.assert_allclose(mine.columns["score"], theirs)

    return Race(
        job=f"{REPEATS} x {FOLDS} folds of fits of 10 ms on {N_JOBS} processes, {where}",
        ours=ours,
        peers={peer: _bare},
        agree=agree,
        goal={peer: 0.95},
        rounds=5,
    )


def _study(directory: Any, *, predictions: bool = False) -> Any:
    choices = {"n_folds": FOLDS, "n_repeats": REPEATS, "rng": 1, "n_jobs": N_JOBS, "predictions": predictions}
    return run_study({"slow": TenMilliseconds()}, {"made": (CASES, Y)}, directory=directory, **choices)


def _in_directory(*, predictions: bool) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return _study(Path(folder, "runs"), predictions=predictions)


def _bare() -> list[float]:
    """Do the least that anyone would write: no seeds, no times, no failures, nothing kept."""
    splitting = Splitting(scheme="k-fold", dataset="made", seed=1, folds=FOLDS, test_size=0.25, stratify=True)
    repeats = joblib.Parallel(n_jobs=N_JOBS)(
        joblib.delayed(_repeat)(TenMilliseconds(), CASES, Y, list(splitting.of_repeat(repeat, Y)))
        for repeat in range(1, REPEATS + 1)
    )
    return [score for scores in repeats for score in scores]


def _repeat(estimator: Any, cases: Any, y: Any, splits: list[Any]) -> list[float]:
    return [
        accuracy_score(y[test], clone(estimator).fit(cases[train], y[train]).predict(cases[test]))
        for train, test in splits
    ]
