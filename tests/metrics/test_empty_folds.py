"""How likely is a fold without positives?"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats.metrics.empty_folds import empty_fold_probability

# Figure 9 of Forman & Scholz (2010) prints curves only; these are their values, by inclusion and exclusion in fractions
ONCE = {10: 0.99963712, 20: 0.7852626768, 30: 0.3708628107, 50: 0.05089764707, 100: 0.0002656048223}
IN_1000_TRIALS = {50: 1.0, 75: 0.9753828332, 90: 0.5332578627, 100: 0.2332849825}


def by_inclusion_and_exclusion(n_positive: int, n_folds: int) -> Fraction:
    terms = (
        (-1) ** (j + 1) * comb(n_folds, j) * Fraction(n_folds - j, n_folds) ** n_positive for j in range(1, n_folds + 1)
    )
    return sum(terms, Fraction(0))


def by_enumeration(n_positive: int, sizes: list[int]) -> Fraction:
    """Count the ways to put positives on places that leave some fold empty."""
    ways = 0
    for dealt in itertools.product(*(range(size + 1) for size in sizes)):
        if sum(dealt) == n_positive and 0 in dealt:
            ways += prod(comb(size, p) for size, p in zip(sizes, dealt, strict=True))
    return Fraction(ways, comb(sum(sizes), n_positive))


def test_two_positives_in_two_folds_by_hand() -> None:
    """Both in the same fold: half of the time, or 2 x 1 of the 6 pairs of four places."""
    assert empty_fold_probability(2, 2) == 0.5
    assert empty_fold_probability(2, 2, fold_sizes=2) == pytest.approx(1 / 3, rel=1e-15)


def test_curve_of_figure_9() -> None:
    np.testing.assert_allclose(empty_fold_probability(list(ONCE), 10), list(ONCE.values()), rtol=1e-9)


def test_second_curve_of_figure_9() -> None:
    """Over 1000 trials it is more likely than not up to 90 positives: with 91 it is 0.497."""
    in_trials = empty_fold_probability(list(IN_1000_TRIALS), 10, n_trials=1000)

    np.testing.assert_allclose(in_trials, list(IN_1000_TRIALS.values()), rtol=1e-9)
    assert empty_fold_probability(91, 10, n_trials=1000) < 0.5


def test_thousand_cases_in_ten_folds() -> None:
    """Without replacement it is a little less likely."""
    probability = empty_fold_probability([10, 20, 50], 10, fold_sizes=100)

    np.testing.assert_allclose(probability, [0.9996203631, 0.777215779, 0.04429190215], rtol=1e-9)


@given(st.integers(0, 400), st.integers(1, 12))
def test_inclusion_and_exclusion(n_positive: int, n_folds: int) -> None:
    """Exact to the last digits, far into the tail, where a difference from one would be rounded to zero."""
    expected = float(by_inclusion_and_exclusion(n_positive, n_folds)) if n_positive else 1.0

    assert empty_fold_probability(n_positive, n_folds) == pytest.approx(expected, rel=1e-13)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_enumeration_of_unequal_folds(sizes: list[int], data: st.DataObject) -> None:
    n_positive = data.draw(st.integers(0, sum(sizes)))

    probability = empty_fold_probability(n_positive, len(sizes), fold_sizes=sizes)
    assert probability == pytest.approx(float(by_enumeration(n_positive, sizes)), abs=1e-14)


def test_hundred_folds() -> None:
    """The alternating sum would have terms of 1e29."""
    assert empty_fold_probability(500, 100) == pytest.approx(float(by_inclusion_and_exclusion(500, 100)), rel=1e-13)


def test_certain_cases() -> None:
    assert empty_fold_probability([0, 9], 10).tolist() == [1, 1]
    assert empty_fold_probability(1, 1) == 0
    assert empty_fold_probability(9, 10, n_trials=5) == 1


def test_shape_of_the_answer() -> None:
    assert isinstance(empty_fold_probability(20, 10), float)
    assert empty_fold_probability([[20, 30], [40, 50]], 10).shape == (2, 2)


def test_messages() -> None:
    with pytest.raises(InvalidTypeError, match=r"n_positive must be a whole number, not 2\.5"):
        empty_fold_probability(2.5, 10)
    with pytest.raises(InvalidValueError, match="n_positive must be at least 0, not -1"):
        empty_fold_probability(-1, 10)
    with pytest.raises(InvalidValueError, match=r"fold_sizes must be one number or 10, but its shape is \(2,\)"):
        empty_fold_probability(20, 10, fold_sizes=[1, 2])
    with pytest.raises(InvalidValueError, match="n_positive must not exceed the 20 cases of all folds, but is 21"):
        empty_fold_probability(21, 2, fold_sizes=10)
    with pytest.raises(InvalidValueError, match="n_trials must be at least 1"):
        empty_fold_probability(20, 10, n_trials=0)
