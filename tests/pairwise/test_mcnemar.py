from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import adjust_pairwise, adjust_pvalues, mcnemar_test, pairwise_mcnemar_test
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import PairwiseTestResult

METHODS = ["exact", "midp", "asymptotic"]
any_method = pytest.mark.parametrize("method", METHODS)

RNG = np.random.default_rng(1)
CORRECT = RNG.random((80, 5)) < [0.95, 0.9, 0.8, 0.7, 0.7]
GROUPS = RNG.integers(0, 20, 80)


def test_three_classifiers_by_hand() -> None:
    """3 against 1, 12 against 0 and 10 against 0; Holm's factors are 3, 2 and 1."""
    correct = [[1, 1, 0]] * 9 + [[1, 0, 0]] * 3 + [[0, 1, 0]] + [[1, 1, 1]] * 7

    result = pairwise_mcnemar_test(correct)

    assert result.n_only.tolist() == [[0, 3, 12], [1, 0, 10], [0, 0, 0]]
    assert result.n_discordant.tolist() == [[0, 4, 12], [4, 0, 10], [12, 10, 0]]
    assert result.unadjusted_pvalue[0].tolist() == [1, 10 / 16, 2 / 2**12]
    assert result.pvalue[2].tolist() == [6 / 2**12, 4 / 2**10, 1]
    np.testing.assert_allclose(result.difference[0], [0, 2 / 20, 12 / 20], rtol=1e-15)
    assert (result.n_instances, result.n_classifiers, result.n_clusters, result.control) == (20, 3, None, None)


@any_method
@pytest.mark.parametrize("correction", [True, False])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["samples", "groups"])
def test_each_pair_is_mcnemar_test(method: str, correction: bool, groups: Any) -> None:
    result = pairwise_mcnemar_test(CORRECT, method=method, correction=correction, clusters=groups)

    for i, j in np.ndindex(5, 5):
        pair = mcnemar_test(CORRECT[:, i], CORRECT[:, j], method=method, correction=correction, clusters=groups)
        assert result.statistic[i, j] == pair.statistic
        assert result.unadjusted_pvalue[i, j] == pytest.approx(pair.pvalue, rel=1e-14)
        assert result.difference[i, j] == pytest.approx(pair.difference, rel=1e-14)
        assert (result.n_only[i, j], result.n_discordant[i, j]) == (pair.table[0, 1], pair.n_discordant)
    np.testing.assert_array_equal(result.pvalue, adjust_pairwise(result.unadjusted_pvalue, "holm"))


@any_method
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["samples", "groups"])
def test_control_is_compared_with_all_others(method: str, alternative: str, groups: Any) -> None:
    choices: dict[str, Any] = {"method": method, "alternative": alternative, "clusters": groups}

    result = pairwise_mcnemar_test(CORRECT, control=2, adjust="hommel", **choices)

    others = [0, 1, 3, 4]
    pairs = [mcnemar_test(CORRECT[:, i], CORRECT[:, 2], **choices) for i in others]
    np.testing.assert_allclose(result.unadjusted_pvalue[others], [p.pvalue for p in pairs], rtol=1e-14)
    np.testing.assert_array_equal(result.statistic[others], [p.statistic for p in pairs])
    np.testing.assert_array_equal(result.n_only[others], [p.table[0, 1] for p in pairs])
    np.testing.assert_array_equal(result.pvalue[others], adjust_pvalues(result.unadjusted_pvalue[others], "hommel"))
    for values in (result.statistic, result.pvalue, result.unadjusted_pvalue, result.difference):
        assert np.isnan(values[2])
    assert (result.n_only[2], result.n_discordant[2], result.control) == (0, 0, 2)


def test_control_may_be_named() -> None:
    named = pd.DataFrame(CORRECT, columns=list("abcde"))

    np.testing.assert_array_equal(
        pairwise_mcnemar_test(named, control="d").pvalue, pairwise_mcnemar_test(CORRECT, control=3).pvalue
    )


@any_method
def test_order_of_the_classifiers_does_not_matter(method: str) -> None:
    order = [3, 0, 4, 2, 1]

    here, there = pairwise_mcnemar_test(CORRECT, method=method), pairwise_mcnemar_test(CORRECT[:, order], method=method)

    np.testing.assert_array_equal(there.pvalue, here.pvalue[np.ix_(order, order)])
    np.testing.assert_array_equal(there.statistic, here.statistic[np.ix_(order, order)])


@any_method
@pytest.mark.parametrize("control", [None, 1])
@pytest.mark.parametrize("groups", [None, np.arange(12) // 3], ids=["samples", "groups"])
def test_batch_equals_the_loop(method: str, control: int | None, groups: Any) -> None:
    correct = np.random.default_rng(2).random((2, 3, 12, 4)) < 0.7
    correct[0, 1, :, 2] = correct[0, 1, :, 1]

    batch = pairwise_mcnemar_test(correct, method=method, control=control, clusters=groups)

    for at in np.ndindex(2, 3):
        member = pairwise_mcnemar_test(correct[at], method=method, control=control, clusters=groups)
        for name in ("statistic", "pvalue", "unadjusted_pvalue", "difference", "n_only", "n_discordant", "accuracies"):
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        assert (batch.reason[at], batch.method[at]) == (member.reason, member.method)


def test_blocks_of_pairs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = pairwise_mcnemar_test(CORRECT, clusters=GROUPS)

    monkeypatch.setattr(which_pairs, "NUMBERS_AT_ONCE", 45)
    result = pairwise_mcnemar_test(CORRECT, clusters=GROUPS)

    np.testing.assert_array_equal(result.pvalue, expected.pvalue)


def test_many_classifiers_are_the_same_as_few() -> None:
    """Equal tails are computed once, to the same bit."""
    correct = np.random.default_rng(3).random((200, 60)) < 0.8

    result = pairwise_mcnemar_test(correct, adjust="none")

    few = pairwise_mcnemar_test(correct[:, 40:50], adjust="none")
    np.testing.assert_array_equal(result.pvalue[40:50, 40:50], few.pvalue)


@any_method
def test_classifiers_that_are_right_together_give_p_one_and_a_reason(method: str) -> None:
    correct = np.column_stack([CORRECT[:, 0], CORRECT[:, 0], CORRECT[:, 4]])

    result = pairwise_mcnemar_test(correct, method=method)

    assert result.pvalue[0, 1] == 1
    assert (
        result.reason
        == "in 1 of 3 pairs, both classifiers are correct for the same instances, so there is nothing to test"
    )
    assert pairwise_mcnemar_test(CORRECT, method=method).reason is None


def test_result_is_a_record() -> None:
    result = pairwise_mcnemar_test(CORRECT)

    statistic, pvalue = result
    assert isinstance(result, PairwiseTestResult)
    assert (statistic is result.statistic, pvalue is result.pvalue, result.adjustment) == (True, True, "holm")
    assert json.loads(json.dumps(result.to_dict()))["n_instances"] == 80


@pytest.mark.parametrize(
    ("correct", "choices", "message"),
    [
        (CORRECT.astype(float), {}, r"correct must be boolean, .* but correct\[0, 0\] is 1.0"),
        ([True, False], {}, r"correct must have the shape \(n_instances, n_classifiers\)"),
        ([[True], [False]], {}, "2 classifiers"),
        (CORRECT, {"control": 5}, "control must be an index from 0 to 4, not 5"),
        (CORRECT, {"control": "a"}, "control must be the index of a column, not 'a'"),
        (CORRECT, {"adjust": "tukey"}, "adjust must be 'none' or "),
        (CORRECT, {"method": "chi2"}, "method must be 'exact' or 'midp' or 'asymptotic', not 'chi2'"),
        (CORRECT, {"correction": 0}, "correction must be True or False, not 0"),
        (CORRECT, {"alternative": "less"}, "alternative must be 'two-sided' without a control, not 'less'"),
        (CORRECT, {"clusters": [1, 2, 3]}, "clusters must name one cluster for each of the 80 instances"),
    ],
)
def test_bad_arguments_are_refused(correct: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        pairwise_mcnemar_test(correct, **choices)
