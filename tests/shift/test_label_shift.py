"""Label shift: exact shares, simulated ones, what cannot be told."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import EvalstatsError
from evalstats.metrics import accuracy_score
from evalstats.shift import estimate_label_shift

CONFUSION = np.array([[0.8, 0.15, 0.05], [0.1, 0.7, 0.2], [0.05, 0.15, 0.8]])


def drawn(shares, n: int, seed: int):
    rng = np.random.default_rng(seed)
    true = rng.choice(3, n, p=shares)
    return true, (rng.random(n)[:, None] > CONFUSION[true].cumsum(axis=1)[:, :2]).sum(axis=1)


def test_shares_by_hand():
    """Right in 80% of either class, 62% predicted ill: .8 p + .2 (1 - p) = .62 gives p = .7."""
    found = estimate_label_shift([1] * 50 + [0] * 50, [1] * 40 + [0] * 10 + [0] * 40 + [1] * 10, [1] * 62 + [0] * 38)

    assert found.proportions == pytest.approx([0.3, 0.7])
    assert found.weights == pytest.approx([0.6, 1.4])
    assert found.source_proportions.tolist() == [0.5, 0.5]
    assert found.predicted_proportions == pytest.approx([0.38, 0.62])


def test_expected_predictions_give_the_shares_exactly():
    wanted = np.array([0.6, 0.1, 0.3])
    counts = np.rint(CONFUSION * 1000).astype(int)
    true = np.repeat([0, 1, 2], counts.sum(axis=1))
    predicted = np.concatenate([np.repeat([0, 1, 2], row) for row in counts])
    new = np.repeat([0, 1, 2], np.rint(wanted @ CONFUSION * 100_000).astype(int))

    assert estimate_label_shift(true, predicted, new).proportions == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(("n_source", "n_new"), [(1000, 500), (200, 100), (60, 60)])
@pytest.mark.long
def test_intervals_cover_the_truth(n_source: int, n_new: int):
    """250 experiments with intervals of 95%; 4 standard errors below the level is .895."""
    wanted, covered = np.array([0.2, 0.3, 0.5]), []
    for seed in range(250):
        true, predicted = drawn([0.5, 0.3, 0.2], n_source, seed)
        _, new = drawn(wanted, n_new, 1000 + seed)
        low, high = estimate_label_shift(true, predicted, new, n_resamples=199, labels=[0, 1, 2]).confidence_interval()
        covered.append((low <= wanted) & (wanted <= high))
    rates = np.mean(covered, axis=0)

    assert rates.min() >= 0.895


def test_weighted_score_is_that_of_the_new_data():
    true, predicted = drawn([0.4, 0.3, 0.3], 20_000, 1)
    new_true, new = drawn([0.05, 0.9, 0.05], 20_000, 2)
    found = estimate_label_shift(true, predicted, new)
    weighted = accuracy_score(true, predicted, sample_weight=found.weights[true])

    assert weighted == pytest.approx(accuracy_score(new_true, new), abs=0.02)
    assert abs(accuracy_score(true, predicted) - accuracy_score(new_true, new)) > 0.04


def test_no_shift_gives_equal_weights():
    true, predicted = drawn([0.4, 0.3, 0.3], 500, 1)
    found = estimate_label_shift(true, predicted, predicted)

    assert found.weights == pytest.approx([1, 1, 1])
    assert found.pvalue == pytest.approx(1)


def test_negative_weights_are_cut():
    found = estimate_label_shift([0] * 10 + [1] * 10, [0] * 8 + [1] * 2 + [1] * 8 + [0] * 2, [1] * 50)

    assert found.proportions.tolist() == [0, 1]
    assert found.raw_weights[0] < 0


def test_classes_that_are_predicted_alike_cannot_be_told_apart():
    found = estimate_label_shift([0] * 10 + [1] * 10, ([0] * 6 + [1] * 4) * 2, [0, 1])

    assert np.isnan(found.proportions).all()
    assert "two classes have the same distribution of predictions" in found.reason


def test_order_of_labels_is_that_asked_for():
    given = (["a"] * 5 + ["b"] * 5, ["a"] * 4 + ["b"] * 6, ["b"] * 10)
    one, other = estimate_label_shift(*given), estimate_label_shift(*given, labels=["b", "a"])

    assert one.labels == ("a", "b")
    assert one.proportions == pytest.approx(other.proportions[::-1], abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0], [0]), "must be paired"),
        (([0, 0], [0, 1], [0]), "an instance of every class, but it has none of 1"),
        (([0, 1], [0, 1], [2]), "an instance of every class, but it has none of 2"),
        (([0, 1], [0, 1], ["a"]), "y_true|kind|labels"),
        (([0, 1], [0, 1], []), "y_pred_new|case"),
        (([0, 1], [[0, 1], [1, 1]], [0]), "must have one axis"),
    ],
)
def test_bad_labels_are_refused(arguments, message):
    with pytest.raises(EvalstatsError, match=message):
        estimate_label_shift(*arguments)
