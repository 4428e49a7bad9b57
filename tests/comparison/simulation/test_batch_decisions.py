"""What is decided on batches of tables is what `compare` decides on each."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import ScoreTable, compare, read_table
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS
from evalstats.comparison.simulation.batch_decisions import (
    analysis_of_cases,
    analysis_of_folds,
    analysis_over_datasets,
)
from evalstats.comparison.simulation.error_rates import null_scores
from evalstats.tables.aligned_instances import aligned_cases

RNG = np.random.default_rng(8)
SCORES = (RNG.normal(size=(9, 1)) + RNG.normal(size=(9, 4)) + [0, 0.4, 0.8, 2.4]).round(1)


def table(scores: np.ndarray, **choices: Any) -> ScoreTable:
    missing = [(f"d{i}", "ABCD"[j]) for i, j in np.argwhere(np.isnan(scores))]
    datasets = [f"d{i}" for i in range(len(scores))]
    return ScoreTable(
        scores=scores, datasets=datasets, classifiers=tuple("ABCD"[: scores.shape[1]]), missing=missing, **choices
    )


def decided(comparison: Any) -> list[bool]:
    return [different for *_, different in comparison.decisions()]


ANALYSES = [
    *({"posthoc": name} for name, test in POSTHOC_TESTS.items() if test.pairs),
    *({"posthoc": name, "control": "B"} for name, test in POSTHOC_TESTS.items() if test.control),
    *({"omnibus": name, "n_resamples": 500} for name in OMNIBUS_TESTS if name != "skillings-mack"),
    *({"posthoc": "wilcoxon", "adjust": adjust} for adjust in ("shaffer", "bh", "none")),
    *({"posthoc": name, "n_resamples": 300} for name, test in POSTHOC_TESTS.items() if test.simulates and test.pairs),
    {"method": "f"},
    {"alpha": 0.3},
]


@pytest.mark.sampled
@pytest.mark.parametrize("choices", ANALYSES, ids=str)
@pytest.mark.parametrize("greater_is_better", [True, False])
def test_batch_decides_as_compare_does(choices: dict[str, Any], greater_is_better: bool) -> None:
    original = table(SCORES, greater_is_better=greater_is_better)
    comparison = compare(original, **choices)
    of_leading = {name: choices[name] for name in ("method", "n_resamples") if name in choices}
    analyze = analysis_over_datasets(comparison, of_leading | {"rng": 0})
    tables = null_scores(SCORES, np.array([0, 0, 1.5, 0]), null="normal").draw(6, np.random.default_rng(3))

    found = analyze(np.concatenate([SCORES[None], tables]))

    at = {pair: i for i, pair in enumerate(comparison.compared)}
    for scores, called in zip((SCORES, *tables), found.different, strict=True):
        again = compare(table(scores, greater_is_better=greater_is_better), **choices)
        assert {frozenset(pair): called[i] for pair, i in at.items()} == {
            frozenset((first, second)): different for first, second, _, different in again.decisions()
        }
    assert 0 < found.different.mean() < 1


def test_two_classifiers_are_decided_by_their_only_test() -> None:
    comparison = compare(table(SCORES[:, 2:]))

    found = analysis_over_datasets(comparison, {})(SCORES[None, :, 2:])

    assert found.leading is None
    assert found.different.tolist() == [decided(comparison)]


@pytest.mark.parametrize("posthoc", ["wilcoxon", "sign"])
def test_tables_with_missing_scores(posthoc: str) -> None:
    scores = np.where(np.arange(36).reshape(9, 4) % 11 == 3, np.nan, SCORES)
    comparison = compare(table(scores), missing="skillings-mack", posthoc=posthoc, alpha=0.2)

    found = analysis_over_datasets(comparison, {"rng": 0})(scores[None])

    assert found.different.tolist() == [decided(comparison)]
    assert any(decided(comparison))


@pytest.mark.parametrize(
    ("n_repeats", "n_folds", "k", "test"),
    [(1, 10, 3, "corrected_ttest"), (2, 5, 2, "corrected_ttest"), (5, 2, 2, "ftest_5x2cv")],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_folds_are_decided_as_compare_does(n_repeats: int, n_folds: int, k: int, test: str, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(n_repeats, n_folds, k)) + np.array([0.0, 1.1, 2.2])[:k]
    rows = [("d", "ABC"[c], r, f, scores[r, f, c]) for r, f, c in np.ndindex(scores.shape)]
    data = pd.DataFrame(rows, columns=["dataset", "classifier", "repeat", "fold", "score"])
    comparison = compare(data)

    found = analysis_of_folds(comparison, 1e-12)(scores.reshape(1, -1, k))

    assert comparison.pair_test == test
    assert found.different.tolist() == [decided(comparison)]


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    ("metric", "test"),
    [("accuracy", "mcnemar_test"), ("roc_auc", "delong_test"), ("f1", "metric_permutation_test")],
)
def test_cases_are_decided_as_compare_does(metric: str, test: str, k: int) -> None:
    rng, names = np.random.default_rng(4), "ABC"[:k]
    y_true = np.tile([0, 1], 40)
    scores = y_true[:, None] + rng.normal(size=(80, k)) * np.array([0.4, 1.4, 0.5])[:k]
    rows = [
        ("d", name, i, y_true[i], int(scores[i, c] > 0.5), scores[i, c])
        for i, (c, name) in product(range(80), enumerate(names))
    ]
    data = pd.DataFrame(rows, columns=["dataset", "classifier", "row", "y_true", "y_pred", "y_score"])
    read = read_table(data, metric=metric, pos_label="1")
    comparison = compare(read, n_resamples=999)
    scored = comparison.table._scored

    answers, analyze = analysis_of_cases(comparison, scored, aligned_cases(scored._predictions), {"n_resamples": 999})

    assert comparison.pair_test == test
    assert analyze(answers[None]).different.tolist() == [decided(comparison)]
    assert any(decided(comparison))
