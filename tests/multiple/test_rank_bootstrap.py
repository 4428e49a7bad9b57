"""The rank distribution: enumeration of all draws, laws, degenerate tables."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats import example_table, friedman_test
from evalstats._ranks import midranks
from evalstats.metrics import proportion_interval
from evalstats.multiple.rank_bootstrap import rank_distribution

SMALL = np.array([[0.9, 0.8, 0.7], [0.6, 0.6, 0.5], [0.2, 0.4, 0.3], [0.7, 0.9, 0.8]])


def all_draws(scores: np.ndarray) -> np.ndarray:
    """Average the places over all n^n draws of datasets; equal mean ranks share their places evenly."""
    n, k = scores.shape
    ranks = midranks(-scores)
    places = np.zeros((k, k))
    for drawn in itertools.product(range(n), repeat=n):
        sums = ranks[list(drawn)].sum(axis=0)
        for i in range(k):
            first, same = (sums < sums[i]).sum(), (sums == sums[i]).sum()
            places[i, first : first + same] += 1 / same
    return places / n**n


def test_probabilities_are_those_of_all_draws() -> None:
    """Five standard errors of a share of 200,000 draws are below 0.006."""
    result = rank_distribution(SMALL, n_resamples=200_000, rng=1)

    assert result.probabilities == pytest.approx(all_draws(SMALL), abs=0.006)


def test_rows_and_columns_add_up_to_one() -> None:
    result = rank_distribution(example_table("demsar-2006").scores, n_resamples=999, rng=0)

    assert result.probabilities.sum(axis=0) == pytest.approx(1)
    assert result.probabilities.sum(axis=1) == pytest.approx(1)
    assert result.expected_rank == pytest.approx(result.probabilities @ [1, 2, 3, 4])


def test_mean_ranks_are_those_of_the_friedman_test() -> None:
    scores = example_table("demsar-2006").scores

    assert np.array_equal(rank_distribution(scores, n_resamples=1, rng=0).mean_ranks, friedman_test(scores).mean_ranks)


def test_interval_of_two_classifiers_is_that_of_clopper_and_pearson() -> None:
    """Without ties the mean rank is 2 minus the share of wins; 200,000 draws leave 0.002."""
    scores = np.column_stack([[1, 1, 1, 1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]])
    exact = proportion_interval(7, 10, method="clopper-pearson")

    low, high = rank_distribution(scores, n_resamples=200_000, rng=0).confidence_interval()

    assert [low[0], high[0]] == pytest.approx([2 - exact.high, 2 - exact.low], abs=0.004)
    assert [low[1], high[1]] == pytest.approx([1 + exact.low, 1 + exact.high], abs=0.004)


def test_who_is_always_first_has_an_interval() -> None:
    """Ten first places: Gaffke's upper limit is 1 + (k - 1) (1 - 0.025^(1 / 10)), as for ten wins of ten."""
    scores = np.column_stack([np.ones(10), np.random.default_rng(1).random((10, 4)) / 2])

    low, high = rank_distribution(scores, n_resamples=100_000, rng=0).confidence_interval()

    assert low[0] == 1
    assert high[0] == pytest.approx(1 + 4 * (1 - 0.025**0.1), abs=0.02)


def test_interval_is_made_of_quantiles_of_weighted_means() -> None:
    """By the definition: random weights of the ranks and of one more, at the best or the worst place."""
    scores = example_table("demsar-2006").scores
    result = rank_distribution(scores, n_resamples=400, rng=0)
    ranks = np.sort(midranks(-np.round(scores, 12)), axis=0)
    weights = np.random.default_rng(0).dirichlet(np.ones(15), size=400)

    low, high = result.confidence_interval(0.9)

    assert low == pytest.approx(np.quantile(weights @ np.vstack([ranks[::-1], np.ones(4)]), 0.05, axis=0))
    assert high == pytest.approx(np.quantile(weights @ np.vstack([ranks, np.full(4, 4)]), 0.95, axis=0))
    assert ((low <= result.mean_ranks) & (result.mean_ranks <= high)).all()


def test_interval_of_losses_is_the_mirror() -> None:
    scores = example_table("demsar-2006").scores
    low, high = rank_distribution(scores, n_resamples=400, rng=0).confidence_interval()
    mirrored = rank_distribution(scores, n_resamples=400, rng=0, greater_is_better=False).confidence_interval()

    assert mirrored.low == pytest.approx(5 - high, rel=1e-12)
    assert mirrored.high == pytest.approx(5 - low, rel=1e-12)


@pytest.mark.parametrize("n", [3, 10, 30])
@pytest.mark.long
def test_interval_covers_the_mean_rank_over_all_datasets(n: int) -> None:
    """Of each classifier in 300 samples, also of one that is first on 19 datasets of 20."""
    rng = np.random.default_rng(8)

    def draw(n: int, means: list[float]) -> np.ndarray:
        return rng.normal(means, size=(n, 4))

    for means in ([0, 0.3, 0.6, 1.2], [0, 0, 0, 3]):
        truth = midranks(-draw(200_000, means)).mean(axis=0)
        limits = [rank_distribution(draw(n, means), n_resamples=399, rng=rng).confidence_interval() for _ in range(300)]
        coverage = np.mean([(low <= truth) & (truth <= high) for low, high in limits], axis=0)
        assert (coverage >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / 300)).all()


def test_same_seed_gives_the_same_numbers() -> None:
    one, other = (rank_distribution(SMALL, rng=7).probabilities for _ in range(2))

    assert np.array_equal(one, other)


def test_swapping_classifiers_swaps_rows() -> None:
    one, other = (rank_distribution(s, rng=7).probabilities for s in (SMALL, SMALL[:, ::-1]))

    assert np.array_equal(one[::-1], other)


def test_lower_is_better_is_negation() -> None:
    one = rank_distribution(SMALL, rng=7, greater_is_better=False)

    assert np.array_equal(one.probabilities, rank_distribution(-SMALL, rng=7).probabilities)


def test_steps_do_not_change_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many classifiers are compared in several steps."""
    from evalstats.multiple import rank_bootstrap

    whole = rank_distribution(SMALL, n_resamples=100, rng=7).probabilities
    monkeypatch.setattr(rank_bootstrap, "AT_ONCE", 90)

    assert rank_distribution(SMALL, n_resamples=100, rng=7).probabilities == pytest.approx(whole, abs=1e-12)


def test_place_that_never_happens_is_exactly_zero() -> None:
    scores = np.tile([0.9, 0.5, 0.5, 0.5], (7, 1))

    result = rank_distribution(scores, rng=0)

    assert result.probabilities[0].tolist() == [1, 0, 0, 0]
    assert result.probabilities[1:, 0].tolist() == [0, 0, 0]
    assert result.probabilities[1:, 1:] == pytest.approx(1 / 3)


def test_all_tied_share_all_places() -> None:
    assert rank_distribution(np.full((3, 4), 0.5), rng=0).probabilities == pytest.approx(0.25)


def test_one_dataset_has_a_reason() -> None:
    result = rank_distribution([[0.9, 0.8]], rng=0)

    assert result.probabilities.tolist() == [[1, 0], [0, 1]]
    assert "one dataset" in result.reason
    assert rank_distribution(SMALL, rng=0).reason is None


class TestMessages:
    def test_batch(self) -> None:
        with pytest.raises(ValueError, match=r"scores must have the shape \(n_datasets, n_classifiers\)"):
            rank_distribution(np.zeros((2, 3, 4)))

    def test_nan(self) -> None:
        with pytest.raises(ValueError, match="scores must be finite"):
            rank_distribution([[0.1, float("nan")]])

    def test_n_resamples(self) -> None:
        with pytest.raises(ValueError, match="n_resamples must be at least 1, not 0"):
            rank_distribution(SMALL, n_resamples=0)
