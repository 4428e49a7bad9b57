"""The simulation behind `f1_fold_bias`."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.metrics import forman_scholz_monte_carlo as module
from evalstats.metrics.forman_scholz_exact import Setting, exact_moments, fold_groups
from evalstats.metrics.forman_scholz_monte_carlo import MonteCarlo, monte_carlo_moments

SETTINGS = {
    "one positive in a fold": Setting(10, 990, 10, 0.8, 2 / 990, True),
    "five in a fold, unequal folds": Setting(33, 290, 7, 0.7, 0.03, True),
    "many in a fold": Setting(250, 750, 10, 0.6, 100 / 750, True),
    "fewer positives than folds": Setting(4, 40, 7, 0.9, 0.02, True),
    "few at random": Setting(10, 990, 10, 0.8, 2 / 990, False),
    "at random, unequal folds": Setting(33, 290, 7, 0.7, 0.03, False),
    "fewer at random than folds": Setting(4, 40, 7, 0.9, 0.02, False),
    "nothing certain": Setting(2, 9, 3, 0.5, 0.1, False),
    "all found": Setting(20, 80, 5, 1.0, 0.0, False),
}
REPETITIONS = 20_000


def agree(run: MonteCarlo, setting: Setting) -> None:
    """Five means within four standard errors, five sds within a few per cent, and the law of the defined folds."""
    exact = exact_moments(setting)
    error = exact.sd / np.sqrt(run.n_used)
    np.testing.assert_array_less(np.abs(run.mean - exact.mean), 4 * error + 1e-12)
    np.testing.assert_allclose(run.sd, exact.sd, rtol=0.06, atol=1e-6)
    error = np.sqrt(np.maximum(exact.n_defined * (1 - exact.n_defined), 0) / run.n_simulations)
    np.testing.assert_array_less(np.abs(run.n_defined - exact.n_defined), 4.5 * error + 1e-3)


@pytest.mark.parametrize("name", SETTINGS)
def test_exact_moments_are_met(name: str) -> None:
    run = monte_carlo_moments(SETTINGS[name], REPETITIONS, np.random.default_rng(1))

    assert run.n_simulations == REPETITIONS
    agree(run, SETTINGS[name])


@pytest.mark.parametrize("stratified", [True, False])
def test_counts_are_drawn_where_tables_would_be_too_large(stratified: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_TABLE", 0)
    setting = Setting(33, 290, 7, 0.7, 0.03, stratified)

    agree(monte_carlo_moments(setting, REPETITIONS, np.random.default_rng(2)), setting)


def test_tables_are_left_for_large_datasets() -> None:
    setting = Setting(50_000, 950_000, 10, 0.8, 10_000 / 950_000, False)

    run = monte_carlo_moments(setting, 100, np.random.default_rng(3))

    assert run.mean == pytest.approx(0.8, abs=0.001)


def test_positives_are_dealt_out_without_replacement() -> None:
    """The multivariate hypergeometric law: mean and covariance of the folds."""
    setting = Setting(30, 70, 4, 0.5, 0.5, False)
    dealt = np.stack(module._dealer(setting, fold_groups(setting))(np.random.default_rng(4), 50_000))

    assert dealt.shape == (4, 50_000)
    assert (dealt.sum(axis=0) == 30).all()
    np.testing.assert_allclose(dealt.mean(axis=1), 7.5, atol=0.05)
    variance = 25 * 0.3 * 0.7 * 75 / 99
    np.testing.assert_allclose(np.cov(dealt), variance * (4 * np.eye(4) - 1) / 3, atol=0.1)


def test_alias_table_is_the_law() -> None:
    """What the cells keep and give to their aliases adds up to the probabilities."""
    probability = np.random.default_rng(5).dirichlet(np.full(50, 0.3))

    keep, alias = module._alias(probability)

    inside = np.minimum(keep, 1)
    total = inside + np.bincount(alias, 1 - inside, minlength=50)
    np.testing.assert_allclose(total / 50, probability, atol=1e-15)


@pytest.mark.parametrize("n_folds", [1, 2, 3, 7, 10])
def test_folds_drawn_at_once_make_the_whole(n_folds: int) -> None:
    """Whatever is joined, expected sums are those of the folds."""
    setting = Setting(20, 80, 10, 0.8, 0.05, True)
    (group,) = fold_groups(setting)
    probability, values = module._outcomes(setting, group, 2)

    joint = list(module._joint_outcomes((probability, values), n_folds))

    expected = sum(p @ v for p, v in joint)
    np.testing.assert_allclose(expected, n_folds * (probability @ values), rtol=1e-12)
    assert all(len(p) <= module.LARGEST_JOINT for p, _ in joint)


def test_seed_repeats_the_run() -> None:
    first, again = (monte_carlo_moments(SETTINGS["few at random"], 5000, np.random.default_rng(6)) for _ in range(2))

    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)


def test_progress_goes_up_to_all() -> None:
    done: list[int] = []

    monte_carlo_moments(SETTINGS["one positive in a fold"], 30_000, np.random.default_rng(7), done.append)

    assert done == sorted(done)
    assert done[-1] == 30_000


def test_interrupt_keeps_what_was_done() -> None:
    def stop(done: int) -> None:
        if done > 9000:
            raise KeyboardInterrupt

    run = monte_carlo_moments(SETTINGS["few at random"], 30_000, np.random.default_rng(8), stop)

    assert 9000 < run.n_simulations < 30_000
    agree(run, SETTINGS["few at random"])


def test_interrupt_before_anything_was_done_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_five_ways", interrupt)

    with pytest.raises(KeyboardInterrupt):
        monte_carlo_moments(SETTINGS["few at random"], 30_000, np.random.default_rng(9))
