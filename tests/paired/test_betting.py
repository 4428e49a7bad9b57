from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalstats
from evalstats.paired.betting import BettingTest, betting_test

ALTERNATIVES = ["two-sided", "less", "greater"]
X = np.array([0.81, 0.64, 0.70, 0.93, 0.55, 0.78, 0.88, 0.61, 0.72])
Y = np.array([0.79, 0.66, 0.65, 0.93, 0.50, 0.70, 0.85, 0.62, 0.60])


def of(differences: Any, **choices: Any) -> Any:
    d = np.asarray(differences, dtype=float)
    return betting_test(d, np.zeros_like(d), **choices)


def gambled(
    differences: list[float],
    *,
    bounds: tuple[float, float] = (-1.0, 1.0),
    null: float = 0.0,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    c: float = 0.5,
) -> list[float]:
    """Return the evidence after each difference: Waudby-Smith & Ramdas (2024), Theorem 3, one by one."""
    low, high = bounds
    m = (null - low) / (high - low)
    xs = [(d - low) / (high - low) for d in differences]
    more, less, evidence = 1.0, 1.0, []
    for t in range(1, len(xs) + 1):
        means = [(1 / 2 + sum(xs[:i])) / (i + 1) for i in range(1, t)]
        variance = (1 / 4 + sum((x - mean) ** 2 for x, mean in zip(xs, means, strict=False))) / t
        bet = math.sqrt(2 * math.log(2 / alpha) / (variance * t * math.log(t + 1)))
        more *= 1 + min(bet, c / m) * (xs[t - 1] - m)
        less *= 1 - min(bet, c / (1 - m)) * (xs[t - 1] - m)
        evidence.append({"two-sided": max(more / 2, less / 2), "greater": more, "less": less}[alternative])
    return evidence


def test_two_wins_by_hand() -> None:
    """Both bets are the largest, half of the money on each side: 1/2 * 3/2 * 3/2, and 3/2 * 3/2 where all is on x."""
    assert of([1, 1]).e_value == pytest.approx(9 / 8, rel=1e-15)
    assert of([1, 1], alternative="greater").e_value == pytest.approx(9 / 4, rel=1e-15)
    assert of([1, 1], alternative="less").e_value == pytest.approx(1 / 4, rel=1e-15)
    assert of([1, 1], alternative="less").pvalue == 1
    assert of([1, 1], alternative="greater").pvalue == pytest.approx(4 / 9, rel=1e-15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("bounds", "null", "alpha", "c"),
    [((-1.0, 1.0), 0.0, 0.05, 0.5), ((-1.0, 1.0), -0.2, 0.01, 0.75), ((-0.5, 2.0), 0.3, 0.3, 0.1)],
)
def test_evidence_is_the_money_of_a_gambler(
    alternative: str, bounds: tuple[float, float], null: float, alpha: float, c: float
) -> None:
    """After every pair; and the p-value is one divided by the largest."""
    d = np.random.default_rng(5).uniform(max(bounds[0], -0.5), 1.0, size=60)
    expected = gambled(d.tolist(), bounds=bounds, null=null, alternative=alternative, alpha=alpha, c=c)
    choices = {"alternative": alternative, "bounds": bounds, "null_difference": null, "alpha": alpha, "max_bet": c}

    result = of(d, **choices)

    assert [of(d[:n], **choices).e_value for n in (1, 2, 17, 60)] == pytest.approx(
        [expected[n - 1] for n in (1, 2, 17, 60)], rel=1e-12
    )
    assert result.pvalues == pytest.approx(1 / np.maximum.accumulate([1.0, *expected])[1:], rel=1e-12)
    assert result.largest_e_value == pytest.approx(max(1.0, *expected), rel=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_limits_are_the_means_that_are_rejected_next(alternative: str, level: float) -> None:
    """With a limit for null hypothesis the evidence is 1 / alpha, beyond it more; an open side has the bound."""
    d = np.random.default_rng(2).choice([-1.0, 0.0, 0.0, 0.3, 1.0], size=150)
    low, high = of(d, alternative=alternative).confidence_interval(level)

    def log_evidence(null: float) -> float:
        return math.log(gambled(d.tolist(), null=null, alternative=alternative)[-1])

    enough = -math.log(1 - level)
    if alternative != "less":
        assert log_evidence(low) == pytest.approx(enough, abs=1e-9)
        assert log_evidence(low - 0.01) > enough
    if alternative != "greater":
        assert log_evidence(high) == pytest.approx(enough, abs=1e-9)
        assert log_evidence(high + 0.01) > enough
    assert low < d.mean() < high
    assert (low == -1, high == 1) == (alternative == "less", alternative == "greater")


# bounded differences with mean 0, some of them as skew as it gets, and the largest bet
FAIR = {
    "right or wrong": (np.array([-1.0, 0.0, 1.0]), np.array([0.1, 0.8, 0.1]), 0.5),
    "one large loss": (np.array([-1.0, 0.05]), np.array([1 / 21, 20 / 21]), 0.9),
    "one large gain": (np.array([-0.05, 1.0]), np.array([20 / 21, 1 / 21]), 0.5),
    "hardly any": (np.array([-0.01, 0.01]), np.array([0.5, 0.5]), 0.75),
}


@pytest.mark.long
@pytest.mark.parametrize("name", FAIR)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_whoever_looks_after_every_pair_errs_at_most_as_often_as_alpha(name: str, alternative: str) -> None:
    """4000 experiments of 400 looks; three standard errors of room."""
    values, probabilities, c = FAIR[name]
    d = np.random.default_rng(11).choice(values, p=probabilities, size=(4000, 400))

    pvalues = of(d, alternative=alternative, max_bet=c).pvalue

    for alpha in (0.2, 0.1, 0.05, 0.01, 0.001):
        assert np.mean(pvalues <= alpha) <= alpha + 3 * math.sqrt(alpha / 4000)


def test_the_same_looks_break_the_promise_of_the_t_test() -> None:
    """Why the test exists: some of 400 ordinary p-values is below 5% in more than a third of the experiments."""
    d = np.random.default_rng(11).choice([-1.0, 0.0, 1.0], p=[0.1, 0.8, 0.1], size=(2000, 400))
    looks = np.arange(20, 401)
    mean = np.cumsum(d, axis=1)[:, 19:] / looks
    variance = (np.cumsum(d**2, axis=1)[:, 19:] / looks - mean**2) * looks / (looks - 1)

    is_rejected = np.abs(mean) > 1.96 * np.sqrt(variance / looks)

    assert np.mean(is_rejected.any(axis=1)) > 1 / 3


@given(
    d=st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=60),
    alternative=st.sampled_from(ALTERNATIVES),
    null=st.sampled_from([0.0, -0.1, 0.3]),
)
def test_interval_leaves_out_the_null_hypothesis_where_the_e_value_is_large(
    d: list[float], alternative: str, null: float
) -> None:
    result = of(d, alternative=alternative, null_difference=null)

    low, high = result.confidence_interval(0.8)

    if abs(result.e_value - 5) > 1e-9:
        assert (not low <= null <= high) == (result.e_value > 5)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(cuts=st.lists(st.integers(1, 9), min_size=1, max_size=12), seed=st.integers(0, 99))
def test_pairs_that_come_in_pieces_give_the_same_to_the_last_bit(alternative: str, cuts: list[int], seed: int) -> None:
    """One by one, in pieces of any size, or all at once."""
    x, y = np.random.default_rng(seed).integers(0, 10, (2, sum(cuts))) / 10
    choices: dict[str, Any] = {"alternative": alternative, "bounds": (-1, 1.5), "max_bet": 0.7}
    test, ends = BettingTest(**choices), np.cumsum(cuts)

    seen = [test.update(x[end - n : end], y[end - n : end]) for end, n in zip(ends, cuts, strict=True)]

    result = betting_test(x, y, **choices)
    assert seen == result.pvalues[ends - 1].tolist()
    for name in ("n_pairs", "pvalue", "e_value", "largest_e_value"):
        assert getattr(test, name) == getattr(result, name)
    assert tuple(test.confidence_interval()) == tuple(result.confidence_interval())
    assert test.mean_difference == pytest.approx(result.statistic, abs=1e-12)


def test_single_scores_are_pairs() -> None:
    one_by_one, at_once = BettingTest(), BettingTest()

    for x, y in zip(X, Y, strict=True):
        one_by_one.update(x, y)

    assert one_by_one.pvalue == at_once.update(X, Y) == betting_test(X, Y).pvalue
    assert tuple(one_by_one.confidence_interval()) == tuple(at_once.confidence_interval())


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_batch_equals_the_loop_over_its_members(alternative: str) -> None:
    rng = np.random.default_rng(4)
    x, y = np.round(rng.random((4, 3, 30)), 1), np.round(rng.random((4, 3, 30)) * 0.6, 1)
    x[0, 0] = y[0, 0]

    batch = betting_test(x, y, alternative=alternative)

    intervals, steps = batch.confidence_interval(0.8, after=20), batch.n_to_decide(0.3)
    for at in np.ndindex(4, 3):
        member = betting_test(x[at], y[at], alternative=alternative)
        for name in ("statistic", "pvalue", "e_value", "largest_e_value", "method", "reason"):
            assert getattr(batch, name)[at] == getattr(member, name)
        assert (intervals.low[at], intervals.high[at]) == tuple(member.confidence_interval(0.8, after=20))
        np.testing.assert_array_equal(steps[at], member.n_to_decide(0.3))
    assert betting_test(x[:, :1], y[0]).pvalue.shape == (4, 3)


def test_interval_after_some_pairs_is_that_of_these_pairs() -> None:
    result = betting_test(X, Y)

    assert tuple(result.confidence_interval(after=4)) == tuple(betting_test(X[:4], Y[:4]).confidence_interval())
    assert tuple(result.confidence_interval(after=9)) == tuple(result.confidence_interval())


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swapping_x_and_y_mirrors_the_result(alternative: str) -> None:
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]
    here, there = betting_test(X, Y, alternative=alternative), betting_test(Y, X, alternative=mirrored)

    (low, high), (low_there, high_there) = here.confidence_interval(), there.confidence_interval()

    assert (here.pvalue, here.e_value) == pytest.approx((there.pvalue, there.e_value), rel=1e-12)
    assert here.statistic == -there.statistic
    assert (low, high) == pytest.approx((-high_there, -low_there), abs=1e-12)


@pytest.mark.parametrize("scale", [1e-3, 100.0])
def test_unit_of_the_scores_does_not_matter(scale: float) -> None:
    """Accuracies in percent, with bounds and null hypothesis in percent, are the same experiment."""
    here = betting_test(X, Y, null_difference=-0.01)
    there = betting_test(scale * X, scale * Y, null_difference=-0.01 * scale, bounds=(-scale, scale))

    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-9)
    assert tuple(there.confidence_interval()) == pytest.approx(scale * np.array([*here.confidence_interval()]))


def test_moved_null_hypothesis_is_a_moved_difference() -> None:
    """A margin on x is the same as on the null hypothesis, with the bounds moved as well."""
    here = betting_test(X, Y, null_difference=-0.05, alternative="greater")
    there = betting_test(X + 0.05, Y, bounds=(-0.95, 1.05), alternative="greater")

    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-9)


def test_right_and_wrong_answers_are_scores() -> None:
    x, y = np.random.default_rng(1).random((2, 300)) < [[0.9], [0.7]]

    assert betting_test(x, y).pvalue == betting_test(x.astype(float), y.astype(int)).pvalue < 0.05


def test_narrower_bounds_need_fewer_pairs() -> None:
    steps = [of([0.02] * 2000, bounds=(-b, b)).n_to_decide() for b in (1.0, 0.1, 0.03)]

    assert steps[0] > 5 * steps[1] > 5 * steps[2]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_classifiers_give_p_one_and_a_reason(alternative: str) -> None:
    result = betting_test([0.1 + 0.2, 0.7], [0.3, 0.7], alternative=alternative)

    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert np.isnan(result.n_to_decide())
    assert "equal in every pair" in result.reason
    assert of([0.0] * 500, null_difference=-0.1, alternative="greater").pvalue < 0.001  # not worse, and no reason
    assert of([0.0] * 500, null_difference=-0.1).reason is None


def test_difference_at_the_bound_but_for_noise_is_inside() -> None:
    """0.4 - 0.3 is larger than 0.1 in floating point; and all differences at a bound are legal."""
    assert betting_test([0.4], [0.3], bounds=(-0.1, 0.1)).statistic == 0.1
    low, high = of([1.0] * 300).confidence_interval()
    assert 0.9 < low < high == 1.0
    low, high = of([-1.0] * 300).confidence_interval()
    assert -1.0 == low < high < -0.9


def test_pvalue_is_right_far_beyond_the_largest_float() -> None:
    result = of([1.0] * 5000)

    assert (result.e_value, result.pvalue) == (math.inf, 5e-324)


def test_half_precision_differences_of_noise_are_ties() -> None:
    """The rule of ties is that of all paired tests, for pairs that come alone too."""
    test = BettingTest()

    test.update(np.float16(0.1), 0.1)

    assert test.mean_difference == 0


def test_nothing_is_known_before_the_first_pair() -> None:
    test = BettingTest(bounds=(-2, 3))

    assert (test.pvalue, test.n_pairs, tuple(test.confidence_interval())) == (1.0, 0, (-2.0, 3.0))
    assert math.isnan(test.mean_difference)
    assert repr(test) == "BettingTest(bounds=(-2.0, 3.0), null_difference=0.0)"


def test_test_survives_a_pickle() -> None:
    test = BettingTest(alternative="greater")
    test.update(X[:4], Y[:4])

    copy = pickle.loads(pickle.dumps(test))

    assert copy.update(X[4:], Y[4:]) == test.update(X[4:], Y[4:])
    assert tuple(copy.confidence_interval()) == tuple(test.confidence_interval())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: betting_test([1, 2, 3], [1, 2]), "x and y must be paired: x has 3 values, y has 2"),
        (lambda: betting_test([1, np.nan], [1, 2]), r"x must be finite, but x\[1\] is nan"),
        (lambda: betting_test([], []), "x and y must have at least"),
        (
            lambda: betting_test([[0, 80]], [[0, 70]]),
            r"x - y must lie between the bounds -1 and 1, but x\[0, 1\] - y\[0, 1\] is 10; pass bounds=",
        ),
        (lambda: betting_test([1e308], [-1e308]), "must lie between the bounds -1 and 1"),
        (lambda: betting_test(X, Y, bounds=1.0), "bounds must be a sequence of two numbers"),
        (lambda: betting_test(X, Y, bounds=(-1, 0, 1)), "bounds must be the smallest and the largest difference"),
        (lambda: betting_test(X, Y, bounds=(1, -1)), "the first bound must be smaller than the second"),
        (lambda: betting_test(X, Y, bounds=(-1, np.inf)), "bounds must be finite"),
        (lambda: betting_test(X, Y, bounds=(-1, "1")), "bounds must be a number, not '1'"),
        (lambda: betting_test(X, Y, null_difference=1), "null_difference must lie between the bounds -1 and 1, not 1"),
        (lambda: betting_test(X, Y, null_difference=np.nan), "null_difference must lie between the bounds"),
        (lambda: betting_test(X, Y, max_bet=1), "max_bet must lie between 0 and 1, not 1"),
        (lambda: betting_test(X, Y, alpha=5), "alpha must lie between 0 and 1, not 5"),
        (lambda: betting_test(X, Y, alternative="more"), "alternative must be 'two-sided' or"),
        (lambda: betting_test(X, Y).confidence_interval(after=10), "after must be at most the number of pairs, 9"),
        (lambda: betting_test(X, Y).confidence_interval(after=0), "after must be at least 1"),
        (lambda: BettingTest().update([X], [Y]), "must be single scores or have the shape"),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        call()

    assert isinstance(caught.value, evalstats.EvalstatsError)


def test_refused_pair_does_not_count() -> None:
    test = BettingTest()
    test.update(0.5, 0.4)

    with pytest.raises(ValueError, match="between the bounds"):
        test.update([0.5, 2.0], [0.4, 0.4])

    assert test.n_pairs == 1
    assert tuple(test.confidence_interval()) == tuple(betting_test([0.5], [0.4]).confidence_interval())


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 0.0)])
def test_bound_of_zero_is_a_bound(bounds: tuple[float, float]) -> None:
    middle = sum(bounds) / 2
    d = [middle + 0.1] * 50

    assert of(d, bounds=bounds, null_difference=middle).pvalue == pytest.approx(
        of([0.1] * 50, bounds=(-0.5, 0.5)).pvalue, rel=1e-9
    )
