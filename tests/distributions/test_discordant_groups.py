from __future__ import annotations

import numpy as np
import pytest

from evalstats.distributions.discordant_groups import (
    METHODS,
    chi2,
    leads_of_cases,
    leads_of_groups,
    min_attainable_pvalue,
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
