"""All pairs at once must be the loop over pairs."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evalstats._errors import EvalstatsWarning
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.paired.ttest import corrected_ttest
from evalstats.pairwise import corrected_t
from evalstats.pairwise.corrected_t import pairwise_corrected_ttest

NUMBERS = ("statistic", "mean_difference", "standard_error")
SIZES = {"n_train": 9, "n_test": 1}


def folds(shape: tuple[int, ...], seed: int = 0, digits: int = 4) -> np.ndarray:
    """Accuracies whose folds and whose classifiers differ in difficulty."""
    rng = np.random.default_rng(seed)
    of_folds, of_classifiers = (*shape[:-1], 1), (*shape[:-2], 1, shape[-1])
    scores = 0.8 + 0.05 * rng.standard_normal(of_folds) + 0.02 * rng.standard_normal(of_classifiers)
    return np.round(scores + 0.03 * rng.standard_normal(shape), digits)


def assert_is_the_loop(scores: np.ndarray, **choices: object) -> None:
    """Compare every pair of one problem with `corrected_ttest`."""
    result = pairwise_corrected_ttest(scores, **SIZES, adjust="none", **choices)
    for i, j in combinations(range(scores.shape[-1]), 2):
        for a, b in ((i, j), (j, i)):
            one = corrected_ttest(scores[:, a], scores[:, b], **SIZES, **choices)
            for name in NUMBERS:
                here = getattr(result, name)[a, b]
                assert here == pytest.approx(getattr(one, name), rel=1e-12, abs=0), (name, a, b)
            assert result.unadjusted_pvalue[a, b] == pytest.approx(one.pvalue, rel=1e-12, abs=0, nan_ok=True)


def test_three_classifiers_by_hand() -> None:
    """Differences 1, 2, 3 and 2, 2, 5: variances 1 and 3, of which the corrected test takes 1/3 + 1/2."""
    scores = np.array([[11, 10, 9], [12, 10, 10], [13, 10, 8]])
    result = pairwise_corrected_ttest(scores, n_train=2, n_test=1, adjust="bonferroni")

    t = 2 / math.sqrt(5 / 6)
    pvalue = 1 - t / math.sqrt(t**2 + 2)
    assert result.statistic[0, 1] == pytest.approx(t, rel=1e-14)
    assert result.statistic[2, 0] == pytest.approx(-3 / math.sqrt(5 / 6 * 3), rel=1e-14)
    assert result.unadjusted_pvalue[1, 0] == pytest.approx(pvalue, rel=1e-13)
    assert result.pvalue[0, 1] == pytest.approx(3 * pvalue, rel=1e-13)
    assert (result.df, result.n_scores, result.n_classifiers, result.adjustment) == (2, 3, 3, "bonferroni")
    assert np.diag(result.pvalue).tolist() == [1, 1, 1]
    assert np.diag(result.statistic).tolist() == [0, 0, 0]


@pytest.mark.parametrize("shape", [(2, 2), (10, 5), (100, 12)])
@pytest.mark.parametrize("scale", [1, 1e-200, 1e200, 1e9])
def test_every_pair_is_the_corrected_test(shape: tuple[int, int], scale: float) -> None:
    assert_is_the_loop(folds(shape) * scale)


def test_pairs_whose_covariance_nearly_cancels_keep_their_digits() -> None:
    """Copies that differ by 1e-3, 1e-6 and 1e-9 of a score, beside scores that are far away and of other size."""
    rng = np.random.default_rng(1)
    base = rng.random(30)
    near = [base + size * rng.standard_normal(30) for size in (1e-3, 1e-6, 1e-9)]

    assert_is_the_loop(np.column_stack([base, *near, 1e-5 * rng.random(30), 1e3 * rng.random(30)]))


@given(arrays.arrays(np.int64, (4, 4), elements=st.integers(-3, 3)), st.sampled_from([1, 0.1, 1e-9]))
def test_whatever_the_scores_it_is_the_loop(scores: np.ndarray, unit: float) -> None:
    """Few values, so equal, constant and tied differences are frequent."""
    assert_is_the_loop(5 * unit + scores * unit)


@pytest.mark.parametrize("tie_tolerance", [0, 1e-12, 1e-3, 0.1])
def test_constant_differences_are_told_as_one_pair_tells_them(tie_tolerance: float) -> None:
    """The noise of floating point, and digits that a coarse tolerance takes for it."""
    x = np.array([0.3, 0.9, 0.5, 0.7])
    scores = np.column_stack([x, x - 0.1, x, x + 1e-4 * np.array([1, -1, 2, 0]), x[::-1]])

    assert_is_the_loop(scores, tie_tolerance=tie_tolerance)


def test_reason_counts_the_pairs_without_variance() -> None:
    x = np.array([0.3, 0.9, 0.5])
    result = pairwise_corrected_ttest(np.column_stack([x, x, x - 0.1, [0.1, 0.7, 0.2]]), **SIZES)

    assert result.reason.startswith(
        "in 1 of 6 pairs, the scores are equal in every fold; in 2 of 6 pairs, the scores differ by the same amount"
    )
    assert (result.statistic[0, 1], result.pvalue[0, 1]) == (0, 1)
    assert result.statistic[1, 2] == math.inf
    assert np.isnan(result.pvalue[[0, 2, 1, 2], [2, 0, 2, 1]]).all()
    assert pairwise_corrected_ttest(folds((5, 3)), **SIZES).reason is None


def test_pair_without_pvalue_counts_when_the_others_are_adjusted() -> None:
    x = folds((10, 1)).ravel()
    result = pairwise_corrected_ttest(np.column_stack([x, x + 1, folds((10, 1), 3).ravel()]), **SIZES)
    raw = result.unadjusted_pvalue[2, :2]

    assert result.pvalue[2, :2] == pytest.approx(adjust_pvalues([*raw, 1], "holm")[:2], rel=1e-14)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_control_is_compared_with_each_other(alternative: str) -> None:
    scores = folds((20, 6))
    result = pairwise_corrected_ttest(scores, **SIZES, control=2, alternative=alternative, adjust="hommel")
    others = [0, 1, 3, 4, 5]
    loop = [corrected_ttest(scores[:, i], scores[:, 2], **SIZES, alternative=alternative) for i in others]

    for name in NUMBERS:
        assert getattr(result, name)[others] == pytest.approx([getattr(one, name) for one in loop], rel=1e-12)
        assert math.isnan(getattr(result, name)[2])
    raw = [one.pvalue for one in loop]
    assert result.unadjusted_pvalue[others] == pytest.approx(raw, rel=1e-12)
    assert result.pvalue[others] == pytest.approx(adjust_pvalues(raw, "hommel"), rel=1e-12)
    low, high = result.confidence_interval(0.9)
    expected = [tuple(one.confidence_interval(0.9)) for one in loop]
    assert list(zip(low[others], high[others], strict=True)) == [pytest.approx(limits, rel=1e-9) for limits in expected]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_control_has_the_degenerate_answers_of_a_pair(alternative: str) -> None:
    x = folds((10, 1)).ravel()
    scores = np.column_stack([x, x + 0.1, x - 0.1, x])
    result = pairwise_corrected_ttest(scores, **SIZES, control=0, alternative=alternative)

    assert result.statistic[1:].tolist() == [math.inf, -math.inf, 0]
    assert result.unadjusted_pvalue[3] == 1
    assert np.isnan(result.pvalue[:3]).all()
    assert result.reason.startswith(
        "in 1 of 3 pairs, the scores are equal in every fold; in 2 of 3 pairs, the scores differ"
    )


def test_control_by_name() -> None:
    table = pd.DataFrame(folds((10, 3)), columns=["NB", "SVM", "tree"])

    assert pairwise_corrected_ttest(table, **SIZES, control="SVM").control == "SVM"


@pytest.mark.parametrize("control", [None, 1])
def test_batch_is_its_members(control: int | None) -> None:
    scores = folds((3, 4, 10, 5))
    scores[1, 1, :, 0] = scores[1, 1, :, 2]
    scores[2, 3, :, 1] = scores[2, 3, :, 4] + 0.25
    batch = pairwise_corrected_ttest(scores, **SIZES, control=control)

    for at in np.ndindex(3, 4):
        member = pairwise_corrected_ttest(scores[at], **SIZES, control=control)
        for name in (*NUMBERS, "pvalue", "unadjusted_pvalue"):
            np.testing.assert_allclose(getattr(batch, name)[at], getattr(member, name), rtol=1e-13)
        assert (batch.reason[at], batch.method[at]) == (member.reason, member.method)


def test_many_exceptional_pairs_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = 1 + 1e-7 * folds((2, 10, 6))
    at_once = pairwise_corrected_ttest(scores, **SIZES)
    monkeypatch.setattr(corrected_t, "NUMBERS_AT_ONCE", 70)

    np.testing.assert_array_equal(pairwise_corrected_ttest(scores, **SIZES).statistic, at_once.statistic)


def test_relabeling_permutes_the_result() -> None:
    scores, order = folds((10, 5)), [3, 0, 4, 1, 2]
    here, there = pairwise_corrected_ttest(scores, **SIZES), pairwise_corrected_ttest(scores[:, order], **SIZES)

    assert there.pvalue == pytest.approx(here.pvalue[np.ix_(order, order)], rel=1e-11)


def test_matrices_are_symmetric_to_the_last_bit() -> None:
    result = pairwise_corrected_ttest(folds((100, 20)), **SIZES)

    np.testing.assert_array_equal(result.pvalue, result.pvalue.T)
    np.testing.assert_array_equal(result.statistic, -result.statistic.T)


def test_none_leaves_the_pvalues_alone() -> None:
    result = pairwise_corrected_ttest(folds((10, 4)), **SIZES, adjust="none")

    np.testing.assert_array_equal(result.pvalue, result.unadjusted_pvalue)


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        ([1, 2], {}, r"scores must have the shape \(n_folds, n_classifiers\), .* but its shape is \(2,\)"),
        ([[1, 2]], {}, r"but its shape is \(1, 2\)"),
        ([[1], [2]], {}, r"but its shape is \(2, 1\)"),
        ([[1, 2], [math.nan, 3]], {}, r"scores must be finite, but scores\[1, 0\] is nan"),
        ([[1e308, -1e308], [1, 2]], {}, "must be finite"),
        ([[1, 2], [2, 4]], {"n_test": 0}, "n_test must be at least 1, not 0"),
        ([[1, 2], [2, 4]], {"alternative": "greater"}, "alternative must be 'two-sided' without a control"),
        ([[1, 2], [2, 4]], {"alternative": "more"}, "alternative must be 'two-sided' or 'less' or 'greater'"),
        ([[1, 2], [2, 4]], {"control": 2}, "control"),
        ([[1, 2], [2, 4]], {"adjust": "nothing"}, "adjust must be 'none' or "),
        ([[1, 2], [2, 4]], {"tie_tolerance": 0.3}, "tie_tolerance"),
    ],
)
def test_what_is_refused(scores: object, choices: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_corrected_ttest(scores, **(SIZES | choices))


def test_sizes_that_look_swapped_are_warned_of() -> None:
    with pytest.warns(EvalstatsWarning, match="are swapped") as told:
        pairwise_corrected_ttest([[1, 2], [2, 4]], n_train=1, n_test=9)

    assert told[0].filename == __file__


def test_a_standard_deviation_beyond_the_largest_float_is_refused() -> None:
    column = np.array([8.9e307, -8.9e307, 8.9e307])

    with pytest.raises(ValueError, match="the standard deviation of x - y must be finite"):
        pairwise_corrected_ttest(np.column_stack([column, -column]), n_train=9, n_test=1)
