"""The experiment of Forman and Scholz, simulated and exact, against a Python loop and against numpy's generators."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.timing import Race
from evalstats.metrics.forman_scholz import forman_scholz_simulation
from evalstats.metrics.forman_scholz_moments import Setting, exact_moments, monte_carlo_moments

LOOP = "Python loop"
BINOMIAL = "rng.binomial in chunks"

N_CASES, N_FOLDS, F = 1000, 10, 0.8
REPETITIONS = 1_000_000
OF_LOOP, OF_RANDOM_FOLDS = 2000, 100_000  # repetitions that slow peers do
CHUNK = 4096  # the fastest of 4096, 16384 and 65536


class Moments(NamedTuple):
    """Means of the five ways, with their standard errors."""

    mean: np.ndarray
    error: np.ndarray


def setting(percent: int, stratified: bool) -> Setting:
    p = N_CASES * percent // 100
    return Setting(p, N_CASES - p, N_FOLDS, F, p * (1 - F) / (N_CASES - p), stratified)


def ours(s: Setting) -> Moments:
    run = monte_carlo_moments(s, REPETITIONS, np.random.default_rng(1))
    return Moments(run.mean, run.sd / np.sqrt(run.n_used))


def exactly(s: Setting) -> Moments:
    return Moments(exact_moments(s).mean, np.zeros(5))


def summary(values: np.ndarray) -> Moments:
    n = np.count_nonzero(~np.isnan(values), axis=1)
    return Moments(np.nanmean(values, axis=1), np.nanstd(values, axis=1) / np.sqrt(n))


def loop(s: Setting) -> Moments:
    """Draw each fold: its few positives one by one, its false positives by inversion; case by case would be slower."""
    rng = random.Random(1)
    p, m = s.n_positive // s.n_folds, s.n_negative // s.n_folds
    law = np.cumsum(
        [math.comb(m, i) * s.false_positive_rate**i * (1 - s.false_positive_rate) ** (m - i) for i in range(m)]
    )
    below = law.tolist()
    values = []
    for _ in range(OF_LOOP):
        all_tp = all_fp = n_valid = 0
        sum_f = sum_precision = sum_recall = 0.0
        for _ in range(s.n_folds):
            tp = sum(rng.random() < s.recall for _ in range(p))
            u, fp = rng.random(), 0
            while u > below[fp]:
                fp += 1
            all_tp, all_fp = all_tp + tp, all_fp + fp
            if tp + fp:
                n_valid += 1
                sum_f += 2 * tp / (tp + fp + p)
                sum_precision += tp / (tp + fp)
                sum_recall += tp / p
        both = sum_precision + sum_recall
        harmonic = 2 * sum_precision * sum_recall / both if both else 0.0
        of_valid = [sum_f / n_valid, harmonic / n_valid] if n_valid else [math.nan] * 2
        pooled = 2 * all_tp / (all_tp + all_fp + s.n_positive)
        values.append([pooled, sum_f / s.n_folds, of_valid[0], harmonic / s.n_folds, of_valid[1]])
    return summary(np.array(values).T)


def binomial_counts(s: Setting, repetitions: int) -> Moments:
    rng = np.random.default_rng(1)
    size = np.full(s.n_folds, N_CASES // s.n_folds)
    total, square, done = np.zeros(5), np.zeros(5), np.zeros(5)
    for start in range(0, repetitions, CHUNK):
        n = min(CHUNK, repetitions - start)
        p = np.full((n, s.n_folds), s.n_positive // s.n_folds)
        if not s.stratified:
            p = rng.multivariate_hypergeometric(size, s.n_positive, size=n)
        tp, fp = rng.binomial(p, s.recall), rng.binomial(size - p, s.false_positive_rate)
        with np.errstate(invalid="ignore"):
            predicted = tp + fp
            is_valid = (predicted > 0) & (p > 0)
            f = np.where(is_valid, 2 * tp / (predicted + p), 0).sum(axis=1)
            precision = np.where(is_valid, tp / predicted, 0).sum(axis=1)
            recall = np.where(is_valid, tp / p, 0).sum(axis=1)
            n_valid = is_valid.sum(axis=1)
            harmonic = np.nan_to_num(2 * precision * recall / (precision + recall))
            pooled = 2 * tp.sum(axis=1) / (predicted.sum(axis=1) + s.n_positive)
            values = np.stack([pooled, f / s.n_folds, f / n_valid, harmonic / s.n_folds, harmonic / n_valid])
        total += np.nansum(values, axis=1)
        square += np.nansum(values**2, axis=1)
        done += np.count_nonzero(~np.isnan(values), axis=1)
    return Moments(total / done, np.sqrt((square / done - (total / done) ** 2) / done))


def agree(here: Moments, there: Moments, _peer: str) -> None:
    """All five means are within four standard errors of each other."""
    np.testing.assert_array_less(np.abs(here.mean - there.mean), 4 * np.hypot(here.error, there.error))


def races() -> Iterator[Race]:
    of_loop = {LOOP: OF_LOOP / REPETITIONS}
    for percent in (2, 5):
        s = setting(percent, stratified=True)
        job = f"{REPETITIONS:,} stratified cross-validations, {percent}% positives"
        peers: dict[str, Any] = {
            LOOP: lambda s=s: loop(s),
            BINOMIAL: lambda s=s: binomial_counts(s, REPETITIONS),
        }
        yield Race(job, lambda s=s: ours(s), peers, agree, {LOOP: 50, BINOMIAL: 3}, of_loop, rounds=3)
        yield Race(
            f"{job}, exact instead", lambda s=s: exactly(s), {LOOP: peers[LOOP]}, agree, {LOOP: 5000}, of_loop, rounds=5
        )
    s = setting(5, stratified=False)
    yield Race(
        f"{REPETITIONS:,} cross-validations at random, 5% positives",
        lambda: ours(s),
        {BINOMIAL: lambda: binomial_counts(s, OF_RANDOM_FOLDS)},
        agree,
        {BINOMIAL: 3},
        {BINOMIAL: OF_RANDOM_FOLDS / REPETITIONS},
        rounds=3,
    )
    yield Race(
        "Figures 4 to 8, 61 settings, exact instead of simulated",
        figures,
        {BINOMIAL: lambda: binomial_counts(s, OF_RANDOM_FOLDS)},
        agree,
        {BINOMIAL: 50},
        {BINOMIAL: OF_RANDOM_FOLDS / REPETITIONS / 61},
        rounds=3,
    )


def figures() -> Moments:
    """Compute every number of the experiment; return those of 5% positives at random, which the peer computes too."""
    for stratified, percents in ((True, [1, 2, 3, 4, 5]), (False, [5, 1, 2, 3, 4, 6, 8, 10])):
        at_80 = forman_scholz_simulation(percents, F, stratified=stratified).mean
        forman_scholz_simulation([1, 5, 25], np.arange(60, 100, 5) / 100, stratified=stratified)
    ways = (at_80.tp_fp, at_80.mean, at_80.mean_skip, at_80.precision_recall, at_80.precision_recall_skip)
    return Moments(np.array([way[0] for way in ways]), np.zeros(5))
