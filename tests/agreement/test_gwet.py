from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.agreement import cohen_kappa, gwet_ac1

# the data sets of the R package irrCAC (version 1.0) and what it prints for them: AC1, standard error, 95% interval
ABSTRACTORS, OF_ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]], (0.8493305, 0.04321747)
SIX_RATERS = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1],
]  # fmt: skip
OF_SIX_RATERS = (0.4448007, 0.08418757, 0.264, 0.625)
NA = None
FOUR_RATERS = [
    [1, 1, NA, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NA, 5, 5, 5], [NA, NA, 1, 1], [NA, NA, 3, NA],
]  # fmt: skip
OF_FOUR_RATERS = (0.8181818, 0.1903212, 0.77544)

ratings_with_gaps = st.lists(
    st.lists(st.sampled_from([0, 1, 2, None]), min_size=4, max_size=4), min_size=2, max_size=10
).filter(lambda ratings: sum(case.count(None) < 3 for case in ratings) > 0)


def transcribed(ratings: list[list[Any]], k: int) -> tuple[Fraction, Fraction]:
    """Gwet (2008), by pairs of ratings, and the delta method of the two means that it rests on; in fractions."""
    cases = [[label for label in case if label is not None] for case in ratings]
    cases = [case for case in cases if case]
    n = len(cases)
    p = [sum(Fraction(case.count(label), len(case)) for case in cases) / n for label in range(k)]
    agreeing = {
        i: Fraction(sum(case.count(label) * (case.count(label) - 1) for label in range(k)), len(case) * (len(case) - 1))
        for i, case in enumerate(cases)
        if len(case) > 1
    }
    observed = sum(agreeing.values()) / len(agreeing)
    chance = sum(share * (1 - share) for share in p) / (k - 1)
    ac1 = (observed - chance) / (1 - chance)
    squares = Fraction(0)
    for i, case in enumerate(cases):
        of_observed = (agreeing[i] - observed) * Fraction(n, len(agreeing)) if i in agreeing else 0
        here = sum(Fraction(case.count(label), len(case)) * (1 - p[label]) for label in range(k)) / (k - 1)
        squares += ((of_observed - 2 * (1 - ac1) * (here - chance)) / (1 - chance)) ** 2
    return ac1, squares / (n * (n - 1)) if n > 1 else Fraction(-1)


def test_two_raters_by_hand() -> None:
    """3 of 4 cases agree; shares 1/8 and 7/8, so chance is 2 x 1/8 x 7/8."""
    result = gwet_ac1([[1, 1], [1, 1], [1, 1], [0, 1]])

    assert result.observed_agreement == 0.75
    assert result.chance_agreement == pytest.approx(14 / 64, rel=1e-15)
    assert result.estimate == pytest.approx((48 - 14) / 50, rel=1e-14)


def test_printout_of_irrcac_for_a_table() -> None:
    """It divides the sum of squares by n^2 for tables, by n (n - 1) for ratings, as we do for all."""
    ratings = np.repeat(list(np.ndindex(3, 3)), np.ravel(ABSTRACTORS), axis=0)
    result = gwet_ac1(ratings)

    numbers = result.estimate, result.standard_error * math.sqrt(99 / 100)
    assert numbers == pytest.approx(OF_ABSTRACTORS, rel=1e-6)


def test_printout_of_irrcac_for_counts() -> None:
    result = gwet_ac1(counts=SIX_RATERS)

    assert (result.estimate, result.standard_error) == pytest.approx(OF_SIX_RATERS[:2], rel=1e-6)
    assert tuple(result.confidence_interval()) == pytest.approx(OF_SIX_RATERS[2:], abs=5e-4)


def test_printout_of_irrcac_with_missing_ratings() -> None:
    result = gwet_ac1(FOUR_RATERS)

    numbers = (result.observed_agreement, result.chance_agreement, result.estimate)
    assert numbers == pytest.approx(OF_FOUR_RATERS, abs=5e-6)
    assert (result.n_instances, result.n_ratings) == (12, 41)


@given(ratings_with_gaps)
def test_definition_in_fractions(ratings: list[list[Any]]) -> None:
    ac1, variance = transcribed(ratings, 3)
    result = gwet_ac1(ratings, labels=range(3))

    assert result.estimate == pytest.approx(float(ac1), rel=1e-12, abs=1e-14)
    if variance >= 0:
        assert result.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9, abs=1e-12)


def test_standard_error_with_single_ratings_is_the_spread_of_samples() -> None:
    """Half of the cases have one rating. The formula of Gwet (2014) would give twice as much here."""
    rng = np.random.default_rng(1)
    truth = rng.choice(3, (3000, 100, 1), p=[0.5, 0.3, 0.2])
    ratings = np.where(rng.random((3000, 100, 4)) < 0.9, truth, rng.integers(0, 3, (3000, 100, 4))).astype(float)
    ratings[rng.random((3000, 100)) < 0.5, 1:] = np.nan
    result = gwet_ac1(ratings, labels=range(3))

    assert np.sqrt(np.mean(result.standard_error**2)) == pytest.approx(result.estimate.std(), rel=0.05)


def test_it_stays_high_where_kappa_breaks_down() -> None:
    """The paradox of Feinstein & Cicchetti (1990): 118 of 125 cases agree, and kappa is negative."""
    y1, y2 = np.repeat([[1, 1, 0], [1, 0, 1]], [118, 5, 2], axis=1)

    assert cohen_kappa(y1, y2).estimate < 0
    assert gwet_ac1(np.stack([y1, y2], axis=-1)).estimate > 0.9


def test_unused_labels_count_as_labels() -> None:
    narrow, wide = (gwet_ac1([[0, 1], [0, 0], [1, 1]], labels=range(k)) for k in (2, 5))

    assert wide.chance_agreement == pytest.approx(narrow.chance_agreement / 4, rel=1e-14)
    assert wide.estimate > narrow.estimate


def test_ratings_and_their_counts_are_one_road() -> None:
    ratings = np.random.default_rng(2).integers(0, 4, (3, 20, 5))
    counts = (ratings[..., None] == np.arange(4)).sum(axis=-2)

    np.testing.assert_array_equal(gwet_ac1(ratings).estimate, gwet_ac1(counts=counts).estimate)


def test_a_case_that_nobody_rated_is_no_case() -> None:
    here, there = gwet_ac1(counts=[*SIX_RATERS, [0, 0, 0, 0, 0]]), gwet_ac1(counts=SIX_RATERS)

    assert (here.estimate, here.standard_error, here.n_instances) == pytest.approx(
        (there.estimate, there.standard_error, 15), rel=1e-14
    )


@pytest.mark.parametrize(
    ("ratings", "labels", "words"),
    [
        ([["a", "a"], ["a", "a"]], None, "only one label"),
        ([["a", None], [None, "b"]], None, "no instance has two ratings"),
        ([["a", "b"]], None, "only one instance"),
        ([["a", "a"], ["a", "a"]], ["a", "b"], "of every instance agree"),
        ([["a", "b"], ["b", "a"]], None, "no variance"),
    ],
)
def test_degenerate_ratings_have_a_reason(ratings: Any, labels: Any, words: str) -> None:
    result = gwet_ac1(ratings, labels=labels)

    assert words in str(result.reason)
    assert math.isnan(result.pvalue)


@pytest.mark.parametrize(
    ("counts", "message"),
    [([[0, 0]], "at least one rating"), ([[1, -1]], "counts[0, 1] is -1"), ([], "counts must have the shape")],
)
def test_bad_counts_are_refused(counts: Any, message: str) -> None:
    with pytest.raises(ValueError, match="counts") as caught:
        gwet_ac1(counts=counts)

    assert message in str(caught.value)
