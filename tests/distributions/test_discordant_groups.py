from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats.distributions.discordant_groups import (
    METHODS,
    chi2,
    leads_of_cases,
    leads_of_groups,
    min_attainable_pvalue,
    power,
    pvalue,
)


def test_leads_by_hand() -> None:
    """Leads 2, -1 and 0."""
    leads = leads_of_groups(np.array([3, 0, 4]), np.array([1, 1, 4]))

    assert (leads.of_x, leads.of_y, leads.squares) == (2, 1, 5)
    assert chi2(leads, correction=False) == 1 / 5
    assert chi2(leads, correction=True) == 0
    assert pvalue(leads, "greater", "exact", correction=True) == 2 / 4
    assert pvalue(leads, "two-sided", "exact", correction=True) == 1
    assert min_attainable_pvalue(leads, "less", "exact", correction=True) == 1 / 4


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_cases_are_groups_of_one(method: str, alternative: str) -> None:
    x, y = np.random.default_rng(1).integers(0, 2, (2, 5, 30))
    only_x, only_y = ((x > y).sum(axis=-1), (x < y).sum(axis=-1))

    for correction in (True, False):
        np.testing.assert_array_equal(
            pvalue(leads_of_groups(x, y), alternative, method, correction),
            pvalue(leads_of_cases(only_x, only_y), alternative, method, correction),
        )


@pytest.mark.parametrize(("n", "p_x", "p_y"), [(9, 0.3, 0.1), (1, 0.5, 0.2), (14, 0.05, 0.0), (6, 0.0, 1.0)])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_power_is_the_sum_over_all_tables(n: int, p_x: float, p_y: float, alternative: str) -> None:
    """Every table of n instances, with its multinomial probability."""
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    only_x, only_y = np.array(tables).T
    probability = stats.multinomial.pmf(np.c_[tables, n - only_x - only_y], n, [p_x, p_y, 1 - p_x - p_y])

    for method, correction, alpha in [("exact", True, 0.05), ("midp", True, 0.2), ("asymptotic", False, 0.7)]:
        rejected = pvalue(leads_of_cases(only_x, only_y), alternative, method, correction) <= alpha
        found = power(n, p_x, p_y, alpha, alternative, method, correction)
        assert found == pytest.approx(probability[rejected].sum(), rel=1e-12, abs=1e-15)


def test_power_without_discordant_instances_is_zero() -> None:
    assert power(50, 0.0, 0.0, 0.05, "two-sided", "exact", True) == 0
