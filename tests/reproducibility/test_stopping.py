"""FixedRuns, RankCorrelation, KolmogorovSmirnov and replay: how many runs are enough?"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp, spearmanr

import evalstats
from evalstats import overlap
from evalstats.paired import betting_test, sequential_sign_test
from evalstats.reproducibility import AnytimeValid, FixedRuns, KolmogorovSmirnov, RankCorrelation, replay_stopping_rule

# Raeder, Hoens & Chawla (2010), Table III (a): mean numbers of runs of the Kolmogorov-Smirnov rule over 50 orders of
# 500 runs, 19 datasets; HDDT and C4.5 at 0.1, then both at 0.2
KS_RUNS = np.array([
    [179.12, 187.24, 42.64, 46.08], [192.72, 200.48, 53.40, 49.00], [221.96, 172.28, 60.44, 42.40],
    [191.92, 202.84, 40.28, 52.88], [196.60, 165.28, 48.52, 49.56], [203.08, 168.28, 45.68, 46.08],
    [188.04, 205.48, 46.44, 58.28], [248.64, 176.88, 41.32, 50.72], [194.96, 178.60, 48.76, 43.24],
    [170.80, 183.80, 48.76, 41.80], [253.36, 184.84, 47.64, 43.00], [171.56, 193.48, 48.44, 49.92],
    [199.68, 190.28, 51.32, 48.60], [212.96, 206.12, 53.36, 40.16], [213.60, 179.20, 44.20, 36.64],
    [210.20, 233.40, 40.48, 51.16], [186.52, 205.16, 44.92, 51.92], [185.64, 190.28, 45.88, 41.44],
    [203.48, 190.72, 49.68, 47.40],
])  # fmt: skip
# the same table, column Fixed-10
FIXED_10 = np.array(
    [0.52, 1, 1, 0.88, 0.84, 0.24, 1, 0.84, 0.44, 0.08, 0.40, 0.52, 0.84, 0.84, 0.20, 0.88, 0.44, 0.68, 0.88]
)
# scores of two classifiers in 200 runs; the first is better by 0.6 standard deviations of a score
RUNS = np.random.default_rng(7).normal([0.822, 0.81], 0.02, size=(200, 2))


def feed(rule, runs) -> list:
    seen = []
    for run in runs:
        rule.update(run)
        seen.append(rule.correlation if isinstance(rule, RankCorrelation) else rule.distance)
    return seen


def largest_distance(estimates) -> float:
    """Kolmogorov and Smirnov's D of odd against even runs, by its definition."""
    odd, even = np.array(estimates[::2]), np.array(estimates[1::2])
    return max(abs(np.mean(odd <= value) - np.mean(even <= value)) for value in estimates)


def never(rule_class):
    """Return a rule with a threshold that these runs do not reach."""
    return rule_class(1 - 1e-15) if rule_class is RankCorrelation else rule_class(1e-12)


def test_fixed_number() -> None:
    rule = FixedRuns(3)

    assert [rule.update() for _ in range(3)] == [False, False, True]
    assert (rule.n_runs, rule.stopped) == (3, True)


def test_rank_correlation_by_hand() -> None:
    """Means after one run rank 1, 2, 3, after two 1, 3, 2: Spearman's coefficient is 1 - 6 * 2 / 24 = 1/2."""
    rule = RankCorrelation(0.5)

    assert not rule.update([0.1, 0.4, 0.6])
    assert rule.correlation is None
    assert rule.update([0.1, 0.6, 0.3])
    assert rule.correlation == pytest.approx(0.5, abs=1e-15)


@given(st.lists(st.lists(st.integers(0, 4), min_size=6, max_size=6), min_size=2, max_size=8))
def test_rank_correlation_is_that_of_all_runs_computed_again(runs: list[list[int]]) -> None:
    """With ties everywhere; where Spearman's coefficient is 0/0, 1 for two constant means and 0 for one."""
    fifths = np.array(runs) / 5
    rule = never(RankCorrelation)

    for n, run in enumerate(fifths, start=1):
        if rule.stopped:
            break
        rule.update(run)
        if n > 1:
            before, now = np.sum(runs[: n - 1], axis=0), np.sum(runs[:n], axis=0)
            constant = [np.ptp(sums) == 0 for sums in (before, now)]
            expected = float(all(constant)) if any(constant) else spearmanr(before, now).statistic
            assert rule.correlation == pytest.approx(expected, abs=1e-14)


def test_rank_correlation_of_many_runs() -> None:
    rng = np.random.default_rng(4)
    runs = np.clip(rng.random(400) + rng.normal(0, 0.2, (60, 400)), 0, 1)

    correlations = feed(never(RankCorrelation), runs)

    expected = [spearmanr(runs[: n - 1].mean(axis=0), runs[:n].mean(axis=0)).statistic for n in range(2, 61)]
    assert correlations[1:] == pytest.approx(expected, abs=1e-13)


def test_classifier_that_never_changes_stops_after_two_runs() -> None:
    rule = RankCorrelation()

    assert [rule.update([0.3, 0.9, 0.5]) for _ in range(2)] == [False, True]
    assert rule.reason is None


def test_constant_probabilities_stop_after_two_runs_with_a_reason() -> None:
    rule = RankCorrelation()

    rule.update([0.5, 0.5, 0.5])
    rule.update([0.7, 0.7, 0.7])

    assert (rule.stopped, rule.n_runs, rule.correlation) == (True, 2, 1.0)
    assert "same mean probability" in rule.reason


def test_order_that_appears_is_no_agreement() -> None:
    rule = RankCorrelation(0.5)

    rule.update([0.5, 0.5, 0.5])
    rule.update([0.1, 0.2, 0.3])

    assert (rule.stopped, rule.correlation, rule.reason) == (False, 0.0, None)


def test_two_classes_are_one_probability() -> None:
    """The probabilities of the other class have the reverse order."""
    runs = np.random.default_rng(2).random((5, 30))
    both = np.stack([runs, 1 - runs], axis=-1)

    assert feed(never(RankCorrelation), both)[1:] == pytest.approx(feed(never(RankCorrelation), runs)[1:], abs=1e-14)


def test_every_class_must_settle() -> None:
    runs = np.random.default_rng(2).random((5, 30, 3))

    together = feed(never(RankCorrelation), runs)
    alone = [feed(never(RankCorrelation), runs[..., c]) for c in range(3)]

    assert together[1:] == [min(values) for values in list(zip(*alone, strict=True))[1:]]


def test_monotone_transformation_of_the_first_run_changes_no_rank() -> None:
    """Means of many runs are no matter of ranks, but a shift and a scale are."""
    runs = np.random.default_rng(2).random((6, 20))

    assert feed(never(RankCorrelation), runs) == feed(never(RankCorrelation), 3 * runs + 1)


def test_kolmogorov_smirnov_by_hand() -> None:
    """Odd runs 1, 3 and even runs 2, 4: the distribution functions are 1/2 apart; looked at after even runs only."""
    rule = KolmogorovSmirnov(0.1)

    assert feed(rule, [1, 2, 3, 4]) == [None, 1.0, 1.0, 0.5]
    assert not rule.stopped


@given(st.lists(st.integers(0, 9), min_size=2, max_size=60), st.integers(2, 6))
def test_distance_is_that_of_all_runs_computed_again(tenths: list[int], most: int) -> None:
    """Exactly, with ties, and with blocks of any size."""
    rule = never(KolmogorovSmirnov)
    rule._steps.MOST = most

    for n, tenth in enumerate(tenths, start=1):
        if rule.update(tenth / 10):
            break
        if n % 2 == 0:
            assert rule.distance == pytest.approx(largest_distance(tenths[:n]), abs=1e-15)


def test_distance_of_many_runs() -> None:
    estimates = np.random.default_rng(1).normal(size=1500)

    distances = feed(never(KolmogorovSmirnov), estimates)

    for n in (100, 700, 1500):
        expected = ks_2samp(estimates[:n:2], estimates[1:n:2], method="asymp").statistic
        assert distances[n - 1] == pytest.approx(expected, abs=1e-15)


def test_distance_below_the_threshold_is_needed() -> None:
    """Ten runs can have a distance of 1/5, twelve are needed to be below it."""
    alternating = [0.1, 0.2, 0.4, 0.3, 0.5, 0.6, 0.8, 0.7, 0.9, 1.0, 1.2, 1.1]
    rule = KolmogorovSmirnov(0.2)

    assert feed(rule, alternating)[9] == 0.2
    assert (rule.n_runs, rule.stopped) == (12, True)


def test_equal_estimates_stop_after_two_runs() -> None:
    rule = KolmogorovSmirnov()

    assert [rule.update(0.1 + 0.2), rule.update(0.3)] == [False, True]


def test_kolmogorov_smirnov_looks_at_ranks_only() -> None:
    estimates = np.random.default_rng(5).normal(size=80)

    assert feed(never(KolmogorovSmirnov), estimates) == feed(never(KolmogorovSmirnov), np.exp(estimates))


def test_published_rule_looks_after_every_second_run() -> None:
    """50 even numbers have an even sum: the published means are multiples of 0.04, which odd numbers would not be."""
    assert np.abs(KS_RUNS / 0.04 - np.round(KS_RUNS / 0.04)).max() < 1e-9
    np.testing.assert_allclose(FIXED_10 * 50, np.round(FIXED_10 * 50))  # of 50 applications
    assert KS_RUNS.mean(axis=0) == pytest.approx([201.3074, 190.2442, 47.4821, 46.8568], abs=1e-4)


def test_number_of_runs_has_the_size_of_table_iii_whatever_the_classifier() -> None:
    """Published for 0.2: 47.5 and 46.9 on average, over datasets from 36.6 to 60.4."""
    estimates = np.random.default_rng(6).beta(8, 2, size=500).round(4)

    result = replay_stopping_rule(KolmogorovSmirnov(0.2), estimates, n_resamples=100, rng=2)

    assert 36 < result.mean_runs < 61
    assert (result.n_runs % 2 == 0).all()


@pytest.mark.parametrize("rule", [FixedRuns(2), RankCorrelation(), KolmogorovSmirnov()])
def test_stopped_rule_takes_no_more_runs(rule) -> None:
    run = {"nothing": None, "estimate": 0.8, "probabilities": [0.1, 0.2]}[rule.needs]
    rule.update(run)
    rule.update(run)

    with pytest.raises(ValueError, match="has stopped after 2 runs"):
        rule.update(run)
    again = rule.fresh()
    assert (again.n_runs, again.stopped, repr(again)) == (0, False, repr(rule))


def test_rule_survives_a_pickle() -> None:
    """A study that was killed continues with the state of its rules."""
    runs = np.random.default_rng(0).random((6, 10))
    rule = never(RankCorrelation)
    feed(rule, runs[:3])

    copy = pickle.loads(pickle.dumps(rule))

    assert feed(copy, runs[3:]) == feed(rule, runs[3:])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FixedRuns(0), "n must be at least 1"),
        (lambda: RankCorrelation(1.0), "threshold must lie between 0 and 1"),
        (lambda: KolmogorovSmirnov(0), "threshold must lie between 0 and 1"),
        (lambda: RankCorrelation().update([0.1, np.nan]), r"probabilities\[1\] is nan"),
        (lambda: RankCorrelation().update([0.1]), "2 instances or more"),
        (
            lambda: feed(RankCorrelation(), [[0.1, 0.2], [0.1, 0.2, 0.3]]),
            r"run 1 has the shape \(2,\), run 2 has the shape \(3,\)",
        ),
        (lambda: KolmogorovSmirnov().update(np.inf), "estimate must be finite"),
        (lambda: KolmogorovSmirnov().update([0.1, 0.2]), "a single score for each run"),
        (lambda: replay_stopping_rule(FixedRuns(2), [0.8]), "at least 2 runs"),
        (lambda: replay_stopping_rule(FixedRuns, [0.8, 0.7]), "must be a stopping rule"),
        (lambda: replay_stopping_rule(RankCorrelation(), [0.8, 0.7]), "needs the probabilities of every run"),
        (
            lambda: replay_stopping_rule(RankCorrelation(), [0.8, 0.7], probabilities=[[0.1, 0.2]] * 3),
            "estimates of 2 runs, but probabilities for 3",
        ),
    ],
)
def test_messages(call, message) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_refused_run_does_not_count() -> None:
    rule = RankCorrelation()
    rule.update([0.1, 0.2])

    with pytest.raises(ValueError, match="finite"):
        rule.update([np.nan, 0.2])

    assert rule.n_runs == 1


def test_replay_is_the_rule_on_every_order() -> None:
    rng = np.random.default_rng(8)
    estimates, probabilities = rng.random(30), np.clip(rng.random(25) + rng.normal(0, 0.1, (30, 25)), 0, 1)
    rule = RankCorrelation(0.995)

    result = replay_stopping_rule(rule, estimates, probabilities=probabilities, n_resamples=5, rng=3)

    orders = np.random.default_rng(3)
    for i in range(5):
        order, here = orders.permutation(30), rule.fresh()
        while not here.stopped and here.n_runs < 30:
            here.update(probabilities[order[here.n_runs]])
        assert (result.n_runs[i], result.stopped[i]) == (here.n_runs, here.stopped)
        assert result.estimates[i] == estimates[order[: here.n_runs]].mean()
    assert rule.n_runs == 0


def test_not_stopping_is_a_state_and_no_number() -> None:
    """Orders that did not stop have no part in the mean number of runs; Table III has 1000 for them."""
    result = replay_stopping_rule(FixedRuns(11), np.arange(10.0), n_resamples=4, rng=0)

    assert np.isnan(result.mean_runs)
    assert result.not_stopped_proportion == 1
    assert not result.stopped.any()
    assert (result.n_runs == 10).all()
    assert "did not stop" in result.reason


def test_some_orders_that_do_not_stop() -> None:
    result = replay_stopping_rule(KolmogorovSmirnov(0.2), np.random.default_rng(0).random(40), n_resamples=40, rng=0)

    assert 0 < result.not_stopped_proportion < 1
    assert result.mean_runs == result.n_runs[result.stopped].mean() < 40


def test_replays_of_two_classifiers_overlap() -> None:
    x, y = np.random.default_rng(1).normal([[0.81], [0.80]], 0.02, size=(2, 100))
    a, b = (replay_stopping_rule(FixedRuns(5), scores, rng=0) for scores in (x, y))

    assert a.overlap(b).reproducibility == overlap(a.estimates, b.estimates).reproducibility
    with pytest.raises(ValueError, match="same rng and n_resamples"):
        a.overlap(replay_stopping_rule(FixedRuns(5), y, rng=1))


def follow(rule: AnytimeValid, runs: Any) -> AnytimeValid:
    for run in runs:
        if rule.update(run):
            break
    return rule


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_it_stops_where_the_sequential_sign_test_rejects(alpha: float) -> None:
    rule = follow(AnytimeValid(alpha), RUNS)

    result = sequential_sign_test(*RUNS.T)
    assert (rule.n_runs, rule.stopped) == (result.n_to_decide(alpha), True)
    assert rule.pvalue == result.pvalues[rule.n_runs - 1] <= alpha
    assert rule.test.n_wins > rule.test.n_losses


def test_with_bounds_it_stops_where_the_test_by_betting_rejects() -> None:
    rule = follow(AnytimeValid(0.1, bounds=(-0.1, 0.1)), RUNS)

    result = betting_test(*RUNS.T, bounds=(-0.1, 0.1), alpha=0.1)
    assert (rule.n_runs, rule.stopped) == (result.n_to_decide(0.1), True)
    assert tuple(rule.test.confidence_interval(0.9)) == tuple(result.confidence_interval(0.9, after=rule.n_runs))


def test_equal_classifiers_are_never_told_apart() -> None:
    rule = follow(AnytimeValid(), np.full((300, 2), 0.8))

    assert (rule.n_runs, rule.stopped, rule.pvalue) == (300, False, 1.0)


def test_noise_of_floating_point_decides_nothing() -> None:
    """0.1 + 0.2 and 0.3 are one score, and so are a score and itself in half precision."""
    sum_and_score = follow(AnytimeValid(), [(0.1 + 0.2, 0.3)] * 20)
    halves = follow(AnytimeValid(), [[np.float16(0.1), 0.1]] * 20)

    assert (sum_and_score.stopped, halves.stopped) == (False, False)


def test_scores_may_come_as_a_pair_or_one_by_one() -> None:
    together, apart = AnytimeValid(1e-9), AnytimeValid(1e-9)

    seen = [(together.update(run), apart.update(*run)) for run in RUNS[:30]]

    assert seen == [(False, False)] * 30
    assert together.pvalue == apart.pvalue < 1


def test_level_is_kept_by_all_pairs_together() -> None:
    rule = AnytimeValid(0.05, bounds=(-1, 1)).of_pairs(3)

    assert (rule.alpha, rule.bounds, rule.n_runs) == (0.05 / 3, (-1.0, 1.0), 0)


@pytest.mark.parametrize("rule", [AnytimeValid(), AnytimeValid(0.01, bounds=(-0.2, 0.3))])
def test_stopped_rule_takes_no_more_runs_and_a_fresh_one_does(rule: AnytimeValid) -> None:
    follow(rule, [(0.9, 0.75)] * 500)

    with pytest.raises(evalstats.InvalidValueError, match=f"has stopped after {rule.n_runs} runs"):
        rule.update((0.9, 0.75))
    again = rule.fresh()
    assert (again.n_runs, again.stopped, repr(again)) == (0, False, repr(rule))
    assert follow(again, [(0.9, 0.75)] * 500).n_runs == rule.n_runs


def test_anytime_rule_survives_a_pickle() -> None:
    rule = follow(AnytimeValid(1e-9), RUNS[:50])

    copy = pickle.loads(pickle.dumps(rule))

    assert follow(copy, RUNS[50:]).pvalue == follow(rule, RUNS[50:]).pvalue


def test_replay_follows_the_pairs_through_every_order() -> None:
    rule = AnytimeValid()

    result = replay_stopping_rule(rule, RUNS[:, 0], other_scores=RUNS[:, 1], n_resamples=6, rng=3)

    orders = np.random.default_rng(3)
    for i in range(6):
        order = orders.permutation(200)
        here = follow(rule.fresh(), RUNS[order])
        assert (result.n_runs[i], result.stopped[i]) == (here.n_runs, here.stopped)
        assert result.estimates[i] == RUNS[order[: here.n_runs], 0].mean()
    assert (rule.n_runs, result.rule) == (0, "AnytimeValid(0.05)")


@pytest.mark.parametrize("rule", [FixedRuns(5), KolmogorovSmirnov(0.3)])
def test_other_rules_do_not_look_at_the_other_classifier(rule: Any) -> None:
    here = replay_stopping_rule(rule, RUNS[:, 0], other_scores=RUNS[:, 1], rng=0)

    np.testing.assert_array_equal(here.n_runs, replay_stopping_rule(rule, RUNS[:, 0], rng=0).n_runs)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: AnytimeValid(0), "alpha must lie between 0 and 1, not 0"),
        (lambda: AnytimeValid(bounds=(0.1, 0.2)), "null_difference must lie between the bounds"),
        (lambda: AnytimeValid().of_pairs(0), "n_pairs must be at least 1"),
        (lambda: AnytimeValid().update(0.8), r"run must hold the scores of two classifiers, but its shape is \(\)"),
        (lambda: AnytimeValid().update([0.8, 0.7], 0.6), "run must be a regular array"),
        (lambda: AnytimeValid().update(0.8, "0.7"), "run must be numbers"),
        (lambda: AnytimeValid().update([0.8, 0.7, 0.6]), r"but its shape is \(3,\)"),
        (lambda: AnytimeValid().update([0.8, np.nan]), r"run must be finite, but run\[1\] is nan"),
        (lambda: AnytimeValid(bounds=(-0.1, 0.1)).update([0.8, 0.6]), "must lie between the bounds -0.1 and 0.1"),
        (
            lambda: replay_stopping_rule(AnytimeValid(), [0.8, 0.7]),
            "needs the scores of the other classifier in the same runs",
        ),
        (
            lambda: replay_stopping_rule(AnytimeValid(), [0.8, 0.7], other_scores=[0.8, 0.7, 0.6]),
            "estimates of 2 runs, but scores of the other classifier for 3",
        ),
        (
            lambda: replay_stopping_rule(AnytimeValid(), [0.8, 0.7], other_scores=[0.8, np.inf]),
            r"other must be finite, but other\[1\]",
        ),
    ],
)
def test_anytime_messages(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_refused_run_does_not_count_for_an_anytime_rule() -> None:
    rule = AnytimeValid()

    with pytest.raises(ValueError, match="finite"):
        rule.update([0.8, np.nan])

    assert (rule.n_runs, rule.test.n_pairs) == (0, 0)
