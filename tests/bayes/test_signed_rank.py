"""The posterior of the signed-rank statistic."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evalstats.bayes.signed_rank import bayes_pairwise_signed_rank_test, bayes_signed_rank_test
from evalstats.distributions.dirichlet_process import DirichletProcess
from evalstats.examples import example_table

X = np.array([0.91, 0.85, 0.73, 0.66, 0.95, 0.88, 0.70, 0.59])
Y = np.array([0.80, 0.71, 0.70, 0.66, 0.80, 0.79, 0.72, 0.51])
P = ("p_less", "p_rope", "p_greater")


def probabilities(result: object) -> list[float]:
    return [getattr(result, name) for name in P]


def expected(result: object) -> list[float]:
    return [getattr(result.expected, name) for name in ("less", "rope", "greater")]


def test_one_dataset_by_hand() -> None:
    """One win with weight w: the rope has (1 - w)^2, and w ~ Beta(1, 1/2) exceeds 1 - 1/sqrt(2) with 2^(-1/4)."""
    result = bayes_signed_rank_test([0.9], [0.8], n_simulations=200_000, rng=0)

    assert expected(result) == pytest.approx([0, 0.2, 0.8], rel=1e-12)
    assert probabilities(result) == pytest.approx([0, 1 - 2**-0.25, 2**-0.25], abs=4 * result.standard_error.greater)


def test_shares_are_the_double_sums_of_the_definition() -> None:
    """Each row of the samples from weights that numpy's own Dirichlet distribution draws."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.8, 0.05, (2, 100))
    weights = np.random.default_rng(7).dirichlet([0.5, *np.ones(100)], 40)
    z = np.concatenate([[0], x - y])
    sums = z[:, None] + z
    for rope in (0.0, 0.01, 0.04):
        greater = np.einsum("si,sj,ij->s", weights, weights, sums > 2 * rope)
        less = np.einsum("si,sj,ij->s", weights, weights, sums < -2 * rope)

        shares = DirichletProcess(x - y, rope, 0.0, "rope", is_rounded=True).shares(weights.T)

        np.testing.assert_allclose(shares, [less, 1 - less - greater, greater], rtol=0, atol=1e-12)


def test_probabilities_are_counted_in_the_samples() -> None:
    result = bayes_signed_rank_test(X, Y, rope=0.05, n_simulations=5000, rng=3)
    samples = result.samples

    assert samples.shape == (5000, 3)
    assert samples.sum(axis=1) == pytest.approx(np.ones(5000), abs=1e-14)
    assert probabilities(result) == (np.bincount(samples.argmax(axis=1), minlength=3) / 5000).tolist()
    assert expected(result) == pytest.approx(samples.mean(axis=0), abs=0.01)


def test_standard_error_is_that_of_a_count() -> None:
    runs = [bayes_signed_rank_test(X, Y, rope=0.05, n_simulations=400, rng=seed) for seed in range(200)]

    spread = np.std([run.p_rope for run in runs])

    assert spread == pytest.approx(np.mean([run.standard_error.rope for run in runs]), rel=0.2)


def test_split_ties_leave_nothing_to_a_rope_of_0() -> None:
    result = bayes_signed_rank_test(X, Y, ties="split", n_simulations=2000, rng=1)

    assert result.p_rope == 0
    assert result.samples[:, 1].max() < 1e-15


def test_swapping_x_and_y_mirrors_the_result() -> None:
    """The same seed gives each dataset the same weights."""
    here, there = (bayes_signed_rank_test(a, b, rope=0.03, n_simulations=3000, rng=1) for a, b in ((X, Y), (Y, X)))

    assert probabilities(here) == probabilities(there)[::-1]
    assert expected(here) == pytest.approx(expected(there)[::-1], rel=1e-13)


def test_scale_does_not_matter() -> None:
    here = bayes_signed_rank_test(X, Y, rope=0.03, n_simulations=3000, rng=1)
    percent = bayes_signed_rank_test(100 * X, 100 * Y, rope=3, n_simulations=3000, rng=1)

    assert probabilities(here) == probabilities(percent)


@pytest.mark.parametrize("n", [1, 7])
@pytest.mark.parametrize("rope", [0, 0.1])
def test_identical_classifiers_are_equivalent(n: int, rope: float) -> None:
    result = bayes_signed_rank_test(X[:n], X[:n], rope=rope, n_simulations=1000)

    assert probabilities(result) == [0, 1, 0]
    assert result.reason == "x and y are equal in every pair"
    assert result.decision() == "rope"


def test_identical_classifiers_with_split_ties_are_no_better_than_each_other() -> None:
    result = bayes_signed_rank_test(X, X, ties="split", n_simulations=1000, rng=0)

    assert probabilities(result) == [0.5, 0, 0.5]


def test_place_of_the_prior_moves_the_result() -> None:
    less, rope, greater = (
        expected(bayes_signed_rank_test(X, Y, rope=0.05, prior_place=place, n_simulations=10))
        for place in ("less", "rope", "greater")
    )

    assert less[0] > rope[0]
    assert greater[2] > rope[2]


def test_result_depends_on_the_seed_only() -> None:
    np.random.seed(0)  # noqa: NPY002 - the global state must not matter
    one = bayes_signed_rank_test(X, Y, rope=0.05, n_simulations=2000, rng=1)
    np.random.seed(1)  # noqa: NPY002 - as above
    same = bayes_signed_rank_test(X, Y, rope=0.05, n_simulations=2000, rng=1)
    other = bayes_signed_rank_test(X, Y, rope=0.05, n_simulations=2000, rng=2)

    assert probabilities(one) == probabilities(same) != probabilities(other)


def test_batch_is_its_members_with_the_same_seed() -> None:
    rng = np.random.default_rng(0)
    x, y = np.round(rng.random((2, 2, 3, 6)), 1)
    x[0, 1] = y[0, 1]
    batch = bayes_signed_rank_test(x, y, rope=0.1, n_simulations=5000, rng=4)

    for at in np.ndindex(2, 3):
        one = bayes_signed_rank_test(x[at], y[at], rope=0.1, n_simulations=5000, rng=4)
        assert [getattr(batch, name)[at] for name in P] == probabilities(one)
        assert (batch.reason[at], batch.expected.rope[at]) == (one.reason, one.expected.rope)
        np.testing.assert_array_equal(batch.samples[at], one.samples)


@pytest.mark.parametrize("place", ["rope", "less"])
def test_all_pairs_are_the_loop_with_the_same_seed(place: str) -> None:
    scores = example_table("japkowicz-accuracy").scores
    pairs = bayes_pairwise_signed_rank_test(scores, rope=1, prior_place=place, n_simulations=2000, rng=5)

    for i, j in np.ndindex(4, 4):
        one = bayes_signed_rank_test(scores[:, i], scores[:, j], rope=1, prior_place=place, n_simulations=2000, rng=5)
        assert [getattr(pairs, name)[i, j] for name in P] == probabilities(one)
        assert pairs.expected.less[i, j] == pytest.approx(one.expected.less, abs=1e-15)
        assert pairs.reason[i, j] == one.reason


def test_result_is_a_record() -> None:
    record = bayes_signed_rank_test(X, Y, n_simulations=10).to_dict()

    assert json.loads(json.dumps(record))["standard_error"].keys() == {"less", "rope", "greater"}


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"rope": -1}, "rope must be nonnegative"),
        ({"prior_strength": -1}, "prior_strength must be"),
        ({"prior_place": "left"}, "prior_place must be"),
        ({"ties": "drop"}, "ties must be 'rope' or 'split', not 'drop'"),
        ({"n_simulations": 0}, "n_simulations must be at least 1"),
    ],
)
def test_what_is_refused(choices: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        bayes_signed_rank_test(X, Y, **choices)


def test_bad_scores_are_refused() -> None:
    with pytest.raises(ValueError, match=r"scores must be finite, but scores\[0, 1\] is nan"):
        bayes_pairwise_signed_rank_test([[1, np.nan], [2, 3]])
