"""Noninferiority and equivalence of any metric, by the replicates of the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import EvalstatsError
from evalstats.paired import (
    accuracy_noninferiority_test,
    metric_bootstrap_test,
    metric_equivalence_test,
    metric_noninferiority_test,
)

DRAWS = np.random.default_rng(9)
TRUE = DRAWS.integers(0, 2, 300)
X, Y = (np.where(DRAWS.random(300) < 0.85, TRUE, 1 - TRUE) for _ in range(2))
PROBABILITY = np.clip(np.where(DRAWS.random((2, 300)) < 0.8, TRUE, 1 - TRUE) * 0.6 + 0.2, 0, 1)


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.1])
def test_pvalue_counts_the_replicates_beyond_the_margin(margin):
    """(b + 1) / (m + 1) with b of m replicates at -margin or below."""
    replicates = metric_bootstrap_test(TRUE, X, Y, metric="f1", method="percentile", n_resamples=999, rng=3)._replicates

    result = metric_noninferiority_test(
        TRUE, X, Y, margin=margin, metric="f1", method="percentile", n_resamples=999, rng=3
    )

    assert result.pvalue == pytest.approx((np.count_nonzero(replicates <= -margin + 1e-12) + 1) / 1000)
    assert (result.n_resamples, result.seed, result.n) == (999, 3, 300)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
def test_equivalence_is_both_one_sided_tests(method):
    choices = {"margin": 0.06, "metric": "balanced_accuracy", "method": method, "n_resamples": 999}
    result = metric_equivalence_test(TRUE, X, Y, **choices)

    sides = [metric_noninferiority_test(TRUE, *pair, **choices).pvalue for pair in ((X, Y), (Y, X))]

    assert [result.pvalue_low, result.pvalue_high] == pytest.approx(sides)
    assert result.pvalue == max(sides)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
def test_a_margin_is_shown_where_it_is_larger_than_the_smallest(method):
    """Up to one replicate of 1999: p is counted, and the limit interpolates between two."""
    choices = {"metric": "f1", "method": method, "n_resamples": 1999}
    smallest = metric_noninferiority_test(TRUE, X, Y, margin=0.1, **choices).smallest_margin()

    assert metric_noninferiority_test(TRUE, X, Y, margin=smallest, **choices).pvalue == pytest.approx(0.05, abs=0.012)


def test_many_cases_give_what_the_score_test_gives():
    exact = accuracy_noninferiority_test(X == TRUE, Y == TRUE, margin=0.05)

    result = metric_noninferiority_test(TRUE, X, Y, margin=0.05, metric="accuracy")

    assert result.difference == pytest.approx(exact.difference)
    assert result.smallest_margin() == pytest.approx(exact.smallest_margin(), abs=0.006)


def test_a_loss_has_its_margin_on_the_other_side():
    """Smaller is better for the Brier score: it is the metric that knows, and nobody can turn it around."""
    loss = metric_noninferiority_test(TRUE, *PROBABILITY, margin=0.05, metric="brier", n_resamples=499)

    assert (loss.alternative, loss.greater_is_better) == ("less", False)
    assert loss.smallest_margin() == pytest.approx(max(loss.confidence_interval().high, 0))
    with pytest.raises(EvalstatsError, match="greater_is_better must be False for brier"):
        metric_noninferiority_test(TRUE, *PROBABILITY, margin=0.05, metric="brier", greater_is_better=True)


def test_function_of_the_user_is_a_score_unless_he_says_otherwise():
    def hamming(y_true, y_pred):
        return np.mean(y_true != y_pred)

    choices = {"margin": 0.05, "metric": hamming, "n_resamples": 199}

    assert metric_noninferiority_test(TRUE, X, Y, **choices).alternative == "greater"
    assert metric_noninferiority_test(TRUE, X, Y, **choices, greater_is_better=False).alternative == "less"


def test_same_predictions_show_nothing_and_say_so():
    result = metric_noninferiority_test(TRUE, X, X, margin=0.05, n_resamples=99)

    assert np.isnan(result.pvalue)
    assert result.reason == "x and y predict the same for every instance, so there is no difference to test"


def test_groups_are_drawn_as_a_whole():
    alone, copied = (
        metric_noninferiority_test(
            TRUE.repeat(k), X.repeat(k), Y.repeat(k), margin=0.05, clusters=np.arange(300).repeat(k)
        )
        for k in (1, 5)
    )

    assert copied.smallest_margin() == pytest.approx(alone.smallest_margin(), abs=0.004)


def test_margin_of_one_is_refused_where_the_metric_ends_there():
    with pytest.raises(EvalstatsError, match="margin must be below 1"):
        metric_noninferiority_test(TRUE, X, Y, margin=2, metric="matthews_corrcoef", n_resamples=99)
    assert metric_noninferiority_test(TRUE, *PROBABILITY, margin=2, metric="log_loss", n_resamples=99).margin == 2


def test_generator_is_asked_once():
    """Both sides of a test are made of the same draws."""
    result = metric_equivalence_test(TRUE, X, Y, margin=0.1, n_resamples=99, rng=np.random.default_rng(1))
    low, high = result.confidence_interval()

    assert low < result.difference < high
