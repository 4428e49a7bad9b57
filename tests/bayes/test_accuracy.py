from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.integrate import trapezoid

from evalstats import InvalidTypeError, InvalidValueError
from evalstats.bayes import bayes_accuracy_test, proportion_posterior

X = np.array([1, 1, 1, 1, 1, 1, 1, 1, 0, 0], dtype=bool)
Y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 1], dtype=bool)


def test_three_cases_by_hand() -> None:
    """Two of three only x is correct in, none only y: p / (p + q) is Beta(3, 1), and above 1/2 with 1 - 1/8."""
    result = bayes_accuracy_test([True, True, True], [False, False, True])

    assert result.p_greater == pytest.approx(7 / 8, rel=1e-15)
    assert result.p_less == pytest.approx(1 / 8, rel=1e-15)
    assert result.p_rope == 0
    assert result.mean == pytest.approx((3 - 1) / 7, rel=1e-15)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("rope", [0.0, 0.05, 0.3])
def test_probabilities_are_shares_of_draws(paired: bool, rope: float) -> None:
    """400,000 draws of the Dirichlet distribution, or of the two betas, leave an error of 0.0008 or less."""
    generator = np.random.default_rng(1)
    if paired:
        table = np.array([3, 5, 1, 1])
        shares = generator.dirichlet(table + 0.5, 400_000)
        d = shares[:, 1] - shares[:, 2]
    else:
        d = generator.beta(8.5, 2.5, 400_000) - generator.beta(4.5, 6.5, 400_000)

    result = bayes_accuracy_test(X, Y, rope=rope, prior_count=0.5, paired=paired)

    assert result.p_greater == pytest.approx(np.mean(d > rope), abs=0.004)
    assert result.p_less == pytest.approx(np.mean(d < -rope), abs=0.004)
    assert result.mean == pytest.approx(d.mean(), abs=0.002)
    assert result.standard_deviation == pytest.approx(d.std(), abs=0.002)
    low, high = result.credible_interval(0.9)
    assert [low, high] == pytest.approx(np.quantile(d, [0.05, 0.95]), abs=0.004)


@pytest.mark.parametrize("paired", [True, False])
def test_probabilities_add_up_and_mirror(paired: bool) -> None:
    here = bayes_accuracy_test(X, Y, rope=0.07, paired=paired)
    there = bayes_accuracy_test(Y, X, rope=0.07, paired=paired)

    assert here.p_less + here.p_rope + here.p_greater == pytest.approx(1, rel=1e-14)
    assert (there.p_less, there.p_greater) == pytest.approx((here.p_greater, here.p_less), rel=1e-12)
    assert there.mean == pytest.approx(-here.mean, rel=1e-14)


def test_counts_are_the_cases_counted() -> None:
    of_cases = bayes_accuracy_test(X, Y, rope=0.1)

    of_counts = bayes_accuracy_test(counts=[[3, 5], [1, 1]], rope=0.1)

    assert of_counts.to_dict() == of_cases.to_dict()


def test_batch_is_the_loop() -> None:
    correct = np.random.default_rng(2).random((3, 40)) < [[0.9], [0.7], [0.6]]

    pairs = bayes_accuracy_test(correct[:, None], correct[None], rope=0.03)

    assert pairs.table.shape == (3, 3, 2, 2)
    for i, j in np.ndindex(3, 3):
        one = bayes_accuracy_test(correct[i], correct[j], rope=0.03)
        assert one.p_greater == pytest.approx(pairs.p_greater[i, j], rel=1e-12)
        assert one.credible_interval().low == pytest.approx(pairs.credible_interval().low[i, j], abs=1e-12)
    assert pairs.density([0.0, 0.1]).shape == (3, 3, 2)


def test_density_is_that_of_the_difference() -> None:
    result = bayes_accuracy_test(X, Y)
    grid = np.linspace(-1.1, 1.1, 2201)

    density = result.density(grid)

    assert trapezoid(density, grid) == pytest.approx(1, abs=1e-6)
    assert trapezoid(np.where(grid > 0, density, 0), grid) == pytest.approx(result.p_greater, abs=2e-3)
    assert density[0] == density[-1] == 0


def test_alike_on_every_case_leaves_both_sides_open() -> None:
    """Ten cases do not prove that two classifiers are the same."""
    result = bayes_accuracy_test(X, X, rope=0.01)

    assert result.p_less == pytest.approx(result.p_greater, rel=1e-12)
    assert result.p_greater > 0.3
    assert bayes_accuracy_test(counts=[[5000, 0], [0, 5000]], rope=0.01).p_rope > 0.999


def test_rope_wider_than_everything_holds_everything() -> None:
    assert bayes_accuracy_test(X, Y, rope=1.5).p_rope == 1


def test_test_sets_of_different_sizes() -> None:
    result = bayes_accuracy_test([True] * 90 + [False] * 10, [True, False, True, True], paired=False)

    assert result.table.tolist() == [[90, 10], [3, 1]]
    assert 0.5 < result.p_greater < 1


def test_proportion_is_a_beta_variable() -> None:
    posterior = proportion_posterior(81, 100, prior_count=0.5)
    law = stats.beta(81.5, 19.5)

    assert (posterior.mean, posterior.standard_deviation) == pytest.approx((law.mean(), law.std()), rel=1e-14)
    assert list(posterior.credible_interval(0.9)) == pytest.approx(law.ppf([0.05, 0.95]), rel=1e-12)
    assert posterior.probability_above(0.7) == pytest.approx(law.sf(0.7), rel=1e-12)
    assert posterior.probability_above([0.0, 1.0]).tolist() == [1, 0]


def test_proportions_are_a_batch() -> None:
    posterior = proportion_posterior([0, 5, 9], 9)

    assert posterior.mean.tolist() == [1 / 11, 6 / 11, 10 / 11]
    assert posterior.credible_interval().low.shape == (3,)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"prior_count": 0}, r"prior_count must lie between 0\.001 and 1e\+09, not 0"),
        ({"prior_count": math.nan}, r"prior_count must lie between"),
        ({"rope": -1}, r"rope must be nonnegative, not -1"),
    ],
)
def test_bad_choices_are_refused(choices: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        bayes_accuracy_test(X, Y, **choices)


def test_bad_data_are_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"x and y must be paired: x has 10 values, y has 4"):
        bayes_accuracy_test(X, Y[:4])
    with pytest.raises(InvalidValueError, match=r"x must hold at least one instance"):
        bayes_accuracy_test([], Y, paired=False)
    with pytest.raises(InvalidValueError, match=r"y must be boolean"):
        bayes_accuracy_test(X, [0, 2, 1], paired=False)
    with pytest.raises(InvalidValueError, match=r"the leading axes of x and y must broadcast"):
        bayes_accuracy_test(np.ones((2, 5), dtype=bool), np.ones((3, 4), dtype=bool), paired=False)
    with pytest.raises(InvalidTypeError, match=r"paired must be True or False"):
        bayes_accuracy_test(X, Y, paired="yes")
    with pytest.raises(InvalidValueError, match=r"n_successes must not be more than n"):
        proportion_posterior(5, 4)
    with pytest.raises(InvalidValueError, match=r"threshold must lie from 0 to 1, not 80"):
        proportion_posterior(5, 9).probability_above(80)
    with pytest.raises(InvalidValueError, match=r"grid must have the shape"):
        bayes_accuracy_test(X, Y).density([[0.1]])


def test_rows_of_two_frames_must_be_the_same() -> None:
    rows = pd.DataFrame([[True, False], [True, True]], index=["a", "b"])

    with pytest.raises(InvalidValueError, match="equal indexes"):
        bayes_accuracy_test(rows, rows.iloc[::-1], paired=False)
