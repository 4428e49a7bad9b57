from __future__ import annotations

import numpy as np
import pytest

from evalstats.adjustment.pairwise import adjust_pairwise
from evalstats.adjustment.pairwise_result import PairwiseTestResult, adjusted_family
from evalstats.adjustment.pvalues import adjust_pvalues

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
def test_batch_equals_the_loop_over_its_members(control: int | None) -> None:
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
