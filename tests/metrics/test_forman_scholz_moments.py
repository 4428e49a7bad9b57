"""The exact moments behind `f1_fold_bias`."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import stats

from evalstats.metrics import forman_scholz_moments as module
from evalstats.metrics.forman_scholz_moments import (
    MonteCarlo,
    Setting,
    _reciprocal_rule,
    binomial_law,
    cost,
    exact_moments,
    fold_groups,
    fold_positives,
    monte_carlo_moments,
)


def five_ways(tp: tuple[int, ...], fp: tuple[int, ...], positives: tuple[int, ...]) -> list[float]:
    """Follow section 2.3 of Forman & Scholz (2010); nan where no fold is left."""
    k = len(tp)
    valid = [i for i in range(k) if tp[i] + fp[i] > 0 and positives[i] > 0]
    f = [2 * tp[i] / (tp[i] + fp[i] + positives[i]) for i in valid]
    precision = [tp[i] / (tp[i] + fp[i]) for i in valid]
    recall = [tp[i] / positives[i] for i in valid]

    def harmonic(a: float, b: float) -> float:
        return 2 * a * b / (a + b) if a + b else 0.0

    pooled = 2 * sum(tp) / (sum(tp) + sum(fp) + sum(positives))
    zero = [sum(f) / k, harmonic(sum(precision) / k, sum(recall) / k)]
    skip = [math.nan, math.nan]
    if valid:
        skip = [sum(f) / len(valid), harmonic(sum(precision) / len(valid), sum(recall) / len(valid))]
    return [pooled, zero[0], skip[0], zero[1], skip[1]]


def by_enumeration(setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd over everything that can happen, fold by fold."""
    p, n, k = setting.n_positive, setting.n_positive + setting.n_negative, setting.n_folds
    sizes = [len(range(i, n, k)) for i in range(k)]
    dealt = [tuple(len(range(i, p, k)) for i in range(k))]
    if not setting.stratified:
        dealt = [d for d in itertools.product(*(range(s + 1) for s in sizes)) if sum(d) == p]
    values, weights = [], []
    for positives in dealt:
        ways = math.prod(map(math.comb, sizes, positives)) / math.comb(n, p)
        chance = 1.0 if setting.stratified else ways
        negatives = [s - q for s, q in zip(sizes, positives, strict=True)]
        for tp in itertools.product(*(range(q + 1) for q in positives)):
            of_tp = math.prod(stats.binom.pmf(tp, positives, setting.recall))
            for fp in itertools.product(*(range(m + 1) for m in negatives)):
                values.append(five_ways(tp, fp, positives))
                weights.append(chance * of_tp * math.prod(stats.binom.pmf(fp, negatives, setting.false_positive_rate)))
    value, weight = np.array(values).T, np.array(weights)
    weight = np.where(np.isnan(value), 0.0, weight)
    value = np.nan_to_num(value)
    mean = (value * weight).sum(axis=1) / weight.sum(axis=1)
    square = (value**2 * weight).sum(axis=1) / weight.sum(axis=1)
    return mean, np.sqrt(np.maximum(square - mean**2, 0))


def test_one_positive_in_two_folds_by_hand() -> None:
    """Found or not, without false positives: the fold with the positive is valid if found, the other never is."""
    moments = exact_moments(Setting(1, 3, 2, recall=0.75, false_positive_rate=0.0, stratified=True))

    np.testing.assert_allclose(moments.mean, [0.75, 0.75 / 2, 1, 2 * 0.375 * 0.375 / 0.75, 1], rtol=1e-14)
    np.testing.assert_allclose(moments.n_defined, [0.25, 0.75, 0], atol=1e-15)
    assert moments.sd[0] == pytest.approx(math.sqrt(0.75 * 0.25), rel=1e-14)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize(
    ("n_positive", "n_negative", "n_folds"), [(1, 4, 2), (2, 4, 2), (3, 3, 3), (2, 5, 3), (4, 3, 2)]
)
def test_enumeration(n_positive: int, n_negative: int, n_folds: int, stratified: bool) -> None:
    """Every outcome of small experiments, with equal and unequal folds, and fewer positives than folds."""
    setting = Setting(n_positive, n_negative, n_folds, 0.7, 0.3, stratified)

    moments = exact_moments(setting)

    mean, sd = by_enumeration(setting)
    np.testing.assert_allclose(moments.mean, mean, rtol=1e-13)
    np.testing.assert_allclose(moments.sd, sd, rtol=0, atol=1e-9)


probabilities = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 0.99))


@settings(max_examples=repetitions(25))
@given(st.integers(1, 3), st.integers(1, 4), st.integers(2, 3), probabilities, probabilities, st.booleans())
def test_enumeration_of_any_classifier(p: int, m: int, k: int, recall: float, fpr: float, stratified: bool) -> None:
    setting = Setting(p, m, min(k, p + m), max(recall, 0.01), fpr, stratified)

    moments = exact_moments(setting)

    mean, sd = by_enumeration(setting)
    np.testing.assert_allclose(moments.mean, mean, rtol=0, atol=1e-13)
    np.testing.assert_allclose(moments.sd, sd, rtol=0, atol=1e-6)


def test_number_of_defined_folds() -> None:
    """Stratified folds are independent: with one positive each, undefined are those where nothing is predicted."""
    moments = exact_moments(Setting(10, 90, 10, 0.8, 0.01, True))

    undefined = 0.2 * 0.99**9
    np.testing.assert_allclose(moments.n_defined, stats.binom.pmf(range(11), 10, 1 - undefined), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n_positive", [1, 7, 40, 250])
def test_probabilities_add_up_without_stratification(n_positive: int) -> None:
    """The frequencies separate the true total from all others."""
    moments = exact_moments(Setting(n_positive, 1000 - n_positive, 10, 0.8, 0.01, False))

    assert moments.n_defined.sum() == pytest.approx(1, abs=1e-14)
    assert moments.n_defined.min() > -1e-15


def test_reciprocal_is_a_sum_of_exponentials() -> None:
    """For every sum of precision and recall that can occur, from 1/p to 2k: relative error of 1/s and of 1/s**2."""
    for n_positive, n_folds in ((10, 10), (250, 10), (5000, 5), (1000, 100)):
        t, weight = _reciprocal_rule(Setting(n_positive, 9 * n_positive, n_folds, 0.8, 0.01, True))
        s = np.geomspace(n_folds / n_positive, 2 * n_folds, 1001)
        terms = np.exp(-np.outer(s, t))
        np.testing.assert_allclose(s * (terms @ weight), 1, rtol=0, atol=1e-14)
        np.testing.assert_allclose(s * s * (terms @ (weight * t)), 1, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("n", "probability"), [(0, 0.3), (1, 0.3), (100, 0.001), (1000, 0.5), (100_000, 0.02)])
def test_binomial_law(n: int, probability: float) -> None:
    first, law = binomial_law(n, probability)

    outcomes = np.arange(first, first + len(law))
    np.testing.assert_allclose(law, stats.binom.pmf(outcomes, n, probability), rtol=1e-10, atol=1e-20)
    assert law.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("probability", [0, 1])
def test_certain_binomial_law(probability: int) -> None:
    first, law = binomial_law(7, probability)

    assert (first, law.tolist()) == (7 * probability, [1.0])


@given(st.integers(1, 60), st.integers(1, 60), st.integers(2, 12))
def test_folds_are_dealt_like_cards(p: int, m: int, k: int) -> None:
    k = min(k, p + m)

    groups = fold_groups(Setting(p, m, k, 0.5, 0.5, True))

    assert sum(g.n_folds for g in groups) == k
    assert sum(g.n_folds * g.size for g in groups) == p + m
    assert sum(g.n_folds * (g.n_positive or 0) for g in groups) == p
    assert np.ptp([g.size for g in groups]) <= 1
    assert np.ptp([g.n_positive for g in groups]) <= 1
    assert all(0 <= (g.n_positive or 0) <= g.size for g in groups)


def test_positives_of_a_random_fold() -> None:
    """Never more than there are; binomial before their total is known."""
    setting = Setting(5, 45, 5, 0.8, 0.01, False)
    (group,) = fold_groups(setting)

    n_positive, law = fold_positives(setting, group)

    assert n_positive.tolist() == list(range(6))
    np.testing.assert_allclose(law, stats.binom.pmf(range(6), 10, 0.1), rtol=1e-12)


def test_large_datasets_are_affordable() -> None:
    """A stratified experiment with a million cases takes less work than the paper's with 25% positives at random."""
    large = Setting(10_000, 990_000, 10, 0.8, 10_000 * 0.2 / 990_000, True)

    assert cost(large) < cost(Setting(250, 750, 10, 0.6, 250 * 0.4 / 750, False))
    pooled, mean = exact_moments(large).mean[:2]
    assert 0.79999 < mean < pooled < 0.8


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
