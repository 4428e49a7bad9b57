"""All pairs at once must be the loop over pairs of the sign test."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import adjust_pairwise, adjust_pvalues, sign_test
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.examples import example_table
from evalstats.pairwise import pairwise_sign_test

SCORES = np.round(np.random.default_rng(1).random((12, 5)), 1)  # with ties
SINGLE = ("statistic", "n_wins", "n_ties")


def test_hand_computed_case() -> None:
    """Of 5 datasets A wins 4 and ties 1 with B, and wins 3 and loses 2 against C; C wins all against B."""
    scores = [[3, 1, 2], [3, 1, 2], [3, 1, 2], [3, 1, 4], [1, 1, 4]]

    result = pairwise_sign_test(scores)

    assert result.statistic.tolist() == [[0, 4, 3], [0, 0, 0], [2, 5, 0]]
    assert result.win_difference.tolist() == [[0, 4, 1], [-4, 0, -5], [-1, 5, 0]]
    assert result.n_ties.tolist() == [[5, 1, 0], [1, 5, 0], [0, 0, 5]]
    assert result.unadjusted_pvalue.tolist() == [[1, 0.125, 1], [0.125, 1, 0.0625], [1, 0.0625, 1]]
    assert result.pvalue.tolist() == [[1, 0.25, 1], [0.25, 1, 0.1875], [1, 0.1875, 1]]


def test_demsar_counts_a_tie_to_each() -> None:
    """Demšar (2006), section 3.1.4: C4.5+m is better than C4.5 on eleven of 14 datasets, with one of their two ties.

    The normal approximation of table 3 there makes eleven significant at 0.05; exactly, p is above it.
    """
    result = pairwise_sign_test(example_table("demsar-2006").scores, ties="split", adjust="none")

    assert (result.statistic[1, 0], result.n_ties[1, 0]) == (11, 2)
    assert result.win_difference[1, 0] == 8
    assert result.pvalue[1, 0] == 2 * (1 + 14 + 91 + 364) / 2**14


@pytest.mark.parametrize("ties", ["drop", "split", "keep"])
@pytest.mark.parametrize("tie_tolerance", [0, 1e-12, 0.1])
def test_each_pair_is_the_sign_test(ties: str, tie_tolerance: float) -> None:
    result = pairwise_sign_test(SCORES, ties=ties, tie_tolerance=tie_tolerance)

    for i, j in np.ndindex(5, 5):
        one = sign_test(SCORES[:, i], SCORES[:, j], ties=ties, tie_tolerance=tie_tolerance)
        assert result.unadjusted_pvalue[i, j] == one.pvalue
        assert result.win_difference[i, j] == one.n_wins - one.n_losses
        assert [getattr(result, name)[i, j] for name in SINGLE] == [getattr(one, name) for name in SINGLE]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_each_other_against_the_control(alternative: str) -> None:
    result = pairwise_sign_test(SCORES, control=2, alternative=alternative, adjust="hommel")
    others = [0, 1, 3, 4]
    loop = [sign_test(SCORES[:, i], SCORES[:, 2], alternative=alternative) for i in others]

    assert result.unadjusted_pvalue[others].tolist() == [one.pvalue for one in loop]
    assert result.pvalue[others].tolist() == adjust_pvalues([one.pvalue for one in loop], "hommel").tolist()
    assert result.win_difference[others].tolist() == [one.n_wins - one.n_losses for one in loop]
    assert np.isnan([result.statistic[2], result.pvalue[2], result.unadjusted_pvalue[2]]).all()


def test_adjusted_as_all_pairs() -> None:
    for adjust in ("holm", "shaffer", "bergmann-hommel"):
        result = pairwise_sign_test(SCORES, adjust=adjust)
        np.testing.assert_array_equal(result.pvalue, adjust_pairwise(result.unadjusted_pvalue, adjust))


@pytest.mark.parametrize("control", [None, 1])
def test_batch_is_its_members(control: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.round(np.random.default_rng(2).random((2, 3, 8, 4)), 1)
    scores[1, 1, :, 0] = scores[1, 1, :, 2]
    monkeypatch.setattr(which_pairs, "NUMBERS_AT_ONCE", 100)
    batch = pairwise_sign_test(scores, control=control)

    for at in np.ndindex(2, 3):
        member = pairwise_sign_test(scores[at], control=control)
        for name in ("statistic", "pvalue", "win_difference", "n_wins", "n_ties"):
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        assert (batch.reason[at], batch.method[at]) == (member.reason, member.method)


def test_relabeling_permutes_the_result() -> None:
    order = [3, 0, 4, 1, 2]
    here, there = pairwise_sign_test(SCORES), pairwise_sign_test(SCORES[:, order])

    for name in ("statistic", "pvalue", "win_difference"):
        np.testing.assert_array_equal(getattr(there, name), getattr(here, name)[np.ix_(order, order)])


@pytest.mark.parametrize(("n", "ties"), [(1, "drop"), (6, "drop"), (6, "split"), (6, "keep"), (40, "drop")])
def test_smallest_pvalue_is_reached_where_the_order_is_always_the_same(n: int, ties: str) -> None:
    result = pairwise_sign_test(np.tile([3, 2, 1], (n, 1)), ties=ties)

    assert result.min_attainable_pvalue == result.pvalue.min() == min(1, 3 * 2.0 ** (1 - n))


def test_exact_far_into_the_tail() -> None:
    result = pairwise_sign_test(np.tile([2, 1], (200, 1)))

    assert result.pvalue[0, 1] == 2.0**-199


def test_identical_classifiers_give_p_one_and_a_reason() -> None:
    result = pairwise_sign_test([[1, 1, 2], [3, 3, 1]])

    assert result.pvalue[0, 1] == 1
    reason = "in 1 of 3 pairs, the scores are equal in every row, so there are no wins and losses to test"
    assert result.reason == reason


def test_noise_of_floating_point_is_a_tie() -> None:
    scores = [[0.1 + 0.2, 0.3]] * 4

    assert pairwise_sign_test(scores).n_ties[0, 1] == 4
    assert pairwise_sign_test(scores, tie_tolerance=0).n_wins[0, 1] == 4


def test_many_pairs_are_symmetric() -> None:
    scores = np.round(np.random.default_rng(3).random((20, 30)), 1)
    result = pairwise_sign_test(pd.DataFrame(scores))

    np.testing.assert_array_equal(result.pvalue, result.pvalue.T)
    np.testing.assert_array_equal(result.win_difference, -result.win_difference.T)
    assert all(result.pvalue[i, j] >= result.unadjusted_pvalue[i, j] for i, j in combinations(range(30), 2))


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        ([1, 2], {}, "scores must have the shape"),
        ([[1], [2]], {}, "2 classifiers"),
        ([[1, np.nan]], {}, r"scores must be finite, but scores\[0, 1\] is nan"),
        ([[1, 2]], {"control": 2}, "control must be an index from 0 to 1, not 2"),
        ([[1, 2]], {"adjust": "no"}, "adjust must be 'none' or "),
        ([[1, 2]], {"adjust": "shaffer", "control": 0}, "adjust must be 'none' or .*, not 'shaffer'"),
        ([[1, 2]], {"alternative": "less"}, "alternative must be 'two-sided' without a control, not 'less'"),
        ([[1, 2]], {"alternative": "more"}, "alternative must be 'two-sided' or 'less' or 'greater'"),
        ([[1, 2]], {"ties": "half"}, "ties must be 'drop' or 'split' or 'keep', not 'half'"),
        ([[1, 2]], {"tie_tolerance": 0.3}, "tie_tolerance must be 0 or a power of ten"),
    ],
)
def test_what_is_refused(scores: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_sign_test(scores, **choices)
