"""Which p-values can come out of a design at all."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats import (
    adjust_pvalues,
    bonferroni_dunn_test,
    friedman_test,
    nemenyi_test,
    permutation_test,
    sign_test,
    wilcoxon_test,
)
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.design import minimum_attainable_pvalue, minimum_sample_size
from evalstats.multiple import steel_sign_test
from evalstats.paired import mcnemar_test

ALL = {
    "sign": {},
    "wilcoxon": {},
    "permutation": {},
    "mcnemar": {},
    "friedman": {"n_classifiers": 4},
    "nemenyi": {"n_classifiers": 4},
    "bonferroni-dunn": {"n_classifiers": 4},
    "steel": {"n_classifiers": 4},
}


def test_five_datasets_cannot_reach_five_percent() -> None:
    assert minimum_attainable_pvalue("sign", n=5).pvalue == 0.0625
    assert minimum_sample_size("sign").n == 6


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [1, 2, 5, 6, 20])
@pytest.mark.parametrize(
    ("name", "test"), [("sign", sign_test), ("wilcoxon", wilcoxon_test), ("permutation", permutation_test)]
)
def test_clearest_outcome_of_two_classifiers(name: str, test, n: int, alternative: str) -> None:
    d = np.arange(1.0, n + 1) * (-1 if alternative == "less" else 1)

    expected = test(d, np.zeros(n), alternative=alternative).pvalue

    assert minimum_attainable_pvalue(name, n=n, alternative=alternative).pvalue == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("method", ["exact", "midp", "asymptotic"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_clearest_outcome_of_discordant_rows(method: str, alternative: str) -> None:
    """No table of seven discordant rows has a smaller p-value."""
    tables = [[[3, b], [7 - b, 2]] for b in range(8)]

    pvalues = mcnemar_test(counts=tables, method=method, alternative=alternative).pvalue

    assert minimum_attainable_pvalue("mcnemar", n=7, method=method, alternative=alternative).pvalue == min(pvalues)


@pytest.mark.parametrize("method", ["exact", "chi2"])
def test_no_table_of_three_datasets_is_clearer(method: str) -> None:
    orders = list(itertools.permutations(range(3)))

    pvalues = [friedman_test(table, method=method).pvalue for table in itertools.product(orders, repeat=3)]

    assert minimum_attainable_pvalue("friedman", n=3, n_classifiers=3, method=method).pvalue == pytest.approx(
        min(pvalues), rel=1e-12
    )


@pytest.mark.parametrize(("n", "k"), [(1, 2), (3, 4), (10, 10), (50, 20)])
def test_tests_of_several_say_the_same(n: int, k: int) -> None:
    agreeing = np.tile(np.arange(k), (n, 1))

    assert (
        minimum_attainable_pvalue("nemenyi", n=n, n_classifiers=k).pvalue
        == nemenyi_test(agreeing).min_attainable_pvalue
    )
    dunn = bonferroni_dunn_test(agreeing, control=0).min_attainable_pvalue
    assert minimum_attainable_pvalue("bonferroni-dunn", n=n, n_classifiers=k).pvalue == dunn


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "sidak", "holm-sidak", "hochberg", "hommel", "bh", "by"])
def test_adjusted_at_once_and_alone(adjust: str) -> None:
    result = minimum_attainable_pvalue("sign", n=8, adjust=adjust, n_comparisons=6)

    assert result.adjusted_pvalue == adjust_pvalues([2**-7] * 6, adjust)[0]
    assert result.adjusted_pvalue_alone == adjust_pvalues([2**-7, 1, 1, 1, 1, 1], adjust)[0]
    assert result.pvalue <= result.adjusted_pvalue <= result.adjusted_pvalue_alone


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.001, 1e-12, 1e-200])
@pytest.mark.parametrize("test", ALL)
def test_smallest_n_is_the_smallest(test: str, alpha: float) -> None:
    found = minimum_sample_size(test, alpha=alpha, **ALL[test])

    assert found.adjusted_pvalue <= alpha
    assert found.n == 1 or minimum_attainable_pvalue(test, n=found.n - 1, **ALL[test]).adjusted_pvalue > alpha


@given(st.sampled_from(sorted(ALL)), st.integers(1, 300))
def test_more_data_never_reach_less(test: str, n: int) -> None:
    fewer, more = (minimum_attainable_pvalue(test, n=m, **ALL[test]).pvalue for m in (n, n + 1))

    assert 0 < more <= fewer <= 1


def test_level_that_is_attained_counts() -> None:
    assert minimum_sample_size("sign", alpha=0.0625).n == 5


@pytest.mark.parametrize("test", ["paired-t", "corrected-t", "5x2cv-t", "5x2cv-f"])
def test_t_tests_have_no_bound(test: str) -> None:
    result = minimum_sample_size(test, alpha=1e-9)

    assert result.pvalue == 0
    assert "continuous" in result.reason


@pytest.mark.parametrize("test", ["sign", "friedman", "mcnemar"])
def test_enormous_designs_do_not_underflow(test: str) -> None:
    assert minimum_attainable_pvalue(test, n=10**6, **ALL[test]).pvalue == 5e-324


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "t", "n": 3}, "test must be 'sign' or"),
        ({"test": "sign", "n": 0}, "n must be at least 1, not 0"),
        ({"test": "5x2cv-t", "n": 9}, "n must be at least 10, not 9"),
        ({"test": "sign", "n": 3, "n_classifiers": 3}, "n_classifiers is not an argument of the test 'sign'"),
        ({"test": "nemenyi", "n": 3}, "the test 'nemenyi' requires n_classifiers, the number of classifiers"),
        ({"test": "nemenyi", "n": 3, "n_classifiers": 1}, "n_classifiers must be at least 2"),
        ({"test": "nemenyi", "n": 3, "n_classifiers": 3, "adjust": "holm"}, "need no adjustment, but adjust is 'holm'"),
        ({"test": "nemenyi", "n": 3, "n_classifiers": 3, "alternative": "less"}, "alternative must be 'two-sided'"),
        ({"test": "sign", "n": 3, "method": "midp"}, "method must be 'exact'"),
        ({"test": "sign", "n": 3, "adjust": "tukey"}, "adjust must be 'none' or"),
        ({"test": "sign", "n": 3, "n_comparisons": 0}, "n_comparisons must be at least 1"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        minimum_attainable_pvalue(**arguments)


def test_wrong_types_are_named() -> None:
    with pytest.raises(InvalidTypeError, match=r"n must be a whole number, not 5\.5"):
        minimum_attainable_pvalue("sign", n=5.5)
    with pytest.raises(InvalidValueError, match="alpha must lie between 0 and 1"):
        minimum_sample_size("sign", alpha=0)


@pytest.mark.parametrize(("n", "k"), [(1, 3), (3, 3), (7, 3), (8, 4), (7, 5), (5, 6), (9, 2)])
def test_steel_is_the_exact_test_where_one_wins_everywhere(n: int, k: int) -> None:
    exact = steel_sign_test(np.tile(np.arange(k), (n, 1)), control=0, method="exact")

    assert minimum_attainable_pvalue("steel", n=n, n_classifiers=k).pvalue == pytest.approx(
        exact.pvalue[1:].min(), rel=1e-12
    )


def test_many_classifiers_beside_a_control_cancel_no_digits() -> None:
    """Between the largest single term and Bonferroni's bound, though the terms of the sum reach 1e20."""
    found = minimum_attainable_pvalue("steel", n=12, n_classifiers=80).pvalue

    assert 2**-11 < found < 79 * 2**-11
