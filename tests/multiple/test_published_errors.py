"""What no ranks can give is found, and so is every claim that does not follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats import friedman_test
from evalstats.multiple import check_published_ranks

tables = st.tuples(st.integers(1, 30), st.integers(2, 6), st.integers(1, 6), st.integers(0, 10**6))


def codes(findings: tuple[object, ...], severity: str = "error") -> list[str]:
    return [one.code for one in findings if one.severity == severity]


def scores(n: int, k: int, *, levels: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, levels, (n, k)).astype(float)


def codes_of(ranks: list[float], n: int, **options: object) -> list[str]:
    return codes(check_published_ranks(ranks, n, **options).findings)


@pytest.mark.parametrize(
    ("ranks", "n", "expected"),
    [
        ([0.90, 2.10, 3.00], 10, ["range"]),
        ([1.12, 1.88], 18, ["granularity", "granularity"]),
        ([1.11, 1.89], 18, []),
        ([1.55, 2.0, 2.6], 10, ["sum"]),
        ([1.33, 2.33, 2.33], 50, ["sum"]),  # within rounding of two decimals, but there are no thirds
        ([1.33, 2.33, 2.33], 3, []),
        ([1.0, 1.2, 3.9, 3.9], 10, ["extremes", "extremes"]),
        ([1.0, 2.0, 3.5, 3.5], 10, []),
    ],
    ids=str,
)
def test_impossible_mean_ranks_are_found(ranks: list[float], n: int, expected: list[str]) -> None:
    assert codes_of(ranks, n) == expected


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"cd": 1.05}, []),
        ({"cd": 0.66}, ["cd"]),
        ({"chi2": 15.0}, []),
        ({"chi2": 11.0}, ["chi2"]),
        ({"F": 27.0}, []),
        ({"F": 5.5}, ["F"]),
        ({"rejects": True}, []),
        ({"rejects": False}, ["rejects"]),
        ({"different": [(0, 1)], "test": "nemenyi"}, []),
        ({"different": [(0, 2)], "test": "Nemenyi test"}, ["different"]),
        ({"different": [(0, 2)], "cd": 1.05}, ["different"]),
        ({"not_different": [(0, 1)], "test": "nemenyi"}, ["not-different"]),
        ({"best": 0}, []),
        ({"best": 2}, []),
        ({"best": 1}, ["best"]),
    ],
    ids=str,
)
def test_wrong_claims_are_found(claims: dict[str, object], expected: list[str]) -> None:
    """Slide 53 of Japkowicz: mean ranks 1.5, 3, 1.5 over 10 datasets, chi2 = 15, F = 27."""
    assert codes_of([1.50, 3.00, 1.50], 10, decimals=2, claims=claims) == expected


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"cd": 0.747}, "0.747 is the value for 18 datasets"),
        ({"cd": 0.741}, "0.741 is the value of the Nemenyi test"),
        ({"cd": 0.123456}, "the Bonferroni-Dunn test for 3 classifiers, 20 datasets and alpha = 0.05 is 0.7088"),
    ],
    ids=str,
)
def test_finding_says_what_another_critical_difference_is(claims: dict[str, float], words: str) -> None:
    (finding,) = check_published_ranks([2.5, 1.6, 1.9], 20, control=0, claims=claims).findings

    assert finding.sentence.removesuffix(".").endswith(words)


@pytest.mark.parametrize("test", [{}, {"test": "Wilcoxon with Holm"}, {"test": "conover"}], ids=str)
@pytest.mark.parametrize("claim", ["different", "not_different"])
def test_mean_ranks_contradict_no_test_that_is_not_made_on_them(test: dict[str, str], claim: str) -> None:
    """Equal mean ranks may differ in a Wilcoxon test, and those 1.5 apart may not: a caution, not an error."""
    pair = (0, 2) if claim == "different" else (0, 1)
    audit = check_published_ranks([1.50, 3.00, 1.50], 10, decimals=2, claims={claim: [pair], **test})

    assert audit.ok
    assert codes(audit.findings, "warning") == [claim.replace("_", "-")]
    assert test.get("test", "other tests") in audit.findings[0].sentence


def test_test_that_is_named_has_its_own_critical_difference() -> None:
    """With a control, a claim may still name Nemenyi's test, which compares all pairs."""
    claims = {"cd": 0.741, "test": "nemenyi", "different": [(1, 2)]}
    audit = check_published_ranks([2.5, 1.6, 1.9], 20, control=0, decimals=2, claims=claims)

    assert codes(audit.findings) == ["different"]
    assert codes_of([2.5, 1.6, 1.9], 20, control=0, claims=claims | {"test": "Bonferroni and Dunn"}) == ["cd"]


@pytest.mark.parametrize(
    ("claim", "expected"), [("0.0006", []), ("0.2", ["pvalue"]), ("0.001", []), (0.01, ["pvalue"])]
)
def test_claimed_pvalue_is_that_of_either_form(claim: object, expected: list[str]) -> None:
    """Mean ranks 1.5, 3, 1.5 over 10 datasets: exp(-15 / 2) = .00055 by chi-squared, by F 4e-6."""
    findings = check_published_ranks(["1.50", "3.00", "1.50"], 10, claims={"pvalue": claim}).findings

    assert codes(findings, "warning") == expected


def test_rejection_that_needs_ties_is_a_warning() -> None:
    """Mean ranks 2.3, 1.85, 1.85 over 20 datasets: p is .26, but .0024 if 14 datasets tie all three."""
    ranks = np.full((20, 3), 2.0)
    ranks[:6] = [3, 1.5, 1.5]
    tied = friedman_test(-ranks)

    audit = check_published_ranks(ranks.mean(axis=0), 20, claims={"rejects": True})

    assert codes(audit.findings, "warning") == ["rejects"]
    assert audit.chi2 == pytest.approx(tied.chi2_uncorrected)
    assert tied.chi2 == pytest.approx(12)
    assert audit.chi2_low <= audit.chi2 < tied.chi2 <= audit.chi2_tied


@settings(max_examples=repetitions(40))
@given(tables)
def test_true_tables_pass(given_table: tuple[int, int, int, int]) -> None:
    """Whatever ranks there are, with whatever ties, and whatever they are rounded to: nothing is impossible."""
    n, k, levels, seed = given_table
    ranks = friedman_test(scores(n, k, levels=levels, seed=seed), method="chi2").mean_ranks

    for decimals in (0, 1, 2, 3, 5):
        assert codes_of(np.round(ranks, decimals), n, decimals=decimals) == []
    assert codes_of(ranks, n) == []


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"different": [(0, 1)]}, "they are claimed to differ, but the mean ranks"),
        ({"not_different": [(0, 2)]}, "they are claimed not to differ, but the mean ranks"),
    ],
)
def test_claims_about_pairs_are_told_as_they_are(claims: dict[str, Any], words: str) -> None:
    (finding,) = check_published_ranks([1.2, 1.8, 3.0], 20, decimals=1, claims=claims).findings

    assert finding.sentence.startswith(words)


def test_possible_mean_ranks_beside_an_impossible_one_are_told() -> None:
    """Over 13 datasets mean ranks are multiples of 1/26: 135/26 and 136/26 are the nearest to 5.208333."""
    finding = check_published_ranks(["5.208333", "1", "2", "3", "4", "5.5"], 13).findings[0]

    assert finding.sentence.endswith("multiples of 1/26, such as 5.19230769 and 5.23076923")


@pytest.mark.parametrize(("last", "expected"), [(2.00, ["granularity"]), (2.30, ["granularity", "sum"])])
def test_sum_is_told_beside_an_impossible_mean_rank(last: float, expected: list[str]) -> None:
    """Over 3 datasets mean ranks are multiples of 1/6: 2.40 is none; what they add up to is seen all the same."""
    assert sorted(set(codes_of([1.60, 2.40, last], 3, decimals=2))) == expected


@pytest.mark.parametrize(
    ("cd", "expected"), [("1.05", []), ("1.04", ["cd"]), ("1.06", ["cd"]), ("1.048", []), ("1.049", ["cd"])]
)
def test_claim_agrees_up_to_half_a_unit_of_its_last_digit(cd: str, expected: list[str]) -> None:
    """The critical difference of 3 classifiers over 10 datasets is 1.04809."""
    assert codes_of([1.50, 3.00, 1.50], 10, decimals=2, claims={"cd": cd}) == expected
