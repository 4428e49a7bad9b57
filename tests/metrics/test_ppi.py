"""A judge that is corrected by people: the numbers of the paper, its laws, its coverage, and what has no answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalstats._errors import InvalidValueError
from evalstats.metrics import clustered_mean, ppi_mean, ppi_score

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
    result = ppi_mean(HUMAN, JUDGE, judge_weight=weight)

    own = None if weight == "optimal" else weight
    expected = by_the_paper(TRUTH[:N_LABELLED], JUDGE[:N_LABELLED], JUDGE[N_LABELLED:], own)
    assert (result.estimate, result.standard_error, result.judge_weight) == pytest.approx(expected, rel=1e-12)


def test_four_labels_by_hand() -> None:
    """Labels 1 0 1 0, judge 1 1 1 0 | 1 1 0 0, weight 1: .5 - .25; variances .25 / 4 and (1/3) / 4."""
    result = ppi_mean([1, 0, 1, 0, NAN, NAN, NAN, NAN], [1, 1, 1, 0, 1, 1, 0, 0], judge_weight=1)

    assert result.estimate == 0.25
    assert result.standard_error == pytest.approx(math.sqrt(0.25 / 4 + 1 / 12), rel=1e-15)
    assert (result.n_labeled, result.n_corrected, result.judge_mean) == (4, 1, 0.625)


def test_without_the_judge_it_is_the_mean_of_the_labels() -> None:
    result, labels = ppi_mean(HUMAN, JUDGE, judge_weight=0), clustered_mean(TRUTH[:N_LABELLED])

    assert (result.estimate, result.standard_error) == pytest.approx(
        (labels.estimate, labels.standard_error), rel=1e-14
    )
    assert result.human_standard_error == result.standard_error
    assert result.effective_labels == pytest.approx(N_LABELLED)


def test_interval_of_labels_alone_is_that_of_agresti_and_coull() -> None:
    """Two successes and two failures more, with t and n - 1: 18 + 2 of 20 + 4."""
    human = [1] * 18 + [0] * 2 + [NAN] * 5
    share = 20 / 24

    result = ppi_mean(human, [1, 0] * 12 + [1], judge_weight=0)

    margin = stats.t(23).ppf(0.975) * math.sqrt(share * (1 - share) / 23)
    assert result.df == 23
    assert tuple(result.confidence_interval()) == pytest.approx((share - margin, share + margin), rel=1e-12)


@pytest.mark.parametrize("weight", ["optimal", 0.4])
def test_interval_is_the_one_with_cases_at_the_corners(weight: Any) -> None:
    """Literally, for grades from 1 to 5: a quarter of a case at (1, 1), (1, 5), (5, 1) and (5, 5)."""
    rng = np.random.default_rng(2)
    human, judge = np.clip(rng.integers(1, 6, (1, 30)) + rng.integers(-1, 2, (2, 30)), 1, 5).astype(float)
    result = ppi_mean(np.where(np.arange(30) < 12, human, NAN), judge, judge_weight=weight)
    w, is_estimated = result.judge_weight, weight == "optimal"

    d = np.append(human[:12] - w * judge[:12], [1 - w, 1 - 5 * w, 5 - w, 5 - 5 * w])
    counts = np.append(np.ones(12), np.full(4, 0.25))
    mean = np.average(d, weights=counts)
    freedom = 13 - 1 - is_estimated, 17
    of_parts = (counts * (d - mean) ** 2).sum() / freedom[0] / 13, w**2 * judge[12:].var(ddof=1) / 18
    df = sum(of_parts) ** 2 / sum(part**2 / own for part, own in zip(of_parts, freedom, strict=True))
    center, margin = mean + w * judge[12:].mean(), stats.t(df).ppf(0.975) * math.sqrt(sum(of_parts))
    assert result.df == pytest.approx(df, rel=1e-12)
    assert tuple(result.confidence_interval()) == pytest.approx((center - margin, center + margin), rel=1e-12)


def test_interval_of_scores_that_do_not_repeat_has_no_further_cases() -> None:
    human, judge = RNG.standard_normal((2, 50))
    result = ppi_mean(np.where(np.arange(50) < 20, human, NAN), judge, judge_weight=0)

    expected = stats.ttest_1samp(human[:20], 0).confidence_interval(0.95)
    assert tuple(result.confidence_interval()) == pytest.approx(tuple(expected), rel=1e-12)


@pytest.mark.parametrize("n", [5, 10, 20, 50])
@pytest.mark.parametrize(("share", "right"), [(0.5, 0.5), (0.8, 0.9), (0.95, 0.9), (0.95, 1.0), (0.6, 0.98)])
@pytest.mark.long
def test_interval_of_few_labels_covers(n: int, share: float, right: float) -> None:
    """1000 samples; the standard error of a coverage of .95 is .007. The interval of the authors held .04 to .96."""
    rng = np.random.default_rng([n, int(100 * right)])
    truth = rng.random((1000, 5 * n)) < share
    judge = np.where(rng.random(truth.shape) < right, truth, ~truth)
    low, high = ppi_mean(np.where(np.arange(5 * n) < n, truth, NAN), judge).confidence_interval()

    is_withheld = (truth[:, :n].all(axis=1) & judge.all(axis=1)).mean()  # one value: nobody knows of another
    assert ((low <= share) & (share <= high)).mean() + is_withheld >= 0.925


def test_with_two_labels_no_weight_is_estimated() -> None:
    result = ppi_mean([0.3, 0.9, NAN, NAN, NAN], [0.2, 0.8, 0.1, 0.6, 0.7])

    assert (result.judge_weight, result.estimate) == (0, pytest.approx(0.6))


def test_where_every_case_is_labeled_nobody_needs_a_judge() -> None:
    result = ppi_mean(TRUTH, JUDGE)

    assert (result.estimate, result.judge_weight) == (TRUTH.mean(), 0)
    assert result.standard_error == pytest.approx(clustered_mean(TRUTH).standard_error, rel=1e-14)


def test_optimal_weight_has_nearly_the_smallest_standard_error() -> None:
    errors = [ppi_mean(HUMAN, JUDGE, judge_weight=w / 100).standard_error for w in range(101)]

    assert ppi_mean(HUMAN, JUDGE).standard_error == pytest.approx(min(errors), rel=1e-3)


def test_groups_that_are_labeled_or_not_as_a_whole_are_clustered_means() -> None:
    """The two parts are independent then, and each has the variance of clustered_mean."""
    groups = np.arange(TRUTH.size) // 4
    result = ppi_mean(HUMAN, JUDGE, clusters=groups, judge_weight=0.7)

    rectifier = clustered_mean((TRUTH - 0.7 * JUDGE)[:N_LABELLED], clusters=groups[:N_LABELLED])
    imputed = clustered_mean(0.7 * JUDGE[N_LABELLED:], clusters=groups[N_LABELLED:])
    assert result.estimate == pytest.approx(rectifier.estimate + imputed.estimate, rel=1e-13)
    assert result.standard_error == pytest.approx(math.hypot(rectifier.standard_error, imputed.standard_error))
    assert 9 <= result.df <= 9 + 39


def test_copies_of_each_case_add_nothing() -> None:
    once = ppi_mean(HUMAN, JUDGE)
    copied = ppi_mean(np.repeat(HUMAN, 3), np.repeat(JUDGE, 3), clusters=np.repeat(np.arange(TRUTH.size), 3))

    for name in ("estimate", "standard_error", "df", "judge_weight"):
        assert getattr(copied, name) == pytest.approx(getattr(once, name), rel=1e-12)


def test_batch_is_the_loop_and_order_does_not_matter() -> None:
    labels, judges = np.stack([HUMAN, HUMAN[::-1]]), RNG.random((3, 1, TRUTH.size))
    groups, order = RNG.integers(0, 30, TRUTH.size), RNG.permutation(TRUTH.size)

    batch = ppi_mean(labels, judges, clusters=groups)
    shuffled = ppi_mean(labels[..., order], judges[..., order], clusters=groups[order])

    for at in np.ndindex(3, 2):
        one = ppi_mean(labels[at[1]], judges[at[0], 0], clusters=groups)
        assert batch.estimate[at] == pytest.approx(one.estimate, rel=1e-12)
        assert batch.standard_error[at] == pytest.approx(one.standard_error, rel=1e-12)
    np.testing.assert_allclose(shuffled.estimate, batch.estimate, rtol=1e-12)
    np.testing.assert_allclose(shuffled.df, batch.df, rtol=1e-9)


def test_scale_and_origin_of_scores_do_not_matter() -> None:
    result, moved = ppi_mean(HUMAN, JUDGE), ppi_mean(5 * HUMAN + 2, 5 * JUDGE + 2)

    assert moved.estimate == pytest.approx(5 * result.estimate + 2)
    assert moved.standard_error == pytest.approx(5 * result.standard_error)
    assert moved.judge_weight == pytest.approx(result.judge_weight)


def test_a_judge_that_turns_everything_round_counts_nothing() -> None:
    result = ppi_mean(HUMAN, 1 - TRUTH)

    assert result.judge_weight == 0


@pytest.mark.long
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

    result = ppi_mean(human, judge, clusters=groups)
    limits = result.confidence_interval()

    covered = ((limits.low <= 0.6) & (limits.high >= 0.6)).mean()
    assert 0.93 <= covered <= (0.985 if in_groups else 0.975)  # of few groups it is cautious
    assert result.standard_error.mean() < result.human_standard_error.mean()
    assert abs(judge.mean() - 0.6) > 0.005  # which no number of cases would mend


def test_one_labeled_group_has_no_standard_error() -> None:
    result = ppi_mean([1, NAN, NAN, NAN], [1, 0, 1, 1])

    assert math.isnan(result.standard_error)
    assert math.isnan(result.confidence_interval().low)
    assert "single cluster" in result.reason


def test_without_variance_the_standard_error_says_nothing() -> None:
    result = ppi_mean([1, 1, 1, NAN, NAN], [1, 1, 1, 1, 1])

    assert (result.estimate, result.standard_error) == (1, 0)
    assert math.isnan(result.confidence_interval().high)
    assert "not informative" in result.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([NAN, NAN], [1, 0]),
            "human must have a label for at least one instance, and nan for the others, but all are nan",
        ),
        (([1, NAN], [1, NAN]), r"judge must be finite, but judge\[1\] is nan"),
        (([1, math.inf, NAN], [1, 0, 1]), r"human must be finite, but human\[1\] is inf"),
        (([1, NAN, 0], [1, 0]), "must be paired"),
    ],
)
def test_messages(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ppi_mean(*arguments)


@pytest.mark.parametrize("weight", ["best", -0.1, 1.1, NAN, None])
def test_messages_of_the_weight(weight: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="judge_weight must be"):
        ppi_mean(HUMAN, JUDGE, judge_weight=weight)


# --- F1 and AUC -------------------------------------------------------------------------------------------------------


def judged_predictions(rng, n_labeled, n, good=0.9):
    """Return human labels of some, labels of the judge, and scores of a classifier."""
    true = (rng.random(n) < 0.3) * 1.0
    judge = np.where(rng.random(n) < good, true, 1 - true)
    return np.where(np.arange(n) < n_labeled, true, np.nan), judge, true + rng.standard_normal(n)


@pytest.mark.parametrize("metric", ["f1", "roc_auc"])
def test_score_of_the_labels_alone_is_that_of_scikit_learn(metric: str) -> None:
    from sklearn import metrics as sk

    human, judge, score = judged_predictions(np.random.default_rng(1), 80, 300)
    score = np.round(score, 1)
    prediction, of = ((score > 0.8) * 1.0, sk.f1_score) if metric == "f1" else (score, sk.roc_auc_score)

    result = ppi_score(human, judge, prediction, metric=metric, judge_weight=0)

    assert result.estimate == pytest.approx(of(human[:80], prediction[:80]), rel=1e-12)
    assert result.human_score == result.estimate
    assert result.judge_score == pytest.approx(of(judge, prediction), rel=1e-12)
    assert (result.n_labeled, result.n_unlabeled) == (80, 220)


@pytest.mark.parametrize("metric", ["f1", "roc_auc"])
def test_perfect_judge_pools_all_instances(metric: str) -> None:
    """With the weight 1 and a judge that equals the humans, only the unlabeled instances are left."""
    from sklearn import metrics as sk

    human, judge, score = judged_predictions(np.random.default_rng(2), 500, 2000, good=1.0)
    prediction, of = ((score > 0.8) * 1.0, sk.f1_score) if metric == "f1" else (score, sk.roc_auc_score)

    result = ppi_score(human, judge, prediction, metric=metric, judge_weight=1)

    assert result.estimate == pytest.approx(of(judge[500:], prediction[500:]), rel=1e-12)
    best = ppi_score(human, judge, prediction, metric=metric)
    assert best.judge_weight == pytest.approx(1 / (1 + 500 / 1500), abs=0.15)
    assert best.standard_error < ppi_score(human, judge, prediction, metric=metric, judge_weight=0).standard_error


@pytest.mark.parametrize("metric", ["f1", "roc_auc"])
def test_error_is_that_of_the_jackknife(metric: str) -> None:
    """Leave out one instance after the other, of the labeled and of the others."""
    human, judge, score = judged_predictions(np.random.default_rng(3), 150, 600)
    prediction = (score > 0.8) * 1.0 if metric == "f1" else score
    variance = 0.0
    for part in (np.arange(150), np.arange(150, 600)):
        left = [
            ppi_score(*(np.delete(a, i) for a in (human, judge, prediction)), metric=metric, judge_weight=0.6).estimate
            for i in part
        ]
        variance += (len(part) - 1) * np.var(left)

    found = ppi_score(human, judge, prediction, metric=metric, judge_weight=0.6)

    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=0.03)


@pytest.mark.parametrize("metric", ["f1", "roc_auc"])
@pytest.mark.long
def test_interval_covers_the_score(metric: str) -> None:
    rng = np.random.default_rng(4)
    _, _, score = judged_predictions(rng, 0, 10)
    true = (rng.random(300_000) < 0.3) * 1.0
    score = true + rng.standard_normal(300_000)
    everyone = ppi_score(true, true, (score > 0.8) * 1.0 if metric == "f1" else score, metric=metric).estimate
    n_covered = 0
    for _ in range(400):
        human, judge, score = judged_predictions(rng, 100, 800)
        found = ppi_score(human, judge, (score > 0.8) * 1.0 if metric == "f1" else score, metric=metric)
        low, high = found.confidence_interval()
        n_covered += low <= everyone <= high

    assert 0.91 < n_covered / 400 < 0.985


def test_degenerate_scores_have_a_reason() -> None:
    nan = np.nan
    one = ppi_score([1, 0, 0, nan, nan], [1, 0, 0, 1, 0], [0.9, 0.1, 0.2, 0.8, 0.1], metric="roc_auc")

    assert np.isnan(one.standard_error)
    assert "do not have enough positive and negative labels" in one.reason
    assert np.isnan(tuple(one.confidence_interval())).all()


@pytest.mark.parametrize(
    ("human", "judge", "prediction", "options", "message"),
    [
        ([1, 0], [1, 0], [1], {}, "prediction and human must have the same shape"),
        ([1, 2], [1, 0], [1, 0], {}, "human must hold 1 for positive and 0 for negative"),
        ([1, 0], [1, 0.5], [1, 0], {}, "judge must hold 1 for positive"),
        ([1, 0], [1, 0], [0.3, 0.2], {}, "prediction must hold 1 for positive"),
        ([1, 1], [1, 0], [0.3, 0.2], {"metric": "roc_auc"}, "human must have both classes"),
        ([0, 0], [1, 0], [0, 0], {}, "must be positive for at least one labeled instance"),
        ([1, 0], [1, 0], [1, 0], {"metric": "recall"}, "metric must be 'f1' or 'roc_auc'"),
    ],
)
def test_wrong_scores_are_named(human, judge, prediction, options, message) -> None:
    with pytest.raises(InvalidValueError, match=message):
        ppi_score(human, judge, prediction, **options)
