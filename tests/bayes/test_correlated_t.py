"""The posterior has the numbers of the corrected t-test."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evalstats._errors import EvalstatsWarning
from evalstats.bayes.correlated_t import bayes_correlated_ttest, bayes_pairwise_correlated_ttest
from evalstats.paired.ttest import corrected_ttest

X = np.array([0.81, 0.84, 0.79, 0.90, 0.85])
Y = np.array([0.78, 0.82, 0.80, 0.84, 0.83])
SIZES = {"n_train": 80, "n_test": 20}
P = ("p_less", "p_rope", "p_greater")
NUMBERS = (*P, "mean", "scale")


def probabilities(result: object) -> list[float]:
    return [getattr(result, name) for name in P]


def test_two_degrees_of_freedom_by_hand() -> None:
    """Differences 1, 2, 3: mean 2, variance 1, of which 1/3 + 1/2 is left; P(T > t) = 1/2 - t / (2 sqrt(t^2 + 2))."""
    result = bayes_correlated_ttest([11, 12, 13], [10, 10, 10], rope=1, n_train=2, n_test=1)
    scale = math.sqrt(5 / 6)

    def tail(t: float) -> float:
        return 0.5 - t / (2 * math.sqrt(t * t + 2))

    assert (result.mean, result.df, result.n_scores) == (2, 2, 3)
    assert result.correlation == pytest.approx(1 / 3, rel=1e-15)
    assert result.scale == pytest.approx(scale, rel=1e-14)
    assert result.p_greater == pytest.approx(tail((1 - 2) / scale), rel=1e-13)
    assert result.p_less == pytest.approx(tail((1 + 2) / scale), rel=1e-13)
    assert sum(probabilities(result)) == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize("sign", [1, -1])
def test_without_a_rope_it_is_half_the_pvalue_of_the_corrected_test(sign: int) -> None:
    x, y = (X, Y)[::sign]
    test, result = corrected_ttest(x, y, **SIZES), bayes_correlated_ttest(x, y, **SIZES)

    assert min(probabilities(result)[::2]) == test.pvalue / 2
    assert result.p_less == corrected_ttest(x, y, **SIZES, alternative="greater").pvalue
    assert result.p_greater == corrected_ttest(x, y, **SIZES, alternative="less").pvalue
    assert result.p_rope == 0
    assert tuple(result.credible_interval(0.9)) == pytest.approx(tuple(test.confidence_interval(0.9)), rel=1e-14)


def test_probabilities_are_integrals_of_the_density() -> None:
    result = bayes_correlated_ttest(X, Y, rope=0.01, **SIZES)
    low, high = -0.01, 0.01
    nodes, weights = np.polynomial.legendre.leggauss(30)
    inside = (high - low) / 2 * weights @ result.density((high - low) / 2 * nodes + (high + low) / 2)

    assert result.p_rope == pytest.approx(inside, rel=1e-12)


def test_far_tail_keeps_its_digits() -> None:
    """One-sided probabilities are never 1 minus something."""
    x = 10 + 0.1 * np.sin(np.arange(30))
    result = bayes_correlated_ttest(x, np.ones(30), rope=0.5, **SIZES)

    assert 0 < result.p_less < result.p_rope < 1e-40


def test_swapping_x_and_y_mirrors_the_result() -> None:
    here, there = (bayes_correlated_ttest(a, b, rope=0.01, **SIZES) for a, b in ((X, Y), (Y, X)))

    assert probabilities(here) == probabilities(there)[::-1]


def test_unit_of_the_scores_does_not_matter() -> None:
    here = bayes_correlated_ttest(X, Y, rope=0.01, **SIZES)
    percent = bayes_correlated_ttest(100 * X, 100 * Y, rope=1, **SIZES)

    assert probabilities(percent) == pytest.approx(probabilities(here), rel=1e-11)


def test_correlation_may_be_given_itself() -> None:
    here, there = bayes_correlated_ttest(X, Y, **SIZES), bayes_correlated_ttest(X, Y, correlation=0.2)

    assert probabilities(here) == pytest.approx(probabilities(there), rel=1e-14)
    assert there.correlation == 0.2


@pytest.mark.parametrize("rope", [0, 0.1])
def test_identical_classifiers_are_equivalent(rope: float) -> None:
    result = bayes_correlated_ttest(X, X, rope=rope, **SIZES)

    assert probabilities(result) == [0, 1, 0]
    assert result.reason == "x and y are equal in every pair"
    assert result.decision() == "rope"
    assert tuple(result.credible_interval()) == (0, 0)
    assert result.density([-1, 0, 1]).tolist() == [0, math.inf, 0]


def test_constant_difference_says_nothing_about_precision() -> None:
    """The noise of floating point is no variance either; nan never decides."""
    result = bayes_correlated_ttest(X + 0.1, X, rope=0.01, **SIZES)

    assert np.isnan(probabilities(result)).all()
    assert "no variance" in result.reason
    assert result.decision() is None
    assert np.isnan(tuple(result.credible_interval())).all()
    assert np.isnan(result.density([0.1])).all()


def test_batch_is_its_members() -> None:
    rng = np.random.default_rng(0)
    x, y = np.round(rng.random((2, 2, 3, 6)), 1)
    x[0, 1], x[1, 0] = y[0, 1], y[1, 0] + 0.1
    batch = bayes_correlated_ttest(x, y, rope=0.1, **SIZES)

    for at in np.ndindex(2, 3):
        one = bayes_correlated_ttest(x[at], y[at], rope=0.1, **SIZES)
        np.testing.assert_array_equal([getattr(batch, n)[at] for n in NUMBERS], [getattr(one, n) for n in NUMBERS])
        assert (batch.reason[at], batch.method[at]) == (one.reason, one.method)
    assert batch.density([0, 0.1, 0.2]).shape == (2, 3, 3)


def assert_pairs_are_the_loop(scores: np.ndarray, **choices: object) -> None:
    pairs = bayes_pairwise_correlated_ttest(scores, **choices, **SIZES)
    for i, j in np.ndindex(*2 * scores.shape[-1:]):
        one = bayes_correlated_ttest(scores[:, i], scores[:, j], **choices, **SIZES)
        here = [getattr(pairs, name)[i, j] for name in NUMBERS]
        assert here == pytest.approx([getattr(one, name) for name in NUMBERS], rel=1e-11, abs=1e-300, nan_ok=True)
        assert pairs.reason[i, j] == one.reason


@pytest.mark.parametrize("scale", [1, 1e-200, 1e200, 1e9])
def test_all_pairs_are_the_loop(scale: float) -> None:
    scores = np.round(np.random.default_rng(0).normal(0.8, 0.05, (10, 6)), 4) * scale

    assert_pairs_are_the_loop(scores, rope=0.02 * scale)


def test_near_copies_keep_their_digits() -> None:
    rng = np.random.default_rng(1)
    base = rng.random(30)
    near = [base + size * rng.standard_normal(30) for size in (1e-3, 1e-6, 1e-9)]

    assert_pairs_are_the_loop(np.column_stack([base, *near, 1e-5 * rng.random(30), 1e3 * rng.random(30)]))


@given(arrays.arrays(np.int64, (4, 4), elements=st.integers(-3, 3)), st.sampled_from([1, 0.1, 1e-9]))
def test_whatever_the_scores_all_pairs_are_the_loop(scores: np.ndarray, unit: float) -> None:
    """Few values, so equal, constant and tied differences are frequent."""
    assert_pairs_are_the_loop(5 * unit + scores * unit, rope=unit)


def test_batch_of_pairs_is_its_members() -> None:
    scores = np.random.default_rng(2).random((3, 8, 4))
    batch = bayes_pairwise_correlated_ttest(scores, rope=0.1, **SIZES)

    for at in range(3):
        member = bayes_pairwise_correlated_ttest(scores[at], rope=0.1, **SIZES)
        np.testing.assert_allclose(batch.p_greater[at], member.p_greater, rtol=1e-12)


def test_any_kind_of_numbers_will_do() -> None:
    x, y = [3, 5, 2, 7], [1, 6, 2, 3]
    expected = probabilities(bayes_correlated_ttest(x, y, **SIZES))

    assert probabilities(bayes_correlated_ttest([Fraction(v) for v in x], np.array(y, np.int8), **SIZES)) == expected


def test_sizes_that_look_swapped_are_warned_of() -> None:
    with pytest.warns(EvalstatsWarning, match="are swapped") as told:
        bayes_correlated_ttest(X, Y, n_train=20, n_test=80)

    assert told[0].filename == __file__


@pytest.mark.parametrize(
    ("x", "choices", "message"),
    [
        (X[:1], SIZES, "x and y must be paired"),
        ([math.nan, *X[1:]], SIZES, r"x must be finite, but x\[0\] is nan"),
        (X, {}, "n_train must be a number of instances, not None"),
        (X, {"n_train": 80}, "n_test must be a number of instances, not None"),
        (X, {**SIZES, "correlation": 0.1}, "not both"),
        (X, {"correlation": 1}, "correlation must be at least 0 and below 1, not 1"),
        (X, {**SIZES, "rope": -0.1}, "rope must be nonnegative, not -0.1"),
        (X, {**SIZES, "tie_tolerance": 0.3}, "tie_tolerance"),
    ],
)
def test_what_is_refused(x: object, choices: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        bayes_correlated_ttest(x, Y, **choices)


@pytest.mark.parametrize("scores", [[1, 2], [[1, 2]], [[1], [2]], [[1, 2], [math.nan, 3]], [[1e308, -1e308], [1, 2]]])
def test_bad_scores_are_refused(scores: object) -> None:
    with pytest.raises(ValueError, match=r"scores must|must be finite"):
        bayes_pairwise_correlated_ttest(scores, **SIZES)


def test_rope_may_be_huge_beside_the_scores() -> None:
    """Infinitely many standard errors are all within, without a warning."""
    assert bayes_correlated_ttest([1e-300, 3e-300], [0, 0], rope=1e300, correlation=0.1).p_rope == 1


def test_grid_has_one_axis() -> None:
    result = bayes_correlated_ttest(np.eye(3), np.zeros((3, 3)), correlation=0.1)

    with pytest.raises(ValueError, match=r"grid must have the shape \(m,\), but its shape is \(2, 2\)"):
        result.density([[0, 1], [2, 3]])


def test_interval_of_nearly_all_probability_is_finite() -> None:
    """Also where one of a batch has no variance: its interval is the point 0."""
    low, high = bayes_correlated_ttest([[1, 2, 4], [0, 0, 0]], np.zeros((2, 3)), correlation=0.1).credible_interval(
        1 - 1e-16
    )

    assert np.isfinite([low, high]).all()
    assert (low[1], high[1]) == (0, 0)
