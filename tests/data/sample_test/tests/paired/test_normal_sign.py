"""What is special about the sign test by the normal approximation."""

from __future__ import annotations

from evalstats import normal_sign_test


def test_statistic_counted_by_hand() -> None:
    """Four wins: 4 / sqrt(4)."""
    assert normal_sign_test([7, 8, 9, 8], [6, 7, 7, 7]).statistic == 2
