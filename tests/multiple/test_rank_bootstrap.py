"""The rank distribution: enumeration of all draws, laws, degenerate tables."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import bootstrap

from evalstats import example_table, friedman_test
from evalstats._canonical import canonical_order
from evalstats._ranks import midranks
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


def test_interval_is_made_of_quantiles_of_drawn_mean_ranks() -> None:
    scores = example_table("demsar-2006").scores
    result = rank_distribution(scores, n_resamples=400, rng=0)
    ranks = midranks(-np.round(scores, 12))
    in_order = ranks[canonical_order(ranks)[0]]
    drawn = np.random.default_rng(0).multinomial(14, np.full(14, 1 / 14), size=400) @ in_order / 14

    low, high = result.confidence_interval(0.9)

    assert low == pytest.approx(np.quantile(drawn, 0.05, axis=0))
    assert high == pytest.approx(np.quantile(drawn, 0.95, axis=0))
    assert ((low <= result.mean_ranks) & (result.mean_ranks <= high)).all()


def all_mean_ranks(scores: np.ndarray) -> np.ndarray:
    """Return the mean ranks of all n^n draws, which are equally likely; one row for each."""
    n = len(scores)
    ranks = midranks(-scores)
    return np.array([ranks[list(drawn)].mean(axis=0) for drawn in itertools.product(range(n), repeat=n)])


def percentile(values: np.ndarray, share: float) -> np.ndarray:
    """Return the smallest value that is not below so large a share of all: Efron & Tibshirani (1993), eq. 13.5."""
    place = min(max(int(np.ceil(share * len(values))), 1), len(values)) - 1
    return np.sort(values, axis=0)[place]


def off(share: float, *n_draws: int) -> float:
    """Return how far the share of some draws may be off: five standard errors of each simulation."""
    return 5 * sum(np.sqrt(share * (1 - share) / n) for n in n_draws)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("scores", [SMALL, np.vstack([SMALL, [0.5, 0.5, 0.5]]), SMALL[:, :2]])
def test_interval_is_the_percentile_interval_of_all_draws(scores: np.ndarray, level: float) -> None:
    """Each limit lies between the exact percentiles that enclose its own share, as far as 50,000 draws know it."""
    everything = all_mean_ranks(scores)
    share = (1 - level) / 2
    about = off(share, 50_000)

    low, high = rank_distribution(scores, n_resamples=50_000, rng=2).confidence_interval(level)

    assert (percentile(everything, share - about) <= low + 1e-12).all()
    assert (low <= percentile(everything, share + about) + 1e-12).all()
    assert (percentile(everything, 1 - share - about) <= high + 1e-12).all()
    assert (high <= percentile(everything, 1 - share + about) + 1e-12).all()


@pytest.mark.parametrize("name", ["demsar-2006", "japkowicz-accuracy"])
def test_interval_is_that_of_scipy(name: str) -> None:
    """The code of scipy draws rows of the table of ranks; the shares of both simulations are off a little."""
    scores = example_table(name).scores
    theirs = bootstrap(
        (midranks(-scores),), np.mean, n_resamples=9999, method="percentile", rng=np.random.default_rng(5)
    )
    draws = theirs.bootstrap_distribution.T
    about = off(0.025, 9999, 20_000)

    low, high = rank_distribution(scores, n_resamples=20_000, rng=3).confidence_interval()

    assert (percentile(draws, 0.025 - about) <= low + 1e-12).all()
    assert (low <= percentile(draws, 0.025 + about) + 1e-12).all()
    assert (percentile(draws, 0.975 - about) <= high + 1e-12).all()
    assert (high <= percentile(draws, 0.975 + about) + 1e-12).all()


def test_interval_covers_the_mean_rank_over_all_datasets() -> None:
    """In 300 samples of 30 datasets 94% of the intervals do; of a classifier that is first on 19 of 20, far fewer."""
    rng = np.random.default_rng(8)

    def draw(n: int, means: list[float]) -> np.ndarray:
        return rng.normal(means, size=(n, 4))

    def coverage(means: list[float]) -> np.ndarray:
        truth = midranks(-draw(200_000, means)).mean(axis=0)
        limits = [
            rank_distribution(draw(30, means), n_resamples=399, rng=rng).confidence_interval() for _ in range(300)
        ]
        return np.mean([(low <= truth) & (truth <= high) for low, high in limits], axis=0)

    assert coverage([0, 0.3, 0.6, 1.2]) == pytest.approx(0.94, abs=0.04)
    assert coverage([0, 0, 0, 3])[3] == pytest.approx(0.74, abs=0.08)


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
