"""AnytimeValid: are the runs enough to tell which of two classifiers is better?"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import betting_test, sequential_sign_test
from evalstats.reproducibility import AnytimeValid, FixedRuns, KolmogorovSmirnov, replay

# scores of two classifiers in 200 runs; the first is better by 0.6 standard deviations of a score
RUNS = np.random.default_rng(7).normal([0.822, 0.81], 0.02, size=(200, 2))


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


def test_rule_survives_a_pickle() -> None:
    rule = follow(AnytimeValid(1e-9), RUNS[:50])

    copy = pickle.loads(pickle.dumps(rule))

    assert follow(copy, RUNS[50:]).pvalue == follow(rule, RUNS[50:]).pvalue


def test_replay_follows_the_pairs_through_every_order() -> None:
    rule = AnytimeValid()

    result = replay(rule, RUNS[:, 0], other=RUNS[:, 1], n_resamples=6, rng=3)

    orders = np.random.default_rng(3)
    for i in range(6):
        order = orders.permutation(200)
        here = follow(rule.fresh(), RUNS[order])
        assert (result.n_runs[i], result.stopped[i]) == (here.n_runs, here.stopped)
        assert result.estimates[i] == RUNS[order[: here.n_runs], 0].mean()
    assert (rule.n_runs, result.rule) == (0, "AnytimeValid(0.05)")


@pytest.mark.parametrize("rule", [FixedRuns(5), KolmogorovSmirnov(0.3)])
def test_other_rules_do_not_look_at_the_other_classifier(rule: Any) -> None:
    here = replay(rule, RUNS[:, 0], other=RUNS[:, 1], rng=0)

    np.testing.assert_array_equal(here.n_runs, replay(rule, RUNS[:, 0], rng=0).n_runs)


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
        (lambda: replay(AnytimeValid(), [0.8, 0.7]), "needs the scores of the other classifier in the same runs"),
        (
            lambda: replay(AnytimeValid(), [0.8, 0.7], other=[0.8, 0.7, 0.6]),
            "estimates of 2 runs, but scores of the other classifier of 3",
        ),
        (lambda: replay(AnytimeValid(), [0.8, 0.7], other=[0.8, np.inf]), r"other must be finite, but other\[1\]"),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_refused_run_does_not_count() -> None:
    rule = AnytimeValid()

    with pytest.raises(ValueError, match="finite"):
        rule.update([0.8, np.nan])

    assert (rule.n_runs, rule.test.n_pairs) == (0, 0)
