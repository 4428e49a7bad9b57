from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats.examples import example_table
from evalstats.paired.ttest import paired_ttest

ALTERNATIVES = ["two-sided", "less", "greater"]

# Raeder, Hoens & Chawla (2010), Table II, iterations 216 and 459: t and p of the printed scores, by R's t.test
RAEDER = {"216": (3.003535159, 0.007994211127), "459": (-1.414799715, 0.1751832267)}
# Japkowicz, Machine Learning Evaluation, slide 41: two-sided critical value for n = 10 at level .001
TUTORIAL_CRITICAL_T = 4.781

scores = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=2, max_size=30)


def test_differences_of_one_two_and_three_by_hand() -> None:
    """Mean 2, standard deviation 1; with two degrees of freedom p = 1 - t / sqrt(t^2 + 2)."""
    result = paired_ttest([11, 12, 13], [10, 10, 10])

    assert result.statistic == pytest.approx(2 * math.sqrt(3), rel=1e-15)
    assert result.pvalue == pytest.approx(1 - math.sqrt(12 / 14), rel=1e-14)
    assert (result.mean_difference, result.cohen_dz, result.df, result.n_pairs) == (2, 2, 2, 3)
    assert result.standard_error == pytest.approx(1 / math.sqrt(3), rel=1e-15)


def test_two_pairs_follow_the_cauchy_distribution() -> None:
    result = paired_ttest([3, 2], [0, 1])

    assert result.statistic == pytest.approx(2, rel=1e-15)
    assert result.pvalue == pytest.approx(1 - 2 / math.pi * math.atan(2), rel=1e-14)


@pytest.mark.parametrize("seed", RAEDER)
def test_raeder_table_2(seed: str) -> None:
    c45, hddt = example_table(f"raeder-2010-seed-{seed}").scores.T

    assert tuple(paired_ttest(c45, hddt)) == pytest.approx(RAEDER[seed], rel=1e-9)


def test_tutorial_critical_value() -> None:
    """Half the width of the interval, in standard errors, is the critical value."""
    result = paired_ttest(np.arange(10.0), np.zeros(10))
    low, high = result.confidence_interval(0.999)

    assert (high - low) / 2 / result.standard_error == pytest.approx(TUTORIAL_CRITICAL_T, abs=0.0005)


@given(scores)
def test_statistic_is_the_mean_over_its_standard_error(pairs: list[tuple[int, int]]) -> None:
    """The definition, in fractions."""
    differences = [Fraction(a - b) for a, b in pairs]
    variance = statistics.variance(differences)
    if variance:
        x, y = zip(*pairs, strict=True)
        expected = float(statistics.mean(differences)) / math.sqrt(variance / len(pairs))

        assert paired_ttest(x, y).statistic == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 3, 10, 31, 1000])
def test_scipy_agrees(n: int, alternative: str) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.random((2, n))
    expected = stats.ttest_rel(x, y, alternative=alternative)

    result = paired_ttest(x, y, alternative=alternative)

    assert tuple(result) == pytest.approx(tuple(expected), rel=1e-12)
    assert tuple(result.confidence_interval(0.9)) == pytest.approx(tuple(expected.confidence_interval(0.9)), rel=1e-12)


@pytest.mark.parametrize("exponent", [-900, -600, 600, 900])
def test_scale_does_not_matter_to_the_last_bit(exponent: int) -> None:
    """The squares of the scores would be 0 or infinite."""
    x, y = np.random.default_rng(3).random((2, 12))
    factor = 2.0**exponent

    here, there = paired_ttest(x, y), paired_ttest(x * factor, y * factor)

    assert tuple(there) == tuple(here)
    assert there.cohen_dz == here.cohen_dz
    assert there.mean_difference == here.mean_difference * factor
    assert there.standard_error == here.standard_error * factor


@pytest.mark.parametrize("factor", [1e-200, 100, 1e200])
def test_unit_of_the_scores_does_not_matter(factor: float) -> None:
    x, y = np.round(np.random.default_rng(4).random((2, 12)), 3)

    assert tuple(paired_ttest(x * factor, y * factor)) == pytest.approx(tuple(paired_ttest(x, y)), rel=1e-12)


def test_what_both_gain_does_not_matter() -> None:
    x, y = np.random.default_rng(5).integers(0, 100, (2, 12))

    assert tuple(paired_ttest(x + 1000, y + 1000)) == tuple(paired_ttest(x, y))


@given(scores, st.sampled_from(ALTERNATIVES), st.sampled_from([0.8, 0.95, 0.99]))
def test_interval_leaves_out_zero_where_the_test_rejects(
    pairs: list[tuple[int, int]], alternative: str, level: float
) -> None:
    """Two roads to one decision."""
    result = paired_ttest(*zip(*pairs, strict=True), alternative=alternative)
    if result.reason is None:
        low, high = result.confidence_interval(level)

        assert (low <= 0 <= high) == (result.pvalue > 1 - level)


def test_one_sided_interval_is_open_on_the_other_side() -> None:
    x, y = [3, 5, 4, 6], [1, 4, 5, 2]

    assert paired_ttest(x, y, alternative="greater").confidence_interval().high == math.inf
    assert paired_ttest(x, y, alternative="less").confidence_interval().low == -math.inf
    assert paired_ttest(x, y, alternative="less").confidence_interval(0.975).high == pytest.approx(
        paired_ttest(x, y).confidence_interval(0.95).high, rel=1e-14
    )


def test_effect_size_is_the_statistic_without_the_number_of_pairs() -> None:
    x, y = np.random.default_rng(6).random((2, 16))
    result = paired_ttest(x, y)

    assert result.statistic == pytest.approx(4 * result.cohen_dz, rel=1e-15)


def test_a_small_mean_of_large_differences_keeps_its_digits() -> None:
    x, y = [1e8, 0, 3.0], [0, 1e8, 0]

    assert paired_ttest(x, y).mean_difference == 1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_far_tail_is_not_zero(alternative: str) -> None:
    """The tail of t with 59 degrees of freedom falls like t^-59."""
    x = 1 + 1e-4 * np.random.default_rng(7).standard_normal(60)
    result = paired_ttest(x, np.zeros(60), alternative=alternative)

    assert 0 < result.pvalue < 1e-200 or alternative == "less"


@pytest.mark.parametrize(
    ("x", "y", "statistic"),
    [
        ([0.3, 0.9, 0.5], [0.2, 0.8, 0.4], math.inf),
        ([0.2, 0.8, 0.4], [0.3, 0.9, 0.5], -math.inf),
        ([93, 71], [90, 68], math.inf),
        ([1e-200, 2e-200], [0, 1e-200], math.inf),
        ([1e6 + 2**-20, 2**-20], [1e6, 0], math.inf),
    ],
)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_constant_difference_has_no_pvalue(x: list[float], y: list[float], statistic: float, alternative: str) -> None:
    """Not even where floating point makes 0.3 - 0.2 and 0.9 - 0.8 differ: that t would be 3e15."""
    result = paired_ttest(x, y, alternative=alternative)

    assert result.statistic == result.cohen_dz == statistic
    assert math.isnan(result.pvalue)
    assert "wilcoxon_test" in result.reason
    assert result.standard_error == 0
    assert np.isnan([*result.confidence_interval(), result.confidence_interval().attained_level]).all()


def test_constant_difference_is_told_by_the_tie_rule() -> None:
    x, y = [0.3, 0.9], [0.2, 0.8]

    assert paired_ttest(x, y).mean_difference == 0.1
    assert paired_ttest(x, y, tie_tolerance=0).statistic > 1e14


def test_no_difference_has_no_interval() -> None:
    result = paired_ttest([0.5, 0.6], [0.5, 0.6])

    assert (result.statistic, result.pvalue, result.mean_difference, result.cohen_dz) == (0, 1, 0, 0)
    assert result.reason == "x and y are equal in every pair"
    assert np.isnan(tuple(result.confidence_interval())).all()


def test_batch_has_the_interval_of_each_member() -> None:
    """Also where memory is laid out the other way round, which changes the order of a careless sum."""
    rng = np.random.default_rng(8)
    x, y = np.asfortranarray(rng.random((5, 300))), np.asfortranarray(rng.random((5, 300)))
    x[1], x[2] = y[1], y[2] + 1

    batch = paired_ttest(x, y, alternative="greater")
    low, high = batch.confidence_interval()

    for i in range(5):
        member = paired_ttest(np.ascontiguousarray(x[i]), np.ascontiguousarray(y[i]), alternative="greater")
        for name in ("statistic", "pvalue", "mean_difference", "standard_error", "cohen_dz"):
            np.testing.assert_array_equal(getattr(batch, name)[i], getattr(member, name))
        np.testing.assert_array_equal((low[i], high[i]), tuple(member.confidence_interval()))


def test_one_pair_has_no_variance() -> None:
    with pytest.raises(ValueError, match="x and y must have at least 2 pairs"):
        paired_ttest([1], [2])


def test_difference_beyond_the_largest_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"x - y must be finite, but 1e\+308 - -1e\+308 is too large"):
        paired_ttest([1, 1e308], [0, -1e308])
