"""The classifier two-sample test: its level, its power, its statistic by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from evalstats import EvalstatsError
from evalstats.shift import classifier_two_sample_test
from evalstats.shift.two_sample import _areas_reached, two_samples

FAST = {"classifier": LogisticRegression(), "n_resamples": 99}
FRAME = pd.DataFrame({"a": [1.0, 2, 3], "b": [4.0, 5, 6]})


def samples(seed: int, shift: float = 0.0, n: int = 60, m: int = 40):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)), rng.normal(size=(m, 3)) + shift


@pytest.mark.long
def test_level_is_kept_with_unequal_samples():
    """Of 200 pairs of samples of one law, about 10 are rejected at .05; more than 20 have a probability of 1e-3."""
    rejected = sum(classifier_two_sample_test(*samples(seed), **FAST, rng=seed).pvalue <= 0.05 for seed in range(200))

    assert rejected <= 20


def test_shift_is_seen():
    result = classifier_two_sample_test(*samples(1, 1.0), **FAST)

    assert result.pvalue == 0.01
    assert result.statistic > 0.8
    assert result.accuracy > 0.7


def test_forest_sees_what_is_no_shift_of_means():
    rng = np.random.default_rng(0)
    result = classifier_two_sample_test(rng.normal(size=(300, 1)), rng.normal(size=(300, 1)) * 4, n_resamples=199)

    assert result.pvalue == 0.005


def test_all_exchanges_have_the_share_that_random_ones_have():
    from itertools import combinations

    from scipy.stats import rankdata

    score, auc = np.array([0.1, 0.4, 0.4, 0.8, 0.9]), 5 / 6
    ranks = rankdata(score)
    least = auc * 6 + 3
    exact = np.mean([sum(ranks[list(chosen)]) >= least - 1e-9 for chosen in combinations(range(5), 2)])

    reached = _areas_reached(score, 2, auc, 40_000, np.random.default_rng(1)) / 40_000

    assert reached == pytest.approx(exact, abs=0.01)


def test_same_seed_same_result_and_a_generator_goes_on():
    one, other = (classifier_two_sample_test(*samples(3), **FAST, rng=7) for _ in range(2))

    assert (one.statistic, one.pvalue, one.seed) == (other.statistic, other.pvalue, 7)
    assert classifier_two_sample_test(*samples(3), **FAST, rng=np.random.default_rng(7)).pvalue == one.pvalue


def test_sizes_are_told():
    result = classifier_two_sample_test(*samples(3), **FAST, test_size=0.25)

    assert (result.n_x, result.n_y, result.n_held_out) == (60, 40, 25)


def test_constant_scores_tell_nothing():
    result = classifier_two_sample_test(*samples(3), classifier=DummyClassifier(), n_resamples=99)

    assert (result.statistic, result.pvalue) == (0.5, 1.0)
    assert "cannot distinguish the samples" in result.reason


def test_decision_function_is_taken():
    assert classifier_two_sample_test(*samples(1, 1.0), classifier=RidgeClassifier(), n_resamples=99).pvalue == 0.01


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"classifier": 3}, "classifier must be|classifier must have"),
        ({"classifier": LogisticRegression}, "classifier must be|classifier must have"),
        ({"test_size": 1.0}, "test_size must lie between 0 and 1"),
        ({"n_resamples": 0}, "n_resamples must be at least 1"),
    ],
)
def test_bad_choices_are_refused(choices, message):
    with pytest.raises(EvalstatsError, match=message):
        classifier_two_sample_test(*samples(1), **choices)


def test_tiny_samples_are_refused():
    with pytest.raises(EvalstatsError, match="x must have at least 4 instances"):
        classifier_two_sample_test([[1.0]] * 3, [[2.0]] * 5)


def test_order_of_the_cases_changes_nothing() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(40, 2)), rng.normal(0.4, 1, size=(30, 2))
    one, other = (classifier_two_sample_test(*pair, n_resamples=99) for pair in ((x, y), (x[::-1], y[::-1])))

    assert (one.statistic, one.pvalue, one.accuracy) == (other.statistic, other.pvalue, other.accuracy)


def test_one_column_may_be_a_vector():
    a, b = two_samples([1, 2, 3], [[4], [5]], minimum=2)

    assert (a.shape, b.shape) == ((3, 1), (2, 1))


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (FRAME, FRAME.rename(columns={"b": "c"}), "the same columns, but only one of them has 'b'"),
        (FRAME, FRAME[["b", "a"]], "their orders differ"),
        (np.ones((3, 2)), np.ones((3, 3)), "x has 2 columns and y has 3"),
        (np.ones((1, 2)), np.ones((3, 2)), "x must have at least 2 instances, but it has 1"),
        ([[1.0, np.nan]] * 3, np.ones((3, 2)), "x must be finite"),
        (np.ones((2, 2, 2)), np.ones((3, 2)), "x must have the shape"),
        ([["a"]] * 3, np.ones((3, 1)), "x must be numbers"),
    ],
)
def test_what_does_not_fit_is_refused(x, y, message):
    with pytest.raises(EvalstatsError, match=message):
        two_samples(x, y, minimum=2)
