from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats import permutation_test, sign_test, wilcoxon_test
from evalstats.examples import example_table

ALTERNATIVES = ["two-sided", "less", "greater"]
NOT_ON_A_LATTICE = np.sqrt(np.arange(2, 50))

# Fisher (1935), The Design of Experiments, section 21: Darwin's Zea mays, crossed minus self-fertilised in 1/8 inch; of
# the 32,768 sign assignments 863 have a sum of 314 or more, and as many one of -314 or less
DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48])
FISHER_AT_LEAST = 863


def enumerated_pvalue(d: list[Fraction], alternative: str) -> Fraction:
    """Share of all sign assignments with a sum as extreme as the observed one: the definition."""
    observed = sum(d)
    sums = [
        sum(s * abs(v) for s, v in zip(signs, d, strict=True)) for signs in itertools.product((1, -1), repeat=len(d))
    ]
    extreme = {
        "greater": [s >= observed for s in sums],
        "less": [s <= observed for s in sums],
        "two-sided": [abs(s) >= abs(observed) for s in sums],
    }
    return Fraction(sum(extreme[alternative]), len(sums))


def counted_tail(sizes: list[int], bound: int) -> Fraction:
    """P(sum of a random subset <= bound), by adding up whole numbers."""
    ways = [1] + [0] * bound
    for size in sizes:
        for at in range(bound, size - 1, -1):
            ways[at] += ways[at - size]
    return Fraction(sum(ways), 2 ** len(sizes))


def test_three_pairs_by_hand() -> None:
    """Differences 1, 2 and -3: of 8 sums only 6 and -6 are not 0, 2 or 4 away from it."""
    result = permutation_test([2, 4, 1], [1, 2, 4])

    assert (result.statistic, result.pvalue, result.min_attainable_pvalue) == (0.0, 1.0, 2 / 8)
    assert permutation_test([2, 4, 4], [1, 2, 1]).pvalue == 2 / 8
    assert (result.n_pairs, result.n_zero, result.n_resamples, result.method) == (3, 0, None, "exact")


def test_darwins_plants_as_fisher_counted_them() -> None:
    result = permutation_test(DARWIN, np.zeros(15))

    assert result.statistic == 314 / 15
    assert result.pvalue == 2 * FISHER_AT_LEAST / 2**15
    assert permutation_test(DARWIN, np.zeros(15), alternative="greater").pvalue == FISHER_AT_LEAST / 2**15


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_pvalue_is_a_share_of_all_sign_assignments(alternative: str) -> None:
    rng = np.random.default_rng(1)
    for n in range(1, 10):
        for largest in (2, 9, 1000):
            d = rng.integers(-largest, largest + 1, n)
            expected = float(enumerated_pvalue([Fraction(int(v)) for v in d], alternative))

            assert permutation_test(d / 10, np.zeros(n), alternative=alternative).pvalue == expected


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [5, 11])
def test_scipy_says_the_same(n: int, alternative: str) -> None:
    x, y = np.random.default_rng(n).random((2, n))

    theirs = stats.permutation_test(
        (x, y),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        alternative=alternative,
    )

    assert permutation_test(x, y, alternative=alternative).pvalue == theirs.pvalue


@pytest.mark.parametrize("n", [21, 30, 100, 400])
@pytest.mark.parametrize("unit", [1, 0.01, 1 / 30, 1e-4, 1e150, 1e-150])
def test_multiples_of_a_unit_are_counted_in_whole_numbers(n: int, unit: float) -> None:
    d = np.random.default_rng(n).integers(-20, 26, n)
    expected = counted_tail(np.abs(d).tolist(), int(-d[d < 0].sum()))

    result = permutation_test(d * unit, np.zeros(n), alternative="greater")

    assert result.method == "exact"
    assert result.pvalue == pytest.approx(float(expected), rel=1e-11)


def test_pvalue_is_exact_far_into_the_tail() -> None:
    """All of 900 differences are positive: no computer has enumerated 2^900 sign assignments."""
    result = permutation_test(np.arange(1, 901), np.zeros(900), alternative="greater")

    assert result.pvalue == pytest.approx(2.0**-900, rel=1e-12)
    assert permutation_test(np.ones(5000), np.zeros(5000)).pvalue == 5e-324


def test_equal_differences_make_it_the_sign_test() -> None:
    """Three roads to one number."""
    d = np.repeat([0.1, -0.1], [41, 23])

    pvalue = permutation_test(d, np.zeros(64)).pvalue

    assert pvalue == pytest.approx(sign_test(d, np.zeros(64)).pvalue, rel=1e-12)
    assert pvalue == pytest.approx(2 * sum(comb(64, k) for k in range(24)) / 2**64, rel=1e-12)


@pytest.mark.parametrize("n", [9, 25, 60])
def test_signed_ranks_make_it_the_wilcoxon_test(n: int) -> None:
    rng = np.random.default_rng(n)
    signed = rng.permutation(n) + 1.0
    signed *= rng.choice([1, 1, -1], n)

    assert permutation_test(signed, 0 * signed).pvalue == pytest.approx(
        wilcoxon_test(signed, 0 * signed).pvalue, rel=1e-12
    )


@pytest.mark.parametrize("seed", ["216", "459"])
def test_raeder_table_2(seed: str) -> None:
    """18 pairs of four decimals: the definition over all 262,144 sign assignments in whole numbers."""
    c45, hddt = example_table(f"raeder-2010-seed-{seed}").scores.T
    d = np.rint(10_000 * (c45 - hddt)).astype(int)
    signs = 1 - 2 * ((np.arange(2**18)[:, None] >> np.arange(18)) & 1)

    expected = np.mean(np.abs(signs @ np.abs(d)) >= abs(d.sum()))

    assert permutation_test(c45, hddt).pvalue == expected


@pytest.mark.parametrize(
    ("x", "y", "pvalue"),
    [
        ([0.1, 0.2, 0.0], [0.0, 0.0, 0.3], 1.0),
        ([0.1, 0.2, 0.3, 0.0], [0.0, 0.0, 0.0, 0.6], 1.0),
        ([0.3, 0.9, 0.7, 0.4], [0.2, 0.8, 0.8, 0.1], 0.5),
        ([30 / 30, 29 / 30, 3 / 30, 4 / 30], [29 / 30, 28 / 30, 5 / 30, 3 / 30], 1.0),
        ([0.9, 0.8, 0.7, 0.9, 0.8], [0.8, 0.7, 0.6, 0.8, 0.7], 0.0625),
    ],
)
def test_noise_of_floating_point_breaks_no_tie(x: list[float], y: list[float], pvalue: float) -> None:
    """A strict inequality, or bits compared, gives less; the last would be 0."""
    assert permutation_test(x, y).pvalue == pvalue


@pytest.mark.sampled
@pytest.mark.parametrize("n", [22, 45, 300])
def test_sums_of_fractions_are_tied(n: int) -> None:
    """Accuracies on 7, 11 and 13 cases have the unit 1/1001, which has no last decimal."""
    rng = np.random.default_rng(n)
    cases = rng.choice([7, 11, 13], n)
    x, y = rng.integers(0, cases + 1), rng.integers(0, cases + 1)
    d = (x - y) * (1001 // cases)

    result = permutation_test(x / cases, y / cases, alternative="less")

    assert result.method == "exact"
    assert result.pvalue == pytest.approx(float(counted_tail(np.abs(d).tolist(), int(d[d > 0].sum()))), rel=1e-11)


def test_tolerance_decides_what_is_equal() -> None:
    x, y = [0.501, 0.7, 0.9], [0.5, 0.6, 0.8]

    assert permutation_test(x, y).n_zero == 0
    assert permutation_test(x, y, tie_tolerance=0.01).n_zero == 1
    assert permutation_test(x, y, tie_tolerance=0.01).tie_tolerance == 0.01
    assert permutation_test([0.1 + 0.2, 1], [0.3, 0], tie_tolerance=0).n_zero == 0


def test_coarse_tolerance_ties_differences_and_not_their_sums() -> None:
    """In tenths the differences are 1, 2, 4 and -1: their sum, 6, is reached in two ways, and 8 in one."""
    x, y = [0.11, 0.19, 0.42, 0.0], [0.0, 0.0, 0.0, 0.09]

    assert permutation_test(x, y, tie_tolerance=0.1, alternative="greater").pvalue == 3 / 16


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=8),
    st.sampled_from([1.0, 0.1, 1 / 3, 1e-9, 1e9]),
    st.sampled_from(ALTERNATIVES),
)
def test_every_small_table(pairs: list[tuple[int, int]], unit: float, alternative: str) -> None:
    """The definition in whole numbers, whatever unit the scores are in."""
    x, y = np.array(pairs).T

    result = permutation_test(x * unit, y * unit, alternative=alternative)

    assert result.pvalue == float(enumerated_pvalue([Fraction(int(v)) for v in x - y], alternative))
    assert 0 < result.min_attainable_pvalue <= result.pvalue <= 1


@pytest.mark.long
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scores_without_a_unit_are_sampled_beyond_forty_pairs(alternative: str) -> None:
    """The documented seed: one call has one answer, in any order of the pairs, and it is near the exact one."""
    d = NOT_ON_A_LATTICE * np.resize([1, 1, -1], 48)

    result = permutation_test(d, 0 * d, alternative=alternative)
    exact = permutation_test(d, 0 * d, alternative=alternative, method="exact")

    assert (result.method, result.n_resamples, exact.method, exact.n_resamples) == ("monte-carlo", 9999, "exact", None)
    assert result.pvalue == permutation_test(d[::-1], 0 * d, alternative=alternative, rng=0).pvalue
    assert result.pvalue == pytest.approx(exact.pvalue, abs=4 * np.sqrt(exact.pvalue * (1 - exact.pvalue) / 9999))


def test_forty_pairs_without_a_unit_are_exact() -> None:
    d = NOT_ON_A_LATTICE[:40]

    assert permutation_test(d, 0 * d).pvalue == 2.0**-39


def test_sampled_pvalue_is_never_zero() -> None:
    """Phipson & Smyth: (b + 1) / (m + 1)."""
    result = permutation_test(np.ones(60), np.zeros(60), method="monte-carlo", n_resamples=999, rng=1)

    assert result.pvalue == result.min_attainable_pvalue == 1 / 1000


def test_sample_has_the_law_of_all_sign_assignments() -> None:
    exact = permutation_test(DARWIN, np.zeros(15)).pvalue
    sampled = [
        permutation_test(DARWIN, np.zeros(15), method="monte-carlo", n_resamples=1999, rng=seed).pvalue
        for seed in range(50)
    ]

    # mean of b + 1 over m + 1
    assert np.mean(sampled) == pytest.approx((1999 * exact + 1) / 2000, abs=4 * np.sqrt(exact / 1999 / 50))


def test_sums_that_are_large_keep_within_floats() -> None:
    x = np.array([1e308, 1e308, 1e308, -5e307])

    result = permutation_test(x, np.zeros(4))

    assert result.statistic == pytest.approx(6.25e307)
    assert result.pvalue == permutation_test([2, 2, 2, -1], np.zeros(4)).pvalue


def test_batch_is_a_loop_on_every_road() -> None:
    """Few pairs, whole numbers, halves and a sample in one batch."""
    rng = np.random.default_rng(8)
    x = rng.random((5, 45))
    y = np.zeros((5, 45))
    x[1] = np.round(x[1], 3)
    x[2, 9:], x[3, 30:], x[4] = 0, 0, 0

    batch = permutation_test(x - 0.4 * (x > 0), y)
    low, high = batch.confidence_interval(n_resamples=999)

    assert batch.method.tolist() == ["monte-carlo", "exact", "exact", "exact", "exact"]
    assert batch.n_resamples.tolist() == [9999, None, None, None, None]
    for i in range(5):
        member = permutation_test(x[i] - 0.4 * (x[i] > 0), y[i])
        assert (batch.pvalue[i], batch.min_attainable_pvalue[i]) == (member.pvalue, member.min_attainable_pvalue)
        assert (low[i], high[i]) == tuple(member.confidence_interval(n_resamples=999))


def test_interval_of_four_pairs_by_hand() -> None:
    """Of the 15 subset means of 1, 2, 3, 4 the smallest are 1, 1.5 and 2; one or two of 16 parts are left out."""
    result = permutation_test([1, 2, 3, 4], [0, 0, 0, 0])

    assert tuple(result.confidence_interval(0.8)) == (1, 4)
    assert result.confidence_interval(0.8).attained_level == 14 / 16
    assert tuple(result.confidence_interval(0.75)) == (1.5, 3.5)
    assert tuple(result.confidence_interval(0.9)) == (-np.inf, np.inf)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_interval_holds_the_shifts_that_are_not_rejected(alternative: str) -> None:
    """Two roads to one decision."""
    x, y = np.round(np.random.default_rng(9).normal([[0.3], [0]], 1, (2, 8)), 1)
    for level in (0.8, 0.9, 0.95):
        low, high = permutation_test(x, y, alternative=alternative).confidence_interval(level)

        for shift in np.linspace(-2, 2, 81):
            pvalue = permutation_test(x - shift, y, alternative=alternative).pvalue
            assert (low - 1e-9 <= shift <= high + 1e-9) == (pvalue > (1 - level) * (1 + 1e-12))


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=9),
    st.sampled_from([0.1, 1 / 30, 1.0]),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from([0.5, 0.75, 0.8, 0.9, 0.95]),
)
def test_interval_leaves_out_zero_where_the_test_rejects(
    d: list[int], unit: float, alternative: str, level: float
) -> None:
    result = permutation_test(np.array(d) * unit, np.zeros(len(d)), alternative=alternative)

    low, high = result.confidence_interval(level)

    assert (low <= 0 <= high) == (result.pvalue > (1 - level) * (1 + 1e-12))


def test_interval_of_many_pairs_is_sampled_with_one_answer() -> None:
    """With 400 pairs it is the interval of the t-test but for simulation and the third digit."""
    d = np.random.default_rng(10).normal(0.1, 1, 400)
    result = permutation_test(d, 0 * d)
    expected = stats.ttest_1samp(d, 0).confidence_interval()

    interval = result.confidence_interval()

    assert tuple(interval) == tuple(result.confidence_interval())
    assert tuple(interval) == pytest.approx((expected.low, expected.high), abs=0.004)
    assert interval.attained_level == pytest.approx(0.95, abs=1e-4)


def test_exact_is_refused_where_it_would_take_too_long() -> None:
    d = np.sqrt(np.arange(2, 62))

    with pytest.raises(ValueError, match="60 nonzero differences without a common unit"):
        permutation_test(d, 0 * d, method="exact")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"method": "normal"}, "method must be 'auto' or 'exact' or 'monte-carlo', not 'normal'"),
        ({"n_resamples": 0}, "n_resamples must be at least 1, not 0"),
        ({"rng": "seed"}, "rng must be None, a seed or a numpy Generator, not 'seed'"),
        ({"tie_tolerance": -1}, "tie_tolerance must"),
    ],
)
def test_bad_choices_are_refused(choice: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        permutation_test([1], [2], **choice)
