from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

import evalstats
from evalstats import InvalidValueError, mcnemar_test, sign_test
from evalstats.paired import mcnemar
from evalstats.paired.mcnemar import McNemarTestResult

ALTERNATIVES = ["two-sided", "less", "greater"]
METHODS = ["exact", "midp", "asymptotic"]
MIRRORED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}

X = [1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1]
Y = [0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1]

# Fagerland, Lydersen & Laake (2017), Statistical Analysis of Contingency Tables, chapter 8: airway hyper-responsiveness
# before and after stem cell transplantation (Bentur et al. 2009), complete response before and after consolidation
# therapy (Cavo et al. 2012)
BENTUR = [[1, 1], [7, 12]]
CAVO = [[59, 6], [16, 80]]

tables = st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any).map(lambda v: np.reshape(v, (2, 2)))
any_method = pytest.mark.parametrize("method", METHODS)
any_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)


def discordant(only_x: int, only_y: int, **choices: Any) -> McNemarTestResult:
    return mcnemar_test(counts=[[3, only_x], [only_y, 4]], **choices)


def enumerated_pvalue(b: int, n: int, alternative: str, method: str) -> Fraction:
    """Share of all 2^n ways to be right in n discordant cases; the mid-p counts by half what was observed."""
    at = Fraction(1) if method == "exact" else Fraction(1, 2)
    counts = [sum(outcome) for outcome in itertools.product((0, 1), repeat=n)]
    greater = (sum(w > b for w in counts) + at * sum(w == b for w in counts)) / 2**n
    less = (sum(w < b for w in counts) + at * sum(w == b for w in counts)) / 2**n
    return {"greater": greater, "less": less, "two-sided": min(Fraction(1), 2 * min(greater, less))}[alternative]


def constrained_variance(b: int, c: int, n: int, difference: float) -> float:
    """Variance of b - c at the most likely multinomial probabilities with this difference, by maximisation."""

    def minus_log_likelihood(only_y: float) -> float:
        cells = (only_y + difference, only_y, 1 - 2 * only_y - difference)
        return -sum(k * math.log(max(p, 1e-300)) for k, p in zip((b, c, n - b - c), cells, strict=True) if k)

    least, most = max(0.0, -difference), (1 - difference) / 2
    best = optimize.minimize_scalar(
        minus_log_likelihood, bounds=(least, most), method="bounded", options={"xatol": 1e-13}
    ).x
    best = min((least, best, most), key=minus_log_likelihood)
    return n * (2 * best + difference - difference**2)


def tango_by_definition(b: int, c: int, n: int, level: float) -> tuple[float, float]:
    """Find the differences at which the squared score statistic is the quantile of chi-squared."""
    z = stats.norm.isf((1 - level) / 2)

    def excess(difference: float, sign: int) -> float:
        deviation = math.sqrt(max(constrained_variance(b, c, n, difference), 0))
        return b - c - n * difference - sign * z * deviation

    observed, edge = (b - c) / n, 1e-9
    low = optimize.brentq(excess, -1 + edge, observed - edge, args=(1,)) if c < n else -1.0
    high = optimize.brentq(excess, observed + edge, 1 - edge, args=(-1,)) if b < n else 1.0
    return low, high


def newcombe_by_definition(table: Any, level: float) -> tuple[float, float]:
    """Put together, by method 10, the roots of (p - theta)^2 = z^2 theta (1 - theta) / n."""
    (a, b), (c, d) = np.asarray(table).tolist()
    n, z2 = a + b + c + d, stats.norm.isf((1 - level) / 2) ** 2

    def wilson(p: float) -> tuple[float, float]:
        low, high = sorted(np.roots([1 + z2 / n, -2 * p - z2 / n, p * p]).real)
        return low, high

    p1, p2 = (a + b) / n, (a + c) / n
    (l1, u1), (l2, u2) = wilson(p1), wilson(p2)
    numerator = a * d - b * c
    if numerator > 0:
        numerator = max(numerator - n / 2, 0)
    product = (a + b) * (c + d) * (a + c) * (b + d)
    phi = numerator / math.sqrt(product) if product else 0
    delta = math.sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
    epsilon = math.sqrt((u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2)
    return p1 - p2 - delta, p1 - p2 + epsilon


def test_five_cases_against_none_by_hand() -> None:
    """One of 32 outcomes is as good, and one is as bad; the mid-p counts them by half."""
    x, y = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]

    result = mcnemar_test(x, y)

    np.testing.assert_array_equal(result.table, [[3, 5], [0, 2]])
    assert (result.statistic, result.pvalue, result.difference) == (5.0, 2 / 32, 0.5)
    assert (result.n_instances, result.n_discordant, result.odds_ratio) == (10, 5, math.inf)
    assert mcnemar_test(x, y, method="midp").pvalue == 1 / 32
    assert mcnemar_test(x, y, method="asymptotic").statistic == 16 / 5


@pytest.mark.parametrize(
    ("table", "method", "correction", "pvalue"),
    [
        (BENTUR, "exact", True, 18 / 256),
        (BENTUR, "midp", True, 10 / 256),
        (BENTUR, "asymptotic", False, 0.0339),
        (BENTUR, "asymptotic", True, 0.0771),
        (CAVO, "exact", True, 0.0525),
        (CAVO, "midp", True, 0.0347),
        (CAVO, "asymptotic", False, 0.0330),
        (CAVO, "asymptotic", True, 0.0550),
    ],
)
def test_published_tables(table: Any, method: str, correction: bool, pvalue: float) -> None:
    """Two tables of Fagerland, Lydersen & Laake: the four tests disagree about .05."""
    result = mcnemar_test(counts=table, method=method, correction=correction)

    assert result.pvalue == pytest.approx(pvalue, abs=5e-5)


@pytest.mark.parametrize(
    ("table", "method", "limits"),
    [
        # of the same book; the last two also stand in the tests of its R package contingencytables
        (BENTUR, "tango", (-0.517, -0.026)),
        (BENTUR, "newcombe", (-0.507, -0.026)),
        (CAVO, "newcombe", (-0.1186, -0.0046)),
        ([[1, 0], [0, 1]], "newcombe", (-0.5734, 0.5734)),
    ],
)
def test_published_intervals(table: Any, method: str, limits: tuple[float, float]) -> None:
    digits = max(len(str(limit).partition(".")[2]) for limit in limits)

    low, high = mcnemar_test(counts=table).confidence_interval(method=method)

    assert (round(low, digits), round(high, digits)) == limits


@any_alternative
@pytest.mark.parametrize("method", ["exact", "midp"])
@pytest.mark.parametrize("n", range(1, 10))
def test_pvalue_is_a_share_of_all_outcomes(n: int, method: str, alternative: str) -> None:
    for b in range(n + 1):
        expected = float(enumerated_pvalue(b, n, alternative, method))

        pvalue = discordant(b, n - b, method=method, alternative=alternative).pvalue

        assert pvalue == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("b", [0, 1, 30, 400, 480, 500])
def test_pvalue_is_exact_far_into_the_tail(b: int) -> None:
    """Sums of binomial coefficients in whole numbers, down to 1e-301: never a p of 0 where it is not."""
    n = 1000
    below, at = sum(comb(n, i) for i in range(b)), comb(n, b)

    assert discordant(b, n - b, alternative="less").pvalue == pytest.approx(
        float(Fraction(below + at, 2**n)), rel=1e-13
    )
    assert discordant(b, n - b, alternative="less", method="midp").pvalue == pytest.approx(
        float(Fraction(2 * below + at, 2 ** (n + 1))), rel=1e-13
    )


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50), st.sampled_from(ALTERNATIVES))
def test_exact_test_is_the_sign_test_of_correctness(cases: list[tuple[bool, bool]], alternative: str) -> None:
    """Two roads to one number: concordant cases are the sign test's ties."""
    x, y = np.array(cases).T

    here, there = mcnemar_test(x, y, alternative=alternative), sign_test(x, y, alternative=alternative)

    assert (here.pvalue, here.statistic) == pytest.approx((there.pvalue, there.statistic), rel=1e-14)


@given(tables, st.sampled_from(METHODS), st.booleans())
def test_smallest_pvalue_is_a_bound_that_is_reached(table: Any, method: str, correction: bool) -> None:
    choices = {"method": method, "correction": correction}
    n = int(table[0, 1] + table[1, 0])

    smallest = mcnemar_test(counts=table, **choices).min_attainable_pvalue

    pvalues = [discordant(b, n - b, **choices).pvalue for b in range(n + 1)]
    assert smallest == min(pvalues)


@given(tables)
def test_midp_lies_between_exact_and_half_of_it(table: Any) -> None:
    exact, midp = mcnemar_test(counts=table), mcnemar_test(counts=table, method="midp")

    assert exact.pvalue / 2 <= midp.pvalue <= exact.pvalue


@any_method
@pytest.mark.parametrize("correction", [True, False])
@pytest.mark.parametrize("n", [1, 5, 24])
def test_as_many_against_as_many_give_p_one(n: int, correction: bool, method: str) -> None:
    """The correction never exceeds what it corrects: 5 against 5 are not .752, as in statsmodels and mlxtend."""
    result = discordant(n, n, method=method, correction=correction)

    assert result.pvalue == 1
    assert method != "asymptotic" or result.statistic == 0


@any_method
@any_alternative
def test_identical_classifiers_give_p_one_and_a_reason(method: str, alternative: str) -> None:
    """Not 0, as in statsmodels and mlxtend, nor an error, as in pingouin."""
    result = mcnemar_test(counts=[[10, 0], [0, 10]], method=method, alternative=alternative)

    assert (result.pvalue, result.statistic, result.difference, result.min_attainable_pvalue) == (1.0, 0.0, 0.0, 1.0)
    assert math.isnan(result.odds_ratio)
    assert "no discordant instances" in result.reason
    assert tuple(result.odds_ratio_interval()) == (0.0, math.inf)


def test_interval_without_discordant_cases_still_has_a_width() -> None:
    """Tango's limits are then z^2 / (n + z^2): for many cases the rule of 3.84 / n."""
    z2 = stats.norm.isf(0.025) ** 2

    low, high = mcnemar_test(counts=[[900, 0], [0, 100]]).confidence_interval()

    assert (low, high) == pytest.approx((-z2 / (1000 + z2), z2 / (1000 + z2)), rel=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(
    ("b", "c", "rest"),
    [(1, 7, 13), (6, 16, 139), (0, 3, 20), (5, 0, 0), (0, 0, 9), (1, 0, 0), (40, 40, 1), (2, 1, 900)],
)
def test_tango_interval_is_the_inverted_score_test(b: int, c: int, rest: int, level: float) -> None:
    expected = tango_by_definition(b, c, b + c + rest, level)

    interval = mcnemar_test(counts=[[rest, b], [c, 0]]).confidence_interval(level)

    assert tuple(interval) == pytest.approx(expected, abs=2e-7)


@given(tables, st.sampled_from([0.5, 0.9, 0.99]))
def test_newcombe_interval_is_square_and_add(table: Any, level: float) -> None:
    expected = newcombe_by_definition(table, level)

    interval = mcnemar_test(counts=table).confidence_interval(level, method="newcombe")

    assert tuple(interval) == pytest.approx(np.clip(expected, -1, 1), abs=1e-7)


@given(tables, st.sampled_from(["tango", "newcombe"]), st.floats(0.001, 0.999))
def test_interval_brackets_the_difference_within_its_range(table: Any, method: str, level: float) -> None:
    result = mcnemar_test(counts=table)

    low, high = result.confidence_interval(level, method=method)

    assert -1 <= low <= result.difference + 1e-15
    assert result.difference - 1e-15 <= high <= 1


@given(tables)
def test_tango_interval_leaves_out_zero_where_the_score_test_rejects(table: Any) -> None:
    result = mcnemar_test(counts=table, method="asymptotic", correction=False)

    low, high = result.confidence_interval(0.9)

    assert (low > 0 or high < 0) == (result.pvalue < 0.1)


@given(tables, st.sampled_from(ALTERNATIVES))
def test_odds_ratio_interval_leaves_out_one_where_the_exact_test_rejects(table: Any, alternative: str) -> None:
    result = mcnemar_test(counts=table, alternative=alternative)

    low, high = result.odds_ratio_interval(0.9)

    assert (low > 1 or high < 1) == (result.pvalue < 0.1)


@given(tables, st.sampled_from(["tango", "newcombe"]), st.floats(0.01, 0.99))
def test_one_sided_intervals_are_ends_of_a_two_sided_one(table: Any, method: str, level: float) -> None:
    """Also below the level of one half, where both limits lie on the other side of the difference."""
    less, greater = (
        mcnemar_test(counts=table, alternative=a).confidence_interval(level, method=method) for a in ("less", "greater")
    )

    assert (less.low, greater.high) == (-1, 1)
    if level > 0.5:
        both = mcnemar_test(counts=table).confidence_interval(2 * level - 1, method=method)
        assert (greater.low, less.high) == pytest.approx(tuple(both), abs=1e-12)
    else:
        difference = mcnemar_test(counts=table).difference
        assert less.high <= difference + 1e-15
        assert greater.low >= difference - 1e-15


@any_method
@any_alternative
@pytest.mark.parametrize("interval", ["tango", "newcombe"])
def test_swapping_x_and_y_mirrors_the_result(method: str, alternative: str, interval: str) -> None:
    here = mcnemar_test(X, Y, method=method, alternative=alternative)
    there = mcnemar_test(Y, X, method=method, alternative=MIRRORED[alternative])

    low, high = here.confidence_interval(method=interval)
    assert (there.pvalue, there.min_attainable_pvalue) == (here.pvalue, here.min_attainable_pvalue)
    assert there.difference == -here.difference
    assert tuple(there.confidence_interval(method=interval)) == (-high, -low)
    low, high = here.odds_ratio_interval()
    assert there.odds_ratio_interval().high == (math.inf if low == 0 else pytest.approx(1 / low, rel=1e-14))


@any_method
def test_statistic_does_not_depend_on_the_alternative(method: str) -> None:
    assert len({mcnemar_test(X, Y, method=method, alternative=a).statistic for a in ALTERNATIVES}) == 1


@any_method
def test_one_sided_pvalues_point_the_right_way(method: str) -> None:
    """'greater' means that x is right more often, and here it is."""
    greater, less = (mcnemar_test(X, Y, method=method, alternative=a).pvalue for a in ("greater", "less"))

    assert greater < 0.5 < less


@given(tables, st.booleans())
def test_one_sided_chi_squared_is_its_signed_root(table: Any, correction: bool) -> None:
    """Both sides add up to 1, and twice the smaller one is the p-value of chi-squared."""
    b, c = int(table[0, 1]), int(table[1, 0])
    choices = {"method": "asymptotic", "correction": correction}
    two, less, greater = (discordant(b, c, alternative=a, **choices) for a in ALTERNATIVES)

    assert two.pvalue == pytest.approx(float(stats.chi2.sf(two.statistic, 1)), rel=1e-12)
    if b + c:
        assert less.pvalue + greater.pvalue == pytest.approx(1, rel=1e-15)
        assert two.pvalue == pytest.approx(2 * min(less.pvalue, greater.pvalue), rel=1e-15)


@any_method
@any_alternative
def test_batch_equals_the_loop_over_its_members(method: str, alternative: str) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.random((2, 4, 3, 9)) < 0.6
    x[0, 0] = y[0, 0]

    batch = mcnemar_test(x, y, method=method, alternative=alternative)

    intervals = [batch.confidence_interval(0.9), batch.confidence_interval(method="newcombe")]
    for at in np.ndindex(4, 3):
        member = mcnemar_test(x[at], y[at], method=method, alternative=alternative)
        np.testing.assert_array_equal(batch.table[at], member.table)
        for field in (
            "statistic",
            "pvalue",
            "difference",
            "odds_ratio",
            "min_attainable_pvalue",
            "n_discordant",
            "n_instances",
        ):
            np.testing.assert_array_equal(getattr(batch, field)[at], getattr(member, field))
        assert (batch.method[at], batch.reason[at]) == (member.method, member.reason)
        alone = [member.confidence_interval(0.9), member.confidence_interval(method="newcombe")]
        assert [(i.low[at], i.high[at]) for i in intervals] == [tuple(i) for i in alone]
        assert batch.odds_ratio_interval().high[at] == member.odds_ratio_interval().high


@pytest.mark.parametrize(
    ("of_x", "of_y"),
    [
        ((), ()),
        ((5, 1), (1, 4)),
        ((5, 1), (4,)),
        ((), (3, 2)),
        ((3, 5, 1), (3, 1, 4)),
        ((1, 5), (6, 1)),
        ((2, 1), (2, 3)),
    ],
)
def test_leading_axes_broadcast(of_x: tuple[int, ...], of_y: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The products of matrices, in blocks, count what counting the broadcast arrays counts."""
    monkeypatch.setattr(mcnemar, "BLOCK", 4)
    rng = np.random.default_rng(5)
    x, y = rng.random((*of_x, 11)) < 0.7, rng.random((*of_y, 11)) < 0.5

    table = mcnemar_test(x, y).table

    expected = np.stack([(x & y).sum(-1), (x & ~y).sum(-1), (~x & y).sum(-1), (~x & ~y).sum(-1)], axis=-1)
    np.testing.assert_array_equal(table, expected.reshape(*expected.shape[:-1], 2, 2))


def test_all_pairs_are_one_call() -> None:
    """The rows of one array against themselves, and against others of the same shape."""
    right = np.random.default_rng(6).random((6, 50)) < 0.7

    batch, turned = mcnemar_test(right[:, None], right[None]), mcnemar_test(right[:, None], right[None, ::-1])

    assert batch.pvalue.shape == (6, 6)
    for i, j in itertools.product(range(6), repeat=2):
        member = mcnemar_test(right[i], right[j])
        np.testing.assert_array_equal(batch.table[i, j], member.table)
        np.testing.assert_array_equal(turned.table[i, 5 - j], member.table)
        assert batch.pvalue[i, j] == member.pvalue


def test_counts_of_many_cases_are_exact() -> None:
    """More cases than a number of single precision can count."""
    n = 2**24 + 3
    x = np.ones(n, dtype=bool)

    np.testing.assert_array_equal(mcnemar_test(x, x).table, [[n, 0], [0, 0]])


def test_from_counts_is_the_test_of_the_cases() -> None:
    cases = mcnemar_test(X, Y, method="midp", alternative="greater")

    counts = mcnemar_test(counts=cases.table, method="midp", alternative="greater")

    assert cases.to_dict() == counts.to_dict()


def test_one_problem_gives_plain_numbers() -> None:
    result = mcnemar_test(X, Y)

    kinds = [type(getattr(result, field)) for field in ("statistic", "pvalue", "difference", "odds_ratio", "method")]
    assert kinds == [float, float, float, float, str]
    assert (type(result.n_instances), type(result.n_discordant), result.reason) == (int, int, None)


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "correction", "size"),
    [("exact", True, 0.0296), ("midp", True, 0.0448), ("asymptotic", True, 0.0286), ("asymptotic", False, 0.0532)],
)
def test_how_often_a_true_null_hypothesis_is_rejected_at_five_percent(
    method: str, correction: bool, size: float
) -> None:
    """200 cases of which 24 on average are discordant: the mid-p spends what it may, the exact test does not."""
    n, discordance = 200, 0.12
    tables = np.array([[[n - k, b], [k - b, 0]] for k in range(n + 1) for b in range(k + 1)])
    chances = [stats.binom.pmf(k, n, discordance) * stats.binom.pmf(range(k + 1), k, 0.5) for k in range(n + 1)]

    pvalue = mcnemar_test(counts=tables, method=method, correction=correction).pvalue

    assert np.concatenate(chances)[pvalue <= 0.05].sum() == pytest.approx(size, abs=5e-5)


@pytest.mark.parametrize("make", [np.array, pd.Series, tuple, lambda v: np.array(v, dtype=object)])
def test_booleans_and_whole_numbers_will_do(make: Any) -> None:
    expected = mcnemar_test(X, Y).to_dict()

    assert mcnemar_test(make(X), make(Y)).to_dict() == expected
    assert mcnemar_test(make([bool(v) for v in X]), make([bool(v) for v in Y])).to_dict() == expected
    assert mcnemar_test(np.array(X, dtype=np.int8), np.array(Y, dtype=bool)).to_dict() == expected


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([0.9, 1], [1, 0], "x must be boolean, or the integers 1 (correct) and 0 (incorrect), but x[0] is 0.9"),
        ([1, 0], [1.0, 0.0], "the integers 1 (correct) and 0 (incorrect), but y[0] is 1.0"),
        ([1, 0], [1, 2], "but y[1] is 2"),
        ([1, -1], [1, 0], "but x[1] is -1"),
        ([True, np.nan], [1, 0], "but x[1] is nan"),
        ([[1, 0], [0, 3]], [1, 0], "but x[1, 1] is 3"),
        (pd.array([True, None], dtype="boolean"), [1, 0], "x must be numbers, but x[1] is <NA>"),
        (["yes", "no"], [1, 0], "x must be numbers, but x[0] is 'yes'"),
        ([1, None], [1, 0], "x must be numbers, but x[1] is None"),
        ([1, 0, 1], [1, 0], "x and y must be paired: x has 3 values, y has 2"),
        ([], [], "x and y must have at least 1 pair"),
        (True, False, "x must have at least one axis"),
        (np.ones((2, 3), dtype=bool), np.ones((3, 3), dtype=bool), "leading axes of x and y must broadcast"),
        (np.ma.masked_array([True, False], [False, True]), [1, 0], "x[1] is masked"),
        (pd.Series([True, False], index=[0, 1]), pd.Series([True, False], index=[1, 0]), "equal indexes"),
    ],
)
def test_bad_cases_are_refused_with_the_value(x: Any, y: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        mcnemar_test(x, y)

    assert isinstance(caught.value, evalstats.EvalstatsError)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, -5], [2, 3]], "counts must hold whole numbers from 0 to 2^50, but counts[0, 1] is -5"),
        ([[1, 2.5], [2, 3]], "but counts[0, 1] is 2.5"),
        ([[1, 2], [2, np.nan]], "counts must be finite, but counts[1, 1] is nan"),
        (np.ones((3, 3)), "counts must have the shape (..., 2, 2), but the shape is (3, 3)"),
        ([1, 2, 3, 4], "but the shape is (4,)"),
        (np.empty((0, 2, 2)), "but its shape is (0, 2, 2)"),
        ([[0, 0], [0, 0]], "counts must hold at least one instance, but the table is all 0"),
        ([[[0, 1], [0, 0]], [[0, 0], [0, 0]]], "but counts[1] is all 0"),
    ],
)
def test_bad_tables_are_refused_with_the_value(table: Any, message: str) -> None:
    with pytest.raises(ValueError, match="counts must") as caught:
        mcnemar_test(counts=table)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"alternative": "more"}, "alternative must be 'two-sided' or 'less' or 'greater', not 'more'"),
        ({"method": "chi2"}, "method must be 'exact' or 'midp' or 'asymptotic' or 'unconditional', not 'chi2'"),
        ({"correction": 1}, "correction must be True or False, not 1"),
    ],
)
def test_unknown_choices_are_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        mcnemar_test(X, Y, **choices)

    assert message in str(caught.value)


def swapped_pvalue(lead: list[int], alternative: str, method: str) -> float:
    """Share of all ways to swap x and y in whole groups; the mid-p counts by half what was observed."""
    at = 1 if method == "exact" else 0.5
    observed = sum(lead)
    sums = [
        sum(s * d for s, d in zip(signs, lead, strict=True)) for signs in itertools.product((-1, 1), repeat=len(lead))
    ]
    greater = sum((v > observed) + at * (v == observed) for v in sums) / len(sums)
    less = sum((v < observed) + at * (v == observed) for v in sums) / len(sums)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


def grouped(rng: np.random.Generator, n: int, n_clusters: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]:
    x, y, groups = rng.random(n) < 0.8, rng.random(n) < 0.5, rng.integers(0, n_clusters, n)
    lead = [int(x[groups == g].sum()) - int(y[groups == g].sum()) for g in np.unique(groups)]
    return x, y, groups, lead


class TestGroups:
    @any_alternative
    @pytest.mark.parametrize("method", ["exact", "midp"])
    def test_pvalue_is_a_share_of_all_swaps(self, method: str, alternative: str) -> None:
        for seed in range(8):
            x, y, groups, lead = grouped(np.random.default_rng(seed), 30, 9)

            result = mcnemar_test(x, y, clusters=groups, method=method, alternative=alternative)

            assert result.pvalue == pytest.approx(swapped_pvalue(lead, alternative, method), rel=1e-12)
            assert result.statistic == sum(d for d in lead if d > 0)
            best = [-abs(d) for d in lead] if alternative == "less" else [abs(d) for d in lead]
            assert result.min_attainable_pvalue == pytest.approx(swapped_pvalue(best, alternative, method), rel=1e-12)

    @pytest.mark.parametrize("correction", [False, True])
    def test_chi_squared_by_definition(self, correction: bool) -> None:
        x, y, groups, lead = grouped(np.random.default_rng(1), 200, 40)

        result = mcnemar_test(x, y, clusters=groups, method="asymptotic", correction=correction)

        expected = (abs(sum(lead)) - correction) ** 2 / sum(d * d for d in lead)
        assert result.statistic == pytest.approx(expected, rel=1e-14)
        assert result.pvalue == pytest.approx(float(stats.chi2.sf(expected, 1)), rel=1e-12)

    @any_method
    @any_alternative
    def test_groups_of_one_are_no_groups(self, method: str, alternative: str) -> None:
        here = mcnemar_test(X, Y, method=method, alternative=alternative)
        there = mcnemar_test(X, Y, method=method, alternative=alternative, clusters=list("lkjihgfedcba"))

        assert {**there.to_dict(), "n_clusters": None} == here.to_dict()

    @pytest.mark.parametrize("method", ["exact", "midp"])
    def test_copies_add_nothing(self, method: str) -> None:
        """Three copies of each case are no more evidence than one."""
        groups = np.repeat(np.arange(len(X)), 3)

        copied = mcnemar_test(np.repeat(X, 3), np.repeat(Y, 3), clusters=groups, method=method)

        assert copied.pvalue == mcnemar_test(X, Y, method=method).pvalue
        assert copied.n_discordant == 3 * mcnemar_test(X, Y).n_discordant

    @any_method
    @any_alternative
    def test_swapping_and_shuffling(self, method: str, alternative: str) -> None:
        rng = np.random.default_rng(2)
        x, y, groups, _ = grouped(rng, 60, 15)
        order = rng.permutation(60)
        here = mcnemar_test(x, y, clusters=groups, method=method, alternative=alternative)

        swapped = mcnemar_test(y, x, clusters=groups, method=method, alternative=MIRRORED[alternative])
        shuffled = mcnemar_test(x[order], y[order], clusters=groups[order], method=method, alternative=alternative)

        assert swapped.pvalue == pytest.approx(here.pvalue, rel=1e-13)
        assert shuffled.pvalue == here.pvalue

    def test_far_tail(self) -> None:
        """60 groups with a lead of 2 and 40 with a lead of 1, all for x: 2^-100."""
        lead = np.repeat([2, 1], [60, 40])
        x, groups = np.ones(lead.sum(), dtype=bool), np.repeat(np.arange(100), lead)

        assert mcnemar_test(x, ~x, clusters=groups, alternative="greater").pvalue == pytest.approx(2.0**-100, rel=1e-12)

    def test_batch_equals_the_loop(self) -> None:
        rng = np.random.default_rng(3)
        x, y, groups = rng.random((2, 3, 24)) < 0.7, rng.random((3, 24)) < 0.5, rng.integers(0, 7, 24)

        batch = mcnemar_test(x, y, clusters=groups)

        for at in np.ndindex(2, 3):
            member = mcnemar_test(x[at], y[at[1]], clusters=groups)
            assert (batch.statistic[at], batch.pvalue[at]) == (member.statistic, member.pvalue)
            assert batch.min_attainable_pvalue[at] == member.min_attainable_pvalue

    @any_method
    def test_no_lead_gives_p_one_and_a_reason(self, method: str) -> None:
        """One against one in each group, though four cases are discordant."""
        result = mcnemar_test([1, 0, 1, 0], [0, 1, 0, 1], clusters=["a", "a", "b", "b"], method=method)

        assert (result.pvalue, result.min_attainable_pvalue, result.n_discordant) == (1.0, 1.0, 4)
        assert "in every cluster" in result.reason

    def test_intervals_of_independent_cases_are_refused(self) -> None:
        result = mcnemar_test(X, Y, clusters=np.arange(12) // 2)

        with pytest.raises(ValueError, match=r"confidence_interval assumes independent instances, .* in 6 clusters"):
            result.confidence_interval()
        with pytest.raises(ValueError, match="odds_ratio_interval assumes independent instances"):
            result.odds_ratio_interval()

    @pytest.mark.parametrize(
        ("groups", "message"),
        [
            ([1, 2], "clusters must name one cluster for each of the 12 instances, but its shape is (2,)"),
            (np.zeros((12, 1), dtype=int), "its shape is (12, 1)"),
            ([None] + [1] * 11, "clusters must not contain missing labels, but clusters[0] is None"),
            ([math.nan] + [1.0] * 11, "clusters[0] is nan"),
        ],
    )
    def test_bad_groups_are_refused(self, groups: Any, message: str) -> None:
        with pytest.raises((ValueError, TypeError)) as caught:
            mcnemar_test(X, Y, clusters=groups)

        assert message in str(caught.value)

    def test_groups_with_another_index_are_refused(self) -> None:
        index = list("abcdefghijkl")

        with pytest.raises(ValueError, match="x and clusters must have equal indexes"):
            mcnemar_test(pd.Series(X, index=index), pd.Series(Y, index=index), clusters=pd.Series(range(12)))


def test_unknown_intervals_are_refused() -> None:
    result = mcnemar_test(X, Y)

    with pytest.raises(ValueError, match="method must be 'tango' or 'newcombe', not 'wald'"):
        result.confidence_interval(method="wald")
    with pytest.raises(ValueError, match="confidence_level must lie between 0 and 1, not 1"):
        result.odds_ratio_interval(1)


@pytest.mark.parametrize("method", ["exact", "midp", "asymptotic"])
def test_a_pvalue_below_all_floats_is_not_zero(method: str) -> None:
    """The exact one is 2^-1999."""
    result = mcnemar_test(counts=[[0, 2000], [0, 0]], method=method)

    assert result.pvalue == result.min_attainable_pvalue == math.ulp(0.0)


def test_labels_are_refused_with_the_call_that_is_meant() -> None:
    with pytest.raises(TypeError, match=r"call mcnemar_test\(a == y, b == y\)"):
        mcnemar_test([1, 0, 1], [1, 1, 0], [0, 1, 1])


def largest_share(b: int, c: int, n: int, alternative: str) -> float:
    """Largest probability of so large a root of chi-squared, over a fine grid of shares of discordant cases."""
    x, y = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    x, y = x[x + y <= n], y[x + y <= n]
    root = (x - y) / np.sqrt(np.maximum(x + y, 1))
    observed = (b - c) / math.sqrt(max(b + c, 1))
    as_far = {
        "greater": root >= observed - 1e-9,
        "less": root <= observed + 1e-9,
        "two-sided": abs(root) >= abs(observed) - 1e-9,
    }[alternative]
    share = np.linspace(0, 1, 4001)
    ways = Counter()
    for i, j in zip(x[as_far].tolist(), y[as_far].tolist(), strict=True):
        ways[i + j] += comb(n, i + j) * comb(i + j, i)
    return max(sum(w * (share / 2) ** m * (1 - share) ** (n - m) for m, w in ways.items()).tolist())


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("b", "c", "n"), [(1, 7, 21), (7, 1, 21), (2, 0, 2), (3, 3, 9), (0, 5, 12), (4, 2, 30)])
def test_unconditional_pvalue_is_the_largest_of_all_shares(b: int, c: int, n: int, alternative: str) -> None:
    result = mcnemar_test(counts=[[n - b - c, b], [c, 0]], method="unconditional", alternative=alternative)

    assert result.pvalue == pytest.approx(largest_share(b, c, n, alternative), rel=2e-6)
    assert result.statistic == pytest.approx((b - c) ** 2 / (b + c), rel=1e-15)


@pytest.mark.long
def test_unconditional_test_holds_its_level_and_rejects_more_often_than_the_conditional_one() -> None:
    """Summed over all tables of 40 cases, at every share of discordant cases."""
    n = 40
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    stacked = np.array([[[n - b - c, b], [c, 0]] for b, c in tables])
    rejects = {m: mcnemar_test(counts=stacked, method=m).pvalue <= 0.05 for m in ("exact", "unconditional")}
    counts = np.array([[b, c, n - b - c] for b, c in tables])
    for share in np.linspace(0.02, 0.98, 25):
        chance = stats.multinomial.pmf(counts, n, [share / 2, share / 2, 1 - share])
        level = {m: float(chance[r].sum()) for m, r in rejects.items()}

        assert level["exact"] <= level["unconditional"] <= 0.05


def test_unconditional_test_without_discordant_cases() -> None:
    result = mcnemar_test(counts=[[5, 0], [0, 5]], method="unconditional")

    assert (result.pvalue, result.min_attainable_pvalue, result.statistic) == (1, 1, 0)
    assert result.reason == mcnemar.NO_DISCORDANT_CASE


def test_smallest_unconditional_pvalue_is_that_of_all_discordant_cases() -> None:
    result = mcnemar_test(counts=[[10, 3], [2, 5]], method="unconditional")

    assert result.min_attainable_pvalue == mcnemar_test(counts=[[10, 5], [0, 5]], method="unconditional").pvalue


def test_unconditional_test_refuses_groups_and_many_cases() -> None:
    with pytest.raises(ValueError, match="method='unconditional' assumes independent instances"):
        mcnemar_test([1, 0], [0, 0], clusters=[1, 1], method="unconditional")
    with pytest.raises(ValueError, match="would take too long for 2001 instances"):
        mcnemar_test(counts=[[2000, 1], [0, 0]], method="unconditional")


def test_cross_table_must_say_that_right_comes_first() -> None:
    """Labels that pandas gives where nobody named anything say nothing; others are believed."""
    plain = mcnemar_test(counts=[[20, 5], [3, 30]])
    said = pd.DataFrame([[20, 5], [3, 30]], index=[True, False], columns=[True, False])

    assert [mcnemar_test(counts=t).pvalue for t in (said, pd.DataFrame(said.to_numpy()))] == [plain.pvalue] * 2
    with pytest.raises(InvalidValueError, match=r"rows and columns of counts must have the labels True and False"):
        mcnemar_test(counts=said.iloc[::-1, ::-1])


def test_table_that_lacks_a_row_is_refused_with_the_way_to_add_it_empty() -> None:
    table = pd.DataFrame([[5, 2]], index=[True], columns=[True, False])

    with pytest.raises(InvalidValueError, match=r"rows lack \[False\]: .*fill_value=0\)"):
        mcnemar_test(counts=table)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_methods_are_those_of_single_calls(alternative: str) -> None:
    choices = [("exact", None), ("midp", None), ("asymptotic", False), ("asymptotic", True), ("unconditional", None)]

    result = mcnemar_test(counts=CAVO, alternative=alternative)
    found = result.all_methods(confidence_level=0.9)

    assert [(one.method, one.correction) for one in found.methods] == choices
    for one in found.methods:
        correction = one.correction is not False
        alone = mcnemar_test(counts=CAVO, alternative=alternative, method=one.method, correction=correction)
        assert (one.statistic, one.pvalue, one.min_attainable_pvalue) == (
            *alone,
            alone.min_attainable_pvalue,
        )
    assert tuple(found.tango) == tuple(result.confidence_interval(0.9))
    assert tuple(found.newcombe) == tuple(result.confidence_interval(0.9, method="newcombe"))
    assert tuple(found.clopper_pearson) == tuple(result.odds_ratio_interval(0.9))


def test_all_methods_of_a_published_table() -> None:
    """Fagerland, Lydersen & Laake (2013), table 5, for Bentur et al.: p-values and intervals of 21 children."""
    found = mcnemar_test(counts=BENTUR).all_methods()

    assert [round(one.pvalue, 3) for one in found.methods] == [0.070, 0.039, 0.034, 0.077, 0.035]
    assert [one.method for one in found.methods if one.controls_level] == ["exact", "unconditional"]
    assert [round(limit, 3) for limit in (*found.tango, *found.newcombe)] == [-0.517, -0.026, -0.507, -0.026]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_power_of_all_methods_is_that_of_the_planned_test(alternative: str) -> None:
    """The planned test has the observed proportion of discordant instances."""
    found = mcnemar_test(counts=CAVO, alternative=alternative).all_methods(difference=0.08, alpha=0.1)

    for one in found.methods[:-1]:
        planned = evalstats.statistical_power(
            "mcnemar",
            n=161,
            difference=0.08,
            discordance=22 / 161,
            alpha=0.1,
            alternative=alternative,
            method=one.method,
            correction=one.correction is not False,
        )
        assert one.power == pytest.approx(planned.power, rel=1e-12)
    assert math.isnan(found.methods[-1].power)


def test_all_methods_without_a_difference_have_no_power() -> None:
    found = mcnemar_test([True, False], [True, False]).all_methods()

    assert all(math.isnan(one.power) and one.pvalue == 1 for one in found.methods)
    assert found.reason == mcnemar.NO_DISCORDANT_CASE


def test_report_of_all_methods_has_a_row_for_each() -> None:
    found = mcnemar_test(counts=CAVO).all_methods(difference=-0.08)
    told = evalstats.report.markdown(found)

    assert "McNemar methods: n\\_instances 161, n\\_discordant 22" in told
    assert all(f"{one.pvalue:.6g}" in told for one in found.methods)
    assert list(found.to_frame()["method"]) == [one.method for one in found.methods]


def test_many_instances_have_no_unconditional_method() -> None:
    found = mcnemar_test(counts=[[2000, 5], [9, 100]]).all_methods()

    assert [one.method for one in found.methods] == ["exact", "midp", "asymptotic", "asymptotic"]


def test_all_methods_refuse_what_they_do_not_have() -> None:
    with pytest.raises(InvalidValueError, match="all_methods assumes independent instances"):
        mcnemar_test(X, Y, clusters=[1] * 12).all_methods()
    with pytest.raises(InvalidValueError, match=r"all_methods is for one table, but the shape is \(2, 2, 2\)"):
        mcnemar_test(counts=[CAVO, BENTUR]).all_methods()
    with pytest.raises(
        InvalidValueError, match=r"the absolute value of difference must be at most 0.1366, the proportion"
    ):
        mcnemar_test(counts=CAVO).all_methods(difference=0.2)
