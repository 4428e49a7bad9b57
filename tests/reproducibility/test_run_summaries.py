"""long_run_mean, run_distribution, running_means, run_histogram, estimation_bias: what do recorded runs show?"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from evalstats.reproducibility import (
    estimation_bias,
    interquartile_mean,
    long_run_mean,
    optimality_gap,
    run_distribution,
    run_histogram,
    running_means,
)
from evalstats.reproducibility.run_summaries import _skewness

# Raeder, Hoens & Chawla (2010), Tables IV and V: KDDPE, college-f, compustat, ozone-1h, ozone-8h, text, wrds;
# AUROC on the true test set, and estimates by 2-, 5- and 10-fold cross-validation, of HDDT, C4.5 and NB each
TRUTH = np.array([
    [0.813, 0.842, 0.832, 0.934, 0.879, 0.958, 0.993],
    [0.763, 0.850, 0.807, 0.950, 0.890, 0.945, 1.000],
    [0.750, 0.914, 0.862, 0.963, 0.931, 0.908, 0.991],
])  # fmt: skip
CANONICAL = np.array([
    [[0.771, 0.829, 0.816, 0.821, 0.821, 0.945, 0.966], [0.769, 0.837, 0.777, 0.798, 0.808, 0.941, 0.969],
     [0.760, 0.908, 0.641, 0.861, 0.849, 0.888, 0.878]],
    [[0.794, 0.837, 0.841, 0.841, 0.812, 0.957, 0.968], [0.784, 0.850, 0.802, 0.828, 0.805, 0.949, 0.970],
     [0.785, 0.909, 0.705, 0.862, 0.847, 0.901, 0.867]],
    [[0.776, 0.846, 0.849, 0.831, 0.827, 0.955, 0.968], [0.789, 0.854, 0.800, 0.852, 0.800, 0.955, 0.971],
     [0.787, 0.909, 0.706, 0.859, 0.847, 0.904, 0.863]],
])  # fmt: skip
STEADY = np.array([
    [[0.771, 0.827, 0.814, 0.806, 0.811, 0.947, 0.966], [0.764, 0.841, 0.776, 0.783, 0.791, 0.943, 0.969],
     [0.763, 0.908, 0.663, 0.859, 0.848, 0.889, 0.878]],
    [[0.785, 0.838, 0.839, 0.829, 0.817, 0.955, 0.968], [0.781, 0.849, 0.807, 0.826, 0.800, 0.949, 0.971],
     [0.782, 0.909, 0.689, 0.859, 0.848, 0.901, 0.867]],
    [[0.791, 0.840, 0.847, 0.840, 0.816, 0.957, 0.969], [0.785, 0.849, 0.816, 0.834, 0.805, 0.949, 0.971],
     [0.788, 0.909, 0.712, 0.860, 0.848, 0.904, 0.863]],
])  # fmt: skip
# the rows printed as "MSE"
PRINTED_CANONICAL = np.array([[0.040, 0.045, 0.079], [0.031, 0.038, 0.073], [0.035, 0.038, 0.074]])
PRINTED_STEADY = np.array([[0.044, 0.048, 0.077], [0.033, 0.038, 0.075], [0.032, 0.038, 0.073]])

LEFT_SKEWED = np.array([0.90, 0.97, 0.98, 0.95, 0.99, 0.98, 0.99, 0.93, 0.98, 0.97])


def test_steady_state_by_hand() -> None:
    result = long_run_mean([3.0, 1.0, 2.0, 6.0], n_canonical=2)

    assert (result.estimate, result.canonical, result.difference) == (3.0, 2.0, -1.0)
    assert result.standard_deviation == pytest.approx(np.sqrt(14 / 3))
    assert result.standard_error == pytest.approx(np.sqrt(14 / 12))
    assert result.proportion_below_canonical == (1 + 0.5) / 4
    student = stats.t.interval(0.9, 3, 3, np.sqrt(14 / 12))
    assert list(result.confidence_interval(0.9, method="t")) == pytest.approx(student)


def test_interval_reaches_farther_on_the_side_of_the_longer_tail() -> None:
    runs = np.array([3.0, 1.0, 2.0, 6.0])
    here, there = long_run_mean(runs), long_run_mean(-runs)
    student = here.confidence_interval(method="t")

    low, high = here.confidence_interval()

    assert low == pytest.approx(student.low)
    assert high > student.high
    assert list(there.confidence_interval()) == pytest.approx([-high, -low])
    assert list(long_run_mean([1.0, 2.0, 3.0]).confidence_interval()) == pytest.approx(
        list(long_run_mean([1.0, 2.0, 3.0]).confidence_interval(method="t"))
    )


def test_equal_runs_tell_nothing_about_others() -> None:
    """The mean of ten times 0.1 is 0.1, its error 0, and there is no interval."""
    result = long_run_mean([0.1] * 10)

    assert (result.estimate, result.standard_error, result.difference) == (0.1, 0.0, 0.0)
    assert "the variation between runs is unknown" in result.reason
    assert np.isnan(list(result.confidence_interval())).all()


def test_batches_are_loops() -> None:
    runs = np.random.default_rng(0).beta(8, 2, size=(3, 2, 15))
    runs[1, 1] = 0.7
    batch, shapes = long_run_mean(runs, n_canonical=5), run_distribution(runs)

    for i, j in np.ndindex(3, 2):
        alone, shape = long_run_mean(runs[i, j], n_canonical=5), run_distribution(runs[i, j])
        for name in ("estimate", "standard_error", "canonical", "proportion_below_canonical", "reason"):
            assert getattr(batch, name)[i, j] == getattr(alone, name)
        for name in (
            "mean",
            "median",
            "skewness",
            "skewness_standard_error",
            "normality_pvalue",
            "proportion_above_mean",
        ):
            np.testing.assert_array_equal(getattr(shapes, name)[i, j], getattr(shape, name))
        low, high = shapes.skewness_interval()
        np.testing.assert_array_equal([low[i, j], high[i, j]], list(shape.skewness_interval()))


def test_shape_is_that_of_pandas_and_scipy() -> None:
    result = run_distribution(LEFT_SKEWED)

    assert result.skewness == pytest.approx(pd.Series(LEFT_SKEWED).skew(), rel=1e-13)
    expected = stats.shapiro(LEFT_SKEWED)
    assert (result.normality_statistic, result.normality_pvalue) == pytest.approx((expected.statistic, expected.pvalue))
    assert result.mean_minus_median == pytest.approx(LEFT_SKEWED.mean() - np.median(LEFT_SKEWED), abs=1e-15)


def test_standard_error_of_the_skewness_is_the_jackknife() -> None:
    n = len(LEFT_SKEWED)
    without = [pd.Series(np.delete(LEFT_SKEWED, i)).skew() for i in range(n)]

    result = run_distribution(LEFT_SKEWED)

    assert result.skewness_standard_error == pytest.approx(np.sqrt((n - 1) * np.var(without)), rel=1e-12)


def test_skewness_interval_of_normal_runs() -> None:
    """Of 10 normal values G1 has the standard deviation sqrt(6 * 10 * 9 / (8 * 11 * 13)) = 0.687."""
    result = run_distribution(LEFT_SKEWED)

    low, high = result.skewness_interval(method="normal")
    assert (high - low) / 2 == pytest.approx(stats.norm.ppf(0.975) * 0.687043, rel=1e-6)
    assert (high + low) / 2 == pytest.approx(result.skewness)


def test_skewness_intervals_cover_for_many_normal_runs() -> None:
    runs = np.random.default_rng(11).normal(size=(800, 200))
    n = 200

    skewness, error = _skewness(runs - runs.mean(axis=-1, keepdims=True))

    assert np.mean(np.abs(skewness) <= 1.96 * error) == pytest.approx(0.945, abs=0.025)
    assert error.mean() == pytest.approx(np.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))), rel=0.1)


def test_mirrored_runs_have_the_mirrored_shape() -> None:
    here, there = run_distribution(LEFT_SKEWED), run_distribution(1 - LEFT_SKEWED)

    assert there.skewness == pytest.approx(-here.skewness, rel=1e-10)
    assert there.proportion_above_mean == pytest.approx(1 - here.proportion_above_mean)
    assert there.normality_pvalue == pytest.approx(here.normality_pvalue, rel=1e-9)


def test_ceiling() -> None:
    """Most single runs are above the mean where some reach what cannot be exceeded."""
    result = run_distribution([1.0, 1.0, 0.9, 1.0, 0.7], ceiling=1)

    assert (result.proportion_at_maximum, result.ceiling_proportion, result.proportion_above_mean) == (0.6, 0.6, 0.6)
    assert result.skewness < 0
    assert np.isnan(run_distribution([1.0, 1.0, 0.9]).ceiling_proportion)


def test_equal_runs_have_no_shape() -> None:
    result = run_distribution([0.1] * 7)

    assert np.isnan([result.skewness, result.skewness_standard_error, result.normality_pvalue]).all()
    assert (result.mean, result.standard_deviation, result.mean_minus_median) == (0.1, 0.0, 0.0)
    assert (result.proportion_above_mean, result.proportion_at_maximum) == (0.5, 1.0)
    assert "not defined" in result.reason


@pytest.mark.parametrize("unit", [5e-324, 2.0**-900, 2.0**400])
def test_normality_does_not_depend_on_the_unit(unit: float) -> None:
    runs = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])

    result = run_distribution(runs * unit)

    assert (result.normality_statistic, result.normality_pvalue) == stats.shapiro(runs)


def test_too_many_runs_for_a_test_of_normality() -> None:
    result = run_distribution(np.random.default_rng(0).normal(size=5001))

    assert np.isnan(result.normality_pvalue)
    assert "up to 5000 runs" in result.reason
    assert abs(result.skewness) < 0.2


def test_running_means_by_hand() -> None:
    """Sums 80, 165, 244, 332, 416 against 82, 162, 246, 327, 410: the lead changes at 2, 3 and 4."""
    runs = [[0.80, 0.82], [0.85, 0.80], [0.79, 0.84], [0.88, 0.81], [0.84, 0.83]]

    result = running_means(runs)

    assert result.means * np.arange(1, 6)[:, None] == pytest.approx(
        np.array([[0.80, 1.65, 2.44, 3.32, 4.16], [0.82, 1.62, 2.46, 3.27, 4.10]]).T
    )
    assert result.n_crossings.tolist() == [[0, 3], [3, 0]]
    assert result.last_crossing.tolist() == [[0, 4], [4, 0]]
    assert "at run 4 of 5" in result.reason


def test_crossings_are_those_of_a_walk_along_the_curves() -> None:
    runs = np.random.default_rng(3).integers(0, 4, size=(60, 5)) / 4
    result = running_means(runs)

    for i in range(5):
        for j in range(i + 1, 5):
            leader, n_crossings, last = 0, 0, 0
            for r in range(1, 61):
                lead = np.sign(round(float(runs[:r, i].sum() - runs[:r, j].sum()), 9))
                if lead and leader and lead != leader:
                    n_crossings, last = n_crossings + 1, r
                leader = lead or leader
            assert (result.n_crossings[i, j], result.last_crossing[j, i]) == (n_crossings, last)


def test_one_run_crosses_nothing() -> None:
    result = running_means([[0.8, 0.7, 0.7]])

    assert (result.last_change, result.reason) == (0, None)
    assert not result.n_crossings.any()


def test_histogram_counts_every_run_once() -> None:
    runs = np.random.default_rng(0).beta(9, 3, size=(500, 2))

    result = run_histogram(runs)

    assert result.counts.sum(axis=0).tolist() == [500, 500]
    assert result.proportions.sum(axis=0) == pytest.approx([1, 1])
    assert result.edges.tolist() == np.histogram_bin_edges(runs, "fd").tolist()
    assert run_histogram(runs, bins=[0, 0.5, 1]).counts.shape == (2, 2)


def quartile(ordered: list[float], share: float) -> float:
    """Interpolate between the two scores around place 1 + share (n - 1), as R's type 7 and numpy do."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


@given(st.lists(st.integers(0, 200), min_size=2, max_size=60), st.integers(1, 3))
def test_rule_of_freedman_and_diaconis_by_its_definition(cells: list[int], k: int) -> None:
    """As many equal bins as it takes for none to be wider than 2 IQR / n^(1/3), over the scores of all classifiers."""
    scores = [cell / 200 for cell in cells[: len(cells) // k * k]]
    assume(scores)
    ordered = sorted(scores)
    width = 2 * (quartile(ordered, 0.75) - quartile(ordered, 0.25)) / len(scores) ** (1 / 3)

    edges = run_histogram(np.reshape(scores, (-1, k))).edges

    needed = (ordered[-1] - ordered[0]) / width if width > 1e-12 else 1
    assert len(edges) - 1 in {math.ceil(needed - 1e-9), math.ceil(needed + 1e-9)} - {0}
    assert np.diff(edges) == pytest.approx(np.diff(edges)[0])
    if ordered[-1] > ordered[0]:
        assert (edges[0], edges[-1]) == (ordered[0], ordered[-1])
        assert np.array_equal(edges, np.histogram_bin_edges(scores, len(edges) - 1))


def test_bins_of_scores_that_are_equal_but_for_noise() -> None:
    """A quarter of them elsewhere: the interquartile range is noise, and bins of its width would fill any memory."""
    runs = np.array([0.3, 0.1 + 0.2] * 9)

    assert len(run_histogram(runs[:, None]).counts) == 1
    assert len(run_histogram(np.append(runs, 0.5)[:, None]).counts) == 1


@pytest.mark.parametrize(("estimates", "printed"), [(CANONICAL, PRINTED_CANONICAL), (STEADY, PRINTED_STEADY)])
def test_row_printed_as_mse_is_the_mean_absolute_error(estimates: np.ndarray, printed: np.ndarray) -> None:
    """To the printed digits in 16 of 18 cells, within the rounding of the scores in the others."""
    result = estimation_bias(estimates, TRUTH)

    assert np.abs(result.mean_absolute_error - printed).max() < 0.001
    assert (np.abs(result.mean_absolute_error - printed) < 0.0005 + 1e-9).sum() == 8
    assert (result.mean_squared_error < printed / 5).all()
    assert result.root_mean_squared_error == pytest.approx(np.sqrt(result.mean_squared_error))


def test_estimates_by_cross_validation_are_pessimistic_there() -> None:
    """Section VI, and the mean squared errors that Tables IV and V do not print."""
    canonical, steady = estimation_bias(CANONICAL, TRUTH), estimation_bias(STEADY, TRUTH)

    assert (canonical.bias < 0).all()
    assert (steady.bias < 0).all()
    assert steady.mean_squared_error.argmin(axis=0).tolist() == [2, 2, 2]  # ten-fold is best in the long run
    assert canonical.mean_squared_error.argmin(axis=0).tolist() == [1, 2, 1]
    assert canonical.mean_squared_error[0] == pytest.approx([0.002745714286, 0.004558571429, 0.01132485714])


def test_optimism_by_hand() -> None:
    result = estimation_bias([0.8, 0.6, 0.1 + 0.2], [0.7, 0.9, 0.3])

    assert result.bias == pytest.approx(-0.2 / 3)
    assert result.mean_absolute_error == pytest.approx(0.4 / 3)
    assert result.mean_squared_error == pytest.approx(0.1 / 3)
    assert (result.n_optimistic, result.n_pessimistic) == (1, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: long_run_mean([0.8]), "at least 2 runs"),
        (lambda: long_run_mean([0.8, np.nan]), r"scores\[1\] is nan"),
        (lambda: long_run_mean([0.8, 0.9], n_canonical=3), "at most the number of runs, 2"),
        (lambda: run_distribution([0.8, 0.9]), "at least 3 runs"),
        (lambda: run_distribution([0.8, 0.9, 1.1], ceiling=1), "above the ceiling of 1"),
        (lambda: run_distribution([0.8, 0.9, 1], ceiling=[1, 1]), "ceiling must be one number"),
        (lambda: running_means([0.8, 0.9]), r"shape \(n_runs, n_classifiers\)"),
        (lambda: run_histogram([[0.8], [0.9]], bins="best"), "a rule that numpy supports"),
        (lambda: run_histogram([[0.8], [0.9]], bins=0), "bins must be at least 1"),
        (lambda: run_histogram([[0.8], [0.9]], bins=10**9), "bins must be at most 100,000, not 1,000,000,000"),
        (lambda: run_histogram([[0.3], [0.1 + 0.2]], bins=30), "30 bins do not fit between 0.3 and 0.30"),
        (
            lambda: run_histogram([*([0.9 + i * 1e-9] for i in range(99)), [0.1]]),
            "'fd' gives 37,507,793 bins, because half of the scores lie within 4.9e-08; pass a number of bins",
        ),
        (lambda: run_histogram([[0.8], [0.9]], bins=[0, 0.85]), "must cover every score"),
        (lambda: run_histogram([[0.8], [0.9]], bins=[1, 0]), "increasing"),
        (lambda: estimation_bias([0.8, 0.9], [0.8]), "same datasets"),
        (lambda: estimation_bias(np.zeros((2, 3)), np.zeros((4, 3))), "must broadcast"),
    ],
)
def test_messages(call, message) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_few_runs_have_a_caution() -> None:
    """It is about the number of runs alone, and only where there is an interval."""
    runs = np.random.default_rng(1).normal(size=40)

    assert "is absent from 5 runs with probability 0.59" in long_run_mean(runs[:5]).caution
    assert long_run_mean(runs).caution is None
    assert long_run_mean(np.ones(5)).caution is None
    assert optimality_gap(runs[:6].reshape(3, 2)).caution == long_run_mean(runs[:6]).caution
    assert interquartile_mean(runs[:6].reshape(3, 2)).caution is None
