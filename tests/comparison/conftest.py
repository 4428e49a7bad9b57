"""Comparisons of every design: over datasets and on one, of two and of several, with a control and without."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from evalstats import Comparison, analyze_runs, compare, example_table
from evalstats.comparison import RunAnalysis, WhichTestResult

NAN = float("nan")
FOLDS = {
    "dataset": ["d"] * 15,
    "classifier": ["A"] * 5 + ["B"] * 5 + ["C"] * 5,
    "fold": [*range(5)] * 3,
    "acc": [0.81, 0.84, 0.79, 0.90, 0.85, 0.78, 0.82, 0.80, 0.84, 0.83, 0.60, 0.61, 0.59, 0.63, 0.66],
}
MADE: dict[str, Callable[[], Comparison]] = {
    "pairs": lambda: compare(example_table("demsar-2006")),
    "control": lambda: compare(example_table("demsar-2006"), control="C4.5"),
    "two": lambda: compare(example_table("raeder-2010-seed-216")),
    "two with a control": lambda: compare(example_table("raeder-2010-seed-216"), control="C4.5"),
    "missing": lambda: compare([[1, 2, NAN], [1, 2, 3], [2, 3, NAN], [1, 2, 4], [4, 5, 9]], missing="skillings-mack"),
    "folds": lambda: compare(FOLDS),
    "folds, control": lambda: compare(FOLDS, control="B"),
}


@cache
def _made(name: str) -> Comparison:
    return MADE[name]()


@pytest.fixture(params=MADE)
def compared(request: pytest.FixtureRequest) -> Comparison:
    """Each comparison in turn."""
    return _made(request.param)


@pytest.fixture(scope="session")
def demsar() -> Comparison:
    """Compare the classifiers of Demšar's table 6."""
    return _made("pairs")


@pytest.fixture(scope="session")
def fold_scores() -> np.ndarray:
    """Return scores of shape (dataset, run, fold, classifier): a clear order on two datasets, chance on the others."""
    shift = np.array([0.05, 0.05, 0, 0, 0])[:, None, None, None] * [0, 1, 2]
    return 0.75 + np.random.default_rng(7).normal(0, 0.03, size=(5, 20, 10, 3)) + shift


@pytest.fixture(scope="session")
def rows_of(fold_scores: np.ndarray) -> Callable[..., dict[str, list[Any]]]:
    """Write scores of folds as a long table."""
    datasets, classifiers = ("colic", "glass", "sonar", "vehicle", "zoo"), ("C4.5", "NB", "SVM")

    def rows_of(folds: np.ndarray = fold_scores, score: str = "accuracy") -> dict[str, list[Any]]:
        places = list(itertools.product(*map(range, folds.shape)))
        return {
            "dataset": [datasets[d] for d, _, _, _ in places],
            "repeat": [r + 1 for _, r, _, _ in places],
            "fold": [f + 1 for _, _, f, _ in places],
            "classifier": [classifiers[c] for _, _, _, c in places],
            score: folds.ravel().tolist(),
        }

    return rows_of


@pytest.fixture(scope="session")
def of_runs(rows_of: Callable[..., dict[str, list[Any]]]) -> Callable[..., dict[str, list[Any]]]:
    """Write a table of one dataset: the runs of each classifier."""

    def of_runs(*runs: list[float], score: str = "accuracy") -> dict[str, list[Any]]:
        return rows_of(np.array(runs, dtype=float).T[np.newaxis, :, np.newaxis, :], score)

    return of_runs


@pytest.fixture(scope="session")
def report(rows_of: Callable[..., dict[str, list[Any]]]) -> RunAnalysis:
    """Report the runs of all datasets."""
    return analyze_runs(rows_of())


@pytest.fixture(scope="session")
def predictions() -> Callable[..., dict[str, list]]:
    """Write predictions of one dataset as a table."""
    return _predictions


def _predictions(
    n_instances: int = 6,
    classifiers: str = "ab",
    n_repeats: int = 1,
    n_folds: int = 1,
    columns: str = "dataset classifier repeat fold row y_true y_pred",
    n_discordant: int = 0,
) -> dict[str, list]:
    """Return a table of predictions of one dataset: the first cases are answered wrongly by classifier b only."""
    rows = [
        {
            "dataset": "d",
            "classifier": classifier,
            "repeat": repeat,
            "fold": case % n_folds,
            "row": case,
            "y_true": case % 2,
            "y_pred": 1 - case % 2 if classifier == "b" and case < n_discordant else case % 2,
            "y_score": 0.25 + case % 2 / 2,
        }
        for classifier in classifiers
        for repeat in range(n_repeats)
        for case in range(n_instances)
    ]
    return {name: [row[name] for row in rows] for name in columns.split()}


@pytest.fixture(scope="session")
def codes() -> Callable[[WhichTestResult], set[str]]:
    """Return the codes of what speaks against an advice."""
    return lambda advice: {finding.code for finding in advice.warnings}


@pytest.fixture(scope="session")
def sentence() -> Callable[[WhichTestResult, str], str]:
    """Return the sentence of one code."""
    return lambda advice, code: next(finding.sentence for finding in advice.warnings if finding.code == code)
