"""The win rate at equal length: the values of statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm

from evalstats import InvalidValueError
from evalstats.metrics import length_adjusted_win_rate

PREFERENCE = [0.9, 0.2, 0.6, 0.75, 0.1, 0.55, 0.8, 0.3, 0.95, 0.45]
LENGTH = [300, -50, 120, 200, -100, 20, 150, -80, 400, 10]


def test_adjusted_rate_is_that_of_statsmodels() -> None:
    result = length_adjusted_win_rate(PREFERENCE, LENGTH)

    assert result.win_rate == pytest.approx(0.56)
    assert (result.intercept, result.slope) == pytest.approx((-0.38543994, 2.31719502), abs=1e-8)
    assert result.estimate == pytest.approx(0.40481552, abs=1e-8)
    assert result.intercept_standard_error == pytest.approx(0.15146089, abs=1e-8)
    assert result.standard_error == pytest.approx(0.03649298, abs=1e-8)


def test_clusters_are_those_of_statsmodels() -> None:
    groups = np.repeat(np.arange(5), 2)
    shape = np.tanh(np.array(LENGTH) / np.std(LENGTH, ddof=1))
    model = sm.GLM(PREFERENCE, sm.add_constant(shape), family=sm.families.Binomial())
    how = {"groups": groups, "use_correction": False}
    expected = model.fit(tol=1e-14, cov_type="cluster", cov_kwds=how).bse * math.sqrt(5 / 4)

    result = length_adjusted_win_rate(PREFERENCE, LENGTH, clusters=groups)

    assert (result.intercept_standard_error, result.slope_standard_error) == pytest.approx(expected, rel=1e-8)
    assert (result.df, result.n_clusters) == (4, 5)


def test_swapping_model_and_baseline_mirrors_the_rate() -> None:
    other = length_adjusted_win_rate([1 - y for y in PREFERENCE], [-d for d in LENGTH])

    assert other.estimate == pytest.approx(1 - length_adjusted_win_rate(PREFERENCE, LENGTH).estimate, rel=1e-12)
    low, high = other.confidence_interval()
    assert low < other.estimate < high


def test_unit_of_the_length_has_no_effect() -> None:
    scaled = length_adjusted_win_rate(PREFERENCE, [d / 1000 for d in LENGTH])

    assert scaled.estimate == pytest.approx(length_adjusted_win_rate(PREFERENCE, LENGTH).estimate, rel=1e-12)


def test_length_that_explains_every_win_is_a_reason() -> None:
    result = length_adjusted_win_rate([1, 1, 0, 0], [5, 4, -3, -2])

    assert math.isnan(result.estimate)
    assert (
        result.reason == "the difference in length explains every preference completely, so no finite estimate exists"
    )


@pytest.mark.parametrize(
    ("preference", "length"), [([0.5, 0.5, 0.5], [1.0, 2.0, 3.0]), ([0.5, 0.1], [-90.0, 80.0])], ids=["ties", "two"]
)
def test_preferences_that_fit_exactly_have_no_standard_error(preference: list[float], length: list[float]) -> None:
    result = length_adjusted_win_rate(preference, length)

    assert 0 < result.estimate < 1
    assert np.isnan(result.standard_error)
    assert result.reason is not None
    assert "fits every preference exactly" in result.reason


def test_lengths_that_are_alike_are_a_reason() -> None:
    result = length_adjusted_win_rate([0.5, 0.1, 0.3], [9001.7, 9002.4, 9002.9])

    assert np.isnan(result.estimate)
    assert result.reason is not None
    assert "vary too little" in result.reason


def test_one_cluster_has_no_standard_error() -> None:
    result = length_adjusted_win_rate(PREFERENCE, LENGTH, clusters=[1] * 10)

    assert math.isnan(result.standard_error)
    assert result.reason is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5, 2], [1, 2]), "preference must be between 0 and 1, but preference[1] is 2"),
        (([0.5, 0.2], [3, 3]), "length_difference must have different values, but all are equal"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: tuple[list[float], list[float]], message: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        length_adjusted_win_rate(*arguments)

    assert str(error.value) == message
