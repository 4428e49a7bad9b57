from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalstats import InvalidTypeError, InvalidValueError
from evalstats.effects import vargha_delaney_a
from evalstats.reproducibility import aggregates, interquartile_mean, optimality_gap, probability_of_improvement

RUNS = [[0.81, 0.64, 0.93], [0.84, 0.60, 0.91], [0.79, 0.66, 0.95]]
OTHER = [[0.80, 0.62, 0.93], [0.82, 0.61, 0.90]]
SEVERAL = np.round(np.random.default_rng(6).random((5, 4, 3)), 2)


def test_interquartile_mean_by_hand() -> None:
    """Of 1 to 8 the middle half is 3, 4, 5, 6; an outlier in the outer quarters does not move it."""
    assert interquartile_mean([[1, 2, 3, 4], [5, 6, 7, 8]]).estimate == 4.5
    assert interquartile_mean([[1, 2, 3, 4], [5, 6, 7, 800]]).estimate == 4.5


def test_gap_by_hand() -> None:
    """Short by 1, 0 and 2, and by nothing where the target is passed."""
    assert optimality_gap([[9, 10], [8, 99]], target=10).estimate == 0.75


def test_improvement_by_hand() -> None:
    """On the first dataset 3 of 4 pairs are won, on the second 1 of 4 and 2 are tied: (3/4 + 2/4) / 2."""
    assert probability_of_improvement([[2, 1], [4, 3]], [[1, 1], [3, 3]]).estimate == pytest.approx(0.625)


def test_values_are_those_of_rliable() -> None:
    """Rliable 1.2.0: aggregate_iqm, aggregate_optimality_gap with gamma = 0.9, probability_of_improvement."""
    assert interquartile_mean(RUNS).estimate == pytest.approx(0.8019999999999999, rel=1e-14)
    assert optimality_gap(RUNS, target=0.9).estimate == pytest.approx(0.11777777777777765, rel=1e-12)
    assert probability_of_improvement(RUNS, OTHER).estimate == pytest.approx(0.6388888888888888, rel=1e-14)


@pytest.mark.parametrize("classifier", range(3))
def test_interquartile_mean_is_the_trimmed_mean_of_scipy(classifier: int) -> None:
    found = interquartile_mean(SEVERAL).estimate[classifier]

    assert found == pytest.approx(stats.trim_mean(SEVERAL[..., classifier], 0.25, axis=None), rel=1e-14)


def test_improvement_is_the_mean_of_vargha_and_delaney() -> None:
    x, y = SEVERAL[..., 0], SEVERAL[:4, :, 1]

    expected = np.mean([vargha_delaney_a(a, b).estimate for a, b in zip(x.T, y.T, strict=True)])

    assert probability_of_improvement(x, y).estimate == pytest.approx(expected, rel=1e-14)


def all_resamples(runs: np.ndarray) -> np.ndarray:
    """Every table that draws of runs within each dataset can give, each as often as it comes."""
    n, k = runs.shape
    rows = list(itertools.product(range(n), repeat=n))
    return np.array(
        [[runs[list(rows[c]), j] for j, c in enumerate(way)] for way in itertools.product(range(len(rows)), repeat=k)]
    )


@pytest.mark.parametrize("function", [interquartile_mean, optimality_gap])
def test_replicates_have_the_law_of_all_resamples(function) -> None:
    runs = np.array([[0.2, 0.9], [0.5, 0.7], [0.9, 0.1]])
    every = all_resamples(runs)
    values = [function(table, n_resamples=19).estimate for table in every]

    result = function(runs, n_resamples=20_000, rng=1)

    assert result.standard_error == pytest.approx(np.sqrt(3 / 2) * np.std(values), rel=0.03)  # of three runs
    assert list(result.confidence_interval(0.9, method="percentile")) == pytest.approx(
        np.quantile(values, [0.05, 0.95]), abs=0.04
    )


def test_improvement_has_the_law_of_all_resamples() -> None:
    x, y = np.array([[3.0], [1.0], [4.0]]), np.array([[2.0], [3.5]])
    values = [
        vargha_delaney_a(x[list(i), 0], y[list(j), 0]).estimate
        for i in itertools.product(range(3), repeat=3)
        for j in itertools.product(range(2), repeat=2)
    ]

    result = probability_of_improvement(x, y, n_resamples=20_000, rng=1)

    assert result.standard_error == pytest.approx(np.sqrt(2.5 / 1.5) * np.std(values), rel=0.03)  # of 3 runs and of 2


def test_resampled_datasets_add_their_own_spread() -> None:
    """Runs agree and datasets do not: only other datasets would change anything."""
    runs = np.tile([0.1, 0.4, 0.9, 0.5, 0.7], (3, 1))

    fixed, drawn = (interquartile_mean(runs, resample_datasets=way) for way in (False, True))

    assert fixed.standard_error == 0
    assert "the bootstrap cannot estimate the uncertainty" in fixed.reason
    assert drawn.standard_error > 0.1
    assert drawn.reason is None
    gap, gaps = (probability_of_improvement(runs, runs[:, ::-1], resample_datasets=way) for way in (False, True))
    assert gap.standard_error == 0 < gaps.standard_error


def test_gap_of_one_dataset_has_the_interval_of_a_mean() -> None:
    """Student's, but for the bootstrap's standard error and the longer tail of the shortfalls."""
    runs = np.array([[0.5], [0.6], [0.7], [0.8]])
    interval = optimality_gap(runs, n_resamples=20_000, rng=1).confidence_interval()

    student = stats.t.interval(0.95, 3, 0.35, np.std(runs, ddof=1) / 2)
    assert list(interval) == pytest.approx(list(student), abs=0.005)


def test_degrees_of_freedom_are_those_of_satterthwaite() -> None:
    """Of two datasets, one of which does not vary, those of the other; of two alike, the sum."""
    one = optimality_gap([[0.5, 0.7], [0.6, 0.7], [0.8, 0.7]])
    both = optimality_gap([[0.5, 0.5], [0.6, 0.6], [0.8, 0.8]])

    assert (one._df, both._df) == (pytest.approx(2), pytest.approx(4))


@pytest.mark.parametrize("function", [interquartile_mean, optimality_gap])
def test_runs_that_do_not_differ_have_no_interval(function) -> None:
    result = function(np.tile([0.1, 0.4, 0.9, 0.5], (3, 1)))

    assert np.isnan([*result.confidence_interval()]).all()
    assert "the bootstrap cannot estimate" in result.reason


def test_wins_on_one_side_have_an_interval() -> None:
    """Three runs that all win do not show that every run will."""
    result = probability_of_improvement([[0.9], [0.8], [0.95]], [[0.1], [0.2], [0.3]])

    low, high = result.confidence_interval()
    assert (result.estimate, high) == (1, 1)
    assert 0.2 < low < 0.5


@pytest.mark.parametrize("function", [interquartile_mean, optimality_gap])
def test_one_dataset_says_nothing_of_others(function) -> None:
    result = function([[0.5], [0.6], [0.8]], resample_datasets=True)

    assert np.isnan([result.standard_error, *result.confidence_interval()]).all()
    assert "one dataset does not show" in result.reason


def test_several_classifiers_are_the_loop() -> None:
    together = interquartile_mean(SEVERAL, n_resamples=199, rng=4)

    for i in range(3):
        alone = interquartile_mean(SEVERAL[..., i], n_resamples=199, rng=4)
        assert (alone.estimate, alone.standard_error) == (together.estimate[i], together.standard_error[i])
        assert alone.confidence_interval().low == together.confidence_interval().low[i]


@pytest.mark.parametrize("resample_datasets", [False, True])
def test_swapping_mirrors_the_probability(resample_datasets: bool) -> None:
    x, y = SEVERAL[..., 0], SEVERAL[:3, :, 1]
    here = probability_of_improvement(x, y, n_resamples=99, resample_datasets=resample_datasets)
    there = probability_of_improvement(y, x, n_resamples=99, resample_datasets=resample_datasets)

    assert here.estimate == pytest.approx(1 - there.estimate, rel=1e-14)
    assert here.confidence_interval().low == pytest.approx(1 - there.confidence_interval().high, rel=1e-12)


def test_order_of_runs_and_datasets_does_not_matter() -> None:
    x, y = SEVERAL[..., 0], SEVERAL[:3, :, 1]
    here = probability_of_improvement(x, y, n_resamples=99)

    there = probability_of_improvement(x[::-1, [2, 0, 1, 3]], y[[1, 2, 0]][:, [2, 0, 1, 3]], n_resamples=99)

    assert here.standard_error == there.standard_error


def test_chunks_change_no_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws in other chunks are others, of the same law."""
    one = interquartile_mean(RUNS, n_resamples=4000, rng=2).standard_error
    monkeypatch.setattr(aggregates, "VALUES_AT_ONCE", 1)

    assert interquartile_mean(RUNS, n_resamples=4000, rng=2).standard_error == pytest.approx(one, rel=0.1)


def test_noise_is_a_tie() -> None:
    assert probability_of_improvement([[0.3], [0.3]], [[0.1 + 0.2], [0.1 + 0.2]]).estimate == 0.5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interquartile_mean([1, 2, 3]), r"runs must have the shape \(n_runs, n_datasets\) or \(n_runs, n_dat"),
        (lambda: interquartile_mean([[1, 2, 3]]), r"runs must hold at least 2 runs \(rows\) on 1 dataset"),
        (lambda: interquartile_mean([[1, math.nan], [1, 2]]), r"runs must be finite, but runs\[0, 1\] is nan"),
        (lambda: optimality_gap(RUNS, target=math.inf), r"target must lie between -1e150 and 1e150, not inf"),
        (lambda: probability_of_improvement(RUNS, [[1], [2]]), r"x and y must have the same datasets: x has 3 columns"),
        (lambda: probability_of_improvement(RUNS, [1, 2, 3]), r"y must have the shape \(n_runs, n_datasets\), but"),
        (lambda: interquartile_mean(RUNS, n_resamples=3), r"n_resamples must be at least 19, not 3"),
    ],
)
def test_bad_input_is_refused(call, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        call()


def test_wrong_types_are_refused() -> None:
    with pytest.raises(InvalidTypeError, match=r"resample_datasets must be True or False"):
        interquartile_mean(RUNS, resample_datasets="yes")
    with pytest.raises(InvalidTypeError, match=r"target must be a number"):
        optimality_gap(RUNS, target="best")


def test_datasets_in_another_order_are_refused() -> None:
    x = pd.DataFrame(RUNS, columns=["a", "b", "c"])

    with pytest.raises(InvalidValueError, match="equal indexes"):
        probability_of_improvement(x, x[["b", "a", "c"]])
