"""Confidence sets for ranks: the values of csranks, and the studentized range."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, studentized_range
from scipy.stats import t as student

from evalstats import InvalidValueError
from evalstats.multiple import rank_confidence_sets

FIVE = [1, 2, 2.5, 4, 4.2]
ARENA = [0, -0.829004985771, -0.947053208408]
OF_ARENA = np.array([[0, 0, 0], [0, 0.604458821**2, 0.10855467], [0, 0.10855467, 0.443307423**2]])


def sets(*arguments: Any, **choices: Any) -> tuple[list[int], list[int]]:
    result = rank_confidence_sets(*arguments, **choices)
    return result.lower.tolist(), result.upper.tolist()


def test_single_step_is_that_of_the_studentized_range() -> None:
    """As in csranks and by hand: two estimates differ if they are 1.929 apart, the range of five over root 2."""
    result = rank_confidence_sets(FIVE, 0.25 * np.eye(5), method="single-step")

    assert result.critical_value == pytest.approx(studentized_range.ppf(0.95, 5, math.inf) / math.sqrt(2), rel=1e-6)
    assert result.critical_value == pytest.approx(2.7277744, abs=1e-7)
    assert (result.lower.tolist(), result.upper.tolist()) == ([3, 3, 1, 1, 1], [5, 5, 5, 3, 3])
    assert result.rank.tolist() == [5, 4, 3, 2, 1]
    assert result.distribution == "exact"


def test_sets_of_single_models_and_steps_are_those_of_csranks() -> None:
    marginal = sets(FIVE, 0.25 * np.eye(5), method="single-step", simultaneous=False)

    assert marginal == ([3, 3, 1, 1, 1], [5, 5, 5, 3, 3])
    assert sets(FIVE, 0.04 * np.eye(5)) == ([5, 3, 3, 1, 1], [5, 4, 4, 2, 2])


@pytest.mark.parametrize(("level", "expected"), [(0.95, ([1, 1, 1], [3, 3, 3])), (0.9, ([1, 1, 2], [2, 3, 3]))])
def test_sets_of_correlated_strengths_are_those_of_csranks(level: float, expected: tuple[list[int], list[int]]) -> None:
    """The values are of csranks with R = 200000, of the clustered covariance of 18 battles."""
    assert sets(ARENA, OF_ARENA, confidence_level=level) == expected
    best = rank_confidence_sets(ARENA, OF_ARENA, confidence_level=level).best
    assert best.tolist() == [True, True, level == 0.95]


@pytest.mark.parametrize("df", [math.inf, 7])
def test_two_models_are_compared_by_the_z_test_or_the_t_test(df: float) -> None:
    result = rank_confidence_sets([0, 1], np.diag([0.1, 0.1]), df=df)

    z = 1 / math.sqrt(0.2)
    assert result.pvalue[0, 1] == pytest.approx(2 * (norm.sf(z) if df == math.inf else student.sf(z, df)), rel=1e-10)


def test_simulated_pvalues_are_those_of_the_studentized_range() -> None:
    """A covariance that is not quite equal is simulated."""
    values = [0.0, 0.9, 1.4, 2.0]
    result = rank_confidence_sets(values, np.diag([0.25, 0.25, 0.25, 0.2500001]), method="single-step", df=9)

    z = np.abs(np.subtract.outer(values, values)) / math.sqrt(0.5) * math.sqrt(2)
    expected = studentized_range.sf(z, 4, 9)
    assert result.distribution == "monte-carlo"
    assert result.pvalue == pytest.approx(expected, abs=0.005)


def test_step_down_is_the_definition() -> None:
    """Drop the rejected pairs and take the critical value again, until none is new (Mogstad et al. 2024, section 3)."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        root = rng.normal(size=(5, 8))
        covariance = root @ root.T / 8
        values = rng.normal(size=5) * 3
        result = rank_confidence_sets(values, covariance, n_resamples=2000, rng=7)
        i, j = np.triu_indices(5, 1)
        error = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
        eigenvalues, vectors = np.linalg.eigh(covariance)
        drawn = (vectors * np.sqrt(eigenvalues)) @ np.random.default_rng(7).standard_normal((5, 2000))
        z, t = np.abs(drawn[i] - drawn[j]) / error[:, None], np.abs(values[i] - values[j]) / error
        left = np.ones(10, dtype=bool)
        while True:
            p = ((z[left].max(axis=0) >= t[left][:, None]).sum(axis=1) + 1) / 2001
            if not (p <= 0.05).any():
                break
            left[np.flatnonzero(left)[p <= 0.05]] = False
            if left.sum() < 2:
                break
        if left.sum() >= 2:
            found = result.pvalue[i, j] <= 0.05
            assert found.tolist() == (~left).tolist()


def test_losses_mirror_the_ranks() -> None:
    lower, upper = sets(FIVE, 0.25 * np.eye(5), greater_is_better=False, method="single-step")

    assert (lower, upper) == sets([-x for x in FIVE], 0.25 * np.eye(5), method="single-step")


def test_step_down_sets_are_within_single_step_sets() -> None:
    rng = np.random.default_rng(4)
    values, covariance = rng.normal(size=12) * 2, np.diag(rng.random(12))
    low, high = sets(values, covariance)
    wide_low, wide_high = sets(values, covariance, method="single-step")

    assert all(a >= b for a, b in zip(low, wide_low, strict=True))
    assert all(a <= b for a, b in zip(high, wide_high, strict=True))


def test_infinite_strength_has_the_widest_set_and_a_reason() -> None:
    covariance = np.full((3, 3), np.nan)
    covariance[1:, 1:] = 0.01 * np.eye(2)
    result = rank_confidence_sets([math.inf, 1, 0], covariance)

    assert (result.lower.tolist(), result.upper.tolist()) == ([1, 1, 2], [3, 2, 3])
    assert result.reason is not None
    assert np.isnan(result.pvalue[0, 1])


def test_models_among_the_two_best() -> None:
    result = rank_confidence_sets(FIVE, 0.04 * np.eye(5), n_best=2)

    assert result.best.tolist() == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], np.eye(3)), "covariance must have the shape (2, 2), not (3, 3)"),
        (([1, np.nan], np.eye(2)), "estimate must hold numbers or infinity, but estimate[1] is nan, which has no rank"),
        (([1, 2], [[1, 0.5], [0, 1]]), "covariance must be symmetric"),
        (([1, 2], [[-1, 0], [0, 1]]), "covariance must not contain negative variances"),
        (([1], [[1]]), "estimate must have the shape (k,), with k of 2 or more, not (1,)"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: tuple[Any, Any], message: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        rank_confidence_sets(*arguments)

    assert str(error.value) == message


def test_degrees_of_freedom_are_1_or_more() -> None:
    with pytest.raises(InvalidValueError, match=r"df must be 1 or more, not 0\.5"):
        rank_confidence_sets([1, 2], np.eye(2), df=0.5)
