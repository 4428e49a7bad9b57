"""R's answers on one dataset: folds and cases, two classifiers, several and against a control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats import Comparison, compare, report
from evalstats.adjustment.pair_indexing import adjustments
from evalstats.report.formats import r_comparison


def folds(k: int, n_repeats: int = 3, n_folds: int = 10) -> Comparison:
    rng = np.random.default_rng(k)
    at = list(np.ndindex(n_repeats, n_folds, k))
    level = rng.normal(0.8, 0.03, (n_repeats, n_folds))
    scores = [round(level[r, f] + 0.02 * c + rng.normal(0, 0.01), 4) for r, f, c in at]
    names = {"classifier": ["ABCDE"[c] for *_, c in at], "repeat": [r for r, *_ in at], "fold": [f for _, f, _ in at]}
    made: Any = compare({"dataset": ["d"] * len(at), **names, "accuracy": scores})
    return made


def cases(k: int, metric: str, n: int = 60, **choices: Any) -> Comparison:
    rng = np.random.default_rng(1)
    true = rng.integers(0, 2, n)
    rows = []
    for c in range(k):
        score = np.round(np.clip(0.3 * true + rng.random(n) * (0.5 + 0.1 * c), 0, 1), 3)
        rows += [("d", "ABCDE"[c], j, int(true[j]), int(score[j] > 0.5), float(score[j])) for j in range(n)]
    columns = ("dataset", "classifier", "row", "y_true", "y_pred", "y_score")
    made: Any = compare(dict(zip(columns, zip(*rows, strict=True), strict=True)), metric=metric, **choices)
    return made


def cases_in_clusters(k: int, metric: str, n_clusters: int, **choices: Any) -> Comparison:
    """Compare cases in clusters of unequal size."""
    rng = np.random.default_rng(2)
    cluster = np.repeat(np.arange(n_clusters), np.resize([2, 6, 4], n_clusters))
    true = rng.integers(0, 2, cluster.size)
    rows = []
    for c in range(k):
        score = np.round(1 / (1 + np.exp(1 - 2 * true - rng.normal(0, 1 + c, n_clusters)[cluster])), 3)
        rows += [("ABC"[c], j, cluster[j], true[j], int(score[j] > 0.5), score[j]) for j in range(cluster.size)]
    columns = ("classifier", "row", "patient", "y_true", "y_pred", "y_score")
    data = dict(zip(columns, zip(*rows, strict=True), strict=True))
    made: Any = compare(data, metric=metric, cluster="patient", **choices)
    return made


MADE: dict[str, tuple[Callable[[], Comparison], str, int, int]] = {
    # what is compared, its test, numbers that agree, and lines that say what R has not
    "folds of two": (lambda: folds(2), "corrected_ttest", 4, 0),
    "folds of four": (lambda: folds(4), "corrected_ttest", 5 * 6, 0),
    "5x2": (lambda: folds(2, 5, 2), "ftest_5x2cv", 2, 0),
    "right answers of two": (lambda: cases(2, "accuracy"), "mcnemar_test", 2, 1),
    "right answers of three": (lambda: cases(3, "accuracy"), "mcnemar_test", 3 * 3 + 1, 2),
    "errors, a control": (lambda: cases(3, "error_rate", control="B"), "mcnemar_test", 3 * 2 + 1, 2),
    "areas of two": (lambda: cases(2, "roc_auc", pos_label=1), "delong_test", 4, 0),
    "areas of three": (lambda: cases(3, "roc_auc", pos_label=1, adjust="hommel"), "delong_test", 5 * 3, 0),
    "areas of many instances": (lambda: cases(3, "roc_auc", 200, pos_label=1), "delong_test", 5 * 3, 0),
    "any other metric": (lambda: cases(3, "f1", pos_label=1, n_resamples=99, rng=1), "metric_permutation_test", 3, 1),
    **{
        f"{metric} in clusters": (
            lambda metric=metric: cases_in_clusters(2, metric, 9, pos_label=1), "metric_permutation_test", 4, 0
        )
        for metric in ("accuracy", "error_rate", "f1", "precision", "recall", "roc_auc", "brier", "log_loss")
    },
    "three in clusters": (
        lambda: cases_in_clusters(3, "f1", 6, pos_label=1), "metric_permutation_test", 5 * 3, 0
    ),
    "many clusters": (lambda: cases_in_clusters(2, "roc_auc", 30, pos_label=1), "metric_permutation_test", 3, 1),
    "a metric of clusters that R has not": (
        lambda: cases_in_clusters(2, "f1_macro", 6), "metric_permutation_test", 1, 1
    ),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_agrees(name: str, in_r: Callable[[object], str]) -> None:
    make, test, n_agree, n_not_checked = MADE[name]
    comparison = make()
    lines = in_r(comparison).splitlines()

    assert comparison.pair_test == test
    assert [line for line in lines if not line.startswith(("agrees ", "NOT CHECKED: "))] == []
    assert sum(line.startswith("agrees ") for line in lines) == n_agree
    assert len(lines) - n_agree == n_not_checked


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["folds of four", "right answers of three", "areas of three", "any other metric"])
def test_r_agrees_with_every_adjustment(name: str, in_r: Callable[[object], str]) -> None:
    made = MADE[name][0]()
    source = made.table
    again = [
        compare(source, adjust=method, margin=0.02, n_resamples=99, rng=1, control=control)
        for control in (None, "B")
        for method in adjustments(None if control is None else 2)
    ]
    lines = in_r("\n".join(map(report.r_script, again))).splitlines()

    assert [line for line in lines if not line.startswith(("agrees ", "NOT CHECKED: "))] == []
    # R has the tests against a margin of folds; each has a difference for each pair
    n_told = sum(len(one.pairs) for one in again) if name == "folds of four" else len(again)
    told = "margin, difference, " if name == "folds of four" else "the tests against the margin"
    assert sum(told in line for line in lines) == n_told
    assert sum(line.startswith("agrees ") for line in lines) >= 2 * len(again)


def test_every_test_has_its_code() -> None:
    from evalstats.comparison.registry import TESTS_OF_DIFFERENCES

    on_one = {name for name, test in TESTS_OF_DIFFERENCES.items() if test.design != "questions"}

    assert set(r_comparison._ON_ONE_DATASET) == on_one
