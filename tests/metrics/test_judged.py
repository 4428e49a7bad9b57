"""A judge that is corrected by people: the numbers of the paper, its laws, its coverage, and what has no answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from evalstats.metrics import clustered_mean, judged_mean

RNG = np.random.default_rng(14)
NAN = math.nan
N_LABELLED, N_OTHER = 40, 160
TRUTH = (RNG.random(N_LABELLED + N_OTHER) < 0.6).astype(float)
JUDGE = np.where(RNG.random(TRUTH.size) < 0.8, TRUTH, 1 - TRUTH)
HUMAN = np.where(np.arange(TRUTH.size) < N_LABELLED, TRUTH, NAN)


def by_the_paper(y: Any, f: Any, others: Any, weight: float | None) -> tuple[float, float, float]:
    """PPI++ (Angelopoulos, Duchi & Zrnic 2023, example 6.1): estimate, standard error and lambda, literally.

    As in ppi_py.ppi_mean_ci, but for n - 1 in the place of n in the covariance and the variances.
    """
    n, n_others = len(y), len(others)
    if weight is None:
        covariance = np.cov(y, f)[0, 1]
        weight = float(np.clip(covariance / ((1 + n / n_others) * np.var([*f, *others], ddof=1)), 0, 1))
    estimate = np.mean(weight * others) + np.mean(y - weight * f)
    variance = np.var(y - weight * f, ddof=1) / n + np.var(weight * others, ddof=1) / n_others
    return float(estimate), math.sqrt(variance), weight


@pytest.mark.parametrize("weight", ["optimal", 0, 0.3, 1])
def test_numbers_are_those_of_the_paper(weight: Any) -> None:
    result = judged_mean(HUMAN, JUDGE, judge_weight=weight)

    own = None if weight == "optimal" else weight
    expected = by_the_paper(TRUTH[:N_LABELLED], JUDGE[:N_LABELLED], JUDGE[N_LABELLED:], own)
    assert (result.estimate, result.standard_error, result.judge_weight) == pytest.approx(expected, rel=1e-12)


def test_four_labels_by_hand() -> None:
    """Labels 1 0 1 0, judge 1 1 1 0 | 1 1 0 0, weight 1: .5 - .25; variances .25 / 4 and (1/3) / 4."""
    result = judged_mean([1, 0, 1, 0, NAN, NAN, NAN, NAN], [1, 1, 1, 0, 1, 1, 0, 0], judge_weight=1)

    assert result.estimate == 0.25
    assert result.standard_error == pytest.approx(math.sqrt(0.25 / 4 + 1 / 12), rel=1e-15)
    assert (result.n_labelled, result.n_corrected, result.mean_of_judge) == (4, 1, 0.625)


def test_without_the_judge_it_is_the_mean_of_the_labels() -> None:
    result, labels = judged_mean(HUMAN, JUDGE, judge_weight=0), clustered_mean(TRUTH[:N_LABELLED])

    assert (result.estimate, result.standard_error, result.df) == pytest.approx(
        (labels.estimate, labels.standard_error, N_LABELLED - 1), rel=1e-14
    )
    assert result.human_standard_error == result.standard_error
    assert result.effective_labels == pytest.approx(N_LABELLED)


def test_where_every_case_is_labelled_nobody_needs_a_judge() -> None:
    result = judged_mean(TRUTH, JUDGE)

    assert (result.estimate, result.judge_weight) == (TRUTH.mean(), 0)
    assert result.standard_error == pytest.approx(clustered_mean(TRUTH).standard_error, rel=1e-14)


def test_optimal_weight_has_nearly_the_smallest_standard_error() -> None:
    errors = [judged_mean(HUMAN, JUDGE, judge_weight=w / 100).standard_error for w in range(101)]

    assert judged_mean(HUMAN, JUDGE).standard_error == pytest.approx(min(errors), rel=1e-3)


def test_groups_that_are_labelled_or_not_as_a_whole_are_clustered_means() -> None:
    """The two parts are independent then, and each has the variance of clustered_mean."""
    groups = np.arange(TRUTH.size) // 4
    result = judged_mean(HUMAN, JUDGE, groups=groups, judge_weight=0.7)

    rectifier = clustered_mean((TRUTH - 0.7 * JUDGE)[:N_LABELLED], groups=groups[:N_LABELLED])
    imputed = clustered_mean(0.7 * JUDGE[N_LABELLED:], groups=groups[N_LABELLED:])
    assert result.estimate == pytest.approx(rectifier.estimate + imputed.estimate, rel=1e-13)
    assert result.standard_error == pytest.approx(math.hypot(rectifier.standard_error, imputed.standard_error))
    assert 9 <= result.df <= 9 + 39


def test_copies_of_each_case_add_nothing() -> None:
    once = judged_mean(HUMAN, JUDGE)
    copied = judged_mean(np.repeat(HUMAN, 3), np.repeat(JUDGE, 3), groups=np.repeat(np.arange(TRUTH.size), 3))

    for name in ("estimate", "standard_error", "df", "judge_weight"):
        assert getattr(copied, name) == pytest.approx(getattr(once, name), rel=1e-12)


def test_batch_is_the_loop_and_order_does_not_matter() -> None:
    labels, judges = np.stack([HUMAN, HUMAN[::-1]]), RNG.random((3, 1, TRUTH.size))
    groups, order = RNG.integers(0, 30, TRUTH.size), RNG.permutation(TRUTH.size)

    batch = judged_mean(labels, judges, groups=groups)
    shuffled = judged_mean(labels[..., order], judges[..., order], groups=groups[order])

    for at in np.ndindex(3, 2):
        one = judged_mean(labels[at[1]], judges[at[0], 0], groups=groups)
        assert batch.estimate[at] == pytest.approx(one.estimate, rel=1e-12)
        assert batch.standard_error[at] == pytest.approx(one.standard_error, rel=1e-12)
    np.testing.assert_allclose(shuffled.estimate, batch.estimate, rtol=1e-12)
    np.testing.assert_allclose(shuffled.df, batch.df, rtol=1e-9)


def test_scale_and_origin_of_scores_do_not_matter() -> None:
    result, moved = judged_mean(HUMAN, JUDGE), judged_mean(5 * HUMAN + 2, 5 * JUDGE + 2)

    assert moved.estimate == pytest.approx(5 * result.estimate + 2)
    assert moved.standard_error == pytest.approx(5 * result.standard_error)
    assert moved.judge_weight == pytest.approx(result.judge_weight)


def test_a_judge_that_turns_everything_round_counts_nothing() -> None:
    result = judged_mean(HUMAN, 1 - TRUTH)

    assert result.judge_weight == 0


@pytest.mark.parametrize(("n", "right"), [(50, 0.7), (200, 0.9)])
@pytest.mark.parametrize("in_groups", [False, True])
def test_interval_covers_and_is_shorter_than_that_of_the_labels(n: int, right: float, in_groups: bool) -> None:
    """2000 samples; the standard error of a coverage of .95 is .005."""
    rng, runs, cases = np.random.default_rng(n), 2000, 1000
    groups = np.arange(cases) // 4 if in_groups else np.arange(cases)
    chance = rng.beta(3, 2, (runs, groups.max() + 1)) if in_groups else np.full((runs, cases), 0.6)
    truth = rng.random((runs, cases)) < chance[:, groups]
    judge = np.where(rng.random(truth.shape) < right, truth, ~truth).astype(float)
    human = np.where(np.arange(cases) < n, truth, NAN)

    result = judged_mean(human, judge, groups=groups)
    limits = result.confidence_interval()

    covered = ((limits.low <= 0.6) & (limits.high >= 0.6)).mean()
    assert 0.93 <= covered <= 0.97
    assert result.standard_error.mean() < result.human_standard_error.mean()
    assert abs(judge.mean() - 0.6) > 0.005  # which no number of cases would mend


def test_one_labelled_group_has_no_standard_error() -> None:
    result = judged_mean([1, NAN, NAN, NAN], [1, 0, 1, 1])

    assert math.isnan(result.standard_error)
    assert math.isnan(result.confidence_interval().low)
    assert "single group" in result.reason


def test_without_variance_the_standard_error_says_nothing() -> None:
    result = judged_mean([1, 1, 1, NAN, NAN], [1, 1, 1, 1, 1])

    assert (result.estimate, result.standard_error) == (1, 0)
    assert math.isnan(result.confidence_interval().high)
    assert "says nothing" in result.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([NAN, NAN], [1, 0]), "human must have a label for some case, and nan for the others, but all are nan"),
        (([1, NAN], [1, NAN]), r"judge must be finite, but judge\[1\] is nan"),
        (([1, math.inf, NAN], [1, 0, 1]), r"human must be finite, but human\[1\] is inf"),
        (([1, NAN, 0], [1, 0]), "must be paired"),
    ],
)
def test_messages(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        judged_mean(*arguments)


@pytest.mark.parametrize("weight", ["best", -0.1, 1.1, NAN, None])
def test_messages_of_the_weight(weight: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="judge_weight must be"):
        judged_mean(HUMAN, JUDGE, judge_weight=weight)
