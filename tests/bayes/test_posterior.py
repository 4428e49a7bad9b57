"""What every posterior says, and what it is asked with."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.bayes.posterior import (
    PosteriorResult,
    correlation_of_folds,
    half_width,
    matrix_of_pairs,
    prior_strength_of,
)
from evalstats.bayes.signed_rank import bayes_pairwise_signed_rank_test, bayes_signed_rank_test


def posterior(p_less: object, p_rope: object, p_greater: object) -> PosteriorResult:
    return PosteriorResult(p_less=p_less, p_rope=p_rope, p_greater=p_greater, rope=0.1, method="t", reason=None)


@pytest.mark.parametrize(
    ("p", "threshold", "decision"),
    [
        ((0.01, 0.02, 0.97), 0.95, "x"),
        ((0.97, 0.02, 0.01), 0.95, "y"),
        ((0.01, 0.98, 0.01), 0.95, "rope"),
        ((0.2, 0.2, 0.6), 0.95, None),
        ((0.2, 0.2, 0.6), 0.5, "x"),
        ((0.5, 0.0, 0.5), 0.5, None),
        ((np.nan, np.nan, np.nan), 0.5, None),
    ],
)
def test_decision_is_what_is_probable_enough(p: tuple[float, ...], threshold: float, decision: str | None) -> None:
    assert posterior(*p).decision(threshold) == decision


def test_batch_has_a_decision_each() -> None:
    result = posterior(np.array([0.99, 0.0, np.nan]), np.array([0.0, 0.99, np.nan]), np.array([0.01, 0.01, np.nan]))

    assert result.decision().tolist() == ["y", "rope", None]


@pytest.mark.parametrize("threshold", [0, 0.3, 1, "a"])
def test_threshold_that_allows_two_answers_is_refused(threshold: object) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match="threshold must"):
        posterior(0.1, 0.2, 0.7).decision(threshold)


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        (-0.1, "rope must be nonnegative, not -0.1"),
        (np.nan, "rope must be finite"),
        ([0.1], "rope must be one number"),
        ("a", "rope must be numbers"),
    ],
)
def test_rope_is_one_number_of_0_or_more(rope: object, message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=message):
        half_width(rope)


def test_correlation_and_sizes_are_two_ways_to_say_the_same() -> None:
    assert correlation_of_folds(9, 1, None) == pytest.approx(correlation_of_folds(None, None, 0.1), rel=1e-15)


@pytest.mark.parametrize(
    ("choices", "message"),
    [((9, 1, 0.1), "not both"), ((None, None, 1), "below 1"), ((None, None, -0.1), "at least 0")],
)
def test_correlation_that_makes_no_sense_is_refused(choices: tuple[object, ...], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        correlation_of_folds(*choices)


def test_values_of_pairs_stand_on_both_sides_of_the_diagonal() -> None:
    pairs = np.triu_indices(3, 1)

    matrix = matrix_of_pairs(np.array([1.0, 2.0, 3.0]), pairs, 3, diagonal=0.0, mirrored=np.array([-1.0, -2.0, -3.0]))

    assert matrix.tolist() == [[0, 1, 2], [-1, 0, 3], [-2, -3, 0]]


def test_numbers_that_cannot_be_computed_with_are_refused() -> None:
    """Twice the largest rope, and the width of a sharp prior, must remain numbers."""
    with pytest.raises(InvalidValueError, match=r"rope must be at most 1e\+307, not 1e\+308"):
        half_width(1e308)
    with pytest.raises(InvalidValueError, match=r"prior_strength must be at most 1e\+09, not 1e\+20"):
        prior_strength_of(1e20)


def test_pair_of_several_classifiers_is_returned_by_name_or_position() -> None:
    table = pd.DataFrame(np.random.default_rng(0).random((9, 3)), columns=["a", "b", "c"])
    result = bayes_pairwise_signed_rank_test(table, rope=0.01)

    pair = result["c", "a"]
    assert (pair.first, pair.second) == ("c", "a")
    assert (pair.p_less, pair.p_rope, pair.p_greater) == (
        result.p_less[2, 0],
        result.p_rope[2, 0],
        result.p_greater[2, 0],
    )
    assert bayes_pairwise_signed_rank_test(table.to_numpy(), rope=0.01).pair(2, 0).p_less == pair.p_less
    with pytest.raises(InvalidValueError, match="each classifier of a pair must be one of 'a', 'b', 'c', not 'd'"):
        result["a", "d"]
    with pytest.raises(InvalidValueError, match="a pair has two classifiers, but both are 'a'"):
        result.pair("a", "a")
    with pytest.raises(InvalidValueError, match="has no pairs"):
        bayes_signed_rank_test(table["a"], table["b"], rope=0.01).pair(0, 1)
