from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.metrics.delong import auc_estimate, delong_covariance
from evalstats.metrics.ranking import roc_auc_score

Problem = Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray]]


def delong_by_definition(y: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """DeLong, DeLong & Clarke-Pearson (1988), pair by pair."""

    def kernel(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return (x[:, None] > y) + (x[:, None] == y) / 2

    kernels = [kernel(row[y == 1], row[y == 0]) for row in scores]
    s10 = np.cov([k.mean(axis=1) for k in kernels])
    s01 = np.cov([k.mean(axis=0) for k in kernels])
    return s10 / (y == 1).sum() + s01 / (y == 0).sum()


# by hand


def test_delong_by_hand() -> None:
    """Placements of the positive cases 2/3, 1, 1 and of the negative ones 1, 1, 2/3: each variance is 1/27."""
    result = delong_covariance([0, 0, 0, 1, 1, 1], [[1, 2, 4, 3, 5, 6]])

    assert result.auc == pytest.approx([8 / 9], rel=1e-15)
    assert result.covariance == pytest.approx(np.array([[2 / 81]]), rel=1e-14)
    assert (result.n_positive, result.n_negative, result.reason) == (3, 3, None)


# the definition, counted slowly


def test_delong_is_its_definition(
    kind: str, problem: Problem, draw_scores: Callable[[str, int, int], np.ndarray]
) -> None:
    y, _, _ = problem(kind, 60)
    scores = np.stack([draw_scores(kind, 60, seed) for seed in (1, 2, 3)]).astype(float)

    auc, covariance = delong_covariance(y, scores)

    assert auc.tolist() == roc_auc_score(y, scores).tolist()
    np.testing.assert_allclose(covariance, delong_by_definition(y, scores), rtol=1e-12, atol=1e-17)


# batches


@pytest.mark.parametrize("digits", [0, 2, 16])
@pytest.mark.parametrize("scale", [1.0, 1e-290, 1e307])
def test_many_cases_are_placed_as_few_are(digits: int, scale: float) -> None:
    """Another way of sorting is treated as many cases; two different scores that are nearly equal stay different."""
    rng = np.random.default_rng(8)
    y, score = rng.random(40_000) < 0.3, rng.normal(size=40_000).round(digits) * scale
    score[:2], y[:2] = (scale, np.nextafter(scale, 2 * scale)), (True, False)

    auc, covariance = delong_covariance(y, [score])

    above = np.searchsorted(np.sort(score[~y]), score[y]) + np.searchsorted(np.sort(score[~y]), score[y], "right")
    below = np.searchsorted(np.sort(score[y]), score[~y]) + np.searchsorted(np.sort(score[y]), score[~y], "right")
    m, n = y.sum(), (~y).sum()
    assert auc[0] == roc_auc_score(y, score)
    assert covariance[0, 0] == pytest.approx(
        np.var(above / 2 / n, ddof=1) / m + np.var(below / 2 / m, ddof=1) / n, rel=1e-12
    )


def test_delong_batch_equals_the_loop() -> None:
    rng = np.random.default_rng(6)
    y, score = rng.permuted(np.tile([0, 0, 1, 1, 1] * 4, (3, 1)), axis=1), rng.normal(size=(3, 2, 20)).round(1)

    together = delong_covariance(y, score)

    for i in range(3):
        one = delong_covariance(y[i], score[i])
        np.testing.assert_array_equal(together.auc[i], one.auc)
        np.testing.assert_array_equal(together.covariance[i], one.covariance)


# laws


@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=20))
def test_laws_of_delong(cases: list[tuple[bool, int, int]]) -> None:
    """The covariance does not see which class is positive, and follows the classifiers when they change places."""
    start = [(False, 0, 1), (False, 2, 0), (True, 1, 1), (True, 0, 2)]
    y, first, second = (np.array(a) for a in zip(*start, *cases, strict=True))
    auc, covariance = delong_covariance(y, [first, second])

    assert np.linalg.eigvalsh(covariance).min() > -1e-15
    np.testing.assert_allclose(delong_covariance(~y, [first, second]).covariance, covariance, atol=1e-15)
    np.testing.assert_allclose(delong_covariance(y, [-first, second]).covariance[0, 1], -covariance[0, 1], atol=1e-15)
    np.testing.assert_array_equal(delong_covariance(y, [second, first]).auc, auc[::-1])


@given(
    st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), max_size=25),
    st.floats(0.5, 0.9999),
    st.sampled_from(["logit", "plain"]),
)
def test_interval_holds_the_area_and_stays_within_zero_and_one(
    cases: list[tuple[bool, int]], confidence_level: float, scale: str
) -> None:
    y, score = zip(*[(False, 0), (False, 2), (True, 1), (True, 3), *cases], strict=True)
    result = auc_estimate(y, score)

    low, high = result.confidence_interval(confidence_level, scale=scale)

    assert 0 <= low <= result.estimate <= high <= 1


def test_identical_scores_vary_together(problem: Problem) -> None:
    y, score, _ = problem("margins", 40)

    _, covariance = delong_covariance(y, [score, score])

    assert (covariance == covariance[0, 0]).all()
    assert covariance[0, 0] == auc_estimate(y, score).standard_error ** 2 or covariance[0, 0] == pytest.approx(
        auc_estimate(y, score).standard_error ** 2, rel=1e-15
    )


# degenerate


def test_perfect_order_has_no_width_and_says_so() -> None:
    result = auc_estimate([0, 0, 1, 1], [1, 2, 3, 4])

    assert (result.estimate, result.standard_error) == (1.0, 0.0)
    assert "known exactly" in result.reason
    assert tuple(result.confidence_interval()) == (1.0, 1.0)


def test_single_case_of_a_class_has_no_variance() -> None:
    result = auc_estimate([0, 0, 1], [1, 3, 2])

    assert result.estimate == 0.5
    assert math.isnan(result.standard_error)
    assert "at least two positive and two negative instances" in result.reason
    assert all(math.isnan(limit) for limit in result.confidence_interval())


def test_estimates_of_a_batch() -> None:
    result = auc_estimate([0, 0, 1, 1], [[1, 2, 3, 4], [1, 3, 2, 4]])
    low, high = result.confidence_interval()

    assert result.estimate.tolist() == [1.0, 0.75]
    assert [reason is None for reason in result.reason] == [False, True]
    assert low[0] == high[0] == 1.0
    assert 0 < low[1] < 0.75 < high[1] < 1


# messages


def test_delong_needs_rows_and_both_classes() -> None:
    with pytest.raises(ValueError, match=r"y_score must have the shape \(n_classifiers, n\)"):
        delong_covariance([0, 1], [1, 2])
    with pytest.raises(ValueError, match=r"all instances of y_true\[1\] belong to one class"):
        delong_covariance([[0, 1], [1, 1]], [[1, 2]])
