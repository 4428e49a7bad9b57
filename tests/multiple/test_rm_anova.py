"""Repeated-measures ANOVA: F, its corrections, and Mauchly's test."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from statsmodels.stats.anova import AnovaRM

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.rm_anova import decomposed, means_of_columns, rm_anova_test

FIELDS = (
    "statistic",
    "pvalue",
    "greenhouse_geisser_epsilon",
    "huynh_feldt_epsilon",
    "greenhouse_geisser_pvalue",
    "huynh_feldt_pvalue",
    "mauchly_w",
    "mauchly_pvalue",
    "partial_eta_squared",
    "error_sd",
)
tables = hnp.arrays(float, st.tuples(st.integers(2, 6), st.integers(2, 5)), elements=st.integers(-30, 30).map(float))


def tutorial() -> np.ndarray:
    return np.array(example_table("japkowicz-friedman").scores)


def some_scores(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape) + 0.3 * np.arange(shape[-1])


def exact_epsilon(scores: np.ndarray) -> Fraction:
    """Box (1954): trace(S)^2 / ((k - 1) trace(S^2)) of the covariance matrix S, centered both ways."""
    y = [[Fraction(v) for v in row] for row in scores.tolist()]
    n, k = scores.shape
    mean = [sum(r[j] for r in y) / n for j in range(k)]
    s = [[sum((r[i] - mean[i]) * (r[j] - mean[j]) for r in y) for j in range(k)] for i in range(k)]
    row, all_of_them = [sum(r) / k for r in s], sum(map(sum, s)) / k**2
    centered = [[s[i][j] - row[i] - row[j] + all_of_them for j in range(k)] for i in range(k)]
    trace = sum(centered[i][i] for i in range(k))
    return trace**2 / ((k - 1) * sum(v * v for r in centered for v in r))


def test_by_hand() -> None:
    """Columns 2, 3 and 4 on average; residuals of squares 4 in all: F = (6 / 2) / (4 / 4)."""
    result = rm_anova_test([[1, 3, 5], [3, 2, 4], [2, 4, 3]])

    assert result.df == (2, 4)
    assert result.means.tolist() == [2, 3, 4]
    assert result.statistic == pytest.approx(3 / 1.5, rel=1e-14)
    assert result.partial_eta_squared == pytest.approx(6 / 12, rel=1e-14)


def test_tutorial() -> None:
    """Tutorial of Japkowicz, the slide of the repeated-measures ANOVA: F = 142.418, p = 9.26e-12."""
    result = rm_anova_test(tutorial())

    assert result.statistic == pytest.approx(142.418, abs=5e-4)
    assert result.pvalue == pytest.approx(9.26e-12, rel=1e-3)


@pytest.mark.parametrize("shape", [(8, 3), (12, 5), (5, 6)])
def test_statsmodels_agrees(shape: tuple[int, int]) -> None:
    scores = some_scores(*shape)
    i, j = np.indices(shape)
    long = pd.DataFrame({"score": scores.ravel(), "dataset": i.ravel(), "classifier": j.ravel()})
    theirs = AnovaRM(long, "score", "dataset", within=["classifier"]).fit().anova_table.iloc[0]

    result = rm_anova_test(scores)

    assert result.statistic == pytest.approx(theirs["F Value"], rel=1e-10)
    assert result.pvalue == pytest.approx(theirs["Pr > F"], rel=1e-9)


@pytest.mark.parametrize("n", [2, 3, 10])
def test_two_classifiers_are_the_paired_t_test(n: int) -> None:
    scores = some_scores(n, 2)
    t, pvalue = stats.ttest_rel(*scores.T)

    result = rm_anova_test(scores)

    assert result.statistic == pytest.approx(t**2, rel=1e-12)
    assert (result.greenhouse_geisser_epsilon, result.huynh_feldt_epsilon, result.mauchly_w) == (1, 1, 1)
    for p in (result.pvalue, result.greenhouse_geisser_pvalue, result.huynh_feldt_pvalue):
        assert p == pytest.approx(pvalue, rel=1e-11)
    assert result.reason is None
    assert "two classifiers" in result.sphericity_reason


@pytest.mark.parametrize("offset", [0, 1e6, 1e12])
def test_epsilon_is_exact_whatever_is_added(offset: float) -> None:
    """In fractions; nothing is lost to large scores."""
    scores = np.random.default_rng(3).integers(0, 50, (7, 4)) / 4.0
    exact = exact_epsilon(scores)
    n, p = 7, 3

    result = rm_anova_test(scores + offset)

    assert result.greenhouse_geisser_epsilon == pytest.approx(float(exact), rel=1e-13)
    hf = (n * p * exact - 2) / (p * (n - 1 - p * exact))
    assert result.huynh_feldt_epsilon == pytest.approx(min(float(hf), 1), rel=1e-12)


def test_corrections_shrink_both_degrees_of_freedom() -> None:
    result = rm_anova_test(tutorial(), correction="greenhouse-geisser")
    e = result.greenhouse_geisser_epsilon

    assert result.pvalue == result.greenhouse_geisser_pvalue
    assert result.pvalue == pytest.approx(stats.f.sf(result.statistic, 2 * e, 18 * e), rel=1e-11)
    assert rm_anova_test(tutorial(), correction="huynh-feldt").pvalue == result.huynh_feldt_pvalue


def test_epsilons_keep_their_order_and_their_bounds() -> None:
    for seed in range(30):
        result = rm_anova_test(some_scores(2 + seed % 9, 2 + seed % 5, seed=seed))
        least = 1 / (result.n_classifiers - 1)

        assert least <= result.greenhouse_geisser_epsilon <= result.huynh_feldt_epsilon * (1 + 1e-9) <= 1 + 1e-9


def test_mauchly_takes_the_dimension_of_the_contrasts() -> None:
    """R's mauchly.test(lm(m ~ 1), X = ~1) takes k = 4 for 3 in one place and says .0309; of contrasts it says .0307."""
    result = rm_anova_test(np.array(example_table("demsar-2006").scores)[:5])

    assert result.mauchly_pvalue == pytest.approx(0.0306806352397, rel=1e-9)


def test_mauchly_keeps_its_level() -> None:
    """Of 4,000 spherical tables 5% are rejected."""
    result = rm_anova_test(np.random.default_rng(5).normal(size=(4000, 8, 4)))

    assert np.mean(result.mauchly_pvalue <= 0.05) == pytest.approx(0.05, abs=0.012)
    assert np.mean(result.pvalue <= 0.05) == pytest.approx(0.05, abs=0.012)


def test_a_batch_is_a_loop() -> None:
    """To the last bit, and the same where there is no residual variance."""
    tables = some_scores(2, 3, 6, 4)
    tables[0, 0] = 0.5
    tables[0, 1] = np.arange(4)

    batch = rm_anova_test(tables)

    for at in np.ndindex(2, 3):
        member = rm_anova_test(tables[at])
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        assert (batch.reason[at], batch.sphericity_reason[at]) == (member.reason, member.sphericity_reason)


def test_order_unit_and_level_do_not_matter() -> None:
    scores = some_scores(9, 4)
    here = rm_anova_test(scores)

    for other in (scores[::-1], scores[:, [2, 0, 3, 1]], scores * 2.0**-600, scores - np.arange(9)[:, None], -scores):
        there = rm_anova_test(other)
        for name in FIELDS[:-1]:
            assert getattr(there, name) == pytest.approx(getattr(here, name), rel=1e-9)


def test_far_tail_is_no_zero() -> None:
    """Three classifiers ten thousand errors apart: the truth is about 1e-200."""
    scores = 1e4 * np.arange(3) + some_scores(30, 3)
    f, pvalue = rm_anova_test(scores)

    assert 1e-290 < pvalue < 1e-150
    assert math.log(pvalue) == pytest.approx(stats.f.logsf(f, 2, 58), rel=1e-6)


def test_all_tied() -> None:
    result = rm_anova_test([[0.1 + 0.2, 0.3, 0.3], [0.7, 0.7, 0.7], [0.2, 0.2, 0.2]])

    assert tuple(result) == (0, 1)
    assert "tied" in result.reason
    assert result.error_sd == 0


def test_same_differences_everywhere_have_no_pvalue() -> None:
    result = rm_anova_test([[0.1, 0.2, 0.3], [0.5, 0.6, 0.7], [0.8, 0.9, 1.0]])

    assert result.statistic == np.inf
    assert math.isnan(result.pvalue)
    assert math.isnan(result.huynh_feldt_pvalue)
    assert "so the F distribution does not apply" in result.reason


def test_mauchly_needs_as_many_datasets_as_classifiers() -> None:
    result = rm_anova_test(some_scores(3, 4))

    assert math.isnan(result.mauchly_w)
    assert "as many datasets" in result.sphericity_reason
    assert result.reason is None


def test_identical_classifiers_are_not_spherical() -> None:
    scores = some_scores(9, 3)
    result = rm_anova_test(scores[:, [0, 1, 1]])

    assert result.mauchly_w == 0
    assert math.isnan(result.mauchly_pvalue)
    assert 0 < result.pvalue < 1


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        ([[1, 2, 3]], {}, "at least 2 datasets"),
        ([[1], [2]], {}, "2 classifiers"),
        ([[1, 2], [np.nan, 3]], {}, "scores[1, 0] is nan"),
        ([[1, 2], [2, 3]], {"correction": "auto"}, "correction must be 'none' or 'greenhouse-geisser' or"),
        ([[1, 2], [2, 3]], {"tie_tolerance": 2}, "tie_tolerance"),
    ],
)
def test_bad_input_is_refused(scores: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError)) as caught:
        rm_anova_test(scores, **choices)

    assert message in str(caught.value)


def exact_sums_of_squares(scores: np.ndarray) -> tuple[Fraction, Fraction]:
    """By the textbook, in fractions: between the classifiers, and what is left."""
    y = [[Fraction(v) for v in row] for row in scores.tolist()]
    n, k = scores.shape
    rows, columns = [sum(r) / k for r in y], [sum(r[j] for r in y) / n for j in range(k)]
    grand = sum(rows) / n
    left = sum((y[i][j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k))
    return n * sum((c - grand) ** 2 for c in columns), left


@given(tables, st.sampled_from([0.0, 1e9, -1e12]))
def test_sums_of_squares_are_exact_whatever_is_added(scores: np.ndarray, offset: float) -> None:
    between, within = exact_sums_of_squares(scores)

    parts = decomposed(scores + offset, 0.0)

    scale = 4.0 ** int(parts.exponent)
    assert float(parts.between) * scale == pytest.approx(float(between), rel=1e-13, abs=1e-25)
    assert float(parts.within) * scale == pytest.approx(float(within), rel=1e-13, abs=1e-25)


def test_noise_of_floating_point_is_no_variance() -> None:
    scores = np.array([[0.3 - 0.2, 0.0], [0.9 - 0.8, 0.0], [0.1, 0.0]])

    assert decomposed(scores, 1e-12).within == 0
    assert decomposed(scores, 0.0).within > 0


def test_difference_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="too large for a float"):
        decomposed(np.array([[1e308, -1e308], [0.0, 1.0]]), 1e-12)


def test_largest_floats_have_a_mean() -> None:
    assert means_of_columns(np.full((5, 2), 1.7e308)).tolist() == [1.7e308, 1.7e308]
