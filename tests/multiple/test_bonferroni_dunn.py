"""The Bonferroni-Dunn test: several classifiers against a control."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult, bonferroni_dunn_test
from evalstats.multiple.nemenyi import nemenyi_test

tables = hnp.arrays(float, st.tuples(st.integers(1, 9), st.integers(2, 6)), elements=st.integers(0, 20).map(float))


def demsar() -> np.ndarray:
    return np.array(example_table("demsar-2006").scores)


def frame(*columns: object) -> pd.DataFrame:
    return pd.DataFrame(demsar(), columns=list(columns))


def by_definition(scores: np.ndarray, control: int) -> tuple[np.ndarray, np.ndarray]:
    """Statistic and p-value, one classifier at a time, from the words of Demšar (2006), section 3.2.2."""
    n, k = scores.shape
    mean_ranks = np.mean([stats.rankdata(-row) for row in scores], axis=0)
    statistic, pvalue = np.full(k, np.nan), np.full(k, np.nan)
    for i in set(range(k)) - {control}:
        statistic[i] = (mean_ranks[i] - mean_ranks[control]) / math.sqrt(k * (k + 1) / (6 * n))
        pvalue[i] = min(1, (k - 1) * math.erfc(abs(statistic[i]) / math.sqrt(2)))
    return statistic, pvalue


def test_three_classifiers_by_hand() -> None:
    """The first wins all three datasets: rank differences 1 and 2, standard error sqrt(2/3), two comparisons."""
    result = bonferroni_dunn_test([[9, 5, 1], [8, 6, 2], [7, 6, 5]], control=0)

    assert result.statistic[1:] == pytest.approx([math.sqrt(1.5), math.sqrt(6)], rel=1e-15)
    assert result.pvalue[1:] == pytest.approx([2 * math.erfc(math.sqrt(0.75)), 2 * math.erfc(math.sqrt(3))], rel=1e-14)
    assert np.isnan([result.statistic[0], result.pvalue[0]]).all()


def test_demsar_critical_difference() -> None:
    """Demšar (2006), section 3.2.2: q 2.394 and CD 1.16, which is 1.168 cut off."""
    result = bonferroni_dunn_test(demsar(), control=0)

    assert result.critical_difference() == pytest.approx(1.168142531, rel=1e-9)


def test_demsar_table_6_against_plain_c45() -> None:
    """The paper: with C4.5 as the control only C4.5+m+cf differs, in the printed scores by 1.214 ranks."""
    result = bonferroni_dunn_test(demsar(), control=0)

    assert (result.pvalue[1:] <= 0.05).tolist() == [False, False, True]
    assert result.mean_ranks[0] - result.mean_ranks[3] == pytest.approx(17 / 14, rel=1e-14)


def test_demsar_pvalues_of_single_comparisons() -> None:
    """Demšar (2006), section 3.2.2: .016, .019 and .607; on voting his unrounded scores were no tie."""
    scores = demsar()
    voting = list(example_table("demsar-2006").datasets).index("voting")
    scores[voting, 2] += 1e-5

    result = bonferroni_dunn_test(scores, control=0)

    single = stats.norm.sf(abs(result.statistic[1:])) * 2
    assert single == pytest.approx([0.01917248476, 0.6084078002, 0.01571998021], rel=1e-9)


def test_raeder_table_1_critical_difference() -> None:
    """Raeder, Hoens & Chawla (2010), Table I: .709 for three ways to validate on 20 datasets."""
    result = bonferroni_dunn_test(np.zeros((20, 3)), control=2)

    assert result.critical_difference(alpha=0.05) == pytest.approx(0.7087937773, rel=1e-9)


@given(tables, st.data())
def test_follows_the_definition(scores: np.ndarray, data: st.DataObject) -> None:
    control = data.draw(st.integers(0, scores.shape[1] - 1))
    statistic, pvalue = by_definition(scores, control)

    result = bonferroni_dunn_test(scores, control=control)

    np.testing.assert_allclose(result.statistic, statistic, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(result.pvalue, pvalue, rtol=1e-12)


@given(tables)
def test_statistic_is_a_column_of_nemenyi(scores: np.ndarray) -> None:
    """The two tests differ in the family of comparisons only."""
    result = bonferroni_dunn_test(scores, control=1)

    np.testing.assert_array_equal(np.delete(result.statistic, 1), np.delete(nemenyi_test(scores).statistic[:, 1], 1))


@given(tables)
def test_two_classifiers_are_one_comparison(scores: np.ndarray) -> None:
    """Without other columns nothing is adjusted: Nemenyi's test says the same."""
    pair = scores[:, :2]

    expected = nemenyi_test(pair).pvalue[0, 1]

    assert bonferroni_dunn_test(pair, control=0).pvalue[1] == pytest.approx(expected, rel=1e-12)


@given(tables, st.floats(0.001, 0.999))
def test_critical_difference_decides_as_the_pvalue(scores: np.ndarray, alpha: float) -> None:
    result = bonferroni_dunn_test(scores, control=0)
    difference = np.abs(result.mean_ranks - result.mean_ranks[0])[1:]

    np.testing.assert_array_equal(difference >= result.critical_difference(alpha), result.pvalue[1:] <= alpha)


@given(tables)
def test_the_pvalue_of_a_comparison_is_the_alpha_of_its_difference(scores: np.ndarray) -> None:
    """At the boundary the two ways to decide meet: to rounding, and where they could part p <= alpha decides."""
    result = bonferroni_dunn_test(scores, control=0)
    difference = np.abs(result.mean_ranks - result.mean_ranks[0])

    for d, p in zip(difference[1:], result.pvalue[1:], strict=True):
        if p < 0.999:
            assert result.critical_difference(alpha=p) == pytest.approx(d, rel=1e-12)


@given(tables)
def test_no_comparison_is_below_the_smallest_pvalue(scores: np.ndarray) -> None:
    result = bonferroni_dunn_test(scores, control=0)

    assert np.nanmin(result.pvalue) >= result.min_attainable_pvalue


def test_far_tail_is_no_zero() -> None:
    """P(|Z| >= 30) is 9.8e-198 by the asymptotic series, and doubles for two comparisons."""
    result = bonferroni_dunn_test(np.tile([3.0, 2.0, 1.0], (450, 1)), control=0)

    z, series = 30.0, 1 - 1 / 30**2 + 3 / 30**4 - 15 / 30**6 + 105 / 30**8
    assert result.statistic[2] == pytest.approx(z, rel=1e-15)
    assert result.pvalue[2] == pytest.approx(4 * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / z * series, rel=1e-11)
    assert result.pvalue[2] == result.min_attainable_pvalue


def test_all_tied_has_a_reason_and_no_difference() -> None:
    result = bonferroni_dunn_test([[0.5, 0.5, 0.5], [0.7, 0.7, 0.7]], control=1)

    np.testing.assert_array_equal(result.pvalue, [1, np.nan, 1])
    assert result.reason == "all classifiers are tied on every dataset"


def test_ties_to_twelve_digits() -> None:
    """0.1 + 0.2 and 0.3 are a tie, unless bits are compared."""
    scores = [[0.1 + 0.2, 0.3], [0.5, 0.5]]

    assert bonferroni_dunn_test(scores, control=0).statistic[1] == 0
    assert bonferroni_dunn_test(scores, control=0, tie_tolerance=0).statistic[1] > 0


def test_batch_is_a_loop() -> None:
    scores = np.random.default_rng(7).random((5, 3, 10, 4)).round(1)
    scores[4, 2] = 0.5

    result = bonferroni_dunn_test(scores, control=2)

    assert result.statistic.shape == result.mean_ranks.shape == (5, 3, 4)
    assert result.method.shape == result.reason.shape == (5, 3)
    assert result.reason[4, 2] is not None
    for at in np.ndindex(5, 3):
        one = bonferroni_dunn_test(scores[at], control=2)
        np.testing.assert_array_equal(result.pvalue[at], one.pvalue)
        np.testing.assert_array_equal(result.statistic[at], one.statistic)


def test_one_table_gives_plain_values() -> None:
    result = bonferroni_dunn_test(demsar(), control=np.int64(2))

    assert isinstance(result, BonferroniDunnTestResult)
    assert (result.alternative, result.method, result.reason) == ("two-sided", "normal", None)
    assert (result.n_datasets, result.n_classifiers, result.control) == (14, 4, 2)
    assert type(result.control) is int
    assert type(result.min_attainable_pvalue) is float


@pytest.mark.parametrize(
    ("columns", "control", "place"),
    [
        (("a", "b", "c", "d"), "c", 2),
        (("a", "b", "c", "d"), 3, 3),  # an index where no name is a number
        ((3, 2, 1, 0), 3, 0),  # a name goes before an index
        ((("x", 1), ("x", 2), ("y", 1), ("y", 2)), ("y", 1), 2),
    ],
)
def test_control_is_a_name_or_an_index(columns: tuple[object, ...], control: object, place: int) -> None:
    result = bonferroni_dunn_test(frame(*columns), control=control)

    assert (result.control, np.isnan(result.pvalue).nonzero()[0].tolist()) == (columns[place], [place])


@pytest.mark.parametrize(
    ("scores", "control", "error", "message"),
    [
        (demsar(), 4, InvalidValueError, "control must be an index from 0 to 3, not 4"),
        (demsar(), -1, InvalidValueError, "control must be an index from 0 to 3, not -1"),
        (demsar(), "C4.5", InvalidTypeError, "control must be the index of a column, not 'C4.5'"),
        (demsar(), True, InvalidTypeError, "control must be the index of a column, not True"),
        (demsar(), 1.0, InvalidTypeError, "control must be the index of a column, not 1.0"),
        (frame(*"abcd"), "e", InvalidValueError, "control must be one of 'a', 'b', 'c', 'd', not 'e'"),
        (frame(*"abcd"), 4, InvalidValueError, "control must be an index from 0 to 3, not 4"),
        (frame(*"abcd"), None, InvalidValueError, "control must be one of 'a', 'b', 'c', 'd', not None"),
        (frame(*"abcd"), ["a"], InvalidTypeError, "control must be the index of a column or the name of a column"),
        (frame(10, 20, 30, 40), 1, InvalidValueError, "control must be one of 10, 20, 30, 40, not 1"),
        (
            frame(*"abca"),
            "a",
            InvalidValueError,
            "the columns of scores must have different names, but 'a' occurs twice",
        ),
        ([[1, 2], [3, np.inf]], 0, InvalidValueError, "scores must be finite, but scores[1, 1] is inf"),
    ],
)
def test_messages(scores: object, control: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        bonferroni_dunn_test(scores, control=control)

    assert message in str(caught.value)
