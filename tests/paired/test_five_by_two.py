from __future__ import annotations

import itertools
import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from evalstats.paired.five_by_two import FTest5x2cvResult, TTest5x2cvResult, ftest_5x2cv, ttest_5x2cv

ALTERNATIVES = ["two-sided", "less", "greater"]
FIELDS = ("statistic", "pvalue", "mean_difference")
ONLY_T = ("first_difference", "standard_error", "statistics_of_all_orderings", "pvalues_of_all_orderings")

# Dietterich (1998), section 3.5, and Alpaydin (1999): critical values at .05, and at .05 two-sided
ALPAYDIN_CRITICAL_F = 4.74
DIETTERICH_CRITICAL_T = 2.571

X = np.array([[0.82, 0.79], [0.85, 0.80], [0.81, 0.84], [0.83, 0.80], [0.86, 0.79]])
Y = np.array([[0.78, 0.78], [0.80, 0.79], [0.79, 0.80], [0.82, 0.79], [0.80, 0.78]])
ZERO = np.zeros((5, 2))

five_by_two = st.lists(st.tuples(*[st.integers(-20, 20)] * 2), min_size=5, max_size=5)
both = pytest.mark.parametrize("test", [ttest_5x2cv, ftest_5x2cv])


def definition(d: list[tuple[int, int]]) -> tuple[float, float]:
    """Both statistics as the papers write them, in fractions."""
    rows = [[Fraction(a) for a in row] for row in d]
    means = [sum(row) / 2 for row in rows]
    variances = [sum((p - mean) ** 2 for p in row) for row, mean in zip(rows, means, strict=True)]
    t = float(rows[0][0]) / math.sqrt(sum(variances) / 5)
    f = sum(p**2 for row in rows for p in row) / (2 * sum(variances))
    return t, float(f)


def test_one_in_the_first_folds_and_none_in_the_second_by_hand() -> None:
    """Each variance is 1/2, so t is the root of 2; with five degrees of freedom Student's tails are elementary."""
    result = ttest_5x2cv([[1, 0]] * 5, ZERO)
    theta = math.atan(math.sqrt(2 / 5))
    between = 2 / math.pi * (theta + math.sin(theta) * (math.cos(theta) + 2 / 3 * math.cos(theta) ** 3))

    assert result.statistic == pytest.approx(math.sqrt(2), rel=1e-15)
    assert result.pvalue == pytest.approx(1 - between, rel=1e-14)
    assert (result.df, result.first_difference, result.mean_difference) == (5, 1, 0.5)
    assert result.standard_error == pytest.approx(math.sqrt(0.5), rel=1e-15)


def test_f_of_one_by_hand() -> None:
    """Five squares over five: F = 1. The tail of F(10, 5) is w^2.5 times a polynomial of 1 - w, here with w = 1/3."""
    result = ftest_5x2cv([[1, 0]] * 5, ZERO)
    terms = [math.prod(Fraction(5 + 2 * i, 2 * (i + 1)) for i in range(j)) * Fraction(2, 3) ** j for j in range(5)]

    assert result.statistic == 1
    assert result.pvalue == pytest.approx(3**-2.5 * float(sum(terms)), rel=1e-14)
    assert (result.df, result.mean_difference) == ((10, 5), 0.5)


def test_published_critical_values() -> None:
    """Where the p-value passes .05."""
    tables = np.random.default_rng(1).normal(0.8, 1, (20_000, 5, 2))
    t, f = ttest_5x2cv(tables, ZERO), ftest_5x2cv(tables, ZERO)

    assert np.abs(t.statistic[t.pvalue <= 0.05]).min() == pytest.approx(DIETTERICH_CRITICAL_T, abs=0.002)
    assert f.statistic[f.pvalue <= 0.05].min() == pytest.approx(ALPAYDIN_CRITICAL_F, abs=0.01)


@given(five_by_two)
def test_statistics_are_the_definition(d: list[tuple[int, int]]) -> None:
    assume(any(a != b for a, b in d))
    t, f = definition(d)

    assert ttest_5x2cv(d, ZERO).statistic == pytest.approx(t, rel=1e-14)
    assert ftest_5x2cv(d, ZERO).statistic == pytest.approx(f, rel=1e-14)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_pvalues_are_those_of_the_distributions(alternative: str) -> None:
    d = np.random.default_rng(2).normal(1, 1, (50, 5, 2))
    t, f = ttest_5x2cv(d, ZERO, alternative=alternative), ftest_5x2cv(d, ZERO)
    tails = {
        "two-sided": 2 * stats.t.sf(np.abs(t.statistic), 5),
        "less": stats.t.cdf(t.statistic, 5),
        "greater": stats.t.sf(t.statistic, 5),
    }

    np.testing.assert_allclose(t.pvalue, tails[alternative], rtol=1e-12)
    np.testing.assert_allclose(f.pvalue, stats.f.sf(f.statistic, 10, 5), rtol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_orderings_are_those_of_the_permuted_folds(alternative: str) -> None:
    """All 5! 2^5 orders of the folds give ten t values: those that the result lists."""
    expected = ttest_5x2cv(X, Y, alternative=alternative)
    orders = [
        (list(rows), flips)
        for rows in itertools.permutations(range(5))
        for flips in itertools.product((False, True), repeat=5)
    ]
    x = np.array([[X[i, ::-1] if flip else X[i] for i, flip in zip(*order, strict=True)] for order in orders])
    y = np.array([[Y[i, ::-1] if flip else Y[i] for i, flip in zip(*order, strict=True)] for order in orders])

    found = ttest_5x2cv(x, y, alternative=alternative)

    for (rows, flips), t, p in zip(orders, found.statistic, found.pvalue, strict=True):
        first = (rows[0], int(flips[0]))
        assert t == pytest.approx(expected.statistics_of_all_orderings[first], rel=1e-14)
        assert p == pytest.approx(expected.pvalues_of_all_orderings[first], rel=1e-13)


def test_f_does_not_depend_on_the_order() -> None:
    order = np.random.default_rng(3).permutation(5)

    assert tuple(ftest_5x2cv(X[order, ::-1], Y[order, ::-1])) == pytest.approx(tuple(ftest_5x2cv(X, Y)), rel=1e-14)


def test_f_is_the_mean_of_the_squares_of_all_t() -> None:
    squares = np.square(ttest_5x2cv(X, Y).statistics_of_all_orderings)

    assert ftest_5x2cv(X, Y).statistic == pytest.approx(squares.mean(), rel=1e-14)


def test_first_of_all_orderings_is_the_test_itself() -> None:
    result = ttest_5x2cv(X, Y)

    assert result.statistic == result.statistics_of_all_orderings[0, 0]
    assert result.pvalue == result.pvalues_of_all_orderings[0, 0]


def test_swapping_x_and_y_mirrors_the_result() -> None:
    assert ttest_5x2cv(Y, X).statistic == -ttest_5x2cv(X, Y).statistic
    assert ttest_5x2cv(Y, X, alternative="less").pvalue == ttest_5x2cv(X, Y, alternative="greater").pvalue
    assert tuple(ftest_5x2cv(Y, X)) == tuple(ftest_5x2cv(X, Y))


def test_one_sided_pvalues_point_the_right_way() -> None:
    """'greater' means that x is larger, and here it is."""
    assert ttest_5x2cv(X, Y, alternative="greater").pvalue == pytest.approx(ttest_5x2cv(X, Y).pvalue / 2, rel=1e-14)
    assert ttest_5x2cv(X, Y, alternative="less").pvalue > 0.5


@both
@pytest.mark.parametrize("exponent", [-900, -600, 600, 900])
def test_scale_does_not_matter_to_the_last_bit(test: object, exponent: int) -> None:
    """The squares of the scores would be 0 or infinite."""
    factor = 2.0**exponent

    here, there = test(X, Y), test(X * factor, Y * factor)

    assert tuple(there) == tuple(here)
    assert there.mean_difference == here.mean_difference * factor


@both
def test_no_difference_gives_p_one_and_a_reason(test: object) -> None:
    result = test(X, X)

    assert (result.statistic, result.pvalue, result.reason) == (0, 1, "x and y are equal in every fold")


@both
def test_noise_of_floating_point_is_no_difference(test: object) -> None:
    result = test(np.full((5, 2), 0.1 + 0.2), np.full((5, 2), 0.3))

    assert (result.statistic, result.pvalue, result.mean_difference) == (0, 1, 0)


@both
@pytest.mark.parametrize("sizes", [[1, 1, 1, 1, 1], [0.3, 0.1, 0.2, 0.1, 0.4], [1e-200, 0, 0, 0, 0]])
def test_no_variance_has_no_pvalue(test: object, sizes: list[float]) -> None:
    """Neither where all ten differences are the same, nor where they differ from repetition to repetition only."""
    result = test(np.repeat(sizes, 2).reshape(5, 2), ZERO)

    assert result.statistic == math.inf
    assert math.isnan(result.pvalue)
    assert "no variance" in result.reason


def test_noise_is_no_variance() -> None:
    """0.3 - 0.1 and 0.4 - 0.2 are not the same number."""
    x, y = np.array([[0.3, 0.4]] * 5), np.array([[0.1, 0.2]] * 5)

    assert ttest_5x2cv(x, y).statistic == ftest_5x2cv(x, y).statistic == math.inf
    assert ttest_5x2cv(x, y).first_difference == 0.2
    assert ttest_5x2cv(x, y, tie_tolerance=0).statistic > 1e14
    assert ftest_5x2cv(x, y, tie_tolerance=0).statistic > 1e28


def test_variance_beyond_the_smallest_number_is_no_variance() -> None:
    d = np.array([[1, 1], [1e-200, 2e-200], [0, 0], [0, 0], [0, 0]])

    assert math.isnan(ttest_5x2cv(d, ZERO).pvalue)
    assert math.isnan(ftest_5x2cv(d, ZERO).pvalue)


def test_zero_over_zero_is_nan() -> None:
    """The first difference is 0, another is not, and there is no variance to compare them with."""
    d = np.repeat([0, 0.5, 0, 0, 0], 2).reshape(5, 2)

    result = ttest_5x2cv(d, ZERO)

    assert math.isnan(result.statistic)
    assert math.isnan(result.pvalue)
    assert result.reason is not None
    np.testing.assert_array_equal(result.statistics_of_all_orderings[1], [math.inf, math.inf])


def test_first_difference_zero_is_no_difference_to_t() -> None:
    """However large the other nine are; F sees them."""
    d = [[0, 1], [9, 8], [9, 8], [9, 8], [9, 8]]

    assert tuple(ttest_5x2cv(d, ZERO)) == (0, 1)
    assert ttest_5x2cv(d, ZERO).reason is None
    assert ftest_5x2cv(d, ZERO).pvalue < 1e-4


def test_far_tail_is_not_zero() -> None:
    d = 1 + 1e-9 * np.random.default_rng(5).random((5, 2))

    assert 0 < ttest_5x2cv(d, ZERO).pvalue < 1e-40
    assert 0 < ftest_5x2cv(d, ZERO).pvalue < 1e-40


def test_ttest_batch_equals_the_loop_over_its_members() -> None:
    """Also where memory is laid out the other way round."""
    rng = np.random.default_rng(6)
    x, y = (np.asfortranarray(np.round(rng.random((3, 4, 5, 2)), 2)) for _ in range(2))
    x[0, 0], x[1, 1] = y[0, 0], y[1, 1] + 1

    batch = ttest_5x2cv(x, y, alternative="less")

    assert batch.statistics_of_all_orderings.shape == (3, 4, 5, 2)
    for at in np.ndindex(3, 4):
        assert_same(batch, at, ttest_5x2cv(x[at].copy(), y[at].copy(), alternative="less"), (*FIELDS, *ONLY_T))


def test_ftest_batch_equals_the_loop_over_its_members() -> None:
    rng = np.random.default_rng(7)
    x, y = (np.asfortranarray(np.round(rng.random((3, 4, 5, 2)), 2)) for _ in range(2))
    x[0, 0], x[1, 1] = y[0, 0], y[1, 1] + 1

    batch = ftest_5x2cv(x, y)

    for at in np.ndindex(3, 4):
        assert_same(batch, at, ftest_5x2cv(x[at].copy(), y[at].copy()), FIELDS)


def assert_same(
    batch: TTest5x2cvResult | FTest5x2cvResult,
    at: tuple[int, ...],
    member: TTest5x2cvResult | FTest5x2cvResult,
    names: tuple[str, ...],
) -> None:
    for name in names:
        np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
    assert (batch.method[at], batch.reason[at]) == (member.method, member.reason)


@both
def test_leading_axes_broadcast(test: object) -> None:
    """All pairs of k classifiers are one call."""
    scores = np.random.default_rng(8).random((3, 5, 2))

    batch = test(scores[:, None], scores[None])

    assert batch.pvalue.shape == (3, 3)
    assert batch.pvalue[0, 2] == test(scores[0], scores[2]).pvalue


@both
def test_one_problem_gives_plain_numbers(test: object) -> None:
    result = test(X, Y)

    assert [type(getattr(result, name)) for name in FIELDS] == [float] * 3
    assert type(result.method) is str
    assert result.reason is None


@both
@pytest.mark.parametrize("shape", [(), (10,), (2, 5), (5, 3), (1, 2), (10, 10)])
def test_other_shapes_are_refused(test: object, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"x must have the shape \(\.\.\., 5, 2\), five repeats of two folds, but"):
        test(np.ones(shape), ZERO)
    with pytest.raises(ValueError, match=r"y must have the shape \(\.\.\., 5, 2\), .* but its shape is \("):
        test(ZERO, np.ones(shape))


@both
def test_missing_score_is_refused_with_its_place(test: object) -> None:
    x = X.copy()
    x[3, 1] = np.nan

    with pytest.raises(ValueError, match=r"x must be finite, but x\[3, 1\] is nan"):
        test(x, Y)


@both
def test_difference_beyond_the_largest_number_is_refused(test: object) -> None:
    with pytest.raises(ValueError, match=r"x - y must be finite, but 1e\+308 - -1e\+308 is too large"):
        test(np.full((5, 2), 1e308), np.full((5, 2), -1e308))


def test_unknown_alternative_is_refused() -> None:
    with pytest.raises(ValueError, match="alternative must be 'two-sided' or 'less' or 'greater', not 'more'"):
        ttest_5x2cv(X, Y, alternative="more")


def test_t_has_the_variances_of_the_standard_library() -> None:
    variances = [statistics.variance(row) for row in (X - Y).tolist()]

    assert ttest_5x2cv(X, Y).standard_error == pytest.approx(math.sqrt(statistics.mean(variances)), rel=1e-13)


def test_a_standard_error_beyond_the_largest_float_is_refused() -> None:
    x = np.tile([8.9e307, -8.9e307], (5, 1))

    with pytest.raises(ValueError, match="the standard deviation of x - y must be finite"):
        ttest_5x2cv(x, -x)
