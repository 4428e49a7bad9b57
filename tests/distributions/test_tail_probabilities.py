"""Tails of three distributions, against their definitions in 40 digits and against scipy."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.tail_probabilities import binomial_left_tail, trinomial_lead_tail

DIGITS = 40
MOST_DIGITS = DIGITS + 320  # where a tail of 1e-300 is taken from 1
SMALLEST_NORMAL = Decimal("1e-300")


@cache
def pi() -> Decimal:
    """Machin's formula, to as many digits as are ever needed."""
    unity = 10 ** (MOST_DIGITS + 10)

    def arctan_of_inverse(n: int) -> int:
        power = total = unity // n
        i = 1
        while power:
            power //= -n * n
            i += 2
            total += power // i
            if abs(power) <= 1:
                break
        return total

    with localcontext() as context:
        context.prec = MOST_DIGITS
        return Decimal(4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))) / unity


def gamma(twice: int) -> Decimal:
    """Gamma(twice / 2)."""
    value = pi().sqrt() if twice % 2 else Decimal(1)
    for i in range(2 - twice % 2, twice, 2):
        value *= Decimal(i) / 2
    return value


def chi2_oracle(x: float, df: int) -> Decimal:
    """Return one minus the series of the left tail, with as many digits as that takes."""
    with localcontext() as context:
        context.prec = MOST_DIGITS
        a, y = Decimal(df) / 2, Decimal(x) / 2
        term = total = (-y).exp() * (y ** (df // 2)) * (y.sqrt() if df % 2 else 1) / gamma(df + 2)
        j = 1
        while term > Decimal(10) ** -MOST_DIGITS:
            term *= y / (a + j)
            total += term
            j += 1
        return 1 - total


def beta_oracle(w: Decimal, twice_a: int, twice_b: int) -> Decimal:
    """I_w(a, b), by the series of positive terms that begins with w^a (1 - w)^b / (a B(a, b))."""
    with localcontext() as context:
        context.prec = DIGITS + 10
        a, b = Decimal(twice_a) / 2, Decimal(twice_b) / 2
        if w > a / (a + b):
            return 1 - beta_oracle(1 - w, twice_b, twice_a)
        term = total = (
            (w.ln() * a + (1 - w).ln() * b).exp() * gamma(twice_a + twice_b) / gamma(twice_a + 2) / gamma(twice_b)
        )
        j = 0
        while term > total * Decimal(10) ** -DIGITS:
            term *= w * (a + b + j) / (a + 1 + j)
            total += term
            j += 1
        return total


def relative_error(found: np.ndarray, true: Decimal) -> float:
    return abs(float(Decimal(float(found)) / true - 1))


def f_tail(v: float, n: int, k: int) -> np.ndarray:
    """Return the tail as Friedman's test of n datasets and k classifiers asks for it, where 1 - v is no double."""
    total = 2.0**40
    between = round(v * total)
    return tails.f_right_tail(np.array(float(between)), np.array(total - between), k - 1, (n - 1) * (k - 1))


def test_hand_computed_tails() -> None:
    """Two degrees of freedom are exponential; F with two is a power; a normal Z exceeds 0 half of the time."""
    assert float(tails.chi2_right_tail(np.array(6.0), 2)) == pytest.approx(math.exp(-3), rel=1e-15)
    assert float(tails.f_right_tail(np.array(3.0), np.array(1.0), 2, 6)) == pytest.approx(1 / 64, rel=1e-15)
    assert float(tails.normal_right_tail(np.array(0.0))) == 0.5


def test_nothing_observed_is_certain() -> None:
    for df in (1, 2, 3, 30, 499):
        assert tails.chi2_right_tail(np.zeros(2), df).tolist() == [1, 1]
        assert tails.f_right_tail(np.zeros(2), np.ones(2), df, 4 * df).tolist() == [1, 1]


@pytest.mark.parametrize("off", [0.0, 1e-8, -1e-8])
@pytest.mark.parametrize("p", [1e-30, 0.001, 0.025, 0.4, 0.6, 0.975])
def test_quantiles_of_student_keep_their_digits(p: float, off: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed forms of one and of two degrees of freedom, also where scipy stops at eight digits."""
    coarse = special.stdtrit
    monkeypatch.setattr(special, "stdtrit", lambda df, q: coarse(df, q) * (1 + off))

    found = tails.t_quantile(np.array([1, 2]), p)

    with localcontext() as context:
        context.prec = DIGITS
        q = Decimal(p)
        of_two = float((2 * q - 1) / (2 * q * (1 - q)).sqrt())
    assert found == pytest.approx([-1 / math.tan(math.pi * p), of_two], rel=2e-14)


@pytest.mark.parametrize("at_ends", [None, math.nan])
def test_quantiles_of_student_at_their_ends(at_ends: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    of_scipy = special.stdtrit
    if at_ends is not None:  # SciPy 1.15
        monkeypatch.setattr(special, "stdtrit", lambda df, q: np.where((q == 0) | (q == 0.5), at_ends, of_scipy(df, q)))

    assert tails.t_quantile(4, np.array([0.0, 0.5, 1.0])).tolist() == [-math.inf, 0.0, math.inf]
    assert math.isnan(tails.t_quantile(math.nan, 0.1))
    assert tails.t_quantile(math.inf, 0.975) == pytest.approx(special.ndtri(0.975), rel=1e-15)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 9, 30, 101, 500])
@pytest.mark.parametrize("ratio", [1e-3, 0.5, 1.0, 1.3, 3.0, 30.0])
def test_chi2_against_the_oracle(df: int, ratio: float) -> None:
    x = min(df * ratio, 1200.0 + df)

    assert relative_error(tails.chi2_right_tail(np.array(x), df), chi2_oracle(x, df)) < 2e-14


@pytest.mark.parametrize("df", [1, 3, 10])
def test_chi2_where_a_double_ends(df: int) -> None:
    true = chi2_oracle(1370.0, df)

    assert Decimal("1e-302") < true < Decimal("1e-280")
    assert relative_error(tails.chi2_right_tail(np.array(1370.0), df), true) < 2e-13


@pytest.mark.sampled
@pytest.mark.parametrize("k", [2, 3, 4, 5, 10, 11, 30, 31, 100, 200])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 10, 30, 100, 200])
def test_f_against_the_oracle(n: int, k: int) -> None:
    """From p near 1 down to 1e-300; 2e-12 is what a rounding of 1 - v alone would cost in the larger tables."""
    mean = (k - 1) / (n * (k - 1))
    for times in (1e-6, 0.1, 0.9, 1.0, 1.1, 2.0, 5.0, 20.0):
        v = round(min(mean * times, 1 - 2**-20) * 2**40) / 2**40
        true = beta_oracle(1 - Decimal(v), (n - 1) * (k - 1), k - 1)
        if true > SMALLEST_NORMAL:
            assert relative_error(f_tail(v, n, k), true) < 3e-14


@pytest.mark.parametrize("k", [2, 6, 31, 200])
def test_f_of_large_tables_against_scipy(k: int) -> None:
    v = np.linspace(0.0001, 0.004, 25)
    twice_a, twice_b = 1999 * (k - 1), k - 1

    found = tails.f_right_tail(v, 1 - v, twice_b, twice_a)

    np.testing.assert_allclose(found, special.betainc(twice_a / 2, twice_b / 2, 1 - v), rtol=1e-11)


def test_more_degrees_of_freedom_than_the_sums_can_take() -> None:
    """The two ways agree where one ends and the other begins."""
    x, v = np.linspace(300, 900, 7), np.linspace(0.01, 0.6, 7)
    for df in (tails.MOST_DF, tails.MOST_DF + 1):
        np.testing.assert_allclose(tails.chi2_right_tail(x, df), special.chdtrc(df, x), rtol=1e-12)
        expected = special.betainc(2 * df, df / 2, 1 - v)
        np.testing.assert_allclose(tails.f_right_tail(v, 1 - v, df, 4 * df), expected, rtol=1e-11, atol=1e-300)


@given(df=st.integers(1, 500), x=st.floats(0, 1e308), n=st.integers(2, 3000))
def test_no_overflow_and_no_probability_beyond_one(df: int, x: float, n: int) -> None:
    """A warning of numpy would be an error here."""
    between, within = np.array(x / (1 + x)), np.array(1 / (1 + x))

    assert 0 <= tails.chi2_right_tail(np.array(x), df) <= 1
    assert 0 <= tails.f_right_tail(between, within, df, (n - 1) * df) <= 1
    assert 0 <= tails.f_right_tail(np.array(1.0), np.array(0.0), df, (n - 1) * df) <= 1


@pytest.mark.parametrize("df", [1, 2, 29, 30, 131])
def test_a_batch_is_a_loop(df: int) -> None:
    """To the last bit, so equal statistics have equal p-values in every batch."""
    x = np.random.default_rng(df).random(37)
    pairs = list(zip(x, 1 - x, strict=True))

    assert tails.chi2_right_tail(x, df).tolist() == [tails.chi2_right_tail(np.array(v), df) for v in x]
    one_by_one = [tails.f_right_tail(np.array(v), np.array(w), df, 9 * df) for v, w in pairs]
    assert tails.f_right_tail(x, 1 - x, df, 9 * df).tolist() == one_by_one


def test_normal_tail_against_scipy() -> None:
    z = np.linspace(-9, 37, 400)

    error = np.abs(tails.normal_right_tail(z) / special.ndtr(-z) - 1)
    assert (error < 4e-16 * (1 + z * z)).all()  # both round z / sqrt(2)
    assert tails.normal_right_tail(z.reshape(20, 20)).shape == (20, 20)


@pytest.mark.parametrize(("alternative", "expected"), [("two-sided", 0.05), ("greater", 0.975), ("less", 0.025)])
def test_normal_and_t_pvalues_take_the_tail_of_the_alternative(alternative: str, expected: float) -> None:
    """'greater' is the tail to the right: 2.5 % of both distributions lie below these points."""
    assert tails.normal_pvalue(np.array(-1.959963984540054), alternative) == pytest.approx(expected, rel=1e-14)
    assert tails.t_pvalue(np.array(-4.30265272974946), 2, alternative) == pytest.approx(expected, rel=1e-13)


def test_no_pvalue_is_zero_or_above_one_and_nan_stays() -> None:
    far = np.array([1e300, np.nan])

    for pvalue in (
        tails.as_pvalue(np.array([0.0, np.nan])),
        tails.normal_pvalue(far),
        tails.t_pvalue(far, 9),
        tails.chi2_pvalue(far, 3),
        tails.f_pvalue(far, np.ones(2), 3, 2000),
    ):
        np.testing.assert_array_equal(pvalue, [5e-324, np.nan])
    assert tails.as_pvalue(1 + 1e-15) == 1


def test_erfc_times_exp_does_not_underflow_before_the_product() -> None:
    x = np.array([-1.0, 0.0, 3.0, 25.9, 26.1, 27.0, 40.0])

    found = tails.erfc_times_exp(x, 600.0)

    np.testing.assert_allclose(found, special.erfcx(x) * np.exp(600 - x * x), rtol=3e-13)


@pytest.mark.parametrize("log_p", [math.log(0.5), -1.0, -3.0, -30.0, -650.0, -690.0, -745.0, -800.0, -5000.0])
def test_erfc_inverse_against_scipy(log_p: float) -> None:
    """The normal quantile, which scipy has for logarithms too."""
    expected = -float(special.ndtri_exp(log_p - math.log(2))) / math.sqrt(2)

    assert tails.erfc_inverse(log_p) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("df", "cdf"),
    [(1, lambda t: math.atan(t) / math.pi), (2, lambda t: t / (2 * math.sqrt(2 + t * t)))],
    ids=["arc tangent", "algebraic"],
)
def test_what_lies_between_two_ts_keeps_its_digits(df: int, cdf: Callable[[float], float]) -> None:
    half = np.array([1e-300, 1e-9, 0.01, 0.4999, 0.5001, 3.0])

    found = tails.t_between(-half, half, df)

    assert found == pytest.approx([2 * cdf(h) for h in half], rel=1e-13)
    assert tails.t_between(np.array(-0.7), np.array(-0.7), df) == 0


def test_narrow_region_far_from_the_middle_is_its_width_times_the_density() -> None:
    low, width = np.array([-2.0, -30.0, -1e5]), 1e-10
    density = np.array([(1 + t * t / 3) ** -2 * 2 / (math.pi * math.sqrt(3)) for t in low + width / 2])

    assert tails.t_between(low, low + width, 3) == pytest.approx(((low + width) - low) * density, rel=1e-12)


@pytest.mark.parametrize("df", [1, 2, 3, 7.5, 40, 1e4, 1e7])
@pytest.mark.parametrize("t", [0.0, 1e-12, 1e-9, 7.9472866e-08, 1e-5, 9.99e-4, 1.001e-3])
def test_pvalue_near_one_keeps_its_digits(t: float, df: float) -> None:
    """By the integral of the density, to 40 digits; SciPy's distribution function is off by 5e-10 here."""
    mpmath = importlib.import_module("mpmath")
    with mpmath.workdps(40):
        half = mpmath.mpf(df) / 2
        ratio = mpmath.gamma(half + mpmath.mpf(0.5)) / mpmath.gamma(half) / mpmath.sqrt(2 * half * mpmath.pi)
        inside = mpmath.quad(
            lambda u: ratio * (1 + u * u / (2 * half)) ** (-half - mpmath.mpf(0.5)), [0, mpmath.mpf(t)]
        )

        assert float(tails.t_pvalue(np.array(t), df)) == pytest.approx(float(1 - 2 * inside), rel=1e-14, abs=0)
        assert float(tails.t_pvalue(np.array(-t), df, "greater")) == pytest.approx(
            float(0.5 + inside), rel=1e-14, abs=0
        )


def cdf(k: int, n: int) -> float:
    return float(Fraction(sum(comb(n, i) for i in range(k + 1)), 2**n))


@pytest.mark.parametrize("n", [0, 1, 2, 7, 60, 1000])
def test_tail_is_a_sum_of_binomial_coefficients(n: int) -> None:
    k = np.unique(np.linspace(0, n, 12).astype(int))

    tail = binomial_left_tail(k, np.full_like(k, n))

    np.testing.assert_allclose(tail, [cdf(int(i), n) for i in k], rtol=1e-13)


def test_fewer_than_none_is_impossible() -> None:
    np.testing.assert_array_equal(binomial_left_tail(np.array([-1, -1]), np.array([0, 9])), [0.0, 0.0])


def test_many_tails_are_those_of_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit, whether equal tails are computed once or not."""
    rng = np.random.default_rng(1)
    n = rng.integers(0, 40, (50, 40))
    k = rng.integers(-1, n + 1)

    together = binomial_left_tail(k, n)

    monkeypatch.setattr(tails, "MANY", k.size + 1)
    np.testing.assert_array_equal(together, binomial_left_tail(k, n))


def test_counts_too_large_to_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, "MANY", 20)
    k, n = np.full(20, 2**40), np.full(20, 2**41)

    np.testing.assert_allclose(binomial_left_tail(k, n), 0.5, rtol=1e-6)


def test_tails_of_several_threads_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    n = np.arange(2, 200)
    k = n // 3
    alone = binomial_left_tail(k, n)

    monkeypatch.setattr(tails, "FOR_ONE_THREAD", 16)

    np.testing.assert_array_equal(binomial_left_tail(k, n), alone)


def definition(lead: int, n_edges: int, n: int) -> Fraction:
    """Sum over all numbers of heads and tails, in whole numbers."""
    edge = Fraction(n_edges, n)
    side = (1 - edge) / 2
    return sum(
        (
            comb(n, heads) * comb(n - heads, tails) * side ** (heads + tails) * edge ** (n - heads - tails)
            for heads in range(n + 1)
            for tails in range(n - heads + 1)
            if heads - tails >= lead
        ),
        Fraction(0),
    )


@pytest.mark.sampled
@pytest.mark.parametrize("n", [1, 2, 7, 10, 25])
def test_tail_is_the_definition(n: int) -> None:
    for n_edges in range(n):
        leads = np.arange(-n, n + 1)
        expected = [float(definition(lead, n_edges, n)) for lead in leads.tolist()]

        assert trinomial_lead_tail(leads, np.full(leads.shape, n_edges), n) == pytest.approx(expected, rel=1e-13)


def test_without_edges_it_is_binomial() -> None:
    wins = np.arange(31)

    tail = trinomial_lead_tail(2 * wins - 30, np.zeros(31, dtype=int), 30)

    assert tail == pytest.approx(binomial_left_tail(30 - wins, 30), rel=1e-14)


def test_far_tail_keeps_its_digits() -> None:
    """400 heads and 100 edges, without any tails."""
    assert trinomial_lead_tail(np.array(400), np.array(100), 500) == pytest.approx(
        float(definition(400, 100, 500)), rel=1e-12
    )


def test_a_batch_is_its_members() -> None:
    rng = np.random.default_rng(1)
    edges = rng.integers(0, 40, (3, 5))
    lead = rng.integers(-40, 41, (3, 5))

    batch = trinomial_lead_tail(lead, edges, 40)

    for at in np.ndindex(3, 5):
        assert batch[at] == trinomial_lead_tail(lead[at], edges[at], 40)
