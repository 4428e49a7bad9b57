"""All pairs at once must be the loop over pairs of Wilcoxon's test."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from evalstats import adjust_pairwise, adjust_pvalues, pairwise_wilcoxon_test, wilcoxon_test
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.examples import example_table
from evalstats.pairwise import wilcoxon

TIED = np.round(np.random.default_rng(1).random((12, 5)), 1)
UNTIED = np.random.default_rng(2).random((15, 4))
SINGLE = ("statistic", "z", "rank_biserial", "n_zero")
# accuracies (%) of naive Bayes and of a support vector machine on ten datasets, as in wilcoxon_test
NB = [96.43, 73.42, 72.30, 71.70, 71.67, 74.36, 70.63, 83.21, 98.22, 69.62]
SVM = [99.44, 81.34, 91.51, 66.16, 71.67, 77.08, 62.21, 80.63, 93.58, 99.90]


def test_hand_computed_case() -> None:
    """A - B: 1, 2, 3, 4. A - C: 4, -1, 2, 3. B - C: 3, -3, -1, -1."""
    scores = [[5, 4, 1], [5, 3, 6], [5, 2, 3], [5, 1, 2]]

    result = pairwise_wilcoxon_test(scores, adjust="bonferroni")

    assert result.statistic.tolist() == [[0, 10, 9], [0, 0, 3.5], [1, 6.5, 0]]
    assert result.rank_biserial.tolist() == [[0, 1, 0.8], [-1, 0, -0.3], [-0.8, 0.3, 0]]
    assert result.unadjusted_pvalue.tolist() == [[1, 0.125, 0.25], [0.125, 1, 0.75], [0.25, 0.75, 1]]
    assert result.pvalue.tolist() == [[1, 0.375, 0.75], [0.375, 1, 1], [0.75, 1, 1]]


def test_two_classifiers_are_the_tutorial_case() -> None:
    result = pairwise_wilcoxon_test(np.column_stack([NB, SVM]))

    assert result.statistic.tolist() == [[0, 17], [28, 0]]
    assert result.pvalue[0, 1] == result.unadjusted_pvalue[0, 1] == wilcoxon_test(NB, SVM).pvalue


def test_demsar_splits_the_zeros() -> None:
    """Demšar (2006), section 3.1.3: R+ = 93, R- = 12, z = -2.54 for C4.5 with and without m; two datasets are tied."""
    result = pairwise_wilcoxon_test(
        example_table("demsar-2006").scores, zero_method="zsplit", method="asymptotic", correction=False
    )

    assert (result.statistic[1, 0], result.statistic[0, 1], result.n_zero[0, 1]) == (93, 12, 2)
    assert result.z[0, 1] == pytest.approx(-2.54, abs=0.006)


@pytest.mark.parametrize(
    ("zero_method", "method"), list(product(["wilcox", "pratt", "zsplit"], ["auto", "asymptotic"]))
)
@pytest.mark.parametrize("scores", [TIED, UNTIED], ids=["tied", "untied"])
def test_each_pair_is_wilcoxons_test(scores: np.ndarray, zero_method: str, method: str) -> None:
    choices = {"zero_method": zero_method, "method": method}
    result = pairwise_wilcoxon_test(scores, **choices)

    for i, j in np.ndindex(result.pvalue.shape):
        one = wilcoxon_test(scores[:, i], scores[:, j], **choices)
        assert result.unadjusted_pvalue[i, j] == one.pvalue
        assert [getattr(result, name)[i, j] for name in SINGLE] == [getattr(one, name) for name in SINGLE]
        assert result.method == one.method


def test_correction_and_tolerance_reach_each_pair() -> None:
    choices: dict[str, Any] = {"method": "asymptotic", "correction": False, "tie_tolerance": 0.1}
    result = pairwise_wilcoxon_test(TIED, **choices)

    assert result.unadjusted_pvalue[0, 1] == wilcoxon_test(TIED[:, 0], TIED[:, 1], **choices).pvalue
    assert (result.correction, result.tie_tolerance) == (False, 0.1)


@pytest.mark.parametrize("method", ["exact", "asymptotic"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_each_other_against_the_control(alternative: str, method: str) -> None:
    choices = {"alternative": alternative, "method": method}
    result = pairwise_wilcoxon_test(TIED, control=2, adjust="hommel", **choices)
    others = [0, 1, 3, 4]
    loop = [wilcoxon_test(TIED[:, i], TIED[:, 2], **choices) for i in others]

    assert result.unadjusted_pvalue[others].tolist() == [one.pvalue for one in loop]
    assert result.pvalue[others].tolist() == adjust_pvalues([one.pvalue for one in loop], "hommel").tolist()
    for name in SINGLE:
        assert getattr(result, name)[others].tolist() == [getattr(one, name) for one in loop]
    assert np.isnan([result.statistic[2], result.pvalue[2], result.rank_biserial[2]]).all()


def test_adjusted_as_all_pairs() -> None:
    for adjust in ("holm", "shaffer", "bergmann-hommel"):
        result = pairwise_wilcoxon_test(UNTIED, adjust=adjust)
        np.testing.assert_array_equal(result.pvalue, adjust_pairwise(result.unadjusted_pvalue, adjust))


@pytest.mark.parametrize("control", [None, 1])
def test_batch_is_its_members(control: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.round(np.random.default_rng(3).random((2, 3, 8, 4)), 1)
    scores[1, 1, :, 0] = scores[1, 1, :, 2]
    monkeypatch.setattr(which_pairs, "NUMBERS_AT_ONCE", 100)
    batch = pairwise_wilcoxon_test(scores, control=control)

    for at in np.ndindex(2, 3):
        member = pairwise_wilcoxon_test(scores[at], control=control)
        for name in (*SINGLE, "pvalue"):
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        assert (batch.reason[at], batch.method[at]) == (member.reason, member.method)


def test_relabeling_permutes_the_result() -> None:
    order = [3, 0, 4, 1, 2]
    here, there = pairwise_wilcoxon_test(TIED), pairwise_wilcoxon_test(TIED[:, order])

    for name in (*SINGLE, "pvalue"):
        np.testing.assert_array_equal(getattr(there, name), getattr(here, name)[np.ix_(order, order)])


def test_what_is_left_out_of_the_table_does_not_matter() -> None:
    """Unlike with mean ranks: Benavoli et al. (2016)."""
    all_of_them, few = pairwise_wilcoxon_test(UNTIED), pairwise_wilcoxon_test(UNTIED[:, :2])

    assert all_of_them.unadjusted_pvalue[0, 1] == few.unadjusted_pvalue[0, 1]


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("method", ["exact", "asymptotic"])
@pytest.mark.parametrize("correction", [True, False])
def test_no_pvalue_is_below_the_smallest(zero_method: str, method: str, correction: bool) -> None:
    """Whatever the signs, the ties and the zeros, and reached where one wins always by the same amount."""
    choices: dict[str, Any] = {"zero_method": zero_method, "method": method, "correction": correction}
    values = [-1, 0, 1, 2, 3]
    tables = np.array([[(d, 0) for d in differences] for differences in product(values, repeat=4)])

    result = pairwise_wilcoxon_test(tables, **choices)

    assert result.min_attainable_pvalue == pytest.approx(result.pvalue.min(), rel=1e-14)


def test_smallest_pvalue_is_adjusted() -> None:
    result = pairwise_wilcoxon_test(np.tile([4, 2, 1], (9, 1)))

    assert result.min_attainable_pvalue == result.pvalue.min() == 3 * 2.0**-8


def test_exact_far_into_the_tail() -> None:
    n = 200
    result = pairwise_wilcoxon_test(np.column_stack([np.arange(1, n + 1), np.zeros(n)]))

    assert result.pvalue[0, 1] == pytest.approx(2.0**-199, rel=1e-12)


def test_normal_beyond_what_is_affordable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wilcoxon, "EXACT_UP_TO", 14)

    assert pairwise_wilcoxon_test(UNTIED).method == "asymptotic"
    assert pairwise_wilcoxon_test(UNTIED[:14]).method == "exact"
    assert pairwise_wilcoxon_test(UNTIED, method="exact").method == "exact"


def test_identical_classifiers_give_p_one_and_a_reason() -> None:
    result = pairwise_wilcoxon_test([[1, 1, 2], [3, 3, 1]])

    assert result.pvalue[0, 1] == 1
    assert result.reason == "in 1 of 3 pairs, the scores are equal in every row, so there is no difference to test"


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        ([1, 2], {}, "scores must have the shape"),
        ([[1], [2]], {}, "2 classifiers"),
        ([[1, math.inf]], {}, r"scores must be finite, but scores\[0, 1\] is inf"),
        ([[1e308, -1e308]], {}, "must be finite"),
        ([[1, 2]], {"control": 2}, "control must be an index from 0 to 1, not 2"),
        ([[1, 2]], {"adjust": "no"}, "adjust must be 'none' or "),
        ([[1, 2]], {"alternative": "less"}, "alternative must be 'two-sided' without a control, not 'less'"),
        ([[1, 2]], {"zero_method": "keep"}, "zero_method must be 'wilcox' or 'pratt' or 'zsplit', not 'keep'"),
        ([[1, 2]], {"method": "t"}, "method must be 'auto' or 'exact' or 'asymptotic', not 't'"),
        ([[1, 2]], {"tie_tolerance": 0.3}, "tie_tolerance must be 0 or a power of ten"),
    ],
)
def test_what_is_refused(scores: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_wilcoxon_test(scores, **choices)


def test_exact_laws_of_very_many_pairs_are_for_few_datasets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many differences they would take minutes; of few datasets the normal tail could show nothing."""
    monkeypatch.setattr(wilcoxon, "MOST_EXACT", 10 * 70 - 1)
    rng = np.random.default_rng(1)

    methods = [str(pairwise_wilcoxon_test(rng.random((n, 5))).method) for n in (60, 69, 70)]

    assert methods == ["exact", "exact", "asymptotic"]
    assert pairwise_wilcoxon_test(rng.random((70, 5)), control=0).method == "exact"
    assert pairwise_wilcoxon_test(rng.random((70, 5)), method="exact").method == "exact"
