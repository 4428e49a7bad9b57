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

from evalstats.metrics.forman_scholz_exact import (
    Setting,
    _reciprocal_rule,
    binomial_law,
    cost,
    exact_moments,
    fold_groups,
    fold_positives,
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
