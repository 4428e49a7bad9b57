"""All pairs, or all with one control: which they are, where their values stand, what a control may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.adjustment.pair_indexing import (
    PairwiseTestResult,
    adjusted_family,
    adjustment,
    column_of,
    compared_pairs,
    control_column,
    family_of,
    reason_of_pairs,
    smallest_adjusted,
)
from evalstats.adjustment.pairwise import PAIRWISE_ONLY, adjust_pairwise
from evalstats.adjustment.pvalues import ADJUSTMENTS, adjust_pvalues

FRAME = pd.DataFrame([[1, 2, 3], [3, 4, 6], [2, 2, 5]], columns=["NB", "SVM", "tree"])
CORRECT = pd.DataFrame([[1, 0, 1], [1, 1, 0], [0, 1, 1]], columns=FRAME.columns)
WITH_A_CONTROL: dict[str, Callable[..., Any]] = {
    "bonferroni_dunn_test": lambda control: evalstats.bonferroni_dunn_test(FRAME, control=control),
    "conover_test": lambda control: evalstats.conover_test(FRAME, control=control),
    "dunnett_test": lambda control: evalstats.multiple.dunnett_test(FRAME, control=control),
    "friedman_aligned_posthoc_test": lambda control: evalstats.multiple.friedman_aligned_posthoc_test(
        FRAME, control=control
    ),
    "friedman_dunnett_test": lambda control: evalstats.multiple.friedman_dunnett_test(FRAME, control=control),
    "miller_test": lambda control: evalstats.multiple.miller_test(FRAME, control=control),
    "pairwise_corrected_ttest": lambda control: evalstats.pairwise.pairwise_corrected_ttest(
        FRAME, n_train=2, n_test=1, control=control
    ),
    "pairwise_delong_test": lambda control: evalstats.pairwise.pairwise_delong_test([0, 1, 1], FRAME, control=control),
    "pairwise_mcnemar_test": lambda control: evalstats.pairwise_mcnemar_test(CORRECT, control=control),
    "pairwise_paired_ttest": lambda control: evalstats.pairwise.pairwise_paired_ttest(FRAME, control=control),
    "pairwise_sign_test": lambda control: evalstats.pairwise.pairwise_sign_test(FRAME, control=control),
    "pairwise_wilcoxon_test": lambda control: evalstats.pairwise_wilcoxon_test(FRAME, control=control),
    "quade_posthoc_test": lambda control: evalstats.multiple.quade_posthoc_test(FRAME, control=control),
    "friedman_exact_posthoc_test": lambda control: evalstats.multiple.friedman_exact_posthoc_test(
        FRAME, control=control
    ),
    "siegel_castellan_test": lambda control: evalstats.multiple.siegel_castellan_test(FRAME, control=control),
    "pairwise_max_t_test": lambda control: evalstats.pairwise.pairwise_max_t_test(FRAME, control=control),
    "steel_sign_test": lambda control: evalstats.multiple.steel_sign_test(FRAME, control=control),
}

with_a_control = pytest.mark.parametrize("test", WITH_A_CONTROL.values(), ids=WITH_A_CONTROL.keys())


def test_every_pair_is_compared_once() -> None:
    pairs = compared_pairs(3, None)

    assert list(zip(pairs.i, pairs.j, strict=True)) == [(0, 1), (0, 2), (1, 2)]


def test_the_others_are_compared_with_the_control() -> None:
    pairs = compared_pairs(3, 1)

    assert list(zip(pairs.i, pairs.j, strict=True)) == [(0, 1), (2, 1)]


def test_each_value_stands_where_its_pair_is() -> None:
    values = np.array([1.0, 2.0, 3.0])

    assert compared_pairs(3, None).placed(values, -values, 0.0).tolist() == [[0, 1, 2], [-1, 0, 3], [-2, -3, 0]]


def test_with_a_control_there_is_one_row() -> None:
    np.testing.assert_array_equal(compared_pairs(3, 1).placed(np.array([1.0, 2]), np.zeros(2), 0.0), [1, np.nan, 2])
    np.testing.assert_array_equal(compared_pairs(3, 1).placed(np.array([1, 2]), np.zeros(2), 0), [1, 0, 2])


@pytest.mark.parametrize("control", [None, 2])
def test_what_was_placed_is_taken_back(control: int | None) -> None:
    pairs = compared_pairs(4, control)
    values = np.random.default_rng(1).random((2, len(pairs.i)))

    np.testing.assert_array_equal(pairs.taken(pairs.placed(values, values, 1.0)), values)


def test_blocks_hold_every_pair_in_order() -> None:
    pairs = compared_pairs(6, None)

    blocks = list(pairs.blocks(12, at_once=50))

    assert [len(i) for i, _ in blocks] == [4, 4, 4, 3]
    np.testing.assert_array_equal(np.concatenate([i for i, _ in blocks]), pairs.i)
    np.testing.assert_array_equal(np.concatenate([j for _, j in blocks]), pairs.j)


def test_control_is_an_index_or_a_name() -> None:
    assert control_column(None, FRAME, 3) is None
    assert control_column("SVM", FRAME, 3) == column_of(1, FRAME.to_numpy(), 3) == column_of(np.int8(1), FRAME, 3) == 1


def test_name_goes_before_index() -> None:
    """Where the columns are numbered backwards, a number is a name."""
    assert column_of(2, FRAME.set_axis([2, 1, 0], axis=1), 3) == 0


@pytest.mark.parametrize(
    ("control", "scores", "message"),
    [
        (3, FRAME.to_numpy(), "control must be an index from 0 to 2, not 3"),
        (-1, FRAME, "control must be an index from 0 to 2, not -1"),
        ("RF", FRAME, "control must be one of 'NB', 'SVM', 'tree', not 'RF'"),
        ("a", FRAME.set_axis(["a", "a", "b"], axis=1), "control must name one column, but 'a' names 2"),
        (3, FRAME.set_axis([2, 1, 0], axis=1), "control must be one of 2, 1, 0, not 3"),
    ],
)
def test_control_that_is_not_there(control: Any, scores: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        column_of(control, scores, 3)


@pytest.mark.parametrize("control", ["SVM", 1.0, True])
def test_control_without_names_is_an_index(control: Any) -> None:
    with pytest.raises(InvalidTypeError, match="control must be the index of a column, not "):
        column_of(control, FRAME.to_numpy(), 3)


@with_a_control
def test_name_of_a_column_names_the_control(test: Callable[..., Any]) -> None:
    named = test("tree")

    assert named.control == test(2).control == "tree"
    assert named.classifiers == tuple(FRAME.columns)
    assert (named.to_columns()["first"], named.to_columns()["second"]) == (["NB", "SVM"], ["tree", "tree"])
    for style in ("text", "markdown", "latex", "html", "json"):
        assert "tree" in getattr(evalstats.report, style)(named)


@with_a_control
def test_all_refuse_a_control_in_the_same_words(test: Callable[..., Any]) -> None:
    with pytest.raises(InvalidValueError, match=r"^control must be one of 'NB', 'SVM', 'tree', not 'RF'$"):
        test("RF")
    with pytest.raises(InvalidValueError, match=r"^control must be an index from 0 to 2, not 3$"):
        test(3)
    with pytest.raises(InvalidTypeError, match=r"^control must be the index of a column or .*, not \[\]$"):
        test([])


def test_adjustments_of_pairs_are_not_those_of_a_control() -> None:
    assert adjustment("shaffer", None) == "shaffer"
    with pytest.raises(InvalidValueError, match=r"adjust must be 'none' or .* or 'by', not 'shaffer'"):
        adjustment("shaffer", 0)


@pytest.mark.parametrize("control", [None, 0])
def test_unknown_adjustment_names_the_argument(control: int | None) -> None:
    with pytest.raises(InvalidValueError, match=r"adjust must be 'none' or 'bonferroni'.*, not 'holmes'"):
        family_of(None, 3, control, "holmes")


def test_only_comparison_with_control_there_is_a_direction() -> None:
    assert family_of(None, 3, 0, "holm", "less").alternative == "less"
    with pytest.raises(InvalidValueError, match="alternative must be 'two-sided' without a control, not 'less'"):
        family_of(None, 3, None, "holm", "less")


@pytest.mark.parametrize("adjust", ["none", *ADJUSTMENTS, *PAIRWISE_ONLY])
def test_no_adjusted_pvalue_is_below_the_smallest(adjust: str) -> None:
    """The bound is reached where all pairs have the smallest p-value, and any other family stays above it."""
    pairs, rng = compared_pairs(5, None), np.random.default_rng(2)
    smallest = smallest_adjusted(0.004, family_of(None, 5, None, adjust))
    families = np.maximum(rng.choice([0.004, 0.01, 0.2, 1.0], (200, 10)), 0.004)
    families[0] = 0.004

    reached = adjusted_family(pairs.shared(families, 1.0), adjust, None).min(axis=(-2, -1))

    assert reached[0] == pytest.approx(smallest, rel=1e-12)
    assert reached.min() >= smallest * (1 - 1e-12)


def test_reason_counts_the_pairs_of_each_family() -> None:
    first, second = np.array([[True, True, False], [False] * 3]), np.array([[False, False, True], [False] * 3])

    reason = reason_of_pairs({"{of} are alike": first, "{of} are odd": second})

    assert reason.tolist() == ["2 of 3 are alike; 1 of 3 are odd", None]
    assert reason_of_pairs({"{of} are alike": first[1]}) is None


# --- One family of p-values -------------------------------------------------------------------------------------------

ALL_PAIRS = np.array([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])
AGAINST_THE_SECOND = np.array([0.01, np.nan, 0.04, 0.03])


def test_all_pairs_are_one_family() -> None:
    np.testing.assert_array_equal(adjusted_family(ALL_PAIRS, "shaffer", None), adjust_pairwise(ALL_PAIRS, "shaffer"))


def test_comparisons_with_a_control_are_one_family_without_it() -> None:
    adjusted = adjusted_family(AGAINST_THE_SECOND, "hochberg", 1)

    np.testing.assert_array_equal(adjusted[[0, 2, 3]], adjust_pvalues([0.01, 0.04, 0.03], "hochberg"))
    assert np.isnan(adjusted[1])


def test_pair_without_a_pvalue_counts_as_not_rejected() -> None:
    p = np.where(ALL_PAIRS == 0.04, np.nan, ALL_PAIRS)

    adjusted = adjusted_family(p, "holm", None)

    assert adjusted[0, 1] == pytest.approx(0.03)
    assert adjusted[1, 2] == pytest.approx(0.06)
    assert np.isnan(adjusted[0, 2])
    assert adjusted_family(np.array([0.01, np.nan, np.nan]), "holm", 2)[0] == pytest.approx(0.02)


@pytest.mark.parametrize("control", [None, 1])
def test_adjusted_batch_equals_the_loop_over_its_members(control: int | None) -> None:
    p = ALL_PAIRS if control is None else AGAINST_THE_SECOND
    batch = np.stack([p, p**2])

    adjusted = adjusted_family(batch, "holm", control)

    np.testing.assert_array_equal(adjusted[1], adjusted_family(p**2, "holm", control))


def test_none_leaves_pvalues_as_they_are() -> None:
    np.testing.assert_array_equal(adjusted_family(ALL_PAIRS, "none", None), ALL_PAIRS)


def test_method_for_pairs_is_refused_with_a_control() -> None:
    with pytest.raises(ValueError, match=r"method must be .*, not 'shaffer'"):
        adjusted_family(AGAINST_THE_SECOND, "shaffer", 1)


def test_result_unpacks_and_keeps_both_pvalues() -> None:
    result = PairwiseTestResult(
        statistic=np.zeros((3, 3)),
        pvalue=adjusted_family(ALL_PAIRS, "holm", None),
        alternative="two-sided",
        method="exact",
        reason=None,
        unadjusted_pvalue=ALL_PAIRS,
        adjustment="holm",
        control=None,
        n_classifiers=3,
    )

    statistic, pvalue = result

    assert statistic.shape == pvalue.shape == (3, 3)
    assert result.to_dict()["unadjusted_pvalue"] == ALL_PAIRS.tolist()
