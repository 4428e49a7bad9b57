"""Simulated tables look like the one they are made from, and no classifier is better in them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from evalstats import example_table
from evalstats.comparison.simulation.error_rates import (
    _in_any_order,
    _null_cases,
    _null_folds,
    decimals_of,
    null_scores,
)

SCORES = example_table("demsar-2006").scores


def drawn(tables, size: int = 4000) -> np.ndarray:
    return tables.draw(size, np.random.default_rng(5))


@pytest.mark.parametrize(
    ("scores", "decimals"), [([1.0, 2.0], 0), ([0.25, 0.5], 2), ([0.1 + 0.2, 0.6], 1), ([1 / 3, 0.5], None)]
)
def test_decimals_are_those_that_were_written(scores: list[float], decimals: int | None) -> None:
    assert decimals_of(np.array([scores])) == decimals


def test_permutation_keeps_the_scores_of_each_dataset() -> None:
    tables = drawn(null_scores(SCORES, np.zeros(4), null="permutation"), 50)

    np.testing.assert_allclose(np.sort(tables, axis=-1), np.broadcast_to(np.sort(SCORES), tables.shape), atol=1e-12)


def test_permutation_gives_every_order_as_often() -> None:
    tables = drawn(null_scores(np.array([[1.0, 2.0, 3.0]]), np.zeros(3), null="permutation"), 6000)

    _, counts = np.unique(tables[:, 0], axis=0, return_counts=True)
    assert len(counts) == 6
    assert np.abs(counts - 1000).max() < 4.5 * np.sqrt(6000 * 5 / 36)


@pytest.mark.parametrize("null", ["permutation", "normal"])
def test_missing_scores_stay_missing_and_the_others_are_kept(null: str) -> None:
    scores = SCORES.copy()
    scores[2, 1] = scores[5, 0] = np.nan

    tables = drawn(null_scores(scores, np.zeros(4), null=null), 200)

    assert (np.isnan(tables) == np.isnan(scores)).all()
    if null == "permutation":
        assert np.nanmax(np.abs(np.sort(tables, axis=-1) - np.sort(scores))) < 1e-12


def test_normal_tables_have_the_covariances_of_the_table() -> None:
    """That is of what is left of the scores without the means of datasets and classifiers."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(12, 1)) + rng.normal(size=(12, 3)) * [1.0, 2.0, 0.1]
    left = scores - scores.mean(axis=1, keepdims=True)
    left -= left.mean(axis=0)

    tables = drawn(null_scores(scores, np.zeros(3), null="normal"), 4000) - scores.mean(axis=1, keepdims=True)

    covariance = np.einsum("tni,tnj->ij", tables, tables) / (4000 * 12)
    np.testing.assert_allclose(covariance, left.T @ left / 11, atol=0.03 * np.abs(left.T @ left).max() / 11)


@pytest.mark.parametrize("null", ["permutation", "normal"])
def test_no_classifier_is_better_but_by_the_shift(null: str) -> None:
    tables = drawn(null_scores(SCORES, np.array([0, 0, 0.1, 0]), null=null))

    means = tables.mean(axis=(0, 1))
    error = 4.5 * tables.mean(axis=1).std() / np.sqrt(4000)
    np.testing.assert_allclose(means - means[0], [0, 0, 0.1, 0], atol=2 * error)


def test_drawn_scores_have_the_decimals_of_the_table() -> None:
    tables = drawn(null_scores(np.array([[0.25, 0.5], [0.75, 0.5]]), np.zeros(2), null="normal"), 100)

    assert decimals_of(tables) == 2


def test_folds_have_the_correlation_that_is_asked_for() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(10, 2))

    d = np.subtract(*np.moveaxis(drawn(_null_folds(scores, np.zeros(2), correlation=0.3)), -1, 0))

    correlation = np.corrcoef(d.T)[np.triu_indices(10, 1)]
    assert correlation.mean() == pytest.approx(0.3, abs=0.02)
    within = d.var(axis=1, ddof=1).mean()
    assert within == pytest.approx(
        np.subtract(*scores.T).var(ddof=1), rel=0.03
    )  # folds show nothing of what they share


def test_answers_to_a_case_stay_together() -> None:
    right = np.array([[True, False, False], [True, True, True], [False, False, False]])

    cases = drawn(_null_cases(right), 600)

    assert (cases.sum(axis=-1) == right.sum(axis=-1)).all()
    assert np.abs(cases[:, 0].sum(axis=0) - 200).max() < 55


def test_order_of_the_table_makes_no_difference() -> None:
    rows, columns = np.random.default_rng(1).permutation(14), np.array([2, 0, 3, 1])
    added = np.array([0, 0.1, 0, 0])

    first = drawn(_in_any_order(SCORES, added, partial(null_scores, null="normal")), 3)
    second = drawn(_in_any_order(SCORES[rows][:, columns], added[columns], partial(null_scores, null="normal")), 3)

    np.testing.assert_array_equal(second, first[:, rows][..., columns])
