from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from evalstats.agreement import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    scott_pi,
)
from evalstats.metrics import confusion_counts

# Fleiss (1971), Table 1: 30 patients, 6 psychiatrists each, 5 diagnoses
DIAGNOSES = [
    "444444", "222555", "233335", "555555", "222444", "113333", "333355", "113334", "114444", "555555",
    "144444", "124444", "222333", "144444", "224445", "333335", "111455", "111112", "224444", "133555",
    "555555", "244444", "224555", "114444", "144445", "222224", "111155", "224444", "133333", "555555",
]  # fmt: skip
# by irr::kappam.fleiss
IRR = (0.4302445, 17.65183)
# the first fifteen of these patients (distrib.6raters of the R package irrCAC): kappa, error and interval printed there
IRRCAC = (0.4139265, 0.08119291, 0.24, 0.588)
IRRCAC_AGREEMENT = (0.5511111, 0.2340741)
# Wikipedia, "Fleiss' kappa": ten subjects, fourteen raters
WIKIPEDIA = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
ratings_of_labels = st.integers(2, 5).flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 3), min_size=m, max_size=m), min_size=2, max_size=12)
)
# the table cont3x3abstractors of the R package irrCAC, and what scott2.table prints for it
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
IRRCAC_SCOTT = (0.7962397, 0.05905473)
pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


def diagnoses() -> list[list[str]]:
    return [list(patient) for patient in DIAGNOSES]


def transcribed(ratings: list[list[int]]) -> tuple[Fraction, Fraction, Fraction] | None:
    """Kappa by pairs of ratings, the squared error of Gwet (2014) and that of Fleiss, Nee & Landis (1979)."""
    n, m = len(ratings), len(ratings[0])
    pooled = [label for case in ratings for label in case]
    p = {label: Fraction(pooled.count(label), n * m) for label in set(pooled)}
    agreeing = [Fraction(sum(a == b for a, b in itertools.permutations(case, 2)), m * (m - 1)) for case in ratings]
    observed, chance = sum(agreeing) / n, sum(share**2 for share in p.values())
    if chance == 1:
        return None
    kappa = (observed - chance) / (1 - chance)
    influence = [
        (here - chance) / (1 - chance)
        - 2 * (1 - kappa) * (sum(p[label] for label in case) / m - chance) / (1 - chance)
        - kappa
        for here, case in zip(agreeing, ratings, strict=True)
    ]
    pq = sum(share * (1 - share) for share in p.values())
    third = sum(share * (1 - share) * (1 - 2 * share) for share in p.values())
    null = Fraction(2, n * m * (m - 1)) * (pq**2 - third) / pq**2
    return kappa, sum(i**2 for i in influence) / (n * (n - 1)), null


def test_two_cases_three_raters_by_hand() -> None:
    """One of three pairs agrees on the first case, all on the second; labels a 2, b 4 of 6."""
    result = fleiss_kappa([["a", "a", "b"], ["b", "b", "b"]])

    assert result.observed_agreement == pytest.approx(2 / 3, rel=1e-15)
    assert result.chance_agreement == pytest.approx(5 / 9, rel=1e-15)
    assert result.estimate == pytest.approx(1 / 4, rel=1e-14)
    # two labels: 2 / (n m (m - 1))
    assert result.standard_error_null == pytest.approx(math.sqrt(2 / 12), rel=1e-14)
    assert (result.n_instances, result.n_raters, result.labels) == (2, 3, ("a", "b"))
    np.testing.assert_allclose(result.proportions, [1 / 3, 2 / 3])


def test_psychiatric_diagnoses() -> None:
    result = fleiss_kappa(diagnoses())

    assert (result.estimate, result.statistic) == pytest.approx(IRR, rel=1e-6)


def test_printout_of_irrcac() -> None:
    result = fleiss_kappa(diagnoses()[:15])

    assert (result.observed_agreement, result.chance_agreement) == pytest.approx(IRRCAC_AGREEMENT, abs=5e-8)
    assert (result.estimate, result.standard_error) == pytest.approx(IRRCAC[:2], rel=1e-6)
    assert tuple(result.confidence_interval()) == pytest.approx(IRRCAC[2:], abs=5e-4)


def test_example_of_wikipedia() -> None:
    result = fleiss_kappa(counts=WIKIPEDIA)

    numbers = (result.observed_agreement, result.chance_agreement, result.estimate)
    assert numbers == pytest.approx((0.378, 0.213, 0.210), abs=5e-4)


@given(ratings_of_labels)
def test_definition_in_fractions(ratings: list[list[int]]) -> None:
    result, expected = fleiss_kappa(ratings), transcribed(ratings)

    if expected is None:
        assert math.isnan(result.estimate)
    else:
        kappa, variance, null = expected
        assert result.estimate == pytest.approx(float(kappa), rel=1e-12, abs=1e-14)
        assert result.standard_error == pytest.approx(math.sqrt(variance), rel=1e-10, abs=1e-12)
        assert result.standard_error_null == pytest.approx(math.sqrt(null), rel=1e-12)


@pytest.mark.parametrize(("n", "m", "k"), [(10, 2, 2), (50, 5, 4), (200, 14, 9)])
def test_statsmodels_agrees(n: int, m: int, k: int) -> None:
    counts = np.random.default_rng(n).multinomial(m, np.full(k, 1 / k), size=n)

    assert fleiss_kappa(counts=counts).estimate == pytest.approx(statsmodels_fleiss(counts), rel=1e-12)


def test_null_standard_error_is_the_spread_of_random_ratings() -> None:
    """The formula of Fleiss (1971), which others still use, would give 0.034 here."""
    counts = np.random.default_rng(1).multinomial(6, [0.1, 0.2, 0.7], size=(4000, 200))
    result = fleiss_kappa(counts=counts)

    assert result.estimate.std() == pytest.approx(0.0142, rel=0.04)
    assert np.median(result.standard_error_null) == pytest.approx(0.0142, rel=0.01)


def test_standard_error_is_the_spread_of_samples_of_cases() -> None:
    rng = np.random.default_rng(2)
    truth = rng.choice(3, (2000, 150, 1), p=[0.6, 0.3, 0.1])
    ratings = np.where(rng.random((2000, 150, 4)) < 0.7, truth, rng.integers(0, 3, (2000, 150, 4)))
    result = fleiss_kappa(ratings)

    assert np.sqrt(np.mean(result.standard_error**2)) == pytest.approx(result.estimate.std(), rel=0.05)


@given(ratings_of_labels)
def test_who_gave_which_rating_does_not_matter(ratings: list[list[int]]) -> None:
    result, shuffled = fleiss_kappa(ratings), fleiss_kappa([case[::-1] for case in ratings])

    np.testing.assert_array_equal(
        [shuffled.estimate, shuffled.standard_error], [result.estimate, result.standard_error]
    )


def test_two_raters_are_scott_pi() -> None:
    y1, y2 = np.random.default_rng(3).integers(0, 3, (2, 80))
    here, there = fleiss_kappa(np.stack([y1, y2], axis=-1)), scott_pi(y1, y2)

    for field in ("estimate", "standard_error", "standard_error_null", "statistic", "pvalue"):
        assert getattr(here, field) == pytest.approx(getattr(there, field), rel=1e-12), field


def test_krippendorff_alpha_pairs_no_rating_with_itself() -> None:
    ratings = np.array(diagnoses())
    kappa, alpha = fleiss_kappa(ratings), krippendorff_alpha(ratings)

    assert 1 - alpha.estimate == pytest.approx((1 - kappa.estimate) * (1 - 1 / ratings.size), rel=1e-13)
    assert alpha.standard_error == pytest.approx(kappa.standard_error, rel=1e-12)


def test_ratings_and_their_counts_are_one_road() -> None:
    ratings = np.random.default_rng(4).integers(0, 4, (3, 20, 5))
    counts = (ratings[..., None] == np.arange(4)).sum(axis=-2)

    np.testing.assert_array_equal(fleiss_kappa(ratings).estimate, fleiss_kappa(counts=counts).estimate)


def test_a_label_that_nobody_used_changes_nothing() -> None:
    listed = fleiss_kappa(diagnoses(), labels=list("123456789"))

    assert listed.estimate == fleiss_kappa(diagnoses()).estimate
    assert len(listed.proportions) == 9


def test_one_case_has_no_standard_error() -> None:
    result = fleiss_kappa([["a", "a", "b"]])

    assert result.estimate == pytest.approx(-0.5, rel=1e-14)
    assert math.isnan(result.standard_error)
    assert np.isnan(list(result.confidence_interval())).all()
    assert "only one instance" in str(result.reason)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fleiss_kappa([[1, 2], [1, None]]), "ratings[1, 1] is missing; krippendorff_alpha and gwet_ac1 accept"),
        (lambda: fleiss_kappa([[1, 2], [1, 3]], labels=[1, 2]), "ratings[1, 1] is 3"),
        (lambda: fleiss_kappa(counts=[[1, 2], [2, 2]]), "one row has 3 ratings and another row has 4"),
        (
            lambda: fleiss_kappa(counts=[[1, 0], [0, 1]]),
            "two ratings or more of each instance, but the sum of each row is 1",
        ),
        (lambda: fleiss_kappa(counts=[[1, 0.5], [0, 1]]), "whole numbers from 0 to 2^50, but counts[0, 1] is 0.5"),
        (lambda: fleiss_kappa(counts=[3, 4]), "counts must have the shape (n_instances, k), but its shape is (2,)"),
    ],
)
def test_bad_ratings_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"ratings|counts") as caught:
        call()

    assert message in str(caught.value)


def test_eight_cases_by_hand() -> None:
    """6 of 8 agree; the labels have shares 3/8 and 5/8 on both sides together."""
    result = scott_pi([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1])

    assert result.observed_agreement == 0.75
    assert result.chance_agreement == pytest.approx(34 / 64, rel=1e-15)
    assert result.estimate == pytest.approx(7 / 15, rel=1e-14)
    assert result.standard_error_null == pytest.approx(1 / math.sqrt(8), rel=1e-14)


def test_printout_of_irrcac_for_two_raters() -> None:
    """It divides the sum of squares by n^2 where we divide by n (n - 1), as it does itself for ratings."""
    result = scott_pi(counts=ABSTRACTORS)

    assert result.estimate == pytest.approx(IRRCAC_SCOTT[0], rel=1e-6)
    assert result.standard_error * math.sqrt(99 / 100) == pytest.approx(IRRCAC_SCOTT[1], rel=1e-6)


@given(pairs)
def test_never_above_cohen_kappa(labels: list[tuple[int, int]]) -> None:
    """Equal only where both sides use each label as often."""
    y1, y2 = zip(*labels, strict=True)
    pi, kappa = scott_pi(y1, y2), cohen_kappa(y1, y2)

    if not math.isnan(pi.estimate):
        assert pi.estimate <= kappa.estimate + 1e-14
    if sorted(y1) == sorted(y2):
        assert pi.estimate == pytest.approx(kappa.estimate, rel=1e-12, abs=1e-15, nan_ok=True)


@given(pairs)
def test_krippendorff_alpha_of_two_raters(labels: list[tuple[int, int]]) -> None:
    pi, alpha = scott_pi(*zip(*labels, strict=True)), krippendorff_alpha(labels)

    assert 1 - alpha.estimate == pytest.approx(
        (1 - pi.estimate) * (1 - 1 / (2 * len(labels))), rel=1e-12, abs=1e-15, nan_ok=True
    )


@given(pairs)
def test_who_is_first_does_not_matter(labels: list[tuple[int, int]]) -> None:
    y1, y2 = zip(*labels, strict=True)
    here, there = scott_pi(y1, y2), scott_pi(y2, y1)

    assert there.estimate == pytest.approx(here.estimate, rel=1e-14, nan_ok=True)
    assert there.standard_error == pytest.approx(here.standard_error, rel=1e-12, abs=1e-15, nan_ok=True)


def test_standard_error_is_the_spread_of_samples() -> None:
    shares = 0.5 * np.outer([0.6, 0.3, 0.1], [0.5, 0.3, 0.2]) + 0.5 * np.diag([0.5, 0.3, 0.2])
    tables = np.random.default_rng(1).multinomial(200, shares.ravel(), size=5000).reshape(-1, 3, 3)
    result = scott_pi(counts=tables)

    assert np.sqrt(np.mean(result.standard_error**2)) == pytest.approx(result.estimate.std(), rel=0.03)


def test_labels_and_their_table_are_one_road() -> None:
    y1, y2 = np.random.default_rng(2).integers(0, 4, (2, 5, 60))

    np.testing.assert_array_equal(scott_pi(y1, y2).estimate, scott_pi(counts=confusion_counts(y1, y2)).estimate)


def test_tables_without_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="a table must hold at least one instance, but counts is all 0"):
        scott_pi(counts=[[0, 0], [0, 0]])
