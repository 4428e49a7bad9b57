from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats.distributions import signed_rank
from evalstats.distributions.signed_rank import SignedRankLaw, cdf_of_rows, untied_law

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


@pytest.mark.sampled
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


def midranks(values: np.ndarray) -> list[int]:
    """Doubled midranks in ascending order."""
    _, counts = np.unique(values, return_counts=True)
    return np.repeat(2 * (np.cumsum(counts) - counts) + counts + 1, counts).tolist()


def rows_of(n: int, n_rows: int, levels: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Rows of ranks of up to n values on some levels, zeros before them."""
    rng = np.random.default_rng(seed)
    ranks = np.zeros((n_rows, n), dtype=np.int64)
    for i, row in enumerate(ranks):
        n_ranked = n - int(rng.integers(0, min(n, 4)))
        row[n - n_ranked :] = midranks(rng.integers(0, levels[i % len(levels)], n_ranked))
    return ranks


def law_of_row(row: np.ndarray) -> SignedRankLaw:
    return SignedRankLaw(*np.unique(row[row > 0], return_counts=True))


def counted(row: np.ndarray, w: int) -> Fraction:
    """Count the sets of ranks with a sum of at most w, in whole numbers."""
    n_sets = np.zeros(w + 1, dtype=object)
    n_sets[0] = 1
    for rank in row[row > 0].tolist():
        if rank <= w:
            n_sets[rank:] = n_sets[rank:] + n_sets[: w + 1 - rank]
    return Fraction(int(n_sets.sum()), 2 ** int(np.count_nonzero(row)))


def sums_at(ranks: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    return (ranks.sum(axis=1) / 2 - deviations * np.sqrt((ranks**2).sum(axis=1)) / 2).astype(np.int64)


@pytest.mark.parametrize("n", [3, 12, 121, 400])
def test_few_rows_have_the_bits_of_their_laws(n: int) -> None:
    """Zeros before the ranks are none; sums below 0, of the upper half and of long tails are asked for too."""
    rng = np.random.default_rng(n)
    ranks = rows_of(n, 12, (2, 3, 40, 10_000), seed=n)
    ranks[-1] = 6  # all equal: one unit
    sums = (ranks.sum(axis=1) * rng.choice([-0.01, 0, 0.2, 0.45, 0.5, 0.8, 1], len(ranks))).astype(np.int64)

    found = cdf_of_rows(ranks, sums)

    assert found.tolist() == [float(law_of_row(row).cdf(w)) for row, w in zip(ranks, sums.tolist(), strict=True)]


@pytest.mark.sampled
@pytest.mark.parametrize(("n", "levels"), [(121, (60, 10_000, 200)), (121, (30, 90, 1000)), (170, (80, 10_000))])
def test_many_rows_are_the_counts_of_sets(monkeypatch: pytest.MonkeyPatch, n: int, levels: tuple[int, ...]) -> None:
    """Many rows are inverted together: of few ties and of many, near the middle and at p = 1e-7, one unit or two."""
    ranks = rows_of(n, 1400, levels)
    sums = sums_at(ranks, np.linspace(-1.0, 5.2, len(ranks)))
    inverted, n_inverted = signed_rank._inverted, []

    def seen(rows: np.ndarray, w: np.ndarray) -> np.ndarray:
        tail = inverted(rows, w)
        n_inverted.append(np.isfinite(tail).sum())
        return tail

    monkeypatch.setattr(signed_rank, "_inverted", seen)
    found = cdf_of_rows(ranks, sums)

    assert n_inverted[0] > 700
    part = 400 // repetitions(400)  # of the rows in a short run
    few = slice(3, None, 35 * part)
    truth = [counted(row, w) for row, w in zip(ranks[few], sums[few].tolist(), strict=True)]
    assert max(abs(float(Fraction(p) / q - 1)) for p, q in zip(found[few].tolist(), truth, strict=True)) < 1e-12
    some = slice(0, None, part)
    alone = [float(law_of_row(row).cdf(w)) for row, w in zip(ranks[some], sums[some].tolist(), strict=True)]
    np.testing.assert_allclose(found[some], alone, rtol=1e-12)


@pytest.mark.parametrize("fault", ["period", "terms"])
def test_what_is_not_proven_is_counted(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Where the period is too short, or more terms are large than may be added, the sets are counted."""
    ranks = rows_of(121, 600, (60, 10_000))
    sums = sums_at(ranks, np.linspace(0.1, 2, len(ranks)))
    if fault == "period":
        monkeypatch.setattr(signed_rank, "MARGIN", -20.0)
    else:
        monkeypatch.setattr(signed_rank, "MOST_TERMS", 2)

    is_counted = np.isnan(signed_rank._inverted(ranks, sums))
    assert is_counted.sum() > 100
    alone = [float(law_of_row(row).cdf(w)) for row, w in zip(ranks, sums.tolist(), strict=True)]
    found = cdf_of_rows(ranks, sums)
    assert found[is_counted].tolist() == np.array(alone)[is_counted].tolist()
    np.testing.assert_allclose(found, alone, rtol=1e-12)


def formed(d: np.ndarray) -> np.ndarray:
    """Literal definition: all (d_i + d_j) / 2 with i <= j."""
    return np.sort([(a + b) / 2 for a, b in itertools.combinations_with_replacement(d, 2)])


def test_median_by_hand() -> None:
    """Of 1, 2, 4 the signed_rank are 1, 1.5, 2, 2.5, 3, 4."""
    assert signed_rank.walsh_median(np.array([1.0, 2.0, 4.0])) == 2.25


def test_nothing_has_the_median_zero() -> None:
    assert signed_rank.walsh_median(np.empty(0)) == 0


@pytest.mark.parametrize("n", [1, 2, 5, 60])
def test_every_average_is_found_at_its_place(n: int) -> None:
    d = np.sort(np.random.default_rng(n).normal(size=n).round(1))
    expected = formed(d)

    assert signed_rank.walsh_averages(d, list(range(1, expected.size + 1))) == pytest.approx(
        expected.tolist(), abs=1e-15
    )


@pytest.mark.parametrize("n", [signed_rank.SORTED_UP_TO + 1, 1500])
@pytest.mark.parametrize("kind", ["continuous", "tied", "wild"])
def test_averages_are_found_without_forming_them(n: int, kind: str) -> None:
    rng = np.random.default_rng(n)
    d = {
        "continuous": rng.normal(size=n),
        "tied": rng.normal(size=n).round(1),
        "wild": rng.normal(size=n) * 10.0 ** rng.integers(-20, 20, n),
    }[kind]
    half = np.sort(d) / 2
    expected = np.sort(np.add.outer(half, half)[np.triu_indices(n)])
    positions = [1, 2, expected.size // 3, expected.size // 2, expected.size]

    assert signed_rank.walsh_averages(np.sort(d), positions) == expected[np.array(positions) - 1].tolist()
