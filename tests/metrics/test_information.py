"""Information scores: the tutorial's example, the definition, and what is certain or impossible."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from evalstats.metrics.information import information_score, relative_information_score

# Japkowicz, Machine Learning Evaluation: the slides "RMSE" and "Information Score"
SLIDE_PROBABILITIES = [0.95, 0.6, 0.8, 0.75, 0.9]
SLIDE_CLASSES = [1, 0, 1, 0, 1]
SLIDE_PRIOR = [0.4, 0.6]
SLIDE_INFORMATION_OF_X1, SLIDE_INFORMATION = 0.66, 0.40
INFORMATION = 0.2682073836  # with the minus of Kononenko & Bratko (1991) in the misleading branch


def forecast(seed: int, n: int = 60, k: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, probabilities and weights."""
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    return y_true, rng.dirichlet(np.full(k, 0.4), n), rng.integers(1, 4, n).astype(float)


def information_by_definition(y_true: Any, y_proba: Any, prior: Any) -> float:
    """Kononenko & Bratko (1991), case by case."""
    total = 0.0
    for c, p in zip(y_true, y_proba, strict=True):
        if p[c] >= prior[c]:
            total += -math.log2(prior[c]) + math.log2(p[c])
        else:
            total -= -math.log2(1 - prior[c]) + math.log2(1 - p[c])
    return total / len(y_true)


def test_information_score_has_a_minus_where_the_answer_misleads() -> None:
    result = information_score(SLIDE_CLASSES, SLIDE_PROBABILITIES)

    assert result == pytest.approx(INFORMATION, abs=1e-10)


def test_information_score_of_the_slide_lost_a_minus() -> None:
    """The fourth case is misleading: counting it with a plus gives what the slide prints."""
    misleading = information_score([0], [0.75], prior=SLIDE_PRIOR)
    as_printed = information_score(SLIDE_CLASSES, SLIDE_PROBABILITIES) - 2 * misleading / 5

    assert misleading == pytest.approx(-0.3219280949, abs=1e-10)
    assert as_printed == pytest.approx(SLIDE_INFORMATION, abs=5e-3)


def test_information_of_the_first_case_of_the_tutorial() -> None:
    result = information_score([1], [0.95], prior=SLIDE_PRIOR)

    assert result == pytest.approx(-math.log2(0.6) + math.log2(0.95), abs=1e-15)
    assert result == pytest.approx(SLIDE_INFORMATION_OF_X1, abs=5e-3)


def test_relative_information_divides_by_the_entropy_of_the_prior() -> None:
    entropy = -(0.4 * math.log2(0.4) + 0.6 * math.log2(0.6))

    assert relative_information_score(SLIDE_CLASSES, SLIDE_PROBABILITIES) == pytest.approx(INFORMATION / entropy)


@pytest.mark.parametrize("k", [2, 3, 6])
def test_information_score_is_its_definition(k: int) -> None:
    y_true, y_proba, _ = forecast(k, k=k)
    shares = np.bincount(y_true) / len(y_true)
    other = np.arange(1, k + 1) / np.arange(1, k + 1).sum()

    assert information_score(y_true, y_proba) == pytest.approx(
        information_by_definition(y_true, y_proba, shares), rel=1e-12
    )
    assert information_score(y_true, y_proba, prior=other) == pytest.approx(
        information_by_definition(y_true, y_proba, other), rel=1e-12
    )


def test_prior_scores_no_information() -> None:
    y_true = [0, 0, 1, 2]

    assert information_score(y_true, [[0.5, 0.25, 0.25]] * 4) == 0


def test_perfection_removes_all_uncertainty() -> None:
    y_true = np.array([0, 0, 1, 2])

    assert relative_information_score(y_true, np.eye(3)[y_true]) == pytest.approx(1, abs=1e-15)


def test_impossible_and_certain_answers_have_finite_information() -> None:
    """Posterior 0: log2(1 - prior); posterior 1: -log2(prior). No clamp is needed."""
    assert information_score([0, 1], [0.0, 1.0]) == 1
    assert information_score([0, 1], [1.0, 0.0]) == -1


def test_one_class_has_no_information() -> None:
    with pytest.raises(ValueError, match=r"information_score is undefined: one class has the prior probability 1"):
        information_score([1, 1], [0.5, 0.7])
    assert math.isnan(information_score([1, 1], [0.5, 0.7], undefined="nan"))
    assert relative_information_score([1, 1], [0.5, 0.7], undefined="zero") == 0
    assert information_score([1, 1], [0.5, 0.7], prior=[0.5, 0.5]) == pytest.approx(math.log2(1.4) / 2)


def test_prior_must_fit() -> None:
    with pytest.raises(ValueError, match=r"prior must hold a probability for each of the 2 classes"):
        information_score([0, 1], [0.5, 0.5], prior=[0.2, 0.3, 0.5])
    with pytest.raises(ValueError, match=r"must sum to one, but the probabilities of prior sum to 0.8"):
        information_score([0, 1], [0.5, 0.5], prior=[0.5, 0.3])
    with pytest.raises(ValueError, match=r"must be above 0, but the prior of y_true\[0\] is 0"):
        information_score([0, 1], [0.5, 0.5], prior=[0, 1])
