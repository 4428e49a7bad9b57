"""Siegel and Castellan's z and Miller's chi-squared, for pairs after Friedman."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats.examples import example_table
from evalstats.multiple.bonferroni_dunn import bonferroni_dunn_test
from evalstats.multiple.friedman import friedman_test
from evalstats.multiple.nemenyi import nemenyi_test
from evalstats.multiple.siegel_castellan import miller_test, siegel_castellan_test

# scikit-posthocs 0.17.1 on Table 6 of Demšar (2006), and so PMCMRplus; the pairs in the order of the columns
SIEGEL = [
    0.019172484755223106,
    0.6605492052016728,
    0.01282669364548545,
    0.057039874249055565,
    0.8836174593813679,
    0.040423979336908576,
]
MILLER = [
    0.13949556240546954,
    0.9787340785568185,
    0.1025951485578178,
    0.30535135555885895,
    0.999171068865251,
    0.24066188520961446,
]
UPPER = np.triu_indices(4, 1)


def demsar() -> np.ndarray:
    return np.array(example_table("demsar-2006").scores)


def test_three_wins_by_hand() -> None:
    """Mean ranks 1 and 2, standard error sqrt(1/3): z = -sqrt(3), chi-squared 3."""
    siegel, miller = (test([[2, 1], [5, 3], [9, 4]]) for test in (siegel_castellan_test, miller_test))

    assert siegel.statistic[0, 1] == pytest.approx(-math.sqrt(3), rel=1e-15)
    assert miller.statistic[0, 1] == pytest.approx(3, rel=1e-15)
    assert siegel.pvalue[0, 1] == pytest.approx(math.erfc(math.sqrt(1.5)), rel=1e-15)


def test_demsars_table() -> None:
    assert siegel_castellan_test(demsar(), adjust="none").pvalue[UPPER] == pytest.approx(SIEGEL, rel=1e-11)
    assert miller_test(demsar()).pvalue[UPPER] == pytest.approx(MILLER, rel=1e-11)


def test_statistic_is_that_of_nemenyi() -> None:
    np.testing.assert_array_equal(siegel_castellan_test(demsar()).statistic, nemenyi_test(demsar()).statistic)


def test_bonferroni_comparison_with_control_is_the_bonferroni_dunn_test() -> None:
    siegel = siegel_castellan_test(demsar(), control=1, adjust="bonferroni")

    np.testing.assert_allclose(siegel.pvalue, bonferroni_dunn_test(demsar(), control=1).pvalue, rtol=1e-14)


def test_holm_is_never_worse_than_bonferroni() -> None:
    holm, bonferroni = (siegel_castellan_test(demsar(), adjust=a).pvalue for a in ("holm", "bonferroni"))

    assert np.all(holm <= bonferroni)


@pytest.mark.parametrize("seed", range(5))
def test_miller_covers_every_contrast(seed: int) -> None:
    """No chi-squared of a pair exceeds Friedman's, and its p-value lies above that of Nemenyi."""
    scores = np.random.default_rng(seed).random((8, 5))

    result = miller_test(scores)

    assert result.statistic.max() <= friedman_test(scores).chi2_uncorrected * (1 + 1e-12)
    assert np.all(result.pvalue >= nemenyi_test(scores).pvalue * (1 - 1e-12))


def test_two_classifiers_have_one_contrast() -> None:
    result = miller_test(demsar()[:, :2])

    np.testing.assert_allclose(result.pvalue, result.unadjusted_pvalue, rtol=1e-14)


def test_miller_comparison_with_control_is_a_column() -> None:
    every, one = miller_test(demsar()), miller_test(demsar(), control=3)

    np.testing.assert_array_equal(one.pvalue[:3], every.pvalue[:3, 3])
    assert np.isnan(one.pvalue[3])
    assert (one.adjustment, one.df) == ("single-step", 3)


def test_miller_is_chi_squared() -> None:
    result = miller_test(demsar())

    np.testing.assert_allclose(result.pvalue, stats.chi2.sf(result.statistic, 3), rtol=1e-13)


@pytest.mark.parametrize("test", [siegel_castellan_test, miller_test])
def test_far_tail_is_no_zero(test: object) -> None:
    """At z = 49 and more: the truth is below every float."""
    result = test(np.tile([3.0, 2, 1], (1200, 1)))

    assert result.pvalue[0, 2] > 0
    assert result.min_attainable_pvalue <= result.unadjusted_pvalue[0, 2] or test is miller_test
    assert result.unadjusted_pvalue[0, 2] == 5e-324


@pytest.mark.parametrize("test", [siegel_castellan_test, miller_test])
def test_one_order_on_every_dataset_reaches_the_smallest_pvalue(test: object) -> None:
    result = test(np.tile([4.0, 3, 2, 1], (5, 1)))

    smallest = result.unadjusted_pvalue[0, 3] if test is siegel_castellan_test else result.pvalue[0, 3]
    assert result.min_attainable_pvalue == smallest


@pytest.mark.parametrize("test", [siegel_castellan_test, miller_test])
def test_equal_differences_have_equal_pvalues(test: object) -> None:
    scores = np.random.default_rng(9).random((13, 8))
    doubled = np.rint(26 * test(scores).mean_ranks)
    difference = np.abs(doubled[:, None] - doubled)

    pvalue = test(scores).unadjusted_pvalue

    assert all(len(set(pvalue[difference == d])) == 1 for d in set(difference.ravel()))


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5])
def test_critical_difference_of_miller_has_the_pvalue_alpha(alpha: float) -> None:
    """Ten datasets and four classifiers."""
    result = miller_test(np.random.default_rng(1).random((10, 4)))

    critical = result.critical_difference(alpha)

    z_squared = critical**2 / (4 * 5 / (6 * 10))
    assert stats.chi2.sf(z_squared, 3) == pytest.approx(alpha, rel=1e-9)


def test_batch_has_a_method_for_each_table() -> None:
    tables = np.random.default_rng(0).normal(size=(2, 8, 3))

    assert siegel_castellan_test(tables).method.tolist() == ["normal", "normal"]
    assert siegel_castellan_test(tables[0]).method == "normal"
