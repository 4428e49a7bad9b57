"""A of every pair is that of the two samples; the intervals of all pairs hold together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalstats import InvalidValueError
from evalstats.effects import pairwise_vargha_delaney_a, vargha_delaney_a

RUNS = np.random.default_rng(5).normal([0, 0.3, 0.8, 1.5], size=(20, 4))
PAIRS = [(i, j) for i in range(4) for j in range(4) if i != j]


def test_every_pair_is_that_of_two_samples() -> None:
    result = pairwise_vargha_delaney_a(RUNS)
    alone = result.confidence_interval(0.9, adjust="none")

    for i, j in PAIRS:
        pair = vargha_delaney_a(RUNS[:, i], RUNS[:, j])
        low, high = pair.confidence_interval(0.9)
        assert result.estimate[i, j] == pytest.approx(pair.estimate, rel=1e-12)
        assert result.standard_error[i, j] == pytest.approx(pair.standard_error, rel=1e-12)
        assert result.magnitude[i, j] == pair.magnitude
        assert (alone.low[i, j], alone.high[i, j]) == pytest.approx((low, high), rel=1e-12)
    assert np.diag(result.estimate).tolist() == [0.5] * 4


def test_by_hand() -> None:
    """Of 4 pairs of values, 3 are above and 1 is a tie: 3.5 / 4."""
    result = pairwise_vargha_delaney_a([[3, 1], [2, 2]])

    assert result.estimate.tolist() == [[0.5, 0.875], [0.125, 0.5]]


def test_level_of_one_pair_is_the_level() -> None:
    """With one pair, the quantile of the largest deviation is that of the normal distribution, but for simulation."""
    result = pairwise_vargha_delaney_a(RUNS[:, :2])
    together, alone = result.confidence_interval(), result.confidence_interval(adjust="none")

    np.testing.assert_allclose(together.low, alone.low, atol=0.01)


def test_joint_level_is_between_that_of_one_pair_and_bonferroni() -> None:
    result = pairwise_vargha_delaney_a(RUNS)
    alone, together = (result.confidence_interval(adjust=adjust) for adjust in ("none", "single-step"))
    bonferroni = result.confidence_interval(1 - 0.05 / 6, adjust="none")
    off = ~np.eye(4, dtype=bool)

    assert (together.low[off] < alone.low[off]).all()
    assert (together.low[off] > bonferroni.low[off] - 0.01).all()
    np.testing.assert_allclose(together.low, 1 - together.high.T, rtol=1e-12)


def test_influences_give_the_variance_of_the_estimates() -> None:
    """The correlation of A(0, 1) and A(0, 2) in simulated runs is that of the influences of a large sample."""
    from evalstats.adjustment.pair_indexing import compared_pairs
    from evalstats.effects.pairwise_dominance import _influences

    rng = np.random.default_rng(8)
    drawn = rng.normal(size=(4000, 12, 3))
    below = (drawn[:, :, None, 0] > drawn[:, None, :, 1]).mean(axis=(1, 2))
    other = (drawn[:, :, None, 0] > drawn[:, None, :, 2]).mean(axis=(1, 2))
    first, second = _influences(rng.normal(size=(3000, 3)), compared_pairs(3, 0))
    # of the pairs 1 and 2 against 0: the second classifier is common
    covariance = np.sum(second[0] * second[1])
    correlation = covariance / np.sqrt(np.prod(np.sum(first**2, axis=1) + np.sum(second**2, axis=1)))

    assert correlation == pytest.approx(stats.pearsonr(below, other)[0], abs=0.05)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["normal", "exponential", "tied"])
def test_intervals_of_all_pairs_hold_together(kind: str) -> None:
    """Of 20 runs of 4 equal classifiers; the width of the simulation error is 3 standard errors."""
    rng, n_tables = np.random.default_rng(3), 200
    held = 0
    for _ in range(n_tables):
        runs = rng.exponential(size=(20, 4)) if kind == "exponential" else rng.normal(size=(20, 4))
        low, high = pairwise_vargha_delaney_a(runs.round() if kind == "tied" else runs).confidence_interval()
        held += bool(((low <= 0.5) & (high >= 0.5)).all())

    assert held / n_tables >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / n_tables)


def test_names_and_control_are_kept() -> None:
    frame = pd.DataFrame(RUNS, columns=["a", "b", "c", "d"])

    result = pairwise_vargha_delaney_a(frame, control="b")

    assert (result.control, result.classifiers, result.n_runs) == ("b", ("a", "b", "c", "d"), 20)
    assert result.to_frame()["first"].tolist() == ["a", "c", "d"]
    np.testing.assert_allclose(result.estimate[[0, 2, 3]], pairwise_vargha_delaney_a(RUNS).estimate[[0, 2, 3], 1])
    assert np.isnan(result.estimate[1])
    assert result.magnitude[1] == ""


def test_order_of_the_runs_does_not_matter() -> None:
    one, other = (pairwise_vargha_delaney_a(runs).confidence_interval() for runs in (RUNS, RUNS[::-1]))

    np.testing.assert_allclose(one.low, other.low, rtol=1e-12)


def test_degenerate_pairs_are_told() -> None:
    result = pairwise_vargha_delaney_a([[1, 1, 5], [1, 1, 6], [1, 1, 7]])
    low, high = result.confidence_interval()

    assert "all values are equal in 1 of 3 pairs" in result.reason
    assert "every value of one classifier is above every value of the other in 2 of 3 pairs" in result.reason
    assert np.isnan(low[0, 1])
    assert 0 <= low[2, 0] < high[2, 0] == 1


def test_single_run_has_no_interval() -> None:
    assert np.isnan(pairwise_vargha_delaney_a([[1, 2, 3]]).confidence_interval().low[0, 1])


def test_unknown_choices_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="adjust must be 'single-step' or 'none', not 'holm'"):
        pairwise_vargha_delaney_a(RUNS).confidence_interval(adjust="holm")
    with pytest.raises(InvalidValueError, match="control must be an index from 0 to 3, not 7"):
        pairwise_vargha_delaney_a(RUNS, control=7)
