from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from evalstats import adjust_pvalues, delong_test
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.metrics import delong_covariance
from evalstats.pairwise.delong import PairwiseDeLongTestResult, pairwise_delong_test

RNG = np.random.default_rng(5)
Y_TRUE = RNG.permutation(np.repeat([0, 1], [30, 20]))
SCORES = (Y_TRUE[:, None] * [2.0, 1.5, 0.5, 0.0] + RNG.normal(size=(50, 4))).round(1)


def test_each_pair_is_its_own_test() -> None:
    result = pairwise_delong_test(Y_TRUE, SCORES, adjust="none", df="infinite")

    for i in range(4):
        for j in range(4):
            alone = delong_test(Y_TRUE, SCORES[:, i], SCORES[:, j], df="infinite")
            assert (result.statistic[i, j], result.pvalue[i, j]) == (alone.statistic, alone.pvalue)
            assert (result.difference[i, j], result.standard_error[i, j]) == (alone.difference, alone.standard_error)
    np.testing.assert_array_equal(result.pvalue, result.unadjusted_pvalue)
    assert (result.adjustment, result.control, result.n_classifiers) == ("none", None, 4)


def test_areas_and_covariance_are_those_of_the_estimate() -> None:
    auc, covariance = delong_covariance(Y_TRUE, SCORES.T)

    result = pairwise_delong_test(Y_TRUE, SCORES, df="infinite")

    np.testing.assert_array_equal(result.auc, auc)
    np.testing.assert_array_equal(result.covariance, covariance)
    assert (result.n_positive, result.n_negative) == (20, 30)


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "hommel", "bh"])
def test_pairs_are_one_family(adjust: str) -> None:
    i, j = np.triu_indices(4, 1)
    result = pairwise_delong_test(Y_TRUE, SCORES, adjust=adjust, df="infinite")

    np.testing.assert_array_equal(result.pvalue[i, j], adjust_pvalues(result.unadjusted_pvalue[i, j], adjust))
    np.testing.assert_array_equal(result.pvalue, result.pvalue.T)
    np.testing.assert_array_equal(np.diag(result.pvalue), 1)


@pytest.mark.parametrize("control", range(4))
def test_control_is_compared_with_all_others(control: int) -> None:
    others = np.arange(4) != control
    pairs = pairwise_delong_test(Y_TRUE, SCORES, adjust="none", df="infinite")

    result = pairwise_delong_test(Y_TRUE, SCORES, control=control, df="infinite")

    assert math.isnan(result.pvalue[control])
    np.testing.assert_allclose(result.statistic[others], pairs.statistic[others, control], rtol=1e-14)
    np.testing.assert_allclose(result.pvalue[others], adjust_pvalues(pairs.pvalue[others, control]), rtol=1e-13)


def test_relabeling_permutes() -> None:
    order = [2, 0, 3, 1]
    here, there = (
        pairwise_delong_test(Y_TRUE, SCORES, df="infinite"),
        pairwise_delong_test(Y_TRUE, SCORES[:, order], df="infinite"),
    )

    np.testing.assert_allclose(there.statistic, here.statistic[np.ix_(order, order)], rtol=1e-12)
    np.testing.assert_allclose(there.pvalue, here.pvalue[np.ix_(order, order)], rtol=1e-11)


def test_batch_equals_the_loop() -> None:
    """Members of every kind: ordinary, with classifiers that are the same, with one that has no variance."""
    rng = np.random.default_rng(6)
    y_true = rng.permuted(np.tile([0, 0, 0, 1, 1, 1], (4, 1)), axis=1)
    scores = rng.integers(0, 5, (2, 4, 6, 3))
    scores[0, 1] = scores[0, 1, :, :1]
    scores[1, 2, :, 0], scores[1, 2, :, 1] = y_true[2], 3

    for control in (None, 1):
        batch = pairwise_delong_test(y_true, scores, control=control, df="infinite")

        for at in np.ndindex(2, 4):
            member = pairwise_delong_test(y_true[at[1]], scores[at], control=control, df="infinite")
            for name in ("statistic", "pvalue", "unadjusted_pvalue", "auc", "covariance", "difference"):
                np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
            assert (batch.method[at], batch.reason[at]) == (member.method, member.reason)


def test_same_classifiers_have_p_one_and_a_reason() -> None:
    result = pairwise_delong_test(Y_TRUE, np.repeat(SCORES[:, :1], 3, axis=1), df="infinite")

    np.testing.assert_array_equal(result.pvalue, 1)
    assert "all classifiers rank every instance in the same way" in result.reason


def test_pair_without_variance_is_nan_and_counts_in_the_family() -> None:
    y_true = np.repeat([0, 1], 5)
    scores = np.column_stack([np.arange(10), np.zeros(10), [0, 1, 2, 3, 6, 4, 5, 7, 8, 9]])

    result = pairwise_delong_test(y_true, scores, adjust="bonferroni", df="infinite")

    assert math.isnan(result.pvalue[0, 1])
    assert result.statistic[0, 1] == math.inf
    assert result.pvalue[0, 2] == min(1, 3 * result.unadjusted_pvalue[0, 2])
    assert "no variance" in result.reason


def test_result_is_a_record_of_plain_values() -> None:
    result = pairwise_delong_test(Y_TRUE, SCORES, df="infinite")
    statistic, pvalue = result

    assert isinstance(result, PairwiseDeLongTestResult)
    assert isinstance(result, PairwiseTestResult)
    assert statistic.shape == pvalue.shape == (4, 4)
    assert json.loads(json.dumps(result.to_dict()))["n_classifiers"] == 4


@pytest.mark.parametrize(
    ("y_true", "scores", "options", "message"),
    [
        (
            [0, 1, 1],
            [[1, 2], [3, 4]],
            {},
            "y_true and scores must be paired: y_true has 3 instances, scores has 2 rows",
        ),
        ([0, 1], [[1], [2]], {}, r"scores must have the shape \(n_instances, n_classifiers\), with two classifiers"),
        ([0, 1], [[1, np.nan], [2, 3]], {}, r"scores must be finite, but scores\[0, 1\] is nan"),
        ([1, 1], [[1, 2], [2, 3]], {}, "all instances of y_true belong to one class"),
        ([0, 1], [[1, 2], [2, 3]], {"control": 2}, "control must be an index from 0 to 1, not 2"),
        (
            [0, 1],
            [[1, 2], [2, 3]],
            {"adjust": "astrology"},
            "adjust must be 'none' or 'bonferroni' or .*, not 'astrology'",
        ),
        (pd.Series([0, 1]), pd.DataFrame([[1, 2], [2, 3]], index=[1, 0]), {}, "equal indexes"),
    ],
)
def test_bad_arguments_are_refused_by_name(
    y_true: object, scores: object, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_delong_test(y_true, scores, **options, df="infinite")
