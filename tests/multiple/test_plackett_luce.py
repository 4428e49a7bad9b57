from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from evalstats import InvalidValueError
from evalstats.multiple import bradley_terry_from_counts, bradley_terry_model, plackett_luce_model

TIED = np.random.default_rng(0).integers(0, 4, (12, 4))
WITHOUT_TIES = np.random.default_rng(2).random((15, 4)) + np.array([0.3, 0.2, 0.1, 0.0])


def log_likelihood(strengths: np.ndarray, log_ties: dict[int, float], table: np.ndarray) -> float:
    """Turner et al. (2020), eq. 2, with every set of those that are left written out."""
    total = 0.0
    for row in table:
        left = set(range(len(row)))
        while left:
            best = {i for i in left if row[i] == max(row[j] for j in left)}
            sets = [s for size in log_ties for s in itertools.combinations(left, size)]
            weights = [math.exp(log_ties[len(s)] + sum(strengths[list(s)]) / len(s)) for s in sets]
            total += log_ties[len(best)] + sum(strengths[list(best)]) / len(best) - math.log(sum(weights))
            left -= best
    return total


def test_two_by_hand() -> None:
    """Eight first places of ten: the odds are 4, half of their logarithm for each."""
    result = plackett_luce_model([[2, 1]] * 8 + [[1, 2]] * 2)

    assert result.estimate == pytest.approx([math.log(2), -math.log(2)], rel=1e-7)
    assert result.differences_standard_error[0, 1] == pytest.approx(math.sqrt(1 / 8 + 1 / 2), rel=1e-6)
    assert result.tie_sizes == ()


def test_maximum_is_that_of_the_definition() -> None:
    result = plackett_luce_model(TIED)
    sizes = result.tie_sizes

    def loss(p: np.ndarray) -> float:
        return -log_likelihood(np.append(p[:3], 0), dict(zip((1, *sizes), [0, *p[3:]], strict=True)), TIED)

    best = minimize(loss, np.zeros(3 + len(sizes)))
    assert sizes == (2, 3)
    assert result.log_likelihood == pytest.approx(-best.fun, rel=1e-11)
    assert result.estimate - result.estimate[-1] == pytest.approx(np.append(best.x[:3], 0), abs=1e-5)
    assert result.log_tie_parameters == pytest.approx(best.x[3:], abs=1e-5)


def test_log_likelihood_is_the_definition() -> None:
    result = plackett_luce_model(TIED)
    log_ties = {1: 0.0, **dict(zip(result.tie_sizes, result.log_tie_parameters, strict=True))}

    assert result.log_likelihood == pytest.approx(log_likelihood(result.estimate, log_ties, TIED), rel=1e-13)


@pytest.mark.parametrize("table", [TIED, WITHOUT_TIES], ids=["ties", "no ties"])
def test_errors_are_those_of_the_curvature(table: np.ndarray) -> None:
    """Second differences of the definition."""
    result = plackett_luce_model(table)
    sizes = (1, *result.tie_sizes)
    best = np.append(result.estimate[:3] - result.estimate[3], result.log_tie_parameters)
    unit, h = np.eye(len(best)), 1e-3

    def at(p: np.ndarray) -> float:
        return log_likelihood(np.append(p[:3], 0), dict(zip(sizes, [0, *p[3:]], strict=True)), table)

    def second(a: np.ndarray, b: np.ndarray) -> float:
        return sum(s * t * at(best + h * (s * a + t * b)) for s in (1, -1) for t in (1, -1)) / (4 * h * h)

    curvature = np.array([[second(a, b) for b in unit] for a in unit])
    expected = np.sqrt(np.diag(np.linalg.inv(-curvature)))[:3]
    assert result.differences_standard_error[:3, 3] == pytest.approx(expected, rel=1e-4)


def test_two_classifiers_are_bradley_and_terry() -> None:
    """With two there is one choice in each row, and Davidson's tie is that of two: nu is delta."""
    table = [[2, 1]] * 7 + [[1, 2]] * 4 + [[1, 1]] * 5

    ours, theirs = plackett_luce_model(table), bradley_terry_model(table, covariance="model")

    assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-7)
    assert math.exp(ours.log_tie_parameters[0]) == pytest.approx(theirs.tie_parameter, rel=1e-7)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=1e-5)


def test_without_ties_it_is_a_row_of_choices() -> None:
    """Of three the first is chosen by strength, then one of two: the terms written out."""
    table = np.array([[3, 2, 1], [2, 3, 1], [1, 2, 3], [3, 1, 2]])
    a, b, c = np.exp(plackett_luce_model(table).estimate)

    terms = [a / (a + b + c) * b / (b + c), b / (a + b + c) * a / (a + c), c / (a + b + c) * b / (a + b)]
    terms.append(a / (a + b + c) * c / (b + c))
    assert plackett_luce_model(table).log_likelihood == pytest.approx(sum(map(math.log, terms)), rel=1e-12)


@pytest.mark.parametrize("table", [TIED, WITHOUT_TIES], ids=["ties", "no ties"])
def test_orders_do_not_matter(table: np.ndarray) -> None:
    here = plackett_luce_model(table)
    there = plackett_luce_model(table[::-1, [2, 0, 3, 1]])

    assert there.estimate == pytest.approx(here.estimate[[2, 0, 3, 1]], abs=1e-8)
    assert there.standard_error == pytest.approx(here.standard_error[[2, 0, 3, 1]], rel=1e-5)


def test_direction_and_scale_of_the_scores() -> None:
    assert plackett_luce_model(-TIED, greater_is_better=False).to_dict() == plackett_luce_model(TIED).to_dict()
    assert plackett_luce_model(np.exp(TIED * 1.0)).to_dict() == plackett_luce_model(TIED).to_dict()
    assert plackett_luce_model([[0.3, 0.1 + 0.2], [1, 2], [2, 1]]).tie_sizes == (2,)


def test_who_is_always_first_has_no_finite_strength() -> None:
    result = plackett_luce_model([[3, 2, 1], [3, 1, 2], [3, 2, 1]])

    assert np.isnan(result.estimate).all()
    assert np.isnan(result.confidence_interval().low).all()
    assert "never ranked strictly below" in result.reason
    assert bradley_terry_from_counts([[0, 3, 3], [0, 0, 2], [0, 1, 0]]).estimate[0] == math.inf


def test_all_tied_has_no_finite_strength() -> None:
    assert np.isnan(plackett_luce_model(np.ones((3, 3))).log_tie_parameters).all()


def test_interval_is_normal() -> None:
    result = plackett_luce_model(TIED)
    low, high = result.confidence_interval(0.9)

    assert (high - low) / 2 == pytest.approx(1.6448536269514722 * result.standard_error, rel=1e-10)


def test_bad_scores_are_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"scores must have the shape \(n_datasets, n_classifiers\), but"):
        plackett_luce_model(np.zeros((2, 3, 4)))
    with pytest.raises(InvalidValueError, match=r"scores must be finite"):
        plackett_luce_model([[1, math.nan], [1, 2]])
