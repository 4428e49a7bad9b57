"""A comparison on one dataset tells its dataset, its scores and its intervals, all in one direction."""

from __future__ import annotations

import pytest

from evalstats import InvalidValueError, OneDatasetComparison, compare

FOLDS = {
    "dataset": ["crx"] * 15,
    "classifier": ["A"] * 5 + ["B"] * 5 + ["C"] * 5,
    "fold": [*range(5)] * 3,
    "acc": [0.81, 0.84, 0.79, 0.90, 0.85, 0.78, 0.82, 0.80, 0.84, 0.83, 0.60, 0.61, 0.59, 0.63, 0.66],
}


@pytest.fixture(scope="module")
def folds() -> OneDatasetComparison:
    return compare(FOLDS)


def test_dataset_and_scores_are_asked_by_name(folds: OneDatasetComparison) -> None:
    assert folds.dataset == "crx"
    assert folds.score("A") == pytest.approx((0.81 + 0.84 + 0.79 + 0.90 + 0.85) / 5, rel=1e-12)
    with pytest.raises(InvalidValueError, match="classifier must be one of 'A', 'B', 'C', not 'tree'"):
        folds.score("tree")


def test_difference_is_that_of_the_scores(folds: OneDatasetComparison) -> None:
    assert [(p.first, p.second) for p in folds.pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
    for pair in folds.pairs:
        assert pair.difference == pytest.approx(folds.score(pair.first) - folds.score(pair.second), rel=1e-12)
        assert pair.low < pair.difference < pair.high


def test_adjustment_never_makes_a_pvalue_smaller(folds: OneDatasetComparison) -> None:
    assert all(pair.unadjusted_pvalue <= pair.pvalue for pair in folds.pairs)
    assert any(pair.unadjusted_pvalue < pair.pvalue for pair in folds.pairs)


def test_folds_are_counted_for_the_first(folds: OneDatasetComparison) -> None:
    pair = folds.pair("B", "A")

    assert (pair.n_wins, pair.n_ties, pair.n_losses) == (4, 0, 1)


def test_direction_turns_the_pairs_and_not_the_unit() -> None:
    losses = compare({**FOLDS, "acc": [1 - score for score in FOLDS["acc"]]}, greater_is_better=False)

    pair = losses.pair("A", "C")
    assert (pair.first, pair.second) == ("A", "C")
    assert pair.difference == pytest.approx(losses.score("A") - losses.score("C"), rel=1e-12)
    assert pair.difference < 0
