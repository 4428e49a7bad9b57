from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evalstats.adjustment.pvalues import adjust_pvalues, critical_values, rejection_level

IN_STATSMODELS = ["bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "bh", "by"]
METHODS = [*IN_STATSMODELS, "rom", "holland", "finner", "li"]
# the names of the same procedures in statsmodels
STATSMODELS = ["bonferroni", "sidak", "holm", "holm-sidak", "simes-hochberg", "hommel", "fdr_bh", "fdr_by"]
# Demšar (2006), section 3.2.2: C4.5+m+cf, C4.5+m and C4.5+cf against C4.5; Holm rejects the first two at .05
DEMSAR_PVALUES = [0.016, 0.019, 0.607]
each_method = pytest.mark.parametrize("method", METHODS)
pvalues = st.one_of(
    st.floats(0, 1),
    st.sampled_from([0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 1.0]),
    st.integers(0, 300).map(lambda exponent: 10.0**-exponent),
)
families = st.lists(pvalues, min_size=1, max_size=12)
few = st.lists(st.integers(0, 20).map(lambda i: Fraction(i, 20)), min_size=1, max_size=6)


def simes(p: Sequence[Fraction]) -> Fraction:
    return min(len(p) * value / rank for rank, value in enumerate(sorted(p), 1))


def bonferroni(p: Sequence[Fraction]) -> Fraction:
    return len(p) * min(p)


def sidak(p: Sequence[Fraction]) -> Fraction:
    return 1 - (1 - min(p)) ** len(p)


def closed(p: list[Fraction], test: Callable[[Sequence[Fraction]], Fraction]) -> list[float]:
    """Return the largest p-value over all sets of hypotheses that hold the hypothesis: closed testing."""
    m = len(p)
    subsets = [s for size in range(1, m + 1) for s in itertools.combinations(range(m), size)]
    return [float(min(1, max(test([p[j] for j in s]) for s in subsets if i in s))) for i in range(m)]


def false_discovery(p: list[Fraction], factor: Fraction) -> list[float]:
    """Benjamini & Hochberg: a set of the k smallest is rejected at level factor * m * p_(k) / k or above."""
    m, ordered = len(p), sorted(p)
    levels = [min(Fraction(1), factor * m * ordered[k - 1] / k) for k in range(1, m + 1)]
    return [float(min(level for level, limit in zip(levels, ordered, strict=True) if limit >= value)) for value in p]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("bonferroni", [0.03, 0.12, 0.09]),
        ("sidak", [1 - 0.99**3, 1 - 0.96**3, 1 - 0.97**3]),
        ("holm", [0.03, 0.06, 0.06]),
        ("holm-sidak", [1 - 0.99**3, 1 - 0.97**2, 1 - 0.97**2]),
        ("hochberg", [0.03, 0.04, 0.04]),
        ("hommel", [0.03, 0.04, 0.04]),
        ("bh", [0.03, 0.04, 0.04]),
        ("by", [0.03 * 11 / 6, 0.04 * 11 / 6, 0.04 * 11 / 6]),
        # alpha^2 + 4 alpha = 12 times .01
        ("rom", [4.12**0.5 - 2, 0.04, 0.04]),
        ("holland", [1 - 0.99**3, 1 - 0.97**2, 1 - 0.97**2]),
        ("finner", [1 - 0.99**3, 1 - 0.97**1.5, 1 - 0.97**1.5]),
        ("li", [0.01 / 0.97, 0.04, 0.03 / 0.99]),
    ],
)
def test_three_pvalues_by_hand(method: str, expected: list[float]) -> None:
    np.testing.assert_allclose(adjust_pvalues([0.01, 0.04, 0.03], method), expected, rtol=1e-14)


@pytest.mark.parametrize("method", ["rom", "hochberg"])
def test_two_pvalues_that_another_program_makes_negative(method: str) -> None:
    """With two hypotheses Rom's procedure is Hochberg's; scmamp's adjustRom gives -0.4."""
    np.testing.assert_allclose(adjust_pvalues([0.01, 0.04], method), [0.02, 0.04], rtol=1e-14)


@given(few)
def test_rom_rejects_by_its_critical_values(p: list[Fraction]) -> None:
    """Just above its adjusted p-value a hypothesis is rejected, just below it is not, with constants in fractions."""
    adjusted = adjust_pvalues(p, "rom")

    for value, level in zip(p, adjusted, strict=True):
        for alpha, rejected in [(level * (1 + 1e-9), True), (level * (1 - 1e-9), False)]:
            if 0 < alpha < 1:
                assert rejected_by_rom(p, value, Fraction(float(alpha))) is rejected


def rejected_by_rom(p: list[Fraction], value: Fraction, alpha: Fraction) -> bool:
    """Step-up: all up to the largest p-value that its critical value reaches."""
    constants = rom_constants(alpha, len(p))
    return any(other <= c and value <= other for other, c in zip(sorted(p, reverse=True), constants, strict=True))


def rom_constants(alpha: Fraction, m: int) -> list[Fraction]:
    """Return c_1, ..., c_m by the recursion of Rom (1990)."""
    c = [alpha]
    for k in range(2, m + 1):
        powers = sum(alpha**i for i in range(1, k))
        c.append((powers - sum(math.comb(k, i) * c[i] ** (k - i) for i in range(1, k - 1))) / k)
    return c


@given(few, st.integers(1, 19).map(lambda i: Fraction(i, 20)))
def test_li_by_its_two_steps(p: list[Fraction], alpha: Fraction) -> None:
    """All if the largest p-value is at most alpha, else those at most alpha / (1 - alpha) (1 - the largest)."""
    largest = max(p)
    limit = Fraction(1) if largest <= alpha else alpha / (1 - alpha) * (1 - largest)
    expected = [value / (value + 1 - largest) if value else Fraction(0) for value in p]

    assert [level <= alpha for level in expected] == [value <= limit for value in p]
    np.testing.assert_allclose(adjust_pvalues(p, "li"), [float(level) for level in expected], rtol=1e-13)


@given(families)
def test_holland_is_holm_sidak(p: list[float]) -> None:
    np.testing.assert_array_equal(adjust_pvalues(p, "holland"), adjust_pvalues(p, "holm-sidak"))


def test_finner_makes_too_many_false_rejections() -> None:
    """With 5 of 10 hypotheses at p = 0 the smallest of the others is compared with the 6th critical value."""
    smallest = 1 - 0.95**0.6  # rejected at .05 if any of the five true ones is as small

    rejected = adjust_pvalues([0] * 5 + [smallest * (1 - 1e-9)] + [1] * 4, "finner")[5] <= 0.05

    assert rejected
    assert 1 - (1 - smallest) ** 5 == pytest.approx(1 - 0.95**3)


@each_method
def test_nan_leaves_the_family_or_counts_as_one(method: str) -> None:
    p = np.array([[0.01, np.nan, 0.04, 0.02], [0.3, 0.1, 0.001, 0.05], [np.nan, np.nan, np.nan, np.nan]])
    few, all_ = [0, 2, 3], np.where(np.isnan(p), 1, p)

    omitted, counted = (adjust_pvalues(p, method, nan_policy=policy) for policy in ("omit", "count"))

    np.testing.assert_array_equal(omitted[0, few], adjust_pvalues(p[0, few], method))
    np.testing.assert_array_equal(omitted[1], adjust_pvalues(p[1], method))
    np.testing.assert_array_equal(counted[~np.isnan(p)], adjust_pvalues(all_, method)[~np.isnan(p)])
    assert (np.isnan(omitted) == np.isnan(p)).all()
    assert (np.isnan(counted) == np.isnan(p)).all()


def test_nan_policy_does_not_let_other_values_through() -> None:
    with pytest.raises(ValueError, match=r"pvalues must lie between 0 and 1, but pvalues\[1\] is 2.0"):
        adjust_pvalues([np.nan, 2], nan_policy="omit")
    with pytest.raises(ValueError, match="nan_policy must be 'raise' or 'omit' or 'count', not 'propagate'"):
        adjust_pvalues([0.1], nan_policy="propagate")


def test_demsar_holm_example() -> None:
    np.testing.assert_allclose(adjust_pvalues(DEMSAR_PVALUES), [0.048, 0.048, 0.607], rtol=1e-14)


def test_hochberg_number_that_other_programs_get_wrong() -> None:
    """A running maximum in place of the minimum makes all three .9."""
    np.testing.assert_allclose(adjust_pvalues([0.01, 0.02, 0.9], "hochberg"), [0.03, 0.04, 0.9], rtol=1e-14)


@given(few)
def test_holm_is_closed_testing_with_bonferroni(p: list[Fraction]) -> None:
    np.testing.assert_allclose(adjust_pvalues(p, "holm"), closed(p, bonferroni), rtol=1e-13)


@given(few)
def test_holm_sidak_is_closed_testing_with_sidak(p: list[Fraction]) -> None:
    np.testing.assert_allclose(adjust_pvalues(p, "holm-sidak"), closed(p, sidak), rtol=1e-13)


@given(few)
def test_hommel_is_closed_testing_with_simes(p: list[Fraction]) -> None:
    np.testing.assert_allclose(adjust_pvalues(p, "hommel"), closed(p, simes), rtol=1e-13)


@given(few)
def test_false_discovery_rates_by_their_definition(p: list[Fraction]) -> None:
    harmonic = sum(Fraction(1, i) for i in range(1, len(p) + 1))

    np.testing.assert_allclose(adjust_pvalues(p, "bh"), false_discovery(p, Fraction(1)), rtol=1e-13)
    np.testing.assert_allclose(adjust_pvalues(p, "by"), false_discovery(p, harmonic), rtol=1e-13)


@pytest.mark.parametrize(("method", "theirs"), list(zip(IN_STATSMODELS, STATSMODELS, strict=True)))
@pytest.mark.parametrize("m", [2, 10, 45, 500])
def test_statsmodels_agrees(m: int, method: str, theirs: str) -> None:
    p = np.random.default_rng(m).random(m) ** 3

    np.testing.assert_allclose(adjust_pvalues(p, method), multipletests(p, method=theirs)[1], rtol=1e-13)


@pytest.mark.parametrize("m", [2, 10, 1000])
@pytest.mark.parametrize("p", [1e-300, 1e-20, 1e-9, 0.3])
def test_sidak_keeps_the_digits_of_tiny_pvalues(p: float, m: int) -> None:
    """1 - (1 - p)^m in fractions; in floats it is 0 for p = 1e-20."""
    expected = float(1 - (1 - Fraction(p)) ** m) if p > 1e-300 else m * p

    adjusted = adjust_pvalues([p] + [1] * (m - 1), "sidak")[0]
    stepwise = adjust_pvalues([p] + [1] * (m - 1), "holm-sidak")[0]

    assert adjusted == pytest.approx(expected, rel=1e-14)
    assert stepwise == adjusted


@each_method
@given(families)
def test_adjusted_is_between_the_raw_and_one(method: str, p: list[float]) -> None:
    adjusted = adjust_pvalues(p, method)

    assert (adjusted >= p).all()
    assert (adjusted <= 1).all()


@each_method
@given(families)
def test_adjusted_is_monotone_in_the_raw(method: str, p: list[float]) -> None:
    """Equal p-values get equal adjusted p-values."""
    adjusted = adjust_pvalues(p, method)

    for i, j in itertools.permutations(range(len(p)), 2):
        assert p[i] > p[j] or adjusted[i] <= adjusted[j]


@each_method
@given(families, st.randoms(use_true_random=False))
def test_order_of_the_family_does_not_matter(method: str, p: list[float], random: object) -> None:
    order = list(range(len(p)))
    random.shuffle(order)

    here, there = adjust_pvalues(p, method), adjust_pvalues([p[i] for i in order], method)

    np.testing.assert_array_equal(there, here[order])


@given(families)
def test_each_procedure_rejects_what_the_more_careful_one_does(p: list[float]) -> None:
    """Hommel <= Hochberg <= Holm <= Bonferroni, Sidak <= Bonferroni, and so on, up to rounding."""
    a = {method: adjust_pvalues(p, method) for method in METHODS}

    for bold, careful in [
        ("hommel", "hochberg"),
        ("rom", "hochberg"),
        ("finner", "holm-sidak"),
        ("hochberg", "holm"),
        ("holm", "bonferroni"),
        ("sidak", "bonferroni"),
        ("holm-sidak", "holm"),
        ("holm-sidak", "sidak"),
        ("bh", "hommel"),
        ("bh", "by"),
    ]:
        assert (a[bold] <= a[careful] * (1 + 1e-14)).all()


@each_method
@given(pvalues)
def test_family_of_one_needs_no_adjustment(method: str, p: float) -> None:
    assert adjust_pvalues([p], method).tolist() == [p]


@each_method
def test_batch_equals_the_loop_over_its_families(method: str) -> None:
    p = np.round(np.random.default_rng(1).random((4, 3, 9)), 1)

    batch = adjust_pvalues(p, method)

    for at in np.ndindex(4, 3):
        np.testing.assert_array_equal(batch[at], adjust_pvalues(p[at], method))


@each_method
def test_input_is_left_alone(method: str) -> None:
    p = np.array([0.04, 0.01, 0.03])
    p.flags.writeable = False

    assert adjust_pvalues(p, method) is not p


@pytest.mark.parametrize(
    ("p", "message"),
    [
        (
            [0.1, np.nan],
            r"pvalues must not be nan, but pvalues\[1\] is: use nan_policy='omit' to make the family smaller",
        ),
        ([[0.1, 0.2], [0.3, 1.2]], r"pvalues must lie between 0 and 1, but pvalues\[1, 1\] is 1.2"),
        ([-1e-9, np.inf], r"pvalues must lie between 0 and 1, but pvalues\[0\] is -1e-09"),
        ([np.inf], r"pvalues must lie between 0 and 1, but pvalues\[0\] is inf"),
        ([], r"pvalues must hold at least one p-value per family, but its shape is \(0,\)"),
        (0.3, r"pvalues must hold at least one p-value per family, but its shape is \(\)"),
        (["a"], r"pvalues must be numbers, but pvalues\[0\] is 'a'"),
    ],
)
def test_what_is_no_family_is_refused(p: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        adjust_pvalues(p)


def test_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match=r"method must be 'bonferroni' or .* or 'by', not 'fdr'"):
        adjust_pvalues([0.1], "fdr")


def constants(alpha: Fraction, largest: int) -> list[Fraction]:
    """Return c_0, ..., c_largest by the recursion of Rom (1990), in fractions."""
    c = [Fraction(0), alpha]
    for k in range(2, largest + 1):
        powers = sum(alpha**i for i in range(1, k))
        c.append((powers - sum(math.comb(k, i) * c[i + 1] ** (k - i) for i in range(1, k - 1))) / k)
    return c


def probability_of_no_rejection(c: list[Fraction], k: int) -> Fraction:
    """Independent uniform p-values of k true hypotheses: the largest is above c_1, the next above c_2, and so on.

    Integrates the ordered density k! polynomial by polynomial, from the smallest p-value to the largest.
    """
    polynomial = [Fraction(math.factorial(k))]  # coefficients of 1, x, x^2, ...
    for limit in reversed(c[1 : k + 1]):
        integral = [Fraction(0)] + [a / (i + 1) for i, a in enumerate(polynomial)]
        integral[0] = -sum(a * limit**i for i, a in enumerate(integral))
        polynomial = integral
    return sum(polynomial, Fraction(0))


def test_first_critical_values_by_hand() -> None:
    """alpha, alpha / 2 and alpha / 3 + alpha^2 / 12; not alpha / 3, which other programs take for the third."""
    values = critical_values(np.array([0.05]), 3)[0][1:, 0]

    np.testing.assert_allclose(values, [0.05, 0.025, 0.016875], rtol=1e-15)


@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
def test_critical_values_in_fractions(alpha: Fraction) -> None:
    values = critical_values(np.array([float(alpha)]), 9)[0][1:, 0]

    np.testing.assert_allclose(values, [float(c) for c in constants(alpha, 9)[1:]], rtol=1e-14)


@pytest.mark.parametrize("k", range(1, 8))
def test_level_is_attained_exactly(k: int) -> None:
    """The definition: of independent true hypotheses, however many, one is rejected with probability alpha."""
    alpha = Fraction(1, 20)

    assert probability_of_no_rejection(constants(alpha, k), k) == 1 - alpha


def test_derivatives_are_those_of_the_values() -> None:
    alpha, h = np.array([0.05, 0.3, 0.8]), 1e-6

    slopes = critical_values(alpha, 40)[1]
    differences = (critical_values(alpha + h, 40)[0] - critical_values(alpha - h, 40)[0]) / (2 * h)

    np.testing.assert_allclose(slopes, differences, rtol=1e-7, atol=1e-9)


def test_critical_values_grow_with_alpha_and_are_convex() -> None:
    """What the search for the level rests on."""
    values = critical_values(np.linspace(0.001, 1, 500), 200)[0][1:]

    assert (np.diff(values) > 0).all()
    assert (np.diff(values, 2) > -1e-13).all()
    assert (np.diff(values, axis=0) < 0).all()


@pytest.mark.parametrize("k", [1, 2, 3, 10, 200])
def test_level_is_where_the_critical_value_is_reached(k: int) -> None:
    alpha = np.array([1e-200, 1e-16, 1e-6, 0.05, 0.5, 0.9])
    p = critical_values(alpha, k)[0][k]

    np.testing.assert_allclose(rejection_level(p, np.full(len(p), k)), alpha, rtol=1e-12)


def test_level_of_what_is_never_rejected_is_one() -> None:
    assert rejection_level(np.array([0.5, 0.9]), np.array([3, 7])).tolist() == [1.0, 1.0]
    assert rejection_level(np.array([]), np.array([], dtype=np.int64)).tolist() == []
