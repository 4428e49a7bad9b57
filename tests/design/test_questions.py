"""Variance between and within questions: by hand, by simulation, and what more of either buys."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import EvalstatsError, noninferiority_test
from evalstats.design import noninferiority_power, question_variance
from evalstats.design.questions import PilotVariance, pilot_variance

RNG = np.random.default_rng(6)
ANSWERS = [[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]]


def test_six_questions_by_hand() -> None:
    """Variances of samples 1/3, 0, 0, 1/3, 0, 1/3; means 2/3, 1, 0, 1/3, 1, 1/3, whose variance is 22/135 = .16296."""
    result = question_variance(ANSWERS)

    assert result.variance_within == pytest.approx(1 / 6)
    assert result.variance_between == pytest.approx(22 / 135 - 1 / 18)
    assert result.intraclass_correlation == pytest.approx(result.variance_between / (result.variance_between + 1 / 6))
    assert (result.n_questions, result.n_samples, result.reason) == (6, (3,), None)


def test_components_are_unbiased() -> None:
    ease = RNG.normal(0, 1, (4000, 30, 1))
    scores = ease + RNG.normal(0, 2, (4000, 30, 4))

    result = question_variance(scores)

    assert result.variance_within.mean() == pytest.approx(4, rel=0.02)
    # a negative estimate is 0, which moves the mean up a little
    assert result.variance_between.mean() == pytest.approx(1, rel=0.04)


def test_standard_error_is_that_of_new_questions() -> None:
    """The mean of 25 new questions with 2 samples each varies as much as is foretold."""
    foretold = question_variance(RNG.normal(0, 1, (3000, 1)) + RNG.normal(0, 2, (3000, 5))).standard_error(25, 2)

    means = (RNG.normal(0, 1, (4000, 25, 1)) + RNG.normal(0, 2, (4000, 25, 2))).mean(axis=(1, 2))

    assert foretold == pytest.approx(means.std(), rel=0.06)


def test_difference_of_two_models_has_what_they_do_not_share() -> None:
    shared = RNG.normal(0, 3, (5000, 1))
    x, y = shared + RNG.normal(0, 1, (5000, 3)), shared + RNG.normal(0, 2, (5000, 4))

    result = question_variance(x, y)

    assert result.n_samples == (3, 4)
    assert result.variance_within == pytest.approx(5, rel=0.05)
    assert result.variance_between == pytest.approx(0, abs=0.1)


def test_questions_needed_give_the_standard_error() -> None:
    result = question_variance(ANSWERS)

    for wanted in (0.3, 0.05, 0.011):
        n = result.questions_needed(wanted, n_samples=2)
        assert result.standard_error(n, 2) <= wanted * (1 + 1e-9)
        assert n == 2 or result.standard_error(n - 1, 2) > wanted


def test_best_number_of_samples_is_best() -> None:
    """Of all whole numbers of samples, those beside it give the smallest error for the same money."""
    result = question_variance(ANSWERS)
    best = result.best_n_samples(cost_of_question=20)

    errors = {m: (result.variance_between + result.variance_within / m) * (20 + m) for m in range(1, 40)}

    assert min(errors, key=errors.__getitem__) in (int(best), int(best) + 1)


def test_degenerate_answers_are_said() -> None:
    alike = question_variance(np.ones((4, 3)))
    noise = question_variance([[1, 0], [0, 1], [1, 0]])

    assert np.isnan(alike.intraclass_correlation)
    assert "all answers are equal" in alike.reason
    assert (noise.variance_between, noise.intraclass_correlation) == (0, 0)
    assert "estimated as 0" in noise.reason
    assert noise.best_n_samples(4) == np.inf


def test_batch_is_the_loop() -> None:
    x, y = RNG.random((3, 8, 2)), RNG.random((8, 4))

    batch = question_variance(x, y)

    for i in range(3):
        one = question_variance(x[i], y)
        assert (one.variance_between, one.variance_within) == (batch.variance_between[i], batch.variance_within[i])
        assert one.standard_error(10, 2) == batch.standard_error(10, 2)[i]


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([[1], [0]], None, "the two variances cannot be separated with one answer to each question"),
        ([[1, 0]], None, "x must have the shape"),
        ([1, 0], None, "x must have the shape"),
        ([[1, np.nan], [0, 1]], None, r"x\[0, 1\] is nan"),
        (np.ones((3, 2)), np.ones((4, 2)), "x has 3 and y has 4"),
        (np.ones((2, 3, 2)), np.ones((3, 3, 2)), "must broadcast"),
    ],
)
def test_bad_input_is_refused(x: object, y: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        question_variance(x, y)


def test_bad_choices_are_refused() -> None:
    result = question_variance(ANSWERS)

    with pytest.raises(ValueError, match="standard_error must be finite"):
        result.questions_needed(0)
    with pytest.raises(ValueError, match="cost_of_question must be finite and nonnegative"):
        result.best_n_samples(-1)
    with pytest.raises(ValueError, match="n_questions must be at least 1"):
        result.standard_error(0, 1)


# --- a pilot of two models --------------------------------------------------------------------------------------------


def pilot(x, y, benchmark=None, cluster=None):
    """Return the variances of the differences of answers of shape (n_questions, n_samples)."""
    models = x, y
    return pilot_variance(
        np.stack([model.mean(axis=1) for model in models], axis=1),
        np.stack([np.full(len(model), model.shape[1]) for model in models], axis=1),
        np.stack([model.var(axis=1) * model.shape[1] for model in models], axis=1),
        np.zeros(len(x), dtype=np.intp) if benchmark is None else benchmark,
        cluster,
    )


def test_pilot_of_independent_questions_is_question_variance():
    rng = np.random.default_rng(3)
    ease = rng.normal(size=(300, 1))
    x, y = (1.0 * (ease + rng.normal(size=(300, 1)) + rng.logistic(size=(300, m)) > 0) for m in (3, 5))

    found, expected = pilot(x, y), question_variance(x, y)

    assert found.between == pytest.approx(expected.variance_between, rel=1e-10)
    assert found.within == pytest.approx(expected.variance_within, rel=1e-10)
    assert found.known(4)["sd"] == pytest.approx(expected.standard_error(1, 4), rel=1e-10)
    assert (found.known()["cluster_size"], found.known()["intraclass_correlation"]) == (1, 0)


def test_pilot_finds_the_variances_it_was_made_from():
    """20,000 questions in clusters of 4: variances .09 between clusters, .16 between questions, .5 of answers."""
    rng = np.random.default_rng(4)
    benchmark = np.repeat([0, 1], 10_000)
    cluster = np.arange(20_000) // 4
    d = 0.3 * rng.normal(size=5000)[cluster] + 0.4 * rng.normal(size=20_000) + benchmark
    x = d[:, None] + np.sqrt(0.2) * rng.normal(size=(20_000, 2))
    y = np.sqrt(0.3) * rng.normal(size=(20_000, 3))

    found = pilot(x, y, benchmark, cluster)

    assert (found.between, found.within, found.of_clusters) == pytest.approx((0.25, 0.5, 0.09), abs=0.012)
    known = found.known(5)
    assert known["sd"] ** 2 == pytest.approx(0.35, abs=0.015)
    assert known["intraclass_correlation"] == pytest.approx(0.09 / 0.35, abs=0.04)
    assert known["cluster_size"] == 4


def test_plan_from_a_pilot_has_the_power_of_more_questions():
    """4,000 experiments of 200 questions from the model of the pilot, by the public test."""
    rng = np.random.default_rng(5)
    cluster = np.arange(200) // 4
    d = 0.3 * rng.normal(size=(4000, 50))[:, cluster] + 0.4 * rng.normal(size=(4000, 200))
    x = d + np.sqrt(0.5 / 5) * rng.normal(size=d.shape)
    found = noninferiority_test(x, np.zeros(200), margin=0.15, test="clustered-t", clusters=cluster)

    known = PilotVariance(0.25, 0.5, 0.09, 4.0).known(5)

    assert noninferiority_power("clustered-t", n=200, margin=0.15, **known).power == pytest.approx(
        np.mean(found.pvalue <= 0.05), abs=4 * np.sqrt(0.25 / 4000)
    )


def test_pilot_of_one_answer_each_cannot_tell_answers_apart():
    rng = np.random.default_rng(6)
    found = pilot(*(rng.integers(0, 2, (50, 1)) * 1.0 for _ in range(2)))

    assert found.within is None
    assert found.known()["sd"] > 0
    with pytest.raises(EvalstatsError, match="n_samples requires a pilot study with two or more answers"):
        found.known(2)


@pytest.mark.parametrize(
    ("x", "cluster", "message"),
    [
        (np.ones((9, 1)), None, "must differ on at least one question"),
        (np.ones((1, 1)), None, "two or more questions"),
        (np.arange(6.0)[:, None], np.arange(6), "two or more clusters"),
        (np.arange(6.0)[:, None], np.zeros(6, dtype=int), "two or more clusters"),
    ],
)
def test_pilots_that_tell_too_little_are_refused(x, cluster, message):
    with pytest.raises(EvalstatsError, match=message):
        pilot(x, np.zeros((len(x), 1)), cluster=cluster).known()
