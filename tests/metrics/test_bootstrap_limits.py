"""Limits are quantiles of the replicates; where there are none, a reason says why."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats.metrics import bootstrap_limits
from evalstats.metrics.bootstrap import bootstrap_interval, bootstrap_scores
from evalstats.metrics.bootstrap_auc import bootstrap_auc_interval
from evalstats.metrics.labels import score_from_counts

COUNTS = [[60, 8], [5, 27]]


def test_percentile_limits_are_quantiles_of_the_replicates() -> None:
    scores = bootstrap_scores("f1", COUNTS, n_resamples=500, rng=3)

    interval = bootstrap_interval("f1", COUNTS, method="percentile", n_resamples=500, rng=3, confidence_level=0.9)

    assert tuple(interval) == tuple(np.quantile(scores, [0.05, 0.95]))
    assert interval.standard_error == scores.std(ddof=1)
    assert interval.estimate == score_from_counts("f1", COUNTS)


def test_no_errors_leave_the_bootstrap_without_spread() -> None:
    interval = bootstrap_interval("accuracy", [[50, 0], [0, 50]], rng=0, n_resamples=99)

    assert (interval.low, interval.high, interval.standard_error) == (1, 1, 0)
    assert interval.reason == bootstrap_limits.NO_SPREAD


def test_undefined_replicates_are_left_out_or_zero() -> None:
    """Precision of a class that is hardly ever predicted."""
    counts = [[30, 0], [9, 1]]

    left_out = bootstrap_interval("precision", counts, rng=0, n_resamples=999)
    zero = bootstrap_interval("precision", counts, rng=0, n_resamples=999, undefined="zero")

    assert left_out.n_undefined == pytest.approx(999 * (39 / 40) ** 40, rel=0.15)
    assert (left_out.low, zero.low, zero.n_undefined) == (1, 0, 0)


def test_score_that_is_never_defined_has_no_interval() -> None:
    interval = bootstrap_interval("precision", [[30, 0], [10, 0]], rng=0, n_resamples=99)

    assert math.isnan(interval.low)
    assert interval.n_undefined == 99
    assert interval.reason == bootstrap_limits.NOT_DEFINED


def test_bca_that_does_not_exist_is_percentile_with_a_reason() -> None:
    """Leaving out the only case of a class leaves the score undefined."""
    area = bootstrap_auc_interval([0, 1, 1], [0.2, 0.1, 0.3], rng=0, n_resamples=99)
    informedness = bootstrap_interval("informedness", [[5, 5], [0, 1]], rng=0, n_resamples=99)

    assert (area.method, area.reason) == ("percentile", bootstrap_limits.NOT_BCA)
    assert (informedness.method, informedness.reason) == ("percentile", bootstrap_limits.NOT_BCA)
    assert 0 <= area.low < area.high <= 1
