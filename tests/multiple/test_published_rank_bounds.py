"""What follows from printed ranks is what Friedman's and Nemenyi's tests say, within the limits of rounding."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy.stats import chi2 as chi2_distribution
from scipy.stats import f as f_distribution

from evalstats import InvalidTypeError, InvalidValueError, friedman_test, nemenyi_test
from evalstats.multiple import check_published_ranks
from evalstats.multiple.critical_differences import critical_difference

tables = st.tuples(st.integers(1, 30), st.integers(2, 6), st.integers(1, 6), st.integers(0, 10**6))
NAMES = ["A", "B", "C"]
RANKS = ["2.50", "1.60", "1.90"]


def codes(findings: tuple[object, ...], severity: str = "error") -> list[str]:
    return [one.code for one in findings if one.severity == severity]


def scores(n: int, k: int, *, levels: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, levels, (n, k)).astype(float)


def test_difference_within_rounding_is_undecided() -> None:
    """One decimal and many datasets: .7 may be .65 or .75, and the critical difference is .69."""
    for claim, code in (("different", "different"), ("not_different", "not-different")):
        audit = check_published_ranks([1.7, 2.4, 1.9], 23, decimals=1, claims={claim: [(0, 1)]})

        assert 0.6 < audit.nemenyi_difference < 0.8
        assert audit.undecided[0, 1]
        assert codes(audit.findings, "warning") == [code]
        assert "undecided" in codes(audit.findings, "note")


@pytest.mark.parametrize("n", [7, 16, 23])
@pytest.mark.parametrize("ranks", [[1.7, 2.4, 1.9], [1.2, 2.6, 2.2], [1.3, 2.9, 1.8], [1.4, 1.5, 3.1, 4.0]])
def test_only_what_rounding_leaves_open_is_undecided(ranks: list[float], n: int) -> None:
    """Every rank sum that is printed so, counted one by one: sums are multiples of 1/2."""
    audit = check_published_ranks(ranks, n, decimals=1)
    cd, k = critical_difference(n, len(ranks), alpha=0.05, test="nemenyi"), len(ranks)
    sums = [[s / 2 for s in range(2 * n * k + 1) if abs(s / 2 / n - rank) <= 0.05 + 1e-12] for rank in ranks]

    for i in range(k):
        for j in range(i):
            decisions = {abs(a - b) / n >= cd for a in sums[i] for b in sums[j]}
            assert audit.undecided[i, j] == (len(decisions) == 2)
            assert audit.different[i, j] or decisions != {True}


@settings(max_examples=repetitions(40))
@given(tables)
def test_statistics_are_within_the_limits(given_table: tuple[int, int, int, int]) -> None:
    """The statistic without a correction is within rounding, that with one below the limit of ties."""
    n, k, levels, seed = given_table
    result = friedman_test(scores(n, k, levels=levels, seed=seed), method="chi2")

    for decimals in (0, 1, 2, 12):
        audit = check_published_ranks(np.round(result.mean_ranks, decimals), n, decimals=decimals)
        assert audit.chi2_low - 1e-9 <= result.chi2_uncorrected <= audit.chi2_high + 1e-9
        assert result.chi2 <= audit.chi2_tied + 1e-9
        assert audit.chi2_tied <= n * (k - 1) + 1e-9


@settings(max_examples=repetitions(40))
@given(tables)
def test_verdicts_are_those_of_nemenyi(given_table: tuple[int, int, int, int]) -> None:
    """What is decided in spite of rounding is decided as the scores decide it."""
    n, k, levels, seed = given_table
    test = nemenyi_test(scores(n, k, levels=levels, seed=seed))
    truth = np.abs(test.mean_ranks[:, None] - test.mean_ranks) >= test.critical_difference(0.05)

    for decimals in (0, 1, 2):
        audit = check_published_ranks(np.round(test.mean_ranks, decimals), n, decimals=decimals)
        assert (audit.different == truth)[~audit.undecided].all()


def test_pvalues_are_those_of_scipy() -> None:
    audit = check_published_ranks([2.65, 1.95, 1.40], 20)

    assert audit.chi2_pvalue == pytest.approx(chi2_distribution.sf(audit.chi2, 2), rel=1e-12)
    assert audit.f == pytest.approx(19 * audit.chi2 / (40 - audit.chi2), rel=1e-14)
    assert audit.f_pvalue == pytest.approx(f_distribution.sf(audit.f, 2, 38), rel=1e-12)


def test_numbers_are_those_of_friedman() -> None:
    """Without ties and rounding the mean ranks say all that the Friedman test uses."""
    table = np.random.default_rng(5).normal(size=(12, 4))
    result = friedman_test(table, method="f")

    audit = check_published_ranks(result.mean_ranks, 12)

    assert (audit.chi2, audit.chi2_pvalue) == pytest.approx((result.chi2, result.chi2_pvalue), rel=1e-11)
    assert (audit.f, audit.f_pvalue) == pytest.approx((result.f, result.f_pvalue), rel=1e-10)
    assert audit.nemenyi_difference == critical_difference(12, 4)


@pytest.mark.parametrize("k", range(2, 8))
@pytest.mark.parametrize("n", [2, 7, 23])
def test_full_agreement_is_full_in_floating_point(n: int, k: int) -> None:
    audit = check_published_ranks(np.arange(k) + 1, n, decimals=2)

    assert (audit.chi2, audit.f, audit.ok) == (n * (k - 1), math.inf, True)


def test_one_dataset_has_no_f() -> None:
    audit = check_published_ranks([1, 2, 3], 1, decimals=0, claims={"F": 4.0})

    assert math.isnan(audit.f)
    assert math.isnan(audit.f_pvalue)
    assert codes(audit.findings) == ["F"]


def test_decimals_are_those_of_the_most_precise() -> None:
    assert check_published_ranks([2.5, 1.6, 1.9], 20).decimals == 1
    assert check_published_ranks([2.5, 1.625, 1.875], 20).decimals == 3
    assert check_published_ranks([4 / 3, 5 / 3], 3).decimals == 12


def test_no_pvalue_is_zero() -> None:
    """A tail too small for a float is the smallest float, as in friedman_test."""
    audit = check_published_ranks([1, 2, 3], 1000)

    assert audit.chi2_pvalue == audit.f_pvalue == math.ulp(0.0)


def test_infinite_f_has_the_probability_that_all_datasets_agree() -> None:
    assert check_published_ranks([1, 2, 3], 4).f_pvalue == pytest.approx(6**-3, rel=1e-12)


def test_beside_a_control_the_difference_is_that_of_bonferroni_and_dunn() -> None:
    ranks, cds = [1.6, 1.9, 2.5], [critical_difference(20, 3, test=test) for test in ("nemenyi", "bonferroni-dunn")]

    claims = [
        codes(check_published_ranks(ranks, 20, decimals=1, control=control, claims={"cd": round(cd, 3)}).findings)
        for control in (None, 2)
        for cd in cds
    ]

    assert claims == [[], ["cd"], ["cd"], []]


def test_limits_of_the_statistic_are_those_of_rounding() -> None:
    """Each rank by .05 nearer to 2, or farther from it, but none beyond 1 and 3: 20 times the sum of squares."""
    audit = check_published_ranks([1.3, 1.9, 2.8], 20, decimals=1)

    assert audit.chi2_low == pytest.approx(20 * (0.65**2 + 0.05**2 + 0.75**2), rel=1e-12)
    assert audit.chi2_high == pytest.approx(20 * (0.75**2 + 0.15**2 + 0.85**2), rel=1e-12)


@pytest.mark.parametrize(
    "printed",
    [
        dict(zip(NAMES, RANKS, strict=True)),
        pd.Series(RANKS, index=NAMES),
        dict(zip(NAMES, map(Decimal, RANKS), strict=True)),
        {"A": " 2,50 ", "B": "+1,6", "C": 1.9},
    ],
    ids=["dict", "Series", "Decimal", "mixed"],
)
def test_labeled_texts_are_the_numbers_with_names_and_decimals(printed: object) -> None:
    wanted = check_published_ranks([2.5, 1.6, 1.9], 20, names=NAMES, decimals=2, control="B").to_dict()

    assert check_published_ranks(printed, 20, control="B").to_dict() == wanted


def test_trailing_zeros_of_texts_count() -> None:
    """Over 7 datasets no mean rank is 2.00 to 2.01 but 2 itself; the float 2.0 may be anything from 1.95."""
    assert check_published_ranks(["1.00", "2.00", "3.00"], 7).decimals == 2
    assert check_published_ranks([1.0, 2.0, 3.0], 7).decimals == 0


def test_texts_are_a_batch_too() -> None:
    batch = check_published_ranks(np.array([RANKS, ["1.5", "2.0", "2.5"]]), 20)

    assert batch.decimals.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("claim", "ok"), [("3.5", True), ("3.00", False), (3.0, False), (3, True), (np.float64(3), False)], ids=repr
)
def test_claimed_number_is_rounded_as_it_is_written(claim: object, ok: bool) -> None:
    """The critical difference of 9 classifiers over 12 datasets is 3.468, which is 3 to no decimals, but not 3.0."""
    mean_ranks = ["2.000", "3.000", "4.000", "5.000", "5.000", "5.000", "6.000", "7.000", "8.000"]

    assert check_published_ranks(mean_ranks, 12, claims={"cd": claim}).ok is ok


@pytest.mark.parametrize(
    ("mean_ranks", "options", "message"),
    [
        (["1.5", "x"], {}, r"mean_ranks must be numbers, but mean_ranks\[1\] is 'x'"),
        ({"A": "1.5", "B": "1e0"}, {}, r"mean_ranks must be numbers, but mean_ranks\[1\] is '1e0'"),
        ({1: 1.0, 2: 2.0}, {}, r"the keys of mean_ranks must be names, not \[1, 2\]"),
        ([1, 2], {"claims": {"cd": "?"}}, r"claims\['cd'\] is '\?'"),
    ],
    ids=str,
)
def test_types_that_are_refused(mean_ranks: object, options: dict, message: str) -> None:
    with pytest.raises(InvalidTypeError, match=message):
        check_published_ranks(mean_ranks, 5, **options)


@pytest.mark.parametrize(
    ("mean_ranks", "options", "message"),
    [
        ({"A": 1.0, "B": 2.0}, {"names": ["B", "A"]}, "names must be left out, or must be the keys of mean_ranks"),
        (["1." + 13 * "0", "2"], {}, "mean_ranks must have at most 12 decimals, but one mean rank has 13 decimals"),
        ([1, 2], {"claims": {"cd": [1.0]}}, r"claims\['cd'\] must be one number, not \[1.0\]"),
        ({}, {}, "mean_ranks must hold 2 or more classifiers"),
    ],
    ids=str,
)
def test_values_that_are_refused(mean_ranks: object, options: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        check_published_ranks(mean_ranks, 5, **options)


@pytest.mark.parametrize("labels", [[10, 30, 20], ["NB", "NB", "SVM"]])
def test_labels_that_are_no_different_names_name_nobody(labels: list[object]) -> None:
    audit = check_published_ranks(pd.Series([2.65, 1.95, 1.40], index=labels), 20)

    assert audit.names == check_published_ranks([2.65, 1.95, 1.40], 20).names
