from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats.metrics.delong import delong_covariance
from evalstats.paired.delong import (
    DeLongTestResult,
    DeLongUnpairedTestResult,
    delong_test,
    delong_unpaired_test,
)

ALTERNATIVES = ["two-sided", "less", "greater"]

Y_TRUE = [0, 0, 0, 0, 1, 1, 1, 1]
X = [1, 2, 3, 6, 4, 5, 7, 8]
Y = [1, 6, 5, 2, 4, 3, 7, 8]

# at least two cases of each class, with ties within and between the classes
cases = st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=20).map(
    lambda drawn: [(False, 0, 1), (False, 2, 0), (True, 1, 1), (True, 3, 2), *drawn]
)


def columns(drawn: list[tuple[bool, int, int]]) -> list[np.ndarray]:
    return [np.array(column) for column in zip(*drawn, strict=True)]


def definition(y_true: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Difference of the areas and its variance: DeLong, DeLong & Clarke-Pearson (1988), pair by pair."""
    positive = y_true == 1

    def wins(scores: np.ndarray) -> np.ndarray:
        pairs = np.sign(scores[positive][:, None] - scores[~positive][None])
        return (pairs + 1) / 2

    lead = wins(x) - wins(y)
    m, n = lead.shape
    return lead.mean(), np.var(lead.mean(axis=1), ddof=1) / m + np.var(lead.mean(axis=0), ddof=1) / n


def one_swap(m: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels and two rankings that differ in the order of one positive and one negative case."""
    rng = np.random.default_rng(m + n)
    y_true = rng.permutation(np.repeat([0, 1], [n, m]))
    x = np.arange(m + n, dtype=float)
    i = next(i for i in range(m + n - 1) if (y_true[i], y_true[i + 1]) == (0, 1))
    y = x.copy()
    y[[i, i + 1]] = x[[i + 1, i]]
    return y_true, x, y


def test_eight_cases_by_hand() -> None:
    """The positive cases lead by 1/4, 1/4, 0, 0, the negative ones by 0, 1/2, 1/2, -1/2: variance 1/192 + 11/192."""
    result = delong_test(Y_TRUE, X, Y, df="infinite")

    assert (result.auc_x, result.auc_y, result.difference) == (0.875, 0.75, 0.125)
    assert result.standard_error == pytest.approx(math.sqrt(12 / 192), rel=1e-14)
    assert result.statistic == pytest.approx(0.5, rel=1e-14)
    assert result.pvalue == pytest.approx(math.erfc(0.5 / math.sqrt(2)), rel=1e-14)
    assert (result.n_positive, result.n_negative, result.method, result.reason) == (4, 4, "asymptotic", None)


def test_identical_models_are_not_different() -> None:
    """MLstatkit 0.1.91 says p = 0."""
    rng = np.random.default_rng(1)
    scores = rng.random(50)

    result = delong_test(rng.random(50) < 0.4, scores, scores, df="infinite")

    assert (result.statistic, result.pvalue, result.difference, result.standard_error) == (0, 1, 0, 0)
    assert "every instance equally" in result.reason


@given(cases)
def test_statistic_is_its_definition(drawn: list[tuple[bool, int, int]]) -> None:
    y_true, x, y = columns(drawn)
    difference, variance = definition(y_true, x, y)

    result = delong_test(y_true, x, y, df="infinite")

    assert result.difference == pytest.approx(difference, abs=1e-15)
    assert result.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12, abs=1e-15)
    if variance > 1e-20:
        assert result.statistic == pytest.approx(difference / math.sqrt(variance), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(("m", "n"), [(5, 7), (300, 200), (40_000, 1000), (100_000, 100_000)])
def test_one_swap_has_the_same_z_in_any_number_of_cases(m: int, n: int) -> None:
    """The lead is one pair of m n, its variance 2 / (m n)^2; of two variances and a covariance only noise is left."""
    result = delong_test(*one_swap(m, n), df="infinite")

    assert result.difference == pytest.approx(1 / (m * n), rel=1e-12)
    assert result.standard_error == pytest.approx(math.sqrt(2) / (m * n), rel=1e-10)
    assert result.statistic == pytest.approx(math.sqrt(0.5), rel=1e-10)


def test_areas_and_covariance_are_those_of_the_estimate() -> None:
    auc, covariance = delong_covariance(Y_TRUE, [X, Y])

    result = delong_test(Y_TRUE, X, Y)

    assert [result.auc_x, result.auc_y] == auc.tolist()
    np.testing.assert_array_equal(result.covariance, covariance)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(cases)
def test_swapping_mirrors(alternative: str, drawn: list[tuple[bool, int, int]]) -> None:
    y_true, x, y = columns(drawn)
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]

    here, there = delong_test(y_true, x, y, alternative=alternative), delong_test(y_true, y, x, alternative=mirrored)

    assert here.statistic == pytest.approx(-there.statistic, rel=1e-12, abs=1e-13, nan_ok=True)
    assert here.pvalue == pytest.approx(there.pvalue, rel=1e-11, nan_ok=True)
    low, high = here.confidence_interval(0.9)
    mirrored_low, mirrored_high = there.confidence_interval(0.9)
    assert (low, high) == pytest.approx((-mirrored_high, -mirrored_low), rel=1e-11, abs=1e-13, nan_ok=True)


@given(cases)
def test_turning_classes_or_scores_around_turns_the_sign(drawn: list[tuple[bool, int, int]]) -> None:
    y_true, x, y = columns(drawn)
    expected = pytest.approx(-delong_test(y_true, x, y).statistic, rel=1e-11, abs=1e-13)

    assert delong_test(~y_true, x, y).statistic == expected
    assert delong_test(y_true, -x, -y).statistic == expected


def test_only_the_order_of_the_scores_counts() -> None:
    rng = np.random.default_rng(2)
    y_true, x, y = rng.random(40) < 0.5, rng.random(40), rng.random(40)

    assert tuple(delong_test(y_true, np.exp(9 * x), 5 - 1 / y)) == tuple(delong_test(y_true, x, y))
    assert delong_test(y_true, x, 1000 * x**3).pvalue == 1


@given(cases, st.sampled_from(ALTERNATIVES), st.sampled_from([0.6, 0.9, 0.95, 0.99]))
def test_interval_leaves_out_zero_where_the_test_rejects(
    drawn: list[tuple[bool, int, int]], alternative: str, level: float
) -> None:
    """Two roads to one decision, and the interval never leaves [-1, 1]."""
    result = delong_test(*columns(drawn), alternative=alternative)
    low, high = result.confidence_interval(level)

    if result.standard_error > 0 and abs(result.pvalue - (1 - level)) > 1e-9:
        assert (low <= 0 <= high) == (result.pvalue > 1 - level)
        assert -1 <= low <= result.difference <= high <= 1


def test_alternatives_share_the_statistic_and_point_the_right_way() -> None:
    two_sided, less, greater = (delong_test(Y_TRUE, X, Y, alternative=a) for a in ALTERNATIVES)

    assert two_sided.statistic == less.statistic == greater.statistic
    assert greater.pvalue == pytest.approx(two_sided.pvalue / 2, rel=1e-15)
    assert less.pvalue == pytest.approx(1 - greater.pvalue, rel=1e-15)


def test_interval_ends_where_areas_end() -> None:
    y_true, x = [0, 0, 0, 1, 1, 1], np.array([1, 2, 4, 3, 5, 6])

    low, high = delong_test(y_true, x, -x, df="infinite").confidence_interval()

    assert 0 < low < 7 / 9
    assert high == 1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_difference_without_variance_has_no_pvalue(alternative: str) -> None:
    """A perfect ranking against a constant: every case is ahead by one half."""
    result = delong_test([0, 0, 1, 1], [1, 2, 3, 4], [5, 5, 5, 5], alternative=alternative, df="infinite")

    assert (result.statistic, result.difference, result.standard_error) == (math.inf, 0.5, 0)
    assert math.isnan(result.pvalue)
    assert "no variance" in result.reason
    assert np.isnan(tuple(result.confidence_interval())).all()


def test_single_case_of_a_class_has_no_pvalue_unless_nothing_differs() -> None:
    different = delong_test([0, 0, 1], [1, 3, 2], [1, 2, 3])
    same = delong_test([0, 0, 1], [1, 3, 2], [1, 3, 2])

    assert math.isnan(different.statistic)
    assert math.isnan(different.pvalue)
    assert "at least two positive and two negative instances" in different.reason
    assert (same.statistic, same.pvalue) == (0, 1)
    assert "rank every instance equally" in same.reason


def test_far_tail_is_never_zero() -> None:
    rng = np.random.default_rng(3)
    y_true = np.repeat([0, 1], 20_000)
    x = y_true + rng.normal(size=40_000) / 2

    result = delong_test(y_true, x, -x)

    assert result.statistic > 40
    assert result.pvalue == 5e-324


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_batch_equals_the_loop(alternative: str) -> None:
    """Members of every kind: ordinary, identical, without variance, with a single case of a class."""
    rng = np.random.default_rng(4)
    y_true = rng.permuted(np.tile([0, 0, 0, 1, 1, 1, 1], (4, 1)), axis=1)
    x, y = rng.integers(0, 5, (2, 3, 4, 7))
    y[0, 0] = x[0, 0]
    x[1, 1], y[1, 1] = y_true[1], 7
    y_true[3] = [1, 0, 0, 0, 0, 0, 0]

    batch = delong_test(y_true, x, y, alternative=alternative)
    low, high = batch.confidence_interval()

    assert batch.pvalue.shape == (3, 4)
    assert batch.covariance.shape == (3, 4, 2, 2)
    for at in np.ndindex(3, 4):
        member = delong_test(y_true[at[1]], x[at], y[at], alternative=alternative)
        np.testing.assert_array_equal(batch.covariance[at], member.covariance)
        np.testing.assert_array_equal((low[at], high[at]), tuple(member.confidence_interval()))
        for name in ("statistic", "pvalue", "auc_x", "auc_y", "difference", "standard_error"):
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        assert (batch.method[at], batch.reason[at]) == (member.method, member.reason)


def test_all_pairs_are_one_call() -> None:
    scores = np.random.default_rng(5).random((3, 8))

    batch = delong_test(Y_TRUE, scores[:, None], scores[None])

    assert batch.pvalue.shape == (3, 3)
    assert batch.pvalue[0, 2] == delong_test(Y_TRUE, scores[0], scores[2]).pvalue
    assert np.diag(batch.pvalue).tolist() == [1, 1, 1]


def test_labels_of_any_kind() -> None:
    words = np.array(["ham", "spam"])[Y_TRUE]
    expected = tuple(delong_test(Y_TRUE, X, Y))

    assert tuple(delong_test(words, X, Y)) == expected
    assert tuple(delong_test(np.array(Y_TRUE) == 1, X, Y)) == expected
    assert delong_test(words, X, Y, pos_label="ham").statistic == pytest.approx(-expected[0], rel=1e-14)


def test_result_is_a_record_of_plain_values() -> None:
    result = delong_test(Y_TRUE, X, Y)

    assert isinstance(result, DeLongTestResult)
    assert type(result.statistic) is type(result.pvalue) is type(result.difference) is float
    assert json.loads(json.dumps(result.to_dict()))["n_positive"] == 4


@given(drawn=cases)
def test_constant_second_classifier_gives_the_test_of_brunner_and_munzel(drawn: list[tuple[bool, int, int]]) -> None:
    """An AUC of 1/2 without variance leaves the test of a stochastic advantage with Satterthwaite's freedom."""
    y_true, x, _ = columns(drawn)
    test = delong_test(y_true, x, np.zeros(len(x)), df="welch")
    if not test.standard_error > 0:
        return
    expected = stats.brunnermunzel(x[~y_true], x[y_true])

    assert (test.statistic, test.pvalue) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9, abs=1e-300)


@given(drawn=cases)
def test_degrees_of_freedom_are_their_definition(drawn: list[tuple[bool, int, int]]) -> None:
    """They follow from the two parts of the variance, and lie between the smaller class and all instances."""
    y_true, x, y = columns(drawn)
    m, n = int(y_true.sum()), int((~y_true).sum())
    lead = np.sign(x[y_true][:, None] - x[~y_true]) - np.sign(y[y_true][:, None] - y[~y_true])
    v, w = np.var(lead.mean(axis=1), ddof=1) / m, np.var(lead.mean(axis=0), ddof=1) / n
    if v + w < 1e-12:
        return
    test = delong_test(y_true, x, y, df="welch")

    assert test.df == pytest.approx((v + w) ** 2 / (v**2 / (m - 1) + w**2 / (n - 1)))
    assert min(m, n) - 1 <= test.df * (1 + 1e-9)
    assert test.df <= (m + n - 2) * (1 + 1e-9)


def test_degrees_of_freedom_change_only_the_distribution() -> None:
    """The statistic is the same; the p-value is larger and the interval wider with fewer degrees of freedom."""
    t, z = (delong_test(Y_TRUE, X, Y, df=df) for df in ("welch", "infinite"))

    assert (t.statistic, t.standard_error, t.method, z.method) == (z.statistic, z.standard_error, "t", "asymptotic")
    assert t.pvalue == pytest.approx(2 * stats.t.sf(abs(t.statistic), t.df))
    assert t.pvalue > z.pvalue
    assert t.confidence_interval().low < z.confidence_interval().low


@given(drawn=cases)
def test_adjusted_variance_and_degrees_of_freedom(drawn: list[tuple[bool, int, int]]) -> None:
    """A pseudo-instance is added to each sum of squares; the kurtosis is SciPy's unbiased estimate, or 0."""
    y_true, x, y = columns(drawn)
    lead = (np.sign(x[y_true][:, None] - x[~y_true]) - np.sign(y[y_true][:, None] - y[~y_true])) / 2
    classes = lead.mean(axis=1), lead.mean(axis=0)
    added = 0.1 * max(np.abs(values).max() for values in classes)
    if added == 0:
        return
    parts, relative = [], []
    for values in classes:
        n = len(values)
        excess = stats.kurtosis(values, bias=False) if n > 3 and np.ptp(values) > 1e-12 else 0.0
        parts.append((((values - values.mean()) ** 2).sum() + added) / (n * (n - 1)))
        relative.append(2 / (n - 1) + max(excess, 0.0) / n)

    test = delong_test(y_true, x, y, df="adjusted")

    assert test.standard_error == pytest.approx(np.sqrt(sum(parts)))
    assert test.df == pytest.approx(2 * sum(parts) ** 2 / np.dot(np.square(parts), relative))
    assert test.statistic == pytest.approx(lead.mean() / np.sqrt(sum(parts)))
    assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(test.statistic), test.df))
    assert test.standard_error > delong_test(y_true, x, y, df="infinite").standard_error


def test_adjusted_variance_of_a_batch_is_that_of_each_problem() -> None:
    rng = np.random.default_rng(3)
    y_true, scores = rng.random((2, 40)) < 0.2, rng.normal(size=(3, 2, 40)) ** 3

    together = delong_test(y_true, scores[:, :1], scores[:, 1:], df="adjusted")

    for place in np.ndindex(together.df.shape):
        alone = delong_test(y_true[place[1]], *scores[place[0]], df="adjusted")
        assert together.df[place] == pytest.approx(alone.df, rel=1e-12)
        assert together.standard_error[place] == pytest.approx(alone.standard_error, rel=1e-12)


@pytest.mark.parametrize(("smaller", "df"), [(499, "adjusted"), (500, "infinite")])
def test_default_depends_on_the_smaller_class(smaller: int, df: str) -> None:
    """The threshold is 500 instances of either class, for each problem of a batch."""
    positive = np.arange(smaller + 1200) < smaller
    x, y = np.random.default_rng(1).normal(size=(2, positive.size))

    assert tuple(delong_test(positive, x, y)) == tuple(delong_test(positive, x, y, df=df))
    assert tuple(delong_test(~positive, x, y)) == tuple(delong_test(~positive, x, y, df=df))
    balanced = np.arange(positive.size) % 2 == 0
    batch, alone = delong_test(np.stack([positive, balanced]), x, y), delong_test(balanced, x, y, df="infinite")
    assert tuple(column[1] for column in batch) == pytest.approx(tuple(alone), rel=1e-12)
    assert tuple(column[0] for column in batch) == pytest.approx(tuple(delong_test(positive, x, y)), rel=1e-12)
    assert batch.method.tolist() == ["t" if df == "adjusted" else "asymptotic", "asymptotic"]


@pytest.mark.parametrize(
    ("y_true", "x", "y", "message"),
    [
        ([0, 1, 1], [1, 2], [1, 2], "y_true and x must be paired: y_true has 3 instances, x has 2"),
        ([0, 1], [1, 2, 3], [1, 2], "x and y must be paired: x has 3 values, y has 2"),
        ([0, 1], [1, np.nan], [1, 2], r"x must be finite, but x\[1\] is nan"),
        ([1, 1], [1, 2], [1, 2], "all instances of y_true belong to one class"),
        ([0, 1, 2], [1, 2, 3], [1, 2, 3], "y_true holds 3 classes"),
        ([[0, 1], [0, 1]], np.ones((3, 2)), [1, 2], "the leading axes must broadcast"),
        ([0, 1], ["a", "b"], [1, 2], r"x must be numbers, but x\[0\] is 'a'"),
        ([0, 1], pd.Series([1, 2]), pd.Series([1, 2], index=[1, 0]), "equal indexes"),
    ],
)
def test_bad_cases_are_refused_by_name(y_true: object, x: object, y: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        delong_test(y_true, x, y)


def test_unknown_alternative_is_refused() -> None:
    with pytest.raises(ValueError, match="alternative must be 'two-sided' or 'less' or 'greater', not 'more'"):
        delong_test(Y_TRUE, X, Y, alternative="more")


# two test sets


SET_X = ([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8])
SET_Y = ([0, 0, 0, 1, 1], [1, 4, 2, 3, 5])
two_sets = st.tuples(cases, cases)


def test_two_sets_by_hand() -> None:
    """Placements of y: positive 2/3, 1 and negative 1, 1/2, 1; variances 1/18 / 2 and 1/12 / 3."""
    v, w = delong_covariance(SET_X[0], [SET_X[1]]).covariance[0, 0], 1 / 36 + 1 / 36
    welch = (v + w) ** 2 / (v**2 / 7 + w**2 / 4)

    result = delong_unpaired_test(*SET_X, *SET_Y)

    assert (result.auc_x, result.auc_y) == (0.875, pytest.approx(5 / 6, rel=1e-15))
    assert result.standard_error == pytest.approx(math.sqrt(v + w), rel=1e-14)
    assert result.statistic == pytest.approx((0.875 - 5 / 6) / math.sqrt(v + w), rel=1e-13)
    assert result.df == pytest.approx(welch, rel=1e-14)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(result.statistic, welch), rel=1e-12)
    assert (result.method, result.reason) == ("t", None)


def test_infinite_degrees_of_freedom_are_the_normal_distribution() -> None:
    result = delong_unpaired_test(*SET_X, *SET_Y, df="infinite")

    assert (result.df, result.method) == (math.inf, "asymptotic")
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(result.statistic), rel=1e-13)
    low, high = result.confidence_interval(0.9)
    margin = stats.norm.isf(0.05) * result.standard_error
    assert (low, high) == pytest.approx((result.difference - margin, result.difference + margin), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(two_sets)
def test_swapping_the_sets_mirrors(alternative: str, drawn: tuple[list[tuple[bool, int, int]], ...]) -> None:
    (first, x, _), (second, y, _) = (columns(one) for one in drawn)
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]

    here = delong_unpaired_test(first, x, second, y, alternative=alternative)
    there = delong_unpaired_test(second, y, first, x, alternative=mirrored)

    assert here.statistic == -there.statistic
    assert here.pvalue == pytest.approx(there.pvalue, rel=1e-12, nan_ok=True)
    low, high = here.confidence_interval(0.9)
    mirrored_low, mirrored_high = there.confidence_interval(0.9)
    assert (low, high) == pytest.approx((-mirrored_high, -mirrored_low), rel=1e-12, abs=1e-15, nan_ok=True)


@given(two_sets, st.sampled_from(ALTERNATIVES), st.sampled_from([0.6, 0.9, 0.99]))
def test_unpaired_interval_leaves_out_zero_where_the_test_rejects(
    drawn: tuple[list[tuple[bool, int, int]], ...], alternative: str, level: float
) -> None:
    (first, x, _), (second, y, _) = (columns(one) for one in drawn)
    result = delong_unpaired_test(first, x, second, y, alternative=alternative)
    low, high = result.confidence_interval(level)

    if result.standard_error > 0 and abs(result.pvalue - (1 - level)) > 1e-9:
        assert (low <= 0 <= high) == (result.pvalue > 1 - level)


def test_two_perfect_rankings_are_equal_for_a_reason() -> None:
    result = delong_unpaired_test([0, 0, 1, 1], [1, 2, 3, 4], [0, 0, 0, 1, 1], [1, 2, 3, 4, 5])

    assert (result.statistic, result.pvalue, result.difference, result.standard_error) == (0, 1, 0, 0)
    assert "no variance" in result.reason
    assert math.isnan(result.df)


def test_perfect_ranking_and_its_opposite_have_no_pvalue() -> None:
    result = delong_unpaired_test([0, 0, 1, 1], [1, 2, 3, 4], [0, 0, 1, 1], [4, 3, 2, 1])

    assert (result.statistic, result.difference) == (math.inf, 1)
    assert math.isnan(result.pvalue)
    assert "no variance" in result.reason
    assert np.isnan(tuple(result.confidence_interval())).all()


def test_single_case_of_a_class_in_one_set_has_no_pvalue() -> None:
    result = delong_unpaired_test([0, 0, 1], [1, 3, 2], *SET_X)

    assert math.isnan(result.pvalue)
    assert "at least two positive and two negative instances" in result.reason


@pytest.mark.parametrize("df", ["welch", "infinite"])
def test_unpaired_batch_equals_the_loop(df: str) -> None:
    rng = np.random.default_rng(9)
    first, second = rng.permuted(np.tile([0, 0, 1, 1, 1], (3, 1)), axis=1), np.array([0, 1, 0, 1, 1, 0])
    x, y = rng.integers(0, 4, (3, 5)), rng.integers(0, 4, (2, 1, 6))
    x[0] = first[0]

    batch = delong_unpaired_test(first, x, second, y, df=df)
    low, high = batch.confidence_interval()

    assert batch.pvalue.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        member = delong_unpaired_test(first[j], x[j], second, y[i, 0], df=df)
        np.testing.assert_array_equal((low[i, j], high[i, j]), tuple(member.confidence_interval()))
        for name in ("statistic", "pvalue", "auc_x", "auc_y", "difference", "standard_error", "df"):
            np.testing.assert_array_equal(getattr(batch, name)[i, j], getattr(member, name))
        assert (batch.method[i, j], batch.reason[i, j]) == (member.method, member.reason)


def test_unpaired_result_is_a_record_of_plain_values() -> None:
    result = delong_unpaired_test(*SET_X, *SET_Y)

    assert isinstance(result, DeLongUnpairedTestResult)
    assert type(result.df) is type(result.pvalue) is float
    assert json.loads(json.dumps(result.to_dict()))["method"] == "t"


@pytest.mark.parametrize(
    ("first", "second", "options", "message"),
    [
        (([0, 1, 1], [1, 2]), SET_Y, {}, "y_true_x and x must be paired: y_true_x has 3 instances"),
        (SET_X, ([0, 1], [1, np.nan]), {}, r"y must be finite, but y\[1\] is nan"),
        (SET_X, ([1, 1], [1, 2]), {}, "y_true_y must hold positive and negative instances"),
        (SET_X, SET_Y, {"df": "student"}, "df must be 'welch' or 'infinite', not 'student'"),
        (SET_X, SET_Y, {"alternative": "more"}, "alternative must be"),
        (
            (np.tile([0, 1], (2, 1)), [1, 2]),
            (np.tile([0, 1], (3, 1)), [1, 2]),
            {},
            r"the leading axes of x and y must broadcast, but they are \(2,\) and \(3,\)",
        ),
    ],
)
def test_bad_sets_are_refused_by_name(
    first: tuple[object, object], second: tuple[object, object], options: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        delong_unpaired_test(*first, *second, **options)
