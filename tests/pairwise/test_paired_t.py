"""All pairs at once must be the loop over pairs of the paired t-test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalstats import adjust_pairwise, adjust_pvalues, paired_ttest
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.pairwise import pairwise_paired_ttest

SCORES = np.random.default_rng(1).normal(size=(12, 5))
SINGLE = ("statistic", "mean_difference", "standard_error", "cohen_dz")


def test_hand_computed_case() -> None:
    """Differences 1, 2, 3 have the mean 2 and the standard error 1 / sqrt(3); with 2 df there is a closed form."""
    t = 2 * math.sqrt(3)

    result = pairwise_paired_ttest([[3, 2], [5, 3], [4, 1]])

    assert result.statistic == pytest.approx(np.array([[0, t], [-t, 0]]), rel=1e-14)
    assert result.pvalue[0, 1] == pytest.approx(1 - t / math.sqrt(t**2 + 2), rel=1e-13)
    assert (result.mean_difference[0, 1], result.mean_difference[1, 0], result.df) == (2, -2, 2)


def test_each_pair_is_that_of_scipy() -> None:
    result = pairwise_paired_ttest(SCORES)

    for i, j in ((0, 1), (2, 4), (4, 3)):
        assert result.unadjusted_pvalue[i, j] == pytest.approx(
            stats.ttest_rel(SCORES[:, i], SCORES[:, j]).pvalue, rel=1e-12
        )


@pytest.mark.parametrize("scale", [1, 1e-200, 1e200])
def test_each_pair_is_the_paired_ttest(scale: float) -> None:
    scores = scale * SCORES
    result = pairwise_paired_ttest(scores)
    low, high = result.confidence_interval(0.9)

    for i, j in np.ndindex(5, 5):
        one = paired_ttest(scores[:, i], scores[:, j])
        assert result.unadjusted_pvalue[i, j] == one.pvalue
        assert [getattr(result, name)[i, j] for name in SINGLE] == [getattr(one, name) for name in SINGLE]
        assert i == j or (low[i, j], high[i, j]) == tuple(one.confidence_interval(0.9))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_each_other_against_the_control(alternative: str) -> None:
    result = pairwise_paired_ttest(SCORES, control=2, alternative=alternative, adjust="hommel")
    others = [0, 1, 3, 4]
    loop = [paired_ttest(SCORES[:, i], SCORES[:, 2], alternative=alternative) for i in others]

    assert result.unadjusted_pvalue[others].tolist() == [one.pvalue for one in loop]
    assert result.pvalue[others].tolist() == adjust_pvalues([one.pvalue for one in loop], "hommel").tolist()
    for name in SINGLE:
        assert getattr(result, name)[others].tolist() == [getattr(one, name) for one in loop]
        assert math.isnan(getattr(result, name)[2])


def test_adjusted_as_all_pairs() -> None:
    for adjust in ("holm", "shaffer", "bergmann-hommel"):
        result = pairwise_paired_ttest(SCORES, adjust=adjust)
        np.testing.assert_array_equal(result.pvalue, adjust_pairwise(result.unadjusted_pvalue, adjust))


@pytest.mark.parametrize("control", [None, 1])
def test_batch_is_its_members(control: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(2).random((2, 3, 9, 4))
    scores[1, 1, :, 0] = scores[1, 1, :, 2]
    monkeypatch.setattr(which_pairs, "NUMBERS_AT_ONCE", 100)
    batch = pairwise_paired_ttest(scores, control=control)

    for at in np.ndindex(2, 3):
        member = pairwise_paired_ttest(scores[at], control=control)
        for name in (*SINGLE, "pvalue"):
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        assert (batch.reason[at], batch.method[at]) == (member.reason, member.method)


def test_relabeling_permutes_the_result() -> None:
    order = [3, 0, 4, 1, 2]
    here, there = pairwise_paired_ttest(SCORES), pairwise_paired_ttest(SCORES[:, order])

    for name in (*SINGLE, "pvalue"):
        np.testing.assert_array_equal(getattr(there, name), getattr(here, name)[np.ix_(order, order)])


def test_a_power_of_two_changes_no_pvalue() -> None:
    np.testing.assert_array_equal(pairwise_paired_ttest(SCORES).pvalue, pairwise_paired_ttest(1024 * SCORES).pvalue)


@pytest.mark.parametrize("control", [None, 0])
def test_constant_difference_has_no_pvalue_and_stays_in_the_family(control: int | None) -> None:
    """The second is the first and 0.1, the third is the first: three pairs, one equal and two without variance."""
    first = SCORES[:, 0]
    scores = np.column_stack([first, first + 0.1, first, SCORES[:, 1]])
    result = pairwise_paired_ttest(scores, control=control, adjust="bonferroni")
    row = (lambda m: m) if control == 0 else (lambda m: m[:, 0])

    assert row(result.statistic)[1] == math.inf
    assert math.isnan(row(result.pvalue)[1])
    assert row(result.pvalue)[2] == 1
    n_pairs = 6 if control is None else 3
    assert row(result.pvalue)[3] == min(1, n_pairs * row(result.unadjusted_pvalue)[3])
    n_constant = 2 if control is None else 1
    assert result.reason.startswith(
        f"in 1 of {n_pairs} pairs, the scores are equal in every row; in {n_constant} of {n_pairs} pairs, the "
        "scores differ by the same amount"
    )


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        ([1, 2], {}, "scores must have the shape"),
        ([[1, 2]], {}, "scores must hold at least 2 datasets"),
        ([[1], [2]], {}, "2 classifiers"),
        ([[1, 2], [math.nan, 3]], {}, r"scores must be finite, but scores\[1, 0\] is nan"),
        ([[1e308, -1e308], [1, 2]], {}, "must be finite"),
        ([[1, 2], [2, 4]], {"control": 2}, "control must be an index from 0 to 1, not 2"),
        ([[1, 2], [2, 4]], {"adjust": "no"}, "adjust must be 'none' or "),
        ([[1, 2], [2, 4]], {"alternative": "less"}, "alternative must be 'two-sided' without a control, not 'less'"),
        ([[1, 2], [2, 4]], {"tie_tolerance": 0.3}, "tie_tolerance must be 0 or a power of ten"),
    ],
)
def test_what_is_refused(scores: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_paired_ttest(scores, **choices)
