from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from importlib import metadata
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats._errors import EvalstatsWarning
from evalstats.examples import example_table
from evalstats.paired.ttest import corrected_ttest, naive_resampled_ttest, paired_ttest, split_sizes

ALTERNATIVES = ["two-sided", "less", "greater"]
SCIPY = tuple(int(part) for part in metadata.version("scipy").split(".")[:2])
DIGITS_OF_T = 1e-12 if SCIPY >= (1, 17) else 1e-8  # where quantiles of SciPy end
# Raeder, Hoens & Chawla (2010), Table II, iterations 216 and 459: t and p of the printed scores, by R's t.test
RAEDER = {"216": (3.003535159, 0.007994211127), "459": (-1.414799715, 0.1751832267)}
# Japkowicz, Machine Learning Evaluation, slide 41: two-sided critical value for n = 10 at level .001
TUTORIAL_CRITICAL_T = 4.781
scores = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=2, max_size=30)
# the table of the docstring: scores, their correlation, probability of rejecting at level .05 under the null hypothesis
TYPE_I_ERROR = {(30, 1 / 3): 0.61, (10, 0.1): 0.15, (100, 0.1): 0.57}


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
    low, high = expected.confidence_interval(0.9)
    assert tuple(result.confidence_interval(0.9)) == pytest.approx((low, high), rel=DIGITS_OF_T)


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


def test_corrected_differences_of_one_two_and_three_by_hand() -> None:
    """Mean 2, variance 1, of which the corrected test takes 1/3 + 1/2; p = 1 - t / sqrt(t^2 + 2)."""
    result = corrected_ttest([11, 12, 13], [10, 10, 10], n_train=2, n_test=1)

    assert result.statistic == pytest.approx(2 / math.sqrt(5 / 6), rel=1e-15)
    assert result.pvalue == pytest.approx(1 - math.sqrt(4.8 / 6.8), rel=1e-14)
    assert (result.mean_difference, result.df, result.n_scores, result.n_train, result.n_test) == (2, 2, 3, 2, 1)
    assert result.standard_error == pytest.approx(math.sqrt(5 / 6), rel=1e-15)
    assert result.correlation == pytest.approx(1 / 3, rel=1e-15)


@given(scores, st.integers(1, 1000), st.integers(1, 1000))
def test_corrected_statistic_is_the_formula_of_nadeau_and_bengio(
    pairs: list[tuple[int, int]], n_train: int, n_test: int
) -> None:
    """The definition, in fractions."""
    differences = [Fraction(a - b) for a, b in pairs]
    variance = statistics.variance(differences)
    if variance:
        x, y = zip(*pairs, strict=True)
        larger, smaller = max(n_train, n_test), min(n_train, n_test)
        corrected = (Fraction(1, len(pairs)) + Fraction(smaller, larger)) * variance
        result = corrected_ttest(x, y, n_train=larger, n_test=smaller)

        assert result.statistic == pytest.approx(float(statistics.mean(differences)) / math.sqrt(corrected), rel=1e-13)


@given(scores, st.integers(1, 50), st.sampled_from(ALTERNATIVES))
def test_correction_is_that_of_equally_correlated_differences(
    pairs: list[tuple[int, int]], n_train: int, alternative: str
) -> None:
    """Two roads to one standard error: var(mean) = (1/n + rho / (1 - rho)) s^2."""
    x, y = zip(*pairs, strict=True)
    naive = paired_ttest(x, y, alternative=alternative)
    corrected = corrected_ttest(x, y, n_train=n_train, n_test=1, alternative=alternative)
    n, rho = len(pairs), corrected.correlation
    inflation = math.sqrt(1 + n * rho / (1 - rho))

    assert corrected.standard_error == pytest.approx(naive.standard_error * inflation, rel=1e-12)
    assert abs(corrected.statistic) <= abs(naive.statistic)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_corrected_pvalue_and_interval_are_those_of_students_t(alternative: str) -> None:
    x, y = np.random.default_rng(9).random((2, 100))
    result = corrected_ttest(x, y, n_train=135, n_test=15, alternative=alternative)
    low, high = result.confidence_interval(0.9)
    law = stats.t(99, loc=result.mean_difference, scale=result.standard_error)
    tails = {"two-sided": 2 * min(law.cdf(0), law.sf(0)), "greater": law.cdf(0), "less": law.sf(0)}
    limits = {"two-sided": law.interval(0.9), "greater": (law.ppf(0.1), math.inf), "less": (-math.inf, law.ppf(0.9))}

    assert result.pvalue == pytest.approx(tails[alternative], rel=1e-12)
    assert (low, high) == pytest.approx(limits[alternative], rel=DIGITS_OF_T)


def test_only_the_ratio_of_the_sizes_counts() -> None:
    x, y = np.random.default_rng(10).random((2, 10))

    assert tuple(corrected_ttest(x, y, n_train=900, n_test=100)) == tuple(corrected_ttest(x, y, n_train=9, n_test=1))


def test_a_large_training_set_needs_no_correction() -> None:
    x, y = np.random.default_rng(11).random((2, 10))

    assert tuple(corrected_ttest(x, y, n_train=10**18, n_test=1)) == pytest.approx(tuple(paired_ttest(x, y)), rel=1e-14)


def test_no_number_of_repetitions_brings_the_standard_error_below_what_the_overlap_leaves() -> None:
    """Repeating the same folds a hundred times makes the uncorrected one ten times smaller."""
    x, y = np.random.default_rng(12).random((2, 10))
    many = np.tile(x, 100), np.tile(y, 100)
    sd = np.std(many[0] - many[1], ddof=1)

    assert paired_ttest(*many).standard_error < sd / 30
    assert corrected_ttest(*many, n_train=9, n_test=1).standard_error > sd / 3


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_constant_difference_over_folds_has_no_pvalue(alternative: str) -> None:
    """WEKA has p = 0 here."""
    result = corrected_ttest([0.3, 0.9, 0.5], [0.2, 0.8, 0.4], n_train=2, n_test=1, alternative=alternative)

    assert (result.statistic, result.standard_error, result.mean_difference) == (math.inf, 0, 0.1)
    assert math.isnan(result.pvalue)
    assert "differ by the same amount in every fold" in result.reason
    assert np.isnan([*result.confidence_interval(), result.confidence_interval().attained_level]).all()


def test_corrected_batch_has_the_interval_of_each_member() -> None:
    rng = np.random.default_rng(13)
    x, y = np.asfortranarray(rng.random((5, 100))), np.asfortranarray(rng.random((5, 100)))
    x[1], x[2] = y[1], y[2] + 1

    batch = corrected_ttest(x, y, n_train=9, n_test=1)
    low, high = batch.confidence_interval()

    for i in range(5):
        member = corrected_ttest(x[i].copy(), y[i].copy(), n_train=9, n_test=1)
        for name in ("statistic", "pvalue", "mean_difference", "standard_error"):
            np.testing.assert_array_equal(getattr(batch, name)[i], getattr(member, name))
        np.testing.assert_array_equal((low[i], high[i]), tuple(member.confidence_interval()))


@pytest.mark.parametrize(
    ("sizes", "error", "message"),
    [
        ({"n_train": 0, "n_test": 1}, ValueError, "n_train must be at least 1, not 0"),
        ({"n_train": 9, "n_test": 0}, ValueError, "n_test must be at least 1, not 0"),
        ({"n_train": -9, "n_test": 1}, ValueError, "n_train must be at least 1, not -9"),
        ({"n_train": 0.9, "n_test": 0.1}, ValueError, "n_train must be at least 1, not 0.9"),
        ({"n_train": 9, "n_test": math.nan}, ValueError, "n_test must be at least 1, not nan"),
        ({"n_train": math.inf, "n_test": 9}, ValueError, "n_train must be finite, not inf"),
        ({"n_train": 9, "n_test": True}, TypeError, "n_test must be a number of instances, not True"),
        ({"n_train": "9", "n_test": 1}, TypeError, "n_train must be a number of instances, not '9'"),
    ],
)
def test_sizes_that_are_none_are_refused(sizes: dict[str, float], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        corrected_ttest([1, 2], [0, 3], **sizes)


def test_sizes_that_look_swapped_are_warned_of() -> None:
    with pytest.warns(EvalstatsWarning, match="n_test = 90 is larger than n_train = 10: .* are swapped") as told:
        corrected_ttest([1, 2], [0, 3], n_train=10, n_test=90)

    assert told[0].filename == __file__


def test_sizes_of_equal_folds_are_whole_numbers() -> None:
    splits = [([0, 1, 2, 3], [4, 5]), ([4, 5, 0, 1], [2, 3]), ([2, 3, 4, 5], [0, 1])]

    assert split_sizes(splits) == (4, 2)
    assert [type(size) for size in split_sizes(splits)] == [int, int]


@pytest.mark.parametrize("n", [10, 11, 101])
@pytest.mark.parametrize("k", [2, 3, 10])
def test_ratio_of_the_mean_sizes_of_k_folds_is_that_of_the_correction(k: int, n: int) -> None:
    """1 / (k - 1) also where k does not divide n; the mean of the ratios would be larger."""
    from sklearn.model_selection import KFold

    n_train, n_test = split_sizes(KFold(k).split(np.zeros(n)))
    x, y = np.random.default_rng(14).random((2, k))

    assert n_test / n_train == pytest.approx(1 / (k - 1), rel=1e-14)
    assert tuple(corrected_ttest(x, y, n_train=n_train, n_test=n_test)) == pytest.approx(
        tuple(corrected_ttest(x, y, n_train=k - 1, n_test=1)), rel=1e-13
    )


def test_sizes_of_random_splits_and_of_masks() -> None:
    from sklearn.model_selection import ShuffleSplit

    splits = list(ShuffleSplit(5, test_size=0.25, train_size=0.5, random_state=0).split(np.zeros(40)))
    masks = [(np.isin(np.arange(40), train), np.isin(np.arange(40), test)) for train, test in splits]

    assert split_sizes(splits) == split_sizes(masks) == (20, 10)


@pytest.mark.parametrize(
    ("splits", "error", "message"),
    [
        ([], ValueError, "splits must hold at least one pair"),
        (5, TypeError, "splits must be pairs .* not 5"),
        ([[1, 2, 3]], TypeError, r"splits\[0\] must be a pair \(train, test\) of indexes"),
        ([([0, 1], [2]), 3], TypeError, r"splits\[1\] must be a pair"),
        ([([0, 1], [2]), ([0, 1], [])], ValueError, r"the test set of splits\[1\] must hold at least 1 instance"),
        ([([False] * 3, [True] * 3)], ValueError, r"the training set of splits\[0\] must hold at least 1 instance"),
        ([([0.5, 1], [2])], TypeError, r"the training set of splits\[0\] must be indexes or a mask of instances"),
        ([([0, 1, 7], [2, 7])], ValueError, r"the training and the test set of splits\[0\] .* both hold 7"),
    ],
)
def test_splits_that_are_none_are_refused(splits: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        split_sizes(splits)


def test_a_splitter_is_sent_to_its_splits() -> None:
    from sklearn.model_selection import KFold

    with pytest.raises(TypeError, match=r"pass its cv.split\(X, y\)"):
        split_sizes(KFold(3))


@pytest.mark.parametrize("test", [paired_ttest, partial(corrected_ttest, n_train=9, n_test=1)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_a_pvalue_below_all_floats_is_not_zero(test: Callable[..., Any], alternative: str) -> None:
    """With t of 3e10 and 199 degrees of freedom p is about 1e-1800."""
    x = 1e9 + np.arange(200) % 2

    assert test(x, np.zeros(200), alternative=alternative).pvalue == math.ulp(0.0)


def test_a_standard_deviation_beyond_the_largest_float_is_refused() -> None:
    x = np.array([8.9e307, -8.9e307, 8.9e307])

    with pytest.raises(ValueError, match="the standard deviation of x - y must be finite"):
        paired_ttest(x, -x)


def test_limits_beyond_the_largest_float_are_infinite() -> None:
    low, high = paired_ttest([8.9e307, -8.9e307, 8.9e307], [0, 0, 0]).confidence_interval(0.999)

    assert (low, high) == (-math.inf, math.inf)


def test_the_statistic_keeps_its_size_where_the_standard_error_vanishes() -> None:
    """The standard error is below the smallest float, but not 0."""
    x = np.array([1, 0, 2, 0, 0]) * math.ulp(0.0)
    result = corrected_ttest(x, np.zeros(5), n_train=1000, n_test=1)

    assert math.isfinite(result.statistic)
    assert result.pvalue > 0.05


def test_a_long_double_beyond_the_largest_float_is_refused() -> None:
    x = np.array(["1e4000", "1", "2"], dtype=np.longdouble)
    if not np.isfinite(x[0]):
        pytest.skip("a long double is a double here")

    with pytest.raises(ValueError, match=r"x must be finite, but x\[0\] is inf"):
        paired_ttest(x, [1, 2, 3])


def test_numbers_beyond_the_largest_float_are_refused() -> None:
    with pytest.raises(ValueError, match="n_test must be finite"):
        corrected_ttest([1, 2, 4], [0, 0, 0], n_train=2.5, n_test=10**400)
    with pytest.raises(ValueError, match="confidence_level must be a number that a float can hold"):
        paired_ttest([1, 2, 4], [0, 0, 0]).confidence_interval(10**400)


def test_ragged_indexes_are_refused() -> None:
    with pytest.raises(TypeError, match=r"the training set of splits\[0\] must be indexes or a mask of instances"):
        split_sizes([([0, [1]], [2])])


def test_naive_differences_of_one_two_and_three_by_hand() -> None:
    """Mean 2, standard deviation 1; with two degrees of freedom p = 1 - t / sqrt(t^2 + 2)."""
    result = naive_resampled_ttest([11, 12, 13], [10, 10, 10])

    assert result.statistic == pytest.approx(2 * math.sqrt(3), rel=1e-15)
    assert result.pvalue == pytest.approx(1 - math.sqrt(12 / 14), rel=1e-14)
    assert (result.mean_difference, result.df, result.n_scores) == (2, 2, 3)


@pytest.mark.parametrize(("n", "rho"), TYPE_I_ERROR)
def test_table_of_the_docstring(n: int, rho: float) -> None:
    """Under equal correlation, t is Student's t times a factor."""
    inflation = math.sqrt(1 + n * rho / (1 - rho))

    assert 2 * stats.t.sf(stats.t.isf(0.025, n - 1) / inflation, n - 1) == pytest.approx(
        TYPE_I_ERROR[n, rho], abs=0.005
    )


def test_it_rejects_half_of_pure_noise() -> None:
    """A hundred differences of correlation .1, as of 10 times 10 folds, drawn 4,000 times, to 5 standard errors."""
    rng = np.random.default_rng(20)
    noise = math.sqrt(0.1) * rng.standard_normal((4000, 1)) + math.sqrt(0.9) * rng.standard_normal((4000, 100))
    zero = np.zeros(100)

    assert np.mean(naive_resampled_ttest(noise, zero).pvalue <= 0.05) == pytest.approx(0.57, abs=0.04)
    assert np.mean(corrected_ttest(noise, zero, n_train=9, n_test=1).pvalue <= 0.05) == pytest.approx(0.05, abs=0.02)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_formula_is_that_of_independent_pairs(alternative: str) -> None:
    x, y = np.random.default_rng(21).random((2, 4, 10))

    naive, paired = (test(x, y, alternative=alternative) for test in (naive_resampled_ttest, paired_ttest))

    for name in ("statistic", "pvalue", "mean_difference", "standard_error"):
        np.testing.assert_allclose(getattr(naive, name), getattr(paired, name), rtol=1e-13)


def test_constant_difference_has_no_pvalue_and_is_not_sent_to_another_wrong_test() -> None:
    result = naive_resampled_ttest([0.3, 0.9, 0.5], [0.2, 0.8, 0.4])

    assert (result.statistic, result.standard_error) == (math.inf, 0)
    assert math.isnan(result.pvalue)
    assert "wilcoxon" not in result.reason


def test_there_is_no_interval() -> None:
    assert not hasattr(naive_resampled_ttest([1, 2], [0, 3]), "confidence_interval")


def test_standard_error_below_the_smallest_float_is_no_false_certainty() -> None:
    x = np.array([1, 0, 2, 0, 0]) * math.ulp(0.0)

    assert naive_resampled_ttest(x, np.zeros(5)).pvalue > 0.05
