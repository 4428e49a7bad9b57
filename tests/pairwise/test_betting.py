"""All pairs by betting must be the loop over pairs of the betting test, with adjusted e-values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError
from evalstats.adjustment import adjust_e_values
from evalstats.paired import betting_test
from evalstats.pairwise import pairwise_betting_test

RIGHT = np.random.default_rng(1).random((400, 4)) < [0.9, 0.7, 0.65, 0.65]


def test_hand_computed_case() -> None:
    """The first bet on X = 1 of mean 1/2: b = sqrt(2 log 40 / (log(2) / 4)), cut at 1; so K = 1.5, and e = 0.75."""
    result = pairwise_betting_test([[1, 0, 0]])

    assert result.e_value.tolist() == [[1, 0.75, 0.75], [0.75, 1, 0.5], [0.75, 0.5, 1]]
    assert result.adjusted_e_value[0].tolist() == [1, 0.625, 0.625]
    assert result.pvalue.tolist() == [[1, 1, 1]] * 3


@pytest.mark.parametrize("adjust", ["e-holm", "e-bh"])
def test_each_pair_is_the_betting_test(adjust: str) -> None:
    """The e-values are those of individual pairs, and the adjustment is that of all of them."""
    result = pairwise_betting_test(RIGHT, adjust=adjust)
    i, j = np.triu_indices(4, 1)
    alone = [betting_test(RIGHT[:, a], RIGHT[:, b]) for a, b in zip(i, j, strict=True)]
    adjusted = adjust_e_values([one.e_value for one in alone], method=adjust)

    assert result.e_value[i, j].tolist() == [one.e_value for one in alone]
    assert result.statistic[i, j].tolist() == [one.statistic for one in alone]
    assert result.adjusted_e_value[j, i].tolist() == adjusted.adjusted.tolist()
    assert result.rejected[i, j].tolist() == adjusted.rejected.tolist()
    assert result.rejected.any()
    assert (result.caution is None) == (adjust == "e-holm")


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_control_is_one_side_of_every_pair(alternative: str) -> None:
    """With a control, only its pairs are in the family, and one-sided alternatives are possible."""
    frame = pd.DataFrame(RIGHT, columns=list("ABCD"))
    result = pairwise_betting_test(frame, control="B", alternative=alternative)
    alone = [betting_test(RIGHT[:, a], RIGHT[:, 1], alternative=alternative).e_value for a in (0, 2, 3)]

    assert result.e_value[[0, 2, 3]].tolist() == alone
    assert np.isnan(result.e_value[1])
    assert result.adjusted_e_value[[0, 2, 3]].tolist() == adjust_e_values(alone).adjusted.tolist()
    assert not result.rejected[1]


@pytest.mark.long
def test_family_wise_error_holds_for_all_looks_together() -> None:
    """Of 400 leagues of equal models, at most 5% reject anything at any of 20 looks, but for simulation error."""
    drawn = np.random.default_rng(2).random((400, 200, 4)) < 0.6
    ever = np.zeros(400, dtype=bool)
    for n in range(10, 201, 10):
        ever |= pairwise_betting_test(drawn[:, :n]).rejected.any(axis=(1, 2))

    assert ever.mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_better_model_is_found() -> None:
    """The first model is rejected to be equal to the others, and these are not told apart."""
    result = pairwise_betting_test(RIGHT)

    assert result.rejected[0].tolist() == [False, True, True, True]
    assert not result.rejected[1:, 1:].any()


def test_adjustments_of_pvalues_are_refused() -> None:
    """Holm's method of p-values is not a method of e-values."""
    with pytest.raises(InvalidValueError, match="adjust must be 'e-holm' or 'e-bh', not 'holm'"):
        pairwise_betting_test(RIGHT, adjust="holm")


def test_differences_beyond_the_bounds_are_refused() -> None:
    """Percentages need bounds of their own."""
    with pytest.raises(InvalidValueError, match="must lie between the bounds -1 and 1"):
        pairwise_betting_test([[71.0, 80.0], [64.0, 69.0]])
