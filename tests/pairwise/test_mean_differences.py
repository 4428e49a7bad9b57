from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import bootstrap, skew, t

from evalstats import InvalidTypeError, InvalidValueError
from evalstats.pairwise import mean_differences, pairwise_mean_differences

SCORES = np.array([[0.81, 0.78, 0.70], [0.84, 0.82, 0.74], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.70]])
SKEWED = np.random.default_rng(1).gamma(1, size=(15, 3))


def test_differences_by_hand() -> None:
    result = pairwise_mean_differences(SCORES, n_resamples=19)

    assert result.estimate == pytest.approx(np.array([[0, 0.024, 0.118], [-0.024, 0, 0.094], [-0.118, -0.094, 0]]))
    assert (result.n_datasets, result.n_classifiers) == (5, 3)


def test_replicates_have_the_law_of_all_resamples() -> None:
    """4^4 draws of four datasets, each as often as it comes."""
    table = SKEWED[:4]
    means = [table[list(rows)].mean(axis=0) for rows in itertools.product(range(4), repeat=4)]
    d = np.array(means)[:, 0] - np.array(means)[:, 1]

    result = pairwise_mean_differences(table, method="percentile", n_resamples=40_000, rng=1)
    interval = result.confidence_interval(0.8)

    assert [interval.low[0, 1], interval.high[0, 1]] == pytest.approx(np.quantile(d, [0.1, 0.9]), abs=0.03 * d.std())


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_interval_is_that_of_scipy(method: str) -> None:
    """scipy.stats.bootstrap of the differences; 30,000 resamples leave 1 or 2% of the standard error."""
    d = SKEWED[:, 0] - SKEWED[:, 1]
    theirs = bootstrap((d,), np.mean, method=method, n_resamples=30_000, confidence_level=0.9, rng=1)

    result = pairwise_mean_differences(SKEWED, method=method, n_resamples=30_000, rng=1)

    interval = result.confidence_interval(0.9)
    limits = [interval.low[0, 1], interval.high[0, 1]]
    assert limits == pytest.approx(list(theirs.confidence_interval), abs=0.06 * theirs.standard_error)
    # replicates of n values vary less than the values
    assert result.standard_error[0, 1] == pytest.approx(np.sqrt(15 / 14) * theirs.standard_error, rel=0.02)


def test_symmetric_differences_have_the_interval_of_student() -> None:
    table = np.column_stack([[0.3, 0.1, 0.2, 0.4, 0.5], np.zeros(5)])

    interval = pairwise_mean_differences(table).confidence_interval(0.9)

    student = t.interval(0.9, 4, 0.3, np.std(table[:, 0], ddof=1) / np.sqrt(5))
    assert [interval.low[0, 1], interval.high[0, 1]] == pytest.approx(list(student))


def test_acceleration_is_a_sixth_of_the_skewness_of_the_mean() -> None:
    result = pairwise_mean_differences(SKEWED, method="bca", n_resamples=19)

    d = SKEWED[:, 0] - SKEWED[:, 1]
    assert result._acceleration[0] == pytest.approx(skew(d) / np.sqrt(15) / 6, rel=1e-12)


@pytest.mark.parametrize("method", ["hall", "bca", "percentile"])
def test_each_pair_is_the_pair_alone(method: str) -> None:
    """The draws are those of the datasets, which the order of the classifiers does not change."""
    together = pairwise_mean_differences(SKEWED, method=method, n_resamples=299, rng=3)
    turned = pairwise_mean_differences(SKEWED[:, [2, 0, 1]], method=method, n_resamples=299, rng=3)

    here, there = together.confidence_interval(), turned.confidence_interval()
    assert here.low[0, 1] == pytest.approx(there.low[1, 2], rel=1e-12)
    assert here.low[2, 0] == pytest.approx(there.low[0, 1], rel=1e-12)
    assert here.low[1, 0] == -here.high[0, 1]


def test_control_is_a_column_of_all_pairs() -> None:
    pairs = pairwise_mean_differences(SKEWED, n_resamples=299)
    control = pairwise_mean_differences(SKEWED, n_resamples=299, control=2)

    assert control.estimate[:2] == pytest.approx(pairs.estimate[:2, 2], rel=1e-14)
    assert control.confidence_interval().low[:2] == pytest.approx(pairs.confidence_interval().low[:2, 2], rel=1e-12)
    assert np.isnan(control.estimate[2])
    assert np.isnan(control.confidence_interval().high[2])


def test_control_may_be_a_name() -> None:
    frame = pd.DataFrame(SKEWED, columns=["a", "b", "c"])

    result = pairwise_mean_differences(frame, control="b", n_resamples=19)

    assert (result.control, np.isnan(result.estimate).nonzero()[0].tolist()) == ("b", [1])
    assert np.isnan(result.confidence_interval().low).nonzero()[0].tolist() == [1]


@pytest.mark.parametrize("method", ["hall", "percentile"])
def test_constant_difference_has_no_interval(method: str) -> None:
    result = pairwise_mean_differences(np.column_stack([SCORES, SCORES[:, 0] + 0.1]), method=method, n_resamples=99)
    interval = result.confidence_interval()

    assert result.estimate[3, 0] == pytest.approx(0.1)
    assert np.isnan([interval.low[3, 0], interval.high[3, 0]]).all()
    assert result.standard_error[3, 0] == 0
    assert result.reason.startswith("in 1 of 6 pairs, the scores differ by the same amount in every row")


@pytest.mark.parametrize(("factor", "offset"), [(1e-150, 0), (1e100, 0), (1, 1e3)])
def test_unit_and_origin_do_not_matter(factor: float, offset: float) -> None:
    one = pairwise_mean_differences(SCORES, n_resamples=199)
    other = pairwise_mean_differences(SCORES * factor + offset, n_resamples=199)

    assert other.confidence_interval().low / factor == pytest.approx(one.confidence_interval().low, abs=1e-8)
    assert other.standard_error / factor == pytest.approx(one.standard_error, rel=1e-6)


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pairwise_mean_differences(SKEWED, n_resamples=199).confidence_interval()
    monkeypatch.setattr(mean_differences, "NUMBERS_AT_ONCE", 1)

    parts = pairwise_mean_differences(SKEWED, n_resamples=199).confidence_interval()

    np.testing.assert_allclose(whole.low, parts.low, rtol=1e-12)


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_limits_are_within_the_replicates(method: str) -> None:
    """Even where the correction of an extreme sample has no level left."""
    table = np.column_stack([[0, 0, 0, 0, 0, 0, 0, 1000.0], np.zeros(8)])

    interval = pairwise_mean_differences(table, method=method, n_resamples=99).confidence_interval(0.999)

    assert 0 <= interval.low[0, 1] <= interval.high[0, 1] <= 1000


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        (SCORES[:1], {}, r"scores must hold at least 2 datasets"),
        ([SCORES], {}, r"scores must have the shape \(n_datasets, n_classifiers\), but it has the shape \(1, 5, 3\)"),
        (SCORES, {"method": "basic"}, r"method must be 'hall' or 'bca' or 'percentile', not 'basic'"),
        (SCORES, {"control": 3}, r"control must be an index from 0 to 2, not 3"),
        (SCORES, {"n_resamples": 1}, r"n_resamples must be at least 19, not 1"),
    ],
)
def test_bad_input_is_refused(scores, choices, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        pairwise_mean_differences(scores, **choices)


def test_control_of_another_type_is_refused() -> None:
    with pytest.raises(InvalidTypeError, match="control must be the index of a column"):
        pairwise_mean_differences(SCORES, control=1.5)
