"""Tukey's and Dunnett's tests after a repeated-measures ANOVA."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.tukey import dunnett_test, tukey_test

# R 4.2.2, TukeyHSD(aov(score ~ dataset + classifier)) on the tutorial of Japkowicz; absolute error of its p: 1e-12
TUKEYHSD_LOW_AND_HIGH = [(10.93175123351, 15.44424876649), (-1.70524876649, 2.80724876649)]
TUKEYHSD_PVALUES = [4.19950740849e-11, 0.809389289037, 8.53559445346e-11]
# multcomp 1.4-22 on the same, third classifier as control: exact for two comparisons
MULTCOMP_PVALUES = [0.761076084693299, 5.68386449018021e-11]


def tutorial() -> np.ndarray:
    return np.array(example_table("japkowicz-friedman").scores)


def some_scores(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape) + 0.3 * np.arange(shape[-1])


def test_tutorial_against_tukeyhsd() -> None:
    result = tukey_test(tutorial())
    interval = result.confidence_interval(0.95)

    assert result.df == 18
    assert result.mean_difference[0] == pytest.approx([0, 13.188, 0.551], abs=1e-12)
    assert result.pvalue[[0, 0, 1], [1, 2, 2]] == pytest.approx(TUKEYHSD_PVALUES, rel=1e-9, abs=2e-12)
    assert list(zip(interval.low[0, 1:], interval.high[0, 1:], strict=True)) == [
        pytest.approx(limits, rel=1e-6) for limits in TUKEYHSD_LOW_AND_HIGH
    ]


def test_tutorial_against_multcomp() -> None:
    result = dunnett_test(tutorial(), control=2)

    assert result.pvalue[:2] == pytest.approx(MULTCOMP_PVALUES, rel=1e-9, abs=1e-15)
    assert math.isnan(result.pvalue[2])


def test_pvalues_are_those_of_scipys_studentized_range() -> None:
    result = tukey_test(some_scores(6, 4))
    i, j = np.triu_indices(4, 1)
    q = math.sqrt(2) * np.abs(result.statistic[i, j])

    np.testing.assert_allclose(result.pvalue[i, j], stats.studentized_range.sf(q, 4, 15), rtol=1e-9, atol=1e-12)


@pytest.mark.long
def test_largest_of_many_t_against_simulation() -> None:
    """A million draws of the definition: means of five classifiers and one estimate of the variance."""
    rng = np.random.default_rng(2)
    z = rng.normal(size=(1_000_000, 5))
    s = np.sqrt(rng.chisquare(20, 1_000_000) / 20)
    largest = np.abs(z[:, 1:] - z[:, :1]).max(axis=1) / s / math.sqrt(2)

    result = dunnett_test(some_scores(6, 5), control=0)

    simulated = [np.mean(largest >= abs(t)) for t in result.statistic[1:]]
    assert result.pvalue[1:] == pytest.approx(simulated, abs=0.003)


@pytest.mark.parametrize("n", [2, 3, 10])
def test_two_classifiers_are_the_paired_t_test(n: int) -> None:
    scores = some_scores(n, 2)
    t, pvalue = stats.ttest_rel(*scores.T)
    tukey, dunnett = tukey_test(scores), dunnett_test(scores, control=1)

    assert (tukey.statistic[0, 1], dunnett.statistic[0]) == pytest.approx((t, t), rel=1e-12)
    assert (tukey.pvalue[0, 1], dunnett.pvalue[0]) == pytest.approx((pvalue, pvalue), rel=1e-11)
    assert tukey.unadjusted_pvalue[0, 1] == pytest.approx(pvalue, rel=1e-11)


def test_interval_and_smallest_difference_say_what_the_pvalue_says() -> None:
    """A difference of exactly that size has a p-value of alpha."""
    scores = some_scores(7, 4)
    tukey, dunnett = tukey_test(scores), dunnett_test(scores, control=0)

    at = tukey.honest_significant_difference(tukey.pvalue[0, 3])
    against_control = dunnett.smallest_significant_difference(dunnett.pvalue[3])

    assert at == pytest.approx(abs(tukey.mean_difference[0, 3]), rel=1e-9)
    assert against_control == pytest.approx(abs(dunnett.mean_difference[3]), rel=1e-9)
    assert tukey.confidence_interval(1 - tukey.pvalue[3, 0]).low[3, 0] == pytest.approx(0, abs=1e-8)


def test_dunnett_is_between_one_pair_and_all_pairs() -> None:
    scores = some_scores(8, 5)
    tukey, dunnett = tukey_test(scores), dunnett_test(scores, control=2)
    others = [0, 1, 3, 4]

    np.testing.assert_array_equal(dunnett.statistic[others], tukey.statistic[others, 2])
    assert (dunnett.unadjusted_pvalue[others] < dunnett.pvalue[others]).all()
    assert (dunnett.pvalue[others] < tukey.pvalue[others, 2]).all()


def test_family_keeps_its_level() -> None:
    """Of 3,000 tables of equal classifiers 5% have some pair that differs."""
    tables = np.random.default_rng(7).normal(size=(3000, 5, 4))

    assert np.mean(tukey_test(tables).pvalue.min(axis=(1, 2)) <= 0.05) == pytest.approx(0.05, abs=0.013)


def test_matrices_are_symmetric_and_signs_tell_the_larger() -> None:
    result = tukey_test(some_scores(6, 5))

    np.testing.assert_array_equal(result.statistic, -result.statistic.T)
    np.testing.assert_array_equal(result.pvalue, result.pvalue.T)
    np.testing.assert_array_equal(result.pvalue.diagonal(), 1)
    np.testing.assert_array_equal(np.sign(result.statistic), np.sign(result.means[:, None] - result.means))


@pytest.mark.parametrize("test", [tukey_test, lambda scores: dunnett_test(scores, control=1)])
def test_a_batch_is_a_loop(test: Any) -> None:
    tables = some_scores(2, 2, 5, 3)
    tables[0, 0] = 0.5
    tables[0, 1] = np.arange(3)

    batch, interval = test(tables), test(tables).confidence_interval(0.9)

    for at in np.ndindex(2, 2):
        member = test(tables[at])
        for name in ("statistic", "pvalue", "unadjusted_pvalue", "mean_difference", "means"):
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        np.testing.assert_array_equal(interval.low[at], member.confidence_interval(0.9).low)
        assert batch.reason[at] == member.reason


def test_large_scores_lose_nothing() -> None:
    scores = np.random.default_rng(4).integers(0, 50, (7, 4)) / 4.0

    np.testing.assert_allclose(tukey_test(scores + 1e12).pvalue, tukey_test(scores).pvalue, rtol=1e-12)


def test_all_tied() -> None:
    for result in (tukey_test(np.full((4, 3), 0.5)), dunnett_test(np.full((4, 3), 0.5), control=0)):
        assert np.nanmin(result.pvalue) == 1
        assert np.nanmax(np.abs(result.statistic)) == 0
        assert "tied" in result.reason


def test_same_differences_everywhere_have_no_pvalue() -> None:
    result = tukey_test([[0.1, 0.2, 0.1], [0.5, 0.6, 0.5], [0.8, 0.9, 0.8]])

    assert result.statistic[0].tolist() == [0, -np.inf, 0]
    np.testing.assert_array_equal(result.pvalue[0], [1, np.nan, 1])
    np.testing.assert_array_equal(result.unadjusted_pvalue[0], [1, np.nan, 1])
    assert math.isnan(result.honest_significant_difference(0.05))
    assert "so the t distribution does not apply" in result.reason


def test_control_by_name() -> None:
    table = pd.DataFrame(some_scores(5, 3), columns=["svm", "nb", "knn"])

    assert dunnett_test(table, control="nb").control == "nb"


def test_bad_input_is_refused() -> None:
    for test in (tukey_test, lambda scores: dunnett_test(scores, control=0)):
        with pytest.raises(InvalidValueError, match="at least 2 datasets"):
            test([[1, 2, 3]])
    with pytest.raises(InvalidTypeError, match="not None"):
        dunnett_test([[1, 2], [2, 4]], control=None)
    with pytest.raises(InvalidValueError, match="alpha must lie between 0 and 1"):
        tukey_test([[1, 2], [2, 4]]).honest_significant_difference(0)


def test_limits_beyond_the_largest_float_are_infinite() -> None:
    """Means of scores near the largest float have an interval, without a warning."""
    scores = [[0, 1.7e308, -1e307], [0, 1e308, -5e307], [1, 2, 3]]

    for result in (tukey_test(scores), dunnett_test(scores, control=0)):
        low, high = result.confidence_interval(0.95)
        assert np.isinf(high[..., 1]).any() or np.isinf(low[..., 1]).any()


def test_smallest_difference_is_that_at_five_percent_by_default() -> None:
    result = dunnett_test(some_scores(9, 4), control=0)

    assert result.smallest_significant_difference() == result.smallest_significant_difference(0.05)
