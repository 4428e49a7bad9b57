from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.agreement import cohen_kappa, krippendorff_alpha, scott_pi, scott_pi_table
from evalstats.metrics import confusion_counts

# the table cont3x3abstractors of the R package irrCAC, and what scott2.table prints for it
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
IRRCAC = (0.7962397, 0.05905473)

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


def test_eight_cases_by_hand() -> None:
    """6 of 8 agree; the labels have shares 3/8 and 5/8 on both sides together."""
    result = scott_pi([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1])

    assert result.observed_agreement == 0.75
    assert result.chance_agreement == pytest.approx(34 / 64, rel=1e-15)
    assert result.estimate == pytest.approx(7 / 15, rel=1e-14)
    assert result.standard_error_null == pytest.approx(1 / math.sqrt(8), rel=1e-14)


def test_printout_of_irrcac() -> None:
    """It divides the sum of squares by n^2 where we divide by n (n - 1), as it does itself for ratings."""
    result = scott_pi_table(ABSTRACTORS)

    assert result.estimate == pytest.approx(IRRCAC[0], rel=1e-6)
    assert result.standard_error * math.sqrt(99 / 100) == pytest.approx(IRRCAC[1], rel=1e-6)


@given(pairs)
def test_never_above_cohen_kappa(labels: list[tuple[int, int]]) -> None:
    """Equal only where both sides use each label as often."""
    y1, y2 = zip(*labels, strict=True)
    pi, kappa = scott_pi(y1, y2), cohen_kappa(y1, y2)

    if not math.isnan(pi.estimate):
        assert pi.estimate <= kappa.estimate + 1e-14
    if sorted(y1) == sorted(y2):
        assert pi.estimate == pytest.approx(kappa.estimate, rel=1e-12, abs=1e-15, nan_ok=True)


@given(pairs)
def test_krippendorff_alpha_of_two_raters(labels: list[tuple[int, int]]) -> None:
    pi, alpha = scott_pi(*zip(*labels, strict=True)), krippendorff_alpha(labels)

    assert 1 - alpha.estimate == pytest.approx(
        (1 - pi.estimate) * (1 - 1 / (2 * len(labels))), rel=1e-12, abs=1e-15, nan_ok=True
    )


@given(pairs)
def test_who_is_first_does_not_matter(labels: list[tuple[int, int]]) -> None:
    y1, y2 = zip(*labels, strict=True)
    here, there = scott_pi(y1, y2), scott_pi(y2, y1)

    assert there.estimate == pytest.approx(here.estimate, rel=1e-14, nan_ok=True)
    assert there.standard_error == pytest.approx(here.standard_error, rel=1e-12, abs=1e-15, nan_ok=True)


def test_standard_error_is_the_spread_of_samples() -> None:
    shares = 0.5 * np.outer([0.6, 0.3, 0.1], [0.5, 0.3, 0.2]) + 0.5 * np.diag([0.5, 0.3, 0.2])
    tables = np.random.default_rng(1).multinomial(200, shares.ravel(), size=5000).reshape(-1, 3, 3)
    result = scott_pi_table(tables)

    assert np.sqrt(np.mean(result.standard_error**2)) == pytest.approx(result.estimate.std(), rel=0.03)


def test_labels_and_their_table_are_one_road() -> None:
    y1, y2 = np.random.default_rng(2).integers(0, 4, (2, 5, 60))

    np.testing.assert_array_equal(scott_pi(y1, y2).estimate, scott_pi_table(confusion_counts(y1, y2)).estimate)


def test_tables_without_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="a table must hold at least one case, but table is all 0"):
        scott_pi_table([[0, 0], [0, 0]])
