from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from evalstats import InvalidValueError
from evalstats.effects import stochastic_order
from evalstats.effects.stochastic_order import almost_stochastic_order

samples = st.lists(st.integers(0, 9), min_size=2, max_size=9)


def ratio(x: list[int], y: list[int]) -> Fraction:
    """Dror et al. (2019), eq. 4 and 5, on a grid that every jump lies on: exact, in rational numbers."""
    n, m = len(x), len(y)
    total = violated = Fraction(0)
    for cell in range(n * m):
        d = Fraction(sorted(x)[cell // m] - sorted(y)[cell // n])
        total += d**2
        violated += d**2 if d < 0 else 0
    return violated / total if total else Fraction(1, 2)


def test_two_and_two_by_hand() -> None:
    """The quantile functions are 1 and 6 against 2 and 4: 1 of 1 + 4 squares is on the wrong side."""
    assert almost_stochastic_order([6, 1], [4, 2], n_resamples=19).estimate == pytest.approx(1 / 5, rel=1e-15)


def test_two_and_three_by_hand() -> None:
    """0 for one half and 5 for the other, against 1, 2 and 3 for a third each.

    The differences are -1, -1, -2, 3, 2, 2 in the six sixths; their squares 1, 1, 4 and 9, 4, 4.
    """
    assert almost_stochastic_order([0, 5], [3, 1, 2], n_resamples=19).estimate == pytest.approx(6 / 23, rel=1e-15)


@given(samples, samples)
def test_ratio_is_its_definition_in_rational_numbers(x: list[int], y: list[int]) -> None:
    assert almost_stochastic_order(x, y, n_resamples=19).estimate == pytest.approx(float(ratio(x, y)), rel=1e-13)


def test_large_samples_have_the_ratio_of_their_distributions() -> None:
    """Of N(0.5, 1) and N(0, 2): both quantile functions are known."""

    def square(t: float, sign: int) -> float:
        return float(max(sign * (0.5 + stats.norm.ppf(t) - 2 * stats.norm.ppf(t)), 0) ** 2)

    below, above = (integrate.quad(square, 0, 1, args=(sign,))[0] for sign in (-1, 1))
    grid = (np.arange(20_000) + 0.5) / 20_000

    found = almost_stochastic_order(0.5 + stats.norm.ppf(grid), 2 * stats.norm.ppf(grid), n_resamples=19).estimate

    assert found == pytest.approx(below / (below + above), abs=1e-3)


def test_first_example_of_deepsig() -> None:
    """Deepsig 1.2.8, README, Scenario 1: eps_min = 0.225 from 1,000 resamples (0.22488 by its code).

    The ratio is 0, so the bound is 1.645 standard errors; of 1,000 resamples that has an error of about 0.006.
    """
    x = [1.27714813, -0.05278056, 2.04616557, 0.64987848, 0.32352901]
    y = [0.88716294, 0.85958841, -0.6365235, 0.01569637, -2.24268495]

    result = almost_stochastic_order(x, y, n_resamples=19_999, rng=1)

    assert result.estimate == 0
    assert result.upper_bound() == pytest.approx(0.2249, abs=0.012)


def test_bound_is_the_normal_one_of_the_resamples() -> None:
    x, y = np.array([0.3, 0.5, 0.7, 0.9]), np.array([0.1, 0.6, 0.8])
    streams = [np.random.default_rng(seed) for seed in np.random.default_rng(3).integers(2**63, size=2)]
    # the shorter sample is the first
    draws = zip(*(stream.integers(n, size=(199, n)) for stream, n in zip(streams, (3, 4), strict=True)), strict=True)
    ratios = [float(ratio(*(np.rint(10 * v).astype(int).tolist() for v in (x[b], y[a])))) for a, b in draws]

    result = almost_stochastic_order(x, y, n_resamples=199, rng=3)

    error = float(np.std(ratios, ddof=1))
    assert result.standard_error == pytest.approx(error, rel=1e-10)
    assert result.upper_bound(0.9) == pytest.approx(min(result.estimate + 1.2815515655446004 * error, 1), rel=1e-10)
    assert result.lower_bound(0.9) == pytest.approx(max(result.estimate - 1.2815515655446004 * error, 0), abs=1e-10)


@pytest.mark.parametrize("shapes", [(5, 5), (5, 7)])
def test_swapping_mirrors_ratio_error_and_bounds(shapes: tuple[int, int]) -> None:
    generator = np.random.default_rng(8)
    x, y = generator.normal(size=(20, shapes[0])), generator.normal(size=(20, shapes[1]))

    here, there = almost_stochastic_order(x, y, n_resamples=99), almost_stochastic_order(y, x, n_resamples=99)

    np.testing.assert_allclose(here.estimate, 1 - there.estimate, atol=1e-15)
    np.testing.assert_allclose(here.standard_error, there.standard_error, rtol=1e-10)
    np.testing.assert_allclose(here.lower_bound(), 1 - there.upper_bound(), atol=1e-14)


def test_batch_is_the_loop() -> None:
    generator = np.random.default_rng(2)
    scores = np.round(generator.normal(size=(4, 6)), 1)

    pairs = almost_stochastic_order(scores[:, None], scores[None], n_resamples=49, rng=7)

    for i, j in np.ndindex(4, 4):
        one = almost_stochastic_order(scores[i], scores[j], n_resamples=49, rng=7)
        assert (one.estimate, one.standard_error) == (pairs.estimate[i, j], pairs.standard_error[i, j])
        assert one.reason == pairs.reason[i, j]
        assert one.upper_bound() == pairs.upper_bound()[i, j]


def test_chunks_of_resamples_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 6))
    monkeypatch.setattr(stochastic_order, "VALUES_AT_ONCE", 1)
    one_by_one = almost_stochastic_order(x, y, n_resamples=49, rng=7).standard_error
    monkeypatch.undo()

    assert one_by_one == almost_stochastic_order(x, y, n_resamples=49, rng=7).standard_error


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e300])
def test_unit_does_not_matter(scale: float) -> None:
    x, y = np.array([1.5, 3, 7, 2]), np.array([1, 2.5, 4, 8])
    one, other = almost_stochastic_order(x, y), almost_stochastic_order(x * scale, y * scale)

    assert other.estimate == pytest.approx(one.estimate, rel=1e-11)
    assert other.standard_error == pytest.approx(one.standard_error, rel=1e-9)


def test_noise_is_no_violation() -> None:
    """0.1 + 0.2 is 0.3: x is nowhere below y."""
    assert almost_stochastic_order([0.3, 0.9], [0.1 + 0.2, 0.8]).estimate == 0
    assert almost_stochastic_order([0.3, 0.9], [0.1 + 0.2, 0.9]).estimate == 0.5


@pytest.mark.parametrize("y", [[1, 2, 3], [1, 1, 2, 2, 3, 3]])
def test_same_distribution_is_half_with_a_reason(y: list[int]) -> None:
    result = almost_stochastic_order([3, 1, 2], y)

    assert result.estimate == 0.5
    assert "neither dominates the other" in result.reason


def test_distributions_apart_are_told_to_say_little_of_uncertainty() -> None:
    result = almost_stochastic_order([5, 6], [1, 2])

    assert (result.estimate, result.standard_error, result.upper_bound()) == (0, 0, 0)
    assert "the bootstrap standard error is 0" in result.reason


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1], [1, 2], r"x and y must have at least 2 values each, but they have 1 and 2"),
        ([1, math.nan], [1, 2], r"x must be finite, but x\[1\] is nan"),
        ([], [1, 2], r"x must have at least 1 value"),
    ],
)
def test_bad_samples_are_refused(x: list[float], y: list[float], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        almost_stochastic_order(x, y)
