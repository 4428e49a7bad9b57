"""The forest plot shows every subgroup, and marks those that are not tested."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.paired import subgroup_test, subgroup_test_from_estimates
from evalstats.plot import subgroup_differences

RNG = np.random.default_rng(0)
RESULT = subgroup_test(RNG.random(63), RNG.random(63), [*["b"] * 30, *["a"] * 30, *["$c$"] * 3], n_resamples=99)


def test_every_subgroup_is_drawn_with_its_limits() -> None:
    ax = subgroup_differences(RESULT, ["new", "old"])

    assert [label.get_text() for label in ax.get_yticklabels()] == ["$c$", "a", "b"]
    intervals = [line.get_xdata() for line in ax.lines if line.get_label() == "_interval"]
    np.testing.assert_allclose(intervals, np.column_stack([RESULT.lower, RESULT.upper])[1:])
    assert "not tested" in ax.get_xlabel().replace("\n", " ")
    assert "new − old" in ax.get_xlabel()


def test_mean_is_dashed() -> None:
    result = subgroup_test_from_estimates([0.1, 0.3], [0.1, 0.1])

    (mean,) = [line for line in subgroup_differences(result).lines if line.get_label() == "_mean"]

    assert mean.get_xdata()[0] == pytest.approx(0.2)


def test_other_things_are_refused() -> None:
    with pytest.raises(TypeError, match="result must be a result of subgroup_test"):
        subgroup_differences([1, 2])
    with pytest.raises(ValueError, match="names must hold the names of x and y, but the number of names is 1"):
        subgroup_differences(RESULT, ["a"])
