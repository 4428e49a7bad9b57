from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import special, stats

from evalstats import InvalidTypeError, InvalidValueError
from evalstats._ranks import differences, midranks
from evalstats.examples import example_table
from evalstats.paired.wilcoxon import WilcoxonTestResult, wilcoxon_test

ALTERNATIVES = ["two-sided", "less", "greater"]
ZERO_METHODS = ["wilcox", "pratt", "zsplit"]
FIELDS = [
    "statistic",
    "pvalue",
    "method",
    "reason",
    "n_zero",
    "z",
    "rank_biserial",
    "min_attainable_pvalue",
    "hodges_lehmann",
]

NB, SVM, ADABOOST, FOREST = example_table("japkowicz-accuracy").scores.T
C45, C45_M, C45_CF, C45_M_CF = example_table("demsar-2006").scores.T

# Japkowicz, Machine Learning Evaluation, slide 50: signed ranks of naive Bayes against SVM, the zero removed
TUTORIAL_SIGNED_RANKS = [-3, -6, -8, 5, -2, 7, 1, 4, -9]
# the largest rank sums that are significant one-tailed, by level: from how many datasets on, and up to 30
CRITICAL_SUMS = {
    0.05: (5, [
        0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 30, 35, 41, 47, 53, 60, 67, 75, 83, 91, 100, 110, 119, 130, 140,
        151,
    ]),
    0.025: (6, [
        0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52, 58, 65, 73, 81, 89, 98, 107, 116, 126, 137,
    ]),
    0.01: (7, [
        0, 1, 3, 5, 7, 9, 12, 15, 19, 23, 27, 32, 37, 43, 49, 55, 62, 69, 76, 84, 92, 101, 110, 120,
    ]),
    0.005: (8, [
        0, 1, 3, 5, 7, 9, 12, 15, 19, 23, 27, 32, 37, 42, 48, 54, 61, 68, 75, 83, 91, 100, 109,
    ]),
}  # fmt: skip
# Raeder, Hoens & Chawla (2010), Table II: W+ of the printed columns, and the exact two-sided p that follows from it
RAEDER = {"216": (155, 0.00129), "459": (57, 0.2288)}


def signed(d: Any, **choices: Any) -> WilcoxonTestResult:
    """Test these differences."""
    d = np.asarray(d, dtype=float)
    return wilcoxon_test(d, np.zeros_like(d), **choices)


def enumerated_pvalue(d: list[int], alternative: str, zero_method: str) -> Fraction:
    """Share of all assignments of signs with a W+ that is as extreme as this one: the definition."""
    if zero_method == "wilcox":
        d = [v for v in d if v != 0]
    sizes = sorted(abs(v) for v in d)
    rank = {v: Fraction(2 * sizes.index(v) + sizes.count(v) + 1, 2) for v in sizes}
    ranks = [rank[abs(v)] for v in d if v != 0]
    observed = sum((rank[v] for v in d if v > 0), Fraction(0))
    sums = [
        sum(r for r, plus in zip(ranks, signs, strict=True) if plus)
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    upper = Fraction(sum(s >= observed for s in sums), len(sums))
    lower = Fraction(sum(s <= observed for s in sums), len(sums))
    return {"greater": upper, "less": lower, "two-sided": min(Fraction(1), 2 * min(upper, lower))}[alternative]


def walsh_averages(d: np.ndarray) -> np.ndarray:
    i, j = np.triu_indices(d.size)
    return np.sort((d[i] + d[j]) / 2)


def test_three_differences_by_hand() -> None:
    """Ranks 1, 2, 3 with the signs + - +: W+ = 4, and of the 8 sums 4, 5 and 6 are as large."""
    result = signed([0.1, -0.2, 0.3], alternative="greater")

    assert (result.statistic, result.pvalue) == (4.0, 3 / 8)
    assert result.rank_biserial == (4 - 2) / 6
    assert result.min_attainable_pvalue == 1 / 8


def test_hodges_lehmann_by_hand() -> None:
    """Walsh averages of -2, 1, 5: -2, -0.5, 1, 1.5, 3, 5."""
    result = signed([-2, 1, 5])

    assert result.hodges_lehmann == 1.25
    assert tuple(result.confidence_interval(0.75)) == (-2, 5)
    assert tuple(result.confidence_interval(0.4)) == (-0.5, 3)


def test_zeros_by_hand() -> None:
    """0, 1, -2, 3: dropped, the ranks are 1 2 3; ranked, they are 2 3 4, and the zero has 1 to split."""
    by_method = [signed([0, 1, -2, 3], zero_method=zero_method) for zero_method in ZERO_METHODS]

    assert [result.statistic for result in by_method] == [4, 6, 6.5]
    assert [result.rank_biserial for result in by_method] == [(4 - 2) / 6, (6 - 3) / 9, (6 - 3) / 9]
    assert [result.n_zero for result in by_method] == [1, 1, 1]


def test_tutorial_ranks() -> None:
    d = differences(NB, SVM)
    d = d[d != 0]

    assert (np.sign(d) * midranks(np.abs(d))).tolist() == TUTORIAL_SIGNED_RANKS


def test_tutorial_sums() -> None:
    """Slide 50: 17 and 28; the tutorial drops the one zero, and so the exact p is .5703125."""
    result = wilcoxon_test(NB, SVM)

    assert (result.statistic, wilcoxon_test(SVM, NB).statistic) == (17, 28)
    assert result.pvalue == 0.5703125
    assert (result.n_pairs, result.n_zero, result.method) == (10, 1, "exact")


def test_tutorial_as_r_does_by_default() -> None:
    """Because of the zero R falls back to the normal approximation."""
    assert round(wilcoxon_test(NB, SVM, method="asymptotic").pvalue, 4) == 0.5536


def test_tutorial_critical_value_belongs_to_five_percent() -> None:
    """Slide 50 prints V = 8 for n = 9 and .005; that is the one-sided value for .05, and 1 is the one for .005."""
    ranks = np.arange(1, 10)

    at_eight = signed(np.where(ranks == 8, ranks, -ranks), alternative="less")
    at_one = signed(np.where(ranks == 1, ranks, -ranks), alternative="less")

    assert (at_eight.statistic, at_eight.pvalue) == (8, 25 / 512)
    assert (at_one.statistic, at_one.pvalue) == (1, 2 / 512)


@pytest.mark.parametrize("alpha", CRITICAL_SUMS)
def test_critical_rank_sums(alpha: float) -> None:
    """Exact, from the smallest number of datasets where anything is significant up to 30."""
    smallest, critical = CRITICAL_SUMS[alpha]
    for n, largest in enumerate(critical, start=smallest):
        p = [signed(with_sum(n, total), alternative="less").pvalue for total in (largest, largest + 1)]
        assert p[0] <= alpha < p[1], n

    before = signed(with_sum(smallest - 1, 0), alternative="less").pvalue
    assert before > alpha


def with_sum(n: int, total: int) -> np.ndarray:
    """Return the ranks 1 to n with signs, the positive ones of which add up to the total."""
    signs, left = -np.ones(n), total
    for rank in range(n, 0, -1):
        if rank <= left:
            signs[rank - 1], left = 1, left - rank
    return signs * np.arange(1, n + 1)


def test_demsar_splits_the_zeros() -> None:
    """Demšar (2006), section 3.1.3: R+ = 93, R- = 12, z = -2.54 for C4.5 with and without m; two datasets are tied."""
    result = wilcoxon_test(C45, C45_M, zero_method="zsplit", method="asymptotic", correction=False)
    swapped = wilcoxon_test(C45_M, C45, zero_method="zsplit", method="asymptotic", correction=False)

    assert (swapped.statistic, result.statistic) == (93, 12)
    assert round(result.z, 2) == -2.54


def test_demsar_as_r_does() -> None:
    """R drops the zeros: V = 71.5, p = .0120."""
    result = wilcoxon_test(C45_M, C45, method="asymptotic")

    assert (result.statistic, round(result.pvalue, 4)) == (71.5, 0.0120)


@pytest.mark.parametrize("seed", RAEDER)
def test_raeder_table_2(seed: str) -> None:
    """The paper ticks both columns at .10 and .05; the second does not follow from the printed scores."""
    c45, hddt = example_table(f"raeder-2010-seed-{seed}").scores.T

    result = wilcoxon_test(c45, hddt)

    assert (result.statistic, float(f"{result.pvalue:.3g}" if seed == "216" else f"{result.pvalue:.4f}")) == RAEDER[
        seed
    ]


def test_sixty_wins_are_not_impossible() -> None:
    """2 / 2^60, where one minus a sum says 0."""
    assert signed(np.arange(1, 61)).pvalue == 2.0**-59


def test_exact_with_zeros_is_exact_given_the_zeros() -> None:
    """Pratt's ranks 3, ..., 10 have another law than 1, ..., 10."""
    d = [0, 0, 3, 4, 5, -6, 7, 8, 9, 10]

    result = signed(d, zero_method="pratt")

    assert result.pvalue == enumerated_pvalue(d, "two-sided", "pratt")
    assert result.pvalue == 2 * 5 / 2**8


def test_noise_of_floats_breaks_no_tie() -> None:
    """Bit for bit 0.6 - 0.3 is more than 0.7 - 0.4, and 0.9 - 0.5 more than 0.7 - 0.3."""
    x, y = np.array([0.3, 0.3, 0.7, 0.6, 0.5]), np.array([0.4, 0.7, 0.4, 0.3, 0.9])

    result = wilcoxon_test(x, y)

    assert result.pvalue == wilcoxon_test(np.rint(10 * x), np.rint(10 * y)).pvalue == 0.5625
    assert wilcoxon_test(x, y, tie_tolerance=0).pvalue == 0.625
    assert result.tie_tolerance == 1e-12


def test_accuracies_of_thirty_cases_tie_across_the_decades() -> None:
    """30/30 - 29/30 and 29/30 - 28/30 are one thirtieth, although only the first has a score of 1.0."""
    x, y = np.array([30, 28, 3, 27, 20, 15]), np.array([29, 29, 2, 25, 23, 10])

    assert wilcoxon_test(x / 30, y / 30).pvalue == wilcoxon_test(x, y).pvalue
    assert wilcoxon_test(x / 30, y / 30).statistic == wilcoxon_test(x, y).statistic == 14


def test_direction_comes_from_the_alternative_never_from_the_data() -> None:
    """The median is above 0, the signed ranks are far below: 'less' sees it, and 'greater' does not."""
    d = np.concatenate([np.arange(1, 17), -np.arange(17, 32)])

    pvalues = {alternative: signed(d, alternative=alternative).pvalue for alternative in ALTERNATIVES}

    assert np.median(d) > 0
    assert pvalues["less"] < 0.05
    assert pvalues["greater"] > 0.95
    assert pvalues["two-sided"] == 2 * pvalues["less"]


@settings(max_examples=repetitions(60))
@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=9),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from(ZERO_METHODS),
)
def test_exact_pvalue_is_the_enumeration_of_all_signs(d: list[int], alternative: str, zero_method: str) -> None:
    result = signed(d, alternative=alternative, zero_method=zero_method)
    best = [-abs(v) if alternative == "less" else abs(v) for v in d]

    # all assignments of signs to no difference are one assignment
    assert result.pvalue == enumerated_pvalue(d, alternative, zero_method)
    assert result.min_attainable_pvalue == enumerated_pvalue(best, alternative, zero_method)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("correction", [True, False])
def test_asymptotic_is_scipy_s(alternative: str, zero_method: str, correction: bool) -> None:
    """The same three conventions for zeros; scipy's correction has another default."""
    rng = np.random.default_rng(7)
    for scale in (3.0, 1e3):
        x, y = np.rint(rng.normal(0.3, scale, (20, 31))), np.rint(rng.normal(0, scale, (20, 31)))
        choices = {"alternative": alternative, "zero_method": zero_method, "method": "asymptotic"}

        ours = wilcoxon_test(x, y, correction=correction, **choices)

        theirs = stats.wilcoxon(x, y, axis=-1, correction=correction, **choices)
        np.testing.assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-12)


def test_the_correction_stops_at_zero() -> None:
    """W+ is half a rank and no rank from its mean: z is 0 and p is 1."""
    for d in ([1, 1, -2], [1, 2, -3]):
        result = signed(d, method="asymptotic")

        assert (result.z, result.pvalue) == (0, 1)


def test_far_normal_tail() -> None:
    """One minus a probability would be 0."""
    n = 500
    z = (n * (n + 1) / 4 - 0.5) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)

    assert math.log(signed(np.arange(1, n + 1), method="asymptotic", alternative="greater").pvalue) == pytest.approx(
        special.log_ndtr(-z), rel=1e-13
    )


def test_smallest_pvalue_is_reached_when_all_differences_point_one_way() -> None:
    d = np.array([1, -1, 2, 3, -3, 0, 4.5])
    for method, alternative, zero_method in itertools.product(["exact", "asymptotic"], ALTERNATIVES, ZERO_METHODS):
        choices = {"method": method, "alternative": alternative, "zero_method": zero_method}
        best = -np.abs(d) if alternative == "less" else np.abs(d)

        assert signed(d, **choices).min_attainable_pvalue == signed(best, **choices).pvalue


def test_auto_is_exact_up_to_ten_thousand_nonzero_differences() -> None:
    d = np.append(np.random.default_rng(0).normal(size=10_001), 0)

    assert signed(d).method == "asymptotic"
    assert signed(d[1:]).method == "exact"
    assert signed(d, method="exact").method == "exact"


def test_exact_and_asymptotic_meet_when_there_are_many_pairs() -> None:
    d = np.random.default_rng(3).normal(0.02, 1, 8000).round(2)

    exact, asymptotic = (signed(d, method=method) for method in ("exact", "asymptotic"))

    assert exact.pvalue == pytest.approx(asymptotic.pvalue, rel=1e-3)
    assert exact.z == asymptotic.z


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("method", ["exact", "asymptotic"])
def test_swap_mirrors(alternative: str, zero_method: str, method: str) -> None:
    choices = {"zero_method": zero_method, "method": method}
    mirror = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]

    result = wilcoxon_test(C45, C45_M, alternative=alternative, **choices)
    swapped = wilcoxon_test(C45_M, C45, alternative=mirror, **choices)

    n, k = 14 - 2 * (zero_method == "wilcox"), 2 * (zero_method == "pratt")
    assert result.statistic + swapped.statistic == (n * (n + 1) - k * (k + 1)) / 2
    assert (result.pvalue, result.min_attainable_pvalue) == (swapped.pvalue, swapped.min_attainable_pvalue)
    assert (result.z, result.rank_biserial, result.hodges_lehmann) == (
        -swapped.z,
        -swapped.rank_biserial,
        -swapped.hodges_lehmann,
    )
    low, high = swapped.confidence_interval()
    assert tuple(result.confidence_interval()) == (-high, -low)


def test_order_and_scale_of_the_scores_do_not_matter() -> None:
    order = np.random.default_rng(5).permutation(14)
    result = wilcoxon_test(C45, C45_M)

    for x, y, scale in (
        (C45[order], C45_M[order], 1),
        (8 * C45, 8 * C45_M, 8),
        (C45 * 2**-900, C45_M * 2**-900, 2**-900),
    ):
        other = wilcoxon_test(x, y)

        assert [getattr(other, f) for f in FIELDS[:-1]] == [getattr(result, f) for f in FIELDS[:-1]]
        assert other.hodges_lehmann == pytest.approx(scale * result.hodges_lehmann, rel=0, abs=5e-12 * scale)


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("method", ["auto", "asymptotic"])
def test_batch_is_the_loop_over_its_problems(alternative: str, zero_method: str, method: str) -> None:
    """All pairs of rows, some with ties, zeros or no difference at all; chunks do not show."""
    rng = np.random.default_rng(11)
    scores = np.concatenate([rng.random((4, 300)), rng.random((4, 300)).round(2), np.full((1, 300), 0.5)])
    choices = {"alternative": alternative, "zero_method": zero_method, "method": method}

    batch = wilcoxon_test(scores[:, None], scores[None], **choices)
    interval = batch.confidence_interval(0.9)

    for i, j in itertools.product(range(9), repeat=2):
        one = wilcoxon_test(scores[i], scores[j], **choices)
        assert [getattr(batch, f)[i, j] for f in FIELDS] == [getattr(one, f) for f in FIELDS]
        expected = one.confidence_interval(0.9)
        np.testing.assert_array_equal([v[i, j] for v in interval], list(expected))
        assert interval.attained_level[i, j] == expected.attained_level


def test_leading_axes_broadcast() -> None:
    x, y = np.random.default_rng(2).random((3, 1, 7)), np.random.default_rng(3).random((5, 7))

    assert wilcoxon_test(x, y).pvalue.shape == (3, 5)
    assert wilcoxon_test(x[0], y[0]).pvalue.shape == (1,)


@pytest.mark.parametrize("n", [4, 9, 20, 60])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_exact_interval_holds_the_shifts_that_are_not_rejected(n: int, alternative: str) -> None:
    """Duality: a shift between the Walsh averages is outside exactly if its p is below one minus the level."""
    d = np.random.default_rng(n).normal(0.5, 1, n).round(3)
    low, high = (interval := signed(d, alternative=alternative).confidence_interval(0.8))
    averages = np.unique(walsh_averages(d))
    shifts = np.concatenate([averages[:1] - 1, (averages[1:] + averages[:-1]) / 2, averages[-1:] + 1])

    pvalue = wilcoxon_test(d, np.repeat(shifts[:, None], n, axis=1), alternative=alternative).pvalue

    np.testing.assert_array_equal((low < shifts) & (shifts < high), pvalue > 1 - interval.attained_level + 1e-12)
    assert interval.attained_level >= 0.8 - 1e-12


@pytest.mark.parametrize("correction", [True, False])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_asymptotic_interval_is_where_z_crosses_the_quantile(alternative: str, correction: bool) -> None:
    """At a shift between two Walsh averages no new tie arises, so z is a step function that falls."""
    d = np.random.default_rng(1).normal(0.5, 1, 40).round(1)
    choices = {"alternative": alternative, "method": "asymptotic", "correction": correction}
    low, high = signed(d, zero_method="pratt", **choices).confidence_interval(0.9)
    quantile = -special.ndtri(0.1 / (2 if alternative == "two-sided" else 1))

    def z(shift: float) -> float:
        return wilcoxon_test(d, np.full(40, shift), **choices).z

    if alternative != "less":
        assert z(low - 1e-6) >= quantile > z(low + 1e-6)
    if alternative != "greater":
        assert z(high - 1e-6) > -quantile >= z(high + 1e-6)


def test_interval_is_one_sided_when_the_alternative_is() -> None:
    assert signed(NB - SVM, alternative="greater").confidence_interval().high == math.inf
    assert signed(NB - SVM, alternative="less").confidence_interval().low == -math.inf


def test_exact_interval_knows_its_level() -> None:
    """Nine differences: P(W <= 5) = 10 / 512, so the sixth Walsh averages from both ends leave out 20 / 512."""
    interval = wilcoxon_test(NB, SVM).confidence_interval(0.95)

    averages = walsh_averages(differences(NB, SVM)[[0, 1, 2, 3, 5, 6, 7, 8, 9]])
    assert interval.attained_level == 1 - 20 / 512
    assert tuple(interval) == pytest.approx((averages[5], averages[-6]), rel=1e-14)


@pytest.mark.parametrize("method", ["exact", "asymptotic"])
def test_a_level_out_of_reach_gives_the_widest_interval(method: str) -> None:
    """What the interval then attains is one minus the smallest p-value."""
    result = signed([-1, 2, 3, 5], method=method)

    interval = result.confidence_interval(0.99)

    assert tuple(interval) == (-1, 5)
    assert interval.confidence_level == 0.99
    assert interval.attained_level == pytest.approx(1 - result.min_attainable_pvalue, rel=1e-14)


def test_zeros_are_dropped_from_the_estimate_as_from_the_test() -> None:
    d = [0, 0, 0, 0, 1, 2, 3]

    dropped, kept = signed(d), signed(d, zero_method="pratt")

    assert dropped.hodges_lehmann == np.median(walsh_averages(np.array([1.0, 2, 3])))
    assert kept.hodges_lehmann == np.median(walsh_averages(np.array(d, dtype=float)))
    assert kept.confidence_interval(0.5).low == 0 < dropped.confidence_interval(0.5).low


def test_estimate_of_many_pairs() -> None:
    d = np.random.default_rng(9).normal(0.1, 1, 1200).round(6)

    assert signed(d).hodges_lehmann == pytest.approx(np.median(walsh_averages(d)), rel=1e-14)


def test_estimate_does_not_follow_later_changes_of_the_scores() -> None:
    x, y = NB.copy(), SVM.copy()
    result = wilcoxon_test(x, y)

    x[:] = 0

    assert result.hodges_lehmann == wilcoxon_test(NB, SVM).hodges_lehmann


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
def test_identical_classifiers(alternative: str, zero_method: str, method: str) -> None:
    result = wilcoxon_test(NB, NB, alternative=alternative, zero_method=zero_method, method=method)

    assert (result.pvalue, result.min_attainable_pvalue, result.z, result.rank_biserial, result.hodges_lehmann) == (
        1,
        1,
        0,
        0,
        0,
    )
    assert result.statistic == (27.5 if zero_method == "zsplit" else 0)
    assert result.reason == "all differences are zero"


def test_interval_of_identical_classifiers() -> None:
    """Without differences there is no interval; ten zeros that are kept have one."""
    dropped, kept = (wilcoxon_test(NB, NB, zero_method=m).confidence_interval() for m in ("wilcox", "pratt"))

    assert math.isnan(dropped.low)
    assert math.isnan(dropped.high)
    assert dropped.attained_level == 0
    assert tuple(kept) == (0, 0)


def test_one_pair() -> None:
    result = wilcoxon_test([0.8], [0.7])

    assert (result.statistic, result.pvalue, result.min_attainable_pvalue, result.rank_biserial) == (1, 1, 1, 1)
    assert result.hodges_lehmann == 0.1
    assert wilcoxon_test([0.8], [0.7], alternative="greater").pvalue == 0.5
    interval = result.confidence_interval()
    assert (interval.low, interval.high, interval.attained_level) == (0.1, 0.1, 0)


def test_negative_zero_is_zero() -> None:
    assert wilcoxon_test([-0.0, 1, 2], [0.0, 0, 0], tie_tolerance=0).n_zero == 1
    assert wilcoxon_test([-0.0, 1, 2], [0.0, 0, 0], tie_tolerance=0).statistic == 3


def test_largest_scores() -> None:
    """Neither the sum of two differences nor their distance fits into a float."""
    d = np.array([1.7e308] * 500 + [-1.7e308] * 300)

    result = signed(d)

    assert result.hodges_lehmann == 0
    assert result.confidence_interval().high <= 1.7e308
    assert signed(d[490:510]).hodges_lehmann == 0


def test_a_difference_that_overflows_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="x - y must be finite"):
        wilcoxon_test([1.0, 1e308], [0.0, -1e308])


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"alternative": "more"}, "alternative must be 'two-sided' or 'less' or 'greater', not 'more'"),
        ({"zero_method": "split"}, "zero_method must be 'wilcox' or 'pratt' or 'zsplit', not 'split'"),
        ({"method": "approx"}, "method must be 'auto' or 'exact' or 'asymptotic', not 'approx'"),
        ({"tie_tolerance": 0.5}, "tie_tolerance must be 0 or a power of ten"),
    ],
)
def test_unknown_choices_are_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        wilcoxon_test(NB, SVM, **choices)


def test_correction_is_true_or_false() -> None:
    with pytest.raises(InvalidTypeError, match="correction must be True or False, not 1"):
        wilcoxon_test(NB, SVM, correction=1)


def test_confidence_level_is_a_proportion() -> None:
    with pytest.raises(InvalidValueError, match="confidence_level must lie between 0 and 1, not 95"):
        wilcoxon_test(NB, SVM).confidence_interval(95)


@pytest.mark.parametrize("method", ["exact", "asymptotic"])
def test_a_pvalue_below_all_floats_is_not_zero(method: str) -> None:
    result = wilcoxon_test(np.arange(1.0, 3001), np.zeros(3000), method=method)

    assert result.pvalue == result.min_attainable_pvalue == math.ulp(0.0)


# --- the conventions of other programs --------------------------------------------------------------------------------

UNTIED = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
TIED = (
    [78, 82, 75, 90, 85, 78, 93, 88, 66, 72, 80, 81, 79, 84, 77],
    [76, 82, 71, 88, 85, 79, 89, 84, 66, 74, 79, 77, 78, 80, 75],
)
PLACES = np.arange(1, 61)
SIXTY = (np.sin(PLACES) + PLACES / 100, np.cos(PLACES))
# V, p of wilcox.test, Z, p and exact p of wilcoxsign_test: R 4.2.2, coin 1.4.2
OF_R = [
    (UNTIED, "two-sided", 40, 0.0390625, 2.0732210721568229, 0.0381517101734152, 0.0390625),
    (UNTIED, "less", 40, 0.986328125, 2.073221072156823, 0.980924144913292, 0.986328125),
    (TIED, "two-sided", 70.5, 0.0137289289049993, 2.5021082921622710, 0.0123456155859094, 0.013671875),
    (TIED, "greater", 70.5, 0.00686446445249965, 2.50210829216227104, 0.00617280779295470, 0.0068359375),
    (SIXTY, "two-sided", 1262, 0.0107477387612681, 2.55447624156440, 0.0106347687157284, 0.0100398903078365),
    (SIXTY, "greater", 1262, 0.00537386938063404, 2.55447624156440, 0.00531738435786422, 0.00501994515391826),
]


@pytest.mark.parametrize(("pairs", "alternative", "v", "p", "z", "p_coin", "p_exact"), OF_R)
def test_conventions_of_r_are_its_answers(pairs, alternative, v, p, z, p_coin, p_exact) -> None:
    found = wilcoxon_test(*pairs, alternative=alternative).all_conventions().conventions

    r, coin, exact = found[2:]
    assert [r.program, coin.program, exact.program] == ["R", "coin", "coin, exact"]
    assert [r.statistic, r.pvalue] == pytest.approx([v, p], rel=1e-12)
    assert [coin.statistic, coin.pvalue] == pytest.approx([z, p_coin], rel=1e-12)
    assert [exact.statistic, exact.pvalue] == pytest.approx([z, p_exact], rel=1e-12)


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n", [5, 13, 14, 49, 50, 51, 60])
@pytest.mark.parametrize("decimals", [0, 1, 17])
def test_convention_of_scipy_is_its_answer(n: int, decimals: int, alternative: str) -> None:
    draw = np.random.default_rng(n)
    x, y = (draw.normal(0, 2, n).round(decimals) for _ in range(2))
    theirs = stats.wilcoxon(x, y, alternative=alternative)

    own, scipy = wilcoxon_test(x, y, alternative=alternative).all_conventions().conventions[:2]

    assert (scipy.statistic, scipy.pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    assert own.pvalue == wilcoxon_test(x, y, alternative=alternative).pvalue


def test_conventions_of_equal_scores_have_no_answer_elsewhere() -> None:
    found = wilcoxon_test([1, 2], [1, 2]).all_conventions()

    assert found.reason == "all differences are zero"
    assert found.conventions[0].pvalue == 1
    assert all(math.isnan(one.pvalue) and math.isnan(one.statistic) for one in found.conventions[1:])


def test_conventions_are_of_one_test() -> None:
    with pytest.raises(
        InvalidValueError, match=r"all_conventions is for one test, but the result has the shape \(2,\)"
    ):
        wilcoxon_test([[1, 2, 3], [2, 3, 5]], [0, 0, 1]).all_conventions()
