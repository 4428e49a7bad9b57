"""e-Holm and e-BH, against the enumeration of all sets."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from evalstats import InvalidValueError, adjust_pvalues
from evalstats.adjustment import adjust_e_values

FIRST, SECOND = [200, 90, 30, 4], [60, 25, 12, 8, 0.5, 0.2]


def smallest_means(values: list[float]) -> list[float]:
    """Smallest mean over all of the 2^m - 1 sets that contain each value."""
    m = range(len(values))
    sets = [s for size in m for s in itertools.combinations(m, size + 1)]
    return [min(sum(values[j] for j in s) / len(s) for s in sets if i in s) for i in m]


def test_adjusted_values_by_hand() -> None:
    """(200 + 90 + 30 + 4) / 4 is 81, (200 + 30 + 4) / 3 is 78, (200 + 4) / 2 is 102."""
    assert adjust_e_values(FIRST).adjusted == pytest.approx([78, 124 / 3, 17, 4])
    expected = [16.14, 8.425, 4.2333333333, 2.9, 0.35, 0.2]
    assert adjust_e_values(SECOND).adjusted == pytest.approx(expected, abs=1e-9)


def test_numbers_of_rejections() -> None:
    assert adjust_e_values(FIRST).rejected.sum() == 2
    assert adjust_e_values(FIRST, method="e-bh").rejected.sum() == 3
    assert not adjust_e_values(SECOND, method="e-bh").rejected.any()
    assert adjust_e_values(SECOND, method="e-bh", alpha=0.1).rejected.sum() == 1
    assert adjust_pvalues(1 / np.array(FIRST), method="holm") == pytest.approx([0.02, 0.1 / 3, 0.2 / 3, 0.25])


@pytest.mark.parametrize("m", [1, 2, 3, 5, 8, 12])
def test_e_holm_is_the_smallest_mean_of_all_sets(m: int) -> None:
    rng = np.random.default_rng(m)
    for _ in range(3):
        values = np.where(rng.random(m) < 0.2, 0.0, np.exp(rng.normal(0, 2, m))).tolist()

        assert adjust_e_values(values).adjusted == pytest.approx(smallest_means(values), rel=1e-12)


def test_e_bh_is_its_definition() -> None:
    """Reject the k largest, with the largest k whose k-th value is at least m / (k alpha)."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        values = np.exp(rng.normal(1.5, 2, 9))
        ordered = np.sort(values)[::-1]
        k = max([j for j in range(1, 10) if ordered[j - 1] >= 9 / (j * 0.1)], default=0)

        rejected = adjust_e_values(values, method="e-bh", alpha=0.1).rejected

        assert rejected.sum() == k
        assert set(values[rejected]) == set(ordered[:k])


def test_e_holm_rejects_at_least_what_holm_rejects_of_the_inverse_values() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        values = np.exp(rng.normal(2, 2, 6))
        by_p = np.asarray(adjust_pvalues(np.minimum(1 / values, 1), method="holm")) <= 0.05

        assert (adjust_e_values(values).rejected >= by_p).all()


def test_infinite_value_is_rejected_and_zero_is_allowed() -> None:
    result = adjust_e_values([math.inf, 0, 30])

    assert result.adjusted.tolist() == [math.inf, 0, 15]
    assert adjust_e_values([20.0]).rejected.all()


def test_e_bh_has_a_caution() -> None:
    assert "no longer reject" in str(adjust_e_values(FIRST, method="e-bh").caution)
    assert adjust_e_values(FIRST).caution is None


@pytest.mark.parametrize(
    ("e_values", "message"),
    [
        ([1, -2], "e_values must be nonnegative, but e_values[1] is -2"),
        ([1, math.nan], "e_values must be nonnegative, but e_values[1] is nan"),
        ([[1, 2]], "e_values must have the shape (m,), with m of 1 or more, but its shape is (1, 2)"),
    ],
)
def test_what_is_no_evalue_is_refused(e_values: list[float], message: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        adjust_e_values(e_values)

    assert str(error.value) == message
