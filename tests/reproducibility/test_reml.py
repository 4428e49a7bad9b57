from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from evalstats.reproducibility.reml import moments_are_dependent, restricted_fit

GENERATOR = np.random.default_rng(5)
# 9 questions x 4 models, with one to three samples of each answer
CELLS = np.repeat(np.arange(36), GENERATOR.integers(1, 4, 36))
LEVELS = [CELLS // 4, CELLS % 4, CELLS]
PARTS = [0.5 * GENERATOR.normal(size=9), 2 * GENERATOR.normal(size=4), 0.6 * GENERATOR.normal(size=36)]
SCORES = sum(part[level] for part, level in zip(PARTS, LEVELS, strict=True)) + GENERATOR.normal(size=CELLS.size)


def dense_log_likelihood(variances) -> float:
    """Searle, Casella & McCulloch (1992), section 6.6, with whole matrices."""
    n = SCORES.size
    covariance = variances[-1] * np.eye(n)
    for variance, level in zip(variances, LEVELS, strict=False):
        covariance += variance * (level[:, None] == level)
    inverse, ones = np.linalg.inv(covariance), np.ones(n)
    precision = ones @ inverse @ ones
    residual = SCORES - ones * (ones @ inverse @ SCORES) / precision
    log_det = np.linalg.slogdet(covariance)[1]
    return -((n - 1) * math.log(2 * math.pi) + log_det + math.log(precision) + residual @ inverse @ residual) / 2


def test_likelihood_is_that_of_whole_matrices_and_largest_there() -> None:
    fit = restricted_fit(SCORES, LEVELS)

    assert fit.has_converged
    assert (fit.variances > 0).all()
    assert fit.log_likelihood == pytest.approx(dense_log_likelihood(fit.variances), rel=1e-12)
    for k, factor in itertools.product(range(4), (0.98, 1.02)):
        moved = fit.variances.copy()
        moved[k] *= factor
        assert dense_log_likelihood(moved) < fit.log_likelihood


def test_standard_errors_are_of_the_curvature_of_whole_matrices() -> None:
    """The inverse of minus the second derivatives, by differences of the transcribed likelihood."""
    fit, n = restricted_fit(SCORES, LEVELS), 4
    steps = np.diag(fit.variances * 1e-3)
    curvature = np.empty((n, n))
    for i, j in itertools.product(range(n), repeat=2):
        signs = itertools.product((1, -1), repeat=2)
        moved = [a * b * dense_log_likelihood(fit.variances + a * steps[i] + b * steps[j]) for a, b in signs]
        curvature[i, j] = sum(moved) / (4 * steps[i, i] * steps[j, j])

    assert fit.standard_errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(-curvature))), rel=1e-4)


def test_a_variance_of_zero_is_found_from_both_sides() -> None:
    """Cells that are more alike than samples: no likelihood is gained by a variance of theirs."""
    means = np.zeros(36)
    alternating = SCORES * 0 + np.where(np.arange(SCORES.size) % 2, 1.0, -1.0) + means[CELLS]

    fit = restricted_fit(alternating, LEVELS)

    assert fit.has_converged
    assert (fit.variances[:-1] == 0).all()
    assert np.isnan(fit.standard_errors[:-1]).all()
    assert fit.variances[-1] == pytest.approx(np.var(alternating, ddof=1), rel=1e-12)
    assert fit.standard_errors[-1] == pytest.approx(fit.variances[-1] * math.sqrt(2 / (SCORES.size - 1)), rel=1e-9)


def test_scores_without_a_rest_do_not_converge() -> None:
    """An exact sum of questions and models: the likelihood grows without end as the variance of the rest vanishes."""
    levels = LEVELS[:2]

    fit = restricted_fit(sum(part[level] for part, level in zip(PARTS, levels, strict=False)), levels)

    assert not fit.has_converged


@pytest.mark.parametrize(
    ("levels", "dependent"),
    [
        (LEVELS, False),
        (LEVELS[:2], False),
        ([LEVELS[0], LEVELS[0]], True),
        ([CELLS * 0], True),
        ([np.arange(CELLS.size)], True),
        ([CELLS // 4, 8 - CELLS // 4], True),
    ],
)
def test_dependent_terms_are_seen(levels, dependent: bool) -> None:
    assert moments_are_dependent(levels, CELLS.size) is dependent
