"""Gaps of rates: point values of fairlearn, Newcombe's limits by statsmodels, and missing classes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

from evalstats.metrics import group_gaps

TRUE = [1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1]
PRED = [1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1]
GROUP = ["a"] * 8 + ["b"] * 8


def test_rates_are_those_of_fairlearn() -> None:
    """MetricFrame and equalized_odds_difference of fairlearn 0.15.0."""
    result = group_gaps(TRUE, PRED, GROUP)

    assert result.rates["tpr"].tolist() == [0.75, 0.5]
    assert result.rates["fpr"].tolist() == [0.25, 0.5]
    assert result.equalized_odds_difference == 0.25
    assert (result.highest["tpr"], result.lowest["tpr"]) == ("a", "b")


def test_limits_of_two_subgroups_are_newcombes() -> None:
    rng = np.random.default_rng(0)
    true, groups = np.ones(100, dtype=int), np.repeat(["a", "b"], 50)
    pred = (rng.random(100) < np.where(groups == "a", 0.9, 0.4)).astype(int)
    result = group_gaps(true, pred, groups, pos_label=1)

    counts = [pred[groups == g].sum() for g in "ab"]
    low, high = confint_proportions_2indep(counts[0], 50, counts[1], 50, method="newcomb")
    assert (result.lower["tpr"], result.upper["tpr"]) == pytest.approx((low, high), rel=1e-9)


def test_limits_of_equalized_odds_allow_for_both_rates() -> None:
    result = group_gaps(TRUE, PRED, GROUP)

    assert result.equalized_odds_lower <= min(result.lower["tpr"], result.lower["fpr"])
    assert result.equalized_odds_upper > max(result.upper["tpr"], result.upper["fpr"])


def test_more_subgroups_have_wider_limits() -> None:
    first = group_gaps(TRUE * 3, PRED * 3, GROUP * 3)
    more = group_gaps(TRUE * 4, PRED * 4, [*GROUP * 3, *["c"] * 16])

    assert more.upper["tpr"] > first.upper["tpr"]


def test_subgroup_without_positives_is_left_out_by_name() -> None:
    result = group_gaps([1, 0, 1, 0, 0, 0], [1, 0, 0, 1, 1, 0], ["a", "a", "b", "b", "c", "c"])

    assert math.isnan(result.rates["tpr"][2])
    assert result.gaps["tpr"] == 1
    assert "the gap in tpr does not include 'c', where there are no positive instances" in result.reason


def test_one_subgroup_is_refused() -> None:
    with pytest.raises(ValueError, match="subgroup must hold two subgroups or more, but it holds 'a' only"):
        group_gaps([1, 0], [1, 0], ["a", "a"])
