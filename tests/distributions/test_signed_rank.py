from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.distributions import signed_rank
from evalstats.distributions.signed_rank import SignedRankLaw, untied_law

# Wilcoxon's table as reprinted in textbooks: the largest W with P(W <= w) at most .05, .025, .01, .005
CRITICAL_VALUES = {9: (8, 5, 3, 1), 14: (25, 21, 15, 12), 18: (47, 40, 32, 27), 30: (151, 137, 120, 109)}


def law_of(*ranks: int) -> SignedRankLaw:
    distinct, counts = np.unique(ranks, return_counts=True)
    return SignedRankLaw(distinct, counts)


def tied_law(n: int, n_levels: int, seed: int = 0) -> SignedRankLaw:
    """Doubled midranks of n values on a few levels."""
    _, counts = np.unique(np.random.default_rng(seed).integers(0, n_levels, n), return_counts=True)
    return SignedRankLaw(2 * (np.cumsum(counts) - counts) + counts + 1, counts)


def ranks_of(law: SignedRankLaw) -> list[int]:
    return np.repeat(law._ranks * law.unit, law._counts).tolist()


def counted_cdf(ranks: list[int], sums: list[int]) -> list[Fraction]:
    """Count the sets of ranks for every sum, in whole numbers: all counts stand side by side in one large integer."""
    width = len(ranks) + 8
    size = max(sums) + 1
    packed, mask = 1, (1 << width * size) - 1
    for rank in ranks:
        packed += (packed << width * rank) & mask
    slots = packed.to_bytes(width * size // 8 + 8, "little")
    counts, n_below = {}, 0
    for w in range(size):
        first, shift = divmod(w * width, 8)
        n_below += (int.from_bytes(slots[first : first + width // 8 + 2], "little") >> shift) & ((1 << width) - 1)
        counts[w] = n_below
    return [Fraction(counts[w], 2 ** len(ranks)) for w in sums]


def sums_into_the_tail(law: SignedRankLaw, deviations: tuple[float, ...]) -> list[int]:
    ranks = np.array(ranks_of(law)) // law.unit
    centre, deviation = ranks.sum() / 2, math.sqrt((ranks.astype(float) ** 2).sum()) / 2
    return [int(centre - z * deviation) for z in deviations if centre >= z * deviation]


@pytest.mark.parametrize("n_levels", [2, 5, 40, 10_000])
@pytest.mark.parametrize("n", [1, 2, 7, 13, 60, 121, 300])
def test_law_that_is_asked_once_has_the_same_bits(n: int, n_levels: int) -> None:
    """It counts only what the tail of its one sum needs."""
    law = tied_law(n, n_levels)
    distinct, counts = np.unique(ranks_of(law), return_counts=True)
    total = sum(ranks_of(law))

    sums = sorted({0, 1, total // 2, total, *(int(total * share) for share in (0.03, 0.2, 0.31, 0.42, 0.49, 0.6))})
    once = [float(SignedRankLaw(distinct, counts, is_asked_once=True).cdf(w)) for w in sums]

    assert once == [float(SignedRankLaw(distinct, counts).cdf(w)) for w in sums]


@pytest.mark.parametrize("ranks", [(2, 5, 5), (1, 9), (3,), (4, 4, 4), (1, 2, 30, 31), (2, 2, 7, 7, 7, 40)])
def test_law_that_is_asked_once_knows_every_sum(ranks: tuple[int, ...]) -> None:
    """Between the sum of the small ranks and the next rank too, where all sets of the small ones are counted."""
    distinct, counts = np.unique(ranks, return_counts=True)

    once = [float(SignedRankLaw(distinct, counts, is_asked_once=True).cdf(w)) for w in range(sum(ranks) + 1)]

    assert once == [float(p) for p in counted_cdf(list(ranks), list(range(sum(ranks) + 1)))]


def test_three_ranks_by_hand() -> None:
    """Of 8 sets of 1, 2, 3 the sums are 0 1 2 3 3 4 5 6."""
    cdf = law_of(1, 2, 3).cdf([-1, 0, 1, 2, 3, 4, 5, 6, 7])

    assert cdf.tolist() == [0, 1 / 8, 2 / 8, 3 / 8, 5 / 8, 6 / 8, 7 / 8, 1, 1]


def test_tied_ranks_by_hand() -> None:
    """Doubled midranks 3 3 6: sums 0 3 3 6 6 9 9 12; a sum that is not reached has the tail of the one below."""
    cdf = law_of(3, 3, 6).cdf([0, 2, 3, 5, 6, 9, 11, 12])

    assert cdf.tolist() == [1 / 8, 1 / 8, 3 / 8, 3 / 8, 5 / 8, 7 / 8, 7 / 8, 1]


@pytest.mark.parametrize("n", CRITICAL_VALUES)
def test_critical_values(n: int) -> None:
    law = untied_law(n)

    for critical, alpha in zip(CRITICAL_VALUES[n], (0.05, 0.025, 0.01, 0.005), strict=True):
        assert law.cdf(2 * critical) <= alpha < law.cdf(2 * critical + 2)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=9))
def test_law_is_the_enumeration_of_all_sets(ranks: list[int]) -> None:
    sums = [sum(chosen) for chosen in itertools.product(*((0, rank) for rank in ranks))]
    everywhere = np.arange(sum(ranks) + 1)

    cdf = law_of(*ranks).cdf(everywhere)

    assert cdf.tolist() == [sum(s <= w for s in sums) / len(sums) for w in everywhere]


@pytest.mark.parametrize(
    "law",
    [
        *(untied_law(n) for n in (150, 200, 300, 400)),
        *(tied_law(n, n_levels) for n in (200, 300) for n_levels in (3000, n, 20, 3, 2)),
    ],
    ids=lambda law: f"n={law.n}-{law._ranks.size}-ranks",
)
def test_tail_is_the_count_of_sets(law: SignedRankLaw) -> None:
    """From the middle to 1e-30 and beyond: by counting and by inversion."""
    sums = sums_into_the_tail(law, (0, 0.4, 1, 2, 2.9, 3.1, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16))
    truth = counted_cdf([rank // law.unit for rank in ranks_of(law)], sums)

    cdf = law.cdf(np.array(sums) * law.unit)

    error = [abs(float(Fraction(float(p)) / q - 1)) for p, q in zip(cdf, truth, strict=True)]
    assert max(error) < 1e-12
    assert min(truth) < 1e-17


def test_all_ranks_tied_is_the_binomial_law() -> None:
    n = 4000
    law = SignedRankLaw(np.array([n + 1]), np.array([n]))

    for k in (2000, 1900, 1500, 1100):
        truth = Fraction(sum(math.comb(n, i) for i in range(k + 1)), 2**n)
        assert abs(float(Fraction(float(law.cdf(k * (n + 1)))) / truth - 1)) < 1e-12


def test_two_sizes_of_ranks_are_the_convolution_of_two_binomials() -> None:
    """The characteristic function has many high peaks here."""
    small, large = 700, 800
    law = SignedRankLaw(np.array([1, 901]), np.array([small, large]))

    sets_of_small = list(itertools.accumulate(math.comb(small, i) for i in range(small + 1)))

    for w in (350 + 901 * 400, 300 + 901 * 370, 200 + 901 * 300):
        n_sets = sum(
            math.comb(large, j) * sets_of_small[min(small, w - 901 * j)] for j in range(min(large, w // 901) + 1)
        )
        truth = Fraction(n_sets, 2 ** (small + large))
        assert abs(float(Fraction(float(law.cdf(w))) / truth - 1)) < 1e-12


def test_symmetry() -> None:
    """P(X <= w) + P(X <= total - w - 1) = 1."""
    for law, total in ((untied_law(40), 820), (untied_law(600), 180300), (law_of(2, 2, 5, 9), 18)):
        w = np.arange(0, total, 7)
        unit = law.unit

        np.testing.assert_allclose(law.cdf(w * unit) + law.cdf((total - w - 1) * unit), 1, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("n", [30, 250, 500])
def test_a_sum_has_one_answer_in_whatever_company(n: int) -> None:
    sums = 2 * np.random.default_rng(1).integers(0, n * (n + 1) // 4, 40)

    together = untied_law(n).cdf(sums)

    alone = [float(SignedRankLaw(2 * np.arange(1, n + 1), np.ones(n, int)).cdf(w)) for w in sums]
    assert together.tolist() == alone


def test_the_tilt_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty thousand ranks are far beyond counting, but another tilt must give the same tail."""
    sums = sums_into_the_tail(untied_law(20_000), (0.0, 2.0, 5.0, 9.0, 20.0, 36.0))
    first = untied_law(20_000).cdf(2 * np.array(sums))

    monkeypatch.setattr(signed_rank, "FIRST_TILT", 3.4)
    again = SignedRankLaw(np.arange(1, 20_001), np.ones(20_000, int)).cdf(sums)

    np.testing.assert_allclose(again, first, rtol=2e-12)
    assert 0 < first[-1] < 1e-280


def test_a_tail_below_the_smallest_float_is_zero() -> None:
    assert untied_law(3000).cdf(2 * 3000) == 0
    assert law_of(*range(1, 1070)).cdf(0) == 2.0**-1069


def test_the_error_bound_is_kept_when_the_first_guess_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of nodes grows until the bound is proven."""
    law, guess, periods = tied_law(300, 200), SignedRankLaw._period, []

    def stingy(self: SignedRankLaw, tilt: signed_rank._Tilt, goal: float) -> tuple[int, float]:
        periods.append(guess(self, tilt, goal - 25)[0])
        return guess(self, tilt, goal - 25)

    monkeypatch.setattr(SignedRankLaw, "_period", stingy)
    w = sums_into_the_tail(law, (2.0,))
    p = float(law.cdf(w[0] * law.unit))

    assert len(periods) > 1
    assert periods == sorted(periods)
    assert abs(float(Fraction(p) / counted_cdf([r // law.unit for r in ranks_of(law)], w)[0] - 1)) < 1e-12


@pytest.mark.parametrize("law", [untied_law(1), untied_law(12), untied_law(700), tied_law(25, 6), tied_law(400, 50)])
@pytest.mark.parametrize("probability", [1e-9, 0.005, 0.025, 0.3, 0.5])
def test_quantile_is_the_first_sum_to_reach_the_probability(law: SignedRankLaw, probability: float) -> None:
    quantile = law.quantile(probability)

    assert law.cdf(quantile - law.unit) < probability <= law.cdf(quantile)
