from __future__ import annotations

import math
import pickle
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special

import evalstats
from evalstats.paired.sequential import SequentialSignTest, sequential_sign_test

ALTERNATIVES = ["two-sided", "less", "greater"]
X = np.array([0.81, 0.64, 0.70, 0.93, 0.55, 0.78, 0.88, 0.61, 0.72])
# exact, by the walk of `reach`; the page of the test has it too
REJECTED_BY_PEEKING = 0.227315
Y = np.array([0.79, 0.66, 0.65, 0.93, 0.50, 0.70, 0.85, 0.62, 0.60])


def outcome(seen: Iterable[int], **choices: Any) -> Any:
    """Test pairs won (1), lost (-1) and tied (0), in this order."""
    seen = np.array(seen)
    return sequential_sign_test(seen, np.zeros_like(seen), **choices)


def integrated(seen: Iterable[int], alternative: str, prior_strength: float) -> float:
    """Return the mean over the prior of how much likelier these pairs are than by chance: the definition."""
    if alternative == "less":
        return integrated([-sign for sign in seen], "greater", prior_strength)
    a, low = prior_strength / 2, 0.0 if alternative == "two-sided" else 0.5
    of_density = (a - 1, a - 1) if low == 0 else (0.0, a - 1)  # what the rule of quadrature takes care of

    def times_as_likely(q: float) -> float:
        return math.prod({1: 2 * q, -1: 2 * (1 - q), 0: 1.0}[sign] for sign in seen) * (q ** (a - 1) if low else 1.0)

    area, _ = integrate.quad(
        times_as_likely, low, 1.0, weight="alg", wvar=of_density, epsabs=0, epsrel=1e-12, limit=200
    )
    return area / special.beta(a, a) / (1 - low)


def on_lattice(n: int) -> np.ndarray:
    """Return n pairs for each number of wins (row) and losses (column); the rest is ties, or beyond n."""
    wins, losses = np.indices((n + 1, n + 1))[..., None]
    pair = np.arange(n)
    return np.where(pair < wins, 1, np.where(pair < wins + losses, -1, 0))


def reach(is_beyond: np.ndarray, q: float) -> float:
    """Return the probability that a walk which wins with probability q is ever there, with no simulation."""
    n = len(is_beyond) - 1
    at, reached = np.zeros((n + 1, n + 1)), 0.0
    at[0, 0] = 1.0
    for pairs in range(n + 1):
        for wins in range(pairs + 1):
            here = at[wins, pairs - wins]
            if is_beyond[wins, pairs - wins]:
                reached += here
            elif pairs < n:
                at[wins + 1, pairs - wins] += here * q
                at[wins, pairs - wins + 1] += here * (1 - q)
    return reached


def test_uniform_prior_by_hand() -> None:
    """The mean of q^3 (1 - q) over the uniform prior is 3! 1! / 5! = 1/20, against 1/16 by chance."""
    result = outcome([1, 1, 1, -1])

    assert (result.statistic, result.n_wins, result.n_losses, result.n_ties) == (3.0, 3, 1, 0)
    assert result.e_value == pytest.approx(16 / 20, rel=1e-15)
    assert result.largest_e_value == pytest.approx(8 / 4, rel=1e-15)  # after three wins
    assert result.pvalue == pytest.approx(1 / 2, rel=1e-15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("prior_strength", [0.7, 1, 2, 30])
@pytest.mark.parametrize("seen", [[1], [-1, 1], [1, 1, 0, -1, 1], [1] * 12, [-1, 0, -1, -1, 1, -1, -1], [1, -1] * 15])
def test_e_value_is_the_integral_over_the_prior(alternative: str, prior_strength: float, seen: list[int]) -> None:
    """After every pair; and the p-value is one divided by the largest."""
    expected = [integrated(seen[: n + 1], alternative, prior_strength) for n in range(len(seen))]

    results = [outcome(seen[: n + 1], alternative=alternative, prior_strength=prior_strength) for n in range(len(seen))]

    assert [r.e_value for r in results] == pytest.approx(expected, rel=1e-9)
    largest = np.maximum.accumulate([1.0, *expected])[1:]
    assert [r.largest_e_value for r in results] == pytest.approx(largest, rel=1e-9)
    assert results[-1].pvalues == pytest.approx(1 / largest, rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("alternative", "q"), [("two-sided", 0.5), ("greater", 0.5), ("greater", 0.47), ("less", 0.5)])
@pytest.mark.parametrize("prior_strength", [1.0, 2.0, 40.0])
def test_whoever_looks_after_every_pair_errs_at_most_as_often_as_alpha(
    alternative: str, q: float, prior_strength: float
) -> None:
    """The exact probability that the p-value is ever small within 60 pairs, at five levels."""
    e_values = outcome(on_lattice(60), alternative=alternative, prior_strength=prior_strength).e_value

    for alpha in (0.2, 0.1, 0.05, 0.01, 0.001):
        assert reach(e_values >= 1 / alpha, q) <= alpha


def test_the_same_looks_break_the_promise_of_the_sign_test() -> None:
    """Why the test exists: the ordinary p-value is at some time below 5% in 23% of the walks of 100 pairs."""
    wins, losses = np.indices((101, 101))
    pvalues = np.minimum(1.0, 2 * special.bdtr(np.minimum(wins, losses), wins + losses, 0.5))

    assert reach(pvalues <= 0.05, 0.5) == pytest.approx(REJECTED_BY_PEEKING, abs=1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize("q", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_intervals_together_cover(q: float, alternative: str) -> None:
    """The exact probability that any of the intervals after 1, ..., 50 pairs leaves the truth out."""
    low, high = outcome(on_lattice(50), alternative=alternative).confidence_interval(0.9)
    misses = ~((low <= q) & (q <= high))

    assert reach(misses, q) <= 0.1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(seen=st.lists(st.sampled_from([1, 1, 1, -1, 0]), min_size=1, max_size=80))
def test_interval_leaves_out_one_half_where_the_e_value_is_large(alternative: str, seen: list[int]) -> None:
    result = outcome(seen, alternative=alternative)

    low, high = result.confidence_interval(0.8)

    if abs(result.e_value - 5) > 1e-9:
        assert (not low <= 0.5 <= high) == (result.e_value > 5)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("strength", [0.5, 2.0, 100.0, 1e6])
@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (3, 1), (40, 60), (1000, 2), (2, 1000), (7000, 3000)])
def test_limits_are_where_the_mixture_is_as_likely(wins: int, losses: int, strength: float, level: float) -> None:
    """The likelihood at a limit times 1 / alpha is that of the mixture, in logarithms."""
    a = strength / 2
    mixture = special.betaln(wins + a, losses + a) - special.betaln(a, a)

    low, high = outcome([1] * wins + [-1] * losses, prior_strength=strength).confidence_interval(level)

    likelihood = wins * math.log(low) + losses * math.log1p(-low)
    assert mixture - likelihood == pytest.approx(-math.log(1 - level), abs=2e-8)
    assert 0 < low < wins / (wins + losses) <= high <= 1
    assert losses or high == 1


def test_one_sided_interval_is_inside_the_two_sided_one() -> None:
    seen = [1, 1, -1, 1, 1, 1, 1, -1, 1, 1]

    both, lower, upper = (outcome(seen, alternative=a).confidence_interval() for a in ("two-sided", "greater", "less"))

    assert both.low < lower.low < lower.high == 1
    assert 0 == upper.low < upper.high < both.high


def test_interval_after_each_pair_is_that_of_the_pairs_so_far() -> None:
    seen = [1, 0, -1, 1, 1, 1, -1, 1]
    for alternative in ALTERNATIVES:
        sequence = outcome(seen, alternative=alternative).confidence_sequence(0.9)
        alone = [tuple(outcome(seen[: n + 1], alternative=alternative).confidence_interval(0.9)) for n in range(8)]

        np.testing.assert_allclose(np.transpose([sequence.low, sequence.high]), alone, rtol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(cuts=st.lists(st.integers(1, 9), min_size=1, max_size=12), seed=st.integers(0, 99))
def test_pairs_that_come_in_pieces_give_the_same_to_the_last_bit(alternative: str, cuts: list[int], seed: int) -> None:
    """One by one, in pieces of any size, or all at once; with ties."""
    x, y = np.random.default_rng(seed).integers(0, 4, (2, sum(cuts))) / 10
    test = SequentialSignTest(alternative=alternative, prior_strength=3.0)
    ends = np.cumsum(cuts)

    seen = [test.update(x[end - n : end], y[end - n : end]) for end, n in zip(ends, cuts, strict=True)]

    result = sequential_sign_test(x, y, alternative=alternative, prior_strength=3.0)
    assert seen == result.pvalues[ends - 1].tolist()
    for name in ("n_pairs", "n_wins", "n_losses", "n_ties", "pvalue", "e_value", "largest_e_value"):
        assert getattr(test, name) == getattr(result, name)
    assert tuple(test.confidence_interval()) == tuple(result.confidence_interval())


def test_single_scores_are_pairs() -> None:
    one_by_one, at_once = SequentialSignTest(), SequentialSignTest()

    for x, y in zip(X, Y, strict=True):
        one_by_one.update(x, y)

    assert one_by_one.pvalue == at_once.update(X, Y) == sequential_sign_test(X, Y).pvalue


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_batch_equals_the_loop_over_its_members(alternative: str) -> None:
    rng = np.random.default_rng(4)
    x, y = np.round(rng.random((4, 3, 30)) + 0.2, 1), np.round(rng.random((4, 3, 30)), 1)
    x[0, 0] = y[0, 0]

    batch = sequential_sign_test(x, y, alternative=alternative)

    intervals, steps = batch.confidence_interval(), batch.n_to_decide(0.3)
    for at in np.ndindex(4, 3):
        member = sequential_sign_test(x[at], y[at], alternative=alternative)
        for name in ("statistic", "pvalue", "n_wins", "e_value", "largest_e_value", "method", "reason"):
            assert getattr(batch, name)[at] == getattr(member, name)
        assert (intervals.low[at], intervals.high[at]) == tuple(member.confidence_interval())
        np.testing.assert_array_equal(steps[at], member.n_to_decide(0.3))
    assert sequential_sign_test(x[:, :1], y[0]).pvalue.shape == (4, 3)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swapping_x_and_y_mirrors_the_result(alternative: str) -> None:
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]
    here, there = sequential_sign_test(X, Y, alternative=alternative), sequential_sign_test(Y, X, alternative=mirrored)

    (low, high), (low_there, high_there) = here.confidence_interval(), there.confidence_interval()

    assert (here.pvalue, here.e_value, here.n_wins) == (there.pvalue, there.e_value, there.n_losses)
    assert (low, high) == pytest.approx((1 - high_there, 1 - low_there), rel=1e-12)


def test_ties_change_nothing_but_their_number() -> None:
    with_ties, without = outcome([0, 1, 0, 1, -1, 0, 1]), outcome([1, 1, -1, 1])

    assert (with_ties.n_ties, without.n_ties) == (3, 0)
    assert (with_ties.pvalue, with_ties.e_value) == (without.pvalue, without.e_value)
    assert with_ties.win_probability == 0.75


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_classifiers_give_p_one_and_a_reason(alternative: str) -> None:
    result = sequential_sign_test([0.1 + 0.2, 0.7], [0.3, 0.7], alternative=alternative)

    assert (result.pvalue, result.e_value, tuple(result.confidence_interval())) == (1.0, 1.0, (0.0, 1.0))
    assert np.isnan(result.n_to_decide())
    assert np.isnan(result.win_probability)
    assert "equal in every pair" in result.reason


def test_half_precision_has_more_ties() -> None:
    """The rule of ties is that of `sign_test`, for pairs that come alone too."""
    x, y = np.float16(0.1), 0.1
    test = SequentialSignTest()

    test.update(x, y)

    assert test.n_ties == evalstats.sign_test([x], [y]).n_ties == 1


def test_pvalue_remembers_and_the_interval_does_not() -> None:
    """A lead of 20 wins that melts away: it was enough, and the interval is that of the 40 pairs."""
    result = outcome([1] * 20 + [-1] * 20)

    low, high = result.confidence_interval()

    assert result.pvalue < 1e-4
    assert result.e_value < 1
    assert low < 0.5 < high
    assert result.n_to_decide(0.05) == 8


def test_pvalue_is_right_far_beyond_the_largest_float() -> None:
    """5000 wins: 2^5000 / 5001; the e-value is infinite, and the p-value the smallest float."""
    result = outcome([1] * 5000)

    assert (result.e_value, result.pvalue) == (math.inf, 5e-324)
    low, high = result.confidence_interval()
    assert low == pytest.approx((0.05 / 5001) ** (1 / 5000), rel=1e-12)
    assert high == 1


def test_evidence_for_the_side_that_loses_all_is_nothing() -> None:
    result = outcome([-1] * 3000, alternative="greater")

    assert (result.e_value, result.largest_e_value, result.pvalue) == (0.0, 1.0, 1.0)
    assert tuple(result.confidence_interval()) == (0.0, 1.0)


@pytest.mark.parametrize("strength", [1e-6, 1e6])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_extreme_priors_give_numbers(alternative: str, strength: float) -> None:
    result = outcome([1] * 300 + [-1] * 3, alternative=alternative, prior_strength=strength)

    low, high = result.confidence_interval()

    assert 0 < result.pvalue <= 1
    assert 0 <= low < 300 / 303 < high <= 1


def test_test_survives_a_pickle() -> None:
    test = SequentialSignTest(alternative="greater")
    test.update(X[:4], Y[:4])

    copy = pickle.loads(pickle.dumps(test))

    assert copy.update(X[4:], Y[4:]) == test.update(X[4:], Y[4:])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sequential_sign_test([1, 2, 3], [1, 2]), "x and y must be paired: x has 3 values, y has 2"),
        (lambda: sequential_sign_test([1, np.nan], [1, 2]), r"x must be finite, but x\[1\] is nan"),
        (lambda: sequential_sign_test([], []), "x and y must have at least"),
        (lambda: sequential_sign_test(X, Y, alternative="more"), "alternative must be 'two-sided' or"),
        (lambda: sequential_sign_test(X, Y, prior_strength=0), "prior_strength must be greater than 0 and at most 1e6"),
        (lambda: sequential_sign_test(X, Y, prior_strength=np.nan), "prior_strength must be greater than 0"),
        (lambda: sequential_sign_test(X, Y, prior_strength="2"), "prior_strength must be a number, not '2'"),
        (lambda: sequential_sign_test(X, Y).n_to_decide(5), "alpha must lie between 0 and 1, not 5"),
        (lambda: SequentialSignTest().update([X], [Y]), "must be single scores or have the shape"),
        (lambda: SequentialSignTest().update(0.5, [0.5, 0.6]), "x and y must be paired: x has 1 value, y has 2"),
        (lambda: SequentialSignTest().update([[1, 2], [3]], 1), "x must be a regular array"),
        (lambda: SequentialSignTest().update(np.inf, 0.5), "x must be finite"),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        call()

    assert isinstance(caught.value, evalstats.EvalstatsError)


def test_refused_pair_does_not_count() -> None:
    test = SequentialSignTest()

    with pytest.raises(ValueError, match="finite"):
        test.update([0.5, np.nan], [0.4, 0.4])

    assert (test.n_pairs, test.pvalue, repr(test)) == (
        0,
        1.0,
        "SequentialSignTest(alternative='two-sided', prior_strength=2.0)",
    )
