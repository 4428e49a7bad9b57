"""How far off is each way to one F: the experiment of Forman and Scholz (2010), section 4."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.metrics import forman_scholz as module
from evalstats.metrics.folds import F1Strategies
from evalstats.metrics.forman_scholz import F1FoldBias, f1_fold_bias, forman_scholz_simulation

WAYS = [way.name for way in dataclasses.fields(F1Strategies)]

# an independent simulation of section 4.2, 1,000,000 repetitions in each setting:
# stratified, per cent positive, F: way, mean, its standard error, relative sd, exact mean where it was computed
SIMULATED = [
    (True, 1, 0.80, "mean", 0.7490876, 0.00012479, 0.155986, 0.749206196),
    (True, 1, 0.80, "mean_skip", 0.8958457, 8.156e-05, 0.101949, 0.895872137),
    (True, 1, 0.80, "precision_recall", 0.7593612, 0.00012466, 0.155821, None),
    (True, 1, 0.80, "precision_recall_skip", 0.9080991, 7.817e-05, 0.097711, None),
    (True, 1, 0.80, "tp_fp", 0.7987375, 9.646e-05, 0.120575, 0.79881748),
    (True, 5, 0.80, "mean", 0.7967833, 4.396e-05, 0.054953, 0.796792252),
    (True, 5, 0.80, "mean_skip", 0.7968758, 4.388e-05, 0.054855, 0.796885567),
    (True, 5, 0.80, "precision_recall", 0.8101272, 4.196e-05, 0.052452, None),
    (True, 5, 0.80, "precision_recall_skip", 0.8102212, 4.188e-05, 0.052345, None),
    (True, 5, 0.80, "tp_fp", 0.7998147, 4.237e-05, 0.052959, 0.799817086),
    (False, 1, 0.80, "mean", 0.5091464, 0.0001109, 0.13863, 0.509341454),
    (False, 1, 0.80, "mean_skip", 0.8731028, 8.861e-05, 0.110756, None),
    (False, 1, 0.80, "precision_recall", 0.5194829, 0.00011076, 0.138451, None),
    (False, 1, 0.80, "precision_recall_skip", 0.8909057, 8.213e-05, 0.102662, None),
]

# the same simulation, relative bias in per cent at F of .8: Figure 4 with 1 to 5% positives, Figure 5 with 1 and 5%
FIGURE_4 = {
    "mean": [-6.36, -1.80, -0.89, -0.56, -0.40],
    "mean_skip": [11.98, 0.91, -0.45, -0.49, -0.39],
    "precision_recall": [-5.08, 1.29, 1.75, 1.52, 1.27],
    "precision_recall_skip": [13.51, 4.08, 2.20, 1.59, 1.28],
    "tp_fp": [-0.16, -0.06, -0.04, -0.02, -0.02],
}
FIGURE_5 = {
    "mean": [-36.4, -2.67],
    "mean_skip": [9.1, -1.89],
    "precision_recall": [-35.1, -0.53],
    "precision_recall_skip": [11.4, 0.27],
    "tp_fp": [-0.17, -0.02],
}

F_OF_FIGURES_6_TO_8 = np.arange(60, 100, 5) / 100


def array(strategies: F1Strategies) -> np.ndarray:
    return np.stack([getattr(strategies, way) for way in WAYS])


def test_one_positive_in_two_folds_by_hand() -> None:
    """It is found with probability 3/4, and nothing is predicted falsely: the mean over folds is half as much."""
    result = f1_fold_bias(1, 3, 2, f=6 / 7, recall=3 / 4)

    assert result.precision == pytest.approx(1, rel=1e-14)
    np.testing.assert_allclose(array(result.mean), [0.75, 0.375, 1, 0.375, 1], rtol=1e-12)
    assert result.bias.tp_fp == pytest.approx(0.75 - 6 / 7, rel=1e-12)
    assert result.any_undefined_fold == pytest.approx(1, rel=1e-14)
    assert (result.undefined_fold, result.no_defined_fold) == pytest.approx((0.625, 0.25), rel=1e-12)


@pytest.mark.parametrize(("stratified", "percent", "f", "way", "mean", "error", "relative_sd", "exact"), SIMULATED)
def test_simulation_of_the_paper(
    stratified: bool,
    percent: int,
    f: float,
    way: str,
    mean: float,
    error: float,
    relative_sd: float,
    exact: float | None,
) -> None:
    result = f1_fold_bias(10 * percent, 1000 - 10 * percent, 10, f, stratified=stratified)

    value = getattr(result.mean, way)
    assert value == pytest.approx(mean, abs=4 * error)
    assert getattr(result.relative_sd, way) == pytest.approx(relative_sd, rel=0.004)
    assert exact is None or value == pytest.approx(exact, abs=1e-9)


def test_figure_4() -> None:
    result = forman_scholz_simulation([1, 2, 3, 4, 5])

    for way, bias in FIGURE_4.items():
        np.testing.assert_allclose(100 * getattr(result.relative_bias, way), bias, atol=0.02)


def test_figure_5() -> None:
    result = forman_scholz_simulation([1, 5], stratified=False)

    for way, bias in FIGURE_5.items():
        np.testing.assert_allclose(100 * getattr(result.relative_bias, way), bias, atol=0.1)


def test_figure_4_is_the_stratified_one() -> None:
    """The text says that Figure 5 is; the captions are right, and +12% and -6% at the left of Figure 4 belong to it."""
    stratified, random = (forman_scholz_simulation(1, stratified=s).relative_bias for s in (True, False))

    assert (stratified.mean_skip, stratified.mean) == pytest.approx((0.12, -0.063), abs=0.001)
    assert random.mean < -0.36


def test_zeros_push_down_and_skipping_pushes_up_where_folds_are_undefined() -> None:
    """Section 4.3, at the left of Figure 4; to the right the pairs come together, and averaged rates are too high."""
    left, right = (forman_scholz_simulation(percent).relative_bias for percent in (1, 5))

    assert left.mean < 0 < left.mean_skip
    assert left.precision_recall < 0 < left.precision_recall_skip
    assert right.precision_recall > 0.01 > -right.mean > 0


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("percent", [1, 5])
def test_summed_counts_are_nearly_unbiased(stratified: bool, percent: int) -> None:
    """Figures 6 and 7: no other way comes near, whatever the true F; the bias is small and negative."""
    bias = array(forman_scholz_simulation(percent, F_OF_FIGURES_6_TO_8, stratified=stratified).relative_bias)

    assert (np.abs(bias[0]) < np.abs(bias[1:])).all()
    assert (bias[0] < 0).all()
    assert (bias[0] > -0.006).all()


@pytest.mark.parametrize(
    ("stratified", "percent", "times"), [(True, 1, 43), (True, 2, 29), (True, 5, 18), (False, 1, 246)]
)
def test_bias_is_not_always_smaller_by_two_orders_of_magnitude(stratified: bool, percent: int, times: int) -> None:
    """Section 4.3 says it is: for the mean of F it is 18 to 43 times with stratification, 246 without at 1%."""
    bias = forman_scholz_simulation(percent, stratified=stratified).bias

    assert bias.mean / bias.tp_fp == pytest.approx(times, abs=0.5)


def test_random_folds_of_many_positives_leave_three_ways_alike() -> None:
    """Figure 7, right: F of mean precision and recall, with and without zeros, lies on that of the summed counts."""
    mean = array(forman_scholz_simulation(25, F_OF_FIGURES_6_TO_8, stratified=False).mean)

    np.testing.assert_allclose(mean[3:], mean[[0, 0]], atol=3e-4)


def test_summed_counts_do_not_always_vary_least() -> None:
    """Section 4.3 says they do from 5% positives on (Figure 8): only for F up to .75; else within 6% of the least."""
    sd = array(forman_scholz_simulation([5, 25], F_OF_FIGURES_6_TO_8).sd)

    is_least = sd[0] == sd.min(axis=0)
    np.testing.assert_array_equal(is_least, [F_OF_FIGURES_6_TO_8 <= 0.75] * 2)
    assert (sd[0] < 1.06 * sd.min(axis=0)).all()


def test_mean_of_stratified_folds_is_as_biased_as_one_fold() -> None:
    """Averaging does not help: ten folds of 7 positives are off by as much as the summed counts of 7 positives."""
    ten = f1_fold_bias(70, 930, 10, 0.8).bias.mean

    assert ten == pytest.approx(f1_fold_bias(7, 93, 2, 0.8).bias.tp_fp, rel=1e-10)


def test_large_folds_leave_no_bias() -> None:
    relative = array(f1_fold_bias(10_000, 90_000, 10, 0.8).relative_bias)

    assert np.abs(relative).max() < 1e-4


@pytest.mark.parametrize("stratified", [True, False])
def test_perfect_classifier(stratified: bool) -> None:
    """F of 1 in each fold that has a positive."""
    result = f1_fold_bias(12, 88, 10, 1.0, stratified=stratified)

    np.testing.assert_allclose(
        [result.mean.tp_fp, result.mean.mean_skip, result.mean.precision_recall_skip], 1, rtol=1e-12
    )
    assert result.mean.mean == pytest.approx(1 - result.undefined_fold, rel=1e-12)


@settings(max_examples=repetitions(20))
@given(st.integers(1, 30), st.integers(30, 80), st.integers(2, 12), st.floats(0.3, 1), st.booleans())
def test_zeros_never_help(p: int, m: int, k: int, f: float, stratified: bool) -> None:
    """Folds left out can only raise the mean; and mean rates give no less than the mean of F, which is concave."""
    mean = f1_fold_bias(p, m, k, f, stratified=stratified).mean

    assert mean.mean <= mean.mean_skip + 1e-12
    assert mean.precision_recall <= mean.precision_recall_skip + 1e-12
    assert mean.mean <= mean.precision_recall + 1e-12
    assert mean.mean_skip <= mean.precision_recall_skip + 1e-12


def test_batch_is_the_loop() -> None:
    n_positive, f = np.array([[10], [25]]), np.array([0.7, 0.9, 0.95])

    batch = f1_fold_bias(n_positive, 500, 10, f, stratified=[True, False, True])

    assert batch.f.shape == (2, 3)
    assert batch.method.tolist() == [["exact"] * 3] * 2
    for at in np.ndindex(2, 3):
        one = f1_fold_bias(int(n_positive[at[0], 0]), 500, 10, f[at[1]], stratified=at[1] != 1)
        for name in ("mean", "sd", "relative_bias", "rmse"):
            np.testing.assert_array_equal(array(getattr(batch, name))[(slice(None), *at)], array(getattr(one, name)))
        assert batch.undefined_fold[at] == one.undefined_fold


def test_one_problem_is_plain_numbers() -> None:
    result = f1_fold_bias(10, 90, 5, 0.8)

    assert isinstance(result, F1FoldBias)
    assert {type(v) for v in result.mean.to_dict().values()} == {float}
    assert (result.method, result.n_simulations, result.reason) == ("exact", 0, None)
    assert array(result.standard_error).tolist() == [0] * 5
    assert result.rmse.mean == pytest.approx(np.hypot(result.bias.mean, result.sd.mean), rel=1e-14)
    assert result.to_dict()["mean"]["tp_fp"] == result.mean.tp_fp


def test_simulation_meets_the_exact_result() -> None:
    exact = forman_scholz_simulation([1, 5], [0.6, 0.8], stratified=False)
    run = forman_scholz_simulation(
        [1, 5], [0.6, 0.8], stratified=False, method="monte-carlo", n_simulations=20_000, rng=1
    )

    z = (array(run.mean) - array(exact.mean)) / array(run.standard_error)
    assert np.abs(z).max() < 4
    assert run.n_simulations.tolist() == [[20_000] * 2] * 2
    np.testing.assert_allclose(run.undefined_fold, exact.undefined_fold, atol=0.01)


def test_shape_follows_the_arguments() -> None:
    assert forman_scholz_simulation().f.shape == (7,)
    assert forman_scholz_simulation([1, 2], [0.7, 0.8, 0.9]).f.shape == (2, 3)
    assert forman_scholz_simulation(1, [0.7, 0.8]).f.shape == (2,)
    assert isinstance(forman_scholz_simulation(1, 0.8).f, float)


def test_large_random_folds_are_simulated() -> None:
    result = f1_fold_bias(50_000, 950_000, 10, 0.8, stratified=False, n_simulations=200, rng=1)

    assert (result.method, result.n_simulations) == ("monte-carlo", 200)
    assert abs(result.bias.mean) < 5 * result.standard_error.mean + 1e-4


def test_seed_repeats_the_simulation() -> None:
    first, again = (
        forman_scholz_simulation([1, 2], method="monte-carlo", n_simulations=500, rng=np.random.default_rng(3))
        for _ in range(2)
    )

    np.testing.assert_array_equal(array(first.mean), array(again.mean))


@pytest.mark.parametrize("method", ["exact", "monte-carlo"])
def test_progress_covers_all_settings(method: str) -> None:
    told: list[tuple[int, int, str]] = []

    forman_scholz_simulation(
        [1, 2], [0.7, 0.8], method=method, n_simulations=200, progress=lambda *what: told.append(what)
    )

    assert told == sorted(told)
    assert told[-1] == (800, 800, "simulations")
    assert len(told) >= 4


def interrupt_at(share: float) -> Any:
    def progress(done: int, total: int, _: str) -> None:
        if done >= share * total:
            raise KeyboardInterrupt

    return progress


def test_interrupt_keeps_what_was_done() -> None:
    """Half way through the second of four settings."""
    run = forman_scholz_simulation(
        [1, 2, 3, 4], method="monte-carlo", n_simulations=50_000, rng=1, progress=interrupt_at(0.375)
    )

    assert run.n_simulations[0] == 50_000
    assert 20_000 < run.n_simulations[1] < 50_000
    assert run.n_simulations[2:].tolist() == [0, 0]
    assert np.isnan(run.mean.tp_fp).tolist() == [False, False, True, True]
    assert run.reason[0] is None
    assert run.reason[1] == f"interrupted after {run.n_simulations[1]:,} of 50,000 simulations"
    assert run.reason[2] == "interrupted before this setting started"
    assert run.method.tolist() == ["monte-carlo", "monte-carlo", "none", "none"]


def test_interrupt_between_exact_settings() -> None:
    run = forman_scholz_simulation([1, 2, 3], progress=interrupt_at(0.6))

    assert np.isnan(run.mean.mean).tolist() == [False, False, True]


def test_interrupt_before_anything_was_done_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "exact_moments", interrupt)

    with pytest.raises(KeyboardInterrupt):
        f1_fold_bias(10, 90, 5, 0.8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 10, 5, 0.8), "n_positive must be at least 1, not 0"),
        ((10, 0, 5, 0.8), "n_negative must be at least 1, not 0"),
        ((10, 10, 1, 0.8), "n_folds must be at least 2, not 1"),
        ((2, 3, 6, 0.8), "n_folds must not exceed the number of instances, 5, but is 6"),
        ((10, 10, 5, 0.0), "f must be greater than 0 and at most 1, not 0.0"),
        ((10, 10, 5, 1.5), "f must be greater than 0 and at most 1, not 1.5"),
        ((10, 10, 5, np.nan), "f must be finite"),
        ((90, 10, 5, 0.5), "no classifier has an F of 0.5 on 90 positive and 10 negative instances"),
        (([10, 20], 10, [5, 6, 7], 0.8), "the arguments must broadcast"),
    ],
)
def test_impossible_cross_validations(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        f1_fold_bias(*arguments)


@given(st.integers(1, 60), st.integers(1, 60))
def test_all_cases_called_positive_have_no_bias_in_their_sums(p: int, m: int) -> None:
    """Recall and false positive rate are 1, and no rounding error makes that impossible: nothing varies."""
    f = 2 * p / (2 * p + m)

    result = f1_fold_bias(p, m, 2, f, recall=1.0)

    assert result.mean.tp_fp == pytest.approx(f, rel=1e-12)
    assert result.sd.tp_fp == pytest.approx(0, abs=1e-7)


def test_impossible_recall() -> None:
    with pytest.raises(InvalidValueError, match=r"with an F of 0\.8, recall is at least 0\.666667, but it is 0\.5"):
        f1_fold_bias(10, 90, 5, 0.8, recall=0.5)


def test_wrong_types_and_options() -> None:
    with pytest.raises(InvalidTypeError, match=r"n_positive must be a whole number, not 10\.5"):
        f1_fold_bias(10.5, 90, 5, 0.8)
    with pytest.raises(InvalidTypeError, match="stratified must be True or False, not 'yes'"):
        f1_fold_bias(10, 90, 5, 0.8, stratified="yes")
    with pytest.raises(InvalidValueError, match="method must be 'auto' or 'exact' or 'monte-carlo', not 'fast'"):
        f1_fold_bias(10, 90, 5, 0.8, method="fast")
    with pytest.raises(InvalidValueError, match=r"whole numbers of instances, but 0\.05% of 1000 are 0\.5"):
        forman_scholz_simulation(0.05)
