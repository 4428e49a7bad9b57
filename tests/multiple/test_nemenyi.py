"""Nemenyi's test: all pairs of several classifiers."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions
from scipy import integrate, stats
from scipy.special import ndtr

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.friedman import friedman_test
from evalstats.multiple.nemenyi import NemenyiTestResult, nemenyi_test

# PMCMRplus::frdAllPairsNemenyiTest on Table 6 of Demšar (2006) as printed; the pairs in the order of the columns
PMCMRPLUS_ON_DEMSAR = [0.0886727093, 0.9716864713, 0.06168325891, 0.226696886, 0.998882344, 0.1700516357]
# the same on the Friedman example of the tutorial of Japkowicz
PMCMRPLUS_ON_TUTORIAL = [0.002296451825, 1, 0.002296451825]
# the ranks printed in that tutorial, slide 53: in domain 2 they tie 85.91 with 85.90
TUTORIAL_RANKS = [[1, 3, 2], [1.5, 3, 1.5], *[[1, 3, 2]] * 2, [2, 3, 1], [1, 3, 2], *[[2, 3, 1]] * 4]

tables = hnp.arrays(float, st.tuples(st.integers(1, 9), st.integers(2, 6)), elements=st.integers(0, 20).map(float))


def demsar() -> np.ndarray:
    return np.array(example_table("demsar-2006").scores)


def pairs(matrix: np.ndarray) -> list[float]:
    """Return the upper triangle, row by row."""
    return matrix[np.triu_indices(len(matrix), 1)].tolist()


@cache
def range_tail(q: float, k: int) -> float:
    """P(range of k normals > q) by adaptive quadrature of the definition."""

    def integrand(z: float) -> float:
        above, beyond = ndtr(-z), ndtr(-z - q)
        return math.exp(-z * z / 2) * (above ** (k - 1) - (above - beyond) ** (k - 1))

    area, _ = integrate.quad(integrand, -12, 12, epsabs=1e-15, epsrel=1e-12, limit=200, points=[-q / 2])
    return k * area / math.sqrt(2 * math.pi)


def by_definition(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Statistic and p-value, one pair at a time, from the words of Demšar (2006), section 3.2.2."""
    n, k = scores.shape
    mean_ranks = np.mean([stats.rankdata(-row) for row in scores], axis=0)
    statistic, pvalue = np.zeros((k, k)), np.ones((k, k))
    for i, j in itertools.permutations(range(k), 2):
        statistic[i, j] = (mean_ranks[i] - mean_ranks[j]) / math.sqrt(k * (k + 1) / (6 * n))
        pvalue[i, j] = range_tail(abs(statistic[i, j]) * math.sqrt(2), k)
    return statistic, pvalue


def test_two_classifiers_by_hand() -> None:
    """Three wins of three: mean ranks 1 and 2, standard error sqrt(1/3), and a range of two is a normal difference."""
    result = nemenyi_test([[2, 1], [5, 3], [9, 4]])

    assert result.mean_ranks.tolist() == [1, 2]
    assert result.statistic[0, 1] == pytest.approx(-math.sqrt(3), rel=1e-15)
    assert result.pvalue[0, 1] == pytest.approx(math.erfc(math.sqrt(1.5)), rel=1e-14)


def test_demsar_table_6() -> None:
    result = nemenyi_test(demsar())

    assert result.mean_ranks == pytest.approx([44 / 14, 2, 41 / 14, 27 / 14], rel=1e-15)
    assert pairs(result.pvalue) == pytest.approx(PMCMRPLUS_ON_DEMSAR, rel=1e-9)


def test_demsar_critical_differences() -> None:
    """Demšar (2006), section 3.2.2: 1.25 at .05 and 1.12 at .10, from q of 2.569 and 2.291."""
    result = nemenyi_test(demsar())

    assert result.critical_difference() == pytest.approx(1.2535591471, rel=1e-9)
    assert result.critical_difference(alpha=0.10) == pytest.approx(1.1180601670, rel=1e-9)


def test_tutorial_scores() -> None:
    """Tutorial of Japkowicz, slides 53 to 55, from the scores."""
    result = nemenyi_test(example_table("japkowicz-friedman").scores)

    assert pairs(result.statistic) == pytest.approx([-3.354101966, 0, 3.354101966], abs=1e-9)
    assert pairs(result.pvalue) == pytest.approx(PMCMRPLUS_ON_TUTORIAL, rel=1e-9)


def test_tutorial_statistics_from_its_printed_ranks() -> None:
    """Slide 55 puts rank sums where its definition has mean ranks: -32.22, 2.22 and 34.44 should be these."""
    result = nemenyi_test(TUTORIAL_RANKS, greater_is_better=False)

    assert result.mean_ranks == pytest.approx([1.55, 3.0, 1.45], rel=1e-15)
    assert pairs(result.statistic) == pytest.approx([-3.242298567, 0.2236067977, 3.465905365], rel=1e-9)


def test_tutorial_critical_value() -> None:
    """Slide 55 prints 2.55 for three classifiers; 2.343 is right, 2.569 belongs to four."""
    result = nemenyi_test(TUTORIAL_RANKS, greater_is_better=False)

    standard_error = math.sqrt(3 * 4 / (6 * 10))
    assert result.critical_difference() / standard_error == pytest.approx(2.343700586, rel=1e-9)


def test_companions_change_the_pvalue_of_a_pair() -> None:
    """Benavoli, Corani & Mangili (2016): the same scores of A and B, p = .8555 or .9996 as three others go."""
    losses = {1, 3, 5, 8, 10, 12, 15, 17, 18}
    half = np.array([-i / 2 if i in losses else i / 2 for i in range(1, 21)])
    a, b = 70 + half, 70 - half
    between = np.tile([70, 72.75, 67.25], (20, 1))

    p_between = nemenyi_test(np.column_stack([a, b, between])).pvalue[0, 1]
    p_below = nemenyi_test(np.column_stack([a, b, between - 40])).pvalue[0, 1]

    assert (p_between, p_below) == pytest.approx((0.8554745643, 0.9996441964), rel=1e-9)


def test_equal_pair_may_differ_too_often_among_others() -> None:
    """A and B each win with probability 1/2, three classifiers stand between them: 11.5 % rejections at 5 %."""
    between = np.tile([69, 70, 71], (20, 1))

    share = 0.0
    for n_wins in range(21):
        a = np.repeat([73, 67], [n_wins, 20 - n_wins])
        scores = np.column_stack([a, 140 - a, between])
        if nemenyi_test(scores).pvalue[0, 1] <= 0.05:
            assert friedman_test(scores).pvalue <= 0.05
            share += stats.binom.pmf(n_wins, 20, 0.5)

    assert share == pytest.approx(0.1153, abs=5e-5)


@settings(max_examples=repetitions(30))
@given(tables)
def test_follows_the_definition(scores: np.ndarray) -> None:
    statistic, pvalue = by_definition(scores)

    result = nemenyi_test(scores)

    np.testing.assert_allclose(result.statistic, statistic, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(result.pvalue, pvalue, rtol=1e-10)


@given(tables)
def test_matrices_are_symmetric_to_the_bit(scores: np.ndarray) -> None:
    result = nemenyi_test(scores)

    np.testing.assert_array_equal(result.statistic, -result.statistic.T)
    np.testing.assert_array_equal(result.pvalue, result.pvalue.T)
    np.testing.assert_array_equal(result.pvalue.diagonal(), 1)
    np.testing.assert_array_equal(np.signbit(result.statistic.diagonal()), False)


@given(tables)
def test_equal_differences_have_equal_pvalues(scores: np.ndarray) -> None:
    """To the last bit, though 3.1 - 2.1 is not 2.1 - 1.1 in floating point."""
    doubled = np.rint(2 * len(scores) * nemenyi_test(scores).mean_ranks)
    difference = np.abs(doubled[:, None] - doubled)

    pvalue = nemenyi_test(scores).pvalue

    assert all(len(set(pvalue[difference == d])) == 1 for d in set(difference.ravel()))


@given(tables, st.floats(0.001, 0.999))
def test_critical_difference_decides_as_the_pvalue(scores: np.ndarray, alpha: float) -> None:
    result = nemenyi_test(scores)
    difference = np.abs(result.mean_ranks[:, None] - result.mean_ranks)

    np.testing.assert_array_equal(difference >= result.critical_difference(alpha), result.pvalue <= alpha)


@given(tables)
def test_the_pvalue_of_a_pair_is_the_alpha_of_its_difference(scores: np.ndarray) -> None:
    """At the boundary the two ways to decide meet: to rounding, and where they could part p <= alpha decides."""
    result = nemenyi_test(scores)
    difference = np.abs(result.mean_ranks[:, None] - result.mean_ranks)

    for d, p in zip(difference.ravel(), result.pvalue.ravel(), strict=True):
        if p < 0.999:
            assert result.critical_difference(alpha=p) == pytest.approx(d, rel=1e-12)


@given(tables)
def test_no_pair_is_below_the_smallest_pvalue(scores: np.ndarray) -> None:
    result = nemenyi_test(scores)

    assert result.pvalue.min() >= result.min_attainable_pvalue


def test_one_order_on_every_dataset_reaches_the_smallest_pvalue() -> None:
    result = nemenyi_test(np.tile([4.0, 3.0, 2.0, 1.0], (25, 1)))

    assert result.pvalue[0, 3] == result.min_attainable_pvalue
    assert result.min_attainable_pvalue == pytest.approx(6 * math.erfc(math.sqrt(270 / 4 / 2)), rel=1e-3)  # Bonferroni


def test_far_tail_is_no_zero() -> None:
    """Where 1 minus a distribution function gives 0 there is a number, and the pair counts as different."""
    result = nemenyi_test(np.tile([3.0, 2.0, 1.0], (300, 1)))

    assert 0 < result.pvalue[0, 2] < 1e-130
    assert result.pvalue[0, 2] == result.min_attainable_pvalue


def test_ties_to_twelve_digits() -> None:
    """0.1 + 0.2 and 0.3 are a tie, unless bits are compared."""
    scores = [[0.1 + 0.2, 0.3], [0.5, 0.5]]

    assert nemenyi_test(scores).mean_ranks.tolist() == [1.5, 1.5]
    assert nemenyi_test(scores, tie_tolerance=0).mean_ranks.tolist() == [1.25, 1.75]
    assert nemenyi_test(scores, tie_tolerance=0).tie_tolerance == 0


def test_all_tied_has_a_reason() -> None:
    result = nemenyi_test([[0.5, 0.5, 0.5], [0.7, 0.7, 0.7]])

    np.testing.assert_array_equal(result.pvalue, np.ones((3, 3)))
    assert result.reason == "all classifiers are tied on every dataset"


def test_equal_mean_ranks_are_no_reason() -> None:
    assert nemenyi_test([[1, 2], [2, 1]]).reason is None


def test_some_pair_of_equal_classifiers_differs_in_five_tables_of_a_hundred() -> None:
    """The level belongs to the family of all pairs: in 4,000 tables of noise, three standard errors around .05."""
    result = nemenyi_test(np.random.default_rng(2006).random((4000, 60, 5)))

    rejected = (result.pvalue <= 0.05).any(axis=(1, 2)).mean()
    assert rejected == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / 4000))


def test_one_dataset_is_allowed_and_says_how_little_it_can_show() -> None:
    result = nemenyi_test([[0.9, 0.8, 0.7]])

    assert result.n_datasets == 1
    assert result.pvalue[0, 2] == result.min_attainable_pvalue == pytest.approx(range_tail(2, 3), rel=1e-11)
    assert result.critical_difference() > 2  # more than ranks can differ


def test_batch_has_the_leading_shape() -> None:
    scores = np.random.default_rng(7).random((2, 3, 10, 4))
    scores[1, 2] = 0.5

    result = nemenyi_test(scores)

    assert result.statistic.shape == result.pvalue.shape == (2, 3, 4, 4)
    assert result.mean_ranks.shape == (2, 3, 4)
    assert result.method.tolist() == [["studentized range"] * 3] * 2
    assert result.reason.tolist() == [[None] * 3, [None, None, "all classifiers are tied on every dataset"]]
    assert result.min_attainable_pvalue == nemenyi_test(scores[0, 0]).min_attainable_pvalue


def test_batch_is_a_loop() -> None:
    scores = np.random.default_rng(7).random((40, 10, 4)).round(1)

    result = nemenyi_test(scores)

    for i, table in enumerate(scores):
        one = nemenyi_test(table)
        np.testing.assert_array_equal(result.pvalue[i], one.pvalue)
        np.testing.assert_array_equal(result.statistic[i], one.statistic)


def test_one_table_gives_plain_values() -> None:
    result = nemenyi_test(demsar())

    assert isinstance(result, NemenyiTestResult)
    assert (result.alternative, result.method, result.reason) == ("two-sided", "studentized range", None)
    assert (result.n_datasets, result.n_classifiers) == (14, 4)
    assert type(result.min_attainable_pvalue) is float
    assert type(result.critical_difference()) is float


def test_data_frame_is_a_table() -> None:
    frame = pd.DataFrame(demsar(), columns=list("abcd"))

    np.testing.assert_array_equal(nemenyi_test(frame).pvalue, nemenyi_test(demsar()).pvalue)


@pytest.mark.parametrize(
    ("scores", "choices", "error", "message"),
    [
        ([1, 2, 3], {}, InvalidValueError, "scores must have the shape (n_datasets, n_classifiers)"),
        ([[1], [2]], {}, InvalidValueError, "2 classifiers"),
        ([[1, 2], [3, np.nan]], {}, InvalidValueError, "scores must be finite, but scores[1, 1] is nan"),
        ([[1, 2]], {"greater_is_better": "yes"}, InvalidTypeError, "greater_is_better must be True or False"),
        ([[1, 2]], {"tie_tolerance": -1}, InvalidValueError, "tie_tolerance must be 0 or a power of ten"),
    ],
)
def test_messages(scores: object, choices: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        nemenyi_test(scores, **choices)

    assert message in str(caught.value)


@pytest.mark.parametrize("alpha", [0, 1, -0.05, 5, np.nan])
def test_alpha_lies_between_0_and_1(alpha: float) -> None:
    with pytest.raises(InvalidValueError, match="alpha must lie between 0 and 1"):
        nemenyi_test(demsar()).critical_difference(alpha)
