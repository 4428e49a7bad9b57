"""The outcomes of datasets and what they make probable."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evalstats.bayes.sign import bayes_pairwise_sign_test, bayes_sign_test
from evalstats.distributions.dirichlet_process import largest_share_probabilities
from evalstats.examples import example_table
from evalstats.paired.sign import sign_test

X = np.array([0.91, 0.85, 0.73, 0.66, 0.95, 0.88, 0.70, 0.59])
Y = np.array([0.80, 0.71, 0.70, 0.66, 0.80, 0.79, 0.72, 0.51])
P = ("p_less", "p_rope", "p_greater")


def probabilities(result: object) -> list[float]:
    return [getattr(result, name) for name in P]


def test_one_dataset_by_hand() -> None:
    """One win and a prior worth one tie: two shares of a uniform distribution."""
    result = bayes_sign_test([0.9], [0.8])

    assert probabilities(result) == pytest.approx([0, 0.5, 0.5], rel=1e-14)
    assert (result.expected.less, result.expected.rope, result.expected.greater) == (0, 0.5, 0.5)
    assert result.standard_deviation.greater == pytest.approx(np.sqrt(1 / 12), rel=1e-14)
    assert result.reason is None


def test_without_prior_and_ties_it_is_a_tail_of_coin_tosses() -> None:
    """Of 7 wins and 2 losses: a loss is the likelier with the chance of 7 or 8 heads, the sign test of 7 to 1."""
    x, y = np.arange(9.0), np.array([-1, 0, 1, 2, 3, 4, 5, 8, 9])

    result = bayes_sign_test(x, y, prior_strength=0)

    assert (result.n_less, result.n_rope, result.n_greater) == (2, 0, 7)
    assert result.p_less == pytest.approx(9 / 256, rel=1e-12)
    assert result.p_less == pytest.approx(sign_test(x[:-1], y[:-1], alternative="greater").pvalue, rel=1e-12)


def test_probabilities_are_those_of_the_samples() -> None:
    result = bayes_sign_test(X, Y, rope=0.05, n_simulations=200_000, rng=0)
    largest = np.bincount(result.samples.argmax(axis=1), minlength=3) / 200_000

    assert result.samples.shape == (200_000, 3)
    assert probabilities(result) == pytest.approx(largest, abs=0.005)
    expected = [result.expected.less, result.expected.rope, result.expected.greater]
    assert expected == pytest.approx(result.samples.mean(axis=0), abs=0.002)
    sd = [result.standard_deviation.less, result.standard_deviation.rope, result.standard_deviation.greater]
    assert sd == pytest.approx(result.samples.std(axis=0), abs=0.002)


def test_difference_of_exactly_the_rope_is_inside() -> None:
    """0.3 - 0.2 is 0.09999999999999998 and 0.9 - 0.8 is too; 0.8 - 0.7 is more than 0.1."""
    result = bayes_sign_test([0.3, 0.8, 0.2], [0.2, 0.7, 0.3], rope=0.1)

    assert (result.n_less, result.n_rope, result.n_greater) == (0, 3, 0)


def test_place_of_the_prior_is_a_dataset_more() -> None:
    lost = bayes_sign_test(X, Y, prior_place="less")
    more = bayes_sign_test([*X, 0.0], [*Y, 1.0], prior_strength=0)

    assert probabilities(lost) == probabilities(more)


def test_swapping_x_and_y_mirrors_the_result() -> None:
    assert probabilities(bayes_sign_test(X, Y, rope=0.02)) == pytest.approx(
        probabilities(bayes_sign_test(Y, X, rope=0.02))[::-1], rel=1e-13
    )


@pytest.mark.parametrize("n", [1, 7])
@pytest.mark.parametrize("rope", [0, 0.1])
def test_identical_classifiers_are_equivalent(n: int, rope: float) -> None:
    result = bayes_sign_test(X[:n], X[:n], rope=rope)

    assert probabilities(result) == pytest.approx([0, 1, 0], abs=1e-14)
    assert result.reason == "x and y are equal in every pair"
    assert result.decision() == "rope"


def test_seed_decides_the_samples_and_nothing_else() -> None:
    one, same, other = (bayes_sign_test(X, Y, rng=seed, n_simulations=10) for seed in (1, 1, 2))

    np.testing.assert_array_equal(one.samples, same.samples)
    assert (one.samples != other.samples).any()
    assert probabilities(one) == probabilities(other)


def test_batch_is_its_members_and_pairs_are_a_batch() -> None:
    scores = example_table("japkowicz-accuracy").scores
    pairs = bayes_pairwise_sign_test(scores, rope=1, n_simulations=5)

    for i, j in np.ndindex(4, 4):
        one = bayes_sign_test(scores[:, i], scores[:, j], rope=1)
        assert [getattr(pairs, name)[i, j] for name in P] == probabilities(one)
        assert (pairs.n_less[i, j], pairs.reason[i, j]) == (one.n_less, one.reason)
    assert pairs.decision().shape == (4, 4)
    assert pairs.samples.shape == (4, 4, 5, 3)


def test_result_is_a_record() -> None:
    record = bayes_sign_test(X, Y, n_simulations=5).to_dict()

    assert json.loads(json.dumps(record))["expected"].keys() == {"less", "rope", "greater"}
    assert "samples" not in record


def test_parameters_are_the_counts() -> None:
    result = bayes_sign_test(X, Y, prior_strength=0.5)

    assert probabilities(result) == largest_share_probabilities(np.array([1, 1.5, 6])).tolist()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"rope": -1}, "rope must be nonnegative"),
        ({"prior_strength": -1}, "prior_strength must be one nonnegative number"),
        ({"prior_place": "left"}, "prior_place must be 'less' or 'rope' or 'greater', not 'left'"),
        ({"n_simulations": 0}, "n_simulations must be at least 1"),
        ({"rng": "a"}, "rng must be None, a seed or a numpy Generator"),
        ({"tie_tolerance": 0.3}, "tie_tolerance"),
    ],
)
def test_what_is_refused(choices: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        bayes_sign_test(X, Y, **choices)


@pytest.mark.parametrize(("x", "message"), [([1, 2], "must be paired"), ([np.nan, *X[1:]], "x must be finite")])
def test_bad_pairs_are_refused(x: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bayes_sign_test(x, Y)
