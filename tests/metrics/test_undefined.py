"""An undefined score is what the policy says, and is spoken of once."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from evalstats._checks import EvalstatsWarning, InvalidValueError
from evalstats.metrics import precision_score, undefined

NOTHING_PREDICTED = ([[0, 1], [0, 1], [0, 1]], [[0, 1], [0, 0], [0, 0]])
TWO_OF_THREE = np.array([[False, True, True]])


@pytest.mark.parametrize(("policy", "value"), [("warn", 0.5), ("zero", 0.0), ("nan", math.nan)])
def test_policy_says_what_stands_in(policy: str, value: float) -> None:
    np.testing.assert_equal(undefined.fill_value(policy, usual=0.5), value)


@pytest.mark.parametrize("policy", ["zero", "nan"])
def test_quiet_policies_are_quiet(policy: str) -> None:
    undefined.report(TWO_OF_THREE, policy, function="f", when="w")


@pytest.mark.parametrize("policy", undefined.POLICIES)
def test_defined_scores_are_not_spoken_of(policy: str) -> None:
    undefined.report(np.array([False, False]), policy, function="f", when="w")


def test_one_warning_counts_the_whole_batch_and_points_to_the_caller() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        precision_score(*NOTHING_PREDICTED)

    assert [w.category for w in caught] == [EvalstatsWarning]
    assert str(caught[0].message) == (
        "precision_score is undefined in 2 of 3 scores, first in [1]: no instance is predicted as the class; "
        "the score is set to 0 (undefined='zero', 'nan' or 'raise' chooses)"
    )
    assert caught[0].filename == __file__


def test_warning_of_an_average_says_what_the_class_counts_for() -> None:
    with pytest.warns(EvalstatsWarning, match="undefined for a class in 2 of 3 scores.*; the class counts as 0 "):
        precision_score(*NOTHING_PREDICTED, average="macro")
    with pytest.warns(EvalstatsWarning, match="the class is left out of the average"):
        undefined.report(TWO_OF_THREE, "warn", function="f", when="w", usual=math.nan, averaged=True)


def test_error_names_the_first_undefined_score() -> None:
    with pytest.raises(
        InvalidValueError, match=r"undefined in 2 of 3 scores, first in \[1\]: .*undefined='nan' or 'zero'"
    ):
        precision_score(*NOTHING_PREDICTED, undefined="raise")


def test_one_score_needs_no_place() -> None:
    with pytest.raises(
        InvalidValueError, match=r"^precision_score is undefined: no instance is predicted as the class;"
    ):
        precision_score([0, 1], [0, 0], undefined="raise")


def test_unknown_policy_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="undefined must be 'warn' or 'zero' or 'nan' or 'raise', not 0"):
        undefined.policy(0)
