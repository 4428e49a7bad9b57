"""The largest absolute value of correlated t statistics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats.distributions.max_t import MaxT


def factor(seed: int, m: int, n: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=(m, n)).cumsum(axis=0)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@pytest.mark.parametrize("df", [1, 4, 30])
def test_one_statistic_has_the_t_distribution(df: int) -> None:
    for rows in ([[1.0]], [[0.6, 0.8], [-0.6, -0.8]]):
        joint = MaxT(np.array(rows), df)

        assert joint.pvalue(np.array([0.0, 1.5, -4.0])) == pytest.approx([1, *2 * stats.t.sf([1.5, 4], df)], rel=1e-10)
        assert joint.quantile(0.95) == pytest.approx(stats.t.ppf(0.975, df), rel=1e-12)


def test_independent_statistics_with_many_degrees_of_freedom() -> None:
    """The largest of three normal values: 1 - (1 - p)^3."""
    p = 2 * stats.norm.sf([1.0, 2.0, 3.0])

    assert MaxT(np.eye(3), 1e9).pvalue(np.array([1.0, 2.0, 3.0])) == pytest.approx(1 - (1 - p) ** 3, abs=2e-5)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 5), (6, 3), (15, 20)])
def test_quantile_is_exceeded_with_the_level(m: int, n: int) -> None:
    joint = MaxT(factor(m, m, n), 9)

    for level in (0.5, 0.95, 0.999):
        assert joint.pvalue(np.array([joint.quantile(level)])) == pytest.approx(1 - level, rel=1e-8)


def test_integral_over_normal_values_of_two_statistics() -> None:
    """SciPy's bivariate t distribution, on the square."""
    both = MaxT(np.array([[1.0, 0.0], [0.5, np.sqrt(0.75)]]), 5)
    inside = stats.multivariate_t([0, 0], [[1, 0.5], [0.5, 1]], df=5).cdf(
        [2, 2], lower_limit=[-2, -2], maxpts=200_000, random_state=1
    )

    assert both.pvalue(np.array([2.0])) == pytest.approx(1 - inside, abs=2e-4)
