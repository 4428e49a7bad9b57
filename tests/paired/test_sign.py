from __future__ import annotations

import itertools
import math
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from evalstats._ranks import differences
from evalstats.examples import example_table
from evalstats.paired.sign import SignTestResult, sign_test, wins_and_losses

ALTERNATIVES = ["two-sided", "less", "greater"]

# Japkowicz, Machine Learning Evaluation, slide 48: accuracy (%), critical number of wins for n = 10, one-tailed, .05
TUTORIAL_CRITICAL_WINS = 8
# the exact ones of 5 to 50 datasets; published tables, like the tutorial's, are of the normal approximation
CRITICAL_WINS = [
    5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 16, 17, 18, 18, 19, 19, 20, 20, 21, 22, 22,
    23, 23, 24, 24, 25, 26, 26, 27, 27, 28, 28, 29, 30, 30, 31, 31, 32,
]  # fmt: skip
# Raeder, Hoens & Chawla (2010), Table II, iterations 216 and 459: 16 and 5 of 18 wins
RAEDER_PVALUES = {"216": 2 * (1 + 18 + 153) / 2**18, "459": 0.09625244140625}


def record(n_wins: int, n_losses: int, n_ties: int = 0, **choices: str) -> SignTestResult:
    """Test a sample with these counts."""
    x = np.repeat([1, -1, 0], [n_wins, n_losses, n_ties])
    return sign_test(x, np.zeros_like(x), **choices)


def enumerated_pvalue(wins: int, n: int, alternative: str) -> Fraction:
    """Share of all 2^n outcomes that are as extreme as this one: the definition."""
    outcomes = [sum(outcome) for outcome in itertools.product((0, 1), repeat=n)]
    upper = Fraction(sum(w >= wins for w in outcomes), 2**n)
    lower = Fraction(sum(w <= wins for w in outcomes), 2**n)
    return {"greater": upper, "less": lower, "two-sided": min(Fraction(1), 2 * min(upper, lower))}[alternative]


def exact_cdf(k: int, n: int) -> Fraction:
    """P(X <= k) for X binomial (n, 1/2), in whole numbers."""
    return Fraction(sum(comb(n, i) for i in range(k + 1)), 2**n)


def log_factorial(n: int) -> Decimal:
    """Stirling's series; the first term left out is below 1e-40 for n > 10^6."""
    m = Decimal(n)
    two_pi = Decimal("6.2831853071795864769252867665590057683943388")
    return m * m.ln() - m + (two_pi * m).ln() / 2 + 1 / (12 * m) - 1 / (360 * m**3) + 1 / (1260 * m**5)


def test_three_wins_and_a_loss_by_hand() -> None:
    """(4 over 3) + (4 over 4) of 16 outcomes are as good, and as many are as bad."""
    result = sign_test([5, 6, 7, 1], [4, 4, 4, 4])

    assert (result.statistic, result.pvalue) == (3.0, 10 / 16)
    assert (result.n_wins, result.n_losses, result.n_ties, result.n_pairs) == (3, 1, 0, 4)


def test_tutorial_counts_split_ties() -> None:
    """Slide 48: naive Bayes 4.5, SVM 5.5; the tie on Contact Lenses is shared."""
    nb, svm, _, _ = example_table("japkowicz-accuracy").scores.T

    assert sign_test(nb, svm, ties="split").statistic == 4.5
    assert sign_test(svm, nb, ties="split").statistic == 5.5


def test_tutorial_counts_of_adaboost_must_add_up_to_ten() -> None:
    """Slide 48 prints 1 and 8.5; half a tie is missing."""
    _, _, adaboost, forest = example_table("japkowicz-accuracy").scores.T

    assert sign_test(adaboost, forest, ties="split").statistic == 1.5
    assert sign_test(forest, adaboost, ties="split").statistic == 8.5
    assert sign_test(adaboost, forest).pvalue == 0.0390625


def test_critical_number_of_wins_at_ten_datasets_is_nine() -> None:
    """The tutorial's 8 has the one-sided p-value .0547."""
    assert record(TUTORIAL_CRITICAL_WINS, 2, alternative="greater").pvalue == 56 / 1024
    assert record(9, 1, alternative="greater").pvalue == 11 / 1024


def test_critical_numbers_of_wins() -> None:
    """One-tailed, .05, 5 to 50 datasets: the smallest whose p-value is not above .05, by the binomial distribution."""
    for n, wins in enumerate(CRITICAL_WINS, start=5):
        assert record(wins, n - wins, alternative="greater").pvalue <= 0.05, n
        assert record(wins - 1, n - wins + 1, alternative="greater").pvalue > 0.05, n


@pytest.mark.parametrize("seed", RAEDER_PVALUES)
def test_raeder_table_2(seed: str) -> None:
    c45, hddt = example_table(f"raeder-2010-seed-{seed}").scores.T

    assert sign_test(c45, hddt).pvalue == RAEDER_PVALUES[seed]


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "pvalue"),
    [(9, 1, 0, 22 / 1024), (5, 0, 0, 2 / 32), (4, 0, 6, 2 / 16), (0, 4, 6, 2 / 16), (0, 0, 10, 1)],
)
def test_numbers_that_other_programs_get_wrong(wins: int, losses: int, ties: int, pvalue: float) -> None:
    """A strict inequality gives .00195 for 9 of 10 and 0 for 5 of 5; ties treated as losses give .754 for 4 of 4."""
    assert record(wins, losses, ties).pvalue == pvalue


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", range(1, 11))
def test_pvalue_is_a_share_of_all_outcomes(n: int, alternative: str) -> None:
    for wins in range(n + 1):
        expected = float(enumerated_pvalue(wins, n, alternative))

        assert record(wins, n - wins, alternative=alternative).pvalue == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("n", [100, 1001, 3000])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.45, 0.49, 0.5])
def test_pvalue_is_exact_far_into_the_tail(n: int, share: float) -> None:
    losses = int(n * share)
    expected = exact_cdf(losses, n)

    pvalue = record(n - losses, losses, alternative="greater").pvalue

    # ratio in whole numbers: the smallest of these p-values are below the smallest float
    assert pvalue == pytest.approx(float(expected), rel=1e-13)
    assert pvalue > 0 or expected < Fraction(1, 2**1074)


@pytest.mark.parametrize(("losses", "n"), [(498_500, 1_000_000), (1_480_000, 3_000_001)])
def test_pvalue_is_exact_for_millions_of_datasets(losses: int, n: int) -> None:
    """The largest term of the tail by Stirling's series in 40 digits, the others as multiples of it."""
    with localcontext(prec=40):
        log_largest = log_factorial(n) - log_factorial(losses) - log_factorial(n - losses) - n * Decimal(2).ln()
        largest = float(log_largest.exp())
    multiples = np.cumprod([i / (n - i + 1) for i in range(losses, losses - 20_000, -1)])

    pvalue = record(n - losses, losses, alternative="greater").pvalue

    assert pvalue == pytest.approx(largest * (1 + math.fsum(multiples)), rel=1e-12)


@pytest.mark.parametrize("ties", range(6))
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_split_ties_count_for_both_and_an_odd_one_for_neither(ties: int, alternative: str) -> None:
    half = ties // 2

    split = record(5, 2, ties, ties="split", alternative=alternative)

    assert split.pvalue == record(5 + half, 2 + half, alternative=alternative).pvalue
    assert split.statistic == 5 + ties / 2


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 20))
def test_split_ties_speak_for_the_null_hypothesis(wins: int, losses: int, ties: int) -> None:
    if wins + losses + ties:
        dropped, split = record(wins, losses, ties), record(wins, losses, ties, ties="split")

        assert split.pvalue >= dropped.pvalue * (1 - 1e-14)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5), st.sampled_from(ALTERNATIVES))
def test_pvalue_lies_between_the_smallest_and_one(wins: int, losses: int, ties: int, alternative: str) -> None:
    if wins + losses + ties:
        for choice in ("drop", "split"):
            result = record(wins, losses, ties, ties=choice, alternative=alternative)

            assert 0 < result.min_attainable_pvalue <= result.pvalue <= 1


def test_five_datasets_cannot_reach_five_percent() -> None:
    assert record(3, 2).min_attainable_pvalue == 2 / 32
    assert record(3, 2, alternative="less").min_attainable_pvalue == 1 / 32
    assert record(3, 0, 2, ties="split").min_attainable_pvalue == record(3, 0, 2, ties="split").pvalue == 2 * 6 / 32


def test_only_who_wins_counts() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 30))

    expected = tuple(sign_test(x, y))

    assert tuple(sign_test(np.exp(9 * x), np.exp(9 * y))) == expected
    assert tuple(sign_test(x * 1e300, y * 1e300)) == expected


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("wins", "losses"), [(8, 1), (1, 8), (5, 5), (60, 41), (3000, 2900)])
def test_limits_are_where_the_tail_has_the_probability_left(wins: int, losses: int, alternative: str) -> None:
    """Clopper & Pearson's definition."""
    n, tail = wins + losses, 0.1 if alternative != "two-sided" else 0.05

    low, high = record(wins, losses, alternative=alternative).confidence_interval(0.9)

    assert (low, alternative) == (0, "less") or stats.binom.sf(wins - 1, n, low) == pytest.approx(tail, rel=1e-9)
    assert (high, alternative) == (1, "greater") or stats.binom.cdf(wins, n, high) == pytest.approx(tail, rel=1e-9)


def test_interval_of_all_wins_by_hand() -> None:
    """The lower limit q has q^n = .025, the upper is certain."""
    low, high = record(10, 0).confidence_interval()

    assert low == pytest.approx(0.025 ** (1 / 10), rel=1e-14)
    assert high == 1


@given(st.integers(0, 50), st.integers(0, 50), st.sampled_from(ALTERNATIVES), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_interval_leaves_out_one_half_where_the_test_rejects(
    wins: int, losses: int, alternative: str, level: float
) -> None:
    """Two roads to one decision."""
    if wins + losses:
        result = record(wins, losses, alternative=alternative)
        low, high = result.confidence_interval(level)

        assert (low <= 0.5 <= high) == (result.pvalue > 1 - level)


def test_interval_mirrors_when_the_samples_are_swapped() -> None:
    low, high = record(7, 3).confidence_interval()
    mirrored_low, mirrored_high = record(3, 7).confidence_interval()

    assert (1 - high, 1 - low) == pytest.approx((mirrored_low, mirrored_high), rel=1e-14)


@pytest.mark.parametrize("ties", ["drop", "split"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_nothing_is_known_where_no_pair_is_decided(alternative: str, ties: str) -> None:
    """Split ties alone are not evidence, on whichever side."""
    result = sign_test([1, 2, 3, 4], [1, 2, 3, 4], alternative=alternative, ties=ties)

    assert (result.pvalue, result.min_attainable_pvalue) == (1, 1)
    assert "equal in every pair" in result.reason
    assert np.isnan(result.win_probability)
    assert tuple(result.confidence_interval()) == (0, 1)


def test_ties_are_equal_to_twelve_digits_unless_told_otherwise() -> None:
    x, y = [0.1 + 0.2, 0.5, 0.9], [0.3, 0.4, 0.8]

    assert sign_test(x, y).n_ties == 1
    assert sign_test(x, y, tie_tolerance=0).n_ties == 0
    assert sign_test(x, y, tie_tolerance=0.1).n_ties == 1
    assert sign_test([0.84], [0.86], tie_tolerance=0.1).tie_tolerance == 0.1


@given(
    st.lists(
        st.tuples(st.floats(-1e6, 1e6), st.sampled_from([0, 1e-16, 4e-13, 6e-13, 1e-12, 1e-9, 4e-4, 0.04, 0.4, 1])),
        min_size=1,
    ),
    st.sampled_from([1e-12, 1e-9, 1e-3, 0.1]),
)
@example([(10.0, 0), (8.9e-308, 4e-13)], 0.1)
def test_ties_are_those_of_the_rounded_differences(pairs: list[tuple[float, float]], tolerance: float) -> None:
    """The short cut for differences that are clearly not ties changes nothing."""
    x = np.array([value for value, _ in pairs])
    y = np.array([value * (1 + noise) for value, noise in pairs])
    d = differences(x, y, tolerance)

    result = sign_test(x, y, tie_tolerance=tolerance)

    assert (result.n_wins, result.n_losses) == ((d > 0).sum(), (d < 0).sum())


def test_batch_has_the_interval_of_each_member() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 3, (2, 4, 3, 8))
    x[0, 0] = y[0, 0]

    batch = sign_test(x, y, alternative="less")
    low, high = batch.confidence_interval()

    assert batch.win_probability.shape == (4, 3)
    assert batch.n_pairs == 8
    for at in np.ndindex(4, 3):
        member = sign_test(x[at], y[at], alternative="less")
        assert (low[at], high[at]) == tuple(member.confidence_interval())
        assert batch.min_attainable_pvalue[at] == member.min_attainable_pvalue


def test_unknown_treatment_of_ties_is_refused() -> None:
    with pytest.raises(ValueError, match="ties must be 'drop' or 'split' or 'keep', not 'half'"):
        sign_test([1], [2], ties="half")


# real-statistics.com/non-parametric-tests/trinomial-test, example 1, prints .049, and .070 for the sign test
REAL_STATISTICS = {"keep": 0.049, "drop": 0.070}


@pytest.mark.parametrize("ties", REAL_STATISTICS)
def test_seven_wins_a_loss_and_two_ties(ties: str) -> None:
    assert round(record(7, 1, 2, ties=ties).pvalue, 3) == REAL_STATISTICS[ties]


def test_a_kept_tie_by_hand() -> None:
    """Of 9 outcomes of two pairs that tie half the time, two wins weigh 1, a win and a tie 2 x 2, of 16."""
    result = record(1, 0, 1, ties="keep", alternative="greater")

    assert (result.statistic, result.method) == (1.0, "trinomial")
    assert result.pvalue == result.min_attainable_pvalue == pytest.approx(5 / 16, rel=1e-15)


def test_without_ties_to_keep_the_test_is_binomial() -> None:
    for wins in range(11):
        for alternative in ALTERNATIVES:
            kept = record(wins, 10 - wins, ties="keep", alternative=alternative).pvalue

            assert kept == pytest.approx(record(wins, 10 - wins, alternative=alternative).pvalue, rel=1e-14)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 40])
def test_kept_ties_never_go_below_a_win_of_every_pair(n: int) -> None:
    """So that the smallest p-value of a table is that without ties."""
    smallest = [record(n - t, 0, t, ties="keep").min_attainable_pvalue for t in range(n)]

    assert min(smallest) == smallest[0]


def rejection_rates(n: int, ties: str, level: float, tie_probabilities: np.ndarray) -> np.ndarray:
    """Return the exact rejection rates of the two-sided test over all outcomes of n pairs."""
    wins, losses = np.array([(w, m) for w in range(n + 1) for m in range(n + 1 - w)]).T
    i = np.arange(n)
    x = np.where(i < wins[:, None], 1, np.where(i < (wins + losses)[:, None], -1, 0))
    rejected = sign_test(x, np.zeros(n), ties=ties).pvalue <= level
    q = tie_probabilities[:, None]
    outcomes = np.stack([wins, losses, n - wins - losses], axis=-1)
    chances = np.concatenate([(1 - q) / 2, (1 - q) / 2, q], axis=1)
    return stats.multinomial.pmf(outcomes[rejected][None], n, chances[:, None]).sum(axis=1)


def test_rejection_rates_on_the_page_are_exact() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "paired" / "sign.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (0\.\d) \| ([\d.]+)% \| ([\d.]+)% \| ([\d.]+)% \|$", page, re.MULTILINE)

    assert len(rows) == 6
    for n, q, *shown in rows:
        rates = [rejection_rates(int(n), ties, 0.05, np.array([float(q)]))[0] for ties in ("keep", "drop", "split")]
        assert [f"{100 * rate:.1f}" for rate in rates] == shown


@pytest.mark.long
def test_largest_rejection_rates_on_the_page_are_exact() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "paired" / "sign.md").read_text(encoding="utf-8")
    words = r"At the 5% level, .{,80} at most ([\d.]+)%\. At the 1% level, .{,40} at most ([\d.]+)%"
    shown = re.search(words, " ".join(page.split())).groups()

    for level, told in zip((0.05, 0.01), shown, strict=True):
        rates = [rejection_rates(n, "keep", level, np.arange(100) / 100).max() for n in (*range(4, 41), 60, 100)]
        assert f"{100 * max(rates):.2f}" == told


def test_confidence_level_must_be_a_proportion() -> None:
    with pytest.raises(ValueError, match="confidence_level must lie between 0 and 1, not 95"):
        sign_test([1], [2]).confidence_interval(95)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_a_pvalue_below_all_floats_is_not_zero(alternative: str) -> None:
    result = sign_test(np.ones(2000), np.zeros(2000), alternative=alternative)

    assert result.pvalue == result.min_attainable_pvalue == math.ulp(0.0)


def test_one_large_score_makes_no_ties_of_small_ones() -> None:
    """Small differences are looked for beside the largest score of all, and judged beside their own."""
    x, y = np.array([1e15, 2e-5, 3e-5, 4e-5]), np.array([2e15, 1e-5, 3e-5 * (1 + 1e-15), 5e-5])

    assert [int(n) for n in wins_and_losses(x, y, 1e-12)] == [1, 2]
    assert [int(n) for n in wins_and_losses(x[1:], y[1:], 1e-12)] == [1, 1]
