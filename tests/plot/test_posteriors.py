"""Posteriors as pictures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import trapezoid

from evalstats.bayes.accuracy import bayes_accuracy_test
from evalstats.bayes.correlated_t import bayes_correlated_ttest
from evalstats.bayes.sign import bayes_pairwise_sign_test, bayes_sign_test
from evalstats.plot import posterior

X, Y = np.array([0.81, 0.84, 0.79, 0.90, 0.85]), np.array([0.78, 0.82, 0.80, 0.84, 0.83])
SIZES = {"n_train": 80, "n_test": 20}
RESULTS = {
    "density": lambda: bayes_correlated_ttest(X, Y, rope=0.01, **SIZES),
    "density without a rope": lambda: bayes_correlated_ttest(X, Y, **SIZES),
    "equal": lambda: bayes_correlated_ttest(X, X, rope=0.01, **SIZES),
    "constant difference": lambda: bayes_correlated_ttest(X + 0.5, X, rope=0.01, **SIZES),
    "accuracies": lambda: bayes_accuracy_test(counts=[[690, 62], [41, 207]], rope=0.01),
    "sample": lambda: bayes_sign_test(X, Y, rope=0.01, n_simulations=500, rng=0),
    "sample of equal scores": lambda: bayes_sign_test(X, X, n_simulations=500, rng=0),
}


@pytest.mark.sampled
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS.keys())
@pytest.mark.parametrize("names", [("x", "y"), ("network-" * 9, "$W_1$" * 9)])
def test_picture_is_legible(result, names: tuple[str, str], assert_legible) -> None:
    assert_legible(posterior(result(), names=names, title="A title of the picture"))


def test_shares_are_those_of_the_result() -> None:
    result = bayes_correlated_ttest(X, Y, rope=0.01, **SIZES)

    words = [t.get_text() for t in posterior(result, names=("SVM", "NB")).get_legend().get_texts()]

    shares = (result.p_less, result.p_rope, result.p_greater)
    assert [word.split(": ")[1] for word in words] == [f"{share:.1%}" for share in shares]


def test_shaded_areas_are_the_probabilities() -> None:
    """The curve of each region holds its probability, but for the tails that are cut off."""
    result = bayes_correlated_ttest(X, Y, rope=0.01, **SIZES)

    areas = [
        trapezoid(line.get_ydata(), line.get_xdata()) for line in posterior(result).lines if len(line.get_xdata()) > 2
    ]

    assert areas == pytest.approx([result.p_less, result.p_rope, result.p_greater], abs=0.003)


def test_lower_is_better() -> None:
    ax = posterior(bayes_correlated_ttest(X, Y, rope=0.01, **SIZES), names=("A", "B"), greater_is_better=False)

    assert [t.get_text().split(":")[0] for t in ax.get_legend().get_texts()] == [
        "A is better",
        "equivalent",
        "B is better",
    ]


def test_degenerate_posterior_says_why() -> None:
    result = bayes_correlated_ttest(X + 0.5, X, rope=0.01, **SIZES)

    assert [t.get_text() for t in posterior(result).texts] == [result.reason]


def test_sample_lies_in_the_triangle() -> None:
    result = bayes_sign_test(X, Y, rope=0.01, n_simulations=500, rng=0)

    ax = posterior(result, names=("A", "B"))

    cloud = ax.collections[0]
    assert cloud.get_array().sum() == 500
    assert [t.get_text().split("\n")[0] for t in ax.texts] == ["B", f"equivalent: {result.p_rope:.1%}", "A"]


class TestMessages:
    def test_not_a_posterior(self) -> None:
        with pytest.raises(TypeError, match="result must be the result of a Bayesian comparison, not dict"):
            posterior({})

    def test_several_pairs(self) -> None:
        result = bayes_pairwise_sign_test(np.stack([X, Y], axis=1), n_simulations=5)

        with pytest.raises(ValueError, match=r"result must be the result of one pair, but its shape is \(2, 2\)"):
            posterior(result)

    @pytest.mark.parametrize("names", ["xy", ("x",)])
    def test_names(self, names: object) -> None:
        with pytest.raises((TypeError, ValueError), match=r"names must be (the names of two|a sequence of)"):
            posterior(bayes_correlated_ttest(X, Y, **SIZES), names=names)
