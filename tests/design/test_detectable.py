"""How small a difference of accuracies a test set can show."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats import statistical_power
from evalstats._errors import InvalidValueError
from evalstats.design import minimum_detectable_difference
from evalstats.metrics import proportion_interval


def test_large_test_set_by_hand() -> None:
    """As n grows it is (1.96 + 0.84) standard deviations of the difference of two shares, and a little more: exact."""
    n, discordance = 100_000, 0.1

    found = minimum_detectable_difference(n, discordance=discordance).difference

    assert found == pytest.approx((1.959964 + 0.841621) * math.sqrt(discordance / n), rel=0.02)


@settings(max_examples=repetitions(25))
@given(
    st.integers(60, 2000),
    st.floats(0.15, 0.6),
    st.sampled_from(["exact", "midp", "asymptotic"]),
    st.sampled_from(["two-sided", "greater"]),
)
def test_power_is_just_reached(n: int, discordance: float, method: str, alternative: str) -> None:
    found = minimum_detectable_difference(n, discordance=discordance, method=method, alternative=alternative)

    arguments = {"n": n, "discordance": discordance, "method": method, "alternative": alternative}
    assert statistical_power("mcnemar", difference=found.difference, **arguments).power >= 0.8
    assert statistical_power("mcnemar", difference=found.difference - 1e-6, **arguments).power < 0.8
    assert found.n_more_right == n * found.difference


def test_accuracies_and_their_correlation() -> None:
    found = minimum_detectable_difference(500, accuracy=0.8, correlation=0.3)

    assert statistical_power("mcnemar", n=500, accuracy=0.8, correlation=0.3, difference=found.difference).power >= 0.8
    assert (
        statistical_power("mcnemar", n=500, accuracy=0.8, correlation=0.3, difference=found.difference - 1e-6).power
        < 0.8
    )
    assert found.difference > minimum_detectable_difference(500, accuracy=0.8, correlation=0.6).difference


def test_half_width_is_that_of_wilson() -> None:
    low, high = proportion_interval(450, 500)

    assert minimum_detectable_difference(500, accuracy=0.9).half_width == pytest.approx((high - low) / 2, rel=1e-12)
    assert minimum_detectable_difference(500, discordance=0.1).half_width is None


def test_more_rows_show_less() -> None:
    found = [minimum_detectable_difference(n, discordance=0.1).difference for n in (100, 300, 1000, 3000, 10_000)]

    assert found == sorted(found, reverse=True)


def test_too_few_rows_have_a_reason() -> None:
    """Even if all discordant rows are won, six of them are hardly ever there."""
    found = minimum_detectable_difference(100, discordance=0.02)

    assert found.difference is None
    assert found.n_more_right is None
    assert "the power for a difference of 0.02 is below 0.8" in found.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 100}, "either discordance or accuracy"),
        ({"n": 100, "accuracy": 0.8, "discordance": 0.1}, "either discordance or accuracy"),
        ({"n": 100, "discordance": 0.1, "correlation": 0.5}, "correlation requires accuracy"),
        ({"n": 100, "accuracy": 1.1}, "accuracy must lie between 0 and 1"),
        ({"n": 100, "accuracy": 0.8, "correlation": 2}, "correlation must lie between -1 and 1"),
        ({"n": 0, "accuracy": 0.8}, "n must be at least 1"),
        ({"n": 10**9, "accuracy": 0.8}, "n must be at most 10000000"),
        ({"n": 100, "discordance": 0.1, "alternative": "less"}, "alternative must be 'two-sided' or 'greater'"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        minimum_detectable_difference(**arguments)


def test_ends_of_the_accuracy() -> None:
    """A classifier that is always right cannot be beaten, and one that never is can be by anything."""
    assert minimum_detectable_difference(100, accuracy=1.0).difference is None
    assert minimum_detectable_difference(100, accuracy=0.0).difference == pytest.approx(0.0782, abs=1e-3)
