"""Pairs that lack scores are compared where both have them; of a complete table that is the test of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import InvalidValueError, pairwise_wilcoxon_test, report
from evalstats.pairwise import pairwise_sign_test
from evalstats.pairwise.common_datasets import common_datasets_test

SCORES = np.round(np.random.default_rng(0).random((9, 4)), 2)
NAN = np.nan
SAME = ("pvalue", "unadjusted_pvalue", "min_attainable_pvalue", "n_datasets", "adjustment", "control", "method")


def test_hand_computed_case() -> None:
    """A wins all 5 common datasets with B, 3 with C; B and C have 3, of which each wins some."""
    scores = [[9, 1, NAN], [8, 2, NAN], [7, 3, 6], [6, 4, 2], [5, 1, 3]]

    result = common_datasets_test(scores, test="sign", adjust="bonferroni")

    assert result.n_common.tolist() == [[5, 5, 3], [5, 5, 3], [3, 3, 3]]
    assert result.effect.tolist() == [[0, 5, 3], [-5, 0, -1], [-3, 1, 0]]
    assert result.unadjusted_pvalue.tolist() == [[1, 2 / 32, 2 / 8], [2 / 32, 1, 1], [2 / 8, 1, 1]]
    assert result.pvalue.tolist() == [[1, 6 / 32, 6 / 8], [6 / 32, 1, 1], [6 / 8, 1, 1]]
    assert result.min_attainable_pvalue == 6 / 32


@pytest.mark.parametrize("control", [None, 1])
@pytest.mark.parametrize("adjust", ["none", "holm", "hommel"])
def test_complete_table_is_the_test_of_all_pairs(control: int | None, adjust: str) -> None:
    for test, known, effect in (
        ("wilcoxon", pairwise_wilcoxon_test, "rank_biserial"),
        ("sign", pairwise_sign_test, "win_difference"),
    ):
        result, expected = (
            common_datasets_test(SCORES, test=test, control=control, adjust=adjust),
            known(SCORES, control=control, adjust=adjust),
        )

        for name in SAME:
            np.testing.assert_array_equal(getattr(result, name), getattr(expected, name), name)
        others = ~np.eye(4, dtype=bool) if control is None else np.arange(4) != control
        np.testing.assert_array_equal(result.statistic[others], expected.statistic[others])
        np.testing.assert_array_equal(result.effect[others], getattr(expected, effect)[others])


@pytest.mark.parametrize("adjust", ["shaffer", "bergmann-hommel"])
def test_adjustments_of_pairs_alone(adjust: str) -> None:
    result, expected = common_datasets_test(SCORES, adjust=adjust), pairwise_wilcoxon_test(SCORES, adjust=adjust)

    assert result.pvalue.tolist() == expected.pvalue.tolist()
    assert result.min_attainable_pvalue == expected.min_attainable_pvalue


def test_nothing_in_common() -> None:
    result = common_datasets_test([[1, 2, NAN], [2, 5, NAN], [NAN, 1, 1], [NAN, 2, 2]], control=0)

    np.testing.assert_array_equal(result.pvalue, [NAN, 1, NAN])
    assert result.n_common.tolist() == [0, 2, 0]
    assert result.reason == "in 1 of 2 pairs, there is no common dataset"
    assert common_datasets_test([[1, 2, NAN], [NAN, 1, 1]]).reason == (
        "in 1 of 3 pairs, there is no common dataset; in 1 of 3 pairs, the scores are equal on every common "
        "dataset, so there is no difference to test"
    )
    assert np.isnan(common_datasets_test([[1, NAN], [NAN, 1]]).min_attainable_pvalue)


def test_sentence() -> None:
    scores = [[9, 1, NAN], [8, 2, NAN], [7, 3, 6], [6, 4, 2], [5, 1, 3]]

    assert report.sentence(common_datasets_test(scores, test="sign")) == (
        "Sign tests of 3 classifiers on the common datasets of each pair (5 datasets in total): the smallest of 3 "
        "adjusted p-values is 0.188 (binomial distribution)."
    )


def test_messages() -> None:
    with pytest.raises(InvalidValueError, match="test must be 'wilcoxon' or 'sign', not 't'"):
        common_datasets_test(SCORES, test="t")
    with pytest.raises(InvalidValueError, match="scores must be finite, but"):
        common_datasets_test([[1, np.inf], [1, 2]])


def test_a_batch_is_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"scores must have the shape \(n_datasets, n_classifiers\)"):
        common_datasets_test(np.ones((2, 4, 3)))
